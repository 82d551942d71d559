"""The functions beyond the six coefficients against R, and proof that the comparison can fail."""

import operator
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import ircor
from ircor import _coefficients, averages, judging, organization, overlap, rank_distance, rbase, reliability
from ircor.crosscheck import Record, RPackage, _beyond, run, run_beyond
from ircor.crosscheck._base import values_to_round
from ircor.crosscheck._beyond import (
    SUBJECTS,
    items_in,
    random_organizations,
    random_pair,
    random_persistence,
    random_problem,
    spoiled,
)
from ircor.crosscheck._calls import flat_numbers

(
    compare_base,
    compare_drank,
    compare_averages,
    compare_organization,
    compare_measures,
    compare_overlap,
    compare_ties,
    compare_reliability,
    compare_places,
    compare_numbers,
    compare_random,
) = SUBJECTS

MODULES = {
    **dict.fromkeys(compare_base.functions, rbase),
    **dict.fromkeys(compare_drank.functions, rank_distance),
    **dict.fromkeys(compare_averages.functions, averages),
    **dict.fromkeys(compare_organization.functions + compare_measures.functions, organization),
    **dict.fromkeys(compare_overlap.functions, overlap),
    **dict.fromkeys(compare_ties.functions[:2], _coefficients),
    **dict.fromkeys(compare_ties.functions[2:], judging),
    **dict.fromkeys(compare_reliability.functions + compare_places.functions, reliability),
    **dict.fromkeys(compare_numbers.functions, rbase),
    "kendall_tau": ircor,
}


class Changed:
    """A result whose numbers are changed, and those of its attributes too."""

    def __init__(self, result, factor, shift=0):
        self.result, self.factor, self.shift = result, factor, shift

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Changed(getattr(self.result, name), self.factor, self.shift)

    def __array__(self, dtype=None, copy=None):
        return flat_numbers(self.result) * (1 + self.factor) + self.shift

    # NumPy before 1.25 wants these of what has an array.
    def __len__(self):
        return len(np.asarray(self))

    def __getitem__(self, k):
        return np.asarray(self)[k]


@pytest.mark.r
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.functions[0])
def test_agreement_with_r(reference, subject):
    report = run(reference, [], {})
    assert subject.obstacle(reference) == ""
    subject(report, reference, seed=1, count=600 if subject is compare_drank else None)
    assert report.agrees, report.as_json()
    # The random ranks are counted with the others.
    assert tuple(name for name in report.functions if subject is compare_base or name != "r_rank") == subject.functions


@pytest.mark.r
def test_the_number_of_cases(reference):
    report = run(reference, [], {})
    for subject in SUBJECTS:
        subject(report, reference, 2, 20)
    assert {name: tally.cases for name, tally in report.functions.items()} == {
        "r_round": 25,
        "r_rank": report.functions["r_rank"].cases,
        **dict.fromkeys([*compare_drank.functions, *compare_averages.functions], 20),
        **dict.fromkeys([*compare_organization.functions, *compare_measures.functions], 20),
        **dict.fromkeys(compare_overlap.functions, 20),
        # Its chances too.
        "expected": 40,
        "expected_curve": 20,
        # The components, and the coefficients.
        "generalizability": 40,
        **dict.fromkeys(compare_ties.functions, 20),
        "place_sets": 20,
        **{name: report.functions[name].cases for name in (*compare_numbers.functions, *compare_random.functions)},
    }
    assert all(report.functions[name].cases >= 19 for name in compare_numbers.functions)
    # Numbers, not calls.
    assert report.functions["RRandom.runif"].cases == report.functions["RRandom.rnorm"].cases == 20 * 1000
    assert report.functions["r_rank"].cases >= 20
    assert [subject.count for subject in SUBJECTS] == [100_000, 500, 500, 300, 30, 500, 300, 200, 200, 300, 1000]


