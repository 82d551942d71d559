"""Judges of pairs of answers: which of the two is better, or neither, compared with the truth."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from .._core.errors import InvalidValueError
from .._core.options import LEVEL
from .._core.results import Result
from .._core.text import listed
from .._core.types import Array, Floats, Frame
from ._labels import kappa, nominal
from ._segments import MOST_PARTS, judges_among, refuse_missing, t_limits, table_of

if TYPE_CHECKING:
    import pandas

    Path: TypeAlias = str | os.PathLike[str]

ANSWERS = ("left", "tie", "right")
NUMBERS = {1: 0, 0: 1, -1: 2}
"""The places of numbers among the answers: 1 if the left one is better."""


class Estimate(NamedTuple):
    """A value and the ends of its interval; nan if there is none."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Preference:
    """How a judge prefers answers, compared with the truth.

    Attributes
    ----------
    judge : str
    pairs, decided, both_ways : int
        The pairs; those that neither ties; and those that were judged both ways, each answer once on the left.
    agreement : Estimate
        The share of pairs with the same answer: left, right or tie.
    without_ties : Estimate
        The same of the pairs that neither ties.
    kappa : Estimate
        Cohen's kappa of the three answers; nan if the truth or the judge gives one answer only.
    consistent : Estimate
        Of the pairs judged both ways, the share in which the judge prefers the same answer both times, or ties twice.
    left_bias : Estimate
        Of these pairs, the share in which it prefers the left one both times, minus that of the right one.
    """

    judge: str
    pairs: int
    decided: int
    both_ways: int
    agreement: Estimate
    without_ties: Estimate
    kappa: Estimate
    consistent: Estimate
    left_bias: Estimate


@dataclass(frozen=True, eq=False, repr=False)
class PreferencesResult(Result):
    """How judges prefer answers, compared with the truth.

    `print` shows the table, and so does a notebook.

    Attributes
    ----------
    truth : str
    items : int
    level : float
        The level of the intervals.
    values : tuple of Preference
        Of each judge.
    preferences : pandas.DataFrame
        The same as a table.
    """

    truth: str
    items: int
    level: float
    values: tuple[Preference, ...]

    @property
    def preferences(self) -> pandas.DataFrame:
        return self.frame("preferences")

    def __repr__(self) -> str:
        return f"<PreferencesResult: {listed(one.judge for one in self.values)} against {self.truth}>"


def preferences(
    answers: Frame | Path,
    truth: str = "truth",
    judges: Sequence[str] | None = None,
    *,
    item: str = "item",
    left: str = "left",
    right: str = "right",
    level: float = 0.95,
) -> PreferencesResult:
    """Compare judges of pairs of answers with the truth: do they prefer the same one, and does its side matter?

    Parameters
    ----------
    answers : DataFrame or path
        A row for each pair of answers, with columns of the item, the two systems, the truth and the judges; or a file
        of comma- or tab-separated values or Parquet.  The truth and the judges say "left", "right" or "tie"; or 1, -1
        or 0.
    truth : str
        The column of the truth.
    judges : sequence of str, optional
        The columns of the judges; by default all others.
    item, left, right : str
        The columns of the item, and of the systems on the left and on the right.
    level : float
        The level of the intervals.

    Returns
    -------
    PreferencesResult

    Raises
    ------
    TypeError, ValueError
        If a column is not there, if an answer is missing or another word, or if a pair is there twice the same way.

    Notes
    -----
    Intervals are t intervals with the jackknife over items, over a hundred parts of neighbouring items or over single
    items if there are fewer; they need five.  Whether the side of an answer matters can be told from pairs that were
    judged both ways only.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("q1", "A", "B", "left", "left"), ("q1", "B", "A", "right", "left"), ("q2", "A", "B", "tie", "right")]
    >>> found = preferences(pd.DataFrame(rows, columns=["item", "left", "right", "truth", "model"]))
    >>> one = found.values[0]
    >>> round(one.agreement.value, 2), one.without_ties.value, one.consistent.value, one.left_bias.value
    (0.33, 0.5, 0.0, 1.0)
    """
    level = LEVEL.checked(level)
    table = table_of(answers, item, left, right)
    labels = [item, left, right]
    names = judges_among(table, truth, judges, labels, list(table.columns))
    refuse_missing(table, [*labels, truth, *names], labels)
    same = (table[left] == table[right]).to_numpy()
    if same.any():
        raise InvalidValueError("answers", f"has the same system on both sides in row {int(same.argmax()) + 1}")
    items = table[item].drop_duplicates().tolist()
    places = {one: k * min(MOST_PARTS, len(items)) // len(items) for k, one in enumerate(items)}
    parts = table[item].map(places).to_numpy()
    row_of = {key: k for k, key in enumerate(zip(*(table[name].tolist() for name in labels)))}
    mirrored = [(k, row_of[i, b, a]) for (i, a, b), k in row_of.items() if row_of.get((i, b, a), -1) > k]
    both = np.array(mirrored, dtype=np.intp).reshape(-1, 2)
    true = answers_of(table, truth)
    values = tuple(compared(name, true, answers_of(table, name), parts, both, level) for name in names)
    return PreferencesResult(truth, len(items), level, values)


def answers_of(table: Any, name: str) -> Array:
    """The answers of the truth or of a judge as places among left, tie and right."""
    places = {word: k for k, word in enumerate(ANSWERS)} | NUMBERS
    given = table[name].tolist()
    for k, answer in enumerate(given):
        if not isinstance(answer, (str, int, float)) or isinstance(answer, bool) or answer not in places:
            words = f"{', '.join(ANSWERS)}, or 1, 0 and -1, not {answer!r} in row {k + 1}"
            raise InvalidValueError("answers", f"must have in the column {name!r} one of {words}")
    return np.array([places[answer] for answer in given], dtype=np.intp)


def compared(judge: str, true: Array, found: Array, parts: Array, both: Array, level: float) -> Preference:
    """The numbers of one judge: from the counts of each part of the items, and from those of all others."""
    count = int(parts.max()) + 1
    confusion = np.bincount(parts * 9 + true * 3 + found, minlength=9 * count).reshape(count, 9)
    one, other = found[both[:, 0]], found[both[:, 1]]
    # The answer to the pair the other way round, with the sides as they are in the first.
    ways = np.stack([one == 2 - other, (one == 0) & (other == 0), (one == 2) & (other == 2), np.ones(len(both))], 1)
    sides = np.zeros((count, 4))
    np.add.at(sides, parts[both[:, 0]], ways)
    counts = np.hstack([confusion, sides])
    total = counts.sum(axis=0)
    value = numbers(total)
    without = np.array([numbers(total - part) for part in counts])
    estimates = (Estimate(v, *t_limits(v, without[:, k], level)) for k, v in enumerate(value.tolist()))
    decided = int(total[[0, 2, 6, 8]].sum())
    return Preference(judge, len(true), decided, len(both), *estimates)


def numbers(counts: Floats) -> Floats:
    """The agreement, that without ties, kappa, consistency and bias of these counts."""
    confusion, (same, left, right, both) = counts[:9].reshape(3, 3), counts[9:]
    clear = confusion[::2, ::2]
    varied = all(np.count_nonzero(confusion.sum(axis=axis)) > 1 for axis in (0, 1))
    return np.array(
        [
            np.trace(confusion) / confusion.sum() if confusion.sum() else nan,
            np.trace(clear) / clear.sum() if clear.sum() else nan,
            kappa(confusion, nominal(3)) if varied else nan,
            same / both if both else nan,
            (left - right) / both if both else nan,
        ]
    )
