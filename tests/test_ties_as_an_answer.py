"""tau_eq and acc_eq: the definition pair by pair, what the tool of the shared tasks answers, and the chance level."""

from fractions import Fraction
from itertools import combinations, permutations, product

import definitions
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from calls import record

import ircor
from ircor._core.methods import ACC_EQ, COEFFICIENTS, EQUALITY

NAMES = list(EQUALITY)
CASES = [case for case in record("pairwise.jsonl") if case["kind"] == "variants"]


def kinds(truth, estimate, epsilon=0.0):
    """How many pairs are concordant, discordant, tied in both, in the truth only, and in the estimate only."""
    counts = dict.fromkeys("CDTXY", 0)
    for i, j in combinations(range(len(truth)), 2):
        tied = truth[i] == truth[j], abs(estimate[i] - estimate[j]) <= epsilon
        alike = (truth[i] < truth[j]) == (estimate[i] < estimate[j])
        counts[{(True, True): "T", (True, False): "X", (False, True): "Y"}.get(tied, "C" if alike else "D")] += 1
    return counts


def accuracy(truth, estimate, epsilon=0.0):
    counts = kinds(truth, estimate, epsilon)
    return Fraction(counts["C"] + counts["T"], sum(counts.values()))


def check(truth, estimate, epsilon=0.0):
    exact = accuracy(truth, estimate, epsilon)
    assert ircor.acc_eq(truth, estimate, epsilon) == float(exact)
    assert ircor.tau_eq(truth, estimate, epsilon) == float(2 * exact - 1)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_pair_of_rankings(n):
    for x, y in product(definitions.weak_orders(n), repeat=2):
        for epsilon in (0.0, 1.0, 0.5, n):
            check(list(x), list(y), epsilon)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.3, 0.30000000000000004, 2])
def test_a_difference_is_compared_as_doubles_have_it(rng, epsilon):
    for n in (2, 5, 40, 130):
        check(rng.integers(0, 4, n).tolist(), (rng.integers(0, 20, n) / 10).tolist(), epsilon)
    # 1 - 1e-20 rounds to 1, which is within 1, and 0.1 + 0.2 is not 0.3.
    check([1, 2, 3, 3], [1.0, -1e-20, 1e-20, 0.1 + 0.2], epsilon)


@pytest.mark.parametrize("case", CASES)
def test_what_mt_metrics_eval_answers(case):
    truth, estimate, epsilon, answers = (case[key] for key in ("gold", "metric", "epsilon", "answers"))
    assert ircor.tau_eq(truth, estimate, epsilon) == pytest.approx(answers["23"], abs=1e-12)
    assert ircor.acc_eq(truth, estimate, epsilon) == pytest.approx(answers["acc23"], abs=1e-12)


def test_without_ties_it_is_tau(rng):
    x, y = rng.random((2, 50))
    assert ircor.tau_eq(x, y) == pytest.approx(ircor.tau(x, y), abs=1e-15)


@pytest.mark.parametrize(("truth", "estimate"), [([1, 1, 2, 3], [1, 2, 2, 3]), ([0, 0, 0, 1], [4, 3, 2, 1])])
def test_the_chance_level_is_the_mean_over_all_orders_of_the_estimate(truth, estimate):
    values = [accuracy(truth, order) for order in permutations(estimate)]
    t_x, t_y = (accuracy(side, [0] * 4) for side in (truth, estimate))
    assert Fraction(sum(values), len(values)) == t_x * t_y + (1 - t_x) * (1 - t_y) / 2


def test_the_chance_level_of_random_numbers(rng):
    truth = rng.integers(0, 3, 30)
    values = [ircor.acc_eq(truth, rng.random(30)) for _ in range(4000)]
    tied = ircor.acc_eq(truth, np.zeros(30))
    assert np.mean(values) == pytest.approx((1 - tied) / 2, abs=4 * np.std(values) / 4000**0.5)
    assert ircor.acc_eq(truth, truth) == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("epsilon", [None, 0.1])
def test_tables_groups_and_engines_have_the_function(rng, name, epsilon):
    x, y, g = rng.integers(0, 4, 60), rng.integers(0, 20, 60) / 10, np.repeat([1, 2, 3], 20)
    threshold = {} if epsilon is None else {"epsilon": epsilon}
    function = getattr(ircor, name)
    expected = [function(x[g == k], y[g == k], **threshold) for k in (1, 2, 3)]
    assert ircor.cor_by(g, x, y, name, **threshold).tolist() == expected
    lists = [pa.array([side[g == k].tolist() for k in (1, 2, 3)]) for side in (x, y)]
    assert ircor.cor_lists(*lists, name, **threshold).tolist() == expected
    rows = pa.table({"g": g, "x": x, "y": y}).to_batches()
    assert ircor.cor_parquet(rows, "g", "x", "y", name, **threshold).read_all()[name].to_pylist() == expected
    frame = pl.DataFrame({"g": g, "x": x, "y": y})
    made = getattr(ircor.polars, name)("x", "y", **threshold)
    assert frame.group_by("g", maintain_order=True).agg(made)[name].to_list() == expected
    con = duckdb.connect()
    ircor.duckdb.register(con, **threshold)
    query = f"SELECT {name}(list({{'x': x, 'y': y}})) FROM frame GROUP BY g ORDER BY g"
    assert [value for (value,) in con.sql(query).fetchall()] == expected
    X, Y = np.column_stack([x, y]), np.column_stack([y, y, x])
    table = ircor.cor(X, Y, name, **threshold)
    assert table.tolist() == [[function(a, b, **threshold) for b in Y.T] for a in X.T]


