"""The null distribution of a rank distance."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from .._options import fraction, real_number
from .._text import p_equals
from ..rank_distance import DrankNull
from ._labels import fitted
from ._names import pair_of
from ._style import BLUE, COLUMN, TEXT, Look, axes_of, label_across, round_ticks, title_and_legend, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
        The observed rank distance; the legend gives it with its p-value.
    alpha : float
        The significance level of the critical value.
    labels : pair of str, optional
        The names of the reference and of the ranking whose distance from it was observed.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TypeError
        If `null` is not a DrankNull, `observed` or `alpha` is not a number, or `ax` is not an Axes.
    ValueError
        If `observed` is negative or nan, `alpha` is not between 0 and 1, or `labels` are not two names.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> from ircor.rank_distance import DrankNull, drank
    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> ax = null(DrankNull(AP, seed=1), drank([0.5, 0.75, 0.7], AP))
    >>> for text in ax.get_legend().get_texts():
    ...     print(text.get_text())
    critical value at alpha = 0.05: 0.6508
    observed: 0.6508, p = 0.2099
    """
    if not isinstance(null, DrankNull):
        raise TypeError(f"'null' must be a DrankNull, not a {type(null).__name__}")
    alpha = fraction(alpha, "alpha")
    if observed is not None and not (observed := real_number(observed, "observed")) >= 0:
        raise ValueError(f"'observed' must be a distance, 0 or more, not {observed:g}")
    reference, ranked = ("", "observed") if labels is None else fitted(pair_of(labels), LONGEST_LABELS)
    ax = axes_of(ax, COLUMN, 2.5)
    edge = FARTHEST * draw_histogram(ax, null)
    critical = null.critical_value(alpha)
    dashed: Look = {"color": BLUE, "linestyle": "--", "linewidth": 1.2}
    mark(ax, critical, f"critical value at alpha = {alpha:g}: {number(critical)}", edge, 0.3, dashed)
    if observed is not None:
        p = p_equals(null.pvalue(observed), null.resamples)
        solid: Look = {"color": "black", "linestyle": "-", "linewidth": 1.8}
        mark(ax, observed, f"{ranked}: {number(observed)}, {p}", edge, 0.6, solid)
    samples = "resamples" if null.null == "resample" else "pairs of samples"
    infinite = int(np.isinf(null.distances).sum())
    notes = [f"{infinite} of the {null.resamples} are infinite, and not drawn"] if infinite else []
    label_across(ax, f"rank distance from {reference}, d_rank" if reference else "rank distance, d_rank", notes)
    ax.set_ylabel(wrapped(f"share of the {samples}"), fontsize=TEXT)
    ax.tick_params(labelsize=TEXT)
    round_ticks(ax.xaxis)
    round_ticks(ax.yaxis)
    title_and_legend(ax, f"Rank distance in {null.resamples} {samples}", *ax.get_legend_handles_labels())
    return ax


def number(distance: float) -> str:
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
        ax.annotate(number(distance), (1, height), (-6, 0), fontsize=TEXT, color=look["color"], **where)


def draw_histogram(ax: Axes, null: DrankNull) -> float:
    """Draw the share of the samples in each bin, from 0 to the greatest finite distance, and return where it ends."""
    distances = null.distances[np.isfinite(null.distances)]
    shares = np.full(len(distances), 1 / null.resamples)
    # Where all distances are 0, any end above 0 makes bins of some width.
    ends = (0.0, float(distances.max(initial=0.0)) or 1.0)
    look: Look = {"histtype": "stepfilled", "facecolor": "0.85", "edgecolor": "0.4", "linewidth": 0.8}
    ax.hist(distances, bins=BINS, range=ends, weights=shares, **look)
    return ends[1]
