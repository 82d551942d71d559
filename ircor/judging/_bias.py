"""Leniency and favour: a judge's grades of the first documents of each system, beyond what the truth explains."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import isnan, nan
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from .._core.errors import InvalidValueError
from .._core.options import DEPTH, LEVEL, SIDE_NAMES
from .._core.results import Result
from .._core.types import Array
from ..statistics import holm
from ..trec import Runs
from ._labels import Documents, Judgments, one_sided_topics, refuse_incomparable, runs_of, truth_and_judge

# The fewest topics for an interval of leniency or favour.
LEAST_TOPICS_FOR_FAVOUR = 3
# Differences below this share of the highest grade are rounding errors.
ROUNDING = 1e-12


NoFavour: TypeAlias = Literal["nothing judged", "one grade", "one system", "same documents", "few topics"]
"""Why there is no favour: nothing that both judged; one of the two gave all documents the same grade; and so on."""


def first_documents(scores: Mapping[Any, float], depth: int) -> list[Any]:
    """The first documents of a topic by decreasing score, then by decreasing id, as trec_eval ranks them."""
    return nlargest(depth, scores, key=lambda doc: (scores[doc], str(doc)))


class Cells(NamedTuple):
    """Topics by systems: the mean grades of the documents that both judged, nan without any."""

    truth: Array
    judge: Array
    """The mean grades."""
    gain: Array
    """The mean of the judge's grade beyond its mean among documents of the topic with the same grade in the truth."""
    reverse: Array
    """The mean of the truth's grade beyond its mean among documents of the topic with the same grade by the judge."""
    judged: int
    """The number of documents in all cells."""
    grades: tuple[set[float], set[float]]
    """The grades by the truth and by the judge of all documents of these topics that both judged."""
    differ: bool = True
    """Whether two systems have different documents in any topic."""

    @classmethod
    def of(
        cls,
        first: Sequence[Mapping[Hashable, Sequence[Hashable]]],
        truth: Judgments,
        judge: Judgments,
        topics: Sequence[Hashable],
    ) -> Cells:
        """From the first documents of each system: {topic: [doc, ...]}."""
        means = np.full((4, len(topics), len(first)), nan)
        judged, differ = 0, False
        grades: tuple[set[float], set[float]] = set(), set()
        for t, topic in enumerate(topics):
            a, b = truth[topic], judge[topic]
            documents = [[doc for doc in run.get(topic, ()) if doc in a and doc in b] for run in first]
            differ = differ or len({frozenset(docs) for docs in documents}) > 1
            every = list(dict.fromkeys(doc for docs in documents for doc in docs))
            by_judge, by_truth = mean_at_grade(every, a, b), mean_at_grade(every, b, a)
            for s, docs in enumerate(documents):
                if docs:
                    columns = zip(*((a[d], b[d], b[d] - by_judge[a[d]], a[d] - by_truth[b[d]]) for d in docs))
                    means[:, t, s] = [sum(column) / len(docs) for column in columns]
                judged += len(docs)
            for doc in a.keys() & b.keys():
                grades[0].add(a[doc])
                grades[1].add(b[doc])
        return cls(means[0], means[1], means[2], means[3], judged, grades, differ)


def mean_at_grade(
    documents: Sequence[Hashable], grades: Mapping[Any, float], others: Mapping[Any, float]
) -> dict[float, float]:
    """The mean grade by the one judge of the documents that have the same grade by the other."""
    reference: dict[float, list[float]] = {}
    for doc in documents:
        reference.setdefault(grades[doc], []).append(others[doc])
    return {grade: sum(given) / len(given) for grade, given in reference.items()}


class Favour(NamedTuple):
    """How much a judge favours a system: see `SystemBias`."""

    favour: float = nan
    low: float = nan
    high: float = nan
    reverse: float = nan
    pvalue: float = nan


def favours(cells: Cells, level: float) -> list[Favour]:
    """For each system the favour, its limits, and its adjusted p-value."""
    gains, reverses = centred(cells.gain), centred(cells.reverse)
    tested = [s for s, column in enumerate(gains) if len(column) >= LEAST_TOPICS_FOR_FAVOUR]
    tests = [Favour()] * len(gains)
    if min(map(len, cells.grades)) < 2 or not cells.differ:
        return tests
    none = [ROUNDING * max(map(abs, grades)) for grades in cells.grades]
    for s in tested:
        mean, low, high, p = t_test(gains[s], none[1], 1 - (1 - level) / len(tested))
        reverse, _, _, q = t_test(reverses[s], none[0], level)
        tests[s] = Favour(mean, low, high, reverse, max(p, q) if mean * reverse < 0 else 1.0)
    adjusted = holm(np.array([tests[s].pvalue for s in tested]))
    for s, p in zip(tested, adjusted.tolist()):
        tests[s] = tests[s]._replace(pvalue=p)
    return tests


