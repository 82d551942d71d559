"""The roles of the columns of a table: topics, systems, measures.  What can be read in two ways is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from statistics import fmean

import numpy as np

from .._core.content import NUMBER, first_repeated, stem
from .._core.errors import Setting
from .._core.names import (
    ALL,
    COUNTERS,
    MEASURE_NAMES,
    ROW_NUMBERS,
    are_counts,
    is_average,
    is_topic,
    odd_one_out,
    role_of,
)
from .._core.options import Systems
from .._core.text import listed
from ..scoring import Cells, Column, Names, Problem, constant, is_measure, split_measure, texts_of
from ._grid import Grid

VALUE_NAMES = {"value", "score"}
# Columns of topics that may have the text of the query beside another column with its number.
TEXTS_OF_TOPICS = {"query", "queries", "topic_name"}

IN_COLUMNS, IN_ROWS = Setting("systems", "columns"), Setting("systems", "rows")


@dataclass(frozen=True)
class Columns:
    """The columns of a table by what their names say they are; each is an index, or None if there is none."""

    topic: int | None
    system: int | None
    measure: int | None
    value: int | None
    others: list[int]


def layout_of(grid: Grid, systems: Systems | None) -> Cells:
    """Read a table of scores by the names of its rows and columns, or refuse it with the two ways to read it."""
    if len(grid.header) < 2:
        raise grid.error("there is only one column: expected topics and systems, separated by commas or tabs")
    grid = without_extras(grid)
    columns = columns_of(grid)
    if columns.topic is not None and columns.system is not None:
        refuse_side(grid, systems, "a score of one system and topic in each row")
        return tidy(grid, columns) if columns.value is None and columns.measure is None else long(grid, columns)
    if columns.measure is not None:
        if columns.topic is None:
            raise grid.error("there is a column of measures, but none of topics: expected scores by topic")
        refuse_side(grid, systems, "a score of one topic in each row")
        return long(grid, columns)
    return wide(grid, columns, systems or grid.sides)


def has_topics(grid: Grid) -> bool:
    """Whether a table has scores by topic, rather than items and columns of numbers; refused if it may be both."""
    grid = without_extras(grid)
    if role_of(grid.header[0]) == "document":
        return False
    columns = columns_of(grid)
    if columns.topic is not None or columns.measure is not None:
        return columns.topic is not None
    names = [name for k, name in enumerate(grid.header) if k != columns.system]
    if columns.system is None:
        if not ROW_NUMBERS.fullmatch(grid.header[0]) and grid.is_numeric(0) and not is_count(grid, 0):
            return False  # no column has names
        if grid.header[0].lower() == "id" or all(map(is_measure, grid.header[1:])):
            return False
        what = f"the column {grid.header[0]!r} can have topics, systems, or items of any kind"
        raise grid.error(what, "name it topic, system or item")
    if are_topics(names):
        return True
    for name in names:
        if is_topic(name) or is_average(name):
            raise grid.error(
                f"the column {name!r} can be a topic, or one of several rankings", "leave it out", "rename it"
            )
    return False


def without_row_numbers(grid: Grid) -> Grid:
    """The table without columns that have no name and number the rows, if another column names these."""
    numbers = [
        k for k, name in enumerate(grid.header) if ROW_NUMBERS.fullmatch(name) and (name or k == 0) and grid.is_whole(k)
    ]
    others = {role_of(name) for k, name in enumerate(grid.header) if k not in numbers}
    if numbers and not others & {"topic", "system", "document"}:
        # One of them names the rows: the one that does not count, or else the first.
        names = [k for k in numbers if not are_counts(grid.texts(k))]
        numbers.remove(names[0] if len(names) == 1 else numbers[0])
    return grid.without(numbers) if numbers else grid


def without_extras(grid: Grid) -> Grid:
    """The table without counters that pandas and R left in it, and without texts of topics beside their numbers."""
    grid = without_row_numbers(grid)
    topics = [k for k, name in enumerate(grid.header) if role_of(name) == "topic"]
    texts = [k for k in topics if grid.header[k].lower() in TEXTS_OF_TOPICS]
    dropped = texts if 0 < len(texts) < len(topics) else []
    if topics or ROW_NUMBERS.fullmatch(grid.header[0]):
        dropped += [k for k, name in enumerate(grid.header) if name in COUNTERS and are_counts(grid.texts(k))]
    return grid.without(dropped) if dropped else grid


def are_topics(names: list[str]) -> bool:
    """Whether names are those of topics; numbers that only count are the names of nothing."""
    return bool(names) and all(map(is_topic, names)) and not are_counts(names)


def is_count(grid: Grid, k: int, labels: int | None = None) -> bool:
    """Whether a column has numbers of topics, rather than scores: whole, all different, beside scores with decimals."""
    cells = grid.texts(k)
    if len(cells) < 3 or not grid.is_whole(k) or first_repeated(cells) is not None:
        return False
    others = [other for other in range(len(grid.header)) if other not in (k, labels)]
    return any(grid.is_numeric(other) and not grid.is_whole(other) for other in others)


def columns_of(grid: Grid) -> Columns:
    """Find the columns by the field's names for them."""
    named: dict[str, list[int]] = {"topic": [], "system": [], "measure": [], "value": []}
    others: list[int] = []
    for k, name in enumerate(grid.header):
        role: str | None = "measure" if name.lower() in MEASURE_NAMES else role_of(name)
        if role == "document":
            what = f"the column {name!r} has documents: this is a run or relevance judgments, not scores"
            raise grid.error(what, has="qrels")
        if name.lower() in VALUE_NAMES:
            role = "value"
        named.get(role or "", others).append(k)
    for role, columns in named.items():
        if len(columns) > 1:
            names = " and ".join(repr(grid.header[k]) for k in columns)
            raise grid.error(f"both {names} can be the column of {role}s", "leave one of them out", "rename it")
    one = {role: columns[0] if columns else None for role, columns in named.items()}
    if one["value"] is not None and (one["topic"] is None or (one["system"] is None and one["measure"] is None)):
        # The name of a system, or a column of a table of items.
        others, one["value"] = sorted([*others, one["value"]]), None
    return Columns(one["topic"], one["system"], one["measure"], one["value"], others)


