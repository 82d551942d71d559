"""The report of `ircor.judges`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .._result import Table
from .._text import counted
from ..judging import JudgesResult
from ._figures import interval_figure
from ._judges_method import method
from ._markup import Markup, element
from ._moves import Keys, board, lines_of, moves_said, slope_figure
from ._page import Page, Section, distinct, matrix, paragraphs, part_of, points, sortable, table_of, written

KEYS = Keys("system", ("mean_truth", "mean_judge"), ("rank_truth", "rank_judge"), "move")

KNOWN = (
    *("systems", "coefficients", "differences", "tests", "pairs", "flips"),
    *("labels", "confusion", "labels_by_topic", "favours", "bias"),
)
"""The tables that have a place in the report; others are shown after these."""

# A chart with more rows than this says less than the table below it.
MOST_ROWS = 40
# The most numbers at the top of the report.
MOST_FIGURES = 8

TESTS = (
    "How far each judge's ranking is from that of {truth}; the p-value of that distance against another sample of "
    "topics; the systems with the largest drop and the largest move; and the share of the best systems that are the "
    "same."
)
PAIRS = (
    "The pairs of systems that differ significantly under {truth}. Found: they also do under the judge, in the same "
    "order. Missed: they do not. Reversed: they do, in the opposite order. Other pairs differ significantly only under "
    "the judge."
)


def page(found: JudgesResult, title: str | None) -> Page:
    tables = [table for table in (*found.tables(), *found.details()) if table.rows]
    by_key = {key: table_of(tables, key) for key in KNOWN}
    others = [table for table in tables if table.key not in KNOWN]
    who = found.judges[0] if len(found.judges) == 1 else counted(len(found.judges), "judge")
    systems = len(distinct(by_key["systems"], "system"))
    measures = f"{'measure' if len(found.measures) == 1 else 'measures'} {', '.join(found.measures)}"
    counts = ", ".join([*([counted(systems, "system")] if systems else []), measures])
    return Page(
        title or f"{who} against {found.truth}",
        f"{counts[:1].upper()}{counts[1:]}. The reference is {found.truth}.",
        found.verdicts,
        [
            Section("In words", paragraphs(*found.findings)),
            Section("Rankings", rankings(found, by_key["systems"])),
            Section("Leaderboards", leaderboards(found, by_key["systems"])),
            Section("Coefficients", coefficients(found, by_key["coefficients"])),
            Section("Judges compared", differences(found, by_key["differences"])),
            Section("Rank distance and moves", explained(by_key["tests"], TESTS.format(truth=found.truth))),
            Section("Significant pairs", explained(by_key["pairs"], PAIRS.format(truth=found.truth))),
            Section("Flips", flips(found, by_key["flips"], bool(by_key["pairs"].rows))),
            Section("Labels", labels(found, by_key["labels"], by_key["confusion"], by_key["labels_by_topic"])),
            Section("Favour", favour(found, by_key["favours"], by_key["bias"])),
            *(Section(heading(table.key), [sortable(table, heading(table.key))]) for table in others),
            Section("Method and limits", points(method(found, {table.key for table in tables}))),
        ],
        figures(found, by_key["coefficients"]),
    )


def settings(found: JudgesResult) -> list[str]:
    """What repeats the numbers."""
    return [f"Seed {found.seed}, {found.resamples} samples of topics."]


def heading(key: str) -> str:
    text = key.replace("_", " ")
    return text[:1].upper() + text[1:]


def explained(table: Table, text: str) -> list[Markup]:
    """A table below what it shows; nothing if it is empty."""
    return [*paragraphs(text), sortable(table, heading(table.key))] if table.rows else []


def beside(parts: Sequence[Markup]) -> list[Markup]:
    """The parts next to each other, as many as there is room for."""
    return [element("div", *parts, class_="beside")] if parts else []


def about(*names: Any) -> str:
    return ", ".join(str(name) for name in names if name is not None)


def each_pair(systems: Table) -> Iterable[tuple[Any, Any, Table]]:
    """The rows of each measure and judge."""
    for measure in distinct(systems, "measure") or [None]:
        of_measure = systems if measure is None else part_of(systems, {"measure": measure})
        for judge in distinct(of_measure, "judge") or [None]:
            yield measure, judge, of_measure if judge is None else part_of(of_measure, {"judge": judge})


def figures(found: JudgesResult, table: Table) -> list[tuple[str, str, str]]:
    """The first coefficient over all systems, of each judge and measure, if these are few."""
    shown = []
    for k, row in enumerate(table.records()):
        if row.get("coefficient") == found.methods[0] and row.get("top") is None and "value" in row:
            name = about(row.get("judge"), row.get("measure") if len(found.measures) > 1 else None)
            more = found.methods[0]
            if row.get("low") is not None and row.get("high") is not None:
                more += f", {written(table, k, 'low')} to {written(table, k, 'high')}"
            shown.append((name, written(table, k, "value"), more))
    return shown if len(shown) <= MOST_FIGURES else []


def rankings(found: JudgesResult, systems: Table) -> list[Markup]:
    """The moves and the slope chart of each judge and measure."""
    parts = []
    for measure, judge, table in each_pair(systems):
        lines = lines_of(table, KEYS)
        if lines:
            names = (found.truth, about(judge) or "judge")
            title = element("h3", about(judge, measure if len(found.measures) > 1 else None))
            parts.append(element("div", title, *points(moves_said(lines, names)), slope_figure(lines, names)))
    return beside(parts)


def leaderboards(found: JudgesResult, systems: Table) -> list[Markup]:
    """The boards of all judges beside that of the truth, for each measure."""
    boards: dict[Any, list[tuple[str, Table]]] = {}
    for measure, judge, table in each_pair(systems):
        of_measure = boards.setdefault(measure, [(found.truth, board(table, KEYS, 0))])
        of_measure.append((about(judge) or "judge", board(table, KEYS, 1)))
    parts = []
    for measure, of_measure in boards.items():
        shown = [
            element("div", element("h4", name), sortable(table, f"Leaderboard of {about(name, measure)}"))
            for name, table in of_measure
            if table.rows
        ]
        title = [element("h3", measure)] if measure is not None and shown else []
        parts += [*title, *beside(shown)]
    return parts


def coefficients(found: JudgesResult, table: Table) -> list[Markup]:
    """A chart for each coefficient, and the table."""
    if not table.rows:
        return []
    caption = f"Points are the coefficients, bars their {100 * found.level:g}% intervals."

    def name(texts: Mapping[str, str]) -> str:
        top = f"top {texts['top']}" if "top" in texts else None
        return about(texts.get("judge"), texts.get("measure"), top)

    parts = []
    for coefficient in distinct(table, "coefficient"):
        part = part_of(table, {"coefficient": coefficient})
        if len(part.rows) <= MOST_ROWS and (drawn := interval_figure(part, name, caption)):
            parts.append(element("div", element("h3", coefficient), *drawn))
    return [*beside(parts), sortable(table, "Coefficients")]


def differences(found: JudgesResult, table: Table) -> list[Markup]:
    if not table.rows:
        return []
    said = (
        "The differences between the coefficients of two judges. If an interval does not contain 0, one of the two "
        f"agrees more with {found.truth}."
    )
    caption = f"Points are the differences, bars their {100 * found.level:g}% intervals; the dashed line is at 0."

    def name(texts: Mapping[str, str]) -> str:
        top = f"top {texts['top']}" if "top" in texts else None
        who = " minus ".join(texts[key] for key in ("judge", "other") if key in texts)
        return about(who, texts.get("measure"), texts.get("coefficient"), top)

    drawn = interval_figure(table, name, caption, "difference", 0) if len(table.rows) <= MOST_ROWS else []
    return [*paragraphs(said), *drawn, sortable(table, "Judges compared")]


def flips(found: JudgesResult, table: Table, tested: bool) -> list[Markup]:
    """The pairs that a judge orders the other way; that there is none, if pairs were tested."""
    said = f"differ significantly under {found.truth}, and that a judge orders the other way"
    if not table.rows:
        return paragraphs(f"There are no pairs of systems that {said}.") if tested else []
    return [*paragraphs(f"Pairs of systems that {said}."), sortable(table, "Flips")]


def labels(found: JudgesResult, table: Table, confusion: Table, by_topic: Table) -> list[Markup]:
    parts = explained(table, f"The grades of each judge and those of {found.truth}, of the documents that both judged.")
    matrices = []
    if {"judge", "truth_grade", "judge_grade", "count"} <= {column.key for column in confusion.columns}:
        for judge in distinct(confusion, "judge"):
            said = f"Documents by their grades. Rows: {found.truth}. Columns: {judge}."
            shown = grades(part_of(confusion, {"judge": judge}), said)
            matrices.append(element("div", element("h3", judge), *paragraphs(said), shown))
    elif confusion.rows:
        matrices = [sortable(confusion, heading(confusion.key))]
    further = [element("h3", "By topic"), sortable(by_topic, "Labels by topic")] if by_topic.rows else []
    return [*parts, *beside(matrices), *further]


def grades(confusion: Table, name: str) -> Markup:
    """The numbers of documents with each pair of grades, as a matrix."""
    rows = confusion.records()
    counts = {(row["truth_grade"], row["judge_grade"]): row["count"] for row in rows}
    texts: dict[Any, str] = {}
    for k, row in enumerate(rows):
        texts |= {row[key]: written(confusion, k, key) for key in ("truth_grade", "judge_grade")}
    down, across = (sorted({pair[k] for pair in counts}, key=in_order) for k in (0, 1))
    return matrix(name, across, down, counts, texts)


def in_order(grade: Any) -> tuple[bool, float, str]:
    """Grades that are numbers come first, in their order."""
    number = isinstance(grade, (int, float))
    return not number, float(grade) if number else 0.0, str(grade)


def favour(found: JudgesResult, judges: Table, systems: Table) -> list[Markup]:
    """Whether judges are lenient, and which systems they favour."""
    caption = f"Points are the favour, bars its {100 * found.level:g}% intervals; the dashed line is at 0."
    charts = []
    for judge in distinct(systems, "judge"):
        part = part_of(systems, {"judge": judge})
        if len(part.rows) <= MOST_ROWS:
            drawn = interval_figure(part, lambda texts: texts.get("system", ""), caption, "favour", 0)
            charts += [element("div", element("h3", judge), *drawn)] if drawn else []
    said = (
        f"How much higher than {found.truth} a judge grades on the whole (leniency), and how much higher it grades the "
        "documents of a system than those of the other systems (favour)."
    )
    shown = [sortable(table, heading(table.key)) for table in (judges, systems) if table.rows]
    return [*paragraphs(said), *shown[:1], *beside(charts), *shown[1:]] if shown else []
