"""cor_parquet: against cor_by on the same rows, however they are cut into batches; and what is in memory."""

import subprocess
import sys

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ircor
from ircor import cor_parquet
from ircor.tables import _streams as _parquet

NAN = float("nan")


@pytest.fixture
def table(grouped):
    """A function that makes a table of groups in order, and what `cor_by` says."""

    def make(name, labels=lambda g: g):
        rows = grouped(name)
        order = np.argsort(rows.g, kind="stable")
        g, x, y = rows.g[order], rows.x[order], rows.y[order]
        return pa.table({"a": x, "g": labels(g), "b": y, "unused": g}), rows.expected

    return make


def values(reader):
    return reader.read_pandas().iloc[:, 1].to_numpy()


@pytest.mark.parametrize("rows", [1, 2, 7, 100, 10_000])
def test_groups_are_those_of_cor_by_however_they_are_cut(name, rows, table):
    made, expected = table(name)
    reader = cor_parquet(made.to_batches(max_chunksize=rows), "g", "a", "b", name)
    assert reader.schema.names == ["g", name]
    found = reader.read_all()
    assert found["g"].to_pylist() == list(range(len(expected)))
    np.testing.assert_array_equal(found[name].to_numpy(), expected)
    assert found[name].null_count == np.isnan(expected).sum()


@pytest.mark.parametrize("rows", [64, 10_000])
def test_files_one_after_the_other(name, rows, table, tmp_path, monkeypatch):
    monkeypatch.setattr(_parquet, "ROWS", rows)
    made, expected = table(name)
    paths = [tmp_path / "a.parquet", tmp_path / "empty.parquet", str(tmp_path / "b.parquet")]
    for path, part in zip(paths, (made[:800], made[:0], made[800:])):
        pq.write_table(part, path, row_group_size=300)
    np.testing.assert_array_equal(values(cor_parquet(paths, "g", "a", "b", name)), expected)
    pq.write_table(made, paths[0])
    np.testing.assert_array_equal(values(cor_parquet(paths[0], "g", "a", "b", name)), expected)


LABELS = {
    "integers": lambda g: pa.array(g * 7 - 100),
    "integers down": lambda g: pa.array(-g),
    "strings": lambda g: pa.array([f"q{k:04}" for k in g]),
    "large strings": lambda g: pa.array([f"q{k:04}" for k in g], pa.large_string()),
    "floats": lambda g: pa.array(g / 3),
    "dates": lambda g: pa.array(g.astype("datetime64[D]")),
    "categories": lambda g: pa.array([f"q{k:04}" for k in g]).dictionary_encode(),
    "decimals": lambda g: pa.array(g).cast(pa.decimal128(30, 2)),
}


if int(pa.__version__.partition(".")[0]) >= 18:  # older ones do not convert them
    LABELS["views on strings"] = lambda g: pa.array([f"q{k:04}" for k in g], pa.string_view())


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_any_type_with_an_order(kind, table):
    made, expected = table("tau_b", LABELS[kind])
    for batches in (made.to_batches(max_chunksize=50), made.to_batches()):
        found = cor_parquet(batches, "g", "a", "b").read_all()
        assert found["g"].to_pylist() == list(dict.fromkeys(made["g"].to_pylist()))
        np.testing.assert_array_equal(found["tau_b"].to_numpy(), expected)


def rows_of(*labels, **columns):
    n = len(labels)
    return pa.table({"q": list(labels), "a": range(n), "b": range(n)} | columns)


@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_groups_in_no_order_are_refused(size):
    for labels, row, before in [("aabbac", 5, "b"), ("bbaac", 5, "a"), ("aabcb", 5, "c"), ("cbbac", 5, "a")]:
        with pytest.raises(ValueError, match="no order") as caught:
            cor_parquet(rows_of(*labels).to_batches(max_chunksize=size), "q", "a", "b").read_all()
        assert str(caught.value) == (
            f"row {row} begins group {labels[row - 1]!r} after group {before!r}, against the order of the groups "
            "before. Either the rows of a group are not together, or the groups are in no order. Sort the rows by 'q'; "
            "an engine can do so on disk."
        )


@pytest.mark.parametrize("size", [1, 2, 10])
def test_a_missing_group_is_refused(size):
    for missing in (["a", "a", "b", None], [0.5, 0.5, 1.5, NAN]):
        with pytest.raises(ValueError, match="^the group of row 4 is missing$"):
            cor_parquet(rows_of(*missing).to_batches(max_chunksize=size), "q", "a", "b").read_all()


def test_refused_groups_are_named():
    made = rows_of(1, 1, 2, 2, 3, 3, b=[1, 2, 4, 4, 5, 5])
    reader = cor_parquet(made.to_batches(max_chunksize=3), "q", "a", "b", "tau")
    with pytest.raises(ValueError, match="^group 2: 'y' contains ties"):
        reader.read_all()
    with pytest.raises(ValueError, match="^'a' has a missing value in row 2 of group 'x': nan_policy="):
        cor_parquet(rows_of("x", "x", a=[1, None]).to_batches(), "q", "a", "b").read_all()


def test_options_are_those_of_cor_by(table):
    made, _ = table("tauAP_b")
    columns = [made[name].to_numpy() for name in ("g", "a", "b")]
    for options in (
        {"method": "tauAP_b", "decreasing": False, "min_items": 9},
        {"method": "rbo", "p": 0.9, "ties": "w"},
    ):
        found = cor_parquet(made.to_batches(max_chunksize=100), "g", "a", "b", **options)
        np.testing.assert_array_equal(values(found), ircor.cor_by(*columns, **options))
    with pytest.raises(ValueError, match="'p' is required"):
        cor_parquet(made.to_batches(), "g", "a", "b", "rbo")


