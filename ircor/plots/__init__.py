"""Plots of rankings, of rank correlation and of rank distance, drawn with matplotlib.

Each function draws on the Axes that you pass, or on a new figure as wide as one column of a journal, and returns the
Axes.  Colour is never the only difference: marker, line style, line width, hatching or text also differ, so every plot
can be read in greyscale.  The first plot imports matplotlib; its settings and its backend are not changed.

`save` writes a plot to a file with the fonts that journals ask for.  If you save the figure yourself, set matplotlib's
own option first, or its PDF has fonts of Type 3, which many journals refuse::

    import matplotlib
    matplotlib.rcParams["pdf.fonttype"] = 42
"""

from ..statistics import costly_swaps
from ._heatmap import table
from ._moves import moves
from ._places import places
from ._slope import slope
from ._style import relabel as relabel, save, wrapped_title as wrapped_title
from ._ties import tie_effect
from ._values import curve, null, ranges, thresholds

__all__ = [
    "costly_swaps",
    "curve",
    "moves",
    "null",
    "places",
    "ranges",
    "save",
    "slope",
    "table",
    "thresholds",
    "tie_effect",
]
