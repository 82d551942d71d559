"""Codes of items are whole numbers, the same for equal items of two rankings, and nothing unusual gets one."""

import pickle
import random

import numpy as np
import pytest

from ircor._kernel import Ranking
from ircor._kernel.items import Items, coded, coded_integers, items_of


def parts(items):
    """The codes and the starts of tie groups, from the state for pickle."""
    codes, opens = items.__reduce__()[1]
    return codes.tolist(), opens.tolist()


def test_equal_items_have_the_same_code():
    x, y, count = coded(("a", "b", 3), (3, "c", "a"), False)
    assert parts(x) == ([0, 1, 2], [1, 1, 1])
    assert parts(y) == ([2, 3, 0], [1, 1, 1])
    assert (len(x), y.n, count) == (3, 3, 4)


def test_ties_open_once():
    x, y, _ = coded(("a", {"b", "c"}, "d"), (frozenset("d"), {"a", "b", "c"}), False)
    assert parts(x)[1] == [1, 1, 0, 1]
    assert parts(y)[1] == [1, 1, 0, 0]
    assert sorted(parts(y)[0][1:]) == [0, 1, 2]


def test_as_a_dict_would(rng):
    """Hashes of integers are not random, and those of strings collide in some slots."""
    make = random.Random(1)
    for kind in (str, lambda k: k * 2**61, lambda k: (k,), lambda k: -k - 1):
        known = [kind(k) for k in range(500)]
        x, y = make.sample(known, 400), make.sample(known, 300)
        codes = {}
        expected = [[codes.setdefault(item, len(codes)) for item in side] for side in (x, y)]
        first, second, count = coded(tuple(x), tuple(y), True)
        assert [parts(first)[0], parts(second)[0]] == expected
        assert count == len(codes)


class AlwaysTheSame:
    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return 7

    def __eq__(self, other):
        return self.name == other.name


def test_equal_hashes_are_not_equal_items():
    x, y, count = coded(tuple(map(AlwaysTheSame, "abc")), tuple(map(AlwaysTheSame, "cd")), True)
    assert (parts(x)[0], parts(y)[0], count) == ([0, 1, 2], [2, 3], 4)


class Unequal:
    def __hash__(self):
        return 1

    def __eq__(self, other):
        raise RuntimeError("not comparable")


def test_errors_of_items_are_passed_on():
    with pytest.raises(RuntimeError, match="not comparable"):
        coded((Unequal(), Unequal()), ("a",), True)


@pytest.mark.parametrize(
    "bad", [(), ("a", "a"), ("a", {"a", "b"}), ("a", set()), ({frozenset("ab")},), ({1, 2}, 1), (1, True)]
)
def test_unusual_rankings_get_no_codes(bad):
    assert coded(bad, ("z",), True) is None
    assert coded(("z",), bad, True) is None


def test_other_types_must_be_checked_first():
    for item in (1.5, None, (1, 2), b"a", np.int64(3), True):
        assert coded((item,), ("a",), False) is None
        assert coded(("a",), ({item, "b"},), False) is None
        assert coded((item,), ("a",), True)[2] == 2


@pytest.mark.parametrize("scale", [1, 10**6, 2**55])
def test_integers(scale, rng):
    x, y = rng.permutation(200)[:120] - 100, rng.permutation(200)[:150] - 100
    first, second, count = coded_integers(x * scale, y * scale)
    codes = dict(zip(x.tolist(), parts(first)[0]))
    assert len(set(codes.values())) == 120
    for item, code in zip(y.tolist(), parts(second)[0]):
        assert codes.setdefault(item, code) == code
    assert len(set(codes.values())) == len(codes)
    assert max(codes.values()) < count
    assert set(parts(first)[1] + parts(second)[1]) == {1}


@pytest.mark.parametrize("scale", [1, 2**40])
def test_integers_that_repeat(scale):
    good, bad = np.array([1, 2, 3]) * scale, np.array([5, 1, 5]) * scale
    assert coded_integers(good, bad) is None
    assert coded_integers(bad, good) is None
    assert coded_integers(good, good[:0]) is None
    assert coded_integers(good, np.array([-(2**63), 2**63 - 1]))[2] == 5


def test_items_in_the_order_of_a_ranking():
    codes = np.array([7, 8, 9, 6], dtype=np.int32)
    assert parts(Items(codes)) == ([7, 8, 9, 6], [1, 1, 1, 1])
    order, opens = parts(Items(codes, Ranking(np.array([0.1, 0.5, 0.5, 0.9]), True)))
    assert (order[0], sorted(order[1:3]), order[3]) == (6, [8, 9], 7)
    assert opens == [1, 1, 0, 1]
    with pytest.raises(ValueError, match="'ranking' must have 4 items, not 2"):
        Items(codes, Ranking(np.array([1.0, 2.0])))
    with pytest.raises(ValueError, match="'opens' must have 4 items, not 1"):
        items_of(codes, np.ones(1, dtype=np.uint8))
    copy = pickle.loads(pickle.dumps(Items(codes)))
    assert parts(copy) == parts(Items(codes))
