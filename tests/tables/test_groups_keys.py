"""The keys of groups: of any type, in any container; the labels come out as pandas would have them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ircor
from ircor._core.methods import METHODS
from ircor.tables import _groups, cor_by

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


def test_groups_of_other_kinds(rng):
    x, y = rng.random(6), rng.random(6)
    expected = cor_by([1, 1, 1, 2, 2, 2], x, y).tolist()
    for groups in (
        pd.Index([1, 1, 1, 2, 2, 2], name="query"),
        pl.Series([1, 1, 1, 2, 2, 2]),
        (1, 1, 1, 2, 2, 2),
        pd.Categorical(list("aaabbb")),
        pd.array([1, 1, 1, 2, 2, 2], dtype="Int64"),
        np.ma.array([1, 1, 1, 2, 2, 2]),
        np.array([0.5, 0.5, 0.5, 2, 2, 2], dtype=np.float16),
    ):
        assert cor_by(groups, x, y).tolist() == expected
    assert cor_by(pd.Index([1] * 6, name="query"), x, y).index.name == "query"
    for wrong in (b"aaabbb", 3, iter([1] * 6)):
        with pytest.raises(TypeError, match="'groups' must have a group for each row, not be"):
            cor_by(wrong, x, y)
    with pytest.raises(ValueError, match="'method' must be one of .*, not a Series"):
        cor_by([1] * 6, x, y, pd.Series(["tau"]))
    with pytest.raises(ValueError, match="'data' must be a table with the columns .*, and it has no a list"):
        cor_by(list(range(100)), "x", "y", data=pd.DataFrame({"x": x, "y": y}))


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64, float, str])
def test_groups_of_every_type_give_the_same(dtype, rng):
    """Integers are numbered by themselves, others by pandas."""
    keys = rng.permutation(np.repeat([3, 5, 60, 61, 99], 20)).astype(dtype)
    x, y = rng.random(100), rng.integers(0, 9, 100)
    found = cor_by(keys, x, y, "tauAP_b")
    assert found.index.dtype == pd.Index(keys).dtype
    assert sorted(found.index) == list(found.index)
    for key in found.index:
        assert found[key] == ircor.tauAP_b(x[keys == key], y[keys == key])


@pytest.mark.parametrize("far", [2**40, 2**63 - 1])
def test_integers_far_from_each_other(far):
    found = cor_by(np.array([far, -far, far, -far]), [1, 2, 2, 1], [1, 2, 2, 2], "tau_a")
    assert found.to_dict() == {-far: 0, far: 1}
    large = cor_by(np.array([2**64 - 1, 2**64 - 2] * 2, dtype=np.uint64), [1, 2, 2, 1], [1, 2, 2, 2], "tau_a")
    assert large.to_dict() == {2**64 - 2: 0, 2**64 - 1: 1}


@pytest.mark.parametrize("pyarrow", [True, False])
@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["q10", "q9", "", "é"])])
@pytest.mark.parametrize("order", [[0, 0, 0, 1, 1, 2, 2, 3, 3, 3], [3, 0, 1, 2, 0, 1, 3, 2, 0, 3]])
def test_strings_of_polars(order, dtype, pyarrow, rng, monkeypatch):
    """They give what their list gives, through Arrow if it is there."""
    names = [["q9", "q10", "", "é"][k] for k in order]
    x, y = rng.random(10), rng.random(10)
    expected = cor_by(names, x, y)
    groups = pl.Series("query", names, dtype=dtype)
    if not pyarrow:

        def to_pandas(_):
            raise ModuleNotFoundError("pa.Table requires 'pyarrow' module to be installed")

        monkeypatch.setattr(pl.Series, "to_pandas", to_pandas)
    pd.testing.assert_series_equal(cor_by(groups, x, y), expected)
    pieces = pl.concat([groups[:4], groups[4:]], rechunk=False)
    pd.testing.assert_series_equal(cor_by(pieces, x, y), expected)
    for row in (0, 4, 9):
        gap = pl.Series([None if k == row else name for k, name in enumerate(names)], dtype=dtype)
        with pytest.raises(ValueError, match=f"the group of row {row + 1} is missing"):
            cor_by(gap, x, y)
    pd.testing.assert_series_equal(cor_by(groups[:0], [], []), cor_by(pd.Series(pl.Series([], dtype=dtype)), [], []))
    with pytest.raises(ValueError, match=f"group {names[0]!r}: 'x' contains ties"):
        cor_by(groups, np.zeros(10), y, "tau")


@pytest.mark.parametrize("form", [np.array, pd.Series, pd.Index])
@pytest.mark.parametrize("order", [[1, 1, 1, 0, 0, 0, 2, 2, 2], [1, 0, 2, 1, 1, 2, 2, 0, 0]])
def test_strings_in_objects(order, form, rng):
    """Whether or not the groups are contiguous, the labels are the same, of the same type."""
    names = form([("b", "a", np.str_("c"))[k] for k in order], dtype=object)
    x, y = rng.random(9), rng.random(9)
    found = cor_by(names, x, y)
    pd.testing.assert_index_equal(found.index, pd.Index(form(["a", "b", "c"], dtype=object)))
    for key in "abc":
        rows = np.asarray(names) == key
        assert found[key] == ircor.tau_b(x[rows], y[rows])


def test_objects_that_are_equal_are_one_group():
    """As Python's dicts have it: neighbours are compared by NumPy only if all are strings."""
    found = cor_by(np.array([1, True, 1.0, "1", "1", "1"], dtype=object), [1, 2, 3, 1, 2, 3], [1, 2, 3, 3, 2, 1])
    assert list(found.items()) == [(1, 1.0), ("1", -1.0)]
    for missing in (None, np.nan, pd.NA):
        with pytest.raises(ValueError, match="the group of row 3 is missing"):
            cor_by(np.array(["a", "a", missing, missing, "b", "b"], dtype=object), range(6), range(6))
    pairs = np.empty(4, dtype=object)
    pairs[:] = [("a", 1), ("a", 1), ("a", 2), ("a", 2)]
    assert cor_by(pairs, [1, 2, 1, 2], [1, 2, 2, 1]).tolist() == [1, -1]


@pytest.mark.parametrize("dtype", ["i2", "f8", "f2", "M8[s]", "U3"])
@pytest.mark.parametrize("order", [[0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 0, 1, 1, 0]])
def test_numbers_in_another_order_of_bytes(order, dtype, rng):
    keys, x, y = np.array(order, dtype="i8").astype(dtype), rng.random(7), rng.random(7)
    swapped = keys.astype(keys.dtype.newbyteorder())
    pd.testing.assert_series_equal(cor_by(swapped, x, y), cor_by(keys, x, y))


def test_groups_that_changed_while_they_were_read(monkeypatch):
    """As another thread could change them: between two readings of the numbers."""
    keys, x = np.array([2, 1, 1, 2, 1]), np.arange(5.0)
    for ends in ([4, 3, 5], [0, 3, 4]):
        with monkeypatch.context() as patch:
            patch.setattr(_groups, "gather_groups", lambda *_, ends=ends: (x, x, np.array(ends)))
            with pytest.raises(ValueError, match="'groups' changed while it was read"):
                cor_by(keys, x, x)
    rows = _groups.IntegerRows.of_integers(keys, x, x)
    keys[0] = 1
    with pytest.raises(ValueError, match="group 1: 'groups' changed while it was read"):
        _groups.refuse_groups(METHODS["tau_b"], True, rows, [0], (x, x))
