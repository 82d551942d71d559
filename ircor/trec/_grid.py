"""Rows of cells under the names of columns, whatever the file: comma- or tab-separated values, JSON or Parquet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isnan
from typing import Any

from .._extras import extra
from .._fields import ROW_NUMBERS, are_counts, kind_of
from ._content import NOT_ENDED, Content, may_be_cut
from ._lines import NUMBER, WHOLE_NUMBER, FormatError, first_repeated
from ._paths import FilePath

# The cells that pandas' read_csv reads as missing, which include the NA and the empty cell of R's read.csv.
MISSING_CELLS = frozenset(
    {"", "NA", "N/A", "n/a", "<NA>", "#N/A", "#N/A N/A", "#NA", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None"}
    | {"1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"}
)

PARQUET_MAGIC = b"PAR1"


@dataclass(frozen=True, eq=False)
class Grid:
    """The rows of a table as text.

    Attributes
    ----------
    path : path
        The file.
    header : list of str
        The names of the columns, each of them unique.
    rows : list
        The line where each row begins, and its cells, as many as there are columns.
    line : int
        The line of the header.
    """

    path: FilePath
    header: list[str]
    rows: list[tuple[int, list[str]]]
    line: int = 1

    def error(self, what: str, line: int | None = None) -> FormatError:
        return FormatError(self.path, self.line if line is None else line, what)

    def column(self, k: int) -> list[str]:
        return [row[k] for _, row in self.rows]

    def without(self, dropped: Sequence[int]) -> Grid:
        """The table without some columns."""
        kept = [k for k in range(len(self.header)) if k not in dropped]
        rows = [(line, [row[k] for k in kept]) for line, row in self.rows]
        return Grid(self.path, [self.header[k] for k in kept], rows, self.line)

    def is_numeric(self, k: int) -> bool:
        """Whether all cells of a column are numbers or missing."""
        return all(NUMBER.fullmatch(cell) or cell in MISSING_CELLS for cell in self.column(k))

    def has_numbers(self, k: int) -> bool:
        """Whether a column has numbers or nothing, rather than text; a column that mixes them is refused."""
        present = [(line, row[k]) for line, row in self.rows if row[k] not in MISSING_CELLS]
        texts = [(line, cell) for line, cell in present if not NUMBER.fullmatch(cell)]
        if 0 < len(texts) < len(present):
            line, cell = texts[0]
            what = f"{cell!r} in column {self.header[k]!r} is not a number, but other cells of the column are"
            raise self.error(what, line)
        return not texts

    def is_whole(self, k: int) -> bool:
        """Whether all cells of a column are whole numbers."""
        return all(map(WHOLE_NUMBER.fullmatch, self.column(k)))


def checked_grid(path: FilePath, header: list[str], rows: Iterator[tuple[int, list[str]]], line: int = 1) -> Grid:
    """A table whose columns have different names and whose rows have a cell for each of them."""
    if (k := first_repeated(header)) is not None:
        raise FormatError(path, line, f"two columns have the name {header[k]!r}")
    kept = []
    for number, row in rows:
        if len(row) != len(header):
            raise FormatError(path, number, f"expected {len(header)} fields, as in the first line, found {len(row)}")
        if row[1:] == header[1:] and any(row[1:]):
            raise FormatError(path, number, "the line with the names of the columns is repeated")
        kept.append((number, row))
    return Grid(path, header, kept, line)


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
    if not content.ends_with_newline:
        refuse_cut(grid, content)
    return grid


def refuse_no_header(path: FilePath, line: int, header: list[str]) -> None:
    """Refuse a first line with numbers that may be the first row of a table without names of columns."""
    first, *others = header
    numbers = [name for name in others if NUMBER.fullmatch(name)]
    if not numbers or kind_of(first) == "system" or are_counts(header):
        return
    if not all(map(WHOLE_NUMBER.fullmatch, numbers)):
        wrong = next(name for name in numbers if not WHOLE_NUMBER.fullmatch(name))
        raise FormatError(path, line, f"the first line must have the names of the columns, not the number {wrong}")
    if kind_of(first) is None and not ROW_NUMBERS.fullmatch(first):
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
    if not content.ends_with_newline:
        refuse_cut(wide, content)
    cells = (
        (number, [measure, system, topic, cell])
        for number, (topic, *row) in wide.rows
        for (measure, system), cell in zip(pairs, row)
    )
    return Grid(content.path, ["measure", "system", "topic", "value"], list(cells), line)


def read_write_table(content: Content) -> Grid:
    """What R's write.table writes: fields separated by blanks, and no name above the names of rows."""
    (line, header), *rows = split_rows(content, " ")
    unnamed = [""] if rows and len(rows[0][1]) == len(header) + 1 else []
    grid = checked_grid(content.path, [*unnamed, *header], iter(rows), line)
    if not content.ends_with_newline:
        refuse_cut(grid, content)
    return grid


