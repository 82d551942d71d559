"""Base R's functions that decide an analysis of rankings, with R's numbers to the last bit.

Analyses in R make ties with ``round(x, 1)``, ranks with ``rank(-x)`` and scores with ``colMeans(X)``.  The functions of
Python and NumPy with these names round or sum differently, so other values are equal, and the coefficients differ.
`RRandom` has R's random numbers, so that samples are those of ``set.seed(1); sample(n)``.
"""

from ._cor_test import CorTest, r_cor_test
from ._quantile import r_ecdf, r_quantile
from ._random import RRandom
from ._rank import r_order, r_rank, r_round
from ._sums import r_colmeans, r_mean, r_rowmeans, r_sd, r_sum, r_var

__all__ = [
    "r_round",
    "r_rank",
    "r_order",
    "r_sum",
    "r_mean",
    "r_colmeans",
    "r_rowmeans",
    "r_var",
    "r_sd",
    "r_quantile",
    "r_ecdf",
    "r_cor_test",
    "CorTest",
    "RRandom",
]
