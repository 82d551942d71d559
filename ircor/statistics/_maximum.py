"""Which pairs of systems differ: the greatest studentized difference of a family of pairs, with its distribution.

A pair is decided if its statistic is above the quantile of the greatest statistic of its family.  The step-down repeats
this with the pairs that are not decided yet (Romano and Wolf 2005).  Decided pairs are always those with the greatest
statistics, so with the pairs in order, what is left is a beginning of the list: the maxima over the beginnings are
computed once, and no array has a number for each pair and each draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import ceil, inf, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .._core.options import PlacesKind, PlacesMethod
from .._core.rounding import EQUAL_MEANS
from .._core.types import Floats
from .._core.work import Resampling, in_parallel, random_phases
from .._kernel.closest import products
from .._kernel.greatest import ROUNDED_UP_TO, greatest_of, sums_of
from ..data import Scores

if TYPE_CHECKING:
    import numpy.typing as npt

    Indices: TypeAlias = npt.NDArray[np.intp]
    Numbers: TypeAlias = npt.NDArray[np.float32]

# Pairs whose maxima are kept together, and pairs whose shifts stay in the processor's cache.
PAIRS, TOGETHER = 96, 16

MODERATION = 0.5
"""The share of the median variance of all pairs in the variance of a pair, for the bootstrap; less with few pairs.

