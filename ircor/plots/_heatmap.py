"""A table of coefficients as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._options import shown
from .._types import Table
from .._vectors import number_table
from ._style import COLUMN, TEXT, TITLE, Look, axes_of, escaped, name_texts, wrapped

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    Array = npt.NDArray[np.float64]

# Coefficients of other packages may exceed 1 by rounding.
ROUNDING = 1e-9

# The relative luminance above which black text has more contrast than white text.
BLACK_ON = 0.179


def table(correlations: Table, *, method: str = "", ax: Axes | None = None) -> Axes:
    """Draw a table of coefficients as a heat map, with the values in the cells.

    The colours go from dark at -1 to light at 1, in greyscale too.  The cells of undefined coefficients (nan) are
    hatched.

    Parameters
    ----------
    correlations : 2-D array or DataFrame
        Coefficients from -1 to 1, as `ircor.cor` returns them: entry (i, j) has row i as x and column j as y.  Names of
        more than 12 characters are shortened in the middle.
    method : str
        The name of the coefficient, such as "tau_b".
    ax : matplotlib.axes.Axes, optional
        The Axes to draw on; by default those of a new figure, which is wider than a journal's column if the values need
        it.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TypeError
        If the table is not numeric, `method` is not a string, or `ax` is not an Axes.
    ValueError
        If the table does not have two dimensions, has no cells, or has values that are not between -1 and 1.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = table([[1, 0.25], [0.25, 1]], method="tau_b")
    >>> [text.get_text() for text in ax.texts]
    ['1.00', '0.25', '0.25', '1.00']
    """
    values, rows, columns = coefficients(correlations)
    if not isinstance(method, str):
        raise TypeError(f"'method' must be a string, not {shown(method)}")
    name = escaped(method or "coefficient")
    m, n = values.shape
    widest_row, widest_column = max(map(len, rows)), max(map(len, columns))
    upright = n > 4 or widest_column > 5
    width = 1.1 + 0.055 * widest_row + 0.31 * n
    height = 1.0 + (0.055 * widest_column if upright else 0.0) + 0.24 * m
    ax = axes_of(ax, max(COLUMN, width), max(1.8, height))
    image = ax.imshow(np.ma.masked_invalid(values), cmap="cividis", vmin=-1, vmax=1, aspect="auto")
    fill_cells(ax, image, values)
    ax.set_xticks(range(n), labels=columns, fontsize=TEXT, rotation=90 if upright else 0)
    ax.set_yticks(range(m), labels=rows, fontsize=TEXT)
    ax.set_ylabel("ranking taken as x", fontsize=TEXT)
    ax.set_xlabel("ranking taken as y" + ("\nhatched: undefined" if np.isnan(values).any() else ""), fontsize=TEXT)
    ax.set_title(wrapped(f"{name} of each pair of rankings"), fontsize=TITLE)
    bar = ax.figure.colorbar(image, ax=ax)
    bar.set_label(name, fontsize=TEXT)
    bar.set_ticks([-1, -0.5, 0, 0.5, 1])
    bar.ax.tick_params(labelsize=TEXT)
    return ax


def coefficients(correlations: Any) -> tuple[Array, list[str], list[str]]:
    """The values of the table after its checks, and the names of its rows and columns."""
    raw, names = number_table(correlations, "correlations")
    if raw.ndim != 2 or raw.size == 0:
        raise ValueError(f"'correlations' must be a table with rows and columns, not of shape {raw.shape}")
    values = raw.astype(np.float64)
    if (wrong := np.abs(values) > 1 + ROUNDING).any():
        raise ValueError(f"'correlations' must be between -1 and 1, not {values[wrong][0]:g}")
    rows, columns = map(name_texts, names)
    return values, rows, columns


def fill_cells(ax: Axes, image: Any, values: Array) -> None:
    """Write the value into each cell of the image; hatch the cells that have none."""
    from matplotlib.patches import Rectangle

    hatched: Look = {"hatch": "/////", "facecolor": "white", "edgecolor": "0.4", "linewidth": 0.6}
    for (i, j), value in np.ndenumerate(values):
        if np.isnan(value):
            ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, **hatched))
        else:
            ink = "black" if luminance(*image.cmap(image.norm(value))[:3]) > BLACK_ON else "white"
            ax.text(j, i, f"{value:.2f}".replace("-0.00", "0.00"), ha="center", va="center", fontsize=TEXT, color=ink)


def luminance(red: float, green: float, blue: float) -> float:
    """The relative luminance of an sRGB colour, from 0 to 1, as the W3C defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
