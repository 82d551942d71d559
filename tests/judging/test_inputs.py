"""Scores of the truth and of judges in every form: what is read, and what is refused because it can be two things."""

import numpy as np
import pandas as pd
import pytest

from ircor.judging import judges
from ircor.judging._inputs import from_scores
from ircor.show.judges import input_sentence
from ircor.trec import read_scores

BOARD = {"a": 0.5, "b": 0.4, "c": 0.3, "d": 0.2}
OPTIONS = {"resamples": 20, "seed": 1}


def read(truth, judge, measures=None):
    return from_scores(truth, {"judge": judge}, measures, name=None, missing="error")


def words(inputs):
    """The notes on the input in words."""
    return [input_sentence(note) for note in inputs.notes]


def refused(truth, judge, *words, measures=None, error=ValueError):
    with pytest.raises(error) as caught:
        read(truth, judge, measures)
    for part in words:
        assert part in str(caught.value)
    assert "systems=" not in str(caught.value)


@pytest.fixture
def by_topic():
    rng = np.random.default_rng(1)
    return pd.DataFrame(rng.random((5, 4)), index=pd.Index(list("vwxyz"), name="topic"), columns=list(BOARD))


@pytest.fixture
def path(tmp_path):
    def write(text, name="file.csv"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def board(measure):
    return pd.Series(BOARD, name=measure)


def evals(folder, measure):
    """Evaluation output of three systems for three topics."""
    folder.mkdir()
    for k, name in enumerate("abc"):
        lines = [f"{measure} {topic} 0.{k + 1}{topic}\n" for topic in (1, 2, 3)]
        (folder / f"{name}.eval").write_text("".join(lines))
    return folder


# Names of measures


def test_different_measures_are_compared_each_with_each(path, tmp_path):
    note = "no judge has the measures of truth, map: each is compared with each measure of a judge"
    found = judges(None, board("map"), {"judge": board("ndcg")})
    assert found.notes == (note,)
    assert found.coefficients[["truth_measure", "judge_measure"]].values.tolist() == [["map", "ndcg"]] * 2
    one, other = path("system,map\na,1\nb,2\n", "A"), path("system,ndcg\na,1\nb,2\n", "B")
    assert judges(None, one, other).measures == ("map vs ndcg",)
    one, other = evals(tmp_path / "one", "map"), evals(tmp_path / "other", "P_10")
    assert judges(None, one, other, resamples=100, seed=1).measures == ("map vs P_10",)
    refused(read_scores(one), read_scores(one), "no values of the measure 'P_10' in truth", measures="P_10")


def test_a_side_without_the_name_of_a_measure(tmp_path, by_topic):
    for truth, judge, unnamed, named in (
        (BOARD, board("map"), "truth", "judge"),
        (board("map"), BOARD, "judge", "truth"),
    ):
        found = read(truth, judge)
        assert list(found.scores) == ["map"]
        assert words(found) == [f"{unnamed} does not name its measure: taken for map, as in {named}"]
    assert list(read(BOARD, BOARD).scores) == ["score"]
    assert read(BOARD, BOARD).notes == read(board("map"), board("map")).notes == ()
    read_from = read_scores(evals(tmp_path / "one", "map"))
    assert list(read(read_from, read_from.set_axis(read_from.columns, axis=1)).scores) == ["map"]
    several = pd.DataFrame({"map": BOARD, "ndcg": BOARD}).rename_axis("system")
    refused(several, BOARD, "'judge' does not name its measure, and 'truth' has map, ndcg: name the measure in 'judge'")
    refused(several, board("map"), "no values of the measure 'ndcg' in judge")
    assert list(read(several, board("map"), "map").scores) == ["map"]


def test_names_that_tools_have_for_one_measure():
    found = read(board("map"), board("AP"))
    assert (list(found.scores), words(found)) == (
        ["map"],
        ["AP of judge is taken for map of truth, by their names in tools"],
    )
    assert list(read(board("nDCG@10"), board("ndcg_cut_10")).scores) == ["nDCG@10"]
    for one, other in (("nDCG@10", "nDCG@20"), ("nDCG", "nDCG(dcg='exp-log2')"), ("mine", "Mine"), ("P@10", "R@10")):
        assert list(read(board(one), board(other)).scores) == [f"{one} vs {other}"]


# Systems and topics


def test_repeated_names_are_refused(by_topic):
    twice = pd.Series([1.5, 2.0, 3.0], index=["a", "b", "a"])
    refused(BOARD, twice, "'judge' has two systems of the name 'a'")
    refused(twice, BOARD, "'truth' has two systems of the name 'a'")
    frame = twice.rename("map").rename_axis("system").to_frame()
    refused(BOARD, frame, "'judge', row 3: map of system 'a' is repeated")
    refused(BOARD, frame.reset_index(), "'judge', row 3: map of system 'a' is repeated")
    long = pd.DataFrame({"system": ["a", "b", "a"], "measure": "map", "value": [1.0, 2.0, 3.0]})
    refused(BOARD, long, "'judge', row 3: map of system 'a' is repeated")
    refused(by_topic, by_topic.iloc[[0, 1, 2, 3, 4, 1]], "'judge' has two topics of the name 'w'")
    refused(by_topic.iloc[[0, 1, 2, 3, 4, 1]], by_topic, "'truth' has two topics of the name 'w'")
    refused(by_topic, by_topic[["a", "b", "c", "d", "a"]], "'judge' has two systems of the name 'a'")


def test_one_side_without_names_is_refused(by_topic):
    words = "names topics and systems, and {} does not, so it is not known which belong together"
    refused(by_topic, by_topic.to_numpy(), "'truth' " + words.format("'judge'"))
    refused(by_topic.to_numpy(), by_topic, "'judge' " + words.format("'truth'"))
    found = read(by_topic.to_numpy(), by_topic.to_numpy() ** 2)
    assert np.array_equal(found.scores["score"][1].values, by_topic.to_numpy() ** 2)


def test_a_table_whose_columns_are_measures(by_topic):
    frame = pd.DataFrame({"map": BOARD, "nDCG@10": BOARD})
    refused(frame, frame, "the columns of 'truth' can be measures (map, nDCG@10), or systems: for a leaderboard, call")
    refused(BOARD, frame.assign(grade=1.0), "the columns of 'judge' can be measures (map, nDCG@10), or systems")
    refused(by_topic, {"x": frame}, "the columns of 'judge' can be measures (map, nDCG@10), or systems")
    found = read(frame.rename_axis("system"), frame.rename_axis("system"))
    assert {measure: tables[0].values.tolist() for measure, tables in found.scores.items()} == {
        "map": [[0.5, 0.4, 0.3, 0.2]],
        "nDCG@10": [[0.5, 0.4, 0.3, 0.2]],
    }
    # Names of systems, if the table says so, or if the others are none of measures.
    named = by_topic.set_axis(["map", "ndcg", "err", "rbp"], axis=1)
    refused(named, named, "the columns of 'truth' can be measures")
    systems = named.rename_axis(columns="system")
    assert read(systems, systems).scores["score"][0].systems == ("map", "ndcg", "err", "rbp")
    some = by_topic.rename(columns={"a": "err"})
    assert read(some, some).scores["score"][0].m == 4


# Leaderboards in memory

TABLE = {"rank": [2, 1, 3], "Model": ["a", "b", "c"], "nDCG": [0.5, 0.75, 0.25], "stderr": [0.1, 0.2, 0.3]}
LONG = {"system": ["a", "b", "c"], "metric": ["nDCG"] * 3, "value": [0.5, 0.75, 0.25]}


def pandas_table(columns):
    return pd.DataFrame(columns)


def polars_table(columns):
    return pytest.importorskip("polars").DataFrame(columns)


def arrow_table(columns):
    return pytest.importorskip("pyarrow").table(columns)


@pytest.mark.parametrize("make", [pandas_table, polars_table, arrow_table])
def test_tables_in_memory_are_read_as_their_files(make, path):
    files = {k: path(pd.DataFrame(columns).to_csv(index=False), f"{k}.csv") for k, columns in enumerate((TABLE, LONG))}
    for k, columns in enumerate((TABLE, LONG)):
        from_file, found = read(files[k], files[k]), read(make(columns), make(columns))
        assert list(found.scores) == list(from_file.scores) == ["nDCG"]
        for one, other in zip(found.scores["nDCG"], from_file.scores["nDCG"]):
            assert one.systems == other.systems == ("a", "b", "c")
            assert one.values.tolist() == other.values.tolist() == [[0.5, 0.75, 0.25]]
        assert [note.partition(": ")[2] for note in words(found)[:1]] == [
            note.partition(": ")[2].replace(str(files[k]), "truth") for note in words(from_file)[:1]
        ]
    (note, _) = words(read(make(TABLE), make(TABLE)))
    assert "truth: columns of ranks or text were left out: rank; truth: columns of errors, counts and the like" in note
    assert note.endswith("unless chosen as measures: stderr")
    assert read(make(TABLE), make(TABLE), "stderr").scores["stderr"][0].values.tolist() == [[0.1, 0.2, 0.3]]
    refused(make(TABLE), make(TABLE), "'truth': the column 'rank' has ranks or text", measures="rank")


def test_systems_that_are_numbers_keep_their_type():
    frame = pd.DataFrame({"n": [7, 7], "map": [0.5, 0.25]}, index=pd.Index([7, 8], name="run"))
    found = read(frame, pd.Series({8: 1.0, 7: 2.0}, name="map"))
    assert found.scores["map"][1].systems == (7, 8)
    assert found.scores["map"][1].values.tolist() == [[2.0, 1.0]]


def test_missing_and_other_cells():
    frame = pd.DataFrame({"system": ["a", "b", "c"], "open": [True, False, True], "map": [0.5, 0.25, 1.0]})
    assert words(read(frame, frame))[0] == "truth: columns of ranks or text were left out: open"
    gap = frame.assign(map=pd.array([0.5, None, 1.0], dtype="Float64"))
    refused(frame, gap, "'judge', row 2: system 'b' has no value of map")
    refused(frame, frame.assign(map=[0.5, np.inf, 1.0]), "'judge', row 2: 'inf' in column 'map' is not a number")
    refused(frame, pd.concat([frame, frame["map"]], axis=1), "'judge': two columns have the name 'map'")
    refused(BOARD, pd.Series(BOARD, name="rank"), "'judge' has ranks, by its name 'rank'")
    refused(BOARD, {"map": {"a": 1.0}}, "'judge' does not have the systems b, c, d of 'truth'")


def test_tables_with_systems_and_topics():
    long = pd.DataFrame({"system": ["a", "a", "b", "b"], "topic": [1, 2, 1, 2], "map": [0.5, 0.25, 1.0, 0.0]})
    other = read(long, long.assign(map=[0.5, 0.25, 0.0, 1.0]))
    assert [table.values.tolist() for table in other.scores["map"]] == [
        [[0.5, 1.0], [0.25, 0.0]],
        [[0.5, 0.0], [0.25, 1.0]],
    ]
    across = pd.DataFrame({"system": ["a", "b"], "401": [0.5, 0.25], "402": [1.0, 0.0]})
    refused(BOARD, across, "systems in rows and topics in columns: judge.set_index('system').T is a table of topics")
    refused(BOARD, across.set_index("system"), "systems in rows and topics in columns: judge.T is a table of topics")


def test_a_system_whose_name_is_that_of_a_column(by_topic):
    table = by_topic.rename(columns={"a": "run"})
    assert read(table, table).scores["score"][0].systems == ("run", "b", "c", "d")
    table = table.rename_axis(None)
    assert read(table, table).scores["score"][0].systems == ("run", "b", "c", "d")
    numbered = pd.DataFrame({"run": [3, 1, 2], "map": [0.5, 0.25, 1.0]})
    assert read(numbered, numbered).scores["map"][0].systems == (3, 1, 2)


# Files


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("system,map\na,0.5\nb,\n", "file.csv:3: system 'b' has no value of map"),
        ("system,map\na,0.5\na,0.4\n", "file.csv:3: map of system 'a' is repeated"),
        ("system,x\na,0.5\nmean,0.4\n", "file.csv:3: 'mean' is not a system: leave out averages"),
        ("a 0.5\nb 0.25 0.1\n", "file.csv:2: expected 2 fields (system score), found 3"),
        ("system x\na 0.5\nb 0.25 0.1\n", "file.csv:3: expected 2 fields, as in the first line, found 3"),
        ("a 1\nb 2\nc 3\n", "file.csv:1: the numbers from 1 to 3 can be ranks"),
        ("topic,a,b\n1,0.5,0.4\n2,0.5,\n", "system 'b' has no value for topic 2"),
        ("", "file.csv:1: the file is empty"),
        (",a,b\nx,0.5,0.25\nmap,0.5,0.25\n", "or the other way round: name the first column topic or system"),
        (
            "topic,map,b\n1,0.5,0.4\n2,0.5,0.3\n",
            "'map' can be a measure of one system, or a system like 'b': leave it out",
        ),
    ],
)
def test_one_error_for_a_file(path, text, words):
    file = path(text)
    refused(BOARD, file, words)
    with pytest.raises(ValueError, match=r"^[^\n]*$") as caught:
        read(BOARD, file)
    assert "neither scores" not in str(caught.value)
    assert str(caught.value).count("file.csv") == 1


