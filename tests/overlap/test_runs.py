"""The overlap of runs, topic by topic, against `rbo` of rankings that were made by hand, and the definition."""

from collections import namedtuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from overlaps import defined_rbo
from scipy.stats import t

from ircor.overlap import RunsOverlap, rbo, rbo_runs
from ircor.statistics._intervals import mean_interval

A = {
    "1": {"d1": 9.5, "d7": 8.0, "d2": 7.5, "d3": 7.5, "d4": 1.0},
    "2": {"d5": 3.0, "d6": 2.0},
    "10": {"x": 1.0, "y": 1.0, "z": 0.5},
}
B = {
    "10": {"y": 3, "w": 2},
    "2": {"d6": 0.8, "d5": 0.5, "d9": 0.5},
    "1": {"d1": 0.9, "d2": 0.4, "d7": 0.4, "d8": 0.4},
}
RANKED_A = {"1": ["d1", "d7", {"d2", "d3"}, "d4"], "2": ["d5", "d6"], "10": [{"x", "y"}, "z"]}
RANKED_B = {"1": ["d1", {"d2", "d7", "d8"}], "2": ["d6", {"d5", "d9"}], "10": ["y", "w"]}
# By score, and by id from the last to the first where scores are equal.
UNTIED_A = {"1": ["d1", "d7", "d3", "d2", "d4"], "2": ["d5", "d6"], "10": ["y", "x", "z"]}
UNTIED_B = {"1": ["d1", "d8", "d7", "d2"], "2": ["d6", "d9", "d5"], "10": ["y", "w"]}
TOPICS = ["1", "2", "10"]
SCORES = ["ext", "min", "max", "res"]


def by_hand(x, y, p, ties, topics=TOPICS):
    """The four scores of each topic, by the definition."""
    return [[defined_rbo(x[topic], y[topic], p, ties)[name] for name in SCORES] for topic in topics]


def lines_of(run, name):
    return "".join(
        f"{topic} Q0 {doc} {rank} {score} {name}\n"
        for topic, documents in run.items()
        for rank, (doc, score) in enumerate(documents.items(), 1)
    )


@pytest.fixture
def files(tmp_path):
    """The two runs as files."""
    for name, run in (("a", A), ("b", B)):
        (tmp_path / f"{name}.run").write_text(lines_of(run, f"run-{name}"))
    return tmp_path / "a.run", str(tmp_path / "b.run")


@pytest.mark.parametrize("ties", ["w", "a", "b"])
@pytest.mark.parametrize("p", [0.5, 0.9])
def test_topics_are_those_of_the_definition(ties, p):
    found = rbo_runs(A, B, p, ties)
    assert list(found.scores.index) == TOPICS
    assert list(found.scores.columns) == SCORES
    expected = by_hand(RANKED_A, RANKED_B, p, ties)
    assert found.scores.to_numpy() == pytest.approx(np.array(expected), abs=1e-14)
    assert found.scores.loc["1"].to_dict() == pytest.approx(dict(rbo(RANKED_A["1"], RANKED_B["1"], p, ties)), abs=1e-15)
    assert found.mean == pytest.approx(np.mean(expected, axis=0)[0], abs=1e-14)
    assert list(found.means.values()) == pytest.approx(np.mean(expected, axis=0), abs=1e-14)
    assert found.residuals.tolist() == found.scores["res"].tolist()
    assert (found.p, found.ties, found.depth, found.score, found.level) == (p, ties, None, "ext", 0.95)


def test_topics_are_in_the_order_of_numbers_or_of_the_first_run():
    assert list(rbo_runs(B, A, 0.9).topics.index) == TOPICS
    assert list(rbo_runs(*({f"t{k}": run[k] for k in run} for run in (B, A)), 0.9).topics.index) == ["t10", "t2", "t1"]


def test_the_order_of_trec_eval_has_no_ties():
    found = rbo_runs(A, B, 0.9, "trec_eval")
    assert found.scores.to_numpy() == pytest.approx(np.array(by_hand(UNTIED_A, UNTIED_B, 0.9, "a")), abs=1e-14)
    cut = rbo_runs(A, B, 0.9, "trec_eval", 3)
    short = [{topic: ranking[:3] for topic, ranking in run.items()} for run in (UNTIED_A, UNTIED_B)]
    assert cut.scores.to_numpy() == pytest.approx(np.array(by_hand(*short, 0.9, "a")), abs=1e-14)
    assert not any("depth" in note for note in cut.notes)


