"""A value for each topic, with the range that it can be in."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._options import real_number, shown
from .._types import Vector
from .._vectors import numeric_vector
from ._labels import fitted, room_for_names, size_of, widest
from ._names import given_names, index_of, several
from ._style import (
    BLUE,
    COLUMN,
    LINE,
    MOST_NAMES,
    NAME,
    TEXT,
    Look,
    axes_of,
    escaped,
    label_across,
    round_ticks,
    title_and_legend,
    without_hyphen,
)

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    Array = npt.NDArray[np.float64]

# The height of a topic with and without its name, and of what is above and below the Axes, in inches.
ROW = NAME / 72
SMALL_ROW = 0.03
AROUND = 0.8
LEAST_HEIGHT = 1.8

DOT: Look = {"linestyle": "none", "marker": "o", "markersize": 3, "color": "black", "zorder": 3}
RANGE: Look = {"color": "0.55", "linewidth": 1.4, "zorder": 2}
MEAN: Look = {"color": BLUE, "linestyle": "--", "linewidth": 1.2, "zorder": 1.5}
BAND: Look = {"facecolor": "0.9", "linewidth": 0, "zorder": 1}


def ranges(
    values: Vector,
    low: Vector | None = None,
    high: Vector | None = None,
    *,
    names: Iterable[Hashable] | None = None,
    mean: Sequence[float] | None = None,
    label: str = "value",
    items: str = "topics",
    title: str = "",
    limits: Sequence[float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a dot for the value of each topic, the greatest on top, with a line for the range that it can be in.

    A dashed line is at the mean of the values.  With more than 60 topics, or where the Axes have no room for them, the
    topics are not named.

    Parameters
    ----------
    values : numeric vector
        A value for each topic, without missing values.
    low, high : numeric vector, optional
        The ends of the range of each value.
    names : iterable, optional
        The names of the topics.  By default the index of a pandas Series, or the positions from 0.
    mean : pair of float, optional
        The ends of an interval for the mean, drawn as a band.
    label : str
        What the values are.
    items : str
        The plural of what they belong to, if it is not topics.
    title : str
        The title.
    limits : pair of float, optional
        The ends of the axis.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TypeError, ValueError
        If a vector is not numeric, has missing values, or has another length than `values`; if only one of `low` and
        `high` is given; if `names`, `mean` or `limits` has the wrong length; or if `ax` is not an Axes.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = ranges([0.4, 0.8], [0.3, 0.7], [0.6, 0.9], names="AB", label="RBO")
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['B', 'A']
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['RBO', 'from the least to the greatest possible', 'mean: 0.60']
    """
    found = finite(values, "values")
    ends = [finite(end, name, len(found)) for end, name in ((low, "low"), (high, "high")) if end is not None]
    if len(ends) == 1:
        raise ValueError("'low' and 'high' must be given together")
    known = names if names is not None else index_of(values) or range(len(found))
    texts = fitted(given_names(known, len(found)), room_for_names(ax, 0))
    band, span = pair_of_numbers(mean, "mean"), pair_of_numbers(limits, "limits")
    named = len(found) <= MOST_NAMES and (ax is None or size_of(ax)[1] >= ROW * len(found))
    width = COLUMN + (widest(texts) if named else 0.0)
    lines_above = 2 + bool(ends) + bool(band)
    height = AROUND + LINE / 72 * lines_above + (ROW if named else SMALL_ROW) * len(found)
    ax = axes_of(ax, width, max(LEAST_HEIGHT, height))
    order = np.argsort(-found, kind="stable")
    down = np.arange(1, len(found) + 1)
    drawn: list[tuple[Any, str]] = [(ax.plot(found[order], down, **DOT)[0], escaped(label))]
    if ends:
        lines = ax.hlines(down, ends[0][order], ends[1][order], **RANGE)
        drawn.append((lines, "from the least to the greatest possible"))
    at = float(found.mean())
    drawn.append((ax.axvline(at, **MEAN), f"mean: {without_hyphen(f'{at:.2f}')}"))
    if band:
        said = without_hyphen(f"{band[0]:.2f} to {band[1]:.2f}")
        drawn.append((ax.axvspan(*band, **BAND), f"interval for the mean: {said}"))
    ax.set_ylim(len(found) + 0.8, 0.2)
    if span:
        # Room for a dot at an end.
        edge = 0.02 * (span[1] - span[0])
        ax.set_xlim(span[0] - edge, span[1] + edge)
    ax.set_yticks(down if named else [], labels=[texts[k] for k in order] if named else [], fontsize=TEXT)
    items = escaped(items)
    ax.set_ylabel(f"{items}" if named else f"{len(found)} {items}", fontsize=TEXT)
    ax.tick_params(labelsize=TEXT)
    round_ticks(ax.xaxis)
    label_across(ax, escaped(label))
    handles, texts = map(list, zip(*drawn))
    title_and_legend(ax, escaped(title) or f"{escaped(label)} of {len(found)} {items}", handles, texts)
    return ax


def finite(values: Vector, name: str, n: int | None = None, of: str = "values") -> Array:
    """The numbers of a vector, all of them finite, n of them as another argument has."""
    found = numeric_vector(values, name).astype(np.float64)
    if n is not None and len(found) != n:
        raise ValueError(f"'{name}' must have {n} values, as '{of}' has, not {len(found)}")
    if not len(found):
        raise ValueError(f"'{name}' has no values")
    if not np.isfinite(found).all():
        raise ValueError(f"'{name}' must not have missing or infinite values")
    return found


def pair_of_numbers(pair: Any, name: str) -> list[float]:
    """Two numbers, the smaller first; nothing for None."""
    if pair is None:
        return []
    found = [real_number(end, name) for end in several(pair)]
    if len(found) != 2 or not found[0] <= found[1]:
        raise ValueError(f"'{name}' must be two numbers, the smaller first, not {shown(pair)}")
    return found
