"""Judges: scoring runs, and the intervals of many judges."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import ircor
from ircor._core.work import Resampling
from ircor.data._scores import Scores
from ircor.judging._judges import judge_coefficients
from ircor.judging._result import Settings
from ircor.trec import judgments_of, measures_of, score_by_each

from .figures import Figure, Table
from .run import Run

SCORE, JUDGES = Table("score"), Table("judges")
MEASURES = ["nDCG@10", "AP"]
DOCUMENTS = 1_000


def measure(run: Run) -> Iterator[Figure]:
    yield from many(run)
    if run.peer("ir_measures"):
        with tempfile.TemporaryDirectory() as name:
            topics, runs = run.pick((50, 100), (3, 2))
            yield from scoring(*collection(Path(name), run.rng, topics, runs), f"{runs} runs of {topics} topics")


def collection(folder: Path, rng: np.random.Generator, topics: int, runs: int) -> tuple[list[Path], list[Path]]:
    """Runs of 1,000 documents a topic, and two sets of judgments of as many."""
    docs = {t: [f"clueweb09-en{t:04d}-{k % 97:02d}-{k:05d}" for k in range(3000)] for t in range(1, topics + 1)}
    qrels = [folder / "people.qrels", folder / "model.qrels"]
    for path in qrels:
        shape = topics, DOCUMENTS
        grades = np.where(rng.random(shape) < 0.2, rng.integers(0, 4, shape), 0)
        path.write_text(
            "".join(f"{t} 0 {docs[t][k]} {grades[t - 1, k]}\n" for t in docs for k in range(DOCUMENTS)),
            encoding="utf-8",
        )
    paths = []
    for s in range(runs):
        lines = []
        for t in docs:
            scores = 20 * np.sort(rng.random(DOCUMENTS))[::-1]
            chosen = rng.permutation(3000)[:DOCUMENTS]
            lines += [f"{t} Q0 {docs[t][k]} {r} {x:.6f} s{s}\n" for r, (k, x) in enumerate(zip(chosen, scores), 1)]
        paths.append(folder / f"s{s}.run")
        paths[-1].write_text("".join(lines), encoding="utf-8")
    return paths, qrels


class Timed:
    """An evaluator of ir_measures that adds up its processor time."""

    spent = 0.0

    def __init__(self, evaluator: Any) -> None:
        self.evaluator = evaluator

    def iter_calc(self, run: Any) -> list[Any]:
        start = time.process_time()
        found = list(self.evaluator.iter_calc(run))
        Timed.spent += time.process_time() - start
        return found


def scoring(paths: list[Path], qrels: list[Path], column: str) -> Iterator[Figure]:
    """Our part of the time, and all of it beside ir_measures with its own reader."""
    import ir_measures

    judgments = {path.stem: judgments_of(path, path.stem) for path in qrels}
    measures = measures_of(MEASURES)
    make = ir_measures.evaluator
    Timed.spent = 0.0
    with patch("ir_measures.evaluator", lambda *arguments: Timed(make(*arguments))):
        start = time.process_time()
        score_by_each(paths, judgments, measures, "error", False, in_process=True)
        ours = time.process_time() - start
    start = time.process_time()
    for path in paths:
        for _ in ir_measures.read_trec_run(str(path)):
            pass
    reading = time.process_time() - start
    yield SCORE.amount("our part of the whole", column, 1 - Timed.spent / ours, 1 / 3)
    yield SCORE.amount("beside ir_measures with its own reader", column, ours / (reading + Timed.spent), 1)


def many(run: Run) -> Iterator[Figure]:
    """Ten judges, all coefficients and their differences, beside one bootstrap."""
    n, m = run.pick((50, 100), (20, 6))
    X = run.rng.normal(0, 0.2, (n, 1)) + run.rng.normal(0, 0.1, m) + run.rng.normal(0, 0.2, (n, m))
    Y = {f"judge {k}": Scores.of(X + run.rng.normal(0, 0.15, X.shape)) for k in range(10)}
    resamples = run.pick(10_000, 100)
    calls = {
        "one": lambda: ircor.bootstrap(X, Y["judge 0"], "tau_b", resamples, 1, progress=False),
        "ten": lambda: judge_coefficients(
            "AP", Scores.of(X), Y, Settings(("tau_b", "tauAP_b")), Resampling(resamples, 1, None, False)
        ),
    }
    times = run.turns(calls, 3)
    row = "ten judges, two coefficients, all differences, beside one `bootstrap`"
    yield JUDGES.longer(row, f"{n} topics x {m} systems", times["ten"], times["one"], 10)