def test_a_tie_that_crosses_the_depth_counts_as_a_whole():
    found = rbo_runs(A, B, 0.9, depth=3)
    a = {"1": ["d1", "d7", {"d2", "d3"}], "2": ["d5", "d6"], "10": [{"x", "y"}, "z"]}
    assert found.scores.to_numpy() == pytest.approx(np.array(by_hand(a, RANKED_B, 0.9, "a")), abs=1e-14)
    assert "a tie crosses the depth of 3 in 1 topic, and all of its documents count" in found.notes
    first = rbo_runs(A, B, 0.9, depth=1)
    a, b = {"1": ["d1"], "2": ["d5"], "10": [{"x", "y"}]}, {"1": ["d1"], "2": ["d6"], "10": ["y"]}
    assert first.scores.to_numpy() == pytest.approx(np.array(by_hand(a, b, 0.9, "a")), abs=1e-14)
    assert rbo_runs(A, B, 0.9, depth=99).scores.equals(rbo_runs(A, B, 0.9).scores)


def test_exact_values_of_a_tiny_example():
    # Agreement: 1 and 1; 0 and 1; known up to depth 2.
    found = rbo_runs(
        {"1": {"a": 2, "b": 1}, "2": {"a": 2, "b": 1}}, {"1": {"a": 2, "b": 1}, "2": {"b": 2, "a": 1}}, 0.5
    )
    assert found.topics.tolist() == [1.0, 0.5]
    # X_2 = 2: ln 2 - 1/2 - 1/8, times 2 (1 - p) / p, on top of the first two depths.
    rest = 2 * (np.log(2) - 0.625)
    assert found.scores["min"].tolist() == pytest.approx([0.75 + rest, 0.25 + rest], abs=1e-15)
    assert found.scores["max"].tolist() == [1.0, 0.5]
    assert found.mean == 0.75


def rows_of(run):
    rows = [(topic, doc, float(score)) for topic, docs in run.items() for doc, score in docs.items()]
    return dict(zip(("qid", "docno", "score"), map(list, zip(*rows))))


def test_the_same_from_files_tables_and_named_tuples(files):
    expected = rbo_runs(A, B, 0.9).scores
    Scored = namedtuple("ScoredDoc", ["query_id", "doc_id", "score"])
    forms = [
        files,
        [pd.DataFrame(rows_of(run)) for run in (A, B)],
        [pl.DataFrame(rows_of(run)) for run in (A, B)],
        [pa.table(rows_of(run)) for run in (A, B)],
        [[Scored(*row) for row in zip(*rows_of(run).values())] for run in (A, B)],
        (files[0], B),
    ]
    for a, b in forms:
        pd.testing.assert_frame_equal(rbo_runs(a, b, 0.9).scores, expected)
    found = rbo_runs(*files, 0.9)
    assert found.names == ("run-a", "run-b")
    assert rbo_runs(A, B, 0.9).names == ("run_a", "run_b")
    assert rbo_runs(*files, 0.9, names=("one", "two")).names == ("one", "two")


def test_files_with_the_same_name_in_their_lines(files, tmp_path):
    (tmp_path / "b.run").write_text(lines_of(B, "run-a"))
    found = rbo_runs(*files, 0.9)
    assert found.names == ("a", "b")
    assert found.notes[0] == "2 files have runs with the name 'run-a', so they have the names of the files"
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.run").write_text(lines_of(B, "run-a"))
    found = rbo_runs(files[0], tmp_path / "more" / "a.run", 0.9)
    assert found.names == (str(files[0]), str(tmp_path / "more" / "a.run"))
    assert rbo_runs(files[0], files[0], 0.9).names == ("run-a (a)", "run-a (b)")


def test_a_run_with_itself():
    untied = {"1": {"a": 3, "b": 2}, "2": {"c": 1}}
    found = rbo_runs(untied, untied, 0.9)
    assert found.topics.tolist() == [1.0, 1.0]
    assert found.interval == (1.0, 1.0)
    assert any("the interval has no width" in note for note in found.notes)
    assert rbo_runs(A, A, 0.9, "a").mean < 1
    assert rbo_runs(A, A, 0.9, "b").topics.tolist() == pytest.approx([1.0] * 3)


