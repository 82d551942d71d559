"""All pairs of the columns of a table, with `cor`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

import ircor

from .clock import Clocked, Time
from .figures import Figure, Table
from .rankings import wdm_function
from .run import Run

COR = Table("cor")
PANDAS = 'pandas, `corr(method="kendall")`'
LOOP = "a loop over `scipy.stats.kendalltau`"


def measure(run: Run) -> Iterator[Figure]:
    yield from short(run)
    yield from many(run)
    yield from middle(run)
    yield from long(run)


def table(n: int, m: int, run: Run) -> np.ndarray:
    """Items by rankings, correlated and without ties."""
    return run.rng.random((n, 1)) + run.rng.random((n, m))


def each_pair(X: np.ndarray, call: Callable[[np.ndarray, np.ndarray], object]) -> Callable[[], object]:
    """A double loop over the columns, each of which is contiguous."""
    columns = list(np.ascontiguousarray(X.T))
    return lambda: [call(columns[i], columns[j]) for i in range(len(columns)) for j in range(i)]


def beside(X: np.ndarray, run: Run) -> tuple[Time, dict[str, Time]]:
    """`cor` beside whatever takes a table."""
    calls: dict[str, Callable[[], object] | Clocked] = {"cor": lambda: ircor.cor(X, n_jobs=1)}
    if pandas := run.peer("pandas"):
        frame = pandas.DataFrame(X)
        calls[PANDAS] = lambda: frame.corr(method="kendall")
    if r := run.r("pcaPP"):
        r.take({"X": X})
        calls["R, `pcaPP::cor.fk`"] = r.clocked("pcaPP::cor.fk(X)")
    if run.peer("wdm", "pyvinecopulib"):
        wdm = wdm_function()
        calls["a loop over wdm"] = each_pair(X, lambda x, y: wdm(x, y, "kendall"))
    if len(X) <= 1000:
        from scipy.stats import kendalltau

        calls[LOOP] = each_pair(X, kendalltau)
        if r := run.r():
            calls['R, `cor(method = "kendall")`'] = r.clocked('cor(X, method = "kendall")')
    calls["a loop over `ircor.tau_b`"] = each_pair(X, ircor.tau_b)
    times = run.turns(calls, budget=4)
    return times.pop("cor"), times


def short(run: Run) -> Iterator[Figure]:
    n, m = run.pick((200, 60), (20, 4))
    ours, theirs = beside(table(n, m, run), run)
    for name, time in theirs.items():
        yield COR.faster(name, f"{n} x {m}", ours, time, {PANDAS: 20.0, LOOP: 50.0}.get(name))


def many(run: Run) -> Iterator[Figure]:
    """Many short rankings: systems by topics."""
    n, m = run.pick((50, 500), (10, 5))
    X = table(n, m, run)
    calls = {"cor": lambda: ircor.cor(X, n_jobs=1), "loop": each_pair(X, ircor.tau_b)}
    if pandas := run.peer("pandas"):
        frame = pandas.DataFrame(X)
        calls[PANDAS] = lambda: frame.corr(method="kendall")
    times = run.turns(calls, budget=4)
    yield COR.faster("a loop over `ircor.tau_b`", f"{n} x {m}", times["cor"], times["loop"], 30)
    if PANDAS in times:
        yield COR.faster(PANDAS, f"{n} x {m}", times["cor"], times[PANDAS])


def middle(run: Run) -> Iterator[Figure]:
    n, m = run.pick((10_000, 100), (200, 3))
    ours, theirs = beside(table(n, m, run), run)
    for name, time in theirs.items():
        yield COR.faster(name, f"{n:,} x {m}", ours, time, {PANDAS: 12.0}.get(name))


def long(run: Run) -> Iterator[Figure]:
    """Few long ones, where each is to be sorted once, and two threads."""
    n, m = run.pick((1_000_000, 8), (500, 3))
    X = table(n, m, run)
    calls = {
        "loop": each_pair(X, ircor.tau_b),
        "one": lambda: ircor.cor(X, n_jobs=1),
        "two": lambda: ircor.cor(X, n_jobs=2),
    }
    times = run.turns(calls, budget=6)
    yield COR.faster("a loop over `ircor.tau_b`", f"{n:,} x {m}", times["one"], times["loop"], 1 / 0.7)
    yield COR.elapsed("elapsed time of one job, beside two jobs", f"{n:,} x {m}", times["two"], times["one"], 1.4)
