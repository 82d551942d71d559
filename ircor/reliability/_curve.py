"""The true differences between systems: what is known of them from a sample of topics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import ceil, inf, isfinite, nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from .._core.types import Floats
from .._core.work import Progress, Resampling, in_parallel, random_blocks, slices
from .._kernel.closest import products
from ..data import Scores
from ..statistics import deviations_of
from ._components import Estimate, MeanSquares, jackknife_variance
from ._expected import Caveat, Method, RankedSystems, at_places, chances_of, equal_pairs, unbiased_deviation

if TYPE_CHECKING:
    Task = tuple[np.random.SeedSequence, int]

LEAST_VARIANCE, MOST_VARIANCE = 1e-9, 2.0
"""Of the logarithm of the mean square of the interaction: that of a number with one degree of freedom at the most."""

MORE_CLOSE, ABOVE_ML = 1.25, 0.01
"""Systems are in clusters if this many times as many pairs as a normal spread explains are close, or tau is so high."""


@dataclass(frozen=True, eq=False)
class Effects:
    """A model of the true means of the systems, given their scores on n topics.

    They are around the observed means, which are drawn together by a factor b: about the reliability of the observed
    means, their variance less that of the noise of the topics, over their variance.  What is not known of them is
    sqrt(b) times the noise.
    """

    ranked: RankedSystems
    squares: MeanSquares
    deviations: Floats = field(repr=False)
    """For each pair, the standard deviation of its differences over topics; 0 if they are all the same, and nan if the
    two are equal on every topic.
    """

    @classmethod
    def of(cls, ranked: RankedSystems) -> Effects:
        deviations = np.empty(len(ranked.ahead))
        for part, D in ranked.differences():
            deviations[part] = unbiased_deviation(D)
        deviations[ranked.constant] = 0
        deviations[ranked.equal] = nan
        return cls(ranked, MeanSquares.of(ranked.rows.T), deviations)

    @cached_property
    def observed(self) -> Floats:
        """The difference of the observed means of each pair, in standard deviations of the difference on one topic."""
        means = self.ranked.rows.mean(axis=1)
        with np.errstate(divide="ignore"):
            return np.asarray((means[self.ranked.ahead] - means[self.ranked.behind]) / self.deviations)

    @property
    def freedom(self) -> int:
        """The degrees of freedom of the observed means, less 2: with them, the mean of 1 / F is not biased."""
        return max(self.squares.m - 3, 1)

    @property
    def b(self) -> float:
        """How far the observed means are drawn together, as James and Stein do it: 0 to their mean, 1 not at all."""
        return max(0.0, 1 - self.freedom / (self.squares.m - 1) / self.squares.f) if self.squares.f else 0.0

    @cached_property
    def uneven(self) -> bool:
        """Whether the true means seem to be in clusters, or some far from the others, rather than normal.

        Then one b for all is too large for the systems that are close to each other.  Signs of it are more close pairs
        than a normal spread explains, or an expected tau above that of ML, which draws nothing together.
        """
        from scipy.special import ndtr

        z = sqrt(self.squares.n) * self.observed[self.deviations > 0]
        if not len(z) or not self.squares.f:
            return False
        explained = 2 * float(ndtr(1 / sqrt(max(self.squares.f, 1.0)))) - 1
        ml = self.ranked.correlation(chances_of(self.ranked, "ML"), "tau")
        return bool((z < 1).mean() > MORE_CLOSE * explained or self.tau(self.squares.n) > ml + ABOVE_ML)

    def caveats(self) -> list[Caveat]:
        """The reasons to doubt the expected coefficients."""
        if not self.squares.f > 1:
            return [Caveat("no spread")]
        return [Caveat("uneven")] if self.uneven else []

    def tau(self, topics: float) -> float:
        """The expected tau of a ranking by this many other topics with the true one."""
        return self.ranked.correlation(self.chances(topics), "tau")

    def chances(self, topics: float) -> Floats:
        """The chance that this many other topics have each pair in the wrong order: P(k) of `expected_curve`."""
        from scipy.special import owens_t

        n, b = self.squares.n, self.b
        if not b:
            return np.where(self.deviations > 0, 0.5, np.where(self.ranked.equal, nan, 0))
        return np.asarray(2 * owens_t(b * self.observed / sqrt(b / n + 1 / topics), sqrt(n / (b * topics))))

    def simulated(
        self, topics: Sequence[float], method: Method, task: tuple[np.random.SeedSequence, int], equal: float = inf
    ) -> Floats:
        """Draw true means: the expected coefficient of each draw with each number of topics, numbers by draws.

        `equal` is the difference of systems that are equal on every topic: without an end they are left out, as if in
        the right order, and with 0 they are undecided.
        """
        from scipy.special import ndtr

        source, size = task
        ahead, behind, m = self.ranked.ahead, self.ranked.behind, self.ranked.scores.m
        means = np.ascontiguousarray(self.drawn(np.random.default_rng(source), size).T)
        deviations = np.where(self.ranked.equal, 0, self.deviations)[:, None]
        without = np.where(self.ranked.equal, equal, inf)[:, None]
        weights, of_draws = self.ranked.weights(method)[:, None], method == "tauAP"
        # By the places in the drawn ranking: the observed one is too sure of its top.
        places = np.argsort(np.argsort(-means, axis=0), axis=0) if of_draws else np.empty((0, 0), dtype=np.intp)
        values = np.empty((len(topics), size))
        for part in slices(size, len(deviations)):
            differences = np.abs(means[ahead, part] - means[behind, part])
            effects = np.broadcast_to(without, differences.shape).copy()
            np.divide(differences, deviations, out=effects, where=deviations > 0)
            if of_draws:
                weights = at_places(np.maximum(places[ahead, part], places[behind, part]), m)
            for k, count in enumerate(topics):
                values[k, part] = 1 - (weights * ndtr(-sqrt(count) * effects)).sum(axis=0)
        # No chance is above 1/2, so what is below 0 is rounding.
        return np.maximum(values, 0.0)

    def drawn(self, rng: np.random.Generator, size: int) -> Floats:
        """Draw the true means of all systems, in the order of `ranked`, over the root of the variance of the noise.

        The noise is that of the topics, with its correlations between systems.  Two more numbers are not known: the
        variance of the observed means, and that of the noise, whose degrees of freedom are those that its jackknife
        over topics suggests.
        """
        n, m = self.squares.n, self.squares.m
        left = deviations_of(self.ranked.rows.T) * sqrt(n / (n - 1))
        noise = products(rng.standard_normal((size, n)), np.ascontiguousarray(left.T)) / n
        of_systems = rng.chisquare(self.freedom, (size, 1)) / (m - 1)
        freedom = self.noise_freedom
        variance = freedom / rng.chisquare(freedom, (size, 1))
        b = np.maximum(0, 1 - variance * of_systems / self.squares.f) if self.squares.f else np.zeros((size, 1))
        observed = self.ranked.rows.mean(axis=1)
        return np.asarray(b * (observed - observed.mean()) / np.sqrt(variance) + np.sqrt(b) * noise)

    @cached_property
    def noise_freedom(self) -> float:
        """The degrees of freedom of the mean square of the interaction: its logarithm has 2 over them as variance."""
        without = MeanSquares.without_each_topic(self.ranked.rows.T).interaction
        if not self.squares.interaction or not (without > 0).all():
            return float(self.squares.n - 1)
        return 2 / min(max(jackknife_variance(np.log(without)), LEAST_VARIANCE), MOST_VARIANCE)


MOST_TOPICS = 1_000_000
"""The least number of topics is looked for up to here."""

CLOSE = 0.002
"""The ends of its interval are found to this share of them."""


@dataclass(frozen=True, eq=False)
class Curve:
    """The expected coefficient for any number of topics, with an interval from draws of the true means."""

    effects: Effects
    method: Method
    level: float
    blocks: list[Task]
    """The random streams of the draws, and how many draws each has."""
    n_jobs: int | None
    drawn: dict[float, Estimate] = field(default_factory=dict)
    """For each number of topics so far, the mean over the draws and the two ends."""

    def add(self, counts: Sequence[float], progress: Progress = False) -> None:
        """Draw for some numbers of topics at once."""
        work = partial(self.effects.simulated, counts, self.method)
        values = np.concatenate(in_parallel(work, self.blocks, self.n_jobs, progress), axis=1)
        lows, highs = np.quantile(values, [(1 - self.level) / 2, (1 + self.level) / 2], axis=1)
        for count, *numbers in zip(counts, values.mean(axis=1), lows, highs):
            self.drawn[count] = Estimate(*map(float, numbers))

    def at(self, count: float) -> Estimate:
        """The expected coefficient with this number of topics, and its interval, which has it inside."""
        if count not in self.drawn:
            self.add([count])
        _, low, high = self.drawn[count]
        value = self.value(count)
        return Estimate(value, min(low, value), max(high, value))

    def value(self, count: float) -> float:
        """The expected coefficient alone: for tau in closed form, for tauAP the mean over the draws."""
        if self.method == "tau":
            return self.effects.tau(count)
        if count not in self.drawn:
            self.add([count])
        return self.drawn[count].value

    def undecided(self, count: int) -> float:
        """The value if systems that are equal on every topic counted as undecided, and not as in the right order."""
        if self.method == "tau":
            return self.value(count) - 0.5 * float(self.effects.ranked.weights("tau")[self.effects.ranked.equal].sum())
        work = partial(self.effects.simulated, [count], self.method, equal=0.0)
        return float(np.concatenate(in_parallel(work, self.blocks, self.n_jobs, False), axis=1).mean())

    def low(self, count: float) -> float:
        return self.at(count).low

    def high(self, count: float) -> float:
        return self.at(count).high


def own_expected(scores: Scores, level: float, work: Resampling) -> tuple[Estimate, list[Caveat]]:
    """The expected tau with the topics of the table alone, as `topics_needed` has it, and what makes it doubtful."""
    effects = Effects.of(RankedSystems.of(scores))
    curve = Curve(effects, "tau", level, random_blocks(work.seed, work.resamples)[1], work.n_jobs)
    curve.add([scores.n], work.progress)
    return curve.at(scores.n), [
        *equal_pairs(effects.ranked, partial(curve.undecided, scores.n), "tau"),
        *effects.caveats(),
    ]


def least(value: Callable[[float], float], goal: float, tried: Sequence[int]) -> float:
    """The least whole number of topics with which an increasing value reaches the goal; inf if none does."""
    crossed = crossing(value, goal, tried, 0.25)
    if crossed == inf:
        return inf
    count = max(1, round(crossed))
    while count > 1 and value(count - 1) >= goal:
        count -= 1
    while value(count) < goal:
        count += 1
    return count


def crossing(value: Callable[[float], float], goal: float, tried: Sequence[int], close: float = 0) -> float:
    """The number of topics, 1 or more, at which an increasing value reaches the goal; inf if none up to a million.

    `tried` are some numbers of topics to look between first, in increasing order.  `close` is how exact the number is
    to be, or `CLOSE` in relation to it.
    """
    from scipy.optimize import brentq

    low: float = max((count for count in tried if value(count) < goal), default=tried[0])
    high: float = min((count for count in tried if value(count) >= goal), default=tried[-1])
    while value(high) < goal:
        if high >= MOST_TOPICS:
            return inf
        low, high = high, min(2 * high, MOST_TOPICS)
    while value(low) >= goal:
        if low <= 1:
            return 1.0
        low, high = max(1.0, low / 2), low
    return float(brentq(lambda count: value(count) - goal, low, high, xtol=close or CLOSE * low))


def whole_topics(count: float) -> float:
    """A number of topics as a whole number; inf stays."""
    return ceil(count) if isfinite(count) else inf
