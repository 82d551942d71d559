"""How the numbers about judges were computed, and what they do not say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .._core.text import counted
from ..judging import JudgesResult
from ..show.judges import TESTS
from ..show.tables import Table
from ._charts import (
    ALONE,
    BESIDE,
    COVERED,
    Keys,
    board,
    fits_beside,
    interval_figure,
    interval_figures,
    interval_rows,
    lines_of,
    move_sentences,
    slope_figure,
)
from ._compare import TARGETS
from ._page import (
    Markup,
    Page,
    Section,
    beside,
    displayed_cell,
    distinct,
    element,
    ends_of,
    matrix_element,
    paragraphs,
    part_of,
    points,
    seeded,
    sortable,
    table_with_key,
)


def method(result: JudgesResult, there: set[str]) -> list[str]:
    """A paragraph for each of the tables that are there; facts that the result does not have are left out."""
    texts = on_leaderboards(result) if not result.has_topics else on_topics(result)
    return [text for key, text in texts.items() if key in there and text]


def on_leaderboards(result: JudgesResult) -> dict[str, str]:
    """The sentences about rankings without topics, by the table that they are about."""
    return {
        "systems": f"{result.truth} is taken for the truth. Systems are ranked by the scores of leaderboards. These "
        "have no topics, so nothing is known of how much the rankings depend on the choice of topics, and there are no "
        "intervals and no tests. Tied systems share the mean of their ranks. A positive move is a move up.",
        "coefficients": on_top(result),
    }


def on_top(result: JudgesResult) -> str:
    if result.top is None:
        return ""
    return (
        f"The top {result.top} systems are the best by {result.truth}, with those that are tied with the last of them. "
        "A coefficient among these has fewer pairs, and varies more."
    )


def on_topics(result: JudgesResult) -> dict[str, str]:
    """The sentences about rankings by scores on topics, and about labels and favour."""
    meaning, limit = TARGETS[result.target]
    interval = f"{100 * result.level:g}%"
    chance = (
        f"can be well above {result.alpha:g}: in simulated collections it was 5.5 to 9 % where 5 % were asked for, and "
        "it is more where the variances of the systems differ strongly"
        if result.test == "tukey"
        else f"is at most {result.alpha:g}"
    )
    intervals = (
        f"The {interval} intervals come from {result.resamples} samples of topics that were simulated from a model of "
        f"the true means and of the noise of the topics. They are for {meaning}. {limit} They take the topics for a "
        "random sample, and the judgments as they are: another answer of a language model to the same question is not "
        "part of them. They say nothing about other systems than these."
    )
    return {
        "systems": f"{result.truth} is taken for the truth. Systems are ranked by their mean scores over the topics, "
        "as each judge has them. Tied systems share the mean of their ranks. A positive move is a move up.",
        "coefficients": f"{intervals} {on_top(result)}".strip(),
        "differences": "The two judges of a difference score the same systems on the same topics. Its interval allows "
        "for that, so it can exclude 0 although the intervals of the two coefficients overlap.",
        "tests": f"The p-value of a rank distance is the share of {result.test_resamples} pairs of simulated samples "
        f"of topics, both scored as by {result.truth}, whose distance is at least as large. A small one says that "
        "another sample of topics would rarely change the ranking so much. A large one does not say that the judge "
        "ranks systems as the truth does: only that other topics could have made the difference. With few topics, or "
        "systems that are close to each other, even a reversed ranking can pass. It is no test of equal true "
        "rankings either: the judge and the truth share their topics, and the simulated pairs are two separate "
        "samples. Noise in the labels alone can make the p-value small. Each p-value is that of one judge and "
        "measure by itself.",
        "pairs": f"Pairs of systems are tested over the topics: {TESTS[result.test]}. If all systems were equal, the "
        f"probability to find any pair at all {chance}. A pair that is not found is not a tie: the topics do not "
        "decide it.",
        "labels": "Labels are compared only on the documents that both judged, which may be easier or harder to judge "
        "than others. The intervals of kappa are by the jackknife over topics, since the documents of a topic are not "
        "independent. Judges who disagree about labels can rank systems alike, and judges who agree about most labels "
        "can rank them differently.",
        "bias": f"Favour is how much higher the judge grades the first {result.depth} documents of a system than "
        f"documents with the same grade from {result.truth}, among the first documents of all systems. The system's "
        "own documents are among those it is compared with. It is relative to the mean of all systems: a judge who is "
        "lenient to all favours none, and where some systems are favoured, others seem disfavoured by a little. The "
        f"{interval} intervals of favours are simultaneous: all of them together hold with this probability, by "
        "Bonferroni's correction for the number of systems. The p-values are adjusted by Holm's method, which finds "
        "somewhat more than the intervals. Favour does not say why a system is favoured.",
    }


KEYS = Keys("system", ("mean_truth", "mean_judge"), ("rank_truth", "rank_judge"), "move")

TABLES = (
    *("systems", "coefficients", "differences", "tests", "pairs", "flips"),
    *("labels", "confusion", "labels_by_topic", "favours", "bias"),
)
"""The tables of such a result."""

# A chart with more rows than this says less than the table below it.
MOST_ROWS = 40
# The most numbers at the top of the report.
MOST_FIGURES = 20

TEST_TITLE = (
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


def page(result: JudgesResult, title: str | None) -> Page:
    tables = [table for table in (*result.tables(), *result.view.details()) if table.rows]
    by_key = {key: table_with_key(tables, key) for key in TABLES}
    who = result.judges[0] if len(result.judges) == 1 else counted(len(result.judges), "judge")
    bare = not result.has_topics
    tests = (MOVES if bare else TEST_TITLE).format(truth=result.truth)
    return Page(
        title or f"{who} against {result.truth}",
        subtitle(result, len(distinct(by_key["systems"], "system"))),
        result.verdicts,
        [
            Section("Rankings", rankings_part(result, by_key["systems"])),
            Section("Leaderboards", leaderboards_part(result, by_key["systems"])),
            Section("Coefficients", coefficients_part(result, by_key["coefficients"])),
            Section("Judges compared", differences_part(result, by_key["differences"])),
            Section("Moves" if bare else "Rank distance and moves", explained_table(by_key["tests"], tests)),
            Section("Significant pairs", explained_table(by_key["pairs"], PAIRS.format(truth=result.truth))),
            Section("Flips", flips_part(result, by_key["flips"], bool(by_key["pairs"].rows))),
            Section("Labels", labels_part(result, by_key["labels"], by_key["confusion"], by_key["labels_by_topic"])),
            Section("Favour", favour_part(result, by_key["favours"], by_key["bias"])),
            Section("Findings in words", paragraphs(*result.findings)),
            Section("Method and limits", points(method(result, {table.key for table in tables}))),
        ],
        headline_figures(result, by_key["coefficients"]),
        [] if bare else [seeded(result.seed, result.resamples)],
    )


def subtitle(result: JudgesResult, systems: int) -> str:
    """How many systems and topics, and which measures."""
    counts = [] if not result.has_topics else [count_of_topics(result)]
    measures = f"{'measure' if len(result.measures) == 1 else 'measures'} {', '.join(result.measures)}"
    return f"{', '.join([counted(systems, 'system'), *counts, measures])}. The reference is {result.truth}."


def count_of_topics(result: JudgesResult) -> str:
    """The number of topics; that of each measure if they differ."""
    if len(set(result.topics.values())) == 1:
        return counted(result.topics[result.measures[0]], "topic")
    return ", ".join(f"{counted(count, 'topic')} by {measure}" for measure, count in result.topics.items())


def heading(key: str) -> str:
    text = key.replace("_", " ")
    return text[:1].upper() + text[1:]


def explained_table(table: Table, text: str) -> list[Markup]:
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


def headline_figures(result: JudgesResult, table: Table) -> list[tuple[str, str, str]]:
    """The first coefficient over all systems, of each judge and measure, if these are few."""
    shown = []
    for k, row in enumerate(table.records()):
        if row["coefficient"] == result.methods[0] and row["top"] is None:
            name = about(row["judge"], row["measure"] if len(result.measures) > 1 else None)
            more = about(result.methods[0], ends_of(table, k) or None)
            shown.append((name, displayed_cell(table, k, "value"), more))
    return shown if len(shown) <= MOST_FIGURES else []


def rankings_part(result: JudgesResult, systems: Table) -> list[Markup]:
    """The moves and the slope chart of each judge and measure; beside each other if names have room there."""
    pairs = [(measure, judge, lines_of(table, KEYS)) for measure, judge, table in each_pair(systems)]
    narrow = all(fits_beside(lines, (result.truth, judge)) for _, judge, lines in pairs)
    parts = []
    for measure, judge, lines in pairs:
        names = (result.truth, judge)
        title = element("h3", about(judge, measure if len(result.measures) > 1 else None))
        chart = slope_figure(lines, names, BESIDE if narrow else ALONE)
        parts.append(element("div", title, *points(move_sentences(lines, names)), chart))
    return beside(parts) if narrow else parts


def leaderboards_part(result: JudgesResult, systems: Table) -> list[Markup]:
    """The boards of all judges beside that of the truth, for each measure."""
    score = "score" if not result.has_topics else "mean"
    boards: dict[str, list[tuple[str, Table]]] = {}
    for measure, judge, table in each_pair(systems):
        of_measure = boards.setdefault(measure, [(result.truth, board(table, KEYS, 0, score))])
        of_measure.append((judge, board(table, KEYS, 1, score)))
    parts = []
    for measure, of_measure in boards.items():
        shown = [
            element("div", element("h4", name), sortable(table, f"Leaderboard of {about(name, measure)}"))
            for name, table in of_measure
        ]
        parts += [element("h3", measure), *beside(shown)]
    return parts


def bars(result: JudgesResult, what: str) -> str:
    """The beginning of a caption; without topics there are no bars."""
    shown = f"Points are the {what}"
    return shown if not result.has_topics else f"{shown}, bars their {100 * result.level:g}% intervals"


def top_of(texts: Mapping[str, str]) -> str | None:
    return f"top {texts['top']}" if "top" in texts else None


def coefficients_part(result: JudgesResult, table: Table) -> list[Markup]:
    """A chart for each coefficient, and the table."""
    if not table.rows:
        return []

    def name(texts: Mapping[str, str]) -> str:
        return about(texts["judge"], texts["measure"], top_of(texts))

    parts = {one: part_of(table, {"coefficient": one}) for one in distinct(table, "coefficient")}
    charts = {one: interval_rows(part, name) for one, part in parts.items() if len(part.rows) <= MOST_ROWS}
    caption = f"{bars(result, 'coefficients')}."
    return [*interval_figures(charts, caption, COVERED), sortable(table, "Coefficients")]


def differences_part(result: JudgesResult, table: Table) -> list[Markup]:
    if not table.rows:
        return []
    text = "The differences between the coefficients of two judges."
    if result.has_topics:
        text += f" If an interval does not contain 0, one of the two agrees more with {result.truth}."
    caption = f"{bars(result, 'differences')}; the dashed line is at 0."

    def name(texts: Mapping[str, str]) -> str:
        return about(f"{texts['judge']} minus {texts['other']}", texts["measure"], texts["coefficient"], top_of(texts))

    shown = interval_rows(table, name, "difference") if len(table.rows) <= MOST_ROWS else []
    return [*paragraphs(text), *interval_figure(shown, caption, reference=0), sortable(table, "Judges compared")]


def flips_part(result: JudgesResult, table: Table, tested: bool) -> list[Markup]:
    """The pairs that a judge orders the other way; that there is none, if pairs were tested."""
    condition = f"differ significantly under {result.truth}, and that a judge orders the other way"
    if not table.rows:
        return paragraphs(f"There are no pairs of systems that {condition}.") if tested else []
    return [*paragraphs(f"Pairs of systems that {condition}."), sortable(table, "Flips")]


def labels_part(result: JudgesResult, table: Table, confusion: Table, by_topic: Table) -> list[Markup]:
    text = f"The grades of each judge and those of {result.truth}, of the documents that both judged."
    intervals = f" The interval is that of kappa, of {100 * result.level:g}%, by the jackknife over topics."
    matrices = []
    for judge in distinct(confusion, "judge"):
        about_it = f"Documents by their grades. Rows: {result.truth}. Columns: {judge}."
        shown = grades(part_of(confusion, {"judge": judge}), about_it)
        matrices.append(element("div", element("h3", judge), *paragraphs(about_it), shown))
    topics = sortable(by_topic, "Labels by topic")
    further = [element("h3", "By topic"), topics] if by_topic.rows else []
    return [*explained_table(table, text + intervals), *beside(matrices), *further]


def grades(confusion: Table, name: str) -> Markup:
    """The numbers of documents with each pair of grades, as a matrix."""
    rows = confusion.records()
    counts = {(row["truth_grade"], row["judge_grade"]): row["count"] for row in rows}
    texts: dict[Any, str] = {}
    for k, row in enumerate(rows):
        texts |= {row[key]: displayed_cell(confusion, k, key) for key in ("truth_grade", "judge_grade")}
    down, across = (sorted({pair[k] for pair in counts}, key=grade_order) for k in (0, 1))
    return matrix_element(name, across, down, counts, texts)


def grade_order(grade: Any) -> tuple[bool, float, str]:
    """Grades that are numbers come first, in their order."""
    number = isinstance(grade, (int, float))
    return not number, float(grade) if number else 0.0, str(grade)


def favour_part(result: JudgesResult, judges: Table, systems: Table) -> list[Markup]:
    """Whether judges are lenient, and which systems they favour."""
    if not judges.rows:
        return []
    caption = (
        f"Points are the favour, bars its simultaneous {100 * result.level:g}% intervals, with "
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
        *paragraphs(FAVOUR.format(truth=result.truth)),
        sortable(judges, heading(judges.key)),
        *interval_figures(charts, caption, reference=0),
        *([sortable(systems, heading(systems.key))] if systems.rows else []),
    ]
