"""Tables of scores, topics by systems, and leaderboards: checked once, never changed, matched by name in one place."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from numbers import Number
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeGuard

import numpy as np

from .._core.errors import InvalidTypeError, InvalidValueError, Parts, Setting, Source
from .._core.names import MEASURE_NAMES, are_counts, is_average, is_topic, role_of
from .._core.rounding import EQUAL_MEANS, tie_means
from .._core.text import listed
from .._core.types import Floats, Table, Vector
from .._core.vectors import number_table, numeric_vector, without_arrow
from .._extras import extra

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

    from ..trec import ScoresSource


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
        The table in error messages.
    note : str
        What the reader of a file did about missing scores, or "".
    has_topics : bool
        False for a `Leaderboard`, which has one score for each system.
    labels : Index or tuple, optional
        The columns of the table as it was, for a Series of the systems.
    """

    has_topics: ClassVar[bool] = True

    values: Floats = field(repr=False)
    topics: tuple[Hashable, ...] = field(repr=False)
    systems: tuple[Hashable, ...] = field(repr=False)
    named: bool
    name: str = "X"
    note: str = ""
    labels: Any = field(default=None, repr=False)

    @classmethod
    def of(cls, X: ScoreSource, name: str = "X", *, rankable: bool = True) -> Scores:
        """Check scores once, in any form that `ircor.trec.read_scores` reads; `Scores` are returned as they are.

        A table that is `rankable` has two topics and two systems or more, and no two systems of one name.
        """
        if isinstance(X, Scores):
            if rankable:
                X.refuse_unrankable()
            return X
        scores = cls.from_table(X, name)
        if rankable:
            scores.refuse_unrankable()
        scores.refuse_bad_values()
        if scores.named and rankable:
            scores.refuse_summaries()
            scores.refuse_exchanged_axes()
            scores.refuse_counters()
        return scores

    @classmethod
    def from_table(cls, X: Any, name: str) -> Scores:
        """The numbers and the names in a table, not checked yet."""
        if is_read(X):
            X = read_table_of(X, name)
            if X.columns.nlevels > 1:
                measures = X.columns.unique("measure")
                how = f"choose one, such as ircor.trec.read_scores({name}, {measures[0]!r})"
                raise InvalidValueError(Source(name), f"has several measures, {listed(measures, 8)}", how)
        X, topics = without_topics(X, name)
        table, names = number_table(X, name)
        if table.ndim != 2:
            raise InvalidValueError(Source(name), f"must have two dimensions, topics by systems, not {table.ndim}")
        with np.errstate(over="ignore"):  # a long double beyond the range of doubles is infinite, which is refused
            values = np.array(table, dtype=np.float64, order="C")
        values.setflags(write=False)
        refuse_transposed(X, name)
        refuse_several_measures(X, name)
        attrs, columns = getattr(X, "attrs", {}), getattr(X, "columns", None)
        note = "; ".join(attrs.get("notes") or [str(attrs.get("missing", ""))])
        return cls(values, tuple(topics or names[0]), tuple(names[1]), columns is not None, name, note, columns)

    def refuse_bad_values(self) -> None:
        """Raise if there are no values, or if a value or a sum of them is not finite."""
        for count, what in ((self.m, "system"), (self.n, "topic")):
            if count < 1:
                raise InvalidValueError(Source(self.name), f"must have one {what} or more, not {count}")
        self.refuse(~np.isfinite(self.values), "must not have missing or infinite scores")
        if not isfinite(self.n * self.size):
            subject = ("the scores in ", Source(self.name))
            raise InvalidValueError(None, (*subject, " are too large for their sums to be numbers"))

    def refuse_summaries(self) -> None:
        """Raise if a name is that of an average."""
        for names, what in ((self.systems, "system"), (self.topics, "topic")):
            for one in filter(is_average, names):
                raise InvalidValueError(
                    Source(self.name), f"has a {what} {one!r}, which is no {what}", "leave out averages"
                )

    def refuse_exchanged_axes(self) -> None:
        """Raise if only the columns have names like those of topics."""
        rows, columns = ([str(one) for one in names] for names in (self.topics, self.systems))
        if all(map(is_topic, columns)) and not are_counts(columns) and not any(map(is_topic, rows)):
            what = f"seems to have systems in rows ({listed(rows, 2)}) and topics in columns ({listed(columns, 2)})"
            raise InvalidValueError(Source(self.name), what, f"{self.name}.T is a table of topics by systems")

    def refuse_counters(self) -> None:
        """Raise if a column has different whole numbers beside decimals: it may number the topics or the rows."""
        whole = (self.values == np.floor(self.values)).all(axis=0)
        for i in np.flatnonzero(whole) if not whole.all() else ():
            if np.unique(self.values[:, i]).size == self.n > 2:
                what = (
                    " has different whole numbers, which can be the topics, or the numbers of rows, rather than scores "
                    "of a system"
                )
                subject = (f"the column {self.systems[i]!r} of ", Source(self.name))
                raise InvalidValueError(None, (*subject, what), "make it the index, or leave it out")

    def refuse_unrankable(self) -> None:
        """Raise if there are fewer than two systems or topics, or two systems of one name."""
        for count, what in ((self.m, "systems"), (self.n, "topics")):
            if count < 2:
                raise InvalidValueError(Source(self.name), f"must have two {what} or more, not {count}")
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
    def means(self) -> Floats:
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
        """The distance of the sums of two systems over the topics that rounding alone may cause."""
        return float(self.n * self.size * EQUAL_MEANS)

    @cached_property
    def digest(self) -> str:
        """A hash of the values, to recognise the same table again."""
        import hashlib

        return hashlib.sha256(repr((self.n, self.m)).encode() + self.values.tobytes()).hexdigest()

    def refuse(self, wrong: npt.NDArray[np.bool_], must: Parts) -> None:
        """Raise if any value is wrong, with the first such value, its topic and its system."""
        if wrong.any():
            t, i = np.argwhere(wrong)[0]
            where = f"{self.values[t, i]} for topic {self.topics[t]!r} and system {self.systems[i]!r}"
            raise InvalidValueError(Source(self.name), must, where)

    def ranks(self, y: Vector | ScoreSource) -> npt.NDArray[np.int64]:
        """The rank of each system by y, equal values alike, the greatest value with the greatest rank.

        y is a table of scores of the same systems, of which the means count, a vector, or {system: number}.  What has
        names is matched to the systems by name, anything else by position.  The names of a table without names are the
        numbers from 0.  Means, and floats, are equal if they differ by rounding alone.
        """
        if is_table(y):
            other = Scores.of(y, "y")
            values: npt.NDArray[Any] = other.means
            # Polars names the columns of an array so.
            counted = tuple(f"column_{k}" for k in range(other.m))
            unnamed = not other.named or (other.systems == counted and not self.named)
            names: Sequence[Hashable] | None = None if unnamed else other.systems
        else:
            given = list(y.values()) if isinstance(y, Mapping) else y
            values = numeric_vector(given, "y")
            if values.dtype.kind == "f":
                if np.isnan(values).any():
                    raise InvalidValueError("y", "must not have missing values")
                values = tie_means(values)
            index: Any = y if isinstance(y, Mapping) else getattr(y, "index", None) if hasattr(y, "reindex") else None
            names = None if index is None else list(index)
        if names is not None:
            try:
                values = values[places_of(self.systems, names, "systems", self.name, "y")]
            except InvalidValueError as error:
                if self.named:
                    raise
                why = ("; ", Source(self.name), " has no names, so its systems are numbered from 0")
                raise InvalidValueError(None, (*error.parts, *why), "to match by position, pass y.to_numpy()") from None
        if values.size != self.m:
            must = f"must have one number for each of the {self.m} systems of "
            raise InvalidValueError("y", (must, Source(self.name), f", not {values.size}"))
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
            both = (f"is {self.n} topics by {self.m} systems, and ", Source(other.name))
            raise InvalidValueError(Source(self.name), (*both, f" is {other.n} by {other.m}"))
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
        return replace(self, values=values, topics=topics, systems=systems, labels=labels)


