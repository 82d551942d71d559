"""permutation_test: against SciPy, and against exact fractions over all permutations of a few items."""

import dataclasses
import inspect
import warnings
from fractions import Fraction
from itertools import permutations
from math import factorial, lcm

import definitions
import numpy as np
import pandas as pd
import pytest
import scipy.stats
from calls import FUNCTIONS, REFUSING

import ircor
from ircor._core import work as _parallel
from ircor._core.text import p_value
from ircor._kernel import random_orders, totals_of_permutations, totals_of_shuffles
from ircor.statistics import _permutation
from ircor.statistics._permutation import key_of, numbered_permutations, share_as_extreme
from ircor.tables import PermutationResult, permutation_test


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_all_permutations_of_a_few_items_as_scipy_does_it(name, function, rng, tied, alternative):
    for n in (2, 3, 5, 6):
        x, y = (rng.random(n) if argument in REFUSING[name] else tied(n, 4) for argument in "xy")
        x[:2], y[:2] = (1.5, 2.5), (2.5, 1.5)
        ours = permutation_test(x, y, name, alternative)
        theirs = scipy.stats.permutation_test(
            (y,), lambda permuted, x=x: function(x, permuted), permutation_type="pairings", alternative=alternative
        )
        assert ours.exact
        assert len(ours.distribution) == factorial(n)
        np.testing.assert_allclose(np.sort(ours.distribution), np.sort(theirs.null_distribution), atol=1e-14)
        assert ours.pvalue == pytest.approx(theirs.pvalue)
        assert ours.statistic == theirs.statistic


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_resampled_permutations_as_scipy_does_it_on_the_same_ones(name, function, rng, tied, alternative, monkeypatch):
    n = 12
    x, y = (rng.random(n) if argument in REFUSING[name] else tied(n) for argument in "xy")
    seen = []

    def statistic(items):
        seen.append(items.astype(np.int32))
        return function(x, y[items.astype(int)])

    theirs = scipy.stats.permutation_test(
        (np.arange(n),),
        statistic,
        permutation_type="pairings",
        alternative=alternative,
        n_resamples=300,
        vectorized=False,
    )
    given = iter(seen[1:])

    def the_same(x, y, method, key, task):
        permutations = np.array([next(given) for _ in range(task.start, task.stop)])
        return method.formula(totals_of_permutations(x, y, permutations, method.sums))

    monkeypatch.setattr(_permutation, "random_block", the_same)
    ours = permutation_test(x, y, name, alternative, resamples=300, seed=1)
    np.testing.assert_allclose(ours.distribution, theirs.null_distribution, atol=1e-14)
    assert ours.pvalue == pytest.approx(theirs.pvalue)
    assert not ours.exact


def test_resampled_permutations_are_a_plain_loop_over_the_same_ones(name, function, rng, tied):
    x, y = (rng.random(12) if argument in REFUSING[name] else tied(12) for argument in "xy")
    result = permutation_test(x, y, name, resamples=300, seed=7)
    from_the_top = np.argsort(-y, kind="stable")
    key = np.random.SeedSequence(7).generate_state(2, np.uint64)
    expected = []
    for order in random_orders(12, key, 0, 300):
        permuted = np.empty(12)
        permuted[from_the_top[order]] = y[from_the_top]
        expected.append(function(x, permuted))
    np.testing.assert_allclose(result.distribution, expected, atol=1e-14)


def test_the_key_is_that_of_numpy():
    """Philox(seed) has this key, and says so."""
    for seed in (0, 1, 2**64 + 3, np.random.SeedSequence().entropy):
        np.testing.assert_array_equal(key_of(seed), np.random.Philox(seed).state["state"]["key"])


def test_the_p_value_of_random_permutations_is_near_the_exact_one(rng):
    """Within four standard errors; kendalltau counts the permutations exactly, permutation_test tries all of them."""
    for n in (9, 30, 60):
        x = rng.random(n)
        y = x + rng.normal(0, 1, n)
        exact = scipy.stats.kendalltau(x, y, method="exact")
        found = permutation_test(x, y, resamples=20_000, seed=n)
        assert not found.exact
        assert found.statistic == pytest.approx(exact.statistic)
        assert found.pvalue == pytest.approx(exact.pvalue, abs=4 * np.sqrt(exact.pvalue / 20_000) + 2 / 20_001)
    x, y = [1, 1, 2, 3, 4, 4, 5], [2, 1, 1, 3, 5, 4, 4]
    for alternative in ("greater", "less", "two-sided"):
        for name in ("tau_b", "tauAP_b"):
            exact = permutation_test(x, y, name, alternative, resamples=5040).pvalue
            found = permutation_test(x, y, name, alternative, resamples=5039, seed=1)
            assert not found.exact
            assert found.pvalue == pytest.approx(exact, abs=8 * np.sqrt(exact * (1 - exact / 2) / 5039) + 2 / 5040)


