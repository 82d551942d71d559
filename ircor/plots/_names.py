"""The names of items and of measures, as the caller gives them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from .._options import shown


def several(value: Any) -> list[Any]:
    """The elements of an iterable as a list; a string, or a value that is not iterable, is a single element."""
    if isinstance(value, str):
        return [value]
    try:
        return list(value)
    except TypeError:
        return [value]


def pair_of(labels: Any) -> list[str]:
    """The names of the two rankings or measures."""
    pair = several(labels)
    if len(pair) != 2:
        raise ValueError(f"'labels' must be two names, one for each ranking, not {shown(labels)}")
    return [str(label) for label in pair]


def given_names(names: Iterable[Any], n: int) -> list[Any]:
    """The names of n items; a string gives one letter to each."""
    given = list(names) if isinstance(names, str) else several(names)
    if len(given) != n:
        raise ValueError(f"'names' must have one name for each of the {n} items, not {len(given)}")
    return given


def index_of(vector: Any) -> list[Hashable] | None:
    """The index of a pandas Series; None for other vectors, and for an index that only counts from 0."""
    if not (hasattr(vector, "index") and hasattr(vector, "reindex")):
        return None
    names = list(vector.index)
    return None if names == list(range(len(names))) else names


def item_names(x: Any, y: Any, names: Iterable[Any] | None, n: int) -> list[Any]:
    """The given names, else the index of x or of y, else "item 0" and so on."""
    if names is not None:
        return given_names(names, n)
    x_names, y_names = index_of(x), index_of(y)
    if x_names is not None and y_names is not None and x_names != y_names:
        k = next(k for k in range(n) if x_names[k] != y_names[k])
        raise ValueError(
            "'x' and 'y' are matched by position, so their indices must be the same, in the same order: at position "
            f"{k}, they have {x_names[k]!r} and {y_names[k]!r}; reindex one of them, or give 'names'"
        )
    return x_names or y_names or [f"item {k}" for k in range(n)]
