"""Two measures of the same systems, and the systems whose rank differs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.checks import warn_of_pairing
from .._core.errors import InvalidValueError
from .._core.names import given_names, index_of, pair_of
from .._core.options import flag
from .._core.rounding import tie_means
from .._core.types import Floats, Vector
from .._core.vectors import numeric_vector
from .._kernel import Ranking
from ..data import Scores, ScoreSource, is_table, places_of
from . import _style as style
from ._slope import farthest, mean_places
from ._style import BLUE, TEXT, VERMILION, Look

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    Flags = npt.NDArray[np.bool_]

# Two measures share an axis, unless the values of one of them would span less than this share of it.
LEAST_SHARE = 1 / 5

# Where there is no room for all names, this many systems whose rank differs the most are named.
MOVERS = 10

# The height of the lines from the axis to names that stand apart, in inches.
LEADER = 0.14

CIRCLE: Look = {"marker": "o", "color": BLUE, "markersize": 4, "linestyle": "none"}
TRIANGLE: Look = {"marker": "^", "color": VERMILION, "markersize": 4.5, "linestyle": "none"}


def moves(
    X: Vector | ScoreSource,
    Y: Vector | ScoreSource,
    *,
    names: Iterable[Hashable] | None = None,
    labels: Sequence[str] = ("X", "Y"),
    items: str = "systems",
    ranks: bool = True,
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
        position.  Values that differ by rounding only are ties, as means are.
    names : iterable, optional
        The names of the systems, in the order of X.  By default the names in X, or those in Y, or the positions from 0.
        Names are written in full up to 2.3 inches, about 40 characters, and shortened in the middle beyond; on Axes of
        your own, up to 30 % of their height.  With more than 60 systems, or where the Axes have no room for all, only
        the best, the worst, the ten whose rank differs the most (with those that tie, up to twenty), and the best and
        the worst five are named, in this order while there is room.
    labels : pair of str
        The names of the two measures.
    items : str
        The plural of what is ranked, if it is not systems.
    ranks : bool
        Whether the plot is about ranks.  If False, the two values of every system are joined, none is marked, and the
        title has the means of the two measures.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure, which is wider than a journal's column if the names need
        it.  If there is a second axis, it is a twin of these.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes of the first measure.

    Raises
    ------
    TypeError
        If X or Y is not numeric, `ranks` is not a flag, or `ax` is not an Axes.
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
    'AP and P10: 2 of 3 ranks differ'
    >>> [tick.get_text() for tick in ax.get_xticklabels()]
    ['C', 'B', 'A']
    """
    first, second = style.fitted(pair_of(labels))
    items = style.escaped(items)
    pair = MeasurePair.of(MeasureValues.of(X, "X", first), MeasureValues.of(Y, "Y", second), names)
    vectors = not (is_table(X) or is_table(Y))
    if vectors and (index_of(X) is None or index_of(Y) is None):  # else they were matched by name
        warn_of_pairing(X, Y, ("X", "Y"))
    by_rank = flag(ranks, "ranks")
    names_below = NamesBelow.of(pair, ax, by_rank)
    ax = style.axes_of(ax, names_below.width, names_below.height)
    other = ax.twinx() if pair.two_scales else ax
    joined = pair.differs if by_rank else np.full(pair.n, True)
    joint = join_points(ax, pair, joined)
    draw_points(ax, pair.x, joined, CIRCLE)
    draw_points(other, pair.y, joined, TRIANGLE)
    ax.set_xlim(0.4, pair.n + 0.6)
    names_below.draw(ax)
    ties = ", ties side by side" if pair.ties else ""
    style.label_across(ax, f"{items} by {first}, best at left{ties}", names_below.notes(items))
    name_measures(ax, other, pair)
    if by_rank:
        title = f"{first} and {second}: {pair.differs.sum()} of {pair.n} ranks differ"
    else:
        means = " and ".join(f"{values.mean():.2f}" for values in (pair.x, pair.y))
        title = f"{first} and {second} of {pair.n} {items}: means {style.without_hyphen(means)}"
    # A word begins with a capital; the name of a measure, such as map, stays as it is.
    title = title.replace("mean", "Mean", 1) if title.startswith("mean ") else title
    texts = [*pair.labels, *(["filled, with a line: rank differs"] if by_rank else [])]
    style.title_and_legend(ax, title, legend_handles(joint, by_rank), texts)
    return ax


