"""The curve against the number of topics, its interval, and the topics that a target needs."""

import json
from math import inf

import numpy as np
import pytest
from scipy.stats import norm

from ircor._core.work import random_blocks
from ircor.reliability import expected_curve, topics_needed
from ircor.reliability._curve import Curve, Effects
from ircor.reliability._expected import RankedSystems
from ircor.reliability._needed import TOPICS
from ircor.show.reliability import CAVEATS
from ircor.show.tables import plain

QUICK = {"resamples": 80, "seed": 1}


@pytest.fixture
def noise():
    """Systems without a true difference, by a latin square."""
    return np.array([[1, 2, 3, 4], [4, 1, 2, 3], [3, 4, 1, 2], [2, 3, 4, 1]])


@pytest.fixture
def steps(rng):
    """Systems that differ by constants."""
    return rng.integers(0, 8, (6, 1)) / 8 + np.array([0.5, 0, 0.125, 0.75])


def as_far_as_json(found):
    return json.loads(json.dumps(plain(found.as_dict()), allow_nan=False))


# The curve


def test_the_curve_as_the_reference_package_answered(recorded, answers):
    found = expected_curve(recorded, answers["topics"])
    np.testing.assert_allclose(found, answers["expected_curve"], atol=1e-9)
    # R computes an integral, and no function of Owen.
    assert answers["topics"][2] == len(recorded)


def test_the_curve_increases_to_1(scores):
    X = scores(12, 7)
    counts = [*range(1, 40), 100, 1000, 10**6, 10**12]
    found = expected_curve(X, counts)
    assert (np.diff(found) > 0).all()
    assert found[0] > 0
    assert found[-1] == pytest.approx(1, abs=1e-4)
    assert expected_curve(X, iter(counts[:3])).tolist() == found[:3].tolist()
    assert expected_curve(X, []).tolist() == []
    assert expected_curve(X, np.array([7], dtype=np.int16))[0] == found[6]


def test_the_curve_has_no_bias_where_the_truth_is_known(rng):
    """Of normal effects and normal noise: the difference of two systems has the deviation 0.5 sqrt(2)."""
    counts, errors = np.array([10, 40, 400]), []
    for _ in range(80):
        means = 0.1 * rng.normal(size=20)
        u = np.abs(np.subtract.outer(means, means))[np.triu_indices(20, 1)] / (0.5 * np.sqrt(2))
        truth = 1 - 2 * norm.cdf(-np.sqrt(counts)[:, None] * u).mean(axis=1)
        errors.append(expected_curve(means + 0.5 * rng.normal(size=(40, 20)), counts) - truth)
    assert np.abs(np.mean(errors, axis=0)).max() < 0.02


def test_the_order_of_topics_and_systems_does_not_matter(scores, rng):
    X = scores(12, 7)
    known = expected_curve(X, [10, 100])
    assert expected_curve(X[rng.permutation(12)], [10, 100]) == pytest.approx(known)
    assert expected_curve(X[:, rng.permutation(7)], [10, 100]) == pytest.approx(known)
    assert expected_curve(X * 0.37 + np.arange(12)[:, None], [10, 100]) == pytest.approx(known, abs=1e-9)


def test_the_curve_of_the_result_is_that_of_the_function(scores):
    X = scores(40, 9)
    found = topics_needed(X, **QUICK)
    assert found.curve["topics"].tolist() == [25, 40, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750, 1000]
    np.testing.assert_allclose(found.curve["expected"], expected_curve(X, found.curve["topics"]), rtol=1e-12)
    assert [note for note in found.curve["note"] if note] == ["this table"]
    assert tuple(found.own) == tuple(found.curve.iloc[1][["expected", "low", "high"]])
    assert found.own.value == expected_curve(X, [40])[0]
    assert topics_needed(X[:25], **QUICK).curve["topics"].tolist() == list(TOPICS)


def test_the_curve_of_tauAP_is_the_mean_over_draws(scores):
    X = scores(40, 9)
    effects, (task,) = Effects.of(RankedSystems.of(X)), random_blocks(1, 80)[1]
    found = topics_needed(X, method="tauAP", **QUICK)
    drawn = effects.simulated(found.curve["topics"].tolist(), "tauAP", task)
    np.testing.assert_allclose(found.curve["expected"], drawn.mean(axis=1), rtol=1e-12)
    for key, level in (("low", 0.025), ("high", 0.975)):
        np.testing.assert_allclose(found.curve[key], np.quantile(drawn, level, axis=1), rtol=1e-12)
    assert (np.diff(found.curve["expected"]) > 0).all()


