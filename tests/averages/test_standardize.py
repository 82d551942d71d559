"""Standardization against its definitions, on every kind of table."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats

import ircor
from ircor.averages import standardize
from ircor.data import Scores

X = np.array([[0.1, 0.2, 0.4, 0.4], [0.5, 0.9, 0.7, 0.1], [0.3, 0.3, 0.3, 0.3]])


def test_definitions():
    m, s = X[:2].mean(axis=1, keepdims=True), X[:2].std(axis=1, ddof=1, keepdims=True)
    z = (X[:2] - m) / s
    np.testing.assert_allclose(standardize(X, "z")[:2], z)
    np.testing.assert_allclose(standardize(X, "N")[:2], stats.norm.cdf(z))
    np.testing.assert_allclose(standardize(X, "U")[:2], np.clip(0.15 * z + 0.5, 0, 1))
    np.testing.assert_allclose(standardize(X, "U", A=2, B=0.25)[:2], np.clip(2 * z + 0.25, 0, 1))
    np.testing.assert_allclose(standardize(X, "E"), [[0.25, 0.5, 1, 1], [0.5, 1, 0.75, 0.25], [1, 1, 1, 1]])
    # A topic without a scale.
    assert [standardize(X, method)[2].tolist() for method in "zNU"] == [[0.3] * 4, [1] * 4, [1] * 4]


def test_a_reference(rng):
    reference = pd.DataFrame(rng.random((4, 10)), index=["3", "1", "2", "4"])
    frame = pd.DataFrame(X, index=["1", "2", "3"], columns=list("ABCD"))
    of = reference.loc[frame.index]
    expected = frame.sub(of.mean(axis=1), axis=0).div(of.std(axis=1), axis=0)
    pd.testing.assert_frame_equal(standardize(frame, "z", reference), expected)
    shares = [[np.mean(of.loc[t] <= x) for x in row] for t, row in frame.iterrows()]
    assert standardize(frame, "E", reference).to_numpy().tolist() == shares
    np.testing.assert_array_equal(standardize(X, "z", of.to_numpy()), standardize(frame, "z", reference))
    with pytest.raises(ValueError, match="does not have the topics '2'"):
        standardize(frame, "z", reference.drop("2"))
    with pytest.raises(ValueError, match="has 4 topics, and 'scores' has 3"):
        standardize(X, "z", reference.to_numpy())
    constant = of.copy()
    constant.loc["2"] = 0.5
    with pytest.raises(ValueError, match="where all systems of the reference have one score: 0.9 for topic '2'"):
        standardize(frame, "N", constant)
    assert standardize(frame, "E", constant).loc["2"].tolist() == [1, 1, 1, 0]


def test_the_same_kind_of_table():
    expected = standardize(X, "z")
    frame = pd.DataFrame(X, index=pd.Index(["1", "2", "3"], name="topic"), columns=list("ABCD"))
    result = standardize(frame, "z")
    pd.testing.assert_frame_equal(result, pd.DataFrame(expected, frame.index, frame.columns))
    assert result.attrs == {"notes": ["scores standardized by topic: z"]}
    assert frame.attrs == {}
    assert standardize(X.tolist(), "z").tolist() == expected.tolist()
    with_topics = {"topic": ["1", "2", "3"], **dict(zip("ABCD", X.T))}
    wanted = {"topic": ["1", "2", "3"], **dict(zip("ABCD", expected.T.tolist()))}
    assert standardize(pl.DataFrame(with_topics), "z").to_dict(as_series=False) == wanted
    assert standardize(pa.table(with_topics), "z").to_pydict() == wanted
    scores = standardize(replace(Scores.of(frame), note="read"), "z")
    assert isinstance(scores, Scores)
    assert (scores.values.tolist(), scores.note) == (expected.tolist(), "read; scores standardized by topic: z")


def test_refusals():
    with pytest.raises(ValueError, match="'method' must be one of z, N, U, E, not 'q'"):
        standardize(X, "q")
    with pytest.raises(ValueError, match="'A' must be a positive number"):
        standardize(X, "U", A=0)
    with pytest.raises(ValueError, match="must not have missing or infinite scores"):
        standardize([[1, np.nan], [1, 2]], "z")


def test_judges():
    truth, judge = ircor.sample("map"), ircor.sample("P_10")
    quick = {"resamples": 100, "seed": 1}
    result = ircor.judges(None, truth, {"judge": judge}, standardize="E", **quick)
    by_hand = ircor.judges(None, standardize(truth, "E"), {"judge": standardize(judge, "E")}, **quick)
    pd.testing.assert_frame_equal(result.coefficients, by_hand.coefficients)
    assert "scores standardized by topic: E" in result.notes
    board = truth.mean().rename_axis("system")
    with pytest.raises(ValueError, match="'standardize' is for scores by topic, and a leaderboard has none"):
        ircor.judges(None, board, {"judge": board}, standardize="z", **quick)
