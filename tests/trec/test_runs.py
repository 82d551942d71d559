"""Ranked runs and relevance judgments."""

import gzip

import pytest

from ircor.trec import read_qrels, read_run

RUN = "301 Q0 FT911-1 1 7.25 mine\n301\tQ0\tFT911-9\t2\t-6.5e-3\tmine\r\n\n 0302 Q0 d\u00e9 1 3 mine  \n"
QRELS = "301 0 FT911-1 1\n301 0 FT911-9 -2\n0302 0 d\u00e9 3\n"


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


def test_a_document_can_be_in_several_topics(write):
    assert len(read_run(write("1 Q0 a 1 2 x\n2 Q0 a 1 2 x\n"))) == 2
    assert len(read_qrels(write("1 0 a 1\n2 0 a 1\n"))) == 2


def test_an_empty_file_is_an_empty_table(write):
    assert read_run(write("")).dtypes[["rank", "score"]].tolist() == ["int64", "float64"]
    assert list(read_run(write("")).columns) == ["topic", "doc", "rank", "score", "run"]
    assert len(read_qrels(write("\n\n"))) == 0
    assert read_qrels(write(""))["relevance"].dtype == "int64"


@pytest.mark.parametrize(
    ("read", "content", "line", "words"),
    [
        (read_run, "1 Q0 d 1 3.5\n", 1, "expected 6 fields (topic Q0 doc rank score run), found 5"),
        (read_run, "1 Q0 a 1 3.5 x\n1 Q0 b 1 3.5 x y\n", 2, "expected 6 fields (topic Q0 doc rank score run), found 7"),
        (read_run, "1 Q0 a one 3.5 x\n", 1, "the rank must be a whole number of at most 18 digits, not 'one'"),
        (read_run, "1 Q0 a 1 3,5 x\n", 1, "the score must be a finite number, not '3,5'"),
        (read_run, "1 Q0 a 1 nan x\n", 1, "the score must be a finite number, not 'nan'"),
        (read_run, "1 Q0 a 1 1e999 x\n", 1, "the score must be a finite number"),
        (read_run, "1 Q0 a 1 1_0 x\n", 1, "the score must be a finite number"),
        (read_run, "1 Q0 a 1 \u0661 x\n", 1, "the score must be a finite number"),
        (read_run, "one\n", 1, "expected 6 fields (topic Q0 doc rank score run), found 1"),
        (read_run, "1 Q0 a 1 2 x\n\n1 Q0 b 2 1 x\n1 Q0 a 3 0 x\n", 4, "document 'a' is repeated for topic '1'"),
        (read_run, "1 Q0 a 1 2 x\n1 Q0 b 2 1 y\n", 2, "the run is 'y', but the lines above are of run 'x'"),
        (read_qrels, "1 0 a 1\n1 0 b\n", 2, "expected 4 fields (topic iteration doc relevance), found 3"),
        (read_qrels, "1 0 a 1.5\n", 1, "the relevance must be a whole number of at most 18 digits, not '1.5'"),
        (read_qrels, "1 0 a \u0661\n", 1, "the relevance must be a whole number"),
        (read_qrels, "1 0 a 1\n1 0 a 1\n", 2, "document 'a' is repeated for topic '1'"),
        (read_qrels, b"1 0 a 1\n1 0 \xff 1\n", 2, "this is not text in UTF-8"),
        (read_qrels, b"1 0 a 1\n1 0 \0 1\n", 2, "this is not a text file: it has a null byte"),
    ],
)
def test_malformed_files_are_refused_with_file_and_line(refused, read, content, line, words):
    refused(read, content, line, words)
