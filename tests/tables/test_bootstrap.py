"""bootstrap: against plain loops over the same resamples, and SciPy."""

import dataclasses
import inspect

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import ircor
from ircor import _parallel, _scores
from ircor._kernel import totals_of_resamples
from ircor._methods import METHODS
from ircor._scores import Scores, tie_means
from ircor.tables import BootstrapResult, _resampling, bootstrap
from ircor.tables._bootstrap import resample_all


def test_bootstrap_is_a_plain_loop_over_the_same_draws(name, function, scores):
    X, Y = scores
    result = bootstrap(X, Y, name, resamples=600, seed=7)
    assert result.statistic == pytest.approx(function(X.mean(axis=0), Y.mean(axis=0)), abs=1e-15)
    # 250 a block, each with a stream of its own.
    streams = np.random.SeedSequence(7).spawn(3)
    draws = [
        np.random.default_rng(s).integers(0, 20, (size, 20), dtype=np.int32)
        for s, size in zip(streams, (250, 250, 100))
    ]
    expected = [function(X[rows].mean(axis=0), Y[rows].mean(axis=0)) for rows in np.concatenate(draws)]
    np.testing.assert_allclose(result.distribution, expected, atol=1e-14)
    assert (result.low, result.high) == pytest.approx(np.quantile(expected, [0.025, 0.975]))
    assert (result.level, result.seed, result.undefined, result.parts) == (0.95, 7, 0, ())


def test_the_interval_is_scipys_percentile_interval(scores):
    X, Y = scores

    def statistic(rows):
        return ircor.tau_b(X[rows].mean(axis=0), Y[rows].mean(axis=0))

    theirs = scipy.stats.bootstrap(
        (np.arange(20),),
        statistic,
        n_resamples=2000,
        vectorized=False,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    ours = bootstrap(X, Y, "tau_b", resamples=2000, seed=1)
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.04)


def test_bootstrap_with_ties_by_rounding(rng):
    """Scores of one decimal, whose sums differ by rounding alone, tie; the plain loop says the same of tied means."""
    X, Y = (np.round(rng.random((10, 8)), 1) for _ in "XY")
    result = bootstrap(X, Y, "tauAP_b", resamples=250, seed=1)
    draws = np.random.default_rng(np.random.SeedSequence(1).spawn(1)[0]).integers(0, 10, (250, 10), dtype=np.int32)
    expected = [ircor.tauAP_b(*(tie_means(Z[rows].mean(axis=0), 1.0) for Z in (X, Y))) for rows in draws]
    np.testing.assert_allclose(result.distribution, expected, atol=1e-14)
    assert len({round(value, 10) for value in expected}) > 50


def test_differences_are_paired(scores, rng):
    X, Y = scores
    Z = X + rng.normal(0, 0.5, X.shape)
    result = bootstrap(X, Y, ("tauAP_b", "tau_b"), resamples=500, seed=3)
    parts = [bootstrap(X, Y, name, resamples=500, seed=3) for name in ("tauAP_b", "tau_b")]
    np.testing.assert_array_equal(result.distribution, parts[0].distribution - parts[1].distribution)
    assert result.statistic == parts[0].statistic - parts[1].statistic
    assert (result.low, result.high) == pytest.approx(np.quantile(result.distribution, [0.025, 0.975]))
    assert [part.low for part in result.parts] == [part.low for part in parts]
    result = bootstrap(X, (Y, Z), "tau_b", resamples=500, seed=3, level=0.5)
    parts = [bootstrap(X, table, resamples=500, seed=3) for table in (Y, Z)]
    np.testing.assert_array_equal(result.distribution, parts[0].distribution - parts[1].distribution)
    assert (result.low, result.high) == pytest.approx(np.quantile(result.distribution, [0.25, 0.75]))


def test_bootstrap_matches_frames_by_name(scores, rng):
    X, Y = scores
    topics, systems = [f"t{k}" for k in range(20)], [f"s{k}" for k in range(12)]
    x, y = (pd.DataFrame(table, index=topics, columns=systems) for table in (X, Y))
    expected = bootstrap(X, Y, resamples=300, seed=1).distribution
    np.testing.assert_array_equal(bootstrap(x, y, resamples=300, seed=1).distribution, expected)
    shuffled = y.sample(frac=1, random_state=1).sample(frac=1, axis=1, random_state=1)
    np.testing.assert_array_equal(bootstrap(x, shuffled, resamples=300, seed=1).distribution, expected)
    for other, words in [
        (y.rename(index={"t3": "t4"}), "'Y' has two topics of the name 't4'"),
        (y.rename(index={"t3": "t33"}), "'Y' does not have the topics 't3' of 'X'"),
        (y.rename(columns={"s3": "s33"}), "'Y' does not have the systems 's3' of 'X'"),
    ]:
        with pytest.raises(ValueError, match=words):
            bootstrap(x, other, resamples=10)


