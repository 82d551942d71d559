"""Leaderboards: a value for each system, in all forms in which judges and tracks publish them."""

import gzip
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from collected import collected_values
from hypothesis import assume, given, settings, strategies as st

from ircor._core.content import Content
from ircor.scoring._collector import ScoreCollector
from ircor.trec import FormatError, read_leaderboard, read_scores
from ircor.trec._leaderboards import add_averages

FORMATS_FOLDER = Path(__file__).parents[1] / "data" / "formats"

# Two measures of three systems, in each form.
BOARD = {"bm25": (0.2510, 1.5), "dense": (0.4375, 2.25), "llm-rerank": (0.3125, 1.75)}
TEXTS = {
    "board.csv": "system,map,grade\n" + "".join(f"{s},{m:.4f},{g:.4f}\n" for s, (m, g) in BOARD.items()),
    "board.tsv": "Run ID\tmap\tgrade\n" + "".join(f"{s}\t{m:.4f}\t{g:.4f}\n" for s, (m, g) in BOARD.items()),
    "board.txt": "run map grade\n" + "".join(f"{s} {m:.4f} {g:.4f}\n" for s, (m, g) in BOARD.items()),
    "unnamed.csv": ",map,grade\n" + "".join(f"{s},{m:.4f},{g:.4f}\n" for s, (m, g) in BOARD.items()),
    "r.txt": '"map" "grade"\n' + "".join(f'"{s}" {m:.4f} {g:.4f}\n' for s, (m, g) in BOARD.items()),
    "board.jsonl": "".join(f'{{"system": "{s}", "map": {m}, "grade": {g}}}\n' for s, (m, g) in BOARD.items()),
    "long.csv": "system,measure,value\n"
    + "".join(f"{s},map,{m:.4f}\n{s},grade,{g:.4f}\n" for s, (m, g) in BOARD.items()),
    "tot.txt": "".join(f"{s}\tmap\tall\t{m:.4f}\n{s}\tgrade\tall\t{g:.4f}\n" for s, (m, g) in BOARD.items()),
    "ir_measures.txt": "".join(f"{s} all map {m:.4f}\n{s} all grade {g:.4f}\n" for s, (m, g) in BOARD.items()),
    "track.jsonl": "".join(
        f'{{"run_id": "{s}", "topic_id": "all", "measure": "map", "value": {m}}}\n'
        f'{{"run_id": "{s}", "topic_id": "all", "measure": "grade", "value": {g}}}\n'
        for s, (m, g) in BOARD.items()
    ),
    "trec_eval.txt": "".join(
        f"runid\tall\t{s}\nnum_q\tall\t50\nmap\tall\t{m:.4f}\ngrade\tall\t{g:.4f}\n" for s, (m, g) in BOARD.items()
    ),
}
EXPECTED = pd.DataFrame(BOARD, index=["map", "grade"]).T


@pytest.mark.parametrize("name", TEXTS)
def test_every_form_has_the_same_values(tmp_path, name):
    path = tmp_path / name
    path.write_text(TEXTS[name])
    board = read_leaderboard(path)
    pd.testing.assert_frame_equal(board, EXPECTED, check_names=False)
    assert (board.index.name, board.columns.name) == ("system", "measure")
    assert board.attrs == {}
    path.write_bytes(gzip.compress(TEXTS[name].encode()))
    pd.testing.assert_frame_equal(read_leaderboard(path, "grade"), EXPECTED[["grade"]], check_names=False)
    pd.testing.assert_frame_equal(
        read_leaderboard(path, ["grade", "map"]), EXPECTED[["grade", "map"]], check_names=False
    )
    with pytest.raises(ValueError, match=r"there are no values of the measure 'AP' in .*; did you mean 'map'\?"):
        read_leaderboard(path, "AP")


def test_parquet(tmp_path):
    path = tmp_path / "board.parquet"
    EXPECTED.rename_axis("system").to_parquet(path)
    pd.testing.assert_frame_equal(read_leaderboard(path), EXPECTED, check_names=False)


