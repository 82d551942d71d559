"""Significant pairs of systems: against SciPy and R, exact cases, and known counts."""

from itertools import combinations
from math import inf
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats

from ircor._core import work as _parallel
from ircor._core.work import Resampling
from ircor.data._scores import Scores
from ircor.statistics import _significance
from ircor.statistics._maximum import drawn_weights
from ircor.statistics._significance import (
    compare_pairs,
    holm,
    paired_t,
    significant_pairs,
    studentized_range_tail,
    tukey,
)

TESTS = ("maximum", "t", "randomisation", "tukey")


@pytest.fixture
def scores(rng):
    """20 topics by 7 systems, of which some differ; topics differ more."""
    return Scores.of(rng.random((20, 1)) + rng.normal(0, 0.1, (20, 7)) + np.linspace(0, 0.2, 7))


def raw(scores, test):
    """The p-value of each pair before any adjustment."""
    if test == "t":
        return paired_t(scores, *np.triu_indices(scores.m, 1))
    _, flips, counts = _significance.exceedances(scores, 1, 1, 1, False)
    return counts[np.triu_indices(scores.m, 1)] / flips


def test_each_pair_has_the_p_value_of_scipys_paired_t_test(scores):
    expected = [scipy.stats.ttest_rel(*scores.values.T[[i, j]]).pvalue for i, j in combinations(range(7), 2)]
    np.testing.assert_allclose(raw(scores, "t"), expected, rtol=1e-9)


@pytest.mark.parametrize("decimals", [1, 16])
def test_each_pair_has_the_p_value_of_scipys_permutation_test(scores, decimals):
    """All flips of ten topics; scores with one decimal have many equal differences."""
    few = Scores.of(scores.values[:10].round(decimals))

    def difference(x, y, axis):
        return np.mean(x - y, axis=axis).round(12)

    expected = [
        scipy.stats.permutation_test(
            few.values.T[[i, j]], difference, permutation_type="samples", n_resamples=inf, vectorized=True
        ).pvalue
        for i, j in combinations(range(7), 2)
    ]
    np.testing.assert_allclose(raw(few, "randomisation"), expected, rtol=1e-12)
    assert len(set(expected)) > 5


def test_random_flips_estimate_the_p_values_of_all_flips(scores, monkeypatch):
    few = Scores.of(scores.values[:12])
    exact = raw(few, "randomisation")
    monkeypatch.setattr(_significance, "FEW_TOPICS", 0)
    seed, flips, counts = _significance.exceedances(few, 1500, 3, 1, False)
    assert (seed, flips) == (None, 2**11)
    monkeypatch.setattr(_significance, "LEAST_FLIPS", 1)
    seed, flips, counts = _significance.exceedances(few, 1500, 3, 1, False)
    assert (seed, flips) == (3, 1501)
    found = counts[np.triu_indices(7, 1)] / flips
    assert np.abs(found - exact).max() < 4 * np.sqrt(0.25 / 1500)
    assert np.abs(found - exact).max() > 0
    assert counts[np.triu_indices(7, 1)].min() >= 1


def test_flips_depend_on_the_seed_alone(scores, monkeypatch):
    monkeypatch.setattr(_significance, "LEAST_FLIPS", 400)
    one, two, other = (
        significant_pairs(scores, "randomisation", 0.9, seed, jobs) for seed, jobs in ((1, 1), (1, 2), (2, 1))
    )
    np.testing.assert_array_equal(one.pvalues, two.pvalues)
    assert (one.pvalues != other.pvalues).any()
    assert (one.seed, one.draws) == (1, 401)
    drawn = significant_pairs(scores, "randomisation", 0.9)
    np.testing.assert_array_equal(drawn.pvalues, significant_pairs(scores, "randomisation", 0.9, drawn.seed).pvalues)


def test_there_are_enough_flips_for_the_number_of_pairs(rng):
    """The best of 40 systems is better on all 30 topics, and is found to be better than each of the others."""
    X = rng.random((30, 40))
    X[:, 7] += 1
    found = significant_pairs(Scores.of(X), "randomisation", seed=1)
    assert found.draws == 4 * 780 / 0.05 + 1
    assert found.least == 780 / found.draws < 0.05
    assert (found.signs[7] == 1).sum() == 39
    # No random flip makes the largest difference, but the one that changes nothing does.
    assert found.pvalues[7].min() == found.least
    assert significant_pairs(Scores.of(X[:, :5]), "randomisation", seed=1).draws == 10_000


