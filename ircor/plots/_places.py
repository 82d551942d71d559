"""The places of systems with their confidence sets."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import InvalidValueError
from .._core.names import given_names
from .._core.types import Vector
from . import _style as style
from ._style import BLUE, TEXT, Look
from ._values import finite, framed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SET: Look = {"color": "0.35", "linewidth": 1.2, "zorder": 3}
PLACE: Look = {"linestyle": "none", "marker": "o", "color": BLUE, "zorder": 4}
TIER: Look = {"facecolor": "0.9", "linewidth": 0, "zorder": 0}

# Of a row, in points: with all systems named in the usual size of text, and with more systems, in a smaller one.
ROW, SMALL_ROW, SMALL_TEXT = 9.0, 5.6, 5.0
MOST_NAMED = 200
AROUND = 0.9
"""What is above and below the rows, in inches."""


def places(
    names: Iterable[Hashable],
    place: Vector,
    low: Vector,
    high: Vector,
    *,
    tiers: Sequence[int] | None = None,
    level: float = 0.95,
    label: str = "",
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw a row for each system: a dot at its place, a bar for its set of places, and every other tier shaded.

    With more than 60 systems the rows and their names are smaller; with more than 200, or where the Axes have no room,
    the systems are not named.

    Parameters
    ----------
    names : iterable
        The names of the systems, from the top row down.
    place, low, high : numeric vector
        The place of each system, and the ends of its set of places.
    tiers : sequence of int, optional
        The number of the tier of each system.
    level : float
        The level of the sets, for the legend.
    label : str
        What the systems are ranked by.
    title : str
        The title.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure.

    Raises
    ------
    TypeError, ValueError
        If a vector is not numeric, has missing values, or has another length than `place`; or if `ax` is not an Axes.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = places("ABC", [1, 2, 3], [1, 1, 3], [2, 2, 3], tiers=[1, 1, 2])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['place', 'set of places, 95%', 'every other tier']
    """
    at = finite(place, "place")
    ends = [finite(end, name, len(at), "place") for end, name in ((low, "low"), (high, "high"))]
    if tiers is not None and len(tiers) != len(at):
        raise InvalidValueError("tiers", f"must have a number for each of the {len(at)} systems, not {len(tiers)}")
    texts = style.fitted(given_names(names, len(at)), style.room_for_names(ax, 0))
    row, size = (ROW, TEXT) if len(at) <= style.MOST_NAMES else (SMALL_ROW, SMALL_TEXT)
    named = len(at) <= MOST_NAMED and (ax is None or 72 * style.size_of(ax)[1] >= row * len(at))
    width = style.COLUMN + (style.widest(texts) if named else 0.0)
    height = min(AROUND + row / 72 * len(at), AROUND + SMALL_ROW / 72 * MOST_NAMED)
    ax = style.axes_of(ax, width, max(1.8, height))
    down = np.arange(1, len(at) + 1)
    drawn: list[tuple[Any, str]] = [
        (ax.plot(at, down, markersize=min(4.0, row / 2), **PLACE)[0], "place"),
        (ax.hlines(down, *ends, **SET), f"set of places, {100 * level:g}%"),
    ]
    bands = [ax.axhspan(first - 0.5, last + 0.5, **TIER) for first, last in runs(tiers or [])[1::2]]
    drawn += [(bands[0], "every other tier")] if bands else []
    ax.set_ylim(len(at) + 0.8, 0.2)
    ax.set_xlim(0.5, len(at) + 0.5)
    ax.set_xticks(style.round_places(len(at)))
    ax.grid(axis="x", color="0.85", linewidth=0.5)
    ax.set_axisbelow(True)
    ax.set_yticks(down if named else [], labels=texts if named else [])
    by = f" by {style.escaped(label)}" if label else ""
    down_words = "" if named else f"{len(at)} systems"
    ax = framed(ax, f"place{by}", down_words, style.escaped(title) or f"Places of {len(at)} systems", drawn, numbers="")
    ax.tick_params(axis="y", labelsize=size, length=0)
    return ax


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The first and the last row of each run of the same number."""
    starts = [k for k in range(len(numbers)) if not k or numbers[k] != numbers[k - 1]]
    return [(start + 1, end) for start, end in zip(starts, [*starts[1:], len(numbers)])]
