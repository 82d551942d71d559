"""What is refused, in which order and with which words."""

import inspect
from decimal import Decimal

import numpy as np
import pytest
from calls import FUNCTIONS, REFUSING

import ircor
from ircor._core.checks import not_ranked, ranked_last, rankings, refuse_ties
from ircor._kernel import Ranking


def test_signatures_are_those_of_r(name, function):
    # formals(ircor::tau): x, y; formals(ircor::tauAP): x, y, decreasing = TRUE
    parameters = inspect.signature(function).parameters
    defaults = {key: p.default for key, p in parameters.items()}
    assert list(defaults) == (["x", "y", "decreasing"] if "AP" in name else ["x", "y"])
    assert defaults.get("decreasing", True) is True


def test_type_of_x_before_type_of_y_before_length_before_ties(name, function):
    tied, other_length = [1.0, 1.0, 2.0], [1, 2]
    with pytest.raises(TypeError, match="^'x' must"):
        function("x", "y")
    with pytest.raises(TypeError, match="^'y' must"):
        function(tied, "y")
    with pytest.raises(ValueError, match="^'x' and 'y' must be of the same length: they have 3 and 2 items"):
        function(tied, other_length)
    for vector in REFUSING[name]:
        with pytest.raises(ValueError, match=f"^'{vector}' contains ties."):
            function(tied if vector == "x" else [1, 2, 3], tied)


@pytest.mark.parametrize("vectors", [([], []), ([1], [2]), (np.array([]), []), ([1.5], [2.5])])
def test_fewer_than_two_items(vectors, function):
    with pytest.raises(ValueError, match="two items or more"):
        function(*vectors)


def test_a_single_missing_value_is_a_tie_first():
    with pytest.raises(ValueError, match="^'x' contains ties"):
        ircor.tau([np.nan], [1])


YES = [True, np.True_, 1, -1, 2.5, float("inf"), np.int8(3), np.float32(0.1), "TRUE", "True", "true", "T", 1j]
NO = [False, np.False_, 0, 0.0, -0.0, np.uint8(0), "FALSE", "False", "false", "F", 0j]
NEITHER = [
    None,
    float("nan"),
    np.nan,
    "yes",
    "t",
    "",
    "1",
    [True],
    (False,),
    np.array([True]),
    np.array(True),
    {},
    b"T",
    Decimal("sNaN"),
]


@pytest.mark.parametrize("function", ["tauAP", "tauAP_a", "tauAP_b"])
def test_decreasing_is_what_r_takes_for_true_and_false(function):
    function = FUNCTIONS[function]
    x, y = [1, 2, 3, 4, 5], [2, 1, 3, 4, 5]
    assert function(x, y, True) != function(x, y, False)
    for flag in YES:
        assert function(x, y, flag) == function(x, y, True)
    for flag in NO:
        assert function(x, y, decreasing=flag) == function(x, y, False)
    for flag in NEITHER:
        with pytest.raises(TypeError, match="^'decreasing' must be True or False"):
            function(x, y, flag)


def test_ties_are_refused_before_decreasing_is_looked_at():
    with pytest.raises(ValueError, match="'y' contains ties"):
        ircor.tauAP([1, 2], [1, 1], decreasing=None)


NEAR_TIES = [(0.3, 0.1 + 0.2), (1, 1 + 2**-52), (1e15, 1e15 + 1), (0.0, -0.0), (1e20, 1e20 + 16384), (1e5, 1e5 - 2e-11)]
NO_TIES = [
    (0.123456789012345, 0.123456789012346),
    (1234567890123456.0, 1234567890123457.0),
    (2.0**53, 2.0**53 + 2),
    (5e-324, 1e-323),
    (float("inf"), 1.7976931348623157e308),
]


@pytest.mark.parametrize("n", [4, 100])
@pytest.mark.parametrize("kind", [np.array, list, np.longdouble])
def test_numbers_that_r_prints_alike_are_ties_to_those_who_refuse_ties(n, kind):
    rest = list(range(10, 8 + n))
    y = list(range(n))
    for pair in NEAR_TIES:
        for x in ([*pair, *rest], [*pair[::-1], *rest]):
            for function, untied in REFUSING.items():
                if "x" in untied:
                    with pytest.raises(ValueError, match="^'x' contains ties"):
                        FUNCTIONS[function](kind(x), y)
        if pair[0] != pair[1]:
            both = [sorted(pair)[0], sorted(pair)[1]]
            assert ircor.tau_b(kind(both), [1, 2]) == 1
            assert ircor.tau_a([1, 2], kind(both)) == 1
    for pair in NO_TIES:
        ircor.tau(kind([*pair, *rest]), y)


def test_the_message_shows_which_numbers_r_prints_alike():
    with pytest.raises(ValueError, match=r"R prints 0.30000000000000004 and 0.3 alike"):
        ircor.tau([1, 0.3, 0.1 + 0.2], [1, 2, 3])


# The checks one by one


