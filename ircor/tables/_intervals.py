"""Intervals for a coefficient between two rankings of systems: its mean, another sample, or the true means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import isnan, nan, pi, sqrt
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from .._parallel import in_parallel, random_phases
from .._progress import Progress
from .._scores import Scores
from ._model import MeansModel
from ._simulation import Statistic, pairs_of_samples, spread, true_and_seen

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[np.float64]
    Blocks: TypeAlias = list[tuple[np.random.SeedSequence, int]]
    Run: TypeAlias = Callable[[Callable[[Any], Any], Blocks], list[Any]]

Target = Literal["expected", "sample", "population"]

# The true coefficient is searched for among this many values everywhere, and then among some near those that fit.
COARSE, FINE = 21, 10
# The simulations for each of the two searches, as a share of the resamples, and at least this many for each value.
COARSE_SHARE, FINE_SHARE, LEAST = 0.1, 0.25, 50
# The least number of pairs of samples.
LEAST_PAIRS = 50
# The widest angle of the first search.  A correlation of exactly 1 or -1 leaves nothing to simulate.
WIDEST = 0.997 * pi / 2
# How far the second search goes beyond the values that fit, relative to their range.
MARGIN = 0.4
# Below these numbers, intervals held their target less often than their level says (docs/coverage.md).
LEAST_SYSTEMS, LEAST_TOPICS = 5, 15
# A standard deviation of 0, as in a candidate whose samples are all alike, counts as this.
LEAST_DEVIATION = 1e-6


def doubt(systems: int, topics: int, difference: bool, target: Target) -> str:
    """Why an interval may hold its target less often than its level says, or ""."""
    short = "intervals hold their target less often than their level says"
    if systems < LEAST_SYSTEMS:
        return f"with fewer than {LEAST_SYSTEMS} systems, {short}"
    if topics < LEAST_TOPICS:
        return f"with fewer than {LEAST_TOPICS} topics, {short}"
    if difference and target == "population":
        return f"for a difference of coefficients in the population, {short}"
    return ""


class Limits(NamedTuple):
    """The estimate of a target, and the ends of its interval."""

    estimate: float
    low: float
    high: float


class Found(NamedTuple):
    """A statistic on the topics as given, in simulated samples of topics, and the limits of each target."""

    statistic: float
    simulated: Array
    limits: dict[Target, Limits]


def intervals(
    tables: Sequence[Scores],
    statistics: Sequence[Statistic],
    targets: Sequence[Target],
    resamples: int,
    seed: int | None,
    n_jobs: int | None,
    level: float,
    progress: Progress,
    same_topics: bool = True,
) -> tuple[int, list[Found]]:
    """The seed, drawn if None, and what was found for each statistic.

    Parameters
    ----------
    tables : sequence of Scores
        The same systems in the same order.
    statistics : sequence of Statistic
    targets : sequence of str
        The targets to compute intervals for.
    resamples, seed, n_jobs, level, progress
        As for `bootstrap`.
    same_topics : bool
        Whether all tables have the same topics in the same order.
    """
    from scipy.special import stdtrit

    observed = [statistic.observed(tables) for statistic in statistics]
    found = [Found(value, np.empty(0), dict.fromkeys(targets, Limits(nan, nan, nan))) for value in observed]
    defined = [k for k, value in enumerate(observed) if not isnan(value)]
    coarse, fine = max(int(COARSE_SHARE * resamples), COARSE * LEAST), max(int(FINE_SHARE * resamples), FINE * LEAST)
    # Two samples a pair.
    counts = [max(LEAST_PAIRS, (resamples + 1) // 2), coarse] + [fine] * len(observed)
    seed, (blocks, coarse_blocks, *fine_blocks) = random_phases(seed, counts)
    if not defined:
        return seed, found
    model = MeansModel.fitted(tables, same_topics)
    run = partial(in_parallel, n_jobs=n_jobs, progress=progress)
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
        found[k] = Found(observed[k], simulated[:resamples], limits)
    return seed, found


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
    near = fitting(value, grid, np.interp(grid, true, shift), np.interp(grid, true, deviation), quantile)
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
    return fitting(value, grid, mean(grid), np.exp(log_deviation(grid)), quantile)


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


def fitting(value: float, grid: Array, shift: Array, deviation: Array, quantile: float) -> Limits:
    """The true values of the grid that fit an observed value: the best, the least and the greatest."""
    distance = np.abs(value - grid - shift) / deviation
    best = int(np.argmin(distance))
    fits = np.flatnonzero(distance <= quantile)
    least, greatest = (fits[0], fits[-1]) if len(fits) else (best, best)
    return Limits(float(grid[best]), float(grid[least]), float(grid[greatest]))
