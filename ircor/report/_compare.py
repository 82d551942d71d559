"""The report of `ircor.compare`."""

from __future__ import annotations

from collections.abc import Mapping

from .._core.methods import RBO
from .._core.text import counted, percent
from ..comparison import Comparison
from ..reliability import PlaceChanges
from ..show.compare import TESTS, verdict_clause
from ..show.tables import Table
from ._charts import COVERED, Keys, board, interval_figure, interval_rows, lines_of, move_sentences, slope_figure
from ._page import (
    Markup,
    Page,
    Section,
    displayed_cell,
    element,
    ends_of,
    paragraphs,
    points,
    seeded,
    sortable,
    table_with_key,
)

KEYS = Keys("system", ("mean_a", "mean_b"), ("rank_a", "rank_b"), "move")

TARGETS = {
    "expected": (
        "the mean of the coefficient over samples of as many topics, which is what the printed coefficient estimates",
        "It goes with the number of topics: with more topics, the coefficient is another one.",
    ),
    "sample": (
        "the coefficient in another sample of as many topics",
        "It says which coefficients would be no surprise to somebody with other topics.",
    ),
    "population": (
        "the coefficient between the true means of the systems, over all topics there could be",
        "It is computed with one correlation of the two for the whole field of systems. If their relation is not "
        "linear and there are many systems, it can miss.",
    ),
}
"""The target of the intervals, and what follows from it."""


def comparison_page(result: Comparison, title: str | None) -> Page:
    a, b = result.names
    systems, coefficients, test = (
        table_with_key(result.tables(), key) for key in ("systems", "coefficients", "d_rank")
    )
    lines = lines_of(systems, KEYS)
    boards = [
        element("div", element("h3", name), sortable(board(systems, KEYS, side), f"Leaderboard of {name}"))
        for side, name in enumerate(result.names)
    ]
    rankings = [*points(move_sentences(lines, result.names)), slope_figure(lines, result.names)]
    return Page(
        title or f"{b} against {a}",
        f"{counted(len(systems.rows), 'system')}, {topic_counts(result)}. The reference is {a}.",
        result.sentences(),
        [
            Section("Rankings", rankings),
            Section("Leaderboards", [element("div", *boards, class_="beside")]),
            Section("Places", places_section(result.changes)),
            Section("Flips", flips_section(result)),
            Section("Coefficients", coefficients_shown(result, coefficients)),
            Section("Rank distance", [*paragraphs(about_test(result)), sortable(test, "Rank distance")]),
            Section("Reliability", reliability(result)),
            Section("Method and limits", points(method_paragraphs(result))),
        ],
        main_numbers(result, coefficients, test),
        [seeded(result.seed, result.resamples)],
    )


def places_section(changes: PlaceChanges | None) -> list[Markup]:
    """The systems that surely move, and the sets of places of all."""
    if changes is None:
        return []
    about = (
        f"The sets of places hold for all systems of both at once, with {100 * changes.a.level:g}% confidence. A "
        "system surely moves if its two sets have no place in common."
    )
    (table,) = changes.tables()
    return [*paragraphs(*changes.sentences(), about), sortable(table, "Places")]


def topic_counts(result: Comparison) -> str:
    n, m = (side.n for side in result.sides)
    return counted(n, "topic") if n == m else f"{n} and {counted(m, 'topic')}"


def main_numbers(result: Comparison, coefficients: Table, test: Table) -> list[tuple[str, str, str]]:
    """tau_b, tauAP_b, the rank distance and the pairs that are ordered alike."""
    shown = [
        (row["coefficient"], displayed_cell(coefficients, k, "value"), ends_of(coefficients, k))
        for k, row in enumerate(coefficients.records())
        if row["coefficient"] in ("tau_b", "tauAP_b")
    ]
    if result.distance:
        shown.append(("d_rank", displayed_cell(test, 0, "d_rank"), f"p-value {displayed_cell(test, 0, 'p-value')}"))
    share = result.significant.share_in_same_order
    if share == share:
        orders = f"of the pairs that differ significantly in {result.names[0]} are ordered alike"
        shown.append(("Pairs", percent(share), orders))
    return shown


