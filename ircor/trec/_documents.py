"""Runs and judgments as {topic: {doc: number}}, from files, mappings, tables and the objects of other tools."""

from __future__ import annotations

import numbers
import os
from collections.abc import Hashable, Iterable, Mapping
from sys import float_info
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import numpy as np

from .._fields import Kind, kind_of
from .._ids import column_values, is_missing, refuse_unhashable
from .._options import shown
from .._text import listed
from .._types import Frame, HasItems
from ._content import Content
from ._runs import qrels_of, run_of

Value = Literal["score", "relevance"]
Id = TypeVar("Id", bound=Hashable)


class OfRanx(Protocol):
    """A Run or Qrels of ranx."""

    def to_dict(self) -> HasItems[HasItems[float]]: ...

    def to_typed_list(self) -> object: ...


Documents: TypeAlias = (
    "str | os.PathLike[str] | HasItems[HasItems[float]] | Frame | Iterable[tuple[object, ...]] | OfRanx"
)
"""A run or judgments: a path, a mapping, a table, named tuples, or an object of ranx."""

# Beside the column on the right, the one on the left does not identify anything: in PyTerrier's frames, "query" is the
# text of the topic "qid", and "docid" the number that an index gives to the document "docno".
NOT_BESIDE = {"query": {"qid", "q_id", "query_id"}, "docid": {"docno"}}

VALUES: dict[str, Value] = {"run": "score", "qrels": "relevance"}
"""What the numbers of each are."""

EXPECTED: dict[Kind, str] = {
    "topic": "topics: topic, qid or query_id",
    "document": "documents: doc, docno or doc_id",
    "score": "scores: score",
    "relevance": "relevance: relevance or label",
}


def by_topic(source: Any, kind: Literal["run", "qrels"], called: str = "") -> dict[Any, dict[Any, float]]:
    """{topic: {doc: number}} from whatever holds a run or judgments.

    Parameters
    ----------
    source : path, mapping, table, iterable, or ranx object
    kind : {"run", "qrels"}
        Which of the two it is.
    called : str
        What messages call it; by default by its kind.
    """
    name, value = called or kind, VALUES[kind]
    if isinstance(source, (str, os.PathLike)):
        content = Content.of(source)
        return (run_of(content) if kind == "run" else qrels_of(content)).by_topic
    if hasattr(source, "collect") and not hasattr(source, "__len__"):
        raise TypeError(f"'{name}' is a {type(source).__name__}, which has no rows yet: collect it first")
    if is_ranx(source):
        if not hasattr(source, kind):
            raise TypeError(f"'{name}' must be a {kind.capitalize()} of ranx, not a {type(source).__name__}")
        source = source.to_dict()
    if isinstance(source, Mapping):
        found = source
    elif hasattr(source, "columns"):
        names = column_names(source)
        columns = {part: the_column(names, name, part) for part in ("topic", "document", value)}
        if kind == "run":
            refuse_several_runs(source, names, name)
        found = grouped(name, *(column_values(source, column) for column in columns.values()))
    elif isinstance(source, Iterable) and not isinstance(source, bytes):
        found = grouped(name, *fields_of_records(source, name, value))
    else:
        raise TypeError(
            f"'{name}' must be a path, a mapping, a table or an iterable of named tuples, not a {type(source).__name__}"
        )
    return {topic: numbers_of_topic(topic, documents, name, value) for topic, documents in found.items()}


def is_ranx(source: Any) -> bool:
    """Whether the source is a Run or Qrels of ranx, which keep their numbers in `run` and `qrels`."""
    return hasattr(source, "to_dict") and not hasattr(source, "columns") and hasattr(source, "to_typed_list")


def column_names(table: Any) -> list[Any]:
    """The names of the columns; the `columns` of an Arrow table are not their names."""
    return list(getattr(table, "column_names", table.columns))