def refuse_side(grid: Grid, systems: Systems | None, what: str) -> None:
    if systems is not None:
        raise grid.error((f"the table has {what}, so ", Setting("systems", systems), " does not apply to it"))


def long(grid: Grid, columns: Columns) -> Cells:
    """One score in each row, with its topic, and its system and measure if the table has these.

    Without a column of topics, all are averages.
    """
    value = columns.value
    numeric = [k for k in columns.others if grid.is_numeric(k)]
    if value is None:
        if columns.system is None or len(numeric) != 1:
            names = listed(grid.header[k] for k in columns.others) or "nothing else"
            raise grid.error(f"there is no column of the name value beside that of the measures, but {names}")
        value = numeric[0]
    elif numeric and columns.measure is None:
        raise grid.error(
            f"the column {grid.header[value]!r} can be the scores of one measure, or one of several measures beside "
            f"{grid.header[numeric[0]]!r}",
            "leave out the other columns",
            "name it as the measure that it has",
        )
    measures, topics, systems = (
        constant(otherwise, len(grid.lines)) if k is None else Names.of(grid.texts(k))
        for k, otherwise in ((columns.measure, grid.measure), (columns.topic, ALL), (columns.system, stem(grid.path)))
    )
    cells = Cells(grid.path, grid.lines, measures, topics, systems, grid.columns[value])
    if columns.measure is not None:
        cells.refuse(Problem(measures.are({""}), "the measure is missing"))
    return cells


def crossed(grid: Grid, ks: Sequence[int]) -> tuple[Names, Callable[[Names], Names], Sequence[int], Column]:
    """The cells of some columns, row by row: the names of the columns, what repeats names of rows, lines and cells."""
    rows, count = len(grid.lines), len(ks)
    columns = [grid.columns[k] for k in ks]
    if any(isinstance(column, list) for column in columns):
        cells: Column = list(chain.from_iterable(zip(*map(texts_of, columns))))
    else:
        cells = np.column_stack(columns).ravel()
    names = Names([grid.header[k] for k in ks], np.tile(np.arange(count, dtype=np.int32), rows))
    lines = np.repeat(np.asarray(grid.lines), count).tolist()
    return names, lambda one: Names(one.names, np.repeat(one.codes, count)), lines, cells


def tidy(grid: Grid, columns: Columns) -> Cells:
    """A row for each topic and system, and a column for each measure."""
    measures = [k for k in columns.others if grid.has_numbers(k)]
    words = [grid.header[k] for k in columns.others if k not in measures]
    if not measures:
        raise grid.error("there is no column of scores")
    notes = (f"columns of text were left out: {listed(words)}",) if words else ()
    names, of_rows, lines, values = crossed(grid, measures)
    topics, systems = (of_rows(Names.of(grid.texts(k or 0))) for k in (columns.topic, columns.system))
    return Cells(grid.path, lines, names, topics, systems, values, notes)


