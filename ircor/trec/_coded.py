"""Evaluation output in arrays: codes of measures and topics, and values.  Anything unusual is left to `_triples`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .._kernel.evaluation import pivoted
from ._collector import Column, Evaluated, ScoreCollector
from ._content import CodedLines, Content
from ._lines import FormatError, parse_whole
from ._means import ALL
from ._triples import RUNID, WORDS, misplaced, order_of


def add_coded(content: Content, scores: ScoreCollector) -> bool:
    """Add the scores of all systems in a file as `read_triples` does; return False, and add nothing, if it must read it."""
    lines = content.coded
    if lines is None:
        return False
    first = order_of(set(lines.names[0]), set(lines.names[1]), scores.wanted)
    if first is None:
        return False
    lines = lines if first == "measure" else lines.swapped()
    if any(misplaced(set(lines.names[0]), set(lines.names[1]))):
        return False
    sections = sections_of(content, lines)
    found = [evaluated(content, lines, section, scores) for section in sections or ()]
    if not found or None in found:
        return False
    for system in found:
        assert system is not None
        scores.add_system(system)
    return True


@dataclass
class Section:
    """The output for one system: its first line, its runid, and its values between two of those of the file."""

    line: int
    begin: int
    end: int = 0
    runid: str = ""
    num_q: int | None = None
    words: list[tuple[str, str]] = field(default_factory=list)
    at_averages: bool = False

    @property
    def has_topics(self) -> bool:
        return self.end > self.begin or bool(self.words)


def sections_of(content: Content, lines: CodedLines) -> list[Section] | None:
    """Split the lines, of measure, topic and value, into the output for each system, as `_triples.sections` does."""
    several = sum(measure == RUNID for _, measure, _, _ in lines.others) > 1
    found = [Section(1, 0)]

    def at_topic(line: int, above: int) -> None:
        """Begin a section at a line with a topic, with so many values above, if it is after averages."""
        if several and found[-1].at_averages:
            found.append(Section(line, above, above))
        found[-1].at_averages = False

    before = 0
    for k, (line, measure, topic, text) in enumerate(lines.others):
        above = line - 1 - k
        if above > found[-1].end:
            at_topic(before + 1, found[-1].end)
            found[-1].end = above
        before = line
        if topic != ALL:
            if measure == RUNID or not WORDS.fullmatch(measure):
                return None
            at_topic(line, above)
            found[-1].words.append((measure, topic))
            continue
        if several and measure == RUNID and found[-1].runid:
            found.append(Section(line, above, above))
        if measure == RUNID:
            found[-1].runid = text
        elif measure == "num_q":
            try:
                found[-1].num_q = parse_whole(content.path, line, "value of num_q", text)
            except FormatError:
                return None
        found[-1].at_averages = found[-1].has_topics
    if len(lines.values) > found[-1].end:
        at_topic(before + 1, found[-1].end)
        found[-1].end = len(lines.values)
    return found if all(section.runid or not several for section in found) else None


def evaluated(content: Content, lines: CodedLines, section: Section, scores: ScoreCollector) -> Evaluated | None:
    """The scores of one system; None if there are none, if one is repeated or if a value of a measure is a word."""
    measures, topics = lines.names
    part = slice(section.begin, section.end)
    pivot = pivoted(*lines.codes[:, part], lines.values[part], len(measures), len(topics))
    if pivot is None or not len(pivot[0]) or len(set(section.words)) < len(section.words):
        return None
    table, rows, columns = pivot
    if any(WORDS.fullmatch(measures[row]) for row in rows):
        return None
    if scores.wanted is not None and any(scores.wants(measure) for measure, _ in section.words):
        return None
    count = len({*(topics[column] for column in columns), *(topic for _, topic in section.words)})
    values: dict[str, Mapping[str, float]] = {measures[row]: {} for row in rows}
    if scores.wanted is not None:
        # The topics are in the order of the lines with these measures.
        keep = section.begin + np.flatnonzero(np.array([scores.wants(name) for name in measures])[lines.codes[0, part]])
        pivot = pivoted(*(row[keep] for row in lines.codes), lines.values[keep], len(measures), len(topics))
        if pivot is None:
            return None
        table, rows, columns = pivot
    names = tuple(topics[column] for column in columns)
    values |= {measures[row]: Column(names, numbers) for row, numbers in zip(rows, table)}
    return Evaluated(
        content.path,
        section.line,
        section.runid or content.stem,
        bool(section.runid),
        values,
        dict.fromkeys(names),
        section.num_q,
        count,
    )
