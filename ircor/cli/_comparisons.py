"""The commands that compare rankings: `ircor compare`, `judges`, `table` and `cor`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from .. import (
    comparison,
    judging,
)
from .._core.errors import Argument, InvalidValueError
from .._core.options import EPSILON
from .._core.text import listed
from ..trec import PACKAGES as SCORING, expand_paths, read_columns
from ._options import Command, add_sources, add_two_sources, labels_of, option_values
from ._output import Outcome
from ._sources import are_runs, compared_tables, complete, tables_by_measure


def run_compare(options: Namespace) -> Outcome:
    names, tables = compared_tables(options)
    called = list(options.names) if "names" in options.chosen else names
    labels = labels_of(options, called)
    by_name = dict(zip(names, tables))
    result = comparison.compare(by_name, measures=names, names=called, **option_values(options, without=["names"]))
    return Outcome(result, lambda: result.plot(labels=labels), packages=SCORING if options.qrels else ())


COMPARE = Command(
    "compare",
    "two measures or more, or two collections, by how they rank the same systems",
    "Compare two sets of scores of the same systems: rankings side by side, coefficients with intervals, the rank "
    "distance with its test against another sample of topics, the pairs of systems that differ significantly, and a "
    "conclusion. Of three measures or more: tau_b of all pairs, and the test of each pair.",
    "ircor compare sample:map sample:P_10",
    run_compare,
    comparison.compare,
    partial(add_two_sources, more="; of one source, also three times and more"),
    table="the means and ranks of the systems, or tau_b of three measures or more,",
    plot="the two rankings, joined by lines; tau_b of three measures or more as a heat map",
    report=True,
    arguments={"A": "a", "B": "b"},
)


def add_judges(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="*",
        metavar="RUNS",
        help="the runs of the systems: files, folders, or quoted patterns; without them, --truth and --judge are "
        "scores by topic or leaderboards, in any format that is read",
    )
    parser.add_argument(
        "--truth",
        metavar="FILE",
        help="the judgments to compare with; without runs, the scores by them; with --segments, the column of the "
        "truth (default: truth)",
    )
    parser.add_argument(
        "--judge",
        action="extend",
        nargs="+",
        metavar="FILE",
        help="the judgments of the judges: files, folders, or patterns, after the runs; without runs, the scores by "
        "each judge; with --segments, their columns, by default all others of numbers; can be given several times",
    )
    parser.add_argument(
        "--segments",
        metavar="FILE",
        help="judges of single answers: a CSV, TSV or Parquet file with a row for each answer, and columns item, "
        "system, truth and one of each judge",
    )


def judges_of(options: Namespace) -> list[str]:
    """The files of --judge; those in folders, and those that match patterns, if they are judgments of runs."""
    if options.runs:
        return expand_paths(options.judge)
    for source in options.judge:
        if are_runs(source):
            what = f"{source} was taken for a judge, and has runs"
            raise InvalidValueError(None, what, ("name the runs before ", Argument("judge")))
    return list(options.judge)


def run_segments(options: Namespace) -> Outcome:
    own = {option.name for option in judging.segments.options}  # type: ignore[attr-defined]
    words = [name for name in ("plot", "html") if getattr(options, name) is not None]
    others = sorted(option.long for option in options.command.options if option.name in options.chosen - own)
    if options.runs or words or others:
        what = [*(["runs"] if options.runs else []), *others, *(f"--{word}" for word in words)]
        raise ValueError(f"--segments goes without {listed(what)}")
    values = {name: value for name, value in option_values(options).items() if name in own & options.chosen}
    values.setdefault("seed", options.seed)
    return Outcome(judging.segments(options.segments, options.truth or "truth", options.judge, **values))


def run_judges(options: Namespace) -> Outcome:
    if options.segments is not None:
        return run_segments(options)
    for name in ("truth", "judge"):
        if getattr(options, name) is None:
            raise InvalidValueError(None, (Argument(name), " is required"))
    if "epsilon" in options.chosen:
        raise ValueError("--epsilon is for --segments")
    result = judging.judges(
        options.runs or None, options.truth, judges_of(options), **option_values(options, without=["epsilon"])
    )
    if options.plot is not None and len(result.judges) * len(result.measures) > 1:
        raise ValueError("--plot draws one judge under one measure: name one --judge and one --measure")
    labels = labels_of(options, (result.truth, result.judges[0]))
    return Outcome(result, lambda: result.plot(labels=labels))


JUDGES = Command(
    "judges",
    "can this judge of relevance replace that one?",
    "Compare judges of relevance, such as language models, with the truth, such as people: how they rank systems, with "
    "intervals and a test against another sample of topics; which significant differences between systems they find, "
    "miss and reverse; how far their labels agree; and whether they favour some systems.",
    "ircor judges runs --truth qrels.txt --judge judges/noisy.qrels judges/partial.qrels -m nDCG@10 -m AP",
    run_judges,
    judging.judges,
    add_judges,
    table="the coefficients",
    plot="the rankings of the truth and of one judge, joined by lines",
    report=True,
    arguments={"judges": "judge", "answers": "segments"},
    more=(EPSILON,),
)


def run_table(options: Namespace) -> Outcome:
    scores = tables_by_measure(options)
    labels = labels_of(options, list(scores))
    if options.drank and not isinstance(scores, dict):
        raise ValueError("--drank needs scores by topic, and a table of items by columns has none")
    result = comparison.tabulate(scores, **option_values(options))
    return Outcome(result, lambda: result.plot(labels=labels))


TABLE = Command(
    "table",
    "all measures, or columns, against each other",
    "Correlate all measures in trec_eval output or in a long table, or all columns of a table of items, or the means "
    "of the systems in several tables, with each other.",
    "ircor table sample --method tauAP_b --drank",
    run_table,
    comparison.tabulate,
    add_sources(
        "only this measure; can be given several times",
        "; can be given several times",
        "; or a CSV or TSV file of items by columns",
    ),
    table="the table",
    plot="the coefficients as a heat map",
    arguments={"X": "files", "y": "the second ranking"},
)


def add_columns(parser: ArgumentParser) -> None:
    parser.add_argument("file", help="a CSV or TSV file with a row for each item; its first text column names them")
    parser.add_argument("--x", required=True, metavar="COL", help="the first column; the truth, if there is one")
    parser.add_argument("--y", required=True, metavar="COL", help="the second column")


def run_cor(options: Namespace) -> Outcome:
    columns = options.x, options.y
    labels = labels_of(options, columns)
    frame = read_columns(options.file)
    for name in columns:
        if name not in frame.columns:
            raise ValueError(f"{options.file} has no column {name!r} of numbers: it has {listed(frame.columns)}")
    if len(frame) < 2:
        raise ValueError(f"{options.file} must have two items or more, not {len(frame)}")
    x, y = (complete(frame[[name]], options.file)[name].to_numpy() for name in columns)
    result = comparison.correlate(x, y, names=frame.index, labels=columns, **option_values(options))
    return Outcome(result, lambda: result.plot(labels=labels))


COR = Command(
    "cor",
    "all coefficients between two columns, and which one suits",
    "Correlate two columns of a CSV or TSV file: all coefficients that apply, which one suits, and the pairs of items "
    "whose swap costs AP correlation the most.",
    "ircor cor scores.csv --x map --y P_10 --permutations 9999",
    run_cor,
    comparison.correlate,
    add_columns,
    table="the coefficients",
    plot="the two rankings, joined by lines",
)
