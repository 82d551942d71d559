"""scripts/reliability_coverage in small: what reliability promises holds where the truth is known."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from ircor.reliability import expected_curve

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "scripts"
REPLICATES = 40
# A band that is left once in a thousand times by chance; with a fixed seed, by a change of the method.
CHANCE = 0.001


@pytest.fixture(scope="module")
def modules():
    before = set(sys.modules)
    sys.path.insert(0, str(SCRIPTS))
    try:
        yield {name: importlib.import_module(name) for name in ("coverage_collections", "reliability_coverage")}
    finally:
        sys.path.remove(str(SCRIPTS))
        for name in set(sys.modules) - before:
            if name.startswith(("coverage_", "reliability_")):
                sys.modules.pop(name)


@pytest.fixture(scope="module")
def study(modules):
    return modules["reliability_coverage"]


@pytest.fixture(scope="module")
def collection(modules):
    """A tight field of 60 systems, and 400 topics."""
    return modules["coverage_collections"].rankings("tight", 400, 1, 1 / 3)


@pytest.fixture(scope="module")
def measured(study, collection):
    """What was measured of tau and of tauAP with 25 topics and 15 systems."""
    rows = study.estimates(study.Setting("tight", "map", 15, 25), REPLICATES, collection)
    return {row["method"]: row for row in rows}


def least(level):
    """The least share of covered targets that chance explains."""
    return binom.ppf(CHANCE, REPLICATES, level) / REPLICATES


@pytest.mark.parametrize("method", ["tau", "tauAP"])
def test_the_intervals_of_the_curve_hold(measured, method):
    for name in ("own", "25", "100", "250", "1000", "needed"):
        assert measured[method][f"holds_{name}"] >= least(0.93), name


def test_the_curve_is_nearer_to_the_truth_than_the_estimators_that_take_observed_differences_for_true_ones(measured):
    for row in measured.values():
        errors = {name: row[name] - row["truth"] for name in ("ML", "MSQD", "RES", "curve")}
        assert min(errors["ML"], errors["MSQD"], errors["RES"]) > 0.01
        assert abs(errors["curve"]) < 0.8 * min(errors["ML"], errors["RES"])


def test_the_plain_formula_promises_too_much(measured):
    assert measured["tau"]["plain_ratio"] < 0.85
    assert 0.75 < measured["tau"]["needed_ratio"] < 1.6


def test_the_intervals_of_generalizability_theory_hold(study, collection):
    (row,) = study.components(study.Setting("tight", "map", 15, 25), 4 * REPLICATES, collection)
    for name in ("systems", "topics", "interaction", "e_rho2", "phi"):
        assert row[f"holds_{name}"] >= binom.ppf(CHANCE, 4 * REPLICATES, 0.93) / (4 * REPLICATES), name


def test_the_truth_of_the_study_is_the_coefficient_with_the_true_means(study):
    """With two systems whose difference is normal, the chance of the wrong order is known."""
    rng = np.random.default_rng(1)
    table = np.column_stack([rng.normal(0.3, 1, 4000), np.zeros(4000)])
    effect = table[:, 0].mean() / table[:, 0].std()
    from scipy.special import ndtr

    for topics in (5, 25):
        found = [study.true_coefficients(table.mean(axis=0), table, topics, rng) for _ in range(20)]
        for method in ("tau", "tauAP"):
            exact = 1 - 2 * ndtr(-np.sqrt(topics) * effect)
            assert np.mean([one[method] for one in found]) == pytest.approx(exact, abs=0.06)


def test_the_measurements_are_those_of_the_design(study):
    columns = ["collection", "measure", "systems", "topics"]

    def designed(systems):
        return [tuple(getattr(setting, name) for name in columns) for setting in study.settings(systems)]

    rows = pd.read_csv(ROOT / "docs" / study.COMPONENTS_FILE)
    assert list(rows[columns].itertuples(index=False, name=None)) == designed(study.MORE_SYSTEMS)
    rows = pd.read_csv(ROOT / "docs" / study.EXPECTED)
    assert list(rows[[*columns, "method"]].itertuples(index=False, name=None)) == [
        (*setting, method) for setting in designed(study.SYSTEMS) for method in ("tau", "tauAP")
    ]


def test_the_curve_of_normal_collections_is_exact_on_average():
    """True means and noise are normal with equal variances, and there are many systems: then the model is right."""
    rng = np.random.default_rng(5)
    m, n, spread = 150, 40, 0.4
    curves = []
    for _ in range(12):
        X = spread * rng.normal(size=m) + rng.normal(size=(n, m))
        curves.append(expected_curve(X, [10, 40, 160, 640]))
    # Greiner: the chance of the wrong order is arccos(r) / pi, r the correlation of true and observed differences.
    exact = [2 / np.pi * np.arctan(np.sqrt(k) * spread) for k in (10, 40, 160, 640)]
    np.testing.assert_allclose(np.mean(curves, axis=0), exact, atol=0.012)


def test_the_fields_in_which_the_curve_fails_are_those_of_the_design(study):
    rows = pd.read_csv(ROOT / "docs" / study.FIELDS_FILE)
    assert list(rows["collection"].unique()) == list(study.MEANS)
    assert set(zip(rows["systems"], rows["topics"])) == {(20, 25), (20, 50), (40, 50)}
    failing = rows[rows["collection"].isin(["two clusters", "a tenth broken"])]
    assert (failing["uneven"] > 0.6).all()
    assert (rows[rows["collection"].isin(["normal", "uniform"])]["uneven"] < 0.1).all()
