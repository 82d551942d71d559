"""Coefficients in simulated samples: against loops over single samples, and variances of known statistics."""

from itertools import combinations
from math import asin, pi, sqrt

import numpy as np
import pytest
import scipy.stats
from calls import FUNCTIONS

from ircor._core import work as _parallel
from ircor._core.methods import METHODS
from ircor.data._scores import Scores
from ircor.statistics._model import MeansModel
from ircor.statistics._simulation import (
    Pairs,
    Statistic,
    Term,
    defined,
    explained_variance,
    pairs_of_samples,
    simulated_values,
    spread,
    true_and_seen,
)


def one(name, table=1):
    return Statistic(name, (Term(METHODS[name], table),))


def difference(first, second, tables=(1, 1)):
    terms = tuple(Term(METHODS[name], k) for name, k in zip((first, second), tables))
    return Statistic(f"{first} - {second}", terms)


@pytest.fixture
def tables(rng):
    X = rng.random((20, 1)) + rng.random((20, 9)) * np.linspace(0.5, 1, 9)
    return [Scores.of(X + rng.normal(0, spread, X.shape)) for spread in (0.01, 0.2, 0.4)]


def test_the_value_on_the_topics_as_given(tables, name, function):
    x, y, z = (table.values.mean(axis=0) for table in tables)
    assert one(name).observed(tables) == pytest.approx(function(x, y), abs=1e-15)
    assert one(name, 2).observed(tables) == pytest.approx(function(x, z), abs=1e-15)
    expected = function(x, y) - FUNCTIONS["tau"](x, z)
    assert difference(name, "tau", (1, 2)).observed(tables) == pytest.approx(expected, abs=1e-15)


def test_scales():
    coefficient, other = one("tau"), difference("tau", "tau_b")
    assert not coefficient.is_difference
    assert other.is_difference
    for value in (-1, -0.3, 0, 1):
        # NumPy's arcsine and C's may differ in the last bit.
        assert coefficient.scaled(value) == pytest.approx(asin(value), rel=1e-15)
        assert other.scaled(value) == value
    assert coefficient.unscaled(np.array([-3, -pi / 2, asin(0.2), 9])).tolist() == pytest.approx([-1, -1, 0.2, 1])
    assert other.unscaled(np.array([-3, -1.5, 0.2, 9])).tolist() == [-2, -1.5, 0.2, 2]


def test_every_simulated_sample_is_ranked_like_any_other_means(tables, rng):
    model = MeansModel.fitted(tables)
    means = rng.normal(size=(3, 40, 9))
    statistics = [*map(one, METHODS), one("tauAP_a", 2), difference("tauAP_b", "tau", (2, 1))]
    found = simulated_values(statistics, means, model)
    for s in range(40):
        x, y, z = means[:, s][:, model.twin]
        for statistic, values in zip(statistics[:6], found):
            assert values[s] == pytest.approx(asin(FUNCTIONS[statistic.name](x, y)), abs=1e-12)
        assert found[6][s] == pytest.approx(asin(FUNCTIONS["tauAP_a"](x, z)), abs=1e-12)
        assert found[7][s] == pytest.approx(FUNCTIONS["tauAP_b"](x, z) - FUNCTIONS["tau"](x, y), abs=1e-12)


def test_systems_with_the_same_scores_are_tied_in_every_simulation(tables):
    columns = [0, 1, 2, 1, 3, 4, 5, 6, 1]
    tables = [Scores.of(table.values[:, columns]) for table in tables[:2]]
    model = MeansModel.fitted(tables)
    rng = np.random.default_rng(1)
    means = model.truths(rng, 200) + model.noise(rng, 200).values
    (values,) = simulated_values([one("tau_b")], means, model)
    for s in range(200):
        x, y = means[:, s][:, model.twin]
        assert x[1] == x[3] == x[8]
        pairs = [(x[i] - x[j]) * (y[i] - y[j]) for i, j in combinations(range(9), 2)]
        # Three of the 36 pairs are tied in both.
        assert pairs.count(0) == 3
        assert values[s] == pytest.approx(asin(np.sign(pairs).sum() / 33), abs=1e-12)
        assert values[s] == pytest.approx(asin(scipy.stats.kendalltau(x, y).statistic), abs=1e-7)


