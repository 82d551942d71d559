"""Ranked runs and relevance judgments, as TREC has them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .._extras import extra
from .._kernel.documents import parsed
from ._content import Content, unpacked
from ._lines import FormatError, parse_real, parse_whole, split_lines
from ._means import ALL
from ._paths import FilePath

if TYPE_CHECKING:
    import pandas

RUN_FIELDS, QRELS_FIELDS = "topic Q0 doc rank score run", "topic iteration doc relevance"


ByTopic: TypeAlias = dict[str, dict[str, Any]]
"""{topic: {doc: score or grade}}."""


class Lines(NamedTuple):
    """The lines of a run or of judgments.

    Attributes
    ----------
    by_topic : dict
        {topic: {doc: score}}, or {topic: {doc: grade}}.
    name : str
        The name of the run; "" without lines, and for judgments.
    risen : int
        The number of lines whose score is higher than that of the line before although their rank is lower.
    topics, docs, ranks, numbers : list
        The columns, in the order of the lines; empty if they were not asked for.
    """

    by_topic: ByTopic
    name: str
    risen: int
    topics: list[str]
    docs: list[str]
    ranks: list[int]
    numbers: list[float]


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

    found = run_of(Content.of(path), rows=True)
    columns = {
        "topic": found.topics,
        "doc": found.docs,
        "rank": found.ranks,
        "score": found.numbers,
        "run": [found.name] * len(found.topics),
    }
    return DataFrame(columns).astype({"rank": "int64", "score": "float64"})


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

    found = qrels_of(Content.of(path), rows=True)
    columns = {"topic": found.topics, "doc": found.docs, "relevance": found.numbers}
    return DataFrame(columns).astype({"relevance": "int64"})


def run_of(content: Content, rows: bool = False) -> Lines:
    """The lines of a run, with their columns if these are asked for."""
    quick = parsed(unpacked(content), True, rows)
    if quick is not None and ALL not in quick[0]:
        return Lines(*quick)
    path = content.path
    found = Lines({}, "", 0, [], [], [], [])
    names: list[str] = []
    for line, (topic, _, doc, rank, score, name) in split_lines(
        content.lines, path, RUN_FIELDS, {4: "are these judgments?"}
    ):
        if names and name != names[0]:
            what = f"the run is {name!r}, but the lines above are of run {names[0]!r}: a file must have one run"
            raise FormatError(path, line, what)
        names = [name]
        if topic == ALL:
            raise FormatError(path, line, "'all' is not a topic: this ranks systems, by values that are not a run's")
        add(found, topic, doc, parse_real(path, line, "score", score), path, line)
        found.ranks.append(parse_whole(path, line, "rank", rank))
    return found._replace(name="".join(names), risen=risen(found))


def risen(run: Lines) -> int:
    """The number of lines whose score is higher than that of the line before although their rank is lower."""
    lines = list(zip(run.topics, run.ranks, run.numbers))
    return sum(t == u and r < q and x < y for (t, r, x), (u, q, y) in pairwise(lines))


def qrels_of(content: Content, rows: bool = False) -> Lines:
    """The lines of judgments, with their columns if these are asked for."""
    quick = parsed(unpacked(content), False, rows)
    if quick is not None:
        return Lines(*quick)
    path = content.path
    found = Lines({}, "", 0, [], [], [], [])
    for line, (topic, _, doc, relevance) in split_lines(content.lines, path, QRELS_FIELDS, {6: "is this a run?"}):
        add(found, topic, doc, parse_whole(path, line, "relevance", relevance), path, line)
    return found


def add(found: Lines, topic: str, doc: str, number: float, path: FilePath, line: int) -> None:
    """Add a line, unless its topic has the document already."""
    documents = found.by_topic.setdefault(topic, {})
    if doc in documents:
        raise FormatError(path, line, f"document {doc!r} is repeated for topic {topic!r}")
    documents[doc] = number
    found.topics.append(topic)
    found.docs.append(doc)
    found.numbers.append(number)
