"""Pictures of rankings and of what the coefficients say of them, with matplotlib.

Each function draws on the Axes that it is given, or on a figure of its own as wide as a journal's column, and returns
the Axes.  Nothing is told by hue alone: markers, line styles, widths, hatches and words say it too, so that it can be
read in grey.  matplotlib is loaded by the first picture, and its settings and its backend stay as they are.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from math import ceil
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from ._check import Vector, number_table, numeric_vector, rankings, refuse_ties
from ._dominance import Ranking
from ._scores import Scores
from .rank_distance import DrankNull
from .rbase import r_round
from .tables import METHODS

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    Array = npt.NDArray[Any]

    Look = dict[str, Any]

# A journal's column, in inches, and what can be read in it, in points.
COLUMN = 3.4
TEXT = 7
TITLE = 8
LINE = 10
LONGEST_TITLE = 44
LONGEST_LABEL = 30
LONGEST_NAME = 12

# Above these there is no room for the names of all items along an axis.
MOST_NAMES_DOWN = 60
MOST_NAMES_ACROSS = 25

# Okabe and Ito's colours, which the colour-blind can tell apart; line styles and markers for those who see none.
LOOKS: dict[str, Look] = {
    "tau_a": {"color": "#0072B2", "linestyle": "-", "marker": "o"},
    "tau_b": {"color": "#D55E00", "linestyle": "--", "marker": "s"},
    "tauAP_a": {"color": "#009E73", "linestyle": "-.", "marker": "^"},
    "tauAP_b": {"color": "#000000", "linestyle": ":", "marker": "D"},
}

# Costs are sums of two fractions: what is equal on paper differs in the last digits.
COST_DIGITS = 12

# Two measures share an axis unless that would press one of them into less than this share of it.
LEAST_SHARE = 1 / 5


# Two rankings


def costly_swaps(x: Vector, y: Vector, decreasing: bool = True, count: int = 3) -> list[tuple[int, int, float]]:
    """The pairs of items that x and y order in opposite ways, those first that cost AP correlation the most.

    Walk down y: item i has other items above it, and each of them that x puts below it takes its part from the share
    that AP correlation counts there, 1 over the number of items above i.  Walk down x, and the same goes for the other
    item of the pair.  The cost is the sum of the two, 1 / (p_y(i) - 1) + 1 / (p_x(j) - 1): 2 at the most, where the
    first two items are swapped.  Tied items share the place of the first of them, as in `tauAP_b`, and do not count as
    swapped.  Without ties, the costs of all swapped pairs sum to (n - 1) (1 - tauAP_b).

    It looks at every pair of items, in O(n^2): use it for a few thousand items at the most.

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order; both may have ties.
    decreasing : bool
        Whether the item with the greatest value stands on top: True for scores, False for ranks.
    count : int
        How many pairs, if there are as many.

    Returns
    -------
    list of tuple
        (i, j, cost), from the greatest cost down: x puts the item at position i above the one at position j, and y the
        other way round.  Positions count from 0.  Equal costs stand in order of i and j.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, `decreasing` not a flag, or `count` not a whole number.
    ValueError
        If x and y differ in length, have fewer than two items or a missing value, or `count` is negative.

    See Also
    --------
    slope : draws them.

    Examples
    --------
    >>> costly_swaps([1, 2, 3, 4], [2, 1, 4, 3], decreasing=False)
    [(0, 1, 2.0), (2, 3, 0.6666666666666666)]
    """
    return swaps_of(*placed(x, y, decreasing), whole(count, "count"))


def slope(
    x: Vector,
    y: Vector,
    *,
    names: Iterable[Any] | None = None,
    labels: Sequence[str] = ("x", "y"),
    decreasing: bool = True,
    costly: int = 3,
    ax: Axes | None = None,
) -> Axes:
    """Two rankings of the same items side by side, each item's two places joined by a line.

    The best stands on top.  Tied items share one hollow square at their mean place, with a bracket around their names.
    Of the pairs that cross, those that cost AP correlation the most (see `costly_swaps`) have bold lines, and the
    number at the crossing leads to their names and their cost, below.

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order, up to a few thousand; both may have ties.
    names : iterable, optional
        What the items are called.  By default the index of a pandas Series, or else "item 0" and so on.  Names of
        more than 12 characters lose their middle; of more than 60 items, only the costly pairs are named, below.
    labels : pair of str
        What the two rankings are called.
    decreasing : bool
        Whether the item with the greatest value stands on top: True for scores, False for ranks.
    costly : int
        How many of the costly pairs to mark.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a figure of its own.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, `decreasing` not a flag, `costly` not a whole number, or `ax` no Axes.
    ValueError
        If x and y differ in length, have fewer than two items or a missing value, are Series whose indices differ
        (items are matched by position, so one of them would get wrong names), or `names` or `labels` do not fit.

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
    sides = placed(x, y, decreasing)
    swaps = swaps_of(*sides, whole(costly, "costly"))
    n = sides[0].n
    called = shown(item_names(x, y, names, n))
    first, second = shown(pair_of(labels), None)
    notes = [f"{k}: {called[i]}, {called[j]} (cost {cost:.2f})" for k, (i, j, cost) in enumerate(swaps, 1)]
    if swaps:
        notes.insert(0, "costliest swaps for AP correlation:")
    if any(side.tied_pairs for side in sides):
        notes.append("hollow square: tied, at the mean place")
    lines = max(1.4, 0.14 * n) if n <= MOST_NAMES_DOWN else 5
    ax = axes_of(ax, COLUMN, lines + 0.7 + 0.12 * len(notes))
    marked = {item for i, j, _ in swaps for item in (i, j)}
    left, right = map(mean_places, sides)
    for item in sorted(range(n), key=lambda item: item in marked):
        look: Look = {"color": "black", "linewidth": 1.8} if item in marked else {"color": "0.6", "linewidth": 0.8}
        ax.plot([0, 1], [left[item], right[item]], zorder=3 if item in marked else 2, **look)
    for end, side, away in ((0, sides[0], -1), (1, sides[1], 1)):
        mark_places(ax, end, side, away)
    for text, where in crossings(swaps, left, right):
        circle: Look = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "black"}
        ax.text(*where, text, fontsize=TEXT - 1, ha="center", va="center", zorder=6, bbox=circle | {"linewidth": 0.7})
    ax.set_xlim(-0.12, 1.12)
    ax.set_ylim(n + 0.6, 0.4)
    opposite = ax.secondary_yaxis("right")
    ax.spines[:].set_visible(False)
    opposite.spines[:].set_visible(False)
    for axis, side, pattern in ((ax, sides[0], "{name}  {place:g}"), (opposite, sides[1], "{place:g}  {name}")):
        if n > MOST_NAMES_DOWN:
            axis.set_yticks(some_places(n))
            axis.tick_params(axis="y", labelsize=TEXT)
            continue
        places = mean_places(side)
        order = np.argsort(places, kind="stable")
        texts = [pattern.format(name=called[item], place=places[item]) for item in order]
        axis.set_yticks(range(1, n + 1), labels=texts, fontsize=TEXT)
        axis.tick_params(axis="y", length=0)
    ax.set_ylabel(wrapped(f"place by {first}, best on top", LONGEST_LABEL), fontsize=TEXT)
    opposite.set_ylabel(wrapped(f"place by {second}, best on top", LONGEST_LABEL), fontsize=TEXT)
    ax.set_xticks([0, 1], labels=[first, second], fontsize=TEXT)
    ax.set_xlabel("\n".join(notes), fontsize=TEXT)
    ax.set_title(wrapped(f"Places of {n} items by {first} and by {second}"), fontsize=TITLE)
    return ax


