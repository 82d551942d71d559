"""How judges of single answers are shown."""

from __future__ import annotations

from math import isnan
from typing import Any

from .._core.text import counted, join_and, p_value, percent
from ..judging import PreferencesResult, SegmentsResult
from .tables import Column, Table, View, attributes

WITHIN = {"item": "within items", "system": "within systems", "all": "over all answers"}

INTERVAL = [Column("low"), Column("high")]


class SegmentsResultView(View[SegmentsResult]):
    """The view of judges of single answers."""

    def tables(self) -> list[Table]:
        result = self.result
        by = Column("by", text=WITHIN.__getitem__)
        coefficients = [
            Column("judge"),
            by,
            Column("coefficient", of="method"),
            Column("groups"),
            Column("value"),
            *INTERVAL,
            Column("rank", only="" if len(result.judges) > 1 else "data"),
        ]
        differences = [
            Column("judge"),
            Column("minus", of="other"),
            by,
            Column("coefficient", of="method"),
            Column("groups"),
            Column("difference", of="value"),
            *INTERVAL,
            Column("pvalue", "p-value", lambda p: "" if p is None else p_value(p, result.resamples)),
        ]
        tables = [Table("coefficients", coefficients, result.values, names=3)]
        return [*tables, Table("differences", differences, result.differing, names=4)] if result.differing else tables

    def sentences(self) -> list[str]:
        """How much was compared, and which judges are best within items."""
        result = self.result
        said = [
            f"{counted(result.answers, 'answer')} of {counted(result.systems, 'system')} to "
            f"{counted(result.items, 'item')}, by {result.truth} and {counted(len(result.judges), 'judge')}."
        ]
        for method in dict.fromkeys(one.method for one in result.values):
            ranked = [one for one in result.values if one.method == method and one.rank is not None]
            first = [one.judge for one in ranked if one.rank == 1]
            if ranked and len(first) == len(ranked):
                said.append(f"By {method} within items, no judge is significantly better than another.")
            elif ranked:
                said.append(f"By {method} within items, no judge is significantly better than {join_and(first)}.")
        return said

    def record(self) -> dict[str, Any]:
        kept = "truth judges items systems answers epsilon level alpha resamples seed"
        return {**attributes(self.result, kept), **super().record(), "sentences": self.sentences()}


class PreferencesResultView(View[PreferencesResult]):
    """The view of judges of pairs of answers."""

    def tables(self) -> list[Table]:
        columns = [
            Column("judge"),
            Column("pairs"),
            Column("decided", "neither\nties"),
            Column("both_ways", "both\nways"),
        ]
        for key in ("agreement", "without_ties", "kappa", "consistent", "left_bias"):
            columns.append(Column(key, key.replace("_", "\n"), of=f"{key}.value"))
            columns += [Column(f"{key}_{end}", only="data", of=f"{key}.{end}") for end in ("low", "high")]
        return [Table("preferences", columns, self.result.values)]

    def sentences(self) -> list[str]:
        """How often each judge agrees, with the interval, and the bias of those that were asked both ways."""
        result, said = self.result, []
        for one in result.values:
            agreement = f"{one.judge} agrees with {result.truth} on {percent(one.agreement.value)} of {one.pairs} pairs"
            if not isnan(one.agreement.low):
                ends = f"{percent(one.agreement.low)} to {percent(one.agreement.high)}"
                agreement += f" ({100 * result.level:g}% confidence interval over items: {ends})"
            bias = ""
            if one.both_ways:
                bias = f" Of {counted(one.both_ways, 'pair')} judged both ways, it judges "
                bias += f"{percent(one.consistent.value)} alike; its bias to the left is {one.left_bias.value:.3f}."
            said.append(f"{agreement}.{bias}")
        return said

    def record(self) -> dict[str, Any]:
        return {**attributes(self.result, "truth items level"), **super().record(), "sentences": self.sentences()}
