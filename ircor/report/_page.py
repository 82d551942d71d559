"""A page of one file: its sections, its tables, and what every report has at its end."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from importlib.metadata import version
from math import isinf, isnan
from numbers import Real
from typing import Any

import numpy as np

from .._files import GENERATOR
from .._result import Column, Result, Table
from ._markup import Markup, element
from ._style import SCRIPT, STYLE

NONE = "\N{EN DASH}"

# Texts of more characters than this get a column of some width, so that they are not broken into many lines.
LONG = 16


@dataclass(frozen=True)
class Section:
    """A part of a page with a heading; a section without parts is left out."""

    title: str
    parts: Sequence[Markup]


@dataclass(frozen=True)
class Page:
    """A report.

    Attributes
    ----------
    title, subtitle : str
    verdicts : sequence of str
        What was found, a paragraph each.
    figures : sequence of (str, str, str)
        The most important numbers: what it is, the number, and what else is to be said about it.
    sections : sequence of Section
    settings : sequence of str
        What repeats the numbers, a paragraph each.
    """

    title: str
    subtitle: str
    verdicts: Sequence[str]
    sections: Sequence[Section]
    figures: Sequence[tuple[str, str, str]] = field(default=())
    settings: Sequence[str] = field(default=())

    def with_sections(self, more: Sequence[Section]) -> Page:
        return replace(self, sections=[*self.sections, *more])

    def html(self) -> str:
        kept = [section for section in self.sections if section.parts]
        links = [element("a", section.title, href=f"#s{k}") for k, section in enumerate(kept)]
        header = element(
            "header",
            element("h1", self.title),
            element("p", self.subtitle, class_="soft") if self.subtitle else "",
            element("div", *paragraphs(*self.verdicts), class_="verdicts") if self.verdicts else "",
            figures(self.figures),
            element("nav", *links, aria_label="Sections"),
        )
        body = [
            element("section", element("h2", section.title), *section.parts, id=f"s{k}")
            for k, section in enumerate(kept)
        ]
        # Nothing but this style and this script is let in, whatever a name in the data may be.
        policy = f"default-src 'none'; style-src '{digest(STYLE)}'; script-src '{digest(SCRIPT)}'; base-uri 'none'"
        head = [
            Markup('<meta charset="utf-8">'),
            Markup(f'{GENERATOR} {version("ircor")}">'),
            Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
            Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            element("title", self.title),
            Markup(f"<style>{STYLE}</style>"),
        ]
        script = Markup(f"<script>{SCRIPT}</script>")
        whole = element(
            "html",
            element("head", *lines(head)),
            "\n",
            element("body", element("main", *lines([header, *body])), "\n", script),
            lang="en",
        )
        return f"<!doctype html>\n{whole}\n"


def lines(parts: Iterable[Markup]) -> list[Markup]:
    """The parts, each on a line of its own."""
    return [Markup(f"\n{part}") for part in parts]


def digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def figures(shown: Sequence[tuple[str, str, str]]) -> Markup:
    cards = [
        element("div", element("dt", name), element("dd", number), element("dd", more) if more else "")
        for name, number, more in shown
    ]
    return element("dl", *cards, class_="figures") if cards else Markup("")


def beside(parts: Sequence[Markup]) -> list[Markup]:
    """The parts next to each other, as many as there is room for."""
    return [element("div", *parts, class_="beside")] if parts else []


def paragraphs(*texts: str) -> list[Markup]:
    return [element("p", text, class_="text") for text in texts]


def points(texts: Iterable[str]) -> list[Markup]:
    """A list; nothing if it is empty."""
    items = [element("li", text, class_="text") for text in texts]
    return [element("ul", *items)] if items else []


def is_real(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def is_undefined(value: Any) -> bool:
    return value is None or (is_real(value) and isnan(value))


def cell_text(column: Column, value: Any) -> str:
    """The text of a cell, as the column writes it; a dash for None, and yes or no for what is true or not."""
    if value is None:
        return NONE
    text = "undefined" if is_undefined(value) else column.text(value)
    return {"True": "yes", "False": "no"}.get(text, text) if isinstance(value, (bool, np.bool_)) else text


def for_script(value: Any) -> str:
    """A number as both Python and JavaScript read it."""
    number = value.item() if hasattr(value, "item") else value
    if isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return repr(number)


def sortable(table: Table, name: str) -> Markup:
    """A table in a box of its own, which scrolls if it is too wide; each heading is a button that sorts."""
    kept = [(k, column) for k, column in enumerate(table.columns) if column.only != "data"]
    # Notes that say nothing.
    kept = [(k, column) for k, column in kept if not column.prose or any(row[k] for row in table.rows)]
    numeric = {k: all(row[k] is None or is_real(row[k]) for row in table.rows) for k, _ in kept}
    heads = [
        element("th", element("button", *words(column), type="button"), scope="col", class_="n" if numeric[k] else None)
        for k, column in kept
    ]
    rows = [element("tr", *(cell(column, row[k], numeric[k]) for k, column in kept)) for row in table.rows]
    content = element("table", element("thead", element("tr", *heads)), element("tbody", *lines(rows)))
    return element("div", content, class_="box", tabindex="0", role="region", aria_label=name)


def words(column: Column) -> list[str]:
    """The heading of a column, which breaks where a terminal may break it, and elsewhere only if a part is long."""
    parts = (column.title or column.key).split("\n")
    kept = [element("span", part, class_="whole") if len(part) <= LONG else part for part in parts]
    return [item for part in kept for item in (" ", part)][1:]


def cell(column: Column, value: Any, numeric: bool, *, marked: bool = False) -> Markup:
    text = cell_text(column, value)
    undefined = is_undefined(value) or not text
    kinds = [("n", numeric), ("u", undefined), ("prose", column.prose), ("long", len(text) > LONG), ("same", marked)]
    number = for_script(value) if numeric and not undefined else None
    return element("td", text, class_=" ".join(kind for kind, is_it in kinds if is_it) or None, data_value=number)


def matrix(
    name: str,
    across: Sequence[Any],
    down: Sequence[Any],
    counts: Mapping[tuple[Any, Any], Any],
    texts: Mapping[Any, str],
) -> Markup:
    """Counts by row and column; where the two are the same, it is marked."""
    heads = [element("th", texts[key], scope="col", class_="n") for key in across]
    rows = []
    for left in down:
        cells = []
        for top in across:
            count = counts.get((left, top), 0)
            cells.append(cell(Column("count"), count, True, marked=left == top))
        rows.append(element("tr", element("th", texts[left], scope="row"), *cells))
    head = element("thead", element("tr", element("td"), *heads))
    content = element("table", head, element("tbody", *lines(rows)), class_="matrix")
    return element("div", content, class_="box", tabindex="0", role="region", aria_label=name)


def table_of(tables: Iterable[Table], key: str) -> Table:
    """The table with this key; one without columns if there is none."""
    return next((table for table in tables if table.key == key), Table(key, (), ()))


def distinct(table: Table, key: str) -> list[Any]:
    """The values of a column, each once and in their order."""
    return list(dict.fromkeys(row[key] for row in table.records()))


def part_of(table: Table, where: dict[str, Any]) -> Table:
    """The rows with these cells; without these columns, the same in all of the rows."""
    places = {column.key: k for k, column in enumerate(table.columns)}
    rows = [row for row in table.rows if all(row[places[key]] == value for key, value in where.items())]
    kept = [k for k, column in enumerate(table.columns) if column.key not in where]
    return replace(table, columns=[table.columns[k] for k in kept], rows=[[row[k] for k in kept] for row in rows])


def written(table: Table, row: int, key: str) -> str:
    """The text of one cell."""
    k = next(k for k, column in enumerate(table.columns) if column.key == key)
    return cell_text(table.columns[k], table.rows[row][k])


def ends_of(table: Table, row: int) -> str:
    """The ends of an interval, "0.1 to 0.2"; "" if one is not known."""
    cells = table.records()[row]
    if is_undefined(cells["low"]) or is_undefined(cells["high"]):
        return ""
    return f"{written(table, row, 'low')} to {written(table, row, 'high')}"


def seeded(seed: int, resamples: int) -> str:
    """What repeats numbers from samples of topics."""
    return f"Seed {seed}, {resamples} samples of topics."


def closing(result: Result, command: str | None, settings: Sequence[str], versions: Mapping[str, str]) -> list[Section]:
    """What every report ends with: the notes, and what repeats it."""
    again = [element("pre", element("code", command))] if command else []
    used = ", ".join(f"{name} {version}" for name, version in versions.items())
    return [
        Section("Notes", points(result.notes)),
        Section("Repeating it", [*again, *paragraphs(*settings, f"Made with {used}.")]),
    ]
