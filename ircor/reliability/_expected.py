"""The chance that two systems are in the wrong order, estimated from the differences of their scores over topics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, frexp, lgamma, nan, sqrt
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from .._core.errors import InvalidValueError, Source
from .._core.options import RELIABILITY_METHOD, RESAMPLES, ReliabilityMethod, choice
from .._core.results import Result
from .._core.rounding import EQUAL_MEANS
from .._core.text import counted
from .._core.types import Floats
from .._core.work import random_blocks, slices
from .._extras import extra
from .._kernel.closest import products
from ..data import Scores, ScoreSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt
    import pandas

Estimator: TypeAlias = Literal["ML", "MSQD", "RES"]
Method: TypeAlias = ReliabilityMethod

ESTIMATORS: tuple[Estimator, ...] = ("ML", "MSQD", "RES")
METHODS: tuple[Method, ...] = get_args(Method)

ESTIMATOR = choice("estimator", Estimator, "ML", "where the chances come from")

TOPICS_FOR_RELIABILITY = 3
"""With one topic left out, two are needed for a variance over topics."""

UNBIASED_UP_TO = 250
"""Up to this number of topics, ML corrects the standard deviation for its bias."""


@dataclass(frozen=True, eq=False)
class RankedSystems:
    """The systems of a table from the best observed mean down, and all pairs of them."""

    scores: Scores
    order: npt.NDArray[np.intp]
    """The columns of the systems, the best first; systems with equal means are in the order of their columns."""
    rows: Floats = field(repr=False)
    """Systems in that order by topics, divided by a power of two such that no score exceeds 1."""
    ahead: npt.NDArray[np.intp] = field(repr=False)
    behind: npt.NDArray[np.intp] = field(repr=False)
    """The places in that order, from 0, of the two systems of each pair."""

    @classmethod
    def of(cls, X: ScoreSource) -> RankedSystems:
        """Check the table, and rank its systems."""
        scores = checked_table(X)
        order = np.argsort(-scores.means, kind="stable")
        rows = np.ascontiguousarray(scaled_scores(scores)[0].T[order])
        return cls(scores, order, rows, *np.triu_indices(scores.m, 1))

    def differences(self) -> Iterator[tuple[slice, Floats]]:
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
        constant: npt.NDArray[np.bool_] = np.abs(first - second) <= self.noise
        # Few pairs have the same difference on the first two topics.
        some = np.flatnonzero(constant)
        for part in slices(len(some), self.scores.n):
            D = self.rows[self.ahead[some[part]]] - self.rows[self.behind[some[part]]]
            constant[some[part]] = np.ptp(D, axis=1) <= self.noise
        return constant

    @cached_property
    def equal(self) -> npt.NDArray[np.bool_]:
        """Which pairs are equal on every topic."""
        return np.asarray(self.constant & self.same_mean)

    def weights(self, method: Method) -> Floats:
        """The loss of the coefficient for each pair that is surely in the wrong order."""
        m = self.scores.m
        if method == "tau":
            return np.full(len(self.ahead), 4 / (m * (m - 1)))
        return at_places(self.behind, m)

    def correlation(self, chances: Floats, method: Method) -> float:
        """The expected coefficient, given the chance that each pair is in the wrong order; nan is left out."""
        value = 1 - float(np.nansum(self.weights(method) * chances))
        return value if abs(value) > EQUAL_MEANS else 0.0


def at_places(places: npt.NDArray[Any], m: int) -> Floats:
    """The weights of tauAP for pairs of m systems, given the place, from 0, of the system behind."""
    return np.asarray(2 / ((m - 1) * places))


def checked_table(X: ScoreSource) -> Scores:
    """The table, if it has three topics, two systems, and systems that are not all the same."""
    scores = Scores.of(X)
    if scores.n < TOPICS_FOR_RELIABILITY:
        raise InvalidValueError(
            Source(scores.name), f"must have {TOPICS_FOR_RELIABILITY} topics or more, not {scores.n}"
        )
    if scores.all_same:
        same = "all systems of ", Source(scores.name), " have the same scores, so there is no ranking"
        raise InvalidValueError(None, same)
    return scores


def has_reliability(scores: Scores) -> bool:
    """Whether a table has enough topics, and differences between systems, for a true ranking to be expected."""
    return scores.n >= TOPICS_FOR_RELIABILITY and not scores.all_same


def scaled_scores(scores: Scores) -> tuple[Floats, int]:
    """The values divided by a power of two such that none exceeds 1, and its exponent.

    No digit changes, and squares neither overflow nor vanish.
    """
    exponent = frexp(scores.size)[1]
    return np.ldexp(scores.values, -exponent), exponent


def chances_of(ranked: RankedSystems, estimator: Estimator, apart: float = 0.0) -> Floats:
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


def chance(D: Floats, deviation: Floats) -> Floats:
    """F(-sqrt(n) mean(D) / deviation), F the t distribution with n - 1 degrees of freedom, for each row of D."""
    from scipy.special import stdtr

    n = D.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(stdtr(n - 1, -sqrt(n) * D.mean(axis=1) / deviation))


def unbiased_deviation(D: Floats) -> Floats:
    """The standard deviation of each row, without its bias for normal differences."""
    return np.asarray(D.std(axis=1, ddof=1) * correction(D.shape[1]))


def correction(n: int) -> float:
    """The factor that makes the standard deviation of n normal numbers unbiased; 1 for many, as it nearly is."""
    return sqrt((n - 1) / 2) * exp(lgamma((n - 1) / 2) - lgamma(n / 2)) if n <= UNBIASED_UP_TO else 1.0


def quantile_deviation(D: Floats, apart: float = 0.0) -> Floats:
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
    doubled = 2 * squares
    return np.asarray(np.divide(sqrt(2) * (D * e).sum(axis=1), doubled, out=np.zeros(len(D)), where=squares > 0))


def resampled_chances(ranked: RankedSystems, blocks: Sequence[tuple[np.random.SeedSequence, int]]) -> Floats:
    """The chance of each pair by "RES", with these random streams and numbers of resamples."""
    n = ranked.scores.n
    draws = [np.random.default_rng(source).multinomial(n, np.full(n, 1 / n), size) for source, size in blocks]
    return shares_below(ranked, np.concatenate(draws).astype(np.float64))


def shares_below(ranked: RankedSystems, draws: Floats) -> Floats:
    """The share of resamples in which the mean difference of each pair is below 0.

    `draws` is resamples by topics: how often each topic is drawn.
    """
    sums = np.asarray(products(ranked.rows, np.ascontiguousarray(draws)))
    noise = ranked.scores.n * ranked.noise
    shares = np.empty(len(ranked.ahead))
    for part in slices(len(shares), len(draws)):
        shares[part] = (sums[ranked.ahead[part]] - sums[ranked.behind[part]] < -noise).mean(axis=1)
    shares[ranked.equal] = nan
    return shares


@dataclass(frozen=True)
class Caveat:
    """Something that a reader should know about an estimate: what kind of thing, and the numbers that belong to it."""

    kind: str
    name: str = ""
    """The key of its words, and what it is about: a coefficient, a source of variance, or a note of a reader."""
    count: int = 0
    value: float = nan
    """How many pairs of systems, or draws; and the coefficient if these counted otherwise, or the variance."""
    least: int = 0
    level: float = nan
    """The number of draws that would be enough for the interval of this level."""


@dataclass(frozen=True, eq=False, repr=False)
class Expected(Result):
    """The expected correlation between the ranking of the systems and the true one; `float` takes its value.

    Attributes
    ----------
    value : float
        The expected coefficient.
    method : {"tau", "tauAP"}
    estimator : {"ML", "MSQD", "RES"}
    chances : pandas.DataFrame or numpy.ndarray
        Systems by systems, in the order of the columns: the chance that the pair is in the wrong order.  It is
        symmetric, and nan on the diagonal and for two systems that are equal on every topic.  A table without names has
        an array.
    topics, systems : int
        How many there are.
    equal_pairs : int
        The number of pairs of systems that are equal on every topic.  They are left out of the sum.
    seed, resamples : int or None
        The seed of the random numbers and the number of resamples, for "RES".
    notes : tuple of str
        What a reader should know about the data.
    """

    value: float
    method: Method
    estimator: Estimator
    ranked: RankedSystems
    of_pairs: Floats = field(repr=False)
    seed: int | None = None
    resamples: int | None = None
    caveats: tuple[Caveat, ...] = ()

    def __float__(self) -> float:
        return self.value

    @property
    def topics(self) -> int:
        return self.ranked.scores.n

    @property
    def systems(self) -> int:
        return self.ranked.scores.m

    @property
    def equal_pairs(self) -> int:
        return int(self.ranked.equal.sum())

    @property
    def chances(self) -> pandas.DataFrame | Floats:
        scores = self.ranked.scores
        if not scores.named:
            return self.matrix
        DataFrame = extra("pandas", "a table with names").DataFrame

        return DataFrame(self.matrix, scores.labels, scores.labels)

    @property
    def matrix(self) -> Floats:
        """The chances as an array."""
        m = self.systems
        chances = np.full((m, m), nan)
        i, j = self.ranked.order[self.ranked.ahead], self.ranked.order[self.ranked.behind]
        chances[i, j] = chances[j, i] = self.of_pairs
        return chances

    def __repr__(self) -> str:
        return f"<Expected {self.method} {self.value:.4f} by {self.estimator}, {counted(self.topics, 'topic')}>"


def expected(
    X: ScoreSource,
    method: Method = "tau",
    estimator: Estimator = "ML",
    seed: int | None = None,
    *,
    resamples: int = 1000,
) -> Expected:
    """Estimate how well the ranking of systems by their mean scores correlates with the true ranking.

    The true ranking is that by the means over all topics there could be, of which the topics of the table are a random
    sample.  Nobody knows it, but for two systems the scores tell the chance that it has them in the other order.

    Parameters
    ----------
    X : 2-D array or DataFrame
        Scores, topics by systems, as for `ircor.bootstrap`: 3 topics or more, and 2 systems or more.
    method : {"tau", "tauAP"}
        The coefficient.  For "tauAP", pairs at the top of the observed ranking have more weight.
    estimator : {"ML", "MSQD", "RES"}
        Where the chances come from.

        - "ML": the t distribution, with the usual standard deviation of the differences between two systems, corrected
          for its bias.
        - "MSQD": the t distribution, with the standard deviation that brings the differences nearest to the quantiles
          of a normal distribution.
        - "RES": the share of resamples of the topics in which the difference of the means is the other way round.
    seed : int, optional
        The seed of the random numbers of "RES", 0 or more.  Drawn if None; reported in the result.
    resamples : int
        The number of resamples of "RES".

    Returns
    -------
    Expected
        Its `value` is the coefficient, which `float` takes too, and `chances` has the matrix.

    Raises
    ------
    TypeError, ValueError
        If the table has fewer than 3 topics, fewer than 2 systems, a missing score, or the same scores for all systems;
        or if an option is not one of those above.

    See Also
    --------
    topics_needed : the same for other numbers of topics, with an interval.

    Notes
    -----
    With P_ij the chance that systems i and j, i ahead of j in the observed ranking, are in the wrong order, and m
    systems, the expected coefficients are ::

        tau = 1 - 2 sum over i < j of P_ij / (m (m - 1) / 2)
        tauAP = 1 - 2 / (m - 1) sum over j = 2..m of (1 / (j - 1)) sum over i < j of P_ij

    and P_ij = F(-sqrt(n) mean(D) / sd) for the differences D of the two systems over n topics, where F is the t
    distribution with n - 1 degrees of freedom.

    All three estimators are biased, the most where few topics or close systems make the value small: there they are
    too high.  The page on reliability has what was measured on simulated collections.

    - Two systems that are equal on every topic have no chance.  As the authors do, such pairs are left out of the sum
      and not of the number of pairs: they count as if they were surely right.  A note counts them.
    - Two systems with equal means have the chance 1/2 by "ML" and "MSQD".  For "tauAP" they are in the order of their
      columns; a note has the value of the opposite order.
    - Two systems that differ by a constant have the chance 0.
    - "MSQD" takes differences for tied if they are equal as floating-point numbers, as the authors do.  Where rounding
      decides, a note has the value without it.  With many tied differences its standard deviation can be negative, and
      then the chances mean nothing: a note counts these pairs.

    References
    ----------
    J. Urbano and M. Marrero (2016). Toward Estimating the Rank Correlation between the Test Collection Results and the
    True System Performance. SIGIR.

    Examples
    --------
    >>> import ircor
    >>> from ircor.reliability import expected
    >>> tau = expected(ircor.sample("map"))
    >>> round(tau.value, 4), round(float(expected(ircor.sample("map"), "tauAP", "MSQD")), 4)
    (0.895, 0.8423)
    >>> tau.chances.loc["J1", ["J2", "B2"]].round(4).to_dict()
    {'J2': 0.2216, 'B2': 0.0}
    """
    name, by = RELIABILITY_METHOD.checked(method), ESTIMATOR.checked(estimator)
    ranked = RankedSystems.of(X)
    drawn_seed, blocks = random_blocks(seed, RESAMPLES.checked(resamples))
    drawn: tuple[int | None, int | None] = (drawn_seed, resamples) if by == "RES" else (None, None)

    def chances_in(order: RankedSystems) -> Floats:
        return resampled_chances(order, blocks) if by == "RES" else chances_of(order, by)

    chances = chances_in(ranked)
    value = ranked.correlation(chances, name)
    undecided = ranked.correlation(np.where(ranked.equal, 0.5, chances), name)
    caveats = [
        *readers_note(ranked.scores),
        *equal_pairs(ranked, lambda: undecided, name),
        *tied_means(ranked, chances_in, name),
        *(quantile_caveats(ranked, chances, name) if by == "MSQD" else []),
    ]
    return Expected(value, name, by, ranked, chances, *drawn, tuple(caveats))


def readers_note(scores: Scores) -> Iterator[Caveat]:
    """The note of the reader of the scores, if there is one."""
    if scores.note:
        yield Caveat("scores", scores.note)


def equal_pairs(ranked: RankedSystems, undecided: Callable[[], float], method: Method) -> Iterator[Caveat]:
    """The pairs that are equal on every topic, and what the value would be if they were undecided."""
    if count := int(ranked.equal.sum()):
        yield Caveat("equal pairs", method, count, undecided())


def tied_means(ranked: RankedSystems, chances: Callable[[RankedSystems], Floats], method: Method) -> Iterator[Caveat]:
    """The effect of the order of systems with equal means, but other scores, on tauAP."""
    if method == "tauAP" and (count := int((ranked.same_mean & ~ranked.equal).sum())):
        scores = ranked.scores
        other = RankedSystems.of(scores.taken(range(scores.n), range(scores.m)[::-1]))
        yield Caveat("tied means", method, count, other.correlation(chances(other), method))


def quantile_caveats(ranked: RankedSystems, chances: Floats, method: Method) -> Iterator[Caveat]:
    """The effect of tied differences on the standard deviations of MSQD."""
    means = ranked.rows.mean(axis=1)
    # The better system of these pairs would more probably be the worse one.
    if negative := int(((chances > 0.5) & (means[ranked.ahead] - means[ranked.behind] > ranked.noise)).sum()):
        yield Caveat("negative deviations", method, negative)
    tied = ranked.correlation(chances_of(ranked, "MSQD", ranked.noise), method)
    if f"{tied:.5f}" != f"{ranked.correlation(chances, method):.5f}":
        yield Caveat("rounded ties", method, value=tied)
