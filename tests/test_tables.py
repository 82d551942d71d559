"""Many rankings at once, against the single functions, SciPy, R's cor and plain loops, here and on other backends."""

import os
import pickle
import signal
import tracemalloc
import warnings
from itertools import permutations, product
from math import factorial

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow
import pytest
import scipy.stats
from calls import FUNCTIONS, REFUSING

import ircor
from ircor import tables
from ircor._check import tie_means
from ircor._dominance import Dominance, Ranking, totals_of_pairs, totals_of_permutations
from ircor.rank_distance import DrankNull
from ircor.tables import bootstrap, cor, cor_by, numbered_permutations, permutation_test

AP = ["tauAP", "tauAP_a", "tauAP_b"]


def options(name, decreasing):
    return {"decreasing": decreasing} if name in AP else {}


def tied(rng, shape, groups=5):
    return rng.integers(0, groups, shape).astype(float)


@pytest.fixture
def table(rng, name):
    """Rankings that the coefficient takes as x and as y: with ties unless it refuses them."""
    return rng.random((30, 6)) if REFUSING[name] else tied(rng, (30, 6))


# The kernel's batches


@pytest.mark.parametrize("n", [0, 1, 2, 24, 25, 64, 65, 300, 1024, 1025, 3000])
@pytest.mark.parametrize("groups", [1, 3, 10**9])
def test_a_ranking_survives_pickling(n, groups, rng):
    values = rng.integers(0, groups, n).astype(float)
    values[rng.random(n) < 0.1] = np.nan
    ranking = Ranking(values, True)
    copy = pickle.loads(pickle.dumps(ranking))
    for attribute in ("n", "missing", "tied_pairs", "top"):
        assert getattr(copy, attribute) == getattr(ranking, attribute)
    for method in ("items", "places", "group_sizes"):
        np.testing.assert_array_equal(getattr(copy, method)(), getattr(ranking, method)())


@pytest.mark.parametrize("n", [1, 2, 5, 7, 8, 9, 16, 17, 63, 100, 513, 1000, 1024])
@pytest.mark.parametrize("decreasing", [True, False])
def test_values_that_differ_in_their_last_bits_only(n, decreasing, rng):
    """The sort of short vectors keeps items in the last bits of its keys."""
    ulps = rng.integers(-5, 5, n)
    for base in (1.0, -1.0, 1e300, 5e-324, 0.0):
        values = np.full(n, base)
        for k in range(n):
            for _ in range(abs(ulps[k])):
                values[k] = np.nextafter(values[k], np.inf * np.sign(ulps[k]))
        expected = scipy.stats.rankdata(-values if decreasing else values, method="min") - 1
        np.testing.assert_array_equal(Ranking(values, decreasing).places(), expected)


def test_zeros_and_ones_in_every_order():
    """A sorting network that sorts all zeros and ones sorts everything."""
    for n in (5, 6, 7, 8):
        for k in range(2**n):
            values = np.array([k >> i & 1 for i in range(n)], dtype=float)
            np.testing.assert_array_equal(values[Ranking(values).items()], np.sort(values))


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_short_vectors_of_wide_range(dtype, rng):
    for n, bits in product((2, 50, 1000), (30, 51, 52, 53, 54, 58, 63)):
        values = rng.integers(-(2**bits), 2**bits, n, dtype=np.int64).astype(dtype)
        np.testing.assert_array_equal(Ranking(values).places(), scipy.stats.rankdata(values, method="min") - 1)
        for step in (-1, 2, -3):
            expected = Ranking(values[::step].copy()).places()
            np.testing.assert_array_equal(Ranking(values[::step]).places(), expected)


# cor


@pytest.mark.parametrize("decreasing", [True, False])
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_cor_is_the_single_function_of_every_pair(name, function, table, rng, decreasing, n_jobs):
    expected = [[function(x, y, **options(name, decreasing)) for y in table.T] for x in table.T]
    found = cor(table, method=name, decreasing=decreasing, n_jobs=n_jobs)
    np.testing.assert_allclose(found, expected, atol=1e-15)
    others = rng.random((30, 4)) if "y" in REFUSING[name] else tied(rng, (30, 4))
    expected = [[function(x, y, **options(name, decreasing)) for y in others.T] for x in table.T]
    np.testing.assert_allclose(cor(table, others, name, decreasing, n_jobs), expected, atol=1e-15)