def placed(x: Vector, y: Vector, decreasing: object) -> tuple[Ranking, Ranking]:
    """The two rankings after the coefficients' checks, and without missing values, which have no place."""
    ranked = rankings(x, y, "", decreasing)
    for name, ranking in zip("xy", ranked):
        if ranking.missing:
            raise ValueError(f"'{name}' must not have missing values, which have no place: it has {ranking.missing}")
    return ranked


def swaps_of(x: Ranking, y: Ranking, count: int) -> list[tuple[int, int, float]]:
    above_x, above_y = x.places(), y.places()
    found: list[tuple[float, int, int, float]] = []
    for i in range(x.n):
        swapped = np.flatnonzero((above_x > above_x[i]) & (above_y < above_y[i]))
        costs = 1 / above_y[i] + 1 / above_x[swapped] if swapped.size else np.empty(0)
        keys = -np.round(costs, COST_DIGITS)
        for k in np.argsort(keys, kind="stable")[:count]:
            found.append((float(keys[k]), i, int(swapped[k]), float(costs[k])))
    return [(i, j, cost) for _, i, j, cost in sorted(found)[:count]]


def mean_places(ranking: Ranking) -> npt.NDArray[np.float64]:
    """The place of each item, from 1; tied items have the mean of the places that they take up."""
    return ranking.places() + (ranking.group_sizes() + 1) / 2