@pytest.mark.parametrize(
    "text",
    [
        "bm25 0.25\ndense 0.5\n",
        "bm25\t0.25\ndense\t0.5\n",
        "bm25,0.25\ndense,0.5\n",
        "  bm25   0.25\n\ndense 0.5\n",
        "system score\nbm25 0.25\ndense 0.5\n",
        "system,score\nbm25,0.25\ndense,0.5\n",
    ],
)
def test_systems_and_their_scores(write, text):
    board = read_leaderboard(write(text))
    assert board.to_dict() == {"score": {"bm25": 0.25, "dense": 0.5}}


def test_systems_of_any_name(write):
    # A number of a system beside others that are none, a blank in a name, and the name of a column.
    board = read_leaderboard(write("run,0.25\n7,0.5\nmy run,0.125\n"))
    assert board["score"].to_dict() == {"run": 0.25, "7": 0.5, "my run": 0.125}
    assert read_leaderboard(write("run grade all 0.5\nb grade all 0.25\n"))["grade"].to_dict() == {
        "run": 0.5,
        "b": 0.25,
    }


def test_files_of_tools_without_and_with_topics(tmp_path):
    for tool, ending in (("trec_eval", "eval"), ("ir_measures", "txt")):
        folder = FORMATS_FOLDER / tool
        scores, board = read_scores(folder), read_leaderboard(folder)
        assert board.index.tolist() == ["A1", "B2", "C3"]
        assert board.attrs == {}
        means = scores.mean().unstack("measure")
        np.testing.assert_allclose(board, means[board.columns], rtol=0, atol=1.0001e-4)
        averages = tmp_path / tool
        averages.mkdir()
        for path in folder.iterdir():
            only = [line for line in path.read_text().splitlines(keepends=True) if "all" in line]
            (averages / path.name).write_text("".join(only))
        pd.testing.assert_frame_equal(read_leaderboard(averages), board)
        with pytest.raises(FormatError, match=f"A1.{ending}:1: there are no values by topic: .*read_leaderboard"):
            read_scores(averages)
    # ir_measures without -q leaves out the topic.
    board = read_leaderboard(FORMATS_FOLDER / "averages.txt")
    assert board.loc["averages"].to_dict() == {"AP": 0.4821, "P@10": 0.45}


@pytest.mark.parametrize("name", ["systems_tot.txt", "systems_ir_measures.txt", "systems.jsonl"])
def test_files_of_many_systems_with_topics_and_averages(name):
    scores, board = read_scores(FORMATS_FOLDER / name), read_leaderboard(FORMATS_FOLDER / name)
    means = scores.mean().unstack("measure")
    np.testing.assert_allclose(board, means[board.columns], rtol=0, atol=1.0001e-4)
    assert board.attrs == {}


def test_averages_that_are_not_the_mean_are_noted(write):
    path = write("a map 1 0.5000\na map 2 0.2500\na map all 0.3751\nb map 1 0.5000\nb map 2 0.2500\nb map all 0.3752\n")
    board = read_leaderboard(path)
    assert board["map"].tolist() == [0.3751, 0.3752]
    what = "map for all topics is not the mean over the topics in the file, which may be incomplete, for 'b'"
    assert board.attrs["notes"] == [f"{path}: {what}"]
    # Whole numbers have no error of printing, and averages only that of their own decimals.
    grades = "a map 1 3\na map 2 2\na map 3 2\na map all 2.33\n"
    assert read_leaderboard(write(grades)).attrs == {}
    assert read_leaderboard(write(grades.replace("2.33", "2.32"))).attrs != {}
    assert read_leaderboard(write(grades.replace("2.33", "2"))).attrs == {}
    # Sums and geometric means.
    assert read_leaderboard(write("a gm_map 1 0.5\na gm_map 2 0.25\na gm_map all 0.35\n")).attrs == {}
    assert read_leaderboard(write("a num_rel 1 5\na num_rel 2 2\na num_rel all 7\n")).attrs == {}
    # Of a measure that is not wanted, nothing is said.
    two = "a map 1 0.5\na map all 0.6\na P_5 1 0.5\na P_5 all 0.5\n"
    assert read_leaderboard(write(two), "P_5").attrs == {}


