"""The expected coefficients against their definitions, pair by pair, and the answers of the reference package in R."""

import json
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from ircor import sample
from ircor.reliability import expected, expected_curve, generalizability, summary, topics_needed
from ircor.reliability._expected import RankedSystems, shares_below
from ircor.show.tables import plain

ESTIMATORS = ("ML", "MSQD", "RES")


@pytest.fixture(params=ESTIMATORS)
def estimator(request):
    return request.param


@cache
def shrunk(n):
    """The mean of the standard deviation of n normal numbers whose own deviation is 1."""
    return stats.chi(n - 1).mean() / np.sqrt(n - 1)


def chance_by_definition(D, estimator):
    """P_ij of the paper: F(-sqrt(n) mean / deviation), one difference after the other."""
    n = len(D)
    if estimator == "ML":
        deviation = D.std(ddof=1) / shrunk(n)
    else:
        e = stats.norm.ppf(stats.rankdata(D) / (n + 1)) / np.sqrt(2)
        deviation = np.sqrt(2) * sum(d * one for d, one in zip(D, e)) / (2 * sum(one * one for one in e))
    return stats.t.cdf(-np.sqrt(n) * D.mean() / deviation, n - 1)


@pytest.mark.parametrize("estimator", ["ML", "MSQD"])
def test_as_defined(awkward, coefficient, method, estimator):
    for X in awkward:
        order = np.argsort(-X.mean(axis=0), kind="stable")
        P = np.full((X.shape[1],) * 2, np.nan)
        for a, b in combinations(range(len(order)), 2):
            i, j = order[a], order[b]
            D = X[:, i] - X[:, j]
            if D.any():
                P[i, j] = chance_by_definition(D, estimator) if np.ptp(D) else 0
        assert expected(X, method, estimator).value == pytest.approx(coefficient(P, order), abs=1e-12)


def test_the_value_follows_from_the_chances(awkward, coefficient, method, estimator):
    for X in awkward:
        found = expected(X, method, estimator, seed=2, resamples=60)
        order = np.argsort(-X.mean(axis=0), kind="stable")
        assert found.value == pytest.approx(coefficient(found.chances, order), abs=1e-12)
        assert found.equal_pairs == sum((X[:, i] == X[:, j]).all() for i, j in combinations(order, 2))


def test_as_the_reference_package_answered(recorded, answers, method, coefficient):
    order = RankedSystems.of(recorded).order
    for by in ESTIMATORS[:2]:
        found = expected(recorded, method, by)
        np.testing.assert_allclose(found.chances, np.array(answers["wrong_order"][by], dtype=float), rtol=1e-9)
        assert found.value == pytest.approx(answers["expected"][method][by], abs=1e-12)
    ranked = RankedSystems.of(recorded)
    shares = np.full((12, 12), np.nan)
    shares[ranked.order[ranked.ahead], ranked.order[ranked.behind]] = shares_below(
        ranked, np.array(answers["draws"], dtype=float)
    )
    known = np.array(answers["wrong_order"]["RES"], dtype=float)
    np.testing.assert_allclose(np.fmax(shares, shares.T), known, atol=1e-14)
    assert coefficient(shares, order) == pytest.approx(answers["expected"][method]["RES"], abs=1e-12)


def test_no_noise_is_1_and_nothing_but_noise_is_near_0(scores, rng, method, estimator):
    additive = rng.integers(0, 8, (10, 1)) / 8 + np.arange(6) / 16
    assert expected(additive, method, estimator, 1).value == 1
    # Of 40 systems with the same true mean, the best seem better than the others: the estimates are too high.
    assert 0 < expected(scores(15, 40, apart=0), method, estimator, 1).value < 0.6


# The matrix of chances


def test_chances_are_symmetric_and_in_the_order_of_the_columns(scores, estimator):
    X = scores(12, 7)
    chances = expected(X, "tau", estimator, 3).chances
    assert isinstance(chances, np.ndarray)
    assert np.isnan(np.diag(chances)).all()
    np.testing.assert_array_equal(chances, chances.T)
    assert np.isnan(chances).sum() == 7
    other = [3, 0, 6, 5, 1, 4, 2]
    moved = expected(X[:, other], "tau", estimator, 3).chances
    np.testing.assert_array_equal(moved, chances[np.ix_(other, other)])
    alone = expected(X[:, [6, 2]], "tau", estimator, 3)
    assert alone.chances[0, 1] == pytest.approx(chances[6, 2], rel=1e-12)
    assert alone.value == pytest.approx(1 - 2 * chances[6, 2])


def test_the_order_of_columns_and_of_topics_does_not_matter(scores, rng, method):
    X = scores(12, 7)
    for by in ("ML", "MSQD"):
        known = expected(X, method, by).value
        for _ in range(5):
            moved = X[rng.permutation(12)][:, rng.permutation(7)]
            assert expected(moved, method, by).value == pytest.approx(known, abs=1e-12)


