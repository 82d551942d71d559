"""How the coefficients and the rank distance of two rankings are shown, with their intervals and tests."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isnan
from typing import Any

from .._core.methods import OverlapMethod
from .._core.options import Target
from .._core.text import counted, p_equals, p_value, ties_by_rounding
from ..comparison import Correlation, ItemCoefficient
from ..rank_distance import DrankNull, DrankResult, NamedDistance
from ..statistics import BootstrapResult, PermutationResult
from .tables import Column, Table, View, attributes, decimals, general

KINDS: dict[Target, tuple[str, str]] = {
    "expected": ("confidence interval", "its mean over samples of {topics}"),
    "sample": ("prediction interval", "its value in another sample of {topics}"),
    "population": ("confidence interval", "its value between the true means over all topics"),
}
"""For each target, the name of an interval, and what it covers."""

STATISTIC = Column("name", "coefficient"), Column("statistic", "value")


class BootstrapResultView(View[BootstrapResult]):
    """The view of a coefficient with an interval."""

    def tables(self) -> list[Table]:
        """One row for the statistic; for a difference, the rows of the two coefficients come first."""
        interval = *map(Column, ("target", "estimate", "low", "high")), Column("level", text=general)
        columns = [*STATISTIC, *interval, Column("resamples"), Column("seed")]
        return [Table("bootstrap", columns, [*self.result.parts, self.result])]

    def sentences(self) -> list[str]:
        """The interval in words, with what it covers."""
        result = self.result
        name = result.name or "The statistic"
        if isnan(result.statistic):
            return [f"{name} is {decimals(result.statistic)}, so there is no interval."]
        kind, covered = KINDS[result.target]
        covered = covered.format(topics=counted(result.topics, "topic"))
        return [
            f"{name} is {decimals(result.statistic)}. "
            f"The {100 * result.level:g}% {kind} for {covered} is {result.low:.4f} to {result.high:.4f}."
        ]


class PermutationResultView(View[PermutationResult]):
    """The view of a permutation test."""

    def tables(self) -> list[Table]:
        """One row: the coefficient, its p-value, and how it was computed."""
        columns = [
            *STATISTIC,
            Column("pvalue", "p", lambda share: p_value(share, self.result.permutations)),
            *map(Column, ("alternative", "exact", "permutations", "seed")),
        ]
        return [Table("permutation_test", columns, [self.result])]

    def sentences(self) -> list[str]:
        """The p-value in words."""
        result = self.result
        name = result.name or "The coefficient"
        if isnan(result.pvalue):
            return [f"{name} is {decimals(result.statistic)}, and so is its p-value."]
        used = f"all {result.permutations}" if result.exact else f"{result.permutations} random"
        p = p_equals(result.pvalue, result.permutations)
        return [f"{name} is {decimals(result.statistic)}, {p} ({result.alternative}, {used} permutations)."]


NO_INTERVAL = {
    "": "",
    "few items": "no interval: it needs three items or more",
    "undefined without": "no interval: undefined without some of the items",
    "same without": "no interval: the same without any of the items",
}


class CorrelationView(View[Correlation]):
    """The view of the coefficients between two rankings of items."""

    def tables(self) -> list[Table]:
        swaps = self.swaps()
        return [self.coefficients(), *([swaps] if swaps.rows else [])]

    def details(self) -> list[Table]:
        return [self.swaps()]

    def coefficients(self) -> Table:
        """A row for each coefficient, with the columns that were asked for."""
        result = self.result
        columns = [Column("coefficient", of="method.name"), Column("value")]
        if result.with_intervals:
            columns.append(Column("low", of="interval.low"))
            columns.append(Column("high", of="interval.high"))
        if result.with_pvalues:
            columns.append(Column("p-value", of="pvalue"))
        return Table("coefficients", [*columns, Column("note", prose=True, of=self.note)], result.rows)

    def note(self, row: ItemCoefficient) -> str:
        """Why a value or an interval is missing, and the options of rank-biased overlap."""
        if row.refused:
            # A ranking without a label of its own is called as the argument is.
            label = dict(zip("xy", self.result.labels))[row.refused]
            return f"{repr(label) if label == row.refused else label} contains ties"
        if isinstance(row.method, OverlapMethod):
            asked = {"interval": self.result.with_intervals, "p-value": self.result.with_pvalues}
            missing = " and no ".join(name for name, wanted in asked.items() if wanted)
            return row.method.options + (f"; no {missing} for an overlap of items" if missing else "")
        return NO_INTERVAL[row.interval.reason] if row.interval else ""

    def swaps(self) -> Table:
        """The costliest swaps."""
        x, y = self.result.labels
        columns = [
            Column(f"above in {x}", f"above in\n{x}", of="above_in_x"),
            Column(f"above in {y}", f"above in\n{y}", of="above_in_y"),
            Column("cost"),
        ]
        return Table("costly", columns, self.result.swaps, names=2)

    @property
    def notes(self) -> Sequence[str]:
        rounded = self.result.rounded
        return (ties_by_rounding(rounded.names, rounded.pairs),) if rounded else ()

    def sentences(self) -> list[str]:
        return [self.advice()]

    def advice(self) -> str:
        """Which coefficient suits, given where the ties are."""
        (x, y), (ties_in_x, ties_in_y) = self.result.labels, self.result.tied
        if not (ties_in_x or ties_in_y):
            return f"No ties: tau, or tauAP if errors at the top should cost more; tauAP takes {x} for the truth."
        if not ties_in_x:
            return (
                f"{y} has ties: tau_a and tauAP_a if {x} is the truth and {y} should have told the items apart "
                "(accuracy); tau_b and tauAP_b if they are two opinions (agreement)."
            )
        where = "Both have" if ties_in_y else f"{x} has"
        return f"{where} ties: tau_b, or tauAP_b if errors at the top should cost more (agreement)."

    def record(self) -> dict[str, Any]:
        result = self.result
        return {
            "x": result.labels[0],
            "y": result.labels[1],
            "items": result.items,
            "coefficients": self.coefficients().records(),
            "costly": self.swaps().records(),
            "advice": self.advice(),
        }

    def plot(self, ax: Any = None, *, labels: Sequence[str] | None = None, **options: Any) -> Any:
        from ..plots import slope

        result = self.result
        called = result.labels if labels is None else labels
        return slope(*result.vectors, names=result.names, labels=called, decreasing=result.decreasing, ax=ax)


class DrankResultView(View[DrankResult]):
    """The view of a rank distance and its test."""

    def tables(self) -> list[Table]:
        """The test in one row, and the pairs that were made equal, if any."""
        columns = [
            Column("statistic", "d_rank"),
            Column("pvalue", "p-value", text=lambda share: p_value(share, self.result.resamples)),
            Column("null"),
            Column("resamples"),
            Column("ridge", text=general),
            Column("shrinkage"),
        ]
        test = Table("test", columns, [self.result])
        pair = [Column("better", "made equal", str, of="0"), Column("worse", "and", str, of="1")]
        return [test, Table("made_equal", pair, self.result.equalised)] if self.result.equalised else [test]

    def sentences(self) -> list[str]:
        """The distance and its p-value, with what it was compared with."""
        result = self.result
        samples = "pairs of samples of topics" if result.null == "two-sample" else "resamples of the topics"
        covariance = f", ridge {general(result.ridge)}" if result.ridge else ""
        covariance += f", shrinkage {result.shrinkage:.2g}" if result.shrinkage else ""
        p = p_equals(result.pvalue, result.resamples)
        return [f"rank distance {result.statistic:.4g}, {p} (null: {result.resamples} {samples}{covariance})"]

    def record(self) -> dict[str, Any]:
        """All of the result but `theta`."""
        kept = attributes(self.result, "statistic pvalue null topics resamples ridge shrinkage order")
        return kept | {"made_equal": self.result.equalised, "seed": self.result.seed}

    def text(self) -> str:
        """The sentence, and the systems that were made equal in chains."""
        chains: list[list[Hashable]] = []
        for better, worse in self.result.equalised:
            if chains and chains[-1][-1] == better:
                chains[-1].append(worse)
            else:
                chains.append([better, worse])
        equal = ", ".join(" = ".join(map(str, chain)) for chain in chains) or "none"
        return "\n".join([*self.sentences(), f"made equal: {equal}"])


class DrankNullView(View[DrankNull]):
    """The view of a distribution of rank distances."""

    def tables(self) -> list[Table]:
        """How the distribution was made, and its critical value, in one row."""
        columns = [
            Column("null"),
            Column("resamples"),
            Column("critical_value", "critical value at 0.05", of=lambda null: null.critical_value()),
            Column("ridge", text=general),
            Column("seed"),
        ]
        return [Table("distribution", columns, [self.result])]


class NamedDistanceView(View[NamedDistance]):
    """The view of a rank distance with the names of its two sources."""

    def tables(self) -> list[Table]:
        return self.result.distance.tables()

    def sentences(self) -> list[str]:
        a, b = self.result.names
        return [f"{b} against {a}: {sentence}" for sentence in self.result.distance.sentences()]

    def record(self) -> dict[str, Any]:
        a, b = self.result.names
        return {"a": a, "b": b} | self.result.distance.as_dict()
