"""Kappa and alpha against scikit-learn, the package krippendorff, SciPy and exact fractions."""

from fractions import Fraction

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from ircor.judging._labels import label_coefficients

KAPPAS = {"kappa": None, "kappa_linear": "linear", "kappa_quadratic": "quadratic"}
ALPHAS = {"alpha_nominal": "nominal", "alpha_ordinal": "ordinal", "alpha_interval": "interval"}
SCALES = {
    "binary": [0, 1],
    "graded": [0, 1, 2, 3],
    "with a gap": [0, 1, 4],
    "negative": [-2, -1, 0, 1, 2],
    "negative with a gap": [-2, 0, 1],
    "huge": [0, 1, 10**12],
    "fractional": [0, 0.25, 0.3, 1],
}


def of(truth, judge):
    """The coefficients of two lists of grades."""
    grades = sorted({*truth, *judge})
    confusion = np.zeros((len(grades), len(grades)), int)
    for a, b in zip(truth, judge):
        confusion[grades.index(a), grades.index(b)] += 1
    return label_coefficients(confusion, grades)


def random_grades(scale, seed, n=None):
    """Two judges of whom the second errs; sometimes few documents, sometimes only some of the grades."""
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(2, 60))
    share = rng.dirichlet(np.ones(len(scale)))
    truth = rng.choice(len(scale), n, p=share)
    judge = np.where(rng.random(n) < rng.random(), rng.choice(len(scale), n), truth)
    return [scale[k] for k in truth], [scale[k] for k in judge]


def many(scale, n=None):
    """Forty pairs of judges who gave more than one grade each."""
    pairs = (random_grades(scale, seed, n) for seed in range(40))
    found = [pair for pair in pairs if all(len(set(side)) > 1 for side in pair)]
    assert len(found) > 30
    return found


@pytest.mark.parametrize("scale", ["binary", "graded", "negative"])
def test_kappa_is_that_of_scikit_learn_for_neighbouring_whole_grades(scale):
    for truth, judge in many(SCALES[scale]):
        found = of(truth, judge)
        for key, weights in KAPPAS.items():
            expected = cohen_kappa_score(truth, judge, labels=SCALES[scale], weights=weights)
            assert getattr(found, key) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("scale", list(SCALES))
def test_plain_kappa_is_that_of_scikit_learn_whatever_the_grades_are(scale):
    for truth, judge in many(SCALES[scale]):
        places = [[SCALES[scale].index(grade) for grade in side] for side in (truth, judge)]
        assert of(truth, judge).kappa == pytest.approx(cohen_kappa_score(*places), abs=1e-12)


def test_a_gap_counts_as_scikit_learn_counts_it_if_it_knows_the_labels_between():
    truth, judge = random_grades([0, 1, 4], 3, 50)
    found = of(truth, judge)
    for key, weights in KAPPAS.items():
        expected = cohen_kappa_score(truth, judge, labels=range(5), weights=weights)
        assert getattr(found, key) == pytest.approx(expected, abs=1e-12)
    by_place = cohen_kappa_score(truth, judge, weights="quadratic")
    assert abs(found.kappa_quadratic - by_place) > 0.01


@pytest.mark.parametrize("scale", list(SCALES))
def test_alpha_is_that_of_the_package_krippendorff(scale):
    for truth, judge in many(SCALES[scale]):
        found = of(truth, judge)
        for key, metric in ALPHAS.items():
            expected = krippendorff.alpha(np.array([truth, judge], float), level_of_measurement=metric)
            assert getattr(found, key) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("scale", list(SCALES))
def test_kappa_in_exact_fractions(scale):
    for truth, judge in many(SCALES[scale], 12):
        a, b = [Fraction(x) for x in truth], [Fraction(x) for x in judge]
        for key, power in (("kappa_linear", 1), ("kappa_quadratic", 2)):
            observed = sum(abs(x - y) ** power for x, y in zip(a, b)) * len(a)
            expected = sum(abs(x - y) ** power for x in a for y in b)
            assert getattr(of(truth, judge), key) == pytest.approx(float(1 - observed / expected), abs=1e-12)


def test_the_scale_does_not_matter_however_large_the_grades_are():
    truth, judge = random_grades([0, 1, 2, 5], 1, 40)
    expected = of(truth, judge)
    for factor, shift in ((10**12, 0), (1, 10**18), (10**400, -(10**401)), (2.0**-1000, 0.0), (-1, 3)):
        moved = [[grade * factor + shift for grade in side] for side in (truth, judge)]
        assert of(*moved) == pytest.approx(expected, abs=1e-12)


def test_one_grade_on_both_sides_is_agreement_without_kappa():
    found = of([2, 2, 2], [2, 2, 2])
    assert found.agreement == 1
    assert all(np.isnan(found[1:7]))


def test_no_documents_have_no_agreement():
    assert all(np.isnan(label_coefficients(np.zeros((0, 0), int), [])))
    assert all(np.isnan(label_coefficients(np.zeros((2, 2), int), [0, 1])))


@pytest.mark.parametrize(
    ("truth", "judge"), [([0, 1, 2], [1, 1, 1]), ([0, 0, 0], [0, 1, 3]), ([0, 0], [1, 1]), ([0], [1])]
)
def test_a_judge_of_one_grade_has_no_kappa_where_scikit_learn_has_0(truth, judge):
    found = of(truth, judge)
    assert found.agreement == np.mean(np.equal(truth, judge))
    assert all(np.isnan(found[1:7]))
    assert cohen_kappa_score(truth, judge) == 0


# Gwet's coefficients


def gwet(truth, judge, weight):
    """AC1 or AC2, document by document."""
    grades = sorted({*truth, *judge})
    q, n = len(grades), len(truth)
    scale = grades[-1] - grades[0]
    w = {(a, b): weight(abs(a - b) / scale) for a in grades for b in grades}
    observed = sum(w[a, b] for a, b in zip(truth, judge)) / n
    share = [(truth.count(g) + judge.count(g)) / (2 * n) for g in grades]
    chance = sum(w.values()) / (q * (q - 1)) * sum(p * (1 - p) for p in share)
    return (observed - chance) / (1 - chance)


def test_gwets_coefficients_are_their_definition(rng):
    for grades in ([0, 1], [0, 1, 2, 3], [-2, 0, 4]):
        truth, judge = (rng.choice(grades, 40).tolist() for _ in range(2))
        found = of(truth, judge)
        assert found.ac1 == pytest.approx(gwet(truth, judge, lambda d: float(d == 0)), abs=1e-12)
        assert found.ac2 == pytest.approx(gwet(truth, judge, lambda d: 1 - d**2), abs=1e-12)


def test_with_one_grade_nearly_throughout_kappa_is_low_and_ac1_is_not():
    # 118 documents that are relevant to both, 5 and 2 to one of them, and none to neither.
    truth, judge = [1] * 118 + [1] * 5 + [0] * 2, [1] * 118 + [0] * 5 + [1] * 2
    found = of(truth, judge)
    assert found.agreement == pytest.approx(0.944)
    assert found.kappa == pytest.approx(-0.0234, abs=1e-4)
    assert found.ac1 == pytest.approx(0.9408, abs=1e-4)
    constant = of([1] * 20, [1] * 19 + [0])
    assert np.isnan(constant.kappa)
    assert constant.ac1 == pytest.approx(gwet([1] * 20, [1] * 19 + [0], lambda d: float(d == 0)))
    assert np.isnan(of([1, 1], [1, 1]).ac1)
