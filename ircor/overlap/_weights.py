"""How much of rank-biased overlap the first ranks decide, and which p gives them a wanted share."""

from __future__ import annotations

from math import exp, expm1, log
from sys import float_info

import numpy as np

from .._options import fraction, real_number, whole_number

LARGEST_P = 1 - float_info.epsilon / 2
"""The largest double below 1."""


def weight_for_p(depth: int, p: float) -> float:
    """Weight of the first `depth` ranks in rank-biased overlap at `p`, from 0 to 1.

    It is ::

        W(d) = 1 - p^(d - 1) + (1 - p) / p * d * (ln(1 / (1 - p)) - sum over i = 1..d-1 of p^i / i)

    The agreement at depth i has the weight (1 - p) p^(i - 1), and each of the first i ranks has a part 1/i of it.  W(d)
    is what the first d ranks have together.  If two rankings are identical down to rank d, their overlap is W(d) or
    more, however they go on.

    Parameters
    ----------
    depth : int
        Number of ranks, 1 or more.
    p : float
        Persistence, between 0 and 1, both excluded.

    Returns
    -------
    float
        To about 1e-15, for all depths and all p.

    See Also
    --------
    p_for_weight : the inverse

    References
    ----------
    W. Webber, A. Moffat and J. Zobel (2010). *A Similarity Measure for Indefinite Rankings*. ACM TOIS 28(4), equation
    (21).

    Examples
    --------
    >>> round(weight_for_p(10, 0.9), 4)
    0.8556
    """
    d = real_number(whole_number(depth, "depth"), "depth")
    return _weight(d, fraction(p, "p"))


def p_for_weight(depth: int, weight: float) -> float:
    """The p at which the first `depth` ranks have the wanted weight in rank-biased overlap: `weight_for_p`, inverted.

    Parameters
    ----------
    depth : int
        Number of ranks, 1 or more.
    weight : float
        Their weight, between 0 and 1, both excluded.

    Returns
    -------
    float
        To about 1e-12, except where the weight is so near 1 that it hardly depends on p.

    Raises
    ------
    ValueError
        If the weight is so small that p would be 1 in double precision.

    See Also
    --------
    weight_for_p : the inverse, with the equation

    Examples
    --------
    >>> round(p_for_weight(10, 0.8556), 4)
    0.9
    >>> round(p_for_weight(100, 0.9), 4)
    0.9873
    """
    from scipy.optimize import brentq
    from scipy.special import expit

    d = real_number(whole_number(depth, "depth"), "depth")
    wanted = fraction(weight, "weight")
    if wanted < _weight(d, LARGEST_P):
        raise ValueError(f"'weight' is too small for depth {depth}, because p would be 1: {weight!r}")

    def excess(log_odds: float) -> float:
        return _weight(d, min(expit(log_odds), LARGEST_P)) - wanted

    # In log-odds, p is as fine near 0 and 1 as a double is.  At -40 the first rank alone has a weight of 1, to the last
    # digit.
    return float(min(expit(brentq(excess, -40, 40, xtol=1e-15, maxiter=500)), LARGEST_P))


def _weight(d: float, p: float) -> float:
    """Equation (21).  No term is negative, so nothing cancels."""
    return min(1.0, -expm1((d - 1) * log(p)) + (1 - p) / p * d * _tail(d, p))


def _tail(d: float, p: float) -> float:
    """The sum over i >= d of p^i / i: 100 terms, and the rest by the formula of Euler and Maclaurin.

    The difference in equation (21) would lose all digits where p is small or d large.
    """
    from scipy.special import exp1

    a, n = -log(p), d + 100
    r = 1 / n
    i = d + np.arange(100)
    # f(x) = exp(-a x) / x, of which exp1(a n) is the integral from n on; then f(n) / 2 - f'(n) / 12 + f'''(n) / 720.
    half = r / 2
    first = r * (a + r) / 12
    third = r * (a**3 + 3 * a**2 * r + 6 * a * r**2 + 6 * r**3) / 720
    return float(np.sum(p**i / i) + exp1(a * n) + exp(-a * n) * (half + first - third))
