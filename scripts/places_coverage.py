"""Measure how often sets of places hold, and what readers use instead, on simulated collections and on real scores."""

import argparse
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from coverage_collections import Population
from coverage_study import DOCS, LEVEL, SEED, measure, population, random_numbers
from scipy.optimize import brentq
from scipy.special import betaincinv, ndtr, stdtrit

import ircor
from ircor.data import Scores
from ircor.reliability._places import root_of
from ircor.statistics import (
    Draws,
    correlation_shrinkage,
    decided_signs,
    deviations_of,
    drawn_weights,
    joint_critical,
    significant_pairs,
)
from ircor.statistics._maximum import Critical, Resampling
from ircor.statistics._significance import studentized_range_tail

Array = np.ndarray
FILE = "places-coverage.csv"
DRAWS = 999

# Fields of systems that are designed: the scores of so many topics by so many systems.
TOPICS, POOL = 2000, 150


def around(rng: np.random.Generator, means: Array, noise: float = 0.15) -> Array:
    """Scores around some means, with a topic effect and noise that systems share in part."""
    shared = rng.normal(size=(TOPICS, 4)) @ rng.normal(size=(4, len(means))) / 2
    own = rng.normal(size=(TOPICS, len(means)))
    return means + 0.2 * rng.normal(size=(TOPICS, 1)) + noise * (shared + own) / np.sqrt(2)


def zero_inflated(rng: np.random.Generator) -> Array:
    """Four scores of ten are 0, and the others have a beta distribution."""
    u = ndtr((around(rng, np.linspace(0, 0.2, POOL)) - 0.1) / 0.25)
    return np.where(u < 0.4, 0, betaincinv(0.5, 2.0, np.clip((u - 0.4) / 0.6, 0, 1)))


