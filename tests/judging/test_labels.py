"""`agreement`: what two judges have in common, and what is said where nothing can be."""

import gzip
import json
from collections import namedtuple

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score, confusion_matrix

from ircor.judging import agreement
from ircor.judging._labels import agreement_of, fisher_limits
from ircor.show.tables import plain

TRUTH = {"1": {"a": 2, "b": 1, "c": 0, "d": 0}, "2": {"a": 0, "e": 1, "f": 0}, "3": {"g": 1}}
JUDGE = {"1": {"a": 2, "b": 2, "c": 0, "d": 1}, "2": {"a": 0, "e": 1, "h": 1}, "4": {"g": 1}}


def random_judges(topics=12, documents=40, seed=1, grades=4):
    rng = np.random.default_rng(seed)
    truth, judge = {}, {}
    for topic in map(str, range(topics)):
        given = rng.choice(grades, documents, p=rng.dirichlet(np.ones(grades)))
        other = np.where(rng.random(documents) < 0.4, rng.choice(grades, documents), given)
        truth[topic], judge[topic] = ({f"d{k}": int(x) for k, x in enumerate(side)} for side in (given, other))
    return truth, judge


def lists(truth, judge):
    pairs = [(truth[topic][doc], judge[topic][doc]) for topic in truth for doc in truth[topic]]
    return [list(side) for side in zip(*pairs)]


def rows(qrels):
    return [(topic, doc, grade) for topic, docs in qrels.items() for doc, grade in docs.items()]


