import numpy as np
import pytest
from calls import FUNCTIONS, REFUSING


@pytest.fixture
def rng(request):
    """Random numbers that differ from test to test and are the same in every run."""
    return np.random.default_rng([ord(letter) for letter in request.node.name])


@pytest.fixture(params=REFUSING)
def name(request):
    """Each of the six functions' names."""
    return request.param


@pytest.fixture
def function(name):
    return FUNCTIONS[name]
