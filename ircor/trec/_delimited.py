"""Tables of text: comma- or tab-separated values, and the output of R's write.table."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import chain

from .._core.content import NUMBER, WHOLE_NUMBER, Content, FormatError, Place, first_repeated
from .._core.names import ROW_NUMBERS, are_counts, role_of
from ._grid import Grid, checked_grid, refuse_cut, stacked


def read_delimited(content: Content) -> Grid:
    """Comma- or tab-separated values, whose first line has the names of the columns."""
    path = content.path
    rows = split_rows(content)
    line, header = next(rows, (1, []))
    if not header:
        raise FormatError(path, 1, "the file is empty")
    if header[0] in ("", "measure", "metric"):
        second = next(rows, (line, [""]))
        if second[1][0] == "system":
            return read_two_headers(content, header, second[1], rows)
        rows = chain([second], rows)
    refuse_no_header(path, line, header)
    grid = checked_grid(path, header, rows, line)
    refuse_cut(grid, content)
    return grid


def refuse_no_header(path: Place, line: int, header: list[str]) -> None:
    """Refuse a first line with numbers that may be the first row of a table without names of columns."""
    first, *others = header
    numbers = [name for name in others if NUMBER.fullmatch(name)]
    if not numbers or role_of(first) == "system" or are_counts(header):
        return
    if not all(map(WHOLE_NUMBER.fullmatch, numbers)):
        wrong = next(name for name in numbers if not WHOLE_NUMBER.fullmatch(name))
        raise FormatError(path, line, f"the first line must have the names of the columns, not the number {wrong}")
    if role_of(first) is None and not ROW_NUMBERS.fullmatch(first):
        what = f"{', '.join(header[:3])} can be the names of columns, or the first row of a table without names"
        raise FormatError(path, line, f"{what}: name the columns, the first of them topic or system")


def read_two_headers(
    content: Content, measures: list[str], systems: list[str], rows: Iterator[tuple[int, list[str]]]
) -> Grid:
    """A table with the measures in the first line and the systems in the second, as pandas writes those read here.

    In the result each row has one score.
    """
    line, names = next(rows, (1, []))
    if not names or any(names[1:]):
        raise FormatError(content.path, line, "expected the word topic alone, below the measures and the systems")
    pairs = list(zip(measures[1:], systems[1:]))
    if len(systems) != len(measures) or len(names) != len(measures) or first_repeated(pairs) is not None:
        raise FormatError(content.path, line, "expected a different pair of measure and system above each column")
    wide = checked_grid(content.path, ["topic", *(str(k) for k in range(len(pairs)))], rows, line)
    refuse_cut(wide, content)
    return stacked(wide, [one for one, _ in pairs], [two for _, two in pairs])


def read_write_table(content: Content) -> Grid:
    """The output of R's write.table: fields separated by blanks, and no name above the names of rows."""
    (line, header), *rows = split_rows(content, " ")
    unnamed = [""] if rows and len(rows[0][1]) == len(header) + 1 else []
    grid = checked_grid(content.path, [*unnamed, *header], iter(rows), line)
    refuse_cut(grid, content)
    return grid


def split_rows(content: Content, separator: str = "") -> Iterator[tuple[int, list[str]]]:
    """Yield each row as a list of cells, with the line where it begins.

    By default cells are separated by tabs if the first line has one, otherwise by commas.  Quotes are as spreadsheets
    write them.
    """
    if not content.lines:
        return
    if not separator and ";" in content.lines[0][1] and not re.search(r"[,\t]", content.lines[0][1].partition(";")[0]):
        raise content.error("the fields are separated by semicolons: use commas or tabs")
    lines_read: list[int] = []

    def texts() -> Iterator[str]:
        for line, text in content.lines:
            lines_read.append(line)
            yield text

    separator = separator or ("\t" if "\t" in content.lines[0][1] else ",")
    reader = csv.reader(texts(), delimiter=separator, strict=True)
    while True:
        before = len(lines_read)
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise content.error(f"the row cannot be split into fields: {error}", line=lines_read[-1]) from None
        if row is None:
            return
        yield lines_read[before], list(map(str.strip, row))
