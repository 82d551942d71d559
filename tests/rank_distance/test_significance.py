"""Kendall's interval and discriminative power against their definitions and SciPy's t test."""

import itertools

import numpy as np
import pytest
from scipy.stats import ttest_rel

from ircor import cor_by
from ircor.published._papers import SCORES
from ircor.rank_distance import discriminative_power, tau_interval

AP = SCORES["AP"]
P10 = SCORES["P10"].mean(axis=0)


def test_tau_interval_is_kendalls():
    # Section 2 prints (0.389, 0.987).  A test at either bound would just reject 0.9.
    low, high = tau_interval(0.9, 25)
    assert (round(low, 3), round(high, 3)) == (0.389, 0.987)
    for end in (low, high):
        assert abs(0.9 - end) == pytest.approx(1.959964 * np.sqrt(2 / 25 * (1 - end**2)), rel=1e-6)
    narrow = tau_interval(0.9, 25, level=0.5)
    assert low < narrow[0] < 0.9 < narrow[1] < high
    assert tau_interval(1, 10)[1] == pytest.approx(1)
    assert tau_interval(-1, 10)[0] == pytest.approx(-1)
    assert tau_interval(0.9, 1)[0] < 0.9 < tau_interval(0.9, 1)[1]
    for arguments, name in (
        ((1.1, 10), "tau"),
        ((-1.1, 10), "tau"),
        ((float("nan"), 10), "tau"),
        ((0.5, 0), "m"),
        ((0.5, 0.99), "m"),
        ((0.5, 10, 1.0), "level"),
        ((0.5, 10, 0.0), "level"),
    ):
        with pytest.raises(ValueError, match=f"'{name}' must be"):
            tau_interval(*arguments)
    with pytest.raises(TypeError, match="'tau' must be a number"):
        tau_interval("a", 3)


@pytest.mark.parametrize("m", [10, 25, 110])
def test_kendalls_interval_is_conservative(m):
    """It contains the tau of a bivariate normal population, 2 asin(rho) / pi, at least as often as its level says."""
    rng = np.random.default_rng(3)
    for tau in (0, 0.5, 0.9):
        rho = np.sin(np.pi * tau / 2)
        x = rng.standard_normal((1000, m))
        y = rho * x + np.sqrt(1 - rho**2) * rng.standard_normal((1000, m))
        found = cor_by(np.repeat(np.arange(1000), m), x.ravel(), y.ravel(), "tau")
        assert found.mean() == pytest.approx(tau, abs=0.03)
        for level, least in ((0.95, 0.995), (0.5, 0.6)):
            bounds = [tau_interval(value, m, level) for value in found]
            assert np.mean([low <= tau <= high for low, high in bounds]) >= least


def test_discriminative_power_counts_significant_pairs(rng, topics_by_systems):
    # With few topics, the degrees of freedom make a difference.
    for n in [3, 4, 5, 15] * 15:
        X = topics_by_systems(n, 9)
        y = np.round(rng.normal(size=9), 0)
        kept = significant = 0
        for i, j in itertools.combinations(range(9), 2):
            test = ttest_rel(X[:, i], X[:, j])
            if test.pvalue < 0.05:
                significant += 1
                kept += (y[i] > y[j]) if test.statistic > 0 else (y[i] < y[j])
        assert discriminative_power(X, y) == (
            pytest.approx(kept / significant) if significant else pytest.approx(np.nan, nan_ok=True)
        )
    assert np.isnan(discriminative_power(np.array([[0.1, 0.2], [0.2, 0.1], [0.3, 0.3]]), [1, 2]))
    # A constant difference is significant; no difference is not.
    constant = rng.random((10, 1)) + np.array([0, 0.25, 0.25])
    assert discriminative_power(constant, [1, 2, 2]) == 1
    assert discriminative_power(constant, [2, 1, 3]) == 0.5
    with pytest.raises(ValueError, match="'alpha' must be between 0 and 1, not 0"):
        discriminative_power(constant, [1, 2, 2], alpha=0)
    with pytest.raises(TypeError, match="'alpha' must be a number"):
        discriminative_power(AP, P10, alpha=None)


def test_a_difference_by_rounding_is_not_significant():
    assert np.isnan(discriminative_power([[0.3, 0.1 + 0.2]] * 10, [1, 2]))


def test_more_pairs_are_significant_at_a_higher_level(topics_by_systems):
    X = topics_by_systems(15, 9)
    for alpha in (0.01, 0.2, 0.5):
        pairs = [(i, j) for i, j in itertools.combinations(range(9), 2) if ttest_rel(X[:, i], X[:, j]).pvalue < alpha]
        y = np.arange(9)
        kept = np.mean([(X[:, i].mean() < X[:, j].mean()) for i, j in pairs])
        assert discriminative_power(X, y, alpha) == pytest.approx(kept)
