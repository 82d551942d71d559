"""The places of items, against SciPy's ranks."""

import numpy as np
import pandas as pd
import pytest
from drawn import places, tied

from ircor.plots._places import mean_places, placed


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
