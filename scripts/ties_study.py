"""How much a threshold of ties chosen on the same rows flatters, and how often the intervals of segments hold.

    scripts/ties_study.py [--samples N] [--folder docs]

Answers of systems to items have a true grade from 0 to 3, which depends on the system and on the item; a judge gives
the grade and noise.  Writes ties-calibration.csv and ties-segments.csv.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ircor.judging import calibrate, segments

FRESH, POPULATION = 200, 5000
SYSTEMS = 10


def grades(rng: np.random.Generator, items: int, systems: int) -> Any:
    """True grades, items by systems: most answers are alike on an easy or a difficult item."""
    latent = rng.normal(0, 1, (items, 1)) + np.linspace(-0.7, 0.7, systems) + rng.normal(0, 0.8, (items, systems))
    return np.digitize(latent, [-1, 0, 1])


def judged(rng: np.random.Generator, truth: Any, noise: float) -> Any:
    """The scores of a judge with this noise; without end, they are random."""
    return rng.normal(size=truth.shape) if noise == np.inf else truth + rng.normal(0, noise, truth.shape)


def mean_at(truth: Any, estimate: Any, epsilon: float) -> float:
    """The mean over rows of acc_eq, pair by pair."""
    i, j = np.triu_indices(truth.shape[1], 1)
    x, y = truth[:, i] - truth[:, j], estimate[:, i] - estimate[:, j]
    close = np.abs(y) <= epsilon
    return float(np.where((x == 0) | close, (x == 0) & close, np.sign(x) == np.sign(y)).mean())


def calibrations(samples: int) -> list[dict[str, Any]]:
    """The means over samples: on the same rows, with cross-fitting, and of the same threshold on other rows."""
    found = []
    for rows, items, noise in [(r, n, s) for r in (5, 20, 100) for n in (5, 20) for s in (0.5, 2, np.inf)]:
        rng = np.random.default_rng([rows, items])
        values = []
        for _ in range(samples):
            truth = grades(rng, rows, items)
            estimate = judged(rng, truth, noise)
            result = calibrate(truth, estimate)
            fresh = grades(rng, FRESH, items)
            other = mean_at(fresh, judged(rng, fresh, noise), result.threshold)
            values.append((result.at_zero, result.on_same_rows, result.value, other))
        means = np.mean(values, axis=0).round(4)
        names = ("at_zero", "same_rows", "cross_fit", "fresh_rows")
        found.append({"rows": rows, "items": items, "noise": noise, **dict(zip(names, means.tolist()))})
    return found


def answers_of(rng: np.random.Generator, items: int) -> pd.DataFrame:
    truth = grades(rng, items, SYSTEMS)
    columns = {"item": np.repeat(np.arange(items), SYSTEMS), "system": np.tile(np.arange(SYSTEMS), items)}
    judges = {name: judged(rng, truth, 1.0).round(1).ravel() for name in ("one", "other")}
    return pd.DataFrame({**columns, "truth": truth.ravel(), **judges})


def coverages(samples: int) -> list[dict[str, Any]]:
    """How often the intervals hold the values of a population of items, and how often equal judges are told apart."""
    rng = np.random.default_rng(1)
    methods = ["acc_eq", "tau_b"]
    population = segments(answers_of(rng, POPULATION), methods=methods, seed=1).values
    true = {(one.by, one.method): one.value for one in population if one.judge == "one"}
    found = []
    for items in (10, 30, 100):
        held: dict[tuple[str, str], list[bool]] = {key: [] for key in true}
        differing: dict[tuple[str, str], list[bool]] = {key: [] for key in true}
        rejected: dict[str, list[bool]] = {name: [] for name in methods}
        for _ in range(samples):
            result = segments(answers_of(rng, items), methods=methods, resamples=999, seed=int(rng.integers(2**31)))
            for one in result.values:
                if one.judge == "one":
                    held[one.by, one.method].append(one.low <= true[one.by, one.method] <= one.high)
            for one in result.differing:
                differing[one.by, one.method].append(one.low <= 0 <= one.high)
                if one.pvalue is not None:
                    rejected[one.method].append(one.pvalue <= 0.05)
        found += [
            {
                "items": items,
                "by": by,
                "method": method,
                "value": round(true[by, method], 4),
                "coverage": round(float(np.mean(held[by, method])), 4),
                "difference": round(float(np.mean(differing[by, method])), 4),
                "size": round(float(np.mean(rejected[method])), 4) if by == "item" else "",
            }
            for by, method in true
        ]
    return found


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--folder", type=Path, default=Path("docs"))
    options = parser.parse_args()
    write(options.folder / "ties-calibration.csv", calibrations(options.samples))
    write(options.folder / "ties-segments.csv", coverages(options.samples))


if __name__ == "__main__":
    main()
