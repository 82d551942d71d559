"""Strictness and robustness against their formulas and SciPy."""

from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.stats

from ircor.organization import robustness, strictness


def test_strictness_and_robustness_by_their_formulas(rng):
    for _ in range(20):
        scores = np.round(rng.random(rng.integers(2, 9, 3)), 1)
        scores[0], scores[-1] = -1, 2
        systems, topics, measures = scores.shape
        place = np.array([[scipy.stats.rankdata(-scores[:, t, m]) for m in range(measures)] for t in range(topics)])
        expected = [
            -max(
                place[t, k, o] - place[t, m, o] for t in range(topics) for k in range(measures) for o in range(systems)
            )
            / systems
            for m in range(measures)
        ]
        np.testing.assert_allclose(strictness(scores), expected, atol=1e-15)
        spearman = [
            np.mean(
                [scipy.stats.spearmanr(scores[:, i, m], scores[:, j, m])[0] for i, j in combinations(range(topics), 2)]
            )
            for m in range(measures)
        ]
        np.testing.assert_allclose(robustness(scores), spearman, atol=1e-12)


def test_a_fall_counts_and_a_rise_does_not():
    """The first of four systems under A is the last under B, a drop of 3; the largest drop from B to A is 1."""
    scores = np.zeros((4, 1, 2))
    scores[:, 0, 0], scores[:, 0, 1] = [4, 3, 2, 1], [1, 4, 3, 2]
    np.testing.assert_allclose(strictness(scores), [-3 / 4, -1 / 4])


def test_scores_in_frames(rng):
    scores = rng.random((5, 4, 3))
    systems, topics, measures = [f"s{k}" for k in range(5)], [f"t{k}" for k in range(4)], ["AP", "P10", "RR"]
    index = pd.MultiIndex.from_product([systems, topics], names=["system", "topic"])
    wide = pd.DataFrame(scores.reshape(20, 3), index=index, columns=measures)
    long = wide.rename_axis(columns="measure").stack().rename("value").reset_index()
    for function in (strictness, robustness):
        for frame in (wide, wide.swaplevel(), wide.sample(frac=1, random_state=1), long.sample(frac=1, random_state=2)):
            found = function(frame)
            np.testing.assert_allclose(found[measures], function(scores), atol=1e-15)
    for function in (strictness, robustness):
        np.testing.assert_allclose(function(pl.from_pandas(long)), function(scores), atol=1e-15)
    unnamed = wide.rename_axis([None, None])
    np.testing.assert_allclose(strictness(unnamed), strictness(scores))


def test_scores_that_are_refused(rng):
    scores = rng.random((5, 4, 3))
    index = pd.MultiIndex.from_product([list("abcde"), range(4)], names=["system", "topic"])
    wide = pd.DataFrame(scores.reshape(20, 3), index=index, columns=["AP", "P10", "RR"])
    long = wide.rename_axis(columns="measure").stack().rename("value").reset_index()
    missing = scores.copy()
    missing[1, 2, 0] = np.nan
    for given, error, words in [
        (scores[0], TypeError, "three dimensions, systems by topics by measures, not 2"),
        (missing, ValueError, "score of system 1 for topic 2 under 0 is missing"),
        (wide.drop(("c", 3)), ValueError, "'scores': system 'c' has no AP for topic 3"),
        (pd.concat([wide, wide.iloc[:1]]), ValueError, "'scores', row 21: AP of system 'a' for topic '0' is repeated"),
        (pd.concat([long, long.iloc[:1]]), ValueError, "'scores', row 61: AP of system 'a' for topic '0' is repeated"),
        (long.replace({"system": {"a": None}}), ValueError, "'scores', row .*: the system is missing"),
        (wide.reset_index(drop=True), TypeError, r"\(system, topic\) as its index, or the columns system"),
        (scores[:1], ValueError, "two systems or more"),
        (scores[:, :0], ValueError, "two systems or more, a topic and a measure"),
        (scores.astype(str), TypeError, "must be numbers"),
    ]:
        for function in (strictness, robustness):
            with pytest.raises(error, match=words):
                function(given)
    with pytest.raises(ValueError, match="compares measures: 'scores' must have two or more, not 1"):
        strictness(scores[:, :, :1])
    with pytest.raises(ValueError, match="compares topics: 'scores' must have two or more, not 1"):
        robustness(scores[:, :1])


def test_a_topic_on_which_all_systems_tie_has_no_correlation(rng):
    scores = rng.random((5, 4, 3))
    scores[:, 2, 1] = 0.5
    with pytest.warns(
        UserWarning, match="the robustness of 1 of 3 measures is nan: all systems have the same score for some topic"
    ):
        found = robustness(scores)
    assert np.isnan(found).tolist() == [False, True, False]
    assert not np.isnan(strictness(scores)).any()
