"""The coefficients between all columns of a table, or of two tables."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, overload

import numpy as np

from .._core.checks import (
    PairingWarning,
    mispaired,
    missing_value,
    pandas_index,
    refuse_ties,
    row_in_words,
    warn_of_pairing,
)
from .._core.errors import InvalidTypeError, InvalidValueError, TiesError
from .._core.methods import Method, any_method_of, threshold_of
from .._core.names import role_of
from .._core.options import NAN_POLICY, NanPolicy, flag
from .._core.rounding import RoundedColumns, RoundingWarning, tied_by_rounding
from .._core.text import ties_by_rounding
from .._core.types import AnyMethodName, Array, Floats, Frame, Numbers, Rows, Table, Ties
from .._core.vectors import numeric_vector, without_arrow
from .._core.work import in_parallel, pairs_per_task, slices, square_blocks
from .._extras import extra
from .._kernel import Ranking, totals_of_columns
from ._groups import LARGEST_IN_BATCH, doubles, groups_done

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

# So many pairs are counted in one call, or more of long rankings.  The arrays of their counts stay in the cache.  For
# more, the system would have to find memory in each call, which takes longer than to count.
PAIRS_AT_ONCE = 7_000
PAIRS_FOR_EACH_ITEM = 80

# Up to so many pairs of columns that miss the same items are counted together, however long they are: else each column
# would be ranked again for each pair.
PAIRS_TOGETHER = 64

LEAST_TOGETHER = 5
"""Of fewer columns that miss the same items, each pair is ranked on its own, if the columns are short."""

LEAST_ITEMS = 2
"""Fewer items have no pair to compare."""


@overload
def cor(
    X: Frame,
    Y: Table | None = None,
    method: AnyMethodName = "tau_b",
    decreasing: bool | np.bool_ = True,
    n_jobs: int | None = None,
    *,
    p: float | None = None,
    ties: Ties | None = None,
    epsilon: float | None = None,
    nan_policy: NanPolicy = "raise",
) -> pandas.DataFrame: ...


@overload
def cor(
    X: Table,
    Y: Frame,
    method: AnyMethodName = "tau_b",
    decreasing: bool | np.bool_ = True,
    n_jobs: int | None = None,
    *,
    p: float | None = None,
    ties: Ties | None = None,
    epsilon: float | None = None,
    nan_policy: NanPolicy = "raise",
) -> pandas.DataFrame: ...


@overload
def cor(
    X: Numbers | Rows,
    Y: Numbers | Rows | None = None,
    method: AnyMethodName = "tau_b",
    decreasing: bool | np.bool_ = True,
    n_jobs: int | None = None,
    *,
    p: float | None = None,
    ties: Ties | None = None,
    epsilon: float | None = None,
    nan_policy: NanPolicy = "raise",
) -> Floats: ...


def cor(
    X: Table,
    Y: Table | None = None,
    method: AnyMethodName = "tau_b",
    decreasing: bool | np.bool_ = True,
    n_jobs: int | None = None,
    *,
    p: float | None = None,
    ties: Ties | None = None,
    epsilon: float | None = None,
    nan_policy: NanPolicy = "raise",
) -> Floats | pandas.DataFrame:
    """Compute the coefficients between all columns of a table, or of two tables, as R's `cor` does.

    Parameters
    ----------
    X : 2-D array or DataFrame
        Items by rankings: each column ranks the same items.
    Y : 2-D array or DataFrame, optional
        Other rankings of the same items, to compare with those of X.  Rows are matched by position, as in R.  By
        default, the columns of X are compared with each other.
    method : {"tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b", "tau_eq", "acc_eq", "rbo"}
        The coefficient; "rbo" is rank-biased overlap, from 0 to 1: its score "ext", which is also its "max", because
        all rankings have all items (`ircor.overlap.rbo_scores`).
    decreasing : bool
        Whether the item with the greatest value is at the top; it matters to AP correlation and overlap only.
    n_jobs : int, optional
        The number of jobs for joblib, -1 for all processors.  By default one, or as joblib is configured.
    p : float, optional
        For "rbo", which needs it: the persistence, between 0 and 1.  `ircor.overlap.p_for_weight` finds it.
    ties : {"w", "a", "b"}, optional
        For "rbo": the treatment of ties, as for `ircor.overlap.rbo`; by default "a".
    epsilon : float, optional
        For "tau_eq" and "acc_eq": the greatest distance of two values of y that are tied; by default 0.
    nan_policy : {"raise", "omit", "propagate"}
        If a value is missing: "raise" an error; "omit" the item in the pairs of columns of which one has no value for
        it, as pandas' `DataFrame.corr` and R's "pairwise.complete.obs" do; or "propagate" it: all pairs with this
        column are nan, as with R's "everything".

    Returns
    -------
    numpy.ndarray or pandas.DataFrame
        The coefficient with x = column i of X and y = column j of Y at (i, j).  A DataFrame with the names of the
        columns if X or Y has names.  It is nan where the function for two vectors returns nan, and for two columns that
        have fewer than two items left.

    Raises
    ------
    TypeError, ValueError
        Where the function for two vectors refuses a column; the message names the column.  If a value is missing and
        `nan_policy` is "raise"; the message names the column and the row, counted from 1.  If p is missing for "rbo",
        or p or `ties` is given for another coefficient.

    Warns
    -----
    RoundingWarning
        If a column has values that differ by no more than 2^-40 of its largest magnitude.  They are ties here, as means
        of scores are everywhere, because a mean is not exact: 0.254 and 0.2539999999999999 are one mean.  To compare
        exactly, call the function of two vectors, or give ranks.  Columns of more than 100,000 items, of which some are
        as close by chance, are compared exactly.
    PairingWarning
        Where the function for two vectors warns.  The labels of a row are those in the index of a DataFrame.  Polars
        and Arrow tables have no index: there, two columns of the same name label the rows if it is a usual name for
        topics, systems or documents, such as "qid", "run" or "docno".

    Examples
    --------
    >>> import pandas as pd
    >>> AP, P10, RR = [0.3, 0.2, 0.4, 0.1], [0.5, 0.5, 0.6, 0.1], [1.0, 0.5, 0.2, 0.1]
    >>> scores = pd.DataFrame({"AP": AP, "P10": P10, "RR": RR})
    >>> cor(scores, method="tau_b").round(3)
            AP    P10     RR
    AP   1.000  0.913  0.333
    P10  0.913  1.000  0.183
    RR   0.333  0.183  1.000
    >>> cor(scores, method="rbo", p=0.9).round(3)
            AP    P10     RR
    AP   1.000  0.978  0.855
    P10  0.978  0.978  0.855
    RR   0.855  0.855  1.000

    With ties "a", the average over all orders of tied items, the overlap of P10 with itself is not 1; with "w" and "b"
    it is.
    """
    table, rounded = cor_and_rounding(
        X, Y, method, decreasing, n_jobs, p=p, ties=ties, epsilon=epsilon, nan_policy=nan_policy
    )
    if rounded:
        warnings.warn(f"{ties_by_rounding(rounded.names, rounded.pairs)}. {EXACTLY}", RoundingWarning, stacklevel=2)
    return table


EXACTLY = "To compare exactly, call the function of two vectors, such as tau_b(x, y), or give ranks."


def cor_and_rounding(
    X: Table,
    Y: Table | None,
    method: object,
    decreasing: object,
    n_jobs: int | None,
    *,
    p: object,
    ties: object,
    epsilon: object = None,
    nan_policy: object,
) -> tuple[Any, RoundedColumns | None]:
    """What `cor` returns, and the columns whose values were tied, for a warning or a note."""
    coefficient, top_down = any_method_of(method, p, ties, epsilon=epsilon), flag(decreasing, "decreasing")
    policy = NAN_POLICY.checked(nan_policy)
    left = TableColumns.of(X, "X")
    right = left if Y is None else TableColumns.of(Y, "Y")
    refuse_lengths(left, right)
    given = left.values if Y is None else left.values + right.values
    ranked = in_parallel(partial(rank, top_down), given, n_jobs, False)
    rankings = [ranking for ranking, _, _ in ranked]
    x = rankings[: len(left.values)]
    y = x if Y is None else rankings[len(left.values) :]
    rounded = None
    if any(tied for _, _, tied in ranked):
        left, right, rounded = with_ties(left, right, ranked)
    sides = (left, x), (right, y)
    gaps = any(ranking.missing for ranking in rankings)
    if gaps and policy == "raise":
        refuse_missing(left, x)
        refuse_missing(right, y)
    half = coefficient.symmetric and Y is None
    try:
        refuse_columns(coefficient, *sides)
        if Y is not None:
            warn_of_rows(without_arrow(X), without_arrow(Y))
        if threshold_of(coefficient):
            table = coefficients_within(coefficient, left, right, policy == "omit", n_jobs)
        elif gaps:
            table = complete_coefficients(coefficient, x, y, n_jobs, half=half)
            if policy == "omit":
                fill_pairwise(table, coefficient, top_down, *sides, n_jobs)
        else:
            table = column_coefficients(coefficient, x, y, n_jobs, half=half)
    except TiesError as error:
        if rounded is None:
            raise
        raise TiesError(None, (*error.parts, f" {ties_by_rounding(rounded.names, rounded.pairs)}.")) from None
    if not (hasattr(X, "columns") or hasattr(Y, "columns")):
        return table, rounded
    DataFrame = extra("pandas", "a table with names").DataFrame

    return DataFrame(table, index=left.labels, columns=right.labels), rounded


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table, each as a numeric vector of its own type."""

    argument: str
    labels: Any
    values: list[Array]
    index: Any
    """The labels of the rows in pandas, or None."""

    @classmethod
    def of(cls, table: Any, argument: str) -> TableColumns:
        """Split a table into its columns; refuse an object that is no table of numbers."""
        labels: Any
        parts: list[Any]
        index = None if type(table) is np.ndarray else pandas_index(table)
        table = without_arrow(table)
        if hasattr(table, "iloc") and hasattr(table, "columns"):  # pandas
            labels = table.columns
            parts = [table.iloc[:, k] for k in range(len(labels))]
        elif hasattr(table, "get_columns"):  # Polars
            labels, parts = table.columns, table.get_columns()
        elif isinstance(table, (list, tuple)) and table and all(isinstance(row, (list, tuple)) for row in table):
            if len({len(row) for row in table}) > 1:
                raise InvalidTypeError(argument, "must be a table, but its rows differ in length")
            labels, parts = range(len(table[0])), list(zip(*table))
        else:
            # np.asarray would drop the mask of a masked array.
            array = table if isinstance(table, np.ndarray) else np.asarray(table)
            if array.ndim == 1:
                raise InvalidTypeError(
                    argument,
                    "must be a table, items by rankings, not a vector; for two vectors use tau_b(x, y) "
                    "and the like, or overlap.rbo_scores(x, y, p)",
                )
            if array.ndim != 2:
                raise InvalidTypeError(
                    argument, f"must be a table, items by rankings, but it has {array.ndim} dimensions"
                )
            labels, parts = range(array.shape[1]), list(array.T)
        values = [numeric_vector(part, column_name(argument, labels, k)) for k, part in enumerate(parts)]
        return cls(argument, labels, values, index)

    def name(self, k: int) -> str:
        """The name of a column in messages."""
        return column_name(self.argument, self.labels, k)

    def ranked(self, columns: list[int], kept: npt.NDArray[np.bool_], decreasing: bool, untied: bool) -> list[Ranking]:
        """The rankings of some columns by some of their items; ties are refused if they must be `untied`."""
        rankings = []
        for k in columns:
            values = self.values[k][kept]
            rankings.append(Ranking(values, decreasing))
            if untied:
                refuse_ties(rankings[-1], values, self.name(k))
        return rankings


