"""Many rankings at once: all columns of a table, all groups of rows, all resamples, all permutations.

Each ranking is made once, and all counting of one call is done in the compiled kernel.  What is split among processors
goes through joblib, so that its backends carry it to other machines; the numbers are the same whoever computes them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import factorial, isnan, nan
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ._check import (
    MissingValueWarning,
    as_flag,
    as_number,
    not_ranked,
    numeric_vector,
    ranked_last,
    rankings,
    refuse_ties,
    whole_number,
)
from ._dominance import (
    Dominance,
    Ranking,
    Totals,
    gather_groups,
    totals_of_groups,
    totals_of_pairs,
    totals_of_permutations,
    totals_of_resamples,
)
from ._scores import Scores
from ._tau import kendall, kendall_b, tau, tau_a, tau_b
from ._tau_ap import ap, ap_a, ap_b, tauAP, tauAP_a, tauAP_b
from ._watch import Progress, in_parallel, random_blocks

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Alternative = Literal["two-sided", "greater", "less"]

# Items whose pairs or groups make one task, and one call of the kernel: long enough to be worth sending.
TASK = 2_000_000

# Groups of more items are ranked one by one, which costs nothing beside the ranking.
LARGEST_IN_BATCH = 4096


@dataclass(frozen=True)
class Method:
    """A coefficient: its formula, which of its arguments must not have ties, and whether they can be exchanged."""

    single: Callable[..., float]
    formula: Callable[[Any], Any]
    untied: str
    symmetric: bool

    @property
    def name(self) -> str:
        return self.single.__name__


METHODS = {
    method.name: method
    for method in (
        Method(tau, kendall, "xy", True),
        Method(tau_a, kendall, "x", False),
        Method(tau_b, kendall_b, "", True),
        Method(tauAP, ap, "xy", False),
        Method(tauAP_a, ap_a, "x", False),
        Method(tauAP_b, ap_b, "", True),
    )
}


def method_of(name: object, argument: str = "method") -> Method:
    if not isinstance(name, str) or name not in METHODS:
        raise ValueError(f"'{argument}' must be one of {', '.join(METHODS)}, not {name!r}")
    return METHODS[name]


def flag_of(decreasing: object) -> bool:
    flag = as_flag(decreasing)
    if flag is None:
        raise TypeError(f"'decreasing' must be True or False, not {decreasing!r}")
    return flag


class Side:
    """What `Ranking` says, for many pairs of rankings: the one of each."""

    def __init__(self, n: Any, integers: Any, within: Any) -> None:
        self.n = n
        self.missing, self.tied_pairs, self.top, self.near_ties = integers
        self.total_pairs = n * (n - 1) // 2
        self.within = within

    def c_within(self) -> Any:
        return self.within


class Dominances:
    """What `Dominance` says, for many pairs of rankings."""

    def __init__(self, totals: Totals) -> None:
        n, self.concordant, self.tied_pairs = totals.integers[:3]
        self.above_in_x, self.above_in_y, self.above_permuted, within = totals.sums
        self.x, self.y = Side(n, totals.integers[3:7], None), Side(n, totals.integers[7:], within)

    @property
    def discordant(self) -> Any:
        return self.x.total_pairs - self.x.tied_pairs - self.y.tied_pairs + self.tied_pairs - self.concordant

    def c_above_in_x(self) -> Any:
        return self.above_in_x

    def c_above_in_y(self) -> Any:
        return self.above_in_y

    def c_above_in_y_permuted(self) -> Any:
        return self.above_permuted


def coefficients(method: Method, totals: Totals) -> Array:
    values: Array = method.formula(Dominances(totals))
    return values


# All columns of a table


def cor(X: Any, Y: Any = None, method: str = "tau_b", decreasing: bool = True, n_jobs: int | None = None) -> Any:
    """All coefficients between the columns of a table, or of two, after R's `cor`.

    Parameters
    ----------
    X : 2-D array or DataFrame
        Items by rankings: each column ranks the same items.
    Y : 2-D array or DataFrame, optional
        More rankings of the same items, to compare those of X with; without it, those of X are compared with each
        other.  Rows are matched by position.
    method : {"tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b"}
        The coefficient.
    decreasing : bool
        Whether the item with the greatest value stands on top, which makes a difference to AP correlation only.
    n_jobs : int, optional
        The number of jobs for joblib, -1 for all processors; by default one, or what joblib was configured for.

    Returns
    -------
    numpy.ndarray or pandas.DataFrame
        At (i, j), the coefficient with x = column i of X and y = column j of Y.  A DataFrame, with the names of the
        columns, if X or Y is one.

    Raises
    ------
    TypeError, ValueError
        Where the single function refuses a column, with the name of the column.

    Warns
    -----
    MissingValueWarning
        Where the single function does.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"AP": [0.3, 0.2, 0.4, 0.1], "P10": [0.5, 0.5, 0.6, 0.1], "RR": [1.0, 0.5, 0.2, 0.1]})
    >>> cor(scores, method="tau_b").round(3)
            AP    P10     RR
    AP   1.000  0.913  0.333
    P10  0.913  1.000  0.183
    RR   0.333  0.183  1.000
    """
    chosen, flag = method_of(method), flag_of(decreasing)
    x_names, x_values = columns_of(X, "X")
    y_names, y_values = (x_names, x_values) if Y is None else columns_of(Y, "Y")
    if x_values and y_values and len(x_values[0]) != len(y_values[0]):
        raise ValueError(f"'X' and 'Y' must have the same items: they have {len(x_values[0])} and {len(y_values[0])}")
    for name, values in (("X", x_values), ("Y", y_values)):
        if values and len(values[0]) < 2:
            raise ValueError(f"'{name}' must have two items or more, not {len(values[0])}")
    ranked = in_parallel(partial(rank, flag), x_values + (y_values if Y is not None else []), n_jobs, False)
    x = ranked[: len(x_values)]
    y = x if Y is None else ranked[len(x_values) :]
    refuse_columns(chosen, (x_names, x_values, x), (y_names, y_values, y))
    half = chosen.symmetric and Y is None
    table = np.full((len(x), len(y)), nan)
    if table.size:
        i, j = np.triu_indices(len(x)) if half else np.indices(table.shape).reshape(2, -1)
        size = max(1, TASK // len(x_values[0]))
        tasks = [pairs_task(x, y, i[k : k + size], j[k : k + size]) for k in range(0, len(i), size)]
        table[i, j] = np.concatenate(in_parallel(partial(pairs_done, chosen.name), tasks, n_jobs, None))
        if half:
            table[j, i] = table[i, j]
    if chosen.name == "tau_a":
        table[:, [ranking.missing > 0 for ranking in y]] = nan
    if not (hasattr(X, "columns") or hasattr(Y, "columns")):
        return table
    from pandas import DataFrame

    return DataFrame(table, index=x_names, columns=y_names)


def columns_of(table: Any, name: str) -> tuple[Any, list[npt.NDArray[Any]]]:
    """The names and the values of the columns, each as a numeric vector of its own type."""
    names: Any
    parts: list[Any]
    if hasattr(table, "column_names") and hasattr(table, "to_pandas"):  # Arrow
        table = table.to_pandas()
    if hasattr(table, "iloc") and hasattr(table, "columns"):  # pandas
        names = table.columns
        parts = [table.iloc[:, k] for k in range(len(names))]
    elif hasattr(table, "get_columns"):  # Polars
        names, parts = table.columns, table.get_columns()
    elif isinstance(table, (list, tuple)) and table and all(isinstance(row, (list, tuple)) for row in table):
        if len({len(row) for row in table}) > 1:
            raise TypeError(f"'{name}' must be a table, and its rows differ in length")
        names, parts = range(len(table[0])), list(zip(*table))
    else:
        array = table if isinstance(table, np.ndarray) else np.asarray(table)
        if array.ndim != 2:
            raise TypeError(f"'{name}' must be a table, items by rankings, and it has {array.ndim} dimensions")
        names, parts = range(array.shape[1]), list(array.T)
    return names, [numeric_vector(part, label(name, k, names)) for k, part in enumerate(parts)]


def label(table: str, k: int, names: Any) -> str:
    return f"column {k} of {table}" if isinstance(names, range) else str(names[k])


def rank(decreasing: bool, values: npt.NDArray[Any]) -> Ranking:
    return Ranking(values, decreasing)


def refuse_columns(method: Method, *sides: tuple[Any, list[npt.NDArray[Any]], list[Ranking]]) -> None:
    """Raise or warn where the single function would, with the name of the column."""
    missing: dict[str, int] = {}
    for argument, (names, values, ranked) in zip("xy", sides):
        for k, ranking in enumerate(ranked):
            name = label(argument.upper(), k, names)
            if argument in method.untied:
                refuse_ties(ranking, values[k], name)
            elif ranking.missing and method.name == "tau_b":
                raise not_ranked(name)
            elif ranking.missing and method.name != "tau_a":
                missing[name] = max(missing.get(name, 0), ranking.missing)
    if missing:
        warnings.warn(ranked_last(missing), MissingValueWarning, stacklevel=3)


def pairs_task(
    x: list[Ranking], y: list[Ranking], i: npt.NDArray[Any], j: npt.NDArray[Any]
) -> tuple[list[Ranking], list[Ranking], npt.NDArray[np.intp]]:
    """What one job needs to know: these pairs, and of the rankings only theirs."""
    (xs, i), (ys, j) = (np.unique(side, return_inverse=True) for side in (i, j))
    return [x[k] for k in xs], [y[k] for k in ys], np.stack([i, j], axis=1).astype(np.intp)


def pairs_done(method: str, task: tuple[list[Ranking], list[Ranking], npt.NDArray[np.intp]]) -> Array:
    return coefficients(METHODS[method], totals_of_pairs(*task, method))


# All groups of rows


def cor_by(
    groups: Any,
    x: Any,
    y: Any,
    method: str = "tau_b",
    decreasing: bool = True,
    min_items: int = 2,
    n_jobs: int | None = None,
    *,
    data: Any = None,
) -> Any:
    """One coefficient for each group of rows: for each query, topic or user.

    Parameters
    ----------
    groups : array, Series or str
        The group of each row: strings, integers or whatever can be hashed, sorted or not.
    x, y : numeric vector or str
        The two scores of each row.  Rows are matched by position, not by the index of a Series.
    method, decreasing
        As for `cor`.
    min_items : int
        Groups with fewer rows get nan; 2 or more.
    n_jobs : int, optional
        As for `cor`.
    data : pandas.DataFrame, optional
        The table of which `groups`, `x` and `y` are the names of columns.

    Returns
    -------
    pandas.Series
        Indexed by group, in sorted order.  Its `attrs` say how many "groups" there are, and how many of them
        have "too_few_items"; nan else means what it means for the single function.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, or `min_items` not a whole number.
    ValueError
        If the three differ in length, a group is missing, or the single function refuses a group, with its name.

    Warns
    -----
    MissingValueWarning
        Where the single function does; once, with the number of all missing values.

    Examples
    --------
    >>> cor_by(["q1", "q1", "q1", "q2", "q2", "q3"], [1, 2, 3, 1, 2, 1], [1, 3, 2, 2, 1, 1], method="tau")
    q1    0.333333
    q2   -1.000000
    q3         NaN
    dtype: float64
    """
    import pandas as pd

    chosen, flag = method_of(method), flag_of(decreasing)
    # No group has more items than that.
    least = min(whole_number(min_items, "min_items", least=2), 2**62)
    if data is not None:
        for name in (groups, x, y):
            if not hasattr(data, "columns") or not isinstance(name, Hashable) or name not in data.columns:
                raise ValueError(
                    f"'data' must be a table with the columns 'groups', 'x' and 'y' name, and has no {name!r}"
                )
        groups, x, y = (data[name] for name in (groups, x, y))
    given = numeric_vector(x, "x"), numeric_vector(y, "y")
    groups = group_keys(groups)
    if not len(groups) == len(given[0]) == len(given[1]):
        lengths = f"{len(groups)}, {len(given[0])} and {len(given[1])}"
        raise ValueError(f"'groups', 'x' and 'y' must be of the same length: they have {lengths} items")
    keys, codes, (x_values, y_values), ends = side_by_side(groups, *map(doubles, given))

    # Jobs of about TASK rows, which begin and end with a group.
    cuts = np.unique(np.searchsorted(ends, np.arange(TASK, len(x_values) + TASK, TASK)) + 1).clip(max=len(ends))
    tasks = []
    for first, last in zip([0, *cuts[:-1]], cuts):
        start, end = ends[first - 1] if first else 0, ends[last - 1]
        tasks.append((x_values[start:end], y_values[start:end], ends[first:last] - start))
    done = in_parallel(partial(groups_done, chosen.name, flag, least), tasks, n_jobs, None)
    values = np.concatenate([part.values for part in done]) if done else np.empty(0)
    sizes = np.diff(ends, prepend=0)
    doubtful = [k + first for part, first in zip(done, [0, *cuts[:-1]]) for k in part.doubtful]
    if chosen.untied and any(values.dtype.itemsize > 8 for values in given):
        # As doubles, they may not show what R would print alike.
        doubtful = np.flatnonzero(sizes >= least).tolist()
    for k in doubtful:
        rows = slice(ends[k] - sizes[k], ends[k]) if codes is None else np.flatnonzero(codes == k)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", MissingValueWarning)
                chosen.single(*(values[rows] for values in given))
        except ValueError as error:
            key = keys[k].item() if isinstance(keys[k], np.generic) else keys[k]
            raise ValueError(f"group {key!r}: {error}") from None
    missing = {name: sum(part.missing[k] for part in done) for k, name in enumerate("xy")}
    if chosen.name in ("tauAP_a", "tauAP_b") and any(missing.values()):
        warnings.warn(ranked_last(missing, " in their groups"), MissingValueWarning, stacklevel=2)
    result = pd.Series(values, index=pd.Index(keys, name=getattr(groups, "name", None)))
    if not result.index.is_monotonic_increasing:
        # Keys of several types have no order but that of the rows.
        with suppress(TypeError):
            result = result.sort_index()
    result.attrs.update(groups=len(ends), too_few_items=int((sizes < least).sum()))
    return result


def doubles(values: npt.NDArray[Any]) -> Array:
    """Doubles in the same order and with the same ties; the values themselves where they are doubles, or can be."""
    kind = values.dtype.kind
    if values.dtype.itemsize > 8 or (
        kind != "f" and values.size and abs(float(values.max())) + abs(float(values.min())) > 2**53
    ):
        codes = np.unique(values, return_inverse=True)[1]
        values = np.where(np.isnan(values), nan, codes) if kind == "f" else codes
    return np.ascontiguousarray(values, dtype=np.float64)


def group_keys(groups: Any) -> Any:
    """The groups as an array or a Series; what is masked is missing."""
    import pandas as pd

    if isinstance(groups, (str, bytes)) or not hasattr(groups, "__len__"):
        raise TypeError(f"'groups' must have a group for each row, not be {groups!r}; columns by name need 'data'")
    plain = isinstance(groups, (np.ndarray, pd.Series, pd.Index)) and not isinstance(groups, np.ma.MaskedArray)
    if getattr(groups, "ndim", 1) != 1:
        raise TypeError(f"'groups' must have one dimension, not {groups.ndim}")
    keys = groups if plain else pd.Series(groups)
    return keys.astype(np.float32) if getattr(keys, "dtype", None) == np.float16 else keys


def side_by_side(
    keys: Any, x: Array, y: Array
) -> tuple[Any, npt.NDArray[np.intp] | None, tuple[Array, Array], npt.NDArray[np.intp]]:
    """The names of the groups, the number of each row's group, and x and y in order of groups, up to the end of each.

    Groups that are side by side already stay where they are, and their rows have no numbers.
    """
    import pandas as pd

    if isinstance(keys.dtype, np.dtype) and keys.dtype.kind in "biuSUMm" and len(keys):
        array = np.asarray(keys)
        ends = np.append(np.flatnonzero(array[1:] != array[:-1]) + 1, len(array))
        if len(ends) <= len(array) // 2 + 1:
            runs = pd.Index(array[ends - 1])
            if runs.is_unique and not runs.hasnans:
                return runs, None, (x, y), ends
        del array, ends
    codes, found = pd.factorize(keys)
    if len(codes) and codes.min() < 0:
        raise ValueError(f"the group of row {int(codes.argmin()) + 1} is missing")
    codes = codes.astype(np.intp, copy=False)
    x, y, ends = gather_groups(codes, len(found), x, y)
    return pd.Index(found), codes, (x, y), ends


@dataclass(frozen=True)
class GroupsDone:
    """Coefficients of some groups; those that the single function might refuse; missing values in x and in y."""

    values: Array
    doubtful: list[int]
    missing: tuple[int, int]


def groups_done(
    name: str, decreasing: bool, min_items: int, task: tuple[Array, Array, npt.NDArray[np.intp]]
) -> GroupsDone:
    x, y, ends = task
    method = METHODS[name]
    sizes = np.diff(ends, prepend=0)
    totals = totals_of_groups(x, y, ends, decreasing, min_items, LARGEST_IN_BATCH, name)
    for k in np.flatnonzero(sizes > max(LARGEST_IN_BATCH, min_items - 1)):
        rows = slice(ends[k] - sizes[k], ends[k])
        ranked = Dominance(Ranking(x[rows], decreasing), Ranking(y[rows], decreasing))
        totals.put(int(k), ranked)
        for row, ranking, own in ((6, ranked.x, x[rows]), (10, ranked.y, y[rows])):
            in_order = own[ranking.items()]
            step = np.abs(np.diff(in_order))
            totals.integers[row, k] = ((step > 0) & (step <= 1e-13 * np.abs(in_order[1:]))).sum()
    d = Dominances(totals)
    with np.errstate(invalid="ignore", divide="ignore"):
        values: Array = np.where(sizes < min_items, nan, method.formula(d))
    doubtful = np.zeros(len(ends), dtype=bool)
    for argument, side in (("x", d.x), ("y", d.y)):
        if argument in method.untied:
            doubtful |= (side.tied_pairs > 0) | (side.missing > 0) | (side.near_ties > 0)
        elif name == "tau_b":
            doubtful |= side.missing > 0
    if name == "tau_a":
        values[d.y.missing > 0] = nan
    return GroupsDone(values, np.flatnonzero(doubtful).tolist(), (int(d.x.missing.sum()), int(d.y.missing.sum())))


# All resamples of topics


@dataclass(frozen=True, eq=False)
class BootstrapResult:
    """A coefficient between two rankings of systems, and how it varies with the sample of topics.

    Attributes
    ----------
    statistic : float
        The coefficient, or the difference of the two, on the topics as they are.
    low, high : float
        The ends of the percentile interval.
    level : float
        Its confidence level.
    distribution : numpy.ndarray
        The value for each resample; nan where it is undefined, which the interval leaves out.
    seed : int
        What repeats the resamples.
    parts : tuple of BootstrapResult
        Of a difference: what it is the difference of.
    """

    statistic: float
    low: float
    high: float
    level: float
    distribution: Array = field(repr=False)
    seed: int
    parts: tuple[BootstrapResult, ...] = field(default=(), repr=False)

    @property
    def undefined(self) -> int:
        """The number of resamples for which the coefficient is undefined."""
        return int(np.isnan(self.distribution).sum())


def bootstrap(
    X: Any,
    Y: Any,
    statistic: str | tuple[str, str] = "tau_b",
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    *,
    level: float = 0.95,
    progress: Progress = None,
) -> BootstrapResult:
    """How sure a coefficient between two rankings of systems is, given the topics: percentile intervals by resampling.

    The systems are ranked by their mean scores, under one measure or in one collection in X, under another in Y.
    Topics are drawn again with replacement, the same ones for X and Y, and the coefficient computed for every sample.

    Parameters
    ----------
    X, Y : 2-D array or DataFrame
        Scores, topics by systems.  DataFrames are matched by the names of topics and systems, arrays by position.  Y
        can be a pair of tables, to find the difference between their coefficients with X.
    statistic : str or pair of str
        The name of the coefficient; or of two, to find their difference, the first less the second.  With a pair in Y
        too, the first is that of the first table and the second that of the second.
    resamples : int
        How many samples of topics.
    seed : int, optional
        What the outcome depends on, apart from the scores; made up if there is none, and told in the result.
    n_jobs : int, optional
        As for `cor`.  It does not change the outcome.
    level : float
        The confidence level of the interval.
    progress : callable or bool, optional
        A function of what is done and of how much there is; False for nothing; by default a bar, in a terminal, for
        what takes more than two seconds.

    Returns
    -------
    BootstrapResult

    Raises
    ------
    TypeError, ValueError
        If a table is not one of finite scores, topics or systems do not match, or the coefficient refuses ties and two
        systems have the same mean in a resample.

    Notes
    -----
    Systems whose means differ by rounding alone are tied.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = rng.random((50, 1)) + rng.random((50, 20)) * np.linspace(0.5, 1, 20)
    >>> Y = X + rng.normal(0, 0.3, (50, 20))
    >>> result = bootstrap(X, Y, "tauAP_b", resamples=1000, seed=1)
    >>> round(result.statistic, 3), round(result.low, 3), round(result.high, 3)
    (0.611, 0.429, 0.762)
    """
    names = [statistic] if isinstance(statistic, str) else statistic
    if not isinstance(names, (list, tuple)) or not 1 <= len(names) <= 2:
        raise ValueError(f"'statistic' must be the name of a coefficient or a pair of names, not {statistic!r}")
    methods = [method_of(name, "statistic") for name in names]
    tables = list(Y) if isinstance(Y, (tuple, list)) and len(Y) == 2 and all(hasattr(y, "shape") for y in Y) else [Y]
    count = max(len(methods), len(tables))
    whole_number(resamples, "resamples")
    if not 0 < as_number(level, "level") < 1:
        raise ValueError(f"'level' must be between 0 and 1, not {level!r}")
    x = Scores(X)
    ys = [matched(x, table) for table in tables]
    pairs = [(methods[k % len(methods)].name, ys[k % len(ys)]) for k in range(count)]
    seed, tasks = random_blocks(seed, resamples)
    observed = resampled(x, pairs, np.arange(x.n, dtype=np.int32)[None, :])[:, 0]
    blocks = in_parallel(partial(resamples_done, x, pairs), tasks, n_jobs, progress)
    distributions = np.concatenate(blocks, axis=1)
    parts = tuple(interval(*each, level, seed) for each in zip(observed.tolist(), distributions))
    if count == 1:
        return parts[0]
    return interval(float(observed[0] - observed[1]), distributions[0] - distributions[1], level, seed, parts)


def matched(x: Scores, table: Any) -> Scores:
    """The table with the topics and systems of x, in the order of x where both have names."""
    y = Scores(table, "Y")
    if (x.n, x.m) != (y.n, y.m):
        raise ValueError(f"'X' is {x.n} topics by {x.m} systems, and 'Y' is {y.n} by {y.m}")
    if x.named and y.named:
        order = []
        for what, mine, theirs in (("topics", x.topics, y.topics), ("systems", x.systems, y.systems)):
            place = {name: k for k, name in enumerate(theirs)}
            if len(place) < len(theirs) or len(set(mine)) < len(mine):
                raise ValueError(f"'X' and 'Y' are matched by name, and two {what} have the same one")
            if absent := [name for name in mine if name not in place]:
                raise ValueError(f"'Y' does not have the {what} {absent[:5]!r} of 'X'")
            order.append([place[name] for name in mine])
        y.values = np.ascontiguousarray(y.values[np.ix_(*order)])
    return y


def resampled(x: Scores, pairs: list[tuple[str, Scores]], draws: npt.NDArray[np.int32]) -> Array:
    """The coefficients of the pairs, on the topics of each draw."""
    found = []
    for name, y in pairs:
        totals = totals_of_resamples(x.values, y.values, draws, x.noise, y.noise, True, name)
        d = Dominances(totals)
        for argument, side in (("x", d.x), ("y", d.y)):
            if argument in METHODS[name].untied and side.tied_pairs.any():
                raise ValueError(
                    f"'{argument.upper()}' contains ties. Two systems have the same mean, over the topics or over a "
                    "sample of them; the variants _a (ties in 'Y') and _b (in both) allow them."
                )
        found.append(METHODS[name].formula(d))
    return np.array(found)


def resamples_done(x: Scores, pairs: list[tuple[str, Scores]], task: tuple[np.random.SeedSequence, int]) -> Array:
    source, size = task
    draws = np.random.default_rng(source).integers(0, x.n, (size, x.n), dtype=np.int32)
    step = max(1, TASK // (x.m * (x.n + 20)))
    return np.concatenate([resampled(x, pairs, draws[k : k + step]) for k in range(0, size, step)], axis=1)


def interval(
    statistic: float, distribution: Array, level: float, seed: int, parts: tuple[BootstrapResult, ...] = ()
) -> BootstrapResult:
    defined = distribution[~np.isnan(distribution)]
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]).tolist() if defined.size else (nan, nan)
    return BootstrapResult(statistic, low, high, level, distribution, seed, parts)


# All permutations


@dataclass(frozen=True, eq=False)
class PermutationResult:
    """A coefficient, and how often chance would give one as extreme.

    Attributes
    ----------
    statistic : float
        The coefficient.
    pvalue : float
        The share of the permutations with a coefficient as extreme or more.
    alternative : str
        What counts as extreme.
    exact : bool
        Whether these were all permutations; else the p-value has the observed one added to both sides of the quotient.
    distribution : numpy.ndarray
        The coefficient of every permutation.
    seed : int or None
        What repeats the resampled permutations.
    """

    statistic: float
    pvalue: float
    alternative: Alternative
    exact: bool
    distribution: Array = field(repr=False)
    seed: int | None


def permutation_test(
    x: Any,
    y: Any,
    method: str = "tau_b",
    alternative: Alternative = "two-sided",
    resamples: int = 9999,
    seed: int | None = None,
    n_jobs: int | None = None,
    *,
    decreasing: bool = True,
    progress: Progress = None,
) -> PermutationResult:
    """Whether two rankings are related at all: the p-value of a coefficient when y is permuted at random.

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order.
    method, decreasing
        As for `cor`.
    alternative : {"two-sided", "greater", "less"}
        "greater": coefficients as great as the observed one or greater count; "less": as small or smaller; "two-sided":
        twice the smaller share of the two, and 1 at the most.
    resamples : int
        The number of random permutations.  If there are no more permutations than that in all, each is taken once.
    seed, n_jobs, progress
        As for `bootstrap`.

    Returns
    -------
    PermutationResult
        The p-value is nan where the coefficient is.

    Raises
    ------
    TypeError, ValueError
        As the single function does, or for an unknown alternative.

    Notes
    -----
    The rules are those of `scipy.stats.permutation_test` with permutation_type="pairings".

    Examples
    --------
    >>> result = permutation_test([1, 2, 3, 4, 5], [1, 2, 3, 5, 4], method="tau")
    >>> result.statistic, round(result.pvalue, 4), result.exact
    (0.8, 0.0833, True)
    """
    chosen = method_of(method)
    if alternative not in ("two-sided", "greater", "less"):
        raise ValueError(f'\'alternative\' must be "two-sided", "greater" or "less", not {alternative!r}')
    whole_number(resamples, "resamples")
    seed, tasks = random_blocks(seed, resamples)
    observed = chosen.single(x, y, **({"decreasing": decreasing} if chosen.name.startswith("tauAP") else {}))
    x_ranking, y_ranking = rankings(x, y, decreasing=decreasing)
    n = x_ranking.n
    exact = n <= 20 and factorial(n) <= resamples
    work = partial(permutations_done, x_ranking, y_ranking, chosen.name)
    told = None if exact else seed
    if isnan(observed):
        return PermutationResult(observed, nan, alternative, exact, np.empty(0), told)
    blocks: list[Any] = tasks
    if exact:
        blocks = [(k, min(k + 1000, factorial(n))) for k in range(0, factorial(n), 1000)]
    distribution = np.concatenate(in_parallel(work, blocks, n_jobs, progress))
    # Values that differ by rounding alone are equal.
    gap = abs(observed) * 100 * np.finfo(np.float64).eps
    more = 0 if exact else 1
    shares = {
        "greater": (np.count_nonzero(distribution >= observed - gap) + more) / (len(distribution) + more),
        "less": (np.count_nonzero(distribution <= observed + gap) + more) / (len(distribution) + more),
    }
    pvalue = shares[alternative] if alternative != "two-sided" else min(1.0, 2 * min(shares.values()))
    return PermutationResult(observed, float(pvalue), alternative, exact, distribution, told)


def permutations_done(x: Ranking, y: Ranking, method: str, task: Any) -> Array:
    """The coefficients of one block of permutations: the k-th to the last of all, or random ones of one stream."""
    n = x.n
    if isinstance(task[0], int):
        return coefficients(METHODS[method], totals_of_permutations(x, y, numbered_permutations(n, *task), method))
    source, size = task
    rng = np.random.default_rng(source)
    items = np.arange(n, dtype=np.int32)
    step = max(1, TASK // n)
    parts = []
    for done in range(0, size, step):
        permutations = rng.permuted(np.tile(items, (min(step, size - done), 1)), axis=1)
        parts.append(coefficients(METHODS[method], totals_of_permutations(x, y, permutations, method)))
    return np.concatenate(parts)


def numbered_permutations(n: int, first: int, last: int) -> npt.NDArray[np.int32]:
    """The permutations of n items from number `first` up to `last`, in lexicographic order."""
    number = np.arange(first, last)
    left = np.tile(np.arange(n, dtype=np.int32), (last - first, 1))
    found = np.empty((last - first, n), dtype=np.int32)
    for k in range(n):
        digit, number = np.divmod(number, factorial(n - 1 - k))
        found[:, k] = np.take_along_axis(left, digit[:, None], axis=1)[:, 0]
        keep = np.arange(n - k) != digit[:, None]
        left = left[keep].reshape(last - first, n - 1 - k)
    return found
