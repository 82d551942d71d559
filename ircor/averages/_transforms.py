"""The transformations of a measure and their inverses, checked against the values that they will be applied to."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, TypeAlias

import numpy as np

from .._options import one_of, real_number, shown
from .._scores import Scores

Function: TypeAlias = Callable[[Any], Any]
Pair: TypeAlias = tuple[Function, Function]
Transform: TypeAlias = str | Pair
"""The name of a transformation, or an increasing function with its inverse."""

# A smaller number has no accurate reciprocal.
LEAST_EPS = 1e-300


def transformation(transform: Transform, scores: Scores, eps: float) -> Pair:
    """A transformation and its inverse.  An error if a score has no finite transform."""
    if real_number(eps, "eps") and not LEAST_EPS <= eps < inf:
        raise ValueError(f"'eps' must be 0, or from {LEAST_EPS:g} up, not {eps!r}")
    if isinstance(transform, str):
        return NAMED[one_of(transform, "transform", NAMED)](scores, float(eps))
    return increasing(transform, scores)


def identity(scores: Scores, eps: float) -> Pair:
    return (lambda x: x), (lambda mean: mean)


def logarithm(scores: Scores, eps: float) -> Pair:
    """log(x), or log(x / eps + 1), which is log(x + eps) - log(eps) but keeps the digits of an x below eps."""
    scores.refuse(scores.values + eps <= 0, "must be positive for the log")
    if eps == 0:
        return np.log, np.exp
    return (lambda x: np.log1p(x / eps)), (lambda mean: eps * np.expm1(mean))


def log_odds(scores: Scores, eps: float) -> Pair:
    """log((p + eps) / (1 - p + eps))."""
    from scipy.special import expit

    refuse_outside_0_to_1(scores, eps, "logit")

    def inverse(mean: Any) -> Any:
        return expit(mean) - eps * np.tanh(-mean / 2)

    # 1 - p is exact for p near 1, so no digits are lost there.
    return (lambda p: np.log(p + eps) - np.log(1 - p + eps)), inverse


def normal_quantile(scores: Scores, eps: float) -> Pair:
    """The normal quantile of (p + eps) / (1 + 2 eps)."""
    from scipy.special import ndtr, ndtri

    refuse_outside_0_to_1(scores, eps, "probit")

    def probit(p: Any) -> Any:
        # By symmetry from the nearer end of the scale, where numbers have more digits.
        nearer = np.minimum(p, 1 - p)
        return np.where(p < 0.5, 1, -1) * ndtri((nearer + eps) / (1 + 2 * eps))

    return probit, lambda mean: ndtr(mean) * (1 + 2 * eps) - eps


def rank_in_table(scores: Scores, eps: float) -> Pair:
    """The rank of a value among all values of the table; the inverse interpolates between them."""
    from scipy.stats import rankdata

    values = scores.values.ravel()
    ranks = rankdata(values)
    known, first = np.unique(ranks, return_index=True)
    return (lambda x: ranks.reshape(x.shape)), (lambda mean: np.interp(mean, known, values[first]))


NAMED: dict[str, Callable[[Scores, float], Pair]] = {
    "identity": identity,
    "log": logarithm,
    "logit": log_odds,
    "probit": normal_quantile,
    "rank": rank_in_table,
}


def increasing(transform: Any, scores: Scores) -> Pair:
    """A user's function and its inverse, tried on all values."""
    if not (isinstance(transform, (tuple, list)) and len(transform) == 2 and all(map(callable, transform))):
        raise TypeError(f"'transform' must be a name or a pair of functions, not {shown(transform)}")
    function, inverse = transform
    values = np.unique(scores.values)
    try:
        images = np.asarray(function(values), dtype=np.float64)
    except TypeError as error:
        raise TypeError(f"the functions of 'transform' must take arrays: {error}") from None
    if images.shape != values.shape or not np.isfinite(images).all() or not (np.diff(images) > 0).all():
        raise ValueError("'transform' must be finite and increasing on the values")
    return function, inverse


def refuse_outside_0_to_1(scores: Scores, eps: float, name: str) -> None:
    scores.refuse((scores.values < 0) | (scores.values > 1), f"must be from 0 to 1 for the {name}")
    if eps == 0:
        ends = (scores.values == 0) | (scores.values == 1)
        scores.refuse(ends, f"must be neither 0 nor 1 for the {name} without 'eps'")