def near_duplicates(rng: np.random.Generator) -> Array:
    """Every other system is a near-duplicate of the one before it."""
    table = around(rng, np.repeat(np.linspace(0, 0.3, POOL // 2), 2))
    table[:, 1::2] = table[:, ::2] + 0.01 * rng.normal(size=(TOPICS, POOL // 2)) + 0.002
    return table


FIELDS = {
    "normal": lambda rng: around(rng, np.linspace(0, 0.3, POOL)),
    "zero-inflated": zero_inflated,
    "near-duplicates": near_duplicates,
    "two clusters": lambda rng: around(rng, 0.2 * (np.arange(POOL) % 2) + 0.02 * rng.normal(size=POOL)),
    "ties in truth": lambda rng: around(rng, 0.1 * (np.arange(POOL) % 3)),
    "a tenth broken": lambda rng: np.where(np.arange(POOL) % 10, around(rng, np.linspace(0.3, 0.5, POOL)), 0.0),
    "heavy tails": lambda rng: np.linspace(0, 0.2, POOL) + 0.1 * rng.standard_t(3, size=(TOPICS, POOL)),
    "log-normal": lambda rng: np.exp(rng.normal(size=(TOPICS, 1)) + 0.6 * around(rng, np.linspace(0, 0.3, POOL), 1)),
}
RANKED = ["families map", "families P_10", "families recip_rank", "tight map", "wide P_10", "model AP"]
REAL = [f"adhoc{year}_{name}" for year, name in product((5, 6), ("ap", "p10", "rr"))] + [
    "web2010_err20",
    "web2011_ndcg20",
]


@cache
def scores_of(name: str) -> Array:
    """All topics by all systems of a collection: a designed field, a simulated collection, or a file of IRCOR_DATA."""
    if name in FIELDS:
        return FIELDS[name](np.random.default_rng([SEED, crc32(name.encode())]))
    if name in REAL:
        return np.genfromtxt(Path(os.environ["IRCOR_DATA"]) / f"{name}.csv.gz", delimiter=",", skip_header=1)
    collection, measured = name.split()
    return np.asarray(population(collection).measures[measured])


@dataclass(frozen=True)
class Setting:
    """A collection, and the size of the sample; `equal` systems all get the same true mean."""

    collection: str
    systems: int
    topics: int
    equal: bool


def decided_by(scores: Scores, seed: int) -> dict[str, Array]:
    """The pairs that each method decides: systems by systems, 1, 0 or -1."""
    work, n = Resampling(DRAWS, seed, 1, False), scores.n
    _, counts = drawn_weights(n, "bootstrap", work)
    _, normals = drawn_weights(n, "normal", work)
    found = {}
    for name, moderation in (("bootstrap", None), ("own variances", 1e-3), ("common variance", 1.0)):
        draws = Draws.of_scores(scores, "bootstrap", counts, DRAWS)
        if moderation is not None:
            draws = Draws(*(moderation if key == "moderation" else one for key, one in vars(draws).items()))
        found[name] = decided_signs(draws, joint_critical([draws], LEVEL, work).value)
    draws = Draws.of_scores(scores, "normal", normals, DRAWS)
    critical = joint_critical([draws], LEVEL, work)
    found["normal"] = decided_signs(draws, critical.value)
    found["t"] = decided_signs(draws, with_student(draws, seed).value)
    shrunk = shrunk_covariance(scores)
    deviations, variances = root_of(shrunk)
    _, rooted = drawn_weights(len(deviations), "normal", work)
    draws = Draws(deviations, scores.means, variances, 0.0, 0.0, rooted, DRAWS)
    found["shrunk covariance"] = decided_signs(draws, joint_critical([draws], LEVEL, work).value)
    found["tukey"] = tukey_signs(scores)
    found["holm"] = significant_pairs(scores, "t", 1 - LEVEL).signs
    found["intervals"] = apart(scores)
    return found


def with_student(draws: Draws, seed: int) -> Critical:
    """The single-step critical value of normal draws that share a denominator, as in a multivariate t distribution."""
    n = len(draws.deviations)
    first, second = np.triu_indices(len(draws.means), 1)
    kept = draws.variances[first, second] > 0
    maxima = draws.maxima(first[kept], second[kept])
    maxima = maxima / np.sqrt(np.random.default_rng(seed).chisquare(n - 1, DRAWS) / (n - 1))
    return Critical(float(np.quantile(maxima, LEVEL)), 0, 0)


def shrunk_covariance(scores: Scores) -> Array:
    """The covariance of the means without the effects of topics, its correlations shrunk as for the intervals."""
    residuals = deviations_of(scores.values)
    covariance = residuals.T @ residuals / (scores.n * (scores.n - 1))
    share = correlation_shrinkage(residuals * np.sqrt(scores.n / (scores.n - 1)))
    return (1 - share) * covariance + share * np.diag(np.diag(covariance))


@cache
def tukey_quantile(systems: int, freedom: int) -> float:
    """The quantile of the studentized range."""
    return float(brentq(lambda q: studentized_range_tail(np.array([q]), systems, freedom)[0] - 1 + LEVEL, 0.1, 50))


def tukey_signs(scores: Scores) -> Array:
    """The pairs that Tukey's HSD decides, with topics as blocks: as `significant_pairs` does, without p-values."""
    n, m = scores.n, scores.m
    freedom = (n - 1) * (m - 1)
    variance = (deviations_of(scores.values) ** 2).sum() / freedom
    differences = scores.means[:, None] - scores.means
    return np.sign(differences) * (np.abs(differences) > tukey_quantile(m, freedom) * np.sqrt(variance / n))


def apart(scores: Scores) -> Array:
    """Pairs whose 95 % t intervals of the means do not overlap."""
    half = stdtrit(scores.n - 1, (1 + LEVEL) / 2) * scores.values.std(axis=0, ddof=1) / np.sqrt(scores.n)
    better = scores.means[:, None] - half[:, None] > scores.means + half
    return better.astype(np.int8) - better.T


def bootstrap_ranks(scores: Scores, seed: int) -> tuple[Array, Array]:
    """For each system, the 2.5 and the 97.5 percentile of its rank in resamples of the topics."""
    _, counts = drawn_weights(scores.n, "bootstrap", Resampling(DRAWS, seed, 1, False))
    means = counts[:, :DRAWS].T @ scores.values
    ranks = 1 + (means[:, None, :] > means[:, :, None]).sum(axis=2)
    low, high = np.quantile(ranks, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0, method="closest_observation")
    return low, high


def one_sample(setting: Setting, number: int) -> dict[str, dict[str, float]]:
    """What each method does with one sample: whether all sets hold, the share that holds, and their mean width."""
    rng, everything = random_numbers(setting, number), scores_of(setting.collection)
    (table,) = Population({"": everything}).systems(rng, setting.systems, [""])
    table = table - table.mean(axis=0) if setting.equal else table
    truth = np.zeros(setting.systems) if setting.equal else table.mean(axis=0)
    sample = Scores.of(table[rng.integers(0, len(table), setting.topics)])
    seed = int(rng.integers(2**31))
    true_low = 1 + (truth > truth[:, None] + 1e-12).sum(axis=1)
    true_high = setting.systems - (truth < truth[:, None] - 1e-12).sum(axis=1)
    m, outcome = setting.systems, {}
    for name, signs in decided_by(sample, seed).items():
        outcome[name] = held(1 + (signs < 0).sum(axis=1), m - (signs > 0).sum(axis=1), true_low, true_high)
        outcome[name]["decided"] = np.count_nonzero(signs) / (m * (m - 1))
    for kind in ("marginal",):
        sets = ircor.places(sample, LEVEL, kind, resamples=DRAWS, seed=seed, n_jobs=1, progress=False)
        outcome[kind] = held(sets.low, sets.high, true_low, true_high) | {"decided": sets.decided}
    outcome["bootstrap ranks"] = held(*bootstrap_ranks(sample, seed), true_low, true_high) | {"decided": np.nan}
    return outcome


def held(low: Array, high: Array, true_low: Array, true_high: Array) -> dict[str, float]:
    """Whether all sets have the true places, the share of those that do, and the mean width in places."""
    hold = (low <= true_low) & (true_high <= high)
    return {"all": float(hold.all()), "each": float(hold.mean()), "width": float((high - low + 1).mean())}


def coverage(setting: Setting, replicates: int) -> list[dict[str, Any]]:
    """A row for each method; the settings of 40 systems, which are many and take long, get half of the samples."""
    replicates = replicates // 2 if setting.systems == 40 else replicates
    samples = [one_sample(setting, number) for number in range(replicates)]
    rows = []
    for name in samples[0]:
        means = {key: round(float(np.mean([one[name][key] for one in samples])), 4) for key in samples[0][name]}
        rows.append({**asdict(setting), "method": name, "replicates": replicates, **means})
    return rows


def settings(real: bool) -> Iterable[Setting]:
    """All collections, with few and with many systems and topics; the largest ones in some collections only."""
    names = [*FIELDS, *RANKED, *(REAL if real else ())]
    for name, (m, n), equal in product(names, ((5, 15), (20, 25), (40, 50)), (True, False)):
        yield Setting(name, m, n, equal)
    for name, equal in product(("normal", "zero-inflated", "families recip_rank", "model AP"), (True, False)):
        yield Setting(name, 20, 250, equal)
    for equal in (True, False):
        yield Setting("model AP", 130, 50, equal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=200, help="samples for each setting (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where the table is written (default: docs)")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    tasks = list(settings("IRCOR_DATA" in os.environ))
    measure(coverage, tasks, options.replicates, options.jobs, options.folder / FILE)


if __name__ == "__main__":
    # Imported by its name, this module can be found by the other processes.
    from places_coverage import main as study

    study()