def test_the_curve_and_its_interval_increase_and_it_lies_inside(scores, method):
    for X in (scores(15, 8), scores(40, 12), scores(60, 20, apart=0.1)):
        curve = topics_needed(X, method=method, resamples=300, seed=2).curve
        for key in ("expected", "low", "high"):
            assert curve[key].is_monotonic_increasing
        assert (curve["low"] < curve["expected"]).all()
        assert (curve["expected"] < curve["high"]).all()
        assert curve["high"].max() <= 1


def test_intervals_are_narrower_at_a_lower_level_and_with_more_topics(scores, method):
    every = scores(400, 10)
    X = every[:30]
    wide, narrow = (topics_needed(X, 0.8, method, level=level, **QUICK) for level in (0.95, 0.5))
    assert (wide.curve["low"] < narrow.curve["low"]).all()
    assert (narrow.curve["high"] < wide.curve["high"]).all()
    assert wide.low < narrow.low <= narrow.needed == wide.needed <= narrow.high < wide.high
    more = topics_needed(every, 0.8, method, **QUICK).own
    assert more.high - more.low < wide.own.high - wide.own.low


# The topics needed


@pytest.mark.parametrize("goal", [0.3, 0.7, 0.9, 0.97, 0.995])
def test_the_topics_needed_are_the_least_that_reach_the_goal(scores, goal):
    for X in (scores(8, 6), scores(30, 10), scores(60, 4, apart=1)):
        found = topics_needed(X, goal, **QUICK)
        assert isinstance(found.needed, int)
        values = expected_curve(X, [found.needed, max(1, found.needed - 1)])
        assert values[0] >= goal
        assert found.needed == 1 or values[1] < goal


def test_the_topics_needed_for_tauAP_are_the_least_too(scores):
    X = scores(20, 6)
    curve = Curve(Effects.of(RankedSystems.of(X)), "tauAP", 0.95, random_blocks(1, 80)[1], None)
    for target in (0.4, 0.8, 0.9):
        found = topics_needed(X, target, "tauAP", **QUICK)
        assert curve.value(found.needed) >= target > curve.value(found.needed - 1)


def test_the_interval_holds_the_topics_needed_and_follows_from_the_curves_interval(scores, method):
    X = scores(30, 10)
    found = topics_needed(X, 0.85, method, **QUICK)
    assert 1 < found.low < found.needed < found.high < inf
    curve = Curve(Effects.of(RankedSystems.of(X)), method, 0.95, random_blocks(1, 80)[1], None)
    # The upper end reaches the target first.
    for count, end in ((found.low, curve.high), (found.high, curve.low)):
        assert end(count * 1.005) >= 0.85 > end(count * 0.995 - 1)
        assert isinstance(count, int)


@pytest.mark.parametrize("seed", range(6))
def test_the_interval_holds_the_topics_needed_however_few_draws_it_is_from(scores, seed):
    X = scores(20, 6)
    for resamples, level in ((1, 0.95), (2, 0.5), (9, 0.05)):
        found = topics_needed(X, 0.9, resamples=resamples, level=level, seed=seed)
        assert found.low <= found.needed <= found.high
        assert found.own.low <= found.own.value <= found.own.high
    # One draw has no width, and the ends are found to two in a thousand: that is many of many topics.
    found = topics_needed(X, 0.995, resamples=1, seed=seed)
    assert 4000 < found.needed < 10**6
    assert found.low <= found.needed <= found.high


def test_no_number_of_topics_reaches_a_target_without_reliability(noise, method):
    found = topics_needed(noise, method=method, **QUICK)
    assert found.needed == inf
    assert abs(expected_curve(noise, [1, 50, 10**9])).max() < 1e-12
    assert found.sentences()[0].endswith(f"). With 1,000,000 topics, {method} 0.9 is not reached.")
    assert found.notes == (CAVEATS["no spread"],)
    assert repr(found) == f"<TopicsNeeded: none for {method} 0.9, of 4>"
    assert as_far_as_json(found)["needed"] is None
    assert found.tables()[1].shown()[0]["topics needed"] == "none"


