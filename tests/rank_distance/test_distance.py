"""The rank distance against the figures and theorems of the paper and a general solver."""

import itertools
from math import inf, sqrt

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.stats import ttest_rel

from ircor import InvalidTypeError
from ircor.data._scores import Scores
from ircor.published._papers import SCORES
from ircor.rank_distance import discriminative_power, drank, drank_test
from ircor.rank_distance._distance import Reference

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
    assert round(drank(AP, [-ranking.index(system) for system in "ABC"]), 4) == distance


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
        assert drank(X, y) == pytest.approx(np.sqrt(found.fun), rel=1e-5, abs=1e-6)


def test_the_distance_of_two_systems_is_their_paired_t_statistic(topics_by_systems):
    for _ in range(50):
        X = topics_by_systems(12, 2)
        t = ttest_rel(X[:, 0], X[:, 1]).statistic
        assert drank(X, [2, 1]) == pytest.approx(max(-t, 0), rel=1e-10, abs=1e-14)
        assert drank(X, [1, 2]) == pytest.approx(max(t, 0), rel=1e-10, abs=1e-14)


def test_theorem_1_the_distance_is_0_only_for_the_same_ranking(topics_by_systems):
    X = topics_by_systems(40, 4)
    by_means = np.argsort(np.argsort(X.mean(axis=0)))
    for y in itertools.permutations(range(4)):
        assert (drank(X, y) == 0) == (list(y) == by_means.tolist())


def swapped(X):
    """The distance if the first two of three systems are swapped.  The systems are in the order of their means."""
    return drank(X, [2, 3, 1])


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
    distances = [drank(three_systems(np.random.default_rng(1), t=2, rho=rho), [2, 1, 3]) for rho in (0, 0.3, 0.6, 0.9)]
    assert np.all(np.diff(distances) > 0)


def test_only_the_order_of_y_counts(rng, topics_by_systems):
    X = topics_by_systems(20, 8)
    y = rng.normal(size=8)
    assert drank(X, np.exp(y)) == drank(X, y) == drank(X, 100 * y.argsort().argsort())
    assert drank(X, 2**60 + y.argsort().argsort()) == drank(X, y)


def test_topic_difficulty_and_scale_do_not_count(rng, topics_by_systems):
    X = topics_by_systems(30, 8)
    y = rng.normal(size=8)
    assert drank(X + 10 * rng.random((30, 1)), y) == pytest.approx(drank(X, y), rel=1e-9)
    assert drank(1000 * X, y) == pytest.approx(drank(X, y), rel=1e-9)
    # Small differences between large scores are not noise.
    assert drank(1 + 1e-9 * X, y, ridge=0) == pytest.approx(drank(X, y), rel=1e-5)


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
        assert drank(X[:, columns], y[columns]) == pytest.approx(drank(X, y), rel=1e-9, abs=1e-12)


def test_a_tie_costs_nothing(topics_by_systems):
    X = topics_by_systems(30, 6)
    assert drank(X, np.zeros(6)) == 0
    y = X.mean(axis=0)
    assert drank(X, np.round(y, 1)) == 0


@pytest.mark.parametrize("ridge", [None, 0])
def test_a_system_that_is_there_twice_is_there_once(ridge, rng, topics_by_systems):
    for _ in range(20):
        X = topics_by_systems(40, 12)
        y = X.mean(axis=0) + rng.choice([0.01, 0.1, 1]) * rng.normal(size=12)
        again = rng.integers(0, 12, 3)
        names, columns = np.r_[:12, again], rng.permutation(15)
        distance = drank(X, y, ridge=ridge)
        for copies in (X[:, again], X[:, again] * (1 + 2e-16 * rng.integers(-1, 2, (40, 3)))):
            twice = np.column_stack([X, copies])[:, columns]
            assert drank(twice, y[names][columns], ridge=ridge) == pytest.approx(distance, rel=1e-9, abs=1e-12)
        null, null_of_twice = (
            drank_test(table, y, null="resample", resamples=50, seed=1, ridge=ridge)
            for y, table in ((y, X), (y[names], np.column_stack([X, X[:, again]])))
        )
        assert null.pvalue == null_of_twice.pvalue


def test_twins_far_apart_are_made_equal_to_all_in_between(topics_by_systems):
    X = topics_by_systems(40, 5)
    X = X[:, np.argsort(-X.mean(axis=0))]
    # The order of the means is 0 1 2 3 4.  A twin of the first system is placed after the third.
    nearest = Reference(Scores.of(np.column_stack([X, X[:, 0]])), None).nearest(np.array([6, 5, 4, 2, 1, 3]))
    assert nearest.order.tolist() == [0, 1, 2, 5, 3, 4]
    assert nearest.theta[:3].tolist() == [0, 0, 0]
    assert nearest.equalised.tolist() == [0, 1, 2]
    # Hotelling's test that the first three systems are equal.
    delta = X[:, :2] - X[:, 1:3]
    T2 = 40 * delta.mean(axis=0) @ np.linalg.solve(np.cov(delta, rowvar=False), delta.mean(axis=0))
    assert nearest.distance == pytest.approx(sqrt(T2))


