"""The rank distance d_rank and its bootstrap test, and what they are compared with (Carterette 2009).

Kendall's tau counts swaps and treats all alike.  The rank distance asks how far the systems' mean scores would have to
move, measured by how they vary over the topics, until they stood in the other order: a swap of two systems that are
hardly different costs little, a swap of two that differ on every topic costs much, and so does parting two that behave
alike.  Its bootstrap test says whether another sample of topics could have made that difference.
"""

from __future__ import annotations

import os
from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from math import nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ._check import as_number, whole_number
from ._closest import Closest
from ._files import whole_file
from ._scores import Scores
from ._watch import Progress, in_parallel, random_blocks

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

# What the paper adds to the variances where the covariance matrix has no inverse.
RIDGE = 1e-5

FORMAT = 1


def drank(y: Any, X: Any, *, ridge: float | None = None) -> float:
    """The rank distance of a ranking of systems from the ranking by their mean scores.

    The smallest distance, by the covariance of the scores over topics, from the mean scores to a point at which the
    systems stand in y's order; 0 if they do already.  It has no upper bound, and depends on the numbers of systems and
    topics: use `drank_test` to judge it.

    Parameters
    ----------
    y : array or Series
        One number a system, the greater the better.  Only their order counts.  A Series is matched to the columns of X
        by name, anything else by position.  Tied systems are taken in the order of their means in X, so that a tie
        is not a swap; means that differ by a rounding error are no tie in y, so round them first.
    X : 2-D array or DataFrame
        Scores, topics by systems.
    ridge : float, optional
        Added to the variances of the differences.  By default 1e-5 where there are no fewer systems than topics, or
        the covariance matrix is singular, and else nothing, as in the paper.

    Returns
    -------
    float

    Raises
    ------
    TypeError
        If X or y is not numeric.
    ValueError
        If X has missing values, fewer than two topics or systems, or two systems of one name; if y does not match the
        systems of X; or if the covariance matrix is singular and the ridge is 0.

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, equation (2) and algorithm 1.

    Examples
    --------
    Average precision of the systems A, B and C on four topics; precision at 10 ranks them B, C, A:

    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> round(drank([0.5, 0.75, 0.7], AP), 2)
    0.65
    >>> round(drank([3, 2, 1], AP), 2)      # A first, which is the worst by far
    4.88
    """
    scores = Scores(X)
    return Problem(scores, ridge).distance(scores.match(y))


