"""Compiled code: rankings and their counts, and the quadratic program of the rank distance.

`ranking` sorts a vector, `dominance` compares two rankings, and `batches` does both for many pairs in one call.
`columns` compares all rankings of two lists, short ones as the strings of bits of `bits`; `permutations` compares
one ranking with permutations of another.  `short_pair` is the quick way for one pair of short arrays.  The modules
`closest`, `documents` and `evaluation` are imported by name.
"""

from . import _build  # noqa: F401  # before the compiled modules
from .batches import Totals, gather_groups, totals_of_groups, totals_of_resamples
from .columns import totals_of_columns
from .dominance import Dominance, LongDominance, dominance_of, dominance_sums
from .long_ranking import LongRanking, can_rank
from .permutations import random_orders, totals_of_permutations, totals_of_shuffles
from .ranking import Ranking
from .short_pair import pair_of

__all__ = [
    "Dominance",
    "LongDominance",
    "LongRanking",
    "Ranking",
    "Totals",
    "can_rank",
    "dominance_of",
    "dominance_sums",
    "gather_groups",
    "pair_of",
    "random_orders",
    "totals_of_columns",
    "totals_of_groups",
    "totals_of_permutations",
    "totals_of_resamples",
    "totals_of_shuffles",
]