def test_resampled_permutations_are_permutations(rng):
    """The mean and the variance of tau over all permutations are known: 0 and 2 (2n + 5) / (9 n (n - 1))."""
    n = 30
    result = permutation_test(rng.random(n), rng.random(n), "tau", resamples=20_000, seed=1)
    assert result.distribution.mean() == pytest.approx(0, abs=0.005)
    assert result.distribution.var() == pytest.approx(2 * (2 * n + 5) / (9 * n * (n - 1)), rel=0.03)


def test_a_drawn_seed_repeats_the_outcome(rng):
    x, y = rng.random(30), rng.random(30)
    first = permutation_test(x, y, resamples=500)
    again = permutation_test(x, y, resamples=500, seed=first.seed)
    np.testing.assert_array_equal(first.distribution, again.distribution)
    assert (permutation_test(x, y, resamples=500).distribution != first.distribution).any()
    assert permutation_test(x[:4], y[:4], seed=3).seed is None


def test_missing_values_that_are_permuted(rng):
    """Wherever a missing value comes to stand, it is last in order of position, as in the single function."""
    x, y = rng.random(5), np.array([np.nan, 2, np.nan, 1, 3])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ircor.MissingValueWarning)
        result = permutation_test(x, y, "tauAP_b")
        expected = [ircor.tauAP_b(x, np.array(order)) for order in permutations(y)]
    np.testing.assert_allclose(np.sort(result.distribution), np.sort(expected), atol=1e-14)


def test_exact_if_there_are_no_more_permutations_than_resamples():
    assert permutation_test([1, 2, 3], [1, 3, 2], resamples=6).exact
    assert not permutation_test([1, 2, 3], [1, 3, 2], resamples=5, seed=1).exact


def test_numbered_permutations_are_all_of_them():
    for n in (1, 2, 3, 5):
        found = numbered_permutations(n, 0, factorial(n))
        assert [tuple(row) for row in found] == list(permutations(range(n)))
        half = factorial(n) // 2
        np.testing.assert_array_equal(numbered_permutations(n, half, factorial(n)), found[half:])


def test_the_p_value_of_a_related_and_an_unrelated_pair(rng):
    x = rng.random(60)
    assert permutation_test(x, x + rng.normal(0, 0.1, 60), seed=1, resamples=999).pvalue == 2 / 1000
    assert permutation_test(x, -x, alternative="greater", seed=1, resamples=999).pvalue == 1
    assert permutation_test(x, rng.random(60), seed=1, resamples=999).pvalue > 0.05
    undefined = permutation_test(x, np.ones(60), seed=1)
    assert np.isnan(undefined.statistic)
    assert np.isnan(undefined.pvalue)


def test_permutations_in_either_direction(rng):
    x, y = rng.random(6), rng.random(6)
    for decreasing in (True, False):
        result = permutation_test(x, y, "tauAP", decreasing=decreasing)
        assert result.statistic == ircor.tauAP(x, y, decreasing)
        expected = [ircor.tauAP(x, p, decreasing) for p in permutations(y)]
        np.testing.assert_allclose(np.sort(result.distribution), np.sort(expected), atol=1e-14)


def test_what_permutation_test_refuses():
    for arguments, error, words in [
        (([1, 2, 2], [1, 2, 3], "tau"), ValueError, "'x' contains ties"),
        (([1, 2, 3], [1, 2]), ValueError, "must be of the same length"),
        (([1, 2, 3], [1, 2, 3], "rho"), ValueError, "'method' must be one of"),
        (
            ([1, 2, 3], [1, 2, 3], "tau", "both"),
            ValueError,
            "'alternative' must be one of two-sided, greater, less, not",
        ),
        (
            ([1, 2, 3], [1, 2, 3], "tau", pd.Series(["less"])),
            ValueError,
            "'alternative' must be one of .*, not a Series",
        ),
        (([1, 2, 3], [1, 2, 3], "tau", pd.NA), ValueError, "'alternative' must be one of .*, not <NA>"),
        (([1, 2, 3], [1, 2, 3], pd.DataFrame()), ValueError, "'method' must be one of .*, not a DataFrame"),
        (([1, 2, 3], [1, 2, 3], "tau", "less", 2.0), TypeError, "'resamples' must be a whole number, not 2.0"),
        (([1, 2, 3], [1, 2, 3], "tau", "less", 0), ValueError, "'resamples' must be 1 or more"),
        (([1, 2, 3], [1, 2, 3], "tau", "less", 2, "x"), TypeError, "'seed' must be a whole number, not 'x'"),
    ]:
        with pytest.raises(error, match=words):
            permutation_test(*arguments)
    for method in ("tau", "tauAP"):
        with pytest.raises(TypeError, match="'decreasing' must be True or False"):
            permutation_test([1, 2, 3], [1, 2, 3], method, decreasing="maybe")


