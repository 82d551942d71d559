"""A printed figure and its verdict, and the result that has all of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import isnan

from .._result import Column, Result, Table

VERDICTS = ("agrees", "known misprint", "not reproduced", "DIFFERS")


@dataclass(frozen=True)
class Figure:
    """A printed figure and the same figure computed by this package.

    Attributes
    ----------
    source, where, what : str
        The publication, the place in it, and the quantity.
    printed : str
        The figure as printed; "undefined" if the source says that it is undefined.
    computed : float
        The computed figure; nan if undefined.
    significant : int, optional
        The number of significant digits to compare, for figures printed by R, which omits trailing zeros.  By default,
        the printed decimals are compared.
    misprint : str
        Why the figure is known to be misprinted, or "".
    not_reproduced : str
        What is known about a figure that does not follow from the printed formulas, or "".
    """

    source: str
    where: str
    what: str
    printed: str
    computed: float
    significant: int | None = None
    misprint: str = ""
    not_reproduced: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the computed figure is equal to the printed one after rounding to the printed digits."""
        if self.printed == "undefined" or isnan(self.computed):
            return self.printed == "undefined" and isnan(self.computed)
        if self.significant is not None:
            return f"{self.computed:.{self.significant}g}" == self.printed
        if "/" in self.printed:
            return abs(self.computed - Fraction(self.printed)) <= 1e-12
        decimals = len(self.printed.partition(".")[2])
        # Half a unit of the last digit; the rest is for rounding errors of figures half-way between two.
        return abs(self.computed - float(self.printed)) <= 0.5 * 10.0**-decimals + 1e-12

    @property
    def verdict(self) -> str:
        """ "agrees", "known misprint", "not reproduced" or "DIFFERS"."""
        agrees, misprint, not_reproduced, differs = VERDICTS
        if self.agrees:
            return agrees
        return misprint if self.misprint else not_reproduced if self.not_reproduced else differs

    @property
    def reason(self) -> str:
        """Why the computed figure differs from the printed one, if that is known; "" if it does not differ."""
        return "" if self.agrees else self.misprint or self.not_reproduced


def significant_digits(computed: float | None) -> str:
    return "undefined" if computed is None else f"{computed:.7g}"


@dataclass(frozen=True, eq=False)
class Figures(Result):
    """All figures and how many of them agree.

    Attributes
    ----------
    figures : tuple of Figure
    """

    figures: tuple[Figure, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of figures with each verdict."""
        found = Counter(figure.verdict for figure in self.figures)
        return {verdict: found[verdict] for verdict in VERDICTS}

    @property
    def differs(self) -> bool:
        """Whether a figure differs for an unknown reason."""
        return self.counts["DIFFERS"] > 0

    def tables(self) -> list[Table]:
        """One row for each figure, grouped by source."""
        columns = [
            Column("source"),
            Column("where", prose=True),
            Column("what", prose=True),
            Column("printed"),
            Column("computed", text=significant_digits),
            Column("verdict", only="data"),
            Column("reason", only="data"),
            Column("verdict_and_reason", "verdict", only="screen", prose=True),
        ]
        return [Table("figures", columns, [self.row(figure) for figure in self.figures], group="source", names=2)]

    @staticmethod
    def row(figure: Figure) -> list[str | float | None]:
        computed = None if isnan(figure.computed) else figure.computed
        verdict = figure.verdict + (f": {figure.reason}" if figure.reason else "")
        place = [figure.source, figure.where, figure.what]
        return [*place, figure.printed, computed, figure.verdict, figure.reason, verdict]

    def sentences(self) -> list[str]:
        """How many figures agree."""
        agrees, misprints, not_reproduced, differs = self.counts.values()
        return [
            f"{agrees} figures agree, {misprints} are known misprints, {not_reproduced} are not reproduced, "
            f"{differs} DIFFER"
        ]
