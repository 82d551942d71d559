"""The costly swaps, against exact fractions and the loss of AP correlation."""

import numpy as np
import pandas as pd
import pytest
from drawn import all_costs, places, tied
from matplotlib import pyplot as plt

import ircor
from ircor.plots import costly_swaps


@pytest.mark.parametrize("decreasing", [True, False])
@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("count", [0, 1, 3, 1000])
def test_costly_swaps_are_those_of_brute_force(decreasing, ties, count, rng):
    for n in (2, 3, 7, 25, 40):
        x, y = (tied(rng, n) if ties else rng.random(n) for _ in range(2))
        expected = sorted((-cost, i, j) for (i, j), cost in all_costs(x, y, decreasing).items())[:count]
        found = costly_swaps(x, y, decreasing, count)
        assert [(i, j) for i, j, _ in found] == [(i, j) for _, i, j in expected]
        assert [cost for *_, cost in found] == pytest.approx([float(-cost) for cost, *_ in expected], rel=1e-14)
        assert all(type(part) is kind for swap in found for part, kind in zip(swap, (int, int, float)))


def test_equal_costs_stand_in_order_of_position():
    # 1/3 + 1/6 and 1/4 + 1/4, which differ in the last bit, are among the costs of a reversed ranking.
    n = 12
    expected = sorted(all_costs(range(n), range(n)[::-1]).items(), key=lambda item: (-item[1], item[0]))
    assert len({cost for _, cost in expected}) < len(expected) - 10
    assert [swap[:2] for swap in costly_swaps(range(n), range(n)[::-1], count=200)] == [pair for pair, _ in expected]


@pytest.mark.parametrize("n", [2, 3, 10, 50])
def test_the_costs_sum_to_what_AP_correlation_loses(n, rng):
    x, y = rng.random(n), rng.random(n)
    total = sum(cost for *_, cost in costly_swaps(x, y, count=n * n))
    assert total == pytest.approx((n - 1) * (1 - ircor.tauAP_b(x, y)), abs=1e-10)
    assert total == pytest.approx((n - 1) * (1 - (ircor.tauAP(x, y) + ircor.tauAP(y, x)) / 2), abs=1e-10)


def test_one_swap_costs_what_it_takes_from_AP_correlation():
    x = np.arange(8.0)
    for k in range(7):
        y = x.copy()
        y[[k, k + 1]] = y[[k + 1, k]]
        ((i, j, cost),) = costly_swaps(x, y)
        assert (i, j) == (k + 1, k)
        assert cost == pytest.approx(7 * (1 - ircor.tauAP_b(x, y)))
    assert costly_swaps([1, 2], [2, 1]) == [(1, 0, 2.0)]
    assert costly_swaps(x, x) == costly_swaps(x, np.zeros(8)) == []


def test_costly_swaps_of_a_few_thousand_items(rng):
    x = rng.random(3000)
    y = x + rng.normal(0, 0.1, 3000)
    p_x, p_y = places(x, method="min"), places(y, method="min")
    swapped = np.argwhere((p_x[:, None] < p_x) & (p_y[:, None] > p_y))
    costs = 1 / (p_y[swapped[:, 0]] - 1) + 1 / (p_x[swapped[:, 1]] - 1)
    found = costly_swaps(x, y, count=10)
    assert [cost for *_, cost in found] == pytest.approx(np.sort(costs)[::-1][:10])


def test_three_swaps_of_scores_by_default():
    x, y = range(10), range(10)[::-1]
    assert costly_swaps(x, y) == costly_swaps(x, y, True, 3) != costly_swaps(x, y, False, 3)
    assert len(costly_swaps(x, y)) == 3


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: costly_swaps([1, 2], [1, 2, 3]), ValueError, "must be of the same length"),
        (lambda: costly_swaps([1, 2], ["a", "b"]), TypeError, "'y' must be a numeric vector"),
        (lambda: costly_swaps([1], [1]), ValueError, "two items or more"),
        (lambda: costly_swaps([1, 2], [1, 2], decreasing="up"), TypeError, "'decreasing' must be"),
        (lambda: costly_swaps([1, 2], [1, np.nan]), ValueError, "'y' must not have missing values, but it has 1"),
        (lambda: costly_swaps([1, 2], [1, 2], count=-1), ValueError, "'count' must be 0 or more, not -1"),
        (lambda: costly_swaps([1, 2], [1, 2], count=1.5), TypeError, "'count' must be a whole number, not 1.5"),
        (lambda: costly_swaps([1, 2], [1, 2], count=True), TypeError, "'count' must be a whole number"),
        (lambda: costly_swaps([1, 2], [1, 2], count=pd.NA), TypeError, "'count' must be a whole number, not <NA>"),
    ],
)
def test_bad_input_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()
    assert plt.get_fignums() == []
