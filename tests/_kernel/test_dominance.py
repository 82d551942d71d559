"""Dominance counts and the sums over them, against plain loops, exact fractions and SciPy."""

import doctest
import threading
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from calls import FUNCTIONS
from definitions import concordant_above, places
from scipy.stats import kendalltau

import ircor._kernel.dominance
from ircor._core.methods import kendall_b
from ircor._kernel import Dominance, Ranking, dominance_sums

# Around the length where the count changes from a loop to bits, around its 64-bit words, and around its first node.
LENGTHS = [0, 1, 2, 3, 10, 23, 24, 25, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193, 194, 255, 256, 257, 1000]
LENGTHS += [2047, 2048, 2049, 4097]


def with_ties(rng, n):
    """Two vectors; the number of ties varies from none to all."""
    groups = max(1, int(rng.integers(1, n + 1))) if n else 1
    return rng.integers(0, groups, n).astype(float), rng.permutation(n).astype(float) // int(rng.integers(1, 5))


def vectors(rng, n):
    """Pairs of vectors: with ties in both, in one only and in none, and more ties in both than a word has bits."""
    untied = rng.permutation(n).astype(float), rng.permutation(n).astype(float)
    tied = with_ties(rng, n)
    few = rng.integers(0, 3, n) / 2, rng.integers(0, 2, n) / 2
    return [
        *(with_ties(rng, n) for _ in range(5 if n < 1000 else 1)),
        untied,
        (untied[0], tied[0]),
        (tied[0], untied[0]),
        few,
    ]


def ahead_of(values):
    """A matrix of booleans: whether the column's item is strictly ahead of the row's."""
    return values[None, :] > values[:, None]


@pytest.mark.usefixtures("instructions")
@pytest.mark.parametrize("n", LENGTHS)
def test_counts_against_a_plain_loop(n, rng):
    for x, y in vectors(rng, n):
        d = Dominance(Ranking(x, True), Ranking(y, True))
        both = ahead_of(x) & ahead_of(y)
        np.testing.assert_array_equal(d.counts(), both.sum(axis=1))
        np.testing.assert_array_equal(d.counts(), both.sum(axis=1))  # a second call finds the same
        assert d.concordant == both.sum()
        assert d.discordant == (ahead_of(x) & ahead_of(-y)).sum()
        assert d.tied_pairs == (((x[:, None] == x) & (y[:, None] == y)).sum() - n) // 2


@pytest.mark.parametrize("n", LENGTHS)
def test_a_ranking_with_itself_is_counted_as_with_an_equal_one(n, rng):
    for x, y in vectors(rng, n):
        for values in (x, y):
            one, other = Ranking(values, True), Ranking(values, True)
            itself, equal = Dominance(one, one), Dominance(one, other)
            np.testing.assert_array_equal(itself.counts(), equal.counts())
            for attribute in ("concordant", "discordant", "tied_pairs"):
                assert getattr(itself, attribute) == getattr(equal, attribute)
            for method in ("c_above_in_x", "c_above_in_y", "c_above_in_y_permuted"):
                assert getattr(itself, method)() == getattr(equal, method)()


@pytest.mark.parametrize("n", LENGTHS)
def test_weighted_counts_against_a_plain_loop(n, rng):
    for x, y in vectors(rng, n):
        both = ahead_of(x) & ahead_of(y)
        weights = rng.random(2 * n)[::2]
        sums = dominance_sums(Ranking(x, True), Ranking(y, True), weights)
        np.testing.assert_allclose(sums, both @ weights, atol=1e-12)
        ones = dominance_sums(Ranking(x, True), Ranking(y, True), np.ones(n))
        np.testing.assert_array_equal(ones, both.sum(axis=1))


@pytest.mark.parametrize("n", [1, 2, 5, 24, 25, 40])
@pytest.mark.parametrize("groups", [1, 2, 4, 10**6])
@pytest.mark.parametrize("decreasing", [True, False])
def test_sums_against_exact_fractions(n, groups, decreasing, rng):
    for _ in range(3):
        x, y = (rng.integers(0, groups, n).tolist() for _ in "xy")
        d = Dominance(Ranking(np.array(x), decreasing), Ranking(np.array(y), decreasing))
        c = [concordant_above(x, y, i, decreasing) for i in range(n)]
        for found, values in ((d.c_above_in_x(), x), (d.c_above_in_y(), y)):
            p, _ = places(values, decreasing)
            exact = sum((Fraction(c[i], p[i] - 1) for i in range(n) if p[i] > 1), Fraction(0))
            assert found == pytest.approx(float(exact), rel=1e-15, abs=0)
        p, t = places(y, decreasing)
        exact = Fraction(0)
        for i in range(n):
            if p[i] > 1:
                exact += c[i] * sum(Fraction(1, t[i] * (p[i] + k - 2)) for k in range(1, t[i] + 1))
        assert d.c_above_in_y_permuted() == pytest.approx(float(exact), rel=1e-15, abs=0)


