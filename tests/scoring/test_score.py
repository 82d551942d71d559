"""Scores of runs by judgments, against trec_eval's own code in pytrec_eval."""

import gzip

import numpy as np
import pandas as pd
import polars
import pytest
import pytrec_eval

import ircor
from ircor.data._sample import write_sample
from ircor.trec import FormatError, read_eval, score

RUNS = {
    "one": {"401": {"a": 3.5, "b": 2.0}, "402": {"c": 1.5}},
    "two": {"401": {"b": 9.0}, "402": {"c": 8.0}},
}
QRELS = {"401": {"a": 0, "b": 1}, "402": {"c": 2, "d": 1}}
NAMES = {"AP": "map", "nDCG@10": "ndcg_cut_10", "P@5": "P_5", "RR": "recip_rank", "R@5": "recall_5", "Rprec": "Rprec"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    return folder


def test_the_sample_is_scored_as_trec_eval_prints_it(folder):
    names = {"AP": "map", "P@10": "P_10", "nDCG": "ndcg", "RR": "recip_rank"}
    scores = score(folder / "runs", folder / "qrels.txt", list(names))
    printed = read_eval(folder / "eval")
    assert scores.attrs == {}
    for name, other in names.items():
        assert scores[name].index.equals(printed[other].index)
        assert np.abs(scores[name][printed[other].columns] - printed[other]).max().max() <= 0.5e-4 + 1e-12


def random_collection(rng, topics=6, systems=4):
    """Runs with tied scores and judgments with negative grades and gaps."""
    docs = [f"d{k}" for k in range(40)]
    qrels = {
        str(t): {doc: int(g) for doc, g in zip(docs, rng.choice([-1, 0, 0, 1, 2, 3], 40)) if rng.random() < 0.7}
        for t in range(topics)
    }
    runs = {
        f"s{s}": {
            str(t): {doc: float(rng.integers(0, 12)) for doc in rng.permutation(docs)[: rng.integers(1, 30)]}
            for t in range(topics)
        }
        for s in range(systems)
    }
    return runs, qrels


@pytest.mark.parametrize("seed", range(5))
def test_random_runs_are_scored_as_pytrec_eval_scores_them(seed):
    runs, qrels = random_collection(np.random.default_rng(seed))
    scores = score(runs, qrels, list(NAMES))
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(pytrec_eval.supported_measures))
    for system, run in runs.items():
        for topic, values in evaluator.evaluate(run).items():
            for name, other in NAMES.items():
                assert scores.loc[topic, (name, system)] == pytest.approx(values[other], abs=1e-12)


def test_all_forms_of_runs_give_the_same_scores(tmp_path):
    wanted = score(RUNS, QRELS, ["AP", "RR"])
    rows = [(s, t, d, x) for s, run in RUNS.items() for t, docs in run.items() for d, x in docs.items()]
    frame = pd.DataFrame(rows, columns=["run", "qid", "docno", "score"])
    for name, run in RUNS.items():
        lines = "".join(f"{t} Q0 {d} 1 {x} {name}\n" for t, docs in run.items() for d, x in docs.items())
        (tmp_path / f"{name}.run").write_bytes(gzip.compress(lines.encode()))
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in QRELS.items() for d, g in docs.items()))
    forms = [
        frame,
        polars.from_pandas(frame),
        [tmp_path / "one.run", str(tmp_path / "two.run")],
        str(tmp_path / "*.run"),
        {"one": tmp_path / "one.run", "two": frame[frame["run"] == "two"].drop(columns="run")},
    ]
    for runs in forms:
        assert score(runs, qrels, ["AP", "RR"]).equals(wanted)
    numbers = {
        system: {int(topic): {ord(doc): x for doc, x in docs.items()} for topic, docs in run.items()}
        for system, run in RUNS.items()
    }
    judged = {int(topic): {ord(doc): g for doc, g in docs.items()} for topic, docs in QRELS.items()}
    assert score(numbers, judged, ["AP", "RR"]).equals(wanted)
    assert score(RUNS, QRELS, "RR").equals(wanted["RR"])


def test_names_of_systems(tmp_path):
    for name, tag in (("one", "mine"), ("two", "mine"), ("three", "other")):
        (tmp_path / f"{name}.run").write_text(f"401 Q0 b 1 1 {tag}\n402 Q0 c 1 1 {tag}\n")
    found = score(tmp_path, QRELS, "AP")
    assert list(found.columns) == ["one", "other", "two"]
    assert found.attrs["notes"] == ["2 files have the runid 'mine', so their systems have the names of the files"]


