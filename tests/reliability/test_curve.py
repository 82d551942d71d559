"""The expected coefficient for any number of topics, and where it reaches a target."""

from math import inf

import numpy as np
import pytest

from ircor._core.work import Resampling, random_blocks
from ircor.reliability import expected_curve, topics_needed
from ircor.reliability._curve import Curve, Effects, crossing, least, own_expected, whole_topics
from ircor.reliability._expected import RankedSystems


def curve_of(X, method="tau", level=0.95, resamples=60):
    return Curve(Effects.of(RankedSystems.of(X)), method, level, random_blocks(1, resamples)[1], None)


def test_the_row_of_the_table_alone(scores):
    X = scores(30, 7)
    own, caveats = own_expected(RankedSystems.of(X).scores, 0.8, Resampling(60, 1))
    whole = topics_needed(X, level=0.8, resamples=60, seed=1)
    assert (own, tuple(caveats)) == (whole.own, whole.caveats)


def test_the_interval_is_quantiles_of_the_draws(scores, method):
    X = scores(15, 6)
    curve = curve_of(X, method, level=0.8, resamples=600)
    curve.add([10, 33.3])
    effects, blocks = Effects.of(RankedSystems.of(X)), random_blocks(1, 600)[1]
    drawn = np.hstack([effects.simulated([10, 33.3, 70], method, block) for block in blocks])
    assert drawn.shape == (3, 600)
    for count, values in zip((10, 33.3, 70), drawn):
        value, low, high = curve.at(count)
        assert (low, high) == pytest.approx(tuple(np.quantile(values, [0.1, 0.9])))
        assert (curve.low(count), curve.high(count), curve.value(count)) == (low, high, value)
        known = effects.tau(count) if method == "tau" else values.mean()
        assert value == pytest.approx(known)


def test_the_interval_has_the_value_inside(scores):
    """That of very few draws may miss the value in closed form."""
    X = scores(15, 6)
    curve = curve_of(X, resamples=1)
    outside = set()
    for count in (1, 20, 1000):
        value, low, high = curve.at(count)
        assert value == expected_curve(X, [count])[0]
        assert low <= value <= high
        outside.add(np.sign(curve.drawn[count].value - value))
    assert 0 not in outside


def test_no_number_of_topics_is_drawn_for_twice(monkeypatch, scores):
    curve, seen = curve_of(scores(15, 6), "tauAP"), []
    simulated = Effects.simulated
    monkeypatch.setattr(
        Effects, "simulated", lambda self, topics, *rest: seen.extend(topics) or simulated(self, topics, *rest)
    )
    curve.add([10, 20])
    for count in (10, 20, 30, 30):
        curve.at(count), curve.value(count), curve.low(count)
    assert seen == [10, 20, 30]


def test_a_number_of_topics_as_a_whole_number():
    assert [whole_topics(count) for count in (1.0, 1.01, 7, inf)] == [1, 2, 7, inf]
    assert isinstance(whole_topics(6.5), int)


@pytest.mark.parametrize("scale", [0.37, 3.3, 77, 913, 20_011, 333_333, 900_001.5])
def test_the_least_number_is_exact_however_large(scale):
    """Of functions that reach 1 / 2 in whole numbers and between them."""
    for value in (lambda k: k / (k + scale), lambda k: 1 - 0.5 * (scale / k) ** 0.1, lambda k: 0.5 + (k - scale) / 1e7):
        found = least(value, 0.5, [25, 50, 1000])
        assert value(found) >= 0.5
        assert found == 1 or value(found - 1) < 0.5
        for end in (found - 1, found, found + 1):
            assert least(lambda k, end=end: float(k >= end), 0.5, [25, 1000]) == max(end, 1)


def test_of_numbers_that_just_reach_the_target_the_least_counts():
    def value(k):
        return 0.25 if 50 <= k <= 60 else k / 1000 if k < 50 else 0.5

    assert least(value, 0.25, [25, 55, 1000]) == least(value, 0.25, [25, 1000]) == 50


def test_the_crossing_is_found_to_the_share_that_is_promised():
    for scale in (0.2, 1.5, 24, 26, 999, 5000, 9e5, 2e6):
        found = crossing(lambda k, scale=scale: k / (k + scale), 0.5, [25, 50, 1000])
        assert found == (1 if scale < 1 else inf if scale > 1e6 else pytest.approx(scale, rel=0.003))
