"""The quadratic program of the rank distance, against its optimality conditions and SciPy's solvers."""

from itertools import permutations

import numpy as np
import pytest
import scipy.linalg
from scipy.optimize import minimize, nnls
from scipy.stats import rankdata

from ircor._kernel.closest import Closest


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
    return X, 0.0 if kind in ("apart", "alike") else 1e-5


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


def test_a_singular_covariance_needs_a_ridge(rng):
    X = rng.random((20, 1)) + np.array([0.0, 0.25, 0.5])
    up, down = np.array([2, 1, 0], dtype=np.int32), np.array([0, 1, 2], dtype=np.int32)
    closest = closest_of(X)
    assert closest.point(up)[0] == 0
    with pytest.raises(ValueError, match="singular: a positive 'ridge' is needed"):
        closest.point(down)
    draws = np.zeros((1, 20), dtype=np.int32)
    reverse = np.ascontiguousarray(X[:, ::-1])
    with pytest.raises(ValueError, match="singular: a positive 'ridge' is needed"):
        closest.resampled(reverse, draws, up, 1e-12)
    assert closest_of(X, ridge=1e-5).point(down)[0] > 0


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
    with pytest.raises(ValueError, match="singular"):
        Closest(means, covariance, 0.0, 2.1e-6).point(down)


def test_a_variance_of_rounding_errors_counts_as_zero():
    """Correlated systems: a variance of their difference below 1e-14 of the sum of their own is lost in rounding."""
    means, down = np.array([1.0, 2.0]), np.array([0, 1], dtype=np.int32)
    for gap, singular in ((0.9e-14, True), (1.2e-14, False)):
        covariance = np.array([[1.0, 1 - gap], [1 - gap, 1.0]])
        if singular:
            with pytest.raises(ValueError, match="singular"):
                Closest(means, covariance, 0.0).point(down)
        else:
            assert Closest(means, covariance, 0.0).point(down)[0] > 0


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