def test_what_has_no_such_columns_is_refused(tmp_path):
    made = rows_of(1, 1)
    path = tmp_path / "scores.parquet"
    pq.write_table(made, path)
    with pytest.raises(ValueError, match="scores.parquet' must have one column 'query', and its columns are"):
        cor_parquet(path, "query", "a", "b")
    with pytest.raises(ValueError, match="a batch of 'source' must have one column 'c', .* are 'q', 'a', 'b'"):
        cor_parquet(made.to_batches(), "q", "a", "c")
    frame = pd.DataFrame({"q": [1], "a": [1], "b": [1]})
    for wrong, said in (
        ([made["a"]], "ChunkedArray"),
        (made["q"], "Int64Scalar: 1>"),
        ([1, 2], "1"),
        (7, "7"),
        ([frame], "DataFrame"),
        # A loop over these gives columns or their names.
        (frame, "DataFrame"),
        (pl.from_pandas(frame), "DataFrame"),
        (made, "Table"),
        ([made], "Table"),
        (made.to_batches()[0], "RecordBatch"),
    ):
        with pytest.raises(TypeError, match=f"'source' must be paths of Parquet files, or batches .* not .*{said}$"):
            cor_parquet(wrong, "q", "a", "b")
    with pytest.raises(ValueError, match="'source' has no batches"):
        cor_parquet([], "q", "a", "b")
    with pytest.raises(FileNotFoundError):
        cor_parquet(tmp_path / "none.parquet", "q", "a", "b")
    for name in ("a", "b"):
        with pytest.raises(
            TypeError, match=f"a batch of 'source' must have numbers in the column '{name}', not string"
        ):
            cor_parquet(rows_of(1, 1, **{name: ["a", "b"]}).to_batches(), "q", "a", "b")
    with pytest.raises(ValueError, match="must have one column 'a', and its columns are 'a', 'a', 'b'"):
        cor_parquet(made.rename_columns(["a", "a", "b"]).to_batches(), "b", "a", "b")
    with pytest.raises(TypeError, match="the column 'q' must have labels with an order, not list"):
        cor_parquet(rows_of([1], [1]).to_batches(), "q", "a", "b").read_all()
    empty = pa.RecordBatch.from_pylist([], schema=made.schema)
    assert cor_parquet([empty, empty], "q", "a", "b").read_all().num_rows == 0


def test_what_is_not_a_parquet_file_is_refused_by_its_name(tmp_path):
    good, wrong = tmp_path / "good.parquet", tmp_path / "wrong.parquet"
    pq.write_table(rows_of(1, 1), good)
    for content in (b"", b"q,a,b\n1,1,1\n"):
        wrong.write_bytes(content)
        with pytest.raises(ValueError, match=r"wrong.parquet' is not a Parquet file: "):
            cor_parquet([good, wrong], "q", "a", "b").read_all()


def test_types_are_the_same_in_all_files(tmp_path):
    paths = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    pq.write_table(rows_of(1, 1), paths[0])
    for labels, values, said in ((2, [0.5, 1], "double in the column 'a'"), ("x", [1, 2], "string in the column 'q'")):
        pq.write_table(rows_of(labels, labels, a=values), paths[1])
        with pytest.raises(TypeError, match=f"two.parquet' has {said}, but what comes before has int64$"):
            cor_parquet(paths, "q", "a", "b").read_all()
        with pytest.raises(TypeError, match=f"^a batch of 'source' has {said}, but what comes before has int64$"):
            cor_parquet((pq.read_table(path).to_batches()[0] for path in paths), "q", "a", "b").read_all()


def test_engines_sort_and_engines_read_the_result(grouped, tmp_path):
    rows = grouped("tauAP_b")
    with duckdb.connect() as con:
        con.register("rows", pa.table({"id": np.arange(len(rows.g)), "g": rows.g, "a": rows.x, "b": rows.y}))
        query = con.sql("SELECT g, a, b FROM rows ORDER BY g DESC, id")
        made = query.to_arrow_reader(100) if hasattr(query, "to_arrow_reader") else query.fetch_arrow_reader(100)
        found = pl.from_arrow(cor_parquet(made, "g", "a", "b", "tauAP_b").read_all())
    np.testing.assert_array_equal(found["tauAP_b"].to_numpy()[::-1], rows.expected)


# Not what `resource` says, which includes the process that started this one.
MEASURE = """
import re, sys, ircor
count = sum(batch.num_rows for batch in ircor.cor_parquet(sys.argv[1], "g", "a", "b", "tauAP_b"))
print(count, re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="says what the most memory was on Linux only")
def test_memory_does_not_grow_with_the_file(tmp_path, rng):
    """Neither with many row groups, nor with one."""
    path, peaks = tmp_path / "scores.parquet", []
    for groups, row_groups in ((300_000, 30), (3_000_000, 300), (3_000_000, 1)):
        g = np.repeat(np.arange(groups), 10)
        made = pa.table({"g": g, "a": rng.random(len(g)), "b": rng.random(len(g))})
        pq.write_table(made, path, row_group_size=len(g) // row_groups, compression="none")
        done = subprocess.run([sys.executable, "-c", MEASURE, path], capture_output=True, text=True, check=True)
        count, peak = map(int, done.stdout.split())
        assert count == groups
        peaks.append(peak)
    few, *many = peaks
    assert max(many) < 1.3 * few
