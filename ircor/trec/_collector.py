"""Scores collected one by one from files, and the table of topics by systems made from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from .._core.errors import InvalidTypeError, InvalidValueError, Setting, must_be
from .._core.options import MISSING, Missing
from .._core.text import counted, listed
from .._core.types import Floats
from .._extras import extra
from ._content import UNNAMED, Content, FormatError, Place, shown_path, stem
from ._measures import no_such_measure

if TYPE_CHECKING:
    import pandas

SORTED_TOPIC = re.compile(r"[0-9]{1,18}")
"""Topics that are whole numbers are sorted, if all of them are."""

Measure: TypeAlias = str | Sequence[str] | None
"""The name of a measure, a list of names, or None for all measures."""


@dataclass(frozen=True, eq=False)
class Block(Mapping[str, Mapping[str, float]]):
    """The scores of a system by measure and topic, in an array."""

    measures: dict[str, int]
    """The row of each measure, or -1 if its scores are left out."""
    topics: list[str]
    """The topics in the columns."""
    scores: Floats
    """The scores, with NaN where there is none."""

    def __getitem__(self, measure: str) -> dict[str, float]:
        row = self.measures[measure]
        scores = self.scores[row].tolist() if row >= 0 else ()
        return {topic: score for topic, score in zip(self.topics, scores) if not isnan(score)}

    def __iter__(self) -> Iterator[str]:
        return iter(self.measures)

    def __len__(self) -> int:
        return len(self.measures)


ByMeasure: TypeAlias = Mapping[str, Mapping[str, float]]
"""Scores by measure and topic."""


@dataclass(frozen=True)
class Evaluated:
    """The scores of one system in evaluation output."""

    path: Place
    line: int
    """Where its output begins."""
    runid: str
    """Its name, or "" if it has that of the file."""
    values: ByMeasure
    """Of measures that are not wanted, some or all scores may be left out."""
    topics: dict[str, None]
    """Its topics in order."""
    num_q: int | None = None
    """The number of topics that the output says it has, and `count`, the number that it has."""
    count: int = 0


class ScoreCollector:
    """Collects scores by measure, topic and system; `source` names the files together in messages."""

    def __init__(self, measure: Measure, missing: Missing, source: str = "") -> None:
        names = [measure] if isinstance(measure, str) else measure
        is_list = isinstance(names, (list, tuple)) and len(names) > 0 and all(isinstance(name, str) for name in names)
        if not (names is None or is_list):
            raise InvalidTypeError("measure", must_be("the name of a measure, or a list of names", measure))
        self.wanted = None if names is None else tuple(dict.fromkeys(names))
        self.missing = MISSING.checked(missing)
        self.source = source
        # The scores of each system: those added one by one, then also those of evaluation output.  The dicts without
        # values are sets that keep their order.
        self.added: dict[str, dict[str, dict[str, float]]] = {}
        self.systems: dict[str, ByMeasure] = {}
        self.topics: dict[str, None] = {}
        self.measures: dict[str, None] = {}
        self.evaluated: list[Evaluated] = []
        # Names that are those of topics in a file, and that are no measures, averages or numbers with decimals.
        self.plain: set[str] = set()
        self.notes: list[str] = []
        self.unnamed: Content | None = None

    def wants(self, measure: str) -> bool:
        return self.wanted is None or measure in self.wanted

    def add(self, measure: str, topic: str, system: str, score: float) -> bool:
        """Add a score, unless it is of another measure; return False if there is one already."""
        self.measures[measure] = None
        if self.wants(measure):
            column = self.added.setdefault(system, {}).setdefault(measure, {})
            if topic in column:
                return False
            column[topic] = score
            self.topics[topic] = None
        return True

    def add_system(self, system: Evaluated) -> None:
        """Add all scores of a system."""
        self.evaluated.append(system)

    def name_unnamed(self, content: Content, system: str) -> None:
        """Note that a source in memory does not name its system; only one may be so."""
        if system is not UNNAMED or self.unnamed is content:
            return
        if self.unnamed is not None:
            raise content.error(f"no system is named here, nor in {self.unnamed.name}", "give {system: scores}")
        self.unnamed = content
        self.notes.append(f"{content.name} does not name its system, which is called {UNNAMED!r}")

    def settle_names(self) -> None:
        """Add the systems of evaluation output under names of their own.

        A runid that several files have names none of them, so these take the names of their files.
        """
        files: dict[str, dict[Place, None]] = {}
        for system in self.evaluated:
            if system.runid:
                files.setdefault(system.runid, {})[system.path] = None
        for runid, paths in files.items():
            if len(paths) > 1:
                what = f"{counted(len(paths), 'file')} have the runid {runid!r}"
                self.notes.append(f"{what}, so their systems have the names of the files")
        first: dict[str, Evaluated] = {}
        for system in self.evaluated:
            name = system.runid if len(files.get(system.runid, ())) == 1 else stem(system.path)
            if name in first or name in self.added:
                there = "a table has it too"
                if name in first:
                    there = f"it is already at {shown_path(first[name].path)}:{first[name].line}"
                raise FormatError(system.path, system.line, f"system {name!r} is repeated: {there}")
            first[name] = system
        self.systems |= self.added
        for name, system in first.items():
            self.topics.update(system.topics)
            self.measures.update(dict.fromkeys(system.values))
            self.systems[name] = system.values
            self.check_count(name, system)
        self.evaluated = []

    def check_count(self, name: str, system: Evaluated) -> None:
        """Compare the number of topics with num_q, the number that trec_eval says it has averaged over."""
        if system.num_q is None or system.num_q == system.count:
            return
        topics = counted(system.count, "topic")
        what = f"num_q is {system.num_q}, but the file has {topics} of system {name!r}"
        if system.count > system.num_q:
            raise FormatError(system.path, system.line, what)
        if self.missing == "error":
            why = "lines are missing, or trec_eval -c has counted topics without documents as 0; "
            accepted = (Setting("missing", "zero"), " and ", Setting("missing", "drop"), " accept the file")
            raise FormatError(system.path, system.line, what, (why, *accepted))
        self.notes.append(f"{shown_path(system.path)}: {what}")

    def names(self) -> tuple[list[str], list[str]]:
        """The measures that are wanted and the systems that have any of them, in the order in which they were found."""
        systems = [system for system, values in self.systems.items() if any(map(self.wants, values))]
        return list(filter(self.wants, self.measures)), systems

    def about_source(self, text: str) -> str:
        """The text with the files that it is about before it."""
        return f"{self.source}: {text}" if self.source else text

    def error(self, problem: str, *more: str | Setting) -> InvalidValueError:
        """The error for the files together."""
        return InvalidValueError(None, (self.about_source(problem), *more))

    def table(self) -> pandas.DataFrame:
        """Make the table of topics by systems, or by measures and systems, and handle missing scores."""
        pd = extra("pandas", "reading files")

        self.settle_names()
        for name in self.wanted or ():
            if name not in self.measures:
                raise no_such_measure(name, self.measures, self.source)
        if "" in self.measures and len(self.measures) > 1:
            what = "some of the files name their measures and others do not, so it is not known which belong together"
            raise self.error(what)
        topics = list(self.topics)
        if all(map(SORTED_TOPIC.fullmatch, topics)):
            topics.sort(key=int)
        measures, systems = self.names()
        if self.wanted is not None:
            measures = list(self.wanted)
        scores = self.matrix(measures, systems, topics)
        self.refuse_absent(measures, systems, scores)
        columns = pd.MultiIndex.from_product([measures, systems], names=["measure", "system"])
        table = pd.DataFrame(scores.T, index=pd.Index(topics, name="topic"), columns=columns)
        gaps = table.isna()
        if gaps.to_numpy().any():
            table = self.without_gaps(table, gaps)
        if len(measures) == 1:
            table = table.droplevel("measure", axis=1)
            if measures[0]:
                table.attrs["measure"] = measures[0]
        if self.notes:
            table.attrs["notes"] = list(self.notes)
        return table

    def matrix(self, measures: list[str], systems: list[str], topics: list[str]) -> Floats:
        """The scores, a row for each measure and system, and NaN for those that are missing."""
        place = {topic: k for k, topic in enumerate(topics)}
        scores = np.full((len(measures), len(systems), len(topics)), nan)
        for k, system in enumerate(systems):
            values = self.systems[system]
            if isinstance(values, Block):
                rows = [values.measures.get(measure, -1) for measure in measures]
                to = [j for j, row in enumerate(rows) if row >= 0]
                columns = [place[topic] for topic in values.topics]
                scores[np.array(to, dtype=np.intp)[:, None], k, columns] = values.scores[[rows[j] for j in to]]
                continue
            for j, measure in enumerate(measures):
                column = values.get(measure, {})
                scores[j, k] = [column.get(topic, nan) for topic in topics]
        return scores.reshape(-1, len(topics))

    def refuse_absent(self, measures: list[str], systems: list[str], scores: Floats) -> None:
        """Refuse a system that has no value at all of a measure that others have."""
        for k in np.flatnonzero(np.isnan(scores).all(axis=1)).tolist():
            measure, system = measures[k // len(systems)], systems[k % len(systems)]
            own = [
                name
                for name, column in self.systems[system].items()
                if self.wants(name) and any(score == score for score in column.values())
            ]
            only = f", only of {listed(own, 8)}: choose a measure that all systems have" if own else ""
            raise self.error(f"system {system!r} has no values of {measure or 'the measure'} at all{only}")

    def without_gaps(self, table: pandas.DataFrame, gaps: pandas.DataFrame) -> pandas.DataFrame:
        """Fill or drop missing scores, and say so in the notes and in ``attrs["missing"]``."""
        which = describe_gaps(gaps)
        zero, drop = Setting("missing", "zero"), Setting("missing", "drop")
        if self.missing == "error":
            more = ("; ", zero, " counts missing values as 0, and ", drop, " drops the topics that have any")
            raise self.error(which, *more)
        if self.missing == "zero":
            table = table.fillna(0.0)
            done = self.about_source(f"{which}: counted as 0")
        else:
            table = table[~gaps.any(axis=1)]
            if not len(table):
                raise self.error(which, "; with ", drop, " no topic is left, because each has a missing value")
            done = self.about_source(f"{which}: {counted(int(gaps.any(axis=1).sum()), 'topic')} dropped")
        self.notes.append(done)
        table.attrs["missing"] = done
        return table


def describe_gaps(gaps: pandas.DataFrame) -> str:
    """Name the systems that have no score for some topics, and the topics."""
    texts = []
    for (measure, system), missing in gaps.items():
        if missing.any():
            topics = list(missing.index[missing])
            word = "topic" if len(topics) == 1 else "topics"
            texts.append(f"system {system!r} has no {measure or 'value'} for {word} {listed(topics)}")
    more = f"; and {len(texts) - 5} more" if len(texts) > 5 else ""
    return "; ".join(texts[:5]) + more
