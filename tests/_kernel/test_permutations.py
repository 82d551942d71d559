"""One ranking and permutations of another: against one `Dominance` for each, and the draws against NumPy's Philox."""

import tracemalloc
from itertools import permutations
from math import factorial, prod

import numpy as np
import pytest
import scipy.stats
from totals import CHOICES, LENGTHS, SUMS, assert_entry, tied

from ircor._kernel import Dominance, Ranking, random_orders, totals_of_permutations, totals_of_shuffles

KEY = np.array([2**63 + 12345, 2**64 - 7], dtype=np.uint64)


# Given permutations


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("groups", [2, 10, None])
def test_permutations(n, groups, rng):
    x, y = (rng.random(n) if groups is None else tied(rng, n, groups) for _ in "xy")
    y[rng.random(n) < 0.2] = np.nan
    x_ranking, y_ranking = Ranking(x, True), Ranking(y, True)
    places = y_ranking.places()
    orders = np.array([rng.permutation(n) for _ in range(5)], dtype=np.int32)
    for sums in CHOICES:
        totals = totals_of_permutations(x_ranking, y_ranking, orders, sums)
        for k, order in enumerate(orders):
            assert_entry(totals, k, Dominance(x_ranking, Ranking(y[order], True)), sums)
    np.testing.assert_array_equal(y_ranking.places(), places)  # not overwritten


def test_missing_values_that_are_permuted(rng):
    """Wherever a missing value is, it is ranked last in order of position."""
    x, y = rng.random(5), np.array([np.nan, 2, np.nan, 1, 3])
    orders = np.array(list(permutations(range(5))), dtype=np.int32)
    totals = totals_of_permutations(Ranking(x), Ranking(y), orders, tuple(SUMS))
    for k, order in enumerate(orders):
        assert_entry(totals, k, Dominance(Ranking(x), Ranking(y[order])))


def test_permutations_of_other_lengths_are_refused():
    three, four = Ranking(np.arange(3.0)), Ranking(np.arange(4.0))
    for x, y, m, numbers in ((three, three, 2, "3, 3 and 2"), (three, four, 3, "3, 4 and 3"), (four, three, 4, "4, 3")):
        with pytest.raises(ValueError, match=f"'permutations' must have the same items, but they have {numbers}"):
            totals_of_permutations(x, y, np.zeros((1, m), dtype=np.int32), ())


# Random orders


def order_by_numpy(n, number):
    """Order `number` of n items, from the words of numpy.random.Philox, in whole numbers of any size.

    Also the number of words that were drawn again.
    """
    words = iter(np.random.Philox(key=KEY, counter=[0, number, 0, 0]).random_raw(4 * n + 4).tolist())
    together = max(count for count in range(1, 17) if n**count <= 2**56)
    items, left, again = list(range(n)), n, 0
    while left > 1:
        bounds = list(range(left, max(left - together, 1), -1))
        outcomes = prod(bounds)
        # Of the 2**64 words, a multiple of `outcomes` is kept: those with a high enough remainder.
        outcome, remainder = divmod(next(words) * outcomes, 2**64)
        while remainder < 2**64 % outcomes:
            again += 1
            outcome, remainder = divmod(next(words) * outcomes, 2**64)
        for bound in bounds:
            outcomes //= bound
            drawn, outcome = divmod(outcome, outcomes)
            left -= 1
            items[left], items[drawn] = items[drawn], items[left]
    return items, again


@pytest.mark.parametrize("n", [1, 2, 3, 8, 13, 16, 17, 50, 256, 1000])
def test_random_orders_are_drawn_from_the_words_of_philox(n):
    for first in (0, 1, 2**40):
        found = random_orders(n, KEY, first, first + 3)
        assert found.tolist() == [order_by_numpy(n, number)[0] for number in range(first, first + 3)]


