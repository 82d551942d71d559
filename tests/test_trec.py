"""Reading trec_eval's output, tables, runs and judgments: whole or not at all."""

import gzip
import os
import re
import threading

import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ircor.trec import FormatError, read_columns, read_eval, read_qrels, read_run, read_table

RUN = "301 Q0 FT911-1 1 7.25 mine\n301\tQ0\tFT911-9\t2\t-6.5e-3\tmine\r\n\n 0302 Q0 d\u00e9 1 3 mine  \n"
PACKED = gzip.compress(b"".join(b"1 0 d%d 1\n" % k for k in range(1000)), mtime=0)
QRELS = "301 0 FT911-1 1\n301 0 FT911-9 -2\n0302 0 d\u00e9 3\n"


@pytest.fixture
def write(tmp_path):
    def write(content):
        path = tmp_path / "file"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("packed", [False, True])
def test_a_run(write, packed):
    content = RUN.encode()
    frame = read_run(write(gzip.compress(content) if packed else content))
    assert frame.to_dict("list") == {
        "topic": ["301", "301", "0302"],
        "doc": ["FT911-1", "FT911-9", "d\u00e9"],
        "rank": [1, 2, 1],
        "score": [7.25, -0.0065, 3.0],
        "run": ["mine"] * 3,
    }


def test_judgments(write):
    assert len(read_qrels(write("\ufeff\n" + QRELS))) == 3
    assert read_qrels(write("\ufeff" + QRELS)).to_dict("list") == {
        "topic": ["301", "301", "0302"],
        "doc": ["FT911-1", "FT911-9", "d\u00e9"],
        "relevance": [1, -2, 3],
    }


def test_only_blanks_and_tabs_part_the_fields(write):
    assert read_qrels(write("1 0 a\u00a0b\u2003c 1\n"))["doc"].tolist() == ["a\u00a0b\u2003c"]


def test_a_pipe_is_read_whole(tmp_path):
    lines = [f"1 Q0 d{k} {k} {-k} me\n" for k in range(5000)]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("".join(lines)))
    writer.start()
    assert len(read_run(pipe)) == 5000
    writer.join()


def test_an_empty_file_is_an_empty_table(write):
    assert read_run(write(""))["score"].dtype == float
    assert list(read_run(write("")).columns) == ["topic", "doc", "rank", "score", "run"]
    assert len(read_qrels(write("\n\n"))) == 0


