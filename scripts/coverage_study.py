"""Measure how often intervals hold what they are for, and how often tests reject, on simulated collections."""

import argparse
import csv
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import cache
from math import isnan
from pathlib import Path
from typing import Any, get_args
from zlib import crc32

import numpy as np
from coverage_collections import FIELDS, Population, from_files, modelled, rankings

import ircor
from ircor._core.files import whole_file
from ircor._core.methods import Method, method_of, overlap_of
from ircor._core.work import Resampling
from ircor._kernel import totals_of_resamples
from ircor.data._scores import Scores
from ircor.rank_distance import DrankNull
from ircor.statistics._intervals import Target, intervals
from ircor.statistics._simulation import Statistic, Term

DOCS = Path(__file__).resolve().parents[1] / "docs"
INTERVALS, SEPARATE, TESTS = "coverage-intervals.csv", "coverage-separate.csv", "coverage-tests.csv"

SEED = 2017
LEVEL, ALPHA = 0.95, 0.05
TARGETS: tuple[Target, ...] = get_args(Target)
# Simulated samples for an interval, resamples for a percentile interval and for a test, and fresh samples of topics
# that show what the target of an interval is.
RESAMPLES, OLD_RESAMPLES, TEST_RESAMPLES, FRESH = 1000, 400, 199, 150
TOPICS, SYSTEMS = 1500, 240
LEVELS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.98]


@cache
def population(name: str) -> Population:
    """The population of this name: one of the fields of systems, "model", or paths of files joined by a bar."""
    if name in FIELDS:
        return rankings(name, TOPICS, SEED)
    if name == "model":
        return modelled(LEVELS, TOPICS, SYSTEMS, SEED)
    return from_files(name.split("|"))


def random_numbers(setting: Any, *number: int) -> np.random.Generator:
    """The random numbers of a setting, or of one sample in it, which do not depend on the other settings."""
    return np.random.default_rng([SEED, crc32(repr(setting).encode()), *number])


# Intervals


@dataclass(frozen=True)
class Setting:
    """What intervals are computed from.

    Attributes
    ----------
    part : str
        The part of the study.
    collection, x, y : str
        The population and the two measures.  Two measures for y, joined by " - ", stand for a difference.
    systems, topics : int
        The size of the sample.
    statistics : tuple of str
        The coefficients; a difference of two of them is joined by " - ".  "rbo 0.9" is rank-biased overlap, p = 0.9.
    """

    part: str
    collection: str
    x: str
    y: str
    systems: int
    topics: int
    statistics: tuple[str, ...] = ("tau_b", "tauAP_b")


def coefficient(name: str) -> Method:
    """The coefficient of this name in `Setting.statistics`."""
    return overlap_of(float(name[4:]), None) if name.startswith("rbo ") else method_of(name)


def statistics_of(setting: Setting) -> list[Statistic]:
    """The statistics of a setting.  With two measures for y, the two terms of a difference have one each."""
    tables = range(1, setting.y.count(" - ") + 2)
    found = []
    for name in setting.statistics:
        names = name.split(" - ")
        if len(tables) == 2:
            terms = tuple(Term(coefficient(names[0]), table) for table in tables)
        else:
            terms = tuple(Term(coefficient(one), 1) for one in names)
        found.append(Statistic(name, terms))
    return found


def values(statistic: Statistic, tables: list[np.ndarray], draws: np.ndarray) -> np.ndarray:
    """The statistic in samples of the tables' rows."""
    rounding = [Scores.of(table).noise for table in tables]
    first, *second = (
        term.method.formula(
            totals_of_resamples(
                tables[0], tables[term.table], draws, rounding[0], rounding[term.table], True, term.method.sums
            )
        )
        for term in statistic.terms
    )
    return first - second[0] if second else first


