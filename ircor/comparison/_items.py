"""Two rankings of the same items: all coefficients that apply, which one suits, and the costliest swaps."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._check import warn_of_pairing
from .._methods import METHODS, added_overlap
from .._options import flag, whole_number
from .._parallel import random_blocks
from .._progress import Progress
from .._result import Column, Result, Table
from .._types import Ties, Vector
from .._vectors import numeric_vector
from ..plots import costly_swaps, slope
from ..plots._names import item_names, pair_of
from ..tables import permutation_test
from ._jackknife import item_intervals, resampled_intervals

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    from matplotlib.axes import Axes

    Array = npt.NDArray[Any]

SWAPS = 5


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
    """

    labels: tuple[str, str]
    found_coefficients: Table
    found_swaps: Table
    advice: str
    items: int
    vectors: tuple[Array, Array]
    names: tuple[Hashable, ...]
    decreasing: bool = True

    @property
    def coefficients(self) -> pandas.DataFrame:
        return self.found_coefficients.frame()

    @property
    def costly(self) -> pandas.DataFrame:
        return self.found_swaps.frame()

    def tables(self) -> list[Table]:
        return [self.found_coefficients, *([self.found_swaps] if self.found_swaps.rows else [])]

    def sentences(self) -> list[str]:
        return [self.advice]

    def as_dict(self) -> dict[str, Any]:
        return {
            "x": self.labels[0],
            "y": self.labels[1],
            "items": self.items,
            "coefficients": self.found_coefficients.records(),
            "costly": self.found_swaps.records(),
            "advice": self.advice,
        }

    def plot(self, ax: Axes | None = None, *, labels: Sequence[str] | None = None) -> Axes:
        """Draw the two rankings side by side, with the items joined by lines: `ircor.plots.slope`."""
        x, y = self.vectors
        called = self.labels if labels is None else labels
        return slope(x, y, names=self.names, labels=called, decreasing=self.decreasing, ax=ax)

    def __repr__(self) -> str:
        defined = [row for row in self.found_coefficients.records() if row["value"] is not None]
        said = ", ".join(f"{row['coefficient']} = {row['value']:.4g}" for row in defined)
        return f"<Correlation of {self.labels[0]} and {self.labels[1]}, {self.items} items: {said}>"


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
        truth, it is x.
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
        Its treatment of ties; by default "a".

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
    >>> found = correlate([0.9, 0.7, 0.5, 0.3], [0.8, 0.9, 0.4, 0.4], names="ABCD", labels=("AP", "P10"))
    >>> found
    <Correlation of AP and P10, 4 items: tau_a = 0.5, tau_b = 0.5477, tauAP_a = 0.2222, tauAP_b = 0.2222>
    >>> found.costly.to_dict("records")
    [{'above in AP': 'A', 'above in P10': 'B', 'cost': 2.0}]
    >>> print(found.advice.partition(":")[0])
    P10 has ties
    """
    first, second = pair_of(labels)
    top_down, with_intervals = flag(decreasing, "decreasing"), flag(intervals, "intervals")
    x_values, y_values = numeric_vector(x, "x"), numeric_vector(y, "y")
    swaps = costly_swaps(x_values, y_values, top_down, count=SWAPS)
    called = item_names(x, y, names, len(x_values))
    warn_of_pairing(x, y)
    seed, _ = random_blocks(seed, 1)
    overlaps = added_overlap(p, ties)
    values, refusals = coefficients_of(x_values, y_values, top_down, (first, second))
    resamples = None if bootstrap is None else whole_number(bootstrap, "bootstrap")
    if with_intervals and resamples is not None:
        raise ValueError("'intervals' and 'bootstrap' are two ways to an interval: choose one")
    keys = ["coefficient", "value"]
    keys += ["low", "high"] if with_intervals or resamples is not None else []
    keys += ["p-value"] if permutations is not None else []
    ranges = {}
    if with_intervals:
        found = [(METHODS[name], value) for name, value in values.items()]
        ranges = item_intervals(found, x_values, y_values, top_down, seed, n_jobs, progress)
    elif resamples is not None:
        tied = [METHODS[name] for name in values if not METHODS[name].untied]
        ranges = resampled_intervals(tied, x_values, y_values, top_down, resamples, seed, n_jobs)
    rows = []
    for name in METHODS:
        row: dict[str, Any] = dict.fromkeys(keys) | {"coefficient": name, "note": refusals.get(name, "")}
        if name in values:
            row["value"] = values[name]
            if name in ranges:
                row["low"], row["high"], row["note"] = ranges[name]
            if permutations is not None:
                test = permutation_test(
                    x_values,
                    y_values,
                    METHODS[name].name,
                    resamples=permutations,
                    seed=seed,
                    n_jobs=n_jobs,
                    decreasing=top_down,
                    progress=progress,
                )
                row["p-value"] = test.pvalue
        rows.append(tuple(row.values()))
    for method in overlaps:
        missing = [name for name, key in (("interval", "low"), ("p-value", "p-value")) if key in keys]
        reason = [f"no {' and no '.join(missing)} for an overlap of items"] if missing else []
        note = "; ".join([method.options, *reason])
        added = {"coefficient": method.name, "value": method(x_values, y_values, top_down), "note": note}
        rows.append(tuple((dict.fromkeys([*keys, "note"]) | added).values()))
    return Correlation(
        (first, second),
        Table("coefficients", [*map(Column, keys), Column("note", prose=True)], rows),
        Table(
            "costly",
            [
                Column(f"above in {first}", f"above in\n{first}"),
                Column(f"above in {second}", f"above in\n{second}"),
                Column("cost"),
            ],
            [(str(called[i]), str(called[j]), cost) for i, j, cost in swaps],
            names=2,
        ),
        which_suits(first, second, has_ties(x_values), has_ties(y_values)),
        len(x_values),
        (x_values, y_values),
        tuple(called),
        top_down,
    )


def coefficients_of(
    x: Array, y: Array, decreasing: bool, labels: tuple[str, str]
) -> tuple[dict[str, float], dict[str, str]]:
    """The coefficients that apply, and why the others do not."""
    called = {f"'{name}'": f"'{name}'" if label == name else label for name, label in zip("xy", labels)}
    values: dict[str, float] = {}
    refusals: dict[str, str] = {}
    for method in METHODS.values():
        try:
            values[method.name] = method(x, y, decreasing)
        except ValueError as error:
            reason = str(error).partition(". ")[0].rstrip(".")
            refusals[method.name] = re.sub("'[xy]'", lambda match: called[match[0]], reason)
    return values, refusals


def has_ties(values: Array) -> bool:
    return len(np.unique(values)) < len(values)


def which_suits(x: str, y: str, ties_in_x: bool, ties_in_y: bool) -> str:
    """Which coefficient suits, given where the ties are."""
    if not (ties_in_x or ties_in_y):
        return f"No ties: tau, or tauAP if errors at the top should cost more; tauAP takes {x} for the truth."
    if not ties_in_x:
        return (
            f"{y} has ties: tau_a and tauAP_a if {x} is the truth and {y} should have told the items apart (accuracy); "
            f"tau_b and tauAP_b if they are two opinions (agreement)."
        )
    where = "Both have" if ties_in_y else f"{x} has"
    return f"{where} ties: tau_b, or tauAP_b if errors at the top should cost more (agreement)."
