"""The sources of a command: files of scores, runs that are scored by judgments (--qrels), and the sample data."""

from __future__ import annotations

import glob
import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import numpy as np

from .. import trec
from .._core.checks import NAN_REMEDY
from .._core.errors import Argument, InvalidValueError, IrcorError, Parts, Setting
from .._core.options import NAN_POLICY
from .._core.text import join_and, listed
from ..averages import standardize
from ..trec import (
    STANDARD_INPUT,
    expand_paths,
    is_table_of_items,
    judgments_of,
    measures_of,
    names_in,
    no_such_measure,
    score_by_each,
    stem,
)
from ._options import OUTPUTS, is_sample, takes_a_file

if TYPE_CHECKING:
    import pandas

MEASURE, QRELS, SE = Argument("measure"), Argument("qrels"), Argument("se")


def scored(
    runs: Sequence[str], qrels: Sequence[str], measures: Sequence[str], options: Namespace
) -> dict[tuple[str, str], pandas.DataFrame]:
    """The scores of runs by each of some judgments and each of some measures; each run is read once."""
    if options.systems is not None:
        raise InvalidValueError("systems", ("is for tables of scores, and ", QRELS, " for runs"))
    if not measures:
        raise InvalidValueError("qrels", "needs a measure", (Setting("measure", "nDCG@10"), ", for instance"))
    for name, values in (("qrels", qrels), ("measure", measures)):
        if len(set(values)) < len(values):
            raise InvalidValueError(name, f"has {listed(values)}", "the same twice")
    wanted = measures_of(list(measures))
    judgments = {path: judgments_of(path, path) for path in qrels}
    tables = score_by_each(list(runs), judgments, wanted, options.missing, None)
    by_both = {}
    for path, table in tables.items():
        for measure in measures:
            by_both[path, measure] = table[measure] if len(measures) > 1 else table
            by_both[path, measure].attrs = table.attrs
    return {both: standardized(table, options) for both, table in by_both.items()}


def standardized(scores: pandas.DataFrame, options: Namespace) -> pandas.DataFrame:
    """The scores, standardized as --standardize says: each measure by itself."""
    if options.standardize is None:
        return scores
    if scores.columns.nlevels == 1:
        return standardize(scores, options.standardize)
    result = scores.astype(np.float64)
    for measure in scores.columns.unique("measure"):
        table = standardize(scores[measure], options.standardize)
        result[measure] = table
        result.attrs = {**scores.attrs, "notes": table.attrs["notes"]}
    return result


def tables_of_runs(options: Namespace) -> dict[str, pandas.DataFrame]:
    """The scores for `ircor table`: a table for each measure, for each of several judgments, or for both."""
    tables = scored(options.files, options.qrels, options.measure, options)
    if len(tables) == 1:
        what = "there is only one ranking, and nothing to compare it with"
        raise InvalidValueError(None, what, ("give ", MEASURE, " or ", QRELS, " again"))
    # The name of a table has what not all of them share.
    by_measure, by_path = len(options.measure) > 1, len(options.qrels) > 1
    return {", ".join([measure] * by_measure + [path] * by_path): table for (path, measure), table in tables.items()}


def is_source(target: str, options: Namespace) -> bool:
    """Whether a file is read by the command: the same file, whatever its path, or one in a folder that is read."""
    if not os.path.isfile(target):
        return False
    there = os.stat(target)
    return any(os.path.samestat(there, other) for source in sources_of(options) for other in states_of(source))


def sources_of(options: Namespace) -> list[str]:
    """The sources that the command says itself, else the values of the arguments that name files or folders."""
    if options.inputs is not None:
        return list(options.inputs(options))
    sources: list[str] = []
    for action in options.parser._actions:
        if takes_a_file(action) and action.dest not in OUTPUTS:
            value = getattr(options, action.dest)
            sources += [] if value is None else value if isinstance(value, list) else [value]
    return sources


def states_of(source: str) -> Iterator[os.stat_result]:
    """The status of the files of a source, by which the same file is the same under any name."""
    if source == STANDARD_INPUT:
        # There is none in some programs.
        with suppress(OSError, ValueError, AttributeError):
            yield os.fstat(sys.stdin.fileno())
    for path in [] if is_sample(source) else [source, *(glob.glob(source) if glob.has_magic(source) else [])]:
        inside = [os.path.join(path, name) for name in os.listdir(path)] if os.path.isdir(path) else []
        for file in (path, *inside):
            with suppress(OSError):
                yield os.stat(file)


