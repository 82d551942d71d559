"""R's as.character for doubles, which decides what R's ircor takes for a tie.

The functions of R's ircor that refuse ties compare as.character(x).  It prints at most 15 significant digits without
trailing zeros, in fixed or scientific notation: the shorter of the two, or fixed if both have the same length.  The
tests compare this with R, bit for bit.

R counts the digits in C's long double, which has 64 significant bits on x86-64.  Other machines have fewer or more, and
the last bit decides for numbers half-way between two decimals of 15 digits.  Here whole numbers do what a long double
of 64 bits does, so the answer is the same on every machine.
"""

from __future__ import annotations

from functools import cache
from math import isfinite, isnan, log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

# Numbers that print alike differ by little more than one unit of the 15th digit, so by less than this relative to them.
NEAR = 2e-14

DIGITS = 15
BITS = 64

# R has the powers of ten up to 10^27 as doubles, of which those up to 10^22 are exact.  It computes the others by powl.
LAST_EXACT, LAST_IN_TABLE = 22, 27

# Exponents for which glibc's powl does not round 10^exponent to the nearest number of 64 bits, but to the one on the
# other side.
# fmt: off
NOT_TO_NEAREST = frozenset([
    -310, -306, -291, -285, -282, -275, -271, -258, -253, -250, -249, -246, -235, -225, -223, -212, -196, -194, -187,
    -185, -181, -173, -137, -107, -100, -63, -61, -48, -37, 43, 70, 73, 95, 104, 131, 136, 141, 143, 152, 158, 164, 185,
    192, 200, 216, 222, 247, 251, 255, 257, 259, 262, 275, 282, 294,
])
# fmt: on


def first_printed_alike(pairs: npt.NDArray[np.float64]) -> tuple[float, float] | None:
    """Find the first pair of numbers that R prints alike, among pairs of neighbours in sorted order.

    Examples
    --------
    >>> first_printed_alike(np.array([[0.1, 0.2], [0.3, 0.1 + 0.2]]))
    (0.3, 0.30000000000000004)
    """
    if len(pairs) == 0:
        return None
    last, text = None, ""
    for one, other in pairs[can_print_alike(pairs)].tolist():
        # A number can be in two pairs.
        before = text if one == last else as_character(one)
        last, text = other, as_character(other)
        if before == text:
            return one, other
    return None


