"""Which objects are numeric vectors and tables of numbers, and that their values are converted without loss."""

import array
import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from calls import FUNCTIONS

import ircor
from ircor._core.vectors import dense_ranks, exact, numeric_vector, with_missing

X, Y = [3, 1, 4, 2, 6, 5], [2, 1, 4, 4, 6, 5]
EXPECTED = {"tau_a": ircor.tau_a(X, Y), "tau_b": ircor.tau_b(X, Y), "tauAP_a": ircor.tauAP_a(X, Y)}


def unaligned(values):
    packed = np.zeros(len(values), dtype=np.dtype([("pad", "i1"), ("value", "f8")]))
    packed["value"] = values
    return packed["value"]


def read_only(values):
    frozen = np.array(values, dtype=float)
    frozen.setflags(write=False)
    return frozen


NUMERIC = {
    "list": list,
    "list of floats": lambda v: [float(a) for a in v],
    "list of both": lambda v: [*map(float, v[:3]), *v[3:]],
    "list of NumPy scalars": lambda v: [np.float32(v[0]), np.int8(v[1]), np.uint64(v[2]), *v[3:]],
    "list of long doubles": lambda v: [np.longdouble(a) for a in v],
    "tuple": tuple,
    **{
        str(np.dtype(kind)): lambda v, kind=kind: np.array(v, dtype=kind)
        for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "g", ">f8", ">i4", ">u2")
    },
    "every second": lambda v: np.repeat(np.array(v, dtype=float), 2)[::2],
    "backwards": lambda v: np.array(v[::-1], dtype=float)[::-1],
    "backwards integers": lambda v: np.array(v[::-1])[::-1],
    "column of a matrix": lambda v: np.array([v, v], dtype=float).T[:, 1],
    "read-only": read_only,
    "unaligned": unaligned,
    "masked array": lambda v: np.ma.array(v),
    "array.array": lambda v: array.array("d", v),
    "memoryview": lambda v: memoryview(np.array(v, dtype=float)),
    "pandas float": lambda v: pd.Series(v, dtype="float64"),
    "pandas index": lambda v: pd.Series(v, index=list("fedcba")),
    "pandas Int64": lambda v: pd.Series(v, dtype="Int64"),
    "pandas UInt8": lambda v: pd.Series(v, dtype="UInt8"),
    "pandas Float32": lambda v: pd.Series(v, dtype="Float32"),
    "pandas Arrow integer": lambda v: pd.Series(v, dtype="int64[pyarrow]"),
    "pandas Arrow float": lambda v: pd.Series(v, dtype="double[pyarrow]"),
    "pandas sparse": lambda v: pd.Series(pd.arrays.SparseArray(np.array(v, dtype=float))),
    "pandas Index": lambda v: pd.Index(v),
    "pandas array": lambda v: pd.array(v, dtype="Int64"),
    "Polars integer": lambda v: pl.Series(v),
    "Polars UInt16": lambda v: pl.Series(v, dtype=pl.UInt16),
    "Arrow": lambda v: pa.array(v),
    "Polars Float32": lambda v: pl.Series(v, dtype=pl.Float32),
}
if hasattr(pl, "Int128"):
    NUMERIC["Polars Int128"] = lambda v: pl.Series(v, dtype=pl.Int128)


@pytest.mark.parametrize("kind", NUMERIC)
def test_what_is_a_numeric_vector(kind):
    make = NUMERIC[kind]
    for name, expected in EXPECTED.items():
        assert FUNCTIONS[name](make(X), make(Y)) == expected
        assert FUNCTIONS[name](make(X), Y) == expected
        assert FUNCTIONS[name](X, make(Y)) == expected
        assert type(FUNCTIONS[name](make(X), make(Y))) is float


def test_a_range_is_a_numeric_vector():
    assert ircor.tau(range(1, 7), [2, 3, 1, 4, 6, 5]) == 0.6


