"""Long vectors in little memory, against NumPy, SciPy, plain loops and exact fractions."""

import doctest
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from calls import FUNCTIONS, REFUSING
from definitions import concordant_above, places
from scipy.stats import kendalltau, rankdata

import ircor._kernel.long_ranking
from ircor._kernel import Dominance, LongDominance, LongRanking, Ranking, can_rank, dominance_of


def next_doubles(base, steps):
    """Doubles that are so many steps from a positive double."""
    return (np.float64(base).view(np.int64) + steps).view(np.float64)


def vectors(n, rng):
    """Vectors whose keys differ in their first bits, in their last, in both, or hardly at all, by name."""
    steps = rng.integers(0, 40, n)
    near = next_doubles(1.0, steps)
    groups = next_doubles(2.0 ** rng.integers(0, 9, n), steps)
    found = {
        "doubles": rng.normal(size=n),
        "sorted": np.sort(rng.random(n)),
        "reversed": np.sort(rng.random(n))[::-1],
        "of many sizes": np.exp(rng.normal(0, 100, n)) * rng.choice([-1, 1], n),
        "the same first bits": np.append(near[1:], -1e300),
        "the same first bits, untied": np.append(next_doubles(3.0, rng.permutation(n - 1)), 5e-324),
        "many groups with the same first bits": np.append(groups[1:], -1e300),
        # The greatest key less the least is 2^62 - 1, so that the key of missing values has one bit more.
        "keys up to a power of two": np.append(rng.random(n - 2), [5e-324, 2.0]),
        "few": rng.integers(0, 3, n).astype(float),
        "a few sizes": rng.choice([-1e300, 1e-300, 1e300], n),
        "all tied": np.full(n, 0.1),
        "zeros of both signs": rng.choice([0.0, -0.0, 1.0], n),
        "infinities": rng.choice([np.inf, -np.inf, 0.0, 1e308], n),
        "whole numbers": rng.integers(0, n, n).astype(float),
        "all 64 bits": rng.integers(-(2**63), 2**63 - 1, n),
        "the ends of 64 bits": rng.choice(np.array([0, 1, 2**63, 2**64 - 1], dtype=np.uint64), n),
        "bytes": rng.integers(0, 256, n).astype(np.uint8),
        "signed bytes": rng.integers(-128, 128, n).astype(np.int8),
        "half floats": rng.normal(size=n).astype(np.float16),
        "floats": rng.normal(size=n).astype(np.float32),
        "doubles of swapped bytes": rng.normal(size=n).astype(np.dtype(np.float64).newbyteorder()),
        "half floats of swapped bytes": rng.normal(size=n).astype(np.dtype(np.float16).newbyteorder()),
        "integers of swapped bytes": rng.integers(-1000, 1000, n).astype(np.dtype(np.int16).newbyteorder()),
        "flags": rng.random(n) < 0.5,
    }
    for count in (2047, 2048, 2049):  # where the counting sort ends
        found[f"{count} values"] = np.append(rng.integers(0, count, n - 2), [0, count - 1])
    return found


@pytest.mark.parametrize("n", [1025, 5000])
def test_the_order_of_all_kinds_of_values(n, rng):
    for name, values in vectors(n, rng).items():
        for decreasing in (False, True):
            ranking = Ranking(values, decreasing)
            # Dense ranks, because the negative of an unsigned number is not negative.
            ranks = np.unique(values, return_inverse=True)[1] * (-1 if decreasing else 1)
            np.testing.assert_array_equal(ranking.places(), rankdata(ranks, method="min") - 1, name)
            np.testing.assert_array_equal(ranking.items(), np.argsort(ranks, kind="stable"), name)
            sizes = np.unique(ranks, return_counts=True)[1]
            assert ranking.tied_pairs == np.sum(sizes * (sizes - 1)) // 2, name
            assert ranking.top == sizes[0], name


@pytest.mark.parametrize("share", [1e-3, 0.3, 1])
def test_missing_values_are_last_in_order_of_position(share, rng):
    n = 3000
    for name, values in vectors(n, rng).items():
        if values.dtype.kind != "f":
            continue
        values[rng.random(n) < share] = np.nan
        missing, observed = np.flatnonzero(np.isnan(values)), np.flatnonzero(~np.isnan(values))
        for decreasing in (False, True):
            ranking = Ranking(values, decreasing)
            ranks = np.unique(values[observed], return_inverse=True)[1] * (-1 if decreasing else 1)
            expected = np.append(observed[np.argsort(ranks, kind="stable")], missing)
            np.testing.assert_array_equal(ranking.items(), expected, name)
            np.testing.assert_array_equal(ranking.places()[missing], np.arange(observed.size, n), name)
            assert ranking.missing == missing.size


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_missing_values_after_x_are_in_order_of_position(missing, rng):
    """Not in the order of x, where they have the opposite one."""
    n = 50
    x, y = np.arange(n)[::-1], rng.random(n)
    y[:missing] = np.nan
    first = LongRanking(x)
    d, expected = LongDominance(first, LongRanking(y, False, first)), Dominance(Ranking(x), Ranking(y))
    assert d.concordant == expected.concordant
    assert d.c_above_in_y() == expected.c_above_in_y()


