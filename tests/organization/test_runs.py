"""Runs against relevance judgments."""

import numpy as np
import pandas as pd
import pytest
from organizations import NOTHING, OPTIONS

import ircor
from ircor.organization import Organization, evaluate, evaluate_runs

RUN = {"1": {"d1": 9.5, "d7": 8.0, "d2": 7.5}, "2": {"d5": 3.0, "d4": 3.0}, "9": {"d1": 1.0}}

QRELS = {"1": {"d1": 1, "d2": 2, "d7": 0}, "2": {"d5": 1, "d6": 2}, "3": {"d8": 1}}


def test_runs_are_rankings():
    result = evaluate_runs(RUN, QRELS, **OPTIONS)
    by_hand = {
        "1": (Organization.from_ranking(["d1", "d7", "d2"]), Organization.from_ranking(["d2", "d1"])),
        "2": (Organization.from_ranking([["d5", "d4"]]), Organization.from_ranking(["d6", "d5"])),
        "3": (NOTHING, Organization.from_ranking(["d8"])),
    }
    expected = {topic: evaluate(*sides, **OPTIONS).priority for topic, sides in by_hand.items()}
    assert result.topics == expected
    assert result.mean == pytest.approx(np.mean(list(expected.values()), axis=0))
    assert (result.missing, result.unjudged, result.without_relevant) == (["3"], ["9"], [])
    frame = result.to_frame()
    assert list(frame.columns) == ["reliability", "sensitivity", "f"]
    assert frame.loc["1"].tolist() == list(expected["1"])
    assert list(frame.index) == ["1", "2", "3"]


def test_options_of_runs():
    flat = evaluate_runs(RUN, QRELS, graded=False, **OPTIONS).topics["1"]
    ranking = Organization.from_ranking(["d1", "d7", "d2"])
    assert flat == evaluate(ranking, Organization.from_filter(["d1", "d2"]), **OPTIONS).priority
    strict = evaluate_runs(RUN, QRELS, min_relevance=2, **OPTIONS)
    assert strict.topics["1"] == evaluate(ranking, Organization.from_filter(["d2"]), **OPTIONS).priority
    # Topics without a relevant document are not scored for any run, so that all means are over the same topics.
    assert list(strict.topics) == ["1", "2"]
    assert strict.without_relevant == ["3"]
    assert list(evaluate_runs({"3": {"d8": 1}}, QRELS, min_relevance=2, **OPTIONS).topics) == ["1", "2"]
    assert evaluate_runs({}, QRELS, **OPTIONS).mean == (0, 0, 0)
    graded = {"1": {"d1": 0.5, "d2": 1.5}}
    half = evaluate_runs(RUN, graded, min_relevance=0.5, **OPTIONS).topics["1"]
    assert half == evaluate(ranking, Organization.from_ranking(["d2", "d1"]), **OPTIONS).priority
    broken = evaluate_runs(RUN, QRELS, ties="trec_eval", **OPTIONS).topics["2"]
    sides = Organization.from_ranking(["d5", "d4"]), Organization.from_ranking(["d6", "d5"])
    assert broken == evaluate(*sides, **OPTIONS).priority


def test_numbers_of_runs_are_compared_as_they_are():
    plain = {"1": {"a": 3, "b": 0, "c": 200}}, {"1": {"a": 1}}
    small = {"1": {doc: np.uint8(score) for doc, score in plain[0]["1"].items()}}
    assert evaluate_runs(small, plain[1], **OPTIONS) == evaluate_runs(*plain, **OPTIONS)
    apart, tied = {"1": {"a": 2**53 + 1, "b": 2**53}}, {"1": {"a": 1, "b": 1}}
    assert evaluate_runs(apart, plain[1], **OPTIONS) != evaluate_runs(tied, plain[1], **OPTIONS)
    # trec_eval compares ids as text, so it ranks 9 before 10.
    ids = {"1": {9: 1.0, 10: 1.0}}, {"1": {9: 1}}
    text = {"1": {"9": 1.0, "10": 1.0}}, {"1": {"9": 1}}
    options = OPTIONS | {"ties": "trec_eval"}
    assert evaluate_runs(*ids, **options).mean == evaluate_runs(*text, **options).mean


