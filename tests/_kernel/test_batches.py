"""The counts and sums of many pairs of rankings in one call, against one `Dominance` for each pair."""

import tracemalloc
from itertools import product

import numpy as np
import pytest
from totals import CHOICES, SUMS, assert_entry, tied

from ircor._kernel import (
    Dominance,
    Ranking,
    Totals,
    dominance_sums,
    gather_groups,
    totals_of_columns,
    totals_of_groups,
    totals_of_resamples,
)


def assert_empty_entry(totals, k):
    for values in (totals.concordant, totals.discordant, totals.tied_pairs, totals.y.c_within()):
        assert values[k] == 0
    for side, attribute in product("xy", ("n", "missing", "tied_pairs", "top", "near_ties", "total_pairs")):
        assert getattr(getattr(totals, side), attribute)[k] == 0
    for method in ("c_above_in_x", "c_above_in_y", "c_above_in_y_permuted"):
        assert getattr(totals, method)()[k] == 0


# Totals


@pytest.mark.parametrize("sums", CHOICES)
def test_put_sets_one_entry(sums, rng):
    d = Dominance(Ranking(np.append(tied(rng, 50), np.nan)), Ranking(np.append(tied(rng, 50), np.nan)))
    totals = Totals(3, sums)
    totals.put(1, d)
    assert_entry(totals, 1, d, sums)
    assert_empty_entry(totals, 0)
    assert_empty_entry(totals, 2)


def test_unknown_sums_are_refused():
    known = "above_in_x, above_in_y, above_in_y_permuted, pairs"
    with pytest.raises(ValueError, match=rf"'sums' must be among {known} and \(p, ties\), not 'above'"):
        Totals(1, {"above_in_x", "above"})
    with pytest.raises(ValueError, match="'sums' must be among"):
        totals_of_columns([], [], "tau_b")


# Groups


SIZES = [1, 2, 3, 0, 24, 25, 64, 65, 8, 9, 100, 1000, 1024, 1025, 2, 1]


@pytest.mark.parametrize("decreasing", [True, False])
@pytest.mark.parametrize("groups", [3, 40, 10**9])
def test_groups(groups, decreasing, instructions, rng):
    ends = np.cumsum(SIZES).astype(np.intp)
    x, y = (tied(rng, ends[-1], groups) for _ in "xy")
    y[rng.random(len(y)) < 0.05] = np.nan
    for sums, (least, most) in product(CHOICES, [(0, 1025), (2, 1024), (3, 64), (25, 1025)]):
        totals = totals_of_groups(x, y, ends, decreasing, least, most, sums, False)
        for k, (size, end) in enumerate(zip(SIZES, ends)):
            if least <= size <= most:
                rows = slice(end - size, end)
                assert_entry(totals, k, Dominance(Ranking(x[rows], decreasing), Ranking(y[rows], decreasing)), sums)
            else:
                assert_empty_entry(totals, k)
        assert not totals.x.near_ties.any()
        assert not totals.y.near_ties.any()


def test_near_ties_are_neighbours_within_1e_13_of_the_value():
    """Equal values and missing ones are no near-ties."""
    near = [0.3, 0.1 + 0.2, 5.0, 5.0, np.nan, np.nan, 8.0, 9.0]
    far = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 7.0]
    edges = [1.0, 1 - 0.99e-13, 2.0, 2 - 2.02e-13, -4.0, -4 + 3.99e-13, 0.0, -0.0]
    tied = [1.0, 1.0, 1.0, 1 - 5e-14, 3.0, 3.0, 3 - 1e-13, 5.0]
    x, y = np.array(near + far + edges + tied), np.array(far + near + edges + tied[::-1])
    ends = np.array([8, 16, 24, 32], dtype=np.intp)
    for decreasing in (True, False):
        totals = totals_of_groups(x, y, ends, decreasing, 2, 8, (), True)
        assert totals.x.near_ties.tolist() == [1, 0, 2, 2]
        assert totals.y.near_ties.tolist() == [0, 1, 2, 2]
        off = totals_of_groups(x, y, ends, decreasing, 2, 8, (), False)
        assert off.x.near_ties.tolist() == off.y.near_ties.tolist() == [0, 0, 0, 0]


def test_gathered_groups_keep_the_order_of_their_items(rng):
    code = rng.integers(0, 5, 200).astype(np.intp) * 2  # odd groups are empty
    x, y = rng.random(200), rng.random(200)
    found_x, found_y, ends = gather_groups(code, 0, 11, x, y)
    order = np.argsort(code, kind="stable")
    np.testing.assert_array_equal(found_x, x[order])
    np.testing.assert_array_equal(found_y, y[order])
    np.testing.assert_array_equal(ends, np.cumsum(np.bincount(code, minlength=11)))


