"""The jackknife interval: against a plain loop, and by how often it contains the coefficient of the population."""

from math import asin, isnan, sin, sqrt

import numpy as np
import pytest
from calls import FUNCTIONS

from ircor._core import work as _parallel
from ircor._core.methods import METHODS
from ircor._kernel import totals_of_groups
from ircor.comparison import _correlate as _jackknife
from ircor.comparison._correlate import ItemInterval, item_intervals, jackknife_interval, values_without_items


def coefficient(name, x, y, decreasing):
    return FUNCTIONS[name](x, y, decreasing) if METHODS[name].takes_decreasing else FUNCTIONS[name](x, y)


def both(rng, size, tau, levels):
    """Values of a bivariate normal population with this tau; y is cut into classes of equal size, if any."""
    rho = np.sin(np.pi * tau / 2)
    x = rng.standard_normal(size)
    y = rho * x + sqrt(1 - rho**2) * rng.standard_normal(size)
    if levels:
        y = np.searchsorted(np.quantile(y, np.arange(1, levels) / levels), y).astype(float)
    return x, y


def coefficients(methods, x, y):
    """The coefficients of the rows of x and y."""
    count, n = x.shape
    sums = frozenset().union(*(method.sums for method in methods))
    d = totals_of_groups(x.ravel(), y.ravel(), np.arange(n, count * n + 1, n), True, 2, n, sums, False)
    return np.array([method.formula(d) for method in methods])


