"""Evaluation output read into arrays gives what reading line by line gives: the same table, or the same error."""

import gzip
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from pyarrow import csv

from ircor._core.content import Content
from ircor.trec import FormatError, read_eval, read_leaderboard, read_scores, sniff
from ircor.trec._eval_output import Output

FORMATS_FOLDER = Path(__file__).parents[1] / "data" / "formats"

MEASURES = ("map", "P_5", "P_10", "nDCG@10", "my_measure", "num_ret")
TOPICS = ("401", "402", "9", "q1", "q2", "MB-1", "007")
# What does not belong in its place, or only in some files.
NO_MEASURES = ("runid", "num_q", "relstring_10", "all", "0.5", "q3", "401", "#", "t\u00e9")
NO_TOPICS = ("all", "mean", "map", "0.25", "31.2", "\u0661", "x")
NO_NUMBERS = ("nan", "-inf", "1e400", "high", "'10-'", "1_0", "0x1", "1,5", "\u0663", "--1", "")
ODD_LINES = ("\n", " \t\n", "# a comment\n", "\x0c\n", "\x1c\n", "map 401\n", "map 401 0.5 0.5\n", "a,b,c\n")
ODD_BYTES = (b"\0", b"\xff", b"\x0b", b"\x1f", b"\r", b"\n", b" ", b"\xc2\xa0", b"e")

NUMBERS = (
    st.decimals(0, 1, places=4).map(str)
    | st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.integers(-1, 1000).map(str)
    | st.sampled_from(["-0.0", "+1", "1.", "-.5", "1e-3", "12345678901234567890", "0.12345678901234567890", "5e-324"])
)


@st.composite
def ordinary_lines(draw, runid=""):
    """The lines of one system as measure, topic and value, with averages if a runid is given."""
    measures = draw(st.lists(st.sampled_from(MEASURES), min_size=1, max_size=3, unique=True).map(lambda m: ["map", *m]))
    topics = draw(st.lists(st.sampled_from(TOPICS), min_size=1, max_size=5, unique=True))
    pairs = [(measure, topic) for topic in topics for measure in dict.fromkeys(measures)]
    if draw(st.booleans()):
        pairs.sort()
    found = [(*pair, draw(NUMBERS)) for pair in pairs]
    if draw(st.integers(0, 3)) == 0:
        found += [("relstring_10", topic, "'1-0'") for topic in topics]
    if not runid:
        return found
    averages = [("num_q", "all", str(len(topics))), *((measure, "all", draw(NUMBERS)) for measure in set(measures))]
    named = ("runid", "all", runid)
    return [named, *found, *averages] if draw(st.booleans()) else [*found, named, *averages]


@st.composite
def files(draw, names=("",)):
    """The text of a file with the output for some systems."""
    lines = [line for name in names for line in draw(ordinary_lines(name))]
    # ir_measures writes no runid.
    swapped = lines[0][0] != "runid" and draw(st.booleans())
    blank = draw(st.sampled_from([" ", "\t", "  \t"]))
    places = [(topic, measure, value) if swapped else (measure, topic, value) for measure, topic, value in lines]
    width = draw(st.sampled_from([0, 12]))
    return [f"{one:<{width}}{blank}{two}{blank}{value}\n" for one, two, value in places]


NAMES = st.sampled_from([("",), ("A",), ("A", "B"), ("A", "B", "C"), ("A", "A"), ("A", "")])


@st.composite
def damaged_files(draw):
    """The bytes of a file that was ordinary before some of its lines or bytes were changed."""
    lines = draw(files(draw(NAMES)))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        fields = (*re.split(r"[ \t]+", lines[place].strip()), "", "")[:3]
        kind = draw(st.integers(0, 6))
        if kind == 0:
            lines.insert(place, draw(st.sampled_from(lines)))
        elif kind == 1 and len(lines) > 1:
            del lines[place]
        elif kind == 2:
            lines.insert(place, draw(st.sampled_from(ODD_LINES)))
        elif kind == 3:
            lines[place] = f"{draw(st.sampled_from(NO_MEASURES + MEASURES))}\t{fields[1]}\t{fields[2]}\n"
        elif kind == 4:
            lines[place] = f"{fields[0]}\t{draw(st.sampled_from(NO_TOPICS + TOPICS))}\t{fields[2]}\n"
        elif kind == 5:
            lines[place] = f"{fields[0]}\t{fields[1]}\t{draw(st.sampled_from(NO_NUMBERS))}\n"
        else:
            lines = draw(st.permutations(lines))
    data = "".join(lines).encode()
    kind = draw(st.integers(0, 9))
    if kind == 0:
        data = data[: draw(st.integers(0, len(data)))]
    elif kind == 1:
        place = draw(st.integers(0, len(data)))
        data = data[:place] + draw(st.sampled_from(ODD_BYTES)) + data[place + draw(st.integers(0, 1)) :]
    elif kind == 2:
        data = draw(st.sampled_from([b"\xef\xbb\xbf" + data, data[:-1], data.replace(b"\n", b"\r\n")]))
    return data


