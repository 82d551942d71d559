"""What a ranking may be, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from math import nan

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ircor import PairingWarning
from ircor.overlap import extract_ranking, from_string, rbo, rbo_many, rbo_scores, to_string


class OwnMasked(np.ma.MaskedArray):
    pass


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([], "'x' has no items"),
        (np.array([], dtype=int), "'x' has no items"),
        (["a", "b", "a"], "'x' has the item 'a' twice"),
        (["a", {"b", "a"}], "'x' has the item 'a' twice"),
        ([1, 2, 1.0], "'x' has the item 1.0 twice"),
        (np.array([1, 2, 1]), "'x' has the item 1 twice"),
        (np.array([1, 2**60, 1]), "'x' has the item 1 twice"),
        (["a", set()], "'x' has a tie without items"),
        (["a", {frozenset("bc"), "d"}], "'x' has a tie within a tie"),
        (["a", ["b", "c"]], r"'x' has an item that is not hashable: \['b', 'c'\]; a tie is a set"),
        (["a", None], "'x' has a missing item: None"),
        (["a", nan], "'x' has a missing item: nan"),
        (["a", pd.NaT], "'x' has a missing item: NaT"),
        ([0.3, 0.2], "if they are scores, use rbo_scores"),
        (np.array([0.3, 0.2]), "if they are scores, use rbo_scores"),
        ("red blue", "'x' must be a sequence of items, not a string: from_string"),
        (b"red", "'x' must be a sequence of items, not a string"),
        ({"a": 0.5}, "'x' must be a sequence of items, not a mapping: for scores by item, extract_ranking"),
        ({"a", "b"}, r"'x' must be a sequence of items, not a set, which has no order; a tie of all is \[items\]"),
        ({"a": 1}.keys(), r"'x' must be a sequence of items, not dict_keys: give list\(items\)"),
        (pl.LazyFrame({"a": [1]}), "'x' is a LazyFrame, which has no values yet: collect it first"),
        (np.ma.array([1, 2], mask=[0, 1]).view(OwnMasked), "'x' has a missing item"),
        ([Decimal("sNaN")], "'x' has a missing item"),
        (7, "'x' must be a sequence of items, not 7"),
        (np.zeros((2, 2), dtype=int), "'x' must be a sequence of items"),
        (pd.DataFrame({"a": ["b"]}), "'x' must be a sequence of items"),
        (pd.Series([3, 2], index=["a", "b"]), r"'x' is a Series with an index: give its values, x.to_numpy\(\)"),
    ],
)
def test_refused(bad, message):
    with pytest.raises((TypeError, ValueError), match=message):
        rbo(bad, ["z"], 0.9)
    with pytest.raises((TypeError, ValueError), match=message.replace("'x'", "'y'")):
        rbo(["z"], bad, 0.9)
    with pytest.raises((TypeError, ValueError), match=message.replace("'x'", r"'y\[1\]'")):
        rbo_many([["z"], ["z"]], [["z"], bad], 0.9)


@pytest.mark.parametrize("p", [0, 1, -0.5, 1.5, nan, float("inf")])
def test_p_out_of_range(p):
    for call in (rbo, rbo_scores):
        with pytest.raises(ValueError, match="'p' must be between 0 and 1"):
            call([1, 2], [1, 2], p)


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"p": "0.9"}, "'p' must be a number, not '0.9'"),
        ({"p": True}, "'p' must be a number, not True"),
        ({"ties": "c"}, "'ties' must be one of w, a, b, not 'c'"),
        ({"score": "rbo"}, "'score' must be one of ext, min, max, res, not 'rbo'"),
        ({"score": []}, r"'score' must be a score or a list of scores, not \[\]"),
        ({"score": {"ext"}}, "'score' must be a score or a list of scores"),
        ({"score": ["ext", "ext"]}, "'score' has a score twice: ext, ext"),
        ({"score": None}, "'score' must be a score or a list of scores, not None"),
    ],
)
def test_options_refused(named, message):
    for call in (rbo, rbo_scores):
        with pytest.raises((TypeError, ValueError), match=message):
            call([1, 2], [1, 2], **({"p": 0.9} | named))


def test_types_that_are_never_equal():
    with pytest.raises(TypeError, match="no item can be on both sides: 'x' has ids of type str and 'y' has ids"):
        rbo(["1", "2"], [1, 2], 0.9)
    assert rbo(["1", "2"], ["3"], 0.9).ext == 0
    assert rbo(np.array([1]), np.array([2]), 0.9).ext == 0


def test_many_refused():
    with pytest.raises(ValueError, match="'x' and 'y' must have the same number of rankings, but they have 1 and 2"):
        rbo_many([["a"]], [["a"], ["b"]], 0.9)
    for bad in ("ab", {"a": ["b"]}, 3, pd.DataFrame({"a": [1]}), {("a", "b")}, frozenset([("a",)])):
        with pytest.raises(TypeError, match="'x' must be a list of rankings"):
            rbo_many(bad, [["a"]], 0.9)


def test_tables_of_other_libraries():
    words = ["a", "b", "c"]
    for ranking in (pl.Series(words), pa.array(words), pa.chunked_array([words])):
        assert rbo(ranking, words, 0.9).ext == 1
    assert rbo(np.ma.array([1, 2, 3]), [1, 2, 3], 0.9).ext == 1
    with pytest.raises(ValueError, match="'x' has a missing item"):
        rbo(np.ma.array([1, 2, 3], mask=[0, 1, 0]), [1, 2, 3], 0.9)


def test_many_of_other_libraries():
    x, y = [["a", "b"], ["c"]], [["b", "a"], ["c"]]
    expected = rbo_many(x, y, 0.9).ext.tolist()
    for given in (pl.Series(x), pa.array(x), pd.Series(x), iter(x)):
        assert rbo_many(given, y, 0.9).ext.tolist() == expected
    with pytest.raises(TypeError, match=r"'x\[1\]' must be a sequence of items, not None"):
        rbo_many(pa.array([["a"], None]), y, 0.9)
    with pytest.warns(PairingWarning):
        rbo_many(pd.Series(x, index=["s", "t"]), pd.Series(y, index=["t", "s"]), 0.9)


@pytest.mark.filterwarnings("ignore:elementwise comparison failed")  # of NumPy before 1.25
def test_times_are_not_integers():
    times = np.array([5, 6], dtype="M8[ns]")
    assert rbo(times, times, 0.9).ext == 1
    with pytest.raises(TypeError, match="no item can be on both sides"):
        rbo(times, [5, 6], 0.9)


def test_scores_refused():
    with pytest.raises(ValueError, match="'y' has a missing value, which cannot be ranked"):
        rbo_scores([1, 2], [1, nan], 0.9)
    with pytest.raises(ValueError, match="'x' and 'y' must be of the same length, not 2 and 1"):
        rbo_scores([1, 2], [1], 0.9)
    with pytest.raises(ValueError, match="'x' and 'y' have no items"):
        rbo_scores([], [], 0.9)
    with pytest.raises(TypeError, match="'x' must be a numeric vector"):
        rbo_scores(["a"], [1], 0.9)
    with pytest.warns(PairingWarning):
        rbo_scores(pd.Series([1, 2], index=["a", "b"]), pd.Series([1, 2], index=["b", "a"]), 0.9)


def test_text():
    text = "red (blue green) yellow"
    assert from_string(text) == ["red", {"blue", "green"}, "yellow"]
    assert to_string(from_string(text)) == text
    assert from_string("(a) b") == ["a", "b"]
    assert from_string(" (a  b)(c d)e ") == [{"a", "b"}, {"c", "d"}, "e"]
    assert to_string([3, {10, 9}, frozenset([1])]) == "3 (10 9) 1"
    assert to_string(np.array([3, 1])) == "3 1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'text' has no items"),
        ("a () b", "'text' has a tie without items"),
        ("a (b", "an opening parenthesis without a closing one: 'a \\(b'"),
        ("a b)", "a closing parenthesis without an opening one"),
        ("(a (b))", "a parenthesis within parentheses"),
        ("a b a", "'text' has the item 'a' twice"),
        ("a (b b)", "'text' has the item 'b' twice"),
        (["a"], "'text' must be a string"),
    ],
)
def test_text_refused(text, message):
    with pytest.raises((TypeError, ValueError), match=message):
        from_string(text)


@pytest.mark.parametrize(
    ("ranking", "message"),
    [
        (["a b"], "an item with a blank or a parenthesis, or without text: 'a b'"),
        (["a", ""], "without text: ''"),
        (["a)"], "a parenthesis"),
        (["1", 1], "two items that are both written '1'"),
        ([], "'ranking' has no items"),
    ],
)
def test_no_text_for(ranking, message):
    with pytest.raises(ValueError, match=message):
        to_string(ranking)


def test_ranking_from_scores():
    items, scores = ["a", "b", "c", "d"], [1, 5, 1, 3]
    for given in ((items, scores), (np.array(items), np.array(scores)), (pd.Index(items), pd.Series(scores, items))):
        assert extract_ranking(*given) == ["b", "d", {"a", "c"}]
    assert extract_ranking([7], [0.5]) == [7]
    for bad, message in (
        ((items, [1, 2]), "'items' and 'scores' must be of the same length, but they have 4 and 2"),
        ((["a", "a"], [1, 2]), "'items' has the item 'a' twice"),
        ((["a", "b"], [1, nan]), "'scores' has missing values"),
        (([], []), "'items' has no items"),
        (("ab", [1, 2]), "'items' must be a list of items"),
        (({"a": 1}, [1]), "'items' must be a list of items"),
        ((pd.DataFrame({"a": ["b"]}), [1]), "'items' must be a list of items"),
        (({"a", "b"}, [1, 2]), "'items' must be a list of items, not a set, which has no order"),
        ((["a", frozenset("b")], [1, 2]), "'items' has a set"),
        ((["a", ["b"]], [1, 2]), "'items' has an item that is not hashable"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            extract_ranking(*bad)


def test_labels_of_scores_in_another_order():
    scores = pd.Series([1, 2], index=["b", "a"])
    for items in (["a", "b"], pd.Index(["a", "b"]), pd.Series(["a", "b"], index=["a", "b"])):
        with pytest.warns(PairingWarning):
            extract_ranking(items, scores)
    assert extract_ranking(["b", "a"], scores) == ["a", "b"]
    assert extract_ranking([1.5, 2.5], [1, 2]) == [2.5, 1.5]
