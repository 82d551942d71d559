"""Measure the intervals of many judges, and the tests of pairs of systems, on simulated collections.

Each judge changes the grades of the documents, and scores follow from these labels.
"""

import argparse
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import numpy as np
from coverage_collections import Population, measured, ranked_topics
from coverage_study import ALPHA, DOCS, LEVEL, SEED, measure, population, random_numbers

from ircor._core.methods import METHODS
from ircor._core.rounding import EQUAL_MEANS
from ircor._core.work import Resampling
from ircor._kernel import totals_of_resamples
from ircor.data._scores import Scores
from ircor.statistics._intervals import Target, intervals
from ircor.statistics._significance import SignificanceTest, significant_pairs
from ircor.statistics._simulation import Statistic, Term, best

Array = np.ndarray

RESULTS, ERRORS = "judges-coverage.csv", "judges-errors.csv"
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
    _, found = intervals(sample, statistics, targets, LEVEL, Resampling(RESAMPLES, int(rng.integers(2**32)), 1, False))
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
            outcome["population_held"] = float(low <= statistic.observed(true) <= high)
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


# Tests of pairs of systems


@dataclass(frozen=True)
class Null:
    """A population, from which samples of systems and topics are drawn, with equal true means and as it is."""

    collection: str
    measure: str
    systems: int
    topics: int


# The samples with equal true means for each one with the true means as they are.
SAMPLES_PER_POWER = 5


def errors(null: Null, replicates: int, of: Population | None = None) -> list[dict[str, Any]]:
    """How often each test finds a difference where there is none, and how many it finds where there are some."""
    people = of or scores_of(null)
    rates: dict[str, list[bool]] = {test: [] for test in get_args(SignificanceTest)}
    shares: dict[str, list[float]] = {test: [] for test in rates}
    for k in range(replicates):
        rng = random_numbers(null, k)
        (table,) = people.systems(rng, null.systems, [null.measure])
        rows = rng.integers(0, len(table), null.topics)
        # Less their means over all topics, all systems are equal in truth.
        equal, different = Scores.of((table - table.mean(axis=0))[rows]), Scores.of(table[rows])
        for test in get_args(SignificanceTest):
            rates[test].append(significant_pairs(equal, test, ALPHA, seed=k).count > 0)
            if k % SAMPLES_PER_POWER == 0:
                pairs = null.systems * (null.systems - 1) / 2
                shares[test].append(significant_pairs(different, test, ALPHA, seed=k).count / pairs)
    return [
        {
            **asdict(null),
            "replicates": replicates,
            "test": test,
            "familywise": round(float(np.mean(rates[test])), 4),
            "found": round(float(np.mean(shares[test])), 4),
        }
        for test in rates
    ]


def scores_of(null: Null) -> Population:
    """The scores of a simulated collection, or of a file of IRCOR_DATA: its topics are the population."""
    file = Path(os.environ.get("IRCOR_DATA", "")) / f"{null.collection}.csv.gz"
    if not file.is_file():
        return population(null.collection)
    scores = np.genfromtxt(file, delimiter=",", skip_header=1)
    return Population({null.measure: scores[:, ~np.isnan(scores).any(axis=0)]})


def nulls() -> Iterable[Null]:
    yield Null("model", "AP", 30, 50)
    yield Null("families", "map", 30, 50)
    yield Null("wide", "map", 30, 50)
    yield Null("tight", "P_10", 30, 50)
    yield Null("families", "recip_rank", 30, 25)
    if "IRCOR_DATA" in os.environ:
        yield Null("adhoc5_ap", "AP", 30, 25)
        yield Null("adhoc6_ap", "AP", 30, 50)
        yield Null("adhoc6_rr", "RR", 30, 25)
        yield Null("web2011_ndcg20", "nDCG@20", 30, 50)


# The tables of the documentation


