"""One coefficient for each of many groups of rows, with `cor_by`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

import ircor

from .clock import Time
from .figures import Figure, Table
from .run import Run

if TYPE_CHECKING:
    import pandas

GROUPS, KEYS, MEMORY = Table("cor_by"), Table("cor_by, keys"), Table("memory of cor_by")
MILLION = 1_000_000
SAMPLES = {"SciPy": 500, "pandas": 500, "ircor": 5_000}
"""Groups that `apply` gets with the function of each: its time for all of them is taken to be in proportion."""

PREPARE = """
from _bench.groups import grouped
keys, x, y = grouped(int(sys.argv[1]), np.random.default_rng(1))
if sys.argv[2] == "unsorted":
    np.random.default_rng(2).shuffle(keys)
ircor.cor_by(keys[:100], x[:100], y[:100])
"""


def grouped(count: int, rng: np.random.Generator, most: int = 100) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """So many groups of 10 to 100 rows or of fewer, one after the other, and two scores for each row."""
    sizes = rng.integers(10, most + 1, count)
    x = rng.random(sizes.sum())
    return np.repeat(np.arange(count), sizes), x, x + rng.normal(0, 0.3, len(x))


def measure(run: Run) -> Iterator[Figure]:
    if not run.peer("pandas"):
        return
    yield from strings(run)
    for most in (10, 100):
        yield from beside_apply(most, run)
    yield from large(run)
    yield from memory(run)


def beside_apply(most: int, run: Run) -> Iterator[Figure]:
    """A million groups, and `groupby(...).apply` on a sample of them."""
    import pandas

    count = run.pick(MILLION, 300)
    keys, x, y = grouped(count, run.rng, most)
    calls = {
        "one": lambda: ircor.cor_by(keys, x, y, n_jobs=1),
        "two": lambda: ircor.cor_by(keys, x, y, n_jobs=2),
    }
    rows = {}
    for name, function in applied(run).items():
        first = keys < run.pick(SAMPLES[name], 100)
        few = pandas.DataFrame({"group": keys, "x": x, "y": y}).loc[first]
        rows[name] = len(x) / len(few)
        calls[name] = lambda few=few, function=function: few.groupby("group")[["x", "y"]].apply(function)
    times = run.turns(calls, 3, budget=8)
    column = f"{count:,} groups of 10{f' to {most}' if most > 10 else ''} rows"
    said = "pandas, `groupby(...).apply`, with {}, from {:,} groups"
    own = "`ircor.tau_b`"
    for name, function in {"SciPy": "SciPy's `kendalltau`", "pandas": "its own `corr`", "ircor": own}.items():
        if name in rows:
            # The longer the groups, the more of the time of `apply` is our own call, which is fast.
            target = 150 if name != "ircor" or most == 10 else None
            time = times[name] * rows[name]
            yield GROUPS.faster(said.format(function, run.pick(SAMPLES[name], 100)), column, times["one"], time, target)
    yield GROUPS.elapsed("`cor_by` on one job, beside two jobs, elapsed time", column, times["two"], times["one"])


def applied(run: Run) -> dict[str, Callable[[pandas.DataFrame], float]]:
    """What `apply` may be given."""
    functions = {"ircor": lambda rows: ircor.tau_b(rows["x"], rows["y"])}
    if stats := run.peer("scipy", "scipy.stats"):
        functions["SciPy"] = lambda rows: stats.kendalltau(rows["x"], rows["y"]).statistic
    functions["pandas"] = lambda rows: rows["x"].corr(rows["y"], method="kendall")
    return functions


def large(run: Run) -> Iterator[Figure]:
    """A million groups: rows that are not side by side, and the time of a row."""
    count, sample = run.pick((MILLION, 5_000), (300, 100))
    keys, x, y = grouped(count, run.rng)
    mixed = run.rng.permutation(keys)
    first = keys < sample
    own = keys[first], x[first], y[first]
    calls = {
        "sorted": lambda: ircor.cor_by(keys, x, y, n_jobs=1),
        "few": lambda: ircor.cor_by(*own, n_jobs=1),
        "unsorted": lambda: ircor.cor_by(mixed, x, y, n_jobs=1),
    }
    times = run.turns(calls, 5, budget=8)
    column = f"{count:,} groups"
    by_few = times["few"] * (len(x) / len(own[0]))
    # The least elapsed time: to move the rows takes memory, which a virtual machine may have to find first, and for
    # longer than the call lasts.
    row = "groups that are not side by side, beside those that are, elapsed time"
    yield KEYS.longer(row, column, times["unsorted"], times["sorted"], 3, elapsed=True)
    yield KEYS.longer(f"a row, beside a row of {sample:,} groups", column, times["sorted"], by_few)


def strings(run: Run) -> Iterator[Figure]:
    """The names of queries in place of numbers."""
    import pandas

    count = run.pick(100_000, 100)
    keys, x, y = grouped(count, run.rng)
    names = np.array([f"query-{k:07d}" for k in range(count)], dtype=object)[keys]
    series = pandas.Series(names)
    calls = {
        "numbers": lambda: ircor.cor_by(keys, x, y, n_jobs=1),
        "objects": lambda: ircor.cor_by(names, x, y, n_jobs=1),
        "series": lambda: ircor.cor_by(series, x, y, n_jobs=1),
    }
    if polars := run.peer("polars"):
        texts = polars.Series(names.tolist())
        categories = texts.cast(polars.Categorical)
        calls["polars"] = lambda: ircor.cor_by(texts, x, y, n_jobs=1)
        calls["categories"] = lambda: ircor.cor_by(categories, x, y, n_jobs=1)
    times: dict[str, Time] = run.turns(calls, 3)
    column = f"{count:,} groups"
    for name, row in {
        "objects": "strings in an array",
        "series": "strings in a pandas Series",
        "polars": "strings in a Polars Series",
        "categories": "categories in a Polars Series",
    }.items():
        if name in times:
            yield KEYS.longer(f"{row}, beside integers", column, times[name], times["numbers"])


def memory(run: Run) -> Iterator[Figure]:
    """Memory beside that of the three arrays."""
    count = run.pick(MILLION, 1_000)
    for order in ("sorted", "unsorted"):
        found = run.beyond(PREPARE, "ircor.cor_by(keys, x, y, n_jobs=1)", count, order)
        if found is not None:
            size = 3 * 8 * 55 * count
            yield MEMORY.amount(
                f"{order} groups, bytes beside those of the input", f"{count:,} groups", found / size, 3
            )
