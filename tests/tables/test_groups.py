"""cor_by: against the single function of every group."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from calls import FUNCTIONS, REFUSING

import ircor
from ircor.tables import _groups, cor_by
from ircor.tables._groups import GroupedRows, doubles


@pytest.fixture
def groups(rng):
    """Sizes around every change of the kernel's ways, and of the largest that it takes in a batch."""
    sizes = [*range(1, 70), 127, 128, 129, 1000, 1024, 1025, 4096, 4097, 6000, 2, 1]
    return np.repeat(np.arange(len(sizes)), sizes)


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_cor_by_is_the_single_function_of_every_group(name, function, groups, rng, tied, order, n_jobs, monkeypatch):
    monkeypatch.setattr(_groups, "ITEMS_PER_TASK", 1000)
    n = len(groups)
    x, y = (rng.random(n) if argument in REFUSING[name] else tied(n, 40) for argument in "xy")
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
        ((groups, [1, 2, 3, np.nan, 1, 2], up, "tau_a"), ValueError, "'x' has a missing value in row 4 of group 'b'"),
        ((groups, up, [1, np.nan, 3, 4, 1, 2], "tau_b"), ValueError, "'y' has a missing value in row 2 of group 'a'"),
        ((groups, up[:4], up), ValueError, "must be of the same length: they have 6, 4 and 6 items"),
        ((["a", None, "a", "b", "b", "b"], up, up), ValueError, "the group of row 2 is missing"),
        (([1.0, 1.0, np.nan, 2, 2, 2], up, up), ValueError, "the group of row 3 is missing"),
        ((np.array(["2020-01-01", "NaT"] * 3, dtype="M8[D]"), up, up), ValueError, "the group of row 2 is missing"),
        ((np.array(["2020-01-01"] * 5 + ["NaT"], dtype="M8[D]"), up, up), ValueError, "the group of row 6 is missing"),
        ((pd.array([1, 1, None, 2, 2, 2], dtype="Int64"), up, up), ValueError, "the group of row 3 is missing"),
        ((pd.Series([1, 1, 1, 2, 2, None], dtype="Int64"), up, up), ValueError, "the group of row 6 is missing"),
        ((groups, list("abcdef"), up), TypeError, "'x' must be a numeric vector"),
        ((np.zeros((6, 1)), up, up), TypeError, "'groups' must have one dimension, not 2"),
        ((groups, up, up, "rho"), ValueError, "'method' must be one of"),
        ((groups, up, up, "tau_b", None), TypeError, "'decreasing'"),
        ((groups, up, up, "tau_b", True, 1), ValueError, "'min_items' must be 2 or more"),
        (("query", up, up), TypeError, "columns can be named if 'data' is given"),
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


# Groups of more than LARGEST_IN_BATCH rows, which are ranked one by one

N = 5000


def test_large_groups_against_min_items():
    """A group of min_items rows counts, a smaller one does not: it gets nan, and its ties are not refused."""
    groups, up = np.ones(N, dtype=int), np.arange(N, dtype=float)
    ties = np.r_[up[:-1], 0.0]
    assert cor_by(groups, up, up, "tau", min_items=N).tolist() == [1]
    for x in (up, ties):
        found = cor_by(groups, x, up, "tau", min_items=N + 1)
        assert found.isna().tolist() == [True]
        assert found.attrs == {"groups": 1, "too_few_items": 1}
    with pytest.raises(ValueError, match="group 1: 'x' contains ties"):
        cor_by(groups, ties, up, "tau", min_items=N)


