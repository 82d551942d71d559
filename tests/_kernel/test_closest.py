"""The quadratic program of the rank distance, against its optimality conditions and SciPy's solvers."""

from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import inf

import numpy as np
import pytest
import scipy.linalg
from scipy.optimize import minimize, nnls
from scipy.stats import rankdata

from ircor._kernel.closest import Closest, products


def topics_by_systems(rng, n, m, spread=0.2):
    return rng.random((n, 1)) * rng.uniform(0.5, 1, m) + spread * rng.normal(size=(n, m))


def closest_of(X, ridge=0.0, noise=0.0):
    return Closest(X.mean(axis=0), np.cov(X, rowvar=False), ridge, noise)


def differences(X, order, ridge=0.0):
    """mu and S of one order, from the scores."""
    delta = X[:, order[:-1]] - X[:, order[1:]]
    S = np.atleast_2d(np.cov(delta, rowvar=False))
    return delta.mean(axis=0), S + ridge * np.eye(len(S))


def random_order(rng, X, how_far):
    """An order by the means plus noise: with little noise few pairs are active, with much noise about half."""
    noisy = X.mean(axis=0) + how_far * X.std() * rng.normal(size=X.shape[1]) / np.sqrt(len(X))
    return np.argsort(-noisy).astype(np.int32)


PROBLEMS = ["apart", "alike", "the same twice", "constantly apart", "more systems than topics"]


def random_problem(kind, rng):
    """Scores and a ridge.  In the last three kinds S is singular without the ridge."""
    n, m = int(rng.integers(42, 60)), int(rng.integers(2, 40))
    if kind == "more systems than topics":
        n = int(rng.integers(3, m + 3))
    X = topics_by_systems(rng, n, m, 1e-3 if kind == "alike" else 0.2)
    if kind == "the same twice":
        X[:, m - 1] = X[:, 0]
    if kind == "constantly apart":
        X[:, m - 1] = X[:, 0] + 0.25
    return X, 0.0 if kind in ("apart", "alike") else float(rng.choice([1e-5, 1e-7]))


@pytest.mark.parametrize("kind", PROBLEMS)
def test_conditions_of_the_optimum(kind, rng):
    for _ in range(120):
        X, ridge = random_problem(kind, rng)
        order = random_order(rng, X, rng.choice([0.1, 1, 10]))
        squared, theta, multiplier = closest_of(X, ridge).point(order)
        mu, S = differences(X, order, ridge)
        size = np.abs(mu) + np.abs(S) @ multiplier + 1e-300
        assert theta.shape == multiplier.shape == (X.shape[1] - 1,)
        assert (theta >= 0).all()
        assert (multiplier >= 0).all()
        assert (theta * multiplier == 0).all()
        assert (np.abs(theta - mu - S @ multiplier) <= 1e-9 * size.max()).all()
        assert squared == pytest.approx(multiplier @ S @ multiplier, rel=1e-8, abs=1e-300)


def test_scipys_nnls_finds_the_same_multipliers(rng):
    """With S = A'A, the dual is to minimise |A l + A^-T mu|^2 over l >= 0."""
    for _ in range(150):
        X = topics_by_systems(rng, int(rng.integers(50, 80)), int(rng.integers(2, 40)))
        order = random_order(rng, X, rng.choice([0.1, 1, 10]))
        mu, S = differences(X, order)
        A = scipy.linalg.cholesky(S)
        expected, _ = nnls(A, -scipy.linalg.solve_triangular(A, mu, trans="T"))
        squared, _, multiplier = closest_of(X).point(order)
        np.testing.assert_allclose(multiplier, expected, rtol=1e-9, atol=1e-11 * expected.max(initial=1e-300))
        assert np.sqrt(squared) == pytest.approx(np.linalg.norm(A @ expected), rel=1e-12, abs=1e-14)


