"""Runs and relevance judgments, the names of measures, and scores of runs as ir_measures computes them.

`ircor.trec` has the functions for users: `read_run`, `read_qrels` and `score`.
"""

from ._documents import (
    Documents,
    by_topic,
    in_trec_eval_order,
    is_run,
    read_qrels,
    read_run,
)
from ._evaluation import CrashError, Judgments, Ranked
from ._ir_measures import PACKAGES, Measures, measures_of
from ._measures import (
    COUNTS,
    are_same,
    has_ranks,
    is_beside_scores,
    is_measure,
    no_such_measure,
    split_measure,
    words_of,
)
from ._runs import Runs, System, is_one_tie, judgments_of, of_file, refuse_one_run, scored_by_each, systems_of

__all__ = [
    "are_same",
    "by_topic",
    "COUNTS",
    "CrashError",
    "Documents",
    "has_ranks",
    "in_trec_eval_order",
    "is_beside_scores",
    "is_measure",
    "is_one_tie",
    "is_run",
    "judgments_of",
    "Judgments",
    "Measures",
    "measures_of",
    "no_such_measure",
    "of_file",
    "PACKAGES",
    "Ranked",
    "read_qrels",
    "read_run",
    "refuse_one_run",
    "Runs",
    "scored_by_each",
    "split_measure",
    "System",
    "systems_of",
    "words_of",
]
