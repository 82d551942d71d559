"""What scripts/bench measures of the reliability of a collection: beside loops over the pairs in NumPy and SciPy."""

from math import lgamma

import numpy as np
from bench_overlap import turns
from bench_subjects import Target
from scipy.special import stdtr
from scipy.stats import ttest_rel

from ircor.reliability import expected, topics_needed


def reliability(rng: np.random.Generator) -> list[Target]:
    """50 topics by 130 systems, the size of a TREC track."""
    n, m = 50, 130
    X = rng.random((n, 1)) * rng.uniform(0.3, 1, m) + 0.12 * rng.normal(size=(n, m))
    np.testing.assert_allclose(float(expected(X)), by_loop(X), rtol=0, atol=1e-12)
    ours, loop, tests = turns(lambda: expected(X), lambda: by_loop(X), lambda: by_tests(X), rounds=3)
    quantiles, resampled, needed = turns(
        lambda: expected(X, estimator="MSQD"),
        lambda: expected(X, estimator="RES", seed=1),
        lambda: topics_needed(X, seed=1, progress=False),
        rounds=3,
    )
    return [
        Target("expected, ML, 50 x 130: milliseconds", 1000 * ours, 20),
        Target("expected, ML / a loop over the pairs in NumPy, 50 x 130", ours / loop, 1 / 10),
        Target("expected, ML / a loop over ttest_rel, 50 x 130", ours / tests, 1 / 100),
        Target("expected, MSQD / ML, 50 x 130", quantiles / ours, 10),
        Target("expected, RES, 1,000 resamples / ML, 50 x 130", resampled / ours, 20),
        Target("topics_needed, 1,000 draws / ML, 50 x 130", needed / ours, 1500),
    ]


def by_loop(X: np.ndarray) -> float:
    """The expected tau, pair by pair, with the correction for 50 topics."""
    n, m = X.shape
    c = np.sqrt((n - 1) / 2) * np.exp(lgamma((n - 1) / 2) - lgamma(n / 2))
    best_first = X[:, np.argsort(-X.mean(axis=0))]
    wrong = 0.0
    for i in range(m):
        for j in range(i + 1, m):
            D = best_first[:, i] - best_first[:, j]
            wrong += stdtr(n - 1, -np.sqrt(n) * D.mean() / (c * D.std(ddof=1)))
    return 1 - 4 * wrong / (m * (m - 1))


def by_tests(X: np.ndarray) -> float:
    """The same without the correction, by SciPy's paired test."""
    m = X.shape[1]
    best_first = X[:, np.argsort(-X.mean(axis=0))]
    p = [ttest_rel(best_first[:, i], best_first[:, j]).pvalue for i in range(m) for j in range(i + 1, m)]
    return 1 - 4 * sum(p) / 2 / (m * (m - 1))
