"""Files that were cut, mixed or malformed: the right table, or an error with the file and the line."""

from pathlib import Path

import pytest
from collected import collected_values
from hypothesis import assume, given, settings, strategies as st

from ircor._core.content import Content
from ircor.scoring._collector import ScoreCollector
from ircor.trec import FormatError, read_eval, read_scores
from ircor.trec._by_topic import add_scores

FORMATS_FOLDER = Path(__file__).parents[1] / "data" / "formats"


def values_of(data, name="A1.txt"):
    """The scores in a file by measure, system and topic, and whether it was read."""
    scores = ScoreCollector(None, "error")
    add_scores(Content(name, data), scores)
    return collected_values(scores)


def is_part(found, whole):
    return all(key in whole and (whole[key] == value or whole[key] != whole[key]) for key, value in found.items())


# Small files of each format that has scores.
SMALL = [
    *(path for path in sorted(FORMATS_FOLDER.iterdir()) if path.suffix not in (".md", ".run", ".txt", "")),
    *(FORMATS_FOLDER / name for name in ("systems_tot.txt", "systems_ir_measures.txt")),
    *(FORMATS_FOLDER / name for name in ("r_table.txt", "trec_eval/A1.eval", "no_summary/A1.eval")),
    *(FORMATS_FOLDER / name for name in ("ir_measures/A1.txt", "ir_measures_jsonl/A1.jsonl")),
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
        ("map 401 0.5\nall 402 0.5\n", 2, "'all' is not a measure: expected measure, topic and value"),
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