def short_name(source: str) -> str:
    """A file without folder and ending; the measure of the sample."""
    return source.partition(":")[2] if is_sample(source) else stem(source.rstrip("/"))


def load(source: str, measure: str | Sequence[str] | None, options: Namespace) -> pandas.DataFrame:
    """The scores of a source: topics by systems, with a level of measures above the systems if there are several."""
    if is_sample(source):
        return standardized(load_sample(source, [measure] if isinstance(measure, str) else measure), options)
    return read_scores(source, measure, options)


def read_scores(
    sources: str | Sequence[str], measure: str | Sequence[str] | None, options: Namespace
) -> pandas.DataFrame:
    """The scores in files; runs are refused."""
    with refusing_runs(sources):
        scores = trec.read_scores(sources, measure, missing=options.missing, systems=options.systems)
    return standardized(scores, options)


@contextmanager
def refusing_runs(sources: str | Sequence[str]) -> Iterator[None]:
    """If reading scores fails because the files are runs, say which option is missing."""
    try:
        yield
    except IrcorError:
        if not are_runs(sources):
            raise
        given = sources if isinstance(sources, str) else listed(sources, 2)
        what = f"{given}: runs have no scores without relevance judgments"
        raise InvalidValueError(None, what, ("give them with ", Setting("qrels", "FILE"))) from None


def are_runs(sources: str | Sequence[str]) -> bool:
    """Whether all files are runs."""
    try:
        return all(trec.sniff(path) == "run" for path in expand_paths(sources))
    except (IrcorError, OSError):
        return False


def load_sample(source: str, wanted: Sequence[str] | None) -> pandas.DataFrame:
    """The sample data: one measure if the source names it, else those wanted, else all."""
    from ..data import MEASURES, sample

    named = source.partition(":")[2]
    if named and wanted and list(wanted) != [named]:
        names = join_and(map(repr, wanted))
        raise InvalidValueError(None, (f"{source} names its measure already, and ", MEASURE, f" names {names}"))
    measures = [named] if named else list(wanted or MEASURES)
    for name in measures:
        if name not in MEASURES:
            raise no_such_measure(name, MEASURES, source)
    return sample(measures[0]) if len(measures) == 1 else sample()[measures]


def load_one(source: str, measure: str | None, options: Namespace) -> pandas.DataFrame:
    """The scores of a source that must have one measure."""
    return of_one_measure(load(source, measure, options), source)


def of_one_measure(scores: pandas.DataFrame, source: str) -> pandas.DataFrame:
    """The same table, unless it has several measures."""
    if scores.columns.nlevels > 1:
        names = scores.columns.get_level_values("measure").unique()
        choice = (f"{source} has several measures, choose one with ", MEASURE)
        raise InvalidValueError(None, choice, listed(names, 8))
    return scores


def only_value(options: Namespace, name: str) -> str | None:
    """The value of an option that may be given once."""
    values: list[str] = getattr(options, name)
    if len(values) > 1:
        raise InvalidValueError(name, "can be given only once here")
    return values[0] if values else None


def two_tables(
    options: Namespace, *, paired: bool
) -> tuple[tuple[str, str], tuple[pandas.DataFrame, pandas.DataFrame]]:
    """The names and the scores of the two sides of a comparison.

    If topics are `paired`, sides that have only some in common are refused, unless the others are to be dropped.
    """
    wanted, qrels = two_values(options, "measure"), two_values(options, "qrels")
    alone = options.b is None
    if alone and wanted[0] == wanted[1] and qrels[0] == qrels[1]:
        raise nothing_to_compare_with(options, wanted[0])
    sides = (options.a, options.a if alone else options.b)
    first, second = (
        two_of_runs(sides, wanted, qrels, options)
        if options.qrels
        else by_measure(load(options.a, [str(name) for name in wanted], options), options.a).values()
        if alone
        else (load_one(side, name, options) for side, name in zip(sides, wanted))
    )
    common = [topic for topic in first.index if topic in second.index]
    if 0 < len(common) < max(len(first), len(second)):
        first, second = on_common_topics(sides, (first, second), common, options.missing, paired)
    a, b = names_of_sides(sides, wanted, qrels)
    return ((a, b) if a != b else (f"{a} (a)", f"{b} (b)")), (first, second)


