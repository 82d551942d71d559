"""Evaluation output of many systems in one file: which field is the measure, and which the topic."""

import re
from pathlib import Path

import pandas as pd
import pytest

from ircor.trec import FormatError, read_eval, read_run, read_scores, sniff

FORMATS_FOLDER = Path(__file__).parents[1] / "data" / "formats"

VALUES = {("bm25", "28"): 0.25, ("bm25", "29"): 0.5, ("dense", "28"): 1.0, ("dense", "29"): 0.125}


def lines(order, measure, values=VALUES, mean=True):
    """The lines of a file: run, measure, topic and value ("tot"), or run, topic, measure and value ("ir_measures")."""
    rows = [(run, topic, value) for (run, topic), value in values.items()]
    if mean:
        rows += [(run, "all", sum(v for (r, _), v in values.items() if r == run) / 2) for run in ("bm25", "dense")]
    names = "{0} {1} {2}" if order == "tot" else "{0} {2} {1}"
    return "".join(f"{names.format(run, measure, topic)} {value:.4f}\n" for run, topic, value in rows)


EXPECTED = pd.DataFrame({"bm25": [0.25, 0.5], "dense": [1.0, 0.125]}, index=["28", "29"])


@pytest.mark.parametrize("order", ["tot", "ir_measures"])
@pytest.mark.parametrize("measure", ["map", "GRADE", "nugget_coverage"])
@pytest.mark.parametrize("mean", [True, False])
def test_two_orders_of_known_and_unknown_measures(write, order, measure, mean):
    path = write(lines(order, measure, mean=mean))
    assert sniff(path) == "evals"
    for scores in (read_scores(path), read_scores(path, measure), read_eval(path)):
        pd.testing.assert_frame_equal(scores, EXPECTED, check_names=False)


@pytest.mark.parametrize("order", ["tot", "ir_measures"])
def test_the_values_are_those_of_one_file_for_each_system(order):
    folder = "trec_eval" if order == "tot" else "ir_measures"
    apart = read_scores(FORMATS_FOLDER / folder)
    pd.testing.assert_frame_equal(read_scores(FORMATS_FOLDER / f"systems_{order}.txt")[apart.columns], apart)


def test_a_wanted_measure_tells_where_the_others_are(write):
    named = {(run, f"topic-x{topic}"): value for (run, topic), value in VALUES.items()}
    for order in ("tot", "ir_measures"):
        path = write(lines(order, "GRADE", named, mean=False))
        one, other = ("GRADE", "topic-x28") if order == "tot" else ("topic-x28", "GRADE")
        words = f"{path}:1: {one!r} can be the measure and {other!r} the topic, or the other way round: choose"
        with pytest.raises(FormatError, match=re.escape(words)):
            read_scores(path)
        assert read_scores(path, "GRADE").loc["topic-x29", "bm25"] == 0.5


def test_several_measures_and_several_files(tmp_path):
    (tmp_path / "a.tot").write_text(lines("tot", "GRADE") + lines("tot", "map"))
    assert read_scores(tmp_path / "a.tot").columns.names == ["measure", "system"]
    assert read_scores(tmp_path / "a.tot", "GRADE").columns.tolist() == ["bm25", "dense"]
    (tmp_path / "b.tot").write_text(lines("tot", "other"))
    assert set(read_scores(tmp_path).columns.get_level_values("measure")) == {"GRADE", "map", "other"}
    (tmp_path / "b.tot").write_text(lines("tot", "GRADE"))
    with pytest.raises(FormatError, match="b.tot:1: GRADE of system 'bm25' for topic '28' is repeated"):
        read_scores(tmp_path)