def can_print_alike(pairs: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Whether the numbers of each pair may have the same 15 digits; False only if they cannot.

    Examples
    --------
    >>> can_print_alike(np.array([[0.3, 0.1 + 0.2], [1e14, 1e14 + 1], [1.0, 1.0 + 2e-14]])).tolist()
    [True, False, False]
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        unit = np.floor(np.log10(np.abs(pairs).max(axis=1))) - (DIGITS - 1)
        # Where the power of ten is exact, one rounding error is less than 0.1, and R's own is less than that.
        power = 10.0 ** np.abs(np.where(np.abs(unit) < LAST_EXACT, unit, 0))[:, None]
        scaled = np.where(unit[:, None] < 0, pairs * power, pairs / power)
        low, high = np.sort(scaled, axis=1).T
        differ = np.floor(low + 0.75) < np.floor(high + 0.25)
        size = np.abs(scaled)
        in_units = (size.min(axis=1) > 10 ** (DIGITS - 1) - 0.5) & (size.max(axis=1) < 10**DIGITS - 0.5)
    possible: npt.NDArray[np.bool_] = ~(differ & in_units & (np.abs(unit) < LAST_EXACT))
    return possible


def as_character(value: float) -> str:
    """Return the text that R's as.character gives for a double.

    Examples
    --------
    >>> as_character(0.1 + 0.2), as_character(1e15 + 1), as_character(123456.0)
    ('0.3', '1e+15', '123456')
    """
    if not isfinite(value):
        return "NaN" if isnan(value) else "Inf" if value > 0 else "-Inf"
    if value == 0:
        return "0"
    decimal, exponent = significant(abs(value))
    if decimal == 10**DIGITS:
        exponent += 1
    digits = len(str(decimal).rstrip("0"))
    right = max(digits - exponent - 1, 0)
    fixed = max(exponent, 0) + 1 + (right + 1 if right else 0)
    scientific = (digits + 1 if digits > 1 else 1) + len("e+00")
    # Like R, print the number and not the decimal: their last digits can differ.
    if fixed <= scientific:
        text = f"{value:.{right}f}"
        return text.rstrip("0").rstrip(".") if right else text
    number, _, power = f"{value:.{digits - 1}e}".partition("e")
    return f"{number.rstrip('0').rstrip('.') if digits > 1 else number}e{power}"


def significant(magnitude: float) -> tuple[int, int]:
    """Round a positive double to 15 significant digits: the digits as a whole number, and the exponent of the first.

    Just below a power of ten, the digits can be 10^15.
    """
    text = f"{magnitude:.17e}"  # three digits more, such as 1.23456789012345678e+09
    digits, beyond, exponent = int(text[0] + text[2:16]), int(text[16:19]), int(text[20:])
    # Rounding to 64 bits changes less than 0.0003 of the last digit; a power of ten that is not exact, about 0.1.
    # R's exponent can be greater by one.
    inexact = LAST_EXACT <= abs(exponent - DIGITS + 1) <= LAST_IN_TABLE + 1
    if inexact or beyond == 500:
        return significant_near_half_way(magnitude, exponent)
    return digits + (beyond > 500), exponent


def significant_near_half_way(magnitude: float, exponent: int) -> tuple[int, int]:
    """The same in R's own steps, if the exponent is known: scale to 15 digits in long double, then round."""
    number = magnitude.as_integer_ratio()
    if has_logarithm(number, exponent + 1):
        exponent += 1
    scaled = divide(number, power_of_ten(exponent - DIGITS + 1))
    if scaled[0] < 10 ** (DIGITS - 1) * scaled[1]:
        scaled = divide((10 * scaled[0], scaled[1]), (1, 1))
        exponent -= 1
    return nearest(*scaled), exponent


def has_logarithm(number: tuple[int, int], k: int) -> bool:
    """Whether the common logarithm of a number below 10^k is k, as the nearest double."""
    numerator, power = number[0] * 10 ** max(-k, 0), number[1] * 10 ** max(k, 0)
    logarithm: float = k - (power - numerator) / power / log(10)
    return logarithm == k


@cache
def power_of_ten(exponent: int) -> tuple[int, int]:
    """10^exponent as R has it, as a fraction."""
    size = abs(exponent)
    if size <= LAST_IN_TABLE:
        # To divide by 10^-k, R multiplies by 10^k.
        return (int(float(10**size)), 1) if exponent >= 0 else (1, int(float(10**size)))
    exact = (10**exponent, 1) if exponent > 0 else (1, 10**size)
    numerator, denominator = divide(exact, (1, 1))
    if exponent in NOT_TO_NEAREST:
        below = numerator * exact[1] < exact[0] * denominator
        last_bit = 1 << numerator.bit_length() - BITS
        numerator += last_bit if below else -last_bit
    return numerator, denominator


def divide(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The quotient of two positive fractions, rounded to 64 significant bits; its denominator is a power of two."""
    numerator, denominator = one[0] * other[1], one[1] * other[0]
    # With this shift the quotient has 64 bits or one more.
    shift = BITS + denominator.bit_length() - numerator.bit_length()
    if numerator << max(shift, 0) >= denominator << BITS + max(-shift, 0):
        shift -= 1
    rounded = nearest(numerator << max(shift, 0), denominator << max(-shift, 0))
    return rounded << max(-shift, 0), 1 << max(shift, 0)


def nearest(numerator: int, denominator: int) -> int:
    """The whole number nearest to a fraction; the even one of two that are equally near."""
    whole, rest = divmod(numerator, denominator)
    return whole + (2 * rest > denominator or (2 * rest == denominator and whole % 2))