def mark_places(ax: Axes, end: float, ranking: Ranking, away: int) -> None:
    """One marker for each place, and a bracket on the side of the names for those that items share."""
    places, sizes = ranking.places(), ranking.group_sizes()
    groups = sorted(set(zip(places.tolist(), sizes.tolist())))
    alone = [start + 1 for start, size in groups if size == 1]
    size = 3 if ranking.n <= MOST_NAMES_DOWN else 1
    ax.plot([end] * len(alone), alone, color="black", marker="o", markersize=size, linestyle="none", zorder=4)
    shared = [(start, size) for start, size in groups if size > 1]
    square: Look = {"marker": "s", "markersize": 5, "markerfacecolor": "white", "linestyle": "none", "zorder": 5}
    ax.plot([end] * len(shared), [start + (size + 1) / 2 for start, size in shared], color="black", **square)
    for start, size in shared:
        near, far, top, bottom = end + 0.06 * away, end + 0.1 * away, start + 0.75, start + size + 0.25
        ax.plot([near, far, far, near], [top, top, bottom, bottom], color="black", linewidth=0.8)


def crossings(swaps: list[tuple[int, int, float]], left: Array, right: Array) -> list[tuple[str, tuple[float, float]]]:
    """Where the lines of each pair cross, with its number; numbers too close to tell apart stand together."""
    apart = 0.04 * left.size + 0.3
    found: list[tuple[list[str], tuple[float, float]]] = []
    for k, (i, j, _) in enumerate(swaps, 1):
        at_left, at_right = left[j] - left[i], right[i] - right[j]
        across = float(at_left / (at_left + at_right))
        down = float(left[i] + across * (right[i] - left[i]))
        for texts, (other_across, other_down) in found:
            if abs(across - other_across) < 0.1 and abs(down - other_down) < apart:
                texts.append(str(k))
                break
        else:
            found.append(([str(k)], (across, down)))
    return [(", ".join(texts), where) for texts, where in found]


# Tables of coefficients