def column_name(argument: str, labels: Any, k: int) -> str:
    return f"column {k} of {argument}" if isinstance(labels, range) else str(labels[k])


def refuse_lengths(left: TableColumns, right: TableColumns) -> None:
    """Raise if the tables differ in the number of items, or have fewer than two."""
    lengths = {columns.argument: len(columns.values[0]) for columns in (left, right) if columns.values}
    if len(set(lengths.values())) > 1:
        raise InvalidValueError(("X", "Y"), f"must have the same items: they have {lengths['X']} and {lengths['Y']}")
    for argument, length in lengths.items():
        if length < LEAST_ITEMS:
            raise InvalidValueError(argument, f"must have two items or more, not {length}")


def refuse_missing(columns: TableColumns, rankings: list[Ranking]) -> None:
    """Raise if a column has a missing value, with the first row that has one."""
    for k, ranking in enumerate(rankings):
        if ranking.missing:
            row = int(np.isnan(columns.values[k]).argmax())
            raise missing_value(columns.name(k), row_in_words(row, columns.index))


def refuse_columns(method: Method, *sides: tuple[TableColumns, list[Ranking]]) -> None:
    """Raise as the function for two vectors would, with the name of the column; columns with missing values are left
    out, and so are those that are compared with such columns only.
    """
    if not method.untied or any(rankings and all(ranking.missing for ranking in rankings) for _, rankings in sides):
        return
    for argument, (columns, rankings) in zip("xy", sides):
        for k, ranking in enumerate(rankings):
            if argument in method.untied and not ranking.missing:
                refuse_ties(ranking, columns.values[k], columns.name(k))


