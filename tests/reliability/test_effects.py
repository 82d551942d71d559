"""What is known of the true means: the closed form against integrals, and the draws against their model."""

from functools import cache
from itertools import product
from math import inf

import numpy as np
import pytest
from definitions import expected_tau
from scipy import stats
from scipy.integrate import quad

from ircor.reliability._components import MeanSquares
from ircor.reliability._curve import Effects
from ircor.reliability._expected import RankedSystems


def effects_of(X):
    return Effects.of(RankedSystems.of(X))


def pairs_of(effects):
    return list(zip(effects.ranked.ahead.tolist(), effects.ranked.behind.tolist()))


def columns_of(effects):
    """The columns of the two systems of each pair, the better one first."""
    order = effects.ranked.order.tolist()
    return [(order[a], order[c]) for a, c in pairs_of(effects)]


def with_freedom(effects, freedom):
    """The same, with other degrees of freedom of the variance of the noise."""
    effects.__dict__["noise_freedom"] = freedom
    return effects


class Fixed:
    """Random numbers that are not: the two mean squares are as observed times these factors."""

    def __init__(self, of_systems=1.0, of_noise=1.0, rng=None):
        self.factors, self.rng = [of_systems, of_noise], rng

    def chisquare(self, freedom, size):
        return np.full(size, freedom * self.factors.pop(0))

    def standard_normal(self, size):
        return self.rng.standard_normal(size) if self.rng else np.zeros(size)


# The closed form


@cache
def shrunk(n):
    """The mean of the standard deviation of n normal numbers whose own deviation is 1."""
    return stats.chi(n - 1).mean() / np.sqrt(n - 1)


def standardized(X, i, j):
    """The observed difference of the means over the deviation of one difference, without its bias."""
    D, n = X[:, i] - X[:, j], len(X)
    return D.mean() / (D.std(ddof=1) / shrunk(n))


def drawn_together(X):
    """The factor of James and Stein for the observed means, by the mean squares of `MeanSquares`."""
    squares, m = MeanSquares.of(X), X.shape[1]
    return 1 - max(m - 3, 1) / (m - 1) * squares.interaction / squares.systems


@pytest.mark.parametrize(("n", "k"), [(3, 1), (3, 1000), (12, 17.5), (60, 25)])
def test_chances_are_the_mean_over_the_true_difference(scores, n, k):
    """The integral of Phi(-sqrt(k) |u|) over the normal distribution of u with the mean b z and the variance b / n."""
    X = scores(n, 4, apart=1.2)
    found, b = effects_of(X), drawn_together(X)
    assert 0.2 < b < 1
    for (i, j), chance in zip(columns_of(found), found.chances(k)):
        u = stats.norm(b * standardized(X, i, j), np.sqrt(b / n))
        low, high = u.mean() - 9 * u.std(), u.mean() + 9 * u.std()
        # The integrand has a bend at 0.
        known = sum(
            quad(lambda x, u=u: stats.norm.cdf(-np.sqrt(k) * abs(x)) * u.pdf(x), *part, epsabs=1e-13, limit=500)[0]
            for part in ([(low, 0), (0, high)] if low < 0 < high else [(low, high)])
        )
        assert chance == pytest.approx(known, rel=1e-6, abs=1e-11)


def test_chances_are_those_of_two_normal_numbers_of_opposite_signs(scores):
    """The true difference, and that in a sample of k topics around it."""
    X, k = scores(12, 4, apart=0.4), 30
    found, b = effects_of(X), drawn_together(X)
    for (i, j), chance in zip(columns_of(found), found.chances(k)):
        mean = b * standardized(X, i, j)
        covariance = np.array([[b / 12, b / 12], [b / 12, b / 12 + 1 / k]])
        both = stats.multivariate_normal([mean, mean], covariance).cdf([0, 0])
        below = stats.norm.cdf(0, mean, np.sqrt(np.diag(covariance)))
        assert chance == pytest.approx(below.sum() - 2 * both, abs=1e-4)


def test_without_reliability_every_order_is_as_likely():
    # A latin square, and each system once more, the last with a constant.
    X = np.array([[1, 2, 3], [3, 1, 2], [2, 3, 1]])[:, [0, 1, 2, 2, 1]] + np.array([0, 0, 0, 0, 0.25])
    found = effects_of(X)
    assert found.b == 0
    chances = dict(zip(columns_of(found), found.chances(7)))
    assert np.isnan(chances.pop((2, 3)))
    assert chances.pop((4, 1)) == 0
    assert set(chances.values()) == {0.5}


@pytest.mark.parametrize("factor", [1, 0.3, 0.1, 1 / 3, 1 / 7])
def test_equal_systems_have_no_chance_and_a_constant_difference_is_sure(rng, factor):
    X = rng.integers(0, 8, (8, 4))[:, [0, 1, 2, 3, 3, 0]] + np.array([0, 0, 0, 0, 0, 0.25])
    found = effects_of(X * factor)
    chances = dict(zip(columns_of(found), found.chances(50)))
    assert np.isnan(chances.pop((3, 4)))
    assert chances.pop((5, 0)) == 0
    assert min(chances.values()) > 0
    assert found.observed[columns_of(found).index((5, 0))] == inf


