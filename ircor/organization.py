"""Reliability and Sensitivity: precision and recall of the relations between documents (Amigo et al. 2013).

An organization says which documents come before which (priority) and which belong together (clustering).  Ranking,
filtering, clustering and any mix of them are organizations, so one pair of measures scores them all: Reliability, the
share of the system's relations that the gold standard has too, and Sensitivity, the share of the gold standard's
relations that the system has found.

The letters are the paper's: X is the organization whose relations are looked up, G the one they are looked up in, w the
weight of an occurrence, W_n the weight of the first n.
"""

from __future__ import annotations

import numbers
import os
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ._check import as_number, number_table
from ._dominance import Ranking, dominance_sums

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.intp]

Collection = Literal["open", "closed"]
Ties = Literal["level", "trec_eval"]


class Organization:
    """Documents on priority levels, and on each level in clusters.

    Parameters
    ----------
    levels : list of lists of lists
        The levels from the top; each a list of clusters; each a list of document ids, which can be any hashable values.
        A document may occur in several clusters and on several levels: it then has several occurrences.  A document
        that is related to no other is a cluster of its own.  Empty clusters and levels say nothing and are dropped.

    Raises
    ------
    TypeError
        If something is not a list where one is due, or an id cannot be hashed.
    ValueError
        If a document is twice in one cluster, or an id is missing (None or nan).

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
        for i, level in enumerate(members(levels, "'levels'", "levels, best first", ordered=True)):
            for k, cluster in enumerate(members(level, f"level {i + 1}", "clusters, which are lists of ids")):
                ids = list(members(cluster, f"cluster {k + 1} of level {i + 1}", "document ids"))
                documents += ids
                level_of += [i] * len(ids)
                cluster_of += [(i, k)] * len(ids)
        self._arrange(documents, level_of, cluster_of)

    def _arrange(self, documents: list[Hashable], level: list[Any], cluster: list[Any]) -> None:
        """Keep the occurrences, with levels and clusters numbered from 0."""
        refuse_bad_ids(documents)
        numbers: dict[Any, int] = {}
        self.documents = documents
        # Compared as they are, for integers may be too large for doubles.
        rank = {value: k for k, value in enumerate(sorted(set(level)))}
        self.level = np.array([rank[value] for value in level], dtype=np.intp)
        self.cluster = np.array([numbers.setdefault(key, len(numbers)) for key in cluster], dtype=np.intp)
        for _, document in repeated(zip(self.cluster.tolist(), documents)):
            raise ValueError(f"document {document!r} is twice in one cluster")

    @classmethod
    def _of(cls, documents: list[Hashable], level: list[Any], cluster: list[Any] | None = None) -> Organization:
        organization = cls.__new__(cls)
        organization._arrange(documents, level, list(range(len(documents))) if cluster is None else cluster)
        return organization

    @classmethod
    def from_ranking(cls, ids: Iterable[Any]) -> Organization:
        """A ranking, best first: a level for each document.  A list, set or array inside it is a tie: one level.

        A tuple can be an id, and is one.

        Examples
        --------
        >>> Organization.from_ranking(["d1", ["d2", "d6"], "d3"]).levels
        [[['d1']], [['d2'], ['d6']], [['d3']]]
        """
        documents: list[Hashable] = []
        level: list[int] = []
        for i, one in enumerate(members(ids, "'ids'", "document ids, best first", ordered=True)):
            alone = isinstance(one, Hashable) and not isinstance(one, Iterator)
            tied = [one] if alone else list(members(one, f"item {i + 1} of 'ids'", "tied ids"))
            documents += tied
            level += [i] * len(tied)
        refuse_repeats(documents, "ranked")
        return cls._of(documents, level)

    @classmethod
    def from_filter(cls, positive: Iterable[Hashable], negative: Iterable[Hashable] | None = None) -> Organization:
        """A filter: the documents it lets pass, and below them those it stops.

        In an open collection the negative ones are the unlimited rest and need no list; in a closed one they do.

        Examples
        --------
        >>> Organization.from_filter(["d1", "d2"], ["d3"]).levels
        [[['d1'], ['d2']], [['d3']]]
        """
        passed = list(members(positive, "'positive'", "document ids"))
        stopped = list(members(() if negative is None else negative, "'negative'", "document ids"))
        refuse_repeats(passed + stopped, "filtered")
        return cls._of(passed + stopped, [0] * len(passed) + [1] * len(stopped))

    @classmethod
    def from_clusters(cls, clusters: Iterable[Iterable[Hashable]]) -> Organization:
        """Clusters, overlapping or not, all on one level.

        Examples
        --------
        >>> Organization.from_clusters([["d1", "d2"], ["d2", "d3"]])
        Organization(4 occurrences of 3 documents in 2 clusters on 1 level)
        """
        return cls([members(clusters, "'clusters'", "clusters, which are lists of ids")])

    @classmethod
    def from_frame(cls, frame: Any, doc: str, level: str, cluster: str | None = None) -> Organization:
        """An organization from a table with a row for each occurrence.

        Parameters
        ----------
        frame : pandas.DataFrame
            Or anything else with named columns.
        doc, level, cluster : str
            The columns with the ids, the levels and the clusters.  Levels are numbers, and the smallest is the top.
            Clusters are told apart within their level; without the column, or where it is missing, a document is a
            cluster of its own.

        Examples
        --------
        >>> import pandas
        >>> frame = pandas.DataFrame({"doc": ["a", "b", "c"], "level": [1, 1, 2], "topic": ["t", "t", None]})
        >>> Organization.from_frame(frame, "doc", "level", "topic").levels
        [[['a', 'b']], [['c']]]
        """
        documents = column(frame, doc)
        raw, _ = number_table(frame[level], level) if column(frame, level) else (np.empty(0), [])
        labels = [None] * len(documents) if cluster is None else column(frame, cluster)
        if raw.shape != (len(documents),) or len(labels) != len(documents):
            raise ValueError(f"the columns of the table differ in length: {doc!r} has {len(documents)} rows")
        if not np.isfinite(raw).all():
            row = int(np.argmin(np.isfinite(raw)))
            raise ValueError(f"the level of document {documents[row]!r} in row {row + 1} is missing or not finite")
        refuse_unhashable(labels, "a cluster")
        levels = raw.tolist()
        keys = [(row,) if is_missing(one) else (where, one) for row, (where, one) in enumerate(zip(levels, labels))]
        return cls._of(documents, levels, keys)

    @property
    def levels(self) -> list[list[list[Hashable]]]:
        """The levels from the top, each a list of clusters, each a list of ids."""
        levels: list[dict[int, list[Hashable]]] = [{} for _ in range(self.level.max(initial=-1) + 1)]
        for document, level, cluster in zip(self.documents, self.level.tolist(), self.cluster.tolist()):
            levels[level].setdefault(cluster, []).append(document)
        return [list(level.values()) for level in levels]

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        parts = [
            counted(len(self), "occurrence") + " of " + counted(len(set(self.documents)), "document"),
            "in " + counted(len(set(self.cluster.tolist())), "cluster"),
            "on " + counted(int(self.level.max(initial=-1)) + 1, "level"),
        ]
        return f"Organization({' '.join(parts)})"


def counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def members(value: Any, name: str, what: str, ordered: bool = False) -> Iterable[Any]:
    """The value, if it is a list of some kind."""
    if (
        isinstance(value, (str, bytes, Mapping))
        or not isinstance(value, Iterable)
        or hasattr(value, "columns")
        or getattr(value, "ndim", 1) != 1
    ):
        raise TypeError(f"{name} must be a list of {what}, not {value!r}")
    if ordered and isinstance(value, (set, frozenset)):
        raise TypeError(f"{name} must be a list of {what}, and a set has no order")
    return value


def column(frame: Any, name: str) -> list[Any]:
    """The values of a column of a table of any kind."""
    names = None
    if isinstance(frame, Mapping):
        names = list(frame)
    elif not hasattr(frame, "collect"):  # what is lazy has nothing yet
        kinds = (frame, "column_names"), (frame, "columns"), (getattr(frame, "dtype", None), "names")
        names = next(
            (found for owner, attribute in kinds if (found := getattr(owner, attribute, None)) is not None), None
        )
    if names is None:
        raise TypeError(f"a table with named columns is needed, not a {type(frame).__name__}")
    if name not in list(names):
        raise ValueError(f"the table has no column {name!r}")
    values = frame[name]
    if hasattr(values, "columns"):
        raise ValueError(f"the table has several columns {name!r}")
    return list(values.to_pylist() if hasattr(values, "to_pylist") else values)


def is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "MaskedConstant"):
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # an array, which is no id either
        return False


def refuse_bad_ids(documents: Iterable[Any]) -> None:
    for document in documents:
        if is_missing(document):
            raise ValueError(f"a document's id is missing: {document!r}")
    refuse_unhashable(documents, "a document's id")


def refuse_unhashable(values: Iterable[Any], what: str) -> None:
    for value in values:
        try:
            hash(value)
        except TypeError:
            raise TypeError(f"{what} must be hashable, and {value!r} is not") from None


def refuse_repeats(documents: list[Hashable], done: str) -> None:
    refuse_bad_ids(documents)
    for document in repeated(documents):
        raise ValueError(f"document {document!r} is {done} twice; Organization(levels) takes repeated documents")


def repeated(values: Iterable[Hashable]) -> Iterator[Any]:
    """The values that have been there before."""
    seen: set[Hashable] = set()
    for value in values:
        if value in seen:
            yield value
        seen.add(value)


class RS(NamedTuple):
    """Reliability, Sensitivity, and their harmonic mean, which the paper writes R*S."""

    reliability: float
    sensitivity: float
    f: float


class RSResult(NamedTuple):
    """The scores of an organization: of its priority relations and of its clustering relations."""

    priority: RS
    clustering: RS


class BCubed(NamedTuple):
    """BCubed precision, recall, and their harmonic mean."""

    precision: float
    recall: float
    f: float


def harmonic_mean(one: float, other: float) -> float:
    return 0.0 if one == other == 0 else 2 * one * other / (one + other)


def evaluate(
    system: Organization,
    gold: Organization,
    *,
    top: int | None = None,
    weight: float | None = None,
    collection: Collection = "open",
) -> RSResult:
    """Reliability and Sensitivity of a system's organization of documents against a gold standard.

    The one measure for what is neither a plain ranking nor a plain clustering, such as ranked clusters; and a strict
    one for what is: a high score needs right relations, few wrong ones, and an output that ends where it should.

    Parameters
    ----------
    system, gold : Organization
        What the system made, and what it should have made.
    top, weight : int, float
        The paper's n and W_n: the first `top` occurrences carry the share `weight` of the score.  They are weighted as
        in equation (2), those of one level alike.  An open collection needs both.
    collection : {"open", "closed"}
        In an "open" collection both sides end in a tail of unlimited documents that they do not list, and all listed
        ones come before it.  In a "closed" one there is no tail, and all occurrences weigh the same: the filtering and
        clustering of sections 4.2 and 4.3.

    Returns
    -------
    RSResult
        `priority` and `clustering`, each with `reliability`, `sensitivity` and `f`.  A side that makes no relation of a
        kind scores 0 for it; where neither side makes one there is nothing to score, and all three are nan.

    Raises
    ------
    TypeError
        If a side is not an Organization, or no id of one side can equal one of the other, say strings and numbers.
    ValueError
        If top < 1, weight is outside (0, 1), one of them is missing in an open collection or given in a closed one.

    Notes
    -----
    The formulas are those of section 3.3, with equation (3) for repeated occurrences: a relation that one side makes
    more often than the other scores the ratio of the two counts.  Three points on which they are short:

    - In clustering an occurrence is related to itself, as in BCubed.
    - Two occurrences of one document on different levels are a priority relation like any other.
    - A document that the other side does not list has no relation to the listed documents there, not even that of
      coming after them; with the tail it is compared as a whole.  So a document that is ranked in vain costs all its
      relations, also those to the relevant ones above it.

    References
    ----------
    E. Amigo, J. Gonzalo and F. Verdejo (2013). A General Evaluation Measure for Document Organization Tasks. SIGIR.

    Examples
    --------
    The paper's table 9, System 5: the clusters of the gold standard on reversed levels.

    >>> levels = [[["d1"], ["d2", "d3", "d4"]], [["d4", "d5"], ["d6", "d7"]], [["d6", "d7"]]]
    >>> result = evaluate(Organization(levels[::-1]), Organization(levels), top=10, weight=0.8)
    >>> [round(value, 2) for value in result.priority]
    [0.64, 0.59, 0.61]
    >>> [round(value, 2) for value in result.clustering]
    [1.0, 1.0, 1.0]

    Table 2, a filter: precision 2/3 and 4/5 of its two classes, recall 2/3 and 4/5.

    >>> gold = Organization.from_filter(["d1", "d2", "d3"], ["d4", "d5", "d6", "d7", "d8"])
    >>> system = Organization.from_filter(["d1", "d2", "d4"], ["d3", "d5", "d6", "d7", "d8"])
    >>> [round(value, 4) for value in evaluate(system, gold, collection="closed").priority]
    [0.5333, 0.5333, 0.5333]
    """
    c = decay(top, weight, collection)
    pair = Pair(system, gold, c)
    return RSResult(pair.scores(priority, has_priority), pair.scores(clustering, has_clustering))


def decay(top: int | None, weight: float | None, collection: Collection) -> float | None:
    """The c of equation (2) that gives the first n = `top` documents the weight W_n; None without a tail."""
    if collection not in ("open", "closed"):
        raise ValueError(f'\'collection\' must be "open" or "closed", not {collection!r}')
    if collection == "closed":
        if top is not None or weight is not None:
            raise ValueError("in a closed collection all documents weigh the same: leave out 'top' and 'weight'")
        return None
    if top is None or weight is None:
        raise ValueError(
            "an open collection needs 'top' and 'weight', as in top=30, weight=0.8: the first 30 documents carry 80 % "
            'of the score; where all documents are listed, use collection="closed"'
        )
    if isinstance(top, bool) or not isinstance(top, numbers.Integral):
        raise TypeError(f"'top' must be a whole number, not {top!r}")
    if top < 1:
        raise ValueError(f"'top' must be 1 or more, not {top}")
    share = as_number(weight, "weight")
    if not 0 < share < 1:
        raise ValueError(f"'weight' must be between 0 and 1, not {weight}")
    c = (1 - share) / share * as_number(int(top), "top")
    if not isfinite(c):
        raise ValueError(f"'weight' is too small for this 'top' to count: {weight}")
    return c


class Side:
    """The occurrences of one organization, by document and from the top, with their weights.

    Attributes
    ----------
    doc, level, cluster : numpy.ndarray
        Of each occurrence.
    first : numpy.ndarray
        Document d has the occurrences first[d] to first[d + 1] - 1.
    count : numpy.ndarray
        How often each document occurs.
    cluster_size : numpy.ndarray
        The number of occurrences in each cluster.
    w, W : numpy.ndarray
        Of each occurrence: its weight, equation (2), and that of all documents on other levels, the tail included.
    tail : float
        The weight of the tail.
    """

    def __init__(self, organization: Organization, doc: Integers, documents: int, c: float | None) -> None:
        order = np.lexsort((organization.level, doc))
        self.doc, self.level, self.cluster = doc[order], organization.level[order], organization.cluster[order]
        self.first = np.searchsorted(self.doc, np.arange(documents + 1))
        self.count = np.diff(self.first)
        self.cluster_size = np.bincount(self.cluster)
        self.by_cluster = self.doc[np.lexsort((self.doc, self.cluster))]
        self.cluster_end = np.cumsum(self.cluster_size)
        self.c = c
        self.n = len(doc)
        n_equal = np.bincount(self.level)
        n_above = np.cumsum(n_equal) - n_equal
        self.levels = len(n_equal)
        if c is None:
            w, W = np.full(self.levels, 1 / max(self.n, 1)), (self.n - n_equal) / max(self.n, 1)
            self.tail = 0.0
        else:
            # The integrals of c / x^2: over one level and its share, and over what is above and below it.
            w = c / (c + n_above) / (c + n_above + n_equal)
            W = n_above / (c + n_above) + c / (c + n_above + n_equal)
            self.tail = c / (c + self.n)
        self.w, self.W = w[self.level], W[self.level]

    def of(self, d: int) -> slice:
        return slice(self.first[d], self.first[d + 1])

    def up_to(self, d: int) -> slice:
        return slice(self.first[d + 1])

    def members(self, cluster: int, last: int | None = None) -> Integers:
        """The documents of a cluster by number, up to the document `last`."""
        end = self.cluster_end[cluster]
        inside = self.by_cluster[end - self.cluster_size[cluster] : end]
        return inside if last is None else inside[: np.searchsorted(inside, last, "right")]


class Pair:
    """Two organizations over one numbering of their documents.

    First come the `single` documents, which occur once on either side, then the `repeated` ones, which occur on both
    sides and on one of them several times, then those that occur on one side only.
    """

    def __init__(self, system: Organization, gold: Organization, c: float | None) -> None:
        for organization, name in ((system, "system"), (gold, "gold")):
            if not isinstance(organization, Organization):
                raise TypeError(f"'{name}' must be an Organization, not a {type(organization).__name__}")
        refuse_strangers("document", system=system.documents, gold=gold.documents)
        code: dict[Hashable, int] = {}
        X = np.array([code.setdefault(document, len(code)) for document in system.documents], dtype=np.intp)
        G = np.array([code.setdefault(document, len(code)) for document in gold.documents], dtype=np.intp)
        n_X, n_G = (np.bincount(side, minlength=len(code)) for side in (X, G))
        once, both = (n_X == 1) & (n_G == 1), (n_X > 0) & (n_G > 0)
        order = np.argsort(np.where(once, 0, np.where(both, 1, 2)), kind="stable")
        number = np.empty(len(code), dtype=np.intp)
        number[order] = np.arange(len(code))
        self.single = int(once.sum())
        self.common = int(both.sum())
        self.system, self.gold = Side(system, number[X], len(code), c), Side(gold, number[G], len(code), c)

    @property
    def repeated(self) -> range:
        return range(self.single, self.common)

    def scores(self, reliability: Callable[[Side, Side, Pair], float], has: Callable[[Side], bool]) -> RS:
        """Reliability, and Sensitivity as the Reliability of the gold standard."""
        X, G = self.system, self.gold
        if not (has(X) or has(G)):
            return RS(float("nan"), float("nan"), float("nan"))
        R, S = (min(reliability(*sides, self), 1.0) if has(sides[0]) else 0.0 for sides in ((X, G), (G, X)))
        return RS(R, S, harmonic_mean(R, S))


def refuse_strangers(what: str, **sides: Iterable[Hashable]) -> None:
    """Raise if the ids of the two sides are of types that are never equal, such as "12" and 12."""

    def kinds(ids: Iterable[Hashable]) -> set[type]:
        found = set(map(type, ids))
        return {next((kind for kind in (str, bytes, numbers.Number) if issubclass(t, kind)), t) for t in found}

    one, other = map(kinds, sides.values())
    if one and other and one.isdisjoint(other) and set.isdisjoint(*map(set, sides.values())):
        types = (" and ".join(sorted(kind.__name__ for kind in found)) for found in (one, other))
        said = " and ".join(f"'{name}' has ids of type {type_}" for name, type_ in zip(sides, types))
        raise TypeError(f"no {what} can be on both sides: {said}")


def has_priority(X: Side) -> bool:
    return X.levels > 1 or (X.c is not None and X.n > 0)


def has_clustering(X: Side) -> bool:
    return X.c is not None or X.n > 0


def priority(X: Side, G: Side, pair: Pair) -> float:
    """Reliability over priority relations, section 3.3: the sum over all pairs of occurrences, and with the tail.

    An occurrence i above j scores P w_i w_j / W_i as a relation of i and P w_i w_j / W_j as one of j.  Seen from below,
    with the sign of all levels changed, j is above i and the score is the same.
    """
    total = single_priority(X, G, pair) + sum(mixed_priority(X, G, pair, sign) for sign in (1, -1))
    total += sum(repeated_priority(X, G, pair, d) for d in pair.repeated)
    if X.c is not None:
        both = X.up_to(pair.common - 1)
        P = (np.minimum(G.count, X.count) / np.maximum(X.count, 1))[X.doc[both]]
        # W(tail) / W(listed) is c / n.
        total += float((P * X.w[both] * (X.tail / X.W[both] + X.c / X.n)).sum())
    return total


def single_priority(X: Side, G: Side, pair: Pair) -> float:
    """The relations between documents that occur once on either side: P is 1 where both order them alike, else 0."""
    one = X.up_to(pair.single - 1)
    x, g = Ranking(X.level[one]), Ranking(G.level[G.up_to(pair.single - 1)])
    w, share = X.w[one], X.w[one] / X.W[one]
    return float((w * dominance_sums(x, g, share) + share * dominance_sums(x, g, w)).sum())


def mixed_priority(X: Side, G: Side, pair: Pair, sign: int) -> float:
    """The relations of repeated documents above single ones; with sign = -1, below them.

    Let u and v be the occurrences in X and in G of a repeated document d that are above the single document j.  Then
    P = min(u, v) / u, and the score of j is w_j (B(u) + A(u) / W_j) P, with A and B the sums of w and of w / W over
    those u occurrences.  Counted up in steps, that is a sum over p <= m and q <= k of how much it grows at (p, q), for
    all j below the p-th occurrence of d in X and the q-th in G at once: a dominance sum at that point.
    """
    if not (pair.single and pair.repeated):
        return 0.0
    x_points: list[Integers] = []
    g_points: list[Integers] = []
    steps_of_A: list[Array] = []
    steps_of_B: list[Array] = []
    for d in pair.repeated:
        own = X.of(d)
        a, b = sign * X.level[own][::sign], sign * G.level[G.of(d)][::sign]
        u, v = np.arange(1, len(a) + 1), np.arange(1, len(b) + 1)
        for values, steps in ((X.w[own], steps_of_A), (X.w[own] / X.W[own], steps_of_B)):
            score = np.cumsum(values[::sign]) / u
            grown = np.where(v <= u[:, None], score[:, None], 0)
            steps.append(np.diff(grown, axis=0, prepend=0).ravel())
        x_points.append(np.repeat(a, len(b)))
        g_points.append(np.tile(b, len(a)))
    one = X.up_to(pair.single - 1)
    x = Ranking(np.concatenate([sign * X.level[one], *x_points]), decreasing=True)
    g = Ranking(np.concatenate([sign * G.level[G.up_to(pair.single - 1)], *g_points]), decreasing=True)
    total = 0.0
    for weights, steps in ((X.w[one] / X.W[one], steps_of_A), (X.w[one], steps_of_B)):
        padded = np.zeros(len(x))
        padded[: pair.single] = weights
        total += float((np.concatenate(steps) * dominance_sums(x, g, padded)[pair.single :]).sum())
    return total


def repeated_priority(X: Side, G: Side, pair: Pair, d: int) -> float:
    """The relations between the repeated document d and those up to d, itself included."""
    # Below others it is seen from the documents before it only: its relations to itself have both ends in it already.
    return repeated_above(X, G, pair, d, d, 1) + repeated_above(X, G, pair, d, d - 1, -1)


def repeated_above(X: Side, G: Side, pair: Pair, d: int, last: int, sign: int) -> float:
    """The relations of d above the repeated documents up to `last`; with sign = -1, below them."""
    x, g = (slice(side.first[pair.single], side.first[last + 1]) for side in (X, G))
    own = X.of(d)
    # For each occurrence of another document, the occurrences of d that are above it: so many, of so much weight.
    above = np.searchsorted(sign * X.level[own][::sign], sign * X.level[x])
    in_G = np.searchsorted(sign * G.level[G.of(d)][::sign], sign * G.level[g])
    A, B = (np.concatenate([[0.0], np.cumsum(v[::sign])])[above] for v in (X.w[own], X.w[own] / X.W[own]))
    document = X.doc[x] - pair.single
    r_X, r_G = np.bincount(document, above), np.bincount(G.doc[g] - pair.single, in_G)
    P = np.minimum(r_G, r_X) / np.maximum(r_X, 1)
    return float((P[document] * X.w[x] * (B + A / X.W[x])).sum())


def clustering(X: Side, G: Side, pair: Pair) -> float:
    """Reliability over clustering relations, section 3.3: the sum over all pairs in a cluster, and the tail.

    The occurrences of a cluster weigh the same, so that w_i w_j / W_i is w_i / |cluster|.
    """
    one = X.up_to(pair.single - 1)
    share = X.w / X.cluster_size[X.cluster]
    total = X.tail + float((share[one] * single_clustering(X, G, pair)).sum())
    for d, in_X, in_G in repeated_clustering(X, G, pair):
        for k in range(X.first[d], X.first[d + 1]):
            others = X.members(X.cluster[k], d)
            P = np.minimum(in_G[others], in_X[others]) / in_X[others]
            # A pair is a relation of both its ends; d stands last and is related to itself once.
            total += float(share[k] * (2 * P.sum() - P[-1]))
    return total


def single_clustering(X: Side, G: Side, pair: Pair) -> Integers:
    """For each document that occurs once on either side, the number of such documents that share both its clusters."""
    mine, theirs = X.cluster[X.up_to(pair.single - 1)], G.cluster[G.up_to(pair.single - 1)]
    _, kind, count = np.unique(mine * len(G.cluster_size) + theirs, return_inverse=True, return_counts=True)
    shared: Integers = count[kind]
    return shared


def repeated_clustering(X: Side, G: Side, pair: Pair) -> Iterator[tuple[int, Integers, Integers]]:
    """For each repeated document d, how many clusters it shares with every document, |r_X(d, .)| and |r_G(d, .)|."""
    in_X, in_G = np.zeros(len(X.count), dtype=np.intp), np.zeros(len(X.count), dtype=np.intp)
    for d in pair.repeated:
        for side, shared in ((X, in_X), (G, in_G)):
            for cluster in side.cluster[side.of(d)]:
                shared[side.members(cluster)] += 1
        yield d, in_X, in_G
        for side, shared in ((X, in_X), (G, in_G)):
            for cluster in side.cluster[side.of(d)]:
                shared[side.members(cluster)] = 0


def bcubed(system: Organization, gold: Organization) -> BCubed:
    """BCubed precision and recall of a clustering, in the extended form that allows overlapping clusters.

    Precision is the average, over the documents of the system, of the share of a document's cluster mates that are its
    mates in the gold standard too, itself included; recall is the same from the gold standard's side.  Documents that
    share several clusters count as far as the other side has them share as many.

    Where no document is in two clusters, this is `evaluate` in a closed collection.  Where some are, Reliability and
    Sensitivity part from it: BCubed averages over documents and counts a pair of documents once, however many clusters
    they share; Reliability and Sensitivity average over occurrences, so that breaking up a second common cluster costs
    again.

    Parameters
    ----------
    system, gold : Organization
        As from `Organization.from_clusters`; priority levels make no difference.

    Returns
    -------
    BCubed
        `precision`, `recall` and their harmonic mean `f`.  An empty side scores 0; two empty sides, nan.

    Raises
    ------
    TypeError
        As in `evaluate`.

    References
    ----------
    E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo (2009). A comparison of extrinsic clustering evaluation metrics
    based on formal constraints. Information Retrieval 12.

    Examples
    --------
    >>> gold = Organization.from_clusters([["d1", "d2", "d3"], ["d4", "d5", "d6"], ["d7"]])
    >>> system = Organization.from_clusters([["d1", "d2"], ["d3"], ["d4", "d5", "d6", "d7"]])
    >>> [round(value, 4) for value in bcubed(system, gold)]
    [0.7857, 0.8095, 0.7974]
    """
    return BCubed(*Pair(system, gold, None).scores(bcubed_precision, has_clustering))


def bcubed_precision(X: Side, G: Side, pair: Pair) -> float:
    mates, right = np.ones(pair.common), np.zeros(pair.common)
    mates[: pair.single] = X.cluster_size[X.cluster[X.up_to(pair.single - 1)]]
    right[: pair.single] = single_clustering(X, G, pair)
    for d, in_X, in_G in repeated_clustering(X, G, pair):
        related = np.unique(np.concatenate([X.members(cluster) for cluster in X.cluster[X.of(d)]]))
        mates[d] = len(related)
        others = related[related <= d]
        P = np.minimum(in_G[others], in_X[others]) / in_X[others]
        right[d] += P.sum()
        right[others[:-1]] += P[:-1]
    return float((right / mates).sum() / np.count_nonzero(X.count))


def strictness(scores: Any) -> Any:
    """How sure a high rank under each measure is to be a high rank under all of them; at most 0, and 0 is strictest.

    Under every measure the systems are ranked for every topic.  The strictness of a measure is the largest number of
    places that a system falls from its rank under this measure to its rank under another one, over the number of
    systems, negative.  Systems with the same score share the mean of their places.

    Parameters
    ----------
    scores : array or pandas.DataFrame
        Systems by topics by measures; or a DataFrame with a row for each (system, topic), which are its index, and a
        column for each measure; or one in long form with the columns system, topic, measure and value.

    Returns
    -------
    numpy.ndarray or pandas.Series
        One number a measure.

    Raises
    ------
    TypeError
        If the scores are not numbers or of another shape.
    ValueError
        If a score is missing or there twice, with its system, topic and measure; or if there are fewer than two systems
        or measures.

    References
    ----------
    E. Amigo, J. Gonzalo and F. Verdejo (2013). A General Evaluation Measure for Document Organization Tasks. SIGIR,
    section 4.1.  The formula there counts ranks from the worst.

    Examples
    --------
    Three systems, one topic, two measures: the first system falls from place 1 under the first to place 3.

    >>> scores = [[[0.9, 0.1]], [[0.8, 0.2]], [[0.7, 0.3]]]
    >>> strictness(scores)
    array([-0.66666667, -0.66666667])
    """
    cube, named = score_cube(scores)
    if cube.shape[2] < 2:
        raise ValueError(f"strictness compares measures and needs two or more, not {cube.shape[2]}")
    place = places(cube)
    worst = place.max(axis=2)
    falls = [(worst - place[:, :, m]).max() for m in range(place.shape[2])]
    return named(-np.array(falls) / len(place))


def robustness(scores: Any) -> Any:
    """How alike each measure ranks the systems from topic to topic: the mean Spearman correlation between topics.

    Parameters
    ----------
    scores : array or pandas.DataFrame
        As for `strictness`.

    Returns
    -------
    numpy.ndarray or pandas.Series
        One number a measure; nan if under it all systems score the same for some topic.

    Raises
    ------
    TypeError, ValueError
        As for `strictness`; one measure is enough here, but there must be two topics.

    Warns
    -----
    UserWarning
        If a measure cannot tell the systems apart on some topic, so that there is no correlation.

    References
    ----------
    E. Amigo, J. Gonzalo and F. Verdejo (2013). A General Evaluation Measure for Document Organization Tasks. SIGIR,
    section 4.1.

    Examples
    --------
    >>> scores = [[[0.9], [0.5]], [[0.8], [0.6]], [[0.7], [0.1]]]
    >>> robustness(scores)
    array([0.5])
    """
    cube, named = score_cube(scores)
    topics, measures = cube.shape[1:]
    if topics < 2:
        raise ValueError(f"robustness compares topics and needs two or more, not {topics}")
    place = places(cube)
    place -= place.mean(axis=0)
    length = np.sqrt((place**2).sum(axis=0))
    if not length.all():
        flat = np.argwhere(length.T == 0)[:, 0]
        undefined = len(set(flat.tolist()))
        message = f"all systems score the same on some topic under {undefined} of {measures} measures"
        warnings.warn(f"{message}, whose robustness is nan", stacklevel=2)
    with np.errstate(invalid="ignore"):
        unit = place / length
    # The sum of all correlations is the square of the sum of the unit vectors; each topic's with itself is 1.
    return named(((unit.sum(axis=1) ** 2).sum(axis=0) - topics) / (topics * (topics - 1)))


def places(cube: Array) -> Array:
    """The places of the systems for each topic and measure, 1 for the best, ties on their mean place."""
    from scipy.stats import rankdata

    place: Array = rankdata(-cube, axis=0)
    return place


def score_cube(scores: Any) -> tuple[Array, Callable[[Array], Any]]:
    """The scores as systems by topics by measures, and what puts the measures' names on the results."""

    def as_given(values: Array) -> Any:
        return values

    names: list[list[Any]] = []
    named: Callable[[Array], Any] = as_given
    if hasattr(scores, "columns"):
        import pandas

        if hasattr(scores, "get_columns"):  # Polars
            scores = pandas.DataFrame({name: scores[name].to_list() for name in scores.columns})
        if {"system", "topic", "measure", "value"} <= set(scores.columns):
            scores = scores.set_index(["system", "topic", "measure"])["value"]
            refuse_double(scores.index)
            scores = scores.unstack("measure")
        if scores.index.nlevels != 2:
            raise TypeError(
                "'scores' must have (system, topic) as its index, or columns system, topic, measure and value"
            )
        if set(scores.index.names) == {"system", "topic"}:
            scores = scores.reorder_levels(["system", "topic"])
        refuse_double(scores.index)
        if scores.index.to_frame().isna().to_numpy().any():
            raise ValueError("'scores' has a system or topic without a name")
        names = [list(scores.index.unique(level)) for level in (0, 1)] + [list(scores.columns)]
        raw, _ = number_table(scores.reindex(pandas.MultiIndex.from_product(names[:2])), "scores")
        raw = raw.reshape([len(one) for one in names])
        columns = scores.columns

        def named(values: Array) -> Any:
            return pandas.Series(values, index=columns)
    else:
        raw, _ = number_table(scores, "scores")
        if raw.ndim != 3:
            raise TypeError(f"'scores' must be systems by topics by measures, and it has {raw.ndim} dimensions")
        names = [list(range(size)) for size in raw.shape]
    cube = raw.astype(np.float64)
    if np.isnan(cube).any():
        system, topic, measure = (name[k] for name, k in zip(names, np.argwhere(np.isnan(cube))[0]))
        raise ValueError(f"the score of system {system} for topic {topic} under {measure} is missing")
    if cube.shape[0] < 2 or not cube.size:
        raise ValueError(f"'scores' must have two systems or more, a topic and a measure, and it is {cube.shape}")
    return cube, named


