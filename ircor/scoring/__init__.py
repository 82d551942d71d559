"""Runs and relevance judgments, the names of measures, scores as ir_measures computes them, and tables of scores.

`ircor.trec` has the functions for users: `read_run`, `read_qrels` and `score`.
"""

from ._cells import (
    MISSING_CELLS,
    Cells,
    Column,
    Mask,
    Names,
    Part,
    Problem,
    constant,
    numbers_of,
    repetitions,
    text_of,
    texts_of,
)
from ._collector import Evaluated, Measure, ScoreCollector
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
from ._runs import Runs, System, is_one_tie, judgments_of, of_file, refuse_one_run, systems_of
from ._score import score, score_by_each

__all__ = [
    "are_same",
    "by_topic",
    "Cells",
    "Column",
    "constant",
    "COUNTS",
    "CrashError",
    "Documents",
    "Evaluated",
    "has_ranks",
    "in_trec_eval_order",
    "is_beside_scores",
    "is_measure",
    "is_one_tie",
    "is_run",
    "Judgments",
    "judgments_of",
    "Mask",
    "Measure",
    "Measures",
    "measures_of",
    "MISSING_CELLS",
    "Names",
    "no_such_measure",
    "numbers_of",
    "of_file",
    "PACKAGES",
    "Part",
    "Problem",
    "Ranked",
    "read_qrels",
    "read_run",
    "refuse_one_run",
    "repetitions",
    "Runs",
    "score",
    "score_by_each",
    "ScoreCollector",
    "split_measure",
    "System",
    "systems_of",
    "text_of",
    "texts_of",
    "words_of",
]
