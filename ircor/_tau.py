"""Kendall's tau and its two treatments of ties."""

from __future__ import annotations

from ._methods import TAU, TAU_A, TAU_B
from ._types import Vector


def tau(x: Vector, y: Vector) -> float:
    """Kendall's tau of two rankings without ties.

    This is the share of pairs of items that both rankings order alike, minus the share that they order in opposite
    ways.  Every pair has the same weight; `tauAP` gives more weight to errors at the top.  If there are ties, use
    `tau_a` (x is the truth, y an estimate of it) or `tau_b` (x and y are two opinions).

    Parameters
    ----------
    x, y : numeric vector
        The scores or the ranks of the same items in the same order.

    Returns
    -------
    float
        From -1, if one ranking is the reverse of the other, to 1, if they are the same.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector.
    ValueError
        If x and y differ in length, contain ties, or have fewer than two items.  As in R, two values are tied if they
        have the same 15 significant digits, and a missing value counts as a tie.

    Warns
    -----
    PairingWarning
        If x and y are pandas Series with the same labels in another order.  Values are paired by position, as in R.

    References
    ----------
    M. G. Kendall (1938). A New Measure of Rank Correlation. Biometrika 30(1), 81-93.
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equation (1).

    Examples
    --------
    >>> tau([1, 2, 3, 4, 5, 6], [2, 3, 1, 4, 6, 5])
    0.6
    """
    return TAU(x, y, True, 3)


def tau_a(x: Vector, y: Vector) -> float:
    """Kendall's tau as a measure of accuracy: y estimates the true ranking x, and y may have ties.

    A pair that is tied in y is neither right nor wrong.  It should have been decided, so it stays in the denominator.
    This is the mean of `tau` over all ways to break the ties of y.

    Parameters
    ----------
    x : numeric vector
        The true ranking: scores or ranks, without ties.
    y : numeric vector
        The estimated ranking of the same items in the same order; may have ties.

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

    Warns
    -----
    PairingWarning
        If x and y are pandas Series with the same labels in another order.  Values are paired by position, as in R.

    References
    ----------
    M. A. Woodbury (1940). Rank Correlation When There are Equal Variates. Annals of Mathematical Statistics 11(3).
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equation (4).

    Examples
    --------
    >>> tau_a([1, 2, 3, 4, 5, 6], [2, 4, 1, 4, 6, 4])
    0.4
    """
    return TAU_A(x, y, True, 3)


def tau_b(x: Vector, y: Vector) -> float:
    """Kendall's tau as a measure of agreement: x and y are two opinions, and both may have ties.

    Neither ranking is expected to decide a pair that it ties, so the denominator is the geometric mean of the numbers
    of untied pairs in x and in y.  `scipy.stats.kendalltau` computes the same coefficient.

    Parameters
    ----------
    x, y : numeric vector
        The scores or the ranks of the same items in the same order; both may have ties.

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

    Warns
    -----
    PairingWarning
        If x and y are pandas Series with the same labels in another order.  Values are paired by position, as in R.

    References
    ----------
    M. G. Kendall (1945). The Treatment of Ties in Ranking Problems. Biometrika 33(3), 239-251.
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equation (9).

    Examples
    --------
    >>> round(tau_b([1, 2, 3.5, 3.5, 5, 6], [2, 4, 1, 4, 6, 4]), 3)
    0.386
    """
    return TAU_B(x, y, True, 3)
