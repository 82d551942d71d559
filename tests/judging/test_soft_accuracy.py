"""Soft pairwise accuracy: the tool's values from its p-values, and the p-values against all permutations."""

from itertools import combinations, product

import numpy as np
import pytest
from calls import record
from scipy.stats import ttest_rel

import ircor
from ircor.data import Scores
from ircor.statistics import significant_pairs, soft_accuracy

CASES = [case for case in record("pairwise.jsonl") if case["kind"] == "soft_pairwise_accuracy"]


@pytest.mark.parametrize("case", CASES)
def test_what_mt_metrics_eval_answers(case):
    answers = case["answers"]
    p, q = (np.array(answers[side]) for side in ("gold_p", "metric_p"))
    assert soft_accuracy(p, q) == pytest.approx(answers["spa"], abs=1e-12)
    # Its p-values are of 1,000 permutations, whose standard error is 0.016 at most.
    truth, estimate = (np.transpose(case[side]) for side in ("gold", "metric"))
    found = ircor.soft_pairwise_accuracy(truth, estimate, resamples=20_000, seed=1)
    assert found == pytest.approx(answers["spa"], abs=0.03)


def by_definition(truth, estimate):
    """Over all signs of the differences."""
    distances = []
    for i, j in combinations(range(truth.shape[1]), 2):
        p = []
        for side in (truth, estimate):
            difference = side[:, i] - side[:, j]
            sums = [np.dot(signs, difference) for signs in product((1, -1), repeat=len(difference))]
            p.append(np.mean([value >= difference.sum() - 1e-9 for value in sums]))
        distances.append(abs(p[0] - p[1]))
    return 1 - np.mean(distances)


@pytest.fixture
def tables(rng):
    truth = np.round(rng.random((8, 4)), 2)
    return truth, np.round(truth + rng.normal(0, 0.3, truth.shape), 2)


def test_few_items_have_all_permutations(tables):
    expected = by_definition(*tables)
    assert ircor.soft_pairwise_accuracy(*tables) == pytest.approx(expected, abs=1e-12)
    assert ircor.soft_pairwise_accuracy(*tables, resamples=256) == pytest.approx(expected, abs=1e-12)
    assert ircor.soft_pairwise_accuracy(*tables, resamples=255, seed=1) != expected
    # All flips of the randomisation test, whose two-sided p-values have halves, but for ties of sums.
    assert ircor.soft_pairwise_accuracy(*tables, "randomisation") == pytest.approx(expected, abs=0.02)


def test_the_t_test_is_that_of_scipy(tables):
    p, q = (
        np.array(
            [ttest_rel(side[:, i], side[:, j], alternative="greater").pvalue for i, j in combinations(range(4), 2)]
        )
        for side in tables
    )
    assert ircor.soft_pairwise_accuracy(*tables, "t") == pytest.approx(1 - abs(p - q).mean(), abs=1e-12)
    assert significant_pairs(Scores.of(tables[0])).one_sided == pytest.approx(p, abs=1e-12)


def test_the_seed_decides(rng):
    truth = rng.random((30, 5))
    estimate = truth + rng.normal(0, 0.3, truth.shape)
    one, same, other = (ircor.soft_pairwise_accuracy(truth, estimate, seed=seed) for seed in (1, 1, 2))
    assert one == same != other
    assert ircor.soft_pairwise_accuracy(truth, truth) == 1
    reverse = ircor.soft_pairwise_accuracy(truth * 100, -truth * 100, "t")
    assert reverse < 0.9


def test_systems_without_a_difference():
    truth = [[0.9, 0.1], [0.8, 0.2], [0.9, 0.3]]
    same = np.ones((3, 2))
    assert ircor.soft_pairwise_accuracy(truth, same) == 1 - (1 - 1 / 8)
    assert ircor.soft_pairwise_accuracy(same, same) == 1
    p = ttest_rel([0.9, 0.8, 0.9], [0.1, 0.2, 0.3], alternative="greater").pvalue
    assert ircor.soft_pairwise_accuracy(truth, same, "t") == pytest.approx(0.5 + p, abs=1e-12)


def test_studies_have_it(rng):
    X = rng.random((20, 1)) + rng.random((20, 8)) * np.linspace(0.5, 1, 8)
    Y = X + rng.normal(0, 0.2, X.shape)
    expected = ircor.soft_pairwise_accuracy(X, Y, "t")
    compared = ircor.compare(X, Y, resamples=100, seed=1)
    assert compared.soft_accuracy == expected == compared.as_dict()["soft_accuracy"]
    judged = ircor.judges(None, X, {"judge": Y, "same": X * 0}, resamples=100, seed=1)
    assert judged.pairs["soft_accuracy"].tolist() == [expected]
    tukey = ircor.judges(None, X, {"judge": Y}, resamples=100, seed=1, test="tukey").pairs["soft_accuracy"]
    assert np.isnan(tukey.iloc[0])


def test_refusals():
    with pytest.raises(ValueError, match="'test' must be one of permutation, t, randomisation, not 'tukey'"):
        ircor.soft_pairwise_accuracy(np.eye(3), np.eye(3), "tukey")
    with pytest.raises(ValueError, match="two"):
        ircor.soft_pairwise_accuracy(np.ones((3, 1)), np.ones((3, 1)))
    with pytest.raises(ValueError, match="'resamples' must be 1 or more, not 0"):
        ircor.soft_pairwise_accuracy(np.eye(3), np.eye(3), resamples=0)
