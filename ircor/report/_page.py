"""A page of a report: HTML and SVG from Python, its style and its script; the one place where text is escaped."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from html import escape
from importlib.metadata import version
from math import isinf, isnan
from numbers import Real
from typing import Any

import numpy as np

from .._core.files import GENERATOR
from .._core.results import Result
from ..show.tables import Column, Table

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --box: #f5f6f8; --line: #d9dde3; --ink: #1b1f24; --soft: #57606a;
  --accent: #0b5cad; --up: #0067a3; --down: #b54708; --same: #7d8793; --mark: #fff3bf;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171c; --box: #1e232a; --line: #39414c; --ink: #e8eaed; --soft: #a5afbb;
    --accent: #7db7f5; --up: #6cb6ff; --down: #ff9e64; --same: #7f8a97; --mark: #4a3f10;
  }
}
@media print { :root { color-scheme: light; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding: 2.5rem 0 0; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; letter-spacing: -0.01em; }
h2 {
  font-size: 1.3rem; line-height: 1.3; margin: 3rem 0 0.75rem; padding-top: 0.9rem; border-top: 1px solid var(--line);
}
h3 { font-size: 1.02rem; line-height: 1.3; margin: 1.75rem 0 0.5rem; }
h4 { font-size: 0.95rem; line-height: 1.3; margin: 1rem 0 0.5rem; }
p, ul { margin: 0.6rem 0; max-width: 46rem; }
li { margin: 0.3rem 0; }
.soft { color: var(--soft); }
.text { white-space: pre-line; }
.verdicts {
  margin: 1.4rem 0 0; padding: 0.9rem 1.2rem; background: var(--box); border-left: 4px solid var(--accent);
  border-radius: 0 6px 6px 0; font-size: 1.08rem;
}
.verdicts p { margin: 0.35rem 0; max-width: none; }
.figures {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: 0.8rem; margin: 1.2rem 0 0;
}
.figures div { border: 1px solid var(--line); border-radius: 6px; padding: 0.6rem 0.9rem 0.7rem; }
.figures dt { color: var(--soft); font-size: 0.85rem; }
.figures dd { margin: 0; font-size: 1.45rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.figures dd + dd { font-size: 0.85rem; line-height: 1.4; color: var(--soft); }
nav { margin: 1.2rem 0 0; font-size: 0.92rem; }
nav a { margin-right: 1.1rem; white-space: nowrap; }
a { color: var(--accent); }
a:focus-visible, button:focus-visible, .box:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 0 2rem; }
.beside > * { min-width: 0; }
.beside .box, .beside table { width: 100%; }
.beside th, .beside td { padding-left: 0.45rem; padding-right: 0.45rem; }
.beside td.long { min-width: 13rem; }
figure { margin: 0.75rem 0 1rem; }
figcaption { color: var(--soft); font-size: 0.88rem; max-width: 46rem; }
.box {
  overflow: auto; max-height: 34rem; width: fit-content; max-width: 100%; border: 1px solid var(--line);
  border-radius: 6px; margin: 0.6rem 0 1rem;
}
table {
  border-collapse: separate; border-spacing: 0; min-width: min(100%, 22rem); font-size: 0.9rem; line-height: 1.35;
}
th, td { padding: 0.32rem 0.7rem; text-align: left; vertical-align: top; }
th { position: sticky; top: 0; background: var(--box); border-bottom: 1px solid var(--line); vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); min-width: 3.5rem; max-width: 24rem; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 0; }
tbody tr:hover td { background: var(--box); }
th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; }
td.u { color: var(--soft); }
td.long, td.prose { min-width: 14rem; white-space: normal; }
.whole { white-space: nowrap; }
th button {
  all: unset; cursor: pointer; font-weight: 600; box-sizing: border-box; min-height: 1.5rem;
  overflow-wrap: break-word; max-width: 12rem;
}
th button::after { content: "\\2195"; color: var(--soft); margin-left: 0.3em; font-weight: 400; }
th[aria-sort="ascending"] button::after { content: "\\2191"; color: var(--ink); }
th[aria-sort="descending"] button::after { content: "\\2193"; color: var(--ink); }
.matrix { min-width: 0; }
.matrix thead th, .matrix tbody th { font-weight: 600; }
.matrix tbody th { position: static; border-bottom: 1px solid var(--line); }
.matrix .same { background: var(--mark); }
svg { display: block; width: 100%; overflow: hidden; font-size: 11.5px; }
svg text { fill: var(--ink); }
svg .soft { fill: var(--soft); }
svg .head { font-weight: 600; font-size: 12.5px; }
.intervals text { stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }
.narrow { display: none; }
.grid { stroke: var(--line); }
.zero { stroke: var(--soft); stroke-dasharray: 3 3; }
.bar { stroke: var(--accent); stroke-width: 2.5; }
.dot { fill: var(--accent); }
.hit { stroke: transparent; stroke-linecap: round; }
.seen { stroke-width: 1.4; }
.up .seen { stroke: var(--up); } .up circle { fill: var(--up); }
.down .seen { stroke: var(--down); } .down circle { fill: var(--down); }
.same .seen { stroke: var(--same); } .same circle { fill: var(--same); }
.most .seen { stroke-width: 3; }
.tip { visibility: hidden; text-anchor: middle; font-size: 13px; font-weight: 600; pointer-events: none;
  stroke: var(--paper); stroke-width: 7px; stroke-linejoin: round; paint-order: stroke; }
.slope .item { cursor: pointer; }
.lines:hover .item { opacity: 0.2; }
.lines:hover .item:hover { opacity: 1; }
.item:hover .seen { stroke-width: 3.5; }
.item:hover .tip { visibility: visible; }
figcaption b { font-weight: 600; }
b.up { color: var(--up); } b.down { color: var(--down); } b.same { color: var(--soft); }
pre {
  background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: 0.7rem 0.9rem; font-size: 0.88rem;
  white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.6rem 0;
}
footer { color: var(--soft); font-size: 0.85rem; padding-bottom: 3rem; margin-top: 3rem; }
@media screen and (max-width: 45rem) {
  main, footer { padding: 0 1rem; }
  header { padding-top: 1.5rem; }
  h1 { font-size: 1.5rem; }
  .figures { grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); }
  .wide { display: none; }
  .narrow { display: inline; }
  th, td { padding: 0.32rem 0.5rem; }
}
@media print {
  @page { margin: 14mm; }
  body { font-size: 10.5pt; }
  main, footer { max-width: none; padding: 0; }
  nav { display: none; }
  .box { overflow: visible; max-height: none; border: 0; }
  table { font-size: 8.5pt; }
  th { position: static; }
  th, td { padding: 0.15rem 0.35rem; overflow-wrap: anywhere; }
  td, td.long, td.prose { min-width: 0; white-space: normal; }
  td.n { white-space: nowrap; }
  .whole { white-space: normal; }
  /* A button in the heading would be left out where a table goes on on the next page. */
  th button { display: contents; }
  thead { display: table-header-group; }
  tr, .verdicts p, .figures div { break-inside: avoid; }
  header { padding-top: 0; }
  .verdicts { font-size: 1em; }
  svg { break-inside: avoid; }
  h2, h3, figcaption { break-after: avoid; }
  th button::after { content: none !important; }
  .verdicts, th, .matrix .same { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
"""

