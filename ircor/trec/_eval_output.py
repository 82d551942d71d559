"""Evaluation output, a value in each line: measure, topic and value, or topic, measure and value."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from .._core.content import NUMBER, WHOLE_NUMBER, CodedLines, Content, by_column, parse_real, parse_whole, split_line
from .._core.errors import Setting
from .._core.names import ALL, is_average, is_topic
from .._kernel.evaluation import pivoted
from ..scoring import Evaluated, Names, Part, ScoreCollector, is_measure, numbers_of
from ._grid import Grid

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._kernel.evaluation import Codes, Numbers

Row: TypeAlias = tuple[int, str, str, str]
"""Line, the first two fields, and the text of the value."""

First: TypeAlias = Literal["measure", "topic"]
"""Which of the two the first field is."""

ORDERS: dict[First, str] = {"measure": "measure, topic and value", "topic": "topic, measure and value"}

QUADRUPLES = {1: "system, topic, measure and value", 2: "system, measure, topic and value"}
"""The orders of lines of several systems, by the field that has the topic."""

RUNID = "runid"
WORDS = re.compile(r"runid|relstring(_[0-9]+)?")
"""Measures whose values are words: the name of the run, and the grades of the first documents."""


@cache
def has_words(measure: str) -> bool:
    """Whether the values of a measure are words."""
    return WORDS.fullmatch(measure) is not None


@dataclass
class Output:
    """Evaluation output whose measures and topics are known; `scores` says which measures are wanted."""

    content: Content
    first: First
    """What the first field is."""
    lines: CodedLines
    """The lines, with the measure first."""
    scores: ScoreCollector

    @classmethod
    def of(cls, content: Content, scores: ScoreCollector) -> Output:
        """Tell measures from topics; names that cannot be either are refused, and a value that may have been cut."""
        lines = content.coded or lines_one_by_one(content)
        wanted = scores.wanted
        # Whole numbers can only be topics, and most files have the topics of those before.  Only others are looked at.
        skips = not any(map(str.isdecimal, wanted or ()))
        names = [{one for one in names if not (skips and one.isdecimal())} - scores.plain for names in lines.names]
        first = order_of(names[0], names[1], wanted)
        measures, topics = names if first == "measure" else names[::-1]
        if first is None or len(measures) < len(lines.names[first == "topic"]) or any(misplaced(measures, topics)):
            first = checked_order(content, lines.names[0], lines.names[1], wanted)
        output = cls(content, first, lines if first == "measure" else lines.swapped(), scores)
        if content.coded is None and not content.ends_with_newline:
            output.refuse_cut()
        scores.plain.update(name for name in topics if not (NUMBER.fullmatch(name) or name in (wanted or ())))
        return output

    @cached_property
    def rows(self) -> list[Row]:
        return rows_of(self.content, self.first)

    @cached_property
    def sections(self) -> list[OutputSection]:
        special = self.lines.others
        names, (codes, _) = self.lines.names[0], self.lines.codes
        if RUNID in names and (codes == names.index(RUNID)).any():  # a topic has a number for it
            special = [(k, *row[1:]) for k, row in enumerate(self.rows) if row[2] == ALL or row[1] == RUNID]
        return sections(special, len(self.lines.numbers))

    def refuse_cut(self) -> None:
        """Refuse a last value that may have been cut; of the averages, only runid and num_q matter."""
        *others, (_, measure, topic, text) = self.rows
        # A whole number or a name can always be cut.
        if topic != ALL or measure in (RUNID, "num_q"):
            self.content.refuse_cut(text if topic != ALL else "", (text for *_, text in others))

    def leaves_out(self, measure: str) -> bool:
        """Whether the values of a measure are words, and it was not asked for."""
        return has_words(measure) and measure not in (self.scores.wanted or ())

    def check(self, section: OutputSection) -> None:
        """Refuse the first line with a value that is there twice, or that must be a number and is none."""
        seen: set[tuple[str, str]] = set()
        runid = ""
        for line, measure, topic, text in self.rows[section.begin : section.end]:
            if topic == ALL:
                runid = text if measure == RUNID else runid
                if measure == "num_q":
                    parse_whole(self.content.path, line, "value of num_q", text)
                continue
            if (measure, topic) in seen:
                hint = "" if runid else "; the output of several systems in one file needs a runid for each"
                what = f"{measure} for topic {topic!r} is repeated for the same system"
                raise self.content.error(what + hint, line=line)
            seen.add((measure, topic))
            if self.scores.wants(measure) and not self.leaves_out(measure):
                parse_real(self.content.path, line, f"value of {measure}", text)

    def check_runid(self, section: OutputSection) -> None:
        """Refuse scores of a system without a runid, in a file where others have one."""
        if section.several and not section.runid:
            what = "the lines from here on have no runid, but others in the file do"
            raise self.content.error(
                what, "keep the lines of each system together", line=self.lines.numbers[section.begin]
            )

    def system(self, section: OutputSection) -> Evaluated:
        """The scores of one system; those of measures that are not wanted are checked and left out."""
        indices = [index for index, _, _, _ in self.lines.others]
        begin, end = bisect_left(indices, section.begin), bisect_left(indices, section.end)
        part = slice(section.begin - begin, section.end - end)
        special = self.lines.others[begin:end]
        words = [(measure, topic) for _, measure, topic, _ in special if topic != ALL]
        num_q = [text for _, measure, topic, text in special if (measure, topic) == ("num_q", ALL)]
        line = self.lines.numbers[section.begin]
        every = pivot(self.lines, part)
        if every is None or words or num_q:
            self.check(section)
        measures, topics = self.lines.names
        table, of_rows, of_columns = every if every is not None else dense(self.lines, part)
        count = len(of_columns) + len({topic for _, topic in words}.difference(topics[k] for k in of_columns))
        if count:
            self.check_runid(section)
        found = dict.fromkeys([measures[k] for k in of_rows.tolist()], -1) | {measure: -1 for measure, _ in words}
        rows = {name: -1 for name in found if not self.leaves_out(name)} if any(map(has_words, found)) else found
        if not rows:
            how = "run trec_eval with -q" if self.first == "measure" else "run ir_measures with -q"
            more = "read averages by read_leaderboard"
            raise self.content.error("there are no values by topic", how, more, line=line)
        if self.scores.wanted is not None or len(rows) < len(found):
            # The topics are in the order of the lines with these measures.
            kept = np.array([name in rows and self.scores.wants(name) for name in measures], dtype=np.bool_)
            some = part.start + np.flatnonzero(kept[self.lines.codes[0, part]])
            table, of_rows, of_columns = pivot(self.lines, some) or dense(self.lines, some)
        rows |= {measures[code]: k for k, code in enumerate(of_rows.tolist())}
        own = Part(rows, [""], [topics[k] for k in of_columns.tolist()], table[:, None, :])
        whole = int(num_q[-1]) if num_q else None
        return Evaluated(self.content.path, line, section.runid, own, whole, count)


Pivot: TypeAlias = "tuple[Numbers, Codes, Codes]"
"""A table of measures by topics, and the codes of its rows and columns."""


def pivot(lines: CodedLines, some: slice | npt.NDArray[np.intp]) -> Pivot | None:
    """Some of the values as a table; None if one is there twice, or if most of the table is empty."""
    (measures, topics), (rows, columns) = lines.names, lines.codes
    return pivoted(rows[some], columns[some], lines.values[some], len(measures), len(topics))


def dense(lines: CodedLines, some: slice | npt.NDArray[np.intp]) -> Pivot:
    """The same table, although most of it is empty."""
    (measures, rows), (topics, columns) = (
        Names(names, codes[some]).compact() for names, codes in zip(lines.names, lines.codes)
    )
    table = np.full([len(rows), len(columns)], np.nan)
    table[measures.codes, topics.codes] = lines.values[some]
    return table, rows, columns


def lines_one_by_one(content: Content) -> CodedLines:
    """The lines of any file, as the compiled reader has them."""
    lines, (ones, others, texts) = by_column(content.fields("measure topic value"), 3)
    names = [Names.of(ones), Names.of(others)]
    values = numbers_of(texts)
    coded = np.isfinite(values) & ~names[0].are({ALL}) & ~names[1].are({ALL})
    rest = [(k, ones[k], others[k], texts[k]) for k in np.flatnonzero(~coded).tolist()]
    codes = np.array([one.codes[coded] for one in names])
    return CodedLines([one.names for one in names], codes, values[coded], rest, lines)


def rows_of(content: Content, first: First) -> list[Row]:
    """The lines as measure, topic and value."""
    return [
        (line, one, two, text) if first == "measure" else (line, two, one, text)
        for line, (one, two, text) in content.fields("measure topic value")
    ]


def checked_order(content: Content, ones: list[str], others: list[str], wanted: Collection[str] | None) -> First:
    """Which of measure and topic is first, or an error for the first line that cannot have both."""
    first = order_of(ones, others, wanted)
    lines, measures, topics, _ = zip(*rows_of(content, first or "measure"))
    if first is None:
        refuse_mixture(content, lines, measures, topics)
        one, other = measures[0], topics[0]
        what = f"neither {one!r} nor {other!r} is a measure that is known here. If one of them is, choose it with "
        table = "if the lines have topics and systems, write a table with the columns topic, system and value"
        raise content.error((what, *either(one, other), "; ", table))
    check_names(content, lines, measures, topics, ORDERS[first])
    return first


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


def refuse_mixture(content: Content, lines: Sequence[int], ones: Sequence[str], others: Sequence[str]) -> None:
    """If both places have known measures, raise at the first line whose measure is not where it was in lines above."""
    if not (any(map(is_measure, set(ones))) and any(map(is_measure, set(others)))):
        return
    before: First | None = None
    for line, one, other in zip(lines, ones, others):
        if is_measure(one) == is_measure(other):
            continue
        now: First = "measure" if is_measure(one) else "topic"
        if before not in (None, now):
            what = f"the line has {ORDERS[now]}, but lines above have {ORDERS[before or now]}"
            raise content.error(what, line=line)
        before = now
    both = zip(lines, ones, others)
    line, one, other = next(row for row in both if is_measure(row[1]) and is_measure(row[2]))
    raise content.error(f"both {one!r} and {other!r} are names of measures: which of them is the topic?", line=line)


def check_names(
    content: Content, lines: Sequence[int], measures: Sequence[str], topics: Sequence[str], order: str
) -> None:
    """Refuse the first line whose measure or topic cannot be one."""
    no_measures, no_topics = misplaced(set(measures), set(topics))
    for line, measure, topic in zip(lines, measures, topics) if no_measures or no_topics else ():
        if measure in no_measures or topic in no_topics:
            what = f"{measure!r} is not a measure" if measure in no_measures else f"{topic!r} is not a topic"
            raise content.error(what, f"expected {order}, as in the other lines", line=line)


def misplaced(measures: Collection[str], topics: Collection[str]) -> tuple[set[str], set[str]]:
    """The names in the place of measures that are none, and those in the place of topics."""
    no_measures = {name for name in measures if name in topics or (is_topic(name) and not is_measure(name))}
    no_measures |= {name for name in measures if name == ALL or NUMBER.fullmatch(name)}
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


def read_quadruples(content: Content, wanted: Collection[str] | None) -> Grid:
    """The lines as a table with one score in each row."""
    lines, (systems, ones, others, values) = by_column(content.fields("system measure topic value"), 4)
    topic = index_of_topics(content, lines, systems, ones, others, wanted)
    measures, topics = (ones, others) if topic == 2 else (others, ones)
    check_names(content, lines, measures, topics, QUADRUPLES[topic])
    refuse_other_orders(content, unique(systems), unique(measures), unique(topics), wanted)
    content.refuse_cut(values[-1], values[:-1])
    return Grid(content.path, ["system", "measure", "topic", "value"], [systems, measures, topics, values], lines)


def unique(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))


def index_of_topics(
    content: Content,
    lines: Sequence[int],
    systems: Sequence[str],
    ones: Sequence[str],
    others: Sequence[str],
    wanted: Collection[str] | None,
) -> int:
    """The field of a line that has the topic, 1 or 2; the other has the measure.

    The average over topics, "all", tells; otherwise known measures, the measure that is wanted, or names such as 401.
    """
    names = set(ones), set(others)
    if (ALL in names[0]) != (ALL in names[1]):
        return 1 if ALL in names[0] else 2
    first = order_of(*names, wanted)
    if first is not None:
        return 2 if first == "measure" else 1
    refuse_mixture(content, lines, ones, others)
    both = wanted is not None and not names[0].isdisjoint(wanted)
    if not both and not any(map(is_topic, set(systems))):
        for k in (0, 1):
            if all(map(is_topic, names[k])) and not any(map(is_topic, names[1 - k])):
                return k + 1
    what = f"{ones[0]!r} can be the measure and {others[0]!r} the topic, or the other way round"
    raise content.error(what, ("choose the measure with ", *either(ones[0], others[0])))


def refuse_other_orders(
    content: Content, systems: list[str], measures: list[str], topics: list[str], wanted: Collection[str] | None
) -> None:
    """Refuse lines, by their names, that may have something else in the place of the system."""
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
