"""Scores in every form in which they are given: paths, tables of topics by systems, leaderboards."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from .._core.errors import Argument, InvalidTypeError, InvalidValueError, Setting, Source, must_be
from .._core.names import are_counts, is_topic, role_of
from .._core.options import MISSING, Missing
from .._core.text import counted, listed
from .._core.vectors import without_arrow
from .._core.work import Progress
from ..data import Leaderboard, Scores, has_numbers, is_read, is_table, refuse_repeated, scores_by_measure
from ..trec import (
    FormatError,
    Ranked,
    are_same,
    has_ranks,
    is_beside_scores,
    is_measure,
    is_report,
    judgments_of,
    leaderboard_of,
    measures_of,
    no_such_measure,
    read_leaderboard,
    read_scores,
    score_by_each,
    seems_leaderboard,
    stem,
)
from ._bias import first_documents

SCORE = "score"
"""The name of scores whose measure has no name."""


Part: TypeAlias = Literal["measures", "topics", "systems"]


@dataclass(frozen=True)
class InputNote:
    """What a reader should know about the scores of one side.

    Attributes
    ----------
    kind : str
        What the reader of the scores says; measures that are ranks, errors or counts and left out; scores without the
        name of a measure, taken for that of another side; a measure that another side calls otherwise; measures of the
        truth of which no judge has any; more than all sides have; or what this side lacks.
    side : str
        The name of the truth or of the judge.
    names : tuple
        The measures, topics or systems that it is about; of "same measure", the name in this side and in the other.
    what : {"measures", "topics", "systems"}
        The kind of these names.
    other : str
        The side with the other name of a measure.
    text : str
        The words of the reader of the scores.
    """

    kind: Literal["reader", "beside scores", "no measure", "same measure", "other measures", "more", "lacking"]
    side: str = ""
    names: tuple[Hashable, ...] = ()
    what: Part = "measures"
    other: str = ""
    text: str = ""


def measure_tables(
    source: Any, name: str, wanted: Sequence[str] | None, missing: Missing
) -> tuple[dict[str, Scores], tuple[str, ...]]:
    """The scores of each measure: of a path, a table of topics by systems, or a leaderboard.

    Ranks, errors and counts among several measures are left out unless they are wanted; their names come second.
    """
    tables = all_tables_of(source, name, wanted, missing)
    left = [measure for measure in tables if has_ranks(measure) or is_beside_scores(measure)]
    if wanted or not left or len(left) == len(tables):
        return tables, ()
    return {measure: table for measure, table in tables.items() if measure not in left}, tuple(left)


def all_tables_of(source: Any, name: str, wanted: Sequence[str] | None, missing: Missing) -> dict[str, Scores]:
    """The scores of each measure, whatever it is."""
    if isinstance(source, (str, os.PathLike)):
        source = read_path(source, wanted, missing)
        if source.index.name == "system":
            return boards_of(source, name)
    if isinstance(source, Mapping) and not is_table(source):
        refuse_rank_values(list(source.values()), name)
        return {SCORE: Leaderboard.from_systems(list(source), list(source.values()), name)}
    if has_means(source):
        return boards_of(leaderboard_of(source, name, list(wanted) if wanted else None), name)
    if not hasattr(source, "columns") and is_read(source):
        for table in source.values() if isinstance(source, Mapping) else ():
            refuse_measures(table, name)
        tables = scores_by_measure(source, name, wanted, named_by="source")
        return {measure or SCORE: with_topics_once(table) for measure, table in tables.items()}
    source = without_arrow(source)
    columns: Any = getattr(source, "columns", None)
    # A list has an index, too, which is a method.
    index: Any = source.index if hasattr(source, "reindex") else None
    if columns is None and index is not None:  # a Series of systems
        called = SCORE if source.name is None else str(source.name)
        if has_ranks(called):
            raise InvalidValueError(
                Source(name), f"has ranks, by its name {called!r}", "give scores, which are larger if better"
            )
        if called == SCORE:
            refuse_rank_values(source.tolist(), name)
        return {called: Leaderboard.from_systems(list(index), source.to_numpy(), name)}
    if is_leaderboard(source, name):
        return boards_of(leaderboard_of(source, name, list(wanted) if wanted else None), name)
    if not is_table(source):
        raise InvalidTypeError(Source(name), must_be("scores by topic or a leaderboard", source))
    if getattr(columns, "nlevels", 1) == 1 and not is_read(source):
        refuse_measures(source, name)
    tables = scores_by_measure(source, name, named_by="source")
    if len(tables) == 1 and not any(tables):
        tables = {wanted[0] if wanted and len(wanted) == 1 else SCORE: tables[""]}
    return {measure: with_topics_once(table) for measure, table in tables.items()}


def refuse_rank_values(values: Sequence[Any], name: str) -> None:
    """Raise if values without a name are the whole numbers from 1, each once: ranks, or scores?"""
    if len(values) > 2 and all(map(is_number, values)) and sorted(values) == list(range(1, len(values) + 1)):
        raise InvalidValueError(
            Source(name),
            f"has the numbers 1 to {len(values)}, each once, which can be ranks or scores",
            "give scores as a Series with the name of the measure, and of ranks the negative",
        )


def has_means(source: Any) -> bool:
    """Whether an object has means of systems only: a report of ranx, or numbers by system and measure."""
    if is_report(source):
        return True
    parts = list(source.values()) if isinstance(source, Mapping) else []
    if not parts or not all(isinstance(part, Mapping) and has_numbers(part) for part in parts):
        return False
    inner = {str(key) for part in parts for key in part}
    return not all(map(is_topic, inner)) and not all(is_topic(str(key)) for key in source)


def with_topics_once(scores: Scores) -> Scores:
    """The same scores, if each topic is there once."""
    refuse_repeated(scores.topics, "topics", scores.name)
    return scores


def is_leaderboard(table: Any, name: str) -> bool:
    """Whether a DataFrame has systems in the rows, in its index or in a column, and no topics."""
    columns: Any = getattr(table, "columns", None)
    if columns is None or getattr(columns, "nlevels", 1) > 1:
        return False
    index: Any = getattr(table, "index", None)
    rows = {role_of(level) for level in getattr(index, "names", ())} & {"topic", "system"}
    of_kind = {kind: [column for column in columns if role_of(column) == kind] for kind in ("topic", "system")}
    systems = of_kind["system"]
    if rows != {"system"} and (rows or not systems or not has_labels(table, systems[0])):
        return False
    others = [str(column) for column in columns if column not in systems]
    if others and all(map(is_topic, others)):
        topics_in_rows = f"{name}.T" if rows else f"{name}.set_index({systems[0]!r}).T"
        raise InvalidValueError(
            Source(name),
            "seems to have systems in rows and topics in columns",
            f"{topics_in_rows} is a table of topics by systems",
        )
    labels = list(table[systems[0]] if systems else index)
    # With a row for each topic and system, it has scores by topic.
    return not of_kind["topic"] or len(set(labels)) == len(labels)


def has_labels(table: Any, column: Hashable) -> bool:
    """Whether a column names the rows, rather than having the scores of one system: text, or whole numbers.

    Whole numbers are scores if the rows have other names.
    """
    values = list(table[column])
    if not all(map(is_number, values)):
        return True
    index: Any = getattr(table, "index", None)
    counted_rows = index is None or are_counts(list(map(str, index)))
    return counted_rows and all(value == np.floor(value) for value in values) and len(set(values)) == len(values)


def refuse_measures(table: Any, name: str) -> None:
    """Refuse a table of topics by systems whose systems have the names of measures, unless it says what they are."""
    columns: Any = getattr(without_arrow(table), "columns", None)
    if columns is None or "system" in map(role_of, getattr(columns, "names", ())):
        return
    topics = [column for column in columns if role_of(column) == "topic"]
    names = [str(column) for column in columns if column not in topics]
    measures = [column for column in names if is_measure(column)]
    index: Any = getattr(table, "index", None)
    has_topics = topics or role_of(getattr(index, "name", None)) == "topic"
    if measures and (len(measures) == len(names) or not has_topics):
        raise InvalidValueError(
            None,
            ("the columns of ", Source(name), f" can be measures ({listed(measures, 4)}), or systems"),
            'for a leaderboard, call the index or the column of the systems "system"; for scores by topic, give the '
            "columns other names",
        )


def boards_of(read: Any, name: str) -> dict[str, Scores]:
    """The scores of each measure of a leaderboard that was read."""
    note, systems = "; ".join(read.attrs.get("notes", ())), list(read.index)
    return {
        str(column): Leaderboard.from_systems(systems, read[column].to_numpy(), name, note) for column in read.columns
    }


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number))


def has_scores(path: Any, measures: list[str] | None) -> bool:
    """Whether files have scores by topic, with some topics that no system misses."""
    try:
        return len(read_scores(path, measures, missing="drop")) > 0
    except ValueError:
        return False


def read_path(path: Any, wanted: Sequence[str] | None, missing: Missing) -> Any:
    """Scores by topic from files or, if they have no topics, a leaderboard."""
    measures = list(wanted) if wanted else None
    try:
        table = read_scores(path, measures, missing=missing)
        if len(table) > 1:
            return table
        refusal = None
    except ValueError as error:
        refusal = error
        # Scores by topic of which some are missing do not become a leaderboard of their averages.
        if missing == "error" and has_scores(path, measures):
            raise
    # What seems to be the only topic may be the number of topics of a leaderboard.
    try:
        return read_leaderboard(path, measures)
    except ValueError:
        if refusal is None:
            return table
        if seems_leaderboard(path):
            raise
    if not isinstance(refusal, FormatError):
        raise refusal
    more = "; to compare judgments, give the runs too" if refusal.has == "qrels" else ""
    raise InvalidValueError(None, (*refusal.without("systems").parts, more))


Grades: TypeAlias = dict[str, dict[str, int]]
"""{topic: {doc: grade}}."""


class Compared(NamedTuple):
    """A measure of the truth, that of the judges which is compared with it, and the judges that have it."""

    truth_measure: str
    judge_measure: str
    judges: tuple[str, ...]

    @property
    def label(self) -> str:
        """What tables and sentences call it."""
        same = self.truth_measure == self.judge_measure
        return self.truth_measure if same else f"{self.truth_measure} vs {self.judge_measure}"


@dataclass(frozen=True)
class Inputs:
    """The data about the truth and the judges."""

    truth: str
    """The name of the truth."""
    judges: tuple[str, ...]
    """The names of the judges."""
    scores: dict[str, list[Scores]]
    """For each measure, the scores of the truth and of each judge: the same systems and topics in the same order.  A
    leaderboard is a table of one topic.
    """
    compared: tuple[Compared, ...] = field(default=(), kw_only=True)
    """The measures, and their judges in the order of these scores."""
    judgments: dict[str, Grades] = field(default_factory=dict)
    """The grades of the truth and of each judge by name, or nothing without judgments."""
    runs: dict[str, Ranked] = field(default_factory=dict)
    """{system: {topic: {doc: score}}} with the first documents only, or nothing without runs."""
    notes: tuple[InputNote, ...] = ()


def names_of_judges(truth: Any, judges: Any, name: str | None) -> tuple[str, dict[str, Any]]:
    """The name of the truth, and the judges by name: those of a mapping, or of the files."""
    paths = (str, os.PathLike)
    if isinstance(judges, Mapping):
        named = {str(key): judge for key, judge in judges.items()}
        called = name or (stem(truth) if isinstance(truth, paths) else "truth")
    else:
        several = list(judges) if isinstance(judges, (list, tuple)) else [judges]
        if not all(isinstance(judge, paths) for judge in several):
            raise InvalidTypeError("judges", must_be("a mapping of names to judges, or paths", judges))
        files = [truth, *several] if name is None and isinstance(truth, paths) else several
        # Files of one name, in different folders, are called by their paths.
        stems = Counter(map(stem, files))
        names = {os.fspath(path): stem(path) if stems[stem(path)] == 1 else os.fspath(path) for path in files}
        if len(names) < len(files):
            given = listed(map(os.fspath, files))
            raise InvalidValueError(None, f"the truth and the judges must be different files, not {given}")
        called = name or (names[os.fspath(truth)] if isinstance(truth, paths) else "truth")
        named = {names[os.fspath(path)]: path for path in several}
    if not named:
        raise InvalidValueError("judges", "has no judges")
    if called in named:
        raise InvalidValueError(
            None, f"the truth and a judge are both called {called!r}", "give the judges other names"
        )
    return called, named


def from_runs(
    runs: Any,
    truth: Any,
    judges: Any,
    measures: Any,
    *,
    name: str | None,
    missing: Missing,
    depth: int,
    progress: Progress,
    truth_measures: Any = None,
    judge_measures: Any = None,
) -> Inputs:
    """Score the runs by the judgments of the truth and of each judge."""
    if is_one_judge(judges):
        raise InvalidValueError("judges", "is one judge", "give a name to it, {name: judgments}")
    called, named = names_of_judges(truth, judges, name)
    sides = [names_of(side) for side in (truth_measures, judge_measures)]
    if measures is None and None in sides:
        raise InvalidValueError("measures", "must name a measure, such as 'nDCG@10' or 'AP'")
    if measures is not None and sides != [None, None]:
        raise both_given()
    either = list(dict.fromkeys(name for side in sides for name in side or ()))
    wanted = measures_of(either if measures is None else measures)
    crossed = [Compared(one, other, tuple(named)) for one in sides[0] or () for other in sides[1] or ()]
    compared = crossed or [Compared(measure, measure, tuple(named)) for measure in wanted]
    judgments = {one: judgments_of(source, one) for one, source in {called: truth, **named}.items()}
    first: list[Ranked] = []

    def keep(run: Ranked) -> None:
        first.append({topic: {doc: docs[doc] for doc in first_documents(docs, depth)} for topic, docs in run.items()})

    tables = score_by_each(runs, judgments, wanted, missing, progress, keep)
    by_measure = {
        # With one measure, the columns have one level.
        one.label: [
            Scores.of(table[measure] if len(wanted) > 1 else table, side, rankable=False)
            for side, table in tables.items()
            for measure in [one.truth_measure if side == called else one.judge_measure]
        ]
        for one in compared
    }
    notes = [InputNote("reader", text=text) for table in tables.values() for text in table.attrs.get("notes", ())]
    systems = next(iter(by_measure.values()))[0].systems
    if len(systems) < 2:
        raise InvalidValueError(None, "there is one run, and two or more are needed to rank systems")
    scores, more = on_common(by_measure, missing, topics=2)
    first_runs = {str(system): run for system, run in zip(systems, first)}
    notes = list(dict.fromkeys([*notes, *more]))
    return Inputs(called, tuple(named), scores, judgments, first_runs, tuple(notes), compared=tuple(compared))


def is_one_judge(judges: Any) -> bool:
    """Whether the judges are the judgments of one, {topic: {doc: grade}}, rather than these under a name."""
    if not isinstance(judges, Mapping) or not judges:
        return False
    return all(isinstance(docs, Mapping) and docs and all(map(is_number, docs.values())) for docs in judges.values())


def both_given() -> InvalidValueError:
    """The error for measures of all sides together with those of one side."""
    others = "cannot be given together with ", Argument("truth_measures"), " or ", Argument("judge_measures")
    return InvalidValueError("measures", others, "it is for measures that the truth and the judges both have")


def names_of(measures: Any) -> list[str] | None:
    """The names of one measure or of several; None for None."""
    return None if measures is None else [measures] if isinstance(measures, str) else [str(one) for one in measures]


def from_scores(
    truth: Any,
    judges: Any,
    measures: Any,
    *,
    name: str | None,
    missing: Missing,
    truth_measures: Any = None,
    judge_measures: Any = None,
) -> Inputs:
    """Take scores by topic, or leaderboards, of the truth and of each judge."""
    called, named = names_of_judges(truth, judges, name)
    wanted, of_truth, of_judges = map(names_of, (measures, truth_measures, judge_measures))
    if wanted is not None and (of_truth, of_judges) != (None, None):
        raise both_given()
    read = {
        one: measure_tables(source, one, wanted or (of_truth if one == called else None), missing)
        for one, source in {called: truth, **named}.items()
    }
    sides = {one: tables for one, (tables, _) in read.items()}
    by_topic = [one for one, tables in sides.items() if next(iter(tables.values())).has_topics]
    if 0 < len(by_topic) < len(sides):
        boards = listed(one for one in sides if one not in by_topic)
        raise InvalidValueError(
            None,
            f"{boards} has one score for each system, and {listed(by_topic)} has scores by topic",
            "give leaderboards only, or scores by topic only",
        )
    notes: list[InputNote] = []
    if of_truth is None and of_judges is None and not wanted:
        of_truth = of_judges = no_common_measure(called, sides)
    if of_truth is None and of_judges is None:
        sides, notes = (sides, []) if wanted else with_one_name(sides)
        for one, tables in sides.items():
            refuse_absent(wanted or list(sides[called]), tables, one)
        compared = [Compared(measure, measure, tuple(named)) for measure in wanted or sides[called]]
    else:
        compared = every_pair(called, sides, of_truth, of_judges)
        if truth_measures is None and judge_measures is None:
            notes.append(InputNote("other measures", called, tuple(sides[called])))
    by_measure = {}
    for pair in compared:
        names = (called, *pair.judges)
        measure_of = {called: pair.truth_measure}
        by_measure[pair.label] = [sides[one][measure_of.get(one, pair.judge_measure)] for one in names]
        for one, table in zip(names, by_measure[pair.label]):
            if left := read[one][1]:
                notes.append(InputNote("beside scores", one, left, text=table.note))
            elif table.note:
                notes.append(InputNote("reader", one, text=table.note))
    scores, more = on_common(by_measure, missing)
    return Inputs(called, tuple(named), scores, notes=tuple(dict.fromkeys([*notes, *more])), compared=tuple(compared))


def refuse_absent(measures: Iterable[str], tables: Mapping[str, Scores], name: str) -> None:
    """Raise if the truth or a judge lacks a measure."""
    for measure in measures:
        if measure not in tables:
            raise no_such_measure(measure, map(str, tables), name)


def no_common_measure(called: str, sides: Mapping[str, Mapping[str, Scores]]) -> list[str] | None:
    """An empty list, for all measures, if no judge has one of the truth's and all name theirs; else None."""
    if any(list(tables) == [SCORE] for tables in sides.values()):
        return None
    others = [measure for one, tables in sides.items() if one != called for measure in tables]
    return None if any(are_same(one, other) for one in sides[called] for other in others) else []


