"""Ranked runs and relevance judgments, as TREC has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._extras import extra
from ._lines import FormatError, parse_real, parse_whole, records
from ._paths import FilePath

if TYPE_CHECKING:
    import pandas


def read_run(path: FilePath) -> pandas.DataFrame:
    """Read a ranked run: lines of topic, Q0, document, rank, score and the name of the run.

    Parameters
    ----------
    path : path
        The file, plain or gzipped.

    Returns
    -------
    pandas.DataFrame
        The columns topic, doc, rank, score and run, in the order of the file.  Topics and documents are strings.

    Raises
    ------
    FormatError
        If a line does not have six fields, if a rank is not a whole number or a score is not a finite number, if a
        document is repeated for a topic, or if the file has more than one run.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.txt")
    ...     with open(path, "w") as file:
    ...         _ = file.write("301 Q0 FT911-1 1 7.25 mine\\n301 Q0 FT911-9 2 6.5 mine\\n")
    ...     read_run(path)
      topic      doc  rank  score   run
    0   301  FT911-1     1   7.25  mine
    1   301  FT911-9     2   6.50  mine
    """
    DataFrame = extra("pandas", "reading files").DataFrame

    rows: list[tuple[str, str, int, float, str]] = []
    seen: set[tuple[str, str]] = set()
    for line, (topic, _, doc, rank, score, run) in records(path, "topic Q0 doc rank score run"):
        if rows and run != rows[0][-1]:
            raise FormatError(path, line, f"the run is {run!r}, but the lines above are of run {rows[0][-1]!r}")
        if topic == "all":
            raise FormatError(path, line, "'all' is not a topic: this ranks systems, by values that are not a run's")
        refuse_repeated(path, line, topic, doc, seen)
        rows.append((topic, doc, parse_whole(path, line, "rank", rank), parse_real(path, line, "score", score), run))
    table = DataFrame(rows, columns=["topic", "doc", "rank", "score", "run"])
    return table.astype({"rank": "int64", "score": "float64"})


def read_qrels(path: FilePath) -> pandas.DataFrame:
    """Read relevance judgments: lines of topic, iteration, document and relevance.

    Parameters
    ----------
    path : path
        The file, plain or gzipped.

    Returns
    -------
    pandas.DataFrame
        The columns topic, doc and relevance, in the order of the file.  Topics and documents are strings.

    Raises
    ------
    FormatError
        If a line does not have four fields, if a relevance is not a whole number, or if a document is repeated for a
        topic.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "qrels.txt")
    ...     with open(path, "w") as file:
    ...         _ = file.write("301 0 FT911-1 1\\n301 0 FT911-9 0\\n")
    ...     read_qrels(path)
      topic      doc  relevance
    0   301  FT911-1          1
    1   301  FT911-9          0
    """
    DataFrame = extra("pandas", "reading files").DataFrame

    rows = []
    seen: set[tuple[str, str]] = set()
    for line, (topic, _, doc, relevance) in records(path, "topic iteration doc relevance"):
        refuse_repeated(path, line, topic, doc, seen)
        rows.append((topic, doc, parse_whole(path, line, "relevance", relevance)))
    return DataFrame(rows, columns=["topic", "doc", "relevance"]).astype({"relevance": "int64"})


def refuse_repeated(path: FilePath, line: int, topic: str, doc: str, seen: set[tuple[str, str]]) -> None:
    """Raise if the document was seen for the topic already; else add it."""
    if (topic, doc) in seen:
        raise FormatError(path, line, f"document {doc!r} is repeated for topic {topic!r}")
    seen.add((topic, doc))
