"""Sums and means in long double, on numbers that R printed, and the same by numbers of Python."""

import numpy as np
import pandas as pd
import pytest

from ircor.rbase import _extended, r_colmeans, r_mean, r_rowmeans, r_sd, r_sum, r_var

# R 4.2.2: x <- c(0.3, 0.1, 0.7, 0.2, 0.7, 1.1, 0.05), printed with "%.17g"
X = [0.3, 0.1, 0.7, 0.2, 0.7, 1.1, 0.05]
PRINTED = {r_sum: 3.1499999999999999, r_mean: 0.45, r_var: 0.1525, r_sd: 0.39051248379533271}

# R 4.2.2: matrix(c(.1, .2, .3, .3, .2, .1, .7, .1, .9), 3)
TABLE = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.7, 0.1, 0.9]]).T


@pytest.fixture(params=["native", "by numbers of Python"])
def arithmetic(request, monkeypatch):
    if request.param != "native":
        monkeypatch.setattr(_extended, "NATIVE", False)
    elif not _extended.NATIVE:
        pytest.skip("NumPy has no long double of 80 bits here")
    return request.param


@pytest.mark.usefixtures("arithmetic")
def test_what_r_printed():
    assert {function: function(X) for function in PRINTED} == PRINTED
    assert r_colmeans(TABLE).tolist() == [0.2, 0.2, 0.56666666666666665]
    assert r_rowmeans(TABLE).tolist() == [0.36666666666666664, 0.16666666666666669, 0.43333333333333335]
    assert np.mean(TABLE, axis=0)[1] != np.mean(TABLE, axis=0)[0]
    assert r_mean([1, 2, 4]) == 2.3333333333333335
    # With a second pass over the residuals; colMeans has none, so the two differ.
    x = [0.0, 3.0, -5.0, 3e15, -3e15]
    assert (r_mean(x), r_colmeans(np.array([x]).T).item()) == (-0.40004882812499998, -0.4)
    assert r_sum([1e308, 1e308, -1e308]) == 1e308  # no overflow on the way
    assert (r_sum([1e308, 1e308]), r_sum([-1e308, -1e308])) == (np.inf, -np.inf)


@pytest.mark.usefixtures("arithmetic")
def test_values_that_are_missing_or_infinite():
    # R 4.2.2: mean(c(Inf, 1)), mean(c(Inf, -Inf)), mean(numeric(0)), var(1), sum(numeric(0)), and with na.rm = TRUE
    assert r_mean([np.inf, 1]) == np.inf
    assert np.isnan([r_mean([np.inf, -np.inf]), r_mean([]), r_var([1]), r_sd([1, np.inf]), r_sum([1, np.nan])]).all()
    assert r_sum([]) == 0
    assert [f([np.nan, 1, 3], na_rm=True) for f in (r_sum, r_mean, r_var)] == [4, 2, 2]
    table = [[np.nan, 1, np.inf, np.nan], [3, 2, 5, np.nan]]
    np.testing.assert_array_equal(r_colmeans(table), [np.nan, 1.5, np.inf, np.nan])
    np.testing.assert_array_equal(r_colmeans(table, na_rm=True), [3, 1.5, np.inf, np.nan])
    np.testing.assert_array_equal(r_rowmeans(table, na_rm=True), [np.inf, 10 / 3])
    np.testing.assert_array_equal(r_colmeans(np.empty((0, 2))), [np.nan, np.nan])


@pytest.mark.skipif(not _extended.NATIVE, reason="NumPy has no long double of 80 bits here")
def test_numbers_of_python_are_long_doubles(rng, monkeypatch):
    tables = [
        rng.normal(size=(n, 3)) * 10.0 ** rng.integers(-spread, spread + 1, (n, 3))
        for n in range(1, 40)
        for spread in (0, 3, 150)
    ]
    functions = [r_sum, r_mean, r_var, r_sd]

    def answers():
        return [[f(X[:, 0]) for f in functions] + r_colmeans(X).tolist() + r_rowmeans(X).tolist() for X in tables]

    native = answers()
    monkeypatch.setattr(_extended, "NATIVE", False)
    assert str(answers()) == str(native)  # nan is not equal to nan


def test_each_operation(rng):
    """Each operation rounds the exact result to 64 bits."""
    if not _extended.NATIVE:
        pytest.skip("NumPy has no long double of 80 bits here")
    for _ in range(2000):
        a, b = rng.normal(size=2) * 10.0 ** rng.integers(-12, 12, 2)
        x, y = np.longdouble(a) / 3, np.longdouble(b) / 7
        u, v = (_extended.Extended.of(value) / _extended.Extended.of(by) for value, by in ((a, 3.0), (b, 7.0)))
        for ours, theirs in (
            (u + v, x + y),
            (u - v, x - y),
            (u * v, x * y),
            (u / v, x / y),
            ((u * u).sqrt(), np.sqrt(x * x)),
        ):
            numerator, denominator = theirs.as_integer_ratio()
            assert ours.significand * denominator * 2 ** max(ours.exponent, 0) == numerator * 2 ** max(
                -ours.exponent, 0
            )


def test_types():
    frame = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1]})
    assert r_colmeans(frame).tolist() == [0.2, 0.2]
    assert r_mean(pd.Series([1.0, None]), na_rm=True) == 1
    with pytest.raises(TypeError, match="'x' must be a numeric vector"):
        r_sum(["a"])
    with pytest.raises(TypeError, match="'x' must be a table of two dimensions, but it has 1"):
        r_colmeans([1, 2])
