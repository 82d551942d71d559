"""One table of scores, topics by systems: checked once, never changed, and matched with others by name in one place."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

import numpy as np

from ._extras import extra
from ._fields import are_counts, is_average, is_topic, kind_of
from ._text import listed
from ._types import Table, Vector
from ._vectors import number_table, numeric_vector, without_arrow

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

# Means closer than this share of the largest score are equal: a mean of decimals is not exact.
EQUAL_MEANS = 2.0**-40


@dataclass(frozen=True, eq=False)
class Scores:
    """A table of finite scores, topics by systems.

    Make one with `Scores.of`.  Functions that take a table of scores also take this, and do not check it again.

    Attributes
    ----------
    values : numpy.ndarray
        Topics by systems, read-only.
    topics, systems : tuple
        Their names; numbers from 0 where the table had none.
    named : bool
        Whether the names come from the table.
    name : str
        What error messages call the table.
    note : str
        What the reader of a file did about missing scores, or "".
    """

    values: Array = field(repr=False)
    topics: tuple[Hashable, ...] = field(repr=False)
    systems: tuple[Hashable, ...] = field(repr=False)
    named: bool
    name: str = "X"
    note: str = ""
    labels: Any = field(default=None, repr=False)

    @classmethod
    def of(cls, X: ScoreTable, name: str = "X", *, rankable: bool = True) -> Scores:
        """Check a table once: 2-D array, DataFrame, list of lists, or `Scores`, which is returned as it is.

        A table that is `rankable` has two topics and two systems or more, and no two systems of one name.
        """
        if isinstance(X, Scores):
            if rankable:
                X.refuse_unrankable()
            return X
        X, topics = without_topics(X, name)
        table, names = number_table(X, name)
        if table.ndim != 2:
            raise ValueError(f"'{name}' must have two dimensions, topics by systems, not {table.ndim}")
        with np.errstate(over="ignore"):  # a long double beyond the range of doubles is refused below, as infinite
            values = np.array(table, dtype=np.float64, order="C")
        values.setflags(write=False)
        named = hasattr(X, "columns")
        refuse_transposed(X, name)
        refuse_several_measures(X, name)
        attrs = getattr(X, "attrs", {})
        note = "; ".join(attrs.get("notes") or [str(attrs.get("missing", ""))])
        scores = cls(values, tuple(topics or names[0]), tuple(names[1]), named, name, note, getattr(X, "columns", None))
        if rankable:
            scores.refuse_unrankable()
        for count, what in ((scores.m, "system"), (scores.n, "topic")):
            if count < 1:
                raise ValueError(f"'{name}' must have one {what} or more, not {count}")
        scores.refuse(~np.isfinite(values), "must not have missing or infinite scores")
        if not isfinite(scores.n * scores.size):
            raise ValueError(f"the scores in '{name}' are too large for their sums to be numbers")
        if named and rankable:
            scores.refuse_odd_names()
        return scores

    def refuse_odd_names(self) -> None:
        """Raise if the names, or whole numbers beside decimals, show an average, a counter, or exchanged axes."""
        for names, what in ((self.systems, "system"), (self.topics, "topic")):
            for one in names:
                if is_average(one):
                    raise ValueError(f"'{self.name}' has a {what} {one!r}, which is no {what}: leave out averages")
        rows, columns = ([str(one) for one in names] for names in (self.topics, self.systems))
        if all(map(is_topic, columns)) and not are_counts(columns) and not any(map(is_topic, rows)):
            raise ValueError(
                f"'{self.name}' seems to have systems in rows ({listed(rows, 2)}) and topics in columns "
                f"({listed(columns, 2)}): {self.name}.T is a table of topics by systems"
            )
        whole = (self.values == np.floor(self.values)).all(axis=0)
        for i in np.flatnonzero(whole) if not whole.all() else ():
            found = np.unique(self.values[:, i])
            if found.size == self.n > 2:
                raise ValueError(
                    f"the column {self.systems[i]!r} of '{self.name}' has different whole numbers, which can be the "
                    "topics, or the numbers of rows, rather than scores of a system: make it the index, or leave it out"
                )

    def refuse_unrankable(self) -> None:
        """Raise if there are fewer than two systems or topics, or two systems of one name."""
        for count, what in ((self.m, "systems"), (self.n, "topics")):
            if count < 2:
                raise ValueError(f"'{self.name}' must have two {what} or more, not {count}")
        refuse_repeated(self.systems, "systems", self.name)

    @property
    def n(self) -> int:
        """The number of topics."""
        return int(self.values.shape[0])

    @property
    def m(self) -> int:
        """The number of systems."""
        return int(self.values.shape[1])

    @cached_property
    def size(self) -> float:
        """The largest score, without its sign."""
        return float(np.abs(self.values).max())

    @cached_property
    def means(self) -> Array:
        """The mean of each system; means that differ by rounding alone are made equal."""
        return tie_means(self.values.mean(axis=0), self.size)

    @property
    def ranks_systems(self) -> bool:
        """Whether the systems do not all have the same mean."""
        return bool(self.means.min() < self.means.max())

    @property
    def all_same(self) -> bool:
        """Whether all systems have the same score on each topic."""
        return bool(np.ptp(self.values, axis=1).max() <= self.size * EQUAL_MEANS)

    @cached_property
    def by_means(self) -> npt.NDArray[np.int32]:
        """The systems from the best mean down; equal means by their scores, whatever the order of columns."""
        return np.lexsort([*self.values[::-1], self.means])[::-1].astype(np.int32)

    @property
    def noise(self) -> float:
        """How far apart the sums of two systems over the topics may be by rounding alone."""
        return float(self.n * self.size * EQUAL_MEANS)

    @cached_property
    def digest(self) -> str:
        """A hash of the values, to recognise the same table again."""
        import hashlib

        return hashlib.sha256(repr((self.n, self.m)).encode() + self.values.tobytes()).hexdigest()

    def refuse(self, wrong: npt.NDArray[np.bool_], must: str) -> None:
        """Raise if any value is wrong, with the first such value, its topic and its system."""
        if wrong.any():
            t, i = np.argwhere(wrong)[0]
            raise ValueError(
                f"'{self.name}' {must}: {self.values[t, i]} for topic {self.topics[t]!r} and system {self.systems[i]!r}"
            )

    def ranks(self, y: Vector | ScoreTable) -> npt.NDArray[np.int64]:
        """The rank of each system by y, equal values alike, the greatest value with the greatest rank.

        y is a table of scores of the same systems, of which the means count, or a vector.  Tables with names and Series
        are matched to the systems by name, anything else by position.  The names of a table without names are the
        numbers from 0.  Means, and floats, are equal if they differ by rounding alone.
        """
        if isinstance(y, Scores) or is_table(y):
            other = Scores.of(y, "y")
            values: npt.NDArray[Any] = other.means
            # Polars names the columns of an array so.
            counted = tuple(f"column_{k}" for k in range(other.m))
            unnamed = not other.named or (other.systems == counted and not self.named)
            names: Sequence[Hashable] | None = None if unnamed else other.systems
        else:
            values = numeric_vector(y, "y")
            if values.dtype.kind == "f":
                if np.isnan(values).any():
                    raise ValueError("'y' must not have missing values")
                values = tie_means(values, np.abs(values[np.isfinite(values)]).max(initial=0))
            index: Any = getattr(y, "index", None) if hasattr(y, "reindex") else None
            names = None if index is None else list(index)
        if names is not None:
            try:
                values = values[places_of(self.systems, names, "systems", self.name, "y")]
            except ValueError as error:
                if self.named:
                    raise
                why = f"'{self.name}' has no names, so its systems are numbered from 0"
                raise ValueError(f"{error}; {why}: to match by position, pass y.to_numpy()") from None
        if values.size != self.m:
            raise ValueError(
                f"'y' must have one number for each of the {self.m} systems of '{self.name}', not {values.size}"
            )
        return np.unique(values, return_inverse=True)[1].astype(np.int64)

    def order(self, ranks: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """The systems from the best rank down; ties in the order of their means."""
        return self.by_means[np.argsort(-ranks[self.by_means], kind="stable")]

    def series(self, values: Any) -> Any:
        """One value for each system as a pandas.Series; as it is if the table has no names."""
        if not self.named:
            return values
        Series = extra("pandas", "a table with names").Series

        return Series(values, index=self.labels)

    def aligned(self, other: Scores, *, topics: bool = True) -> Scores:
        """The other table with the systems, and by default the topics, in the order of this one, under the same names.

        Where both have names, they are matched by name, else by position.
        """
        if self.named and other.named:
            columns = places_of(self.systems, other.systems, "systems", self.name, other.name)
            rows = list(range(other.n))
            if topics:
                rows = places_of(self.topics, other.topics, "topics", self.name, other.name)
            return other.taken(rows, columns)
        if self.m != other.m or (topics and self.n != other.n):
            raise ValueError(
                f"'{self.name}' is {self.n} topics by {self.m} systems, and '{other.name}' is {other.n} by {other.m}"
            )
        if self.named == other.named:
            return other
        matched = self.topics if topics else other.topics
        return replace(other, topics=matched, systems=self.systems, named=self.named, labels=self.labels)

    def taken(self, rows: Sequence[int], columns: Sequence[int]) -> Scores:
        """The table of these topics and systems, in this order."""
        if list(rows) == list(range(self.n)) and list(columns) == list(range(self.m)):
            return self
        values = np.ascontiguousarray(self.values[np.ix_(rows, columns)])
        values.setflags(write=False)
        topics, systems = tuple(self.topics[t] for t in rows), tuple(self.systems[i] for i in columns)
        # A pandas Index keeps the name of the axis; the columns of other tables are a list.
        take = getattr(self.labels, "take", None)
        labels = take(columns) if take else None if self.labels is None else systems
        return Scores(values, topics, systems, self.named, self.name, self.note, labels)


ScoreTable: TypeAlias = "Table | Scores"
"""A table of scores, topics by systems."""


def places_of(
    names: Sequence[Hashable], among: Sequence[Hashable], what: str, here: str = "X", there: str = "Y"
) -> list[int]:
    """Where each of the names stands among the others; both must have the same names, each once."""
    refuse_repeated(names, what, here)
    refuse_repeated(among, what, there)
    place = {name: k for k, name in enumerate(among)}
    for some, others, one, other in ((names, place, here, there), (among, set(names), there, here)):
        if absent := [name for name in some if name not in others]:
            raise ValueError(f"'{other}' does not have the {what} {listed(map(repr, absent), 5)} of '{one}'")
    return [place[name] for name in names]


def refuse_repeated(names: Sequence[Hashable], what: str, where: str) -> None:
    if len(set(names)) < len(names):
        seen: set[Hashable] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"'{where}' has two {what} of the name {twice!r}")


def without_topics(X: Any, name: str) -> tuple[Any, list[Hashable]]:
    """The table without the column that has the topics, and the topics, if they are not in an index.

    Polars and Arrow tables have no index, so this column is the only place for the names of topics.  A DataFrame that
    has such a column beside its index is refused: the column would be a system.
    """
    if not hasattr(X, "columns"):
        return X, []
    indexed = hasattr(X, "index")
    X = without_arrow(X)
    columns = [label for label in X.columns if kind_of(only_part(label)) == "topic"]
    if not columns:
        return X, []
    if len(columns) > 1:
        raise ValueError(f"the columns {listed(map(repr, columns))} of '{name}' seem to have topics: keep one of them")
    (column,) = columns
    if indexed:
        raise ValueError(
            f"the column {column!r} of '{name}' seems to have topics, not the scores of a system: "
            f"make it the index, {name}.set_index({column!r}), or give it another name"
        )
    if hasattr(X, "set_index"):  # it was an Arrow table
        return X.set_index(column), []
    return X.drop(column), X[column].to_list()


def only_part(label: Any) -> Any:
    """The label of a column; of one with several levels, the one level that is not empty, or the whole label."""
    parts = [part for part in label if part != ""] if isinstance(label, tuple) else [label]
    return parts[0] if len(parts) == 1 else label


def refuse_transposed(X: Any, name: str) -> None:
    """Raise if the names of the axes of a DataFrame say that it does not have topics in rows and systems in columns."""
    if not (hasattr(X, "index") and hasattr(X, "columns")) or len(X.columns) < 2:
        return
    rows, columns = (
        {kind_of(level) for level in getattr(axis, "names", ())} & {"topic", "system"} for axis in (X.index, X.columns)
    )
    if rows == {"topic", "system"}:
        raise ValueError(
            f"'{name}' has a row for each topic and system: {name}[column].unstack() is a table of topics by systems"
        )
    if (rows == {"system"} and "system" not in columns) or (columns == {"topic"} and "topic" not in rows):
        raise ValueError(
            f"'{name}' seems to have systems in rows and topics in columns: {name}.T is a table of topics by systems"
        )


def refuse_several_measures(X: Any, name: str) -> None:
    """Raise if the columns of a DataFrame are of several measures."""
    columns: Any = getattr(X, "columns", None)
    if getattr(columns, "nlevels", 1) > 1 and "measure" in columns.names:
        measures = columns.unique("measure")
        if len(measures) > 1:
            raise ValueError(f"'{name}' has several measures: choose one, such as {name}[{measures[0]!r}]")


def is_table(Z: object) -> TypeGuard[Table]:
    """Whether the value has two dimensions rather than one."""
    if isinstance(Z, (list, tuple)):
        return len(Z) > 0 and isinstance(Z[0], (list, tuple, np.ndarray))
    return hasattr(Z, "columns") or getattr(Z, "ndim", 1) == 2


def tie_means(means: npt.NDArray[Any], size: float) -> npt.NDArray[Any]:
    """Make means of scores of this size equal that differ by no more than rounding."""
    order = np.argsort(means, kind="stable")
    with np.errstate(invalid="ignore"):  # the difference of two infinities, which are equal
        steps = np.diff(means[order]) > size * EQUAL_MEANS
    group = np.concatenate([[0], np.cumsum(steps)])
    first = np.flatnonzero(np.concatenate([[True], steps]))
    tied = np.empty_like(means)
    tied[order] = means[order][first][group]
    return tied
