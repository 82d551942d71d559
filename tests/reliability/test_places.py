"""The places that another sample of topics would leave."""

import json
from dataclasses import FrozenInstanceError
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from calls import DATA

import ircor
from ircor.reliability import _places, place_changes
from ircor.reliability._places import letter
from ircor.statistics import _maximum
from ircor.statistics._maximum import Draws, drawn_weights

# What the R package csranks 1.2.3 answers (Mogstad, Romano, Shaikh and Wilhelm, the authors of the method) with 20,000
# draws, in cases where three seeds gave the same sets: csranks(means, covariance, coverage = level, simul, stepdown).
ANSWERS = [json.loads(line) for line in (DATA / "places" / "csranks.jsonl").read_text().splitlines()]
QUICK = {"resamples": 999, "seed": 1}
WORK = _maximum.Resampling(64, 1)


def field(rng, topics=30, systems=6, apart=0.6):
    return rng.random((topics, 1)) + 0.2 * rng.normal(size=(topics, systems)) + np.linspace(apart, 0, systems)


@pytest.mark.parametrize("kind", ["simultaneous", "single_step", "marginal"])
def test_the_normal_method_agrees_with_csranks(kind):
    for case in ANSWERS:
        found = ircor.places(case["scores"], case["level"], kind, "normal", resamples=100_000, seed=1)
        assert found.place.tolist() == case["rank"]
        assert (found.low.tolist(), found.high.tolist()) == (case[kind]["L"], case[kind]["U"])


@pytest.mark.parametrize("kind", ["simultaneous", "single_step", "marginal"])
def test_means_with_their_covariance_give_the_sets_of_the_scores(rng, kind):
    X = field(rng)
    of_scores = ircor.places(X, kind=kind, method="normal", resamples=20_000, seed=1)
    S = np.cov(X.T) / len(X)
    of_means = ircor.places(X.mean(axis=0), kind=kind, covariance=S, resamples=20_000, seed=2)
    sure = of_scores.sure & of_means.sure
    assert sure.sum() >= 4
    for end in ("low", "high"):
        assert (getattr(of_scores, end)[sure] == getattr(of_means, end)[sure]).all()
    assert (of_means.topics, of_means.method) == (None, "normal")


@pytest.mark.parametrize("method", ["bootstrap", "normal"])
def test_the_maxima_are_those_of_a_plain_loop(rng, method):
    """The kernel against one resample and one pair after the other."""
    X = np.round(field(rng, 12, 5), 1)
    scores = ircor.data.Scores.of(X)
    n, m = X.shape
    _, weights = drawn_weights(n, method, _maximum.Resampling(40, 1))
    draws = Draws.of_scores(scores, method, weights, 40)
    pairs = [pair for pair in combinations(range(m), 2) if draws.variances[pair] > 0]
    first, second = map(np.array, zip(*pairs))
    found = draws.maxima(first, second)
    c = X - X.mean(axis=0)
    variance = {(i, j): np.var(X[:, i] - X[:, j], ddof=1) / n for i, j in pairs}
    share = 0.0 if method == "normal" else 0.5 * len(pairs) / (len(pairs) + 1)
    prior = np.median(list(variance.values()))
    for b in range(40):
        w = weights[:, b].astype(float)
        statistics = []
        for i, j in pairs:
            d = c[:, i] - c[:, j]
            if method == "normal":
                statistics.append(abs(w @ d) / np.sqrt(n * (n - 1)) / np.sqrt(variance[i, j]))
                continue
            d = d * np.sqrt(n / (n - 1))
            of_resample = np.repeat(d, w.astype(int))
            own = np.var(of_resample, ddof=1) / n
            statistics.append(abs(of_resample.mean()) / np.sqrt((1 - share) * own + share * prior))
        assert found[b] == pytest.approx(max(statistics), rel=1e-5)


def test_the_step_down_repeats_with_the_pairs_that_are_left(rng, monkeypatch):
    X = field(rng, 40, 9, apart=1)
    scores = ircor.data.Scores.of(X)
    _, weights = drawn_weights(40, "bootstrap", _maximum.Resampling(500, 1))
    draws = Draws.of_scores(scores, "bootstrap", weights, 500)
    first, second = np.triu_indices(9, 1)
    statistics = np.abs(draws.statistics[first, second])
    each = np.array([draws.maxima(first[[k]], second[[k]]) for k in range(len(first))])
    left = np.ones(len(first), bool)
    while True:
        critical = np.sort(each[left].max(axis=0))[int(np.ceil(501 * 0.9)) - 1]
        if (left == (statistics <= critical)).all():
            break
        left = statistics <= critical
    # Blocks of few pairs, so that the beginnings of the list end within a block and at one.
    for length in (1, 4, 7, 256):
        monkeypatch.setattr(_maximum, "PAIRS", length)
        found = _maximum.joint_critical([draws], 0.9, _maximum.Resampling(500, 1, 1, False))
        assert found.value == pytest.approx(critical, rel=1e-6)
    single = _maximum.joint_critical([draws], 0.9, _maximum.Resampling(500, 1, 1, False), "single_step")
    assert single.value > critical
    assert single.low < single.value < single.high


