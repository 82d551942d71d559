"""The pairs of items whose values in one vector are not tied within a threshold, in n log n."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._kernel import Ranking, dominance_sums
from .types import Array, Floats

FEW = 64
"""Among so few items, all pairs are compared in less time than it takes to sort them."""


class CountsWithin(NamedTuple):
    """What tau_eq and acc_eq need: the ranking of the truth, the concordant pairs, and those tied in both."""

    x: Ranking
    concordant: int
    tied_pairs: int


def counts_within(truth: Array, estimate: Array, epsilon: float) -> CountsWithin:
    """Count the pairs of two complete vectors; the estimate ties values up to `epsilon` apart, in doubles."""
    if len(truth) <= FEW:
        return counts_of_few(truth, estimate.astype(np.float64), epsilon)
    values, place = np.unique(estimate.astype(np.float64), return_inverse=True)
    # How many values are below each one and not tied with it.
    below = values_below(values, epsilon)[place]
    n, grade = len(truth), np.unique(truth, return_inverse=True)[1]
    # Each item is there twice: as itself, and where those end that are below it and not tied with it.
    y = Ranking(np.concatenate([2 * place + 1, 2 * below]), False)
    weights = np.repeat([1.0, 0.0], n)
    concordant, discordant = (
        int(dominance_sums(Ranking(np.tile(side, 2), False), y, weights)[n:].sum()) for side in (grade, -grade)
    )
    untied = int(np.cumsum(np.bincount(place))[below - 1][below > 0].sum())
    ranking = Ranking(grade)
    return CountsWithin(ranking, concordant, ranking.tied_pairs - (untied - concordant - discordant))


def counts_of_few(truth: Array, estimate: Floats, epsilon: float) -> CountsWithin:
    """The same by comparing every pair."""
    # The difference of an infinity with itself is nan, which is not more than the threshold.
    with np.errstate(invalid="ignore"):
        gaps = estimate - estimate[:, None]
    concordant = np.count_nonzero((truth > truth[:, None]) & (gaps > epsilon))
    tied = np.count_nonzero((truth == truth[:, None]) & ~(np.abs(gaps) > epsilon)) - len(truth)
    return CountsWithin(Ranking(truth), int(concordant), int(tied) // 2)


def values_below(values: Floats, epsilon: float) -> np.ndarray[Any, np.dtype[np.intp]]:
    """For each of some increasing values, how many are less by more than `epsilon`, as the rounded difference says."""
    low, high = np.zeros(len(values), dtype=np.intp), np.arange(len(values))
    while (low < high).any():
        middle = (low + high) // 2
        # Where low = high, the difference of an infinity with itself changes nothing.
        with np.errstate(invalid="ignore"):
            apart = (values - values[middle] > epsilon) & (low < high)
        low, high = np.where(apart, middle + 1, low), np.where(apart, high, middle)
    return low
