"""The two statistics that Carterette (2009) compares the rank distance with."""

from __future__ import annotations

from math import nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from .._options import fraction, real_number
from .._scores import Scores, ScoreTable
from .._types import Vector

if TYPE_CHECKING:
    import numpy.typing as npt


def tau_interval(tau: float, m: int, level: float = 0.95) -> tuple[float, float]:
    """Kendall's confidence interval for tau over a sample of m systems.

    It is conservative, since it takes the greatest possible variance of tau: at a level of 95 %, it contained the tau
    of a bivariate normal population in 99.9 % of the samples or more.  `ircor.correlate` has narrower intervals.

    Parameters
    ----------
    tau : float
        The correlation, from -1 to 1.
    m : int
        The number of systems.
    level : float
        The confidence level.

    Returns
    -------
    tuple of float
        The lower and the upper bound.

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, equation (1).

    Examples
    --------
    >>> low, high = tau_interval(0.9, 25)
    >>> round(low, 3), round(high, 3)
    (0.389, 0.987)
    """
    from scipy.special import ndtri

    if not -1 <= real_number(tau, "tau") <= 1:
        raise ValueError(f"'tau' must be from -1 to 1, not {tau!r}")
    if not real_number(m, "m") >= 1:
        raise ValueError(f"'m' must be a positive number of systems, not {m!r}")
    z = float(ndtri((1 + fraction(level, "level")) / 2))
    half = z * sqrt(2 / m) * sqrt(1 + 2 * z**2 / m - tau**2)
    return (tau - half) / (1 + 2 * z**2 / m), (tau + half) / (1 + 2 * z**2 / m)


def discriminative_power(y: Vector | ScoreTable, X: ScoreTable, alpha: float = 0.05) -> float:
    """The share of the significantly different pairs of systems that y orders as their mean scores do.

    Parameters
    ----------
    y, X
        As for `drank`.  A pair that is tied in y does not count as ordered like the means.
    alpha : float
        The significance level of the paired two-sided t test.

    Returns
    -------
    float
        From 0 to 1; nan if no pair differs significantly.

    References
    ----------
    B. Carterette (2009). On Rank Correlation and the Distance Between Rankings. SIGIR, sections 2.1 and 3.1.

    Examples
    --------
    >>> AP = [[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]]
    >>> discriminative_power([2, 3, 1], AP)      # B, A, C
    0.5
    """
    alpha = fraction(alpha, "alpha")
    scores = Scores.of(X)
    ranks = scores.ranks(y)
    different = significant_pairs(scores, alpha)
    significant = kept = 0
    for i in range(scores.m - 1):
        means = scores.means[i] - scores.means[i + 1 :]
        significant += int(different[i, i + 1 :].sum())
        kept += int((different[i, i + 1 :] & (np.sign(ranks[i] - ranks[i + 1 :]) == np.sign(means))).sum())
    return kept / significant if significant else nan


def significant_pairs(scores: Scores, alpha: float) -> npt.NDArray[np.bool_]:
    """Which pairs of systems differ significantly by the paired two-sided t test: systems by systems, symmetric."""
    from scipy.special import stdtr

    different = np.zeros((scores.m, scores.m), dtype=bool)
    for i in range(scores.m - 1):
        differences = scores.values[:, [i]] - scores.values[:, i + 1 :]
        means = scores.means[i] - scores.means[i + 1 :]
        errors = differences.std(axis=0, ddof=1) / sqrt(scores.n)
        # A constant difference has t = inf and is significant; no difference at all has t = nan and is not.
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(means) / errors
        different[i, i + 1 :] = different[i + 1 :, i] = 2 * stdtr(scores.n - 1, -t) < alpha
    return different