def warn_of_rows(X: Any, Y: Any) -> None:
    """Warn once if the index of two tables, or columns that identify the rows, are in another order."""
    if warn_of_pairing(X, Y, ("X", "Y"), stacklevel=4):
        return
    common = [name for name in getattr(X, "columns", ()) if name in getattr(Y, "columns", ())]
    for name in common:
        if role_of(name) in ("topic", "system", "document") and mispaired(list(X[name]), list(Y[name]), ("X", "Y")):
            why = f"the column {name!r} has another order in 'X' than in 'Y', and rows are paired by position"
            warnings.warn(f"{why}: sort both tables by {name!r}", PairingWarning, stacklevel=4)
            return


def complete_coefficients(
    method: Method, x: list[Ranking], y: list[Ranking], n_jobs: int | None, *, half: bool
) -> Floats:
    """The coefficient of every x with every y; nan if one of them has missing values."""
    table = np.full((len(x), len(y)), nan)
    rows, columns = ([k for k, ranking in enumerate(side) if not ranking.missing] for side in (x, y))
    complete = [x[k] for k in rows], [y[k] for k in columns]
    table[np.ix_(rows, columns)] = column_coefficients(method, *complete, n_jobs, half=half)
    return table


def coefficients_within(
    method: Method, left: TableColumns, right: TableColumns, omit: bool, n_jobs: int | None
) -> Floats:
    """The coefficient of every x with every y at a threshold of ties, for which the rankings are not enough.

    Items that one of the two misses are left out if `omit`, and else make it nan.
    """
    rows = in_parallel(partial(row_within, method, right.values, omit), left.values, n_jobs, None)
    return np.array(rows, dtype=np.float64).reshape(len(left.values), len(right.values))


