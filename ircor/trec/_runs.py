"""Ranked runs and relevance judgments, as TREC has them."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .._extras import extra
from ._at_once import are_counts, columns_at_once, decoded, real_numbers, whole_numbers
from ._content import Content
from ._lines import GZIP_MAGIC, FormatError, parse_real, parse_whole, split_lines
from ._means import ALL
from ._paths import FilePath

if TYPE_CHECKING:
    import pandas

RUN_FIELDS, QRELS_FIELDS = "topic Q0 doc rank score run", "topic iteration doc relevance"


ByTopic: TypeAlias = dict[str, dict[str, Any]]
"""{topic: {doc: score or grade}}."""


class Run(NamedTuple):
    """The lines of a run, a list for each column; its name, or "" without lines; and {topic: {doc: score}}.

    The ranks are numbers, or the texts of numbers: few need them.
    """

    topics: list[str]
    docs: list[str]
    ranks: Sequence[int | bytes]
    scores: list[float]
    name: str
    by_topic: ByTopic


class Qrels(NamedTuple):
    """The lines of judgments, a list for each column; {topic: {doc: grade}}."""

    topics: list[str]
    docs: list[str]
    grades: list[int]
    by_topic: ByTopic


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

    topics, docs, ranks, scores, name, _ = run_of(Content.of(path))
    table = DataFrame(
        {"topic": topics, "doc": docs, "rank": list(map(int, ranks)), "score": scores, "run": [name] * len(topics)}
    )
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

    topics, docs, grades, _ = qrels_of(Content.of(path))
    return DataFrame({"topic": topics, "doc": docs, "relevance": grades}).astype({"relevance": "int64"})


def run_of(content: Content) -> Run:
    """The lines of a run."""
    quick = quick_run(content)
    if quick is not None:
        return quick
    path = content.path
    ranks: list[int] = []
    found = Run([], [], ranks, [], "", {})
    names: list[str] = []
    for line, (topic, _, doc, rank, score, name) in split_lines(content.lines, path, RUN_FIELDS):
        if names and name != names[0]:
            raise FormatError(path, line, f"the run is {name!r}, but the lines above are of run {names[0]!r}")
        names = [name]
        if topic == ALL:
            raise FormatError(path, line, "'all' is not a topic: this ranks systems, by values that are not a run's")
        documents = documents_of(found.by_topic, topic, doc, path, line)
        found.topics.append(topic)
        found.docs.append(doc)
        ranks.append(parse_whole(path, line, "rank", rank))
        found.scores.append(parse_real(path, line, "score", score))
        documents[doc] = found.scores[-1]
    return found._replace(name="".join(names))


def quick_run(content: Content) -> Run | None:
    """The lines of a run, if nothing is unusual about them."""
    columns = columns_at_once(unpacked(content), 6)
    if columns is None or columns[5].count(columns[5][0]) < len(columns[5]):
        return None
    topics, docs, name = decoded(columns[0]), decoded(columns[2]), decoded(columns[5][:1])
    scores = real_numbers(columns[4])
    if topics is None or docs is None or name is None or scores is None or not are_counts(columns[3]):
        return None
    by_topic = grouped_by_topic(topics, docs, scores)
    if ALL in by_topic:
        return None
    return Run(topics, docs, columns[3], scores, name[0], by_topic) if by_topic else None


def qrels_of(content: Content) -> Qrels:
    """The lines of judgments."""
    quick = quick_qrels(content)
    if quick is not None:
        return quick
    path = content.path
    found = Qrels([], [], [], {})
    for line, (topic, _, doc, relevance) in split_lines(content.lines, path, QRELS_FIELDS):
        documents = documents_of(found.by_topic, topic, doc, path, line)
        found.topics.append(topic)
        found.docs.append(doc)
        found.grades.append(parse_whole(path, line, "relevance", relevance))
        documents[doc] = found.grades[-1]
    return found


def quick_qrels(content: Content) -> Qrels | None:
    """The lines of judgments, if nothing is unusual about them."""
    columns = columns_at_once(unpacked(content), 4)
    if columns is None:
        return None
    topics, docs, grades = decoded(columns[0]), decoded(columns[2]), whole_numbers(columns[3])
    if topics is None or docs is None or grades is None:
        return None
    by_topic = grouped_by_topic(topics, docs, grades)
    return Qrels(topics, docs, grades, by_topic) if by_topic else None


def unpacked(content: Content) -> bytes:
    """The bytes of a file, plain or gzipped; nothing if it is damaged, so that it is read line by line."""
    if content.data[:2] != GZIP_MAGIC:
        return content.data
    try:
        return gzip.decompress(content.data)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return b""


def grouped_by_topic(topics: list[str], docs: list[str], values: Sequence[Any]) -> ByTopic:
    """{topic: {doc: value}}; nothing if a document is repeated.  The lines of a topic usually stand together."""
    found: ByTopic = {}
    start = 0
    for topic, lines in groupby(topics):
        stop = start + len(list(lines))
        found.setdefault(topic, {}).update(zip(docs[start:stop], values[start:stop]))
        start = stop
    return found if sum(map(len, found.values())) == len(docs) else {}


def documents_of(by_topic: ByTopic, topic: str, doc: str, path: FilePath, line: int) -> dict[str, Any]:
    """The documents of a topic so far, which must not have this one already."""
    documents = by_topic.setdefault(topic, {})
    if doc in documents:
        raise FormatError(path, line, f"document {doc!r} is repeated for topic {topic!r}")
    return documents