def test_all_kinds_of_tables(recorded, method):
    known = expected(recorded, method)
    assert known.chances.index.equals(recorded.columns)
    assert known.chances.columns.equals(recorded.columns)
    assert np.isnan(known.chances.loc["run03", "run03"])
    assert known.chances.loc["run03", "run07"] == known.chances.loc["run07", "run03"] < 0.5
    array = recorded.to_numpy()
    frames = [recorded, recorded.convert_dtypes(), pl.from_pandas(recorded.reset_index())]
    for X in (*frames, array, array.tolist(), np.asfortranarray(array), [tuple(row) for row in array.tolist()]):
        found = expected(X, method)
        assert found.value == known.value
        assert isinstance(found.chances, pd.DataFrame) == hasattr(X, "columns")
        np.testing.assert_array_equal(found.chances, known.chances)
    assert expected(frames[2]).as_dict()["names"] == list(recorded.columns)
    assert expected(array).as_dict()["names"] == list(range(12))


def test_the_table_is_not_changed(recorded):
    before = recorded.copy()
    for by in ESTIMATORS:
        expected(recorded, "tau", by, 1)
    summary(recorded, resamples=10, seed=1)
    pd.testing.assert_frame_equal(recorded, before)


# Scores in other units


def test_powers_of_two_change_no_bit(awkward, method, estimator):
    for X in awkward:
        known = expected(X, method, estimator, 5, resamples=50)
        for power in (-1000, -3, 1, 900):
            found = expected(np.ldexp(X, power), method, estimator, 5, resamples=50)
            np.testing.assert_array_equal(found.chances, known.chances)
            assert (found.value, found.notes) == (known.value, known.notes)


def test_other_factors_and_constants_for_topics_change_only_rounding(scores, method, estimator):
    X = scores(15, 8)
    known = expected(X, method, estimator, 5)
    for other in (X * 0.37, X * 1e9, X + np.arange(15)[:, None], X - 3):
        found = expected(other, method, estimator, 5)
        assert found.value == pytest.approx(known.value, abs=1e-9)
        np.testing.assert_allclose(found.chances, known.chances, atol=1e-9)


# Equal systems, equal means and tied differences


def test_equal_systems_are_counted_and_left_out_of_the_sum_alone(scores, estimator):
    X = scores(10, 4)
    X = X[:, [0, 1, 2, 3, 3]]
    found = expected(X, "tau", estimator, 4)
    rest = np.nansum(np.triu(found.chances))
    assert found.equal_pairs == 1
    assert np.isnan(found.chances[3, 4])
    # Ten pairs, of which one adds nothing.
    assert found.value == pytest.approx(1 - 2 * rest / 10)
    (note,) = found.notes
    assert note == (
        "1 pair of systems is equal on every topic and left out of the sum, as if in the right order: counted as "
        f"undecided, tau would be {1 - 2 * (rest + 0.5) / 10:.4f}"
    )


def test_the_note_on_equal_systems_for_both_coefficients(scores, coefficient, method):
    X = scores(10, 5)[:, [0, 1, 2, 3, 3, 4, 3]]
    found = expected(X, method)
    order = np.argsort(-X.mean(axis=0), kind="stable")
    undecided = np.where(np.isnan(found.chances), 0.5, found.chances)
    assert found.equal_pairs == 3
    assert found.notes[0] == (
        "3 pairs of systems are equal on every topic and left out of the sum, as if in the right order: counted as "
        f"undecided, {method} would be {coefficient(undecided, order):.4f}"
    )
    assert f"{coefficient(undecided, order):.4f}" != f"{found.value:.4f}"


def test_systems_that_are_equal_but_for_rounding_are_equal(scores):
    X = scores(6, 3, decimals=2)
    twin = X[:, 0] * (1 + 4e-16)
    assert (twin != X[:, 0]).any()
    assert expected(np.column_stack([X, twin])).equal_pairs == 1
    assert expected(np.column_stack([X, X[:, 0] + 1e-6 * np.arange(6)])).equal_pairs == 0


def test_the_note_on_equal_means_has_the_value_of_the_opposite_order(recorded, estimator):
    found = expected(recorded, "tauAP", estimator, 1)
    backwards = expected(recorded.iloc[:, ::-1], "tauAP", estimator, 1)
    assert f"{backwards.value:.4f}" != f"{found.value:.4f}"
    assert found.notes[1] == (
        "1 pair of systems has the same mean and is in the order of the columns: in the opposite order, tauAP would be "
        f"{backwards.value:.4f}"
    )
    assert f"tauAP would be {found.value:.4f}" in backwards.notes[1]
    # For tau their order does not matter.
    assert len(expected(recorded, "tau", estimator, 1).notes) == 1
    assert float(expected(recorded, "tau", estimator, 1)) == pytest.approx(
        float(expected(recorded.iloc[:, ::-1], "tau", estimator, 1)), abs=1e-12 if estimator != "RES" else 0.02
    )


