"""Extended BCubed: precision and recall of clusters that can overlap."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING, Literal

import numpy as np

from .._core.errors import Argument, InvalidValueError, Setting
from .._core.options import fraction, one_of, real_number, whole_number
from .._core.types import Floats
from .._kernel import Ranking, dominance_sums
from ._relations import RS, BCubed, OrganizationPair, RSResult

if TYPE_CHECKING:
    import numpy.typing as npt

    from ._relations import Occurrences, Organization, OrganizationPair

    Integers = npt.NDArray[np.intp]


def bcubed(system: Organization, gold: Organization) -> BCubed:
    """BCubed precision and recall of a clustering, in the extended form for overlapping clusters.

    Let r_X(d, e) and r_G(d, e) be the numbers of clusters that documents d and e share in the system's organization and
    in the gold standard.  Then ::

        precision = mean over d of  mean over e with r_X(d, e) > 0 of  min(r_G(d, e), r_X(d, e)) / r_X(d, e),

    where d and e are documents of the system and e = d is included.  Recall is the same with the two sides exchanged.

    If no document is in two clusters, these are the Reliability and Sensitivity that `evaluate` computes in a closed
    collection.  Otherwise they differ.  BCubed averages over documents and counts two documents that share several
    clusters as one pair.  Reliability and Sensitivity average over occurrences, so they decrease with each shared
    cluster that is broken up.

    Parameters
    ----------
    system, gold : Organization
        The two clusterings; see `Organization.from_clusters`.  Priority levels have no effect.

    Returns
    -------
    BCubed
        `precision`, `recall` and their harmonic mean `f`.  An empty side scores 0; if both are empty, all are nan.

    Raises
    ------
    TypeError
        If a side is not an Organization, or if the ids of the two sides have types that are never equal.

    References
    ----------
    E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo (2009). A comparison of extrinsic clustering evaluation metrics
    based on formal constraints. Information Retrieval 12.

    Examples
    --------
    >>> from ircor.organization import Organization
    >>> gold = Organization.from_clusters([["d1", "d2", "d3"], ["d4", "d5", "d6"], ["d7"]])
    >>> system = Organization.from_clusters([["d1", "d2"], ["d3"], ["d4", "d5", "d6", "d7"]])
    >>> [round(value, 4) for value in bcubed(system, gold)]
    [0.7857, 0.8095, 0.7974]
    """
    return BCubed(*OrganizationPair(system, gold, None).in_both_directions(bcubed_precision, has_clustering))


def bcubed_precision(X: Occurrences, G: Occurrences, pair: OrganizationPair) -> float:
    """BCubed precision of X against G; a document that is not in G adds 0 to the mean."""
    related = np.ones(pair.common)
    correct = np.zeros(pair.common)
    related[: pair.single] = X.cluster_size[X.cluster[X.before(pair.single)]]
    correct[: pair.single] = shared_by_single(X, G, pair)
    for d, r_X, r_G in shared_by_repeated(X, G, pair):
        with_d = np.unique(np.concatenate([X.documents_in(cluster) for cluster in X.cluster[X.of(d)]]))
        related[d] = len(with_d)
        others = with_d[with_d <= d]
        P = probability(r_X, r_G, others)
        # d is the last of `others`.  Its pairs with the others count for both documents, that with itself once.
        correct[d] += P.sum()
        correct[others[:-1]] += P[:-1]
    return float((correct / related).sum() / np.count_nonzero(X.count))


def has_clustering(X: Occurrences) -> bool:
    """Whether X lists a document, which is related to itself, or has a tail."""
    return X.c is not None or X.n > 0


def clustering_reliability(X: Occurrences, G: Occurrences, pair: OrganizationPair) -> float:
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


def probability(r_X: Integers, r_G: Integers, others: Integers) -> Floats:
    """Equation (3) for a document and each of the others that shares a cluster with it in X."""
    P: Floats = np.minimum(r_G[others], r_X[others]) / r_X[others]
    return P


def shared_by_single(X: Occurrences, G: Occurrences, pair: OrganizationPair) -> Integers:
    """For each single document, the number of single documents in its cluster in X and in its cluster in G.

    P is 1 for these and 0 for the other single documents.
    """
    in_X, in_G = X.cluster[X.before(pair.single)], G.cluster[G.before(pair.single)]
    _, both, count = np.unique(in_X * len(G.cluster_size) + in_G, return_inverse=True, return_counts=True)
    shared: Integers = count[both]
    return shared


def shared_by_repeated(
    X: Occurrences, G: Occurrences, pair: OrganizationPair
) -> Iterator[tuple[int, Integers, Integers]]:
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


def has_priority(X: Occurrences) -> bool:
    """Whether X has two levels or more; in an open collection the tail is a level too."""
    return X.level_count > 1 or (X.c is not None and X.n > 0)


def priority_reliability(X: Occurrences, G: Occurrences, pair: OrganizationPair) -> float:
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


def to_tail(X: Occurrences, G: Occurrences, pair: OrganizationPair) -> float:
    """The second sum of the equation, with P = min(|D in G_r|, |D in X_r|) / |D in X_r| for a document D."""
    if X.c is None:
        return 0.0
    common = X.before(pair.common)
    P = (np.minimum(G.count, X.count) / np.maximum(X.count, 1))[X.doc[common]]
    # W(tail) / W(X_r) = c / n.
    return float((P * X.w[common] * (X.tail / X.W[common] + X.c / X.n)).sum())


def between_single(X: Occurrences, G: Occurrences, pair: OrganizationPair) -> float:
    """Pairs of single documents: P is 1 if one is above the other in both X and G, and 0 otherwise."""
    single = X.before(pair.single)
    x, g = Ranking(X.level[single]), Ranking(G.level[G.before(pair.single)])
    w, w_over_W = X.w[single], X.w[single] / X.W[single]
    return float((w * dominance_sums(x, g, w_over_W) + w_over_W * dominance_sums(x, g, w)).sum())


def repeated_above_single(X: Occurrences, G: Occurrences, pair: OrganizationPair, sign: int) -> float:
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
    differences_of_A: list[Floats] = []
    differences_of_B: list[Floats] = []
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


def repeated_above_repeated(
    X: Occurrences, G: Occurrences, pair: OrganizationPair, d: int, last: int, sign: int
) -> float:
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


Collection = Literal["open", "closed"]


def evaluate(
    system: Organization,
    gold: Organization,
    *,
    top: int | None = None,
    weight: float | None = None,
    collection: Collection = "open",
) -> RSResult:
    """Reliability and Sensitivity of a system's organization of documents against a gold standard.

    Reliability is the precision of the relations that the system makes between documents, and Sensitivity is their
    recall.  Both are computed for priority relations and for clustering relations.  They apply to rankings, filters and
    clusterings, and to mixtures such as ranked clusters.  A high R*S requires correct relations, few wrong ones, and an
    output of the right length.

    Parameters
    ----------
    system, gold : Organization
        The output of the system and the gold standard.
    top : int
        The paper's n: the number of occurrences that carry the share `weight` of the score.  Required in an open
        collection.
    weight : float
        The paper's W_n, between 0 and 1: the share of the score that the first `top` occurrences carry.  Required in an
        open collection.
    collection : {"open", "closed"}
        In an "open" collection both organizations end in a tail: an unlimited number of documents that they do not list
        and that come after all listed documents.  In a "closed" collection there is no tail, and all occurrences have
        the same weight, as in the filtering and clustering of sections 4.2 and 4.3.

    Returns
    -------
    RSResult
        `priority` and `clustering`, each with `reliability`, `sensitivity` and their harmonic mean `f`.  A side without
        relations of a kind scores 0 for it; if neither side has any, all three are nan.

    Raises
    ------
    TypeError
        If a side is not an Organization, if `top` or `weight` is not a number, or if the ids of the two sides have
        types that are never equal, such as strings and numbers.
    ValueError
        If `top` is less than 1 or `weight` is not between 0 and 1, if one of them is missing in an open collection or
        given in a closed one, or if `collection` is neither "open" nor "closed".

    Notes
    -----
    The equations are those of section 3.3.  Let X be the system's organization and G the gold standard, let i and j be
    occurrences that X lists, w their weights by equation (2), and P(i, j) the probability of equation (3) that G has
    the relation that X has between i and j.  Then ::

        R(priority)   = sum of P(i, j) w_i w_j / W_i  over all i and j on different levels
                      + sum of P(i above the tail) w_i W(tail) (1 / W_i + 1 / W(listed))  over all i,
        R(clustering) = sum of P(i, j) w_i w_j / W_i  over all i and j in the same cluster  +  W(tail),

    where W_i is the weight of the other levels in the first equation and of the cluster of i in the second.
    Sensitivity is the same with X and G exchanged.

    The paper leaves three points open:

    - For clustering, an occurrence is related to itself, as in BCubed.
    - For priority, two occurrences of one document on different levels are related like those of two documents.
    - A document that G does not list has no relations to listed documents in G; in particular it does not come after
      them.  A nonrelevant document in a ranking therefore makes all its relations wrong, including those to the
      relevant documents above it.  The tail of X is compared with the tail of G as a whole.

    References
    ----------
    E. Amigo, J. Gonzalo and F. Verdejo (2013). A General Evaluation Measure for Document Organization Tasks. SIGIR.

    Examples
    --------
    System 5 of the paper's table 9 has the clusters of the gold standard on reversed levels:

    >>> from ircor.organization import Organization
    >>> levels = [[["d1"], ["d2", "d3", "d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6", "d7"]]]
    >>> result = evaluate(Organization(levels[::-1]), Organization(levels), top=10, weight=0.8)
    >>> print(result)
    relations   reliability  sensitivity       f
    priority         0.6386       0.5897  0.6132
    clustering       1.0000       1.0000  1.0000

    The filter of table 2 has precision 2/3 and 4/5 for its two classes, and the same recall:

    >>> gold = Organization.from_filter(["d1", "d2", "d3"], ["d4", "d5", "d6", "d7", "d8"])
    >>> system = Organization.from_filter(["d1", "d2", "d4"], ["d3", "d5", "d6", "d7", "d8"])
    >>> [round(value, 4) for value in evaluate(system, gold, collection="closed").priority]
    [0.5333, 0.5333, 0.5333]
    """
    if one_of(collection, "collection", ("open", "closed")) == "closed":
        if top is not None or weight is not None:
            raise InvalidValueError(
                ("top", "weight"), "must be omitted in a closed collection, where all occurrences have the same weight"
            )
        c = None
    else:
        if top is None or weight is None:
            raise InvalidValueError(
                None,
                ("an open collection needs ", Argument("top"), " and ", Argument("weight")),
                (
                    *("with ", Setting("top", 30), ", ", Setting("weight", 0.8)),
                    " the first 30 documents carry 80 % of the score; if all documents are listed, use ",
                    Setting("collection", "closed"),
                ),
            )
        c = weight_parameter(top, weight)
    pair = OrganizationPair(system, gold, c)
    return RSResult(
        RS(*pair.in_both_directions(priority_reliability, has_priority)),
        RS(*pair.in_both_directions(clustering_reliability, has_clustering)),
    )


def weight_parameter(top: int, weight: float) -> float:
    """The c of equation (2), c = (1 - W_n) n / W_n, with n = `top` and W_n = `weight`."""
    n = real_number(whole_number(top, "top"), "top")
    W_n = fraction(weight, "weight")
    c = (1 - W_n) / W_n * n
    if not isfinite(c):
        raise InvalidValueError("weight", ("is too small for this ", Argument("top")), f"{weight}")
    return c
