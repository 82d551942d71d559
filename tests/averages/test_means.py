"""Means over topics against SciPy, trec_eval and exact arithmetic."""

from decimal import Decimal, localcontext
from math import exp, fsum, log

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.stats

from ircor.averages import gmean, mean_log, mean_logit, transformed_mean
from ircor.data._scores import Scores


@pytest.fixture
def example(rng):
    """50 values with a high variance and many low ones, among them three zeros and three times 0.01 (section 3.2)."""
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
    # TREC 2005: "every zero value was reset to 0.00001"; trec_eval takes the maximum of the value and 0.00001.
    assert gmean(values, zeros="floor") == pytest.approx((1e-5 * 1e-6 * 0.5) ** (1 / 3))
    assert gmean(values, zeros="trec_eval") == pytest.approx((1e-5 * 1e-5 * 0.5) ** (1 / 3))
    assert mean_log(values, zeros="floor") == pytest.approx(log(1e-5 * 1e-6 * 0.5) / 3)
    for function in (gmean, mean_log):
        with pytest.raises(ValueError, match="'values' must be positive with zeros='strict': 0.0 for topic 0"):
            function(values, zeros="strict")


def test_the_claims_of_the_example(example):
    # Section 3.2: the geometric mean is below the mean.  Adding 0.05 to all values adds 0.05 to the mean and more to
    # the geometric mean; adding it to the lower half increases it by more than adding it to the upper half.
    # Section 4.1: the geometric mean increases with eps.
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
        # In some topics no relevant document is retrieved.
        kept = documents if int(topic) % 5 else [d for d in documents if d not in relevant]
        run[topic] = {d: float(rng.random()) for d in kept}
    found = pytrec_eval.RelevanceEvaluator(qrels, {"map", "gm_map"}).evaluate(run)
    AP = [scores["map"] for scores in found.values()]
    assert AP.count(0) == 8
    gm_map = pytrec_eval.compute_aggregated_measure("gm_map", [scores["gm_map"] for scores in found.values()])
    assert gmean(AP, zeros="trec_eval") == pytest.approx(gm_map, rel=1e-12, abs=0)
    assert gmean(AP, zeros="floor") == pytest.approx(gm_map, rel=1e-12, abs=0)
    assert abs(gmean(AP) - gm_map) > 1e-6


@pytest.mark.slow
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
    # Equation (3), computed as it is written, gives 0 or 1e-21.
    assert gmean(values) == pytest.approx(1e-300, rel=1e-12, abs=0)
    assert transformed_mean(values, "log") == pytest.approx(1e-300, rel=1e-12, abs=0)


def test_names_axes_and_kinds(rng):
    values = rng.uniform(0.1, 0.9, (5, 3))
    frame = pd.DataFrame(values, columns=list("ABC"), index=[f"t{k}" for k in range(5)])
    for function in (gmean, mean_log, mean_logit, lambda v, **k: transformed_mean(v, "log", **k)):
        plain = function(values)
        pd.testing.assert_series_equal(function(frame), pd.Series(plain, index=list("ABC")))
        pd.testing.assert_series_equal(function(frame.T, axis=1), pd.Series(plain, index=list("ABC")))
        np.testing.assert_allclose(function(values.T, axis=-1), plain)
        np.testing.assert_allclose(function(values, axis=-2), plain)
        np.testing.assert_allclose(function(pl.DataFrame(values)), plain)
        assert type(function(frame["A"])) is type(function(values[:, 0].tolist())) is float
        assert function(frame["A"]) == plain[0]


