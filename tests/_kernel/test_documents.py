"""Runs and judgments parsed at once give what reading line by line gives, and what is unusual is left to that."""

import gzip
from codecs import BOM_UTF8

import pytest
from hypothesis import example, given, strategies as st

from ircor._core.content import Content
from ircor._kernel.documents import parsed
from ircor.scoring import _documents as _runs
from ircor.trec import FormatError, read_qrels, read_run

BLANKS = st.sampled_from([" ", "\t", "  ", " \t"])
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\n\n", ""])
TOPICS = st.sampled_from(["1", "2", "q3", "all", "\ufeff1", "t\u00e9", "\udcff"])
DOCS = st.sampled_from(["a", "b", "c", "d", "d\u00e9", "a\u00a0b", "x\x0by", "x\x0cy", "x\x00y", "\udcff", "x\x85y"])
WHOLE = st.sampled_from(["0", "1", "03", "-1", "+2", "-", "", "1-2", "1.0", "x", "9" * 18, "9" * 19, "-" + "9" * 18])
REAL = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True).map(repr),
    st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9).map(str),
    st.sampled_from(["1", "-2.5", ".5", "5.", ".", "1e3", "1e", "e5", "1_0", "nan", "inf", "1e999", "1e-999", "0x1p3"]),
    st.from_regex(r"[+-]?[0-9]{0,20}\.?[0-9]{0,20}", fullmatch=True),
)
NAMES = st.sampled_from(["mine", "mine", "mine", "mine", "other"])


def lines_of(*fields):
    return st.lists(
        st.tuples(st.tuples(*fields), st.lists(BLANKS, min_size=len(fields), max_size=len(fields)), ENDS).map(
            lambda parts: "".join(f + b for f, b in zip(parts[0], [*parts[1][1:], ""])) + parts[2]
        ),
        min_size=1,
        max_size=4,
    )


RUNS = lines_of(TOPICS, st.just("Q0"), DOCS, WHOLE, REAL, NAMES)
QRELS = lines_of(TOPICS, st.just("0"), DOCS, WHOLE)
ODD = lines_of(*[st.sampled_from(["1", "2", "a", "", " "])] * 7)


def outcome(read, content):
    try:
        return read(content, rows=True)
    except FormatError as error:
        return str(error)


def check(monkeypatch, lines, read):
    """Whether the text was parsed at once; if so, as by the slow path."""
    content = Content("file", "".join(lines).encode(errors="surrogateescape"))
    found = outcome(read, content)
    quick = parsed(_runs.unpacked(content), read is _runs.run_of, True)
    with monkeypatch.context() as patch:
        patch.setattr(_runs, "parsed", lambda *arguments: None)
        assert found == outcome(read, content)
    return quick is not None


@pytest.mark.parametrize(("lines", "read"), [(RUNS, _runs.run_of), (QRELS, _runs.qrels_of), (ODD, _runs.qrels_of)])
def test_what_is_parsed_at_once_is_what_lines_give(monkeypatch, lines, read):
    taken = set()

    @given(lines)
    def run(some):
        taken.add(check(monkeypatch, some, read))

    run()
    assert False in taken


@pytest.mark.parametrize("read", [_runs.run_of, _runs.qrels_of])
def test_regular_text_is_parsed_at_once(monkeypatch, read):
    more = " 2.5 mine" if read is _runs.run_of else ""
    assert check(monkeypatch, [f"{t} 0\t{d} {k}{more}\n" for t in "12" for k, d in enumerate("abc")], read)
    assert check(monkeypatch, [f"1 0 d\u00e9\u00a0 1{more} \r\n", f"  2 0 b -1{more}\n"], read)
    for odd in ("\n", "1 0 a 1 2 3 4 5\n", f"1 0 a x{more}\n", f"1 0 a 1{more}", f"1 0 a\x01 1{more}\n"):
        assert not check(monkeypatch, [f"1 0 z 1{more}\n", odd], read)
    assert parsed(b"", True, True) is None


@given(st.one_of(REAL, st.floats(allow_nan=False, allow_infinity=False).map(repr)))
@example("0.1000000000000000055511151231257827")
@example("123456789012345")
@example("1234567890123456")
@example("-0.0")
@example("-0")
def test_numbers_are_those_of_python(number):
    found = parsed(f"1 Q0 a 1 {number} x\n".encode(), True, False)
    try:
        expected = float(number) if number and "_" not in number else None
    except ValueError:
        expected = None
    if expected is None or expected != expected or abs(expected) == float("inf"):
        assert found is None
    else:
        assert repr(found[0]["1"]["a"]) == repr(expected)


def test_packed_and_marked_files():
    run = b"1 Q0 a 1 2.5 mine\n1 Q0 b 2 1.5 mine\n"
    for data in (gzip.compress(run), BOM_UTF8 + run, gzip.compress(BOM_UTF8 + run)):
        assert _runs.run_of(Content("file", data), rows=True) == _runs.run_of(Content("file", run), rows=True)
    with pytest.raises(FormatError, match="damaged or truncated"):
        _runs.run_of(Content("file", gzip.compress(run)[:-9]))


def test_a_topic_may_come_again(tmp_path):
    path = tmp_path / "qrels"
    path.write_text("1 0 a 1\n2 0 a 2\n1 0 b 0\n")
    assert parsed(path.read_bytes(), False, False)[0] == {"1": {"a": 1, "b": 0}, "2": {"a": 2}}
    assert read_qrels(path)["topic"].tolist() == ["1", "2", "1"]
    path.write_text("1 0 a 1\n2 0 a 2\n1 0 b 0\n1 0 a 1\n")
    assert parsed(path.read_bytes(), False, False) is None
    with pytest.raises(FormatError, match=":4: document 'a' is repeated for topic '1'"):
        read_qrels(path)


def test_ranks_are_kept(tmp_path):
    path = tmp_path / "run"
    path.write_text("1 Q0 a -7 2 x\n1 Q0 b +3 1 x\n")
    assert read_run(path)["rank"].tolist() == [-7, 3]
