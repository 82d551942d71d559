"""Tests of correlation on numbers that R printed."""

import numpy as np
import pytest
from scipy import stats

from ircor.rbase import r_cor_test

# The example of R's help page cor.test, from Hollander and Wolfe (1973), p. 187.
X = [44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1]
Y = [2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8]

# R 4.2.2: cor.test(x, y, method = , alternative = ), with "%.15g": estimate, statistic, p-value
PRINTED = """
    pearson two.sided 0.571181557563829 1.84108263811534 0.108173054349494
    pearson less 0.571181557563829 1.84108263811534 0.945913472825253
    pearson greater 0.571181557563829 1.84108263811534 0.0540865271747469
    kendall two.sided 0.444444444444445 26 0.1194389329806
    kendall less 0.444444444444445 26 0.962411816578483
    kendall greater 0.444444444444445 26 0.0597194664902998
    spearman two.sided 0.6 48 0.0967978395061728
    spearman less 0.6 48 0.957137345679012
    spearman greater 0.6 48 0.0483989197530864"""


def numbers(result):
    return [result.estimate, result.statistic, result.p_value]


@pytest.mark.parametrize("line", PRINTED.strip().splitlines())
def test_what_r_printed(line):
    method, alternative, *printed = line.split()
    np.testing.assert_allclose(numbers(r_cor_test(X, Y, method, alternative)), list(map(float, printed)), rtol=1e-12)


def test_the_interval_of_pearson():
    result = r_cor_test(X, Y)
    np.testing.assert_allclose(result.interval, [-0.149742633036757, 0.895579461838739], rtol=1e-12)
    assert result.parameter == 7
    assert np.isnan(r_cor_test(X[:3], Y[:3]).interval).all()
    np.testing.assert_allclose(result.interval, stats.pearsonr(X, Y).confidence_interval(), rtol=1e-10)


def test_ties_and_continuity():
    # R 4.2.2: cor.test(round(x), y, method = , continuity = TRUE)
    printed = {
        "kendall": [0.514495755427527, 1.79195734076208, 0.0731397996589089],
        "spearman": [0.663888987384654, 40.3333215138415, 0.0498671847903232],
    }
    for method, expected in printed.items():
        with pytest.warns(UserWarning, match="Cannot compute exact p-value with ties"):
            result = r_cor_test(np.round(X), Y, method, continuity=True)
        np.testing.assert_allclose(numbers(result), expected, rtol=1e-12)
        assert not result.exact


def test_the_series_from_ten_pairs_on():
    # R 4.2.2: cor.test(c(x, 1:3), c(y, 3:1), method = "spearman")
    result = r_cor_test([*X, 1, 2, 3], [*Y, 3, 2, 1], "spearman")
    np.testing.assert_allclose(numbers(result), [0.699300699300699, 85.9999999999999, 0.0145393118705073], rtol=1e-12)


def test_scipy_where_it_agrees(rng):
    """The exact p-values of Kendall, and the approximations without a correction."""
    for n in (4, 12, 30):
        x, y = rng.random((2, n))
        for alternative, theirs in (("two.sided", "two-sided"), ("less", "less"), ("greater", "greater")):
            ours = r_cor_test(x, y, "kendall", alternative, exact=True)
            assert ours.p_value == pytest.approx(stats.kendalltau(x, y, method="exact", alternative=theirs).pvalue)
            ours = r_cor_test(x, y, "kendall", alternative, exact=False)
            assert ours.p_value == pytest.approx(stats.kendalltau(x, y, method="asymptotic", alternative=theirs).pvalue)
            ours = r_cor_test(x, y, "spearman", alternative, exact=False)
            assert ours.p_value == pytest.approx(stats.spearmanr(x, y, alternative=theirs).pvalue)


def test_missing_values_and_refusals():
    assert r_cor_test([*X, np.nan, 1], [*Y, 1, np.nan], "kendall") == r_cor_test(X, Y, "kendall")
    assert np.isnan(r_cor_test([1, 1, 1], [1, 2, 3], "kendall", exact=False)[:3]).all()
    assert np.isnan(r_cor_test([1, 1, 1], [1, 2, 3])[:3]).all()
    with pytest.raises(ValueError, match="'x' and 'y' must have the same length"):
        r_cor_test([1, 2], [1])
    with pytest.raises(ValueError, match="not enough finite observations"):
        r_cor_test([1, 2], [1, 2])
    with pytest.raises(ValueError, match="'alternative' must be one of two.sided, less, greater"):
        r_cor_test(X, Y, alternative="two-sided")
