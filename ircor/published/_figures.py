"""A printed figure beside the computed one, and all of them together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import isnan
from typing import Literal, TypeAlias, get_args

from .._core.results import Result
from ._standardization import PublishedFile

FigureVerdict: TypeAlias = Literal["agrees", "known misprint", "not reproduced", "DIFFERS"]


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
        A remark on a figure that does not follow from the printed formulas, or "".
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
    def verdict(self) -> FigureVerdict:
        """ "agrees", "known misprint", "not reproduced" or "DIFFERS"."""
        if self.agrees:
            return "agrees"
        return "known misprint" if self.misprint else "not reproduced" if self.not_reproduced else "DIFFERS"

    @property
    def reason(self) -> str:
        """Why the computed figure differs from the printed one, if that is known; "" if it does not differ."""
        return "" if self.agrees else self.misprint or self.not_reproduced


@dataclass(frozen=True, eq=False)
class Figures(Result):
    """All figures and how many of them agree.

    Attributes
    ----------
    figures : tuple of Figure
    files : tuple of PublishedFile
        The files of published values.
    """

    figures: tuple[Figure, ...]
    files: tuple[PublishedFile, ...] = ()

    @property
    def counts(self) -> dict[FigureVerdict, int]:
        """The number of figures with each verdict."""
        return dict.fromkeys(get_args(FigureVerdict), 0) | Counter(figure.verdict for figure in self.figures)

    @property
    def differs(self) -> bool:
        """Whether a figure differs for an unknown reason, or a published value."""
        return self.counts["DIFFERS"] > 0 or any(file.agree < file.values for file in self.files)
