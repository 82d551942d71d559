"""`rbo` against the record, the definition in exact fractions, and all orders of ties."""

from __future__ import annotations

import json
import pickle
import random
from itertools import permutations, product
from pathlib import Path
from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from overlaps import defined_rbo, random_pair, random_ranking

from ircor.overlap import from_string, rbo, rbo_many, rbo_scores

RECORD = [json.loads(line) for line in (Path(__file__).parent.parent / "data" / "rbo.jsonl").read_text().splitlines()]
NEAR_THE_ENDS = [1e-300, 1e-12, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.99, 1 - 1e-6, 1 - 1e-12, 1 - 2**-53]


def orders_of(ranking):
    """All rankings without ties that break the ties of this one."""
    groups = [permutations(entry) if isinstance(entry, set) else [(entry,)] for entry in ranking]
    return [[item for group in order for item in group] for order in product(*map(list, groups))]


@pytest.mark.parametrize("ties", ["w", "a", "b"])
def test_as_the_authors_answered(ties):
    for case in RECORD:
        found = rbo(from_string(case["x"]), from_string(case["y"]), case["p"], ties)
        assert found == pytest.approx(case[ties], abs=1e-13)


@pytest.mark.parametrize("ties", ["w", "a", "b"])
def test_as_defined_in_exact_fractions(ties):
    rng = random.Random(2024)
    for k in range(250):
        x, y = random_pair(rng)
        p = NEAR_THE_ENDS[1:][k % 10] if k % 2 else rng.random()
        assert rbo(x, y, p, ties) == pytest.approx(defined_rbo(x, y, p, ties), abs=1e-15)


@pytest.mark.parametrize("ties", ["w", "a", "b"])
def test_as_defined_for_lists_of_a_hundred(ties):
    rng = random.Random(1)
    x, y = random_ranking(rng, range(100)), random_ranking(rng, range(40, 170))
    for p in (0.5, 0.9, 0.98, 0.999):
        assert rbo(x, y, p, ties) == pytest.approx(defined_rbo(x, y, p, ties), abs=1e-14)


def test_a_is_the_mean_over_all_orders_of_the_ties():
    rng = random.Random(7)
    compared = {True: 0, False: 0}
    while min(compared.values()) < 40:
        x, y = random_pair(rng, most=6)
        orders = list(product(orders_of(x), orders_of(y)))
        if not 1 < len(orders) <= 400:
            continue
        p = rng.uniform(0.05, 0.95)
        found, of_orders = rbo(x, y, p, "a"), [rbo(*order, p, "w") for order in orders]
        beyond = has_tie_beyond(*sorted((x, y), key=length))
        for score in ("min",) if beyond else ("ext", "min", "max"):
            assert found[score] == pytest.approx(fmean(one[score] for one in of_orders), abs=1e-14), (x, y, score)
        compared[beyond] += 1


def length(ranking):
    return sum(len(entry) if isinstance(entry, set) else 1 for entry in ranking)


def has_tie_beyond(shorter, longer):
    """Whether the longer ranking has a tie that reaches below the last rank of the shorter one."""
    ends = [length(longer[: k + 1]) for k in range(len(longer))]
    return any(isinstance(entry, set) and end > length(shorter) for entry, end in zip(longer, ends))


@pytest.mark.parametrize("p", NEAR_THE_ENDS)
@pytest.mark.parametrize("ties", ["w", "a", "b"])
def test_limit_cases_are_exact(p, ties):
    same = rbo(range(50), range(50), p, ties)
    assert (same.ext, same.max) == (1, 1)
    apart = rbo(range(50), range(50, 80), p, ties)
    assert (apart.ext, apart.min) == (0, 0)
    assert rbo(["a"], ["a"], p, ties).ext == 1
    assert rbo(["a"], ["b"], p, ties).ext == 0
    prefix = rbo(range(30), range(100), p, ties)
    assert (prefix.ext, prefix.max) == (1, 1)
    if ties != "a":
        tied = [1, {2, 3, 4}, 5, {6, 7}]
        assert rbo(tied, list(tied), p, ties).ext == 1
        assert rbo([set(range(9))], [set(range(9))], p, ties).max == 1


def test_all_scores_are_within_their_bounds():
    rng = random.Random(5)
    for _ in range(300):
        x, y = random_pair(rng)
        for ties in ("w", "a", "b"):
            found = rbo(x, y, rng.random(), ties)
            assert 0 <= found.min <= found.max + 1e-15 <= 1 + 1e-15
            assert found.min - 1e-15 <= found.ext <= found.max + 1e-15
            assert found.res == found.max - found.min


def test_without_ties_all_treatments_are_the_same():
    x, y = list("abcdefg"), list("bagfxyzwc")
    assert rbo(x, y, 0.9, "w") == rbo(x, y, 0.9, "a") == rbo(x, y, 0.9, "b")


