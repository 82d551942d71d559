"""Ranked runs and relevance judgments, as TREC has them."""

from __future__ import annotations

import numbers
import os
from collections.abc import Hashable, Iterable, Mapping
from itertools import pairwise
from sys import float_info
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from .._core.checks import column_values, is_missing, refuse_unhashable
from .._core.content import Content, parse_real, parse_whole, unpacked
from .._core.errors import InvalidTypeError, InvalidValueError, Source, shown
from .._core.files import FilePath
from .._core.names import ALL, Role, role_of
from .._core.text import listed
from .._core.types import Frame, HasItems
from .._extras import extra
from .._kernel.documents import parsed

if TYPE_CHECKING:
    import pandas

RUN_FIELDS, QRELS_FIELDS = "topic Q0 doc rank score run", "topic iteration doc relevance"


ByTopic: TypeAlias = dict[str, dict[str, Any]]
"""{topic: {doc: score or grade}}."""


class Lines(NamedTuple):
    """The lines of a run or of judgments."""

    by_topic: ByTopic
    """{topic: {doc: score}}, or {topic: {doc: grade}}."""
    name: str
    """The name of the run; "" without lines, and for judgments."""
    risen: int
    """The number of lines whose score is higher than that of the line before although their rank is lower."""
    topics: list[str]
    docs: list[str]
    ranks: list[int]
    numbers: list[float]
    """The columns, in the order of the lines; empty if they were not asked for."""


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
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "run.txt")
    ...     _ = path.write_text("301 Q0 FT911-1 1 7.25 mine\\n301 Q0 FT911-9 2 6.5 mine\\n")
    ...     read_run(path)
      topic      doc  rank  score   run
    0   301  FT911-1     1   7.25  mine
    1   301  FT911-9     2   6.50  mine
    """
    DataFrame = extra("pandas", "reading files").DataFrame

    run = run_of(Content.of(path), rows=True)
    columns = {
        "topic": run.topics,
        "doc": run.docs,
        "rank": run.ranks,
        "score": run.numbers,
        "run": [run.name] * len(run.topics),
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
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "qrels.txt")
    ...     _ = path.write_text("301 0 FT911-1 1\\n301 0 FT911-9 0\\n")
    ...     read_qrels(path)
      topic      doc  relevance
    0   301  FT911-1          1
    1   301  FT911-9          0
    """
    DataFrame = extra("pandas", "reading files").DataFrame

    qrels = qrels_of(Content.of(path), rows=True)
    columns = {"topic": qrels.topics, "doc": qrels.docs, "relevance": qrels.numbers}
    return DataFrame(columns).astype({"relevance": "int64"})


def run_of(content: Content, rows: bool = False) -> Lines:
    """The lines of a run, with their columns if these are asked for."""
    quick = parsed(unpacked(content), True, rows)
    if quick is not None and ALL not in quick[0]:
        return Lines(*quick)
    run = Lines({}, "", 0, [], [], [], [])
    names: list[str] = []
    for line, (topic, _, doc, rank, score, name) in content.fields(RUN_FIELDS, {4: "are these judgments?"}):
        if names and name != names[0]:
            what = f"the run is {name!r}, but the lines above are of run {names[0]!r}: a file must have one run"
            raise content.error(what, line=line)
        names = [name]
        if topic == ALL:
            what = "'all' is not a topic: this ranks systems, by values that are not a run's"
            raise content.error(what, line=line)
        add_line(run, topic, doc, parse_real(content.path, line, "score", score), content, line)
        run.ranks.append(parse_whole(content.path, line, "rank", rank))
    return run._replace(name="".join(names), risen=risen(run))


def risen(run: Lines) -> int:
    """The number of lines whose score is higher than that of the line before although their rank is lower."""
    lines = list(zip(run.topics, run.ranks, run.numbers))
    return sum(t == u and r < q and x < y for (t, r, x), (u, q, y) in pairwise(lines))


def qrels_of(content: Content, rows: bool = False) -> Lines:
    """The lines of judgments, with their columns if these are asked for."""
    quick = parsed(unpacked(content), False, rows)
    if quick is not None:
        return Lines(*quick)
    qrels = Lines({}, "", 0, [], [], [], [])
    for line, (topic, _, doc, relevance) in content.fields(QRELS_FIELDS, {6: "is this a run?"}):
        add_line(qrels, topic, doc, parse_whole(content.path, line, "relevance", relevance), content, line)
    return qrels


