"""The bootstrap test of the rank distance: algorithm 2 of Carterette (2009)."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .._files import whole_file
from .._options import fraction, real_number, whole_number
from .._parallel import in_parallel, random_blocks
from .._progress import Progress
from .._result import Column, Result, Table, general
from .._scores import Scores
from ._distance import Reference
from ._result import DrankResult

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

# The version of the files that DrankNull.save writes.
FORMAT = 1

# The same ranking can have distances that differ by rounding, so slightly smaller distances count as equal.
EQUAL_DISTANCES = 1e-9

# About the number of multiplications in one call of the kernel.  An interrupt has to wait for the end of the call.
STEPS_PER_CALL = 2_000_000


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
    """Test whether a ranking differs from the ranking by mean scores by more than a sample of topics explains.

    To test many rankings of the same systems, make one `DrankNull` and use its `test`.

    Parameters
    ----------
    y, X, ridge
        As for `drank`.
    resamples : int
        The number of bootstrap samples of topics.
    seed : int, optional
        Makes the result reproducible, for any n_jobs.  Drawn if None; reported in the result.
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
    >>> print(drank_test(P10, AP, seed=1))
    rank distance 0.6508, p = 0.2098 (10000 resamples of the topics)
    made equal: 1 = 2
    """
    scores = Scores.of(X)
    # Before the resampling, so that an error in y does not have to wait for it.
    ranks = scores.ranks(y)
    null = DrankNull(scores, resamples=resamples, seed=seed, ridge=ridge, n_jobs=n_jobs, progress=progress)
    return null.test(ranks)


class DrankNull(Result):
    """The bootstrap distribution of the rank distance for one table of scores, to test any number of rankings.

    Parameters
    ----------
    X, resamples, seed, ridge, n_jobs, progress
        As for `drank_test`.

    Attributes
    ----------
    distances : numpy.ndarray
        The distances of the resamples, sorted.
    resamples, seed, ridge
        How it was made.  The seed reproduces it, even if it was drawn.

    Examples
    --------
    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> null = DrankNull(AP, seed=1)
    >>> null
    DrankNull(resamples=10000, critical_value=0.6508, ridge=0, seed=1)
    >>> null.pvalue(4.88), null.pvalue(0)
    (0.0, 1.0)
    >>> null.test([0.5, 0.75, 0.7]).pvalue
    0.2098
    """

    distances: Array
    resamples: int
    seed: int
    ridge: float
    # A hash of the scores, and the scores themselves, which a file does not contain.
    digest: str
    reference: Reference | None

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
        self.resamples = whole_number(resamples, "resamples")
        self.seed, tasks = random_blocks(seed, self.resamples)
        self.reference = Reference(Scores.of(X), ridge)
        self.ridge = self.reference.ridge
        self.digest = self.reference.scores.digest
        blocks = in_parallel(partial(resampled_distances, self.reference), tasks, n_jobs, progress)
        self.distances = np.sort(np.concatenate(blocks))

    def pvalue(self, d: float) -> float:
        """The share of the resamples whose distance is at least d."""
        if not real_number(d, "d") >= 0:
            raise ValueError(f"'d' must be a distance, from 0 up, not {d!r}")
        smaller = int(np.searchsorted(self.distances, d * (1 - EQUAL_DISTANCES)))
        return (self.resamples - smaller) / self.resamples

    def critical_value(self, alpha: float = 0.05) -> float:
        """The distance above which the p-value is alpha or less."""
        return float(np.quantile(self.distances, 1 - fraction(alpha, "alpha"), method="inverted_cdf"))

    def test(self, y: Any, X: Any = None) -> DrankResult:
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
            If X is needed but missing, if it is another table, or if y does not match the systems.
        """
        reference = self.reference if X is None else self.recognised(Scores.of(X))
        if reference is None:
            raise ValueError("'X' is needed: this distribution was loaded from a file, which does not have the scores")
        nearest = reference.nearest(reference.scores.ranks(y))
        names = [reference.scores.systems[i] for i in nearest.order]
        return DrankResult(
            statistic=nearest.distance,
            pvalue=self.pvalue(nearest.distance),
            order=tuple(names),
            theta=nearest.theta,
            equalised=tuple((names[k], names[k + 1]) for k in nearest.equalised),
            resamples=self.resamples,
            ridge=self.ridge,
            seed=self.seed,
        )

    def recognised(self, scores: Scores) -> Reference:
        """The reference of these scores, which must be those that the distribution was made from."""
        if scores.digest != self.digest:
            raise ValueError(f"'{scores.name}' is not the table of scores that this distribution was made from")
        return Reference(scores, self.ridge)

    def tables(self) -> list[Table]:
        """How the distribution was made, and its critical value, in one row."""
        columns = [
            Column("resamples"),
            Column("critical_value", "critical value at 0.05"),
            Column("ridge", text=general),
            Column("seed"),
        ]
        return [Table("distribution", columns, [[self.resamples, self.critical_value(), self.ridge, self.seed]])]

    def __repr__(self) -> str:
        settings = f"critical_value={self.critical_value():.4g}, ridge={general(self.ridge)}, seed={self.seed}"
        return f"DrankNull(resamples={self.resamples}, {settings})"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the distribution to a file in NumPy's npz format, without pickle.

        It is written to a temporary file, which is renamed on success.
        """
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
                        null.ridge = float(file["ridge"])
                        null.seed = int(str(file["seed"]))
                        null.digest = str(file["digest"])
            # A damaged file can make the zip reader raise almost any exception.
            except Exception as error:
                raise ValueError(f"{path} is not a saved DrankNull, or it is damaged: {error}") from None
        if version > FORMAT:
            raise ValueError(f"{path} was saved by a newer version of ircor, in format {version}")
        if null.distances.ndim != 1 or null.distances.size == 0 or np.isnan(null.distances).any():
            raise ValueError(f"{path} is not a saved DrankNull, or it is damaged: its distances are not numbers")
        null.resamples = null.distances.size
        return null


def resampled_distances(reference: Reference, task: tuple[np.random.SeedSequence, int]) -> Array:
    """The distances of one block of resamples, drawn from a random stream of its own."""
    source, size = task
    scores = reference.scores
    draws = np.random.default_rng(source).integers(0, scores.n, (size, scores.n), dtype=np.int32)
    unit = scores.noise or 1.0
    closest = reference.closest()
    step = max(1, STEPS_PER_CALL // (scores.m * (scores.m + scores.n)))
    parts = [closest.resampled(scores.values, draws[k : k + step], scores.by_means, unit) for k in range(0, size, step)]
    return np.asarray(np.sqrt(scores.n * np.concatenate(parts)))
