"""`ircor rbo`: rank-biased overlap of runs."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from glob import has_magic
from typing import Any

from ..overlap import rbo_runs, rbo_table
from ..overlap._ranked import RUN_TIES
from ..overlap._rbo import SCORES
from ..trec._paths import STANDARD_INPUT, expand_paths
from ._arguments import add_common, add_jobs, positive
from ._pictures import labels_of
from ._report import Outcome

NAME = "rbo"
HELP = "rank-biased overlap of runs"
DESCRIPTION = (
    "Rank-biased overlap (Webber et al., TOIS 2010), with ties (Corsi and Urbano, SIGIR 2024), of ranked runs in "
    "TREC's format: of two runs by topic, with the mean; or the means of all pairs of many runs."
)
EXAMPLE = "ircor rbo first.run second.run --p 0.9"

CHOOSING = "0.8, 0.9 and 0.98 give the first 5, 10 and 50 ranks 85 to 86%% of the weight"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="RUN",
        help="two runs, for their overlap by topic; or more, a folder or a quoted pattern, for a table of all pairs",
    )
    parser.add_argument("--p", type=float, help=f"the persistence, between 0 and 1: {CHOOSING}")
    parser.add_argument(
        "--ties",
        choices=RUN_TIES,
        default="a",
        help="documents with equal scores: equal (w), in an unknown order (a), the same, corrected for what ties hide "
        "(b), or in trec_eval's order (default: a)",
    )
    parser.add_argument("--depth", type=positive, help="only the first DEPTH documents of each topic count")
    parser.add_argument(
        "--score",
        choices=SCORES,
        default="ext",
        help="the overlap: extrapolated, the least or the greatest possible, or the residual (default: ext)",
    )
    parser.add_argument(
        "--missing",
        choices=("error", "zero", "drop"),
        default="error",
        help="if one of two runs has no documents for a topic: refuse, take the overlap for 0, or drop the topic "
        "(default: error)",
    )
    parser.add_argument(
        "--level", type=float, help="the confidence of the interval for the mean of two runs (default: 0.95)"
    )
    add_common(parser, plot="the overlap of each topic, or the table as a heat map", table="the table")
    add_jobs(parser)


def run(options: Namespace) -> Outcome:
    if options.p is None:
        raise ValueError(f"--p is needed, the persistence: {CHOOSING.replace('%%', '%')}")
    chosen: dict[str, Any] = {
        "ties": options.ties,
        "depth": options.depth,
        "score": options.score,
        "missing": options.missing,
    }
    paths = expand_paths(options.files)
    refuse_repeated(paths)
    if is_pair(options.files):
        a, b = paths
        found = rbo_runs(a, b, options.p, level=0.95 if options.level is None else options.level, **chosen)
        labels = labels_of(options, found.names)
        return Outcome(found, lambda: found.plot(labels=labels))
    if len(paths) < 2:
        raise ValueError(f"{paths[0]} is one run only: name a second one to compare it with")
    if options.level is not None:
        raise ValueError("--level is for the interval of two runs, and a table of many runs has no intervals")
    table = rbo_table(options.files, options.p, n_jobs=options.jobs, **chosen)
    names = labels_of(options, list(table.overlaps.columns))
    return Outcome(table, lambda: table.plot(labels=names))


def is_pair(files: Sequence[str]) -> bool:
    """Whether two files are named; two runs in a folder make a table, as other numbers of runs do."""
    return len(files) == 2 and not any(os.path.isdir(file) or is_pattern(file) for file in files)


def is_pattern(file: str) -> bool:
    return has_magic(file) and not os.path.exists(file)


def refuse_repeated(paths: Sequence[str]) -> None:
    """Raise if a file is named twice, which is perhaps not the one that was meant."""
    seen: dict[str, str] = {}
    for path in paths:
        real = path if path == STANDARD_INPUT else os.path.realpath(path)
        if real in seen:
            same = path if seen[real] == path else f"{seen[real]} and {path} are the same file, which"
            raise ValueError(f"{same} is named twice")
        seen[real] = path
