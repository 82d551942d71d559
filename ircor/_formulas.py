"""The formulas of the six coefficients, as in Urbano and Marrero (ICTIR 2017).

`d` has the counts of one pair of rankings (`Dominance`) or arrays of the counts of many pairs (`Totals`): both have the
same attributes, so each formula is written once.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import Any

import numpy as np
from numpy import ndarray


def kendall(d: Any) -> Any:
    """Equations (1) and (4)."""
    return (d.concordant - d.discordant) / d.x.total_pairs


def kendall_b(d: Any) -> Any:
    """Equation (9)."""
    pairs = d.x.total_pairs
    untied_in_x, untied_in_y = pairs - d.x.tied_pairs, pairs - d.y.tied_pairs
    return bounded(ratio(d.concordant - d.discordant, root_of_product(untied_in_x, untied_in_y)))


def ap(d: Any) -> Any:
    """Equation (3)."""
    return bounded(2 * d.c_above_in_y() / (d.y.n - 1) - 1)


def ap_a(d: Any) -> Any:
    """Equation (8), with the sums of equations (6) and (7)."""
    term_I = d.c_above_in_y_permuted()
    term_II = d.y.c_within()
    return bounded(2 * (term_I + term_II) / (d.y.n - 1) - 1)


def ap_b(d: Any) -> Any:
    """Equation (11)."""
    y_given_x = tauAP_ties(d.c_above_in_y(), d.y.n, d.y.top)
    x_given_y = tauAP_ties(d.c_above_in_x(), d.x.n, d.x.top)
    return bounded((y_given_x + x_given_y) / 2)


def overlap(d: Any, p: float, ties: int) -> Any:
    """Rank-biased overlap, extrapolated: RBO_EXT of Webber et al. (2010), equation (32), with ties as in Corsi and
    Urbano (2024)."""
    return d.overlap(p, ties)


def tauAP_ties(c_above: Any, n: Any, t_1: Any) -> Any:
    """Equation (10): the mean over the items below the top tie group; the others have no items above them."""
    return 2 * ratio(c_above, n - t_1) - 1


def ratio(numerator: Any, denominator: Any) -> Any:
    """The quotient, or nan where the denominator is 0."""
    if isinstance(denominator, ndarray):
        return np.divide(numerator, denominator, out=np.full(denominator.shape, nan), where=denominator != 0)
    return numerator / denominator if denominator else nan


def root_of_product(a: Any, b: Any) -> Any:
    """sqrt(a b); Python's integers do not overflow, NumPy's would."""
    return np.sqrt(a.astype(np.float64) * b) if isinstance(a, ndarray) else sqrt(a * b)


def bounded(coefficient: Any) -> Any:
    """Clip to [-1, 1]: rounding can exceed the bounds by one ulp; nan stays nan."""
    if isinstance(coefficient, ndarray):
        return np.clip(coefficient, -1, 1)
    if coefficient > 1:
        return 1.0
    return -1.0 if coefficient < -1 else coefficient
