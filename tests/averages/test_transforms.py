"""The transformations and their inverses against SciPy and exact arithmetic."""

from decimal import Decimal, localcontext
from math import exp, log

import numpy as np
import pytest
import scipy.stats
from scipy.special import logit, ndtri

from ircor.averages import mean_log, mean_logit, transformed_mean


def test_values_next_to_1():
    values = 1 - np.array([1e-15, 3e-15, 1e-14])
    with localcontext() as context:
        context.prec = 60
        odds = [(Decimal(p) / (1 - Decimal(p))).ln() for p in values.tolist()]
        exact = float(sum(odds) / 3)
    assert transformed_mean(values, "logit", inverse=False) == pytest.approx(exact, rel=1e-14, abs=0)
    assert 1 - transformed_mean(values, "logit") == pytest.approx(exp(-exact), rel=0.05)
    assert transformed_mean(values, "probit", inverse=False) == pytest.approx(
        -ndtri(1 - values).mean(), rel=1e-14, abs=0
    )


def test_log_odds(rng):
    values = rng.uniform(0.01, 0.99, (30, 4))
    np.testing.assert_allclose(transformed_mean(values, "logit", inverse=False), logit(values).mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(mean_logit(values, eps=1e-12), logit(values).mean(axis=0), rtol=1e-9, atol=1e-9)
    ends = np.array([0.0, 1.0, 0.2])
    expected = np.log((ends + 1e-5) / (1 - ends + 1e-5)).mean()
    assert mean_logit(ends) == pytest.approx(expected, rel=1e-13, abs=0)
    for p in (0.0, 1e-7, 0.3, 0.999999, 1.0):
        assert mean_logit([p, p], inverse=True) == pytest.approx(p, abs=1e-15)


@pytest.mark.parametrize("transform", ["identity", "log", "logit", "probit", "rank", (np.sqrt, np.square)])
@pytest.mark.parametrize("eps", [0, 1e-5])
def test_the_mean_of_equal_values_is_that_value(transform, eps):
    for p in (0.001, 0.3, 0.999):
        assert transformed_mean([p, p, p], transform, eps=eps) == pytest.approx(p, rel=1e-9)


def test_other_transformations(rng):
    values = rng.uniform(0.01, 0.99, (30, 4))
    np.testing.assert_allclose(transformed_mean(values, "identity"), values.mean(axis=0), rtol=1e-14)
    np.testing.assert_allclose(transformed_mean(values, "log"), scipy.stats.gmean(values), rtol=1e-12)
    np.testing.assert_allclose(
        transformed_mean(values, "probit", inverse=False), ndtri(values).mean(axis=0), atol=1e-13
    )
    ranks = scipy.stats.rankdata(values).reshape(30, 4)
    np.testing.assert_allclose(transformed_mean(values, "rank", inverse=False), ranks.mean(axis=0), rtol=1e-14)
    power = transformed_mean(values, (lambda x: x**2, np.sqrt))
    np.testing.assert_allclose(power, np.sqrt((values**2).mean(axis=0)), rtol=1e-13)


def test_the_mean_log_with_eps_is_that_of_equation_3(rng):
    values = rng.random(30)
    for eps in (1e-5, 0.1):
        assert transformed_mean(values, "log", inverse=False, eps=eps) == pytest.approx(
            mean_log(values, eps=eps), rel=1e-13
        )
    assert transformed_mean(values, "log", inverse=False) == pytest.approx(np.log(values).mean(), rel=1e-13)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: transformed_mean([0.1, 1], "probit"), ValueError, "must be neither 0 nor 1 for the probit without"),
        (lambda: transformed_mean([0.1, 0], "probit"), ValueError, "must be neither 0 nor 1 for the probit without"),
        (lambda: transformed_mean([0.1, 1], "logit"), ValueError, "must be neither 0 nor 1 for the logit without"),
        (
            lambda: transformed_mean([0.1, 1.1], "probit", eps=0.1),
            ValueError,
            "must be from 0 to 1 for the probit: 1.1",
        ),
        (
            lambda: transformed_mean([0.1, -0.1], "logit", eps=0.5),
            ValueError,
            "must be from 0 to 1 for the logit: -0.1",
        ),
        (lambda: transformed_mean([0.1, 0], "log"), ValueError, "'values' must be positive for the log: 0.0"),
        (
            lambda: transformed_mean([0.1, -0.2], "log", eps=0.2),
            ValueError,
            "'values' must be positive for the log: -0.2",
        ),
        (
            lambda: transformed_mean([0.1, 0], "cube"),
            ValueError,
            "'transform' must be one of identity, log, logit, probi",
        ),
        (lambda: transformed_mean([0.1, 0.2], np.log), TypeError, "a name or a pair of functions"),
        (lambda: transformed_mean([0.1, 0.2], (np.log, np.exp, np.exp)), TypeError, "a name or a pair of functions"),
        (lambda: transformed_mean([0.1, 0.2], np.zeros((9, 9))), TypeError, "a pair of functions, not a ndarray"),
        (lambda: transformed_mean([0.1, 0.2], None), TypeError, "a name or a pair of functions, not None"),
        (lambda: transformed_mean([0.1, 0.2], (np.negative, np.negative)), ValueError, "increasing on the values"),
        (lambda: transformed_mean([0.1, 0.2], (np.zeros_like, np.sqrt)), ValueError, "increasing on the values"),
        (lambda: transformed_mean([0.1, 0.2], (lambda x: x[1:], np.sqrt)), ValueError, "increasing on the values"),
        (lambda: transformed_mean([0.0, 0.2], (np.reciprocal, np.reciprocal)), ValueError, "finite and increasing"),
        (lambda: transformed_mean([0.1, 0.2], "log", eps=-1), ValueError, "'eps' must be 0, or from 1e-300 up, not -1"),
        (lambda: transformed_mean([0.1, 0.2], "log", eps=1e-301), ValueError, "'eps' must be 0, or from 1e-300 up"),
        (lambda: transformed_mean([0.1, 0.2], "log", eps=np.inf), ValueError, "'eps' must be 0, or from 1e-300 up"),
        (lambda: transformed_mean([0.1, 0.2], "identity", eps=None), TypeError, "'eps' must be a number"),
        (lambda: transformed_mean([0.1, 0.2], ("log", "exp")), TypeError, "a name or a pair of functions"),
        (lambda: transformed_mean([0.1, 0.2], (log, exp)), TypeError, "must take arrays"),
    ],
)
def test_bad_transformations_are_refused(call, kind, words):
    with pytest.raises(kind, match=words), np.errstate(divide="ignore"):
        call()


def test_values_that_are_just_allowed():
    assert transformed_mean([0.1, 0.1], "log", eps=1e-300) == pytest.approx(0.1)
    assert transformed_mean([-0.1, -0.1], "log", eps=0.2) == pytest.approx(-0.1)
    assert transformed_mean([0.1, 0.4], [np.log, np.exp]) == pytest.approx(0.2)
    for name in ("logit", "probit"):
        assert transformed_mean([0.0, 1.0], name, eps=0.1) == pytest.approx(0.5)


def test_the_probit_of_both_halves():
    values = np.array([0.2, 0.5, 0.7])
    for eps in (0, 0.1):
        expected = ndtri((values + eps) / (1 + 2 * eps)).mean()
        assert transformed_mean(values, "probit", inverse=False, eps=eps) == pytest.approx(expected, rel=1e-13)


def test_mean_ranks_are_interpolated_back():
    # Ranks 1, 2.5, 2.5 and 4 of the values 0, 0.2, 0.2 and 0.8.
    assert transformed_mean([0.0, 0.2, 0.2, 0.8], "rank") == 0.2
    assert transformed_mean([[0.0, 0.2], [0.2, 0.8]], "rank").tolist() == pytest.approx([0.2 * 0.75 / 1.5, 0.5])
