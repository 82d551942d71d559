"""Means that differ by rounding only: the sum of the same scores in another order can differ in its last digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._kernel import Ranking
from .vectors import numeric_vector

if TYPE_CHECKING:
    import numpy.typing as npt

# Means closer than this share of the largest score are equal: a mean of decimals is not exact.
EQUAL_MEANS = 2.0**-40

MOST_MEANS = 100_000
"""Among more numbers than this, some are that close by chance: of n random numbers, about n^2 EQUAL_MEANS pairs."""


DOUBLE = np.dtype(np.float64)


class RoundingWarning(UserWarning):
    """Values of a table that differ by rounding only were taken for ties, as means of scores are."""

    __module__ = "ircor"


def tie_means(means: npt.NDArray[Any], size: float | None = None) -> npt.NDArray[Any]:
    """Make means of scores of this size equal that differ by no more than rounding; missing means stay missing.

    The size is by default the largest magnitude of the means.
    """
    if size is None:
        size = largest(means)
    order = np.argsort(means, kind="stable")
    upwards = means[order]
    new = np.ones(len(means), dtype=bool)
    with np.errstate(invalid="ignore"):  # the difference of two infinities, which are equal, is NaN
        new[1:] = ~(np.diff(upwards) <= size * EQUAL_MEANS)
    tied = np.empty_like(means)
    tied[order] = upwards[new][np.cumsum(new) - 1]
    return tied


def differ_by_rounding(ranking: Ranking, values: npt.NDArray[Any]) -> bool:
    """Whether some values of a ranking differ by no more than rounding; False for more than a table of means has."""
    if ranking.n > MOST_MEANS:
        return False
    if values.dtype is not DOUBLE:  # which is so of few columns, and the others are many
        if values.dtype.kind != "f":
            return False
        if values.dtype.itemsize > 8:
            tied = tie_means(values)
            return bool(((tied != values) & (values == values)).any())
        values = values.astype(np.float64)
    return ranking.close_neighbours(values, EQUAL_MEANS) > 0


def tied_by_rounding(ranking: Ranking, values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
    """The values of a ranking, equal where they differ by rounding only, and the number of pairs made equal."""
    if not differ_by_rounding(ranking, values):
        return values, 0
    tied = tie_means(values)
    return tied, Ranking(tied).tied_pairs - ranking.tied_pairs


def equal_if_rounded(vector: Any, name: str) -> npt.NDArray[Any]:
    """The values of a vector, equal where they differ by rounding only."""
    values = numeric_vector(vector, name)
    return tied_by_rounding(Ranking(values), values)[0]


@dataclass(frozen=True)
class RoundedColumns:
    """The columns whose values were tied because they differ by rounding only, and the number of pairs of values."""

    names: tuple[str, ...]
    pairs: int


def largest(values: npt.NDArray[Any]) -> Any:
    """The largest magnitude of finite values, in their own type."""
    return np.abs(values[np.isfinite(values)]).max(initial=0)
