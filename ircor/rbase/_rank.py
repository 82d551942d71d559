"""R's `round`, `rank` and `order`."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, Literal, get_args, overload

import numpy as np

from .._core.errors import InvalidValueError, must_be
from .._core.options import NO_LEAST, one_of, whole_number
from .._core.types import Array, Number, Numbers, Table, Vector
from .._core.vectors import number_table, numeric_vector
from ._random import RRandom

if TYPE_CHECKING:
    import numpy.typing as npt

TiesMethod = Literal["average", "first", "last", "random", "max", "min"]

# The limits of a double: significant decimal digits, and the exponents of the greatest and the least power of ten.
SIGNIFICANT_DIGITS = 15
GREATEST_POWER = 308
LEAST_POWER = -323


@overload
def r_round(x: Number, digits: int = 0) -> float: ...
@overload
def r_round(x: Vector | Table, digits: int = 0) -> Numbers: ...
def r_round(x: Number | Vector | Table, digits: int = 0) -> float | Numbers:
    """Round as R does; the result is identical to the last bit.

    R computes the two candidates with d digits, floor(x 10^d) / 10^d and ceil(x 10^d) / 10^d, and takes the one that is
    nearer to x in double arithmetic, or the one with an even last digit if both are equally near.  If x has no more
    than d digits, it stays as it is.  `numpy.round` scales, rounds and scales back, and Python's `round` uses the exact
    decimal value of x, so they round some half-way cases in the other direction.

    Parameters
    ----------
    x : array of numbers, or a number
    digits : int
        The number of decimals to keep; negative to round to tens, hundreds and so on.

    Returns
    -------
    numpy.ndarray or float
        With the shape of x.  Integers stay integers unless `digits` is negative.

    Raises
    ------
    TypeError
        If x is not numeric, or digits is not a whole number.

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
    digits = whole_number(digits, "digits", least=NO_LEAST)
    if values.dtype.kind in "iu" and digits >= 0:
        return values.copy() if values.ndim else int(values)
    rounded = round_doubles(values.astype(np.float64), digits)
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
        # 10^digits may exceed the greatest double, so it is applied in two steps.
        power = double_power_of_ten(min(digits, GREATEST_POWER))
        rest = double_power_of_ten(max(digits - GREATEST_POWER, 0))
        scaled = power * magnitude * rest
        below, above = np.floor(scaled), np.ceil(scaled)
        lower, upper = below / power / rest, above / power / rest
        to_lower, to_upper = magnitude - lower, upper - magnitude
        down = (to_lower < to_upper) | ((to_lower == to_upper) & (np.fmod(below, 2) == 0))
    rounded = np.copysign(np.where(down, lower, upper), x)
    # Like R, estimate the number of digits before the decimal point from the binary exponent.
    exponent = np.frexp(magnitude)[1] - 1
    exhausted = digits + (exponent + 0.5) * log10(2) > SIGNIFICANT_DIGITS
    return np.where(exhausted | (x == 0) | ~np.isfinite(x), x, rounded)


def double_power_of_ten(exponent: int) -> float:
    """10^exponent by repeated squaring, as in R.  Above 10^22 this is not always the nearest double."""
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
    seed: int | np.random.Generator | RRandom | None = None,
) -> npt.NDArray[np.int64 | np.float64]:
    """Rank as R does: the least value has rank 1, with R's six treatments of ties and four of missing values.

    Parameters
    ----------
    x : numeric vector
        Pass ``-x`` to give the greatest value rank 1.
    ties_method : {"average", "first", "last", "random", "max", "min"}
        The ranks of tied values: all get the average, the greatest ("max") or the least ("min") of their ranks, or they
        get distinct ranks by position ("first"), by reversed position ("last") or in random order.
    na_last : bool, "keep" or None
        The ranks of missing values: the last ranks (True) or the first ones (False), by position, or nan ("keep").  If
        None, R's NA, they are removed.
    seed : int, numpy.random.Generator or RRandom, optional
        For ties_method="random".  The ranks are R's with an `RRandom` in the same state; other random numbers differ.

    Returns
    -------
    numpy.ndarray
        Floats if ties_method is "average" or a rank is nan, otherwise integers.

    Raises
    ------
    TypeError
        If x is not a numeric vector.
    ValueError
        If ties_method or na_last is not one of the values above.

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
        raise InvalidValueError("na_last", must_be("True, False, None or 'keep'", na_last))
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.size, dtype=bool)
    ranks = rank_observed(values[~missing], one_of(ties_method, "ties_method", get_args(TiesMethod)), seed)
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


def rank_observed(
    values: Array, ties_method: str, seed: int | np.random.Generator | RRandom | None
) -> npt.NDArray[np.int64 | np.float64]:
    from scipy.stats import rankdata

    if ties_method == "average":
        return np.asarray(rankdata(values, method="average"), dtype=np.float64)
    if ties_method in ("min", "max"):
        return np.asarray(rankdata(values, method=ties_method), dtype=np.int64)
    if ties_method == "first":
        return np.asarray(rankdata(values, method="ordinal"), dtype=np.int64)
    if ties_method == "last":
        return np.asarray(rankdata(values[::-1], method="ordinal"), dtype=np.int64)[::-1]
    drawn = seed.runif(values.size) if isinstance(seed, RRandom) else np.random.default_rng(seed).random(values.size)
    order = np.lexsort((drawn, values))
    ranks = np.empty(values.size, dtype=np.int64)
    ranks[order] = np.arange(1, values.size + 1)
    return ranks


def r_order(*keys: Vector, decreasing: bool = False, na_last: bool | None = True) -> npt.NDArray[np.int64]:
    """The positions of the values in increasing order, as R's `order`: the first is 1, and ties stay as they are.

    ``x[r_order(x) - 1]`` is sorted.  Ties in one vector are decided by the next, and stay in their order, also if
    decreasing; the reverse of `numpy.argsort` turns them round.

    Parameters
    ----------
    *keys : numeric vectors of the same length
    decreasing : bool
    na_last : bool or None
        Whether missing values are last or first; None, R's NA, leaves them out.

    Returns
    -------
    numpy.ndarray
        Integers from 1.

    Examples
    --------
    >>> r_order([2, 1, 2, 3], decreasing=True).tolist()
    [4, 1, 3, 2]
    >>> (np.argsort([2, 1, 2, 3])[::-1] + 1).tolist()
    [4, 3, 1, 2]
    """
    if na_last is not None and not isinstance(na_last, (bool, np.bool_)):
        raise InvalidValueError("na_last", must_be("True, False or None", na_last))
    vectors = [numeric_vector(key, "keys") for key in keys]
    if not vectors or any(len(vector) != len(vectors[0]) for vector in vectors):
        raise InvalidValueError("keys", "must be one vector or more, of the same length")
    columns, missing = [], np.zeros(len(vectors[0]), dtype=bool)
    for vector in vectors:
        absent = np.isnan(vector)
        # As ranks, which can be reversed: integers of some types cannot be negative.
        ranks = np.unique(np.where(absent, 0, vector), return_inverse=True)[1]
        columns += [
            absent if na_last in (True, None) else ~absent,
            np.where(absent, 0, -ranks if decreasing else ranks),
        ]
        missing |= absent
    order = np.lexsort(columns[::-1])
    return (order[~missing[order]] if na_last is None else order) + 1
