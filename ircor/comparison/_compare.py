"""Two tables of scores of the same systems: rankings side by side, coefficients, rank distance, and a conclusion."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from .._core.errors import Argument, InvalidValueError, Source, TiesError
from .._core.methods import TAU_B, Method, added_overlap, methods_of
from .._core.names import given_measures
from .._core.options import LEVEL, METHODS_COMPARED, N_JOBS, NAMES, RESAMPLES, SEED, TARGET, TIES, P, Target, takes
from .._core.results import Result
from .._core.text import counted, listed, whole_if_whole
from .._core.types import CoefficientName, Ties
from .._core.work import Progress, Resampling, watched
from ..data import Scores, ScoreSource, scores_by_measure
from ..rank_distance import DrankResult, Verdict, ranking_tests, verdict_between
from ..rbase import r_rank
from ..reliability import Caveat, Estimate, PlaceChanges, changes_in_study, has_reliability, own_expected
from ..statistics import (
    CoverageCaveat,
    Significance,
    Statistic,
    Term,
    coverage_caveat,
    intervals,
    significant_pairs,
    soft_accuracy_of,
)
from ._measures import MeasureTable, tabulate

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

DRAWN_SHARE, LEAST_DRAWN, LEAST_BEYOND = 0.1, 400, 10
"""The intervals of the reliability get this share of the samples, at least so many, and so many beyond each end."""


@dataclass(frozen=True)
class SystemMove:
    """The means and ranks of a system in A and in B, and the ranks that it gains; tied systems share a mean rank."""

    system: Hashable
    mean_a: float
    mean_b: float
    rank_a: float
    rank_b: float
    move: float


@dataclass(frozen=True)
class CoefficientInterval:
    """A coefficient with its interval; without numbers if it refuses the ties of the means."""

    method: Method
    value: Any = None
    low: Any = None
    high: Any = None


@dataclass(frozen=True)
class Flip:
    """A pair that differs significantly in A and is in the opposite order in B; differences are better minus worse."""

    better: Hashable
    worse: Hashable
    difference_a: float
    difference_b: float
    significant: bool


@dataclass(frozen=True)
class OwnReliability:
    """The expected tau between one ranking of systems and its own true one, and what limits it."""

    source: str
    topics: int
    expected: Estimate
    caveats: tuple[Caveat, ...]


@dataclass(frozen=True)
class SignificantPairs:
    """The pairs of systems that differ significantly in A, and what B makes of them.

    Attributes
    ----------
    significance : Significance
        The tests in A.
    share_in_same_order : float
        The share of these pairs that B orders alike; nan if there are none.
    soft_accuracy : float
        `ircor.soft_pairwise_accuracy` of all pairs, with the p-values of these tests.
    flips : tuple of Flip
        Those in the opposite order, from the greatest difference in A down.
    """

    significance: Significance
    share_in_same_order: float
    soft_accuracy: float
    flips: tuple[Flip, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """How two tables of scores rank the same systems.

    `print` shows all of it, and so does a notebook.

    Attributes
    ----------
    names : tuple of str
        What the two tables are called.
    systems : pandas.DataFrame
        A row for each system, from the best in A down: system, mean_a, mean_b, rank_a, rank_b and move, the number of
        ranks that the system gains from A to B.  Tied systems share the mean of their ranks.
    coefficients : pandas.DataFrame
        A row for each coefficient: coefficient, value, low and high (the interval for `target`), and note, which says
        why a value is missing, and has the p and the ties of rank-biased overlap.
    target : {"expected", "sample", "population"}
        What the intervals are for: `ircor.bootstrap`.
    level : float
        The level of the intervals.
    distance : ircor.rank_distance.DrankResult or None
        The rank distance of B from A, and its test against another sample of topics.  None if all systems have the same
        mean in A or in B, which is no ranking, or if A has fewer than three topics.
    significant : SignificantPairs
        The pairs of systems that differ significantly in A, with a correction for the number of pairs, and the share of
        them that B orders alike.  Carterette's discriminative power, which has no correction, is
        `ircor.rank_distance.discriminative_power`.
    soft_accuracy : float
        `ircor.soft_pairwise_accuracy` with the p-values of paired t tests.
    flips : pandas.DataFrame
        A row for each pair that differs significantly in A and is in the opposite order in B, from the greatest
        difference in A down: better and worse (in A), difference_a and difference_b (of their means, better minus
        worse), and significant, whether the difference in B is significant too.
    reliability : pandas.DataFrame
        A row for each of the two: source, topics, and expected, the expected tau between its ranking of the systems and
        its true ranking, with low and high, its interval: `ircor.reliability.topics_needed`.  A table with fewer than
        three topics, or with the same scores for all systems, has no row.
    changes : ircor.reliability.PlaceChanges or None
        The sets of places of each system in A and in B, and which systems surely move: that of
        `ircor.reliability.place_changes`.  None if all systems have the same mean in A or in B.
    conclusion : str
        What the numbers say: the verdict of the test, tau_b with its interval, and the pairs that differ significantly.
    notes : tuple of str
        What a reader should know about the data: missing scores, different topics.
    resamples, seed : int
        The number of simulated samples of topics, and the seed that repeats them.
    """

    names: tuple[str, str]
    moves: tuple[SystemMove, ...]
    intervals: tuple[CoefficientInterval, ...]
    verdict: Verdict
    significant: SignificantPairs
    reliabilities: tuple[OwnReliability, ...]
    target: Target
    level: float
    resamples: int
    seed: int
    same_topics: bool
    caveat: CoverageCaveat | None
    sides: tuple[Scores, Scores] = field(repr=False)
    changes: PlaceChanges | None = field(default=None, repr=False)

    @property
    def systems(self) -> pandas.DataFrame:
        return self.frame("systems")

    @property
    def coefficients(self) -> pandas.DataFrame:
        return self.frame("coefficients")

    @property
    def flips(self) -> pandas.DataFrame:
        return self.frame("flips")

    @property
    def reliability(self) -> pandas.DataFrame:
        return self.frame("reliability")

    @property
    def distance(self) -> DrankResult | None:
        return self.verdict.distance

    @property
    def soft_accuracy(self) -> float:
        return self.significant.soft_accuracy

    @property
    def conclusion(self) -> str:
        view: Any = self.view
        return str(view.conclusion())

    def plot(self, ax: Axes | None = None, *, labels: Sequence[str] | None = None) -> Axes:
        """Draw the two rankings side by side, with the systems joined by lines: `ircor.plots.slope`."""
        axes: Axes = self.view.plot(ax, labels=labels)
        return axes

    def __repr__(self) -> str:
        return f"<Comparison of {self.names[0]} and {self.names[1]}: {self.conclusion}>"


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(Result):
    """How three or more tables of scores rank the same systems: a coefficient of each pair, and each comparison.

    Attributes
    ----------
    table : MeasureTable
        tau_b of each pair.
    pairs : tuple of Comparison
        The comparison of each pair; the reference is the one that comes first.
    """

    table: MeasureTable
    pairs: tuple[Comparison, ...]

    def pair(self, a: str, b: str) -> Comparison:
        """The comparison of two of them, by their names in the order in which they were given."""
        for one in self.pairs:
            if one.names == (a, b):
                return one
        known = listed((f"{one.names[0]} and {one.names[1]}" for one in self.pairs), 6)
        raise InvalidValueError(None, f"there is no comparison of {a} and {b}", f"there are those of {known}")

    def plot(self, ax: Axes | None = None, *, labels: Sequence[str] | None = None) -> Axes:
        """Draw tau_b of each pair as a heat map: `ircor.plots.table`."""
        axes: Axes = self.view.plot(ax, labels=labels)
        return axes

    def __repr__(self) -> str:
        return f"<Comparisons of {', '.join(map(str, self.table.coefficients.columns))}>"


@overload
def compare(
    A: ScoreSource,
    B: ScoreSource,
    *,
    measures: str | Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    methods: Sequence[CoefficientName] = ("tau", "tau_b", "tauAP", "tauAP_b"),
    target: Target = "expected",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    p: float | None = None,
    ties: Ties | None = None,
) -> Comparison: ...


@overload
def compare(
    A: ScoreSource,
    B: None = None,
    *,
    measures: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    methods: Sequence[CoefficientName] = ("tau", "tau_b", "tauAP", "tauAP_b"),
    target: Target = "expected",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    p: float | None = None,
    ties: Ties | None = None,
) -> Comparison | Comparisons: ...


@takes(NAMES, METHODS_COMPARED, TARGET, LEVEL, RESAMPLES, SEED, N_JOBS, P, TIES)
def compare(
    A: ScoreSource,
    B: ScoreSource | None = None,
    *,
    measures: str | Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    methods: Sequence[CoefficientName] = ("tau", "tau_b", "tauAP", "tauAP_b"),
    target: Target = "expected",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    p: float | None = None,
    ties: Ties | None = None,
) -> Comparison | Comparisons:
    """Compare two measures, or two collections, by how they rank the same systems.

    The question is whether B ranks the systems differently from A by more than another sample of topics, scored as in
    A, would.  The answer is the two-sample test of the rank distance: `ircor.rank_distance.drank_test`.

    Parameters
    ----------
    A, B : array, DataFrame, path, mapping or ranx object
        Scores, topics by systems, in any form that `ircor.trec.read_scores` reads: arrays, DataFrames, files, nested
        mappings, or objects of other packages.  A is the reference: the rank distance is that of B's ranking given the
        scores in A, and so are the pairs of systems that differ significantly.  Scores with names are matched by the
        names of the systems, arrays by position.  The topics are the same if their names are or, without names, if
        their numbers are.  Without B, two or more measures of A are compared.
    measures : str or list of str, optional
        The measures to compare, if A has several; the first is the reference.  With B, one measure of both, or that of
        A and that of B.
    names : sequence of str, optional
        The names of the rankings, in tables and in the conclusion; by default the measures, or A and B.
    methods : sequence of str
        The coefficients; tau_b is always among them.
    target : {"expected", "sample", "population"}
        What the intervals are for: `ircor.bootstrap`.
    level : float
        The level of the intervals.
    resamples : int
        The number of simulated samples of topics for the intervals; the test takes a fifth of that, but at least 99,
        and the intervals of the reliability a tenth, but at least 400.
    seed : int, optional
        The seed of the random numbers, 0 or more.  Drawn if None; reported in the result.
    n_jobs : int, optional
        As for `ircor.cor`.
    progress : callable or bool, optional
        As for `ircor.bootstrap`.
    p : float, optional
        Adds rank-biased overlap with this persistence to the coefficients, as for `ircor.cor`.
    ties : {"w", "a", "b"}, optional
        The treatment of ties in rank-biased overlap; by default "a".

    Returns
    -------
    Comparison or Comparisons
        `Comparisons` of three measures or more: tau_b of all pairs, and the `Comparison` of each.

    Raises
    ------
    TypeError, ValueError
        If a table is not one of finite scores with two topics and two systems or more, if the systems differ, or if
        there is nothing to compare.

    Examples
    --------
    >>> import ircor
    >>> AP, P10 = ircor.sample("map"), ircor.sample("P_10")
    >>> result = ircor.compare(AP, P10, names=("map", "P_10"), resamples=1000, seed=1)
    >>> result.systems.head(2)[["system", "rank_a", "rank_b", "move"]].values.tolist()
    [['J2', 1, 1.0, 0.0], ['J3', 2, 2.0, 0.0]]
    >>> round(result.distance.statistic, 3), round(result.distance.pvalue, 2), result.significant.share_in_same_order
    (2.203, 0.98, 1.0)
    >>> tau_b = result.coefficients.set_index("coefficient").loc["tau_b"]
    >>> [round(float(tau_b[key]), 3) for key in ("value", "low", "high")]
    [0.916, 0.864, 0.955]
    """
    sides = sides_of(A, B, measures, names)
    target, level = TARGET.checked(target), LEVEL.checked(level)
    work = Resampling.of(resamples, seed, n_jobs, progress)
    chosen = methods_of(methods)
    computed = [*chosen, *([] if TAU_B in chosen else [TAU_B]), *added_overlap(p, ties)]
    pairs: list[Comparison] = []
    with watched(None, progress):
        for a, b in combinations(sides, 2):
            pairs.append(comparison_of(a, b, computed, target, level, work))
            work = work.with_seed(pairs[-1].seed)
    if len(pairs) == 1:
        return pairs[0]
    return Comparisons(tabulate({side.name: side for side in sides}), tuple(pairs))


def sides_of(A: Any, B: Any, measures: Any, names: Any) -> list[Scores]:
    """The tables to compare, each under its name."""
    wanted, given = given_measures(measures), None if names is None else NAMES.checked(names)
    if B is None:
        by_measure = scores_by_measure(A, "A", wanted)
        if len(by_measure) < 2 or (len(by_measure) > 2 and not wanted):
            raise nothing_to_compare(by_measure)
        sides = list(by_measure.values())
        called: Sequence[str] = given or list(by_measure)
    else:
        if wanted and len(wanted) > 2:
            raise InvalidValueError("measures", f"must be one or two, that of A and that of B, not {len(wanted)}")
        chosen = (wanted[0], wanted[-1]) if wanted else (None, None)
        called = given or (list(wanted) if wanted and len(wanted) == 2 else ["A", "B"])
        sides = [only_measure(X, name, measure) for X, name, measure in zip((A, B), called, chosen)]
    if len(called) != len(sides):
        must = f"must have one name for each of the {len(sides)} rankings, not {listed(called)}"
        raise InvalidValueError("names", must)
    return [replace(side, name=name) for side, name in zip(sides, called)]


def nothing_to_compare(by_measure: Mapping[str, Scores]) -> InvalidValueError:
    """The error for one source of which no measures are chosen, or that has only one."""
    there = f"it has {listed(by_measure, 8)}" if any(by_measure) else "it does not name its measures"
    remedy = ("choose two of its measures or more with ", Argument("measures"), ", or give ", Argument("B"))
    return InvalidValueError(None, ("there is nothing to compare ", Argument("A"), f" with: {there}"), remedy)


def only_measure(X: Any, name: str, measure: str | None) -> Scores:
    """The scores of one measure."""
    if measure is None:
        return Scores.of(X, name)
    (scores,) = scores_by_measure(X, name, [measure]).values()
    return scores


def comparison_of(
    a: Scores, b: Scores, methods: Sequence[Method], target: Target, level: float, work: Resampling
) -> Comparison:
    """Compare the rankings of two tables."""
    same_topics = a.n == b.n and (not (a.named and b.named) or set(a.topics) == set(b.topics))
    if a.named and b.named and not same_topics:
        refuse_common_topics(a, b)
    b = a.aligned(b, topics=same_topics)
    called = (a.name, b.name)
    with_intervals, work = coefficients_of(methods, a, b, same_topics, target, level, work)
    (distance,) = ranking_tests(a, [b], work)
    return Comparison(
        called,
        moves_between(a, b),
        with_intervals,
        verdict_between(a, b, distance, called),
        pairs_between(a, b, work),
        tuple(own_reliability(side, side.name, level, work) for side in (a, b) if has_reliability(side)),
        target,
        level,
        work.resamples,
        work.seed,
        same_topics,
        coverage_caveat(a.m, min(a.n, b.n), False, target),
        (a, b),
        changes_in_study(a, b, called, level, same_topics, work) if a.ranks_systems and b.ranks_systems else None,
    )


def moves_between(a: Scores, b: Scores) -> tuple[SystemMove, ...]:
    """The means and ranks of every system, from the best in A down; ties by their ranks in B, then by name."""
    ranks = [r_rank(-side.means) for side in (a, b)]
    order = sorted(range(a.m), key=lambda k: (ranks[0][k], ranks[1][k], str(a.systems[k])))
    return tuple(
        SystemMove(
            a.systems[k],
            float(a.means[k]),
            float(b.means[k]),
            *(whole_if_whole(number) for number in (ranks[0][k], ranks[1][k], ranks[0][k] - ranks[1][k])),
        )
        for k in order
    )


def pairs_between(a: Scores, b: Scores, work: Resampling) -> SignificantPairs:
    """The pairs that differ significantly in A, and their order in B."""
    significance, other = (significant_pairs(side, seed=work.seed, n_jobs=work.n_jobs) for side in (a, b))
    ranks = a.ranks(b)
    flips = [
        Flip(
            a.systems[i],
            a.systems[j],
            float(a.means[i] - a.means[j]),
            float(b.means[i] - b.means[j]),
            bool(other.signs[i, j]),
        )
        for i, j in np.argwhere((significance.signs > 0) & (ranks[:, None] < ranks))
    ]
    flips.sort(key=lambda flip: (-flip.difference_a, flip.difference_b, str((flip.better, flip.worse))))
    share, soft = significance.share_in_same_order(ranks), soft_accuracy_of(significance, other)
    return SignificantPairs(significance, share, soft, tuple(flips))


def own_reliability(side: Scores, name: str, level: float, work: Resampling) -> OwnReliability:
    """The expected tau of a ranking with its own true ranking."""
    draws = max(int(DRAWN_SHARE * work.resamples), LEAST_DRAWN, ceil(LEAST_BEYOND / (1 - level)))
    expected, caveats = own_expected(side, level, replace(work, resamples=draws))
    return OwnReliability(name, side.n, expected, tuple(caveats))


def refuse_common_topics(a: Scores, b: Scores) -> None:
    """Raise if two tables have some topics in common: they are neither the same topics nor two separate samples."""
    common = set(a.topics).intersection(b.topics)
    if common:
        more = len(set(a.topics).symmetric_difference(b.topics))
        raise InvalidValueError(
            (Source(a.name), Source(b.name)),
            f"have {counted(len(common), 'topic')} in common and {more} not",
            "keep the topics that both have, or topics of which they have none in common",
        )
    if set(map(str, a.topics)).intersection(map(str, b.topics)):
        raise InvalidValueError(
            None,
            (
                *("the topics of ", Source(a.name), " and ", Source(b.name)),
                f" are alike as text, but {a.topics[0]!r} is not {b.topics[0]!r}",
            ),
            "give both the same type",
        )


def coefficients_of(
    methods: Sequence[Method], a: Scores, b: Scores, same_topics: bool, target: Target, level: float, work: Resampling
) -> tuple[tuple[CoefficientInterval, ...], Resampling]:
    """The coefficients with their intervals, and the work with the seed that was drawn."""
    rows: dict[str, CoefficientInterval] = {method.name: CoefficientInterval(method) for method in methods}
    statistics = []
    for method in methods:
        statistic = Statistic(method.name, (Term(method, 1),))
        try:
            statistic.observed((a, b))
            statistics.append(statistic)
        except TiesError:  # two systems have the same mean
            continue
    seed, simulated = intervals((a, b), statistics, [target], level, work, same_topics)
    for statistic, one in zip(statistics, simulated):
        method = statistic.terms[0].method
        rows[method.name] = CoefficientInterval(method, one.statistic, *one.limits[target][1:])
    return tuple(rows.values()), work.with_seed(seed)
