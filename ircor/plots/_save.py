"""Pictures as files that journals accept and that are the same each time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .._files import NAME, whole_file
from .._text import listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Fonts as outlines that can be edited (Type 42), which journals ask for, not as drawings (Type 3), which they refuse.
# In SVG, text is text, which can be searched and edited.  The salt makes the identifiers in SVG the same each time.
SETTINGS = {"pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "ircor"}

# Who made the picture, and no date, which would differ from one time to the next.
METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": NAME},
    "svg": {"Creator": NAME, "Date": None},
    "pdf": {"Creator": NAME, "CreationDate": None},
}


def save(ax: Axes | Figure, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Save a plot to a file for print.

    The fonts in PDF are of Type 42, which journals ask for; matplotlib's own default is Type 3, which they refuse.
    Text in SVG stays text.  PNG has 300 dots per inch.  The picture is cut to what is drawn.  The file has no date, so
    the same plot gives the same file.

    Parameters
    ----------
    ax : matplotlib.axes.Axes or matplotlib.figure.Figure
        What a function of this module returned; the whole figure is saved.
    path : str or path
        The file; its ending, .png, .svg or .pdf, decides the format.
    force : bool
        Whether a file that ircor did not write is replaced too.

    Raises
    ------
    TypeError
        If `ax` is neither an Axes nor a Figure.
    ValueError
        If the file has another ending.
    FileExistsError
        If the file exists, and ircor did not write it.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> from tempfile import mkdtemp
    >>> from ircor import plots
    >>> ax = plots.slope([0.9, 0.7, 0.5], [0.8, 0.9, 0.4], names="ABC")
    >>> plots.save(ax, mkdtemp() + "/slope.pdf")
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # The figure of Axes in a part of a figure is that part, whose figure is the whole.
    figure = getattr(getattr(ax, "figure", None), "figure", None)
    if not isinstance(figure, Figure):
        raise TypeError(f"'ax' must be a matplotlib Axes or Figure, not a {type(ax).__name__}")
    form = os.path.splitext(path)[1].lower()[1:]
    if form not in METADATA:
        endings = listed(f".{ending}" for ending in METADATA)
        raise ValueError(f"the name of a picture must end in one of {endings}, and {os.fspath(path)!r} does not")
    with rc_context(SETTINGS), whole_file(path, form, binary=True, force=force) as file:
        figure.savefig(file, format=form, dpi=300, bbox_inches="tight", metadata=METADATA[form])
