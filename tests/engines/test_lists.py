"""cor_lists: against cor_by and the single functions, in every form of a column of lists."""

import subprocess
import sys
import tracemalloc
from decimal import Context, Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from calls import FUNCTIONS
from scipy import stats

import ircor
from ircor import cor_lists
from ircor._core.vectors import Lists
from ircor.tables import _groups

NAN = float("nan")
EXACT = Context(prec=80)


class Array:
    """What other libraries have: Arrow's C interface, and nothing else."""

    def __init__(self, array):
        self.array = array

    def __arrow_c_array__(self, requested_schema=None):
        return self.array.__arrow_c_array__(requested_schema)


class Stream:
    def __init__(self, array):
        self.array = pa.chunked_array([array[:5], array[5:]])

    def __arrow_c_stream__(self, requested_schema=None):
        return self.array.__arrow_c_stream__(requested_schema)


FORMS = {
    "list": lambda array: array.cast(pa.list_(array.type.value_type)),
    "large list": lambda array: array,
    "chunks": lambda array: pa.chunked_array([array[:0], array[:7], array[7:8], array[8:]]),
    "slice": lambda array: pa.concat_arrays([array[-3:], array, array[:2]])[3:-2],
    "Polars": pl.Series,
    "pandas": lambda array: pd.Series(array, dtype=pd.ArrowDtype(array.type)),
    "array interface": Array,
    "stream interface": Stream,
}


@pytest.mark.parametrize("form", FORMS)
def test_lists_of_any_form_are_the_groups_of_cor_by(name, form, grouped, lists):
    rows = grouped(name)
    found = cor_lists(*(FORMS[form](lists(rows.g, values)) for values in (rows.x, rows.y)), name)
    np.testing.assert_array_equal(found, rows.expected)
    assert found.dtype == np.float64


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_tasks_and_jobs_make_no_difference(name, grouped, lists, monkeypatch, n_jobs):
    rows = grouped(name)
    monkeypatch.setattr(_groups, "ITEMS_PER_TASK", 100)
    found = cor_lists(lists(rows.g, rows.x), lists(rows.g, rows.y), name, n_jobs=n_jobs)
    np.testing.assert_array_equal(found, rows.expected)


def test_each_row_is_scipys_tau(rng):
    x, y = rng.integers(0, 6, (2, 50, 12))
    columns = (pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), 12) for values in (x, y))
    expected = [stats.kendalltau(*pair).statistic for pair in zip(x, y)]
    np.testing.assert_allclose(cor_lists(*columns), expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("size", [4, 5])
def test_lists_of_a_fixed_size_and_their_slices(name, function, rng, size):
    x, y = rng.random((2, 9, size))
    columns = [pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), size) for values in (x, y)]
    expected = [function(*pair) for pair in zip(x, y)]
    assert cor_lists(*columns, name).tolist() == expected
    assert cor_lists(*(column[2:7] for column in columns), name).tolist() == expected[2:7]
    # A null takes the place of a list.
    null = pa.array([*x[:2].tolist(), None, *x[3:].tolist()], type=pa.list_(pa.float64(), size))
    np.testing.assert_array_equal(cor_lists(null, columns[1], name), [*expected[:2], NAN, *expected[3:]])
    np.testing.assert_array_equal(cor_lists(null[1:4], columns[1][1:4], name), [expected[1], NAN, expected[3]])
    of_polars = pl.Series(x.tolist(), dtype=pl.Array(pl.Float64, size))
    assert cor_lists(of_polars, columns[1], name).tolist() == expected


@pytest.mark.parametrize(
    "of_type", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32"]
)
@pytest.mark.parametrize("nulls", [False, True])
def test_numbers_of_any_type(of_type, nulls, rng):
    x = rng.integers(0, 20, 30).astype(of_type)
    y = rng.random(30)
    mask = (np.arange(30) % 7 == 3) & nulls
    column = pa.ListArray.from_arrays(pa.array([0, 10, 10, 30]), pa.array(x, mask=mask))
    other = pa.ListArray.from_arrays(pa.array([0, 10, 10, 30]), pa.array(y))
    values = np.where(mask, NAN, x.astype(float))
    kept = [np.flatnonzero(~mask[rows]) + rows.start for rows in (slice(0, 10), slice(10, 30))]
    expected = [FUNCTIONS["tau_a"](y[rows], values[rows]) for rows in kept]
    assert [len(rows) for rows in kept] == ([9, 17] if nulls else [10, 20])
    np.testing.assert_array_equal(cor_lists(other, column, "tau_a", nan_policy="omit")[[0, 2]], expected)
    np.testing.assert_array_equal(cor_lists(other[1:], column[1:], "tau_a", nan_policy="omit")[1:], expected[1:])