def percentile_interval(resampled: np.ndarray) -> tuple[float, float]:
    """The interval that resampling the topics with replacement gives."""
    low, high = np.nanquantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def one_sample(
    setting: Setting, statistics: list[Statistic], rng: np.random.Generator, population: Population
) -> list[dict[str, float]]:
    """Draw systems and a sample of topics, and compare the intervals with their targets, for each statistic.

    For the target "sample" this is the share of fresh samples in the interval, for the others it is 0 or 1.
    """
    tables = population.systems(rng, setting.systems, [setting.x, *setting.y.split(" - ")])
    rows, *fresh = rng.integers(0, len(tables[0]), (1 + FRESH, setting.topics), dtype=np.int32)
    sample = [table[rows] for table in tables]
    resampled = rng.integers(0, setting.topics, (OLD_RESAMPLES, setting.topics), dtype=np.int32)
    scores = [Scores.of(table) for table in sample]
    seed = int(rng.integers(2**32))
    _, found = intervals(scores, statistics, TARGETS, LEVEL, Resampling(RESAMPLES, seed, 1, False))
    outcomes = []
    for statistic, one in zip(statistics, found):
        if isnan(one.statistic):
            outcomes.append({"undefined": 1.0})
            continue
        fresh_values = values(statistic, tables, np.array(fresh))
        fresh_values = fresh_values[~np.isnan(fresh_values)]
        truths = {
            "expected": np.array([fresh_values.mean()]),
            "sample": fresh_values,
            "population": np.array([statistic.observed([Scores.of(table) for table in tables])]),
        }
        old_low, old_high = percentile_interval(values(statistic, sample, resampled))
        outcome = {
            "undefined": 0.0,
            "truth": truths["population"][0],
            "mean": truths["expected"][0],
            # The width of an interval with the spread of fresh samples.
            "fresh_width": float(np.diff(percentile_interval(fresh_values))[0]),
            "old_width": old_high - old_low,
            "old_contains": float(old_low <= one.statistic <= old_high),
        }
        for target, truth in truths.items():
            _, low, high = one.limits[target]
            outcome[target] = np.mean((low <= truth) & (truth <= high))
            outcome[f"old_{target}"] = np.mean((old_low <= truth) & (truth <= old_high))
            outcome[f"{target}_width"] = high - low
        # The share of truths above the interval; the rest of those that it misses are below it.
        outcome["population_above"] = float(truths["population"][0] > one.limits["population"].high)
        outcomes.append(outcome)
    return outcomes


def coverage(setting: Setting, replicates: int, of: Population | None = None) -> list[dict[str, Any]]:
    """For each statistic, the means over many samples of what `one_sample` finds."""
    people, statistics = of or population(setting.collection), statistics_of(setting)
    drawn = [one_sample(setting, statistics, random_numbers(setting, k), people) for k in range(replicates)]
    return [summarised(setting, name, list(outcomes)) for name, outcomes in zip(setting.statistics, zip(*drawn))]


def summarised(setting: Setting, statistic: str, outcomes: list[dict[str, float]]) -> dict[str, Any]:
    """The means over the samples in which the statistic is defined."""
    known = [outcome for outcome in outcomes if not outcome["undefined"]]
    means = {name: round(float(np.mean([one[name] for one in known])), 4) for name in known[0]}
    means["undefined"] = round(1 - len(known) / len(outcomes), 4)
    described = {**asdict(setting), "replicates": len(outcomes), "statistic": statistic}
    del described["statistics"]
    return {**described, **means}


# Intervals between tables with different topics


@dataclass(frozen=True)
class Apart:
    """A sample of topics for the first measure, and another one for the second."""

    collection: str
    x: str
    y: str
    systems: int
    topics: int
    other_topics: int


def coverage_apart(
    apart: Apart, replicates: int, of: Population | None = None, name: str = "tau_b"
) -> list[dict[str, Any]]:
    """How often the intervals of a coefficient hold their targets, if the two tables have different topics."""
    rng, people = random_numbers(apart), of or population(apart.collection)
    statistic = Statistic(name, (Term(coefficient(name), 1),))
    row = np.arange(1 + FRESH, dtype=np.int32)[:, None]
    outcomes = []
    for _ in range(replicates):
        tables = people.systems(rng, apart.systems, [apart.x, apart.y])
        drawn = [
            rng.integers(0, len(table), (1 + FRESH, n)) for table, n in zip(tables, (apart.topics, apart.other_topics))
        ]
        sample = [Scores.of(table[rows[0]]) for table, rows in zip(tables, drawn)]
        seed = int(rng.integers(2**32))
        _, (one,) = intervals(
            sample, [statistic], TARGETS, LEVEL, Resampling(RESAMPLES, seed, 1, False), same_topics=False
        )
        means = [np.array([table[some].mean(axis=0) for some in rows]) for table, rows in zip(tables, drawn)]
        fresh = values(statistic, means, row)[1:]
        truth = statistic.observed([Scores.of(table) for table in tables])
        truths = {"expected": fresh.mean(), "sample": fresh, "population": truth}
        outcomes.append(
            {"truth": truth}
            | {
                target: np.mean((one.limits[target].low <= true) & (true <= one.limits[target].high))
                for target, true in truths.items()
            }
        )
    means_of = {name: round(float(np.mean([one[name] for one in outcomes])), 4) for name in outcomes[0]}
    return [{**asdict(apart), "replicates": replicates, **means_of}]