def test_the_warning_points_at_the_caller(rng):
    with pytest.warns(ircor.MissingValueWarning, match=r"\(1 in 'y'\)") as caught:
        permutation_test(rng.random(4), [1, 2, np.nan, 3], "tauAP_a")
    assert [warning.filename for warning in caught] == [__file__]


def test_coefficients_that_differ_by_rounding_alone_are_equal():
    one, other = 0.1 + 0.2, 0.3
    for observed, value in ((one, other), (other, one)):
        for alternative, exact, expected in [
            ("greater", True, 2 / 4),
            ("less", True, 3 / 4),
            ("two-sided", True, 1),
            ("greater", False, 3 / 5),
            ("less", False, 4 / 5),
        ]:
            distribution = np.array([value, 0.5, 0.3 - 2e-12, -0.3])
            assert share_as_extreme(observed, distribution, alternative, exact) == expected
    # On both sides of a negative coefficient, and near 0.
    assert share_as_extreme(-0.3, np.array([-one, 0.5]), "less", True) == 0.5
    assert share_as_extreme(-0.3, np.array([-one, -0.5]), "greater", True) == 0.5
    assert share_as_extreme(0.0, np.array([1e-16, -1e-16, 0.5, -0.5]), "greater", True) == 0.75
    assert share_as_extreme(1e-10, np.array([1.1e-10, 0.9e-10, 0.8e-10, -1.0]), "two-sided", True) == 0.5


EXACT = {
    "tau": definitions.tau_a,
    "tau_a": definitions.tau_a,
    "tau_b": definitions.tau_b,
    "tauAP": definitions.tauAP_a,
    "tauAP_a": definitions.tauAP_a,
    "tauAP_b": definitions.tauAP_b,
}


def exact_pvalues(observed, values):
    greater = Fraction(sum(value >= observed for value in values), len(values))
    less = Fraction(sum(value <= observed for value in values), len(values))
    return {"greater": greater, "less": less, "two-sided": min(Fraction(1), 2 * min(greater, less))}


@pytest.mark.parametrize("n", [4, 5, 6])
def test_p_values_are_those_of_exact_fractions(name, n):
    """Each different value of the coefficient is the observed one in turn, so all its ties are tried."""
    some_ties = [list(range(n)), [0, 0, *range(1, n - 1)], [0, *[1] * (n - 3), 2, 2]]
    for x in some_ties[:1] if "x" in REFUSING[name] else some_ties:
        for y in some_ties[:1] if "y" in REFUSING[name] else some_ties:
            exact = {order: EXACT[name](x, order) for order in set(permutations(y))}
            values = list(exact.values())
            gaps = np.diff(sorted(set(values)))
            assert min(map(float, gaps)) > 1e-4
            one_of_each = {value: order for order, value in exact.items()}
            for value, order in one_of_each.items():
                distribution = permutation_test(x, order, name).distribution
                computed = FUNCTIONS[name](x, order)
                for alternative, expected in exact_pvalues(value, values).items():
                    assert share_as_extreme(computed, distribution, alternative, True) == float(expected)


def test_a_p_value_that_needs_equal_coefficients():
    x, y = range(6), (0, 1, 5, 3, 4, 2)
    exact = [definitions.tauAP_b(x, order) for order in permutations(y)]
    expected = exact_pvalues(definitions.tauAP_b(x, y), exact)
    assert expected["less"] == Fraction(364, 720)
    for alternative, pvalue in expected.items():
        assert permutation_test(list(x), y, "tauAP_b", alternative).pvalue == float(pvalue)


def test_random_permutations_have_the_same_ties():
    """Random permutations of six items: the p-value counts equal coefficients as exact fractions do."""
    x, y = range(6), (0, 1, 5, 3, 4, 2)
    result = permutation_test(list(x), y, "tauAP_b", "less", resamples=700, seed=1)
    assert not result.exact
    exact = np.array([float(definitions.tauAP_b(x, order)) for order in permutations(y)])
    observed = float(definitions.tauAP_b(x, y))
    # The nearest exact value of each; different ones are 0.003 apart.
    levels = np.unique(exact.round(6))
    nearest = levels[np.abs(result.distribution[:, None] - levels).argmin(axis=1)]
    assert result.pvalue == (np.count_nonzero(nearest <= round(observed, 6)) + 1) / 701
    assert np.count_nonzero(result.distribution <= result.statistic) < np.count_nonzero(nearest <= round(observed, 6))


