"""Runs and relevance judgments, the names of measures, scores as ir_measures computes them, and tables of scores.

`ircor.trec` has the functions for users: `read_run`, `read_qrels` and `score`.
"""

from ._cells import (
    MISSING_CELLS as MISSING_CELLS,
    Cells as Cells,
    Column as Column,
    Mask as Mask,
    Names as Names,
    Part as Part,
    Problem as Problem,
    constant as constant,
    numbers_of as numbers_of,
    repetitions as repetitions,
    text_of as text_of,
    texts_of as texts_of,
)
from ._collector import Evaluated as Evaluated, Measure as Measure, ScoreCollector as ScoreCollector
from ._documents import (
    Documents as Documents,
    by_topic as by_topic,
    in_trec_eval_order as in_trec_eval_order,
    is_run as is_run,
    read_qrels as read_qrels,
    read_run as read_run,
)
from ._evaluation import CrashError as CrashError, Judgments as Judgments, Ranked as Ranked
from ._ir_measures import PACKAGES as PACKAGES, Measures as Measures, measures_of as measures_of
from ._measures import (
    COUNTS as COUNTS,
    are_same as are_same,
    has_ranks as has_ranks,
    is_beside_scores as is_beside_scores,
    is_measure as is_measure,
    no_such_measure as no_such_measure,
    split_measure as split_measure,
    words_of as words_of,
)
from ._runs import (
    Runs as Runs,
    System as System,
    is_one_tie as is_one_tie,
    judgments_of as judgments_of,
    of_file as of_file,
    refuse_one_run as refuse_one_run,
    systems_of as systems_of,
)
from ._score import score as score, score_by_each as score_by_each