def test_kinds_are_nested(rng):
    for _ in range(5):
        X = field(rng, 25, 12)
        joint, single, own = (
            ircor.places(X, kind=kind, **QUICK) for kind in ("simultaneous", "single_step", "marginal")
        )
        assert (single.low <= joint.low).all()
        assert (joint.high <= single.high).all()
        assert own.decided > single.decided
        assert (joint.low <= joint.place).all()
        assert (joint.place <= joint.high).all()


def test_equal_systems_share_their_places_and_constant_differences_are_decided(rng):
    X = field(rng, 20, 3)
    X = np.column_stack([X, X[:, 0], X[:, 0] - 1e-3, np.full(20, 0.1)])
    for method in ("bootstrap", "normal"):
        found = ircor.places(X, method=method, **QUICK)
        assert found.signs[0, 3] == found.signs[3, 0] == 0
        assert found.place[0] == found.place[3]
        assert found.signs[0, 4] == found.signs[3, 4] == 1
    # But for rounding, the differences are constant: they have no variance, and none of the families has them.
    draws = Draws.of_scores(ircor.data.Scores.of(X), "bootstrap", drawn_weights(20, "bootstrap", WORK)[1], 64)
    assert draws.variances[0, 3] == draws.variances[0, 4] == draws.variances[3, 4] == 0
    assert (draws.variances[5, :5] > 0).all()
    same = ircor.places(np.tile(rng.random((5, 1)), 3), **QUICK)
    assert (same.low == 1).all()
    assert (same.high == 3).all()
    assert same.decided == 0
    constant = ircor.places(np.tile([[0.1, 0.3, 0.2]], (4, 1)), **QUICK)
    assert (constant.low == [3, 1, 2]).all()
    assert constant.decided == 1


def test_negative_scores_and_other_units_give_the_same_sets(rng):
    X = field(rng)
    one, other = ircor.places(X, **QUICK), ircor.places(1000 * X - 5000, **QUICK)
    assert (one.low == other.low).all()
    assert (one.high == other.high).all()


def test_jobs_do_not_change_the_sets(rng):
    X = field(rng, 30, 40)
    for kind in ("simultaneous", "marginal"):
        one, two = (ircor.places(X, kind=kind, n_jobs=jobs, **QUICK) for jobs in (1, 2))
        assert (one.signs == two.signs).all()
        assert (one.sure == two.sure).all()


def test_few_draws_say_that_the_ends_are_not_sure(rng):
    few = ircor.places(field(rng, 20, 20), resamples=60, seed=3)
    assert not few.sure.all()
    assert "within the error of 60 draws" in few.notes[-1]
    with pytest.raises(FrozenInstanceError):
        few.level = 0.5
    assert "nobody has measured" in ircor.places(field(rng, 5), **QUICK).notes[0]


def test_groups_of_systems(rng):
    X = field(rng, 40, 12, apart=1.5)
    found = ircor.places(X, top=4, **QUICK)
    assert found.could_be_first == tuple(range(np.count_nonzero(found.low == 1)))
    assert set(found.surely_top(4)) <= set(found.possibly_top(4))
    assert [system for tier in found.tiers for system in tier] == found.order
    for tier in found.tiers:
        assert not found.signs[np.ix_(tier, tier)].any()
    shares = [[bool(set(a) & set(b)) for b in found.letters] for a in found.letters]
    assert (np.array(shares) == (found.signs == 0)).all()
    assert found.decided == pytest.approx((found.signs > 0).sum() / 66)


def test_many_letters():
    assert [letter(k, 52) for k in (0, 25, 26, 51)] == ["a", "z", "A", "Z"]
    assert [letter(k, 700) for k in (0, 25, 26, 675)] == ["aa", "az", "ba", "zz"]
    errors = np.full(120, 0.1)
    found = ircor.places(np.linspace(5, 0, 120), se=errors, **QUICK)
    shares = [[bool(set(a.split(",")) & set(b.split(","))) for b in found.letters] for a in found.letters]
    assert (np.array(shares) == (found.signs == 0)).all()


