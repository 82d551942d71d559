"""Quantiles of all types and distribution functions, on numbers that R printed."""

import numpy as np
import pytest

from ircor.rbase import r_ecdf, r_quantile

X = [0.3, 0.1, 0.7, 0.2, 0.7, 1.1, 0.05]

# R 4.2.2: quantile(x, c(0, .1, .33, .5, .9, 1), type = 1 to 9), printed with "%.17g"
PRINTED = """
    0.05 0.05 0.2 0.3 1.1 1.1
    0.05 0.05 0.2 0.3 1.1 1.1
    0.05 0.05 0.1 0.3 0.7 1.1
    0.05 0.05 0.13100000000000001 0.25 0.81999999999999995 1.1
    0.05 0.060000000000000012 0.18100000000000002 0.3 1.02 1.1
    0.05 0.05 0.16400000000000003 0.3 1.1 1.1
    0.05 0.080000000000000016 0.198 0.3 0.8600000000000001 1.1
    0.05 0.053333333333333337 0.1753333333333334 0.3 1.0733333333333335 1.1
    0.05 0.055000000000000007 0.17675000000000002 0.3 1.0600000000000003 1.1"""


@pytest.mark.parametrize(("type", "printed"), list(enumerate(PRINTED.strip().splitlines(), 1)))
def test_what_r_printed(type, printed):
    assert r_quantile(X, [0, 0.1, 0.33, 0.5, 0.9, 1], type).tolist() == list(map(float, printed.split()))


def test_a_position_that_is_below_a_rank_by_rounding():
    # R 4.2.2: quantile((1:33) / 7, 0.2, type = 8)
    assert r_quantile(np.arange(1, 34) / 7, 0.2, 8).item() == 1


def test_default_and_missing():
    assert r_quantile([1, 2, 3, 4, 5]).tolist() == [1, 2, 3, 4, 5]
    np.testing.assert_array_equal(r_quantile([1, np.nan, 3], [0.5, np.nan], na_rm=True), [2, np.nan])
    assert np.isnan(r_quantile([], 0.5)).all()
    assert r_quantile([np.inf, 1, -np.inf], 0.75, 6).tolist() == [np.inf]
    with pytest.raises(ValueError, match=r"'x' has missing values.*na_rm=True"):
        r_quantile([1, np.nan])
    with pytest.raises(ValueError, match="'type' must be a whole number from 1 to 9, not 10"):
        r_quantile([1, 2], 0.5, 10)
    with pytest.raises(ValueError, match="'probs' must be between 0 and 1"):
        r_quantile([1, 2], 1.1)


def test_distribution_function():
    # R 4.2.2: ecdf(x)(c(0, .2, .7, NA, 2))
    np.testing.assert_array_equal(r_ecdf(X)([0, 0.2, 0.7, np.nan, 2]), [0, 3 / 7, 6 / 7, np.nan, 1])
    assert r_ecdf([1, np.nan, 2])(1) == 0.5
    with pytest.raises(ValueError, match="'x' must have 1 or more non-missing values"):
        r_ecdf([np.nan])
