"""Evaluation output of many systems: system, measure, topic and value, or system, topic, measure and value."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from .._fields import is_topic
from ._content import NOT_ENDED, Content, may_be_cut
from ._grid import Grid
from ._lines import NUMBER, WHOLE_NUMBER, FormatError, split_line, split_lines
from ._means import ALL
from ._names import is_measure
from ._paths import FilePath
from ._triples import check_names, refuse_mixture

Fields: TypeAlias = tuple[int, list[str]]
"""Line, and its four fields: the system, two others, and the text of the value."""

HOW = "write the systems first, or a table with the columns system, topic, measure and value"


def read_quadruples(content: Content, wanted: Collection[str] | None) -> Grid:
    """The lines as a table with one score in each row."""
    path = content.path
    lines: list[Fields] = list(split_lines(content.lines, path, "system measure topic value"))
    topic = place_of_topics(path, lines, wanted)
    order = "system, measure, topic and value" if topic == 2 else "system, topic, measure and value"
    rows: list[Fields] = [(line, [one[0], one[3 - topic], one[topic], one[3]]) for line, one in lines]
    check_names(path, [(line, measure, name, value) for line, (_, measure, name, value) in rows], order)
    refuse_other_orders(path, rows, wanted)
    *others, last = (value for _, (_, _, _, value) in rows)
    if not content.ends_with_newline and may_be_cut(last, others):
        raise FormatError(path, rows[-1][0], NOT_ENDED)
    return Grid(path, ["system", "measure", "topic", "value"], rows)


def place_of_topics(path: FilePath, lines: list[Fields], wanted: Collection[str] | None) -> int:
    """Which field of a line has the topic, 1 or 2; the other has the measure.

    The average over topics, "all", tells; otherwise known measures, the measure that is wanted, or names such as 401.
    """
    systems, ones, others = ({fields[k] for _, fields in lines} for k in range(3))
    if (ALL in ones) != (ALL in others):
        return 1 if ALL in ones else 2
    one, other = any(map(is_measure, ones)), any(map(is_measure, others))
    if one and other:
        refuse_mixture(path, [(line, first, second, value) for line, (_, first, second, value) in lines])
    if not (one or other) and wanted is not None:
        one, other = not ones.isdisjoint(wanted), not others.isdisjoint(wanted)
    if not (one or other) and not any(map(is_topic, systems)):
        one = all(map(is_topic, others)) and not any(map(is_topic, ones))
        other = all(map(is_topic, ones)) and not any(map(is_topic, others))
    if one != other:
        return 2 if one else 1
    line, (_, first, second, _) = lines[0]
    what = f"{first!r} can be the measure and {second!r} the topic, or the other way round: "
    raise FormatError(path, line, what + f'choose the measure with measure="{first}" or measure="{second}"')


def refuse_other_orders(path: FilePath, rows: list[Fields], wanted: Collection[str] | None) -> None:
    """Refuse rows, of system, measure, topic and value, that may have something else in the place of the system."""
    systems, measures, topics = (list(dict.fromkeys(fields[k] for _, fields in rows)) for k in range(3))
    topics = [topic for topic in topics if topic != ALL]
    asked = set(wanted or ())
    what = ""
    if ALL in systems:
        what = "'all' is the average over topics, but is in the place of a system"
    elif all(map(is_measure, systems)) or asked.intersection(systems):
        name = next(name for name in systems if is_measure(name) or name in asked)
        what = f"{name!r} is a measure, but is in the place of a system"
    elif all(map(is_topic, systems)) and topics and not any(map(is_topic, topics)):
        what = f"{systems[0]!r} can be the system and {topics[0]!r} the topic, or the other way round"
    elif len(systems) == 1 < len(measures) and not (any(map(is_measure, measures)) or asked.intersection(measures)):
        what = (
            f"{systems[0]!r} can be a system and {measures[0]!r} one of its measures, or the other way round: choose a "
            f'measure, such as measure="{measures[0]}"'
        )
    if what:
        raise FormatError(path, rows[0][0], f"{what}: {HOW}")


def is_quadruple(fields: list[str]) -> bool:
    """Whether the fields of a line can be system, measure, topic and value, rather than cells of a table."""
    if len(fields) != 4 or any(field.endswith(",") for field in fields):
        return False
    return not any(NUMBER.fullmatch(field) and not WHOLE_NUMBER.fullmatch(field) for field in fields[:3])


def are_scores(content: Content) -> bool:
    """Whether lines that look like relevance judgments have systems, topics, measures and whole numbers.

    A measure of a system is there once for each topic, but a document is judged once.
    """
    lines = [fields for _, text in content.lines if len(fields := split_line(text)) == 4]
    pairs = [(system, measure) for system, _, measure, _ in lines]
    has_averages = any(topic == ALL for _, topic, _, _ in lines)
    return has_averages or (len(set(pairs)) < len(pairs) and all(is_measure(measure) for _, measure in pairs))
