"""Reliability and Sensitivity of a ranked run against relevance judgments, topic by topic."""

from __future__ import annotations

import numbers
import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._options import one_of, real_number, shown
from .._result import Column, Result, Table
from .._text import counted, listed
from ._ids import column_values, is_missing, refuse_incomparable_ids, refuse_unhashable
from ._model import Organization
from ._reliability import evaluate, weight_parameter
from ._results import RS

if TYPE_CHECKING:
    import pandas

Ties = Literal["level", "trec_eval"]


@dataclass(frozen=True)
class RunsResult(Result):
    """The scores of a run.

    Attributes
    ----------
    topics : dict of topic to RS
        Reliability, Sensitivity and R*S over priority relations, for each topic with a relevant document.
    mean : RS
        The means over these topics; `mean.f` is the mean of the topics' R*S.
    missing : list
        The topics among these that are not in the run.  They are scored as an empty ranking, which is 0.
    unjudged : list
        The topics of the run that are not in the judgments.  They are not scored.
    without_relevant : list
        The topics of the judgments that have no relevant document.  They are not scored.
    """

    topics: dict[Any, RS] = field(repr=False)
    mean: RS
    missing: list[Any]
    unjudged: list[Any]
    without_relevant: list[Any]

    def to_frame(self) -> pandas.DataFrame:
        """The scores of the topics, without the mean.

        Returns
        -------
        pandas.DataFrame
            One row for each topic, with the columns reliability, sensitivity and f.
        """
        from pandas import DataFrame, Index

        return DataFrame(list(self.topics.values()), index=Index(list(self.topics), name="topic"), columns=RS._fields)

    def tables(self) -> list[Table]:
        """One row for each topic, and a last row with the means."""
        rows = [(topic, *scores) for topic, scores in [*self.topics.items(), ("mean", self.mean)]]
        return [Table("topics", [Column("topic", text=str), *map(Column, RS._fields)], rows)]

    @property
    def notes(self) -> list[str]:  # type: ignore[override]
        """A note for each kind of topic that is scored as 0 or not scored; the first ten topics are named."""
        kinds = (
            (self.missing, "{} not in the run, scored as 0"),
            (self.unjudged, "{} of the run without judgments, not scored"),
            (self.without_relevant, "{} without a relevant document, not scored"),
        )
        return [f"{note.format(counted(len(topics), 'topic'))}: {listed(topics)}" for topics, note in kinds if topics]

    def as_dict(self) -> dict[str, Any]:
        """The attributes, for JSON."""
        return {
            "topics": {topic: scores._asdict() for topic, scores in self.topics.items()},
            "mean": self.mean._asdict(),
            "missing": self.missing,
            "unjudged": self.unjudged,
            "without_relevant": self.without_relevant,
        }


