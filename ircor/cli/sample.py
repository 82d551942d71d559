"""`ircor sample`: the sample data as files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass

from .._result import Result
from .._sample import write_sample
from ._arguments import add_force
from ._report import Outcome

NAME = "sample"
HELP = "write the sample data as files"
DESCRIPTION = (
    "Write the sample data: trec_eval -q output and a run for each of 30 systems, relevance judgments, those of two "
    "simulated judges, and a table."
)
EXAMPLE = "ircor sample data && ircor table data/eval"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", help="the folder to write to; made if it does not exist")
    add_force(parser)


@dataclass(frozen=True)
class Written(Result):
    """The files that were written to a folder."""

    folder: str
    files: list[str]

    def sentences(self) -> list[str]:
        return [f"{len(self.files)} files in {self.folder}: eval/, runs/, judges/, qrels.txt and scores.csv"]


def run(options: Namespace) -> Outcome:
    return Outcome(Written(options.folder, write_sample(options.folder, force=options.force)))
