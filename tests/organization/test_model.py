"""Organization from lists, rankings, filters, clusters and tables."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow
import pytest
from organizations import NOTHING, ONE, OPTIONS

from ircor.organization import Organization, evaluate


@pytest.mark.parametrize(
    ("levels", "error", "words"),
    [
        ([[["a", "b", "a"]]], ValueError, "document 'a' is twice in one cluster"),
        (["a", "b"], TypeError, "level 1 must be a list of clusters, which are lists of ids, not 'a'"),
        ([["a", "b"]], TypeError, "cluster 1 of level 1 must be a list of document ids, not 'a'"),
        ([[["a"]], [["b"], 3]], TypeError, "cluster 2 of level 2 must be a list of document ids, not 3"),
        ("abc", TypeError, "'levels' must be a list of levels, best first, not 'abc'"),
        ({("a",)}, TypeError, "not a set, which has no order"),
        ({"a": 1}, TypeError, "'levels' must be a list"),
        (None, TypeError, "'levels' must be a list"),
        ([[[["a"]]]], TypeError, r"must be hashable, and \['a'\] is not"),
        ([[["a", None]]], ValueError, "id is missing: None"),
        ([[["a", float("nan")]]], ValueError, "id is missing: nan"),
        ([[["a", pd.NA]]], ValueError, "id is missing: <NA>"),
        ([[["a", pd.NaT]]], ValueError, "id is missing: NaT"),
        ([[np.array([1, np.nan], dtype=np.float32)]], ValueError, "id is missing: "),
        ([[np.ma.array([1, 2], mask=[0, 1])]], ValueError, "id is missing: masked"),
        ([[np.array("a")]], TypeError, "must be a list of document ids"),
        ([[b"ab"]], TypeError, "must be a list of document ids"),
        (pd.DataFrame({"a": ["b"]}), TypeError, "'levels' must be a list"),
    ],
)
def test_levels_that_are_refused(levels, error, words):
    with pytest.raises(error, match=words):
        Organization(levels)


def test_what_a_list_may_be():
    levels = [[{"a", "b"}, ("c",)], (np.array(["d", "e"]), pd.Series(["f"]))]
    organization = Organization(iter(levels))
    assert [[sorted(cluster) for cluster in level] for level in organization.levels] == [
        [["a", "b"], ["c"]],
        [["d", "e"], ["f"]],
    ]
    assert repr(organization) == "Organization(6 occurrences of 6 documents in 4 clusters on 2 levels)"
    assert len(organization) == 6


def test_empty_levels_and_clusters_are_dropped():
    assert Organization([[], [["a"], []], [], [["b"]]]).levels == [[["a"]], [["b"]]]
    assert NOTHING.levels == []
    assert repr(ONE) == "Organization(1 occurrence of 1 document in 1 cluster on 1 level)"


def test_rankings():
    assert Organization.from_ranking(pd.Series(["a", "b"])).levels == [[["a"]], [["b"]]]
    assert Organization.from_ranking([["a", "b"], {"c"}, np.array(["d"])]).levels == [[["a"], ["b"]], [["c"]], [["d"]]]
    # A tuple is hashable, so it is an id and not a tie; an iterator is hashable, but it is a tie.
    assert Organization.from_ranking([("a", "b"), "c"]).levels == [[[("a", "b")]], [["c"]]]
    assert Organization.from_ranking([(letter for letter in "ab"), "c"]).levels == [[["a"], ["b"]], [["c"]]]
    for ids, error, words in [
        (pd.DataFrame({"doc": ["a"]}), TypeError, "'ids' must be a list of document ids"),
        (["a", "b", "a"], ValueError, r"document 'a' is twice in the ranking; use Organization\(levels\)"),
        ([["a", "a"]], ValueError, "document 'a' is twice in the ranking"),
        ("abc", TypeError, "'ids' must be a list of document ids, best first, not 'abc'"),
        ({"a", "b"}, TypeError, "not a set, which has no order"),
        ([{"a": 1}], TypeError, "item 1 of 'ids' must be a list of tied ids"),
        ([[["a"]]], TypeError, "must be hashable"),
    ]:
        with pytest.raises(error, match=words):
            Organization.from_ranking(ids)


def test_filters():
    assert Organization.from_filter(["a", "b"]).levels == [[["a"], ["b"]]]
    assert Organization.from_filter([], ["a"]).levels == [[["a"]]]
    with pytest.raises(ValueError, match="document 'a' is twice in the filter"):
        Organization.from_filter(["a"], ["b", "a"])
    with pytest.raises(TypeError, match="'negative' must be a list of document ids, not 'b'"):
        Organization.from_filter(["a"], "b")


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, dict])
def test_frames(library):
    columns = {"id": ["a", "b", "c", "d"], "grade": [3.0, 1.5, 3.0, 1.5], "topic": ["x", "x", "y", None]}
    frame = library(columns)
    assert Organization.from_frame(frame, "id", "grade").levels == [[["b"], ["d"]], [["a"], ["c"]]]
    # Cluster x of one level is not cluster x of another; a document without a label is a cluster of one.
    assert Organization.from_frame(frame, "id", "grade", "topic").levels == [[["b"], ["d"]], [["a"], ["c"]]]
    assert len(set(Organization.from_frame(frame, "id", "grade", "topic").cluster.tolist())) == 4
    together = library(columns | {"topic": ["x", "x", "x", "x"]})
    assert Organization.from_frame(together, "id", "grade", "topic").levels == [[["b", "d"]], [["a", "c"]]]
    with pytest.raises(ValueError, match="no column 'rank'"):
        Organization.from_frame(frame, "id", "rank")
    with pytest.raises(ValueError, match="no column 'where'"):
        Organization.from_frame(frame, "id", "grade", "where")


def test_frames_of_other_kinds():
    columns = {"id": ["a", "b", "c"], "level": [2, 1, 2]}
    structured = np.array([("a", 2), ("b", 1), ("c", 2)], dtype=[("id", "U1"), ("level", int)])
    for frame in (pyarrow.table(columns), structured, pd.DataFrame(columns).astype({"level": "Int64"})):
        assert Organization.from_frame(frame, "id", "level").levels == [[["b"]], [["a"], ["c"]]]
    # Rows in any order, and documents on several levels.
    repeated = pd.DataFrame({"id": ["a", "b", "a", "c"], "level": [3, 2, 1, 2]})
    gold = Organization([[["a"]], [["b"], ["c"]], [["a"]]])
    assert evaluate(Organization.from_frame(repeated, "id", "level"), gold, **OPTIONS).priority.f == pytest.approx(1)
    assert len(Organization.from_frame(pd.DataFrame(columns).iloc[:0], "id", "level")) == 0


def test_levels_that_doubles_cannot_tell_apart():
    frame = pd.DataFrame({"id": ["a", "b", "c"], "level": [2**53, 2**53 + 1, 2**53 + 2], "cluster": ["x", "x", "x"]})
    assert Organization.from_frame(frame, "id", "level", "cluster").levels == [[["a"]], [["b"]], [["c"]]]


def test_frames_that_are_refused():
    for frame, error, words in [
        ({"id": ["a", "b"], "level": [1]}, ValueError, "differ in length: 'id' has 2 rows"),
        (pd.DataFrame([["a", 1, "b"]], columns=["id", "level", "id"]), ValueError, "several columns 'id'"),
        (None, TypeError, "a table with named columns is needed, not a NoneType"),
        (pl.LazyFrame({"id": ["a"], "level": [1]}), TypeError, "a table with named columns is needed, not a LazyFrame"),
    ]:
        with pytest.raises(error, match=words):
            Organization.from_frame(frame, "id", "level")
    with pytest.raises(TypeError, match=r"a cluster label must be hashable, and \[1\] is not"):
        Organization.from_frame({"id": ["a"], "level": [1], "cluster": [[1]]}, "id", "level", "cluster")
    frame = pd.DataFrame({"id": ["a", "b", "a"], "level": [1, np.nan, 1], "name": ["1", "2", "10"], "cluster": 1})
    with pytest.raises(ValueError, match="the level of document 'b' in row 2 is missing"):
        Organization.from_frame(frame, "id", "level")
    with pytest.raises(TypeError, match="'name' must be numbers"):
        Organization.from_frame(frame, "id", "name")
    with pytest.raises(ValueError, match="document 'a' is twice in one cluster"):
        Organization.from_frame(frame.iloc[[0, 2]], "id", "level", "cluster")
