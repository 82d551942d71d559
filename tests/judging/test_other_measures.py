"""Judges whose measures are not those of the truth: which are compared, and what autojudge-evaluate answers."""

import numpy as np
import pandas as pd
import pytest
from calls import record
from scipy import stats

import ircor

RECORD = record("leaderboards.jsonl")


def board(name):
    columns = {one["measure"]: one["values"] for one in RECORD if one.get("source") == name}
    return pd.DataFrame(columns).rename_axis("system")


BOARDS = {name: board(name) for name in ("truth", "coarse", "umbrela", "weak")}
METHODS = ("tau_b", "tauAP_b", "spearman", "pearson")
ANSWERED = {"kendall": "tau_b", "tauap_b": "tauAP_b", "spearman": "spearman", "pearson": "pearson"}


@pytest.fixture(scope="module")
def judged():
    judges = {name: table for name, table in BOARDS.items() if name != "truth"}
    found = ircor.judges(None, BOARDS["truth"], judges, methods=METHODS, top=10)
    return found.coefficients.set_index(["judge", "truth_measure", "judge_measure"]).sort_index()


@pytest.mark.parametrize("answer", [one for one in RECORD if one["kind"] == "answer"])
def test_what_autojudge_evaluate_answers(judged, answer):
    rows = judged.loc[(answer["Judge"].removesuffix(".tot"), answer["TruthMeasure"], answer["EvalMeasure"])]
    values, best = (part.set_index("coefficient")["value"] for part in (rows[rows.top.isna()], rows[rows.top == 10]))
    if answer["EvalMeasure"] == "CONSTANT":  # which is no ranking, whatever tauap_b is said to be
        assert values.isna().all()
        return
    for key, name in ANSWERED.items():
        assert values[name] == pytest.approx(answer[key], abs=1e-10)
    assert best["tau_b"] == pytest.approx(answer["kendall@10"], abs=1e-10)


def test_each_judge_is_compared_by_its_own_measures(judged):
    pairs = {(judge, measure) for judge, _, measure in judged.index}
    assert pairs == {(name, m) for name, table in BOARDS.items() if name != "truth" for m in table.columns}
    assert set(judged.index.get_level_values("truth_measure")) == {"nugget_coverage", "f1"}


def tables(rng, *measures):
    shared = rng.random((12, 6)) + np.linspace(0, 1, 6)
    frames = {m: pd.DataFrame(shared + rng.normal(0, 0.1, shared.shape), columns=list("abcdef")) for m in measures}
    return {m: frame.rename_axis("topic") for m, frame in frames.items()}


def test_measures_can_be_chosen_on_each_side(rng):
    truth, judge = tables(rng, "f1", "coverage"), tables(rng, "grade", "umbrela", "f1")
    options = {"resamples": 100, "seed": 1, "methods": ["tau_b", "pearson"]}

    def measures(**chosen):
        return ircor.judges(None, truth, {"judge": judge}, **options, **chosen).measures

    assert measures(truth_measures="f1", judge_measures="umbrela") == ("f1 vs umbrela",)
    assert measures(truth_measures="coverage") == ("coverage vs grade", "coverage vs umbrela", "coverage vs f1")
    assert measures(judge_measures=["f1"]) == ("f1", "coverage vs f1")
    assert measures(measures="f1") == ("f1",)
    with pytest.raises(ValueError, match="'measures' cannot be given together with 'truth_measures'"):
        measures(measures="f1", judge_measures="f1")
    for wrong in ({"truth_measures": "map"}, {"judge_measures": "map"}):
        with pytest.raises(ValueError, match="no values of the measure 'map'"):
            measures(**wrong)


def test_the_numbers_are_those_of_the_two_measures(rng):
    truth, judge = tables(rng, "f1", "coverage"), tables(rng, "grade")
    options = {"resamples": 100, "seed": 1, "methods": ["tau_b", "spearman", "pearson"]}
    found = ircor.judges(None, truth, {"judge": judge}, **options)
    numbers = ["value", "low", "high"]
    for measure in truth:
        alone = ircor.judges(None, truth[measure], {"judge": judge["grade"]}, **options)
        rows = found.coefficients[found.coefficients.truth_measure == measure]
        assert rows[numbers].equals(alone.coefficients[numbers].set_index(rows.index))
        x, y = truth[measure].mean(), judge["grade"].mean()
        expected = [stats.kendalltau(x, y).statistic, stats.spearmanr(x, y).statistic, stats.pearsonr(x, y).statistic]
        assert rows["value"].tolist() == pytest.approx(expected, abs=1e-12)
    assert found.coefficients["low"].isna().tolist() == [False, True, True] * 2
    assert "f1 vs grade" in str(found)
    assert "f1 vs grade" in ircor.report.html(found)


def test_runs_can_be_judged_by_two_measures():
    runs = {
        name: {str(topic): {"a": a, "b": 2, "c": 3 - a} for topic in range(4)}
        for name, a in (("A", 3), ("B", 1), ("C", 2.5))
    }
    people = {str(topic): {"a": 1, "b": topic % 2, "c": 0} for topic in range(4)}
    model = {str(topic): {"a": 1, "b": 0, "c": topic % 2} for topic in range(4)}
    both = {"truth_measures": "AP", "judge_measures": ["RR", "AP"], "resamples": 100, "seed": 1}
    found = ircor.judges(runs, people, {"model": model}, **both)
    assert found.measures == ("AP vs RR", "AP")
    same = ircor.judges(runs, people, {"model": model}, "AP", resamples=100, seed=1)
    kept = found.coefficients[found.coefficients.measure == "AP"]["value"]
    assert kept.tolist() == same.coefficients["value"].tolist()
