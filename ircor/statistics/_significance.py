"""Which pairs of systems differ significantly in a table of scores, and whether two tables agree on these pairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import ceil, inf, log, nan, pi, sqrt
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast, get_args

import numpy as np

from .._core.options import RESAMPLES, SignificanceTest, fraction, one_of
from .._core.work import Progress, Resampling, in_parallel, random_blocks, slices
from .._kernel.closest import products
from ..data import Scores
from ._maximum import Draws, Family, block_maxima, drawn_weights
from ._model import deviations_of

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[np.float64]
    Signs: TypeAlias = npt.NDArray[np.int8]
    Task: TypeAlias = tuple[np.random.SeedSequence, int]

Correction = Literal["holm", "none"]

# With this many topics or fewer, all sign flips are tried.
FEW_TOPICS = 16
# The least number of random flips, and how many times smaller than alpha / pairs the least p-value is.
LEAST_FLIPS, PVALUE_RESOLUTION = 9_999, 4


@dataclass(frozen=True, eq=False)
class Significance:
    """Which pairs of systems differ significantly.

    Attributes
    ----------
    signs : numpy.ndarray of int8
        Systems by systems: 1 if the one in the row is significantly better than the one in the column, -1 if it is
        significantly worse, else 0.
    pvalues : numpy.ndarray
        Systems by systems: the p-values, adjusted for the number of pairs.
    test : {"maximum", "t", "randomisation", "tukey"}
    alpha : float
        The familywise error rate: the probability that any pair of systems is found to differ if all are equal.
        Without a correction, that of each pair.
    correction : {"holm", "none"}
        That of "t" and "randomisation"; the others have their own.
    least : float
        The least adjusted p-value that the test can have on this number of topics and systems; 0 if any can be.  If it
        is above `alpha`, no pair can differ significantly.
    draws : int
        The number of resamples of the topics, or of sign flips of the randomisation test; 0 for the others.
    seed : int or None
        The seed of the draws; None if there was nothing to draw.
    one_sided : numpy.ndarray or None
        For each pair of systems, in the order of `numpy.triu_indices`, the p-value for the first being better than the
        second, not adjusted, of paired t tests for "maximum"; None for Tukey's test, which has none.
    """

    signs: Signs = field(repr=False)
    pvalues: Array = field(repr=False)
    test: SignificanceTest
    alpha: float
    correction: Correction = "holm"
    least: float = 0.0
    draws: int = 0
    seed: int | None = None
    one_sided: Array | None = field(default=None, repr=False)

    @property
    def count(self) -> int:
        """The number of pairs that differ significantly."""
        return int(np.count_nonzero(self.signs)) // 2

    def share_in_same_order(self, ranks: npt.NDArray[Any]) -> float:
        """The share of these pairs in which the better system has the greater rank; nan if there are none.

        A pair that is tied does not count as in the same order.
        """
        better = self.signs > 0
        return int((better & (ranks[:, None] > ranks)).sum()) / int(better.sum()) if better.any() else nan


def significant_pairs(
    scores: Scores,
    test: SignificanceTest = "maximum",
    alpha: float = 0.05,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = False,
    *,
    correction: Correction = "holm",
) -> Significance:
    """Test each pair of systems for a difference between their mean scores.

    Parameters
    ----------
    scores : Scores
        Topics by systems.
    test : {"maximum", "t", "randomisation", "tukey"}
        - "maximum": the differences of the means in standard errors, against the greatest one of all pairs in resamples
          of the topics, step by step without the pairs that are found.  It needs no normal scores: of skewed ones, as
          those of hard topics, the others find differences between equal systems more often than `alpha`.
        - "t": the paired t test over topics.
        - "randomisation": Fisher's paired randomisation test.  If two systems are equal, the sign of the difference on
          each topic is random.  The statistic is the mean difference, two-sided.  With up to 16 topics all flips are
          tried, with more topics random ones: as many as it takes for p-values below alpha over the number of pairs.
        - "tukey": Tukey's honestly significant differences, with topics as blocks.  All systems have scores on the same
          topics, and most of the variance of scores is between topics, easy and difficult ones.  It cancels in every
          difference between systems, so it must not count as error, as it would in a one-way analysis.  One error
          variance is estimated for all pairs, from the residuals after the effects of topics and systems.  Where
          variances differ and scores of systems are correlated, it exceeds its error rate: up to 9 % instead of 5 %
          were measured.
    alpha : float
        The familywise error rate; without a correction, that of each pair.
    correction : {"holm", "none"}
        How the p-values of "t" and "randomisation" are adjusted for the number of pairs.
    seed : int, optional
        For the resamples, and for the randomisation test with random flips: the seed, drawn if None.
    n_jobs, progress
        As for `bootstrap`.

    References
    ----------
    J. P. Romano and M. Wolf (2005). Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing. Journal of
    the American Statistical Association 100(469).
    S. Holm (1979). A Simple Sequentially Rejective Multiple Test Procedure. Scandinavian Journal of Statistics 6(2).
    M. D. Smucker, J. Allan and B. Carterette (2007). A Comparison of Statistical Significance Tests for Information
    Retrieval Evaluation. CIKM.
    B. Carterette (2012). Multiple Testing in Statistical Analysis of Systems-Based Information Retrieval Experiments.
    ACM Transactions on Information Systems 30(1), 4.
    """
    test, alpha = cast(SignificanceTest, one_of(test, "test", get_args(SignificanceTest))), fraction(alpha, "alpha")
    adjust = holm if one_of(correction, "correction", get_args(Correction)) == "holm" else np.asarray
    better, worse = np.triu_indices(scores.m, 1)
    pairs, least, draws = len(better), 0.0, 0
    pvalue = None
    if test == "maximum":
        work = Resampling(RESAMPLES.default, seed, n_jobs, progress)
        pvalue = paired_t(scores, better, worse)
        seed, adjusted = step_down(scores, better, worse, work)
        draws = work.resamples
        least = 1 / (draws + 1)
    elif test == "tukey":
        adjusted = tukey(scores)[better, worse]
        seed = None
    elif test == "t":
        pvalue = paired_t(scores, better, worse)
        adjusted = adjust(pvalue)
        seed = None
    else:
        seed, draws, counts = exceedances(scores, ceil(PVALUE_RESOLUTION * pairs / alpha), seed, n_jobs, progress)
        pvalue = counts[better, worse] / draws
        adjusted = adjust(pvalue)
        # The flip that changes nothing is always counted.
        least = min(1.0, (pairs if correction == "holm" else 1) / draws)
    pvalues = np.ones((scores.m, scores.m))
    pvalues[better, worse] = pvalues[worse, better] = adjusted
    differences = scores.means[:, None] - scores.means
    halves = None if pvalue is None else np.where(differences[better, worse] > 0, pvalue / 2, 1 - pvalue / 2)
    signs = (np.sign(differences) * (pvalues <= alpha)).astype(np.int8)
    return Significance(signs, pvalues, test, alpha, correction, least, draws, seed, halves)


def holm(pvalues: Array) -> Array:
    """Adjust p-values for their number by Holm's method."""
    order = np.argsort(pvalues, kind="stable")
    adjusted = np.empty_like(pvalues)
    adjusted[order] = np.maximum.accumulate(pvalues[order] * np.arange(len(order), 0, -1))
    return np.minimum(adjusted, 1.0)