# The size and the power of the rank distance's tests


@dataclass(frozen=True)
class Split:
    """Two samples of topics, of the first of which a test has the scores and of the second the ranking."""

    collection: str
    measure: str
    other: str
    systems: int
    topics: int
    other_topics: int
    null: str
    ridge: str = ""


def rejections(split: Split, replicates: int, of: Population | None = None) -> list[dict[str, Any]]:
    """How often the test rejects the ranking by another sample of topics, and by another measure on the same topics.

    "compare" for the null stands for `ircor.compare`, whose verdict follows from the two-sample test.
    """
    rng, people = random_numbers(split), of or population(split.collection)
    n, outcomes = split.topics, []
    for _ in range(replicates):
        X, Y = people.systems(rng, split.systems, [split.measure, split.other])
        order = rng.permutation(len(X))
        A, B = X[order[:n]], X[order[n : n + split.other_topics]]
        seed = int(rng.integers(2**32))
        if split.null == "compare":
            found = ircor.compare(A, B, resamples=5 * TEST_RESAMPLES, seed=seed, n_jobs=1, progress=False)
            outcomes.append({"size": found.distance.pvalue <= ALPHA})
            continue
        null = DrankNull(
            A,
            null=split.null,
            topics=split.other_topics,
            resamples=TEST_RESAMPLES,
            seed=seed,
            ridge=None if split.ridge == "" else float(split.ridge),
            n_jobs=1,
            progress=False,
        )
        outcomes.append({"size": null.test(B).pvalue <= ALPHA})
        if split.other_topics == n:
            outcomes[-1]["power"] = null.test(Y[order[:n]]).pvalue <= ALPHA
    rates = {name: round(float(np.mean([one[name] for one in outcomes])), 4) for name in outcomes[0]}
    return [{**asdict(split), "replicates": replicates, **rates}]


# The design

MEASURES = [("map", "P_10"), ("map", "recip_rank"), ("map", "ndcg"), ("P_10", "recip_rank")]


