"""Two organizations with a common numbering of their documents, and the weights of their occurrences."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from .._ids import refuse_incomparable_ids
from ._model import Organization
from ._results import harmonic_mean

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.intp]


class Occurrences:
    """The occurrences of one organization, sorted by document and then by level, and their weights.

    The weight of an occurrence is that of equation (2),

        w = (c / n_equal) integral of 1 / x^2 from c + n_above to c + n_above + n_equal
          = c / ((c + n_above) (c + n_above + n_equal)),

    where n_above and n_equal are the numbers of occurrences on higher levels and on the same level.  In a closed
    collection, where c is None, every weight is 1 / n.

    Attributes
    ----------
    n : int
        The number of occurrences, |X_r|.
    level_count : int
        The number of levels.
    c : float or None
        The parameter of equation (2), or None in a closed collection.
    doc, level, cluster : numpy.ndarray
        The document, the level and the cluster of each occurrence, as numbers.
    first : numpy.ndarray
        Document d has the occurrences first[d] to first[d + 1] - 1.
    count : numpy.ndarray
        The number of occurrences of each document, |D_d|.
    cluster_size : numpy.ndarray
        The number of occurrences in each cluster.
    w : numpy.ndarray
        The weight of each occurrence.
    W : numpy.ndarray
        For each occurrence, the total weight of the other levels and of the tail: the weight of everything to which it
        has a priority relation.
    tail : float
        The weight of the tail, W(X_not_r) = c / (c + n); 0 in a closed collection.
    """

    def __init__(self, organization: Organization, doc: Integers, documents: int, c: float | None) -> None:
        order = np.lexsort((organization.level, doc))
        self.doc, self.level, self.cluster = doc[order], organization.level[order], organization.cluster[order]
        self.first = np.searchsorted(self.doc, np.arange(documents + 1))
        self.count = np.diff(self.first)
        self.cluster_size = np.bincount(self.cluster)
        self._cluster_end = np.cumsum(self.cluster_size)
        self._doc_by_cluster = self.doc[np.lexsort((self.doc, self.cluster))]
        self.c = c
        self.n = len(doc)
        n_equal = np.bincount(self.level)
        n_above = np.cumsum(n_equal) - n_equal
        self.level_count = len(n_equal)
        if c is None:
            w, W = np.full(self.level_count, 1 / max(self.n, 1)), (self.n - n_equal) / max(self.n, 1)
            self.tail = 0.0
        else:
            w = c / (c + n_above) / (c + n_above + n_equal)
            # Not 1 - n_equal w, which would lose digits where one level has almost all of the weight: the weight of the
            # levels above plus that of everything below.
            W = n_above / (c + n_above) + c / (c + n_above + n_equal)
            self.tail = c / (c + self.n)
        self.w, self.W = w[self.level], W[self.level]

    def of(self, d: int) -> slice:
        """The occurrences of document d."""
        return slice(self.first[d], self.first[d + 1])

    def before(self, d: int) -> slice:
        """The occurrences of the documents 0 to d - 1."""
        return slice(self.first[d])

    def documents_in(self, cluster: int) -> Integers:
        """The documents of a cluster, in increasing order."""
        end = self._cluster_end[cluster]
        return self._doc_by_cluster[end - self.cluster_size[cluster] : end]


class Pair:
    """A system's organization and a gold standard, with a common numbering of their documents.

    The numbering puts documents that need the same treatment next to each other:

    - 0 to single - 1: documents that occur exactly once on each side.  Their relations are counted by sorting.
    - single to common - 1: repeated documents, which occur on both sides, and more than once on at least one.
    - from common: documents that occur on one side only.  All their relations are wrong.

    Attributes
    ----------
    system, gold : Occurrences
    single, common : int
        The bounds of the numbering.
    """

    def __init__(self, system: Organization, gold: Organization, c: float | None) -> None:
        for organization, name in ((system, "system"), (gold, "gold")):
            if not isinstance(organization, Organization):
                raise TypeError(f"'{name}' must be an Organization, not a {type(organization).__name__}")
        refuse_incomparable_ids("document", system=system.documents, gold=gold.documents)
        code: dict[Hashable, int] = {}
        X = np.array([code.setdefault(document, len(code)) for document in system.documents], dtype=np.intp)
        G = np.array([code.setdefault(document, len(code)) for document in gold.documents], dtype=np.intp)
        n_X, n_G = (np.bincount(side, minlength=len(code)) for side in (X, G))
        once, both = (n_X == 1) & (n_G == 1), (n_X > 0) & (n_G > 0)
        order = np.argsort(np.where(once, 0, np.where(both, 1, 2)), kind="stable")
        number = np.empty(len(code), dtype=np.intp)
        number[order] = np.arange(len(code))
        self.single, self.common = int(once.sum()), int(both.sum())
        self.system = Occurrences(system, number[X], len(code), c)
        self.gold = Occurrences(gold, number[G], len(code), c)

    @property
    def repeated(self) -> range:
        """The numbers of the repeated documents."""
        return range(self.single, self.common)

    def in_both_directions(
        self,
        reliability: Callable[[Occurrences, Occurrences, Pair], float],
        has_relations: Callable[[Occurrences], bool],
    ) -> tuple[float, float, float]:
        """Reliability, Sensitivity and their harmonic mean, for one kind of relation.

        Sensitivity is Reliability with X and G exchanged.  A side without relations scores 0, and three nan are
        returned if neither side has any.

        Parameters
        ----------
        reliability : callable
            Computes the Reliability of its first argument against its second.
        has_relations : callable
            Whether a side has any relation of this kind.
        """
        X, G = self.system, self.gold
        if not (has_relations(X) or has_relations(G)):
            return nan, nan, nan
        # Rounding can take a perfect score beyond 1.
        R = min(reliability(X, G, self), 1.0) if has_relations(X) else 0.0
        S = min(reliability(G, X, self), 1.0) if has_relations(G) else 0.0
        return R, S, harmonic_mean(R, S)
