"""`ircor gmap`: means and geometric means over topics."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ..comparison import compare_means
from ._arguments import add_common, add_measures
from ._pictures import labels_of
from ._report import Outcome
from ._sources import SOURCE, joined

NAME = "gmap"
HELP = "means and geometric means over topics"
DESCRIPTION = (
    "The mean and the geometric mean over topics of every system, and what the choice does to their ranking "
    "(Robertson, CIKM 2006)."
)
EXAMPLE = "ircor gmap sample:P_10 --zeros trec_eval"
ARGUMENTS = {"scores": "files", "values": "files"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="file", help=SOURCE)
    parser.add_argument(
        "--eps", type=float, default=1e-5, help="the small number of --zeros add, floor and trec_eval (default: 1e-5)"
    )
    parser.add_argument(
        "--zeros",
        choices=("add", "floor", "trec_eval", "strict"),
        default="add",
        help="the rule for zeros (default: add)",
    )
    add_measures(parser, "the measure")
    add_common(parser, plot="the systems under both means", table="the means and ranks of the systems")


def run(options: Namespace) -> Outcome:
    labels = labels_of(options, ("mean", "geometric mean"))
    found = compare_means(joined(options), eps=options.eps, zeros=options.zeros)
    return Outcome(found, lambda: found.plot(labels=labels))
