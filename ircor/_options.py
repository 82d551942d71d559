"""Checks of options: each returns the value in Python's own type, or raises an error that names the argument."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from math import inf
from typing import Any

import numpy as np

# What R's `if` accepts as text.
FLAG_WORDS = dict.fromkeys(("TRUE", "True", "true", "T"), True) | dict.fromkeys(("FALSE", "False", "false", "F"), False)


def one_of(value: Any, name: str, choices: Iterable[str]) -> str:
    """Return the choice that the value is equal to."""
    allowed = list(choices)
    # Compared only if it is a string: a table compares with a string cell by cell.
    if isinstance(value, str) and value in allowed:
        return allowed[allowed.index(value)]
    raise ValueError(f"'{name}' must be one of {', '.join(allowed)}, not {shown(value)}")


def whole_number(value: Any, name: str, least: float = 1) -> int:
    """Return the value as an int if it is an integer of any type, `least` or more."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"'{name}' must be a whole number, not {shown(value)}")
    if value < least:
        raise ValueError(f"'{name}' must be {least} or more, not {value}")
    return int(value)


ANY = -inf
"""As `least` of `whole_number`: no lower bound."""


def real_number(value: Any, name: str) -> float:
    """Return the value as a float if it is a number; nan and infinity are numbers here."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"'{name}' must be a number, not {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"'{name}' is too large") from None


def fraction(value: Any, name: str) -> float:
    """Return the value as a float if it is between 0 and 1, both excluded."""
    number = real_number(value, name)
    if not 0 < number < 1:
        raise ValueError(f"'{name}' must be between 0 and 1, not {value!r}")
    return number


def as_flag(value: object) -> bool | None:
    """Return what R's `if` takes the value for, or None where R stops."""
    if value is True or value is False:
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, numbers.Number):
        try:
            return bool(value) if value == value else None
        except ArithmeticError:  # a signalling NaN
            return None
    return FLAG_WORDS.get(value) if isinstance(value, str) else None


def flag(value: object, name: str) -> bool:
    """Return the value as a bool, by R's rules."""
    if (found := as_flag(value)) is None:
        raise TypeError(f"'{name}' must be True or False, or a number or word that R takes for them: {shown(value)}")
    return found


def shown(value: Any) -> str:
    """A value in an error message: its repr, or its type where the repr is long or has several lines."""
    text = repr(value)
    return text if len(text) <= 80 and "\n" not in text else f"a {type(value).__name__}"