def test_topics_that_one_run_does_not_have():
    less = {topic: B[topic] for topic in ("10", "1")} | {"77": {"d1": 1.0}, "78": {"d1": 1.0}}
    message = (
        "run_a has no documents for the topics 77, 78; run_b has no documents for the topic 2; "
        'missing="drop" leaves out the topics that one of two runs does not have, and missing="zero" counts'
    )
    with pytest.raises(ValueError, match=message):
        rbo_runs(A, less, 0.9)
    full = rbo_runs(A, B, 0.9).scores
    dropped = rbo_runs(A, less, 0.9, missing="drop")
    assert list(dropped.scores.index) == ["1", "10"]
    assert dropped.scores.loc["10"].tolist() == full.loc["10"].tolist()
    assert any(note.endswith("topic 2: left out where one of two runs has none") for note in dropped.notes)
    zero = rbo_runs(A, less, 0.9, missing="zero")
    assert zero.topics.to_dict() == {"1": full.ext["1"], "2": 0, "10": full.ext["10"], "77": 0, "78": 0}
    assert zero.scores.loc["2"].tolist() == [0, 0, 0, 0]
    assert zero.mean == pytest.approx((full.ext["1"] + full.ext["10"]) / 5)
    assert any(note.endswith("topic 2: the overlap is counted as 0") for note in zero.notes)


def test_topics_without_documents():
    found = rbo_runs({**A, "5": {}}, {**B, "5": {}, "6": {}}, 0.9)
    assert list(found.topics.index) == TOPICS
    assert "2 topics without documents in any run, left out: 5, 6" in found.notes
    with pytest.raises(ValueError, match="run_b has no documents for the topic 2;"):
        rbo_runs(A, {**B, "2": {}}, 0.9)
    assert not any("in any run" in note for note in rbo_runs(A, {**B, "2": {}}, 0.9, missing="drop").notes)
    for empty in ({}, {"1": {}}):
        with pytest.raises(ValueError, match="'run_b' has no documents"):
            rbo_runs(A, empty, 0.9)


def test_runs_that_have_nothing_in_common():
    with pytest.raises(ValueError, match="run_a and run_b have no topic in common: run_a has '1', '2', '10' and run_b"):
        rbo_runs(A, {"01": {"d1": 1}}, 0.9, missing="zero")
    numbered = {int(topic): documents for topic, documents in B.items()}
    with pytest.raises(TypeError, match="no topic can be on both sides: 'run_a' has ids of type str and 'run_b' has"):
        rbo_runs(A, numbered, 0.9)
    with pytest.raises(TypeError, match="no document can be on both sides: 'run_a' has ids of type str and 'run_b'"):
        rbo_runs(A, {topic: dict(enumerate(docs.values())) for topic, docs in B.items()}, 0.9)
    # Disjoint rankings are no error.
    found = rbo_runs({"1": {"a": 1}}, {"1": {"b": 1}}, 0.9)
    assert found.topics.tolist() == [0.0]
    ids = {1: {1: 2.0, 2: 1.0}}, {1.0: {1.0: 2.0, 2.0: 1.0}}
    assert rbo_runs(*ids, 0.9).mean == 1


def test_scores_are_compared_exactly():
    # As floats, the two scores of the first run would be equal.
    a, b = {"1": {"x": 2**53 + 1, "y": 2.0**53, "z": 1}}, {"1": {"x": 3, "y": 2, "z": 1}}
    assert rbo_runs(a, b, 0.9, "w").mean == 1
    assert rbo_runs({"1": {"x": 2.0**53, "y": 2**53, "z": 1}}, b, 0.9, "w").mean < 1
    assert rbo_runs({"1": {"x": 0.0, "y": -0.0}}, {"1": {"x": 1, "y": 1}}, 0.9, "b").mean == pytest.approx(1)


