"""Overlaps of many pairs are those of each pair, whatever was computed before."""

import random

import numpy as np
import pytest
from overlaps import defined_rbo, random_pair

from ircor._kernel import LongRanking, Ranking
from ircor._kernel.items import Items, coded
from ircor._kernel.overlap import overlaps_of_lists, overlaps_of_pairs

ONE = np.zeros((1, 2), dtype=np.intp)


@pytest.mark.parametrize("codes", [40, 100_000])
@pytest.mark.parametrize("ties", [0, 1, 2])
def test_memory_is_clean_after_each_pair(codes, ties):
    """Codes are few, or many more than items: the memory is cleared in two ways."""
    rng = np.random.default_rng(1)
    rankings = [
        Items(rng.choice(codes, n, replace=False).astype(np.int32), Ranking(rng.integers(0, n, n)))
        for n in rng.integers(1, 30, 12)
    ]
    pairs = np.array([(i, j) for i in range(12) for j in range(12)], dtype=np.intp)
    together = overlaps_of_pairs(rankings, rankings, pairs, codes, 0.9, ties)
    alone = [overlaps_of_pairs([rankings[i]], [rankings[j]], ONE, codes, 0.9, ties)[0] for i, j in pairs]
    assert (together == np.array(alone)).all()


def test_the_part_of_min_beyond_the_last_rank():
    """Two identical rankings: the sum of p^d / d beyond l by two ways, which meet where p = (l + 2) / (l + 3)."""
    for n in (1, 2, 3, 10, 100, 1000):
        meet = (n + 2) / (n + 3)
        for p in (meet * 0.5, np.nextafter(meet, 0), meet, np.nextafter(meet, 1), (1 + meet) / 2):
            items = Items(np.arange(n, dtype=np.int32))
            low = overlaps_of_pairs([items], [items], ONE, n, p, 0)[0, 1]
            assert low == pytest.approx(least_of_identical(n, p), abs=1e-14)


def least_of_identical(n, p):
    """(1 - p) / p (sum of p^d over d <= n, plus the sum of n p^d / d over d > n), by adding up the series."""
    d = np.arange(n + 1, int(n + 45 / (1 - p)) + 1, dtype=np.longdouble)
    p = np.longdouble(p)
    return float((1 - p**n) + (1 - p) / p * n * np.sum(p**d / d))


def test_lists_stop_at_the_first_that_is_unusual():
    rng = random.Random(3)
    pairs = [random_pair(rng) for _ in range(6)]
    x, y = (list(side) for side in zip(*pairs))
    found, done = overlaps_of_lists(x, y, 0.7, 1, False)
    assert done == 6
    assert found[:, 0].tolist() == pytest.approx([defined_rbo(*pair, 0.7, "a")["ext"] for pair in pairs], abs=1e-15)
    x[4] = [None]
    assert overlaps_of_lists(x, y, 0.7, 1, False)[1] == 4
    with pytest.raises(ValueError, match="'x' and 'y' must be of the same length, but they have 6 and 5 rankings"):
        overlaps_of_lists(x, y[1:], 0.7, 1, False)


def test_only_rankings():
    items = coded(("a",), ("b",), False)[0]
    with pytest.raises(TypeError):
        overlaps_of_pairs([items], ["b"], ONE, 1, 0.9, 0)


@pytest.mark.parametrize("decreasing", [True, False])
@pytest.mark.parametrize("ties", [0, 1, 2])
def test_long_rankings(ties, decreasing, rng):
    """To the last bit those of rankings with places, whose tied items may come in another order."""
    n = 2000
    for one, other in ((rng.random(n), rng.random(n)), rng.integers(0, 50, (2, n)), (np.zeros(n), rng.random(n))):
        found, expected = (
            overlaps_of_pairs([rank(one, decreasing)], [rank(other, decreasing)], ONE, n, 0.999, ties)
            for rank in (LongRanking, Ranking)
        )
        np.testing.assert_array_equal(found, expected)


def test_rankings_that_share_their_items():
    x = LongRanking(np.arange(3))
    y = LongRanking(np.arange(3), False, x, True)
    tied = LongRanking(np.zeros(3))
    after = LongRanking(np.arange(3), False, tied)
    for ranking in (x, y, tied, after):
        with pytest.raises(ValueError, match="share their items"):
            overlaps_of_pairs([ranking], [ranking], ONE, 3, 0.9, 0)
