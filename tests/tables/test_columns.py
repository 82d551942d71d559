"""cor: against the single functions, pandas, SciPy and R's cor."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow
import pytest
from calls import FUNCTIONS, REFUSING

import ircor
from ircor._core import rounding, work as _parallel
from ircor._kernel import totals_of_columns
from ircor.tables import _columns, cor

AP = ["tauAP", "tauAP_a", "tauAP_b"]


def options(name, decreasing):
    return {"decreasing": decreasing} if name in AP else {}


@pytest.fixture
def table(rng, tied, name):
    """Rankings that the coefficient takes as x and as y: with ties unless it refuses them."""
    return rng.random((30, 6)) if REFUSING[name] else tied((30, 6))


@pytest.mark.parametrize("decreasing", [True, False])
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_cor_is_the_single_function_of_every_pair(name, function, table, rng, tied, decreasing, n_jobs):
    expected = [[function(x, y, **options(name, decreasing)) for y in table.T] for x in table.T]
    found = cor(table, method=name, decreasing=decreasing, n_jobs=n_jobs)
    np.testing.assert_allclose(found, expected, atol=1e-15)
    others = rng.random((30, 4)) if "y" in REFUSING[name] else tied((30, 4))
    expected = [[function(x, y, **options(name, decreasing)) for y in others.T] for x in table.T]
    np.testing.assert_allclose(cor(table, others, name, decreasing, n_jobs), expected, atol=1e-15)


@pytest.mark.parametrize("n", [2, 3, 20, 30, 65, 500, 3000])
def test_cor_on_many_lengths(n, tied):
    table = tied((n, 5), groups=max(2, n // 3))
    for name in ("tau_b", "tauAP_b"):
        expected = [[FUNCTIONS[name](x, y) for y in table.T] for x in table.T]
        np.testing.assert_allclose(cor(table, method=name), expected, atol=1e-15)


def test_x_is_the_row_and_y_the_column():
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, 3, 2, 4], "c": [4, 1, 3, 2]})
    found = cor(frame, method="tauAP")
    assert found.loc["a", "c"] == ircor.tauAP(frame["a"], frame["c"])
    assert found.loc["a", "c"] != found.loc["c", "a"]


def test_cor_agrees_with_pandas_and_scipy(tied):
    frame = pd.DataFrame(tied((40, 7)), columns=list("abcdefg"))
    pd.testing.assert_frame_equal(cor(frame), frame.corr(method="kendall"), atol=1e-12)


@pytest.mark.r
def test_cor_agrees_with_rs_cor(tied):
    import rpy2.robjects as ro

    table = tied((40, 7))
    matrix = ro.r["matrix"](ro.FloatVector(table.ravel(order="F")), nrow=40)
    theirs = np.array(list(ro.r["cor"](matrix, method="kendall"))).reshape(7, 7)
    np.testing.assert_allclose(cor(table), theirs, atol=1e-12)


def test_cor_keeps_the_names_and_the_types(rng):
    frame = pd.DataFrame({"large": [2**60, 2**60 + 1, 2**60 + 2], "name": [3, 1, 2], 7: [0.5, 0.25, 1.0]})
    found = cor(frame, method="tau")
    assert list(found.index) == list(found.columns) == ["large", "name", 7]
    assert found.loc["large", "name"] == ircor.tau([1, 2, 3], [3, 1, 2])
    found = cor(frame[["name"]], frame[["large", 7]])
    assert (list(found.index), list(found.columns)) == (["name"], ["large", 7])
    polars = pl.DataFrame({"a": [1, 2, 3], "b": [3, 1, 2]})
    assert cor(polars).loc["a", "b"] == cor(polars.to_pandas()).loc["a", "b"]
    twice = pd.DataFrame(rng.random((5, 2)), columns=["a", "a"])
    np.testing.assert_array_equal(cor(twice), cor(twice.to_numpy()))
    # Columns of one table and an array: rows are matched by position.
    assert cor(frame[["name"]], np.array([[1.0], [2.0], [3.0]])).shape == (1, 1)


def test_no_coefficient_leaves_its_bounds(name, rng):
    """However the sums of fractions round."""
    for n in range(2, 120):
        x = rng.random(n)
        found = cor(np.stack([x, x, -x], axis=1), method=name)
        assert found.max() <= 1
        assert found.min() >= -1
        assert found[0, 1] == pytest.approx(1)


def test_cor_of_ties_all_over_is_nan_as_the_single_function_is():
    table = np.array([[1.0, 2.0], [1.0, 1.0], [1.0, 3.0]])
    for name in ("tau_b", "tauAP_b"):
        np.testing.assert_array_equal(np.isnan(cor(table, method=name)), [[True, True], [True, False]])


def test_cor_of_nothing():
    assert cor(np.empty((5, 0))).shape == (0, 0)
    assert cor(np.ones((5, 2)), np.empty((5, 0))).shape == (2, 0)


def test_what_cor_refuses_names_the_column(rng):
    untied, ties = rng.random((5, 2)), np.array([[1.0, 1.0, 2.0, 3.0, 4.0]]).T
    frame = pd.DataFrame({"good": untied[:, 0], "tied": ties[:, 0], "gap": [1, 2, np.nan, 3, 4]})
    for arguments, error, words in [
        ((frame[["good", "tied"]], None, "tau"), ValueError, "'tied' contains ties"),
        ((frame[["good"]], frame[["tied"]], "tau"), ValueError, "'tied' contains ties"),
        ((frame[["tied"]], frame[["good"]], "tau_a"), ValueError, "'tied' contains ties"),
        ((frame[["good", "gap"]], None, "tauAP_a"), ValueError, "'gap' has a missing value in row 3"),
        ((frame, None, "tau_b"), ValueError, "'gap' has a missing value in row 3"),
        ((np.hstack([untied, ties]), None, "tau"), ValueError, "'column 2 of X' contains ties"),
        ((untied, ties, "tauAP"), ValueError, "'column 0 of Y' contains ties"),
        ((pd.DataFrame({"words": ["a", "b"]}),), TypeError, "'words' must be a numeric vector"),
        ((untied, untied[:3]), ValueError, "must have the same items: they have 5 and 3"),
        ((untied[:1],), ValueError, "'X' must have two items or more, not 1"),
        (
            (untied[0],),
            TypeError,
            "'X' must be a table, items by rankings, not a vector; for two vectors use tau_b",
        ),
        ((untied, None, "kendall"), ValueError, "'method' must be one of tau, tau_a, .*, not 'kendall'"),
        ((untied, None, "tau_b", "maybe"), TypeError, "'decreasing' must be True or False, or .*: 'maybe'"),
    ]:
        with pytest.raises(error, match=words):
            cor(*arguments)


def test_what_r_prints_alike_is_a_tie_in_a_table_too(monkeypatch):
    monkeypatch.setattr(rounding, "MOST_MEANS", 2)  # of longer columns, rounding ties nothing
    with pytest.raises(ValueError, match="'b' contains ties. R prints"):
        cor(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0.3, 0.1 + 0.2, 1.0]}), method="tau")


def test_tables_of_other_kinds():
    rows = [[2**60, 0.5], [2**60 + 1, 0.3], [2**60 + 2, 1.0]]
    assert cor(rows, method="tau")[0, 1] == ircor.tau([1, 2, 3], [0.5, 0.3, 1.0])
    masked = np.ma.array([[2**60, 1], [2**60 + 1, 3], [2**60 + 2, 2]])
    assert cor(masked, method="tau")[0, 1] == ircor.tau([1, 2, 3], [1, 3, 2])
    masked[1, 0] = np.ma.masked
    with pytest.raises(ValueError, match="'column 0 of X' has a missing value"):
        cor(masked)
    arrow = pyarrow.table({"a": [1, 2, 3], "b": [3, 1, 2]})
    assert list(cor(arrow).columns) == ["a", "b"]
    for table in (np.ma.array([["1", "2"], ["3", "4"]]), [[True, 2], [False, 3]], [[1, 2], [3]], np.array([[1j], [2]])):
        with pytest.raises(TypeError, match="must be a"):
            cor(table)


def test_other_words_of_refusal(rng):
    table = rng.random((5, 2))
    for arguments, error, words in [
        ((np.ones((5, 0)), table[:1]), ValueError, "'Y' must have two items or more, not 1"),
        ((table[:0],), ValueError, "'X' must have two items or more, not 0"),
        (([[1, 2], [3]],), TypeError, "'X' must be a table, but its rows differ in length"),
        (
            (table, [1, 2, 3, 4, 5]),
            TypeError,
            "'Y' must be a table, items by rankings, not a vector; for two vectors use tau_b",
        ),
        ((np.zeros((2, 2, 2)),), TypeError, "'X' must be a table, items by rankings, but it has 3 dimensions"),
        ((None,), TypeError, "'X' must be a table, items by rankings, but it has 0 dimensions"),
        (([],), TypeError, "'X' must be a table, items by rankings, not a vector; for two vectors use tau_b"),
        ((np.array([["a"], ["b"]]),), TypeError, "'column 0 of X' must be a numeric vector"),
        ((table, None, pd.Series(["tau"])), ValueError, "'method' must be one of .*, not a Series"),
        ((table, None, pd.NA), ValueError, "'method' must be one of .*, not <NA>"),
        ((table, None, "tau", pd.DataFrame({"a": [True]})), TypeError, "'decreasing' must be .*: a DataFrame"),
        ((table, None, "tau", True, 0), ValueError, "'n_jobs' must not be 0"),
    ]:
        with pytest.raises(error, match=words):
            cor(*arguments)
    assert cor(table[:2]).shape == (2, 2)


@pytest.fixture
def pairs(monkeypatch):
    """The numbers of pairs, and of rankings on each side, of the calls of the kernel."""
    calls = []

    def counted(x, y, sums, half):
        totals = totals_of_columns(x, y, sums, half)
        calls.append((len(totals.x.n), len(x), len(y)))
        return totals

    monkeypatch.setattr(_columns, "totals_of_columns", counted)
    return calls


def test_a_symmetric_coefficient_is_computed_once_for_a_pair(name, table, pairs):
    found = cor(table, method=name)
    assert pairs == [(21 if name in ("tau", "tau_b", "tauAP_b") else 36, 6, 6)]
    assert (found == found.T).all() == (name not in ("tauAP", "tauAP_a"))
    cor(table, table, name)
    assert pairs[1:] == [(36, 6, 6)]


def test_a_task_has_the_rankings_of_its_pairs_only(rng, pairs, monkeypatch):
    table, others = rng.random((10, 4)), rng.random((10, 3))
    expected = cor(table, others, "tauAP"), cor(table, method="tau")
    monkeypatch.setattr(_parallel, "ITEMS_PER_TASK", 22)
    pairs.clear()
    np.testing.assert_array_equal(cor(table, others, "tauAP"), expected[0])
    assert pairs == [(2, 2, 1), (4, 2, 2)] * 2
    pairs.clear()
    np.testing.assert_array_equal(cor(table, method="tau"), expected[1])
    assert pairs == [(3, 2, 2), (4, 2, 2), (3, 2, 2)]
