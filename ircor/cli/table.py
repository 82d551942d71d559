"""`ircor table`: all measures, or columns, against each other."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from .._methods import METHODS, RBO
from ..comparison import tabulate
from ._arguments import add_common, add_jobs, add_measures, add_overlap
from ._pictures import labels_of
from ._report import Outcome
from ._sources import SOURCE, tables_by_measure

NAME = "table"
HELP = "all measures, or columns, against each other"
DESCRIPTION = (
    "Correlate all measures in trec_eval output or in a long table, or all columns of a table of items, or the means "
    "of the systems in several tables, with each other."
)
EXAMPLE = "ircor table sample --method tauAP_b --drank"
ARGUMENTS = {"X": "files", "y": "the second ranking"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="file", help=f"{SOURCE}; or a CSV or TSV file of items by columns")
    parser.add_argument(
        "--method",
        choices=[*METHODS, RBO],
        default="tau_b",
        help="the coefficient, or rbo for rank-biased overlap (default: tau_b)",
    )
    add_overlap(parser, "the persistence of rank-biased overlap, between 0 and 1; needed for rbo")
    parser.add_argument("--increasing", action="store_true", help="the least value is at the top: for ranks")
    parser.add_argument(
        "--drank", action="store_true", help="rank distances below the diagonal, of the row from the column"
    )
    add_measures(parser, "only this measure; can be given several times", "; can be given several times")
    add_common(parser, plot="the coefficients as a heat map", table="the table")
    add_jobs(parser)


def run(options: Namespace) -> Outcome:
    scores = tables_by_measure(options)
    labels = labels_of(options, list(scores))
    if options.drank and not isinstance(scores, dict):
        raise ValueError("--drank needs scores by topic, and a table of items by columns has none")
    found = tabulate(
        scores,
        options.method,
        decreasing=not options.increasing,
        drank=options.drank,
        n_jobs=options.jobs,
        p=options.p,
        ties=options.ties,
    )
    return Outcome(found, lambda: found.plot(labels=labels))