# Sorting by a column: the rows keep their order where it says nothing, and undefined cells come last.
SCRIPT = """
"use strict";
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), body = head.closest("table").tBodies[0];
    const numbers = head.classList.contains("n");
    const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    const key = row => {
      const cell = row.cells[head.cellIndex];
      if (cell.classList.contains("u")) return null;
      return numbers ? Number(cell.dataset.value) : cell.textContent;
    };
    const order = (a, b) => numbers ? (a > b) - (a < b) : a.localeCompare(b, "en", {numeric: true});
    const rows = Array.from(body.rows, row => [key(row), row]);
    rows.sort(([a], [b]) =>
      a === null || b === null ? (a === null) - (b === null) : direction * order(a, b));
    body.append(...rows.map(([, row]) => row));
  });
}
"""


# HTML has no way to write these characters, and UTF-8 has none for the last range.
UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")


class Markup(str):
    """Text that is HTML already.  All other text is escaped where it becomes a part of an element."""

    __slots__ = ()


def as_markup(text: object) -> Markup:
    """The same text for readers; characters that HTML cannot show become U+FFFD."""
    if isinstance(text, Markup):
        return text
    lines = str(text).replace("\r\n", "\n").replace("\r", "\n")
    return Markup(escape(UNWRITABLE.sub("\ufffd", lines), quote=True))


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """An element; an attribute that is None is left out, and `stroke_width` or `class_` is stroke-width or class."""
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{as_markup(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{given}>{joined_markup(*children)}</{tag}>")


def joined_markup(*children: object) -> Markup:
    """The children one after the other."""
    return Markup("".join(map(as_markup, children)))


NONE = "\N{EN DASH}"

# Texts of more characters than this get a column of some width, so that they are not broken into many lines.
LONG_TEXT = 16


@dataclass(frozen=True)
class Section:
    """A part of a page with a heading; a section without parts is left out."""

    title: str
    parts: Sequence[Markup]


@dataclass(frozen=True)
class Page:
    """A report.

    `verdicts` and `settings`, which repeat the numbers, have a paragraph each.  `figures` are the most important ones:
    the name, the number, and a remark.
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
            cards(self.figures),
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
            element("head", *own_lines(head)),
            "\n",
            element("body", element("main", *own_lines([header, *body])), "\n", script),
            lang="en",
        )
        return f"<!doctype html>\n{whole}\n"


def own_lines(parts: Iterable[Markup]) -> list[Markup]:
    """The parts, each on a line of its own."""
    return [Markup(f"\n{part}") for part in parts]


def digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def cards(shown: Sequence[tuple[str, str, str]]) -> Markup:
    items = [
        element("div", element("dt", name), element("dd", number), element("dd", more) if more else "")
        for name, number, more in shown
    ]
    return element("dl", *items, class_="figures") if items else Markup("")


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


def displayed_text(column: Column, value: Any) -> str:
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
    shown = [(column, table.cells(column)) for column in table.columns if column.only != "data"]
    # Notes that say nothing.
    shown = [(column, cells) for column, cells in shown if not column.prose or any(cells)]
    numeric = [all(value is None or is_real(value) for value in cells) for _, cells in shown]
    heads = [
        element("th", element("button", *words(column), type="button"), scope="col", class_="n" if number else None)
        for (column, _), number in zip(shown, numeric)
    ]
    rows = [
        element("tr", *(cell(column, cells[k], number) for (column, cells), number in zip(shown, numeric)))
        for k in range(len(table.rows))
    ]
    content = element("table", element("thead", element("tr", *heads)), element("tbody", *own_lines(rows)))
    return element("div", content, class_="box", tabindex="0", role="region", aria_label=name)


def words(column: Column) -> list[str]:
    """The heading of a column, which breaks where a terminal may break it, and elsewhere only if a part is long."""
    parts = (column.title or column.key).split("\n")
    kept = [element("span", part, class_="whole") if len(part) <= LONG_TEXT else part for part in parts]
    return [item for part in kept for item in (" ", part)][1:]


def cell(column: Column, value: Any, numeric: bool, *, marked: bool = False) -> Markup:
    text = displayed_text(column, value)
    undefined = is_undefined(value) or not text
    kinds = [
        ("n", numeric),
        ("u", undefined),
        ("prose", column.prose),
        ("long", len(text) > LONG_TEXT),
        ("same", marked),
    ]
    number = for_script(value) if numeric and not undefined else None
    return element("td", text, class_=" ".join(kind for kind, is_it in kinds if is_it) or None, data_value=number)


def matrix_element(
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
    content = element("table", head, element("tbody", *own_lines(rows)), class_="matrix")
    return element("div", content, class_="box", tabindex="0", role="region", aria_label=name)


def table_with_key(tables: Iterable[Table], key: str) -> Table:
    """The table with this key; one without columns if there is none."""
    return next((table for table in tables if table.key == key), Table(key, (), ()))


def distinct(table: Table, key: str) -> list[Any]:
    """The values of a column, each once and in their order."""
    return list(dict.fromkeys(row[key] for row in table.records()))


def part_of(table: Table, where: dict[str, Any]) -> Table:
    """The rows with these cells; without these columns, the same in all of the rows."""
    by_key = {column.key: column for column in table.columns}
    rows = [row for row in table.rows if all(by_key[key].cell(row) == value for key, value in where.items())]
    return replace(table, columns=[column for column in table.columns if column.key not in where], rows=rows)


def displayed_cell(table: Table, row: int, key: str) -> str:
    """The text of one cell."""
    column = next(column for column in table.columns if column.key == key)
    return displayed_text(column, column.cell(table.rows[row]))


def ends_of(table: Table, row: int) -> str:
    """The ends of an interval, "0.1 to 0.2"; "" if one is not known."""
    cells = table.records()[row]
    if is_undefined(cells["low"]) or is_undefined(cells["high"]):
        return ""
    return f"{displayed_cell(table, row, 'low')} to {displayed_cell(table, row, 'high')}"


def seeded(seed: int, resamples: int) -> str:
    """The settings that repeat numbers from samples of topics."""
    return f"Seed {seed}, {resamples} samples of topics."


def closing(result: Result, command: str | None, settings: Sequence[str], versions: Mapping[str, str]) -> list[Section]:
    """The end of every report: the notes, and what repeats it."""
    again = [element("pre", element("code", command))] if command else []
    used = ", ".join(f"{name} {version}" for name, version in versions.items())
    return [
        Section("Notes", points(result.notes)),
        Section("Repeating it", [*again, *paragraphs(*settings, f"Made with {used}.")]),
    ]
