"""The covariance of the scores over topics, with a ridge or with shrinkage where it is needed."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from .._covariance import deviations_of
from .._kernel.closest import products
from .._options import real_number

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

# The paper adds this to the variances if there are at least as many systems as topics.
RIDGE = 1e-5


class Covariances(NamedTuple):
    """The covariance matrices of the systems in several tables of scores, and how they were made.

    Attributes
    ----------
    matrices : numpy.ndarray
        Tables by systems by systems, of scores whose topic mean has been subtracted; after the shrinkage, if any.
    ridge : float
        To be added to the variances of the differences between systems.
    shrinkages : numpy.ndarray
        The share of the identity matrix in each; 0 unless it was asked for.
    """

    matrices: Array
    ridge: float
    shrinkages: Array


def covariances_of(tables: Array, ridge: float | Literal["shrinkage"] | None, name: str = "X") -> Covariances:
    """The covariance matrices of tables by topics by systems, with the `ridge` of `drank`."""
    count, n, m = tables.shape
    deviations = deviations_of(tables)
    matrices = np.empty((count, m, m))
    for matrix, table in zip(matrices, deviations):
        np.divide(products(np.ascontiguousarray(table.T)), n - 1, out=matrix)
    if not np.isfinite(matrices).all():
        raise ValueError(f"the scores in '{name}' are too large for their covariance to be a number")
    if ridge is None:
        return Covariances(matrices, RIDGE if m >= n else 0.0, np.zeros(count))
    if isinstance(ridge, str) and ridge == "shrinkage":
        shares = shrinkages(deviations, matrices)
        identity = shares * (np.trace(matrices, axis1=1, axis2=2) / m)
        matrices *= each(1 - shares)
        np.einsum("kii->ki", matrices)[...] += identity[:, None]
        return Covariances(matrices, 0.0, shares)
    if not isinstance(ridge, str) and 0 <= real_number(ridge, "ridge") < inf:
        return Covariances(matrices, float(ridge), np.zeros(count))
    raise ValueError(f"'ridge' must be a number from 0 up or 'shrinkage', not {ridge!r}")


def shrinkages(deviations: Array, covariances: Array) -> Array:
    """How much to shrink each covariance towards its mean variance times the identity matrix (Ledoit and Wolf 2004).

    With ||A||^2 the sum of the squares of A, S the covariance with divisor n, x_t the deviations on topic t, and v the
    mean variance in S: d^2 = ||S - v I||^2 and b^2 = 1/n^2 sum_t ||x_t x_t' - S||^2, but at most d^2.  The share of the
    identity is b^2 / d^2 (section 3).
    """
    _, n, m = deviations.shape
    # The share does not depend on the unit, and this unit keeps the fourth powers within the range of doubles.
    unit = np.abs(deviations).max(axis=(1, 2))
    unit = each(np.where(unit > 0, unit, 1.0))
    x, S = deviations / unit, covariances * ((n - 1) / n)
    S /= unit
    S /= unit
    variances = np.einsum("kii->ki", S)
    identity = variances.sum(axis=1, keepdims=True) / m
    squares = np.square(S)
    b2 = (np.square(np.square(x).sum(axis=2)).sum(axis=1) / n - squares.sum(axis=(1, 2))) / n
    np.einsum("kii->ki", squares)[...] = np.square(variances - identity)
    d2 = squares.sum(axis=(1, 2))
    return np.array([min(max(b, 0) / d, 1) if d > 0 else 0.0 for b, d in zip(b2.tolist(), d2.tolist())])


def each(values: Array) -> Array:
    """One number for each matrix, to compute with all of them."""
    return values[:, None, None]
