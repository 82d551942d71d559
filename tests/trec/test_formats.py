"""Files that the tools of the field have written, as they are and damaged: see the README of tests/data/formats."""

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ircor.trec import FormatError, read_columns, read_eval, read_scores, read_table, sniff
from ircor.trec._collector import ScoreCollector
from ircor.trec._content import Content, standard_input
from ircor.trec._formats import FORMATS, add_scores

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
ONE_SYSTEM = {"pytrec_eval.json": "json", "pytrec_eval_frame.csv": "table", "ranx.json": "json"}
OTHERS = {"A1.run": "run", "qrels.txt": "qrels", "averages.txt": "averages"}


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


@pytest.mark.parametrize(("name", "form"), (TABLES | FOLDERS).items())
def test_what_the_tools_have_written(name, form, truth):
    path = FORMATS_FOLDER / name
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    assert {sniff(file) for file in files} == {form}
    scores = average_precision(read_scores(path))
    assert list(scores.columns) == list(truth.columns)
    assert list(scores.index) == (["1", "2", "3", "4"] if name == "r_without_names.csv" else list(truth.index))
    # Printed with four decimals by trec_eval and ir_measures, with ten by pandas' to_json.
    decimals = 4 if form == "eval" else 10
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
    named = {*TABLES.values(), *FOLDERS.values(), *ONE_SYSTEM.values(), *OTHERS.values()}
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


@pytest.mark.parametrize(
    "text",
    [
        '{"401": {"A1": 0.5, "B2": 0.25}, "402": {"A1": 0.75, "B2": 1}}',
        '{"A1": {"401": 0.5, "402": 0.75}, "B2": {"401": 0.25, "402": 1}}',
        '{"A1": {"401": {"map": 0.5}, "402": {"map": 0.75}}, "B2": {"401": {"map": 0.25}, "402": {"map": 1}}}',
        '{"A1": {"map": {"401": 0.5, "402": 0.75}}, "B2": {"map": {"401": 0.25, "402": 1, "all": 0.625}}}',
        '{"401": {"A1": {"map": 0.5}, "B2": {"map": 0.25}}, "402": {"A1": {"map": 0.75}, "B2": {"map": 1}}}',
        '{"map": {"A1": {"401": 0.5, "402": 0.75}, "B2": {"401": 0.25, "402": 1}}}',
        '{"map": {"401": {"A1": 0.5, "B2": 0.25}, "402": {"A1": 0.75, "B2": 1}}}',
        '{"foo": {"401": {"A1": 0.5, "B2": 0.25}, "402": {"A1": 0.75, "B2": 1}}}',
    ],
)
def test_objects_inside_objects_in_any_order(write, text):
    scores = read_scores(write(text), "foo" if "foo" in text else None)
    assert scores.to_dict("index") == {"401": {"A1": 0.5, "B2": 0.25}, "402": {"A1": 0.75, "B2": 1}}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '{"a": {"x": 0.5}, "b": {"x": 0.25}}',
            "the keys 'a' and 'x' can be topics and systems, or systems and topics",
        ),
        (
            '{"401": {"1": 0.5}}',
            "the keys '401' and '1' can be topics and systems, or systems and topics: write a table",
        ),
        ('{"bm25": {"map": 0.5}}', "the keys 'bm25' can be topics or systems: write a table"),
        ('{"a": {"401": {"foo": 0.5}}}', "it is not clear which keys are measures: write a table"),
        ('{"map": {"401": {"P_10": 0.5}}}', "it is not clear which keys are measures: write a table"),
        ('{"a": {"b": {"map": 0.5}}}', "the keys 'a' and 'b' can be topics and systems, or systems and topics"),
    ],
)
def test_objects_inside_objects_that_can_be_read_in_two_ways(write, text, words):
    with pytest.raises(FormatError, match=f"file:1: {words}"):
        read_scores(write(text))


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


def values_of(data, name="A1.txt"):
    """The scores in a file by measure, system and topic, and whether it was read."""
    scores = ScoreCollector(None, "error")
    add_scores(Content(name, data), scores)
    scores.settle_names()
    return {(*column, topic): value for column, topics in scores.columns.items() for topic, value in topics.items()}


