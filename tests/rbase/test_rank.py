"""R's round, rank and order on numbers that R printed.  The cross-check compares with R itself."""

import numpy as np
import pandas as pd
import pytest

import ircor
from ircor.rbase import r_order, r_rank, r_round

HALVES = [float(f"0.{k:02}5") for k in range(100)]


def test_the_hundred_halves():
    # R 4.2.2: cat(round(as.numeric(sprintf("0.%02d5", 0:99)), 2))
    printed_by_r = """
        0 0.01 0.03 0.04 0.04 0.06 0.06 0.07 0.09 0.1 0.1 0.12 0.12 0.14 0.14 0.16 0.16 0.17 0.18 0.2 0.2 0.22 0.22 0.23
        0.24 0.26 0.26 0.28 0.28 0.3 0.3 0.32 0.32 0.34 0.34 0.36 0.36 0.38 0.38 0.4 0.41 0.42 0.42 0.44 0.44 0.46 0.47
        0.48 0.48 0.5 0.5 0.52 0.52 0.54 0.54 0.56 0.56 0.58 0.58 0.6 0.6 0.62 0.62 0.64 0.64 0.66 0.66 0.68 0.69 0.7
        0.7 0.72 0.72 0.74 0.74 0.76 0.76 0.78 0.78 0.8 0.8 0.81 0.82 0.84 0.84 0.86 0.86 0.88 0.88 0.9 0.9 0.92 0.92
        0.94 0.94 0.96 0.96 0.98 0.98 1"""
    ours = r_round(HALVES, 2)
    assert ours.tolist() == [float(number) for number in printed_by_r.split()]
    assert np.count_nonzero(ours != np.round(HALVES, 2)) == 12
    assert sum(a != round(b, 2) for a, b in zip(ours.tolist(), HALVES)) == 38


def test_half_way_cases():
    # R 4.2.2: round(c(0.15, 0.25, 0.35, 0.45, 0.55, 0.65), 1), round(c(2.675, 1.005, 0.285), 2) and
    # round(c(-1.5, -0.5, 0.5, 2.5))
    assert r_round([0.15, 0.25, 0.35, 0.45, 0.55, 0.65], 1).tolist() == [0.1, 0.2, 0.3, 0.4, 0.6, 0.7]
    assert r_round([2.675, 1.005, 0.285], 2).tolist() == [2.67, 1, 0.28]
    assert r_round([-1.5, -0.5, 0.5, 2.5]).tolist() == [-2, 0, 0, 2]


def test_negative_digits():
    # R 4.2.2: sprintf("%.17g", round(456150000, -5)) is 456199999.99999994; round(c(1250, 1350, 150), -2)
    assert r_round(456150000, -5) == 456199999.99999994
    assert r_round([1250, 1350, 150], -2).tolist() == [1200, 1400, 200]


def test_values_with_no_more_digits_stay_as_they_are():
    # R 4.2.2: round(0.12321925206329451, 16) loses a digit, round(0.18780092321131353, 16) does not
    assert r_round(0.12321925206329451, 16) == 0.1232192520632945
    assert r_round(0.18780092321131353, 16) == 0.18780092321131353
    assert r_round(123.456, 400) == 123.456
    assert r_round(-123.456, -400) == 0


def test_values_that_are_not_finite_and_the_sign_of_zero():
    special = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0])
    for digits in (-400, -2, 0, 2, 400):
        np.testing.assert_array_equal(r_round(special, digits), special)
    assert np.signbit(r_round(-0.04, 1))


def test_shapes_and_types():
    assert type(r_round(0.15, 1)) is float
    assert r_round([[0.15, 0.25]], 1).shape == (1, 2)
    assert r_round(np.array([1, 2], dtype=np.int8), 2).dtype == np.int8
    assert r_round(2**62 + 1, 3) == 2**62 + 1
    assert r_round(pd.Series([0.15]), 1).tolist() == [0.1]
    np.testing.assert_array_equal(r_round(np.ma.array([0.15, 9.9], mask=[False, True]), 1), [0.1, np.nan])
    np.testing.assert_array_equal(r_round(pd.Series([15, None], dtype="Int64"), -1), [20, np.nan])
    assert r_round(pd.Series([15, 25], dtype="Int64")).tolist() == [15, 25]
    with pytest.raises(TypeError, match="'x' must be numbers, but it is of type category"):
        r_round(pd.Series([1, 2]).astype("category"))
    for digits in (1.5, True, "1", None):
        with pytest.raises(TypeError, match="'digits' must be a whole number, not"):
            r_round([0.15], digits)
    with pytest.raises(TypeError, match="'x' must be numbers"):
        r_round(["a"])


