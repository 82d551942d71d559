"""Rank-biased overlap as a method of `cor`, `cor_by` and `bootstrap`, against its definition in exact fractions."""

import pickle
import re

import numpy as np
import pytest
from overlaps import defined_rbo

import ircor
from ircor._core.methods import COEFFICIENTS, METHODS, any_method_of, overlap_of
from ircor._core.work import Resampling
from ircor._kernel import Dominance, Ranking, Totals, totals_of_columns, totals_of_permutations
from ircor.data._scores import Scores
from ircor.overlap import rbo_scores
from ircor.statistics._intervals import intervals
from ircor.statistics._simulation import Statistic, Term
from ircor.tables._groups import LARGEST_IN_BATCH

OPTIONS = [(0.3, "w"), (0.8, "a"), (0.9, "b"), (0.99, "a")]


def ranked(values, decreasing=True):
    """The items as a ranking with sets for ties."""
    levels = sorted(set(values), reverse=decreasing)
    return [{i for i, value in enumerate(values) if value == level} for level in levels]


def definition(x, y, p, ties, decreasing=True):
    return defined_rbo(ranked(list(x), decreasing), ranked(list(y), decreasing), p, ties)["ext"]


@pytest.mark.parametrize(("p", "ties"), OPTIONS)
@pytest.mark.parametrize("decreasing", [True, False])
def test_columns(p, ties, decreasing, rng):
    X, Y = rng.integers(0, 7, (12, 4)), rng.random((12, 3))
    found = ircor.cor(X, Y, "rbo", decreasing, p=p, ties=ties)
    expected = [[definition(x, y, p, ties, decreasing) for y in Y.T] for x in X.T]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)
    scores = [[rbo_scores(x, y, p, ties, decreasing=decreasing).ext for y in Y.T] for x in X.T]
    np.testing.assert_array_equal(found, scores)
    among = ircor.cor(X, method="rbo", decreasing=decreasing, p=p, ties=ties)
    np.testing.assert_allclose(among, [[definition(x, y, p, ties, decreasing) for y in X.T] for x in X.T], atol=1e-14)
    np.testing.assert_array_equal(among, among.T)


def test_ext_is_max_for_rankings_of_the_same_items(rng):
    for x, y in rng.integers(0, 6, (20, 2, 10)):
        found = rbo_scores(x, y, 0.9)
        assert found.ext == pytest.approx(found.max, abs=1e-14)


def test_ties_are_averaged_by_default(rng):
    X = rng.integers(0, 4, (9, 3))
    np.testing.assert_array_equal(
        ircor.cor(X, method="rbo", p=0.9), ircor.cor(X, method="rbo", p=0.9, ties="a"), strict=True
    )
    assert (ircor.cor(X, method="rbo", p=0.9) != ircor.cor(X, method="rbo", p=0.9, ties="b")).any()


@pytest.mark.parametrize(("p", "ties"), OPTIONS)
def test_groups(p, ties, rng):
    groups = rng.integers(0, 30, 200)
    x, y = rng.integers(0, 5, 200), rng.random(200).round(1)
    found = ircor.cor_by(groups, x, y, "rbo", min_items=3, p=p, ties=ties)
    for group, value in found.items():
        rows = groups == group
        if rows.sum() < 3:
            assert np.isnan(value)
        else:
            assert value == pytest.approx(definition(x[rows], y[rows], p, ties), abs=1e-14)
            assert value == rbo_scores(x[rows], y[rows], p, ties).ext


def test_groups_of_any_size_and_number_of_jobs(rng):
    sizes = [3, LARGEST_IN_BATCH + 5, 2, LARGEST_IN_BATCH + 90, 4]
    groups = np.repeat(np.arange(5), sizes)
    x, y = rng.integers(0, 900, (2, len(groups)))
    found = ircor.cor_by(groups, x, y, "rbo", False, p=0.999, n_jobs=2)
    expected = [rbo_scores(x[groups == k], y[groups == k], 0.999, decreasing=False).ext for k in range(5)]
    assert found.tolist() == expected


def test_p_and_ties_belong_to_rbo():
    X = np.eye(3)
    with pytest.raises(ValueError, match=r"^'p' is required for method='rbo': .*p_for_weight finds others"):
        ircor.cor(X, method="rbo")
    for name in COEFFICIENTS:
        with pytest.raises(ValueError, match=f"^'p' is for method='rbo', not for '{name}'$"):
            ircor.cor(X, method=name, p=0.9)
        with pytest.raises(ValueError, match=f"^'ties' is for method='rbo', not for '{name}'$"):
            ircor.cor_by([1, 1], [1, 2], [1, 2], method=name, ties="w")
    for p in (0, 1, 1.5, np.nan):
        with pytest.raises(ValueError, match="^'p' must be between 0 and 1"):
            ircor.cor(X, method="rbo", p=p)
    with pytest.raises(TypeError, match="^'p' must be a number"):
        ircor.cor(X, method="rbo", p="0.9")
    with pytest.raises(ValueError, match="^'ties' must be one of w, a, b, not 'c'"):
        ircor.cor(X, method="rbo", p=0.9, ties="c")
    with pytest.raises(ValueError, match=r"^'method' must be one of tau, .*, acc_eq, rbo, not 'RBO'"):
        ircor.cor(X, method="RBO", p=0.9)