def test_more_topics_bring_the_order_closer_to_the_true_one(scores):
    found = effects_of(scores(9, 6))
    counts = [1, 1.5, 2, 10, 100, 10_000, 1e9]
    values = [found.tau(count) for count in counts]
    assert values == sorted(values)
    assert -1 < values[0] < 0.9
    assert values[-1] == pytest.approx(1, abs=1e-3)
    assert (np.diff([found.chances(count) for count in counts], axis=0) < 0).all()


def test_the_expected_tau_follows_from_the_chances(scores):
    found = effects_of(scores(9, 6))
    P = np.full((6, 6), np.nan)
    P[found.ranked.ahead, found.ranked.behind] = found.chances(40)
    assert found.tau(40) == pytest.approx(expected_tau(P), abs=1e-12)


@pytest.mark.parametrize(("m", "freedom"), [(2, 1), (3, 1), (4, 1), (5, 2), (30, 27)])
def test_the_observed_means_are_drawn_together_as_james_and_stein_do_it(scores, m, freedom):
    found = effects_of(scores(25, m))
    assert found.b == pytest.approx(1 - freedom / (m - 1) / found.squares.f)
    assert 0 < found.b < 1


def test_the_mean_of_the_factor_is_the_share_of_the_true_variance(rng):
    """For 20 systems with normal true means and much noise: 1 - freedom / (m - 1) / F has no bias, E rho^2 has."""
    means, noise = rng.normal(size=(20_000, 20)), rng.normal(size=(20_000, 20))
    f = (means + noise).var(axis=1, ddof=1)  # the variance of the noise is known, and 1
    assert (1 - 17 / 19 / f).mean() == pytest.approx(1 / 2, abs=0.005)
    assert (1 - 1 / f).mean() < 0.46


def test_deviations_are_those_of_ml(awkward):
    for X in awkward:
        found, scale = effects_of(X), RankedSystems.of(X).rows.max() / X.max()
        for (i, j), deviation in zip(columns_of(found), found.deviations):
            D = (X[:, i] - X[:, j]) * scale
            known = D.std(ddof=1) / shrunk(len(D))
            assert deviation == pytest.approx(known if D.any() else np.nan, nan_ok=True, abs=1e-13)
            assert (deviation == 0) == (not np.ptp(D) and D.any())


# The draws


def test_draws_are_around_the_observed_means_drawn_together(scores):
    X = scores(10, 5)
    found, b = effects_of(X), drawn_together(X)
    observed = found.ranked.rows.mean(axis=1)
    np.testing.assert_allclose(found.drawn(Fixed(), 3), [b * (observed - observed.mean())] * 3, atol=1e-12)
    for of_systems, of_noise in ((0.5, 1), (1, 2), (1.7, 0.6)):
        # The reliability that a mean square of the systems, and one of the interaction, give that are as far off.
        other = max(0, 1 - (of_systems / of_noise) * (1 - b))
        known = other * (observed - observed.mean()) * np.sqrt(of_noise)
        np.testing.assert_allclose(found.drawn(Fixed(of_systems, of_noise), 2), [known] * 2, atol=1e-12)
    assert not found.drawn(Fixed(1e9, 1), 4).any()


def test_draws_have_the_covariances_of_the_noise(scores, rng):
    X = scores(7, 4, apart=0.6)
    found, b, size = effects_of(X), drawn_together(X), 40_000
    drawn = found.drawn(Fixed(1, 1, rng), size)
    assert 0.3 < b < 0.95
    # Without the means of topics, which are the same for all systems; those of n topics have an nth of the variance.
    noise = np.cov(found.ranked.rows - found.ranked.rows.mean(axis=0), ddof=1) / 7
    np.testing.assert_allclose(np.cov(drawn.T), b * noise, atol=6 * b * noise.max() / np.sqrt(size))
    assert not np.allclose(np.cov(drawn.T), b**2 * noise, atol=6 * b * noise.max() / np.sqrt(size))


def test_the_two_mean_squares_vary_with_their_degrees_of_freedom(scores):
    """With one noise, the draws are b / sqrt(variance) times the same: what that varies by is known."""
    X = scores(30, 6, apart=10)
    found = with_freedom(effects_of(X), 8.0)
    b, observed = found.b, found.ranked.rows.mean(axis=1)
    assert b > 0.999
    rng = np.random.default_rng(1)
    factors = (found.drawn(rng, 40_000) @ (observed - observed.mean())) / ((observed - observed.mean()) ** 2).sum()
    # 1 / variance is chi squared over its degrees of freedom.
    assert (factors**2).mean() == pytest.approx(1, rel=0.02)
    assert (factors**2).var() == pytest.approx(2 / 8, rel=0.05)


