"""R's `cor.test`."""

from __future__ import annotations

import warnings
from math import atanh, copysign, inf, isfinite, isnan, nan, sqrt, tanh
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from .._core.errors import InvalidValueError
from .._core.options import flag, fraction, one_of
from .._core.types import Floats, Vector
from .._core.vectors import numeric_vector
from .._kernel import Dominance, Ranking
from ._extended import extended, total
from ._rank import r_rank
from ._sums import mean_of

TestMethod = Literal["kendall", "spearman", "pearson"]
Alternative = Literal["two.sided", "less", "greater"]

EXACT_KENDALL = 50
"""From this number of pairs on, R has a normal approximation for Kendall's tau by default."""

EXACT_SPEARMAN = 1290
"""Up to this number, R has the distribution of Spearman's statistic, or its Edgeworth series."""

COUNTED_SPEARMAN = 9
"""Up to this number, R counts all permutations."""

MESSAGE_TIES = "Cannot compute exact p-value with ties"


class CorTest(NamedTuple):
    """The result of `r_cor_test`.

    Attributes
    ----------
    estimate : float
        The coefficient; nan if it is undefined.
    statistic : float
        R's statistic: t of Pearson; S of Spearman; of Kendall the number of concordant pairs if `exact`, else z.
    p_value : float
    parameter : float
        The degrees of freedom of Pearson's t, otherwise nan.
    interval : tuple of float
        The confidence interval of Pearson's coefficient by Fisher's transformation, otherwise of nan.
    exact : bool
        Whether the p-value is of the distribution over permutations (of Spearman from n = 10 on, its Edgeworth series),
        and not of an approximation by the normal or the t distribution.
    method, alternative : str
    """

    estimate: float
    statistic: float
    p_value: float
    parameter: float
    interval: tuple[float, float]
    exact: bool
    method: str
    alternative: str


def r_cor_test(
    x: Vector,
    y: Vector,
    method: TestMethod = "pearson",
    alternative: Alternative = "two.sided",
    exact: bool | None = None,
    continuity: bool = False,
    conf_level: float = 0.95,
) -> CorTest:
    """Test whether a correlation is 0, as R's `cor.test`.

    SciPy has other p-values by default.  `scipy.stats.kendalltau` is exact up to n = 33, and R below 50; it has no
    correction for continuity, and refuses an exact test with ties.  `scipy.stats.spearmanr` has the t distribution for
    any n, and R an Edgeworth series.  `scipy.stats.pearsonr` agrees.

    Parameters
    ----------
    x, y : numeric vector
        Pairs with a missing value are left out, as in R.
    method : {"kendall", "spearman", "pearson"}
    alternative : {"two.sided", "less", "greater"}
    exact : bool, optional
        Whether the p-values of Kendall and Spearman are exact.  By default they are for fewer than 50 pairs (Kendall)
        or for 1,290 pairs or fewer (Spearman).  With ties they never are: R warns, and so does this function if
        `exact` is not False.
    continuity : bool
        Whether to correct the approximate p-values of Kendall and Spearman for continuity.
    conf_level : float
        The level of the interval of Pearson's coefficient.

    Returns
    -------
    CorTest

    Raises
    ------
    TypeError, ValueError
        If x or y is not a numeric vector, they differ in length, or there are fewer than two pairs (Pearson: three).

    References
    ----------
    D. J. Best and D. E. Roberts (1975). Algorithm AS 89: The Upper Tail Probabilities of Spearman's rho. Applied
    Statistics 24, 377-379.
    M. Hollander and D. A. Wolfe (1973). Nonparametric Statistical Methods.

    Examples
    --------
    >>> result = r_cor_test([1, 2, 3, 4, 5, 6], [2, 3, 1, 4, 6, 5], "kendall")
    >>> round(result.estimate, 2), result.statistic, round(result.p_value, 4), result.exact
    (0.6, 12.0, 0.1361, True)
    """
    kind = one_of(method, "method", get_args(TestMethod))
    alternative_ = one_of(alternative, "alternative", get_args(Alternative))
    correct, level = flag(continuity, "continuity"), fraction(conf_level, "conf_level")
    exact = None if exact is None else flag(exact, "exact")
    a, b = (numeric_vector(vector, name).astype(np.float64) for vector, name in ((x, "x"), (y, "y")))
    if len(a) != len(b):
        raise InvalidValueError(None, "'x' and 'y' must have the same length")
    both = ~(np.isnan(a) | np.isnan(b))
    a, b = a[both], b[both]
    if len(a) < (3 if kind == "pearson" else 2):
        raise InvalidValueError(None, "not enough finite observations")
    if kind == "pearson":
        return pearson(a, b, alternative_, level)
    has_ties = min(len(np.unique(a)), len(np.unique(b))) < len(a)
    wanted = exact is not False if kind == "spearman" else len(a) < EXACT_KENDALL if exact is None else exact
    counted = wanted and not has_ties
    result = (kendall if kind == "kendall" else spearman)(a, b, alternative_, counted, correct)
    if wanted and has_ties and not isnan(result.estimate):
        warnings.warn(MESSAGE_TIES, stacklevel=2)
    return result