def test_different_coefficients_are_farther_apart_than_equal_ones():
    """The least distance that the denominators allow, for as many items as an exact test can have."""
    for n in range(3, 21):
        fractions_of = lcm(*range(1, n))
        assert 2 / ((n - 1) * fractions_of * largest_lcm(n)) > _permutation.EQUAL_COEFFICIENTS
        assert 1 / ((n - 1) * max(1, n - 2) * fractions_of) > _permutation.EQUAL_COEFFICIENTS


def largest_lcm(n):
    """The largest least common multiple of numbers that sum to n."""
    reached = {0: {1}}
    for total in range(1, n + 1):
        reached[total] = {lcm(part, value) for part in range(1, total + 1) for value in reached[total - part]}
    return max(reached[n])


def test_an_exact_test_in_several_tasks(rng):
    """5040 permutations, 1000 a task."""
    x, y = rng.random(7), rng.random(7)
    told = []
    result = permutation_test(x, y, "tau", resamples=5040, progress=lambda done, total: told.append((done, total)))
    assert told == [(k, 6) for k in range(1, 7)]
    assert result.exact
    np.testing.assert_array_equal(result.distribution, [ircor.tau(x, order) for order in permutations(y)])


def test_long_calls_of_the_kernel_are_cut(rng, monkeypatch):
    x, y = rng.random(40), rng.random(40)
    expected = permutation_test(x, y, resamples=600, seed=1).distribution
    monkeypatch.setattr(_parallel, "ITEMS_PER_TASK", 500_000)
    sizes = []

    def counted(x, y, key, first, last, sums):
        sizes.append(last - first)
        return totals_of_shuffles(x, y, key, first, last, sums)

    monkeypatch.setattr(_permutation, "totals_of_shuffles", counted)
    np.testing.assert_array_equal(permutation_test(x, y, resamples=600, seed=1).distribution, expected)
    assert sizes == [250, 250, 100]


def test_the_numbers_do_not_depend_on_the_tasks(rng):
    """Neither on n_jobs, nor on how many permutations there are."""
    x, y = rng.random(40), rng.random(40)
    expected = permutation_test(x, y, "tauAP_b", resamples=3000, seed=1).distribution
    for n_jobs in (1, 2):
        found = permutation_test(x, y, "tauAP_b", resamples=3000, seed=1, n_jobs=n_jobs).distribution
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(permutation_test(x, y, "tauAP_b", resamples=777, seed=1).distribution, expected[:777])


def test_a_long_ranking_is_never_exact(rng):
    assert not permutation_test(rng.random(300), rng.random(300), resamples=10, seed=1).exact


def test_how_a_result_reads(rng):
    x, y = rng.random(30), rng.random(30)
    result = permutation_test(x, y, "tau", "greater", resamples=300, seed=3)
    assert repr(result) == (
        f"PermutationResult(statistic={result.statistic}, pvalue={result.pvalue}, alternative='greater', exact=False, "
        "seed=3, name='tau')"
    )
    p = p_value(result.pvalue, 300)
    assert [line.split() for line in str(result).splitlines()] == [
        ["coefficient", "value", "p", "alternative", "exact", "permutations", "seed"],
        ["tau", f"{result.statistic:.4f}", p, "greater", "False", "300", "3"],
        [],
        f"tau is {result.statistic:.4f}, p = {p} (greater, 300 random permutations).".split(),
    ]
    assert f"<td>{p}</td>" in result._repr_html_()
    (record,) = result.as_dict()["permutation_test"]
    assert record == {
        "name": "tau",
        "statistic": result.statistic,
        "pvalue": result.pvalue,
        "alternative": "greater",
        "exact": False,
        "permutations": 300,
        "seed": 3,
    }
    exact = permutation_test([1, 2, 3], [1, 2, 3], "tau")
    assert exact.sentences() == ["tau is 1.0000, p = 0.3333 (two-sided, all 6 permutations)."]
    undefined = permutation_test(x, np.ones(30), seed=1)
    assert undefined.sentences() == ["tau_b is undefined, and so is its p-value."]
    assert (undefined.permutations, undefined.seed, undefined.name, undefined.exact) == (0, 1, "tau_b", False)
    with pytest.raises(dataclasses.FrozenInstanceError):
        exact.pvalue = 0
    unnamed = PermutationResult(0.5, 0.25, "less", True, np.zeros(4), None)
    assert unnamed.sentences() == ["The coefficient is 0.5000, p = 0.2500 (less, all 4 permutations)."]


def test_the_defaults():
    parameters = inspect.signature(permutation_test).parameters
    assert {name: p.default for name, p in parameters.items() if p.default is not inspect.Parameter.empty} == {
        "method": "tau_b",
        "alternative": "two-sided",
        "resamples": 9999,
        "seed": None,
        "n_jobs": None,
        "decreasing": True,
        "progress": None,
    }