def wide(grid: Grid, columns: Columns, systems: Systems | None) -> Cells:
    """Topics and systems on the two sides, or the topics of one system by measures."""
    if columns.topic is not None:
        refuse_contradiction(grid, systems, "rows", columns.topic)
        return with_topics_in_rows(grid, columns.topic, systems)
    if columns.system is not None:
        refuse_contradiction(grid, systems, "columns", columns.system)
        return with_systems_in_rows(grid, columns.system, systems)
    labels = column_of_labels(grid)
    names = [name for k, name in enumerate(grid.header) if k != labels]
    if systems == "columns":
        return with_topics_in_rows(grid, labels, systems)
    if systems == "rows":
        return with_systems_in_rows(grid, labels, systems)
    if labels is None:
        if all(map(is_measure, names)):
            raise grid.error(f"the columns are measures ({listed(names, 4)}), and no column has the topics")
        if not any(map(is_topic, names)) and len(grid.lines) > 1:
            return with_topics_in_rows(grid, None, systems)
    else:
        rows = grid.texts(labels)
        refuse_average_rows(grid, rows)
        if (odd := odd_one_out(rows)) is not None and not any(map(is_topic, names)):
            raise grid.error(*unlike_others(repr(odd)), line=grid.lines[rows.index(odd)])
        if all(map(is_topic, rows)) and not any(map(is_topic, names)):
            return with_topics_in_rows(grid, labels, systems)
        if are_topics(names) and not any(map(is_topic, rows)):
            return with_systems_in_rows(grid, labels, systems)
    side = "the rows" if labels is None else f"{first_names(grid.texts(labels))} in the rows"
    raise grid.error(
        f"{side} can be topics and {first_names(names)} in the columns systems, or the other way round",
        ("say which with ", IN_COLUMNS, " or ", IN_ROWS),
        "name the first column topic or system",
    )


def first_names(names: list[str]) -> str:
    """The first names of a side, to show what it has."""
    return ", ".join([*names[:2], "..."] if len(names) > 2 else names)


def refuse_contradiction(grid: Grid, systems: Systems | None, wrong: Systems, k: int) -> None:
    if systems == wrong:
        what = f"the column {grid.header[k]!r} has {role_of(grid.header[k])}s in the rows, which contradicts "
        raise grid.error((what, Setting("systems", systems)))


def column_of_labels(grid: Grid) -> int | None:
    """The first column, if it names the rows although its own name does not say of what; None if it has scores."""
    cells = grid.texts(0)
    if ROW_NUMBERS.fullmatch(grid.header[0]) or not grid.is_numeric(0):
        return 0
    if not grid.is_whole(0) or first_repeated(cells) is not None:
        return None
    if all(grid.is_whole(k) for k in range(1, len(grid.header))):
        what = f"the column {grid.header[0]!r} can have the names of topics or the scores of a system"
        raise grid.error(what, "name it topic", "add a column of that name")
    return 0


def with_topics_in_rows(grid: Grid, labels: int | None, systems: Systems | None) -> Cells:
    """Topics by systems; or topics by measures of one system, which has the name of the file."""
    names = {k: name for k, name in enumerate(grid.header) if k != labels}
    check_side(grid, list(names.values()), "system")
    measures = [name for name in names.values() if is_measure(name)]
    one_system = systems is None and len(measures) == len(names)
    if measures and not one_system and systems is None:
        other = next(name for name in names.values() if not is_measure(name))
        what = f"the column {measures[0]!r} can be a measure of one system, or a system like {other!r}"
        raise grid.error(what, "leave it out", ("say with ", IN_COLUMNS, " that all columns are systems"))
    for k, name in names.items():
        if is_count(grid, k, labels):
            what = f"the column {name!r} has different whole numbers, which can be the topics or the scores of a system"
            raise grid.error(what, "name it topic", "leave it out")
    notes = []
    if one_system:
        notes.append(f"the columns are read as measures of one system, {stem(grid.path)!r}")
    if labels is None:
        notes.append("no column has the topics, so they are numbered from 1")

    topics = grid.names_of_rows(labels)
    refuse_average_rows(grid, topics)
    columns, of_rows, lines, values = crossed(grid, [*names])
    own = constant(stem(grid.path) if one_system else grid.measure, len(lines))
    of_measure, of_system = (columns, own) if one_system else (own, columns)
    return Cells(grid.path, lines, of_measure, of_rows(Names.of(topics)), of_system, values, tuple(notes))


