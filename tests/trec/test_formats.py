"""Files that the tools of the field have written, as they are and damaged: see the README of tests/data/formats."""

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ircor._core.content import standard_input
from ircor.trec import FormatError, read_columns, read_eval, read_scores, read_table, sniff
from ircor.trec._formats import FORMATS

FORMATS_FOLDER = Path(__file__).parents[1] / "data" / "formats"

# The files of all systems, and those of one system, with their formats.
TABLES = {
    "long.csv": "table",
    "pandas.csv": "table",
    "pandas.jsonl": "jsonl",
    "pandas.parquet": "parquet",
    "pandas_records.json": "json",
    "pandas_reset.csv": "table",
    "pandas_systems.csv": "table",
    "pandas_transposed.csv": "table",
    "pandas_unnamed.csv": "table",
    "polars.ndjson": "jsonl",
    "polars.parquet": "parquet",
    "polars.tsv": "table",
    "pytrec_eval_systems.json": "json",
    "r.csv": "table",
    "r_long.csv": "table",
    "r_table.tsv": "table",
    "r_table.txt": "write.table",
    "r_transposed.csv": "table",
    "r_without_names.csv": "table",
    "systems.jsonl": "jsonl",
    "tidy.csv": "table",
    "tidy.parquet": "parquet",
    "two_headers.csv": "table",
    "two_headers.parquet": "parquet",
}
FOLDERS = {
    "trec_eval": "eval",
    "no_summary": "eval",
    "all_trec": "eval",
    "ir_measures": "eval",
    "ir_measures_jsonl": "jsonl",
}
MANY_SYSTEMS = {"systems_ir_measures.txt": "evals", "systems_tot.txt": "evals"}
ONE_SYSTEM = {"pytrec_eval.json": "json", "pytrec_eval_frame.csv": "table", "ranx.json": "json"}
OTHERS = {"A1.run": "run", "qrels.txt": "qrels", "averages.txt": "averages", "ranking.txt": "ranking"}


@pytest.fixture(scope="module")
def truth():
    """The values of pytrec_eval for each system: average precision, topics by systems."""
    import json

    found = json.loads((FORMATS_FOLDER / "pytrec_eval_systems.json").read_text())
    return pd.DataFrame({s: {t: values["map"] for t, values in topics.items()} for s, topics in found.items()})


def average_precision(table):
    """The average precision in a table of one measure or several."""
    if table.columns.nlevels == 1:
        return table
    return table["map" if "map" in table.columns.get_level_values("measure") else "AP"]


@pytest.mark.parametrize(("name", "form"), (TABLES | FOLDERS | MANY_SYSTEMS).items())
def test_what_the_tools_have_written(name, form, truth):
    path = FORMATS_FOLDER / name
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    assert {sniff(file) for file in files} == {form}
    scores = average_precision(read_scores(path))
    assert list(scores.columns) == list(truth.columns)
    assert list(scores.index) == (["1", "2", "3", "4"] if name == "r_without_names.csv" else list(truth.index))
    # Printed with four decimals by trec_eval and ir_measures, with ten by pandas' to_json.
    decimals = 4 if form in ("eval", "evals") else 10
    np.testing.assert_allclose(scores, truth, rtol=0, atol=0.5000001 * 10.0**-decimals)


@pytest.mark.parametrize(("name", "form"), ONE_SYSTEM.items())
def test_the_values_of_one_system(name, form, truth):
    path = FORMATS_FOLDER / name
    assert sniff(path) == form
    scores = average_precision(read_scores(path))
    assert list(scores.columns) == [path.stem]
    np.testing.assert_allclose(scores[path.stem], truth["A1"], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("name", "form"), OTHERS.items())
def test_files_without_scores_are_recognised_and_refused(name, form):
    path = FORMATS_FOLDER / name
    assert sniff(path) == form
    about = next(one.about for one in FORMATS if one.name == form)
    with pytest.raises(FormatError, match=f"{name}:1: expected scores of systems by topic, found {about}"):
        read_scores(path)


def test_every_format_has_an_example():
    named = {*TABLES.values(), *FOLDERS.values(), *MANY_SYSTEMS.values(), *ONE_SYSTEM.values(), *OTHERS.values()}
    assert named == {one.name for one in FORMATS}


