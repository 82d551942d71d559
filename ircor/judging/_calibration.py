"""Which distance of two estimates counts as a tie: the threshold of tau_eq and acc_eq, chosen on rows of items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._core.errors import InvalidTypeError, InvalidValueError, must_be
from .._core.methods import EQUALITY
from .._core.options import flag, one_of
from .._core.results import Result
from .._core.types import Array, Floats, Table, TiesAsAnswer
from .._core.vectors import numeric_vector, without_arrow
from .._extras import extra

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    from matplotlib.axes import Axes

MOST_PARTS = 10
"""With cross-fitting, the rows are split into so many parts, or into single rows if there are fewer."""

SAME = 1e-12
"""Sums over rows that differ by no more than this share are equal: they are sums of fractions."""


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Result):
    """The threshold of ties that suits an estimate, and what it is worth.

    `print` shows the numbers, and so does a notebook.

    Attributes
    ----------
    coefficient : {"acc_eq", "tau_eq"}
    threshold : float
        The least threshold with the greatest mean over all rows: the one to use on other data.
    value : float
        The mean over rows; with cross-fitting, each row at the threshold that was chosen on the other parts.
    at_zero : float
        The mean over rows at a threshold of 0.
    on_same_rows : float
        The mean at `threshold` over the rows on which it was chosen: the greatest there is.  Without cross-fitting it
        is `value`.
    cross_fit : bool
    thresholds : tuple of float
        With cross-fitting, the threshold for each part of the rows, which the other parts chose.
    rows, candidates : int
        The number of rows, and of thresholds that were compared: 0, and all distances of two estimates in a row.
    epsilons, values : numpy.ndarray
        The mean over all rows at each candidate.
    curve : pandas.DataFrame
        The same as a table of threshold and value.
    """

    coefficient: str
    threshold: float
    value: float
    at_zero: float
    on_same_rows: float
    cross_fit: bool
    thresholds: tuple[float, ...]
    rows: int
    candidates: int
    epsilons: Floats
    values: Floats

    @property
    def curve(self) -> pandas.DataFrame:
        return extra("pandas", "a DataFrame").DataFrame({"threshold": self.epsilons, "value": self.values})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the mean at every threshold, and the one that was chosen."""
        axes: Axes = self.view.plot(ax)
        return axes

    def __repr__(self) -> str:
        return f"<Calibration of {self.coefficient}: threshold {self.threshold:.4g}, value {self.value:.4f}>"


