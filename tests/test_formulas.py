"""The formulas of the six coefficients against exact arithmetic, and properties that hold for all rankings."""

from bisect import bisect_left, insort
from fractions import Fraction
from math import nan

import definitions
import numpy as np
import pytest
from calls import FUNCTIONS, REFUSING
from hypothesis import given, strategies as st

import ircor
from ircor._core.methods import bounded

# The error of the sums does not grow with the number of items.
LAST_DIGITS = Fraction(1, 10**15)


def exact_answers(x, y):
    """For each of the six functions: name, further arguments, the vector that it refuses, the exact answer or nan."""
    tied = {"x": len(set(x)) < len(x), "y": len(set(y)) < len(y)}
    for name, untied in REFUSING.items():
        refused = next((vector for vector in untied if tied[vector]), None)
        definition = getattr(definitions, {"tau": "tau_a", "tauAP": "tauAP_a"}.get(name, name))
        for arguments in [(True,), (False,)] if "AP" in name else [()]:
            exact = None if refused else definition(x, y, *arguments)
            yield name, arguments, refused, nan if exact is None else float(exact)


def check(x, y, answers):
    for name, arguments, refused, exact in answers:
        try:
            value = FUNCTIONS[name](x, y, *arguments)
        except ValueError as error:
            assert refused, error
            assert f"'{refused}' contains ties" in str(error)
        else:
            # Within 1e-12 and never beyond 1; or both nan.
            assert (abs(value - exact) <= 1e-12 and abs(value) <= 1) or (value != value and exact != exact), (
                name,
                x,
                y,
            )
            assert not refused