def compared_tables(options: Namespace) -> tuple[list[str], Sequence[pandas.DataFrame]]:
    """The names and the scores that `ircor compare` compares: two sides, or several measures of one source."""
    if options.b is not None or len(set(options.measure)) < 3:
        names, tables = two_tables(options, paired=True)
        return list(names), tables
    measures: list[str] = list(dict.fromkeys(options.measure))
    if not options.qrels:
        by_name = by_measure(load(options.a, measures, options), options.a)
        return measures, [by_name[name] for name in measures]
    only_value(options, "qrels")
    scores = scored([options.a], options.qrels, measures, options)
    return measures, [scores[options.qrels[0], name] for name in measures]


def nothing_to_compare_with(options: Namespace, chosen: str | None) -> InvalidValueError:
    """The error for one source and no two measures: which measures there are, and how to choose two."""
    what = "there is nothing to compare with"
    if options.qrels:
        return InvalidValueError(None, what, ("name a second source, or give ", MEASURE, " or ", QRELS, " twice"))
    measures = measures_in(options.a, options)
    if chosen is not None and chosen not in measures:
        load(options.a, chosen, options)  # which says what is wrong with it
    others = [name for name in measures if name != chosen]
    two = [*([] if chosen is None else [chosen]), *others][:2]
    if len(two) < 2:
        return InvalidValueError(None, what, "name a second source")
    example = Setting("measure", two[0]), " ", Setting("measure", two[1])
    there = f"; the measures in {options.a} are {listed(measures, 8)}"
    return InvalidValueError(
        None, what, ("choose two measures, such as ", *example, ", or name a second source", there)
    )


def measures_in(source: str, options: Namespace) -> list[str]:
    """The names of the measures in a source."""
    if is_sample(source):
        scores = load_sample(source, None)
        return [*scores.columns.get_level_values(0).unique()] if scores.columns.nlevels > 1 else [short_name(source)]
    with refusing_runs(source):
        return names_in(source, options.systems)[0]


def two_values(options: Namespace, name: str) -> tuple[str | None, str | None]:
    """The values of an option for the first and for the second side: one for both, or two."""
    values: list[str] = getattr(options, name)
    if len(values) > 2:
        raise InvalidValueError(name, "can be given twice at the most, for the first and for the second source")
    return (values[0], values[-1]) if values else (None, None)


def names_of_sides(*parts: tuple[str | None, str | None]) -> tuple[str, str]:
    """The names of the two sides: by their measures or judgments where these differ, else by their sources."""
    sides, *others = parts
    told = [part for part in others if part[0] != part[1]] or [sides]
    a, b = (", ".join(str(part[k] or sides[k]) for part in told) for k in (0, 1))
    return a, b


def two_of_runs(
    sides: tuple[str, str],
    wanted: tuple[str | None, str | None],
    qrels: tuple[str | None, str | None],
    options: Namespace,
) -> list[pandas.DataFrame]:
    """The scores of the runs of each side; the same runs are read once."""
    if any(map(is_sample, sides)):
        what = ("the sample data are scores, and ", QRELS, " is for runs")
        raise InvalidValueError(None, what, "`ircor sample FOLDER` writes its runs")
    selection = [str(path) for path in dict.fromkeys(qrels)], [name for name in dict.fromkeys(wanted) if name]
    tables = {side: scored([side], *selection, options) for side in dict.fromkeys(sides)}
    return [tables[side][str(path), str(name)] for side, path, name in zip(sides, qrels, wanted)]


def on_common_topics(
    sides: tuple[str, str], tables: Sequence[pandas.DataFrame], common: list[str], missing: str, paired: bool
) -> Sequence[pandas.DataFrame]:
    """The two tables without the topics that one of them does not have, if missing topics are to be dropped."""
    alone = [[topic for topic in table.index if topic not in common] for table in tables]
    sentences = [
        f"only {side} has the {'topic' if len(topics) == 1 else 'topics'} {listed(topics, 5)}"
        for side, topics in zip(sides, alone)
    ]
    if missing != "drop" and paired:
        both = "; ".join(text for text, topics in zip(sentences, alone) if topics)
        drop = Setting("missing", "drop")
        raise InvalidValueError(None, (f"{both}; ", drop, " drops what one of them does not have"))
    kept = []
    for table, topics, text in zip(tables, alone, sentences):
        kept.append(table.loc[common] if missing == "drop" else table.copy())
        notes = [text + (": dropped" if missing == "drop" else "")] if topics else []
        kept[-1].attrs = {**table.attrs, "notes": [*table.attrs.get("notes", ()), *notes]}
    return kept


