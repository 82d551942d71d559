"""scripts/ties_study.py: a small part of what it measures, and the tables of the page."""

import csv
import sys
from pathlib import Path

import numpy as np
import pytest
from loaded import load_script

import ircor

study = load_script("ties_study")
DOCS = Path(__file__).parents[1] / "docs"


def rows_of(path):
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_its_accuracy_is_that_of_the_package(rng):
    truth = study.grades(rng, 6, 5)
    estimate = study.judged(rng, truth, 0.5)
    expected = np.mean([ircor.acc_eq(x, y, 0.3) for x, y in zip(truth, estimate)])
    assert study.mean_at(truth, estimate, 0.3) == pytest.approx(expected, abs=1e-12)


def test_the_study_writes_its_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "FRESH", 20)
    monkeypatch.setattr(study, "POPULATION", 60)
    monkeypatch.setattr(sys, "argv", ["ties_study.py", "--samples", "2", "--folder", str(tmp_path)])
    study.main()
    for name in ("ties-calibration.csv", "ties-segments.csv"):
        written, shown = (rows_of(folder / name) for folder in (tmp_path, DOCS))
        assert [list(row) for row in written] == [list(row) for row in shown]


def test_the_page_has_the_tables():
    page = (DOCS / "ties-as-an-answer.md").read_text(encoding="utf-8")
    rows = rows_of(DOCS / "ties-calibration.csv")
    for row in rows:
        numbers = (f"{float(row[key]):.3f}" for key in ("at_zero", "same_rows", "cross_fit", "fresh_rows"))
        assert f"| {row['rows']} | {row['items']} | " in page
        assert f"| {' | '.join(numbers)} |" in page
    same, cross, fresh = (
        np.array([float(row[key]) for row in rows]) for key in ("same_rows", "cross_fit", "fresh_rows")
    )
    assert np.abs(cross - fresh).max() < 0.01
    assert (same > cross).all()
