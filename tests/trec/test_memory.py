"""Scores in memory: what pytrec_eval, ir_measures and ranx give, and data frames, read as the same in a file is."""

import json
from collections import namedtuple

import numpy as np
import pandas as pd
import pytest

from ircor import InvalidTypeError, InvalidValueError
from ircor.trec import FormatError, read_leaderboard, read_scores, score, scores_of

Metric = namedtuple("Metric", "query_id measure value")

BM25 = {"401": {"map": 0.5, "P_10": 0.25}, "402": {"map": 0.125, "P_10": 0.75}}
DENSE = {"401": {"map": 0.375, "P_10": 1.0}, "402": {"map": 0.0, "P_10": 0.5}}
BOTH = {"bm25": BM25, "dense": DENSE}
MAP = {"bm25": [0.5, 0.125], "dense": [0.375, 0.0]}
UNNAMED = "source does not name its system, which is called 'unnamed'"


class Run:
    """A Run of ranx, as far as it is read: of ranx 0.3.21."""

    def __init__(self, name, scores=None, run=None):
        self.name, self.scores, self.run = name, scores or {}, run or {}
        self.mean_scores = {measure: np.mean([*topics.values()]) for measure, topics in self.scores.items()}

    def to_typed_list(self):
        raise NotImplementedError

    def to_dict(self):
        return self.run


class Report:
    """A Report of ranx, as far as it is read."""

    def __init__(self, results):
        self.results, self.model_names = results, list(results)

    def to_dict(self):
        models = {name: {"scores": scores, "comparisons": {}} for name, scores in self.results.items()}
        return {"stat_test": "student", "metrics": ["map"], "model_names": self.model_names, **models}


def run_of(name, topics):
    measures = dict.fromkeys(measure for scores in topics.values() for measure in scores)
    by_measure = {one: {topic: np.float64(scores[one]) for topic, scores in topics.items()} for one in measures}
    return Run(name, by_measure)


def metrics(topics):
    return [Metric(topic, measure, value) for topic, scores in topics.items() for measure, value in scores.items()]


def tidy(frame):
    long = [
        (topic, system, one, frame.loc[topic, (one, system)]) for one, system in frame.columns for topic in frame.index
    ]
    return pd.DataFrame(long, columns=["topic", "system", "measure", "value"])


def by_library(frame):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    return [frame, polars.from_pandas(frame), pyarrow.Table.from_pandas(frame, preserve_index=False)]


@pytest.mark.parametrize(
    "source",
    [
        BOTH,
        {topic: {system: BOTH[system][topic] for system in BOTH} for topic in BM25},
        {name: metrics(topics) for name, topics in BOTH.items()},
        {name: iter(metrics(topics)) for name, topics in BOTH.items()},
        [run_of(name, topics) for name, topics in BOTH.items()],
        {name: run_of("other", topics) for name, topics in BOTH.items()},
        [{"bm25": BM25}, {"dense": DENSE}],
    ],
)
def test_objects_of_libraries(source):
    scores = read_scores(source)
    assert scores["map"].to_dict("list") == MAP
    assert scores["P_10"]["dense"].tolist() == [1.0, 0.5]


def test_one_measure():
    scores = read_scores(BOTH, "map")
    assert scores.attrs == {"measure": "map"}
    assert scores.to_dict("list") == MAP


@pytest.mark.parametrize("source", [BM25, metrics(BM25), iter(metrics(BM25)), run_of(None, BM25), [BM25]])
def test_one_system_without_a_name(source):
    scores = read_scores(source, "map")
    assert scores.to_dict("list") == {"unnamed": MAP["bm25"]}
    assert [note.replace("[0]", "") for note in scores.attrs["notes"]] == [UNNAMED]


def test_two_systems_without_names_are_refused():
    with pytest.raises(FormatError, match=r"no system is named here, nor in source\[0\]: give \{system: scores\}"):
        read_scores([BM25, DENSE])


def test_messages_name_the_argument():
    with pytest.raises(FormatError, match=r"^'X'\['a'\]\['401'\]\['map'\]: the value must be a finite number"):
        scores_of({"a": {"401": {"map": "x"}}}, "X")
    assert scores_of(BOTH, "X", "map").to_dict("list") == MAP
    with pytest.raises(InvalidValueError, match="^'X': system 'b' has no value for topic 402"):
        scores_of(pd.DataFrame({"topic": ["401", "402"], "a": [0.5, 0.25], "b": [0.5, None]}), "X")


