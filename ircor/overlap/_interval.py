"""An interval for the mean over topics of numbers between 0 and 1."""

from __future__ import annotations

from math import expm1, log, log1p, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

ENOUGH = 25
"""With fewer topics, the interval was found to hold less often than it says; see docs/commands/rbo.md."""

NEAR = 0.05
"""A mean that is so near to 0 or 1 may depend on a few topics that differ from the others, which a sample may lack."""


class Interval(NamedTuple):
    """The ends of a confidence interval."""

    low: float
    high: float


def mean_interval(values: npt.NDArray[np.float64], level: float) -> Interval | None:
    """Student's interval for the mean, on the scale of log(m / (1 - m)); None for a single value.

    On that scale the standard error of m is divided by m (1 - m).  The ends stay between 0 and 1, and the end nearer to
    one half is farther from the mean, as the skewed overlaps of very similar or dissimilar runs require.
    """
    from scipy.special import stdtrit

    n = len(values)
    if n < 2:
        return None
    mean, error = float(values.mean()), float(values.std(ddof=1)) / sqrt(n)
    if np.ptp(values) == 0 or not 0 < mean < 1:
        # Equal, or so near to 1 that the mean is rounded to it.
        return Interval(float(values.min()), float(values.max()))
    middle = log(mean) - log1p(-mean)
    step = float(stdtrit(n - 1, (1 + level) / 2)) * error / (mean * (1 - mean))
    return Interval(logistic(middle - step), logistic(middle + step))


def logistic(x: float) -> float:
    """1 / (1 + exp(-x)), without overflow."""
    small = 1 / (2 + expm1(min(abs(x), 700.0)))
    return small if x < 0 else 1 - small
