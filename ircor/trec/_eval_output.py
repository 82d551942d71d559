"""Evaluation output, a value in each line: measure, topic and value, or topic, measure and value."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from .._core.errors import Setting
from .._core.names import is_average, is_topic
from .._kernel.evaluation import pivoted
from ._collector import Block, Evaluated, ScoreCollector
from ._content import NUMBER, WHOLE_NUMBER, CodedLines, Content, FormatError, parse_real, parse_whole, split_line
from ._grid import Grid
from ._layout import ALL
from ._measures import is_measure

if TYPE_CHECKING:
    import numpy.typing as npt

Row: TypeAlias = tuple[int, str, str, str]
"""Line, the first two fields, and the text of the value."""

First: TypeAlias = Literal["measure", "topic"]
"""Which of the two the first field is."""

ORDERS: dict[First, str] = {"measure": "measure, topic and value", "topic": "topic, measure and value"}

RUNID = "runid"
WORDS = re.compile(r"runid|relstring(_[0-9]+)?")
"""Measures whose values are words: the name of the run, and the grades of the first documents."""


def add_triples(content: Content, scores: ScoreCollector) -> None:
    """Add the scores of all systems in a file."""
    rows, first = measured_rows(content, scores.wanted)
    *others, (_, measure, topic, value) = rows
    # Of the averages, only these matter; a whole number or a name can always be cut.
    if topic != ALL or measure in (RUNID, "num_q"):
        content.refuse_cut(value if topic != ALL else "", (text for _, _, _, text in others))
    for section, part in sections_of_rows(rows):
        system = values_by_topic(content, section, part, scores)
        if not system.values:
            how = "run trec_eval with -q" if first == "measure" else "run ir_measures with -q"
            raise content.error(
                "there are no values by topic", how, "read averages by read_leaderboard", line=system.line
            )
        scores.add_system(system)


def measured_rows(content: Content, wanted: Collection[str] | None) -> tuple[list[Row], First]:
    """The lines as measure, topic and value, and which of them was first in the file."""
    rows = [(line, one, other, value) for line, (one, other, value) in content.fields("measure topic value")]
    first = order_of({row[1] for row in rows}, {row[2] for row in rows}, wanted)
    if first is None:
        refuse_mixture(content, rows)
        _, one, other, _ = rows[0]
        what = f"neither {one!r} nor {other!r} is a measure that is known here. If one of them is, choose it with "
        table = "if the lines have topics and systems, write a table with the columns topic, system and value"
        raise content.error((what, *either(one, other), "; ", table))
    if first == "topic":
        rows = [(line, measure, topic, value) for line, topic, measure, value in rows]
    check_names(content, rows, ORDERS[first])
    return rows, first


def either(one: str, other: str) -> tuple[Setting, str, Setting]:
    """The choice of one of two measures, in a message."""
    return Setting("measure", one), " or ", Setting("measure", other)


def order_of(ones: Collection[str], others: Collection[str], wanted: Collection[str] | None) -> First | None:
    """Whether the names in the first place are measures or topics, by known measures, or else by the wanted ones.

    None if neither or both can be measures.
    """
    one, other = any(map(is_measure, ones)), any(map(is_measure, others))
    if not (one or other) and wanted is not None:
        one, other = not set(wanted).isdisjoint(ones), not set(wanted).isdisjoint(others)
    if one == other:
        return None
    return "measure" if one else "topic"


def refuse_mixture(content: Content, rows: list[Row]) -> None:
    """If both places have known measures, raise at the first line whose measure is not where it was in lines above."""
    _, ones, others, _ = zip(*rows)
    if not (any(map(is_measure, set(ones))) and any(map(is_measure, set(others)))):
        return
    before: First | None = None
    for line, one, other, _ in rows:
        if is_measure(one) == is_measure(other):
            continue
        now: First = "measure" if is_measure(one) else "topic"
        if before not in (None, now):
            what = f"the line has {ORDERS[now]}, but lines above have {ORDERS[before or now]}"
            raise content.error(what, line=line)
        before = now
    line, one, other, _ = next(row for row in rows if is_measure(row[1]) and is_measure(row[2]))
    raise content.error(f"both {one!r} and {other!r} are names of measures: which of them is the topic?", line=line)


def check_names(content: Content, rows: list[Row], order: str) -> None:
    """Refuse the first line, of measure, topic and value, whose measure or topic cannot be one."""
    no_measures, no_topics = misplaced({row[1] for row in rows}, {row[2] for row in rows})
    for line, measure, topic, _ in rows if no_measures or no_topics else ():
        if measure in no_measures or topic in no_topics:
            what = f"{measure!r} is not a measure" if measure in no_measures else f"{topic!r} is not a topic"
            raise content.error(what, f"expected {order}, as in the other lines", line=line)


def misplaced(measures: Collection[str], topics: Collection[str]) -> tuple[set[str], set[str]]:
    """The names in the place of measures that are none, and those in the place of topics."""
    no_measures = {name for name in measures if name in topics or (is_topic(name) and not is_measure(name))}
    no_measures |= {name for name in measures if NUMBER.fullmatch(name)}
    no_topics = {name for name in topics if is_average(name) and name != ALL}
    if not any(map(is_measure, measures)):
        # The fields of a table without names of columns.  Topics such as 31.2 exist, but beside measures.
        no_topics |= {name for name in topics if NUMBER.fullmatch(name) and not WHOLE_NUMBER.fullmatch(name)}
    return no_measures, no_topics


class OutputSection(NamedTuple):
    """The output for one system."""

    begin: int
    end: int
    """The indices of its first line and of the line after its last one."""
    runid: str
    """Its name, or ""."""
    several: bool
    """Whether the file has several runids, so that each section must have one."""


def sections(special: list[Row], count: int) -> list[OutputSection]:
    """Split lines of measure, topic and value into the output for each system.

    trec_eval writes the averages after the topics, under the topic "all", with the runid among them.  Some versions and
    tools write the runid first.  So in a file with several runids, a section ends where topics follow averages, or at a
    second runid.  A file with one runid or none is of one system, and its lines may have any order.

    Parameters
    ----------
    special : list of tuple
        The averages, the runids and any other lines, with their indices instead of their numbers.  The lines between
        them have topics.
    count : int
        The number of all lines.
    """
    several = sum(measure == RUNID for _, measure, _, _ in special) > 1
    # One line is enough for all with topics between two others.
    indices = [row[0] for row in special]
    gaps = zip([0, *(index + 1 for index in indices)], [*indices, count])
    between = [(first, "", "", "") for first, index in gaps if first < index]
    found: list[OutputSection] = []
    begin, runid, has_topics, after_averages = 0, "", False, False
    for index, measure, topic, text in sorted(special + between):
        average = topic == ALL
        if several and ((after_averages and not average) or (measure == RUNID and runid)):
            found.append(OutputSection(begin, index, runid, several))
            begin, runid, has_topics = index, "", False
        if average and measure == RUNID:
            runid = text
        has_topics = has_topics or not average
        after_averages = average and has_topics
    return [*found, OutputSection(begin, count, runid, several)]


def sections_of_rows(rows: list[Row]) -> Iterator[tuple[OutputSection, list[Row]]]:
    """The output for each system, and its lines."""
    special = [(k, *row[1:]) for k, row in enumerate(rows) if row[2] == ALL or row[1] == RUNID]
    for section in sections(special, len(rows)):
        yield section, rows[section.begin : section.end]


def values_by_topic(content: Content, section: OutputSection, rows: list[Row], scores: ScoreCollector) -> Evaluated:
    """The scores of one system by measure and topic.

    Only those of the measures that are wanted are kept, but all are checked for repetition.
    """
    values: dict[str, dict[str, float]] = {}
    topics: dict[str, None] = {}
    seen: set[tuple[str, str]] = set()
    runid, num_q = "", None
    for line, measure, topic, value in rows:
        if topic == ALL:
            if measure == RUNID:
                runid = value
            elif measure == "num_q":
                num_q = parse_whole(content.path, line, "value of num_q", value)
            continue
        if (measure, topic) in seen:
            hint = "" if runid else "; the output of several systems in one file needs a runid for each"
            what = f"{measure} for topic {topic!r} is repeated for the same system"
            raise content.error(what + hint, line=line)
        seen.add((measure, topic))
        wanted = scores.wants(measure)
        if WORDS.fullmatch(measure) and not (scores.wanted and wanted):
            continue
        of_measure = values.setdefault(measure, {})
        if wanted:
            of_measure[topic] = parse_real(content.path, line, f"value of {measure}", value)
            topics[topic] = None
    if seen and section.several and not section.runid:
        raise content.error(
            "the lines from here on have no runid, but others in the file do",
            "keep the lines of each system together",
            line=rows[0][0],
        )
    count = len({topic for _, topic in seen})
    return Evaluated(content.path, rows[0][0], section.runid, values, topics, num_q, count)


def read_quadruples(content: Content, wanted: Collection[str] | None) -> Grid:
    """The lines as a table with one score in each row."""
    lines = list(content.fields("system measure topic value"))
    topic = index_of_topics(content, lines, wanted)
    order = "system, measure, topic and value" if topic == 2 else "system, topic, measure and value"
    rows = [(line, [one[0], one[3 - topic], one[topic], one[3]]) for line, one in lines]
    check_names(content, [(line, measure, name, value) for line, (_, measure, name, value) in rows], order)
    refuse_other_orders(content, [fields for _, fields in rows], wanted)
    *others, last = (value for _, (_, _, _, value) in rows)
    content.refuse_cut(last, others)
    return Grid(content.path, ["system", "measure", "topic", "value"], rows)


def index_of_topics(content: Content, lines: list[tuple[int, list[str]]], wanted: Collection[str] | None) -> int:
    """The field of a line that has the topic, 1 or 2; the other has the measure.

    The average over topics, "all", tells; otherwise known measures, the measure that is wanted, or names such as 401.
    """
    systems, ones, others = ({fields[k] for _, fields in lines} for k in range(3))
    if (ALL in ones) != (ALL in others):
        return 1 if ALL in ones else 2
    first = order_of(ones, others, wanted)
    if first is not None:
        return 2 if first == "measure" else 1
    refuse_mixture(content, [(line, one, other, value) for line, (_, one, other, value) in lines])
    both = wanted is not None and not set(wanted).isdisjoint(ones)
    if not both and not any(map(is_topic, systems)):
        are_topics = [all(map(is_topic, names)) for names in (ones, others)]
        if are_topics[0] and not any(map(is_topic, others)):
            return 1
        if are_topics[1] and not any(map(is_topic, ones)):
            return 2
    one, other = lines[0][1][1:3]
    what = f"{one!r} can be the measure and {other!r} the topic, or the other way round"
    raise content.error(what, ("choose the measure with ", *either(one, other)))


def refuse_other_orders(content: Content, rows: list[list[str]], wanted: Collection[str] | None) -> None:
    """Refuse rows, of system, measure, topic and value, that may have something else in the place of the system."""
    systems, measures, topics = (list(dict.fromkeys(row[k] for row in rows)) for k in range(3))
    topics = [topic for topic in topics if topic != ALL]
    asked = set(wanted or ())
    what = ""
    how: tuple[str | Setting, ...] = ()
    if ALL in systems:
        what = "'all' is the average over topics, but is in the place of a system"
    elif all(map(is_measure, systems)) or asked.intersection(systems):
        name = next(name for name in systems if is_measure(name) or name in asked)
        what = f"{name!r} is a measure, but is in the place of a system"
    elif all(map(is_topic, systems)) and topics and not any(map(is_topic, topics)):
        what = f"{systems[0]!r} can be the system and {topics[0]!r} the topic, or the other way round"
    elif len(systems) == 1 < len(measures) and not (any(map(is_measure, measures)) or asked.intersection(measures)):
        what = f"{systems[0]!r} can be a system and {measures[0]!r} one of its measures, or the other way round"
        how = ("choose a measure, such as ", Setting("measure", measures[0]), ": ")
    if what:
        table = "write the systems first, or a table with the columns system, topic, measure and value"
        raise content.error(what, (*how, table))


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


def add_coded(content: Content, scores: ScoreCollector) -> bool:
    """Add the scores in a file as `add_triples` does; return False, and add nothing, if that must read it."""
    lines = content.coded
    if lines is None or any(map(str.isdecimal, scores.wanted or ())):
        return False
    # Whole numbers can only be topics, and most files have the topics of those before.  Only other names are looked at.
    measures, topics = ({name for name in names if not name.isdecimal()} - scores.plain for names in lines.names)
    first = order_of(measures, topics, scores.wanted)
    if first == "topic":
        lines, measures, topics = lines.swapped(), topics, measures
    if first is None or len(measures) < len(lines.names[0]) or any(misplaced(measures, topics)):
        return False
    # Lines with a topic may have words, but only those of measures that have words.
    if any(topic != ALL and (name == RUNID or not WORDS.fullmatch(name)) for _, name, topic, _ in lines.others):
        return False
    special = [(line - 1, measure, topic, text) for line, measure, topic, text in lines.others]
    indices = [row[0] for row in special]
    systems = []
    for section in sections(special, len(special) + len(lines.values)):
        begin, end = bisect_left(indices, section.begin), bisect_left(indices, section.end)
        part = slice(section.begin - begin, section.end - end)
        system = coded_system(content, lines, section, part, special[begin:end], scores)
        if system is None:
            return False
        systems.append(system)
    for system in systems:
        scores.add_system(system)
    scores.plain.update(name for name in topics if not (NUMBER.fullmatch(name) or name in (scores.wanted or ())))
    return True


def coded_system(
    content: Content, lines: CodedLines, section: OutputSection, part: slice, special: list[Row], scores: ScoreCollector
) -> Evaluated | None:
    """The scores of one system, from a part of the values; None if anything must be looked at line by line.

    That is so without scores or a runid that there must be, or if a value is repeated or is a word.
    """
    block = block_of(lines, part)
    words = [(measure, topic) for _, measure, topic, _ in special if topic != ALL]
    with_words = {measure for measure, _ in words}
    if block is None or not block.measures or (section.several and not section.runid) or len(set(words)) < len(words):
        return None
    if any(map(WORDS.fullmatch, block.measures)) or not with_words.isdisjoint(scores.wanted or ()):
        return None
    num_q = None
    try:
        for _, measure, topic, text in special:
            if (measure, topic) == ("num_q", ALL):
                num_q = parse_whole(content.path, 0, measure, text)
    except FormatError:
        return None
    count = len(block.topics) + len({topic for _, topic in words}.difference(block.topics))
    if scores.wanted is not None:
        # The topics are in the order of the lines with these measures.
        is_wanted = np.array([scores.wants(measure) for measure in lines.names[0]])
        kept = block_of(lines, part.start + np.flatnonzero(is_wanted[lines.codes[0, part]]))
        if kept is None:
            return None
        block = replace(kept, measures=dict.fromkeys(block.measures, -1) | kept.measures)
    topics = dict.fromkeys(block.topics)
    return Evaluated(content.path, section.begin + 1, section.runid, block, topics, num_q, count)


def block_of(lines: CodedLines, keep: slice | npt.NDArray[np.intp]) -> Block | None:
    """Some of the values as a table; None if one is there twice, or if most of the table is empty."""
    (measures, topics), (rows, columns) = lines.names, lines.codes
    pivot = pivoted(rows[keep], columns[keep], lines.values[keep], len(measures), len(topics))
    if pivot is None:
        return None
    table, rows, columns = pivot
    named = {measures[row]: k for k, row in enumerate(rows.tolist())}
    return Block(named, [topics[column] for column in columns.tolist()], table)
