"""Names along an axis: in full where there is room, shortened in the middle where there is not, never overlapping."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._extras import extra
from ._style import LONGEST_NAME, TEXT, checked_axes, escaped

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    Array = npt.NDArray[np.float64]

# The share of given Axes that names may take at one side.
SHARE = 0.3

# The share of a shortened name that is kept at its beginning, in the order of preference.
HEADS = (0.5, 0.25, 0.75, 0.0, 1.0)

# The most numbers along an axis of places.
MOST_PLACES = 7


def text_width(text: str, size: float = TEXT) -> float:
    """The width of a text without formulas, in inches."""
    font = extra("matplotlib.font_manager", "a picture").FontProperties(size=size)
    text_to_path = extra("matplotlib.textpath", "a picture").text_to_path
    width: float = text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
    return width / 72


def widest(texts: Iterable[str]) -> float:
    """The width of the widest of some texts as `fitted` returns them, in inches."""
    return max((text_width(text.replace(r"\$", "$")) for text in texts), default=0.0)


def size_of(ax: Axes) -> tuple[float, float]:
    """The width and the height of Axes, in inches."""
    box = checked_axes(ax).get_window_extent()
    return box.width / ax.figure.dpi, box.height / ax.figure.dpi


def room_for_names(ax: Axes | None, side: int) -> float:
    """The widest that a name may be, in inches; `side` is 0 for names beside the Axes and 1 for upright names below."""
    return LONGEST_NAME if ax is None else min(LONGEST_NAME, SHARE * size_of(ax)[side])


def fitted(names: Iterable[Any], room: float = LONGEST_NAME) -> list[str]:
    """The names of items as the plots write them, no wider than `room` inches.

    A name that is too wide is shortened in the middle, since the names of one group's runs often begin alike.  If two
    different names would become the same, more is kept of their ends, or of their beginnings.
    """
    texts = [" ".join(str(name).splitlines()) for name in names]
    long = {text for text in texts if text_width(text) > room}
    if long:
        choices = [{text: shortened(text, room, head) for text in long} for head in HEADS]
        others = set(texts) - long
        # Of the choices with the most different names, the first.
        best = max(choices, key=lambda choice: len(others.union(choice.values())))
        texts = [best.get(text, text) for text in texts]
    return [escaped(text) for text in texts]


def shortened(text: str, room: float, head: float = 0.5) -> str:
    """Replace as little as possible of the text by an ellipsis, so that it is no wider than `room` inches.

    `head` is the share of what remains that is kept at the beginning.
    """

    def kept(count: int) -> str:
        first = round(head * count)
        return f"{text[:first]}…{text[len(text) - (count - first) :]}"

    low, high = 0, len(text) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if text_width(kept(middle)) <= room else (low, middle - 1)
    return kept(low)


def spread(wanted: Sequence[float] | Array, apart: float, low: float, high: float) -> Array:
    """The positions from `low` to `high`, at least `apart` from each other, that are closest to those wanted.

    The wanted positions are in increasing order.  Closest in least squares: an isotonic regression of what is left of
    each position without the distances before it.
    """
    from scipy.optimize import isotonic_regression

    before = apart * np.arange(len(wanted))
    found = isotonic_regression(np.asarray(wanted) - before).x
    positions: Array = np.clip(found, low, high - before[-1]) + before
    return positions


def round_places(n: int) -> list[int]:
    """Places from 1 to n for an axis that has no room for all: 1, n, and the multiples of a round number between."""
    step = next(step for k in range(20) for step in (10**k, 2 * 10**k, 5 * 10**k) if n / step <= MOST_PLACES)
    between = [place for place in range(step, n, step) if place >= 1 + step / 2 and place <= n - step / 2]
    return [1, *between, n]


def some_labels(texts: Sequence[str], wanted: Sequence[float], apart: float, n: int) -> tuple[list[float], list[str]]:
    """The positions and the texts of labels along an axis of n places: those wanted, and round places between them.

    The wanted places are in increasing order.
    """
    at = spread(wanted, apart, 1.0, float(n)).tolist()
    # Labels that had to be spread stand close to each other, so no round place comes between one and its line.
    free = [place for place in round_places(n) if all(abs(place - other) >= apart for other in at)]
    return at + [float(place) for place in free], [*texts, *map(str, free)]
