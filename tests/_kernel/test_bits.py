"""The pairs of columns, one by one and from bits, with each set of instructions that this processor has."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ircor._kernel import Dominance, Ranking, bits, totals_of_columns

SUMS = ("pairs", "above_in_x", "above_in_y", "above_in_y_permuted")
# Around the lengths of words and of vectors.
LENGTHS = [1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 25, 31, 33, 63, 64, 65, 127, 128, 129, 300, 511, 513, 1000, 1024, 1025]


@pytest.fixture(params=bits.instructions())
def instructions(request):
    before = bits.use_instructions(request.param)
    yield request.param
    bits.use_instructions(before)


def columns_of(rng, n):
    """Rankings with many ties, few, and none, of one value, and with missing values."""
    columns = [rng.random(n), rng.integers(0, 3, n) / 2, rng.random(n), np.zeros(n), rng.integers(0, n, n) / n]
    columns.append(np.where(rng.random(n) < 0.2, np.nan, columns[1]))
    return [Ranking(column, True) for column in columns]


def assert_totals(totals, pairs, sums):
    """Every number is that of `Dominance`, to the last bit."""
    ones = [Dominance(x, y) for x, y in pairs]
    for side, attribute in product("xy", ("n", "missing", "tied_pairs", "top", "total_pairs")):
        expected = [getattr(getattr(one, side), attribute) for one in ones]
        assert getattr(getattr(totals, side), attribute).tolist() == expected, (side, attribute)
    if "pairs" in sums:
        for attribute in ("concordant", "discordant", "tied_pairs"):
            assert getattr(totals, attribute).tolist() == [getattr(one, attribute) for one in ones], attribute
    for name in SUMS[1:]:
        expected = [getattr(one, f"c_{name}")() if name in sums else 0 for one in ones]
        assert getattr(totals, f"c_{name}")().tolist() == expected, name
    within = [one.y.c_within() if "above_in_y_permuted" in sums else 0 for one in ones]
    assert totals.y.c_within().tolist() == within


@pytest.mark.parametrize("n", LENGTHS)
def test_columns(n, instructions, rng):
    x, y = columns_of(rng, n), columns_of(rng, n)[:5]
    for sums in [(), *((one,) for one in SUMS), SUMS]:
        assert_totals(totals_of_columns(x, y, sums), product(x, y), sums)
        upper = [(one, other) for k, one in enumerate(x) for other in x[k:]]
        assert_totals(totals_of_columns(x, x, sums, True), upper, sums)


def test_the_longest_rankings_that_bits_take(instructions, rng):
    """The sums are exact for up to 2,048 items, more than any set of instructions takes."""
    before = bits.set_limits(2048, 64)
    try:
        x = [Ranking(values) for values in (rng.random(2048), rng.integers(0, 900, 2048), np.arange(2048))]
        assert_totals(totals_of_columns(x * 2, x * 2, SUMS), product(x * 2, x * 2), SUMS)
    finally:
        bits.set_limits(*before)


@pytest.mark.parametrize("n", [10, 64, 400])
def test_sums_are_rounded_once(n, instructions, rng):
    """The exact sum of the quotients, each of them a double, rounded to the nearest double."""
    x = [Ranking(rng.random(n)) for _ in range(6)]
    totals = totals_of_columns(x, x, ("above_in_y",))
    for k, (one, other) in enumerate(product(x, x)):
        counts, places = Dominance(one, other).counts(), other.places()
        exact = sum(Fraction(float(c) / float(p)) for c, p in zip(counts, places) if p)
        assert totals.c_above_in_y()[k] == float(exact)


def test_few_pairs_are_counted_one_by_one(rng, instructions):
    x = columns_of(rng, 50)
    assert_totals(totals_of_columns(x[:1], x, SUMS), product(x[:1], x), SUMS)
    assert_totals(totals_of_columns(x[:1], x[:1], SUMS, True), [(x[0], x[0])], SUMS)


def test_many_columns_are_compared_in_blocks(rng, instructions):
    """More words than a block has: 1,000 items have 16,000 words in the matrix of items ahead."""
    x = [Ranking(rng.integers(0, 800, 1000)) for _ in range(7)]
    assert_totals(totals_of_columns(x, x, SUMS, True), [(a, b) for k, a in enumerate(x) for b in x[k:]], SUMS)


def test_columns_that_do_not_match_are_refused():
    x, y = [Ranking(np.arange(3.0))], [Ranking(np.arange(4.0))]
    with pytest.raises(ValueError, match=r"all rankings must have the same items, but they have \[3, 4\] items"):
        totals_of_columns(x, y, ())
    with pytest.raises(ValueError, match="all rankings must have the same items"):
        totals_of_columns([*x, *y], x, ())
    with pytest.raises(ValueError, match="half of the pairs of 1 and 2 rankings is not defined"):
        totals_of_columns(x, [*x, *x], (), True)


def test_no_columns():
    for half in (False, True):
        totals = totals_of_columns([], [], SUMS, half)
        assert totals.concordant.shape == totals.x.n.shape == totals.c_above_in_x().shape == (0,)


def test_instructions_are_chosen_by_name():
    names = bits.instructions()
    assert names[-1] == "baseline"
    assert bits.use_instructions("baseline") == names[0]
    assert bits.use_instructions(names[0]) == "baseline"
    with pytest.raises(ValueError, match="this processor has kernels for .*baseline, not for 'sse9'"):
        bits.use_instructions("sse9")
