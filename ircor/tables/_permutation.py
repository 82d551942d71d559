"""Whether two rankings are related at all: a permutation test of each coefficient."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import factorial, isnan, nan
from typing import TYPE_CHECKING, Literal, cast, get_args

import numpy as np

from .._check import rankings
from .._kernel import Ranking, totals_of_permutations, totals_of_shuffles
from .._methods import Method, method_of
from .._options import one_of, whole_number
from .._parallel import in_parallel, random_phases, slices
from .._progress import Progress
from .._result import Column, Result, Table, decimals
from .._text import p_equals, p_value
from .._types import MethodName, Vector

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Alternative = Literal["two-sided", "greater", "less"]

# A permutation of fewer items takes a task as long as one of this many, so that several jobs share the work.
LEAST_ITEMS = 2000

# Coefficients no farther apart than this are equal.  AP coefficients are sums of fractions, so equal ones can differ by
# rounding, near 0 too.  Different ones are farther apart wherever an exact test is possible.  Those of AP are the
# closest: with L = lcm(1, ..., n - 1), tauAP_b has steps of 1 / ((n - 1)(n - 2) L) or more, and tauAP_a of
# 2 / ((n - 1) L G) or more, where G is the lcm of the sizes of the tie groups.  For 20 items that is 1.08e-12.
EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class PermutationResult(Result):
    """A coefficient with its p-value under random permutations.

    Attributes
    ----------
    statistic : float
        The coefficient.
    pvalue : float
        The share of permutations with a coefficient as extreme as this one or more extreme; nan if it is undefined.
    alternative : str
        Which coefficients are extreme: "two-sided", "greater" or "less".
    exact : bool
        Whether all permutations were used.  If not, the p-value counts the observed order as one more permutation.
    distribution : numpy.ndarray
        The coefficient of each permutation.
    seed : int or None
        The seed that reproduces the random permutations; None if the test is exact.
    name : str
        The name of the coefficient.
    """

    statistic: float
    pvalue: float
    alternative: Alternative
    exact: bool
    distribution: Array = field(repr=False)
    seed: int | None
    name: str = ""

    @property
    def permutations(self) -> int:
        """The number of permutations."""
        return len(self.distribution)

    def tables(self) -> list[Table]:
        """One row: the coefficient, its p-value, and how it was computed."""
        columns = [
            Column("name", "coefficient"),
            Column("statistic", "value"),
            Column("pvalue", "p", lambda share: p_value(share, self.permutations)),
            Column("alternative"),
            Column("exact"),
            Column("permutations"),
            Column("seed"),
        ]
        row = (self.name, self.statistic, self.pvalue, self.alternative, self.exact, self.permutations, self.seed)
        return [Table("permutation_test", columns, [row])]

    def sentences(self) -> list[str]:
        """The p-value in words."""
        name = self.name or "The coefficient"
        if isnan(self.pvalue):
            return [f"{name} is {decimals(self.statistic)}, and so is its p-value."]
        how = f"all {self.permutations}" if self.exact else f"{self.permutations} random"
        p = p_equals(self.pvalue, self.permutations)
        return [f"{name} is {decimals(self.statistic)}, {p} ({self.alternative}, {how} permutations)."]


def permutation_test(
    x: Vector,
    y: Vector,
    method: MethodName = "tau_b",
    alternative: Alternative = "two-sided",
    resamples: int = 9999,
    seed: int | None = None,
    n_jobs: int | None = None,
    *,
    decreasing: bool | np.bool_ = True,
    progress: Progress = None,
) -> PermutationResult:
    """Test whether two rankings are related at all: compare their coefficient with those of random permutations of y.

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order.
    method, decreasing
        As for `cor`.
    alternative : {"two-sided", "greater", "less"}
        Which permutations count as extreme.  "greater": those with a coefficient at least as great as the observed one;
        "less": those with a coefficient at least as small; "two-sided": twice the smaller of the two p-values, but not
        more than 1.
    resamples : int
        The number of random permutations.  If y has no more permutations than this, each is used once.
    seed, n_jobs, progress
        As for `bootstrap`.

    Returns
    -------
    PermutationResult
        The p-value is nan if the coefficient is.

    Raises
    ------
    TypeError, ValueError
        As the function for two vectors does, or if `alternative` is unknown.

    Warns
    -----
    MissingValueWarning, PairingWarning
        Where the function for two vectors warns.

    Notes
    -----
    The rules are those of `scipy.stats.permutation_test` with permutation_type="pairings", but for ties: coefficients
    that differ by no more than 1e-12 count as equal.

    Every random permutation has a random stream of its own, which the seed and its number start: the numbers do not
    depend on n_jobs, and the first permutations are the same for any `resamples`.

    Examples
    --------
    >>> result = permutation_test([1, 2, 3, 4, 5], [1, 2, 3, 5, 4], method="tau")
    >>> result.statistic, round(result.pvalue, 4), result.exact
    (0.8, 0.0833, True)
    >>> print(result)
    coefficient   value       p  alternative  exact  permutations  seed
    tau          0.8000  0.0833  two-sided    True            120
    <BLANKLINE>
    tau is 0.8000, p = 0.0833 (two-sided, all 120 permutations).
    """
    chosen = method_of(method)
    side = cast(Alternative, one_of(alternative, "alternative", get_args(Alternative)))
    resamples = whole_number(resamples, "resamples")
    seed, _ = random_phases(seed, [])
    observed = chosen(x, y, decreasing, stacklevel=3)
    x_ranking, y_ranking = rankings(x, y, decreasing=decreasing)
    n = x_ranking.n
    # 20! is the last factorial below 2**63; there is no need to compute greater ones.
    exact = n <= 20 and factorial(n) <= resamples
    reported = None if exact else seed
    if isnan(observed):
        return PermutationResult(observed, nan, side, exact, np.empty(0), reported, chosen.name)
    count, work = resamples, partial(random_block, x_ranking, y_ranking, chosen, key_of(seed))
    if exact:
        count, work = factorial(n), partial(exact_block, x_ranking, y_ranking, chosen)
    blocks = in_parallel(work, slices(count, max(n, LEAST_ITEMS)), n_jobs, progress)
    distribution = np.concatenate(blocks)
    pvalue = share_as_extreme(observed, distribution, side, exact)
    return PermutationResult(observed, pvalue, side, exact, distribution, reported, chosen.name)


def share_as_extreme(observed: float, distribution: Array, alternative: Alternative, exact: bool) -> float:
    """The p-value.  With random permutations, the observed order counts as one of them, so it is never 0."""
    more = 0 if exact else 1
    greater, less = (
        (int(np.count_nonzero(extreme)) + more) / (len(distribution) + more)
        for extreme in (distribution >= observed - EQUAL, distribution <= observed + EQUAL)
    )
    if alternative == "two-sided":
        return min(1.0, 2 * min(greater, less))
    return greater if alternative == "greater" else less


def exact_block(x: Ranking, y: Ranking, method: Method, task: slice) -> Array:
    """The coefficients of the permutations of these numbers, in lexicographic order."""
    orders = numbered_permutations(x.n, task.start, task.stop)
    values: Array = method.formula(totals_of_permutations(x, y, orders, method.sums))
    return values


def random_block(x: Ranking, y: Ranking, method: Method, key: npt.NDArray[np.uint64], task: slice) -> Array:
    """The coefficients of the random permutations of these numbers, which follow from the key."""
    values: Array = method.formula(totals_of_shuffles(x, y, key, task.start, task.stop, method.sums))
    return values


def key_of(seed: int) -> npt.NDArray[np.uint64]:
    """The two words from which all random permutations follow: the key of numpy.random.Philox(seed)."""
    return np.asarray(np.random.SeedSequence(seed).generate_state(2, np.uint64), dtype=np.uint64)


def numbered_permutations(n: int, first: int, last: int) -> npt.NDArray[np.int32]:
    """The permutations of n items from number `first` up to, not including, `last`, in lexicographic order."""
    # The digits of the number in the factorial number system say which of the remaining items comes next.
    number = np.arange(first, last)
    remaining = np.tile(np.arange(n, dtype=np.int32), (last - first, 1))
    permutations = np.empty((last - first, n), dtype=np.int32)
    for k in range(n):
        digit, number = np.divmod(number, factorial(n - 1 - k))
        permutations[:, k] = np.take_along_axis(remaining, digit[:, None], axis=1)[:, 0]
        keep = np.arange(n - k) != digit[:, None]
        remaining = remaining[keep].reshape(last - first, n - 1 - k)
    return permutations