def test_several_pairs_with_equal_means(rng):
    X = np.array([[1, 2, 3, 5, 6], [2, 1, 3, 6, 5], [3, 3, 0, 7, 7]]) / 8
    found = expected(X, "tauAP")
    (note,) = found.notes
    assert note.startswith("4 pairs of systems have the same mean and are in the order of the columns: ")
    assert note.endswith(f"tauAP would be {expected(X[:, ::-1], 'tauAP').value:.4f}")


def test_equal_systems_are_no_equal_means(scores):
    X = scores(8, 4)[:, [0, 1, 2, 3, 3]]
    assert len(expected(X, "tauAP").notes) == 1


def test_negative_deviations_by_msqd_are_noted(method):
    rest = np.array([3, 1, 0, 2, 3, 1, 0, 2, 1, 3, 0]) / 4
    better = rest + 1 - (np.arange(11) == 4) / 64
    X = np.column_stack([better, rest, rest[::-1] - 0.3])
    assert expected(X, method).chances[0, 1] < 1e-9
    found = expected(X, method, "MSQD")
    assert found.chances[0, 1] > 0.999
    assert found.notes == (
        "so many differences of 1 pair of systems are tied that the standard deviation by MSQD is negative, and the "
        "chance means nothing: take ML",
    )
    twice = expected(X[:, [0, 1, 2, 1]], method, "MSQD")
    assert twice.notes[-1].startswith("so many differences of 2 pairs of systems are tied")
    assert expected(X, method).notes == expected(X, method, "RES", 1).notes == ()


def test_equal_means_are_no_negative_deviation(rng):
    """Their chance is 1/2, or a bit more by rounding."""
    for _ in range(100):
        # Small differences beside the scores, whose rounding counts the more.
        first = rng.integers(1, 1000, 9)
        X = rng.random((9, 1)) + np.column_stack([first, rng.permutation(first), rng.integers(1, 1000, 9)]) / 1e6
        assert not [note for note in expected(X, "tau", "MSQD").notes if "negative" in note]
    X = np.array([[0.1, 0.4, 0.9], [0.5, 0.3, 0.83], [0.7, 0.6, 0.65]])
    for other in (X, X * 0.7, X[:, ::-1] / 3):
        assert expected(other, "tau", "MSQD").notes == ()


def test_where_rounding_decides_what_msqd_takes_for_tied_a_note_has_the_other_value(method):
    # Differences of 0.1, 0.1 and a bit, and so on.
    rest = np.array([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8])
    X = np.column_stack([rest + 0.1, rest, rest[::-1] - 0.02])
    X[0, 0] += 0.1
    exact = (X * 100).round() / 128
    found = expected(X, method, "MSQD")
    known = expected(exact, method, "MSQD")
    assert f"{known.value:.5f}" != f"{found.value:.5f}"
    assert found.notes[-1] == (
        "MSQD takes differences such as 0.3 - 0.1 and 0.2, which are equal but for rounding, for different ones: "
        f"taken as equal, {method} would be {known.value:.5f}"
    )
    assert not [note for note in known.notes if "rounding" in note]
    assert expected(X, method, "ML").notes == ()


# RES


def test_the_seed_repeats_res_and_is_reported(scores):
    X = scores(8, 5)
    drawn = expected(X, "tau", "RES")
    again = expected(X, "tauAP", "RES", drawn.seed)
    np.testing.assert_array_equal(again.chances, drawn.chances)
    assert (again.seed, again.resamples) == (drawn.seed, 1000)
    other = expected(X, "tau", "RES", resamples=300)
    assert other.seed != drawn.seed
    shares = other.chances[np.triu_indices(5, 1)] * 300
    np.testing.assert_allclose(shares, shares.round(), atol=1e-9)
    assert (expected(X).seed, expected(X).resamples) == (None, None)


# What it says


def test_all_forms_say_the_same(recorded, method, estimator):
    found = expected(recorded, method, estimator, 6, resamples=40)
    assert float(found) == found.value
    assert (found.topics, found.systems, found.equal_pairs) == (20, 12, 1)
    (table,) = found.tables()
    row = {"method": method, "estimator": estimator, "value": found.value}
    assert table.records() == [row | {"topics": 20, "systems": 12, "equal_pairs": 1}]
    assert found.sentences() == [
        f"With 20 topics, the ranking of the 12 systems is expected to have {method} {found.value:.4f} with the true "
        f"one, by {estimator}."
    ]
    assert repr(found) == f"<Expected {method} {found.value:.4f} by {estimator}, 20 topics>"
    data = json.loads(json.dumps(plain(found.as_dict()), allow_nan=False))
    assert data["value"] == found.value
    assert data["names"] == list(recorded.columns)
    assert data["chances"][0][0] is None
    assert data["chances"][3][7] is None
    assert data["chances"][0][1] == found.chances.iloc[0, 1]
    assert (data["seed"], data["resamples"]) == ((6, 40) if estimator == "RES" else (None, None))
    assert data["notes"] == list(found.notes) != []
    assert str(found).endswith("\n".join(f"Note: {note}" for note in found.notes))
    assert "<td>20</td><td>12</td><td>1</td>" in found._repr_html_()