def refuse_double(index: Any) -> None:
    if not index.is_unique:
        raise ValueError(f"'scores' has {', '.join(map(str, index[index.duplicated()][0]))} twice")


@dataclass(frozen=True)
class RunsResult:
    """The scores of a ranking run.

    Attributes
    ----------
    topics : dict of topic to RS
        Reliability, Sensitivity and R*S over priority relations, for every topic with a relevant document.
    mean : RS
        The mean of each over those topics: `mean.f` is the mean of the topics' R*S.
    missing : list
        Those of these topics that the run does not have; they are scored as an empty ranking, 0.
    unjudged : list
        Topics of the run that the judgments do not have, which are not scored.
    without_relevant : list
        Topics of the judgments without a relevant document, which are not scored, whatever the run has for them.
    """

    topics: dict[Any, RS]
    mean: RS
    missing: list[Any]
    unjudged: list[Any]
    without_relevant: list[Any]

    def to_frame(self) -> Any:
        """The topics as a pandas.DataFrame with the columns reliability, sensitivity and f."""
        from pandas import DataFrame, Index

        return DataFrame(list(self.topics.values()), index=Index(list(self.topics), name="topic"), columns=RS._fields)


def evaluate_runs(
    run: Any,
    qrels: Any,
    *,
    top: int,
    weight: float,
    min_relevance: int = 1,
    graded: bool = True,
    ties: Ties = "level",
) -> RunsResult:
    """Reliability and Sensitivity of a ranked run against relevance judgments, for every topic and in the mean.

    The gold standard of a topic is its relevant documents, the highest grade on the top level; judged or not, all
    others are the tail.  The run's ranking is by score, whatever the ranks in the file say, as in trec_eval.

    Parameters
    ----------
    run, qrels : path, mapping or pandas.DataFrame
        Files in TREC's format, plain or gzipped; mappings {topic: {doc: score}} and {topic: {doc: relevance}}; or
        tables with the columns topic, doc and score or relevance (also query_id and doc_id, as in ir_measures).
    top, weight : int, float
        The first `top` documents carry the share `weight` of the score, as in `evaluate`.
    min_relevance : int
        The lowest grade that counts as relevant.
    graded : bool
        Whether higher grades are higher levels; else all relevant documents are on one level.
    ties : {"level", "trec_eval"}
        Documents with the same score are on one "level", since the run does not say which comes first; or they are
        ordered by id, the last in the alphabet first, as "trec_eval" does it.

    Returns
    -------
    RunsResult

    Raises
    ------
    TypeError, ValueError
        If something is malformed, with file and line for a file; if no topic of the run is judged; and as in
        `evaluate`.

    Examples
    --------
    >>> run = {"1": {"d1": 9.5, "d7": 8.0, "d2": 7.5}, "2": {"d5": 3.0}}
    >>> qrels = {"1": {"d1": 1, "d2": 1, "d7": 0}, "2": {"d5": 1, "d6": 2}}
    >>> result = evaluate_runs(run, qrels, top=10, weight=0.8)
    >>> [round(value, 3) for value in result.mean]
    [0.778, 0.652, 0.59]
    """
    if ties not in ("level", "trec_eval"):
        raise ValueError(f'\'ties\' must be "level" or "trec_eval", not {ties!r}')
    if top is None or weight is None:
        raise ValueError("'top' and 'weight' must be numbers, as in top=30, weight=0.8")
    decay(top, weight, "open")
    least = as_number(min_relevance, "min_relevance")
    if isnan(least) or not isinstance(graded, bool):
        raise ValueError("'min_relevance' must be a number and 'graded' True or False")
    ranked, judged = by_topic(run, "run", "score"), by_topic(qrels, "qrels", "relevance")
    refuse_strangers("topic", run=ranked, qrels=judged)
    if not judged:
        raise ValueError("'qrels' has no topics")
    if ranked and not ranked.keys() & judged.keys():
        raise ValueError(f"no topic of 'run' is in 'qrels': they have {some(ranked)} and {some(judged)}")
    topics: dict[Any, RS] = {}
    for topic, judgments in judged.items():
        relevant = {doc: grade if graded else 0 for doc, grade in judgments.items() if grade >= least}
        if relevant:
            gold = Organization._of(list(relevant), [-grade for grade in relevant.values()])
            try:
                result = evaluate(ranking(ranked.get(topic, {}), ties), gold, top=top, weight=weight)
            except (TypeError, ValueError) as error:
                raise type(error)(f"topic {topic!r}: {error}") from None
            topics[topic] = result.priority
    means = np.mean(list(topics.values()), axis=0) if topics else np.full(3, np.nan)
    return RunsResult(
        topics,
        RS(*map(float, means)),
        missing=[topic for topic in topics if topic not in ranked],
        unjudged=[topic for topic in ranked if topic not in judged],
        without_relevant=[topic for topic in judged if topic not in topics],
    )