def test_rankings_have_the_greatest_value_on_top_by_default():
    x, y = rankings([1, 3, 2], [5.0, 5.0, 7.0])
    assert x.places().tolist() == [2, 0, 1]
    assert (y.places().tolist(), y.tied_pairs, y.n) == ([1, 1, 0], 1, 3)
    x, y = rankings([1, 3, 2], [5.0, 5.0, 7.0], decreasing=False)
    assert (x.places().tolist(), y.places().tolist()) == ([0, 2, 1], [0, 0, 2])


@pytest.mark.parametrize("untied", ["", "x", "y", "xy"])
def test_ties_are_refused_where_they_must_not_be(untied):
    for x, y, vector in (([1, 1, 2], [1, 2, 3], "x"), ([1, 2, 3], [1, 1, 2], "y")):
        if vector in untied:
            with pytest.raises(ValueError, match=f"^'{vector}' contains ties. The variants _a .ties in 'y'. and _b"):
                rankings(x, y, untied)
        else:
            assert rankings(x, y, untied)[0].n == 3


def test_two_items_are_enough(function):
    assert function([1, 2], [1, 2]) == 1
    with pytest.raises(ValueError, match="^'x' and 'y' must have two items or more, not 1$"):
        function([1], [2])


def test_an_invalid_flag_is_reported_last():
    for x, words in (([1, 1], "'x' contains ties"), ([1], "must be of the same length")):
        with pytest.raises(ValueError, match=words):
            rankings(x, [1, 2], "x", decreasing="maybe")
    with pytest.raises(ValueError, match="two items or more"):
        rankings([1], [2], decreasing=None)
    with pytest.raises(TypeError, match="'decreasing' must be True or False"):
        rankings([1, 2], [2, 1], decreasing=None)


@pytest.mark.parametrize("n", [3, 500])
@pytest.mark.parametrize("dtype", [np.float64, np.dtype(">f8"), np.longdouble])
def test_floats_that_r_prints_alike_are_refused(n, dtype):
    values = np.array([0.3, 0.1 + 0.2, *range(1, n - 1)]).astype(dtype)
    with pytest.raises(ValueError, match="^'scores'") as raised:
        refuse_ties(Ranking(values, False), values, "scores")
    assert str(raised.value) == (
        "'scores' contains ties. R prints 0.3 and 0.30000000000000004 alike and takes them for one number."
    )
    values[1] = 0.4
    assert refuse_ties(Ranking(values, False), values, "scores") is None


def test_narrower_types_are_exact():
    for values in (
        np.array([1, 1 + 2.0**-23], dtype=np.float32),
        np.array([1, 1 + 2.0**-10], dtype=np.float16),
        np.array([10**15, 10**15 + 1]),
        np.array([10**18, 10**18 + 1]),
    ):
        assert refuse_ties(Ranking(values, True), values, "x") is None


@pytest.mark.skipif(np.finfo(np.longdouble).nmant == 52, reason="long doubles are doubles on this machine")
def test_long_doubles_are_compared_as_doubles():
    one = np.longdouble(1)
    for values in (np.array([one, one + one / 2**60, 5]), np.array([one / 3, np.longdouble(1 / 3), 5])):
        with pytest.raises(ValueError, match="R prints .* alike"):
            refuse_ties(Ranking(values, True), values, "x")
        assert ircor.tau_b(values, values) == 1
    # Beyond the range of doubles: both are infinite, or 0, without a warning.
    for exponent, word in ((5000, "inf and inf"), (-5000, "0.0 and 0.0")):
        values = np.array([one * 2, np.longdouble(2) ** exponent, np.longdouble(2) ** exponent * 3])
        with np.errstate(all="raise"), pytest.raises(ValueError, match=f"R prints {word} alike"):
            refuse_ties(Ranking(values, True), values, "x")


def test_a_missing_value_is_reported_before_ties():
    values = np.array([1.0, 1.0, np.nan])
    with pytest.raises(ValueError, match="^'x' contains ties. A missing value counts as one, as in R.$"):
        refuse_ties(Ranking(values, True), values, "x")


def test_messages_about_missing_values():
    assert ranked_last({"x": 2, "y": 0}) == "missing values (2 in 'x') are ranked last, each on its own, as in R"
    assert ranked_last({"a": 1, "b": 3}) == (
        "missing values (1 in 'a', 3 in 'b') are ranked last, each on its own, as in R"
    )
    assert str(not_ranked("x", "rbo")) == "'x' has a missing value, which rbo cannot rank"
    assert str(not_ranked("y", "tau_b")) == (
        "missing value where TRUE/FALSE needed: 'y' has a missing value, which tau_b cannot rank"
    )


def test_numbers_that_r_prints_alike_may_differ_by_one_unit_of_the_fifteenth_digit():
    # R 4.2.2 prints both as 1.0000000000001e-11.
    with pytest.raises(ValueError, match="^'x' contains ties. R prints"):
        ircor.tau([1.000000000000095e-11, 1.000000000000105e-11, 1], [1, 2, 3])
