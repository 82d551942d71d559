"""What each of the six coefficients, and rank-biased overlap, requires of its arguments and of the kernel.

Every function that takes the name of a coefficient reads its rules here.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import nan
from typing import Any, Literal, get_args

import numpy as np

from ._check import MissingValueWarning, not_ranked, ranked_last, rankings, warn_of_pairing
from ._formulas import ap, ap_a, ap_b, kendall, kendall_b, overlap
from ._kernel import dominance_of, pair_of
from ._options import fraction, one_of
from ._types import AnyMethodName, MethodName, Ties, Vector
from ._vectors import numeric_vector

# A short ranking takes a few microseconds, so vectors of these types are not asked for their labels.
UNLABELLED = frozenset({np.ndarray, list, tuple})

TIES: tuple[Ties, ...] = get_args(Ties)
"""The treatments of ties in rank-biased overlap, in the order of the kernel's numbers."""


@dataclass(frozen=True)
class Method:
    """The rules of one coefficient.

    Attributes
    ----------
    name : str
        The name of the function, in Python and in R.
    formula : callable
        Computes the coefficient from the counts of the kernel.
    untied : str
        The vectors that must not have ties: "xy", "x" or "".  A missing value in one of them is refused as a tie.
    missing : {"tie", "undefined", "refused", "last"}
        What a missing value in the other vectors does: it makes the coefficient nan, it is refused, or it is ranked
        last with a warning.  "tie" if there are no other vectors.
    takes_decreasing : bool
        Whether it makes a difference which end is the top.
    symmetric : bool
        Whether x and y can be exchanged.
    sums : frozenset
        What the formula needs of the kernel: "pairs" for the counts of pairs, "above_in_x", "above_in_y",
        "above_in_y_permuted", or (p, ties) for an overlap.
    least : float
        The least possible value; the greatest is 1.
    """

    name: AnyMethodName
    formula: Callable[[Any], Any]
    untied: str
    missing: Literal["tie", "undefined", "refused", "last"]
    takes_decreasing: bool
    symmetric: bool
    sums: frozenset[str | tuple[float, int]]
    least: float = -1

    @property
    def options(self) -> str:
        """The options in words, or ""."""
        return ""

    def __call__(self, x: Vector, y: Vector, decreasing: object = True, stacklevel: int | None = 2) -> float:
        """The coefficient of two vectors, after all of its checks.

        `stacklevel` says which caller a warning is attributed to, as in `warnings.warn`; None is for no warning.
        """
        counts, ranked = self.usual(x, y, decreasing), None
        if counts is None:
            x_values, y_values = numeric_vector(x, "x"), numeric_vector(y, "y")
            if x_values is not x or y_values is not y:
                counts = self.usual(x_values, y_values, decreasing)
            if counts is None:
                # An overlap walks down the items, which the rankings of long vectors do not keep.
                top_down = decreasing if self.takes_decreasing else True
                ranked = rankings(x_values, y_values, self.untied, top_down, isinstance(self, Overlap))
        if type(x) not in UNLABELLED and type(y) not in UNLABELLED and stacklevel is not None:
            warn_of_pairing(x, y, stacklevel=stacklevel)
        if ranked is not None:
            missing = {name: ranking.missing for name, ranking in zip("xy", ranked)}
            if any(missing.values()):
                if self.missing == "undefined":
                    return nan
                if self.missing == "refused":
                    raise not_ranked("x" if missing["x"] else "y", self.name)
                if stacklevel is not None:
                    warnings.warn(ranked_last(missing), MissingValueWarning, stacklevel=stacklevel)
            counts = dominance_of(*ranked)
        return float(self.formula(counts))

    def usual(self, x: object, y: object, decreasing: object) -> Any:
        """The counts of two vectors that need no refusal and no warning but that of labels; None for others."""
        return None


@dataclass(frozen=True)
class Tau(Method):
    """One of the six: Kendall's tau or AP correlation."""

    name: MethodName

    def usual(self, x: object, y: object, decreasing: object) -> Any:
        if not self.takes_decreasing or decreasing is True:
            return pair_of(x, y, True, self.untied != "", self.untied == "xy")
        return pair_of(x, y, False, self.untied != "", self.untied == "xy") if decreasing is False else None


@dataclass(frozen=True)
class Overlap(Method):
    """Rank-biased overlap, with its persistence and its treatment of ties."""

    p: float = nan
    ties: Ties = "a"

    @property
    def options(self) -> str:
        return f"p = {self.p!r}, ties {self.ties}"


PAIRS = frozenset({"pairs"})

TAU = Tau("tau", kendall, "xy", "tie", False, True, PAIRS)
TAU_A = Tau("tau_a", kendall, "x", "undefined", False, False, PAIRS)
TAU_B = Tau("tau_b", kendall_b, "", "refused", False, True, PAIRS)
TAU_AP = Tau("tauAP", ap, "xy", "tie", True, False, frozenset({"above_in_y"}))
TAU_AP_A = Tau("tauAP_a", ap_a, "x", "last", True, False, frozenset({"above_in_y_permuted"}))
TAU_AP_B = Tau("tauAP_b", ap_b, "", "last", True, True, frozenset({"above_in_x", "above_in_y"}))

METHODS: dict[str, Tau] = {method.name: method for method in (TAU, TAU_A, TAU_B, TAU_AP, TAU_AP_A, TAU_AP_B)}


RBO: Literal["rbo"] = "rbo"


def method_of(name: object, argument: str = "method") -> Tau:
    """The method of this name, one of the six, or an error that names the argument and the choices."""
    if isinstance(name, str) and name == RBO:
        raise ValueError(
            f"'{argument}' cannot be 'rbo' here: rank-biased overlap is for cor, cor_by, bootstrap, compare, correlate "
            f"and tabulate. Here it is one of {', '.join(METHODS)}."
        )
    return METHODS[one_of(name, argument, METHODS)]


def any_method_of(name: object, p: object, ties: object, argument: str = "method") -> Method:
    """The method of this name, one of the six or "rbo", which has a p and a treatment of ties; the others have none."""
    known = one_of(name, argument, [*METHODS, RBO])
    if known != RBO:
        for option, value in (("p", p), ("ties", ties)):
            if value is not None:
                raise ValueError(f"'{option}' is for {argument}='rbo', not for {known!r}")
        return METHODS[known]
    if p is None:
        raise ValueError(
            f"'p' is required for {argument}='rbo': a number between 0 and 1. 0.8, 0.9 and 0.98 give the first 5, 10 "
            "and 50 ranks 85 to 86% of the weight; ircor.overlap.p_for_weight finds others."
        )
    return overlap_of(p, ties)


def overlap_of(p: object, ties: object) -> Overlap:
    """Rank-biased overlap with this p and this treatment of ties, "a" if it is None."""
    number, code = fraction(p, "p"), TIES.index(one_of("a" if ties is None else ties, "ties", TIES))
    formula = partial(overlap, p=number, ties=code)
    return Overlap(RBO, formula, "", "refused", True, True, frozenset({(number, code)}), 0, number, TIES[code])


def rules_of(name: str) -> Method | None:
    """The rules of the method of this name, whatever its options are; None if there is none."""
    return overlap_of(0.5, None) if name == RBO else METHODS.get(name)


def added_overlap(p: object, ties: object) -> list[Overlap]:
    """Rank-biased overlap if p is given, for functions that show it beside the coefficients."""
    if p is None and ties is not None:
        raise ValueError("'ties' needs a value of 'p': both are for rank-biased overlap")
    return [] if p is None else [overlap_of(p, ties)]