def with_systems_in_rows(grid: Grid, labels: int | None, systems: Systems | None) -> Cells:
    """Systems by topics."""
    names = {k: name for k, name in enumerate(grid.header) if k != labels}
    check_side(grid, list(names.values()), "topic")
    if systems is None and not all(map(is_topic, names.values())):
        other = next(name for name in names.values() if not is_topic(name))
        if any(map(is_measure, names.values())):
            what = f"the table has systems by measures ({listed(names.values(), 4)}), without topics"
            raise grid.error(what, "expected topics by systems")
        what = f"the column {other!r} can be a topic, or a measure of all systems without topics"
        by_topic = ("say with ", IN_ROWS, " that the columns are topics")
        raise grid.error(what, "expected topics by systems", by_topic)

    named = grid.names_of_rows(labels)
    refuse_average_rows(grid, named)
    topics, of_rows, lines, values = crossed(grid, [*names])
    notes = () if labels is not None else ("no column has the systems, so they are numbered from 1",)
    unnamed = constant(grid.measure, len(lines))
    return Cells(grid.path, lines, unnamed, topics, of_rows(Names.of(named)), values, notes)


def check_side(grid: Grid, names: list[str], what: str) -> None:
    if not names:
        raise grid.error(f"there is no column of a {what}")
    for name in names:
        if ROW_NUMBERS.fullmatch(name):
            raise grid.error(f"column {grid.header.index(name) + 1} has no name: expected the name of a {what}")
        if is_average(name):
            raise grid.error(f"the column {name!r} has averages, and is not a {what}", "leave it out")


def refuse_average_rows(grid: Grid, names: list[str]) -> None:
    """Refuse a table with a row of averages, by the names of its rows."""
    averages = set(filter(is_average, set(names)))
    for line, name in zip(grid.lines, names if averages else ()):
        if name in averages:
            raise grid.error(f"the row {name!r} has averages", "leave it out", line=line)


def unlike_others(topic: str) -> list[str]:
    """What to say of a topic whose name is not like those of the others."""
    return [f"{topic} is not like the other topics", "leave out averages and other rows"]


def unequal_averages(cells: Cells, wants: Callable[[str], bool]) -> list[str]:
    """Name the systems whose average is not the mean over their topics, as far as it was printed.

    It is no error: a mean may be geometric, and topics without documents may have been counted.  Measures that are
    known to be sums or geometric means are left out.
    """
    if ALL not in cells.topics.names:
        return []
    averages, numbers, notes = cells.topics.are({ALL}), np.isfinite(cells.values), []
    for k in np.flatnonzero(np.isinf(cells.values)).tolist():  # numbers too large for a float, or words
        numbers[k] = NUMBER.fullmatch(cells.text(k)) is not None
    # Measures in the order of the numbers.
    for measure in cells.measures.among(numbers).names:
        if not wants(measure) or split_measure(measure)[0].startswith(("num", "gm_")):
            continue
        of_measure = cells.measures.are({measure}) & numbers
        by_topic, means = (np.flatnonzero(of_measure & rows).tolist() for rows in (~averages, averages))
        # Whole numbers by topic are exact, and so are their sums; an average without decimals was rounded.
        most = half_unit([cells.text(k) for k in by_topic], 0.0) + half_unit([cells.text(k) for k in means], 0.5)
        values: dict[str, list[float]] = {}
        for k in by_topic:
            values.setdefault(cells.systems.at(k), []).append(float(cells.values[k]))
        different = [
            system
            for system, mean in ((cells.systems.at(k), float(cells.values[k])) for k in means)
            if system in values and abs(fmean(values[system]) - mean) > most + 1e-9 * abs(mean)
        ]
        if different:
            what = f"{measure or 'the value'} for all topics is not the mean over the topics in the file"
            notes.append(f"{what}, which may be incomplete, for {listed(map(repr, different), 5)}")
    return notes


def half_unit(texts: list[str], whole: float) -> float:
    """Half a unit of the last decimal with which values are written; `whole` if none has decimals."""
    least = min((int(Decimal(text).as_tuple().exponent) for text in texts), default=0)
    return 0.5 * 10.0**least if least < 0 else whole
