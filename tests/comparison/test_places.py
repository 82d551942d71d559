"""compare and judges say which systems surely change their place."""

import numpy as np
import pandas as pd
import pytest

import ircor
from ircor.reliability import place_changes
from ircor.reliability._places import LEAST_DRAWS

QUICK = {"resamples": 300, "seed": 1}


@pytest.fixture
def sides(rng):
    A = pd.DataFrame(
        np.linspace(1, 0, 10) + rng.random((40, 1)) + 0.1 * rng.normal(size=(40, 10)), columns=list("abcdefghij")
    )
    B = A.rename(columns={"b": "i", "i": "b"})[A.columns] + 0.05 * rng.normal(size=(40, 10))
    return A, B


def test_compare(sides):
    A, B = sides
    result = ircor.compare(A, B, names=("people", "model"), **QUICK)
    known = place_changes(A, B, names=("people", "model"), resamples=LEAST_DRAWS, seed=1)
    (said,) = known.sentences()
    assert "b falls from" in said
    assert "i rises from" in said
    assert result.sentences()[1] == said
    assert result.as_dict()["places"] == known.tables()[0].records()
    assert sum(row["surely"] for row in result.as_dict()["places"]) == 2
    page = ircor.report.html(result)
    assert said in page
    assert "if its two sets have no place in common" in page


def test_judges(sides):
    A, B = sides
    result = ircor.judges(None, A, {"model": B, "same": A, "constant": A * 0}, name="people", **QUICK)
    moved, same, constant = result.rankings
    assert {row.system for row in moved.changes.sure} == {"b", "i"}
    assert moved.changes.sentences()[0] in result.verdicts[0]
    assert moved.changes.sentences()[0] in result.findings[0]
    assert not same.changes.sure
    assert "No system changes its place" in result.findings[1]
    assert constant.changes is None
    rows = result.places
    assert rows.groupby("judge")["surely"].sum().to_dict() == {"model": 2, "same": 0}
    assert "Places" in ircor.report.html(result)


def test_a_table_without_a_ranking_has_no_changes(sides):
    A, _ = sides
    assert ircor.compare(A, A * 0, **QUICK).changes is None
