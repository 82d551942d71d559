"""The table of topics by systems, and the rules for missing scores."""

import numpy as np
import pandas as pd
import pytest

from ircor.data._scores import Scores
from ircor.scoring._cells import Cells, Names, Part
from ircor.scoring._collector import Evaluated, ScoreCollector
from ircor.trec import FormatError


def cells_of(scores):
    """Cells from {(measure, topic, system): score}."""
    measures, topics, systems = (Names.of([key[k] for key in scores]) for k in range(3))
    return Cells(
        "file", range(1, len(scores) + 1), measures, topics, systems, np.array([*scores.values()], dtype=float)
    )


def add(collector, scores):
    collector.add(cells_of(scores), np.ones(len(scores), dtype=bool), repeated="{system} has {topic} twice")


def collected(scores, measure=None, missing="error"):
    collector = ScoreCollector(measure, missing)
    add(collector, scores)
    return collector.table()


def evaluated(path, line, runid, *counts):
    return Evaluated(path, line, runid, Part.of_system({"map": {"1": 0.5, "2": 0.25}}, "12"), *counts)


def without(*pairs, topics="123", systems="ab", measures=("",)):
    """A score of 1 for each topic and system, except for these pairs."""
    keys = [(measure, topic, system) for measure in measures for topic in topics for system in systems]
    return {key: 1.0 for key in keys if key[1:] not in pairs}


def test_one_measure_has_one_level_of_columns():
    table = collected(
        {("map", "q2", "b"): 1.0, ("map", "q1", "b"): 2.0, ("map", "q1", "a"): 3.0, ("map", "q2", "a"): 4}
    )
    assert table.to_dict("list") == {"b": [1, 2], "a": [4, 3]}
    assert (table.index.tolist(), table.index.name, list(table.columns.names)) == (["q2", "q1"], "topic", ["system"])
    assert "missing" not in table.attrs


def test_several_measures_have_two_levels_of_columns():
    table = collected(without(measures=("P_10", "map")))
    assert list(table.columns) == [("P_10", "a"), ("P_10", "b"), ("map", "a"), ("map", "b")]
    assert list(collected(without(measures=("P_10", "map")), "map").columns) == ["a", "b"]


def test_topics_that_are_whole_numbers_are_sorted():
    order = lambda *topics: collected({("", topic, "a"): 1.0 for topic in topics}).index.tolist()  # noqa: E731
    assert order("1000", "9", "401") == ["9", "401", "1000"]
    assert order("9" * 18, "8" * 18) == ["8" * 18, "9" * 18]
    assert order("9" * 19, "8" * 19) == ["9" * 19, "8" * 19]
    assert order("10", "9", "q") == ["10", "9", "q"]
    assert order("10", "\u0661") == ["10", "\u0661"]


def test_a_score_can_be_added_once():
    collector = ScoreCollector("map", "error")
    add(collector, {("map", "1", "a"): 0.5, ("ndcg", "1", "a"): 0.5})
    with pytest.raises(FormatError, match="^file:2: a has 1 twice$"):
        add(collector, {("map", "2", "a"): 0.5, ("map", "1", "a"): 0.25})
    # Other measures are not collected.
    add(collector, {("ndcg", "1", "a"): 0.5})
    assert collector.table().to_dict("list") == {"a": [0.5]}


def test_tables_may_have_some_scores_of_a_system_each():
    collector = ScoreCollector(None, "zero")
    add(collector, {("map", "1", "a"): 0.5, ("map", "2", "b"): 0.25, ("ndcg", "2", "a"): float("nan")})
    add(collector, {("map", "2", "a"): 0.75, ("ndcg", "1", "a"): 1.0, ("ndcg", "1", "b"): 0.125})
    assert collector.table().to_numpy().tolist() == [[0.5, 0.0, 1.0, 0.125], [0.75, 0.25, 0.0, 0.0]]
    with pytest.raises(FormatError, match="^file:1: a has 2 twice$"):
        add(collector, {("ndcg", "2", "a"): 0.5})


def test_a_system_can_be_added_once():
    for names in (("a", "a"), ("one", "a")):
        collector = ScoreCollector(None, "error")
        collector.add_system(evaluated("one.eval", 3, names[0] if names[0] == "a" else ""))
        collector.add_system(evaluated("one.eval", 7, names[1]))
        if names[0] == "one":
            assert collector.table().columns.tolist() == ["one", "a"]
        else:
            words = "^one.eval:7: system 'a' is repeated: it is already at one.eval:3$"
            with pytest.raises(FormatError, match=words):
                collector.table()
    collector = ScoreCollector(None, "error")
    add(collector, {("map", "1", "a"): 0.5})
    collector.add_system(evaluated("one.eval", 3, "a"))
    with pytest.raises(FormatError, match="^one.eval:3: system 'a' is repeated: a table has it too$"):
        collector.table()


def test_a_runid_of_several_files_is_the_name_of_none():
    collector = ScoreCollector(None, "error")
    for path, runid in (("x/one.eval", "STANDARD"), ("x/two.eval.gz", "STANDARD"), ("x/three.eval", "mine")):
        collector.add_system(evaluated(path, 1, runid))
    table = collector.table()
    assert table.columns.tolist() == ["one", "two", "mine"]
    words = "2 files have the runid 'STANDARD', so their systems have the names of the files"
    assert table.attrs["notes"] == [words]
    assert Scores.of(table, rankable=False).note == words
    collector = ScoreCollector(None, "error")
    for path in ("x/one.eval", "y/one.eval"):
        collector.add_system(evaluated(path, 1, "STANDARD"))
    with pytest.raises(FormatError, match="^y/one.eval:1: system 'one' is repeated: it is already at x/one.eval:1$"):
        collector.table()


