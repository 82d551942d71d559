"""`ircor drank`: the rank distance of one ranking of systems from another."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, get_args

from .. import plots
from .._result import Result, Table
from .._scores import Scores
from ..rank_distance import DrankNull, DrankResult
from ..rank_distance._result import Null
from ._arguments import add_common, add_jobs, add_measures, add_resamples, add_seed, checked
from ._pictures import labels_of
from ._report import Outcome
from ._sources import SOURCE, TWICE, two_tables

NAME = "drank"
HELP = "the rank distance of one ranking of systems from another"
DESCRIPTION = (
    "The rank distance of Carterette (SIGIR 2009) of the second ranking from the scores of the first, and its test: "
    "against rankings by resamples of the topics, as in the paper, or against rankings by another sample of topics."
)
EXAMPLE = "ircor drank sample:map sample:recip_rank"
ARGUMENTS = {"X": "a", "y": "b"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("a", help=f"the reference: {SOURCE}")
    parser.add_argument(
        "b",
        nargs="?",
        help="the source that ranks the same systems, likewise; without it, two measures or judgments of the same runs",
    )
    parser.add_argument(
        "--null",
        choices=get_args(Null),
        default="resample",
        help="what the distance is compared with: resamples of the topics (the default), or another sample of topics",
    )
    parser.add_argument(
        "--ridge",
        type=ridge,
        help="added to the variances, or 'shrinkage' of the covariances; by default as the rank distance needs it",
    )
    add_measures(parser, "the measure; given twice, that of the first and that of the second", TWICE)
    add_resamples(parser)
    add_common(
        parser,
        plot="the bootstrap distribution of the distance, and the observed distance",
        table="the distance and its test",
    )
    add_seed(parser)
    add_jobs(parser)


def ridge(text: str) -> float | Literal["shrinkage"]:
    if text == "shrinkage":
        return "shrinkage"
    return checked(float, text, lambda number: 0 <= number < inf, "a number from 0 up, or shrinkage")


@dataclass(frozen=True)
class NamedDistance(Result):
    """A rank distance with the names of the two sources."""

    names: tuple[str, str]
    distance: DrankResult
    notes: tuple[str, ...]

    def tables(self) -> list[Table]:
        return self.distance.tables()

    def sentences(self) -> list[str]:
        return [f"{self.names[1]} against {self.names[0]}: {said}" for said in self.distance.sentences()]

    def as_dict(self) -> dict[str, Any]:
        return {"a": self.names[0], "b": self.names[1]} | self.distance.as_dict()


def run(options: Namespace) -> Outcome:
    names, tables = two_tables(options, paired=False)
    labels = labels_of(options, names)
    A, B = (Scores.of(table, name) for table, name in zip(tables, names))
    for side in (A, B):
        if not side.ranks_systems:
            raise ValueError(
                f"{side.name} has the same mean for all systems, which is no ranking: there is no distance"
            )
    null = DrankNull(
        A,
        null=options.null,
        topics=B.n,
        resamples=options.resamples,
        seed=options.seed,
        ridge=options.ridge,
        n_jobs=options.jobs,
    )
    found = null.test(B)
    notes = tuple(note for note in dict.fromkeys((A.note, B.note)) if note)
    return Outcome(NamedDistance(names, found, notes), lambda: plots.null(null, found.statistic, labels=labels))
