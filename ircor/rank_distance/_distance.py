"""The covariance of the scores over topics, with a ridge or with shrinkage where it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from .._core.errors import InvalidTypeError, InvalidValueError, Source
from .._core.options import RIDGE as RIDGE_OPTION
from .._core.rounding import EQUAL_MEANS
from .._core.types import Floats, Vector
from .._kernel.closest import Closest, products
from ..data import Scores, ScoreSource, is_table
from ..statistics import deviations_of

if TYPE_CHECKING:
    import numpy.typing as npt

# The paper adds this to the variances if there are at least as many systems as topics.
RIDGE = 1e-5


class Covariances(NamedTuple):
    """The covariance matrices of the systems in several tables of scores, and how they were made."""

    matrices: Floats
    """Tables by systems by systems, of scores whose topic mean has been subtracted; after the shrinkage, if any."""
    ridge: float
    """To be added to the variances of the differences between systems."""
    shrinkages: Floats
    """The share of the identity matrix in each; 0 unless it was asked for."""


def covariances_of(tables: Floats, ridge: float | Literal["shrinkage"] | None, name: str = "X") -> Covariances:
    """The covariance matrices of tables by topics by systems, with the `ridge` of `drank`."""
    count, n, m = tables.shape
    deviations = deviations_of(tables)
    matrices = np.empty((count, m, m))
    for matrix, table in zip(matrices, deviations):
        np.divide(products(np.ascontiguousarray(table.T)), n - 1, out=matrix)
    if not np.isfinite(matrices).all():
        large = "the scores in ", Source(name), " are too large for their covariance to be a number"
        raise InvalidValueError(None, large)
    if ridge is None:
        return Covariances(matrices, RIDGE if m >= n else 0.0, np.zeros(count))
    ridge = RIDGE_OPTION.checked(ridge)
    if ridge == "shrinkage":
        shares = shrinkages(deviations, matrices)
        identity = shares * (np.trace(matrices, axis1=1, axis2=2) / m)
        matrices *= each(1 - shares)
        np.einsum("kii->ki", matrices)[...] += identity[:, None]
        return Covariances(matrices, 0.0, shares)
    return Covariances(matrices, float(ridge), np.zeros(count))


def shrinkages(deviations: Floats, covariances: Floats) -> Floats:
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


def each(values: Floats) -> Floats:
    """One number for each matrix, to compute with all of them."""
    return values[:, None, None]


def reference_scores(X: ScoreSource, function: str) -> Scores:
    """The table of scores, which is the first argument of the function; a ranking in its place is refused."""
    if not is_table(X) and (isinstance(X, Mapping) or dimensions(X) == 1):
        must = "must be a table of scores, topics by systems; the ranking comes second"
        raise InvalidTypeError("X", must, f"{function}(X, y)")
    return Scores.of(X)


def dimensions(value: Any) -> int | None:
    """The number of dimensions; None for lists of different lengths."""
    try:
        return np.ndim(value)
    except ValueError:
        return None


def drank(X: ScoreSource, y: Vector | ScoreSource, *, ridge: float | Literal["shrinkage"] | None = None) -> float:
    """The rank distance between a ranking of systems and the ranking by their mean scores.

    This is the smallest distance from the mean scores to a point at which the systems are in y's order, measured by the
    covariance of the scores over topics.  It is 0 if the mean scores are in that order.  It has no upper bound, and it
    depends on the numbers of systems and topics: use `drank_test` to interpret it.

    Parameters
    ----------
    X : 2-D array, DataFrame or Scores
        Scores, topics by systems: the reference.  They tell which differences between systems are large.
    y : array, Series, DataFrame or Scores
        The ranking: one number for each system, greater is better, of which only the order counts; or a table of
        scores, topics by systems, whose means rank the systems.  A Series, and a table with names, is matched to the
        systems of X by name, anything else by position.  If X has no names, its systems are numbered from 0.

        Tied systems are ordered by their means in X, so a tie never counts as a swap.  Means of a table, and numbers of
        a vector of floats, are tied if they differ by rounding alone: by no more than 2^-40, about 1e-12, of the
        largest score or number.  Integers are tied only if they are equal.
    ridge : float or "shrinkage", optional
        Added to the variances of the differences between systems.  By default 1e-5 if X has at least as many systems
        as topics, as in the paper; 0 otherwise.  With a ridge, the distance depends on the scale of the scores.

        "shrinkage" adds no ridge, but shrinks the covariance matrix towards the mean variance times the identity
        matrix, as much as Ledoit and Wolf (2004) estimate to be best.  The distance does not depend on the scale.

    Returns
    -------
    float
        Infinity if no point has y's order: for example, if y ranks B ahead of A, but the score of A is that of B plus
        the same number on every topic.  That can happen only without a ridge.

    Raises
    ------
    TypeError
        If X or y is not numeric, or X is a ranking.
    ValueError
        If X has missing scores, fewer than two topics or systems, or two systems with the same name; or if y does not
        match the systems of X.

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, equation (2) and algorithm 1.

    O. Ledoit and M. Wolf (2004). A Well-Conditioned Estimator for Large-Dimensional Covariance Matrices. Journal of
    Multivariate Analysis 88(2), 365-411.

    Examples
    --------
    Average precision of the systems A, B and C on four topics.  Precision at 10 ranks them B, C, A:

    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> round(drank(AP, [0.5, 0.75, 0.7]), 2)
    0.65
    >>> round(drank(AP, [3, 2, 1]), 2)      # A, by far the worst system, comes first
    4.88
    """
    scores = reference_scores(X, "drank")
    return Reference(scores, ridge).nearest(scores.ranks(y)).distance


def rounding(size: float) -> tuple[float, float]:
    """The `noise` and `tied` of the solver, for scores of this size."""
    # An upper bound of the rounding errors in the scores.
    noise = 8 * np.finfo(np.float64).eps * size
    return noise**2, EQUAL_MEANS * size


class Nearest(NamedTuple):
    """The point nearest to the mean scores at which the systems are in a given order."""

    distance: float
    """The rank distance; infinity if no point has this order."""
    order: npt.NDArray[np.int32]
    """The columns of the systems, best first."""
    theta: Floats
    """The point: how far each system of `order` but the last is ahead of the next one; nan if there is none."""
    equalised: npt.NDArray[np.int64]
    """The k for which the systems k and k + 1 of `order` were made equal; none if there is no such point."""


class Reference:
    """The mean scores and their covariance, shared by all distances from one table of scores.

    Attributes
    ----------
    scores : Scores
    covariance : numpy.ndarray
        Systems by systems, of scores whose topic mean has been subtracted; after the shrinkage, if any.
    ridge : float
        Added to the variances of the differences.
    shrinkage : float
        The share of the identity matrix in the covariance; 0 unless it was asked for.
    method : float or "shrinkage"
        The `ridge` that gives other tables of as many topics and systems the same treatment.
    """

    def __init__(self, scores: Scores, ridge: float | Literal["shrinkage"] | None) -> None:
        self.scores = scores
        matrices, self.ridge, shares = covariances_of(scores.values[None], ridge, scores.name)
        self.covariance, self.shrinkage = matrices[0], float(shares[0])
        self.method: float | Literal["shrinkage"] = "shrinkage" if ridge == "shrinkage" else self.ridge

    def closest(self) -> Closest:
        """A solver of its own for each thread, because a solver has scratch memory."""
        return Closest(self.scores.means, self.covariance, self.ridge, *rounding(self.scores.size))

    def nearest(self, ranks: npt.NDArray[Any]) -> Nearest:
        """The nearest point at which the systems are in the order of these ranks."""
        order = self.scores.order(ranks)
        squared, theta, multipliers = self.closest().point(order)
        # Of two pairs that become equal together, only one needs a multiplier.
        equalised = (multipliers > 0) | ((theta == 0) & (np.diff(self.scores.means[order]) != 0))
        return Nearest(sqrt(self.scores.n * squared), order, theta, np.flatnonzero(equalised))
