"""Yilmaz's AP correlation and its two treatments of ties."""

from __future__ import annotations

from typing import Any

from ._check import Vector, rankings, warn_of_missing
from ._dominance import Dominance
from ._tau import bounded, ratio


def tauAP(x: Vector, y: Vector, decreasing: bool = True) -> float:
    """AP correlation of two rankings without ties: Kendall's tau with the weight at the top.

    Walk down y; at every item, take the share of the items above it that x puts above it too.  An error near the top
    spoils that share for all the items below, as a bad document near the top spoils average precision.  The coefficient
    is not symmetric: x is the truth, y the estimate.  With ties, choose `tauAP_a` (only y has them) or `tauAP_b`.

    Parameters
    ----------
    x : numeric vector
        The true ranking: scores or ranks, without ties.
    y : numeric vector
        The estimated ranking of the same items, in the same order, without ties.
    decreasing : bool
        Whether the item with the greatest value stands on top: True for scores, False for ranks.

    Returns
    -------
    float
        From -1 to 1.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, or `decreasing` not a flag.
    ValueError
        If x and y differ in length, contain ties (what R prints with 15 digits counts, and so does a missing value), or
        have fewer than two items.

    References
    ----------
    E. Yilmaz, J. A. Aslam and S. Robertson (2008). A New Rank Correlation Coefficient for Information Retrieval. SIGIR.
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equation (3).

    Examples
    --------
    >>> round(tauAP([1, 2, 3, 4, 5, 6], [2, 3, 1, 4, 6, 5], decreasing=False), 2)
    0.32
    """
    return float(ap(Dominance(*rankings(x, y, "xy", decreasing))))


def tauAP_a(x: Vector, y: Vector, decreasing: bool = True) -> float:
    """AP correlation as a measure of accuracy: y estimates the true ranking x, and may tie items that x does not.

    This is the average of `tauAP` over all the orders in which y's ties could be broken, in closed form.

    Parameters
    ----------
    x : numeric vector
        The true ranking: scores or ranks, without ties.
    y : numeric vector
        The estimated ranking of the same items, in the same order; may have ties.
    decreasing : bool
        Whether the item with the greatest value stands on top: True for scores, False for ranks.

    Returns
    -------
    float
        From -1 to 1; 0 if y ties all items.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, or `decreasing` not a flag.
    ValueError
        If x and y differ in length or have fewer than two items, or x contains ties or a missing value.

    Warns
    -----
    MissingValueWarning
        If y has missing values: they are ranked last, each on its own, in order of position, as in R.

    References
    ----------
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equation (8).

    Examples
    --------
    >>> round(tauAP_a([1, 2, 3, 4, 5, 6], [2, 4, 1, 4, 6, 4], decreasing=False), 3)
    0.209
    """
    x_ranking, y_ranking = rankings(x, y, "x", decreasing)
    warn_of_missing(("y", y_ranking))
    return float(ap_a(Dominance(x_ranking, y_ranking)))


def tauAP_b(x: Vector, y: Vector, decreasing: bool = True) -> float:
    """AP correlation as a measure of agreement: x and y are two opinions, and both may tie items.

    Tied items are not expected to be told apart: an item is compared only with those above its tie group.  Neither
    ranking is the truth, so the coefficient is the mean of both directions, and symmetric; it is not `tauAP`, with or
    without ties.

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order; both may have ties.
    decreasing : bool
        Whether the item with the greatest value stands on top: True for scores, False for ranks.

    Returns
    -------
    float
        From -1 to 1; nan if x or y ties all items.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, or `decreasing` not a flag.
    ValueError
        If x and y differ in length or have fewer than two items.

    Warns
    -----
    MissingValueWarning
        If x or y has missing values: they are ranked last, each on its own, in order of position, as in R.

    References
    ----------
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equations (10) and (11).

    Examples
    --------
    >>> round(tauAP_b([1, 2, 3.5, 3.5, 5, 6], [2, 4, 1, 4, 6, 4], decreasing=False), 2)
    0.14
    """
    x_ranking, y_ranking = rankings(x, y, "", decreasing)
    warn_of_missing(("x", x_ranking), ("y", y_ranking))
    return float(ap_b(Dominance(x_ranking, y_ranking)))


# The formulas take the counts of one pair of rankings, or arrays of the counts of many.


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


def tauAP_ties(c_above: Any, n: Any, t_1: Any) -> Any:
    """Equation (10): the mean over the items below the top tie group, which alone have anything above them."""
    return 2 * ratio(c_above, n - t_1) - 1