@dataclass(frozen=True, eq=False)
class MeasureValues:
    """One value for each system, and the names of the systems if they have any.

    The label is the name of the measure; "mean ..." if the values are means.
    """

    values: Floats
    names: Sequence[Hashable] | None
    label: str

    @classmethod
    def of(cls, Z: Vector | ScoreSource, name: str, label: str) -> MeasureValues:
        """Check the argument of this name, a vector of values or a table of scores."""
        if is_table(Z):
            scores = Scores.of(Z, name)
            return cls(scores.means, scores.systems if scores.named else None, f"mean {label}")
        values = numeric_vector(list(Z.values()) if isinstance(Z, Mapping) else Z, name)
        if values.size < 2:
            raise InvalidValueError(name, f"must have two systems or more, not {values.size}")
        if not np.isfinite(values).all():
            raise InvalidValueError(name, "must not have missing or infinite values")
        return cls(tie_means(values.astype(np.float64)), list(Z) if isinstance(Z, Mapping) else index_of(Z), label)


@dataclass(frozen=True, eq=False)
class MeasurePair:
    """Two measures of the same systems, sorted by the first; systems tied in the first are sorted by the second.

    `places` are the ranks of the systems by the two measures; tied systems have their mean rank.  `ties` is whether the
    first measure has any.
    """

    x: Floats
    y: Floats
    names: list[Any]
    labels: list[str]
    places: tuple[Floats, Floats]
    ties: bool

    @classmethod
    def of(cls, x: MeasureValues, y: MeasureValues, names: Iterable[Hashable] | None) -> MeasurePair:
        """Match the systems and sort them; `names`, if given, are in the order of x."""
        y_values, own_names = matched(x, y)
        names = list(own_names if names is None else given_names(names, x.values.size))
        x_places, y_places = (mean_places(Ranking(values, True)) for values in (x.values, y_values))
        order = np.lexsort([y_places, x_places])
        return cls(
            x.values[order],
            y_values[order],
            names=[names[k] for k in order],
            labels=[x.label, y.label],
            places=(x_places[order], y_places[order]),
            ties=np.unique(x_places).size < x_places.size,
        )

    @property
    def n(self) -> int:
        return self.x.size

    @property
    def across(self) -> npt.NDArray[np.int64]:
        """The positions of the systems along the axis, from 1."""
        return np.arange(1, self.n + 1)

    @property
    def differs(self) -> npt.NDArray[np.bool_]:
        """Whether the two ranks of a system differ."""
        return np.not_equal(*self.places)

    @property
    def two_scales(self) -> bool:
        """Whether one measure would be too small on a common axis; a measure with equal values never is."""
        common = max(self.x.max(), self.y.max()) - min(self.x.min(), self.y.min())
        return any(0 < np.ptp(values) < LEAST_SHARE * common for values in (self.x, self.y))


def matched(x: MeasureValues, y: MeasureValues) -> tuple[Floats, Sequence[Hashable]]:
    """The values of y in the order of x, and the names of the systems in that order."""
    if x.names is not None and y.names is not None:
        return y.values[places_of(x.names, y.names, "systems")], x.names
    if x.values.size != y.values.size:
        raise InvalidValueError(
            ("X", "Y"), f"must have the same systems, but they have {x.values.size} and {y.values.size}"
        )
    return y.values, x.names or y.names or range(x.values.size)


def join_points(ax: Axes, pair: MeasurePair, joined: Flags) -> Look:
    """Join the two values of each of these systems, and return the look of the lines.

    On two scales, the distance between the values means nothing, so the lines go from the bottom to the top.
    """
    across = pair.across[joined]
    if pair.two_scales:
        joint: Look = {"color": "0.6", "linestyle": ":"}
        for k in across:
            ax.axvline(k, **joint, linewidth=1, zorder=1)
    else:
        joint = {"color": "0.4", "linestyle": "-"}
        ax.vlines(across, pair.x[joined], pair.y[joined], **joint, linewidth=1, zorder=1)
    return joint


def draw_points(ax: Axes, values: Floats, joined: Flags, look: Look) -> None:
    """Draw the values of one measure, filled where they are joined with those of the other."""
    across = np.arange(1, values.size + 1)
    ax.plot(across[joined], values[joined], **look)
    ax.plot(across[~joined], values[~joined], **look, markerfacecolor="white")


