"""Reliability and Sensitivity of one organization against another."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Literal

from .._options import fraction, one_of, real_number, whole_number
from ._clustering import clustering_reliability, has_clustering
from ._pair import Pair
from ._priority import has_priority, priority_reliability
from ._results import RS, RSResult

if TYPE_CHECKING:
    from ._model import Organization

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
            raise ValueError(
                "'top' and 'weight' must be omitted in a closed collection, where all occurrences have the same weight"
            )
        c = None
    else:
        if top is None or weight is None:
            raise ValueError(
                "an open collection needs 'top' and 'weight': with top=30, weight=0.8 the first 30 documents carry "
                '80 % of the score; if all documents are listed, use collection="closed"'
            )
        c = weight_parameter(top, weight)
    pair = Pair(system, gold, c)
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
        raise ValueError(f"'weight' is too small for this 'top': {weight}")
    return c
