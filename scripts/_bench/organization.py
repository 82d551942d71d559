"""Reliability and Sensitivity: how their time grows, and the double sum in R."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ircor.organization import Organization, evaluate

from .figures import Figure, Table
from .run import Run

GROWTH, BESIDE = Table("Reliability and Sensitivity, growth"), Table("Reliability and Sensitivity")


def measure(run: Run) -> Iterator[Figure]:
    yield from lists(run)
    yield from repeated(run)
    yield from in_r(run)


def lists(run: Run) -> Iterator[Figure]:
    """From n to 10 n documents, listed on both sides."""
    n = run.pick(10_000, 100)
    calls = {}
    for documents in (n, 10 * n):
        system, gold = (run.rng.permutation(2 * documents)[:documents].tolist() for _ in "sg")
        true = Organization.from_ranking(gold)
        calls[f"{documents}"] = lambda system=system, true=true: evaluate(
            Organization.from_ranking(system), true, top=30, weight=0.8
        )
    small, great = run.turns(calls, 5).values()
    expected = 10 * np.log(10 * n) / np.log(n)
    row = f"from {n:,} to {10 * n:,} documents, beside n log n"
    yield GROWTH.longer(row, "growth", great / expected, small, 2)


def repeated(run: Run) -> Iterator[Figure]:
    """Some documents are in several clusters."""
    n, few, many = run.pick((10_000, 100, 1_000), (300, 10, 100))
    sides = {k: [overlapping(n, k, run.rng) for _ in "sg"] for k in (few, many)}
    calls = {str(k): lambda k=k: evaluate(*sides[k], top=30, weight=0.8) for k in sides}
    small, great = run.turns(calls, 3).values()
    yield GROWTH.longer(f"from {few} to {many:,} repeated of {n:,}", "growth", great, small, 15)


def in_r(run: Run) -> Iterator[Figure]:
    r = run.r("ircorref")
    if r is None:
        return
    documents, again = run.pick((100, 20), (20, 4))
    sides = [overlapping(documents, again, run.rng) for _ in "sg"]
    for name, side in zip("sg", sides):
        r.take({"doc": side.documents, "level": side.level, "cluster": side.cluster})
        r.ask(f"{{ {name} <- data.frame(doc = doc, level = level, cluster = cluster); 1 }}")
    calls = {
        "ours": lambda: evaluate(*sides, top=30, weight=0.8),
        "R": r.clocked("ircorref::rs(s, g, top = 30, weight = 0.8)"),
    }
    times = run.turns(calls, 3)
    column = f"{documents} documents, {again} repeated"
    yield BESIDE.faster("R, plain loops", column, times["ours"], times["R"], 10)


def overlapping(documents: int, repeated: int, rng: np.random.Generator) -> Organization:
    """Clusters of about ten on twenty levels; some documents are in two of them."""
    ids = [*range(documents), *range(repeated)]
    cluster = rng.permutation(len(ids)) // 10
    levels: list[list[dict[int, None]]] = [[] for _ in range(20)]
    for k in range(cluster.max() + 1):
        levels[k % 20].append(dict.fromkeys(ids[i] for i in np.flatnonzero(cluster == k)))
    return Organization([[list(members) for members in level] for level in levels])
