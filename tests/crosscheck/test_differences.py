"""Where Python differs from R on purpose."""

import re
from pathlib import Path

import numpy as np
import pytest
from calls import FUNCTIONS

from ircor.crosscheck import Answer, Case
from ircor.crosscheck._comparison import agree, allowed_difference, ask_python
from ircor.crosscheck._differences import DIFFERENCES, REFUSALS, difference_of, is_accident

ROOT = Path(__file__).parents[2]
INFINITIES, OVERFLOW = "two infinities of one sign are a tie", "integers do not overflow"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.array([1.0, np.inf, -np.inf]), ""),
        (np.array([np.inf, 1.0, np.inf]), INFINITIES),
        (np.array([-np.inf, -np.inf]), INFINITIES),
        (np.array([np.nan, np.nan]), ""),
        (np.array([1e308, -1e308]), ""),
        (np.array([2**30, -(2**30)], dtype=np.int32), OVERFLOW),
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


def test_the_guide_lists_as_many_differences():
    guide = (ROOT / "docs" / "coming-from-r.md").read_text(encoding="utf-8")
    assert len(re.findall(r"^\| \*\*Not R\*\*", guide, re.MULTILINE)) == len(DIFFERENCES)