@pytest.mark.parametrize("least", [0, -5, 2**60])
@pytest.mark.parametrize("count", [1, 8191, 8192, 8193, 65_537, 200_000])
def test_many_rows_are_gathered_in_two_steps(count, least, rng):
    code = rng.integers(0, count, 70_000)
    code[:2] = 0, count - 1
    x, y = rng.random(70_000), rng.random(70_000)
    found_x, found_y, ends = gather_groups(code + least, least, count, x, y)
    order = np.argsort(code, kind="stable")
    np.testing.assert_array_equal(found_x, x[order])
    np.testing.assert_array_equal(found_y, y[order])
    np.testing.assert_array_equal(ends, np.cumsum(np.bincount(code, minlength=count)))


def test_groups_of_other_lengths_are_refused():
    code = np.zeros(3, dtype=np.intp)
    for x, y in ((3, 4), (4, 3)):
        with pytest.raises(ValueError, match=f"same length, but they have 3, {x} and {y} items"):
            gather_groups(code, 0, 1, np.zeros(x), np.zeros(y))


# Resamples


@pytest.mark.parametrize("m", [1, 2, 9, 24, 25, 65, 200, 230])
@pytest.mark.parametrize("levels", [4, 2**40])
@pytest.mark.parametrize("decreasing", [True, False])
def test_resamples(m, levels, decreasing, instructions, rng):
    # Sums of these scores are exact.
    X, Y = rng.integers(0, levels, (6, m)) / 4, rng.integers(0, 100 * levels, (6, m)) / 4
    draws = rng.integers(0, 6, (10, 6), dtype=np.int32)
    for sums in CHOICES:
        totals = totals_of_resamples(X, Y, draws, 0, 0, decreasing, sums)
        for k, rows in enumerate(draws):
            x, y = X[rows].sum(axis=0), Y[rows].sum(axis=0)
            assert_entry(totals, k, Dominance(Ranking(x, decreasing), Ranking(y, decreasing)), sums)


def tied_in_chains(sums, noise):
    """Values of which those are equal that are joined by steps of at most `noise`."""
    order = np.argsort(sums)
    values = np.empty(len(sums))
    values[order] = np.cumsum(np.append(0, np.diff(sums[order]) > noise))
    return values


@pytest.mark.parametrize("m", [2, 10, 60, 230])
@pytest.mark.parametrize("side", [0, 1])
def test_resamples_with_sums_within_the_noise_or_not(m, side, instructions, rng):
    tables = rng.random((2, 6, m))
    draws = rng.integers(0, 6, (60, 6), dtype=np.int32)
    noise = [0.0, 0.0]
    # About half of the resamples have two sums that are as close.
    noise[side] = np.median([np.diff(np.sort(tables[side][rows].sum(axis=0))).min() for rows in draws])
    totals = totals_of_resamples(*tables, draws, *noise, True, tuple(SUMS))
    for k, rows in enumerate(draws):
        sums = [tied_in_chains(table[rows].sum(axis=0), step) for table, step in zip(tables, noise)]
        assert_entry(totals, k, Dominance(Ranking(sums[0], True), Ranking(sums[1], True)))
    tied_pairs = (totals.x if side == 0 else totals.y).tied_pairs
    assert 0 < np.count_nonzero(tied_pairs) < 60


@pytest.mark.parametrize("decreasing", [True, False])
def test_sums_closer_than_the_noise_are_tied(decreasing):
    """Ties are between neighbours: 1.0, 1.5 and 2.0 are all tied with a noise of 0.5."""
    X = np.array([[1.0, 4.0, 1.5, 2.0, 3.0]])
    Y = np.array([[1.0, 4.0, 2.0, 3.0, 5.0]])
    totals = totals_of_resamples(X, Y, np.zeros((1, 1), dtype=np.int32), 0.5, 0.75, decreasing, ("pairs",))
    x = np.array([1, 3, 1, 1, 2])
    assert_entry(totals, 0, Dominance(Ranking(x, decreasing), Ranking(Y[0], decreasing)), ("pairs",))
    totals = totals_of_resamples(Y, X, np.zeros((1, 1), dtype=np.int32), 0.75, 0.5, decreasing, ("pairs",))
    assert_entry(totals, 0, Dominance(Ranking(Y[0], decreasing), Ranking(x, decreasing)), ("pairs",))


# Memory


def test_memory_is_freed(rng):
    x, y = rng.random(50_000), rng.random(50_000)
    ranking = Ranking(x)
    shorts = [Ranking(rng.integers(0, 50, 1000)) for _ in range(6)]
    tracemalloc.start()
    for _ in range(5):
        totals_of_groups(x, y, np.array([50_000], dtype=np.intp), True, 2, 50_000, (), True)
        totals_of_resamples(x[None, :], y[None, :], np.zeros((1, 1), dtype=np.int32), 0, 0, True, ())
        totals_of_columns([ranking], [ranking], ("pairs",))
        totals_of_columns(shorts, shorts, tuple(SUMS))
        dominance_sums(ranking, ranking, x)
    left = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert left < 50_000