def evaluate_runs(
    run: Any,
    qrels: Any,
    *,
    top: int,
    weight: float,
    min_relevance: float = 1,
    graded: bool = True,
    ties: Ties = "level",
) -> RunsResult:
    """Reliability and Sensitivity of a ranked run against relevance judgments, for each topic and on average.

    For each topic, the gold standard has the relevant documents on one level for each grade, the highest grade on top.
    All other documents, judged or not, are in the tail.  The system's organization is the ranking by score; the ranks
    in a run file are ignored, as trec_eval ignores them.  Each topic is scored by `evaluate` in an open collection.

    Parameters
    ----------
    run, qrels : path, mapping or pandas.DataFrame
        The run and the judgments: files in TREC's format, plain or gzipped; mappings {topic: {doc: score}} and
        {topic: {doc: relevance}}; or DataFrames with the columns topic, doc and score or relevance.  The columns can
        also be named query_id and doc_id, as in ir_measures.
    top, weight : int, float
        The first `top` documents carry the share `weight` of the score, as in `evaluate`.
    min_relevance : float
        The lowest grade that counts as relevant.
    graded : bool
        Whether documents with higher grades are on higher levels.  If False, all relevant documents are on one level.
    ties : {"level", "trec_eval"}
        Documents with the same score share a "level", or they are ranked by their ids in reverse alphabetical order, as
        "trec_eval" ranks them.

    Returns
    -------
    RunsResult

    Raises
    ------
    TypeError
        If an argument has the wrong type, or if the ids in `run` and `qrels` have types that are never equal.
    ValueError
        If an option is out of range, if a file or a table is malformed, or if `run` and `qrels` have no common topic.

    Examples
    --------
    >>> run = {"1": {"d1": 9.5, "d7": 8.0, "d2": 7.5}, "2": {"d5": 3.0}}
    >>> qrels = {"1": {"d1": 1, "d2": 1, "d7": 0}, "2": {"d5": 1, "d6": 2}, "3": {"d8": 0}}
    >>> print(evaluate_runs(run, qrels, top=10, weight=0.8))
    topic  reliability  sensitivity       f
    1           0.5552       1.0000  0.7140
    2           1.0000       0.3032  0.4654
    mean        0.7776       0.6516  0.5897
    <BLANKLINE>
    Note: 1 topic without a relevant document, not scored: 3
    """
    one_of(ties, "ties", ("level", "trec_eval"))
    weight_parameter(top, weight)  # Checked before the files are read.
    least = real_number(min_relevance, "min_relevance")
    if isnan(least):
        raise ValueError("'min_relevance' must not be nan")
    if not isinstance(graded, bool):
        raise TypeError(f"'graded' must be True or False, not {shown(graded)}")
    ranked, judged = by_topic(run, "run", "score"), by_topic(qrels, "qrels", "relevance")
    refuse_incomparable_ids("topic", run=ranked, qrels=judged)
    if not judged:
        raise ValueError("'qrels' has no topics")
    if ranked and not ranked.keys() & judged.keys():
        topics_of = [listed(map(repr, topics), 3) for topics in (ranked, judged)]
        raise ValueError(f"no topic of 'run' is in 'qrels': they have {topics_of[0]} and {topics_of[1]}")
    topics: dict[Any, RS] = {}
    for topic, judgments in judged.items():
        relevant = {doc: grade if graded else 0 for doc, grade in judgments.items() if grade >= least}
        if relevant:
            gold = Organization._from_occurrences(list(relevant), [-grade for grade in relevant.values()])
            try:
                system = organization_of_ranking(ranked.get(topic, {}), ties)
                topics[topic] = evaluate(system, gold, top=top, weight=weight).priority
            except (TypeError, ValueError) as error:
                raise type(error)(f"topic {topic!r}: {error}") from None
    means = np.mean(list(topics.values()), axis=0) if topics else np.full(3, np.nan)
    return RunsResult(
        topics,
        RS(*map(float, means)),
        missing=[topic for topic in topics if topic not in ranked],
        unjudged=[topic for topic in ranked if topic not in judged],
        without_relevant=[topic for topic in judged if topic not in topics],
    )


def organization_of_ranking(scores: Mapping[Hashable, float], ties: Ties) -> Organization:
    """The documents of one topic on levels by decreasing score."""
    if ties == "level":
        return Organization._from_occurrences(list(scores), [-score for score in scores.values()])
    return Organization.from_ranking(sorted(scores, key=lambda doc: (scores[doc], str(doc)), reverse=True))


def by_topic(source: Any, name: str, value: str) -> dict[Any, dict[Any, float]]:
    """{topic: {doc: number}} from a file, a mapping or a table.

    Parameters
    ----------
    source : path, mapping or table
    name : {"run", "qrels"}
        The argument that the source comes from.
    value : str
        What the numbers are: the name of their column in a table.
    """
    if isinstance(source, (str, os.PathLike)):
        from ..trec import read_qrels, read_run

        source = read_run(source) if name == "run" else read_qrels(source)
    if isinstance(source, Mapping):
        found = source
    elif hasattr(source, "columns"):
        found = table_by_topic(source, name, value)
    else:
        raise TypeError(f"'{name}' must be a path, a mapping or a table, not a {type(source).__name__}")
    return {topic: numbers_of_topic(topic, documents, name, value) for topic, documents in found.items()}


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
        if isinstance(number, bool) or not isinstance(number, numbers.Real):
            raise TypeError(f"the {value} of document {doc!r} for topic {topic!r} must be a number, not {number!r}")
        found[doc] = int(number) if isinstance(number, numbers.Integral) else float(number)
        if isinstance(found[doc], float) and not isfinite(found[doc]):
            raise ValueError(f"the {value} of document {doc!r} for topic {topic!r} is not finite")
    return found


def table_by_topic(table: Any, name: str, value: str) -> dict[Any, dict[Any, Any]]:
    """{topic: {doc: value}} from a table with one row for each document of a topic."""
    topic_column, doc_column = ("topic", "doc") if "topic" in list(table.columns) else ("query_id", "doc_id")
    topics, docs = column_values(table, topic_column), column_values(table, doc_column)
    refuse_unhashable(topics, "a topic")
    refuse_unhashable(docs, "a document id")
    found: dict[Any, dict[Any, Any]] = {}
    for topic, doc, number in zip(topics, docs, column_values(table, value)):
        documents = found.setdefault(topic, {})
        if doc in documents:
            raise ValueError(f"'{name}' has document {doc!r} twice for topic {topic!r}")
        documents[doc] = number
    return found
