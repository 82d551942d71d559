"""Measure how often the intervals of many judges hold what they are for, on simulated collections.

Each judge changes the grades of the documents, and scores follow from these labels.
"""

import argparse
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from coverage_collections import Population, measured, ranked_topics
from coverage_study import DOCS, LEVEL, SEED, measure, random_numbers

from ircor._kernel import totals_of_resamples
from ircor._methods import METHODS
from ircor._scores import EQUAL_MEANS, Scores
from ircor.tables._intervals import Target, intervals
from ircor.tables._simulation import Statistic, Term, best

Array = np.ndarray

RESULTS = "judges-coverage.csv"
TOPICS, JUDGES = 1000, 10
# Simulated samples for an interval, and fresh samples of topics that show what its target is.
RESAMPLES, FRESH = 600, 150
COEFFICIENTS = ("tau_b", "tauAP_b")
# For each judge in turn: the noise of the labels, and how much the documents of favoured systems are preferred.
NOISES, BIASES = np.linspace(0.15, 0.55, JUDGES), (0.0, 0.5, 1.0, 0.25, 1.5)
# The share of the variance of the noise that all judges have in common, the share of systems that a judge favours, and
# the ranks that count.
COMMON, FAVOURED, SEEN = 0.3, 0.2, 30


@cache
def collection(name: str, topics: int = TOPICS, share: float = 1.0) -> dict[str, Population]:
    """For each measure, the scores by the true grades ("truth") and by the labels of each judge ("0", "1", ...)."""
    rng = np.random.default_rng([SEED, 1])
    scores: dict[str, dict[str, list[Array]]] = {}
    favoured: list[Array] = []
    for grades, ranked in ranked_topics(name, topics, SEED, share):
        systems = len(ranked)
        favoured = favoured or [rng.random(systems) < FAVOURED for _ in range(JUDGES)]
        seen = np.zeros((systems, len(grades)))
        np.put_along_axis(seen, ranked[:, :SEEN], 1, axis=1)
        common = rng.standard_normal(len(grades))
        labels = {"truth": grades}
        for judge, (noise, friends) in enumerate(zip(NOISES, favoured)):
            own = rng.standard_normal(len(grades))
            believed = grades + noise * (np.sqrt(COMMON) * common + np.sqrt(1 - COMMON) * own)
            believed += BIASES[judge % len(BIASES)] * (seen[friends].mean(axis=0) - seen.mean(axis=0))
            # No topic is without a relevant document.
            labels[str(judge)] = np.clip(np.round(believed), believed == believed.max(), 2)
        for judge, given in labels.items():
            for one, values in measured(given, ranked).items():
                scores.setdefault(one, {}).setdefault(judge, []).append(values)
    return {one: Population({judge: np.array(rows) for judge, rows in by.items()}) for one, by in scores.items()}


@dataclass(frozen=True)
class Setting:
    """What intervals are computed from: the numbers are those of the sample.

    With `population`, that target is measured too, and differences are left out: `bootstrap` warns about these.
    """

    collection: str
    measure: str
    systems: int
    topics: int
    judges: int
    top: int = 10
    population: bool = False


def statistics_of(setting: Setting) -> dict[str, list[Statistic]]:
    """For each name in the results: the coefficients of all judges, or the differences of all pairs of judges."""
    found = {}
    for top in (None, setting.top) if setting.top < setting.systems else (None,):
        for name in COEFFICIENTS:
            title = name if top is None else f"{name}, top {top}"
            terms = [Term(METHODS[name], judge + 1, top) for judge in range(setting.judges)]
            found[title] = [Statistic(title, (term,)) for term in terms]
            if not setting.population:
                found[f"{title}, difference"] = [Statistic(title, pair) for pair in combinations(terms, 2)]
    return found


def values(statistics: list[Statistic], means: Array) -> list[Array]:
    """The statistics between means, tables by samples by systems."""
    rows = np.arange(means.shape[1], dtype=np.int32)[:, None]
    rounding = float(np.abs(means).max()) * EQUAL_MEANS
    terms = {term for statistic in statistics for term in statistic.terms}
    of_best = {top: best(means, top) for top in {term.top for term in terms}}
    found = {}
    for term in terms:
        x, y = of_best[term.top][0], of_best[term.top][term.table]
        found[term] = term.method.formula(totals_of_resamples(x, y, rows, rounding, rounding, True, term.method.sums))
    return [
        found[one.terms[0]] - found[one.terms[1]] if one.is_difference else found[one.terms[0]] for one in statistics
    ]


