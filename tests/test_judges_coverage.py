"""scripts/judges_coverage.py in small: the intervals of many judges hold, and tests keep their familywise error."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import ircor
from ircor._core.work import Resampling
from ircor.data._scores import Scores
from ircor.judging._judges import judge_coefficients
from ircor.judging._result import Settings

SCRIPTS = Path(__file__).parents[1] / "scripts"
MODULES = ("coverage_collections", "coverage_study", "judges_coverage")
# Left once in a thousand times by chance; with a fixed seed, by a change of the method.
CHANCE = 0.001


@pytest.fixture(scope="module")
def study():
    sys.path.insert(0, str(SCRIPTS))
    try:
        yield [importlib.import_module(name) for name in MODULES][-1]
    finally:
        sys.path.remove(str(SCRIPTS))
        for name in MODULES:
            sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def judged(study):
    return study.collection("families", 200, 1 / 2)


def measured(study, judged, replicates, systems, topics, judges, top=5):
    setting = study.Setting("families", "map", systems, topics, judges, top)
    return study.coverage(setting, replicates, judged["map"])


def check(rows, replicates):
    # Of one sample the coverage is a mean over judges, which varies less than that of one judge.
    least = binom.ppf(CHANCE, replicates, 0.90) / replicates
    assert len(rows) == 8
    for row in rows:
        assert row["expected"] >= least, row["statistic"]
        assert row["sample"] >= 0.88, row["statistic"]
        assert row["width"] < 1.4 * row["fresh_width"], row["statistic"]


def test_intervals_hold_for_as_many_judges_as_systems(study, judged):
    check(measured(study, judged, 25, 10, 25, 10), 25)


@pytest.mark.slow
@pytest.mark.parametrize(("systems", "topics", "judges", "top"), [(20, 50, 5, 10), (30, 25, 10, 5), (12, 25, 2, 5)])
def test_intervals_hold_for_other_numbers(study, judged, systems, topics, judges, top):
    check(measured(study, judged, 100, systems, topics, judges, top), 100)


def test_judges_differ_from_the_truth_and_from_each_other(judged):
    means = {judge: table.mean(axis=0) for judge, table in judged["map"].measures.items()}
    agreement = [ircor.tau_b(means["truth"], means[str(judge)]) for judge in range(10)]
    assert 0.4 < min(agreement) < 0.9 < max(agreement) <= 1
    assert ircor.tau_b(means["8"], means["9"]) < 0.95


def test_the_study_measures_what_judges_get(study, judged):
    """The intervals of the study are those of `coefficients`."""
    rng = np.random.default_rng(1)
    tables = [Scores.of(table[:30]) for table in judged["map"].systems(rng, 12, ["truth", "3", "9"])]
    setting = study.Setting("families", "map", 12, 30, 2, 5)
    groups = study.statistics_of(setting)
    statistics = [one for group in groups.values() for one in group]
    _, found = study.intervals(tables, statistics, ["expected"], 0.95, Resampling(200, 1, 1, False))
    judges = {"3": tables[1], "9": tables[2]}
    result = judge_coefficients("map", tables[0], judges, Settings(("tau_b", "tauAP_b"), top=5), Resampling(200, 1))
    # Of each group, of each coefficient: both judges, and their difference.
    order = sorted(result, key=lambda one: (one.top is not None, one.method != "tau_b", one.other, one.judge))
    assert [(one.statistic, *one.limits["expected"][1:]) for one in found] == [
        (one.value, one.low, one.high) for one in order
    ]


def test_values_of_fresh_samples_are_those_of_the_functions(study, rng):
    means = rng.random((3, 6, 9))
    terms = [study.Term(study.METHODS["tau_b"], 1, 4), study.Term(study.METHODS["tauAP_b"], 2)]
    statistics = [study.Statistic("", (terms[0],)), study.Statistic("", tuple(terms))]
    first, difference = study.values(statistics, means)
    for s in range(6):
        x, y, z = means[:, s]
        best = np.argsort(-x)[:4]
        assert first[s] == pytest.approx(ircor.tau_b(x[best], y[best]))
        assert difference[s] == pytest.approx(first[s] - ircor.tauAP_b(x, z))


def test_tests_of_pairs_keep_their_familywise_error(study, judged):
    rows = study.errors(
        study.Null("families", "map", 10, 25), 40, study.Population({"map": judged["map"].measures["truth"]})
    )
    assert [row["test"] for row in rows] == ["maximum", "t", "randomisation", "tukey"]
    for row in rows:
        assert row["familywise"] <= binom.ppf(1 - CHANCE, 40, 0.06) / 40
        assert row["found"] > 0.05


def test_the_measurements_are_those_of_the_design(study):
    pd = pytest.importorskip("pandas")
    rows = pd.read_csv(study.DOCS / study.RESULTS)
    columns = ["collection", "measure", "systems", "topics", "judges", "top", "population", "statistic"]
    designed = [
        (*(getattr(setting, name) for name in columns[:-1]), statistic)
        for setting in study.settings()
        for statistic in study.statistics_of(setting)
    ]
    assert list(rows[columns].itertuples(index=False, name=None)) == designed
    rows = pd.read_csv(study.DOCS / study.ERRORS)
    columns = ["collection", "measure", "systems", "topics"]
    designed = [tuple(getattr(null, name) for name in columns) for null in study.nulls() for _ in range(4)]
    # Real collections follow, where IRCOR_DATA had them.
    assert list(rows[columns].itertuples(index=False, name=None))[: len(designed)] == designed
