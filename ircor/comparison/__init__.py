"""What two or more rankings say about each other, as results that print and draw themselves.

- `compare`: two measures, or two collections, by how they rank the same systems.
- `correlate`: two rankings of the same items: all coefficients that apply, and which one suits.
- `tabulate`: all measures against each other.
- `compare_means`: the mean and the geometric mean over topics.

The commands of the same purpose show these results and compute nothing of their own.
"""

from ._items import Correlation, correlate
from ._means import MeansComparison, compare_means
from ._measures import MeasureTable, tabulate
from ._systems import Comparison, compare

__all__ = [
    "Comparison",
    "Correlation",
    "MeansComparison",
    "MeasureTable",
    "compare",
    "compare_means",
    "correlate",
    "tabulate",
]
