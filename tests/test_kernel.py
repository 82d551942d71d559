"""Places, tie groups and dominance counts against plain loops, and the kernel's limits."""

import threading
import tracemalloc

import numpy as np
import pytest
from calls import FUNCTIONS
from scipy.stats import kendalltau, rankdata

from ircor._dominance import Dominance, Ranking, dominance_sums

# Around every length where the kernel changes its way of sorting or counting, and around its 64-bit words.
LENGTHS = [0, 1, 2, 3, 10, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193, 194, 255, 256, 257, 1000, 4097]


def tied_vectors(rng, n):
    """Two vectors with a share of ties that goes from none to all."""
    groups = max(1, int(rng.integers(1, n + 1))) if n else 1
    return rng.integers(0, groups, n).astype(float), rng.permutation(n).astype(float) // int(rng.integers(1, 5))


def ahead_of(ranking):
    """Matrix of who (column) stands strictly ahead of whom (row)."""
    return ranking[None, :] > ranking[:, None]


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.float32, np.longdouble])
@pytest.mark.parametrize("n", LENGTHS)
def test_places_and_groups(n, dtype, rng):
    for values in tied_vectors(rng, n):
        values = values.astype(dtype)
        for decreasing in (True, False):
            ranking = Ranking(values, decreasing)
            signed = -values if decreasing else values
            np.testing.assert_array_equal(ranking.places(), rankdata(signed, method="min") - 1)
            sizes = (values[:, None] == values[None, :]).sum(axis=1)
            np.testing.assert_array_equal(ranking.group_sizes(), sizes)
            assert ranking.tied_pairs == (sizes - 1).sum() // 2
            np.testing.assert_array_equal(np.sort(signed), signed[ranking.items()])
            assert n == 0 or ranking.top == (signed == signed.min()).sum()
            assert (ranking.n, len(ranking), ranking.missing) == (n, n, 0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [5, 64, 65, 300])
def test_missing_values_stand_last_in_order_of_position(n, dtype, rng):
    values = rng.integers(0, n, n).astype(dtype)
    missing = np.sort(rng.choice(n, n // 3, replace=False))
    values[missing] = np.nan
    for decreasing in (True, False):
        ranking = Ranking(values, decreasing)
        assert ranking.missing == missing.size
        np.testing.assert_array_equal(ranking.items()[n - missing.size :], missing)
        np.testing.assert_array_equal(ranking.group_sizes()[missing], 1)
        np.testing.assert_array_equal(ranking.places()[missing], np.arange(n - missing.size, n))


@pytest.mark.parametrize("n", LENGTHS)
def test_counts_are_those_of_a_plain_loop(n, rng):
    # The last has more items tied in both than there are bits in a word.
    for x, y in [*(tied_vectors(rng, n) for _ in range(5)), (rng.integers(0, 3, n) / 2, rng.integers(0, 2, n) / 2)]:
        d = Dominance(Ranking(x, True), Ranking(y, True))
        both = ahead_of(x) & ahead_of(y)
        np.testing.assert_array_equal(d.counts(), both.sum(axis=1))
        assert d.concordant == both.sum()
        assert d.discordant == (ahead_of(x) & ahead_of(-y)).sum()
        assert d.tied_pairs == (((x[:, None] == x) & (y[:, None] == y)).sum() - n) // 2
        weights = rng.random(n)
        sums = dominance_sums(Ranking(x, True), Ranking(y, True), weights)
        np.testing.assert_allclose(sums, both @ weights, atol=1e-12)


def test_twenty_thousand_items_with_many_ties_against_a_loop(rng):
    n = 20_000
    x, y = rng.integers(0, 3000, n), rng.integers(0, 500, n)
    d = Dominance(Ranking(x, True), Ranking(y, True))
    counts = d.counts()
    for i in range(n):
        assert counts[i] == np.count_nonzero((x > x[i]) & (y > y[i]))
    p = np.array([1 + np.count_nonzero(y > value) for value in range(500)])[y]
    below = p > 1
    assert d.c_above_in_y() == pytest.approx((counts[below] / (p[below] - 1)).sum(), rel=1e-13, abs=0)
    assert FUNCTIONS["tau_b"](x, y) == pytest.approx(kendalltau(x, y)[0], abs=1e-12)


@pytest.mark.parametrize("n", [2, 7, 50, 64, 65, 300, 3000])
@pytest.mark.parametrize("groups", [2, 10, 10**6])
def test_tau_b_is_scipys_kendalltau(n, groups, rng):
    for _ in range(20):
        x, y = rng.integers(0, groups, n), rng.integers(0, groups, n)
        expected = kendalltau(x, y)[0]
        assert FUNCTIONS["tau_b"](x, y) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_counts_above_2_to_the_32():
    n = 200_000
    pairs = n * (n - 1) // 2
    up, tied = np.arange(n), np.zeros(n)
    assert Dominance(Ranking(up), Ranking(up)).concordant == pairs
    assert Dominance(Ranking(up), Ranking(-up)).discordant == pairs
    assert Ranking(tied).tied_pairs == pairs
    assert Dominance(Ranking(tied), Ranking(tied)).tied_pairs == pairs


def test_too_many_items_are_refused_before_any_work():
    with pytest.raises(ValueError, match="2147483647 items at the most, not 2147483648"):
        Ranking(np.broadcast_to(np.int8(0), 2**31))


def test_rankings_of_different_lengths_are_refused():
    three, four = Ranking(np.arange(3.0)), Ranking(np.arange(4.0))
    with pytest.raises(ValueError, match="3 and 4 items"):
        Dominance(three, four)
    with pytest.raises(ValueError, match="3 and 3 items, and there are 4 weights"):
        dominance_sums(three, three, np.ones(4))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, np.longdouble])
@pytest.mark.parametrize("ties", [False, True])
def test_working_memory_is_below_40_bytes_an_item(ties, dtype, rng):
    n = 500_000
    x, y = (rng.permutation(n).astype(dtype) for _ in "xy")
    if ties and dtype is not np.uint8:
        x, y = x // 3, y // 100
    for name in ("tau_b", "tauAP_b") if ties or dtype is np.uint8 or dtype is np.float32 else FUNCTIONS:
        tracemalloc.start()
        FUNCTIONS[name](x, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= 40 * n + 10_000, name


def test_other_threads_run_meanwhile(rng):
    x, y = Ranking(rng.random(3_000_000)), Ranking(rng.random(3_000_000))
    worker = threading.Thread(target=Dominance, args=(x, y))
    worker.start()
    turns = 0
    while worker.is_alive():
        worker.join(0.001)
        turns += 1
    assert turns > 10
