"""Kendall's tau and AP correlation, their treatments of ties, and the coefficients that take ties for an answer."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from ._core.checks import not_ranked, rankings, warn_of_pairing
from ._core.methods import (
    ACC_EQ,
    TAU,
    TAU_A,
    TAU_AP,
    TAU_AP_A,
    TAU_AP_B,
    TAU_B,
    TAU_EQ,
    kendall,
    kendall_b,
    ratio,
)
from ._core.options import one_of
from ._core.types import Vector
from ._core.vectors import numeric_vector
from ._kernel import dominance_of


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
    TypeError, ValueError
        If x or y is not a numeric vector; if they differ in length, contain ties, or have fewer than two items.  As in
        R, two values are tied if they have the same 15 significant digits, and a missing value counts as a tie.

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
    TypeError, ValueError
        If x or y is not a numeric vector; if they differ in length or have fewer than two items; or if x contains ties
        or a missing value.

    Warns
    -----
    PairingWarning
        As from `tau`.

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
    TypeError, ValueError
        If x or y is not a numeric vector; if they differ in length, have fewer than two items, or have a missing value.

    Warns
    -----
    PairingWarning
        As from `tau`.

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


TauVariant = Literal["a", "b", "c", "gamma"]


def kendall_tau(x: Vector, y: Vector, variant: TauVariant = "b") -> float:
    """Kendall's tau as the textbooks define it, of two rankings that may both have ties.

    Papers and packages call several coefficients "Kendall's tau", which are the same without ties.  P pairs are in the
    same order in x and y, Q in opposite orders; of n (n - 1) / 2 pairs in all, T are tied in x and U in y.  With m the
    smaller number of distinct values, the numerator P - Q is divided by

    - "a": n (n - 1) / 2.  `tau_a` is the same, but refuses ties in the truth;
    - "b": the root of (n (n - 1) / 2 - T) (n (n - 1) / 2 - U), as in `tau_b` and `scipy.stats.kendalltau`;
    - "c": n^2 (m - 1) / (2 m), Stuart's, for tables that are not square;
    - "gamma": P + Q, Goodman and Kruskal's.  It is called tau-a in some packages.

    Parameters
    ----------
    x, y : numeric vector
        The scores or the ranks of the same items in the same order; both may have ties.
    variant : {"a", "b", "c", "gamma"}

    Returns
    -------
    float
        From -1 to 1; nan if the denominator is 0.

    Raises
    ------
    TypeError, ValueError
        If x or y is not a numeric vector; if they differ in length, have fewer than two items, or have a missing value.

    Warns
    -----
    PairingWarning
        As from `tau`.

    References
    ----------
    M. G. Kendall (1945). The Treatment of Ties in Ranking Problems. Biometrika 33(3), 239-251.
    A. Stuart (1953). The Estimation and Comparison of Strengths of Association in Contingency Tables. Biometrika 40,
    105-110.
    L. A. Goodman and W. H. Kruskal (1954). Measures of Association for Cross Classifications. JASA 49, 732-764.

    Examples
    --------
    >>> x, y = [1, 1, 2, 2, 3], [1, 2, 2, 2, 3]
    >>> [round(kendall_tau(x, y, variant), 3) for variant in ("a", "b", "c", "gamma")]
    [0.6, 0.802, 0.72, 1.0]
    """
    chosen = one_of(variant, "variant", get_args(TauVariant))
    ranked = rankings(x, y)
    warn_of_pairing(x, y, stacklevel=2)
    for name, ranking in zip("xy", ranked):
        if ranking.missing:
            raise not_ranked(name, "kendall_tau")
    d = dominance_of(*ranked)
    if chosen in ("a", "b"):
        return float(kendall(d) if chosen == "a" else kendall_b(d))
    if chosen == "gamma":
        return float(ratio(d.concordant - d.discordant, d.concordant + d.discordant))
    distinct = min(len(np.unique(numeric_vector(*vector))) for vector in ((x, "x"), (y, "y")))
    # One division of integers: no rounding before it.
    return float(ratio(2 * distinct * (d.concordant - d.discordant), d.x.n**2 * (distinct - 1)))


def tauAP(x: Vector, y: Vector, decreasing: bool | np.bool_ = True) -> float:
    """AP correlation of two rankings without ties: like Kendall's tau, but with more weight at the top.

    For every item of y but the first, compute the share of the items above it that x ranks above it too.  The
    coefficient is the mean of these shares, scaled to [-1, 1].  An error near the top lowers the shares of all items
    below it, as a non-relevant document near the top lowers average precision.  The coefficient is not symmetric: x is
    the truth, and y is the estimate.  If there are ties, use `tauAP_a` (ties in y only) or `tauAP_b`.

    Parameters
    ----------
    x : numeric vector
        The true ranking: scores or ranks, without ties.
    y : numeric vector
        The estimated ranking of the same items in the same order, without ties.
    decreasing : bool
        Whether the item with the greatest value is at the top: True for scores, False for ranks.

    Returns
    -------
    float
        From -1 to 1.

    Raises
    ------
    TypeError, ValueError
        As from `tau`, and if `decreasing` is not a flag.

    Warns
    -----
    PairingWarning
        As from `tau`.

    References
    ----------
    E. Yilmaz, J. A. Aslam and S. Robertson (2008). A New Rank Correlation Coefficient for Information Retrieval. SIGIR.
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equation (3).

    Examples
    --------
    >>> round(tauAP([1, 2, 3, 4, 5, 6], [2, 3, 1, 4, 6, 5], decreasing=False), 2)
    0.32
    """
    return TAU_AP(x, y, decreasing, 3)


def tauAP_a(x: Vector, y: Vector, decreasing: bool | np.bool_ = True) -> float:
    """AP correlation as a measure of accuracy: y estimates the true ranking x, and y may have ties.

    This is the mean of `tauAP` over all ways to break the ties of y, in closed form.

    Parameters
    ----------
    x : numeric vector
        The true ranking: scores or ranks, without ties.
    y : numeric vector
        The estimated ranking of the same items in the same order; may have ties.
    decreasing : bool
        Whether the item with the greatest value is at the top: True for scores, False for ranks.

    Returns
    -------
    float
        From -1 to 1; 0 if y ties all items.

    Raises
    ------
    TypeError, ValueError
        As from `tau_a`, and if `decreasing` is not a flag.

    Warns
    -----
    MissingValueWarning
        If y has missing values.  As in R, they are ranked last, by position and without ties.
    PairingWarning
        As from `tau`.

    References
    ----------
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equation (8).

    Examples
    --------
    >>> round(tauAP_a([1, 2, 3, 4, 5, 6], [2, 4, 1, 4, 6, 4], decreasing=False), 3)
    0.209
    """
    return TAU_AP_A(x, y, decreasing, 3)


def tauAP_b(x: Vector, y: Vector, decreasing: bool | np.bool_ = True) -> float:
    """AP correlation as a measure of agreement: x and y are two opinions, and both may have ties.

    Neither ranking is expected to decide a tied pair, so an item is compared only with the items above its group of
    ties.  Neither ranking is the truth, so the coefficient is the mean of both directions, and it is symmetric.  Even
    without ties it is different from `tauAP`.

    Parameters
    ----------
    x, y : numeric vector
        The scores or the ranks of the same items in the same order; both may have ties.
    decreasing : bool
        Whether the item with the greatest value is at the top: True for scores, False for ranks.

    Returns
    -------
    float
        From -1 to 1; nan if x or y ties all items.

    Raises
    ------
    TypeError, ValueError
        If x or y is not a numeric vector, or `decreasing` is not a flag; or if x and y differ in length or have fewer
        than two items.

    Warns
    -----
    MissingValueWarning
        If x or y has missing values.  As in R, they are ranked last, by position and without ties.
    PairingWarning
        As from `tau`.

    References
    ----------
    J. Urbano and M. Marrero (2017). The Treatment of Ties in AP Correlation. ICTIR, equations (10) and (11).

    Examples
    --------
    >>> round(tauAP_b([1, 2, 3.5, 3.5, 5, 6], [2, 4, 1, 4, 6, 4], decreasing=False), 2)
    0.14
    """
    return TAU_AP_B(x, y, decreasing, 3)


def acc_eq(truth: Vector, estimate: Vector, epsilon: float = 0.0) -> float:
    """Pairwise accuracy with ties as an answer: a pair that the truth ties is one that the estimate should tie.

    This is the share of the pairs of items that are ordered alike or tied in both, (C + T) / (C + D + T + X + Y) with C
    concordant and D discordant pairs, T tied in both, X in the truth only, and Y in the estimate only.

    Parameters
    ----------
    truth : numeric vector
        The scores or the ranks; two items are tied if their values are equal.
    estimate : numeric vector
        Those of the same items in the same order; two items are tied if their values differ by at most `epsilon`.
    epsilon : float
        The threshold, 0 or more; differences are computed in doubles.  `ircor.judging.calibrate` finds one.

    Returns
    -------
    float
        From 0 to 1.  An estimate that ties all items has the share of the pairs that the truth ties.

    Raises
    ------
    TypeError, ValueError
        If a vector is not a numeric vector; if they differ in length, have fewer than two items, or have a missing
        value; or if `epsilon` is not a number from 0 up.

    Warns
    -----
    PairingWarning
        As from `tau`.

    References
    ----------
    D. Deutsch, G. Foster and M. Freitag (2023). Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and
    Tie Calibration. EMNLP.

    Examples
    --------
    >>> round(acc_eq([1, 1, 2, 3], [0.1, 0.3, 0.8, 0.9]), 3)
    0.833
    >>> acc_eq([1, 1, 2, 3], [0.1, 0.3, 0.8, 1.1], epsilon=0.25)
    1.0
    """
    return ACC_EQ.of_truth(truth, estimate, epsilon)


def tau_eq(truth: Vector, estimate: Vector, epsilon: float = 0.0) -> float:
    """`acc_eq` on the scale of Kendall's tau: 2 acc_eq - 1, which is `tau` if there are no ties.

    Parameters and refusals are those of `acc_eq`.

    Returns
    -------
    float
        From -1 to 1.

    Examples
    --------
    >>> round(tau_eq([1, 1, 2, 3], [0.1, 0.3, 0.8, 0.9]), 3)
    0.667
    """
    return TAU_EQ.of_truth(truth, estimate, epsilon)
