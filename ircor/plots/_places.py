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


def farthest(left: npt.NDArray[np.float64], right: npt.NDArray[np.float64], count: int) -> list[int]:
    """The items whose two places differ the most, the greatest difference first; not those that keep their place.

    Of equal differences, the item that is higher in one of the rankings is first.
    """
    moved = np.abs(left - right)
    order = np.lexsort([left, np.minimum(left, right), -moved])
    return [int(item) for item in order[:count] if moved[item] > 0]