def is_part(found, whole):
    return all(key in whole and (whole[key] == value or whole[key] != whole[key]) for key, value in found.items())


SMALL = [
    *(FORMATS_FOLDER / name for name in (TABLES | ONE_SYSTEM)),
    *(FORMATS_FOLDER / name for name in ("trec_eval/A1.eval", "no_summary/A1.eval", "ir_measures/A1.txt")),
    FORMATS_FOLDER / "ir_measures_jsonl" / "A1.jsonl",
]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.name)
def test_a_file_that_was_cut_anywhere_is_refused_or_a_part_of_the_whole(path):
    data = path.read_bytes()
    whole = values_of(data)
    for end in range(len(data)):
        try:
            found = values_of(data[:end])
        except (FormatError, ValueError):
            continue
        # A whole table without its last rows cannot be told from a smaller one; a value that was cut can.
        assert is_part(found, whole), end


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_files_that_were_mixed_are_refused_or_right(data):
    # Lines that are left out of JSON, or of a table without names of topics, can leave nothing to be seen, and so can a
    # row of another table with as many columns.
    left = ("r_without_names.csv", "pytrec_eval_systems.json")
    named = [path for path in SMALL if path.name not in left and path.suffix != ".parquet"]
    one, other = (data.draw(st.sampled_from(named)) for _ in range(2))
    assume(one == other or not {".csv", ".tsv"} >= {one.suffix, other.suffix})
    first, second = ((path.read_bytes() + b"\n").splitlines(keepends=True) for path in (one, other))
    if data.draw(st.booleans()):
        mixed = first[: data.draw(st.integers(0, len(first)))] + second[data.draw(st.integers(0, len(second))) :]
    else:
        place = data.draw(st.integers(0, len(first)))
        mixed = [*first[:place], data.draw(st.sampled_from(second)), *first[place:]]
    try:
        found = values_of(b"".join(mixed))
    except (FormatError, ValueError):
        return
    known = [*values_of(b"".join(first)).items(), *values_of(b"".join(second)).items()]
    by_score = {(topic, value) for (_, _, topic), value in known}
    for (_, _, topic), value in found.items():
        assert (topic, value) in by_score or value != value


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("map 401 0.5\n402 map 0.5\n", 2, "the line has topic, measure and value, but lines above have measure, topic"),
        ("401 AP 0.5\nAP 402 0.5\n", 2, "the line has measure, topic and value, but lines above have topic, measure"),
        ("map P_10 0.5\n", 1, "both 'map' and 'P_10' are names of measures: which of them is the topic?"),
        (
            "foo bar 0.5\n",
            1,
            "neither 'foo' nor 'bar' is a measure that is known here. If one of them is, choose",
        ),
        ("q1 401 0.5\n", 1, "neither 'q1' nor '401' is a measure that is known here"),
        ("401 A1 0.5\nall A1 0.5\n", 1, "neither '401' nor 'A1' is a measure that is known here"),
        ("map 401 0.5\nmap mean 0.5\n", 2, "'mean' is not a topic: expected measure, topic and value"),
        ("map 401 0.5\n-0.5 402 0.5\n", 2, "'-0.5' is not a measure: expected measure, topic and value"),
        ("map 401 0.5\nq1 foo 0.5\n", 2, "'q1' is not a measure: expected measure, topic and value"),
        ("0.1 0.2 0.3\n0.4 0.5 0.6\n", 1, "neither '0.1' nor '0.2' is a measure that is known here"),
        ("x 0.2 0.3\ny 0.5 0.6\n", 1, "neither 'x' nor '0.2' is a measure that is known here"),
        ("map 401 0.5\nfoo 402 0.5\nmap foo 0.5\n", 2, "'foo' is not a measure"),
        (
            "map 1 1\nrunid all a\nmap all 1\nmap 1 1\nmap all 1\nrunid all b\nmap 2 1\n",
            7,
            "the lines from here on have no",
        ),
        ("map 1 0.5\nnum_q all 2x\n", 2, "the value of num_q must be a whole number"),
        ("{\n", 2, "this is not complete JSON"),
        ('{"401": {"map": 0.5}\n', 2, "this is not complete JSON"),
        ('{"k1": 0.9, "b": 0.4}\n', 1, "the rows can be topics and k1, b in the columns systems"),
        (
            "system,topic,measure,value\na,401,map,0.5\na,402,0.25,0.5\n",
            3,
            "the number 0.25 is in the place of a measure",
        ),
        ("system,topic,AP\na,401,0.5\na,0.25,0.5\n", 3, "the number 0.25 is in the place of a topic"),
        ('{"401": {"map": true}}\n', 1, "the value of '401, map' is neither a number nor text"),
        ('{"401": {"map": 0.5}, "401": {"map": 0.25}}\n', 1, "the key '401' is repeated in one object"),
        ('{"401": {"map": 0.5}, "402": 0.5}\n', 1, "expected an object of topics, each of them an object of measures"),
        ('{"topic": 1, "a": 0.5}\n{"topic": 2, "a": [1]}\n', 2, "the value of 'a' is neither a number nor text: [1]"),
        ('{"topic": 1, "a": 0.5}\n[1]\n', 2, "this is not complete JSON"),
        ('[{"topic": 1, "a": 0.5}, 7]', 2, "expected an object with a key for each column, not 7"),
        ("[" * 100_000, 1, "the JSON is nested too deeply"),
        (b"PAR1PAR1", 1, "the Parquet file is damaged or truncated"),
    ],
)
def test_malformed_files_are_refused_with_file_and_line(refused, text, line, words):
    refused(read_scores, text, line, words)


