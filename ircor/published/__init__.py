"""Every number that the papers and the R package print, recomputed.

This package lists each printed figure with its place in the source.  `figures` recomputes them with the functions of
ircor and compares them to the printed digits; `report` returns them as one result that can be printed.  Some
figures need scores that are neither in the paper nor in this package: `figures_from` computes them
from a folder of tables.
"""

from ._papers import DATA as DATA, Figure, Figures, figures, figures_from, report

__all__ = ["figures", "figures_from", "report", "Figure", "Figures"]