@pytest.mark.parametrize("n", [2, 3, 20, 30, 65, 500, 3000])
def test_cor_on_many_lengths(n, rng):
    table = tied(rng, (n, 5), groups=max(2, n // 3))
    for name in ("tau_b", "tauAP_b"):
        expected = [[FUNCTIONS[name](x, y) for y in table.T] for x in table.T]
        np.testing.assert_allclose(cor(table, method=name), expected, atol=1e-15)


def test_x_is_the_row_and_y_the_column():
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, 3, 2, 4], "c": [4, 1, 3, 2]})
    found = cor(frame, method="tauAP")
    assert found.loc["a", "c"] == ircor.tauAP(frame["a"], frame["c"])
    assert found.loc["a", "c"] != found.loc["c", "a"]


def test_cor_agrees_with_pandas_and_scipy(rng):
    frame = pd.DataFrame(tied(rng, (40, 7)), columns=list("abcdefg"))
    pd.testing.assert_frame_equal(cor(frame), frame.corr(method="kendall"), atol=1e-12)


@pytest.mark.r
def test_cor_agrees_with_rs_cor(rng):
    import rpy2.robjects as ro

    table = tied(rng, (40, 7))
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
        ((frame[["good", "gap"]], None, "tauAP_a"), ValueError, "'gap' contains ties. A missing value"),
        ((frame, None, "tau_b"), ValueError, "missing value where TRUE/FALSE needed: 'gap' has a missing value"),
        ((np.hstack([untied, ties]), None, "tau"), ValueError, "'column 2 of X' contains ties"),
        ((untied, ties, "tauAP"), ValueError, "'column 0 of Y' contains ties"),
        ((pd.DataFrame({"words": ["a", "b"]}),), TypeError, "'words' must be a numeric vector"),
        ((untied, untied[:3]), ValueError, "must have the same items: they have 5 and 3"),
        ((untied[:1],), ValueError, "'X' must have two items or more, not 1"),
        ((untied[0],), TypeError, "'X' must be a table, items by rankings, and it has 1 dimensions"),
        ((untied, None, "kendall"), ValueError, "'method' must be one of tau, tau_a, .*, not 'kendall'"),
        ((untied, None, "tau_b", "maybe"), TypeError, "'decreasing' must be True or False, not 'maybe'"),
    ]:
        with pytest.raises(error, match=words):
            cor(*arguments)


def test_what_r_prints_alike_is_a_tie_in_a_table_too():
    with pytest.raises(ValueError, match="'b' contains ties. R prints"):
        cor(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0.3, 0.1 + 0.2, 1.0]}), method="tau")


def test_missing_values_in_cor_are_those_of_the_single_function():
    frame = pd.DataFrame({"a": [3.0, 1.0, 2.0, 4.0], "gap": [1.0, np.nan, 2.0, 0.0]})
    with pytest.warns(ircor.MissingValueWarning, match=r"\(1 in 'gap'\)") as caught:
        found = cor(frame, method="tauAP_b")
    assert caught[0].filename == __file__
    with pytest.warns(ircor.MissingValueWarning):
        assert found.loc["a", "gap"] == ircor.tauAP_b(frame["a"], frame["gap"])
    found = cor(frame[["a"]], frame, method="tau_a")
    assert found.loc["a", "a"] == 1
    assert np.isnan(found.loc["a", "gap"])


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


def test_missing_values_of_one_name_in_both_tables():
    left, right = pd.DataFrame({"gap": [1, np.nan, 2]}), pd.DataFrame({"gap": [np.nan, np.nan, 2]})
    with pytest.warns(ircor.MissingValueWarning, match=r"\(2 in 'gap'\)"):
        cor(right, left, "tauAP_b")


# cor_by


@pytest.fixture
def groups(rng):
    """Sizes around every change of the kernel's ways, and of the largest that it takes in a batch."""
    sizes = [*range(1, 70), 127, 128, 129, 1000, 1024, 1025, 4096, 4097, 6000, 2, 1]
    return np.repeat(np.arange(len(sizes)), sizes)


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_cor_by_is_the_single_function_of_every_group(name, function, groups, rng, order, n_jobs, monkeypatch):
    monkeypatch.setattr(tables, "TASK", 1000)
    n = len(groups)
    x, y = (rng.random(n) if argument in REFUSING[name] else tied(rng, n, 40) for argument in "xy")
    if order == "shuffled":
        groups = rng.permutation(groups)
    found = cor_by(groups, x, y, name, n_jobs=n_jobs)
    assert list(found.index) == list(range(groups.max() + 1))
    for key in found.index:
        rows = groups == key
        expected = function(x[rows], y[rows]) if rows.sum() > 1 else np.nan
        assert found[key] == pytest.approx(expected, abs=1e-15, nan_ok=True), key
    assert found.attrs == {"groups": groups.max() + 1, "too_few_items": 2}


