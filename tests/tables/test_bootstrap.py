"""bootstrap: what it takes, what it refuses, and how its result reads.  The intervals are tested in test_intervals."""

import contextlib
import dataclasses
import inspect
from math import nan

import joblib
import numpy as np
import pandas as pd
import pytest

import ircor
from ircor._core.methods import METHODS
from ircor._core.work import Resampling
from ircor.data import _scores
from ircor.data._scores import Scores
from ircor.statistics import _simulation
from ircor.statistics._intervals import intervals
from ircor.statistics._simulation import Statistic, Term
from ircor.tables import BootstrapResult, bootstrap

TARGETS = ("expected", "sample", "population")


def numbers(result):
    return (result.statistic, result.low, result.high, result.estimate)


@pytest.mark.parametrize("target", TARGETS)
def test_bootstrap_is_the_interval_for_one_coefficient(target, name, function, scores):
    X, Y = scores
    result = bootstrap(X, Y, name, resamples=300, seed=7, target=target, level=0.9)
    assert result.statistic == pytest.approx(function(X.mean(axis=0), Y.mean(axis=0)), abs=1e-15)
    statistic = Statistic(name, (Term(METHODS[name], 1),))
    tables = [Scores.of(X), Scores.of(Y)]
    seed, (found,) = intervals(tables, [statistic], [target], 0.9, Resampling(300, 7, 1, False))
    assert (result.estimate, result.low, result.high) == found.limits[target]
    np.testing.assert_array_equal(result.distribution, found.simulated)
    assert (result.level, result.seed, result.target, result.topics, result.parts) == (0.9, seed, target, 20, ())
    assert -1 <= result.low <= result.high <= 1
    assert result.resamples == len(result.distribution) == 300


@pytest.mark.filterwarnings("ignore::ircor.CoverageWarning")
def test_all_coefficients_have_intervals_where_resamples_would_have_ties(name, rng):
    """Scores in tenths on a few topics.  No two means are equal, but those of resamples would be."""
    X, Y = np.zeros((2, 10, 8))
    while min(len(np.unique(table.sum(axis=0).round(6))) for table in (X, Y)) < 8:
        X, Y = (np.round(rng.random((10, 8)) + np.linspace(0, 0.5, 8), 1) for _ in "XY")
    resample = X[rng.integers(0, 10, (200, 10))].sum(axis=1).round(6)
    assert any(len(np.unique(sums)) < 8 for sums in resample)
    for target in TARGETS:
        result = bootstrap(X, Y, name, resamples=200, seed=1, target=target)
        assert -1 <= result.low < result.high <= 1
        assert np.isfinite(result.distribution).all()


def test_differences_are_paired(scores, rng):
    X, Y = scores
    Z = X + rng.normal(0, 0.5, X.shape)
    result = bootstrap(X, Y, ("tauAP_b", "tau_b"), resamples=500, seed=3)
    parts = [bootstrap(X, Y, name, resamples=500, seed=3) for name in ("tauAP_b", "tau_b")]
    differences = parts[0].distribution - parts[1].distribution
    np.testing.assert_allclose(result.distribution, differences, atol=1e-12)
    assert result.statistic == parts[0].statistic - parts[1].statistic
    assert [numbers(part) for part in result.parts] == [numbers(part) for part in parts]
    # As each is, on the same topics, they vary together.
    assert result.high - result.low < 0.8 * sum(part.high - part.low for part in parts)
    assert result.low < result.statistic < result.high
    result = bootstrap(X, (Y, Z), "tau_b", resamples=500, seed=3, level=0.5)
    assert result.statistic == ircor.tau_b(X.mean(axis=0), Y.mean(axis=0)) - ircor.tau_b(X.mean(axis=0), Z.mean(axis=0))
    np.testing.assert_allclose(
        result.distribution, result.parts[0].distribution - result.parts[1].distribution, atol=1e-12
    )
    assert result.low < result.statistic < result.high


