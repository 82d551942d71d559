"""The weight of the first ranks, against equation (21) of Webber, Moffat and Zobel in 60 decimals."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import pytest

from ircor.overlap import p_for_weight, weight_for_p

DEPTHS = [1, 2, 3, 10, 99, 100, 101, 1_000]
NEAR_ONE = [1 - 10.0**-k for k in range(3, 10)]
PERSISTENCES = [1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, *NEAR_ONE]


def equation_21(d, p):
    with localcontext() as context:
        context.prec = 60
        p, power, total = Decimal(p), Decimal(1), Decimal(0)
        for i in range(1, d):
            power *= p
            total += power / i
        return 1 - power + (1 - p) / p * d * (-(1 - p).ln() - total)


@pytest.mark.parametrize("d", DEPTHS)
def test_weight_is_equation_21(d):
    for p in PERSISTENCES:
        exact = equation_21(d, p)
        assert abs(Decimal(weight_for_p(d, p)) - exact) <= Decimal("3e-15") * exact, p


def test_weight_of_a_million_ranks():
    for p in (1 - 1e-6, 1 - 1e-9):
        assert abs(Decimal(weight_for_p(10**6, p)) - equation_21(10**6, p)) < Decimal("1e-14")


def test_each_depth_gives_its_ranks_equal_parts():
    # The definition, without logarithms: the first d ranks have min(i, d) / i of the agreement at depth i.
    p, d = Fraction(1, 2), 7
    exact = sum((1 - p) * p ** (i - 1) * Fraction(min(i, d), i) for i in range(1, 80))
    assert weight_for_p(d, 0.5) == pytest.approx(float(exact), abs=1e-15)


def test_weight_in_the_paper():
    # At p = 0.9 the first ten ranks have 86% of the weight.
    assert round(weight_for_p(10, 0.9), 2) == 0.86


@pytest.mark.parametrize("d", [*DEPTHS, 10**6])
def test_p_and_weight_are_inverse(d):
    for p in PERSISTENCES:
        weight = weight_for_p(d, p)
        if weight < 0.999:  # above, many p have almost the same weight
            assert p_for_weight(d, weight) == pytest.approx(p, abs=1e-12)
            assert 1 - p_for_weight(d, weight) == pytest.approx(1 - p, rel=1e-6)
    for weight in (1e-6, 0.1, 0.5, 0.9, 0.999, 1 - 1e-12):
        # A step between two doubles near 1 changes the weight by more than 1e-12 where d is large.
        p = p_for_weight(d, weight)
        assert 0 < p < 1
        assert weight_for_p(d, p) == pytest.approx(weight, abs=1e-12 + 4e-15 * d)


def test_weight_grows_with_depth_and_falls_with_p():
    assert all(a < b for a, b in pairwise(weight_for_p(d, 0.99) for d in range(1, 300)))
    assert all(a > b for a, b in pairwise(weight_for_p(10, k / 100) for k in range(30, 100)))


def test_extremes_are_numbers():
    assert weight_for_p(1, 5e-324) == 1
    assert weight_for_p(10**300, 0.5) == 1
    assert 0 < weight_for_p(1, 1 - 2**-53) < 1e-14
    assert p_for_weight(1, weight_for_p(1, 1 - 2**-53)) == 1 - 2**-53


@pytest.mark.parametrize("function", [weight_for_p, p_for_weight])
def test_refusals_name_the_argument(function):
    second = {"weight_for_p": "p", "p_for_weight": "weight"}[function.__name__]
    with pytest.raises(TypeError, match="'depth' must be a whole number, not 10.0"):
        function(10.0, 0.9)
    with pytest.raises(ValueError, match="'depth' must be 1 or more, not 0"):
        function(0, 0.9)
    with pytest.raises(ValueError, match="'depth' is too large"):
        function(10**400, 0.9)
    for wrong in (0, 1, 1.5, float("nan")):
        with pytest.raises(ValueError, match=f"'{second}' must be between 0 and 1, not {wrong}"):
            function(10, wrong)
    with pytest.raises(TypeError, match=f"'{second}' must be a number, not '0.9'"):
        function(10, "0.9")


def test_a_weight_that_no_p_gives_is_refused():
    with pytest.raises(ValueError, match="'weight' is too small for depth 1, because p would be 1: 1e-18"):
        p_for_weight(1, 1e-18)
