"""Runs of several systems, scored by judgments."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from .._core.checks import column_values, refuse_unhashable
from .._core.content import Content, FormatError, expanded_paths, first_repeated, shown_path, stem
from .._core.errors import Argument, InvalidTypeError, InvalidValueError, Source, must_be
from .._core.files import FilePath
from .._core.names import role_of
from .._core.text import counted, listed
from .._core.types import Frame, HasItems
from .._core.work import Progress, watched
from ._documents import (
    Documents,
    OfRanx,
    by_topic,
    column_names,
    grouped,
    is_run,
    numbers_of_topic,
    run_of,
    the_column,
)
from ._evaluation import Evaluation, Judgments, Ranked, TopicScores, refuse_unsafe_ids
from ._ir_measures import LARGEST_GRADE, least_grade

Runs: TypeAlias = "FilePath | Iterable[FilePath] | HasItems[Documents] | Iterable[OfRanx] | OfRanx | Frame"
"""Runs of several systems: files, folders and patterns; {system: run}; Runs of ranx; a table that names its systems."""


def scored_by_each(
    runs: Runs,
    judgments: Mapping[str, Judgments],
    measures: dict[str, Any],
    progress: Progress,
    visit: Callable[[Ranked], None] | None = None,
    in_process: bool = False,
) -> list[Scorer]:
    """Score all runs by each of several judgments.

    Each run is read once, and forgotten after it was scored; `visit` gets each, in the order of the systems.
    """
    scorers = [Scorer(name, grades, measures) for name, grades in judgments.items()]
    total, systems = systems_of(runs)
    risen, tied = [], []
    evaluation = Evaluation(measures, list(judgments.values()), in_process)
    with evaluation, watched(total, progress) as tell:
        for done, (system, by_each) in enumerate(evaluated(systems, evaluation), 1):
            for scorer, values in zip(scorers, by_each):
                scorer.add(system, values)
            if visit:
                visit(system.run)
            if system.risen:
                risen.append(system.name)
            if all(map(is_one_tie, system.run.values())):
                tied.append(system.name)
            tell(done)
    oddities = {
        "scores that rise with the rank: documents are ranked by score, as in trec_eval": risen,
        "the same score for all documents of a topic: documents are ranked by name, as in trec_eval": tied,
    }
    for what, names in oddities.items():
        for scorer in scorers if names else ():
            scorer.notes.append(f"{counted(len(names), 'run')} with {what} ({listed(names)})")
    return scorers


def evaluated(systems: Iterable[System], evaluation: Evaluation) -> Iterator[tuple[System, list[TopicScores]]]:
    """The systems and the scores of their runs; while a run is scored, the next one is read."""
    before = None
    for system in systems:
        if not system.run:
            raise InvalidValueError(None, f"{system.called} is empty")
        evaluation.send(system.run, system.called)
        if before:
            yield before, evaluation.receive()
        before = system
    if before:
        yield before, evaluation.receive()


def is_one_tie(documents: dict[str, float]) -> bool:
    """Whether there are several documents, all with the same score."""
    if len(documents) < 2:
        return False
    first, last = next(iter(documents.values())), documents[next(reversed(documents))]
    return first == last and len(set(documents.values())) == 1


class System(NamedTuple):
    """A system and its run.

    Attributes
    ----------
    name : str
    path : path
        The file, or the name once more.
    called : str
        The run in messages.
    run : dict
        {topic: {doc: score}}.
    risen : int
        The number of lines of a file whose score is higher than that of the line before although their rank is lower.
    """

    name: str
    path: FilePath
    called: str
    run: Ranked
    risen: int = 0


def systems_of(runs: Any, text: bool = True) -> tuple[int, Iterator[System]]:
    """The number of systems, and the systems one after the other; ids are strings unless `text` is False."""
    if isinstance(runs, Mapping):
        refuse_one_run(runs)
        return len(runs), (of_mapping(name, run, text) for name, run in runs.items())
    if hasattr(runs, "columns"):
        by_system = runs_of_table(runs)
        return len(by_system), (of_mapping(name, run, text) for name, run in by_system.items())
    paths = (
        [runs] if isinstance(runs, (str, os.PathLike)) or not isinstance(runs, Iterable) or is_run(runs) else list(runs)
    )
    if paths and all(map(is_run, paths)):
        return systems_of(by_name(paths), text)
    if all(isinstance(path, (str, os.PathLike)) for path in paths):
        files = expanded_paths(paths)
        return len(files), (of_file(path, in_folder) for path, in_folder in files)
    expected = "paths, a mapping of systems to runs, Runs of ranx, or a table with a column of systems"
    raise InvalidTypeError("runs", must_be(expected, runs))


def by_name(runs: list[Any]) -> dict[str, Any]:
    """Runs of ranx by their names."""
    names = [run.name for run in runs]
    if None in names:
        raise InvalidValueError("runs", f"has no name for the run {names.index(None)}", "give {system: run}")
    if (k := first_repeated(names)) is not None:
        raise InvalidValueError("runs", f"has two runs of the name {names[k]!r}", "give {system: run}")
    return dict(zip(names, runs))


def of_file(path: str, in_folder: bool = False) -> System:
    try:
        run = run_of(Content.of(path))
    except FormatError as error:
        if not in_folder:
            raise
        hint = "; if this is not a run, a pattern such as 'runs/*.run' leaves it out"
        raise InvalidValueError(None, (*error.parts, hint)) from None
    return System(run.name or stem(path), path, f"the run {shown_path(path)}", run.by_topic, run.risen)


def of_mapping(name: Hashable, run: Any, text: bool = True) -> System:
    called = f"run of {name}"
    topics = by_topic(run, "run", called)
    return System(str(name), str(name), f"the {called}", with_text(topics, called) if text else topics)


def refuse_one_run(runs: Mapping[Any, Any]) -> None:
    """Raise for a mapping that is one run, {topic: {doc: score}}."""
    inner = next((value for value in runs.values() if isinstance(value, Mapping) and value), {})
    if inner and not isinstance(next(iter(inner.values())), Mapping):
        raise InvalidValueError("runs", "is one run, {topic: {doc: score}}", "give a name to it, {system: run}")
    if not runs:
        raise InvalidValueError("runs", "has no runs")


def runs_of_table(table: Any) -> dict[str, dict[Any, dict[Any, float]]]:
    """The run of each system in a table with a column of systems."""
    names = column_names(table)
    systems = [name for name in names if role_of(name) == "system"]
    if not systems:
        raise InvalidValueError("runs", "has no column of systems, such as 'run' or 'system'")
    if len(systems) > 1:
        either = f" may be in {' or '.join(map(repr, systems))}"
        raise InvalidValueError(None, ("the systems of ", Argument("runs"), either), "keep one of these columns")
    columns = [*systems, *(the_column(names, "runs", role) for role in ("topic", "document", "score"))]
    rows: dict[Any, tuple[list[Any], list[Any], list[Any]]] = {}
    system, *others = (column_values(table, column) for column in columns)
    refuse_unhashable(system, "the name of a system")
    for name, *cells in zip(system, *others):
        for values, cell in zip(rows.setdefault(name, ([], [], [])), cells):
            values.append(cell)
    return {
        name: {
            topic: numbers_of_topic(topic, documents, "runs", "score")
            for topic, documents in grouped(f"runs of {name}", *values).items()
        }
        for name, values in rows.items()
    }


def judgments_of(source: Documents, name: str) -> Judgments:
    """{topic: {doc: grade}} from whatever holds judgments, if they can be scored with."""
    topics = with_text(by_topic(source, "qrels", name), name)
    if not any(topics.values()):
        raise InvalidValueError(Source(name), "has no judgments")
    for topic, documents in topics.items():
        for doc, grade in documents.items():
            if grade != int(grade) or abs(grade) > LARGEST_GRADE:
                what = f"has the grade {grade} for document {doc!r} of topic {topic!r}"
                must = f"grades must be whole numbers, from -{LARGEST_GRADE} to {LARGEST_GRADE}"
                raise InvalidValueError(Source(name), what, must)
    refuse_unsafe_ids(topics, f"'{name}'")
    # A topic without documents was not judged.
    return {topic: {doc: int(grade) for doc, grade in docs.items()} for topic, docs in topics.items() if docs}


def with_text(topics: Mapping[Any, Mapping[Any, float]], name: str) -> dict[str, dict[str, Any]]:
    """The same with topics and documents as strings, as trec_eval has them; names that become the same are refused."""
    converted: dict[str, dict[str, Any]] = {}
    for topic, documents in topics.items():
        texts = dict(documents) if all(type(doc) is str for doc in documents) else None
        if texts is None:
            texts = {str(doc): value for doc, value in documents.items()}
            if len(texts) < len(documents):
                raise InvalidValueError(
                    Source(name), f"has two documents that are the same as text for topic {topic!r}"
                )
        if str(topic) in converted:
            raise InvalidValueError(Source(name), f"has two topics that are the same as text: {str(topic)!r}")
        converted[str(topic)] = texts
    return converted


class Scored(NamedTuple):
    """The scores of a system, {measure: {topic: score}}, on these topics."""

    path: FilePath
    name: str
    values: dict[str, dict[str, float]]
    topics: list[str]


@dataclass
class Scorer:
    """Scores runs by one set of judgments, which has this name in messages."""

    name: str
    judgments: Judgments
    measures: dict[str, Any]
    systems: list[Scored] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lacking: dict[tuple[str, ...], list[str]] = field(default_factory=dict)

    def add(self, system: System, scores: TopicScores) -> None:
        """Take the scores of the run of a system."""
        topics = [topic for topic in self.judgments if system.run.get(topic)]
        if not topics:
            theirs, ours = (listed(map(repr, some), 3) for some in (system.run, self.judgments))
            they_have = f"they have {theirs} and {ours}"
            raise InvalidValueError(None, (f"no topic of {system.called} is in ", Source(self.name)), they_have)
        self.refuse_zeros(system, topics)
        if unjudged := tuple(topic for topic in system.run if topic not in self.judgments):
            self.lacking.setdefault(unjudged, []).append(system.name)
        values: dict[str, dict[str, float]] = {name: {} for name in self.measures}
        for name, topic, value in scores:
            values[name][topic] = value
        self.systems.append(Scored(system.path, system.name, values, topics))

    def refuse_zeros(self, system: System, common: Collection[str]) -> None:
        """Raise if a topic has leading zeros on one side only, such as "01" and "1": they may be the same topic."""
        here = {topic.lstrip("0"): topic for topic in system.run if topic not in common}
        for topic in self.judgments:
            if topic not in common and (other := here.get(topic.lstrip("0"))) is not None and topic != other:
                both = (f"{system.called} has the topic {other!r} and ", Source(self.name), f" has {topic!r}")
                raise InvalidValueError(None, both, "if they are the same, give them the same name")

    def all_notes(self) -> list[str]:
        """The notes on runs and on topics."""
        notes = list(self.notes)
        scored = {topic for system in self.systems for topic in system.topics}
        absent = [topic for topic in self.judgments if topic not in scored]
        for topics, systems in self.lacking.items():
            whose = "all runs" if len(systems) == len(self.systems) else listed(systems, 5)
            verb = "has" if len(systems) == 1 and whose != "all runs" else "have"
            unjudged = f"{counted(len(topics), 'topic')} that {self.name} lacks, not scored: {listed(topics)}"
            notes.append(f"{whose} {verb} {unjudged}")
        if absent:
            notes.append(f"{counted(len(absent), 'topic')} of {self.name} in no run, left out: {listed(absent)}")
        for grade in sorted({least_grade(measure) for measure in self.measures.values()}):
            best = {topic: max(grades.values()) for topic, grades in self.judgments.items() if topic in scored}
            if empty := [topic for topic, highest in best.items() if highest < grade]:
                what = "a relevant document" if grade == 1 else f"a document of grade {grade} or more"
                notes.append(f"{counted(len(empty), 'topic')} of {self.name} without {what}: {listed(empty)}")
        return notes
