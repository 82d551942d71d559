"""Checks of lists, document ids and table columns."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from ircor._core.checks import (
    column_values,
    is_missing,
    refuse_incomparable_ids,
    refuse_repeated_ids,
    repeated_values,
    require_list,
)


def test_long_values_are_not_printed_in_messages():
    with pytest.raises(TypeError, match="^'ids' must be a list of ids, not a DataFrame$"):
        require_list(pd.DataFrame({"a": range(100)}), "'ids'", "ids")
    with pytest.raises(TypeError, match="^'ids' must be a list of ids, not a ndarray$"):
        require_list(np.zeros((50, 50)), "'ids'", "ids")


@pytest.mark.parametrize("value", [frozenset("ab"), {"a", "b"}])
def test_a_set_is_a_list_unless_the_order_matters(value):
    assert require_list(value, "'ids'", "ids") is value
    with pytest.raises(TypeError, match="not a set, which has no order"):
        require_list(value, "'ids'", "ids", ordered=True)


def test_missing_values():
    for value in (None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.ma.masked, Decimal("nan")):
        assert is_missing(value)
    for value in (0, "", "nan", False, (), np.array([1.0, np.nan]), np.array([np.nan, 1.0])):
        assert not is_missing(value)


def test_repeated_values_are_found_in_order():
    assert list(repeated_values("abcacba")) == ["a", "c", "b", "a"]
    assert list(repeated_values([1, 2, 1.0, True])) == [1.0, True]
    with pytest.raises(ValueError, match=r"document 1.0 is twice in the list; use Organization\(levels\) for"):
        refuse_repeated_ids([1, 2, 1.0], "list")


def test_ids_that_are_never_equal():
    class Name(str):
        pass

    class Seven:
        def __eq__(self, other):
            return other == 7

        def __hash__(self):
            return hash(7)

    for one, other in (
        ([], ["a"]),
        (["a"], []),
        (["a"], ["b"]),
        (["a"], [Name("b")]),
        ([1], [2.5]),
        ([1, "a"], ["b"]),
        ([Seven()], [7]),
    ):
        refuse_incomparable_ids("id", one=one, other=other)
    for one, other, words in (
        (["a"], [1, 2.0], "'one' has ids of type str and 'other' has ids of type float and int"),
        ([b"a"], ["a"], "'one' has ids of type bytes and 'other' has ids of type str"),
        ([("a",), 1], ["a"], "'one' has ids of type int and tuple and 'other' has ids of type str"),
    ):
        with pytest.raises(TypeError, match=f"^no id can be on both sides: {words}; convert one side, with str"):
            refuse_incomparable_ids("id", one=one, other=other)


def test_columns_of_tables():
    assert column_values({"a": (1, 2)}, "a") == [1, 2]
    assert column_values(pd.DataFrame({"a": [1, 2], "b": [3, 4]}), "b") == [3, 4]
    assert column_values(np.array([(1, 2.5)], dtype=[("a", int), ("b", float)]), "b") == [2.5]
    with pytest.raises(ValueError, match="the table has no column 'b'"):
        column_values({"a": [1]}, "b")
    with pytest.raises(TypeError, match="a table with named columns is needed, not a ndarray"):
        column_values(np.zeros(3), "a")
