"""The covariance of the scores over topics, with a ridge or with shrinkage where it is needed."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from .._covariance import deviations_of
from .._kernel.closest import products
from .._options import real_number
from .._scores import Scores

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

# The paper adds this to the variances if there are at least as many systems as topics.
RIDGE = 1e-5


class Covariance(NamedTuple):
    """The covariance matrix of the systems, and how it was made.

    Attributes
    ----------
    matrix : numpy.ndarray
        Systems by systems, of scores whose topic mean has been subtracted; after the shrinkage, if any.
    ridge : float
        To be added to the variances of the differences between systems.
    shrinkage : float
        The share of the identity matrix; 0 unless it was asked for.
    """

    matrix: Array
    ridge: float
    shrinkage: float


def covariance_of(scores: Scores, ridge: float | Literal["shrinkage"] | None) -> Covariance:
    """The covariance matrix of the scores, with the `ridge` of `drank`."""
    deviations = deviations_of(scores.values)
    matrix = products(np.ascontiguousarray(deviations.T)) / (scores.n - 1)
    if not np.isfinite(matrix).all():
        raise ValueError(f"the scores in '{scores.name}' are too large for their covariance to be a number")
    if ridge is None:
        return Covariance(matrix, RIDGE if scores.m >= scores.n else 0.0, 0.0)
    if isinstance(ridge, str) and ridge == "shrinkage":
        share = shrinkage(deviations, matrix)
        return Covariance((1 - share) * matrix + share * (np.trace(matrix) / scores.m) * np.eye(scores.m), 0.0, share)
    if not isinstance(ridge, str) and 0 <= real_number(ridge, "ridge") < inf:
        return Covariance(matrix, float(ridge), 0.0)
    raise ValueError(f"'ridge' must be a number from 0 up or 'shrinkage', not {ridge!r}")


def shrinkage(deviations: Array, covariance: Array) -> float:
    """How much to shrink the covariance towards its mean variance times the identity matrix (Ledoit and Wolf 2004).

    With ||A||^2 the sum of the squares of A, S the covariance with divisor n, x_t the deviations on topic t, and v the
    mean variance in S: d^2 = ||S - v I||^2 and b^2 = 1/n^2 sum_t ||x_t x_t' - S||^2, but at most d^2.  The share of the
    identity is b^2 / d^2 (section 3).
    """
    n, m = deviations.shape
    # The share does not depend on the unit, and this unit keeps the fourth powers within the range of doubles.
    unit = float(np.abs(deviations).max()) or 1.0
    x, S = deviations / unit, covariance * ((n - 1) / n) / unit / unit
    d2 = np.square(S - np.trace(S) / m * np.eye(m)).sum()
    b2 = (np.square(np.square(x).sum(axis=1)).sum() / n - np.square(S).sum()) / n
    return float(min(max(b2, 0) / d2, 1)) if d2 > 0 else 0.0