def drank_test(
    y: Any,
    X: Any,
    *,
    resamples: int = 10_000,
    seed: int | None = None,
    ridge: float | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> DrankResult:
    """Test whether a ranking of systems differs from the ranking by their mean scores by more than the topics explain.

    For many rankings of the same systems, make one `DrankNull` and use its `test`.

    Parameters
    ----------
    y, X, ridge
        As for `drank`.
    resamples : int
        Samples of topics drawn with replacement.
    seed : int, optional
        Makes the outcome repeatable, whatever n_jobs is.
    n_jobs : int, optional
        As for joblib; joblib's own configuration (`joblib.parallel_config`) counts too.
    progress : callable, False or None
        A function that is told how much is done of how much; False for nothing.  By default, a bar in a terminal when
        it takes more than two seconds.

    Returns
    -------
    DrankResult

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, algorithm 2.

    Examples
    --------
    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> drank_test([0.5, 0.75, 0.7], AP, seed=1).pvalue > 0.05
    True
    """
    null = DrankNull(X, resamples=resamples, seed=seed, ridge=ridge, n_jobs=n_jobs, progress=progress)
    return null.test(y, X)


@dataclass(frozen=True, eq=False)
class DrankResult:
    """A rank distance, its significance, and the nearest point that it was measured to.

    Attributes
    ----------
    statistic : float
        The rank distance.
    pvalue : float
        The share of the resamples with a distance no less.
    order : tuple
        The systems in y's order, best first.
    theta : numpy.ndarray
        The nearest point: how much each system of `order` but the last is ahead of the next one there.
    equalised : tuple of pairs
        The neighbours in `order` that had to be made equal to get there: those whose means stand the other way round,
        and those that follow from them.
    resamples : int
    ridge : float
        What was added to the variances.
    """

    statistic: float
    pvalue: float
    order: tuple[Hashable, ...]
    theta: Array
    equalised: tuple[tuple[Hashable, Hashable], ...]
    resamples: int
    ridge: float

    def __str__(self) -> str:
        groups: list[list[Hashable]] = []
        for better, worse in self.equalised:
            if groups and groups[-1][-1] == better:
                groups[-1].append(worse)
            else:
                groups.append([better, worse])
        equal = ", ".join(" = ".join(map(str, group)) for group in groups) or "none"
        ridge = f", ridge {self.ridge:g}" if self.ridge else ""
        p = f"p = {self.pvalue:.4g}" if self.pvalue > 0 else f"p < {1 / self.resamples:.2g}"
        return (
            f"rank distance {self.statistic:.4g}, {p} ({self.resamples} resamples of the topics{ridge})\n"
            f"made equal: {equal}"
        )


class DrankNull:
    """The bootstrap distribution of the rank distance for one table of scores, for as many rankings as one likes.

    Parameters
    ----------
    X, resamples, seed, ridge, n_jobs, progress
        As for `drank_test`.

    Attributes
    ----------
    distances : numpy.ndarray
        The distances of the resamples, sorted.
    resamples, seed, ridge
        What it was made with; `seed` is one that makes it again.

    Examples
    --------
    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> null = DrankNull(AP, seed=1)
    >>> null.pvalue(4.88), null.pvalue(0)
    (0.0, 1.0)
    >>> round(null.critical_value(0.05), 2)
    0.65
    """

    distances: Array
    resamples: int
    seed: int
    ridge: float
    digest: str

    def __init__(
        self,
        X: Any,
        *,
        resamples: int = 10_000,
        seed: int | None = None,
        ridge: float | None = None,
        n_jobs: int | None = None,
        progress: Progress = None,
    ) -> None:
        whole_number(resamples, "resamples")
        self.seed, tasks = random_blocks(seed, resamples)
        scores = Scores(X)
        problem = Problem(scores, ridge)
        blocks = in_parallel(partial(resampled_distances, problem), tasks, n_jobs, progress)
        self.distances = np.sort(np.concatenate(blocks))
        self.resamples = int(resamples)
        self.ridge = problem.ridge
        self.digest = scores.digest()

    def pvalue(self, d: float) -> float:
        """The share of the resamples with a distance no less than d."""
        if not as_number(d, "d") >= 0:
            raise ValueError(f"'d' must be a distance, from 0 up, not {d!r}")
        # The same ranking can come out a rounding error apart.
        return (self.resamples - int(np.searchsorted(self.distances, d * (1 - 1e-9)))) / self.resamples

    def critical_value(self, alpha: float = 0.05) -> float:
        """The distance above which the p-value is alpha or less."""
        if not 0 < alpha < 1:
            raise ValueError(f"'alpha' must be between 0 and 1, not {alpha!r}")
        return float(np.quantile(self.distances, 1 - alpha, method="inverted_cdf"))

    def test(self, y: Any, X: Any) -> DrankResult:
        """The test of one ranking of the systems of X, the very scores that this distribution was made from."""
        scores = Scores(X)
        if scores.digest() != self.digest:
            raise ValueError("'X' is not the table of scores that this distribution was made from")
        problem = Problem(scores, self.ridge)
        order = scores.order(scores.match(y))
        squared, theta, multipliers = problem.closest().point(order)
        names = [scores.systems[i] for i in order]
        statistic = sqrt(scores.n * squared)
        return DrankResult(
            statistic,
            self.pvalue(statistic),
            tuple(names),
            theta,
            tuple((names[k], names[k + 1]) for k in np.flatnonzero(multipliers > 0)),
            self.resamples,
            self.ridge,
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the distribution to a file, whole or not at all: NumPy's npz, without pickle."""
        with whole_file(path, binary=True) as file:
            np.savez_compressed(
                file,
                drank_null=np.int64(FORMAT),
                distances=self.distances,
                ridge=np.float64(self.ridge),
                seed=np.array(str(self.seed)),
                digest=np.array(self.digest),
            )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> DrankNull:
        """Read a distribution that `save` wrote.

        Raises
        ------
        ValueError
            If the file is damaged, or is something else.
        """
        null = cls.__new__(cls)
        with open(path, "rb") as opened:
            # There is no end to what a damaged file can make a reader of zip archives raise.
            try:
                with np.load(opened, allow_pickle=False) as file:
                    version = int(file["drank_null"])
                    if version > FORMAT:
                        raise NotImplementedError(f"{path} was saved by a newer version of ircor, in format {version}")
                    null.distances = np.asarray(file["distances"], dtype=np.float64)
                    null.ridge = float(file["ridge"])
                    null.seed = int(str(file["seed"]))
                    null.digest = str(file["digest"])
            except Exception as error:
                if isinstance(error, NotImplementedError) and "newer version of ircor" in str(error):
                    raise ValueError(str(error)) from None
                raise ValueError(f"{path} is not a saved DrankNull, or it is damaged: {error}") from None
        if null.distances.ndim != 1 or null.distances.size == 0 or np.isnan(null.distances).any():
            raise ValueError(f"{path} is not a saved DrankNull, or it is damaged: its distances are no distribution")
        null.resamples = null.distances.size
        return null


def tau_interval(tau: float, m: int, level: float = 0.95) -> tuple[float, float]:
    """Kendall's confidence interval for tau over a sample of m systems.

    Parameters
    ----------
    tau : float
        The correlation, from -1 to 1.
    m : int
        The number of systems.
    level : float
        The confidence.

    Returns
    -------
    tuple of float
        The lower and the upper end.

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, equation (1).

    Examples
    --------
    >>> low, high = tau_interval(0.9, 25)
    >>> round(low, 3), round(high, 3)
    (0.389, 0.987)
    """
    from scipy.special import ndtri

    if not -1 <= as_number(tau, "tau") <= 1:
        raise ValueError(f"'tau' must be from -1 to 1, not {tau!r}")
    if not as_number(m, "m") >= 1:
        raise ValueError(f"'m' must be a positive number of systems, not {m!r}")
    if not 0 < as_number(level, "level") < 1:
        raise ValueError(f"'level' must be between 0 and 1, not {level!r}")
    z = float(ndtri((1 + level) / 2))
    half = z * sqrt(2 / m) * sqrt(1 + 2 * z**2 / m - tau**2)
    return (tau - half) / (1 + 2 * z**2 / m), (tau + half) / (1 + 2 * z**2 / m)


def discriminative_power(y: Any, X: Any, alpha: float = 0.05) -> float:
    """Of the pairs of systems that differ significantly, the share that y orders as their mean scores do.

    Parameters
    ----------
    y, X
        As for `drank`; a pair tied in y is not ordered as the means are.
    alpha : float
        The significance level of the paired two-sided t test.

    Returns
    -------
    float
        From 0 to 1; nan if no pair differs significantly.

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, sections 2.1 and 3.1.

    Examples
    --------
    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> discriminative_power([2, 3, 1], AP)      # B, A, C
    0.5
    """
    from scipy.special import stdtr

    if not 0 < as_number(alpha, "alpha") < 1:
        raise ValueError(f"'alpha' must be between 0 and 1, not {alpha!r}")
    scores = Scores(X)
    values = scores.match(y)
    significant = kept = 0
    for i in range(scores.m - 1):
        differences = scores.values[:, [i]] - scores.values[:, i + 1 :]
        means = scores.means[i] - scores.means[i + 1 :]
        errors = differences.std(axis=0, ddof=1) / sqrt(scores.n)
        # Without any variance, a difference is as significant as can be, and none is not.
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(means) / errors
        different = 2 * stdtr(scores.n - 1, -t) < alpha
        significant += int(different.sum())
        kept += int((different & (np.sign(values[i] - values[i + 1 :]) == np.sign(means))).sum())
    return kept / significant if significant else nan


class Problem:
    """What the distances from the means of one table of scores have in common."""

    def __init__(self, scores: Scores, ridge: float | None) -> None:
        # The topics' own difficulty is no part of any difference, and would only cost digits.
        centred = scores.values - scores.values.mean(axis=1, keepdims=True)
        self.scores = scores
        self.covariance = np.ascontiguousarray(np.atleast_2d(np.cov(centred, rowvar=False)))
        # What rounding alone makes of the scores.
        self.noise = 8 * np.finfo(np.float64).eps * scores.size
        if not np.isfinite(self.covariance).all():
            raise ValueError("the scores in 'X' are too large for their covariance to be a number")
        if ridge is None:
            spread = np.linalg.svd(centred - centred.mean(axis=0), compute_uv=False)
            least = max(np.finfo(np.float64).eps * max(scores.n, scores.m) * spread[0], sqrt(scores.n) * self.noise)
            rank = np.count_nonzero(spread > least)
            self.ridge = RIDGE if scores.m >= scores.n or rank < scores.m - 1 else 0.0
        elif 0 <= as_number(ridge, "ridge") < np.inf:
            self.ridge = float(ridge)
        else:
            raise ValueError(f"'ridge' must be a number from 0 up, not {ridge!r}")

    def closest(self) -> Closest:
        return Closest(self.scores.means, self.covariance, self.ridge, self.noise**2)

    def distance(self, y: npt.NDArray[Any]) -> float:
        squared, _, _ = self.closest().point(self.scores.order(y))
        return sqrt(self.scores.n * squared)


def resampled_distances(problem: Problem, task: tuple[np.random.SeedSequence, int]) -> Array:
    """The distances of one block of resamples, from its own stream of random numbers."""
    source, size = task
    scores = problem.scores
    draws = np.random.default_rng(source).integers(0, scores.n, (size, scores.n), dtype=np.int32)
    unit = scores.noise or 1.0
    closest = problem.closest()
    # No call so long that an interrupt would have to wait for it.
    step = max(1, 2_000_000 // (scores.m * (scores.m + scores.n)))
    parts = [closest.resampled(scores.values, draws[k : k + step], scores.by_means, unit) for k in range(0, size, step)]
    return np.asarray(np.sqrt(scores.n * np.concatenate(parts)))
