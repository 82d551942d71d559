"""The rank distance between two samples of topics that rank the same systems."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from .._covariance import correlation_shrinkage, deviations_of, same_systems
from .._kernel.closest import products
from .._scores import Scores
from ._distance import Reference

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


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

    def drawn(self, rng: np.random.Generator, topics: int) -> Array:
        """Scores on this many simulated topics, less the means of the systems."""
        shared = products(rng.standard_normal((topics, self.scores.n)), self.deviations)
        own = rng.standard_normal((topics, len(self.first))) * self.own
        drawn: Array = (sqrt(1 - self.shrinkage) * shared + sqrt(self.shrinkage) * own)[:, self.twin]
        return drawn

    def distance(self, rng: np.random.Generator) -> float:
        """The rank distance of the ranking by the second sample from the scores of the first."""
        means = self.scores.means
        values = means + self.drawn(rng, self.scores.n)
        sample = Scores(values, (), (), False)
        # The mean of so many topics is one draw with a variance that is smaller by their number.
        ranking = means + self.drawn(rng, 1)[0] / sqrt(self.topics)
        # Only systems that are the same are tied.
        order = np.lexsort((-sample.means, -ranking)).astype(np.int32)
        squared, _, _ = Reference(sample, self.ridge).closest().point(order)
        return sqrt(self.scores.n * squared)

    def distances(self, task: tuple[np.random.SeedSequence, int]) -> Array:
        """The distances of one block of simulations, from a random stream of its own."""
        source, size = task
        rng = np.random.default_rng(source)
        return np.array([self.distance(rng) for _ in range(size)])
