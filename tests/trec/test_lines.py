"""Lines and fields of plain and gzipped files."""

import gzip
import os
import pickle
import re
import threading

import pytest

from ircor._core.content import Content, first_repeated, parse_real, parse_whole
from ircor._core.errors import Argument, Setting
from ircor.trec import FormatError, read_qrels, read_run

PACKED = gzip.compress(b"".join(b"1 0 d%d 1\n" % k for k in range(1000)), mtime=0)


def lines(path):
    return Content.of(path).lines


def records(path, fields):
    return Content.of(path).fields(fields)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_lines_have_their_numbers_and_blank_ones_are_skipped(write, pack):
    content = "\ufeffa\n\n \t\r\n\ufeffb\r\nc".encode()
    assert (lines(write(pack(content)))) == [(1, "a\n"), (4, "\ufeffb\r\n"), (5, "c")]
    assert (lines(write(pack(b"")))) == []
    assert (lines(write(pack("\ufeff".encode())))) == []


def test_a_message_begins_with_the_file_and_the_line(tmp_path):
    assert str(FormatError(tmp_path / "a", 7, "wrong")) == f"{tmp_path / 'a'}:7: wrong"
    assert issubclass(FormatError, ValueError)


def test_an_error_knows_its_file_its_line_and_what_helps():
    remedies = ("leave it out", ("say so with ", Setting("systems", "rows")))
    error = FormatError("a.csv", 7, ("the column ", Argument("x"), " is odd"), *remedies, has="qrels")
    assert str(error) == "a.csv:7: the column 'x' is odd: leave it out, or say so with systems=\"rows\""
    assert (error.path, error.line, error.has) == ("a.csv", 7, "qrels")
    other = pickle.loads(pickle.dumps(error.without("systems")))
    assert (str(other), other.has) == ("a.csv:7: the column 'x' is odd: leave it out", "qrels")
    written = error.text(lambda part: f"--{part.name} {getattr(part, 'value', '')}".strip())
    assert written == "a.csv:7: the column --x is odd: leave it out, or say so with --systems rows"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_read_whole(tmp_path):
    content = [f"1 Q0 d{k} {k} {-k} me\n" for k in range(5000)]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("".join(content)))
    writer.start()
    assert len(read_run(pipe)) == 5000
    writer.join()


def test_only_blanks_and_tabs_separate_the_fields(write):
    assert read_qrels(write("1 0 a\u00a0b\u2003c 1\n"))["doc"].tolist() == ["a\u00a0b\u2003c"]
    assert list(records(write("  aX \t b\u000bc,d\t\r\n"), "one two")) == [(1, ["aX", "b\u000bc,d"])]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("a b\n\na\n", 3, "expected 2 fields (one two), found 1"),
        ("a b c\n", 1, "expected 2 fields (one two), found 3"),
        (b"a b\nb \xff\n", 2, "this is not text in UTF-8"),
        (b"a b\nb \0\n", 2, "this is not a text file: it has a null byte"),
        (PACKED[:12], 1, "the gzipped file is damaged or truncated: "),
        (b"\x1f\x8bnot gzip at all", 1, "the gzipped file is damaged or truncated: "),
    ],
)
def test_malformed_files_are_refused_with_file_and_line(refused, content, line, words):
    refused(lambda path: list(records(path, "one two")), content, line, words)


def test_a_gzipped_file_that_ends_early(write):
    path = write(PACKED[:-9])
    with pytest.raises(FormatError, match="the gzipped file is damaged or truncated: ") as caught:
        read_qrels(path)
    # How much of it can be unpacked is up to zlib.
    line = int(str(caught.value).removeprefix(f"{path}:").partition(":")[0])
    assert 1 < line <= 1001


def test_one_field_is_counted_as_one(refused):
    refused(lambda path: list(records(path, "one")), "a b\n", 1, "expected 1 field (one), found 2")


def test_a_last_line_without_a_newline(write):
    assert list(records(write("a b\nc d"), "one two")) == [(1, ["a", "b"]), (2, ["c", "d"])]
    assert list(records(write("a b\nc d\r\n"), "one two")) == [(1, ["a", "b"]), (2, ["c", "d"])]


def test_whole_numbers():
    read = {text: parse_whole("f", 3, "rank", text) for text in ("0", "+7", "-2", "007", "9" * 18, "-" + "9" * 18)}
    assert list(read.values()) == [0, 7, -2, 7, 10**18 - 1, 1 - 10**18]
    for text in ("", "+", "1.0", "1_0", "\u0661", "one", "1" + "0" * 18, " 1", "1\n", "++1"):
        with pytest.raises(
            FormatError, match=re.escape(f"f:3: the rank must be a whole number of at most 18 digits, not {text!r}")
        ):
            parse_whole("f", 3, "rank", text)


def test_real_numbers():
    read = {text: parse_real("f", 3, "score", text) for text in ("1", "-.5", "2.", "+1e-3", "1E3", "1e-999")}
    assert list(read.values()) == [1, -0.5, 2, 0.001, 1000, 0]
    for text in ("", ".", "e3", "nan", "inf", "1e999", "-1e999", "0x10", "1_0", "3,5", "\u0661", "1 ", "1\n"):
        with pytest.raises(FormatError, match=re.escape(f"f:3: the score must be a finite number, not {text!r}")):
            parse_real("f", 3, "score", text)


def test_the_first_repeated_value():
    assert first_repeated("abcbca") == 3
    assert first_repeated("aa") == 1
    assert first_repeated("abc") is None
    assert first_repeated("") is None