def outcome(read):
    """All that a reader returns, bit by bit, or its error."""
    try:
        found = read()
    except ValueError as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(found, str):
        return found
    axes = [found.index.tolist(), found.index.name, found.columns.tolist(), list(found.columns.names)]
    return axes, found.dtypes.tolist(), found.to_numpy().tobytes(), found.attrs


OPTIONS = st.fixed_dictionaries(
    {
        "measure": st.sampled_from([None, None, "map", "my_measure", ["P_10", "map"], "relstring_10", "401", "none"]),
        "missing": st.sampled_from(["error", "zero", "drop"]),
    }
)


@pytest.fixture
def both(monkeypatch):
    """Read files with these contents into arrays and line by line, and compare; return what the first has read."""

    def both(contents, options):
        files = {f"s{k}.eval": content for k, content in enumerate(contents)}
        readers = [
            lambda: read_eval([*files], **options),
            lambda: read_scores([*files], **options),
            lambda: read_leaderboard([*files], options["measure"]),
            lambda: sniff("s0.eval"),
        ]
        with monkeypatch.context() as patch:
            patch.setattr(Content, "of", lambda path: Content(path, files[path]))
            found = [outcome(read) for read in readers]
            patch.setattr(Content, "coded", None)
            assert found == [outcome(read) for read in readers]
        return found[0]

    return both


@pytest.fixture
def is_coded(monkeypatch):
    """Whether each of the files was read into arrays."""
    found = []

    def of(cls, content, scores):
        found.append(content.coded is not None)
        return real(cls, content, scores)

    real = Output.of.__func__
    monkeypatch.setattr(Output, "of", classmethod(of))
    return found


# Each example sets what the fixtures hold.
MANY = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)


@MANY
@given(st.lists(files(), min_size=1, max_size=3) | files(("A", "B")).map(lambda one: [one]), OPTIONS, st.booleans())
def test_ordinary_files_are_read_into_arrays(both, is_coded, contents, options, packed):
    is_coded.clear()
    texts = ["".join(lines).encode() for lines in contents]
    both([gzip.compress(text) for text in texts] if packed else texts, options)
    # A measure with words is refused, and one whose name may be a topic is looked for line by line.
    assert is_coded[0] or options["measure"] in ("relstring_10", "401")


@MANY
@given(st.lists(damaged_files(), min_size=1, max_size=2), OPTIONS)
def test_damaged_files_have_the_same_table_or_error(both, contents, options):
    both(contents, options)


@MANY
@given(st.lists(files(), min_size=1, max_size=2), damaged_files(), OPTIONS)
def test_one_damaged_file_after_others(both, contents, damaged, options):
    both([*("".join(lines).encode() for lines in contents), damaged], options)


