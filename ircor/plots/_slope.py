"""Two rankings side by side, with a line for each item."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .._check import warn_of_pairing
from .._kernel import Ranking
from .._options import whole_number
from .._types import Vector
from ._names import item_names, pair_of
from ._places import mean_places, placed
from ._style import (
    COLUMN,
    LONGEST_LABEL,
    MOST_NAMES_DOWN,
    TEXT,
    TITLE,
    Look,
    axes_of,
    escaped,
    name_texts,
    some_places,
    wrapped,
)
from ._swaps import Swap, swaps_of

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.axes._secondary_axes import SecondaryAxis

    Places = npt.NDArray[np.float64]


def slope(
    x: Vector,
    y: Vector,
    *,
    names: Iterable[Hashable] | None = None,
    labels: Sequence[str] = ("x", "y"),
    decreasing: bool = True,
    costly: int = 3,
    ax: Axes | None = None,
) -> Axes:
    """Draw two rankings of the same items side by side; a line joins the two places of each item.

    The best item is on top.  Tied items share a hollow square at their mean place, and a bracket encloses their names.
    The swaps that cost AP correlation the most (see `costly_swaps`) have bold lines and a number where the lines cross.
    The text below the plot gives the names and the cost for each number.

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order, up to a few thousand.  Both may have ties.
    names : iterable, optional
        The names of the items.  By default the index of a pandas Series, or else "item 0" and so on.  Names of more
        than 12 characters are shortened in the middle.  With more than 60 items, only those of the costly swaps are
        named, in the text below.
    labels : pair of str
        The names of the two rankings.
    decreasing : bool
        Whether the item with the greatest value is on top: True for scores, False for ranks.
    costly : int
        The number of costly swaps to mark.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, `decreasing` is not a flag, `costly` is not a whole number, or `ax` is not
        an Axes.
    ValueError
        If x and y differ in length, have fewer than two items or have missing values; if they are Series with
        different indices (items are matched by position); if `costly` is negative; or if `names` or `labels` has the
        wrong length.

    Warns
    -----
    PairingWarning
        As from `ircor.tau_b`, if `names` is given or one index only counts from 0.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = slope([0.9, 0.7, 0.5, 0.3], [0.8, 0.9, 0.4, 0.4], names="ABCD", labels=("AP", "P10"))
    >>> ax.get_title()
    'Places of 4 items by AP and by P10'
    >>> print(ax.get_xlabel())
    costliest swaps for AP correlation:
    1: A, B (cost 2.00)
    hollow square: tied, at the mean place
    """
    left, right = placed(x, y, decreasing)
    swaps = swaps_of(left, right, whole_number(costly, "costly", 0))
    n = left.n
    texts = name_texts(item_names(x, y, names, n))
    warn_of_pairing(x, y)
    first, second = map(escaped, pair_of(labels))
    notes = notes_below(swaps, texts, ties=bool(left.tied_pairs or right.tied_pairs))
    height = max(1.4, 0.14 * n) if n <= MOST_NAMES_DOWN else 5
    ax = axes_of(ax, COLUMN, height + 0.7 + 0.12 * len(notes))
    places = mean_places(left), mean_places(right)
    draw_lines(ax, *places, swaps)
    mark_places(ax, 0, left, -1)
    mark_places(ax, 1, right, 1)
    number_crossings(ax, *places, swaps)
    ax.set_xlim(-0.12, 1.12)
    ax.set_ylim(n + 0.6, 0.4)
    opposite = ax.secondary_yaxis("right")
    for axis, ranking, pattern, label in (
        (ax, left, "{name}  {place:g}", first),
        (opposite, right, "{place:g}  {name}", second),
    ):
        axis.spines[:].set_visible(False)
        name_places(axis, ranking, texts, pattern)
        axis.set_ylabel(wrapped(f"place by {label}, best on top", LONGEST_LABEL), fontsize=TEXT)
    ax.set_xticks([0, 1], labels=[first, second], fontsize=TEXT)
    ax.set_xlabel("\n".join(notes), fontsize=TEXT)
    ax.set_title(wrapped(f"Places of {n} items by {first} and by {second}"), fontsize=TITLE)
    return ax


def notes_below(swaps: list[Swap], texts: list[str], ties: bool) -> list[str]:
    """The lines of text below the plot: the costly swaps, and what a hollow square means."""
    notes = [f"{k}: {texts[i]}, {texts[j]} (cost {cost:.2f})" for k, (i, j, cost) in enumerate(swaps, 1)]
    if swaps:
        notes.insert(0, "costliest swaps for AP correlation:")
    if ties:
        notes.append("hollow square: tied, at the mean place")
    return notes


def draw_lines(ax: Axes, left: Places, right: Places, swaps: list[Swap]) -> None:
    """Join the two places of each item; the lines of costly swaps are bold and above the others."""
    marked = {item for i, j, _ in swaps for item in (i, j)}
    for item in sorted(range(left.size), key=lambda item: item in marked):
        look: Look = {"color": "0.6", "linewidth": 0.8, "zorder": 2}
        if item in marked:
            look = {"color": "black", "linewidth": 1.8, "zorder": 3}
        ax.plot([0, 1], [left[item], right[item]], **look)


def mark_places(ax: Axes, end: float, ranking: Ranking, away: int) -> None:
    """Draw a marker for each place at one end of the lines, and a bracket around each group of tied items.

    `away` is the direction from the lines to the names, -1 or 1.
    """
    groups = sorted(set(zip(ranking.places().tolist(), ranking.group_sizes().tolist())))
    alone = [start + 1 for start, size in groups if size == 1]
    diameter = 3 if ranking.n <= MOST_NAMES_DOWN else 1
    ax.plot([end] * len(alone), alone, color="black", marker="o", markersize=diameter, linestyle="none", zorder=4)
    shared = [(start, size) for start, size in groups if size > 1]
    square: Look = {"marker": "s", "markersize": 5, "markerfacecolor": "white", "linestyle": "none", "zorder": 5}
    ax.plot([end] * len(shared), [start + (size + 1) / 2 for start, size in shared], color="black", **square)
    for start, size in shared:
        near, far, top, bottom = end + 0.06 * away, end + 0.1 * away, start + 0.75, start + size + 0.25
        ax.plot([near, far, far, near], [top, top, bottom, bottom], color="black", linewidth=0.8)


def number_crossings(ax: Axes, left: Places, right: Places, swaps: list[Swap]) -> None:
    """Write the number of each costly swap where its two lines cross."""
    frame: Look = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "black", "linewidth": 0.7}
    for text, where in crossings(left, right, swaps):
        ax.text(*where, text, fontsize=TEXT - 1, ha="center", va="center", zorder=6, bbox=frame)


def crossings(left: Places, right: Places, swaps: list[Swap]) -> list[tuple[str, tuple[float, float]]]:
    """The number of each swap and the point where its lines cross; numbers that would overlap share one text."""
    apart = 0.04 * left.size + 0.3
    found: list[tuple[list[str], tuple[float, float]]] = []
    for k, (i, j, _) in enumerate(swaps, 1):
        at_left, at_right = left[j] - left[i], right[i] - right[j]
        across = float(at_left / (at_left + at_right))
        down = float(left[i] + across * (right[i] - left[i]))
        for numbers, (other_across, other_down) in found:
            if abs(across - other_across) < 0.1 and abs(down - other_down) < apart:
                numbers.append(str(k))
                break
        else:
            found.append(([str(k)], (across, down)))
    return [(", ".join(numbers), where) for numbers, where in found]


def name_places(axis: Axes | SecondaryAxis, ranking: Ranking, texts: list[str], pattern: str) -> None:
    """Label one side with the name and the place of each item, or with some places if there are too many items."""
    if ranking.n > MOST_NAMES_DOWN:
        axis.set_yticks(some_places(ranking.n))
        axis.tick_params(axis="y", labelsize=TEXT)
        return
    places = mean_places(ranking)
    labels = [pattern.format(name=texts[item], place=places[item]) for item in np.argsort(places, kind="stable")]
    axis.set_yticks(range(1, ranking.n + 1), labels=labels, fontsize=TEXT)
    axis.tick_params(axis="y", length=0)
