"""Two rankings of the same items: the swaps between them, and whether they are related at all, by permutations."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import factorial, isnan, nan
from typing import TYPE_CHECKING, Literal

import numpy as np

from .._core.checks import rankings, warn_of_pairing
from .._core.errors import InvalidValueError
from .._core.methods import Method, method_of
from .._core.options import RESAMPLES, choice, whole_number
from .._core.results import Result
from .._core.types import CoefficientName, Floats, Vector
from .._core.work import Progress, in_parallel, random_phases, slices
from .._kernel import Ranking, totals_of_permutations, totals_of_shuffles

if TYPE_CHECKING:
    import numpy.typing as npt


def placed(x: Vector, y: Vector, decreasing: object) -> tuple[Ranking, Ranking]:
    """Rank two vectors after the checks of the coefficients; missing values are refused, since they have no place."""
    ranked = rankings(x, y, "", decreasing)
    for name, ranking in zip("xy", ranked):
        if ranking.missing:
            raise InvalidValueError(name, f"must not have missing values, but it has {ranking.missing}")
    return ranked


# Costs are sums of two fractions.  Costs that are equal on paper may differ in their last digits.
COST_DIGITS = 12

Swap = tuple[int, int, float]
"""(i, j, cost): x ranks item i above item j, and y ranks j above i."""


def costly_swaps(x: Vector, y: Vector, decreasing: bool = True, count: int = 3) -> list[Swap]:
    """The pairs of items in opposite order in x and y that lower AP correlation the most.

    Let x rank item i above item j, and y rank j above i.  In y, AP correlation takes the share of the p_y(i) - 1 items
    above i that x also ranks above i, and j is missing from that share.  In x, i is missing in the same way from the
    share at j.  The cost of the swap is the sum of both losses, 1 / (p_y(i) - 1) + 1 / (p_x(j) - 1).  It is at most 2,
    when the first two items are swapped.  Tied items have the place of the first of them, as in `tauAP_b`, and a tied
    pair is not a swap.  Without ties, the costs of all swaps sum to (n - 1) (1 - tauAP_b).

    The function compares all pairs of items, in O(n^2) time.  It is meant for up to a few thousand items.

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order.  Both may have ties.
    decreasing : bool
        Whether the item with the greatest value is on top: True for scores, False for ranks.
    count : int
        The number of swaps to return; all of them if there are fewer.

    Returns
    -------
    list of tuple
        (i, j, cost), the greatest cost first: x ranks the item at position i above the item at position j, and y ranks
        it below.  Positions count from 0.  Equal costs are in the order of i, then of j.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, `decreasing` is not a flag, or `count` is not a whole number.
    ValueError
        If x and y differ in length, have fewer than two items or have missing values, or if `count` is negative.

    Warns
    -----
    PairingWarning
        As from `ircor.tau_b`.

    See Also
    --------
    ircor.plots.slope : draws the costly swaps.

    Examples
    --------
    >>> costly_swaps([1, 2, 3, 4], [2, 1, 4, 3], decreasing=False)
    [(0, 1, 2.0), (2, 3, 0.6666666666666666)]
    """
    ranked, most = placed(x, y, decreasing), whole_number(count, "count", 0)
    warn_of_pairing(x, y)
    return swaps_of(*ranked, most)


def swaps_of(x: Ranking, y: Ranking, count: int) -> list[Swap]:
    """The `count` costliest swaps between two rankings."""
    # The places from 0 are the numbers of items above, p_x - 1 and p_y - 1.
    above_x, above_y = x.places(), y.places()
    swaps: list[tuple[float, int, int, float]] = []
    for i in range(x.n):
        swapped = np.flatnonzero((above_x > above_x[i]) & (above_y < above_y[i]))
        if not swapped.size:
            continue
        costs = 1 / above_y[i] + 1 / above_x[swapped]
        keys = -np.round(costs, COST_DIGITS)
        for k in np.argsort(keys, kind="stable")[:count]:
            swaps.append((float(keys[k]), i, int(swapped[k]), float(costs[k])))
    return [(i, j, cost) for _, i, j, cost in sorted(swaps)[:count]]


Alternative = Literal["two-sided", "greater", "less"]

ALTERNATIVE = choice("alternative", Alternative, "two-sided", "which permutations count as extreme")

# A permutation of fewer items takes a task as long as one of this many, so that several jobs share the work.
LEAST_ITEMS = 2000

# Coefficients no farther apart than this are equal.  AP coefficients are sums of fractions, so equal ones can differ by
# rounding, near 0 too.  Different ones are farther apart wherever an exact test is possible.  Those of AP are the
# closest: with L = lcm(1, ..., n - 1), tauAP_b has steps of 1 / ((n - 1)(n - 2) L) or more, and tauAP_a of
# 2 / ((n - 1) L G) or more, where G is the lcm of the sizes of the tie groups.  For 20 items that is 1.08e-12.
EQUAL_COEFFICIENTS = 1e-12


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
    distribution: Floats = field(repr=False)
    seed: int | None
    name: str = ""

    @property
    def permutations(self) -> int:
        """The number of permutations."""
        return len(self.distribution)


def permutation_test(
    x: Vector,
    y: Vector,
    method: CoefficientName = "tau_b",
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
        The scores, or the ranks, of the same items in the same order, compared exactly, as by `ircor.tau_b`.
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
    coefficient = method_of(method)
    side, resamples = ALTERNATIVE.checked(alternative), RESAMPLES.checked(resamples)
    seed, _ = random_phases(seed, [])
    observed = coefficient(x, y, decreasing, stacklevel=3)
    x_ranking, y_ranking = rankings(x, y, decreasing=decreasing)
    n = x_ranking.n
    # 20! is the last factorial below 2**63; there is no need to compute greater ones.
    exact = n <= 20 and factorial(n) <= resamples
    reported = None if exact else seed
    if isnan(observed):
        return PermutationResult(observed, nan, side, exact, np.empty(0), reported, coefficient.name)
    count, work = resamples, partial(random_block, x_ranking, y_ranking, coefficient, key_of(seed))
    if exact:
        count, work = factorial(n), partial(exact_block, x_ranking, y_ranking, coefficient)
    blocks = in_parallel(work, slices(count, max(n, LEAST_ITEMS)), n_jobs, progress)
    distribution = np.concatenate(blocks)
    pvalue = share_as_extreme(observed, distribution, side, exact)
    return PermutationResult(observed, pvalue, side, exact, distribution, reported, coefficient.name)


def share_as_extreme(observed: float, distribution: Floats, alternative: Alternative, exact: bool) -> float:
    """The p-value.  With random permutations, the observed order counts as one of them, so it is never 0."""
    more = 0 if exact else 1
    greater, less = (
        (int(np.count_nonzero(extreme)) + more) / (len(distribution) + more)
        for extreme in (distribution >= observed - EQUAL_COEFFICIENTS, distribution <= observed + EQUAL_COEFFICIENTS)
    )
    if alternative == "two-sided":
        return min(1.0, 2 * min(greater, less))
    return greater if alternative == "greater" else less


def exact_block(x: Ranking, y: Ranking, method: Method, task: slice) -> Floats:
    """The coefficients of the permutations of these numbers, in lexicographic order."""
    orders = numbered_permutations(x.n, task.start, task.stop)
    values: Floats = method.formula(totals_of_permutations(x, y, orders, method.sums))
    return values


def random_block(x: Ranking, y: Ranking, method: Method, key: npt.NDArray[np.uint64], task: slice) -> Floats:
    """The coefficients of the random permutations of these numbers, which follow from the key."""
    values: Floats = method.formula(totals_of_shuffles(x, y, key, task.start, task.stop, method.sums))
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
