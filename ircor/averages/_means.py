"""Means over topics after a transformation, of one system or of each system of a table."""

from __future__ import annotations

from math import inf, log
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args, overload

import numpy as np

from .._extras import extra
from .._options import ANY, one_of, real_number, whole_number
from .._scores import Scores
from .._types import Frame, IndexedFrame, Number, Numbers, Rows, SeriesLike
from .._vectors import number_table
from ._transforms import LEAST_EPS, Transform, transformation

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    import pandas

    Array = npt.NDArray[np.float64]

Zeros = Literal["add", "floor", "trec_eval", "strict"]

OneSystem: TypeAlias = "Sequence[Number] | SeriesLike"
Values: TypeAlias = "OneSystem | Numbers | Rows | Frame | Scores"
OfSystems: TypeAlias = "pandas.Series[float]"
Means: TypeAlias = "float | Array | OfSystems"


@overload
def gmean(values: OneSystem, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> float: ...
@overload
def gmean(values: IndexedFrame, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> OfSystems: ...
@overload
def gmean(values: Frame | Rows, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> Array: ...
@overload
def gmean(values: Numbers, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> float | Array: ...
@overload
def gmean(values: Scores, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> Means: ...
def gmean(values: Values, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> Means:
    """The geometric mean over topics.  The geometric mean of average precision is GMAP.

    A change from 0.05 to 0.1 counts as much as a change from 0.25 to 0.5, so topics with low scores have more influence
    than on the mean.  One zero would make the geometric mean 0.  `zeros` is the rule that prevents it; do not compare
    means with different rules or different `eps`.

    Parameters
    ----------
    values : array, Series, DataFrame or Scores
        Topics, or topics by systems; not negative.
    eps : float
        The small number that replaces zero.
    zeros : {"add", "floor", "trec_eval", "strict"}
        "add" adds eps to all values and subtracts it from the mean, as in equation (3).  "floor" replaces zeros by eps,
        as in the TREC 2005 Robust track.  "trec_eval" replaces all values below eps by eps, as in trec_eval's gm_map.
        "strict" refuses zeros.
    axis : int
        The dimension of the topics if there are two.

    Returns
    -------
    float, numpy.ndarray or pandas.Series
        A float for one-dimensional values; otherwise one number for each system, as a Series if they have names.

    Raises
    ------
    TypeError
        If the values or eps are not numbers.
    ValueError
        If a value is missing or negative, or zero with zeros="strict"; if there are no topics; or if eps is not
        positive.

    References
    ----------
    S. Robertson (2006). On GMAP - and Other Transformations. CIKM, equations (2) and (3).

    Examples
    --------
    >>> round(gmean([0.1, 0.4]), 4)
    0.2
    >>> [round(gmean([0, 1e-6, 0.5], zeros=rule), 7) for rule in ("add", "floor", "trec_eval")]
    [0.0003703, 0.000171, 0.0003684]
    """
    scores, x = topics_first(values, axis)
    eps = positive_eps(eps)
    refuse_negative(scores)
    if one_of(zeros, "zeros", get_args(Zeros)) == "add":
        # eps (exp(mean(log(x / eps + 1))) - 1): equation (3), with all digits of values below eps.
        ratios = x / eps
        mean = eps * np.expm1(mean_over_topics(np.log1p(ratios, out=ratios)))
    else:
        mean = np.exp(mean_over_topics(np.log(without_zeros(x, scores, eps, zeros))))
    return labelled(mean, values, scores)


@overload
def mean_log(values: OneSystem, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> float: ...
@overload
def mean_log(values: IndexedFrame, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> OfSystems: ...
@overload
def mean_log(values: Frame | Rows, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> Array: ...
@overload
def mean_log(values: Numbers, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> float | Array: ...
@overload
def mean_log(values: Scores, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> Means: ...
def mean_log(values: Values, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> Means:
    """The mean of the logarithms over topics, which ranks systems as `gmean` does.

    Parameters, results and errors are those of `gmean`.  With zeros="add" it is the mean of log(x + eps), equation (3).

    Examples
    --------
    >>> round(mean_log([0.1, 0.4], zeros="strict"), 4)
    -1.6094
    """
    scores, x = topics_first(values, axis)
    eps = positive_eps(eps)
    refuse_negative(scores)
    add = one_of(zeros, "zeros", get_args(Zeros)) == "add"
    shifted = x + eps if add else without_zeros(x, scores, eps, zeros)
    return labelled(mean_over_topics(np.log(shifted)), values, scores)


@overload
def mean_logit(values: OneSystem, *, eps: float = 1e-5, inverse: bool = False, axis: int = 0) -> float: ...
@overload
def mean_logit(values: IndexedFrame, *, eps: float = 1e-5, inverse: bool = False, axis: int = 0) -> OfSystems: ...
@overload
def mean_logit(values: Frame | Rows, *, eps: float = 1e-5, inverse: bool = False, axis: int = 0) -> Array: ...
@overload
def mean_logit(values: Numbers, *, eps: float = 1e-5, inverse: bool = False, axis: int = 0) -> float | Array: ...
@overload
def mean_logit(values: Scores, *, eps: float = 1e-5, inverse: bool = False, axis: int = 0) -> Means: ...
def mean_logit(values: Values, *, eps: float = 1e-5, inverse: bool = False, axis: int = 0) -> Means:
    """The mean over topics of the log-odds, log((p + eps) / (1 - p + eps)), which stretches both ends of the scale.

    Parameters
    ----------
    values : array, Series, DataFrame or Scores
        Topics, or topics by systems, from 0 to 1.
    eps : float
        Keeps the log-odds of 0 and 1 finite.
    inverse : bool
        Whether to transform the mean back to the scale of the values.
    axis : int
        The dimension of the topics if there are two.

    Returns
    -------
    float, numpy.ndarray or pandas.Series
        As for `gmean`.

    References
    ----------
    S. Robertson (2006). On GMAP - and Other Transformations. CIKM, section 4.2.

    Examples
    --------
    >>> round(mean_logit([0.1, 0.9]), 10), round(mean_logit([0.1, 0.9], inverse=True), 10)
    (0.0, 0.5)
    """
    return transformed_mean(values, "logit", inverse=inverse, eps=positive_eps(eps), axis=axis)


@overload
def transformed_mean(
    values: OneSystem, transform: Transform, *, inverse: bool = True, eps: float = 0.0, axis: int = 0
) -> float: ...
@overload
def transformed_mean(
    values: IndexedFrame, transform: Transform, *, inverse: bool = True, eps: float = 0.0, axis: int = 0
) -> OfSystems: ...
@overload
def transformed_mean(
    values: Frame | Rows, transform: Transform, *, inverse: bool = True, eps: float = 0.0, axis: int = 0
) -> Array: ...
@overload
def transformed_mean(
    values: Numbers, transform: Transform, *, inverse: bool = True, eps: float = 0.0, axis: int = 0
) -> float | Array: ...
@overload
def transformed_mean(
    values: Scores, transform: Transform, *, inverse: bool = True, eps: float = 0.0, axis: int = 0
) -> Means: ...
def transformed_mean(
    values: Values, transform: Transform, *, inverse: bool = True, eps: float = 0.0, axis: int = 0
) -> Means:
    """The mean over topics after an increasing transformation of the values.

    Parameters
    ----------
    values : array, Series, DataFrame or Scores
        Topics, or topics by systems.
    transform : str or pair of functions
        "identity"; "log"; "logit", the log-odds; "probit", the normal quantile; "rank", the rank of a value among all
        values of the table; or a function and its inverse.  The function must be increasing on the values.
    inverse : bool
        Whether to transform the mean back to the scale of the values.
    eps : float
        Keeps the transforms of 0 and 1 finite: log(x + eps), and likewise at both ends for logit and probit.  With
        eps=0, values without a finite transform are refused.
    axis : int
        The dimension of the topics if there are two.

    Returns
    -------
    float, numpy.ndarray or pandas.Series
        As for `gmean`.

    Examples
    --------
    >>> scores = [0.1, 0.4]
    >>> round(transformed_mean(scores, "log"), 4), round(transformed_mean(scores, (np.sqrt, np.square)), 4)
    (0.2, 0.225)
    """
    scores, x = topics_first(values, axis)
    function, back = transformation(transform, scores, eps)
    mean = mean_over_topics(function(x))
    if inverse:
        mean = back(mean)
    elif transform == "log" and eps > 0:
        # The transform was log(x / eps + 1).
        mean = mean + log(eps)
    return labelled(mean, values, scores)


def topics_first(values: Any, axis: int) -> tuple[Scores, Array]:
    """Check the values and put the topics first.

    Returns them as a table, and as an array that has one dimension if the values have one.
    """
    if hasattr(values, "columns") and whole_number(axis, "axis", least=ANY) in (0, -2):
        scores = Scores.of(values, "values", rankable=False)
        return scores, scores.values
    raw: npt.NDArray[Any] = values.values if isinstance(values, Scores) else number_table(values, "values")[0]
    if raw.ndim not in (1, 2):
        raise ValueError(f"'values' must have one or two dimensions, not {raw.ndim}")
    if not -raw.ndim <= whole_number(axis, "axis", least=ANY) < raw.ndim:
        raise ValueError(f"'axis' must be one of the {raw.ndim} dimensions of 'values', not {axis}")
    scores = Scores.of(topics_by_systems(values, raw, axis), "values", rankable=False)
    return scores, scores.values if raw.ndim == 2 else scores.values[:, 0]


def topics_by_systems(values: Any, raw: npt.NDArray[Any], axis: int) -> Any:
    """The values as a table with a row for each topic, with their names if they have any."""
    if raw.ndim == 1:
        return values.to_frame() if hasattr(values, "to_frame") else raw[:, None]
    if axis % 2 == 0:
        return values if hasattr(values, "columns") or isinstance(values, Scores) else raw
    if hasattr(values, "columns") and hasattr(values, "index"):
        DataFrame = extra("pandas", "a table with names").DataFrame

        return DataFrame(raw.T, index=values.columns, columns=values.index)
    return raw.T


def labelled(mean: Any, values: Any, scores: Scores) -> Any:
    """The mean of one system as a float; of several systems as a Series if their names are in an index."""
    if np.ndim(mean) == 0:
        return float(mean)
    # A Polars table has names but no index, and its user may not have pandas.
    return scores.series(mean) if isinstance(values, Scores) or hasattr(values, "index") else mean


def mean_over_topics(x: Array) -> Any:
    """The mean along the first axis.

    NumPy adds pairwise, and so accurately, only along contiguous memory.
    """
    return np.ascontiguousarray(np.moveaxis(x, 0, -1)).mean(axis=-1)


def without_zeros(x: Array, scores: Scores, eps: float, zeros: str) -> Array:
    """The values after one of the rules that change them one by one."""
    if zeros == "floor":
        return np.where(x == 0, eps, x)
    if zeros == "trec_eval":
        return np.maximum(x, eps)
    scores.refuse(scores.values == 0, "must be positive with zeros='strict'")
    return x


def refuse_negative(scores: Scores) -> None:
    scores.refuse(scores.values < 0, "must not be negative")


def positive_eps(eps: float) -> float:
    number = real_number(eps, "eps")
    if not LEAST_EPS <= number < inf:
        raise ValueError(f"'eps' must be a positive number, from {LEAST_EPS:g} up, not {eps!r}")
    return number