def test_cor_by_in_either_direction(rng):
    groups, x, y = np.repeat(range(9), 20), rng.random(180), rng.random(180)
    for decreasing in (True, False):
        found = cor_by(groups, x, y, "tauAP", decreasing)
        assert found[3] == ircor.tauAP(x[60:80], y[60:80], decreasing)


KEYS = {
    "integers": [3, 1, 2],
    "strings": ["q10", "q9", "q1"],
    "numpy strings": np.array(["q10", "q9", "q1"]),
    "floats": [0.5, 0.25, 2.0],
    "dates": pd.to_datetime(["2020-01-03", "2020-01-01", "2020-01-02"]),
    "booleans": [True, False, True],
    "tuples": [("a", 1), ("a", 2), ("b", 1)],
}


@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("form", [list, pd.Series, np.array])
def test_keys_of_any_kind_come_out_sorted(kind, form, rng):
    keys = list(KEYS[kind])
    rows = [keys[k % 3] for k in rng.permutation(30)]
    if kind == "tuples" and form is np.array:
        array = np.empty(30, dtype=object)
        array[:] = rows
        rows = array
    else:
        rows = form(rows)
    x, y = rng.random(30), rng.random(30)
    found = cor_by(rows, x, y)
    assert list(found.index) == sorted(set(keys))
    for key in found.index:
        mine = [k for k, row in enumerate(rows) if row == key]
        assert found.iloc[list(found.index).index(key)] == ircor.tau_b(x[mine], y[mine])


def test_categories_and_names(rng):
    frame = pd.DataFrame({"query": list("bababa"), "x": rng.random(6), "y": rng.random(6)})
    found = cor_by("query", "x", "y", data=frame)
    assert (found.index.name, list(found.index)) == ("query", ["a", "b"])
    pd.testing.assert_series_equal(cor_by(frame["query"], frame["x"], frame["y"]), found)
    category = frame.astype({"query": "category"})
    assert cor_by("query", "x", "y", data=category).tolist() == found.tolist()
    assert cor_by("query", "x", "y", data=pl.from_pandas(frame)).tolist() == found.tolist()
    # Keys without a common order stay in the order of the rows.
    assert list(cor_by([2, "b", 2, "b"], [1, 2, 3, 4], [1, 2, 3, 4]).index) == [2, "b"]


def test_small_groups_are_nan_and_counted(rng):
    groups = [1, 2, 2, 3, 3, 3, 4, 4, 4, 4]
    found = cor_by(groups, range(10), range(10), min_items=3)
    assert found.isna().tolist() == [True, True, False, False]
    assert found.attrs == {"groups": 4, "too_few_items": 2}
    # What they hold is nobody's business.
    assert cor_by([1, 1, 2, 2, 2], [5, 5, 1, 2, 3], [1, 2, 1, 2, 3], "tau", min_items=3).tolist()[1] == 1


def test_no_groups():
    found = cor_by([], [], [])
    assert len(found) == 0
    assert found.attrs == {"groups": 0, "too_few_items": 0}


def test_large_integers_are_not_rounded():
    large = np.array([2**60, 2**60 + 1, 2**60 + 2, 5])
    assert cor_by([1, 1, 1, 1], large, [1, 2, 3, 0], "tau")[1] == 1
    assert cor_by([1, 1, 1, 1], large.astype(np.longdouble), [1, 2, 3, 0])[1] == 1
    # Too close for R's 15 digits, but integers; shuffled, to be found again among the rows.
    times = np.array([5, 1_700_000_000_000_001, 7, 1_700_000_000_000_002, 6, 1_700_000_000_000_003])
    assert cor_by([1, 2, 1, 2, 1, 2], times, [1, 2, 3, 4, 5, 6], "tau")[2] == 1
    with pytest.raises(ValueError, match="group 1: 'x' contains ties. R prints"):
        cor_by([2, 1, 2, 1, 2, 1], [5, 0.3, 7, 0.1 + 0.2, 6, 9], [1, 2, 3, 4, 5, 6], "tau")
    with pytest.raises(ValueError, match="group 1: 'x' contains ties. R prints"):
        cor_by([1, 1, 1], np.array([0.3, 0.1 + 0.2, 1], dtype=np.longdouble), [1, 2, 3], "tau")
    assert cor_by([1, 1, 1, 1], np.array([2**63, 2**63 + 1, 2**64 - 1, 0], dtype=np.uint64), [1, 2, 3, 0])[1] == 1