def test_values_pair_by_position_whatever_their_index():
    x, y = pd.Series([1, 2, 3], index=[0, 1, 2]), pd.Series([1, 2, 3], index=[2, 1, 0])
    with pytest.warns(ircor.PairingWarning):
        assert ircor.tau(x, y) == 1


NOT_NUMERIC = {
    "none": None,
    "number": 3,
    "NumPy number": np.float64(3),
    "text": "123",
    "bytes": b"123",
    "booleans": [True, False, True],
    "a boolean among numbers": [1, 2.5, True],
    "NumPy booleans": np.array([True, False, True]),
    "NumPy booleans in a list": [np.True_, np.False_],
    "pandas booleans": pd.Series([True, False, True]),
    "pandas nullable booleans": pd.Series([True, None, False], dtype="boolean"),
    "pandas Arrow booleans": pd.Series([True, None, False], dtype="bool[pyarrow]"),
    "Polars booleans": pl.Series([True, False]),
    "strings": ["1", "2", "3"],
    "NumPy strings": np.array(["1", "2", "3"]),
    "pandas strings": pd.Series(["1", "2", "3"]),
    "Polars strings": pl.Series(["1", "2", "3"]),
    "complex": [1 + 1j, 2, 3],
    "NumPy complex": np.array([1 + 1j, 2, 3]),
    "None among numbers": [1, None, 3],
    "pandas NA among numbers": [1, pd.NA, 3],
    "fractions": [Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)],
    "decimals": [Decimal(1), Decimal(2), Decimal(3)],
    "Polars decimals": pl.Series([Decimal(1), Decimal(2), Decimal(3)]),
    "objects": np.array([1, 2, 3], dtype=object),
    "pandas objects": pd.Series([1, 2, 3], dtype=object),
    "dates": [datetime.date(2020, 1, day) for day in (1, 2, 3)],
    "NumPy dates": np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"),
    "NumPy time spans": np.array([1, 2, 3], dtype="timedelta64[D]"),
    "pandas dates": pd.Series(pd.date_range("2020-01-01", periods=3)),
    "pandas dates with a zone": pd.Series(pd.date_range("2020-01-01", periods=3, tz="UTC")),
    "pandas categories": pd.Series([1, 2, 3]).astype("category"),
    "pandas intervals": pd.Series(pd.interval_range(0, 3)),
    "Polars dates": pl.Series([datetime.date(2020, 1, day) for day in (1, 2, 3)]),
    "Polars lists": pl.Series([[1], [2], [3]]),
    "matrix": np.ones((2, 2)),
    "one column": np.ones((3, 1)),
    "masked matrix": np.ma.ones((2, 2)),
    "masked booleans": np.ma.array([True, False, True]),
    "nested list": [[1, 2], [3, 4]],
    "data frame": pd.DataFrame({"a": [1, 2, 3]}),
    "data frame with a column dtype": pd.DataFrame({"dtype": [1, 2, 3]}),
    "Polars data frame": pl.DataFrame({"a": [1, 2, 3]}),
    "dictionary": {1: 2, 3: 4},
    "set": {1, 2, 3},
    "generator": (i for i in range(3)),
    "time spans in a list": [np.timedelta64(1, "ns"), np.timedelta64(2, "ns"), np.timedelta64(3, "ns")],
    "Arrow with nulls": pa.array([1, None, 3]),
    "zero dimensions": np.array(3.0),
}