def calibrate(
    truth: Table, estimate: Table, coefficient: TiesAsAnswer = "acc_eq", cross_fit: bool | np.bool_ = True
) -> Calibration:
    """Find the distance up to which two estimates should count as tied: `epsilon` of `ircor.acc_eq` and `ircor.tau_eq`.

    An estimate that is a real number hardly ever ties what the truth ties.  The threshold with the greatest mean of the
    coefficient over rows makes estimates comparable that tie more and that tie less.

    Parameters
    ----------
    truth, estimate : 2-D array, DataFrame, or list of rows
        Rows by items: each row, such as a segment or a topic, is compared by itself.  Rows of a list can have different
        lengths.
    coefficient : {"acc_eq", "tau_eq"}
        Both have the same threshold.
    cross_fit : bool
        Whether the threshold of a row is chosen on other rows.  The rows are split into ten parts of neighbours, or
        into single rows if there are fewer than ten, and each part gets the threshold that the other parts choose.  If
        False, `value` is for the rows that the threshold was chosen on, which flatters.

    Returns
    -------
    Calibration

    Raises
    ------
    TypeError, ValueError
        If the two are not tables of the same rows and items, if a value is missing or an estimate infinite, if a row
        has fewer than two items, or if there is one row only and `cross_fit`.

    Notes
    -----
    The time is that of one sort of all distances: at each distance, some pairs become tied, and the coefficient changes
    by these pairs alone.  The least of several best thresholds is chosen.  Without cross-fitting, the numbers are those
    of mt-metrics-eval, the tool of the shared tasks on metrics of machine translation, to the last digit: its running
    sum of doubles can prefer one of several thresholds whose means are equal on paper.

    References
    ----------
    D. Deutsch, G. Foster and M. Freitag (2023). Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and
    Tie Calibration. EMNLP.

    Examples
    --------
    >>> from ircor.judging import calibrate
    >>> truth = [[1, 1, 2, 3], [2, 2, 1, 1], [3, 1, 1, 1]]
    >>> estimate = [[0.1, 0.2, 0.6, 0.9], [0.7, 0.75, 0.3, 0.2], [0.9, 0.3, 0.35, 0.3]]
    >>> result = calibrate(truth, estimate)
    >>> round(result.threshold, 3), result.value, round(result.at_zero, 3)
    (0.1, 0.9444444444444445, 0.722)
    """
    name = one_of(coefficient, "coefficient", EQUALITY)
    crossed = flag(cross_fit, "cross_fit")
    steps = Steps.of(*same_rows(truth, estimate))
    if crossed and steps.rows < 2:
        raise InvalidValueError("cross_fit", "needs two rows or more", "with one row, the threshold is chosen on it")
    on_scale = on_scale_of_tau if name == "tau_eq" else share
    if crossed:
        correct = steps.correct()
        best, total, thresholds = first_greatest(correct), 0.0, []
        for part in np.array_split(np.arange(steps.rows), min(MOST_PARTS, steps.rows)):
            own = steps.correct(part)
            chosen = first_greatest(correct - own)
            thresholds.append(float(steps.epsilons[chosen]))
            total += own[chosen]
        values = on_scale(correct, steps.rows)
        value = on_scale(total, steps.rows)
    else:
        values, thresholds = steps.running(on_scale) / steps.rows, []
        best = int(values.argmax())
        value = values[best]
    return Calibration(
        coefficient=EQUALITY[name].name,
        threshold=float(steps.epsilons[best]),
        value=float(value),
        at_zero=float(values[0]),
        on_same_rows=float(values[best]),
        cross_fit=crossed,
        thresholds=tuple(thresholds),
        rows=steps.rows,
        candidates=len(steps.epsilons),
        epsilons=steps.epsilons,
        values=values,
    )


def share(correct: Any, total: Any) -> Any:
    """The share of what is right."""
    return correct / total


def on_scale_of_tau(correct: Any, total: Any) -> Any:
    """The same from -1 to 1."""
    return (2 * correct - total) / total


def first_greatest(values: Floats) -> int:
    """The index of the first value that is the greatest but for rounding."""
    return int(np.argmax(values >= values.max() * (1 - SAME)))


