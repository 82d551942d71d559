"""Measures and averages against each other: coefficients between all measures, and what the geometric mean changes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import InvalidValueError
from .._core.methods import METHODS, OverlapMethod, any_method_of
from .._core.names import are_counts
from .._core.options import (
    DECREASING,
    DRANK,
    EPS,
    METHOD,
    N_JOBS,
    NAN_POLICY,
    TIES,
    ZEROS,
    NanPolicy,
    P,
    Zeros,
    takes,
)
from .._core.results import Result
from .._core.rounding import RoundedColumns, tie_means
from .._core.text import whole_if_whole
from .._core.types import AnyMethodName, Floats, Frame, HasItems, Ties
from .._core.work import Progress, in_parallel
from .._extras import extra
from .._kernel import Dominance, Ranking
from ..averages import gmean
from ..data import Scores, ScoreSource, is_read, scores_by_measure
from ..rank_distance import drank
from ..rbase import r_rank
from ..tables import cor_and_rounding

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class SystemMeans:
    """A system by its mean and by its geometric mean; tied systems share a mean rank."""

    system: Hashable
    mean: float
    gmean: float
    rank_by_mean: float
    rank_by_gmean: float


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
    scores : ircor.data.Scores
        The scores, with the note of their reader.
    notes : tuple of str
        What a reader should know about the data.
    """

    means: tuple[SystemMeans, ...]
    tauAP_b: float
    swapped: int
    eps: float
    zeros: str
    scores: Scores

    @property
    def systems(self) -> pandas.DataFrame:
        return self.frame("systems")

    def plot(self, ax: Axes | None = None, *, labels: Sequence[str] = ("mean", "geometric mean")) -> Axes:
        """Draw both means of every system: `ircor.plots.moves`."""
        axes: Axes = self.view.plot(ax, labels=labels)
        return axes

    def __repr__(self) -> str:
        return f"<MeansComparison of {len(self.means)} systems: tauAP_b = {self.tauAP_b:.4g}>"


@takes(EPS, ZEROS)
def compare_means(scores: ScoreSource, *, eps: float = 1e-5, zeros: Zeros = "add") -> MeansComparison:
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
    systems = tuple(
        SystemMeans(table.systems[k], float(means[k]), float(gmeans[k]), *(whole_if_whole(rank[k]) for rank in ranks))
        for k in np.lexsort((ranks[1], ranks[0]))
    )
    return MeansComparison(systems, agreement, swapped, eps, zeros, table)


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
    unranked : tuple
        The measures that have the same mean for all systems, which is no ranking.
    other_topics : tuple
        The measures whose topics are not those of the first measure.
    reader_notes : tuple of str
        What the readers of the scores say about missing scores.
    notes : tuple of str
        What a reader should know about the data.
    p, ties
        The options of rank-biased overlap; None for other coefficients.
    rounded : RoundedColumns or None
        The rankings of which some values differ by rounding only, which are ties: their `names`, and the number of
        `pairs` of values.
    """

    method: AnyMethodName
    coefficients: pandas.DataFrame
    distances: pandas.DataFrame | None
    unranked: tuple[Hashable, ...] = ()
    other_topics: tuple[Hashable, ...] = ()
    reader_notes: tuple[str, ...] = ()
    p: float | None = None
    ties: Ties | None = None
    rounded: RoundedColumns | None = None

    @property
    def cells(self) -> Floats:
        """The coefficients, with the distances in their place below the diagonal."""
        values: Floats = self.coefficients.to_numpy(dtype=np.float64).copy()
        if self.distances is not None:
            below = np.tril_indices(len(values), -1)
            values[below] = self.distances.to_numpy()[below]
        return values

    def plot(
        self, ax: Axes | None = None, *, labels: Sequence[str] | None = None, limits: Sequence[float] | None = None
    ) -> Axes:
        """Draw the coefficients as a heat map: `ircor.plots.table`; `labels` stand for the names of the rankings."""
        axes: Axes = self.view.plot(ax, labels=labels, limits=limits)
        return axes

    def __repr__(self) -> str:
        return f"<MeasureTable of {self.method} between {', '.join(map(str, self.coefficients.columns))}>"


@takes(METHOD, DECREASING, DRANK, N_JOBS, P, TIES, NAN_POLICY)
def tabulate(
    scores: HasItems[ScoreSource] | Frame | ScoreSource,
    method: AnyMethodName = "tau_b",
    *,
    decreasing: bool | np.bool_ = True,
    drank: bool = False,
    n_jobs: int | None = None,
    progress: Progress = None,
    p: float | None = None,
    ties: Ties | None = None,
    nan_policy: NanPolicy = "raise",
) -> MeasureTable:
    """Correlate all measures, or all columns of a table, with each other.

    Parameters
    ----------
    scores : mapping of names to tables, pandas.DataFrame, path or ranx object
        Scores by topic for each measure: a mapping such as ``{"map": ..., "P_10": ...}`` of tables, topics by systems,
        or whatever `ircor.trec.read_scores` reads.  The systems are ranked by their means.  Or a DataFrame of items by
        rankings, whose values are ties if they differ by rounding only, as for `ircor.cor`; a note says so.
    method : {"tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b", "tau_eq", "acc_eq", "rbo"}
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
    nan_policy : {"raise", "omit", "propagate"}
        For a table of items: as for `ircor.cor`.

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

    coefficient = any_method_of(method, p, ties)
    by_topic = aligned_measures(scores)
    if by_topic is None:
        if drank:
            needed = "rank distances need scores by topic, and a table of items by rankings has none"
            raise InvalidValueError(None, needed)
        rankings = DataFrame(scores)
    else:
        systems = next(iter(by_topic.values())).systems
        rankings = DataFrame({name: table.means for name, table in by_topic.items()}, index=list(systems))
    if rankings.shape[1] < 2:
        raise InvalidValueError(None, "there is only one ranking, and nothing to compare it with")
    coefficients, rounded = cor_and_rounding(
        rankings, None, method, decreasing, n_jobs, p=p, ties=ties, nan_policy=nan_policy
    )
    distances = distances_between(by_topic, n_jobs, progress) if drank and by_topic else None
    options = (coefficient.p, coefficient.ties) if isinstance(coefficient, OverlapMethod) else (None, None)
    of_scores = about_scores(by_topic) if by_topic else ((), (), ())
    return MeasureTable(coefficient.name, coefficients, distances, *of_scores, options[0], options[1], rounded)