def test_columns_of_ranks_and_text_are_left_out_and_named(write):
    path = write("rank,system,team,map\n1,a,Delft,0.5\n2,b,Waterloo,0.25\n")
    board = read_leaderboard(path)
    assert board.to_dict() == {"map": {"a": 0.5, "b": 0.25}}
    assert board.attrs["notes"] == [f"{path}: columns of ranks or text were left out: rank, team"]
    tidy = write("system,topic,team,map\na,all,Delft,0.5\nb,all,Waterloo,0.25\n")
    assert read_leaderboard(tidy).attrs["notes"] == [f"{tidy}: columns of text were left out: team"]
    path = write("rank,system,map\n1,a,0.5\n2,b,0.25\n")
    with pytest.raises(FormatError, match="the column 'rank' has ranks or text: expected values that are larger"):
        read_leaderboard(path, "rank")


@pytest.mark.parametrize(
    "name", ["rank_ndcg", "ndcg rank", "Rank", "nDCG@10 Rank", "Place", "pos", "#", "position_map"]
)
def test_ranks_of_any_name(write, name):
    path = write(f"system,{name},ndcg\na,1,0.5\nb,2,0.25\n")
    board = read_leaderboard(path)
    assert board.columns.tolist() == ["ndcg"]
    assert board.attrs["notes"] == [f"{path}: columns of ranks or text were left out: {name}"]


@pytest.mark.parametrize("name", ["recip_rank", "Mean Reciprocal Rank", "rank-biased precision", "rank correlation"])
def test_measures_with_the_word_rank(write, name):
    board = read_leaderboard(write(f"system,{name},ndcg\na,1,0.5\nb,2,0.25\n"))
    assert board.columns.tolist() == [name, "ndcg"]


BESIDE = (
    "std sd se stderr var ci lower upper low high n count year num_q num_ret num_rel num_rel_ret p P p-value runtime"
)
BESIDE_NAMES = [*BESIDE.split(), "latency", "size", "Params", "95% CI", "ndcg_std", "CI low", "Standard error"]


@pytest.mark.parametrize("name", BESIDE_NAMES)
def test_errors_and_counts_are_left_out_unless_chosen(write, name):
    path = write(f"system,ndcg,{name}\na,0.5,0.25\nb,0.25,0.5\n")
    board = read_leaderboard(path)
    assert board.columns.tolist() == ["ndcg"]
    what = "columns of errors, counts and the like were left out, unless chosen as measures"
    assert board.attrs["notes"] == [f"{path}: {what}: {name}"]
    assert read_leaderboard(path, name)[name].tolist() == [0.25, 0.5]
    alone = write(f"system,{name}\na,0.5\nb,0.25\n")
    with pytest.raises(FormatError, match="there is no column of values; .* can be an error, a count or the like"):
        read_leaderboard(alone)


@pytest.mark.parametrize("name", ["nDCG@10", "P@10", "P_10", "score", "variety", "helpfulness", "R", "success"])
def test_measures_that_are_not_left_out(write, name):
    board = read_leaderboard(write(f"system,{name}\na,0.5\nb,0.25\n"))
    assert (board.columns.tolist(), board.attrs) == ([name], {})


def test_numbers_of_topics(write):
    path = write("system,Queries,map\na,50,0.5\nb,49,0.25\n")
    board = read_leaderboard(path)
    assert board.to_dict() == {"map": {"a": 0.5, "b": 0.25}}
    assert board.attrs["notes"] == [f"{path}: the column 'Queries' was taken for numbers of topics and left out"]


@pytest.mark.parametrize("values", ["1 2 3", "3 1 2", "1.0 3.0 2.0"])
def test_pairs_that_can_be_ranks(write, refused, values):
    pairs = "".join(f"{system} {value}\n" for system, value in zip("abc", values.split()))
    refused(read_leaderboard, pairs, 1, "the numbers from 1 to 3 can be ranks, 1 for the best, or scores, 1 for the")
    assert read_leaderboard(write("system score\n" + pairs))["score"].tolist() == list(map(float, values.split()))
    assert read_leaderboard(write(pairs + "d 3\n")).shape == (4, 1)
    assert read_leaderboard(write(pairs + "d 0\n")).shape == (4, 1)
    assert read_leaderboard(write("a 1\nb 2\n")).shape == (2, 1)