def test_the_content_decides_and_not_the_name(tmp_path, truth):
    for k, name in enumerate(TABLES):
        path = tmp_path / f"{k}.eval"
        path.write_bytes((FORMATS_FOLDER / name).read_bytes())
        assert sniff(path) == TABLES[name]
        if not name.endswith(".parquet"):
            path.write_bytes(gzip.compress(path.read_bytes()))
            assert sniff(path) == TABLES[name]
            np.testing.assert_allclose(average_precision(read_scores(path)), truth, rtol=0, atol=1e-10)


def test_each_reader_refuses_what_is_for_another():
    for name in TABLES:
        with pytest.raises(FormatError, match="read_scores reads any format"):
            read_eval(FORMATS_FOLDER / name)
    with pytest.raises(FormatError, match="this is evaluation output: .*: read_scores reads any format"):
        read_table(FORMATS_FOLDER / "trec_eval" / "A1.eval")
    with pytest.raises(FormatError, match="expected a table with names of columns, not evaluation output"):
        read_columns(FORMATS_FOLDER / "trec_eval" / "A1.eval")


def test_columns_of_any_table(truth):
    for name in ("pandas.csv", "polars.ndjson", "pandas_records.json", "pandas.parquet", "r_table.txt"):
        frame = read_columns(FORMATS_FOLDER / name)
        np.testing.assert_allclose(frame, truth, rtol=0, atol=1e-10)
        assert frame.index.tolist() == truth.index.tolist()


def test_all_measures_but_words_of_trec_eval():
    scores = read_eval(FORMATS_FOLDER / "all_trec")
    measures = list(dict.fromkeys(scores.columns.get_level_values("measure")))
    assert len(measures) == 90
    assert "relstring" not in measures
    assert read_eval(FORMATS_FOLDER / "all_trec", ["utility", "P_10"]).shape == (4, 6)
    assert list(read_eval(FORMATS_FOLDER / "all_trec", ["utility", "P_10"]).columns)[2:4] == [
        ("utility", "C3"),
        ("P_10", "A1"),
    ]


def test_topics_that_trec_eval_counts_as_zero():
    path = FORMATS_FOLDER / "complete" / "A1.eval"
    with pytest.raises(
        FormatError, match=r"A1.eval:1: num_q is 4, but the file has 2 topics of system 'A1': .*trec_eval -c"
    ):
        read_eval(path)
    both = [path, FORMATS_FOLDER / "no_summary" / "B2.eval"]
    assert read_eval(both, "map", missing="zero").loc["403", "A1"] == 0
    assert read_eval(both, "map", missing="drop").index.tolist() == ["401", "402"]


@pytest.mark.parametrize("order", ["measure", "topic", "reversed", "numbers"])
def test_the_lines_of_a_system_may_have_any_order(tmp_path, order):
    for tool in ("trec_eval", "ir_measures"):
        lines = (FORMATS_FOLDER / tool / ("A1.eval" if tool == "trec_eval" else "A1.txt")).read_text().splitlines(True)
        key = {"measure": 0, "topic": 1, "numbers": 2}.get(order)
        changed = lines[::-1] if key is None else sorted(lines, key=lambda line: line.split()[key])
        path = tmp_path / "A1.txt"
        path.write_text("".join(changed))
        expected = read_eval(FORMATS_FOLDER / tool / ("A1.eval" if tool == "trec_eval" else "A1.txt"))
        pd.testing.assert_frame_equal(read_eval(path)[expected.columns], expected)


