"""Readers of scores: any format, evaluation output only, or tables only."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.content import Content, Place, expanded_paths, first_repeated, not_a_number, shown_path, split_line
from .._core.errors import InvalidValueError
from .._core.files import FilePath
from .._core.names import role_of
from .._core.options import SYSTEMS, Missing, Systems
from .._core.text import listed
from .._core.work import Progress, watched
from .._extras import extra
from ..scoring import Measure, ScoreCollector, numbers_of
from ._by_topic import add_scores
from ._formats import FORMATS, format_of, is_binary, is_value, known_format, read_grid
from ._grid import Grid
from ._layout import has_topics, refuse_average_rows, without_row_numbers
from ._memory import ScoresSource, sources_of
from ._nested import depth, read_json

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

TABLES = tuple(one.name for one in FORMATS if one.grid is not None)
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
SCORES = tuple(one.name for one in FORMATS if one.has_scores)


def read_scores(
    source: ScoresSource,
    measure: Measure = None,
    *,
    missing: Missing = "error",
    systems: Systems | None = None,
    progress: Progress = None,
) -> pandas.DataFrame:
    """Read scores of systems by topic, in any format, from files or from memory.

    The content of a file decides how it is read, not its name.  Where it can be read in two ways, an error names both.

    Parameters
    ----------
    source : path, data frame, mapping, object of ranx, or a list of these
        Files, plain or gzipped, or ``"-"`` for standard input.  A folder stands for all files in it, and a pattern such
        as ``"runs/*.eval"`` for all files that match.  Several files must have different systems or different
        measures.  A file can be

        - evaluation output, as trec_eval or ir_measures write it with ``-q``, also with the system first in each line:
          see `read_eval`;
        - a table of comma- or tab-separated values, a JSON object in each line, a list of JSON objects, or Parquet: see
          `read_table`;
        - JSON with values by topic and measure, as pytrec_eval returns them, for one system, which has the name of the
          file, or for each of several.

        In memory, scores can be

        - a data frame (pandas, Polars, Arrow and others), read by the rules for the same table in a file;
        - nested mappings, such as {system: {topic: {measure: score}}} or {topic: {measure: score}}, as for JSON.  A
          system without a name is called "unnamed", and a note says so;
        - what ``iter_calc`` of ir_measures gives, or {system: what it gives};
        - a Run of ranx that was evaluated with ``save_results_in_run=True``, or {system: Run};
        - a list of such objects, with different systems or different measures.
    measure : str or list of str, optional
        The measures to read, by the names that the files have for them.  By default all are read.
    missing : {"error", "zero", "drop"}
        How to handle topics for which some systems have a value and others do not: raise an error, count the missing
        values as 0, or drop these topics.  A system without any value of a measure is refused.
    systems : {"rows", "columns"}, optional
        Where the systems are in a table of topics and systems.  By default the names of columns and rows say it.
    progress : bool or callable, optional
        Whether to show a bar for work that takes long, or a function to call with the number of files read and the
        number of all.  By default a bar is shown in a terminal.

    Returns
    -------
    pandas.DataFrame
        Topics by systems.  With several measures, the columns have two levels, measure and system.  Averages over
        topics in evaluation output are left out.  Topics are strings, in numeric order if all are whole numbers,
        otherwise in the order of the files.  ``attrs["notes"]`` has what a reader should know: files in a folder that
        were skipped, names taken from files, missing values that were handled.  ``attrs["measure"]`` has the measure,
        if there is only one and the files name it.

    Raises
    ------
    FormatError
        If a file is malformed, can be read in two ways, or has a value or a system twice.
    ValueError
        If there are no files, no values of `measure`, or if values are missing.

    Examples
    --------
    >>> bm25 = {"401": {"AP": 0.25, "P@10": 0.5}, "402": {"AP": 0.5, "P@10": 0.75}}
    >>> dense = {"401": {"AP": 0.75, "P@10": 0.5}, "402": {"AP": 0.125, "P@10": 1.0}}
    >>> read_scores({"bm25": bm25, "dense": dense}, "AP").to_dict("list")
    {'bm25': [0.25, 0.5], 'dense': [0.75, 0.125]}
    """
    return read(source, measure, missing, systems, progress=progress)


def read_eval(
    paths: FilePath | Iterable[FilePath],
    measure: Measure = None,
    *,
    missing: Missing = "error",
    progress: Progress = None,
) -> pandas.DataFrame:
    """Read evaluation output, a value in each line: that of ``trec_eval -q`` or ``ir_measures -q``.

    Parameters
    ----------
    paths : path or list of paths
        Files as for `read_scores`.  Each line has three fields: measure, topic and value, as trec_eval writes them, or
        topic, measure and value, as ir_measures does.  The names of known measures tell which, or else `measure`.
        Lines with the system before these three have the output of many systems.  There the topic "all", the average,
        tells too where the topics are, and so do names such as 401 or q7.  The lines of one system may have any order.
        A file without systems in its lines has the output for one system, or that of several one after the other, each
        with its runid.  The name of a system is its runid, or the name of the file without its extension if the output
        has no runid, or if several files have the same.
    measure, missing, progress
        As for `read_scores`.  Measures whose values are words, such as relstring, are left out.

    Returns
    -------
    pandas.DataFrame
        As from `read_scores`.

    Raises
    ------
    FormatError, ValueError
        As from `read_scores`, and if the number of topics is not num_q.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "one.eval").write_text("map 401 0.25\\nmap 402 0.5\\n")
    ...     read_eval(folder).to_dict("list")
    {'one': [0.25, 0.5]}
    """
    return read(paths, measure, missing, None, ("eval", "evals"), progress)


def read_table(
    path: FilePath, measure: Measure = None, *, missing: Missing = "error", systems: Systems | None = None
) -> pandas.DataFrame:
    """Read a table of scores: comma- or tab-separated values, JSON objects or Parquet.

    Parameters
    ----------
    path : path
        The file, plain or gzipped, or ``"-"`` for standard input.  The names of its columns decide how it is read:

        - topics by systems: one column has the topics, the others the scores of a system each;
        - systems by topics: one column has the systems, the others are topics;
        - a column with the topics, one with the systems, and a column for each measure;
        - one score in each row, in the columns system, topic, value and optionally measure, in any order;
        - topics by measures of one system, which has the name of the file.

        Columns of topics are called topic, qid, query_id or query, and columns of systems system, run, name or runid,
        with the usual variants.  Without such a name, names such as 401 or q7 are taken for topics if they are on one
        side only.  A table that can be read in two ways is refused.
        A table of topics and systems must not have averages; where each row has one score, the topic "all" is skipped.
    measure, missing, systems
        As for `read_scores`.  The cells that stand for a missing value are listed under `read_columns`.

    Returns
    -------
    pandas.DataFrame
        As from `read_scores`.

    Raises
    ------
    FormatError, ValueError
        As from `read_scores`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "scores.csv")
    ...     _ = path.write_text("topic,one,two\\n401,0.25,0.75\\n402,0.5,0.125\\n")
    ...     read_table(path).loc["402"].to_dict()
    {'one': 0.5, 'two': 0.125}
    """
    return read([path], measure, missing, systems, TABLES, False)


def read(
    source: Any,
    measure: Measure,
    missing: Missing,
    systems: Systems | None,
    formats: Collection[str] = SCORES,
    progress: Progress = False,
    name: str = "source",
) -> pandas.DataFrame:
    """Read the scores in files of these formats, or in memory."""
    SYSTEMS.checked(systems)

    def add(content: Content, scores: ScoreCollector) -> None:
        form = known_format(content)
        # What has no scores is refused where it is read.
        if content.held is None and form.has_scores and form.name not in formats:
            line = 1 if form.name == "parquet" else None
            raise content.error(f"this is {form.about}", "read_scores reads any format", line=line)
        add_scores(content, scores, systems)

    return collected(source, name, measure, missing, add, progress).table()


def scores_of(
    source: Any,
    name: str,
    measure: Measure = None,
    missing: Missing = "error",
    systems: Systems | None = None,
    progress: Progress = False,
) -> pandas.DataFrame:
    """Read scores as `read_scores` does; `name` is the argument in messages."""
    return read(source, measure, missing, systems, progress=progress, name=name)


def collected(
    source: Any,
    name: str,
    measure: Measure,
    missing: Missing,
    add: Callable[[Content, ScoreCollector], None],
    progress: Progress = False,
) -> ScoreCollector:
    """What `add` finds in files or in objects in memory; `name` is their argument in messages."""
    paths, held = sources_of(source, name)
    scores = ScoreCollector(measure, missing, listed(map(shown_path, paths), 2) if paths else f"'{name}'")
    if not held:
        scores.notes[:0] = each_file(paths, lambda content: add(content, scores), progress)
    for content in held:
        scores.notes += getattr(content.held, "attrs", {}).get("notes", ())
        add(content, scores)
    return scores


def each_file(
    paths: FilePath | Iterable[FilePath], add: Callable[[Content], None], progress: Progress = False
) -> list[str]:
    """Call `add` with each file, but for files in folders that have no scores, and return the note that names these."""
    files = expanded_paths(paths)
    skipped: list[Content] = []
    endings: set[str] = set()
    with watched(len(files), progress) as report:
        for k, (path, in_folder) in enumerate(files, 1):
            content = Content.of(path)
            if in_folder and has_no_scores(content):
                skipped.append(content)
            else:
                add(content)
                endings.add(ending_of(path))
            report(k)
    names = [content.name for content in skipped]
    if not endings:
        raise InvalidValueError(None, f"none of the files has scores: {listed(names, 5)}")
    for content in skipped:
        if ending_of(content.path) in endings:
            what = "there are no scores in the file, but in others of the folder with the same ending"
            raise content.error(what, line=1)
    return [f"skipped, because they have no scores: {listed(names, 20)}"] if skipped else []


def ending_of(path: Place) -> str:
    """The extension of a file, without that of gzip."""
    return os.path.splitext(shown_path(path).removesuffix(".gz"))[1]


def names_in(paths: FilePath | Iterable[FilePath], systems: Systems | None = None) -> tuple[list[str], list[str]]:
    """The names of the measures and of the systems in files; "" for a measure without a name."""
    scores = collected(paths, "paths", None, "zero", lambda content, scores: add_scores(content, scores, systems))
    scores.settle_names()
    return scores.names()


def has_no_scores(content: Content) -> bool:
    """Whether a file in a folder is something else than scores: notes, a picture, settings, a run or its judgments.

    A file that may be damaged scores is not skipped: a line or a half of its rows could be read.
    """
    if content.data[:2] in UTF_16:
        return False
    if is_binary(content):
        return True
    form = format_of(content)
    if form is None:
        return not any(is_value(split_line(text)[-1]) for _, text in content.lines)
    if form.name == "json":
        value = read_json(content)
        return isinstance(value, dict) and depth(value) not in (2, 3)
    if form.name == "jsonl" and len(content.lines) == 1:
        return not any(map(role_of, read_json(content)))
    if form.name == "table":
        return is_prose(content)
    return form.name in ("run", "qrels")


def is_prose(content: Content) -> bool:
    """Whether lines with commas or tabs are text: most have another number of these than the first line has."""
    separator = "\t" if "\t" in content.lines[0][1] else ","
    first, *others = (text.count(separator) for _, text in content.lines)
    return sum(count == first for count in others) < max(len(others) / 2, 1)


def is_table_of_items(path: FilePath) -> bool:
    """Whether a path is one file with a table of items by columns, without topics."""
    ((file, in_folder), *others) = expanded_paths(path)
    if in_folder or others:
        return False
    content = Content.of(file)
    form = known_format(content)
    return form.grid is not None and form.name != "json" and not has_topics(form.grid(content))


def read_columns(path: FilePath) -> pandas.DataFrame:
    """Read a table of items: its columns of numbers, with the items' names as the index.

    Parameters
    ----------
    path : path
        Comma- or tab-separated values whose first line has the names of the columns, a JSON object in each line, or
        Parquet; plain or gzipped; ``"-"`` is standard input.  Items are named by the first column if it has no name or
        the name of an identifier (id, item, or a usual name for topics, systems or documents), otherwise by the first
        column of text, otherwise by number from 1.  Other columns of text are left out.

    Returns
    -------
    pandas.DataFrame
        Items by columns.  A column is int64 if all its cells are whole numbers that fit, otherwise float64.

    Raises
    ------
    FormatError
        If two columns or two items have the same name, if a row has more or fewer fields than the first line, if a
        column mixes numbers and text, or if there is no column of numbers.

    Notes
    -----
    These cells are missing values, which become NaN: the empty cell, NA, N/A, n/a, <NA>, #N/A, #N/A N/A, #NA, NaN, nan,
    -NaN, -nan, NULL, null, None, 1.#IND, -1.#IND, 1.#QNAN and -1.#QNAN.  They are the ones of pandas, and include those
    of R's ``read.csv``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "scores.csv")
    ...     _ = path.write_text("system,map,P_10\\nA,0.25,0.3\\nB,0.5,0.4\\n")
    ...     read_columns(path).loc["B"].to_dict()
    {'map': 0.5, 'P_10': 0.4}
    """
    pd = extra("pandas", "reading files")

    grid = without_row_numbers(read_grid(Content.of(path)))
    label = 0 if is_identifier(grid.header[0]) else None
    numbers = {}
    for k, name in enumerate(grid.header):
        if k == label:
            continue
        if grid.has_numbers(k):
            numbers[name] = numbers_in(grid, k)
        elif label is None:
            label = k
    if not len(grid.lines) or not numbers:
        raise grid.error("there is no column of numbers")
    items = grid.names_of_rows(label)
    if label is None:
        return pd.DataFrame(numbers, index=pd.Index(items))
    refuse_average_rows(grid, items)
    if (repeated := first_repeated(items)) is not None:
        raise grid.error(f"item {items[repeated]!r} is repeated", line=grid.lines[repeated])
    return pd.DataFrame(numbers, index=pd.Index(items, name=grid.header[label]))


def is_identifier(name: str) -> bool:
    """Whether a first column of this name identifies the items, even if its cells are numbers."""
    return name.lower() in ("", "id") or role_of(name) in ("topic", "system", "document")


def numbers_in(grid: Grid, k: int) -> npt.NDArray[np.int64 | np.float64]:
    """The cells of a column as int64 if that is exact, otherwise as float64 with NaN for missing values."""
    if grid.is_whole(k):
        try:
            return np.array(list(map(int, grid.texts(k))), dtype=np.int64)
        except OverflowError:
            pass
    numbers = numbers_of(grid.columns[k])
    for row in np.flatnonzero(np.isinf(numbers))[:1]:
        what = not_a_number(f"value in column {grid.header[k]!r}", repr(grid.texts(k)[row]))
        raise grid.error(what, line=grid.lines[row])
    return numbers
