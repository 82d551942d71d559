"""The names that tools of the field give to columns."""

import pytest

from ircor._core.names import DOCUMENT_NAMES, ROLES, SYSTEM_NAMES, TOPIC_NAMES, role_of


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("topic", "topic"),
        ("qid", "topic"),
        ("q_id", "topic"),
        ("query_id", "topic"),
        ("query", "topic"),
        ("Query ID", "topic"),
        ("system", "system"),
        ("run", "system"),
        ("name", "system"),
        ("RunID", "system"),
        ("run.id", "system"),
        ("docno", "document"),
        ("doc-id", "document"),
        (" doc_id ", "document"),
        ("score", "score"),
        ("label", "relevance"),
        ("map", None),
        ("q", None),
        ("", None),
        (3, None),
        (None, None),
        (("qid", ""), None),
    ],
)
def test_what_a_column_holds(name, role):
    assert role_of(name) == role


def test_no_name_has_two_meanings():
    names = [name for group in ROLES.values() for name in group]
    assert len(set(names)) == len(names)
    assert all(name == name.lower().strip() for name in names)


def test_the_names_of_ir_measures_and_pyterrier_are_known():
    # ir_measures.ScoredDoc._fields and Qrel._fields; the data model of PyTerrier
    assert {"query_id", "qid"} <= TOPIC_NAMES
    assert {"doc_id", "docno"} <= DOCUMENT_NAMES
    assert {"run", "name"} <= SYSTEM_NAMES
