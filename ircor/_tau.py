"""Kendall's tau and its two treatments of ties."""

from __future__ import annotations

from math import nan, sqrt
from typing import Any

import numpy as np

from ._check import Vector, not_ranked, rankings
from ._dominance import Dominance


def tau(x: Vector, y: Vector) -> float:
    """Kendall's tau of two rankings without ties.

    Of all pairs of items, the share that both rankings order alike minus the share that they order in opposite ways.
    Every pair counts the same, wherever in the rankings it stands; for errors that weigh more at the top, see `tauAP`.
    With ties, choose `tau_a` (x is the truth, y an estimate of it) or `tau_b` (x and y are two opinions).

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order.

    Returns
    -------
    float
        From -1, the one ranking is the other reversed, to 1, they are the same.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector.
    ValueError
        If x and y differ in length, contain ties (what R prints with 15 digits counts, and so does a missing value), or
        have fewer than two items.

    References
    ----------
    M. G. Kendall (1938). A New Measure of Rank Correlation. Biometrika 30(1), 81-93.
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equation (1).

    Examples
    --------
    >>> tau([1, 2, 3, 4, 5, 6], [2, 3, 1, 4, 6, 5])
    0.6
    """
    return float(kendall(Dominance(*rankings(x, y, untied="xy"))))


def tau_a(x: Vector, y: Vector) -> float:
    """Kendall's tau as a measure of accuracy: y estimates the true ranking x, and may tie items that x does not.

    A pair tied in y is neither right nor wrong, but it was expected to be decided: it stays in the denominator.  This
    is the average of `tau` over all the orders in which y's ties could be broken.

    Parameters
    ----------
    x : numeric vector
        The true ranking: scores or ranks, without ties.
    y : numeric vector
        The estimated ranking of the same items, in the same order; may have ties.

    Returns
    -------
    float
        From -1 to 1; 0 if y ties all items; nan if y has a missing value, as in R.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector.
    ValueError
        If x and y differ in length or have fewer than two items, or x contains ties or a missing value.

    References
    ----------
    M. A. Woodbury (1940). Rank Correlation When There are Equal Variates. Annals of Mathematical Statistics 11(3).
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equation (4).

    Examples
    --------
    >>> tau_a([1, 2, 3, 4, 5, 6], [2, 4, 1, 4, 6, 4])
    0.4
    """
    x_ranking, y_ranking = rankings(x, y, untied="x")
    if y_ranking.missing:
        return nan
    return float(kendall(Dominance(x_ranking, y_ranking)))


def tau_b(x: Vector, y: Vector) -> float:
    """Kendall's tau as a measure of agreement: x and y are two opinions, and both may tie items.

    A pair tied in one of the rankings cannot be agreed upon, and is not expected to be: each ranking's untied pairs
    alone make its part of the denominator.  This is what `scipy.stats.kendalltau` computes.

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order; both may have ties.

    Returns
    -------
    float
        From -1 to 1; nan if x or y ties all items.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector.
    ValueError
        If x and y differ in length, have fewer than two items, or have a missing value.

    References
    ----------
    M. G. Kendall (1945). The Treatment of Ties in Ranking Problems. Biometrika 33(3), 239-251.
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equation (9).

    Examples
    --------
    >>> round(tau_b([1, 2, 3.5, 3.5, 5, 6], [2, 4, 1, 4, 6, 4]), 3)
    0.386
    """
    x_ranking, y_ranking = rankings(x, y)
    for name, ranking in (("x", x_ranking), ("y", y_ranking)):
        if ranking.missing:
            raise not_ranked(name)
    return float(kendall_b(Dominance(x_ranking, y_ranking)))


# The formulas take the counts of one pair of rankings, or arrays of the counts of many.


def kendall(d: Any) -> Any:
    """Equations (1) and (4)."""
    return (d.concordant - d.discordant) / d.x.total_pairs


def kendall_b(d: Any) -> Any:
    """Equation (9)."""
    untied_in_x, untied_in_y = (ranking.total_pairs - ranking.tied_pairs for ranking in (d.x, d.y))
    return bounded(ratio(d.concordant - d.discordant, root_of_product(untied_in_x, untied_in_y)))


def ratio(numerator: Any, denominator: Any) -> Any:
    """The quotient, or nan where the denominator is 0."""
    if isinstance(denominator, np.ndarray):
        return np.divide(numerator, denominator, out=np.full(denominator.shape, nan), where=denominator != 0)
    return numerator / denominator if denominator else nan


def root_of_product(a: Any, b: Any) -> Any:
    return np.sqrt(a.astype(np.float64) * b) if isinstance(a, np.ndarray) else sqrt(a * b)


def bounded(coefficient: Any) -> Any:
    """Within [-1, 1], which rounding could leave by an ulp; nan stays nan."""
    if isinstance(coefficient, np.ndarray):
        return np.clip(coefficient, -1, 1)
    return max(-1.0, min(1.0, coefficient)) if coefficient == coefficient else coefficient
