"""The names of items and of measures, as the caller gives them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from math import ceil
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .._core.errors import InvalidTypeError, InvalidValueError
from .._core.files import MAKER, whole_file
from .._core.text import listed
from .._core.types import Floats
from .._extras import extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

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
        raise InvalidTypeError("ax", f"must be one matplotlib Axes, not a {type(ax).__name__}")
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
    """Break the text into as few lines as possible, of about the same length, so that no word is left alone."""
    best = wrapped_label(text, longest)
    widest_word = max(map(len, text.split()), default=1)
    for shorter in range(longest - 1, widest_word - 1, -1):
        narrower = wrapped_label(text, shorter)
        if narrower.count("\n") > best.count("\n"):
            break
        best = narrower
    return best


def wrapped_label(text: str, longest: int = LONGEST_LABEL) -> str:
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
            raise InvalidValueError(f"the picture has {axes_there}: give --y-label {times}, not {len(y_label)} times")
        height = ax.get_position().height * ax.figure.get_figheight()
        longest = max(LONGEST_LABEL, int(LABEL_PER_INCH * height))
        for axes, label in zip(sides, list(y_label) * len(sides)):
            axes.yaxis.label.set_text(wrapped_label(escaped(label), longest))


def round_ticks(axis: Axis) -> None:
    """Put ticks at multiples of 1, 2 or 5 times a power of ten, without an offset; only on a linear scale."""
    from matplotlib.ticker import MaxNLocator, ScalarFormatter

    if axis.get_scale() == "linear":
        axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(ScalarFormatter(useOffset=False))


def without_hyphen(numbers: str) -> str:
    """The numbers with the minus sign of the ticks, which depends on the settings of matplotlib."""
    from matplotlib.ticker import Formatter

    return str(Formatter.fix_minus(numbers))


def escaped(text: str) -> str:
    """Escape dollar signs, between which matplotlib would set a formula."""
    return text.replace("$", r"\$")


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
        choices = [{text: shortened_label(text, room, head) for text in long} for head in HEADS]
        others = set(texts) - long
        # Of the choices with the most different names, the first.
        best = max(choices, key=lambda choice: len(others.union(choice.values())))
        texts = [best.get(text, text) for text in texts]
    return [escaped(text) for text in texts]


def shortened_label(text: str, room: float, head: float = 0.5) -> str:
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


def spread_apart(wanted: Sequence[float] | Floats, apart: float, low: float, high: float) -> Floats:
    """The positions from `low` to `high`, at least `apart` from each other, that are closest to those wanted.

    The wanted positions are in increasing order.  Closest in least squares: an isotonic regression of what is left of
    each position without the distances before it.
    """
    from scipy.optimize import isotonic_regression

    before = apart * np.arange(len(wanted))
    starts = isotonic_regression(np.asarray(wanted) - before).x
    positions: Floats = np.clip(starts, low, high - before[-1]) + before
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
    at = spread_apart(wanted, apart, 1.0, float(n)).tolist()
    # Labels that had to be spread stand close to each other, so no round place comes between one and its line.
    free = [place for place in round_places(n) if all(abs(place - other) >= apart for other in at)]
    return at + [float(place) for place in free], [*texts, *map(str, free)]


# Fonts as outlines that can be edited (Type 42), which journals ask for, not as drawings (Type 3), which they refuse.
# In SVG, text is text, which can be searched and edited.  The salt makes the identifiers in SVG the same each time.
SETTINGS = {"pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "ircor"}

# Who made the picture, and no date, which would differ from one time to the next.
METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": MAKER},
    "svg": {"Creator": MAKER, "Date": None},
    "pdf": {"Creator": MAKER, "CreationDate": None},
}


def save(ax: Axes | Figure, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Save a plot to a file for print.

    The fonts in PDF are of Type 42, which journals ask for; matplotlib's own default is Type 3, which they refuse.
    Text in SVG stays text.  PNG has 300 dots per inch.  The picture is cut to what is drawn.  The file has no date, so
    the same plot gives the same file.

    Parameters
    ----------
    ax : matplotlib.axes.Axes or matplotlib.figure.Figure
        That of a function of this module; the whole figure is saved.
    path : str or path
        The file; its ending, .png, .svg or .pdf, decides the format.
    force : bool
        Whether a file that ircor did not write is replaced too.

    Raises
    ------
    TypeError
        If `ax` is neither an Axes nor a Figure.
    ValueError
        If the file has another ending.
    FileExistsError
        If the file exists, and ircor did not write it.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> from tempfile import TemporaryDirectory
    >>> from ircor import plots
    >>> ax = plots.slope([0.9, 0.7, 0.5], [0.8, 0.9, 0.4], names="ABC")
    >>> with TemporaryDirectory() as folder:
    ...     plots.save(ax, folder + "/slope.pdf")
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # The figure of Axes in a part of a figure is that part, whose figure is the whole.
    figure = getattr(getattr(ax, "figure", None), "figure", None)
    if not isinstance(figure, Figure):
        raise InvalidTypeError("ax", f"must be a matplotlib Axes or Figure, not a {type(ax).__name__}")
    form = os.path.splitext(path)[1].lower()[1:]
    if form not in METADATA:
        endings = listed(f".{ending}" for ending in METADATA)
        raise InvalidValueError(
            None, f"the name of a picture must end in one of {endings}, and {os.fspath(path)!r} does not"
        )
    with rc_context(SETTINGS), whole_file(path, form, binary=True, force=force) as file:
        figure.savefig(file, format=form, dpi=300, bbox_inches="tight", metadata=METADATA[form])