def one_sample(setting: Setting, rng: np.random.Generator, population: Population) -> dict[str, dict[str, float]]:
    """Draw systems, judges and topics; for each statistic, the means over judges, or over pairs of judges."""
    judges = rng.permutation(JUDGES)[: setting.judges]
    tables = population.systems(rng, setting.systems, ["truth", *map(str, judges)])
    rows = rng.integers(0, len(tables[0]), (1 + FRESH, setting.topics))
    groups = statistics_of(setting)
    statistics = [one for group in groups.values() for one in group]
    sample = [Scores.of(table[rows[0]]) for table in tables]
    targets: list[Target] = ["expected", "sample"] + ["population"] * setting.population
    _, found = intervals(sample, statistics, targets, RESAMPLES, int(rng.integers(2**32)), 1, LEVEL, False)
    true = [Scores.of(table) for table in tables]
    weights = np.zeros((FRESH, len(tables[0])))
    np.add.at(weights, (np.arange(FRESH)[:, None], rows[1:]), 1 / setting.topics)
    fresh = values(statistics, np.array([weights @ table for table in tables]))
    outcomes: dict[str, list[dict[str, float]]] = {}
    names = [name for name, group in groups.items() for _ in group]
    for name, statistic, one, seen in zip(names, statistics, found, fresh):
        if np.isnan(one.statistic):
            continue
        seen = seen[~np.isnan(seen)]
        _, low, high = one.limits["expected"]
        outcome = {
            "mean": seen.mean(),
            "expected": float(low <= seen.mean() <= high),
            "sample": np.mean((one.limits["sample"].low <= seen) & (seen <= one.limits["sample"].high)),
            "width": high - low,
            # The width of an interval with the spread of fresh samples.
            "fresh_width": float(np.diff(np.quantile(seen, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]))[0]),
        }
        if setting.population:
            _, low, high = one.limits["population"]
            outcome["population"] = float(low <= statistic.observed(true) <= high)
        outcomes.setdefault(name, []).append(outcome)
    return {
        name: {key: float(np.mean([one[key] for one in group])) for key in group[0]} for name, group in outcomes.items()
    }


def coverage(setting: Setting, replicates: int, of: Population | None = None) -> list[dict[str, Any]]:
    """For each statistic, the means over many samples.  The standard error of the coverage is that of these means."""
    people = of or collection(setting.collection)[setting.measure]
    drawn = [one_sample(setting, random_numbers(setting, k), people) for k in range(replicates)]
    rows = []
    for name in statistics_of(setting):
        outcomes = [one[name] for one in drawn if name in one]
        means = {key: round(float(np.mean([one[key] for one in outcomes])), 4) for key in outcomes[0]}
        error = np.std([one["expected"] for one in outcomes]) / np.sqrt(len(outcomes))
        rows.append({**asdict(setting), "replicates": replicates, "statistic": name, **means, "error": round(error, 4)})
    return rows


def settings() -> Iterable[Setting]:
    """All sizes with all numbers of judges, in three collections."""
    for name, one in (("families", "map"), ("tight", "ndcg"), ("wide", "P_10")):
        for systems in (10, 20, 50):
            for topics in (25, 50):
                for judges in (2, 5, 10):
                    yield Setting(name, one, systems, topics, judges)
        for top in (3, 5):
            for systems, topics in ((20, 25), (50, 50)):
                yield Setting(name, one, systems, topics, 5, top)
        yield Setting(name, one, 20, 50, 2, 10, population=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=100, help="samples for each setting (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where the table is written (default: docs)")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    measure(coverage, list(settings()), options.replicates, options.jobs, options.folder / RESULTS)


if __name__ == "__main__":
    # Imported by its name, this module can be found by the other processes.
    from judges_coverage import main as study

    study()
