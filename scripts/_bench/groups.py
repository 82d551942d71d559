"""One coefficient for each of many groups of rows, with `cor_by`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import ircor

from .clock import Time
from .figures import Figure, Table
from .run import Run

GROUPS, KEYS, MEMORY = Table("cor_by"), Table("cor_by, keys"), Table("memory of cor_by")
MILLION = 1_000_000
SAMPLE = 5_000
"""Groups that pandas gets: its time for all of them is taken to be in proportion."""

PREPARE = """
from _bench.groups import grouped
keys, x, y = grouped(int(sys.argv[1]), np.random.default_rng(1))
if sys.argv[2] == "unsorted":
    np.random.default_rng(2).shuffle(keys)
ircor.cor_by(keys[:100], x[:100], y[:100])
"""


def grouped(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """So many groups of 10 to 100 rows, one after the other, and two scores for each row."""
    sizes = rng.integers(10, 101, count)
    x = rng.random(sizes.sum())
    return np.repeat(np.arange(count), sizes), x, x + rng.normal(0, 0.3, len(x))


def measure(run: Run) -> Iterator[Figure]:
    if not run.peer("pandas"):
        return
    yield from strings(run)
    yield from large(run)
    yield from memory(run)


def large(run: Run) -> Iterator[Figure]:
    """A million groups, and pandas on a sample of them."""
    import pandas

    count, sample = run.pick((MILLION, SAMPLE), (300, 100))
    keys, x, y = grouped(count, run.rng)
    mixed = run.rng.permutation(keys)
    first = keys < sample
    few = pandas.DataFrame({"group": keys, "x": x, "y": y}).loc[first]
    own = keys[first], x[first], y[first]
    calls = {
        "sorted": lambda: ircor.cor_by(keys, x, y, n_jobs=1),
        "applied": lambda: few.groupby("group")[["x", "y"]].apply(lambda rows: ircor.tau_b(rows["x"], rows["y"])),
        "few": lambda: ircor.cor_by(*own, n_jobs=1),
        "unsorted": lambda: ircor.cor_by(mixed, x, y, n_jobs=1),
        "two": lambda: ircor.cor_by(keys, x, y, n_jobs=2),
    }
    times = run.turns(calls, 3, budget=15)
    column = f"{count:,} groups"
    applied, by_few = times["applied"] * (len(x) / len(few)), times["few"] * (len(x) / len(few))
    scaled = f"pandas, `groupby(...).apply(tau_b)`, from {sample:,} groups"
    yield GROUPS.faster(scaled, column, times["sorted"], applied, 150)
    yield GROUPS.elapsed("the same, elapsed time beside two jobs", column, times["two"], applied, 100)
    yield KEYS.longer(
        "groups that are not side by side, beside those that are", column, times["unsorted"], times["sorted"], 3
    )
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
