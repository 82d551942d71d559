"""Numbers as R prints them, and neighbours that it prints alike."""

import doctest
import itertools

import numpy as np
import pytest

import ircor._kernel.as_character
from ircor._kernel.as_character import as_character, first_printed_alike

# as.character() of R 4.2.2
PRINTED = {
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
    # fixed or scientific, whichever is shorter; fixed if both are equally long
    99999.0: "99999",
    10000.0: "10000",
    150000.0: "150000",
    100000.1: "100000.1",
    0.001: "0.001",
    0.0015: "0.0015",
    1.234e-05: "1.234e-05",
    -100000.0: "-1e+05",
    -0.0001: "-1e-04",
    123456789012345678.0: "123456789012345680",
    # exponents of two and three digits
    1.5e99: "1.5e+99",
    1.5e100: "1.5e+100",
    1.5e-99: "1.5e-99",
    1.5e-100: "1.5e-100",
    # rounded up to one more digit
    99999.99999999999: "1e+05",
    0.9999999999999999: "1",
    9.999999999999998: "10",
    99999999999999.95: "1e+14",
    999999999999999.0: "999999999999999",
    999999999999999.5: "1e+15",
    9999999999999996.0: "1e+16",
    # around the end of R's table of powers of ten
    1e27: "1e+27",
    1e28: "1e+28",
    1.5e41: "1.5e+41",
    1.5e42: "1.5e+42",
    1e-12: "1e-12",
    1e-13: "1e-13",
    3.3333333333333e-28: "3.3333333333333e-28",
    1.7976931348623157e308: "1.79769313486232e+308",
    2.2250738585072014e-308: "2.2250738585072e-308",
}

# The same, for numbers half-way between two decimals of 15 digits: the last bit of a long double of 80 bits decides.
HALF_WAY = {
    8.291079387738005e-09: "8.291079387738e-09",
    801.0691051027095: "801.06910510271",
    5822097255.178195: "5822097255.1782",
    7.158356293405305e39: "7.1583562934053e+39",
    # The digits end in zeros only once they are printed.
    6.811341391963005e-12: "6.811341391963e-12",
    1.127760104153905e37: "1.1277601041539e+37",
    5.000000000000005e-13: "5e-13",
    # R has powers of ten as doubles for exponents from -13 to 41, and as long doubles beyond.
    1.407476745122095e41: "1.4074767451221e+41",
    9.399015102028995e41: "9.399015102029e+41",
    7.002937394684995e-13: "7.002937394685e-13",
    1.454053722922195e42: "1.45405372292219e+42",
    3.153372831595895e100: "3.1533728315959e+100",
    8.520614799915695e-14: "8.5206147999157e-14",
    4.088980222079395e-250: "4.08898022207939e-250",
}


def test_numbers_as_r_prints_them():
    assert {value: as_character(value) for value in PRINTED} == PRINTED
    assert (as_character(-0.0), as_character(float("nan"))) == ("0", "NaN")


@pytest.mark.skipif(np.finfo(np.longdouble).nmant != 63, reason="the record was made with long doubles of 80 bits")
def test_numbers_half_way_between_decimals_as_r_prints_them():
    assert {value: as_character(value) for value in HALF_WAY} == HALF_WAY


@pytest.mark.r
def test_many_numbers_as_r_prints_them(rng):
    import rpy2.robjects as ro

    # Half-way between decimals of 15 digits, next to powers of ten, whole numbers where R prints all digits, any bits.
    half_way = [
        float(f"{k}5e{e}") for k, e in zip(rng.integers(10**14, 10**15, 20_000), rng.integers(-320, 290, 20_000))
    ]
    powers = np.array([float(f"{d}e{e}") for e in range(-25, 26) for d in range(1, 10)])
    near = np.concatenate([powers * (1 + k * 2.0**-52) for k in range(-9, 10)])
    whole = rng.integers(10**14, 2**62, 20_000).astype(float) * rng.choice([1, 10, 100], 20_000)
    bits = rng.integers(0, 2**63, 20_000, dtype=np.uint64).view(np.float64)
    numbers = np.concatenate([half_way, near, whole, bits[np.isfinite(bits)], -near])
    printed = list(ro.r["as.character"](ro.FloatVector(numbers)))
    wrong = [(v, as_character(v), r) for v, r in zip(numbers.tolist(), printed) if as_character(v) != r]
    assert wrong == []


def test_a_relative_difference_of_1e_14_can_print_alike():
    """One unit of the 15th digit: the largest difference is that of numbers just above a power of ten."""
    low, high = 100000000000001.5, 100000000000002.5
    assert as_character(low) == as_character(high) == "100000000000002"
    for values in ([low, high], [high, low], [-low, -high]):
        assert first_printed_alike(np.array(values), np.arange(2, dtype=np.int32)) == 1
    # As close, but on the two sides of a rounding boundary.
    assert first_printed_alike(np.array([1.0000000000000149, 1.0000000000000153]), np.arange(2, dtype=np.int32)) == 0


def test_equal_numbers_are_alike_and_the_first_pair_is_found():
    values = np.array([3.0, 1.0, 2.0, 2.0, 1.0, np.inf, np.inf])
    assert first_printed_alike(values, np.array([1, 2, 3, 0], dtype=np.int32)) == 2
    assert first_printed_alike(values, np.array([0, 3, 2, 1, 4], dtype=np.int32)) == 2
    assert first_printed_alike(values, np.array([0, 5, 6], dtype=np.int32)) == 2
    assert first_printed_alike(values, np.array([1, 2, 0, 5], dtype=np.int32)) == 0
    assert first_printed_alike(values, np.array([], dtype=np.int32)) == 0
    assert first_printed_alike(values[::2], np.array([1, 0], dtype=np.int32)) == 0


def test_neighbours_that_print_alike_are_found_anywhere(rng):
    for _ in range(200):
        values = np.sort(rng.random(50))
        where = int(rng.integers(1, 50))
        assert first_printed_alike(values, np.arange(50, dtype=np.int32)) == 0
        values[where] = np.nextafter(values[where - 1], 2)
        alike = [k for k, (a, b) in enumerate(itertools.pairwise(values), 1) if as_character(a) == as_character(b)]
        assert first_printed_alike(values, np.arange(50, dtype=np.int32)) == min(alike, default=0)


def test_the_examples():
    result = doctest.testmod(ircor._kernel.as_character)
    assert result.attempted > 0
    assert result.failed == 0
