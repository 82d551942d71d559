"""Many rankings in one call: all columns of a table, all groups of rows, all resamples of topics, all permutations.

Each ranking is computed once, and all counting runs in the compiled kernel.  `n_jobs` splits the work through joblib,
on one machine or on a cluster; it does not change the numbers.
"""

from ..statistics import BootstrapResult, PermutationResult, bootstrap, permutation_test
from ._columns import cor, cor_and_rounding as cor_and_rounding
from ._groups import cor_by, least_items as least_items
from ._streams import cor_lists, cor_parquet, of_batch as of_batch

__all__ = [
    "cor",
    "cor_by",
    "cor_lists",
    "cor_parquet",
    "bootstrap",
    "permutation_test",
    "BootstrapResult",
    "PermutationResult",
]
