"""Runs whose documents are ranked and have codes, topic by topic."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._core.checks import refuse_incomparable_ids
from .._core.errors import InvalidValueError, Setting
from .._core.methods import TIES
from .._core.options import (
    MEAN_LEVEL,
    PERSISTENCE,
    RUN_DEPTH,
    RUN_MISSING,
    RUN_NAMES,
    RUN_TIES,
    SCORE,
    Missing,
    OverlapScore,
    RunTies,
    takes,
)
from .._core.results import Result
from .._core.text import counted, join_and, listed, without_topics
from .._core.types import Ties
from .._extras import extra
from .._kernel import Ranking
from .._kernel.items import Items
from .._kernel.overlap import overlaps_of_pairs
from ..statistics import Interval, MeanCaveat, mean_caveats, mean_interval
from ..trec import Documents, System, by_topic, in_trec_eval_order, is_one_tie, of_file, stem
from ._rbo import SCORES, Overlap

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    from matplotlib.axes import Axes

    Codes = npt.NDArray[np.int32]
    Numbers = npt.NDArray[np.float64] | npt.NDArray[np.int64]


class RunOptions:
    """The options of the overlap of runs, checked."""

    def __init__(self, p: object, ties: object, depth: object, score: object, missing: object) -> None:
        self.p = PERSISTENCE.checked(p)
        self.by_id = RUN_TIES.checked(ties) == "trec_eval"
        # Without ties, all treatments are the same.
        self.ties: Ties = "w" if self.by_id else ties  # type: ignore[assignment]
        self.depth: int | None = RUN_DEPTH.checked(depth)
        self.score: OverlapScore = SCORE.checked(score)
        self.missing: Missing = RUN_MISSING.checked(missing)

    @property
    def number(self) -> int:
        """The number of the treatment of ties in the kernel."""
        return TIES.index(self.ties)


@dataclass(frozen=True)
class RunCaveat:
    """Something that a reader should know about runs."""

    kind: Literal["same name", "empty topics", "crossed depth", "rising scores", "one tie", "missing topics"]
    names: tuple[Any, ...] = ()
    """The runs, or the topics without documents."""
    count: int = 0
    depth: int | None = None
    """How many files or topics are concerned; the depth that a tie crosses."""
    absent: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    """For each run that lacks topics, its name and these topics; `missing` is what was done about them."""
    missing: Missing = "error"


class RankedRuns:
    """Runs, each ranked once.  The documents of a topic have the same codes in all runs."""

    def __init__(self, options: RunOptions) -> None:
        self.options = options
        self.systems: list[System] = []
        # The types of topics and of documents in the first run.
        self.types: tuple[set[type], set[type]] = (set(), set())
        # Topics without documents are left out.
        self.runs: list[dict[Any, Items]] = []
        self.codes: dict[Any, dict[Hashable, int]] = {}
        # What notes are about: topics without documents, those in which a tie crosses the depth, runs that are one tie.
        self.empty: dict[Any, None] = {}
        self.crossed: dict[Any, None] = {}
        self.one_tie: list[int] = []

    def add(self, system: System) -> None:
        """Rank the documents of a run."""
        run: Any = system.run
        if not any(run.values()):
            raise InvalidValueError(None, f"{system.called} has no documents")
        ranked = {topic: self.ranked(topic, documents) for topic, documents in run.items() if documents}
        self.empty |= dict.fromkeys(topic for topic in run if topic not in ranked)
        if not self.options.by_id and all(map(is_one_tie, system.run.values())):
            self.one_tie.append(len(self.runs))
        self.refuse_other_types(system)
        # The documents are not needed any more, except those of the first run for the check of types.
        self.systems.append(system if not self.systems else system._replace(run={}))
        self.runs.append(ranked)

    def ranked(self, topic: Any, documents: Mapping[Hashable, float]) -> Items:
        """The documents of a topic in the order of their scores, up to the depth.

        A tie is kept whole if its first document is within the depth.
        """
        of_topic = self.codes.setdefault(topic, {})
        names: Iterable[Hashable]
        values: Numbers
        if self.options.by_id:
            names, values = in_trec_eval_order(documents), -np.arange(len(documents))
        else:
            names, values = documents, numbers_of(list(documents.values()))
        ranking = Ranking(values, True)
        codes = codes_in(of_topic, names)
        depth = self.options.depth
        if depth is not None and depth < len(codes):
            kept = ranking.places() < depth
            codes, ranking = codes[kept], Ranking(values[kept], True)
            if len(codes) > depth:
                self.crossed[topic] = None
        return Items(codes, ranking)

    def refuse_other_types(self, system: System) -> None:
        """Raise if no topic or no document of this run can be equal to one of the first run."""
        types = set(map(type, system.run)), set(map(type, chain.from_iterable(system.run.values())))
        if not self.systems:
            self.types = types
        elif types != self.types:
            first = self.systems[0]
            names = [one.called.strip("'") for one in (first, system)]
            refuse_incomparable_ids("topic", **dict(zip(names, (first.run, system.run))))
            documents = (chain.from_iterable(one.run.values()) for one in (first, system))
            refuse_incomparable_ids("document", **dict(zip(names, map(list, documents))))

    def topics(self) -> list[Any]:
        """The topics with documents, in the order of the runs, or as numbers if all of them are."""
        topics = list(dict.fromkeys(chain.from_iterable(self.runs)))
        if all(type(topic) is int or (type(topic) is str and re.fullmatch("[0-9]{1,18}", topic)) for topic in topics):
            topics.sort(key=int)
        return topics

    def absent_topics(self, topics: Sequence[Any], names: Sequence[str]) -> list[RunCaveat]:
        """The topics that some runs do not have; with missing="error" they are refused."""
        lacking = ((name, tuple(topic for topic in topics if topic not in run)) for name, run in zip(names, self.runs))
        absent = tuple((name, some) for name, some in lacking if some)
        if absent and self.options.missing == "error":
            raise InvalidValueError(
                None,
                (
                    f"{without_topics(absent)}; ",
                    Setting("missing", "drop"),
                    " leaves out the topics that one of two runs does not have, and ",
                    Setting("missing", "zero"),
                    " counts their overlap as 0",
                ),
            )
        return [RunCaveat("missing topics", absent=absent, missing=self.options.missing)] if absent else []

    def caveats(self, names: Sequence[str]) -> list[RunCaveat]:
        """The caveats for readers about the runs."""
        nowhere = tuple(topic for topic in self.empty if topic not in self.codes)
        risen = tuple(name for name, system in zip(names, self.systems) if system.risen)
        one_tie = tuple(names[k] for k in self.one_tie)
        caveats = [
            RunCaveat("empty topics", nowhere, len(nowhere)),
            RunCaveat("crossed depth", count=len(self.crossed), depth=self.options.depth),
            RunCaveat("rising scores", risen, len(risen)),
            RunCaveat("one tie", one_tie, len(one_tie)),
        ]
        return [caveat for caveat in caveats if caveat.count]


def codes_in(codes_by_name: dict[Hashable, int], names: Iterable[Hashable]) -> Codes:
    """The codes of documents; those that have none get the next ones."""
    codes = list(map(codes_by_name.get, names))
    if None in codes:
        new = [name for name, code in zip(names, codes) if code is None]
        codes_by_name.update(zip(new, range(len(codes_by_name), len(codes_by_name) + len(new))))
        codes = list(map(codes_by_name.get, names))
    return np.array(codes, dtype=np.int32)


def numbers_of(scores: list[float]) -> Numbers:
    """Numbers in the order of the scores, equal where these are: the scores, or their ranks if a float cannot hold
    them."""
    if set(map(type, scores)) <= {float}:
        return np.array(scores)
    places = {score: place for place, score in enumerate(sorted(set(scores)))}
    return np.array([places[score] for score in scores])


def names_of_runs(systems: Sequence[System]) -> tuple[list[str], list[RunCaveat]]:
    """A name for each run, and what is to know about the names.

    It is the name in the lines of a file, or that of the file if several files have the same, or else its path.
    """
    tags = Counter(system.name for system in systems)
    shared = [name for name, count in tags.items() if count > 1]
    names = [stem(system.path) if tags[system.name] > 1 else system.name for system in systems]
    stems = Counter(names)
    names = [os.fspath(system.path) if stems[name] > 1 else name for name, system in zip(names, systems)]
    for name, times in Counter(names).items():
        if times > 1:
            raise InvalidValueError(None, f"two runs have the name {name!r}")
    return names, [RunCaveat("same name", (name,), tags[name]) for name in shared]


def refuse_without_common_topics(runs: Sequence[Mapping[Any, Items]], names: Sequence[str]) -> None:
    """Raise if two runs have no topic in common."""
    for j, other in enumerate(runs):
        for i in range(j):
            if runs[i].keys().isdisjoint(other):
                theirs = join_and(f"{names[k]} has {listed(map(repr, runs[k]), 3)}" for k in (i, j))
                raise InvalidValueError(None, f"{names[i]} and {names[j]} have no topic in common", theirs)


@dataclass(frozen=True)
class TopicOverlap:
    """The four scores of two runs for a topic."""

    topic: Any
    ext: float
    min: float
    max: float
    res: float


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
    score: OverlapScore
    by_topic: tuple[TopicOverlap, ...]
    interval: Interval | None
    level: float
    caveats: tuple[RunCaveat | MeanCaveat, ...] = ()
    zeros: int = 0

    @cached_property
    def scores(self) -> pandas.DataFrame:
        pd = extra("pandas", "the overlap of runs")
        values = np.array([[getattr(row, score) for score in SCORES] for row in self.by_topic])
        return pd.DataFrame(values, pd.Index([row.topic for row in self.by_topic], name="topic"), list(SCORES))

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

    def plot(self, ax: Axes | None = None, *, labels: Sequence[str] | None = None) -> Axes:
        """Draw the overlaps of the topics, each with the range from min to max: `ircor.plots.ranges`."""
        axes: Axes = self.view.plot(ax, labels=labels)
        return axes

    def __repr__(self) -> str:
        a, b = self.names
        return f"<RunsOverlap of {a} and {b}: {self.mean:.4f} over {counted(len(self.by_topic), 'topic')}>"


@takes(PERSISTENCE, RUN_TIES, RUN_DEPTH, SCORE, RUN_MISSING, MEAN_LEVEL, RUN_NAMES)
def rbo_runs(
    run_a: Documents,
    run_b: Documents,
    p: float,
    ties: RunTies = "a",
    depth: int | None = None,
    *,
    score: OverlapScore = "ext",
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
        The overlap: extrapolated, the least or the greatest possible, or the residual.  Its mean and interval are
        computed; all four are in the table.
    missing : {"error", "drop", "zero"}
        How to handle topics that only one run has documents for: raise an error, leave them out, or count all four
        scores as 0.
    level : float
        The confidence of the interval for the mean.
    names : pair of str, optional
        The names of the runs in the result.  By default the name in the lines of a file, or "run_a" and "run_b".

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
    >>> overlap = rbo_runs(run_a, run_b, p=0.9)
    >>> overlap.topics.round(4).to_dict()
    {'1': 0.9775, '2': 0.9}
    >>> round(overlap.mean, 3)
    0.939
    >>> overlap.residuals.round(4).to_dict()
    {'1': 0.4775, '2': 0.5883}
    """
    options = RunOptions(p, ties, depth, score, missing)
    level = MEAN_LEVEL.checked(level)
    ranked = RankedRuns(options)
    for run, name in ((run_a, "run_a"), (run_b, "run_b")):
        ranked.add(system_of(run, name))
    called, caveats = names_of_pair(ranked.systems, names)
    refuse_without_common_topics(ranked.runs, called)
    topics = ranked.topics()
    caveats += [*ranked.caveats(called), *ranked.absent_topics(topics, called)]
    a, b = ranked.runs
    if options.missing == "drop":
        topics = [topic for topic in topics if topic in a and topic in b]
    extra("pandas", "the overlap of runs")
    scores = overlaps_by_topic(ranked, topics)
    values = scores[:, SCORES.index(options.score)]
    return RunsOverlap(
        called,
        options.p,
        ties,
        options.depth,
        options.score,
        tuple(TopicOverlap(topic, *row) for topic, row in zip(topics, scores.tolist())),
        mean_interval(values, level),
        level,
        (*caveats, *mean_caveats(values)),
        sum(topic not in a or topic not in b for topic in topics),
    )