def ranking(scores: Mapping[Hashable, float], ties: Ties) -> Organization:
    """One topic of a run, as an organization."""
    if ties == "level":
        return Organization._of(list(scores), [-score for score in scores.values()])
    order = sorted(scores, key=lambda doc: (scores[doc], str(doc)), reverse=True)
    return Organization.from_ranking(order)


def some(topics: Mapping[Any, Any]) -> str:
    return ", ".join(map(repr, list(topics)[:3])) + (" and so on" if len(topics) > 3 else "")


def by_topic(table: Any, name: str, value: str) -> Mapping[Any, Mapping[Any, float]]:
    """{topic: {doc: number}} from a file, a mapping or a table."""
    if isinstance(table, (str, os.PathLike)):
        from . import trec

        table = trec.read_run(table) if name == "run" else trec.read_qrels(table)
    if not isinstance(table, Mapping) and not hasattr(table, "columns"):
        raise TypeError(f"'{name}' must be a path, a mapping or a table, not a {type(table).__name__}")
    found = table if isinstance(table, Mapping) else from_table(table, name, value)
    return {topic: checked(topic, documents, name, value) for topic, documents in found.items()}


def checked(topic: Any, documents: Any, name: str, value: str) -> dict[Any, float]:
    """{doc: number} of one topic, with numbers of Python's own, which negate without surprise."""
    if is_missing(topic):
        raise ValueError(f"'{name}' has a topic without a name")
    if not isinstance(documents, Mapping):
        raise TypeError(f"'{name}' must map topic {topic!r} to a mapping of documents to numbers, not to {documents!r}")
    numbers_of = {}
    for doc, number in documents.items():
        if isinstance(number, bool) or not isinstance(number, numbers.Real):
            raise TypeError(f"the {value} of document {doc!r} for topic {topic!r} must be a number, not {number!r}")
        numbers_of[doc] = int(number) if isinstance(number, numbers.Integral) else float(number)
        if not isinstance(numbers_of[doc], int) and not isfinite(numbers_of[doc]):
            raise ValueError(f"the {value} of document {doc!r} for topic {topic!r} is not finite")
    return numbers_of


def from_table(table: Any, name: str, value: str) -> Mapping[Any, Mapping[Any, float]]:
    topic, doc = ("topic", "doc") if "topic" in list(table.columns) else ("query_id", "doc_id")
    found: dict[Any, dict[Any, float]] = {}
    topics, documents_of = column(table, topic), column(table, doc)
    refuse_unhashable(topics, "a topic")
    refuse_unhashable(documents_of, "a document's id")
    for one, document, number in zip(topics, documents_of, column(table, value)):
        documents = found.setdefault(one, {})
        if document in documents:
            raise ValueError(f"'{name}' has document {document!r} twice for topic {one!r}")
        documents[document] = number
    return found
