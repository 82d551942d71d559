"""Tables of numbers: their values and their labels."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ircor
from ircor._core.vectors import number_table, without_arrow


@pytest.mark.parametrize(
    ("table", "shape", "labels"),
    [
        (3.5, (), []),
        ([1, 2], (2,), [[0, 1]]),
        ([[1, 2], [3, 4], [5, 6]], (3, 2), [[0, 1, 2], [0, 1]]),
        (np.zeros((2, 3)), (2, 3), [[0, 1], [0, 1, 2]]),
        (np.ma.zeros((2, 3)), (2, 3), [[0, 1], [0, 1, 2]]),
        (pd.Series([1, 2], index=["a", "b"]), (2,), [["a", "b"]]),
        (pd.DataFrame({"u": [1, 2]}, index=["a", "b"]), (2, 1), [["a", "b"], ["u"]]),
        (pl.DataFrame({"u": [1, 2], "v": [3.0, 4.0]}), (2, 2), [[0, 1], ["u", "v"]]),
        (pa.table({"u": [1, 2], "v": [3.0, 4.0]}), (2, 2), [[0, 1], ["u", "v"]]),
    ],
)
def test_tables_and_their_labels(table, shape, labels):
    values, found = number_table(table, "X")
    assert values.shape == shape
    assert found == labels


def test_missing_numbers_in_tables_are_nan():
    expected = [[1, np.nan], [3, 4]]
    for table in (
        np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]]),
        pd.DataFrame({"a": [1, 3], "b": [None, 4]}),
        pd.DataFrame({"a": [1, 3], "b": [None, 4]}).astype("Int64"),
        pd.DataFrame({"a": [1, 3], "b": pd.array([None, 4], dtype="Float64")}),
        pl.DataFrame({"a": [1, 3], "b": [None, 4]}),
        pa.table({"a": [1, 3], "b": [None, 4]}),
    ):
        np.testing.assert_array_equal(number_table(table, "X")[0], expected)


def test_what_is_no_table_of_numbers():
    for table, words in [
        ([["a"]], "'X' must be numbers, but it is of type <U1"),
        (np.array([[True]]), "'X' must be numbers, but it is of type bool"),
        (np.array([[1j]]), "'X' must be numbers, but it is of type complex128"),
        (pd.DataFrame({"a": [1], "b": [True]}), "'X' must be numbers, but it is of type bool"),
        (
            pd.DataFrame({"a": [1], "b": pd.array(["x"], dtype="string")}),
            "'X' must be numbers, but it is of type string",
        ),
        (pd.Series([1, 2]).astype("category"), "'X' must be numbers, but it is of type category"),
        ([[1, 2], [3]], "'X' must be a table of numbers: "),
        (None, "'X' must be numbers, but it is of type object"),
    ]:
        with pytest.raises(TypeError, match=words):
            number_table(table, "X")


def test_arrow_tables_become_frames():
    table = pa.table({"u": [1, 2]})
    pd.testing.assert_frame_equal(without_arrow(table), pd.DataFrame({"u": [1, 2]}))
    for other in (pd.DataFrame({"u": [1]}), pl.DataFrame({"u": [1]}), [[1]], pa.array([1, 2])):
        assert without_arrow(other) is other


def test_a_categorical_array_of_arrow_is_no_vector():
    column = pa.array([1.0, 2.0, 3.0]).dictionary_encode()
    table = pa.table({"a": [0.1, 0.2, 0.3], "b": column})
    for call in (
        lambda: ircor.tau_b(column, [1, 2, 3]),
        lambda: ircor.tau_b(pa.chunked_array([column]), [1, 2, 3]),
        lambda: ircor.averages.gmean(column),
        lambda: ircor.cor(table),
        lambda: ircor.bootstrap(table, table),
    ):
        with pytest.raises(TypeError, match="is of type (dictionary|category)"):
            call()
