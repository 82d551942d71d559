"""`ircor compare`: two measures, or two collections."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from .. import comparison
from ._arguments import add_common, add_measures, add_resamples
from ._report import Outcome
from ._sources import SOURCE, two_tables

NAME = "compare"
HELP = "two measures, or two collections, by how they rank the same systems"
DESCRIPTION = (
    "Compare two sets of scores of the same systems: rankings side by side, coefficients with intervals from resampled "
    "topics, rank distance with its test, discriminative power, and a conclusion."
)
EXAMPLE = "ircor compare sample:map sample:P_10"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("a", help=f"the first: {SOURCE}")
    parser.add_argument("b", help="the second, likewise")
    add_measures(parser, "the measure; given twice, that of the first and that of the second")
    add_resamples(parser)
    add_common(parser, plot="the two rankings, joined by lines")


def run(options: Namespace) -> Outcome:
    names, (A, B) = two_tables(options)
    found = comparison.compare(A, B, names=names, resamples=options.resamples, seed=options.seed, n_jobs=options.jobs)
    return Outcome(found, found.plot)
