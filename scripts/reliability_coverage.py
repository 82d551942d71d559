"""Measure the estimates and intervals of ircor.reliability against simulated collections, whose truth is known."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from coverage_collections import Population
from coverage_study import DOCS, LEVEL, SEED, measure, population, random_numbers, values
from scipy.special import stdtr
from scipy.stats import f as f_distribution

from ircor._core.methods import method_of
from ircor.data._scores import Scores
from ircor.reliability import expected, generalizability, topics_needed
from ircor.reliability._components import COMPONENTS, MeanSquares
from ircor.reliability._curve import Effects, least
from ircor.reliability._expected import ESTIMATORS, METHODS, Method, RankedSystems
from ircor.statistics._simulation import Statistic, Term

Array = np.ndarray
EXPECTED, COMPONENTS_FILE = "reliability-expected.csv", "reliability-components.csv"
FIELDS_FILE = "reliability-fields.csv"

# Fresh samples of topics that show the true expected coefficient, and draws of true means for an interval.
FRESH, RESAMPLES = 120, 300
TARGET = 0.9
# The numbers of topics for which the curve is compared with the truth, and those between which the true number of
# topics for the target is interpolated.
COMPARED = (25, 100, 250, 1000)
GRID = (5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000)
# What ranks the sample may tie: a tie counts half, as it does on average when it is broken at random.
TIED: dict[Method, str] = {"tau": "tau_a", "tauAP": "tauAP_a"}

# Of the samples for the expected coefficients, which take long, and for the variance components.
SYSTEMS, MORE_SYSTEMS = (5, 10, 20, 40), (5, 10, 30, 80)
COLLECTIONS = [("model", "AP"), ("families", "map"), ("tight", "map"), ("wide", "P_10"), ("tight", "recip_rank")]


# Fields of systems with independent normal noise of 0.1 on each topic: how their true means are drawn.
NOISE, POOL, TOPICS = 0.1, 300, 1500
MEANS: dict[str, Callable[[np.random.Generator], Array]] = {
    "normal": lambda rng: 0.03 * rng.normal(size=POOL),
    "uniform": lambda rng: 0.1 * rng.random(POOL),
    "two clusters": lambda rng: np.where(np.arange(POOL) % 2, 0.12, 0) + 0.015 * rng.normal(size=POOL),
    "a tenth broken": lambda rng: np.where(np.arange(POOL) % 10, 0, -0.5) + 0.03 * rng.normal(size=POOL),
    "heavy tails": lambda rng: 0.03 * rng.standard_t(2, size=POOL),
}


@dataclass(frozen=True)
class Setting:
    """A population, a measure, and the size of the sample."""

    collection: str
    measure: str
    systems: int
    topics: int


def true_coefficients(truth: Array, table: Array, topics: int, rng: np.random.Generator) -> dict[Method, float]:
    """The mean of each coefficient between the true means and the means of fresh samples of topics."""
    n = len(table)
    means = rng.multinomial(topics, np.full(n, 1 / n), FRESH) @ table / topics
    row = np.arange(FRESH, dtype=np.int32)[:, None]
    tables = [np.tile(truth, (FRESH, 1)), means]
    found = {method: Statistic(method, (Term(method_of(TIED[method]), 1),)) for method in METHODS}
    return {method: float(values(statistic, tables, row).mean()) for method, statistic in found.items()}


def log_odds(value: Array | float) -> Array:
    """A scale on which the expected coefficient grows almost linearly with the logarithm of the number of topics."""
    return np.log(np.tan(np.pi / 2 * np.clip(value, 1e-9, 1 - 1e-9)))


def one_sample(setting: Setting, rng: np.random.Generator, of: Population) -> dict[Method, dict[str, float]]:
    """Draw systems and topics, and compare the estimates of each coefficient with the truth."""
    (table,) = of.systems(rng, setting.systems, [setting.measure])
    sample = Scores.of(table[rng.integers(0, len(table), setting.topics)])
    true = {k: true_coefficients(table.mean(axis=0), table, k, rng) for k in sorted({*GRID, setting.topics})}
    seed = int(rng.integers(2**32))
    return {
        method: outcome(setting, method, sample, {k: means[method] for k, means in true.items()}, seed)
        for method in METHODS
    }


def outcome(setting: Setting, method: Method, sample: Scores, true: dict[int, float], seed: int) -> dict[str, float]:
    """The estimates from a sample beside the truth, and whether the intervals hold it."""
    options: dict[str, Any] = {"level": LEVEL, "resamples": RESAMPLES, "seed": seed, "n_jobs": 1, "progress": False}
    found = topics_needed(sample, TARGET, method, **options)
    curve = {row["topics"]: row for row in found.view.table("curve").records()}
    result = {"truth": true[setting.topics], "curve": found.own.value, "uneven": float(found.uneven)}
    for estimator in ESTIMATORS:
        result[estimator] = float(expected(sample, method, estimator, seed=seed, resamples=RESAMPLES))
    # The truth is not known more exactly than one pair in all fresh samples.
    slack = 4 / (FRESH * setting.systems * (setting.systems - 1))
    for name, k in [("own", setting.topics), *((str(k), k) for k in COMPARED)]:
        row = curve[k]
        result[f"holds_{name}"] = float(row["low"] - slack <= true[k] <= row["high"] + slack)
        result[f"truth_{name}"], result[f"curve_{name}"] = true[k], row["expected"]
    # Where the true curve crosses the target; the fresh samples make it uneven.
    heights = np.maximum.accumulate([log_odds(true[k]) for k in GRID])
    if heights[0] < log_odds(TARGET) < heights[-1]:
        needed = float(np.exp(np.interp(log_odds(TARGET), heights, np.log(GRID))))
        result["holds_needed"] = float(found.low <= needed <= found.high)
        result["needed_ratio"] = found.needed / needed
        result["plain_ratio"] = plain_needed(sample, method) / needed
        result["width"] = found.high / found.low
    return result


def plain_needed(sample: Scores, method: Method) -> float:
    """The topics needed if the formula of `expected` is used with other numbers of topics."""
    effects = Effects.of(RankedSystems.of(sample))

    def value(topics: float) -> float:
        chances = stdtr(max(topics - 1, 0.5), -np.sqrt(topics) * effects.observed)
        return effects.ranked.correlation(chances, method)

    return least(value, TARGET, GRID)


def estimates(setting: Setting, replicates: int, of: Population | None = None) -> list[dict[str, Any]]:
    """For each coefficient: the mean truth, the mean error of each estimate, and how often the intervals hold."""
    people, rows = of or population(setting.collection), []
    samples = [one_sample(setting, random_numbers(setting, k), people) for k in range(replicates)]
    for method in METHODS:
        found = [one[method] for one in samples]
        names = list(dict.fromkeys(name for one in found for name in one))
        known = {name: np.array([one[name] for one in found if name in one]) for name in names}
        row = {name: float(numbers.mean()) for name, numbers in known.items()}
        for name in ("needed_ratio", "plain_ratio", "width"):
            if name in known:
                row[name] = float(np.median(known[name]))
        row["needed_known"] = len(known.get("needed_ratio", ())) / replicates
        rounded = {name: round(number, 4) for name, number in row.items()}
        rows.append({**asdict(setting), "method": method, "replicates": replicates, **rounded})
    return rows


def in_fields(setting: Setting, replicates: int) -> list[dict[str, Any]]:
    """The same for tau, in a field whose true means are drawn as the collection says."""
    rng = np.random.default_rng([SEED, crc32(setting.collection.encode())])
    table = MEANS[setting.collection](rng) + NOISE * rng.normal(size=(TOPICS, POOL))
    return estimates(setting, replicates, Population({setting.measure: table}))[:1]


def feldt(squares: MeanSquares, level: float) -> tuple[float, float]:
    """The interval of Feldt (1965) for E rho^2, from the F distribution: for normal scores of random systems."""
    n, m = squares.n, squares.m
    ends = f_distribution.ppf([(1 - level) / 2, (1 + level) / 2], m - 1, (m - 1) * (n - 1))
    return 1 - ends[1] / squares.f, 1 - ends[0] / squares.f


def components(setting: Setting, replicates: int, of: Population | None = None) -> list[dict[str, Any]]:
    """How often the intervals of generalizability theory hold what they are for, in per cent of the samples."""
    people, outcomes = of or population(setting.collection), []
    for number in range(replicates):
        rng = random_numbers(setting, number)
        (table,) = people.systems(rng, setting.systems, [setting.measure])
        sample = table[rng.integers(0, len(table), setting.topics)]
        n, found = setting.topics, generalizability(sample, level=LEVEL)
        true = MeanSquares.of(table).components()
        truths = dict(zip(COMPONENTS, true))
        truths |= {
            "e_rho2": true.systems / (true.systems + true.interaction / n),
            "phi": true.systems / (true.systems + (true.topics + true.interaction) / n),
        }
        # A missing interval holds nothing.
        outcome = {
            f"holds_{name}": float(getattr(found, name).low <= one <= getattr(found, name).high)
            for name, one in truths.items()
        }
        low, high = feldt(MeanSquares.of(sample), LEVEL)
        outcome |= {"holds_feldt": float(low <= truths["e_rho2"] <= high), "true_e_rho2": truths["e_rho2"]}
        outcome["bias_e_rho2"] = found.e_rho2.value - truths["e_rho2"]
        outcomes.append(outcome)
    means = {name: round(float(np.mean([one[name] for one in outcomes])), 4) for name in outcomes[0]}
    return [{**asdict(setting), "replicates": replicates, **means}]


def settings(numbers: Sequence[int]) -> Iterable[Setting]:
    """All collections with each of these numbers of systems and each number of topics."""
    for collection, name in COLLECTIONS:
        for systems in numbers:
            for topics in (10, 25, 50, 100):
                yield Setting(collection, name, systems, topics)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=60, help="samples for each setting (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where the tables are written (default: docs)")
    parser.add_argument("--only", choices=("expected", "components", "fields"), help="measure only these")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.only in (None, "fields"):
        designed = [Setting(name, "score", m, n) for name in MEANS for m, n in ((20, 25), (20, 50), (40, 50))]
        measure(in_fields, designed, options.replicates, options.jobs, options.folder / FIELDS_FILE)
    if options.only in (None, "components"):
        designed = list(settings(MORE_SYSTEMS))
        measure(components, designed, 7 * options.replicates, options.jobs, options.folder / COMPONENTS_FILE)
    if options.only in (None, "expected"):
        measure(estimates, list(settings(SYSTEMS)), options.replicates, options.jobs, options.folder / EXPECTED)


if __name__ == "__main__":
    # Imported by its name, this module can be found by the other processes.
    from reliability_coverage import main as study

    study()
