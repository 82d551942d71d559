"""Verdicts by a rank distance, and the two statistics that Carterette (2009) compares it with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal, TypeAlias

from .._core.errors import InvalidValueError, must_be
from .._core.options import ALPHA, LEVEL, real_number
from .._core.results import Result
from .._core.types import Vector
from .._core.work import Resampling
from .._kernel import Dominance, Ranking
from ..data import Scores, ScoreSource
from ..statistics import significant_pairs
from ._distance import reference_scores
from ._test import DrankNull, DrankResult


def tau_interval(tau: float, m: int, level: float = 0.95) -> tuple[float, float]:
    """Kendall's confidence interval for tau over a sample of m systems.

    It is conservative, since it takes the greatest possible variance of tau: at a level of 95 %, it contained the tau
    of a bivariate normal population in 99.9 % of the samples or more.  `ircor.correlate` has narrower intervals.

    Parameters
    ----------
    tau : float
        The correlation, from -1 to 1.
    m : int
        The number of systems.
    level : float
        The confidence level.

    Returns
    -------
    tuple of float
        The lower and the upper bound.

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, equation (1).

    Examples
    --------
    >>> low, high = tau_interval(0.9, 25)
    >>> round(low, 3), round(high, 3)
    (0.389, 0.987)
    """
    from scipy.special import ndtri

    if not -1 <= real_number(tau, "tau") <= 1:
        raise InvalidValueError("tau", must_be("from -1 to 1", tau))
    if not real_number(m, "m") >= 1:
        raise InvalidValueError("m", must_be("a positive number of systems", m))
    z = float(ndtri((1 + LEVEL.checked(level)) / 2))
    half = z * sqrt(2 / m) * sqrt(1 + 2 * z**2 / m - tau**2)
    return (tau - half) / (1 + 2 * z**2 / m), (tau + half) / (1 + 2 * z**2 / m)


def discriminative_power(X: ScoreSource, y: Vector | ScoreSource, alpha: float = 0.05) -> float:
    """The share of the significantly different pairs of systems that y orders as their mean scores do.

    Parameters
    ----------
    X, y
        As for `drank`.  A pair that is tied in y does not count as ordered like the means.
    alpha : float
        The significance level of the paired two-sided t test.

    Returns
    -------
    float
        From 0 to 1; nan if no pair differs significantly.

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, sections 2.1 and 3.1.

    Examples
    --------
    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> discriminative_power(AP, [2, 3, 1])      # B, A, C
    0.5
    """
    alpha, scores = ALPHA.checked(alpha), reference_scores(X, "discriminative_power")
    ranks = scores.ranks(y)
    return significant_pairs(scores, "t", alpha, correction="none").share_in_same_order(ranks)


VERDICT_ALPHA = 0.05
"""The significance level of the verdict."""

TOPICS_FOR_TEST = 3
"""With two topics, the differences of systems have one direction only, and the rank distance is infinite or 0."""

TEST_SHARE, LEAST_TEST = 0.2, 99
"""The test gets this share of the samples that intervals get, because each takes longer, and at least this many."""

Kind: TypeAlias = Literal[
    "no ranking", "no topics", "too few topics", "same order", "ties differ", "different", "not different"
]


@dataclass(frozen=True)
class Verdict:
    """Whether the second ranking differs from the first.

    Attributes
    ----------
    kind : str
        The decision: one of the two gives all systems the same mean; there are no topics, or too few for a test; the
        order is the same, or the same but for ties; or the rank distance is significant, or it is not.
    names : pair of str
        What the two are called.
    topics : pair of int
        Their numbers of topics.
    unranked : tuple of str
        The names of those that give all systems the same mean.
    tied_in_one : int
        The number of pairs of systems that are tied in one of the rankings and not in the other.
    distance : DrankResult or None
        The test behind the decision.
    alpha : float
        Its significance level.
    least_topics : int
        The number of topics that a test needs.
    """

    kind: Kind
    names: tuple[str, str]
    topics: tuple[int, int]
    unranked: tuple[str, ...]
    tied_in_one: int
    distance: DrankResult | None
    alpha: float
    least_topics: int


@dataclass(frozen=True)
class NamedDistance(Result):
    """A rank distance with the names of the two sources, and notes on their data."""

    names: tuple[str, str]
    distance: DrankResult
    notes: tuple[str, ...]


def verdict_between(a: Scores, b: Scores, distance: DrankResult | None, names: tuple[str, str]) -> Verdict:
    """Decide whether b ranks the systems otherwise than a, from the two-sample test of its rank distance."""
    unranked = tuple(name for name, side in zip(names, (a, b)) if not side.ranks_systems)
    tied = tied_in_one(a, b)
    kind: Kind
    if unranked:
        kind = "no ranking"
    elif not a.has_topics:
        kind = "no topics"
    elif distance is None:
        kind = "too few topics"
    elif distance.statistic == 0:
        kind = "ties differ" if tied else "same order"
    else:
        kind = "different" if distance.pvalue <= VERDICT_ALPHA else "not different"
    return Verdict(kind, names, (a.n, b.n), unranked, tied, distance, VERDICT_ALPHA, TOPICS_FOR_TEST)


def ranking_tests(a: Scores, others: Sequence[Scores], work: Resampling) -> list[DrankResult | None]:
    """The test of each of some rankings; all have the same number of topics."""
    if a.n < TOPICS_FOR_TEST or not a.ranks_systems or not any(b.ranks_systems for b in others):
        return [None] * len(others)
    null = DrankNull(
        a,
        null="two-sample",
        topics=others[0].n,
        resamples=test_resamples(work.resamples),
        seed=work.seed,
        n_jobs=work.n_jobs,
        progress=work.progress,
    )
    return [null.test(b) if b.ranks_systems else None for b in others]


def tied_in_one(a: Scores, b: Scores) -> int:
    """The number of pairs of systems that are tied in one of the two rankings and not in the other."""
    d = Dominance(Ranking(a.means), Ranking(b.means))
    return int(d.x.tied_pairs + d.y.tied_pairs - 2 * d.tied_pairs)


def test_resamples(resamples: int) -> int:
    """The number of samples for the test, where intervals have so many."""
    return max(int(TEST_SHARE * resamples), LEAST_TEST)
