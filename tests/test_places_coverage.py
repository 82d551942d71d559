"""scripts/places_coverage in small: sets of places hold where the truth is known."""

import importlib
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from ircor.data import Scores
from ircor.statistics import significant_pairs

SCRIPTS = Path(__file__).parents[1] / "scripts"
REPLICATES = 60
# A band that is left once in a thousand times by chance; with a fixed seed, by a change of the method.
CHANCE = 0.001


@pytest.fixture(scope="module")
def study():
    before = set(sys.modules)
    sys.path.insert(0, str(SCRIPTS))
    try:
        yield importlib.import_module("places_coverage")
    finally:
        sys.path.remove(str(SCRIPTS))
        for name in set(sys.modules) - before:
            if name.startswith(("coverage_", "places_")):
                sys.modules.pop(name)


def by_method(study, *setting):
    return {row["method"]: row for row in study.coverage(study.Setting(*setting), REPLICATES)}


@pytest.mark.parametrize("collection", ["normal", "zero-inflated", "near-duplicates"])
def test_equal_systems_are_told_apart_no_more_often_than_the_level_says(study, collection):
    rows = by_method(study, collection, 12, 25, True)
    wrong = REPLICATES * (1 - rows["bootstrap"]["all"])
    assert wrong <= binom.ppf(1 - CHANCE, REPLICATES, 0.05)
    # What the default is there for.
    assert rows["normal"]["all"] < rows["bootstrap"]["all"]


def test_ties_in_truth_and_broken_systems(study):
    for collection in ("ties in truth", "a tenth broken"):
        rows = by_method(study, collection, 12, 30, False)
        assert REPLICATES * (1 - rows["bootstrap"]["all"]) <= binom.ppf(1 - CHANCE, REPLICATES, 0.05)
        assert rows["marginal"]["each"] > 0.93
        assert rows["marginal"]["decided"] > rows["bootstrap"]["decided"] > 0


def test_the_other_methods_are_what_they_say(study, rng):
    scores = Scores.of(rng.normal(size=(30, 8)) + np.linspace(0, 1, 8))
    assert (study.tukey_signs(scores) == significant_pairs(scores, "tukey", 0.05).signs).all()
    low, high = study.bootstrap_ranks(scores, 1)
    assert (low <= high).all()
    assert high[0] > low[-1]


@pytest.mark.slow
@pytest.mark.skipif("IRCOR_DATA" not in os.environ, reason="IRCOR_DATA has no real scores")
@pytest.mark.parametrize("collection", ["adhoc6_rr", "web2011_ndcg20"])
def test_real_scores(study, collection):
    if not (Path(os.environ["IRCOR_DATA"]) / f"{collection}.csv.gz").exists():
        pytest.skip(f"IRCOR_DATA has no {collection}")
    rows = by_method(study, collection, 30, 25, True)
    assert rows["bootstrap"]["all"] >= 0.85
    assert rows["normal"]["all"] < 0.75