def row_within(method: Method, columns: list[Array], omit: bool, x: Array) -> list[float]:
    row = []
    for y in columns:
        kept = ~(np.isnan(x) | np.isnan(y))
        compared = kept.all() or (omit and np.count_nonzero(kept) >= LEAST_ITEMS)
        row.append(method(x[kept], y[kept], stacklevel=None) if compared else nan)
    return row


Gaps: TypeAlias = "npt.NDArray[np.bool_] | None"
"""Which items are missing; None if none is."""


@dataclass(frozen=True)
class PairwiseBlock:
    """The numbers of some columns of each table; those of a table miss the same items, `gaps`."""

    rows: list[int]
    columns: list[int]
    gaps: tuple[Gaps, Gaps]

    def coefficients(self, method: Method, decreasing: bool, left: TableColumns, right: TableColumns) -> Floats:
        """The coefficients of all pairs over the items that both columns have."""
        one, other = (False if gaps is None else gaps for gaps in self.gaps)
        kept = ~np.logical_or(one, other)
        if np.count_nonzero(kept) < LEAST_ITEMS:
            return np.full((len(self.rows), len(self.columns)), nan)
        same = left is right and self.rows == self.columns
        x = left.ranked(self.rows, kept, decreasing, "x" in method.untied or (same and "y" in method.untied))
        y = x if same else right.ranked(self.columns, kept, decreasing, "y" in method.untied)
        return task_coefficients(method, (x, y, same and method.symmetric))


