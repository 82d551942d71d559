"""Checks of options: what is accepted, what is returned, and how a refusal reads."""

import enum
from decimal import Decimal
from fractions import Fraction
from math import inf, isnan, nan

import numpy as np
import pandas as pd
import pytest

from ircor._core.options import NO_LEAST, as_flag, flag, fraction, one_of, real_number, shown, whole_number

TABLES = [
    (pd.DataFrame({"a": ["mean"]}), "a DataFrame"),
    (pd.Series(["mean"]), "a Series"),
    (pd.NA, "<NA>"),
    (None, "None"),
    (["mean"], "['mean']"),
]


class Choice(str, enum.Enum):
    MEAN = "mean"


def test_one_of_returns_the_choice():
    choices = ("mean", "median")
    for value in ("mean", np.str_("mean"), Choice.MEAN):
        found = one_of(value, "center", choices)
        assert found == "mean"
        assert type(found) is str
    assert one_of("b", "letter", (letter for letter in "abc")) == "b"
    assert one_of("b", "letter", {"a": 1, "b": 2}) == "b"


@pytest.mark.parametrize(("value", "said"), [*TABLES, ("mode", "'mode'"), ("", "''"), (3, "3"), (b"mean", "b'mean'")])
def test_one_of_names_the_argument_and_the_choices(value, said):
    with pytest.raises(ValueError, match="center") as raised:
        one_of(value, "center", ("mean", "median"))
    assert str(raised.value) == f"'center' must be one of mean, median, not {said}"


@pytest.mark.parametrize("value", [1, 5, np.int8(5), np.uint64(5), 10**30])
def test_whole_numbers(value):
    assert whole_number(value, "count") == value
    assert type(whole_number(value, "count")) is int


@pytest.mark.parametrize(
    ("value", "said"),
    [*TABLES, (1.0, "1.0"), ("3", "'3'"), (True, "True"), (nan, "nan"), (Fraction(2), "Fraction(2, 1)"), (2j, "2j")],
)
def test_numbers_that_are_not_whole(value, said):
    with pytest.raises(TypeError) as raised:
        whole_number(value, "count")
    assert str(raised.value) == f"'count' must be a whole number, not {said}"


def test_numpy_values_that_are_not_whole_numbers():
    for value in (np.float64(2), np.bool_(True), np.array([2]), np.array(2)):
        with pytest.raises(TypeError, match="'count' must be a whole number, not "):
            whole_number(value, "count")


def test_the_least_whole_number():
    assert whole_number(1, "count") == 1
    assert whole_number(0, "count", least=0) == 0
    assert whole_number(-5, "count", least=NO_LEAST) == -5
    for value, least in ((0, 1), (-1, 0), (1, 2), (np.int64(-3), 1)):
        with pytest.raises(ValueError, match=f"^'count' must be {least} or more, not {value}$"):
            whole_number(value, "count", least)
    with pytest.raises(ValueError, match="^'count' must be 1 or more, not 0$"):
        whole_number(0, "count")


@pytest.mark.parametrize("value", [3, 2.5, -1, np.float32(0.5), np.int8(3), Fraction(1, 2), inf, np.longdouble(2)])
def test_real_numbers(value):
    assert real_number(value, "weight") == value
    assert type(real_number(value, "weight")) is float


def test_nan_is_a_real_number_here():
    assert isnan(real_number(nan, "weight"))


@pytest.mark.parametrize(
    ("value", "said"), [*TABLES, ("3", "'3'"), (True, "True"), (1j, "1j"), (Decimal(1), "Decimal('1')")]
)
def test_values_that_are_not_real_numbers(value, said):
    with pytest.raises(TypeError) as raised:
        real_number(value, "weight")
    assert str(raised.value) == f"'weight' must be a number, not {said}"


def test_a_number_beyond_the_doubles():
    with pytest.raises(ValueError, match="^'weight' is too large$"):
        real_number(10**400, "weight")


def test_fractions():
    for value in (0.5, np.float32(0.25), Fraction(1, 4), 1e-300, np.nextafter(1, 0)):
        assert fraction(value, "level") == value
        assert type(fraction(value, "level")) is float
    for value in (0, 1, 0.0, 1.0, -0.5, 1.5, inf, nan):
        with pytest.raises(ValueError, match=f"^'level' must be between 0 and 1, not {value}$"):
            fraction(value, "level")
    with pytest.raises(TypeError, match="^'level' must be a number, not '0.5'$"):
        fraction("0.5", "level")


YES = [True, np.True_, 1, -1, 2.5, inf, np.int8(3), np.float32(0.1), "TRUE", "True", "true", "T", 1j, Decimal("0.5")]
NO = [False, np.False_, 0, 0.0, -0.0, np.uint8(0), "FALSE", "False", "false", "F", 0j, Decimal(0)]
NEITHER = [nan, "yes", "t", "", "1", (False,), np.array([True]), b"T", Decimal("NaN"), Decimal("sNaN"), complex(nan, 0)]


@pytest.mark.parametrize("value", YES)
def test_true_in_r(value):
    assert as_flag(value) is True
    assert flag(value, "decreasing") is True


@pytest.mark.parametrize("value", NO)
def test_false_in_r(value):
    assert as_flag(value) is False
    assert flag(value, "decreasing") is False


@pytest.mark.parametrize("value", [*NEITHER, *(value for value, _ in TABLES)])
def test_neither_in_r(value):
    assert as_flag(value) is None
    with pytest.raises(
        TypeError, match="^'decreasing' must be True or False, or a number or word that R takes for them: "
    ):
        flag(value, "decreasing")


def test_values_in_messages():
    assert shown("a\nb") == repr("a\nb")
    assert shown("x" * 78) == repr("x" * 78)  # 80 characters
    assert shown("x" * 79) == "a str"
    assert shown(np.eye(2)) == "a ndarray"
    assert shown(list(range(1000))) == "a list"
