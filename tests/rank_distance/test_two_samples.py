"""The two-sample null: against a plain loop over the same normal numbers, moments, and other samples of topics."""

from math import sqrt

import joblib
import numpy as np
import pytest
from scipy.stats import binomtest

from ircor.data._scores import Scores
from ircor.rank_distance import DrankNull, drank
from ircor.rank_distance._test import TwoSamples
from ircor.statistics._model import correlation_shrinkage


def centred(X):
    X = X - X.mean(axis=1, keepdims=True)
    return X - X.mean(axis=0)


def plain(X, topics, ridge, resamples, seed):
    """The distances, from np.random, matrix products and `drank`."""
    n, m = X.shape
    D = centred(X)
    share = correlation_shrinkage(D)
    # The columns in the order in which np.unique leaves them.
    order = np.lexsort(X[::-1])
    sd = np.std(D, axis=0, ddof=1)[order]
    found = []
    for stream, size in zip(np.random.SeedSequence(seed).spawn(resamples // 250 + 1), (250, resamples - 250)):
        rng = np.random.default_rng(stream)

        def draw(count, rng=rng):
            shared = rng.standard_normal((count, n)) @ D[:, order] / sqrt(n - 1)
            own = rng.standard_normal((count, m)) * sd
            drawn = np.empty((count, m))
            drawn[:, order] = sqrt(1 - share) * shared + sqrt(share) * own
            return drawn

        for _ in range(size):
            first = X.mean(axis=0) + draw(n)
            found.append(drank(first, X.mean(axis=0) + draw(1)[0] / sqrt(topics), ridge=ridge))
    return np.sort(found)


@pytest.mark.parametrize(("n", "m", "topics", "ridge"), [(20, 8, 20, None), (20, 8, 5, 0.01), (6, 9, 30, 0.001)])
def test_distances_are_those_of_a_plain_loop(n, m, topics, ridge, topics_by_systems):
    X = topics_by_systems(n, m)
    null = DrankNull(X, null="two-sample", topics=topics, resamples=300, seed=5, ridge=ridge)
    expected = plain(X, topics, "shrinkage" if ridge is None else ridge, 300, 5)
    np.testing.assert_allclose(null.distances, expected, rtol=1e-7, atol=1e-10)
    assert len(np.unique(expected.round(6))) > 20


def normal_draws(two, topics):
    """One sample of so many topics."""
    rng = np.random.default_rng(1)
    numbers = (rng.standard_normal((1, topics, count)) for count in (two.scores.n, len(two.first)))
    return two.drawn(*numbers)[0]


def test_drawn_scores_have_the_covariance_of_the_table(topics_by_systems):
    X = topics_by_systems(30, 6)
    two = TwoSamples.of(Scores.of(X), 30, "shrinkage")
    assert two.shrinkage == correlation_shrinkage(centred(X)) > 0.02
    S = np.cov(centred(X), rowvar=False)
    expected = (1 - two.shrinkage) * S + two.shrinkage * np.diag(np.diag(S))
    drawn = normal_draws(two, 200_000)
    np.testing.assert_allclose(np.cov(drawn, rowvar=False), expected, atol=0.015 * S.max())
    np.testing.assert_allclose(drawn.mean(axis=0), 0, atol=0.02 * sqrt(S.max()))


def test_systems_with_the_same_scores_stay_the_same(topics_by_systems):
    X = topics_by_systems(20, 6)[:, [0, 1, 2, 1, 3, 4, 5, 1, 0]]
    drawn = normal_draws(TwoSamples.of(Scores.of(X), 20, "shrinkage"), 50)
    assert (drawn[:, [3, 7]] == drawn[:, [1]]).all()
    assert (drawn[:, 8] == drawn[:, 0]).all()
    assert len(np.unique(drawn[0])) == 6
    # Without a ridge, any difference between the two would be at an infinite distance.
    null = DrankNull(X, null="two-sample", resamples=50, seed=1, ridge=0)
    assert np.isfinite(null.distances).all()
    assert null.distances.max() > 0


def test_more_topics_in_the_second_sample_make_shorter_distances(topics_by_systems):
    X = topics_by_systems(25, 8)
    few, as_many, many = (
        DrankNull(X, null="two-sample", topics=topics, resamples=400, seed=1).distances.mean()
        for topics in (5, 25, 10**6)
    )
    assert few > 1.2 * as_many > 1.2 * 1.1 * many
    assert DrankNull(X, null="two-sample", resamples=400, seed=1).distances.mean() == as_many


def test_the_outcome_depends_on_the_seed_alone(topics_by_systems):
    X = topics_by_systems(20, 8)
    options = {"null": "two-sample", "resamples": 600}
    one = DrankNull(X, seed=3, n_jobs=1, **options).distances
    np.testing.assert_array_equal(DrankNull(X, seed=3, n_jobs=2, **options).distances, one)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        np.testing.assert_array_equal(DrankNull(X, seed=3, **options).distances, one)
    assert not np.array_equal(DrankNull(X, seed=4, **options).distances, one)


def test_rankings_by_other_topics_are_rejected_about_as_often_as_the_level_says(rng):
    """Normal scores on two separate samples of topics; the test of the paper rejects them far more often."""
    m, n, tests = 8, 25, 150
    root = np.eye(m) + 0.3 * rng.normal(size=(m, m))
    true = np.linspace(0, 0.6, m)
    pvalues = {"two-sample": [], "resample": []}
    for _ in range(tests):
        first, second = (true + rng.normal(size=(n, m)) @ root for _ in range(2))
        for kind, found in pvalues.items():
            found.append(DrankNull(first, null=kind, resamples=79, seed=1).test(second).pvalue)
    rejected = {kind: int(np.sum(np.array(found) <= 0.1)) for kind, found in pvalues.items()}
    assert binomtest(rejected["two-sample"], tests, 0.1, alternative="greater").pvalue > 0.01
    assert rejected["resample"] > 2 * max(rejected["two-sample"], 0.1 * tests)
