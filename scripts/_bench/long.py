"""One pair of long rankings: beside a sort, beside others, and its memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import ircor

from .figures import Figure, Table
from .rankings import SCIPY, others, pair, tied
from .run import Run

SORTS, MEMORY = Table("sorts"), Table("memory of a pair")
MILLION, TEN_MILLION, LARGE = 10**6, 10**7, 10**8
TIMES_SCIPY = 4
SORTS_AT_MOST = 2
BYTES = 16

PREPARE = """
n = int(sys.argv[1])
rng = np.random.default_rng(1)
x = rng.random(n)
y = rng.random(n)
y += x
ircor.tau_b(x[:100], y[:100])
"""


def measure(run: Run) -> Iterator[Figure]:
    yield from sorts(run)
    yield from beside_others(run.pick(MILLION, 2_000), True, run)
    for n in run.pick([MILLION, TEN_MILLION], [2_000]):
        yield from beside_others(n, False, run)
    yield from memory(run)


def sorts(run: Run) -> Iterator[Figure]:
    """Beside one argsort of as many numbers."""
    for n in [*run.pick([10**4, 10**5], [3_000]), *([LARGE] if run.large else [])]:
        x, y = pair(n, run.rng)
        mine = {f.__name__: lambda f=f, x=x, y=y: f(x, y) for f in (ircor.tau_b, ircor.tauAP_b)}
        times = run.turns(mine | {"sort": lambda x=x: np.argsort(x)})
        for name in mine:
            yield SORTS.longer(f"`{name}`", f"{n:,}", times[name], times["sort"])


def beside_others(n: int, ties: bool, run: Run) -> Iterator[Figure]:
    x, y = pair(n, run.rng)
    if ties:
        x, y = tied(x), tied(y)
    mine = {f.__name__: lambda f=f: f(x, y) for f in (ircor.tau_b, ircor.tauAP_b)}
    theirs = others(x, y, run)
    times = run.turns(mine | theirs, 5, budget=7)
    said = ", with ties" if ties else ""
    for name in mine:
        time, sort = times[name], times["`numpy.argsort`, once"]
        # NumPy's sorts take less time where values are equal; packed keys never are.
        limit = None if ties else SORTS_AT_MOST
        yield Table(f"sorts{said}").longer(f"`{name}`", f"{n:,}", time, sort, limit)
    pairs = Table(f"pairs{said}")
    yield pairs.longer("`ircor.tauAP_b`", f"{n:,}", times["tauAP_b"], times["tau_b"], 1.5)
    for name in theirs:
        limit = TIMES_SCIPY if name == SCIPY and not ties else None
        yield pairs.faster(name, f"{n:,}", times["tau_b"], times[name], limit)


def memory(run: Run) -> Iterator[Figure]:
    """Bytes an item beyond the two vectors."""
    for n in [run.pick(MILLION, 10_000), *run.pick([TEN_MILLION], []), *([LARGE] if run.large else [])]:
        for name in ("tau_b", "tauAP_b"):
            found = run.beyond(PREPARE, f"ircor.{name}(x, y)", n)
            if found is not None:
                limit = BYTES if n >= TEN_MILLION else None
                yield MEMORY.amount(f"`{name}`", f"{n:,} items", found / n, limit)