def test_what_cor_by_refuses_names_the_group():
    groups = ["a", "a", "a", "b", "b", "b"]
    up = [1, 2, 3, 1, 2, 3]
    for arguments, error, words in [
        ((groups, [1, 2, 3, 1, 1, 2], up, "tau"), ValueError, "group 'b': 'x' contains ties"),
        ((groups, up, [1, 2, 3, 1, 1, 2], "tauAP"), ValueError, "group 'b': 'y' contains ties"),
        ((groups, [1, 2, 3, 0.3, 0.1 + 0.2, 1], up, "tau_a"), ValueError, "group 'b': 'x' contains ties. R prints"),
        ((groups, [1, 2, 3, np.nan, 1, 2], up, "tau_a"), ValueError, "group 'b': 'x' contains ties. A missing"),
        ((groups, up, [1, np.nan, 3, 4, 1, 2], "tau_b"), ValueError, "group 'a': missing value where .*'y'"),
        ((groups, up[:4], up), ValueError, "must be of the same length: they have 6, 4 and 6 items"),
        ((["a", None, "a", "b", "b", "b"], up, up), ValueError, "the group of row 2 is missing"),
        (([1.0, 1.0, np.nan, 2, 2, 2], up, up), ValueError, "the group of row 3 is missing"),
        ((np.array(["2020-01-01", "NaT"] * 3, dtype="M8[D]"), up, up), ValueError, "the group of row 2 is missing"),
        ((groups, list("abcdef"), up), TypeError, "'x' must be a numeric vector"),
        ((np.zeros((6, 1)), up, up), TypeError, "'groups' must have one dimension, not 2"),
        ((groups, up, up, "rho"), ValueError, "'method' must be one of"),
        ((groups, up, up, "tau_b", None), TypeError, "'decreasing'"),
        ((groups, up, up, "tau_b", True, 1), ValueError, "'min_items' must be 2 or more"),
        (("query", up, up), TypeError, "columns by name need 'data'"),
        (("", [], []), TypeError, "'groups' must have a group for each row"),
        ((None, up, up), TypeError, "'groups' must have a group for each row"),
        ((np.ma.array([1] * 6, mask=[0, 1, 0, 0, 0, 0]), up, up), ValueError, "the group of row 2 is missing"),
        ((groups, up, up, "tau_b", True, 2.5), TypeError, "'min_items' must be a whole number"),
    ]:
        with pytest.raises(error, match=words):
            cor_by(*arguments)
    for names, data in (
        (("g", "x", "z"), pd.DataFrame({"g": groups, "x": up})),
        ((np.array(groups), "x", "x"), pd.DataFrame({"x": up})),
        (("g", "x", "y"), "g x y"),
    ):
        with pytest.raises(ValueError, match="'data' must be a table with the columns"):
            cor_by(*names, data=data)
    assert cor_by(groups, up, up, min_items=2**70).isna().all()
    assert len(cor_by(np.array([1, 1], dtype=np.float16), [1, 2], [1, 2])) == 1
    # Ties in large groups, which are ranked one by one.
    n = 5000
    with pytest.raises(ValueError, match="group 1: 'x' contains ties"):
        cor_by(np.ones(n, dtype=int), np.r_[np.arange(n - 1.0), 0], np.arange(n), "tau")


def test_missing_values_in_cor_by_are_those_of_the_single_function(rng):
    groups = np.repeat([1, 2, 3], 10)
    x, y = rng.random(30), rng.random(30)
    y[[3, 4, 15]] = np.nan
    with pytest.warns(ircor.MissingValueWarning, match=r"\(3 in 'y'\) are ranked last in their groups") as caught:
        found = cor_by(groups, x, y, "tauAP_b")
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ircor.MissingValueWarning)
        assert found.tolist() == pytest.approx([ircor.tauAP_b(x[k : k + 10], y[k : k + 10]) for k in (0, 10, 20)])
    assert cor_by(groups, x, y, "tau_a").isna().tolist() == [True, True, False]
    # Large groups are ranked one by one, and warned of together.
    y = np.tile(rng.random(5000), 3)
    y[[1, 6000, 6001]] = np.nan
    with pytest.warns(ircor.MissingValueWarning, match=r"\(3 in 'y'\)") as caught:
        cor_by(np.repeat([1, 2, 3], 5000), np.tile(np.arange(5000.0), 3), y, "tauAP_a")
    assert [warning.filename for warning in caught] == [__file__]


