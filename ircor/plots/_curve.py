"""A value that grows with the number of topics, with its interval, and the topics that a target needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._options import real_number, shown, whole_number
from .._text import in_thousands
from .._types import Vector
from ._labels import fitted
from ._names import several
from ._ranges import finite
from ._style import (
    BLUE,
    COLUMN,
    TEXT,
    VERMILION,
    Look,
    axes_of,
    escaped,
    label_across,
    round_ticks,
    title_and_legend,
    without_hyphen,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 2.9

# The widest name of the collection in the legend, in inches.
LONGEST_LABEL = 1.3

# Where the ticks of the numbers of topics may be, as far as the curve reaches.
TICKS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)

LINE: Look = {"color": "black", "linewidth": 1.4, "zorder": 3}
BAND: Look = {"facecolor": "0.85", "linewidth": 0, "zorder": 1}
OWN: Look = {"linestyle": "none", "marker": "o", "markersize": 5, "color": BLUE, "zorder": 4, "clip_on": False}
TARGET: Look = {"color": VERMILION, "linestyle": "--", "linewidth": 1.1, "zorder": 2}
NEEDED: Look = {
    "linestyle": "none",
    "marker": "D",
    "markersize": 5,
    "markerfacecolor": "white",
    "markeredgecolor": VERMILION,
    "ecolor": VERMILION,
    "elinewidth": 1.4,
    "capsize": 3,
    "zorder": 5,
}


def curve(
    topics: Vector,
    values: Vector,
    low: Vector | None = None,
    high: Vector | None = None,
    *,
    own: int | None = None,
    target: float | None = None,
    needed: Sequence[float] | None = None,
    name: str = "this collection",
    band: str = "its interval",
    label: str = "expected coefficient",
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw a value against the number of topics, on a logarithmic axis, with its interval as a band.

    Parameters
    ----------
    topics, values : numeric vector
        The numbers of topics, increasing, and the value with each of them.
    low, high : numeric vector, optional
        The ends of the interval of each value.
    own : int, optional
        The number of topics of the collection, one of `topics`: a filled circle.
    target : float, optional
        The value to reach: a dashed line.
    needed : three numbers, optional
        The topics that the target needs, inf if none are enough, with the ends of their interval: a diamond on the
        dashed line, with a bar.  What is beyond the first and the last number of topics is not drawn.
    name : str
        What the legend calls the collection.
    band : str
        What the legend calls the interval.
    label : str
        What the values are.
    title : str
        The title.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TypeError, ValueError
        If a vector is not numeric, has missing values, or has another length than `topics`; if `topics` do not
        increase; if only one of `low` and `high` is given; if `own` is not one of `topics`; or if `needed` is given
        without `target` or is not three numbers.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = curve([25, 50, 100], [0.8, 0.86, 0.9], own=50, target=0.88, needed=(70, 50, 95), label="tau")
    >>> for text in ax.get_legend().get_texts():
    ...     print(text.get_text())
    tau
    this collection, 50 topics: 0.86
    0.88 needs 70 topics (50 to 95)
    """
    x = finite(topics, "topics")
    if not (np.diff(x) > 0).all() or x[0] <= 0:
        raise ValueError("'topics' must be numbers above 0 that increase")
    y = finite(values, "values", len(x), "topics")
    ends = [finite(end, name, len(x), "topics") for end, name in ((low, "low"), (high, "high")) if end is not None]
    if len(ends) == 1:
        raise ValueError("'low' and 'high' must be given together")
    at = np.flatnonzero(x == own)
    if own is not None and not len(at):
        raise ValueError(f"'own' must be one of 'topics', not {shown(own)}")
    if needed is not None and target is None:
        raise ValueError("'needed' must come with 'target'")
    goal = None if target is None else real_number(target, "target")
    range_needed = None if needed is None else three_numbers(needed)
    ax = axes_of(ax, COLUMN, HEIGHT)
    drawn: list[tuple[Any, str]] = [(ax.plot(x, y, **LINE)[0], escaped(label))]
    if ends:
        drawn.append((ax.fill_between(x, *ends, **BAND), band))
    if own is not None:
        value = without_hyphen(f"{y[at[0]]:.2f}")
        said = f"{fitted([name], LONGEST_LABEL)[0]}, {in_thousands(whole_number(own, 'own'), 'topic')}: {value}"
        drawn.append((ax.plot(x[at], y[at], **OWN)[0], said))
    if goal is not None:
        drawn.append(target_drawn(ax, goal, range_needed, float(x[0]), float(x[-1])))
    ax.set_xscale("log")
    ax.set_xlim(x[0], x[-1])
    ticks = [tick for tick in TICKS if x[0] <= tick <= x[-1]]
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.set_xticks([], minor=True)
    round_ticks(ax.yaxis)
    ax.tick_params(labelsize=TEXT)
    label_across(ax, "number of topics")
    ax.set_ylabel(escaped(label), fontsize=TEXT)
    handles, texts = map(list, zip(*drawn))
    title_and_legend(ax, escaped(title) or escaped(label), handles, texts)
    return ax


def three_numbers(needed: Any) -> list[float]:
    """The topics needed, and the ends of their interval."""
    found = [real_number(one, "needed") for one in several(needed)]
    if len(found) != 3 or not found[1] <= found[0] <= found[2]:
        raise ValueError(f"'needed' must be three numbers, the topics with their low and high end, not {shown(needed)}")
    return found


def target_drawn(ax: Axes, target: float, needed: Sequence[float] | None, first: float, last: float) -> tuple[Any, str]:
    """Draw the target, and the topics that it needs as far as the curve reaches; return what the legend has of it."""
    line = ax.axhline(target, **TARGET)
    if needed is None:
        return line, f"{target:g}"
    count, low, high = needed
    if np.isinf(count):
        return line, f"{target:g} is not reached"
    if low <= last and high >= first:
        inside = min(max(count, first), last)
        # A diamond at an end of the axis would stand for another number.
        marker: Look = {} if first <= count <= last else {"marker": "none"}
        bar = [[inside - max(low, first)], [min(high, last) - inside]]
        line = ax.errorbar(inside, target, xerr=bar, **(NEEDED | marker))
    ends = f"{low:,.0f} to {high:,.0f}" if np.isfinite(high) else f"{low:,.0f} or more"
    return line, f"{target:g} needs {in_thousands(round(count), 'topic')} ({ends})"
