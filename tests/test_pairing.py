"""Labels of two vectors or tables in another order: the number is R's, and a warning says so."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ircor
from ircor import PairingWarning
from ircor._core.checks import mispaired
from ircor.comparison import correlate
from ircor.plots import costly_swaps

X = pd.Series([0.4, 0.1, 0.3, 0.2, 0.5], index=list("abcde"))
Y = pd.Series([0.9, 0.4, 0.5, 0.3, 0.8], index=list("abcde"))
OTHER_ORDER = list("dbeac")
SHUFFLED = Y[OTHER_ORDER]


def warned(call, *args, **options):
    """The value of a call that warns once, and the words; the warning must name this file."""
    with pytest.warns(PairingWarning) as caught:
        value = call(*args, **options)
    assert [w.category for w in caught] == [PairingWarning]
    assert caught[0].filename == __file__
    return value, str(caught[0].message)


def silent(call, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return call(*args, **options)


def test_the_number_is_that_of_the_positions(function):
    value, words = warned(function, X, SHUFFLED)
    assert value == function(X.to_numpy(), SHUFFLED.to_numpy()) != function(X, Y)
    assert words == (
        "'x' and 'y' have the same labels in another order. They are paired by position, as in R, so 'a' is paired "
        "with 'd'. y.reindex(x.index) has the order of 'x'; y.to_numpy() has no labels, and no warning."
    )


def test_what_the_warning_says_to_do(function):
    assert silent(function, X, SHUFFLED.reindex(X.index)) == function(X, Y)
    assert silent(function, X, SHUFFLED.to_numpy()) == silent(function, X.to_numpy(), SHUFFLED)


@pytest.mark.parametrize(
    "index",
    [
        pd.Index([5, 7, 6, 9, 8]),
        pd.RangeIndex(5),
        pd.Index([0.5, 1.5, 2.5, 3.5, 4.5]),
        pd.Index([1, "a", 2.5, (1, 2), None]),
        pd.Index(["a", np.nan, "b", "c", "d"]),
        pd.Index([1.5, np.nan, 2.5, 3.5, 4.5]),
        pd.MultiIndex.from_product([["map"], list("abcde")]),
        pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", np.nan)]),
        pd.CategoricalIndex(list("abcde")),
        pd.date_range("2009-07-19", periods=5, tz="UTC"),
        pd.interval_range(0, 5),
        pd.IntervalIndex.from_tuples([(0, 3), (1, 4), (2, 5), (3, 6), (4, 7)]),
        pd.Index(list("abcde"), dtype="string"),
        pd.Index([1, 2, None, 4, 5], dtype="Int64"),
        pd.Index(list("aabcd")),
    ],
    ids=lambda index: f"{type(index).__name__} of {index.dtype}",
)
def test_any_kind_of_labels(index):
    x, y = X.set_axis(index), Y.set_axis(index)
    assert silent(ircor.tau_b, x, y) == silent(ircor.tau_b, x, y.copy(deep=True)) == ircor.tau_b(X, Y)
    value, _ = warned(ircor.tau_b, x, y.iloc[[3, 1, 4, 0, 2]])
    assert value == ircor.tau_b(X.to_numpy(), SHUFFLED.to_numpy())


def test_a_shuffled_series_beside_the_original():
    x = X.reset_index(drop=True)
    for one, other in ((x, x.sample(frac=1, random_state=1)), (x.sort_values(), x)):
        warned(ircor.tau_b, one, other)


def test_repeated_labels_cannot_be_aligned():
    x, y = X.set_axis(list("aabbc")), Y.set_axis(list("ababc"))
    _, words = warned(ircor.tau_b, x, y)
    assert "some labels repeatedly" in words
    assert "'a' is paired with 'b'" in words
    assert silent(ircor.tau_b, x, Y.set_axis(x.index)) == ircor.tau_b(X, Y)


def test_other_items_in_part():
    value, words = warned(ircor.tau_b, X, Y.set_axis(list("acdef")))
    assert value == ircor.tau_b(X, Y)
    assert words.startswith("'x' and 'y' have some of their labels in common, in other places.")
    assert "'b' is paired with 'c'" in words
    one, other = X.align(Y.set_axis(list("acdef")), join="inner")
    silent(ircor.tau_b, one, other)


@pytest.mark.parametrize(
    "labels",
    [
        list("vwxyz"),
        list("abcdz"),  # the common ones in the same places
        range(5),
        range(5, 10),
        [5, 6, 7, 8, 9],
        [0, 2, 4, 6, 8],
        pd.MultiIndex.from_product([["p"], list("abcde")]),
    ],
)
def test_labels_that_say_nothing_about_pairs(labels):
    y = Y.set_axis(labels)
    assert silent(ircor.tau_b, X, y) == silent(ircor.tau_b, y, X)
    # An index that only counts is none.
    silent(ircor.tau_b, X.reset_index(drop=True), y)


def test_vectors_without_labels():
    plain = SHUFFLED.to_list(), tuple(SHUFFLED), SHUFFLED.to_numpy(), pl.Series(SHUFFLED), pa.array(SHUFFLED)
    for y in plain:
        assert silent(ircor.tau_b, X, y) == silent(ircor.tau_b, X.to_numpy(), SHUFFLED)
    assert silent(ircor.tau_b, pl.Series(X.to_list()), pl.Series(SHUFFLED.to_list())) < 1


def test_a_refusal_comes_first():
    for y, error in ((SHUFFLED.iloc[:3], ValueError), (SHUFFLED.astype(str), TypeError)):
        with pytest.raises(error):
            silent(ircor.tau_b, X, y)
    with pytest.raises(ValueError, match="contains ties"):
        silent(ircor.tau, X, SHUFFLED.round(0))


def test_both_warnings():
    missing = SHUFFLED.replace(0.3, np.nan)
    with pytest.warns() as caught:
        ircor.tauAP_b(X, missing)
    assert [w.category for w in caught] == [PairingWarning, ircor.MissingValueWarning]
    assert {w.filename for w in caught} == {__file__}


# Functions of tables, groups and permutations


def test_permutation_tests_warn_once():
    found, _ = warned(ircor.permutation_test, X, SHUFFLED, resamples=50)
    assert found.statistic == ircor.tau_b(X.to_numpy(), SHUFFLED.to_numpy())
    silent(ircor.permutation_test, X, Y, resamples=50)


def test_rows_of_tables():
    left, right = pd.DataFrame({"u": X, "v": Y}), pd.DataFrame({"w": Y, "z": X})
    expected = silent(ircor.cor, left, right)
    found, words = warned(ircor.cor, left, right.loc[OTHER_ORDER])
    assert words.startswith("'X' and 'Y' have the same labels in another order.")
    assert "Y.reindex(X.index)" in words
    assert found.loc["u", "w"] == ircor.tau_b(X.to_numpy(), SHUFFLED.to_numpy()) != expected.loc["u", "w"]
    pd.testing.assert_frame_equal(silent(ircor.cor, left, right.loc[OTHER_ORDER].reindex(left.index)), expected)
    silent(ircor.cor, left, right.loc[OTHER_ORDER].to_numpy())
    silent(ircor.cor, left.loc[OTHER_ORDER])


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table, pd.DataFrame])
@pytest.mark.parametrize("name", ["qid", "docno", "run"])
def test_rows_of_tables_without_an_index(make, name):
    left = make({name: [1, 2, 3], "u": [3, 1, 2]})
    same, other = make({name: [1, 2, 3], "w": [1, 2, 3]}), make({"w": [2, 3, 1], name: [2, 3, 1]})
    silent(ircor.cor, left, same)
    _, words = warned(ircor.cor, left, other)
    assert words == (
        f"the column {name!r} has another order in 'X' than in 'Y', and rows are paired by position: sort both tables "
        f"by {name!r}"
    )
    silent(ircor.cor, left, make({"x": [2, 3, 1], "w": [2, 3, 1]}))


def test_groups_warn_once_whatever_is_in_another_order():
    groups = pd.Series(list("ppqqq"), index=X.index)
    expected = silent(ircor.cor_by, groups, X, Y)
    found, words = warned(ircor.cor_by, groups, X, SHUFFLED)
    assert words.startswith("'x' and 'y' have the same labels")
    pd.testing.assert_series_equal(found, ircor.cor_by(groups.to_numpy(), X.to_numpy(), SHUFFLED.to_numpy()))
    assert not found.equals(expected)
    for x, y in ((X, Y), (X, Y.to_numpy()), (X.to_numpy(), Y)):
        _, words = warned(ircor.cor_by, groups[OTHER_ORDER], x, y)
        assert "'groups' have the same labels" in words
    silent(ircor.cor_by, "g", "x", "y", data=pd.DataFrame({"g": groups, "x": X, "y": Y}))


def test_correlations_of_items():
    # Without names, the two must have the same index.
    with pytest.raises(ValueError, match="matched by position"):
        silent(correlate, X, SHUFFLED)
    found, _ = warned(correlate, X, SHUFFLED, names="abcde", permutations=9, seed=1)
    assert found.coefficients.set_index("coefficient").value["tau_b"] == ircor.tau_b(X.to_numpy(), SHUFFLED.to_numpy())
    silent(correlate, X, Y)


def test_pictures():
    pytest.importorskip("matplotlib").use("Agg")
    from ircor.plots import moves, slope, tie_effect

    for picture in (tie_effect, costly_swaps):
        warned(picture, X, SHUFFLED)
        silent(picture, X, Y)
    warned(slope, X, SHUFFLED, names="abcde")
    # Two names for each system are matched, but an index that only counts is none.
    silent(moves, X, SHUFFLED)
    x = X.reset_index(drop=True)
    for pair in ((x, x.sort_values()), (x.sort_values(), x)):
        warned(moves, *pair)
    topics = pd.DataFrame({"a": X, "b": Y})
    silent(moves, topics, topics.loc[OTHER_ORDER])


def test_the_words_for_labels():
    names = "u", "v"
    assert mispaired("abc", "abc", names) == mispaired("abc", "xyz", names) == mispaired([], [], names) == ""
    assert mispaired("abc", "acb", names).startswith("'u' and 'v' have the same labels in another order. ")
    assert "v.reindex(u.index)" in mispaired("abc", "acb", names)
    assert "u.align(v, join='inner')" in mispaired("abc", "bcd", names)
    assert mispaired([0, 1, 2], [1, 2, 3], names) == mispaired([1, 2, 3], [0, 1, 2], names) == ""
    for here, there in (("abc", "baa"), ("baa", "abc")):
        assert "in common" in mispaired(here, there, names)
    assert "repeatedly" in mispaired("aabb", "abab", names)
    assert mispaired([0, 1, 2], [1, 2, 0], names) != ""


def test_numbers_and_their_texts_are_the_same_labels():
    x = pd.Series([1.0, 2, 3, 4], index=["401", "402", "403", "404"])
    y = pd.Series([2.0, 1, 4, 3], index=[402, 401, 404, 403])
    with pytest.warns(ircor.PairingWarning, match="same labels in another order"):
        ircor.tau_b(x, y)
    assert ircor.tau_b(x, y.sort_index()) == 1
