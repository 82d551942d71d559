"""The output of trec_eval -q: one file for each system, or one for all."""

import gzip
import re

import pandas as pd
import pytest

from ircor.trec import FormatError, read_eval


def evaluated(name, values, measures=("map", "P_10"), first=False):
    """What trec_eval -q prints for one run: the topics, then the averages with the runid; or the runid first."""
    topics = "".join(f"{m:<22}\t{t}\t{v + k / 100:.4f}\n" for t, v in values.items() for k, m in enumerate(measures))
    runid = f"{'runid':<22}\tall\t{name}\n" if name else ""
    averages = "".join(f"{m:<22}\tall\t0.5000\n" for m in measures)
    return runid + topics + averages if first else topics + runid + averages


ONE, TWO = {"401": 0.25, "402": 0.5, "1000": 0.75}, {"1000": 0.1, "402": 0.2, "401": 0.3}


@pytest.mark.parametrize("first", [False, True])
def test_one_file_for_each_system_or_one_for_all(tmp_path, first):
    apart = tmp_path / "apart"
    apart.mkdir()
    texts = evaluated("one", ONE, first=first), evaluated("two", TWO, first=first)
    (apart / "a.eval").write_text(texts[0])
    (apart / "b.eval.gz").write_bytes(gzip.compress(texts[1].encode()))
    (apart / ".hidden").write_text("not a file of scores")
    together = tmp_path / "all.txt"
    together.write_text("".join(texts))
    expected = pd.DataFrame({"one": [0.25, 0.5, 0.75], "two": [0.3, 0.2, 0.1]}, index=["401", "402", "1000"])
    for paths in (apart, str(apart / "*"), [apart / "a.eval", apart / "b.eval.gz"], together):
        scores = read_eval(paths)
        pd.testing.assert_frame_equal(scores["map"], expected, check_names=False)
        assert scores["P_10"].loc["402", "two"] == 0.21
        assert (scores.index.name, scores.columns.names) == ("topic", ["measure", "system"])
        pd.testing.assert_frame_equal(read_eval(paths, "map"), scores["map"])
    assert list(read_eval(apart / "a.eval", "P_10").columns) == ["one"]


def test_measures_whose_values_are_words_are_left_out(write):
    path = write("relstring_10\t1\t'10--'\nmap\t1\t0.5\nP_10\t1\thigh\n")
    assert read_eval(path, "map").to_numpy().tolist() == [[0.5]]
    assert read_eval(path, ["map"]).to_numpy().tolist() == [[0.5]]
    with pytest.raises(FormatError, match=":3: the value of P_10 must be a finite number, not 'high'"):
        read_eval(path)
    with pytest.raises(FormatError, match=":1: the value of relstring_10 must be"):
        read_eval(path, "relstring_10")


def test_topics_of_other_measures_do_not_count(write):
    path = write("set_P\tq0\t1\nmap\tq2\t0.5\nmap\tq1\t0.25\n")
    assert read_eval(path, "map").index.tolist() == ["q2", "q1"]


def test_topics_are_in_the_order_of_the_lines(write):
    path = write("map q1 1\nP_5 q2 1\nP_5 q3 1\nmap q3 1\nmap q2 1\nP_5 q1 1\n")
    assert read_eval(path).index.tolist() == ["q1", "q2", "q3"]


def test_the_same_topics_under_several_measures_and_averages_without_a_runid(write):
    path = write("map all 1\nmap 1 0.5\nP_10 1 0.25\nmap all 1\nP_10 all 1\n")
    assert read_eval(path).to_numpy().tolist() == [[0.5, 0.25]]
    path = write("map 1 0.5\nmap all 1\nmap 1 0.5\nmap all 1\n")
    words = "map for topic '1' is repeated for the same system; the output of several systems in one file needs a runid"
    with pytest.raises(FormatError, match=re.escape(f"{path}:3: {words} for each")):
        read_eval(path)


def test_a_system_without_a_runid_has_the_name_of_its_file(tmp_path):
    (tmp_path / "bm25.tuned.eval").write_text("map\tq1\t0.5\nmap\tq2\t0.25\n")
    scores = read_eval(tmp_path / "bm25.tuned.eval")
    assert list(scores.columns) == ["bm25.tuned"]
    assert list(scores.index) == ["q1", "q2"]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("map 401 0.5\nmap 402\n", 2, "expected 3 fields (measure topic value), found 2"),
        ("map 401 0.5\nmap 402 high\n", 2, "the value of map must be a finite number, not 'high'"),
        ("map 401 nan\n", 1, "the value of map must be a finite number"),
        ("map 401 0.5\nmap 402 0.", 2, "the last line has no newline at its end, and its value may have been cut"),
        ("map 401 0.5\nmap 401 0.5\n", 2, "map for topic '401' is repeated for the same system"),
        ("runid all a\nmap all 0.5\n", 1, "there are no values by topic: run trec_eval with -q"),
        ("\nmap 1 1\nrunid all a\nrunid all b\n", 4, "there are no values by topic: run trec_eval with -q"),
        (evaluated("one", ONE) + evaluated("one", TWO), 10, "system 'one' is repeated: it is already at"),
        ("", 1, "the file is empty"),
        (b"\xff\xfe", 1, "this is not text in UTF-8"),
    ],
)
def test_malformed_output_is_refused_with_file_and_line(refused, content, line, words):
    refused(read_eval, content, line, words)


def test_a_repeated_value_of_a_measure_that_is_not_read_is_refused(refused):
    content = "map 1 0.5\nP_10 1 0.5\nP_10 1 0.5\n"
    refused(lambda path: read_eval(path, "map"), content, 3, "P_10 for topic '1' is repeated for the same system")


def test_missing_topics_are_listed_or_handled(tmp_path):
    (tmp_path / "a").write_text(evaluated("one", ONE, measures=("map",)))
    (tmp_path / "b").write_text(evaluated("two", {"401": 0.5}, measures=("map",)))
    with pytest.raises(ValueError, match="system 'two' has no map for topics 402, 1000; missing=\"zero\""):
        read_eval(tmp_path)
    assert read_eval(tmp_path, missing="zero")["two"].tolist() == [0.5, 0, 0]
    assert read_eval(tmp_path, missing="drop").index.tolist() == ["401"]
    (tmp_path / "b").write_text(evaluated("two", {"9": 0.5}, measures=("map",)))
    with pytest.raises(ValueError, match="no topic is left"):
        read_eval(tmp_path, missing="drop")
    with pytest.raises(ValueError, match="'missing' must be one of error, zero, drop, not 'skip'"):
        read_eval(tmp_path, missing="skip")


def test_a_measure_that_no_file_has(tmp_path):
    (tmp_path / "a").write_text(evaluated("one", ONE))
    with pytest.raises(
        ValueError, match=r"there are no values of the measure 'ndcg' in .*\. The measures are map, P_10$"
    ):
        read_eval(tmp_path, "ndcg")


def test_a_large_collection(tmp_path):
    """60 systems x 100 topics x 30 measures."""
    values = {str(topic): topic / 1000 for topic in range(100)}
    for system in range(60):
        (tmp_path / f"s{system}").write_text(evaluated(f"s{system}", values, measures=[f"m{k}" for k in range(30)]))
    scores = read_eval(tmp_path)
    assert scores.shape == (100, 1800)
    assert scores.loc["7", ("m3", "s11")] == 0.037
