"""Reads what trec_eval writes, tables of scores, ranked runs and relevance judgments.

A file is read whole or not at all: whatever is malformed, doubled or cut off is an error that names the file and the
line.  Plain and gzipped files are told apart by their content.

Scores come as topics by systems.  Where a source has several measures, the columns of the table have two levels,
measure and system, so that `scores["map"]` is the table of one measure.
"""

from __future__ import annotations

import csv
import glob
import gzip
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from math import isfinite, nan
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import pandas

# The names of columns, in small letters: what a table in long form has, what names rows, and what names systems.
LONG = {"system", "topic", "value"}
IDENTIFIERS = {"", "doc", "document", "id", "item", "name", "qid", "query", "run", "runid", "run_id", "system", "topic"}
ROWS_ARE_SYSTEMS = {"item", "name", "run", "runid", "run_id", "system"}

# Python's float takes more than this.
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

Path: TypeAlias = str | os.PathLike[str]
Missing = Literal["error", "zero", "drop"]
Key: TypeAlias = tuple[str, str, str]
"""Measure, topic and system."""


class FormatError(ValueError):
    """A file that is not what it should be; the message begins with its name and the line."""

    def __init__(self, path: Path, line: int, what: str) -> None:
        super().__init__(f"{os.fspath(path)}:{line}: {what}")


def read_eval(
    paths: Path | Iterable[Path], measure: str | None = None, *, missing: Missing = "error"
) -> pandas.DataFrame:
    """Read the output of `trec_eval -q`: lines of measure, topic and value.

    Parameters
    ----------
    paths : path or list of paths
        Files, plain or gzipped; a folder stands for all files in it, and a pattern such as ``"runs/*.eval"`` for all
        that match.  A file can hold one system, or several one after the other.  A system's name is its runid, or
        where the file has none, the name of the file without its ending.
    measure : str, optional
        The measure to keep, as trec_eval writes it: "map", "P_10".  By default all are kept.
    missing : {"error", "zero", "drop"}
        What to do where a system has no value for a topic that others have: refuse; take it for 0; or drop the topic.

    Returns
    -------
    pandas.DataFrame
        Topics by systems; with several measures, the columns have two levels, measure and system.  Averages over all
        topics, which trec_eval adds, are left out.

    Raises
    ------
    FormatError
        If a line is malformed, a value is there twice, or a system is, with file and line.
    ValueError
        If there are no files, no topics, no such measure, or values are missing, with what is missing.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, values in {"one": (0.25, 0.5), "two": (0.75, 0.125)}.items():
    ...         with open(os.path.join(folder, name + ".eval"), "w") as file:
    ...             _ = file.write("".join(f"map\\t{401 + k}\\t{value}\\n" for k, value in enumerate(values)))
    ...     read_eval(folder).to_dict("list")
    {'one': [0.25, 0.5], 'two': [0.75, 0.125]}
    """
    found = Found()
    for path in expanded(paths):
        for part in sections(path, measure):
            if not part.values:
                raise FormatError(path, part.line, "no values by topic here: run trec_eval with -q")
            system = part.name or stem(path)
            found.add_system(path, part.line, system)
            for (name, topic), value in part.values.items():
                if measure in (None, name):
                    found.values[name, topic, system] = value
    return found.table(measure, missing)


@dataclass
class Section:
    """The values of one system in a file, by measure and topic, and the line at which they begin."""

    line: int
    name: str = ""
    values: dict[tuple[str, str], float] = field(default_factory=dict)
    closed: bool = False


