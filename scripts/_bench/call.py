"""One call: what the six functions cost from ten items on, beside others, and what a Series costs more."""

from __future__ import annotations

from collections.abc import Iterator

import ircor

from .figures import Figure, Table
from .rankings import SCIPY, others, ours, pair, tied
from .run import Run

SERIES = Table("series")
SERIES_MORE = Table("series, microseconds more")
LENGTHS = [10, 50, 1_000, 100_000]
MICROSECONDS = {10: 2.0, 50: 3.0}
TIMES_SCIPY = {50: 80.0}
ALIKE = {100_000: 1.5}
"""Beside tau_b, where the call itself no longer counts."""


def measure(run: Run) -> Iterator[Figure]:
    for n in run.pick(LENGTHS, [10]):
        for ties in (False, True):
            yield from beside_others(n, ties, run)
        yield from series(n, run)


def beside_others(n: int, ties: bool, run: Run) -> Iterator[Figure]:
    """Each of ours and each of theirs, in turns."""
    x, y = pair(n, run.rng)
    if ties:
        x, y = tied(x), tied(y)
    mine, theirs = ours(x, y), others(x, y, run)
    if not ties:
        from scipy.stats import weightedtau

        theirs["`scipy.stats.weightedtau`"] = lambda: weightedtau(x, y, rank=None)
    times = run.turns(mine | theirs)
    said, column = ", with ties" if ties else "", f"{n:,}"
    pairs, calls, scipy = Table(f"pairs{said}"), Table(f"calls, microseconds{said}"), Table(f"SciPy{said}")
    for name in mine:
        if n in MICROSECONDS:
            yield calls.microseconds(f"`{name}`", column, times[name].cpu, times[name].wall, MICROSECONDS[n])
            yield scipy.faster(f"`{name}`", column, times[name], times[SCIPY], TIMES_SCIPY.get(n))
        if name != "tau_b":
            yield pairs.longer(f"`ircor.{name}`", column, times[name], times["tau_b"], ALIKE.get(n))
    for name in theirs:
        yield pairs.faster(name, column, times["tau_b"], times[name])


def series(n: int, run: Run) -> Iterator[Figure]:
    """A pandas and a Polars Series beside arrays of the same numbers."""
    x, y = pair(n, run.rng)
    for method in (ircor.tau_b, ircor.tauAP_b):
        calls = {"arrays": lambda f=method: f(x, y)}
        for name in ("pandas", "polars"):
            if package := run.peer(name):
                a, b = package.Series(x), package.Series(y)
                calls[f"{name.replace('polars', 'Polars')} Series"] = lambda f=method, a=a, b=b: f(a, b)
        times = run.turns(calls)
        bare = times.pop("arrays")
        for name, time in times.items():
            row = f"{name}, `{method.__name__}`"
            yield SERIES.longer(row, f"{n:,}", time, bare)
            if n in MICROSECONDS:
                yield SERIES_MORE.microseconds(row, f"{n:,}", time.cpu - bare.cpu, time.wall - bare.wall, 3)