def columns_by_gaps(columns: TableColumns, rankings: list[Ranking]) -> ColumnsByGaps:
    """The numbers of the columns that miss the same items, and which items these are."""
    found: dict[bytes, tuple[Gaps, list[int]]] = {}
    for k, ranking in enumerate(rankings):
        gaps = np.isnan(columns.values[k]) if ranking.missing else None
        key = b"" if gaps is None else np.packbits(gaps).tobytes()
        found.setdefault(key, (gaps, []))[1].append(k)
    return list(found.values())


ColumnsByGaps: TypeAlias = "list[tuple[Gaps, list[int]]]"
"""The numbers of the columns that miss the same items, and which items these are."""

PairsTask: TypeAlias = "tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]"
"""The numbers of the columns of each pair."""


def pairwise_blocks(
    left: ColumnsByGaps, right: ColumnsByGaps, items: int, half: bool, least: int
) -> list[PairwiseBlock]:
    """The pairs of columns of which one has missing values, if at least so many of each side miss the same items.

    If `half`, each pair comes once.
    """
    blocks = []
    for i, (gaps, rows) in enumerate(left):
        for j, (other_gaps, columns) in enumerate(right):
            complete = gaps is None and other_gaps is None
            if complete or (half and j < i) or min(len(rows), len(columns)) < least:
                continue
            pairs = max(PAIRS_TOGETHER, pairs_per_task(items))
            for here, there in square_blocks(len(rows), len(columns), pairs, half and i == j):
                blocks.append(PairwiseBlock(rows[here], columns[there], (gaps, other_gaps)))
    return blocks


def single_pairs(left: ColumnsByGaps, right: ColumnsByGaps, half: bool, least: int) -> PairsTask:
    """The other pairs of columns of which one has missing values."""
    sides = []
    for groups in (left, right):
        few, gaps = np.empty((2, sum(len(columns) for _, columns in groups)), dtype=bool)
        for missing, columns in groups:
            few[columns], gaps[columns] = len(columns) < least, missing is not None
        sides.append((few, gaps))
    (one, gaps_of_one), (other, gaps_of_other) = sides
    single = np.logical_or.outer(one, other)
    single &= np.logical_or.outer(gaps_of_one, gaps_of_other)
    found = np.nonzero(np.triu(single) if half else single)
    return found[0], found[1]


def fill_pairwise(
    table: Floats,
    method: Method,
    decreasing: bool,
    left: tuple[TableColumns, list[Ranking]],
    right: tuple[TableColumns, list[Ranking]],
    n_jobs: int | None,
) -> None:
    """Put the coefficients of pairs of columns of which one has missing values, over the items that both have.

    Columns that miss the same items are ranked together, if there are some or they are long.
    """
    half = method.symmetric and left[0] is right[0]
    items = (left[1] or right[1])[0].n
    groups = columns_by_gaps(*left), columns_by_gaps(*right)
    wide = any(values.dtype.itemsize > 8 for side in (left, right) for values in side[0].values)
    least = 1 if wide or items > LARGEST_IN_BATCH else LEAST_TOGETHER
    blocks = pairwise_blocks(*groups, items, half, least)
    tasks = [blocks[part] for part in slices(len(blocks), 2 * items)]
    compute = partial(task_blocks, method, decreasing, left[0], right[0])
    for task, values in zip(tasks, in_parallel(compute, tasks, n_jobs, False)):
        for block, coefficients in zip(task, values):
            table[np.ix_(block.rows, block.columns)] = coefficients
            if half:
                table[np.ix_(block.columns, block.rows)] = coefficients.T
    rows, columns = single_pairs(*groups, half, least)
    if len(rows):
        pairs = [(rows[part], columns[part]) for part in slices(len(rows), 2 * items)]
        x = np.array([doubles(values) for values in left[0].values])
        y = x if left[0] is right[0] else np.array([doubles(values) for values in right[0].values])
        compute_pairs = partial(task_pairs, method, decreasing, left[0], right[0], x, y)
        for (i, j), coefficient in zip(pairs, in_parallel(compute_pairs, pairs, n_jobs, False)):
            table[i, j] = coefficient
            if half:
                table[j, i] = coefficient


