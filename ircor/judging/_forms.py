"""Scores in every form in which they are given: paths, tables of topics by systems, leaderboards."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._fields import are_counts, is_topic, kind_of
from .._options import shown
from .._scores import Scores, is_table, refuse_repeated
from .._text import listed
from .._vectors import without_arrow
from ..trec import read_leaderboard, read_scores
from ..trec._collector import Missing
from ..trec._layout import without_option
from ..trec._leaderboards import leaderboard_of, seems_leaderboard
from ..trec._names import has_ranks, is_beside_scores, is_measure

SCORE = "score"
"""What scores are called whose measure has no name."""


def tables_of(source: Any, name: str, wanted: Sequence[str] | None, missing: Missing) -> dict[str, Scores]:
    """The scores of each measure: of a path, a table of topics by systems, or a leaderboard.

    Ranks, errors and counts among several measures are left out, with a note, unless they are wanted.
    """
    found = all_tables_of(source, name, wanted, missing)
    left = [measure for measure in found if has_ranks(measure) or is_beside_scores(measure)]
    if wanted or not left or len(left) == len(found):
        return found
    note = f"{name}: ranks, errors, counts and the like were left out, unless chosen as measures: {listed(left)}"
    kept = {measure: table for measure, table in found.items() if measure not in left}
    return {
        measure: replace(table, note="; ".join(filter(None, (table.note, note)))) for measure, table in kept.items()
    }


def all_tables_of(source: Any, name: str, wanted: Sequence[str] | None, missing: Missing) -> dict[str, Scores]:
    """The scores of each measure, whatever it is."""
    if isinstance(source, (str, os.PathLike)):
        source = read_path(source, wanted, missing)
        if source.index.name == "system":
            return boards_of(source, name)
    if isinstance(source, Mapping):
        if all(np.ndim(value) == 0 for value in source.values()):
            refuse_ranks(list(source.values()), name)
            return {SCORE: board(list(source), list(source.values()), name)}
        return {str(measure): by_topic(table, name) for measure, table in source.items()}
    source = without_arrow(source)
    columns: Any = getattr(source, "columns", None)
    # A list has an index, too, which is a method.
    index: Any = source.index if hasattr(source, "reindex") else None
    if columns is None and index is not None:  # a Series of systems
        called = SCORE if source.name is None else str(source.name)
        if has_ranks(called):
            raise ValueError(f"'{name}' has ranks, by its name {called!r}: give scores, which are larger if better")
        if called == SCORE:
            refuse_ranks(source.tolist(), name)
        return {called: board(list(index), source.to_numpy(), name)}
    if is_leaderboard(source, name):
        return boards_of(leaderboard_of(source, name, list(wanted) if wanted else None), name)
    if getattr(columns, "nlevels", 1) > 1 and "measure" in columns.names:
        measures = list(dict.fromkeys(columns.get_level_values("measure")))
        return {str(measure): by_topic(source[measure], name) for measure in measures}
    if not (isinstance(source, Scores) or is_table(source)):
        raise TypeError(f"'{name}' must be scores by topic or a leaderboard, not {shown(source)}")
    measure = getattr(source, "attrs", {}).get("measure")
    return {measure or (wanted[0] if wanted and len(wanted) == 1 else SCORE): by_topic(source, name)}


def refuse_ranks(values: Sequence[Any], name: str) -> None:
    """Raise if values without a name are the whole numbers from 1, each once: ranks, or scores?"""
    if len(values) > 2 and all(map(is_number, values)) and sorted(values) == list(range(1, len(values) + 1)):
        raise ValueError(
            f"'{name}' has the numbers 1 to {len(values)}, each once, which can be ranks or scores: give scores as a "
            "Series with the name of the measure, and of ranks the negative"
        )


def by_topic(table: Any, name: str) -> Scores:
    """A table of topics by systems, each of them once."""
    refuse_measures(table, name)
    scores = Scores.of(table, name)
    refuse_repeated(scores.topics, "topics", name)
    return scores


def is_leaderboard(table: Any, name: str) -> bool:
    """Whether a DataFrame has systems in the rows, in its index or in a column, and no topics."""
    columns: Any = getattr(table, "columns", None)
    if columns is None or getattr(columns, "nlevels", 1) > 1:
        return False
    index: Any = getattr(table, "index", None)
    rows = {kind_of(level) for level in getattr(index, "names", ())} & {"topic", "system"}
    of_kind = {kind: [column for column in columns if kind_of(column) == kind] for kind in ("topic", "system")}
    systems = of_kind["system"]
    if rows != {"system"} and (rows or not systems or not has_labels(table, systems[0])):
        return False
    others = [str(column) for column in columns if column not in systems]
    if others and all(map(is_topic, others)):
        topics_in_rows = f"{name}.T" if rows else f"{name}.set_index({systems[0]!r}).T"
        raise ValueError(
            f"'{name}' seems to have systems in rows and topics in columns: {topics_in_rows} is a table of topics by "
            "systems"
        )
    labels = list(table[systems[0]] if systems else index)
    if of_kind["topic"] and len(set(labels)) < len(labels):
        raise ValueError(
            f"'{name}' has a row for each topic and system: make it a table of topics by systems, such as by "
            f"{name}.pivot"
        )
    return True


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
    if columns is None or "system" in map(kind_of, getattr(columns, "names", ())):
        return
    topics = [column for column in columns if kind_of(column) == "topic"]
    names = [str(column) for column in columns if column not in topics]
    measures = [column for column in names if is_measure(column)]
    index: Any = getattr(table, "index", None)
    has_topics = topics or kind_of(getattr(index, "name", None)) == "topic"
    if measures and (len(measures) == len(names) or not has_topics):
        raise ValueError(
            f"the columns of '{name}' can be measures ({listed(measures, 4)}), or systems: for a leaderboard, call the "
            'index or the column of the systems "system"; for scores by topic, give the columns other names'
        )


def boards_of(read: Any, name: str) -> dict[str, Scores]:
    """The scores of each measure of a leaderboard that was read."""
    note = "; ".join(read.attrs.get("notes", ()))
    return {
        str(column): replace(board(list(read.index), read[column].to_numpy(), name), note=note)
        for column in read.columns
    }


def board(systems: Sequence[Hashable], values: Any, name: str) -> Scores:
    """A leaderboard as a table of one topic."""
    refuse_repeated(systems, "systems", name)
    try:
        row = np.asarray(values, dtype=np.float64).reshape(1, -1)
    except (TypeError, ValueError):
        raise TypeError(f"'{name}' must have a number for each system") from None
    row.setflags(write=False)
    made = Scores(row, ("all",), tuple(systems), True, name)
    made.refuse(~np.isfinite(row), "must have finite scores")
    return made


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
        found = read_scores(path, measures, missing=missing)
        if len(found) > 1:
            return found
        first = None
    except ValueError as error:
        first = error
        # Scores by topic of which some are missing do not become a leaderboard of their averages.
        if missing == "error" and has_scores(path, measures):
            raise
    # What seems to be the only topic may be the number of topics of a leaderboard.
    try:
        return read_leaderboard(path, measures)
    except ValueError:
        if first is None:
            return found
        if seems_leaderboard(path):
            raise
    said = without_option(str(first))
    if "relevance judgments" in said:
        said += "; to compare judgments, give the runs too"
    raise ValueError(said)
