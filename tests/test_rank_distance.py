"""The rank distance against the paper's figures, its theorems, SciPy, and the conditions of its optimum."""

import itertools
import os
import pty
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.stats import kstest, ttest_rel

from ircor import crosscheck, rank_distance
from ircor._check import EQUAL_MEANS
from ircor.published import SCORES
from ircor.rank_distance import (
    DrankNull,
    Problem,
    Scores,
    discriminative_power,
    drank,
    drank_test,
    tau_interval,
)

AP = SCORES["AP"]
P10 = SCORES["P10"].mean(axis=0)


def topics_by_systems(rng, n, m, spread=0.2):
    return rng.random((n, 1)) * rng.uniform(0.5, 1, m) + spread * rng.normal(size=(n, m))


def differences(y, X):
    """mu and S, straight from equation (2)."""
    order = np.argsort(-np.asarray(y), kind="stable")
    delta = X[:, order[:-1]] - X[:, order[1:]]
    return delta.mean(axis=0), np.atleast_2d(np.cov(delta, rowvar=False))


@pytest.mark.parametrize(
    ("ranking", "distance"),
    # Exact values of equation (2); the paper prints 4.88, 4.88, 4.88, 4.88, 0.65 and 0 in section 3.1.
    {"ABC": 4.8828, "ACB": 4.8828, "BAC": 4.4470, "CAB": 4.8288, "BCA": 0.6508, "CBA": 0}.items(),
)
def test_the_six_rankings_of_the_example(ranking, distance):
    assert round(drank([-ranking.index(system) for system in "ABC"], AP), 4) == distance


def test_the_bootstrap_of_the_example_is_that_of_all_256_samples():
    samples = [drank(AP[list(rows)].mean(axis=0), AP) for rows in itertools.product(range(4), repeat=4)]
    assert {round(d, 4) for d in samples} == {0, 0.6508}
    share = np.mean(np.array(samples) > 0)
    null = DrankNull(AP, resamples=10_000, seed=5)
    assert null.pvalue(0.65) == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 10_000))
    assert null.pvalue(0) == 1
    assert null.pvalue(0.66) == 0


def test_conditions_of_the_optimum(rng):
    for k in range(600):
        y, X, name = crosscheck.random_problem(np.random.default_rng([11, k]))
        scores = Scores(X)
        problem = Problem(scores, None)
        order = scores.order(y)
        squared, theta, multiplier = problem.closest().point(order)
        delta = X[:, order[:-1]] - X[:, order[1:]]
        mu = delta.mean(axis=0)
        S = np.atleast_2d(np.cov(delta, rowvar=False)) + problem.ridge * np.eye(len(mu))
        size = np.abs(mu) + np.abs(S) @ multiplier + 1e-300
        assert (theta >= 0).all(), name
        assert (multiplier >= 0).all(), name
        assert (theta * multiplier == 0).all(), name
        assert (np.abs(theta - mu - S @ multiplier) <= 1e-9 * size.max()).all(), name
        assert squared == pytest.approx(multiplier @ S @ multiplier, rel=1e-8, abs=1e-300), name


def test_a_general_solver_finds_nothing_nearer(rng):
    for _ in range(20):
        X = topics_by_systems(rng, 30, 6)
        y = rng.normal(size=6)
        mu, S = differences(y, X)
        inverse = np.linalg.inv(S)
        found = minimize(
            lambda t, mu=mu, inverse=inverse: 30 * (t - mu) @ inverse @ (t - mu),
            np.maximum(mu, 0.01),
            jac=lambda t, mu=mu, inverse=inverse: 60 * inverse @ (t - mu),
            bounds=[(0, None)] * 5,
            options={"ftol": 1e-15, "gtol": 1e-10},
        )
        assert drank(y, X) == pytest.approx(np.sqrt(found.fun), rel=1e-5, abs=1e-6)


