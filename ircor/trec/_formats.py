"""The formats: how each is recognised and read, and an example of it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from .._core.content import GZIP_MAGIC, NUMBER, WHOLE_NUMBER, Content, once, split_line
from .._core.files import FilePath
from .._core.names import ALL, MEASURE_NAMES, is_average, role_of
from .._extras import extra
from ..scoring import is_measure
from ._delimited import read_delimited, read_write_table
from ._eval_output import ORDERS, QUADRUPLES, are_scores, has_words, is_quadruple, read_quadruples
from ._frames import PARQUET_MAGIC, is_frame, read_frame, read_parquet
from ._grid import Grid
from ._memory import read_objects
from ._nested import nested_table, read_json, read_json_lines, read_list


@dataclass(frozen=True)
class Format:
    """A format of files, or of what is in memory."""

    name: str
    about: str
    """Its content, for messages."""
    matches: Callable[[Content], bool]
    """Whether a file has the format, by a look at its beginning."""
    grid: Callable[[Content], Grid] | None = None
    """Reads a table under names of columns."""
    long: Callable[[Content, Collection[str] | None], Grid] | None = None
    """Reads a table with one score in each row; gets the wanted measures too."""
    output: bool = False
    """Whether it is evaluation output, whose systems are named by lines among the others."""

    @property
    def has_scores(self) -> bool:
        """Whether it has scores by topic."""
        return self.output or self.grid is not None or self.long is not None


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


@once
def fields_of_first(content: Content) -> list[str]:
    """The fields of the first line that are separated by blanks; none if it has the names of columns."""
    if not content.first:
        return []
    text = content.first[0][1]
    fields = split_line(text)
    first = fields[0].strip('"')
    is_header = text.startswith("\t") or role_of(first) is not None or first.lower() in MEASURE_NAMES
    if has_words(first) and is_average(fields[1 % len(fields)]):
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
    return is_value(fields[2]) or has_words(fields[0])


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


def nested_json(content: Content, wanted: Collection[str] | None) -> Grid:
    return nested_table(content, read_json(content), wanted)


def parquet_example() -> bytes:
    pa, parquet = extra("pyarrow", "this example"), extra("pyarrow.parquet", "this example")
    file = io.BytesIO()
    parquet.write_table(pa.table({"topic": ["401", "402"], "bm25": [0.25, 0.5]}), file)
    return file.getvalue()


OUTPUT = f"evaluation output: {ORDERS['measure']}, or {ORDERS['topic']}, in each line"
OUTPUTS = f"evaluation output of several systems: {QUADRUPLES[2]}, or {QUADRUPLES[1]}"
OBJECTS_OF_OBJECTS = "JSON: objects of topics and measures, as pytrec_eval returns them"

FORMATS = (
    Format("parquet", "a Parquet file", is_parquet, read_parquet),
    Format("jsonl", "JSON, one object in each line", is_json_lines, read_json_lines),
    Format("json", "JSON: a list of objects", partial(begins_with, characters="["), read_list),
    Format("json", OBJECTS_OF_OBJECTS, partial(begins_with, characters="{"), long=nested_json),
    Format("write.table", "a table as R's write.table writes it", is_write_table, read_write_table),
    Format("ranking", "systems ranked by their values: topic, Q0, system, rank, value and measure", is_ranking),
    Format("run", "a ranked run: topic, Q0, document, rank, score and name", is_run),
    Format("qrels", "relevance judgments: topic, iteration, document and relevance", is_qrels),
    Format("eval", OUTPUT, is_triples, output=True),
    Format("evals", OUTPUTS, is_quadruples, long=read_quadruples),
    Format("averages", "averages over all topics", is_averages),
    Format("table", "comma- or tab-separated values under the names of columns", is_delimited, read_delimited),
)
"""The first that matches is that of a file."""


class Example(NamedTuple):
    """A file with scores of the system bm25 for the topics 401 and 402; docs/files.md has a line for each."""

    name: str
    what: str
    """What the file has."""
    written_by: str
    data: bytes | Callable[[], bytes]


EXAMPLES = (
    Example(
        "eval",
        "measure, topic and value in each line",
        "`trec_eval -q`, with any measures, in any order",
        b"map 401 0.25\nmap 402 0.50\nrunid all bm25\nmap all 0.375\n",
    ),
    Example("eval", "topic, measure and value in each line", "`ir_measures -q`", b"401 AP 0.25\n402 AP 0.50\n"),
    Example(
        "evals",
        "the same with the system first in each line",
        "tracks of TREC, for many systems in one file",
        b"bm25 map 401 0.25\nbm25 map 402 0.50\nbm25 map all 0.375\n",
    ),
    Example(
        "table",
        "comma- or tab-separated values",
        "pandas, Polars, R's `write.csv`, spreadsheets",
        b"topic,bm25\n401,0.25\n402,0.50\n",
    ),
    Example(
        "write.table",
        "values separated by blanks, no name above the first column",
        "R's `write.table`",
        b'"topic" "bm25"\n"1" 401 0.25\n"2" 402 0.50\n',
    ),
    Example(
        "jsonl",
        "a JSON object in each line",
        "`ir_measures -q -o jsonl`, tracks of TREC, pandas, Polars",
        b'{"query_id": "401", "measure": "AP", "value": 0.25}\n{"query_id": "402", "measure": "AP", "value": 0.5}\n',
    ),
    Example(
        "json", "a list of JSON objects", "pandas", b'[{"topic": 401, "bm25": 0.25},\n{"topic": 402, "bm25": 0.5}]'
    ),
    Example(
        "json",
        "JSON objects of topics and measures, perhaps of systems",
        "`json.dump` of what pytrec_eval or ranx return",
        b'{"bm25": {"401": {"map": 0.25}, "402": {"map": 0.5}}}\n',
    ),
    Example("parquet", "Parquet (extra `parquet`)", "pandas, Polars, DuckDB", parquet_example),
)

FRAME = Format("frame", "a data frame", lambda content: is_frame(content.held), read_frame)
OBJECTS = Format("objects", "objects in memory", lambda content: True, long=read_objects)

KNOWN = "output of trec_eval or ir_measures, CSV, TSV, JSON, JSON lines, Parquet, a run or relevance judgments"


def is_binary(content: Content) -> bool:
    """Whether a file is neither text, nor gzipped, nor Parquet."""
    return content.data[:2] != GZIP_MAGIC and not is_parquet(content) and b"\0" in content.data[:4096]


@once
def format_of(content: Content) -> Format | None:
    """The format of a file, or None if it has none of those here."""
    if content.held is not None:
        return FRAME if FRAME.matches(content) else OBJECTS
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
        The name of a format of scores in `docs/files.md`, such as "eval", "table" or "json"; or "run" for a ranked
        run, "qrels" for relevance judgments, "ranking" for systems ranked by a measure in the columns of a run,
        "averages" for measures and values without topics.

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
