"""`ircor compare`: two measures, or two collections."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from .. import comparison
from ..trec._measures import PACKAGES as SCORING
from ._arguments import add_common, add_jobs, add_measures, add_overlap, add_report, add_resamples, add_seed, add_target
from ._pictures import labels_of
from ._report import Outcome
from ._sources import SOURCE, TWICE, two_tables

NAME = "compare"
HELP = "two measures, or two collections, by how they rank the same systems"
DESCRIPTION = (
    "Compare two sets of scores of the same systems: rankings side by side, coefficients with intervals, the rank "
    "distance with its test against another sample of topics, discriminative power as in Carterette (2009), "
    "and a conclusion."
)
EXAMPLE = "ircor compare sample:map sample:P_10"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("a", help=f"the first: {SOURCE}")
    parser.add_argument(
        "b", nargs="?", help="the second, likewise; without it, two measures or judgments of the same runs"
    )
    add_measures(parser, "the measure; given twice, that of the first and that of the second", TWICE)
    add_target(parser)
    add_resamples(parser)
    add_overlap(parser, "add rank-biased overlap with this persistence, between 0 and 1")
    add_common(parser, plot="the two rankings, joined by lines", table="the means and ranks of the systems")
    add_report(parser)
    add_seed(parser)
    add_jobs(parser)


def run(options: Namespace) -> Outcome:
    names, (A, B) = two_tables(options, paired=True)
    labels = labels_of(options, names)
    found = comparison.compare(
        A,
        B,
        names=names,
        target=options.target,
        resamples=options.resamples,
        seed=options.seed,
        n_jobs=options.jobs,
        p=options.p,
        ties=options.ties,
    )
    return Outcome(found, lambda: found.plot(labels=labels), packages=SCORING if options.qrels else ())