def test_several_files_and_folders(tmp_path):
    (tmp_path / "a.txt").write_text("bm25 0.25\n")
    (tmp_path / "b.txt").write_text("dense 0.5\n")
    (tmp_path / "README").write_text("What this is\n")
    board = read_leaderboard(tmp_path)
    assert board["score"].to_dict() == {"bm25": 0.25, "dense": 0.5}
    assert board.attrs["notes"][0].startswith("skipped, because they have no scores: ")
    assert read_leaderboard(iter([tmp_path / "a.txt", tmp_path / "b.txt"])).shape == (2, 1)
    (tmp_path / "b.txt").write_text("bm25 0.5\n")
    with pytest.raises(FormatError, match="b.txt:1: score of system 'bm25' is repeated"):
        read_leaderboard(tmp_path)


def test_a_runid_that_all_files_have(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.eval").write_text("runid all STANDARD\nmap all 0.5\n")
    board = read_leaderboard(tmp_path)
    assert board.index.tolist() == ["a", "b"]
    assert board.attrs["notes"] == ["2 files have the runid 'STANDARD', so their systems have the names of the files"]


def test_a_system_without_a_measure_that_others_have(write):
    path = write("a x all 0.5\na y all 0.5\nb x all 0.25\n")
    words = f"{path}: system 'b' has no values of y at all, only of x: choose a measure that all systems have"
    with pytest.raises(ValueError, match=re.escape(words)):
        read_leaderboard(path)
    assert read_leaderboard(path, "x")["x"].tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "the file is empty"),
        ("system,map\n", 1, "the table has no values"),
        ("map\n0.5\n", 1, "this is none of the formats"),
        ("system,map\na,0.5\na,0.25\n", 3, "map of system 'a' is repeated"),
        ("a 0.5\nb 0.25\na 0.5\n", 3, "score of system 'a' is repeated"),
        ("system,map\na,0.5\nb,\n", 3, "system 'b' has no value of map"),
        ("system,map\na,0.5\nb,NA\n", 3, "system 'b' has no value of map"),
        ("system,map\na,0.5\nb,high\n", 3, "'high' in column 'map' is not a number, but other cells"),
        ("system,map\na,0.5\nb,1e999\n", 3, "the value of map must be a finite number, not '1e999'"),
        ("a 0.5\nb inf\n", 2, "the value of score must be a finite number, not 'inf'"),
        ("a 0.5\nb nan\n", 2, "system 'b' has no value of score"),
        ("a 0.5\nb 0.25 0.1\n", 2, "expected 2 fields (system score), found 3"),
        ("system,map\na,0.5\nmean,0.5\n", 3, "'mean' is not a system: leave out averages"),
        ("a 0.5\nall 0.5\n", 2, "'all' is not a system: leave out averages"),
        ("system,map\n,0.5\n", 2, "the system is missing"),
        # Which is which.
        ("1 0.5\n2 0.25\n", 1, "'1' can be a topic of one system, or a system"),
        ("q1 0.5\nq2 0.25\n", 1, "'q1' can be a topic of one system, or a system"),
        ("map 0.5\nbm25 0.25\n", 1, "'map' can be a measure of one system, or a system like 'bm25'"),
        ("bm25,2020\ndense,0.25\n", 1, "bm25, 2020 can be the names of columns, or a system and its score"),
        ("team,name of run,map\nx,a,0.5\ny,b,0.25\n", 1, "both 'team' and 'name of run' can be the systems"),
        ("x,map\n1,0.5\n2,0.25\n", 1, "no column has the systems: name the column of the systems system"),
        (",A,B\nmap,0.5,0.25\nP_5,0.5,0.25\n", 2, "'map' is a measure, but is in the place of a system"),
        (",A,B\nq1,0.5,0.25\nq2,0.5,0.25\n", 1, "'q1' in the rows can be a topic or a system"),
        ("system,team\na,x\nb,y\n", 1, "there is no column of values"),
        ("system,map,\na,0.5,1\nb,0.25,2\n", 1, "column 3 has no name: expected the name of a measure"),
        ("system,measure,a,b\nx,map,1,2\n", 1, "there is no column of the name value beside that of the measures"),
        ("system,measure,value\nx,,1\n", 2, "the measure is missing"),
        # By topic.
        ("topic,a,b\n1,0.5,0.25\n", 1, "the table has topics, in the column 'topic': read_scores reads"),
        ("system,401,402\na,0.5,0.25\n", 1, "the column '401' can be a topic: read_scores reads"),
        ("system,401\na,1\nb,0\n", 1, "the column '401' can be a topic: read_scores reads"),
        ("a map 1 0.5\nb map 1 0.5\n", 1, "there are values by topic, but none for the topic all: read_scores"),
        ("map 1 0.5\nmap 2 0.5\n", 1, "there are values by topic, but none for the topic all: read_scores"),
        ("a map 1 0.5\na map all 0.5\nb map 1 0.5\n", 3, "map of system 'b' has values by topic, but none for the"),
        ("system,topic,value\na,all,0.5\na,mean,0.5\n", 3, "'mean' is not a topic, and averages have the topic all"),
        ("map all 0.5\nmap all 0.5\n", 2, "map of system 'file' is repeated"),
        ("map all 0.5\nrunid all a\nmap all 0.25\nrunid all b\n", 3, "map of system 'a' is repeated"),
        ("foo all 0.5\n", 1, "neither 'foo' nor 'all' is a measure that is known here"),
        # Something else.
        ("401 0 FT911-1 1\n401 0 FT911-2 0\n", 1, "expected a leaderboard, with a value for each system, found rel"),
        ("401 Q0 d1 1 0.5 tag\n", 1, "expected a leaderboard, with a value for each system, found a ranked run"),
        ("all Q0 a 1 0.5 map\n", 1, "expected a leaderboard, with a value for each system, found systems ranked"),
        ('{"bm25": 0.5, "dense": 0.25}\n', 1, "no column has the systems"),
        ("a map all 0.5000\nb map all 0.25", 2, "the last line has no newline at its end"),
        ("map all 0.5000\nP_5 all 0.25", 2, "the last line has no newline at its end"),
        ("a 0.5000\nb 0.25", 2, "the last line has no newline at its end"),
        ("system map\na 0.5000\nb 0.25", 3, "the last line has no newline at its end"),
        ("system map\na 0.5000 1\n", 2, "expected 2 fields, as in the first line, found 3"),
    ],
)
def test_what_is_refused(refused, text, line, words):
    refused(read_leaderboard, text, line, words)


