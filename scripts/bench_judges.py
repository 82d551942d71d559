"""What scripts/bench measures of judges: scoring runs, and the intervals of many judges."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import ir_measures
import numpy as np
from bench_subjects import Target

import ircor
from ircor._scores import Scores
from ircor.judging._coefficients import coefficients
from ircor.trec._measures import measures_of
from ircor.trec._score import judgments_of, score_by_each

MEASURES = ["nDCG@10", "AP"]


def cpu(call: Callable[[], object], rounds: int = 3) -> float:
    """The least processor time of some calls."""
    found = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return min(found)


def judges(rng: np.random.Generator, runs: int = 100) -> list[Target]:
    """Our share of the time to score runs of 50 topics by 1,000 documents; ten judges beside one bootstrap."""
    with tempfile.TemporaryDirectory() as name:
        paths, qrels = collection(Path(name), rng, runs)
        return [*scoring(paths, qrels), *many(rng)]


def collection(folder: Path, rng: np.random.Generator, runs: int) -> tuple[list[Path], list[Path]]:
    """Runs of 50 topics by 1,000 documents, and two sets of judgments of 1,000 documents a topic."""
    docs = {t: [f"clueweb09-en{t:04d}-{k % 97:02d}-{k:05d}" for k in range(3000)] for t in range(1, 51)}
    qrels = [folder / "people.qrels", folder / "model.qrels"]
    for path in qrels:
        grades = np.where(rng.random((50, 1000)) < 0.2, rng.integers(0, 4, (50, 1000)), 0)
        path.write_text(
            "".join(f"{t} 0 {docs[t][k]} {grades[t - 1, k]}\n" for t in docs for k in range(1000)), encoding="utf-8"
        )
    paths = []
    for s in range(runs):
        lines = []
        for t in docs:
            scores = 20 * np.sort(rng.random(1000))[::-1]
            chosen = rng.permutation(3000)[:1000]
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


def scoring(paths: list[Path], qrels: list[Path]) -> list[Target]:
    judgments = {path.stem: judgments_of(path, path.stem) for path in qrels}
    measures = measures_of(MEASURES)
    make = ir_measures.evaluator
    with patch("ir_measures.evaluator", lambda *arguments: Timed(make(*arguments))):
        start = time.process_time()
        score_by_each(paths, judgments, measures, "error", False)
        ours = time.process_time() - start
    start = time.process_time()
    for path in paths:
        for _ in ir_measures.read_trec_run(str(path)):
            pass
    reading = time.process_time() - start
    what = f"{len(paths)} runs x 50 x 1,000, 2 judgments"
    return [
        Target(f"score: our part of the whole, {what}", 1 - Timed.spent / ours, 1 / 3),
        Target(f"score / ir_measures with its own reader, {what}", ours / (reading + Timed.spent), 1),
    ]


def many(rng: np.random.Generator) -> list[Target]:
    X = rng.normal(0, 0.2, (50, 1)) + rng.normal(0, 0.1, 100) + rng.normal(0, 0.2, (50, 100))
    Y = [Scores.of(X + rng.normal(0, 0.15, X.shape), f"judge {k}") for k in range(10)]
    one = cpu(lambda: ircor.bootstrap(X, Y[0], "tau_b", seed=1, progress=False))
    ten = cpu(lambda: coefficients(Scores.of(X), Y, ["tau_b", "tauAP_b"], seed=1, progress=False))
    return [Target("ten judges, two coefficients, all differences / one bootstrap, 50 x 100", ten / one, 10)]
