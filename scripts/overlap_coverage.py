"""Measure how often intervals for the mean rank-biased overlap hold the mean in the population of topics."""

import argparse
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from coverage_study import DOCS, LEVEL, SEED, random_numbers, write
from joblib import Parallel, delayed
from scipy.special import stdtrit
from scipy.stats import bootstrap

from ircor.data._sample import write_sample
from ircor.overlap import rbo_many, rbo_runs
from ircor.statistics._intervals import mean_interval

Array = np.ndarray
RESULTS = "overlap-coverage.csv"

# The topics of a simulated population, the documents of a topic, and how many of them a run has.
TOPICS, POOL, DEPTH = 5000, 2000, 100
TOPIC_COUNTS = (5, 10, 25, 50)
# Resamples of the bootstrap, and how many samples of topics it is computed for; the others are computed for all.
RESAMPLES, FEWER = 999, 10

# The noise of a run's scores in units of the spread of what two runs have in common: the median over topics and the
# standard deviation of its logarithm; or noise in some topics only, with their share.
SPREAD = {"similar": 0.2, "related": 0.6, "different": 2.0, "unrelated": 6.0}
SOME = {
    "same but for a fifth": (0.2, 0.0, 0.5),
    "same but for a tenth": (0.1, 0.0, 0.5),
    "same but for 1 in 25": (0.04, 0.0, 0.5),
    "different but for a fifth": (0.2, 50.0, 0.3),
}
LOG_SD = 0.5
# Pairs of runs of the sample data, of one group and of two.
PAIRS = {"sample A1, A2": ("A1", "A2"), "sample A1, B1": ("A1", "B1"), "sample G3, J1": ("G3", "J1")}


@dataclass(frozen=True)
class Setting:
    """A population of topics, the persistence, and the number of topics in a sample."""

    population: str
    p: float
    topics: int


def noises(name: str, rng: np.random.Generator) -> Array:
    """The noise of each topic."""
    if name in SPREAD:
        return SPREAD[name] * np.exp(LOG_SD * rng.standard_normal(TOPICS))
    share, usual, other = SOME[name]
    return np.where(rng.random(TOPICS) < share, other, usual)


@cache
def overlaps(name: str, p: float) -> Array:
    """The overlap of two runs for each topic of the population."""
    if name in PAIRS:
        with TemporaryDirectory() as folder:
            write_sample(folder)
            a, b = (f"{folder}/runs/{run}.run" for run in PAIRS[name])
            return rbo_runs(a, b, p).topics.to_numpy()
    rng = random_numbers(name)
    sides: tuple[list[Array], list[Array]] = [], []
    for noise in noises(name, rng):
        common = rng.standard_normal(POOL)
        for side in sides:
            side.append(np.argsort(-(common + noise * rng.standard_normal(POOL)))[:DEPTH])
    return rbo_many(*sides, p, score="ext").ext


def student(values: Array) -> tuple[float, float]:
    """The plain interval of Student."""
    step = stdtrit(len(values) - 1, (1 + LEVEL) / 2) * values.std(ddof=1) / np.sqrt(len(values))
    return values.mean() - step, values.mean() + step


def logit(values: Array) -> tuple[float, float]:
    """That of `rbo_runs`."""
    found = mean_interval(values, LEVEL)
    assert found
    return found


def bca(values: Array) -> tuple[float, float]:
    """The bootstrap with corrections for bias and acceleration."""
    if np.ptp(values) == 0:
        return values[0], values[0]
    found = bootstrap(
        (values,), np.mean, n_resamples=RESAMPLES, confidence_level=LEVEL, method="BCa", rng=np.random.default_rng(SEED)
    )
    return tuple(found.confidence_interval)


METHODS: dict[str, Callable[[Array], tuple[float, float]]] = {"logit": logit, "student": student, "bca": bca}


def coverage(setting: Setting, replicates: int) -> list[dict[str, Any]]:
    """For each method, the share of the intervals that hold the mean of the population, and their mean width."""
    people = overlaps(setting.population, setting.p)
    mean = people.mean()
    rng = random_numbers(setting)
    samples = people[rng.integers(0, len(people), (replicates, setting.topics))]
    rows = []
    for name, method in METHODS.items():
        some = samples[: len(samples) // (FEWER if name == "bca" else 1)]
        low, high = np.array([method(values) for values in some]).T
        rows.append(
            {
                **asdict(setting),
                "mean": round(float(mean), 4),
                "sd": round(float(people.std()), 4),
                "replicates": len(some),
                "method": name,
                "coverage": round(float(((low <= mean) & (mean <= high)).mean()), 4),
                "above": round(float((mean < low).mean()), 4),
                "below": round(float((mean > high).mean()), 4),
                "width": round(float((high - low).mean()), 4),
            }
        )
    return rows


def settings() -> Iterable[Setting]:
    for name in (*SPREAD, *SOME, *PAIRS):
        for p in (0.8, 0.9, 0.98):
            for topics in TOPIC_COUNTS:
                yield Setting(name, p, topics)


def table(folder: Path = DOCS, p: float = 0.9) -> str:
    """The coverage in percent by population and number of topics, as Markdown: each cell has all methods."""
    import pandas as pd

    rows = pd.read_csv(folder / RESULTS)
    lines = [["population", "mean", *(f"{n} topics" for n in TOPIC_COUNTS)]]
    lines.append(["---"] * len(lines[0]))
    for (name, mean), some in rows[rows.p == p].groupby(["population", "mean"], sort=False):
        shares = some.set_index(["topics", "method"]).coverage
        cells = [", ".join(f"{100 * shares[n, method]:.0f}" for method in METHODS) for n in TOPIC_COUNTS]
        lines.append([name, f"{mean:.2f}", *cells])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=4000, help="samples for each setting (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where the table is written (default: docs)")
    parser.add_argument("--show", action="store_true", help="measure nothing; print the table as Markdown")
    options = parser.parse_args()
    if options.show:
        print(table(options.folder))
        return
    # The settings of one population together, since each process makes the populations that it needs.
    found = Parallel(n_jobs=options.jobs, batch_size=len(TOPIC_COUNTS))(
        delayed(coverage)(setting, options.replicates) for setting in settings()
    )
    write([row for rows in found for row in rows], options.folder / RESULTS)


if __name__ == "__main__":
    # Imported by its name, this module can be found by the other processes.
    from overlap_coverage import main as study

    study()