def centred(values: Array) -> list[Array]:
    """For each system, its values minus the mean of all systems in the topic, without missing ones."""
    # A topic of one system tells nothing: the system would be compared with itself.
    compared = values[np.count_nonzero(~np.isnan(values), axis=1) > 1]
    compared = compared - mean_without_nan(compared, axis=1)[:, None]
    return [column[~np.isnan(column)] for column in compared.T]


def t_test(x: Array, none: float, level: float) -> tuple[float, float, float, float]:
    """The mean, its interval and the p-value of its t test; what is not above `none` is nothing but rounding."""
    from scipy.special import stdtr, stdtrit

    mean, error = float(x.mean()), float(x.std(ddof=1) / np.sqrt(len(x)))
    if np.abs(x).max() <= none:
        return 0.0, 0.0, 0.0, 1.0
    if np.ptp(x) <= none:
        # The same in all topics: t is infinite, as for a pair of systems with a constant difference.
        return mean, mean, mean, 0.0
    width = float(stdtrit(len(x) - 1, (1 + level) / 2)) * error
    return mean, mean - width, mean + width, float(2 * stdtr(len(x) - 1, -abs(mean) / error))


def t_interval(x: Array, level: float) -> tuple[float, float, float]:
    """The mean and its t interval; no limits for fewer than three values."""
    from scipy.special import stdtrit

    if len(x) < LEAST_TOPICS_FOR_FAVOUR:
        return float(x.mean()) if len(x) else nan, nan, nan
    width = stdtrit(len(x) - 1, (1 + level) / 2) * x.std(ddof=1) / np.sqrt(len(x))
    return float(x.mean()), float(x.mean() - width), float(x.mean() + width)


def mean_without_nan(x: Array, axis: int) -> Array:
    """The mean of the numbers that are there; nan, and no warning, if there is none."""
    there = np.count_nonzero(~np.isnan(x), axis=axis)
    return np.where(there > 0, np.nansum(x, axis=axis) / np.maximum(there, 1), nan)


class SystemBias(NamedTuple):
    """How a judge grades the documents of a system, on average over topics; nan where there are too few topics.

    Attributes
    ----------
    topics : int
        The number of topics in which both judged a document among its first ones.
    truth, judge : float
        The mean grades of these documents.
    difference : float
        judge - truth.
    favour : float
        How much higher the judge grades them than all documents that have the same grade in the truth, relative to
        the mean of all systems: `bias`.
    low, high : float
        The simultaneous interval for `favour`.
    reverse : float
        The same with the two exchanged: how much higher the truth grades them than all documents that have the same
        grade by the judge.  A judge that favours a system has a favour above 0 and a `reverse` below 0.
    pvalue : float
        The adjusted p-value of the test that the judge neither favours nor disfavours the system; 1 if `favour` and
        `reverse` have the same sign.
    """

    topics: int
    truth: float
    judge: float
    difference: float
    favour: float
    low: float
    high: float
    reverse: float
    pvalue: float


