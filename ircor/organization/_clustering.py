"""Reliability over clustering relations, the second equation of section 3.3, without its loop over all pairs.

The equation is

    R = sum over i, j in the same cluster of X:  P(i, j) w_i w_j / W_i  +  W(tail),

where i and j are occurrences of documents, i = j included, and W_i is the weight of the cluster of i.  P(i, j) is that
of equation (3): min(r_G, r_X) / r_X, where r_X and r_G are the numbers of clusters that the two documents share in X
and in G.  All occurrences of a cluster have the same weight, so w_i w_j / W_i = w_i / |cluster|.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._pair import Occurrences, Pair

    Array = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.intp]


def has_clustering(X: Occurrences) -> bool:
    """Whether X lists a document, which is related to itself, or has a tail."""
    return X.c is not None or X.n > 0


def clustering_reliability(X: Occurrences, G: Occurrences, pair: Pair) -> float:
    """Reliability of the clustering relations of X against G."""
    single = X.before(pair.single)
    weight = X.w / X.cluster_size[X.cluster]
    total = X.tail + float((weight[single] * shared_by_single(X, G, pair)).sum())
    for d, r_X, r_G in shared_by_repeated(X, G, pair):
        for k in range(X.first[d], X.first[d + 1]):
            inside = X.documents_in(X.cluster[k])
            others = inside[: np.searchsorted(inside, d, "right")]
            P = probability(r_X, r_G, others)
            # d is the last of `others`.  Its pairs with the others count in both directions, that with itself once.
            total += float(weight[k] * (2 * P.sum() - P[-1]))
    return total


def probability(r_X: Integers, r_G: Integers, others: Integers) -> Array:
    """Equation (3) for a document and each of the others that shares a cluster with it in X."""
    P: Array = np.minimum(r_G[others], r_X[others]) / r_X[others]
    return P


def shared_by_single(X: Occurrences, G: Occurrences, pair: Pair) -> Integers:
    """For each single document, the number of single documents in its cluster in X and in its cluster in G.

    P is 1 for these and 0 for the other single documents.
    """
    in_X, in_G = X.cluster[X.before(pair.single)], G.cluster[G.before(pair.single)]
    _, both, count = np.unique(in_X * len(G.cluster_size) + in_G, return_inverse=True, return_counts=True)
    shared: Integers = count[both]
    return shared


def shared_by_repeated(X: Occurrences, G: Occurrences, pair: Pair) -> Iterator[tuple[int, Integers, Integers]]:
    """For each repeated document d, yield d and the numbers of clusters that it shares with each document, r_X and r_G.

    The two arrays are reused for the next d.
    """
    r_X, r_G = np.zeros(len(X.count), dtype=np.intp), np.zeros(len(X.count), dtype=np.intp)
    for d in pair.repeated:
        for side, shared in ((X, r_X), (G, r_G)):
            for cluster in side.cluster[side.of(d)]:
                shared[side.documents_in(cluster)] += 1
        yield d, r_X, r_G
        for side, shared in ((X, r_X), (G, r_G)):
            for cluster in side.cluster[side.of(d)]:
                shared[side.documents_in(cluster)] = 0
