"""Checks of lists, document ids and table columns."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from ._options import shown


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
        raise TypeError(f"{name} must be a list of {items}, not {shown(value)}")
    if ordered and isinstance(value, (set, frozenset)):
        raise TypeError(f"{name} must be a list of {items}, not a set, which has no order")
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
            raise ValueError(f"a document id is missing: {document!r}")
    refuse_unhashable(documents, "a document id")


def refuse_unhashable(values: Iterable[Any], what: str) -> None:
    """Raise if a value cannot be a key of a dict."""
    for value in values:
        try:
            hash(value)
        except TypeError:
            raise TypeError(f"{what} must be hashable, and {shown(value)} is not") from None


def refuse_repeated_ids(documents: list[Hashable], where: str) -> None:
    """Raise if a document id is missing, not hashable or repeated."""
    refuse_bad_ids(documents)
    for document in repeated_values(documents):
        raise ValueError(
            f"document {document!r} is twice in the {where}; use Organization(levels) for documents with several "
            "occurrences"
        )


def repeated_values(values: Iterable[Hashable]) -> Iterator[Any]:
    """Yield each value that is equal to an earlier one."""
    seen: set[Hashable] = set()
    for value in values:
        if value in seen:
            yield value
        seen.add(value)


def refuse_incomparable_ids(what: str, **sides: Iterable[Hashable]) -> None:
    """Raise if the ids of two sides have types that are never equal, such as "12" and 12.

    Parameters
    ----------
    what : str
        What the ids identify, for the message.
    **sides : iterable
        The ids of the two sides, by the name of the argument that they come from.
    """

    def types_of(ids: Iterable[Hashable]) -> set[type]:
        # Numbers of different types can be equal, and so can subclasses of str.
        found = set(map(type, ids))
        return {next((kind for kind in (str, bytes, numbers.Number) if issubclass(t, kind)), t) for t in found}

    one, other = map(types_of, sides.values())
    # Values of other types can define equality as they like, so the ids themselves are compared too.
    if one and other and one.isdisjoint(other) and set.isdisjoint(*map(set, sides.values())):
        names = (" and ".join(sorted({type(value).__name__ for value in ids})) for ids in sides.values())
        found = " and ".join(f"'{side}' has ids of type {types}" for side, types in zip(sides, names))
        raise TypeError(f"no {what} can be on both sides: {found}; convert one side, with str for example")


def column_values(table: Any, name: str) -> list[Any]:
    """The values of a column of a mapping, a DataFrame, an Arrow table or a structured array."""
    names = None
    if isinstance(table, Mapping):
        names = list(table)
    elif not hasattr(table, "collect"):  # A lazy frame has column names but no values.
        holders = (table, "column_names"), (table, "columns"), (getattr(table, "dtype", None), "names")
        names = next(
            (found for holder, attribute in holders if (found := getattr(holder, attribute, None)) is not None), None
        )
    if names is None:
        raise TypeError(f"a table with named columns is needed, not a {type(table).__name__}")
    if name not in list(names):
        raise ValueError(f"the table has no column {name!r}")
    values = table[name]
    if hasattr(values, "columns"):
        raise ValueError(f"the table has several columns {name!r}")
    return list(values.to_pylist() if hasattr(values, "to_pylist") else values)
