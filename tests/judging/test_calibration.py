"""The threshold of ties: what mt-metrics-eval answers, the definition candidate by candidate, and cross-fitting."""

import numpy as np
import pandas as pd
import pytest
from calls import record

import ircor
from ircor.judging import calibrate

CASES = [case for case in record("pairwise.jsonl") if case["kind"] == "calibration"]


def mean_at(truth, estimate, epsilon, name="acc_eq"):
    return np.mean([getattr(ircor, name)(x, y, float(epsilon)) for x, y in zip(truth, estimate)])


def candidates(estimate):
    return sorted({0.0, *(abs(a - b) for row in estimate for a in row for b in row if a is not b)})


@pytest.mark.parametrize("name", ["acc_eq", "tau_eq"])
@pytest.mark.parametrize("case", CASES)
def test_what_mt_metrics_eval_answers(case, name):
    answer = case["answers"]["acc23" if name == "acc_eq" else "23"]
    found = calibrate(case["gold"], case["metric"], name, cross_fit=False)
    assert (found.threshold, found.candidates) == (answer["threshold"], answer["thresholds"])
    assert (found.value, found.at_zero) == pytest.approx((answer["best"], answer["at_zero"]), abs=1e-15)


@pytest.fixture
def rows(rng):
    truth = rng.integers(0, 3, (7, 6))
    return truth, np.round(truth + rng.normal(0, 0.7, truth.shape), 1)


@pytest.mark.parametrize("name", ["acc_eq", "tau_eq"])
def test_the_curve_is_the_mean_at_every_candidate(rows, name):
    truth, estimate = rows
    for cross_fit in (True, False):
        found = calibrate(truth, estimate, name, cross_fit)
        assert found.epsilons.tolist() == candidates(estimate.tolist())
        expected = [mean_at(truth, estimate, epsilon, name) for epsilon in found.epsilons]
        np.testing.assert_allclose(found.values, expected, atol=1e-12)
        assert found.threshold in found.epsilons
        assert mean_at(truth, estimate, found.threshold, name) == pytest.approx(max(expected), abs=1e-12)
        assert found.on_same_rows == pytest.approx(max(expected), abs=1e-12)
        assert found.at_zero == pytest.approx(expected[0], abs=1e-12)
        assert len(found.epsilons) == found.candidates
        assert found.curve.to_numpy().tolist() == np.column_stack([found.epsilons, found.values]).tolist()


def check_cross_fitting(truth, estimate, parts):
    found = calibrate(truth, estimate)
    value, thresholds = [], []
    for part in np.array_split(np.arange(len(truth)), parts):
        others = [[row for k, row in enumerate(side) if k not in part] for side in (truth, estimate)]
        chosen = calibrate(*others, cross_fit=False)
        best = chosen.values > chosen.values.max() - 1e-12
        thresholds.append(chosen.epsilons[best.argmax()])
        value += [ircor.acc_eq(truth[k], estimate[k], float(thresholds[-1])) for k in part]
    assert found.thresholds == tuple(thresholds)
    assert found.value == pytest.approx(np.mean(value), abs=1e-12)
    assert found.value <= found.on_same_rows


def test_the_threshold_of_a_row_is_chosen_on_the_other_rows(rows, rng):
    check_cross_fitting(*(side.tolist() for side in rows), 7)
    truth = [rng.integers(0, 3, n).tolist() for n in rng.integers(2, 8, 23)]
    check_cross_fitting(truth, [(np.array(row) + rng.normal(0, 1, len(row))).tolist() for row in truth], 10)


def test_a_threshold_chosen_on_the_same_rows_flatters(rng):
    flattered = []
    for _ in range(200):
        truth = rng.integers(0, 3, (5, 5))
        found = calibrate(truth, rng.random((5, 5)))
        flattered.append((found.on_same_rows - found.value, found.value))
    gain, value = np.mean(flattered, axis=0)
    assert gain > 0.03
    # Random numbers, which are worth no more than a constant or random order.
    assert value < 0.4


def test_the_least_of_several_best_thresholds_is_chosen():
    truth, estimate = [[1, 2, 3], [1, 2, 3]], [[1, 2, 4], [1, 2, 4]]
    found = calibrate(truth, estimate)
    assert (found.threshold, found.value, found.thresholds) == (0.0, 1.0, (0.0, 0.0))
    # A tie at 0.25, whatever comes after it until 0.5.
    assert calibrate([[1, 1, 2]] * 2, [[0, 0.25, 0.75]] * 2).threshold == 0.25


def test_tables_of_all_kinds(rows):
    truth, estimate = rows
    expected = calibrate(truth, estimate).as_dict()
    frames = [pd.DataFrame(side, columns=list("abcdef")) for side in rows]
    for sides in ((truth.tolist(), estimate.tolist()), frames, (truth, frames[1])):
        assert calibrate(*sides).as_dict() == expected
    with pytest.raises(ValueError, match="'truth' and 'estimate' must have the same rows and columns"):
        calibrate(frames[0], frames[1][list("abcdfe")])


@pytest.mark.parametrize(
    ("truth", "estimate", "message"),
    [
        ([[1, 2]], [[1, 2]], "'cross_fit' needs two rows or more"),
        ([[1, 2], [1, 2]], [[1, 2]], "'truth' and 'estimate' must have the same rows and items"),
        ([[1, 2], [1]], [[1, 2], [2]], "'truth' must have two items or more in each row, and row 2 has 1"),
        ([[1, 2], [1, np.nan]], [[1, 2], [2, 1]], "'truth' has a missing value in row 2"),
        ([[1, 2], [1, 2]], [[1, 2], [np.inf, 1]], "'estimate' has an infinite value in row 2"),
        ([], [], "at least one row"),
    ],
)
def test_refusals(truth, estimate, message):
    with pytest.raises(ValueError, match=message):
        calibrate(truth, estimate)


def test_options_are_checked():
    with pytest.raises(ValueError, match="'coefficient' must be one of tau_eq, acc_eq, not 'tau_b'"):
        calibrate([[1, 2]] * 2, [[1, 2]] * 2, "tau_b")
    with pytest.raises(TypeError, match="'truth' must be a table of rows by items"):
        calibrate([1, 2], [1, 2])


def test_words_and_picture(rows):
    found = calibrate(*rows)
    assert f"With thresholds that other rows chose, it is {found.value:.4f}." in str(found)
    flattering = calibrate(*rows, cross_fit=False)
    assert flattering.sentences()[0].endswith("The threshold was chosen on these rows, which flatters the estimate.")
    ax = found.plot()
    assert ax.get_title() == "mean acc_eq by the threshold"
    assert repr(found).startswith("<Calibration of acc_eq: threshold ")
    drawn = ax.get_lines()[0].get_xydata()
    assert drawn.tolist() == np.column_stack([found.epsilons, found.values]).tolist()


def test_pictures_of_many_steps_are_thinned_out():
    ax = ircor.plots.thresholds(np.arange(5000.0), np.arange(5000.0))
    assert len(ax.get_lines()[0].get_xdata()) == 2000
    with pytest.raises(ValueError, match="'epsilons' must increase"):
        ircor.plots.thresholds([1, 1], [2, 3])