def table(correlations: Any, *, method: str = "", ax: Axes | None = None) -> Axes:
    """A table of coefficients as a heat map, with the values in the cells.

    The colours go from -1, dark, to 1, light, in grey too.  Undefined coefficients, nan, have hatched cells.

    Parameters
    ----------
    correlations : 2-D array or DataFrame
        Coefficients from -1 to 1, as `ircor.cor` returns them: at (i, j), that with x = row i and y = column j.
        Names of more than 12 characters lose their middle.
    method : str
        What the coefficient is called, such as "tau_b".
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a figure of its own, wider than a journal's column where the values need it.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TypeError
        If the table is not numeric, or `ax` no Axes.
    ValueError
        If it does not have two dimensions, has no cells, or has values that are not from -1 to 1.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = table([[1, 0.25], [0.25, 1]], method="tau_b")
    >>> [text.get_text() for text in ax.texts]
    ['1.00', '0.25', '0.25', '1.00']
    """
    from matplotlib.patches import Rectangle

    raw, names = number_table(correlations, "correlations")
    if raw.ndim != 2 or raw.size == 0:
        raise ValueError(f"'correlations' must be a table with rows and columns, not of the shape {raw.shape}")
    values = raw.astype(np.float64)
    # Other packages' coefficients may leave the bounds by rounding.
    if (wrong := np.abs(values) > 1 + 1e-9).any():
        raise ValueError(f"'correlations' must be from -1 to 1, and not {values[wrong][0]:g}")
    m, n = values.shape
    rows, columns = (shown(part) for part in names)
    upright = n > 4 or max(map(len, columns)) > 5
    below = 0.055 * max(map(len, columns)) if upright else 0.0
    aside = 0.055 * max(map(len, rows))
    ax = axes_of(ax, max(COLUMN, 1.1 + aside + 0.31 * n), max(1.8, 0.24 * m + 1.0 + below))
    image = ax.imshow(np.ma.masked_invalid(values), cmap="cividis", vmin=-1, vmax=1, aspect="auto")
    for (i, j), value in np.ndenumerate(values):
        if np.isnan(value):
            hatched: Look = {"hatch": "/////", "facecolor": "white", "edgecolor": "0.4", "linewidth": 0.6}
            ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, **hatched))
        else:
            ink = "white" if luminance(*image.cmap(image.norm(value))[:3]) < BLACK_ON else "black"
            ax.text(j, i, f"{value:.2f}".replace("-0.00", "0.00"), ha="center", va="center", fontsize=TEXT, color=ink)
    ax.set_xticks(range(n), labels=columns, fontsize=TEXT, rotation=90 if upright else 0)
    ax.set_yticks(range(m), labels=rows, fontsize=TEXT)
    ax.set_ylabel("ranking taken as x", fontsize=TEXT)
    ax.set_xlabel("ranking taken as y" + ("\nhatched: undefined" if np.isnan(values).any() else ""), fontsize=TEXT)
    (called,) = shown([method or "coefficient"], None)
    ax.set_title(wrapped(f"{called} of each pair of rankings"), fontsize=TITLE)
    bar = ax.figure.colorbar(image, ax=ax)
    bar.set_label(called, fontsize=TEXT)
    bar.set_ticks([-1, -0.5, 0, 0.5, 1])
    bar.ax.tick_params(labelsize=TEXT)
    return ax


# On anything lighter than this, black has more contrast than white.
BLACK_ON = 0.179


