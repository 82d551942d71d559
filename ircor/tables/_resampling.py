"""Coefficients between rankings of systems by their means over samples of topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from .._kernel import Totals, totals_of_resamples
from .._methods import Method
from .._parallel import in_parallel, random_blocks, slices
from .._progress import Progress
from .._scores import Scores

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[np.float64]

Values: TypeAlias = "Array | ValueError"
"""A coefficient on each of some samples, or the error of a coefficient that refuses the ties in one of them."""


class Resampled(NamedTuple):
    """A coefficient on the topics as given, and on each resample."""

    observed: float
    distribution: Array


@dataclass(frozen=True)
class Resampling:
    """The coefficients to compute on each sample of topics, between the ranking of systems in X and others.

    Attributes
    ----------
    x : Scores
        The table X.
    comparisons : sequence of (Scores, sequence of Method)
        Tables Y, each with the coefficients to compute between X and Y.
    stop_at_ties : bool
        Whether the error of a coefficient that refuses ties is raised at once.  If not, it is the outcome of this
        coefficient, and the others are not affected.
    """

    x: Scores
    comparisons: Sequence[tuple[Scores, Sequence[Method]]]
    stop_at_ties: bool

    def run(
        self, resamples: int, seed: int | None, n_jobs: int | None, progress: Progress
    ) -> tuple[int, list[Resampled | ValueError]]:
        """The seed, drawn if None, and the outcome for each coefficient, in the order of the comparisons."""
        seed, blocks = random_blocks(seed, resamples)
        observed = self.values(np.arange(self.x.n, dtype=np.int32)[None, :])
        if all(isinstance(value, ValueError) for value in observed):
            blocks = []
        done = in_parallel(self.block, blocks, n_jobs, progress)
        outcomes: list[Resampled | ValueError] = []
        for parts in zip(observed, *done):
            values = joined(parts)
            outcomes.append(values if isinstance(values, ValueError) else Resampled(float(values[0]), values[1:]))
        return seed, outcomes

    def block(self, task: tuple[np.random.SeedSequence, int]) -> list[Values]:
        """The values on one block of resamples, which are drawn from a random stream of their own."""
        source, size = task
        draws = np.random.default_rng(source).integers(0, self.x.n, (size, self.x.n), dtype=np.int32)
        # To rank a system takes about as long as to add up 20 scores.
        parts = [self.values(draws[part]) for part in slices(size, self.x.m * (self.x.n + 20))]
        return [joined(values) for values in zip(*parts)]

    def values(self, draws: npt.NDArray[np.int32]) -> list[Values]:
        """The values on some samples of topics.  A sample is ranked once for all coefficients with the same table."""
        found: list[Values] = []
        for y, methods in self.comparisons:
            sums = frozenset[str]().union(*(method.sums for method in methods))
            d = totals_of_resamples(self.x.values, y.values, draws, self.x.noise, y.noise, True, sums)
            for method in methods:
                error = refusal(method, d)
                if error and self.stop_at_ties:
                    raise error
                found.append(error or method.formula(d))
        return found


def refusal(method: Method, d: Totals) -> ValueError | None:
    """The error of a method that refuses ties, if there are any in the samples."""
    for argument, side in (("x", d.x), ("y", d.y)):
        if argument in method.untied and side.tied_pairs.any():
            return ValueError(
                f"'{argument.upper()}' contains ties. Two systems have the same mean, over the topics or over a "
                "sample of them; the variants _a (ties in 'Y') and _b (in both) allow them."
            )
    return None


def joined(parts: Sequence[Values]) -> Values:
    """All values in one array, or the first error."""
    arrays = []
    for values in parts:
        if isinstance(values, ValueError):
            return values
        arrays.append(values)
    return np.concatenate(arrays)
