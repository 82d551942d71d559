"""Whether a judge is lenient, and whether it favours the documents of some systems."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np

from .._options import fraction, whole_number
from .._result import Column, Result, Table
from .._text import counted, listed, p_equals, p_value, percent
from ..trec._score import Runs
from ._favour import LEAST_TOPICS, Cells, favours, first_documents, mean_without_nan, t_interval
from ._sources import (
    Documents,
    Judgments,
    judgments_of,
    one_sided_topics,
    other_scale,
    refuse_incomparable,
    runs_of,
    two_names,
)


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
    pvalue : float
        The adjusted p-value of the test that `favour` is 0.
    """

    topics: int
    truth: float
    judge: float
    difference: float
    favour: float
    low: float
    high: float
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
    undefined: str = ""
    notes: tuple[str, ...] = ()

    @property
    def pvalue(self) -> float:
        return min((found.pvalue for found in self.systems.values() if not isnan(found.pvalue)), default=nan)

    @property
    def favoured(self) -> list[Hashable]:
        return [system for system in self.flagged() if self.systems[system].favour > 0]

    @property
    def disfavoured(self) -> list[Hashable]:
        return [system for system in self.flagged() if self.systems[system].favour < 0]

    def flagged(self) -> list[Hashable]:
        """The systems whose adjusted p-value is small."""
        return [system for system, found in self.systems.items() if found.pvalue <= 1 - self.level]

    def tables(self) -> list[Table]:
        """A row for each system, and a row for all."""
        truth, judge = self.names
        columns = [
            Column("system", text=str),
            Column("topics"),
            Column("truth", f"mean\n{truth}"),
            Column("judge", f"mean\n{judge}"),
            *(Column(key) for key in ("difference", "favour", "low", "high")),
            Column("pvalue", "p-value", exact_p),
        ]
        rows = [(system, *found) for system, found in self.systems.items()]
        over_all = {
            **dict(zip(("leniency", "low", "high"), self.leniency)),
            "topics": self.topics,
            "judged": self.judged,
            "retrieved": self.retrieved,
        }
        summary = Table("summary", [Column(key) for key in over_all], [tuple(over_all.values())])
        return [Table("systems", columns, rows), summary]

    def sentences(self) -> list[str]:
        """What was compared, whether the judge is lenient, and whether it favours systems."""
        truth, judge = self.names
        if not self.judged:
            return [
                f"{truth} and {judge} have both judged none of the first {counted(self.depth, 'document')} of the "
                "systems, so nothing can be said of leniency and favour."
            ]
        covered = (
            f"Of the first {counted(self.depth, 'document')} of {counted(len(self.systems), 'system')}, {truth} and "
            f"{judge} have both judged {percent(self.judged / self.retrieved)}, over {counted(self.topics, 'topic')}."
        )
        value, low, high = self.leniency
        interval = (
            "" if isnan(low) else f" ({100 * self.level:g}% confidence interval over topics: {low:.3f} to {high:.3f})"
        )
        lenient = f"On average, the grade by {judge} minus that by {truth} is {value:.3f}{interval}."
        return [" ".join([covered, lenient, self.favour_said()])]

    def favour_said(self) -> str:
        """Which systems are favoured, or that none can be told."""
        judge = self.names[1]
        if isnan(self.pvalue):
            return f"Whether {judge} favours a system is undefined: {self.undefined}."
        if not self.flagged():
            return f"{judge} favours no system significantly (smallest adjusted {p_equals(self.pvalue, 1)})."
        parts = [
            f"{verb} {listed(systems)}"
            for verb, systems in (("favours", self.favoured), ("disfavours", self.disfavoured))
            if systems
        ]
        return f"Among documents with the same grade in {self.names[0]}, {judge} {' and '.join(parts)}."

    def as_dict(self) -> dict[str, Any]:
        """The names, the options, and the records of all tables."""
        named = {"truth": self.names[0], "judge": self.names[1], "depth": self.depth, "level": self.level}
        found = {"pvalue": self.pvalue, "favoured": self.favoured, "disfavoured": self.disfavoured}
        return {**named, **super().as_dict(), **found, "notes": list(self.notes)}

    def __repr__(self) -> str:
        said = f"leniency = {self.leniency[0]:.4g}, favoured {len(self.favoured)}, disfavoured {len(self.disfavoured)}"
        return f"<Bias of {self.names[1]} against {self.names[0]}, {len(self.systems)} systems: {said}>"


