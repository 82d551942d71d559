"""Every number that the papers and the R package print, recomputed.

This package lists each printed figure with its place in the source.  `figures` recomputes them with the functions of
ircor and compares them to the printed digits; `report` returns them as one result that can be printed.  Some
figures need scores that are neither in the paper nor in this package: `figures_from` computes them
from a folder of tables.  A whole published analysis, with each of its values, is recomputed by `report` where its files
are.
"""

from ._figures import Figure, Figures
from ._files import files_below as files_below
from ._papers import WHERE_FROM as WHERE_FROM, figures, figures_from, inputs_below as inputs_below, report
from ._standardization import PublishedFile

__all__ = ["figures", "figures_from", "report", "Figure", "Figures", "PublishedFile"]
