"""Tables of results, and the views that make them: as text, HTML, records for JSON, and DataFrames.

The rows of a table are parts of a result, and a column says which attribute its cells are and how people read them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from .._extras import extra

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


def yes_or_no(value: Any) -> str:
    """A flag in a cell."""
    return "yes" if value else "no"


def signed(value: Any) -> str:
    """A number with its sign: +2, -1.5, 0."""
    return f"{value:+g}" if value else "0"


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    key: str
    """Its name for programs: in JSON and in DataFrames."""
    title: str = ""
    """Its name for people and in CSV; the key if empty.  A terminal may break it where it has a line break, which is a
    blank elsewhere.
    """
    text: Callable[[Any], str] = decimals
    """Writes a cell for people."""
    only: Literal["", "screen", "data"] = ""
    """Whether it is for people only, or for programs only."""
    prose: bool = False
    """Whether a terminal may break a cell between words."""
    of: str | Callable[[Any], Any] = ""
    """The attribute of a row that the cell is, such as "interval.low" or "limits.kappa.0", or a function of the row; by
    default the key.  The cell is None if there is None on the way, such as for `interval`.
    """

    def cell(self, row: Any) -> Any:
        """The cell of this column in a row."""
        if callable(self.of):
            return self.of(row)
        for part in (self.of or self.key).split("."):
            if row is None:
                return None
            if isinstance(row, dict) or part.isdigit():
                row = row[int(part) if part.isdigit() else part]
            else:
                row = getattr(row, part)
        return row

    @property
    def heading(self) -> str:
        return (self.title or self.key).replace("\n", " ")


@dataclass(frozen=True)
class Table:
    """Rows of cells, as they were computed."""

    key: str
    """The name of the table for programs."""
    columns: Sequence[Column]
    rows: Sequence[Any]
    """The parts of a result that the rows are about; the columns say which attributes of theirs are shown."""
    group: str = ""
    """The heading of a column by whose values a terminal shows separate tables, or ""."""
    names: int = 1
    """The number of columns at the left that say what a row is about; a terminal repeats them if it is too narrow."""

    def cells(self, column: Column) -> list[Any]:
        """The cells of a column."""
        return [column.cell(row) for row in self.rows]

    def records(self) -> list[dict[str, Any]]:
        """The rows for JSON."""
        kept = [column for column in self.columns if column.only != "screen"]
        return [{column.key: column.cell(row) for column in kept} for row in self.rows]

    def frame(self) -> pandas.DataFrame:
        """The rows as a DataFrame."""
        DataFrame = extra("pandas", "a DataFrame").DataFrame

        return DataFrame(self.records(), columns=[column.key for column in self.columns if column.only != "screen"])

    def for_people(self) -> list[tuple[Column, list[str]]]:
        """The columns for people, each with the texts of its cells."""
        return [
            (column, list(map(column.text, self.cells(column)))) for column in self.columns if column.only != "data"
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
        right = [all(is_numeric_text(cell) for cell in column[1:]) for column in zip(*cells)]
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


def estimate_columns(of: str, value: str = "value", text: Callable[[Any], str] = decimals) -> list[Column]:
    """The columns of an estimate with the ends of its interval; `of` is the attribute that has them."""
    return [
        Column(key, text=text, of=f"{of}.{part}") for key, part in ((value, "value"), ("low", "low"), ("high", "high"))
    ]


def attributes(result: Any, names: str) -> dict[str, Any]:
    """The attributes of these names, which are separated by blanks, for a record."""
    return {name: getattr(result, name) for name in names.split()}


@dataclass(frozen=True)
class MatrixRow:
    """A row of a matrix."""

    name: str
    values: Sequence[Any]


def matrix(key: str, corner: Column, names: Sequence[Any], values: Any) -> Table:
    """A square array as a table, with the same names for its rows and columns; the corner says what its numbers are."""
    texts = [str(name) for name in names]
    columns = [replace(corner, of="name"), *(Column(text, of=f"values.{k}") for k, text in enumerate(texts))]
    return Table(key, columns, list(map(MatrixRow, texts, values.tolist())))


R = TypeVar("R")


@dataclass(frozen=True)
class View(Generic[R]):
    """How one kind of result is shown; the base of all views."""

    result: R
    """The numbers and names, which a view reads by their attributes."""

    def tables(self) -> list[Table]:
        """The tables for the screen; the first is what CSV has."""
        return []

    def details(self) -> list[Table]:
        """Tables that are too long for the screen, which are in JSON and in reports."""
        return []

    def sentences(self) -> list[str]:
        """The meaning of the numbers, in words."""
        return []

    def record(self) -> dict[str, Any]:
        """All of the result for JSON: by default the records of each table under its key."""
        return {table.key: table.records() for table in self.tables()}

    def table(self, key: str) -> Table:
        """The table of this name; an empty one if nothing is known."""
        return next((table for table in (*self.tables(), *self.details()) if table.key == key), Table(key, [], []))

    @property
    def verdict(self) -> str:
        """The last word of a check."""
        return ""

    def heading(self) -> list[str]:
        """Lines above the tables."""
        return []

    def markdown(self) -> str:
        """The result as a page in Markdown: its tables, sentences and notes."""
        notes = [f"Note: {note}" for note in self.notes]
        tables = [as_markdown(table) for table in self.tables() if table.rows]
        return "\n\n".join([*tables, *self.sentences(), *notes]) + "\n"

    def latex(self) -> str:
        """The tables in LaTeX, with booktabs, and the sentences as the caption of the first."""
        first, *others = [table for table in self.tables() if table.rows]
        return "\n".join([as_latex(first, " ".join(self.sentences())), *map(as_latex, others)])

    def text(self) -> str:
        """The result as `print` writes it."""
        notes = "\n".join(f"Note: {note}" for note in self.notes)
        parts = [*(table.as_text() for table in self.tables()), *self.sentences(), notes]
        return "\n\n".join(part for part in parts if part)

    def html(self) -> str:
        """The result as a notebook shows it."""
        tables = [html for table in self.tables() if (html := table.as_html())]
        below = as_paragraphs([*self.sentences(), *(f"Note: {note}" for note in self.notes)])
        return "\n".join([*tables, *([below] if below else [])])

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the result; returns the Axes."""
        raise NotImplementedError(f"there is no picture of a {type(self.result).__name__}")

    @property
    def notes(self) -> Sequence[str]:
        """Remarks on the data for readers."""
        return tuple(getattr(self.result, "__dict__", {}).get("notes", ()))


