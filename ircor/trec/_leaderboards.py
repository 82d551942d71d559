"""Leaderboards: one value of a measure for each system, without topics."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .._core.errors import InvalidValueError, Source
from .._core.files import FilePath
from .._core.names import ROW_NUMBERS, is_average, is_topic, role_of
from .._core.text import listed
from ._collector import Evaluated, Measure, ScoreCollector
from ._content import (
    NUMBER,
    WHOLE_NUMBER,
    Content,
    FormatError,
    expanded_paths,
    first_repeated,
    parse_real,
    shown_path,
    split_line,
)
from ._eval_output import WORDS, measured_rows, read_quadruples, sections_of_rows, values_by_topic
from ._formats import begins_with, fields_of_first, is_parquet, is_value, known_format
from ._grid import MISSING_CELLS, Grid, checked_grid, refuse_cut, split_rows
from ._layout import (
    ALL,
    VALUE_NAMES,
    Cell,
    Columns,
    columns_of,
    has_topics,
    layout_of,
    long,
    unequal_averages,
    without_extras,
)
from ._measures import COUNTS, has_ranks, is_beside_scores, is_measure, words_of
from ._readers import each_file

if TYPE_CHECKING:
    import pandas

SCORE = "score"
"""The measure of a file that does not name it."""

BY_TOPIC = "read_scores reads scores by topic"

NAMED = "write a first line with the names system and score"


def read_leaderboard(paths: FilePath | Iterable[FilePath], measure: Measure = None) -> pandas.DataFrame:
    """Read leaderboards: one value for each system, such as its mean over topics.  Larger values are better.

    Parameters
    ----------
    paths : path or list of paths
        Files, plain or gzipped, or ``"-"`` for standard input.  A folder stands for all files in it, and a pattern such
        as ``"runs/*.eval"`` for all files that match.  A file can be

        - a table with a column of systems and a column of numbers for each measure: comma- or tab-separated values,
          JSON objects or Parquet.  If no column has a name such as system or run, the only column of text has the
          systems.  Other columns of text and columns of ranks are left out, and so are columns of errors, limits,
          counts and the like, such as stderr, "95% CI", p and num_ret, unless `measure` names them;
        - a table with the columns system, measure and value;
        - a system and its score in each line, separated by blanks, a tab or a comma, without names of columns.  Scores
          that are the numbers from 1 on, each once, can be ranks, and are refused;
        - evaluation output of several systems, or a table, with values for the topic "all".  Values by topic may be
          there too;
        - evaluation output of one system, of trec_eval or ir_measures without ``-q``, or with it.
    measure : str or list of str, optional
        The measures to read, by the names that the files have for them.  By default all are read.

    Returns
    -------
    pandas.DataFrame
        Systems by measures, in the order of the files.  Scores without the name of a measure are in the column
        "score".  ``attrs["notes"]`` has what a reader should know: columns and files that were left out, and values
        for "all" that are not the mean over the topics of the file.

    Raises
    ------
    FormatError
        If a file is malformed, can be read in two ways, or has topics only, or if a system is repeated or a value is
        not a finite number.
    ValueError
        If there are no values of `measure`, or if a system has no value of a measure that others have.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "judge.txt")
    ...     with open(path, "w") as file:
    ...         _ = file.write("bm25 all grade 1.25\\ndense all grade 1.75\\n")
    ...     read_leaderboard(path)["grade"].to_dict()
    {'bm25': 1.25, 'dense': 1.75}
    """
    files = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    scores = ScoreCollector(measure, "error", listed(map(shown_path, files), 2))
    scores.notes[:0] = each_file(files, lambda content: add_averages(content, scores))
    return board_of(scores)


def leaderboard_of(table: Any, name: str, measure: Measure = None) -> pandas.DataFrame:
    """Read a leaderboard from a DataFrame, of pandas or Polars, by the rules of `read_leaderboard` for files.

    The index or a column has a name such as system.  The systems of the result are as in the table, rather than text.
    """
    if getattr(getattr(table, "index", None), "name", None) is not None:
        table = table.reset_index()
    header = [str(column) for column in table.columns]
    if hasattr(table, "get_columns"):  # Polars
        columns = [column.to_list() for column in table.get_columns()]
    else:
        columns = [column.astype(object).where(column.notna(), None).tolist() for _, column in table.items()]
    rows = ((k, list(map(text_of, row))) for k, row in enumerate(zip(*columns), 1))
    scores = ScoreCollector(measure, "error", f"'{name}'")
    scores.notes += getattr(table, "attrs", {}).get("notes", ())
    try:
        add_grid(Content(name, b""), checked_grid(name, header, rows, 0), scores)
    except FormatError as error:
        _, *problem = error.parts
        row = f", row {error.line}" if error.line else ""
        raise InvalidValueError(None, (Source(name), f"{row}: ", *problem)) from None
    board = board_of(scores)
    given = next(column for label, column in zip(header, columns) if role_of(label) == "system")
    board.index = board.index.map({text_of(label): label for label in given}).rename("system")
    return board


def seems_leaderboard(path: FilePath) -> bool:
    """Whether a path is one file that can be a leaderboard at the most: it has no topics."""
    (file, _), *others = expanded_paths(path)
    if others:
        return False
    content = Content.of(file)
    try:
        if pairs_of(content) is not None or named_columns(content) is not None:
            return True
    except FormatError:
        return True
    try:
        form = known_format(content)
        return form.name == "averages" or (form.grid is not None and not has_topics(form.grid(content)))
    except FormatError:
        return False


def text_of(value: Any) -> str:
    """A value of a table in memory as the text of a cell."""
    value = value.item() if hasattr(value, "item") else value
    if value is None or value != value:
        return ""
    return repr(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value).strip()


def board_of(scores: ScoreCollector) -> pandas.DataFrame:
    """The table of systems by measures, from scores of one topic, the average."""
    table = scores.table()
    averages = table.loc[ALL]
    if averages.index.nlevels == 1:
        (name,) = scores.wanted or scores.names()[0]
        board = averages.to_frame(name).rename_axis(columns="measure")
    else:
        systems = list(dict.fromkeys(averages.index.get_level_values("system")))
        measures = list(dict.fromkeys(averages.index.get_level_values("measure")))
        board = averages.unstack("measure").loc[systems, measures]
    # The columns name the measures.
    board.attrs = {key: value for key, value in table.attrs.items() if key != "measure"}
    return board


def add_averages(content: Content, scores: ScoreCollector) -> None:
    """Add the averages in a file of any format."""
    if (pairs := pairs_of(content)) is not None:
        add_pairs(content, pairs, scores)
    elif (grid := named_columns(content)) is not None:
        add_grid(content, grid, scores)
    elif (form := known_format(content)).name == "eval":
        add_sections(content, scores)
    elif form.name == "evals":
        cells = list(layout_of(read_quadruples(content, scores.wanted), None).cells)
        add_values(content, averages_of(content, cells, scores), scores)
    elif form.grid is not None:
        add_grid(content, form.grid(content), scores)
    else:
        raise content.error(f"expected a leaderboard, with a value for each system, found {form.about}")


def pairs_of(content: Content) -> list[tuple[int, str, str]] | None:
    """The line and two fields of each line, if the first has a name and a number; None otherwise."""
    if is_parquet(content) or not content.lines or begins_with(content, "{["):
        return None
    first = content.lines[0][1]
    delimited = any(separator in first for separator in "\t,")
    rows = split_rows(content) if delimited else ((line, split_line(text)) for line, text in content.lines)
    line, fields = next(iter(rows))
    if len(fields) != 2 or not fields[0] or not is_value(fields[1]):
        return None
    rest = list(rows)
    if role_of(fields[0]) and all(map(WHOLE_NUMBER.fullmatch, fields[1:])):
        return None  # the names of columns, one of them a topic
    for number, row in rest:
        if len(row) != 2:
            raise content.error(f"expected 2 fields (system score), found {len(row)}", line=number)
    pairs = [(line, fields[0], fields[1]), *((number, row[0], row[1]) for number, row in rest)]
    if WHOLE_NUMBER.fullmatch(fields[1]) and rest and not any(WHOLE_NUMBER.fullmatch(row[1]) for _, row in rest):
        raise content.error(f"{fields[0]}, {fields[1]} can be the names of columns, or a system and its score", NAMED)
    return pairs


def add_pairs(content: Content, pairs: list[tuple[int, str, str]], scores: ScoreCollector) -> None:
    """Add the scores of systems; or, if the names are measures, those of one system, which has the name of the file."""
    names = [name for _, name, _ in pairs]
    measures = [name for name in names if is_measure(name) or name in (scores.wanted or ())]
    content.refuse_cut(pairs[-1][2], (text for _, _, text in pairs[:-1]))
    if measures and len(measures) < len(names) and not scores.wanted:
        other = next(name for name in names if name not in measures)
        raise content.error(f"{measures[0]!r} can be a measure of one system, or a system like {other!r}", NAMED)
    if not measures and all(map(is_topic, names)):
        remedy = f"{BY_TOPIC} from a table, and a first line with the names system and score says the other"
        raise content.error(f"{names[0]!r} can be a topic of one system, or a system", remedy)
    if measures:
        add_values(content, [(line, name, ALL, content.stem, text) for line, name, text in pairs], scores)
    else:
        refuse_rank_column(content, [text for _, _, text in pairs])
        add_values(content, [(line, SCORE, ALL, name, text) for line, name, text in pairs], scores)


def refuse_rank_column(content: Content, values: list[str]) -> None:
    """Refuse the numbers from 1 on, each once, without the name of a column: the least of ranks is the best."""
    numbers = sorted(float(text) for text in values if NUMBER.fullmatch(text))
    if len(values) > 2 and numbers == list(range(1, len(values) + 1)):
        what = f"the numbers from 1 to {len(values)} can be ranks, 1 for the best, or scores, 1 for the worst"
        raise content.error(what, f"{NAMED} if they are scores", "give scores instead of ranks")


def named_columns(content: Content) -> Grid | None:
    """A table whose fields are separated by blanks, with the name of a column of systems first; None if it is none."""
    if is_parquet(content) or not content.lines:
        return None
    first = content.lines[0][1]
    header = split_line(first)
    if any(separator in first for separator in "\t,;{[") or fields_of_first(content):
        return None
    if role_of(header[0]) != "system" or is_value(header[-1]):
        return None
    rows = ((line, split_line(text)) for line, text in content.lines[1:])
    grid = checked_grid(content.path, header, rows, content.lines[0][0])
    refuse_cut(grid, content)
    return grid


def add_sections(content: Content, scores: ScoreCollector) -> None:
    """Add the averages of evaluation output, whose systems have their runid or the name of the file."""
    rows, _ = measured_rows(content, scores.wanted)
    content.refuse_cut(rows[-1][3], (row[3] for row in rows[:-1]))
    for section, part in sections_of_rows(rows):
        values_by_topic(content, section, part, scores)  # refused by the rules of `read_eval`
        system = section.runid or content.stem
        cells = [(line, measure, topic, system, value) for line, measure, topic, value in part]
        values: dict[str, dict[str, float]] = {}
        for line, measure, _, _, text in averages_of(content, cells, scores):
            if measure in values:
                raise content.error(f"{measure} of system {system!r} is repeated", line=line)
            values[measure] = {ALL: parse_real(content.path, line, f"value of {measure}", text)}
        scores.add_system(Evaluated(content.path, part[0][0], section.runid, values, {ALL: None}))


def averages_of(content: Content, cells: list[Cell], scores: ScoreCollector) -> list[Cell]:
    """The rows whose topic is "all", without counts and words; what is not the mean over other rows is noted."""
    averages = [cell for cell in cells if cell[2] == ALL and not is_no_score(cell[1])]
    if not averages:
        if not cells:
            raise content.error("the table has no values", line=1)
        raise content.error("there are values by topic, but none for the topic all", BY_TOPIC, line=cells[0][0])
    averaged = {(measure, system) for _, measure, _, system, _ in averages}
    for line, measure, topic, system, _ in cells:
        if is_average(topic) and topic != ALL:
            raise content.error(f"{topic!r} is not a topic, and averages have the topic all", line=line)
        if (measure, system) not in averaged and scores.wants(measure) and not is_no_score(measure):
            what = f"{measure or 'the measure'} of system {system!r} has values by topic, but none for the topic all"
            raise content.error(what, line=line)
    notes = unequal_averages([cell for cell in cells if scores.wants(cell[1])])
    scores.notes += [f"{content.name}: {note}" for note in notes]
    return averages


def is_no_score(measure: str) -> bool:
    """Whether a measure of trec_eval has words, or is the same number of topics for all systems."""
    return WORDS.fullmatch(measure) is not None or measure == "num_q"


def add_grid(content: Content, grid: Grid, scores: ScoreCollector) -> None:
    """Add the values in a table of systems by measures, or with one value in each row."""
    if len(grid.header) < 2:
        raise grid.error("there is only one column: expected systems and their values")
    grid = without_extras(grid)
    columns = columns_of(grid)
    if counts_topics(grid, columns):
        what = f"the column {grid.header[columns.topic or 0]!r} was taken for numbers of topics and left out"
        scores.notes.append(f"{content.name}: {what}")
        grid = grid.without([columns.topic or 0])
        columns = columns_of(grid)
    if columns.topic is not None:
        if columns.system is None and columns.measure is None:
            raise grid.error(f"the table has topics, in the column {grid.header[columns.topic]!r}: {BY_TOPIC}")
        layout = layout_of(grid, None)
        scores.notes += [f"{content.name}: {note}" for note in layout.notes]
        cells = [(line, measure or SCORE, topic, name, text) for line, measure, topic, name, text in layout.cells]
        add_values(content, averages_of(content, cells, scores), scores)
        return
    system = columns.system if columns.system is not None else text_column(grid)
    if not grid.rows:
        raise grid.error("the table has no values")
    for line, row in grid.rows:
        if is_measure(row[system]):
            raise grid.error(f"{row[system]!r} is a measure, but is in the place of a system", line=line)
    if columns.measure is not None:
        others = [k for k in columns.others if k != system]
        value = next((k for k in others if grid.header[k].lower() in VALUE_NAMES), None)
        add_values(content, long(grid, replace(columns, system=system, value=value, others=others)).cells, scores)
        return
    for k in measure_columns(content, grid, system, scores):
        add_values(content, ((line, grid.header[k], ALL, row[system], row[k]) for line, row in grid.rows), scores)


def counts_topics(grid: Grid, columns: Columns) -> bool:
    """Whether the column of topics has their numbers, in a table with one row for each system."""
    if columns.topic is None or columns.system is None or columns.measure is not None:
        return False
    counts = words_of(grid.header[columns.topic]) in COUNTS and grid.is_whole(columns.topic)
    return counts and first_repeated(grid.column(columns.system)) is None


def text_column(grid: Grid) -> int:
    """The column of systems, if no name says it: the only one with text."""
    texts = [k for k in range(len(grid.header)) if not grid.is_numeric(k)]
    how = "name the column of the systems system"
    if len(texts) != 1:
        names = " and ".join(repr(grid.header[k]) for k in texts[:2])
        raise grid.error(f"both {names} can be the systems" if texts else "no column has the systems", how)
    rows = grid.column(texts[0])
    if all(map(is_topic, rows)):
        raise grid.error(f"{rows[0]!r} in the rows can be a topic or a system", f"{how}; {BY_TOPIC}")
    return texts[0]


def measure_columns(content: Content, grid: Grid, system: int, scores: ScoreCollector) -> list[int]:
    """The columns of numbers beside that of the systems."""
    others = [k for k in range(len(grid.header)) if k != system]
    topics = [grid.header[k] for k in others if is_topic(grid.header[k])]
    if topics:
        raise grid.error(f"the column {topics[0]!r} can be a topic", f"{BY_TOPIC}, and measures have other names")
    numbers = [k for k in others if not has_ranks(grid.header[k]) and grid.has_numbers(k)]
    wanted = scores.wanted or ()
    kept = [k for k in numbers if grid.header[k] in wanted or not is_beside_scores(grid.header[k])]
    for k in kept:
        if ROW_NUMBERS.fullmatch(grid.header[k]):
            raise grid.error(f"column {k + 1} has no name", "expected the name of a measure")
    left = [grid.header[k] for k in others if k not in numbers]
    beside = [grid.header[k] for k in numbers if k not in kept]
    for name in wanted:
        if name in left:
            raise grid.error(f"the column {name!r} has ranks or text", "expected values that are larger if better")
    if not kept:
        but = f", but ranks or text: {listed(left)}" if left else ""
        if beside:
            but = f"; {listed(beside)} can be an error, a count or the like: choose it as a measure if it is none"
        raise grid.error(f"there is no column of values{but}")
    for names, what in (
        (left, "columns of ranks or text were left out"),
        (beside, "columns of errors, counts and the like were left out, unless chosen as measures"),
    ):
        if names:
            scores.notes.append(f"{content.name}: {what}: {listed(names)}")
    return kept


def add_values(content: Content, cells: Iterable[Cell], scores: ScoreCollector) -> None:
    """Add the values of systems."""
    for line, measure, _, system, text in cells:
        if not system:
            raise content.error("the system is missing", line=line)
        if is_average(system) and system != content.stem:
            raise content.error(f"{system!r} is not a system", "leave out averages", line=line)
        if not scores.wants(measure):
            scores.add(measure, ALL, system, 0.0)
            continue
        if text in MISSING_CELLS:
            raise content.error(f"system {system!r} has no value of {measure}", line=line)
        if not scores.add(measure, ALL, system, parse_real(content.path, line, f"value of {measure}", text)):
            raise content.error(f"{measure} of system {system!r} is repeated", line=line)
