"""Rank-biased overlap of two runs, topic by topic."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._extras import extra
from .._kernel.overlap import overlaps_of_pairs
from .._options import fraction, shown
from .._result import Column, Result, Table
from .._text import counted, percent
from ..trec._collector import Missing
from ..trec._documents import Documents, by_topic
from ..trec._score import System, of_file
from ._interval import ENOUGH, NEAR, Interval, mean_interval
from ._ranked import RankedRuns, RunOptions, RunTies, last_ranks, names_of, refuse_without_common_topics
from ._rbo import SCORES, Overlap, Score

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    from matplotlib.axes import Axes

WHAT: dict[str, str] = {
    "ext": "overlap",
    "min": "least possible overlap",
    "max": "greatest possible overlap",
    "res": "residual overlap",
}


@dataclass(frozen=True, eq=False, repr=False)
class RunsOverlap(Result):
    """The rank-biased overlap of two runs.

    Attributes
    ----------
    names : tuple of str
        The names of the two runs.
    p, ties, depth, score
        As for `rbo_runs`.
    scores : pandas.DataFrame
        For each topic, the scores ext, min, max and res.
    interval : Interval or None
        A confidence interval for the mean overlap in the population that the topics are a sample of, `interval.low`
        and `interval.high`; None with one topic.  What unknown ranks could change is not in it: see `residuals`.
    level : float
        The confidence of the interval.
    notes : tuple of str
        What a reader should know about the data.
    zeros : int
        The number of topics that only one run has, and whose scores were set to 0.
    """

    names: tuple[str, str]
    p: float
    ties: RunTies
    depth: int | None
    score: Score
    scores: pandas.DataFrame
    interval: Interval | None
    level: float
    notes: tuple[str, ...] = ()
    zeros: int = 0

    @property
    def topics(self) -> pandas.Series[float]:
        """The overlap of each topic."""
        return self.scores[self.score]

    @property
    def residuals(self) -> pandas.Series[float]:
        """For each topic, how much of the overlap the unknown ranks can decide: max - min."""
        return self.scores["res"]

    @property
    def mean(self) -> float:
        """The mean overlap over the topics."""
        return float(self.topics.mean())

    @property
    def means(self) -> Overlap[float]:
        """The mean over the topics of each score."""
        return Overlap({name: float(self.scores[name].mean()) for name in SCORES})

    def tables(self) -> list[Table]:
        """One row for each topic, and a last row with the means."""
        rows = [[topic, *row] for topic, row in zip(self.scores.index, self.scores.to_numpy().tolist())]
        columns = [Column("topic", text=str), *map(Column, SCORES)]
        # A topic may have the name of the row of means.
        mean = "mean" if "mean" not in self.scores.index else "mean over topics"
        return [Table("topics", columns, [*rows, [mean, *self.means.values()]])]

    def sentences(self) -> list[str]:
        a, b = self.names
        said = (
            f"The mean {WHAT[self.score]} of {a} and {b} is {self.mean:.4f} over {counted(len(self.scores), 'topic')}"
        )
        low, high = self.interval or (0, 0)
        # If all topics have the same overlap, the interval has no width, and a note says so.
        if low < high:
            said += (
                f"; in the population of topics it is between {low:.4f} and {high:.4f} ({percent(self.level)} "
                "confidence interval)"
            )
        found = [f"{said}."]
        if self.score == "ext":
            least, greatest = self.means["min"], self.means["max"]
            found[0] += (
                f" Ranks below {last_ranks(self.depth)} leave it open from {least:.4f} (min) to {greatest:.4f} (max)"
            )
            found[0] += f", with {counted(self.zeros, 'topic')} of one run only as 0." if self.zeros else "."
        return found

    def as_dict(self) -> dict[str, Any]:
        """The attributes, for JSON; the interval as its ends, low and high."""
        low, high = self.interval or (None, None)
        return {
            "names": list(self.names),
            "p": self.p,
            "ties": self.ties,
            "depth": self.depth,
            "score": self.score,
            "mean": self.mean,
            "low": low,
            "high": high,
            "level": self.level,
            "means": dict(self.means),
            "topics": self.scores.to_dict("index"),
        }

    def plot(self, ax: Axes | None = None, *, labels: Sequence[str] | None = None) -> Axes:
        """Draw the overlaps of the topics, each with the range from min to max: `ircor.plots.ranges`."""
        from ..plots import ranges

        a, b = self.names if labels is None else labels
        ends = (None, None) if self.score == "res" else (self.scores["min"], self.scores["max"])
        label = f"RBO of {a} and {b}" if self.score == "ext" else f"RBO {self.score} of {a} and {b}"
        title = f"Rank-biased overlap by topic, p = {self.p:g}"
        return ranges(
            self.topics,
            *ends,
            mean=self.interval,
            names=self.scores.index,
            label=label,
            title=title,
            limits=(0, 1),
            ax=ax,
        )

    def __repr__(self) -> str:
        a, b = self.names
        return f"<RunsOverlap of {a} and {b}: {self.mean:.4f} over {counted(len(self.scores), 'topic')}>"


def rbo_runs(
    run_a: Documents,
    run_b: Documents,
    p: float,
    ties: RunTies = "a",
    depth: int | None = None,
    *,
    score: Score = "ext",
    missing: Missing = "error",
    level: float = 0.95,
    names: Sequence[str] | None = None,
) -> RunsOverlap:
    """Rank-biased overlap of two runs: of their rankings of documents, topic by topic, and on average.

    The documents of a topic are ranked by score; the ranks in a run file are ignored, as trec_eval ignores them.

    Parameters
    ----------
    run_a, run_b : path, mapping, table, iterable, or ranx object
        The runs, in any form that `ircor.organization.evaluate_runs` takes, with ids of the same types.
    p : float
        The persistence, as for `rbo`.
    ties : {"w", "a", "b", "trec_eval"}
        Documents with the same score are tied, and "w", "a" and "b" say what that means, as for `rbo`.  With
        "trec_eval" there are no ties: documents with the same score are ranked by their ids in reverse alphabetical
        order, as trec_eval ranks them.  As there, scores are in single precision.
    depth : int, optional
        Only the first `depth` documents of each ranking count.  A tie that crosses the depth counts as a whole: a
        document counts if it could be at this rank or above it.  A note says in how many topics this happened.
    score : {"ext", "min", "max", "res"}
        The score whose mean and interval are wanted; all four are in the table.
    missing : {"error", "drop", "zero"}
        How to handle topics that only one run has documents for: raise an error, leave them out, or count all four
        scores as 0.
    level : float
        The confidence of the interval for the mean.
    names : pair of str, optional
        What the result calls the runs.  By default the name in the lines of a file, or "run_a" and "run_b".

    Returns
    -------
    RunsOverlap

    Raises
    ------
    TypeError, ValueError
        If an option is out of range; if a run is malformed or has no documents; if the ids of the runs have types that
        are never equal; if the runs have no topic in common; or if topics are missing.

    See Also
    --------
    rbo_table : many runs against each other.

    Notes
    -----
    The interval is for the mean over a population of topics, of which these are a random sample.  It is Student's
    interval on the scale of log(m / (1 - m)).  How often it holds the mean was measured: see the page of the command
    ``ircor rbo``.

    Examples
    --------
    >>> run_a = {"1": {"d1": 9.5, "d7": 8.0, "d2": 7.5}, "2": {"d5": 3.0, "d6": 2.0}}
    >>> run_b = {"1": {"d1": 0.9, "d2": 0.4, "d7": 0.4}, "2": {"d6": 0.8, "d5": 0.5}}
    >>> found = rbo_runs(run_a, run_b, p=0.9)
    >>> found.topics.round(4).to_dict()
    {'1': 0.9775, '2': 0.9}
    >>> round(found.mean, 3)
    0.939
    >>> found.residuals.round(4).to_dict()
    {'1': 0.4775, '2': 0.5883}
    """
    options = RunOptions(p, ties, depth, score, missing)
    confidence = fraction(level, "level")
    ranked = RankedRuns(options)
    for run, name in ((run_a, "run_a"), (run_b, "run_b")):
        ranked.add(system_of(run, name))
    called, notes = names_of_pair(ranked.systems, names)
    refuse_without_common_topics(ranked.runs, called)
    topics = ranked.topics()
    notes += [*ranked.notes(called), *ranked.settled(topics, called)]
    a, b = ranked.runs
    if options.missing == "drop":
        topics = [topic for topic in topics if topic in a and topic in b]
    pd = extra("pandas", "the overlap of runs")
    index = pd.Index(topics, name="topic")
    scores = pd.DataFrame(overlaps_by_topic(ranked, topics), index=index, columns=list(SCORES))
    values = scores[options.score].to_numpy()
    interval = mean_interval(values, confidence)
    notes += notes_on_interval(values)
    zeros = sum(topic not in a or topic not in b for topic in topics)
    return RunsOverlap(called, options.p, ties, options.depth, score, scores, interval, confidence, tuple(notes), zeros)


def overlaps_by_topic(ranked: RankedRuns, topics: Sequence[Any]) -> npt.NDArray[np.float64]:
    """ext, min, max and res of the first two runs for each topic; 0 where one of them has no documents."""
    found = np.zeros((len(topics), 4))
    only = np.zeros((1, 2), dtype=np.intp)
    a, b = ranked.runs
    options = ranked.options
    for row, topic in zip(found, topics):
        if topic in a and topic in b:
            codes = len(ranked.codes[topic])
            row[:3] = overlaps_of_pairs([a[topic]], [b[topic]], only, codes, options.p, options.number)[0]
    found[:, 3] = found[:, 2] - found[:, 1]
    return found


def system_of(run: Any, name: str) -> System:
    """A run, and what messages call it."""
    if isinstance(run, (str, os.PathLike)):
        if os.path.isdir(run):
            raise ValueError(f"'{name}' is a folder, {os.fspath(run)!r}: rbo_table compares all runs of a folder")
        return of_file(os.fspath(run))
    return System(name, False, name, f"'{name}'", by_topic(run, "run", name))


def names_of_pair(systems: Sequence[System], given: Any) -> tuple[tuple[str, str], list[str]]:
    """The names of the two runs, and notes."""
    if given is None:
        if len({os.fspath(system.path) for system in systems}) == 1:
            # The same file twice.
            return (f"{systems[0].name} (a)", f"{systems[1].name} (b)"), []
        (a, b), notes = names_of(systems)
        return (a, b), notes
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2:
        raise ValueError(f"'names' must be two names, one for each run, not {shown(given)}")
    return (str(given[0]), str(given[1])), []


def notes_on_interval(values: npt.NDArray[np.float64]) -> list[str]:
    """Whether the interval may hold the mean less often than it says."""
    n, mean = len(values), float(values.mean())
    if n == 1:
        return ["there is one topic only, and no interval for the mean"]
    if np.ptp(values) == 0:
        return ["all topics have the same overlap, so the interval has no width: other topics may differ"]
    found = []
    if n < ENOUGH:
        found.append(f"with fewer than {ENOUGH} topics, the interval may hold the mean less often than its level says")
    if not NEAR <= mean <= 1 - NEAR:
        end = 0 if mean < NEAR else 1
        found.append(
            f"with a mean so near to {end}, a few topics may decide it, and the interval may hold it less often than "
            "its level says"
        )
    return found
