"""The package against the reference package in R, on random tables."""

import numpy as np
import pytest

from ircor.crosscheck._oracles import RError, call_r
from ircor.reliability import expected, expected_curve, generalizability
from ircor.reliability._expected import RankedSystems, shares_below

pytestmark = pytest.mark.r


@pytest.fixture
def ask(reference):
    """A function that calls one of the reference package."""
    return lambda function, X, *given, **named: call_r(reference.package, function, [X, *given], named)


@pytest.fixture
def tables(awkward, scores):
    """Tables of all kinds, with rounding too."""
    made = [*awkward, scores(8, 5, decimals=1), scores(251, 4), scores(6, 4, apart=2) * 1e6 - 3e6]
    latin = np.array([[1, 2, 3], [3, 1, 2], [2, 3, 1]])
    return [*made, latin / 7, np.array([[9, 5, 1], [8, 6, 1], [9, 4, 2], [7, 5, 3]]) / 3]


def resampled(ranked, draws):
    """The matrix of chances from these resamples."""
    m = ranked.scores.m
    found = np.full((m, m), np.nan)
    i, j = ranked.order[ranked.ahead], ranked.order[ranked.behind]
    found[i, j] = found[j, i] = shares_below(ranked, draws)
    return found


@pytest.mark.parametrize("estimator", ["ML", "MSQD"])
def test_chances_and_expected_coefficients(ask, tables, estimator):
    for X in tables:
        m = X.shape[1]
        chances = ask("wrong_order", X, estimator).reshape(m, m)
        np.testing.assert_allclose(expected(X, "tau", estimator).chances, chances, rtol=1e-8, atol=1e-12)
        for method in ("tau", "tauAP"):
            (known,) = ask("expected", X, method, estimator)
            assert expected(X, method, estimator).value == pytest.approx(known, abs=1e-10)


def test_resamples(ask, tables, rng, coefficient, method):
    for X in tables:
        n, m = X.shape
        draws = rng.multinomial(n, np.full(n, 1 / n), 40).astype(float)
        ranked = RankedSystems.of(X)
        found = resampled(ranked, draws)
        known = ask("wrong_order", X, "RES", draws=draws).reshape(m, m)
        np.testing.assert_allclose(found, known, atol=1e-14)
        (value,) = ask("expected", X, method, "RES", draws=draws)
        assert coefficient(found, ranked.order) == pytest.approx(value, abs=1e-12)


def test_the_curve(ask, tables):
    counts = np.array([1.0, 10.0, 777.0])
    for X in tables:
        known = ask("expected_curve", X, counts)
        np.testing.assert_allclose(expected_curve(X, counts.astype(int)), known, atol=1e-9)


def test_components_and_coefficients(ask, tables):
    for X in tables:
        known = ask("variance_components", X)
        found = generalizability(X)
        scale = max(known)
        assert found.components == pytest.approx(known, rel=1e-9, abs=1e-12 * scale)
        for k in (None, 1, 100):
            known = ask("generalizability", X, *([] if k is None else [float(k)]))
            found = generalizability(X, k)
            assert (found.e_rho2.value, found.phi.value) == pytest.approx(tuple(known), rel=1e-8, abs=1e-12)


@pytest.mark.parametrize(
    "X", [[[1, 2], [2, 1]], [[1, 1], [2, 2], [3, 3]], [[1, 2], [2, np.nan], [3, 1]], [[0, 0], [0, 0], [0, 0]]]
)
def test_both_refuse_tables_without_a_ranking(ask, X):
    for function in ("expected", "variance_components"):
        with pytest.raises(RError) as refused:
            ask(function, np.array(X, dtype=float))
        with pytest.raises(ValueError) as here:  # noqa: PT011
            expected(X)
        assert str(here.value).startswith(str(refused.value))
