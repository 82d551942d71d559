"""Numbers as R prints them, and neighbours that it prints alike."""

import itertools
import platform
from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest
from oracles import r_as_character

import ircor
from ircor._core.printing import NEAR, as_character, can_print_alike, first_printed_alike, power_of_ten
from ircor._kernel import Ranking

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

# The same, for numbers half-way between two decimals of 15 digits: the last bit of a long double of 64 bits decides.
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

# The same, in groups: each rule of the module is seen in its group, which prints differently without the rule.
HARDEST = {
    "digits are counted in R's arithmetic, not by %.15g": {
        "0x1.57faa01ab2deap-991": "6.4204618271969e-299",
        "0x1.50824e3860a94p-37": "9.564161190551e-12",
        "0x1.fafe46c01ab90p-29": "3.6888615218453e-09",
        "0x1.4833d3864b494p-11": "0.00062599648734864",
        "0x1.f8d601c5dd53ap-4": "0.12325096790831",
        "0x1.a20bae763c889p+7": "209.02281541337",
        "0x1.4ec03d861b2e3p+1022": "5.8767525833261e+307",
    },
    "exactly half-way, to the even digit": {
        "0x1.3895bd0a3be6cp-928": "5.3813603585264e-280",
        "0x1.6c519973366b7p-18": "5.4287723855962e-06",
        "0x1.0517ac885d8a3p-10": "0.00099598875575916",
        "0x1.cfdbc1fdf9ca8p-5": "0.056623343363577",
        "0x1.249776e893d4cp+12": "4681.4665303969",
        "0x1.62b3f37660004p+49": "7.8e+14",
        "0x1.b3f2cca570845p+52": "7.669285977e+15",
    },
    "64 bits and no fewer": {
        "0x0.00000000000d9p-1022": "1.07212245147551e-321",
        "0x1.1caa225d04bcep-41": "5.05665885773899e-13",
        "0x1.141b4b0742a43p-24": "6.42860805596989e-08",
        "0x1.abdb9cc38a068p-14": "0.000102009263223681",
        "0x1.3a3c1d4e0eb17p-2": "0.306869943513151",
        "0x1.9a8ddc5676188p+8": "410.554143337089",
        "0x1.bae117ad6755ep+1022": "7.77500994946851e+307",
    },
    "64 bits and no more": {
        "0x1.ff2f022064be3p-182": "3.25745e-55",
        "0x1.867473deb5a6fp-14": "9.3091700800721e-05",
        "0x1.58816968e9a04p+437": "4.776e+131",
    },
    "the powers from 10^23 to 10^27 are doubles": {
        "0x1.cb20fac1c2d9ap-44": "1.0194707883356e-13",
        "0x1.51825019fca87p-37": "9.5925837158594e-12",
        "0x1.534be1222fa6dp-34": "7.7147070445606e-11",
        "0x1.f0602f54aad4ap-29": "3.6116087155071e-09",
        "0x1.661ade6e7116ap+139": "9.7485441772411e+41",
    },
    "greater powers as powl rounds them": {
        "0x1.3ada05be18977p-1017": "8.75710219999999e-307",
        "0x1.cab9f3a4f46b8p-918": "8.0868190463629e-277",
        "0x1.b1cfc8b61c337p-780": "2.6648000875623e-235",
        "0x1.7f28f091fa036p-74": "7.92356145003999e-23",
        "0x1.3082edb00e288p+786": "4.84105747320079e+236",
        "0x1.2fd4fc2ec61efp+962": "4.62646559939899e+289",
    },
    "just below a power of ten, whose logarithm they have as doubles": {
        "0x1.5566ffafb1df9p-801": "9.9999999999997e-242",
        "0x1.e17b843576917p+122": "1e+37",
        "0x1.78287f49c4a1ap+129": "9.99999999999999e+38",
    },
}