def test_two_systems_are_apart_by_their_paired_t_statistic(rng):
    for _ in range(50):
        X = topics_by_systems(rng, 12, 2)
        t = ttest_rel(X[:, 0], X[:, 1]).statistic
        assert drank([2, 1], X) == pytest.approx(max(-t, 0), rel=1e-10, abs=1e-14)
        assert drank([1, 2], X) == pytest.approx(max(t, 0), rel=1e-10, abs=1e-14)


def test_theorem_1_the_distance_is_0_only_for_the_same_ranking(rng):
    X = topics_by_systems(rng, 40, 4)
    by_means = np.argsort(np.argsort(X.mean(axis=0)))
    for y in itertools.permutations(range(4)):
        assert (drank(y, X) == 0) == (list(y) == by_means.tolist())


def swapped(X):
    """The distance when the first two of three systems, which stand in the order of their means, are swapped."""
    return drank([2, 3, 1], X)


def three_systems(rng, t=2.0, rho=0.0):
    """Scores of three systems whose first two differ by a paired t of t, and whose difference correlates by rho with
    that of the first and the third; all else stays the same."""
    raw = rng.normal(size=(30, 2))
    raw -= raw.mean(axis=0)
    a, b = np.linalg.qr(raw)[0].T * np.sqrt(29)
    first_second = t / np.sqrt(30) + a
    first_third = 1 + rho * a + np.sqrt(1 - rho**2) * b
    return np.column_stack([np.zeros(30), -first_second, -first_third])


def test_theorem_2_a_swap_costs_more_the_more_the_systems_differ(rng):
    distances = [swapped(three_systems(np.random.default_rng(1), t=t)) for t in (0.5, 1, 2, 4)]
    assert np.all(np.diff(distances) > 0)
    assert distances[2] == pytest.approx(2)


def test_theorem_3_parting_systems_that_are_alike_costs_more():
    # The first system is put between the second and the third, which are the more alike the more their differences to
    # the first one correlate.
    distances = [drank([2, 1, 3], three_systems(np.random.default_rng(1), t=2, rho=rho)) for rho in (0, 0.3, 0.6, 0.9)]
    assert np.all(np.diff(distances) > 0)


def test_only_the_order_of_y_counts(rng):
    X = topics_by_systems(rng, 20, 8)
    y = rng.normal(size=8)
    assert drank(np.exp(y), X) == drank(y, X) == drank(100 * y.argsort().argsort(), X)
    assert drank(2**60 + y.argsort().argsort(), X) == drank(y, X)


def test_neither_a_topics_difficulty_nor_the_scale_counts(rng):
    X = topics_by_systems(rng, 30, 8)
    y = rng.normal(size=8)
    assert drank(y, X + 10 * rng.random((30, 1))) == pytest.approx(drank(y, X), rel=1e-9)
    assert drank(y, 1000 * X) == pytest.approx(drank(y, X), rel=1e-9)


@pytest.mark.parametrize(("n", "m"), [(30, 8), (8, 30)])
def test_the_order_of_the_columns_does_not_count(n, m, rng):
    for _ in range(30):
        X = np.round(topics_by_systems(rng, n, m), 1)
        y = rng.integers(0, 4, m)
        columns = rng.permutation(m)
        assert drank(y[columns], X[:, columns]) == pytest.approx(drank(y, X), rel=1e-9, abs=1e-12)


def test_a_tie_costs_nothing(rng):
    X = topics_by_systems(rng, 30, 6)
    assert drank(np.zeros(6), X) == 0
    y = X.mean(axis=0)
    assert drank(np.round(y, 1), X) == 0


