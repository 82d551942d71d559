"""Tables of scores: what is accepted, how tables are matched, and when two means are equal."""

import dataclasses
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ircor
from ircor._core.rounding import EQUAL_MEANS, tie_means
from ircor.data import _scores
from ircor.data._scores import Scores, is_table, places_of
from ircor.rank_distance import drank

VALUES = [[0.1, 0.5, 0.2], [0.3, 0.4, 0.6]]


def frame(values=VALUES, topics="pq", systems="abc"):
    return pd.DataFrame(values, index=list(topics), columns=list(systems))


TABLES = {
    "lists": VALUES,
    "tuples": tuple(map(tuple, VALUES)),
    "array": np.array(VALUES),
    "float32": np.array(VALUES, dtype=np.float32),
    "integers": (np.array(VALUES) * 10).astype(int),
    "long doubles": np.array(VALUES, dtype=np.longdouble),
    "Fortran order": np.asfortranarray(VALUES),
    "every second column": np.repeat(VALUES, 2, axis=1)[:, ::2],
    "masked array": np.ma.array(VALUES),
    "DataFrame": frame(),
    "DataFrame of Float64": frame().astype("Float64"),
    "Polars": pl.DataFrame(dict(zip("abc", zip(*VALUES)))),
    "Arrow": pa.table(dict(zip("abc", zip(*VALUES)))),
}


@pytest.mark.parametrize("kind", TABLES)
def test_what_is_a_table_of_scores(kind):
    scores = Scores.of(TABLES[kind])
    expected = np.array(VALUES) * (10 if kind == "integers" else 1)
    np.testing.assert_allclose(scores.values, expected, rtol=1e-6)
    assert scores.values.dtype == np.float64
    assert scores.values.flags.c_contiguous
    assert (scores.n, scores.m) == (2, 3)
    named = kind in ("DataFrame", "DataFrame of Float64", "Polars", "Arrow")
    assert scores.named == named
    assert scores.systems == (tuple("abc") if named else (0, 1, 2))
    assert scores.topics == (tuple("pq") if kind.startswith("DataFrame") else (0, 1))
    assert (scores.name, scores.note) == ("X", "")


def test_scores_are_immutable_and_a_copy():
    values = np.array(VALUES)
    scores = Scores.of(values)
    values[0, 0] = 7
    assert scores.values[0, 0] == 0.1
    with pytest.raises(ValueError, match="read-only"):
        scores.values[0, 0] = 7
    with pytest.raises(dataclasses.FrozenInstanceError):
        scores.name = "Z"
    assert scores.aligned(Scores.of(frame().iloc[::-1], "Y")).values.flags.writeable is not True
    swapped = Scores.of(frame()).aligned(Scores.of(frame().iloc[::-1], "Y"))
    with pytest.raises(ValueError, match="read-only"):
        swapped.values[0, 0] = 7


def test_scores_are_returned_as_they_are(monkeypatch):
    scores = Scores.of(frame(), "A")
    monkeypatch.setattr(_scores, "number_table", lambda table, name: pytest.fail("checked twice"))
    assert Scores.of(scores, "B") is scores
    assert scores.name == "A"


def test_scores_are_equal_to_themselves_only():
    one, other = Scores.of(VALUES), Scores.of(VALUES)
    assert one == one
    assert one != other
    assert len({one, other}) == 2


def test_scores_survive_pickling():
    scores = Scores.of(frame())
    assert scores.means.tolist() == pickle.loads(pickle.dumps(scores)).means.tolist()


def test_the_repr_is_short():
    assert repr(Scores.of(frame(), "A")) == "Scores(named=True, name='A', note='')"