def the_column(names: list[Any], argument: str, kind: Kind) -> Any:
    """The one column that has the topics, the documents or the numbers, by its name."""
    found = [name for name in names if kind_of(name) == kind]
    present = {str(name).lower() for name in found}
    clear = [name for name in found if not NOT_BESIDE.get(str(name).lower(), set()) & present]
    if not clear:
        raise ValueError(f"'{argument}' has no column of {EXPECTED[kind]}; it has {listed(map(repr, names))}")
    if len(clear) > 1:
        what = EXPECTED[kind].partition(":")[0]
        either = " or ".join(map(repr, clear))
        raise ValueError(f"the {what} of '{argument}' may be in the column {either}: keep one of them")
    return clear[0]


def refuse_several_runs(table: Any, names: list[Any], argument: str) -> None:
    """Raise if a column names more than one run: their documents would be taken for one ranking."""
    for column in names:
        if kind_of(column) == "system":
            values = column_values(table, column)
            refuse_unhashable(values, "the name of a run")
            if len(runs := list(dict.fromkeys(values))) > 1:
                raise ValueError(
                    f"'{argument}' has several runs in the column {column!r}: {listed(map(repr, runs), 3)}"
                )


def fields_of_records(records: Iterable[Any], name: str, value: Value) -> list[list[Any]]:
    """The topics, the documents and the numbers of named tuples."""
    found: list[list[Any]] = [[], [], []]
    # Records of one iterable are usually of one type, which is looked at once.
    known: dict[type, tuple[str, ...]] = {}
    for record in records:
        kind = type(record)
        if kind not in known:
            fields = list(getattr(record, "_fields", ()))
            if not fields:
                raise TypeError(
                    f"'{name}' must be a path, a mapping, a table or an iterable of named tuples, such as those of "
                    f"ir_measures, not an iterable of {shown(record)}"
                )
            known[kind] = tuple(the_column(fields, name, part) for part in ("topic", "document", value))
        for values, field in zip(found, known[kind]):
            values.append(getattr(record, field))
    return found


def grouped(name: str, topics: list[Any], docs: list[Any], values: list[Any]) -> dict[Any, dict[Any, Any]]:
    """{topic: {doc: value}} from one topic, document and value for each row."""
    refuse_unhashable(topics, "a topic")
    refuse_unhashable(docs, "a document id")
    found: dict[Any, dict[Any, Any]] = {}
    for topic, doc, number in zip(topics, docs, values):
        documents = found.setdefault(topic, {})
        if doc in documents:
            raise ValueError(f"'{name}' has document {doc!r} twice for topic {topic!r}")
        documents[doc] = number
    return found


def numbers_of_topic(topic: Any, documents: Any, name: str, value: str) -> dict[Any, float]:
    """{doc: number} of one topic, as Python numbers: the negative of an unsigned NumPy integer would be positive."""
    if is_missing(topic):
        raise ValueError(f"'{name}' has a topic without a name")
    if not isinstance(documents, Mapping):
        raise TypeError(
            f"'{name}' must map topic {topic!r} to a mapping of documents to numbers, not to {shown(documents)}"
        )
    found: dict[Any, float] = {}
    for doc, number in documents.items():
        if type(doc) is not str and is_missing(doc):
            raise ValueError(f"'{name}' has a document without an id for topic {topic!r}")
        if isinstance(number, bool) or not isinstance(number, numbers.Real):
            where = f"document {doc!r} for topic {topic!r} in '{name}'"
            raise TypeError(f"the {value} of {where} must be a number, not {number!r}")
        found[doc] = int(number) if isinstance(number, numbers.Integral) else float(number)
        # A whole number may be larger than any float: scores become floats, labels do not.
        if (value == "score" or type(found[doc]) is float) and not abs(found[doc]) <= float_info.max:
            raise ValueError(f"the {value} of document {doc!r} for topic {topic!r} in '{name}' is not finite")
    return found


def in_trec_eval_order(scores: Mapping[Id, float]) -> list[Id]:
    """The documents of a topic as trec_eval ranks them: by score, those with equal scores by id, the last id first.

    trec_eval keeps scores in single precision, so scores that differ after the seventh digit or so are equal.
    """
    with np.errstate(over="ignore"):  # beyond the range of single precision, scores are infinite
        single = np.array(list(map(float, scores.values()))).astype(np.float32).tolist()
    ranked = sorted(zip(single, map(str, scores), range(len(single))), reverse=True)
    documents = list(scores)
    return [documents[k] for _, _, k in ranked]
