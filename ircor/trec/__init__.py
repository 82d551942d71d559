"""Read scores by topic, ranked runs and relevance judgments, as tools of the field write them; score runs.

A file is read completely or not at all: a malformed line, a repeated value or a truncated file raises an error that
names the file and the line.  What a file is, and whether it is gzipped, is told from its content, not from its name.
Scores in memory, such as data frames and nested mappings, are read by the same rules.

Scores are returned as a DataFrame of topics by systems.  If a source has several measures, the columns have two levels,
measure and system, so that ``scores["map"]`` is the table of one measure.  Leaderboards, which have no topics, are
systems by measures.
"""

from .._core.content import STANDARD_INPUT as STANDARD_INPUT, FormatError, expand_paths as expand_paths, stem as stem
from .._core.files import FilePath as FilePath
from ..scoring import (
    PACKAGES as PACKAGES,
    CrashError,
    Documents as Documents,
    Measures as Measures,
    Ranked as Ranked,
    Runs as Runs,
    System as System,
    are_same as are_same,
    by_topic as by_topic,
    has_ranks as has_ranks,
    in_trec_eval_order as in_trec_eval_order,
    is_beside_scores as is_beside_scores,
    is_measure as is_measure,
    is_one_tie as is_one_tie,
    judgments_of as judgments_of,
    measures_of as measures_of,
    no_such_measure as no_such_measure,
    of_file as of_file,
    read_qrels,
    read_run,
    refuse_one_run as refuse_one_run,
    score,
    score_by_each as score_by_each,
    systems_of as systems_of,
)
from ._formats import sniff
from ._leaderboards import leaderboard_of as leaderboard_of, read_leaderboard, seems_leaderboard as seems_leaderboard
from ._memory import ScoresSource as ScoresSource, is_held as is_held, is_report as is_report
from ._readers import (
    is_table_of_items as is_table_of_items,
    names_in as names_in,
    read_columns,
    read_eval,
    read_scores,
    read_table,
    scores_of as scores_of,
)

CrashError.__module__ = FormatError.__module__ = __name__  # where users find them

__all__ = [
    "read_scores",
    "read_eval",
    "read_table",
    "read_columns",
    "read_leaderboard",
    "read_run",
    "read_qrels",
    "score",
    "sniff",
    "FormatError",
    "CrashError",
]
