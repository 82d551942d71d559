"""R's `sum`, `mean`, `colMeans`, `rowMeans`, `var` and `sd`."""

from __future__ import annotations

import sys
from math import inf, isfinite, nan, sqrt
from typing import Any

import numpy as np

from .._core.errors import InvalidTypeError
from .._core.options import flag
from .._core.types import Array, Floats, Table, Vector
from .._core.vectors import number_table, numeric_vector
from ._extended import doubles, extended, total


def r_sum(x: Vector, na_rm: bool = False) -> float:
    """Sum as R does: one number after the other, in the long double of x86-64.

    Parameters
    ----------
    x : numeric vector
    na_rm : bool
        Whether to leave out missing values; otherwise one of them makes the sum nan.

    Returns
    -------
    float
        Of integers too, whose sum does not overflow.

    Examples
    --------
    >>> x = [0.1] * 10
    >>> r_sum(x), float(np.cumsum(x)[-1])
    (1.0, 0.9999999999999999)
    """
    values = observed(x, na_rm)
    if not np.isfinite(values).all():
        return not_finite(values)
    added = total(extended(values))
    largest = sys.float_info.max
    return inf if added > largest else -inf if extended(0.0)[()] - added > largest else float(added)


def r_mean(x: Vector, na_rm: bool = False) -> float:
    """The mean as R computes it: in long double, with a second pass over the residuals.

    Parameters
    ----------
    x : numeric vector
        Integers are R's integers, whose mean has no second pass.
    na_rm : bool
        Whether to leave out missing values; otherwise one of them makes the mean nan.

    Returns
    -------
    float
        nan if there are no values.

    Examples
    --------
    >>> x = [0.1, 0.2, 0.3, 0.1, 0.1]
    >>> r_mean(x), float(np.mean(x))
    (0.16, 0.16)
    """
    values = observed(x, na_rm)
    if not len(values):
        return nan
    if not np.isfinite(values).all():
        return not_finite(values)
    return float(mean_of(extended(values), second_pass=numeric_vector(x, "x").dtype.kind == "f"))


def r_colmeans(x: Table, na_rm: bool = False) -> Floats:
    """The means of the columns as R's `colMeans` computes them: in long double, with one pass.

    The means of systems are equal here where they are in R, so rankings have the same ties.  `numpy.mean` differs in
    the last bit.

    Parameters
    ----------
    x : table of numbers
        An array of two dimensions, a list of rows, or a DataFrame.
    na_rm : bool
        Whether to leave out missing values; otherwise one of them makes the mean of its column nan.

    Returns
    -------
    numpy.ndarray
        nan for a column without values.

    Examples
    --------
    >>> X = [[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]]
    >>> r_colmeans(X).tolist(), np.mean(X, axis=0).tolist()
    ([0.2, 0.2], [0.20000000000000004, 0.19999999999999998])
    """
    return means_along(table_of(x), na_rm)


def r_rowmeans(x: Table, na_rm: bool = False) -> Floats:
    """The means of the rows as R's `rowMeans` computes them: `r_colmeans` of the transposed table.

    Parameters
    ----------
    x : table of numbers
    na_rm : bool
        Whether to leave out missing values; otherwise one of them makes the mean of its row nan.

    Returns
    -------
    numpy.ndarray

    Examples
    --------
    >>> r_rowmeans([[0.1, 0.2, 0.3], [1, 2, float("nan")]], na_rm=True).tolist()
    [0.2, 1.5]
    """
    return means_along(table_of(x).T, na_rm)


def r_var(x: Vector, na_rm: bool = False) -> float:
    """The variance as R computes it: with n - 1, and in long double around the mean as a double.

    Parameters
    ----------
    x : numeric vector
    na_rm : bool
        Whether to leave out missing values; otherwise one of them makes the variance nan.

    Returns
    -------
    float
        nan if there are fewer than two values.

    Examples
    --------
    >>> r_var([1, 2, 4]), float(np.var([1, 2, 4]))
    (2.333333333333333..., 1.555555555555555...)
    """
    values = observed(x, na_rm)
    if len(values) < 2 or not np.isfinite(values).all():
        return nan
    numbers = extended(values)
    residuals = numbers - extended(float(mean_of(numbers, second_pass=True)))[()]
    return float(total(residuals * residuals) / extended(len(values) - 1.0)[()])


def r_sd(x: Vector, na_rm: bool = False) -> float:
    """The standard deviation as R computes it, the root of `r_var`; `numpy.std` divides by n unless ``ddof=1``.

    Parameters
    ----------
    x : numeric vector
    na_rm : bool
        Whether to leave out missing values; otherwise one of them makes the result nan.

    Returns
    -------
    float

    Examples
    --------
    >>> r_sd([2, 4, 4, 4, 5, 5, 7, 9]), float(np.std([2, 4, 4, 4, 5, 5, 7, 9]))
    (2.138089935299395, 2.0)
    """
    return sqrt(r_var(x, na_rm))


def observed(x: Vector, na_rm: bool) -> Floats:
    """The values as doubles, without missing ones if they are to be left out."""
    values = numeric_vector(x, "x").astype(np.float64)
    return values[~np.isnan(values)] if flag(na_rm, "na_rm") else values


def table_of(x: Table) -> Floats:
    """The values of a table as doubles."""
    values, _ = number_table(x, "x")
    if values.ndim != 2:
        raise InvalidTypeError("x", f"must be a table of two dimensions, but it has {values.ndim}")
    return values.astype(np.float64)


def not_finite(values: Array) -> float:
    """The sum, or the mean, of values that are not all finite."""
    with np.errstate(invalid="ignore"):  # inf - inf
        return float(np.sum(values[~np.isfinite(values)]))


def mean_of(numbers: Any, *, second_pass: bool) -> Any:
    """The mean of finite numbers; the second pass adds the mean of the residuals."""
    n = extended(float(len(numbers)))[()]
    mean = total(numbers) / n
    return mean + total(numbers - mean) / n if second_pass and isfinite(float(mean)) else mean


def means_along(values: Floats, na_rm: bool) -> Floats:
    """The means along the first axis."""
    missing = np.isnan(values)
    left_out = missing if flag(na_rm, "na_rm") else np.zeros_like(missing)
    finite = np.isfinite(values)
    counts = np.count_nonzero(~left_out, axis=0)
    means = doubles(total(extended(np.where(finite, values, 0))) / extended(np.maximum(counts, 1).astype(np.float64)))
    with np.errstate(invalid="ignore"):  # inf - inf
        rest = np.where(finite | left_out, 0, values).sum(axis=0)
    return np.where(counts == 0, nan, np.where(rest == 0, means, rest))