def test_short_vectors_too(rng):
    """`Ranking` has another sort for them, but for doubles and 64-bit integers only."""
    for n in (0, 1, 2, 3, 10):
        for _ in range(20):
            values = rng.integers(0, 5, n).astype(np.float32)
            np.testing.assert_array_equal(Ranking(values).items(), np.argsort(values, kind="stable"))
        assert LongRanking(np.full(n, np.nan)).missing == n


def pairs(n, rng):
    """Vectors x and y: with ties in none, in one and in both, nearly the same, and with missing values."""
    untied, other = rng.permutation(n) / 7, rng.permutation(n) / 7
    tied, few = rng.integers(0, n // 3, n), rng.integers(0, 4, n)
    with_missing = np.where(rng.random(n) < 0.1, np.nan, other)
    near = untied + rng.random(n)
    return [
        *((untied, y) for y in (other, tied, few, near, untied, with_missing)),
        *((x, tied) for x in (untied, few, tied[::-1], with_missing)),
        *((few, y) for y in (untied, few[::-1], few, with_missing)),
        (np.where(rng.random(n) < 0.1, np.nan, tied), with_missing),
    ]


@pytest.mark.usefixtures("instructions")
@pytest.mark.parametrize("n", [30, 1025, 2047, 2048, 2049])
def test_counts_of_pairs_against_plain_comparisons(n, rng):
    for x, y in pairs(n, rng):
        for decreasing in (False, True):
            x_ranking = LongRanking(x, decreasing)
            d = LongDominance(x_ranking, LongRanking(y, decreasing, x_ranking))
            x_place, y_place = (Ranking(values.astype(float), decreasing).places() for values in (x, y))
            ahead = (x_place[None, :] < x_place[:, None]) & (y_place[None, :] < y_place[:, None])
            c = ahead.sum(axis=1).astype(np.longdouble)
            assert d.concordant == ahead.sum()
            tied = (x_place[None, :] == x_place[:, None]) & (y_place[None, :] == y_place[:, None])
            assert d.tied_pairs == (tied.sum() - n) // 2
            opposite = (x_place[None, :] < x_place[:, None]) & (y_place[None, :] > y_place[:, None])
            assert d.discordant == opposite.sum()
            below = x_place > 0
            assert d.c_above_in_x() == pytest.approx(float(np.sum(c[below] / x_place[below])), rel=1e-15)
            below = y_place > 0
            assert d.c_above_in_y() == pytest.approx(float(np.sum(c[below] / y_place[below])), rel=1e-15)


@pytest.mark.parametrize("groups", [2, 10, 10**6])
@pytest.mark.parametrize("decreasing", [False, True])
def test_sums_against_exact_fractions(groups, decreasing, rng):
    n = 60
    x, y = (rng.integers(0, groups, n) for _ in "xy")
    x_ranking = LongRanking(x, decreasing)
    y_ranking = LongRanking(y, decreasing, x_ranking)
    d = LongDominance(x_ranking, y_ranking)
    p, t = places(y.tolist(), decreasing)
    term_I, term_II = Fraction(0), Fraction(0)
    for i in range(n):
        c = concordant_above(x.tolist(), y.tolist(), i, decreasing)
        if p[i] > 1:
            term_I += c * sum(Fraction(1, t[i] * (p[i] + k - 2)) for k in range(1, t[i] + 1))
        term_II += sum(Fraction(k, 2 * t[i] * (p[i] + k - 1)) for k in range(1, t[i]))
    assert d.c_above_in_y_permuted() == pytest.approx(float(term_I), rel=1e-15)
    assert y_ranking.c_within() == pytest.approx(float(term_II), rel=1e-15)


@pytest.mark.usefixtures("instructions")
@pytest.mark.filterwarnings("ignore::ircor.MissingValueWarning")
@pytest.mark.parametrize("n", [1500, 70_000])
def test_the_six_functions_are_those_of_rankings_with_places(n, rng):
    """To the last bit; floats of more than 64 bits are ranked with places."""
    for x, y in pairs(n, rng):
        for name, function in FUNCTIONS.items():
            try:
                expected = function(x.astype(np.longdouble), y.astype(np.longdouble))
            except ValueError as error:
                with pytest.raises(ValueError) as raised:  # noqa: PT011 - the same message is compared
                    function(x, y)
                assert str(raised.value) == str(error)
            else:
                np.testing.assert_equal(function(x, y), expected, name)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2])
def test_the_last_level_of_counters(size):
    """The lower half of x is the upper half of y: pairs of one half are concordant, but for ties of `size` items."""
    half = 2**25 + 2**20
    x = np.arange(2 * half, dtype=np.int32) // size
    y = np.roll(x, half)
    x_ranking = LongRanking(x)
    d = LongDominance(x_ranking, LongRanking(y, False, x_ranking, True))
    pairs, tied = half * (half - 1) // 2, half * (size - 1) // 2
    assert d.concordant == 2 * (pairs - tied)
    assert d.discordant == half**2
    assert d.tied_pairs == 2 * tied