def add_line(lines: Lines, topic: str, doc: str, number: float, content: Content, line: int) -> None:
    """Add a line, unless its topic has the document already."""
    documents = lines.by_topic.setdefault(topic, {})
    if doc in documents:
        raise content.error(f"document {doc!r} is repeated for topic {topic!r}", line=line)
    documents[doc] = number
    lines.topics.append(topic)
    lines.docs.append(doc)
    lines.numbers.append(number)


Value = Literal["score", "relevance"]
Id = TypeVar("Id", bound=Hashable)


class OfRanx(Protocol):
    """A Run or Qrels of ranx."""

    def to_dict(self) -> HasItems[HasItems[float]]: ...

    def to_typed_list(self) -> object: ...


def is_run(source: object) -> bool:
    """Whether it is a Run of ranx."""
    return hasattr(source, "to_typed_list") and hasattr(source, "run")


Documents: TypeAlias = (
    "str | os.PathLike[str] | HasItems[HasItems[float]] | Frame | Iterable[tuple[object, ...]] | OfRanx"
)
"""A run or judgments: a path, a mapping, a table, named tuples, or an object of ranx."""

# Beside the column on the right, the one on the left does not identify anything: in PyTerrier's frames, "query" is the
# text of the topic "qid", and "docid" the number that an index gives to the document "docno".
NOT_BESIDE = {"query": {"qid", "q_id", "query_id"}, "docid": {"docno"}}

SOURCES = "must be a path, a mapping, a table or an iterable of named tuples"

VALUES: dict[str, Value] = {"run": "score", "qrels": "relevance"}
"""The numbers of each."""

EXPECTED: dict[Role, str] = {
    "topic": "topics: topic, qid or query_id",
    "document": "documents: doc, docno or doc_id",
    "score": "scores: score",
    "relevance": "relevance: relevance or label",
}


def by_topic(source: Any, form: Literal["run", "qrels"], called: str = "") -> dict[Any, dict[Any, float]]:
    """{topic: {doc: number}} from whatever holds a run or judgments.

    Parameters
    ----------
    source : path, mapping, table, iterable, or ranx object
    form : {"run", "qrels"}
        Which of the two it is.
    called : str
        The argument in messages; by default "run" or "qrels".
    """
    name, value = called or form, VALUES[form]
    if isinstance(source, (str, os.PathLike)):
        content = Content.of(source)
        return (run_of(content) if form == "run" else qrels_of(content)).by_topic
    of_type = f"a {type(source).__name__}"
    if hasattr(source, "collect") and not hasattr(source, "__len__"):
        raise InvalidTypeError(Source(name), f"is {of_type}, which has no rows yet", "collect it first")
    # A Run or Qrels of ranx keeps its numbers in `run` or `qrels`.
    if hasattr(source, "to_dict") and not hasattr(source, "columns") and hasattr(source, "to_typed_list"):
        if not hasattr(source, form):
            raise InvalidTypeError(Source(name), f"must be a {form.capitalize()} of ranx, not {of_type}")
        source = source.to_dict()
    if isinstance(source, Mapping):
        topics = source
    elif hasattr(source, "columns"):
        names = column_names(source)
        columns = [the_column(names, name, role) for role in ("topic", "document", value)]
        if form == "run":
            refuse_several_runs(source, names, name)
        topics = grouped(name, *(column_values(source, column) for column in columns))
    elif isinstance(source, Iterable) and not isinstance(source, bytes):
        topics = grouped(name, *fields_of_records(source, name, value))
    else:
        raise InvalidTypeError(Source(name), f"{SOURCES}, not {of_type}")
    return {topic: numbers_of_topic(topic, documents, name, value) for topic, documents in topics.items()}


def column_names(table: Any) -> list[Any]:
    """The names of the columns; the `columns` of an Arrow table are not their names."""
    return list(getattr(table, "column_names", table.columns))


def the_column(names: list[Any], argument: str, role: Role) -> Any:
    """The one column that has the topics, the documents or the numbers, by its name."""
    columns = [name for name in names if role_of(name) == role]
    present = {str(name).lower() for name in columns}
    clear = [name for name in columns if not NOT_BESIDE.get(str(name).lower(), set()) & present]
    if not clear:
        raise InvalidValueError(
            Source(argument), f"has no column of {EXPECTED[role]}; it has {listed(map(repr, names))}"
        )
    if len(clear) > 1:
        subject = (f"the {EXPECTED[role].partition(':')[0]} of ", Source(argument))
        problem = (*subject, f" may be in the column {' or '.join(map(repr, clear))}")
        raise InvalidValueError(None, problem, "keep one of them")
    return clear[0]


