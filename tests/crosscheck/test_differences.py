"""Where Python differs from R on purpose."""

import re
from pathlib import Path

import numpy as np
import pytest
from calls import FUNCTIONS
from oracles import Accidents, Constant

import ircor
from ircor.crosscheck import Answer, Case, run, table_cases
from ircor.crosscheck._comparison import (
    DIFFERENCES,
    FEWER_THAN_TWO,
    REFUSALS,
    agree,
    allowed_difference,
    as_ranks,
    ask_python,
    difference_of,
    is_accident,
)

ROOT = Path(__file__).parents[2]
TIE, NO_OVERFLOW = "two infinities of one sign are a tie", "integers do not overflow"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.array([1.0, np.inf, -np.inf]), ""),
        (np.array([np.inf, 1.0, np.inf]), TIE),
        (np.array([-np.inf, -np.inf]), TIE),
        (np.array([np.nan, np.nan]), ""),
        (np.array([1e308, -1e308]), ""),
        (np.array([2**30, -(2**30)], dtype=np.int32), NO_OVERFLOW),
        (np.array([2**30, -(2**30) + 1], dtype=np.int32), ""),
        (np.array([1.0]), "fewer than two items are refused"),
        (np.array([], dtype=np.int32), "fewer than two items are refused"),
    ],
)
def test_vectors_that_r_cannot_subtract(values, reason):
    tame = np.arange(float(len(values)))
    for x, y in ((values, tame), (tame, values)):
        found = difference_of(Case(x, y, True, ""))
        assert (found.reason if found else "") == reason


def test_what_is_an_accident():
    assert is_accident(Answer())
    assert is_accident(Answer(error="missing value where TRUE/FALSE needed"))
    assert not is_accident(Answer(0.0))
    assert not any(is_accident(Answer(error=words)) for words in REFUSALS)


def test_the_refusals_are_those_of_the_record():
    import json

    lines = (json.loads(line) for line in (ROOT / "tests" / "data" / "edges.jsonl").read_text().splitlines())
    said = {line["error"] for line in lines if "error" in line}
    assert said - set(REFUSALS) == {"missing value where TRUE/FALSE needed"}


def test_the_examples_are_of_their_kind():
    assert [difference_of(d.example) for d in DIFFERENCES] == list(DIFFERENCES)


@pytest.mark.r
@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda d: d.reason)
def test_the_examples_in_r(reference, difference):
    """Python and R differ on each example, by one function or more, and for no other reason."""
    reasons = set()
    for name, function in FUNCTIONS.items():
        python, (r,) = ask_python(name, function, difference.example), reference.answers(name, [difference.example])
        if not agree(python, r, 1e-12):
            reasons.add(allowed_difference(name, function, difference.example, python, r))
    assert reasons == {difference.reason}


def test_the_guide_lists_the_same_differences():
    guide = (ROOT / "docs" / "coming-from-r.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \*\*Not R\*\*: (.*)$", guide, re.MULTILINE)
    assert [row.partition(" |")[0] for row in rows] == [
        "fewer than two items",
        "two infinities of one sign",
        "large integers",
    ]
    # The same, in the same order, in the words of the cross-check.
    words = [d.reason for d in DIFFERENCES]
    assert words == ["fewer than two items are refused", TIE, NO_OVERFLOW]


# R 4.2 answers with NaN where R 4.5 stops; a version to come may stop with other words.
ACCIDENTS = [Answer(), Answer(error="missing value where TRUE/FALSE needed"), Answer(error="non-finite difference")]
INFINITIES = Case(np.array([np.inf, 2, 1]), np.array([np.inf, np.inf, 1.0]), True, "")
OVERFLOW = Case(np.array([2**31 - 1, -(2**31) + 1, 0], dtype=np.int32), np.array([3.0, 1, 2]), True, "")