@dataclass(frozen=True, eq=False, repr=False)
class Bias(Result):
    """How a judge grades what systems find, compared with the truth.

    `print` shows all of it, and so does a notebook.

    Attributes
    ----------
    names : pair of str
        What the truth and the judge are called.
    systems : dict of system to SystemBias
        From the most favoured system down.
    leniency : tuple of float
        How much higher the judge grades than the truth, on average over systems and topics: the value, and the limits
        of its interval over topics.
    pvalue : float
        Of the test that the judge favours no system: the smallest adjusted p-value.
    favoured, disfavoured : list
        The systems whose adjusted p-value is 1 - level or less, by the sign of `favour`.
    depth, level
        The options.
    topics : int
        The number of topics in which both judged a document that a system has among its first ones.
    judged, retrieved : int
        Of the first documents of all systems, in the topics that both judges have, how many both judged; and how many
        there are.  A document counts once for each system.
    undefined : str
        Why nothing can be said of favours, or "".
    no_favour : str or None
        The same as data: "nothing judged", "one grade", "one system", "same documents" or "few topics".
    grades : pair of tuple
        The grades that the truth and the judge gave to the documents that both judged, increasing.
    only : pair of tuple
        The topics that only the truth has, and those that only the judge has.
    unjudged : tuple
        The topics of the runs that the two do not both have.
    missing : dict of system to int
        For systems of whose first documents both judged none in some topics: in how many.
    few : tuple
        The systems without a favour because they have fewer than `least_topics`, though others have one.
    least_topics : int
        The number of topics that intervals need.
    notes : tuple of str
        What a reader should know about the data.
    """

    names: tuple[str, str]
    systems: dict[Hashable, SystemBias]
    leniency: tuple[float, float, float]
    depth: int
    level: float
    topics: int
    judged: int
    retrieved: int
    no_favour: NoFavour | None
    grades: tuple[tuple[float, ...], tuple[float, ...]]
    only: tuple[tuple[Hashable, ...], tuple[Hashable, ...]]
    unjudged: tuple[Hashable, ...]
    missing: dict[Hashable, int]
    few: tuple[Hashable, ...]
    least_topics: int

    @property
    def pvalue(self) -> float:
        return min((row.pvalue for row in self.systems.values() if not isnan(row.pvalue)), default=nan)

    @property
    def favoured(self) -> list[Hashable]:
        return [system for system in self.flagged() if self.systems[system].favour > 0]

    @property
    def disfavoured(self) -> list[Hashable]:
        return [system for system in self.flagged() if self.systems[system].favour < 0]

    def flagged(self) -> list[Hashable]:
        """The systems whose adjusted p-value is small."""
        return [system for system, row in self.systems.items() if row.pvalue <= 1 - self.level]

    @property
    def undefined(self) -> str:
        """Why nothing can be said of favours, or ""."""
        view: Any = self.view
        return str(view.undefined())

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self.view.notes)

    def __repr__(self) -> str:
        values = (
            f"leniency = {self.leniency[0]:.4g}, favoured {len(self.favoured)}, disfavoured {len(self.disfavoured)}"
        )
        return f"<Bias of {self.names[1]} against {self.names[0]}, {len(self.systems)} systems: {values}>"


def bias(
    runs: Runs,
    truth: Documents,
    judge: Documents,
    *,
    depth: int = 10,
    level: float = 0.95,
    names: Sequence[str] = ("truth", "judge"),
) -> Bias:
    """Whether a judge is more lenient than the truth, and whether it favours some systems.

    A judge that is as lenient to one system as to another may still rank them as the truth does.  One that is lenient
    to some of them, such as those built on the same language model, moves them up.

    Parameters
    ----------
    runs : path, list of paths, mapping or table
        The ranked runs, in any form that `ircor.trec.score` takes.
    truth, judge : path, mapping, table, iterable, or ranx object
        Relevance judgments, as for `agreement`.
    depth : int
        How many documents of each topic count, from the first down.  Documents are ranked by decreasing score, and
        those with the same score by their ids in reverse alphabetical order, as trec_eval ranks them.
    level : float
        The level of the intervals; systems are flagged at 1 - level.
    names : pair of str
        What the truth and the judge are called.

    Returns
    -------
    Bias

    Raises
    ------
    TypeError
        If an argument has the wrong type, or if the ids have types that are never equal.
    ValueError
        If an option is out of range, if a file or a table is malformed, or if there are no runs.

    Notes
    -----
    For each system and topic, the first `depth` documents are taken, and of these the ones that both judged.  A topic
    without any is left out for this system; with fewer than three topics a system has neither interval nor p-value.

    The leniency is the mean grade by the judge minus the mean grade in the truth, averaged over the systems of each
    topic and then over topics, with a t interval over topics.

    The favour compares like with like.  From the judge's grade of each document, the mean of the judge's grades is
    subtracted, over those documents of the topic that have the same grade in the truth and are among the first
    documents of any system.  The mean of the rest over the documents of the system, minus its mean over all systems, is
    what the system gains in this topic; the favour is the mean over topics.  The plain differences judge - truth cannot
    show this: any judge that errs at random grades highly relevant documents too low and the others too high, for want
    of higher and lower grades, and so seems to disfavour the best systems.  In simulations, tests on them flag a system
    nearly always: see the page on judges.

    The favour alone would blame a judge for errors of the truth.  Among documents with the same grade in the truth,
    good systems have found the better ones if this grade has errors, or is coarser than the judge's; any judge who sees
    the difference seems to favour them (regression dilution).  Therefore the test is made in both directions: a system
    is flagged as favoured if the judge grades its documents higher than others that are the same to the truth, and the
    truth grades them lower than others that are the same to the judge.  Of two persons who err alike, neither is then
    said to favour a system.

    The favours are relative to the mean of these systems, and their sum is 0 if no topic is missing: where some are
    favoured, others seem disfavoured by a little.  A system that finds the same documents as the favoured ones is
    favoured with them.

    The intervals are t intervals over topics with Bonferroni's correction for the number of systems: the probability
    that all of them hold what they are for is `level` or more.  The p-value of a system is the greater one of its two
    t tests over topics, adjusted by Holm's method: if the judge favours no system, the probability that any p-value is
    1 - level or less is at most 1 - level; and if it favours some, this holds for the others.  Both need no assumption
    on how systems depend on each other, but means over topics that are close to normal.  A system whose interval does
    not include 0 may well not be flagged.

    Examples
    --------
    >>> from ircor.judging import bias
    >>> runs, people, model = {"A": {}, "B": {}}, {}, {}
    >>> for topic in range(8):
    ...     runs["A"][topic] = {"a": 3, "b": 2, "s": 1}
    ...     runs["B"][topic] = {"c": 3, "d": 2, "s": 1}
    ...     people[topic] = {"a": 1, "b": 0, "c": 1, "d": 0, "s": 1}
    ...     model[topic] = people[topic] | {"b": int(topic != 5), "d": int(topic == 2)}
    >>> result = bias(runs, people, model, depth=3, names=("people", "model"))
    >>> result
    <Bias of model against people, 2 systems: leniency = 0.1667, favoured 1, disfavoured 1>
    >>> A = result.systems["A"]
    >>> round(A.favour, 3), round(A.low, 3), round(A.high, 3)
    (0.125, 0.047, 0.203)
    """
    called = SIDE_NAMES.checked(names)
    depth, level = DEPTH.checked(depth), LEVEL.checked(level)
    return bias_of(runs_of(runs), *truth_and_judge(truth, judge), depth, level, called)