def every_pair(
    called: str, sides: Mapping[str, Mapping[str, Scores]], of_truth: list[str] | None, of_judges: list[str] | None
) -> list[Compared]:
    """Each of these measures of the truth with each of these of the judges, by default all."""
    refuse_absent(of_truth or (), sides[called], called)
    judges = {one: tables for one, tables in sides.items() if one != called}
    there = list(dict.fromkeys(measure for tables in judges.values() for measure in tables))
    for measure in of_judges or ():
        if measure not in there:
            raise no_such_measure(measure, map(str, there), " and ".join(judges))
    for one, tables in judges.items():
        if of_judges and not set(of_judges).intersection(tables):
            raise no_such_measure(of_judges[0], map(str, tables), one)
    return [
        Compared(measure, other, tuple(one for one, tables in judges.items() if other in tables))
        for measure in of_truth or sides[called]
        for other in of_judges or there
    ]


def with_one_name(sides: Mapping[str, dict[str, Scores]]) -> tuple[dict[str, dict[str, Scores]], list[InputNote]]:
    """The sides with the names that the first of them has for measures, and notes on the names.

    Scores without the name of a measure are taken for those of the others.  Two different measures are refused.
    """
    told = {one: list(tables) for one, tables in sides.items() if list(tables) != [SCORE]}
    if not told:
        return dict(sides), []
    first, names = next(iter(told.items()))
    notes: list[InputNote] = []
    named: dict[str, dict[str, Scores]] = {}
    for one, tables in sides.items():
        if one not in told:
            if len(names) > 1:
                raise InvalidValueError(
                    Source(one),
                    ("does not name its measure, and ", Source(first), f" has {listed(names, 8)}"),
                    ("name the measure in ", Source(one), ", or give the scores of one measure in ", Source(first)),
                )
            notes.append(InputNote("no measure", one, (names[0],), other=first))
            named[one] = {names[0]: tables[SCORE]}
            continue
        named[one] = {}
        for measure, table in tables.items():
            same = [name for name in names if are_same(measure, name)]
            if measure not in names and len(same) == 1 and same[0] not in tables:
                notes.append(InputNote("same measure", one, (measure, same[0]), other=first))
                measure = same[0]
            named[one][measure] = table
        if more := [name for name in named[one] if name not in names]:
            notes.append(InputNote("more", one, tuple(more)))
    return named, notes