@pytest.mark.filterwarnings("ignore::ircor.CoverageWarning")
def test_the_difference_between_a_table_and_itself_is_0(scores):
    X, Y = scores
    for target in TARGETS:
        result = bootstrap(X, (Y, Y), resamples=200, seed=1, target=target)
        assert numbers(result) == pytest.approx((0, 0, 0, 0), abs=0.01)


def test_bootstrap_matches_frames_by_name(scores):
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
            bootstrap(x, other, resamples=100)


@pytest.mark.parametrize("target", TARGETS)
def test_a_table_that_ranks_no_systems(target, scores):
    result = bootstrap(scores[0], np.ones((20, 12)), resamples=100, seed=1, target=target)
    assert np.isnan(numbers(result)).all()
    assert (result.resamples, result.seed) == (0, 1)
    assert result.sentences() == ["tau_b is undefined, so there is no interval."]


def test_the_unit_of_the_scores_does_not_matter(scores):
    X, Y = scores
    for target in TARGETS:
        expected = bootstrap(X, Y, resamples=200, seed=1, target=target)
        for scale in (2.0**-20, 2.0**20, 2.0**300):
            assert numbers(bootstrap(X, scale * Y, resamples=200, seed=1, target=target)) == numbers(expected)
            assert numbers(bootstrap(scale * X, Y, resamples=200, seed=1, target=target)) == numbers(expected)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"statistic": "rho"}, ValueError, "'statistic' must be one of"),
        ({"statistic": ("tau", "tau_b", "tau_a")}, ValueError, "or a pair of names"),
        ({"resamples": 0}, ValueError, "'resamples' must be 1 or more, not 0"),
        ({"resamples": 10.5}, TypeError, "'resamples' must be a whole number"),
        ({"target": "mean"}, ValueError, "'target' must be one of expected, sample, population, not 'mean'"),
        ({"target": None}, ValueError, "'target' must be one of expected, sample, population, not None"),
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
        bootstrap(**({"X": scores[0], "Y": scores[1], "resamples": 100} | change))


def test_a_drawn_seed_repeats_the_outcome(scores):
    first = bootstrap(*scores, resamples=300)
    again = bootstrap(*scores, resamples=300, seed=first.seed)
    np.testing.assert_array_equal(first.distribution, again.distribution)
    assert numbers(first) == numbers(again)
    assert first != again
    other = bootstrap(*scores, resamples=300)
    assert first.seed != other.seed
    assert not np.array_equal(first.distribution, other.distribution)


@pytest.mark.parametrize("target", TARGETS)
def test_the_number_of_jobs_does_not_matter(target, scores):
    expected = bootstrap(*scores, "tauAP_b", resamples=1200, seed=5, target=target, n_jobs=1)
    for n_jobs, backend in ((2, "threading"), (2, "loky"), (-1, "threading")):
        with joblib.parallel_config(backend=backend):
            found = bootstrap(*scores, "tauAP_b", resamples=1200, seed=5, target=target, n_jobs=n_jobs)
        np.testing.assert_array_equal(found.distribution, expected.distribution)
        assert numbers(found) == numbers(expected)


def test_a_pair_of_tables_with_a_pair_of_statistics(scores):
    X, Y = scores
    Z = X[::-1] ** 2
    result = bootstrap(X, (Y, Z), ["tau", "tauAP_b"], resamples=300, seed=3)
    x, y, z = (table.mean(axis=0) for table in (X, Y, Z))
    assert [part.statistic for part in result.parts] == pytest.approx([ircor.tau(x, y), ircor.tauAP_b(x, z)])
    assert result.statistic == pytest.approx(ircor.tau(x, y) - ircor.tauAP_b(x, z))
    assert [part.name for part in result.parts] == ["tau(X, Y1)", "tauAP_b(X, Y2)"]
    assert result.name == "tau(X, Y1) - tauAP_b(X, Y2)"
    assert {part.target for part in (*result.parts, result)} == {"expected"}