@pytest.mark.parametrize(
    ("table", "error", "words"),
    [
        (None, TypeError, "'X' must be numbers, but it is of type object"),
        ([["a", "b"], ["c", "d"]], TypeError, "'X' must be numbers, but it is of type <U1"),
        ([[True, False], [False, True]], TypeError, "'X' must be numbers, but it is of type bool"),
        (frame([["1", 2, 3], ["4", 5, 6]]), TypeError, "'X' must be numbers, but it is of type"),
        ([[1, 2], [3]], TypeError, "'X' must be a table of numbers"),
        ([1, 2, 3], ValueError, "'X' must have two dimensions, topics by systems, not 1"),
        (3.5, ValueError, "'X' must have two dimensions, topics by systems, not 0"),
        (np.zeros((2, 2, 2)), ValueError, "'X' must have two dimensions, topics by systems, not 3"),
        (np.zeros((3, 1)), ValueError, "'X' must have two systems or more, not 1"),
        (np.zeros((1, 3)), ValueError, "'X' must have two topics or more, not 1"),
        (np.zeros((1, 1)), ValueError, "'X' must have two systems or more, not 1"),
        (np.zeros((0, 3)), ValueError, "'X' must have two topics or more, not 0"),
        (frame(systems="aba"), ValueError, "'X' has two systems of the name 'a'"),
        (frame([[1, 2, 3], [4, np.inf, 6]]), ValueError, "infinite scores: inf for topic 'q' and system 'b'"),
        ([[1, np.nan, 3], [np.nan, 5, 6]], ValueError, "must not have missing .*: nan for topic 0 and system 1$"),
        (np.ma.array(VALUES, mask=[[0, 0, 1], [0, 0, 0]]), ValueError, "nan for topic 0 and system 2"),
        (frame([[1, None, 3], [4, 5, 6]]).astype("Int64"), ValueError, "nan for topic 'p' and system 'b'"),
        (np.full((2, 2), 1e308), ValueError, "the scores in 'X' are too large for their sums to be numbers"),
        (np.full((2, 2), -1e308), ValueError, "the scores in 'X' are too large for their sums to be numbers"),
    ],
)
def test_what_is_no_table_of_scores(table, error, words):
    with pytest.raises(error, match=words):
        Scores.of(table)
    with pytest.raises(error, match=words.replace("'X'", "'A'")):
        Scores.of(table, "A")


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(np.float64).max, reason="long doubles are doubles here")
def test_a_long_double_beyond_the_doubles_is_infinite():
    with pytest.raises(ValueError, match="infinite scores: inf for topic 0 and system 0"):
        Scores.of(np.array([[np.longdouble(2) ** 5000, 1], [2, 3]]))


def test_tables_that_need_not_be_rankable():
    one = Scores.of([[0.5]], rankable=False)
    assert (one.n, one.m) == (1, 1)
    assert Scores.of(frame(systems="aba"), rankable=False).systems == ("a", "b", "a")
    for shape, words in (((0, 2), "one topic or more, not 0"), ((2, 0), "one system or more, not 0")):
        with pytest.raises(ValueError, match=words):
            Scores.of(np.zeros(shape), rankable=False)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (np.zeros((3, 1)), "'A' must have two systems or more, not 1"),
        (np.zeros((1, 3)), "'A' must have two topics or more, not 1"),
        (frame(systems="aba"), "'A' has two systems of the name 'a'"),
    ],
)
def test_scores_that_were_not_rankable_are_refused_where_they_must_be(table, words):
    scores = Scores.of(table, "A", rankable=False)
    assert Scores.of(scores, rankable=False) is scores
    with pytest.raises(ValueError, match=words):
        Scores.of(scores)


def test_scores_taken_from_a_table_keep_the_name_of_its_columns():
    named = frame().rename_axis(columns="system")
    taken = Scores.of(named).taken([1, 0], [2, 0])
    pd.testing.assert_index_equal(taken.labels, pd.Index(["c", "a"], name="system"))
    pd.testing.assert_series_equal(taken.series([1, 2]), pd.Series([1, 2], pd.Index(["c", "a"], name="system")))
    assert taken.taken([0], [1]).labels.tolist() == ["a"]
    aligned = Scores.of(frame(systems="cab")).aligned(Scores.of(named))
    assert aligned.labels.name == "system"
    # The columns of a Polars table are a list of names, and an array has none.
    assert list(Scores.of(TABLES["Polars"]).taken([0, 1], [2, 1]).labels) == ["c", "b"]
    assert Scores.of(TABLES["array"]).taken([0, 1], [2, 1]).labels is None


