"""The named tuples of scores as text and HTML."""

import pickle

import pytest

from ircor.organization import RS, BCubed, RSResult
from ircor.organization._relations import harmonic_mean

SCORES = RSResult(RS(0.25, 0.5, 1 / 3), RS(float("nan"), 1.0, 0.0))


def test_scores_print_as_tables():
    assert str(SCORES).splitlines() == [
        "relations   reliability  sensitivity       f",
        "priority         0.2500       0.5000  0.3333",
        "clustering    undefined       1.0000  0.0000",
    ]
    assert str(SCORES.priority).splitlines() == [
        "reliability  sensitivity       f",
        "     0.2500       0.5000  0.3333",
    ]
    assert str(BCubed(0.25, 0.5, 1 / 3)).splitlines() == ["precision  recall       f", "   0.2500  0.5000  0.3333"]


def test_scores_in_a_notebook():
    for scores, headings, cells in (
        (SCORES, ["relations", "reliability", "sensitivity", "f"], ["priority", "0.2500", "clustering", "undefined"]),
        (SCORES.priority, ["reliability", "sensitivity", "f"], ["0.2500", "0.5000", "0.3333"]),
        (BCubed(0.25, 0.5, 1 / 3), ["precision", "recall", "f"], ["0.2500", "0.5000", "0.3333"]),
    ):
        html = scores._repr_html_()
        assert "".join(f"<th>{heading}</th>" for heading in headings) in html
        assert all(f"<td>{cell}</td>" in html for cell in cells)


def test_scores_are_tuples():
    assert repr(RS(0.25, 0.5, 0.75)) == "RS(reliability=0.25, sensitivity=0.5, f=0.75)"
    R, S, f = RS(0.25, 0.5, 0.75)
    assert (R, S, f) == (0.25, 0.5, 0.75) == pickle.loads(pickle.dumps(RS(0.25, 0.5, 0.75)))


def test_harmonic_mean():
    assert harmonic_mean(0.5, 1.0) == pytest.approx(2 / 3)
    assert harmonic_mean(0.0, 0.0) == 0
    assert harmonic_mean(0.0, 0.7) == harmonic_mean(0.7, 0.0) == 0
