"""Organization: documents on priority levels and in clusters, from lists, rankings, filters, clusters and tables."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .._ids import (
    column_values,
    is_missing,
    refuse_bad_ids,
    refuse_repeated_ids,
    refuse_unhashable,
    repeated_values,
    require_list,
)
from .._text import counted
from .._types import Frame
from .._vectors import number_table

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
            raise ValueError(f"document {document!r} is twice in one cluster")

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
    def from_frame(
        cls,
        frame: Columns,
        doc: str,
        level: str,
        cluster: str | None = None,
    ) -> Organization:
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
            raise ValueError(f"the columns of the table differ in length: {doc!r} has {len(documents)} rows")
        if not np.isfinite(raw).all():
            row = int(np.argmin(np.isfinite(raw)))
            raise ValueError(f"the level of document {documents[row]!r} in row {row + 1} is missing or not finite")
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
