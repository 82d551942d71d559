"""Two measures of the same systems, and the systems whose rank differs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._check import warn_of_pairing
from .._kernel import Ranking
from .._scores import Scores, ScoreTable, is_table, places_of
from .._types import Vector
from .._vectors import numeric_vector
from ._names import given_names, index_of, pair_of
from ._places import mean_places
from ._style import (
    BLUE,
    COLUMN,
    LONGEST_LABEL,
    MOST_NAMES_ACROSS,
    TEXT,
    VERMILION,
    Look,
    axes_of,
    escaped,
    name_texts,
    some_places,
    title_and_legend,
    wrapped,
)

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    Array = npt.NDArray[np.float64]

# Two measures share an axis, unless the values of one of them would span less than this share of it.
LEAST_SHARE = 1 / 5

CIRCLE: Look = {"marker": "o", "color": BLUE, "markersize": 4, "linestyle": "none"}
TRIANGLE: Look = {"marker": "^", "color": VERMILION, "markersize": 4.5, "linestyle": "none"}


def moves(
    X: Vector | ScoreTable,
    Y: Vector | ScoreTable,
    *,
    names: Iterable[Hashable] | None = None,
    labels: Sequence[str] = ("X", "Y"),
    items: str = "systems",
    ax: Axes | None = None,
) -> Axes:
    """Draw two measures of the same systems in the order of the first, and mark the systems whose rank differs.

    Both measures share one axis, unless the values of one of them would span less than a fifth of it.  In that case the
    second measure has an axis of its own on the right, and the labels of both axes say so.

    Parameters
    ----------
    X, Y : numeric vector or 2-D array or DataFrame
        One value for each system, the greater the better; or scores, topics by systems, whose means are drawn.  If both
        have names (the index of a Series, the columns of a DataFrame), systems are matched by name, otherwise by
        position.
    names : iterable, optional
        The names of the systems, in the order of X.  By default the names in X, or those in Y, or the positions from 0.
        Names of more than 12 characters are shortened in the middle; more than 25 systems are not named.
    labels : pair of str
        The names of the two measures.
    items : str
        The plural of what is ranked, if it is not systems.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure.  If there is a second axis, it is a twin of these.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes of the first measure.

    Raises
    ------
    TypeError
        If X or Y is not numeric, or `ax` is not an Axes.
    ValueError
        If X or Y has missing or infinite values or fewer than two systems; if they do not have the same systems; or if
        `names` or `labels` has the wrong length.

    Warns
    -----
    PairingWarning
        If one index only counts from 0, and the other has the same numbers in another order.

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
    first, second = map(escaped, pair_of(labels))
    pair = Pair.of(Measure.of(X, "X", first), Measure.of(Y, "Y", second), names)
    vectors = not (is_table(X) or is_table(Y))
    if vectors and (index_of(X) is None or index_of(Y) is None):  # else they were matched by name
        warn_of_pairing(X, Y, ("X", "Y"))
    ax = axes_of(ax, COLUMN, 2.8)
    other = ax.twinx() if pair.two_scales else ax
    joint = join_points(ax, pair)
    draw_points(ax, pair, pair.x, CIRCLE)
    draw_points(other, pair, pair.y, TRIANGLE)
    name_systems(ax, pair)
    ties = ", ties side by side" if pair.ties else ""
    ax.set_xlabel(f"{items} by {first}, best at left{ties}", fontsize=TEXT)
    name_measures(ax, other, pair)
    # Never one alone: the ranks of both measures have the same sum.
    title = f"{first} and {second} of {pair.x.size} {items}: {pair.differs.sum()} ranks differ"
    title_and_legend(ax, title, legend_handles(joint), [*pair.labels, "filled, with a line: rank differs"])
    return ax