@pytest.mark.r
@pytest.mark.parametrize("name", MODULES)
def test_a_broken_function_is_noticed_and_can_be_pasted(reference, name, monkeypatch):
    import rpy2.robjects as ro

    right = getattr(MODULES[name], name)
    # A relative error, for a distance, and an absolute one are both noticed.
    monkeypatch.setattr(MODULES[name], name, lambda *a, **k: Changed(right(*a, **k), 1e-7, 1e-6))
    (subject,) = (subject for subject in SUBJECTS if name in subject.functions)
    report = run(reference, [], {})
    subject(report, reference, seed=3, count=2000 if subject is compare_base else 20)
    assert not report.agrees
    (found,) = (example for example in report.disagreements if example.function == name)
    assert report.functions[name].disagreements > 3
    assert found.python != found.r
    monkeypatch.undo()
    ours = flat_numbers(eval(found.python_call, {"ircor": ircor, "float": float, "operator": operator}))
    theirs = np.array(ro.r(f"unlist({found.r_call})"))
    np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-12)
    if subject is compare_base:
        np.testing.assert_array_equal(ours, theirs)
        assert len(ours) <= 2


@pytest.mark.r
@pytest.mark.parametrize("name", compare_random.functions)
def test_random_numbers_that_differ_are_noticed_and_can_be_pasted(reference, name, monkeypatch):
    import rpy2.robjects as ro

    right = getattr(rbase.RRandom, name.partition(".")[2])
    monkeypatch.setattr(rbase.RRandom, right.__name__, lambda *a, **k: np.nextafter(right(*a, **k), np.inf))
    report = run(reference, [], {})
    compare_random(report, reference, seed=3, count=3)
    (found,) = (example for example in report.disagreements if example.function == name)
    assert report.functions[name].disagreements > 3
    monkeypatch.undo()
    ours = eval(found.python_call, {"ircor": ircor})
    np.testing.assert_array_equal(ours, np.array(ro.r(found.r_call)))


@pytest.mark.r
@pytest.mark.parametrize("kind", ["Rejection", "Rounding"])
def test_a_state_that_r_saved(reference, kind):
    import rpy2.robjects as ro

    ro.r(f'suppressWarnings(set.seed(99, sample.kind = "{kind}")); invisible(sample(700))')
    state = np.array(ro.r(".Random.seed"))
    random = rbase.RRandom.from_state(state)
    assert random.state.tolist() == state.tolist()
    np.testing.assert_array_equal(random.sample(50), np.array(ro.r("sample(50)")))
    np.testing.assert_array_equal(random.rnorm(500), np.array(ro.r("rnorm(500)")))
    # And R goes on from a state that Python saved.
    ro.globalenv[".Random.seed"] = ro.IntVector(rbase.RRandom(5, sample_kind=kind).state.tolist())
    np.testing.assert_array_equal(rbase.RRandom(5, sample_kind=kind).runif(3), np.array(ro.r("runif(3)")))
    ro.r('suppressWarnings(RNGkind(sample.kind = "default"))')


@pytest.mark.r
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("drank", 1e-7),
        ("gmean", 1e-11),
        ("transformed_mean", 1e-8),
        ("evaluate", 1e-11),
        ("robustness", 1e-11),
        ("rbo", 1e-11),
        ("expected", 1e-11),
        ("expected_curve", 1e-8),
        ("generalizability", 1e-10),
        ("place_sets", 1e-2),
    ],
)
def test_a_small_error_is_noticed(reference, name, error, monkeypatch):
    right = getattr(MODULES[name], name)
    monkeypatch.setattr(MODULES[name], name, lambda *a, **k: Changed(right(*a, **k), error))
    (subject,) = (subject for subject in SUBJECTS if name in subject.functions)
    report = run(reference, [], {})
    subject(report, reference, seed=1, count=50)
    assert report.functions[name].disagreements > 3


