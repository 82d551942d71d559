"""What a source on the command line is, and its scores: topics by systems, for one measure or several."""

from __future__ import annotations

import glob
import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from .. import trec
from .._text import listed
from ..trec._collector import one_measure
from ..trec._content import Content
from ..trec._formats import known_format
from ..trec._layout import has_topics
from ..trec._names import no_such_measure
from ..trec._paths import STANDARD_INPUT, expand_paths, expanded_paths, stem
from ..trec._scores import systems_in
from ._completion import takes_a_file
from ._scored import scored, tables_of_runs

if TYPE_CHECKING:
    import pandas

SOURCE = (
    "trec_eval -q or ir_measures -q output (a file, a folder, or a quoted pattern); a table of topics by systems, or "
    "in long form (system, topic, measure, value), as CSV, TSV, JSON lines or Parquet; - for standard input; or "
    "sample:MEASURE for the sample data; with --qrels, runs (a file, a folder, or a quoted pattern)"
)


OUTPUTS = ("json", "csv", "markdown", "plot", "html")
"""The options that name files to write."""

TWICE = "; given twice, for the first and for the second"
"""Of --qrels, in commands that compare two sides."""


def is_source(target: str, options: Namespace) -> bool:
    """Whether a file is read by the command: the same file, whatever its path, or one in a folder that is read."""
    if not os.path.isfile(target):
        return False
    there = os.stat(target)
    return any(os.path.samestat(there, other) for source in sources_of(options) for other in states_of(source))


def sources_of(options: Namespace) -> list[str]:
    """What the command reads: what it says itself, else the values of the arguments that name files or folders."""
    if options.inputs is not None:
        return list(options.inputs(options))
    found: list[str] = []
    for action in options.parser._actions:
        if takes_a_file(action) and action.dest not in OUTPUTS:
            value = getattr(options, action.dest)
            found += [] if value is None else value if isinstance(value, list) else [value]
    return found


def states_of(source: str) -> Iterator[os.stat_result]:
    """What the system knows of the files of a source, by which the same file is the same under any name."""
    if source == STANDARD_INPUT:
        # There is none in some programs.
        with suppress(OSError, ValueError, AttributeError):
            yield os.fstat(sys.stdin.fileno())
    for path in [] if is_sample(source) else [source, *(glob.glob(source) if glob.has_magic(source) else [])]:
        inside = [os.path.join(path, name) for name in os.listdir(path)] if os.path.isdir(path) else []
        for file in (path, *inside):
            with suppress(OSError):
                yield os.stat(file)


def is_sample(source: str) -> bool:
    return source == "sample" or source.startswith("sample:")


def short_name(source: str) -> str:
    """A file without folder and ending; the measure of the sample."""
    return source.partition(":")[2] if is_sample(source) else stem(source.rstrip("/"))


def load(source: str, measure: str | Sequence[str] | None, options: Namespace) -> pandas.DataFrame:
    """The scores of a source: topics by systems, with a level of measures above the systems if there are several."""
    if is_sample(source):
        return load_sample(source, [measure] if isinstance(measure, str) else measure)
    return trec.read_scores(source, measure, missing=options.missing, systems=options.systems)


def load_sample(source: str, wanted: Sequence[str] | None) -> pandas.DataFrame:
    """The sample data: one measure if the source names it, else those wanted, else all."""
    from .._sample import MEASURES, sample

    named = source.partition(":")[2]
    if named and wanted and list(wanted) != [named]:
        raise ValueError(f"{source} names its measure already, and --measure names {wanted[0]!r}")
    measures = [named] if named else list(wanted or MEASURES)
    for name in measures:
        if name not in MEASURES:
            raise no_such_measure(name, MEASURES, source)
    return sample(measures[0]) if len(measures) == 1 else sample()[measures]


def load_one(source: str, measure: str | None, options: Namespace) -> pandas.DataFrame:
    """The scores of a source that must have one measure."""
    return one_measure(load(source, measure, options), source, "--measure")


def one_name(values: Sequence[str], option: str = "--measure") -> str | None:
    """The value of an option that may be given once."""
    if len(values) > 1:
        raise ValueError(f"{option} can be given only once here")
    return values[0] if values else None


def two_tables(
    options: Namespace, *, paired: bool
) -> tuple[tuple[str, str], tuple[pandas.DataFrame, pandas.DataFrame]]:
    """The names and the scores of the two sides of a comparison.

    If topics are `paired`, sides that have only some in common are refused, unless the others are to be dropped.
    """
    wanted, qrels = two_of(options.measure, "--measure"), two_of(options.qrels, "--qrels")
    alone = options.b is None
    if alone and not (options.qrels and (wanted[0] != wanted[1] or qrels[0] != qrels[1])):
        raise ValueError(
            "there is nothing to compare with: name a second source or, for runs, give --measure or --qrels twice"
        )
    sides = (options.a, options.a if alone else options.b)
    first, second = (
        two_of_runs(sides, wanted, qrels, options)
        if options.qrels
        else (load_one(side, name, options) for side, name in zip(sides, wanted))
    )
    common = [topic for topic in first.index if topic in second.index]
    if 0 < len(common) < max(len(first), len(second)):
        first, second = on_common_topics(sides, (first, second), common, options.missing, paired)
    a, b = names_of_sides(sides, wanted, qrels)
    return ((a, b) if a != b else (f"{a} (a)", f"{b} (b)")), (first, second)