ScoreSource: TypeAlias = "Table | Scores | ScoresSource"
"""Scores of systems by topic in any form: a table, files, or what other packages have in memory."""


def is_read(X: Any) -> bool:
    """Whether scores are in a form that is read as files are, rather than a table of topics by systems."""
    if hasattr(X, "columns"):
        return is_long(X)
    first = X[0] if isinstance(X, (list, tuple)) and X else X
    if isinstance(first, (Scores, Number)) or hasattr(first, "__array__"):
        return False
    of_package = any(hasattr(first, name) for name in ("to_dict", "scores", "query_id"))
    return isinstance(first, (str, os.PathLike, Mapping)) or of_package


def is_long(X: Any) -> bool:
    """Whether a DataFrame has a row for each topic and system: it has columns, or levels of its index, of both.

    So it has if there is one of systems, or of topics and measures, and the index has no other names.
    """
    if getattr(X.columns, "nlevels", 1) > 1:
        return False
    levels = {role_of(name) for name in getattr(getattr(X, "index", None), "names", ())}
    if {"topic", "system"} <= levels:
        return True
    if not has_counted_rows(X):
        return False
    names = [name for name in getattr(X, "column_names", X.columns) if isinstance(name, str)]
    roles = {"measure" if name.lower() in MEASURE_NAMES else role_of(name) for name in names if not has_floats(X[name])}
    return "system" in roles or {"topic", "measure"} <= roles


def has_counted_rows(X: Any) -> bool:
    """Whether the rows of a DataFrame have no names, but numbers at most, as those of Polars have none."""
    index: Any = getattr(X, "index", None)
    return index is None or (
        getattr(index, "name", None) is None and str(getattr(index, "dtype", "")).startswith("int")
    )


