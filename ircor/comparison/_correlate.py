"""All coefficients between two rankings of the same items, with intervals over items and with p-values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import asin, isnan, nan, pi, sin, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from .._core.checks import warn_of_pairing
from .._core.errors import InvalidValueError, TiesError
from .._core.methods import METHODS, Method, added_overlap
from .._core.names import item_names, pair_of
from .._core.options import (
    BOOTSTRAP,
    DECREASING,
    INTERVALS,
    ITEM_LEVEL,
    N_JOBS,
    PERMUTATIONS,
    SEED,
    TIES,
    P,
    flag,
    takes,
    whole_number,
)
from .._core.results import Result
from .._core.rounding import RoundedColumns, tied_by_rounding
from .._core.types import Floats, Ties, Vector
from .._core.vectors import numeric_vector
from .._core.work import Progress, in_parallel, random_blocks, slices
from .._kernel import Ranking, totals_of_groups
from ..statistics import EQUAL_COEFFICIENTS, costly_swaps, jackknife_error
from ..tables import cor_by, permutation_test

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    from matplotlib.axes import Axes

    Array = npt.NDArray[Any]

# Up to so many items, each is left out in turn; of more items, so many random groups.
MOST_JACKKNIFE_GROUPS = 500

LEAST_ITEMS_FOR_INTERVAL = 3
"""Without one of the items, two must be left."""

Reason: TypeAlias = Literal["", "few items", "undefined without", "same without"]
"""Why there is no interval: too few items, a coefficient that is undefined, or the same, without some."""


class ItemInterval(NamedTuple):
    """The two ends, or nan and the reason."""

    low: float
    high: float
    reason: Reason = ""


def values_without_items(
    methods: Sequence[Method],
    x: npt.NDArray[Any],
    y: npt.NDArray[Any],
    decreasing: bool,
    seed: int,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> list[Floats]:
    """The values of each coefficient without each item, or without each of 500 random groups of items.

    All coefficients come from the same counts.  There must be three items or more, without missing values.
    """
    # The ranks are exact as floats, whatever the type of the values.
    x_ranks, y_ranks = (np.unique(values, return_inverse=True)[1].astype(np.float64) for values in (x, y))
    n = len(x)
    count = min(n, MOST_JACKKNIFE_GROUPS)
    group = np.arange(n) if count == n else np.random.default_rng(seed).permutation(n) % count
    work = partial(without, methods, x_ranks, y_ranks, group, decreasing)
    blocks = in_parallel(work, slices(count, n), n_jobs, progress)
    return [np.concatenate(values) for values in zip(*blocks)]


def without(
    methods: Sequence[Method], x: Floats, y: Floats, group: npt.NDArray[np.intp], decreasing: bool, part: slice
) -> list[Floats]:
    """The values of each coefficient without each of some groups of items."""
    kept = [np.flatnonzero(group != left_out) for left_out in range(part.start, part.stop)]
    lengths = [len(items) for items in kept]
    items = np.concatenate(kept)
    sums = frozenset[str]().union(*(method.sums for method in methods))
    d = totals_of_groups(x[items], y[items], np.cumsum(lengths), decreasing, 2, max(lengths), sums, False)
    return [method.formula(d) for method in methods]


def jackknife_interval(value: float, values: Floats) -> ItemInterval:
    """The interval around a coefficient, given its values without each group of items.

    The standard error is the jackknife's.  The interval is symmetric on the scale of the arcsine, on which the ends
    stay between -1 and 1.
    """
    error = jackknife_error(values)
    if isnan(error):
        return ItemInterval(nan, nan, "undefined without")
    # Coefficients of items in the same order, or in reverse order, stay 1 or -1 without some of the items.
    if error < EQUAL_COEFFICIENTS:
        return ItemInterval(nan, nan, "same without")
    half = NormalDist().inv_cdf((1 + ITEM_LEVEL) / 2) * error / sqrt(1 - value**2)
    return ItemInterval(sin(max(asin(value) - half, -pi / 2)), sin(min(asin(value) + half, pi / 2)))


def item_intervals(
    coefficients: Sequence[tuple[Method, float]],
    x: npt.NDArray[Any],
    y: npt.NDArray[Any],
    decreasing: bool,
    seed: int,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> dict[str, ItemInterval]:
    """The interval of each coefficient, by its name, given the coefficients and their values."""
    if len(x) < LEAST_ITEMS_FOR_INTERVAL:
        return {method.name: ItemInterval(nan, nan, "few items") for method, _ in coefficients}
    defined = [(method, value) for method, value in coefficients if not isnan(value)]
    intervals: dict[str, ItemInterval] = {method.name: ItemInterval(nan, nan) for method, _ in coefficients}
    if defined:
        values = values_without_items([method for method, _ in defined], x, y, decreasing, seed, n_jobs, progress)
        intervals |= {method.name: jackknife_interval(value, of) for (method, value), of in zip(defined, values)}
    return intervals


def resampled_intervals(
    methods: Sequence[Method],
    x: npt.NDArray[Any],
    y: npt.NDArray[Any],
    decreasing: bool,
    resamples: int,
    seed: int,
    n_jobs: int | None = None,
) -> dict[str, ItemInterval]:
    """The percentile intervals of coefficients over resampled items, by name; a repeated item is tied with itself."""
    n = len(x)
    draws = np.random.default_rng(seed).integers(0, n, (resamples, n))
    groups = np.repeat(np.arange(resamples), n)
    intervals: dict[str, ItemInterval] = {}
    for method in methods:
        values = cor_by(groups, x[draws].ravel(), y[draws].ravel(), method.name, decreasing, n_jobs=n_jobs).dropna()
        ends = np.quantile(values, [(1 - ITEM_LEVEL) / 2, (1 + ITEM_LEVEL) / 2]).tolist() if len(values) else (nan, nan)
        intervals[method.name] = ItemInterval(*ends)
    return intervals


SWAPS = 5
"""So many of the costliest swaps are reported."""


@dataclass(frozen=True)
class ItemCoefficient:
    """A coefficient between two rankings of items, or the ranking whose ties it refuses; None where nothing is."""

    method: Method
    value: float | None = None
    refused: str = ""
    interval: ItemInterval | None = None
    pvalue: float | None = None


@dataclass(frozen=True)
class ItemSwap:
    """Two items in opposite order in x and y, and what that costs AP correlation."""

    above_in_x: str
    above_in_y: str
    cost: float


@dataclass(frozen=True, eq=False, repr=False)
class Correlation(Result):
    """All coefficients between two rankings of the same items.

    `print` shows all of it, and so does a notebook.

    Attributes
    ----------
    labels : tuple of str
        What the two rankings are called.
    coefficients : pandas.DataFrame
        A row for each coefficient: coefficient, value, low and high (with `intervals`), p-value (with `permutations`),
        and note, which says why a value or an interval is missing, and has the p and the ties of rank-biased overlap.
    costly : pandas.DataFrame
        The swapped pairs that cost AP correlation the most: the item above in x, the item above in y, and the cost.
    advice : str
        Which coefficient suits, given where there are ties.
    items : int
        The number of items.
    tied : tuple of bool
        Whether x has ties, and whether y has.
    rounded : RoundedColumns or None
        Which of the two have values that differ by rounding only; these are ties, and a note says so.
    """

    labels: tuple[str, str]
    rows: tuple[ItemCoefficient, ...]
    swaps: tuple[ItemSwap, ...]
    tied: tuple[bool, bool]
    with_intervals: bool
    with_pvalues: bool
    vectors: tuple[Array, Array] = field(repr=False)
    names: tuple[Hashable, ...]
    decreasing: bool = True
    rounded: RoundedColumns | None = None

    @property
    def coefficients(self) -> pandas.DataFrame:
        return self.frame("coefficients")

    @property
    def costly(self) -> pandas.DataFrame:
        return self.frame("costly")

    @property
    def advice(self) -> str:
        view: Any = self.view
        return str(view.advice())

    @property
    def items(self) -> int:
        return len(self.names)

    def plot(self, ax: Axes | None = None, *, labels: Sequence[str] | None = None) -> Axes:
        """Draw the two rankings side by side, with the items joined by lines: `ircor.plots.slope`."""
        axes: Axes = self.view.plot(ax, labels=labels)
        return axes

    def __repr__(self) -> str:
        values = ", ".join(f"{row.method.name} = {row.value:.4g}" for row in self.rows if row.value is not None)
        return f"<Correlation of {self.labels[0]} and {self.labels[1]}, {self.items} items: {values}>"


@takes(DECREASING, INTERVALS, BOOTSTRAP, PERMUTATIONS, SEED, N_JOBS, P, TIES)
def correlate(
    x: Vector,
    y: Vector,
    *,
    names: Iterable[Hashable] | None = None,
    labels: Sequence[str] = ("x", "y"),
    decreasing: bool | np.bool_ = True,
    intervals: bool = False,
    bootstrap: int | None = None,
    permutations: int | None = None,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    p: float | None = None,
    ties: Ties | None = None,
) -> Correlation:
    """Correlate two rankings of the same items: all coefficients that apply, and which one suits.

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order, without missing values.  If one of them is the
        truth, it is x.  Values that differ by rounding only are ties, as for `ircor.cor`, and a note says so.
    names : iterable, optional
        The names of the items; by default the index of a pandas Series, else "item 0" and so on.
    labels : pair of str
        What the two rankings are called.
    decreasing : bool
        Whether the item with the greatest value is at the top: True for scores, False for ranks.
    intervals : bool
        Add a 95 % interval for the coefficient in the population that the items are a sample of.  See Notes.
    bootstrap : int, optional
        Add instead the 95 % percentile interval over this many resamples of the items.  A resample repeats items, which
        are then tied with themselves, so only `tau_b` and `tauAP_b` get an interval.
    permutations : int, optional
        Add two-sided p-values from this many permutations: `ircor.permutation_test`.
    seed, n_jobs, progress
        As for `ircor.bootstrap`.  The intervals need a seed only for more than 500 items.
    p : float, optional
        Adds rank-biased overlap with this persistence, as for `ircor.cor`.  It gets no interval and no p-value.
    ties : {"w", "a", "b"}, optional
        The treatment of ties in rank-biased overlap; by default "a".

    Returns
    -------
    Correlation

    Raises
    ------
    TypeError, ValueError
        If x or y is not a numeric vector or has missing values, they differ in length, or an option is invalid; or if
        `names` is not given and both have an index, but not the same.

    Warns
    -----
    PairingWarning
        As from `ircor.tau_b`, if `names` is given or one index only counts from 0.

    Notes
    -----
    The intervals are for items drawn at random, such as documents or queries, from a population that has a coefficient
    of its own.  AP coefficients depend on the number of items; for them it is the mean over samples of that many items.
    The interval is value +- 1.96 standard errors on the scale of the arcsine, with the standard error of the jackknife:
    the coefficient is computed without each item in turn or, if there are more than 500 items, without each of 500
    random groups.  The percentile interval is for the same target.

    Examples
    --------
    >>> from ircor.comparison import correlate
    >>> pair = correlate([0.9, 0.7, 0.5, 0.3], [0.8, 0.9, 0.4, 0.4], names="ABCD", labels=("AP", "P10"))
    >>> pair
    <Correlation of AP and P10, 4 items: tau_a = 0.5, tau_b = 0.5477, tauAP_a = 0.2222, tauAP_b = 0.2222>
    >>> pair.costly.to_dict("records")
    [{'above in AP': 'A', 'above in P10': 'B', 'cost': 2.0}]
    >>> print(pair.advice.partition(":")[0])
    P10 has ties
    """
    first, second = pair_of(labels)
    top_down, with_intervals = flag(decreasing, "decreasing"), flag(intervals, "intervals")
    x_values, y_values = numeric_vector(x, "x"), numeric_vector(y, "y")
    x_values, y_values, rounded = without_rounding((x_values, y_values), (first, second))
    swaps = costly_swaps(x_values, y_values, top_down, count=SWAPS)
    called = item_names(x, y, names, len(x_values))
    warn_of_pairing(x, y)
    seed, _ = random_blocks(seed, 1)
    overlaps = added_overlap(p, ties)
    computed = [coefficient_of(method, x_values, y_values, top_down) for method in METHODS.values()]
    defined = [(row.method, row.value) for row in computed if row.value is not None]
    resamples = None if bootstrap is None else whole_number(bootstrap, "bootstrap")
    if with_intervals and resamples is not None:
        raise InvalidValueError(("intervals", "bootstrap"), "are two ways to an interval", "choose one")
    ranges: dict[str, ItemInterval] = {}
    if with_intervals:
        ranges = item_intervals(defined, x_values, y_values, top_down, seed, n_jobs, progress)
    elif resamples is not None:
        tied = [method for method, _ in defined if not method.untied]
        ranges = resampled_intervals(tied, x_values, y_values, top_down, resamples, seed, n_jobs)
    pvalues: dict[str, float] = {}
    if permutations is not None:
        settings: dict[str, Any] = {"resamples": permutations, "seed": seed, "n_jobs": n_jobs, "progress": progress}
        for method, row in zip(METHODS.values(), computed):
            if row.value is not None:
                test = permutation_test(x_values, y_values, method.name, decreasing=top_down, **settings)
                pvalues[method.name] = test.pvalue
    rows = [replace(row, interval=ranges.get(row.method.name), pvalue=pvalues.get(row.method.name)) for row in computed]
    rows += [ItemCoefficient(method, method(x_values, y_values, top_down)) for method in overlaps]
    return Correlation(
        (first, second),
        tuple(rows),
        tuple(ItemSwap(str(called[i]), str(called[j]), cost) for i, j, cost in swaps),
        (has_ties(x_values), has_ties(y_values)),
        with_intervals or resamples is not None,
        permutations is not None,
        (x_values, y_values),
        tuple(called),
        top_down,
        rounded,
    )


def without_rounding(
    vectors: tuple[Array, Array], labels: tuple[str, str]
) -> tuple[Array, Array, RoundedColumns | None]:
    """The vectors, equal where they differ by rounding only, and which of them have such values."""
    tied = [tied_by_rounding(Ranking(values), values) for values in vectors]
    names = tuple(label for label, (_, pairs) in zip(labels, tied) if pairs)
    (x, in_x), (y, in_y) = tied
    return x, y, RoundedColumns(names, in_x + in_y) if names else None


def coefficient_of(method: Method, x: Array, y: Array, decreasing: bool) -> ItemCoefficient:
    """The coefficient, or the ranking whose ties it refuses."""
    try:
        return ItemCoefficient(method, method(x, y, decreasing))
    except TiesError as error:
        return ItemCoefficient(method, refused=error.argument or "")


def has_ties(values: Array) -> bool:
    return len(np.unique(values)) < len(values)
