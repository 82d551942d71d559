"""Groups within Polars, DuckDB and Arrow, beside `cor_by` on arrays."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator

import numpy as np

import ircor

from .clock import Clocked
from .figures import Figure, Table
from .run import Run

ENGINES = Table("engines")
METHOD = "tauAP_b"
GROUPS, ROWS = 50_000, 20
SAMPLE = 2_000
"""Groups that the slow ones get: their time for all is taken to be in proportion."""


def measure(run: Run) -> Iterator[Figure]:
    count = run.pick(GROUPS, 50)
    sample = min(SAMPLE, count)
    keys = np.repeat(np.arange(count), ROWS)
    x = run.rng.random(len(keys))
    y = x + run.rng.normal(0, 0.3, len(x))
    calls: dict[str, Callable[[], object] | Clocked] = {"cor_by": lambda: ircor.cor_by(keys, x, y, METHOD, n_jobs=1)}
    calls |= arrow_lists(keys, x, y, run) | in_polars(keys, x, y, sample, run) | in_duckdb(keys, x, y, run)
    times = run.turns(calls, 5, budget=5)
    ours = times.pop("cor_by")
    for name, time in times.items():
        time = time * (count / sample) if f"{sample:,} groups" in name else time
        yield ENGINES.longer(name, f"{count:,} groups", time, ours, {POLARS: 2.0}.get(name))


POLARS = f"`ircor.polars`, `group_by(...).agg({METHOD}(...))`"


def arrow_lists(keys: np.ndarray, x: np.ndarray, y: np.ndarray, run: Run) -> dict[str, Callable[[], object]]:
    cor_lists = run.ours(lambda: ircor.cor_lists, "ircor.cor_lists")
    pyarrow = run.peer("pyarrow")
    if cor_lists is None or pyarrow is None:
        return {}
    offsets = pyarrow.array(np.arange(0, len(x) + 1, ROWS, dtype=np.int32))
    a, b = (pyarrow.ListArray.from_arrays(offsets, pyarrow.array(values)) for values in (x, y))
    return {"`ircor.cor_lists`, Arrow list columns": lambda: cor_lists(a, b, METHOD)}


def in_polars(keys: np.ndarray, x: np.ndarray, y: np.ndarray, sample: int, run: Run) -> dict[str, Callable[[], object]]:
    polars = run.peer("polars")
    if polars is None:
        return {}
    frame = polars.DataFrame({"g": keys, "a": x, "b": y})
    few = frame.filter(polars.col("g") < sample)
    calls: dict[str, Callable[[], object]] = {
        "Polars alone, `group_by(...).agg` of the two lists": lambda: frame.group_by("g").agg("a", "b")
    }
    expressions = run.ours(lambda: importlib.import_module("ircor.polars"), "ircor.polars")
    if expressions is not None:
        ours = getattr(expressions, METHOD)
        calls[POLARS] = lambda: frame.group_by("g").agg(ours("a", "b"))
        ordered = frame.with_columns(polars.col("g").set_sorted())
        calls["the same, with `set_sorted` groups"] = lambda: ordered.group_by("g").agg(ours("a", "b"))
    if polars_ds := run.peer("polars_ds"):
        name = f"polars_ds, `group_by(...).agg(kendall_tau(...))`, from {sample:,} groups"
        calls[name] = lambda: few.group_by("g").agg(polars_ds.kendall_tau("a", "b"))
    function = getattr(ircor, METHOD)

    def one(rows):  # type: ignore[no-untyped-def]
        return rows.select("g").head(1).with_columns(polars.lit(function(rows["a"].to_numpy(), rows["b"].to_numpy())))

    calls[f"Polars, `map_groups` with `{METHOD}`, from {sample:,} groups"] = lambda: few.group_by("g").map_groups(one)
    return calls


def in_duckdb(keys: np.ndarray, x: np.ndarray, y: np.ndarray, run: Run) -> dict[str, Callable[[], object]]:
    functions = run.ours(lambda: importlib.import_module("ircor.duckdb"), "ircor.duckdb")
    duckdb = run.peer("duckdb")
    pyarrow = run.peer("pyarrow")
    if functions is None or duckdb is None or pyarrow is None:
        return {}
    connection = duckdb.connect(config={"threads": 1})
    functions.register(connection)
    connection.register("given", pyarrow.table({"g": keys, "a": x, "b": y}))
    connection.execute("CREATE TABLE rows AS SELECT * FROM given")
    make = "CREATE OR REPLACE TEMP TABLE found AS SELECT g, {} FROM rows GROUP BY g"
    alone, ours = make.format("list(a) AS a, list(b) AS b"), make.format(f"{METHOD}(list(a), list(b)) AS c")
    return {
        "DuckDB alone, `GROUP BY` with the two lists": lambda: connection.execute(alone),
        f"`ircor.duckdb`, `GROUP BY` with `{METHOD}(list(a), list(b))`": lambda: connection.execute(ours),
    }
