"""The covariance of the scores, the ridge of the paper, and the shrinkage against scikit-learn."""

import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.covariance import ledoit_wolf

from ircor.data._scores import Scores
from ircor.published._papers import SCORES
from ircor.rank_distance import drank, drank_test
from ircor.rank_distance._distance import RIDGE, Reference

AP = SCORES["AP"]
P10 = SCORES["P10"].mean(axis=0)


def test_the_default_ridge(rng, topics_by_systems):
    """Algorithm 1 of the paper: a ridge if and only if m >= n."""
    wide, square, tall = topics_by_systems(10, 11), topics_by_systems(10, 10), topics_by_systems(11, 10)
    assert [Reference(Scores.of(X), None).ridge for X in (wide, square, tall)] == [RIDGE, RIDGE, 0] == [1e-5, 1e-5, 0]
    twice = np.column_stack([topics_by_systems(30, 10)] * 2)
    assert Reference(Scores.of(twice), None).ridge == 0
    y = rng.normal(size=10)
    assert drank(tall, y) == drank(tall, y, ridge=0)
    assert drank(square, y) == drank(square, y, ridge=1e-5)
    assert drank(tall, y, ridge=0.01) < drank(tall, y)


@pytest.mark.parametrize(("n", "m"), [(4, 3), (50, 20), (249, 30), (20, 60), (2, 2), (3, 40)])
def test_the_shrinkage_is_that_of_scikit_learn(n, m, topics_by_systems):
    for scale in (1e-60, 1, 1e60):
        X = scale * topics_by_systems(n, m)
        reference = Reference(Scores.of(X), "shrinkage")
        # scikit-learn divides by n, and does not subtract the means of the topics.
        covariance, shrinkage = ledoit_wolf((X - X.mean(axis=1, keepdims=True)) / scale)
        assert reference.shrinkage == pytest.approx(shrinkage, rel=1e-9, abs=1e-12)
        np.testing.assert_allclose(reference.covariance / scale**2, covariance * n / (n - 1), rtol=1e-9, atol=1e-12)
        assert reference.ridge == 0
        assert 0 <= reference.shrinkage <= 1


@pytest.mark.parametrize(("n", "m"), [(30, 8), (8, 30)])
def test_with_shrinkage_neither_scale_nor_topic_difficulty_counts(n, m, rng, topics_by_systems):
    X, y = topics_by_systems(n, m), rng.normal(size=m)
    distance = drank(X, y, ridge="shrinkage")
    assert drank(100 * X, y, ridge="shrinkage") == pytest.approx(distance, rel=1e-9)
    assert drank(X + 10 * rng.random((n, 1)), y, ridge="shrinkage") == pytest.approx(distance, rel=1e-9)
    columns = rng.permutation(m)
    assert drank(X[:, columns], y[columns], ridge="shrinkage") == pytest.approx(distance, rel=1e-9)
    # With a ridge the scale counts.
    assert drank(100 * X, y, ridge=1e-5) > 1.0001 * drank(X, y, ridge=1e-5)
    assert Reference(Scores.of(X), 1e-5).shrinkage == Reference(Scores.of(X), None).shrinkage == 0


def test_the_covariance_is_that_of_the_centred_scores(topics_by_systems):
    for n, m in ((30, 8), (8, 30)):
        X = topics_by_systems(n, m)
        expected = np.cov(X - X.mean(axis=1, keepdims=True), rowvar=False)
        np.testing.assert_allclose(Reference(Scores.of(X), None).covariance, expected, rtol=1e-10, atol=1e-16)


THREADS = """
import numpy as np
from ircor.rank_distance import drank
rng = np.random.default_rng(1)
for n, m in ((50, 130), (249, 110)):
    X = rng.random((n, 1)) + 0.2 * rng.normal(size=(n, m))
    print([drank(X, rng.normal(size=m), ridge=ridge).hex() for ridge in (None, "shrinkage")])
"""


def test_the_threads_of_blas_do_not_count():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", THREADS],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs.pop().count("0x") == 4


def test_no_function_of_blas_is_called(monkeypatch, topics_by_systems):
    """Its threads can take seconds for a matrix of this size if the machine is busy."""
    X = Scores.of(topics_by_systems(30, 8))
    for module, names in ((np, ["dot", "cov", "matmul"]), (np.linalg, ["svd", "inv", "solve", "cholesky"])):
        for name in names:
            monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("BLAS"))
    for ridge in (None, 1e-5, "shrinkage"):
        assert drank(X, np.arange(8), ridge=ridge) > 0


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning", "ignore:invalid:RuntimeWarning")
def test_scores_too_large_for_a_covariance_are_refused():
    for function in (drank, drank_test):
        with pytest.raises(ValueError, match="too large for their covariance"):
            function(AP * 1e200, P10)


def test_bad_ridges_are_refused():
    with pytest.raises(ValueError, match="^'ridge' must be a number from 0 up or 'shrinkage', not 'auto'$"):
        drank(AP, P10, ridge="auto")
    with pytest.raises(TypeError, match="'ridge' must be a number, not"):
        drank(AP, P10, ridge=[1])
    for ridge in (-1, -1e-300, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=f"^'ridge' must be a number from 0 up or 'shrinkage', not {ridge!r}$"):
            drank(AP, P10, ridge=ridge)