def test_with_few_topics_no_pair_can_differ(rng):
    X = rng.random((5, 6)) / 10 + np.arange(6)
    found = significant_pairs(Scores.of(X), "randomisation")
    # All differences have one sign: only two of 32 flips are as extreme.
    assert found.pvalues[0, 1] == found.least == 15 / 16
    assert found.count == 0
    assert found.seed is None


def test_up_to_sixteen_topics_have_all_flips(scores):
    sixteen, seventeen = (significant_pairs(Scores.of(scores.values[:n]), "randomisation", seed=1) for n in (16, 17))
    assert (sixteen.draws, sixteen.seed) == (2**15, None)
    assert (seventeen.draws, seventeen.seed) == (10_000, 1)


def test_all_flips_in_parts_are_all_flips(scores, monkeypatch):
    few = Scores.of(scores.values[:11])
    whole = significant_pairs(few, "randomisation").pvalues
    monkeypatch.setattr(_parallel, "ITEMS_PER_TASK", 1000)
    np.testing.assert_array_equal(significant_pairs(few, "randomisation").pvalues, whole)


def test_holms_adjustment_of_small_lists():
    # 3 x 0.01, 2 x 0.02, and 0.03 is raised to 0.04.
    np.testing.assert_allclose(holm(np.array([0.02, 0.01, 0.03])), [0.04, 0.03, 0.04])
    np.testing.assert_allclose(holm(np.array([0.5, 0.6])), [1, 1])
    np.testing.assert_allclose(holm(np.array([0.2])), [0.2])


@pytest.mark.r
def test_t_tests_with_holms_adjustment_as_in_r(scores):
    import rpy2.robjects as ro

    compute = ro.r(
        """function(score, system) {
            p <- pairwise.t.test(score, system, paired = TRUE, p.adjust.method = "holm")$p.value
            p[lower.tri(p, diag = TRUE)]
        }"""
    )
    theirs = list(compute(*map(ro.FloatVector, (scores.values.T.ravel(), np.repeat(np.arange(7), 20)))))
    ours = significant_pairs(scores, "t").pvalues
    np.testing.assert_allclose(theirs, [ours[i, j] for i, j in combinations(range(7), 2)], rtol=1e-9)


@pytest.mark.r
def test_tukeys_test_with_topics_as_blocks_as_in_r(scores):
    import rpy2.robjects as ro

    compute = ro.r(
        """function(score, topic, system) {
            found <- TukeyHSD(aov(score ~ factor(topic) + factor(system)), "factor(system)")
            found[[1]][, "p adj"]
        }"""
    )
    topics, systems = np.indices((20, 7)).reshape(2, -1)
    theirs = list(compute(*map(ro.FloatVector, (scores.values.ravel(), topics, systems))))
    ours = significant_pairs(scores, "tukey").pvalues
    # R lists 1-0, 2-0, ..., 2-1, ...
    expected = [ours[i, j] for i, j in combinations(range(7), 2)]
    np.testing.assert_allclose(theirs, expected, rtol=0, atol=1e-8)
    assert min(expected) < 0.001 < 0.5 < max(expected)


@pytest.mark.parametrize(("groups", "freedom"), [(2, 1), (3, 2), (3, 5), (10, 9), (30, 1421), (130, 6321)])
def test_the_studentized_range_is_that_of_scipy(groups, freedom):
    q = np.array([0.0, 0.3, 1, 3, 4, 5, 6.5, 9, 30])
    expected = scipy.stats.studentized_range.sf(q, groups, freedom)
    np.testing.assert_allclose(studentized_range_tail(q, groups, freedom), expected, rtol=0, atol=1e-10)
    assert studentized_range_tail(np.array([inf]), groups, freedom) == 0


def test_one_way_p_values_are_those_of_scipys_tukey_test(scores):
    """With the mean square and the degrees of freedom of a one-way analysis, in which topics are error."""
    n, m = scores.values.shape
    variance = scores.values.var(axis=0, ddof=1).mean()
    q = np.abs(scores.means[:, None] - scores.means) / np.sqrt(variance / n)
    theirs = scipy.stats.tukey_hsd(*scores.values.T).pvalue
    np.testing.assert_allclose(studentized_range_tail(q, m, m * (n - 1)), theirs, rtol=0, atol=1e-9)
    # Without blocks the test finds less.
    off = ~np.eye(m, dtype=bool)
    assert (tukey(scores)[off] < theirs[off]).all()


