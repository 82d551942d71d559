"""All that one table says of its own reliability."""

import json

import numpy as np
import pandas as pd
import pytest

from ircor import sample
from ircor.reliability import Reliability, expected, generalizability, summary, topics_needed
from ircor.show.tables import plain

QUICK = {"resamples": 80, "seed": 1}


@pytest.fixture(scope="module")
def found():
    return summary(sample("map"), 0.85, name="map", level=0.8, **QUICK)


def test_the_parts_are_those_of_the_functions(found):
    X = sample("map")
    assert isinstance(found, Reliability)
    assert found.needed.as_dict() == topics_needed(X, 0.85, level=0.8, **QUICK).as_dict()
    assert found.generalizability.as_dict() == generalizability(X, level=0.8).as_dict()
    made = {(one.method, one.estimator): one for one in found.expected}
    assert len(made) == 6
    for (method, estimator), one in made.items():
        known = expected(X, method, estimator, 1, resamples=80)
        assert one.value == known.value
        assert (one.seed, one.resamples) == (known.seed, known.resamples)


def test_the_options_reach_the_parts():
    X = sample("map")
    found = summary(X, 0.7, "tauAP", level=0.5, resamples=30, seed=4, n_jobs=2)
    assert found.needed.as_dict() == topics_needed(X, 0.7, "tauAP", level=0.5, resamples=30, seed=4).as_dict()
    assert found.generalizability.level == 0.5
    # A target for tau is none for E rho^2.
    assert found.generalizability.goal == 0.95
    assert {one.seed for one in found.expected} == {None, 4}


def test_the_tables(found):
    curve, estimators, components, coefficients = found.tables()
    assert [table.key for table in found.tables()] == ["curve", "expected", "components", "generalizability"]
    assert curve.records() == found.needed.curve.to_dict("records")
    values = {(one.estimator, one.method): one.value for one in found.expected}
    assert estimators.records() == [
        {"estimator": by, "tau": values[by, "tau"], "tauAP": values[by, "tauAP"]} for by in ("ML", "MSQD", "RES")
    ]
    assert [components.records(), coefficients.records()] == [
        table.records() for table in found.generalizability.tables()
    ]


def test_the_sentences(found):
    needed, coefficients, places = found.sentences()
    assert [places] == found.places.sentences()
    assert (found.places.level, found.places.seed) == (0.8, found.needed.seed)
    assert needed == found.needed.view.sentence("map")
    assert needed.startswith("With 50 topics, the ranking of the 30 systems by map is expected to have tau ")
    assert [coefficients] == found.generalizability.sentences()
    without_name = summary(sample("map"), **QUICK).sentences()[0]
    assert without_name.startswith("With 50 topics, the ranking of the 30 systems is expected to have tau ")
    assert repr(found) == f"<Reliability map: {found.needed!r}, {found.generalizability!r}>"
    assert str(found).endswith("\n\n".join(found.sentences()))
    assert found._repr_html_().count("<table>") == 4


def test_everything_is_in_the_json(found):
    data = json.loads(json.dumps(plain(found.as_dict()), allow_nan=False))
    assert data["name"] == "map"
    assert data["needed"]["needed"] == found.needed.needed
    assert data["expected"] == found.tables()[1].records()
    assert data["generalizability"]["level"] == 0.8
    assert data["names"] == list(sample("map").columns)
    chances = pd.DataFrame(data["chances"], data["names"], data["names"], dtype=float)
    pd.testing.assert_frame_equal(chances, expected(sample("map")).chances, check_names=False)
    assert data["notes"] == []


def test_no_note_is_said_twice(recorded):
    X = recorded.copy()
    X.attrs["notes"] = ["one topic dropped", "read as tab-separated"]
    for method in ("tau", "tauAP"):
        found = summary(X, method=method, **QUICK)
        assert found.notes[0] == "one topic dropped; read as tab-separated"
        assert sum("equal on every topic" in note for note in found.notes) == 1
        assert len(set(found.notes)) == len(found.notes)
        # Of the parts, only the curve says it, with its own value.
        assert [note for note in found.notes if "equal on every topic" in note] == [found.needed.notes[1]]


def test_the_notes_of_all_parts_are_there():
    rest = np.array([3, 1, 0, 2, 3, 1, 0, 2, 1, 3, 0]) / 4
    X = np.column_stack([rest + 1 - (np.arange(11) == 4) / 64, rest, rest, rest[::-1] - 0.3])
    found = summary(X, **QUICK)
    starts = ("1 pair of systems is equal on every topic", "so many differences of 2 pairs of systems are tied")
    for note, start in zip(found.notes, starts):
        assert note.startswith(start)
    latin = summary([[1, 2, 3], [3, 1, 2], [2, 3, 1.5]], **QUICK)
    for part in (latin.needed, latin.generalizability):
        assert part.notes
        assert set(part.notes) <= set(latin.notes)


@pytest.mark.parametrize("method", ["tau", "tauAP"])
def test_what_rounding_does_is_said_of_the_coefficient_asked_for(method):
    rest = np.array([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8])
    X = np.column_stack([rest + 0.1 + 0.1 * (np.arange(7) == 0), rest, rest[::-1] - 0.02])
    known = expected(X, method, "MSQD").notes[-1]
    assert f"taken as equal, {method} would be" in known
    assert [note for note in summary(X, method=method, **QUICK).notes if "rounding" in note] == [known]


def test_the_seed_repeats_it_and_is_reported():
    X = sample("map").iloc[:, :8]
    drawn = summary(X, resamples=80)
    again = summary(X, resamples=80, seed=drawn.needed.seed)
    assert plain(again.as_dict()) == plain(drawn.as_dict())
    assert {one.seed for one in drawn.expected} == {None, drawn.needed.seed}


def test_it_draws_its_curve(found):
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots()
    assert found.plot(ax, name="runs of 2004") is ax
    assert "runs of 2004, 50 topics" in ax.get_legend().get_texts()[2].get_text()
    plt.close(figure)


def test_bad_options_are_refused(recorded):
    for options, words in (
        ({"goal": 2}, "'goal' must be between 0 and 1, not 2"),
        ({"level": 0}, "'level' must be between 0 and 1, not 0"),
        ({"method": "tau_b"}, "'method' must be one of tau, tauAP, not 'tau_b'"),
        ({"resamples": 0}, "'resamples' must be 1 or more, not 0"),
    ):
        with pytest.raises(ValueError, match=f"^{words}$"):
            summary(recorded, **options)


def test_the_systems_of_a_track(scores):
    found = summary(scores(250, 130), resamples=20, seed=1)
    assert 0.9 < found.generalizability.e_rho2.value < 1
    assert len(found.expected) == 6