def test_topics_of_one_side_are_named():
    runs = {name: {**run, "403": {"x": 1.0}} for name, run in RUNS.items()}
    runs["one"] = {**runs["one"], "404": {"x": 1.0}}
    qrels = {**QRELS, "499": {"z": 1}}
    found = score(runs, qrels, "AP")
    assert list(found.index) == ["401", "402"]
    assert found.attrs["notes"] == [
        "one has 2 topics that qrels lacks, not scored: 403, 404",
        "two has 1 topic that qrels lacks, not scored: 403",
        "1 topic of qrels in no run, left out: 499",
    ]
    same = {name: {**run, "403": {"x": 1.0}} for name, run in RUNS.items()}
    assert score(same, QRELS, "AP").attrs["notes"] == ["all runs have 1 topic that qrels lacks, not scored: 403"]
    empty = score(RUNS, {**QRELS, "401": {"a": 0, "b": -1}}, "AP")
    assert empty.attrs["notes"] == ["1 topic of qrels without a relevant document: 401"]
    assert empty.loc["401"].tolist() == [0, 0]


def test_topics_that_a_run_lacks():
    runs = {**RUNS, "two": {"402": {"c": 8.0}}}
    with pytest.raises(ValueError, match=r"^system 'two' has no AP for topic 401; missing=\"zero\" counts"):
        score(runs, QRELS, "AP")
    assert score(runs, QRELS, "AP", missing="zero").loc["401"].tolist() == [0.5, 0]
    assert list(score(runs, QRELS, "AP", missing="drop").index) == ["402"]
    no_documents = {**RUNS, "two": {"401": {}, "402": {"c": 8.0}}}
    assert list(score(no_documents, QRELS, "AP", missing="drop").index) == ["402"]


@pytest.mark.parametrize(
    ("runs", "qrels", "measures", "error", "message"),
    [
        (RUNS["one"], QRELS, "AP", ValueError, r"^'runs' is one run, .* give a name to it"),
        ({}, QRELS, "AP", ValueError, "^'runs' has no runs"),
        ({"one": {}}, QRELS, "AP", ValueError, "^the run of one is empty"),
        (
            {"one": {"8": {"a": 1}}},
            QRELS,
            "AP",
            ValueError,
            "^no topic of the run of one is in 'qrels'",
        ),
        ({"one": {"401": {"a": float("nan")}}}, QRELS, "AP", ValueError, "in 'run of one' is not finite"),
        ({"one": {"401": {1: 1, "1": 2}}}, QRELS, "AP", ValueError, "'run of one' has two documents"),
        (
            {"one": {"401": {"a": 1}, 401: {"a": 1}}},
            QRELS,
            "AP",
            ValueError,
            "'run of one' has two topics",
        ),
        (5, QRELS, "AP", TypeError, "^'runs' must be paths, a mapping of systems to runs, Runs of ranx, or a table"),
        (RUNS, {}, "AP", ValueError, "^'qrels' has no judgments"),
        (
            RUNS,
            {"401": {"a": 1001}},
            "AP",
            ValueError,
            "grade 1001 for document 'a' of topic '401'",
        ),
        (RUNS, {"401": {"a": 3 * 10**9}}, "AP", ValueError, "from -1000 to 1000"),
        (RUNS, {"401": {"a": -1001}}, "AP", ValueError, "from -1000 to 1000"),
        (RUNS, {"401": {"a": 0.5}}, "AP", ValueError, "the grade 0.5 for document 'a' of topic '401'"),
        (RUNS, QRELS, "map", ValueError, "^ir_measures has no measure 'map'; did you mean 'AP'"),
        (RUNS, QRELS, "ndcg_cut_10", ValueError, "^ir_measures has no measure 'ndcg_cut_10'; did you mean 'nDCG@10'"),
        (RUNS, QRELS, "frobnicate", ValueError, "^ir_measures has no measure 'frobnicate', but 'nDCG@10', 'AP'"),
        (RUNS, QRELS, "P@0", ValueError, "^the cutoff of the measure 'P@0' must be a whole number, 1 or more"),
        (RUNS, QRELS, "P@2.5", ValueError, "^the cutoff of the measure 'P@2.5' must be a whole number, 1 or more"),
        (RUNS, QRELS, "P", ValueError, "^the measure 'P' lacks its cutoff: 'P@10', for instance"),
        (RUNS, QRELS, "P@-1", ValueError, "^cannot read the measure 'P@-1': '-1' is not a value"),
        (RUNS, QRELS, ["AP", "AP"], ValueError, "^'measures' has 'AP' twice"),
        (RUNS, QRELS, [], ValueError, "^'measures' must name a measure"),
        (RUNS, QRELS, [3], TypeError, "^'measures' must be names of measures"),
        (RUNS, QRELS, None, TypeError, "^'measures' must be names of measures"),
    ],
)
def test_refusals(runs, qrels, measures, error, message):
    with pytest.raises(error, match=message):
        score(runs, qrels, measures)