def test_numbers_of_topics_in_a_leaderboard(path):
    for counts in ((50, 50), (50, 49)):
        file = path("system,topics,map\na,{},0.5\nb,{},0.25\n".format(*counts))
        found = read(file, board("map")[:2])
        assert found.scores["map"][0].values.tolist() == [[0.5, 0.25]]
        assert words(found) == [f"{file}: the column 'topics' was taken for numbers of topics and left out"]
    one = path("system,topic,map\na,1,0.5\nb,1,0.25\n")
    refused(one, BOARD, "'file' must have two topics or more, not 1")


# With runs

RUNS = {"A": {"1": {"a": 2, "b": 1}, "2": {"c": 2, "d": 1}}, "B": {"1": {"b": 2, "a": 1}, "2": {"c": 2, "d": 1}}}
QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 1, "d": 0}}


@pytest.mark.parametrize(
    ("runs", "truth", "models", "missing", "words"),
    [
        (RUNS, QRELS, {"x": {"1": QRELS["1"]}}, "drop", "have 1 topic in common, and two topics are needed to tell"),
        (RUNS, {"1": QRELS["1"]}, {"x": QRELS}, "error", "have 1 topic in common, and two topics are needed to tell"),
        (RUNS, {"1": QRELS["1"]}, {"x": {"1": QRELS["1"]}}, "error", "have 1 topic in common, and two topics are"),
        (RUNS, QRELS, QRELS, "error", "^'judges' is one judge: give a name to it, {name: judgments}$"),
        (
            {"A": RUNS["A"]},
            QRELS,
            {"x": QRELS},
            "error",
            "^there is one run, and two or more are needed to rank systems$",
        ),
    ],
)
def test_runs_that_cannot_be_compared(runs, truth, models, missing, words):
    with pytest.raises(ValueError, match=words):
        judges(runs, truth, models, "RR", missing=missing, **OPTIONS)
    assert judges(RUNS, QRELS, {"x": QRELS}, "RR", **OPTIONS).topics == {"RR": 2}


