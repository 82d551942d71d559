"""How tools of the field name the columns of tables: topics, systems, documents, scores and relevance."""

from __future__ import annotations

from typing import Literal

Kind = Literal["topic", "system", "document", "score", "relevance"]

# In lower case.  Not "q", "t" or "d", which are as likely to be the name of one system.
TOPIC_NAMES = frozenset(
    {
        "topic",
        "topics",
        "topic_id",
        "topicid",
        "topic_number",
        "qid",
        "q_id",
        "qno",
        "query",
        "queries",
        "query_id",
        "queryid",
        "query_number",
    }
)
SYSTEM_NAMES = frozenset(
    {"system", "systems", "system_id", "systemid", "run", "runs", "run_id", "runid", "run_name", "name", "item"}
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
