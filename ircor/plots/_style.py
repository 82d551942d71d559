"""What the plots have in common: sizes, colours, the figure, the title, the legend, and how names are written."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Look: TypeAlias = "dict[str, Any]"
"""Keyword arguments of a matplotlib artist."""

# The width of a journal's column, in inches.
COLUMN = 3.4

# Font sizes and the height of a line of the legend, in points.
TEXT = 7
TITLE = 8
LINE = 10

# The most characters in a line of the title, in a line of an axis label, and in the name of an item.
LONGEST_TITLE = 44
LONGEST_LABEL = 30
LONGEST_NAME = 12

# The most items whose names fit along an axis.
MOST_NAMES_DOWN = 60
MOST_NAMES_ACROSS = 25

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
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes

    if ax is None:
        return plt.subplots(figsize=(width, height), layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise TypeError(f"'ax' must be one matplotlib Axes, not a {type(ax).__name__}")
    return ax


def title_and_legend(ax: Axes, title: str, handles: list[Any], texts: list[str], columns: int = 1) -> None:
    """Place the legend above the Axes, where it covers no data, and the title above the legend."""
    rows = ceil(len(texts) / columns)
    options = {"ncol": columns, "fontsize": TEXT, "frameon": False, "handlelength": 3, "borderpad": 0.2}
    ax.legend(handles, texts, loc="lower center", bbox_to_anchor=(0.5, 1), borderaxespad=0.1, **options)
    ax.set_title(wrapped(title), fontsize=TITLE, pad=LINE * rows + 6)


def wrapped(text: str, longest: int = LONGEST_TITLE) -> str:
    """Break the text into lines of at most `longest` characters."""
    return fill(text, longest)


def some_places(n: int) -> list[int]:
    """Six places from 1 to n, for an axis that has no room for all."""
    return [int(place) for place in np.linspace(1, n, 6).round()]


def name_texts(names: Iterable[Any]) -> list[str]:
    """The names of items as the plots write them."""
    return [escaped(shortened(str(name))) for name in names]


def shortened(text: str, longest: int = LONGEST_NAME) -> str:
    """Replace the middle of a long name by an ellipsis: the names of one group's runs often begin alike."""
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]}…{text[1 - half :]}"


def escaped(text: str) -> str:
    """Escape dollar signs, between which matplotlib would set a formula."""
    return text.replace("$", r"\$")
