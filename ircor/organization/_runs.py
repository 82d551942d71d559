"""Reliability and Sensitivity of a ranked run against relevance judgments, topic by topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.checks import refuse_incomparable_ids
from .._core.errors import Argument, InvalidTypeError, InvalidValueError, IrcorError, must_be
from .._core.options import (
    DOCUMENT_TIES,
    GRADED,
    MIN_RELEVANCE,
    TOP_DOCUMENTS,
    WEIGHT,
    DocumentTies as Ties,
    real_number,
    takes,
)
from .._core.results import Result
from .._core.text import listed
from .._core.work import Progress, watched
from .._extras import extra
from ..trec import Documents, by_topic, in_trec_eval_order, stem
from ._measures import evaluate, weight_parameter
from ._relations import RS, Organization

if TYPE_CHECKING:
    import pandas


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

    topics: dict[Hashable, RS] = field(repr=False)
    mean: RS
    missing: list[Hashable]
    unjudged: list[Hashable]
    without_relevant: list[Hashable]

    def to_frame(self) -> pandas.DataFrame:
        """The scores of the topics, without the mean.

        Returns
        -------
        pandas.DataFrame
            One row for each topic, with the columns reliability, sensitivity and f.
        """
        pd = extra("pandas", "a DataFrame")

        return pd.DataFrame(
            list(self.topics.values()), index=pd.Index(list(self.topics), name="topic"), columns=RS._fields
        )


@dataclass(frozen=True)
class RunsTable(Result):
    """The scores of many runs.

    Attributes
    ----------
    runs : dict of name to RunsResult
    """

    runs: dict[str, RunsResult] = field(repr=False)

    def to_frame(self) -> pandas.DataFrame:
        """The means of the runs: one row for each, with the columns reliability, sensitivity and f."""
        pd = extra("pandas", "a DataFrame")

        means = [result.mean for result in self.runs.values()]
        return pd.DataFrame(means, index=pd.Index(list(self.runs), name="run"), columns=RS._fields)


def evaluate_each(paths: Sequence[str], qrels: Documents, **options: Any) -> RunsTable:
    """The scores of each run by the same judgments, which are read once; the options are those of `evaluate_runs`.

    A run is called by its file, without folder and ending if no other file has this name.
    """
    judged = by_topic(qrels, "qrels")
    short = Counter(map(stem, paths))
    runs = {}
    for path in paths:
        try:
            runs[stem(path) if short[stem(path)] == 1 else path] = evaluate_runs(path, judged, **options)
        except InvalidValueError as error:
            raise InvalidValueError(None, (f"{path}: ", *error.parts)) from None
    return RunsTable(runs)


@takes(TOP_DOCUMENTS, WEIGHT, MIN_RELEVANCE, GRADED, DOCUMENT_TIES)
def evaluate_runs(
    run: Documents,
    qrels: Documents,
    *,
    top: int,
    weight: float,
    min_relevance: float = 1,
    graded: bool = True,
    ties: Ties = "level",
    progress: Progress = None,
) -> RunsResult:
    """Reliability and Sensitivity of a ranked run against relevance judgments, for each topic and on average.

    For each topic, the gold standard has the relevant documents on one level for each grade, the highest grade on top.
    All other documents, judged or not, are in the tail.  The system's organization is the ranking by score; the ranks
    in a run file are ignored, as trec_eval ignores them.  Each topic is scored by `evaluate` in an open collection.

    Parameters
    ----------
    run, qrels : path, mapping, table, iterable, or ranx object
        The run and the judgments, of the same topics and with ids of the same type:

        - files in TREC's format, plain or gzipped;
        - mappings {topic: {doc: score}} and {topic: {doc: relevance}};
        - DataFrames (pandas, Polars or Arrow) with a row for each document of a topic.  Columns are known by the names
          that tools give them: topic, qid or query_id; doc, docno or doc_id; score; relevance or label.  Beside qid, a
          column query has the text of the query, and beside docno, a column docid has internal numbers: both are
          ignored, as PyTerrier has them.  If two other columns could be meant, the table is refused;
        - iterables of named tuples with these names, such as ScoredDoc and Qrel of ir_measures and ir_datasets;
        - Run and Qrels of ranx.
    top : int
        The first `top` documents carry the share `weight` of the score, as in `evaluate`.
    weight : float
        The share of the score, between 0 and 1, that these documents carry.
    min_relevance : float
        The lowest grade that counts as relevant.
    graded : bool
        Whether documents with higher grades are on higher levels.  If False, all relevant documents are on one level.
    ties : {"level", "trec_eval"}
        Documents with the same score share a "level", or they are ranked by their ids in reverse alphabetical order, as
        "trec_eval" ranks them.  As there, scores are then in single precision.
    progress : callable or bool, optional
        As for `ircor.bootstrap`.

    Returns
    -------
    RunsResult

    Raises
    ------
    TypeError
        If an argument has the wrong type, or if the ids in `run` and `qrels` have types that are never equal.
    ValueError
        If an option is out of range, if a file or a table is malformed or has several runs, or if `run` and `qrels`
        have no common topic.

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
    DOCUMENT_TIES.checked(ties)
    weight_parameter(top, weight)  # Checked before the files are read.
    least = real_number(min_relevance, "min_relevance")
    if isnan(least):
        raise InvalidValueError("min_relevance", "must not be nan")
    if not isinstance(graded, bool):
        raise InvalidTypeError("graded", must_be("True or False", graded))
    ranked, judged = by_topic(run, "run"), by_topic(qrels, "qrels")
    refuse_incomparable_ids("topic", run=ranked, qrels=judged)
    if not judged:
        raise InvalidValueError("qrels", "has no topics")
    if ranked and not ranked.keys() & judged.keys():
        theirs = " and ".join(listed(map(repr, topics), 3) for topics in (ranked, judged))
        nowhere = "no topic of ", Argument("run"), " is in ", Argument("qrels")
        raise InvalidValueError(None, nowhere, f"they have {theirs}")
    topics: dict[Hashable, RS] = {}
    with watched(len(judged), progress) as tell:
        for done, (topic, judgments) in enumerate(judged.items(), 1):
            relevant = {doc: grade if graded else 0 for doc, grade in judgments.items() if grade >= least}
            if relevant:
                gold = Organization._from_occurrences(list(relevant), [-grade for grade in relevant.values()])
                try:
                    system = organization_of_ranking(ranked.get(topic, {}), ties)
                    topics[topic] = evaluate(system, gold, top=top, weight=weight).priority
                except (TypeError, ValueError) as error:
                    kind = InvalidTypeError if isinstance(error, TypeError) else InvalidValueError
                    problem = error.parts if isinstance(error, IrcorError) else (str(error),)
                    raise kind(None, f"topic {topic!r}", problem) from None
            tell(done)
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
    return Organization.from_ranking(in_trec_eval_order(scores))
