"""Reading TREC's files: whole or not at all."""

import gzip
import os
import threading

import pytest

from ircor.trec import FormatError, read_qrels, read_run

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