class Steps(NamedTuple):
    """How acc_eq of each row changes from one threshold to the next: an entry for each pair, by increasing distance."""

    epsilons: Floats
    """The candidates, increasing: 0 and all distances of two estimates in a row."""
    start: npt.NDArray[np.intp]
    """The number of pairs of each row that are right if no pair is tied in the estimate: the concordant ones."""
    pairs: npt.NDArray[np.intp]
    """The number of pairs of each row."""
    candidate: npt.NDArray[np.intp]
    """The candidate from which on the pair is tied in the estimate."""
    row: npt.NDArray[np.intp]
    """The row of the pair."""
    change: npt.NDArray[np.int8]
    """1 if the truth ties it too, -1 if it is concordant, and 0 if it is discordant."""

    @property
    def rows(self) -> int:
        return len(self.pairs)

    @classmethod
    def of(cls, truth: Sequence[Array], estimate: Sequence[Floats]) -> Steps:
        sizes = np.array([len(row) for row in truth])
        parts = []
        for size in np.unique(sizes).tolist():
            own = np.flatnonzero(sizes == size)
            i, j = np.triu_indices(size, 1)
            # The truth's values as whole numbers: only their order counts.
            x = np.array([np.unique(truth[k], return_inverse=True)[1] for k in own.tolist()])
            y = np.array([estimate[k] for k in own.tolist()])
            gaps, signs = y[:, i] - y[:, j], np.sign(x[:, i] - x[:, j])
            changes = np.where(signs == 0, 1, -(signs == np.sign(gaps)).astype(np.int8)).astype(np.int8)
            parts.append((np.abs(gaps).ravel(), changes.ravel(), np.repeat(own, len(i))))
        distance, change, row = (np.concatenate(arrays) for arrays in zip(*parts))
        order = np.argsort(distance, kind="stable")
        distance, change, row = distance[order], change[order], row[order]
        new = np.diff(distance, prepend=0.0) > 0
        start = np.bincount(row[change < 0], minlength=len(sizes))
        return cls(np.append(0.0, distance[new]), start, sizes * (sizes - 1) // 2, np.cumsum(new), row, change)

    def correct(self, part: npt.NDArray[np.intp] | None = None) -> Floats:
        """The sum of acc_eq over rows, or over some of them, at each candidate."""
        candidate, row, change, chosen = self.candidate, self.row, self.change, np.ones(self.rows, dtype=bool)
        if part is not None:
            chosen[:] = False
            chosen[part] = True
            kept = chosen[row]
            candidate, row, change = candidate[kept], row[kept], change[kept]
        # Rows of one length, as most tables have them, are counted in whole numbers.
        unit = self.pairs[0] if (self.pairs == self.pairs[0]).all() else 1
        weights = unit / self.pairs
        steps = np.bincount(candidate, change * weights[row], minlength=len(self.epsilons))
        sums: Floats = ((self.start * weights)[chosen].sum() + np.cumsum(steps)) / unit
        return sums

    def running(self, on_scale: Callable[[Any, Any], Any]) -> Floats:
        """The sum over rows at each candidate as a running sum of doubles: pair after pair, its row is taken off and
        added again.  The last digits can decide between means that are equal on paper, as in mt-metrics-eval.
        """
        tied = self.candidate == 0
        change = np.where(tied, 0, self.change)
        start = self.start + np.bincount(self.row[tied & (self.change > 0)], minlength=self.rows)
        by_row = np.argsort(self.row, kind="stable")
        ends = np.cumsum(self.pairs)
        sums = np.cumsum(change[by_row])
        after = np.empty(len(change), dtype=np.intp)
        after[by_row] = sums - np.repeat(np.append(0, sums[ends[:-1] - 1]) - start, self.pairs)
        terms = np.empty(2 * len(change) + 1)
        terms[0] = np.cumsum(on_scale(start, self.pairs))[-1]
        terms[1::2] = -on_scale(after - change, self.pairs[self.row])
        terms[2::2] = on_scale(after, self.pairs[self.row])
        last = np.searchsorted(self.candidate, np.arange(len(self.epsilons)), side="right")
        at: Floats = np.cumsum(terms)[2 * last]
        return at


def same_rows(truth: Any, estimate: Any) -> tuple[list[Array], list[Floats]]:
    """The rows of both tables, with the same items."""
    sides = [rows_of(side, name) for side, name in ((truth, "truth"), (estimate, "estimate"))]
    labels = [[list(getattr(side, axis, ())) for axis in ("index", "columns")] for side in (truth, estimate)
              if hasattr(side, "iloc")]  # fmt: skip
    if len(labels) == 2 and labels[0] != labels[1]:
        raise InvalidValueError(("truth", "estimate"), "must have the same rows and columns, in the same order")
    true, found = sides
    if not true or [len(row) for row in true] != [len(row) for row in found]:
        raise InvalidValueError(("truth", "estimate"), "must have the same rows and items, and at least one row")
    for name, rows in (("truth", true), ("estimate", found)):
        for k, row in enumerate(rows):
            if len(row) < 2:
                raise InvalidValueError(
                    name, f"must have two items or more in each row, and row {k + 1} has {len(row)}"
                )
            if np.isnan(row).any() or (name == "estimate" and np.isinf(row).any()):
                what = "a missing" if np.isnan(row).any() else "an infinite"
                raise InvalidValueError(name, f"has {what} value in row {k + 1}", "leave the item out of both")
    return true, [row.astype(np.float64) for row in found]


def rows_of(table: Any, name: str) -> list[Array]:
    """The rows of a table of numbers."""
    table = without_arrow(table)
    given = table.to_numpy() if hasattr(table, "to_numpy") else table
    if isinstance(given, np.ndarray) and given.ndim == 2:
        return list(numeric_vector(given.ravel(), name).reshape(given.shape))
    if not isinstance(given, (list, tuple)) or not all(np.ndim(row) == 1 for row in given):
        raise InvalidTypeError(name, must_be("a table of rows by items, or a list of rows", table))
    return [numeric_vector(row, f"row {k + 1} of {name}") for k, row in enumerate(given)]