def test_runs_from_files_and_tables(tmp_path):
    expected = evaluate_runs(RUN, QRELS, **OPTIONS)
    run, qrels = tmp_path / "run", tmp_path / "qrels"
    run.write_text("".join(f"{t} Q0 {d} 0 {s} me\n" for t, docs in RUN.items() for d, s in docs.items()))
    qrels.write_text("".join(f"{t} 0 {d} {s}\n" for t, docs in QRELS.items() for d, s in docs.items()))
    assert evaluate_runs(run, str(qrels), **OPTIONS) == expected
    frames = ircor.trec.read_run(run), ircor.trec.read_qrels(qrels)
    assert evaluate_runs(*frames, **OPTIONS) == expected
    names = {"topic": "query_id", "doc": "doc_id"}
    assert evaluate_runs(*(frame.rename(columns=names) for frame in frames), **OPTIONS) == expected


def test_runs_that_are_refused():
    table = pd.DataFrame({"topic": ["1", "1"], "doc": ["d", "d"], "score": [1.0, 2.0]})
    for run, qrels, error, words in [
        (RUN, {}, ValueError, "'qrels' has no topics"),
        ({"8": {"d": 1}}, QRELS, ValueError, "no topic of 'run' is in 'qrels': they have '8' and '1', '2', '3'"),
        ({1: {"d": 1}}, QRELS, TypeError, "no topic can be on both sides: 'run' has ids of type int"),
        (
            {"1": {"d": float("nan")}},
            QRELS,
            ValueError,
            "the score .* in 'run' is not finite",
        ),
        ({"1": {"d": "high"}}, QRELS, TypeError, "must be a number, not 'high'"),
        ([1, 2], QRELS, TypeError, "'run' must be a path, .* or an iterable of named tuples, .* not an iterable of 1"),
        (table, QRELS, ValueError, "'run' has document 'd' twice for topic '1'"),
        (table.drop(columns="score"), QRELS, ValueError, "'run' has no column of scores: score; it has 'topic', 'doc'"),
        (table.drop(columns="topic"), QRELS, ValueError, "'run' has no column of topics: topic, qid or query_id"),
        ("no such file", QRELS, OSError, "no such file"),
        ({"1": {"d": float("inf")}}, QRELS, ValueError, "is not finite"),
        ({"1": ["d"]}, QRELS, TypeError, "'run' must map topic '1' to a mapping of documents to numbers"),
        ({"1": {"d": 1}, None: {"d": 1}}, QRELS, ValueError, "'run' has a topic without a name"),
        ({"1": {7: 1}}, QRELS, TypeError, "topic '1': no document can be on both sides"),
        (pd.DataFrame({"topic": [["1"]], "doc": ["d"], "score": [1.0]}), QRELS, TypeError, "a topic must be hashable"),
        (
            pd.DataFrame({"topic": ["1"], "doc": [["d"]], "score": [1.0]}),
            QRELS,
            TypeError,
            "a document id must be hashable",
        ),
    ]:
        with pytest.raises(error, match=words):
            evaluate_runs(run, qrels, **OPTIONS)
    with pytest.raises(ValueError, match="'ties' must be one of level, trec_eval, not 'keep'"):
        evaluate_runs(RUN, QRELS, ties="keep", **OPTIONS)
    for options, error, words in [
        ({"top": 0, "weight": 0.5}, ValueError, "'top' must be 1 or more"),
        ({"top": None, "weight": 0.5}, TypeError, "'top' must be a whole number, not None"),
        ({"top": 10, "weight": None}, TypeError, "'weight' must be a number, not None"),
        (OPTIONS | {"ties": pd.NA}, ValueError, "'ties' must be one of level, trec_eval, not <NA>"),
        (OPTIONS | {"ties": pd.DataFrame()}, ValueError, "'ties' must be one of level, trec_eval, not a DataFrame"),
        ({"top": 10**400, "weight": 0.5}, ValueError, "'top' is too large"),
        (OPTIONS | {"min_relevance": "1"}, TypeError, "'min_relevance' must be a number"),
        (OPTIONS | {"min_relevance": float("nan")}, ValueError, "'min_relevance' must not be nan"),
        (OPTIONS | {"graded": "no"}, TypeError, "'graded' must be True or False, not 'no'"),
        (OPTIONS | {"graded": 1}, TypeError, "'graded' must be True or False, not 1"),
    ]:
        with pytest.raises(error, match=words):
            evaluate_runs(RUN, QRELS, **options)