def test_systems_that_are_constantly_apart(rng, topics_by_systems):
    X = topics_by_systems(12, 4)
    for n, scale, offset in itertools.product((6, 12), (1, 1e6), (0.25, 1e-5)):
        constant = scale * np.column_stack([X[:n], X[:n, 0] + offset])
        assert drank(constant, constant.mean(axis=0)) == 0
        nearest = Reference(Scores.of(constant), None).nearest(np.array([5, 2, 3, 1, 4]))
        assert nearest.distance == inf
        assert np.isnan(nearest.theta).all()
        assert nearest.equalised.size == 0
        assert 0 < drank(constant, [5, 2, 3, 1, 4], ridge=1e-5 * scale**2) < inf
        result = drank_test(constant, [5, 2, 3, 1, 4], null="resample", resamples=50, seed=1)
        assert (result.statistic, result.pvalue, result.equalised) == (inf, 1 / 51, ())
    # A constant difference counts as no variance, whatever the rounding errors.
    for n in range(3, 60):
        one = rng.random(n)
        for scale in (1, 1e6):
            apart = scale * np.column_stack([one, one + 0.25])
            assert (drank(apart, [1, 2], ridge=0), drank(apart, [2, 1], ridge=0)) == (0, inf)


def test_a_system_that_is_the_mean_of_two_others(topics_by_systems):
    X = topics_by_systems(12, 2)
    middle = np.column_stack([X, X.mean(axis=1)])
    t = abs(ttest_rel(X[:, 0], X[:, 1]).statistic)
    assert drank(middle, -middle.mean(axis=0)) == pytest.approx(t)


def test_all_scores_are_the_same():
    assert drank(np.full((5, 3), 0.1), [2, 1, 3]) == drank(np.full((5, 3), 0.1), [2, 1, 3], ridge="shrinkage") == 0


TABLES = {
    "lists": lambda v: v.tolist(),
    "pandas": pd.DataFrame,
    "pandas nullable": lambda v: pd.DataFrame(v).astype("Float64"),
    "Polars": pl.DataFrame,
    "columns first": np.asfortranarray,
}


@pytest.mark.parametrize("kind", TABLES)
def test_kinds_of_tables(kind):
    assert drank(TABLES[kind](AP), P10) == pytest.approx(drank(AP, P10), rel=1e-12, abs=1e-14)


def test_small_integers_and_infinities_as_y(rng):
    X = rng.normal(size=(30, 4)) * 0.01 + [1, 2, 3, 4]
    for y in (
        np.array([1, 2, 3, 4], dtype=np.uint8),
        np.array([-100, 2, 3, 100], dtype=np.int8),
        [-np.inf, 2, 3, np.inf],
    ):
        assert discriminative_power(X, y) == 1
        assert drank(X, y) == 0
    assert discriminative_power(X, [np.inf, np.inf, 2, 3]) == 1 / 6


def test_means_that_differ_by_rounding_alone_are_equal(rng):
    for _ in range(100):
        column = np.round(rng.random(12), 2)
        X = np.column_stack([column, rng.permutation(column), column - rng.uniform(0.1, 0.3, 12)])
        for y in ([3, 2, 1], [2, 3, 1], X.mean(axis=0), pd.DataFrame(X).mean()):
            assert drank(X, y) == 0


NAMED = pd.DataFrame(AP, columns=list("ABC"), index=["t1", "t2", "t3", "t4"])


HOLE = NAMED.mask((NAMED.index == "t2")[:, None] & (NAMED.columns == "B"))


REFUSED = {
    "a hole": (P10, HOLE, ValueError, "nan for topic 't2' and system 'B'"),
    "an infinity": (P10, np.where(AP == 0.3, np.inf, AP), ValueError, "inf for topic 2 and system 1"),
    "one topic": (P10, AP[:1], ValueError, "two topics or more, not 1"),
    "one system": ([1], AP[:, :1], ValueError, "two systems or more, not 1"),
    "three dimensions": (P10, AP[None], ValueError, "two dimensions, topics by systems, not 3"),
    "a number": (P10, 3, ValueError, "two dimensions, topics by systems, not 0"),
    "words": (P10, NAMED.astype(str), TypeError, "'X' must be numbers, but it is of type (str|object)"),
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
    "words for y": (["a", "b", "c"], AP, FileNotFoundError, "'a'"),
}


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize("function", [drank, drank_test, discriminative_power])
def test_bad_input_is_refused(function, what):
    y, X, kind, words = REFUSED[what]
    with pytest.raises(kind, match=words):
        function(X, y)


