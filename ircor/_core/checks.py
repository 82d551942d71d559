"""The checks of R's ircor: which calls it refuses, in which order, and with which words."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np

from .._kernel import LongRanking, Ranking, can_rank
from .errors import Argument, InvalidTypeError, InvalidValueError, Setting, Source, TiesError, shown
from .options import as_flag, flag
from .printing import NEAR, first_printed_alike
from .types import Array, Vector
from .vectors import numeric_vector


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
        raise InvalidValueError(("x", "y"), f"must be of the same length: they have {n} and {len(y_values)} items")
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
        raise InvalidValueError(("x", "y"), f"must have two items or more, not {n}")
    if decreasing is not True:
        flag(decreasing, "decreasing")
    return x_ranking, y_ranking


def refuse_ties(ranking: AnyRanking, values: Array, name: str) -> None:
    """Raise where R does: if two values are equal or print alike in R, or if a value is missing."""
    if ranking.missing:
        raise TiesError(name, "contains ties. A missing value counts as one, as in R.")
    if ranking.tied_pairs:
        allowed = "contains ties. The variants _a (ties in ", Argument("y"), ") and _b (in both) allow them."
        raise TiesError(name, allowed)
    # Narrower types cannot differ and print alike.  A wider float is compared as R would hold it: the nearest double.
    if values.dtype.kind == "f" and values.dtype.itemsize >= 8:
        doubles = values
        if values.dtype != np.float64:
            with np.errstate(over="ignore", under="ignore"):
                doubles = values.astype(np.float64)
        if pair := first_printed_alike(ranking.near_neighbours(doubles, NEAR)):
            one, other = pair
            raise TiesError(name, f"contains ties. R prints {one} and {other} alike and takes them for one number.")


def ranked_last(counts: Mapping[str, int]) -> str:
    """The message for missing values that are ranked last, with their number in each vector."""
    named = ", ".join(f"{count} in '{name}'" for name, count in counts.items() if count)
    return f"missing values ({named}) are ranked last, each on its own, as in R"


NAN_REMEDY = (
    Setting("nan_policy", "omit"),
    " leaves out the items with a missing value, and ",
    Setting("nan_policy", "propagate"),
    " gives nan",
)
"""The remedy for missing values in functions that have `nan_policy`."""


def missing_value(name: str, where: str) -> InvalidValueError:
    """The error of nan_policy="raise", for a missing value in this column, and where it is."""
    return InvalidValueError(Source(name), f"has a missing value in {where}", NAN_REMEDY)


def row_in_words(row: int, index: Any = None) -> str:
    """The row at this position in an error: counted from 1, and with its label if there is an index."""
    if index is None:
        return f"row {row + 1}"
    label = index[row].item() if isinstance(index[row], np.generic) else index[row]
    return f"row {row + 1} (index {label!r})"


def has_missing(values: Array) -> bool:
    """Whether a value is NaN; without memory for a mark of each."""
    if values.dtype.kind != "f" or not values.size:
        return False
    with np.errstate(invalid="ignore"):
        return bool(np.isnan(values.min()))


def not_ranked(name: str, coefficient: str) -> InvalidValueError:
    """The error for a missing value that the coefficient cannot rank; that of `tau_b` begins with R's words."""
    words = "missing value where TRUE/FALSE needed: " if coefficient == "tau_b" else ""
    return InvalidValueError(None, (words, Argument(name), f" has a missing value, which {coefficient} cannot rank"))


def warn_of_pairing(one: object, other: object, names: tuple[str, str] = ("x", "y"), *, stacklevel: int = 2) -> bool:
    """Warn if the labels of two vectors, or of the rows of two tables, say that other values belong together.

    `stacklevel` is that of `warnings.warn` in the function that calls this one.  Returns whether there was a warning.
    """
    here = pandas_index(one)
    there = None if here is None else pandas_index(other)
    if there is None or here is there or here.equals(there):
        return False
    if why := mispaired(list(here), list(there), names):
        warnings.warn(why, PairingWarning, stacklevel=stacklevel + 1)
    return bool(why)


def pandas_index(vector: object) -> Any:
    """The index of a pandas Series or DataFrame, or None; the `index` of a list is a method."""
    # A Series of Polars has no index, and takes longer to say so than a coefficient takes.
    index = None if hasattr(type(vector), "fill_null") else getattr(vector, "index", None)
    return index if hasattr(index, "equals") else None