def test_many_systems_do_not_take_long(rng):
    table = Scores.of(rng.random((50, 1)) + rng.random((50, 130)) * np.linspace(0.5, 1, 130))
    counts = [significant_pairs(table, test).count for test in ("t", "tukey")]
    assert 0 < min(counts) < max(counts) < 130 * 129 / 2


@pytest.mark.parametrize("test", TESTS)
def test_the_result_has_a_sign_for_each_pair(scores, test):
    found = significant_pairs(scores, test, 0.2, seed=1)
    assert found.signs.dtype == np.int8
    np.testing.assert_array_equal(found.signs, -found.signs.T)
    np.testing.assert_array_equal(found.pvalues, found.pvalues.T)
    np.testing.assert_array_equal(np.diag(found.pvalues), 1)
    assert found.count == (found.signs == 1).sum() > 0
    for i, j in combinations(range(7), 2):
        expected = np.sign(scores.means[i] - scores.means[j]) if found.pvalues[i, j] <= 0.2 else 0
        assert found.signs[i, j] == expected
    # A pair at the level itself is significant.
    assert significant_pairs(scores, "tukey", tukey(scores)[0, 6]).signs[6, 0] == 1


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("size", [1.0, 1e-9, 1e12])
def test_constant_differences_and_none_at_all(rng, test, size):
    """Means that differ by rounding alone are equal: 0.1 + 0.2 is not 0.3."""
    X = rng.integers(1, 9, (20, 1)) / 10 + np.array([0.1 + 0.2, 0.3, 0.3, 0.7])
    found = significant_pairs(Scores.of(size * X), test, seed=1)
    assert found.signs.tolist() == [[0, 0, 0, -1], [0, 0, 0, -1], [0, 0, 0, -1], [1, 1, 1, 0]]
    np.testing.assert_array_equal(found.pvalues[:3, :3], 1)


@pytest.mark.parametrize("test", TESTS)
def test_scores_that_are_all_equal_have_no_differences(test):
    found = significant_pairs(Scores.of(np.full((20, 4), 0.5)), test, seed=1)
    assert found.count == 0
    np.testing.assert_array_equal(found.pvalues, 1)


@pytest.mark.parametrize("test", TESTS)
def test_the_order_of_systems_does_not_matter(scores, rng, test):
    order = rng.permutation(7)
    whole = significant_pairs(scores, test, seed=1)
    turned = significant_pairs(Scores.of(scores.values[:, order]), test, seed=1)
    np.testing.assert_array_equal(turned.signs, whole.signs[np.ix_(order, order)])
    np.testing.assert_allclose(turned.pvalues, whole.pvalues[np.ix_(order, order)], rtol=1e-9)


def test_options_are_checked(scores):
    with pytest.raises(ValueError, match="'test' must be one of maximum, t, randomisation, tukey, not 'wilcoxon'"):
        significant_pairs(scores, "wilcoxon")
    with pytest.raises(ValueError, match="'alpha' must be between 0 and 1, not 5"):
        significant_pairs(scores, alpha=5)


def signs_of(m, better):
    signs = np.zeros((m, m), dtype=np.int8)
    for i, j in better:
        signs[i, j], signs[j, i] = 1, -1
    return signs


def test_every_pair_is_counted_once():
    truth = signs_of(5, [(0, 1), (0, 2), (0, 3), (4, 1), (4, 0)])
    judge = signs_of(5, [(0, 1), (2, 0), (4, 3), (3, 2), (1, 4)])
    counts = compare_pairs(truth, judge, np.array([0.5, 0.4, 0.6, 0.55, 0.2]))
    assert counts.significant == 5
    # Missed are (0, 3) and (4, 0), and the judge's means order both in the other direction.
    assert (counts.found, counts.missed, counts.missed_opposite, counts.reversed, counts.extra) == (1, 2, 2, 2, 2)
    same = compare_pairs(truth, judge, np.array([0.5, 0.4, 0.6, 0.5, 0.9]))
    assert same.missed_opposite == 0


