"""How much a coefficient between two rankings of systems varies with the sample of topics."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard, cast

from .._core.checks import CoverageWarning
from .._core.errors import InvalidValueError, must_be
from .._core.methods import RBO, any_method_of, method_of
from .._core.options import LEVEL, TARGET, Target
from .._core.results import Result
from .._core.text import coverage_clause
from .._core.types import AnyMethodName, CoefficientName, Floats, Ties
from .._core.work import Progress, Resampling
from ..data import Scores, ScoreSource
from ._intervals import StatisticIntervals, coverage_caveat, intervals
from ._simulation import Statistic, Term


@dataclass(frozen=True, eq=False)
class BootstrapResult(Result):
    """A coefficient between two rankings of systems, with an interval for what it estimates.

    Attributes
    ----------
    statistic : float
        The coefficient, or the difference of two coefficients, on the topics as given.
    low, high : float
        The ends of the interval; nan if the coefficient is undefined.
    level : float
        The level of the interval.
    target : {"expected", "sample", "population"}
        What the interval covers.
    estimate : float
        The estimate of the target: the statistic itself, or for the population the value that fits the sample best.
    topics : int
        The number of topics in the sample.
    distribution : numpy.ndarray
        The statistic in simulated samples of topics.
    seed : int
        The seed that reproduces the simulation.
    parts : tuple of BootstrapResult
        The two coefficients, if the statistic is their difference.
    name : str
        The statistic: the name of a coefficient, such as "tau_b", or a difference, such as "tauAP_b - tau_b".
    """

    statistic: float
    low: float
    high: float
    level: float
    target: Target
    estimate: float
    topics: int
    distribution: Floats = field(repr=False)
    seed: int
    parts: tuple[BootstrapResult, ...] = field(default=(), repr=False)
    name: str = ""

    @property
    def resamples(self) -> int:
        """The number of simulated samples."""
        return len(self.distribution)


def bootstrap(
    X: ScoreSource,
    Y: ScoreSource | tuple[ScoreSource, ScoreSource],
    statistic: AnyMethodName | Sequence[CoefficientName] = "tau_b",
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    *,
    target: Target = "expected",
    level: float = 0.95,
    progress: Progress = None,
    p: float | None = None,
    ties: Ties | None = None,
) -> BootstrapResult:
    """Compute an interval for a coefficient between two rankings of systems, by simulating samples of topics.

    The systems are ranked by their mean scores in X and by their mean scores in Y: under two measures, for instance, or
    with two sets of relevance judgments.  Another sample of topics would give other means, and another coefficient.

    Parameters
    ----------
    X, Y : 2-D array or DataFrame
        Scores, topics by systems.  DataFrames are matched by the names of topics and systems, arrays by position.  Y
        can be a pair of tables; the statistic is then the difference between their coefficients with X.  The topics of
        a Polars or Arrow table can be in a column of a usual name, such as "topic" or "qid".  A DataFrame has them in
        its index, and is refused if it has such a column too, or if its axes are named for systems in rows.
    statistic : str or pair of str
        The name of a coefficient.  A pair stands for a difference, the first minus the second.  If Y is a pair too, the
        first coefficient is computed with the first table and the second with the second.  "rbo" is rank-biased
        overlap, as for `cor`; it cannot be in a difference, whose intervals were not measured.
    resamples : int
        The number of simulated samples of topics.  With fewer than 100, the interval is computed from 100.
    seed : int, optional
        The seed of the random numbers, 0 or more.  Drawn if None; reported in the result.
    n_jobs : int, optional
        As for `cor`.  It does not change the outcome.
    target : {"expected", "sample", "population"}
        What the interval is for.

        - "expected": the mean of the coefficient over samples of as many topics.  The coefficient is an unbiased
          estimate of it.
        - "sample": the coefficient in another sample of as many topics.  This is a prediction interval, and the widest.
        - "population": the coefficient between the true means of the systems, over all topics there could be.  The
          noise of a sample usually makes two rankings less alike than they are, so the coefficient is too low, and this
          interval can lie above it.
    level : float
        The level of the interval.
    progress : callable or bool, optional
        A callback that gets the number of finished tasks and the number of all tasks; False for none.  By default, work
        that takes more than two seconds shows a bar in a terminal.  The population takes three rounds of work.
    p, ties
        For "rbo": as for `cor`.

    Returns
    -------
    BootstrapResult

    Raises
    ------
    TypeError, ValueError
        If a table has values that are not finite numbers, if topics or systems do not match, or if the coefficient
        refuses ties and two systems have the same mean.

    Warns
    -----
    CoverageWarning
        If the interval may hold its target less often than its level says: with fewer than 5 systems or 15 topics, and
        for the difference of two coefficients in the population.

    Notes
    -----
    To resample the topics with replacement adds the noise of a second sample to that of the first, so the resampled
    coefficients show neither other samples nor the population: their percentile interval can exclude the coefficient
    that it is computed from.  Instead, the noise is taken off the means before another is added.  The page on coverage
    in the documentation has the model, and how often intervals of each kind held their target in simulations.

    Systems whose means differ by rounding alone are tied.  The simulated means have no ties, but for systems with the
    same scores on all topics of all tables.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = rng.random((50, 1)) + rng.random((50, 20)) * np.linspace(0.5, 1, 20)
    >>> Y = X + rng.normal(0, 0.3, (50, 20))
    >>> result = bootstrap(X, Y, "tauAP_b", resamples=1000, seed=1)
    >>> round(result.statistic, 3), round(result.low, 3), round(result.high, 3)
    (0.611, 0.391, 0.791)
    >>> print(result.sentences()[0])  # doctest: +NORMALIZE_WHITESPACE
    tauAP_b is 0.6107. The 95% confidence interval for its mean over samples of 50 topics
    is 0.3909 to 0.7909.
    >>> population = bootstrap(X, Y, "tauAP_b", resamples=1000, seed=1, target="population")
    >>> round(population.estimate, 3), round(population.low, 3), round(population.high, 3)
    (0.789, 0.417, 1.0)
    """
    names = [statistic] if isinstance(statistic, str) else statistic
    if not isinstance(names, (list, tuple)) or not 1 <= len(names) <= 2:
        raise InvalidValueError("statistic", must_be("the name of a coefficient or a pair of names", statistic))
    tables: list[ScoreSource] = list(Y) if is_pair_of_tables(Y) else [cast(ScoreSource, Y)]
    if len(names) == len(tables) == 1:
        methods = [any_method_of(names[0], p, ties, "statistic")]
    elif (p, ties) == (None, None) and RBO not in names:
        methods = [method_of(name, "statistic") for name in names]
    elif RBO not in names:
        raise InvalidValueError(("p", "ties"), "are for statistic='rbo'")
    else:
        raise InvalidValueError("statistic", "cannot be a difference with 'rbo'", "its interval was not measured")
    level, target = LEVEL.checked(level), TARGET.checked(target)
    work = Resampling.of(resamples, seed, n_jobs, progress)
    x = Scores.of(X)
    ys = [x.aligned(Scores.of(table, "Y")) for table in tables]
    if len(ys) == 1:
        terms, titles = [Term(method, 1) for method in methods], [str(method.name) for method in methods]
    else:
        terms = [Term(methods[0], 1), Term(methods[-1], 2)]
        titles = [f"{term.method.name}(X, Y{term.table})" for term in terms]
    statistics = [Statistic(title, (term,)) for title, term in zip(titles, terms)]
    if len(terms) == 2:
        statistics.append(Statistic(" - ".join(titles), tuple(terms)))
    if why := coverage_caveat(x.m, x.n, len(terms) == 2, target):
        words = coverage_clause(why.reason, why.least)
        warnings.warn(f"{words}: see the page on coverage", CoverageWarning, stacklevel=2)
    seed, computed = intervals([x, *ys], statistics, [target], level, work)
    *parts, result = (of_target(s, one, target, level, x.n, seed) for s, one in zip(statistics, computed))
    return replace(result, parts=tuple(parts))


def is_pair_of_tables(Y: Any) -> TypeGuard[tuple[ScoreSource, ScoreSource]]:
    """Whether Y is two tables; a list of two lists is one table of two topics."""
    return (
        isinstance(Y, (tuple, list))
        and len(Y) == 2
        and all(isinstance(table, Scores) or hasattr(table, "shape") for table in Y)
    )


def of_target(
    statistic: Statistic, computed: StatisticIntervals, target: Target, level: float, topics: int, seed: int
) -> BootstrapResult:
    """The result for one target."""
    estimate, low, high = computed.limits[target]
    return BootstrapResult(
        computed.statistic, low, high, level, target, estimate, topics, computed.simulated, seed, (), statistic.name
    )
