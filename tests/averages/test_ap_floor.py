"""Average precision over the whole collection against brute force, simulation and exact sums."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from ircor.averages import ap_floor
from ircor.averages._robustness import position_sums


def average_precision(ranks):
    return sum(Fraction(i, rank) for i, rank in enumerate(sorted(ranks), 1)) / len(ranks)


def test_ap_floor_against_all_orders_of_small_collections():
    for N in range(1, 7):
        for cut in range(N + 1):
            for k in range(min(cut, 2) + 1):
                ranks = list(range(cut, cut - k, -1))
                for R in range(max(k, 1), k + N - cut + 1):
                    rest = [1] * (R - k) + [0] * (N - cut - R + k)
                    values = [
                        average_precision(ranks + [cut + 1 + t for t, relevant in enumerate(order) if relevant])
                        for order in permutations(rest)
                    ]
                    case = (ranks, R, N)
                    assert ap_floor(*case, retrieved=cut) == pytest.approx(float(min(values)), abs=1e-12), case
                    expected = float(sum(values) / len(values))
                    assert ap_floor(*case, retrieved=cut, rest="random") == pytest.approx(expected, abs=1e-12), case


def test_ap_floor_as_the_paper_writes_it():
    # Section 4.1: R / N, (R - 1) / (N - 1), ..., from the last document backwards.
    R, N = 5, 1000
    assert ap_floor([], R, N) == pytest.approx(sum((R - i) / (N - i) for i in range(R)) / R, rel=1e-14, abs=0)


def test_ap_floor_against_simulation(rng):
    N, R, cut, ranks = 20_000, 40, 1000, [3, 17, 500]
    samples = []
    for _ in range(3000):
        below = np.sort(rng.choice(N - cut, R - 3, replace=False)) + cut + 1
        samples.append((np.arange(1, R + 1) / np.concatenate([ranks, below])).sum() / R)
    error = np.std(samples) / np.sqrt(len(samples))
    assert ap_floor(ranks, R, N, retrieved=cut, rest="random") == pytest.approx(np.mean(samples), abs=4 * error)


def test_ap_floor_does_not_loop_over_the_collection():
    # A loop over so many documents would never end.
    huge = ap_floor([], 10, 10**15, retrieved=1000, rest="random")
    assert 0 < ap_floor([], 10, 10**15) < huge < 1e-12


@pytest.mark.parametrize(("R", "N", "cut"), [(2, 25_000_000, 24_999_997), (5, 10**12, 10**12 - 6)])
def test_ap_floor_where_few_documents_are_left(R, N, cut):
    M = N - cut
    expected = (Fraction(R, M) * (1 + Fraction((t - 1) * (R - 1), M - 1)) / (cut + t) for t in range(1, M + 1))
    value = ap_floor([], R, N, retrieved=cut, rest="random")
    assert value == pytest.approx(float(sum(expected) / R), rel=1e-14, abs=0)
    assert ap_floor([], R, N) <= value


@pytest.mark.parametrize("c", [0, 1, 500, 999, 1000, 1001, 5000, 10**6, 10**12])
@pytest.mark.parametrize("M", [1, 2, 999, 1000, 1001, 1500, 30_000])
def test_sums_over_positions(c, M):
    # In integer multiples of 2^-200.
    one = 1 << 200
    inverse, weighted = position_sums(c, M)
    exact = [sum(w * one // (c + t) for t, w in enumerate(weights, 1)) / one for weights in ([1] * M, range(M))]
    assert inverse == pytest.approx(exact[0], rel=1e-14, abs=0)
    assert weighted == pytest.approx(exact[1], rel=2e-13, abs=0)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: ap_floor([0], 1, 10), ValueError, "'relevant_ranks' must be 1 or more, not 0"),
        (lambda: ap_floor([1, 1], 2, 10), ValueError, "different ranks from 1 to the 1 documents retrieved"),
        (lambda: ap_floor([1, 2, 3], 2, 10), ValueError, "do not fit together: 3 of 2 relevant documents among 3 retr"),
        (lambda: ap_floor([], 0, 10), ValueError, "'n_relevant' must be 1 or more, not 0"),
        (lambda: ap_floor([], 1, 0), ValueError, "'collection_size' must be 1 or more, not 0"),
        (
            lambda: ap_floor([], 11, 10),
            ValueError,
            "do not fit together: 0 of 11 relevant documents among 0 retrieved of",
        ),
        (lambda: ap_floor([11], 1, 10), ValueError, "do not fit together"),
        (lambda: ap_floor([], 1, 10, retrieved=11), ValueError, "do not fit together"),
        (lambda: ap_floor([], 1, 10, retrieved=-1), ValueError, "'retrieved' must be 0 or more, not -1"),
        (lambda: ap_floor([1.5], 1, 10), TypeError, "'relevant_ranks' must be a whole number, not 1.5"),
        (lambda: ap_floor([1], True, 10), TypeError, "'n_relevant' must be a whole number, not True"),
        (lambda: ap_floor([1], 1, 10.0), TypeError, "'collection_size' must be a whole number, not 10.0"),
        (lambda: ap_floor([1], 1, 10, retrieved="5"), TypeError, "'retrieved' must be a whole number, not '5'"),
        (lambda: ap_floor([6], 1, 10, retrieved=5), ValueError, "different ranks from 1 to the 5"),
        (lambda: ap_floor([], 6, 10, retrieved=5), ValueError, "do not fit together"),
        (lambda: ap_floor([], 1, 10, rest="first"), ValueError, "'rest' must be one of last, random, not 'first'"),
        (lambda: ap_floor([], 1, 10, rest=np.zeros(2)), ValueError, "'rest' must be one of last, random"),
    ],
)
def test_numbers_that_contradict_each_other_are_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_numbers_that_just_fit():
    assert ap_floor([5], 1, 10, retrieved=5) == 0.2
    assert ap_floor([1, 2], 2, 2) == 1
    assert ap_floor([], 5, 10, retrieved=5) == pytest.approx(sum(i / (5 + i) for i in range(1, 6)) / 5)
    assert ap_floor([], 1, 1, retrieved=0) == 1
    assert ap_floor(np.array([3, 1]), np.int64(2), np.int32(10)) == pytest.approx((1 + 2 / 3) / 2)