@pytest.mark.parametrize("score", SCORES)
def test_the_mean_and_the_interval_are_of_the_score(score):
    found = rbo_runs(A, B, 0.9, score=score, level=0.8)
    values = found.scores[score].to_numpy()
    assert found.topics.tolist() == values.tolist()
    assert found.mean == pytest.approx(values.mean())
    assert found.interval == mean_interval(values, 0.8)
    assert found.interval.low < found.mean < found.interval.high


def test_the_interval_is_student_s_on_another_scale():
    values = np.array([0.1, 0.3, 0.2, 0.7, 0.5])
    low, high = mean_interval(values, 0.9)
    m, error = 0.36, values.std(ddof=1) / np.sqrt(5)
    ends = np.log(m / (1 - m)) + np.array(t.interval(0.9, 4)) * error / (m * (1 - m))
    assert [low, high] == pytest.approx(1 / (1 + np.exp(-ends)), abs=1e-14)
    assert mean_interval(1 - values, 0.9) == pytest.approx((1 - high, 1 - low), abs=1e-14)
    assert mean_interval(np.array([0.4]), 0.9) is None
    assert mean_interval(np.array([0.1, 0.1, 0.1]), 0.9) == (0.1, 0.1)


def test_the_interval_stays_between_0_and_1():
    for values in ([0.0, 0.0, 1e-100], [0.0, 1.0], [1.0, 1.0, 1 - 1e-12], [0.0, 0.0, 1e-3]):
        low, high = mean_interval(np.array(values), 0.99)
        assert 0 <= low <= np.mean(values) <= high <= 1
    nearly = np.append(np.ones(99), 1 - 2**-53)
    assert mean_interval(nearly, 0.95) == (1 - 2**-53, 1)


def test_notes_on_the_interval():
    topics = {str(k): {"a": 2, "b": 1, "c": 0} for k in range(30)}
    other = {k: ({"b": 2, "a": 1, "c": 0} if int(k) % 2 else docs) for k, docs in topics.items()}
    assert rbo_runs(topics, other, 0.5).notes == ()
    some = {k: topics[k] for k in ("1", "2")}
    assert (
        rbo_runs(some, other, 0.5, missing="drop").notes[-1].startswith("with fewer than 25 topics, the interval may")
    )
    alone = rbo_runs({"1": topics["1"]}, {"1": other["1"]}, 0.5)
    assert alone.interval is None
    assert alone.notes == ("there is one topic only, and no interval for the mean",)
    assert "between" not in str(alone)
    one_differs = {k: ({"b": 2, "a": 1, "c": 0} if k == "1" else docs) for k, docs in topics.items()}
    assert rbo_runs(topics, one_differs, 0.5).notes[-1].startswith("with a mean so near to 1")


def test_notes_on_the_runs(tmp_path):
    rising = "1 Q0 a 1 1.0 up\n1 Q0 b 2 2.0 up\n"
    (tmp_path / "up.run").write_text(rising)
    notes = rbo_runs(tmp_path / "up.run", {"1": {"a": 1, "b": 1}}, 0.9).notes
    assert "1 run with scores that rise with the rank: documents are ranked by score, as in trec_eval (up)" in notes
    assert "1 run with the same score for all documents of a topic, which makes them one tie (run_b)" in notes
    assert not any("one tie" in note for note in rbo_runs(tmp_path / "up.run", {"1": {"b": 1}}, 0.9).notes)
    by_id = rbo_runs(tmp_path / "up.run", {"1": {"a": 1, "b": 1}}, 0.9, "trec_eval")
    assert not any("one tie" in note for note in by_id.notes)


