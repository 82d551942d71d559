"""Groups within Polars, DuckDB and Arrow, beside `cor_by` on arrays; and groups in files that are read in parts."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import ircor

from .clock import Clocked
from .figures import Figure, Table
from .run import Run

ENGINES, SHUFFLED = Table("engines"), Table("engines, shuffled rows")
STREAM, MEMORY = Table("cor_parquet"), Table("memory of cor_parquet, megabytes")
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
    yield from side_by_side(keys, x, y, count, sample, run)
    mixed = run.rng.permutation(len(keys))
    yield from shuffled(keys[mixed], x[mixed], y[mixed], count, run)
    yield from streams(run)


def side_by_side(keys: np.ndarray, x: np.ndarray, y: np.ndarray, count: int, sample: int, run: Run) -> Iterator[Figure]:
    """`cor_by` finds out that groups are side by side, and Polars is told by `set_sorted`."""
    calls: dict[str, Callable[[], object] | Clocked] = {"cor_by": lambda: ircor.cor_by(keys, x, y, METHOD, n_jobs=1)}
    calls |= arrow_lists(keys, x, y, run) | in_duckdb(keys, x, y, run)
    calls |= in_polars(keys, x, y, run, ordered=True) | in_polars(keys, x, y, run, ordered=False)
    calls |= beside_polars(keys, x, y, sample, run)
    times = run.turns(calls, 5, budget=5)
    ours = times.pop("cor_by")
    for name, time in times.items():
        time = time * (count / sample) if f"{sample:,} groups" in name else time
        yield ENGINES.longer(name, f"{count:,} groups", time, ours, {POLARS + TOLD: 2.0}.get(name))


def shuffled(keys: np.ndarray, x: np.ndarray, y: np.ndarray, count: int, run: Run) -> Iterator[Figure]:
    """Both look for the rows of a group."""
    calls: dict[str, Callable[[], object] | Clocked] = {"cor_by": lambda: ircor.cor_by(keys, x, y, METHOD, n_jobs=1)}
    times = run.turns(calls | in_polars(keys, x, y, run, ordered=False), 5, budget=5)
    ours = times.pop("cor_by")
    for name, time in times.items():
        yield SHUFFLED.longer(name, f"{count:,} groups", time, ours, {POLARS: 2.0}.get(name))


POLARS = f"`ircor.polars`, `group_by(...).agg({METHOD}(...))`"
ALONE = "Polars alone, `group_by(...).agg` of the two lists"
TOLD = ", with `set_sorted` groups"


def arrow_lists(keys: np.ndarray, x: np.ndarray, y: np.ndarray, run: Run) -> dict[str, Callable[[], object]]:
    cor_lists = run.ours(lambda: ircor.cor_lists, "ircor.cor_lists")
    pyarrow = run.peer("pyarrow")
    if cor_lists is None or pyarrow is None:
        return {}
    offsets = pyarrow.array(np.arange(0, len(x) + 1, ROWS, dtype=np.int32))
    a, b = (pyarrow.ListArray.from_arrays(offsets, pyarrow.array(values)) for values in (x, y))
    return {"`ircor.cor_lists`, Arrow list columns": lambda: cor_lists(a, b, METHOD)}


def in_polars(
    keys: np.ndarray, x: np.ndarray, y: np.ndarray, run: Run, ordered: bool
) -> dict[str, Callable[[], object]]:
    polars = run.peer("polars")
    if polars is None:
        return {}
    groups = polars.Series(keys)
    frame = polars.DataFrame({"g": groups.set_sorted() if ordered else groups, "a": x, "b": y})
    told = TOLD if ordered else ""
    calls: dict[str, Callable[[], object]] = {ALONE + told: lambda: frame.group_by("g").agg("a", "b")}
    expressions = run.ours(lambda: importlib.import_module("ircor.polars"), "ircor.polars")
    if expressions is not None:
        ours = getattr(expressions, METHOD)
        calls[POLARS + told] = lambda: frame.group_by("g").agg(ours("a", "b"))
    return calls


def beside_polars(
    keys: np.ndarray, x: np.ndarray, y: np.ndarray, sample: int, run: Run
) -> dict[str, Callable[[], object]]:
    """Other ways to the same in Polars, with some of the groups."""
    polars = run.peer("polars")
    if polars is None:
        return {}
    few = polars.DataFrame({"g": keys, "a": x, "b": y}).filter(polars.col("g") < sample)
    calls: dict[str, Callable[[], object]] = {}
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


PREPARE = """
import pyarrow
from _bench.engines import bare, streamed
ones = pyarrow.record_batch({"g": [1, 1], "a": [1.0, 2.0], "b": [1.0, 2.0]})
ircor.cor_parquet([ones], "g", "a", "b").read_all()
"""


def streams(run: Run) -> Iterator[Figure]:
    """Files with one batch of rows and with many, of ten rows a group."""
    cor_parquet = run.ours(lambda: ircor.cor_parquet, "ircor.cor_parquet")
    if cor_parquet is None or run.peer("pyarrow") is None:
        return
    block, counts = run.pick((100_000, (1_000_000, 10_000_000)), (20, (100, 200)))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "scores.parquet"
        for count in counts:
            write(path, count, block, run.rng)
            for row, call in {"`cor_parquet`": "streamed", "a bare read by pyarrow": "bare"}.items():
                found = run.beyond(PREPARE, f"{call}(sys.argv[1])", path)
                if found is not None:
                    yield MEMORY.amount(row, f"{count:,} groups", found / 1e6)
        times = run.turns({"ours": lambda: streamed(str(path)), "bare": lambda: bare(str(path))}, 2, budget=10)
        row = "beside a bare read of the file by pyarrow"
        yield STREAM.longer(row, f"{counts[-1]:,} groups", times["ours"], times["bare"])


def write(path: Path, count: int, block: int, rng: np.random.Generator) -> None:
    """A file of so many groups, whose scores are repeated with each block of them."""
    pyarrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    keys = np.repeat(np.arange(block), 10)
    table = pyarrow.table({"g": keys, "a": rng.random(len(keys)), "b": rng.random(len(keys))})
    with parquet.ParquetWriter(path, table.schema, compression="none", use_dictionary=["g"]) as file:
        for first in range(0, count, block):
            file.write_table(table.set_column(0, "g", pyarrow.array(keys + first)))


def streamed(path: str) -> int:
    return sum(batch.num_rows for batch in ircor.cor_parquet(path, "g", "a", "b", METHOD))


def bare(path: str) -> int:
    """With the options that keep what is in memory small, as `cor_parquet` has them."""
    parquet, ours = importlib.import_module("pyarrow.parquet"), importlib.import_module("ircor.tables._streams")
    with parquet.ParquetFile(path, pre_buffer=False, buffer_size=ours.BUFFER) as file:
        return sum(batch.num_rows for batch in file.iter_batches(ours.ROWS))
