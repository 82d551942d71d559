"""The chance that two systems are in the wrong order, against SciPy's tests, regressions and all resamples."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from ircor._core import work as _parallel
from ircor._core.work import random_blocks
from ircor.reliability import expected
from ircor.reliability._expected import (
    RankedSystems,
    chances_of,
    correction,
    quantile_deviation,
    resampled_chances,
    shares_below,
    unbiased_deviation,
)


def pairs_of(ranked):
    """The two columns of each pair, the better one first."""
    return list(zip(ranked.order[ranked.ahead].tolist(), ranked.order[ranked.behind].tolist()))


def all_resamples(n):
    """How often each topic is in each of all n^n resamples."""
    return np.array([np.bincount(draw, minlength=n) for draw in product(range(n), repeat=n)], dtype=float)


def normal_slope(D):
    """The slope of the regression of D on normal quantiles, through the origin: the deviation of MSQD."""
    quantiles = stats.norm.ppf(stats.rankdata(D) / (len(D) + 1))
    return float(np.linalg.lstsq(quantiles[:, None], np.asarray(D, dtype=float), rcond=None)[0][0])


# ML


@pytest.mark.parametrize("n", [251, 400])
def test_with_many_topics_ml_is_the_one_sided_paired_t_test(scores, n):
    X = scores(n, 6, apart=0.05)
    ranked = RankedSystems.of(X)
    known = [stats.ttest_rel(X[:, i], X[:, j], alternative="greater").pvalue for i, j in pairs_of(ranked)]
    assert min(known) < 0.2 < 0.3 < max(known)
    np.testing.assert_allclose(chances_of(ranked, "ML"), known, rtol=1e-9)


@pytest.mark.parametrize("n", [3, 4, 10, 49, 250])
def test_with_fewer_topics_the_deviation_is_corrected(scores, n):
    X = scores(n, 6)
    ranked = RankedSystems.of(X)
    # The mean of the standard deviation of n normal numbers, whose own deviation is 1.
    bias = stats.chi(n - 1).mean() / np.sqrt(n - 1)
    known = [stats.t.sf(stats.ttest_rel(X[:, i], X[:, j]).statistic * bias, n - 1) for i, j in pairs_of(ranked)]
    np.testing.assert_allclose(chances_of(ranked, "ML"), known, rtol=1e-9)


def test_the_correction_ends_above_250_topics():
    assert correction(250) == pytest.approx(1 + 1 / (4 * 249), rel=1e-6)
    assert correction(251) == correction(10_000) == 1
    # The table of c4 in textbooks of quality control has 0.7979 for n = 2 and 0.9400 for n = 5.
    assert [round(1 / correction(n), 4) for n in (2, 5)] == [0.7979, 0.9400]


def test_the_corrected_deviation_has_no_bias(rng):
    for n in (3, 5, 20):
        D = rng.normal(0.3, 2, (100_000, n))
        assert unbiased_deviation(D).mean() == pytest.approx(2, rel=0.01)


# MSQD


def test_the_deviation_of_msqd_is_a_regression_on_normal_quantiles(rng):
    for n in (3, 4, 11, 30):
        rows = [*rng.normal(0.2, 1, (20, n)), *rng.integers(-2, 3, (20, n)), *(1 + rng.integers(0, 2, (10, n)) / 64)]
        rows = [row for row in rows if np.ptp(row)]
        assert len(rows) > 40
        found = quantile_deviation(np.sort(np.array(rows, dtype=float)))
        np.testing.assert_allclose(found, [normal_slope(row) for row in rows], rtol=1e-9, atol=1e-12)
        # Some of those with many ties are negative.
        assert found[:20].min() > 0
    assert found.min() < 0


def test_without_a_spread_the_deviation_is_0():
    assert quantile_deviation(np.array([[0.25] * 4, [0.0] * 4])).tolist() == [0, 0]


def test_msqd_takes_neighbours_for_tied_that_are_not_apart():
    D = np.array([[0.0, 0.1, 0.2, 0.5, 0.5, 0.9]])
    for apart, ranks in ((0.15, [2, 2, 2, 4.5, 4.5, 6]), (0.0, [1, 2, 3, 4.5, 4.5, 6])):
        quantiles = stats.norm.ppf(np.array(ranks) / 7)
        assert quantile_deviation(D, apart) == pytest.approx((D @ quantiles) / (quantiles @ quantiles))


def test_msqd_on_tables_with_and_without_ties(awkward):
    for X in awkward:
        ranked, n = RankedSystems.of(X), len(X)
        for (i, j), found in zip(pairs_of(ranked), chances_of(ranked, "MSQD")):
            D = ranked.rows[list(ranked.order).index(i)] - ranked.rows[list(ranked.order).index(j)]
            if not D.any():
                assert np.isnan(found)
            elif np.ptp(D):
                t = -np.sqrt(n) * D.mean() / normal_slope(D)
                assert found == pytest.approx(stats.t.cdf(t, n - 1), rel=1e-7, abs=1e-12)
            else:
                assert found == 0


# RES


@pytest.mark.parametrize(("n", "m"), [(3, 6), (4, 5), (5, 3)])
def test_all_resamples_give_the_exact_chance(rng, n, m):
    X = rng.integers(0, 6, (n, m))
    draws = list(product(range(n), repeat=n))
    ranked = RankedSystems.of(X / 8)
    known = [
        sum(sum(int(X[t, i] - X[t, j]) for t in draw) < 0 for draw in draws) / n**n
        if (X[:, i] != X[:, j]).any()
        else np.nan
        for i, j in pairs_of(ranked)
    ]
    assert np.nanmax(known) > 0.1
    np.testing.assert_allclose(shares_below(ranked, all_resamples(n)), known, rtol=1e-14)


def test_many_resamples_come_close_to_the_exact_chance(rng):
    X = rng.integers(0, 6, (4, 5)) / 8
    ranked = RankedSystems.of(X)
    known = shares_below(ranked, all_resamples(4))
    found = resampled_chances(ranked, random_blocks(1, 20_000)[1])
    assert resampled_chances(ranked, random_blocks(1, 20_000)[1]).tolist() == found.tolist()
    assert np.abs(found - known).max() < 5 * 0.5 / np.sqrt(20_000)


def test_every_resample_has_as_many_topics_as_the_table(monkeypatch, scores):
    seen = []
    monkeypatch.setattr("ircor.reliability._expected.shares_below", lambda ranked, draws: seen.append(draws))
    resampled_chances(RankedSystems.of(scores(7, 3)), random_blocks(1, 600)[1])
    (draws,) = seen
    assert draws.shape == (600, 7)
    assert set(draws.sum(axis=1)) == {7}
    assert len(np.unique(draws, axis=0)) > 400
    assert draws.mean(axis=0) == pytest.approx(np.ones(7), abs=0.2)


def test_what_is_0_but_for_rounding_is_not_below_0():
    """0.1 + 0.2 is 0.3 and a bit, so the difference of the first two is a bit below 0 in some resamples."""
    X = np.array([[0.3, 0.1 + 0.2, 0], [0.7, 0.7, 1], [0.9, 0.8, 0]])
    ranked = RankedSystems.of(X)
    found = dict(zip(pairs_of(ranked), shares_below(ranked, all_resamples(3))))
    assert found[0, 1] == 0
    assert found[0, 2] == np.mean([sum((3, -3, 9)[t] for t in draw) < 0 for draw in product(range(3), repeat=3)])


# All three


@pytest.mark.parametrize("estimator", ["ML", "MSQD", "RES"])
def test_a_constant_difference_has_the_chance_0(rng, estimator):
    X = rng.integers(0, 9, (8, 1)) / 8 + np.array([0, 0.25, 0.5])
    assert np.nanmax(expected(X, "tau", estimator, 1).chances) == 0


@pytest.mark.parametrize("estimator", ["ML", "MSQD"])
def test_equal_means_have_the_chance_one_half(estimator):
    X = np.array([[0.1, 0.4, 0.9], [0.5, 0.3, 0.8], [0.6, 0.5, 0.6]])
    chances = expected(X, "tau", estimator).chances
    assert chances[0, 1] == pytest.approx(0.5, abs=1e-12)
    assert chances[0, 2] < 0.2


@pytest.mark.parametrize("estimator", ["ML", "MSQD", "RES"])
def test_the_better_system_is_more_probably_the_better_one(scores, estimator):
    X = scores(20, 8)
    chances = expected(X, "tau", estimator, 1).chances
    assert 0 <= np.nanmin(chances) < 0.01
    assert 0.3 < np.nanmax(chances) < 0.56


def test_systems_are_ranked_by_means_and_equal_ones_stay_in_the_order_of_columns():
    X = np.array([[0.1, 0.5, 0.3, 0.1 + 0.2, 0.2], [0.2, 0.7, 0.3, 0.3, 0.4], [0.3, 0.3, 0.3, 0.3, 0.3]])
    ranked = RankedSystems.of(X)
    assert ranked.order.tolist() == [1, 2, 3, 4, 0]
    assert pairs_of(ranked)[:3] == [(1, 2), (1, 3), (1, 4)]
    pairs = pairs_of(ranked)
    assert [pair for pair, same in zip(pairs, ranked.same_mean) if same] == [(2, 3), (2, 4), (3, 4)]
    # 0.1 + 0.2 is not 0.3, but for rounding.
    assert [pair for pair, equal in zip(pairs, ranked.equal) if equal] == [(2, 3)]


def test_scores_are_scaled_by_a_power_of_two(scores):
    X = scores(5, 4) * 7
    rows = RankedSystems.of(X).rows
    assert 0.5 <= np.abs(rows).max() < 1
    ratio = np.unique(X.T[RankedSystems.of(X).order] / rows)
    assert (len(ratio), np.log2(ratio[0]) % 1) == (1, 0)


@pytest.mark.parametrize("estimator", ["ML", "MSQD", "RES"])
def test_some_pairs_at_a_time_are_as_good_as_all_at_once(monkeypatch, awkward, estimator):
    known = [expected(X, "tau", estimator, 1, resamples=50) for X in awkward]
    monkeypatch.setattr(_parallel, "ITEMS_PER_TASK", 130)
    for X, one in zip(awkward, known):
        found = expected(X, "tau", estimator, 1, resamples=50)
        np.testing.assert_array_equal(found.of_pairs, one.of_pairs)
        assert found.equal_pairs == one.equal_pairs
