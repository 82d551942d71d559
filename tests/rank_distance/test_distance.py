"""The rank distance against the figures and theorems of the paper and a general solver."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.stats import ttest_rel

from ircor._scores import Scores
from ircor.published import SCORES
from ircor.rank_distance import discriminative_power, drank, drank_test
from ircor.rank_distance._distance import RIDGE, Reference

AP = SCORES["AP"]
P10 = SCORES["P10"].mean(axis=0)


def differences(y, X):
    """mu and S of equation (2)."""
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


def test_a_general_solver_finds_nothing_nearer(rng, topics_by_systems):
    for _ in range(20):
        X = topics_by_systems(30, 6)
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


def test_the_distance_of_two_systems_is_their_paired_t_statistic(topics_by_systems):
    for _ in range(50):
        X = topics_by_systems(12, 2)
        t = ttest_rel(X[:, 0], X[:, 1]).statistic
        assert drank([2, 1], X) == pytest.approx(max(-t, 0), rel=1e-10, abs=1e-14)
        assert drank([1, 2], X) == pytest.approx(max(t, 0), rel=1e-10, abs=1e-14)


def test_theorem_1_the_distance_is_0_only_for_the_same_ranking(topics_by_systems):
    X = topics_by_systems(40, 4)
    by_means = np.argsort(np.argsort(X.mean(axis=0)))
    for y in itertools.permutations(range(4)):
        assert (drank(y, X) == 0) == (list(y) == by_means.tolist())


def swapped(X):
    """The distance if the first two of three systems are swapped.  The systems are in the order of their means."""
    return drank([2, 3, 1], X)


def three_systems(rng, t=2.0, rho=0.0):
    """Scores of three systems.

    The paired t statistic of the first two is t.  Their difference has correlation rho with the difference between the
    first and the third.  Nothing else depends on t and rho.
    """
    raw = rng.normal(size=(30, 2))
    raw -= raw.mean(axis=0)
    a, b = np.linalg.qr(raw)[0].T * np.sqrt(29)
    first_second = t / np.sqrt(30) + a
    first_third = 1 + rho * a + np.sqrt(1 - rho**2) * b
    return np.column_stack([np.zeros(30), -first_second, -first_third])


def test_theorem_2_a_swap_costs_more_the_more_the_systems_differ():
    distances = [swapped(three_systems(np.random.default_rng(1), t=t)) for t in (0.5, 1, 2, 4)]
    assert np.all(np.diff(distances) > 0)
    assert distances[2] == pytest.approx(2)


def test_theorem_3_separating_similar_systems_costs_more():
    # The first system moves between the second and the third.  The higher the correlation of their differences from the
    # first, the more similar are the second and the third.
    distances = [drank([2, 1, 3], three_systems(np.random.default_rng(1), t=2, rho=rho)) for rho in (0, 0.3, 0.6, 0.9)]
    assert np.all(np.diff(distances) > 0)


def test_only_the_order_of_y_counts(rng, topics_by_systems):
    X = topics_by_systems(20, 8)
    y = rng.normal(size=8)
    assert drank(np.exp(y), X) == drank(y, X) == drank(100 * y.argsort().argsort(), X)
    assert drank(2**60 + y.argsort().argsort(), X) == drank(y, X)


def test_topic_difficulty_and_scale_do_not_count(rng, topics_by_systems):
    X = topics_by_systems(30, 8)
    y = rng.normal(size=8)
    assert drank(y, X + 10 * rng.random((30, 1))) == pytest.approx(drank(y, X), rel=1e-9)
    assert drank(y, 1000 * X) == pytest.approx(drank(y, X), rel=1e-9)
    # Small differences between large scores are not noise.
    assert drank(y, 1 + 1e-9 * X, ridge=0) == pytest.approx(drank(y, X), rel=1e-5)


def test_the_pairs_made_equal_do_not_depend_on_the_scale(rng, topics_by_systems):
    X = topics_by_systems(30, 8)
    ranks = rng.permutation(8)
    points = [Reference(Scores.of(scale * X), None).nearest(ranks) for scale in (1e-6, 1, 1e6)]
    for point in points:
        assert point.equalised.tolist() == np.flatnonzero(point.theta == 0).tolist() == points[0].equalised.tolist()
    assert 0 < len(points[0].equalised) < 7


@pytest.mark.parametrize(("n", "m"), [(30, 8), (8, 30)])
def test_the_order_of_the_columns_does_not_count(n, m, rng, topics_by_systems):
    for _ in range(30):
        X = np.round(topics_by_systems(n, m), 1)
        y = rng.integers(0, 4, m)
        columns = rng.permutation(m)
        assert drank(y[columns], X[:, columns]) == pytest.approx(drank(y, X), rel=1e-9, abs=1e-12)


def test_a_tie_costs_nothing(topics_by_systems):
    X = topics_by_systems(30, 6)
    assert drank(np.zeros(6), X) == 0
    y = X.mean(axis=0)
    assert drank(np.round(y, 1), X) == 0


def test_the_default_ridge(rng, topics_by_systems):
    wide, tall = topics_by_systems(10, 10), topics_by_systems(12, 10)
    assert Reference(Scores.of(wide), None).ridge == RIDGE == 1e-5
    assert Reference(Scores.of(tall), None).ridge == 0
    twice = np.column_stack([tall, tall[:, 0]])
    assert Reference(Scores.of(twice), None).ridge == 1e-5
    assert Reference(Scores.of(np.column_stack([tall, tall[:, 0] + 0.25])), None).ridge == 1e-5
    y = rng.normal(size=10)
    assert drank(y, tall) == drank(y, tall, ridge=0)
    assert drank(y, wide) == drank(y, wide, ridge=1e-5)
    assert drank(y, tall, ridge=0.01) < drank(y, tall)
    # The difference of two systems is constant up to rounding, which must not count as variance.
    for n in range(3, 60):
        one = rng.random(n)
        for scale in (1, 1e6):
            assert Reference(Scores.of(scale * np.column_stack([one, one + 0.25])), None).ridge == 1e-5
    # A constant difference cannot be made equal without a ridge.
    constant = np.column_stack([tall[:, 0], tall[:, 0] + 0.25])
    assert drank([1, 2], constant, ridge=0) == 0
    with pytest.raises(ValueError, match="singular: a positive 'ridge' is needed"):
        drank([2, 1], constant, ridge=0)
    # If one system is the mean of two others, the matrix is singular but the distance exists.
    middle = np.column_stack([tall[:, 0], tall[:, 1], tall[:, :2].mean(axis=1)])
    t = abs(ttest_rel(tall[:, 0], tall[:, 1]).statistic)
    assert drank(-middle.mean(axis=0), middle, ridge=0) == pytest.approx(t)


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
    "names for none": (
        pd.Series({"A": 1, "B": 2, "C": 3}),
        AP,
        ValueError,
        "'X' has no names, so its systems are numbered from 0",
    ),
    "one too many": (
        pd.Series({"A": 1, "B": 2, "C": 3, "D": 4}),
        NAMED,
        ValueError,
        "'X' does not have the systems 'D' of 'y'",
    ),
    "a name twice": (P10, NAMED.set_axis(list("ABA"), axis=1), ValueError, "two systems of the name 'A'"),
    "too few numbers": ([1, 2], AP, ValueError, "one number for each of the 3 systems of 'X', not 2"),
    "another name": (
        pd.Series({"A": 1, "B": 2, "D": 3}),
        NAMED,
        ValueError,
        "'y' does not have the systems 'C' of 'X'",
    ),
    "a name twice in y": (
        pd.Series([1, 2, 3], index=list("ABA")),
        NAMED,
        ValueError,
        "'y' has two systems of the name 'A'",
    ),
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


def test_bad_ridges_are_refused():
    with pytest.raises(TypeError, match="'ridge' must be a number, not 'auto'"):
        drank(P10, AP, ridge="auto")
    for ridge in (-1, -1e-300, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=f"^'ridge' must be a number from 0 up, not {ridge!r}$"):
            drank(P10, AP, ridge=ridge)


P10_TABLES = {
    "array": SCORES["P10"],
    "lists": SCORES["P10"].tolist(),
    "DataFrame": pd.DataFrame(SCORES["P10"]),
    "Polars": pl.DataFrame(SCORES["P10"]),
    "Scores": Scores.of(SCORES["P10"]),
}


@pytest.mark.parametrize("kind", P10_TABLES)
def test_y_can_be_a_table_of_scores(kind):
    y = P10_TABLES[kind]
    assert drank(y, AP) == drank(P10, AP) > 0
    assert discriminative_power(y, AP) == discriminative_power(P10, AP)
    assert drank_test(y, AP, resamples=100, seed=1).as_dict() == drank_test(P10, AP, resamples=100, seed=1).as_dict()


def test_tables_with_names_are_matched_by_name():
    y = pd.DataFrame(SCORES["P10"], columns=list("ABC"))
    for table in (y, y[["C", "A", "B"]], Scores.of(y[["B", "C", "A"]], "y")):
        assert drank(table, NAMED) == drank(P10, AP)
        assert drank_test(table, NAMED, resamples=100, seed=1).order == ("B", "C", "A")
    # Without names in X, by position.
    assert drank(y[["C", "B", "A"]], AP) == drank(P10[::-1], AP) != drank(P10, AP)
    with pytest.raises(ValueError, match="'y' does not have the systems 'B' of 'X'"):
        drank(y.rename(columns={"B": "D"}), NAMED)


def test_means_of_a_table_that_differ_by_rounding_alone_are_ties():
    # The means of the first two systems of y are equal, but not in doubles; X ranks the second one higher.
    y = [[0.1, 0.3, 0.0], [0.2, 0.2, 0.0], [0.3, 0.1, 0.0]]
    means = np.mean(y, axis=0)
    assert means[0] > means[1]
    X = np.array([[0.1, 0.6, 0.0], [0.2, 0.9, 0.0], [0.35, 0.7, 0.1], [0.1, 0.8, 0.2]])
    assert drank(means, X) > 1
    assert drank(y, X) == 0
    assert drank_test(y, X, resamples=50, seed=1).statistic == 0
    # A tied pair is not ordered like the means, but the order by rounding errors is the wrong one here.
    assert discriminative_power(y, X) == discriminative_power([1, 1, 0], X)
    better = [[0.3, 0.1, 0.0], [0.2, 0.2, 0.0], [0.1, 0.3, 0.0]]
    assert discriminative_power(np.mean(better, axis=0), X) > discriminative_power(better, X)


def test_scores_are_checked_once(monkeypatch):
    scores = Scores.of(NAMED)
    monkeypatch.setattr("ircor._scores.number_table", lambda *_: pytest.fail("checked again"))
    assert drank([1, 2, 3], scores) == 0
    assert discriminative_power([1, 2, 3], scores) == 1
    assert drank_test([1, 2, 3], scores, resamples=10).order == ("C", "B", "A")
