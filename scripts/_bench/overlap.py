"""Rank-biased overlap: beside matrices in NumPy, a sort, a loop, and the package rbo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ircor.overlap import rbo, rbo_many, rbo_scores

from .figures import Figure, Table
from .run import Run

SHORT, LONG, MANY = Table("rbo"), Table("rbo, sorts"), Table("rbo_many")
P = 0.98


def measure(run: Run) -> Iterator[Figure]:
    yield from short(run)
    yield from long(run)
    yield from many(run)


def ranked(n: int, rng: np.random.Generator, ties: bool) -> list[list[Any]]:
    """Two lists of n documents with two thirds of them in common; with ties, in threes."""
    ids = np.array([f"clueweb09-en0000-{k % 97:02d}-{k:07d}" for k in range(3 * n // 2)])
    lists = [rng.permutation(ids)[:n].tolist() for _ in "xy"]
    return [[set(side[k : k + 3]) for k in range(0, n, 3)] for side in lists] if ties else lists


def short(run: Run) -> Iterator[Figure]:
    """Two lists: of strings with and without ties, and arrays of integers."""
    n = run.pick(1_000, 60)
    column = f"lists of {n:,}"
    for ties in (False, True):
        x, y = ranked(n, run.rng, ties)
        np.testing.assert_allclose(list(rbo(x, y, P, score=["ext", "min", "max"]).values()), by_matrices(x, y, P))
        calls = {"ours": lambda x=x, y=y: rbo(x, y, P), "matrices": lambda x=x, y=y: by_matrices(x, y, P)}
        if not ties:
            codes = {item: k for k, item in enumerate({*x, *y})}
            arrays = [np.array([codes[item] for item in side]) for side in (x, y)]
            calls["integers"] = lambda arrays=arrays: rbo(*arrays, P)
            if package := run.peer("rbo"):
                calls["package"] = lambda x=x, y=y, package=package: package.RankingSimilarity(x, y).rbo_ext(p=P)
        times = run.turns(calls)
        row = f"matrices of items x depths in NumPy{', with ties' if ties else ''}"
        # Strings have to be hashed and compared, and the sets of ties to be read.
        yield SHORT.faster(row, column, times["ours"], times["matrices"], 90 if ties else 250)
        if "integers" in times:
            row = "the same, beside arrays of integers"
            yield SHORT.faster(row, column, times["integers"], times["matrices"], 450)
        if "package" in times:
            yield SHORT.faster("`rbo_ext` of the package rbo", column, times["ours"], times["package"], 5)


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


def long(run: Run) -> Iterator[Figure]:
    """A million items each, beside one sort of as many."""
    n = run.pick(1_000_000, 1_000)
    x, y = run.rng.random(n), run.rng.random(n)
    tied = x.round(4), y.round(4)
    items = [run.rng.permutation(2 * n)[:n] for _ in "xy"]
    apart = [side * 10**12 for side in items]
    calls = {
        "`rbo_scores`": (lambda: rbo_scores(x, y, P), x),
        "`rbo_scores` with ties": (lambda: rbo_scores(*tied, P), tied[0]),
        "`rbo` of integers": (lambda: rbo(*items, P), items[0]),
        "`rbo` of integers far apart": (lambda: rbo(*apart, P), apart[0]),
    }
    for row, (call, values) in calls.items():
        times = run.turns({"ours": call, "sort": lambda values=values: np.argsort(values)}, budget=4)
        # Integers far apart are hashed, and NumPy sorts integers with vector instructions where there are any.
        limit = 6 if "apart" in row else 3.5
        yield LONG.longer(row, f"{n:,} items", times["ours"], times["sort"], limit)


def many(run: Run) -> Iterator[Figure]:
    """Many pairs of lists of 100."""
    count = run.pick(10_000, 20)
    pairs = [ranked(100, run.rng, False) for _ in range(count)]
    x, y = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    rows = [np.array([run.rng.permutation(150)[:100] for _ in pairs]) for _ in "xy"]
    calls = {
        "at once": lambda: rbo_many(x, y, P),
        "loop": lambda: [rbo(*pair, P) for pair in pairs],
        "arrays": lambda: rbo_many(*rows, P),
    }
    times = run.turns(calls, budget=4)
    column = f"{count:,} pairs of lists of 100"
    yield MANY.faster("a loop over `rbo`", column, times["at once"], times["loop"], 1)
    yield MANY.faster("the same, beside arrays of integers", column, times["arrays"], times["loop"], 1)
