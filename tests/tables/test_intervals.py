"""Intervals for a coefficient: against SciPy's bootstrap, and the search for the true one by hand."""

import inspect
from itertools import pairwise
from math import asin, pi, sin, sqrt

import numpy as np
import pytest
import scipy.stats

from ircor._core import work as _parallel
from ircor._core.methods import METHODS
from ircor._core.work import Resampling
from ircor.data._scores import Scores
from ircor.statistics import _intervals
from ircor.statistics._intervals import candidates, correlation, fitting_values, intervals
from ircor.statistics._model import MeansModel
from ircor.statistics._simulation import Statistic, Term, pairs_of_samples, spread

TARGETS = ("expected", "sample", "population")


def one(name, table=1):
    return Statistic(name, (Term(METHODS[name], table),))


def found(tables, statistics, targets=TARGETS, resamples=400, seed=1, level=0.95, n_jobs=1, **options):
    tables = [Scores.of(table) for table in tables]
    return intervals(tables, statistics, targets, level, Resampling(resamples, seed, n_jobs, False), **options)


def test_greiners_relation(rng):
    """In a normal population, Kendall's tau is 2 / pi times the arcsine of the correlation."""
    for angle in (-1.2, 0.0, 0.5, 1.4):
        r = correlation(np.array(angle))
        assert sin(angle) == pytest.approx(2 / pi * asin(r), abs=1e-12)
    r = float(correlation(np.array(0.5)))
    x, y = rng.multivariate_normal([0, 0], [[1, r], [r, 1]], 20_000).T
    assert scipy.stats.kendalltau(x, y).statistic == pytest.approx(sin(0.5), abs=0.02)


def test_candidates_take_turns():
    """Two blocks of 7 and 4 simulations of 3 candidates."""
    true = [np.array([1.0, 2, 3, 1, 2, 3, 1]), np.array([1.0, 2, 3, 1])]
    seen = [true[0] + [0.1, 0.2, 0.3, 0.3, 0.2, 0.3, 0.1], true[1] + [0.3, 0.2, 0.3, 0.2]]
    summary = candidates(list(zip(true, seen)), 3)
    assert summary.true.tolist() == [1, 2, 3]
    assert summary.shift.tolist() == pytest.approx([np.mean([0.1, 0.3, 0.1, 0.3, 0.2]), 0.2, 0.3])
    assert summary.deviation.tolist() == pytest.approx([np.std([0.1, 0.3, 0.1, 0.3, 0.2]), 1e-6, 1e-6])


def test_the_values_that_fit():
    grid = np.linspace(0, 1, 101)
    # Without a shift: the value plus and minus the quantile times the deviation.
    assert fitting_values(0.5, grid, 0 * grid, 0 * grid + 0.1, 2.001) == pytest.approx((0.5, 0.3, 0.7))
    # Samples are too low by 0.2.
    assert fitting_values(0.5, grid, 0 * grid - 0.2, 0 * grid + 0.05, 2.001) == pytest.approx((0.7, 0.6, 0.8))
    # The deviation of each candidate is its own.
    low, high = fitting_values(0.5, grid, 0 * grid, 0.1 + 0.2 * grid, 1)[1:]
    assert (low, high) == pytest.approx((0.34, 0.75), abs=0.011)
    # None fits: the nearest.
    assert fitting_values(5, grid, 0 * grid, 0 * grid + 0.1, 2) == (1, 1, 1)
    assert fitting_values(-5, grid, 0 * grid, 0 * grid + 0.1, 2) == (0, 0, 0)


def weakly_related(rng, n=60, m=10):
    """Measures that are weakly related, and noise that is small against the differences, so that few pairs change."""
    true = rng.normal(size=(2, m)) + 0.5 * rng.normal(size=m)
    topic = rng.normal(size=(n, m))
    return [mean + 0.5 * topic + 2 * rng.normal(size=(n, m)) for mean in true]


# Before SciPy 1.15, the random generator had another name.
GENERATOR = "rng" if "rng" in inspect.signature(scipy.stats.bootstrap).parameters else "random_state"


def test_the_deviation_is_that_of_scipys_bootstrap(rng):
    """With true differences that are large against the noise, resamples have the right spread."""
    ratios = []
    for _ in range(12):
        X, Y = weakly_related(rng)

        def scaled(rows, X=X, Y=Y):
            return asin(scipy.stats.kendalltau(X[rows].mean(axis=0), Y[rows].mean(axis=0)).statistic)

        theirs = scipy.stats.bootstrap(
            (np.arange(60),),
            scaled,
            n_resamples=500,
            vectorized=False,
            method="percentile",
            **{GENERATOR: np.random.default_rng(1)},
        )
        tables = [Scores.of(X), Scores.of(Y)]
        model = MeansModel.fitted(tables)
        ours = spread(pairs_of_samples(model, [one("tau")], (np.random.SeedSequence(1), 500)), model)
        ratios.append(ours.deviation / theirs.standard_error)
    assert np.exp(np.mean(np.log(ratios))) == pytest.approx(1, abs=0.15)


