"""Reading all lines at once gives what reading line by line gives."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ircor.trec import FormatError, _runs, read_qrels, read_run
from ircor.trec._at_once import columns_at_once
from ircor.trec._content import Content
from ircor.trec._lines import split_lines

BLANKS = st.text(" \t", min_size=1, max_size=2)
FIELDS = st.sampled_from(
    [
        *(
            "401",
            "402",
            "0",
            "Q0",
            "a",
            "b",
            "d\u00e9",
            "1",
            "-1",
            "2.5",
            ".5",
            "nan",
            "1_0",
            "1e999",
            "all",
            "\ufeffx",
        ),
        *("a\u00a0b", "x\x0by", "x\x0cy", "\x00", "-", "1-2", "9" * 19, "+3"),
    ]
)
LINES = st.builds(
    lambda fields, blanks, start, end: start + "".join(f + b for f, b in zip(fields, blanks + [""] * 9))[:] + end,
    st.lists(FIELDS, min_size=0, max_size=7),
    st.lists(BLANKS, min_size=6, max_size=6),
    st.sampled_from(["", "", "", " "]),
    st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", ""]),
)


def by_line(content, count):
    """The columns by the slow path, or the error."""
    try:
        rows = [fields for _, fields in split_lines(content.lines, content.path, " ".join("x" * count))]
    except FormatError:
        return None
    return [[row[k].encode() for row in rows] for k in range(count)]


@given(st.lists(LINES, min_size=1, max_size=5), st.sampled_from([4, 6]))
def test_columns(lines, count):
    content = Content("file", "".join(lines).encode())
    quick = columns_at_once(content.data, count)
    if quick is not None and not content.data.startswith("\ufeff".encode()):
        assert quick == by_line(content, count)


REGULAR_RUN = st.builds(
    "{} Q0 {} {} {} {}\n".format,
    st.sampled_from(["1", "2", "all"]),
    st.sampled_from(["a", "b", "c", "d", "\ufeffd"]),
    st.sampled_from(["1", "2", "03", "-1", "x", "9" * 19]),
    st.sampled_from(["1", "2.5", "-1e3", "nan", "1_0", "1e999", ".5", "5.", "1e"]),
    st.sampled_from(["mine", "mine", "mine", "other"]),
)
REGULAR_QRELS = st.builds(
    "{} 0 {} {}\n".format,
    st.sampled_from(["1", "2"]),
    st.sampled_from(["a", "b", "c", "d", "\udcff"]),
    st.sampled_from(["0", "1", "-1", "+2", "1-2", "1.0", "9" * 19]),
)


@pytest.mark.parametrize(
    ("lines", "read", "quick"),
    [(REGULAR_RUN, _runs.run_of, "quick_run"), (REGULAR_QRELS, _runs.qrels_of, "quick_qrels")],
)
def test_runs_and_judgments(monkeypatch, lines, read, quick):
    def outcome(content):
        try:
            found = read(content)
        except FormatError as error:
            return str(error)
        return [list(map(int, part)) if k == 2 and quick == "quick_run" else part for k, part in enumerate(found)]

    taken = []

    @given(st.lists(lines, min_size=1, max_size=4))
    def check(some):
        content = Content("file", "".join(some).encode(errors="surrogateescape"))
        at_once = outcome(content)
        with monkeypatch.context() as patch:
            taken.append(getattr(_runs, quick)(content) is not None)
            patch.setattr(_runs, quick, lambda content: None)
            assert at_once == outcome(content)

    check()
    assert any(taken)
    assert not all(taken)


def test_a_gzipped_file_is_read_at_once(write):
    run = b"1 Q0 a 1 2.5 mine\n1 Q0 b 2 1.5 mine\n"
    assert _runs.quick_run(Content("file", gzip.compress(run))) == _runs.run_of(Content("file", run))
    assert read_run(write(gzip.compress(run)))["rank"].tolist() == [1, 2]
    with pytest.raises(FormatError, match="damaged or truncated"):
        read_run(write(gzip.compress(run)[:-9]))


def test_topics_that_do_not_stand_together(write):
    qrels = "1 0 a 1\n2 0 a 2\n1 0 b 0\n"
    assert _runs.quick_qrels(Content("file", qrels.encode())).by_topic == {"1": {"a": 1, "b": 0}, "2": {"a": 2}}
    with pytest.raises(FormatError, match=":4: document 'a' is repeated for topic '1'"):
        read_qrels(write(qrels + "1 0 a 1\n"))
