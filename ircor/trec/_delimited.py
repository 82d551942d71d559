"""Rows of files with comma- or tab-separated values."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import chain

from ._lines import FormatError, first_repeated, lines
from ._paths import FilePath

# The cells that pandas' read_csv reads as missing, which include the NA and the empty cell of R's read.csv.
MISSING_CELLS = frozenset(
    {"", "NA", "N/A", "n/a", "<NA>", "#N/A", "#N/A N/A", "#NA", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None"}
    | {"1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"}
)


def header_and_rows(path: FilePath) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """The names of the columns, each of them unique, and an iterator over the other rows with their lines.

    Every row has as many cells as there are columns.
    """
    rows = split_rows(path)
    first, names = next(rows, (1, []))
    if not names:
        raise FormatError(path, 1, "the file is empty")
    refuse_repeated_columns(path, first, names)

    def checked() -> Iterator[tuple[int, list[str]]]:
        for line, row in rows:
            if len(row) != len(names):
                raise FormatError(path, line, f"expected {len(names)} fields, as in the first line, found {len(row)}")
            yield line, row

    return names, checked()


def refuse_repeated_columns(path: FilePath, line: int, names: Sequence[str]) -> None:
    if (k := first_repeated(names)) is not None:
        raise FormatError(path, line, f"two columns have the name {names[k]!r}")


def split_rows(path: FilePath) -> Iterator[tuple[int, list[str]]]:
    """Yield each row as a list of cells, with the line where it begins.

    Cells are separated by tabs if the first line has one, otherwise by commas.  Quotes are as spreadsheets write them.
    """
    numbered = lines(path)
    first = next(numbered, None)
    if first is None:
        return
    lines_read: list[int] = []

    def texts() -> Iterator[str]:
        for line, text in chain([first], numbered):
            lines_read.append(line)
            yield text

    reader = csv.reader(texts(), delimiter="\t" if "\t" in first[1] else ",", strict=True)
    while True:
        before = len(lines_read)
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise FormatError(path, lines_read[-1], f"the row cannot be split into fields: {error}") from None
        if row is None:
            return
        yield lines_read[before], [cell.strip() for cell in row]
