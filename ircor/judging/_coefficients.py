"""Coefficients between the ranking of systems by the truth and those by judges, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import nan
from typing import TypeAlias, cast, get_args

import numpy as np

from .._methods import Method, Tau, method_of
from .._options import fraction, one_of, whole_number
from .._progress import Progress
from .._scores import Scores
from .._types import MethodName
from ..tables._intervals import Found, Target, doubt, intervals
from ..tables._simulation import Statistic, Term, best_systems

# Which systems, by their number at the top or None for all; which judge, by its place; and the name of the coefficient.
Key: TypeAlias = tuple[int | None, int, MethodName]


@dataclass(frozen=True)
class Coefficient:
    """A coefficient, or the difference of two, with its interval.

    Attributes
    ----------
    value : float
        On the topics as given; nan if it is undefined.
    low, high : float
        The ends of the interval; nan if the value is.
    estimate : float
        The estimate of the target: the value itself, or for the population the value that fits the sample best.
    reason : str
        Why there is no value, or "".
    """

    value: float
    low: float = nan
    high: float = nan
    estimate: float = nan
    reason: str = ""


@dataclass(frozen=True)
class Group:
    """Coefficients among the same systems: all of them, or the best.

    Attributes
    ----------
    systems : int
        The number of systems.
    judges : tuple of mapping
        For each judge, and each name of a coefficient: the coefficient with the truth.
    differences : mapping
        For each pair of judges (a, b) with a < b, and each name of a coefficient: that of a minus that of b.
    doubt, difference_doubt : str
        Why the intervals of coefficients, or of differences, may hold their target less often than they should, or "".
    """

    systems: int
    judges: tuple[Mapping[MethodName, Coefficient], ...] = field(repr=False)
    differences: Mapping[tuple[int, int], Mapping[MethodName, Coefficient]] = field(repr=False)
    doubt: str = ""
    difference_doubt: str = ""


@dataclass(frozen=True)
class Coefficients:
    """The coefficients of many judges.

    Attributes
    ----------
    all : Group
        Among all systems.
    top : Group or None
        Among the best systems by the truth.
    target : {"expected", "sample", "population"}
        What the intervals are for.
    level : float
    resamples, seed : int
        What reproduces the simulation.
    """

    all: Group
    top: Group | None
    target: Target
    level: float
    resamples: int
    seed: int


def coefficients(
    truth: Scores,
    judges: Sequence[Scores],
    methods: Sequence[MethodName],
    top: int | None = None,
    target: Target = "expected",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> Coefficients:
    """Compute coefficients between the truth and each judge, and their differences between judges, with intervals.

    One model is fitted to the truth and all judges, and all intervals are from the same simulated samples of topics.
    So the interval of a judge depends a little on which other judges there are.

    Parameters
    ----------
    truth, judges : Scores
        The same topics and systems in the same order.
    methods : sequence of str
        Names of coefficients.
    top : int, optional
        Compute the same among this many systems, the best by the truth.  Those that tie with the last of these are
        included.  In simulated samples, the best of each sample are chosen anew.
    target, level, resamples, seed, n_jobs, progress
        As for `bootstrap`.

    Returns
    -------
    Coefficients
        A coefficient is undefined, with a reason, if the truth or the judge gives all of the systems the same mean, or
        if it refuses ties and there are some.  This has no effect on other judges.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> X = rng.random((50, 1)) + rng.random((50, 20)) * np.linspace(0.5, 1, 20)
    >>> judges = [Scores.of(X + rng.normal(0, noise, X.shape)) for noise in (0.1, 0.5)]
    >>> found = coefficients(Scores.of(X), judges, ["tau_b"], top=5, resamples=1000, seed=1)
    >>> good, bad = (judge["tau_b"] for judge in found.all.judges)
    >>> round(good.value, 2), round(good.low, 2), round(good.high, 2)
    (0.89, 0.81, 0.96)
    >>> difference = found.all.differences[0, 1]["tau_b"]
    >>> round(difference.value, 2), round(difference.low, 2), round(difference.high, 2)
    (0.46, 0.22, 0.7)
    >>> found.top.judges[1]["tau_b"].reason
    ''
    """
    for judge in judges:
        if judge.values.shape != truth.values.shape:
            raise ValueError(
                f"'{truth.name}' is {truth.n} topics by {truth.m} systems, and '{judge.name}' is {judge.n} by {judge.m}"
            )
    target, level = cast(Target, one_of(target, "target", get_args(Target))), fraction(level, "level")
    resamples = whole_number(resamples, "resamples")
    chosen = [method_of(name, "methods") for name in methods]
    tops = [None] if top is None else [None, whole_number(top, "top", least=2)]
    # A table without any distinction has no place in the model, and tables with the same scores share one.
    tables: dict[str, Scores] = {truth.digest: truth}
    tables |= {judge.digest: judge for judge in judges if np.ptp(judge.means) > 0}
    place = {digest: k for k, digest in enumerate(tables)}
    reasons: dict[Key, str] = {}
    terms: dict[Key, Term] = {}
    for head in tops:
        for k, judge in enumerate(judges):
            for method in chosen:
                key = head, k, method.name
                reasons[key] = undefined(method, truth, judge, head)
                if not reasons[key]:
                    terms[key] = Term(method, place[judge.digest], head)
    statistics: dict[tuple[Key, ...], Statistic] = {(key,): Statistic(key[2], (term,)) for key, term in terms.items()}
    for one, other in combinations(terms, 2):
        if (one[0], one[2]) == (other[0], other[2]):
            statistics[one, other] = Statistic(one[2], (terms[one], terms[other]))
    seed, found = intervals(
        list(tables.values()), list(statistics.values()), [target], resamples, seed, n_jobs, level, progress
    )
    results = {keys: with_limits(one, target) for keys, one in zip(statistics, found)}

    def group(head: int | None) -> Group:
        def result(method: Tau, *numbers: int) -> Coefficient:
            keys = tuple((head, k, method.name) for k in numbers)
            return results.get(keys) or Coefficient(nan, reason=next(reasons[key] for key in keys if reasons[key]))

        systems = int(best_systems(truth, head).sum())
        return Group(
            systems,
            tuple({method.name: result(method, k) for method in chosen} for k in range(len(judges))),
            {
                pair: {method.name: result(method, *pair) for method in chosen}
                for pair in combinations(range(len(judges)), 2)
            },
            # Intervals at the top hold as those of all systems do, whatever the size of the top.
            doubt(truth.m, truth.n, False, target),
            doubt(truth.m, truth.n, True, target) if len(judges) > 1 else "",
        )

    whole, *best = map(group, tops)
    return Coefficients(whole, best[0] if best else None, target, level, resamples, seed)


def with_limits(found: Found, target: Target) -> Coefficient:
    estimate, low, high = found.limits[target]
    return Coefficient(found.statistic, low, high, estimate)


def undefined(method: Method, truth: Scores, judge: Scores, top: int | None) -> str:
    """Why there is no coefficient between the truth and a judge, or ""."""
    best = best_systems(truth, top)
    which = "all systems" if best.all() else f"the best {best.sum()} systems"
    for argument, side, who in (("x", truth, "the truth"), ("y", judge, "the judge")):
        different = len(np.unique(side.means[best]))
        if different == 1:
            return f"{who} gives {which} the same mean"
        if argument in method.untied and different < best.sum():
            return f"{who} gives two systems the same mean, and {method.name} is not defined for ties"
    return ""


def coefficients_of_boards(
    truth: Scores, judges: Sequence[Scores], methods: Sequence[MethodName], top: int | None = None
) -> Coefficients:
    """The same for leaderboards, tables of one topic: without topics to resample, there are no intervals."""

    def group(head: int | None) -> Group:
        best = best_systems(truth, head)
        found = []
        for judge in judges:
            values: dict[MethodName, Coefficient] = {}
            for name in methods:
                reason = undefined(method_of(name), truth, judge, head)
                value = nan if reason else method_of(name)(truth.means[best], judge.means[best])
                values[name] = Coefficient(value, reason=reason)
            found.append(values)
        differences = {
            (a, b): {name: difference(found[a][name], found[b][name]) for name in methods}
            for a, b in combinations(range(len(judges)), 2)
        }
        return Group(int(best.sum()), tuple(found), differences)

    return Coefficients(group(None), None if top is None else group(top), "expected", nan, 0, 0)


def difference(one: Coefficient, other: Coefficient) -> Coefficient:
    """The difference of two coefficients without intervals."""
    return Coefficient(one.value - other.value, reason=one.reason or other.reason)
