"""What is refused, in which order, and with which words."""

import inspect
import itertools
from decimal import Decimal

import numpy as np
import pytest
from calls import FUNCTIONS, REFUSING

import ircor
from ircor._as_character import as_character, first_printed_alike


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


def test_numbers_as_r_prints_them():
    # as.character() of R 4.2.2
    printed = {
        100000.0: "1e+05",
        123456.0: "123456",
        0.1 + 0.2: "0.3",
        1e15: "1e+15",
        1234567890123456.0: "1234567890123456",
        12345678901234567890.0: "12345678901234567168",
        1e-5: "1e-05",
        0.0001: "1e-04",
        0.0001234: "0.0001234",
        -1 / 3: "-0.333333333333333",
        2 / 3 * 1e-10: "6.66666666666667e-11",
        1e100: "1e+100",
        5e-324: "4.94065645841247e-324",
        0.0: "0",
        float("inf"): "Inf",
        float("-inf"): "-Inf",
        # half-way between two 15-digit decimals: the last bit of R's long double decides
        8.291079387738005e-09: "8.291079387738e-09",
        801.0691051027095: "801.06910510271",
        5822097255.178195: "5822097255.1782",
        7.158356293405305e39: "7.1583562934053e+39",
    }
    assert {value: as_character(value) for value in printed} == printed
    assert (as_character(-0.0), as_character(float("nan"))) == ("0", "NaN")


def test_neighbours_that_print_alike_are_found_anywhere(rng):
    for _ in range(200):
        values = np.sort(rng.random(50))
        where = int(rng.integers(1, 50))
        assert first_printed_alike(values, np.arange(50, dtype=np.int32)) == 0
        values[where] = np.nextafter(values[where - 1], 2)
        alike = [k for k, (a, b) in enumerate(itertools.pairwise(values), 1) if as_character(a) == as_character(b)]
        assert first_printed_alike(values, np.arange(50, dtype=np.int32)) == min(alike, default=0)