def test_functions_without_rbo_say_so():
    x = [1.0, 2.0, 3.0]
    X = np.random.default_rng(1).random((5, 4))
    for argument, call in {
        "method": lambda: ircor.permutation_test(x, x, "rbo"),
        "methods": lambda: ircor.judging.judges(X, X, {"a": X}, methods=["rbo"]),
    }.items():
        with pytest.raises(ValueError, match=f"^'{argument}' cannot be 'rbo' here: .* one of tau, tau_a"):
            call()


# The kernel


def test_totals_of_several_overlaps(rng):
    values = rng.integers(0, 9, (4, 30))
    rankings = [Ranking(one, True) for one in values]
    sums = {(0.5, 0), (0.9, 1), (0.9, 2), "above_in_x"}
    totals = totals_of_columns(rankings, rankings, sums)
    for p, ties in [(0.5, 0), (0.9, 1), (0.9, 2)]:
        expected = [rbo_scores(one, other, p, "wab"[ties]).ext for one in values for other in values]
        assert totals.overlap(p, ties).tolist() == expected
        assert [Dominance(one, other).overlap(p, ties) for one in rankings for other in rankings] == expected
    with pytest.raises(KeyError):
        totals.overlap(0.5, 1)
    one = Totals(2, {(0.9, 1)})
    one.put(1, Dominance(rankings[0], rankings[1]))
    assert one.overlap(0.9, 1).tolist() == [0, totals.overlap(0.9, 1)[1]]


def test_permutations_have_no_overlap():
    ranking = Ranking(np.arange(3.0))
    with pytest.raises(ValueError, match="no rank-biased overlap of permutations"):
        totals_of_permutations(ranking, ranking, np.zeros((1, 3), dtype=np.int32), {(0.9, 1)})


def test_a_method_can_be_sent_to_another_process(rng):
    x, y = rng.random((2, 9))
    method = overlap_of(0.9, "b")
    assert pickle.loads(pickle.dumps(method))(x, y) == method(x, y) == rbo_scores(x, y, 0.9, "b").ext
    assert any_method_of("rbo", 0.9, "b").options == "p = 0.9, ties b"


# Intervals


def test_the_scale_of_an_overlap_is_from_zero_to_one():
    overlap, tau = (Statistic("", (Term(method, 1),)) for method in (overlap_of(0.9, None), METHODS["tau"]))
    np.testing.assert_allclose(overlap.scaled(np.array([0, 0.5, 1])), [-np.pi / 2, 0, np.pi / 2])
    # Twice the arcsine of the square root, as for a share.
    share = np.linspace(0, 1, 11)
    np.testing.assert_allclose(overlap.scaled(share), 2 * np.arcsin(np.sqrt(share)) - np.pi / 2, atol=1e-14)
    np.testing.assert_allclose(overlap.unscaled(overlap.scaled(share)), share, atol=1e-15)
    assert overlap.unscaled(np.array([-9, 9])).tolist() == [0, 1]
    # Exactly the arcsine for coefficients from -1 to 1.
    values = np.random.default_rng(1).uniform(-1, 1, 1000)
    np.testing.assert_array_equal(tau.scaled(values), np.arcsin(values), strict=True)
    np.testing.assert_array_equal(tau.unscaled(values), np.sin(values), strict=True)


@pytest.mark.parametrize("target", ["expected", "sample", "population"])
def test_bootstrap(target):
    X, Y = ircor.sample("map"), ircor.sample("recip_rank")
    found = ircor.bootstrap(X, Y, "rbo", 300, 1, target=target, p=0.9, ties="b")
    means = [Scores.of(table).means for table in (X, Y)]
    assert found.name == "rbo"
    assert found.statistic == rbo_scores(*means, 0.9, "b").ext
    assert 0 <= found.low < found.statistic < found.high <= 1
    statistics = [Statistic("", (Term(overlap_of(p, "b"), 1),)) for p in (0.5, 0.9)]
    tables = [Scores.of(X), Scores.of(X).aligned(Scores.of(Y))]
    # One simulation serves several values of p.
    _, several = intervals(tables, statistics, [target], 0.95, Resampling(300, 1, None, False))
    if target != "population":
        assert several[1].limits[target] == (found.estimate, found.low, found.high)
    assert several[0].limits[target] != several[1].limits[target]


def test_the_simulated_values_are_overlaps_of_simulated_means():
    X, Y = ircor.sample("map"), ircor.sample("recip_rank")
    small, large = (ircor.bootstrap(X, Y, "rbo", 200, 1, p=p).distribution for p in (0.5, 0.99))
    # With nearly equal weights for all depths, the overlap of any two rankings is high.
    assert 0 <= small.min() < 0.7 < large.min() <= large.max() <= 1


def test_differences_of_overlaps_are_refused():
    X, Y = ircor.sample("map"), ircor.sample("recip_rank")
    said = re.escape("'statistic' cannot be a difference with 'rbo': its interval was not measured")
    for y, statistic in ((Y, ("rbo", "tau_b")), ((Y, X), "rbo"), ((Y, X), ("tau_b", "rbo"))):
        with pytest.raises(ValueError, match=said):
            ircor.bootstrap(X, y, statistic, 100, p=0.9)


def test_p_of_a_difference_without_rbo():
    X = np.random.default_rng(1).random((20, 6))
    with pytest.raises(ValueError, match="^'p' and 'ties' are for statistic='rbo'"):
        ircor.bootstrap(X, X[::-1], ("tau_b", "tauAP_b"), 100, p=0.9)
    with pytest.raises(ValueError, match="^'statistic' cannot be a difference with 'rbo'"):
        ircor.bootstrap(X, X[::-1], ("tau_b", "rbo"), 100, p=0.9)