def has_floats(column: Any) -> bool:
    """Whether a column has numbers with decimals, by its type."""
    return str(getattr(column, "dtype", getattr(column, "type", ""))).lower().startswith(("float", "double", "decimal"))


def read_table_of(X: Any, name: str, measure: Sequence[str] | None = None) -> pandas.DataFrame:
    """The scores in a form that is read, as a table of topics by systems."""
    from ..trec import scores_of

    if isinstance(X, Mapping) and has_numbers(X):
        raise InvalidValueError(Source(name), "has one number for each system, and no scores by topic")
    try:
        return scores_of(X, name, measure)
    except InvalidValueError as error:
        if not any(isinstance(part, Setting) and part.name == "missing" for part in error.parts):
            raise
        reader = "; these are options of ircor.trec.read_scores"
        raise InvalidValueError(None, (*error.parts, reader)) from None


def places_of(
    names: Sequence[Hashable], among: Sequence[Hashable], what: str, here: str = "X", there: str = "Y"
) -> list[int]:
    """The index of each of the names among the others; both must have the same names, each once."""
    refuse_repeated(names, what, here)
    refuse_repeated(among, what, there)
    place = {name: k for k, name in enumerate(among)}
    for some, others, one, other in ((names, place, here, there), (among, set(names), there, here)):
        if absent := [name for name in some if name not in others]:
            lacks = f"does not have the {what} {listed(map(repr, absent), 5)} of "
            raise InvalidValueError(Source(other), (lacks, Source(one)))
    return [place[name] for name in names]


def refuse_repeated(names: Sequence[Hashable], what: str, where: str) -> None:
    if len(set(names)) < len(names):
        seen: set[Hashable] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InvalidValueError(Source(where), f"has two {what} of the name {twice!r}")


def without_topics(X: Any, name: str) -> tuple[Any, list[Hashable]]:
    """The table without the column that has the topics, and the topics, if they are not in an index.

    A DataFrame that has such a column beside an index with names is refused: the column may be a system.
    """
    if not hasattr(X, "columns"):
        return X, []
    indexed = hasattr(X, "index")
    X = without_arrow(X)
    columns = [label for label in X.columns if role_of(only_part(label)) == "topic"]
    if not columns:
        return X, []
    if len(columns) > 1:
        subject = (f"the columns {listed(map(repr, columns))} of ", Source(name))
        raise InvalidValueError(None, (*subject, " seem to have topics"), "keep one of them")
    (column,) = columns
    if indexed and not has_counted_rows(X):
        subject = (f"the column {column!r} of ", Source(name))
        what = " seems to have topics, not the scores of a system"
        index = f"make it the index, {name}.set_index({column!r}), or give it another name"
        raise InvalidValueError(None, (*subject, what), index)
    if hasattr(X, "set_index"):
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
        {role_of(level) for level in getattr(axis, "names", ())} & {"topic", "system"} for axis in (X.index, X.columns)
    )
    if (rows == {"system"} and "system" not in columns) or (columns == {"topic"} and "topic" not in rows):
        what = "seems to have systems in rows and topics in columns"
        raise InvalidValueError(Source(name), what, f"{name}.T is a table of topics by systems")


def refuse_several_measures(X: Any, name: str) -> None:
    """Raise if the columns of a DataFrame are of several measures."""
    columns: Any = getattr(X, "columns", None)
    if getattr(columns, "nlevels", 1) > 1 and "measure" in columns.names:
        measures = columns.unique("measure")
        if len(measures) > 1:
            raise InvalidValueError(
                Source(name), "has several measures", f"choose one, such as {name}[{measures[0]!r}]"
            )


def is_table(Z: object) -> TypeGuard[ScoreSource]:
    """Whether the value has scores by topic, rather than one number for each system."""
    if isinstance(Z, Mapping):
        return not has_numbers(Z)
    if isinstance(Z, Scores) or is_read(Z):
        return True
    if isinstance(Z, (list, tuple)):
        return len(Z) > 0 and isinstance(Z[0], (list, tuple, np.ndarray))
    return hasattr(Z, "columns") or getattr(Z, "ndim", 1) == 2


def has_numbers(values: Mapping[Any, Any]) -> bool:
    """Whether a mapping has a number for each system."""
    return bool(values) and all(isinstance(value, (int, float, np.number)) for value in values.values())


class Leaderboard(Scores):
    """One score for each system: a table of one row, for what needs only the means of the systems."""

    has_topics = False

    @classmethod
    def from_systems(cls, systems: Sequence[Hashable], values: Any, name: str, note: str = "") -> Leaderboard:
        """Check the scores of some systems, each of them once."""
        refuse_repeated(systems, "systems", name)
        try:
            row = np.asarray(values, dtype=np.float64).reshape(1, -1)
        except (TypeError, ValueError):
            raise InvalidTypeError(Source(name), "must have a number for each system") from None
        row.setflags(write=False)
        board = cls(row, ("all",), tuple(systems), True, name, note)
        board.refuse(~np.isfinite(row), "must have finite scores")
        return board
