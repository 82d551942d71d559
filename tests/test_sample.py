"""The sample data: what it promises, and what trec_eval itself computes from its runs."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import pytrec_eval

import ircor
from ircor.data._sample import MEASURES, SYSTEMS, TOPICS, write_sample
from ircor.trec import read_columns, read_eval, read_qrels, read_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample") / "new" / "folder"
    paths = write_sample(folder)
    assert len(paths) == 2 * len(SYSTEMS) + 4
    assert {Path(path) for path in paths} == {path for path in folder.rglob("*") if path.is_file()}
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


@pytest.mark.parametrize("measure", [pd.DataFrame({"map": [1, 2]}), pd.Series(["map"]), pd.NA, float("nan"), ""])
def test_a_measure_of_another_type_is_refused_by_name(measure):
    with pytest.raises(ValueError, match="'measure' must be one of map, P_10, ndcg, recip_rank, not "):
        ircor.sample(measure)


def test_it_is_the_same_everywhere():
    scores = ircor.sample()
    totals = {measure: int(np.rint(scores[measure].to_numpy() * 10_000).sum()) for measure in MEASURES}
    assert totals == {"map": 6180788, "P_10": 6386000, "ndcg": 9574932, "recip_rank": 10759599}
    assert scores.index.name == "topic"
    assert list(scores.columns.names) == ["measure", "system"]


def test_it_has_ties_and_near_ties_like_real_ones():
    scores = ircor.sample()
    means = {measure: np.sort(scores[measure].mean().to_numpy()) for measure in MEASURES}
    assert (np.diff(means["P_10"]) < 1e-9).sum() >= 3
    assert len(np.unique(means["map"])) == 30
    assert (np.diff(means["map"]) < 0.002).sum() >= 3
    # Some pairs of systems differ significantly, and some do not.
    with pytest.warns(ircor.RoundingWarning, match="^1 pair of values of P_10 differs by rounding only"):
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
    means = ircor.sample().mean().unstack("measure")[list(MEASURES)]
    pd.testing.assert_frame_equal(table, means, check_names=False, rtol=0, atol=5.1e-5)


def test_the_files_are_as_trec_has_them(folder):
    run = read_run(folder / "runs" / "B2.run")
    assert set(run["run"]) == {"B2"}
    assert run.groupby("topic")["rank"].apply(list).tolist() == [list(range(1, 101))] * 50
    assert (run["score"] == 101 - run["rank"]).all()
    qrels = read_qrels(folder / "qrels.txt")
    assert qrels["doc"].tolist() == [f"{topic}-{k:03d}" for topic in TOPICS for k in range(200)]
    assert (qrels["topic"] == qrels["doc"].str[:3]).all()
    assert sorted(set(qrels["relevance"])) == [0, 1, 2]
    lines = (folder / "eval" / "B2.eval").read_text().splitlines()
    assert lines[0] == f"map                   \t401\t{ircor.sample('map').loc['401', 'B2']:.4f}"
    assert lines[200] == "runid                 \tall\tB2"
    means = ircor.sample().mean()
    assert lines[201:] == [f"{measure:<22}\tall\t{means[measure, 'B2']:.4f}" for measure in MEASURES]
