"""Reading what trec_eval writes, beside readers of columns that know nothing of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ircor.trec import read_eval

from .figures import Figure, Table
from .run import Run

READER = Table("reader")
LINES = 1_500_000
NAMES = ["measure", "topic", "value"]
MEASURES = [
    *("map", "gm_map", "Rprec", "bpref", "recip_rank", "ndcg", "infAP", "set_P", "set_recall", "set_F"),
    *(f"iprec_at_recall_{k / 10:.2f}" for k in range(11)),
    *(
        f"{name}_{k}"
        for name in ("P", "recall", "ndcg_cut", "map_cut", "success", "relative_P")
        for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)
    ),
]


def measure(run: Run) -> Iterator[Figure]:
    topics = run.pick(200, 5)
    systems = run.pick(LINES // (topics * len(MEASURES)), 2)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        many = [evaluated(folder / f"system{k}.eval", topics, run.rng) for k in range(systems)]
        yield from beside(f"{systems} files", many, run)
        one = evaluated(folder / "one.eval", topics * systems, run.rng)
        yield from beside("one file", [one], run)


def evaluated(path: Path, topics: int, rng: np.random.Generator) -> Path:
    """What `trec_eval -q` writes: each topic's measures, then the averages."""
    values = rng.random((topics, len(MEASURES)))
    lines = [
        f"{name:<22}\t{topic}\t{value:.4f}\n"
        for topic, row in enumerate(values, 301)
        for name, value in zip(MEASURES, row)
    ]
    lines += [f"{name:<22}\tall\t{value:.4f}\n" for name, value in zip(MEASURES, values.mean(axis=0))]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def beside(column: str, paths: list[Path], run: Run) -> Iterator[Figure]:
    calls: dict[str, Callable[[], object]] = {"ours": lambda: read_eval(paths, progress=False)}
    if run.peer("pyarrow"):
        from pyarrow import csv

        names = csv.ReadOptions(use_threads=False, column_names=NAMES)
        tabs = csv.ParseOptions(delimiter="\t")
        types = csv.ConvertOptions(column_types=dict(zip(NAMES, ("string", "string", "float64"))))
        calls["a bare `pyarrow.csv.read_csv`"] = lambda: [csv.read_csv(path, names, tabs, types) for path in paths]
    if polars := run.peer("polars"):
        schema = dict(zip(NAMES, (polars.Utf8, polars.Utf8, polars.Float64)))
        calls["a bare `polars.read_csv`"] = lambda: [
            polars.read_csv(path, separator="\t", has_header=False, schema=schema) for path in paths
        ]
    if pandas := run.peer("pandas"):
        calls["a bare `pandas.read_csv`"] = lambda: [
            pandas.read_csv(path, sep="\t", names=NAMES, dtype={"topic": str}) for path in paths
        ]
    times = run.turns(calls, 3, budget=20)
    ours = times.pop("ours")
    for name, time in times.items():
        yield READER.longer(name, column, ours, time, None if "pandas" in name else 2)
