"""Average precision over the whole collection, which is never 0 (Robertson 2006, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p
from typing import Literal, get_args

import numpy as np

from .._options import one_of, whole_number

Rest = Literal["last", "random"]

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
    one_of(rest, "rest", get_args(Rest))
    if len(set(ranks)) < k or last > cut:
        raise ValueError(f"'relevant_ranks' must be different ranks from 1 to the {cut} documents retrieved")
    if not k <= R or R - k > N - cut:
        raise ValueError(
            f"these numbers do not fit together: {k} of {R} relevant documents among {cut} retrieved of {N} in all"
        )
    found = sum(i / rank for i, rank in enumerate(ranks, 1))
    below = last_precision(k, R, N) if rest == "last" else expected_precision(k, R - k, cut, N)
    return (found + below) / R


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
