"""Systems in clusters, or some far from the others, for which the curve promises too much, are noticed."""

import numpy as np
import pytest

from ircor import compare
from ircor.reliability import topics_needed
from ircor.reliability._curve import Effects
from ircor.reliability._expected import RankedSystems
from ircor.show.reliability import CAVEATS

UNEVEN = CAVEATS["uneven"]

FIELDS = {
    "clusters": lambda rng, m: np.where(np.arange(m) < m // 2, 0, 0.12) + 0.015 * rng.normal(size=m),
    "broken": lambda rng, m: np.where(np.arange(m) < m // 10, -0.5, 0) + 0.03 * rng.normal(size=m),
    "normal": lambda rng, m: 0.03 * rng.normal(size=m),
    "uniform": lambda rng, m: 0.1 * rng.random(m),
}


def noticed(rng, field, m=40, n=50, times=30):
    """The share of samples that are noticed."""
    found = [FIELDS[field](rng, m) + 0.1 * rng.normal(size=(n, m)) for _ in range(times)]
    return np.mean([Effects.of(RankedSystems.of(X)).uneven for X in found])


@pytest.mark.parametrize("field", ["clusters", "broken"])
def test_clusters_and_broken_systems_are_noticed(rng, field):
    assert noticed(rng, field) > 0.8


@pytest.mark.parametrize("field", ["normal", "uniform"])
def test_normal_and_even_fields_are_not(rng, field):
    assert noticed(rng, field) < 0.15


def test_the_result_says_so(rng):
    X = FIELDS["broken"](rng, 40) + 0.1 * rng.normal(size=(50, 40))
    found = topics_needed(X, resamples=100, seed=1)
    assert found.uneven
    assert found.as_dict()["uneven"] is True
    assert found.notes == (UNEVEN,)
    assert found.sentences()[0].endswith("far from the others: then this promises too much.")
    compared = compare(X, X + 0.01 * rng.normal(size=X.shape), resamples=100, seed=1)
    assert f"the reliability of A: {UNEVEN}" in compared.notes


def test_an_ordinary_field_has_no_note(rng):
    X = FIELDS["normal"](rng, 40) + 0.1 * rng.normal(size=(50, 40))
    found = topics_needed(X, resamples=100, seed=1)
    assert not found.uneven
    assert found.notes == ()
    assert "promises" not in found.sentences()[0]


def test_noise_alone_is_no_cluster(rng):
    tables = (rng.normal(size=(20, 10)) for _ in range(50))
    found = next(one for one in tables if Effects.of(RankedSystems.of(one)).squares.f <= 1)
    result = topics_needed(found, resamples=100, seed=1)
    assert (result.uneven, result.notes) == (False, (CAVEATS["no spread"],))


def test_the_notes_of_both_sides_are_those_of_the_comparison(rng):
    X, Y = (FIELDS["broken"](rng, 40) + 0.1 * rng.normal(size=(50, 40)) for _ in "XY")
    notes = compare(X, Y, resamples=100, seed=1).notes
    assert {f"the reliability of {side}: {UNEVEN}" for side in "AB"} <= set(notes)


@pytest.mark.parametrize(("level", "least"), [(0.95, 80), (0.9, 40), (0.99, 400)])
def test_few_draws_are_noted(rng, level, least):
    X = FIELDS["normal"](rng, 40) + 0.1 * rng.normal(size=(50, 40))
    few, enough = (topics_needed(X, level=level, resamples=count, seed=1).notes for count in (least - 1, least))
    assert few == (f"{least - 1} draws are few for the ends of a {100 * level:g}% interval: take {least} or more",)
    assert enough == ()


def test_no_end_is_below_0_by_rounding(rng):
    for m in range(3, 12):
        effects = Effects.of(RankedSystems.of(rng.normal(size=(8, m))))
        for method in ("tau", "tauAP"):
            drawn = effects.simulated([1, 8, 20], method, (np.random.SeedSequence(m), 200))
            assert not np.signbit(drawn).any()
