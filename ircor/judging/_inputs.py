"""The scores of the truth and of the judges, from runs and judgments, from tables of scores, or from leaderboards."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .._options import one_of, shown
from .._progress import Progress
from .._scores import Scores
from .._text import counted, listed
from ..trec._collector import Missing
from ..trec._evaluator import Ranked
from ..trec._measures import measures_of
from ..trec._names import are_same, no_such_measure
from ..trec._paths import stem
from ..trec._score import judgments_of, score_by_each
from ._favour import first_documents
from ._forms import SCORE, is_number, tables_of

Grades: TypeAlias = dict[str, dict[str, int]]
"""{topic: {doc: grade}}."""


@dataclass(frozen=True)
class Inputs:
    """What is known of the truth and of the judges.

    Attributes
    ----------
    truth : str
        What the truth is called.
    judges : tuple of str
        What the judges are called.
    scores : dict
        For each measure, the scores of the truth and of each judge: the same systems and topics in the same order.  A
        leaderboard is a table of one topic.
    judgments : dict
        The grades of the truth and of each judge by name, or nothing without judgments.
    runs : dict
        {system: {topic: {doc: score}}} with the first documents only, or nothing without runs.
    notes : list of str
    """

    truth: str
    judges: tuple[str, ...]
    scores: dict[str, list[Scores]]
    judgments: dict[str, Grades] = field(default_factory=dict)
    runs: dict[str, Ranked] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def names_of(truth: Any, judges: Any, name: str | None) -> tuple[str, dict[str, Any]]:
    """What the truth is called, and the judges by name: those of a mapping, or of the files."""
    paths = (str, os.PathLike)
    if isinstance(judges, Mapping):
        named = {str(key): judge for key, judge in judges.items()}
        called = name or (stem(truth) if isinstance(truth, paths) else "truth")
    else:
        several = list(judges) if isinstance(judges, (list, tuple)) else [judges]
        if not all(isinstance(judge, paths) for judge in several):
            raise TypeError(f"'judges' must be a mapping of names to judges, or paths, not {shown(judges)}")
        files = [truth, *several] if name is None and isinstance(truth, paths) else several
        # Files of one name, in different folders, are called by their paths.
        stems = Counter(map(stem, files))
        names = {os.fspath(path): stem(path) if stems[stem(path)] == 1 else os.fspath(path) for path in files}
        if len(names) < len(files):
            raise ValueError(f"the truth and the judges must be different files, not {listed(map(os.fspath, files))}")
        called = name or (names[os.fspath(truth)] if isinstance(truth, paths) else "truth")
        named = {names[os.fspath(path)]: path for path in several}
    if not named:
        raise ValueError("'judges' has no judges")
    if called in named:
        raise ValueError(f"the truth and a judge are both called {called!r}: give the judges other names")
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
) -> Inputs:
    """Score the runs by the judgments of the truth and of each judge."""
    if is_one_judge(judges):
        raise ValueError("'judges' is one judge: give a name to it, {name: judgments}")
    called, named = names_of(truth, judges, name)
    if measures is None:
        raise ValueError("'measures' must name a measure, such as 'nDCG@10' or 'AP'")
    chosen = measures_of(measures)
    judgments = {one: judgments_of(source, one) for one, source in {called: truth, **named}.items()}
    first: list[Ranked] = []

    def keep(run: Ranked) -> None:
        first.append({topic: {doc: docs[doc] for doc in first_documents(docs, depth)} for topic, docs in run.items()})

    tables = score_by_each(runs, judgments, chosen, missing, progress, keep)
    by_measure = {
        # With one measure, the columns have one level.
        measure: [
            Scores.of(table[measure] if len(chosen) > 1 else table, one, rankable=False)
            for one, table in tables.items()
        ]
        for measure in chosen
    }
    notes = [note for table in tables.values() for note in table.attrs.get("notes", ())]
    systems = next(iter(by_measure.values()))[0].systems
    if len(systems) < 2:
        raise ValueError("there is one run, and two or more are needed to rank systems")
    scores, more = on_common(by_measure, missing, topics=2)
    first_runs = {str(system): run for system, run in zip(systems, first)}
    return Inputs(called, tuple(named), scores, judgments, first_runs, [*dict.fromkeys([*notes, *more])])


def is_one_judge(judges: Any) -> bool:
    """Whether the judges are the judgments of one, {topic: {doc: grade}}, rather than these under a name."""
    if not isinstance(judges, Mapping) or not judges:
        return False
    return all(isinstance(docs, Mapping) and docs and all(map(is_number, docs.values())) for docs in judges.values())


def from_scores(truth: Any, judges: Any, measures: Any, *, name: str | None, missing: Missing) -> Inputs:
    """Take scores by topic, or leaderboards, of the truth and of each judge."""
    called, named = names_of(truth, judges, name)
    wanted = None if measures is None else [measures] if isinstance(measures, str) else [str(one) for one in measures]
    sides = {one: tables_of(source, one, wanted, missing) for one, source in {called: truth, **named}.items()}
    kinds = {one: next(iter(tables.values())).n == 1 for one, tables in sides.items()}
    if len(set(kinds.values())) > 1:
        boards, others = ([one for one, board in kinds.items() if board is kind] for kind in (True, False))
        raise ValueError(
            f"{listed(boards)} has one score for each system, and {listed(others)} has scores by topic: "
            "give leaderboards only, or scores by topic only"
        )
    sides, notes = (sides, []) if wanted else with_one_name(sides)
    chosen = wanted or list(sides[called])
    for one, tables in sides.items():
        for measure in chosen:
            if measure not in tables:
                raise no_such_measure(measure, map(str, tables), one)
    by_measure = {measure: [tables[measure] for tables in sides.values()] for measure in chosen}
    notes += [table.note for tables in by_measure.values() for table in tables if table.note]
    scores, more = on_common(by_measure, missing)
    return Inputs(called, tuple(named), scores, notes=[*dict.fromkeys([*notes, *more])])


def with_one_name(sides: Mapping[str, dict[str, Scores]]) -> tuple[dict[str, dict[str, Scores]], list[str]]:
    """The sides with the names that the first of them has for measures, and notes on the names.

    Scores without the name of a measure are taken for those of the others.  Two different measures are refused.
    """
    told = {one: list(tables) for one, tables in sides.items() if list(tables) != [SCORE]}
    if not told:
        return dict(sides), []
    first, names = next(iter(told.items()))
    notes, found = [], {}
    for one, tables in sides.items():
        if one not in told:
            if len(names) > 1:
                raise ValueError(
                    f"'{one}' does not name its measure, and '{first}' has {listed(names, 8)}: name the measure in "
                    f"'{one}', or give the scores of one measure in '{first}'"
                )
            notes.append(f"{one} does not name its measure: taken for {names[0]}, as in {first}")
            found[one] = {names[0]: tables[SCORE]}
            continue
        found[one] = {}
        for measure, table in tables.items():
            known = [name for name in names if are_same(measure, name)]
            if measure not in names and len(known) == 1 and known[0] not in tables:
                notes.append(f"{measure} of {one} is taken for {known[0]} of {first}, by their names in tools")
                measure = known[0]
            found[one][measure] = table
        if len(names) == len(tables) == 1 and names[0] not in found[one]:
            raise ValueError(
                f"'{first}' has the measure {names[0]} only, and '{one}' {measure} only: give scores of the same "
                "measure (the choice of 'measures' helps only if both have it)"
            )
        if more := [name for name in found[one] if name not in names]:
            notes.append(f"{one} alone has {listed(more)}: left out")
    return found, notes


def on_common(
    by_measure: Mapping[str, Sequence[Scores]], missing: Missing, topics: int = 1
) -> tuple[dict[str, list[Scores]], list[str]]:
    """The tables of each measure with the topics and the systems that all of them have, and notes on the others.

    At least so many `topics` must be left: one is that of a leaderboard.
    """
    one_of(missing, "missing", ("error", "zero", "drop"))
    notes: dict[str, None] = {}
    found = {measure: aligned(list(tables), missing, notes, topics) for measure, tables in by_measure.items()}
    return found, list(notes)


def aligned(tables: list[Scores], missing: Missing, notes: dict[str, None], topics: int) -> list[Scores]:
    """The tables with the systems and topics of the first, the truth, in its order.

    What the truth has and a judge lacks is refused, or dropped.  What only a judge has is left out.
    """
    truth, *judges = tables
    if len({table.named for table in tables}) > 1:
        some, others = ([table.name for table in tables if table.named is named] for named in (True, False))
        raise ValueError(
            f"{listed(map(repr, some))} names topics and systems, and {listed(map(repr, others))} does not, so it is "
            "not known which belong together: give tables with names only, or without names only"
        )
    if not truth.named:
        return [truth, *(truth.aligned(judge) for judge in judges)]
    kept: list[list[Hashable]] = []
    for what in ("topics", "systems"):
        wanted: list[Hashable] = list(getattr(truth, what))
        true = set(wanted)
        for judge in judges:
            there = set(getattr(judge, what))
            lacking = [one for one in getattr(truth, what) if one not in there]
            extra = [one for one in getattr(judge, what) if one not in true]
            if lacking and missing != "drop":
                raise ValueError(
                    f"'{judge.name}' does not have the {what} {listed(lacking, 5)} of '{truth.name}'; "
                    'missing="drop" leaves them out for all judges'
                )
            for some, text in ((lacking, "does not have {}: left out for all"), (extra, "alone has {}: left out")):
                if some:
                    notes[f"{judge.name} {text.format(counted(len(some), what[:-1]))} ({listed(some)})"] = None
            wanted = [one for one in wanted if one in there]
        least = 2 if what == "systems" or truth.n > 1 else topics
        if len(wanted) < least:
            needed = "two are needed" if what == "systems" else "two topics are needed to tell whether they rank alike"
            raise ValueError(
                f"'{truth.name}' and the judges have {counted(len(wanted), what[:-1])} in common, and {needed}"
            )
        kept.append(wanted)
    return [
        table.taken([table.topics.index(t) for t in kept[0]], [table.systems.index(s) for s in kept[1]])
        for table in tables
    ]