def test_a_general_solver_finds_nothing_closer(rng):
    for _ in range(20):
        X = topics_by_systems(rng, 30, 6)
        order = rng.permutation(6).astype(np.int32)
        mu, S = differences(X, order)
        inverse = np.linalg.inv(S)
        found = minimize(
            lambda t, mu=mu, inverse=inverse: (t - mu) @ inverse @ (t - mu),
            np.maximum(mu, 0.01),
            jac=lambda t, mu=mu, inverse=inverse: 2 * inverse @ (t - mu),
            bounds=[(0, None)] * 5,
            options={"ftol": 1e-15, "gtol": 1e-10},
        )
        assert closest_of(X).point(order)[0] == pytest.approx(found.fun, rel=1e-5, abs=1e-8)


def test_two_systems():
    """mu = -1 and S = 4 + ridge: the only multiplier is 1 / S."""
    means, covariance = np.array([1.0, 2.0]), np.array([[2.0, 0.0], [0.0, 2.0]])
    order = np.array([0, 1], dtype=np.int32)
    for ridge in (0.0, 1.0):
        squared, theta, multiplier = Closest(means, covariance, ridge).point(order)
        assert squared == pytest.approx(1 / (4 + ridge), rel=1e-15)
        assert multiplier.tolist() == pytest.approx([1 / (4 + ridge)], rel=1e-15)
        assert theta.tolist() == [0]
        squared, theta, multiplier = Closest(means, covariance, ridge).point(order[::-1].copy())
        assert (squared, theta.tolist(), multiplier.tolist()) == (0, [1], [0])


def test_one_object_solves_many_orders(rng):
    X = topics_by_systems(rng, 20, 5)
    one = closest_of(X)
    for order in permutations(range(5)):
        order = np.array(order, dtype=np.int32)
        for ours, fresh in zip(one.point(order), closest_of(X).point(order)):
            np.testing.assert_array_equal(ours, fresh)


def test_the_means_own_order_is_at_no_distance(rng):
    for m in (2, 5, 40):
        X = topics_by_systems(rng, 50, m)
        order = np.argsort(-X.mean(axis=0)).astype(np.int32)
        squared, theta, multiplier = closest_of(X).point(order)
        assert squared == 0
        np.testing.assert_allclose(theta, -np.diff(X.mean(axis=0)[order]))
        assert not multiplier.any()


@pytest.mark.parametrize(("n", "m"), [(20, 12), (10, 60)])
def test_a_resample_is_an_order_like_any_other(n, m, rng):
    X = topics_by_systems(rng, n, m)
    closest = closest_of(X, 1e-5)
    by_means = np.argsort(-X.mean(axis=0)).astype(np.int32)
    draws = rng.integers(0, n, (50, n), dtype=np.int32)
    expected = [closest.point(np.argsort(-X[rows].sum(axis=0)).astype(np.int32))[0] for rows in draws]
    found = closest.resampled(X, draws, by_means, 1e-12)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert found.max() > 0


def test_equal_sums_are_taken_in_the_given_order(rng):
    X = rng.integers(0, 3, (8, 12)) / 2  # sums are exact, and many are equal
    closest = closest_of(X, 1e-5)
    draws = rng.integers(0, 8, (50, 8), dtype=np.int32)
    for _ in range(3):
        order = rng.permutation(12).astype(np.int32)
        sums = X[draws].sum(axis=1)[:, order]
        expected = [closest.point(order[np.argsort(-s, kind="stable")])[0] for s in sums]
        np.testing.assert_array_equal(closest.resampled(X, draws, order, 1e-9), expected)
        assert any((rankdata(s) % 1 != 0).any() for s in sums)


def test_sums_that_are_equal_but_for_rounding_are_ties():
    # The first system is better; on the first two topics it is as good as the second, but not in doubles.
    X = np.array([[0.3, 0.1], [0.0, 0.2], [0.9, 0.1], [0.8, 0.2]])
    assert 0.3 + 0.0 < 0.1 + 0.2
    draws = np.array([[0, 1, 0, 1], [0, 1, 1, 1]], dtype=np.int32)
    tie, swap = closest_of(X).resampled(X, draws, np.array([0, 1], dtype=np.int32), 4 * 0.9 * 2.0**-40)
    assert tie == 0
    assert swap > 0