@pytest.mark.filterwarnings("ignore::ircor.CoverageWarning")
def test_two_rows_are_a_table_and_two_tables_are_a_pair():
    rows = [[1.0, 2.0, 3.0], [3.0, 1.0, 2.5]]
    assert bootstrap(rows, rows, resamples=100, seed=1).parts == ()
    assert bootstrap(rows, tuple(rows), resamples=100, seed=1).parts == ()
    table = np.array(rows)
    assert len(bootstrap(table, [table, table], resamples=100, seed=1).parts) == 2
    assert len(bootstrap(table, (table, Scores.of(table)), resamples=100, seed=1).parts) == 2
    for wrong in ((table,), (table, table, table)):
        with pytest.raises(ValueError, match="'Y' must have two dimensions, topics by systems, not 3"):
            bootstrap(table, wrong, resamples=100)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.filterwarnings("ignore::ircor.CoverageWarning")
def test_very_small_tables(target, rng):
    """Two systems or two topics; many means are proportional, and the estimates rough."""
    for n, m in ((2, 2), (2, 5), (3, 2), (4, 3), (6, 4)):
        for seed in range(8):
            X, Y = rng.random((2, n, m))
            for other in (Y, X, -X):
                result = bootstrap(X, other, resamples=100, seed=seed, target=target)
                assert -1 <= result.low <= result.estimate <= result.high <= 1
                if other is not Y:
                    assert numbers(result) == (result.statistic,) * 4
                    assert abs(result.statistic) == 1


def test_checked_scores_are_not_checked_again(scores, monkeypatch):
    expected = bootstrap(*scores, resamples=100, seed=1)
    x, y = Scores.of(scores[0]), Scores.of(scores[1], "Y")
    monkeypatch.setattr(_scores, "number_table", lambda table, name: pytest.fail("checked twice"))
    assert bootstrap(x, y, resamples=100, seed=1).low == expected.low


def test_nothing_is_simulated_if_a_coefficient_refuses_ties(scores, monkeypatch):
    monkeypatch.setattr(_simulation, "totals_of_resamples", lambda *_: pytest.fail("simulated"))
    tied = scores[1].copy()
    tied[:, 3] = tied[:, 6]
    for statistic in ("tau", ("tau_b", "tau")):
        with pytest.raises(ValueError, match="'Y' contains ties. Two systems have the same mean"):
            bootstrap(scores[0], tied, statistic, resamples=1000, seed=1)


def test_each_sample_is_ranked_once_for_each_table(scores, monkeypatch):
    calls, kernel = [], _simulation.totals_of_resamples

    def counted(X, Y, draws, x_noise, y_noise, decreasing, sums):
        calls.append((len(draws), sums))
        return kernel(X, Y, draws, x_noise, y_noise, decreasing, sums)

    monkeypatch.setattr(_simulation, "totals_of_resamples", counted)
    X, Y = scores
    bootstrap(X, Y, ("tauAP", "tau_b"), resamples=600, seed=1)
    # Two samples and a resample for each of 300 pairs.
    assert calls == [(size, {"pairs", "above_in_y"}) for size in (250, 250, 250, 50, 50, 50)]
    calls.clear()
    bootstrap(X, (Y, X), ("tauAP_a", "tau_b"), resamples=100, seed=1)
    assert calls == [(50, {"above_in_y_permuted"}), (50, {"pairs"})] * 3


def test_few_resamples_are_enough_for_an_interval(scores):
    few, more = (bootstrap(*scores, resamples=count, seed=1) for count in (3, 100))
    assert few.resamples == 3
    assert numbers(few) == numbers(more)
    np.testing.assert_array_equal(few.distribution, more.distribution[:3])


