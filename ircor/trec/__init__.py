"""Read scores by topic, ranked runs and relevance judgments, as tools of the field write them; score runs.

A file is read completely or not at all: a malformed line, a repeated value or a truncated file raises an error that
names the file and the line.  What a file is, and whether it is gzipped, is told from its content, not from its name.

Scores are returned as a DataFrame of topics by systems.  If a source has several measures, the columns have two levels,
measure and system, so that ``scores["map"]`` is the table of one measure.  Leaderboards, which have no topics, are
systems by measures.
"""

from ._columns import read_columns
from ._evaluation import CrashError
from ._formats import sniff
from ._leaderboards import read_leaderboard
from ._lines import FormatError
from ._runs import read_qrels, read_run
from ._score import score
from ._scores import read_eval, read_scores, read_table

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
