"""The bootstrap distribution: against all samples, with any number of jobs, and after saving and loading."""

import inspect
import itertools
import os
import re

import numpy as np
import pytest
from scipy.stats import kstest

from ircor._core.options import NULL
from ircor.data._scores import Scores
from ircor.published._papers import SCORES
from ircor.rank_distance import DrankNull, drank, drank_test

AP = SCORES["AP"]
P10 = SCORES["P10"].mean(axis=0)


def test_the_bootstrap_of_the_example_is_that_of_all_256_samples():
    samples = [drank(AP, AP[list(rows)].mean(axis=0)) for rows in itertools.product(range(4), repeat=4)]
    assert {round(d, 4) for d in samples} == {0, 0.6508}
    share = np.mean(np.array(samples) > 0)
    null = DrankNull(AP, null="resample", resamples=10_000, seed=5)
    assert null.pvalue(0.65) == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 10_000))
    assert null.pvalue(0) == 1
    assert null.pvalue(0.66) == 1 / 10_001


def test_the_outcome_depends_on_the_seed_alone(topics_by_systems):
    import joblib

    X = topics_by_systems(20, 12)
    one = DrankNull(X, null="resample", resamples=1100, seed=3)
    assert not np.array_equal(one.distances, DrankNull(X, null="resample", resamples=1100, seed=4).distances)
    for other in (
        DrankNull(X, null="resample", resamples=1100, seed=3, n_jobs=1),
        DrankNull(X, null="resample", resamples=1100, seed=3, n_jobs=2),
        DrankNull(X, null="resample", resamples=1100, seed=one.seed),
    ):
        np.testing.assert_array_equal(one.distances, other.distances)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        np.testing.assert_array_equal(one.distances, DrankNull(X, null="resample", resamples=1100, seed=3).distances)
    unseeded = DrankNull(X, null="resample", resamples=300)
    np.testing.assert_array_equal(
        unseeded.distances, DrankNull(X, null="resample", resamples=300, seed=unseeded.seed).distances
    )


@pytest.mark.parametrize(("n", "m", "resamples"), [(20, 12, 100), (10, 120, 250)])
def test_a_resample_is_a_ranking_like_any_other(n, m, resamples, topics_by_systems):
    # The draws of the first block, each through drank().  With many systems the kernel gets a block in several parts.
    X = topics_by_systems(n, m)
    (child,) = np.random.SeedSequence(7).spawn(1)
    draws = np.random.default_rng(child).integers(0, n, (resamples, n), dtype=np.int32)
    expected = sorted(drank(X, X[rows].mean(axis=0)) for rows in draws)
    np.testing.assert_allclose(
        DrankNull(X, null="resample", resamples=resamples, seed=7).distances, expected, rtol=1e-9
    )


def test_p_values_of_resamples_are_uniform_up_to_the_step_at_0(rng, topics_by_systems):
    X = topics_by_systems(40, 15)
    null = DrankNull(X, null="resample", resamples=4000, seed=1)
    rankings = (X[rng.integers(0, 40, 40)].mean(axis=0) for _ in range(1500))
    pvalues = np.array([null.pvalue(drank(X, y)) for y in rankings])
    below_the_step = pvalues[pvalues < 1] / null.pvalue(1e-6)
    assert len(below_the_step) > 1000
    assert kstest(below_the_step, "uniform").pvalue > 0.01


def test_critical_value_and_pvalue_belong_together(topics_by_systems):
    null = DrankNull(topics_by_systems(30, 20), null="resample", resamples=2000, seed=1)
    for alpha in (0.01, 0.05, 0.5):
        value = null.critical_value(alpha)
        assert null.at_least(np.nextafter(value, np.inf) * (1 + 1e-8)) <= alpha * 2000 <= null.at_least(value)
    for alpha in (0, 1, -0.5, 2):
        with pytest.raises(ValueError, match="'alpha' must be between 0 and 1"):
            null.critical_value(alpha)


def test_saved_and_loaded(tmp_path, rng, topics_by_systems):
    X = topics_by_systems(20, 10)
    null = DrankNull(X, null="resample", resamples=500)
    null.save(tmp_path / "null.npz")
    assert os.listdir(tmp_path) == ["null.npz"]
    loaded = DrankNull.load(tmp_path / "null.npz")
    np.testing.assert_array_equal(loaded.distances, null.distances)
    assert (loaded.resamples, loaded.seed, loaded.ridge) == (500, null.seed, null.ridge)
    y = rng.normal(size=10)
    assert loaded.test(y, X).as_dict() == null.test(y, X).as_dict() == null.test(y).as_dict()
    assert str(loaded.test(y, X)) == str(null.test(y))
    for one in (loaded, null):
        with pytest.raises(ValueError, match="^'X' is not the table of scores that this distribution was made from$"):
            one.test(y, X + 1e-9)
    with pytest.raises(
        ValueError, match="^'X' is needed: this .* was loaded from a file, which does not have the scores$"
    ):
        loaded.test(y)


