"""The scores that `evaluate` and `bcubed` return: named tuples that print as tables and show in notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .._result import Column, Table


def harmonic_mean(a: float, b: float) -> float:
    """2 a b / (a + b); 0 if both are 0."""
    return 0.0 if a == b == 0 else 2 * a * b / (a + b)


class RS(NamedTuple):
    """Reliability, Sensitivity and their harmonic mean, which the paper calls R*S.

    Attributes
    ----------
    reliability, sensitivity, f : float
        R, S and 2 R S / (R + S).

    Examples
    --------
    >>> print(RS(0.5, 1.0, 2 / 3))
    reliability  sensitivity       f
         0.5000       1.0000  0.6667
    """

    reliability: float
    sensitivity: float
    f: float

    def __str__(self) -> str:
        return score_table(RS._fields, [self]).as_text()

    def _repr_html_(self) -> str:
        return score_table(RS._fields, [self]).as_html()


class RSResult(NamedTuple):
    """The scores of an organization for its priority relations and for its clustering relations.

    Attributes
    ----------
    priority, clustering : RS

    Examples
    --------
    >>> print(RSResult(RS(0.64, 0.59, 0.61), RS(1.0, 1.0, 1.0)))
    relations   reliability  sensitivity       f
    priority         0.6400       0.5900  0.6100
    clustering       1.0000       1.0000  1.0000
    """

    priority: RS
    clustering: RS

    def _table(self) -> Table:
        return score_table(("relations", *RS._fields), [(kind, *scores) for kind, scores in self._asdict().items()])

    def __str__(self) -> str:
        return self._table().as_text()

    def _repr_html_(self) -> str:
        return self._table().as_html()


class BCubed(NamedTuple):
    """BCubed precision, BCubed recall and their harmonic mean.

    Attributes
    ----------
    precision, recall, f : float

    Examples
    --------
    >>> print(BCubed(0.5, 1.0, 2 / 3))
    precision  recall       f
       0.5000  1.0000  0.6667
    """

    precision: float
    recall: float
    f: float

    def __str__(self) -> str:
        return score_table(BCubed._fields, [self]).as_text()

    def _repr_html_(self) -> str:
        return score_table(BCubed._fields, [self]).as_html()


def score_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """A table of scores; the scores are floats and the labels of the rows are not."""
    return Table("scores", [Column(name) for name in columns], rows)