def overlaps_by_topic(ranked: RankedRuns, topics: Sequence[Any]) -> npt.NDArray[np.float64]:
    """ext, min, max and res of the first two runs for each topic; 0 where one of them has no documents."""
    scores = np.zeros((len(topics), 4))
    only = np.zeros((1, 2), dtype=np.intp)
    a, b = ranked.runs
    options = ranked.options
    for row, topic in zip(scores, topics):
        if topic in a and topic in b:
            codes = len(ranked.codes[topic])
            row[:3] = overlaps_of_pairs([a[topic]], [b[topic]], only, codes, options.p, options.number)[0]
    scores[:, 3] = scores[:, 2] - scores[:, 1]
    return scores


def system_of(run: Any, name: str) -> System:
    """A run, and what messages call it."""
    if isinstance(run, (str, os.PathLike)):
        if os.path.isdir(run):
            folder = f"is a folder, {os.fspath(run)!r}"
            raise InvalidValueError(name, folder, "rbo_table compares all runs of a folder")
        return of_file(os.fspath(run))
    return System(name, name, f"'{name}'", by_topic(run, "run", name))


def names_of_pair(systems: Sequence[System], given: Any) -> tuple[tuple[str, str], list[RunCaveat | MeanCaveat]]:
    """The names of the two runs, and what is to know about them."""
    if given is None:
        if len({os.fspath(system.path) for system in systems}) == 1:
            # The same file twice.
            return (f"{systems[0].name} (a)", f"{systems[1].name} (b)"), []
        (a, b), caveats = names_of_runs(systems)
        return (a, b), [*caveats]
    return RUN_NAMES.checked(given), []
