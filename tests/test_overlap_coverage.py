"""scripts/overlap_coverage.py in small: the interval holds the mean as often as the page says, and it has the table."""

import importlib
import sys
from pathlib import Path

import pytest
from scipy.stats import binom

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "scripts"
REPLICATES = 600
# Left once in a thousand times by chance; with a fixed seed, by a change of the method.
CHANCE = 0.001


@pytest.fixture(scope="module")
def study():
    sys.path.insert(0, str(SCRIPTS))
    names = ("overlap_coverage", "coverage_study", "coverage_collections")
    try:
        yield importlib.import_module(names[0])
    finally:
        sys.path.remove(str(SCRIPTS))
        for name in names:
            sys.modules.pop(name, None)


@pytest.mark.parametrize(("population", "topics"), [("sample A1, A2", 5), ("sample A1, A2", 25), ("sample G3, J1", 25)])
def test_the_interval_holds_the_mean(study, monkeypatch, population, topics):
    monkeypatch.delitem(study.METHODS, "bca")
    logit, student = study.coverage(study.Setting(population, 0.9, topics), REPLICATES)
    assert (logit["method"], student["method"]) == ("logit", "student")
    assert (
        binom.ppf(CHANCE, REPLICATES, 0.95) <= REPLICATES * logit["coverage"] <= binom.ppf(1 - CHANCE, REPLICATES, 0.95)
    )
    assert 0 < logit["width"] < 1
    assert logit["coverage"] + logit["above"] + logit["below"] == pytest.approx(1, abs=2e-4)


def test_the_page_has_what_was_measured(study):
    page = (ROOT / "docs" / "commands" / "rbo.md").read_text(encoding="utf-8")
    assert study.table() in page
    import pandas as pd

    rows = pd.read_csv(study.DOCS / study.RESULTS)
    settings = {(one.population, one.p, one.topics) for one in study.settings()}
    assert {tuple(row) for row in rows[["population", "p", "topics"]].itertuples(index=False)} == settings
    # The sentences below the table.
    inside = rows["mean"].between(0.05, 0.95)

    def least_and_most(method, chosen):
        shares = rows[(rows.method == method) & chosen].coverage
        return f"{100 * shares.min():.0f} to {100 * shares.max():.0f}%"

    many = inside & (rows.topics >= 25)
    assert f"held the mean in {least_and_most('logit', many)} of the samples" in page
    assert f"Student's in {least_and_most('student', many)}" in " ".join(page.split())
    assert f"BCa in {least_and_most('bca', many)}" in " ".join(page.split())
    assert f"With 10 topics it was {least_and_most('logit', inside & (rows.topics == 10))}" in page
    assert f"with 5 topics {least_and_most('logit', inside & (rows.topics == 5))}" in page
    beyond = least_and_most("logit", ~inside & (rows.topics == 50))
    assert f"even with 50 topics it was {beyond}" in page
    rare = rows[(rows.method == "logit") & (rows["mean"] > 0.95) & (rows.topics == 25)]
    assert rare.coverage.round(1).tolist() == [0.6] * 3
    assert 0.96**25 > 1 / 3  # samples without such a topic