@pytest.mark.parametrize("kind", NOT_NUMERIC)
def test_what_is_not_a_numeric_vector(kind, function):
    with pytest.raises(TypeError, match="^'x' must be a numeric vector"):
        function(NOT_NUMERIC[kind], [1, 2, 3])
    with pytest.raises(TypeError, match="^'y' must be a numeric vector"):
        function([1, 2, 3], NOT_NUMERIC[kind])


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_integers_at_the_limits_of_their_type(kind):
    limits = np.iinfo(kind)
    x = np.array([limits.min, limits.max, limits.max - 1, limits.min + 1], dtype=kind)
    assert ircor.tau(x, [1, 4, 3, 2]) == 1
    assert ircor.tauAP(x, [1, 4, 3, 2]) == 1
    assert ircor.tau_b(x.tolist(), x) == 1


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "longdouble"])
def test_floats_at_the_limits_of_their_type(kind):
    limits = np.finfo(kind)
    x = np.array([limits.smallest_subnormal, limits.max, 1, -limits.max, -np.inf, np.inf], dtype=kind)
    assert ircor.tau_b(x, [3, 5, 4, 2, 1, 6]) == 1


@pytest.mark.parametrize("n", [3, 300])
@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        lambda v: np.array(v),
        lambda v: np.array(v, dtype=np.uint64),
        lambda v: pd.Series(v, dtype="UInt64"),
        lambda v: pl.Series(v, dtype=pl.UInt64),
        lambda v: np.ma.array(v),
        lambda v: [np.uint64(a) if a > 2**52 else a for a in v],
    ],
)
def test_integers_above_2_to_the_53_do_not_become_ties(n, make):
    x = [2**53 + k for k in range(n)]
    assert ircor.tau(make(x), range(n)) == 1
    assert ircor.tau_b(make(x), range(n)) == 1


@pytest.mark.parametrize(
    "x",
    [
        [2**63, 2**63 - 1, -1, -(2**63)],
        [2**64 + 1, 2**64, 5, 3],
        [10**30 + 1, 10**30, -(10**30), -(10**30) - 1],
        [2**53 + 1, float(2**53), 2**53 - 1.0, 1],
        [np.uint64(2**64 - 1), np.uint64(2**64 - 2), np.int64(-1), -(2**63)],
        [float("inf"), 2**60 + 1, 2**60, -float("inf")],
        [np.float64(2**53 + 8), 2**53 + 7, 1.5, 1],
        [float(2**53 + 8), np.int64(2**53 + 7), 1.5, 1],
        [np.float32(2**60), 2**60 - 1, np.float16(2), 1],
        [10**400, np.float64(2), 1.5, 1],
        [2**62, np.longdouble(2) ** 61 + 1, 2**61, 1],
    ],
)
def test_lists_that_no_one_type_can_hold_keep_their_order(x):
    assert ircor.tau(x, [4, 3, 2, 1]) == 1
    assert ircor.tau_b([*x, x[0]], [4, 3, 2, 1, 4]) == 1


def test_equal_numbers_of_different_types_are_a_tie():
    assert ircor.tau_b([2**60 + 1, np.longdouble(2**60) + 1, 1.0], [3, 3, 1]) == 1
    assert ircor.tau_b([2**60, np.float64(2**60), 1.0], [3, 3, 1]) == 1


def test_floats_that_r_prints_alike_are_ties_beside_large_integers_too():
    with pytest.raises(ValueError, match="^'x' contains ties"):
        ircor.tau([2**60, 0.3, 0.1 + 0.2], [3, 1, 2])
    assert ircor.tau_b([2**60, 0.3, 0.1 + 0.2], [3, 1, 2]) == 1


MISSING = {
    "list": [1.0, float("nan"), 3.0, 4.0],
    "NumPy": np.array([1, np.nan, 3, 4]),
    "NumPy float16": np.array([1, np.nan, 3, 4], dtype="f2"),
    "masked array": np.ma.array([1, 2, 3, 4], mask=[False, True, False, False]),
    "masked float array": np.ma.array([1.0, 2.0, 3.0, 4.0], mask=[False, True, False, False]),
    "pandas": pd.Series([1, None, 3, 4]),
    "pandas Int64": pd.Series([1, None, 3, 4], dtype="Int64"),
    "pandas Float64": pd.Series([1, None, 3, 4], dtype="Float64"),
    "pandas Arrow": pd.Series([1, None, 3, 4], dtype="int64[pyarrow]"),
    "Polars": pl.Series([1, None, 3, 4]),
    "Polars float": pl.Series([1.0, float("nan"), 3.0, 4.0]),
    "large integers": pd.Series([2**62, None, 2**62 + 1, 2**62 + 2], dtype="Int64"),
    "large integers in Polars": pl.Series([2**62, None, 2**62 + 1, 2**62 + 2]),
    "large integers in a list": [2**62, float("nan"), 2**62 + 1, 2**62 + 2],
}


