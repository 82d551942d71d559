"""`ircor crosscheck`: Python and R side by side."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from .. import crosscheck
from ._arguments import add_output, add_outputs, from_zero, jobs, positive, tolerance
from ._report import Outcome

NAME = "crosscheck"
HELP = "compare with R on random rankings or on your own data"
DESCRIPTION = (
    "Ask Python and R the same questions and compare the answers: values, refusals word for word, and signatures. R's "
    "side is the original package ircor where R has it, else the reference written from the papers' formulas, else the "
    "record of what ircor 1.0 answered; with --markdown, each of these that is available. Standard error lists what "
    "was not compared. The exit status is 1 if they disagree, and 2 if the oracle that was asked for is missing."
)
EXAMPLE = "ircor crosscheck --data scores.csv --json report.json"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--cases", type=positive, default=10_000, help="random cases (default: 10000)")
    parser.add_argument("--seed", type=from_zero, default=2017, help="of the random cases (default: 2017)")
    parser.add_argument("--oracle", choices=crosscheck.ORACLES, default="auto", help="what to compare with")
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
    parser.add_argument(
        "--tolerance",
        type=tolerance,
        default=1e-12,
        help="largest difference of two coefficients that agree (default 1e-12)",
    )
    parser.add_argument("--data", metavar="FILE", help="compare on all pairs of number columns of this CSV or TSV file")
    parser.add_argument(
        "--jobs", type=jobs, default=1, help="processes, each with an R of its own, -1 for all processors (default: 1)"
    )
    add_outputs(parser, "the counts by function")
    add_output(parser, "markdown", "all as a page in Markdown")


def run(options: Namespace) -> Outcome:
    settings = {
        "cases": options.cases,
        "seed": options.seed,
        "functions": options.functions,
        "tolerance": options.tolerance,
        "n_jobs": options.jobs,
    }
    if options.markdown is not None:
        if options.oracle != "auto" or options.data:
            raise ValueError("--markdown compares with every oracle on random rankings: leave out --oracle and --data")
        page = crosscheck.check_all(**settings)
        return Outcome(page, closing=page.verdict, status=int(not page.agrees), markdown=page.as_markdown)
    found = crosscheck.check(options.oracle, data=options.data, **settings)
    return Outcome(found, heading=found.heading(), closing=found.verdict, status=int(not found.agrees))
