"""The rank distance of one ranking: equation (2) of Carterette (2009)."""

from __future__ import annotations

from math import inf, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._kernel.closest import Closest
from .._options import real_number
from .._scores import Scores

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

# The paper adds this to the variances if the covariance matrix has no inverse.
RIDGE = 1e-5


def drank(y: Any, X: Any, *, ridge: float | None = None) -> float:
    """The rank distance between a ranking of systems and the ranking by their mean scores.

    This is the smallest distance from the mean scores to a point at which the systems are in y's order, measured by the
    covariance of the scores over topics.  It is 0 if the mean scores are in that order.  It has no upper bound, and it
    depends on the numbers of systems and topics: use `drank_test` to interpret it.

    Parameters
    ----------
    y : array, Series, DataFrame or Scores
        The ranking: one number for each system, greater is better, of which only the order counts; or a table of
        scores, topics by systems, whose means rank the systems.  A Series, and a table with names if X has names too,
        is matched to the systems of X by name, anything else by position.

        Tied systems are ordered by their means in X, so a tie never counts as a swap.  Means of a table that differ by
        rounding alone are tied.  The numbers of a vector are tied only if they are equal: pass the table, or round the
        means before you pass them.
    X : 2-D array, DataFrame or Scores
        Scores, topics by systems.
    ridge : float, optional
        Added to the variances of the differences between systems.  By default 1e-5 if X has at least as many systems
        as topics or its covariance matrix is singular, as in the paper; 0 otherwise.

    Returns
    -------
    float

    Raises
    ------
    TypeError
        If X or y is not numeric.
    ValueError
        If X has missing scores, fewer than two topics or systems, or two systems with the same name; if y does not
        match the systems of X; or if the covariance matrix is singular and the ridge is 0.

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, equation (2) and algorithm 1.

    Examples
    --------
    Average precision of the systems A, B and C on four topics.  Precision at 10 ranks them B, C, A:

    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> round(drank([0.5, 0.75, 0.7], AP), 2)
    0.65
    >>> round(drank([3, 2, 1], AP), 2)      # A, by far the worst system, comes first
    4.88
    """
    scores = Scores.of(X)
    return Reference(scores, ridge).nearest(scores.ranks(y)).distance


class Nearest(NamedTuple):
    """The point nearest to the mean scores at which the systems are in a given order.

    Attributes
    ----------
    distance : float
        The rank distance.
    order : numpy.ndarray
        The columns of the systems, best first.
    theta : numpy.ndarray
        The point: how far each system of `order` but the last is ahead of the next one.
    equalised : numpy.ndarray
        The k for which the systems k and k + 1 of `order` were made equal.
    """

    distance: float
    order: npt.NDArray[np.int32]
    theta: Array
    equalised: npt.NDArray[np.int64]


class Reference:
    """The mean scores and their covariance, shared by all distances from one table of scores.

    Attributes
    ----------
    scores : Scores
    covariance : numpy.ndarray
        Systems by systems, of scores whose topic mean has been subtracted.
    noise : float
        An upper bound of the rounding errors in the scores.
    ridge : float
        Added to the variances of the differences.
    """

    def __init__(self, scores: Scores, ridge: float | None) -> None:
        # The difficulty of a topic cancels in every difference; with it, the covariance would lose digits.
        centred = scores.values - scores.values.mean(axis=1, keepdims=True)
        self.scores = scores
        self.covariance = np.ascontiguousarray(np.atleast_2d(np.cov(centred, rowvar=False)))
        self.noise = 8 * np.finfo(np.float64).eps * scores.size
        if not np.isfinite(self.covariance).all():
            raise ValueError(f"the scores in '{scores.name}' are too large for their covariance to be a number")
        if ridge is None:
            self.ridge = RIDGE if scores.m >= scores.n or self.is_singular(centred) else 0.0
        elif 0 <= real_number(ridge, "ridge") < inf:
            self.ridge = float(ridge)
        else:
            raise ValueError(f"'ridge' must be a number from 0 up, not {ridge!r}")

    def is_singular(self, centred: Array) -> bool:
        """Whether the differences between the systems are linearly dependent, up to rounding."""
        n, m = centred.shape
        singular_values = np.linalg.svd(centred - centred.mean(axis=0), compute_uv=False)
        least = max(np.finfo(np.float64).eps * max(n, m) * singular_values[0], sqrt(n) * self.noise)
        return bool(np.count_nonzero(singular_values > least) < m - 1)

    def closest(self) -> Closest:
        """A solver of its own for each thread, because a solver has scratch memory."""
        return Closest(self.scores.means, self.covariance, self.ridge, self.noise**2)

    def nearest(self, ranks: npt.NDArray[Any]) -> Nearest:
        """The nearest point at which the systems are in the order of these ranks."""
        order = self.scores.order(ranks)
        squared, theta, multipliers = self.closest().point(order)
        return Nearest(sqrt(self.scores.n * squared), order, theta, np.flatnonzero(multipliers > 0))