def nasty_doubles(rng, n):
    """About 12 n positive doubles, among them many half-way between decimals of 15 digits, and their neighbours."""

    def decimals(endings, exponents):
        digits = [f"{k:.0f}{end}" for k, end in zip(rng.integers(10**13, 10**14, n), rng.choice(endings, n))]
        return np.array([float(f"{d}e{e}") for d, e in zip(digits, rng.integers(*exponents, n))])

    half_way = np.concatenate(
        [
            decimals(["05", "45", "55", "95"], (-336, 292)),
            decimals(["05", "95"], (-30, 5)),  # of scores and other usual numbers
            decimals(["05", "95", "049", "051", "949", "951"], (-30, -22)),  # scaled by inexact doubles
            decimals(["0", "5"], (-335, 293)),
            [float(f"{k}{end}5e{e}") for k in (1, 25, 999) for end in ("0" * 12, "9" * 12) for e in range(-334, 292)],
        ]
    )
    neighbours = [half_way]
    for towards in (0, inf):
        once = np.nextafter(half_way, towards)
        neighbours += [once, np.nextafter(once, towards)]
    powers = np.array([float(f"{d}e{e}") for e in range(-307, 308) for d in (1, 2, 5, 9)])
    scores = rng.integers(0, 50, (n // 4, 30)) / 50
    bits = rng.integers(0, 2**63, n, dtype=np.uint64).view(np.float64)
    numbers = [
        *neighbours,
        *(powers * (1 + k * 2.0**-52) for k in range(-5, 6)),
        rng.integers(10**13, 10**14, n) * 10 + rng.choice([0.5, 9.5], n),
        rng.integers(10**14, 2**62, n) * rng.choice([1.0, 10.0, 100.0], n),
        rng.integers(1, 2**52, n // 4, dtype=np.uint64).view(np.float64),  # below the normal range
        scores.mean(axis=1),
        scores[:, ::-1].cumsum(axis=1)[:, -1] / 30,
        (scores / 30).sum(axis=1),
        bits[np.isfinite(bits)],
    ]
    return np.unique(np.concatenate(numbers))


def test_numbers_as_r_prints_them():
    assert {value: as_character(value) for value in PRINTED} == PRINTED
    assert (as_character(-0.0), as_character(nan)) == ("0", "NaN")


def test_numbers_half_way_between_decimals_as_r_prints_them():
    assert {value: as_character(value) for value in HALF_WAY} == HALF_WAY


@pytest.mark.parametrize("rule", HARDEST)
def test_the_hardest_numbers_as_r_prints_them(rule):
    assert {number: as_character(float.fromhex(number)) for number in HARDEST[rule]} == HARDEST[rule]
    for number, text in HARDEST[rule].items():
        assert as_character(-float.fromhex(number)) == f"-{text}"
        assert as_character(np.float64.fromhex(number)) == text


def test_long_doubles_of_the_machine_do_not_matter(monkeypatch):
    """Half-way numbers are printed, and refused as ties, without NumPy's long double."""
    monkeypatch.setattr(np, "longdouble", None)
    power_of_ten.cache_clear()
    for group in HARDEST.values():
        assert {number: as_character(float.fromhex(number)) for number in group} == group
    # Plain "%.15g" ends the first in 09 and the second in 1; R prints 801.06910510271 for both.
    x = np.array([801.0691051027095, 801.06910510271, 1, 2])
    assert f"{x[0]:.15g}" != f"{x[1]:.15g}"
    with pytest.raises(ValueError, match="R prints 801.06910510271 and 801.0691051027095 alike"):
        ircor.tau(x, np.arange(4))


def test_powers_of_ten_are_those_of_the_c_library():
    """NumPy asks powl for them, whose last bit depends on the processor for a few exponents."""
    if np.finfo(np.longdouble).nmant != 63 or platform.libc_ver()[0] != "glibc":
        pytest.skip("the powers are those of glibc with long doubles of 64 bits")
    others = []
    for exponent in [*range(-338, -27), *range(28, 295)]:
        ours = Fraction(*power_of_ten(exponent))
        expected = Fraction(*np.power(np.longdouble(10), np.longdouble(exponent)).as_integer_ratio())
        if ours != expected:
            others.append(exponent)
            assert abs(ours / expected - 1) <= Fraction(1, 2**63), exponent
    # None on some processors, and 3 on others.
    assert len(others) <= 6, others
    assert [power_of_ten(k)[0] / power_of_ten(-k)[1] for k in range(1, 28)] == [1] * 27
    assert [float(power_of_ten(k)[0]) for k in range(28)] == [float(f"1e{k}") for k in range(28)]


@pytest.mark.r
def test_many_numbers_as_r_prints_them(rng):
    # Half-way between decimals of 15 digits, next to powers of ten, whole numbers where R prints all digits, any bits.
    half_way = [
        float(f"{k}5e{e}") for k, e in zip(rng.integers(10**14, 10**15, 20_000), rng.integers(-320, 290, 20_000))
    ]
    powers = np.array([float(f"{d}e{e}") for e in range(-25, 26) for d in range(1, 10)])
    near = np.concatenate([powers * (1 + k * 2.0**-52) for k in range(-9, 10)])
    whole = rng.integers(10**14, 2**62, 20_000).astype(float) * rng.choice([1, 10, 100], 20_000)
    bits = rng.integers(0, 2**63, 20_000, dtype=np.uint64).view(np.float64)
    nasty = nasty_doubles(rng, 1000)
    numbers = np.concatenate([half_way, near, whole, bits[np.isfinite(bits)], -near, nasty])
    printed = r_as_character(numbers)
    wrong = [(v, as_character(v), r) for v, r in zip(numbers.tolist(), printed) if as_character(v) != r]
    assert wrong == []


@pytest.mark.r
def test_the_same_neighbours_print_alike_as_in_r(rng):
    numbers = nasty_doubles(rng, 2000)
    ours = [one == other for one, other in itertools.pairwise(map(as_character, numbers.tolist()))]
    in_r = [one == other for one, other in itertools.pairwise(r_as_character(numbers))]
    assert sum(in_r) > 1000
    wrong = [(numbers[k], numbers[k + 1]) for k in range(len(ours)) if ours[k] != in_r[k]]
    assert wrong == []


def test_no_pair_that_prints_alike_is_skipped(rng):
    numbers = nasty_doubles(rng, 2000)
    pairs = np.stack([numbers[:-1], numbers[1:]], axis=1)
    for these in (pairs, -pairs, pairs[:, ::-1]):
        possible = can_print_alike(these)
        alike = np.array([as_character(one) == as_character(other) for one, other in these.tolist()])
        assert possible[alike].all()
        assert alike.sum() > 1000
    # Most of the others are, where the power of ten is exact.
    ordinary = (pairs[:, 0] > 1e-7) & (pairs[:, 1] < 1e15)
    assert can_print_alike(pairs[ordinary]).sum() < 1.5 * alike[ordinary].sum()
    whole = 1e14 + np.arange(1000.0)
    assert not can_print_alike(np.stack([whole[:-1], whole[1:]], axis=1)).any()


def alike_in(values):
    """The first neighbours that print alike, from the top of the ranking."""
    values = np.array(values, dtype=float)
    return first_printed_alike(Ranking(values, True).near_neighbours(values, NEAR))


def test_a_relative_difference_of_1e_14_can_print_alike():
    """One unit of the 15th digit: the largest difference is that of numbers just above a power of ten."""
    low, high = 100000000000001.5, 100000000000002.5
    assert as_character(low) == as_character(high) == "100000000000002"
    assert alike_in([low, high]) == alike_in([high, low]) == (high, low)
    assert alike_in([-low, -high]) == (-low, -high)
    # As close, but on the two sides of a rounding boundary.
    assert alike_in([1.0000000000000149, 1.0000000000000153]) is None


def test_numbers_that_print_alike_are_near(rng):
    """Nothing farther apart than NEAR is printed, so nothing that prints alike may be as far apart."""
    values = nasty_doubles(rng, 2000)
    alike = [(a, b) for a, b in itertools.pairwise(values.tolist()) if as_character(a) == as_character(b)]
    assert len(alike) > 1000
    assert max((b - a) / a for a, b in alike) < NEAR


def test_equal_numbers_are_alike_and_the_first_pair_is_found():
    assert alike_in([3.0, 1.0, 2.0, 2.0, 1.0]) == (2, 2)
    assert alike_in([3.0, inf, inf, 2.0, 2.0]) == (inf, inf)
    assert alike_in([0.0, -0.0]) == (0, 0)
    assert alike_in([1.0, 2.0, 3.0, inf]) is None
    assert alike_in([]) is None
    pairs = [[0.1, 0.2], [0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3]]
    assert first_printed_alike(np.array(pairs)) == (0.3, 0.1 + 0.2)


def test_a_number_in_two_pairs_is_compared_with_both():
    one, other, third = 1.0, 1.00000000000001, 1.0000000000000102
    assert [as_character(value) for value in (one, other, third)] == ["1", "1.00000000000001", "1.00000000000001"]
    assert alike_in([one, other, third]) == (third, other)
    assert first_printed_alike(np.array([[one, other], [other, third]])) == (other, third)
    # The second pair begins with another number than the first ends with.
    assert first_printed_alike(np.array([[one, other], [2.0, third]])) is None


def test_neighbours_that_print_alike_are_found_anywhere(rng):
    for _ in range(200):
        values = np.sort(rng.random(50))
        where = int(rng.integers(1, 50))
        assert alike_in(values) is None
        values[where] = np.nextafter(values[where - 1], 2)
        downwards = values[::-1].tolist()
        alike = [(a, b) for a, b in itertools.pairwise(downwards) if as_character(a) == as_character(b)]
        assert alike_in(values) == (alike[0] if alike else None)
