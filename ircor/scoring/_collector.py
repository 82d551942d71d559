"""Scores collected one by one from files, and the table of topics by systems made from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import nan
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from .._core.content import UNNAMED, Content, FormatError, Place, shown_path, stem
from .._core.errors import InvalidTypeError, InvalidValueError, Setting, must_be
from .._core.options import MISSING, Missing
from .._core.text import counted, listed
from .._core.types import Floats
from .._extras import extra
from ._cells import Cells, Mask, Part, Problem, repetitions
from ._measures import no_such_measure

if TYPE_CHECKING:
    import pandas

SORTED_TOPIC = re.compile(r"[0-9]{1,18}")
"""Topics that are whole numbers are sorted, if all of them are."""

Measure: TypeAlias = str | Sequence[str] | None
"""The name of a measure, a list of names, or None for all measures."""


@dataclass(frozen=True)
class Evaluated:
    """The scores of one system in evaluation output."""

    path: Place
    line: int
    """Where its output begins."""
    runid: str
    """Its name, or "" if it has that of the file."""
    part: Part
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
        # Those of tables, then also those of evaluation output, whose systems get their names at the end.
        self.parts: list[Part] = []
        self.evaluated: list[Evaluated] = []
        # Names that are those of topics in a file, and that are no measures, averages or numbers with decimals.
        self.plain: set[str] = set()
        self.notes: list[str] = []
        self.unnamed: Content | None = None

    def wants(self, measure: str) -> bool:
        return self.wanted is None or measure in self.wanted

    def add(self, cells: Cells, kept: Mask, *problems: Problem, repeated: str) -> None:
        """Add the kept cells, or raise for the first of them that has a problem or is repeated; see `Cells.refuse`."""
        wanted = kept & cells.measures.are(set(filter(self.wants, cells.measures.names)))
        again = np.logical_or.reduce([repetitions(cells, wanted), *(part.has(cells) & wanted for part in self.parts)])
        own = [one._replace(where=one.where & kept) for one in problems]
        cells.refuse(*own, Problem(again, repeated))
        self.parts.append(Part.of(cells, wanted, cells.measures.among(kept).names))

    def add_system(self, system: Evaluated) -> None:
        """Add the scores of a system in evaluation output."""
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
            if name in first or any(name in part.systems for part in self.parts):
                there = "a table has it too"
                if name in first:
                    there = f"it is already at {shown_path(first[name].path)}:{first[name].line}"
                raise FormatError(system.path, system.line, f"system {name!r} is repeated: {there}")
            first[name] = system
        for name, system in first.items():
            self.parts.append(replace(system.part, systems=[name]))
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

    def measures(self) -> dict[str, None]:
        """The measures, wanted or not, in the order in which they were found."""
        return dict.fromkeys(chain.from_iterable(part.measures for part in self.parts))

    def names(self) -> tuple[list[str], list[str]]:
        """The measures that are wanted and the systems that have any of them, in the order in which they were found."""
        measures = self.measures()
        systems = [name for part in self.parts if any(map(self.wants, part.measures)) for name in part.systems]
        return list(filter(self.wants, measures)), list(dict.fromkeys(systems))

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
        found = self.measures()
        for name in self.wanted or ():
            if name not in found:
                raise no_such_measure(name, found, self.source)
        if "" in found and len(found) > 1:
            what = "some of the files name their measures and others do not, so it is not known which belong together"
            raise self.error(what)
        topics = list(dict.fromkeys(chain.from_iterable(part.topics for part in self.parts)))
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
        place, of_system = ({name: k for k, name in enumerate(names)} for names in (topics, systems))
        scores = np.full((len(measures) * len(systems), len(topics)), nan)
        for part in self.parts:
            rows = [part.measures.get(measure, -1) for measure in measures]
            kept = [j for j, row in enumerate(rows) if row >= 0]
            if not kept:
                continue
            of_systems = [of_system[name] for name in part.systems]
            to = np.add.outer(np.array(kept) * len(systems), of_systems).reshape(-1, 1)
            columns = [place[topic] for topic in part.topics]
            of_measures = [rows[j] for j in kept]
            own = part.scores[of_measures].reshape(len(to), -1)
            if part.present is not None:  # other tables may have other scores of the same systems
                own = np.where(part.present[of_measures].reshape(own.shape), own, scores[to, columns])
            scores[to, columns] = own
        return scores

    def refuse_absent(self, measures: list[str], systems: list[str], scores: Floats) -> None:
        """Refuse a system that has no value at all of a measure that others have."""
        for k in np.flatnonzero(np.isnan(scores).all(axis=1)).tolist():
            measure, system = measures[k // len(systems)], systems[k % len(systems)]
            rows = zip(measures, scores[k % len(systems) :: len(systems)])
            scored = {name for name, row in rows if not np.isnan(row).all()}
            there = dict.fromkeys(name for part in self.parts if system in part.systems for name in part.measures)
            own = [name for name in there if name in scored]
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