def interval_settings() -> Iterable[Setting]:
    """Each number of systems with each number of topics, and the other factors in turn."""
    fields_of_systems = list(FIELDS)
    for i, systems in enumerate((10, 20, 40, 80, 130)):
        for j, topics in enumerate((25, 50, 100, 250)):
            for k in range(3):
                level, ties = LEVELS[(i + j + 2 * k) % 6], "PY"[(i + j // 2 + k) % 2]
                yield Setting("main", "model", "AP", f"{ties} {level}", systems, topics)
            for k in range(2):
                x, y = MEASURES[(i + 2 * j + k) % 4]
                yield Setting("main", fields_of_systems[(i + j + 2 * k) % 4], x, y, systems, topics)
    for systems, topics in ((20, 25), (20, 100), (40, 50), (80, 50)):
        yield Setting("differences", "model", "AP", "Y 0.9 - P 0.7", systems, topics)
        yield Setting("differences", "families", "map", "ndcg - recip_rank", systems, topics)
        yield Setting("differences", "model", "AP", "P 0.8", systems, topics, ("tauAP_b - tau_b",))
        yield Setting("differences", "tight", "map", "recip_rank", systems, topics, ("tauAP_b - tau_b",))
    six = ("tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b")
    for systems, topics, level in ((10, 50, 0.9), (40, 25, 0.7), (80, 50, 0.9), (20, 100, 0.6)):
        yield Setting("coefficients", "model", "AP", f"Y {level}", systems, topics, six)
    small = [(3, 25), (3, 50), (5, 10), (5, 25), (5, 50), (5, 100), (7, 25), (7, 50)]
    small += [(10, 10), (10, 15), (40, 10), (40, 15), (130, 10), (130, 15)]
    for systems, topics in small:
        yield Setting("small", "model", "AP", "P 0.8", systems, topics)
        yield Setting("small", "tight", "map", "recip_rank", systems, topics)


def tables_apart() -> Iterable[Apart]:
    """Equal and unequal numbers of topics, the same measure and another one."""
    for topics, others, systems in ((25, 25, 20), (50, 50, 60), (25, 100, 40)):
        yield Apart("families", "map", "map", systems, topics, others)
        yield Apart("families", "map", "ndcg", systems, topics, others)
        yield Apart("wide", "map", "P_10", systems, topics, others)
        yield Apart("tight", "map", "map", systems, topics, others)
        yield Apart("model", "AP", "P 0.8", systems, topics, others)


SHAPES = [(25, 5), (25, 10), (25, 20), (50, 10), (50, 40), (124, 60), (124, 109), (25, 40), (50, 70), (50, 110)]


def splits() -> Iterable[Split]:
    """Halves of all shapes under both nulls, without shrinkage where that is possible, and unequal parts."""
    for k, (topics, systems) in enumerate(SHAPES):
        for name, x, y in (("model", "AP", "P 0.8"), (list(FIELDS)[k % 4], "map", "recip_rank")):
            split = name, x, y, systems, topics, topics
            yield Split(*split, "resample")
            yield Split(*split, "two-sample")
            if systems < topics:
                yield Split(*split, "two-sample", "0")
    for topics, others, systems in ((25, 100, 20), (100, 25, 20), (50, 124, 40), (50, 25, 40)):
        yield Split("families", "map", "recip_rank", systems, topics, others, "two-sample")
        yield Split("model", "AP", "P 0.8", systems, topics, others, "two-sample")
    for topics, systems in ((25, 10), (50, 40)):
        yield Split("model", "AP", "P 0.8", systems, topics, topics, "compare")
        yield Split("families", "map", "recip_rank", systems, topics, topics, "compare")


def settings_of_files(paths: list[str]) -> tuple[list[Setting], list[Apart], list[Split]]:
    """The same for the user's own scores, as far as there are enough topics and systems."""
    name = "|".join(paths)
    topics, systems = population(name).shape
    sizes = [(m, n) for m in (10, 20, 40, 80, 130) for n in (25, 50, 100, 250) if m <= systems and 2 * n <= topics]
    first, *others = paths
    return (
        [Setting("main", name, first, other, m, n) for other in others for m, n in sizes],
        [Apart(name, first, paths[-1], m, n, n) for m, n in sizes],
        [Split(name, first, paths[-1], m, n, n, null) for m, n in sizes for null in ("resample", "two-sample")],
    )


# Running and writing


def cost(task: Any) -> float:
    """The long settings first, so that no process is left alone with one at the end."""
    return float(task.systems * task.topics)


def measure(
    work: Callable[..., list[dict[str, Any]]], tasks: list[Any], replicates: int, jobs: int, path: Path
) -> None:
    """Measure all settings, and write the table after each, so that an interrupted study is not lost."""
    from joblib import Parallel, delayed

    def numbered(number: int) -> tuple[int, list[dict[str, Any]]]:
        return number, work(tasks[number], replicates)

    order = sorted(range(len(tasks)), key=lambda number: -cost(tasks[number]))
    found: dict[int, list[dict[str, Any]]] = {}
    run = Parallel(n_jobs=jobs, return_as="generator")
    for number, rows in run(delayed(numbered)(number) for number in order):
        found[number] = rows
        print(f"{len(found)} of {len(tasks)}", tasks[number], flush=True)
        write([row for done in sorted(found) for row in found[done]], path)


def write(rows: list[dict[str, Any]], path: Path) -> None:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with whole_file(path, "text", force=True) as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--scores", nargs="+", metavar="FILE", help="tables of scores, topics by systems, as population"
    )
    parser.add_argument("--replicates", type=int, default=200, help="samples for each setting (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where the tables are written (default: docs)")
    parser.add_argument("--only", choices=("intervals", "separate", "tests"), help="measure only these")
    parser.add_argument(
        "--draw", action="store_true", help="measure nothing; draw pictures and tables of the page again"
    )
    options = parser.parse_args()
    if not options.draw:
        chosen = (
            settings_of_files(options.scores)
            if options.scores
            else (list(interval_settings()), list(tables_apart()), list(splits()))
        )
        options.folder.mkdir(parents=True, exist_ok=True)
        for name, work, tasks, file in zip(
            ("tests", "separate", "intervals"),
            (rejections, coverage_apart, coverage),
            chosen[::-1],
            (TESTS, SEPARATE, INTERVALS),
        ):
            if options.only in (None, name) and tasks:
                measure(work, tasks, options.replicates, options.jobs, options.folder / file)
    if options.draw or options.folder == DOCS:
        from coverage_pictures import draw

        draw()


if __name__ == "__main__":
    # Imported by its name, this module can be found by the other processes.
    from coverage_study import main as study

    study()
