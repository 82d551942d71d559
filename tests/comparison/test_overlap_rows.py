"""Rank-biased overlap beside the coefficients of `compare`, `correlate` and `tabulate`."""

import numpy as np
import pandas as pd
import pytest

import ircor
from ircor.comparison import compare, correlate, tabulate
from ircor.data._scores import Scores
from ircor.overlap import rbo_scores
from ircor.report import html

A, B = ircor.sample("map"), ircor.sample("P_10")


@pytest.mark.parametrize("target", ["expected", "sample", "population"])
def test_compare_adds_a_row(target):
    plain, found = (compare(A, B, resamples=200, seed=1, target=target, **options) for options in ({}, {"p": 0.9}))
    *others, row = found.view.table("coefficients").records()
    assert others == plain.view.table("coefficients").records()
    assert plain.conclusion == found.conclusion
    expected = rbo_scores(Scores.of(A).means, Scores.of(B).means, 0.9).ext
    assert (row["coefficient"], row["value"], row["note"]) == ("rbo", expected, "p = 0.9, ties a")
    one = ircor.bootstrap(A, B, "rbo", 200, 1, target=target, p=0.9)
    if target != "population":
        assert (row["low"], row["high"]) == (one.low, one.high)
    assert 0 <= row["low"] < row["value"] < row["high"] <= 1
    assert found.as_dict()["coefficients"][-1] == row


def test_compare_with_the_treatment_of_ties():
    rounded = A.round(1), B.round(1)
    means = [Scores.of(table).means for table in rounded]
    for ties in ("w", "b"):
        row = compare(*rounded, resamples=100, seed=1, p=0.8, ties=ties).view.table("coefficients").records()[-1]
        assert (row["value"], row["note"]) == (rbo_scores(*means, 0.8, ties).ext, f"p = 0.8, ties {ties}")


def test_compare_of_tables_that_rank_nothing():
    flat = pd.DataFrame(0.5, index=A.index, columns=A.columns)
    row = compare(A, flat, resamples=100, seed=1, p=0.9).view.table("coefficients").records()[-1]
    assert row["value"] == rbo_scores(Scores.of(A).means, np.zeros(A.shape[1]), 0.9).ext


def test_the_report_has_the_row_and_says_what_it_is():
    found = compare(A, B, resamples=100, seed=1, p=0.9)
    page = html(found)
    assert page.count("rbo (p = 0.9, ties a)") >= 1
    assert "rbo is rank-biased overlap, from 0 to 1" in page
    assert "rank-biased overlap" not in html(compare(A, B, resamples=100, seed=1))


def test_correlate_adds_a_value():
    x, y = [0.9, 0.7, 0.5, 0.3], [0.8, 0.9, 0.4, 0.4]
    plain, found = correlate(x, y), correlate(x, y, p=0.9)
    *others, row = found.view.table("coefficients").records()
    assert others == plain.view.table("coefficients").records()
    assert row == {"coefficient": "rbo", "value": rbo_scores(x, y, 0.9).ext, "note": "p = 0.9, ties a"}
    assert "rbo = 0.8865" in repr(found)
    ranks = correlate(x, y, p=0.9, ties="b", decreasing=False).view.table("coefficients").records()[-1]
    assert ranks["value"] == rbo_scores(x, y, 0.9, "b", decreasing=False).ext


@pytest.mark.parametrize(
    ("options", "missing", "said"),
    [
        ({"intervals": True}, ["low", "high"], "no interval"),
        ({"bootstrap": 50}, ["low", "high"], "no interval"),
        ({"permutations": 50}, ["p-value"], "no p-value"),
        ({"intervals": True, "permutations": 50}, ["low", "high", "p-value"], "no interval and no p-value"),
    ],
)
def test_correlate_has_no_interval_and_no_p_value_for_an_overlap(options, missing, said, rng):
    x, y = rng.random((2, 10))
    row = correlate(x, y, p=0.9, seed=1, **options).view.table("coefficients").records()[-1]
    assert [row[key] for key in missing] == [None] * len(missing)
    assert row["note"] == f"p = 0.9, ties a; {said} for an overlap of items"


@pytest.mark.parametrize(
    "call", [lambda **options: compare(A, B, **options), lambda **o: correlate([1, 2], [1, 2], **o)]
)
def test_ties_need_p(call):
    with pytest.raises(ValueError, match="^'ties' needs a value of 'p': both are for rank-biased overlap$"):
        call(ties="a")
    with pytest.raises(ValueError, match="^'p' must be between 0 and 1, not 2$"):
        call(p=2)


def test_tabulate():
    scores = ircor.sample()
    found = tabulate(scores, "rbo", p=0.8, ties="b")
    means = {name: Scores.of(scores[name]).means for name in ("map", "P_10", "ndcg", "recip_rank")}
    expected = [[rbo_scores(x, y, 0.8, "b").ext for y in means.values()] for x in means.values()]
    np.testing.assert_allclose(found.coefficients, expected, rtol=0, atol=1e-14)
    assert (found.method, found.p, found.ties) == ("rbo", 0.8, "b")
    assert {key: found.as_dict()[key] for key in ("method", "p", "ties")} == {"method": "rbo", "p": 0.8, "ties": "b"}
    assert found.sentences() == ["rbo: rank-biased overlap, p = 0.8, ties b."]
    with_distances = tabulate(scores, "rbo", p=0.8, drank=True)
    assert with_distances.sentences()[-1].endswith("above: rbo.")
    assert with_distances.ties == "a"
    assert tabulate(scores).p is tabulate(scores).ties is None
    assert "p" not in tabulate(scores).as_dict()
    ax = found.plot()
    assert ax.get_title() == "rbo (p = 0.8) of each pair of rankings"