def test_only_pairs_that_both_judged_are_compared():
    found = agreement(TRUTH, JUDGE)
    assert found.coverage == (6, 2, 2)
    assert found.coverage.share_of_truth == found.coverage.share_of_judge == 6 / 8
    assert found.grades == (0, 1, 2)
    assert found.confusion.tolist() == [[2, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert list(found.topics) == ["1", "2"]
    assert [number for number, _ in found.topics.values()] == [4, 2]
    assert found.notes[:2] == ("1 topic only in truth: 3", "1 topic only in judge: 4")


def test_shares_are_of_each_side():
    found = agreement({"1": {"a": 1, "b": 0, "c": 0, "d": 1}}, {"1": {"a": 1, "b": 1}})
    assert (found.coverage.share_of_truth, found.coverage.share_of_judge) == (0.5, 1)
    assert "have both judged 2 documents: 50% of those of truth and 100% of those of judge." in found.sentences()[0]


def test_overall_and_by_topic_as_scikit_learn_has_it():
    truth, judge = random_judges()
    found = agreement(truth, judge)
    np.testing.assert_array_equal(found.confusion, confusion_matrix(*lists(truth, judge)))
    expected = cohen_kappa_score(*lists(truth, judge), weights="quadratic")
    assert found.coefficients.kappa_quadratic == pytest.approx(expected)
    for topic, (number, values) in found.topics.items():
        one = [list(side[topic].values()) for side in (truth, judge)]
        assert number == 40
        assert values.kappa == pytest.approx(cohen_kappa_score(*one))
        assert values.kappa_linear == pytest.approx(cohen_kappa_score(*one, labels=range(4), weights="linear"))


def test_the_order_of_documents_and_topics_does_not_matter():
    truth, judge = random_judges()
    turned = {topic: dict(reversed(docs.items())) for topic, docs in reversed(judge.items())}
    found, expected = agreement(truth, turned), agreement(truth, judge)
    assert found.as_dict() == expected.as_dict()


def forms(qrels, folder):
    """The same judgments in all forms that are taken."""
    Qrel = namedtuple("Qrel", ["query_id", "doc_id", "relevance"])
    text = "".join(f"{topic} 0 {doc} {grade}\n" for topic, doc, grade in rows(qrels))
    (folder / "qrels").write_text(text)
    (folder / "qrels.gz").write_bytes(gzip.compress(text.encode()))
    yield folder / "qrels"
    yield str(folder / "qrels.gz")
    yield pd.DataFrame(rows(qrels), columns=["qid", "docno", "label"])
    yield [Qrel(*row) for row in rows(qrels)]


def test_judgments_in_all_forms(tmp_path):
    expected = agreement(TRUTH, JUDGE).as_dict()
    (tmp_path / "judge").mkdir()
    for truth, judge in zip(forms(TRUTH, tmp_path), forms(JUDGE, tmp_path / "judge")):
        np.testing.assert_equal(agreement(truth, judge).as_dict(), expected)
    np.testing.assert_equal(agreement_of(TRUTH, JUDGE, ("truth", "judge")).as_dict(), expected)


@pytest.mark.parametrize(
    ("truth", "judge"), [({}, {}), (TRUTH, {}), (TRUTH, {"9": {"a": 1}}), (TRUTH, {"1": {"z": 1}, "2": {"z": 2}})]
)
def test_no_document_in_common_is_said(truth, judge):
    found = agreement(truth, judge)
    assert all(np.isnan(found.coefficients))
    assert found.coverage.both == 0
    assert found.sentences() == ["truth and judge have judged no document in common, so their agreement is undefined."]
    assert found.confusion.shape == (0, 0)
    assert str(found)
    json.dumps(plain(found.as_dict()), allow_nan=False)


def test_a_topic_without_common_documents_is_named():
    found = agreement({"1": {"a": 1, "b": 0}, "2": {"c": 1}}, {"1": {"a": 1, "b": 0}, "2": {"d": 1}})
    assert "1 topic without a document that both judged: 2" in found.notes
    assert found.topics["2"][0] == 0


def test_one_grade_on_both_sides_is_said():
    found = agreement({"1": {"a": 0, "b": 0}}, {"1": {"a": 0, "b": 0}})
    assert found.coefficients.agreement == 1
    assert np.isnan(found.coefficients.kappa)
    assert "truth gave all of them the grade 0 and judge gave all of them the grade 0, so kappa" in found.sentences()[0]
    assert any(note.startswith("kappa and alpha are undefined for 1 topic") for note in found.notes)


def test_a_judge_of_one_grade_is_said():
    found = agreement({"1": {"a": 0, "b": 1}}, {"1": {"a": 1, "b": 1}}, names=("people", "model"))
    assert found.sentences()[0].endswith(
        "They gave 50% of them the same grade. model gave all of them the grade 1, so kappa and alpha are undefined: "
        "who gives one grade only makes no distinctions to agree on."
    )
    assert np.isnan(found.coefficients.kappa)


def test_other_ranges_of_grades_are_said():
    found = agreement({"1": {"a": 0, "b": 1}}, {"1": {"a": 0, "b": 3}}, names=("people", "model"))
    (note,) = [note for note in found.notes if "range" in note]
    assert "people from 0 to 1 and model from 0 to 3: is it the same scale?" in note
    assert not [note for note in agreement(TRUTH, JUDGE).notes if "range" in note]


def test_whole_grades_are_one_grade_in_either_type():
    found = agreement({"1": {"a": 1, "b": 0.5}}, {"1": {"a": 1.0, "b": 0.5}})
    assert found.grades == (0.5, 1)
    assert found.coefficients.kappa == 1
    assert [column.heading for column in found.tables()[1].columns] == ["truth", "judge 0.5", "judge 1"]


def test_scores_are_not_grades():
    scores = {"1": {str(k): k / 7 for k in range(201)}}
    with pytest.raises(ValueError, match="have 201 different grades, more than 200: these are scores"):
        agreement(scores, scores)
    del scores["1"]["0"]
    assert agreement(scores, scores).coefficients.kappa == 1


def test_huge_grades_need_no_more_memory():
    truth = {"1": {"a": 0, "b": 1, "c": 10**12}, "2": {"a": 10**400, "b": -2}}
    found = agreement(truth, truth)
    assert found.confusion.shape == (5, 5)
    assert found.coefficients == (1,) * 9
    assert str(found)


# The interval over topics


def test_the_interval_is_about_that_of_a_bootstrap_over_topics():
    truth, judge = random_judges(topics=40)
    found = agreement(truth, judge)
    pairs = [[list(side[topic].values()) for side in (truth, judge)] for topic in truth]

    def quadratic(topics):
        a, b = (np.concatenate([pairs[topic][side] for topic in topics]) for side in (0, 1))
        return cohen_kappa_score(a, b, weights="quadratic")

    rng = np.random.default_rng(1)
    error = np.std([quadratic(rng.choice(40, 40)) for _ in range(200)])
    low, high = found.limits["kappa_quadratic"]
    assert high - low == pytest.approx(2 * 2.02 * error, rel=0.2)
    assert low < found.coefficients.kappa_quadratic < high
    assert f"{low:.3f} to {high:.3f}" in found.sentences()[0]


@pytest.mark.parametrize("name", ["alpha_ordinal", "ac1", "ac2"])
def test_other_intervals_leave_out_topics(name):
    truth, judge = random_judges(topics=20)
    found = agreement(truth, judge)
    others = [[{t: docs for t, docs in side.items() if t != topic} for side in (truth, judge)] for topic in truth]
    without = [getattr(agreement(*sides).coefficients, name) for sides in others]
    error = np.sqrt(19 / 20 * ((without - np.mean(without)) ** 2).sum())
    value = getattr(found.coefficients, name)
    expected = np.tanh(np.arctanh(value) + np.array([-1, 1]) * 2.093024 * error / (1 - value**2))
    assert found.limits[name] == pytest.approx(expected, rel=1e-6)


def test_the_limits_are_t_limits_for_a_small_error():
    # R 4.2.2: qt(0.975, 9) = 2.262157, qt(0.95, 9) = 1.833113
    for level, quantile in ((0.95, 2.262157), (0.9, 1.833113)):
        low, high = fisher_limits(0.5, 1e-6, 10, level)
        assert (high - low) / 2e-6 == pytest.approx(quantile, rel=1e-5)
    assert np.tanh(np.arctanh(0.9) + 2.262157 * 0.05 / (1 - 0.81)) == pytest.approx(
        fisher_limits(0.9, 0.05, 10, 0.95)[1]
    )


def test_no_interval_for_few_topics_or_without_disagreement():
    truth, judge = random_judges(topics=4)
    few = agreement(truth, judge)
    assert np.isnan(few.limits["kappa"]).all()
    assert "no intervals for kappa: they need 5 topics or more, and there are 4" in few.notes
    truth, judge = random_judges(topics=5)
    assert not np.isnan(agreement(truth, judge).limits["kappa"]).any()
    assert np.isnan(agreement(truth, truth).limits["kappa"]).all()
    assert any("the same, or undefined, without one of the topics" in note for note in agreement(truth, truth).notes)


def test_topics_without_common_documents_do_not_count_for_the_interval():
    truth, judge = random_judges(topics=8)
    expected = agreement(truth, judge)
    found = agreement({"x": {"d0": 1}, **truth, "y": {"d0": 1}}, {"x": {"d1": 1}, **judge, "y": {"d1": 0}})
    assert found.limits == expected.limits


# What is shown and what is refused


def test_tables_sentences_and_records():
    found = agreement(*random_judges(), names=("people", "model"))
    summary, confusion, topics = found.tables()
    (row,) = summary.records()
    assert (row["both"], row["kappa"], row["kappa_low"]) == (480, found.coefficients.kappa, found.limits["kappa"][0])
    assert len(summary.lines()[0]) == 10
    assert [column.heading for column in confusion.columns] == ["people", *(f"model {grade}" for grade in range(4))]
    assert confusion.records()[1] == {"grade": 1, **{str(k): n for k, n in enumerate(found.confusion[1].tolist())}}
    assert len(topics.rows) == 12
    json.dumps(plain(found.as_dict()), allow_nan=False)
    assert found.as_dict()["truth"] == "people"
    assert repr(found).startswith("<Agreement of people and model, 480 documents: kappa = 0.")
    assert "<th>kappa quadratic</th>" in found._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((3, JUDGE), {}, TypeError, "'truth' must be a path"),
        ((TRUTH, {"1": {"a": "x"}}), {}, TypeError, "the relevance of document 'a' for topic '1' in 'judge'"),
        ((TRUTH, {"1": {"a": float("nan")}}), {}, ValueError, "the relevance .* in 'judge' is not finite"),
        ((TRUTH, {1: {"a": 1}}), {}, TypeError, "no topic can be on both sides"),
        ((TRUTH, {"1": {5: 1}}), {}, TypeError, "no document can be on both sides"),
        ((TRUTH, JUDGE), {"names": "ab"}, ValueError, "'names' must be two names"),
        ((TRUTH, JUDGE), {"names": ("a", "a")}, ValueError, "'names' must be different names"),
        ((TRUTH, JUDGE), {"level": 1}, ValueError, "'level' must be between 0 and 1"),
    ],
)
def test_refusals_name_the_argument(arguments, options, error, message):
    with pytest.raises(error, match=message):
        agreement(*arguments, **options)


def test_a_malformed_file_is_named_with_its_line(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b x\n")
    with pytest.raises(ValueError, match="qrels.*2.*relevance"):
        agreement(tmp_path / "qrels", JUDGE)
