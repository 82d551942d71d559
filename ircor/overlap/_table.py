"""Rank-biased overlap of many runs against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .._core.errors import InvalidValueError
from .._core.options import Missing, OverlapScore, RunTies
from .._core.results import Result
from .._core.types import Floats
from .._core.work import Progress, in_parallel, slices
from .._extras import extra
from .._kernel.items import Items
from .._kernel.overlap import overlaps_of_pairs
from ..trec import Runs, systems_of
from ._runs import RankedRuns, RunCaveat, RunOptions, names_of_runs, refuse_without_common_topics

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    from matplotlib.axes import Axes

EQUAL_OVERLAPS = 1e-9
"""Overlaps no farther apart than this are equal."""


@dataclass(frozen=True)
class PairOverlap:
    """The mean overlap of two runs, and how many other pairs have the same."""

    one: Any
    other: Any
    overlap: float
    equal: int


@dataclass(frozen=True, eq=False, repr=False)
class OverlapTable(Result):
    """The mean rank-biased overlap of each pair of runs.

    Attributes
    ----------
    p, ties, depth, score
        As for `rbo_table`.
    overlaps : pandas.DataFrame
        The mean over the topics, for each pair of runs.
    residuals : pandas.DataFrame
        The mean residual, max - min: how much of the overlap the unknown ranks can decide.
    topics : pandas.DataFrame
        The number of topics.
    notes : tuple of str
        What a reader should know about the data.
    """

    p: float
    ties: RunTies
    depth: int | None
    score: OverlapScore
    overlaps: pandas.DataFrame
    residuals: pandas.DataFrame
    topics: pandas.DataFrame
    caveats: tuple[RunCaveat, ...] = ()

    @property
    def greatest_residual(self) -> float:
        """The greatest residual of two runs."""
        return float(self.residuals.to_numpy()[~np.eye(len(self.residuals), dtype=bool)].max())

    @property
    def of_pairs(self) -> Floats:
        """The overlap of each pair of two runs, once: the rows of the table above its diagonal."""
        values: Floats = self.overlaps.to_numpy()[np.triu_indices(len(self.overlaps), 1)]
        return values

    @property
    def least(self) -> PairOverlap:
        """The first of the pairs with the least overlap."""
        return self.pair(int(self.of_pairs.argmin()))

    @property
    def greatest(self) -> PairOverlap:
        """The first of the pairs with the greatest overlap."""
        return self.pair(int(self.of_pairs.argmax()))

    @property
    def median(self) -> float:
        """The median overlap of the pairs."""
        return float(np.median(self.of_pairs))

    def pair(self, k: int) -> PairOverlap:
        """The pair in this place of `of_pairs`."""
        names, values = self.overlaps.columns, self.of_pairs
        one, other = (int(places[k]) for places in np.triu_indices(len(names), 1))
        equal = int((np.abs(values - values[k]) <= EQUAL_OVERLAPS).sum()) - 1
        return PairOverlap(names[one], names[other], float(values[k]), equal)

    def plot(
        self, ax: Axes | None = None, *, labels: Sequence[str] | None = None, limits: Sequence[float] | None = None
    ) -> Axes:
        """Draw the overlaps as a heat map: `ircor.plots.table`; `labels` stand for the names of the runs."""
        axes: Axes = self.view.plot(ax, labels=labels, limits=limits)
        return axes

    def __repr__(self) -> str:
        return f"<OverlapTable of {', '.join(map(str, self.overlaps.columns))}>"


def rbo_table(
    runs: Runs,
    p: float,
    ties: RunTies = "a",
    depth: int | None = None,
    *,
    score: OverlapScore = "ext",
    missing: Missing = "error",
    n_jobs: int | None = None,
    progress: Progress = None,
) -> OverlapTable:
    """Mean rank-biased overlap of all runs with each other.

    Parameters
    ----------
    runs : path, list of paths, mapping or table
        The runs, in any form that `ircor.trec.score` takes: files, a folder, a pattern such as ``"runs/*.run"``,
        {name: run}, or a table with a column of systems.
    p, ties, depth, score, missing
        As for `rbo_runs`.  Topics that a run does not have are handled for each pair of runs, so that each mean is
        that of `rbo_runs`.
    n_jobs : int, optional
        As for `ircor.cor`.
    progress : callable or bool, optional
        As for `ircor.bootstrap`.

    Returns
    -------
    OverlapTable

    Raises
    ------
    TypeError, ValueError
        As from `rbo_runs`; or if there are fewer than two runs.

    Examples
    --------
    >>> runs = {
    ...     "one": {"1": {"d1": 9.5, "d7": 8.0, "d2": 7.5}, "2": {"d5": 3.0, "d6": 2.0}},
    ...     "two": {"1": {"d1": 0.9, "d2": 0.4, "d7": 0.3}, "2": {"d6": 0.8, "d5": 0.5}},
    ...     "three": {"1": {"d1": 12, "d2": 11, "d7": 10}, "2": {"d9": 12, "d5": 11}},
    ... }
    >>> print(rbo_table(runs, p=0.9))
    RBO       one     two   three
    one    1.0000  0.9275  0.7025
    two    0.9275  1.0000  0.7250
    three  0.7025  0.7250  1.0000
    <BLANKLINE>
    The overlaps of the 3 pairs of runs are between 0.7025 (one and three) and 0.9275 (one and two), median 0.7250.
    <BLANKLINE>
    Means over 2 topics. Ranks below the last known ones leave a range of 0.5883 open, or less (res).
    """
    options = RunOptions(p, ties, depth, score, missing)
    DataFrame = extra("pandas", "a table of overlaps").DataFrame

    ranked = RankedRuns(options)
    if isinstance(runs, (list, tuple)) and not runs:
        raise InvalidValueError("runs", "is empty")
    count, systems = systems_of(runs, text=False)
    if count < 2:
        raise InvalidValueError(None, "there is one run only, and nothing to compare it with")
    for system in systems:
        ranked.add(system)
    names, caveats = names_of_runs(ranked.systems)
    refuse_without_common_topics(ranked.runs, names)
    topics = ranked.topics()
    caveats += [*ranked.caveats(names), *ranked.absent_topics(topics, names)]
    sums, common = sums_over_topics(ranked, topics, n_jobs, progress)
    counts = common
    if options.missing == "zero":
        # The topics that one of two runs has, or both.
        sizes = np.array([len(run) for run in ranked.runs])
        counts = sizes[:, None] + sizes - common
    ext, low, high = sums / counts
    every = {"ext": ext, "min": low, "max": high, "res": high - low}
    overlaps, residuals, numbers = (
        DataFrame(table, index=names, columns=names) for table in (every[options.score], every["res"], counts)
    )
    return OverlapTable(options.p, ties, options.depth, score, overlaps, residuals, numbers, tuple(caveats))


def own_overlap_below_1(ties: str | None, table: pandas.DataFrame) -> bool:
    """Whether a ranking has less than 1 with itself, because the order of its ties is not known."""
    return ties == "a" and not (np.diag(table) > 1 - EQUAL_OVERLAPS).all()


Topic: TypeAlias = "tuple[npt.NDArray[np.intp], list[Items], int]"
"""The runs that have a topic, their rankings, and the number of codes of its documents."""


def sums_over_topics(
    ranked: RankedRuns, topics: Sequence[Any], n_jobs: int | None, progress: Progress
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The sums of ext, min and max of each pair of runs, and the number of topics that both have."""
    runs, options = ranked.runs, ranked.options
    work: list[Topic] = []
    for topic in topics:
        have = [k for k, run in enumerate(runs) if topic in run]
        work.append((np.array(have, dtype=np.intp), [runs[k][topic] for k in have], len(ranked.codes[topic])))
    # A pair of rankings takes as long as its items.
    items = sum(len(ranking) for _, rankings, _ in work for ranking in rankings) * len(runs) // len(topics)
    parts = [work[part] for part in slices(len(topics), max(1, items))]
    sums, common = np.zeros((3, len(runs), len(runs))), np.zeros((len(runs), len(runs)), dtype=np.int64)
    for some, both in in_parallel(partial(sums_of_some, len(runs), options.p, options.number), parts, n_jobs, progress):
        sums += some
        common += both
    return sums, common


def sums_of_some(runs: int, p: float, ties: int, topics: list[Topic]) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The sums over some topics."""
    sums, common = np.zeros((3, runs, runs)), np.zeros((runs, runs), dtype=np.int64)
    for have, rankings, codes in topics:
        pairs = np.column_stack(np.triu_indices(len(have))).astype(np.intp)
        scores = overlaps_of_pairs(rankings, rankings, pairs, codes, p, ties).T
        i, j = have[pairs].T
        sums[:, i, j] += scores
        common[i, j] += 1
    # Of each pair, one order was counted.
    below = np.tril_indices(runs, -1)
    sums[:, below[0], below[1]] = sums[:, below[1], below[0]]
    common[below] = common.T[below]
    return sums, common