def refuse_cut(grid: Grid, content: Content) -> None:
    """Refuse a file whose last cell may be the beginning of a longer one."""
    if grid.rows and not content.lines[-1][1].rstrip(" \t").endswith('"'):
        *others, last = chain.from_iterable(row for _, row in grid.rows)
        if not (last and last in MISSING_CELLS) and may_be_cut(last, others):
            raise FormatError(grid.path, content.lines[-1][0], NOT_ENDED)


def split_rows(content: Content, separator: str = "") -> Iterator[tuple[int, list[str]]]:
    """Yield each row as a list of cells, with the line where it begins.

    By default cells are separated by tabs if the first line has one, otherwise by commas.  Quotes are as spreadsheets
    write them.
    """
    if not content.lines:
        return
    if not separator and ";" in content.lines[0][1] and not re.search(r"[,\t]", content.lines[0][1].partition(";")[0]):
        raise FormatError(
            content.path, content.lines[0][0], "the fields are separated by semicolons: use commas or tabs"
        )
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
            raise FormatError(content.path, lines_read[-1], f"the row cannot be split into fields: {error}") from None
        if row is None:
            return
        yield lines_read[before], [cell.strip() for cell in row]


def read_json_lines(content: Content) -> Grid:
    """A JSON object in each line, whose keys are the names of the columns."""
    return from_objects(content.path, ((line, parse_json(content.path, text, line)) for line, text in content.lines))


def parse_json(path: FilePath, text: str, first: int = 1) -> Any:
    """The value of a JSON text that begins at this line."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if (k := first_repeated(key for key, _ in pairs)) is not None:
            raise FormatError(path, first, f"the key {pairs[k][0]!r} is repeated in one object")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise FormatError(path, first + error.lineno - 1, f"this is not complete JSON: {error.msg}") from None
    except RecursionError:
        raise FormatError(path, first, "the JSON is nested too deeply") from None


def from_objects(path: FilePath, objects: Iterator[tuple[int, Any]]) -> Grid:
    """A table of objects with one row for each; a key that an object does not have is a missing value."""
    rows: list[tuple[int, dict[str, str]]] = []
    for line, found in objects:
        if not isinstance(found, dict):
            raise FormatError(
                path, line, f"expected an object with a key for each column, not {json.dumps(found)[:40]}"
            )
        rows.append((line, {key: cell_text(path, line, key, value) for key, value in found.items()}))
    header = list(dict.fromkeys(chain.from_iterable(row for _, row in rows)))
    return Grid(path, header, [(line, [row.get(key, "") for key in header]) for line, row in rows])


def cell_text(path: FilePath, line: int, name: str, value: Any) -> str:
    """A value of JSON or Parquet as the text of a cell."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise FormatError(path, line, f"the value of {name!r} is neither a number nor text: {str(value)[:40]}")
    return value.strip() if isinstance(value, str) else repr(value)


def read_parquet(content: Content) -> Grid:
    """A Parquet file; an index that pandas has stored is a column again.  Rows are counted from 1 in messages."""
    parquet, pyarrow = extra("pyarrow.parquet", content.name), extra("pyarrow", content.name)
    try:
        frame = parquet.read_table(pyarrow.BufferReader(content.data)).to_pandas()
    except (pyarrow.ArrowException, OSError) as error:
        raise FormatError(content.path, 1, f"the Parquet file is damaged or truncated: {error}") from None
    if frame.columns.nlevels > 1:
        frame = stacked(frame)
    if not (isinstance(frame.index, extra("pandas", "reading files").RangeIndex) and frame.index.name is None):
        # Without a name, as the names of rows are in a CSV file.
        frame = frame.reset_index(names=[name or "" for name in frame.index.names])
    header = [str(name) for name in frame.columns]
    cells = [frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame.columns]
    rows = (
        (line, [cell_text(content.path, line, name, cell) for name, cell in zip(header, row)])
        for line, row in enumerate(zip(*cells), 1)
    )
    return checked_grid(content.path, header, rows)


def stacked(frame: Any) -> Any:
    """A table with columns of measures and systems, as readers here return it, with one score in each row."""
    if list(frame.columns.names) != ["measure", "system"]:
        return frame
    rows = [
        (topic, measure, system, value)
        for (measure, system), column in frame.items()
        for topic, value in column.items()
    ]
    return extra("pandas", "reading files").DataFrame(rows, columns=["topic", "measure", "system", "value"])


def read_json(content: Content) -> Any:
    """The value of a whole file of JSON."""
    first = content.lines[0][0]
    text = io.StringIO()
    line = first
    for number, part in content.lines:
        text.write("\n" * (number - line) + part)
        line = number + 1
    return parse_json(content.path, text.getvalue(), first)
