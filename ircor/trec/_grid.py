"""Rows of cells under the names of columns, whatever the file: comma- or tab-separated values, JSON or Parquet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isnan
from typing import Any

from .._core.errors import Parts
from .._core.names import ROW_NUMBERS, are_counts, is_topic, role_of
from .._core.options import Systems
from .._extras import extra
from ._content import NUMBER, WHOLE_NUMBER, Content, FormatError, Held, Place, first_repeated
from ._measures import is_measure

# The cells that pandas' read_csv reads as missing, which include the NA and the empty cell of R's read.csv.
MISSING_CELLS = frozenset(
    {"", "NA", "N/A", "n/a", "<NA>", "#N/A", "#N/A N/A", "#NA", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None"}
    | {"1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"}
)

PARQUET_MAGIC = b"PAR1"


@dataclass(frozen=True, eq=False)
class Grid:
    """The rows of a table as text."""

    path: Place
    """The file, or the argument that has the table."""
    header: list[str]
    """The names of the columns, each of them unique."""
    rows: list[tuple[int, list[str]]]
    """The line where each row begins, and its cells, as many as there are columns."""
    line: int = 1
    """The line of the header."""
    sides: Systems | None = None
    """Where the systems are, if the names of the axes of a data frame say it."""
    measure: str = ""
    """The measure of all scores, if the data frame knows it although its columns do not say it."""

    def error(self, problem: Parts, *remedies: Parts, line: int | None = None, has: str = "") -> FormatError:
        """The error for a line; by default for that of the header."""
        return FormatError(self.path, self.line if line is None else line, problem, *remedies, has=has)

    def column(self, k: int) -> list[str]:
        return [row[k] for _, row in self.rows]

    def names_of_rows(self, k: int | None) -> list[str]:
        """The cells of a column; without one, the numbers of the rows from 1."""
        return [str(number) for number in range(1, len(self.rows) + 1)] if k is None else self.column(k)

    def without(self, dropped: Sequence[int]) -> Grid:
        """The table without some columns."""
        kept = [k for k in range(len(self.header)) if k not in dropped]
        rows = [(line, [row[k] for k in kept]) for line, row in self.rows]
        return replace(self, header=[self.header[k] for k in kept], rows=rows)

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
            raise self.error(what, line=line)
        return not texts

    def is_whole(self, k: int) -> bool:
        """Whether all cells of a column are whole numbers."""
        return all(map(WHOLE_NUMBER.fullmatch, self.column(k)))


def checked_grid(path: Place, header: list[str], rows: Iterator[tuple[int, list[str]]], line: int = 1) -> Grid:
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
    cells = (
        (number, [measure, system, topic, cell])
        for number, (topic, *row) in wide.rows
        for (measure, system), cell in zip(pairs, row)
    )
    return Grid(content.path, ["measure", "system", "topic", "value"], list(cells), line)


def read_write_table(content: Content) -> Grid:
    """The output of R's write.table: fields separated by blanks, and no name above the names of rows."""
    (line, header), *rows = split_rows(content, " ")
    unnamed = [""] if rows and len(rows[0][1]) == len(header) + 1 else []
    grid = checked_grid(content.path, [*unnamed, *header], iter(rows), line)
    refuse_cut(grid, content)
    return grid


def refuse_cut(grid: Grid, content: Content) -> None:
    """Refuse a file whose last cell may be the beginning of a longer one."""
    if content.ends_with_newline or not grid.rows or content.lines[-1][1].rstrip(" \t").endswith('"'):
        return
    *others, last = chain.from_iterable(row for _, row in grid.rows)
    if not last or last not in MISSING_CELLS:
        content.refuse_cut(last, others)


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
        yield lines_read[before], [cell.strip() for cell in row]


def read_json_lines(content: Content) -> Grid:
    """A JSON object in each line, whose keys are the names of the columns."""
    return from_objects(content.path, ((line, parse_json(content.path, text, line)) for line, text in content.lines))


def parse_json(path: Place, text: str, first: int = 1) -> Any:
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


