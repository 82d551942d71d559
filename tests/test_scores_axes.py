"""Topics and systems in tables of scores, told apart by the names of columns and axes."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ircor.data._scores import Scores

VALUES = [[0.1, 0.5, 0.2], [0.3, 0.4, 0.6]]


def frame():
    return pd.DataFrame(VALUES, index=list("pq"), columns=list("abc"))


@pytest.mark.parametrize(
    "axes",
    [
        {"index": "system"},
        {"index": "runid"},
        {"index": "Run ID", "columns": "topic"},
        {"columns": "qid"},
        {"index": "name", "columns": "query_id"},
        {"index": "anything", "columns": "query"},
    ],
)
def test_a_table_whose_axes_are_exchanged_is_refused(axes):
    table = frame().T.rename_axis(**axes)
    with pytest.raises(ValueError, match="'A' seems to have systems in rows .*: A.T is a table of topics by systems"):
        Scores.of(table, "A")
    assert Scores.of(table.T, "A").systems == tuple("abc")


@pytest.mark.parametrize(
    "axes",
    [
        {"index": "topic", "columns": "system"},
        {"index": "name", "columns": "run"},
        {"index": "qid", "columns": "query"},
        {"columns": "measure"},
        {},
    ],
)
def test_axes_that_do_not_say_that_they_are_exchanged(axes):
    assert Scores.of(frame().rename_axis(**axes)).m == 3


def test_a_table_in_long_form_is_read():
    long = frame().rename_axis(index="qid", columns="run").stack()
    for table in (long.to_frame("map"), long.rename("map").reset_index()):
        scores = Scores.of(table)
        assert scores.systems == tuple("abc")
        assert scores.values.tolist() == frame().to_numpy().tolist()
    with pytest.raises(ValueError, match=r"'X' has several measures, map, P_10: choose one, .*read_scores\(X, 'map'\)"):
        Scores.of(pd.DataFrame({"map": long, "P_10": long}))
    assert Scores.of(long.unstack()).systems == tuple("abc")


@pytest.mark.parametrize("column", ["qid", "topic", "query_id", "QueryID", ("qid", "")])
def test_a_column_of_topics_beside_the_index_is_refused(column):
    table = frame().set_axis(["x", "y"])
    if isinstance(column, tuple):
        table.columns = pd.MultiIndex.from_product([["map"], table.columns])
    for ids in ([301, 302], ["301", "302"]):
        table[column] = ids
        with pytest.raises(ValueError, match=r"the column .* of 'A' seems to have topics.*A.set_index\("):
            Scores.of(table, "A")
        assert Scores.of(table.set_index(column)).m == 3
        if isinstance(column, str):
            scores = Scores.of(table.reset_index(drop=True))
            assert (scores.topics, scores.m) == (tuple(ids), 3)


def test_columns_of_two_levels_are_systems():
    table = frame()
    table.columns = pd.MultiIndex.from_product([["map"], table.columns], names=["measure", "system"])
    assert Scores.of(table).systems == (("map", "a"), ("map", "b"), ("map", "c"))


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table])
@pytest.mark.parametrize("ids", [[301, 302], ["301", "302"]])
def test_a_table_without_an_index_has_its_topics_in_a_column(make, ids):
    columns = dict(zip("abc", zip(*VALUES)))
    scores = Scores.of(make({"a": columns["a"], "qid": ids, "b": columns["b"], "c": columns["c"]}))
    assert (scores.topics, scores.systems) == (tuple(ids), tuple("abc"))
    np.testing.assert_array_equal(scores.values, VALUES)
    other = Scores.of(make({"qid": ids[::-1], **{name: column[::-1] for name, column in columns.items()}}), "Y")
    np.testing.assert_array_equal(scores.aligned(other).values, VALUES)
    with pytest.raises(ValueError, match="the columns 'qid', 'query' of 'X' seem to have topics: keep one of them"):
        Scores.of(make({"qid": ids, "query": ids, **columns}))


TOPICS, SYSTEMS = ["401", "402", "403"], ["A1", "B2", "C3"]


def scores(index=TOPICS, columns=SYSTEMS):
    return pd.DataFrame([[0.25, 0.5, 1], [0.5, 0.75, 0], [1, 0.5, 0.25]], index=index, columns=columns)


def test_averages_are_neither_topics_nor_systems():
    with pytest.raises(ValueError, match="'X' has a system 'mean', which is no system: leave out averages"):
        Scores.of(scores().assign(mean=0.5))
    with pytest.raises(ValueError, match="'X' has a topic 'all', which is no topic: leave out averages"):
        Scores.of(scores(index=["401", "402", "all"]))


@pytest.mark.parametrize("columns", [["401", "402", "403"], [401, 402, 403], ["q1", "q2", "q7"]])
def test_topics_in_the_columns_are_recognised_by_their_names(columns):
    words = "'X' seems to have systems in rows .A1, B2 and 1 more. and topics in columns .*: X.T is a table of topics"
    with pytest.raises(ValueError, match=words):
        Scores.of(scores(index=SYSTEMS, columns=columns))
    assert Scores.of(scores(index=SYSTEMS, columns=columns).T).systems == ("A1", "B2", "C3")
    # Numbers that only count are no names.
    assert Scores.of(scores(index=SYSTEMS, columns=[0, 1, 2])).m == 3


@pytest.mark.parametrize("name", ["Unnamed: 0", "index", "id", "anything"])
def test_a_column_of_numbers_of_rows_is_no_system(name):
    table = scores()
    table.insert(0, name, [0, 1, 2])
    with pytest.raises(
        ValueError, match=f"the column '{name}' of 'X' has different whole numbers, which can be the to"
    ):
        Scores.of(table)
    # Where all scores are whole, nothing can be told.
    assert Scores.of(table.round()).m == 4


def test_a_table_of_several_measures_is_refused():
    table = pd.concat({"map": scores(), "P_10": scores()}, axis=1, names=["measure", "system"])
    with pytest.raises(ValueError, match=r"'X' has several measures: choose one, such as X\['map'\]"):
        Scores.of(table)
    assert Scores.of(table["map"]).m == 3