A pair with a very small variance on a few topics, by chance, would else decide how great the greatest statistic is.
"""

MONTE_CARLO_ERRORS = 2.0
"""A decision is sure if it is the same with the critical values this many standard errors away."""


@dataclass(frozen=True, eq=False)
class Draws:
    """Random weights of the topics of one table, and the deviations of its systems on them.

    Attributes
    ----------
    deviations : numpy.ndarray
        Topics by systems: scores minus the means of the systems; or a root of the covariance matrix of the means.
    means : numpy.ndarray
    variances : numpy.ndarray
        Systems by systems: the variances of the differences of two means; 0 for those that rounding alone makes.
    moderation : float
        The share of `prior` in the variances of the statistics; 0 for normal draws.
    prior : float
        The median of the variances that are not 0.
    weights : numpy.ndarray
        Topics by draws: normal ones, or how often a resample has the topic; with more draws than are used, as many as
        the kernel takes together.
    draws : int
    """

    deviations: Floats = field(repr=False)
    means: Floats = field(repr=False)
    variances: Floats = field(repr=False)
    moderation: float
    prior: float
    weights: Numbers = field(repr=False)
    draws: int

    @classmethod
    def of_scores(cls, scores: Scores, method: PlacesMethod, weights: Numbers, draws: int) -> Draws:
        """The draws for a table of scores; the weights are those of `drawn_weights`."""
        n = scores.n
        # Far from 0, the squares of scores have more rounding errors than those of deviations.
        deviations = scores.values - scores.values.mean(axis=1, keepdims=True)
        deviations -= deviations.mean(axis=0)
        variances = np.empty((scores.m, scores.m))
        for i in range(scores.m):
            variances[i] = ((deviations - deviations[:, i : i + 1]) ** 2).sum(axis=0)
        variances[variances <= n * (scores.size * EQUAL_MEANS) ** 2] = 0
        variances /= n * (n - 1)
        if method == "normal":
            return cls(deviations / sqrt(n * (n - 1)), scores.means, variances, 0.0, 0.0, weights, draws)
        apart = variances[np.triu_indices(scores.m, 1)]
        different = apart[apart > 0]
        prior = float(np.median(different)) if different.size else 0.0
        moderation = MODERATION * different.size / (different.size + 1)
        # So the resamples have the variance that the sample estimates.
        resampled = deviations * sqrt(n / (n - 1))
        return cls(resampled, scores.means, variances, moderation, prior, weights, draws)

    @property
    def statistics(self) -> Floats:
        """Systems by systems: the studentized differences; inf for a constant difference, 0 for equal systems."""
        error = np.sqrt((1 - self.moderation) * self.variances + self.moderation * self.prior)
        difference = self.means[:, None] - self.means
        constant = np.where(difference == 0, 0.0, np.copysign(inf, difference))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.variances > 0, difference / error, constant)

    @cached_property
    def shifts(self) -> npt.NDArray[Any]:
        """Systems by draws: how far each draw moves the means."""
        by_system = np.ascontiguousarray(self.deviations.T)
        if not self.moderation:
            moved: npt.NDArray[Any] = products(by_system, np.ascontiguousarray(self.weights.T, np.float64))
            return moved
        return sums_of((by_system / len(self.deviations)).astype(np.float32), self.weights)

    def maxima(self, first: Indices, second: Indices) -> Numbers:
        """For each draw, the greatest statistic of these pairs."""
        n = len(self.deviations)
        error = np.sqrt((1 - self.moderation) * self.variances[first, second] + self.moderation * self.prior)[:, None]
        if not self.moderation:
            z = np.zeros(self.weights.shape[1])
            for pairs in slices_of(len(first), TOGETHER):
                apart = np.abs(self.shifts[first[pairs]] - self.shifts[second[pairs]]) / error[pairs]
                np.maximum(z, apart.max(axis=0), out=z)
            return z[: self.draws].astype(np.float32)
        # Of a resample, let z be the mean of the deviations u of a pair in standard errors, and q that of u^2.  The
        # squared statistic is z^2 / (c (q - z^2) + f), f the fixed part of the variance.  It is the greatest where
        # z^2 / (c q + f) is, which takes fewer steps.
        c = (1 - self.moderation) / (n - 1)
        u = (self.deviations[:, first] - self.deviations[:, second]).T / error
        # The weights of a resample sum to n.
        squares = ((c * u**2 + self.moderation * self.prior / error**2) / n).astype(np.float32)
        a, b = np.ascontiguousarray(first, np.int32), np.ascontiguousarray(second, np.int32)
        scale = (1 / error[:, 0]).astype(np.float32)
        greatest = greatest_of(squares, self.weights, self.shifts, a, b, scale)[: self.draws]
        with np.errstate(divide="ignore"):
            statistics: Numbers = np.sqrt(1 / np.maximum(1 / greatest - np.float32(c), 0))
        return statistics


def slices_of(count: int, length: int) -> list[slice]:
    """So many things in slices of this length."""
    return [slice(start, min(start + length, count)) for start in range(0, count, length)]


class Family:
    """Some pairs of systems of one table, from the least statistic up; pairs that are always decided are left out.

    Attributes
    ----------
    statistics : numpy.ndarray
    first, second : numpy.ndarray
        The systems of each pair.
    """

    def __init__(self, draws: Draws, first: Indices, second: Indices) -> None:
        statistics = np.abs(draws.statistics[first, second])
        kept = draws.variances[first, second] > 0
        order = np.argsort(statistics[kept], kind="stable")
        self.draws, self.statistics = draws, statistics[kept][order]
        self.first, self.second = first[kept][order], second[kept][order]
        self.until: list[Numbers] = []

    @property
    def blocks(self) -> list[slice]:
        """The pairs in slices that are computed together."""
        return slices_of(len(self.statistics), PAIRS)

    def maxima_of(self, pairs: slice) -> Numbers:
        """For each draw, the greatest statistic of these pairs."""
        return self.draws.maxima(self.first[pairs], self.second[pairs])

    def keep(self, maxima: Sequence[Numbers]) -> None:
        """Take the maxima of all blocks, and keep those of the beginnings."""
        for one in maxima:
            self.until.append(np.maximum(one, self.until[-1]) if self.until else one)

    def maxima(self, count: int) -> Numbers:
        """For each draw, the greatest statistic of the first `count` pairs."""
        whole, rest = divmod(count, PAIRS)
        parts = [self.until[whole - 1]] if whole else []
        if rest:
            complete = count == len(self.statistics)
            parts.append(self.until[whole] if complete else self.maxima_of(slice(whole * PAIRS, count)))
        greatest: Numbers = np.maximum.reduce(parts) if parts else np.zeros(self.draws.draws, np.float32)
        return greatest


@dataclass(frozen=True)
class Critical:
    """The critical value of the statistics, and those a Monte Carlo error below and above it.

    A pair with a statistic above `low` and not above `high` may be decided otherwise by other draws.
    """

    value: float
    low: float
    high: float


def critical_value(families: Sequence[Family], level: float, step_down: bool = True) -> Critical:
    """The critical value for some families together, whose maxima of all blocks are kept."""
    draws = families[0].draws.draws
    error = MONTE_CARLO_ERRORS * sqrt(level * (1 - level) / draws)
    return Critical(*(last_step(families, share, step_down) for share in (level, level - error, level + error)))


def last_step(families: Sequence[Family], share: float, step_down: bool) -> float:
    """The quantile of the greatest statistic, of the pairs that are not decided by it if it is a step-down."""
    counts = [len(family.statistics) for family in families]
    while True:
        greatest = np.maximum.reduce([family.maxima(count) for family, count in zip(families, counts)])
        # The draw of this number in order: with it, the data are one more draw.
        number = ceil((len(greatest) + 1) * share)
        value = float(np.partition(greatest, number - 1)[number - 1]) if number <= len(greatest) else inf
        left = [int(np.searchsorted(family.statistics, value, side="right")) for family in families]
        if not step_down or left == counts:
            return value
        counts = left


def decided_signs(draws: Draws, critical: float | Floats) -> npt.NDArray[np.int8]:
    """Systems by systems: 1 if the one in the row is surely better than the one in the column, -1 if worse, else 0."""
    statistics = draws.statistics
    return (np.sign(statistics) * (np.abs(statistics) > critical)).astype(np.int8)


def joint_critical(
    draws: Sequence[Draws], level: float, work: Resampling, kind: PlacesKind = "simultaneous"
) -> Critical:
    """The critical value for all pairs of one or more tables together."""
    families = [Family(one, *np.triu_indices(len(one.means), 1)) for one in draws]
    tasks = [(family, pairs) for family in families for pairs in family.blocks]
    maxima = iter(in_parallel(block_maxima, tasks, work.n_jobs, work.progress))
    for family in families:
        family.keep([next(maxima) for _ in family.blocks])
    return critical_value(families, level, kind != "single_step")


def block_maxima(task: tuple[Family, slice]) -> Numbers:
    family, pairs = task
    return family.maxima_of(pairs)


def own_criticals(draws: Draws, level: float, work: Resampling) -> list[Critical]:
    """For each system, the critical value for its own pairs."""
    return in_parallel(partial(own_critical, draws, level), list(range(len(draws.means))), work.n_jobs, work.progress)


def own_critical(draws: Draws, level: float, system: int) -> Critical:
    others = np.delete(np.arange(len(draws.means)), system)
    family = Family(draws, np.full(len(others), system), others)
    family.keep([family.maxima_of(pairs) for pairs in family.blocks])
    return critical_value([family], level)


def padded(weights: Numbers) -> Numbers:
    """Weights, topics by draws, with as many more draws as the kernel takes together."""
    more = -weights.shape[1] % ROUNDED_UP_TO
    return np.ascontiguousarray(np.pad(weights, ((0, 0), (0, more)), constant_values=1), dtype=np.float32)


def drawn_weights(rows: int, method: PlacesMethod, work: Resampling, stream: int = 0) -> tuple[int, Numbers]:
    """The seed, drawn if there is none, and random weights of so many topics; other streams are independent."""
    seed, phases = random_phases(work.seed, [work.resamples] * (stream + 1))
    blocks = phases[stream]
    weights = np.empty((rows, work.resamples), np.float32)
    start = 0
    for source, size in blocks:
        rng, part = np.random.default_rng(source), weights[:, start : start + size]
        if method == "normal":
            part[:] = rng.standard_normal((rows, size))
        else:
            chosen = rng.integers(0, rows, (rows, size)) * size + np.arange(size)
            part[:] = np.bincount(chosen.ravel(), minlength=rows * size).reshape(rows, size)
        start += size
    return seed, padded(weights)
