"""Compiled code: rankings and their counts, and the quadratic program of the rank distance.

`ranking` sorts a vector, `dominance` compares two rankings, and `batches` does both for many pairs in one call;
`permutations` compares one ranking with many permutations of another.  The modules `closest` and
`documents`, which parses the lines of runs, are imported by name.
"""

from .batches import (
    Totals,
    gather_groups,
    totals_of_groups,
    totals_of_pairs,
    totals_of_resamples,
)
from .dominance import Dominance, dominance_sums
from .permutations import random_orders, totals_of_permutations, totals_of_shuffles
from .ranking import Ranking

__all__ = [
    "Dominance",
    "Ranking",
    "Totals",
    "dominance_sums",
    "gather_groups",
    "random_orders",
    "totals_of_groups",
    "totals_of_pairs",
    "totals_of_permutations",
    "totals_of_resamples",
    "totals_of_shuffles",
]