def coverage(tau, n, samples, seed, levels=0):
    """The share of samples of n items whose interval contains the population's coefficient, by coefficient.

    The population's tau is known.  For the others it is estimated: tau_a and tau_b from 40 samples of 50,000 items, AP
    coefficients by the mean over many samples of n items.  A sample without an interval counts as a miss.
    """
    rng = np.random.default_rng(seed)
    methods = [method for method in METHODS.values() if not levels or "y" not in method.untied]
    population = coefficients(methods, *both(rng, (max(10_000, 2_000_000 // n), n), tau, levels)).mean(axis=1)
    large = coefficients(methods, *both(rng, (40, 50_000), tau, levels)).mean(axis=1) if levels else [tau] * 6
    targets = [mean if method.sums else known for method, mean, known in zip(methods, population, large)]
    x, y = both(rng, (samples, n), tau, levels)
    values = coefficients(methods, x, y)
    hits = dict.fromkeys((method.name for method in methods), 0)
    for k in range(samples):
        found = item_intervals(list(zip(methods, values[:, k])), x[k], y[k], True, k)
        for method, target in zip(methods, targets):
            hits[method.name] += found[method.name].low <= target <= found[method.name].high
    return {name: count / samples for name, count in hits.items()}


@pytest.mark.parametrize(
    ("tau", "n", "levels"),
    [
        (0, 20, 0),
        (0.5, 20, 0),
        (0.9, 20, 0),
        (0.3, 50, 0),
        (0.9, 50, 0),
        (0.5, 50, 5),
        pytest.param(0.7, 200, 0, marks=pytest.mark.slow),
    ],
)
def test_95_percent_intervals_contain_the_coefficient_of_the_population_in_95_percent_of_the_samples(tau, n, levels):
    """From 92 to 98 %, and two standard errors of a share of 500 samples beyond."""
    for name, share in coverage(tau, n, 500, 1, levels).items():
        assert 0.92 - 0.013 <= share <= 0.98 + 0.013, (name, share)


def test_random_groups_of_many_items_do_as_well(monkeypatch):
    monkeypatch.setattr(_jackknife, "MOST_JACKKNIFE_GROUPS", 50)
    for name, share in coverage(0.5, 200, 500, 2).items():
        assert 0.92 <= share <= 0.98, (name, share)


@pytest.mark.parametrize("decreasing", [True, False])
def test_each_item_is_left_out_in_turn(name, rng, decreasing):
    ties = {"x": rng.integers(0, 9, 15), "y": rng.integers(0, 9, 15)}
    x, y = (rng.random(15) if argument in METHODS[name].untied else ties[argument] for argument in "xy")
    (values,) = values_without_items([METHODS[name]], x, y, decreasing, 1)
    expected = [coefficient(name, np.delete(x, i), np.delete(y, i), decreasing) for i in range(15)]
    np.testing.assert_allclose(values, expected, atol=1e-14)


def test_all_coefficients_come_from_the_same_counts(rng):
    x, y = rng.random((2, 20))
    together = values_without_items(list(METHODS.values()), x, y, True, 1)
    for method, values in zip(METHODS.values(), together):
        np.testing.assert_array_equal(values, values_without_items([method], x, y, True, 1)[0])


def test_of_many_items_random_groups_are_left_out(rng, monkeypatch):
    x, y = rng.random((2, 23))
    monkeypatch.setattr(_jackknife, "MOST_JACKKNIFE_GROUPS", 5)
    (values,) = values_without_items([METHODS["tauAP_b"]], x, y, True, 7)
    group = np.random.default_rng(7).permutation(23) % 5
    assert sorted(np.bincount(group)) == [4, 4, 5, 5, 5]
    expected = [FUNCTIONS["tauAP_b"](x[group != g], y[group != g]) for g in range(5)]
    np.testing.assert_allclose(values, expected, atol=1e-14)
    assert (values_without_items([METHODS["tauAP_b"]], x, y, True, 8)[0] != values).any()


def test_it_makes_no_difference_how_the_work_is_split(rng, monkeypatch):
    x, y = rng.random((2, 40))
    whole = values_without_items(list(METHODS.values()), x, y, True, 1)
    monkeypatch.setattr(_parallel, "ITEMS_PER_TASK", 300)
    told = []
    split = values_without_items(
        list(METHODS.values()), x, y, True, 1, 2, lambda done, total: told.append((done, total))
    )
    np.testing.assert_array_equal(split, whole)
    assert told[-1] == (6, 6)


def test_large_integers_are_not_rounded():
    x = np.array([2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3])
    assert values_without_items([METHODS["tau"]], x, x[::-1], True, 1)[0].tolist() == [-1, -1, -1, -1]


def test_the_interval_on_the_scale_of_the_arcsine():
    values = np.array([0.2, 0.3, 0.5, 0.4])
    # The jackknife's standard error, as Efron and Tibshirani (1993) define it in their equation (11.5).
    error = sqrt(3 / 4 * (0.15**2 + 0.05**2 + 0.15**2 + 0.05**2))
    half = 1.959963984540054 * error / sqrt(1 - 0.35**2)
    assert jackknife_interval(0.35, values) == pytest.approx((sin(asin(0.35) - half), sin(asin(0.35) + half), ""))
    # It ends at -1 and 1.
    wide = jackknife_interval(0.0, np.array([-1.0, 1.0, -1.0, 1.0]))
    assert wide == (-1, 1, "")


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1, 2], [2, 1], "few items"),
        ([1, 2, 3], [5, 5, 6], "undefined without"),
        ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], "same without"),
        ([1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1], "same without"),
        ([1, 2, 3], [5, 5, 5], ""),
    ],
)
def test_why_there_is_no_interval(x, y, reason):
    for name in ("tau_b", "tauAP_b"):
        (found,) = item_intervals([(METHODS[name], FUNCTIONS[name](x, y))], np.array(x), np.array(y), True, 1).values()
        assert isinstance(found, ItemInterval)
        assert isnan(found.low)
        assert isnan(found.high)
        assert found.reason == reason


def test_a_coefficient_that_ties_make_zero_has_no_interval():
    x, y = np.arange(5), np.ones(5)
    (found,) = item_intervals([(METHODS["tau_a"], 0.0)], x, y, True, 1).values()
    assert found.reason == "same without"
