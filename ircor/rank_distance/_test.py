"""The test of the rank distance, and the distribution of distances that it needs."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from .._core.errors import InvalidValueError, Source, must_be
from .._core.files import whole_file
from .._core.options import ALPHA, N_JOBS, NULL, RESAMPLES, RIDGE, SEED, Null, real_number, takes, whole_number
from .._core.results import Result
from .._core.rounding import EQUAL_MEANS, tie_means
from .._core.types import Floats, Vector
from .._core.work import Progress, Resampling, in_parallel, random_blocks
from .._kernel.closest import products, squared_distances
from ..data import Scores, ScoreSource, is_table
from ..statistics import correlation_shrinkage, deviations_of, same_systems
from ._distance import Reference, covariances_of, reference_scores, rounding

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class DrankResult(Result):
    """A rank distance, its p-value, and the point that the distance was measured to.

    Attributes
    ----------
    statistic : float
        The rank distance.
    pvalue : float
        The share of the samples of topics whose distance is at least as large, counting this one as one of them.
    order : tuple
        The systems in y's order, best first.
    theta : numpy.ndarray
        The nearest point with that order: how far each system of `order` but the last is ahead of the next one.
    equalised : tuple of tuple
        The neighbours in `order` that are equal at that point: their means are in the opposite order, or they are tied
        to such a pair.
    null : {"two-sample", "resample"}
        What the distance was compared with: `drank_test`.
    topics : int
        The number of topics behind the ranking, for the two-sample test.
    resamples : int
        The number of samples of topics.
    ridge : float
        Added to the variances.
    shrinkage : float
        The share of the identity matrix in the covariance; 0 without shrinkage.
    seed : int
        Reproduces the samples.
    """

    statistic: float
    pvalue: float
    order: tuple[Hashable, ...]
    theta: Floats = field(repr=False)
    equalised: tuple[tuple[Hashable, Hashable], ...]
    null: Null
    topics: int
    resamples: int
    ridge: float
    shrinkage: float
    seed: int


# Normal numbers and covariances that are computed together: as many as the cache of a processor holds.
NUMBERS_AT_ONCE = 2**16


@dataclass(frozen=True)
class TwoSamples:
    """Simulates two samples of topics: scores from the first, and a ranking from the second.

    The scores are normal, with the means of the table and its covariance, in which the correlations are shrunk by
    `correlation_shrinkage`.
    """

    scores: Scores
    """The table."""
    topics: int
    """The number of topics of the second sample."""
    ridge: float | Literal["shrinkage"]
    """As for `drank`."""
    deviations: Floats
    """Systems by topics, of the systems that are not the same: the products of their rows are the covariance."""
    own: Floats
    """The standard deviation of each system."""
    shrinkage: float
    """The share of the variance that each system has of its own."""
    first: npt.NDArray[np.intp]
    twin: npt.NDArray[np.intp]
    """The first of the systems with the same scores everywhere, and for each system its place among these."""

    @classmethod
    def of(cls, scores: Scores, topics: int, ridge: float | Literal["shrinkage"]) -> TwoSamples:
        deviations = deviations_of(scores.values)
        first, twin = same_systems(scores.values)
        scaled = np.ascontiguousarray(deviations[:, first].T) / sqrt(scores.n - 1)
        own = np.sqrt(np.square(scaled).sum(axis=1))
        share = correlation_shrinkage(deviations)
        return cls(scores, topics, ridge, scaled, own, share, first, twin)

    def drawn(self, shared: Floats, own: Floats) -> Floats:
        """Scores on simulated topics, less the means of the systems, from normal numbers: samples by topics by systems.

        `shared` has as many numbers for each topic as the table has topics, and `own` one for each different system.
        """
        count, topics, n = shared.shape
        covarying = products(np.ascontiguousarray(shared.reshape(count * topics, n)), self.deviations)
        drawn = sqrt(1 - self.shrinkage) * covarying.reshape(own.shape) + sqrt(self.shrinkage) * (own * self.own)
        # The topics of a system are next to each other in memory.  How NumPy adds them up depends on it.
        by_system = np.ascontiguousarray(drawn.swapaxes(1, 2))
        copied: Floats = by_system.take(self.twin, axis=1).swapaxes(1, 2)
        return copied

    def distances(self, task: tuple[np.random.SeedSequence, int]) -> Floats:
        """The distances of one block of simulations, from a random stream of its own."""
        source, size = task
        rng = np.random.default_rng(source)
        n, different = self.scores.n, len(self.first)
        lengths = np.array([n * n, n * different, n, different])
        step = max(1, NUMBERS_AT_ONCE // int(lengths.sum() + self.scores.m**2))
        distances = []
        for start in range(0, size, step):
            count = min(step, size - start)
            numbers = np.split(rng.standard_normal((count, lengths.sum())), np.cumsum(lengths)[:-1], axis=1)
            first = self.drawn(*(part.reshape(count, n, -1) for part in numbers[:2]))
            # The mean of so many topics is one draw with a variance that is smaller by their number.
            second = self.drawn(*(part.reshape(count, 1, -1) for part in numbers[2:]))[:, 0] / sqrt(self.topics)
            distances.append(self.distances_between(self.scores.means + first, self.scores.means + second))
        return np.concatenate(distances)

    def distances_between(self, tables: Floats, rankings: Floats) -> Floats:
        """The rank distance of each ranking from the table of scores with the same number."""
        sizes = np.abs(tables).max(axis=(1, 2))
        means = tables.mean(axis=1)
        # Rows without a tie, which are nearly all, stay as they are.
        for k in np.flatnonzero(~(np.diff(np.sort(means)) > (sizes * EQUAL_MEANS)[:, None]).all(axis=1)):
            means[k] = tie_means(means[k], float(sizes[k]))
        matrices, ridge, _ = covariances_of(tables, self.ridge)
        # Only systems that are the same are tied.
        orders = np.lexsort((-means, -rankings)).astype(np.int32)
        noise, tied = np.array([rounding(size) for size in sizes.tolist()]).T
        squared = squared_distances(means, matrices, ridge, np.array(noise), np.array(tied), orders)
        distances: Floats = np.sqrt(self.scores.n * squared)
        return distances


# The version of the files that DrankNull.save writes.
FORMAT = 2

DAMAGED = "is not a saved DrankNull, or it is damaged"

# The same ranking can have distances that differ by rounding, so slightly smaller distances count as equal.
EQUAL_DISTANCES = 1e-9

# About the number of multiplications in one call of the kernel.  An interrupt has to wait for the end of the call.
STEPS_PER_CALL = 2_000_000


Ridge: TypeAlias = float | Literal["shrinkage"] | None


@takes(NULL, RESAMPLES, SEED, RIDGE, N_JOBS)
def drank_test(
    X: ScoreSource,
    y: Vector | ScoreSource,
    *,
    null: Null = "two-sample",
    resamples: int = 10_000,
    seed: int | None = None,
    ridge: Ridge = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> DrankResult:
    """Test whether a ranking differs from the ranking by mean scores by more than a sample of topics explains.

    To test many rankings of the same systems, make one `DrankNull` and use its `test`.

    Parameters
    ----------
    X, y
        As for `drank`.
    null : {"two-sample", "resample"}
        Which distances the rank distance is compared with.

        - "two-sample": those of rankings by one sample of topics from the scores on another.  It tests whether y could
          be the ranking by another sample of topics.
        - "resample": those of rankings by resamples of X's topics, from X.  This is algorithm 2 of the paper.  It tests
          whether y could be a ranking by a resample of the same topics.  Rankings by other topics are farther away, and
          are rejected far more often than the p-value says: with 20 systems, nine of ten.
    resamples : int
        The number of simulated samples of topics.
    seed : int, optional
        The seed of the random numbers, 0 or more.  Drawn if None; reported in the result.
    ridge : float or "shrinkage", optional
        As for `drank`, but by default "shrinkage" for the two-sample test; then the distance differs from that of
        `drank`, whose default is that of the test of the paper.
    n_jobs : int, optional
        As for joblib.  If None, joblib's own configuration (`joblib.parallel_config`) applies.
    progress : callable, False or None
        A callback that gets the number of steps done and the total; False for none.  By default, a bar in a terminal
        if it takes more than two seconds.

    Returns
    -------
    DrankResult

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, algorithm 2.

    Examples
    --------
    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> P10 = [[0.8, 0.8, 0.8], [0.2, 0.7, 0.5], [0.3, 0.5, 0.5], [0.7, 1.0, 1.0]]
    >>> print(drank_test(AP, P10, seed=1))
    rank distance 0.6123, p = 0.2172 (null: 10000 pairs of samples of topics, shrinkage 0.25)
    made equal: 1 = 2
    >>> print(drank_test(AP, P10, null="resample", seed=1))      # the test of the paper
    rank distance 0.6508, p = 0.2099 (null: 10000 resamples of the topics)
    made equal: 1 = 2
    """
    scores = reference_scores(X, "drank_test")
    # Before the simulation, so that an error in y does not have to wait for it.
    table = Scores.of(y, "y") if is_table(y) else None
    ranks = scores.ranks(y if table is None else table)
    distribution = DrankNull(
        scores,
        null=null,
        topics=None if table is None else table.n,
        resamples=resamples,
        seed=seed,
        ridge=ridge,
        n_jobs=n_jobs,
        progress=progress,
    )
    return distribution.test(ranks)


class DrankNull(Result):
    """The distribution of the rank distance for one table of scores, to test any number of rankings.

    Parameters
    ----------
    X, null, resamples, seed, ridge, n_jobs, progress
        As for `drank_test`.
    topics : int, optional
        The number of topics behind the rankings to be tested, for the two-sample test.  By default that of X.

    Attributes
    ----------
    distances : numpy.ndarray
        The distances of the samples, sorted.
    null, topics, resamples, seed
        How it was made.  The seed reproduces it, even if it was drawn.
    ridge : float
        Added to the variances of the differences.
    shrinkage : float
        The share of the identity matrix in the covariance; 0 without shrinkage.

    Examples
    --------
    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> distribution = DrankNull(AP, seed=1)
    >>> distribution
    DrankNull(null='two-sample', resamples=10000, critical_value=1.871, ridge=0, seed=1)
    >>> round(distribution.pvalue(1.9), 4), distribution.pvalue(0)
    (0.0475, 1.0)
    >>> round(distribution.test([0.5, 0.75, 0.7]).pvalue, 4)
    0.2172
    """

    distances: Floats
    null: Null
    topics: int
    resamples: int
    seed: int
    ridge: float
    shrinkage: float
    # A hash of the scores, and the scores themselves, which a file does not contain.
    digest: str
    reference: Reference | None

    def __init__(
        self,
        X: ScoreSource,
        *,
        null: Null = "two-sample",
        topics: int | None = None,
        resamples: int = 10_000,
        seed: int | None = None,
        ridge: Ridge = None,
        n_jobs: int | None = None,
        progress: Progress = None,
    ) -> None:
        self.null = NULL.checked(null)
        work = Resampling.of(resamples, seed, n_jobs, progress)
        self.resamples = work.resamples
        self.seed, tasks = random_blocks(work.seed, self.resamples)
        scores = Scores.of(X)
        self.topics = scores.n if topics is None else whole_number(topics, "topics")
        two_samples = self.null == "two-sample"
        if ridge is None and two_samples:
            ridge = "shrinkage"
        self.reference = Reference(scores, ridge)
        self.ridge, self.shrinkage = self.reference.ridge, self.reference.shrinkage
        self.digest = scores.digest
        distances: Callable[[Any], Floats] = partial(resampled_distances, self.reference)
        if two_samples:
            distances = TwoSamples.of(scores, self.topics, self.reference.method).distances
        self.distances = np.sort(np.concatenate(in_parallel(distances, tasks, work.n_jobs, work.progress)))

    def at_least(self, d: float) -> int:
        """The number of samples whose distance is at least d."""
        if not real_number(d, "d") >= 0:
            raise InvalidValueError("d", must_be("a distance, from 0 up", d))
        return self.resamples - int(np.searchsorted(self.distances, d * (1 - EQUAL_DISTANCES)))

    def pvalue(self, d: float) -> float:
        """The p-value of a distance: the share of the samples whose distance is at least d, counting d as one of them.

        That is (S + 1) / (B + 1) for S of B samples (Davison and Hinkley 1997), which is never 0.  The paper has S / B:
        `at_least(d) / resamples`.
        """
        return (self.at_least(d) + 1) / (self.resamples + 1)

    def critical_value(self, alpha: float = 0.05) -> float:
        """The distance that a share `alpha` of the samples exceeds."""
        return float(np.quantile(self.distances, 1 - ALPHA.checked(alpha), method="inverted_cdf"))

    def test(self, y: Vector | ScoreSource, X: ScoreSource | None = None) -> DrankResult:
        """Test one ranking of the systems.

        Parameters
        ----------
        y : array, Series, DataFrame or Scores
            As for `drank`.
        X : 2-D array, DataFrame or Scores, optional
            The scores that this distribution was made from.  Needed only if it was loaded from a file.

        Returns
        -------
        DrankResult

        Raises
        ------
        ValueError
            If X is needed but missing, if it is another table, if y does not match the systems, or if y is a table with
            another number of topics than the two-sample test was made for.
        """
        reference = self.reference if X is None else self.recognised(Scores.of(X))
        if reference is None:
            loaded = "this distribution was loaded from a file, which does not have the scores"
            raise InvalidValueError("X", "is needed", loaded)
        if self.null == "two-sample" and is_table(y):
            y = Scores.of(y, "y")
            if y.n != self.topics:
                raise InvalidValueError(
                    "y",
                    f"has {y.n} topics, but this distribution was made for rankings by {self.topics}",
                    f"use DrankNull(..., topics={y.n})",
                )
        nearest = reference.nearest(reference.scores.ranks(y))
        names = [reference.scores.systems[i] for i in nearest.order]
        return DrankResult(
            statistic=nearest.distance,
            pvalue=self.pvalue(nearest.distance),
            order=tuple(names),
            theta=nearest.theta,
            equalised=tuple((names[k], names[k + 1]) for k in nearest.equalised),
            null=self.null,
            topics=self.topics,
            resamples=self.resamples,
            ridge=self.ridge,
            shrinkage=self.shrinkage,
            seed=self.seed,
        )

    def recognised(self, scores: Scores) -> Reference:
        """The reference of these scores, which must be those that the distribution was made from."""
        if scores.digest != self.digest:
            raise InvalidValueError(
                Source(scores.name), "is not the table of scores that this distribution was made from"
            )
        return Reference(scores, "shrinkage" if self.shrinkage else self.ridge)

    def __repr__(self) -> str:
        settings = f"critical_value={self.critical_value():.4g}, ridge={self.ridge:g}, seed={self.seed}"
        return f"DrankNull(null={self.null!r}, resamples={self.resamples}, {settings})"

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the distribution to a file in NumPy's npz format, without pickle, whole or not at all.

        Parameters
        ----------
        path : path
            The file.
        force : bool
            Whether a file is replaced that is no saved distribution.

        Raises
        ------
        FileExistsError
            If the file exists, and is no saved distribution.
        OSError
            If the file cannot be written.
        """
        with whole_file(path, "npz", binary=True, force=force) as file:
            np.savez_compressed(
                file,
                drank_null=np.int64(FORMAT),
                distances=self.distances,
                null=np.array(self.null),
                topics=np.int64(self.topics),
                ridge=np.float64(self.ridge),
                shrinkage=np.float64(self.shrinkage),
                seed=np.array(str(self.seed)),
                digest=np.array(self.digest),
            )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> DrankNull:
        """Read a distribution that `save` wrote.  Its `test` needs the scores as X.

        Raises
        ------
        ValueError
            If the file is damaged or has another format.
        """
        null = cls.__new__(cls)
        null.reference = None
        with open(path, "rb") as opened:
            try:
                with np.load(opened, allow_pickle=False) as file:
                    version = int(file["drank_null"])
                    if version <= FORMAT:
                        null.distances = np.asarray(file["distances"], dtype=np.float64)
                        null.null, null.topics, null.shrinkage = "resample", 0, 0.0
                        if version > 1:
                            null.null = NULL.checked(str(file["null"]))
                            null.topics, null.shrinkage = int(file["topics"]), float(file["shrinkage"])
                        null.ridge = float(file["ridge"])
                        null.seed = int(str(file["seed"]))
                        null.digest = str(file["digest"])
            # A damaged file can make the zip reader raise almost any exception.
            except Exception as error:
                raise InvalidValueError(None, f"{path} {DAMAGED}", str(error)) from None
        if version > FORMAT:
            raise InvalidValueError(None, f"{path} was saved by a newer version of ircor, in format {version}")
        if null.distances.ndim != 1 or null.distances.size == 0 or np.isnan(null.distances).any():
            raise InvalidValueError(None, f"{path} {DAMAGED}", "its distances are not numbers")
        null.resamples = null.distances.size
        return null


def resampled_distances(reference: Reference, task: tuple[np.random.SeedSequence, int]) -> Floats:
    """The distances of one block of resamples, drawn from a random stream of its own."""
    source, size = task
    scores = reference.scores
    draws = np.random.default_rng(source).integers(0, scores.n, (size, scores.n), dtype=np.int32)
    unit = scores.noise or 1.0
    closest = reference.closest()
    step = max(1, STEPS_PER_CALL // (scores.m * (scores.m + scores.n)))
    parts = [closest.resampled(scores.values, draws[k : k + step], scores.by_means, unit) for k in range(0, size, step)]
    return np.asarray(np.sqrt(scores.n * np.concatenate(parts)))
