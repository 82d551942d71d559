"""Generalizability theory: how much of the variance of the scores is due to systems, to topics and to both."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, isfinite, isnan, nan, sqrt
from typing import Any, NamedTuple

import numpy as np

from .._core.options import LEVEL, fraction, whole_number
from .._core.results import Result
from .._core.rounding import EQUAL_MEANS
from .._core.types import Floats
from ..data import ScoreSource
from ..statistics import deviations_of
from ._expected import Caveat, checked_table, readers_note, scaled_scores

WHOLE_TOPICS = 1e-9
"""A number of topics that is larger than a whole number by this share is this whole number."""


COMPONENTS = ("systems", "topics", "interaction")
"""The sources of variance."""


class Components(NamedTuple):
    """Variance components.

    Attributes
    ----------
    systems, topics, interaction : float
        The variance of the systems, of the topics, and of what is left: the interaction of both, with any error.
    """

    systems: float
    topics: float
    interaction: float


class Estimate(NamedTuple):
    """A number with the ends of its interval, nan where there is none."""

    value: float
    low: float
    high: float


class MeanSquares(NamedTuple):
    """The mean squares of an analysis of variance with one score for each topic and system."""

    systems: Any
    topics: Any
    interaction: Any
    n: int
    m: int
    """The numbers of topics and of systems."""

    @classmethod
    def of(cls, X: Floats) -> MeanSquares:
        """Those of a table, topics by systems, without scores beyond 1."""
        n, m = X.shape
        systems, topics, left = X.mean(axis=0), X.mean(axis=1), deviations_of(X)
        rest = above_rounding((left**2).sum(), X)
        return cls(
            n * squared_deviations(systems) / (m - 1),
            m * squared_deviations(topics) / (n - 1),
            float(rest) / ((m - 1) * (n - 1)),
            n,
            m,
        )

    @classmethod
    def without_each_topic(cls, X: Floats) -> MeanSquares:
        """Those of the table without its first topic, without its second, and so on, as arrays."""
        n, m = X.shape
        topics, left = X.mean(axis=1), deviations_of(X)
        systems, rest = (X.sum(axis=0) - X) / (n - 1), float((left**2).sum())
        # A sum of squared deviations from the mean of n values loses n / (n - 1) times the square of the one left out.
        return cls(
            (n - 1) * squared_deviations(systems) / (m - 1),
            m * ((n - 1) * topics.var(ddof=1) - n / (n - 1) * (topics - topics.mean()) ** 2) / (n - 2),
            above_rounding(rest - n / (n - 1) * (left**2).sum(axis=1), X, rest) / ((m - 1) * (n - 2)),
            n - 1,
            m,
        )

    def components(self) -> Components:
        """The estimates without bias, which can be negative."""
        return Components(
            (self.systems - self.interaction) / self.n, (self.topics - self.interaction) / self.m, self.interaction
        )

    @property
    def f(self) -> float:
        """The statistic F: how much more the observed means vary than the noise of the topics explains."""
        return float(self.systems / self.interaction) if self.interaction else inf


def above_rounding(sums: Any, X: Floats, whole: float = 0.0) -> Any:
    """Sums of squares over a table without scores beyond 1; what is not more than rounding is nothing.

    `whole` is the sum that these are what is left of.
    """
    return np.where(sums > max(X.size * EQUAL_MEANS**2, EQUAL_MEANS * whole), sums, 0.0)


def squared_deviations(values: Floats) -> Any:
    """The sum of the squared deviations from the mean, along the last axis."""
    return ((values - values.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)


@dataclass(frozen=True)
class SourceOfVariance:
    """A variance component, with its share in the sum of all."""

    name: str
    estimate: Estimate
    share: float


@dataclass(frozen=True)
class ReliabilityCoefficient:
    """A coefficient of means over topics, and the least number of topics with which it reaches the goal."""

    name: str
    estimate: Estimate
    topics: Estimate


@dataclass(frozen=True, eq=False, repr=False)
class Generalizability(Result):
    """Variance components, and what they say of rankings of these systems by some number of topics.

    Attributes
    ----------
    systems, topics, interaction : Estimate
        The variance components, each with the ends of its interval; 0 for one whose estimate would be negative.
    e_rho2, phi : Estimate
        The coefficients of means over `of` topics.
    e_rho2_topics, phi_topics : Estimate
        The least number of topics with which each coefficient reaches the goal; inf if none does.
    shares : tuple of float
        The share of each component in the sum of the three.
    of : int
        The number of topics that the coefficients are for.
    goal, level : float
    notes : tuple of str
        What a reader should know about the data.
    """

    systems: Estimate
    topics: Estimate
    interaction: Estimate
    e_rho2: Estimate
    phi: Estimate
    e_rho2_topics: Estimate
    phi_topics: Estimate
    shares: tuple[float, ...]
    of: int
    goal: float
    level: float
    caveats: tuple[Caveat, ...] = ()

    @property
    def components(self) -> Components:
        """The variance components without their intervals."""
        return Components(self.systems.value, self.topics.value, self.interaction.value)

    @property
    def sources(self) -> tuple[SourceOfVariance, ...]:
        """The variance components with their shares."""
        estimates = self.systems, self.topics, self.interaction
        return tuple(map(SourceOfVariance, COMPONENTS, estimates, self.shares))

    @property
    def coefficients(self) -> tuple[ReliabilityCoefficient, ...]:
        """E rho^2 and Phi."""
        return (
            ReliabilityCoefficient("E rho^2", self.e_rho2, self.e_rho2_topics),
            ReliabilityCoefficient("Phi", self.phi, self.phi_topics),
        )

    def __repr__(self) -> str:
        return f"<Generalizability: E rho^2 {self.e_rho2.value:.4f}, Phi {self.phi.value:.4f}, {self.of} topics>"


def generalizability(
    X: ScoreSource, topics: int | None = None, *, goal: float = 0.95, level: float = 0.95
) -> Generalizability:
    """Estimate variance components, and how well means over some topics generalise to all topics there could be.

    The score of a system on a topic is taken for the sum of a general mean, an effect of the system, one of the topic,
    and their interaction.  E rho^2 is for comparing systems with each other: the share of the variance of the observed
    means that is due to the systems, where all systems have the same topics.  Phi is for the means themselves, which
    the difficulty of the topics changes too.

    Parameters
    ----------
    X : 2-D array or DataFrame
        Scores, topics by systems, as for `expected`.
    topics : int, optional
        The number of topics that E rho^2 and Phi are for; by default those of the table.
    goal : float
        The value that E rho^2 and Phi are to reach.
    level : float
        The level of the intervals.

    Returns
    -------
    Generalizability

    Raises
    ------
    TypeError, ValueError
        As `expected` does, and if `topics`, `goal` or `level` is out of range.

    Notes
    -----
    With the variance components s of systems, t of topics and e of the interaction, means over k topics have ::

        E rho^2 = s / (s + e / k)
        Phi = s / (s + (t + e) / k)

    The components follow from the mean squares of the analysis of variance, as R's aov gives them; where none is
    negative they are those of lme4 by REML.  A negative one becomes 0, and a note has it.

    The intervals are for these systems and other topics: what the numbers would be for these systems if they were
    computed from all topics there could be.  They are the jackknife's over topics, on the scale of the logarithm, with
    the quantiles of Student's t.  The intervals of analysis of variance, such as Feldt's, take systems for a random
    sample too, and scores for normal and independent.  How often both hold was measured: see the page on reliability.

    References
    ----------
    R. L. Brennan (2001). Generalizability Theory. Springer.

    D. Bodoff and P. Li (2007). Test Theory for Assessing IR Test Collections. SIGIR.

    J. Urbano, M. Marrero and D. Martin (2013). On the Measurement of Test Collection Reliability. SIGIR.

    Examples
    --------
    >>> import ircor
    >>> from ircor.reliability import generalizability
    >>> of_map = generalizability(ircor.sample("map"))
    >>> [round(share, 4) for share in of_map.components]
    [0.0079, 0.0546, 0.0134]
    >>> [round(number, 3) for number in of_map.e_rho2], of_map.e_rho2_topics
    ([0.967, 0.951, 0.978], Estimate(value=33, low=22, high=50))
    """
    scores = checked_table(X)
    k = scores.n if topics is None else whole_number(topics, "topics")
    goal, level = fraction(goal, "goal"), LEVEL.checked(level)
    values, exponent = scaled_scores(scores)
    every, without = MeanSquares.of(values), MeanSquares.without_each_topic(values)
    components, others = every.components(), without.components()
    # Added to each number before its logarithm: then it is positive, and its jackknife less skewed.
    shifts = every.interaction / every.n, every.interaction / every.m, 0.0
    of_scaled = [estimate_with_interval(*one, level) for one in zip(components, others, shifts)]
    with np.errstate(over="ignore", under="ignore"):
        variances = [Estimate(*np.ldexp(one, 2 * exponent).tolist()) for one in of_scaled]
        raw = np.ldexp(components, 2 * exponent).tolist()
    truncated = Components(*(max(0.0, one) for one in components))
    ratios = [
        estimate_with_interval(variance_ratio(truncated, more), variance_ratio(others, more), 1 / every.n, level)
        for more in (False, True)
    ]
    coefficients = [Estimate(*(coefficient(number, k) for number in one)) for one in ratios]
    needed = [Estimate(*(topics_for(goal, number) for number in (one.value, one.high, one.low))) for one in ratios]
    caveats = [*readers_note(scores)]
    caveats += [Caveat("negative variance", name, value=one) for name, one in zip(COMPONENTS, raw) if one < 0]
    if every.interaction == 0:
        caveats.append(Caveat("additive"))
    elif any(isnan(one.low) for one in (*variances, *coefficients)):
        caveats.append(Caveat("no interval"))
    if not all(isfinite(one.value) and (one.value > 0) == (share > 0) for one, share in zip(variances, truncated)):
        caveats.append(Caveat("beyond numbers"))
    return Generalizability(
        systems=variances[0],
        topics=variances[1],
        interaction=variances[2],
        e_rho2=coefficients[0],
        phi=coefficients[1],
        e_rho2_topics=needed[0],
        phi_topics=needed[1],
        shares=tuple(one / sum(truncated) for one in truncated),
        of=k,
        goal=goal,
        level=level,
        caveats=tuple(caveats),
    )


def variance_ratio(components: Components, absolute: bool) -> Any:
    """The variance of systems over that of the interaction; of topics and interaction together, if `absolute`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(components.systems, components.interaction + (components.topics if absolute else 0.0))


