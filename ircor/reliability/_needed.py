"""How many topics a ranking of systems needs: the expected coefficient against the number of topics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import InvalidTypeError, must_be
from .._core.options import DRAWS, GOAL, LEVEL, N_JOBS, NAME, RELIABILITY_METHOD, SEED, takes, whole_number
from .._core.results import Result
from .._core.types import Floats
from .._core.work import Progress, Resampling, random_blocks, watched
from ..data import ScoreSource
from ._components import Estimate, Generalizability, generalizability
from ._curve import MOST_TOPICS, Curve, Effects, crossing, least, whole_topics
from ._expected import ESTIMATORS, METHODS, Caveat, Expected, Method, RankedSystems, equal_pairs, expected, readers_note
from ._places import Places, places

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

TOPICS = (25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750, 1000)
"""The numbers of topics of the curve, beside that of the table."""

DRAWS_BEYOND = 2
"""Of the draws, at least so many must be beyond each end of an interval, or a note says so."""


@dataclass(frozen=True)
class CurvePoint:
    """The expected coefficient with a number of topics."""

    topics: int
    expected: Estimate


@dataclass(frozen=True, eq=False, repr=False)
class TopicsNeeded(Result):
    """The expected coefficient against the number of topics, and the least number that reaches the goal.

    Attributes
    ----------
    needed, low, high : int, or inf
        The least number of topics with which the expected coefficient reaches the goal, and the ends of its interval;
        inf if `most_topics` are not enough.
    goal, level : float
    method : {"tau", "tauAP"}
    curve : pandas.DataFrame
        A row for each number of topics: topics, expected, low and high, and a note that marks the table's own.
    own : Estimate
        The row for as many topics as the table has: value, low and high.
    topics, systems : int
        How many the table has.
    equal_pairs : int
        The number of pairs of systems that are equal on every topic.
    resamples, seed : int
        The number of draws of true means behind the intervals, and the seed that repeats them.
    notes : tuple of str
        What a reader should know about the data.
    uneven : bool
        Whether the systems seem to be in clusters, or some far from the others.  Then the curve is too high, and a note
        says so.
    most_topics : int
        Up to so many topics were tried.
    """

    needed: float
    low: float
    high: float
    goal: float
    level: float
    method: Method
    points: tuple[CurvePoint, ...] = field(repr=False)
    topics: int
    systems: int
    equal_pairs: int
    resamples: int
    seed: int
    caveats: tuple[Caveat, ...] = ()
    most_topics: int = MOST_TOPICS

    @property
    def curve(self) -> pandas.DataFrame:
        return self.frame("curve")

    @property
    def own(self) -> Estimate:
        return next(point.expected for point in self.points if point.topics == self.topics)

    @property
    def uneven(self) -> bool:
        return any(caveat.kind == "uneven" for caveat in self.caveats)

    def plot(self, ax: Axes | None = None, *, name: str = "this collection") -> Axes:
        """Draw the curve with its interval, the size of the table and the topics needed: `ircor.plots.curve`."""
        axes: Axes = self.view.plot(ax, name=name)
        return axes

    def __repr__(self) -> str:
        needed = f"{self.needed:g}" if isfinite(self.needed) else "none"
        return f"<TopicsNeeded: {needed} for {self.method} {self.goal:g}, of {self.topics}>"


def topics_needed(
    X: ScoreSource,
    goal: float = 0.9,
    method: Method = "tau",
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> TopicsNeeded:
    """Estimate how the ranking of these systems gets closer to the true one with more topics, and how many are enough.

    Parameters
    ----------
    X : 2-D array or DataFrame
        Scores, topics by systems, as for `expected`.
    goal : float
        The coefficient to reach, between 0 and 1.
    method : {"tau", "tauAP"}
        The coefficient.
    level : float
        The level of the intervals.
    resamples : int
        The number of draws of true means for the intervals.
    seed : int, optional
        The seed of the random numbers, 0 or more.  Drawn if None; reported in the result.  The intervals depend on it,
        and for "tauAP" the curve.
    n_jobs : int, optional
        As for `ircor.cor`.  It does not change the outcome.
    progress : callable or bool, optional
        As for `ircor.bootstrap`.

    Returns
    -------
    TopicsNeeded
        `needed` with its interval, and the `curve` for 25 to 1,000 topics and for those of the table.

    Raises
    ------
    TypeError, ValueError
        As `expected` does, and if an option is out of range.

    See Also
    --------
    expected : the estimators of Urbano and Marrero, for the topics of the table.
    expected_curve : the curve of tau alone, for any numbers of topics.

    Notes
    -----
    To put another number of topics into the formula of `expected` takes the observed differences between systems for
    the true ones.  The noise of the topics makes the observed ones larger, so that this promises too much: down to a
    fifth of the topics that are really needed, in the simulations on the page on coverage.  Here the observed means are
    first drawn together, by about their reliability.  What is left unknown of each difference is added again: see
    `expected_curve`.  For "tauAP", which depends on the places of the systems too, the curve is the mean over draws of
    the true means.

    The intervals come from draws of all true means at once, given the scores: of the noise of the topics, with the
    correlations between systems that it has, and of the reliability itself.  They are for these systems and other
    topics of the same kind.

    Examples
    --------
    >>> import ircor
    >>> from ircor.reliability import topics_needed
    >>> topics = topics_needed(ircor.sample("map"), 0.9, seed=1)
    >>> topics.needed, topics.low, topics.high
    (53, 33, 96)
    """
    goal, level, name = GOAL.checked(goal), LEVEL.checked(level), RELIABILITY_METHOD.checked(method)
    work = Resampling.of(resamples, seed, n_jobs, progress)
    ranked = RankedSystems.of(X)
    effects, n = Effects.of(ranked), ranked.scores.n
    drawn_seed, blocks = random_blocks(work.seed, work.resamples)
    curve = Curve(effects, name, level, blocks, work.n_jobs)
    topics = sorted({*TOPICS, n})
    curve.add(topics, work.progress)
    with watched(None, work.progress):
        needed = least(curve.value, goal, topics)
        # The upper end reaches the goal first.
        low, high = (whole_topics(crossing(end, goal, topics)) for end in (curve.high, curve.low))
    caveats = [
        *readers_note(ranked.scores),
        *equal_pairs(ranked, partial(curve.undecided, n), name),
        *effects.caveats(),
        *few_draws(work.resamples, level),
    ]
    return TopicsNeeded(
        needed,
        # The ends are found less exactly.
        min(low, needed),
        max(high, needed),
        goal,
        level,
        name,
        tuple(CurvePoint(count, curve.at(count)) for count in topics),
        n,
        ranked.scores.m,
        int(ranked.equal.sum()),
        work.resamples,
        drawn_seed,
        tuple(caveats),
    )


def few_draws(resamples: int, level: float) -> list[Caveat]:
    """Whether the draws are too few for the ends of the interval."""
    enough = ceil(2 * DRAWS_BEYOND / (1 - level) - 1e-9)
    return [] if resamples >= enough else [Caveat("few draws", count=resamples, least=enough, level=level)]


def expected_curve(X: ScoreSource, topics: Iterable[int]) -> Floats:
    """The expected tau with the true ranking of these systems by other numbers of topics.

    Parameters
    ----------
    X : 2-D array or DataFrame
        Scores, topics by systems, as for `expected`.
    topics : iterable of int
        The numbers of topics.

    Returns
    -------
    numpy.ndarray
        The expected tau for each number of topics.

    Raises
    ------
    TypeError, ValueError
        As `expected` does, and if a number of topics is not a whole number, 1 or more.

    See Also
    --------
    topics_needed : with intervals.

    Notes
    -----
    Let z be the observed difference of two systems, in standard deviations as "ML" of `expected` estimates them, n the
    number of topics of the table and m that of its systems, and F the ratio of the mean squares of systems and of the
    interaction.  The observed means are drawn together as James and Stein do it, by ::

        b = 1 - (m - 3) / (m - 1) / F

    with 1 instead of m - 3 for less than four systems, and 0 if that is negative.  The true difference u is taken for
    normal with the mean b z and the variance b / n.  A sample of k topics has the two systems in the wrong order with
    the chance ``Phi(-sqrt(k) |u|)``, Phi the normal distribution.  Its mean over u has a closed form, with Owen's
    function T::

        P(k) = 2 T(b z / sqrt(b / n + 1 / k), sqrt(n / (b k)))

    The expected tau follows from these chances as in `expected`.

    Examples
    --------
    >>> import ircor
    >>> from ircor.reliability import expected_curve
    >>> expected_curve(ircor.sample("map"), [25, 50, 100]).round(3).tolist()
    [0.857, 0.898, 0.927]
    """
    if not isinstance(topics, Iterable):
        raise InvalidTypeError("topics", must_be("some numbers of topics", topics))
    counts = [whole_number(count, "topics") for count in topics]
    effects = Effects.of(RankedSystems.of(X))
    return np.array([effects.tau(count) for count in counts])


@dataclass(frozen=True, eq=False, repr=False)
class Reliability(Result):
    """How reliable the ranking of systems by one table of scores is.

    Attributes
    ----------
    name : str
        What the scores are called, or "".
    needed : TopicsNeeded
        The expected coefficient against the number of topics, with the topics needed.
    expected : tuple of Expected
        Each coefficient by each estimator of Urbano and Marrero.
    generalizability : Generalizability
        Variance components, E rho^2 and Phi.
    places : Places
        The places of each system that another sample of topics would leave.
    notes : tuple of str
        What a reader should know about the data.
    """

    name: str
    needed: TopicsNeeded
    expected: tuple[Expected, ...]
    generalizability: Generalizability
    places: Places

    def plot(self, ax: Axes | None = None, *, name: str = "this collection") -> Axes:
        """Draw the expected coefficient against the number of topics: `ircor.plots.curve`."""
        return self.needed.plot(ax, name=name)

    def __repr__(self) -> str:
        return f"<Reliability {self.name}: {self.needed!r}, {self.generalizability!r}>"


@takes(GOAL, RELIABILITY_METHOD, NAME, LEVEL, DRAWS, SEED, N_JOBS)
def summary(
    X: ScoreSource,
    goal: float = 0.9,
    method: Method = "tau",
    *,
    name: str = "",
    level: float = 0.95,
    resamples: int = 1000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> Reliability:
    """Say how reliable the ranking of systems by a table of scores is: what `ircor reliability` prints.

    Parameters
    ----------
    X : 2-D array or DataFrame
        Scores, topics by systems, as for `expected`.
    goal, method, level, resamples, seed, n_jobs, progress
        As for `topics_needed`.  The resamples of the estimator "RES" are as many, and the goal of `generalizability` is
        its own, 0.95.  The sets of places have as many draws as `places` takes by default.
    name : str
        The name of the scores, in sentences and pictures.

    Returns
    -------
    Reliability

    Raises
    ------
    TypeError, ValueError
        As `topics_needed` does.

    Examples
    --------
    >>> import ircor
    >>> from ircor.reliability import summary
    >>> of_map = summary(ircor.sample("map"), name="map", seed=1)
    >>> round(of_map.needed.own.value, 3), of_map.needed.needed, round(of_map.generalizability.e_rho2.value, 3)
    (0.898, 53, 0.967)
    """
    scores = RankedSystems.of(X).scores
    draws: dict[str, Any] = {"seed": seed, "resamples": resamples}
    with watched(None, progress):
        needed = topics_needed(scores, goal, method, level=level, n_jobs=n_jobs, progress=progress, **draws)
        draws["seed"] = needed.seed
        estimates = tuple(expected(scores, one, by, **draws) for by in ESTIMATORS for one in METHODS)
        sets = places(scores, level, seed=needed.seed, n_jobs=n_jobs, progress=progress, name=name)
        return Reliability(name, needed, estimates, generalizability(scores, level=level), sets)
