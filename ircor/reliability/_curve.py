"""The expected coefficient for any number of topics, and where it reaches a target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, inf, isfinite
from typing import TYPE_CHECKING

import numpy as np

from .._parallel import in_parallel, random_blocks
from .._progress import Progress
from .._scores import Scores
from ._chances import Method, Ranked
from ._components import Estimate
from ._effects import Effects
from ._expected import notes_on_equal

if TYPE_CHECKING:
    Task = tuple[np.random.SeedSequence, int]

MOST_TOPICS = 1_000_000
"""The least number of topics is looked for up to here."""

CLOSE = 0.002
"""The ends of its interval are found to this share of them."""


@dataclass(frozen=True, eq=False)
class Curve:
    """The expected coefficient for any number of topics, with an interval from draws of the true means.

    Attributes
    ----------
    effects : Effects
    method : {"tau", "tauAP"}
    level : float
    blocks : list
        The random streams of the draws, and how many draws each has.
    n_jobs : int or None
    found : dict
        For each number of topics so far, the mean over the draws and the two ends.
    """

    effects: Effects
    method: Method
    level: float
    blocks: list[Task]
    n_jobs: int | None
    found: dict[float, Estimate] = field(default_factory=dict)

    def add(self, counts: Sequence[float], progress: Progress = False) -> None:
        """Draw for some numbers of topics at once."""
        work = partial(self.effects.simulated, counts, self.method)
        drawn = np.concatenate(in_parallel(work, self.blocks, self.n_jobs, progress), axis=1)
        lows, highs = np.quantile(drawn, [(1 - self.level) / 2, (1 + self.level) / 2], axis=1)
        for count, *numbers in zip(counts, drawn.mean(axis=1), lows, highs):
            self.found[count] = Estimate(*map(float, numbers))

    def at(self, count: float) -> Estimate:
        """The expected coefficient with this number of topics, and its interval, which has it inside."""
        if count not in self.found:
            self.add([count])
        _, low, high = self.found[count]
        value = self.value(count)
        return Estimate(value, min(low, value), max(high, value))

    def value(self, count: float) -> float:
        """The expected coefficient alone: for tau in closed form, for tauAP the mean over the draws."""
        if self.method == "tau":
            return self.effects.tau(count)
        if count not in self.found:
            self.add([count])
        return self.found[count].value

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


def own_expected(
    scores: Scores,
    method: Method = "tau",
    *,
    level: float,
    resamples: int,
    seed: int,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> tuple[Estimate, list[str]]:
    """The expected coefficient with the topics of the table alone, as `topics_needed` has it, and its notes."""
    effects = Effects.of(Ranked.of(scores))
    curve = Curve(effects, method, level, random_blocks(seed, resamples)[1], n_jobs)
    curve.add([scores.n], progress)
    return curve.at(scores.n), [
        *notes_on_equal(effects.ranked, partial(curve.undecided, scores.n), method),
        *effects.notes(),
    ]


def least(value: Callable[[float], float], target: float, tried: Sequence[int]) -> float:
    """The least whole number of topics with which an increasing value reaches the target; inf if none does."""
    found = crossing(value, target, tried, 0.25)
    if found == inf:
        return inf
    count = max(1, round(found))
    while count > 1 and value(count - 1) >= target:
        count -= 1
    while value(count) < target:
        count += 1
    return count


def crossing(
    value: Callable[[float], float], target: float, tried: Sequence[int], close: float = 0, share: float = CLOSE
) -> float:
    """The number of topics, 1 or more, at which an increasing value reaches the target; inf if none up to a million.

    `tried` are some numbers of topics to look between first, in increasing order.  `close` is how exact the number is
    to be, or `share` in relation to it.
    """
    from scipy.optimize import brentq

    low: float = max((count for count in tried if value(count) < target), default=tried[0])
    high: float = min((count for count in tried if value(count) >= target), default=tried[-1])
    while value(high) < target:
        if high >= MOST_TOPICS:
            return inf
        low, high = high, min(2 * high, MOST_TOPICS)
    while value(low) >= target:
        if low <= 1:
            return 1.0
        low, high = max(1.0, low / 2), low
    return float(brentq(lambda count: value(count) - target, low, high, xtol=close or share * low))


def whole_topics(count: float) -> float:
    """A number of topics as a whole number; inf stays."""
    return ceil(count) if isfinite(count) else inf
