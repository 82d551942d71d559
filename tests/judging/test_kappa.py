"""Kappa and alpha against scikit-learn, the package krippendorff, SciPy and exact fractions."""

from fractions import Fraction

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from ircor.judging._kappa import Coefficients, coefficients, distances, jackknife, kappa, nominal, scaled

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
    return coefficients(confusion, grades)


def random_grades(scale, seed, n=None):
    """Two judges of whom the second errs; sometimes few documents, sometimes only some of the grades."""
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(2, 60))
    share = rng.dirichlet(np.ones(len(scale)))
    truth = rng.choice(len(scale), n, p=share)
    judge = np.where(rng.random(n) < rng.random(), rng.choice(len(scale), n), truth)
    return [scale[k] for k in truth], [scale[k] for k in judge]


def many(scale, n=None):
    """Forty pairs of judges who gave more than one grade."""
    found = [pair for seed in range(40) if len({*(pair := random_grades(scale, seed, n))[0], *pair[1]}) > 1]
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
    assert all(np.isnan(found[1:]))


def test_no_documents_have_no_agreement():
    assert all(np.isnan(coefficients(np.zeros((0, 0), int), [])))
    assert all(np.isnan(coefficients(np.zeros((2, 2), int), [0, 1])))


@pytest.mark.parametrize(("truth", "judge"), [([0, 1, 2], [1, 1, 1]), ([0, 0, 0], [0, 1, 3]), ([0, 0], [1, 1])])
def test_a_judge_of_one_grade_has_kappa_0_as_in_scikit_learn(truth, judge):
    found = of(truth, judge)
    assert found[1:4] == (0, 0, 0)
    assert cohen_kappa_score(truth, judge) == 0


def test_a_single_document():
    assert of([0], [1]) == Coefficients(0, 0, 0, 0, 0, 0, 0)


def test_equal_judges_have_1_and_opposite_ones_minus_1():
    assert of([0, 1, 2, 3], [0, 1, 2, 3]) == (1,) * 7
    assert of([0, 0, 1, 1], [1, 1, 0, 0])[1:4] == (-1, -1, -1)


def test_scaled_grades_are_between_0_and_1():
    assert scaled([-2, 0, 2, 6]).tolist() == [0, 0.25, 0.5, 1]
    assert scaled([10**400, 10**400 + 1, 10**400 + 2]).tolist() == [0, 0.5, 1]


@pytest.mark.parametrize("power", [0, 2])
def test_the_standard_error_is_that_of_leaving_out_each_topic(power):
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 9, (7, 3, 3))
    weights = distances(scaled([0, 1, 4])) ** 2 if power else nominal(3)
    without = [kappa(np.delete(counts, topic, axis=0).sum(axis=0), weights) for topic in range(7)]
    expected = np.sqrt(6 / 7 * sum((value - np.mean(without)) ** 2 for value in without))
    sums = counts.sum(axis=2), counts.sum(axis=1), (counts * weights).sum(axis=(1, 2))
    assert jackknife(*sums, weights) == pytest.approx(expected)


def test_no_standard_error_if_all_depends_on_one_topic():
    weights = nominal(2)
    one_grade = [[5, 0], [0, 0]]
    counts = np.array([one_grade, one_grade, [[3, 1], [1, 2]]])
    for some in (counts, counts[2:]):
        sums = some.sum(axis=2), some.sum(axis=1), (some * weights).sum(axis=(1, 2))
        assert np.isnan(jackknife(*sums, weights))
