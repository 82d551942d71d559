import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt

from ircor.rank_distance import DrankNull

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _closed_and_unchanged():
    """Close all figures after each test; no test may change the settings of matplotlib."""
    before = dict(mpl.rcParams)
    yield
    plt.close("all")
    assert dict(mpl.rcParams) == before


@pytest.fixture(scope="session")
def distribution():
    """The rank distances of 500 resamples."""
    scores = np.random.default_rng(1).random((20, 6))
    return DrankNull(scores, null="resample", resamples=500, seed=1, progress=False)
