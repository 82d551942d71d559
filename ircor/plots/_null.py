"""The null distribution of a rank distance."""

from __future__ import annotations

from math import isfinite, nan
from typing import TYPE_CHECKING

import numpy as np

from .._options import fraction, real_number
from .._text import p_equals
from ..rank_distance import DrankNull
from ._style import BLUE, COLUMN, TEXT, Look, axes_of, title_and_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BINS = 30


def null(null: DrankNull, observed: float | None = None, *, alpha: float = 0.05, ax: Axes | None = None) -> Axes:
    """Draw the null distribution of a rank distance, its critical value, and the observed distance.

    Parameters
    ----------
    null : ircor.rank_distance.DrankNull
        The distribution.
    observed : float, optional
        The observed rank distance; the legend gives it with its p-value.
    alpha : float
        The significance level of the critical value.
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
        If `observed` is negative or nan, or `alpha` is not between 0 and 1.

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
    ax = axes_of(ax, COLUMN, 2.5)
    draw_histogram(ax, null)
    critical = null.critical_value(alpha)
    text = f"critical value at alpha = {alpha:g}: {critical:.4g}"
    # A line at infinity has its entry in the legend only.
    ax.axvline(critical if isfinite(critical) else nan, color=BLUE, linestyle="--", linewidth=1.2, label=text)
    if observed is not None:
        text = f"observed: {observed:.4g}, {p_equals(null.pvalue(observed), null.resamples)}"
        ax.axvline(observed if isfinite(observed) else nan, color="black", linestyle="-", linewidth=1.8, label=text)
    ax.set_xlabel("rank distance, d_rank", fontsize=TEXT)
    samples = "resamples" if null.null == "resample" else "pairs of samples"
    ax.set_ylabel(f"share of the {samples}", fontsize=TEXT)
    ax.tick_params(labelsize=TEXT)
    title_and_legend(ax, f"Rank distance in {null.resamples} {samples}", *ax.get_legend_handles_labels())
    return ax


def draw_histogram(ax: Axes, null: DrankNull) -> None:
    """Draw the share of the samples in each bin, from 0 to the greatest finite distance."""
    distances = null.distances[np.isfinite(null.distances)]
    shares = np.full(len(distances), 1 / null.resamples)
    # Where all distances are 0, any end above 0 makes bins of some width.
    ends = (0.0, float(distances.max(initial=0.0)) or 1.0)
    look: Look = {"histtype": "stepfilled", "facecolor": "0.85", "edgecolor": "0.4", "linewidth": 0.8}
    ax.hist(distances, bins=BINS, range=ends, weights=shares, **look)
