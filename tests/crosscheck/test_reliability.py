"""The random calls of the functions of reliability, and proof that the comparison with R can fail."""

import numpy as np
import pytest

from ircor.crosscheck import run
from ircor.crosscheck._beyond import SUBJECTS, random_scores, reliability_calls, spoiled_scores
from ircor.reliability import _components, _curve as _effects, _expected as _chances

(compare_reliability,) = (subject for subject in SUBJECTS if "expected" in subject.functions)


def test_all_options_are_called():
    calls = list(reliability_calls(1, 100))
    expected = [call.named for call in calls if call.r == "expected"]
    assert {named.get("method") for named in expected} == {"tau", "tauAP", "tau_b", None}
    assert {named.get("estimator") for named in expected} == {"ML", "MSQD", "SD", None}
    # The chances are asked for with the estimator of the coefficient.
    assert [call.named.get("estimator") for call in calls if call.r == "wrong_order"] == [
        named.get("estimator") for named in expected
    ]
    topics = [call.given[1] for call in calls if call.r == "expected_curve"]
    assert {len(asked) for asked in topics} == {1, 2, 3}
    assert set(np.concatenate(topics)) > {-1, 0, 1}
    assert max(np.concatenate(topics)) > 900


def test_the_curve_has_few_systems():
    widths = {call.given[0].shape[1] for call in reliability_calls(1, 100) if call.r == "expected_curve"}
    assert widths == {1, 2, 3, 4, 5}


def test_random_scores():
    kinds, scales, topics = {}, set(), set()
    for k in range(300):
        X, where = random_scores(np.random.default_rng(k))
        kind, *shape, scale = where.split(", ")
        assert shape == [f"{X.shape[0]} topics", f"{X.shape[1]} systems"]
        factor = float(scale.removeprefix("times "))
        kinds.setdefault(kind, []).append(X / factor)
        scales.add(factor)
        topics.add(len(X))
    assert set(kinds) == {
        "apart",
        "alike",
        "tied",
        "the same twice",
        "the same mean",
        "constantly apart",
        "one constant",
    }
    assert scales == {1, 1e-6, 1e6}
    assert min(topics) == 3
    # The correction of ML ends above 250.
    assert {True, False} == {n > 250 for n in topics if n > 200}
    widths = {X.shape[1] for tables in kinds.values() for X in tables}
    assert widths == set(range(2, 16))
    for X in kinds["tied"]:
        np.testing.assert_allclose(X[:, 0], np.round(X[:, 0], 2), atol=1e-9)
        assert X.shape[1] > 2
    for X in kinds["the same twice"]:
        assert np.array_equal(X[:, -1], X[:, -2])
        assert X.shape[1] > 2
    for X in kinds["the same mean"]:
        assert abs(X[:, -1].mean() - X[:, -2].mean()) < 1e-12
        assert np.abs(X[:, -1] - X[:, -2]).max() > 1e-6
    apart = [np.ptp(X[:, -1] - X[:, -2]) for X in kinds["constantly apart"]]
    # Apart by rounding, but for the rounded ones.
    assert 0 < max(apart) < 1e-12
    assert all(np.ptp(X[:, -1]) == 0 for X in kinds["one constant"])
    assert max(np.ptp(X, axis=1).max() for X in kinds["alike"]) < 0.05


def test_scores_are_spoiled_by_the_fault_that_they_are_named_after(rng):
    faults = set()
    for _ in range(100):
        X, topics, named, fault = spoiled_scores(rng, rng.random((5, 4)), [3], {"method": "tau", "estimator": "ML"})
        faults.add(fault)
        unknown = (named["method"] == "tau_b") + (named["estimator"] == "SD")
        found = {
            "two topics": X.shape == (2, 4),
            "one system": X.shape == (5, 1),
            "a missing score": not np.isfinite(X).all(),
            "all the same": np.ptp(X, axis=1).max() == 0 and X.shape[1] > 1,
            "unknown options": unknown == 1 and topics[0] < 1,
        }
        assert [name for name, here in found.items() if here] == [fault]
        assert unknown + len([k for k in topics if k < 1]) == 2 * (fault == "unknown options")
    assert len(faults) == 5


@pytest.mark.r
def test_refusals_are_compared(reference):
    report = run(reference, [], {})
    compare_reliability(report, reference, 1, 80)
    assert (report.functions["expected_curve"].cases, report.functions["expected_curve"].refusals) == (80, 10)


@pytest.mark.r
def test_refusals_of_tables_begin_with_the_words_of_r(reference):
    refused = set()
    for call in reliability_calls(1, 160):
        if "," not in call.where and isinstance(theirs := call.in_r(reference.package), str):
            ours = call.in_python()
            assert isinstance(ours, str)
            assert ours.startswith(theirs)
            refused.add(call.where)
    assert refused == {"two topics", "one system", "a missing score", "all the same", "unknown options"}


@pytest.mark.r
@pytest.mark.parametrize(
    ("owner", "name", "other", "noticed"),
    [
        (_chances, "correction", lambda n: 1.0, {"expected", "expected_curve"}),
        (_chances, "UNBIASED_UP_TO", 247, {"expected", "expected_curve"}),
        (_chances, "UNBIASED_UP_TO", 253, {"expected", "expected_curve"}),
        (_chances.RankedSystems, "constant", property(lambda ranked: ranked.same_mean), {"expected", "expected_curve"}),
        (_effects.Effects, "freedom", property(lambda effects: effects.squares.m - 1), {"expected_curve"}),
        (_components, "EQUAL_MEANS", 0.1, {"generalizability", "expected_curve"}),
    ],
)
def test_another_formula_of_the_reliability_is_noticed(reference, owner, name, other, noticed, monkeypatch):
    monkeypatch.setattr(owner, name, other)
    report = run(reference, [], {})
    compare_reliability(report, reference, 1, 100)
    assert {name for name, tally in report.functions.items() if tally.disagreements} == noticed