def test_the_limits_are_the_value_and_its_deviation(scores):
    seed, (one_found,) = found(scores, [one("tau_b")], resamples=600, seed=7)
    assert seed == 7
    tables = [Scores.of(table) for table in scores]
    model = MeansModel.fitted(tables)
    streams = np.random.SeedSequence(7).spawn(2)
    blocks = [pairs_of_samples(model, [one("tau_b")], task)[0] for task in zip(streams, (250, 50))]
    deviation, _ = spread(blocks, model)
    value = asin(one_found.statistic)
    for target, factor in (("expected", 1), ("sample", sqrt(2))):
        width = scipy.stats.t.ppf(0.975, 19) * factor * deviation
        ends = np.sin(np.clip([value, value - width, value + width], -pi / 2, pi / 2))
        assert one_found.limits[target] == pytest.approx(tuple(ends), abs=1e-12)
    values = np.concatenate([side for block in blocks for side in (block.first, block.second)])
    np.testing.assert_allclose(one_found.simulated, np.sin(values), atol=1e-15)
    assert len(found(scores, [one("tau")], ["expected"], resamples=301)[1][0].simulated) == 301


def test_different_topics_take_the_fewer_degrees_of_freedom(rng):
    X, Y = rng.random((30, 8)) + np.linspace(0, 1, 8), rng.random((6, 8)) + np.linspace(0, 1, 8)
    options = {"targets": ["expected"], "same_topics": False}
    widths = []
    for tables in ((X, Y), (Y, X)):
        limits = found(tables, [one("tau")], **options)[1][0].limits["expected"]
        value, low, _ = (asin(limit) for limit in limits)
        scored = [Scores.of(table) for table in tables]
        model = MeansModel.fitted(scored, same_topics=False)
        blocks = [pairs_of_samples(model, [one("tau")], (np.random.SeedSequence(1).spawn(1)[0], 200))[0]]
        widths.append((value - low) / spread(blocks, model).deviation)
    assert widths == pytest.approx([scipy.stats.t.ppf(0.975, 5)] * 2)


def test_a_prediction_interval_contains_the_confidence_interval(scores, rng):
    Z = scores[0] + rng.normal(0, 0.4, scores[0].shape)
    statistics = [*map(one, METHODS), Statistic("difference", (Term(METHODS["tau"], 1), Term(METHODS["tauAP_b"], 2)))]
    for result in found([*scores, Z], statistics)[1]:
        expected, sample = result.limits["expected"], result.limits["sample"]
        assert sample.low < expected.low < result.statistic < expected.high <= sample.high
        assert expected.estimate == pytest.approx(result.statistic, abs=1e-12)
        assert sample.estimate == pytest.approx(result.statistic, abs=1e-12)


def test_a_higher_level_gives_a_wider_interval(scores, rng):
    Z = scores[0] + rng.normal(0, 0.4, scores[0].shape)
    statistics = [one("tauAP_b"), Statistic("difference", (Term(METHODS["tau"], 1), Term(METHODS["tau"], 2)))]
    by_level = [found([*scores, Z], statistics, level=level)[1] for level in (0.5, 0.9, 0.99)]
    for results in zip(*by_level):
        for target in TARGETS:
            for inner, outer in pairwise(results):
                assert outer.limits[target].low < inner.limits[target].low
                assert inner.limits[target].high <= outer.limits[target].high


def test_the_population_lies_above_a_coefficient_that_noise_has_lowered(rng):
    """The same true means, seen through much noise that the two measures do not share."""
    true = rng.normal(size=25)
    tables = [true + 6 * rng.normal(size=(40, 25)) for _ in "XY"]
    (result,) = found(tables, [one("tau")], resamples=2000)[1]
    population = result.limits["population"]
    assert result.statistic < 0.75
    assert population.estimate > result.statistic + 0.1
    assert population.high > max(0.95, result.limits["expected"].high)


def test_the_population_lies_below_a_coefficient_that_noise_has_raised(rng):
    """Unrelated true means, and noise that the two measures share."""
    noise = 6 * rng.normal(size=(40, 25))
    tables = [rng.normal(size=25) + noise + 0.1 * rng.normal(size=(40, 25)) for _ in "XY"]
    (result,) = found(tables, [one("tau")], resamples=2000)[1]
    population = result.limits["population"]
    assert population.estimate < result.statistic - 0.1
    assert population.low < result.limits["expected"].low