def test_large_integers_are_not_rounded():
    large = [2**53, 2**53 + 1, 2**53 + 2]
    assert cor_lists(pa.array([[1, 2, 3]]), pa.array([large]), "tau").tolist() == [1]
    found = cor_lists(pa.array([[1, 3, 2, 4]]), pa.array([[*large, None]]), "tauAP_a", nan_policy="omit")
    assert found.tolist() == [ircor.tauAP_a([1, 3, 2], [1, 2, 3])]


@pytest.mark.parametrize("digits", [4, 18, 19, 38])
def test_decimals_are_not_rounded(digits):
    # Units of the last digit.
    most = 10**digits - 1
    one, *values = (Decimal(n).scaleb(-3, EXACT) for n in (most, -most, most - 1, most, 1 - most, most))
    column = pa.array([[], values, None, [one, None, *values[:2]]], type=pa.list_(pa.decimal128(digits, 3)))
    ranks = pa.array([[], [0, 2, 3, 1, 3], [], [2, 1, 0, 3]])
    np.testing.assert_array_equal(cor_lists(column[:3], ranks[:3]), [NAN, 1, NAN])
    np.testing.assert_array_equal(cor_lists(column[1:2], ranks[1:2]), [1])
    found = cor_lists(ranks[3:], column[3:], "tauAP_a", nan_policy="omit")
    assert found.tolist() == [ircor.tauAP_a([2, 0, 3], [3, 1, 2])]


@pytest.mark.parametrize("bits", [32, 64, 128, 256])
@pytest.mark.parametrize("nulls", [False, True])
def test_decimals_of_any_width_and_their_slices(bits, nulls):
    if not hasattr(pa, f"decimal{bits}"):
        pytest.skip("this pyarrow does not have them")
    digits = {32: 9, 64: 18, 128: 38, 256: 76}[bits]
    most = Decimal(10**digits - 1).scaleb(-2, EXACT)
    of_type = pa.list_(getattr(pa, f"decimal{bits}")(digits, 2))
    column = pa.array(
        [[most], [most, None if nulls else Decimal(0), most.copy_negate()], [Decimal("0.01"), Decimal("-0.01")]],
        of_type,
    )
    ranks = pa.array([[1], [3, 2, 1], [2, 1]])
    found = cor_lists(column[1:], ranks[1:], "tau", nan_policy="propagate")
    np.testing.assert_array_equal(found, [NAN if nulls else 1, 1])
    assert cor_lists(column[1:], ranks[1:], "tau", nan_policy="omit").tolist() == [1, 1]


@pytest.mark.parametrize("of_type", [pa.int64(), pa.uint64(), pa.decimal128(30, 1)])
def test_chunks_with_large_numbers_beside_chunks_with_nulls(of_type):
    """Nulls make ranks of integers, and large decimals are ranks: those of one chunk are not those of another."""
    least = 2**53
    rows = [
        [3, None, 1],
        [1, 2, 3],
        [least, least + 1, least + 2],
        [least + 1, least, least + 2],
        [least, 2, 1],
    ]
    chunks = [pa.array([row], pa.list_(of_type)) for row in rows]
    ranks = pa.array([[1, 2, 3]] * len(rows))
    expected = [-1, *(ircor.tauAP_b(row, [1, 2, 3]) for row in ([1, 2, 3], [1, 2, 3], [2, 1, 3], [3, 2, 1]))]
    for order in (1, -1):
        found = cor_lists(pa.chunked_array(chunks[::order]), ranks, "tauAP_b", nan_policy="omit")
        assert found.tolist() == expected[::order]


