"""`ircor reproduce`: every figure that the papers print."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from .. import published
from ..published._report import DATA
from ._arguments import add_outputs
from ._report import Outcome

NAME = "reproduce"
HELP = "recompute every figure that the papers print"
DESCRIPTION = (
    "Recompute every figure that the papers and the R package ircor print, and compare: a figure agrees to the printed "
    "digits, is a known misprint, is known not to be reproduced, or DIFFERS, which makes the exit status 1."
)
EXAMPLE = "ircor reproduce --json > figures.json"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        help="also recompute the figures that need other data, as far as this folder has it: robust04-map.csv and "
        "robust04-P_10.csv, or adhoc6.csv",
    )
    add_outputs(parser, "the figures")


def inputs(options: Namespace) -> list[str]:
    """The files that are read; others in the folder are not."""
    return [] if options.data is None else [os.path.join(options.data, name) for names in DATA for name in names]


def run(options: Namespace) -> Outcome:
    found = published.report(options.data)
    (summary,) = found.sentences()
    return Outcome(
        found, sentences=(), data={"figures": found.tables()[0].records()}, closing=summary, status=int(found.differs)
    )