def test_without_noise_the_population_is_what_is_seen(rng):
    true = rng.normal(size=(3, 30)) + rng.normal(size=30)
    tables = [mean + 0.01 * rng.normal(size=(20, 30)) for mean in true]
    statistics = [
        one("tau"),
        one("tauAP_b"),
        Statistic("difference", (Term(METHODS["tau"], 1), Term(METHODS["tau"], 2))),
    ]
    for result in found(tables, statistics)[1]:
        for estimate, low, high in result.limits.values():
            assert estimate == pytest.approx(result.statistic, abs=0.01)
            assert high - low < 0.05
            assert low - 0.005 <= result.statistic <= high + 0.005


def test_the_difference_of_populations_is_corrected_for_the_mean_error(scores, rng):
    Z = scores[0] + rng.normal(0, 0.4, scores[0].shape)
    statistic = Statistic("difference", (Term(METHODS["tau"], 1), Term(METHODS["tau"], 2)))
    (result,) = found([*scores, Z], [statistic])[1]
    model = MeansModel.fitted([Scores.of(table) for table in (*scores, Z)])
    streams = np.random.SeedSequence(1).spawn(8)
    # 200 pairs of samples; 1050 for the first search, of which a difference makes no use; 500 for the second.
    blocks = pairs_of_samples(model, [statistic], (streams[0], 200))
    parts = [_intervals.true_and_seen(model, statistic, None, (stream, 250)) for stream in streams[6:]]
    true, seen = np.concatenate(parts, axis=1)
    width = scipy.stats.t.ppf(0.975, 19) * spread(blocks, model).correction * np.std(seen - true)
    estimate = result.statistic - np.mean(seen - true)
    assert result.limits["population"] == pytest.approx((estimate, estimate - width, estimate + width), abs=1e-12)


@pytest.mark.parametrize("change", [lambda X: X, lambda X: 3 * X + 1])
@pytest.mark.parametrize("sign", [1, -1])
def test_tables_that_are_the_same_agree_perfectly(change, sign, scores):
    (result,) = found([scores[0], sign * change(scores[0])], [one("tau_b")])[1]
    assert result.statistic == sign
    for limits in result.limits.values():
        assert limits == (sign, sign, sign)


def test_tables_that_are_almost_the_same(rng, scores):
    """The true means of the two hardly differ, but the search has to try other correlations."""
    X = scores[0]
    for other in (X.round(4), *(X + size * rng.normal(size=X.shape) for size in (1e-6, 1e-4, 1e-3))):
        (result,) = found([X, other], [one("tau_b")], resamples=1000)[1]
        for limits in result.limits.values():
            assert min(limits) > 0.8


def test_an_undefined_coefficient_has_no_limits(scores):
    X, Y = scores
    nothing = found([X, np.ones_like(X)], [one("tau_b")])[1]
    assert np.isnan([*nothing[0].limits["population"], nothing[0].statistic]).all()
    assert len(nothing[0].simulated) == 0
    # Others are what they are without it.
    both = found([X, Y, np.ones_like(X)], [one("tau_b", 2), one("tau_b", 1)])[1]
    assert np.isnan(both[0].limits["expected"].low)
    assert -1 <= both[1].limits["expected"].low < both[1].statistic < both[1].limits["expected"].high <= 1


def test_the_work_is_told_in_three_rounds(scores, monkeypatch):
    monkeypatch.setattr(_parallel, "BLOCK", 100)
    told = []
    tables = [Scores.of(table) for table in scores]
    intervals(
        tables,
        [one("tau")],
        ["population"],
        0.95,
        Resampling(1000, 1, 1, lambda done, total: told.append((done, total))),
    )
    # 500 pairs, and at least 50 for each of 21 and of 10 candidates.
    assert told == [(k, total) for total in (5, 11, 5) for k in range(1, total + 1)]
    told.clear()
    intervals(
        tables, [one("tau")], ["expected"], 0.95, Resampling(1000, 1, 1, lambda done, total: told.append((done, total)))
    )
    assert told == [(k, 5) for k in range(1, 6)]


def test_two_different_coefficients_are_too_few_to_fit():
    """The second search finds two true values only, as with three systems: the first search decides."""
    errors = np.repeat([-0.1, 0.1], 21)
    angles = np.linspace(-1.5, 1.5, 21)
    searches = [np.tile(angles, 2), np.tile(np.repeat([-0.6, 0.9], 5), 2)]

    def run(work, blocks):
        true = searches.pop(0)
        return [(true, true + errors[: len(true)] * np.sign(np.arange(len(true)) - len(true) / 2 + 0.5))]

    statistic = Statistic("tau_b", (Term(METHODS["tau_b"], 1),))
    found = _intervals.true_limits(statistic, 0.3, None, 2.0, run, [], [])
    assert searches == []
    # Both errors of each candidate are 0.1 here, so the shift is 0.1 and the deviation the least.
    assert found.low <= found.estimate <= found.high
    assert found.estimate == pytest.approx(0.2, abs=0.01)