def test_leaderboards_are_matched_by_name():
    means = pd.Series({"a": 0.5, "b": 0.9, "c": 0.1})
    errors = {"c": 0.2, "a": 0.01, "b": 0.01}
    by_name = ircor.places(means, se=errors, **QUICK)
    S = pd.DataFrame(np.diag([0.2, 0.01, 0.01]) ** 2, index=["c", "a", "b"], columns=["c", "a", "b"])
    by_matrix = ircor.places(means.to_dict(), covariance=S, **QUICK)
    for found in (by_name, by_matrix):
        assert found.systems == ("a", "b", "c")
        assert found.low.tolist() == [2, 1, 2]
        assert found.high.tolist() == [3, 1, 3]
    exact = ircor.places([3, 1, 2], se=[0, 0, 0], **QUICK)
    assert exact.low.tolist() == exact.high.tolist() == [1, 3, 2]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"scores": [1.0, 2.0]}, "'scores' has a mean for each system, and no topics: give their covariance"),
        ({"scores": [[1.0, 2.0]]}, "'scores' must have two topics or more, not 1"),
        ({"scores": [[1.0], [2.0]]}, "'scores' must have two systems or more, not 1"),
        ({"scores": [[1.0, np.nan], [2.0, 1.0]]}, "must not have missing or infinite scores"),
        ({"scores": [1.0, 2.0], "se": [1.0]}, "'se' must have 2 numbers"),
        ({"scores": [1.0, 2.0], "se": [1.0, -1.0]}, "'se' must not have negative numbers"),
        ({"scores": [1.0, 2.0], "se": [1.0, np.inf]}, "'se' must not have missing or infinite"),
        ({"scores": [1.0], "se": [1.0]}, "'scores' must have two systems or more, not 1"),
        ({"scores": [[1.0, 2.0]] * 3, "se": [1, 2]}, "must be one mean for each system"),
        ({"scores": [1, 2], "se": [1, 2], "covariance": np.eye(2)}, "'covariance' and 'se' must not both be given"),
        ({"scores": [1, 2], "se": [1, 2], "method": "bootstrap"}, "'method' must be 'normal' without topics"),
        ({"scores": [1, 2], "covariance": [[1, 0], [1, 1]]}, "'covariance' must be symmetric"),
        ({"scores": [1, 2], "covariance": [[1, 2], [2, 1]]}, "it has a negative eigenvalue"),
        ({"scores": {"a": 1, "b": 2}, "se": {"a": 1, "c": 2}}, "does not have the systems 'b'"),
        ({"scores": np.eye(3), "top": 3}, "'top' must be less than the number of systems, 3, not 3"),
        ({"scores": np.eye(3), "kind": "both"}, "'kind' must be one of simultaneous, single_step, marginal"),
        ({"scores": np.eye(3), "level": 1}, "'level' must be between 0 and 1"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ircor.places(**given, **QUICK)


def test_changes_of_place_between_two_tables(rng):
    A = pd.DataFrame(field(rng, 40, 8, apart=2), columns=list("abcdefgh"))
    B = A.rename(columns={"b": "g", "g": "b"})
    changes = place_changes(A, B, names=("people", "model"), **QUICK)
    assert {row.system for row in changes.sure} == {"b", "g"}
    falls = next(row for row in changes.sure if row.system == "b")
    assert (falls.place_a, falls.place_b) == (2, 7)
    assert falls.low <= -5 <= falls.high < 0
    sentence = changes.sentences()[0]
    assert "b falls from" in sentence
    assert "g rises from" in sentence
    assert ": surely" in sentence
    same = place_changes(A, A, **QUICK)
    assert not same.sure
    assert same.unsure == 0
    assert same.sentences() == ["No system changes its place from A to B."]
    # The sets of both hold together, so they are wider than those of one.
    alone = ircor.places(A, **QUICK)
    assert (changes.a.low <= alone.low).all()
    assert (changes.a.high >= alone.high).all()


def test_other_topics_have_other_draws(rng, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        _places, "drawn_weights", lambda *given, **more: drawn.append(drawn_weights(*given, **more)) or drawn[-1]
    )
    A = pd.DataFrame(field(rng, 30, 5), index=[f"a{k}" for k in range(30)])
    B = A.set_axis([f"b{k}" for k in range(30)])
    apart = place_changes(A, B, **QUICK)
    assert (apart.a.topics, apart.b.topics, apart.a.seed, apart.b.seed) == (30, 30, 1, 1)
    (_, first), (_, second) = drawn
    assert not np.array_equal(first, second)
    drawn.clear()
    place_changes(A, A, **QUICK)
    assert len(drawn) == 1
    assert place_changes(A, B.iloc[:20], **QUICK).b.topics == 20


@pytest.mark.parametrize("method", ["bootstrap", "normal"])
def test_equal_systems_are_seldom_told_apart(rng, method):
    """Normal scores of ten equal systems on 60 topics: at most twice the error rate; without its step, far more."""
    wrong = sum(ircor.places(rng.normal(size=(60, 10)), method=method, **QUICK).decided > 0 for _ in range(60))
    assert wrong <= 8
