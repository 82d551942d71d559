"""Rankings of items: what they may be, and how they are read from text and made from scores."""

from __future__ import annotations

import re
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set as AbstractSet
from typing import Any, TypeAlias

import numpy as np

from .._core.checks import (
    PairingWarning,
    is_missing,
    mispaired,
    pandas_index,
    repeated_values,
    require_list,
    warn_of_pairing,
)
from .._core.errors import InvalidTypeError, InvalidValueError, must_be, shown
from .._core.types import Array, SeriesLike, Vector
from .._core.vectors import numeric_vector
from .._kernel import Ranking

Items: TypeAlias = "Sequence[Hashable | AbstractSet[Hashable]] | Array | SeriesLike"
"""A ranking: items from the top, where a set of items is a tie."""

TIE = (set, frozenset)

# A word, or a parenthesis.
PART = re.compile(r"[()]|[^()\s]+")


def items_of(ranking: Any, name: str, k: int | None = None) -> Any:
    """The items and ties of a ranking: an array of 64-bit integers, or a list or tuple.

    `name` is what messages call it or, with k, the sequence that it is in.
    """
    if isinstance(ranking, (list, tuple)):
        return ranking
    called = name if k is None else f"{name}[{k}]"
    kind = type(ranking).__name__
    sequence = "must be a sequence of items, not"
    if isinstance(ranking, (str, bytes)):
        raise InvalidTypeError(called, f"{sequence} a string", "from_string reads rankings from text")
    if isinstance(ranking, Mapping):
        scores = "for scores by item, extract_ranking(list(scores), list(scores.values()))"
        raise InvalidTypeError(called, f"{sequence} a mapping", scores)
    if isinstance(ranking, TIE):
        raise InvalidTypeError(called, f"{sequence} a set, which has no order; a tie of all is [items]")
    if isinstance(ranking, AbstractSet):
        raise InvalidTypeError(called, f"{sequence} {kind}", "give list(items)")
    if hasattr(ranking, "collect") and not hasattr(ranking, "__len__"):
        raise InvalidTypeError(called, f"is a {kind}, which has no values yet", "collect it first")
    if getattr(ranking, "ndim", 1) != 1 or hasattr(ranking, "columns") or not isinstance(ranking, Iterable):
        raise InvalidTypeError(called, f"{sequence} {shown(ranking)}")
    if hasattr(ranking, "iloc") and not counts_from_0(getattr(ranking, "index", None)):
        raise InvalidTypeError(
            called,
            "is a Series with an index",
            "give its values, x.to_numpy(), if these are the items in order, or extract_ranking(x.index, x) if these "
            "are the scores of the items in the index",
        )
    if isinstance(ranking, np.ndarray) and not isinstance(ranking, np.ma.MaskedArray):
        if ranking.dtype.kind in "iu" and ranking.dtype != np.uint64:
            return np.ascontiguousarray(ranking, dtype=np.int64)
        if ranking.dtype.kind in "mM":
            # As a list, times in nanoseconds would be integers.
            return list(ranking)
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(ranking, method):
            return getattr(ranking, method)()
    return list(ranking)


def as_list(ranking: Any) -> Any:
    """A ranking that is an array as a list; others as they are."""
    return ranking.tolist() if isinstance(ranking, np.ndarray) else ranking


def counts_from_0(index: Any) -> bool:
    """Whether an index only counts its rows."""
    return index.dtype.kind in "iu" and bool((np.asarray(index) == np.arange(len(index))).all())


def refuse_bad_ranking(ranking: Iterable[Any], name: str) -> None:
    """Raise if a ranking is empty, has an item twice, or has something that is no item."""
    items = list(flat(ranking, name))
    refuse_bad_items(items, name, "; a tie is a set")
    if all(isinstance(item, (float, np.floating)) for item in items):
        raise InvalidTypeError(
            name,
            "has numbers with a decimal point for items",
            "if they are scores, use rbo_scores; if they are items, give them as strings",
        )


def refuse_bad_items(items: Sequence[Any], name: str, hint: str = "") -> None:
    """Raise if there are no items, or if one is missing, not hashable or repeated."""
    if not items:
        raise InvalidValueError(name, "has no items")
    for item in items:
        if is_missing(item):
            raise InvalidValueError(name, "has a missing item", repr(item))
        try:
            hash(item)
        except TypeError:
            raise InvalidTypeError(name, "has an item that is not hashable", f"{shown(item)}{hint}") from None
    for item in repeated_values(items):
        raise InvalidValueError(name, f"has the item {shown(item)} twice")


def flat(ranking: Iterable[Any], name: str) -> Iterable[Any]:
    """The items of a ranking, of ties too."""
    for entry in ranking:
        if not isinstance(entry, TIE):
            yield entry
            continue
        if not entry:
            raise InvalidValueError(name, "has a tie without items")
        for item in entry:
            if isinstance(item, TIE):
                raise InvalidTypeError(name, "has a tie within a tie", shown(entry))
            yield item


