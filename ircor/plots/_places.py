"""The places of items in a ranking, from 1 at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._check import rankings
from .._kernel import Ranking
from .._types import Vector

if TYPE_CHECKING:
    import numpy.typing as npt


def placed(x: Vector, y: Vector, decreasing: object) -> tuple[Ranking, Ranking]:
    """Rank two vectors after the checks of the coefficients; missing values are refused, since they have no place."""
    ranked = rankings(x, y, "", decreasing)
    for name, ranking in zip("xy", ranked):
        if ranking.missing:
            raise ValueError(f"'{name}' must not have missing values, but it has {ranking.missing}")
    return ranked


def mean_places(ranking: Ranking) -> npt.NDArray[np.float64]:
    """The place of each item; tied items have the mean of the places that they share."""
    return ranking.places() + (ranking.group_sizes() + 1) / 2


def farthest(
    left: npt.NDArray[np.float64], right: npt.NDArray[np.float64], count: int
) -> tuple[list[int], tuple[int, float]]:
    """The items whose two places differ the most, the greatest difference first; not those that keep their place.

    Of equal differences, the item that is higher in one of the rankings is first.  Items that tie with the last of the
    `count` are all included; if these would be more than twice `count`, none of those that tie.

    Returns
    -------
    items : list of int
    left_out : tuple
        The number of items that tie and are not included, and the difference of their places.
    """
    moved = np.abs(left - right)
    order = np.lexsort([left, np.minimum(left, right), -moved])
    items = [int(item) for item in order if moved[item] > 0]
    if not 0 < count < len(items):
        return items[: max(count, 0)], (0, 0.0)
    last = moved[items[count - 1]]
    before = [item for item in items if moved[item] > last]
    tied = [item for item in items if moved[item] == last]
    return (before + tied, (0, 0.0)) if len(before + tied) <= 2 * count else (before, (len(tied), float(last)))
