"""A value that grows with the number of topics, with its interval, and the topics that a target needs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import Argument, InvalidTypeError, InvalidValueError, must_be, shown
from .._core.names import given_names, index_of, pair_of, several
from .._core.options import fraction, real_number, whole_number
from .._core.text import in_thousands, p_equals
from .._core.types import Floats, Vector
from .._core.vectors import numeric_vector
from ..rank_distance import DrankNull
from . import _style as style
from ._style import BLUE, TEXT, VERMILION, Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def finite(values: Vector, name: str, n: int | None = None, of: str = "values") -> Floats:
    """The numbers of a vector, all of them finite, n of them as another argument has."""
    numbers = numeric_vector(values, name).astype(np.float64)
    if n is not None and len(numbers) != n:
        raise InvalidValueError(name, (f"must have {n} values, as ", Argument(of), f" has, not {len(numbers)}"))
    if not len(numbers):
        raise InvalidValueError(name, "has no values")
    if not np.isfinite(numbers).all():
        raise InvalidValueError(name, "must not have missing or infinite values")
    return numbers


def finite_ends(low: Vector | None, high: Vector | None, n: int, of: str = "values") -> list[Floats]:
    """The low and the high ends of n intervals; nothing if there are none."""
    ends = [finite(end, name, n, of) for end, name in ((low, "low"), (high, "high")) if end is not None]
    if len(ends) == 1:
        raise InvalidValueError(("low", "high"), "must be given together")
    return ends


def pair_of_numbers(pair: Any, name: str) -> list[float]:
    """Two numbers, the smaller first; nothing for None."""
    if pair is None:
        return []
    numbers = [real_number(end, name) for end in several(pair)]
    if len(numbers) != 2 or not numbers[0] <= numbers[1]:
        raise InvalidValueError(name, must_be("two numbers, the smaller first", pair))
    return numbers


def framed(
    ax: Axes,
    across: str,
    down: str,
    title: str,
    drawn: Sequence[tuple[Any, str]],
    notes: Sequence[str] = (),
    numbers: str = "xy",
) -> Axes:
    """Label both axes, put round numbers on some of them, and write the title above the legend of what is drawn."""
    ax.tick_params(labelsize=TEXT)
    for name in numbers:
        style.round_ticks(getattr(ax, f"{name}axis"))
    style.label_across(ax, across, notes)
    ax.set_ylabel(down, fontsize=TEXT)
    handles, texts = map(list, zip(*drawn))
    style.title_and_legend(ax, title, handles, texts)
    return ax


CURVE_HEIGHT = 2.9

# The widest name of the collection in the legend, in inches.
LONGEST_SOURCE = 1.3

# Where the ticks of the numbers of topics may be, as far as the curve reaches.
TICKS = (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)

CURVE_LINE: Look = {"color": "black", "linewidth": 1.4, "zorder": 3}
CURVE_BAND: Look = {"facecolor": "0.85", "linewidth": 0, "zorder": 1}
OWN: Look = {"linestyle": "none", "marker": "o", "markersize": 5, "color": BLUE, "zorder": 4, "clip_on": False}
TARGET_LINE: Look = {"color": VERMILION, "linestyle": "--", "linewidth": 1.1, "zorder": 2}
NEEDED_BAR: Look = {
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
        The name of the collection in the legend.
    band : str
        The name of the interval in the legend.
    label : str
        The name of the values.
    title : str
        The title.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure.

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
        raise InvalidValueError("topics", "must be numbers above 0 that increase")
    y = finite(values, "values", len(x), "topics")
    ends = finite_ends(low, high, len(x), "topics")
    at = np.flatnonzero(x == own)
    if own is not None and not len(at):
        raise InvalidValueError("own", ("must be one of ", Argument("topics"), f", not {shown(own)}"))
    if needed is not None and target is None:
        raise InvalidValueError("needed", ("must come with ", Argument("target")))
    goal = None if target is None else real_number(target, "target")
    range_needed = None if needed is None else three_numbers(needed)
    ax = style.axes_of(ax, style.COLUMN, CURVE_HEIGHT)
    drawn: list[tuple[Any, str]] = [(ax.plot(x, y, **CURVE_LINE)[0], style.escaped(label))]
    if ends:
        drawn.append((ax.fill_between(x, *ends, **CURVE_BAND), band))
    if own is not None:
        value = style.without_hyphen(f"{y[at[0]]:.2f}")
        legend_text = (
            f"{style.fitted([name], LONGEST_SOURCE)[0]}, {in_thousands(whole_number(own, 'own'), 'topic')}: {value}"
        )
        drawn.append((ax.plot(x[at], y[at], **OWN)[0], legend_text))
    if goal is not None:
        drawn.append(target_drawn(ax, goal, range_needed, float(x[0]), float(x[-1])))
    ax.set_xscale("log")
    ax.set_xlim(x[0], x[-1])
    ticks = [tick for tick in TICKS if x[0] <= tick <= x[-1]]
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.set_xticks([], minor=True)
    called = style.escaped(label)
    return framed(ax, "number of topics", called, style.escaped(title) or called, drawn)


def three_numbers(needed: Any) -> list[float]:
    """The topics needed, and the ends of their interval."""
    numbers = [real_number(one, "needed") for one in several(needed)]
    if len(numbers) != 3 or not numbers[1] <= numbers[0] <= numbers[2]:
        raise InvalidValueError("needed", must_be("three numbers, the topics with their low and high end", needed))
    return numbers


def target_drawn(ax: Axes, target: float, needed: Sequence[float] | None, first: float, last: float) -> tuple[Any, str]:
    """Draw the target, and the topics that it needs as far as the curve reaches; return what the legend has of it."""
    line = ax.axhline(target, **TARGET_LINE)
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
        line = ax.errorbar(inside, target, xerr=bar, **(NEEDED_BAR | marker))
    ends = f"{low:,.0f} to {high:,.0f}" if np.isfinite(high) else f"{low:,.0f} or more"
    return line, f"{target:g} needs {in_thousands(round(count), 'topic')} ({ends})"


# The height of a topic with and without its name, and of what is above and below the Axes, in inches.
ROW = style.NAME / 72
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
        The name of the values.
    items : str
        The plural of what they belong to, if it is not topics.
    title : str
        The title.
    limits : pair of float, optional
        The ends of the axis.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure.

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
    numbers = finite(values, "values")
    ends = finite_ends(low, high, len(numbers))
    item_names = names if names is not None else index_of(values) or range(len(numbers))
    texts = style.fitted(given_names(item_names, len(numbers)), style.room_for_names(ax, 0))
    band, span = pair_of_numbers(mean, "mean"), pair_of_numbers(limits, "limits")
    named = len(numbers) <= style.MOST_NAMES and (ax is None or style.size_of(ax)[1] >= ROW * len(numbers))
    width = style.COLUMN + (style.widest(texts) if named else 0.0)
    lines_above = 2 + bool(ends) + bool(band)
    height = AROUND + style.LINE / 72 * lines_above + (ROW if named else SMALL_ROW) * len(numbers)
    ax = style.axes_of(ax, width, max(LEAST_HEIGHT, height))
    order = np.argsort(-numbers, kind="stable")
    down = np.arange(1, len(numbers) + 1)
    drawn: list[tuple[Any, str]] = [(ax.plot(numbers[order], down, **DOT)[0], style.escaped(label))]
    if ends:
        lines = ax.hlines(down, ends[0][order], ends[1][order], **RANGE)
        drawn.append((lines, "from the least to the greatest possible"))
    at = float(numbers.mean())
    drawn.append((ax.axvline(at, **MEAN), f"mean: {style.without_hyphen(f'{at:.2f}')}"))
    if band:
        ends_of_mean = style.without_hyphen(f"{band[0]:.2f} to {band[1]:.2f}")
        drawn.append((ax.axvspan(*band, **BAND), f"interval for the mean: {ends_of_mean}"))
    ax.set_ylim(len(numbers) + 0.8, 0.2)
    if span:
        # Room for a dot at an end.
        edge = 0.02 * (span[1] - span[0])
        ax.set_xlim(span[0] - edge, span[1] + edge)
    ax.set_yticks(down if named else [], labels=[texts[k] for k in order] if named else [], fontsize=TEXT)
    called, items = style.escaped(label), style.escaped(items)
    down_words = items if named else f"{len(numbers)} {items}"
    title = style.escaped(title) or f"{called} of {len(numbers)} {items}"
    return framed(ax, called, down_words, title, drawn, numbers="x")


# More steps than a picture can show are thinned out.
MOST_STEPS = 2000

CHOSEN: Look = {"color": VERMILION, "linestyle": "--", "linewidth": 1.1, "zorder": 2}


def thresholds(
    epsilons: Vector,
    values: Vector,
    *,
    chosen: float | None = None,
    label: str = "value",
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw a value at every threshold of ties, as steps, with a dashed line at the threshold that was chosen.

    Parameters
    ----------
    epsilons, values : numeric vector
        The thresholds, increasing, and the value from each of them on.
    chosen : float, optional
        The threshold that was chosen.
    label : str
        The name of the values.
    title : str
        The title.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = thresholds([0, 0.1, 0.4], [0.5, 0.7, 0.6], chosen=0.1, label="mean acc_eq")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['mean acc_eq', 'chosen: 0.1']
    """
    x = finite(epsilons, "epsilons")
    y = finite(values, "values", len(x), "epsilons")
    if (np.diff(x) <= 0).any():
        raise InvalidValueError("epsilons", "must increase")
    kept = np.unique(np.linspace(0, len(x) - 1, min(len(x), MOST_STEPS)).astype(np.intp))
    ax = style.axes_of(ax, style.COLUMN, CURVE_HEIGHT)
    drawn: list[tuple[Any, str]] = [(ax.step(x[kept], y[kept], where="post", **CURVE_LINE)[0], style.escaped(label))]
    if chosen is not None:
        at = real_number(chosen, "chosen")
        drawn.append((ax.axvline(at, **CHOSEN), f"chosen: {style.without_hyphen(f'{at:.3g}')}"))
    called = style.escaped(label)
    return framed(ax, "threshold of ties", called, style.escaped(title) or f"{called} by the threshold", drawn)