def test_where_the_ridge_comes(rng):
    wide, tall = topics_by_systems(rng, 10, 10), topics_by_systems(rng, 12, 10)
    assert Problem(Scores(wide), None).ridge == rank_distance.RIDGE == 1e-5
    assert Problem(Scores(tall), None).ridge == 0
    twice = np.column_stack([tall, tall[:, 0]])
    assert Problem(Scores(twice), None).ridge == 1e-5
    assert Problem(Scores(np.column_stack([tall, tall[:, 0] + 0.25])), None).ridge == 1e-5
    y = rng.normal(size=10)
    assert drank(y, tall) == drank(y, tall, ridge=0)
    assert drank(y, wide) == drank(y, wide, ridge=1e-5)
    assert drank(y, tall, ridge=0.01) < drank(y, tall)
    # Two systems that are always the same apart, but for rounding, which must not be taken for a variance.
    for n in range(3, 60):
        one = rng.random(n)
        assert Problem(Scores(np.column_stack([one, one + 0.25])), None).ridge == 1e-5
    # The same difference on every topic cannot be made up for without a ridge.
    constant = np.column_stack([tall[:, 0], tall[:, 0] + 0.25])
    assert drank([1, 2], constant, ridge=0) == 0
    with pytest.raises(ValueError, match="singular: a positive 'ridge' is needed"):
        drank([2, 1], constant, ridge=0)
    # Systems of which one is the middle of two others can be.
    middle = np.column_stack([tall[:, 0], tall[:, 1], tall[:, :2].mean(axis=1)])
    t = abs(ttest_rel(tall[:, 0], tall[:, 1]).statistic)
    assert drank(-middle.mean(axis=0), middle, ridge=0) == pytest.approx(t)


def test_the_outcome_depends_on_the_seed_alone(rng):
    import joblib

    X = topics_by_systems(rng, 20, 12)
    one = DrankNull(X, resamples=1100, seed=3)
    assert not np.array_equal(one.distances, DrankNull(X, resamples=1100, seed=4).distances)
    for other in (
        DrankNull(X, resamples=1100, seed=3, n_jobs=1),
        DrankNull(X, resamples=1100, seed=3, n_jobs=2),
        DrankNull(X, resamples=1100, seed=one.seed),
    ):
        np.testing.assert_array_equal(one.distances, other.distances)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        np.testing.assert_array_equal(one.distances, DrankNull(X, resamples=1100, seed=3).distances)
    unseeded = DrankNull(X, resamples=300)
    np.testing.assert_array_equal(unseeded.distances, DrankNull(X, resamples=300, seed=unseeded.seed).distances)


@pytest.mark.parametrize(("n", "m", "resamples"), [(20, 12, 100), (10, 120, 250)])
def test_a_resample_is_a_ranking_like_any_other(n, m, resamples, rng):
    # The first block's draws, by hand, each through drank(); with many systems the block is cut up on the way.
    X = topics_by_systems(rng, n, m)
    (child,) = np.random.SeedSequence(7).spawn(1)
    draws = np.random.default_rng(child).integers(0, n, (resamples, n), dtype=np.int32)
    expected = sorted(drank(X[rows].mean(axis=0), X) for rows in draws)
    np.testing.assert_allclose(DrankNull(X, resamples=resamples, seed=7).distances, expected, rtol=1e-9)


def test_means_that_are_equal_but_for_rounding_are_ties():
    # The first system is better, and on the first two topics as good as the second, if not in doubles.
    X = np.array([[0.3, 0.1], [0.0, 0.2], [0.9, 0.1], [0.8, 0.2]])
    assert 0.3 + 0.0 < 0.1 + 0.2
    draws = np.array([[0, 1, 0, 1], [0, 1, 1, 1]], dtype=np.int32)
    scores = Scores(X)
    unit = 4 * 0.9 * EQUAL_MEANS
    tie, swap = Problem(scores, None).closest().resampled(X, draws, scores.by_means, unit)
    assert tie == 0
    assert swap > 0