def test_x_and_y_can_be_exchanged():
    rng = random.Random(9)
    for _ in range(100):
        x, y = random_pair(rng)
        for ties in ("w", "a", "b"):
            assert rbo(x, y, 0.8, ties) == pytest.approx(rbo(y, x, 0.8, ties), abs=1e-15)


def test_long_lists():
    """At a million items, p near 1 and ties: powers and sums keep their digits."""
    n = 10**6
    x, y = np.arange(n), np.arange(n)[::-1]
    p = 1 - 1e-6
    d = np.arange(1, n + 1, dtype=np.longdouble)
    agreement = np.maximum(0, 2 * d - n) / d
    one_less_p = 1 - np.longdouble(p)
    powers = np.exp((d - 1) * np.log1p(-one_less_p))
    expected = float((agreement * powers).sum() * one_less_p + powers[-1] * np.longdouble(p))
    assert rbo(x, y, p).ext == pytest.approx(expected, abs=1e-15)
    assert rbo_scores(-x, -y, p).ext == rbo(x, y, p).ext
    # A million items in common, and nearly nothing beyond them.
    assert rbo(x, x, 0.9).min == pytest.approx(1, abs=1e-15)


def test_asked_for_in_any_order():
    found = rbo(["ab", "cd"], ["ab"], 0.9, score=["max", "ext"])
    assert list(found) == ["max", "ext"]
    assert len(found) == 2
    assert found["max"] == found.max
    assert "min" not in found
    with pytest.raises(AttributeError, match="'min' was not asked for, only max, ext"):
        _ = found.min
    assert list(rbo(["a"], ["a"], 0.9, score="res")) == ["res"]
    assert repr(rbo(["a"], ["a"], 0.5, score=("ext", "max"))) == "Overlap(ext=1.0, max=1.0)"
    assert pickle.loads(pickle.dumps(found)) == found


def test_items_of_many_types():
    x = ["a", 7, (2, "b"), {3.5, True}, b"c"]
    assert rbo(x, list(x), 0.9, "b").ext == 1
    assert rbo(["a", {"b", "c"}], ["a", frozenset("bc")], 0.9, "w").ext == 1
    words = ["a", "b", "c"]
    for as_given in (tuple(words), np.array(words), np.array(words, dtype=object), pd.Series(words), pd.Index(words)):
        assert rbo(as_given, words, 0.9).ext == 1
    for dtype in ("int8", "uint8", "int32", "int64", "uint64"):
        assert rbo(np.array([3, 1, 2], dtype=dtype), [3, 1, 2], 0.9).ext == 1
        assert rbo(np.array([3, 1, 2], dtype=dtype), np.array([3, 1, 2]), 0.9).ext == 1


def test_integers_far_apart_are_as_those_close_together():
    rng = np.random.default_rng(3)
    x, y = rng.permutation(300)[:200], rng.permutation(300)[:250]
    far = rng.choice(np.array([-(2**63), *(rng.integers(-(2**62), 2**62, 298)), 2**63 - 1]), 300, replace=False)
    assert rbo(far[x], far[y], 0.97) == rbo(x, y, 0.97) == rbo(x.tolist(), y.tolist(), 0.97)
    multiples = np.arange(300) * 2**50
    assert rbo(multiples[x], multiples[y], 0.97) == rbo(x, y, 0.97)


def test_scores_are_rankings():
    rng = np.random.default_rng(8)
    for n in (1, 2, 10, 3000):
        x, y = rng.integers(0, n, n), rng.integers(0, n, n)
        for ties in ("w", "a", "b"):
            rankings = [
                [set(np.flatnonzero(side == value).tolist()) for value in np.unique(side)[::-1]] for side in (x, y)
            ]
            expected = rbo(*rankings, 0.9, ties)
            assert rbo_scores(x, y, 0.9, ties) == expected
            assert rbo_scores(-x / 7, -y / 7, 0.9, ties, decreasing=False) == expected
            assert expected.ext == pytest.approx(expected.max, abs=1e-15)


def test_many_pairs_are_as_one_by_one():
    rng = random.Random(4)
    pairs = [random_pair(rng) for _ in range(50)]
    for ties in ("w", "a", "b"):
        found = rbo_many(*zip(*pairs), 0.9, ties, ["res", "ext"])
        assert list(found) == ["res", "ext"]
        one_by_one = [rbo(x, y, 0.9, ties) for x, y in pairs]
        assert found.ext.tolist() == [one.ext for one in one_by_one]
        assert found.res.tolist() == [one.res for one in one_by_one]
    assert rbo_many([], [], 0.9).ext.tolist() == []
    rows = np.array([[1, 2, 3], [3, 2, 1]])
    assert rbo_many(rows, rows[::-1], 0.9).ext.tolist() == [rbo(rows[0], rows[1], 0.9).ext] * 2
