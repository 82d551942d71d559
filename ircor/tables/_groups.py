"""One coefficient for each group of rows."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from .._core.checks import has_missing, missing_value, pandas_index, row_in_words, warn_of_pairing
from .._core.errors import Argument, InvalidTypeError, InvalidValueError, shown
from .._core.methods import Method, any_method_of, threshold_of
from .._core.options import NAN_POLICY, NanPolicy, flag, whole_number
from .._core.printing import NEAR
from .._core.types import AnyMethodName, Floats, Frame, Groups, Ties, Vector
from .._core.vectors import EXACT_IN_DOUBLE, numeric_vector
from .._core.work import ITEMS_PER_TASK, in_parallel
from .._extras import extra
from .._kernel import Dominance, Ranking, gather_groups, totals_of_groups

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

    Indices = npt.NDArray[np.intp]

# Larger groups are ranked one by one: the batch would need scratch memory for the largest, and would gain nothing.
LARGEST_IN_BATCH = 4096


@overload
def cor_by(
    groups: Groups,
    x: Vector,
    y: Vector,
    method: AnyMethodName = "tau_b",
    decreasing: bool | np.bool_ = True,
    min_items: int = 2,
    n_jobs: int | None = None,
    *,
    data: None = None,
    p: float | None = None,
    ties: Ties | None = None,
    epsilon: float | None = None,
    nan_policy: NanPolicy = "raise",
) -> pandas.Series[float]: ...


@overload
def cor_by(
    groups: Hashable,
    x: Hashable,
    y: Hashable,
    method: AnyMethodName = "tau_b",
    decreasing: bool | np.bool_ = True,
    min_items: int = 2,
    n_jobs: int | None = None,
    *,
    data: Frame,
    p: float | None = None,
    ties: Ties | None = None,
    epsilon: float | None = None,
    nan_policy: NanPolicy = "raise",
) -> pandas.Series[float]: ...


def cor_by(
    groups: Groups | Hashable,
    x: Vector | Hashable,
    y: Vector | Hashable,
    method: AnyMethodName = "tau_b",
    decreasing: bool | np.bool_ = True,
    min_items: int = 2,
    n_jobs: int | None = None,
    *,
    data: Frame | None = None,
    p: float | None = None,
    ties: Ties | None = None,
    epsilon: float | None = None,
    nan_policy: NanPolicy = "raise",
) -> pandas.Series[float]:
    """Compute one coefficient for each group of rows: for each query, topic or user.

    Parameters
    ----------
    groups : array, Series or str
        The group of each row: strings, integers or any hashable values, in any order.
    x, y : numeric vector or str
        The two scores of each row.  Rows are matched by position, not by the index of a Series.  Scores compare
        exactly, as in the function for two vectors: some, such as probabilities, are far smaller than the largest.
    method, decreasing, n_jobs, p, ties, epsilon
        As for `cor`; "rbo" for rank-biased overlap.
    min_items : int
        Groups with fewer rows get nan; 2 or more.
    data : pandas.DataFrame, optional
        A table; `groups`, `x` and `y` are then names of its columns.
    nan_policy : {"raise", "omit", "propagate"}
        If a value is missing: "raise" an error; "omit" the item, so that the coefficient is that of the others, and nan
        if fewer than `min_items` are left; or "propagate" it: the coefficient is nan.

    Returns
    -------
    pandas.Series
        The coefficients, indexed by group, in sorted order.  Its `attrs` have the number of "groups" and the number of
        groups with "too_few_items" to compare.  Other groups are nan where the function for two vectors returns nan,
        and where missing values are propagated.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, or `min_items` is not a whole number.
    ValueError
        If the three differ in length, the group of a row is missing, or the function for two vectors refuses a group;
        the message names the group.  If a value is missing and `nan_policy` is "raise"; the message names the row,
        counted from 1, and its group.

    Warns
    -----
    PairingWarning
        If two of `groups`, x and y are Series whose labels say that other rows belong together.

    Examples
    --------
    >>> cor_by(["q1", "q1", "q1", "q2", "q2", "q3"], [1, 2, 3, 1, 2, 1], [1, 3, 2, 2, 1, 1], method="tau")
    q1    0.333333
    q2   -1.000000
    q3         NaN
    dtype: float64
    """
    pd = extra("pandas", "cor_by")

    coefficient, top_down, least = (
        any_method_of(method, p, ties, epsilon=epsilon),
        flag(decreasing, "decreasing"),
        least_items(min_items),
    )
    policy, names = NAN_POLICY.checked(nan_policy), ("x", "y")
    if data is not None:
        names = str(x), str(y)
        groups, x, y = columns_named(data, groups, x, y)
    given = numeric_vector(x, "x"), numeric_vector(y, "y")
    keys = group_keys(groups)
    if not len(keys) == len(given[0]) == len(given[1]):
        lengths = f"{len(keys)}, {len(given[0])} and {len(given[1])}"
        raise InvalidValueError(("groups", "x", "y"), f"must be of the same length: they have {lengths} items")
    rows = replace(GroupedRows.of(keys, *map(doubles, given)), names=names, index=pandas_index(x))
    values, too_few = group_coefficients(coefficient, top_down, least, rows, given, n_jobs, policy)
    if data is None:
        # One warning is enough, whatever is in another order.
        for pair, one, other in ((("x", "y"), x, y), (("x", "groups"), x, groups), (("y", "groups"), y, groups)):
            if warn_of_pairing(one, other, pair):
                break
    result = pd.Series(values, index=pd.Index(rows.labels, name=getattr(keys, "name", None)))
    if not result.index.is_monotonic_increasing:
        # Labels of several types may have no order; they stay in the order of the rows.
        with suppress(TypeError):
            result = result.sort_index()
    result.attrs.update(groups=len(rows.ends), too_few_items=too_few)
    return result


def least_items(min_items: object) -> int:
    # The kernel takes 64-bit integers, and no group has more rows than that.
    return min(whole_number(min_items, "min_items", least=2), 2**62)


def group_coefficients(
    method: Method,
    decreasing: bool,
    least: int,
    rows: GroupedRows,
    given: tuple[npt.NDArray[Any], npt.NDArray[Any]],
    n_jobs: int | None,
    policy: NanPolicy,
) -> tuple[Floats, int]:
    """The coefficient of each group, and the number of groups with too few items.

    `given` are x and y as the caller has them, of any numeric type.  A group that the function for two vectors refuses
    is refused.
    """
    if threshold_of(method) and not holds_distances(given[1]):
        raise InvalidTypeError(rows.names[1], "must have numbers that doubles can hold, for distances between them")
    compute = partial(groups_done, method, decreasing, least)
    ranked, parts = rows, in_parallel(compute, rows.tasks(), n_jobs, None)
    # What is in groups with too few rows is not counted.
    if any(part.missing for part in parts) or ((rows.sizes < least).any() and any(map(has_missing, given))):
        if policy == "raise":
            raise rows.missing_value(given)
        ranked = rows.without_missing(whole_groups=policy == "propagate")
        parts = in_parallel(compute, ranked.tasks(), n_jobs, None)
    values = np.concatenate([part.values for part in parts]) if parts else np.empty(0)
    doubtful = np.concatenate([part.doubtful for part in parts]) if parts else np.empty(0, dtype=bool)
    if method.untied and any(values.dtype.itemsize > 8 for values in given):
        # The doubles made from a wider type are ranks: they do not show which values R prints alike.
        doubtful = ranked.sizes >= least
    refuse_groups(method, decreasing, rows, rows.in_order_of_rows(np.flatnonzero(doubtful)).tolist(), given)
    compared = rows if policy == "propagate" else ranked
    return values, int((compared.sizes < least).sum())


def columns_named(data: Any, *names: Any) -> list[Any]:
    """The columns of a table by their names."""
    for name in names:
        if not hasattr(data, "columns") or not isinstance(name, Hashable) or name not in data.columns:
            raise InvalidValueError(
                "data", f"must be a table with the columns that 'groups', 'x' and 'y' name, and it has no {shown(name)}"
            )
    return [data[name] for name in names]


def holds_distances(values: npt.NDArray[Any]) -> bool:
    """Whether `doubles` has the values themselves, rather than other numbers in the same order."""
    return values.dtype.itemsize <= 8 if values.dtype.kind == "f" else not beyond_doubles(values)


def beyond_doubles(values: npt.NDArray[Any]) -> bool:
    """Whether some integers are too large for doubles."""
    return bool(values.size) and max(int(values.max()), -int(values.min())) > EXACT_IN_DOUBLE


def group_keys(groups: Any) -> Any:
    """The groups as an array, Index or Series that pandas can factorize; masked values become missing."""
    pd = extra("pandas", "cor_by")

    if isinstance(groups, (str, bytes)) or not hasattr(groups, "__len__"):
        raise InvalidTypeError(
            "groups", f"must have a group for each row, not be {shown(groups)}; columns can be named if 'data' is given"
        )
    if getattr(groups, "ndim", 1) != 1:
        raise InvalidTypeError("groups", f"must have one dimension, not {groups.ndim}")
    ready = isinstance(groups, (np.ndarray, pd.Series, pd.Index)) and not isinstance(groups, np.ma.MaskedArray)
    keys = groups if ready else series_of(groups)
    # pandas has no index of numbers in another order of bytes, and none of float16.
    if isinstance(keys.dtype, np.dtype) and not keys.dtype.isnative:
        keys = keys.astype(keys.dtype.newbyteorder("="))
    return keys.astype(np.float32) if keys.dtype == np.float16 else keys


def series_of(groups: Any) -> Any:
    """The groups as a Series of pandas; strings of Polars without a Python object for each row, if pyarrow is there."""
    pd = extra("pandas", "cor_by")

    dtype: Any = getattr(groups, "dtype", None)
    texts = hasattr(dtype, "base_type") and dtype.base_type().__name__ in ("String", "Categorical", "Enum")
    # Without values, pandas finds another type.
    if texts and len(groups):
        with suppress(ImportError):
            return groups.cast(str).to_pandas().rename(None)
    return pd.Series(groups)


def doubles(values: npt.NDArray[Any]) -> Floats:
    """The values as doubles, or doubles with the same order and ties where a double cannot hold the values."""
    if values.dtype.kind == "f":
        if values.dtype.itemsize > 8:
            values = np.where(np.isnan(values), nan, np.unique(values, return_inverse=True)[1])
    elif beyond_doubles(values):
        values = np.unique(values, return_inverse=True)[1]
    return np.ascontiguousarray(values, dtype=np.float64)


@dataclass(frozen=True)
class GroupedRows:
    """Rows in which each group is contiguous.

    `codes` has the number of the group of each row as given; it is None if the groups were contiguous already.  `x` and
    `y` are the scores, group after group, and each group ends in them at its number of `ends`.  `names` are those of x
    and y in an error, and `index` has the labels of the rows in pandas.
    """

    labels: Any
    codes: npt.NDArray[np.int64] | None
    x: Floats
    y: Floats
    ends: Indices
    sizes: Indices
    names: tuple[str, str] = field(default=("x", "y"), kw_only=True)
    index: Any = field(default=None, kw_only=True)

    @classmethod
    def of(cls, keys: Any, x: Floats, y: Floats) -> GroupedRows:
        """Move the rows of each group together, unless they are contiguous already."""
        pd = extra("pandas", "cor_by")

        if has_plain_keys(keys):
            array = np.asarray(keys)
            changes = array[1:] != array[:-1]
            # Many short runs are hardly contiguous groups, and costly to check.
            if np.count_nonzero(changes) <= len(array) // 2:
                starts = np.append(0, np.flatnonzero(changes) + 1)
                runs = pd.Index(keys.take(starts))
                if runs.is_unique and not runs.hasnans:
                    ends = np.append(starts[1:], len(array))
                    return cls(runs, None, x, y, ends, np.diff(ends, prepend=0))
                del starts, runs
            del changes
            if array.dtype.kind in "iu" and (rows := IntegerRows.of_integers(array, x, y)):
                return rows
            del array
        codes, labels = pd.factorize(keys)
        if len(codes) and codes.min() < 0:
            raise InvalidValueError(f"the group of row {int(codes.argmin()) + 1} is missing")
        codes = codes.astype(np.int64, copy=False)
        x, y, ends = gather_groups(codes, 0, len(labels), x, y)
        return cls(pd.Index(labels), codes, x, y, ends, np.diff(ends, prepend=0))

    def tasks(self) -> list[tuple[Floats, Floats, Indices]]:
        """x, y and the ends of groups, cut between groups into tasks of about ITEMS_PER_TASK rows."""
        targets = np.arange(ITEMS_PER_TASK, len(self.x) + ITEMS_PER_TASK, ITEMS_PER_TASK)
        # Empty groups at the end come after the last target.
        lasts = np.unique([*(np.searchsorted(self.ends, targets) + 1).clip(max=len(self.ends)), len(self.ends)])
        tasks, first, start = [], 0, 0
        for last in lasts[lasts > 0].tolist():
            end = int(self.ends[last - 1])
            tasks.append((self.x[start:end], self.y[start:end], self.ends[first:last] - start))
            first, start = last, end
        return tasks

    def name(self, k: int) -> str:
        """The name of a group in an error."""
        label = self.labels[k].item() if isinstance(self.labels[k], np.generic) else self.labels[k]
        return f"group {label!r}"

    def places(self, k: int) -> slice | Indices:
        """Where the rows of a group are in the vectors as given."""
        if self.codes is None:
            return slice(int(self.ends[k] - self.sizes[k]), int(self.ends[k]))
        return np.flatnonzero(self.codes == k)

    def in_order_of_rows(self, groups: Indices) -> Indices:
        """Some groups, by the first row that each has in the vectors as given."""
        return groups

    def group_of(self, row: int) -> int:
        """The number of the group of a row of the vectors as given."""
        return int(np.searchsorted(self.ends, row, side="right") if self.codes is None else self.codes[row])

    def row(self, row: int) -> str:
        """A row of the vectors as given, and its group, in an error."""
        return f"{row_in_words(row, self.index)} of {self.name(self.group_of(row))}"

    def missing_value(self, given: tuple[npt.NDArray[Any], npt.NDArray[Any]]) -> InvalidValueError:
        """The error for the first row with a missing value."""
        first = [int(np.isnan(values).argmax()) if has_missing(values) else len(values) for values in given]
        side = first.index(min(first))
        if first[side] == len(given[side]):
            return InvalidValueError(("x", "y"), "changed while they were read")
        return missing_value(self.names[side], self.row(first[side]))

    def without_missing(self, *, whole_groups: bool) -> GroupedRows:
        """The groups without the rows with missing values, or without any rows if they have one."""
        kept = ~np.isnan(self.x)
        kept &= ~np.isnan(self.y)
        gaps = np.flatnonzero(~kept)
        lacking = np.bincount(np.searchsorted(self.ends, gaps, side="right"), minlength=len(self.ends))
        sizes = self.sizes - lacking
        if whole_groups:
            sizes[lacking > 0] = 0
            kept = np.repeat(lacking == 0, self.sizes)
        return replace(self, x=self.x[kept], y=self.y[kept], ends=np.cumsum(sizes), sizes=sizes)


def has_plain_keys(keys: Any) -> bool:
    """Whether there are keys, and neighbours are in the same group if and only if NumPy finds them equal."""
    pd = extra("pandas", "cor_by")

    if not len(keys) or not isinstance(keys.dtype, np.dtype):
        return False
    if keys.dtype.kind == "O":
        return bool(pd.api.types.infer_dtype(keys, skipna=False) == "string")
    return keys.dtype.kind in "biuSUMm"


@dataclass(frozen=True)
class IntegerRows(GroupedRows):
    """Rows whose groups are integers close to each other: they number themselves, and come out sorted.

    `keys` has the group of each row as given.
    """

    keys: npt.NDArray[Any]

    @classmethod
    def of_integers(cls, keys: npt.NDArray[Any], x: Floats, y: Floats) -> IntegerRows | None:
        """Move the rows of each group together; None if the integers are too far from each other."""
        pd = extra("pandas", "cor_by")

        least, most = int(keys.min()), int(keys.max())
        if most - least > 2 * len(keys) or most > np.iinfo(np.int64).max:
            return None
        x, y, ends = gather_groups(np.ascontiguousarray(keys, np.int64), least, most - least + 1, x, y)
        sizes = np.diff(ends, prepend=0)
        if sizes.min() < 0 or ends[-1] != len(keys):
            raise InvalidValueError("groups", "changed while it was read")
        present = np.flatnonzero(sizes)
        labels = pd.Index((present + least).astype(keys.dtype))
        return cls(labels, None, x, y, ends[present], sizes[present], keys)

    def places(self, k: int) -> slice | Indices:
        return np.flatnonzero(self.keys == self.labels[k])

    def group_of(self, row: int) -> int:
        return int(np.searchsorted(self.labels, self.keys[row]))

    def in_order_of_rows(self, groups: Indices) -> Indices:
        if len(groups) < 2:
            return groups
        number, first = np.unique(self.keys, return_index=True)
        # There is each label among the numbers, unless another thread has changed the keys.
        places = np.searchsorted(number, self.labels[groups]).clip(max=len(first) - 1)
        return groups[np.argsort(first[places])]


@dataclass(frozen=True)
class GroupsDone:
    """The coefficients of the groups of one task.

    `doubtful` marks the groups that the function for two vectors might refuse.  `missing` is whether there is a missing
    value in a group with enough rows; the coefficients count for nothing then.
    """

    values: Floats
    doubtful: npt.NDArray[np.bool_]
    missing: bool


def groups_done(method: Method, decreasing: bool, least: int, task: tuple[Floats, Floats, Indices]) -> GroupsDone:
    x, y, ends = task
    sizes = np.diff(ends, prepend=0)
    if threshold_of(method):
        return groups_within(method, least, task)
    d = totals_of_groups(x, y, ends, decreasing, least, LARGEST_IN_BATCH, method.sums, method.untied != "")
    for k in np.flatnonzero(sizes > max(LARGEST_IN_BATCH, least - 1)).tolist():
        rows = slice(ends[k] - sizes[k], ends[k])
        one = Dominance(Ranking(x[rows], decreasing), Ranking(y[rows], decreasing))
        d.put(k, one)
        for argument, side, ranking, own in (("x", d.x, one.x, x[rows]), ("y", d.y, one.y, y[rows])):
            if argument in method.untied:
                side.near_ties[k] = len(ranking.near_neighbours(own, NEAR))
    # Groups with too few rows were skipped, and their counts are 0.
    with np.errstate(invalid="ignore", divide="ignore"):
        values: Floats = np.where(sizes < least, nan, method.formula(d))
    doubtful = np.zeros(len(ends), dtype=bool)
    for argument, side in (("x", d.x), ("y", d.y)):
        if argument in method.untied:
            doubtful |= (side.tied_pairs > 0) | (side.near_ties > 0)
    return GroupsDone(values, doubtful, bool(d.x.missing.any() or d.y.missing.any()))


def groups_within(method: Method, least: int, task: tuple[Floats, Floats, Indices]) -> GroupsDone:
    """The same at a threshold of ties, for which the rankings are not enough."""
    x, y, ends = task
    values, missing, start = np.full(len(ends), nan), False, 0
    for k, end in enumerate(ends.tolist()):
        one, other = x[start:end], y[start:end]
        if end - start >= least:
            if has_missing(one) or has_missing(other):
                missing = True
            else:
                values[k] = method(one, other, stacklevel=None)
        start = end
    return GroupsDone(values, np.zeros(len(ends), dtype=bool), missing)


def refuse_groups(
    method: Method,
    decreasing: bool,
    rows: GroupedRows,
    doubtful: list[int],
    given: tuple[npt.NDArray[Any], npt.NDArray[Any]],
) -> None:
    """Raise the error of the first doubtful group that the function for two vectors refuses, with its name."""
    for k in doubtful:
        places = rows.places(k)
        x, y = (values[places] for values in given)
        if len(x) != rows.sizes[k]:
            raise InvalidValueError(None, (f"{rows.name(k)}: ", Argument("groups"), " changed while it was read"))
        kept = ~(np.isnan(x) | np.isnan(y))
        try:
            # Not warnings.catch_warnings, which changes the filters of all threads.
            method(x[kept], y[kept], decreasing, stacklevel=None)
        except ValueError as error:
            raise InvalidValueError(f"{rows.name(k)}: {error}") from None