def oracle(kind, package="ircorref"):
    """An oracle that is not asked."""
    versions = dict.fromkeys(("version", "r_version", "rpy2_version"), "1")
    return SimpleNamespace(kind=kind, package=package, attach=lambda: None, **versions)


@pytest.fixture
def compared(monkeypatch):
    """The calls that would be compared, by function, without asking R."""
    seen = []
    monkeypatch.setattr(_beyond, "compare_call", lambda agreement, package, call: seen.append((package, call)))
    monkeypatch.setattr(_beyond, "SUBJECTS", tuple(replace(subject, count=30) for subject in SUBJECTS))
    monkeypatch.setattr(_beyond, "r_version_of", lambda package: "1.0")
    return seen


def test_the_reference_has_all_functions(compared):
    report = run(Record(), [], {})
    run_beyond(report, oracle("reference"), 1)
    assert list(dict.fromkeys(call.function for _, call in compared)) == [*MODULES, *compare_random.functions]
    assert {package for package, _ in compared} == {"ircorref"}
    assert report.notes == []


def test_the_original_has_none_of_them_but_base_r_has_some(compared):
    report = run(Record(), [], {})
    run_beyond(report, oracle("original", "ircor"), 1)
    assert {call.function for _, call in compared} == {
        "r_round",
        "r_rank",
        *compare_numbers.functions,
        *compare_random.functions,
    }
    assert report.notes == [
        "not compared: drank, gmean, mean_log, transformed_mean, mean_logit, ap_floor, evaluate, bcubed, strictness, "
        "robustness, rbo, rbo_scores, tau_eq, acc_eq, calibrate, soft_pairwise_accuracy, expected, expected_curve, "
        "generalizability, place_sets (the package ircor does not have them; the reference does)"
    ]


def test_without_quadprog_the_distance_is_not_compared(compared, monkeypatch):
    monkeypatch.setattr(_beyond, "r_version_of", lambda package: "" if package == "quadprog" else "1.0")
    report = run(Record(), [], {})
    report.notes.append("another note")
    run_beyond(report, oracle("reference"), 1)
    assert "drank" not in {call.function for _, call in compared}
    assert "gmean" in {call.function for _, call in compared}
    assert report.notes == ["another note", "not compared: drank (R has no package quadprog)"]


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.functions[0])
def test_the_same_seed_makes_the_same_calls(subject):
    def texts(seed):
        return [call.texts("p") for call in subject.calls(seed, 6)]

    assert texts(1) == texts(1)
    assert texts(1) != texts(2)


def test_tolerances():
    tolerances = {call.function: call.tolerance for subject in SUBJECTS for call in subject.calls(1, 2)}
    assert tolerances == dict.fromkeys(MODULES, 1e-12) | {
        **dict.fromkeys([*compare_base.functions, *compare_numbers.functions, *compare_random.functions], 0),
        "r_cor_test": 1e-12,
        "kendall_tau": 1e-12,
        "drank": 1e-8,
        "transformed_mean": 1e-9,
        "expected_curve": 1e-9,
        "generalizability": 1e-11,
    }
    units = {call.function: call.unit for subject in SUBJECTS for call in subject.calls(1, 2)}
    assert {name for name, unit in units.items() if unit == 1} == {
        *compare_organization.functions,
        *compare_measures.functions,
        *compare_ties.functions,
        *compare_reliability.functions,
        "r_cor_test",
        "kendall_tau",
    }
    assert units["gmean"] == units["drank"] == 1e-3
    assert units["rbo"] == units["rbo_scores"] == 0.01