@pytest.mark.parametrize("n", [10, N])
def test_near_ties_in_groups_of_any_size(n, rng):
    groups = np.repeat([1, 2], n)
    values = 10 + rng.permutation(2 * n).astype(float)
    # The second pair differs in the 15th digit; R prints the numbers of the others alike.
    pairs = {(0.3, 0.1 + 0.2): True, (0.3, 0.300000000000001): False, (1 + 5.2e-15, 1 + 1.48e-14): True}
    for pair, alike in pairs.items():
        near = values.copy()
        near[[n + 3, 2 * n - 1]] = pair
        for x, y, name, vector in [
            (near, values, "tau", "x"),
            (values, near, "tau", "y"),
            (near, values, "tau_a", "x"),
            (values, -near, "tauAP", "y"),
        ]:
            if alike:
                with pytest.raises(ValueError, match=f"group 2: '{vector}' contains ties. R prints"):
                    cor_by(groups, x, y, name)
            else:
                assert cor_by(groups, x, y, name)[2] == FUNCTIONS[name](x[n:], y[n:])
        for x, y, name in ((values, near, "tau_a"), (near, near, "tau_b"), (values, near, "tauAP_a")):
            assert cor_by(groups, x, y, name)[2] == FUNCTIONS[name](x[n:], y[n:])


def test_near_ties_are_named_from_the_top():
    """As by the function for two vectors: it depends on which end is the top."""
    x = [5, 0.3, 0.1 + 0.2, 7]
    for decreasing, words in (
        (True, "0.30000000000000004 and 0.3 alike"),
        (False, "0.3 and 0.30000000000000004 alike"),
    ):
        for refuse in (ircor.tauAP, lambda *arguments: cor_by([1] * 4, *arguments[:2], "tauAP", arguments[2])):
            with pytest.raises(ValueError, match=f"'x' contains ties. R prints {words}"):
                refuse(x, [1, 2, 3, 4], decreasing)


def test_infinite_values_in_large_groups():
    x = np.r_[np.arange(N - 4.0), -np.inf, -np.inf, np.inf, np.inf]
    y = np.arange(N, dtype=float)
    assert cor_by(np.ones(N, dtype=int), x, y)[1] == ircor.tau_b(x, y)
    with pytest.raises(ValueError, match="group 1: 'x' contains ties"):
        cor_by(np.ones(N, dtype=int), x, y, "tau")


# Values that a double cannot hold


def test_the_doubles_of_values():
    exact = np.array([1.5, np.nan, -2.0])
    assert doubles(exact) is exact
    for values in (np.array([3, -1]), np.array([2**53, -(2**53)]), np.array([1.5, -2], dtype=np.float32)):
        np.testing.assert_array_equal(doubles(values), values.astype(float))
    large = np.array([2**53, -1, 2**53 - 1])
    np.testing.assert_array_equal(doubles(large), large.astype(float))
    larger = np.array([2**53 + 1, 2**53, -1])
    np.testing.assert_array_equal(doubles(larger), [2, 1, 0])
    np.testing.assert_array_equal(doubles(-larger), [0, 1, 2])
    assert cor_by([1, 1, 1], larger, [3, 2, 1])[1] == 1
    assert doubles(np.array([], dtype=int)).dtype == np.float64
    assert doubles(np.arange(6.0)[::2]).flags.c_contiguous


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="long doubles are doubles on this machine")
def test_the_doubles_of_long_doubles():
    one = np.longdouble(1)
    np.testing.assert_array_equal(doubles(np.array([one, np.nan, one + one / 2**60, -3])), [1, np.nan, 2, 0])


@pytest.mark.parametrize("argument", "xy")
def test_long_doubles_that_r_prints_alike(argument):
    """Their doubles for the kernel are ranks, so all groups of enough rows are checked as given."""
    alike = np.array([5, 0.3, 0.1 + 0.2, 7, 0.3, 0.1 + 0.2, 1], dtype=np.longdouble)
    groups, up = [1, 2, 2, 3, 3, 3, 3], np.arange(7.0)
    x, y = (alike, up) if argument == "x" else (up, alike)
    with pytest.raises(ValueError, match=f"group 2: '{argument}' contains ties. R prints"):
        cor_by(groups, x, y, "tau")
    with pytest.raises(ValueError, match=f"group 3: '{argument}' contains ties. R prints"):
        cor_by(groups, x, y, "tauAP", min_items=3)
    with pytest.raises(ValueError, match=f"group 3: '{argument}' contains ties. R prints"):
        cor_by(groups, x, y, "tauAP", min_items=4)
    assert cor_by(groups, x, y, "tau", min_items=5).isna().all()
    for name in ("tau_b", "tauAP_b"):
        assert cor_by(groups, x, y, name)[3] == FUNCTIONS[name](x[3:], y[3:])


