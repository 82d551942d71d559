"""A table of coefficients as a heat map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import InvalidTypeError, InvalidValueError, Setting, must_be
from .._core.methods import RBO, Method, rules_of
from .._core.names import several
from .._core.options import fraction, real_number
from .._core.types import Floats, Table
from .._core.vectors import number_table
from . import _style as style
from ._style import TEXT, TITLE, Look

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    Flags = npt.NDArray[np.bool_]

# Coefficients of other packages may exceed 1 by rounding.
ROUNDING = 1e-9

# The relative luminance above which black text has more contrast than white text.
BLACK_ON = 0.179

# The least cell that has room for a value, and for a name beside it only, in inches.
CELL = 0.31, 0.24
SMALL_CELL = 0.13, 0.13

# The most rows or columns whose values are written into the cells.
MOST_VALUES = 30

# The colours do not show smaller differences than the two decimals in the cells.
LEAST_RANGE = 0.02

# The limits of the colours are multiples of the second number if the coefficients differ by more than the first.
STEPS = (0.5, 0.1), (0.1, 0.05), (0.0, 0.01)


def table(
    correlations: Table,
    *,
    method: str = "",
    p: float | None = None,
    limits: Sequence[float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a table of coefficients as a heat map, with the values in the cells.

    The colours go from dark at the lower limit to light at the upper limit, in greyscale too.  The bar beside the table
    shows the limits.  The cells of undefined coefficients (nan) are hatched.  The diagonal of a table of rankings
    against themselves, which is 1, has no colour if 1 is beyond the limits of the others.  A table of more than 30 rows
    or columns has no values in its cells.

    Parameters
    ----------
    correlations : 2-D array or DataFrame
        Coefficients from -1 to 1, or from 0 to 1 for "rbo", as `ircor.cor` returns them: entry (i, j) has row i as x
        and column j as y.  Names are written in full up to 2.3 inches, about 40 characters, and shortened in the middle
        beyond; on Axes of your own, up to 30 % of their width or height.
    method : str
        The name of the coefficient, such as "tau_b".  For coefficients that are not symmetric, the axes say that the
        rows are the truth.
    p : float, optional
        The p of "rbo", for the title.
    limits : pair of float, optional
        The coefficients of the darkest and of the lightest colour.  By default those of the table, rounded down and up
        to multiples of 0.1, 0.05 or 0.01.  Give the same limits to two tables to compare their
        colours; (-1, 1) are the limits of the coefficients.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure, which is wider than a journal's column if the values need
        it.

    Raises
    ------
    TypeError
        If the table is not numeric, `method` is not a string, `limits` are not numbers, or `ax` is not an Axes.
    ValueError
        If the table does not have two dimensions, has no cells, or has values that are not between -1 and 1; or if
        `limits` are not two numbers in increasing order with all coefficients between them.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = table([[1, 0.25], [0.25, 1]], method="tau_b")
    >>> [text.get_text() for text in ax.texts]
    ['1.00', '0.25', '0.25', '1.00']
    """
    if not isinstance(method, str):
        raise InvalidTypeError("method", must_be("a string", method))
    if p is not None and method != RBO:
        raise InvalidValueError("p", ("is for ", Setting("method", RBO, "'"), f", not for {method!r}"))
    rules = rules_of(method)
    floor = rules.least if rules else -1.0
    values, names = checked_coefficients(correlations, floor)
    own = own_diagonal(values, names)
    low, high, ticks = colour_scale(values[~own] if (~own).any() else values, limits, floor)
    # If 1 is within the limits, the diagonal has its colour.
    own &= high < 1
    name = style.escaped(method or "coefficient") + ("" if p is None else f" (p = {fraction(p, 'p')!r})")
    m, n = values.shape
    cell_width, cell_height = CELL if max(m, n) <= MOST_VALUES else SMALL_CELL
    rows, columns = (style.fitted(names[side], style.room_for_names(ax, side)) for side in (0, 1))
    width = max(style.COLUMN, 1.1 + style.widest(rows) + cell_width * n)
    cell = (width - 1.1 - style.widest(rows) if ax is None else style.size_of(ax)[0]) / n
    upright = style.widest(columns) > 0.9 * cell
    height = 1.0 + (style.widest(columns) if upright else 0.0) + cell_height * m
    ax = style.axes_of(ax, width, max(1.8, height))
    image = ax.imshow(np.ma.masked_invalid(values), cmap="cividis", vmin=low, vmax=high, aspect="auto")
    fill_cells(ax, image, values, own)
    ax.set_xticks(range(n), labels=columns, fontsize=TEXT, rotation=90 if upright else 0)
    ax.set_yticks(range(m), labels=rows, fontsize=TEXT)
    x_role, y_role = roles(rules)
    ax.set_ylabel(x_role, fontsize=TEXT)
    notes = ["hatched: undefined"] if np.isnan(values).any() else []
    style.label_across(ax, y_role, [*notes, *(["diagonal: 1, without a colour"] if own.any() else [])])
    ax.set_title(style.wrapped_title(ax, f"{name} of each pair of rankings"), fontsize=TITLE)
    bar = ax.figure.colorbar(image, ax=ax, ticks=ticks)
    scale = f"{name}, {style.without_hyphen(f'from {low:g} to {high:g}')}"
    bar.set_label(
        scale if len(scale) <= style.LABEL_PER_INCH * cell_height * m else scale.replace(", ", "\n"), fontsize=TEXT
    )
    bar.ax.tick_params(labelsize=TEXT)
    return ax