def test_undefined_resamples_are_counted_and_left_out():
    X = np.zeros((3, 3))
    X[0] = [1, 2, 3]
    result = bootstrap(X, X, "tau_b", resamples=1000, seed=1)
    # Without the first topic all systems tie: (2/3)^3 of the resamples.
    assert result.undefined == pytest.approx(1000 * 8 / 27, abs=60)
    assert (result.statistic, result.low, result.high) == (1, 1, 1)
    assert np.isnan(bootstrap(np.zeros((3, 3)), X, resamples=10, seed=1).low)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"statistic": "rho"}, ValueError, "'statistic' must be one of"),
        ({"statistic": ("tau", "tau_b", "tau_a")}, ValueError, "or a pair of names"),
        ({"resamples": 0}, ValueError, "'resamples' must be 1 or more, not 0"),
        ({"resamples": 10.5}, TypeError, "'resamples' must be a whole number"),
        ({"level": 1}, ValueError, "'level' must be between 0 and 1"),
        ({"Y": np.ones((20, 3))}, ValueError, "'X' is 20 topics by 12 systems, and 'Y' is 20 by 3"),
        ({"Y": np.full((20, 12), np.nan)}, ValueError, "'Y' must not have missing or infinite scores"),
        ({"Y": np.ones((20, 12)), "statistic": "tau"}, ValueError, "'Y' contains ties. Two systems have the same mean"),
        ({"seed": "one"}, TypeError, "'seed' must be a whole number, not 'one'"),
        ({"seed": -1}, ValueError, "'seed' must be 0 or more, not -1"),
        ({"statistic": None}, ValueError, "'statistic' must be the name of a coefficient"),
        ({"statistic": {"tau", "tau_b"}}, ValueError, "'statistic' must be the name of a coefficient"),
        ({"level": "0.9"}, TypeError, "'level' must be a number"),
        ({"n_jobs": 1.5}, TypeError, "'n_jobs' must be a whole number, not 1.5"),
        ({"n_jobs": 0}, ValueError, "'n_jobs' must not be 0"),
        ({"statistic": ("tau", "rho")}, ValueError, "'statistic' must be one of .*, not 'rho'"),
        ({"statistic": ()}, ValueError, r"or a pair of names, not \(\)"),
        ({"statistic": pd.Series(["tau"])}, ValueError, "or a pair of names, not a Series"),
        ({"statistic": [pd.NA]}, ValueError, "'statistic' must be one of .*, not <NA>"),
        ({"level": 0}, ValueError, "'level' must be between 0 and 1, not 0"),
        ({"X": np.ones((20, 12)), "statistic": "tau_a"}, ValueError, "'X' contains ties. Two systems have"),
        ({"Y": np.full((20, 12), 1e308)}, ValueError, "too large for their sums"),
    ],
)
def test_what_bootstrap_refuses(scores, change, error, words):
    with pytest.raises(error, match=words):
        bootstrap(**({"X": scores[0], "Y": scores[1], "resamples": 10} | change))


def test_a_drawn_seed_repeats_the_outcome(scores):
    first = bootstrap(*scores, resamples=300)
    np.testing.assert_array_equal(first.distribution, bootstrap(*scores, resamples=300, seed=first.seed).distribution)
    assert first != bootstrap(*scores, resamples=300)
    assert first.seed != bootstrap(*scores, resamples=300).seed


def test_a_pair_of_tables_with_a_pair_of_statistics(scores):
    X, Y = scores
    Z = X[::-1]
    result = bootstrap(X, (Y, Z), ["tau", "tauAP_b"], resamples=300, seed=3)
    parts = [bootstrap(X, Y, "tau", resamples=300, seed=3), bootstrap(X, Z, "tauAP_b", resamples=300, seed=3)]
    np.testing.assert_array_equal(result.distribution, parts[0].distribution - parts[1].distribution)
    assert [part.high for part in result.parts] == [part.high for part in parts]
    assert [part.name for part in result.parts] == ["tau(X, Y1)", "tauAP_b(X, Y2)"]
    assert result.name == "tau(X, Y1) - tauAP_b(X, Y2)"


