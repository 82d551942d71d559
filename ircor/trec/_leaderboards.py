"""Leaderboards: one value of a measure for each system, without topics."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.content import (
    NUMBER,
    WHOLE_NUMBER,
    Content,
    FormatError,
    Held,
    expanded_paths,
    first_repeated,
    not_a_number,
    split_line,
)
from .._core.files import FilePath
from .._core.names import ALL, ROW_NUMBERS, is_average, is_topic, role_of
from .._core.text import listed
from ..scoring import (
    COUNTS,
    Cells,
    Evaluated,
    Mask,
    Measure,
    Names,
    Part,
    Problem,
    ScoreCollector,
    constant,
    has_ranks,
    is_beside_scores,
    is_measure,
    repetitions,
    text_of,
    words_of,
)
from ._delimited import split_rows
from ._eval_output import Output, has_words
from ._formats import (
    OBJECTS,
    begins_with,
    fields_of_first,
    format_of,
    is_parquet,
    is_value,
    known_format,
    nested_json,
)
from ._frames import is_frame, pandas_frame
from ._grid import Grid, checked_grid, refuse_cut, text_of_value
from ._layout import VALUE_NAMES, Columns, columns_of, has_topics, layout_of, long, unequal_averages, without_extras
from ._memory import SCORE, ScoresSource, nested_of
from ._nested import NO_MEASURES, TABLE, depth, nested_table, read_json, roles_of_levels
from ._readers import collected

if TYPE_CHECKING:
    import pandas

BY_TOPIC = "read_scores reads scores by topic"


REPEATED = "{measure} of system {system!r} is repeated"
NO_NUMBER = not_a_number("value of {measure}", "{text!r}")


def named(content: Content) -> str:
    """How to say that names are those of systems."""
    in_file = "write a first line with the names system and score"
    return in_file if content.held is None else "give {system: {measure: score}}"


def read_leaderboard(source: ScoresSource, measure: Measure = None) -> pandas.DataFrame:
    """Read leaderboards: one value for each system, such as its mean over topics.  Larger values are better.

    Parameters
    ----------
    source : path, data frame, mapping, object of ranx, or a list of these
        Files as for `read_scores`.  A file can be

        - a table with a column of systems and a column of numbers for each measure.  If no column has a name such as
          system or run, the only column of text has the systems.  Other columns of text and columns of ranks are left
          out, and so are columns of errors, limits, counts and the like, such as stderr, "95% CI", p and num_ret,
          unless `measure` names them;
        - a table with the columns system, measure and value;
        - a system and its score in each line, separated by blanks, a tab or a comma, without names of columns.  Scores
          that are the numbers from 1 on, each once, can be ranks, and are refused;
        - a table or evaluation output with values for the topic "all", as trec_eval and ir_measures write them with
          ``-q`` or without.  Values by topic may be there too;
        - JSON with values by system, or by system and measure.

        In memory, it can be a data frame, {system: mean}, {system: {measure: mean}}, a Report of ranx or what its
        ``to_dict`` returns, or Runs of ranx that were evaluated.
    measure : str or list of str, optional
        As for `read_scores`.

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
    >>> read_leaderboard({"bm25": {"AP": 0.25, "P@10": 0.5}, "dense": {"AP": 0.5, "P@10": 0.75}})["AP"].to_dict()
    {'bm25': 0.25, 'dense': 0.5}
    """
    return leaderboard_of(source, "source", measure)


def leaderboard_of(source: Any, name: str, measure: Measure = None) -> pandas.DataFrame:
    """Read a leaderboard as `read_leaderboard` does; `name` is the argument in messages.

    The systems of a data frame are as in its column, or its index, of systems, rather than text.
    """
    labels: dict[str, Any] = {}

    def add(content: Content, scores: ScoreCollector) -> None:
        add_averages(content, scores)
        if content.held is not None and is_frame(content.held):
            labels.update(labels_of_systems(content))

    board = board_of(collected(source, name, measure, "error", add))
    if labels:
        board.index = board.index.map(lambda system: labels.get(system, system)).rename("system")
    return board


def labels_of_systems(content: Content) -> dict[str, Any]:
    """The systems in a data frame by their names as text."""
    frame = content.held if hasattr(content.held, "get_columns") else pandas_frame(content)
    levels = enumerate(getattr(getattr(frame, "index", None), "names", ()))
    columns = [frame[label] for label in frame.columns if role_of(label) == "system"]
    columns += [frame.index.get_level_values(k) for k, label in levels if role_of(label) == "system"]
    return {text_of(one): one for column in columns for one in column.to_list()}


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
    """Add the averages in a file of any format, or in memory."""
    objects = objects_of(content)
    if objects is not None:
        add_objects(content, *objects, scores)
    elif (pairs := pairs_of(content)) is not None:
        add_pairs(content, pairs, scores)
    elif (grid := named_columns(content)) is not None:
        add_grid(content, grid, scores)
    elif (form := known_format(content)).output:
        add_sections(content, scores)
    elif form.long is not None:
        add_cells(content, layout_of(form.long(content, scores.wanted), None), scores)
    elif form.grid is not None:
        add_grid(content, form.grid(content), scores)
    else:
        raise content.error(f"expected a leaderboard, with a value for each system, found {form.about}")


def objects_of(content: Content) -> tuple[dict[str, Any], list[str] | None] | None:
    """The values of objects in objects, of JSON or in memory, and what their keys are; None if it is something else."""
    form = format_of(content)
    if form is OBJECTS:
        return nested_of(content, means=True)
    return (read_json(content), None) if form is not None and form.long is nested_json else None


def add_objects(content: Content, values: dict[str, Any], roles: list[str] | None, scores: ScoreCollector) -> None:
    """Add the averages in nested mappings: by system; by system and measure; or for the topic "all"."""
    levels = depth(values)
    if levels == 1:
        rows = enumerate(values.items(), 1)
        add_pairs(content, [(k, name, text_of_value(content.path, k, name, one)) for k, (name, one) in rows], scores)
        return
    if levels == 2:
        names = [set(values), {name for inner in values.values() for name in inner}]
        roles = roles or roles_of_means(content, names, scores.wanted)
        if roles == ["measure", "system"]:
            systems = dict.fromkeys(name for inner in values.values() for name in inner)
            values = {name: {one: inner[name] for one, inner in values.items() if name in inner} for name in systems}
        if set(roles) == {"measure", "system"}:
            if isinstance(content.path, Held):
                content = replace(content, path=replace(content.path, keys=[(name,) for name in values]))
            add_grid(content, board_grid(content, values), scores)
            return
    add_cells(content, layout_of(nested_table(content, values, scores.wanted, roles), None), scores)


def roles_of_means(content: Content, names: list[set[str]], wanted: Collection[str] | None) -> list[str]:
    """What the keys of two levels are: measures, and systems or topics."""
    measures = [level for level in (0, 1) if any(is_measure(name) or name in (wanted or ()) for name in names[level])]
    if len(measures) != 1:
        raise content.error(NO_MEASURES, TABLE, line=content.top)
    others = names[1 - measures[0]]
    if not any(is_topic(name) or name == ALL for name in others):
        return ["measure", "system"] if measures == [0] else ["system", "measure"]
    if ALL not in others:
        raise content.error(f"{min(filter(is_topic, others))!r} can be a topic or a system", BY_TOPIC, line=content.top)
    return roles_of_levels(content, names, wanted)


def board_grid(content: Content, values: dict[str, dict[str, Any]]) -> Grid:
    """Values by system and measure as a table with a row for each system."""
    measures = list(dict.fromkeys(name for inner in values.values() for name in inner))
    lines = range(1, len(values) + 1) if content.held is not None else [1] * len(values)
    cells = [
        [text_of_value(content.path, line, name, inner.get(name)) for line, inner in zip(lines, values.values())]
        for name in measures
    ]
    return Grid(content.path, ["system", *measures], [list(values), *cells], lines, content.top)


def pairs_of(content: Content) -> list[tuple[int, str, str]] | None:
    """The line and two fields of each line, if the first has a name and a number; None otherwise."""
    if content.held is not None or is_parquet(content) or not content.lines or begins_with(content, "{["):
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
        what = f"{fields[0]}, {fields[1]} can be the names of columns, or a system and its score"
        raise content.error(what, named(content))
    return pairs


def add_pairs(content: Content, pairs: list[tuple[int, str, str]], scores: ScoreCollector) -> None:
    """Add the scores of systems; or, if the names are measures, those of one system, which has the name of the file."""
    names = [name for _, name, _ in pairs]
    measures = [name for name in names if is_measure(name) or name in (scores.wanted or ())]
    content.refuse_cut(pairs[-1][2], (text for _, _, text in pairs[:-1]))
    if measures and len(measures) < len(names) and not scores.wanted:
        other = next(name for name in names if name not in measures)
        what = f"{measures[0]!r} can be a measure of one system, or a system like {other!r}"
        raise content.error(what, named(content))
    if not measures and all(map(is_topic, names)):
        remedy = f"{BY_TOPIC}; {named(content)} if they are systems"
        raise content.error(f"{names[0]!r} can be a topic of one system, or a system", remedy)
    lines, _, texts = map(list, zip(*pairs))
    own, (average, system, measure) = Names.of(names), (constant(one, len(pairs)) for one in (ALL, content.stem, SCORE))
    if not measures:
        refuse_rank_column(content, texts)
    of_measure, of_system = (own, system) if measures else (measure, own)
    add_values(content, Cells(content.path, lines, of_measure, average, of_system, texts), scores)


def refuse_rank_column(content: Content, values: list[str]) -> None:
    """Refuse the numbers from 1 on, each once, without the name of a column: the least of ranks is the best."""
    numbers = sorted(float(text) for text in values if NUMBER.fullmatch(text))
    if len(values) > 2 and numbers == list(range(1, len(values) + 1)):
        what = f"the numbers from 1 to {len(values)} can be ranks, 1 for the best, or scores, 1 for the worst"
        raise content.error(what, f"{named(content)} if they are scores", "give scores instead of ranks")


def named_columns(content: Content) -> Grid | None:
    """A table whose fields are separated by blanks, with the name of a column of systems first; None if it is none."""
    if content.held is not None or is_parquet(content) or not content.lines:
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
    output = Output.of(content, scores)
    *others, last = output.rows
    content.refuse_cut(last[3], (row[3] for row in others))
    for section in output.sections:
        output.check(section)
        lines, measures, topics, texts = map(list, zip(*output.rows[section.begin : section.end]))
        if any(topic != ALL for topic in topics):
            output.check_runid(section)
        system = section.runid or content.stem
        own = constant(system, len(lines))
        cells = Cells(content.path, lines, Names.of(measures), Names.of(topics), own, texts)
        kept = averages_in(content, cells, scores)
        cells.refuse(Problem(repetitions(cells, kept), REPEATED), Problem(kept & ~np.isfinite(cells.values), NO_NUMBER))
        part = replace(Part.of(cells, kept, cells.measures.among(kept).names), systems=[""], present=None)
        scores.add_system(Evaluated(content.path, lines[0], section.runid, part))


def averages_in(content: Content, cells: Cells, scores: ScoreCollector) -> Mask:
    """The cells whose topic is "all", without counts and words; what is not the mean over other cells is noted."""
    if not len(cells):
        raise content.error("the table has no values", line=content.top)
    no_scores = cells.measures.are(set(filter(is_no_score, cells.measures.names)))
    kept = cells.topics.are({ALL}) & ~no_scores
    if not kept.any():
        cells.refuse(Problem(~kept, "there are values by topic, but none for the topic all", BY_TOPIC))
    pairs = cells.measures.codes.astype(np.int64) * len(cells.systems.names) + cells.systems.codes
    wanted = cells.measures.are(set(filter(scores.wants, cells.measures.names)))

    summaries = {name for name in cells.topics.names if is_average(name) and name != ALL}
    alone = ~np.isin(pairs, pairs[kept]) & wanted & ~no_scores
    own = "{measure}" if cells.measures.names != [""] else "the measure"
    cells.refuse(
        Problem(cells.topics.are(summaries), "{topic!r} is not a topic, and averages have the topic all"),
        Problem(alone, own + " of system {system!r} has values by topic, but none for the topic all"),
    )
    scores.notes += [f"{content.name}: {note}" for note in unequal_averages(cells, scores.wants)]
    return kept


def is_no_score(measure: str) -> bool:
    """Whether a measure of trec_eval has words, or is the same number of topics for all systems."""
    return has_words(measure) or measure == "num_q"


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
        cells = layout_of(grid, None)
        scores.notes += [f"{content.name}: {note}" for note in cells.notes]
        add_cells(content, cells, scores)
        return
    system = columns.system if columns.system is not None else text_column(grid)
    if not len(grid.lines):
        raise grid.error("the table has no values")
    systems = Names.of(grid.texts(system))
    blank = constant(ALL, len(grid.lines))
    for row in np.flatnonzero(systems.are(set(filter(is_measure, systems.names))))[:1]:
        raise grid.error(f"{systems.at(row)!r} is a measure, but is in the place of a system", line=grid.lines[row])
    if columns.measure is not None:
        others = [k for k in columns.others if k != system]
        value = next((k for k in others if grid.header[k].lower() in VALUE_NAMES), None)
        add_values(content, long(grid, replace(columns, system=system, value=value, others=others)), scores)
        return
    for k in measure_columns(content, grid, system, scores):
        of_measure = constant(grid.header[k], len(grid.lines))
        add_values(content, Cells(grid.path, grid.lines, of_measure, blank, systems, grid.columns[k]), scores)


def add_cells(content: Content, cells: Cells, scores: ScoreCollector) -> None:
    """Add the averages among cells by topic."""
    measures = Names([name or SCORE for name in cells.measures.names], cells.measures.codes)
    cells = replace(cells, measures=measures)
    add_values(content, cells, scores, averages_in(content, cells, scores))


def counts_topics(grid: Grid, columns: Columns) -> bool:
    """Whether the column of topics has their numbers, in a table with one row for each system."""
    if columns.topic is None or columns.system is None or columns.measure is not None:
        return False
    counts = words_of(grid.header[columns.topic]) in COUNTS and grid.is_whole(columns.topic)
    return counts and first_repeated(grid.texts(columns.system)) is None


def text_column(grid: Grid) -> int:
    """The column of systems, if no name says it: the only one with text."""
    texts = [k for k in range(len(grid.header)) if not grid.is_numeric(k)]
    how = "name the column of the systems system"
    if len(texts) != 1:
        names = " and ".join(repr(grid.header[k]) for k in texts[:2])
        raise grid.error(f"both {names} can be the systems" if texts else "no column has the systems", how)
    rows = grid.texts(texts[0])
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


def add_values(content: Content, cells: Cells, scores: ScoreCollector, kept: Mask | None = None) -> None:
    """Add the values of systems: all cells, or those that are kept."""
    kept = np.ones(len(cells), dtype=np.bool_) if kept is None else kept
    for system in cells.systems.among(kept).names:
        scores.name_unnamed(content, system)
    wanted = cells.measures.are(set(filter(scores.wants, cells.measures.names)))
    summaries = {name for name in cells.systems.names if is_average(name) and name != content.stem}
    scores.add(
        cells,
        kept,
        Problem(cells.systems.are({""}), "the system is missing"),
        Problem(cells.systems.are(summaries), "{system!r} is not a system", "leave out averages"),
        Problem(wanted & np.isnan(cells.values), "system {system!r} has no value of {measure}"),
        Problem(wanted & np.isinf(cells.values), NO_NUMBER),
        repeated=REPEATED,
    )