def aligned_measures(scores: Any) -> dict[str, Scores] | None:
    """The scores of each measure, with the systems in one order; None for a table of items by rankings."""
    of_items = hasattr(scores, "columns") and getattr(scores.columns, "nlevels", 1) < 2 and not is_read(scores)
    if of_items or not (hasattr(scores, "columns") or is_read(scores)):
        return None
    tables = scores_by_measure(scores, "scores")
    if not tables:
        raise InvalidValueError("scores", "has no measures")
    first = next(iter(tables.values()))
    return {name: first.aligned(table, topics=False) for name, table in tables.items()}


def distances_between(by_topic: Mapping[Any, Scores], n_jobs: int | None, progress: Progress) -> pandas.DataFrame:
    """The rank distance of each measure from each before it; nan if one of them does not rank the systems."""
    DataFrame = extra("pandas", "a table of measures").DataFrame

    tables = list(by_topic.values())
    ranks = [table.ranks_systems for table in tables]
    pairs = [(i, j) for i in range(len(tables)) for j in range(i) if ranks[i] and ranks[j]]
    distances = np.full((len(tables), len(tables)), np.nan)
    for pair, d in zip(pairs, in_parallel(partial(distance, tables), pairs, n_jobs, progress)):
        distances[pair] = d
    return DataFrame(distances, index=list(by_topic), columns=list(by_topic))


def distance(tables: Sequence[Scores], pair: tuple[int, int]) -> float:
    """The rank distance of one of the tables from another."""
    i, j = pair
    return drank(tables[j], tables[i])


def names_differ(a: Scores, b: Scores) -> bool:
    """Whether two tables have names for their topics, and not the same ones; numbers that count are no names."""
    names = [set(map(str, side.topics)) for side in (a, b) if side.named]
    return len(names) == 2 and names[0] != names[1] and not any(are_counts(list(one)) for one in names)


def about_scores(by_topic: Mapping[Any, Scores]) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...], tuple[str, ...]]:
    """The measures that do not rank the systems, those with other topics than the first, and the readers' notes."""
    first, *others = by_topic.values()
    unranked = tuple(name for name, table in by_topic.items() if not table.ranks_systems)
    differ = [table.n != first.n or names_differ(table, first) for table in others]
    other_topics = tuple(name for name, differs in zip(list(by_topic)[1:], differ) if differs)
    return unranked, other_topics, tuple(dict.fromkeys(table.note for table in by_topic.values() if table.note))