def test_two_rows_are_a_table_and_two_tables_are_a_pair():
    rows = [[1.0, 2.0, 3.0], [3.0, 1.0, 2.5]]
    assert bootstrap(rows, rows, resamples=10, seed=1).parts == ()
    assert bootstrap(rows, tuple(rows), resamples=10, seed=1).parts == ()
    table = np.array(rows)
    assert len(bootstrap(table, [table, table], resamples=10, seed=1).parts) == 2
    assert len(bootstrap(table, (table, Scores.of(table)), resamples=10, seed=1).parts) == 2
    for wrong in ((table,), (table, table, table)):
        with pytest.raises(ValueError, match="'Y' must have two dimensions, topics by systems, not 3"):
            bootstrap(table, wrong, resamples=10)


def test_checked_scores_are_not_checked_again(scores, monkeypatch):
    expected = bootstrap(*scores, resamples=10, seed=1)
    x, y = Scores.of(scores[0]), Scores.of(scores[1], "Y")
    monkeypatch.setattr(_scores, "number_table", lambda table, name: pytest.fail("checked twice"))
    assert bootstrap(x, y, resamples=10, seed=1).low == expected.low


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_one_pass_gives_what_one_call_for_each_coefficient_gives(scores, n_jobs):
    x, y = Scores.of(scores[0]), Scores.of(scores[1], "Y")
    found = resample_all(x, y, list(METHODS.values()), 600, 7, n_jobs, level=0.9)
    assert list(found) == list(METHODS)
    for name, result in found.items():
        alone = bootstrap(*scores, name, resamples=600, seed=7, level=0.9)
        np.testing.assert_array_equal(result.distribution, alone.distribution)
        for attribute in ("name", "statistic", "low", "high", "level", "seed", "resamples", "parts"):
            assert getattr(result, attribute) == getattr(alone, attribute)


def tied_without_the_first_topic(rng):
    """Scores of 8 systems; two of them differ on the first topic only."""
    table = rng.random((10, 8))
    table[1:, 3] = table[1:, 6]
    return table


@pytest.mark.parametrize(
    ("tied", "refusing"), [("XY", "tau tau_a tauAP tauAP_a"), ("X", "tau tau_a tauAP tauAP_a"), ("Y", "tau tauAP")]
)
def test_a_coefficient_that_refuses_ties_does_not_affect_the_others(tied, refusing, rng):
    X, Y = (tied_without_the_first_topic(rng) if table in tied else rng.random((10, 8)) for table in "XY")
    found = resample_all(Scores.of(X), Scores.of(Y, "Y"), list(METHODS.values()), 600, 7)
    assert [name for name, result in found.items() if isinstance(result, ValueError)] == refusing.split()
    for name, result in found.items():
        if isinstance(result, ValueError):
            with pytest.raises(ValueError, match="contains ties. Two systems have the same mean") as raised:
                bootstrap(X, Y, name, resamples=600, seed=7)
            assert str(raised.value) == str(result)
        else:
            np.testing.assert_array_equal(result.distribution, bootstrap(X, Y, name, 600, 7).distribution)


@pytest.fixture
def kernel_calls(monkeypatch):
    """The number of samples and the sums of each call of the kernel."""
    calls = []

    def counted(X, Y, draws, x_noise, y_noise, decreasing, sums):
        calls.append((len(draws), sums))
        return totals_of_resamples(X, Y, draws, x_noise, y_noise, decreasing, sums)

    monkeypatch.setattr(_resampling, "totals_of_resamples", counted)
    return calls


def test_each_resample_is_ranked_once_for_one_table(scores, kernel_calls):
    X, Y = scores
    bootstrap(X, Y, ("tauAP", "tau_b"), resamples=600, seed=1)
    assert kernel_calls == [(size, {"above_in_y"}) for size in (1, 250, 250, 100)]
    kernel_calls.clear()
    resample_all(Scores.of(X), Scores.of(Y, "Y"), list(METHODS.values()), 600, 1)
    every = {"above_in_x", "above_in_y", "above_in_y_permuted"}
    assert kernel_calls == [(size, every) for size in (1, 250, 250, 100)]
    kernel_calls.clear()
    bootstrap(X, (Y, X), ("tauAP_a", "tau_b"), resamples=251, seed=1)
    assert kernel_calls == [(size, sums) for size in (1, 250, 1) for sums in ({"above_in_y_permuted"}, set())]