@dataclass(frozen=True, eq=False)
class Measure:
    """One value for each system.

    Attributes
    ----------
    values : numpy.ndarray
    names : sequence or None
        The names of the systems, if they have any.
    label : str
        The name of the measure; "mean ..." if the values are means.
    """

    values: Array
    names: Sequence[Hashable] | None
    label: str

    @classmethod
    def of(cls, Z: Vector | ScoreTable, name: str, label: str) -> Measure:
        """Check the argument of this name, a vector of values or a table of scores."""
        if isinstance(Z, Scores) or is_table(Z):
            scores = Scores.of(Z, name)
            return cls(scores.means, scores.systems if scores.named else None, f"mean {label}")
        values = numeric_vector(Z, name)
        if values.size < 2:
            raise ValueError(f"'{name}' must have two systems or more, not {values.size}")
        if not np.isfinite(values).all():
            raise ValueError(f"'{name}' must not have missing or infinite values")
        return cls(values.astype(np.float64), index_of(Z), label)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two measures of the same systems, sorted by the first; systems tied in the first are sorted by the second.

    Attributes
    ----------
    x, y : numpy.ndarray
        The values of the two measures.
    names : list of str
        The names of the systems.
    labels : list of str
        The names of the measures.
    differs : numpy.ndarray of bool
        Whether the two ranks of a system differ; tied systems have their mean rank.
    ties : bool
        Whether the first measure has ties.
    """

    x: Array
    y: Array
    names: list[str]
    labels: list[str]
    differs: npt.NDArray[np.bool_]
    ties: bool

    @classmethod
    def of(cls, x: Measure, y: Measure, names: Iterable[Hashable] | None) -> Pair:
        """Match the systems and sort them; `names`, if given, are in the order of x."""
        y_values, own_names = matched(x, y)
        texts = name_texts(own_names if names is None else given_names(names, x.values.size))
        x_places, y_places = (mean_places(Ranking(values, True)) for values in (x.values, y_values))
        order = np.lexsort([y_places, x_places])
        return cls(
            x.values[order],
            y_values[order],
            names=[texts[k] for k in order],
            labels=[x.label, y.label],
            differs=(x_places != y_places)[order],
            ties=np.unique(x_places).size < x_places.size,
        )

    @property
    def across(self) -> npt.NDArray[np.int64]:
        """The positions of the systems along the axis, from 1."""
        return np.arange(1, self.x.size + 1)

    @property
    def two_scales(self) -> bool:
        """Whether one measure would be too small on a common axis; a measure with equal values never is."""
        common = max(self.x.max(), self.y.max()) - min(self.x.min(), self.y.min())
        return any(0 < np.ptp(values) < LEAST_SHARE * common for values in (self.x, self.y))


def matched(x: Measure, y: Measure) -> tuple[Array, Sequence[Hashable]]:
    """The values of y in the order of x, and the names of the systems in that order."""
    if x.names is not None and y.names is not None:
        return y.values[places_of(x.names, y.names, "systems")], x.names
    if x.values.size != y.values.size:
        raise ValueError(f"'X' and 'Y' must have the same systems, but they have {x.values.size} and {y.values.size}")
    return y.values, x.names or y.names or range(x.values.size)


def join_points(ax: Axes, pair: Pair) -> Look:
    """Join the two values of each system whose rank differs, and return the look of the lines.

    On two scales, the distance between the values means nothing, so the lines go from the bottom to the top.
    """
    across = pair.across[pair.differs]
    if pair.two_scales:
        joint: Look = {"color": "0.6", "linestyle": ":"}
        for k in across:
            ax.axvline(k, **joint, linewidth=1, zorder=1)
    else:
        joint = {"color": "0.4", "linestyle": "-"}
        ax.vlines(across, pair.x[pair.differs], pair.y[pair.differs], **joint, linewidth=1, zorder=1)
    return joint


def draw_points(ax: Axes, pair: Pair, values: Array, look: Look) -> None:
    """Draw the values of one measure, filled where the rank differs."""
    ax.plot(pair.across[pair.differs], values[pair.differs], **look)
    ax.plot(pair.across[~pair.differs], values[~pair.differs], **look, markerfacecolor="white")


def name_systems(ax: Axes, pair: Pair) -> None:
    """Write the names of the systems along the axis, or some places if there are too many systems."""
    n = len(pair.names)
    if n <= MOST_NAMES_ACROSS:
        upright = n > 6 or max(map(len, pair.names)) > 4
        ax.set_xticks(pair.across, labels=pair.names, rotation=90 if upright else 0)
    else:
        ax.set_xticks(some_places(n))


def name_measures(ax: Axes, other: Axes, pair: Pair) -> None:
    """Write the names of the measures along their axes."""
    first, second = pair.labels
    if pair.two_scales:
        ax.set_ylabel(wrapped(f"{first} (left scale)", LONGEST_LABEL), fontsize=TEXT)
        other.set_ylabel(wrapped(f"{second} (another scale, right)", LONGEST_LABEL), fontsize=TEXT)
    else:
        ax.set_ylabel(wrapped(f"{first} and {second}", LONGEST_LABEL), fontsize=TEXT)
    for axes in (ax, other):
        axes.tick_params(labelsize=TEXT)


def legend_handles(joint: Look) -> list[Any]:
    """A marker for each measure, and one for the systems whose rank differs."""
    from matplotlib.lines import Line2D

    return [
        Line2D([], [], **CIRCLE, markerfacecolor="white"),
        Line2D([], [], **TRIANGLE, markerfacecolor="white"),
        Line2D([], [], marker="o", markersize=4, markerfacecolor="black", markeredgecolor="black", **joint),
    ]