# Rows and tasks


def test_tasks_are_cut_between_groups(monkeypatch):
    monkeypatch.setattr(_groups, "ITEMS_PER_TASK", 5)

    def cut(sizes):
        rows = GroupedRows.of(np.repeat(np.arange(len(sizes)), sizes), *np.arange(2.0 * sum(sizes)).reshape(2, -1))
        tasks = rows.tasks()
        np.testing.assert_array_equal(np.concatenate([x for x, _, _ in tasks]), rows.x)
        np.testing.assert_array_equal(np.concatenate([y for _, y, _ in tasks]), rows.y)
        assert all(len(x) == len(y) == ends[-1] for x, y, ends in tasks)
        return [np.diff(ends, prepend=0).tolist() for _, _, ends in tasks]

    assert cut([3, 2, 4, 1]) == [[3, 2], [4, 1]]
    assert cut([3, 3, 4, 1]) == [[3, 3], [4], [1]]
    assert cut([12]) == [[12]]
    assert cut([2, 13, 3]) == [[2, 13], [3]]
    assert cut([5, 5]) == [[5], [5]]
    assert cut([4]) == [[4]]


def test_contiguous_groups_stay_where_they_are():
    x, y = np.arange(6.0), np.arange(6.0)
    for keys in (
        np.array([2, 2, 1, 1, 1, 1]),
        np.array(["b", "b", "a", "a", "a", "a"]),
        np.array(["b", "b", "a", "a", "a", "a"], dtype=object),
        pd.Series([2, 2, 1, 1, 1, 1]),
    ):
        rows = GroupedRows.of(keys, x, y)
        assert rows.codes is None
        assert rows.x is x
        assert rows.y is y
        assert (rows.ends.tolist(), rows.sizes.tolist()) == ([2, 6], [2, 4])
        np.testing.assert_array_equal(rows.places(1), slice(2, 6))
    # Other groups come out in the order of the rows, and integers sorted.
    rows = GroupedRows.of(pd.Series(["b", "a", "b", "a", "a", "a"]), x, y)
    assert rows.x.tolist() == [0, 2, 1, 3, 4, 5]
    assert (rows.ends.tolist(), rows.sizes.tolist()) == ([2, 6], [2, 4])
    assert rows.places(1).tolist() == [1, 3, 4, 5]
    rows = GroupedRows.of(pd.Series([2, 1, 2, 1, 1, 1]), x, y)
    assert rows.x.tolist() == [1, 3, 4, 5, 0, 2]
    assert (rows.ends.tolist(), rows.sizes.tolist()) == ([4, 6], [4, 2])
    assert rows.places(1).tolist() == [0, 2]
    assert cor_by([2, 2, 1, 1, 1], [1, 2, 1, 2, 3], [1, 2, 1, 3, 2], "tau").to_dict() == {1: pytest.approx(1 / 3), 2: 1}


def test_the_first_group_that_is_refused_is_named():
    groups, x = [7, 7, 8, 8, 9, 9], [1, 2, 3, 3, 4, 4]
    with pytest.raises(ValueError, match="^group 8: 'x' contains ties"):
        cor_by(groups, x, range(6), "tau")
    with pytest.raises(ValueError, match=r"^group \('b', 2\): 'x' contains ties"):
        cor_by([("a", 1), ("a", 1), ("b", 2), ("b", 2)], x[:4], range(4), "tau")
    with pytest.raises(ValueError, match="they have 6, 6 and 5 items"):
        cor_by(groups, x, range(5))


@pytest.mark.parametrize("keys", [[7, 4, 7, 4, 5, 5], ["g", "d", "g", "d", "e", "e"]])
def test_the_first_group_that_is_refused_is_that_of_the_first_row(keys):
    x = [1, 1, 1, 1, 2, 3]
    with pytest.raises(ValueError, match=f"^group {keys[0]!r}: 'x' contains ties"):
        cor_by(np.array(keys), x, [1, 2, 3, 4, 5, 6], "tau")