def as_paragraphs(lines: Sequence[str]) -> str:
    """Lines of text in HTML."""
    return "\n".join(f"<p>{escape(line)}</p>" for line in lines)


def as_markdown(table: Table) -> str:
    """A table in Markdown; the text of a cell cannot end it."""
    headings, *rows = table.lines()
    return "\n".join(
        "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in line) + " |"
        for line in [headings, ["---"] * len(headings), *rows]
    )


LATEX = str.maketrans(
    {mark: f"\\{mark}" for mark in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)
"""What the characters with a meaning in LaTeX become."""


def as_latex(table: Table, caption: str = "") -> str:
    """A table in LaTeX, for the package booktabs."""
    headings, *rows = ([" ".join(cell.split()).translate(LATEX) for cell in line] for line in table.lines())
    kinds = "".join("r" if all(map(is_numeric_text, column)) else "l" for column in zip(*table.lines()[1:]))
    lines = [" & ".join(line) + r" \\" for line in (headings, *rows)]
    body = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", lines[0], r"\midrule", *lines[1:]]
    body += [r"\bottomrule", r"\end{tabular}"]
    if caption:
        body = [r"\begin{table}", rf"\caption{{{caption.translate(LATEX)}}}", r"\centering", *body, r"\end{table}"]
    return "\n".join(body) + "\n"


def is_numeric_text(cell: str) -> bool:
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
