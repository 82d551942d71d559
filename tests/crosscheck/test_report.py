"""The outcome of a cross-check, as text, tables and JSON."""

import json

import numpy as np
import pytest

from ircor._core.results import Result
from ircor.crosscheck import Agreement, Disagreement, Tally
from ircor.show.checks import disagreement_text

FOUND = Disagreement("tau", "x ranks, n = 3", "1.0", "-1.0", "ircor.tau([1, 2], [1, 2])", "ircorref::tau(1:2, 1:2)")

REFERENCE = "(compared: the reference, not the original itself)"


@pytest.fixture
def agreement():
    return Agreement(
        "reference",
        "0.4.0",
        "R version 4.2.2",
        "3.5.17",
        "3.11.7",
        "2.4.6",
        "0.1.0",
        1e-12,
        5,
        functions={"tau": Tally(200, 122, 11, 1.1102e-16, "x huge, n = 10"), "drank": Tally(500)},
        package="ircorref",
    )


def test_agreement(agreement):
    assert isinstance(agreement, Result)
    assert agreement.agrees
    assert agreement.verdict == "Python and R agree (compared: the reference, not the original itself)"
    assert agreement.sentences() == []
    agreement.functions["drank"].disagreements = 1
    assert not agreement.agrees
    assert agreement.verdict == "Python and R DISAGREE (compared: the reference, not the original itself)"


def test_a_signature_that_differs_is_a_disagreement(agreement):
    agreement.signatures.append("tau: Python has x, R has y")
    assert not agreement.agrees
    assert agreement.sentences() == ["signatures differ: tau: Python has x, R has y"]


def test_the_table_as_it_is_shown(agreement):
    (table,) = agreement.tables()
    assert table.shown() == [
        {
            "function": "tau",
            "cases": "200",
            "refusals that agree": "122",
            "differ on purpose": "11",
            "largest difference": "1.1e-16",
            "where": "x huge, n = 10",
            "disagree": "0",
            "tolerance": "1e-12",
        },
        {
            "function": "drank",
            "cases": "500",
            "refusals that agree": "0",
            "differ on purpose": "0",
            "largest difference": "0",
            "where": "-",
            "disagree": "0",
            "tolerance": "1e-12",
        },
    ]


def test_the_table_as_a_frame(agreement):
    frame = agreement.tables()[0].frame()
    assert list(frame.columns) == [
        "function",
        "cases",
        "refusals",
        "allowed",
        "largest_difference",
        "where",
        "disagreements",
        "tolerance",
    ]
    assert frame["largest_difference"].tolist() == [1.1102e-16, 0.0]


def test_the_heading(agreement):
    assert agreement.heading() == [
        "reference: ircorref 0.4.0, R version 4.2.2, rpy2 3.5.17",
        "Python 3.11.7, NumPy 2.4.6, ircor 0.1.0, tolerance 1e-12, seed 5",
    ]
    agreement.rpy2_version = ""
    assert agreement.heading()[0] == "reference: ircorref 0.4.0, R version 4.2.2"
    agreement.seed = None
    assert agreement.heading()[1].endswith("tolerance 1e-12")
    agreement.seed = 0
    assert agreement.heading()[1].endswith("tolerance 1e-12, seed 0")


def test_the_speed_is_that_of_the_six(agreement):
    assert np.isnan(agreement.comparisons_per_second)
    agreement.seconds = 4.0
    assert agreement.comparisons_per_second == 50
    assert agreement.heading()[2:] == ["50 comparisons of the six coefficients a second"]


def test_parts_are_added_in_order(agreement):
    other = Disagreement("drank", "", "1", "2", "a", "b")
    part = Agreement(
        *["reference"] * 7, 1e-12, functions={"tau": Tally(10, 1, 2, 3e-16, "later", 1), "tau_b": Tally(5)}
    )
    part.disagreements = [FOUND]
    part.reasons = {"a tie": 2}
    agreement.allow("tau", "a tie")
    agreement.disagree("drank", lambda: other)
    agreement.add(part)
    agreement.add(part)
    assert agreement.functions["tau"] == Tally(220, 124, 16, 3e-16, "later", 2)
    assert agreement.functions["drank"] == Tally(500, disagreements=1)
    assert agreement.functions["tau_b"] == Tally(10)
    assert agreement.disagreements == [other, FOUND]
    assert agreement.reasons == {"a tie": 5}