def sections(path: Path, measure: str | None) -> Iterator[Section]:
    """The systems in a file: the lines up to the averages of each, which have its name, or which its name begins."""
    section: Section | None = None
    for number, (name, topic, value) in records(path, "measure topic value", whole_lines=True):
        summary = topic == "all"
        if section is None:
            section = Section(number)
        elif (section.closed and not summary) or (name == "runid" and section.name):
            yield section
            section = Section(number)
        if name == "runid":
            section.name = value
        elif not summary:
            if (name, topic) in section.values:
                what = f"{name} of topic {topic!r} is there a second time for one system"
                raise FormatError(path, number, what)
            # Some measures are words, and do no harm if another one is wanted.
            wanted = measure in (None, name)
            section.values[name, topic] = real(path, number, f"value of {name}", value) if wanted else nan
        # After the topics, the averages end a system.
        section.closed = summary and bool(section.values)
    if section is None:
        raise FormatError(path, 1, "the file is empty")
    yield section


def read_table(path: Path, measure: str | None = None, *, missing: Missing = "error") -> pandas.DataFrame:
    """Read a table of scores from a file of values parted by commas or tabs.

    Parameters
    ----------
    path : path
        The file, plain or gzipped.  Its first line has the names of the columns.  It is in long form if these include
        system, topic and value, and maybe measure, in any order; else the first column has the topics and the others
        are systems.  Averages have no place in it, but for the topic "all" in long form, which is left out.
    measure, missing
        As for `read_eval`; an empty field is a missing value.

    Returns
    -------
    pandas.DataFrame
        As from `read_eval`.

    Raises
    ------
    FormatError, ValueError
        As from `read_eval`.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "scores.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("topic,one,two\\n401,0.25,0.75\\n402,0.5,0.125\\n")
    ...     read_table(path).loc["402"].to_dict()
    {'one': 0.5, 'two': 0.125}
    """
    names, rows = header_and_rows(path)
    found = Found()
    long = {name.lower() for name in names} >= LONG
    if long:
        names = [name.lower() for name in names]
    elif names[0].lower() in ROWS_ARE_SYSTEMS or {"topic", "system", "measure"} & {name.lower() for name in names[1:]}:
        raise FormatError(path, 1, "not topics by systems, nor the columns system, topic and value in long form")
    if ";" in names[0]:
        raise FormatError(path, 1, "fields are parted by semicolons, where there should be commas or tabs")
    if not long and len(names) < 2:
        raise FormatError(
            path, 1, "one column only, where there should be topics and systems, parted by commas or tabs"
        )
    if not long and measure is not None:
        raise ValueError(f"{os.fspath(path)} does not say which measure it has, so there is no {measure!r} to choose")
    for number, row in rows:
        named = dict(zip(names, row))
        if long:
            cells = [((named.get("measure", ""), named["topic"], named["system"]), named["value"])]
        else:
            cells = [(("", row[0], system), value) for system, value in zip(names[1:], row[1:])]
        for key, text in cells:
            if long and key[1] == "all":
                continue
            if key[1].lower() in ("all", "average", "mean"):
                raise FormatError(path, number, f"{key[1]!r} is not a topic: leave out averages")
            if "" in key[1:]:
                raise FormatError(path, number, f"the {'topic' if not key[1] else 'system'} is missing")
            if key in found.values:
                raise FormatError(path, number, f"{described(key)} is there a second time")
            value = real(path, number, "value", text) if text else nan
            if measure in (None, key[0]):
                found.values[key] = value
    return found.table(measure, missing)


def is_long(path: Path) -> bool:
    """Whether a table is in long form, by the names of its columns."""
    first = next(fields_of(path), None)
    return first is not None and {name.lower() for name in first[1]} >= LONG


