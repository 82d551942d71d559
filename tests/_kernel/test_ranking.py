"""The sort, places, tie groups and missing values of one ranking, against NumPy, SciPy and exact fractions."""

import copy
import doctest
import pickle
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from scipy.stats import rankdata

import ircor._kernel.ranking
from ircor import tau_b
from ircor._kernel import LongRanking, Ranking
from ircor._kernel.ranking import ranking_of

# Around every length where the sort changes, and around powers of two, where its padding changes.
LENGTHS = [
    0,
    1,
    2,
    3,
    7,
    8,
    9,
    10,
    16,
    17,
    32,
    33,
    63,
    64,
    65,
    66,
    127,
    128,
    129,
    191,
    192,
    193,
    194,
    255,
    256,
    257,
    1000,
]
LENGTHS += [1023, 1024, 1025, 4097]


def with_ties(rng, n):
    """Two vectors; the number of ties varies from none to all."""
    groups = max(1, int(rng.integers(1, n + 1))) if n else 1
    return rng.integers(0, groups, n).astype(float), rng.permutation(n).astype(float) // int(rng.integers(1, 5))


def assert_same(one, other):
    for attribute in ("n", "missing", "tied_pairs", "top", "total_pairs"):
        assert getattr(one, attribute) == getattr(other, attribute)
    for method in ("items", "places", "group_sizes", "c_within"):
        np.testing.assert_array_equal(getattr(one, method)(), getattr(other, method)())


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.float32, np.longdouble, np.uint64, np.int16])
@pytest.mark.parametrize("n", LENGTHS)
def test_places_and_groups(n, dtype, rng):
    for values in with_ties(rng, n):
        values = values.astype(dtype)
        for decreasing in (True, False):
            ranking = Ranking(values, decreasing)
            signed = values.astype(float) * (-1 if decreasing else 1)
            np.testing.assert_array_equal(ranking.places(), rankdata(signed, method="min") - 1)
            sizes = (values[:, None] == values[None, :]).sum(axis=1)
            np.testing.assert_array_equal(ranking.group_sizes(), sizes)
            assert ranking.tied_pairs == (sizes - 1).sum() // 2
            np.testing.assert_array_equal(np.sort(signed), signed[ranking.items()])
            np.testing.assert_array_equal(np.sort(ranking.items()), np.arange(n))
            assert ranking.top == (signed == signed.min(initial=np.inf)).sum()
            assert (ranking.n, len(ranking), ranking.missing) == (n, n, 0)
            assert ranking.total_pairs == n * (n - 1) // 2


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.longdouble])
@pytest.mark.parametrize("n", [1, 5, 64, 65, 300, 1024, 1025])
def test_missing_values_are_last_in_order_of_position(n, dtype, rng):
    for share in (3, 1):
        values = rng.integers(0, n, n).astype(dtype)
        missing = np.sort(rng.choice(n, n // share, replace=False))
        values[missing] = np.nan
        for decreasing in (True, False):
            ranking = Ranking(values, decreasing)
            assert ranking.missing == missing.size
            np.testing.assert_array_equal(ranking.items()[n - missing.size :], missing)
            np.testing.assert_array_equal(ranking.group_sizes()[missing], 1)
            np.testing.assert_array_equal(ranking.places()[missing], np.arange(n - missing.size, n))
            observed = np.delete(values, missing)
            places = np.delete(ranking.places(), missing)
            np.testing.assert_array_equal(places, rankdata(-observed if decreasing else observed, method="min") - 1)


@pytest.mark.parametrize("n", [6, 200, 1500])
def test_infinities_and_zeros_of_both_signs(n, rng):
    values = rng.choice([np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, np.nan], n)
    observed = ~np.isnan(values)
    for decreasing in (True, False):
        places = Ranking(values, decreasing).places()[observed]
        signed = values[observed] * (-1 if decreasing else 1)
        np.testing.assert_array_equal(places, rankdata(signed, method="min") - 1)


# The sort of short vectors


@pytest.mark.parametrize("n", [1, 2, 5, 7, 8, 9, 16, 17, 63, 100, 513, 1000, 1024])
@pytest.mark.parametrize("decreasing", [True, False])
def test_values_that_differ_in_their_last_bits_only(n, decreasing, rng):
    """The sort of short vectors stores the items in the last bits of its keys."""
    ulps = rng.integers(-5, 5, n)
    for base in (1.0, -1.0, 1e300, 5e-324, 0.0):
        values = np.full(n, base)
        for k in range(n):
            for _ in range(abs(ulps[k])):
                values[k] = np.nextafter(values[k], np.inf * np.sign(ulps[k]))
        expected = rankdata(-values if decreasing else values, method="min") - 1
        np.testing.assert_array_equal(Ranking(values, decreasing).places(), expected)
        values[:: n // 3 + 1] = np.nan
        ranking = Ranking(values, decreasing)
        observed = ~np.isnan(values)
        expected = rankdata(-values[observed] if decreasing else values[observed], method="min") - 1
        np.testing.assert_array_equal(ranking.places()[observed], expected)
        np.testing.assert_array_equal(ranking.items()[observed.sum() :], np.flatnonzero(~observed))


def test_zeros_and_ones_in_every_order():
    """A sorting network that sorts all sequences of zeros and ones sorts everything."""
    for n in (5, 6, 7, 8):
        for k in range(2**n):
            values = np.array([k >> i & 1 for i in range(n)], dtype=float)
            np.testing.assert_array_equal(values[Ranking(values).items()], np.sort(values))


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_short_vectors_of_wide_range(dtype, rng):
    for n, bits in product((2, 50, 1000), (30, 51, 52, 53, 54, 58, 63)):
        values = rng.integers(-(2**bits), 2**bits, n, dtype=np.int64).astype(dtype)
        np.testing.assert_array_equal(Ranking(values).places(), rankdata(values, method="min") - 1)
        for step in (-1, 2, -3):
            expected = Ranking(values[::step].copy()).places()
            np.testing.assert_array_equal(Ranking(values[::step]).places(), expected)


@pytest.mark.parametrize("spread", [2**53 - 1, 2**53, 2**53 + 1, 2**54, 2**63, 2**64 - 1])
@pytest.mark.parametrize("n", [3, 1024])
def test_integers_whose_range_just_fits_into_the_keys(n, spread, rng):
    """A key has 54 bits for the value and 10 for the item."""
    least = -(2**63)
    values = np.array([least + spread, least, least + spread - 1] * (n // 3 + 1), dtype=np.int64)[:n]
    for decreasing in (True, False):
        expected = [sum((b > a) if decreasing else (b < a) for b in values.tolist()) for a in values.tolist()[:3]]
        assert Ranking(values, decreasing).places()[:3].tolist() == expected


def test_ties_keep_the_order_of_position_in_short_vectors_of_doubles(rng):
    for n in (10, 100, 1000):
        values = rng.integers(0, 4, n).astype(float)
        for decreasing in (True, False):
            expected = np.argsort(-values if decreasing else values, kind="stable")
            np.testing.assert_array_equal(Ranking(values, decreasing).items(), expected)


@pytest.mark.parametrize("n", [4, 100, 2000])
def test_fields_of_structured_arrays(n, rng):
    """Their stride is not a multiple of the size of a double."""
    for dtype in (np.float64, np.int64, np.float32):
        table = np.zeros(n, dtype=[("flag", np.int8), ("score", dtype)])
        table["score"] = rng.integers(0, n, n)
        assert_same(Ranking(table["score"]), Ranking(table["score"].copy()))
        assert_same(Ranking(table["score"][::-2]), Ranking(table["score"][::-2].copy()))


def test_read_only_and_swapped_bytes(rng):
    values = rng.integers(0, 20, 50).astype(float)
    values.flags.writeable = False
    expected = rankdata(values, method="min") - 1
    np.testing.assert_array_equal(Ranking(values).places(), expected)
    for dtype in (">f8", ">i8", ">f4"):
        np.testing.assert_array_equal(Ranking(values.astype(dtype)).places(), expected)


# Sums, copies and limits


@pytest.mark.parametrize("n", [0, 1, 2, 3, 20, 100])
@pytest.mark.parametrize("groups", [1, 2, 5, 10**6])
def test_c_within_is_the_sum_of_equation_7(n, groups, rng):
    ranking = Ranking(rng.integers(0, groups, n))
    starts = sorted(set(ranking.places().tolist()))
    total = Fraction(0)
    for start, end in zip(starts, [*starts[1:], n]):
        p, t = start + 1, end - start
        total += Fraction(1, 2) * sum(Fraction(k, p + k - 1) for k in range(1, t))
    assert ranking.c_within() == pytest.approx(float(total), rel=1e-15, abs=0)


def test_a_long_sum_does_not_lose_digits():
    """One group of n items: 1/2 (n - 1), as every term is 1; two groups: harmonic numbers."""
    n = 1_000_000
    assert Ranking(np.zeros(n)).c_within() == (n - 1) / 2
    values = np.repeat([0, 1], [3, n])
    exact = 1 + (n - 1) / 2 - 1.5 * np.sum(1 / np.arange(4, n + 3, dtype=np.longdouble))
    assert Ranking(values).c_within() == pytest.approx(float(exact), rel=1e-15)


@pytest.mark.parametrize("n", [0, 1, 2, 24, 25, 64, 65, 300, 1024, 1025, 3000])
@pytest.mark.parametrize("groups", [1, 3, 10**9])
@pytest.mark.parametrize("decreasing", [True, False])
def test_a_ranking_survives_pickling(n, groups, decreasing, rng):
    values = rng.integers(0, groups, n).astype(float)
    values[rng.random(n) < 0.1] = np.nan
    ranking = Ranking(values, decreasing)
    assert_same(pickle.loads(pickle.dumps(ranking)), ranking)
    assert_same(copy.copy(ranking), ranking)


def test_a_ranking_from_its_parts():
    items, opens = np.array([2, 0, 1, 3], dtype=np.int32), np.array([1, 0, 1, 1], dtype=np.uint8)
    ranking = ranking_of(items, opens, 1)
    assert (ranking.n, ranking.missing, ranking.tied_pairs, ranking.top) == (4, 1, 1, 2)
    assert ranking.places().tolist() == [0, 2, 0, 3]
    assert ranking.items().tolist() == items.tolist()
    assert ranking.group_sizes().tolist() == [2, 1, 2, 1]


@pytest.mark.parametrize("n", [0, 1, 2, 50, 1500])
@pytest.mark.parametrize("decreasing", [False, True])
def test_near_neighbours(n, decreasing, rng):
    values = np.round(rng.random(2 * n), 3)[::2] * (1 + 1e-9 * rng.integers(0, 3, n)) * rng.choice([-1, 1], n)
    values[: n // 10] = np.nan
    values[n // 10 : n // 5] = rng.choice([np.inf, -np.inf, 0.0, -0.0], n // 5 - n // 10)
    for near in (0, 1.5e-9, 0.01):
        ranking = Ranking(values, decreasing)
        ordered = values[ranking.items()].tolist()
        expected = [
            [one, other]
            for one, other in pairwise(ordered)
            if one == other or abs(one - other) <= near * min(abs(one), abs(other))
        ]
        assert ranking.near_neighbours(values, near).tolist() == expected
        spread = np.repeat(values, 3)[::3]
        assert ranking.near_neighbours(spread, near).tolist() == expected
    assert len(expected) > n // 20 or n <= 2


@pytest.mark.parametrize("n", [0, 1, 2, 3, 50, 1500])
@pytest.mark.parametrize("decreasing", [False, True])
@pytest.mark.parametrize("signs", [[1], [-1], [-1, 1]])
def test_close_neighbours(n, decreasing, signs, rng):
    values = np.round(rng.random(n), 2) * (1 + 1e-9 * rng.integers(0, 3, n)) * rng.choice(signs, n)
    for others in ([], [np.nan, np.inf, -np.inf, np.inf], [np.inf, np.nan], [-np.inf]):
        values[: len(others)] = others[:n]
        ranking = Ranking(values, decreasing)
        finite = np.sort(values[np.isfinite(values)])
        for share in (0, 1.5e-9, 0.01):
            steps = np.diff(finite)
            expected = np.sum((steps > 0) & (steps <= share * np.abs(finite).max(initial=0)))
            assert ranking.close_neighbours(values, share) == expected
            assert ranking.close_neighbours(np.repeat(values, 3)[::3], share) == expected
    assert expected > n // 100 or n <= 3


@pytest.mark.parametrize("method", ["near_neighbours", "close_neighbours"])
def test_neighbours_need_the_values_of_all_items(method):
    with pytest.raises(ValueError, match="'values' must have 3 items, not 2"):
        getattr(Ranking(np.arange(3.0)), method)(np.arange(2.0), 1e-9)


def test_tied_pairs_above_2_to_the_32():
    n = 200_000
    assert Ranking(np.zeros(n)).tied_pairs == n * (n - 1) // 2
    assert Ranking(np.zeros(n, dtype=np.int8)).total_pairs == n * (n - 1) // 2


def test_too_many_items_are_refused_before_any_work():
    values = np.broadcast_to(np.int8(0), 2**31)
    for rank in (Ranking, LongRanking, lambda values: tau_b(values, values)):
        with pytest.raises(ValueError, match="'values' must have at most 2147483647 items, not 2147483648"):
            rank(values)


def test_the_examples():
    result = doctest.testmod(ircor._kernel.ranking)
    assert result.attempted > 0
    assert result.failed == 0