def test_an_order_that_no_point_has_is_at_an_infinite_distance(rng):
    X = rng.random((20, 1)) + np.array([0.0, 0.25, 0.5])
    up, down = np.array([2, 1, 0], dtype=np.int32), np.array([0, 1, 2], dtype=np.int32)
    closest = closest_of(X)
    squared, theta, multiplier = closest.point(up)
    assert squared == 0
    np.testing.assert_allclose(theta, 0.25)
    squared, theta, multiplier = closest.point(down)
    assert squared == inf
    assert np.isnan(theta).all()
    assert not multiplier.any()
    # The object is as good as new.
    assert closest.point(up)[0] == 0
    draws = np.zeros((1, 20), dtype=np.int32)
    reverse = np.ascontiguousarray(X[:, ::-1])
    assert closest.resampled(reverse, draws, up, 1e-12).tolist() == [inf]
    assert 0 < closest_of(X, ridge=1e-5).point(down)[0] < inf


def solution(A, b):
    """The x with A x = b in exact arithmetic, or None if A is singular."""
    rows = [[*row, value] for row, value in zip(A, b)]
    for c in range(len(rows)):
        pivot = next((r for r in range(c, len(rows)) if rows[r][c] != 0), None)
        if pivot is None:
            return None
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [x / rows[c][c] for x in rows[c]]
        for r in range(len(rows)):
            if r != c:
                rows[r] = [x - rows[r][c] * y for x, y in zip(rows[r], rows[c])]
    return [row[-1] for row in rows]


def exact_point(X, order):
    """The squared distance and theta, in fractions, of the first active set that is optimal."""
    n, pairs = len(X), range(len(order) - 1)
    delta = [[row[i] - row[j] for i, j in pairwise(order)] for row in X]
    mu = [sum(row[k] for row in delta) / n for k in pairs]
    S = [[sum((row[a] - mu[a]) * (row[b] - mu[b]) for row in delta) / (n - 1) for b in pairs] for a in pairs]
    for size in range(len(order)):
        for active in combinations(pairs, size):
            multipliers = solution([[S[a][b] for b in active] for a in active], [-mu[a] for a in active])
            if multipliers is None or min(multipliers, default=0) < 0:
                continue
            theta = [mu[k] + sum(S[k][a] * x for a, x in zip(active, multipliers)) for k in pairs]
            if min(theta) >= 0:
                return float(-sum(mu[a] * x for a, x in zip(active, multipliers))), list(map(float, theta))
    return inf, [np.nan for _ in pairs]


def test_dependent_systems_against_exact_fractions(rng):
    """S is singular: some systems are the same, apart by a constant, or linear combinations of others."""
    infinite = 0
    for _ in range(600):
        columns = list(rng.integers(0, 11, (int(rng.integers(1, 4)), int(rng.integers(7, 12)))))
        while len(columns) < rng.integers(2, 7):
            a, b, c = (columns[k] for k in rng.integers(0, len(columns), 3))
            columns.append([a, a + int(rng.integers(1, 4)), 2 * a - b, a + b - c][rng.integers(4)])
        whole, unit = np.column_stack(columns)[:, rng.permutation(len(columns))], int(rng.choice([1, 3, 8, 10, 100]))
        order = rng.permutation(len(columns)).astype(np.int32)
        exact = exact_point([[Fraction(int(v), unit) for v in row] for row in whole], order.tolist())
        squared, theta, _ = closest_of(whole / unit).point(order)
        assert squared == pytest.approx(exact[0], rel=1e-9, abs=1e-18)
        assert theta.tolist() == pytest.approx(exact[1], rel=1e-9, abs=1e-9, nan_ok=True)
        # What is 0 is exactly 0, also where it follows from the other pairs.
        assert np.flatnonzero(theta == 0).tolist() == [k for k, value in enumerate(exact[1]) if value == 0]
        infinite += squared == inf
    assert 100 < infinite < 500


