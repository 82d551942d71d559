"""The commands about the package itself: `ircor sample`, `reproduce` and `crosscheck`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from .. import (
    crosscheck,
    data,
    published,
)
from ._options import Command, add_force, add_output, option_values
from ._output import Outcome


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
        help="also recompute the figures and the published values that need other data, as far as this folder has it, "
        f"at any depth: {published.WHERE_FROM}",
    )


def files_of_data(options: Namespace) -> list[str]:
    """The files that are read; others in the folder are not."""
    return [] if options.data is None else published.inputs_below(options.data)


def run_reproduce(options: Namespace) -> Outcome:
    figures = published.report(options.data)
    records = {table.key: table.records() for table in figures.tables()}
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