def test_all_options_are_called():
    def named(subject, name, option, count=100):
        return {call.named.get(option) for call in subject.calls(1, count) if call.function == name}

    assert named(compare_base, "r_rank", "ties_method", 5000) == {"average", "first", "last", "max", "min"}
    assert named(compare_base, "r_rank", "na_last", 5000) == {True, False, "keep", None}
    assert {call.given[1] for call in compare_base.calls(1, 25) if call.function == "r_round"} == set(range(-8, 17))
    assert named(compare_drank, "drank", "ridge") == {None, 0, 1e-5, 1e-3}
    assert named(compare_averages, "gmean", "zeros") == {"add", "floor", "trec_eval"}
    assert named(compare_averages, "mean_logit", "inverse") == {True, False}
    assert named(compare_averages, "ap_floor", "rest") == {"last", "random"}
    transforms = {call.given[1] for call in compare_averages.calls(1, 20) if call.function == "transformed_mean"}
    assert transforms == {"identity", "log", "logit", "probit", "rank"}
    assert named(compare_organization, "evaluate", "collection") == {"closed", None}
    assert len(named(compare_organization, "evaluate", "top")) > 10
    assert named(compare_overlap, "rbo", "ties") == {"w", "a", "b", None}
    assert named(compare_overlap, "rbo_scores", "decreasing") == {True, False}
    scores = [call.named["score"] for call in compare_overlap.calls(1, 100) if "score" in call.named]
    assert {score for asked in scores for score in asked} == {"ext", "min", "max", "res"}
    assert {len(asked) for asked in scores} == {1, 2, 3, 4}


def test_averages_are_called_with_zeros_and_ones_and_possible_counts():
    calls = list(compare_averages.calls(1, 300))
    values = np.concatenate([call.given[0] for call in calls if call.function == "gmean"])
    assert (values == 0).any()
    assert (values == 1).any()
    assert values.min() >= 0
    assert values.max() <= 1
    for call in calls:
        if call.function == "ap_floor":
            found, relevant, n = call.given
            assert len(found) <= relevant <= n
            assert relevant >= 1
            assert len(set(found)) == len(found)
            assert all(1 <= rank <= call.named["retrieved"] for rank in found)
            assert relevant - len(found) <= n - call.named["retrieved"]


def test_values_to_round(rng):
    values = values_to_round(rng, 2, 1000)
    assert np.isnan(values).any()
    assert {np.inf, -np.inf, 0.0} <= set(values.tolist())
    # More than half end in 5 at the third decimal.
    finite = values[np.isfinite(values)]
    ends = [format(v, ".3f")[-1] == "5" and float(format(v, ".3f")) == v for v in finite]
    assert 0.4 < np.mean(ends) < 0.7
    sizes = np.abs(finite[ends])
    assert sizes.min() < 1
    assert sizes.max() > 1e4