def test_a_system_that_is_there_twice_is_there_once(rng):
    """Beside its twin it changes nothing; elsewhere the twins and all in between are equal."""
    for _ in range(50):
        X = topics_by_systems(rng, 60, 12)
        order = random_order(rng, X, rng.choice([0.1, 1, 10]))
        twice = np.column_stack([X, X[:, order[3]]])
        beside, apart = np.insert(order, 4, 12).astype(np.int32), np.insert(order, 8, 12).astype(np.int32)
        for scores in (twice, twice * (1 + 2e-16 * rng.integers(-1, 2, twice.shape))):
            closest = closest_of(scores, noise=1e-29)
            squared, theta, _ = closest.point(beside)
            assert squared == pytest.approx(closest_of(X).point(order)[0], rel=1e-9, abs=1e-20)
            assert theta[3] == pytest.approx(0, abs=1e-15)
            squared, theta, _ = closest.point(apart)
            np.testing.assert_allclose(theta[3:8], 0, atol=1e-15)
            # The same with the equalities as they are: a ridge that tends to 0.
            for ridge in (1e-8, 1e-10):
                assert squared == pytest.approx(closest_of(twice, ridge).point(apart)[0], rel=1e5 * ridge)
        # Twins that differ by more than rounding, but by less than the covariance can tell.
        twice[:, 12] += 1e-9 * rng.normal(size=60)
        for order in (beside, apart):
            nearly, theta, _ = closest_of(twice).point(order)
            assert (theta >= 0).all()
        assert nearly == pytest.approx(squared, rel=1e-6)


def test_resamples_of_a_system_that_is_there_twice(rng):
    X = topics_by_systems(rng, 40, 10)
    twice = np.column_stack([X, X[:, [3, 3, 7]]])
    draws = rng.integers(0, 40, (200, 40), dtype=np.int32)
    orders = [np.lexsort([table.sum(axis=0).round(9)])[::-1].astype(np.int32) for table in (X, twice)]
    once = closest_of(X).resampled(X, draws, orders[0], 1e-12)
    np.testing.assert_allclose(closest_of(twice).resampled(twice, draws, orders[1], 1e-12), once, rtol=1e-9, atol=1e-20)
    assert once.max() > 0


def test_more_systems_than_topics_without_a_ridge(rng):
    """The orders of resamples have a point, so their distances are finite; a small ridge comes close to them."""
    for _ in range(100):
        n, m = int(rng.integers(5, 20)), int(rng.integers(20, 40))
        X = topics_by_systems(rng, n, m)
        order = np.argsort(-X[rng.integers(0, n, n)].sum(axis=0)).astype(np.int32)
        squared, theta, multiplier = closest_of(X).point(order)
        mu, S = differences(X, order)
        np.testing.assert_allclose(theta, mu + S @ multiplier, atol=1e-9)
        assert (theta >= 0).all()
        assert (multiplier >= 0).all()
        assert squared == pytest.approx(closest_of(X, 1e-13).point(order)[0], rel=1e-3, abs=1e-9)


def test_products_of_rows(rng):
    for shape in ((1, 1), (3, 1), (5, 7), (20, 50)):
        A = rng.normal(size=shape)
        found = products(A)
        np.testing.assert_allclose(found, A @ A.T, rtol=1e-12, atol=1e-14)
        np.testing.assert_array_equal(found, found.T)
    assert products(np.zeros((2, 0))).tolist() == [[0, 0], [0, 0]]


def test_products_of_the_rows_of_two_matrices(rng):
    for rows, others, n in ((1, 1, 1), (3, 5, 1), (5, 2, 7), (20, 30, 50)):
        A, B = rng.normal(size=(rows, n)), rng.normal(size=(others, n))
        found = products(A, B)
        assert found.shape == (rows, others)
        np.testing.assert_allclose(found, A @ B.T, rtol=1e-12, atol=1e-14)
        np.testing.assert_array_equal(products(A, A), products(A))
    assert products(np.zeros((2, 0)), np.zeros((3, 0))).tolist() == [[0, 0, 0], [0, 0, 0]]
    with pytest.raises(ValueError, match="the rows of 'A' and 'B' must have the same length, not 4 and 3"):
        products(np.zeros((2, 4)), np.zeros((2, 3)))


