"""How much a coefficient between two rankings of systems varies with the sample of topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from .._methods import Method, method_of
from .._options import fraction, shown, whole_number
from .._progress import Progress
from .._result import Column, Result, Table, decimals, general
from .._scores import Scores
from .._text import counted
from ._resampling import Resampled, Resampling

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BootstrapResult(Result):
    """A coefficient between two rankings of systems, with its percentile interval over samples of topics.

    Attributes
    ----------
    statistic : float
        The coefficient, or the difference of two coefficients, on the topics as given.
    low, high : float
        The ends of the percentile interval.
    level : float
        The confidence level of the interval.
    distribution : numpy.ndarray
        The value on each resample; nan where it is undefined.  The interval ignores nan.
    seed : int
        The seed that reproduces the resamples.
    parts : tuple of BootstrapResult
        The two coefficients, if the statistic is their difference.
    name : str
        The statistic: the name of a coefficient, such as "tau_b", or a difference, such as "tauAP_b - tau_b".
    """

    statistic: float
    low: float
    high: float
    level: float
    distribution: Array = field(repr=False)
    seed: int
    parts: tuple[BootstrapResult, ...] = field(default=(), repr=False)
    name: str = ""

    @property
    def undefined(self) -> int:
        """The number of resamples on which the statistic is undefined."""
        return int(np.isnan(self.distribution).sum())

    @property
    def resamples(self) -> int:
        """The number of resamples."""
        return len(self.distribution)

    def tables(self) -> list[Table]:
        """One row for the statistic; for a difference, the rows of the two coefficients come first."""
        columns = [
            Column("name", "coefficient"),
            Column("statistic", "value"),
            Column("low"),
            Column("high"),
            Column("level", text=general),
            Column("resamples"),
            Column("seed"),
        ]
        rows = [
            (one.name, one.statistic, one.low, one.high, one.level, one.resamples, one.seed)
            for one in (*self.parts, self)
        ]
        return [Table("bootstrap", columns, rows)]

    def sentences(self) -> list[str]:
        """The interval in words, with the number of resamples that it ignores."""
        name = self.name or "The statistic"
        if isnan(self.low):
            said = f"{name} is {decimals(self.statistic)}, and undefined on every resample of the topics."
        else:
            said = (
                f"{name} is {decimals(self.statistic)}, and its {100 * self.level:g}% percentile interval over "
                f"{counted(self.resamples, 'resample')} of the topics is {self.low:.4f} to {self.high:.4f}."
            )
            if self.undefined:
                said += f" It is undefined on {counted(self.undefined, 'resample')}, which the interval ignores."
        return [said]


def bootstrap(
    X: Any,
    Y: Any,
    statistic: str | tuple[str, str] = "tau_b",
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    *,
    level: float = 0.95,
    progress: Progress = None,
) -> BootstrapResult:
    """Compute a percentile interval for a coefficient between two rankings of systems, by resampling the topics.

    The systems are ranked by their mean scores in X and by their mean scores in Y: under two measures, for instance, or
    in two collections.  Topics are drawn with replacement, the same for X and Y, and the coefficient is computed for
    each sample.

    Parameters
    ----------
    X, Y : 2-D array or DataFrame
        Scores, topics by systems.  DataFrames are matched by the names of topics and systems, arrays by position.  Y
        can be a pair of tables; the statistic is then the difference between their coefficients with X.
    statistic : str or pair of str
        The name of a coefficient.  A pair stands for a difference, the first minus the second.  If Y is a pair too, the
        first coefficient is computed with the first table and the second with the second.
    resamples : int
        The number of samples of topics.
    seed : int, optional
        The seed of the random numbers, 0 or more.  Drawn if None; reported in the result.
    n_jobs : int, optional
        As for `cor`.  It does not change the outcome.
    level : float
        The confidence level of the interval.
    progress : callable or bool, optional
        A callback that gets the number of finished tasks and the number of all tasks; False for none.  By default, work
        that takes more than two seconds shows a bar in a terminal.

    Returns
    -------
    BootstrapResult

    Raises
    ------
    TypeError, ValueError
        If a table has values that are not finite numbers, if topics or systems do not match, or if the coefficient
        refuses ties and two systems have the same mean in a resample.

    Notes
    -----
    Systems whose means differ by rounding alone are tied.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = rng.random((50, 1)) + rng.random((50, 20)) * np.linspace(0.5, 1, 20)
    >>> Y = X + rng.normal(0, 0.3, (50, 20))
    >>> result = bootstrap(X, Y, "tauAP_b", resamples=1000, seed=1)
    >>> round(result.statistic, 3), round(result.low, 3), round(result.high, 3)
    (0.611, 0.429, 0.762)
    >>> print(result)
    coefficient   value     low    high  level  resamples  seed
    tauAP_b      0.6107  0.4286  0.7615   0.95       1000     1
    <BLANKLINE>
    tauAP_b is 0.6107, and its 95% percentile interval over 1000 resamples of the topics is 0.4286 to 0.7615.
    """
    names = [statistic] if isinstance(statistic, str) else statistic
    if not isinstance(names, (list, tuple)) or not 1 <= len(names) <= 2:
        raise ValueError(f"'statistic' must be the name of a coefficient or a pair of names, not {shown(statistic)}")
    methods = [method_of(name, "statistic") for name in names]
    tables = list(Y) if is_pair(Y) else [Y]
    resamples, level = whole_number(resamples, "resamples"), fraction(level, "level")
    x = Scores.of(X)
    ys = [x.aligned(Scores.of(table, "Y")) for table in tables]
    if len(ys) == 1:
        comparisons, titles = [(ys[0], methods)], [method.name for method in methods]
    else:
        one, other = methods[0], methods[-1]
        comparisons, titles = [(ys[0], [one]), (ys[1], [other])], [f"{one.name}(X, Y1)", f"{other.name}(X, Y2)"]
    resampling = Resampling(x, comparisons, stop_at_ties=True)
    seed, outcomes = resampling.run(resamples, seed, n_jobs, progress)
    # An error has been raised, so no outcome is one.
    resampled = cast("list[Resampled]", outcomes)
    parts = tuple(interval(title, outcome, level, seed) for title, outcome in zip(titles, resampled))
    if len(parts) == 1:
        return parts[0]
    first, second = parts
    difference = Resampled(first.statistic - second.statistic, first.distribution - second.distribution)
    return interval(" - ".join(titles), difference, level, seed, parts)


def is_pair(Y: Any) -> bool:
    """Whether Y is two tables; a list of two lists is one table of two topics."""
    return (
        isinstance(Y, (tuple, list))
        and len(Y) == 2
        and all(isinstance(table, Scores) or hasattr(table, "shape") for table in Y)
    )


def resample_all(
    x: Scores,
    y: Scores,
    methods: Sequence[Method],
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    *,
    level: float = 0.95,
    progress: Progress = None,
) -> dict[str, BootstrapResult | ValueError]:
    """Compute the intervals of several coefficients on the same resamples, each of which is ranked once.

    Parameters
    ----------
    x, y : Scores
        The same topics and systems in the same order: y is `x.aligned(...)`.
    methods : sequence of Method
        The coefficients.
    resamples, seed, n_jobs, level, progress
        As for `bootstrap`.

    Returns
    -------
    dict
        By the name of the method: the result of `bootstrap` with the same seed, or, for a method that refuses ties, the
        error that `bootstrap` raises.
    """
    resamples, level = whole_number(resamples, "resamples"), fraction(level, "level")
    resampling = Resampling(x, [(y, methods)], stop_at_ties=False)
    seed, outcomes = resampling.run(resamples, seed, n_jobs, progress)
    results: dict[str, BootstrapResult | ValueError] = {}
    for method, outcome in zip(methods, outcomes):
        if isinstance(outcome, ValueError):
            results[method.name] = outcome
        else:
            results[method.name] = interval(method.name, outcome, level, seed)
    return results


def interval(
    name: str, outcome: Resampled, level: float, seed: int, parts: tuple[BootstrapResult, ...] = ()
) -> BootstrapResult:
    """Add the percentile interval of the resampled values, without those that are nan."""
    defined = outcome.distribution[~np.isnan(outcome.distribution)]
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]).tolist() if defined.size else (nan, nan)
    return BootstrapResult(outcome.observed, low, high, level, outcome.distribution, seed, parts, name)