def test_the_number_of_topics_is_compared_with_num_q():
    def collected(num_q, missing):
        collector = ScoreCollector(None, missing)
        collector.add_system(evaluated("a.eval", 3, "a", num_q, 2))
        return collector.table()

    assert "notes" not in collected(2, "error").attrs
    with pytest.raises(FormatError, match="^a.eval:3: num_q is 1, but the file has 2 topics of system 'a'$"):
        collected(1, "zero")
    with pytest.raises(
        FormatError, match="^a.eval:3: num_q is 3, but the file has 2 topics of system 'a': lines are m"
    ):
        collected(3, "error")
    for missing in ("zero", "drop"):
        table = collected(3, missing)
        assert table["a"].tolist() == [0.5, 0.25]
        assert table.attrs["notes"] == ["a.eval: num_q is 3, but the file has 2 topics of system 'a'"]


@pytest.mark.parametrize("missing", ["error", "zero", "drop"])
def test_a_system_without_any_value_of_a_measure_is_refused(missing):
    scores = without(measures=("map", "ndcg")) | {("map", topic, "c"): 1.0 for topic in "123"}
    with pytest.raises(
        ValueError, match="^system 'c' has no values of ndcg at all, only of map: choose a measure that"
    ):
        collected(scores, missing=missing)
    assert collected(scores, "map", missing).columns.tolist() == ["a", "b", "c"]
    empty = without() | {("", topic, "c"): float("nan") for topic in "123"}
    with pytest.raises(ValueError, match="^system 'c' has no values of the measure at all$"):
        collected(empty, missing=missing)


def test_named_and_unnamed_measures_do_not_go_together():
    with pytest.raises(ValueError, match="some of the files name their measures and others do not"):
        collected(without() | {("map", "1", "c"): 1.0})


def test_a_measure_that_is_not_there():
    scores = without(measures=[f"m{k}" for k in range(1, 10)])
    with pytest.raises(
        ValueError, match=r"^there are no values of the measure 'map'\. The measures are m1, .*, m8 and 1 more$"
    ):
        collected(scores, "map")


@pytest.mark.parametrize("value", [pd.DataFrame({"a": [1, 2]}), pd.Series([1, 2]), pd.NA, 1, [], ["map", 1]])
def test_options_of_another_type_are_refused_by_name(value):
    with pytest.raises(TypeError, match="'measure' must be the name of a measure, or a list of names, not "):
        ScoreCollector(value, "error")
    with pytest.raises(ValueError, match="'missing' must be one of error, zero, drop, not "):
        ScoreCollector(None, value)


def test_missing_scores_are_an_error_by_default():
    words = 'system \'b\' has no value for topic 2; missing="zero" counts missing values as 0, and missing="drop" drops'
    with pytest.raises(ValueError, match=f"^{words} the topics that have any$"):
        collected(without(("2", "b")))
    with pytest.raises(
        ValueError, match="^system 'b' has no map for topic 2; system 'a' has no map for topics 1, 3; m"
    ):
        collected(without(("2", "b"), ("1", "a"), ("3", "a"), systems="cab", measures=["map"]))
    # NaN is a missing score, too.
    with pytest.raises(ValueError, match="^system 'a' has no value for topic 3; missing"):
        collected(without() | {("", "3", "a"): float("nan")})


def test_missing_scores_as_zero():
    table = collected(without(("2", "b")), missing="zero")
    assert table.to_dict("list") == {"a": [1, 1, 1], "b": [1, 0, 1]}
    assert table.attrs["missing"] == "system 'b' has no value for topic 2: counted as 0"
    assert Scores.of(table).note == table.attrs["missing"]


def test_topics_with_missing_scores_dropped():
    table = collected(without(("2", "b"), ("1", "a")), missing="drop")
    assert table.to_dict("index") == {"3": {"a": 1, "b": 1}}
    words = "system 'b' has no value for topic 2; system 'a' has no value for topic 1: 2 topics dropped"
    assert table.attrs["missing"] == words
    table = collected(without(("2", "b"), measures=("map", "P_10")), missing="drop")
    assert (
        table["P_10"]
        .attrs["missing"]
        .endswith("'b' has no map for topic 2; system 'b' has no P_10 for topic 2: 1 topic dropped")
    )


def test_no_topic_is_left():
    with pytest.raises(ValueError, match='system .*; with missing="drop" no topic is left, because each has a missing'):
        collected(without(("1", "a"), ("2", "b"), ("3", "a")), missing="drop")


def test_long_lists_of_gaps_are_shortened():
    topics = [str(k) for k in range(1, 13)]
    pairs = [(topic, system) for topic in topics for system in "bcdef"]
    note = collected(without(*pairs, topics=[*topics, "13"], systems="abcdef"), missing="zero").attrs["missing"]
    assert note.startswith(
        "system 'b' has no value for topics 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more; system 'c' has"
    )
    assert note.endswith("; system 'f' has no value for topics 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more: counted as 0")
    pairs = [("1", system) for system in "bcdefg"]
    note = collected(without(*pairs, systems="abcdefg"), missing="zero").attrs["missing"]
    assert note.endswith("; system 'f' has no value for topic 1; and 1 more: counted as 0")
