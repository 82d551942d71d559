"""Average precision that is never 0, and rankings by means of transformed scores (Robertson 2006)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from math import log1p
from typing import Literal

import numpy as np

from .._core.errors import InvalidValueError, must_be
from .._core.methods import method_of
from .._core.options import choice, whole_number
from .._core.results import Result
from .._core.rounding import tie_means
from .._core.types import CoefficientName, Floats
from ..data import Scores, ScoreSource
from ._means import NAMED, Transform, mean_over_topics, transformation

Rest = Literal["last", "random"]

REST = choice("rest", Rest, "last", "where the relevant documents that were not retrieved are ranked")

# The first terms of a harmonic sum are added one by one; the asymptotic expansion is exact to rounding after them.
DIRECT = 1000


def ap_floor(
    relevant_ranks: Sequence[int],
    n_relevant: int,
    collection_size: int,
    *,
    retrieved: int | None = None,
    rest: Rest = "last",
) -> float:
    """Average precision over the whole collection, with the documents that were not retrieved ranked last.

    This value is never 0, so the geometric mean needs no arbitrary small number in its place.

    Parameters
    ----------
    relevant_ranks : sequence of int
        The ranks, from 1, of the relevant documents that were retrieved.
    n_relevant : int
        The number of relevant documents in the collection.
    collection_size : int
        The number of documents in the collection.
    retrieved : int, optional
        The number of documents retrieved.  By default, the rank of the last relevant one.
    rest : {"last", "random"}
        Where the other relevant documents are ranked: at the end of the collection, which gives the smallest value that
        is possible for this ranking, or in random order below the retrieved documents, which gives the expected value.

    Returns
    -------
    float

    Raises
    ------
    TypeError
        If one of the numbers is not a whole number.
    ValueError
        If the ranks are not distinct and from 1 to `retrieved`, or if the numbers contradict each other.

    References
    ----------
    S. Robertson (2006). On GMAP - and Other Transformations. CIKM, section 4.1.

    Examples
    --------
    >>> round(ap_floor([1, 3], 2, 1000), 4)
    0.8333
    >>> floor = ap_floor([], 2, 25_000_000, retrieved=1000)
    >>> floor < ap_floor([], 2, 25_000_000, retrieved=1000, rest="random")
    True
    """
    ranks = sorted(whole_number(rank, "relevant_ranks") for rank in relevant_ranks)
    R, N = whole_number(n_relevant, "n_relevant"), whole_number(collection_size, "collection_size")
    k, last = len(ranks), ranks[-1] if ranks else 0
    cut = last if retrieved is None else whole_number(retrieved, "retrieved", least=0)
    REST.checked(rest)
    if len(set(ranks)) < k or last > cut:
        raise InvalidValueError("relevant_ranks", f"must be different ranks from 1 to the {cut} documents retrieved")
    if not k <= R or R - k > N - cut:
        numbers = f"{k} of {R} relevant documents among {cut} retrieved of {N} in all"
        raise InvalidValueError(None, "these numbers do not fit together", numbers)
    retrieved_precision = sum(i / rank for i, rank in enumerate(ranks, 1))
    below = last_precision(k, R, N) if rest == "last" else expected_precision(k, R - k, cut, N)
    return (retrieved_precision + below) / R


def last_precision(k: int, R: int, N: int) -> float:
    """The sum of the precisions at the relevant documents k + 1 to R if they are at the end of the collection."""
    i = np.arange(k + 1, R + 1)
    return float((i / (N - R + i)).sum())


def expected_precision(k: int, u: int, cut: int, N: int) -> float:
    """The expected sum of the precisions at u relevant documents in random order below rank `cut`, with k above it.

    With M = N - cut, rank cut + t has one of the u documents with probability u / M.  If it has, v = (t - 1)(u - 1) /
    (M - 1) of the others are expected above it, and the expected precision at that rank is (k + 1 + v) / (cut + t).
    """
    if u == 0:
        return 0.0
    M = N - cut
    inverse, weighted = position_sums(cut, M)
    return u / M * ((k + 1) * inverse + (u - 1) / max(M - 1, 1) * weighted)


def position_sums(c: int, M: int) -> tuple[float, float]:
    """The sums of 1 / (c + t) and of (t - 1) / (c + t) for t = 1, ..., M, without a loop over large M.

    With the harmonic numbers H, the first sum is H(c + M) - H(c), and the second is M - (c + 1) times the first.  The
    expansion H(n) = log(h) + 1 / (24 h^2) - ..., h = n + 1/2, gives both without cancellation if M is much less than c.
    """
    if M <= DIRECT:
        t = np.arange(1, M + 1)
        return float((1 / (c + t)).sum()), float(((t - 1) / (c + t)).sum())
    if c < DIRECT:
        first, _ = position_sums(c, DIRECT - c)
        inverse = first + position_sums(DIRECT, M - (DIRECT - c))[0] if DIRECT - c < M else first
        return inverse, M - (c + 1) * inverse
    h, x = c + 0.5, M / (c + 0.5)
    more = second_term(c + M) - second_term(c)
    return log1p(x) + more, h * x_minus_log1p(x) - log1p(x) / 2 - (c + 1) * more


def second_term(n: int) -> float:
    """1 / (24 h^2) of the expansion of H(n).  The third term is below rounding if n >= 1000."""
    return 1 / (24 * (n + 0.5) ** 2)


def x_minus_log1p(x: float) -> float:
    """x - log(1 + x), as a power series if the two nearly cancel."""
    if x > 0.1:
        return x - log1p(x)
    return float(sum((-x) ** k / k for k in range(20, 1, -1)))


def robustness_to_transform(
    scores: ScoreSource,
    transforms: Sequence[Transform] = tuple(NAMED),
    method: CoefficientName = "tauAP_b",
    *,
    eps: float = 1e-5,
) -> TransformReport:
    """Rank systems by means after several transformations, and compare the rankings.

    Parameters
    ----------
    scores : 2-D array, DataFrame or Scores
        Topics by systems.
    transforms : sequence
        Transformations as for `transformed_mean`; by default all named ones.  Changes of order are relative to the
        first.
    method : str
        One of the six coefficients.
    eps : float
        As for `transformed_mean`.

    Returns
    -------
    TransformReport

    References
    ----------
    S. Robertson (2006). On GMAP - and Other Transformations. CIKM.

    Examples
    --------
    >>> scores = [[0.9, 0.5], [0.3, 0.2], [0.001, 0.2]]
    >>> report = robustness_to_transform(scores, ["identity", "log"], "tau_b")
    >>> report.rankings
    {'identity': (0, 1), 'log': (1, 0)}
    >>> print(report.changes[0])
    log ranks 1 above 0 because of topic 2
    """
    table = Scores.of(scores, "scores", rankable=False)
    if table.m < 2:
        raise InvalidValueError("scores", f"must have two systems or more, not {table.m}")
    coefficient = method_of(method)
    if not isinstance(transforms, Sequence) or isinstance(transforms, str) or not transforms:
        raise InvalidValueError("transforms", must_be("a list of one transformation or more", transforms))
    names = [t if isinstance(t, str) else f"function {k}" for k, t in enumerate(transforms)]
    if len(set(names)) < len(names):
        raise InvalidValueError("transforms", f"must be different, not {', '.join(names)}")
    pairs = [transformation(t, table, eps) for t in transforms]
    transformed = [function(table.values) for function, _ in pairs]
    means = [tie_means(mean_over_topics(values), float(np.abs(values).max())) for values in transformed]
    return TransformReport(
        transforms=tuple(names),
        systems=table.systems,
        means=np.array([inverse(mean) for (_, inverse), mean in zip(pairs, means)]),
        rankings={
            name: tuple(table.systems[i] for i in np.argsort(-mean, kind="stable")) for name, mean in zip(names, means)
        },
        method=method,
        correlations=np.array([[coefficient(x, y) for y in means] for x in means]),
        changes=tuple(
            change
            for name, values, mean in zip(names[1:], transformed[1:], means[1:])
            for change in order_changes(table, means[0], name, values, mean)
        ),
    )


def order_changes(scores: Scores, first: Floats, name: str, values: Floats, mean: Floats) -> Iterator[OrderChange]:
    """The pairs i, j with i ahead by the means `first`, and j ahead by the means `mean` of the transformed values."""
    for i, j in np.argwhere((first[:, None] > first) & (mean[:, None] < mean)):
        for_j = values[:, j] - values[:, i]
        strongest = np.argsort(-for_j, kind="stable")
        # The sum over the remaining topics after one, two, ... of the topics strongest for j are removed.
        remaining = for_j.sum() - np.cumsum(for_j[strongest])
        enough = int(np.argmax(remaining <= 0)) + 1
        topics = tuple(scores.topics[t] for t in strongest[:enough])
        yield OrderChange(scores.systems[i], scores.systems[j], name, topics)


@dataclass(frozen=True)
class OrderChange(Result):
    """A pair of systems that a transformation ranks in the opposite order.

    Attributes
    ----------
    better, worse : hashable
        The systems, as the first transformation ranks them.
    transform : str
        The transformation that ranks them in the opposite order.
    topics : tuple
        The fewest topics whose removal would undo that: those with the largest differences in favour of `worse`.
    """

    better: Hashable
    worse: Hashable
    transform: str
    topics: tuple[Hashable, ...]


@dataclass(frozen=True, eq=False)
class TransformReport(Result):
    """How the ranking of systems depends on the transformation.

    Attributes
    ----------
    transforms : tuple of str
    systems : tuple
    means : numpy.ndarray
        Transformations by systems, on the scale of the values.
    rankings : dict
        The systems, best first, by each transformation.
    method : str
        The coefficient.
    correlations : numpy.ndarray
        The coefficient of each transformation's ranking (row, x) with each (column, y).
    changes : tuple of OrderChange
        The pairs that a transformation ranks in the opposite order of the first one.
    """

    transforms: tuple[str, ...]
    systems: tuple[Hashable, ...] = field(repr=False)
    means: Floats = field(repr=False)
    rankings: dict[str, tuple[Hashable, ...]] = field(repr=False)
    method: CoefficientName
    correlations: Floats = field(repr=False)
    changes: tuple[OrderChange, ...] = field(repr=False)

    def changes_by(self, transform: str) -> list[OrderChange]:
        """The pairs that this transformation ranks in the opposite order."""
        return [change for change in self.changes if change.transform == transform]