def exact_p(share: float) -> str:
    """A p-value of a t test, which has no resamples to be the limit of what it can tell."""
    return "< 1e-300" if share == 0 else p_value(share, 1)


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
    nearly always, and tests on the favour in about 5 % of the cases: see the page on judges.

    The favours are relative to the mean of these systems, and their sum is 0 if no topic is missing: where some are
    favoured, others seem disfavoured by a little.  A system that finds the same documents as the favoured ones is
    favoured with them.

    The intervals are t intervals over topics with Bonferroni's correction for the number of systems: the probability
    that all of them hold what they are for is `level` or more.  The p-values are of t tests over topics, adjusted by
    Holm's method: if the judge favours no system, the probability that any p-value is 1 - level or less is at most
    1 - level; and if it favours some, this holds for the others.  Both need no assumption on how systems depend on each
    other, but means over topics that are close to normal.  Holm's method finds somewhat more than the intervals, so a
    flagged system may have an interval that just includes 0.

    Examples
    --------
    >>> from ircor.judging import bias
    >>> runs = {"A": {}, "B": {}}
    >>> people, model = {}, {}
    >>> for topic in "12345678":
    ...     runs["A"][topic] = {"a": 3, "c": 2}
    ...     runs["B"][topic] = {"c": 3, "b": 2}
    ...     people[topic] = {"a": 1, "b": 1, "c": 1, "d": 0}
    ...     model[topic] = {"a": 2, "b": 1 if topic in "36" else 0, "c": 1, "d": 0}
    >>> found = bias(runs, people, model, depth=2, names=("people", "model"))
    >>> found
    <Bias of model against people, 2 systems: leniency = 0.0625, favoured 1, disfavoured 1>
    >>> A = found.systems["A"]
    >>> round(A.favour, 3), round(A.low, 3), round(A.high, 3)
    (0.438, 0.321, 0.554)
    """
    called = two_names(names)
    depth, level = whole_number(depth, "depth"), fraction(level, "level")
    return bias_of(runs_of(runs), *judgments_of(truth, judge), depth, level, called)


def bias_of(
    runs: Mapping[Any, Judgments],
    truth: Judgments,
    judge: Judgments,
    depth: int,
    level: float,
    names: tuple[str, str],
) -> Bias:
    """The bias, from runs {system: {topic: {doc: score}}} and judgments that are already read."""
    if not runs:
        raise ValueError("'runs' has no systems")
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
    found = favours(cells, level)
    rows = {
        system: SystemBias(
            int(np.count_nonzero(~np.isnan(differences[:, s]))),
            float(means[0][s]),
            float(means[1][s]),
            float(means[2][s]),
            *found[s],
        )
        for s, system in enumerate(runs)
    }
    order = sorted(rows, key=lambda system: (isnan(rows[system].favour), -rows[system].favour, str(system)))
    notes = [
        *one_sided_topics(truth, judge, names),
        *left_out(runs, topics),
        *other_scale(cells.grades[0], cells.grades[1], names),
        *untested(rows, len(topics)),
    ]
    return Bias(
        names,
        {system: rows[system] for system in order},
        leniency,
        depth,
        level,
        int(np.count_nonzero(~np.isnan(by_topic))),
        cells.judged,
        sum(len(docs) for run in first.values() for docs in run.values()),
        no_favour(rows, cells, names),
        tuple(notes),
    )


def left_out(runs: Mapping[Any, Judgments], topics: Sequence[Hashable]) -> list[str]:
    """A note for the topics of the runs that the two judges do not both have."""
    judged = set(topics)
    others = list(dict.fromkeys(topic for run in runs.values() for topic in run if topic not in judged))
    return (
        [f"{counted(len(others), 'topic')} of the runs not judged by both, left out: {listed(others)}"]
        if others
        else []
    )


def no_favour(rows: Mapping[Hashable, SystemBias], cells: Cells, names: tuple[str, str]) -> str:
    """Why no system has a favour, or ""."""
    if not cells.judged:
        return "no document of a system was judged by both"
    for name, grades in zip(names, cells.grades):
        if len(grades) == 1:
            return f"{name} gave all documents the same grade"
    if len(rows) == 1:
        return "it is relative to other systems, and there is only one"
    if not cells.differ:
        return "all systems have the same first documents; with a smaller depth, they may differ"
    if all(isnan(found.favour) for found in rows.values()):
        return f"it needs {LEAST_TOPICS} topics or more"
    return ""


def untested(rows: Mapping[Hashable, SystemBias], topics: int) -> list[str]:
    """A note for the systems that miss topics, and for those without a favour."""
    missing = {system: topics - found.topics for system, found in rows.items() if found.topics < topics}
    few = [system for system, found in rows.items() if isnan(found.favour)]
    notes = []
    if missing:
        said = listed(f"{system} ({number})" for system, number in missing.items())
        notes.append(f"topics left out for a system because both judged none of its first documents: {said}")
    if 0 < len(few) < len(rows):
        notes.append(f"no favour for fewer than {LEAST_TOPICS} topics: {listed(few)}")
    return notes