def refuse_several_runs(table: Any, names: list[Any], argument: str) -> None:
    """Raise if a column names more than one run: their documents would be taken for one ranking."""
    for column in names:
        if role_of(column) == "system":
            values = column_values(table, column)
            refuse_unhashable(values, "the name of a run")
            if len(runs := list(dict.fromkeys(values))) > 1:
                what = f"has several runs in the column {column!r}: {listed(map(repr, runs), 3)}"
                raise InvalidValueError(Source(argument), what)


def fields_of_records(records: Iterable[Any], name: str, value: Value) -> list[list[Any]]:
    """The topics, the documents and the numbers of named tuples."""
    fields: list[list[Any]] = [[], [], []]
    # Records of one iterable are usually of one type, which is looked at once.
    columns_by_type: dict[type, tuple[str, ...]] = {}
    for record in records:
        of_type = type(record)
        if of_type not in columns_by_type:
            names = list(getattr(record, "_fields", ()))
            if not names:
                what = f"{SOURCES}, such as those of ir_measures, not an iterable of {shown(record)}"
                raise InvalidTypeError(Source(name), what)
            columns_by_type[of_type] = tuple(the_column(names, name, role) for role in ("topic", "document", value))
        for values, field in zip(fields, columns_by_type[of_type]):
            values.append(getattr(record, field))
    return fields


def grouped(name: str, topics: list[Any], docs: list[Any], values: list[Any]) -> dict[Any, dict[Any, Any]]:
    """{topic: {doc: value}} from one topic, document and value for each row."""
    refuse_unhashable(topics, "a topic")
    refuse_unhashable(docs, "a document id")
    by_topic: dict[Any, dict[Any, Any]] = {}
    for topic, doc, number in zip(topics, docs, values):
        documents = by_topic.setdefault(topic, {})
        if doc in documents:
            raise InvalidValueError(Source(name), f"has document {doc!r} twice for topic {topic!r}")
        documents[doc] = number
    return by_topic


def numbers_of_topic(topic: Any, documents: Any, name: str, value: str) -> dict[Any, float]:
    """{doc: number} of one topic, as Python numbers: the negative of an unsigned NumPy integer would be positive."""
    if is_missing(topic):
        raise InvalidValueError(Source(name), "has a topic without a name")
    if not isinstance(documents, Mapping):
        what = f"must map topic {topic!r} to a mapping of documents to numbers, not to {shown(documents)}"
        raise InvalidTypeError(Source(name), what)
    values: dict[Any, float] = {}
    for doc, number in documents.items():
        if type(doc) is not str and is_missing(doc):
            raise InvalidValueError(Source(name), f"has a document without an id for topic {topic!r}")
        if isinstance(number, bool) or not isinstance(number, numbers.Real):
            subject = (f"the {value} of document {doc!r} for topic {topic!r} in ", Source(name))
            raise InvalidTypeError(None, (*subject, f" must be a number, not {number!r}"))
        values[doc] = int(number) if isinstance(number, numbers.Integral) else float(number)
        # A whole number may be larger than any float: scores become floats, labels do not.
        if (value == "score" or type(values[doc]) is float) and not abs(values[doc]) <= float_info.max:
            subject = (f"the {value} of document {doc!r} for topic {topic!r} in ", Source(name))
            raise InvalidValueError(None, (*subject, " is not finite"))
    return values


def in_trec_eval_order(scores: Mapping[Id, float]) -> list[Id]:
    """The documents of a topic as trec_eval ranks them: by score, those with equal scores by id, the last id first.

    trec_eval keeps scores in single precision, so scores that differ after the seventh digit or so are equal.
    """
    with np.errstate(over="ignore"):  # beyond the range of single precision, scores are infinite
        single = np.array(list(map(float, scores.values()))).astype(np.float32).tolist()
    ranked = sorted(zip(single, map(str, scores), range(len(single))), reverse=True)
    documents = list(scores)
    return [documents[k] for _, _, k in ranked]