@pytest.mark.parametrize(
    ("read", "content", "line", "words"),
    [
        (read_run, "1 Q0 d 1 3.5\n", 1, "5 fields, where there should be 6: topic Q0 doc rank score run"),
        (read_run, "1 Q0 a 1 3.5 x\n1 Q0 b 1 3.5 x y\n", 2, "7 fields"),
        (read_run, "1 Q0 a one 3.5 x\n", 1, "the rank must be a whole number, not 'one'"),
        (read_run, "1 Q0 a 1 3,5 x\n", 1, "the score must be a finite number, not '3,5'"),
        (read_run, "1 Q0 a 1 nan x\n", 1, "the score must be a finite number, not 'nan'"),
        (read_run, "1 Q0 a 1 1e999 x\n", 1, "the score must be a finite number"),
        (read_run, "1 Q0 a 1 1_0 x\n", 1, "the score must be a finite number"),
        (read_run, "1 Q0 a 1 \u0661 x\n", 1, "the score must be a finite number"),
        (read_run, "one\n", 1, "1 field, where"),
        (
            read_run,
            "1 Q0 a 1 2 x\n\n1 Q0 b 2 1 x\n1 Q0 a 3 0 x\n",
            4,
            "document 'a' is there a second time for topic '1'",
        ),
        (read_run, "1 Q0 a 1 2 x\n1 Q0 b 2 1 y\n", 2, "this line is of run 'y', and those above are of 'x'"),
        (read_qrels, "1 0 a 1\n1 0 b\n", 2, "3 fields, where there should be 4: topic iteration doc relevance"),
        (read_qrels, "1 0 a 1.5\n", 1, "the relevance must be a whole number, not '1.5'"),
        (read_qrels, "1 0 a \u0661\n", 1, "the relevance must be a whole number"),
        (read_qrels, "1 0 a 1\n1 0 a 1\n", 2, "document 'a' is there a second time"),
        (read_qrels, b"1 0 a 1\n1 0 \xff 1\n", 2, "not text in UTF-8"),
        (read_qrels, b"1 0 a 1\n1 0 \0 1\n", 2, "not text"),
        (read_qrels, PACKED[:-9], None, "damaged or cut off"),
        (read_qrels, PACKED[:12], 1, "damaged or cut off"),
        (read_qrels, b"\x1f\x8bnot gzip at all", 1, "damaged or cut off"),
    ],
)
def test_what_is_malformed_is_refused_with_file_and_line(write, read, content, line, words):
    path = write(content)
    with pytest.raises(FormatError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:{line or ''}")
    assert words in str(caught.value)


# trec_eval -q


def evaluated(name, values, measures=("map", "P_10"), first=False):
    """What trec_eval -q prints for one run: the topics, then the averages with the runid; or the runid first."""
    topics = "".join(f"{m:<22}\t{t}\t{v + k / 100:.4f}\n" for t, v in values.items() for k, m in enumerate(measures))
    runid = f"{'runid':<22}\tall\t{name}\n" if name else ""
    averages = "".join(f"{m:<22}\tall\t0.5000\n" for m in measures)
    return runid + topics + averages if first else topics + runid + averages


ONE, TWO = {"401": 0.25, "402": 0.5, "1000": 0.75}, {"1000": 0.1, "402": 0.2, "401": 0.3}


@pytest.mark.parametrize("first", [False, True])
def test_a_file_a_system_or_one_for_all(tmp_path, first):
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


def test_words_in_a_measure_that_is_not_wanted(write):
    path = write("relstring_10\t1\t'10--'\nmap\t1\t0.5\n")
    assert read_eval(path, "map").to_numpy().tolist() == [[0.5]]
    with pytest.raises(FormatError, match="the value of relstring_10 must be"):
        read_eval(path)


def test_a_system_without_a_runid_has_the_name_of_its_file(tmp_path):
    (tmp_path / "bm25.tuned.eval").write_text("map\tq1\t0.5\nmap\tq2\t0.25\n")
    scores = read_eval(tmp_path / "bm25.tuned.eval")
    assert list(scores.columns) == ["bm25.tuned"]
    assert list(scores.index) == ["q1", "q2"]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("map 401 0.5\nmap 402\n", 2, "2 fields, where there should be 3: measure topic value"),
        ("map 401 0.5\nmap 402 high\n", 2, "the value of map must be a finite number, not 'high'"),
        ("map 401 nan\n", 1, "the value of map must be a finite number"),
        ("map 401 0.5\nmap 402 0.", 2, "the last line has no end, so the file may have been cut off"),
        ("map 401 0.5\nmap 401 0.5\n", 2, "map of topic '401' is there a second time for one system"),
        ("runid all a\nmap all 0.5\n", 1, "no values by topic here: run trec_eval with -q"),
        (evaluated("one", ONE) + evaluated("one", TWO), 10, "system 'one' is there a second time, after"),
        ("", 1, "the file is empty"),
        (b"\xff\xfe", 1, "not text in UTF-8"),
    ],
)
def test_malformed_output_is_refused_with_file_and_line(write, content, line, words):
    path = write(content)
    with pytest.raises(FormatError) as caught:
        read_eval(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert words in str(caught.value)


def test_topics_that_are_missing_are_listed_or_dealt_with(tmp_path):
    (tmp_path / "a").write_text(evaluated("one", ONE, measures=("map",)))
    (tmp_path / "b").write_text(evaluated("two", {"401": 0.5}, measures=("map",)))
    with pytest.raises(ValueError, match="system 'two' has no map for the topics 402, 1000; missing=\"zero\""):
        read_eval(tmp_path)
    assert read_eval(tmp_path, missing="zero")["two"].tolist() == [0.5, 0, 0]
    assert read_eval(tmp_path, missing="drop").index.tolist() == ["401"]
    (tmp_path / "b").write_text(evaluated("two", {"9": 0.5}, measures=("map",)))
    with pytest.raises(ValueError, match="no topic is left"):
        read_eval(tmp_path, missing="drop")
    with pytest.raises(ValueError, match="'missing' must be"):
        read_eval(tmp_path, missing="skip")


def test_sources_that_are_not_there(tmp_path):
    for paths, error, words in [
        (tmp_path / "none", FileNotFoundError, "none"),
        (tmp_path / "*.eval", ValueError, "no file matches"),
        (tmp_path, ValueError, "has no files"),
        ([], ValueError, "there are no files to read"),
    ]:
        with pytest.raises(error, match=words):
            read_eval(paths)
    (tmp_path / "a").write_text(evaluated("one", ONE))
    with pytest.raises(ValueError, match="there are no values of ndcg"):
        read_eval(tmp_path, "ndcg")


def test_a_large_collection(tmp_path):
    """60 systems x 100 topics x 30 measures."""
    values = {str(topic): topic / 1000 for topic in range(100)}
    for system in range(60):
        (tmp_path / f"s{system}").write_text(evaluated(f"s{system}", values, measures=[f"m{k}" for k in range(30)]))
    scores = read_eval(tmp_path)
    assert scores.shape == (100, 1800)
    assert scores.loc["7", ("m3", "s11")] == 0.037


# Tables


def test_wide_and_long_tables(write):
    expected = pd.DataFrame({"one": [0.25, 0.5], "two": [0.75, 0.125]}, index=["401", "402"])
    for text in (
        "topic,one,two\n401,0.25,0.75\n402,0.5,0.125\n",
        "\ttwo\tone\r\n402\t0.125\t0.5\r\n401\t0.75\t0.25\r\n",
        '"topic","one","two"\n"401","0.25","0.75"\n"402", 0.5 ,"0.125"\n',
        "system,topic,value\none,401,0.25\none,402,0.5\ntwo,401,0.75\ntwo,402,0.125\n",
        "value\tmeasure\ttopic\tsystem\n0.25\tmap\t401\tone\n0.5\tmap\t402\tone\n0.75\tmap\t401\ttwo\n0.125\tmap\t402\ttwo\n",
    ):
        pd.testing.assert_frame_equal(read_table(write(text))[["one", "two"]], expected, check_names=False)
    capital = read_table(write("System,Topic,Value\none,401,0.5\none,all,0.5\ntwo,401,1\n"))
    assert capital.to_dict("list") == {"one": [0.5], "two": [1.0]}
    several = "system,topic,measure,value\n" + "".join(
        f"{s},{t},{m},0.5\n" for s in "ab" for t in (1, 2) for m in ("map", "ndcg")
    )
    assert read_table(write(several)).shape == (2, 4)
    assert read_table(write(several), "ndcg").shape == (2, 2)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("", 1, "the file is empty"),
        ("topic\n401\n", 1, "one column only"),
        ("topic,a,a\n401,1,2\n", 1, "two columns have the name 'a'"),
        ("topic,a,b\n401,1\n", 2, "2 fields, where the first line has 3"),
        ("topic,a,b\n401,1,2\n\n402,1,x\n", 4, "the value must be a finite number, not 'x'"),
        ("topic,a,b\nmean,1,2\n", 2, "'mean' is not a topic: leave out averages"),
        ("system,map\nA,1\n", 1, "not topics by systems, nor the columns system, topic and value in long form"),
        ("x,topic\n1,2\n", 1, "not topics by systems"),
        ("topic;A,B\n301;0,5\n", 1, "parted by semicolons"),
        ("topic,a,b\n401,1,2\n401,1,2\n", 3, "system 'a' for topic '401' is there a second time"),
        ("topic,a,b\n,1,2\n", 2, "the topic is missing"),
        ("system,topic,value\n,401,1\n", 2, "the system is missing"),
        ("system,topic,measure,value\na,1,map,1\na,1,map,1\n", 3, "map of system 'a' for topic '1' is there a second"),
        ('topic,a,b\n401,"1,2\n', 2, "unexpected end of data"),
    ],
)
def test_malformed_tables_are_refused_with_file_and_line(write, content, line, words):
    path = write(content)
    with pytest.raises(FormatError) as caught:
        read_table(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert words in str(caught.value)


def test_gaps_in_tables(write):
    path = write("topic,a,b\n401,1,\n402,1,2\n")
    with pytest.raises(ValueError, match="system 'b' has no value for the topics 401"):
        read_table(path)
    assert read_table(path, missing="zero").loc["401", "b"] == 0
    with pytest.raises(ValueError, match="does not say which measure it has"):
        read_table(path, "map")


def test_columns_of_items(write):
    frame = read_columns(write("system,map,note,P_10\nA,0.25,x,0.5\nB,,y,1e-3\n"))
    assert (list(frame.index), list(frame.columns)) == (["A", "B"], ["map", "P_10"])
    assert frame["map"].isna().tolist() == [False, True]
    assert frame.loc["B", "P_10"] == 0.001
    assert list(read_columns(write("a,b\n1,2\n3,4\n")).index) == ["1", "2"]
    # Row names as R and pandas write them, and numbers that name systems, are no measurements.
    for header in ("", "Run"):
        numbered = read_columns(write(f"{header},map\n7,0.5\n9,NA\n"))
        assert (list(numbered.columns), list(numbered.index)) == (["map"], ["7", "9"])
        assert numbered["map"].isna().tolist() == [False, True]
    for text, words in (
        ("x,map\na,0.5\nb,0.3O\n", ":3: '0.3O' in column 'map', which has numbers elsewhere"),
        ("x,map\na,0.5\na,0.3\n", ":3: item 'a' is there a second time"),
        ("x,map\na,1e999\n", ":2: the map must be a finite number"),
    ):
        with pytest.raises(FormatError, match=re.escape(words)):
            read_columns(write(text))
    for text, words in (("a,b\nx,y\n", "no column of numbers"), ("a,b\n", "no column of numbers"), ("", "is empty")):
        with pytest.raises(FormatError, match=words):
            read_columns(write(text))


# Whatever comes, a result or a clear error


GOOD = {
    read_run: RUN.encode(),
    read_qrels: QRELS.encode(),
    read_eval: (evaluated("one", ONE) + evaluated("two", TWO)).encode(),
    read_table: b"topic,one,two\n401,0.25,0.75\n402,0.5,0.125\n",
    read_columns: b"system,map,P_10\nA,0.25,0.3\nB,0.5,0.4\n",
}


@st.composite
def spoiled(draw, good):
    """A good file that is cut, shuffled, doubled, overwritten or packed."""
    lines = good.splitlines(keepends=True)
    content = b"".join(draw(st.permutations(lines))) if draw(st.booleans()) else good
    for _ in range(draw(st.integers(0, 3))):
        start, end = sorted((draw(st.integers(0, len(content))), draw(st.integers(0, len(content)))))
        change = draw(st.sampled_from(["cut", "double", "bytes", "number", "blank"]))
        middle = {
            "cut": b"",
            "double": content[start:end] * 2,
            "bytes": draw(st.binary(max_size=8)),
            "number": draw(
                st.sampled_from([b"nan", b"-1e999", b"0x10", b"1_0", b"\xc2\xbd", b"9" * 30, b"all", b"runid"])
            ),
            "blank": draw(st.sampled_from([b" ", b"\t", b"\n", b"\r", b"\0", b"\x0b", b",", b'"'])),
        }[change]
        content = content[:start] + middle + content[end:]
    if draw(st.booleans()):
        packed = gzip.compress(content, mtime=0)
        content = packed[: draw(st.integers(0, len(packed)))] if draw(st.booleans()) else packed
    return content


@pytest.mark.parametrize("read", GOOD, ids=lambda read: read.__name__)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@example(data=None)
def test_spoiled_files_give_a_result_or_a_clear_error(read, data, tmp_path):
    path = tmp_path / "file.txt"
    content = GOOD[read] if data is None else data.draw(spoiled(GOOD[read]))
    path.write_bytes(content)
    try:
        frame = read(path)
    except ValueError as error:
        assert data is not None
        assert str(error)
        assert "Traceback" not in str(error)
        return
    # What was read is what a plain look at the text finds.
    text = (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode().removeprefix("\ufeff")
    rows = [line.split() for line in text.split("\n") if line.strip()]
    numbers = frame.select_dtypes("number").to_numpy()
    if read in (read_run, read_qrels):
        assert len(frame) == len(rows)
        assert frame["doc"].tolist() == [row[2] for row in rows] or "\x0b" in text or "\r" in text or "\x1c" in text
    elif read is read_eval:
        values = [float(row[2]) for row in rows if row[1] != "all" and row[0] != "runid" and len(row) == 3]
        assert sorted(numbers.ravel()) == sorted(values)
    assert frame.shape[0] > 0 or read in (read_run, read_qrels)
