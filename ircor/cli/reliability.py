"""`ircor reliability`: how close the ranking of systems by one collection is to the true one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from .._scores import Scores
from .._text import listed
from ..reliability import summary
from ..reliability._chances import METHODS
from ..trec._measures import PACKAGES as SCORING
from ._arguments import add_common, add_jobs, add_measures, add_seed, positive
from ._pictures import labels_of
from ._report import Outcome
from ._sources import SOURCE, joined

NAME = "reliability"
HELP = "how close the ranking of the systems is to the true one, and how many topics that needs"
DESCRIPTION = (
    "The expected correlation between the ranking of the systems by these topics and the true one (Urbano and Marrero, "
    "SIGIR 2016), against the number of topics, and the topics that a target needs; and generalizability theory: "
    "variance components, E rho^2 and Phi (Bodoff and Li, SIGIR 2007)."
)
EXAMPLE = "ircor reliability sample:map"
ARGUMENTS = {"X": "files"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="source", help=SOURCE)
    parser.add_argument("--target", type=float, default=0.9, help="the expected coefficient to reach (default: 0.9)")
    parser.add_argument("--method", choices=METHODS, default="tau", help="the coefficient (default: tau)")
    parser.add_argument("--level", type=float, default=0.95, help="the level of the intervals (default: 0.95)")
    parser.add_argument(
        "--resamples", type=positive, default=1000, help="draws of true means for the intervals (default: 1000)"
    )
    add_measures(parser, "the measure")
    add_common(parser, plot="the expected coefficient against the number of topics", table="this curve")
    add_seed(parser)
    add_jobs(parser)


def run(options: Namespace) -> Outcome:
    name = listed(options.files, 2)
    (label,) = labels_of(options, [name])
    found = summary(
        Scores.of(joined(options), name),
        options.target,
        options.method,
        name=name,
        level=options.level,
        resamples=options.resamples,
        seed=options.seed,
        n_jobs=options.jobs,
    )
    return Outcome(found, lambda: found.plot(name=label), packages=SCORING if options.qrels else ())
