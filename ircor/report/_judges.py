"""The report of `ircor.judges`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .._result import Table
from .._text import counted
from ..judging import JudgesResult
from ._charts import ALONE, BESIDE, COVERED, fits_beside
from ._figures import interval_figure, interval_figures, interval_rows
from ._judges_method import method, without_topics
from ._markup import Markup, element
from ._moves import Keys, board, lines_of, moves_said, slope_figure
from ._page import (
    Page,
    Section,
    beside,
    distinct,
    ends_of,
    matrix,
    paragraphs,
    part_of,
    points,
    seeded,
    sortable,
    table_of,
    written,
)

KEYS = Keys("system", ("mean_truth", "mean_judge"), ("rank_truth", "rank_judge"), "move")

KNOWN = (
    *("systems", "coefficients", "differences", "tests", "pairs", "flips"),
    *("labels", "confusion", "labels_by_topic", "favours", "bias"),
)
"""The tables of such a result."""

# A chart with more rows than this says less than the table below it.
MOST_ROWS = 40
# The most numbers at the top of the report.
MOST_FIGURES = 20

TESTS = (
    "How far each judge's ranking is from that of {truth}; the p-value of that distance against another sample of "
    "topics; the systems with the largest drop and the largest move; and the share of the best systems that are the "
    "same."
)
MOVES = "The systems with the largest drop and the largest move, and the share of the best systems that are the same."
PAIRS = (
    "The pairs of systems that differ significantly under {truth} (significant by truth), and what a judge makes of "
    "them. Found: they differ significantly under the judge too, in the same order. Missed: they do not differ "
    "significantly under the judge. Missed in other order: those of the missed that the judge's means order the other "
    "way. Reversed: they differ significantly under the judge, in the other order. Extra: pairs that differ "
    "significantly under the judge only."
)
FAVOUR = (
    "How much higher than {truth} a judge grades on the whole (leniency), and how much higher it grades the documents "
    "of a system than documents with the same grade from {truth} (favour). Favour is relative to the mean of all "
    "systems, and a system's own documents are among those it is compared with."
)


def page(found: JudgesResult, title: str | None) -> Page:
    tables = [table for table in (*found.tables(), *found.details()) if table.rows]
    by_key = {key: table_of(tables, key) for key in KNOWN}
    who = found.judges[0] if len(found.judges) == 1 else counted(len(found.judges), "judge")
    bare = without_topics(found)
    tests = (MOVES if bare else TESTS).format(truth=found.truth)
    return Page(
        title or f"{who} against {found.truth}",
        subtitle(found, len(distinct(by_key["systems"], "system"))),
        found.verdicts,
        [
            Section("Rankings", rankings(found, by_key["systems"])),
            Section("Leaderboards", leaderboards(found, by_key["systems"])),
            Section("Coefficients", coefficients(found, by_key["coefficients"])),
            Section("Judges compared", differences(found, by_key["differences"])),
            Section("Moves" if bare else "Rank distance and moves", explained(by_key["tests"], tests)),
            Section("Significant pairs", explained(by_key["pairs"], PAIRS.format(truth=found.truth))),
            Section("Flips", flips(found, by_key["flips"], bool(by_key["pairs"].rows))),
            Section("Labels", labels(found, by_key["labels"], by_key["confusion"], by_key["labels_by_topic"])),
            Section("Favour", favour(found, by_key["favours"], by_key["bias"])),
            Section("Findings in words", paragraphs(*found.findings)),
            Section("Method and limits", points(method(found, {table.key for table in tables}))),
        ],
        figures(found, by_key["coefficients"]),
        [] if bare else [seeded(found.seed, found.resamples)],
    )


def subtitle(found: JudgesResult, systems: int) -> str:
    """How many systems and topics, and which measures."""
    counts = [] if without_topics(found) else [topics_said(found)]
    measures = f"{'measure' if len(found.measures) == 1 else 'measures'} {', '.join(found.measures)}"
    return f"{', '.join([counted(systems, 'system'), *counts, measures])}. The reference is {found.truth}."


def topics_said(found: JudgesResult) -> str:
    """The number of topics; that of each measure if they differ."""
    if len(set(found.topics.values())) == 1:
        return counted(found.topics[found.measures[0]], "topic")
    return ", ".join(f"{counted(count, 'topic')} by {measure}" for measure, count in found.topics.items())


def heading(key: str) -> str:
    text = key.replace("_", " ")
    return text[:1].upper() + text[1:]


def explained(table: Table, text: str) -> list[Markup]:
    """A table below what it shows; nothing if it is empty."""
    return [*paragraphs(text), sortable(table, heading(table.key))] if table.rows else []


def about(*names: Any) -> str:
    return ", ".join(str(name) for name in names if name is not None)


def each_pair(systems: Table) -> Iterable[tuple[str, str, Table]]:
    """The rows of each measure and judge."""
    for measure in distinct(systems, "measure"):
        of_measure = part_of(systems, {"measure": measure})
        for judge in distinct(of_measure, "judge"):
            yield measure, judge, part_of(of_measure, {"judge": judge})


def figures(found: JudgesResult, table: Table) -> list[tuple[str, str, str]]:
    """The first coefficient over all systems, of each judge and measure, if these are few."""
    shown = []
    for k, row in enumerate(table.records()):
        if row["coefficient"] == found.methods[0] and row["top"] is None:
            name = about(row["judge"], row["measure"] if len(found.measures) > 1 else None)
            more = about(found.methods[0], ends_of(table, k) or None)
            shown.append((name, written(table, k, "value"), more))
    return shown if len(shown) <= MOST_FIGURES else []


def rankings(found: JudgesResult, systems: Table) -> list[Markup]:
    """The moves and the slope chart of each judge and measure; beside each other if names have room there."""
    pairs = [(measure, judge, lines_of(table, KEYS)) for measure, judge, table in each_pair(systems)]
    narrow = all(fits_beside(lines, (found.truth, judge)) for _, judge, lines in pairs)
    parts = []
    for measure, judge, lines in pairs:
        names = (found.truth, judge)
        title = element("h3", about(judge, measure if len(found.measures) > 1 else None))
        chart = slope_figure(lines, names, BESIDE if narrow else ALONE)
        parts.append(element("div", title, *points(moves_said(lines, names)), chart))
    return beside(parts) if narrow else parts


def leaderboards(found: JudgesResult, systems: Table) -> list[Markup]:
    """The boards of all judges beside that of the truth, for each measure."""
    score = "score" if without_topics(found) else "mean"
    boards: dict[str, list[tuple[str, Table]]] = {}
    for measure, judge, table in each_pair(systems):
        of_measure = boards.setdefault(measure, [(found.truth, board(table, KEYS, 0, score))])
        of_measure.append((judge, board(table, KEYS, 1, score)))
    parts = []
    for measure, of_measure in boards.items():
        shown = [
            element("div", element("h4", name), sortable(table, f"Leaderboard of {about(name, measure)}"))
            for name, table in of_measure
        ]
        parts += [element("h3", measure), *beside(shown)]
    return parts


def bars(found: JudgesResult, what: str) -> str:
    """What a chart shows; without topics there are no bars."""
    shown = f"Points are the {what}"
    return shown if without_topics(found) else f"{shown}, bars their {100 * found.level:g}% intervals"


def top_of(texts: Mapping[str, str]) -> str | None:
    return f"top {texts['top']}" if "top" in texts else None


def coefficients(found: JudgesResult, table: Table) -> list[Markup]:
    """A chart for each coefficient, and the table."""
    if not table.rows:
        return []

    def name(texts: Mapping[str, str]) -> str:
        return about(texts["judge"], texts["measure"], top_of(texts))

    parts = {one: part_of(table, {"coefficient": one}) for one in distinct(table, "coefficient")}
    charts = {one: interval_rows(part, name) for one, part in parts.items() if len(part.rows) <= MOST_ROWS}
    caption = f"{bars(found, 'coefficients')}."
    return [*interval_figures(charts, caption, COVERED), sortable(table, "Coefficients")]


def differences(found: JudgesResult, table: Table) -> list[Markup]:
    if not table.rows:
        return []
    said = "The differences between the coefficients of two judges."
    if not without_topics(found):
        said += f" If an interval does not contain 0, one of the two agrees more with {found.truth}."
    caption = f"{bars(found, 'differences')}; the dashed line is at 0."

    def name(texts: Mapping[str, str]) -> str:
        return about(f"{texts['judge']} minus {texts['other']}", texts["measure"], texts["coefficient"], top_of(texts))

    shown = interval_rows(table, name, "difference") if len(table.rows) <= MOST_ROWS else []
    return [*paragraphs(said), *interval_figure(shown, caption, reference=0), sortable(table, "Judges compared")]


def flips(found: JudgesResult, table: Table, tested: bool) -> list[Markup]:
    """The pairs that a judge orders the other way; that there is none, if pairs were tested."""
    said = f"differ significantly under {found.truth}, and that a judge orders the other way"
    if not table.rows:
        return paragraphs(f"There are no pairs of systems that {said}.") if tested else []
    return [*paragraphs(f"Pairs of systems that {said}."), sortable(table, "Flips")]


def labels(found: JudgesResult, table: Table, confusion: Table, by_topic: Table) -> list[Markup]:
    said = f"The grades of each judge and those of {found.truth}, of the documents that both judged."
    intervals = f" The interval is that of kappa, of {100 * found.level:g}%, by the jackknife over topics."
    matrices = []
    for judge in distinct(confusion, "judge"):
        about_it = f"Documents by their grades. Rows: {found.truth}. Columns: {judge}."
        shown = grades(part_of(confusion, {"judge": judge}), about_it)
        matrices.append(element("div", element("h3", judge), *paragraphs(about_it), shown))
    topics = sortable(by_topic, "Labels by topic")
    further = [element("h3", "By topic"), topics] if by_topic.rows else []
    return [*explained(table, said + intervals), *beside(matrices), *further]


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
    if not judges.rows:
        return []
    caption = (
        f"Points are the favour, bars its simultaneous {100 * found.level:g}% intervals, with "
        "Bonferroni's correction for the number of systems; the dashed line is at 0. The p-values in the table are "
        "adjusted by Holm's method."
    )
    parts = {judge: part_of(systems, {"judge": judge}) for judge in distinct(systems, "judge")}
    charts = {
        judge: interval_rows(part, lambda texts: texts["system"], "favour")
        for judge, part in parts.items()
        if len(part.rows) <= MOST_ROWS
    }
    return [
        *paragraphs(FAVOUR.format(truth=found.truth)),
        sortable(judges, heading(judges.key)),
        *interval_figures(charts, caption, reference=0),
        *([sortable(systems, heading(systems.key))] if systems.rows else []),
    ]