def flips_section(result: Comparison) -> list[Markup]:
    """The pairs that differ significantly in A and are in the opposite order in B."""
    a, b = result.names
    table = result.view.table("flips")
    if not result.significant.significance.count:
        return paragraphs(f"No pair of systems differs significantly in {a}, so none can be in the opposite order.")
    if not table.rows:
        return paragraphs(f"{b} has no pair in the opposite order that differs significantly in {a}.")
    pairs = "One pair of systems differs" if len(table.rows) == 1 else f"{len(table.rows)} pairs of systems differ"
    sentence = (
        f"{pairs} significantly in {a} and {'is' if len(table.rows) == 1 else 'are'} in the opposite order in {b}."
    )
    return [*paragraphs(sentence), sortable(table, "Flips")]


def coefficients_shown(result: Comparison, table: Table) -> list[Markup]:
    caption = f"Points are the coefficients, bars their {100 * result.level:g}% intervals."
    return [
        *paragraphs(f"The intervals are for {TARGETS[result.target][0]}."),
        *interval_figure(interval_rows(table, name_in_chart), caption, COVERED),
        sortable(table, "Coefficients"),
    ]


def name_in_chart(texts: Mapping[str, str]) -> str:
    """The name of a coefficient, with its options if it has some."""
    return f"{texts['coefficient']} ({texts['note']})" if "note" in texts else texts["coefficient"]


def about_test(result: Comparison) -> str:
    a, b = result.names
    if not result.distance:
        return f"There is none: {verdict_clause(result.verdict)}."
    return (
        f"How far the means of {a} have to move until the systems are in the order of {b}, in units of their variation "
        f"over topics. The p-value compares it with {result.distance.resamples} pairs of simulated samples of topics."
    )


def reliability(result: Comparison) -> list[Markup]:
    """How close each of the two rankings is expected to be to its own true one."""
    if not result.reliabilities:
        return []
    meaning = (
        "The expected Kendall's tau between the ranking of the systems by these topics and their true ranking by the "
        "same measure, over all topics there could be. It follows from each table alone, and says nothing of how the "
        "two agree."
    )
    return [*paragraphs(meaning), sortable(result.view.table("reliability"), "Reliability")]


def about_overlap(result: Comparison) -> list[str]:
    """A sentence on rank-biased overlap, if there is one."""
    if all(row.method.name != RBO for row in result.intervals):
        return []
    return [
        "rbo is rank-biased overlap, from 0 to 1: the mean share of systems that the two rankings have in common in "
        "their top ranks, over all depths, of which each has p times the weight of the one before. Rankings in random "
        "order have some overlap too, so it is not to be compared with the coefficients, nor with another p."
    ]


def method_paragraphs(result: Comparison) -> list[str]:
    """How it was computed, and what it does not say."""
    a, b = result.names
    meaning, limit = TARGETS[result.target]
    texts = [
        "Systems are ranked by their mean scores over the topics. Tied systems share the mean of their ranks. "
        f"A positive move is a move up from {a} to {b}.",
        "tau_b is Kendall's tau for rankings with ties: all pairs of systems have the same weight. tauAP_b is AP "
        "correlation with ties: pairs at the top have more weight. tau and tauAP have a value only if no two systems "
        "have the same mean.",
        *about_overlap(result),
        f"The {100 * result.level:g}% intervals are for {meaning}. {limit} They come from {result.resamples} samples "
        "of topics that were simulated from a model of the true means and of the noise of the topics. They say nothing "
        "about other systems than these.",
        "How often such intervals hold was measured on simulated collections, and mostly it was as often as their "
        "level says. Coefficients close to 1 are where it was less, by a few per cent.",
    ]
    if result.distance:
        texts += [
            f"The rank distance takes {a} for the reference, so the other way round it is another number. Its p-value "
            "is the share of pairs of samples whose distance is at least as large: both samples are scored as in "
            f"{a}, the one gives the scores and the other the ranking. A small p-value says that another sample of "
            f"{counted(result.distance.topics, 'topic')} would rarely change the ranking so much. A large one does not "
            "say that the two rank alike: only that another sample of topics could have made the difference. With few "
            "topics, that is so for large differences too.",
        ]
    return [
        *texts,
        f"Which pairs of systems differ significantly is found by {TESTS[result.significant.significance.test]}: if "
        "no two systems differ, the probability that any pair is found is at most "
        f"{result.significant.significance.alpha:g}.",
    ]
