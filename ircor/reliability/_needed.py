"""How many topics a ranking of systems needs: the expected coefficient against the number of topics."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from .._options import fraction, shown, whole_number
from .._parallel import random_blocks
from .._progress import Progress
from .._result import Column, Result, Table, general
from .._scores import ScoreTable
from .._text import in_thousands
from ._chances import Method, Ranked, checked_method
from ._components import Estimate, whole
from ._curve import MOST_TOPICS, Curve, crossing, least, whole_topics
from ._effects import Effects
from ._expected import notes_on_equal

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    from matplotlib.axes import Axes

    Array = npt.NDArray[np.float64]

TOPICS = (25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750, 1000)
"""The numbers of topics of the curve, beside that of the table."""

DRAWS_BEYOND = 2
"""Of the draws, at least so many must be beyond each end of an interval, or a note says so."""


@dataclass(frozen=True, eq=False, repr=False)
class TopicsNeeded(Result):
    """The expected coefficient against the number of topics, and the least number that reaches the target.

    Attributes
    ----------
    needed, low, high : int, or inf
        The least number of topics with which the expected coefficient reaches the target, and the ends of its interval;
        inf if a million topics are not enough.
    target, level : float
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
    """

    needed: float
    low: float
    high: float
    target: float
    level: float
    method: Method
    found_curve: Table = field(repr=False)
    topics: int
    systems: int
    equal_pairs: int
    resamples: int
    seed: int
    notes: tuple[str, ...] = ()
    uneven: bool = False

    @property
    def curve(self) -> pandas.DataFrame:
        return self.found_curve.frame()

    @property
    def own(self) -> Estimate:
        row = next(row for row in self.found_curve.rows if row[0] == self.topics)
        return Estimate(*row[1:4])

    def tables(self) -> list[Table]:
        columns = [Column("target", text=general), Column("method")]
        columns += [Column(key, title, whole) for key, title in NEEDED.items()]
        return [
            self.found_curve,
            Table("needed", columns, [(self.target, self.method, self.needed, self.low, self.high)]),
        ]

    def sentences(self) -> list[str]:
        return [self.said("")]

    def said(self, measure: str) -> str:
        """The expected coefficient and the topics needed in words, with the name of the measure if there is one."""
        value, low, high = self.own
        interval = f"{100 * self.level:g}% interval"
        said = (
            f"With {in_thousands(self.topics, 'topic')}, the ranking of the {self.systems} systems"
            f"{' by ' * bool(measure)}{measure} is expected to have {self.method} {value:.3f} with the true one "
            f"({interval} {low:.3f} to {high:.3f}). {self.needed_said(interval)}"
        )
        if self.uneven:
            said += " But the systems seem to be in clusters, or some far from the others: then this promises too much."
        return said

    def needed_said(self, interval: str) -> str:
        """The least number of topics in a sentence."""
        if not isfinite(self.needed):
            least = f" ({interval} {self.low:,} topics or more)" if isfinite(self.low) else ""
            return f"With {MOST_TOPICS:,} topics, {self.method} {self.target:g} is not reached{least}."
        ends = f"{self.low:,} to {self.high:,}" if isfinite(self.high) else f"{self.low:,} or more"
        topics = "topic is" if self.needed == 1 else "topics are"
        return f"For {self.method} {self.target:g}, {self.needed:,} {topics} needed ({interval} {ends})."

    def as_dict(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "target": self.target,
            "needed": self.needed,
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "curve": self.found_curve.records(),
            "topics": self.topics,
            "systems": self.systems,
            "equal_pairs": self.equal_pairs,
            "resamples": self.resamples,
            "seed": self.seed,
            "reached": isfinite(self.needed),
            "uneven": self.uneven,
            "notes": self.notes,
        }

    def plot(self, ax: Axes | None = None, *, name: str = "this collection") -> Axes:
        """Draw the curve with its interval, the size of the table and the topics needed: `ircor.plots.curve`."""
        from ..plots import curve

        topics, *rest = map(list, zip(*(row[:4] for row in self.found_curve.rows)))
        title = f"Expected {self.method} of {self.systems} systems with the true ranking"
        return curve(
            topics,
            *rest,
            own=self.topics,
            target=self.target,
            needed=(self.needed, self.low, self.high),
            name=name,
            band=f"{100 * self.level:g}% interval",
            label=f"expected {self.method}",
            title=title,
            ax=ax,
        )

    def __repr__(self) -> str:
        return f"<TopicsNeeded: {whole(self.needed)} for {self.method} {self.target:g}, of {self.topics}>"


NEEDED = {"needed": "topics\nneeded", "low": "low", "high": "high"}


def topics_needed(
    X: ScoreTable,
    target: float = 0.9,
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
    target : float
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
    >>> found = topics_needed(ircor.sample("map"), 0.9, seed=1)
    >>> found.needed, found.low, found.high
    (53, 33, 96)
    """
    target, level = fraction(target, "target"), fraction(level, "level")
    name, resamples = checked_method(method), whole_number(resamples, "resamples")
    ranked = Ranked.of(X)
    effects, n = Effects.of(ranked), ranked.scores.n
    seed, blocks = random_blocks(seed, resamples)
    curve = Curve(effects, name, level, blocks, n_jobs)
    topics = sorted({*TOPICS, n})
    curve.add(topics, progress)
    needed = least(curve.value, target, topics)
    # The upper end reaches the target first.
    low, high = (whole_topics(crossing(end, target, topics)) for end in (curve.high, curve.low))
    columns = [Column("topics"), Column("expected"), Column("low"), Column("high"), Column("note")]
    rows = [(count, *curve.at(count), "this table" if count == n else "") for count in topics]
    notes = [
        *filter(None, [ranked.scores.note]),
        *notes_on_equal(ranked, partial(curve.undecided, n), name),
        *effects.notes(),
        *notes_on_draws(resamples, level),
    ]
    return TopicsNeeded(
        needed,
        # The ends are found less exactly.
        min(low, needed),
        max(high, needed),
        target,
        level,
        name,
        Table("curve", columns, rows),
        n,
        ranked.scores.m,
        int(ranked.equal.sum()),
        resamples,
        seed,
        tuple(notes),
        effects.squares.f > 1 and effects.uneven,
    )


def notes_on_draws(resamples: int, level: float) -> list[str]:
    """Whether the draws are too few for the ends of the interval."""
    least = ceil(2 * DRAWS_BEYOND / (1 - level) - 1e-9)
    if resamples >= least:
        return []
    return [f"{resamples} draws are few for the ends of a {100 * level:g}% interval: take {least} or more"]


def expected_curve(X: ScoreTable, topics: Iterable[int]) -> Array:
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
        raise TypeError(f"'topics' must be some numbers of topics, not {shown(topics)}")
    counts = [whole_number(count, "topics") for count in topics]
    effects = Effects.of(Ranked.of(X))
    return np.array([effects.tau(count) for count in counts])
