"""What the columns of a table of scores are: topics, systems, measures.  What can be read in two ways is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .._fields import COUNTERS, ROW_NUMBERS, are_counts, is_average, is_topic, kind_of
from .._text import listed
from ._grid import Grid
from ._lines import FormatError, first_repeated
from ._names import is_measure
from ._paths import stem

Systems = Literal["rows", "columns"]
"""Where the systems of a table are."""

Cell: TypeAlias = tuple[int, str, str, str, str]
"""Line, measure, topic, system and the text of the value."""

MEASURE_NAMES, VALUE_NAMES = {"measure", "metric"}, {"value", "score"}
# Columns of topics that may have the text of the query beside another column with its number.
TEXTS_OF_TOPICS = {"query", "queries", "topic_name"}

SETTLED = 'say which with systems="columns" or systems="rows"'


def without_option(text: str) -> str:
    """A message without the advice to say where the systems are, for callers that have no such option."""
    text = text.replace(f"{SETTLED}, or ", "")
    return re.sub(r',? or say with systems="\w+" that (all|the) columns are \w+', "", text)


@dataclass(frozen=True)
class Layout:
    """How a table is read.

    Attributes
    ----------
    cells : callable
        Yields the scores.
    names_measures : bool
        Whether the table says of which measure the scores are.
    notes : tuple of str
        What a reader should know about the way it was read.
    """

    cells: Callable[[], Iterator[Cell]]
    names_measures: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Columns:
    """The columns of a table by what their names say they are; each is an index, or None if there is none."""

    topic: int | None
    system: int | None
    measure: int | None
    value: int | None
    others: list[int]


def layout_of(grid: Grid, systems: Systems | None) -> Layout:
    """Tell how a table of scores is to be read, or refuse it with the two ways to read it."""
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
    return wide(grid, columns, systems)


def has_topics(grid: Grid) -> bool:
    """Whether a table has scores by topic, rather than items and columns of numbers; refused if it may be both."""
    grid = without_extras(grid)
    if kind_of(grid.header[0]) == "document":
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
        raise grid.error(
            f"the column {grid.header[0]!r} can have topics, systems, or items of any kind: name it topic, system or "
            "item"
        )
    if are_topics(names):
        return True
    for name in names:
        if is_topic(name) or is_average(name):
            raise grid.error(
                f"the column {name!r} can be a topic, or one of several rankings: leave it out, or rename it"
            )
    return False


def without_row_numbers(grid: Grid) -> Grid:
    """The table without columns that have no name and number the rows, if another column names these."""
    numbers = [
        k for k, name in enumerate(grid.header) if ROW_NUMBERS.fullmatch(name) and (name or k == 0) and grid.is_whole(k)
    ]
    others = {kind_of(name) for k, name in enumerate(grid.header) if k not in numbers}
    if numbers and not others & {"topic", "system", "document"}:
        # One of them names the rows: the one that does not count, or else the first.
        names = [k for k in numbers if not are_counts(grid.column(k))]
        numbers.remove(names[0] if len(names) == 1 else numbers[0])
    return grid.without(numbers) if numbers else grid


def without_extras(grid: Grid) -> Grid:
    """The table without counters that pandas and R left in it, and without texts of topics beside their numbers."""
    grid = without_row_numbers(grid)
    topics = [k for k, name in enumerate(grid.header) if kind_of(name) == "topic"]
    texts = [k for k in topics if grid.header[k].lower() in TEXTS_OF_TOPICS]
    dropped = texts if 0 < len(texts) < len(topics) else []
    if topics or ROW_NUMBERS.fullmatch(grid.header[0]):
        dropped += [k for k, name in enumerate(grid.header) if name in COUNTERS and are_counts(grid.column(k))]
    return grid.without(dropped) if dropped else grid


def are_topics(names: list[str]) -> bool:
    """Whether names are those of topics; numbers that only count are the names of nothing."""
    return bool(names) and all(map(is_topic, names)) and not are_counts(names)


def is_count(grid: Grid, k: int, labels: int | None = None) -> bool:
    """Whether a column has numbers of topics, rather than scores: whole, all different, beside scores with decimals."""
    cells = grid.column(k)
    if len(cells) < 3 or not grid.is_whole(k) or first_repeated(cells) is not None:
        return False
    others = [other for other in range(len(grid.header)) if other not in (k, labels)]
    return any(grid.is_numeric(other) and not grid.is_whole(other) for other in others)


def columns_of(grid: Grid) -> Columns:
    """Find the columns by the field's names for them."""
    named: dict[str, list[int]] = {"topic": [], "system": [], "measure": [], "value": []}
    others = []
    for k, name in enumerate(grid.header):
        kind: str | None = "measure" if name.lower() in MEASURE_NAMES else kind_of(name)
        if kind == "document":
            raise grid.error(f"the column {name!r} has documents: this is a run or relevance judgments, not scores")
        if kind in ("topic", "system", "measure"):
            named[kind].append(k)
        elif name.lower() in VALUE_NAMES:
            named["value"].append(k)
        else:
            others.append(k)
    for kind, found in named.items():
        if len(found) > 1:
            names = " and ".join(repr(grid.header[k]) for k in found)
            raise grid.error(f"both {names} can be the column of {kind}s: leave one of them out, or rename it")
    one = {kind: found[0] if found else None for kind, found in named.items()}
    if one["value"] is not None and (one["topic"] is None or (one["system"] is None and one["measure"] is None)):
        # The name of a system, or a column of a table of items.
        others, one["value"] = sorted([*others, one["value"]]), None
    return Columns(one["topic"], one["system"], one["measure"], one["value"], others)