def test_memory_of_cor_by(rng):
    sizes = rng.integers(10, 101, 20_000)
    groups = np.repeat(np.arange(20_000), sizes)
    x, y = rng.random(len(groups)), rng.random(len(groups))
    for keys in (groups, rng.permutation(groups)):
        tracemalloc.start()
        cor_by(keys, x, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 3 * (groups.nbytes + x.nbytes + y.nbytes)


# bootstrap


@pytest.fixture
def scores(rng):
    X = rng.random((20, 1)) + rng.random((20, 12)) * np.linspace(0.5, 1, 12)
    return X, X + rng.normal(0, 0.2, X.shape)


def test_bootstrap_is_a_plain_loop_over_the_same_draws(name, function, scores):
    X, Y = scores
    result = bootstrap(X, Y, name, resamples=600, seed=7)
    assert result.statistic == pytest.approx(function(X.mean(axis=0), Y.mean(axis=0)), abs=1e-15)
    # 250 a block, each with a stream of its own.
    streams = np.random.SeedSequence(7).spawn(3)
    draws = [
        np.random.default_rng(s).integers(0, 20, (size, 20), dtype=np.int32)
        for s, size in zip(streams, (250, 250, 100))
    ]
    expected = [function(X[rows].mean(axis=0), Y[rows].mean(axis=0)) for rows in np.concatenate(draws)]
    np.testing.assert_allclose(result.distribution, expected, atol=1e-14)
    assert (result.low, result.high) == pytest.approx(np.quantile(expected, [0.025, 0.975]))
    assert (result.level, result.seed, result.undefined, result.parts) == (0.95, 7, 0, ())


def test_the_interval_is_scipys_percentile_interval(scores):
    X, Y = scores

    def statistic(rows):
        return ircor.tau_b(X[rows].mean(axis=0), Y[rows].mean(axis=0))

    theirs = scipy.stats.bootstrap(
        (np.arange(20),),
        statistic,
        n_resamples=2000,
        vectorized=False,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    ours = bootstrap(X, Y, "tau_b", resamples=2000, seed=1)
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.04)


def test_bootstrap_with_ties_by_rounding(rng):
    """Scores of one decimal, whose sums differ by rounding alone, tie; the plain loop says the same of tied means."""
    X, Y = (np.round(rng.random((10, 8)), 1) for _ in "XY")
    result = bootstrap(X, Y, "tauAP_b", resamples=250, seed=1)
    draws = np.random.default_rng(np.random.SeedSequence(1).spawn(1)[0]).integers(0, 10, (250, 10), dtype=np.int32)
    expected = [ircor.tauAP_b(*(tie_means(Z[rows].mean(axis=0), 1.0) for Z in (X, Y))) for rows in draws]
    np.testing.assert_allclose(result.distribution, expected, atol=1e-14)
    assert len({round(value, 10) for value in expected}) > 50


def test_differences_are_paired(scores, rng):
    X, Y = scores
    Z = X + rng.normal(0, 0.5, X.shape)
    result = bootstrap(X, Y, ("tauAP_b", "tau_b"), resamples=500, seed=3)
    parts = [bootstrap(X, Y, name, resamples=500, seed=3) for name in ("tauAP_b", "tau_b")]
    np.testing.assert_array_equal(result.distribution, parts[0].distribution - parts[1].distribution)
    assert result.statistic == parts[0].statistic - parts[1].statistic
    assert (result.low, result.high) == pytest.approx(np.quantile(result.distribution, [0.025, 0.975]))
    assert [part.low for part in result.parts] == [part.low for part in parts]
    result = bootstrap(X, (Y, Z), "tau_b", resamples=500, seed=3, level=0.5)
    parts = [bootstrap(X, table, resamples=500, seed=3) for table in (Y, Z)]
    np.testing.assert_array_equal(result.distribution, parts[0].distribution - parts[1].distribution)
    assert (result.low, result.high) == pytest.approx(np.quantile(result.distribution, [0.25, 0.75]))


def test_bootstrap_matches_frames_by_name(scores, rng):
    X, Y = scores
    topics, systems = [f"t{k}" for k in range(20)], [f"s{k}" for k in range(12)]
    x, y = (pd.DataFrame(table, index=topics, columns=systems) for table in (X, Y))
    expected = bootstrap(X, Y, resamples=300, seed=1).distribution
    np.testing.assert_array_equal(bootstrap(x, y, resamples=300, seed=1).distribution, expected)
    shuffled = y.sample(frac=1, random_state=1).sample(frac=1, axis=1, random_state=1)
    np.testing.assert_array_equal(bootstrap(x, shuffled, resamples=300, seed=1).distribution, expected)
    for other, words in [
        (y.rename(index={"t3": "t4"}), "two topics have the same one"),
        (y.rename(index={"t3": "t33"}), r"'Y' does not have the topics \['t3'\] of 'X'"),
        (y.rename(columns={"s3": "s33"}), r"'Y' does not have the systems \['s3'\] of 'X'"),
    ]:
        with pytest.raises(ValueError, match=words):
            bootstrap(x, other, resamples=10)


def test_undefined_resamples_are_counted_and_left_out():
    X = np.zeros((3, 3))
    X[0] = [1, 2, 3]
    result = bootstrap(X, X, "tau_b", resamples=1000, seed=1)
    # Without the first topic all systems tie: (2/3)^3 of the resamples.
    assert result.undefined == pytest.approx(1000 * 8 / 27, abs=60)
    assert (result.statistic, result.low, result.high) == (1, 1, 1)
    assert np.isnan(bootstrap(np.zeros((3, 3)), X, resamples=10, seed=1).low)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"statistic": "rho"}, ValueError, "'statistic' must be one of"),
        ({"statistic": ("tau", "tau_b", "tau_a")}, ValueError, "or a pair of names"),
        ({"resamples": 0}, ValueError, "'resamples' must be 1 or more, not 0"),
        ({"resamples": 10.5}, TypeError, "'resamples' must be a whole number"),
        ({"level": 1}, ValueError, "'level' must be between 0 and 1"),
        ({"Y": np.ones((20, 3))}, ValueError, "'X' is 20 topics by 12 systems, and 'Y' is 20 by 3"),
        ({"Y": np.full((20, 12), np.nan)}, ValueError, "'Y' must not have missing or infinite scores"),
        ({"Y": np.ones((20, 12)), "statistic": "tau"}, ValueError, "'Y' contains ties. Two systems have the same mean"),
        ({"seed": "one"}, TypeError, "'seed' must be a whole number or None"),
        ({"seed": -1}, ValueError, "'seed' must be 0 or more, not -1"),
        ({"statistic": None}, ValueError, "'statistic' must be the name of a coefficient"),
        ({"statistic": {"tau", "tau_b"}}, ValueError, "'statistic' must be the name of a coefficient"),
        ({"level": "0.9"}, TypeError, "'level' must be a number"),
        ({"n_jobs": 1.5}, TypeError, "'n_jobs' must be a whole number but 0, or None"),
        ({"n_jobs": 0}, TypeError, "'n_jobs' must be a whole number but 0, or None"),
        ({"Y": np.full((20, 12), 1e308)}, ValueError, "too large for their sums"),
    ],
)
def test_what_bootstrap_refuses(scores, change, error, words):
    with pytest.raises(error, match=words):
        bootstrap(**({"X": scores[0], "Y": scores[1], "resamples": 10} | change))


