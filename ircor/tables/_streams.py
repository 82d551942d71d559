"""One coefficient for each row of two columns of lists, which is how query engines hold groups."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .._core.checks import row_in_words, warn_of_pairing
from .._core.errors import InvalidTypeError, InvalidValueError, must_be
from .._core.methods import Method, any_method_of
from .._core.options import NAN_POLICY, NanPolicy, flag
from .._core.types import AnyMethodName, ArrowLike, Floats, Ties
from .._core.vectors import COLUMN_OF_LISTS, Lists, are_numbers, arrow_numbers
from .._extras import extra
from ._groups import GroupedRows, doubles, group_coefficients, least_items

if TYPE_CHECKING:
    import numpy.typing as npt
    import pyarrow

    Indices: TypeAlias = npt.NDArray[np.intp]
    Path: TypeAlias = "str | os.PathLike[str]"


def cor_lists(
    x: ArrowLike,
    y: ArrowLike,
    method: AnyMethodName = "tau_b",
    decreasing: bool | np.bool_ = True,
    min_items: int = 2,
    n_jobs: int | None = None,
    *,
    p: float | None = None,
    ties: Ties | None = None,
    epsilon: float | None = None,
    nan_policy: NanPolicy = "raise",
) -> Floats:
    """Compute one coefficient for each row of two columns of lists: `cor_by` for groups that are lists already.

    Query engines make such columns from groups of rows.  Doubles are read where they are, without a copy, if each
    column is one chunk and no list is null.

    Parameters
    ----------
    x, y : Arrow column of lists
        The two scores of the items of each row: an Array or ChunkedArray of pyarrow whose type is list, large_list or
        fixed_size_list, of integers, floats or decimals; a Series of Polars whose type is List or Array; or anything
        with `__arrow_c_array__` or `__arrow_c_stream__`.  Scores compare exactly, as for `cor_by`.
    method, decreasing, n_jobs, p, ties, epsilon
        As for `cor`; "rbo" for rank-biased overlap.
    min_items : int
        Rows with fewer items get nan; 2 or more.
    nan_policy : {"raise", "omit", "propagate"}
        As for `cor_by`.  A null in a list is a missing value, as NaN is.

    Returns
    -------
    numpy.ndarray
        The coefficient of each row.  It is nan where a list is null or has too few items, where the function for two
        vectors returns nan, and where missing values are propagated.

    Raises
    ------
    TypeError
        If x or y has no lists of numbers, or `min_items` is not a whole number.
    ValueError
        If x and y differ in the number of rows, the two lists of a row differ in length, or the function for two
        vectors refuses the lists of a row.  The message has the number of the row, counted from 1, and its values.  If
        a value is missing and `nan_policy` is "raise"; the message has the number of the item too.

    Warns
    -----
    PairingWarning
        If x and y are Series whose labels say that other rows belong together.

    Notes
    -----
    The first item of a list in x belongs to the first item of the list in y, and so on.  An engine that collects the
    two lists of a group must take the rows in the same order for both.

    Examples
    --------
    >>> import pyarrow as pa
    >>> x, y = pa.array([[1, 2, 3], [1, 2], None]), pa.array([[1.5, 3.5, 2.5], [0.2, 0.1], [0.5]])
    >>> cor_lists(x, y, "tau")
    array([ 0.33333333, -1.        ,         nan])
    """
    values = of_lists(x, y, any_method_of(method, p, ties, epsilon=epsilon), decreasing, min_items, n_jobs, nan_policy)
    warn_of_pairing(x, y)
    return values


def of_batch(
    x: ArrowLike, y: ArrowLike, method: Method, decreasing: object, min_items: object, nan_policy: object
) -> Any:
    """The coefficients of some of an engine's rows, as an Arrow array with null for nan.

    Engines take NaN for the greatest number, so that it would pass a filter, and spoil a mean.
    """
    values = of_lists(x, y, method, decreasing, min_items, 1, nan_policy)
    return extra("pyarrow", COLUMN_OF_LISTS).array(values, mask=np.isnan(values))


def of_lists(
    x: ArrowLike,
    y: ArrowLike,
    method: Method,
    decreasing: object,
    min_items: object,
    n_jobs: int | None,
    nan_policy: object,
) -> Floats:
    """The coefficient of each row."""
    top_down, least = flag(decreasing, "decreasing"), least_items(min_items)
    policy = NAN_POLICY.checked(nan_policy)
    rows = ListRows.of_lists(Lists.of(x, "x"), Lists.of(y, "y"))
    return group_coefficients(method, top_down, least, rows, rows.given, n_jobs, policy)[0]


@dataclass(frozen=True)
class ListRows(GroupedRows):
    """The rows of two columns of lists as groups of items; `given` are the values as the caller has them."""

    given: tuple[npt.NDArray[Any], npt.NDArray[Any]]
    lists: tuple[Lists, Lists]

    @classmethod
    def of_lists(cls, x: Lists, y: Lists) -> ListRows:
        if len(x) != len(y):
            raise InvalidValueError(("x", "y"), f"must have the same number of rows: they have {len(x)} and {len(y)}")
        null = x.null | y.null
        unlike = (x.sizes != y.sizes) & ~null
        if unlike.any():
            k = int(unlike.argmax())
            raise InvalidValueError(
                f"{lists_in_words(k, x, y)}: the lists must be of the same length, "
                f"but they have {x.sizes[k]} and {y.sizes[k]} items",
            )
        sizes = np.where(null, 0, x.sizes)
        given = x.packed(sizes), y.packed(sizes)
        x_values, y_values = map(doubles, given)
        return cls(None, None, x_values, y_values, np.cumsum(sizes), sizes, given, (x, y))

    def name(self, k: int) -> str:
        return lists_in_words(k, *self.lists)

    def row(self, row: int) -> str:
        k = self.group_of(row)
        return f"item {row - int(self.ends[k] - self.sizes[k]) + 1} of {self.name(k)}"


def lists_in_words(k: int, x: Lists, y: Lists) -> str:
    """The name of row k in an error: engines pass on parts of their rows, where its number alone would not tell."""
    return f"row {k + 1}, with x = {x.in_words(k)} and y = {y.in_words(k)}"


ArrowColumns: TypeAlias = "list[Any]"
"""Some rows of the groups, of x and of y, or the labels of groups and their coefficients, as Arrow arrays."""

# Rows that are read at once.  Groups may be longer.
ROWS = 1_000_000

# Bytes of a file that are read at once.
BUFFER = 1 << 20


def cor_parquet(
    source: Path | Sequence[Path] | Iterable[pyarrow.RecordBatch],
    groups: str,
    x: str,
    y: str,
    method: AnyMethodName = "tau_b",
    decreasing: bool | np.bool_ = True,
    min_items: int = 2,
    *,
    p: float | None = None,
    ties: Ties | None = None,
    epsilon: float | None = None,
    nan_policy: NanPolicy = "raise",
) -> pyarrow.RecordBatchReader:
    """Compute one coefficient for each group of rows of Parquet files: `cor_by` in bounded memory.

    The groups must be in order, by their labels up or down, so that a group is complete when another one begins.  What
    is in memory is a million rows and the rows of one group, however many there are in the files.

    Parameters
    ----------
    source : path, sequence of paths, or iterable of pyarrow.RecordBatch
        Parquet files, read one after the other, or batches of rows, such as those of an engine that sorts.  A group may
        go on in the next batch, row group or file, and the order of the groups goes on with it.
    groups, x, y : str
        The names of the columns.  Scores compare exactly, as for `cor_by`.
    method, decreasing, p, ties, epsilon
        As for `cor`; "rbo" for rank-biased overlap.
    min_items : int
        Groups with fewer rows get null; 2 or more.
    nan_policy : {"raise", "omit", "propagate"}
        As for `cor_by`.  A null is a missing value, as NaN is.

    Returns
    -------
    pyarrow.RecordBatchReader
        Batches of two columns, the groups under their name, and the coefficients under the name of the method, with
        null where `cor_by` has nan.  They are computed as they are read: by a loop, `read_all`, `read_pandas`, or by
        what takes a stream of Arrow, such as Polars and DuckDB.

    Raises
    ------
    ValueError
        If a file is not a Parquet file or a column is missing, and while the result is read, if the groups are not in
        order, the group of a row is missing, or the function for two vectors refuses a group; the message names the
        group.  If a value is missing and `nan_policy` is "raise"; the message names the group and the row, counted
        from 1 over all files or batches.
    TypeError
        If x or y has no numbers, or a column is not of the same type in all files or batches.

    Examples
    --------
    >>> import pyarrow as pa
    >>> rows = pa.table({"query": ["q1", "q1", "q1", "q2", "q2"], "a": [1, 2, 3, 1, 2], "b": [1, 3, 2, 2, 1]})
    >>> cor_parquet(rows.to_batches(max_chunksize=2), "query", "a", "b", "tau").read_all().to_pydict()
    {'query': ['q1', 'q2'], 'tau': [0.3333333333333333, -1.0]}
    """
    pa = extra("pyarrow", "cor_parquet")
    coefficient, top_down, least = (
        any_method_of(method, p, ties, epsilon=epsilon),
        flag(decreasing, "decreasing"),
        least_items(min_items),
    )
    policy = NAN_POLICY.checked(nan_policy)
    batches = batches_of(source, [groups, x, y])
    first = next(batches, None)
    if first is None:
        raise InvalidValueError("source", "has no batches, and so no columns")
    schema = pa.schema([pa.field(groups, first[0].type), pa.field(coefficient.name, pa.float64())])
    whole = complete_groups(chain([first], batches), groups)
    made = coefficients_of_batches(whole, (x, y), coefficient, top_down, least, policy)
    return pa.RecordBatchReader.from_batches(schema, (pa.record_batch(columns, schema=schema) for columns in made))


def batches_of(source: Any, names: list[str]) -> Iterator[ArrowColumns]:
    """The columns of these names in each batch; the first may have no rows."""
    types: list[Any] = []
    for where, batch in batches_with_places(source, names):
        columns = [comparable(batch.column(name)) for name in names]
        own = [column.type for column in columns]
        types = types or own
        for name, one, before in zip(names, own, types):
            if one != before:
                raise InvalidTypeError(f"{where} has {one} in the column {name!r}, but what comes before has {before}")
        for name, one in zip(names[1:], own[1:]):
            if not are_numbers(one):
                raise InvalidTypeError(f"{where} must have numbers in the column {name!r}, not {one}")
        yield columns


def batches_with_places(source: Any, names: list[str]) -> Iterator[tuple[str, pyarrow.RecordBatch]]:
    """Batches that have columns of these names, and what an error calls the place of each."""
    pa, parquet = extra("pyarrow", "cor_parquet"), extra("pyarrow.parquet", "cor_parquet")
    parts = [source] if is_path(source) else source
    # A table has columns, and a loop over it gives these or their names.
    if hasattr(parts, "columns") or not isinstance(parts, Iterable):
        raise not_batches(source)
    for part in parts:
        if is_path(part):
            where = repr(os.fspath(part))
            try:
                # By default, what was read of a file is kept to its end, and the columns of a row group are read whole.
                file = parquet.ParquetFile(part, pre_buffer=False, buffer_size=BUFFER)
            except pa.ArrowInvalid as error:
                raise InvalidValueError(f"{where} is not a Parquet file: {error}") from None
            with file:
                check_columns(names, file.schema_arrow.names, where)
                yield where, pa.RecordBatch.from_pylist([], schema=file.schema_arrow)
                yield from ((where, batch) for batch in file.iter_batches(ROWS, columns=names))
        elif isinstance(part, pa.RecordBatch):
            where = "a batch of 'source'"
            check_columns(names, part.schema.names, where)
            yield where, part
        else:
            raise not_batches(part)


def not_batches(source: object) -> InvalidTypeError:
    return InvalidTypeError(
        "source", must_be("paths of Parquet files, or batches of rows as pyarrow.Table.to_batches has them", source)
    )


def is_path(source: object) -> bool:
    return isinstance(source, (str, os.PathLike))


def check_columns(names: list[str], there: list[str], where: str) -> None:
    for name in names:
        if there.count(name) != 1:
            listed_columns = ", ".join(map(repr, there))
            raise InvalidValueError(f"{where} must have one column {name!r}, and its columns are {listed_columns}")


def comparable(column: Any) -> Any:
    """A column of categories as one of their labels, and one of views on strings as strings, which can be compared."""
    pa = extra("pyarrow", "cor_parquet")
    if hasattr(column, "dictionary_decode"):
        column = column.dictionary_decode()
    return column.cast(pa.large_string()) if str(column.type) == "string_view" else column


def coefficients_of_batches(
    batches: Iterator[tuple[ArrowColumns, Indices]],
    names: tuple[str, str],
    method: Method,
    decreasing: bool,
    least: int,
    policy: NanPolicy,
) -> Iterator[ArrowColumns]:
    """The labels and coefficients of whole groups, batch after batch."""
    pa = extra("pyarrow", "cor_parquet")
    before = 0
    for (labels, x, y), ends in batches:
        given = arrow_numbers(x), arrow_numbers(y)
        x_values, y_values = map(doubles, given)
        labels = labels.take(pa.array(ends - 1))
        rows = StreamedRows(labels, None, x_values, y_values, ends, np.diff(ends, prepend=0), before, names=names)
        values, _ = group_coefficients(method, decreasing, least, rows, given, 1, policy)
        before += len(x_values)
        yield [labels, pa.array(values, mask=np.isnan(values))]


@dataclass(frozen=True)
class StreamedRows(GroupedRows):
    """Groups whose labels are an Arrow array; so many rows came `before` them."""

    before: int

    def name(self, k: int) -> str:
        return f"group {self.labels[k].as_py()!r}"

    def row(self, row: int) -> str:
        return f"{row_in_words(self.before + row)} of {self.name(self.group_of(row))}"


def complete_groups(batches: Iterable[ArrowColumns], name: str) -> Iterator[tuple[ArrowColumns, Indices]]:
    """The rows of whole groups, and where each group ends: the last group of a batch may go on in the next one."""
    pa = extra("pyarrow", "cor_parquet")
    order = Order(name)
    last: list[ArrowColumns] = []
    for batch in batches:
        starts = order.starts(batch[0])
        if len(starts) == 0:
            last += [batch] if len(batch[0]) else []
            continue
        parts = [*last, [column[: starts[-1]] for column in batch]]
        # Where the rows of this batch begin in the parts.
        shift = sum(len(part[0]) for part in last)
        ends = shift + (starts if last else starts[1:])
        last = [[column[starts[-1] :] for column in batch]]
        if len(ends):
            yield [pa.concat_arrays(columns) for columns in zip(*parts)], ends
    if last:
        columns = [pa.concat_arrays(columns) for columns in zip(*last)]
        yield columns, np.array([len(columns[0])])


class Order:
    """The order of groups that come in batches."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows = 0
        # The group of the row before, as an array of one label, and which comparison all groups have met so far.
        self.before: Any = None
        self.direction = ""

    def starts(self, labels: Any) -> Indices:
        """Where groups begin in the next labels; an error if they are not in order."""
        pa, pc = extra("pyarrow", "cor_parquet"), extra("pyarrow.compute", "cor_parquet")
        none: Indices = np.empty(0, dtype=np.intp)
        if len(labels) == 0:
            return none
        missing = labels.is_null(nan_is_null=True)
        if missing.true_count:
            raise InvalidValueError(f"the group of row {self.rows + missing.index(True).as_py() + 1} is missing")
        first = self.before is None
        row_before = labels[:1] if first else self.before
        both = pa.concat_arrays([row_before, labels])
        try:
            new = pc.not_equal(both[1:], both[:-1]).to_numpy(zero_copy_only=False)
            starts = np.flatnonzero(new)
            self.check(both.take(pa.array(np.append(0, starts + 1))), starts)
        except pa.ArrowNotImplementedError:
            raise InvalidTypeError(
                f"the column {self.name!r} must have labels with an order, not {labels.type}"
            ) from None
        self.before, self.rows = labels[-1:], self.rows + len(labels)
        return np.append(0, starts) if first else starts

    def check(self, labels: Any, starts: Indices) -> None:
        """Refuse labels, of which each begins a group at `starts` but the first, if they do not all go up or down."""
        pc = extra("pyarrow.compute", "cor_parquet")
        if len(labels) < 2:
            return
        self.direction = self.direction or ("less" if pc.less(labels[0], labels[1]).as_py() else "greater")
        in_order = getattr(pc, self.direction)(labels[:-1], labels[1:]).to_numpy(zero_copy_only=False)
        if not in_order.all():
            k = int(in_order.argmin())
            one, other = labels[k].as_py(), labels[k + 1].as_py()
            raise InvalidValueError(
                f"row {self.rows + starts[k] + 1} begins group {other!r} after group {one!r}, against the order of the "
                f"groups before. Either the rows of a group are not together, or the groups are in no order. Sort the "
                f"rows by {self.name!r}; an engine can do so on disk.",
            )