def test_the_note_of_a_reader_is_kept():
    table = frame()
    table.attrs["missing"] = "3 scores were filled"
    scores = Scores.of(table)
    assert scores.note == "3 scores were filled"
    assert Scores.of(frame(topics="qp")).aligned(scores).note == "3 scores were filled"


def test_means_that_differ_by_rounding_are_equal():
    column = [0.1, 0.2, 0.3]
    scores = Scores.of(np.array([column, column[::-1], [0.2, 0.1, 0.3], [0.3, 0.3, 0.3]]).T)
    assert len(set(scores.values.mean(axis=0))) > 2
    assert len(set(scores.means)) == 2
    assert scores.size == 0.3
    assert Scores.of([[-2.0, 1.0], [0.0, 1.5]]).size == 2


def test_tied_means():
    unit = 1000 * EQUAL_MEANS
    means = np.array([5.0, 5 + 0.9 * unit, 5 + 1.8 * unit, 5 + 2.9 * unit, 1.0, 1 - 0.5 * unit])
    # A chain of means, each close to the next, is one group; its least mean stands for all of it.
    expected = [5.0, 5.0, 5.0, means[3], means[5], means[5]]
    assert tie_means(means, 1000.0).tolist() == expected
    order = [3, 5, 0, 2, 4, 1]
    assert tie_means(means[order], 1000.0).tolist() == [expected[k] for k in order]
    # A gap of exactly the limit is a tie.
    assert len(set(tie_means(np.array([0.0, EQUAL_MEANS]), 1.0))) == 1
    assert len(set(tie_means(np.array([0.0, np.nextafter(EQUAL_MEANS, 1)]), 1.0))) == 2
    assert len(set(tie_means(np.array([0.0, EQUAL_MEANS]), 0.5))) == 2


def test_the_noise_of_sums():
    assert Scores.of([[1.0, 3.0], [2.0, 0.0], [1.0, 1.0]]).noise == 3 * 3.0 * 2.0**-40


def test_systems_by_their_means(rng):
    assert Scores.of(VALUES).by_means.tolist() == [1, 2, 0]
    # Equal means: by the scores on the first topic, then on the second, wherever the columns stand.
    tied = np.array([[1.0, 3.0, 2.0, 9.0], [3.0, 1.0, 2.0, 9.0]])
    assert Scores.of(tied).by_means.tolist() == [3, 1, 2, 0]
    for _ in range(5):
        order = rng.permutation(4)
        assert order[Scores.of(tied[:, order]).by_means].tolist() == [3, 1, 2, 0]
    assert Scores.of(tied).by_means.dtype == np.int32


def test_order_by_other_ranks():
    scores = Scores.of(VALUES)
    assert scores.order(np.array([0, 1, 2])).tolist() == [2, 1, 0]
    assert scores.order(np.array([1, 1, 0])).tolist() == [1, 0, 2]
    assert scores.order(np.array([5, 5, 5])).tolist() == scores.by_means.tolist()
    # Long enough that an unstable sort would mix ties.
    many = Scores.of(np.arange(200.0).reshape(2, 100))
    ranks = np.arange(100) % 2
    assert many.order(ranks).tolist() == [*range(99, 0, -2), *range(98, -1, -2)]


def test_digests_are_those_of_the_values():
    scores = Scores.of(VALUES)
    assert scores.digest == Scores.of(frame(), "Y").digest
    assert scores.digest != Scores.of(np.array(VALUES) + 1).digest
    assert Scores.of(np.zeros((2, 3))).digest != Scores.of(np.zeros((3, 2))).digest


def test_values_for_the_systems():
    assert Scores.of(VALUES).series([1, 2, 3]) == [1, 2, 3]
    found = Scores.of(frame()).series([1, 2, 3])
    pd.testing.assert_series_equal(found, pd.Series([1, 2, 3], index=list("abc")))
    named = frame().rename_axis(columns="system")
    assert Scores.of(named).series([1, 2, 3]).index.name == "system"


# Ranks by other scores


