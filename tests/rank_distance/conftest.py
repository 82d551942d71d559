import pytest


@pytest.fixture
def topics_by_systems(rng):
    """A function that makes random scores of systems that find the same topics difficult."""

    def make(n, m, spread=0.2):
        return rng.random((n, 1)) * rng.uniform(0.5, 1, m) + spread * rng.normal(size=(n, m))

    return make