# permutation_test


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_all_permutations_of_a_few_items_as_scipy_does_it(name, function, rng, alternative):
    for n in (2, 3, 5, 6):
        x, y = (rng.random(n) if argument in REFUSING[name] else tied(rng, n, 4) for argument in "xy")
        x[:2], y[:2] = (1.5, 2.5), (2.5, 1.5)
        ours = permutation_test(x, y, name, alternative)
        theirs = scipy.stats.permutation_test(
            (y,), lambda permuted, x=x: function(x, permuted), permutation_type="pairings", alternative=alternative
        )
        assert ours.exact
        assert len(ours.distribution) == factorial(n)
        np.testing.assert_allclose(np.sort(ours.distribution), np.sort(theirs.null_distribution), atol=1e-14)
        assert ours.pvalue == pytest.approx(theirs.pvalue)
        assert ours.statistic == theirs.statistic


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_resampled_permutations_as_scipy_does_it_on_the_same_ones(name, function, rng, alternative, monkeypatch):
    n = 12
    x, y = (rng.random(n) if argument in REFUSING[name] else tied(rng, n) for argument in "xy")
    seen = []

    def statistic(items):
        seen.append(items.astype(np.int32))
        return function(x, y[items.astype(int)])

    theirs = scipy.stats.permutation_test(
        (np.arange(n),),
        statistic,
        permutation_type="pairings",
        alternative=alternative,
        n_resamples=300,
        vectorized=False,
    )
    given = iter(np.array(seen[1:]))

    def the_same(self, task):
        return tables.coefficients(
            tables.METHODS[name],
            totals_of_permutations(
                Ranking(x, True), Ranking(y, True), np.array([next(given) for _ in range(task[1])]), name
            ),
        )

    monkeypatch.setattr(tables, "permutations_done", lambda a, b, method, task: the_same(None, task))
    ours = permutation_test(x, y, name, alternative, resamples=300, seed=1)
    np.testing.assert_allclose(ours.distribution, theirs.null_distribution, atol=1e-14)
    assert ours.pvalue == pytest.approx(theirs.pvalue)
    assert not ours.exact