def task_pairs(
    method: Method, decreasing: bool, left: TableColumns, right: TableColumns, x: Floats, y: Floats, task: PairsTask
) -> Floats:
    """The coefficients of pairs of columns over the items that both have."""
    rows, columns = task
    one, other = x[rows], y[columns]
    kept = ~(np.isnan(one) | np.isnan(other))
    done = groups_done(
        method, decreasing, LEAST_ITEMS, (one[kept], other[kept], np.cumsum(np.count_nonzero(kept, axis=1)))
    )
    for k in np.flatnonzero(done.doubtful).tolist():
        left.ranked([int(rows[k])], kept[k], decreasing, "x" in method.untied)
        right.ranked([int(columns[k])], kept[k], decreasing, "y" in method.untied)
    return done.values


def task_blocks(
    method: Method, decreasing: bool, left: TableColumns, right: TableColumns, task: list[PairwiseBlock]
) -> list[Floats]:
    return [block.coefficients(method, decreasing, left, right) for block in task]


def column_coefficients(
    method: Method, x: list[Ranking], y: list[Ranking], n_jobs: int | None, *, half: bool
) -> Floats:
    """The coefficient of every x with every y; if `half`, only the upper triangle is computed and then mirrored."""
    if not (x and y):
        return np.empty((len(x), len(y)))
    # A task is a square of the table: with few rankings, it has many pairs.
    compute = partial(in_parallel, partial(task_coefficients, method), n_jobs=n_jobs, progress=None)
    return in_squares(x, y, pairs_per_task(x[0].n), half, compute)


SquareTask: TypeAlias = "tuple[list[Ranking], list[Ranking], bool]"
"""Some rankings x and some y, and whether they are the same."""


def in_squares(
    x: list[Ranking], y: list[Ranking], pairs: int, half: bool, compute: Callable[[list[SquareTask]], Iterable[Floats]]
) -> Floats:
    """The table of x and y, computed in squares of so many pairs; if `half`, the upper triangle is mirrored."""
    table = np.empty((len(x), len(y)))
    parts = square_blocks(len(x), len(y), pairs, half)
    tasks = [(x[rows], y[columns], half and rows == columns) for rows, columns in parts]
    for (rows, columns), values in zip(parts, compute(tasks)):
        table[rows, columns] = values
        if half:
            table[columns, rows] = values.T
    return table


class Ranked(NamedTuple):
    """The ranking of a column.

    If some of its values differ by rounding only, it is that of `values` in which they are equal, and there are so many
    more pairs of `tied` items.
    """

    ranking: Ranking
    values: Array | None = None
    tied: int = 0


def rank(decreasing: bool, values: Array) -> Ranked:
    ranking = Ranking(values, decreasing)
    equal, tied = tied_by_rounding(ranking, values)
    return Ranked(Ranking(equal, decreasing), equal, tied) if tied else Ranked(ranking)


def with_ties(
    left: TableColumns, right: TableColumns, ranked: list[Ranked]
) -> tuple[TableColumns, TableColumns, RoundedColumns]:
    """The columns with equal values where they differ by rounding only, and which these are."""
    sides, names, start = [], [], 0
    for columns in (left,) if left is right else (left, right):
        own = ranked[start : start + len(columns.values)]
        values = [given if one.values is None else one.values for given, one in zip(columns.values, own)]
        sides.append(replace(columns, values=values))
        names += [columns.name(k) for k, one in enumerate(own) if one.tied]
        start += len(own)
    rounded = RoundedColumns(tuple(dict.fromkeys(names)), sum(one.tied for one in ranked))
    return sides[0], sides[-1], rounded


def task_coefficients(method: Method, task: SquareTask) -> Floats:
    """The coefficient of every x with every y of a task."""
    x, y, half = task
    pairs = max(PAIRS_AT_ONCE, PAIRS_FOR_EACH_ITEM * x[0].n)
    return in_squares(x, y, pairs, half, lambda tasks: (square(method, *one) for one in tasks))


def square(method: Method, x: list[Ranking], y: list[Ranking], half: bool) -> Floats:
    """The same for few pairs, in one call of the kernel."""
    values: Floats = method.formula(totals_of_columns(x, x if half else y, method.sums, half))
    if not half:
        return values.reshape(len(x), len(y))
    table, start = np.empty((len(x), len(x))), 0
    for i in range(len(x)):
        row = values[start : start + len(x) - i]
        table[i, i:] = table[i:, i] = row
        start += len(row)
    return table