def test_tables_of_runs_that_are_refused():
    frame = pd.DataFrame({"run": ["x", "x"], "qid": ["401", "401"], "docno": ["a", "a"], "score": [1.0, 2.0]})
    with pytest.raises(ValueError, match="'runs of x' has document 'a' twice for topic '401'"):
        score(frame, QRELS, "AP")
    with pytest.raises(ValueError, match="'runs' has no column of systems"):
        score(frame.drop(columns="run"), QRELS, "AP")
    with pytest.raises(ValueError, match="the systems of 'runs' may be in 'run' or 'system': keep one"):
        score(frame.assign(system="y"), QRELS, "AP")


def test_files_that_are_refused(tmp_path):
    run = tmp_path / "one.run"
    run.write_text("401 Q0 a 1 1 x\n401 Q0 a 2 1 x\n")
    with pytest.raises(FormatError, match=r"one.run:2: document 'a' is repeated for topic '401'"):
        score(run, QRELS, "AP")
    run.write_text("")
    with pytest.raises(ValueError, match=r"^the run .*one.run is empty"):
        score(run, QRELS, "AP")
    with pytest.raises(FileNotFoundError):
        score(tmp_path / "two.run", QRELS, "AP")


def test_a_measure_of_ir_measures_itself():
    from ir_measures import nDCG

    found = score(RUNS, QRELS, [nDCG @ 10, "AP(rel=2)", "Judged@10"])
    assert list(found.columns.unique("measure")) == ["nDCG@10", "AP(rel=2)", "Judged@10"]
    assert found["AP(rel=2)"].loc["401"].tolist() == [0, 0]
    assert found["Judged@10"].to_numpy().tolist() == [[1, 1], [1, 1]]


def test_scores_go_into_every_function_that_takes_scores(folder):
    scores = score(folder / "runs", folder / "qrels.txt", ["AP", "P@10"])
    found = ircor.compare(scores["AP"], scores["P@10"], resamples=100, seed=1)
    assert round(found.coefficients["value"][1], 3) == 0.916


# What the code of other measures than trec_eval's needs


def renamed(by_topic, name):
    return {name(topic): documents for topic, documents in by_topic.items()}


@pytest.mark.parametrize("measure", ["ERR@20", "nDCG(dcg='exp-log2')@10", "RR@10", "Judged@5", "AP"])
def test_names_of_topics_do_not_matter(measure):
    runs, qrels = random_collection(np.random.default_rng(7))
    qrels = {topic: {doc: max(grade, 0) for doc, grade in docs.items()} for topic, docs in qrels.items()}
    known = score(runs, qrels, measure)
    assert known.to_numpy().std() > 0
    for name in ("PLAIN-{}".format, "31_{}".format, "\u00e9{}".format, "00{}".format):
        other = score({s: renamed(run, name) for s, run in runs.items()}, renamed(qrels, name), measure)
        assert other.to_numpy().tolist() == known.to_numpy().tolist()


def test_all_measures_rank_ties_as_trec_eval_does():
    qrels = {"1": {"a": 1, "b": 0}, "2": {"c": 1, "d": 0}}
    for scores in ((5.0, 5.0), (1.00000001, 1.00000002), (1e300, 2e300), (1.00000002, 1.00000001)):
        run = {"1": dict(zip("ab", scores)), "2": dict(zip("dc", scores))}
        found = score({"A": run, "B": run}, qrels, ["RR", "RR@10", "ERR@20", "AP", "Compat(p=0.8)"])
        assert found["RR"].equals(found["RR@10"])
    # The document with the last name comes first.
    assert found["RR"]["A"].tolist() == [0.5, 0.5]


