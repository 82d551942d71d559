"""Charts of intervals from tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .._result import Table
from ._charts import ALONE, BESIDE, Interval, intervals, rows_fit_beside
from ._markup import Markup, element
from ._page import beside, written


def interval_rows(table: Table, name: Callable[[Mapping[str, str]], str], value: str = "value") -> list[Interval]:
    """The values of a table with their intervals.

    `name` says what a row is about, given the texts of its cells that are not empty.
    """
    shown = []
    for k, row in enumerate(table.records()):
        texts = {key: written(table, k, key) for key, cell in row.items() if cell not in (None, "")}
        if value in texts:
            ends = f" ({texts['low']} to {texts['high']})" if {"low", "high"} <= texts.keys() else ""
            shown.append(Interval(name(texts), row[value], row["low"], row["high"], texts[value] + ends, texts[value]))
    return shown


def interval_figure(
    shown: Sequence[Interval],
    caption: str,
    covered: Sequence[float] = (),
    reference: float | None = None,
    least_width: float = ALONE,
) -> list[Markup]:
    """A chart of values with their intervals; [] if there is none."""
    chart = intervals(shown, covered, reference, least_width)
    return [element("figure", chart, element("figcaption", caption))] if chart else []


def interval_figures(
    charts: Mapping[str, Sequence[Interval]],
    caption: str,
    covered: Sequence[float] = (),
    reference: float | None = None,
) -> list[Markup]:
    """Charts with their titles: beside each other if all names have room there, else below each other."""
    narrow = all(map(rows_fit_beside, charts.values()))
    least = BESIDE if narrow else ALONE
    drawn = {title: interval_figure(shown, caption, covered, reference, least) for title, shown in charts.items()}
    parts = [element("div", element("h3", title), *chart) for title, chart in drawn.items() if chart]
    return beside(parts) if narrow else parts
