"""Arithmetic with significands of 64 bits: the long double of x86-64, in which R sums.

Where NumPy has that type, it computes.  Elsewhere, such as on ARM and on Windows, numbers of Python do the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np

from .._core.types import Array, Floats

BITS = 64
"""The bits of a significand."""

NATIVE = np.finfo(np.longdouble).nmant + 1 == BITS
"""Whether NumPy has the type."""


@dataclass(frozen=True)
class Extended:
    """The number significand x 2^exponent, whose significand has 64 bits at the most."""

    significand: int
    exponent: int

    @classmethod
    def of(cls, value: float) -> Extended:
        numerator, denominator = float(value).as_integer_ratio()
        return rounded(numerator, 1 - denominator.bit_length())

    def __add__(self, other: Extended) -> Extended:
        least = min(self.exponent, other.exponent)
        a, b = (one.significand << (one.exponent - least) for one in (self, other))
        return rounded(a + b, least)

    def __sub__(self, other: Extended) -> Extended:
        return self + Extended(-other.significand, other.exponent)

    def __mul__(self, other: Extended) -> Extended:
        return rounded(self.significand * other.significand, self.exponent + other.exponent)

    def __truediv__(self, other: Extended) -> Extended:
        # Two bits more than a significand, and a last one for the rest, decide how the quotient is rounded.
        shift = max(0, BITS + 2 + other.significand.bit_length() - self.significand.bit_length())
        sign = -1 if (self.significand < 0) != (other.significand < 0) else 1
        quotient, rest = divmod(abs(self.significand) << shift, abs(other.significand))
        return rounded(sign * (2 * quotient + (rest > 0)), self.exponent - shift - other.exponent - 1)

    def sqrt(self) -> Extended:
        # An even exponent, and as many bits as a quotient.
        shift = 2 * BITS + 4 + self.exponent % 2
        root = isqrt(self.significand << shift)
        return rounded(2 * root + (root * root < self.significand << shift), (self.exponent - shift) // 2 - 1)

    def __gt__(self, other: float) -> bool:
        return (self - Extended.of(other)).significand > 0

    def __float__(self) -> float:
        try:
            if self.exponent < 0:
                return self.significand / (1 << -self.exponent)
            return float(self.significand << self.exponent)
        except OverflowError:
            return float("inf") if self.significand > 0 else float("-inf")


def rounded(significand: int, exponent: int) -> Extended:
    """The nearest number whose significand has 64 bits; of two, the even one."""
    shift = abs(significand).bit_length() - BITS
    if shift <= 0:
        return Extended(significand, exponent)
    quotient, rest = divmod(abs(significand), 1 << shift)
    half = 1 << (shift - 1)
    quotient += rest > half or (rest == half and quotient % 2 == 1)
    return Extended(-quotient if significand < 0 else quotient, exponent + shift)


def extended(values: Any) -> Any:
    """Doubles as numbers with 64 bits; they must be finite where NumPy does not have these.

    The answer is an array of long doubles, or of `Extended`.
    """
    if NATIVE:
        return np.asarray(values, dtype=np.longdouble)
    numbers: Array = np.asarray(values, dtype=np.float64)
    return np.array([Extended.of(value) for value in numbers.ravel()], dtype=object).reshape(numbers.shape)


def doubles(numbers: Any) -> Floats:
    """The nearest doubles."""
    return np.asarray(numbers, dtype=np.float64)


def total(numbers: Any) -> Any:
    """The sums along the first axis, one number after the other."""
    zero = extended(np.zeros((1, *numbers.shape[1:])))
    # Not `sum`, which adds in pairs.
    return np.add.accumulate(np.concatenate([zero, numbers]), axis=0)[-1]
