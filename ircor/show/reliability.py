"""How reliable a ranking of systems is: the expected coefficient, the topics needed, and variance components."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import isfinite, isnan
from typing import Any, TypeVar

from .._core.text import counted, in_thousands
from ..reliability import (
    ESTIMATORS,
    METHODS,
    Caveat,
    CurvePoint,
    Estimate,
    Estimator,
    Expected,
    Generalizability,
    Method,
    Reliability,
    TopicsNeeded,
)
from .tables import Column, Table, View, attributes, estimate_columns, general

CAVEATS = {
    "scores": "{name}",
    "equal pairs": (
        "{pairs} of systems {are} equal on every topic and left out of the sum, as if in the right order: counted as "
        "undecided, {name} would be {value:.4f}"
    ),
    "tied means": (
        "{pairs} of systems {have} the same mean and {are} in the order of the columns: in the opposite order, {name} "
        "would be {value:.4f}"
    ),
    "negative deviations": (
        "so many differences of {pairs} of systems are tied that the standard deviation by MSQD is negative, and the "
        "chance means nothing: take ML"
    ),
    "rounded ties": (
        "MSQD takes differences such as 0.3 - 0.1 and 0.2, which are equal but for rounding, for different ones: taken "
        "as equal, {name} would be {value:.5f}"
    ),
    "no spread": (
        "the means of the systems differ by no more than the noise of the topics explains (E rho^2 is 0), so the "
        "expected coefficient is hardly more than a guess"
    ),
    "uneven": (
        "the systems seem to be in clusters, or some far from the others: then the expected coefficient is too high, "
        "the topics needed too few, and their intervals miss the truth"
    ),
    "few draws": "{count} draws are few for the ends of a {percent:g}% interval: take {least} or more",
    "negative variance": "the variance of {name} is estimated as {value:.3g}, and taken for 0",
    "additive": "every score is the sum of a part of its system and one of its topic, so E rho^2 is 1",
    "no interval": "an interval is missing where its estimate is undefined, or would be without some topic",
    "beyond numbers": "the scores are so large or small that their variances are beyond the range of numbers",
}


def caveat_sentence(caveat: Caveat) -> str:
    """The reason to doubt an estimate, in words."""
    are, have = ("is", "has") if caveat.count == 1 else ("are", "have")
    pairs, percent = counted(caveat.count, "pair"), 100 * caveat.level
    return CAVEATS[caveat.kind].format(**vars(caveat), pairs=pairs, are=are, have=have, percent=percent)


R = TypeVar("R", Expected, TopicsNeeded, Generalizability)


class EstimateView(View[R]):
    """The view of an estimate with caveats."""

    @property
    def notes(self) -> Sequence[str]:
        return tuple(map(caveat_sentence, self.result.caveats))


class ExpectedView(EstimateView[Expected]):
    """The view of an expected coefficient."""

    def tables(self) -> list[Table]:
        """One row."""
        of_table = Column("topics"), Column("systems"), Column("equal_pairs", "equal pairs")
        columns = [Column("method"), Column("estimator"), Column("value", "expected"), *of_table]
        return [Table("expected", columns, [self.result])]

    def sentences(self) -> list[str]:
        result = self.result
        return [
            f"With {counted(result.topics, 'topic')}, the ranking of the {result.systems} systems is expected to have "
            f"{result.method} {result.value:.4f} with the true one, by {result.estimator}."
        ]

    def record(self) -> dict[str, Any]:
        """All of it, with the chances as a list of rows in the order of `names`."""
        return {
            **attributes(self.result, "value method estimator topics systems equal_pairs"),
            "names": list(self.result.ranked.scores.systems),
            "chances": self.result.matrix.tolist(),
            **attributes(self.result, "seed resamples notes"),
        }


class TopicsNeededView(EstimateView[TopicsNeeded]):
    """The view of the curve against the number of topics, and of the topics needed."""

    def tables(self) -> list[Table]:
        ends = Column("low", text=whole), Column("high", text=whole)
        needed = [Column("goal", text=general), Column("method"), Column("needed", "topics\nneeded", whole), *ends]
        return [self.curve(), Table("needed", needed, [self.result])]

    def curve(self) -> Table:
        """The expected coefficient for each number of topics; a note marks that of the table."""

        def note(point: CurvePoint) -> str:
            return "this table" if point.topics == self.result.topics else ""

        columns = [Column("topics"), *estimate_columns("expected", "expected"), Column("note", of=note)]
        return Table("curve", columns, self.result.points)

    def sentences(self) -> list[str]:
        return [self.sentence()]

    def sentence(self, measure: str = "") -> str:
        """The expected coefficient and the topics needed, with the name of the measure if there is one."""
        result, (value, low, high) = self.result, self.result.own
        by = f" by {measure}" if measure else ""
        text = (
            f"With {in_thousands(result.topics, 'topic')}, the ranking of the {result.systems} systems{by} is expected "
            f"to have {result.method} {value:.3f} with the true one ({self.interval} {low:.3f} to {high:.3f}). "
            f"{self.needed()}"
        )
        if result.uneven:
            text += " But the systems seem to be in clusters, or some far from the others: then this promises too much."
        return text

    def needed(self) -> str:
        """The least number of topics in a sentence."""
        result = self.result
        goal = f"{result.method} {result.goal:g}"
        if not isfinite(result.needed):
            least = f" ({self.interval} {result.low:,} topics or more)" if isfinite(result.low) else ""
            return f"With {result.most_topics:,} topics, {goal} is not reached{least}."
        ends = f"{result.low:,} to {result.high:,}" if isfinite(result.high) else f"{result.low:,} or more"
        topics = "topic is" if result.needed == 1 else "topics are"
        return f"For {goal}, {result.needed:,} {topics} needed ({self.interval} {ends})."

    @property
    def interval(self) -> str:
        return f"{100 * self.result.level:g}% interval"

    def record(self) -> dict[str, Any]:
        return {
            **attributes(self.result, "method goal needed low high level"),
            "curve": self.curve().records(),
            **attributes(self.result, "topics systems equal_pairs resamples seed"),
            "reached": isfinite(self.result.needed),
            **attributes(self.result, "uneven notes"),
        }

    def plot(self, ax: Any = None, *, name: str = "this collection", **options: Any) -> Any:
        from ..plots import curve

        result = self.result
        values, lows, highs = map(list, zip(*(point.expected for point in result.points)))
        return curve(
            [point.topics for point in result.points],
            values,
            lows,
            highs,
            own=result.topics,
            target=result.goal,
            needed=(result.needed, result.low, result.high),
            name=name,
            band=self.interval,
            label=f"expected {result.method}",
            title=f"Expected {result.method} of {result.systems} systems with the true ranking",
            ax=ax,
        )


class GeneralizabilityView(EstimateView[Generalizability]):
    """The view of variance components and the coefficients that follow."""

    def tables(self) -> list[Table]:
        """The components with their shares of the variance; the coefficients with the topics needed."""
        result = self.result
        variances = estimate_columns("estimate", "variance", variance)
        sources = [Column("source", of="name"), *variances, Column("share")]
        coefficients = [
            Column("coefficient", of="name"),
            Column("of", "topics", of=lambda _: result.of),
            *estimate_columns("estimate"),
            Column("goal", text=general, of=lambda _: result.goal),
            Column("topics_needed", "topics\nneeded", whole, of="topics.value"),
            Column("topics_low", "topics\nlow", whole, of="topics.low"),
            Column("topics_high", "topics\nhigh", whole, of="topics.high"),
        ]
        return [
            Table("components", sources, result.sources),
            Table("generalizability", coefficients, result.coefficients),
        ]

    def sentences(self) -> list[str]:
        return [" ".join(self.sentence(one.name, one.estimate) for one in self.result.coefficients)]

    def sentence(self, name: str, estimate: Estimate) -> str:
        """The value of a coefficient with its interval."""
        value, low, high = estimate
        ends = "" if isnan(low) else f" ({100 * self.result.level:g}% interval {low:.3f} to {high:.3f})"
        return f"{name} with {counted(self.result.of, 'topic')} is {value:.3f}{ends}."

    def record(self) -> dict[str, Any]:
        return super().record() | attributes(self.result, "level notes")


class ReliabilityView(View[Reliability]):
    """The view of all that is known of the reliability of a table of scores."""

    @property
    def parts(self) -> tuple[TopicsNeededView, GeneralizabilityView]:
        return TopicsNeededView(self.result.needed), GeneralizabilityView(self.result.generalizability)

    def tables(self) -> list[Table]:
        """The curve, the estimators, the variance components and the coefficients of generalizability theory."""
        needed, general = self.parts
        return [needed.curve(), self.estimators(), *general.tables()]

    def estimators(self) -> Table:
        """The expected coefficients by each estimator."""
        values = {(one.estimator, one.method): one.value for one in self.result.expected}

        def value(by: Estimator, method: Method) -> float:
            return values[by, method]

        columns = [Column(method, f"expected\n{method}", of=partial(value, method=method)) for method in METHODS]
        return Table("expected", [Column("estimator", of=str), *columns], ESTIMATORS)

    def sentences(self) -> list[str]:
        needed, general = self.parts
        return [needed.sentence(self.result.name), *general.sentences(), *self.result.places.sentences()]

    def record(self) -> dict[str, Any]:
        """The records of all parts; the chances are those by "ML"."""
        result = self.result
        ml = ExpectedView(result.expected[0]).record()
        return {
            "name": result.name,
            "needed": result.needed.as_dict(),
            "expected": self.estimators().records(),
            "generalizability": result.generalizability.as_dict(),
            "places": result.places.as_dict(),
            "names": ml["names"],
            "chances": ml["chances"],
            "notes": self.notes,
        }

    @property
    def notes(self) -> Sequence[str]:
        """The notes of all parts, but of the estimators only what MSQD does; they say the same of equal pairs."""
        result = self.result
        of_msqd = [
            one
            for part in result.expected
            for one in part.caveats
            if part.method == result.needed.method and one.kind in ("negative deviations", "rounded ties")
        ]
        caveats = [*result.needed.caveats, *of_msqd, *result.generalizability.caveats]
        return tuple(dict.fromkeys(map(caveat_sentence, caveats)))


def whole(value: float) -> str:
    """A number of topics; "undefined" for nan, "none" for inf."""
    return "undefined" if isnan(value) else f"{value:g}" if isfinite(value) else "none"


def variance(value: float) -> str:
    """A variance, with four significant digits."""
    return "undefined" if isnan(value) else f"{value:.4g}"
