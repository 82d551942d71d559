"""What scripts/bench measures of rank-biased overlap: beside matrices in NumPy, a sort, a loop, and the package rbo."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from bench_subjects import Target

from ircor.overlap import rbo, rbo_many, rbo_scores

P = 0.98


def turns(*calls: Callable[[], object], rounds: int = 7) -> list[float]:
    """The least processor time of each call; in each round every one has its turn, of 10 milliseconds or more."""
    best = [float("inf")] * len(calls)
    times = [1] * len(calls)
    for _ in range(rounds):
        for k, call in enumerate(calls):
            start = time.process_time()
            for _ in range(times[k]):
                call()
            best[k] = min(best[k], (time.process_time() - start) / times[k])
            times[k] = max(1, int(0.01 / max(best[k], 1e-6)))
    return best


def overlap(rng: np.random.Generator) -> list[Target]:
    return [*short(rng), *long(rng), *many(rng)]


def ranked(n: int, rng: np.random.Generator, ties: bool) -> list[list[Any]]:
    """Two lists of n documents with two thirds of them in common; with ties, in threes."""
    ids = np.array([f"clueweb09-en0000-{k % 97:02d}-{k:07d}" for k in range(3 * n // 2)])
    lists = [rng.permutation(ids)[:n].tolist() for _ in "xy"]
    return [[set(side[k : k + 3]) for k in range(0, n, 3)] for side in lists] if ties else lists


def short(rng: np.random.Generator) -> list[Target]:
    """Two lists of 1,000."""
    found = []
    for ties in (False, True):
        x, y = ranked(1_000, rng, ties)
        np.testing.assert_allclose(list(rbo(x, y, P, score=["ext", "min", "max"]).values()), by_matrices(x, y, P))
        ours, theirs = turns(lambda x=x, y=y: rbo(x, y, P), lambda x=x, y=y: by_matrices(x, y, P))
        what = f"rbo / items x depths in NumPy, lists of 1,000{' with ties' if ties else ''}"
        # Strings have to be hashed and compared, and the sets of ties to be read.
        found.append(Target(what, ours / theirs, 1 / 120 if ties else 1 / 300))
    x, y = ranked(1_000, rng, False)
    codes = {item: k for k, item in enumerate({*x, *y})}
    arrays = [np.array([codes[item] for item in side]) for side in (x, y)]
    ours, theirs = turns(lambda: rbo(*arrays, P), lambda: by_matrices(x, y, P))
    found.append(Target("rbo of integers / items x depths in NumPy, arrays of 1,000", ours / theirs, 1 / 500))
    return found + beside_rbo(x, y)


def beside_rbo(x: list[Any], y: list[Any]) -> list[Target]:
    """PyPI's rbo, which has no ties, if it is installed."""
    try:
        from rbo import RankingSimilarity
    except ImportError:
        return []
    ours, theirs = turns(lambda: rbo(x, y, P), lambda: RankingSimilarity(x, y).rbo_ext(p=P))
    return [Target("rbo / rbo_ext of the package rbo, lists of 1,000", ours / theirs, 1 / 5)]


def by_matrices(x: list[Any], y: list[Any], p: float) -> list[float]:
    """ext, min and max by the definition, with ties="a": matrices of all items by all depths."""
    spans: list[dict[Any, tuple[int, int]]] = [{}, {}]
    for ranking, ranks in zip((x, y), spans):
        top = 1
        for entry in ranking:
            tied = entry if isinstance(entry, set) else (entry,)
            ranks.update(dict.fromkeys(tied, (top, top + len(tied) - 1)))
            top += len(tied)
    S, L = spans if len(spans[0]) < len(spans[1]) else spans[::-1]
    s, l = len(S), len(L)  # noqa: E741
    items = [*L, *(item for item in S if item not in L)]
    d = np.arange(1, l + 1)
    shares = []
    for ranks in (S, L):
        # An item that is not in the ranking is below all depths.
        spans_of_items = np.array([ranks.get(item, (l + 1, l + 1)) for item in items])
        top, bottom = spans_of_items[:, 0, None], spans_of_items[:, 1, None]
        shares.append(np.clip((d - top + 1) / (bottom - top + 1), 0, 1))
    in_S, in_L = shares
    common = (in_S * in_L).sum(axis=0)
    only_L = in_L[[item not in S for item in items]]
    k = np.clip(d - s, 0, None)
    at_s = common[s - 1] / s
    reached = np.maximum((only_L > 0).sum(axis=0), 1)
    guessed = k * at_s * only_L.sum(axis=0) / reached
    best = (only_L * (np.arange(1, len(only_L) + 1)[:, None] <= k)).sum(axis=0)
    total = common[-1]
    f = int(l + s - total)
    beyond = np.arange(l + 1, f + 1)
    tails = [
        (total + (l - s) * at_s) / l * p ** (l + 1) / (1 - p),
        total * (-np.log1p(-p) - np.sum(p**d / d)),
        np.sum((2 * beyond - f) / beyond * p**beyond) + p ** (f + 1) / (1 - p),
    ]
    heads = [common + guessed, common, common + best]
    return [float((1 - p) / p * (np.sum(head / d * p**d) + tail)) for head, tail in zip(heads, tails)]


def long(rng: np.random.Generator) -> list[Target]:
    """A million items each, beside one sort of as many."""
    n = 1_000_000
    x, y = rng.random(n), rng.random(n)
    tied = x.round(4), y.round(4)
    items = [rng.permutation(2 * n)[:n] for _ in "xy"]
    apart = [side * 10**12 for side in items]
    calls = {
        "rbo_scores": (lambda: rbo_scores(x, y, P), x),
        "rbo_scores with ties": (lambda: rbo_scores(*tied, P), tied[0]),
        "rbo of integers": (lambda: rbo(*items, P), items[0]),
        "rbo of integers far apart": (lambda: rbo(*apart, P), apart[0]),
    }
    found = []
    for what, (call, values) in calls.items():
        ours, sort = turns(call, lambda values=values: np.argsort(values))
        # Scores are sorted twice, which takes two thirds of the time.
        found.append(Target(f"{what} / argsort, n = 10^6", ours / sort, 3.5 if "scores" in what else 3))
    return found


def many(rng: np.random.Generator) -> list[Target]:
    """10,000 pairs of lists of 100."""
    pairs = [ranked(100, rng, False) for _ in range(10_000)]
    x, y = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    rows = [np.array([rng.permutation(150)[:100] for _ in pairs]) for _ in "xy"]
    at_once, loop, arrays = turns(
        lambda: rbo_many(x, y, P), lambda: [rbo(*pair, P) for pair in pairs], lambda: rbo_many(*rows, P)
    )
    return [
        Target("rbo_many of 10,000 pairs of lists of 100: microseconds a pair", at_once * 100, 10),
        Target("the same, of arrays of integers", arrays * 100, 10),
        Target("rbo_many / a loop of rbo, the same lists", at_once / loop, 1),
    ]