def test_a_system_in_the_middle_of_two_others_needs_no_ridge(rng):
    """S is singular, but not on the active set: making one pair equal makes the other equal too, up to rounding."""
    for _ in range(50):
        X = topics_by_systems(rng, 20, 2)
        better = np.argsort(-X.mean(axis=0))
        X = np.column_stack([X[:, better], X.mean(axis=1)])
        squared, theta, multiplier = closest_of(X).point(np.array([1, 2, 0], dtype=np.int32))
        difference = X[:, 1] - X[:, 0]
        assert squared == pytest.approx(difference.mean() ** 2 / difference.var(ddof=1), rel=1e-9)
        assert np.count_nonzero(multiplier) == 1
        assert (theta >= 0).all()
        np.testing.assert_allclose(theta, 0, atol=1e-12)


def test_a_variance_below_the_noise_counts_as_zero():
    covariance, down = np.diag([1e-6, 1e-6]), np.array([0, 1], dtype=np.int32)
    means = np.array([1.0, 2.0])
    assert Closest(means, covariance, 0.0, 1.9e-6).point(down)[0] == pytest.approx(1 / 2e-6)
    assert Closest(means, covariance, 0.0, 2.1e-6).point(down)[0] == inf


def test_a_variance_of_rounding_errors_counts_as_zero():
    """Correlated systems: a variance of their difference below 1e-14 of the sum of their own is lost in rounding."""
    means, down = np.array([1.0, 2.0]), np.array([0, 1], dtype=np.int32)
    for gap, infinite in ((0.9e-14, True), (1.2e-14, False)):
        covariance = np.array([[1.0, 1 - gap], [1 - gap, 1.0]])
        assert (Closest(means, covariance, 0.0).point(down)[0] == inf) == infinite


def test_a_mean_of_rounding_errors_counts_as_zero():
    """If the variance of a difference counts as 0, so does a mean of the size that its standard deviation may have."""
    covariance, down = np.ones((2, 2)), np.array([0, 1], dtype=np.int32)
    for tied, low, high in ((0.0, 1.4e-7, 1.5e-7), (1e-5, 1.42e-5, 1.45e-5)):
        for difference, squared in ((low, 0), (high, inf)):
            closest = Closest(np.array([1.0, 1 + difference]), covariance, 0.0, 0.0, tied)
            assert closest.point(down)[0] == squared


def test_what_is_refused(rng):
    X = topics_by_systems(rng, 4, 3)
    closest = closest_of(X)
    order, draws = np.arange(3, dtype=np.int32), np.zeros((1, 4), dtype=np.int32)
    for bad in ([0, 1], [0, 1, 3], [0, 0, 1], [-1, 0, 1]):
        bad = np.array(bad, dtype=np.int32)
        with pytest.raises(ValueError, match="'order' must have each of the 3 systems once"):
            closest.point(bad)
        with pytest.raises(ValueError, match="'order' must have each of the 3 systems once"):
            closest.resampled(X, draws, bad, 1e-12)
    for rows in (draws + 4, draws - 1):
        with pytest.raises(ValueError, match="'draws' must be row numbers of 'X', from 0 to 3"):
            closest.resampled(X, rows, order, 1e-12)
    with pytest.raises(ValueError, match="'X' must have 3 systems, not 2"):
        closest.resampled(X[:, :2].copy(), draws, order, 1e-12)
    assert closest.resampled(X, draws + 3, order, 1e-12).shape == (1,)
    assert closest.resampled(X, draws[:0], order, 1e-12).shape == (0,)
    with pytest.raises(ValueError, match="'means' must have two systems or more, not 1"):
        Closest(np.ones(1), np.ones((1, 1)), 0.0)
    for shape in ((2, 3), (3, 2)):
        with pytest.raises(ValueError, match=f"'covariance' must be 3 by 3, not {shape[0]} by {shape[1]}"):
            Closest(np.ones(3), np.ones(shape), 0.0)
