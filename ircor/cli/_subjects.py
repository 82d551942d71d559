"""The commands of one subject each: `ircor drank`, `reliability`, `rbo`, `rs` and `gmap`."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from glob import has_magic
from typing import Any

from .. import (
    comparison,
    organization,
    overlap,
    plots,
    rank_distance,
    reliability,
)
from .._core.errors import InvalidValueError
from .._core.options import N_JOBS
from .._core.text import listed
from ..data import Scores
from ..rank_distance import DrankNull, NamedDistance
from ..trec import PACKAGES as SCORING, STANDARD_INPUT, expand_paths
from ._options import Command, add_sources, add_two_sources, labels_of, option_values
from ._output import Outcome
from ._sources import joined_scores, means_with_errors, refusing_leaderboards, two_tables


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


def add_places(parser: ArgumentParser) -> None:
    add_sources("the measure", more="; or, with --se, a leaderboard")(parser)
    parser.add_argument(
        "--se",
        metavar="COLUMN",
        help="the source is a leaderboard, systems with their means, and this column has the standard errors",
    )


def run_places(options: Namespace) -> Outcome:
    name = listed(options.files, 2)
    (label,) = labels_of(options, [name])
    values = option_values(options)
    if options.se is None:
        with refusing_leaderboards(options):
            table = joined_scores(options)
        result = reliability.places(Scores.of(table, name), name=name, **values)
    else:
        means, errors = means_with_errors(options)
        result = reliability.places(means, se=errors, name=name, **values)
    packages = SCORING if options.qrels else ()
    return Outcome(result, lambda: result.plot(label=label), packages=packages)


PLACES = Command(
    "places",
    "which places of the systems another sample of topics would leave",
    "The set of places of each system that the noise of the topics leaves possible, for all systems at once or for "
    "each by itself (Mogstad et al., Review of Economic Studies 2024): who could be the first, which "
    "pairs of systems are told apart, and tiers.",
    "ircor places sample:map --top 10",
    run_places,
    reliability.places,
    add_places,
    table="the places",
    plot="a row for each system, with its place and its set of places",
    report=True,
    papers=True,
    arguments={"scores": "files"},
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
