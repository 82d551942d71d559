"""Coefficients of many judges: against `bootstrap`, loops over single samples, and tables without distinctions."""

from itertools import combinations
from math import isnan
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats
from calls import FUNCTIONS

import ircor
from ircor._core.work import Resampling
from ircor.data._scores import Scores
from ircor.judging._judges import judge_coefficients
from ircor.judging._result import Settings
from ircor.show.judges import undefined_text

METHODS = ("tau_b", "tauAP_b")


@pytest.fixture
def truth(rng):
    return rng.random((25, 1)) + rng.random((25, 14)) * np.linspace(0.5, 1, 14)


@pytest.fixture
def judges(truth, rng):
    return [truth + rng.normal(0, noise, truth.shape) for noise in (0.05, 0.2, 0.5)]


def found(truth, judges, methods=METHODS, **options):
    """The coefficients by judge and method, and the differences by pair and method: among all, and among the best."""
    tables = {k: Scores.of(table) for k, table in enumerate(judges)}
    work = Resampling(options.pop("resamples", 400), 1, options.pop("n_jobs", None))
    rows = judge_coefficients("", Scores.of(truth), tables, Settings(methods, **options), work)
    groups = {}
    for row in rows:
        empty = SimpleNamespace(judges=[{} for _ in judges], differences={}, systems=row.top)
        group = groups.setdefault("all" if row.top is None else "top", empty)
        place = group.differences.setdefault((row.judge, row.other), {}) if row.other != "" else group.judges[row.judge]
        place[row.method] = SimpleNamespace(value=row.value, low=row.low, high=row.high, reason=undefined_text(row))
    return SimpleNamespace(**groups)


@pytest.mark.parametrize("target", ["expected", "sample", "population"])
def test_one_judge_has_the_interval_of_bootstrap(truth, judges, target):
    result = found(truth, judges[:1], ("tau_b",), target=target, level=0.9)
    expected = ircor.bootstrap(truth, judges[0], "tau_b", 400, 1, target=target, level=0.9)
    one = result.all.judges[0]["tau_b"]
    assert (one.value, one.low, one.high) == (expected.statistic, expected.low, expected.high)
    assert result.all.differences == {}


def test_two_judges_have_the_difference_of_bootstrap(truth, judges):
    result = found(truth, judges[:2], ("tau_b",))
    expected = ircor.bootstrap(truth, (judges[0], judges[1]), "tau_b", 400, 1)
    one = result.all.differences[0, 1]["tau_b"]
    assert (one.value, one.low, one.high) == (expected.statistic, expected.low, expected.high)
    for judge, part in zip(result.all.judges, expected.parts):
        assert (judge["tau_b"].low, judge["tau_b"].high) == (part.low, part.high)


def test_values_are_those_of_the_functions(truth, judges, name, function):
    result = found(truth, judges, (name,), top=6)
    x = truth.mean(axis=0)
    best = np.argsort(-x)[:6]
    for group, rows in ((result.all, slice(None)), (result.top, best)):
        values = [function(x[rows], judge.mean(axis=0)[rows]) for judge in judges]
        assert [judge[name].value for judge in group.judges] == pytest.approx(values, abs=1e-12)
        for a, b in combinations(range(3), 2):
            difference = group.differences[a, b][name]
            assert difference.value == pytest.approx(values[a] - values[b], abs=1e-12)
            assert difference.low < difference.value < difference.high
        for judge in group.judges:
            assert -1 <= judge[name].low <= judge[name].value <= judge[name].high <= 1
            assert judge[name].reason == ""
    assert (result.all.systems, result.top.systems) == (None, 6)
    assert result.all.judges[0][name].value == pytest.approx(
        scipy.stats.kendalltau(x, judges[0].mean(axis=0)).statistic, abs=1e-12
    ) or name.startswith("tauAP")


def test_the_top_of_all_systems_is_all_systems(truth, judges):
    for top in (14, 20):
        result = found(truth, judges, top=top)
        assert result.top.judges == result.all.judges
        assert result.top.differences == result.all.differences
        assert result.top.systems == 14


def test_systems_that_tie_with_the_last_of_the_top_are_included(rng):
    """Means of the truth: 9, 8, 7, 7, 7, 3, 2, with the same topics for all."""
    truth = rng.integers(0, 9, (20, 7)).astype(float)
    truth += np.array([9.0, 8, 7, 7, 7, 3, 2]) - truth.mean(axis=0)
    judge = truth + rng.normal(0, 1, truth.shape)
    result = found(truth, [judge], top=3)
    assert result.top.systems == 5
    for name in METHODS:
        expected = FUNCTIONS[name](np.array([9, 8, 7, 7, 7]), judge.mean(axis=0)[:5])
        assert result.top.judges[0][name].value == pytest.approx(expected, abs=1e-12)


def test_intervals_at_the_top_are_wider(truth, judges):
    result = found(truth, judges, top=5)
    for whole, top in zip(result.all.judges, result.top.judges):
        for name in METHODS:
            assert top[name].high - top[name].low > whole[name].high - whole[name].low > 0