def test_what_the_reader_of_a_file_did_is_the_first_note(recorded):
    X = recorded.copy()
    X.attrs["missing"] = "system 'run07' has no value for topic t01: 1 topic dropped"
    for found in (
        expected(X),
        topics_needed(X, resamples=5, seed=1),
        generalizability(X),
        summary(X, resamples=5, seed=1),
    ):
        assert found.notes[0] == X.attrs["missing"]
        assert len(set(found.notes)) == len(found.notes)


# Refusals

FUNCTIONS = {
    "expected": expected,
    "MSQD": lambda X: expected(X, "tauAP", "MSQD"),
    "RES": lambda X: expected(X, "tau", "RES", 1),
    "topics_needed": lambda X: topics_needed(X, resamples=5, seed=1),
    "expected_curve": lambda X: expected_curve(X, [5]),
    "generalizability": generalizability,
    "summary": lambda X: summary(X, resamples=5, seed=1),
}

SAME = "all systems of 'X' have the same scores, so there is no ranking"


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    ("X", "words"),
    [
        ([[1, 2], [2, 1]], "'X' must have 3 topics or more, not 2"),
        ([[1, 2]], "'X' must have two topics or more, not 1"),
        ([[1], [2], [3]], "'X' must have two systems or more, not 1"),
        ([1, 2, 3], "'X' must have two dimensions, topics by systems, not 1"),
        ([[1, 2], [2, np.nan], [3, 1]], "'X' must not have missing or infinite scores: nan for topic 1 and system 1"),
        ([[1, 2], [2, 3], [-np.inf, 1]], "'X' must not have missing or infinite scores: -inf for topic 2 and system 0"),
        ([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]], SAME),
        ([[0, 0], [0, 0], [0, 0]], SAME),
        # The topics differ, and two sums of decimals.
        ([[0.1, 0.1], [0.3, 0.1 + 0.2], [0.9, 0.9]], SAME),
    ],
)
def test_tables_without_a_ranking_are_refused(name, X, words):
    with pytest.raises(ValueError, match="^" + words.replace("(", r"\(") + "$"):
        FUNCTIONS[name](X)


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"method": "tau_b"}, ValueError, "'method' must be one of tau, tauAP, not 'tau_b'"),
        ({"method": None}, ValueError, "'method' must be one of tau, tauAP, not None"),
        ({"estimator": "ml"}, ValueError, "'estimator' must be one of ML, MSQD, RES, not 'ml'"),
        ({"estimator": "RES", "seed": -1}, ValueError, "'seed' must be 0 or more, not -1"),
        ({"estimator": "RES", "seed": "x"}, TypeError, "'seed' must be a whole number, not 'x'"),
        ({"estimator": "RES", "resamples": 0}, ValueError, "'resamples' must be 1 or more, not 0"),
        ({"estimator": "RES", "resamples": 1e3}, TypeError, "'resamples' must be a whole number, not 1000.0"),
    ],
)
def test_bad_options_are_refused(recorded, options, kind, words):
    with pytest.raises(kind, match=f"^{words}$"):
        expected(recorded, **options)


# Real sizes


def test_the_systems_of_a_track(scores, estimator):
    X = scores(250, 130)
    found = expected(X, "tauAP", estimator, 1)
    assert 0.8 < found.value < 1
    assert found.chances.shape == (130, 130)


def test_a_thousand_systems(scores):
    X = scores(25, 1000)
    found = expected(X)
    assert 0.6 < found.value < 0.95
    assert len(found.of_pairs) == 499_500


def test_two_systems_and_three_topics(estimator):
    found = expected([[0.1, 0.4], [0.2, 0.3], [0.5, 0.45]], "tau", estimator, 1)
    assert found.value == expected([[0.1, 0.4], [0.2, 0.3], [0.5, 0.45]], "tauAP", estimator, 1).value
    assert -1 < found.value < 1


def test_the_sample_data():
    """The chance is that of SciPy's test, corrected; the value is on the page on reliability."""
    X = sample("map")
    found = expected(X)
    t = stats.ttest_rel(X["J1"], X["J2"]).statistic * shrunk(50)
    assert found.chances.loc["J1", "J2"] == pytest.approx(stats.t.sf(abs(t), 49))