def test_pairs_of_samples_have_the_same_true_means(tables):
    model = MeansModel.fitted(tables)
    statistics = [one("tau"), difference("tauAP_b", "tau", (1, 2))]
    stream = np.random.SeedSequence(3)
    found = pairs_of_samples(model, statistics, (stream, 30))
    rng = np.random.default_rng(stream)
    truths, first, second = model.truths(rng, 30), model.noise(rng, 30), model.noise(rng, 30)
    values = [simulated_values(statistics, truths + noise.values, model) for noise in (first, second)]
    resampled = simulated_values(statistics, model.means[:, None, model.first] + first.shared, model)
    for k, pairs in enumerate(found):
        np.testing.assert_array_equal(pairs.first, values[0][k])
        np.testing.assert_array_equal(pairs.second, values[1][k])
        np.testing.assert_array_equal(pairs.resampled, resampled[k])
        for part, sums in (("topics", pairs.with_topics), ("own", pairs.with_own)):
            change = getattr(first, part) - getattr(second, part)
            expected = sum((pairs.first[s] - pairs.second[s]) * change[s] for s in range(30)) / 2
            np.testing.assert_allclose(sums, expected, atol=1e-12)
            assert np.abs(sums).max() > 0.1


def test_true_means_and_samples_of_them(tables):
    model = MeansModel.fitted(tables)
    stream = np.random.SeedSequence(3)
    true, seen = true_and_seen(model, one("tau"), None, (stream, 30))
    rng = np.random.default_rng(stream)
    truths = model.truths(rng, 30)
    noise = model.noise(rng, 30).values
    np.testing.assert_array_equal(true, simulated_values([one("tau")], truths, model)[0])
    np.testing.assert_array_equal(seen, simulated_values([one("tau")], truths + noise, model)[0])
    # In turn: the correlations 0.999, 0 and -0.999.
    r = np.array([0.999, 0.0, -0.999])
    true, seen = true_and_seen(model, one("tau", 2), r, (stream, 600))
    assert true[0::3].mean() > seen[0::3].mean() > 0.2
    assert true[1::3].mean() == pytest.approx(0, abs=0.1)
    assert true[2::3].mean() < seen[2::3].mean() < -0.1


def test_true_means_of_proportional_measures_can_have_any_correlation(tables):
    """The same scores on the topics in another order: the same means, with other noise."""
    X = tables[0].values
    model = MeansModel.fitted([Scores.of(X), Scores.of(X[::-1])])
    for r, expected in ((0.0, 0), (0.9, asin(2 / pi * asin(0.9))), (-0.9, -asin(2 / pi * asin(0.9)))):
        true, _ = true_and_seen(model, one("tau"), np.array([r]), (np.random.SeedSequence(1), 2000))
        assert true.mean() == pytest.approx(expected, abs=0.12)


def test_long_work_is_cut(tables, monkeypatch):
    """Into parts of the same random stream, in which the correlations go on in turn."""
    model = MeansModel.fitted(tables)
    r = np.array([0.999, -0.999, 0.0])
    monkeypatch.setattr(_parallel, "ITEMS_PER_TASK", 10 * model.cost)
    true, _ = true_and_seen(model, one("tau"), r, (np.random.SeedSequence(3), 34))
    assert len(true) == 34
    assert min(true[0::3]) > 0.5
    assert max(true[1::3]) < -0.5
    (pairs,) = pairs_of_samples(model, [one("tau")], (np.random.SeedSequence(3), 34))
    rng, parts = np.random.default_rng(np.random.SeedSequence(3)), []
    for size in (10, 10, 10, 4):
        truths, first, second = model.truths(rng, size), model.noise(rng, size), model.noise(rng, size)
        parts.append(simulated_values([one("tau")], truths + second.values, model)[0])
    np.testing.assert_array_equal(pairs.second, np.concatenate(parts))
    assert first.topics.shape == (4, 20)
    assert pairs.with_topics.shape == (20,)
    assert pairs.with_own.shape == (27,)


# The variance between samples