def test_ranks_of_vectors():
    scores = Scores.of(frame())
    assert scores.ranks([5, 7, 5]).tolist() == [0, 1, 0]
    assert scores.ranks(np.array([3.0, 1.0, 2.0])).tolist() == [2, 0, 1]
    assert scores.ranks(pd.Series([5, 7, 9], index=list("cab"))).tolist() == [1, 2, 0]
    assert scores.ranks(pl.Series([3, 1, 2])).tolist() == [2, 0, 1]
    assert scores.ranks([3, 1, 2]).dtype == np.int64
    unnamed = Scores.of(VALUES)
    assert unnamed.ranks(pd.Series([5, 7, 9], index=[2, 0, 1])).tolist() == [1, 2, 0]


def test_ranks_of_tables():
    scores = Scores.of(frame())
    assert scores.ranks(Scores.of(VALUES)).tolist() == [0, 2, 1]
    assert scores.ranks(frame([[3, 1, 2], [3, 1, 2]], systems="cab")).tolist() == [0, 1, 2]
    assert scores.ranks(np.array([[3, 1, 2], [3, 1, 2], [3, 1, 2]])).tolist() == [2, 0, 1]
    assert scores.ranks([[3, 1, 2], [3, 1, 2]]).tolist() == [2, 0, 1]
    # Without names, systems are numbered from 0.
    assert Scores.of(VALUES).ranks(frame([[3, 1, 2], [3, 1, 2]], systems=[2, 0, 1])).tolist() == [0, 1, 2]
    plain = pl.DataFrame(np.array([[3, 1, 2], [3, 1, 2]]))
    assert Scores.of(VALUES).ranks(plain).tolist() == [2, 0, 1]
    assert Scores.of(frame(systems=plain.columns[::-1])).ranks(plain).tolist() == [1, 0, 2]
    # Means that differ by rounding alone are tied.
    column = [0.1, 0.2, 0.3]
    assert scores.ranks(np.array([column, column[::-1], [1, 1, 1]]).T).tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("y", "error", "words"),
    [
        ([1, 2], ValueError, "'y' must have one number for each of the 3 systems of 'A', not 2"),
        ([1, 2, 3, 4], ValueError, "'y' must have one number for each of the 3 systems of 'A', not 4"),
        (np.zeros((2, 4)), ValueError, "'y' must have one number for each of the 3 systems of 'A', not 4"),
        ([1, 2, np.nan], ValueError, "'y' must not have missing values"),
        (pd.Series([1, 2, 3], index=list("abz")), ValueError, "^'y' does not have the systems 'c' of 'A'$"),
        (pd.Series([1, 2, 3, 4], index=list("abcz")), ValueError, "^'A' does not have the systems 'z' of 'y'$"),
        (pd.Series([1, 2, 3], index=list("abb")), ValueError, "^'y' has two systems of the name 'b'$"),
        (frame(systems="abz"), ValueError, "^'y' does not have the systems 'c' of 'A'$"),
        (np.zeros((2, 1)), ValueError, "'y' must have two systems or more"),
    ],
)
def test_what_cannot_be_ranked(y, error, words):
    with pytest.raises(error, match=words):
        Scores.of(frame(), "A").ranks(y)


@pytest.mark.parametrize("y", [pd.Series([1, 2, 3], index=list("abc")), frame(), Scores.of(frame()), TABLES["Polars"]])
def test_a_table_without_names_says_so(y):
    words = "'y' does not have the systems 0, 1, 2 of 'X'; 'X' has no names, so its systems are numbered .*to_numpy"
    with pytest.raises(ValueError, match=words):
        Scores.of(VALUES).ranks(y)


# Matching by name


def test_tables_are_matched_by_name():
    one = Scores.of(frame())
    other = Scores.of(frame(topics="qp", systems="cab"), "Y")
    found = one.aligned(other)
    assert (found.topics, found.systems, found.name, found.named) == (("p", "q"), ("a", "b", "c"), "Y", True)
    np.testing.assert_array_equal(found.values, [[0.4, 0.6, 0.3], [0.5, 0.2, 0.1]])
    assert found.values.flags.c_contiguous
    # Everything derived from the values is that of the new order.
    np.testing.assert_allclose(found.means, [0.45, 0.4, 0.2])
    assert list(found.series(found.means).index) == list("abc")
    for topics, systems in (("qp", "abc"), ("pq", "cab")):
        found = one.aligned(Scores.of(frame(topics=topics, systems=systems), "Y"))
        assert (found.topics, found.systems) == (("p", "q"), ("a", "b", "c"))
    only = one.aligned(other, topics=False)
    assert (only.topics, only.systems) == (("q", "p"), ("a", "b", "c"))