def test_missing_topics_follow_the_rule_of_all_readers(write):
    text = lines("tot", "GRADE").replace("dense GRADE 29 0.1250\n", "")
    path = write(text)
    with pytest.raises(ValueError, match="system 'dense' has no GRADE for topic 29; missing="):
        read_scores(path)
    scores = read_scores(path, missing="zero")
    assert scores["dense"].tolist() == [1.0, 0.0]
    assert read_scores(path, missing="drop").index.tolist() == ["28"]
    # The average tells too that a topic is missing.
    what = f"{path}: GRADE for all topics is not the mean over the topics in the file, which may be incomplete, for"
    assert scores.attrs["notes"][0] == f"{what} 'dense'"
    assert read_scores(write(lines("tot", "GRADE"))).attrs == {"measure": "GRADE"}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a map 1 0.5\na map all 0.5\na 2 map 0.5\n", 1, "'map' is not a measure: expected system, measure, topic"),
        ("a map 1 0.5\na 2 map 0.5\n", 2, "the line has topic, measure and value, but lines above have measure, topic"),
        ("a map P_10 0.5\n", 1, "both 'map' and 'P_10' are names of measures"),
        ("a all x 0.5\na x all 0.5\n", 1, "'all' can be the measure and 'x' the topic, or the other way round"),
        ("a x y 0.5\nb x y 0.5\n", 1, "'x' can be the measure and 'y' the topic, or the other way round"),
        ("a q1 q2 0.5\n", 1, "'q1' can be the measure and 'q2' the topic, or the other way round"),
        ("a x all 0.5\nb x all 0.25\n", 1, "there are only averages over topics: read_leaderboard reads them"),
        ("a x 1 0.5\na x mean 0.5\na x all 0.5\n", 2, "'mean' is not a topic"),
        ("a map 1 0.5\na map mean 0.5\n", 2, "'mean' is not a topic: expected system, measure, topic and value"),
        ("a map 1 0.5\nb map 1\n", 2, "expected 4 fields (system measure topic value), found 3"),
        ("a map 1 0.5\nb map 1 high\n", 2, "the value must be a finite number, not 'high'"),
        ("a map 1 0.5\nb map 1 inf\n", 2, "the value must be a finite number, not 'inf'"),
        ("a map 1 0.5\na map 1 0.5\n", 2, "map of system 'a' for topic '1' is repeated"),
        ("mean map 1 0.5\n", 1, "'mean' is not a system: leave out averages"),
        # Other orders than with the system first.
        ("all a map 0.5\n1 a map 0.5\n", 1, "'all' is the average over topics, but is in the place of a system"),
        ("map a 1 0.5\nmap b 1 0.5\n", 1, "'map' is a measure, but is in the place of a system"),
        ("401 a map 0.5\n402 a map 0.5\n", 1, "'401' can be the system and 'a' the topic, or the other way round"),
        ("GRADE a 1 0.5\nGRADE b 1 0.5\n", 1, "'GRADE' can be a system and 'a' one of its measures, or the other way"),
        ("401 Q0 d1 0.5\n401 Q0 d2 0.25\n", 1, "'Q0' can be the measure and 'd1' the topic, or the other way round"),
    ],
)
def test_what_can_be_read_in_two_ways_or_not_at_all(refused, text, line, words):
    refused(read_scores, text, line, words)


def test_a_wanted_measure_in_the_place_of_the_systems(refused):
    text = "GRADE a 1 0.5\nGRADE b 1 0.5\n"
    refused(lambda path: read_scores(path, "GRADE"), text, 1, "'GRADE' is a measure, but is in the place of a system")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("401 0 FT911-1 1\n401 0 FT911-2 0\n", "qrels"),
        ("401 0 P_1 1\n401 0 P_2 0\n402 0 P_1 1\n", "qrels"),
        ("401 1 FT911-1 1\n401 2 FT911-1 0\n", "qrels"),
        ("a 401 num_rel 12\na 402 num_rel 3\n", "evals"),
        ("a 401 grade 2\na 402 grade 3\na all grade 2\n", "evals"),
        ("".join(f"a {topic} grade 2\n" for topic in [*range(401, 407), "all"]), "evals"),
        ("a num_rel 401 12\na num_rel 402 3\n", "evals"),
        ("run map 401 0.5\nrun map 402 0.25\n", "evals"),
        ("run\tmap\tP_10\t5\n1\t0.5\t0.5\t1\n", "table"),
        ("x\t401\t402\t403\na\t0.5\t0.25\t0.125\n", "table"),
        ("401\t0.5\t0.25\t0.125\n", "table"),
        ("a, b, c, 10\n", "table"),
        ("401 Q0 d1 1 0.5 tag\n401 Q0 d2 2 0.25 tag\n", "run"),
        ("401 Q0 d1 1 0.5 rr\n401 Q0 d2 2 0.25 rr\n", "run"),
        ("401 Q0 a 1 0.5 map\n401 Q0 b 2 0.25 map\nall Q0 a 1 0.5 map\n", "ranking"),
        ("401 Q0 a 1 0.5 map\n401 Q0 b 2 0.25 map\n401 Q0 a 1 0.5 P_10\n", "ranking"),
    ],
)
def test_lines_of_four_and_six_fields_are_told_apart(write, text, form):
    assert sniff(write(text)) == form


def test_whole_numbers_are_scores_if_the_measure_is_known(write):
    assert read_scores(write("a 401 num_rel 12\na 402 num_rel 3\n"))["a"].tolist() == [12, 3]


def test_judgments_that_may_be_scores_are_refused_with_a_hint(refused):
    text = "a 401 grade 2\na 402 grade 3\n"
    refused(read_scores, text, 1, "expected scores of systems by topic, found relevance judgments")


def test_a_ranking_of_systems_is_no_run_and_no_scores(refused):
    text = "all Q0 a 1 0.5 map\nall Q0 b 2 0.25 map\n"
    refused(read_run, text, 1, "'all' is not a topic: this ranks systems")
    refused(read_scores, text, 1, "expected scores of systems by topic, found systems ranked by their values")


def test_sides_do_not_apply(write):
    with pytest.raises(ValueError, match="has one value in each place, so systems=.rows. does not apply"):
        read_scores(write(lines("tot", "map")), systems="rows")