def test_the_result_prints_itself():
    found = rbo_runs(A, B, 0.9)
    assert isinstance(found, RunsOverlap)
    lines = str(found).splitlines()
    assert lines[0].split() == ["topic", *SCORES]
    assert [line.split()[0] for line in lines[1:5]] == ["1", "2", "10", "mean"]
    assert lines[4].split()[1:] == [f"{value:.4f}" for value in found.means.values()]
    low, high = found.interval
    assert (
        f"The mean overlap of run_a and run_b is {found.mean:.4f} over 3 topics; in the population of topics it is "
        f"between {low:.4f} and {high:.4f} (95% confidence interval)." in str(found)
    )
    assert f"open from {found.means['min']:.4f} (min) to {found.means['max']:.4f} (max)." in str(found)
    for score, what in (("min", "least possible overlap"), ("res", "residual overlap")):
        said = rbo_runs(A, B, 0.9, score=score).sentences()
        assert said[0].startswith(
            f"The mean {what} of run_a and run_b is {found.means[score]:.4f} over 3 topics; in the"
        )
        assert "open from" not in said[0]
    assert repr(found) == f"<RunsOverlap of run_a and run_b: {found.mean:.4f} over 3 topics>"
    data = found.as_dict()
    assert data["topics"]["10"] == found.scores.loc["10"].to_dict()
    assert (data["mean"], data["low"], data["high"]) == (found.mean, low, high)
    assert data["means"] == dict(found.means)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"p": 1}, "'p' must be between 0 and 1, not 1"),
        ({"ties": "level"}, "'ties' must be one of w, a, b, trec_eval, not 'level'"),
        ({"depth": 0}, "'depth' must be 1 or more, not 0"),
        ({"score": "mean"}, "'score' must be one of ext, min, max, res, not 'mean'"),
        ({"missing": "no"}, "'missing' must be one of error, zero, drop, not 'no'"),
        ({"level": 95}, "'level' must be between 0 and 1, not 95"),
        ({"names": "ab"}, "'names' must be two names or more, one for each ranking, not 'ab'"),
    ],
)
def test_options_that_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        rbo_runs(A, B, **{"p": 0.9, **options})


def test_the_picture_has_a_dot_and_a_range_for_each_topic():
    import matplotlib as mpl

    mpl.use("Agg")
    found = rbo_runs(A, B, 0.9)
    ax = found.plot(labels=("one", "two"))
    assert ax.get_title() == "Rank-biased overlap by topic, p = 0.9"
    assert ax.get_xlabel() == "RBO of one and two"
    order = found.topics.sort_values(ascending=False)
    assert ax.lines[0].get_xdata().tolist() == order.tolist()
    assert [tick.get_text() for tick in ax.get_yticklabels()] == list(order.index)
    ends = [segment[:, 0].tolist() for segment in ax.collections[0].get_segments()]
    assert ends == found.scores.loc[order.index, ["min", "max"]].to_numpy().tolist()
    assert not rbo_runs(A, B, 0.9, score="res").plot().collections
    mpl.pyplot.close("all")


def test_single_precision_as_in_trec_eval():
    """trec_eval takes these two scores for equal, and puts b first."""
    found = rbo_runs({"1": {"a": 16777217.0, "b": 16777216.0}}, {"1": {"b": 2, "a": 1}}, 0.9, "trec_eval")
    assert found.mean == 1
    assert rbo_runs({"1": {"a": 16777217.0, "b": 16777216.0}}, {"1": {"b": 2, "a": 1}}, 0.9).mean == 0.9


def test_documents_without_ids():
    for missing in (None, float("nan")):
        with pytest.raises(ValueError, match="'run_b' has a document without an id for topic '1'"):
            rbo_runs({"1": {"a": 1}}, {"1": {missing: 1, "a": 2}}, 0.9)


def test_a_folder_is_no_run(tmp_path):
    with pytest.raises(ValueError, match="'run_a' is a folder, .*: rbo_table compares all runs of a folder"):
        rbo_runs(tmp_path, {"1": {"a": 1}}, 0.9)


def test_a_topic_that_is_called_mean():
    found = rbo_runs({"mean": {"a": 1}, "q": {"a": 1}}, {"mean": {"b": 1}, "q": {"a": 1}}, 0.9)
    assert [row.topic for row in found.tables()[0].rows] == ["mean", "q", "mean over topics"]


def test_topics_that_are_numbers_are_in_order():
    run = {10: {"a": 1}, 9: {"a": 1}}
    assert rbo_runs(run, dict(run), 0.9).topics.index.tolist() == [9, 10]


def test_the_range_with_topics_that_count_as_zero():
    found = rbo_runs({"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 1}}, 0.9, missing="zero")
    assert found.zeros == 1
    assert found.sentences()[0].endswith(" (max), with 1 topic of one run only as 0.")
    assert rbo_runs({"1": {"a": 1}}, {"1": {"a": 1}}, 0.9).sentences()[0].endswith(" (max).")