def test_p_values_of_resamples_are_uniform_up_to_the_step_at_0(rng):
    X = topics_by_systems(rng, 40, 15)
    null = DrankNull(X, resamples=4000, seed=1)
    rankings = (X[rng.integers(0, 40, 40)].mean(axis=0) for _ in range(1500))
    pvalues = np.array([null.pvalue(drank(y, X)) for y in rankings])
    below_the_step = pvalues[pvalues < 1] / null.pvalue(1e-6)
    assert len(below_the_step) > 1000
    assert kstest(below_the_step, "uniform").pvalue > 0.01


def test_critical_value_and_pvalue_belong_together(rng):
    null = DrankNull(topics_by_systems(rng, 30, 20), resamples=2000, seed=1)
    for alpha in (0.01, 0.05, 0.5):
        value = null.critical_value(alpha)
        assert null.pvalue(np.nextafter(value, np.inf) * (1 + 1e-8)) <= alpha <= null.pvalue(value)
    for alpha in (0, 1, -0.5, 2):
        with pytest.raises(ValueError, match="'alpha' must be between 0 and 1"):
            null.critical_value(alpha)


def test_the_result_names_the_systems():
    X = pd.DataFrame(AP, columns=list("ABC"), index=[701, 702, 703, 704])
    y = pd.Series({"C": 0.7, "A": 0.5, "B": 0.75})
    result = drank_test(y, X, seed=2)
    assert result.statistic == drank(P10, AP)
    assert result.order == ("B", "C", "A")
    assert result.equalised == (("B", "C"),)
    assert result.theta[0] == 0
    assert round(result.theta[1], 3) == 0.322  # section 3.1
    assert result.pvalue == DrankNull(X, seed=2).pvalue(result.statistic)
    assert (result.resamples, result.ridge) == (10_000, 0)
    assert str(result).splitlines()[0].startswith("rank distance 0.6508, p = 0.2")
    assert str(result).splitlines()[1] == "made equal: B = C"
    reverse = drank_test([3, 2, 1], X, seed=2, resamples=100)
    assert str(reverse) == "rank distance 4.883, p < 0.01 (100 resamples of the topics)\nmade equal: A = B = C"
    assert "made equal: none" in str(drank_test([1, 2, 3], X, seed=2, resamples=100))


TABLES = {
    "lists": lambda v: v.tolist(),
    "pandas": pd.DataFrame,
    "pandas nullable": lambda v: pd.DataFrame(v).astype("Float64"),
    "Polars": pl.DataFrame,
    "columns first": np.asfortranarray,
}


@pytest.mark.parametrize("kind", TABLES)
def test_kinds_of_tables(kind):
    assert drank(P10, TABLES[kind](AP)) == pytest.approx(drank(P10, AP), rel=1e-12, abs=1e-14)


def test_saved_and_loaded(tmp_path, rng):
    X = topics_by_systems(rng, 20, 10)
    null = DrankNull(X, resamples=500)
    null.save(tmp_path / "null.npz")
    assert os.listdir(tmp_path) == ["null.npz"]
    loaded = DrankNull.load(tmp_path / "null.npz")
    np.testing.assert_array_equal(loaded.distances, null.distances)
    assert (loaded.resamples, loaded.seed, loaded.ridge) == (500, null.seed, null.ridge)
    y = rng.normal(size=10)
    assert str(loaded.test(y, X)) == str(null.test(y, X))
    with pytest.raises(ValueError, match="not the table of scores"):
        loaded.test(y, X + 1e-9)


