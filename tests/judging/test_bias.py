"""`bias`: leniency and favour from runs and two sets of judgments."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ircor.judging import bias
from ircor.judging._bias import bias_of
from ircor.show.judges import exact_p
from ircor.show.tables import plain

SYSTEMS = ("A", "B", "C", "D")


def collection(topics=20, seed=1, lenient=0, favoured=0):
    """Runs of four systems that share documents, and judges of whom the second raises the documents of A."""
    rng = np.random.default_rng(seed)
    runs = {system: {} for system in SYSTEMS}
    truth, judge = {}, {}
    for topic in map(str, range(topics)):
        truth[topic] = {f"d{k}": int(grade) for k, grade in enumerate(rng.choice(3, 40, p=[0.6, 0.3, 0.1]))}
        for system in SYSTEMS:
            runs[system][topic] = {doc: float(rng.normal(grade)) for doc, grade in truth[topic].items()}
        top = sorted(runs["A"][topic], key=runs["A"][topic].get)[-10:]
        noise = {doc: int(rng.random() < 0.3) for doc in truth[topic]}
        judge[topic] = {
            doc: grade + noise[doc] + lenient + favoured * (doc in top) for doc, grade in truth[topic].items()
        }
    return runs, truth, judge


def mean_grades(runs, qrels, depth):
    """Topics by systems, by sorting."""
    return np.array(
        [
            [np.mean([qrels[t][d] for d in sorted(run[t], key=run[t].get)[-depth:]]) for run in runs.values()]
            for t in qrels
        ]
    )


@pytest.mark.parametrize("depth", [1, 5, 10])
def test_mean_grades_and_leniency(depth):
    runs, truth, judge = collection(lenient=1)
    found = bias(runs, truth, judge, depth=depth, level=0.9)
    a, b = mean_grades(runs, truth, depth), mean_grades(runs, judge, depth)
    for s, system in enumerate(SYSTEMS):
        row = found.systems[system]
        assert row.topics == 20
        assert (row.truth, row.judge) == pytest.approx((a[:, s].mean(), b[:, s].mean()))
        assert row.difference == pytest.approx(row.judge - row.truth)
    by_topic = (b - a).mean(axis=1)
    low, high = stats.ttest_1samp(by_topic, 0).confidence_interval(0.9)
    assert found.leniency == pytest.approx((by_topic.mean(), low, high))
    assert found.leniency[0] > 1
    assert (found.judged, found.retrieved) == (20 * 4 * depth,) * 2


def test_a_judge_that_is_lenient_to_all_favours_nobody():
    found, lenient = (bias(*collection(lenient=more)) for more in (0, 2))
    assert lenient.leniency[0] == pytest.approx(found.leniency[0] + 2)
    for system in SYSTEMS:
        assert lenient.systems[system].favour == pytest.approx(found.systems[system].favour)
    assert found.favoured == found.disfavoured == []
    assert "judge favours no system significantly (smallest adjusted p = " in found.sentences()[0]


def test_a_favoured_system_is_found():
    found = bias(*collection(favoured=1), names=("people", "model"))
    assert found.favoured == ["A"]
    assert next(iter(found.systems)) == "A"
    assert found.systems["A"].low > 0
    assert found.pvalue == found.systems["A"].pvalue < 0.05
    assert "Among documents with the same grade in people, model favours A" in found.sentences()[0]
    assert sum(row.favour for row in found.systems.values()) == pytest.approx(0)
    assert bias(*collection(favoured=-1)).disfavoured == ["A"]


def test_systems_are_flagged_at_one_minus_level():
    given = collection(topics=5, favoured=1)
    p = bias(*given).pvalue
    assert 1e-9 < p < 0.9
    assert not bias(*given, level=1 - 0.99 * p).flagged()
    assert len(bias(*given, level=1 - 1.01 * p).flagged()) >= 1


def test_a_judge_of_another_scale_favours_nobody():
    runs, truth, _ = collection()
    other = {topic: {doc: 3 - 3 * (grade == 0) for doc, grade in docs.items()} for topic, docs in truth.items()}
    found = bias(runs, truth, other)
    assert [row.favour for row in found.systems.values()] == [0] * 4
    assert found.pvalue == 1
    assert any("truth from 0 to 2 and judge from 0 to 3: is it the same scale?" in note for note in found.notes)


def test_equal_judges_differ_in_nothing():
    runs, truth, _ = collection()
    found = bias(runs, truth, truth)
    assert found.leniency == (0, 0, 0)
    assert found.pvalue == 1
    assert found.notes == ()


def test_a_judge_of_one_grade():
    runs, truth, _ = collection()
    found = bias(runs, truth, {topic: dict.fromkeys(docs, 1) for topic, docs in truth.items()})
    assert np.isnan(found.pvalue)
    assert (
        "Whether judge favours a system is undefined: judge gave all documents the same grade." in found.sentences()[0]
    )
    same = bias(runs, {topic: dict.fromkeys(docs, 1) for topic, docs in truth.items()}, truth)
    assert same.undefined == "truth gave all documents the same grade"


def test_documents_with_the_same_score_are_taken_by_decreasing_id():
    topics = "1234"
    runs = {"A": {t: {"a": 1.0, "b": 1.0, "c": 1.0} for t in topics}, "B": {t: {"a": 2.0, "b": 1.0} for t in topics}}
    truth = {t: {"a": 0, "b": 1, "c": 2} for t in topics}
    judge = {t: {"a": 1, "b": 1, "c": 0} for t in topics}
    found = bias(runs, truth, judge, depth=1)
    assert (found.systems["A"].truth, found.systems["A"].judge) == (2, 0)
    assert (found.systems["B"].truth, found.systems["B"].judge) == (0, 1)


def test_documents_that_both_judged_count_and_coverage_is_said():
    runs = {"A": {"1": {"a": 3.0, "b": 2.0, "c": 1.0}}, "B": {"1": {"a": 3.0, "z": 2.0}}}
    found = bias(runs, {"1": {"a": 1, "b": 0, "c": 1}}, {"1": {"a": 2, "c": 0}}, depth=2)
    assert (found.judged, found.retrieved, found.topics) == (2, 4, 1)
    assert (found.systems["A"].truth, found.systems["A"].judge) == (1, 2)
    assert "Of the first 2 documents of 2 systems, truth and judge have both judged 50%, over 1 topic." in str(found)


def test_topics_without_judged_documents_are_left_out_and_counted():
    runs, truth, judge = collection(topics=6)
    for topic in "0123":
        runs["B"][topic] = {"unjudged": 1.0}
    del runs["C"]["5"]
    runs["D"]["other"] = {"d1": 1.0}
    found = bias({**runs}, {**truth, "7": {"d1": 1}}, judge)
    assert [found.systems[system].topics for system in SYSTEMS] == [6, 2, 5, 6]
    assert np.isnan(found.systems["B"].favour)
    assert not np.isnan(found.systems["B"].truth)
    assert list(found.systems)[-1] == "B"
    assert found.notes[:2] == ("1 topic only in truth: 7", "1 topic of the runs not judged by both, left out: other")
    assert "topics left out for a system because both judged none of its first documents: B (4), C (1)" in found.notes
    assert "no favour for fewer than 3 topics: B" in found.notes


def test_one_system_has_leniency_and_no_favour():
    runs, truth, judge = collection()
    found = bias({"A": runs["A"]}, truth, judge)
    assert not np.isnan(found.leniency).any()
    assert np.isnan(found.pvalue)
    assert found.undefined == "it is relative to other systems, and there is only one"


def test_a_favour_that_is_the_same_in_all_topics_is_significant():
    topics = "1234"
    runs = {"A": {t: {"a": 1.0, "c": 2.0} for t in topics}, "B": {t: {"b": 1.0, "d": 2.0} for t in topics}}
    truth = {t: {"a": 0, "b": 0, "c": 1, "d": 1} for t in topics}
    judge = {t: {"a": 1, "b": 0, "c": 1, "d": 1} for t in topics}
    found = bias(runs, truth, judge)
    assert found.systems["A"].favour == found.systems["A"].low == found.systems["A"].high == 0.25
    assert found.systems["A"].reverse == pytest.approx(-1 / 6)
    assert (found.systems["A"].pvalue, found.favoured, found.disfavoured) == (0, ["A"], ["B"])


@pytest.mark.parametrize(("truth", "judge"), [({}, {}), ({"1": {"a": 1}}, {"1": {"b": 1}}), ({"1": {"a": 1}}, {})])
def test_nothing_in_common_is_said(truth, judge):
    found = bias({"A": {"1": {"a": 1.0}}, "B": {"1": {"b": 1.0}}}, truth, judge)
    assert np.isnan(found.leniency).all()
    assert found.sentences() == [
        "truth and judge have both judged none of the first 10 documents of the systems, so nothing can be said of "
        "leniency and favour."
    ]
    assert str(found)


def test_runs_in_other_forms():
    runs, truth, judge = collection()
    rows = {
        system: pd.DataFrame(
            [(topic, doc, score) for topic, docs in run.items() for doc, score in docs.items()],
            columns=["qid", "docno", "score"],
        )
        for system, run in runs.items()
    }
    expected = bias_of(runs, truth, judge, 10, 0.95, ("truth", "judge")).as_dict()
    assert bias(rows, truth, judge).as_dict() == bias(runs, truth, judge).as_dict() == expected


def test_tables_and_records():
    found = bias(*collection(favoured=1), names=("people", "model"))
    systems, summary = found.tables()
    assert systems.records()[0]["system"] == "A"
    assert [column.heading for column in systems.columns][2:4] == ["mean people", "mean model"]
    assert summary.records()[0]["leniency"] == found.leniency[0]
    written = json.loads(json.dumps(plain(found.as_dict()), allow_nan=False))
    assert (written["favoured"], written["depth"], written["truth"]) == (["A"], 10, "people")
    assert repr(found).startswith("<Bias of model against people, 4 systems: leniency = ")
    assert "<th>favour</th>" in found._repr_html_()
    assert (exact_p(0.0), exact_p(0.25), exact_p(1e-9)) == ("< 1e-300", "0.2500", "1e-09")


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"runs": {}}, ValueError, "'runs' has no runs"),
        ({"runs": [1]}, TypeError, "'runs' must be paths, a mapping of systems to runs, Runs of ranx, or a table"),
        ({"runs": {"A": {"1": {"a": "x"}}}}, TypeError, "the score of document 'a' for topic '1' in 'run of A'"),
        ({"runs": {"A": {1: {"a": 1.0}}}}, TypeError, r"no topic can be on both sides: 'runs\['A'\]'"),
        ({"runs": {"A": {"1": {7: 1.0}}}}, TypeError, "no document can be on both sides"),
        ({"depth": 0}, ValueError, "'depth' must be 1 or more"),
        ({"depth": 1.5}, TypeError, "'depth' must be a whole number"),
        ({"level": 0}, ValueError, "'level' must be between 0 and 1"),
        ({"names": ("a",)}, ValueError, "'names' must be two names"),
    ],
)
def test_refusals_name_the_argument(changed, error, message):
    given = {"runs": {"A": {"1": {"a": 1.0}}}, "truth": {"1": {"a": 1}}, "judge": {"1": {"a": 1}}}
    with pytest.raises(error, match=message):
        bias(**{**given, **changed})


def test_systems_with_the_same_documents_have_no_favour():
    topics = "123456"
    runs = {
        name: {t: {doc: float(len(order) - k) for k, doc in enumerate(order)} for t in topics}
        for name, order in {"A": "abcd", "B": "dcba"}.items()
    }
    truth = {t: {"a": 1, "b": 1, "c": 0, "d": 0} for t in topics}
    judge = {t: {"a": 2, "b": 1, "c": 0, "d": 0} for t in topics}
    found = bias(runs, truth, judge, depth=4)
    assert np.isnan(found.pvalue)
    assert "is undefined: all systems have the same first documents" in found.sentences()[0]
    assert bias(runs, truth, judge, depth=1).undefined == ""


def test_no_document_in_common_is_the_reason():
    found = bias({"A": {"1": {"a": 1.0}}, "B": {"1": {"b": 1.0}}}, {"1": {"a": 1}}, {"1": {"b": 1}})
    assert found.undefined == "no document of a system was judged by both"