@pytest.mark.parametrize("n", [1100, 100_000])
@pytest.mark.parametrize("groups", [3, 1000, 10**9])
def test_tau_b_is_scipys_kendalltau(n, groups, rng):
    x, y = rng.integers(0, groups, n), rng.integers(0, groups, n)
    assert FUNCTIONS["tau_b"](x, y) == pytest.approx(kendalltau(x, y)[0], abs=1e-12)


@pytest.mark.parametrize("steps", [0, 100, 180, 181, 300])
def test_values_that_r_prints_alike_are_found_in_long_vectors(steps, rng):
    """Two values are so many steps apart; all others are far from each other."""
    n = 2000
    y = rng.permutation(n).astype(float)
    # Near 2, from below, 180 steps are 2e-14 of the value; elsewhere fewer are.
    for base in (1.0, 1.99, next_doubles(2.0, -190), 7e300, -0.3, 6e-310):
        x = rng.permutation(n) + 10.0
        x[7] = base
        x[1234] = np.copysign(next_doubles(abs(base), steps), base)
        alike = x[7] == x[1234] or abs(x[7] - x[1234]) <= 2e-14 * min(abs(x[7]), abs(x[1234]))
        for one, other in ((x, y), (y, x)):
            first = LongRanking(one)
            found = first.near_neighbours(one, 2e-14).tolist()
            if first.tied_pairs == 0:
                found += LongRanking(other, False, first).near_neighbours(other, 2e-14).tolist()
            assert found == ([sorted([x[7], x[1234]])] if alike else []) or first.tied_pairs == 0 == steps
            for name, untied in REFUSING.items():
                if untied == "xy" and f"{x[7]:.15g}" == f"{x[1234]:.15g}" and base != 6e-310:
                    with pytest.raises(ValueError, match="contains ties"):
                        FUNCTIONS[name](one, other)


def test_neighbouring_doubles_are_printed_alike(rng):
    """They are sorted by counting."""
    x, y = next_doubles(1.0, rng.permutation(1500)), rng.random(1500)
    assert len(LongRanking(x).near_neighbours(x, 2e-14)) == 1499
    for one, other in ((x, y), (y, x)):
        for name in ("tau", "tauAP"):
            with pytest.raises(ValueError, match="contains ties. R prints .* alike"):
                FUNCTIONS[name](one, other)


def test_what_is_refused():
    three, four = LongRanking(np.arange(3)), LongRanking(np.arange(4))
    with pytest.raises(ValueError, match="'after' must be a ranking of 4 items"):
        LongRanking(np.arange(4), False, three)
    with pytest.raises(ValueError, match="'y' must be a ranking after 'x'"):
        LongDominance(three, LongRanking(np.arange(3)))
    with pytest.raises(ValueError, match="'values' must have 4 items, not 3"):
        four.near_neighbours(np.arange(3.0), 1)
    tied, untied = LongRanking(np.zeros(3)), LongRanking(np.arange(3))
    for x, forget in ((tied, False), (untied, True)):
        y = LongRanking(np.arange(3), False, x, forget)
        with pytest.raises(ValueError, match="that no other was made after"):
            LongRanking(np.arange(3), False, x)
        for ranking in (x, y):
            with pytest.raises(ValueError, match="x gave up its own"):
                ranking.near_neighbours(np.arange(3.0), 1)
    for dtype in (complex, object, "U3", "M8[s]", *([np.longdouble] if np.dtype(np.longdouble).itemsize > 8 else [])):
        assert not can_rank(np.zeros(3, dtype=dtype))
        with pytest.raises(TypeError, match="'values' must be numbers of 64 bits or fewer, but they are of type"):
            LongRanking(np.zeros(3, dtype=dtype))


def test_dominance_of_chooses_the_class(rng):
    x, y = rng.random((2, 50))
    first = LongRanking(x)
    long, short = dominance_of(first, LongRanking(y, False, first)), dominance_of(Ranking(x), Ranking(y))
    assert (type(long).__name__, type(short).__name__) == ("LongDominance", "Dominance")
    assert long.concordant == short.concordant


@pytest.mark.parametrize("kind", ["doubles", "tied", "few", "integers", "near"])
def test_memory_of_a_long_pair(kind, rng):
    n = 400_000
    x, y = {
        "doubles": lambda: rng.normal(size=(2, n)),
        "tied": lambda: np.floor(rng.normal(size=(2, n)) * n),
        "few": lambda: rng.integers(0, 100, (2, n)),
        "integers": lambda: rng.integers(-(2**63), 2**63 - 1, (2, n)),
        "near": lambda: 1 + rng.integers(0, 1000, (2, n)) * 2.0**-52,
    }[kind]()
    for name in FUNCTIONS if kind in ("doubles", "integers") else ("tau_b", "tauAP_b"):
        tracemalloc.start()
        FUNCTIONS[name](x, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        # The functions that refuse ties of y keep the items of x.
        assert peak <= (16 if name in ("tau", "tauAP") else 14.25) * n + 20_000, name


def test_the_examples():
    result = doctest.testmod(ircor._kernel.long_ranking)
    assert result.attempted > 0
    assert result.failed == 0