def linear_pairs(model, weights, size, seed=1):
    """Pairs of a statistic that is a weighted sum of the noise: measures by systems that are not the same."""
    rng = np.random.default_rng(seed)
    first, second = model.noise(rng, size), model.noise(rng, size)
    values = [np.einsum("ksm,km->s", noise.values, weights) for noise in (first, second)]
    change = (values[0] - values[1]) / sqrt(2)
    sums = [change @ (getattr(first, part) - getattr(second, part)) / sqrt(2) for part in ("topics", "own")]
    return Pairs(*values, np.zeros(size), *sums)


def test_a_linear_statistic_has_the_variance_of_the_scores(tables, rng):
    """The variance of a weighted sum of mean scores is that of the weighted sums of the topics, over their number."""
    model = MeansModel.fitted(tables[:2])
    assert model.shrinkage > 0.02
    weights = rng.normal(size=(2, 9))
    per_topic = sum(
        (table.values / table.size - (table.values / table.size).mean(axis=1, keepdims=True))[:, model.first] @ w
        for table, w in zip(tables, weights)
    )
    expected = scipy.stats.sem(per_topic)
    pairs = linear_pairs(model, weights, 60_000)
    found = spread([pairs], model)
    assert found.deviation == pytest.approx(expected, rel=0.02)
    raw = sqrt(np.mean((pairs.first - pairs.second) ** 2) / 2)
    assert found.correction == pytest.approx(found.deviation / raw, rel=1e-12)
    assert abs(found.correction - 1) > 0.02
    # The same in several blocks.
    blocks = [linear_pairs(model, weights, 20_000, seed) for seed in (1, 2, 3)]
    assert spread(blocks, model).deviation == pytest.approx(expected, rel=0.03)


def test_a_statistic_that_no_part_explains_is_left_as_it_is(tables, rng):
    """The sum of squares of independent noise depends on no topic or system linearly."""
    model = MeansModel.fitted(tables[:2])
    first, second = rng.normal(size=(2, 5000))
    topics = rng.normal(size=(5000, 20))
    own = rng.normal(size=(5000, 18))
    change = (first - second) / sqrt(2)
    found = spread([Pairs(first, second, np.zeros(5000), change @ topics, change @ own)], model)
    assert found.deviation == pytest.approx(1, abs=0.05)
    assert found.correction == pytest.approx(1, abs=0.01)


def test_a_statistic_that_never_changes_has_no_spread(tables):
    model = MeansModel.fitted(tables[:2])
    same = np.full(10, 0.5)
    assert spread([Pairs(same, same, same, np.zeros(20), np.zeros(18))], model) == (0, 1)


def test_corrections_are_limited(tables):
    model = MeansModel.fitted(tables[:2])
    first, second = np.array([1.0, -1.0]), np.array([-1.0, 1.0])
    for topics, own, factor in ((1e6, 0.0, 3), (0.0, 1e6, 0.5)):
        found = spread([Pairs(first, second, first * 0, np.full(20, topics), np.full(18, own))], model)
        assert found.correction == factor
        assert found.deviation == pytest.approx(factor * sqrt(2))


def test_the_larger_of_two_deviations_is_taken(tables):
    model = MeansModel.fitted(tables[:2])
    first, second = np.array([1.0, -1.0]), np.array([-1.0, 1.0])
    none = np.zeros(20), np.zeros(18)
    for resampled, expected in ((1.4, sqrt(2)), (1.5, 1.5)):
        found = spread([Pairs(first, second, resampled * first + 7, *none)], model)
        assert found == pytest.approx((expected, expected / sqrt(2)))


def test_explained_variance(rng):
    """y = 3 a - 2 b + e, with standard normal a and b: 13, whatever the number of variables that do not count."""
    n = 20_000
    z = rng.normal(size=(n, 60))
    y = 3 * z[:, 0] - 2 * z[:, 1] + rng.normal(size=n)
    assert explained_variance(y @ z / n, y.var() / n) == pytest.approx(13, rel=0.03)
    assert explained_variance(np.array([2.0, -1.0, 0.5]), 0.25) == 5.25 - 0.75
    assert explained_variance(np.array([0.1, 0.1]), 1.0) == 0


