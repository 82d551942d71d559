"""Damaged files: each reader returns what the file says, or raises a clear error."""

import gzip

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from ircor.trec import read_columns, read_eval, read_qrels, read_run, read_table

EVAL = "".join(
    "".join(f"{m:<22}\t{t}\t{v:.4f}\n" for t, v in values.items() for m in ("map", "P_10"))
    + f"{'runid':<22}\tall\t{name}\n"
    + "".join(f"{m:<22}\tall\t0.5000\n" for m in ("map", "P_10"))
    for name, values in {
        "one": {"401": 0.25, "402": 0.5, "1000": 0.75},
        "two": {"1000": 0.1, "402": 0.2, "401": 0.3},
    }.items()
)
GOOD = {
    read_run: b"301 Q0 FT911-1 1 7.25 mine\n301\tQ0\tFT911-9\t2\t-6.5e-3\tmine\r\n\n 0302 Q0 d\xc3\xa9 1 3 mine  \n",
    read_qrels: "301 0 FT911-1 1\n301 0 FT911-9 -2\n0302 0 d\u00e9 3\n".encode(),
    read_eval: EVAL.encode(),
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