def test_damaged_and_foreign_files_are_said_to_be(tmp_path, rng):
    DrankNull(topics_by_systems(rng, 20, 10), resamples=500).save(tmp_path / "null.npz")
    whole = (tmp_path / "null.npz").read_bytes()
    np.savez(tmp_path / "other.npz", a=1)
    np.savez(tmp_path / "newer.npz", drank_null=2)
    np.savez(tmp_path / "empty.npz", drank_null=1, distances=[], ridge=0, seed="1", digest="")
    np.savez(tmp_path / "pickle.npz", drank_null=np.array([{}], dtype=object))
    np.save(tmp_path / "array.npy", np.zeros(3))
    (tmp_path / "text.npz").write_text("no such thing")
    (tmp_path / "nothing.npz").write_bytes(b"")
    for k in (10, 200, len(whole) // 2, len(whole) - 10):
        (tmp_path / f"cut{k}.npz").write_bytes(whole[:k])
    for path in sorted(tmp_path.iterdir()):
        if path.name == "newer.npz":
            with pytest.raises(ValueError, match="newer.npz was saved by a newer version of ircor, in format 2"):
                DrankNull.load(path)
        elif path.name != "null.npz":
            with pytest.raises(ValueError, match=f"{path.name} is not a saved DrankNull, or it is damaged"):
                DrankNull.load(path)
    with pytest.raises(FileNotFoundError):
        DrankNull.load(tmp_path / "none.npz")


def test_a_file_hit_anywhere_is_read_right_or_not_at_all(tmp_path, rng):
    null = DrankNull(topics_by_systems(rng, 20, 10), resamples=50)
    path = tmp_path / "null.npz"
    null.save(path)
    whole = path.read_bytes()
    refused = 0
    for k in range(0, len(whole), 3):
        path.write_bytes(whole[:k] + bytes([whole[k] ^ 0x55]) + whole[k + 1 :])
        try:
            loaded = DrankNull.load(path)
        except ValueError as error:
            refused += 1
            assert "null.npz is not a saved DrankNull, or it is damaged" in str(error)
        else:
            np.testing.assert_array_equal(loaded.distances, null.distances)
            assert (loaded.digest, loaded.seed, loaded.ridge) == (null.digest, null.seed, null.ridge)
    assert refused > len(whole) / 6


def test_tau_interval_is_kendalls():
    # Section 2 prints (0.389, 0.987); the interval is the tau that are a test's width from it.
    low, high = tau_interval(0.9, 25)
    assert (round(low, 3), round(high, 3)) == (0.389, 0.987)
    for end in (low, high):
        assert abs(0.9 - end) == pytest.approx(1.959964 * np.sqrt(2 / 25 * (1 - end**2)), rel=1e-6)
    narrow = tau_interval(0.9, 25, level=0.5)
    assert low < narrow[0] < 0.9 < narrow[1] < high
    assert tau_interval(1, 10)[1] == pytest.approx(1)
    for arguments in ((1.1, 10), (0.5, 0), (0.5, 10, 1.0), (float("nan"), 10)):
        with pytest.raises(ValueError, match="must be"):
            tau_interval(*arguments)


def test_small_integers_and_infinities_as_y(rng):
    X = rng.normal(size=(30, 4)) * 0.01 + [1, 2, 3, 4]
    for y in (
        np.array([1, 2, 3, 4], dtype=np.uint8),
        np.array([-100, 2, 3, 100], dtype=np.int8),
        [-np.inf, 2, 3, np.inf],
    ):
        assert discriminative_power(y, X) == 1
        assert drank(y, X) == 0
    assert discriminative_power([np.inf, np.inf, 2, 3], X) == 1 / 6


def test_means_that_differ_by_rounding_alone_are_equal(rng):
    for _ in range(100):
        column = np.round(rng.random(12), 2)
        X = np.column_stack([column, rng.permutation(column), column - rng.uniform(0.1, 0.3, 12)])
        for y in ([3, 2, 1], [2, 3, 1], X.mean(axis=0), pd.DataFrame(X).mean()):
            assert drank(y, X) == 0
    null = DrankNull(X, resamples=500, seed=1)
    assert not ((null.distances > 0) & (null.distances < 1e-6)).any()
    # A difference that is nothing but rounding is not significant.
    assert np.isnan(discriminative_power([1, 2], [[0.3, 0.1 + 0.2]] * 10))


def test_discriminative_power_counts_significant_pairs(rng):
    # With few topics, the degrees of freedom tell.
    for n in [3, 4, 5, 15] * 15:
        X = topics_by_systems(rng, n, 9)
        y = np.round(rng.normal(size=9), 0)
        kept = significant = 0
        for i, j in itertools.combinations(range(9), 2):
            test = ttest_rel(X[:, i], X[:, j])
            if test.pvalue < 0.05:
                significant += 1
                kept += (y[i] > y[j]) if test.statistic > 0 else (y[i] < y[j])
        assert discriminative_power(y, X) == (
            pytest.approx(kept / significant) if significant else pytest.approx(np.nan, nan_ok=True)
        )
    assert np.isnan(discriminative_power([1, 2], np.array([[0.1, 0.2], [0.2, 0.1], [0.3, 0.3]])))
    # Always the same difference, and no difference at all.
    constant = rng.random((10, 1)) + np.array([0, 0.25, 0.25])
    assert discriminative_power([1, 2, 2], constant) == 1
    assert discriminative_power([2, 1, 3], constant) == 0.5
    with pytest.raises(ValueError, match="'alpha'"):
        discriminative_power([1, 2, 2], constant, alpha=0)


NAMED = pd.DataFrame(AP, columns=list("ABC"), index=["t1", "t2", "t3", "t4"])
HOLE = NAMED.mask((NAMED.index == "t2")[:, None] & (NAMED.columns == "B"))
REFUSED = {
    "a hole": (P10, HOLE, ValueError, "nan for topic 't2' and system 'B'"),
    "an infinity": (P10, np.where(AP == 0.3, np.inf, AP), ValueError, "inf for topic 2 and system 1"),
    "one topic": (P10, AP[:1], ValueError, "two topics or more, not 1"),
    "one system": ([1], AP[:, :1], ValueError, "two systems or more, not 1"),
    "no table": (P10, AP[0], ValueError, "two dimensions, topics by systems, not 1"),
    "words": (P10, NAMED.astype(str), TypeError, "'X' must be numbers, but it is of type str"),
    "lists of different lengths": (P10, [[1, 2, 3], [1, 2]], TypeError, "'X' must be a table of numbers"),
    "a masked score": (P10, np.ma.masked_equal(AP, 0.3), ValueError, "nan for topic 2 and system 1"),
    "a hole in a nullable table": (P10, HOLE.astype("Float64"), ValueError, "nan for topic 't2' and system 'B'"),
    "names for none": (pd.Series({"A": 1, "B": 2, "C": 3}), AP, ValueError, "which has no names but the numbers"),
    "one too many": (
        pd.Series({"A": 1, "B": 2, "C": 3, "D": 4}),
        NAMED,
        ValueError,
        r"systems \['D'\], which are not in",
    ),
    "a name twice": (P10, NAMED.set_axis(list("ABA"), axis=1), ValueError, "two systems of the name 'A'"),
    "too few numbers": ([1, 2], AP, ValueError, "one number for each of the 3 systems of 'X', not 2"),
    "another name": (pd.Series({"A": 1, "B": 2, "D": 3}), NAMED, ValueError, r"no number for the systems \['C'\]"),
    "a name twice in y": (pd.Series([1, 2, 3], index=list("ABA")), NAMED, ValueError, "two numbers for one system"),
    "a missing number": ([1, float("nan"), 3], AP, ValueError, "'y' must not have missing values"),
    "words for y": (["a", "b", "c"], AP, TypeError, "'y' must be a numeric vector"),
}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("function", [drank, drank_test, discriminative_power])
def test_bad_input_is_refused(function, what):
    y, X, kind, words = REFUSED[what]
    with pytest.raises(kind, match=words):
        function(y, X)


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning", "ignore:invalid:RuntimeWarning")
def test_scores_too_large_for_a_covariance_are_refused():
    for function in (drank, drank_test):
        with pytest.raises(ValueError, match="too large for their covariance"):
            function(P10, AP * 1e200)


def test_bad_arguments_are_refused():
    for call in (
        lambda: drank(P10, AP, ridge="auto"),
        lambda: DrankNull(AP, seed=[1, 2]),
        lambda: DrankNull(AP, seed=1.5),
        lambda: tau_interval("a", 3),
        lambda: discriminative_power(P10, AP, alpha=None),
    ):
        with pytest.raises(TypeError, match="must be a (whole )?number"):
            call()
    with pytest.raises(ValueError, match="'d' must be a distance, from 0 up, not nan"):
        DrankNull(AP, resamples=10).pvalue(float("nan"))
    for ridge in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="'ridge' must be a number from 0 up"):
            drank(P10, AP, ridge=ridge)
    for resamples, error in ((0, ValueError), (-5, ValueError), (2.5, TypeError), (True, TypeError)):
        with pytest.raises(error, match="'resamples' must be"):
            DrankNull(AP, resamples=resamples)


