"""The pairs of items that two rankings order in opposite ways, and what each pair costs AP correlation."""

from __future__ import annotations

import numpy as np

from .._check import warn_of_pairing
from .._kernel import Ranking
from .._options import whole_number
from .._types import Vector
from ._places import placed

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
    slope : draws the costly swaps.

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
    found: list[tuple[float, int, int, float]] = []
    for i in range(x.n):
        swapped = np.flatnonzero((above_x > above_x[i]) & (above_y < above_y[i]))
        if not swapped.size:
            continue
        costs = 1 / above_y[i] + 1 / above_x[swapped]
        keys = -np.round(costs, COST_DIGITS)
        for k in np.argsort(keys, kind="stable")[:count]:
            found.append((float(keys[k]), i, int(swapped[k]), float(costs[k])))
    return [(i, j, cost) for _, i, j, cost in sorted(found)[:count]]