def test_tables_in_the_same_order_are_not_copied():
    one, other = Scores.of(frame()), Scores.of(frame(), "Y")
    assert one.aligned(other) is other
    assert Scores.of(VALUES).aligned(unnamed := Scores.of(VALUES, "Y")) is unnamed


def test_a_table_that_is_matched_by_position_has_the_names_of_the_other():
    named, unnamed = Scores.of(frame()), Scores.of(VALUES, "Y")
    found = named.aligned(unnamed)
    assert (found.topics, found.systems, found.name, found.named) == (("p", "q"), tuple("abc"), "Y", True)
    assert list(found.series(found.means).index) == list("abc")
    assert named.aligned(Scores.of([*VALUES, VALUES[0]]), topics=False).topics == (0, 1, 2)
    found = unnamed.aligned(named)
    assert (found.topics, found.systems, found.name, found.named) == ((0, 1), (0, 1, 2), "X", False)
    np.testing.assert_array_equal(found.values, VALUES)


def test_tables_that_do_not_match():
    one = Scores.of(frame())
    for other, words in [
        (frame(topics="pr"), "^'Y' does not have the topics 'q' of 'X'$"),
        (frame(systems="abd"), "^'Y' does not have the systems 'c' of 'X'$"),
        (frame(np.ones((3, 3)), topics="pqr"), "^'X' does not have the topics 'r' of 'Y'$"),
        (frame(topics="pp"), "^'Y' has two topics of the name 'p'$"),
        (np.ones((2, 4)), "^'X' is 2 topics by 3 systems, and 'Y' is 2 by 4$"),
        (np.ones((3, 3)), "^'X' is 2 topics by 3 systems, and 'Y' is 3 by 3$"),
    ]:
        with pytest.raises(ValueError, match=words):
            one.aligned(Scores.of(other, "Y"))
    # Without topics, these do not matter.
    for other in (frame(topics="pr"), frame(topics="pp"), np.ones((3, 3))):
        assert one.aligned(Scores.of(other, "Y"), topics=False).m == 3
    with pytest.raises(ValueError, match="'Y' is 5 by 4"):
        one.aligned(Scores.of(np.ones((5, 4)), "Y"), topics=False)


def test_places_of_names():
    assert places_of(["a", "b", "c"], ["c", "a", "b"], "systems") == [1, 2, 0]
    assert places_of([], [], "systems") == []
    many = [f"s{k}" for k in range(7)]
    with pytest.raises(ValueError, match="^'Q' does not have the runs 's0', 's1', 's2', 's3', 's4' and 2 more of 'P'$"):
        places_of(many, [], "runs", "P", "Q")
    with pytest.raises(ValueError, match="^'P' has two runs of the name 'a'$"):
        places_of(["b", "a", "c", "a", "b"], ["a"], "runs", "P", "Q")


def test_what_has_two_dimensions():
    for table in (
        VALUES,
        np.array(VALUES),
        frame(),
        [np.zeros(2), np.zeros(2)],
        ((1, 2), (3, 4)),
        pl.DataFrame({"a": [1]}),
    ):
        assert is_table(table)
    for vector in ([], (), [1, 2], np.zeros(3), np.zeros((2, 2, 2)), pd.Series([1]), pl.Series([1]), 3, None, {"a": 1}):
        assert not is_table(vector)
    for source in ("irm", ["a.txt", "b.txt"], {"a": {"401": 0.5}}):
        assert is_table(source)


@pytest.mark.parametrize("path", ["irm", Path("irm")])
def test_a_path_that_is_missing(path):
    for call in (lambda: ircor.compare(path, path), lambda: drank(path, [1, 2, 3]), lambda: drank(VALUES, path)):
        with pytest.raises(FileNotFoundError, match="irm"):
            call()