def mispaired(here: Sequence[Hashable], there: Sequence[Hashable], names: tuple[str, str]) -> str:
    """The problem of pairing the items with these labels by position, and its remedy; "" if there is none.

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


def require_list(value: Any, name: str, items: str, ordered: bool = False) -> Iterable[Any]:
    """Return the value if it is a list, another one-dimensional iterable, or a set unless the order matters.

    Strings, mappings and tables are iterable too, but iterating over them would not give ids.
    """
    if (
        isinstance(value, (str, bytes, Mapping))
        or not isinstance(value, Iterable)
        or hasattr(value, "columns")
        or getattr(value, "ndim", 1) != 1
    ):
        raise InvalidTypeError(f"{name} must be a list of {items}, not {shown(value)}")
    if ordered and isinstance(value, (set, frozenset)):
        raise InvalidTypeError(f"{name} must be a list of {items}, not a set, which has no order")
    return value


def is_missing(value: Any) -> bool:
    """Whether the value is None, nan, NaT, pandas' NA or NumPy's masked constant."""
    if value is None or type(value).__name__ in ("NAType", "MaskedConstant"):
        return True
    try:
        return bool(value != value)
    except ArithmeticError:  # a signalling NaN
        return True
    except (TypeError, ValueError):  # An array compares element by element; it is refused as not hashable.
        return False


def refuse_bad_ids(documents: Iterable[Any]) -> None:
    """Raise if a document id is missing or not hashable."""
    for document in documents:
        if is_missing(document):
            raise InvalidValueError(f"a document id is missing: {document!r}")
    refuse_unhashable(documents, "a document id")


def refuse_unhashable(values: Iterable[Any], what: str) -> None:
    """Raise if a value cannot be a key of a dict."""
    for value in values:
        try:
            hash(value)
        except TypeError:
            raise InvalidTypeError(f"{what} must be hashable, and {shown(value)} is not") from None


def refuse_repeated_ids(documents: list[Hashable], where: str) -> None:
    """Raise if a document id is missing, not hashable or repeated."""
    refuse_bad_ids(documents)
    for document in repeated_values(documents):
        raise InvalidValueError(
            f"document {document!r} is twice in the {where}; use Organization(levels) for documents with several "
            "occurrences",
        )


def repeated_values(values: Iterable[Hashable]) -> Iterator[Any]:
    """Yield each value that is equal to an earlier one."""
    seen: set[Hashable] = set()
    for value in values:
        if value in seen:
            yield value
        seen.add(value)


def refuse_incomparable_ids(what: str, **sides: Iterable[Hashable]) -> None:
    """Raise if the ids of two sides, by argument, have types that are never equal, such as "12" and 12."""

    def types_of(ids: Iterable[Hashable]) -> set[type]:
        # Numbers of different types can be equal, and so can subclasses of str.
        types = set(map(type, ids))
        return {next((kind for kind in (str, bytes, numbers.Number) if issubclass(t, kind)), t) for t in types}

    one, other = map(types_of, sides.values())
    # Values of other types can define equality as they like, so the ids themselves are compared too.
    if one and other and one.isdisjoint(other) and set.isdisjoint(*map(set, sides.values())):
        names = (" and ".join(sorted({type(value).__name__ for value in ids})) for ids in sides.values())
        types_there = " and ".join(f"'{side}' has ids of type {types}" for side, types in zip(sides, names))
        raise InvalidTypeError(f"no {what} can be on both sides: {types_there}; convert one side, with str for example")


def column_values(table: Any, name: str) -> list[Any]:
    """The values of a column of a mapping, a DataFrame, an Arrow table or a structured array."""
    names = None
    if isinstance(table, Mapping):
        names = list(table)
    elif not hasattr(table, "collect"):  # A lazy frame has column names but no values.
        holders = (table, "column_names"), (table, "columns"), (getattr(table, "dtype", None), "names")
        names = next(
            (listed for holder, attribute in holders if (listed := getattr(holder, attribute, None)) is not None), None
        )
    if names is None:
        raise InvalidTypeError(f"a table with named columns is needed, not a {type(table).__name__}")
    if name not in list(names):
        raise InvalidValueError(f"the table has no column {name!r}")
    values = table[name]
    if hasattr(values, "columns"):
        raise InvalidValueError(f"the table has several columns {name!r}")
    return list(values.to_pylist() if hasattr(values, "to_pylist") else values)
