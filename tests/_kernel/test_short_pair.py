"""The counts of two short arrays in one step, with each set of instructions, from the definitions of the counts."""

from math import fsum

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ircor._kernel import Dominance, pair_of

# Around the lengths of vectors and words, around those up to which all pairs of items are compared, and the greatest.
LENGTHS = [2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 25, 31, 32, 33, 50, 56, 57, 63, 64, 65, 128, 144, 145, 224, 225, 500, 1023]
LENGTHS += [1024]


def values_of(rng, n):
    """Vectors without ties, with few and many, of one value, of both zeros, and of the ends of the doubles."""
    ends = [-np.inf, -1.7976931348623157e308, -5e-324, -0.0, 0.0, 5e-324, 2.2250738585072014e-308, 1e308, np.inf]
    return [
        rng.permutation(n),
        rng.random(n),
        rng.integers(0, 3, n),
        rng.integers(0, n, n) / n,
        np.ones(n),
        rng.choice([-0.0, 0.0], n),
        rng.choice(ends, n),
    ]


def expected_counts(x, y, decreasing):
    """What formulas use, from comparisons of all pairs; `fsum` rounds once."""
    n = len(x)
    x_ahead, y_ahead = ((v[None, :] > v[:, None]) if decreasing else (v[None, :] < v[:, None]) for v in (x, y))
    c = (x_ahead & y_ahead).sum(axis=1).tolist()
    x_place, y_place = x_ahead.sum(axis=1).tolist(), y_ahead.sum(axis=1).tolist()
    tied = [np.triu(v[:, None] == v[None, :], 1) for v in (x, y)]
    groups = {place: [c[i] for i in range(n) if y_place[i] == place] for place in y_place}
    return {
        "concordant": sum(c),
        "tied_pairs": (tied[0] & tied[1]).sum(),
        "discordant": n * (n - 1) // 2 - (tied[0] | tied[1]).sum() - sum(c),
        "x.n": n,
        "y.n": n,
        "x.tied_pairs": tied[0].sum(),
        "y.tied_pairs": tied[1].sum(),
        "x.total_pairs": n * (n - 1) // 2,
        "y.total_pairs": n * (n - 1) // 2,
        "x.top": x_place.count(0),
        "y.top": y_place.count(0),
        "c_above_in_x": fsum(c[i] / x_place[i] for i in range(n) if x_place[i]),
        "c_above_in_y": fsum(c[i] / y_place[i] for i in range(n) if y_place[i]),
        "c_above_in_y_permuted": fsum(
            sum(found) * fsum(1 / (place + k) for k in range(len(found))) / len(found)
            for place, found in groups.items()
            if place
        ),
        "x.c_within": within(x_place),
        "y.c_within": within(y_place),
    }


def within(places):
    return fsum(k / (place + k) for place in set(places) for k in range(1, places.count(place))) / 2


def found_counts(pair, names):
    for name in names:
        side, _, attribute = name.rpartition(".")
        value = getattr(getattr(pair, side) if side else pair, attribute)
        yield name, value() if callable(value) else value


@pytest.mark.parametrize("decreasing", [True, False])
@pytest.mark.parametrize("n", LENGTHS)
def test_every_count(n, decreasing, instructions, rng):
    """To the last bit."""
    vectors = values_of(rng, n)
    for k, x in enumerate(vectors):
        # Each vector with two of the others, and with itself.
        for y in (vectors[k - 1], vectors[k - 3], x):
            expected = expected_counts(x, y, decreasing)
            assert dict(found_counts(pair_of(x, y, decreasing, False, False), expected)) == expected


