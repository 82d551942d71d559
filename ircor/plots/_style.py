"""What the plots have in common: sizes, colours, the figure, its words, and the ticks."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypeAlias

from .._extras import extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

Look: TypeAlias = "dict[str, Any]"
"""Keyword arguments of a matplotlib artist."""

# The width of a journal's column and of a page with two columns, in inches.
COLUMN = 3.4
PAGE = 7.5

# Font sizes, the height of a line of the legend, and the least distance between two names, in points.
TEXT = 7
TITLE = 8
LINE = 10
NAME = 8.4

# The most characters in an inch of the title and of an axis label, and the fewest in a line of an axis label.
TITLE_PER_INCH = 13
LABEL_PER_INCH = 14
LONGEST_LABEL = 30

# The widest name of an item, in inches: about 40 characters.
LONGEST_NAME = 2.3

# The most items that all have their name in a new figure.
MOST_NAMES = 60

# Where not all items are named, this many at each end of a ranking are, if there is room.
ENDS_NAMED = 5

# From the palette of Okabe and Ito, which colour-blind readers can distinguish.
BLUE = "#0072B2"
VERMILION = "#D55E00"
GREEN = "#009E73"
BLACK = "#000000"

LOOKS: dict[str, Look] = {
    "tau_a": {"color": BLUE, "linestyle": "-", "marker": "o"},
    "tau_b": {"color": VERMILION, "linestyle": "--", "marker": "s"},
    "tauAP_a": {"color": GREEN, "linestyle": "-.", "marker": "^"},
    "tauAP_b": {"color": BLACK, "linestyle": ":", "marker": "D"},
}
"""The line of each coefficient that allows ties."""


def axes_of(ax: Axes | None, width: float, height: float) -> Axes:
    """Return the given Axes, or those of a new figure of this size in inches."""
    plt = extra("matplotlib.pyplot", "a picture")
    return plt.subplots(figsize=(width, height), layout="constrained")[1] if ax is None else checked_axes(ax)


def checked_axes(ax: Any) -> Axes:
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise TypeError(f"'ax' must be one matplotlib Axes, not a {type(ax).__name__}")
    return ax


def title_and_legend(ax: Axes, title: str, handles: list[Any], texts: list[str], columns: int = 1) -> None:
    """Place the legend above the Axes, where it covers no data, and the title above the legend."""
    rows = ceil(len(texts) / columns)
    options = {"ncol": columns, "fontsize": TEXT, "frameon": False, "handlelength": 3, "borderpad": 0.2}
    ax.legend(handles, texts, loc="lower center", bbox_to_anchor=(0.5, 1), borderaxespad=0.1, **options)
    ax.set_title(wrapped_title(ax, title), fontsize=TITLE, pad=LINE * rows + 6)


def wrapped_title(ax: Axes, text: str) -> str:
    """Break a title into lines that fit around the middle of the Axes."""
    width, box = ax.figure.bbox.width / ax.figure.dpi, ax.get_position()
    middle = (box.x0 + box.x1) / 2
    # One of several Axes shares the figure with others; the Axes of a new figure have the width for themselves.
    alone = box.width > 0.5
    room = 2 * width * min(middle, 1 - middle) if alone else width * box.width
    return balanced(text, max(LONGEST_LABEL, int(TITLE_PER_INCH * room)))


def balanced(text: str, longest: int) -> str:
    """Break the text into as few lines as `wrapped` does, of about the same length, so that no word is left alone."""
    found = wrapped(text, longest)
    widest_word = max(map(len, text.split()), default=1)
    for shorter in range(longest - 1, widest_word - 1, -1):
        narrower = wrapped(text, shorter)
        if narrower.count("\n") > found.count("\n"):
            break
        found = narrower
    return found


def wrapped(text: str, longest: int = LONGEST_LABEL) -> str:
    """Break the text into lines of at most `longest` characters."""
    return fill(text, longest, break_on_hyphens=False)


def label_across(ax: Axes, label: str, notes: Sequence[str] = ()) -> None:
    """Write the label of the horizontal axis, and the notes of the plot below it."""
    ax.set_xlabel("\n".join(filter(None, [label, *notes])), fontsize=TEXT)
    # Where `relabel` finds the notes.
    ax.xaxis.label.set_label("\n".join(notes))


def relabel(ax: Axes, title: str | None, x_label: str | None, y_label: Sequence[str] | None) -> None:
    """Replace the words of a plot that are not None; the notes below it and the sizes stay.

    `y_label` are one label, for the vertical axes that share their scale, or two, for the left and the right axis.
    """
    ax.figure.draw_without_rendering()
    if title is not None:
        ax.title.set_text(wrapped_title(ax, escaped(title)))
    if x_label is not None:
        label_across(ax, escaped(x_label), [ax.xaxis.label.get_label()])
    if y_label is not None:
        sides = [ax, *ax.child_axes]
        if len(y_label) > 1:
            # The right axis of another scale.
            sides += [other for other in ax.get_shared_x_axes().get_siblings(ax) if other is not ax]
        if len(y_label) > len(sides):
            axes_there, times = ("one vertical axis", "once") if len(sides) == 1 else ("two vertical axes", "twice")
            raise ValueError(f"the picture has {axes_there}: give --y-label {times}, not {len(y_label)} times")
        height = ax.get_position().height * ax.figure.get_figheight()
        longest = max(LONGEST_LABEL, int(LABEL_PER_INCH * height))
        for axes, label in zip(sides, list(y_label) * len(sides)):
            axes.yaxis.label.set_text(wrapped(escaped(label), longest))


def round_ticks(axis: Axis, most: int = 6) -> None:
    """Put ticks at multiples of 1, 2 or 5 times a power of ten, without an offset; only on a linear scale."""
    from matplotlib.ticker import MaxNLocator, ScalarFormatter

    if axis.get_scale() == "linear":
        axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(ScalarFormatter(useOffset=False))


def without_hyphen(numbers: str) -> str:
    """The numbers with the minus sign of the ticks, which depends on the settings of matplotlib."""
    from matplotlib.ticker import Formatter

    return str(Formatter.fix_minus(numbers))


def escaped(text: str) -> str:
    """Escape dollar signs, between which matplotlib would set a formula."""
    return text.replace("$", r"\$")
