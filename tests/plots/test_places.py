"""The places of items, against SciPy's ranks."""

import numpy as np
import pandas as pd
import pytest
from drawn import places, tied

from ircor.plots._slope import farthest, mean_places, placed


@pytest.mark.parametrize("decreasing", [True, False])
@pytest.mark.parametrize("n", [2, 3, 20])
def test_mean_places(n, decreasing, rng):
    x, y = tied(rng, n), rng.random(n)
    found = [mean_places(ranking).tolist() for ranking in placed(x, y, decreasing)]
    assert found == [places(x, decreasing).tolist(), places(y, decreasing).tolist()]


def test_missing_values_are_counted_in_the_error():
    with pytest.raises(ValueError, match="'x' must not have missing values, but it has 2$"):
        placed([np.nan, np.nan, 1], [np.nan, 1, 2], True)
    with pytest.raises(ValueError, match="'y' must not have missing values, but it has 1$"):
        placed([1, 2, 3], pd.Series([1, None, 2], dtype="Int64"), True)


def test_the_items_that_move_farthest():
    left, right = np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 3, 5, 4])
    assert farthest(left, right, 9)[0] == [0, 1, 3, 4]  # the higher first, and not the one that stays
    assert farthest(left, right, 0) == ([], (0, 0))
    assert farthest(left, np.array([5.0, 2, 3, 4, 1]), 9)[0] == [0, 4]
    assert farthest(left, np.array([3.5, 1, 2, 3.5, 5]), 1) == ([0], (0, 0))


def test_ties_for_the_last_place_are_all_in_or_all_out():
    left, right = np.array([1.0, 2, 3, 4, 5, 6, 7]), np.array([2.0, 1, 4, 3, 7, 6, 5])
    assert farthest(left, right, 1) == ([4, 6], (0, 0))
    assert farthest(left, right, 2) == ([4, 6], (0, 0))
    assert farthest(left, right, 3) == ([4, 6, 0, 1, 2, 3], (0, 0))  # six are twice three
    left, right = np.append(left, [8, 9]), np.append(right, [9, 8])
    assert farthest(left, right, 3) == ([4, 6], (6, 1))
    assert farthest(left, right, 4) == ([4, 6, 0, 1, 2, 3, 7, 8], (0, 0))
    assert farthest(left[:4], right[:4], 1) == ([], (4, 1))
