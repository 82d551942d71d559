"""How far a coefficient over a sample of items may be from that of their population: the jackknife, the bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import asin, isnan, nan, pi, sin, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._kernel import totals_of_groups
from .._methods import Method
from .._parallel import in_parallel, slices
from .._progress import Progress
from ..tables import cor_by

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

LEVEL = 0.95

# Up to so many items, each is left out in turn; of more items, so many random groups.
GROUPS = 500

# Coefficients that differ by rounding alone have a standard error below this.  Those of items in the same order, or in
# reverse order, stay 1 or -1 without some of the items.
ROUNDING = 1e-12


class Interval(NamedTuple):
    """The two ends, or nan and the reason."""

    low: float
    high: float
    note: str = ""


def jackknife(
    methods: Sequence[Method],
    x: npt.NDArray[Any],
    y: npt.NDArray[Any],
    decreasing: bool,
    seed: int,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> list[Array]:
    """The values of each coefficient without each item, or without each of 500 random groups of items.

    All coefficients come from the same counts.  There must be three items or more, without missing values.
    """
    # The ranks are exact as floats, whatever the type of the values.
    x_ranks, y_ranks = (np.unique(values, return_inverse=True)[1].astype(np.float64) for values in (x, y))
    n = len(x)
    group = np.arange(n) if n <= GROUPS else np.random.default_rng(seed).permutation(n) % GROUPS
    work = partial(without, methods, x_ranks, y_ranks, group, decreasing)
    blocks = in_parallel(work, slices(min(n, GROUPS), n), n_jobs, progress)
    return [np.concatenate(values) for values in zip(*blocks)]


def without(
    methods: Sequence[Method], x: Array, y: Array, group: npt.NDArray[np.intp], decreasing: bool, part: slice
) -> list[Array]:
    """The values of each coefficient without each of some groups of items."""
    kept = [np.flatnonzero(group != left_out) for left_out in range(part.start, part.stop)]
    lengths = [len(items) for items in kept]
    items = np.concatenate(kept)
    sums = frozenset[str]().union(*(method.sums for method in methods))
    d = totals_of_groups(x[items], y[items], np.cumsum(lengths), decreasing, 2, max(lengths), sums, False)
    return [method.formula(d) for method in methods]


def interval(value: float, values: Array) -> Interval:
    """The 95 % interval around a coefficient, given its values without each group of items.

    The standard error is the jackknife's.  The interval is symmetric on the scale of the arcsine, on which the ends
    stay between -1 and 1.
    """
    g = len(values)
    error = sqrt((g - 1) / g * float(((values - values.mean()) ** 2).sum()))
    if isnan(error):
        return Interval(nan, nan, "no interval: undefined without some of the items")
    if error < ROUNDING:
        return Interval(nan, nan, "no interval: the same without any of the items")
    half = NormalDist().inv_cdf((1 + LEVEL) / 2) * error / sqrt(1 - value**2)
    return Interval(sin(max(asin(value) - half, -pi / 2)), sin(min(asin(value) + half, pi / 2)))


def item_intervals(
    found: Sequence[tuple[Method, float]],
    x: npt.NDArray[Any],
    y: npt.NDArray[Any],
    decreasing: bool,
    seed: int,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> dict[str, Interval]:
    """The interval of each coefficient, by its name, given the coefficients and their values."""
    if len(x) < 3:
        return {method.name: Interval(nan, nan, "no interval: it needs three items or more") for method, _ in found}
    defined = [(method, value) for method, value in found if not isnan(value)]
    intervals: dict[str, Interval] = {method.name: Interval(nan, nan) for method, _ in found}
    if defined:
        values = jackknife([method for method, _ in defined], x, y, decreasing, seed, n_jobs, progress)
        intervals |= {method.name: interval(value, of) for (method, value), of in zip(defined, values)}
    return intervals


def resampled_intervals(
    methods: Sequence[Method],
    x: npt.NDArray[Any],
    y: npt.NDArray[Any],
    decreasing: bool,
    resamples: int,
    seed: int,
    n_jobs: int | None = None,
) -> dict[str, Interval]:
    """The percentile intervals of coefficients over resampled items, by name; a repeated item is tied with itself."""
    n = len(x)
    draws = np.random.default_rng(seed).integers(0, n, (resamples, n))
    groups = np.repeat(np.arange(resamples), n)
    intervals: dict[str, Interval] = {}
    for method in methods:
        values = cor_by(groups, x[draws].ravel(), y[draws].ravel(), method.name, decreasing, n_jobs=n_jobs).dropna()
        ends = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist() if len(values) else (nan, nan)
        intervals[method.name] = Interval(*ends)
    return intervals
