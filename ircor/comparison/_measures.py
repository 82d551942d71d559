"""All measures against each other: a table of coefficients between their rankings of the systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .._extras import extra
from .._fields import are_counts
from .._methods import Overlap, any_method_of
from .._parallel import in_parallel
from .._progress import Progress
from .._result import Column, Result, Table
from .._scores import Scores, ScoreTable
from .._types import AnyMethodName, Frame, HasItems, Ties
from ..overlap._table import own_ties
from ..rank_distance import drank
from ..tables import cor

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class MeasureTable(Result):
    """A coefficient between each pair of rankings.

    Attributes
    ----------
    method : str
        The coefficient.
    coefficients : pandas.DataFrame
        At (i, j), the coefficient with x = ranking i and y = ranking j.
    distances : pandas.DataFrame or None
        At (i, j) below the diagonal, the rank distance of ranking i from the scores of measure j; nan elsewhere, and
        where one of the two measures is the same for all systems, which is no ranking.
    notes : tuple of str
        What a reader should know about the data.
    p, ties
        The options of rank-biased overlap; None for other coefficients.
    """

    method: AnyMethodName
    coefficients: pandas.DataFrame
    distances: pandas.DataFrame | None
    notes: tuple[str, ...] = ()
    p: float | None = None
    ties: Ties | None = None

    @property
    def cells(self) -> npt.NDArray[np.float64]:
        """The coefficients, with the distances in their place below the diagonal."""
        values: npt.NDArray[np.float64] = self.coefficients.to_numpy(dtype=np.float64).copy()
        if self.distances is not None:
            below = np.tril_indices(len(values), -1)
            values[below] = self.distances.to_numpy()[below]
        return values

    def tables(self) -> list[Table]:
        names = [str(name) for name in self.coefficients.columns]
        rows = [[name, *row] for name, row in zip(names, self.cells.tolist())]
        return [Table("table", [Column(self.method), *map(Column, names)], rows)]

    def sentences(self) -> list[str]:
        said = []
        if self.p is not None:
            said = [f"{self.method}: rank-biased overlap, p = {self.p!r}, ties {self.ties}."]
            said += own_ties(self.ties, self.coefficients)
        if self.distances is None:
            return said
        return [*said, f"Below the diagonal: rank distances of the row from the column; above: {self.method}."]

    def as_dict(self) -> dict[str, Any]:
        options = {} if self.p is None else {"p": self.p, "ties": self.ties}
        return {"method": self.method, **options, "names": list(self.coefficients.columns), "table": self.cells}

    def plot(
        self, ax: Axes | None = None, *, labels: Sequence[str] | None = None, limits: Sequence[float] | None = None
    ) -> Axes:
        """Draw the coefficients as a heat map: `ircor.plots.table`; `labels` stand for the names of the rankings."""
        from ..plots import table

        drawn = self.coefficients
        if labels is not None:
            drawn = drawn.set_axis(list(labels), axis=0).set_axis(list(labels), axis=1)
        return table(drawn, method=self.method, p=self.p, limits=limits, ax=ax)

    def __repr__(self) -> str:
        return f"<MeasureTable of {self.method} between {', '.join(map(str, self.coefficients.columns))}>"


def tabulate(
    scores: HasItems[ScoreTable] | Frame,
    method: AnyMethodName = "tau_b",
    *,
    decreasing: bool | np.bool_ = True,
    drank: bool = False,
    n_jobs: int | None = None,
    progress: Progress = None,
    p: float | None = None,
    ties: Ties | None = None,
) -> MeasureTable:
    """Correlate all measures, or all columns of a table, with each other.

    Parameters
    ----------
    scores : mapping of names to tables, or pandas.DataFrame
        Scores by topic for each measure: a mapping such as ``{"map": ..., "P_10": ...}`` of tables, topics by systems,
        or a DataFrame whose columns have the two levels measure and system, as `ircor.trec.read_eval` returns it.  The
        systems are ranked by their means.  Or a DataFrame of items by rankings.
    method : {"tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b", "rbo"}
        The coefficient, or rank-biased overlap: as for `ircor.cor`.
    decreasing : bool
        As for `ircor.cor`.
    drank : bool
        Whether to add the rank distance of each measure from each before it; this needs scores by topic.  A measure
        with the same mean for all systems does not rank them: its coefficients and distances are nan, and a note says
        so.
    n_jobs : int, optional
        As for `ircor.cor`.
    progress : callable or bool, optional
        As for `ircor.bootstrap`, for the rank distances.
    p, ties
        For "rbo": as for `ircor.cor`.

    Returns
    -------
    MeasureTable

    Raises
    ------
    TypeError, ValueError
        As `ircor.cor` does; if there are fewer than two rankings, or the measures do not have the same systems; or if
        rank distances are asked for without scores by topic.

    Examples
    --------
    >>> import ircor
    >>> from ircor.comparison import tabulate
    >>> print(tabulate(ircor.sample(), "tauAP_b", drank=True))
    tauAP_b        map    P_10    ndcg  recip_rank
    map         1.0000  0.9037  0.8234      0.6068
    P_10        3.2235  1.0000  0.7547      0.5395
    ndcg        1.6957  3.0368  1.0000      0.7537
    recip_rank  7.6701  8.9615  7.7992      1.0000
    <BLANKLINE>
    Below the diagonal: rank distances of the row from the column; above: tauAP_b.
    """
    DataFrame = extra("pandas", "a table of measures").DataFrame

    chosen = any_method_of(method, p, ties)
    by_topic = scores_by_measure(scores)
    if by_topic is None:
        if drank:
            raise ValueError("rank distances need scores by topic, and a table of items by rankings has none")
        rankings = DataFrame(scores)
    else:
        systems = next(iter(by_topic.values())).systems
        rankings = DataFrame({name: table.means for name, table in by_topic.items()}, index=list(systems))
    if rankings.shape[1] < 2:
        raise ValueError("there is only one ranking, and nothing to compare it with")
    coefficients = cor(rankings, method=method, decreasing=decreasing, n_jobs=n_jobs, p=p, ties=ties)
    distances = distances_between(by_topic, n_jobs, progress) if drank and by_topic else None
    notes = tuple(notes_on(by_topic)) if by_topic else ()
    options = (chosen.p, chosen.ties) if isinstance(chosen, Overlap) else (None, None)
    return MeasureTable(chosen.name, coefficients, distances, notes, *options)


def scores_by_measure(scores: Any) -> dict[Any, Scores] | None:
    """The scores of each measure, with the systems in one order; None for a table of items by rankings."""
    if not isinstance(scores, Mapping):
        if getattr(getattr(scores, "columns", None), "nlevels", 1) < 2:
            return None
        scores = {name: scores[name] for name in dict.fromkeys(scores.columns.get_level_values(0))}
    tables = {name: Scores.of(table, str(name)) for name, table in scores.items()}
    if not tables:
        raise ValueError("'scores' has no measures")
    first = next(iter(tables.values()))
    return {name: first.aligned(table, topics=False) for name, table in tables.items()}


def distances_between(by_topic: Mapping[Any, Scores], n_jobs: int | None, progress: Progress) -> pandas.DataFrame:
    """The rank distance of each measure from each before it; nan if one of them does not rank the systems."""
    DataFrame = extra("pandas", "a table of measures").DataFrame

    tables = list(by_topic.values())
    ranks = [table.ranks_systems for table in tables]
    pairs = [(i, j) for i in range(len(tables)) for j in range(i) if ranks[i] and ranks[j]]
    distances = np.full((len(tables), len(tables)), np.nan)
    found = in_parallel(partial(distance, tables), pairs, n_jobs, progress)
    for pair, d in zip(pairs, found):
        distances[pair] = d
    return DataFrame(distances, index=list(by_topic), columns=list(by_topic))


def distance(tables: Sequence[Scores], pair: tuple[int, int]) -> float:
    """The rank distance of one of the tables from another."""
    i, j = pair
    return drank(tables[i], tables[j])


def names_differ(a: Scores, b: Scores) -> bool:
    """Whether two tables have names for their topics, and not the same ones; numbers that count are no names."""
    names = [set(map(str, side.topics)) for side in (a, b) if side.named]
    return len(names) == 2 and names[0] != names[1] and not any(are_counts(list(one)) for one in names)


def notes_on(by_topic: Mapping[Any, Scores]) -> list[str]:
    """What the readers said about missing scores, whether topics differ, and which measures do not rank the systems."""
    flat = [
        f"{name} has the same mean for all systems, which is no ranking: its coefficients and distances are undefined"
        for name, table in by_topic.items()
        if not table.ranks_systems
    ]
    first, *others = by_topic.items()
    differ = [
        f"{first[0]} and {name} have different topics"
        for name, table in others
        if table.n != first[1].n or names_differ(table, first[1])
    ]
    return [*dict.fromkeys(table.note for table in by_topic.values() if table.note), *differ, *flat]
