"""The names of items and measures, as the caller gives them."""

import numpy as np
import pandas as pd
import pytest

from ircor._core.names import given_names, index_of, item_names, pair_of, several


@pytest.mark.parametrize(
    ("value", "elements"),
    [
        ("ab", ["ab"]),
        (["ab", "c"], ["ab", "c"]),
        ((name for name in "ab"), ["a", "b"]),
        (pd.Index(["a", "b"]), ["a", "b"]),
        (5, [5]),
        (None, [None]),
        ([], []),
    ],
)
def test_one_element_or_several(value, elements):
    assert several(value) == elements


def test_a_value_that_cannot_be_iterated_is_one_element():
    assert several(pd.NA) == [pd.NA]
    (element,) = several(zero_dimensional := np.array(2))
    assert element is zero_dimensional


def test_two_labels():
    assert pair_of(["AP", 10]) == ["AP", "10"]
    assert pair_of(label for label in "ab") == ["a", "b"]
    for labels in ("ab", ["a"], "", [*"abc"], 5, pd.NA, None):
        with pytest.raises(ValueError, match="'labels' must be two names, one for each ranking, not "):
            pair_of(labels)


def test_given_names():
    assert given_names("abc", 3) == given_names(pd.Series([*"abc"]), 3) == ["a", "b", "c"]
    assert given_names(range(2), 2) == [0, 1]
    for names, count in (("ab", 2), ([], 0), (range(4), 4), (5, 1)):
        with pytest.raises(ValueError, match=f"'names' must have one name for each of the 3 items, not {count}$"):
            given_names(names, 3)


def test_the_index_of_a_series():
    assert index_of(pd.Series([1, 2], index=["a", "b"])) == ["a", "b"]
    assert index_of(pd.Series([1, 2], index=[1, 2])) == [1, 2]
    assert index_of(pd.Series([1, 2])) is None
    assert index_of([1, 2]) is None
    assert index_of(np.array([1, 2])) is None


def test_where_the_names_of_items_come_from():
    a, b = pd.Series([1, 2], index=["a", "b"]), pd.Series([1, 2], index=["b", "a"])
    unnamed = pd.Series([1, 2])
    assert item_names(a, b, "xy", 2) == ["x", "y"]
    assert item_names(a, a, None, 2) == item_names(a, unnamed, None, 2) == item_names([1, 2], a, None, 2) == ["a", "b"]
    assert item_names(unnamed, [1, 2], None, 2) == ["item 0", "item 1"]
    c = pd.Series([1, 2], index=["a", "c"])
    with pytest.raises(ValueError, match="at position 1, they have 'b' and 'c'; reindex one of them, or give 'names'"):
        item_names(a, c, None, 2)
