"""Evaluation output in arrays: codes of measures and topics, and values.  Anything unusual is left to `_triples`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .._kernel.evaluation import pivoted
from ._collector import Block, Evaluated, ScoreCollector
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
    measures, topics = lines.names
    part = slice(section.begin, section.end)
    pivot = pivoted(*lines.codes[:, part], lines.values[part], len(measures), len(topics))
    if pivot is None or not len(pivot[0]) or len(set(section.words)) < len(section.words):
        return None
    table, rows, columns = pivot
    own = [measures[row] for row in rows.tolist()]
    if any(map(WORDS.fullmatch, own)):
        return None
    seen = [topics[column] for column in columns.tolist()]
    count = len({*seen, *(topic for _, topic in section.words)})
    kept: Sequence[int] = range(len(own))
    if scores.wanted is not None:
        if not {measure for measure, _ in section.words}.isdisjoint(scores.wanted):
            return None
        kept = [k for k, measure in enumerate(own) if scores.wants(measure)]
        # The topics are in the order of the lines with these measures.
        on_lines = lines.codes[1, part][np.isin(lines.codes[0, part], rows[kept])]
        order = on_lines[np.sort(np.unique(on_lines, return_index=True)[1])]
        seen = [topics[column] for column in order.tolist()]
        place = {column: k for k, column in enumerate(columns.tolist())}
        table = table[np.ix_(kept, [place[column] for column in order.tolist()])]
    values = Block(dict.fromkeys(own, -1) | {own[k]: row for row, k in enumerate(kept)}, seen, table)
    return Evaluated(
        content.path,
        section.line,
        section.runid or content.stem,
        bool(section.runid),
        values,
        dict.fromkeys(seen),
        section.num_q,
        count,
    )