def joined_scores(options: Namespace) -> pandas.DataFrame:
    """The scores of all systems in several sources, for one measure."""
    measure = only_value(options, "measure")
    if options.qrels:
        only_value(options, "qrels")
        (table,) = scored(options.files, options.qrels, options.measure, options).values()
        return table
    if len(options.files) == 1:
        return load_one(options.files[0], measure, options)
    if any(map(is_sample, options.files)):
        raise InvalidValueError(None, "the sample data cannot be joined with other files")
    return of_one_measure(read_scores(options.files, measure, options), "the files together")


@contextmanager
def refusing_leaderboards(options: Namespace) -> Iterator[None]:
    """If reading scores by topic fails because the file is a leaderboard, say which option is missing."""
    try:
        yield
    except IrcorError:
        try:
            trec.read_leaderboard(options.files)
        except (IrcorError, OSError):
            pass
        else:
            what = f"{listed(options.files, 2)} can be a leaderboard, which has no topics"
            raise InvalidValueError(None, what, ("name its column of standard errors with ", SE)) from None
        raise


def means_with_errors(options: Namespace) -> tuple[pandas.Series, pandas.Series]:
    """The means of the systems of a leaderboard, and the column of their standard errors."""
    measure = only_value(options, "measure")
    if options.qrels or any(map(is_sample, options.files)):
        raise InvalidValueError("se", "is for a leaderboard, which has means and no scores by topic")
    if measure is None:
        names = [name for name in trec.read_leaderboard(options.files).columns if name != options.se]
        if len(names) != 1:
            choice = ("the leaderboard has several measures, choose one with ", MEASURE)
            raise InvalidValueError(None, choice, listed(names, 8))
        (measure,) = names
    board = trec.read_leaderboard(options.files, [measure, options.se])
    return board[measure], board[options.se]


def tables_by_measure(options: Namespace) -> dict[str, pandas.DataFrame] | pandas.DataFrame:
    """The scores of each measure in one source, or of each of several sources; or a table of items by columns."""
    if len(set(options.files)) < len(options.files):
        raise InvalidValueError(None, "a file is named twice")
    if options.qrels:
        return tables_of_runs(options)
    wanted = options.measure or None
    if len(options.files) > 1:
        if each_has_one_system(options):
            return by_measure(read_scores(options.files, wanted, options), "the files")
        return one_measure_of_each(options)
    (source,) = options.files
    if not is_sample(source) and options.systems is None and is_table_of_items(source):
        if options.standardize is not None:
            raise InvalidValueError("standardize", f"is for scores by topic, and {source} has none")
        return item_columns(source, options)
    return by_measure(load(source, wanted, options), source)


def by_measure(table: pandas.DataFrame, source: str) -> dict[str, pandas.DataFrame]:
    """The scores of each measure, if there are several."""
    if table.columns.nlevels == 1:
        raise InvalidValueError(
            None, f"{source} has one measure only, and nothing to compare it with", "name several files"
        )
    tables = {name: table[name] for name in dict.fromkeys(table.columns.get_level_values("measure"))}
    for scores in tables.values():
        scores.attrs = table.attrs
    return tables


def each_has_one_system(options: Namespace) -> bool:
    """Whether each source is a file of one system, so that all of them together are one collection."""
    if any(is_sample(source) or os.path.isdir(source) for source in options.files):
        return False
    with refusing_runs(options.files):
        return all(len(names_in(path, options.systems)[1]) == 1 for path in expand_paths(options.files))


def one_measure_of_each(options: Namespace) -> dict[str, pandas.DataFrame]:
    measure = only_value(options, "measure")
    short = Counter(map(short_name, options.files))
    return {
        short_name(source) if short[short_name(source)] == 1 else source: load_one(source, measure, options)
        for source in options.files
    }


def item_columns(source: str, options: Namespace) -> pandas.DataFrame:
    """The columns of a table of items; gaps are refused unless the options say what they do."""
    wanted = options.measure
    frame = trec.read_columns(source)
    for name in wanted:
        if name not in frame.columns:
            raise no_such_measure(name, frame.columns, source)
    columns = frame[wanted or list(frame.columns)]
    return complete(columns, source, NAN_REMEDY) if options.nan_policy == NAN_POLICY.default else columns


def complete(frame: pandas.DataFrame, source: str, remedy: Parts = ()) -> pandas.DataFrame:
    """The table, if no value is missing."""
    gaps = frame.isna()
    for column in gaps.columns[gaps.any()]:
        raise InvalidValueError(
            None, f"{source}: column {column!r} has no value for {gaps.index[gaps[column]][0]}", remedy
        )
    return frame