def refuse_side(grid: Grid, systems: Systems | None, what: str) -> None:
    if systems is not None:
        raise grid.error(f"the table has {what}, so systems={systems!r} does not apply to it")


def long(grid: Grid, columns: Columns) -> Layout:
    """One score in each row, with its topic, and its system and measure if the table has these."""
    value = columns.value
    numeric = [k for k in columns.others if grid.is_numeric(k)]
    if value is None:
        names = listed(grid.header[k] for k in columns.others) or "nothing else"
        if columns.system is None or len(numeric) != 1:
            raise grid.error(f"there is no column of the name value beside that of the measures, but {names}")
        value = numeric[0]
    elif numeric and columns.measure is None:
        raise grid.error(
            f"the column {grid.header[value]!r} can be the scores of one measure, or one of several measures beside "
            f"{grid.header[numeric[0]]!r}: leave out the other columns, or name it as the measure that it has"
        )
    score = value

    def cells() -> Iterator[Cell]:
        own = stem(grid.path)
        for line, row in grid.rows:
            measure = "" if columns.measure is None else row[columns.measure]
            if columns.measure is not None and not measure:
                raise grid.error("the measure is missing", line)
            system = own if columns.system is None else row[columns.system]
            assert columns.topic is not None
            yield line, measure, row[columns.topic], system, row[score]

    return Layout(cells, columns.measure is not None)


def tidy(grid: Grid, columns: Columns) -> Layout:
    """A row for each topic and system, and a column for each measure."""
    measures = [k for k in columns.others if grid.has_numbers(k)]
    words = [grid.header[k] for k in columns.others if k not in measures]
    if not measures:
        raise grid.error("there is no column of scores")
    notes = (f"columns of text were left out: {listed(words)}",) if words else ()

    def cells() -> Iterator[Cell]:
        assert columns.topic is not None
        assert columns.system is not None
        for line, row in grid.rows:
            for k in measures:
                yield line, grid.header[k], row[columns.topic], row[columns.system], row[k]

    return Layout(cells, True, notes)


def wide(grid: Grid, columns: Columns, systems: Systems | None) -> Layout:
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
        if not any(map(is_topic, names)) and len(grid.rows) > 1:
            return with_topics_in_rows(grid, None, systems)
    else:
        rows = grid.column(labels)
        if all(map(is_topic, rows)) and not any(map(is_topic, names)):
            return with_topics_in_rows(grid, labels, systems)
        if are_topics(names) and not any(map(is_topic, rows)):
            return with_systems_in_rows(grid, labels, systems)
    side = "the rows" if labels is None else f"{beginning(grid.column(labels))} in the rows"
    raise grid.error(
        f"{side} can be topics and {beginning(names)} in the columns systems, or the other way round: {SETTLED}, or "
        "name the first column topic or system"
    )


