"""The commands of `ircor`: each is a `Command`, named in capitals."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from glob import has_magic
from typing import Any

from .. import (
    comparison,
    crosscheck,
    data,
    judging,
    organization,
    overlap,
    plots,
    published,
    rank_distance,
    reliability,
)
from .._core.errors import Argument, InvalidValueError
from .._core.options import N_JOBS
from .._core.text import listed
from ..data import Scores
from ..rank_distance import DrankNull, NamedDistance
from ..trec import PACKAGES as SCORING, STANDARD_INPUT, expand_paths, read_columns
from ._options import Command, add_force, add_output, add_sources, add_two_sources, labels_of, option_values
from ._output import Outcome
from ._sources import are_runs, complete, joined_scores, tables_by_measure, two_tables


def run_compare(options: Namespace) -> Outcome:
    names, (A, B) = two_tables(options, paired=True)
    names = tuple(options.names) if "names" in options.chosen else names
    labels = labels_of(options, names)
    result = comparison.compare(A, B, names=names, **option_values(options, without=["names"]))
    return Outcome(result, lambda: result.plot(labels=labels), packages=SCORING if options.qrels else ())


COMPARE = Command(
    "compare",
    "two measures, or two collections, by how they rank the same systems",
    "Compare two sets of scores of the same systems: rankings side by side, coefficients with intervals, the rank "
    "distance with its test against another sample of topics, discriminative power as in Carterette (2009), "
    "and a conclusion.",
    "ircor compare sample:map sample:P_10",
    run_compare,
    comparison.compare,
    add_two_sources,
    table="the means and ranks of the systems",
    plot="the two rankings, joined by lines",
    report=True,
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
        "--truth", required=True, metavar="FILE", help="the judgments to compare with; without runs, the scores by them"
    )
    parser.add_argument(
        "--judge",
        action="extend",
        nargs="+",
        required=True,
        metavar="FILE",
        help="the judgments of the judges: files, folders, or patterns, after the runs; without runs, the scores by "
        "each judge; can be given several times",
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


def run_judges(options: Namespace) -> Outcome:
    result = judging.judges(options.runs or None, options.truth, judges_of(options), **option_values(options))
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
    arguments={"judges": "judge"},
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


def run_drank(options: Namespace) -> Outcome:
    names, tables = two_tables(options, paired=False)
    labels = labels_of(options, names)
    A, B = (Scores.of(table, name) for table, name in zip(tables, names))
    for side in (A, B):
        if not side.ranks_systems:
            raise ValueError(
                f"{side.name} has the same mean for all systems, which is no ranking: there is no distance"
            )
    null = DrankNull(A, topics=B.n, **option_values(options))
    distance = null.test(B)
    notes = tuple(note for note in dict.fromkeys((A.note, B.note)) if note)
    return Outcome(NamedDistance(names, distance, notes), lambda: plots.null(null, distance.statistic, labels=labels))


DRANK = Command(
    "drank",
    "the rank distance of one ranking of systems from another",
    "The rank distance of Carterette (SIGIR 2009) of the second ranking from the scores of the first, and its test: "
    "against rankings by another sample of topics or, as in the paper, against rankings by resamples of the topics.",
    "ircor drank sample:map sample:recip_rank",
    run_drank,
    rank_distance.drank_test,
    add_two_sources,
    table="the distance and its test",
    plot="the distribution of the distance under the null hypothesis, and the observed distance",
    arguments={"X": "a", "y": "b"},
)


def run_reliability(options: Namespace) -> Outcome:
    name = options.name or listed(options.files, 2)
    (label,) = labels_of(options, [name])
    values = option_values(options, without=["name"])
    result = reliability.summary(Scores.of(joined_scores(options), name), name=name, **values)
    return Outcome(result, lambda: result.plot(name=label), packages=SCORING if options.qrels else ())


RELIABILITY = Command(
    "reliability",
    "how close the ranking of the systems is to the true one, and how many topics that needs",
    "The expected correlation between the ranking of the systems by these topics and the true one (Urbano and Marrero, "
    "SIGIR 2016), against the number of topics, and the topics that a goal needs; and generalizability theory: "
    "variance components, E rho^2 and Phi (Bodoff and Li, SIGIR 2007).",
    "ircor reliability sample:map",
    run_reliability,
    reliability.summary,
    add_sources("the measure"),
    table="this curve",
    plot="the expected coefficient against the number of topics",
    arguments={"X": "files"},
)


def add_runs(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="RUN",
        help="two runs, for their overlap by topic; or more, a folder or a quoted pattern, for a table of all pairs",
    )


def run_rbo(options: Namespace) -> Outcome:
    paths = expand_paths(options.files)
    refuse_same_files(paths)
    if are_two_runs(options.files):
        values = option_values(options, without=["names", "n_jobs"])
        result = overlap.rbo_runs(paths[0], paths[1], names=options.names, **values)
        labels = labels_of(options, result.names)
        return Outcome(result, lambda: result.plot(labels=labels))
    if len(paths) < 2:
        raise ValueError(f"{paths[0]} is one run only: name a second one to compare it with")
    for name in options.chosen & {"level", "names"}:
        raise InvalidValueError(name, "is for the interval of two runs, and a table of many runs has no intervals")
    table = overlap.rbo_table(options.files, **option_values(options, without=["level", "names"]))
    labels = labels_of(options, list(table.overlaps.columns))
    return Outcome(table, lambda: table.plot(labels=labels))


RBO = Command(
    "rbo",
    "rank-biased overlap of runs",
    "Rank-biased overlap (Webber et al., TOIS 2010), with ties (Corsi and Urbano, SIGIR 2024), of ranked runs in "
    "TREC's format: of two runs by topic, with the mean; or the means of all pairs of many runs.",
    "ircor rbo first.run second.run --p 0.9",
    run_rbo,
    overlap.rbo_runs,
    add_runs,
    table="the table",
    plot="the overlap of each topic, or the table as a heat map",
    more=(N_JOBS,),
)


def are_two_runs(files: Sequence[str]) -> bool:
    """Whether two files are named; two runs in a folder make a table, as other numbers of runs do."""
    return len(files) == 2 and not any(map(is_several, files))


def is_several(file: str) -> bool:
    """Whether this is a folder or a pattern."""
    return os.path.isdir(file) or (has_magic(file) and not os.path.exists(file))


def refuse_same_files(paths: Sequence[str]) -> None:
    """Raise if a file is named twice, which is perhaps not the one that was meant."""
    seen: dict[str, str] = {}
    for path in paths:
        real = path if path == STANDARD_INPUT else os.path.realpath(path)
        if real in seen:
            same = path if seen[real] == path else f"{seen[real]} and {path} are the same file, which"
            raise ValueError(f"{same} is named twice")
        seen[real] = path


def add_run(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="RUN", help="the run; or a folder or a quoted pattern, for a table of the means of many runs"
    )
    parser.add_argument("qrels", metavar="QRELS", help="the relevance judgments")


def run_rs(options: Namespace) -> Outcome:
    labels = labels_of(options, ("Reliability", "Sensitivity"))
    many = is_several(options.file)
    result: organization.RunsTable | organization.RunsResult = (
        organization.evaluate_each(expand_paths(options.file), options.qrels, **option_values(options))
        if many
        else organization.evaluate_runs(options.file, options.qrels, **option_values(options))
    )

    def draw() -> Any:
        frame = result.to_frame()
        items = "runs" if many else "topics"
        return plots.moves(frame["reliability"], frame["sensitivity"], labels=labels, items=items, ranks=False)

    return Outcome(result, draw)


RS = Command(
    "rs",
    "Reliability and Sensitivity of ranked runs",
    "Reliability and Sensitivity (Amigo et al., SIGIR 2013) of a run in TREC's format, for each topic and in the mean; "
    "or the means of many runs.",
    "ircor rs my.run qrels.txt --top 30 --weight 0.8",
    run_rs,
    organization.evaluate_runs,
    add_run,
    table="the scores of the topics, or the means of the runs,",
    plot="both scores of every topic, or of every run",
    arguments={"run": "file"},
)


def run_gmap(options: Namespace) -> Outcome:
    labels = labels_of(options, ("mean", "geometric mean"))
    result = comparison.compare_means(joined_scores(options), **option_values(options))
    return Outcome(result, lambda: result.plot(labels=labels))


GMAP = Command(
    "gmap",
    "means and geometric means over topics",
    "The mean and the geometric mean over topics of every system, and what the choice does to their ranking "
    "(Robertson, CIKM 2006).",
    "ircor gmap sample:P_10 --zeros trec_eval",
    run_gmap,
    comparison.compare_means,
    add_sources("the measure"),
    table="the means and ranks of the systems",
    plot="the systems under both means",
    arguments={"scores": "files", "values": "files"},
)


def add_folder(parser: ArgumentParser) -> None:
    parser.add_argument("folder", help="the folder to write to; made if it does not exist")
    add_force(parser)


def run_sample(options: Namespace) -> Outcome:
    return Outcome(data.SampleFiles(options.folder, data.write_sample(options.folder, force=options.force)))


SAMPLE = Command(
    "sample",
    "write the sample data as files",
    "Write the sample data: trec_eval -q output and a run for each of 30 systems, relevance judgments, those of two "
    "simulated judges, and a table.",
    "ircor sample data && ircor table data/eval",
    run_sample,
    data.write_sample,
    add_folder,
)


def add_data(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        help="also recompute the figures that need other data, as far as this folder has it: robust04-map.csv and "
        "robust04-P_10.csv, or adhoc6.csv",
    )


def files_of_data(options: Namespace) -> list[str]:
    """The files that are read; others in the folder are not."""
    names = [] if options.data is None else [name for files in published.DATA for name in files]
    return [os.path.join(options.data, name) for name in names]


def run_reproduce(options: Namespace) -> Outcome:
    figures = published.report(options.data)
    records = {"figures": figures.tables()[0].records()}
    return Outcome(figures, sentences=(), data=records, closing=figures.view.verdict, status=int(figures.differs))


REPRODUCE = Command(
    "reproduce",
    "recompute the figures that the papers print",
    "Recompute figures that the papers and the R package ircor print, but those that need data that is not public, and "
    "compare: a figure agrees to the printed digits, is a known misprint, is known not to be reproduced, or DIFFERS, "
    "which makes the exit status 1.",
    "ircor reproduce --json > figures.json",
    run_reproduce,
    published.report,
    add_data,
    table="the figures",
    inputs=files_of_data,
)


def add_comparison(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--require-original",
        dest="oracle",
        action="store_const",
        const="original",
        help="the same as --oracle original",
    )
    parser.add_argument(
        "--functions", nargs="+", choices=list(crosscheck.FUNCTIONS), metavar="NAME", help="only these functions"
    )
    parser.add_argument("--data", metavar="FILE", help="compare on all pairs of number columns of this CSV or TSV file")
    add_output(parser, "markdown", "all as a page in Markdown")


def run_crosscheck(options: Namespace) -> Outcome:
    values = option_values(options, without=["oracle"]) | {"functions": options.functions}
    if options.markdown is not None:
        if options.oracle != "auto" or options.data:
            raise ValueError("--markdown compares with every oracle on random rankings: leave out --oracle and --data")
        page = crosscheck.check_all(**values)
        return Outcome(page, closing=page.verdict, status=int(not page.agrees), markdown=page.as_markdown)
    agreement = crosscheck.check(options.oracle, data=options.data, **values)
    return Outcome(agreement, heading=agreement.heading(), closing=agreement.verdict, status=int(not agreement.agrees))


CROSSCHECK = Command(
    "crosscheck",
    "compare with R on random rankings or on your own data",
    "Ask Python and R the same questions and compare the answers: values, refusals word for word, and signatures. R's "
    "side is the original package ircor where R has it, else the reference written from the papers' formulas, else the "
    "record of what ircor 1.0 answered; with --markdown, each of these that is available. Standard error lists what "
    "was not compared. The exit status is 1 if they disagree, and 2 if the oracle that was asked for is missing.",
    "ircor crosscheck --data scores.csv --json report.json",
    run_crosscheck,
    crosscheck.check,
    add_comparison,
    table="the counts by function",
)
