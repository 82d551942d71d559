"""The rank distance between two samples of topics that rank the same systems."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from .._covariance import correlation_shrinkage, deviations_of, same_systems
from .._kernel.closest import products, squared_distances
from .._scores import EQUAL_MEANS, Scores, tie_means
from ._covariance import covariances_of
from ._distance import rounding

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


# Normal numbers and covariances that are computed together: as many as the cache of a processor holds.
NUMBERS_AT_ONCE = 2**16


@dataclass(frozen=True)
class TwoSamples:
    """Simulates two samples of topics: scores from the first, and a ranking from the second.

    The scores are normal, with the means of the table and its covariance, in which the correlations are shrunk by
    `correlation_shrinkage`.

    Attributes
    ----------
    scores : Scores
        The table.
    topics : int
        The number of topics of the second sample.
    ridge : float or "shrinkage"
        As for `drank`.
    deviations : numpy.ndarray
        Systems by topics, of the systems that are not the same: the products of their rows are the covariance.
    own : numpy.ndarray
        The standard deviation of each system.
    shrinkage : float
        The share of the variance that each system has of its own.
    first, twin : numpy.ndarray
        The first of the systems with the same scores everywhere, and for each system its place among these.
    """

    scores: Scores
    topics: int
    ridge: float | Literal["shrinkage"]
    deviations: Array
    own: Array
    shrinkage: float
    first: npt.NDArray[np.intp]
    twin: npt.NDArray[np.intp]

    @classmethod
    def of(cls, scores: Scores, topics: int, ridge: float | Literal["shrinkage"]) -> TwoSamples:
        deviations = deviations_of(scores.values)
        first, twin = same_systems(scores.values)
        scaled = np.ascontiguousarray(deviations[:, first].T) / sqrt(scores.n - 1)
        own = np.sqrt(np.square(scaled).sum(axis=1))
        share = correlation_shrinkage(deviations)
        return cls(scores, topics, ridge, scaled, own, share, first, twin)

    def drawn(self, shared: Array, own: Array) -> Array:
        """Scores on simulated topics, less the means of the systems, from normal numbers: samples by topics by systems.

        `shared` has as many numbers for each topic as the table has topics, and `own` one for each different system.
        """
        count, topics, n = shared.shape
        covarying = products(np.ascontiguousarray(shared.reshape(count * topics, n)), self.deviations)
        drawn = sqrt(1 - self.shrinkage) * covarying.reshape(own.shape) + sqrt(self.shrinkage) * (own * self.own)
        # The topics of a system are next to each other in memory.  How NumPy adds them up depends on it.
        by_system = np.ascontiguousarray(drawn.swapaxes(1, 2))
        copied: Array = by_system.take(self.twin, axis=1).swapaxes(1, 2)
        return copied

    def distances(self, task: tuple[np.random.SeedSequence, int]) -> Array:
        """The distances of one block of simulations, from a random stream of its own."""
        source, size = task
        rng = np.random.default_rng(source)
        n, different = self.scores.n, len(self.first)
        lengths = np.array([n * n, n * different, n, different])
        step = max(1, NUMBERS_AT_ONCE // int(lengths.sum() + self.scores.m**2))
        found = []
        for start in range(0, size, step):
            count = min(step, size - start)
            numbers = np.split(rng.standard_normal((count, lengths.sum())), np.cumsum(lengths)[:-1], axis=1)
            first = self.drawn(*(part.reshape(count, n, -1) for part in numbers[:2]))
            # The mean of so many topics is one draw with a variance that is smaller by their number.
            second = self.drawn(*(part.reshape(count, 1, -1) for part in numbers[2:]))[:, 0] / sqrt(self.topics)
            found.append(self.distances_between(self.scores.means + first, self.scores.means + second))
        return np.concatenate(found)

    def distances_between(self, tables: Array, rankings: Array) -> Array:
        """The rank distance of each ranking from the table of scores with the same number."""
        sizes = np.abs(tables).max(axis=(1, 2))
        means = tables.mean(axis=1)
        # Rows without a tie, which are nearly all, stay as they are.
        for k in np.flatnonzero(~(np.diff(np.sort(means)) > (sizes * EQUAL_MEANS)[:, None]).all(axis=1)):
            means[k] = tie_means(means[k], float(sizes[k]))
        matrices, ridge, _ = covariances_of(tables, self.ridge)
        # Only systems that are the same are tied.
        orders = np.lexsort((-means, -rankings)).astype(np.int32)
        noise, tied = np.array([rounding(size) for size in sizes.tolist()]).T
        squared = squared_distances(means, matrices, ridge, np.array(noise), np.array(tied), orders)
        distances: Array = np.sqrt(self.scores.n * squared)
        return distances