def test_the_first_disagreement_of_a_function_is_kept(agreement):
    agreement.disagree("tau", lambda: FOUND)
    agreement.disagree("tau", lambda: pytest.fail("only the first example is made"), 3)
    assert agreement.disagreements == [FOUND]
    assert agreement.functions["tau"].disagreements == 4
    assert agreement.sentences() == [
        "tau disagrees (x ranks, n = 3): Python 1.0, R -1.0\n"
        "R:      ircorref::tau(1:2, 1:2)\n"
        "Python: ircor.tau([1, 2], [1, 2])"
    ]
    assert disagreement_text(Disagreement("gmean", "", "1", "2", "a", "b")).startswith(
        "gmean disagrees: Python 1, R 2\n"
    )


def test_the_largest_difference_is_kept(agreement):
    for difference, where in ((2e-16, "second"), (3e-16, "largest"), (3e-16, "equal"), (1e-16, "less")):
        agreement.agree("tau", difference, where)
    assert (agreement.functions["tau"].largest_difference, agreement.functions["tau"].where) == (3e-16, "largest")


def test_text(agreement):
    agreement.notes.append("not compared: gmean")
    agreement.disagree("tau", lambda: FOUND)
    lines = str(agreement).splitlines()
    assert lines[:2] == agreement.heading()
    assert lines[3].split()[:2] == ["function", "cases"]
    assert lines[4].split()[:3] == ["tau", "200", "122"]
    assert lines[7:10] == disagreement_text(FOUND).splitlines()
    assert lines[10:] == [
        "",
        "Note: not compared: gmean",
        "",
        "Python and R DISAGREE (compared: the reference, not the original itself)",
    ]
    assert repr(agreement).startswith("Agreement(oracle='reference', oracle_version='0.4.0'")
    assert repr(agreement).endswith("tolerance=1e-12, seed=5)")


def test_html(agreement):
    agreement.notes.append("R < 4 & such")
    html = agreement._repr_html_()
    assert html.startswith("<p>reference: ircorref 0.4.0, R version 4.2.2, rpy2 3.5.17</p>\n<p>Python 3.11.7")
    assert "<td>1.1e-16</td>" in html
    assert html.endswith(
        "<p>Note: R &lt; 4 &amp; such</p>\n<p>Python and R agree (compared: the reference, not the original itself)</p>"
    )


def test_a_report_on_nothing_has_a_heading_and_a_verdict(agreement):
    agreement.functions.clear()
    assert str(agreement).splitlines() == [
        *agreement.heading(),
        "",
        "Python and R agree (compared: the reference, not the original itself)",
    ]


def test_json(agreement):
    agreement.notes.append("not compared: gmean")
    agreement.disagree("tau", lambda: FOUND)
    found = json.loads(agreement.as_json())
    assert list(found) == [
        "oracle",
        "oracle_version",
        "r_version",
        "rpy2_version",
        "python_version",
        "numpy_version",
        "ircor_version",
        "tolerance",
        "seed",
        "functions",
        "signatures",
        "disagreements",
        "reasons",
        "notes",
        "agrees",
    ]
    assert found["notes"] == ["not compared: gmean"]
    assert found["functions"]["tau"] == {
        "cases": 200,
        "refusals": 122,
        "allowed": 11,
        "largest_difference": 1.1102e-16,
        "where": "x huge, n = 10",
        "disagreements": 1,
        "tolerance": 1e-12,
    }
    assert found["disagreements"][0]["r_call"] == "ircorref::tau(1:2, 1:2)"
    assert found["agrees"] is False