@pytest.mark.parametrize("n", [2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_every_pair_of_rankings_with_ties(n):
    # The order of the items does not count, so the slow definitions are computed once for each multiset of pairs.
    rankings = definitions.weak_orders(n)
    seen = {}
    for x in rankings:
        for y in rankings:
            key = tuple(sorted(zip(x, y)))
            if key not in seen:
                seen[key] = list(exact_answers(*map(list, zip(*key))))
            check(list(x), list(y), seen[key])


@pytest.mark.parametrize("ties", ["none", "y", "both"])
def test_random_rankings(ties, rng):
    for _ in range(700):
        n = int(rng.integers(2, 61))
        x, y = rng.permutation(n), rng.permutation(n)
        if rng.random() < 0.5:
            y = x + rng.integers(0, n, n) * n
        if ties != "none":
            y = y // int(rng.integers(2, 8))
        if ties == "both":
            x = x // int(rng.integers(2, 8))
        x, y = x.tolist(), y.tolist()
        check(x, y, exact_answers(x, y))


def exact_tauAP_a(x, y, bits=300):
    """Equation (8) for x without ties, with the least value at the top, in fixed-point arithmetic of 300 bits."""
    groups = {}
    for i in np.argsort(y, kind="stable").tolist():
        groups.setdefault(y[i], []).append(i)
    above, total, p, one = [], 0, 1, 1 << bits
    for group in groups.values():
        t = len(group)
        if p > 1:
            c = sum(bisect_left(above, x[i]) for i in group)
            total += c * sum(one // (p + k - 2) for k in range(1, t + 1)) // t
        total += sum(k * one // (p + k - 1) for k in range(1, t)) // 2
        for i in group:
            insort(above, x[i])
        p += t
    return Fraction(2 * total, one * (len(x) - 1)) - 1


def exact_tauAP_ties(x, y, bits=300):
    """Equation (10) with the least value at the top, in the same arithmetic."""
    groups = {}
    for i in np.argsort(y, kind="stable").tolist():
        groups.setdefault(y[i], []).append(i)
    above, total, one = [], 0, 1 << bits
    for group in groups.values():
        if above:
            total += sum(bisect_left(above, x[i]) for i in group) * one // len(above)
        for i in group:
            insort(above, x[i])
    first = len(next(iter(groups.values())))
    return Fraction(2 * total, one * (len(x) - first)) - 1


@pytest.mark.parametrize("groups", [30_000, *(pytest.param(k, marks=pytest.mark.slow) for k in (100_000, 300, 2))])
def test_hundred_thousand_items_are_exact_to_the_last_digits(groups, rng):
    x = rng.permutation(100_000)
    y = (x + rng.integers(0, 30_000, x.size)) % groups
    exact = exact_tauAP_a(x.tolist(), y.tolist())
    assert abs(Fraction(ircor.tauAP_a(x, y, decreasing=False)) - exact) <= LAST_DIGITS
    assert abs(Fraction(ircor.tauAP_a(-x, -y)) - exact) <= LAST_DIGITS
    tied = x // 7
    both = (exact_tauAP_ties(tied.tolist(), y.tolist()) + exact_tauAP_ties(y.tolist(), tied.tolist())) / 2
    assert abs(Fraction(ircor.tauAP_b(tied, y, decreasing=False)) - both) <= LAST_DIGITS


def test_hundred_thousand_items_without_ties_are_exact_to_the_last_digits(rng):
    x = rng.permutation(100_000)
    y = x + rng.integers(0, 20_000, x.size) + rng.random(x.size)
    exact = exact_tauAP_a(x.tolist(), y.tolist())
    back = exact_tauAP_a(y.tolist(), x.tolist())
    assert abs(Fraction(ircor.tauAP(x, y, decreasing=False)) - exact) <= LAST_DIGITS
    assert abs(Fraction(ircor.tauAP_b(x, y, decreasing=False)) - (exact + back) / 2) <= LAST_DIGITS


@pytest.mark.parametrize("y", [[1, 1, 2, 3], [2, 1, 1, 2, 2], [3, 3, 3, 1], [1, 1, 1, 1, 1], [1, 2, 2, 1, 3, 3]])
def test_tau_a_and_tauAP_a_are_means_over_all_ways_to_break_ties(y, rng):
    for _ in range(10):
        x = rng.permutation(len(y)).tolist()
        orders = list(definitions.orders_of_ties(y))
        assert ircor.tau_a(x, y) == pytest.approx(np.mean([ircor.tau(x, o) for o in orders]), abs=1e-14)
        for decreasing in (True, False):
            average = np.mean([ircor.tauAP(x, o, decreasing) for o in orders])
            assert ircor.tauAP_a(x, y, decreasing) == pytest.approx(average, abs=1e-14)


LENGTHS = st.integers(2, 300)
NUMBERS = st.integers(-1000, 1000)


@st.composite
def rankings(draw, untied=""):
    """Two vectors of the same length.  Those in `untied` have no ties."""
    n = draw(LENGTHS)
    vectors = []
    for name in "xy":
        if name in untied:
            vectors.append(draw(st.permutations(range(n))))
        else:
            vectors.append(
                draw(st.lists(NUMBERS if draw(st.booleans()) else st.integers(0, 4), min_size=n, max_size=n))
            )
    return vectors


@given(rankings("xy"))
def test_without_ties_the_variants_reduce_to_tau_and_tauAP(vectors):
    x, y = vectors
    assert ircor.tau_a(x, y) == ircor.tau(x, y)
    assert ircor.tau_b(x, y) == pytest.approx(ircor.tau(x, y), abs=1e-14)
    for decreasing in (True, False):
        tauAP = ircor.tauAP(x, y, decreasing)
        assert ircor.tauAP_a(x, y, decreasing) == pytest.approx(tauAP, abs=1e-14)
        assert ircor.tauAP_b(x, y, decreasing) == pytest.approx((tauAP + ircor.tauAP(y, x, decreasing)) / 2, abs=1e-14)


@given(rankings("xy"))
def test_tau_is_symmetric(vectors):
    x, y = vectors
    assert ircor.tau(x, y) == ircor.tau(y, x)


@given(rankings())
def test_tau_b_and_tauAP_b_are_symmetric(vectors):
    x, y = vectors
    assert ircor.tau_b(x, y) == pytest.approx(ircor.tau_b(y, x), abs=1e-15, nan_ok=True)
    assert ircor.tauAP_b(x, y) == pytest.approx(ircor.tauAP_b(y, x), abs=1e-15, nan_ok=True)


@pytest.mark.parametrize("name", REFUSING)
@given(data=st.data())
def test_only_the_order_of_the_values_counts(name, data):
    x, y = data.draw(rankings(REFUSING[name]))
    expected = FUNCTIONS[name](x, y)
    assert FUNCTIONS[name]([v**3 for v in x], [2.0 * v - 7 for v in y]) == pytest.approx(expected, abs=0, nan_ok=True)


@pytest.mark.parametrize("name", REFUSING)
@given(data=st.data())
def test_the_order_of_the_items_does_not_count(name, data):
    x, y = data.draw(rankings(REFUSING[name]))
    items = data.draw(st.permutations(range(len(x))))
    expected = FUNCTIONS[name](x, y)
    assert FUNCTIONS[name]([x[i] for i in items], [y[i] for i in items]) == pytest.approx(
        expected, abs=1e-13, nan_ok=True
    )


@pytest.mark.parametrize("name", ["tauAP", "tauAP_a", "tauAP_b"])
@given(data=st.data())
def test_increasing_is_decreasing_on_the_negated_values(name, data):
    x, y = data.draw(rankings(REFUSING[name]))
    expected = FUNCTIONS[name](x, y, decreasing=True)
    assert FUNCTIONS[name]([-v for v in x], [-v for v in y], decreasing=False) == pytest.approx(
        expected, abs=0, nan_ok=True
    )


@pytest.mark.parametrize("name", REFUSING)
@given(data=st.data())
def test_a_ranking_agrees_with_itself_and_not_with_its_reverse(name, data):
    x = data.draw(st.permutations(range(data.draw(LENGTHS))))
    assert FUNCTIONS[name](x, x) == 1
    assert FUNCTIONS[name](x, [-v for v in x]) == -1


@pytest.mark.parametrize("name", REFUSING)
@given(data=st.data())
def test_coefficients_are_between_minus_1_and_1(name, data):
    value = FUNCTIONS[name](*data.draw(rankings(REFUSING[name])))
    assert value != value or -1 <= value <= 1


def test_coefficients_beyond_the_bounds_by_rounding_are_clipped():
    above, below = 1 + 2.0**-52, -1 - 2.0**-52
    assert [bounded(value) for value in (above, below, 1.0, -1.0, 0.3)] == [1, -1, 1, -1, 0.3]
    assert np.isnan(bounded(nan))
    np.testing.assert_array_equal(bounded(np.array([above, below, np.nan, 0.3])), [1, -1, np.nan, 0.3])
