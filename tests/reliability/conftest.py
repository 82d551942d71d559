import json

import numpy as np
import pandas as pd
import pytest
from calls import DATA
from definitions import expected_tau, expected_tauAP

FOLDER = DATA / "reliability"


@pytest.fixture
def scores(rng):
    """A function that makes random scores, topics by systems: the means are `apart`, the rest has the size `noise`."""

    def make(n, m, *, apart=0.3, noise=0.2, decimals=None):
        made = rng.random((n, 1)) + apart * rng.permutation(m) / (m - 1) + noise * rng.normal(size=(n, m))
        return made if decimals is None else made.round(decimals)

    return make


@pytest.fixture
def awkward(rng, scores):
    """Tables with ties, two systems that are equal on every topic, and two that differ by a constant, all exactly."""
    tables = []
    for n, m in ((3, 2), (4, 5), (7, 8), (10, 4), (25, 9), (60, 6)):
        X = (scores(n, m) * 8).round() / 8
        if m > 3:
            X[:, 1] = X[:, 0]
        X[:, -1] = X[:, rng.integers(m - 1)] + 0.5
        tables += [scores(n, m), X]
    return tables


@pytest.fixture(scope="session")
def recorded():
    """The table of tests/data/reliability: run12 and run11 are equal on every topic, run08 and run06 in the mean."""
    return pd.read_csv(FOLDER / "scores.csv", index_col="topic")


@pytest.fixture(scope="session")
def answers():
    """What the reference package in R answered to that table; answers.R in the same folder repeats it."""
    return json.loads((FOLDER / "answers.json").read_text(encoding="utf-8"))


@pytest.fixture(params=["tau", "tauAP"])
def method(request):
    """The two coefficients."""
    return request.param


@pytest.fixture
def coefficient(method):
    """The definition of the coefficient, given the matrix of chances and the columns from the best system down."""

    def of(chances, order):
        P = np.asarray(chances)[np.ix_(order, order)]
        return {"tau": expected_tau, "tauAP": expected_tauAP}[method](
            [[None if np.isnan(one) else one for one in row] for row in P.tolist()]
        )

    return of
