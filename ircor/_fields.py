"""How tools of the field name the columns of tables, and which names look like topics, averages and numbers of rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

Kind = Literal["topic", "system", "document", "score", "relevance"]

# In lower case.  Not "q", "t" or "d", which are as likely to be the name of one system.
TOPIC_NAMES = frozenset(
    [
        *("topic", "topics", "topic_id", "topicid", "topic_no", "topicno", "topic_nr", "topic_num", "topicnum"),
        *("topic_number", "topic_name", "tid", "qid", "q_id", "qno", "qnum", "query", "queries", "query_id", "queryid"),
        *("query_no", "queryno", "query_num", "querynum", "query_number", "question_id"),
    ]
)
SYSTEM_NAMES = frozenset(
    [
        *("system", "systems", "system_id", "systemid", "system_name", "run", "runs", "run_id", "runid", "run_name"),
        *("runname", "run_tag", "runtag", "name", "item", "model", "method", "approach", "tag"),
    ]
)
DOCUMENT_NAMES = frozenset({"doc", "doc_id", "docid", "docno", "doc_no", "document", "document_id", "documentid"})
SCORE_NAMES = frozenset({"score", "sim", "similarity"})
RELEVANCE_NAMES = frozenset({"relevance", "rel", "label", "grade"})

KINDS: dict[Kind, frozenset[str]] = {
    "topic": TOPIC_NAMES,
    "system": SYSTEM_NAMES,
    "document": DOCUMENT_NAMES,
    "score": SCORE_NAMES,
    "relevance": RELEVANCE_NAMES,
}
BY_NAME: dict[str, Kind] = {name: kind for kind, names in KINDS.items() for name in names}


def kind_of(name: object) -> Kind | None:
    """What a column, or the axis of a table, of this name holds; None if the name does not say.

    Capitals make no difference, nor whether words are joined by an underscore, a hyphen, a full stop or a space.

    Examples
    --------
    >>> kind_of("qid"), kind_of("Run ID"), kind_of("docno"), kind_of("map")
    ('topic', 'system', 'document', None)
    """
    if not isinstance(name, str):
        return None
    plain = name.strip().lower()
    for joint in "- .":
        plain = plain.replace(joint, "_")
    return BY_NAME.get(plain)


TOPIC = re.compile(r"(?:q|query|topic)?[-_ #.]?[0-9]+(?:[-_.][0-9]+)*", re.IGNORECASE)

# Words of which the names of averages and other summaries are made: "all", "Mean", "macro avg", "Grand Total".
SUMMARY_WORDS = frozenset(
    [
        *("all", "amean", "arithmetic", "average", "averages", "avg", "deviation", "geometric", "gmean", "grand"),
        *("macro", "mean", "means", "median", "micro", "overall", "queries", "sd", "std", "stddev", "stdev", "sum"),
        *("standard", "topics", "total", "totals", "var", "variance"),
    ]
)

ROW_NUMBERS = re.compile(r"|unnamed: [0-9]+(\.[0-9]+)?", re.IGNORECASE)
"""What R and pandas call a column with the numbers or names of rows, which has no name of its own."""

COUNTERS = frozenset({"index", "level_0", "X"})
"""What pandas and R call such a column once it is one of the others; it then counts."""


def is_topic(name: str) -> bool:
    """Whether the name is like those of topics: a number such as 401 or 31_2, or q7, query-7, topic7."""
    return TOPIC.fullmatch(name) is not None


def is_average(name: object) -> bool:
    """Whether a name stands for an average or another summary, rather than for a topic or a system.

    Examples
    --------
    >>> [is_average(name) for name in ("all", "Mean:", "macro avg", "401", "bm25")]
    [True, True, True, False, False]
    """
    words = re.findall(r"[^\W_]+", name.lower()) if isinstance(name, str) else []
    return bool(words) and SUMMARY_WORDS.issuperset(words)


def are_counts(names: Sequence[str]) -> bool:
    """Whether names only count rows or columns, from 0 or from 1, in any order."""
    return any(set(names) == {str(k) for k in range(first, first + len(names))} for first in (0, 1))


def odd_one_out(topics: Iterable[str]) -> str | None:
    """The one name that is not like a topic, if there are three others or more and all of them are."""
    names = list(topics)
    odd = [name for name in names if not is_topic(name)]
    return odd[0] if len(odd) == 1 and len(names) > 3 else None
