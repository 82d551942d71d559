"""What all results have in common: tables and sentences, as text, HTML, records for JSON, and DataFrames.

A result says each thing once, as the rows of a `Table`; how a cell is written for people is a property of its column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, Literal

from ._extras import extra

if TYPE_CHECKING:
    import pandas


def decimals(value: Any) -> str:
    """A cell for people: four decimals; "undefined" for nan; nothing for None."""
    if isinstance(value, float):
        return "undefined" if isnan(value) else f"{value:.4f}"
    return "" if value is None else str(value)


def general(value: Any) -> str:
    """A number without trailing zeros: a rank such as 3 or 3.5, or a setting such as 1e-05."""
    return "" if value is None else f"{value:g}"


def signed(value: Any) -> str:
    """A number with its sign: +2, -1.5, 0."""
    return f"{value:+g}" if value else "0"


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    key : str
        Its name for programs: in JSON and in DataFrames.
    title : str
        Its name for people and in CSV; the key if empty.  A terminal may break it where it has a line break, which is
        a blank elsewhere.
    text : callable
        Writes a cell for people.
    only : {"", "screen", "data"}
        Whether it is for people only, or for programs only.
    prose : bool
        Whether a terminal may break a cell between words.
    """

    key: str
    title: str = ""
    text: Callable[[Any], str] = decimals
    only: Literal["", "screen", "data"] = ""
    prose: bool = False

    @property
    def heading(self) -> str:
        return (self.title or self.key).replace("\n", " ")


@dataclass(frozen=True)
class Table:
    """Rows of cells, as they were computed.

    Attributes
    ----------
    key : str
        The name of the table for programs.
    columns : sequence of Column
    rows : sequence of sequences
        The cells, one for each column.
    group : str
        The heading of a column by whose values a terminal shows separate tables, or "".
    names : int
        How many columns at the left say what a row is about.  A terminal repeats them if the table is too wide for it.
    """

    key: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    group: str = ""
    names: int = 1

    def records(self) -> list[dict[str, Any]]:
        """The rows for JSON."""
        kept = [k for k, column in enumerate(self.columns) if column.only != "screen"]
        return [{self.columns[k].key: row[k] for k in kept} for row in self.rows]

    def frame(self) -> pandas.DataFrame:
        """The rows as a DataFrame."""
        DataFrame = extra("pandas", "a DataFrame").DataFrame

        return DataFrame(self.records(), columns=[column.key for column in self.columns if column.only != "screen"])

    def for_people(self) -> list[tuple[Column, list[str]]]:
        """The columns for people, each with the texts of its cells."""
        return [
            (column, [column.text(row[k]) for row in self.rows])
            for k, column in enumerate(self.columns)
            if column.only != "data"
        ]

    def lines(self) -> list[list[str]]:
        """The headings, and the texts of each row; nothing for a table without rows."""
        columns = [[column.heading, *texts] for column, texts in self.for_people()]
        return [list(line) for line in zip(*columns)] if self.rows else []

    def shown(self) -> list[dict[str, str]]:
        """The rows for people: the text of each cell by the heading of its column."""
        headings, *rows = self.lines() or [[]]
        return [dict(zip(headings, row)) for row in rows]

    def as_text(self) -> str:
        """Columns aligned by blanks: numbers to the right, words to the left."""
        cells = self.lines()
        if not cells:
            return ""
        widths = [max(map(len, column)) for column in zip(*cells)]
        right = [all(is_number(cell) for cell in column[1:]) for column in zip(*cells)]
        lines = [
            "  ".join(cell.rjust(width) if r else cell.ljust(width) for cell, width, r in zip(line, widths, right))
            for line in cells
        ]
        return "\n".join(line.rstrip() for line in lines)

    def as_html(self) -> str:
        """An HTML table; every cell is escaped."""
        if not self.rows:
            return ""
        headings, *rows = self.lines()
        head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
        return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"


class Result:
    """The base of all results: a class that has `tables` and `sentences` can be printed and shown in a notebook.

    Attributes
    ----------
    notes : sequence of str
        What a reader should know about the data; a command writes them to standard error.
    """

    notes: Sequence[str] = ()

    def tables(self) -> list[Table]:
        """What was found, as tables; the first is what CSV has."""
        return []

    def sentences(self) -> list[str]:
        """What it means, in words."""
        return []

    def as_dict(self) -> dict[str, Any]:
        """All of it for JSON: by default the records of each table under its key."""
        return {table.key: table.records() for table in self.tables()}

    def __str__(self) -> str:
        notes = "\n".join(f"Note: {note}" for note in self.notes)
        parts = [*(table.as_text() for table in self.tables()), *self.sentences(), notes]
        return "\n\n".join(part for part in parts if part)

    def _repr_html_(self) -> str:
        tables = [html for table in self.tables() if (html := table.as_html())]
        below = [*self.sentences(), *(f"Note: {note}" for note in self.notes)]
        return "\n".join([*tables, *(f"<p>{escape(line)}</p>" for line in below)])


def is_number(cell: str) -> bool:
    """Whether the text of a cell belongs to a column of numbers."""
    try:
        float(cell)
    except ValueError:
        return cell in ("", "undefined")
    return True


def plain(value: Any) -> Any:
    """The same value in JSON's own types; a number that is not finite becomes null."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    return None if isinstance(value, float) and not isfinite(value) else value