def test_the_mean_square_of_the_systems_varies_too(scores):
    X = scores(8, 5, apart=0.8)
    found = with_freedom(effects_of(X), 1e12)
    observed = found.ranked.rows.mean(axis=1)
    line = observed - observed.mean()
    b = found.b
    assert 0.3 < b < 0.97
    drawn = found.drawn(np.random.default_rng(2), 40_000) @ line / (line**2).sum()
    chi = stats.chi2.rvs(2, size=200_000, random_state=3) / 2
    assert drawn.mean() == pytest.approx(np.maximum(0, 1 - chi * (1 - b)).mean(), abs=0.01)
    assert (drawn == 0).mean() == pytest.approx((chi * (1 - b) > 1).mean(), abs=0.01)


def test_simulated_values_are_those_of_each_draw(awkward, coefficient, method):
    counts = (5, 80.5)
    for X in awkward[2:]:
        found, task = effects_of(X), (np.random.SeedSequence(3), 7)
        values, means = found.simulated(counts, method, task), found.drawn(np.random.default_rng(task[0]), 7)
        assert values.shape == (2, 7)
        for s, k in product(range(7), range(2)):
            P = np.full((X.shape[1],) * 2, np.nan)
            for (a, c), deviation in zip(pairs_of(found), found.deviations):
                if not np.isnan(deviation):
                    u = abs(means[s, a] - means[s, c]) / deviation if deviation else inf
                    P[a, c] = P[c, a] = stats.norm.cdf(-np.sqrt(counts[k]) * u)
            assert values[k, s] == pytest.approx(coefficient(P, np.argsort(-means[s])), abs=1e-9)


def test_some_draws_at_a_time_are_as_good_as_all_at_once(monkeypatch, scores, method):
    found, task = effects_of(scores(9, 6)), (np.random.SeedSequence(3), 40)
    known = found.simulated([10, 100], method, task)
    monkeypatch.setattr("ircor._core.work.ITEMS_PER_TASK", 60)
    np.testing.assert_allclose(found.simulated([10, 100], method, task), known, rtol=1e-12)


def test_the_mean_over_draws_is_the_expected_tau(scores):
    """With many systems, and a variance of the noise that is known, only the noise is left to draw."""
    found = with_freedom(effects_of(scores(20, 120, apart=0.6)), 1e12)
    drawn = found.simulated([10, 50, 500], "tau", (np.random.SeedSequence(1), 200))
    for values, k in zip(drawn, (10, 50, 500)):
        assert values.mean() == pytest.approx(found.tau(k), abs=0.01)


def test_draws_do_not_depend_on_the_order_of_topics_or_systems(scores, rng, method):
    X = scores(12, 6)
    quantiles = [
        np.quantile(effects_of(one).simulated([30], method, (np.random.SeedSequence(1), 4000)), [0.05, 0.5, 0.95])
        for one in (X, X[rng.permutation(12)], X[:, rng.permutation(6)])
    ]
    np.testing.assert_allclose(quantiles[1:], [quantiles[0]] * 2, atol=0.03)


# The degrees of freedom of the noise


def test_the_freedom_of_the_noise_is_that_of_its_jackknife(scores):
    X = scores(11, 5)
    found = effects_of(X)
    rows = found.ranked.rows.T
    without = np.log([MeanSquares.of(np.delete(rows, t, axis=0)).interaction for t in range(11)])
    assert found.noise_freedom == pytest.approx(2 / (10 / 11 * ((without - without.mean()) ** 2).sum()))


def test_the_freedom_of_normal_noise_is_near_that_of_its_mean_square(rng):
    """(n - 1) (m - 1) for normal scores of independent systems, but for the jackknife's own noise."""
    found = [effects_of(rng.normal(size=(40, 10))).noise_freedom for _ in range(60)]
    assert np.median(found) == pytest.approx(39 * 9, rel=0.15)


@pytest.mark.parametrize("factor", [1, 0.3, 0.1, 1 / 3, 1 / 7])
def test_without_noise_or_without_it_on_all_topics_but_one_the_freedom_is_that_of_topics(factor):
    additive = np.add.outer([0, 0.5, 0.25, 0.125, 0.875], [0.25, 0, 0.125]) * factor
    assert effects_of(additive).noise_freedom == 4
    additive[2, 1] += 0.25
    assert effects_of(additive).noise_freedom == 4


def test_noise_on_one_topic_above_all_has_one_degree_of_freedom():
    """The jackknife would find less than one."""
    X = np.add.outer([0, 0.5, 0.25, 0.125, 0.875, 0.75], [0.25, 0, 0.125])
    X[2, 1] += 0.5
    X[3, 2] += 1e-3
    assert effects_of(X).noise_freedom == 1


def test_the_same_noise_on_all_topics_has_a_great_freedom():
    """Then the jackknife finds no variance of the noise at all."""
    for X in ([[0, 1], [1, 0], [0, 1], [1, 0]], [[0, 1, 0.5], [1, 0, 0.5], [0, 1, 0.5], [1, 0, 0.5]]):
        assert effects_of(X).noise_freedom > 1000
