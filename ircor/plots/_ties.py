"""The coefficients as the scores are rounded and ties appear."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.checks import refuse_ties, warn_of_pairing
from .._core.errors import InvalidValueError
from .._core.methods import METHODS, Method
from .._core.names import several
from .._core.options import NO_LEAST, one_of, whole_number
from .._core.text import percent
from .._core.types import Array, Vector
from .._core.vectors import numeric_vector
from .._kernel import Ranking
from ..rbase import r_round
from ..statistics import placed
from ._style import COLUMN, LOOKS, TEXT, Look, axes_of, round_ticks, title_and_legend, without_hyphen

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ALLOW_TIES = tuple(name for name, method in METHODS.items() if "y" not in method.untied)
"""The coefficients of which y may have ties."""

# The most labels that fit along the axis.
MOST_LABELS = 9


def tie_effect(
    x: Vector,
    y: Vector,
    *,
    decimals: int | Iterable[int] | None = None,
    methods: str | Iterable[str] = ALLOW_TIES,
    decreasing: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw how the coefficients diverge as the scores are rounded to fewer decimals and ties appear.

    y is rounded as R rounds (`ircor.rbase.r_round`).  The variants _b, which allow ties in x, have x rounded as well.
    Below each number of decimals is the share of pairs that are tied in y after rounding.

    Parameters
    ----------
    x, y : numeric vector
        The scores of the same items in the same order.  For the variants _a, x is the true ranking and must not have
        ties.
    decimals : int or iterable of int, optional
        The numbers of decimals to round to.  An int d stands for d, d - 1, ..., 0, or for 0, -1, ..., d if it is
        negative.  By default, d is the fewest decimals to which x and y can be rounded without new ties.
    methods : str or iterable of {"tau_a", "tau_b", "tauAP_a", "tauAP_b"}
        The coefficients to draw.
    decreasing : bool
        Whether the item with the greatest value is on top, which only AP correlation depends on.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        One line for each coefficient, without the points where it is undefined.

    Raises
    ------
    TypeError
        If x or y is not a numeric vector, `decreasing` is not a flag, `decimals` are not whole numbers, or `ax` is not
        an Axes.
    ValueError
        If x and y differ in length, have fewer than two items or have missing values; if x has ties and `methods`
        includes a variant _a; if `methods` is empty, includes another name, or includes one twice; or if `decimals` is
        empty.

    Warns
    -----
    PairingWarning
        As from `ircor.tau_b`.

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
    coefficients = chosen_methods(methods)
    x_ranking = placed(x, y, decreasing)[0]
    x_values, y_values = numeric_vector(x, "x"), numeric_vector(y, "y")
    refuse_ties_in_truth(coefficients, x_ranking, x_values)
    warn_of_pairing(x, y)
    if decimals is None:
        decimals = max(decimals_needed(x_values), decimals_needed(y_values))
    steps = decimal_steps(decimals)
    rounded_x, rounded_y = ([r_round(values, d) for d in steps] for values in (x_values, y_values))
    ax = axes_of(ax, COLUMN, 2.8)
    for method in coefficients:
        few_x = [x_values] * len(steps) if "x" in method.untied else rounded_x
        draw_coefficient(ax, method.name, steps, [method(*pair, decreasing) for pair in zip(few_x, rounded_y)])
    label_decimals(ax, steps, rounded_y)
    ax.set_xlabel("decimals kept, and share of the pairs tied in y", fontsize=TEXT)
    ax.set_ylabel("coefficient", fontsize=TEXT)
    ax.tick_params(axis="y", labelsize=TEXT)
    round_ticks(ax.yaxis)
    ax.grid(axis="y", color="0.9", linewidth=0.6)
    title = f"Coefficients of {x_ranking.n} items as ties grow"
    handles, labels = ax.get_legend_handles_labels()
    title_and_legend(ax, title, handles, labels, columns=2)
    return ax


def chosen_methods(methods: Any) -> list[Method]:
    """Check the names of the coefficients, of which there must be one or more, each once."""
    names = [one_of(name, "methods", ALLOW_TIES) for name in several(methods)]
    if not names or len(set(names)) < len(names):
        raise InvalidValueError("methods", "must be one coefficient or more, each of them once")
    return [METHODS[name] for name in names]


def refuse_ties_in_truth(methods: list[Method], x: Ranking, values: Array) -> None:
    """Raise if one of the methods does not allow ties in x, and x has ties."""
    names = [method.name for method in methods if "x" in method.untied]
    if names:
        try:
            refuse_ties(x, values, "x")
        except ValueError:
            raise InvalidValueError(
                "x",
                "contains ties, or numbers that R prints alike, which is not allowed for "
                f"{' and '.join(names)}: remove the ties, or choose other 'methods'",
            ) from None


def decimals_needed(values: Array) -> int:
    """The fewest decimals, 0 or more, to which the values can be rounded without new ties."""
    # Floats are rounded as doubles; ties between the doubles of a wider type do not go away with more decimals.
    exact = values if values.dtype.kind in "iu" else values.astype(np.float64)
    ties = Ranking(exact).tied_pairs
    digits = 0
    while Ranking(r_round(exact, digits)).tied_pairs > ties:
        digits += 1
    return digits


def decimal_steps(decimals: Any) -> list[int]:
    """The numbers of decimals, the greatest first."""
    if isinstance(decimals, Integral):
        end = whole_number(decimals, "decimals", NO_LEAST)
        return list(range(max(end, 0), min(end, 0) - 1, -1))
    steps = sorted({whole_number(d, "decimals", NO_LEAST) for d in several(decimals)}, reverse=True)
    if not steps:
        raise InvalidValueError("decimals", "must be one number or more")
    return steps


def draw_coefficient(ax: Axes, name: str, steps: Sequence[int], coefficients: Sequence[float]) -> None:
    """Draw the line of one coefficient, without the points where it is undefined."""
    values = np.array(coefficients)
    defined = ~np.isnan(values)
    look: Look = {"markersize": 4, "linewidth": 1.2, "markerfacecolor": "white", "clip_on": False}
    ax.plot(np.array(steps)[defined], values[defined], label=name, **LOOKS[name], **look)


def label_decimals(ax: Axes, steps: Sequence[int], rounded: Sequence[Array]) -> None:
    """Label the axis with the decimals and the share of tied pairs; the number of decimals falls to the right."""
    # If there is no room for all labels, every second, third and so on, always with the last.
    interval = ceil(len(steps) / MOST_LABELS)
    labelled = range((len(steps) - 1) % interval, len(steps), interval)
    rankings = [Ranking(rounded[k]) for k in labelled]
    shares = [percent(ranking.tied_pairs / ranking.total_pairs) for ranking in rankings]
    texts = [f"{without_hyphen(str(steps[k]))}\n{share}" for k, share in zip(labelled, shares)]
    ax.set_xticks([steps[k] for k in labelled], labels=texts, fontsize=TEXT)
    margin = max(0.3, 0.04 * (steps[0] - steps[-1]))
    ax.set_xlim(steps[0] + margin, steps[-1] - margin)
