"""Comparisons of two or more rankings, as results that print and draw themselves.

- `compare`: two measures or more, or two collections, by how they rank the same systems.
- `correlate`: two rankings of the same items: all coefficients that apply, and which one suits.
- `tabulate`: all measures against each other.
- `compare_means`: the mean and the geometric mean over topics.

The commands of the same purpose show these results and compute nothing of their own.
"""

from ._compare import CoefficientInterval as CoefficientInterval, Comparison, Comparisons, compare
from ._correlate import Correlation, ItemCoefficient as ItemCoefficient, correlate
from ._measures import MeansComparison, MeasureTable, compare_means, tabulate

__all__ = [
    "Comparison",
    "Comparisons",
    "Correlation",
    "MeansComparison",
    "MeasureTable",
    "compare",
    "compare_means",
    "correlate",
    "tabulate",
]