def test_a_judge_without_distinctions_has_no_coefficient_and_spoils_no_other(truth, judges, name):
    without = found(truth, judges, (name,), top=5)
    constant = truth.mean(axis=1, keepdims=True) * np.ones(14)
    result = found(truth, [judges[0], constant, *judges[1:]], (name,), top=5)
    for group, expected in ((result.all, without.all), (result.top, without.top)):
        one = group.judges[1][name]
        assert isnan(one.value)
        assert isnan(one.low)
        assert isnan(one.high)
        systems = "all systems" if group is result.all else "the best 5 systems"
        assert one.reason == f"the judge gives {systems} the same mean"
        assert [group.judges[k] for k in (0, 2, 3)] == list(expected.judges)
        for (a, b), (one_, other) in zip(combinations((0, 2, 3), 2), combinations(range(3), 2)):
            assert group.differences[a, b] == expected.differences[one_, other]
        assert isnan(group.differences[0, 1][name].value)
        assert group.differences[1, 3][name].reason == group.judges[1][name].reason


def test_a_truth_without_distinctions_has_no_coefficients(truth, judges):
    result = found(np.ones_like(truth), judges, top=5)
    for group in (result.all, result.top):
        for one in [*group.judges, *group.differences.values()]:
            for name in METHODS:
                assert isnan(one[name].value)
                assert one[name].reason == "the truth gives all systems the same mean"
    assert result.top.systems == 14


def test_a_judge_that_is_constant_at_the_top_has_a_coefficient_among_all(truth, judges):
    best = np.argsort(-truth.mean(axis=0))[:4]
    judge = judges[0].copy()
    judge[:, best] = judge[:, best[:1]]
    result = found(truth, [judge, judges[1]], top=4)
    assert not isnan(result.all.judges[0]["tau_b"].low)
    assert result.top.judges[0]["tau_b"].reason == "the judge gives the best 4 systems the same mean"
    assert isnan(result.top.differences[0, 1]["tau_b"].value)
    assert not isnan(result.top.judges[1]["tau_b"].low)


def test_ties_are_a_reason_where_a_coefficient_refuses_them(truth, judges):
    tied = judges[0].copy()
    tied[:, 3] = tied[:, 4]
    result = found(truth, [tied, judges[1]], ("tau", "tau_a", "tau_b"))
    reason = "the judge gives two systems the same mean, and tau is not defined for ties"
    assert result.all.judges[0]["tau"].reason == result.all.differences[0, 1]["tau"].reason == reason
    assert result.all.judges[1]["tau"].reason == ""
    assert not isnan(result.all.judges[0]["tau_a"].value)
    turned = found(tied, [truth], ("tau", "tau_a", "tau_b"))
    assert [turned.all.judges[0][name].reason for name in ("tau", "tau_a", "tau_b")] == [
        reason.replace("judge", "truth"),
        reason.replace("judge", "truth").replace("tau ", "tau_a "),
        "",
    ]


def test_the_same_judge_twice(truth, judges):
    """The difference is 0 for sure, and other judges keep their intervals."""
    once, twice = (found(truth, some, top=6) for some in (judges[:2], [judges[0], judges[0], judges[1]]))
    for group, expected in ((twice.all, once.all), (twice.top, once.top)):
        for name in METHODS:
            one = group.differences[0, 1][name]
            assert (one.value, one.low, one.high) == (0, 0, 0)
            for k, other in ((0, 0), (1, 0), (2, 1)):
                assert group.judges[k][name] == expected.judges[other][name]


def test_the_truth_as_a_judge_agrees_perfectly(truth, judges):
    for target in ("expected", "sample", "population"):
        result = found(truth, [judges[0], truth], top=5, target=target)
        for group in (result.all, result.top):
            for name in METHODS:
                one = group.judges[1][name]
                assert (one.value, one.low, one.high) == (1, 1, 1)
                assert group.judges[0][name].low < group.judges[0][name].high


def test_more_judges_than_systems(truth, rng):
    judges = [truth[:, :6] + rng.normal(0, 0.3, (25, 6)) for _ in range(12)]
    many = found(truth[:, :6], judges, resamples=2000)
    for k in range(12):
        alone = found(truth[:, :6], judges[k : k + 1], resamples=2000).all.judges[0]["tau_b"]
        one = many.all.judges[k]["tau_b"]
        assert one.value == alone.value
        assert 0.5 < (one.high - one.low) / (alone.high - alone.low) < 1.5
    assert len(many.all.differences) == 66


def test_caveats(truth, judges):
    def caveats(truth, judges, **options):
        named = {str(k): judge for k, judge in enumerate(judges)}
        return ircor.judges(None, truth, named, resamples=100, seed=1, **options).by_measure[0].caveats

    assert caveats(truth, judges, top=6) == caveats(truth, judges, top=3) == ()
    (few,) = caveats(truth[:, :4], [judge[:, :4] for judge in judges], top=3)
    assert (few.reason, few.least) == ("systems", 5)
    assert caveats(truth, judges[:1], target="population") == ()
    (few,) = caveats(truth[:10], [judges[0][:10]])
    assert (few.reason, few.least) == ("topics", 15)
    (difference,) = caveats(truth, judges[:2], target="population")
    assert difference.reason == "difference"


def test_it_does_not_depend_on_the_number_of_jobs(truth, judges):
    one, two = (found(truth, judges, top=5, n_jobs=jobs, resamples=1500) for jobs in (1, 2))
    assert one == two


def test_options_are_checked(truth, judges):
    for options, words in (
        ({"top": 1}, "'top' must be 2 or more, not 1"),
        ({"methods": ["kendall"]}, "'methods' must be one of tau, .*, not 'kendall'"),
        ({"methods": []}, "'methods' must name a coefficient"),
    ):
        with pytest.raises(ValueError, match=words):
            ircor.judges(None, truth, {"judge": judges[0]}, **options)
