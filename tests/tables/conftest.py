import numpy as np
import pytest


@pytest.fixture
def tied(rng):
    """A function that returns random values with ties, of a given shape and number of different values."""
    return lambda shape, groups=5: rng.integers(0, groups, shape).astype(float)


@pytest.fixture
def scores(rng):
    """Two tables of scores, 20 topics by 12 systems, that agree on the systems more or less."""
    X = rng.random((20, 1)) + rng.random((20, 12)) * np.linspace(0.5, 1, 12)
    return X, X + rng.normal(0, 0.2, X.shape)
