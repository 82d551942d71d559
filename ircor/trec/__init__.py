"""Read trec_eval output, tables of scores, ranked runs and relevance judgments.

A file is read completely or not at all: a malformed line, a repeated value or a truncated file raises an error that
names the file and the line.  Plain and gzipped files are recognised by their content.

Scores are returned as a DataFrame of topics by systems.  If a source has several measures, the columns have two levels,
measure and system, so that ``scores["map"]`` is the table of one measure.
"""

from ._columns import read_columns
from ._eval import read_eval
from ._lines import FormatError
from ._runs import read_qrels, read_run
from ._tables import read_table

__all__ = ["read_eval", "read_table", "read_columns", "read_run", "read_qrels", "FormatError"]