def beginning(names: list[str]) -> str:
    """The first names of a side, to show what it has."""
    return ", ".join([*names[:2], "..."] if len(names) > 2 else names)


def refuse_contradiction(grid: Grid, systems: Systems | None, wrong: Systems, k: int) -> None:
    if systems == wrong:
        kind = kind_of(grid.header[k])
        raise grid.error(
            f"the column {grid.header[k]!r} has {kind}s in the rows, which contradicts systems={systems!r}"
        )


def column_of_labels(grid: Grid) -> int | None:
    """The first column, if it names the rows although its own name does not say of what; None if it has scores."""
    cells = grid.column(0)
    if ROW_NUMBERS.fullmatch(grid.header[0]) or not grid.is_numeric(0):
        return 0
    if not grid.is_whole(0) or first_repeated(cells) is not None:
        return None
    if all(grid.is_whole(k) for k in range(1, len(grid.header))):
        raise grid.error(
            f"the column {grid.header[0]!r} can have the names of topics or the scores of a system: name it topic, or "
            "add a column of that name"
        )
    return 0


def with_topics_in_rows(grid: Grid, labels: int | None, systems: Systems | None) -> Layout:
    """Topics by systems; or topics by measures of one system, which has the name of the file."""
    names = {k: name for k, name in enumerate(grid.header) if k != labels}
    check_side(grid, list(names.values()), "system")
    measures = [name for name in names.values() if is_measure(name)]
    one_system = systems is None and len(measures) == len(names)
    if measures and not one_system and systems is None:
        other = next(name for name in names.values() if not is_measure(name))
        raise grid.error(
            f"the column {measures[0]!r} can be a measure of one system, or a system like {other!r}: leave it out, or "
            'say with systems="columns" that all columns are systems'
        )
    for k, name in names.items():
        if is_count(grid, k, labels):
            raise grid.error(
                f"the column {name!r} has different whole numbers, which can be the topics or the scores of a system: "
                "name it topic, or leave it out"
            )
    notes = []
    if one_system:
        notes.append(f"the columns are read as measures of one system, {stem(grid.path)!r}")
    if labels is None:
        notes.append("no column has the topics, so they are numbered from 1")

    def cells() -> Iterator[Cell]:
        own = stem(grid.path)
        for number, (line, row) in enumerate(grid.rows, 1):
            topic = str(number) if labels is None else row[labels]
            if labels is not None and is_average(topic):
                raise FormatError(grid.path, line, f"{topic!r} is not a topic: leave out averages")
            for k, name in names.items():
                yield (line, name, topic, own, row[k]) if one_system else (line, "", topic, name, row[k])

    return Layout(cells, one_system, tuple(notes))


def with_systems_in_rows(grid: Grid, labels: int | None, systems: Systems | None) -> Layout:
    """Systems by topics."""
    names = {k: name for k, name in enumerate(grid.header) if k != labels}
    check_side(grid, list(names.values()), "topic")
    if systems is None and not all(map(is_topic, names.values())):
        other = next(name for name in names.values() if not is_topic(name))
        if any(map(is_measure, names.values())):
            raise grid.error(
                f"the table has systems by measures ({listed(names.values(), 4)}), without topics: expected topics by "
                "systems"
            )
        raise grid.error(
            f"the column {other!r} can be a topic, or a measure of all systems without topics: expected topics by "
            'systems, or say with systems="rows" that the columns are topics'
        )

    def cells() -> Iterator[Cell]:
        for number, (line, row) in enumerate(grid.rows, 1):
            system = str(number) if labels is None else row[labels]
            for k, name in names.items():
                yield line, "", name, system, row[k]

    notes = () if labels is not None else ("no column has the systems, so they are numbered from 1",)
    return Layout(cells, False, notes)


def check_side(grid: Grid, names: list[str], what: str) -> None:
    if not names:
        raise grid.error(f"there is no column of a {what}")
    for name in names:
        if ROW_NUMBERS.fullmatch(name):
            raise grid.error(f"column {grid.header.index(name) + 1} has no name: expected the name of a {what}")
        if is_average(name):
            raise grid.error(f"{name!r} is not a {what}: leave out averages")
