"""Soft pairwise accuracy: whether two tables of scores are as sure of the same differences between systems."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from .._core.errors import InvalidValueError
from .._core.options import RESAMPLES, choice
from .._core.types import Floats
from .._core.work import random_phases
from .._kernel.closest import products
from ..data import Scores, ScoreSource
from ._significance import Significance, significant_pairs

if TYPE_CHECKING:
    import numpy.typing as npt

SoftTest: TypeAlias = Literal["permutation", "t", "randomisation"]

TEST = choice("test", SoftTest, "permutation", "where the p-values come from")


def soft_accuracy(truth: Floats, estimate: Floats) -> float:
    """1 - the mean distance of two p-values, over pairs of systems."""
    return float(1 - np.abs(truth - estimate).mean())


def soft_accuracy_of(truth: Significance, estimate: Significance) -> float:
    """The same of two tests of all pairs; nan if they have no p-values of single pairs, as Tukey's."""
    if truth.one_sided is None or estimate.one_sided is None:
        return nan
    return soft_accuracy(truth.one_sided, estimate.one_sided)


def soft_pairwise_accuracy(
    truth: ScoreSource,
    estimate: ScoreSource,
    test: SoftTest = "permutation",
    resamples: int = 1000,
    seed: int | None = None,
) -> float:
    """Pairwise accuracy of systems that asks how sure the truth is of each pair, and whether the estimate is as sure.

    For each pair of systems, p is the one-sided p-value for the first being better than the second, by the truth and by
    the estimate.  The coefficient is 1 minus the mean distance of the two p-values.  To swap two systems that hardly
    differ costs little, and to be sure of a difference that the truth does not find costs up to one half.

    Parameters
    ----------
    truth, estimate : 2-D array, DataFrame, files
        Scores, items (such as topics) by systems, as for `ircor.bootstrap`; matched by names if both have names.
    test : {"permutation", "t", "randomisation"}
        - "permutation": Fisher's paired test over items: the sign of the difference on each item is random.  The
          p-value is the share of permutations whose mean difference is as great as the observed one; the observed one
          is among them.  If there are no more than `resamples` permutations, each is used once.
        - "t": the paired t test.
        - "randomisation": the p-values of `ircor.judges(test="randomisation")`: as many permutations as a correction
          for the number of pairs needs.
    resamples : int
        The number of random permutations of "permutation".
    seed : int, optional
        The seed of the permutations.  Both tables get the same, so that equal tables have a value of exactly 1.

    Returns
    -------
    float
        From 0, if both are sure of the opposite of each other, to 1.  Two systems with the same scores on all items
        have p = 1 by "permutation", whichever comes first, and one half by the other tests.

    Raises
    ------
    TypeError, ValueError
        If a table is not one of finite scores, if systems or items do not match, or if there are fewer than two.

    References
    ----------
    B. Thompson, N. Mathur, D. Deutsch and H. Khayrallah (2024). Improving Statistical Significance in Human Evaluation
    of Automatic Metrics via Soft Pairwise Accuracy. WMT.

    Examples
    --------
    >>> truth = [[0.9, 0.5, 0.1], [0.8, 0.6, 0.3], [0.7, 0.6, 0.2], [0.9, 0.4, 0.2]]
    >>> soft_pairwise_accuracy(truth, [[0.9, 0.1, 0.5], [0.8, 0.3, 0.6], [0.7, 0.2, 0.6], [0.9, 0.2, 0.4]])
    0.6875
    """
    kind, resamples = TEST.checked(test), RESAMPLES.checked(resamples)
    x = Scores.of(truth, "truth")
    y = x.aligned(Scores.of(estimate, "estimate"))
    if x.m < 2:
        raise InvalidValueError("truth", f"must have two systems or more, not {x.m}")
    if kind != "permutation":
        return soft_accuracy_of(*(significant_pairs(side, kind, seed=seed, correction="none") for side in (x, y)))
    signs = all_signs(x.n) if 2**x.n <= resamples else random_signs(x.n, resamples, random_phases(seed, [])[0])
    return soft_accuracy(*(shares_as_great(side, signs) for side in (x, y)))


def all_signs(n: int) -> npt.NDArray[np.float64]:
    return np.where((np.arange(2**n)[:, None] >> np.arange(n)) & 1, -1.0, 1.0)


def random_signs(n: int, count: int, seed: int) -> npt.NDArray[np.float64]:
    """Random signs for all items, so many times; the first changes nothing."""
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (count, n))
    signs[0] = 1
    return signs


def shares_as_great(scores: Scores, signs: npt.NDArray[np.float64]) -> Floats:
    """For each pair of systems, the share of signs with a mean difference as great as the observed one."""
    sums = products(np.ascontiguousarray(scores.values.T), signs)
    first, second = np.triu_indices(scores.m, 1)
    observed = scores.n * (scores.means[first] - scores.means[second]) - scores.noise
    return np.array([np.mean(sums[i] - sums[j] >= least) for i, j, least in zip(first, second, observed)])