def on_common(
    by_measure: Mapping[str, Sequence[Scores]], missing: Missing, topics: int = 1
) -> tuple[dict[str, list[Scores]], list[InputNote]]:
    """The tables of each measure with the topics and the systems that all of them have, and notes on the others.

    At least so many `topics` must be left.
    """
    MISSING.checked(missing)
    notes: list[InputNote] = []
    common = {measure: aligned(list(tables), missing, notes, topics) for measure, tables in by_measure.items()}
    return common, notes


def aligned(tables: list[Scores], missing: Missing, notes: list[InputNote], topics: int) -> list[Scores]:
    """The tables with the systems and topics of the first, the truth, in its order; adds to the notes.

    What the truth has and a judge lacks is refused, or dropped.  What only a judge has is left out.
    """
    truth, *judges = tables
    if len({table.named for table in tables}) > 1:
        some, others = ([table.name for table in tables if table.named is named] for named in (True, False))
        raise InvalidValueError(
            None,
            f"{listed(map(repr, some))} names topics and systems, and {listed(map(repr, others))} does not, so it is "
            "not known which belong together",
            "give tables with names only, or without names only",
        )
    if not truth.named:
        return [truth, *(truth.aligned(judge) for judge in judges)]
    kept: list[list[Hashable]] = []
    parts: tuple[Part, ...] = ("topics", "systems")
    for what in parts:
        wanted: list[Hashable] = list(getattr(truth, what))
        true = set(wanted)
        for judge in judges:
            there = set(getattr(judge, what))
            lacking = [one for one in getattr(truth, what) if one not in there]
            extra = [one for one in getattr(judge, what) if one not in true]
            if lacking and missing != "drop":
                absent = f"does not have the {what} {listed(lacking, 5)} of "
                more = ("; ", Setting("missing", "drop"), " leaves them out for all judges")
                raise InvalidValueError(Source(judge.name), (absent, Source(truth.name), *more))
            if lacking:
                notes.append(InputNote("lacking", judge.name, tuple(lacking), what))
            if extra:
                notes.append(InputNote("more", judge.name, tuple(extra), what))
            wanted = [one for one in wanted if one in there]
        least = 2 if what == "systems" or truth.n > 1 else topics
        if len(wanted) < least:
            needed = "two are needed" if what == "systems" else "two topics are needed to tell whether they rank alike"
            raise InvalidValueError(
                Source(truth.name), f"and the judges have {counted(len(wanted), what[:-1])} in common, and {needed}"
            )
        kept.append(wanted)
    return [
        table.taken([table.topics.index(t) for t in kept[0]], [table.systems.index(s) for s in kept[1]])
        for table in tables
    ]
