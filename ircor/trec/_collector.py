"""Scores collected one by one from files, and the table of topics by systems made from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from .._extras import extra
from .._options import one_of, shown
from .._text import counted, listed
from ._lines import FormatError
from ._names import no_such_measure
from ._paths import FilePath, shown_path, stem

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

Missing = Literal["error", "zero", "drop"]
"""How to handle a topic for which a system has no score: raise an error, count it as 0, or drop the topic."""

SORTED_TOPIC = re.compile(r"[0-9]{1,18}")
"""Topics that are whole numbers are sorted, if all of them are."""

Measure: TypeAlias = str | Sequence[str] | None
"""The name of a measure, a list of names, or None for all measures."""


@dataclass(frozen=True, eq=False)
class Block(Mapping[str, Mapping[str, float]]):
    """The scores of a system by measure and topic, in an array.

    Attributes
    ----------
    measures : dict
        The row of each measure, or -1 if its scores are left out.
    topics : list of str
        The topics in the columns.
    scores : numpy.ndarray
        The scores, with NaN where there is none.
    """

    measures: dict[str, int]
    topics: list[str]
    scores: npt.NDArray[np.float64]

    def __getitem__(self, measure: str) -> dict[str, float]:
        row = self.measures[measure]
        found = self.scores[row].tolist() if row >= 0 else ()
        return {topic: score for topic, score in zip(self.topics, found) if not isnan(score)}

    def __iter__(self) -> Iterator[str]:
        return iter(self.measures)

    def __len__(self) -> int:
        return len(self.measures)


@dataclass(frozen=True)
class Evaluated:
    """The scores of one system in evaluation output.

    Attributes
    ----------
    path : path
    line : int
        Where its output begins.
    system : str
        Its name.
    runid : bool
        Whether the output says the name; otherwise it is that of the file.
    values : mapping
        Its scores by measure and topic.  Of measures that are not wanted, some or all scores may be left out.
    topics : dict
        Its topics in order.
    num_q : int or None
        The number of topics that the output says it has, and `count`, the number that it has.
    """

    path: FilePath
    line: int
    system: str
    runid: bool
    values: Mapping[str, Mapping[str, float]]
    topics: dict[str, None]
    num_q: int | None = None
    count: int = 0

    @property
    def place(self) -> str:
        return f"{shown_path(self.path)}:{self.line}"


class ScoreCollector:
    """Collects scores by measure, topic and system.

    Parameters
    ----------
    measure : str, sequence of str or None
        The measures to keep; None keeps all.
    missing : {"error", "zero", "drop"}
        How to handle missing scores.
    source : str
        What messages call the files together, or "".
    """

    def __init__(self, measure: Measure, missing: Missing, source: str = "") -> None:
        names = [measure] if isinstance(measure, str) else measure
        is_list = isinstance(names, (list, tuple)) and len(names) > 0 and all(isinstance(name, str) for name in names)
        if not (names is None or is_list):
            raise TypeError(f"'measure' must be the name of a measure, or a list of names, not {shown(measure)}")
        self.wanted = None if names is None else tuple(dict.fromkeys(names))
        self.missing = one_of(missing, "missing", get_args(Missing))
        self.source = source
        # The scores of a measure and system by topic, and those of a system by measure and topic.  The dicts without
        # values are sets that keep their order.
        self.added: dict[tuple[str, str], dict[str, float]] = {}
        self.systems: dict[str, Mapping[str, Mapping[str, float]]] = {}
        self.topics: dict[str, None] = {}
        self.measures: dict[str, None] = {}
        self.evaluated: list[Evaluated] = []
        # Names that are those of topics in a file, and that are no measures, averages or numbers with decimals.
        self.plain: set[str] = set()
        self.notes: list[str] = []

    def wants(self, measure: str) -> bool:
        return self.wanted is None or measure in self.wanted

    def add(self, measure: str, topic: str, system: str, score: float) -> bool:
        """Add a score, unless it is of another measure; return False if there is one already."""
        self.measures[measure] = None
        if self.wants(measure):
            column = self.added.setdefault((measure, system), {})
            if topic in column:
                return False
            column[topic] = score
            self.topics[topic] = None
        return True

    def add_system(self, found: Evaluated) -> None:
        """Add all scores of a system."""
        self.evaluated.append(found)

    def settle_names(self) -> None:
        """Add the systems of evaluation output under names of their own.

        A runid that several files have names none of them, so these take the names of their files.
        """
        files: dict[str, dict[FilePath, None]] = {}
        for one in self.evaluated:
            if one.runid:
                files.setdefault(one.system, {})[one.path] = None
        shared = {runid: paths for runid, paths in files.items() if len(paths) > 1}
        for runid, paths in shared.items():
            self.notes.append(
                f"{counted(len(paths), 'file')} have the runid {runid!r}, so their systems have the names of the files"
            )
        tables = {system for _, system in self.added}
        first: dict[str, Evaluated] = {}
        for one in self.evaluated:
            named = replace(one, system=stem(one.path)) if one.runid and one.system in shared else one
            if named.system in first:
                there = first[named.system].place
                raise FormatError(one.path, one.line, f"system {named.system!r} is repeated: it is already at {there}")
            if named.system in tables:
                raise FormatError(one.path, one.line, f"system {named.system!r} is repeated: a table has it too")
            first[named.system] = named
        for named in first.values():
            self.topics.update(named.topics)
            self.measures.update(dict.fromkeys(named.values))
            self.systems[named.system] = named.values
            self.check_count(named)
        self.evaluated = []

    def check_count(self, found: Evaluated) -> None:
        """Compare the number of topics with num_q, the number that trec_eval says it has averaged over."""
        if found.num_q is None or found.num_q == found.count:
            return
        what = f"num_q is {found.num_q}, but the file has {counted(found.count, 'topic')} of system {found.system!r}"
        if found.count > found.num_q:
            raise FormatError(found.path, found.line, what)
        if self.missing == "error":
            raise FormatError(
                found.path,
                found.line,
                f"{what}: lines are missing, or trec_eval -c has counted topics without documents as 0; "
                'missing="zero" and missing="drop" accept the file',
            )
        self.notes.append(f"{shown_path(found.path)}: {what}")

    def names(self) -> tuple[list[str], list[str]]:
        """The measures that are wanted and the systems that have any of them, in the order in which they were found."""
        measures = {measure: None for measure, _ in self.added}
        systems = {system: None for _, system in self.added}
        for system, values in self.systems.items():
            own = dict.fromkeys(values if self.wanted is None else filter(self.wants, values))
            measures.update(own)
            if own:
                systems[system] = None
        return list(measures), list(systems)

    def columns(self) -> Iterator[tuple[str, str, Mapping[str, float]]]:
        """The measure, the system and the scores by topic of each column, in the order in which they were found."""
        yield from ((measure, system, column) for (measure, system), column in self.added.items())
        for system, values in self.systems.items():
            yield from ((measure, system, values[measure]) for measure in values if self.wants(measure))

    def about_source(self, text: str) -> str:
        """The text with the files that it is about before it."""
        return f"{self.source}: {text}" if self.source else text

    def table(self) -> pandas.DataFrame:
        """Make the table of topics by systems, or by measures and systems, and handle missing scores."""
        pd = extra("pandas", "reading files")

        self.settle_names()
        for name in self.wanted or ():
            if name not in self.measures:
                raise no_such_measure(name, self.measures, self.source)
        if "" in self.measures and len(self.measures) > 1:
            what = "some of the files name their measures and others do not, so it is not known which belong together"
            raise ValueError(self.about_source(what))
        topics = list(self.topics)
        if all(map(SORTED_TOPIC.fullmatch, topics)):
            topics.sort(key=int)
        found, systems = self.names()
        measures = found if self.wanted is None else list(self.wanted)
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

    def matrix(self, measures: list[str], systems: list[str], topics: list[str]) -> npt.NDArray[np.float64]:
        """The scores, a row for each measure and system, and NaN for those that are missing."""
        place = {topic: k for k, topic in enumerate(topics)}
        scores = np.full((len(measures), len(systems), len(topics)), nan)
        for k, system in enumerate(systems):
            values = self.systems.get(system, {})
            if isinstance(values, Block):
                rows = [values.measures.get(measure, -1) for measure in measures]
                to = [j for j, row in enumerate(rows) if row >= 0]
                columns = [place[topic] for topic in values.topics]
                scores[np.array(to, dtype=np.intp)[:, None], k, columns] = values.scores[[rows[j] for j in to]]
                continue
            for j, measure in enumerate(measures):
                column = self.added.get((measure, system)) or values.get(measure, {})
                scores[j, k] = [column.get(topic, nan) for topic in topics]
        return scores.reshape(-1, len(topics))

    def refuse_absent(self, measures: list[str], systems: list[str], scores: npt.NDArray[np.float64]) -> None:
        """Refuse a system that has no value at all of a measure that others have."""
        for k in np.flatnonzero(np.isnan(scores).all(axis=1)).tolist():
            measure, system = measures[k // len(systems)], systems[k % len(systems)]
            own = [name for name, other, column in self.columns() if other == system and has_values(column)]
            only = f", only of {listed(own, 8)}: choose a measure that all systems have" if own else ""
            what = f"system {system!r} has no values of {measure or 'the measure'} at all{only}"
            raise ValueError(self.about_source(what))

    def without_gaps(self, table: pandas.DataFrame, gaps: pandas.DataFrame) -> pandas.DataFrame:
        """Fill or drop missing scores, and say so in the notes and in ``attrs["missing"]``."""
        which = self.about_source(describe_gaps(gaps))
        if self.missing == "error":
            raise ValueError(
                f'{which}; missing="zero" counts missing values as 0, and missing="drop" drops the topics that have any'
            )
        if self.missing == "zero":
            table = table.fillna(0.0)
            done = f"{which}: counted as 0"
        else:
            table = table[~gaps.any(axis=1)]
            if not len(table):
                raise ValueError(f'{which}; with missing="drop" no topic is left, because each has a missing value')
            done = f"{which}: {counted(int(gaps.any(axis=1).sum()), 'topic')} dropped"
        self.notes.append(done)
        table.attrs["missing"] = done
        return table


def has_values(column: Mapping[str, float]) -> bool:
    """Whether any score of a column is not missing."""
    return any(score == score for score in column.values())


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


def one_measure(scores: pandas.DataFrame, source: str, option: str = "measure=") -> pandas.DataFrame:
    """Return the table if it has one measure, else raise an error that names the measures and the option to choose."""
    if scores.columns.nlevels > 1:
        names = scores.columns.get_level_values("measure").unique()
        raise ValueError(f"{source} has several measures, choose one with {option}: {listed(names, 8)}")
    return scores
