"""Charts of intervals from tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .._result import Table
from ._charts import Interval, intervals
from ._markup import Markup, element
from ._page import written


def interval_figure(
    table: Table,
    name: Callable[[Mapping[str, str]], str],
    caption: str,
    value: str = "value",
    reference: float | None = None,
) -> list[Markup]:
    """The values of a table with their intervals; [] if there is none.

    `name` says what a row is about, given the texts of its cells that are not empty.
    """
    if value not in {column.key for column in table.columns}:
        return []
    shown = []
    for k, row in enumerate(table.records()):
        texts = {key: written(table, k, key) for key, cell in row.items() if cell not in (None, "")}
        if value in texts:
            ends = f" ({texts['low']} to {texts['high']})" if {"low", "high"} <= texts.keys() else ""
            limits = row.get("low"), row.get("high")
            shown.append(Interval(name(texts), row[value], *limits, texts[value] + ends, texts[value]))
    chart = intervals(shown, reference)
    return [element("figure", chart, element("figcaption", caption))] if chart else []
