"""The chance that two systems are in the wrong order, estimated from the differences of their scores over topics."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import exp, frexp, lgamma, nan, sqrt
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from .._kernel.closest import products
from .._options import one_of
from .._parallel import slices
from .._scores import EQUAL_MEANS, Scores, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Estimator: TypeAlias = Literal["ML", "MSQD", "RES"]
Method: TypeAlias = Literal["tau", "tauAP"]

ESTIMATORS: tuple[Estimator, ...] = ("ML", "MSQD", "RES")
METHODS: tuple[Method, ...] = ("tau", "tauAP")

LEAST_TOPICS = 3

UNBIASED_UP_TO = 250
"""Up to this number of topics, ML corrects the standard deviation for its bias."""


@dataclass(frozen=True, eq=False)
class Ranked:
    """The systems of a table from the best observed mean down, and all pairs of them.

    Attributes
    ----------
    scores : Scores
    order : numpy.ndarray
        The columns of the systems, the best first; systems with equal means are in the order of their columns.
    rows : numpy.ndarray
        Systems in that order by topics, divided by a power of two such that no score exceeds 1.
    ahead, behind : numpy.ndarray
        The places in that order, from 0, of the two systems of each pair.
    """

    scores: Scores
    order: npt.NDArray[np.intp]
    rows: Array = field(repr=False)
    ahead: npt.NDArray[np.intp] = field(repr=False)
    behind: npt.NDArray[np.intp] = field(repr=False)

    @classmethod
    def of(cls, X: ScoreTable) -> Ranked:
        """Check the table, and rank its systems."""
        scores = checked_table(X)
        order = np.argsort(-scores.means, kind="stable")
        rows = np.ascontiguousarray(scaled(scores)[0].T[order])
        return cls(scores, order, rows, *np.triu_indices(scores.m, 1))

    def differences(self) -> Iterator[tuple[slice, Array]]:
        """The differences of the scores over topics, ahead minus behind, some pairs at a time: pairs by topics."""
        for part in slices(len(self.ahead), self.scores.n):
            yield part, self.rows[self.ahead[part]] - self.rows[self.behind[part]]

    @cached_property
    def same_mean(self) -> npt.NDArray[np.bool_]:
        """Which pairs have equal means."""
        means = self.scores.means[self.order]
        return np.asarray(means[self.ahead] == means[self.behind])

    @cached_property
    def noise(self) -> float:
        """How far apart two scores may be by rounding alone."""
        return float(np.abs(self.rows).max() * EQUAL_MEANS)

    @cached_property
    def constant(self) -> npt.NDArray[np.bool_]:
        """Which pairs have the same difference on every topic."""
        first, second = (self.rows[self.ahead, k] - self.rows[self.behind, k] for k in (0, 1))
        found: npt.NDArray[np.bool_] = np.abs(first - second) <= self.noise
        # Few pairs have the same difference on the first two topics.
        some = np.flatnonzero(found)
        for part in slices(len(some), self.scores.n):
            D = self.rows[self.ahead[some[part]]] - self.rows[self.behind[some[part]]]
            found[some[part]] = np.ptp(D, axis=1) <= self.noise
        return found

    @cached_property
    def equal(self) -> npt.NDArray[np.bool_]:
        """Which pairs are equal on every topic."""
        return np.asarray(self.constant & self.same_mean)

    def weights(self, method: Method) -> Array:
        """What the coefficient loses for each pair that is surely in the wrong order."""
        m = self.scores.m
        if method == "tau":
            return np.full(len(self.ahead), 4 / (m * (m - 1)))
        return at_places(self.behind, m)

    def correlation(self, chances: Array, method: Method) -> float:
        """The expected coefficient, given the chance that each pair is in the wrong order; nan is left out."""
        found = 1 - float(np.nansum(self.weights(method) * chances))
        return found if abs(found) > EQUAL_MEANS else 0.0


def at_places(places: npt.NDArray[Any], m: int) -> Array:
    """The weights of tauAP for pairs of m systems, given the place, from 0, of the system behind."""
    found: Array = 2 / ((m - 1) * places)
    return found


def checked_table(X: ScoreTable) -> Scores:
    """The table, if it has three topics, two systems, and systems that are not all the same."""
    scores = Scores.of(X)
    if scores.n < LEAST_TOPICS:
        raise ValueError(f"'{scores.name}' must have {LEAST_TOPICS} topics or more, not {scores.n}")
    if scores.all_same:
        raise ValueError(f"all systems of '{scores.name}' have the same scores, so there is no ranking")
    return scores


def scaled(scores: Scores) -> tuple[Array, int]:
    """The values divided by a power of two such that none exceeds 1, and its exponent.

    No digit changes, and squares neither overflow nor vanish.
    """
    exponent = frexp(scores.size)[1]
    return np.ldexp(scores.values, -exponent), exponent


def chances_of(ranked: Ranked, estimator: Estimator, apart: float = 0.0) -> Array:
    """The chance of each pair by "ML" or "MSQD", nan for two systems that are equal on every topic.

    `apart` is for MSQD: how far apart two differences must be not to be tied.
    """
    chances = np.empty(len(ranked.ahead))
    for part, D in ranked.differences():
        deviation = unbiased_deviation(D) if estimator == "ML" else quantile_deviation(np.sort(D), apart)
        chances[part] = chance(D, deviation)
    # The deviation of a constant difference is 0 but for rounding.
    chances[ranked.constant] = 0
    chances[ranked.equal] = nan
    return chances


def chance(D: Array, deviation: Array) -> Array:
    """F(-sqrt(n) mean(D) / deviation), F the t distribution with n - 1 degrees of freedom, for each row of D."""
    from scipy.special import stdtr

    n = D.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = stdtr(n - 1, -sqrt(n) * D.mean(axis=1) / deviation)
    return found


def unbiased_deviation(D: Array) -> Array:
    """The standard deviation of each row, without its bias for normal differences."""
    return np.asarray(D.std(axis=1, ddof=1) * correction(D.shape[1]))


def correction(n: int) -> float:
    """The factor that makes the standard deviation of n normal numbers unbiased; 1 for many, as it nearly is."""
    return sqrt((n - 1) / 2) * exp(lgamma((n - 1) / 2) - lgamma(n / 2)) if n <= UNBIASED_UP_TO else 1.0


def quantile_deviation(D: Array, apart: float = 0.0) -> Array:
    """The standard deviation of each sorted row with the least squared distance to normal quantiles.

    Values are tied, and have the mean of their ranks, if neighbours are not farther apart than `apart`.
    """
    from scipy.special import erfinv

    n = D.shape[1]
    place = np.arange(n)
    new = np.diff(D, axis=1) > apart
    first, last = np.zeros_like(D, dtype=np.intp), np.full_like(D, n - 1, dtype=np.intp)
    np.maximum.accumulate(np.where(new, place[1:], 0), axis=1, out=first[:, 1:])
    last[:, :-1] = np.minimum.accumulate(np.where(new, place[:-1], n - 1)[:, ::-1], axis=1)[:, ::-1]
    # Twice the mean rank of a tie is 2 more than the sum of its first and its last place, which are from 0.
    e = erfinv((np.arange(2 * n - 1) + 2) / (n + 1) - 1)[first + last]
    squares = (e * e).sum(axis=1)
    # Without a spread all e are 0, and so is the deviation.
    found: Array = np.divide(sqrt(2) * (D * e).sum(axis=1), 2 * squares, out=np.zeros(len(D)), where=squares > 0)
    return found


def resampled_chances(ranked: Ranked, blocks: Sequence[tuple[np.random.SeedSequence, int]]) -> Array:
    """The chance of each pair by "RES", with these random streams and numbers of resamples."""
    n = ranked.scores.n
    draws = [np.random.default_rng(source).multinomial(n, np.full(n, 1 / n), size) for source, size in blocks]
    return shares_below(ranked, np.concatenate(draws).astype(np.float64))


def shares_below(ranked: Ranked, draws: Array) -> Array:
    """The share of resamples in which the mean difference of each pair is below 0.

    `draws` is resamples by topics: how often each topic is drawn.
    """
    sums = np.asarray(products(ranked.rows, np.ascontiguousarray(draws)))
    noise = ranked.scores.n * ranked.noise
    found = np.empty(len(ranked.ahead))
    for part in slices(len(found), len(draws)):
        found[part] = (sums[ranked.ahead[part]] - sums[ranked.behind[part]] < -noise).mean(axis=1)
    found[ranked.equal] = nan
    return found


def checked_method(method: str) -> Method:
    """The name of a coefficient with an expected value."""
    name: Method = one_of(method, "method", METHODS)  # type: ignore[assignment]
    return name


def checked_estimator(estimator: str) -> Estimator:
    """The name of an estimator."""
    name: Estimator = one_of(estimator, "estimator", ESTIMATORS)  # type: ignore[assignment]
    return name