def test_a_readme_a_picture_and_runs_in_a_folder_are_skipped_and_named(tmp_path):
    for name in ("A1.eval", "B2.eval"):
        (tmp_path / name).write_bytes((FORMATS_FOLDER / "trec_eval" / name).read_bytes())
    (tmp_path / "A1.run").write_bytes((FORMATS_FOLDER / "A1.run").read_bytes())
    (tmp_path / "README.md").write_text("# Runs\n\nMade with trec_eval, and much love, on 3 machines.\nSee above.\n")
    (tmp_path / "notes").write_text("Everything, or nearly all, is fine\nSome, though\nis not\n")
    (tmp_path / "plot.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    (tmp_path / "settings.json").write_text('{"k1": 0.9, "b": 0.4}')
    scores = read_scores(tmp_path)
    assert scores["map"].columns.tolist() == ["A1", "B2"]
    (note,) = scores.attrs["notes"]
    assert note.startswith("skipped, because they have no scores: ")
    assert all(name in note for name in ("A1.run", "README.md", "notes", "plot.png", "settings.json"))
    # Another file of the same kind without scores is a failed evaluation.
    for content in (b"", b"map\n", b"trec_eval: Quit in file 'x.run'\n"):
        (tmp_path / "C3.eval").write_bytes(content)
        with pytest.raises(
            FormatError, match="C3.eval:1: there are no scores in the file, but in others of the folder"
        ):
            read_scores(tmp_path)
    (tmp_path / "C3.eval").unlink()
    # A file that is named is never skipped.
    with pytest.raises(FormatError, match="README.md:1: "):
        read_scores([tmp_path / "A1.eval", tmp_path / "README.md"])
    # Nor is one that may be damaged.
    for content in (
        b"0.5\nmap 401 0.5\n",
        b"\x1f\x8bnot gzip",
        b"topic,a,b\n1,1,1\n2,1\n",
        b"\xff\xfem\0a\0p\0",
        b"caf\xe9 1 1\n",
    ):
        (tmp_path / "damaged").write_bytes(content)
        with pytest.raises(FormatError, match="damaged:"):
            read_scores(tmp_path)
    (tmp_path / "damaged").unlink()
    for name in ("A1.eval", "B2.eval"):
        (tmp_path / name).unlink()
    with pytest.raises(ValueError, match="none of the files has scores: .*A1.run"):
        read_scores(tmp_path)


def test_files_of_one_folder_may_have_different_formats(tmp_path, truth):
    (tmp_path / "A1.eval").write_bytes((FORMATS_FOLDER / "trec_eval" / "A1.eval").read_bytes())
    (tmp_path / "B2.json").write_text(
        '{"401": {"map": 0.5}, "402": {"map": 0.25}, "403": {"map": 0}, "404": {"map": 1}}'
    )
    assert read_scores(tmp_path, "map")["B2"].tolist() == [0.5, 0.25, 0, 1]
    (tmp_path / "C3.csv").write_text("topic,C3\n401,0.5\n402,0.5\n403,0.5\n404,0.5\n")
    with pytest.raises(ValueError, match="C3.csv does not name its measure"):
        read_scores(tmp_path, "map")
    with pytest.raises(ValueError, match="some of the files name their measures and others do not"):
        read_scores(tmp_path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("topic,a\n1,0.5\n".encode("utf-16"), "this is not text in UTF-8, but in UTF-16: save it as UTF-8"),
        (b"PK\x03\x04\x14\x00\x06\x00\x08\xff", "this is not text in UTF-8, but a zip archive or a spreadsheet"),
        (b"BZh91AY&SY\xff\xfe", "this is not text in UTF-8, but compressed by bzip2"),
        (b"\xfd7zXZ\xff\n", "this is not text in UTF-8, but compressed by xz"),
        (b"caf\xe9,1\n", "this is not text in UTF-8$"),
    ],
)
def test_what_is_no_text_is_named(write, data, words):
    with pytest.raises(FormatError, match=f"file:1: {words}"):
        read_scores(write(data))


def test_line_ends_of_any_kind(write):
    for end in ("\n", "\r\n", "\r"):
        assert read_scores(write(end.join(["topic,a", "1,0.5", "2,0.25", ""])))["a"].tolist() == [0.5, 0.25]


def test_standard_input(monkeypatch, truth):
    for name in ("trec_eval/A1.eval", "polars.parquet"):
        standard_input.cache_clear()
        data = (FORMATS_FOLDER / name).read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
        for _ in range(2):
            np.testing.assert_allclose(average_precision(read_scores("-"))["A1"], truth["A1"], atol=0.00005001)
    standard_input.cache_clear()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"401\tAP\t0.5\n401\tAP\n"))))
    with pytest.raises(FormatError, match="^standard input:2: expected 3 fields"):
        read_scores("-")
    standard_input.cache_clear()


def test_progress_is_reported_by_file():
    steps = []
    read_scores(FORMATS_FOLDER / "trec_eval", progress=lambda done, total: steps.append((done, total)))
    assert steps == [(1, 3), (2, 3), (3, 3)]