def percent(values: Any) -> str:
    """The median in percent, with the least in parentheses if there are several."""
    rounded = [round(100 * value) for value in values]
    return f"{round(float(np.median(rounded)))} ({min(rounded)})" if len(rounded) > 1 else str(*rounded)


def markdown(header: list[str], rows: Iterable[Iterable[Any]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def table_of_sizes(rows: Any) -> str:
    """By the size of the sample: the coverage of "expected", medians over collections and coefficients."""
    main = rows[~rows.population & (rows.top == 10)]
    kinds = ["", ", difference", ", top 10", ", top 10, difference"]
    lines = []
    for size, some in main.groupby(["systems", "topics", "judges"]):
        found = [some[some.statistic.isin([name + kind for name in COEFFICIENTS])].expected for kind in kinds]
        lines.append([*size, *(percent(one) if len(one) else "" for one in found)])
    columns = ["systems", "topics", "judges", "coefficients", "differences", "top 10", "top 10, differences"]
    return markdown(columns, lines)


def table_of_tops(rows: Any) -> str:
    """By the number of systems at the top: the coverage, and the mean width of the interval for "expected"."""
    among = rows[~rows.population & rows.statistic.str.contains(", top") & (rows.judges == 5)]
    among = among[among[["systems", "topics"]].apply(tuple, axis=1).isin([(20, 25), (50, 50)])]
    lines = []
    for size, some in among.groupby(["systems", "topics", "top"]):
        apart = some.statistic.str.contains("difference")
        parts = [percent(part[target]) for part in (some[~apart], some[apart]) for target in ("expected", "sample")]
        lines.append([*size, *parts, f"{some[~apart].width.mean():.2f}"])
    columns = ["systems", "topics", "top", "expected", "sample", "differences: expected", "sample", "width of expected"]
    return markdown(columns, lines)


def table_of_populations(rows: Any) -> str:
    """The coverage of "population"."""
    some = rows[rows.population]
    lines = some[["collection", "measure", "systems", "topics", "judges", "statistic"]].to_numpy().tolist()
    covered = [[round(100 * one.expected), round(100 * one.population_held)] for one in some.itertuples()]
    columns = ["collection", "measure", "systems", "topics", "judges", "statistic", "expected", "population"]
    return markdown(columns, [[*line, *shares] for line, shares in zip(lines, covered)])


def table_of_errors(rows: Any) -> str:
    """For each test, how often it finds a difference where there is none, and how many where there are some."""
    lines = []
    for names, some in rows.groupby(["collection", "measure", "topics"], sort=False):
        of_test = some.set_index("test")
        shares = [f"{100 * of_test.loc[test, kind]:.1f}" for kind in ("familywise", "found") for test in of_test.index]
        lines.append([*names, *shares])
    tests = list(get_args(SignificanceTest))
    return markdown(
        [
            "collection",
            "measure",
            "topics",
            *(f"error: {test}" for test in tests),
            *(f"found: {test}" for test in tests),
        ],
        lines,
    )


def tables(folder: Path = DOCS) -> str:
    """All tables as Markdown."""
    import pandas as pd

    rows, tests = (pd.read_csv(folder / name) for name in (RESULTS, ERRORS))
    parts = [table_of_sizes(rows), table_of_tops(rows), table_of_populations(rows), table_of_errors(tests)]
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=150, help="samples for each setting (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where the table is written (default: docs)")
    parser.add_argument("--show", action="store_true", help="measure nothing; print the tables as Markdown")
    parser.add_argument("--only", choices=("intervals", "errors"), help="measure only these")
    options = parser.parse_args()
    if options.show:
        print(tables(options.folder))
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.only != "errors":
        measure(coverage, list(settings()), options.replicates, options.jobs, options.folder / RESULTS)
    if options.only != "intervals":
        measure(errors, list(nulls()), 2 * options.replicates, options.jobs, options.folder / ERRORS)


if __name__ == "__main__":
    # Imported by its name, this module can be found by the other processes.
    from judges_coverage import main as study

    study()