@pytest.mark.parametrize("kind", MISSING)
def test_every_kind_of_missing_value_is_treated_as_in_r(kind):
    # Figures of ircor 1.0: tauAP_a(c(1,2,3,4), c(1,NA,3,4)) and with decreasing = FALSE, tauAP_b likewise.
    x, y = [1, 2, 3, 4], MISSING[kind]
    with pytest.warns(ircor.MissingValueWarning, match="1 in 'y'"):
        assert ircor.tauAP_a(x, y) == pytest.approx(0.7777777777777777, abs=1e-12)
    with pytest.warns(ircor.MissingValueWarning, match="1 in 'y'"):
        assert ircor.tauAP_a(x, y, decreasing=False) == pytest.approx(0.5555555555555554, abs=1e-12)
    with pytest.warns(ircor.MissingValueWarning, match="1 in 'x'"):
        assert ircor.tauAP_b(y, x, decreasing=False) == pytest.approx(0.4999999999999998, abs=1e-12)
    assert np.isnan(ircor.tau_a(x, y))
    with pytest.raises(ValueError, match="^missing value where TRUE/FALSE needed: 'y' has a missing value"):
        ircor.tau_b(x, y)
    with pytest.raises(ValueError, match="^'y' contains ties. A missing value counts as one"):
        ircor.tau(x, y)
    with pytest.raises(ValueError, match="^'x' contains ties. A missing value counts as one"):
        ircor.tauAP_a(y, x)


def test_the_warning_points_at_the_caller():
    with pytest.warns(ircor.MissingValueWarning) as caught:
        ircor.tauAP_b([1, 2, np.nan], [1, np.nan, np.nan])
    assert caught[0].filename == __file__
    assert "1 in 'x', 2 in 'y'" in str(caught[0].message)


def test_the_input_is_left_as_it_was(function):
    x, y = np.array([3.0, 1.0, 2.0]), np.array([1.0, 3.0, 2.0])
    function(x, y)
    assert (x.tolist(), y.tolist()) == ([3, 1, 2], [1, 3, 2])


# The arrays that vectors become


@pytest.mark.parametrize(
    ("vector", "dtype"),
    [
        ([1, 2, 3], np.int64),
        (range(3), np.int64),
        ([1, 2.5], np.float64),
        ([], np.float64),
        ([2**53, 0.5], np.float64),
        ([-(2**53), 0.5], np.float64),
        ([2**53 + 1, 5], np.int64),
        ([2**63 - 1, -(2**63)], np.int64),
        ([np.int8(1), np.uint64(2**64 - 1)], np.float64),
        ([np.float32(1), np.float16(2)], np.float64),
        ([np.longdouble(1), 2.5], np.longdouble),
        ([np.longdouble(1), 2], np.longdouble),
    ],
)
def test_the_type_of_a_sequence(vector, dtype):
    found = numeric_vector(vector, "x")
    assert found.dtype == dtype
    assert found.ndim == 1


def test_the_largest_integer_beside_a_float():
    assert numeric_vector([2**53, 0.5, -(2**53)], "x").tolist() == [2.0**53, 0.5, -(2.0**53)]
    assert numeric_vector([2**53 + 1, 0.5, -(2**53)], "x").tolist() == [3, 2, 1]
    assert numeric_vector([2**53, 0.5, -(2**53) - 1], "x").tolist() == [3, 2, 1]