def test_resampled_permutations_are_permutations(rng):
    """The mean and the variance of tau over all permutations are known: 0 and 2 (2n + 5) / (9 n (n - 1))."""
    n = 30
    result = permutation_test(rng.random(n), rng.random(n), "tau", resamples=20_000, seed=1)
    assert result.distribution.mean() == pytest.approx(0, abs=0.005)
    assert result.distribution.var() == pytest.approx(2 * (2 * n + 5) / (9 * n * (n - 1)), rel=0.03)


def test_a_seed_that_was_made_up_repeats_the_outcome(rng, scores):
    x, y = rng.random(30), rng.random(30)
    first = permutation_test(x, y, resamples=500)
    again = permutation_test(x, y, resamples=500, seed=first.seed)
    np.testing.assert_array_equal(first.distribution, again.distribution)
    assert (permutation_test(x, y, resamples=500).distribution != first.distribution).any()
    first = bootstrap(*scores, resamples=300)
    np.testing.assert_array_equal(first.distribution, bootstrap(*scores, resamples=300, seed=first.seed).distribution)
    assert permutation_test(x[:4], y[:4], seed=3).seed is None
    assert first != bootstrap(*scores, resamples=300)


def test_missing_values_that_are_permuted(rng):
    """Wherever a missing value comes to stand, it is last in order of position, as in the single function."""
    x, y = rng.random(5), np.array([np.nan, 2, np.nan, 1, 3])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ircor.MissingValueWarning)
        result = permutation_test(x, y, "tauAP_b")
        expected = [ircor.tauAP_b(x, np.array(order)) for order in permutations(y)]
    np.testing.assert_allclose(np.sort(result.distribution), np.sort(expected), atol=1e-14)


def test_exact_if_there_are_no_more_permutations_than_resamples():
    assert permutation_test([1, 2, 3], [1, 3, 2], resamples=6).exact
    assert not permutation_test([1, 2, 3], [1, 3, 2], resamples=5, seed=1).exact


def test_numbered_permutations_are_all_of_them():
    for n in (1, 2, 3, 5):
        found = numbered_permutations(n, 0, factorial(n))
        assert [tuple(row) for row in found] == list(permutations(range(n)))
        half = factorial(n) // 2
        np.testing.assert_array_equal(numbered_permutations(n, half, factorial(n)), found[half:])


def test_the_p_value_of_a_related_and_an_unrelated_pair(rng):
    x = rng.random(60)
    assert permutation_test(x, x + rng.normal(0, 0.1, 60), seed=1, resamples=999).pvalue == 2 / 1000
    assert permutation_test(x, -x, alternative="greater", seed=1, resamples=999).pvalue == 1
    assert permutation_test(x, rng.random(60), seed=1, resamples=999).pvalue > 0.05
    undefined = permutation_test(x, np.ones(60), seed=1)
    assert np.isnan(undefined.statistic)
    assert np.isnan(undefined.pvalue)


def test_permutations_in_either_direction(rng):
    x, y = rng.random(6), rng.random(6)
    for decreasing in (True, False):
        result = permutation_test(x, y, "tauAP", decreasing=decreasing)
        assert result.statistic == ircor.tauAP(x, y, decreasing)
        expected = [ircor.tauAP(x, p, decreasing) for p in permutations(y)]
        np.testing.assert_allclose(np.sort(result.distribution), np.sort(expected), atol=1e-14)