def test_a_wanted_measure_in_the_rows_is_of_one_system(write):
    assert read_leaderboard(write("foo 0.5\nbar 0.25\n"), "foo").to_dict() == {"foo": {"file": 0.5}}
    assert read_leaderboard(write("foo all 0.5\nbar all 0.25\n"), "foo").to_dict() == {"foo": {"file": 0.5}}


def values_of(data, name):
    """The values in a leaderboard by measure and system."""
    scores = ScoreCollector(None, "error")
    add_averages(Content(name, data), scores)
    return {(measure, system): value for (measure, system, _), value in collected_values(scores).items()}


FILES = {
    **{name: text.encode() for name, text in TEXTS.items()},
    "pairs.txt": b"bm25 0.2500\ndense 0.5000\nllm-rerank 0.1250\n",
    "pairs.csv": b"bm25,0.2500\ndense,0.5000\nllm-rerank,0.1250\n",
    "topics.txt": (FORMATS_FOLDER / "systems_tot.txt").read_bytes(),
    "A1.eval": (FORMATS_FOLDER / "trec_eval" / "A1.eval").read_bytes(),
    "A1.txt": (FORMATS_FOLDER / "averages.txt").read_bytes(),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_was_cut_anywhere_is_refused_or_a_part_of_the_whole(name):
    data = FILES[name]
    whole = values_of(data, name)
    assert len(whole) >= 2
    for end in range(len(data)):
        try:
            found = values_of(data[:end], name)
        except ValueError:
            continue
        assert found.items() <= whole.items(), end


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_files_that_were_mixed_are_refused_or_right(data):
    one, other = (data.draw(st.sampled_from(sorted(FILES))) for _ in range(2))
    first, second = (FILES[name].splitlines(keepends=True) for name in (one, other))
    # A row of another table with as many columns leaves nothing to be seen.
    assume(one == other or not ({".csv", ".tsv"} >= {Path(name).suffix for name in (one, other)}))
    place = data.draw(st.integers(0, len(first)))
    mixed = [*first[:place], data.draw(st.sampled_from(second)), *first[place:]]
    try:
        found = values_of(b"".join(mixed), one)
    except ValueError:
        return
    known = {*values_of(FILES[one], one).values(), *values_of(FILES[other], other).values()}
    assert known.issuperset(found.values())
