"""Reliability over priority relations, the first equation of section 3.3, without its loop over all pairs.

The equation is

    R = sum over i, j in X_r on different levels of X:  P(i, j) w_i w_j / W_i
      + sum over i in X_r:  P(i above the tail) w_i W(tail) (1 / W_i + 1 / W(X_r)),

where i and j are occurrences of documents and W_i is the weight of all levels but that of i.  P(i, j) is that of
equation (3), the same for all occurrences of two documents d and e:

    P = min(r_G, r_X) / r_X,

where r_X and r_G are the numbers of pairs of an occurrence of d above one of e, in X and in G.

The pairs (i, j) and (j, i) have the same P.  If i is above j, they add P w_i w_j (1 / W_i + 1 / W_j) together, so the
functions below only look for pairs with i above j.  They divide the pairs by whether the documents occur once on each
side (single) or are repeated; see `Pair`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._kernel import Ranking, dominance_sums

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._pair import Occurrences, Pair

    Array = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.intp]


def has_priority(X: Occurrences) -> bool:
    """Whether X has two levels or more; in an open collection the tail is a level too."""
    return X.level_count > 1 or (X.c is not None and X.n > 0)


def priority_reliability(X: Occurrences, G: Occurrences, pair: Pair) -> float:
    """Reliability of the priority relations of X against G."""
    total = between_single(X, G, pair)
    total += sum(repeated_above_single(X, G, pair, sign) for sign in (1, -1))
    # Each pair of repeated documents is found at the one with the greater number.  There are no relations of a document
    # below itself to add: they are its relations above itself.
    total += sum(
        repeated_above_repeated(X, G, pair, d, d, 1) + repeated_above_repeated(X, G, pair, d, d - 1, -1)
        for d in pair.repeated
    )
    return total + to_tail(X, G, pair)


def to_tail(X: Occurrences, G: Occurrences, pair: Pair) -> float:
    """The second sum of the equation, with P = min(|D in G_r|, |D in X_r|) / |D in X_r| for a document D."""
    if X.c is None:
        return 0.0
    common = X.before(pair.common)
    P = (np.minimum(G.count, X.count) / np.maximum(X.count, 1))[X.doc[common]]
    # W(tail) / W(X_r) = c / n.
    return float((P * X.w[common] * (X.tail / X.W[common] + X.c / X.n)).sum())


def between_single(X: Occurrences, G: Occurrences, pair: Pair) -> float:
    """Pairs of single documents: P is 1 if one is above the other in both X and G, and 0 otherwise."""
    single = X.before(pair.single)
    x, g = Ranking(X.level[single]), Ranking(G.level[G.before(pair.single)])
    w, w_over_W = X.w[single], X.w[single] / X.W[single]
    return float((w * dominance_sums(x, g, w_over_W) + w_over_W * dominance_sums(x, g, w)).sum())


def repeated_above_single(X: Occurrences, G: Occurrences, pair: Pair, sign: int) -> float:
    """Pairs of a repeated document d above a single document j; with sign = -1, below it.

    Let u and v be the numbers of occurrences of d above j, in X and in G.  Then P = min(u, v) / u, and the pairs of d
    and j add

        f(u, v) = P (w_j B(u) + (w_j / W_j) A(u)),

    where A(u) and B(u) are the sums of w and of w / W over the u highest occurrences of d in X.  Since f(0, v) and
    f(u, 0) are 0, f(u, v) is the sum of its mixed differences

        f(p, q) - f(p - 1, q) - f(p, q - 1) + f(p - 1, q - 1)   over 1 <= p <= u, 1 <= q <= v,

    and p <= u, q <= v means that j is below the p-th occurrence of d in X and below the q-th in G.  Therefore the
    weights of all j are first summed at each point (p, q), by a dominance sum, and then multiplied by its difference.
    """
    if not (pair.single and pair.repeated):
        return 0.0
    x_points: list[Integers] = []
    g_points: list[Integers] = []
    differences_of_A: list[Array] = []
    differences_of_B: list[Array] = []
    for d in pair.repeated:
        own = X.of(d)
        # With sign = -1 the levels are negated and run backwards, so that they increase again.
        x_levels, g_levels = sign * X.level[own][::sign], sign * G.level[G.of(d)][::sign]
        p, q = np.arange(1, len(x_levels) + 1), np.arange(1, len(g_levels) + 1)
        for values, differences in ((X.w[own], differences_of_A), (X.w[own] / X.W[own], differences_of_B)):
            # min(p, q) grows with q as long as q <= p.
            along_q = np.where(q <= p[:, None], (np.cumsum(values[::sign]) / p)[:, None], 0)
            differences.append(np.diff(along_q, axis=0, prepend=0).ravel())
        x_points.append(np.repeat(x_levels, len(g_levels)))
        g_points.append(np.tile(g_levels, len(x_levels)))
    single = X.before(pair.single)
    # Decreasing: the sums are over the documents below each point.
    x = Ranking(np.concatenate([sign * X.level[single], *x_points]), decreasing=True)
    g = Ranking(np.concatenate([sign * G.level[G.before(pair.single)], *g_points]), decreasing=True)
    total = 0.0
    for weights, differences in ((X.w[single] / X.W[single], differences_of_A), (X.w[single], differences_of_B)):
        # The points themselves have no weight.
        padded = np.zeros(len(x))
        padded[: pair.single] = weights
        total += float((np.concatenate(differences) * dominance_sums(x, g, padded)[pair.single :]).sum())
    return total


def repeated_above_repeated(X: Occurrences, G: Occurrences, pair: Pair, d: int, last: int, sign: int) -> float:
    """Pairs of the repeated document d above the repeated documents up to `last`; with sign = -1, below them.

    If A and B are the sums of w and of w / W over the occurrences of d above j, the pairs of d and j add
    P (w_j B + (w_j / W_j) A).
    """
    x, g = (slice(side.first[pair.single], side.first[last + 1]) for side in (X, G))
    own = X.of(d)
    # For each occurrence j of the other documents, the number of occurrences of d above it.
    above_in_X = np.searchsorted(sign * X.level[own][::sign], sign * X.level[x])
    above_in_G = np.searchsorted(sign * G.level[G.of(d)][::sign], sign * G.level[g])
    A, B = (
        np.concatenate([[0.0], np.cumsum(values[::sign])])[above_in_X] for values in (X.w[own], X.w[own] / X.W[own])
    )
    e = X.doc[x] - pair.single
    r_X, r_G = np.bincount(e, above_in_X), np.bincount(G.doc[g] - pair.single, above_in_G)
    P = np.minimum(r_G, r_X) / np.maximum(r_X, 1)
    return float((P[e] * X.w[x] * (B + A / X.W[x])).sum())
