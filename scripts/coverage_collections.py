"""Simulated test collections with so many topics that the true means of the systems are known.

A population has the scores of many systems on many topics under several measures.  A sample of topics is drawn from it
with replacement, so the means over all of its topics are exactly the means that the samples vary around.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import pi, sin, sqrt

import numpy as np
from scipy.special import betaincinv, ndtr

Array = np.ndarray


@dataclass(frozen=True)
class Population:
    """Scores of all topics by all systems, under several measures.

    Attributes
    ----------
    measures : mapping of str to numpy.ndarray
        For each measure, topics by systems.
    """

    measures: Mapping[str, Array] = field(repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        topics, systems = next(iter(self.measures.values())).shape
        return topics, systems

    def systems(self, rng: np.random.Generator, count: int, measures: list[str]) -> list[Array]:
        """The scores of some systems, chosen at random, under each of these measures."""
        chosen = rng.permutation(self.shape[1])[:count]
        return [np.ascontiguousarray(self.measures[measure][:, chosen]) for measure in measures]


# Systems that rank documents

POOL, RETRIEVED = 200, 100
# A field of systems: the number of families, the variants in each, the range of their skills, and the noise that a
# family shares.
FIELDS = {
    "families": (60, 3, (0.7, 1.5), 1.0),
    "independent": (180, 1, (0.7, 1.5), 1.0),
    "tight": (90, 2, (0.9, 1.2), 1.0),
    "wide": (180, 1, (0.3, 2.0), 0.7),
}
# The noise of each system alone, and how far the skills of the variants of a family are apart.
OWN_NOISE, VARIANT_SKILL = 0.4, 0.03


def rankings(name: str, topics: int, seed: int, share: float = 1.0) -> Population:
    """Systems that score documents by skill times relevance plus noise, under four measures of their rankings.

    `share` reduces the number of families.
    """
    scores: dict[str, list[Array]] = {"map": [], "P_10": [], "ndcg": [], "recip_rank": []}
    for grades, ranked in ranked_topics(name, topics, seed, share):
        for measure, values in measured(grades, ranked).items():
            scores[measure].append(values)
    return Population({measure: np.array(rows) for measure, rows in scores.items()})


def ranked_topics(name: str, topics: int, seed: int, share: float = 1.0) -> Iterator[tuple[Array, Array]]:
    """For each topic, the grades of all documents, and the documents that each system retrieves, best first."""
    families, variants, skills, shared_noise = FIELDS[name]
    families = int(families * share)
    systems = families * variants
    rng = np.random.default_rng(seed)
    skill = np.repeat(rng.uniform(*skills, families), variants) + VARIANT_SKILL * rng.standard_normal(systems)
    for _ in range(topics):
        relevant = int(np.exp(rng.uniform(np.log(3), np.log(60))))
        # All documents are alike before they are scored, so the relevant ones can come first.
        grades = np.zeros(POOL)
        grades[:relevant], grades[: relevant // 3] = 1, 2
        ease = rng.gamma(4, 0.3)
        shared = np.repeat(rng.standard_normal((families, POOL)), variants, axis=0)
        noise = shared_noise * shared + OWN_NOISE * rng.standard_normal((systems, POOL))
        yield grades, np.argsort(-(ease * skill[:, None] * grades + noise), axis=1)[:, :RETRIEVED]


def measured(grades: Array, ranked: Array) -> dict[str, Array]:
    """Average precision, precision at 10, nDCG and reciprocal rank of rankings of documents, a row each."""
    gains = grades[ranked]
    hits = gains > 0
    rank = np.arange(1, ranked.shape[1] + 1)
    discount = np.log2(rank + 1)
    first = np.where(hits.any(axis=1), hits.argmax(axis=1) + 1, np.inf)
    return {
        "map": (hits * hits.cumsum(axis=1) / rank).sum(axis=1) / (grades > 0).sum(),
        # Rounded as a whole number of tenths is: then sums of equal scores are equal.
        "P_10": np.round(hits[:, :10].mean(axis=1), 1),
        "ndcg": (gains / discount).sum(axis=1) / (np.sort(grades)[::-1][: len(rank)] / discount).sum(),
        "recip_rank": 1 / first,
    }


# Scores with the moments of real ones

# As in the average precision of the ad hoc runs of TREC-6, 74 systems by 50 topics.  Of their variance, 17 % is due to
# systems, 36 % to topics and 47 % to both.  Their residuals have standard deviations that vary by 18 % between systems
# and by 52 % between topics.  The correlations between the residuals of systems have a standard deviation of 0.32,
# three factors explain 53 % of the variance, and 31 % of the systems have another one with a correlation above 0.8.
# Samples of that size from this model have, in the same order, 14, 38, 48, 21 and 49 %, 0.31, 50 and 27 %.
SHARES = (0.19, 0.39, 0.42)
FACTORS, COMMON = 4, 0.62
VARIANTS, VARIANT_COMMON = 0.6, 0.95
SYSTEM_SCALE, TOPIC_SCALE = 0.05, 0.40
# The beta distribution with the mean (0.173) and the standard deviation (0.206) of all these scores.
AP_MARGIN = (0.41, 1.95)
# A margin for precision at 10 or nDCG: with the mean 0.4.
OTHER_MARGIN = (0.8, 1.2)
# The correlations between the two measures' topic effects, and between their residuals.
SAME_TOPIC, SAME_RESIDUAL = 0.8, 0.7


def modelled(levels: list[float], topics: int, systems: int, seed: int) -> Population:
    """Scores from effects of systems and topics and correlated residuals, which are normal before they get a margin.

    The measure "AP" has the margin of average precision.  For each level there are two more, "P 0.9" in tenths and
    "Y 0.9" without ties for example, whose system effects are correlated with those of AP such that Kendall's tau
    between them is about the level.
    """
    rng = np.random.default_rng(seed)
    of_systems, of_topics, of_both = np.sqrt(SHARES)
    # Some systems are variants of another: with almost the same noise, and an effect that is not far.
    origin = np.where(rng.random(systems) < VARIANTS, rng.integers(0, systems, systems), np.arange(systems))
    close = origin != np.arange(systems)

    def like_origin(own: Array, share: float) -> Array:
        return np.where(close, sqrt(share) * own[..., origin] + sqrt(1 - share) * rng.standard_normal(own.shape), own)

    loadings = rng.standard_normal((FACTORS, systems))[:, origin]
    loadings *= sqrt(COMMON) / np.sqrt((loadings**2).sum(axis=0))
    scale_of_systems = np.exp(SYSTEM_SCALE * rng.standard_normal(systems))
    scale_of_topics = np.exp(TOPIC_SCALE * rng.standard_normal((topics, 1)))
    scales = scale_of_systems * scale_of_topics / sqrt((scale_of_systems**2).mean() * (scale_of_topics**2).mean())

    def residuals() -> Array:
        own = like_origin(rng.standard_normal((topics, systems)), VARIANT_COMMON)
        return rng.standard_normal((topics, FACTORS)) @ loadings + sqrt(1 - COMMON) * own

    def mixed(a: Array, b: Array, r: float) -> Array:
        return r * a + sqrt(1 - r**2) * b

    effects, topic_effects, residual = (
        like_origin(rng.standard_normal(systems), 0.5),
        rng.standard_normal((topics, 1)),
        residuals(),
    )

    def scores(effects: Array, topic_effects: Array, residual: Array, margin: tuple[float, float]) -> Array:
        return betaincinv(*margin, ndtr(of_systems * effects + of_topics * topic_effects + of_both * scales * residual))

    measures = {"AP": scores(effects, topic_effects, residual, AP_MARGIN)}
    for level in levels:
        # Greiner's relation between Kendall's tau and the correlation of normal variables.
        other = scores(
            mixed(effects, like_origin(rng.standard_normal(systems), 0.5), sin(pi / 2 * level)),
            mixed(topic_effects, rng.standard_normal((topics, 1)), SAME_TOPIC),
            mixed(residual, residuals(), SAME_RESIDUAL),
            OTHER_MARGIN,
        )
        measures |= {f"Y {level}": other, f"P {level}": np.round(other, 1)}
    return Population(measures)


def from_files(paths: list[str]) -> Population:
    """A population from files of scores, topics by systems, one for each measure."""
    from ircor.trec import read_table

    tables = {path: read_table(path) for path in paths}
    first = next(iter(tables.values()))
    return Population({path: table.loc[first.index, first.columns].to_numpy() for path, table in tables.items()})
