"""Rows of comma- or tab-separated values."""

import gzip

import pandas as pd
import pytest

from ircor._core.content import Content
from ircor.scoring._cells import MISSING_CELLS
from ircor.trec._delimited import read_delimited


def read(path):
    grid = read_delimited(Content.of(path))
    return grid.header, list(zip(grid.lines, map(list, zip(*grid.columns))))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_commas_or_tabs(write, pack):
    for text in ("a,b\n1,2\n\n3,\n", "\ufeffa\tb\r\n1\t2\r\n\r\n3\t\r\n", '"a", b\n1,"2"\n\n"3",""'):
        assert read(write(pack(text.encode()))) == (["a", "b"], [(2, ["1", "2"]), (4, ["3", ""])])


def test_missing_cells_are_those_of_pandas(write):
    cells = ["", "NA", "N/A", "n/a", "<NA>", "#N/A", "#N/A N/A", "#NA", "NaN", "nan", "-NaN", "-nan", "NULL", "null"]
    cells += ["None", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"]
    assert set(cells) == MISSING_CELLS
    assert pd.read_csv(write("x,y\n" + "".join(f"{cell},1\n" for cell in cells)))["x"].isna().all()


def test_cells_are_stripped_and_quotes_removed(write):
    assert read(write('"a", b \n"1,5","x ""y"""\n')) == (["a", "b"], [(2, ["1,5", 'x "y"'])])
    # With tabs, a comma is part of a cell.
    assert read(write("a,b\tc\n1,5\t2\n")) == (["a,b", "c"], [(2, ["1,5", "2"])])


def test_a_row_begins_at_the_first_of_its_lines(write):
    assert read(write('a,b\n"one\ntwo",2\n3,4\n')) == (["a", "b"], [(2, ["one\ntwo", "2"]), (4, ["3", "4"])])


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("", 1, "the file is empty"),
        ("\n \n", 1, "the file is empty"),
        ("a,b,a\n", 1, "two columns have the name 'a'"),
        ("\n\nb, a,a \n", 3, "two columns have the name 'a'"),
        ("a,b\n1,2\na,b\n", 3, "the line with the names of the columns is repeated"),
        ("a,b\n1\n", 2, "expected 2 fields, as in the first line, found 1"),
        ("a,b\n1,2\n1,2,3\n", 3, "expected 2 fields, as in the first line, found 3"),
        ('a,b\n1,"2\n3,4\n', 3, "the row cannot be split into fields: unexpected end of data"),
        ('a,b\n1,"2"3\n3,4\n', 2, "the row cannot be split into fields: "),
    ],
)
def test_malformed_rows_are_refused_with_file_and_line(refused, content, line, words):
    refused(read, content, line, words)