def test_the_measure_that_is_wanted_tells_where_measures_are(write):
    path = write("foo bar 0.5\nfoo baz 0.25\n")
    assert read_eval(path, "foo").index.tolist() == ["bar", "baz"]
    assert read_eval(write("bar foo 0.5\nbaz foo 0.25\n"), "foo").index.tolist() == ["bar", "baz"]
    assert read_eval(write("foo bar 0.5\nfoo all 0.5\n"), "foo").index.tolist() == ["bar"]
    assert read_eval(write("bar foo 0.5\nall foo 0.5\n"), ["foo"]).index.tolist() == ["bar"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("map 401 0.5000\nmap 402 0.2500", [0.5, 0.25]),
        ("map 401 0.5\nmap 402 0.25\nmap all 0.37", [0.5, 0.25]),
        ("topic,a\n401,0.50\n402,0.25", [0.5, 0.25]),
        ('topic,a\n401,0.50\n402,"0.255"', [0.5, 0.255]),
        ('{"topic": 401, "a": 0.5}\n{"topic": 402, "a": 0.125}', [0.5, 0.125]),
    ],
)
def test_a_last_line_without_a_newline_that_is_complete(write, text, values):
    assert read_scores(write(text)).iloc[:, 0].tolist() == values


@pytest.mark.parametrize(
    "text",
    [
        "map 401 0.5000\nmap 402 0.25",
        "map 401 0.5000",
        "map 401 0.5\nmap 402 0.25",
        "num_rel 401 5\nnum_rel 402 7",
        "map 401 0.1234567890123456\nmap 402 0.1234567890123456",
        "num_rel 401 15\nnum_rel 402 7",
        "map 401 5e-1\nmap 402 2e-1",
        "map 401 0.5\nrunid all A",
        "map 401 0.5\nnum_q all 1",
        "topic,a\n401,0.50\n402,0.2",
        "topic,a,b\n401,0.5,1.5\n402,0.2,",
    ],
)
def test_a_last_line_without_a_newline_that_may_have_been_cut(write, text):
    with pytest.raises(FormatError, match=":[12345]: the last line has no newline at its end, and its value may have"):
        read_scores(write(text))


def test_progress_is_reported_by_file():
    steps = []
    read_scores(FORMATS_FOLDER / "trec_eval", progress=lambda done, total: steps.append((done, total)))
    assert steps == [(1, 3), (2, 3), (3, 3)]