def from_objects(path: Place, objects: Iterator[tuple[int, Any]]) -> Grid:
    """A table of objects with one row for each; a key that an object does not have is a missing value."""
    rows: list[tuple[int, dict[str, str]]] = []
    for line, item in objects:
        if not isinstance(item, dict):
            what = f"expected an object with a key for each column, not {json.dumps(item)[:40]}"
            raise FormatError(path, line, what)
        rows.append((line, {key: text_of_value(path, line, key, value) for key, value in item.items()}))
    header = list(dict.fromkeys(chain.from_iterable(row for _, row in rows)))
    return Grid(path, header, [(line, [row.get(key, "") for key in header]) for line, row in rows])


def text_of_value(path: Place, line: int, name: str, value: Any) -> str:
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
        (line, [text_of_value(content.path, line, name, cell) for name, cell in zip(header, row)])
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


TABLE = "write a table with the columns topic, system, measure and value instead"


def depth(value: Any) -> int:
    """The number of objects inside each other; 0 if not all values are at the same depth, or if one is empty."""
    if not isinstance(value, dict):
        return 0
    inner = {depth(one) if isinstance(one, dict) else -1 for one in value.values()}
    if len(inner) != 1:
        return 0
    (below,) = inner
    return 1 if below == -1 else below + 1 if below else 0


def nested_table(
    content: Content, values: dict[str, Any], wanted: Collection[str] | None, roles: list[str] | None = None
) -> Grid:
    """The values as a table with one score in each row.

    Names of measures are on one level.  Of two other levels, the one whose names are like 401 or q7 has the topics.
    """
    levels = depth(values)
    if levels not in (2, 3):
        what = "expected an object of topics, each of them an object of measures, or such an object for each system"
        raise content.error(what, line=content.top)
    cells = list(leaves(values))
    if roles is None:
        roles = roles_of_levels(content, [{keys[level] for keys, _ in cells} for level in range(levels)], wanted)
    return nested_grid(content, cells, roles)


def nested_grid(content: Content, cells: list[tuple[tuple[str, ...], Any]], roles: list[str]) -> Grid:
    """Values with their keys as a table with one value in each row; of what is in memory, a message has the keys."""
    path = content.path
    if isinstance(path, Held):
        path = replace(path, keys=[keys for keys, _ in cells])
    lines = range(1, len(cells) + 1) if isinstance(path, Held) else [1] * len(cells)
    rows = [
        (line, [*keys, text_of_value(path, line, ", ".join(keys), value)]) for line, (keys, value) in zip(lines, cells)
    ]
    return Grid(path, [*roles, "value"], rows, content.top)


def leaves(value: Any, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each value with the keys that lead to it."""
    if not isinstance(value, dict):
        yield keys, value
        return
    for key, inside in value.items():
        yield from leaves(inside, (*keys, key))


def roles_of_levels(content: Content, names: list[set[str]], wanted: Collection[str] | None) -> list[str]:
    """The role of the keys of each level: "measure", "topic" or "system"."""
    measures = [level for level, keys in enumerate(names) if any(map(is_measure, keys))]
    if not measures and wanted is not None:
        measures = [level for level, keys in enumerate(names) if keys.intersection(wanted)]
    if len(measures) > 1 or (not measures and len(names) == 3):
        raise content.error("it is not clear which keys are measures", TABLE, line=content.top)
    others = [level for level in range(len(names)) if level not in measures]
    # "all" is the average over the topics.
    topics = [level for level in others if all(is_topic(name) or name == "all" for name in names[level])]
    if len(topics) != 1 or any(is_topic(name) for level in others if level not in topics for name in names[level]):
        keys = " and ".join(repr(min(names[level])) for level in others)
        either = "topics or systems" if len(others) == 1 else "topics and systems, or systems and topics"
        raise content.error(f"the keys {keys} can be {either}", TABLE, line=content.top)
    return ["measure" if level in measures else "topic" if level in topics else "system" for level in range(len(names))]
