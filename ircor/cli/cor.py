"""`ircor cor`: two columns of a table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from .. import trec
from .._text import listed
from ..comparison import correlate
from ._arguments import add_common, add_jobs, add_overlap, add_seed, positive
from ._pictures import labels_of
from ._report import Outcome
from ._sources import complete

NAME = "cor"
HELP = "all coefficients between two columns, and which one suits"
DESCRIPTION = (
    "Correlate two columns of a CSV or TSV file: all coefficients that apply, which one suits, and the pairs of items "
    "whose swap costs AP correlation the most."
)
EXAMPLE = "ircor cor scores.csv --x map --y P_10 --permutations 9999"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", help="a CSV or TSV file with a row for each item; its first text column names them")
    parser.add_argument("--x", required=True, metavar="COL", help="the first column; the truth, if there is one")
    parser.add_argument("--y", required=True, metavar="COL", help="the second column")
    parser.add_argument("--increasing", action="store_true", help="the least value is at the top: for ranks")
    parser.add_argument(
        "--intervals",
        action="store_true",
        help="95%% intervals for the coefficients in the population that the items are a sample of",
    )
    parser.add_argument(
        "--bootstrap", type=positive, metavar="N", help="instead, for _b coefficients, from N resamples of the items"
    )
    parser.add_argument("--permutations", type=positive, metavar="N", help="p-values from N permutations")
    add_overlap(parser, "add rank-biased overlap with this persistence, between 0 and 1")
    add_common(parser, plot="the two rankings, joined by lines", table="the coefficients")
    add_seed(parser)
    add_jobs(parser)


def run(options: Namespace) -> Outcome:
    labels = labels_of(options, (options.x, options.y))
    frame = trec.read_columns(options.file)
    for name in (options.x, options.y):
        if name not in frame.columns:
            raise ValueError(f"{options.file} has no column {name!r} of numbers: it has {listed(frame.columns)}")
    if len(frame) < 2:
        raise ValueError(f"{options.file} must have two items or more, not {len(frame)}")
    x, y = (complete(frame[[name]], options.file)[name] for name in (options.x, options.y))
    found = correlate(
        x.to_numpy(),
        y.to_numpy(),
        names=frame.index,
        labels=(options.x, options.y),
        decreasing=not options.increasing,
        intervals=options.intervals,
        bootstrap=options.bootstrap,
        permutations=options.permutations,
        seed=options.seed,
        n_jobs=options.jobs,
        p=options.p,
        ties=options.ties,
    )
    return Outcome(found, lambda: found.plot(labels=labels))
