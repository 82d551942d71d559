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

from .._covariance import correlation_shrinkage, deviations_of, same_systems
from .._kernel.closest import products
from .._scores import Scores

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

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

    values: Array
    shared: Array
    topics: Array
    own: Array


@dataclass(frozen=True)
class MeansModel:
    """True means and noise, fitted to tables of scores of the same systems.

    Attributes
    ----------
    means : numpy.ndarray
        Measures by systems: the observed means, minus the mean over all systems.
    residuals : tuple of numpy.ndarray
        For each measure, topics by systems: scores without the effects of topics and systems.
    same_topics : bool
        Whether the rows of the tables are the same topics, so that the measures share the sample.
    true : numpy.ndarray
        T, measures by measures: the covariance of the true means over systems.
    to_true : numpy.ndarray
        T C^-1, which takes the observed means to the expected true means; C is the covariance of the observed means.
    scatter : numpy.ndarray
        A square root of T - T C^-1 T, the covariance of the true means around that.
    own : numpy.ndarray
        For each system, a triangular square root of the covariance of its noise, measures by measures.
    shrinkage : float
        The share of the noise that each system has of its own: `correlation_shrinkage`.
    first, twin : numpy.ndarray
        The first of the systems with the same scores everywhere, and for each system its place among these.  Systems
        that are the same stay the same in simulations.
    """

    means: Array
    residuals: tuple[Array, ...]
    same_topics: bool
    true: Array
    to_true: Array
    scatter: Array
    own: Array
    shrinkage: float
    first: npt.NDArray[np.intp]
    twin: npt.NDArray[np.intp]

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

    def truths(self, rng: np.random.Generator, size: int) -> Array:
        """Draw true means given the observed ones: measures by `size` by systems that are not the same."""
        k = len(self.means)
        around = rng.standard_normal((size, len(self.first), k)) @ self.scatter.T
        expected = self.to_true @ self.means[:, self.first]
        drawn: Array = np.ascontiguousarray(np.moveaxis(around, 2, 0)) + expected[:, None, :]
        return drawn

    def noise(self, rng: np.random.Generator, size: int) -> Noise:
        """Draw the noise of samples of topics, for systems that are not the same."""
        k, m = len(self.means), len(self.first)
        own = rng.standard_normal((k, size, m))
        values, shared = np.empty((2, k, size, m))
        drawn: list[Array] = []
        for j, rows in enumerate(self.residuals):
            n = len(rows)
            if not drawn or not self.same_topics:
                drawn.append(rng.multinomial(n, np.full(n, 1 / n), size).astype(np.float64))
            shared[j] = products(drawn[-1], np.ascontiguousarray(rows[:, self.first].T)) / n
            values[j] = sqrt(1 - self.shrinkage) * shared[j]
            for i in range(j + 1):
                values[j] += sqrt(self.shrinkage) * self.own[:, j, i] * own[i]
        return Noise(values, shared, np.concatenate(drawn, axis=1), np.concatenate(own, axis=1))

    def correlated(self, truths: Array, other: int, r: Array) -> Array:
        """The true means, changed as little as possible so that the first measure and another are correlated by r.

        Parameters
        ----------
        truths : numpy.ndarray
            As `truths` draws them.
        other : int
            The number of the other measure.
        r : numpy.ndarray
            The correlation for each draw.
        """
        both = [0, other]
        true = self.true[np.ix_(both, both)]
        deviation = np.sqrt(np.diag(true))
        wanted = np.outer(deviation, deviation) * np.where(np.eye(2, dtype=bool), 1.0, r[:, None, None])
        changed: Array = truths.copy()
        changed[both] = np.einsum("sab,bsi->asi", transport(true, wanted), truths[both])
        return changed


def less_noise(observed: Array, noise: Array) -> Array:
    """The covariance of the true means; no direction loses more than all but LEAST_TRUE of its variance."""
    half = root(observed)
    inverse = np.linalg.inv(half)
    shares, directions = np.linalg.eigh(inverse @ noise @ inverse)
    kept = (directions * np.maximum(1 - shares, LEAST_TRUE)) @ directions.T
    true = half @ kept @ half
    symmetric: Array = (true + true.T) / 2
    return symmetric


def root(matrix: Array) -> Array:
    """The symmetric square root of one positive semidefinite matrix, or of many."""
    values, vectors = np.linalg.eigh((matrix + np.swapaxes(matrix, -1, -2)) / 2)
    scaled = vectors * np.sqrt(np.maximum(values, 0))[..., None, :]
    result: Array = scaled @ np.swapaxes(vectors, -1, -2)
    return result


def triangular_root(matrices: Array) -> Array:
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


def transport(given: Array, wanted: Array) -> Array:
    """The symmetric matrices A with A given A = wanted: they change normal variables least in the mean square."""
    half = root(given)
    inverse = np.linalg.inv(half)
    result: Array = inverse @ root(half @ wanted @ half) @ inverse
    return result
