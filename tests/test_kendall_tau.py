"""The variants of the textbooks, against their definitions and SciPy."""

from itertools import combinations
from math import isnan, nan

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import ircor
from ircor import kendall_tau


def by_definition(x, y):
    """The numbers of pairs in the same order and in opposite orders."""
    signs = [np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i, j in combinations(range(len(x)), 2)]
    return signs.count(1), signs.count(-1)


def test_all_variants_by_their_definitions(rng):
    for _ in range(300):
        n = int(rng.integers(2, 20))
        x, y = rng.integers(0, rng.integers(1, 9), (2, n))
        P, Q = by_definition(x, y)
        m = min(len(set(x)), len(set(y)))
        assert kendall_tau(x, y, "a") == pytest.approx((P - Q) / (n * (n - 1) / 2))
        assert kendall_tau(x, y, "gamma") == pytest.approx((P - Q) / (P + Q) if P + Q else nan, nan_ok=True)
        assert kendall_tau(x, y, "c") == pytest.approx(
            2 * m * (P - Q) / (n * n * (m - 1)) if m > 1 else nan, nan_ok=True
        )
        np.testing.assert_equal(kendall_tau(x, y), ircor.tau_b(x, y))


def test_scipy(rng):
    for n in (5, 100, 5000):
        x, y = rng.integers(0, 30, (2, n))
        for variant in ("b", "c"):
            assert kendall_tau(x, y, variant) == pytest.approx(
                stats.kendalltau(x, y, variant=variant).statistic, abs=1e-12
            )


def test_without_ties_all_but_c_are_tau(rng):
    x, y = rng.random((2, 30))
    assert {kendall_tau(x, y, variant) for variant in ("a", "b", "gamma")} == {ircor.tau(x, y)}
    assert kendall_tau(x, y, "c") == pytest.approx(ircor.tau(x, y))


def test_constants_missing_values_and_refusals():
    assert kendall_tau([1, 1, 1], [1, 2, 3], "a") == 0
    assert all(isnan(kendall_tau([1, 1, 1], [1, 2, 3], variant)) for variant in ("b", "c", "gamma"))
    with pytest.raises(ValueError, match="'y' has a missing value, which kendall_tau cannot rank"):
        kendall_tau([1, 2], [1, nan])
    with pytest.raises(ValueError, match="'variant' must be one of a, b, c, gamma, not 'd'"):
        kendall_tau([1, 2], [1, 2], "d")
    with pytest.raises(ValueError, match="must be of the same length"):
        kendall_tau([1, 2], [1, 2, 3])
    with pytest.warns(ircor.PairingWarning):
        kendall_tau(pd.Series([1, 2], ["a", "b"]), pd.Series([1, 2], ["b", "a"]))