def test_a_truth_agrees_with_itself_and_reverses_its_negative(scores):
    found = significant_pairs(scores)
    same = compare_pairs(found.signs, found.signs, scores.means)
    assert (same.found, same.missed, same.reversed, same.extra) == (found.count, 0, 0, 0)
    turned = compare_pairs(found.signs, -found.signs, -scores.means)
    assert (turned.found, turned.missed, turned.reversed, turned.extra) == (0, 0, found.count, 0)


def test_holm_as_in_r():
    # R 4.2.2: p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.9), "holm")
    assert holm(np.array([0.01, 0.04, 0.03, 0.005, 0.9])) == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.9])
    assert holm(np.array([0.6, 0.7])).tolist() == [1, 1]
    assert holm(np.array([])).tolist() == []


# The greatest studentized difference


def stepped_down(values, weights, moderation=0.5):
    """The adjusted p-values from their definition, pair by pair and step by step; `weights` are draws by topics."""
    n, m = values.shape
    pairs = list(combinations(range(m), 2))
    D = np.array([values[:, i] - values[:, j] for i, j in pairs])
    variances = D.var(axis=1, ddof=1) / n
    kept = moderation * len(pairs) / (len(pairs) + 1)
    prior = np.median(variances)
    observed = np.abs(D.mean(axis=1)) / np.sqrt((1 - kept) * variances + kept * prior)
    centred = (D - D.mean(axis=1, keepdims=True)) * np.sqrt(n / (n - 1))
    drawn = np.empty((len(weights), len(pairs)))
    for k, row in enumerate(weights):
        sample = np.repeat(np.arange(n), row.astype(int))
        one = centred[:, sample]
        # Of a resample the second moment counts, which takes no second pass over the topics.
        variance = one.var(axis=1) / (n - 1)
        drawn[k] = np.abs(one.mean(axis=1)) / np.sqrt((1 - kept) * variance + kept * prior)
    order = np.argsort(-observed)
    adjusted, least = np.empty(len(pairs)), 0.0
    for step, pair in enumerate(order):
        greatest = drawn[:, order[step:]].max(axis=1)
        least = max(least, (1 + (greatest >= observed[pair]).sum()) / (1 + len(weights)))
        adjusted[pair] = least
    return adjusted


def test_the_maximum_is_stepped_down_as_its_definition_says(scores, monkeypatch):
    monkeypatch.setattr(_significance, "RESAMPLES", SimpleNamespace(default=500))
    weights = drawn_weights(scores.n, "bootstrap", Resampling(500, 3))[1][:, :500]
    expected = stepped_down(scores.values, np.asarray(weights).T)
    found = significant_pairs(scores, "maximum", seed=3)
    # In single precision a draw may be on the other side of an observed value.
    np.testing.assert_allclose(found.pvalues[np.triu_indices(7, 1)], expected, atol=2 / 501)
    assert (found.seed, found.draws, found.least) == (3, 500, 1 / 501)
    assert 0 < found.count < 21


def test_equal_systems_and_constant_differences(scores):
    values = np.column_stack([scores.values[:, :3], scores.values[:, 0], scores.values[:, 0] + 0.1])
    found = significant_pairs(Scores.of(values), "maximum", seed=1)
    assert (found.pvalues[0, 3], found.signs[0, 3]) == (1, 0)
    assert (found.pvalues[4, 0], found.signs[4, 0]) == (0, 1)
    assert significant_pairs(Scores.of(values), "maximum", seed=1, n_jobs=2).pvalues.tolist() == found.pvalues.tolist()


def test_skewed_scores_of_equal_systems_seldom_differ():
    """Most topics are hard for all, and each system has some that it alone solves: t tests find far too much."""
    rng = np.random.default_rng(1)
    counts = {"maximum": 0, "t": 0}
    for seed in range(40):
        values = np.where(rng.random((25, 20)) < 0.1, rng.exponential(1.0, (25, 20)), 0.02 * rng.random((25, 20)))
        shifted = values * np.where(np.arange(20) < 10, 1, -1) + np.where(np.arange(20) < 10, 0, 0.218)
        for test in counts:
            counts[test] += significant_pairs(Scores.of(shifted), test, seed=seed).count > 0
    assert counts["maximum"] <= scipy.stats.binom.ppf(0.999, 40, 0.06)
    assert counts["t"] > 2 * counts["maximum"]