def from_string(text: str) -> list[str | set[str]]:
    """Read a ranking from text: items separated by blanks, tied items in parentheses.

    Parameters
    ----------
    text : str

    Returns
    -------
    list
        The items from the top; a tie is a set.

    Raises
    ------
    TypeError
        If `text` is not a string.
    ValueError
        If there are no items, an item is repeated, a tie is empty, or parentheses do not match.

    Examples
    --------
    >>> ranking = from_string("red (blue green) yellow")
    >>> ranking == ["red", {"blue", "green"}, "yellow"]
    True
    """
    if not isinstance(text, str):
        raise InvalidTypeError("text", must_be("a string", text))
    ranking: list[str | set[str]] = []
    tie: list[str] | None = None
    for part in PART.findall(text):
        if part == "(":
            if tie is not None:
                raise InvalidValueError("text", "has a parenthesis within parentheses", shown(text))
            tie = []
        elif part == ")":
            if tie is None:
                raise InvalidValueError("text", "has a closing parenthesis without an opening one", shown(text))
            refuse_bad_ranking(tie or [set()], "text")
            ranking.append(set(tie) if len(tie) > 1 else tie[0])
            tie = None
        elif tie is not None:
            tie.append(part)
        else:
            ranking.append(part)
    if tie is not None:
        raise InvalidValueError("text", "has an opening parenthesis without a closing one", shown(text))
    refuse_bad_ranking(ranking, "text")
    return ranking


def to_string(ranking: Items) -> str:
    """Write a ranking as text, as `from_string` reads it.

    Parameters
    ----------
    ranking : sequence
        The items from the top; a tie is a set.

    Returns
    -------
    str
        The items, separated by blanks; tied items are in parentheses, in alphabetical order.

    Raises
    ------
    TypeError, ValueError
        Where `rbo` refuses the ranking; or if the text of an item is empty or has a blank or a parenthesis, or two
        items have the same text.

    Examples
    --------
    >>> to_string(["red", {"green", "blue"}, "yellow"])
    'red (blue green) yellow'
    """
    entries = as_list(items_of(ranking, "ranking"))
    refuse_bad_ranking(entries, "ranking")
    texts = [str(item) for item in flat(entries, "ranking")]
    for text in texts:
        if not re.fullmatch(r"[^()\s]+", text):
            problem = "has an item with a blank or a parenthesis, or without text"
            raise InvalidValueError("ranking", problem, repr(text))
    for text in repeated_values(texts):
        raise InvalidValueError("ranking", f"has two items that are both written {text!r}")
    return " ".join(item_text(entry) for entry in entries)


def item_text(entry: Any) -> str:
    """An item, or a tie in parentheses."""
    if not isinstance(entry, TIE):
        return str(entry)
    tied = sorted(map(str, entry))
    return f"({' '.join(tied)})" if len(tied) > 1 else tied[0]


def extract_ranking(items: Sequence[Hashable], scores: Vector) -> list[Hashable | set[Hashable]]:
    """Rank items by their scores, from the greatest down; items with equal scores are tied.

    Parameters
    ----------
    items : sequence of hashable
        The items, each once.
    scores : numeric vector
        Their scores, without missing values.

    Returns
    -------
    list
        The items from the top; a tie is a set.

    Raises
    ------
    TypeError, ValueError
        If `items` and `scores` differ in length, a score is missing, or an item is repeated, missing or not hashable.

    Warns
    -----
    PairingWarning
        If the labels of `scores`, a pandas Series, are the items in another order.  Both are paired by position.

    Examples
    --------
    >>> extract_ranking(["a", "b", "c"], [0.1, 0.9, 0.4])
    ['b', 'c', 'a']
    >>> extract_ranking(["a", "b", "c"], [0.4, 0.9, 0.4]) == ["b", {"a", "c"}]
    True
    """
    values = numeric_vector(scores, "scores")
    listed = list(require_list(as_list(items), "'items'", "items", ordered=True))
    if len(listed) != len(values):
        lengths = f"{len(listed)} and {len(values)}"
        raise InvalidValueError(("items", "scores"), f"must be of the same length, but they have {lengths}")
    for item in listed:
        if isinstance(item, TIE):
            raise InvalidTypeError("items", f"has a set, {shown(item)}", "items are tied if their scores are equal")
    refuse_bad_items(listed, "items")
    warn_of_labels(items, listed, scores)
    ranking = Ranking(values, True)
    if ranking.missing:
        raise InvalidValueError("scores", "has missing values")
    order, places = ranking.items(), ranking.places()
    entries: list[Hashable | set[Hashable]] = []
    starts = np.flatnonzero(places[order] == np.arange(len(order)))
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(order)]):
        tied = [listed[k] for k in order[start:end].tolist()]
        entries.append(set(tied) if len(tied) > 1 else tied[0])
    return entries


def warn_of_labels(items: object, listed: list[Any], scores: object) -> None:
    """Warn if the labels of the scores are the items in another order, or those of the items are."""
    labels = pandas_index(scores)
    if labels is None or warn_of_pairing(items, scores, ("items", "scores"), stacklevel=3):
        return
    if why := mispaired(listed, list(labels), ("items", "the labels of scores")):
        warnings.warn(why, PairingWarning, stacklevel=3)