@pytest.mark.parametrize(
    ("name", "case", "reason"),
    [
        ("tau_a", INFINITIES, TIE),
        ("tau_b", INFINITIES, TIE),
        ("tau", OVERFLOW, NO_OVERFLOW),
        ("tauAP", OVERFLOW, NO_OVERFLOW),
    ],
)
def test_a_difference_is_allowed_only_where_r_answers_by_accident(name, case, reason):
    function = FUNCTIONS[name]
    python = ask_python(name, function, case)
    for r in ACCIDENTS:
        assert allowed_difference(name, function, case, python, r) == reason
        # Not any answer will do, and not for any case.
        assert allowed_difference(name, function, case, Answer(0.123), r) == ""
        assert allowed_difference(name, function, case, Answer(error="something else"), r) == ""
        tame = Case(np.array([1.0, 2, 3]), np.array([1.0, 3, 3]), True, "")
        assert allowed_difference(name, function, tame, ask_python(name, function, tame), r) == ""
    assert allowed_difference(name, function, case, python, Answer(0.123)) == ""
    assert allowed_difference(name, function, case, python, Answer(error="'x' contains ties.")) == ""


def test_an_undefined_coefficient_where_r_stops_by_accident():
    """In R 4.5, tau_b stops where all items are infinite; R 4.2 and Python give nan."""
    case = Case(np.array([np.inf, np.inf]), np.array([1.0, 2.0]), True, "")
    python = ask_python("tau_b", ircor.tau_b, case)
    assert np.isnan(python.value)
    for r in ACCIDENTS[1:]:
        assert allowed_difference("tau_b", ircor.tau_b, case, python, r) == TIE
        report = run(Accidents(r, Answer()), [case], {"tau_b": ircor.tau_b})
        assert (report.agrees, report.functions["tau_b"].allowed) == (True, 1)
    # The same answer of R on ranks that are tied by equal numbers would be a disagreement.
    ranks = as_ranks(case)
    assert allowed_difference("tau_b", ircor.tau_b, ranks, python, ACCIDENTS[1]) == ""


def test_fewer_than_two_items_may_differ_only_in_a_refusal():
    case = Case(np.array([1.0]), np.array([1.0]), True, "")
    for name, function in FUNCTIONS.items():
        python = ask_python(name, function, case)
        assert allowed_difference(name, function, case, python, Answer(-1.0)) == FEWER_THAN_TWO.reason
        assert allowed_difference(name, function, case, Answer(0.0), Answer(-1.0)) == ""
        assert allowed_difference(name, function, case, python, Answer()) == FEWER_THAN_TWO.reason
        assert allowed_difference(name, function, case, python, Answer(0.5)) == ""


def test_two_items_are_enough():
    case = Case(np.array([1.0, 2.0]), np.array([np.inf, np.inf]), True, "")
    python = ask_python("tau_a", ircor.tau_a, case)
    assert allowed_difference("tau_a", ircor.tau_a, case, python, Answer()) == TIE


def test_where_python_differs_on_purpose_r_is_asked_for_the_ranks():
    wrong = {"tau_b": lambda x, y: -0.123}
    for accident in ACCIDENTS:
        oracle = Accidents(accident, Answer(0.5))
        report = run(oracle, [INFINITIES, OVERFLOW], wrong)
        assert (report.functions["tau_b"].allowed, report.functions["tau_b"].disagreements) == (0, 2)
        right = run(oracle, [INFINITIES, OVERFLOW], {"tau_b": lambda x, y: 0.5})
        assert (right.agrees, right.functions["tau_b"].allowed) == (True, 2)
    assert report.disagreements[0].python == "-0.123"


@pytest.mark.r
def test_a_wrong_function_on_a_table_of_infinities_alone(reference):
    columns = {"a": [1.0, 2, 3, np.inf, np.inf], "b": [2.0, 1, np.inf, np.inf, 5], "c": [np.inf, np.inf, 4, 1, 2]}
    cases = table_cases(columns)
    assert run(reference, cases, {"tau_b": ircor.tau_b}).functions["tau_b"].allowed == 12
    report = run(reference, cases, {"tau_b": lambda x, y: -0.123})
    assert report.functions["tau_b"].disagreements == 12


def test_an_error_without_words_is_no_value():
    def silent(x, y):
        raise ValueError

    case = Case(np.array([1.0, 1]), np.array([1.0, 2]), True, "")
    assert ask_python("tau_b", silent, case).error == "ValueError"
    assert not run(Constant(Answer()), [case], {"tau_b": silent}).agrees
