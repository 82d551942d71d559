"""The functions of base R that decide where ties fall: `round` and `rank`.

R analyses make ties with ``round(x, 1)`` and ranks with ``rank(-x)``.  Python's functions of those names make other
ties, and so other coefficients; these make R's.
"""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ._check import Vector, number_table, numeric_vector

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

TiesMethod = Literal["average", "first", "last", "random", "max", "min"]

# What a double can hold: significant decimal digits, and the powers of ten at either end.
SIGNIFICANT_DIGITS = 15
GREATEST_POWER = 308
LEAST_POWER = -323


def r_round(x: npt.ArrayLike, digits: int = 0) -> Any:
    """Round as R does, to the last bit.

    Of the two neighbours of x with so many digits, floor(x 10^d) / 10^d and ceil(x 10^d) / 10^d, R takes the one nearer
    to x in double arithmetic, and the one with the even last digit if they are equally near; x itself where it has no
    digits left to lose.  `numpy.round` scales, rounds and scales back, and Python's `round` goes by the exact decimal
    value of x: each puts other half-way cases up or down.

    Parameters
    ----------
    x : array of numbers, or a number
    digits : int
        Decimals to keep; negative to round to tens, hundreds and so on.

    Returns
    -------
    numpy.ndarray or float
        Of the shape of x.  Integers come back as they are where there are no digits to lose.

    References
    ----------
    R's help page Round, on the algorithm since R 4.0.0.

    Examples
    --------
    >>> x = [0.15, 0.25, 0.35, 0.45, 0.55, 0.65]
    >>> r_round(x, 1).tolist()
    [0.1, 0.2, 0.3, 0.4, 0.6, 0.7]
    >>> np.round(x, 1).tolist()
    [0.2, 0.2, 0.4, 0.4, 0.6, 0.6]
    >>> r_round(1250, -2)
    1200.0
    """
    values, _ = number_table(x, "x")
    if isinstance(digits, bool) or not isinstance(digits, (int, np.integer)):
        raise TypeError(f"'digits' must be an integer, not {digits!r}")
    if values.dtype.kind in "iu" and digits >= 0:
        return values.copy() if values.ndim else values.item()
    rounded = round_doubles(values.astype(np.float64), int(digits))
    return rounded if rounded.ndim else float(rounded)


def round_doubles(x: npt.NDArray[np.float64], digits: int) -> npt.NDArray[np.float64]:
    if digits > -LEAST_POWER:
        return x
    if digits == 0:
        return np.asarray(np.rint(x))
    magnitude = np.abs(x)
    if digits < -GREATEST_POWER:
        return np.where(np.isfinite(x) & (x != 0), 0.0, x)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        # A power of ten beyond the greatest double is taken in two steps.
        power = power_of_ten(min(digits, GREATEST_POWER))
        rest = power_of_ten(max(digits - GREATEST_POWER, 0))
        scaled = power * magnitude * rest
        below, above = np.floor(scaled), np.ceil(scaled)
        lower, upper = below / power / rest, above / power / rest
        to_lower, to_upper = magnitude - lower, upper - magnitude
        down = (to_lower < to_upper) | ((to_lower == to_upper) & (np.fmod(below, 2) == 0))
    rounded = np.copysign(np.where(down, lower, upper), x)
    # The magnitude's own number of digits before the point, from its binary exponent as R takes it.
    exponent = np.frexp(magnitude)[1] - 1
    exhausted = digits + (exponent + 0.5) * log10(2) > SIGNIFICANT_DIGITS
    return np.where(exhausted | (x == 0) | ~np.isfinite(x), x, rounded)


def power_of_ten(exponent: int) -> float:
    """10^exponent by repeated squaring, as R does it: beyond 10^22 not always the nearest double."""
    square, power, n = 10.0, 1.0, abs(exponent)
    while n:
        if n & 1:
            power *= square
        n >>= 1
        if n:
            square *= square
    return power if exponent >= 0 else 1 / power


def r_rank(
    x: Vector,
    ties_method: TiesMethod = "average",
    na_last: bool | Literal["keep"] | None = True,
    *,
    seed: int | np.random.Generator | None = None,
) -> npt.NDArray[Any]:
    """Rank as R does: the least value is 1, with R's six ways to rank ties and four ways to rank missing values.

    Parameters
    ----------
    x : numeric vector
        Rank ``-x`` to give the greatest value rank 1.
    ties_method : {"average", "first", "last", "random", "max", "min"}
        What tied values get: the average of their ranks, the greatest, the least, or different ranks in order of
        position, in reverse order of position, or at random.
    na_last : bool, "keep" or None
        Missing values get the last ranks (True) or the first ones (False), in order of position, or nan ("keep"), or
        are left out (None, R's NA).
    seed : int or numpy.random.Generator, optional
        For ties_method="random".  R's own random numbers are others.

    Returns
    -------
    numpy.ndarray
        Of float for "average" and where nan is among the ranks, else of int.

    Raises
    ------
    TypeError
        If x is not a numeric vector.
    ValueError
        If ties_method or na_last is none of those above.

    Examples
    --------
    >>> r_rank([2, 4, 1, 4, 6, 4])
    array([2., 4., 1., 4., 6., 4.])
    >>> r_rank([2, 4, 1, 4, 6, 4], "last")
    array([2, 5, 1, 4, 6, 3])
    >>> r_rank([3, float("nan"), 1], na_last="keep")
    array([ 2., nan,  1.])
    """
    values = numeric_vector(x, "x")
    if not (
        na_last is None or isinstance(na_last, (bool, np.bool_)) or (isinstance(na_last, str) and na_last == "keep")
    ):
        raise ValueError(f"'na_last' must be True, False, None or 'keep', not {na_last!r}")
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.size, dtype=bool)
    ranks = rank_observed(values[~missing], ties_method, seed)
    if na_last is None or not missing.any():
        return ranks
    if na_last == "keep":
        placed = np.full(values.size, np.nan)
        placed[~missing] = ranks
        return placed
    count = np.count_nonzero(missing)
    placed = np.empty(values.size, dtype=ranks.dtype)
    placed[~missing] = ranks if na_last else ranks + count
    placed[missing] = np.arange(1, count + 1) + (ranks.size if na_last else 0)
    return placed


def rank_observed(values: Array, ties_method: str, seed: int | np.random.Generator | None) -> npt.NDArray[Any]:
    from scipy.stats import rankdata

    if ties_method == "average":
        return np.asarray(rankdata(values, method="average"), dtype=np.float64)
    if ties_method in ("min", "max"):
        return np.asarray(rankdata(values, method=ties_method), dtype=np.int64)
    if ties_method == "first":
        return np.asarray(rankdata(values, method="ordinal"), dtype=np.int64)
    if ties_method == "last":
        return np.asarray(rankdata(values[::-1], method="ordinal"), dtype=np.int64)[::-1]
    if ties_method == "random":
        order = np.lexsort((np.random.default_rng(seed).random(values.size), values))
        ranks = np.empty(values.size, dtype=np.int64)
        ranks[order] = np.arange(1, values.size + 1)
        return ranks
    raise ValueError(f"'ties_method' must be average, first, last, random, max or min, not {ties_method!r}")
