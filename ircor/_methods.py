"""What each of the six coefficients requires of its arguments and of the kernel, in one table.

Every function that takes the name of a coefficient reads its rules here; nothing else decides by the name.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import nan
from typing import Any, Literal

import numpy as np

from ._check import MissingValueWarning, not_ranked, ranked_last, rankings, warn_of_pairing
from ._formulas import ap, ap_a, ap_b, kendall, kendall_b
from ._kernel import Dominance
from ._options import one_of
from ._types import MethodName, Vector

# A short ranking takes a few microseconds, so vectors of these types are not asked for their labels.
UNLABELLED = frozenset({np.ndarray, list, tuple})


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
    sums : frozenset of str
        The sums that the formula needs beyond the counts of pairs: "above_in_x", "above_in_y", "above_in_y_permuted".
    """

    name: MethodName
    formula: Callable[[Any], Any]
    untied: str
    missing: Literal["tie", "undefined", "refused", "last"]
    takes_decreasing: bool
    symmetric: bool
    sums: frozenset[str] = frozenset()

    def __call__(self, x: Vector, y: Vector, decreasing: object = True, *, stacklevel: int | None = 2) -> float:
        """The coefficient of two vectors, after all of its checks.

        `stacklevel` says which caller a warning is attributed to, as in `warnings.warn`; None is for no warning.
        """
        x_ranking, y_ranking = rankings(x, y, self.untied, decreasing if self.takes_decreasing else True)
        if type(x) not in UNLABELLED and type(y) not in UNLABELLED and stacklevel is not None:
            warn_of_pairing(x, y, stacklevel=stacklevel)
        if x_ranking.missing or y_ranking.missing:
            if self.missing == "undefined":
                return nan
            if self.missing == "refused":
                raise not_ranked("x" if x_ranking.missing else "y")
            if stacklevel is not None:
                counts = {"x": x_ranking.missing, "y": y_ranking.missing}
                warnings.warn(ranked_last(counts), MissingValueWarning, stacklevel=stacklevel)
        return float(self.formula(Dominance(x_ranking, y_ranking)))


TAU = Method("tau", kendall, "xy", "tie", False, True)
TAU_A = Method("tau_a", kendall, "x", "undefined", False, False)
TAU_B = Method("tau_b", kendall_b, "", "refused", False, True)
TAU_AP = Method("tauAP", ap, "xy", "tie", True, False, frozenset({"above_in_y"}))
TAU_AP_A = Method("tauAP_a", ap_a, "x", "last", True, False, frozenset({"above_in_y_permuted"}))
TAU_AP_B = Method("tauAP_b", ap_b, "", "last", True, True, frozenset({"above_in_x", "above_in_y"}))

METHODS: dict[str, Method] = {method.name: method for method in (TAU, TAU_A, TAU_B, TAU_AP, TAU_AP_A, TAU_AP_B)}


def method_of(name: object, argument: str = "method") -> Method:
    """The method of this name, or an error that names the argument and the choices."""
    return METHODS[one_of(name, argument, METHODS)]
