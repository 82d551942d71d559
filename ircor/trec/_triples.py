"""Evaluation output, a value in each line: measure, topic and value, or topic, measure and value."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from .._fields import is_average, is_topic
from ._collector import Evaluated, ScoreCollector
from ._content import NOT_ENDED, Content, may_be_cut
from ._lines import NUMBER, WHOLE_NUMBER, FormatError, parse_real, parse_whole, split_lines
from ._means import ALL
from ._names import is_measure
from ._paths import FilePath

Row: TypeAlias = tuple[int, str, str, str]
"""Line, the first two fields, and the text of the value."""

First: TypeAlias = Literal["measure", "topic"]
"""Which of the two the first field is."""

RUNID = "runid"
WORDS = re.compile(r"runid|relstring(_[0-9]+)?")
"""Measures whose values are words: the name of the run, and the grades of the first documents."""


def read_triples(content: Content, scores: ScoreCollector) -> None:
    """Add the scores of all systems in a file."""
    rows, first = measured_rows(content, scores.wanted)
    if not content.ends_with_newline and is_cut(rows):
        raise FormatError(content.path, rows[-1][0], NOT_ENDED)
    for section in sections(content.path, rows, scores):
        if not section.values:
            how = "run trec_eval with -q" if first == "measure" else "run ir_measures with -q"
            raise FormatError(
                content.path, section.line, f"there are no values by topic: {how}, or read averages by read_leaderboard"
            )
        name = section.runid or content.stem
        count = len({topic for _, topic in section.seen})
        found = Evaluated(content.path, section.line, name, bool(section.runid), section.values, section.topics)
        scores.add_system(replace(found, num_q=section.num_q, count=count))


def measured_rows(content: Content, wanted: Collection[str] | None) -> tuple[list[Row], First]:
    """The lines as measure, topic and value, and which of them was first in the file."""
    split = split_lines(content.lines, content.path, "measure topic value")
    rows = [(line, one, other, value) for line, (one, other, value) in split]
    first = which_first(content.path, rows, wanted)
    if first == "topic":
        rows = [(line, measure, topic, value) for line, topic, measure, value in rows]
    check_names(content.path, rows, "measure, topic and value" if first == "measure" else "topic, measure and value")
    return rows, first


def which_first(path: FilePath, rows: list[Row], wanted: Collection[str] | None) -> First:
    """Whether the first field is the measure or the topic: known measures tell, or else the one that is wanted."""
    ones, others = {row[1] for row in rows}, {row[2] for row in rows}
    if (first := order_of(ones, others, wanted)) is not None:
        return first
    if any(map(is_measure, ones)) and any(map(is_measure, others)):
        refuse_mixture(path, rows)
    line, one, other, _ = rows[0]
    raise FormatError(
        path,
        line,
        f"neither {one!r} nor {other!r} is a measure that is known here. If one of them is, choose it with "
        f'measure="{one}" or measure="{other}"; if the lines have topics and systems, write a table with the '
        "columns topic, system and value",
    )


def order_of(ones: Collection[str], others: Collection[str], wanted: Collection[str] | None) -> First | None:
    """Whether the names in the first place are measures or topics; None if neither or both can be measures."""
    one, other = any(map(is_measure, ones)), any(map(is_measure, others))
    if not (one or other) and wanted is not None:
        one, other = not set(wanted).isdisjoint(ones), not set(wanted).isdisjoint(others)
    if one == other:
        return None
    return "measure" if one else "topic"


def refuse_mixture(path: FilePath, rows: list[Row]) -> None:
    """Raise at the first line whose measure is not in the same place as in the lines above."""
    before: First | None = None
    for line, one, other, _ in rows:
        if is_measure(one) == is_measure(other):
            continue
        now: First = "measure" if is_measure(one) else "topic"
        if before not in (None, now):
            shown = {"measure": "measure, topic and value", "topic": "topic, measure and value"}
            raise FormatError(path, line, f"the line has {shown[now]}, but lines above have {shown[before or now]}")
        before = now
    line, one, other, _ = next(row for row in rows if is_measure(row[1]) and is_measure(row[2]))
    raise FormatError(path, line, f"both {one!r} and {other!r} are names of measures: which of them is the topic?")


def check_names(path: FilePath, rows: list[Row], order: str) -> None:
    """Refuse the first line, of measure, topic and value, whose measure or topic cannot be one."""
    no_measures, no_topics = misplaced({row[1] for row in rows}, {row[2] for row in rows})
    for line, measure, topic, _ in rows if no_measures or no_topics else ():
        what = f"{measure!r} is not a measure" if measure in no_measures else ""
        what = what or (f"{topic!r} is not a topic" if topic in no_topics else "")
        if what:
            raise FormatError(path, line, f"{what}: expected {order}, as in the other lines")


def misplaced(measures: Collection[str], topics: Collection[str]) -> tuple[set[str], set[str]]:
    """The names in the place of measures that are none, and those in the place of topics."""
    no_measures = {name for name in measures if name in topics or (is_topic(name) and not is_measure(name))}
    no_measures |= {name for name in measures if NUMBER.fullmatch(name)}
    no_topics = {name for name in topics if is_average(name) and name != ALL}
    if not any(map(is_measure, measures)):
        # The fields of a table without names of columns.  Topics such as 31.2 exist, but beside measures.
        no_topics |= {name for name in topics if NUMBER.fullmatch(name) and not WHOLE_NUMBER.fullmatch(name)}
    return no_measures, no_topics


def is_cut(rows: list[Row]) -> bool:
    """Whether the last value of rows of measure, topic and value may have been cut, and matters."""
    _, measure, topic, value = rows[-1]
    if topic == ALL:
        return measure in (RUNID, "num_q")
    return may_be_cut(value, (text for _, _, _, text in rows[:-1]))


@dataclass
class Section:
    """The output for one system: its first line, its runid, its values by measure and topic, and its topics in order.

    Only the values of the measures that are wanted are kept, but all are checked for repetition.
    """

    line: int
    runid: str = ""
    num_q: int | None = None
    values: dict[str, dict[str, float]] = field(default_factory=dict)
    topics: dict[str, None] = field(default_factory=dict)
    seen: set[tuple[str, str]] = field(default_factory=set)
    rows: list[Row] = field(default_factory=list)
    at_averages: bool = False


def sections(path: FilePath, rows: list[Row], scores: ScoreCollector) -> Iterator[Section]:
    """Split the rows, of measure, topic and value, into the output for each system.

    trec_eval writes the averages after the topics, under the topic "all", with the runid among them.  Some versions and
    tools write the runid first.  So in a file with several runids, a section ends where topics follow averages, or at a
    second runid.  A file with one runid or none is of one system, and its lines may have any order.
    """
    several = sum(measure == RUNID for _, measure, _, _ in rows) > 1
    section: Section | None = None
    for line, measure, topic, value in rows:
        average = topic == ALL
        if section is None:
            section = Section(line)
        elif several and ((section.at_averages and not average) or (measure == RUNID and section.runid)):
            yield named(path, section)
            section = Section(line)
        section.rows.append((line, measure, topic, value))
        if average:
            if measure == RUNID:
                section.runid = value
            elif measure == "num_q":
                section.num_q = parse_whole(path, line, "value of num_q", value)
        else:
            add_value(path, section, (line, measure, topic, value), scores)
        section.at_averages = average and bool(section.seen)
    assert section is not None
    yield named(path, section) if several else section


def add_value(path: FilePath, section: Section, row: Row, scores: ScoreCollector) -> None:
    line, measure, topic, value = row
    if (measure, topic) in section.seen:
        what = f"{measure} for topic {topic!r} is repeated for the same system"
        hint = "" if section.runid else "; the output of several systems in one file needs a runid for each"
        raise FormatError(path, line, what + hint)
    section.seen.add((measure, topic))
    wanted = scores.wants(measure)
    if WORDS.fullmatch(measure) and not (scores.wanted and wanted):
        return
    by_topic = section.values.setdefault(measure, {})
    if wanted:
        by_topic[topic] = parse_real(path, line, f"value of {measure}", value)
        section.topics[topic] = None


def named(path: FilePath, section: Section) -> Section:
    """The section, if it has a runid as the others in the file have."""
    if section.seen and not section.runid:
        what = "the lines from here on have no runid, but others in the file do: keep the lines of each system together"
        raise FormatError(path, section.line, what)
    return section