def test_damaged_and_foreign_files_are_refused(tmp_path, topics_by_systems):
    DrankNull(topics_by_systems(20, 10), null="resample", resamples=500).save(tmp_path / "null.npz")
    whole = (tmp_path / "null.npz").read_bytes()
    np.savez(tmp_path / "other.npz", a=1)
    np.savez(tmp_path / "newer.npz", drank_null=3)
    np.savez(tmp_path / "empty.npz", drank_null=1, distances=[], ridge=0, seed="1", digest="")
    np.savez(tmp_path / "nan.npz", drank_null=1, distances=[0, np.nan], ridge=0, seed="1", digest="")
    np.savez(tmp_path / "table.npz", drank_null=1, distances=[[0, 1]], ridge=0, seed="1", digest="")
    np.savez(tmp_path / "pickle.npz", drank_null=np.array([{}], dtype=object))
    np.save(tmp_path / "array.npy", np.zeros(3))
    (tmp_path / "text.npz").write_text("no such thing")
    (tmp_path / "nothing.npz").write_bytes(b"")
    for k in (10, 200, len(whole) // 2, len(whole) - 10):
        (tmp_path / f"cut{k}.npz").write_bytes(whole[:k])
    for path in sorted(tmp_path.iterdir()):
        if path.name == "newer.npz":
            with pytest.raises(ValueError, match="newer.npz was saved by a newer version of ircor, in format 3"):
                DrankNull.load(path)
        elif path.name != "null.npz":
            with pytest.raises(ValueError, match=f"{path.name} is not a saved DrankNull, or it is damaged"):
                DrankNull.load(path)
    with pytest.raises(FileNotFoundError):
        DrankNull.load(tmp_path / "none.npz")


def test_a_file_with_a_changed_byte_is_refused_or_read_correctly(tmp_path, topics_by_systems):
    null = DrankNull(topics_by_systems(20, 10), null="resample", resamples=50)
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


def count_calls(monkeypatch, owner, name):
    """A list that grows by one with every call of the function."""
    calls = []
    function = getattr(owner, name)

    def counted(*arguments, **options):
        calls.append(name)
        return function(*arguments, **options)

    monkeypatch.setattr(owner, name, counted)
    return calls


def test_one_test_checks_and_decomposes_the_scores_once(monkeypatch, topics_by_systems):
    import hashlib

    from ircor.data import _scores
    from ircor.rank_distance import _distance as _covariance

    X = topics_by_systems(20, 10)
    counts = [
        count_calls(monkeypatch, _covariance, "products"),
        count_calls(monkeypatch, hashlib, "sha256"),
        count_calls(monkeypatch, _scores, "number_table"),
    ]
    drank_test(X, np.arange(10), null="resample", resamples=300, seed=1)
    assert [len(calls) for calls in counts] == [1, 1, 1]
    null = DrankNull(X, null="resample", resamples=300, seed=1)
    for _ in range(3):
        null.test(np.arange(10))
    assert [len(calls) for calls in counts] == [2, 2, 2]


def test_an_error_in_y_does_not_wait_for_the_resamples(monkeypatch):
    monkeypatch.setattr("ircor.rank_distance._test.resampled_distances", lambda *_: pytest.fail("resampled"))
    with pytest.raises(ValueError, match="one number for each of the 3 systems"):
        drank_test(AP, [1, 2], null="resample")


def test_names_come_from_the_table_that_is_passed():
    import pandas as pd

    null = DrankNull(AP, null="resample", resamples=10, seed=1)
    assert null.test(P10).order == (1, 2, 0)
    named = pd.DataFrame(AP, columns=list("ABC"))
    for X in (named, Scores.of(named)):
        result = null.test(pd.Series({"C": 0.7, "A": 0.5, "B": 0.75}), X)
        assert result.order == ("B", "C", "A")
        assert result.seed == 1
    assert DrankNull(Scores.of(named), null="resample", resamples=10, seed=1).test(P10).order == ("B", "C", "A")


def test_the_ridge_of_the_distribution_is_that_of_its_tests(tmp_path, topics_by_systems):
    X = topics_by_systems(20, 10)
    y = np.arange(10)
    null = DrankNull(X, null="resample", resamples=10, seed=1, ridge=0.01)
    assert null.test(y).statistic == null.test(y, X).statistic == drank(X, y, ridge=0.01) != drank(X, y)
    assert null.test(y).ridge == 0.01
    null.save(tmp_path / "null.npz")
    assert DrankNull.load(tmp_path / "null.npz").test(y, X).statistic == drank(X, y, ridge=0.01)


def test_differences_by_rounding_do_not_make_small_distances(rng):
    column = np.round(rng.random(12), 2)
    X = np.column_stack([column, rng.permutation(column), column - rng.uniform(0.1, 0.3, 12)])
    null = DrankNull(X, null="resample", resamples=500, seed=1)
    assert not ((null.distances > 0) & (null.distances < 1e-6)).any()


def test_equal_distances_up_to_rounding_count_as_equal():
    null = DrankNull(AP, null="resample", resamples=100, seed=1)
    d = null.distances[-1]
    assert d > 0
    p = (np.sum(null.distances == d) + 1) / 101
    assert null.pvalue(d * (1 + 1e-12)) == null.pvalue(d * (1 - 1e-12)) == null.pvalue(d) == p
    assert null.pvalue(d * (1 + 1e-8)) == 1 / 101


def test_all_scores_zero():
    # Nothing varies, and no unit can be derived from the scores.
    assert DrankNull(np.zeros((3, 2)), null="resample", resamples=20, seed=1).distances.tolist() == [0] * 20


def test_it_can_be_printed_and_shown_in_a_notebook():
    null = DrankNull(AP, null="resample", resamples=1000, seed=3, ridge=0.01)
    critical = f"{null.critical_value(0.05):.4g}"
    assert repr(null) == f"DrankNull(null='resample', resamples=1000, critical_value={critical}, ridge=0.01, seed=3)"
    heading, row = str(null).splitlines()
    assert re.split(" {2,}", heading) == ["null", "resamples", "critical value at 0.05", "ridge", "seed"]
    assert row.split() == ["resample", "1000", f"{null.critical_value():.4f}", "0.01", "3"]
    assert f"<td>{null.critical_value():.4f}</td>" in null._repr_html_()
    assert null.as_dict() == {
        "distribution": [
            {
                "null": "resample",
                "resamples": 1000,
                "critical_value": null.critical_value(),
                "ridge": 0.01,
                "seed": 3,
            }
        ]
    }


def test_a_copy_by_pickle_can_test():
    import pickle

    null = DrankNull(AP, null="resample", resamples=100, seed=1)
    assert pickle.loads(pickle.dumps(null)).test(P10).as_dict() == null.test(P10).as_dict()


def test_bad_arguments_are_refused():
    null = DrankNull(AP, null="resample", resamples=10, seed=1)
    for call, name in (
        (lambda: DrankNull(AP, null="resample", seed=[1, 2]), "seed"),
        (lambda: DrankNull(AP, null="resample", seed=1.5), "seed"),
        (lambda: null.critical_value(None), "alpha"),
        (lambda: null.pvalue("0.5"), "d"),
    ):
        with pytest.raises(TypeError, match=f"'{name}' must be a (whole )?number"):
            call()
    for d in (float("nan"), -1e-300, -1):
        with pytest.raises(ValueError, match="'d' must be a distance, from 0 up, not"):
            null.pvalue(d)
    for resamples, error in ((0, ValueError), (-5, ValueError), (2.5, TypeError), (True, TypeError)):
        with pytest.raises(error, match="'resamples' must be"):
            DrankNull(AP, null="resample", resamples=resamples)


def test_p_values_count_the_observed_distance(topics_by_systems):
    """(S + 1) / (B + 1), by hand."""
    null = DrankNull(AP, null="resample", resamples=4, seed=1)
    null.distances = np.array([0.0, 1.0, 2.0, 2.0])
    counted = {0: 4, 0.5: 3, 1: 3, 1.5: 2, 2: 2, 2.5: 0, np.inf: 0}
    assert {d: null.at_least(d) for d in counted} == counted
    assert [null.pvalue(d) for d in counted] == [5 / 5, 4 / 5, 4 / 5, 3 / 5, 3 / 5, 1 / 5, 1 / 5]
    X = topics_by_systems(20, 6)
    for kind in ("resample", "two-sample"):
        null = DrankNull(X, null=kind, resamples=60, seed=2)
        result = null.test([6, 5, 4, 3, 2, 1])
        assert result.pvalue == (sum(d >= result.statistic * (1 - 1e-9) for d in null.distances) + 1) / 61


def test_the_kind_of_test_is_part_of_its_result(tmp_path, topics_by_systems):
    X, y = topics_by_systems(20, 6), topics_by_systems(9, 6)
    null = DrankNull(X, null="two-sample", topics=9, resamples=60, seed=2)
    assert (null.null, null.topics, null.ridge) == ("two-sample", 9, 0)
    assert 0 < null.shrinkage < 1
    result = null.test(y)
    assert (result.null, result.topics, result.shrinkage) == ("two-sample", 9, null.shrinkage)
    assert result.statistic == drank(X, y, ridge="shrinkage")
    assert drank_test(X, y, null="two-sample", resamples=60, seed=2).as_dict() == result.as_dict()
    null.save(tmp_path / "null.npz")
    loaded = DrankNull.load(tmp_path / "null.npz")
    assert loaded.test(y, X).as_dict() == result.as_dict()
    assert repr(loaded) == repr(null)
    assert repr(null).startswith("DrankNull(null='two-sample', resamples=60")
    # Of a vector the number of topics is unknown, and that of X is taken.
    assert drank_test(X, y.mean(axis=0), null="two-sample", resamples=60, seed=2).topics == 20
    # The test of the paper does not depend on it.
    first, second = (DrankNull(X, null="resample", topics=topics, resamples=60, seed=2) for topics in (None, 9))
    assert (first.topics, second.topics, first.shrinkage) == (20, 9, 0)
    np.testing.assert_array_equal(first.distances, second.distances)
    assert first.test(y).statistic == drank(X, y)


def test_another_number_of_topics_is_refused(topics_by_systems):
    X, y = topics_by_systems(20, 6), topics_by_systems(9, 6)
    null = DrankNull(X, null="two-sample", resamples=10, seed=2)
    for table in (y, y.tolist(), Scores.of(y)):
        with pytest.raises(ValueError, match=r"'y' has 9 topics, .* by 20: use DrankNull\(\.\.\., topics=9\)"):
            null.test(table)
    assert null.test(y.mean(axis=0)).topics == 20
    assert DrankNull(X, null="resample", resamples=10, seed=2).test(y).pvalue > 0
    for change, error, words in (
        ({"topics": 0}, ValueError, "'topics' must be 1 or more, not 0"),
        ({"topics": 2.5}, TypeError, "'topics' must be a whole number, not 2.5"),
        ({"null": "two"}, ValueError, "'null' must be one of two-sample, resample, not 'two'"),
    ):
        with pytest.raises(error, match=words):
            DrankNull(X, resamples=10, **change)


def test_a_file_of_the_first_format(tmp_path, topics_by_systems):
    X = topics_by_systems(20, 10)
    null = DrankNull(X, null="resample", resamples=50, seed=2**70, ridge=0.01)
    np.savez_compressed(
        tmp_path / "old.npz",
        drank_null=np.int64(1),
        distances=null.distances,
        ridge=np.float64(null.ridge),
        seed=np.array(str(null.seed)),
        digest=np.array(null.digest),
    )
    loaded = DrankNull.load(tmp_path / "old.npz")
    assert (loaded.null, loaded.shrinkage, loaded.resamples, loaded.seed) == ("resample", 0, 50, 2**70)
    y = np.arange(10)
    assert str(loaded.test(y, X)) == str(null.test(y))
    np.savez(
        tmp_path / "odd.npz",
        drank_null=2,
        distances=[1.0],
        null="none",
        topics=3,
        shrinkage=0.0,
        ridge=0.0,
        seed="1",
        digest="",
    )
    with pytest.raises(ValueError, match="odd.npz is not a saved DrankNull, or it is damaged: 'null' must be one of"):
        DrankNull.load(tmp_path / "odd.npz")


def test_the_default_is_the_two_sample_test(topics_by_systems):
    assert NULL.default == "two-sample"
    for function in (drank_test, DrankNull):
        assert inspect.signature(function).parameters["null"].default == NULL.default
    X, y = topics_by_systems(20, 6), topics_by_systems(20, 6)
    named = DrankNull(X, null="two-sample", resamples=60, seed=2)
    default = DrankNull(X, resamples=60, seed=2)
    np.testing.assert_array_equal(default.distances, named.distances)
    assert default.test(y).as_dict() == named.test(y).as_dict() == drank_test(X, y, resamples=60, seed=2).as_dict()