def test_what_permutation_test_refuses():
    for arguments, error, words in [
        (([1, 2, 2], [1, 2, 3], "tau"), ValueError, "'x' contains ties"),
        (([1, 2, 3], [1, 2]), ValueError, "must be of the same length"),
        (([1, 2, 3], [1, 2, 3], "rho"), ValueError, "'method' must be one of"),
        (([1, 2, 3], [1, 2, 3], "tau", "both"), ValueError, "'alternative' must be"),
        (([1, 2, 3], [1, 2, 3], "tau", "less", 0), ValueError, "'resamples' must be 1 or more"),
        (([1, 2, 3], [1, 2, 3], "tau", "less", 2, "x"), TypeError, "'seed' must be a whole number or None"),
    ]:
        with pytest.raises(error, match=words):
            permutation_test(*arguments)
    with pytest.raises(ValueError, match="3 and 3 items, and 2 are permuted"):
        totals_of_permutations(
            Ranking(np.arange(3.0)), Ranking(np.arange(3.0)), np.zeros((1, 2), dtype=np.int32), "tau"
        )


# The same numbers, whoever computes them


def everything(seed=5):
    """One call of each, large enough for several tasks."""
    rng = np.random.default_rng(seed)
    X = rng.random((30, 1)) + rng.random((30, 9))
    Y = X + rng.normal(0, 0.2, X.shape)
    groups = np.repeat(np.arange(300), 15)
    x, y = rng.random(4500), rng.random(4500)
    return [
        cor(np.vstack([X] * 40 + [Y] * 40), method="tauAP_b"),
        cor_by(groups, x, y, "tauAP_b").to_numpy(),
        bootstrap(X, Y, "tauAP_b", resamples=2000, seed=seed).distribution,
        permutation_test(x[:40], y[:40], "tauAP_b", resamples=2000, seed=seed).distribution,
        DrankNull(X, resamples=1000, seed=seed, progress=False).distances,
    ]


@pytest.mark.parametrize("backend", ["threading", "loky", "multiprocessing"])
def test_the_same_on_every_backend(backend, monkeypatch):
    monkeypatch.setattr(tables, "TASK", 1000)
    expected = everything()
    with joblib.parallel_config(backend=backend, n_jobs=2):
        found = everything()
    for one, other in zip(expected, found):
        np.testing.assert_array_equal(one, other)


@pytest.fixture(scope="module")
def cluster():
    from dask import distributed

    with pytest.MonkeyPatch.context() as patch:
        # Where R runs, it has put its own libraries before those that a new Python needs.
        patch.delenv("LD_LIBRARY_PATH", raising=False)
        yield from dask_cluster(distributed)


def dask_cluster(distributed):
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        joblib.parallel_config(backend="dask", wait_for_workers_timeout=60),
    ):
        yield client


def work_of(cluster):
    """Grows with every task that the cluster takes on."""
    return cluster.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transition_counter)


@pytest.mark.filterwarnings("ignore")
def test_the_same_on_a_dask_cluster(cluster, monkeypatch):
    monkeypatch.setattr(tables, "TASK", 1000)
    before = work_of(cluster)
    on_the_cluster = everything()
    assert work_of(cluster) > before + 20
    with joblib.parallel_config(backend="sequential"):
        here = everything()
    for one, other in zip(here, on_the_cluster):
        np.testing.assert_array_equal(one, other)


@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_killed_in_the_middle(cluster, rng):
    X = rng.random((50, 1)) + rng.random((50, 60))
    Y = X + rng.normal(0, 0.2, X.shape)
    victims = list(cluster.run(os.getpid).values())[:1]
    done_at_the_kill = []

    def kill(done, total):
        if victims:
            os.kill(victims.pop(), signal.SIGKILL)
            done_at_the_kill.append((done, total))

    before = work_of(cluster)
    found = bootstrap(X, Y, "tauAP_b", resamples=50_000, seed=1, progress=kill)
    ((done, total),) = done_at_the_kill
    assert done < total
    assert work_of(cluster) > before + 20
    expected = bootstrap(X, Y, "tauAP_b", resamples=50_000, seed=1, n_jobs=1)
    np.testing.assert_array_equal(found.distribution, expected.distribution)


def test_one_pair_in_a_batch_is_one_pair_alone(rng):
    x, y = Ranking(tied(rng, 50)), Ranking(tied(rng, 50))
    totals = totals_of_pairs([x], [y], np.zeros((1, 2), dtype=np.intp), "tauAP_b")
    many, one = tables.Dominances(totals), Dominance(x, y)
    for attribute in ("concordant", "discordant", "tied_pairs"):
        assert getattr(many, attribute)[0] == getattr(one, attribute)
    assert many.c_above_in_x()[0] == one.c_above_in_x()
    assert many.c_above_in_y()[0] == one.c_above_in_y()
