"""The model of mean scores: roots against NumPy and SciPy, and the moments of what it draws."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
import scipy.linalg

from ircor.data._scores import Scores
from ircor.statistics._model import (
    LEAST_TRUE,
    MOST_OWN,
    MeansModel,
    correlation_shrinkage,
    less_noise,
    root,
    transport,
    triangular_root,
)


def positive(rng, k, count=None):
    A = rng.normal(size=(k, k + 2) if count is None else (count, k, k + 2))
    return A @ np.swapaxes(A, -1, -2)


def centred(X):
    X = X - X.mean(axis=1, keepdims=True)
    return X - X.mean(axis=0)


@pytest.fixture
def three(rng):
    """Three measures of the same systems on the same topics, each score with noise that the measures share in part."""
    true = rng.normal(size=8)
    noise = rng.normal(size=(25, 8)) + rng.normal(size=(25, 1)) * rng.normal(size=8)
    return [Scores.of(3 * true + rng.normal(size=8) + noise + a * rng.normal(size=(25, 8))) for a in (0.5, 1, 2)]


# Roots


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_roots(k, rng):
    many = positive(rng, k, 5)
    for matrix, one, triangular in zip(many, root(many), triangular_root(many)):
        np.testing.assert_allclose(one, scipy.linalg.sqrtm(matrix), rtol=1e-9, atol=1e-10)
        np.testing.assert_allclose(root(matrix), one, atol=1e-12)
        np.testing.assert_allclose(triangular, np.linalg.cholesky(matrix), rtol=1e-9, atol=1e-10)


def test_roots_of_singular_matrices(rng):
    for rank in (0, 1, 2):
        A = rng.normal(size=(3, rank))
        matrix = A @ A.T
        np.testing.assert_allclose(root(matrix) @ root(matrix), matrix, atol=1e-12)
        (triangular,) = triangular_root(matrix[None])
        np.testing.assert_allclose(triangular @ triangular.T, matrix, atol=1e-7)
        assert not np.triu(triangular, 1).any()
    # A measure without noise: its column is 0.
    assert triangular_root(np.array([[[0.0, 0.0], [0.0, 4.0]]])).tolist() == [[[0, 0], [0, 2]]]


def test_transport(rng):
    given, wanted = positive(rng, 2), positive(rng, 2, 20)
    found = transport(given, wanted)
    for A, matrix in zip(found, wanted):
        np.testing.assert_allclose(A, A.T, atol=1e-9)
        assert (np.linalg.eigvalsh(A) > 0).all()
        np.testing.assert_allclose(A @ given @ A, matrix, rtol=1e-8, atol=1e-9)
        # The known form for two Gaussians: G^-1/2 (G^1/2 W G^1/2)^1/2 G^-1/2.
        half = scipy.linalg.sqrtm(given)
        expected = np.linalg.inv(half) @ scipy.linalg.sqrtm(half @ matrix @ half) @ np.linalg.inv(half)
        np.testing.assert_allclose(A, expected, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(transport(given, given), np.eye(2), atol=1e-9)


def test_noise_is_taken_off_but_not_all_of_it(rng):
    observed, noise = positive(rng, 3) + 20 * np.eye(3), positive(rng, 3)
    np.testing.assert_allclose(less_noise(observed, noise), observed - noise, atol=1e-9)
    np.testing.assert_allclose(less_noise(observed, observed), LEAST_TRUE * observed, atol=1e-9)
    np.testing.assert_allclose(less_noise(observed, 5 * observed), LEAST_TRUE * observed, atol=1e-9)
    # The noise exceeds one of two variances.
    found = less_noise(np.diag([4.0, 1.0]), np.diag([1.0, 3.0]))
    np.testing.assert_allclose(found, np.diag([3, LEAST_TRUE]), atol=1e-12)
    # No combination of measures is left with less than its share.
    true = less_noise(observed, 10 * noise)
    assert scipy.linalg.eigh(true, observed)[0].min() >= LEAST_TRUE - 1e-9


# The fit


def test_the_true_covariance_is_the_observed_one_less_the_noise(three):
    model = MeansModel.fitted(three)
    tables = [table.values / np.abs(table.values).max() for table in three]
    observed = np.cov([table.mean(axis=0) for table in tables])
    per_system = np.array([np.cov([centred(table)[:, i] for table in tables]) / 25 for i in range(8)])
    # The means of m systems, less their mean, have m / (m - 1) times the variance; so do those of the noise.
    np.testing.assert_allclose(model.true, observed - per_system.sum(axis=0) / 7, rtol=1e-6)
    np.testing.assert_allclose(model.to_true, model.true @ np.linalg.inv(observed), rtol=1e-5, atol=1e-6)
    expected = model.true - model.true @ np.linalg.inv(observed) @ model.true
    np.testing.assert_allclose(model.scatter @ model.scatter, expected, atol=1e-7 * np.trace(observed))
    np.testing.assert_allclose(model.own @ np.swapaxes(model.own, 1, 2), per_system[model.first], rtol=1e-9, atol=1e-12)
    assert model.shrinkage == pytest.approx(correlation_shrinkage(*(centred(table) for table in tables)))
    apart = MeansModel.fitted(three, same_topics=False)
    for i in range(8):
        per_system[i] = np.diag(np.diag(per_system[i]))
    np.testing.assert_allclose(apart.true, observed - per_system.sum(axis=0) / 7, rtol=1e-6)


def test_the_moments_are_right_in_the_mean(rng):
    """Over many samples of topics, the fitted covariance is that of the means that the samples came from."""
    n, m = 10, 30
    true = rng.normal(size=(2, m)) + rng.normal(size=m)
    fitted = []
    for _ in range(300):
        common = rng.normal(size=(n, m))
        fitted.append(MeansModel.fitted([Scores.of(mean + 2 * common + rng.normal(size=(n, m))) for mean in true]))
    # In units of the first table, as every model has units of its own.
    ratios = [model.true[0, 1] / np.sqrt(model.true[0, 0] * model.true[1, 1]) for model in fitted]
    assert np.mean(ratios) == pytest.approx(np.corrcoef(true)[0, 1], abs=0.01)
    observed = [np.corrcoef(model.means)[0, 1] for model in fitted]
    assert np.mean(observed) > np.corrcoef(true)[0, 1] + 0.02


def test_too_much_of_its_own_is_limited(rng):
    drawn = (rng.normal(size=(20, 60)) for _ in range(200))
    independent = next(table for table in drawn if correlation_shrinkage(centred(table)) > MOST_OWN)
    assert MeansModel.fitted([Scores.of(independent)] * 2).shrinkage == MOST_OWN


def test_units_do_not_matter(three):
    model = MeansModel.fitted(three)
    for scale in (2.0**-300, 2.0**-20, 2.0**20, 2.0**300):
        other = MeansModel.fitted([three[0], Scores.of(scale * three[1].values), three[2]])
        for name in ("means", "true", "to_true", "scatter", "own", "shrinkage"):
            np.testing.assert_array_equal(getattr(other, name), getattr(model, name))


# Draws


def pooled(draws):
    """Measures by all draws."""
    return draws.reshape(len(draws), -1)


@pytest.mark.parametrize("same_topics", [True, False])
def test_the_covariance_of_the_noise(same_topics, three):
    model = MeansModel.fitted(three, same_topics)
    assert 0.05 < model.shrinkage < MOST_OWN
    draws, shared, topics, own = model.noise(np.random.default_rng(1), 60_000)
    assert draws.shape == (3, 60_000, 8)
    back = np.argsort(model.first)
    residuals = np.concatenate([table.values / table.size for table in three], axis=1)
    residuals = np.concatenate([centred(part) for part in np.split(residuals, 3, axis=1)], axis=1)
    S = np.cov(residuals, rowvar=False) / 25
    measure, system = np.divmod(np.arange(24), 8)
    expected = np.where(system[:, None] == system, S, (1 - model.shrinkage) * S)
    if not same_topics:
        expected = np.where(measure[:, None] == measure, expected, 0)
    found = np.cov(np.concatenate(draws[:, :, back], axis=1), rowvar=False)
    sizes = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    np.testing.assert_allclose(found / sizes, expected / sizes, atol=0.03)
    # Without shrinkage, it is that of mean scores.
    expected = S if same_topics else np.where(measure[:, None] == measure, S, 0)
    found = np.cov(np.concatenate(shared[:, :, back], axis=1), rowvar=False)
    np.testing.assert_allclose(found / sizes, expected / sizes, atol=0.03)
    np.testing.assert_allclose(draws.mean(axis=1) / np.sqrt(np.diag(S).max()), 0, atol=0.02)
    # What the noise was made of: standard normal, and topics drawn n times.
    assert own.shape == (60_000, 24)
    np.testing.assert_allclose(np.cov(own, rowvar=False), np.eye(24), atol=0.03)
    assert topics.shape == (60_000, 25 if same_topics else 75)
    assert (topics.reshape(60_000, -1, 25).sum(axis=2) == 25).all()
    np.testing.assert_allclose(topics.var(axis=0), 1 - 1 / 25, atol=0.05)
    assert model.cost == 24 + 75


def test_the_noise_is_the_sum_of_its_parts(three):
    """The means of resampled residuals, and normal noise whose covariance between measures is that of each system."""
    model = MeansModel.fitted(three)
    draws, resampled, topics, own = model.noise(np.random.default_rng(1), 20)
    own = np.moveaxis(own.reshape(20, 3, 8), 1, 0)
    for j, s, i in np.ndindex(draws.shape):
        system = model.first[i]
        residual = centred(three[j].values / three[j].size)[:, system] * sqrt(25 / 24)
        shared = np.repeat(residual, topics[s].astype(int)).mean()
        alone = np.linalg.cholesky(model.own[i] @ model.own[i].T)[j] @ own[:, s, i]
        expected = sqrt(1 - model.shrinkage) * shared + sqrt(model.shrinkage) * alone
        assert draws[j, s, i] == pytest.approx(expected, abs=1e-12)
        assert resampled[j, s, i] == pytest.approx(shared, abs=1e-12)


def test_the_covariance_of_the_truths(three):
    model = MeansModel.fitted(three)
    draws = model.truths(np.random.default_rng(1), 40_000)
    assert draws.shape == (3, 40_000, 8)
    # The divisor is that of m systems whose mean was taken off.
    expected = model.to_true @ model.means[:, model.first]
    np.testing.assert_allclose(draws.mean(axis=1), expected, atol=0.01 * np.sqrt(model.true.max()))
    around = pooled(draws - expected[:, None, :])
    total = expected @ expected.T / 7 + np.cov(around)
    np.testing.assert_allclose(total, model.true, rtol=0.02)


def test_true_means_plus_noise_have_the_covariance_of_the_observed_means(three):
    model = MeansModel.fitted(three)
    rng = np.random.default_rng(1)
    draws = model.truths(rng, 40_000) + model.noise(rng, 40_000).values
    draws = draws - draws.mean(axis=2, keepdims=True)
    found = np.mean([np.cov(draws[:, s]) for s in range(40_000)], axis=0)
    scatter = model.scatter @ model.scatter
    expected = model.to_true @ model.means
    noise = model.own @ np.swapaxes(model.own, 1, 2)
    # Residuals without the effects of topics are correlated by -1 / (m - 1) in the mean, which shrinkage takes away.
    assert np.diag(found) == pytest.approx(np.diag(np.cov(expected) + scatter + noise.sum(axis=0) / 7), rel=0.06)


def test_correlated_truths(three):
    model = MeansModel.fitted(three)
    truths = model.truths(np.random.default_rng(1), 60_000)
    for other, wanted in ((1, -0.9), (2, 0.0), (1, 0.999), (2, 0.5)):
        changed = model.correlated(truths, other, np.full(60_000, wanted))
        centre, moved = (pooled(means[[0, other]]) for means in (truths, changed))
        # Around 0, as the covariance T is: the mean over systems has been taken off.
        products = moved @ moved.T / (60_000 * 7)
        assert products[0, 1] / np.sqrt(products[0, 0] * products[1, 1]) == pytest.approx(wanted, abs=0.08)
        np.testing.assert_array_equal(changed[3 - other], truths[3 - other])
        assert centre.shape == moved.shape
    both = np.ix_([0, 1], [0, 1])
    r = model.true[0, 1] / np.sqrt(model.true[0, 0] * model.true[1, 1])
    np.testing.assert_allclose(model.correlated(truths, 1, np.full(60_000, r)), truths, atol=1e-9)
    # Exactly, for draws whose covariance is exactly T.
    white = np.linalg.qr(np.random.default_rng(2).normal(size=(8, 2)))[0].T * sqrt(7)
    exact = np.zeros((3, 4, 8))
    exact[:2] = (np.linalg.cholesky(model.true[both]) @ white)[:, None, :]
    changed = model.correlated(exact, 1, np.array([-0.5, 0.0, 0.25, 0.9]))
    for s, wanted in enumerate((-0.5, 0.0, 0.25, 0.9)):
        found = changed[:2, s] @ changed[:2, s].T / 7
        deviation = np.sqrt(np.diag(model.true)[:2])
        np.testing.assert_allclose(np.diag(found), deviation**2, rtol=1e-9)
        assert found[0, 1] == pytest.approx(wanted * deviation.prod(), abs=1e-9)


def test_systems_with_the_same_scores_are_drawn_once(three):
    columns = [0, 1, 2, 1, 3, 4, 5, 6, 7, 0, 1]
    tables = [Scores.of(table.values[:, columns]) for table in three]
    model = MeansModel.fitted(tables)
    assert model.means.shape == (3, 11)
    assert len(model.first) == 8
    for table in tables:
        np.testing.assert_array_equal(table.values[:, model.first][:, model.twin], table.values)
    assert model.truths(np.random.default_rng(1), 5).shape == (3, 5, 8)
    assert model.noise(np.random.default_rng(1), 5).values.shape == (3, 5, 8)
    # Systems that are the same in one of the tables are not the same.
    assert (
        len(MeansModel.fitted([tables[0], Scores.of(three[1].values[:, [0, 1, 2, 3, 3, 4, 5, 6, 7, 1, 2]])]).first) > 8
    )


def test_more_noise_of_its_own_leaves_the_variances(three):
    model = MeansModel.fitted(three)
    for share in (0.0, 0.5, 0.9):
        draws = replace(model, shrinkage=share).noise(np.random.default_rng(1), 40_000).values
        np.testing.assert_allclose(draws.var(axis=1), (model.own**2).sum(axis=2).T, rtol=0.04)
