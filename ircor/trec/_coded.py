"""Evaluation output in arrays: codes of measures and topics, and values.  Anything unusual is left to `_triples`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from .._kernel.evaluation import pivoted
from ._collector import Block, Evaluated, ScoreCollector
from ._content import CodedLines, Content
from ._lines import NUMBER, FormatError, parse_whole
from ._means import ALL
from ._triples import RUNID, WORDS, misplaced, order_of

if TYPE_CHECKING:
    import numpy.typing as npt


def add_coded(content: Content, scores: ScoreCollector) -> bool:
    """Add the scores in a file as `read_triples` does; return False, and add nothing, if that must read it."""
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
    sections = sections_of(content, lines)
    found = [evaluated(content, lines, section, scores) for section in sections or ()]
    if not found or None in found:
        return False
    for system in found:
        assert system is not None
        scores.add_system(system)
    scores.plain.update(name for name in topics if not (NUMBER.fullmatch(name) or name in (scores.wanted or ())))
    return True


@dataclass
class Section:
    """The output for one system: its first line, its runid, and its values between two of those of the file."""

    line: int
    begin: int
    end: int
    runid: str = ""
    num_q: int | None = None
    words: list[tuple[str, str]] = field(default_factory=list)
    at_averages: bool = False


def sections_of(content: Content, lines: CodedLines) -> list[Section] | None:
    """Split the lines, of measure, topic and value, into the output for each system, as `_triples.sections` does.

    What is returned is None if a value is neither a number nor a word of a measure that has words, if one of several
    systems has no runid, or if num_q is no number.
    """
    several = sum(measure == RUNID for _, measure, _, _ in lines.others) > 1
    section = Section(1, 0, 0)
    found = [section]

    def with_topic(line: int) -> Section:
        """The section of a line with a topic: a new one after averages."""
        if several and section.at_averages:
            found.append(Section(line, section.end, section.end))
        found[-1].at_averages = False
        return found[-1]

    before = 0
    for k, (line, measure, topic, text) in enumerate(lines.others):
        above = line - 1 - k  # so many values are above this line
        if above > section.end:
            section = with_topic(before + 1)
            section.end = above
        before = line
        if topic != ALL:
            if measure == RUNID or not WORDS.fullmatch(measure):
                return None
            section = with_topic(line)
            section.words.append((measure, topic))
            continue
        if measure == RUNID:
            if several and section.runid:
                section = Section(line, above, above)
                found.append(section)
            section.runid = text
        elif measure == "num_q":
            try:
                section.num_q = parse_whole(content.path, line, "value of num_q", text)
            except FormatError:
                return None
        section.at_averages = section.end > section.begin or bool(section.words)
    if len(lines.values) > section.end:
        with_topic(before + 1).end = len(lines.values)
    return found if all(section.runid for section in found) or not several else None


def evaluated(content: Content, lines: CodedLines, section: Section, scores: ScoreCollector) -> Evaluated | None:
    """The scores of one system; None if there are none, if one is repeated or if a value of a measure is a word."""
    part = slice(section.begin, section.end)
    block = block_of(lines, part)
    if block is None or not block.measures or len(set(section.words)) < len(section.words):
        return None
    with_words = {measure for measure, _ in section.words}
    if any(map(WORDS.fullmatch, block.measures)) or not with_words.isdisjoint(scores.wanted or ()):
        return None
    count = len(block.topics) + len({topic for _, topic in section.words}.difference(block.topics))
    if scores.wanted is not None:
        # The topics are in the order of the lines with these measures.
        is_wanted = np.array([scores.wants(measure) for measure in lines.names[0]])
        kept = block_of(lines, section.begin + np.flatnonzero(is_wanted[lines.codes[0, part]]))
        if kept is None:
            return None
        block = replace(kept, measures=dict.fromkeys(block.measures, -1) | kept.measures)
    return Evaluated(
        content.path,
        section.line,
        section.runid or content.stem,
        bool(section.runid),
        block,
        dict.fromkeys(block.topics),
        section.num_q,
        count,
    )


def block_of(lines: CodedLines, keep: slice | npt.NDArray[np.intp]) -> Block | None:
    """Some of the values as a table; None if one is there twice, or if most of the table is empty."""
    (measures, topics), (rows, columns) = lines.names, lines.codes
    pivot = pivoted(rows[keep], columns[keep], lines.values[keep], len(measures), len(topics))
    if pivot is None:
        return None
    table, rows, columns = pivot
    named = {measures[row]: k for k, row in enumerate(rows.tolist())}
    return Block(named, [topics[column] for column in columns.tolist()], table)
