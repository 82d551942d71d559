"""Verdicts on rankings in words, and how `compare` is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan, nan
from typing import Any

from .._core.methods import OverlapMethod
from .._core.options import Target
from .._core.text import counted, coverage_clause, join_and, p_equals, p_value, percent
from ..comparison import CoefficientInterval, Comparison, Comparisons
from ..rank_distance import DrankResult, Verdict
from .places import PlaceChangesView
from .reliability import caveat_sentence
from .tables import Column, Table, View, attributes, general, signed, yes_or_no


def verdict_clause(verdict: Verdict, test: DrankResult | None = None) -> str:
    """The decision as a clause without a full stop; with the numbers of a test, if it is given."""
    a, b = verdict.names
    if verdict.kind == "no ranking":
        gives = "gives" if len(verdict.unranked) == 1 else "give"
        return f"{join_and(verdict.unranked)} {gives} all systems the same score, which is no ranking"
    if verdict.kind == "no topics":
        return f"without topics, nothing tells whether {b} ranks the systems differently from {a}"
    if verdict.kind == "too few topics":
        return (
            f"{counted(verdict.topics[0], 'topic')} are too few to test the ranking of {b}: the rank distance needs "
            f"{verdict.least_topics}"
        )
    if verdict.kind == "ties differ":
        tied = "pair of systems is" if verdict.tied_in_one == 1 else "pairs of systems are"
        return f"{b} contradicts no order of {a}, but {verdict.tied_in_one} {tied} tied in only one of them"
    if verdict.kind == "same order":
        return f"{b} ranks the systems exactly as {a} does"
    explained = f"by more than another sample of {counted(verdict.topics[1], 'topic')} explains"
    if test:
        explained += f" (d_rank = {test.statistic:.3f}, {p_equals(test.pvalue, test.resamples)})"
    if verdict.kind == "different":
        return f"{b} ranks the systems differently from {a}, {explained}"
    return f"{b} does not rank the systems differently from {a} {explained}"


def leaderboard_clause(verdict: Verdict, name: str, value: float | str, systems: int) -> str:
    """The coefficient of two leaderboards, which no test can tell more of, as a clause; or why it is undefined."""
    a, b = verdict.names
    shown = f"undefined ({value})" if isinstance(value, str) else f"{value:.3f}"
    return f"{name} between {a} and {b} is {shown} over {counted(systems, 'system')}"


def coefficient_sentence(
    name: str,
    value: float,
    low: float,
    high: float,
    topics: tuple[int, int],
    same_topics: bool,
    target: Target,
    level: float,
) -> str:
    """The coefficient, with what its interval is for."""
    sample = counted(topics[0], "topic") if same_topics else f"{topics[0]} and {counted(topics[1], 'topic')}"
    covered, kind = {
        "expected": (f"its mean over samples of {sample} is", "confidence"),
        "sample": (f"in another sample of {sample} it is", "prediction"),
        "population": ("between the true means over all topics it is", "confidence"),
    }[target]
    ends = f"{low:.3f}", f"{high:.3f}"
    interval = ends[0] if ends[0] == ends[1] else f"between {ends[0]} and {ends[1]}"
    return f"{name} is {value:.3f}; {covered} {interval} ({100 * level:g}% {kind} interval)."


class ComparisonView(View[Comparison]):
    """The view of a comparison of two tables of scores."""

    def tables(self) -> list[Table]:
        result = self.result
        a, b = result.names
        systems = [
            Column("system"),
            Column("mean_a", f"mean\n{a}"),
            Column("mean_b", f"mean\n{b}"),
            Column("rank_a", f"rank\n{a}", general),
            Column("rank_b", f"rank\n{b}", general),
            Column("move", text=signed),
        ]
        coefficients = [
            Column("coefficient", of="method.name"),
            *(Column(key) for key in ("value", "low", "high")),
            Column("note", prose=True, of=coefficient_note),
        ]
        return [
            Table("systems", systems, result.moves),
            Table("coefficients", coefficients, result.intervals),
            self.d_rank(),
            Table("reliability", RELIABILITY, result.reliabilities),
        ]

    def d_rank(self) -> Table:
        """The rank distance with its test, and the pairs that differ significantly."""
        columns = [
            *test_columns(self.result),
            Column("shrinkage", of=of_test("shrinkage")),
            *PAIRS,
            Column("soft_accuracy", "soft\naccuracy"),
        ]
        return Table("d_rank", columns, [self.result])

    def details(self) -> list[Table]:
        a, b = self.result.names
        columns = [
            Column("better", f"better in\n{a}", str),
            Column("worse", f"worse in\n{a}", str),
            Column("difference_a", f"difference\n{a}"),
            Column("difference_b", f"difference\n{b}"),
            Column("significant", f"significant in\n{b}", yes_or_no),
        ]
        flips = Table("flips", columns, self.result.significant.flips, names=2)
        changes = self.result.changes
        return [flips, *(PlaceChangesView(changes).tables() if changes else [])]

    def sentences(self) -> list[str]:
        """The conclusion, the systems that surely move, and how reliable the two rankings are."""
        moves = self.result.changes.sentences() if self.result.changes else []
        return [self.conclusion(), *moves, *self.reliability()]

    def conclusion(self) -> str:
        """The verdict, the coefficient with its interval, and the pairs that differ significantly: a sentence each."""
        result = self.result
        verdict = f"{verdict_clause(result.verdict, result.distance)}."
        if result.verdict.kind == "no ranking":
            return verdict
        tau_b = tau_b_of(result)
        coefficient = coefficient_sentence(
            "tau_b",
            *(tau_b.value, tau_b.low, tau_b.high),
            result.verdict.topics,
            result.same_topics,
            result.target,
            result.level,
        )
        return " ".join(filter(None, [verdict, coefficient, self.pairs()]))

    def pairs(self) -> str:
        """How many of the pairs that differ significantly are in the same order; nothing for too few topics."""
        (a, b), pairs = self.result.names, self.result.significant
        if self.result.verdict.kind == "too few topics":
            return ""
        test = TESTS[pairs.significance.test]
        if isnan(pairs.share_in_same_order):
            return f"No pair of systems differs significantly in {a} ({test})."
        count, share = pairs.significance.count, percent(pairs.share_in_same_order)
        many = "1 pair of systems that differs" if count == 1 else f"{count} pairs of systems that differ"
        return f"Of the {many} significantly in {a} ({test}), {b} orders {share} alike."

    def reliability(self) -> list[str]:
        """How close each ranking is expected to be to its own true one: one sentence, if anything is known."""
        if not self.result.reliabilities:
            return []
        first, *others = self.result.reliabilities
        interval = f"{100 * self.result.level:g}% interval "
        sentence = (
            f"{first.source} with {counted(first.topics, 'topic')} is expected to rank the systems with tau "
            f"{first.expected.value:.3f} to the truth "
            f"({interval}{first.expected.low:.3f} to {first.expected.high:.3f})"
        )
        for row in others:
            topics = f" with {counted(row.topics, 'topic')}" if row.topics != first.topics else ""
            value, low, high = row.expected
            sentence += f", and {row.source}{topics} with tau {value:.3f} ({low:.3f} to {high:.3f})"
        truth = "The truth is the ranking by all topics there could be"
        return [f"{sentence}. {truth}{', of each by its own scores' if others else ''}."]

    @property
    def notes(self) -> Sequence[str]:
        result = self.result
        notes = [note for note in dict.fromkeys(side.note for side in result.sides) if note]
        notes += [
            f"the reliability of {row.source}: {caveat_sentence(caveat)}"
            for row in result.reliabilities
            for caveat in row.caveats
        ]
        if result.caveat:
            notes.append(coverage_clause(result.caveat.reason, result.caveat.least))
        if not result.same_topics:
            notes.append("the two have different topics, so they are taken for two separate samples of topics")
        return tuple(notes)

    def record(self) -> dict[str, Any]:
        result = self.result
        distance = None
        if result.distance:
            test = result.distance.as_dict()
            distance = {key: test[key] for key in ("statistic", "pvalue", "null", "shrinkage", "made_equal")}
        return {
            "a": result.names[0],
            "b": result.names[1],
            "topics": [side.n for side in result.sides],
            "systems": self.table("systems").records(),
            "coefficients": self.table("coefficients").records(),
            "target": result.target,
            "level": result.level,
            "d_rank": distance,
            "significant_pairs": {
                "count": result.significant.significance.count,
                "in_same_order": result.significant.share_in_same_order,
                **attributes(result.significant.significance, "test alpha"),
            },
            "soft_accuracy": result.soft_accuracy,
            "flips": self.table("flips").records(),
            "reliability": self.table("reliability").records(),
            "places": self.table("places").records(),
            "conclusion": self.conclusion(),
            "notes": self.notes,
            "seed": result.seed,
            "resamples": result.resamples,
        }

    def plot(self, ax: Any = None, *, labels: Sequence[str] | None = None, **options: Any) -> Any:
        from ..plots import slope

        A, B = self.result.sides
        called = self.result.names if labels is None else labels
        return slope(A.means, B.means, names=A.systems, labels=called, ax=ax)


def of_test(name: str) -> Callable[[Comparison], float]:
    """A number of the test of the rank distance; nan without a test."""
    return lambda result: getattr(result.distance, name, nan)


def test_columns(*results: Comparison) -> list[Column]:
    """The rank distance and its p-value."""
    resamples = max((result.distance.resamples for result in results if result.distance), default=1)
    return [
        Column("d_rank", of=of_test("statistic")),
        Column("p-value", text=lambda share: p_value(share, resamples), of=of_test("pvalue")),
    ]


def tau_b_of(result: Comparison) -> CoefficientInterval:
    return next(row for row in result.intervals if row.method.name == "tau_b")


class ComparisonsView(View[Comparisons]):
    """The view of the comparisons of three tables of scores or more."""

    def tables(self) -> list[Table]:
        pairs = self.result.pairs
        columns = [
            Column("a", "reference", of="names.0"),
            Column("b", "compared", of="names.1"),
            Column("tau_b", of=lambda pair: tau_b_of(pair).value),
            Column("low", of=lambda pair: tau_b_of(pair).low),
            Column("high", of=lambda pair: tau_b_of(pair).high),
            *test_columns(*pairs),
            *PAIRS,
        ]
        return [*self.result.table.view.tables(), Table("pairs", columns, pairs, names=2)]

    def sentences(self) -> list[str]:
        """The verdict on each pair."""
        return [f"{verdict_clause(pair.verdict)}." for pair in self.result.pairs]

    @property
    def notes(self) -> Sequence[str]:
        every = (*self.result.table.notes, *(note for pair in self.result.pairs for note in pair.notes))
        return tuple(dict.fromkeys(every))

    def record(self) -> dict[str, Any]:
        return self.result.table.as_dict() | {"pairs": [pair.as_dict() for pair in self.result.pairs]}

    def plot(self, ax: Any = None, *, labels: Sequence[str] | None = None, **options: Any) -> Any:
        return self.result.table.view.plot(ax, labels=labels)


PAIRS = [
    Column("significant_pairs", "significant\npairs", of="significant.significance.count"),
    Column("in_same_order", "in the\nsame order", of="significant.share_in_same_order"),
]

TESTS = {
    "maximum": "studentized maximum over resampled topics",
    "t": "paired t tests, Holm's correction",
    "randomisation": "paired randomisation tests, Holm's correction",
    "tukey": "Tukey's HSD with topics as blocks",
}
"""How significant pairs are found."""


RELIABILITY = [
    Column("source"),
    Column("topics"),
    Column("expected", "expected\ntau", of="expected.value"),
    Column("low", of="expected.low"),
    Column("high", of="expected.high"),
]


def coefficient_note(row: CoefficientInterval) -> str:
    """Why a coefficient has no value, or the options of rank-biased overlap."""
    if row.value is None:
        return "two systems have the same mean"
    return f"p = {row.method.p!r}, ties {row.method.ties}" if isinstance(row.method, OverlapMethod) else ""