RANKINGS = {
    "array": P10,
    "list": P10.tolist(),
    "tuple": (3, 1, 2),
    "Series": pd.Series(P10),
    "Polars": pl.Series(P10),
    "empty": [],
}


@pytest.mark.parametrize("kind", RANKINGS)
@pytest.mark.parametrize("function", [drank, drank_test, discriminative_power])
def test_a_ranking_in_place_of_the_table_is_refused(function, kind):
    with pytest.raises(InvalidTypeError) as refused:
        function(RANKINGS[kind], AP)
    order = f"the ranking comes second: {function.__name__}(X, y)"
    assert str(refused.value) == f"'X' must be a table of scores, topics by systems; {order}"


def test_two_tables_are_legal_in_either_place():
    one, other = drank(AP, SCORES["P10"]), drank(SCORES["P10"], AP)
    assert 0 < one != other > 0
    assert drank(X=AP, y=SCORES["P10"]) == one


def test_a_table_of_several_series_is_no_ranking():
    series = [pd.Series(row) for row in AP]
    assert drank(series, P10) == drank(AP, P10)


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
    assert drank(AP, y) == drank(AP, P10) > 0
    assert discriminative_power(AP, y) == discriminative_power(AP, P10)
    assert drank_test(AP, y, resamples=100, seed=1).as_dict() == drank_test(AP, P10, resamples=100, seed=1).as_dict()


def test_tables_with_names_are_matched_by_name():
    y = pd.DataFrame(SCORES["P10"], columns=list("ABC"))
    for table in (y, y[["C", "A", "B"]], Scores.of(y[["B", "C", "A"]], "y")):
        assert drank(NAMED, table) == drank(AP, P10)
        assert drank_test(NAMED, table, resamples=100, seed=1).order == ("B", "C", "A")
    with pytest.raises(ValueError, match="'X' has no names, .* pass y.to_numpy()"):
        drank(AP, y)
    with pytest.raises(ValueError, match="'y' does not have the systems 'B' of 'X'"):
        drank(NAMED, y.rename(columns={"B": "D"}))


def test_numbers_that_differ_by_rounding_alone_are_ties():
    # The means of the first two systems of y are equal, but not in doubles; X ranks the second one higher.
    y = [[0.1, 0.3, 0.0], [0.2, 0.2, 0.0], [0.3, 0.1, 0.0]]
    means = np.mean(y, axis=0)
    assert means[0] > means[1]
    X = np.array([[0.1, 0.6, 0.0], [0.2, 0.9, 0.0], [0.35, 0.7, 0.1], [0.1, 0.8, 0.2]])
    assert drank(X, y) == drank(X, means) == drank(X, pd.Series(means)) == drank(X, 1e9 * means) == 0
    assert drank_test(X, means, resamples=50, seed=1).statistic == 0
    # A tied pair is not ordered like the means.
    assert discriminative_power(X, y) == discriminative_power(X, means) == discriminative_power(X, [1, 1, 0])


def test_how_far_apart_tied_numbers_can_be():
    X = np.array([[0.1, 0.6, 0.0], [0.2, 0.9, 0.0], [0.35, 0.7, 0.1], [0.1, 0.8, 0.2]])
    for size in (1, 2.0**-20, 2.0**20):
        assert drank(X, size * np.array([0.5 + 2.0**-41, 0.5, -1])) == 0
        assert drank(X, size * np.array([0.5 + 2.0**-39, 0.5, -1])) > 1
    # The size is that of the largest finite number, without its sign.
    assert drank(X, [0.5 + 2.0**-40, 0.5, -np.inf]) > 1
    assert drank(X, [np.inf, np.inf, 0.5]) == 0
    assert drank(X, [-np.inf, -np.inf, -np.inf]) == 0
    # Integers are exact.
    assert drank(X, [2**60 + 1, 2**60, 0]) > 1
    assert drank(X, np.array([2**60 + 1, 2**60, 0], dtype=np.uint64)) > 1


def test_the_means_of_a_table_are_as_good_as_the_table():
    from ircor import sample

    scores = sample()
    for measure in ("P_10", "ndcg", "recip_rank"):
        assert drank(scores["map"], scores[measure].mean()) == drank(scores["map"], scores[measure])


def test_scores_are_checked_once(monkeypatch):
    scores = Scores.of(NAMED)
    monkeypatch.setattr("ircor.data._scores.number_table", lambda *_: pytest.fail("checked again"))
    assert drank(scores, [1, 2, 3]) == 0
    assert discriminative_power(scores, [1, 2, 3]) == 1
    assert drank_test(scores, [1, 2, 3], resamples=10).order == ("C", "B", "A")