def test_scores_by_topic_with_a_gap_are_no_leaderboard(tmp_path):
    for name in ("people", "model"):
        lines = [f"{s} map {t} {0.1 * k + 0.01 * t:.4f}\n" for k, s in enumerate("abc") for t in range(1, 6)]
        lines += [f"{s} map all {0.1 * k + 0.03:.4f}\n" for k, s in enumerate("abc")]
        (tmp_path / name).write_text("".join(lines[1:]))
    with pytest.raises(ValueError, match="system 'a' has no map for topic 1; missing="):
        judges(None, tmp_path / "people", tmp_path / "model", resamples=100, seed=1)
    found = judges(None, tmp_path / "people", tmp_path / "model", missing="drop", resamples=100, seed=1)
    assert found.topics == {"map": 4}


def test_ranks_without_a_name_are_refused_in_python():
    for ranks in ({"a": 1, "b": 2, "c": 3}, pd.Series([2, 1, 3], index=list("abc"))):
        with pytest.raises(ValueError, match="'truth' has the numbers 1 to 3, each once, which can be ranks or scores"):
            judges(None, ranks, {"j": {"a": 0.3, "b": 0.2, "c": 0.1}})
    judges(None, pd.Series([2, 1, 3], index=list("abc"), name="grade"), {"j": {"a": 0.3, "b": 0.2, "c": 0.1}})