@pytest.mark.parametrize("of_type", ["Int128", "UInt128"])
def test_large_integers_of_polars(of_type):
    if not hasattr(pl, of_type):
        pytest.skip("this Polars does not have them")
    values = [[2**100, 2**100 + 1, None], None, [], [3, 2, 2**100]]
    ranks = pa.array([[1, 2, 3], [1, 2, 3], [], [2, 1, 3]])
    found = cor_lists(pl.Series(values, dtype=pl.List(getattr(pl, of_type))), ranks, "tauAP_b", nan_policy="omit")
    np.testing.assert_array_equal(found, [1, NAN, NAN, 1])
    frame = pl.DataFrame({"a": values[3], "b": [2, 1, 3]}, schema={"a": getattr(pl, of_type), "b": pl.Int8})
    assert frame.select(ircor.polars.tau("a", "b")).item() == 1


def test_rows_without_a_coefficient():
    x = pa.array([[1, 2, 3], None, [], [1], [4, 5, 6], None])
    y = pa.array([[3, 1, 2], [9, 8, 7], [], [1], None, None])
    np.testing.assert_array_equal(cor_lists(x, y), [-1 / 3, NAN, NAN, NAN, NAN, NAN])
    np.testing.assert_array_equal(cor_lists(x[1:], y[1:]), [NAN] * 5)
    np.testing.assert_array_equal(cor_lists(x, y, min_items=4), [NAN] * 6)
    assert cor_lists(x[:0], y[:0]).tolist() == []
    empty = pa.chunked_array([], type=x.type)
    assert cor_lists(empty, empty).tolist() == []
    np.testing.assert_array_equal(cor_lists(pa.nulls(6), y), [NAN] * 6)
    # What null rows hold is nobody's business, and neither are ties in lists with too few items.
    validity, offsets = pa.py_buffer(bytes([0b101])), pa.array([0, 2, 4, 6], pa.int32()).buffers()[1]
    values = pa.array([1, 2, 1, 1, 5, 6])
    hidden = pa.Array.from_buffers(pa.list_(values.type), 3, [validity, offsets], children=[values])
    np.testing.assert_array_equal(cor_lists(hidden, pa.array([[3, 2], [1, 2], [5, 7]]), "tau"), [-1, NAN, 1])
    assert cor_lists(pa.array([[1, 1], [1, 2, 3]]), pa.array([[1, 1], [1, 2, 3]]), "tau", min_items=3)[1] == 1


def test_rows_of_chunks_that_the_other_column_leaves_out():
    x = pa.chunked_array([[[1, 2], [3, 1, 2]], [[4, 5]], [[1, 2, 3], [2, 1, 3], [1, 2]]])
    y = pa.array([None, [3, 1, 2], [5, 4], None, [1, 2, 3], [2, 1]])
    np.testing.assert_array_equal(cor_lists(x, y), [NAN, 1, -1, NAN, 1 / 3, -1])
    np.testing.assert_array_equal(cor_lists(y, x), [NAN, 1, -1, NAN, 1 / 3, -1])


def test_empty_rows_at_the_end_of_a_task(monkeypatch):
    monkeypatch.setattr(_groups, "ITEMS_PER_TASK", 4)
    x = pa.array([[], [1, 2], [2, 1], [], [1, 2, 3, 4], [], None])
    np.testing.assert_array_equal(cor_lists(x, x), [NAN, 1, 1, NAN, 1, NAN, NAN])


