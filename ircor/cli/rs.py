"""`ircor rs`: Reliability and Sensitivity of a ranked run."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from .. import plots
from ..organization import evaluate_runs
from ._arguments import add_common, positive
from ._pictures import labels_of
from ._report import Outcome

NAME = "rs"
HELP = "Reliability and Sensitivity of a ranked run"
DESCRIPTION = (
    "Reliability and Sensitivity (Amigo et al., SIGIR 2013) of a run in TREC's format, for each topic and in the mean."
)
EXAMPLE = "ircor rs my.run qrels.txt --top 30 --weight 0.8"
ARGUMENTS = {"run": "file"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="RUN", help="the run")
    parser.add_argument("qrels", metavar="QRELS", help="the relevance judgments")
    parser.add_argument(
        "--top",
        type=positive,
        required=True,
        help="the first TOP documents carry the share --weight of the score",
    )
    parser.add_argument("--weight", type=float, required=True, help="that share, between 0 and 1")
    parser.add_argument("--min-relevance", type=int, default=1, help="the lowest grade that is relevant (default: 1)")
    parser.add_argument("--binary", action="store_true", help="ignore grades: all relevant documents are on one level")
    parser.add_argument(
        "--ties",
        choices=("level", "trec_eval"),
        default="level",
        help="documents with equal scores: on one level, or in trec_eval's order (default: level)",
    )
    add_common(parser, plot="both scores of every topic", table="the scores of the topics")


def run(options: Namespace) -> Outcome:
    labels = labels_of(options, ("Reliability", "Sensitivity"))
    found = evaluate_runs(
        options.file,
        options.qrels,
        top=options.top,
        weight=options.weight,
        min_relevance=options.min_relevance,
        graded=not options.binary,
        ties=options.ties,
    )

    def draw() -> Any:
        frame = found.to_frame()
        return plots.moves(frame["reliability"], frame["sensitivity"], labels=labels, items="topics", ranks=False)

    return Outcome(found, draw)