def bias_of(
    runs: Mapping[Any, Judgments], truth: Judgments, judge: Judgments, depth: int, level: float, names: tuple[str, str]
) -> Bias:
    """The bias, from runs {system: {topic: {doc: score}}} and judgments that are already read."""
    if not runs:
        raise InvalidValueError("runs", "has no systems")
    refuse_incomparable(truth=truth, judge=judge)
    topics = [topic for topic in truth if topic in judge]
    first = {
        system: {topic: first_documents(run[topic], depth) for topic in topics if topic in run}
        for system, run in runs.items()
    }
    for system, run in runs.items():
        refuse_incomparable(**{f"runs[{system!r}]": first[system] or run, "truth": truth})
    cells = Cells.of(list(first.values()), truth, judge, topics)
    differences = cells.judge - cells.truth
    by_topic = mean_without_nan(differences, axis=1)
    leniency = t_interval(by_topic[~np.isnan(by_topic)], level)
    means = [mean_without_nan(side, axis=0) for side in (cells.truth, cells.judge, differences)]
    counts = np.count_nonzero(~np.isnan(differences), axis=0).tolist()
    gains = favours(cells, level)
    rows = {
        system: SystemBias(number, float(a), float(b), float(difference), *gain)
        for system, number, a, b, difference, gain in zip(runs, counts, *means, gains)
    }
    order = sorted(rows, key=lambda system: (isnan(rows[system].favour), -rows[system].favour, str(system)))
    judged = set(topics)
    without = tuple(system for system, row in rows.items() if isnan(row.favour))
    return Bias(
        names=names,
        systems={system: rows[system] for system in order},
        leniency=leniency,
        depth=depth,
        level=level,
        topics=int(np.count_nonzero(~np.isnan(by_topic))),
        judged=cells.judged,
        retrieved=sum(len(docs) for run in first.values() for docs in run.values()),
        no_favour=no_favour(rows, cells),
        grades=(tuple(sorted(cells.grades[0])), tuple(sorted(cells.grades[1]))),
        only=one_sided_topics(truth, judge),
        unjudged=tuple(dict.fromkeys(topic for run in runs.values() for topic in run if topic not in judged)),
        missing={system: len(topics) - row.topics for system, row in rows.items() if row.topics < len(topics)},
        few=without if len(without) < len(rows) else (),
        least_topics=LEAST_TOPICS_FOR_FAVOUR,
    )


def no_favour(rows: Mapping[Hashable, SystemBias], cells: Cells) -> NoFavour | None:
    """Why no system has a favour."""
    if not cells.judged:
        return "nothing judged"
    if min(map(len, cells.grades)) == 1:
        return "one grade"
    if len(rows) == 1:
        return "one system"
    if not cells.differ:
        return "same documents"
    return "few topics" if all(isnan(row.favour) for row in rows.values()) else None
