"""The reliability of a collection: beside loops over the pairs in NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Iterator
from math import lgamma

import numpy as np
from scipy.special import stdtr
from scipy.stats import ttest_rel

from ircor.reliability import expected, topics_needed

from .figures import Figure, Table
from .resampling import scores
from .run import Run

EXPECTED, ESTIMATORS = Table("expected"), Table("expected, estimators")


def measure(run: Run) -> Iterator[Figure]:
    """50 topics by 130 systems, the size of a TREC track."""
    n, m = run.pick((50, 130), (20, 5))
    X = scores(n, m, run.rng)
    np.testing.assert_allclose(float(expected(X)), by_loop(X), rtol=0, atol=1e-12)
    calls = {
        "ML": lambda: expected(X),
        "loop": lambda: by_loop(X),
        "tests": lambda: by_tests(X),
        "MSQD": lambda: expected(X, estimator="MSQD"),
        "RES": lambda: expected(X, estimator="RES", seed=1),
        "needed": lambda: topics_needed(X, seed=1, progress=False),
    }
    times = run.turns(calls, 3, budget=6)
    column, ml = f"{n} topics x {m} systems", times["ML"]
    yield EXPECTED.faster("a loop over the pairs in NumPy", column, ml, times["loop"], 10)
    yield EXPECTED.faster("a loop over `scipy.stats.ttest_rel`", column, ml, times["tests"], 100)
    yield ESTIMATORS.longer('`expected(..., estimator="MSQD")`', column, times["MSQD"], ml, 10)
    yield ESTIMATORS.longer('`expected(..., estimator="RES")`, 1,000 resamples', column, times["RES"], ml, 20)
    yield ESTIMATORS.longer("`topics_needed`, 1,000 draws", column, times["needed"], ml, 1500)


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
