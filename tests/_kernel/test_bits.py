"""The pairs of columns, one by one and from bits, with each set of instructions that this processor has."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ircor._kernel import Dominance, Ranking, bits, totals_of_columns

SUMS = ("pairs", "above_in_x", "above_in_y", "above_in_y_permuted")
# Around the lengths of words and of vectors.
LENGTHS = [1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 25, 31, 33, 63, 64, 65, 127, 128, 129, 300, 511, 513, 1000, 1024, 1025]


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
        assert_totals(totals_of_columns(x, y, sums, bits=True), product(x, y), sums)
        upper = [(one, other) for k, one in enumerate(x) for other in x[k:]]
        assert_totals(totals_of_columns(x, x, sums, True, bits=True), upper, sums)


def test_the_longest_rankings_that_bits_take(instructions, rng):
    x = [Ranking(values) for values in (rng.random(2048), rng.integers(0, 900, 2048), np.arange(2048))]
    assert_totals(totals_of_columns(x, x, SUMS, bits=True), product(x, x), SUMS)
    with pytest.raises(ValueError, match="no bits for more than 2048 items"):
        totals_of_columns([Ranking(np.arange(2049))], [Ranking(np.arange(2049))], SUMS, bits=True)
    with pytest.raises(ValueError, match="none for an overlap"):
        totals_of_columns(x, x, {(0.9, 0)}, bits=True)


@pytest.mark.parametrize("columns", [1, 2, 20])
@pytest.mark.parametrize("n", [10, 300, 1600])
def test_bits_or_not(n, columns, instructions, rng):
    """The default is whichever is faster, for few columns and many."""
    x = [Ranking(rng.integers(0, 100, n)) for _ in range(columns)]
    for half, sums in product((False, True), [SUMS, ("pairs",), ("above_in_x",), {(0.9, 0)}]):
        found, expected = (totals_of_columns(x, x, sums, half, bits=bits) for bits in (None, False))
        np.testing.assert_array_equal(found.concordant, expected.concordant)
        np.testing.assert_array_equal(found.c_above_in_x(), expected.c_above_in_x())
        np.testing.assert_array_equal(found.c_above_in_y_permuted(), expected.c_above_in_y_permuted())


@pytest.mark.parametrize("n", [10, 64, 400])
def test_sums_are_rounded_once(n, instructions, rng):
    """The exact sum of the quotients, each of them a double, rounded to the nearest double."""
    x = [Ranking(rng.random(n)) for _ in range(6)]
    totals = totals_of_columns(x, x, ("above_in_y",), bits=True)
    for k, (one, other) in enumerate(product(x, x)):
        counts, places = Dominance(one, other).counts(), other.places()
        exact = sum(Fraction(float(c) / float(p)) for c, p in zip(counts, places) if p)
        assert totals.c_above_in_y()[k] == float(exact)


def test_parts_and_blocks(rng, instructions):
    """The bits of 1,000 items are compared in parts, and more columns than stay in the cache in blocks."""
    x = [Ranking(rng.integers(0, 800, 1000)) for _ in range(10)]
    upper = [(a, b) for k, a in enumerate(x) for b in x[k:]]
    assert_totals(totals_of_columns(x, x, SUMS, True, bits=True), upper, SUMS)
    x = [Ranking(rng.integers(0, 20, 30)) for _ in range(70)]
    upper = [(a, b) for k, a in enumerate(x) for b in x[k:]]
    assert_totals(totals_of_columns(x, x, SUMS, True, bits=True), upper, SUMS)


def test_every_quotient_is_rounded_once(instructions):
    """A sum of one quotient, that of the only item below the top tie group."""
    for n in range(2, 2049, 89):
        # The last item has n - 1 items ahead of it in y, and c of them in x.
        y = [Ranking(np.append(np.zeros(n - 1), 1.0))]
        places = np.unique(np.linspace(0, n - 1, 40).astype(int))
        x = [Ranking(np.append(np.arange(n - 1) * 2.0, 2.0 * c - 1)) for c in places]
        found = totals_of_columns(x, y, ("above_in_y",), bits=True).c_above_in_y()
        assert found.tolist() == [c / (n - 1) for c in places]


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
