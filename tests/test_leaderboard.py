"""Leaderboards: one score for each system, which have means and no topics."""

import numpy as np
import pytest

from ircor.data import Leaderboard, Scores
from ircor.rank_distance import verdict_between
from ircor.show.compare import verdict_clause


def board(*values):
    return Leaderboard.from_systems("abc", values, "board")


def test_the_means_are_the_scores():
    assert board(3, 1, 2).means.tolist() == [3, 1, 2]
    assert board(0.1 + 0.2, 0.3, 1).means.tolist()[:2] == [0.3, 0.3]
    assert (board(3, 1, 2).systems, board(3, 1, 2).m) == (("a", "b", "c"), 3)


def test_some_systems_of_a_leaderboard_are_a_leaderboard():
    some = board(3, 1, 2).taken([0], [2, 0])
    assert isinstance(some, Leaderboard)
    assert (some.systems, some.means.tolist(), some.has_topics) == (("c", "a"), [2, 3], False)
    assert Scores.of(np.eye(3)).taken([0, 1], [2, 0]).has_topics


@pytest.mark.parametrize(
    ("systems", "values", "error", "words"),
    [
        ("aba", (1, 2, 3), ValueError, "'board' has two systems of the name 'a'"),
        ("abc", (1, np.nan, 3), ValueError, "'board' must have finite scores: nan .* system 'b'"),
        ("abc", ("x", 2, 3), TypeError, "'board' must have a number for each system"),
    ],
)
def test_what_is_no_leaderboard_is_refused(systems, values, error, words):
    with pytest.raises(error, match=words):
        Leaderboard.from_systems(systems, values, "board")


def test_no_test_decides_between_leaderboards():
    verdict = verdict_between(board(3, 1, 2), board(1, 2, 3), None, ("people", "model"))
    assert verdict.kind == "no topics"
    assert verdict_clause(verdict) == (
        "without topics, nothing tells whether model ranks the systems differently from people"
    )
    assert verdict_between(board(3, 1, 2), board(1, 1, 1), None, ("people", "model")).kind == "no ranking"