def test_rounding_decides_where_ties_fall():
    # The help page of tau, R's ircor 1.0: tau_b(round(x, 1), round(y, 1)) is 0.25
    x = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
    y = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]
    assert ircor.tau_b(r_round(x, 1), r_round(y, 1)) == 0.25


def test_ranks_of_ties():
    # R 4.2.2: rank(c(2, 4, 1, 4, 6, 4), ties.method = ...)
    x = [2, 4, 1, 4, 6, 4]
    assert r_rank(x).tolist() == [2, 4, 1, 4, 6, 4]
    assert r_rank(x, "min").tolist() == [2, 3, 1, 3, 6, 3]
    assert r_rank(x, "max").tolist() == [2, 5, 1, 5, 6, 5]
    assert r_rank(x, "first").tolist() == [2, 3, 1, 4, 6, 5]
    assert r_rank(x, "last").tolist() == [2, 5, 1, 4, 6, 3]
    assert r_rank(x).dtype == np.float64
    assert r_rank(x, "min").dtype == np.int64


def test_random_ranks_differ_only_among_ties():
    x = np.repeat([3.0, 1.0, 2.0], 50)
    seen = {tuple(r_rank(x, "random", seed=seed)) for seed in range(5)}
    assert len(seen) == 5
    for ranks in seen:
        assert sorted(ranks) == list(range(1, 151))
        assert min(ranks[:50]) == 101
    np.testing.assert_array_equal(r_rank(x, "random", seed=1), r_rank(x, "random", seed=1))


def test_ranks_of_missing_values():
    # R 4.2.2: rank(c(3, NA, 1, NA, 2), na.last = ...)
    x = [3, np.nan, 1, np.nan, 2]
    assert r_rank(x).tolist() == [3, 4, 1, 5, 2]
    assert r_rank(x, "min", na_last=False).tolist() == [5, 1, 3, 2, 4]
    np.testing.assert_array_equal(r_rank(x, "min", na_last="keep"), [3, np.nan, 1, np.nan, 2])
    assert r_rank(x, na_last=None).tolist() == [3, 1, 2]
    assert r_rank(pd.Series([3, None, 1], dtype="Int64")).tolist() == [2, 3, 1]


def test_bad_arguments_are_refused():
    with pytest.raises(
        ValueError, match="'ties_method' must be one of average, first, last, random, max, min, not 'dense'"
    ):
        r_rank([1, 2], "dense")
    for ties_method in (pd.DataFrame({"a": [1]}), pd.Series(["min"]), pd.NA, None):
        with pytest.raises(ValueError, match="'ties_method' must be one of average, first"):
            r_rank([1, 2], ties_method)
    for na_last in ("first", 1, pd.NA, np.array(["keep"])):
        with pytest.raises(ValueError, match="'na_last' must be True, False, None or 'keep', not"):
            r_rank([1, 2], na_last=na_last)
    with pytest.raises(TypeError, match="'x' must be a numeric vector"):
        r_rank(["a", "b"])


def test_integers_stay_integers_unless_they_lose_digits():
    for digits in (0, 1):
        assert r_round(np.array([1, 25]), digits).dtype == np.int64
    assert r_round(np.array([14, 26]), -1).tolist() == [10.0, 30.0]
    assert isinstance(r_round(7, 0), int)


def test_infinities_of_both_signs():
    """Some releases of SciPy rank nothing then, since the sum of the values is NaN."""
    assert r_rank([np.inf, -np.inf, 1.0]).tolist() == [3, 1, 2]
    assert r_rank([np.inf, -np.inf, 1.0, np.inf], "min").tolist() == [3, 1, 2, 3]


def test_order():
    # R 4.2.2: order(c(2, NA, 1, 2), ...), order(c(1, 1, 0), c(2, 1, 3), decreasing = TRUE)
    x = [2, np.nan, 1, 2]
    assert r_order(x).tolist() == [3, 1, 4, 2]
    assert r_order(x, decreasing=True).tolist() == [1, 4, 3, 2]
    assert r_order(x, na_last=False).tolist() == [2, 3, 1, 4]
    assert r_order(x, na_last=None).tolist() == [3, 1, 4]
    assert r_order([1, 1, 0], [2, 1, 3], decreasing=True).tolist() == [1, 2, 3]
    assert r_order(np.array([3, 1], dtype=np.uint8), decreasing=True).tolist() == [1, 2]
    with pytest.raises(ValueError, match="'keys' must be one vector or more, of the same length"):
        r_order([1, 2], [1])