def paired_t(scores: Scores, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> Array:
    """The p-value of the two-sided paired t test for each pair of systems."""
    from scipy.special import stdtr

    means, errors = scores.means[first] - scores.means[second], np.empty(len(first))
    by_system = np.ascontiguousarray(scores.values.T)
    for part in slices(len(first), scores.n):
        differences = by_system[first[part]] - by_system[second[part]]
        errors[part] = differences.std(axis=1, ddof=1) / sqrt(scores.n)
    # A constant difference has t = inf and is significant; no difference at all has t = nan and is not.
    with np.errstate(divide="ignore", invalid="ignore"):
        pvalues = 2 * stdtr(scores.n - 1, -np.abs(means) / errors)
    return np.where(means == 0, 1.0, pvalues)


# The greatest studentized difference


def step_down(
    scores: Scores, better: npt.NDArray[np.intp], worse: npt.NDArray[np.intp], work: Resampling
) -> tuple[int, Array]:
    """The seed, and the adjusted p-value of each pair: Romano and Wolf (2005), algorithm 4.1 by resamples of topics.

    A constant difference has p = 0, and equal systems have p = 1.
    """
    seed, weights = drawn_weights(scores.n, "bootstrap", work)
    draws = Draws.of_scores(scores, "bootstrap", weights, work.resamples)
    family = Family(draws, better, worse)
    tasks = [(family, pairs) for pairs in family.blocks]
    family.keep(in_parallel(block_maxima, tasks, work.n_jobs, work.progress))
    counts = in_parallel(partial(as_great, family), list(range(len(tasks))), work.n_jobs, work.progress)
    shares = (np.concatenate([np.empty(0), *counts]) + 1) / (work.resamples + 1)
    # Of the pairs that are left at a step, the greatest is tested first.
    steps = np.maximum.accumulate(shares[::-1])[::-1]
    pvalues = np.ones((scores.m, scores.m))
    pvalues[draws.variances == 0] = (draws.statistics == 0)[draws.variances == 0]
    pvalues[family.first, family.second] = steps
    return seed, pvalues[better, worse]


def as_great(family: Family, block: int) -> npt.NDArray[np.int64]:
    """For each pair of a block, in how many draws any pair up to it has a statistic as great as its own."""
    greatest = family.until[block - 1].copy() if block else np.zeros(family.draws.draws, np.float32)
    pairs = family.blocks[block]
    counts = np.empty(pairs.stop - pairs.start, np.int64)
    for k in range(pairs.start, pairs.stop):
        np.maximum(greatest, family.maxima_of(slice(k, k + 1)), out=greatest)
        counts[k - pairs.start] = np.count_nonzero(greatest >= np.float32(family.statistics[k]))
    return counts


# The randomisation test


def exceedances(
    scores: Scores, needed: int, seed: int | None, n_jobs: int | None, progress: Progress
) -> tuple[int | None, int, npt.NDArray[np.int64]]:
    """The seed, the number of flips, and for each pair how many flips have a difference as large as the observed one.

    The flips include the one that changes nothing.
    """
    needed = max(needed, LEAST_FLIPS)
    work = partial(exceeding, scores)
    if scores.n <= FEW_TOPICS or 2 ** (scores.n - 1) <= needed + 1:
        # To flip all signs changes no absolute value, so the last topic keeps its sign.
        total = 2 ** (scores.n - 1)
        counts = in_parallel(work, slices(total, scores.m + scores.n), n_jobs, progress)
        return None, total, np.sum(counts, axis=0)
    seed, blocks = random_blocks(seed, needed)
    counts = in_parallel(work, blocks, n_jobs, progress)
    return seed, needed + 1, np.sum(counts, axis=0) + 1


def exceeding(scores: Scores, task: slice | Task) -> npt.NDArray[np.int64]:
    """Count the flips of one task, numbered or random, in which a difference is as large as the observed one."""
    if isinstance(task, slice):
        flipped = (np.arange(task.start, task.stop)[:, None] >> np.arange(scores.n)) & 1
    else:
        source, size = task
        flipped = np.random.default_rng(source).integers(0, 2, (size, scores.n), dtype=np.int8)
    # From the best system down, so that the differences of one system from those after it increase.
    order = scores.by_means
    sums = products(np.ascontiguousarray(scores.values[:, order].T), np.where(flipped, -1.0, 1.0))
    observed = scores.n * (scores.means[order][:, None] - scores.means[order]) - scores.noise
    highest, lowest = sums.max(axis=0), sums.min(axis=0)
    counts = np.zeros((scores.m, scores.m), dtype=np.int64)
    for i in range(scores.m - 1):
        # No flip of the task has a larger difference than this.
        largest = max((highest - sums[i]).max(), (sums[i] - lowest).max())
        end = int(np.searchsorted(observed[i, i + 1 :], largest, side="right")) + i + 1
        extreme = np.count_nonzero(np.abs(sums[i + 1 : end] - sums[i]) >= observed[i, i + 1 : end, None], axis=1)
        counts[order[i], order[i + 1 : end]] = counts[order[i + 1 : end], order[i]] = extreme
    return counts


# Tukey's test


def tukey(scores: Scores) -> Array:
    """The p-value of Tukey's test for each pair of systems, with topics as blocks."""
    freedom = (scores.n - 1) * (scores.m - 1)
    variance = float((deviations_of(scores.values) ** 2).sum()) / freedom
    differences = np.abs(scores.means[:, None] - scores.means)
    # Without any residual, all differences are significant.
    with np.errstate(divide="ignore", invalid="ignore"):
        q = differences / sqrt(variance / scores.n)
    return np.where(differences == 0, 1.0, studentized_range_tail(q, scores.m, freedom))


def studentized_range_tail(q: Array, groups: int, freedom: int) -> Array:
    """The probability that the studentized range is q or more.

    It is the mean over s of P(range of `groups` standard normal variables >= q s), where freedom s^2 has a chi-squared
    distribution.  Both integrands are smooth and vanish at the ends, so the trapezoidal rule, over log s and over the
    least of the variables, is exact to about 1e-9.  `scipy.stats.studentized_range` takes milliseconds for each value.
    """
    from scipy.special import chdtri, gammaln, ndtr

    # log s from where the distribution has nothing more below to where it has nothing more above.
    low = 0.5 * log(max(float(chdtri(freedom, 1 - 1e-16)), 1e-300) / freedom) if freedom >= 40 else -40 / freedom - 1
    high = 0.5 * log(float(chdtri(freedom, 1e-18)) / freedom)
    u = np.linspace(low, high, max(32, ceil((high - low) / 0.1)))
    s = np.exp(u)
    half = freedom / 2
    density = np.exp(log(2) + half * log(half) - gammaln(half) + freedom * u - half * s**2)
    weights = density * (u[1] - u[0])
    weights /= weights.sum()
    least = np.linspace(-9, 9, 121)
    below = ndtr(least)
    inner = groups * np.exp(-(least**2) / 2) / sqrt(2 * pi) * (least[1] - least[0])
    values, places = np.unique(q, return_inverse=True)
    tails = np.zeros(len(values))
    for k in np.flatnonzero(values < inf):
        within = (ndtr(least + values[k] * s[:, None]) - below) ** (groups - 1)
        tails[k] = max(0.0, 1 - float(weights @ within @ inner))
    return tails[places.reshape(q.shape)]


# Agreement


@dataclass(frozen=True)
class PairCounts:
    """How a judge's significant differences between systems agree with the true ones."""

    significant: int
    """The pairs that differ significantly by the truth."""
    found: int
    """Of these, those that differ significantly by the judge, in the same direction."""
    missed: int
    """Of these, those that do not differ significantly by the judge."""
    reversed: int
    """Of these, those that differ significantly by the judge in the other direction."""
    extra: int
    """The pairs that differ significantly by the judge, and not by the truth."""
    missed_opposite: int
    """Of the missed pairs, those that the judge's means order in the other direction."""


def compare_pairs(truth_signs: Signs, judge_signs: Signs, judge_means: Array) -> PairCounts:
    """Compare the significant pairs of a judge with those of the truth, given the `Significance.signs` of both."""
    # Each true difference once, with the better system in the row.
    true = truth_signs > 0
    missed, turned = true & (judge_signs == 0), true & (judge_signs < 0)
    return PairCounts(
        significant=int(true.sum()),
        found=int((true & (judge_signs > 0)).sum()),
        missed=int(missed.sum()),
        reversed=int(turned.sum()),
        extra=int(((truth_signs == 0) & (judge_signs > 0)).sum()),
        missed_opposite=int((missed & (judge_means[:, None] < judge_means)).sum()),
    )
