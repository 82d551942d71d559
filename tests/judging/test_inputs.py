"""Scores of the truth and of judges in every form: what is read, and what is refused because it can be two things."""

import numpy as np
import pandas as pd
import pytest

from ircor.judging import judges
from ircor.judging._inputs import from_scores
from ircor.trec import read_scores

BOARD = {"a": 0.5, "b": 0.4, "c": 0.3, "d": 0.2}
OPTIONS = {"resamples": 20, "seed": 1}


def read(truth, judge, measures=None):
    return from_scores(truth, {"judge": judge}, measures, name=None, missing="error")


def refused(truth, judge, *words, measures=None, error=ValueError):
    with pytest.raises(error) as caught:
        read(truth, judge, measures)
    for part in words:
        assert part in str(caught.value)
    assert "systems=" not in str(caught.value)


@pytest.fixture
def by_topic():
    rng = np.random.default_rng(1)
    return pd.DataFrame(rng.random((5, 4)), index=pd.Index(list("vwxyz"), name="topic"), columns=list(BOARD))


@pytest.fixture
def path(tmp_path):
    def write(text, name="file.csv"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


def board(measure):
    return pd.Series(BOARD, name=measure)


def evals(folder, measure):
    """Evaluation output of three systems for three topics."""
    folder.mkdir()
    for k, name in enumerate("abc"):
        lines = [f"{measure} {topic} 0.{k + 1}{topic}\n" for topic in (1, 2, 3)]
        (folder / f"{name}.eval").write_text("".join(lines))
    return folder


# Names of measures


def test_different_measures_are_not_compared(path, tmp_path):
    words = "'truth' has the measure map only, and 'judge' ndcg only: give scores of the same measure"
    refused(board("map"), board("ndcg"), words)
    one, other = path("system,map\na,1\nb,2\n", "A"), path("system,ndcg\na,1\nb,2\n", "B")
    with pytest.raises(ValueError, match="'A' has the measure map only, and 'B' ndcg only"):
        judges(None, one, other)
    one, other = evals(tmp_path / "one", "map"), evals(tmp_path / "other", "P_10")
    with pytest.raises(ValueError, match="'one' has the measure map only, and 'other' P_10 only"):
        judges(None, one, other)
    refused(read_scores(one), read_scores(other), "has the measure map only, and 'judge' P_10 only")
    refused(read_scores(one), read_scores(one), "no values of the measure 'P_10' in truth", measures="P_10")


def test_a_side_without_the_name_of_a_measure(tmp_path, by_topic):
    for truth, judge, unnamed, named in (
        (BOARD, board("map"), "truth", "judge"),
        (board("map"), BOARD, "judge", "truth"),
    ):
        found = read(truth, judge)
        assert list(found.scores) == ["map"]
        assert found.notes == [f"{unnamed} does not name its measure: taken for map, as in {named}"]
    assert list(read(BOARD, BOARD).scores) == ["score"]
    assert read(BOARD, BOARD).notes == read(board("map"), board("map")).notes == []
    read_from = read_scores(evals(tmp_path / "one", "map"))
    assert list(read(read_from, read_from.set_axis(read_from.columns, axis=1)).scores) == ["map"]
    several = pd.DataFrame({"map": BOARD, "ndcg": BOARD}).rename_axis("system")
    refused(several, BOARD, "'judge' does not name its measure, and 'truth' has map, ndcg: name the measure in 'judge'")
    refused(several, board("map"), "no values of the measure 'ndcg' in judge")
    assert list(read(several, board("map"), "map").scores) == ["map"]


def test_names_that_tools_have_for_one_measure():
    found = read(board("map"), board("AP"))
    assert (list(found.scores), found.notes) == (
        ["map"],
        ["AP of judge is taken for map of truth, by their names in tools"],
    )
    assert list(read(board("nDCG@10"), board("ndcg_cut_10")).scores) == ["nDCG@10"]
    for one, other in (("nDCG@10", "nDCG@20"), ("nDCG", "nDCG(dcg='exp-log2')"), ("mine", "Mine"), ("P@10", "R@10")):
        refused(board(one), board(other), f"has the measure {one} only, and 'judge' {other} only")