def test_the_kernel_looks_at_its_indices():
    scores = Scores(AP)
    closest = Problem(scores, None).closest()
    draws = np.zeros((1, 4), dtype=np.int32)
    for order in ([0, 1], [0, 1, 3], [0, 0, 1], [-1, 0, 1]):
        with pytest.raises(ValueError, match="each of the 3 systems once"):
            closest.point(np.array(order, dtype=np.int32))
    for X, rows in ((AP, draws + 4), (AP, draws - 1), (AP[:, :2].copy(), draws)):
        with pytest.raises(ValueError, match="draws that are not of the rows"):
            closest.resampled(X, rows, scores.by_means, 1e-12)


def test_progress_is_told():
    told = []
    DrankNull(AP, resamples=1100, seed=1, progress=lambda done, total: told.append((done, total)))
    assert told == [(k, 5) for k in range(1, 6)]


WATCHED = """
import numpy as np, ircor._watch as w
from ircor.rank_distance import DrankNull
w.SECONDS_BEFORE_A_BAR = {delay}
X = np.random.default_rng(1).random((50, 120))
print('started', flush=True)
DrankNull(X, resamples={resamples}, seed=1)
print('done', flush=True)
"""


@pytest.mark.parametrize(("delay", "bar"), [(0.0, True), (1000.0, False)])
def test_a_bar_comes_in_a_terminal_when_it_takes_long(delay, bar):
    leader, follower = pty.openpty()
    command = [sys.executable, "-c", WATCHED.format(delay=delay, resamples=1500)]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower, env=environment)
    out, _ = process.communicate()
    os.close(follower)
    try:
        shown = os.read(leader, 65536)
    except OSError:
        shown = b""
    os.close(leader)
    assert out.split() == [b"started", b"done"]
    assert (b"%" in shown) == bar


def test_an_interrupt_is_answered_at_once():
    command = [sys.executable, "-c", WATCHED.format(delay=2, resamples=10_000_000)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"started\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=5)
    assert b"KeyboardInterrupt" in err


@pytest.mark.r
def test_agreement_with_quadprog():
    oracle = crosscheck.find_oracle("reference")
    report = crosscheck.run(oracle, [])
    crosscheck.compare_drank(report, oracle, seed=1, count=600)
    assert report.agrees, report.as_json()
    assert report.functions["drank"].cases == 600


@pytest.mark.r
def test_a_broken_distance_is_caught_and_can_be_pasted(monkeypatch):
    import rpy2.robjects as ro

    oracle = crosscheck.find_oracle("reference")
    monkeypatch.setattr(crosscheck, "drank", lambda y, X, ridge: drank(y, X, ridge=ridge) * (1 + 1e-7))
    report = crosscheck.run(oracle, [])
    crosscheck.compare_drank(report, oracle, seed=1, count=50)
    assert not report.agrees
    (found,) = report.disagreements
    import ircor

    assert eval(found.python_call, {"ircor": ircor}) == pytest.approx(ro.r(found.r_call)[0], rel=1e-8)