def correlation(a: Floats, b: Floats) -> float:
    """Pearson's coefficient as R's `cor` computes it; nan if one of the vectors is constant."""
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return nan
    n = extended(len(a) - 1.0)[()]
    residuals = [residuals_of(extended(values)) for values in (a, b)]
    deviations = [float(np.sqrt(total(r * r) / n)) for r in residuals]
    if 0 in deviations:
        return nan
    covariance = float(total(residuals[0] * residuals[1]) / n)
    return max(-1.0, min(1.0, covariance / (deviations[0] * deviations[1])))


def residuals_of(numbers: Any) -> Any:
    """The differences from the mean as a double."""
    return numbers - extended(float(mean_of(numbers, second_pass=True)))[()]


def pearson(a: Floats, b: Floats, alternative: str, level: float) -> CorTest:
    """Pearson's coefficient, with Student's t and Fisher's transformation."""
    from scipy.special import ndtri

    r, df = correlation(a, b), len(a) - 2
    t = nan if isnan(r) else sqrt(df) * r / sqrt(1 - r * r) if abs(r) < 1 else copysign(inf, r)
    interval = nan, nan
    if len(a) > 3 and not isnan(r):
        z = atanh(r) if abs(r) < 1 else copysign(inf, r)
        share = (1 + level) / 2 if alternative == "two.sided" else level
        half = float(ndtri(share)) / sqrt(len(a) - 3)
        low, high = (-inf if alternative == "less" else z - half), (inf if alternative == "greater" else z + half)
        interval = tanh(low), tanh(high)
    p = p_of(*t_tails(t, df), alternative)
    return CorTest(r, t, p, df, interval, False, "Pearson's product-moment correlation", alternative)


def kendall(a: Floats, b: Floats, alternative: str, exact: bool, correct: bool) -> CorTest:
    """Kendall's tau-b, with the distribution over permutations, or a normal one with the variance for ties."""
    from scipy.special import ndtr

    n = len(a)
    # As ranks: the kernel would tie values that differ after the 15th digit only.
    d = Dominance(*(Ranking(np.unique(values, return_inverse=True)[1].ravel()) for values in (a, b)))
    T0 = n * (n - 1) / 2
    T1, T2 = d.x.tied_pairs, d.y.tied_pairs
    S: float = d.concordant - d.discordant
    name = "Kendall's rank correlation tau"
    if T0 in (T1, T2):
        return CorTest(nan, nan, nan, nan, (nan, nan), exact, name, alternative)
    r = S / (sqrt(T0 - T1) * sqrt(T0 - T2))
    if exact:
        q = d.concordant
        shares = inversions(n)
        below, above = (min(1.0, float(tail.sum())) for tail in (shares[: q + 1], shares[q:]))
        p = p_of(below, above, alternative)
        return CorTest(r, float(q), p, nan, (nan, nan), True, name, alternative)
    (v, v1x, v2x), (u, v1y, v2y) = (tie_sums(values) for values in (a, b))
    variance = (n * (n - 1) * (2 * n + 5) - v - u) / 18 + v1x * v1y / (2 * n * (n - 1))
    variance += v2x * v2y / (9 * n * (n - 1) * (n - 2)) if n > 2 else 0
    if correct:
        S = np.sign(S) * (abs(S) - 1)
    z = float(S / sqrt(variance)) if variance > 0 else nan
    p = p_of(float(ndtr(z)), float(ndtr(-z)), alternative)
    return CorTest(r, z, p, nan, (nan, nan), False, name, alternative)