def test_lists_of_different_lengths_and_refused_rows_are_named():
    x, y = pa.array([[1, 2], None, [1, 2, 3]]), pa.array([[1, 2], [1], [1, 2]])
    for method in ("tau_b", "rbo"):
        with pytest.raises(ValueError, match="length") as caught:
            cor_lists(x, y, method, p=0.9 if method == "rbo" else None)
        assert str(caught.value) == (
            "row 3, with x = [1, 2, 3] and y = [1, 2]: "
            "the lists must be of the same length, but they have 3 and 2 items"
        )
    long = pa.array([[3, 2], [*range(8), 7]])
    with pytest.raises(ValueError, match="ties") as caught:
        cor_lists(long, pa.array([[3, 2], list(range(9))]), "tauAP")
    assert str(caught.value) == (
        "row 2, with x = [0, 1, 2, 3, 4, 5, ... (9 values)] and y = [0, 1, 2, 3, 4, 5, ... (9 values)]: 'x' contains "
        "ties. The variants _a (ties in 'y') and _b (in both) allow them."
    )
    with pytest.raises(
        ValueError, match=r"^row 1, with x = \[1, 2, 3, 4, 5, 5\] and y = \[1, 2, 3, 4, 5, 6\]: 'x' contains ties"
    ):
        cor_lists(pa.array([[1, 2, 3, 4, 5, 5]]), pa.array([[1, 2, 3, 4, 5, 6]]), "tau")
    near = pa.array([[0.1 + 0.2, 0.3]])
    with pytest.raises(ValueError, match=r"^row 1, .*: 'y' contains ties. R prints .* and 0.3 alike"):
        cor_lists(pa.array([[1, 2]]), near, "tau")
    with pytest.raises(ValueError, match="'x' and 'y' must have the same number of rows: they have 2 and 3"):
        cor_lists(x[:2], y)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([[1, 2]], "it is a list; pyarrow.array makes an Arrow array of lists"),
        (np.ones((2, 2)), "it is a ndarray; pyarrow.array"),
        (pa.array([1, 2]), "it is an Arrow array of type int64"),
        (pl.Series([1, 2]), "it is an Arrow array of type int64"),
        (pa.array([["a"]]), "it has lists of type string"),
        (pa.array([[True]]), "it has lists of type bool"),
        (pa.array([[[1]]]), "it has lists of type list<"),
        (pa.table({"a": [[1]]}), "it is an Arrow array of type struct<"),
        (pl.DataFrame({"a": [[1]]}), "it is a DataFrame"),
        (pd.Series([[1, "a"]]), "it is a Series"),
    ],
)
def test_what_has_no_lists_of_numbers_is_refused(wrong, words):
    good = pa.array([[1, 2]])
    with pytest.raises(TypeError) as caught:
        cor_lists(good, wrong)
    assert str(caught.value).startswith("'y' must be an Arrow column of lists of numbers, but ")
    assert words in str(caught.value)
    with pytest.raises(TypeError, match="^'x' must be"):
        cor_lists(wrong, good)


def test_options_are_those_of_cor_by(grouped, lists):
    rows = grouped("tauAP_b")
    x, y = lists(rows.g, rows.x), lists(rows.g, rows.y)
    for options in ({"decreasing": False, "min_items": 5}, {"method": "rbo", "p": 0.8, "ties": "b"}):
        options = {"method": "tauAP_b"} | options
        np.testing.assert_array_equal(cor_lists(x, y, **options), ircor.cor_by(rows.g, rows.x, rows.y, **options))
    for options in ({"method": "tua"}, {"method": "rbo"}, {"min_items": 1}, {"p": 0.5}):
        with pytest.raises(ValueError, match="must|required|is for") as here:
            cor_lists(x, y, **options)
        with pytest.raises(ValueError, match="must|required|is for") as there:
            ircor.cor_by(rows.g, rows.x, rows.y, **options)
        assert str(here.value) == str(there.value)


def test_labels_in_another_order_are_warned_of():
    of_type = pd.ArrowDtype(pa.list_(pa.int64()))
    x, y = (pd.Series([[1, 2], [2, 1]], dtype=of_type, index=list(labels)) for labels in ("ab", "ba"))
    with pytest.warns(ircor.PairingWarning, match="'x' and 'y' have the same labels in another order"):
        cor_lists(x, y)


def test_doubles_are_not_copied(rng):
    x = rng.random(1_000_000)
    offsets = pa.array(np.arange(0, 1_000_001, 1000), pa.int32())
    column = pa.ListArray.from_arrays(offsets, pa.array(x))
    assert np.shares_memory(Lists.of(column, "x").values, x)
    assert np.shares_memory(Lists.of(column[10:20], "x").values, x[10_000:20_000])
    tracemalloc.start()
    cor_lists(column, column)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < x.nbytes / 8


def test_pyarrow_is_loaded_when_it_is_needed():
    code = "import sys, ircor; ircor.cor_lists; print('pyarrow' in sys.modules, 'pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
