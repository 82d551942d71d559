"""R's `quantile` and `ecdf`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._core.errors import InvalidValueError, must_be
from .._core.options import whole_number
from .._core.types import Floats, Number, Vector
from .._core.vectors import number_table
from ._sums import observed

ROUNDING = 100 * 2.0**-52
"""How far R lets probabilities be outside of 0 to 1."""

FUZZ = 4 * 2.0**-52
"""How near to a whole number a position counts as this number."""

OFFSETS = {4: (0.0, 1.0), 5: (0.5, 0.5), 6: (0.0, 0.0), 7: (1.0, 1.0), 8: (1 / 3, 1 / 3), 9: (3 / 8, 3 / 8)}
"""The constants a and b of the continuous types: the position of p is a + p (n + 1 - a - b)."""


def r_quantile(
    x: Vector, probs: Number | Vector = (0, 0.25, 0.5, 0.75, 1), type: int = 7, *, na_rm: bool = False
) -> Floats:
    """The quantiles by any of R's nine definitions.

    Parameters
    ----------
    x : numeric vector
    probs : number or numeric vector
        The probabilities.
    type : int
        From 1 to 9, as Hyndman and Fan (1996) number them; 7 is the default of R and of `numpy.quantile`, 6 that of
        SPSS and Minitab, and 8 what Hyndman and Fan recommend.
    na_rm : bool
        Whether to leave out missing values; otherwise they are refused, as in R.

    Returns
    -------
    numpy.ndarray
        One quantile for each probability, nan for a missing one.

    Raises
    ------
    ValueError
        If x has missing values, a probability is not between 0 and 1, or there is no such type.

    References
    ----------
    R. J. Hyndman and Y. Fan (1996). Sample Quantiles in Statistical Packages. The American Statistician 50(4), 361-365.

    Examples
    --------
    >>> [r_quantile([1, 2, 4, 8], 0.3, type).item() for type in (1, 6, 7)]
    [2.0, 1.5, 1.9]
    """
    values = np.sort(observed(x, na_rm))
    if np.isnan(values).any():
        raise InvalidValueError("x", "has missing values", "na_rm=True leaves them out")
    if not 1 <= whole_number(type, "type") <= 9:
        raise InvalidValueError("type", must_be("a whole number from 1 to 9", type))
    p = np.atleast_1d(number_table(probs, "probs")[0]).astype(np.float64)
    if np.any((p < -ROUNDING) | (p > 1 + ROUNDING)):
        raise InvalidValueError("probs", "must be between 0 and 1")
    unknown = np.isnan(p)
    if not len(values):
        return np.full(p.shape, np.nan)
    below, h = position(np.where(unknown, 0, np.clip(p, 0, 1)), len(values), type)
    lower, upper = (values[np.clip(k, 1, len(values)).astype(np.intp) - 1] for k in (below, below + 1))
    with np.errstate(invalid="ignore"):  # of infinite values, where it is not used
        between = (1 - h) * lower + h * upper
    quantiles = np.where(h <= 0, lower, np.where(h == 1, upper, np.where(lower == upper, lower, between)))
    return np.where(unknown, np.nan, quantiles)


def position(p: Floats, n: int, type: int) -> tuple[Floats, Floats]:
    """The rank of the value below each quantile, and the weight of the one above."""
    if type == 7:
        index = 1 + (n - 1) * p
        return np.floor(index), index - np.floor(index)
    if type > 3:
        a, b = OFFSETS[type]
        index = a + p * (n + 1 - a - b)
        below = np.floor(index + FUZZ)
        h = index - below
        return below, np.where(np.abs(h) < FUZZ, 0, h)
    index = n * p - 0.5 if type == 3 else n * p
    below = np.floor(index)
    if type == 1:
        return below, (index > below).astype(np.float64)
    if type == 2:
        return below, ((index > below) + 1) / 2
    return below, ((index != below) | (below % 2 == 1)).astype(np.float64)


def r_ecdf(x: Vector) -> Callable[[Number | Vector], Floats]:
    """The empirical distribution function of some values, as R's `ecdf`.

    Parameters
    ----------
    x : numeric vector
        Missing values are left out.

    Returns
    -------
    callable
        Takes numbers, and returns for each the share of the values that are not greater; nan for nan.

    Raises
    ------
    ValueError
        If there are no values.

    Examples
    --------
    >>> r_ecdf([3, 1, 4, 1])([0, 1, 3.5]).tolist()
    [0.0, 0.5, 0.75]
    """
    values = np.sort(observed(x, True))
    if not len(values):
        raise InvalidValueError("x", "must have 1 or more non-missing values")

    def share(q: Number | Vector) -> Floats:
        at = number_table(q, "q")[0].astype(np.float64)
        return np.where(np.isnan(at), np.nan, np.searchsorted(values, at, side="right") / len(values))

    return share