HOLE = pd.DataFrame({"A": [0.1, 0.2], "B": [0.3, np.nan]}, index=["t1", "t2"])


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: gmean(HOLE), ValueError, "'values' must not have .*: nan for topic 't2' and system 'B'"),
        (lambda: gmean(HOLE.T, axis=1), ValueError, "nan for topic 't2' and system 'B'"),
        (lambda: gmean(HOLE["B"]), ValueError, "nan for topic 't2' and system 'B'"),
        (lambda: mean_logit([0.5, np.inf]), ValueError, "inf for topic 1"),
        (lambda: gmean([0.1, -0.1]), ValueError, "'values' must not be negative: -0.1 for topic 1"),
        (lambda: mean_log([0.1, -0.1], zeros="floor"), ValueError, "'values' must not be negative: -0.1 for topic 1"),
        (lambda: mean_logit([0.1, 1.1]), ValueError, "'values' must be from 0 to 1 for the logit: 1.1 for topic 1"),
        (lambda: gmean([]), ValueError, "'values' must have one .* or more, not 0"),
        (lambda: gmean(np.zeros((0, 3))), ValueError, "'values' must have one topic.* or more, not 0"),
        (lambda: gmean(np.zeros((2, 2, 2))), ValueError, "'values' must have one or two dimensions, not 3"),
        (lambda: gmean([0.1], axis=1), ValueError, "'axis' must be one of the 1 dimensions of 'values', not 1"),
        (lambda: gmean([0.1], axis=-2), ValueError, "'axis' must be one of the 1 dimensions of 'values', not -2"),
        (lambda: gmean([[0.1]], axis=2), ValueError, "'axis' must be one of the 2 dimensions"),
        (lambda: gmean([[0.1]], axis=-3), ValueError, "'axis' must be one of the 2 dimensions"),
        (lambda: gmean([0.1], axis=None), TypeError, "'axis' must be a whole number, not None"),
        (lambda: gmean([0.1], axis=False), TypeError, "'axis' must be a whole number, not False"),
        (lambda: gmean(np.zeros((3, 0))), ValueError, "'values' must have one system.* or more, not 0"),
        (lambda: gmean(np.ma.masked_array([0.1, 1e9], mask=[0, 1])), ValueError, "nan for topic 1"),
        (lambda: gmean(HOLE.astype("Float64")), ValueError, "nan for topic 't2' and system 'B'"),
        (lambda: gmean(HOLE.astype("Float64").T, axis=1), ValueError, "nan for topic 't2' and system 'B'"),
        (lambda: gmean([0.1], eps=1e-320), ValueError, "from 1e-300 up"),
        (lambda: gmean([0.1], eps="small"), TypeError, "'eps' must be a number, not 'small'"),
        (lambda: gmean([[0.1, 0.2], [0.3]]), TypeError, "'values' must be a table of numbers"),
        (lambda: gmean(0.5), ValueError, "one or two dimensions"),
        (lambda: gmean(np.array(["a"])), TypeError, "'values' must be numbers"),
        (lambda: gmean([True, False]), TypeError, "'values' must be numbers"),
        (lambda: gmean([0.1], eps=0), ValueError, "'eps' must be a positive number, from 1e-300 up, not 0"),
        (lambda: mean_log([0.1], eps=float("nan")), ValueError, "'eps' must be a positive number"),
        (lambda: mean_logit([0.1], eps=-1), ValueError, "'eps' must be a positive number"),
        (lambda: gmean([0.1], eps=np.inf), ValueError, "'eps' must be a positive number"),
        (lambda: gmean([0.1], zeros="drop"), ValueError, "'zeros' must be one of add, floor, trec_eval, strict"),
        (lambda: mean_log([0.1], zeros="drop"), ValueError, "'zeros' must be one of add, floor, trec_eval, strict"),
        (lambda: gmean([0.1], zeros=HOLE), ValueError, "'zeros' must be one of add, floor, trec_eval, strict"),
        (lambda: mean_log([0.1], zeros=pd.NA), ValueError, "'zeros' must be one of .*, not <NA>"),
    ],
)
def test_bad_input_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_the_least_eps_that_is_allowed():
    assert gmean([0.5], eps=1e-300) == pytest.approx(0.5)
    assert mean_logit([0.5], eps=1e-300) == pytest.approx(0)


def test_names_of_every_kind_of_index(rng):
    values = rng.uniform(0.1, 0.9, (4, 2))
    for columns in (
        pd.Index(["A", "B"], name="system"),
        pd.MultiIndex.from_tuples([("map", "A"), ("map", "B")], names=["measure", "system"]),
        pd.RangeIndex(2),
    ):
        frame = pd.DataFrame(values, columns=columns)
        for means in (gmean(frame), gmean(frame.T, axis=1), gmean(Scores.of(frame))):
            pd.testing.assert_index_equal(means.index, columns)


def test_tables_of_mixed_types():
    by_system = pd.DataFrame({"A": pd.Series([1, 4], dtype="Int64"), "B": [0.5, 0.5], "C": np.array([1, 9], "int8")})
    np.testing.assert_allclose(gmean(by_system, zeros="strict"), [2, 0.5, 3])
    by_topic = pd.DataFrame({"t1": pd.array([1, 3], dtype="Int64"), "t2": [4.0, 3.0]}, index=["A", "B"])
    assert gmean(by_topic, zeros="strict", axis=1).round(12).to_dict() == {"A": 2, "B": 3}


def test_polars_needs_no_pandas(rng, monkeypatch):
    import sys

    values = rng.uniform(0.1, 0.9, (5, 3))
    monkeypatch.setitem(sys.modules, "pandas", None)
    for means in (gmean(pl.DataFrame(values)), gmean(pl.DataFrame(values.T.copy()), axis=1)):
        np.testing.assert_array_equal(means, gmean(values))
    assert gmean(pl.Series(values[:, 0])) == gmean(values[:, 0])


def test_scores_are_not_checked_again(rng, monkeypatch):
    values = rng.uniform(0.1, 0.9, (5, 3))
    scores = Scores.of(values)
    expected = gmean(values)
    monkeypatch.setattr("ircor.data._scores.number_table", lambda *_: pytest.fail("checked again"))
    np.testing.assert_array_equal(gmean(scores), expected)
    assert type(gmean(scores)) is np.ndarray


def test_the_sum_over_topics_runs_along_contiguous_memory(rng):
    # Along strided memory NumPy adds one by one, and the error grows with the number of topics.
    values = rng.random((100_000, 3))
    exact = [fsum(column) / len(column) for column in values.T.tolist()]
    np.testing.assert_allclose(transformed_mean(values, "identity"), exact, rtol=4e-16, atol=0)


def test_an_inverse_for_numbers_suffices_for_one_system():
    # The function gets arrays; the inverse gets the mean, which is one number.
    assert transformed_mean([0.1, 0.4], (np.log, exp)) == pytest.approx(0.2)
