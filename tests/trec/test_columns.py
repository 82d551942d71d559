"""Columns of numbers with the names of the items."""

import gzip
import re

import numpy as np
import pandas as pd
import pytest

from ircor.trec import FormatError, read_columns

IDENTIFIERS = ["doc", "document", "id", "item", "name", "qid", "query", "run", "runid", "run_id", "system", "topic"]


def test_columns_of_items(write):
    frame = read_columns(write("system,map,note,P_10\nA,0.25,x,0.5\nB,,y,1e-3\n"))
    assert (list(frame.index), list(frame.columns)) == (["A", "B"], ["map", "P_10"])
    assert frame["map"].isna().tolist() == [False, True]
    assert frame.loc["B", "P_10"] == 0.001
    assert list(read_columns(write("a,b\n1,2\n3,4\n")).index) == ["1", "2"]
    # Row names as R and pandas write them, and numbers that name systems, are no measurements.
    for header in ("", "Run"):
        numbered = read_columns(write(f"{header},map\n7,0.5\n9,NA\n"))
        assert (list(numbered.columns), list(numbered.index)) == (["map"], ["7", "9"])
        assert numbered["map"].isna().tolist() == [False, True]
    for text, words in (
        ("x,map\na,0.5\nb,0.3O\n", ":3: '0.3O' in column 'map' is not a number, but other cells of the column are"),
        ("x,map\na,0.5\na,0.3\n", ":3: item 'a' is repeated"),
        ("x,map\na,1e999\n", ":2: the value in column 'map' must be a finite number, not '1e999'"),
    ):
        with pytest.raises(FormatError, match=re.escape(words)):
            read_columns(write(text))
    for text, words in (("a,b\nx,y\n", "no column of numbers"), ("a,b\n", "no column of numbers"), ("", "is empty")):
        with pytest.raises(FormatError, match=words):
            read_columns(write(text))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    "text",
    [
        "name,rank,score\nA,1,0.5\nB,2,NA\n",
        "\ufeffname\trank\tscore\r\nA\t1\t0.5\r\nB\t2\t\r\n",
        '"name","rank","score"\n"A","1",".5"\n\n"B", +2 ,null',
    ],
)
def test_plain_or_gzipped_with_commas_or_tabs_or_quotes(write, pack, text):
    frame = read_columns(write(pack(text.encode())))
    expected = pd.DataFrame({"rank": [1, 2], "score": [0.5, np.nan]}, index=pd.Index(["A", "B"], name="name"))
    pd.testing.assert_frame_equal(frame, expected)


@pytest.mark.parametrize(
    ("cells", "dtype", "values"),
    [
        (["1", "-2", "+3"], "int64", [1, -2, 3]),
        # A double holds neither of these two.
        (["9007199254740993", "9007199254740995"], "int64", [2**53 + 1, 2**53 + 3]),
        (["9223372036854775807", "-9223372036854775808"], "int64", [2**63 - 1, -(2**63)]),
        (["9223372036854775808", "1"], "float64", [2.0**63, 1]),
        (["-9223372036854775809", "1"], "float64", [-(2.0**63), 1]),
        (["9" * 300, "1"], "float64", [1e300, 1]),
        (["1", "1.0"], "float64", [1, 1]),
        (["1", "1e3"], "float64", [1, 1000]),
        (["1", ""], "float64", [1, np.nan]),
        (["NA", "NaN"], "float64", [np.nan, np.nan]),
    ],
)
def test_whole_numbers_stay_exact(write, cells, dtype, values):
    column = read_columns(write("item,x\n" + "".join(f"i{k},{cell}\n" for k, cell in enumerate(cells))))["x"]
    assert column.dtype == dtype
    np.testing.assert_array_equal(column.to_numpy(), np.array(values, dtype=dtype))


def test_each_column_has_its_own_type(write):
    frame = read_columns(write("x,y,z\n1,1,1\n2,2.5,\n"))
    assert frame.dtypes.tolist() == ["int64", "float64", "float64"]


def test_missing_cells(write):
    for cell in ("", "NA", "NaN", "nan", "null", "NULL", "None", "N/A", "<NA>", " NA "):
        frame = read_columns(write(f"item,x,y\na,1,2\nb,{cell},3\n"))
        assert frame["x"].isna().tolist() == [False, True]
        assert frame["y"].tolist() == [2, 3]
    for cell in ("na", "NONE", "Null", "-", "?", "Inf"):
        with pytest.raises(
            FormatError, match=re.escape(f":3: {cell!r} in column 'x' is not a number, but other cells")
        ):
            read_columns(write(f"item,x\na,1\nb,{cell}\n"))


def test_the_column_of_labels(write):
    labels = lambda text: (read_columns(write(text)).index.tolist(), read_columns(write(text)).index.name)  # noqa: E731
    for name in IDENTIFIERS:
        assert labels(f"{name.upper()},x\n1,1\n2,3\n") == (["1", "2"], name.upper())
    # The first column of text names the items; other columns of text are left out.
    frame = read_columns(write("x,family,note,system\n1,a,u,7\n2,b,u,8\n"))
    assert (frame.index.tolist(), frame.index.name, list(frame.columns)) == (["a", "b"], "family", ["x", "system"])
    # A label is never missing, and NA can name an item.
    assert labels("x,family\n1,NA\n2,b\n") == (["NA", "b"], "family")
    assert labels("x,y\n5,1\n7,3\n") == (["1", "2"], None)
    with pytest.raises(FormatError, match=":4: item '1' is repeated$"):
        read_columns(write("id,x\n1,1\n2,2\n1,2\n"))


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("item,a,a\nx,1,2\n", 1, "two columns have the name 'a'"),
        ("item,a\nx,1\n\ny,1,2\n", 4, "expected 2 fields, as in the first line, found 3"),
        ("x,y\n1,u\n2,v\n\n3,4\n", 2, "'u' in column 'y' is not a number, but other cells of the column are"),
        ("id\n1\n", 1, "this is none of the formats that can be read: "),
        ("map 401 0.5\n", 1, "expected a table with names of columns, not evaluation output"),
        ("id,x\n", 1, "there is no column of numbers"),
        (b"a,b\n1,\xe9\n", 2, "this is not text in UTF-8"),
    ],
)
def test_malformed_columns_are_refused_with_file_and_line(refused, content, line, words):
    refused(read_columns, content, line, words)
