"""Tables by their columns, whatever the source: text, or numbers that were numbers before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from .._core.content import NUMBER, WHOLE_NUMBER, Content, FormatError, Place, by_column, first_repeated
from .._core.errors import Parts
from .._core.options import Systems
from ..scoring import MISSING_CELLS, Column, text_of, texts_of


@dataclass(frozen=True, eq=False)
class Grid:
    """A table by its columns."""

    path: Place
    """The file, or the argument that has the table."""
    header: list[str]
    """The names of the columns, each of them unique."""
    columns: list[Column]
    """The cells of each."""
    lines: Sequence[int]
    """The line where each row begins."""
    line: int = 1
    """The line of the header."""
    sides: Systems | None = None
    """Where the systems are, if the names of the axes of a data frame say it."""
    measure: str = ""
    """The measure of all scores, if the data frame knows it although its columns do not say it."""

    def error(self, problem: Parts, *remedies: Parts, line: int | None = None, has: str = "") -> FormatError:
        """The error for a line; by default for that of the header."""
        return FormatError(self.path, self.line if line is None else line, problem, *remedies, has=has)

    def texts(self, k: int) -> list[str]:
        """The cells of a column."""
        return texts_of(self.columns[k])

    def names_of_rows(self, k: int | None) -> list[str]:
        """The cells of a column; without one, the numbers of the rows from 1."""
        return list(map(str, range(1, len(self.lines) + 1))) if k is None else self.texts(k)

    def without(self, dropped: Sequence[int]) -> Grid:
        """The table without some columns."""
        kept = [k for k in range(len(self.header)) if k not in dropped]
        return replace(self, header=[self.header[k] for k in kept], columns=[self.columns[k] for k in kept])

    def is_numeric(self, k: int) -> bool:
        """Whether all cells of a column are numbers or missing."""
        column = self.columns[k]
        return not isinstance(column, list) or all(NUMBER.fullmatch(one) or one in MISSING_CELLS for one in set(column))

    def has_numbers(self, k: int) -> bool:
        """Whether a column has numbers or nothing, rather than text; a column that mixes them is refused."""
        column = self.columns[k]
        if not isinstance(column, list) and np.isfinite(column).all():
            return True
        cells = self.texts(k)
        present = set(cells) - MISSING_CELLS
        words = {cell for cell in present if not NUMBER.fullmatch(cell)}
        if words and words != present:
            row = next(row for row, cell in enumerate(cells) if cell in words)
            what = f"{cells[row]!r} in column {self.header[k]!r} is not a number, but other cells of the column are"
            raise self.error(what, line=self.lines[row])
        return not words

    def is_whole(self, k: int) -> bool:
        """Whether all cells of a column are whole numbers."""
        column = self.columns[k]
        if not isinstance(column, list):
            return column.dtype.kind in "iu" or not column.size
        return all(map(WHOLE_NUMBER.fullmatch, set(column)))


def checked_grid(path: Place, header: list[str], rows: Iterable[tuple[int, list[str]]], line: int = 1) -> Grid:
    """A table whose columns have different names and whose rows have a cell for each of them."""
    if (k := first_repeated(header)) is not None:
        raise FormatError(path, line, f"two columns have the name {header[k]!r}")
    names = header[1:]

    def checked() -> Iterator[tuple[int, list[str]]]:
        for number, row in rows:
            if len(row) != len(header):
                what = f"expected {len(header)} fields, as in the first line, found {len(row)}"
                raise FormatError(path, number, what)
            if row[-1] == header[-1] and row[1:] == names and any(names):
                raise FormatError(path, number, "the line with the names of the columns is repeated")
            yield number, row

    lines, columns = by_column(checked(), len(header))
    return Grid(path, header, list(columns), lines, line)


def stacked(wide: Grid, measures: list[str], systems: list[str]) -> Grid:
    """A table of topics by pairs of measure and system as one with a score in each row."""
    topics, *columns = map(texts_of, wide.columns)
    rows = len(topics)
    header = ["measure", "system", "topic", "value"]
    long: list[Column] = [measures * rows, systems * rows, [topic for topic in topics for _ in columns]]
    lines = [line for line in wide.lines for _ in columns]
    return replace(wide, header=header, columns=[*long, list(chain.from_iterable(zip(*columns)))], lines=lines)


def refuse_cut(grid: Grid, content: Content) -> None:
    """Refuse a file whose last cell may be the beginning of a longer one."""
    if content.ends_with_newline or not len(grid.lines) or content.lines[-1][1].rstrip(" \t").endswith('"'):
        return
    *others, last = chain.from_iterable(zip(*map(texts_of, grid.columns)))
    if not last or last not in MISSING_CELLS:
        content.refuse_cut(last, others)


def text_of_value(path: Place, line: int, name: str, value: Any) -> str:
    """A value of JSON or Parquet as the text of a cell."""
    if isinstance(value, bool) or not (value is None or isinstance(value, (str, int, float))):
        raise FormatError(path, line, f"the value of {name!r} is neither a number nor text: {str(value)[:40]}")
    return text_of(value)