def test_missing_values_in_tables_at_a_threshold():
    x, y, nan = [1, 1, 2, 3], [0.1, 0.2, 0.9, 0.8], float("nan")
    X, Y = np.column_stack([x, y]), np.column_stack([y, [0.1, 0.2, nan, 0.8]])
    found = ircor.cor(X, Y, "acc_eq", epsilon=0.1, nan_policy="omit")
    assert found.tolist()[0] == [ircor.acc_eq(x, y, 0.1), ircor.acc_eq([1, 1, 3], [0.1, 0.2, 0.8], 0.1)]
    gone = ircor.cor(X, Y, "acc_eq", epsilon=0.1, nan_policy="propagate")
    assert np.isnan(gone).tolist() == [[False, True], [False, True]]
    with pytest.raises(ValueError, match="column 1 of Y has a missing value in row 3|'column 1 of Y' has a missing"):
        ircor.cor(X, Y, "acc_eq", epsilon=0.1)
    by = ircor.cor_by([1, 1, 1, 2, 2], [1, 1, 2, 1, 2], [1, 1.1, nan, 1, 2], "acc_eq", epsilon=0.2, nan_policy="omit")
    assert by.tolist() == [1, 1]


def test_resamples_and_permutations(rng):
    x, y = rng.integers(0, 3, 5), rng.integers(0, 3, 5)
    test = ircor.permutation_test(x, y, "acc_eq")
    assert test.exact
    assert test.statistic == ircor.acc_eq(x, y)
    assert sorted(test.distribution) == sorted(ircor.acc_eq(x, order) for order in permutations(y))
    X = rng.random((30, 1)) + rng.random((30, 12))
    Y = X + rng.normal(0, 0.2, X.shape)
    result, tau = (ircor.bootstrap(X, Y, name, resamples=200, seed=1) for name in ("tau_eq", "tau"))
    assert (result.statistic, result.low, result.high) == pytest.approx((tau.statistic, tau.low, tau.high), abs=1e-12)
    share = ircor.bootstrap(X, Y, "acc_eq", resamples=200, seed=1)
    assert (2 * share.low - 1, 2 * share.high - 1) == pytest.approx((tau.low, tau.high), abs=1e-12)


def test_studies_have_them_as_methods(rng):
    X = rng.random((20, 1)) + rng.random((20, 8))
    Y = X + rng.normal(0, 0.2, X.shape)
    options = {"resamples": 100, "seed": 1, "methods": ["acc_eq", "tau_eq"]}
    compared = ircor.compare(X, Y, **options).coefficients.set_index("coefficient")["value"]
    judged = ircor.judges(None, X, {"judge": Y}, **options).coefficients.set_index("coefficient")["value"]
    means = X.mean(0), Y.mean(0)
    assert compared.to_dict() == {
        "acc_eq": ircor.acc_eq(*means),
        "tau_eq": ircor.tau_eq(*means),
        "tau_b": judged.iloc[1],
    }
    assert judged.to_dict() == {"acc_eq": ircor.acc_eq(*means), "tau_eq": ircor.tau_eq(*means)}


@pytest.mark.parametrize("name", NAMES)
def test_refusals_name_the_arguments(name):
    function = getattr(ircor, name)
    for call, message in (
        (([1, 2], [1, np.nan]), f"'estimate' has a missing value, which {name} cannot rank"),
        (([1, np.nan], [1, 2], 0.5), f"'truth' has a missing value, which {name} cannot rank"),
        (([1, 2], [1, 2, 3]), "'truth' and 'estimate' must be of the same length"),
        (([1], [1], 0.1), "'truth' and 'estimate' must have two items or more"),
        (([1, 2], [1, 2], -1), "'epsilon' must be a number from 0 up, not -1"),
        (([1, 2], [1, 2], float("inf")), "'epsilon' must be a number from 0 up, not inf"),
    ):
        with pytest.raises(ValueError, match=message):
            function(*call)
    with pytest.raises(TypeError, match="'estimate' must be a numeric vector"):
        function([1, 2], ["a", "b"])
    with pytest.raises(TypeError, match="'epsilon' must be a number, not 'x'"):
        function([1, 2], [1, 2], "x")
    with pytest.raises(ValueError, match="'epsilon' is for method='tau_eq' and 'acc_eq', not for 'tau_b'"):
        ircor.cor([[1, 2], [2, 1]], method="tau_b", epsilon=0.1)
    with pytest.raises(TypeError, match="'y' must have numbers that doubles can hold"):
        ircor.cor_by([1, 1], [1, 2], [2**60, 2**60 + 1], name, epsilon=1)


def test_a_warning_of_labels_names_the_arguments():
    a, b = pd.Series([1, 2, 3], index=list("abc")), pd.Series([1, 2, 3], index=list("cba"))
    for epsilon in (0.0, 0.5):
        with pytest.warns(ircor.PairingWarning, match="'truth' and 'estimate'") as caught:
            ircor.acc_eq(a, b, epsilon)
        assert caught[0].filename == __file__


def test_infinities_of_one_sign_are_tied():
    inf = float("inf")
    assert ircor.acc_eq([1, 1, 2], [inf, inf, -inf], 0.5) == 1 / 3
    assert ircor.acc_eq([2, 2, 1], [inf, inf, -inf], 0.5) == 1


def test_the_least_value_is_that_of_the_method():
    assert [COEFFICIENTS[name].least for name in NAMES] == [-1, 0]
    assert ircor.acc_eq([1, 2], [2, 1]) == ACC_EQ.least