def test_frames_of_several_libraries():
    wide = read_scores(BOTH)
    pd.testing.assert_frame_equal(read_scores(wide), wide)
    for frame in by_library(tidy(wide)):
        assert read_scores(frame, "map").to_dict("list") == MAP
    for frame in [wide["map"], *by_library(wide["map"].reset_index())]:
        assert read_scores(frame).to_dict("list") == MAP
    pivot = tidy(wide).pivot(index=["topic", "system"], columns="measure", values="value")
    assert read_scores(pivot)["map"].to_dict("list") == MAP
    assert read_scores(pivot["map"]).to_dict("list") == MAP


def test_a_frame_that_was_read_keeps_its_measure_and_notes():
    scores = read_scores({**BOTH, "late": {"401": {"map": 1.0}}}, "map", missing="zero")
    again = read_scores(scores, "map")
    assert {**again.attrs, "missing": scores.attrs["missing"]} == scores.attrs
    pd.testing.assert_frame_equal(again, scores)


def test_a_frame_has_the_refusals_of_the_table_in_a_file(tmp_path):
    frames = [
        pd.DataFrame({"system": ["a", "b"], "map": [0.5, 0.25]}),
        pd.DataFrame({"a": [0.5, 0.25]}, index=["x", "mean"]),
        pd.DataFrame({"topic": [401, 402], "a": [0.5, np.inf]}),
        pd.DataFrame({"topic": [401, 401], "a": [0.5, 0.25]}),
        pd.DataFrame({"401": [0.5, 0.25], "402": [0.5, 0.25]}, index=["402", "403"]),
        pd.DataFrame({"topic": [401, 402], "map": [0.5, 0.25], "x": [0.5, 0.25]}),
    ]
    for frame in frames:
        path = tmp_path / "unnamed.csv"
        frame.to_csv(path, index=frame.index.dtype != np.int64)
        with pytest.raises(FormatError) as in_file:
            read_scores(path)
        with pytest.raises(FormatError) as in_memory:
            read_scores(frame)
        error, (_, *theirs), (_, _, _, *ours) = in_memory.value, in_file.value.parts, in_memory.value.parts
        assert ours == theirs
        row = f", row {in_file.value.line - 1}" if in_file.value.line > 1 else ""
        assert str(error).startswith(f"'source'{row}: ")


def test_axes_that_say_what_they_have():
    frame = pd.DataFrame([[0.5, 0.25], [0.75, 0.0]], index=["x", "y"], columns=["a", "b"])
    with pytest.raises(FormatError, match="the other way round"):
        read_scores(frame)
    assert list(read_scores(frame.rename_axis(columns="system"))) == ["a", "b"]
    assert list(read_scores(frame.rename_axis(columns="topic"))) == ["x", "y"]
    assert list(read_scores(frame, systems="rows")) == ["x", "y"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ({"a": {"401": {"map": "x"}}}, "'source'['a']['401']['map']: the value must be a finite number, not 'x'"),
        ({"a": {"401": {"map": True}}}, "'source'['a']['401']['map']: the value of 'a, 401, map' is neither"),
        ({"a": {"x": {"map": 1.0}}}, "'source': the keys 'a' and 'x' can be topics and systems, or systems and topics"),
        ({"a": {"x": 1.0}}, "'source': the keys 'a' and 'x' can be topics and systems"),
        ({"a": {"401": {"one": 1.0}}}, "'source': it is not clear which keys are measures"),
        ({"401": {"map": 1.0}, 401: {"map": 1.0}}, "'source' has two keys that are the same as text: '401'"),
        ([Metric("401", "AP", 1.0), Metric("401", "AP", 0.5)], "'source' has AP twice for topic '401'"),
        ([("401", "AP", 1.0)], "'source[0]' must"),
        ({"a": [("401", "AP", 1.0)]}, "'source['a']' must have named tuples of query_id, measure and value"),
        ([Run("a")], "'source[0]' is a run of ranx without scores: evaluate it with save_results_in_run=True"),
        ([run_of("a", BM25), run_of("a", BM25)], "'source[1]'['a']['map']['401']: map of system 'a' for topic '401'"),
        ({"a": run_of("a", BM25), "b": BM25}, "'source['b']' must be of the kind of the others"),
        (Report({"a": {"map": 1.0}}), "'source' has means only, no scores by topic: read_leaderboard reads them"),
        (["x.eval", BM25], "'source' has paths, such as x.eval, beside objects in memory"),
        (np.ones((2, 2)), "'source' must be paths, a data frame, a mapping"),
        (3, "'source' must be paths, a data frame, a mapping"),
        ([], "there are no files to read: the list of paths is empty"),
    ],
)
def test_refusals(source, words):
    with pytest.raises((InvalidValueError, InvalidTypeError, FormatError)) as caught:
        read_scores(source)
    assert str(caught.value).startswith(words)


