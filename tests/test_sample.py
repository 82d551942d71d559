"""The sample data: what it promises, and what trec_eval itself computes from its runs."""

import numpy as np
import pandas as pd
import pytest
import pytrec_eval

import ircor
from ircor._sample import MEASURES, SYSTEMS, TOPICS, write_sample
from ircor.trec import read_columns, read_eval, read_qrels, read_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    return folder


def test_its_shape():
    scores = ircor.sample()
    assert scores.shape == (50, 30 * 4)
    assert list(scores.columns.get_level_values("measure").unique()) == list(MEASURES)
    pd.testing.assert_frame_equal(ircor.sample("ndcg"), scores["ndcg"])
    assert scores.to_numpy().min() >= 0
    assert scores.to_numpy().max() <= 1
    with pytest.raises(ValueError, match="'measure' must be one of map, P_10, ndcg, recip_rank, not 'MAP'"):
        ircor.sample("MAP")


def test_it_has_ties_and_near_ties_like_real_ones():
    scores = ircor.sample()
    means = {measure: np.sort(scores[measure].mean().to_numpy()) for measure in MEASURES}
    assert (np.diff(means["P_10"]) < 1e-9).sum() >= 3
    assert len(np.unique(means["map"])) == 30
    assert (np.diff(means["map"]) < 0.002).sum() >= 3
    # Some pairs of systems differ significantly, and some do not.
    assert 0.2 < ircor.cor(pd.DataFrame(means)).min().min() <= 1


def test_the_scores_are_trec_evals(folder):
    qrels = {
        topic: dict(zip(rows["doc"], rows["relevance"]))
        for topic, rows in read_qrels(folder / "qrels.txt").groupby("topic")
    }
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES) - {"P_10"} | {"P"})
    scores = ircor.sample()
    for system in SYSTEMS[::7]:
        run = read_run(folder / "runs" / f"{system}.run")
        ranked = {topic: dict(zip(rows["doc"], rows["score"])) for topic, rows in run.groupby("topic")}
        found = evaluator.evaluate(ranked)
        for measure in MEASURES:
            for topic in TOPICS:
                assert scores.loc[topic, (measure, system)] == pytest.approx(found[topic][measure], abs=5.1e-5)


def test_the_files_read_back(folder):
    pd.testing.assert_frame_equal(read_eval(folder / "eval"), ircor.sample()[list(MEASURES)])
    table = read_columns(folder / "scores.csv")
    assert table.loc["A1", "map"] == pytest.approx(ircor.sample("map")["A1"].mean(), abs=5e-5)