BINS = 30

# An observed distance farther away than this many times the histogram would make a line of it.
FARTHEST = 3

# The widest names of the reference and of the ranking, in inches.
LONGEST_LABELS = 1.5


def null(
    null: DrankNull,
    observed: float | None = None,
    *,
    alpha: float = 0.05,
    labels: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the null distribution of a rank distance, its critical value, and the observed distance.

    The critical value and the observed distance are lines.  One that is infinite, or beyond three times the greatest
    distance of the distribution, is an arrow at the right edge, with its value.  Infinite distances in the distribution
    are not drawn, and the text below the plot counts them.

    Parameters
    ----------
    null : ircor.rank_distance.DrankNull
        The distribution.
    observed : float, optional
        The observed rank distance, of `null.test(y).statistic`; the legend gives it with its p-value.
    alpha : float
        The significance level of the critical value.
    labels : pair of str, optional
        The names of the reference and of the ranking whose distance from it was observed.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure.

    Raises
    ------
    TypeError
        If `null` is not a DrankNull, `observed` or `alpha` is not a number, or `ax` is not an Axes.
    ValueError
        If `observed` is negative or nan, `alpha` is not between 0 and 1, or `labels` are not two names.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> from ircor.rank_distance import DrankNull
    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> distribution = DrankNull(AP, seed=1)
    >>> ax = null(distribution, distribution.test([0.5, 0.75, 0.7]).statistic)
    >>> for text in ax.get_legend().get_texts():
    ...     print(text.get_text())
    critical value at alpha = 0.05: 1.871
    observed: 0.6123, p = 0.2172
    """
    if not isinstance(null, DrankNull):
        raise InvalidTypeError("null", f"must be a DrankNull, not a {type(null).__name__}")
    alpha = fraction(alpha, "alpha")
    if observed is not None and not (observed := real_number(observed, "observed")) >= 0:
        raise InvalidValueError("observed", f"must be a distance, 0 or more, not {observed:g}")
    reference, ranked = ("", "observed") if labels is None else style.fitted(pair_of(labels), LONGEST_LABELS)
    ax = style.axes_of(ax, style.COLUMN, 2.5)
    edge = FARTHEST * draw_histogram(ax, null)
    critical = null.critical_value(alpha)
    dashed: Look = {"color": BLUE, "linestyle": "--", "linewidth": 1.2}
    mark(ax, critical, f"critical value at alpha = {alpha:g}: {distance_text(critical)}", edge, 0.3, dashed)
    if observed is not None:
        p = p_equals(null.pvalue(observed), null.resamples)
        solid: Look = {"color": "black", "linestyle": "-", "linewidth": 1.8}
        mark(ax, observed, f"{ranked}: {distance_text(observed)}, {p}", edge, 0.6, solid)
    samples = "resamples" if null.null == "resample" else "pairs of samples"
    infinite = int(np.isinf(null.distances).sum())
    notes = [f"{infinite} of the {null.resamples} are infinite, and not drawn"] if infinite else []
    across = f"rank distance from {reference}, d_rank" if reference else "rank distance, d_rank"
    title = f"Rank distance in {null.resamples} {samples}"
    legend = list(zip(*ax.get_legend_handles_labels()))
    return framed(ax, across, style.wrapped_label(f"share of the {samples}"), title, legend, notes)


def distance_text(distance: float) -> str:
    return f"{distance:.4g}" if isfinite(distance) else "infinite"


def mark(ax: Axes, distance: float, label: str, edge: float, height: float, look: Look) -> None:
    """Draw a line at this distance; if it is beyond `edge`, an arrow at the right edge, at this share of the height."""
    if distance <= edge:
        ax.axvline(distance, label=label, **look)
    else:
        arrow: Look = {"marker": ">", "markersize": 6, "color": look["color"], "linestyle": "none", "clip_on": False}
        inside = look["color"] if look["linestyle"] == "-" else "white"
        ax.plot([1], [height], label=label, transform=ax.transAxes, markerfacecolor=inside, **arrow)
        where: Look = {"xycoords": "axes fraction", "textcoords": "offset points", "ha": "right", "va": "center"}
        ax.annotate(distance_text(distance), (1, height), (-6, 0), fontsize=TEXT, color=look["color"], **where)


def draw_histogram(ax: Axes, null: DrankNull) -> float:
    """Draw the share of the samples in each bin, from 0 to the greatest finite distance, and return where it ends."""
    distances = null.distances[np.isfinite(null.distances)]
    shares = np.full(len(distances), 1 / null.resamples)
    # Where all distances are 0, any end above 0 makes bins of some width.
    ends = (0.0, float(distances.max(initial=0.0)) or 1.0)
    look: Look = {"histtype": "stepfilled", "facecolor": "0.85", "edgecolor": "0.4", "linewidth": 0.8}
    ax.hist(distances, bins=BINS, range=ends, weights=shares, **look)
    return ends[1]