def test_words_that_are_drawn_again():
    """With 256 items, one word of ten thousand."""
    orders, again = zip(*(order_by_numpy(256, number) for number in range(1000)))
    assert sum(again) == 3
    assert random_orders(256, KEY, 0, 1000).tolist() == list(orders)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_all_orders_have_the_same_chance(n):
    drawn = random_orders(n, KEY, 0, 1000 * factorial(n))
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == factorial(n)
    assert scipy.stats.chisquare(counts).pvalue > 0.01


def test_every_item_has_the_same_chance_of_every_position():
    n, count = 30, 30_000
    drawn = random_orders(n, KEY, 0, count)
    table = np.array([np.bincount(column, minlength=n) for column in drawn.T])
    # Rows and columns have fixed sums, so there are (n - 1)^2 degrees of freedom.
    statistic = np.square(table - count / n).sum() / (count / n) * (n - 1) / n
    assert scipy.stats.chi2((n - 1) ** 2).sf(statistic) > 0.01


def test_an_order_depends_on_its_number_alone():
    whole = random_orders(40, KEY, 0, 100)
    np.testing.assert_array_equal(np.concatenate([random_orders(40, KEY, k, k + 20) for k in range(0, 100, 20)]), whole)
    assert len(np.unique(whole, axis=0)) == 100
    other = random_orders(40, KEY + np.uint64(1), 0, 100)
    assert (other != whole).any(axis=1).all()
    assert random_orders(0, KEY, 0, 3).shape == (3, 0)


# Random permutations


@pytest.mark.usefixtures("instructions")
@pytest.mark.parametrize("n", [0, 1, *LENGTHS, 2047, 2048])
@pytest.mark.parametrize("groups", [1, 2, 10, None])
@pytest.mark.parametrize("missing", [0, 0.2])
def test_random_permutations(n, groups, missing, rng):
    x, y = (rng.random(n) if groups is None else tied(rng, n, groups) for _ in "xy")
    for values in (x, y):
        values[rng.random(n) < missing] = np.nan
    for x_values, y_values in ((x, y), (x, rng.random(n)), (rng.random(n), y)):
        x_ranking, y_ranking = Ranking(x_values, True), Ranking(y_values, True)
        y_order = np.argsort(-y_values, kind="stable")
        places = y_ranking.places()
        for sums in CHOICES[:1] + CHOICES[-1:]:
            totals = totals_of_shuffles(x_ranking, y_ranking, KEY, 3, 8, sums)
            for k, order in enumerate(random_orders(n, KEY, 3, 8)):
                permuted = np.empty(n)
                permuted[y_order[order]] = y_values[y_order]
                assert_entry(totals, k, Dominance(x_ranking, Ranking(permuted, True)), sums)
        np.testing.assert_array_equal(y_ranking.places(), places)  # not overwritten


def test_what_random_permutations_refuse():
    three, four = Ranking(np.arange(3.0)), Ranking(np.arange(4.0))
    with pytest.raises(ValueError, match="must rank the same items, but they have 3 and 4 items"):
        totals_of_shuffles(three, four, KEY, 0, 1, ())
    with pytest.raises(ValueError, match="no rank-biased overlap of permutations"):
        totals_of_shuffles(three, three, KEY, 0, 1, {(0.9, 1)})
    for words in (1, 3):
        key = np.zeros(words, dtype=np.uint64)
        with pytest.raises(ValueError, match=f"'key' must be two words, not {words}"):
            totals_of_shuffles(three, three, key, 0, 1, ())
        with pytest.raises(ValueError, match=f"'key' must be two words, not {words}"):
            random_orders(3, key, 0, 1)


# Memory


def test_memory_is_freed(rng):
    ranking = Ranking(rng.random(50_000))
    order = rng.permutation(50_000).astype(np.int32)[None, :]
    tracemalloc.start()
    for _ in range(5):
        totals_of_permutations(ranking, ranking, order, ())
        totals_of_shuffles(ranking, ranking, KEY, 0, 1, ())
        random_orders(50_000, KEY, 0, 1)
    left = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert left < 50_000