def at_the_top(name, top, table=1):
    return Statistic(name, (Term(METHODS[name], table, top),))


def test_the_coefficient_at_the_top_is_that_of_the_best_systems(tables, name, function):
    x, y, z = (table.values.mean(axis=0) for table in tables)
    for top in (2, 4, 8):
        best = np.argsort(-x)[:top]
        assert at_the_top(name, top).observed(tables) == pytest.approx(function(x[best], y[best]), abs=1e-15)
        assert at_the_top(name, top, 2).observed(tables) == pytest.approx(function(x[best], z[best]), abs=1e-15)
    for top in (9, 12):
        assert at_the_top(name, top).observed(tables) == one(name).observed(tables)


def test_the_top_includes_systems_that_tie_with_its_last():
    x, y = Scores.of([[5.0, 4, 4, 4, 1], [5, 4, 4, 4, 2]]), Scores.of([[1.0, 2, 5, 4, 3], [1, 2, 5, 4, 2]])
    for top in (2, 3, 4):
        expected = FUNCTIONS["tau_b"]([5, 4, 4, 4], [1, 2, 5, 4])
        assert at_the_top("tau_b", top).observed([x, y]) == pytest.approx(expected, abs=1e-15)
        with pytest.raises(ValueError, match="'X' contains ties"):
            at_the_top("tau", top).observed([x, y])
    # The ties below the top do not matter.
    assert at_the_top("tau", 2).observed([Scores.of(x.values[:, [0, 3, 4, 4]]), Scores.of(y.values[:, :4])]) == -1


def test_the_best_systems_are_chosen_anew_in_every_simulated_sample(tables, rng):
    model = MeansModel.fitted(tables)
    means = rng.normal(size=(3, 40, 9))
    statistics = [*(at_the_top(name, 4) for name in METHODS), at_the_top("tauAP_b", 6, 2), at_the_top("tau", 9)]
    statistics.append(Statistic("", (Term(METHODS["tau"], 1, 4), Term(METHODS["tau_b"], 2))))
    found = simulated_values(statistics, means, model)
    tops = set()
    for s in range(40):
        x, y, z = means[:, s]
        best = np.argsort(-x)
        tops.add(tuple(sorted(best[:4])))
        for statistic, values in zip(statistics[:6], found):
            expected = asin(FUNCTIONS[statistic.name](x[best[:4]], y[best[:4]]))
            assert values[s] == pytest.approx(expected, abs=1e-7)
        assert found[6][s] == pytest.approx(asin(FUNCTIONS["tauAP_b"](x[best[:6]], z[best[:6]])), abs=1e-7)
        assert found[7][s] == pytest.approx(asin(FUNCTIONS["tau"](x, y)), abs=1e-12)
        expected = FUNCTIONS["tau"](x[best[:4]], y[best[:4]]) - FUNCTIONS["tau_b"](x, z)
        assert found[8][s] == pytest.approx(expected, abs=1e-12)
    assert len(tops) > 20


def test_samples_whose_best_systems_are_all_the_same_are_left_out(tables):
    """Three systems are the same, and some samples have two of these at the top."""
    columns = [7, 7, 7, 8, 6, 5, 4, 3]
    tables = [Scores.of(table.values[:, columns]) for table in tables[:2]]
    model = MeansModel.fitted(tables)
    statistic = at_the_top("tau_b", 2)
    (pairs,) = pairs_of_samples(model, [statistic], (np.random.SeedSequence(3), 200))
    known = ~np.isnan(pairs.first - pairs.second)
    assert 20 < known.sum() < 180
    assert np.isfinite(pairs.with_topics).all()
    kept = Pairs(pairs.first[known], pairs.second[known], defined(pairs.resampled), pairs.with_topics, pairs.with_own)
    assert spread([pairs], model) == spread([kept], model)
    assert spread([pairs], model).deviation > 0
    wide = pairs._replace(resampled=np.array([-9.0, np.nan, 9.0]))
    assert spread([wide], model).deviation == 9
    nothing = Pairs(*(np.full(3, np.nan) for _ in range(3)), np.zeros(20), np.zeros(12))
    assert np.isnan(spread([nothing], model).deviation)