@dataclass(frozen=True)
class NamesBelow:
    """The names along the horizontal axis, and the size in inches of a new figure that has room for them.

    Each of `texts` is at a position `at` along the axis, and belongs to one of `places`.  They may be `upright`, turned
    by 90 degrees.  If they stand `apart`, not all systems are named, and a line leads from each place to its text; then
    `words` say which systems are named, and `left_out` has the number of systems that are not named because they tie,
    and the difference of their ranks.
    """

    texts: list[str]
    at: list[float]
    places: list[float]
    upright: bool
    apart: bool
    width: float
    height: float
    words: tuple[str, ...] = ()
    left_out: tuple[int, float] = (0, 0.0)

    @classmethod
    def of(cls, pair: MeasurePair, ax: Axes | None, by_rank: bool) -> NamesBelow:
        """Fit the names into the given Axes, or into a new figure if there are none."""
        n, line = pair.n, style.NAME / 72
        beside = 1.05 if pair.two_scales else 0.6
        width = max(style.COLUMN, beside + n * line) if n <= style.MOST_NAMES else style.PAGE
        across = width - beside if ax is None else style.size_of(ax)[0]
        texts = style.fitted(pair.names, style.room_for_names(ax, 1))
        if n * line <= across + 1e-9:
            upright = style.widest(texts) > 0.9 * across / n
            places = [float(place) for place in pair.across]
            return cls(texts, places, places, upright, False, width, 2.8 + upright * style.widest(texts))
        most = max(2, int(across / line))
        moved, left_out = farthest(*pair.places, MOVERS) if by_rank else ([], (0, 0.0))
        ends = [k for at_end in range(1, min(style.ENDS_NAMED, n)) for k in (at_end, n - 1 - at_end)]
        wished = list(dict.fromkeys([0, n - 1, *moved, *ends]))
        five = "the best five, the worst five" if len(wished) <= most else "the best, the worst"
        chosen = sorted(wished[:most])
        wanted = [float(pair.across[k]) for k in chosen]
        labels = [f"{texts[k]}  {pair.across[k]}" for k in chosen]
        at, labels = style.some_labels(labels, wanted, line * (n + 0.2) / across, n)
        # The round places between the names are where they belong.
        places = wanted + at[len(wanted) :]
        words = (five, *(["the largest differences of rank"] if moved else []))
        return cls(labels, at, places, True, True, width, 2.9 + style.widest(labels) + LEADER, words, left_out)

    def notes(self, items: str) -> list[str]:
        """The lines of text on which systems are named."""
        count, difference = self.left_out
        named = [f"named: {', '.join(self.words)}"] if self.apart else []
        return named + ([f"not named: {count} {items} whose ranks differ by {difference:g}"] if count else [])

    def draw(self, ax: Axes) -> None:
        from matplotlib.lines import Line2D
        from matplotlib.transforms import ScaledTranslation, blended_transform_factory

        ax.set_xticks(self.at, labels=self.texts, rotation=90 if self.upright else 0)
        if not self.apart:
            return
        ax.tick_params(axis="x", length=0, pad=72 * LEADER + 1)
        # Across in places, down in inches from the lower edge.
        inches = ax.figure.dpi_scale_trans + ScaledTranslation(0, 0, ax.transAxes)
        transform = blended_transform_factory(ax.transData, inches)
        look: Look = {"color": "0.4", "linewidth": 0.6, "clip_on": False, "transform": transform}
        for place, at in zip(self.places, self.at):
            ax.add_artist(Line2D([place, place, at, at], [0, -0.2 * LEADER, -0.8 * LEADER, -LEADER], **look))


def name_measures(ax: Axes, other: Axes, pair: MeasurePair) -> None:
    """Write the names of the measures along their axes."""
    first, second = pair.labels
    if pair.two_scales:
        ax.set_ylabel(style.wrapped_label(f"{first} (left scale)"), fontsize=TEXT)
        other.set_ylabel(style.wrapped_label(f"{second} (another scale, right)"), fontsize=TEXT)
    else:
        ax.set_ylabel(style.wrapped_label(f"{first} and {second}"), fontsize=TEXT)
    for axes in (ax, other):
        axes.tick_params(labelsize=TEXT)
        style.round_ticks(axes.yaxis)


def legend_handles(joint: Look, by_rank: bool) -> list[Any]:
    """A marker for each measure, and one for the systems whose rank differs."""
    from matplotlib.lines import Line2D

    if not by_rank:
        return [Line2D([], [], **CIRCLE), Line2D([], [], **TRIANGLE)]
    return [
        Line2D([], [], **CIRCLE, markerfacecolor="white"),
        Line2D([], [], **TRIANGLE, markerfacecolor="white"),
        Line2D([], [], marker="o", markersize=4, markerfacecolor="black", markeredgecolor="black", **joint),
    ]
