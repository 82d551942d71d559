"""The checks of R's ircor: which calls it refuses, in which order, and with which words."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ._kernel import LongRanking, Ranking, can_rank
from ._options import as_flag, flag
from ._printing import NEAR, first_printed_alike
from ._types import Vector
from ._vectors import numeric_vector

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


class CoverageWarning(UserWarning):
    """An interval may hold its target less often than its level says."""


class MissingValueWarning(UserWarning):
    """The coefficient was computed as in R, with missing values ranked last."""


class PairingWarning(UserWarning):
    """The values were paired by position, as in R, although their labels say that other values belong together."""


# Up to this length the sort of short vectors is faster.
SHORT = 1024

AnyRanking = Ranking | LongRanking


@overload
def rankings(x: Vector, y: Vector, untied: str = "", decreasing: object = True) -> tuple[Ranking, Ranking]: ...
@overload
def rankings(x: Vector, y: Vector, untied: str, decreasing: object, places: bool) -> tuple[AnyRanking, AnyRanking]: ...
def rankings(
    x: Vector, y: Vector, untied: str = "", decreasing: object = True, places: bool = True
) -> tuple[AnyRanking, AnyRanking]:
    """Rank two vectors after R's checks: first types, then lengths, then ties in the vectors that `untied` names.

    Without `places`, the rankings of long vectors need less memory; `dominance_of` takes them.
    """
    x_values, y_values = numeric_vector(x, "x"), numeric_vector(y, "y")
    n = len(x_values)
    if n != len(y_values):
        raise ValueError(f"'x' and 'y' must be of the same length: they have {n} and {len(y_values)} items")
    # R evaluates `decreasing` last, so an invalid value is reported only after all other checks.
    top_down = as_flag(decreasing) is not False
    x_ranking: AnyRanking
    y_ranking: AnyRanking
    if n <= SHORT or places or not can_rank(x_values) or not can_rank(y_values):
        x_ranking, y_ranking = Ranking(x_values, top_down), Ranking(y_values, top_down)
        if "x" in untied:
            refuse_ties(x_ranking, x_values, "x")
    else:
        x_ranking = LongRanking(x_values, top_down)
        if "x" in untied:
            refuse_ties(x_ranking, x_values, "x")
        # To refuse ties of y, its values are read once more, by the items of x.
        y_ranking = LongRanking(y_values, top_down, x_ranking, "y" not in untied)
    if "y" in untied:
        refuse_ties(y_ranking, y_values, "y")
    if n < 2:
        raise ValueError(f"'x' and 'y' must have two items or more, not {n}")
    if decreasing is not True:
        flag(decreasing, "decreasing")
    return x_ranking, y_ranking


def refuse_ties(ranking: AnyRanking, values: Array, name: str) -> None:
    """Raise where R does: if two values are equal or print alike in R, or if a value is missing."""
    if ranking.missing:
        raise ValueError(f"'{name}' contains ties. A missing value counts as one, as in R.")
    if ranking.tied_pairs:
        raise ValueError(f"'{name}' contains ties. The variants _a (ties in 'y') and _b (in both) allow them.")
    # Narrower types cannot differ and print alike.  A wider float is compared as R would hold it: the nearest double.
    if values.dtype.kind == "f" and values.dtype.itemsize >= 8:
        doubles = values
        if values.dtype != np.float64:
            with np.errstate(over="ignore", under="ignore"):
                doubles = values.astype(np.float64)
        if pair := first_printed_alike(ranking.near_neighbours(doubles, NEAR)):
            one, other = pair
            raise ValueError(f"'{name}' contains ties. R prints {one} and {other} alike and takes them for one number.")


def ranked_last(counts: Mapping[str, int], where: str = "") -> str:
    """The message for missing values that are ranked last, with their number in each vector."""
    named = ", ".join(f"{count} in '{name}'" for name, count in counts.items() if count)
    return f"missing values ({named}) are ranked last{where}, each on its own, as in R"


def not_ranked(name: str, coefficient: str) -> ValueError:
    """The error for a missing value that the coefficient cannot rank; that of `tau_b` begins with R's words."""
    words = "missing value where TRUE/FALSE needed: " if coefficient == "tau_b" else ""
    return ValueError(f"{words}'{name}' has a missing value, which {coefficient} cannot rank")


def warn_of_pairing(one: object, other: object, names: tuple[str, str] = ("x", "y"), *, stacklevel: int = 2) -> bool:
    """Warn if the labels of two vectors, or of the rows of two tables, say that other values belong together.

    `stacklevel` is that of `warnings.warn` in the function that calls this one.  Returns whether there was a warning.
    """
    if (here := index_of(one)) is None or (there := index_of(other)) is None or here is there or here.equals(there):
        return False
    if why := mispaired(list(here), list(there), names):
        warnings.warn(why, PairingWarning, stacklevel=stacklevel + 1)
    return bool(why)


def index_of(vector: object) -> Any:
    """The index of a pandas Series or DataFrame, or None; the `index` of a list is a method."""
    # A Series of Polars has no index, and takes longer to say so than a coefficient takes.
    index = None if hasattr(type(vector), "fill_null") else getattr(vector, "index", None)
    return index if hasattr(index, "equals") else None


def mispaired(here: Sequence[Hashable], there: Sequence[Hashable], names: tuple[str, str]) -> str:
    """What is wrong if the items with these labels are paired by position, and what to do; "" if nothing is.

    Labels that only count from 0 are no labels, unless the other side has the same ones in another order.
    """
    shared = set(here).intersection(there)
    if not shared and list(map(str, here)) != list(map(str, there)):
        # Numbers and their texts, as 401 and "401", name the same items.
        texts = list(map(str, here)), list(map(str, there))
        if set(texts[0]).intersection(texts[1]):
            return mispaired(*texts, names)
    moved = [(a, b) for a, b in zip(here, there) if a is not b and (a in shared or b in shared) and {a} != {b}]
    if not moved:
        return ""
    x, y = names
    by_position = f"paired by position, as in R, so {moved[0][0]!r} is paired with {moved[0][1]!r}"
    if len(shared) == len(here):
        return (
            f"'{x}' and '{y}' have the same labels in another order. They are {by_position}. "
            f"{y}.reindex({x}.index) has the order of '{x}'; {y}.to_numpy() has no labels, and no warning."
        )
    if shared.issuperset(here) and shared.issuperset(there):
        return (
            f"'{x}' and '{y}' have the same labels in another order, and some labels repeatedly. They are "
            f"{by_position}. Give each item a label of its own to align them by {y}.reindex({x}.index)."
        )
    counts = list(range(len(here)))
    if list(here) == counts or list(there) == counts:
        return ""
    return (
        f"'{x}' and '{y}' have some of their labels in common, in other places. They are {by_position}. "
        f"{x}.align({y}, join='inner') has what both have."
    )
