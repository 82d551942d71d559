"""Covariances between systems: against plain double loops, and data whose correlations are known."""

from math import sqrt

import numpy as np
import pytest

from ircor.statistics._model import correlation_shrinkage, deviations_of, same_systems


def test_deviations_have_no_effects_of_topics_or_systems(rng):
    X = rng.random((7, 4))
    found = deviations_of(X)
    for t, i in np.ndindex(X.shape):
        assert found[t, i] == pytest.approx(X[t, i] - X[t].mean() - X[:, i].mean() + X.mean(), abs=1e-15)
    shifted = deviations_of(X + rng.random((7, 1)) + rng.random(4))
    np.testing.assert_allclose(shifted, found, atol=1e-14)


def plain(*tables):
    """The sums of Schaefer and Strimmer, one pair of systems after the other.

    They scale to a variance of 1 with divisor n - 1.  Then r = n / (n - 1) mean(w), and n / (n - 1)^3 sum (w - mean)^2
    is its variance.
    """
    variances = squares = 0.0
    for table in tables:
        n, m = table.shape
        z = table / np.std(table, axis=0, ddof=1)
        for i in range(m):
            for j in range(m):
                if i != j:
                    w = [z[t, i] * z[t, j] for t in range(n)]
                    mean = sum(w) / n
                    variances += n / (n - 1) ** 3 * sum((one - mean) ** 2 for one in w)
                    squares += (n / (n - 1) * mean) ** 2
    return 1 - sqrt(1 - min(1, variances / squares))


@pytest.mark.parametrize("shape", [(3, 3), (5, 20), (30, 4)])
def test_the_share_is_that_of_a_loop_over_pairs(shape, rng):
    tables = [deviations_of(rng.random((shape[0], 1)) * rng.random(shape[1]) + rng.random(shape)) for _ in range(3)]
    shares = [correlation_shrinkage(table) for table in tables]
    assert shares == pytest.approx([plain(table) for table in tables])
    both = correlation_shrinkage(*tables)
    assert both == pytest.approx(plain(*tables))
    assert min(shares) <= both <= max(shares)
    assert correlation_shrinkage(*(1000 * table for table in tables)) == pytest.approx(both)


def test_independent_systems_are_shrunk_all_the_way_and_dependent_ones_not_at_all(rng):
    independent = [correlation_shrinkage(rng.normal(size=(40, 60))) for _ in range(20)]
    assert np.mean(independent) > 0.8
    # The sum of the squares of the remaining correlations is that of the true ones: about 0.
    left = [
        (1 - share) ** 2 * np.mean(np.corrcoef(rng.normal(size=(60, 40)))[np.triu_indices(60, 1)] ** 2)
        for share in independent
    ]
    assert np.mean(left) < 0.1 / 40
    one = rng.normal(size=(400, 1))
    assert correlation_shrinkage(one * rng.choice([-1, 1], 10) * rng.random(10)) < 0.01
    # All z are 1 or -1.
    assert correlation_shrinkage(np.outer([1, -1], rng.normal(size=7))) == pytest.approx(0, abs=1e-12)


def test_the_squares_that_remain_are_right_in_the_mean(rng):
    """A share of 0.3 of the variance is common to all systems: correlations of 0.3, whose squares are 0.09."""
    n, m, found, seen = 30, 12, [], []
    off = ~np.eye(m, dtype=bool)
    for _ in range(400):
        X = sqrt(0.3) * rng.normal(size=(n, 1)) + sqrt(0.7) * rng.normal(size=(n, m))
        X -= X.mean(axis=0)
        seen.append(np.mean(np.corrcoef(X, rowvar=False)[off] ** 2))
        found.append((1 - correlation_shrinkage(X)) ** 2 * seen[-1])
    assert np.mean(seen) > 0.11
    assert np.mean(found) == pytest.approx(0.09, abs=0.015)


def test_systems_that_do_not_vary_do_not_count(rng):
    X = deviations_of(rng.random((10, 5)))
    constant = np.column_stack([X[:, :2], np.zeros(10), X[:, 2:]])
    assert correlation_shrinkage(constant) == pytest.approx(correlation_shrinkage(X))
    assert correlation_shrinkage(np.zeros((4, 3))) == 0


def test_the_share_is_never_negative(rng):
    """The correlations of two topics are all 1 or -1, and their variances are rounding errors of any sign."""
    for _ in range(500):
        assert 0 <= correlation_shrinkage(deviations_of(rng.random((2, int(rng.integers(2, 9)))))) <= 1e-7


def test_systems_with_the_same_scores():
    first = np.array([[1.0, 2, 1, 0, 1, 2], [3, 4, 3, 0, 3, 4]])
    places, twin = same_systems(first)
    np.testing.assert_array_equal(first[:, places][:, twin], first)
    assert sorted(places) == [0, 1, 3]
    # Tables with other numbers of topics; the last system differs from the second there.
    places, twin = same_systems(first, np.array([[5.0, 5, 5, 5, 5, 6]]))
    assert sorted(places) == [0, 1, 3, 5]
    assert [places[k] for k in twin] == [0, 1, 0, 3, 0, 5]