def test_an_array_is_not_copied():
    for values in (np.arange(3), np.arange(3.0), np.arange(6.0)[::2], np.arange(3, dtype=np.float16)):
        assert numeric_vector(values, "x") is values


def test_the_name_and_the_kind_are_in_the_message():
    for vector, words in [
        ([1, "a"], "'z' must be a numeric vector, but it is a list that holds a str"),
        ((1, None), "'z' must be a numeric vector, but it is a tuple that holds a NoneType"),
        (np.ones((2, 2)), "'z' must be a numeric vector, but it has 2 dimensions"),
        (np.array(3.0), "'z' must be a numeric vector, but it has 0 dimensions"),
        (np.array(["a"]), "'z' must be a numeric vector, but it is of type <U1"),
        (pd.Series([1, 2]).astype("category"), "'z' must be a numeric vector, but it is of type category"),
        (pl.Series([True]), "'z' must be a numeric vector, but it is of type Boolean"),
        ({1: 2}, "'z' must be a numeric vector, but it is a dict"),
        (pd.DataFrame({"a": [1, 2]}), "'z' must be a numeric vector, but it has 2 dimensions"),
        (
            pa.array([1, None]),
            "'z' must be a numeric vector, but it is a Int64Array with nulls, which a pandas or Polars",
        ),
    ]:
        with pytest.raises(TypeError, match=f"^{words}"):
            numeric_vector(vector, "z")


def test_dense_ranks():
    assert dense_ranks([10**30, -5, 10**30, 7]).tolist() == [3, 1, 3, 2]
    ranks = dense_ranks([2**70, 0.3, 0.1 + 0.2, float("nan"), 1.0, 1])
    assert ranks[[0, 1, 4, 5]].tolist() == [3, 1, 2, 2]
    assert ranks[2] == np.nextafter(1, 2)
    assert np.isnan(ranks[3])
    # Three in a row that R prints alike; and after them the next whole number.
    few = [1.0, 1 + 2**-52, 1 + 2**-51, 2, 2**70]
    assert dense_ranks(few).tolist() == [1, np.nextafter(1, 2), np.nextafter(np.nextafter(1, 2), 2), 2, 3]
    # Integers are not printed as floats: neighbours differ.
    assert dense_ranks([10**16 + 1, 10**16, 2**70]).tolist() == [2, 1, 3]
    # A float beside an integer of another value is not compared by its text.
    assert dense_ranks([2**60, float(2**60 + 2**10), 2**70]).tolist() == [1, 2, 3]


def test_exact_numbers():
    for value, kind in (
        (3, int),
        (np.int8(3), int),
        (2.5, float),
        (np.float32(0.5), float),
        (np.longdouble(2.5), float),
    ):
        assert exact(value) == value
        assert type(exact(value)) is kind
    assert type(exact(np.longdouble("inf"))) is float
    if np.finfo(np.longdouble).nmant > 52:
        third = np.longdouble(1) / 3
        assert type(exact(third)) is Fraction
        assert exact(third) != Fraction(float(third))


def test_missing_values_are_put_in_place():
    nothing, some = np.array([False, False, False]), np.array([False, True, False])
    for values in (np.array([2**60, 2**60 + 1, 2**60 + 2]), np.array([1.5, 2.5, 3.5], dtype=np.float32)):
        assert with_missing(values, nothing) is values
    np.testing.assert_array_equal(with_missing(np.array([2**60, 2**60 + 1, 2**60 + 2]), some), [0, np.nan, 2])
    narrow = with_missing(np.array([1.5, 2.5, 3.5], dtype=np.float32), some)
    assert narrow.dtype == np.float32
    np.testing.assert_array_equal(narrow, [1.5, np.nan, 3.5])
    words = np.array(["a", "b", "c"])
    assert with_missing(words, some) is words
