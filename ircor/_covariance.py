"""Covariances between systems over topics, when there are about as many systems as topics or more.

The covariance matrix of a sample has the right mean, but its eigenvalues are too far apart: the correlations between
systems look stronger than they are.  Shrinkage makes up for it.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ._kernel.closest import products

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


def deviations_of(X: Array) -> Array:
    """The scores less the mean of their topic and the mean of their system; of one table, or of each of several.

    The difficulty of a topic cancels in every difference between systems; with it, the covariance would lose digits.
    """
    centred = X - X.mean(axis=-1, keepdims=True)
    return np.asarray(centred - centred.mean(axis=-2, keepdims=True))


def same_systems(*tables: Array) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The first of the systems with the same scores in all tables, and for each system its place among these."""
    _, first, twin = np.unique(np.concatenate(tables), axis=1, return_index=True, return_inverse=True)
    return first, twin.reshape(-1)


def correlation_shrinkage(*deviations: Array) -> float:
    """The share by which to shrink the correlations between systems, so that their squares have about the right mean.

    The squares of the correlations in a sample are too large by their sampling variance.  With v the sum of these
    variances, as estimated by Schaefer and Strimmer (2005), and s the sum of the squares, correlations times
    sqrt(1 - v/s) have squares that add up to s - v.

    References
    ----------
    J. Schaefer and K. Strimmer (2005). A Shrinkage Approach to Large-Scale Covariance Matrix Estimation and
    Implications for Functional Genomics. Statistical Applications in Genetics and Molecular Biology 4(1), 32.

    Parameters
    ----------
    *deviations : 2-D array
        Topics by systems, as `deviations_of` returns them.  The sums run over all of the tables.
    """
    variances = squares = 0.0
    for table in deviations:
        n = len(table)
        scale = np.sqrt((table**2).mean(axis=0))
        z = np.divide(table, scale, out=np.zeros_like(table), where=scale > 0)
        # The correlation of two systems is the mean of the products of their z over topics; this is its variance.
        correlations = products(np.ascontiguousarray(z.T)) / n
        variance = (products(np.ascontiguousarray((z**2).T)) / n - correlations**2) / (n - 1)
        off = ~np.eye(len(correlations), dtype=bool)
        variances += float(variance[off].sum())
        squares += float((correlations[off] ** 2).sum())
    return 1 - sqrt(1 - min(1.0, variances / squares)) if squares else 0.0
