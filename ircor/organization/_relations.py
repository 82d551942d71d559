"""Organization: documents on priority levels and in clusters, from lists, rankings, filters, clusters and tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from .._core.checks import (
    column_values,
    is_missing,
    refuse_bad_ids,
    refuse_incomparable_ids,
    refuse_repeated_ids,
    refuse_unhashable,
    repeated_values,
    require_list,
)
from .._core.errors import InvalidTypeError, InvalidValueError
from .._core.results import view_of
from .._core.text import counted
from .._core.types import Frame
from .._core.vectors import number_table

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.intp]

Columns: TypeAlias = "Frame | Mapping[str, Sequence[object]] | npt.NDArray[np.void]"
"""A table with named columns, of any kind."""


class Organization:
    """Documents on priority levels, and in clusters within each level.

    Parameters
    ----------
    levels : list of lists of lists
        The levels, highest priority first.  Each level is a list of clusters, and each cluster is a list of document
        ids, which can be any hashable values.  A document can be in several clusters and on several levels; it then has
        several occurrences.  A document that is not related to any other is a cluster of one.  Empty clusters and
        levels are ignored.

    Attributes
    ----------
    documents : list
        The document of each occurrence.
    level, cluster : numpy.ndarray
        The level and the cluster of each occurrence, numbered from 0; level 0 has the highest priority.

    Raises
    ------
    TypeError
        If a level or a cluster is not a list, or if an id is not hashable.
    ValueError
        If a cluster has the same document twice, or if an id is missing (None or nan).

    Examples
    --------
    The gold standard of the paper's table 9:

    >>> gold = Organization([[["d1"], ["d2", "d3", "d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6", "d7"]]])
    >>> gold
    Organization(10 occurrences of 7 documents in 5 clusters on 3 levels)
    """

    documents: list[Hashable]
    level: Integers
    cluster: Integers

    def __init__(self, levels: Iterable[Iterable[Iterable[Hashable]]]) -> None:
        documents: list[Hashable] = []
        level_of: list[int] = []
        cluster_of: list[tuple[int, int]] = []
        for i, level in enumerate(require_list(levels, "'levels'", "levels, best first", ordered=True)):
            for k, cluster in enumerate(require_list(level, f"level {i + 1}", "clusters, which are lists of ids")):
                ids = list(require_list(cluster, f"cluster {k + 1} of level {i + 1}", "document ids"))
                documents += ids
                level_of += [i] * len(ids)
                cluster_of += [(i, k)] * len(ids)
        self._set_occurrences(documents, level_of, cluster_of)

    def _set_occurrences(self, documents: list[Hashable], levels: list[Any], clusters: list[Any]) -> None:
        """Check the ids; number the levels from the smallest value and the clusters by first occurrence."""
        refuse_bad_ids(documents)
        # Levels are compared as Python numbers: large integers that differ can be equal as doubles.
        level_number = {level: k for k, level in enumerate(sorted(set(levels)))}
        cluster_number: dict[Any, int] = {}
        self.documents = documents
        self.level = np.array([level_number[level] for level in levels], dtype=np.intp)
        self.cluster = np.array([cluster_number.setdefault(key, len(cluster_number)) for key in clusters], np.intp)
        for _, document in repeated_values(zip(self.cluster.tolist(), documents)):
            raise InvalidValueError(None, f"document {document!r} is twice in one cluster")

    @classmethod
    def _from_occurrences(
        cls, documents: list[Hashable], levels: list[Any], clusters: list[Any] | None = None
    ) -> Organization:
        """An organization from the document, level and cluster of each occurrence; clusters of one by default."""
        organization = cls.__new__(cls)
        organization._set_occurrences(documents, levels, list(range(len(documents))) if clusters is None else clusters)
        return organization

    @classmethod
    def from_ranking(cls, ids: Iterable[Hashable | Iterable[Hashable]]) -> Organization:
        """Make an organization from a ranking: one level for each document, and no clusters.

        Parameters
        ----------
        ids : list
            The document ids, best first.  A list, set or array among them holds tied documents, which share a level.
            A tuple is hashable and therefore an id, not a tie.

        Returns
        -------
        Organization

        Examples
        --------
        >>> Organization.from_ranking(["d1", ["d2", "d6"], "d3"]).levels
        [[['d1']], [['d2'], ['d6']], [['d3']]]
        """
        documents: list[Hashable] = []
        levels: list[int] = []
        for i, item in enumerate(require_list(ids, "'ids'", "document ids, best first", ordered=True)):
            is_id = isinstance(item, Hashable) and not isinstance(item, Iterator)
            tied = [item] if is_id else list(require_list(item, f"item {i + 1} of 'ids'", "tied ids"))
            documents += tied
            levels += [i] * len(tied)
        refuse_repeated_ids(documents, "ranking")
        return cls._from_occurrences(documents, levels)

    @classmethod
    def from_filter(cls, positive: Iterable[Hashable], negative: Iterable[Hashable] | None = None) -> Organization:
        """Make an organization from a filter: positive documents on one level, negative ones on the level below.

        Parameters
        ----------
        positive, negative : list
            The document ids of each class.  In an open collection the negative documents are the unlimited tail, and
            `negative` can be omitted; a closed collection needs both lists.

        Returns
        -------
        Organization

        Examples
        --------
        >>> Organization.from_filter(["d1", "d2"], ["d3"]).levels
        [[['d1'], ['d2']], [['d3']]]
        """
        upper = list(require_list(positive, "'positive'", "document ids"))
        lower = list(require_list(() if negative is None else negative, "'negative'", "document ids"))
        refuse_repeated_ids(upper + lower, "filter")
        return cls._from_occurrences(upper + lower, [0] * len(upper) + [1] * len(lower))

    @classmethod
    def from_clusters(cls, clusters: Iterable[Iterable[Hashable]]) -> Organization:
        """Make an organization from clusters, which can overlap, all on one level.

        Parameters
        ----------
        clusters : list of lists
            The document ids of each cluster.

        Returns
        -------
        Organization

        Examples
        --------
        >>> Organization.from_clusters([["d1", "d2"], ["d2", "d3"]])
        Organization(4 occurrences of 3 documents in 2 clusters on 1 level)
        """
        return cls([require_list(clusters, "'clusters'", "clusters, which are lists of ids")])

    @classmethod
    def from_frame(cls, frame: Columns, doc: str, level: str, cluster: str | None = None) -> Organization:
        """Make an organization from a table with one row for each occurrence.

        Parameters
        ----------
        frame : pandas.DataFrame
            The table; also a Polars DataFrame, an Arrow table, a structured array, or a mapping from column names to
            lists.
        doc : str
            The column of document ids.
        level : str
            The column of levels, which are finite numbers.  The smallest has the highest priority.
        cluster : str, optional
            The column of cluster labels.  Equal labels on different levels are different clusters.  A document without
            a label is a cluster of one.

        Returns
        -------
        Organization

        Examples
        --------
        >>> import pandas
        >>> frame = pandas.DataFrame({"doc": ["a", "b", "c"], "level": [1, 1, 2], "topic": ["t", "t", None]})
        >>> Organization.from_frame(frame, "doc", "level", "topic").levels
        [[['a', 'b']], [['c']]]
        """
        documents = column_values(frame, doc)
        # An empty column may have no type, so it is not checked for numbers.
        raw, _ = number_table(frame[level], level) if column_values(frame, level) else (np.empty(0), [])
        labels = [None] * len(documents) if cluster is None else column_values(frame, cluster)
        if raw.shape != (len(documents),) or len(labels) != len(documents):
            length = f"{doc!r} has {len(documents)} rows"
            raise InvalidValueError(None, "the columns of the table differ in length", length)
        if not np.isfinite(raw).all():
            row = int(np.argmin(np.isfinite(raw)))
            level = f"the level of document {documents[row]!r} in row {row + 1}"
            raise InvalidValueError(None, f"{level} is missing or not finite")
        refuse_unhashable(labels, "a cluster label")
        levels = raw.tolist()
        # A 1-tuple of the row never equals a pair of level and label.
        keys = [(row,) if is_missing(label) else (levels[row], label) for row, label in enumerate(labels)]
        return cls._from_occurrences(documents, levels, keys)

    @property
    def levels(self) -> list[list[list[Hashable]]]:
        """The levels, highest priority first: a list of clusters for each, a list of ids for each cluster."""
        levels: list[dict[int, list[Hashable]]] = [{} for _ in range(self.level.max(initial=-1) + 1)]
        for document, level, cluster in zip(self.documents, self.level.tolist(), self.cluster.tolist()):
            levels[level].setdefault(cluster, []).append(document)
        return [list(level.values()) for level in levels]

    def __len__(self) -> int:
        """The number of occurrences."""
        return len(self.documents)

    def __repr__(self) -> str:
        occurrences, documents = counted(len(self), "occurrence"), counted(len(set(self.documents)), "document")
        clusters = counted(len(set(self.cluster.tolist())), "cluster")
        levels = counted(int(self.level.max(initial=-1)) + 1, "level")
        return f"Organization({occurrences} of {documents} in {clusters} on {levels})"


def harmonic_mean(a: float, b: float) -> float:
    """2 a b / (a + b); 0 if both are 0."""
    return 0.0 if a == b == 0 else 2 * a * b / (a + b)


class RS(NamedTuple):
    """Reliability, Sensitivity and their harmonic mean, which the paper calls R*S.

    Attributes
    ----------
    reliability, sensitivity, f : float
        R, S and 2 R S / (R + S).

    Examples
    --------
    >>> print(RS(0.5, 1.0, 2 / 3))
    reliability  sensitivity       f
         0.5000       1.0000  0.6667
    """

    reliability: float
    sensitivity: float
    f: float

    def __str__(self) -> str:
        return view_of(self).text()

    def _repr_html_(self) -> str:
        return view_of(self).html()


class RSResult(NamedTuple):
    """The scores of an organization for its priority relations and for its clustering relations.

    Attributes
    ----------
    priority, clustering : RS

    Examples
    --------
    >>> print(RSResult(RS(0.64, 0.59, 0.61), RS(1.0, 1.0, 1.0)))
    relations   reliability  sensitivity       f
    priority         0.6400       0.5900  0.6100
    clustering       1.0000       1.0000  1.0000
    """

    priority: RS
    clustering: RS

    def __str__(self) -> str:
        return view_of(self).text()

    def _repr_html_(self) -> str:
        return view_of(self).html()


class BCubed(NamedTuple):
    """BCubed precision, BCubed recall and their harmonic mean.

    Attributes
    ----------
    precision, recall, f : float

    Examples
    --------
    >>> print(BCubed(0.5, 1.0, 2 / 3))
    precision  recall       f
       0.5000  1.0000  0.6667
    """

    precision: float
    recall: float
    f: float

    def __str__(self) -> str:
        return view_of(self).text()

    def _repr_html_(self) -> str:
        return view_of(self).html()


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


class OrganizationPair:
    """A system's organization and a gold standard, with a common numbering of their documents.

    The numbering puts documents that need the same treatment next to each other:

    - 0 to single - 1: documents that occur exactly once on each side.  Their relations are counted by sorting.
    - single to common - 1: repeated documents, which occur on both sides, and more than once on at least one.
    - from common: documents that occur on one side only.  All their relations are wrong.
    """

    def __init__(self, system: Organization, gold: Organization, c: float | None) -> None:
        for organization, name in ((system, "system"), (gold, "gold")):
            if not isinstance(organization, Organization):
                raise InvalidTypeError(name, f"must be an Organization, not a {type(organization).__name__}")
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
        reliability: Callable[[Occurrences, Occurrences, OrganizationPair], float],
        has_relations: Callable[[Occurrences], bool],
    ) -> tuple[float, float, float]:
        """Reliability, Sensitivity and their harmonic mean, for one kind of relation.

        Sensitivity is Reliability with X and G exchanged.  A side without relations of this kind scores 0, and three
        nan are returned if neither side has any.
        """
        X, G = self.system, self.gold
        if not (has_relations(X) or has_relations(G)):
            return nan, nan, nan
        # Rounding can take a perfect score beyond 1.
        R = min(reliability(X, G, self), 1.0) if has_relations(X) else 0.0
        S = min(reliability(G, X, self), 1.0) if has_relations(G) else 0.0
        return R, S, harmonic_mean(R, S)