@pytest.mark.parametrize("n", [2, 9, 56, 57, 144, 145, 224, 225, 1024])
def test_ties_where_none_is_allowed(n, instructions, rng):
    """Equal values, and those that R may print alike, wherever they are: these two differ in the 17th digit."""
    up = 10 + rng.permutation(n)
    for one, other in ((0.5, 0.5), (0.3, 0.1 + 0.2), (-0.3, -0.1 - 0.2), (0.0, -0.0), (2e300, 2.00000000000001e300)):
        tied = up.astype(float)
        tied[rng.choice(n, 2, replace=False)] = one, other
        for decreasing in (True, False):
            for x, y, of_x, of_y in ((tied, up, True, False), (up, tied, False, True), (tied, tied, True, True)):
                assert pair_of(x, y, decreasing, of_x, of_y) is None
                assert pair_of(x, y, decreasing, False, False) is not None
            assert pair_of(tied, up, decreasing, False, True) is not None
            assert pair_of(up, tied, decreasing, True, False) is not None
            assert pair_of(up, up, decreasing, True, True) is not None


@pytest.mark.parametrize("n", [2, 9, 56, 57, 144, 145, 224, 225, 1024])
def test_missing_values_are_left_to_others(n, instructions, rng):
    up = rng.permutation(n).astype(float)
    for place in {0, n // 2, n - 1}:
        gap = up.copy()
        gap[place] = np.nan
        for decreasing in (True, False):
            for x, y in ((gap, up), (up, gap), (gap, gap)):
                assert pair_of(x, y, decreasing, False, False) is None


def test_all_pairs_are_compared_only_up_to_some_length(instructions):
    longest = max(
        n for n in LENGTHS if not isinstance(pair_of(np.arange(n), np.arange(n), True, False, False), Dominance)
    )
    # The baseline is plain C with some compilers.
    assert longest in {"baseline": (24, 56), "avx2": (144,), "avx512": (224,)}[instructions]


class List(list):
    """A list under the name that pandas and Polars give to their vectors."""


List.__name__ = "Series"


def test_which_objects_are_read(rng):
    values, y = rng.permutation(30) / 8, rng.random(30)
    expected = dict(found_counts(pair_of(values, y, True, True, True), ("concordant", "c_above_in_x")))
    frozen, swapped = values.copy(), values.astype(values.dtype.newbyteorder())
    frozen.flags.writeable = False
    record = np.zeros(30, dtype=[("odd", "i1"), ("value", float)])
    record["value"] = values
    pieces = pl.concat([pl.Series(values[:10]), pl.Series(values[10:])], rechunk=False)
    for x in (
        values,
        frozen,
        np.repeat(values, 2)[::2],
        values[::-1].copy()[::-1],
        record["value"],
        (values * 8).astype(np.int64),
        np.repeat((values * 8).astype(np.int64), 3)[1::3],
        pd.Series(values, index=range(30, 0, -1)),
        pd.Series(values * 8).astype(np.int64),
        pl.Series(values),
        pl.Series(values * 8).cast(pl.Int64),
        pieces,
    ):
        for found in (pair_of(x, y, True, True, True), pair_of(y, x, True, True, True)):
            assert found.concordant == expected["concordant"]
        assert pair_of(x, y, True, True, True).c_above_in_x() == expected["c_above_in_x"]
    for x in (
        swapped,
        values.tolist(),
        List(values),
        values.astype(np.float32),
        values.astype(np.longdouble),
        values.astype(np.int32),
        values.astype("M8[s]"),
        values > 1,
        values.view(np.recarray),
        np.ma.array(values),
        np.array(1.0),
        values.reshape(1, 30),
        values.reshape(30, 1),
        values[:29],
        pd.Series(values).astype("Float64"),
        pd.Series(values, dtype="category"),
        pl.Series([None, *values[1:]]),
        pl.Series(values > 1),
    ):
        assert pair_of(x, y, True, False, False) is None
        assert pair_of(y, x, True, False, False) is None
    for n in (0, 1, 1025):
        assert pair_of(np.arange(n), np.arange(n), True, False, False) is None


@pytest.mark.parametrize("sign", [1, -1])
def test_integers_up_to_those_that_doubles_hold(sign):
    held, down = sign * np.array([2**53, 2**53 - 1, 2**53 - 2]), np.array([3, 2, 1])
    assert pair_of(held, down, True, False, False).concordant == (3 if sign == 1 else 0)
    assert pair_of(held + sign, down, True, False, False) is None
    assert pair_of(np.array([-(2**63), 0]), np.array([1, 2]), True, False, False) is None
