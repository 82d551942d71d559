"""Tables of scores: topics by systems, systems by topics, a column for each measure, or one score in each row."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import nan

from .._core.errors import InvalidValueError, Setting
from .._core.files import FilePath
from .._core.names import MEASURE_NAMES, is_average, odd_one_out, role_of
from .._core.options import Systems
from ._collector import ScoreCollector
from ._content import GZIP_MAGIC, NUMBER, WHOLE_NUMBER, Content, once, parse_real, split_line
from ._eval_output import WORDS, add_coded, add_triples, are_scores, is_quadruple, read_quadruples
from ._grid import (
    MISSING_CELLS,
    PARQUET_MAGIC,
    Grid,
    from_objects,
    nested_table,
    read_delimited,
    read_json,
    read_json_lines,
    read_parquet,
    read_write_table,
)
from ._layout import ALL, Cell, layout_of, unequal_averages, unlike_other_topics
from ._measures import is_measure
from ._memory import is_frame, nested_of, read_frame

IN_CELL = ("measure", "topic", "system")
"""The names beside the value of a cell, in their order."""


def add_table(content: Content, grid: Grid, scores: ScoreCollector, systems: Systems | None) -> None:
    """Add the scores in a table."""
    layout = layout_of(grid, systems)
    if scores.wanted is not None and not layout.names_measures and not grid.measure:
        setting = Setting("measure", scores.wanted[0])
        raise InvalidValueError(None, (f"{content.name} does not name its measure, so ", setting, " cannot be chosen"))
    cells = [(line, measure or grid.measure, topic, own, text) for line, measure, topic, own, text in layout.cells]
    if not cells:
        raise grid.error("the table has no scores", line=content.top)
    scores.name_unnamed(content, cells[0][3])
    refuse_numbers(grid, cells)
    topics = {cell[2] for cell in cells} - {ALL}
    no_topics = {name for name in topics if is_average(name) or is_measure(name)}
    no_systems = {name for name in {cell[3] for cell in cells} if is_average(name)}
    for line, measure, topic, system, text in cells:
        if topic == ALL:
            continue
        if topic in no_topics or system in no_systems:
            what = f"{topic!r} is not a topic" if topic in no_topics else f"{system!r} is not a system"
            raise grid.error(what, "leave out averages", line=line)
        if not topic or not system:
            raise grid.error(f"the {'system' if topic else 'topic'} is missing", line=line)
        value = nan if text in MISSING_CELLS else parse_real(grid.path, line, "value", text)
        if not scores.add(measure, topic, system, value):
            what = f"{measure} of system" if measure else "system"
            raise grid.error(f"{what} {system!r} for topic {topic!r} is repeated", line=line)
    if not topics:
        raise grid.error("there are only averages over topics: read_leaderboard reads them", line=content.top)
    notes = [*layout.notes, *unequal_averages([cell for cell in cells if scores.wants(cell[1])])]
    scores.notes += [f"{content.name}: {note}" for note in notes]


def refuse_numbers(grid: Grid, cells: list[Cell]) -> None:
    """Refuse the first row that has a score in the place of a measure or a topic, as a row of another table has."""
    _, *columns, _ = zip(*cells)
    names = {role: set(column) for role, column in zip(IN_CELL, columns)}
    wrong = {role: {name for name in names[role] if NUMBER.fullmatch(name)} for role in IN_CELL}
    for role in ("topic", "system"):
        wrong[role] = {name for name in wrong[role] if not WHOLE_NUMBER.fullmatch(name)}
    if wrong["topic"] == names["topic"]:
        wrong["topic"] = set()  # topics such as 31.2
    odd = odd_one_out(names["topic"] - {ALL})
    for cell in cells if odd or any(wrong.values()) else ():
        for role, name in zip(IN_CELL, cell[1:]):
            if name in wrong[role]:
                raise grid.error(f"the number {name} is in the place of a {role}", line=cell[0])
        if cell[2] == odd:
            raise unlike_other_topics(grid, odd, cell[0])


@dataclass(frozen=True)
class Format:
    """A format of files.

    Attributes
    ----------
    name : str
    about : str
        Its content, for messages.
    matches : callable
        Whether a file has the format, by a look at its beginning.
    grid : callable, optional
        Reads a file as a table of cells.
    add : callable, optional
        Adds the scores in a file to a collector; by default those of the table.
    """

    name: str
    about: str
    matches: Callable[[Content], bool]
    grid: Callable[[Content], Grid] | None = None
    add: Callable[[Content, ScoreCollector, Systems | None], None] | None = None


def is_parquet(content: Content) -> bool:
    return content.data[:4] == PARQUET_MAGIC


def begins_with(content: Content, characters: str) -> bool:
    return bool(content.first) and content.first[0][1].lstrip()[0] in characters


def is_json_lines(content: Content) -> bool:
    """Whether each line is an object, by the first: one that ends, and whose values are not objects themselves."""
    if not begins_with(content, "{"):
        return False
    first = content.first[0][1].strip()
    several = len(content.first) > 1 and content.first[1][1].lstrip().startswith("{")
    return several or (len(content.first) == 1 and first.count("{") == 1)


def is_json(content: Content) -> bool:
    return begins_with(content, "{[")


@once
def fields_of_first(content: Content) -> list[str]:
    """The fields of the first line that are separated by blanks; none if it has the names of columns."""
    if not content.first:
        return []
    text = content.first[0][1]
    fields = split_line(text)
    first = fields[0].strip('"')
    is_header = text.startswith("\t") or role_of(first) is not None or first.lower() in MEASURE_NAMES
    if WORDS.fullmatch(first) and is_average(fields[1 % len(fields)]):
        is_header = False  # the runid in evaluation output, not a column of that name
    return [] if is_header else fields


def first_lines(content: Content, fields: int) -> list[list[str]]:
    """The fields of the first lines, if each has this many; none otherwise, or if the first has names of columns."""
    if not fields_of_first(content):
        return []
    lines = [split_line(text) for _, text in content.first]
    return lines if all(len(line) == fields for line in lines) else []


def is_ranking(content: Content) -> bool:
    """Whether lines like those of a run rank systems: for all topics together, or by several measures."""
    if not is_run(content):
        return False
    lines = [split_line(text) for _, text in content.lines]
    if any(line[0] == ALL for line in lines):
        return True
    last = {line[-1] for line in lines}
    return len(last) > 1 and all(map(is_measure, last))


def is_run(content: Content) -> bool:
    lines = first_lines(content, 6)
    return bool(lines) and all(WHOLE_NUMBER.fullmatch(line[3]) and NUMBER.fullmatch(line[4]) for line in lines)


def is_qrels(content: Content) -> bool:
    lines = first_lines(content, 4)
    whole = all(WHOLE_NUMBER.fullmatch(line[1]) and WHOLE_NUMBER.fullmatch(line[3]) for line in lines)
    return bool(lines) and whole and not are_scores(content)


def is_triples(content: Content) -> bool:
    """Whether a line has three fields, the last of them a value; or, in the output of runs, the words of a runid."""
    fields = fields_of_first(content)
    if len(fields) != 3 or is_header_of_topics(content, fields):
        return False
    return is_value(fields[2]) or WORDS.fullmatch(fields[0]) is not None


def is_quadruples(content: Content) -> bool:
    """Whether a line has four fields, the last of them a value.

    A first line whose first field is the name of a column has names of columns, unless its last is no name.
    """
    fields = split_line(content.first[0][1]) if content.first else []
    if not is_quadruple(fields) or not is_value(fields[3]):
        return False
    if is_header_of_topics(content, fields):
        return False
    return bool(fields_of_first(content)) or not WHOLE_NUMBER.fullmatch(fields[3])


def is_header_of_topics(content: Content, fields: list[str]) -> bool:
    """Whether the first line has names of columns that are numbers: topics, above scores with decimals."""
    if len(content.first) < 2 or not all(map(WHOLE_NUMBER.fullmatch, fields[1:])):
        return False
    return any(NUMBER.fullmatch(cell) and "." in cell for cell in split_line(content.first[1][1])[1:-1])


def is_write_table(content: Content) -> bool:
    """Whether the first line has a name for each column of numbers, but none for the names of rows before them.

    Without names of rows, the names of columns are in quotes.
    """
    if len(content.first) < 2 or re.search(r"[\t,;]", content.first[0][1]):
        return False
    header, row = (split_line(text) for _, text in content.first[:2])
    if len(header) > 1 and all(re.fullmatch('"[^"]*"', name) for name in header):
        return len(row) - len(header) in (0, 1)
    return (
        bool(fields_of_first(content))
        and len(row) == len(header) + 1
        and all(is_value(cell) or cell == "NA" for cell in row[1:])
    )


def is_averages(content: Content) -> bool:
    """Whether a line has a measure and its value."""
    fields = fields_of_first(content)
    return len(fields) == 2 and is_measure(fields[0]) and is_value(fields[1])


def is_value(text: str) -> bool:
    """Whether a field is a number, or what is written where a number is not defined."""
    return NUMBER.fullmatch(text) is not None or text.lower().lstrip("+-") in ("nan", "inf", "infinity")


def is_delimited(content: Content) -> bool:
    return bool(content.first) and any(separator in content.first[0][1] for separator in "\t,;")


def read_objects(content: Content) -> Grid:
    """A list of objects as a table."""
    value = read_json(content)
    if not isinstance(value, list):
        raise content.error("expected a list of objects, each of them a row", line=1)
    return from_objects(content.path, enumerate(value, 1))


def add_json(content: Content, scores: ScoreCollector, systems: Systems | None) -> None:
    """Add the scores in a list of objects, or in objects of objects."""
    if begins_with(content, "["):
        add_table(content, read_objects(content), scores, systems)
        return
    refuse_sides(content, systems)
    add_table(content, nested_table(content, read_json(content), scores.wanted), scores, None)


def add_eval(content: Content, scores: ScoreCollector, systems: Systems | None) -> None:
    refuse_sides(content, systems)
    if not add_coded(content, scores):
        add_triples(content, scores)


def add_quadruples(content: Content, scores: ScoreCollector, systems: Systems | None) -> None:
    refuse_sides(content, systems)
    add_table(content, read_quadruples(content, scores.wanted), scores, None)


def add_nested(content: Content, scores: ScoreCollector, systems: Systems | None) -> None:
    """Add the scores in nested mappings, or in objects of ranx and ir_measures."""
    refuse_sides(content, systems)
    values, roles = nested_of(content)
    add_table(content, nested_table(content, values, scores.wanted, roles), scores, None)


def refuse_sides(content: Content, systems: Systems | None) -> None:
    if systems is not None:
        given = Setting("systems", systems)
        raise InvalidValueError(
            None, (f"{content.name} has one value in each place, so ", given, " does not apply to it")
        )


FORMATS = (
    Format("parquet", "a Parquet file", is_parquet, read_parquet),
    Format("jsonl", "JSON, one object in each line", is_json_lines, read_json_lines),
    Format("json", "JSON: a list of objects, or the values of pytrec_eval", is_json, read_objects, add_json),
    Format("write.table", "a table as R's write.table writes it", is_write_table, read_write_table),
    Format("ranking", "systems ranked by their values: topic, Q0, system, rank, value and measure", is_ranking),
    Format("run", "a ranked run: topic, Q0, document, rank, score and name", is_run),
    Format("qrels", "relevance judgments: topic, iteration, document and relevance", is_qrels),
    Format(
        "eval",
        "evaluation output: measure, topic and value, or topic, measure and value, in each line",
        is_triples,
        None,
        add_eval,
    ),
    Format(
        "evals",
        "evaluation output of several systems: system, measure, topic and value, or system, topic, measure and value",
        is_quadruples,
        None,
        add_quadruples,
    ),
    Format("averages", "averages over all topics", is_averages),
    Format("table", "comma- or tab-separated values under the names of columns", is_delimited, read_delimited),
)


FRAME = Format("frame", "a data frame", lambda content: is_frame(content.held), read_frame)
NESTED = Format("nested", "nested mappings", lambda content: True, None, add_nested)
"""What is in memory."""

KNOWN = "output of trec_eval or ir_measures, CSV, TSV, JSON, JSON lines, Parquet, a run or relevance judgments"


def is_binary(content: Content) -> bool:
    """Whether a file is neither text, nor gzipped, nor Parquet."""
    return content.data[:2] != GZIP_MAGIC and not is_parquet(content) and b"\0" in content.data[:4096]


@once
def format_of(content: Content) -> Format | None:
    """The format of a file, or None if it has none of those here."""
    if content.held is not None:
        return FRAME if FRAME.matches(content) else NESTED
    return None if is_binary(content) else next((one for one in FORMATS if one.matches(content)), None)


def known_format(content: Content) -> Format:
    """The format of a file, or an error that says what was expected."""
    form = format_of(content)
    if form is None:
        if not content.lines:  # or an error, if the file is not text
            raise content.error("the file is empty", line=1)
        raise content.error(f"this is none of the formats that can be read: {KNOWN}")
    return form


def sniff(path: FilePath) -> str:
    """Tell the format of a file from its content.

    Parameters
    ----------
    path : path
        The file, plain or gzipped.

    Returns
    -------
    str
        One of

        - "eval": evaluation output, a line for each value: measure, topic and value, as trec_eval writes them, or
          topic, measure and value, as ir_measures does;
        - "evals": evaluation output of several systems, each line with the system before these three;
        - "table": comma- or tab-separated values, with the names of the columns in the first line;
        - "jsonl": a JSON object in each line;
        - "write.table": values separated by blanks, as R's write.table writes them by default;
        - "json": a list of JSON objects, or values by topic and measure, as pytrec_eval returns them;
        - "parquet": a Parquet file;
        - "run": a ranked run;
        - "ranking": systems ranked by a measure, in the columns of a run;
        - "qrels": relevance judgments;
        - "averages": measures and values, without topics.

    Raises
    ------
    FormatError
        If it is none of these.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "scores.txt")
    ...     with open(path, "w") as file:
    ...         _ = file.write("401\\tAP\\t0.25\\n402\\tAP\\t0.5\\n")
    ...     sniff(path)
    'eval'
    """
    return known_format(Content.of(path)).name


def read_grid(content: Content) -> Grid:
    """A file as a table of cells under the names of columns."""
    form = known_format(content)
    if form.grid is None:
        raise content.error(f"expected a table with names of columns, not {form.about}")
    return form.grid(content)


def add_scores(content: Content, scores: ScoreCollector, systems: Systems | None = None) -> None:
    """Add the scores in a file of any format that has scores."""
    form = known_format(content)
    if form.add is not None:
        form.add(content, scores, systems)
    elif form.grid is not None:
        add_table(content, form.grid(content), scores, systems)
    else:
        how = "evaluate the topics one by one, with trec_eval -q or ir_measures -q"
        if form.name == "averages":
            how += ", or read averages by read_leaderboard"
        elif form.name == "ranking":
            how = "write system, topic, measure and value in each line instead"
        elif form.name == "qrels":
            how += "; if these are systems, topics, measures and values, write a table with the names of columns"
        raise content.error(f"expected scores of systems by topic, found {form.about}", how, has=form.name)
