"""What a source on the command line is, and its scores: topics by systems, for one measure or several."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import trec
from .._text import listed
from ..trec._collector import Missing, one_measure
from ..trec._delimited import header_and_rows
from ..trec._paths import stem
from ..trec._tables import is_long

if TYPE_CHECKING:
    import pandas

SOURCE = (
    "trec_eval -q output (a file, a folder, or a quoted pattern), a CSV or TSV table of topics by systems or in long "
    "form (system, topic, measure, value), or sample:MEASURE for the sample data"
)


def is_sample(source: str) -> bool:
    return source == "sample" or source.startswith("sample:")


def is_csv(source: str) -> bool:
    return source.removesuffix(".gz").endswith((".csv", ".tsv"))


def short_name(source: str) -> str:
    """A file without folder and ending; the measure of the sample."""
    return source.partition(":")[2] if is_sample(source) else stem(source.rstrip("/"))


def load(source: str, measure: str | None, missing: Missing = "error") -> pandas.DataFrame:
    """The scores of a source: topics by systems, with a level of measures above the systems if there are several."""
    if is_sample(source):
        from .._sample import sample

        named = source.partition(":")[2]
        if named and measure not in (None, named):
            raise ValueError(f"{source} names its measure already, and --measure names {measure!r}")
        return sample(named or measure)
    if is_csv(source):
        return trec.read_table(source, measure, missing=missing)
    return trec.read_eval(source, measure, missing=missing)


def load_one(source: str, measure: str | None, missing: Missing = "error") -> pandas.DataFrame:
    """The scores of a source that must have one measure."""
    return one_measure(load(source, measure, missing), source, "--measure")


def one_name(measures: Sequence[str]) -> str | None:
    """The value of a --measure that may be given once."""
    if len(measures) > 1:
        raise ValueError("--measure can be given only once here")
    return measures[0] if measures else None


def two_tables(options: Namespace) -> tuple[tuple[str, str], tuple[pandas.DataFrame, pandas.DataFrame]]:
    """The names and the scores of the two sides of a comparison."""
    if len(options.measure) > 2:
        raise ValueError("--measure can be given twice at the most, for the first and for the second source")
    sides = (options.a, options.b)
    wanted = [options.measure[0], options.measure[-1]] if options.measure else [None, None]
    first, second = (load_one(side, name, options.missing) for side, name in zip(sides, wanted))
    if options.missing == "drop":
        # A topic dropped on one side is dropped on the other, so that both means are over the same topics.
        common = [topic for topic in first.index if topic in second.index]
        notes = first.attrs, second.attrs
        first, second = first.loc[common], second.loc[common]
        first.attrs, second.attrs = notes
    a, b = (name or side for side, name in zip(sides, wanted)) if wanted[0] != wanted[1] else sides
    return ((a, b) if a != b else (f"{a} (a)", f"{b} (b)")), (first, second)


def tables_by_measure(options: Namespace) -> dict[str, pandas.DataFrame] | pandas.DataFrame:
    """The scores of each measure in one source, or of each of several sources; or a table of items by columns."""
    if len(options.files) > 1:
        return one_measure_of_each(options.files, one_name(options.measure), options.missing)
    (source,) = options.files
    if is_csv(source) and not is_long(source):
        return item_columns(source, options.measure)
    table = load(source, None, options.missing)
    if table.columns.nlevels == 1:
        raise ValueError(f"{source} has one measure only, and nothing to compare it with")
    found = list(dict.fromkeys(table.columns.get_level_values("measure")))
    chosen = {name: table[name] for name in chosen_of(found, options.measure)}
    for scores in chosen.values():
        scores.attrs = table.attrs
    return chosen


def one_measure_of_each(sources: Sequence[str], measure: str | None, missing: Missing) -> dict[str, pandas.DataFrame]:
    if len(set(sources)) < len(sources):
        raise ValueError("a file is named twice")
    short = Counter(map(short_name, sources))
    return {
        short_name(source) if short[short_name(source)] == 1 else source: load_one(source, measure, missing)
        for source in sources
    }


def item_columns(source: str, wanted: list[str]) -> pandas.DataFrame:
    """The columns of a table of items, without gaps."""
    if header_and_rows(source)[0][0].lower() == "topic":
        raise ValueError(f"{source} is topics by systems, of one measure: name several such files, or a long one")
    frame = trec.read_columns(source)
    return complete(frame[chosen_of(list(frame.columns), wanted)], source)


def complete(frame: pandas.DataFrame, source: str) -> pandas.DataFrame:
    """The table, if no value is missing."""
    gaps = frame.isna()
    for column in gaps.columns[gaps.any()]:
        raise ValueError(f"{source}: column {column!r} has no value for {gaps.index[gaps[column]][0]}")
    return frame


def chosen_of(found: list[str], wanted: list[str]) -> list[str]:
    if absent := [name for name in wanted if name not in found]:
        raise ValueError(f"there is no {absent[0]!r}, only {listed(found)}")
    return wanted or found
