"""Names of items, and how tools of the field name columns: topics, systems, documents, averages."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal

from .errors import Argument, InvalidTypeError, InvalidValueError, must_be


def several(value: Any) -> list[Any]:
    """The elements of an iterable as a list; a string, or a value that is not iterable, is a single element."""
    if isinstance(value, str):
        return [value]
    try:
        return list(value)
    except TypeError:
        return [value]


def pair_of(labels: Any) -> list[str]:
    """The names of the two rankings or measures."""
    pair = several(labels)
    if len(pair) != 2:
        raise InvalidValueError("labels", must_be("two names, one for each ranking", labels))
    return [str(label) for label in pair]


def given_names(names: Iterable[Any], n: int) -> list[Any]:
    """The names of n items; a string gives one letter to each."""
    given = list(names) if isinstance(names, str) else several(names)
    if len(given) != n:
        raise InvalidValueError("names", f"must have one name for each of the {n} items, not {len(given)}")
    return given


def given_measures(measures: Any) -> list[str] | None:
    """The names of measures, each once; None if none are chosen."""
    names = [measures] if isinstance(measures, str) else measures
    if names is None:
        return None
    if not (isinstance(names, (list, tuple)) and names and all(isinstance(name, str) for name in names)):
        raise InvalidTypeError("measures", must_be("the name of a measure, or a list of names", measures))
    return list(dict.fromkeys(names))


def index_of(vector: Any) -> list[Hashable] | None:
    """The index of a pandas Series; None for other vectors, and for an index that only counts from 0."""
    if not (hasattr(vector, "index") and hasattr(vector, "reindex")):
        return None
    names = list(vector.index)
    return None if names == list(range(len(names))) else names


def item_names(x: Any, y: Any, names: Iterable[Any] | None, n: int) -> list[Any]:
    """The given names, else the index of x or of y, else "item 0" and so on."""
    if names is not None:
        return given_names(names, n)
    x_names, y_names = index_of(x), index_of(y)
    if x_names is not None and y_names is not None and x_names != y_names:
        k = next(k for k in range(n) if x_names[k] != y_names[k])
        raise InvalidValueError(
            ("x", "y"),
            "are matched by position, so their indices must be the same, in the same order",
            (
                f"at position {k}, they have {x_names[k]!r} and {y_names[k]!r}; reindex one of them, or give ",
                Argument("names"),
            ),
        )
    return x_names or y_names or [f"item {k}" for k in range(n)]


Role = Literal["topic", "system", "document", "score", "relevance"]

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

MEASURE_NAMES = frozenset({"measure", "metric"})

ROLES: dict[Role, frozenset[str]] = {
    "topic": TOPIC_NAMES,
    "system": SYSTEM_NAMES,
    "document": DOCUMENT_NAMES,
    "score": SCORE_NAMES,
    "relevance": RELEVANCE_NAMES,
}
BY_NAME: dict[str, Role] = {name: role for role, names in ROLES.items() for name in names}


def role_of(name: object) -> Role | None:
    """The role of a column, or of an axis of a table, by its name; None if the name does not say.

    Capitals make no difference, nor whether words are joined by an underscore, a hyphen, a full stop or a space.

    Examples
    --------
    >>> role_of("qid"), role_of("Run ID"), role_of("docno"), role_of("map")
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
"""The names of R and pandas for a column with the numbers or names of rows, which has no name of its own."""

COUNTERS = frozenset({"index", "level_0", "X"})
"""Their names for such a column once it is one of the others; it then counts."""


ALL = "all"
"""The topic of an average over topics."""


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
