"""A model of mean scores, to simulate from: the true means of the systems, and the noise of a sample of topics.

The observed mean of a system under a measure is its true mean, over all topics there could be, plus the noise of the
sample.  The noise makes two rankings less alike, or more alike if it is the same in both.  Resampling the topics adds a
second noise to the first, so the resamples show neither the true means nor other samples of topics.  The model takes
the first noise off before it adds another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._core.types import Floats
from .._kernel.closest import products
from ..data import Scores

if TYPE_CHECKING:
    import numpy.typing as npt

# The least share of a variance that is taken to be true, where the estimate is less or negative.
LEAST_TRUE = 0.02
# The largest share of the noise that systems may have of their own: the rest shows how the statistic depends on topics.
MOST_OWN = 0.9
# Added to variances, relative to their size, so that measures that are proportional to each other have a covariance
# matrix with an inverse.
TINY = 1e-9


class Noise(NamedTuple):
    """Simulated noise of samples of topics.

    Attributes
    ----------
    values : numpy.ndarray
        Measures by samples by systems: what the sample adds to the true mean.
    shared : numpy.ndarray
        The same without shrinkage of the correlations between systems: the noise of resampled topics.
    topics : numpy.ndarray
        Samples by topics: how often each topic was drawn.
    own : numpy.ndarray
        Samples by (measures times systems): the standard normal part of each system alone.
    """

    values: Floats
    shared: Floats
    topics: Floats
    own: Floats


@dataclass(frozen=True)
class MeansModel:
    """True means and noise, fitted to tables of scores of the same systems."""

    means: Floats
    """Measures by systems: the observed means, minus the mean over all systems."""
    residuals: tuple[Floats, ...]
    """For each measure, topics by systems: scores without the effects of topics and systems."""
    same_topics: bool
    """Whether the rows of the tables are the same topics, so that the measures share the sample."""
    true: Floats
    """T, measures by measures: the covariance of the true means over systems."""
    to_true: Floats
    """T C^-1, which takes the observed means to the expected true means; C is the covariance of the observed means."""
    scatter: Floats
    """A square root of T - T C^-1 T, the covariance of the true means around that."""
    own: Floats
    """For each system, a triangular square root of the covariance of its noise, measures by measures."""
    shrinkage: float
    """The share of the noise that each system has of its own: `correlation_shrinkage`."""
    first: npt.NDArray[np.intp]
    twin: npt.NDArray[np.intp]
    """The first of the systems with the same scores everywhere, and for each system its place among these.  Systems
    that are the same stay the same in simulations.
    """

    @classmethod
    def fitted(cls, tables: Sequence[Scores], same_topics: bool = True) -> MeansModel:
        """Fit the model by moments: the covariance of the true means is that of the observed means minus the noise."""
        k, m = len(tables), tables[0].m
        # Rankings do not depend on the unit of the scores, so neither may the model, whose TINY would.
        scaled = [table.values / (table.size or 1.0) for table in tables]
        means = np.array([values.mean(axis=0) for values in scaled])
        means -= means.mean(axis=1, keepdims=True)
        residuals = tuple(deviations_of(values) * sqrt(len(values) / (len(values) - 1)) for values in scaled)
        # The covariance of the noise of each system, measures by measures; 0 between measures on different topics.
        noise = np.zeros((m, k, k))
        for a, r in enumerate(residuals):
            for b, q in enumerate(residuals):
                if a == b or same_topics:
                    noise[:, a, b] = (r * q).mean(axis=0) / len(r)
        observed = means @ means.T / (m - 1)
        observed += TINY * max(np.trace(observed), np.finfo(np.float64).tiny) * np.eye(k)
        true = less_noise(observed, noise.sum(axis=0) / (m - 1))
        to_true = true @ np.linalg.inv(observed)
        first, twin = same_systems(*(table.values for table in tables))
        return cls(
            means,
            residuals,
            same_topics,
            true,
            to_true,
            root(true - to_true @ true),
            triangular_root(noise[first]),
            min(correlation_shrinkage(*residuals), MOST_OWN),
            first,
            twin,
        )

    @property
    def cost(self) -> int:
        """The numbers that one simulated sample takes."""
        return int(self.means.size + sum(len(rows) for rows in self.residuals))

    def truths(self, rng: np.random.Generator, size: int) -> Floats:
        """Draw true means given the observed ones: measures by `size` by systems that are not the same."""
        k = len(self.means)
        around = rng.standard_normal((size, len(self.first), k)) @ self.scatter.T
        expected = self.to_true @ self.means[:, self.first]
        drawn: Floats = np.ascontiguousarray(np.moveaxis(around, 2, 0)) + expected[:, None, :]
        return drawn

    def noise(self, rng: np.random.Generator, size: int) -> Noise:
        """Draw the noise of samples of topics, for systems that are not the same."""
        k, m = len(self.means), len(self.first)
        own = rng.standard_normal((k, size, m))
        values, shared = np.empty((2, k, size, m))
        drawn: list[Floats] = []
        for j, rows in enumerate(self.residuals):
            n = len(rows)
            if not drawn or not self.same_topics:
                drawn.append(rng.multinomial(n, np.full(n, 1 / n), size).astype(np.float64))
            shared[j] = products(drawn[-1], np.ascontiguousarray(rows[:, self.first].T)) / n
            values[j] = sqrt(1 - self.shrinkage) * shared[j]
            for i in range(j + 1):
                values[j] += sqrt(self.shrinkage) * self.own[:, j, i] * own[i]
        return Noise(values, shared, np.concatenate(drawn, axis=1), np.concatenate(own, axis=1))

    def correlated(self, truths: Floats, other: int, r: Floats) -> Floats:
        """The true means that `truths` draws, changed as little as possible so that the first measure and the measure
        with the number `other` are correlated by r, which has a number for each draw.
        """
        both = [0, other]
        true = self.true[np.ix_(both, both)]
        deviation = np.sqrt(np.diag(true))
        wanted = np.outer(deviation, deviation) * np.where(np.eye(2, dtype=bool), 1.0, r[:, None, None])
        changed: Floats = truths.copy()
        changed[both] = np.einsum("sab,bsi->asi", transport(true, wanted), truths[both])
        return changed


def less_noise(observed: Floats, noise: Floats) -> Floats:
    """The covariance of the true means; no direction loses more than all but LEAST_TRUE of its variance."""
    half = root(observed)
    inverse = np.linalg.inv(half)
    shares, directions = np.linalg.eigh(inverse @ noise @ inverse)
    kept = (directions * np.maximum(1 - shares, LEAST_TRUE)) @ directions.T
    true = half @ kept @ half
    symmetric: Floats = (true + true.T) / 2
    return symmetric


def root(matrix: Floats) -> Floats:
    """The symmetric square root of one positive semidefinite matrix, or of many."""
    values, vectors = np.linalg.eigh((matrix + np.swapaxes(matrix, -1, -2)) / 2)
    scaled = vectors * np.sqrt(np.maximum(values, 0))[..., None, :]
    result: Floats = scaled @ np.swapaxes(vectors, -1, -2)
    return result


def triangular_root(matrices: Floats) -> Floats:
    """The lower triangular square roots of positive semidefinite matrices."""
    result = np.zeros_like(matrices)
    for j in range(matrices.shape[1]):
        for i in range(j + 1):
            rest = matrices[:, j, i] - (result[:, j, :i] * result[:, i, :i]).sum(axis=1)
            pivot = result[:, i, i]
            if i == j:
                result[:, j, j] = np.sqrt(np.maximum(rest, 0))
            else:
                result[:, j, i] = np.divide(rest, pivot, out=np.zeros_like(rest), where=pivot > 0)
    return result


def transport(given: Floats, wanted: Floats) -> Floats:
    """The symmetric matrices A with A given A = wanted: they change normal variables least in the mean square."""
    half = root(given)
    inverse = np.linalg.inv(half)
    result: Floats = inverse @ root(half @ wanted @ half) @ inverse
    return result


def deviations_of(X: Floats) -> Floats:
    """The scores less the mean of their topic and the mean of their system; of one table, or of each of several.

    The difficulty of a topic cancels in every difference between systems; with it, the covariance would lose digits.
    """
    centred = X - X.mean(axis=-1, keepdims=True)
    return np.asarray(centred - centred.mean(axis=-2, keepdims=True))


def same_systems(*tables: Floats) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The first of the systems with the same scores in all tables, and for each system its place among these."""
    _, first, twin = np.unique(np.concatenate(tables), axis=1, return_index=True, return_inverse=True)
    return first, twin.reshape(-1)


def correlation_shrinkage(*deviations: Floats) -> float:
    """The share by which to shrink the correlations between systems, so that their squares have about the right mean.

    The squares of the correlations in a sample are too large by their sampling variance.  With v the sum of these
    variances over all tables of `deviations_of`, as estimated by Schaefer and Strimmer (2005, A Shrinkage Approach to
    Large-Scale Covariance Matrix Estimation and Implications for Functional Genomics, Statistical Applications in
    Genetics and Molecular Biology 4(1), 32), and s the sum of the squares, correlations times sqrt(1 - v/s) have
    squares that add up to s - v.
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