def read_columns(path: Path) -> pandas.DataFrame:
    """Read a table of items: the columns of numbers, with the items' names.

    Parameters
    ----------
    path : path
        Values parted by commas or tabs, plain or gzipped; the first line has the names of the columns.  Items are named
        by the first column, if it has no name or that of an identifier (such as system, run, topic or id), else by the
        first column of text, else by number.  Other columns of text are left out.

    Returns
    -------
    pandas.DataFrame
        Items by columns; an empty field, or NA as R writes it, is nan.

    Raises
    ------
    FormatError
        If a row has more or fewer fields than the first, or a column has numbers and something else, with the line; or
        if there is no column of numbers.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "scores.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("system,map,P_10\\nA,0.25,0.3\\nB,0.5,0.4\\n")
    ...     read_columns(path).loc["B"].to_dict()
    {'map': 0.5, 'P_10': 0.4}
    """
    from pandas import DataFrame, Index

    names, rows = header_and_rows(path)
    numbered = list(rows)
    values: dict[str, list[float]] = {}
    label = 0 if names[0].lower() in IDENTIFIERS else None
    for k, name in enumerate(names):
        cells = ["" if row[k] in ("NA", "NaN", "nan") else row[k] for _, row in numbered]
        texts = [i for i, cell in enumerate(cells) if cell and not NUMBER.fullmatch(cell)]
        if k == label:
            continue
        if not texts and numbered:
            values[name] = [real(path, numbered[i][0], name, cell) if cell else nan for i, cell in enumerate(cells)]
        elif len(texts) < sum(map(bool, cells)):
            line, row = numbered[texts[0]]
            raise FormatError(path, line, f"{row[k]!r} in column {name!r}, which has numbers elsewhere")
        elif label is None:
            label = k
    if not values:
        raise FormatError(path, 1, "there is no column of numbers")
    items = [str(i + 1) if label is None else row[label] for i, (_, row) in enumerate(numbered)]
    if len(set(items)) < len(items):
        line, twice = next((numbered[i][0], item) for i, item in enumerate(items) if item in items[:i])
        raise FormatError(path, line, f"item {twice!r} is there a second time")
    return DataFrame(values, index=Index(items, name=None if label is None else names[label]))


def header_and_rows(path: Path) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """The names in the first line, each there once, and the other rows, each with as many fields."""
    rows = fields_of(path)
    first, names = next(rows, (1, []))
    if not names:
        raise FormatError(path, 1, "the file is empty")
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise FormatError(path, first, f"two columns have the name {twice!r}")

    def checked() -> Iterator[tuple[int, list[str]]]:
        for number, row in rows:
            if len(row) != len(names):
                raise FormatError(path, number, f"{len(row)} fields, where the first line has {len(names)}")
            yield number, row

    return names, checked()


