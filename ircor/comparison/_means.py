"""The mean and the geometric mean over topics, and what the choice does to the ranking of systems."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from .._kernel import Dominance, Ranking
from .._methods import METHODS
from .._result import Column, Result, Table, general
from .._scores import Scores, ScoreTable, tie_means
from .._text import whole_if_whole
from ..averages import gmean
from ..rbase import r_rank

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    from matplotlib.axes import Axes

    from ..averages._means import Zeros

    Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class MeansComparison(Result):
    """The systems by their mean and by their geometric mean over topics.

    Attributes
    ----------
    systems : pandas.DataFrame
        A row for each system, from the best mean down: system, mean, gmean, rank_by_mean and rank_by_gmean.
    tauAP_b : float
        The coefficient between the two rankings; nan for one system.
    swapped : int
        The number of pairs of systems that the two means order in opposite ways.
    eps, zeros
        The rule for zeros.
    notes : tuple of str
        What a reader should know about the data.
    """

    found_systems: Table
    tauAP_b: float
    swapped: int
    eps: float
    zeros: str
    means: tuple[Array, Array]
    names: tuple[Hashable, ...]
    notes: tuple[str, ...] = ()

    @property
    def systems(self) -> pandas.DataFrame:
        return self.found_systems.frame()

    def tables(self) -> list[Table]:
        return [self.found_systems]

    def sentences(self) -> list[str]:
        m = len(self.names)
        if m < 2:
            return []
        return [
            f"The two means order {self.swapped} of {m * (m - 1) // 2} pairs of systems in opposite ways; "
            f"tauAP_b = {self.tauAP_b:.3f}."
        ]

    def as_dict(self) -> dict[str, Any]:
        return super().as_dict() | {"eps": self.eps, "zeros": self.zeros, "tauAP_b": self.tauAP_b}

    def plot(self, ax: Axes | None = None, *, labels: Sequence[str] = ("mean", "geometric mean")) -> Axes:
        """Draw both means of every system: `ircor.plots.moves`."""
        from ..plots import moves

        return moves(*self.means, names=self.names, labels=labels, ax=ax)

    def __repr__(self) -> str:
        return f"<MeansComparison of {len(self.names)} systems: tauAP_b = {self.tauAP_b:.4g}>"


def compare_means(scores: ScoreTable, *, eps: float = 1e-5, zeros: Zeros = "add") -> MeansComparison:
    """Rank systems by their mean and by their geometric mean over topics (Robertson, CIKM 2006).

    Parameters
    ----------
    scores : 2-D array or DataFrame
        Topics by systems, from 0 up.
    eps, zeros
        As for `ircor.averages.gmean`.

    Returns
    -------
    MeansComparison

    Raises
    ------
    TypeError, ValueError
        As `ircor.averages.gmean` does.

    Examples
    --------
    >>> from ircor.comparison import compare_means
    >>> print(compare_means([[0.9, 0.5], [0.3, 0.2], [0.001, 0.2]]))
    system    mean  geometric mean  rank by mean  rank by geometric mean
         0  0.4003          0.0648             1                       2
         1  0.3000          0.2714             2                       1
    <BLANKLINE>
    The two means order 1 of 1 pairs of systems in opposite ways; tauAP_b = -1.000.
    """
    table = Scores.of(scores, "scores", rankable=False)
    means, gmeans = table.values.mean(axis=0), np.asarray(gmean(table, eps=eps, zeros=zeros), dtype=np.float64)
    # Means that differ by rounding alone are ties.
    tied = [tie_means(values, table.size) for values in (means, gmeans)]
    ranks = [r_rank(-values) for values in tied]
    swapped, agreement = 0, nan
    if table.m > 1:
        swapped = Dominance(*(Ranking(values) for values in tied)).discordant
        agreement = METHODS["tauAP_b"](tied[0], tied[1])
    columns = [
        Column("system"),
        Column("mean"),
        Column("gmean", "geometric\nmean"),
        Column("rank_by_mean", "rank by\nmean", general),
        Column("rank_by_gmean", "rank by\ngeometric mean", general),
    ]
    rows = [
        (table.systems[k], float(means[k]), float(gmeans[k]), *(whole_if_whole(rank[k]) for rank in ranks))
        for k in np.lexsort((ranks[1], ranks[0]))
    ]
    notes = (table.note,) if table.note else ()
    return MeansComparison(
        Table("systems", columns, rows), agreement, swapped, eps, zeros, (means, gmeans), table.systems, notes
    )