def luminance(red: float, green: float, blue: float) -> float:
    """The relative luminance of an sRGB colour, from 0 to 1."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# Rank distance


def null(null: DrankNull, observed: float | None = None, *, alpha: float = 0.05, ax: Axes | None = None) -> Axes:
    """The bootstrap distribution of a rank distance, with its critical value and the distance observed.

    Parameters
    ----------
    null : ircor.rank_distance.DrankNull
        The distribution.
    observed : float, optional
        The rank distance to judge; its p-value is written beside it.
    alpha : float
        The significance level whose critical value is drawn.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a figure of its own.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TypeError
        If `null` is no DrankNull, `observed` no number, or `ax` no Axes.
    ValueError
        If `observed` is negative, or `alpha` not between 0 and 1.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> from ircor.rank_distance import DrankNull, drank
    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> ax = null(DrankNull(AP, seed=1), drank([0.5, 0.75, 0.7], AP))
    >>> for text in ax.get_legend().get_texts():
    ...     print(text.get_text())
    critical value at alpha = 0.05: 0.6508
    observed: 0.6508, p = 0.2098
    """
    if not isinstance(null, DrankNull):
        raise TypeError(f"'null' must be a DrankNull, not a {type(null).__name__}")
    critical = null.critical_value(alpha)
    pvalue = None if observed is None else null.pvalue(observed)
    ax = axes_of(ax, COLUMN, 2.5)
    shares = np.full(null.resamples, 1 / null.resamples)
    ends = (0.0, float(null.distances[-1]) or 1.0)
    look: Look = {"histtype": "stepfilled", "facecolor": "0.85", "edgecolor": "0.4", "linewidth": 0.8}
    ax.hist(null.distances, bins=30, range=ends, weights=shares, **look)
    said = f"critical value at alpha = {alpha:g}: {critical:.4g}"
    ax.axvline(critical, color="#0072B2", linestyle="--", linewidth=1.2, label=said)
    if observed is not None and pvalue is not None:
        p = f"p = {pvalue:.4g}" if pvalue > 0 else f"p < {1 / null.resamples:.2g}"
        ax.axvline(observed, color="black", linestyle="-", linewidth=1.8, label=f"observed: {observed:.4g}, {p}")
    ax.set_xlabel("rank distance, d_rank", fontsize=TEXT)
    ax.set_ylabel("share of the resamples", fontsize=TEXT)
    ax.tick_params(labelsize=TEXT)
    title_and_legend(ax, f"Rank distance in {null.resamples} resamples", *ax.get_legend_handles_labels())
    return ax


# Two measures of the same systems


def moves(
    X: Any,
    Y: Any,
    *,
    names: Iterable[Any] | None = None,
    labels: Sequence[str] = ("X", "Y"),
    items: str = "systems",
    ax: Axes | None = None,
) -> Axes:
    """Two measures of the same systems, in the order of the first, with the systems marked whose rank differs.

    The values are drawn as they are.  Where the two measures would not fit on one axis, because one of them would take
    up less than a fifth of it, the second one has an axis of its own on the right, and both axes say so.

    Parameters
    ----------
    X, Y : numeric vector or 2-D array or DataFrame
        One value for each system, the greater the better, or scores, topics by systems, of which the means are drawn.
        Where both have names (the index of a Series, the columns of a DataFrame), they are matched by name, and else
        by position.
    names : iterable, optional
        What the systems are called, in the order of X.  By default the names in X, or those in Y, or the positions
        from 0.  Names of more than 12 characters lose their middle; more than 25 systems are not named.
    labels : pair of str
        What the two measures are called.
    items : str
        What is ranked, if not systems.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a figure of its own.  With a second axis, that one is a twin of this.

    Returns
    -------
    matplotlib.axes.Axes
        That of the first measure.

    Raises
    ------
    TypeError
        If X or Y is not numeric, or `ax` no Axes.
    ValueError
        If X or Y has missing or infinite values or fewer than two systems; if they do not have the same systems; or if
        `names` or `labels` do not fit.

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, figure 1.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = moves([0.14, 0.46, 0.49], [0.50, 0.75, 0.70], names="ABC", labels=("AP", "P10"))
    >>> ax.get_title()
    'AP and P10 of 3 systems: 2 ranks differ'
    >>> [tick.get_text() for tick in ax.get_xticklabels()]
    ['C', 'B', 'A']
    """
    from matplotlib.lines import Line2D

    x, x_names = system_values(X, "X")
    y, y_names = system_values(Y, "Y")
    y, called = matched(x, x_names, y, y_names)
    m = x.size
    texts = shown(called if names is None else as_names(names, m))
    first, second = shown(pair_of(labels), None)
    measures = [f"mean {label}" if is_table(Z) else label for label, Z in ((first, X), (second, Y))]
    x_places, y_places = (mean_places(Ranking(values, True)) for values in (x, y))
    # Ties of the first measure stand in the order of the second.
    order = np.lexsort([y_places, x_places])
    across = np.arange(1, m + 1)
    differs = (x_places != y_places)[order]
    ax = axes_of(ax, COLUMN, 2.8)
    apart = scales_differ(x, y)
    other = ax.twinx() if apart else ax
    if apart:
        for k in across[differs]:
            ax.axvline(k, color="0.6", linestyle=":", linewidth=1, zorder=1)
    else:
        ax.vlines(across[differs], x[order][differs], y[order][differs], color="0.4", linewidth=1, zorder=1)
    circle: Look = {"marker": "o", "color": "#0072B2", "markersize": 4, "linestyle": "none"}
    triangle: Look = {"marker": "^", "color": "#D55E00", "markersize": 4.5, "linestyle": "none"}
    for on, values, look in ((ax, x[order], circle), (other, y[order], triangle)):
        on.plot(across[differs], values[differs], **look)
        on.plot(across[~differs], values[~differs], **look, markerfacecolor="white")
    if m <= MOST_NAMES_ACROSS:
        upright = m > 6 or max(map(len, texts)) > 4
        ax.set_xticks(across, labels=[texts[k] for k in order], rotation=90 if upright else 0)
    else:
        ax.set_xticks(some_places(m))
    ties = bool((np.diff(np.sort(x_places)) == 0).any())
    ax.set_xlabel(f"{items} by {first}, best at left" + (", ties side by side" if ties else ""), fontsize=TEXT)
    if apart:
        ax.set_ylabel(wrapped(f"{measures[0]} (left scale)", LONGEST_LABEL), fontsize=TEXT)
        other.set_ylabel(wrapped(f"{measures[1]} (another scale, right)", LONGEST_LABEL), fontsize=TEXT)
        other.tick_params(labelsize=TEXT)
    else:
        ax.set_ylabel(wrapped(" and ".join(measures), LONGEST_LABEL), fontsize=TEXT)
    ax.tick_params(labelsize=TEXT)
    joint: Look = {"color": "0.6", "linestyle": ":"} if apart else {"color": "0.4", "linestyle": "-"}
    handles = [
        Line2D([], [], **circle, markerfacecolor="white"),
        Line2D([], [], **triangle, markerfacecolor="white"),
        Line2D([], [], marker="o", markersize=4, markerfacecolor="black", markeredgecolor="black", **joint),
    ]
    said = "1 rank differs" if (count := int(differs.sum())) == 1 else f"{count} ranks differ"
    title = f"{first} and {second} of {m} {items}: {said}"
    title_and_legend(ax, title, handles, [*measures, "filled, with a line: rank differs"])
    return ax


def system_values(Z: Any, name: str) -> tuple[npt.NDArray[np.float64], list[Any] | None]:
    """The value of each system and the names, if there are any; of a table of scores, the means."""
    if is_table(Z):
        scores = Scores(Z, name)
        return scores.means, list(scores.systems) if scores.named else None
    values = numeric_vector(Z, name)
    if values.size < 2:
        raise ValueError(f"'{name}' must have two systems or more, not {values.size}")
    if not np.isfinite(values).all():
        raise ValueError(f"'{name}' must not have missing or infinite values")
    return values.astype(np.float64), index_of(Z)


def is_table(Z: Any) -> bool:
    if isinstance(Z, (list, tuple)):
        return len(Z) > 0 and isinstance(Z[0], (list, tuple, np.ndarray))
    return hasattr(Z, "columns") or getattr(Z, "ndim", 1) == 2


def matched(
    x: npt.NDArray[np.float64], x_names: list[Any] | None, y: npt.NDArray[np.float64], y_names: list[Any] | None
) -> tuple[npt.NDArray[np.float64], list[Any]]:
    """y in the order of x, and the names in that order."""
    if x.size != y.size:
        raise ValueError(f"'X' and 'Y' must have the same systems: they have {x.size} and {y.size}")
    if x_names is None or y_names is None:
        return y, x_names or y_names or list(range(x.size))
    for name, given in (("X", x_names), ("Y", y_names)):
        if len(set(given)) < len(given):
            raise ValueError(f"'{name}' has two systems of one name")
    place = {given: k for k, given in enumerate(y_names)}
    if missing := [given for given in x_names if given not in place]:
        raise ValueError(f"'X' and 'Y' must have the same systems: 'Y' has no {missing[0]!r}")
    return y[[place[given] for given in x_names]], x_names


def scales_differ(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> bool:
    """Whether a common axis would leave one of the two too little room; equal values need none."""
    common = max(x.max(), y.max()) - min(x.min(), y.min())
    return any(0 < np.ptp(values) < LEAST_SHARE * common for values in (x, y))


# Ties


def tie_effect(
    x: Vector,
    y: Vector,
    *,
    decimals: int | Iterable[int] | None = None,
    methods: Iterable[str] = ("tau_a", "tau_b", "tauAP_a", "tauAP_b"),
    decreasing: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """How the coefficients part as the scores are rounded to fewer and fewer decimals, and ties grow.

    y is rounded as R does it (`ircor.rbase.r_round`); for the variants _b, which allow ties in both, x is rounded too.
    Below the number of decimals stands the share of the pairs that are then tied in y.

    Parameters
    ----------
    x, y : numeric vector
        The scores of the same items in the same order.  The variants _a take x for the truth, without ties.
    decimals : int or iterable of int, optional
        The numbers of decimals to round to; an int stands for all from there down to 0 or, if it is negative, from 0
        down to there.  By default, from the fewest to which x and y can be rounded without new ties, down to 0.
    methods : iterable of {"tau_a", "tau_b", "tauAP_a", "tauAP_b"}
        The coefficients.
    decreasing : bool
        Whether the item with the greatest value stands on top, which makes a difference to AP correlation only.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default on a figure of its own.

    Returns
    -------
    matplotlib.axes.Axes
        One line for each coefficient; points where it is undefined are left out.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, `decreasing` not a flag, `decimals` not whole numbers, or `ax` no Axes.
    ValueError
        If x and y differ in length, have fewer than two items or a missing value; if x has ties and `methods` a variant
        _a; or if `methods` has another name, one of them twice, or none, or `decimals` none.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> truth = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
    >>> estimate = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]
    >>> ax = tie_effect(truth, estimate, methods=["tau_a", "tau_b"])
    >>> for line in ax.lines:
    ...     print(line.get_label(), line.get_xdata().tolist(), line.get_ydata().round(2).tolist())
    tau_a [2, 1, 0] [0.2, 0.22, 0.09]
    tau_b [2, 1, 0] [0.2, 0.25, 0.0]
    """
    chosen = [methods] if isinstance(methods, str) else list(methods)
    if unknown := [name for name in chosen if name not in LOOKS]:
        raise ValueError(f"'methods' must be among {', '.join(LOOKS)}, which allow ties, not {unknown[0]!r}")
    if not chosen or len(set(chosen)) < len(chosen):
        raise ValueError("'methods' must be one coefficient or more, each of them once")
    x_ranking, y_ranking = placed(x, y, decreasing)
    x_values, y_values = numeric_vector(x, "x"), numeric_vector(y, "y")
    if accurate := [name for name in chosen if "x" in METHODS[name].untied]:
        try:
            refuse_ties(x_ranking, x_values, "x")
        except ValueError:
            raise ValueError(
                f"'x' contains ties, or numbers that R prints alike, and it is the truth for {' and '.join(accurate)}: "
                "leave them out of 'methods'"
            ) from None
    if decimals is None:
        decimals = max(decimals_needed(x_values, x_ranking), decimals_needed(y_values, y_ranking))
    steps = decimal_steps(decimals)
    rounded = [(r_round(x_values, d), r_round(y_values, d)) for d in steps]
    ax = axes_of(ax, COLUMN, 2.8)
    for name in chosen:
        method = METHODS[name]
        option = {"decreasing": decreasing} if "AP" in name else {}
        pairs = [(x_values if name in accurate else few_x, few_y) for few_x, few_y in rounded]
        values = np.array([method.single(few_x, few_y, **option) for few_x, few_y in pairs])
        defined = ~np.isnan(values)
        look = LOOKS[name] | {"markersize": 4, "linewidth": 1.2, "markerfacecolor": "white", "clip_on": False}
        ax.plot(np.array(steps)[defined], values[defined], label=name, **look)
    shares = [few.tied_pairs / few.total_pairs for few in (Ranking(few_y) for _, few_y in rounded)]
    # The labels need room: every other one, or every third, but always the last.
    labelled = [k for k in range(len(steps)) if (len(steps) - 1 - k) % ceil(len(steps) / 9) == 0]
    texts = [f"{steps[k]}\n{percent(shares[k])}" for k in labelled]
    ax.set_xticks([steps[k] for k in labelled], labels=texts, fontsize=TEXT)
    margin = max(0.3, 0.04 * (steps[0] - steps[-1]))
    ax.set_xlim(steps[0] + margin, steps[-1] - margin)
    ax.set_xlabel("decimals kept, and share of the pairs tied in y", fontsize=TEXT)
    ax.set_ylabel("coefficient", fontsize=TEXT)
    ax.tick_params(axis="y", labelsize=TEXT)
    ax.grid(axis="y", color="0.9", linewidth=0.6)
    title = f"Coefficients of {x_ranking.n} items as ties grow"
    title_and_legend(ax, title, *ax.get_legend_handles_labels(), columns=2)
    return ax


def decimals_needed(values: Array, ranking: Ranking) -> int:
    """The least number of decimals, from 0, to which the values can be rounded without new ties."""
    digits = 0
    while Ranking(r_round(values, digits)).tied_pairs > ranking.tied_pairs:
        digits += 1
    return digits


def decimal_steps(decimals: Any) -> list[int]:
    """The numbers of decimals from the most down."""
    if isinstance(decimals, (int, np.integer)) and not isinstance(decimals, bool):
        return list(range(max(int(decimals), 0), min(int(decimals), 0) - 1, -1))
    try:
        steps = sorted({operator.index(d) for d in decimals}, reverse=True)
    except TypeError:
        raise TypeError(f"'decimals' must be whole numbers, not {decimals!r}") from None
    if not steps:
        raise ValueError("'decimals' must be one number or more")
    return steps


def percent(share: float) -> str:
    """In whole per cent, but neither none nor all where that is not so."""
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


# What they have in common


def axes_of(ax: Axes | None, width: float, height: float) -> Axes:
    """The Axes given, or those of a new figure of this size in inches, on which nothing overlaps."""
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes

    if ax is None:
        return plt.subplots(figsize=(width, height), layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise TypeError(f"'ax' must be one matplotlib Axes, not a {type(ax).__name__}")
    return ax


def title_and_legend(ax: Axes, title: str, handles: list[Any], texts: list[str], columns: int = 1) -> None:
    """A legend above the Axes, where it hides nothing, and the title above that."""
    rows = ceil(len(texts) / columns)
    options = {"ncol": columns, "fontsize": TEXT, "frameon": False, "handlelength": 3, "borderpad": 0.2}
    ax.legend(handles, texts, loc="lower center", bbox_to_anchor=(0.5, 1), borderaxespad=0.1, **options)
    ax.set_title(wrapped(title), fontsize=TITLE, pad=LINE * rows + 6)


def wrapped(text: str, longest: int = LONGEST_TITLE) -> str:
    return fill(text, longest)


def some_places(n: int) -> list[int]:
    """Six places from the first to the last, where there is no room for all."""
    return [int(place) for place in np.linspace(1, n, 6).round()]


def shown(names: Iterable[Any], longest: int | None = LONGEST_NAME) -> list[str]:
    """The names as texts: long ones without their middle, as runs of one group begin alike; dollars no mathematics."""
    texts = [str(name) for name in names]
    if longest is not None:
        half = longest // 2
        texts = [text if len(text) <= longest else f"{text[:half]}…{text[1 - half :]}" for text in texts]
    return [text.replace("$", r"\$") for text in texts]


def whole(number: Any, name: str) -> int:
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
        raise TypeError(f"'{name}' must be a whole number, not {number!r}")
    if number < 0:
        raise ValueError(f"'{name}' must be 0 or more, not {number}")
    return int(number)


def pair_of(labels: Any) -> list[str]:
    pair = [labels] if isinstance(labels, str) else list(labels)
    if len(pair) != 2:
        raise ValueError(f"'labels' must be two names, one for each ranking, not {labels!r}")
    return [str(label) for label in pair]


def as_names(names: Iterable[Any], n: int) -> list[Any]:
    given = list(names)
    if len(given) != n:
        raise ValueError(f"'names' must be one for each of the {n} items, not {len(given)}")
    return given


def index_of(vector: Any) -> list[Any] | None:
    """The names of a pandas Series, unless they are but the positions."""
    if not (hasattr(vector, "index") and hasattr(vector, "reindex")):
        return None
    names = list(vector.index)
    return None if names == list(range(len(names))) else names


def item_names(x: Any, y: Any, names: Iterable[Any] | None, n: int) -> list[Any]:
    if names is not None:
        return as_names(names, n)
    x_names, y_names = index_of(x), index_of(y)
    if x_names is not None and y_names is not None and x_names != y_names:
        k = next(k for k in range(n) if x_names[k] != y_names[k])
        raise ValueError(
            f"'x' and 'y' must have the same names in the same order, as they are matched by position: number {k} is "
            f"{x_names[k]!r} and {y_names[k]!r}; reindex one of them, or give 'names'"
        )
    return x_names or y_names or [f"item {k}" for k in range(n)]