def coefficient(ratio: float, topics: int) -> float:
    """E rho^2 or Phi of means over this many topics, given the ratio of variances."""
    return 1.0 if ratio == inf else topics * ratio / (1 + topics * ratio)


def topics_for(goal: float, ratio: float) -> float:
    """The least number of topics with which the coefficient reaches the goal."""
    if isnan(ratio):
        return nan
    least = goal / (1 - goal) / ratio if ratio > 0 else inf
    return max(1, ceil(least * (1 - WHOLE_TOPICS))) if isfinite(least) else inf


def estimate_with_interval(value: float, without: Any, shift: float, level: float) -> Estimate:
    """A number of 0 or more with its interval, given its value without each topic, by the jackknife.

    `shift` is added before the logarithm is taken.  The ends are nan if a logarithm does not exist.
    """
    from scipy.special import stdtrit

    if not (isfinite(value) and value + shift > 0 and np.isfinite(without).all() and (without + shift > 0).all()):
        return Estimate(max(0.0, float(value)), nan, nan)
    error = sqrt(jackknife_variance(np.log(without + shift)))
    step = float(stdtrit(len(without) - 1, (1 + level) / 2)) * error
    ends = (float(max(0.0, (value + shift) * np.exp(sign * step) - shift)) for sign in (-1, 1))
    return Estimate(max(0.0, float(value)), *ends)


def jackknife_variance(without: Floats) -> float:
    """The variance of a number, given its value without each topic."""
    return float((1 - 1 / len(without)) * squared_deviations(without))