def two_of(values: Sequence[str], option: str) -> tuple[str | None, str | None]:
    """The values of an option for the first and for the second side: one for both, or two."""
    if len(values) > 2:
        raise ValueError(f"{option} can be given twice at the most, for the first and for the second source")
    return (values[0], values[-1]) if values else (None, None)


def names_of_sides(*parts: tuple[str | None, str | None]) -> tuple[str, str]:
    """What the two sides are called: by their measures or judgments where these differ, else by their sources."""
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
        raise ValueError("the sample data are scores, and --qrels is for runs: `ircor sample FOLDER` writes its runs")
    chosen = [str(path) for path in dict.fromkeys(qrels)], [name for name in dict.fromkeys(wanted) if name]
    tables = {side: scored([side], *chosen, options) for side in dict.fromkeys(sides)}
    return [tables[side][str(path), str(name)] for side, path, name in zip(sides, qrels, wanted)]


def on_common_topics(
    sides: tuple[str, str], tables: Sequence[pandas.DataFrame], common: list[str], missing: str, paired: bool
) -> Sequence[pandas.DataFrame]:
    """The two tables without the topics that one of them does not have, if missing topics are to be dropped."""
    alone = [[topic for topic in table.index if topic not in common] for table in tables]
    said = [
        f"only {side} has the {'topic' if len(topics) == 1 else 'topics'} {listed(topics, 5)}"
        for side, topics in zip(sides, alone)
    ]
    if missing != "drop" and paired:
        both = "; ".join(text for text, topics in zip(said, alone) if topics)
        raise ValueError(f"{both}; --missing drop drops what one of them does not have")
    kept = []
    for table, topics, text in zip(tables, alone, said):
        kept.append(table.loc[common] if missing == "drop" else table.copy())
        notes = [text + (": dropped" if missing == "drop" else "")] if topics else []
        kept[-1].attrs = {**table.attrs, "notes": [*table.attrs.get("notes", ()), *notes]}
    return kept


def joined(options: Namespace) -> pandas.DataFrame:
    """The scores of all systems in several sources, for one measure."""
    measure = one_name(options.measure)
    if options.qrels:
        ((_, table),) = scored(
            options.files, [one_name(options.qrels, "--qrels") or ""], options.measure, options
        ).items()
        return table
    if len(options.files) == 1:
        return load_one(options.files[0], measure, options)
    if any(map(is_sample, options.files)):
        raise ValueError("the sample data cannot be joined with other files")
    scores = trec.read_scores(options.files, measure, missing=options.missing, systems=options.systems)
    return one_measure(scores, "the files together", "--measure")


def tables_by_measure(options: Namespace) -> dict[str, pandas.DataFrame] | pandas.DataFrame:
    """The scores of each measure in one source, or of each of several sources; or a table of items by columns."""
    if len(set(options.files)) < len(options.files):
        raise ValueError("a file is named twice")
    if options.qrels:
        return tables_of_runs(options)
    wanted = options.measure or None
    if len(options.files) > 1:
        if each_has_one_system(options):
            return by_measure(
                trec.read_scores(options.files, wanted, missing=options.missing, systems=options.systems), "the files"
            )
        return one_measure_of_each(options)
    (source,) = options.files
    if not is_sample(source) and options.systems is None and is_table_of_items(source):
        return item_columns(source, options.measure)
    return by_measure(load(source, wanted, options), source)


def by_measure(table: pandas.DataFrame, source: str) -> dict[str, pandas.DataFrame]:
    """The scores of each measure, if there are several."""
    if table.columns.nlevels == 1:
        raise ValueError(f"{source} has one measure only, and nothing to compare it with: name several files")
    tables = {name: table[name] for name in dict.fromkeys(table.columns.get_level_values("measure"))}
    for scores in tables.values():
        scores.attrs = table.attrs
    return tables


def each_has_one_system(options: Namespace) -> bool:
    """Whether each source is a file of one system, so that all of them together are one collection."""
    if any(is_sample(source) or os.path.isdir(source) for source in options.files):
        return False
    return all(len(systems_in(path, options.systems)) == 1 for path in expand_paths(options.files))


def one_measure_of_each(options: Namespace) -> dict[str, pandas.DataFrame]:
    measure = one_name(options.measure)
    short = Counter(map(short_name, options.files))
    return {
        short_name(source) if short[short_name(source)] == 1 else source: load_one(source, measure, options)
        for source in options.files
    }


def is_table_of_items(source: str) -> bool:
    """Whether a source is one file with a table of items by columns, without topics."""
    ((path, in_folder), *others) = expanded_paths(source)
    if in_folder or others:
        return False
    content = Content.of(path)
    form = known_format(content)
    return form.grid is not None and form.add is None and not has_topics(form.grid(content))


def item_columns(source: str, wanted: list[str]) -> pandas.DataFrame:
    """The columns of a table of items, without gaps."""
    frame = trec.read_columns(source)
    for name in wanted:
        if name not in frame.columns:
            raise no_such_measure(name, frame.columns, source)
    return complete(frame[wanted or list(frame.columns)], source)


def complete(frame: pandas.DataFrame, source: str) -> pandas.DataFrame:
    """The table, if no value is missing."""
    gaps = frame.isna()
    for column in gaps.columns[gaps.any()]:
        raise ValueError(f"{source}: column {column!r} has no value for {gaps.index[gaps[column]][0]}")
    return frame