def test_one_topic_is_enough_for_constant_differences(steps, method):
    for X in (steps, steps * 0.3):
        found = topics_needed(X, 0.999, method, **QUICK)
        assert (found.needed, found.low, found.high) == (1, 1, 1)
        assert tuple(found.own) == (1, 1, 1)
        assert found.sentences()[0].endswith(f"For {method} 0.999, 1 topic is needed (95% interval 1 to 1).")


@pytest.mark.parametrize(
    "X",
    [
        # All means are the same.
        [[0, 1], [1, 0], [0.5, 0.5]],
        # Each topic has the same noise.
        [[0, 1], [1, 0], [0, 1], [1, 0]],
        [[0, 1, 0.5], [1, 0, 0.5], [0, 1, 0.5], [1, 0, 0.5]],
        # One topic alone tells systems apart.
        [[0, 0, 0], [0, 0, 0], [0.1, 0.4, 0.3], [0, 0, 0]],
        # One score alone is not the sum of a part of its system and one of its topic.
        [[0.1, 0.3, 0.9], [0.2, 0.4, 1.0], [0.3, 0.5, 1.1], [0.4, 0.1, 1.2]],
        # As few as there can be.
        [[0.1, 0.2], [0.3, 0.5], [0.2, 0.1]],
        # Two of the systems are the same.
        [[0.1, 0.2, 0.2], [0.3, 0.5, 0.5], [0.2, 0.1, 0.1]],
    ],
)
def test_degenerate_tables(X, method):
    """Nothing is divided by 0, which would be a warning."""
    found = topics_needed(X, 0.6, method, **QUICK)
    curve = found.curve[["low", "expected", "high"]]
    assert np.isfinite(curve.to_numpy()).all()
    assert -1 <= curve.min().min() <= curve.max().max() <= 1
    assert 1 <= found.low <= found.needed <= found.high


def test_ends_of_the_interval_that_nothing_reaches(scores):
    many = (topics_needed(scores(5, 5, apart=0.4), 0.9, resamples=100, seed=1) for _ in range(20))
    found = next(one for one in many if one.high == inf > one.needed)
    assert found.low < found.needed
    assert found.sentences()[0].endswith(
        f"For tau 0.9, {found.needed:,} topics are needed (95% interval {found.low:,} or more)."
    )
    data = as_far_as_json(found)
    assert (data["low"], data["high"]) == (found.low, None)
    assert found.tables()[1].shown()[0]["high"] == "none"


# Draws and seeds


def test_the_seed_repeats_it_whatever_the_jobs(scores, method):
    X = scores(15, 6)
    drawn = topics_needed(X, 0.7, method, resamples=600)
    for n_jobs in (1, 2):
        again = topics_needed(X, 0.7, method, resamples=600, seed=drawn.seed, n_jobs=n_jobs)
        assert again.as_dict() == drawn.as_dict()
    other = topics_needed(X, 0.7, method, resamples=600)
    assert other.seed != drawn.seed
    assert other.own.low != drawn.own.low
    if method == "tau":
        assert (other.own.value, other.needed) == (drawn.own.value, drawn.needed)


def test_more_draws_give_about_the_same_interval(scores):
    X = scores(15, 6)
    few, many = (topics_needed(X, 0.7, resamples=resamples, seed=1) for resamples in (250, 3000))
    assert (few.resamples, many.resamples) == (250, 3000)
    assert few.own.value == many.own.value
    assert few.own[1:] == pytest.approx(many.own[1:], abs=0.05)
    assert few.own[1:] != many.own[1:]