def test_counts_and_errors_by_topic_are_left_out(tmp_path):
    lines = ["topic,system,map,rank,stderr,num_ret\n"]
    lines += [f"{t},{s},{0.1 * k + 0.01 * t:.3f},{3 - k},0.1,100\n" for t in (1, 2, 3) for k, s in enumerate("abc")]
    for name in ("people", "model"):
        (tmp_path / f"{name}.csv").write_text("".join(lines))
    found = judges(None, tmp_path / "people.csv", tmp_path / "model.csv", resamples=100, seed=1)
    assert found.measures == ("map",)
    assert (
        "people: ranks, errors, counts and the like were left out, unless chosen as measures: rank, stderr, num_ret"
        in ("; ".join(found.notes))
    )
    chosen = judges(None, tmp_path / "people.csv", tmp_path / "model.csv", "num_ret", resamples=100, seed=1)
    assert chosen.measures == ("num_ret",)


def test_measures_of_several_that_tools_name_otherwise():
    people = pd.DataFrame({"map": [0.3, 0.2], "ndcg": [0.5, 0.4]}, index=pd.Index(["a", "b"], name="system"))
    model = people.rename(columns={"map": "AP", "ndcg": "nDCG"}).assign(bpref=0.5)
    found = judges(None, people, {"model": model})
    assert found.measures == ("map", "ndcg")
    assert found.notes == (
        "AP of model is taken for map of truth, by their names in tools",
        "nDCG of model is taken for ndcg of truth, by their names in tools",
        "model alone has bpref: left out",
    )