def test_long_sums_do_not_lose_digits():
    """For the same ranking twice, each item but the first adds 1; with y reversed, nothing."""
    n = 1_000_000
    up = Ranking(np.arange(n))
    d = Dominance(up, up)
    assert d.c_above_in_x() == d.c_above_in_y() == d.c_above_in_y_permuted() == n - 1
    d = Dominance(up, Ranking(np.arange(n)[::-1]))
    assert d.c_above_in_x() == d.c_above_in_y() == d.c_above_in_y_permuted() == 0
    # The first half of y reversed: harmonic numbers.
    half = Dominance(up, Ranking(np.concatenate([np.arange(n // 2)[::-1], np.arange(n // 2, n)])))
    assert half.c_above_in_y() == n // 2
    swapped = Dominance(Ranking(np.concatenate([np.arange(n // 2, n), np.arange(n // 2)])), up)
    exact = n // 2 - 1 + np.sum(np.arange(n // 2, dtype=np.longdouble) / np.arange(n // 2, n))
    assert swapped.c_above_in_y() == pytest.approx(float(exact), rel=1e-15)


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


@pytest.mark.usefixtures("instructions")
@pytest.mark.parametrize(
    "n", [65_535, 65_536, 65_537, *(pytest.param(2**21 + k, marks=pytest.mark.slow) for k in (-1, 0, 1, 5000))]
)
def test_lengths_where_the_counters_get_another_level(n, rng):
    """A random order, and one that is nearly sorted, with ties and without."""
    for noise in (1, 1e-4):
        values = np.arange(n) / n + noise * rng.random(n)
        for x, y in ((np.arange(n), values), (np.arange(n) // 50, np.floor(values * (n // 9)))):
            expected = pytest.approx(kendalltau(x, y)[0], abs=1e-12)
            assert FUNCTIONS["tau_b"](x, y) == expected  # of long rankings
            assert kendall_b(Dominance(Ranking(x), Ranking(y))) == expected


def test_counts_above_2_to_the_32():
    n = 200_000
    pairs = n * (n - 1) // 2
    up, tied = np.arange(n), np.zeros(n)
    assert Dominance(Ranking(up), Ranking(up)).concordant == pairs
    assert Dominance(Ranking(up), Ranking(-up)).discordant == pairs
    assert Dominance(Ranking(tied), Ranking(tied)).tied_pairs == pairs


def test_rankings_of_different_lengths_are_refused():
    three, four = Ranking(np.arange(3.0)), Ranking(np.arange(4.0))
    with pytest.raises(ValueError, match="'x' and 'y' must rank the same items, but they have 3 and 4 items"):
        Dominance(three, four)
    for x, y, weights, numbers in [
        (three, three, 4, "3, 3 and 4"),
        (three, four, 3, "3, 4 and 3"),
        (four, three, 3, "4, 3 and 3"),
    ]:
        with pytest.raises(ValueError, match=f"'weights' must have the same items, but they have {numbers} items"):
            dominance_sums(x, y, np.ones(weights))
    for arguments in ((None, three), (three, None)):
        with pytest.raises(TypeError, match="None"):
            Dominance(*arguments)


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


def test_memory_is_freed(rng):
    n = 100_000
    values = rng.integers(0, 1000, n).astype(float)
    tracemalloc.start()
    for _ in range(5):
        x, y = Ranking(values), Ranking(values)
        Dominance(x, y)
        dominance_sums(x, y, values)
        Ranking(values[:1000])
    del x, y
    left = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert left < n


def test_other_threads_run_meanwhile(rng):
    x, y = Ranking(rng.random(3_000_000)), Ranking(rng.random(3_000_000))
    worker = threading.Thread(target=Dominance, args=(x, y))
    worker.start()
    turns = 0
    while worker.is_alive():
        worker.join(0.001)
        turns += 1
    assert turns > 10


def test_the_examples():
    result = doctest.testmod(ircor._kernel.dominance)
    assert result.attempted > 0
    assert result.failed == 0