def test_progress_is_told(scores):
    told = []
    topics_needed(scores(10, 4), resamples=600, seed=1, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_powers_of_two_change_no_bit(scores, method):
    X = scores(10, 5)
    known = topics_needed(X, 0.7, method, **QUICK).as_dict()
    for power in (-900, 1, 900):
        assert topics_needed(np.ldexp(X, power), 0.7, method, **QUICK).as_dict() == known


# What it says


def test_all_forms_say_the_same(recorded, method):
    found = topics_needed(recorded, 0.8, method, level=0.8, **QUICK)
    assert (found.topics, found.systems, found.equal_pairs) == (20, 12, 1)
    assert (found.goal, found.level, found.method, found.resamples, found.seed) == (0.8, 0.8, method, 80, 1)
    curve, needed = found.tables()
    ends = {"needed": found.needed, "low": found.low, "high": found.high}
    assert needed.records() == [{"goal": 0.8, "method": method} | ends]
    assert curve.records() == found.curve.to_dict("records")
    data = as_far_as_json(found)
    assert {key: data[key] for key in ends} == ends
    assert data["curve"] == curve.records()
    assert (data["topics"], data["systems"], data["equal_pairs"]) == (20, 12, 1)
    assert (data["level"], data["goal"], data["method"]) == (0.8, 0.8, method)
    assert (data["seed"], data["resamples"]) == (1, 80)
    value, low, high = found.own
    assert found.sentences() == [
        f"With 20 topics, the ranking of the 12 systems is expected to have {method} {value:.3f} with the true one "
        f"(80% interval {low:.3f} to {high:.3f}). For {method} 0.8, {found.needed:,} topics are needed (80% interval "
        f"{found.low:,} to {found.high:,})."
    ]
    by_map = found.view.sentence("MAP")
    assert by_map.startswith("With 20 topics, the ranking of the 12 systems by MAP is expected to have")
    assert repr(found) == f"<TopicsNeeded: {found.needed} for {method} 0.8, of 20>"
    assert str(found).endswith("\n".join(f"Note: {note}" for note in found.notes))
    assert found._repr_html_().count("<table>") == 2


def test_the_note_on_equal_systems(recorded):
    found = topics_needed(recorded, **QUICK)
    pairs = 12 * 11 / 2
    assert found.notes == (
        "1 pair of systems is equal on every topic and left out of the sum, as if in the right order: counted as "
        f"undecided, tau would be {found.own.value - 2 * 0.5 / pairs:.4f}",
    )
    assert topics_needed(recorded.drop(columns="run12"), **QUICK).notes == ()


def test_the_note_on_equal_systems_for_tauAP_goes_by_their_places_in_the_draws(recorded):
    found = topics_needed(recorded, method="tauAP", **QUICK)
    ranked, ((source, _),) = RankedSystems.of(recorded), random_blocks(1, 80)[1]
    means = Effects.of(ranked).drawn(np.random.default_rng(source), 80)
    twin = ranked.order.tolist().index(recorded.columns.get_loc("run12"))
    # The second of the two has one place more above it than there are better systems.
    above = 1 + (means > means[:, [twin]] + 1e-12).sum(axis=1)
    undecided = found.own.value - np.mean(2 / 11 / above * 0.5)
    assert found.notes[0].endswith(f"tauAP would be {undecided:.4f}")


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"goal": 1}, ValueError, "'goal' must be between 0 and 1, not 1"),
        ({"goal": 0}, ValueError, "'goal' must be between 0 and 1, not 0"),
        ({"goal": "0.9"}, TypeError, "'goal' must be a number, not '0.9'"),
        ({"level": 95}, ValueError, "'level' must be between 0 and 1, not 95"),
        ({"method": "tau_b"}, ValueError, "'method' must be one of tau, tauAP, not 'tau_b'"),
        ({"resamples": 0}, ValueError, "'resamples' must be 1 or more, not 0"),
        ({"resamples": 2.5}, TypeError, "'resamples' must be a whole number, not 2.5"),
        ({"seed": -1}, ValueError, "'seed' must be 0 or more, not -1"),
        ({"n_jobs": 0}, ValueError, "'n_jobs' must not be 0; -1 stands for all processors"),
    ],
)
def test_bad_options_are_refused(recorded, options, kind, words):
    with pytest.raises(kind, match=f"^{words}$"):
        topics_needed(recorded, **options)


@pytest.mark.parametrize(
    ("topics", "kind", "words"),
    [
        ([50, 0], ValueError, "'topics' must be 1 or more, not 0"),
        ([2.5], TypeError, "'topics' must be a whole number, not 2.5"),
        ([True], TypeError, "'topics' must be a whole number, not True"),
        (["50"], TypeError, "'topics' must be a whole number, not '50'"),
    ],
)
def test_bad_numbers_of_topics_are_refused(recorded, topics, kind, words):
    with pytest.raises(kind, match=f"^{words}$"):
        expected_curve(recorded, topics)


def test_the_systems_of_a_track(scores):
    X = scores(250, 130)
    found = topics_needed(X, 0.95, resamples=20, seed=1)
    assert found.low < found.needed < found.high
    assert expected_curve(X, [250]) == found.own.value
