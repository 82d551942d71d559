"""Coefficients between rankings of systems in simulated samples of topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import nan, pi, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .._core.errors import Source, TiesError
from .._core.methods import Method
from .._core.rounding import EQUAL_MEANS
from .._core.types import Floats
from .._core.work import slices
from .._kernel import totals_of_resamples
from ..data import Scores
from ._model import MeansModel

if TYPE_CHECKING:
    import numpy.typing as npt

    Task = tuple[np.random.SeedSequence, int]


class Term(NamedTuple):
    """A coefficient between the first of some tables and the one at this place.

    With `top`, it is the coefficient among this many systems, the best by the means of the first table.  In every
    simulated sample, these are the best of that sample.
    """

    method: Method
    table: int
    top: int | None = None


@dataclass(frozen=True)
class Statistic:
    """A coefficient, or the difference of two coefficients.

    Simulated coefficients are on the arcsine scale, on which their variance depends less on their size.  Differences
    stay as they are.
    """

    name: str
    """The name in tables and sentences."""
    terms: tuple[Term, ...]
    """One term, or two for a difference."""

    @property
    def is_difference(self) -> bool:
        return len(self.terms) == 2

    def observed(self, tables: Sequence[Scores]) -> float:
        """The value on the topics as given; an error if a coefficient refuses ties, and two systems are tied."""
        first, *second = (of_means(term.method, tables[0], tables[term.table], term.top) for term in self.terms)
        return first - second[0] if second else first

    @property
    def least(self) -> float:
        """The least possible value of a coefficient; the greatest is 1."""
        return self.terms[0].method.least

    def scaled(self, value: Floats) -> Floats:
        """On the arcsine scale: from -pi/2 for the least possible value to pi/2 for 1."""
        if self.is_difference:
            return value
        return np.arcsin((2 * value - (1 + self.least)) / (1 - self.least))

    def unscaled(self, value: Floats) -> Floats:
        """Back from the arcsine scale; what is beyond the greatest or least possible value is set to it."""
        if self.is_difference:
            return np.clip(value, -2, 2)
        return ((1 - self.least) * np.sin(np.clip(value, -pi / 2, pi / 2)) + (1 + self.least)) / 2


def of_means(method: Method, x: Scores, y: Scores, top: int | None = None) -> float:
    """The coefficient between the rankings by mean scores, of all systems or of the best by x.

    The systems that tie with the last of the best are among them.
    """
    best = best_systems(x, top)
    for argument, side in (("x", x), ("y", y)):
        if argument in method.untied and len(np.unique(side.means[best])) < best.sum():
            allowed = "the variants _a (ties in the second ranking) and _b (in both) allow them."
            raise TiesError(Source(side.name), f"contains ties. Two systems have the same mean; {allowed}")
    return method(x.means[best], y.means[best])


def best_systems(x: Scores, top: int | None) -> npt.NDArray[np.bool_]:
    """Which systems have one of the `top` best means, or tie with the last of these; all if `top` is None."""
    if top is None or top >= x.m:
        return np.ones(x.m, dtype=bool)
    return np.asarray(x.means >= np.sort(x.means)[-top])


def simulated_values(statistics: Sequence[Statistic], means: Floats, model: MeansModel) -> list[Floats]:
    """Each statistic for each of many simulated means, measures by samples by systems, on its scale."""
    # With many tables, a coefficient is in many differences.
    terms = dict.fromkeys(chain.from_iterable(statistic.terms for statistic in statistics))
    sums: dict[tuple[int, int | None], frozenset[str | tuple[float, int]]] = {}
    for term in terms:
        sums[term[1:]] = sums.get(term[1:], frozenset()) | term.method.sums
    # Systems that are the same share their means.
    means = np.ascontiguousarray(means[:, :, model.twin])
    rounding = np.abs(means).max(axis=(1, 2)) * EQUAL_MEANS
    rows = np.arange(means.shape[1], dtype=np.int32)[:, None]
    of_best = {top: best(means, top) for top in {top for _, top in sums}}
    counts = {
        (k, top): totals_of_resamples(of_best[top][0], of_best[top][k], rows, rounding[0], rounding[k], True, needed)
        for (k, top), needed in sums.items()
    }
    coefficients = {term: term.method.formula(counts[term[1:]]) for term in terms}
    values = []
    for statistic in statistics:
        first, *second = (coefficients[term] for term in statistic.terms)
        values.append(statistic.scaled(first - second[0] if second else first))
    return values


def best(means: Floats, top: int | None) -> Floats:
    """The means of the systems that are best in the first measure, in each sample."""
    if top is None or top >= means.shape[2]:
        return means
    highest = np.argpartition(-means[0], top - 1, axis=1)[:, :top]
    return np.take_along_axis(means, highest[None], axis=2)


class Pairs(NamedTuple):
    """A statistic in pairs of samples of topics, each pair from the same true means."""

    first: Floats
    second: Floats
    """The values in the two samples of each pair."""
    resampled: Floats
    """The values of resamples of the topics: the observed means, with the noise of a sample added to them."""
    with_topics: Floats
    with_own: Floats
    """The sums of products of the difference between the two with the differences in how often each topic was drawn,
    and in the noise that each system has of its own; both differences over sqrt(2).
    """


def pairs_of_samples(model: MeansModel, statistics: Sequence[Statistic], task: Task) -> list[Pairs]:
    """Simulate pairs of samples from one random stream: the values of each statistic."""
    source, size = task
    rng = np.random.default_rng(source)
    parts = [some_pairs(model, statistics, rng, part.stop - part.start) for part in slices(size, model.cost)]
    return [
        Pairs(*(np.concatenate(values) for values in arrays), *(np.sum(sums, axis=0) for sums in (topics, own)))
        for *arrays, topics, own in (zip(*pairs) for pairs in zip(*parts))
    ]


def some_pairs(model: MeansModel, statistics: Sequence[Statistic], rng: np.random.Generator, size: int) -> list[Pairs]:
    truths = model.truths(rng, size)
    one, other = model.noise(rng, size), model.noise(rng, size)
    topics, own = ((a - b) / sqrt(2) for a, b in ((one.topics, other.topics), (one.own, other.own)))
    observed = model.means[:, None, model.first]
    means = truths + one.values, truths + other.values, observed + one.shared
    blocks = []
    for first, second, resampled in zip(*(simulated_values(statistics, each, model) for each in means)):
        # If the best systems are all the same, there is no coefficient.
        difference = (first - second) / sqrt(2)
        difference[np.isnan(difference)] = 0
        # Sums without BLAS, whose threads can take far longer on a busy machine.
        sums = (np.einsum("s,st->t", difference, parts) for parts in (topics, own))
        blocks.append(Pairs(first, second, resampled, *sums))
    return blocks


class Spread(NamedTuple):
    """How much a statistic varies between samples of topics."""

    deviation: float
    """The standard deviation, on the scale of the statistic."""
    correction: float
    """The factor by which it exceeds that of the simulated samples."""


def spread(blocks: Sequence[Pairs], model: MeansModel) -> Spread:
    """The standard deviation of a statistic between samples of topics.

    The model shrinks the correlations between the noise of systems, which is right for the part of the variance that
    depends on their squares.  The linear part of the variance, that of a weighted sum of the noise of all systems, is
    right without shrinkage.  So the linear part is replaced by what it would be without.

    The deviation of resamples of the topics is another estimate.  It is too large if two rankings are nearly the same,
    so that noise decides, and better if the true means are not as the model has them.  The larger of the two is taken.
    """
    difference = defined(np.concatenate([block.first - block.second for block in blocks])) / sqrt(2)
    count = len(difference)
    if not count:
        return Spread(nan, 1.0)
    variance = float((difference**2).mean())
    if not variance > 0:
        return Spread(0.0, 1.0)
    by_topics, by_own = (
        explained_variance(np.sum(sums, axis=0) / count, variance / count)
        for sums in ([block.with_topics for block in blocks], [block.with_own for block in blocks])
    )
    share = model.shrinkage
    wanted = variance - by_own + by_topics * share / (1 - share)
    correction = sqrt(min(max(wanted / variance, 0.25), 9.0))
    resampled = float(np.std(defined(np.concatenate([block.resampled for block in blocks]))))
    deviation = max(correction * sqrt(variance), resampled)
    return Spread(deviation, deviation / sqrt(variance))


def defined(values: Floats) -> Floats:
    """Without what is undefined."""
    numbers: Floats = values[~np.isnan(values)]
    return numbers


def explained_variance(covariances: Floats, error: float) -> float:
    """The variance that standardised variables explain, given their covariances; the error of each is subtracted."""
    return max(0.0, float((covariances**2).sum()) - len(covariances) * error)


def true_and_seen(model: MeansModel, statistic: Statistic, r: Floats | None, task: Task) -> tuple[Floats, Floats]:
    """Simulate true means, and a sample of topics from each: the statistic between the true and the seen means.

    With `r`, the true means of the two measures are correlated by each of these in turn.
    """
    source, size = task
    rng = np.random.default_rng(source)
    parts = []
    for part in slices(size, model.cost):
        truths = model.truths(rng, part.stop - part.start)
        if r is not None:
            truths = model.correlated(truths, statistic.terms[0].table, r[np.arange(part.start, part.stop) % len(r)])
        seen = truths + model.noise(rng, part.stop - part.start).values
        parts.append([simulated_values([statistic], means, model)[0] for means in (truths, seen)])
    true, seen = (np.concatenate(values) for values in zip(*parts))
    return true, seen