@pytest.mark.parametrize(
    ("n", "m", "statistic", "target", "words"),
    [
        (15, 4, "tau_b", "expected", "with fewer than 5 systems, intervals hold their target less often"),
        (14, 5, "tau_b", "sample", "with fewer than 15 topics"),
        (15, 5, ("tau_b", "tau"), "population", "for a difference of coefficients in the population"),
        (15, 5, "tau_b", "population", None),
        (15, 5, ("tau_b", "tau"), "sample", None),
    ],
)
def test_a_warning_where_intervals_do_not_hold(n, m, statistic, target, words, rng):
    X, Y = rng.random((2, n, m))
    expected = pytest.warns(ircor.CoverageWarning, match=words) if words else contextlib.nullcontext()
    with expected as caught:
        bootstrap(X, Y, statistic, resamples=10, seed=1, target=target)
    if words:
        assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("target", "kind", "covered"),
    [
        ("expected", "confidence interval", "its mean over samples of 20 topics"),
        ("sample", "prediction interval", "its value in another sample of 20 topics"),
        ("population", "confidence interval", "its value between the true means over all topics"),
    ],
)
def test_how_a_result_reads(target, kind, covered, scores):
    result = bootstrap(*scores, "tauAP_b", resamples=300, seed=3, level=0.999, target=target)
    value, estimate, low, high = (
        f"{number:.4f}" for number in (result.statistic, result.estimate, result.low, result.high)
    )
    assert repr(result) == (
        f"BootstrapResult(statistic={result.statistic}, low={result.low}, high={result.high}, level=0.999, "
        f"target='{target}', estimate={result.estimate}, topics=20, seed=3, name='tauAP_b')"
    )
    heading, row, _, sentence = str(result).splitlines()
    names = ["coefficient", "value", "target", "estimate", "low", "high", "level", "resamples", "seed"]
    assert heading.split() == names
    assert row.split() == ["tauAP_b", value, target, estimate, low, high, "0.999", "300", "3"]
    assert sentence == f"tauAP_b is {value}. The 99.9% {kind} for {covered} is {low} to {high}."
    assert f"<td>{low}</td>" in result._repr_html_()
    assert result.as_dict() == {
        "bootstrap": [
            {
                "name": "tauAP_b",
                "statistic": result.statistic,
                "target": target,
                "estimate": result.estimate,
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


def test_how_a_difference_reads(scores):
    difference = bootstrap(*scores, ("tauAP_b", "tau_b"), resamples=300, seed=3)
    (table,) = difference.tables()
    assert [row["name"] for row in table.records()] == ["tauAP_b", "tau_b", "tauAP_b - tau_b"]
    assert [row["statistic"] for row in table.records()][2] == difference.statistic
    assert difference.sentences()[0].startswith(f"tauAP_b - tau_b is {difference.statistic:.4f}. The 95% confidence")


def test_a_result_without_a_name():
    fields = {"level": 0.95, "topics": 1, "distribution": np.zeros(3), "seed": 7}
    result = BootstrapResult(0.5, 0.1, 0.9, target="sample", estimate=0.5, **fields)
    assert (result.resamples, result.name, result.parts) == (3, "", ())
    assert result.sentences() == [
        "The statistic is 0.5000. The 95% prediction interval for its value in another sample of 1 topic is "
        "0.1000 to 0.9000."
    ]
    nothing = BootstrapResult(nan, nan, nan, target="sample", estimate=nan, **fields)
    assert nothing.sentences() == ["The statistic is undefined, so there is no interval."]


def test_the_defaults():
    expected = {
        "statistic": "tau_b",
        "resamples": 10_000,
        "seed": None,
        "n_jobs": None,
        "target": "expected",
        "level": 0.95,
        "progress": None,
        "p": None,
        "ties": None,
    }
    parameters = inspect.signature(bootstrap).parameters
    assert {name: parameters[name].default for name in expected} == expected
    assert list(parameters) == ["X", "Y", *expected]