def test_the_order_of_documents_in_a_run_does_not_matter():
    rng = np.random.default_rng(3)
    runs, qrels = random_collection(rng)
    mixed = {
        system: {topic: {doc: docs[doc] for doc in rng.permutation(list(docs))} for topic, docs in run.items()}
        for system, run in runs.items()
    }
    for measure in ("RR@3", "Judged@5", "nDCG@5", "Compat(p=0.8)"):
        assert score(runs, qrels, measure).equals(score(mixed, qrels, measure))


@pytest.mark.parametrize(
    ("runs", "qrels", "measure", "message"),
    [
        (
            RUNS,
            {"401": {"b": 5}, "402": {"c": 1}},
            "ERR@20",
            "^ir_measures failed to compute ERR@20 for the run of one",
        ),
        (RUNS, QRELS, "AP(rel=0)", "^the least relevant grade of the measure 'AP.rel=0.' must be from 1 to"),
        ({"x": {"1": {"a": 10**400}}}, {"1": {"a": 1}}, "AP", "not finite"),
        (RUNS, QRELS, "IPrec@1.5", "^the recall of the measure 'IPrec@1.5' must be from 0 to 1"),
        (RUNS, QRELS, "SetF@10", "^the measure 'SetF@10' has 'cutoff', which SetF does not take"),
        (RUNS, QRELS, "", "^cannot read the measure '': measures are written as nDCG@10"),
        (RUNS, QRELS, "ERR", "^ir_measures cannot compute ERR with the packages .*'ERR@10'"),
        (
            {"A": {"01": {"a": 1}, "2": {"a": 1}}},
            {"1": {"a": 1}, "2": {"a": 1}},
            "AP",
            "has the topic '01' and 'qrels' has '1'",
        ),
    ],
)
def test_refusals_of_what_other_code_cannot_do(runs, qrels, measure, message):
    with pytest.raises((ValueError, TypeError), match=message):
        score(runs, qrels, measure)


def test_blanks_around_a_name_do_not_matter():
    assert score(RUNS, QRELS, " AP ").equals(score(RUNS, QRELS, "AP"))


def test_a_topic_without_judgments_is_no_topic():
    found = score(RUNS, {**QRELS, "402": {}}, "AP")
    assert list(found.index) == ["401"]
    assert found.attrs["notes"] == ["all runs have 1 topic that qrels lacks, not scored: 402"]


def test_what_is_relevant_is_a_matter_of_the_measure():
    qrels = {"401": {"a": 0, "b": 1}, "402": {"c": 2, "d": 1}}
    found = score(RUNS, qrels, ["AP(rel=2)", "AP"])
    assert found.attrs["notes"] == ["1 topic of qrels without a document of grade 2 or more: 401"]


def test_scores_that_rise_with_the_rank_are_noted(tmp_path):
    up = tmp_path / "up.run"
    for first in ("401 Q0 a 1 0.1 up\n", "\n401 Q0 a 1 0.1 up\n"):
        up.write_text(first + "401 Q0 b 2 0.2 up\n402 Q0 c 1 0.9 up\n402 Q0 d 2 0.8 up\n")
        found = score(up, QRELS, "RR")
        assert found["up"].tolist() == [1, 1]
        assert found.attrs["notes"] == [
            "1 run with scores that rise with the rank: documents are ranked by score, as in trec_eval (up)"
        ]
    up.write_text("401 Q0 a 1 0.2 up\n401 Q0 b 2 0.1 up\n402 Q0 c 1 0.9 up\n")
    assert "notes" not in score(up, QRELS, "RR").attrs


def test_other_files_in_a_folder(tmp_path):
    (tmp_path / "a.run").write_text("401 Q0 a 1 0.2 a\n402 Q0 c 1 0.9 a\n")
    (tmp_path / "qrels.txt").write_text("401 0 a 1\n")
    with pytest.raises(ValueError, match="found 4: are these judgments.; if this is not a run, a pattern such as"):
        score(tmp_path, QRELS, "AP")
    with pytest.raises(FormatError, match="found 6: is this a run."):
        score(tmp_path / "a.run", tmp_path / "a.run", "AP")


def test_a_run_with_one_score_is_noted():
    same = {"A": {"401": {"a": 1.0, "b": 1.0}, "402": {"c": 0.0, "d": 0.0}}, "B": RUNS["one"]}
    assert score(same, QRELS, "AP").attrs["notes"] == [
        "1 run with the same score for all documents of a topic: documents are ranked by name, as in trec_eval (A)"
    ]