def tie_sums(values: Floats) -> tuple[int, int, int]:
    """The sums over the groups of t equal values: of t (t - 1) (2 t + 5), t (t - 1), and t (t - 1) (t - 2)."""
    t = np.unique(values, return_counts=True)[1].astype(object)
    pairs = t * (t - 1)
    return sum(pairs * (2 * t + 5)), sum(pairs), sum(pairs * (t - 2))


def inversions(n: int) -> Floats:
    """The share of the permutations of n values that have 0, 1, 2 and more inversions."""
    shares = np.ones(1)
    for m in range(2, n + 1):
        shares = np.convolve(shares, np.full(m, 1 / m))
    return shares


def spearman(a: Floats, b: Floats, alternative: str, exact: bool, correct: bool) -> CorTest:
    """Spearman's rho, with the distribution over permutations, its Edgeworth series, or Student's t."""
    n, name = len(a), "Spearman's rank correlation rho"
    r = correlation(r_rank(a).astype(np.float64), r_rank(b).astype(np.float64))
    exact = exact and n <= EXACT_SPEARMAN
    if isnan(r):
        return CorTest(nan, nan, nan, nan, (nan, nan), exact, name, alternative)
    q = (n**3 - n) * (1 - r) / 6
    if exact:
        # The sums of squares are even: below q + 2 is up to q.
        upper, lower = rho_from(round(q), n), 1 - rho_from(round(q) + 2, n)
    else:
        den = n * (n**2 - 1) / 6 + (1 if correct else 0)
        r_ = 1 - q / den
        t = r_ / sqrt((1 - r_ * r_) / (n - 2)) if n > 2 and abs(r_) < 1 else copysign(inf, r_) if n > 2 else nan
        upper, lower = t_tails(t, n - 2)
    # A large sum of squares is a small coefficient.
    p = {"less": upper, "greater": lower}.get(alternative, 2 * (upper if q > (n**3 - n) / 6 else lower))
    p = 1.0 if p > 1 else p
    return CorTest(r, q, p, nan, (nan, nan), exact, name, alternative)


def rho_from(s: int, n: int) -> float:
    """The chance that Spearman's sum of squared differences of ranks is s or more."""
    if s <= 0:
        return 1.0
    if s > n * (n**2 - 1) / 3:
        return 0.0
    if n <= COUNTED_SPEARMAN:
        shares = squared_differences(n)
        return float(shares[s:].sum() / shares.sum())
    return edgeworth(s, n)


def squared_differences(n: int) -> Floats:
    """How many permutations of n ranks have each sum of squared differences."""
    most = n * (n**2 - 1) // 3
    counts = {0: np.zeros(most + 1)}
    counts[0][0] = 1
    for k in range(n):
        longer: dict[int, Floats] = {}
        for used, before in counts.items():
            for rank in range(n):
                if not used >> rank & 1:
                    key, more = used | 1 << rank, (rank - k) ** 2
                    sums = longer.setdefault(key, np.zeros(most + 1))
                    sums[more:] += before[: most + 1 - more]
        counts = longer
    return counts[2**n - 1]


def edgeworth(s: int, n: int) -> float:
    """The upper tail of Spearman's sum by the Edgeworth series of AS 89."""
    from scipy.special import ndtr

    b = 1 / n
    x = (6 * (s - 1) * b / (n * n - 1.0) - 1) * sqrt(n - 1)
    y = x * x
    inner = 0.0879 + 0.0151 * b - y * (0.0072 - 0.0831 * b + y * b * (0.0131 - 4.6e-4 * y))
    u = x * b * (0.2274 + b * (0.2531 + 0.1745 * b) + y * (-0.0758 + b * (0.1033 + 0.3932 * b) - y * b * inner))
    return min(1.0, max(0.0, u / float(np.exp(y / 2)) + float(ndtr(-x))))


def t_tails(t: float, df: int) -> tuple[float, float]:
    """The lower and the upper tail of Student's t."""
    from scipy.special import stdtr

    if isnan(t) or df < 1:
        return nan, nan
    if not isfinite(t):
        return (1.0, 0.0) if t > 0 else (0.0, 1.0)
    return float(stdtr(df, t)), float(stdtr(df, -t))


def p_of(lower: float, upper: float, alternative: str) -> float:
    """The p-value by the two tails."""
    if alternative == "two.sided":
        return min(1.0, 2 * min(lower, upper)) if not isnan(lower) else nan
    return lower if alternative == "less" else upper