@pytest.mark.parametrize(
    ("contents", "measure"),
    [
        # A runid with a topic.
        (["map 1 0.5\nrunid 1 A\n"], None),
        (["runid 1 A\nmap 1 0.5\nrunid all B\nmap all 0.5\n"], None),
        (["runid 1 7\nmap 1 0.5\nrunid all B\nmap all 0.5\nmap 1 0.5\n"], None),
        (["runid all A\nmap 1 0.5\nrunid 1 B\nmap 2 0.5\nmap all 1\n"], None),
        # A measure of words that are numbers.
        (["map 1 0.5\nrelstring_10 1 111\n"], None),
        # The topics are in the order of the measure that is read.
        (["P_5 q2 1\nmap q1 0.25\nmap q2 0.5\nP_5 q1 0\n"], "map"),
        # Topics that only a measure with words has count.
        (["relstring_10 3 'x'\nmap 1 0.5\nmap 2 0.5\nnum_q all 3\n"], "map"),
        (["relstring_10 3 'x'\nmap 1 0.5\nmap 2 0.5\nnum_q all 2\n"], "map"),
        # Topics of one file in the place of measures in the next.
        (["map q1 0.5\n", "map 401 0.5\nq1 401 0.5\n"], None),
        (["map 402 0.5\n", "map 401 0.5\n402 401 0.5\n"], None),
        # Decimals are topics beside known measures only.
        (["map 31.2 0.5\nmap 31.3 0.5\n", "foo 31.2 0.5\nfoo 31.3 0.5\n"], ["foo", "map"]),
        # The topic of one file is the measure that is wanted, so it can be either in the next.
        (["map x 0.5\n", "foo x 0.5\n"], ["x", "foo"]),
        (["foo 401 0.5\n"], ["401", "foo"]),
        (["401 foo 0.5\n"], "401"),
        # Words by topic, then averages: the next topics are those of another system.
        (["runid all A\nrelstring_10 1 'x'\nmap all 1\nmap 1 0.5\nrunid all B\nmap all 1\n"], None),
        (["runid all A\nrelstring_10 1 'x'\nmap all 1\nmap 1 0.5\nrunid all B\nmap 2 0.5\nmap all 1\n"], None),
        # The lines of systems.
        (["map 1 0.5\nrunid all A\nmap all 1\nmap 1 0.5\nrunid all A\nmap all 1\n"], None),
        (["map 1 0.5\nrunid all A\nmap all 1\nmap 1 0.5\nrunid all B\nnum_q all 1\nnum_q all 7\n"], None),
        (["map 1 0.5\nrunid all A\nmap all 1\nP_5 1 0.5\nrunid all B\nP_5 all 1\n"], "map"),
        # A name from the file beside a runid.
        (["map 1 0.5\n", "runid all s0\nmap 1 0.5\n"], None),
        (["runid all A\nmap 1 0.5\n", "runid all A\nmap 1 0.25\n"], None),
        # The second line says that the first has the names of columns.
        (["map 007 0\nmap 31.2 0.5\n"], None),
        (['"a" "b" "c"\n"d" 0.5 1\n'], None),
        # Hardly two values are of the same measure or topic.
        (["".join(f"P_{k} {k} 0.5\n" for k in range(1, 100))], None),
        (["".join(f"P_{k} {k} 0.5\n" for k in range(1, 100))], "P_7"),
    ],
)
def test_cases_that_are_easily_read_in_another_way(both, contents, measure):
    both([content.encode() for content in contents], {"measure": measure, "missing": "zero"})
    both([content.encode() for content in contents], {"measure": measure, "missing": "error"})


@pytest.mark.parametrize("names", [("",), ("A",), ("A", "B")])
def test_a_folder_with_other_files(tmp_path, monkeypatch, names):
    rows = [("map", "q1", "0.25"), ("map", "q2", "0.5"), ("P_5", "q1", "1"), ("P_5", "q2", "0.2")]
    text = "".join(
        "".join("\t".join(row) + "\n" for row in ([("runid", "all", name)] if name else []) + rows) for name in names
    )
    (tmp_path / "one.eval").write_text(text)
    (tmp_path / "two.eval.gz").write_bytes(gzip.compress(text.replace("A\n", "C\n").replace("B\n", "D\n").encode()))
    (tmp_path / "three.csv").write_text("topic,three\nq1,1\nq2,2\n") if not names[0] else None
    (tmp_path / "README.md").write_text("All about it.\n")
    found = outcome(lambda: read_scores(tmp_path, "map" if names[0] else None))
    monkeypatch.setattr(Content, "coded", None)
    assert found == outcome(lambda: read_scores(tmp_path, "map" if names[0] else None))
    assert "README.md" in str(found) or not names[0]


def test_the_values_are_those_of_arrow(tmp_path):
    numbers = np.random.default_rng(0)
    values = numbers.random((40, 3)) * 10.0 ** numbers.integers(-9, 9, (40, 3))
    topics, measures = [f"q{k}" for k in range(40)], ["map", "P_5", "ndcg"]
    path = tmp_path / "system.eval"
    pd.DataFrame(values, topics, measures).T.stack().to_csv(path, sep="\t", header=False)
    options = csv.ReadOptions(column_names=["measure", "topic", "value"]), csv.ParseOptions(delimiter="\t")
    right = csv.read_csv(path, *options).to_pandas().pivot(index="topic", columns="measure", values="value")
    found = read_eval(path)
    np.testing.assert_array_equal(found.to_numpy(), right.loc[topics, measures])
    assert found.columns.get_level_values("measure").tolist() == measures
    assert found.index.tolist() == topics


@pytest.mark.parametrize(
    "path", sorted(FORMATS_FOLDER.rglob("*.eval")), ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_output_of_the_tools_is_read_into_arrays(path, is_coded, monkeypatch):
    found = outcome(lambda: read_eval(path))
    assert is_coded == [True]
    monkeypatch.setattr(Content, "coded", None)
    assert found == outcome(lambda: read_eval(path))


def test_the_first_error_is_that_of_the_first_line(write):
    """A file is read line by line if anything in it is unusual, so earlier lines are refused first."""
    path = write("map 401 0.5\nmap 401 0.5\nmap 402 high\nmap 403\n")
    with pytest.raises(FormatError, match=":4: expected 3 fields"):
        read_eval(path)
    path = write("map 401 0.5\nmap 401 0.5\nmap 402 high\n")
    with pytest.raises(FormatError, match=":2: map for topic '401' is repeated"):
        read_eval(path)