def test_no_more_is_computed_once_it_is_refused(rng, kernel_calls):
    X, Y, tied = tied_without_the_first_topic(rng), rng.random((10, 8)), np.ones((10, 8))
    for statistic in ("tau", ("tau_b", "tau")):
        with pytest.raises(ValueError, match="'X' contains ties"):
            bootstrap(X, Y, statistic, resamples=1000, seed=1)
        assert len(kernel_calls) == 2
        kernel_calls.clear()
    refused = resample_all(Scores.of(X), Scores.of(tied, "Y"), [METHODS["tau"], METHODS["tauAP"]], 1000, 1)
    assert len(kernel_calls) == 1
    assert all(str(error).startswith("'Y' contains ties") for error in refused.values())


def test_long_calls_of_the_kernel_are_cut(scores, kernel_calls, monkeypatch):
    expected = bootstrap(*scores, resamples=260, seed=1).distribution
    kernel_calls.clear()
    monkeypatch.setattr(_parallel, "ITEMS_PER_TASK", 12 * (20 + 20) * 100)
    np.testing.assert_array_equal(bootstrap(*scores, resamples=260, seed=1).distribution, expected)
    assert [size for size, _ in kernel_calls] == [1, 100, 100, 50, 10]


def test_the_statistic_is_that_of_the_topics_as_given():
    X = np.array([[1.0, 2.0, 4.0], [1.0, 3.0, 2.0]])
    Y = np.array([[2.0, 1.0, 4.0], [2.0, 1.5, 2.5]])
    result = bootstrap(X, Y, "tau", resamples=1, seed=6)
    assert result.statistic == ircor.tau(X.mean(axis=0), Y.mean(axis=0))
    assert result.resamples == 1


def test_how_a_result_reads(scores):
    result = bootstrap(*scores, "tauAP_b", resamples=300, seed=3, level=0.999)
    low, high = f"{result.low:.4f}", f"{result.high:.4f}"
    assert repr(result) == (
        f"BootstrapResult(statistic={result.statistic}, low={result.low}, high={result.high}, level=0.999, seed=3, "
        "name='tauAP_b')"
    )
    assert str(result).splitlines() == [
        "coefficient   value     low    high  level  resamples  seed",
        f"tauAP_b      {result.statistic:.4f}  {low}  {high}  0.999        300     3",
        "",
        f"tauAP_b is {result.statistic:.4f}, and its 99.9% percentile interval over 300 resamples of the topics is "
        f"{low} to {high}.",
    ]
    assert f"<td>{low}</td>" in result._repr_html_()
    assert result.as_dict() == {
        "bootstrap": [
            {
                "name": "tauAP_b",
                "statistic": result.statistic,
                "low": result.low,
                "high": result.high,
                "level": 0.999,
                "resamples": 300,
                "seed": 3,
            }
        ]
    }
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.low = 0
    difference = bootstrap(*scores, ("tauAP_b", "tau_b"), resamples=300, seed=3)
    (table,) = difference.tables()
    assert [row["name"] for row in table.records()] == ["tauAP_b", "tau_b", "tauAP_b - tau_b"]
    assert [row["statistic"] for row in table.records()][2] == difference.statistic
    assert difference.sentences()[0].startswith(
        f"tauAP_b - tau_b is {difference.statistic:.4f}, and its 95% percentile"
    )


def test_undefined_resamples_are_named():
    result = BootstrapResult(0.5, 0.1, 0.9, 0.95, np.array([0.1, np.nan, 0.9]), 7, ())
    assert (result.undefined, result.resamples, result.name) == (1, 3, "")
    assert result.sentences() == [
        "The statistic is 0.5000, and its 95% percentile interval over 3 resamples of the topics is 0.1000 to 0.9000. "
        "It is undefined on 1 resample, which the interval ignores."
    ]
    nothing = bootstrap(np.zeros((3, 3)), np.eye(3), resamples=10, seed=1)
    assert nothing.sentences() == ["tau_b is undefined, and undefined on every resample of the topics."]
    assert (nothing.undefined, nothing.resamples) == (10, 10)


def test_the_defaults():
    expected = {"resamples": 10_000, "seed": None, "n_jobs": None, "level": 0.95, "progress": None}
    for function in (bootstrap, resample_all):
        parameters = inspect.signature(function).parameters
        assert {name: parameters[name].default for name in expected} == expected
    assert inspect.signature(bootstrap).parameters["statistic"].default == "tau_b"