def fields_of(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of a file split at tabs, if its first line has one, else at commas, with the line at which each begins.

    Quotes are as spreadsheets write them.
    """
    numbered = lines(path)
    first = next(numbered, None)
    if first is None:
        return
    fed: list[int] = []

    def feed() -> Iterator[str]:
        for number, line in chain([first], numbered):
            fed.append(number)
            yield line

    reader = csv.reader(feed(), delimiter="\t" if "\t" in first[1] else ",", strict=True)
    while True:
        before = len(fed)
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise FormatError(path, fed[-1], str(error)) from None
        if row is None:
            return
        yield fed[before], [cell.strip() for cell in row]


class Found:
    """Scores by measure, topic and system, as they come."""

    def __init__(self) -> None:
        self.values: dict[Key, float] = {}
        self.systems: dict[str, str] = {}

    def add_system(self, path: Path, line: int, system: str) -> None:
        if system in self.systems:
            raise FormatError(path, line, f"system {system!r} is there a second time, after {self.systems[system]}")
        self.systems[system] = f"{os.fspath(path)}:{line}"

    def table(self, measure: str | None, missing: Missing) -> pandas.DataFrame:
        """Topics by systems, or by measures and systems, without gaps."""
        from pandas import DataFrame, Index, MultiIndex

        if missing not in ("error", "zero", "drop"):
            raise ValueError(f'\'missing\' must be "error", "zero" or "drop", not {missing!r}')
        if not self.values:
            raise ValueError(f"there are no values of {measure}" if measure is not None else "there are no values")
        measures, topics, systems = (list(dict.fromkeys(key[k] for key in self.values)) for k in range(3))
        topics = in_order(topics)
        table = DataFrame(
            [[self.values.get((m, topic, system), nan) for m in measures for system in systems] for topic in topics],
            index=Index(topics, name="topic"),
            columns=MultiIndex.from_product([measures, systems], names=["measure", "system"]),
        )
        if (gaps := table.isna()).to_numpy().any():
            said = what_is_missing(gaps)
            if missing == "error":
                raise ValueError(f'{said}; missing="zero" takes them for 0, missing="drop" drops the topics')
            table = table.fillna(0.0) if missing == "zero" else table[~gaps.any(axis=1)]
            if not len(table):
                raise ValueError("no topic is left: every one lacks a value for some system")
            table.attrs["missing"] = f"{said}: {'taken for 0' if missing == 'zero' else 'these topics are dropped'}"
        return table if len(measures) > 1 else table.droplevel("measure", axis=1)


def what_is_missing(gaps: pandas.DataFrame) -> str:
    """The topics that lack values, and for which systems."""
    lines = []
    for (measure, system), column in gaps.items():
        if column.any():
            topics = list(column.index[column])
            shown = ", ".join(map(str, topics[:10])) + (f" and {len(topics) - 10} more" if len(topics) > 10 else "")
            lines.append(f"system {system!r} has no {measure or 'value'} for the topics {shown}")
    more = f"; and {len(lines) - 5} more systems" if len(lines) > 5 else ""
    return "; ".join(lines[:5]) + more


def described(key: Key) -> str:
    measure, topic, system = key
    return f"{measure + ' of ' if measure else ''}system {system!r} for topic {topic!r}"


def in_order(topics: list[str]) -> list[str]:
    """By number if they are numbers, else as they came."""
    return sorted(topics, key=int) if all(re.fullmatch(r"[0-9]{1,18}", topic) for topic in topics) else topics


def one_measure(scores: pandas.DataFrame, source: str) -> pandas.DataFrame:
    """The table, if it is of one measure."""
    if scores.columns.nlevels > 1:
        names = list(dict.fromkeys(scores.columns.get_level_values("measure")))
        shown = ", ".join(names[:8]) + (" and so on" if len(names) > 8 else "")
        raise ValueError(f"{source} has several measures, of which one must be chosen: {shown}")
    return scores


def expanded(paths: Path | Iterable[Path]) -> list[str]:
    """The files that paths, folders and patterns stand for."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    found = []
    for path in [os.fspath(one) for one in given]:
        if os.path.isdir(path):
            files = sorted(
                entry.path for entry in os.scandir(path) if entry.is_file() and not entry.name.startswith(".")
            )
            if not files:
                raise ValueError(f"the folder {path} has no files")
        elif os.path.exists(path) or not glob.has_magic(path):
            files = [path]
        elif not (files := sorted(name for name in glob.glob(path) if os.path.isfile(name))):
            raise ValueError(f"no file matches {path}")
        found += files
    if not found:
        raise ValueError("there are no files to read")
    return found


def stem(path: Path) -> str:
    """The name of a file without its folder and ending."""
    name = os.path.basename(os.fspath(path)).removesuffix(".gz")
    return os.path.splitext(name)[0] or name


def read_run(path: Path) -> pandas.DataFrame:
    """Read a ranked run: lines of topic, Q0, document, rank, score and the run's name.

    Parameters
    ----------
    path : path
        The file, plain or gzipped.

    Returns
    -------
    pandas.DataFrame
        The columns topic, doc, rank, score and run, in the file's order.  Topics and documents are strings.

    Raises
    ------
    FormatError
        If a line does not have six fields, a rank is not a whole number or a score not a finite one, a topic has a
        document twice, or there are two runs in the file.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.txt")
    ...     with open(path, "w") as file:
    ...         _ = file.write("301 Q0 FT911-1 1 7.25 mine\\n301 Q0 FT911-9 2 6.5 mine\\n")
    ...     read_run(path)
      topic      doc  rank  score   run
    0   301  FT911-1     1   7.25  mine
    1   301  FT911-9     2   6.50  mine
    """
    from pandas import DataFrame

    rows = []
    run = None
    refuse_double = Doubles(path)
    for number, (topic, _, doc, rank, score, name) in records(path, "topic Q0 doc rank score run"):
        if run not in (None, name):
            raise FormatError(path, number, f"this line is of run {name!r}, and those above are of {run!r}")
        run = name
        refuse_double(number, topic, doc)
        rows.append((topic, doc, whole(path, number, "rank", rank), real(path, number, "score", score), name))
    table = DataFrame(rows, columns=["topic", "doc", "rank", "score", "run"])
    return table.astype({"rank": "int64", "score": "float64"})


def read_qrels(path: Path) -> pandas.DataFrame:
    """Read relevance judgments: lines of topic, iteration, document and relevance.

    Parameters
    ----------
    path : path
        The file, plain or gzipped.

    Returns
    -------
    pandas.DataFrame
        The columns topic, doc and relevance, in the file's order.  Topics and documents are strings.

    Raises
    ------
    FormatError
        If a line does not have four fields, a relevance is not a whole number, or a topic has a document twice.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "qrels.txt")
    ...     with open(path, "w") as file:
    ...         _ = file.write("301 0 FT911-1 1\\n301 0 FT911-9 0\\n")
    ...     read_qrels(path)
      topic      doc  relevance
    0   301  FT911-1          1
    1   301  FT911-9          0
    """
    from pandas import DataFrame

    rows = []
    refuse_double = Doubles(path)
    for number, (topic, _, doc, relevance) in records(path, "topic iteration doc relevance"):
        refuse_double(number, topic, doc)
        rows.append((topic, doc, whole(path, number, "relevance", relevance)))
    return DataFrame(rows, columns=["topic", "doc", "relevance"]).astype({"relevance": "int64"})


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a plain or gzipped file that are not blank, numbered from 1."""
    number = 0
    try:
        # Opened once, for it may be a pipe.
        with open(path, "rb") as file:
            content: Any = gzip.GzipFile(fileobj=file) if file.peek(2)[:2] == b"\x1f\x8b" else file
            for number, line in enumerate(content, 1):
                text = line.decode()
                if number == 1:
                    text = text.removeprefix("\ufeff")
                if "\0" in text:
                    raise FormatError(path, number, "this is not text")
                if text.strip():
                    yield number, text
    except UnicodeDecodeError:
        raise FormatError(path, number, "this is not text in UTF-8") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(path, number + 1, f"the gzipped file is damaged or cut off: {error}") from None


def records(path: Path, fields: str, whole_lines: bool = False) -> Iterator[tuple[int, list[str]]]:
    """The lines split at blanks, each with as many parts as there are fields, and with an end if they all must."""
    count = len(fields.split())
    for number, line in lines(path):
        if whole_lines and not line.endswith("\n"):
            raise FormatError(path, number, "the last line has no end, so the file may have been cut off")
        # Unicode has more blanks than TREC.
        parts = re.split(r"[ \t\r\n]+", line.strip(" \t\r\n"))
        if len(parts) != count:
            fields_found = "1 field" if len(parts) == 1 else f"{len(parts)} fields"
            raise FormatError(path, number, f"{fields_found}, where there should be {count}: {fields}")
        yield number, parts


def whole(path: Path, number: int, name: str, text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise FormatError(path, number, f"the {name} must be a whole number, not {text!r}")
    return int(text)


def real(path: Path, number: int, name: str, text: str) -> float:
    if NUMBER.fullmatch(text) and isfinite(value := float(text)):
        return value
    raise FormatError(path, number, f"the {name} must be a finite number, not {text!r}")


class Doubles:
    """Refuses a document that a topic has already."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seen: set[tuple[str, str]] = set()

    def __call__(self, number: int, topic: str, doc: str) -> None:
        if (topic, doc) in self.seen:
            raise FormatError(self.path, number, f"document {doc!r} is there a second time for topic {topic!r}")
        self.seen.add((topic, doc))
