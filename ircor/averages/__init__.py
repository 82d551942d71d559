"""Averages of a measure over topics after a transformation: GMAP and others (Robertson 2006).

The mean over topics gives a difference of 0.1 the same weight everywhere on the scale.  The mean of the logarithms, and
so the geometric mean, gives a doubling the same weight everywhere.  Neither is right or wrong, so it is worth checking
whether a conclusion depends on the choice.
"""

from ._means import gmean, mean_log, mean_logit, transformed_mean
from ._robustness import OrderChange, TransformReport, ap_floor, robustness_to_transform
from ._standardize import standardize

__all__ = [
    "gmean",
    "mean_log",
    "mean_logit",
    "transformed_mean",
    "standardize",
    "ap_floor",
    "robustness_to_transform",
    "TransformReport",
    "OrderChange",
]
