"""Extended BCubed: precision and recall of clusters that can overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._clustering import has_clustering, probability, shared_by_repeated, shared_by_single
from ._pair import Pair
from ._results import BCubed

if TYPE_CHECKING:
    from ._model import Organization
    from ._pair import Occurrences


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
    return BCubed(*Pair(system, gold, None).in_both_directions(bcubed_precision, has_clustering))


def bcubed_precision(X: Occurrences, G: Occurrences, pair: Pair) -> float:
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
