"""Intervals for a coefficient between two rankings of systems: its mean, another sample, or the true means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import expm1, isnan, log, log1p, nan, pi, sqrt
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from .._core.options import Target
from .._core.types import Floats
from .._core.work import Resampling, in_parallel, random_phases
from ..data import Scores
from ._model import MeansModel
from ._simulation import Statistic, pairs_of_samples, spread, true_and_seen

if TYPE_CHECKING:
    Array: TypeAlias = Floats
    Blocks: TypeAlias = list[tuple[np.random.SeedSequence, int]]
    Run: TypeAlias = Callable[[Callable[[Any], Any], Blocks], list[Any]]

# The true coefficient is searched for among this many values everywhere, and then among some near those that fit.
COARSE, FINE = 21, 10
# The simulations for each of the two searches, as a share of the resamples, and at least this many for each value.
COARSE_SHARE, FINE_SHARE, LEAST_PER_CANDIDATE = 0.1, 0.25, 50
LEAST_SAMPLES = 100
"""Intervals come from so many simulated samples or more."""
# The widest angle of the first search.  A correlation of exactly 1 or -1 leaves nothing to simulate.
WIDEST = 0.997 * pi / 2
# How far the second search goes beyond the values that fit, relative to their range.
MARGIN = 0.4
# Below these numbers, intervals held their target less often than their level says (docs/coverage.md).
SYSTEMS_FOR_LEVEL, TOPICS_FOR_LEVEL = 5, 15
# A standard deviation of 0, as in a candidate whose samples are all alike, counts as this.
LEAST_DEVIATION = 1e-6


@dataclass(frozen=True)
class CoverageCaveat:
    """Why an interval may hold its target less often than its level says.

    Attributes
    ----------
    reason : {"systems", "topics", "difference"}
        There are few systems, or few topics, or it is for a difference of coefficients in the population.
    least : int
        The number of systems or topics from which on the level was measured to hold; 0 for a difference.
    """

    reason: Literal["systems", "topics", "difference"]
    least: int = 0


def coverage_caveat(systems: int, topics: int, difference: bool, target: Target) -> CoverageCaveat | None:
    """Why an interval may hold its target less often than its level says, or None."""
    if systems < SYSTEMS_FOR_LEVEL:
        return CoverageCaveat("systems", SYSTEMS_FOR_LEVEL)
    if topics < TOPICS_FOR_LEVEL:
        return CoverageCaveat("topics", TOPICS_FOR_LEVEL)
    return CoverageCaveat("difference") if difference and target == "population" else None


class Limits(NamedTuple):
    """The estimate of a target, and the ends of its interval."""

    estimate: float
    low: float
    high: float


class StatisticIntervals(NamedTuple):
    """A statistic on the topics as given, in simulated samples of topics, and the limits of each target."""

    statistic: float
    simulated: Array
    limits: dict[Target, Limits]


def intervals(
    tables: Sequence[Scores],
    statistics: Sequence[Statistic],
    targets: Sequence[Target],
    level: float,
    work: Resampling,
    same_topics: bool = True,
) -> tuple[int, list[StatisticIntervals]]:
    """The seed, drawn if None, and the intervals of each statistic.

    Parameters
    ----------
    tables : sequence of Scores
        The same systems in the same order.
    statistics : sequence of Statistic
    targets : sequence of str
        The targets to compute intervals for.
    level : float
    work : Resampling
    same_topics : bool
        Whether all tables have the same topics in the same order.
    """
    from scipy.special import stdtrit

    observed = [statistic.observed(tables) for statistic in statistics]
    undefined = dict.fromkeys(targets, Limits(nan, nan, nan))
    computed = [StatisticIntervals(value, np.empty(0), undefined) for value in observed]
    defined = [k for k, value in enumerate(observed) if not isnan(value)]
    coarse = max(int(COARSE_SHARE * work.resamples), COARSE * LEAST_PER_CANDIDATE)
    fine = max(int(FINE_SHARE * work.resamples), FINE * LEAST_PER_CANDIDATE)
    # Two samples a pair.
    counts = [(max(LEAST_SAMPLES, work.resamples) + 1) // 2, coarse] + [fine] * len(observed)
    seed, (blocks, coarse_blocks, *fine_blocks) = random_phases(work.seed, counts)
    if not defined:
        return seed, computed
    model = MeansModel.fitted(tables, same_topics)
    run = partial(in_parallel, n_jobs=work.n_jobs, progress=work.progress)
    quantile = float(stdtrit(min(table.n for table in tables) - 1, (1 + level) / 2))
    pairs = run(partial(pairs_of_samples, model, [statistics[k] for k in defined]), blocks)
    for k, of_blocks in zip(defined, zip(*pairs)):
        statistic, value = statistics[k], float(statistics[k].scaled(np.array(observed[k])))
        deviation, correction = spread(of_blocks, model)
        limits: dict[Target, Limits] = {}
        for target in targets:
            # If no simulated sample differs, as with two tables that are the same, nor do the true means.
            if target == "population" and deviation > 0:
                scaled = true_limits(statistic, value, model, correction * quantile, run, coarse_blocks, fine_blocks[k])
            else:
                # The statistic is an unbiased estimate of its mean; the difference of two has twice the variance.
                width = quantile * deviation * (1 if target == "expected" else sqrt(2))
                scaled = Limits(value, value - width, value + width)
            limits[target] = Limits(*statistic.unscaled(np.array(scaled)).tolist())
        simulated = statistic.unscaled(np.concatenate([side for block in of_blocks for side in block[:2]]))
        computed[k] = StatisticIntervals(observed[k], simulated[: work.resamples], limits)
    return seed, computed


def true_limits(
    statistic: Statistic,
    value: float,
    model: MeansModel,
    quantile: float,
    run: Run,
    coarse_blocks: Blocks,
    fine_blocks: Blocks,
) -> Limits:
    """The limits of the statistic between the true means, given its value in the sample.

    A coefficient could be the true one if samples of topics from means with that coefficient can have the observed
    value.  The search simulates such samples for one true correlation after the other: first for some everywhere, then
    for some near those that fit.  A difference of coefficients is corrected for the mean error of the model's samples.
    """
    simulate = partial(true_and_seen, model, statistic)
    if statistic.is_difference:
        errors = np.concatenate([seen - true for true, seen in run(partial(simulate, None), fine_blocks)])
        estimate, width = value - float(errors.mean()), quantile * float(errors.std())
        return Limits(estimate, estimate - width, estimate + width)
    angles = np.linspace(-WIDEST, WIDEST, COARSE)
    coarse = candidates(run(partial(simulate, correlation(angles)), coarse_blocks), COARSE)
    order = np.argsort(coarse.true)
    true, shift, deviation = (part[order] for part in coarse)
    grid = np.linspace(-pi / 2, pi / 2, 2001)
    near = fitting_values(value, grid, np.interp(grid, true, shift), np.interp(grid, true, deviation), quantile)
    margin = MARGIN * max(near.high - near.low, np.diff(grid)[0])
    ends = np.clip([near.low - margin, near.high + margin], -pi / 2, pi / 2)
    # The angles whose true coefficients are expected between these ends.
    angles = np.interp(np.linspace(ends[0], ends[1], FINE), true, angles[order])
    true, shift, deviation = candidates(run(partial(simulate, correlation(angles)), fine_blocks), FINE)
    if np.ptp(true) < np.ptp(ends) / 10 or len(np.unique(true.round(6))) < 4:
        # A few systems have so few different coefficients that there is nothing to fit.
        return near
    grid = np.linspace(ends[0], ends[1], 2001)
    mean = np.polynomial.Polynomial.fit(true, shift, 2)
    log_deviation = np.polynomial.Polynomial.fit(true, np.log(deviation), 1)
    return fitting_values(value, grid, mean(grid), np.exp(log_deviation(grid)), quantile)


def correlation(angle: Array) -> Array:
    """The correlation of a normal population whose Kendall's tau is the sine of the angle (Greiner's relation)."""
    return np.sin(pi / 2 * np.sin(angle))


class Candidates(NamedTuple):
    """For each correlation of true means: the mean true value, and the mean and deviation of the error in samples."""

    true: Array
    shift: Array
    deviation: Array


def candidates(blocks: Sequence[tuple[Array, Array]], count: int) -> Candidates:
    """Summarise the simulations of blocks in which the candidates took turns."""
    of_candidate = [
        [np.concatenate([part[k::count] for part in parts]) for k in range(count)] for parts in zip(*blocks)
    ]
    true = np.array([values.mean() for values in of_candidate[0]])
    errors = [seen - real for real, seen in zip(*of_candidate)]
    deviation = np.array([error.std() for error in errors])
    return Candidates(true, np.array([error.mean() for error in errors]), np.maximum(deviation, LEAST_DEVIATION))


def fitting_values(value: float, grid: Array, shift: Array, deviation: Array, quantile: float) -> Limits:
    """The true values of the grid that fit an observed value: the best, the least and the greatest."""
    distance = np.abs(value - grid - shift) / deviation
    best = int(np.argmin(distance))
    fits = np.flatnonzero(distance <= quantile)
    least, greatest = (fits[0], fits[-1]) if len(fits) else (best, best)
    return Limits(float(grid[best]), float(grid[least]), float(grid[greatest]))


TOPICS_FOR_MEAN = 25
"""With fewer topics, the interval of a mean was found to hold less often than it says; see docs/commands/rbo.md."""

NEAR_END = 0.05
"""A mean that is so near to 0 or 1 may depend on a few topics that differ from the others, which a sample may lack."""


class Interval(NamedTuple):
    """The ends of a confidence interval."""

    low: float
    high: float


@dataclass(frozen=True)
class MeanCaveat:
    """Why there is no interval for a mean, or one that may hold the mean less often than its level says.

    With fewer topics than `least` it may, and with a mean near to this `end`, 0 or 1.
    """

    reason: Literal["one topic", "equal", "few topics", "near end"]
    least: int = 0
    end: int = 0


def jackknife_error(without: Floats) -> float:
    """The standard error of a number, given its value without each part of the sample."""
    n = len(without)
    return sqrt((n - 1) / n * float(((without - without.mean()) ** 2).sum()))


def mean_caveats(values: Floats) -> list[MeanCaveat]:
    """The reasons to doubt the interval of a mean."""
    n, mean = len(values), float(values.mean())
    if n == 1:
        return [MeanCaveat("one topic")]
    if np.ptp(values) == 0:
        return [MeanCaveat("equal")]
    caveats = [MeanCaveat("few topics", TOPICS_FOR_MEAN)] if n < TOPICS_FOR_MEAN else []
    if not NEAR_END <= mean <= 1 - NEAR_END:
        caveats.append(MeanCaveat("near end", end=0 if mean < NEAR_END else 1))
    return caveats


def mean_interval(values: Floats, level: float) -> Interval | None:
    """Student's interval for the mean, on the scale of log(m / (1 - m)); None for a single value.

    On that scale the standard error of m is divided by m (1 - m).  The ends stay between 0 and 1, and the end nearer to
    one half is farther from the mean, as the skewed overlaps of very similar or dissimilar runs require.
    """
    from scipy.special import stdtrit

    n = len(values)
    if n < 2:
        return None
    mean, error = float(values.mean()), float(values.std(ddof=1)) / sqrt(n)
    if np.ptp(values) == 0 or not 0 < mean < 1:
        # Equal, or so near to 1 that the mean is rounded to it.
        return Interval(float(values.min()), float(values.max()))
    middle = log(mean) - log1p(-mean)
    step = float(stdtrit(n - 1, (1 + level) / 2)) * error / (mean * (1 - mean))
    return Interval(logistic(middle - step), logistic(middle + step))


def logistic(x: float) -> float:
    """1 / (1 + exp(-x)), without overflow."""
    small = 1 / (2 + expm1(min(abs(x), 700.0)))
    return small if x < 0 else 1 - small