def own_diagonal(values: Floats, names: list[list[Any]]) -> Flags:
    """Which cells are those of a ranking with itself: the diagonal, if rows and columns are the same, and it is 1."""
    cells: Flags = np.eye(*values.shape) > 0
    # A ranking of ties only has no coefficient.
    one = np.isnan(values[cells]) | (values[cells] > 1 - ROUNDING)
    same = values.shape[0] == values.shape[1] and names[0] == names[1] and one.all()
    return cells if same else np.zeros_like(cells)


def roles(method: Method | None) -> tuple[str, str]:
    """The roles of the rows and of the columns; nothing if they can be exchanged."""
    if method is None:
        return "ranking taken as x", "ranking taken as y"
    return ("", "") if method.symmetric else ("truth", "estimate")


def colour_scale(values: Floats, limits: Any, floor: float) -> tuple[float, float, list[float]]:
    """The limits of the colours, and the ticks of the bar; `floor` is the least possible coefficient."""
    from matplotlib.ticker import MaxNLocator

    defined = np.clip(values[~np.isnan(values)], floor, 1)
    least, greatest = (float(defined.min()), float(defined.max())) if defined.size else (floor, 1.0)
    locator = MaxNLocator(6, steps=[1, 2, 5, 10])
    if limits is None:
        low = max(floor, min(least, greatest - LEAST_RANGE))
        high = max(greatest, low + LEAST_RANGE)
        step = next(step for span, step in STEPS if high - low > span)
        # Rounded first, so that 0.3 is three times 0.1.
        low, high = (
            round(step * end(round(limit / step, 6)), 6) for end, limit in ((math.floor, low), (math.ceil, high))
        )
        return low, high, [float(tick) for tick in locator.tick_values(low, high).round(6) if low <= tick <= high]
    given = [real_number(limit, "limits") for limit in several(limits)]
    if len(given) != 2 or not given[0] < given[1]:
        raise InvalidValueError("limits", must_be("two numbers, the smaller first", limits))
    low, high = given
    if least < low or greatest > high:
        raise InvalidValueError(
            "limits", f"must have all coefficients between them, which are from {least:g} to {greatest:g}"
        )
    inside = [float(tick) for tick in locator.tick_values(low, high).round(6) if low < tick < high]
    return low, high, [low, *inside, high]


def checked_coefficients(correlations: Any, floor: float) -> tuple[Floats, list[list[Any]]]:
    """The values of the table after its checks, and the names of its rows and columns."""
    raw, names = number_table(correlations, "correlations")
    if raw.ndim != 2 or raw.size == 0:
        raise InvalidValueError("correlations", f"must be a table with rows and columns, not of shape {raw.shape}")
    values = raw.astype(np.float64)
    if (wrong := (values < floor - ROUNDING) | (values > 1 + ROUNDING)).any():
        raise InvalidValueError("correlations", f"must be between {floor:g} and 1, not {values[wrong][0]:g}")
    return values, names


def fill_cells(ax: Axes, image: Any, values: Floats, plain: Flags) -> None:
    """Write the value into each cell of the image; hatch the cells that have none, and cover the colour of some."""
    from matplotlib.patches import Rectangle

    hatched: Look = {"hatch": "/////", "facecolor": "white", "edgecolor": "0.4", "linewidth": 0.6}
    for (i, j), value in np.ndenumerate(values):
        if np.isnan(value) or plain[i, j]:
            look = hatched if np.isnan(value) else {"facecolor": "0.9", "linewidth": 0}
            ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, **look))
        if not np.isnan(value) and max(values.shape) <= MOST_VALUES:
            light = plain[i, j] or luminance(*image.cmap(image.norm(value))[:3]) > BLACK_ON
            text = style.without_hyphen(f"{value:.2f}".replace("-0.00", "0.00"))
            ax.text(j, i, text, ha="center", va="center", fontsize=TEXT, color="black" if light else "white")


def luminance(red: float, green: float, blue: float) -> float:
    """The relative luminance of an sRGB colour, from 0 to 1, as the W3C defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