def test_random_problems():
    kinds = {}
    for k in range(200):
        y, X, name = random_problem(np.random.default_rng(k))
        n, m = X.shape
        kind, topics, systems = name.split(", ")
        assert (len(y), topics, systems) == (m, f"{n} topics", f"{m} systems")
        kinds[kind] = y, X
    assert set(kinds) == {"apart", "alike", "the same twice", "constantly apart", "mixed", "two systems", "ties in y"}
    assert np.array_equal(kinds["the same twice"][1][:, 0], kinds["the same twice"][1][:, -1])
    assert np.ptp(kinds["constantly apart"][1][:, 0] - kinds["constantly apart"][1][:, -1]) < 1e-12
    mixed = kinds["mixed"][1]
    np.testing.assert_allclose(mixed[:, -1], (mixed[:, 0] + mixed[:, mixed.shape[1] // 2]) / 2)
    assert kinds["two systems"][1].shape[1] == 2
    assert np.array_equal(kinds["ties in y"][0], np.round(kinds["ties in y"][0], 2))
    assert np.std(kinds["alike"][1] - kinds["alike"][1].mean(axis=1, keepdims=True)) < 2e-3


def test_calls_on_organizations_are_named_after_their_data():
    for call in compare_organization.calls(1, 30):
        system, gold = call.given
        assert call.where.startswith(f"{len(system)} and {len(gold)} occurrences, ")
        if call.function == "evaluate":
            assert call.where.endswith("closed" if call.named.get("collection") == "closed" else "open")


def test_random_organizations():
    drawn = [random_organizations(np.random.default_rng(k)) for k in range(300)]
    flat = [[[d for level in side for cluster in level for d in cluster] for side in pair] for pair in drawn]
    assert any(len(set(system)) < len(system) for system, _ in flat)
    assert any(system and len(set(system)) == len(system) for system, _ in flat)
    assert any(not system for system, _ in flat)
    assert any(system == gold[::-1] for system, gold in drawn if len(gold) > 1)
    assert any(system == gold[1:] for system, gold in drawn if len(gold) > 1)


def test_measures_have_a_defined_correlation():
    for call in compare_measures.calls(1, 30):
        (scores,) = call.given
        assert scores.ndim == 3
        assert (scores[0] == -1).all()
        assert (scores[-1] == 2).all()


def test_random_pairs():
    kinds = {}
    for k in range(400):
        x, y, where = random_pair(np.random.default_rng(k))
        X, Y = items_in(x), items_in(y)
        assert len(set(X)) == len(X) > 0
        assert len(set(Y)) == len(Y) > 0
        kinds.setdefault(where.split(",")[0], []).append((x, y, set(X), set(Y)))
    assert set(kinds) == {"overlapping", "disjoint", "the same items", "the same", "a beginning", "one item"}
    assert not any(X & Y for *_, X, Y in kinds["disjoint"])
    assert all(X == Y for *_, X, Y in kinds["the same items"])
    assert all(x == y for x, y, *_ in kinds["the same"])
    assert all(x == y[: len(x)] or y == x[: len(y)] for x, y, *_ in kinds["a beginning"])
    assert all(1 in (len(X), len(Y)) for *_, X, Y in kinds["one item"])
    overlapping = kinds["overlapping"]
    assert any(X & Y and X - Y and Y - X for *_, X, Y in overlapping)
    # Either is the longer, and either may be without ties, or have one tie of all items.
    assert {len(X) < len(Y) for *_, X, Y in overlapping} == {True, False}
    for side in range(2):
        assert any(len(pair[side]) == len(pair[side + 2]) > 5 for pair in overlapping)
        assert any(len(pair[side]) == 1 and len(pair[side + 2]) > 5 for pair in overlapping)
        assert any(1 < len(pair[side]) < len(pair[side + 2]) for pair in overlapping)


def test_random_persistences(rng):
    drawn = [random_persistence(rng) for _ in range(300)]
    assert 0 < min(drawn) < 1e-12
    assert 1 - 1e-12 < max(drawn) < 1
    assert 50 < sum(0.1 < p < 0.9 for p in drawn) < 150


def test_spoiled_calls_have_the_fault_that_they_are_named_after(rng):
    faults = set()
    for _ in range(100):
        x, y, p, fault = spoiled(rng, ["a", {"b", "c"}], ["d", {"a", "b"}], 0.5)
        faults.add(fault)
        found = {
            "x is empty": not x,
            "y is empty": not y,
            "an item twice in x": len(set(items_in(x))) < len(items_in(x)),
            "an item twice in y": len(set(items_in(y))) < len(items_in(y)),
            "p out of range": not 0 < p < 1,
        }
        assert [name for name, here in found.items() if here] == [fault]
    assert len(faults) == 5


@pytest.mark.r
def test_refusals_are_compared(reference):
    report = run(reference, [], {})
    compare_overlap(report, reference, 1, 80)
    assert (report.functions["rbo"].cases, report.functions["rbo"].refusals) == (80, 10)


@pytest.mark.r
def test_an_oracle_of_base_r_is_enough_for_round_and_rank():
    stats = RPackage("original", "stats")
    report = run(stats, [], {})
    compare_base(report, stats, 1, 50)
    assert report.agrees
    assert report.functions["r_round"].cases >= 50
