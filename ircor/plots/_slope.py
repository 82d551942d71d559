"""The places of items in a ranking, from 1 at the top."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._core.checks import warn_of_pairing
from .._core.names import item_names, pair_of
from .._core.options import whole_number
from .._core.rounding import equal_if_rounded
from .._core.types import Floats, Vector
from .._kernel import Ranking
from ..statistics import Swap, placed, swaps_of
from . import _style as style
from ._style import TEXT, TITLE, VERMILION, Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    Places = Floats


def mean_places(ranking: Ranking) -> Floats:
    """The place of each item; tied items have the mean of the places that they share."""
    return ranking.places() + (ranking.group_sizes() + 1) / 2


def farthest(left: Floats, right: Floats, count: int) -> tuple[list[int], tuple[int, float]]:
    """The items whose two places differ the most, the greatest difference first; not those that keep their place.

    Of equal differences, the item that is higher in one of the rankings is first.  Items that tie with the last of the
    `count` are all included; if these would be more than twice `count`, none of those that tie.

    Returns
    -------
    items : list of int
    left_out : tuple
        The number of items that tie and are not included, and the difference of their places.
    """
    moved = np.abs(left - right)
    order = np.lexsort([left, np.minimum(left, right), -moved])
    items = [int(item) for item in order if moved[item] > 0]
    if not 0 < count < len(items):
        return items[: max(count, 0)], (0, 0.0)
    last = moved[items[count - 1]]
    before = [item for item in items if moved[item] > last]
    tied = [item for item in items if moved[item] == last]
    return (before + tied, (0, 0.0)) if len(before + tied) <= 2 * count else (before, (len(tied), float(last)))


# The least width between the two columns of names, and the width of what stands beside them, in inches.
MIDDLE = 1.6
BESIDE = 0.6

# The least distance between the names of the rankings below the lines, in inches.
GAP = 0.15

# The height of the lines if not all items are named, in inches.
HEIGHT = 5.0

# The width of the picture in units of the distance between the two ends: with room for brackets, and for the lines that
# lead to the names if not all items are named.
ENDS = 0.12
ENDS_OF_MANY = 0.2

# The font size of the numbers of the costly swaps, and the most characters in a line of numbers.
NUMBER = TEXT - 1
LONGEST_NUMBERS = 16

Crossing = tuple[str, tuple[float, float]]
"""The text at a crossing, and where it is."""

SWAPPED: Look = {"color": "black", "linewidth": 1.8, "zorder": 3}
MOVED: Look = {"color": VERMILION, "linewidth": 1.2, "linestyle": (0, (3, 2)), "zorder": 3.5}


def slope(
    x: Vector,
    y: Vector,
    *,
    names: Iterable[Hashable] | None = None,
    labels: Sequence[str] = ("x", "y"),
    decreasing: bool = True,
    costly: int = 3,
    movers: int = 3,
    ax: Axes | None = None,
) -> Axes:
    """Draw two rankings of the same items side by side; a line joins the two places of each item.

    The best item is on top.  Tied items share a hollow square at their mean place, and a bracket encloses their names.
    The swaps that cost AP correlation the most (see `costly_swaps`) have bold lines and a number where the lines cross.
    The items whose places differ the most have dashed lines.  The text below the plot names both: the items and the
    cost of each swap, and the two places of each mover.

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order, up to a few thousand.  Both may have ties;
        values that differ by rounding only are ties, as for `ircor.correlate`.
    names : iterable, optional
        The names of the items.  By default the index of a pandas Series, or else "item 0" and so on.  Names are written
        in full up to 2.3 inches, about 40 characters, and shortened in the middle beyond; on Axes of your own, up to
        30 % of their width.  With more than 60 items, or where the Axes have no room for all, only the first and the
        last of each ranking, the movers, the items of costly swaps, and the first and the last five of each ranking are
        named, in this order while there is room.
    labels : pair of str
        The names of the two rankings.
    decreasing : bool
        Whether the item with the greatest value is on top: True for scores, False for ranks.
    costly : int
        The number of costly swaps to mark.
    movers : int
        The number of items to mark whose places differ the most.  Items that tie with the last of them are marked too;
        if that makes more than twice the number, none of those that tie, and the text below the plot counts them.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure, which is wider than a journal's column if the names need
        it, up to 7.5 inches.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, `decreasing` is not a flag, `costly` or `movers` is not a whole number, or
        `ax` is not an Axes.
    ValueError
        If x and y differ in length, have fewer than two items or have missing values; if they are Series with
        different indices (items are matched by position); if `costly` or `movers` is negative; or if `names` or
        `labels` has the wrong length.

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
    bold: costliest swaps for AP correlation
    1: A, B (cost 2.00)
    dashed: largest moves
    A from 1 to 2
    B from 2 to 1
    C from 3 to 3.5
    D from 4 to 3.5
    hollow square: tied, at the mean place
    """
    left, right = placed(equal_if_rounded(x, "x"), equal_if_rounded(y, "y"), decreasing)
    places = mean_places(left), mean_places(right)
    swaps = swaps_of(left, right, whole_number(costly, "costly", 0))
    moved, left_out = farthest(*places, whole_number(movers, "movers", 0))
    texts = style.fitted(item_names(x, y, names, left.n), style.room_for_names(ax, 0))
    warn_of_pairing(x, y)
    first, second = style.fitted(pair_of(labels))
    notes = [*swap_notes(swaps, texts), *mover_notes(moved, left_out, *places, texts)]
    if left.tied_pairs or right.tied_pairs:
        notes.append("hollow square: tied, at the mean place")
    sides = Sides.of(left, right, swaps, moved, texts, ax, len(notes))
    longest = max(style.LONGEST_LABEL // 2, int(style.LABEL_PER_INCH * (sides.height + 0.4)))
    beside = [style.wrapped_label(f"place by {label}, best on top", longest) for label in (first, second)]
    below = sides.fitted_labels(pair_of(labels), beside)
    ax = style.axes_of(ax, sides.width(below, beside), sides.height + 0.7 + 0.12 * len(notes))
    draw_lines(ax, *places, swaps, moved)
    mark_places(ax, 0, left, -1, small=sides.some)
    mark_places(ax, 1, right, 1, small=sides.some)
    number_crossings(ax, crossings(*places, swaps, sides.unit(below, beside), sides.height / (left.n + 0.2)))
    ax.set_xlim(-sides.ends, 1 + sides.ends)
    ax.set_ylim(left.n + 0.6, 0.4)
    for axis, end in ((ax, 0), (ax.secondary_yaxis("right"), 1)):
        axis.spines[:].set_visible(False)
        axis.set_yticks(sides.at[end], labels=sides.labels[end], fontsize=TEXT)
        axis.tick_params(axis="y", length=0)
        axis.set_ylabel(beside[end], fontsize=TEXT)
        sides.lead_to_names(ax, end)
    ax.set_xticks([0, 1], labels=below, fontsize=TEXT)
    style.label_across(ax, "", notes)
    ax.set_title(style.wrapped_title(ax, f"Places of {left.n} items by {first} and by {second}"), fontsize=TITLE)
    return ax


def swap_notes(swaps: list[Swap], texts: list[str]) -> list[str]:
    """The lines of text on the costly swaps."""
    notes = [f"{k}: {texts[i]}, {texts[j]} (cost {cost:.2f})" for k, (i, j, cost) in enumerate(swaps, 1)]
    return ["bold: costliest swaps for AP correlation", *notes] if swaps else []


def mover_notes(
    moved: list[int], left_out: tuple[int, float], left: Places, right: Places, texts: list[str]
) -> list[str]:
    """The lines of text on the items whose places differ the most, and on those that tie and are not marked."""
    notes = [f"{texts[item]} from {left[item]:g} to {right[item]:g}" for item in moved]
    count, far = left_out
    others = [f"not marked: {count} items that moved {far:g} place{'s' if far > 1 else ''}"] if count else []
    return [*(["dashed: largest moves", *notes] if moved else []), *others]


@dataclass(frozen=True)
class Sides:
    """The names at the two sides, and the size of a new figure that has room for them.

    For each side, `labels` are the names with their places, and `at` their positions.  If only `some` items are named,
    the labels have round places between the names too, and `lines` lead to them: how far from the end each begins, the
    place that it comes from, and the position of the label.  `across` is the width of the given Axes, or the least
    width between the names in a `new` figure, and `height` that of the lines, in inches.
    """

    labels: list[list[str]]
    at: list[list[float]]
    lines: list[list[tuple[float, float, float]]]
    some: bool
    new: bool
    across: float
    height: float

    @classmethod
    def of(
        cls,
        left: Ranking,
        right: Ranking,
        swaps: list[Swap],
        moved: list[int],
        texts: list[str],
        ax: Axes | None,
        notes: int,
    ) -> Sides:
        """Fit the names into the given Axes, or into a new figure if there are none."""
        n = left.n
        both = left, right
        orders = [np.argsort(ranking.places(), kind="stable") for ranking in both]
        across, height = (MIDDLE, max(1.4, style.LINE / 72 * n)) if ax is None else style.size_of(ax)
        if ax is not None:
            # A layout that makes room for the notes takes it from the Axes.
            height = max(height / 2, height - 0.12 * notes)
        if n <= style.MOST_NAMES if ax is None else n * style.NAME / 72 <= height:
            labels = [
                place_labels(texts, order, ranking, side) for side, (order, ranking) in enumerate(zip(orders, both))
            ]
            at = [float(place) for place in range(1, n + 1)]
            return cls(labels, [at, at], [[], []], False, ax is None, across, height)
        ends = [int(order[k]) for k in (0, -1) for order in orders]
        more = [
            int(item) for k in range(1, min(style.ENDS_NAMED, n)) for order in orders for item in order[[k, -1 - k]]
        ]
        named = list(dict.fromkeys([*ends, *moved, *(item for i, j, _ in swaps for item in (i, j)), *more]))
        if ax is None:
            height = max(HEIGHT, style.LINE / 72 * len(named))
        named = named[: max(2, int(height / (style.NAME / 72)))]
        named_sides = [some_names(texts, named, ranking, side, height) for side, ranking in enumerate(both)]
        labels, positions, lines = map(list, zip(*named_sides))
        return cls(labels, positions, lines, True, ax is None, across, height)

    @property
    def ends(self) -> float:
        """How far the picture goes on beyond the ends of the lines."""
        return ENDS_OF_MANY if self.some else ENDS

    def outside(self, beside: list[str]) -> list[float]:
        """The width of what stands at each side: the names, and this label of the axis."""
        lines = [label.count("\n") for label in beside]
        return [
            BESIDE / 2 + count * style.NAME / 72 + style.widest(labels) for count, labels in zip(lines, self.labels)
        ]

    def fitted_labels(self, labels: list[str], beside: list[str]) -> list[str]:
        """The names of the rankings, which stand centred below the ends of the lines."""
        room = max(self.across, style.PAGE - sum(self.outside(beside))) if self.new else self.across
        return style.fitted(labels, min(room / (1 + 2 * self.ends), style.PAGE / 2 - GAP) - GAP)

    def unit(self, below: list[str], beside: list[str]) -> float:
        """The width between the ends of the lines, in inches, with these names of the rankings."""
        if not self.new:
            return self.across / (1 + 2 * self.ends)
        least = max(self.across, style.COLUMN - sum(self.outside(beside))) / (1 + 2 * self.ends)
        return max(least, sum(style.widest([label]) for label in below) / 2 + GAP)

    def width(self, below: list[str], beside: list[str]) -> float:
        """The width of a new figure with these names of the rankings."""
        unit = self.unit(below, beside)
        # Half of each name stands beyond its end; where that is more than what stands beside it, it takes the room.
        beyond = [style.widest([label]) / 2 + GAP - self.ends * unit for label in below]
        return sum(map(max, self.outside(beside), beyond)) + (1 + 2 * self.ends) * unit

    def lead_to_names(self, ax: Axes, end: int) -> None:
        """Draw the lines to the labels of one side."""
        away = 2 * end - 1
        for start, place, at in self.lines[end]:
            near, far = end + away * start, end + away * self.ends
            ax.plot([near, far], [place, at], color="0.4", linewidth=0.6, zorder=1)


def place_labels(texts: list[str], items: Iterable[int], ranking: Ranking, side: int) -> list[str]:
    """The names of the items with their places, which stand towards the lines."""
    places = mean_places(ranking)
    pattern = ("{name}  {place:g}", "{place:g}  {name}")[side]
    return [pattern.format(name=texts[item], place=places[item]) for item in items]


def some_names(
    texts: list[str], named: list[int], ranking: Ranking, side: int, height: float
) -> tuple[list[str], list[float], list[tuple[float, float, float]]]:
    """The labels, their positions, and the lines to them at a side where only these items are named."""
    places, shared = mean_places(ranking), ranking.group_sizes() > 1
    items = sorted(named, key=lambda item: places[item])
    wanted = [float(places[item]) for item in items]
    labels = place_labels(texts, items, ranking, side)
    at, labels = style.some_labels(labels, wanted, style.NAME / 72 * (ranking.n + 0.2) / height, ranking.n)
    starts = [0.1 if shared[item] else 0.03 for item in items] + [0.03] * (len(at) - len(items))
    return labels, at, list(zip(starts, wanted + at[len(items) :], at))


def draw_lines(ax: Axes, left: Places, right: Places, swaps: list[Swap], moved: list[int]) -> None:
    """Join the two places of each item; the lines of costly swaps are bold, those of the largest moves dashed."""
    swapped = {item for i, j, _ in swaps for item in (i, j)}
    plain = [item for item in range(left.size) if item not in swapped and item not in moved]
    look_of_plain: Look = {"color": "0.6", "linewidth": 0.8, "zorder": 2}
    if left.size > style.MOST_NAMES:
        # So that many lines do not merge into one area.
        look_of_plain |= {"color": "0.5", "linewidth": max(0.3, 0.8 * style.MOST_NAMES / left.size), "alpha": 0.6}
    # An item that is both has the dashes on its bold line.
    for items, look in ((plain, look_of_plain), (swapped, SWAPPED), (moved, MOVED)):
        for item in sorted(items):
            ax.plot([0, 1], [left[item], right[item]], **look)


def mark_places(ax: Axes, end: float, ranking: Ranking, away: int, small: bool) -> None:
    """Draw a marker for each place at one end of the lines, and a bracket around each group of tied items.

    `away` is the direction from the lines to the names, -1 or 1.
    """
    groups = sorted(set(zip(ranking.places().tolist(), ranking.group_sizes().tolist())))
    alone = [start + 1 for start, size in groups if size == 1]
    diameter = 1 if small else 3
    ax.plot([end] * len(alone), alone, color="black", marker="o", markersize=diameter, linestyle="none", zorder=4)
    shared = [(start, size) for start, size in groups if size > 1]
    square: Look = {"marker": "s", "markersize": 5, "markerfacecolor": "white", "linestyle": "none", "zorder": 5}
    ax.plot([end] * len(shared), [start + (size + 1) / 2 for start, size in shared], color="black", **square)
    for start, size in shared:
        near, far, top, bottom = end + 0.06 * away, end + 0.1 * away, start + 0.75, start + size + 0.25
        ax.plot([near, far, far, near], [top, top, bottom, bottom], color="black", linewidth=0.8)


def number_crossings(ax: Axes, numbers: list[Crossing]) -> None:
    """Write the number of each costly swap where its two lines cross."""
    frame: Look = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "black", "linewidth": 0.7}
    for text, where in numbers:
        ax.text(*where, text, fontsize=NUMBER, ha="center", va="center", zorder=6, bbox=frame)


def crossings(left: Places, right: Places, swaps: list[Swap], across: float, down: float) -> list[Crossing]:
    """The number of each swap and the point where its lines cross; numbers that would overlap share one text.

    `across` and `down` are the width between the two ends and the height of a place, in inches.
    """
    groups: list[tuple[list[int], tuple[float, float]]] = []
    for k, (i, j, _) in enumerate(swaps, 1):
        at_left, at_right = left[j] - left[i], right[i] - right[j]
        share = float(at_left / (at_left + at_right))
        group = [k], (share, float(left[i] + share * (right[i] - left[i])))
        # A text with one more number is wider, and may overlap a text that it did not overlap before.
        while near := next((other for other in groups if texts_overlap(group, other, across, down)), None):
            groups.remove(near)
            group = sorted([*near[0], *group[0]]), near[1]
        groups.append(group)
    return [(numbers_text(numbers), where) for numbers, where in sorted(groups)]


def numbers_text(numbers: list[int]) -> str:
    return style.wrapped_label(", ".join(map(str, numbers)), LONGEST_NUMBERS)


def texts_overlap(
    one: tuple[list[int], tuple[float, float]], other: tuple[list[int], tuple[float, float]], across: float, down: float
) -> bool:
    """Whether the texts of two groups of numbers, in their frames, would overlap."""
    sizes = [frame_size(numbers_text(numbers)) for numbers, _ in (one, other)]
    (x, y), (other_x, other_y) = one[1], other[1]
    width, height = ((a + b) / 2 for a, b in zip(*sizes))
    return bool(abs(x - other_x) * across < width and abs(y - other_y) * down < height)


def frame_size(text: str) -> tuple[float, float]:
    """The width and the height of a text in its frame, in inches."""
    lines = text.splitlines()
    around = 0.5 * NUMBER / 72
    return max(style.text_width(line, NUMBER) for line in lines) + around, 1.2 * NUMBER / 72 * len(lines) + around
