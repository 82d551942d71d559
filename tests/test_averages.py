"""Averages after a transformation, against SciPy, trec_eval, exact arithmetic and brute force."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations
from math import exp, fsum, log

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.stats
from scipy.special import logit, ndtri

import ircor
from ircor import crosscheck
from ircor.averages import (
    ap_floor,
    gmean,
    mean_log,
    mean_logit,
    position_sums,
    robustness_to_transform,
    transformed_mean,
)

AVERAGES = ["gmean", "mean_log", "mean_logit", "transformed_mean", "ap_floor"]


@pytest.fixture
def example(rng):
    """50 values of high variance, biased to the low end, with three zeros and three of 0.01 (section 3.2)."""
    return np.concatenate([np.zeros(3), np.full(3, 0.01), np.clip(rng.beta(0.7, 1.5, 44), 0.02, 1)])


def test_without_zeros_it_is_scipys_gmean(rng):
    for shape in (50, (50, 7)):
        values = rng.uniform(0.01, 1, shape)
        for zeros in ("floor", "trec_eval", "strict"):
            np.testing.assert_allclose(gmean(values, zeros=zeros), scipy.stats.gmean(values), rtol=1e-13)
        np.testing.assert_allclose(gmean(values, eps=1e-300), scipy.stats.gmean(values), rtol=1e-11)


@pytest.mark.parametrize("eps", [1e-4, 1e-5, 1e-6])
def test_equation_3(eps, example):
    with localcontext() as context:
        context.prec = 60
        small = Decimal(eps)
        logs = [(Decimal(x) + small).ln() for x in example.tolist()]
        exact = (sum(logs) / len(logs)).exp() - small
        assert gmean(example, eps=eps) == pytest.approx(float(exact), rel=1e-14, abs=0)
        assert mean_log(example, eps=eps) == pytest.approx(float(sum(logs) / len(logs)), rel=1e-14, abs=0)


def test_the_rules_for_zeros():
    values = [0, 1e-6, 0.5]
    # TREC 2005: "every zero value was reset to 0.00001"; trec_eval takes the greater of the value and 0.00001.
    assert gmean(values, zeros="floor") == pytest.approx((1e-5 * 1e-6 * 0.5) ** (1 / 3))
    assert gmean(values, zeros="trec_eval") == pytest.approx((1e-5 * 1e-5 * 0.5) ** (1 / 3))
    assert mean_log(values, zeros="floor") == pytest.approx(log(1e-5 * 1e-6 * 0.5) / 3)
    for function in (gmean, mean_log):
        with pytest.raises(ValueError, match="every value must be positive, not 0.0 for topic 0"):
            function(values, zeros="strict")


def test_the_claims_of_the_example(example):
    # Section 3.2: the geometric mean is below the mean; raising all by 0.05 raises the mean by as much and the
    # geometric mean by more; raising the lower half raises it more than the upper one.  Section 4.1: it grows with eps.
    assert gmean(example) < example.mean()
    raised = example + 0.05
    assert raised.mean() == pytest.approx(example.mean() + 0.05)
    assert gmean(raised) - gmean(example) > 0.05
    ordered = np.sort(example)
    lower, upper = ordered.copy(), ordered.copy()
    lower[:25] += 0.05
    upper[25:] += 0.05
    assert lower.mean() == pytest.approx(upper.mean())
    assert gmean(lower) > gmean(upper) > gmean(ordered)
    assert gmean(example, eps=1e-6) < gmean(example, eps=1e-5) < gmean(example, eps=1e-4)


def test_trec_evals_gm_map(rng):
    import pytrec_eval

    qrels, run = {}, {}
    for topic in map(str, range(40)):
        documents = [f"d{k}" for k in range(60)]
        relevant = set(rng.choice(documents, 5, replace=False).tolist())
        qrels[topic] = {d: int(d in relevant) for d in documents}
        # Some topics find nothing that is relevant.
        kept = documents if int(topic) % 5 else [d for d in documents if d not in relevant]
        run[topic] = {d: float(rng.random()) for d in kept}
    found = pytrec_eval.RelevanceEvaluator(qrels, {"map", "gm_map"}).evaluate(run)
    AP = [scores["map"] for scores in found.values()]
    assert AP.count(0) == 8
    gm_map = pytrec_eval.compute_aggregated_measure("gm_map", [scores["gm_map"] for scores in found.values()])
    assert gmean(AP, zeros="trec_eval") == pytest.approx(gm_map, rel=1e-12, abs=0)
    assert gmean(AP, zeros="floor") == pytest.approx(gm_map, rel=1e-12, abs=0)
    assert abs(gmean(AP) - gm_map) > 1e-6


def test_ten_million_values(rng):
    values = rng.random(10_000_000)
    exact = exp(fsum(np.log(values)) / values.size)
    assert gmean(values, zeros="strict") == pytest.approx(exact, rel=1e-14, abs=0)
    two = np.column_stack([values[:5_000_000], values[5_000_000:]])
    for k, half in enumerate((values[:5_000_000], values[5_000_000:])):
        assert gmean(two, zeros="strict")[k] == pytest.approx(exp(fsum(np.log(half)) / half.size), rel=1e-14, abs=0)


def test_very_small_values():
    values = np.full(1000, 1e-300)
    assert gmean(values, zeros="strict") == pytest.approx(1e-300, rel=1e-12, abs=0)
    # Equation (3) taken literally gives 0 or 1e-21 here.
    assert gmean(values) == pytest.approx(1e-300, rel=1e-12, abs=0)
    assert transformed_mean(values, "log") == pytest.approx(1e-300, rel=1e-12, abs=0)


def test_values_next_to_1():
    values = 1 - np.array([1e-15, 3e-15, 1e-14])
    with localcontext() as context:
        context.prec = 60
        odds = [(Decimal(p) / (1 - Decimal(p))).ln() for p in values.tolist()]
        exact = float(sum(odds) / 3)
    assert transformed_mean(values, "logit", inverse=False) == pytest.approx(exact, rel=1e-14, abs=0)
    assert 1 - transformed_mean(values, "logit") == pytest.approx(exp(-exact), rel=0.05)
    assert transformed_mean(values, "probit", inverse=False) == pytest.approx(
        -ndtri(1 - values).mean(), rel=1e-14, abs=0
    )


def test_log_odds(rng):
    values = rng.uniform(0.01, 0.99, (30, 4))
    np.testing.assert_allclose(transformed_mean(values, "logit", inverse=False), logit(values).mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(mean_logit(values, eps=1e-12), logit(values).mean(axis=0), rtol=1e-9, atol=1e-9)
    ends = np.array([0.0, 1.0, 0.2])
    expected = np.log((ends + 1e-5) / (1 - ends + 1e-5)).mean()
    assert mean_logit(ends) == pytest.approx(expected, rel=1e-13, abs=0)
    for p in (0.0, 1e-7, 0.3, 0.999999, 1.0):
        assert mean_logit([p, p], inverse=True) == pytest.approx(p, abs=1e-15)


@pytest.mark.parametrize("transform", ["identity", "log", "logit", "probit", "rank", (np.sqrt, np.square)])
@pytest.mark.parametrize("eps", [0, 1e-5])
def test_the_mean_of_equal_values_is_that_value(transform, eps):
    for p in (0.001, 0.3, 0.999):
        assert transformed_mean([p, p, p], transform, eps=eps) == pytest.approx(p, rel=1e-9)


def test_other_transformations(rng):
    values = rng.uniform(0.01, 0.99, (30, 4))
    np.testing.assert_allclose(transformed_mean(values, "identity"), values.mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(transformed_mean(values, "log"), scipy.stats.gmean(values), rtol=1e-12)
    np.testing.assert_allclose(
        transformed_mean(values, "probit", inverse=False), ndtri(values).mean(axis=0), atol=1e-13
    )
    ranks = scipy.stats.rankdata(values).reshape(30, 4)
    np.testing.assert_allclose(transformed_mean(values, "rank", inverse=False), ranks.mean(axis=0), rtol=1e-14)
    power = transformed_mean(values, (lambda x: x**2, np.sqrt))
    np.testing.assert_allclose(power, np.sqrt((values**2).mean(axis=0)), rtol=1e-13)


def test_the_mean_log_with_eps_is_that_of_equation_3(rng):
    values = rng.random(30)
    for eps in (1e-5, 0.1):
        assert transformed_mean(values, "log", inverse=False, eps=eps) == pytest.approx(
            mean_log(values, eps=eps), rel=1e-13
        )
    assert transformed_mean(values, "log", inverse=False) == pytest.approx(np.log(values).mean(), rel=1e-13)


def test_names_axes_and_kinds(rng):
    values = rng.uniform(0.1, 0.9, (5, 3))
    frame = pd.DataFrame(values, columns=list("ABC"), index=[f"t{k}" for k in range(5)])
    for function in (gmean, mean_log, mean_logit, lambda v, **k: transformed_mean(v, "log", **k)):
        plain = function(values)
        pd.testing.assert_series_equal(function(frame), pd.Series(plain, index=list("ABC")))
        pd.testing.assert_series_equal(function(frame.T, axis=1), pd.Series(plain, index=list("ABC")))
        np.testing.assert_allclose(function(values.T, axis=-1), plain)
        np.testing.assert_allclose(function(pl.DataFrame(values)), plain)
        assert type(function(frame["A"])) is type(function(values[:, 0].tolist())) is float
        assert function(frame["A"]) == plain[0]


HOLE = pd.DataFrame({"A": [0.1, 0.2], "B": [0.3, np.nan]}, index=["t1", "t2"])


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: gmean(HOLE), ValueError, "a finite number, not nan for topic 't2' and system 'B'"),
        (lambda: gmean(HOLE.T, axis=1), ValueError, "not nan for topic 't2' and system 'B'"),
        (lambda: mean_logit([0.5, np.inf]), ValueError, "not inf for topic 1"),
        (lambda: gmean([0.1, -0.1]), ValueError, "from 0 up, not -0.1 for topic 1"),
        (lambda: mean_logit([0.1, 1.1]), ValueError, "from 0 to 1, as the logit needs it, not 1.1 for topic 1"),
        (lambda: transformed_mean([0.1, 1], "probit"), ValueError, "neither 0 nor 1, as the probit needs it"),
        (lambda: transformed_mean([0.1, 0], "log"), ValueError, "positive, as the log needs it, not 0.0"),
        (lambda: transformed_mean([0.1, 0], "cube"), ValueError, "identity, log, logit, probit, rank or a pair"),
        (lambda: transformed_mean([0.1, 0.2], np.log), TypeError, "a name or a pair of functions"),
        (lambda: transformed_mean([0.1, 0.2], (np.negative, np.negative)), ValueError, "increasing on the values"),
        (lambda: transformed_mean([0.0, 0.2], (np.reciprocal, np.reciprocal)), ValueError, "finite and increasing"),
        (lambda: transformed_mean([0.1, 0.2], "log", eps=-1), ValueError, "'eps' must be 0, or from 1e-300 up"),
        (lambda: gmean([]), ValueError, "one topic and one system or more"),
        (lambda: gmean(np.zeros((0, 3))), ValueError, "one topic and one system or more"),
        (lambda: gmean(np.zeros((2, 2, 2))), ValueError, "one or two dimensions"),
        (lambda: gmean([0.1], axis=1), ValueError, "'axis' must be one of the 1 dimensions"),
        (lambda: gmean([0.1], axis=None), ValueError, "'axis' be one of them"),
        (lambda: gmean(np.zeros((3, 0))), ValueError, "one topic and one system or more"),
        (lambda: gmean(np.ma.masked_array([0.1, 1e9], mask=[0, 1])), ValueError, "not nan for topic 1"),
        (lambda: gmean(HOLE.astype("Float64")), ValueError, "not nan for topic 't2' and system 'B'"),
        (lambda: gmean([0.1], eps=1e-320), ValueError, "from 1e-300 up"),
        (lambda: gmean([0.1], eps="small"), TypeError, "'eps' must be a number, not 'small'"),
        (lambda: transformed_mean([0.1, 0.2], ("log", "exp")), TypeError, "a name or a pair of functions"),
        (lambda: transformed_mean([0.1, 0.2], (log, exp)), TypeError, "must take arrays"),
        (lambda: gmean([[0.1, 0.2], [0.3]]), TypeError, "'values' must be a table of numbers"),
        (lambda: gmean(0.5), ValueError, "one or two dimensions"),
        (lambda: gmean(["a"]), TypeError, "'values' must be numbers"),
        (lambda: gmean([True, False]), TypeError, "'values' must be numbers"),
        (lambda: gmean([0.1], eps=0), ValueError, "'eps' must be a positive number, from 1e-300 up, not 0"),
        (lambda: mean_log([0.1], eps=float("nan")), ValueError, "'eps' must be a positive number"),
        (lambda: mean_logit([0.1], eps=-1), ValueError, "'eps' must be a positive number"),
        (lambda: gmean([0.1], zeros="drop"), ValueError, "'zeros' must be add, floor, trec_eval or strict"),
    ],
)
def test_bad_input_is_refused(call, kind, words):
    with pytest.raises(kind, match=words), np.errstate(divide="ignore"):
        call()


def average_precision(ranks):
    return sum(Fraction(i, rank) for i, rank in enumerate(sorted(ranks), 1)) / len(ranks)


def test_ap_floor_against_all_orders_of_small_collections():
    for N in range(1, 7):
        for cut in range(N + 1):
            for k in range(min(cut, 2) + 1):
                ranks = list(range(cut, cut - k, -1))
                for R in range(max(k, 1), k + N - cut + 1):
                    rest = [1] * (R - k) + [0] * (N - cut - R + k)
                    values = [
                        average_precision(ranks + [cut + 1 + t for t, relevant in enumerate(order) if relevant])
                        for order in permutations(rest)
                    ]
                    case = (ranks, R, N)
                    assert ap_floor(*case, retrieved=cut) == pytest.approx(float(min(values)), abs=1e-12), case
                    expected = float(sum(values) / len(values))
                    assert ap_floor(*case, retrieved=cut, rest="random") == pytest.approx(expected, abs=1e-12), case


def test_ap_floor_as_the_paper_writes_it():
    # Section 4.1: R / N, (R - 1) / (N - 1), ... counting backwards from the last.
    R, N = 5, 1000
    assert ap_floor([], R, N) == pytest.approx(sum((R - i) / (N - i) for i in range(R)) / R, rel=1e-14, abs=0)


def test_ap_floor_against_simulation(rng):
    N, R, cut, ranks = 20_000, 40, 1000, [3, 17, 500]
    samples = []
    for _ in range(3000):
        below = np.sort(rng.choice(N - cut, R - 3, replace=False)) + cut + 1
        samples.append((np.arange(1, R + 1) / np.concatenate([ranks, below])).sum() / R)
    error = np.std(samples) / np.sqrt(len(samples))
    assert ap_floor(ranks, R, N, retrieved=cut, rest="random") == pytest.approx(np.mean(samples), abs=4 * error)


def test_ap_floor_does_not_loop_over_the_collection():
    # More documents than could ever be looped over; most of the value is that of a random order.
    huge = ap_floor([], 10, 10**15, retrieved=1000, rest="random")
    assert 0 < ap_floor([], 10, 10**15) < huge < 1e-12


@pytest.mark.parametrize(("R", "N", "cut"), [(2, 25_000_000, 24_999_997), (5, 10**12, 10**12 - 6)])
def test_ap_floor_where_few_documents_are_left(R, N, cut):
    M = N - cut
    expected = (Fraction(R, M) * (1 + Fraction((t - 1) * (R - 1), M - 1)) / (cut + t) for t in range(1, M + 1))
    value = ap_floor([], R, N, retrieved=cut, rest="random")
    assert value == pytest.approx(float(sum(expected) / R), rel=1e-14, abs=0)
    assert ap_floor([], R, N) <= value


@pytest.mark.parametrize("c", [0, 1, 500, 999, 1000, 1001, 5000, 10**6, 10**12])
@pytest.mark.parametrize("M", [1, 2, 999, 1000, 1001, 1500, 30_000])
def test_sums_over_positions(c, M):
    # In whole numbers of 2^-200, which are exact enough for anything.
    one = 1 << 200
    inverse, weighted = position_sums(c, M)
    exact = [sum(w * one // (c + t) for t, w in enumerate(weights, 1)) / one for weights in ([1] * M, range(M))]
    assert inverse == pytest.approx(exact[0], rel=1e-14, abs=0)
    assert weighted == pytest.approx(exact[1], rel=2e-13, abs=0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([0], 1, 10), "different ranks from 1"),
        (([1, 1], 2, 10), "different ranks from 1"),
        (([1, 2, 3], 2, 10), "do not fit together: 3 of 2 relevant"),
        (([], 0, 10), "do not fit together"),
        (([], 11, 10), "do not fit together"),
        (([11], 1, 10), "do not fit together"),
        (([1.5], 1, 10), "'relevant_ranks' must be whole"),
        (([1], True, 10), "'n_relevant' must be whole"),
    ],
)
def test_ap_floor_refuses_what_does_not_fit(arguments, words):
    with pytest.raises(ValueError, match=words):
        ap_floor(*arguments)
    with pytest.raises(ValueError, match="different ranks from 1 to the 5"):
        ap_floor([6], 1, 10, retrieved=5)
    with pytest.raises(ValueError, match="do not fit together"):
        ap_floor([], 6, 10, retrieved=5)
    with pytest.raises(ValueError, match="'rest' must be 'last' or 'random'"):
        ap_floor([], 1, 10, rest="first")


@pytest.fixture
def scores(rng):
    values = np.clip(rng.beta(0.7, 1.5, (40, 12)) * rng.uniform(0.6, 1, 12), 0, 1)
    values[rng.random((40, 12)) < 0.05] = 0
    return pd.DataFrame(values, columns=[f"s{k}" for k in range(12)], index=[f"t{k}" for k in range(40)])


@pytest.mark.parametrize("method", ["tau_b", "tauAP_b", "tauAP_a", "tau"])
def test_rankings_and_their_correlations(scores, method):
    report = robustness_to_transform(scores, method=method)
    assert report.transforms == ("identity", "log", "logit", "probit", "rank")
    for k, name in enumerate(report.transforms):
        mean = transformed_mean(scores, name, eps=1e-5)
        np.testing.assert_allclose(report.means[k], mean)
        assert report.rankings[name] == tuple(mean.sort_values(ascending=False).index)
    function = getattr(ircor, method)
    means = [transformed_mean(scores, name, eps=1e-5, inverse=False) for name in report.transforms]
    np.testing.assert_allclose(report.correlations, [[function(x, y) for y in means] for x in means], atol=1e-12)


def test_changes_of_order_and_the_topics_that_decide_them(scores):
    report = robustness_to_transform(scores, ["identity", "log"])
    first, second = scores.mean(), mean_log(scores)
    expected = {(a, b) for a in scores for b in scores if first[a] > first[b] and second[a] < second[b]}
    assert {(change.better, change.worse) for change in report.changes} == expected
    assert len(expected) > 5
    for change in report.changes:
        # Without those topics the order agrees; with the weakest of them it does not.
        without = mean_log(scores.drop(index=list(change.topics)))
        assert without[change.better] >= without[change.worse]
        with_one = mean_log(scores.drop(index=list(change.topics[:-1])))
        assert with_one[change.better] < with_one[change.worse]


def test_means_that_differ_by_rounding_alone_are_no_change(rng):
    for _ in range(50):
        column = rng.integers(0, 11, 20) / 10
        table = np.column_stack([rng.permutation(column) for _ in range(4)])
        report = robustness_to_transform(table, ["identity", "log", (np.square, np.sqrt)])
        assert report.changes == ()
        assert np.isnan(report.correlations).all()


def test_functions_can_be_compared_too(scores):
    report = robustness_to_transform(scores, ["identity", (lambda x: x**2, np.sqrt), (lambda x: x**3, np.cbrt)])
    assert report.transforms == ("identity", "function 1", "function 2")
    with pytest.raises(TypeError, match="a name or a pair of functions"):
        robustness_to_transform(scores, ["identity", np.log])


def test_it_prints_well(scores):
    text = str(robustness_to_transform(scores, ["identity", "log"], "tau_b"))
    lines = text.splitlines()
    assert lines[0].split() == ["tau_b", "identity", "log"]
    assert lines[1].split()[:2] == ["identity", "1.0000"]
    assert lines[3].startswith("log orders ")
    assert lines[3].endswith(" of 66 pairs otherwise than identity")
    assert " over " in lines[4]


def test_robustness_refuses_bad_arguments(scores):
    for arguments, words in [
        ((scores["s0"],), "two dimensions"),
        ((scores, ["log"], "spearman"), "'method' must be one of tau, tau_a"),
        ((scores, []), "one transformation or more"),
        ((scores, "log"), "a list of one transformation or more, not 'log'"),
        ((scores[["s0"]],), "two systems or more"),
        ((scores, ["log", "log"]), "must be different"),
    ]:
        with pytest.raises(ValueError, match=words):
            robustness_to_transform(*arguments)


@pytest.mark.r
def test_agreement_with_r():
    oracle = crosscheck.find_oracle("reference")
    report = crosscheck.run(oracle, [])
    crosscheck.compare_averages(report, oracle, seed=1)
    assert report.agrees, report.as_json()
    assert all(report.functions[name].cases > 400 for name in AVERAGES)


@pytest.mark.r
@pytest.mark.parametrize("name", AVERAGES)
def test_a_broken_average_is_caught_and_can_be_pasted(name, monkeypatch):
    import rpy2.robjects as ro

    oracle = crosscheck.find_oracle("reference")
    right = getattr(crosscheck.averages, name)
    monkeypatch.setattr(crosscheck.averages, name, lambda *a, **k: right(*a, **k) + 1e-6)
    report = crosscheck.run(oracle, [])
    crosscheck.compare_averages(report, oracle, seed=1, count=20)
    monkeypatch.undo()
    (found,) = (disagreement for disagreement in report.disagreements if disagreement.function == name)
    assert eval(found.python_call, {"ircor": ircor}) == pytest.approx(ro.r(found.r_call)[0], rel=1e-8)