def test_a_result_as_text_html_and_records():
    result = evaluate_runs(RUN, QRELS, min_relevance=1, **OPTIONS)
    (table,) = result.tables()
    assert [column.key for column in table.columns] == ["topic", "reliability", "sensitivity", "f"]
    assert [tuple(row.values()) for row in table.records()] == [
        *((topic, *scores) for topic, scores in result.topics.items()),
        ("mean", *result.mean),
    ]
    lines = str(result).splitlines()
    assert lines[0].split() == ["topic", "reliability", "sensitivity", "f"]
    assert lines[4].split() == ["mean", *(f"{value:.4f}" for value in result.mean)]
    assert lines[5:] == ["", f"Note: {result.notes[0]}", f"Note: {result.notes[1]}"]
    html = result._repr_html_()
    assert f"<tr><td>mean</td><td>{result.mean.reliability:.4f}</td>" in html
    assert f"<p>Note: {result.notes[0]}</p>" in html
    assert result.as_dict() == {
        "topics": {topic: scores._asdict() for topic, scores in result.topics.items()},
        "mean": dict(zip(("reliability", "sensitivity", "f"), result.mean)),
        "missing": ["3"],
        "unjudged": ["9"],
        "without_relevant": [],
    }
    assert repr(result) == f"RunsResult(mean={result.mean!r}, missing=['3'], unjudged=['9'], without_relevant=[])"


def test_notes_about_topics():
    qrels = QRELS | {"4": {"d9": 0}, "5": {"d9": 0}}
    assert evaluate_runs(RUN, qrels, **OPTIONS).notes == [
        "1 topic not in the run, scored as 0: 3",
        "1 topic of the run without judgments, not scored: 9",
        "2 topics without a relevant document, not scored: 4, 5",
    ]
    many = evaluate_runs(RUN | {f"x{k}": {} for k in range(11)}, qrels, **OPTIONS)
    assert many.notes[1] == (
        "12 topics of the run without judgments, not scored: 9, x0, x1, x2, x3, x4, x5, x6, x7, x8 and 2 more"
    )
    complete = {topic: RUN[topic] for topic in ("1", "2")}, {topic: QRELS[topic] for topic in ("1", "2")}
    assert evaluate_runs(*complete, **OPTIONS).notes == []


def test_no_topic_with_a_relevant_document():
    result = evaluate_runs(RUN, QRELS, min_relevance=3, **OPTIONS)
    assert result.topics == {}
    assert all(map(np.isnan, result.mean))
    assert result.without_relevant == ["1", "2", "3"]
    assert str(result).splitlines()[:2] == [
        "topic  reliability  sensitivity          f",
        "mean     undefined    undefined  undefined",
    ]


def test_progress_is_told_topic_by_topic():
    told = []
    qrels = {"1": {"a": 1}, "2": {"a": 0}, "3": {"b": 1}}
    evaluate_runs({"1": {"a": 1.0}}, qrels, top=2, weight=0.5, progress=lambda *steps: told.append(steps))
    assert told == [(1, 3), (2, 3), (3, 3)]