def test_measures_and_systems_above_the_columns():
    wide = read_scores(BOTH)
    numbered = wide.reset_index(drop=True)
    assert read_scores(numbered)["map"].to_dict("list") == MAP
    assert read_scores(numbered).index.tolist() == ["0", "1"]
    with pytest.raises(FormatError, match="'source': the rows have several names, topic, fold: expected topics"):
        read_scores(wide.set_axis(pd.MultiIndex.from_product([["401", "402"], [1]], names=["topic", "fold"])))
    with pytest.raises(InvalidValueError, match="has columns of the levels measure, run: those of scores are measure"):
        read_scores(wide.rename_axis(columns=["measure", "run"]))


def test_numbers_of_a_category_are_refused_and_its_names_are_read():
    frame = tidy(read_scores(BOTH)).query("measure == 'map'").drop(columns="measure")
    named = frame.astype({"topic": "category", "system": "category"})
    assert read_scores(named).to_dict("list") == MAP
    with pytest.raises(InvalidTypeError, match="has categories of type float64 in the column .value., which"):
        read_scores(frame.astype({"value": "category"}))


def test_a_lazy_frame_is_to_be_collected():
    polars = pytest.importorskip("polars")
    with pytest.raises(InvalidTypeError, match="is a LazyFrame, which has no rows yet: compute or collect it first"):
        read_scores(polars.DataFrame({"topic": [401], "a": [0.5]}).lazy())


MEANS = {"bm25": {"map": 0.5, "P_10": 0.25}, "dense": {"map": 0.375, "P_10": 0.75}}


@pytest.mark.parametrize(
    "source",
    [
        MEANS,
        {one: {system: means[one] for system, means in MEANS.items()} for one in ("map", "P_10")},
        Report(MEANS),
        Report(MEANS).to_dict(),
        {system: {"all": means} for system, means in MEANS.items()},
        [run_of(system, {"401": means}) for system, means in MEANS.items()],
        pd.DataFrame(MEANS).T.rename_axis("system"),
    ],
)
def test_leaderboards(source):
    assert read_leaderboard(source).to_dict("index") == MEANS
    assert read_leaderboard(source, "map")["map"].to_dict() == {"bm25": 0.5, "dense": 0.375}


def test_a_leaderboard_without_a_measure():
    assert read_leaderboard({"a": 0.5, "b": np.float32(0.25)})["score"].to_dict() == {"a": 0.5, "b": 0.25}
    board = read_leaderboard({"map": 0.5, "P_10": 0.25})
    assert board.to_dict("index") == {"unnamed": {"map": 0.5, "P_10": 0.25}}
    assert board.attrs["notes"] == [UNNAMED]


@pytest.mark.parametrize("source", [MEANS, {"a": 0.5, "b": 0.25}])
def test_json_has_the_leaderboard_of_the_same_mapping(tmp_path, source):
    path = tmp_path / "board.json"
    path.write_text(json.dumps(source, indent=1) + "\n")
    pd.testing.assert_frame_equal(read_leaderboard(path), read_leaderboard(source))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ({"a": 1, "b": 2, "c": 3}, "'source': the numbers from 1 to 3 can be ranks"),
        ({"1": {"map": 0.5}, "2": {"map": 0.25}}, "'source': '1' can be a topic or a system"),
        ({"1": 0.5, "2": 0.25}, "'source': '1' can be a topic of one system, or a system"),
        ({"a": {"one": 0.5}}, "'source': it is not clear which keys are measures"),
        ({"a": {"map": 0.5}, "b": {"ndcg": 0.5}}, "'source'['b']: system 'b' has no value of map"),
        ({"map": 0.5, "b": 0.5}, "'source': 'map' can be a measure of one system, or a system like 'b'"),
        (BOTH, "'source'['bm25']['401']['map']: there are values by topic, but none for the topic all"),
    ],
)
def test_refused_leaderboards(source, words):
    with pytest.raises(FormatError) as caught:
        read_leaderboard(source)
    message = str(caught.value)
    assert message.startswith(words) or (source is BOTH and "but none for the topic all" in message)


def test_runs_of_ranx_are_scored_under_their_names():
    pytest.importorskip("ir_measures")
    runs = [Run(name, run={"401": {"x": 2.0, "y": 1.0}}) for name in ("a", "b")]
    qrels = {"401": {"y": 1}}
    assert score(runs, qrels, "RR").to_dict("list") == {"a": [0.5], "b": [0.5]}
    assert score(runs[0], qrels, "RR").to_dict("list") == {"a": [0.5]}
    with pytest.raises(InvalidValueError, match="has two runs of the name 'a'"):
        score([runs[0], runs[0]], qrels, "RR")
    with pytest.raises(InvalidValueError, match=r"has no name for the run 0: give \{system: run\}"):
        score([Run(None, run=runs[0].run)], qrels, "RR")
