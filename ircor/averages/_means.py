"""The transformations of a measure and their inverses, checked against the values that they will be applied to."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeAlias, cast, overload

import numpy as np

from .._core.errors import Argument, InvalidTypeError, InvalidValueError, Setting, must_be
from .._core.options import EPS, LEAST_POSITIVE, NO_LEAST, ZEROS, Zeros, one_of, real_number, whole_number
from .._core.types import Array, Floats, Frame, IndexedFrame, Number, Numbers, Rows, SeriesLike
from .._core.vectors import number_table
from .._extras import extra
from ..data import Scores, is_read

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

Function: TypeAlias = Callable[[Any], Any]
Pair: TypeAlias = tuple[Function, Function]
Transform: TypeAlias = str | Pair
"""The name of a transformation, or an increasing function with its inverse."""


def transformation(transform: Transform, scores: Scores, eps: float) -> Pair:
    """A transformation and its inverse.  An error if a score has no finite transform."""
    if real_number(eps, "eps") and not LEAST_POSITIVE <= eps < inf:
        raise InvalidValueError("eps", must_be(f"0, or from {LEAST_POSITIVE:g} up", eps))
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
    distinct, first = np.unique(ranks, return_index=True)
    return (lambda x: ranks.reshape(x.shape)), (lambda mean: np.interp(mean, distinct, values[first]))


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
        raise InvalidTypeError("transform", must_be("a name or a pair of functions", transform))
    function, inverse = transform
    values = np.unique(scores.values)
    try:
        images = np.asarray(function(values), dtype=np.float64)
    except TypeError as error:
        functions = "the functions of ", Argument("transform"), " must take arrays"
        raise InvalidTypeError(None, functions, str(error)) from None
    if images.shape != values.shape or not np.isfinite(images).all() or not (np.diff(images) > 0).all():
        raise InvalidValueError("transform", "must be finite and increasing on the values")
    return function, inverse


def refuse_outside_0_to_1(scores: Scores, eps: float, name: str) -> None:
    scores.refuse((scores.values < 0) | (scores.values > 1), f"must be from 0 to 1 for the {name}")
    if eps == 0:
        ends = (scores.values == 0) | (scores.values == 1)
        scores.refuse(ends, f"must be neither 0 nor 1 for the {name} without 'eps'")


OneSystem: TypeAlias = "Sequence[Number] | SeriesLike"
Values: TypeAlias = "OneSystem | Numbers | Rows | Frame | Scores"
OfSystems: TypeAlias = "pandas.Series[float]"
Means: TypeAlias = "float | Floats | OfSystems"

P = ParamSpec("P")


class MeanFunction(Protocol[P]):
    """A mean over topics: one system has a number, several have an array, or a Series if their table has an index."""

    @overload
    def __call__(self, values: OneSystem, *args: P.args, **kwargs: P.kwargs) -> float: ...
    @overload
    def __call__(self, values: IndexedFrame, *args: P.args, **kwargs: P.kwargs) -> OfSystems: ...
    @overload
    def __call__(self, values: Frame | Rows, *args: P.args, **kwargs: P.kwargs) -> Floats: ...
    @overload
    def __call__(self, values: Numbers, *args: P.args, **kwargs: P.kwargs) -> float | Floats: ...
    @overload
    def __call__(self, values: Scores, *args: P.args, **kwargs: P.kwargs) -> Means: ...


def of_topics(function: Callable[Concatenate[Any, P], Any]) -> MeanFunction[P]:
    """The same function, with the types of a mean over topics."""
    return cast("MeanFunction[P]", function)


@of_topics
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
    eps = EPS.checked(eps)
    refuse_negative(scores)
    if ZEROS.checked(zeros) == "add":
        # eps (exp(mean(log(x / eps + 1))) - 1): equation (3), with all digits of values below eps.
        ratios = x / eps
        mean = eps * np.expm1(mean_over_topics(np.log1p(ratios, out=ratios)))
    else:
        mean = np.exp(mean_over_topics(np.log(without_zeros(x, scores, eps, zeros))))
    return labelled(mean, values, scores)


@of_topics
def mean_log(values: Values, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> Means:
    """The mean of the logarithms over topics, which ranks systems as `gmean` does.

    Parameters, results and errors are those of `gmean`.  With zeros="add" it is the mean of log(x + eps), equation (3).

    Examples
    --------
    >>> round(mean_log([0.1, 0.4], zeros="strict"), 4)
    -1.6094
    """
    scores, x = topics_first(values, axis)
    eps = EPS.checked(eps)
    refuse_negative(scores)
    shifted = x + eps if ZEROS.checked(zeros) == "add" else without_zeros(x, scores, eps, zeros)
    return labelled(mean_over_topics(np.log(shifted)), values, scores)


@of_topics
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
    return transformed_mean(values, "logit", inverse=inverse, eps=EPS.checked(eps), axis=axis)


@of_topics
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


def topics_first(values: Any, axis: int) -> tuple[Scores, Floats]:
    """Check the values and put the topics first.

    Returns them as a table, and as an array that has one dimension if the values have one.
    """
    if (hasattr(values, "columns") or is_read(values)) and whole_number(axis, "axis", least=NO_LEAST) in (0, -2):
        scores = Scores.of(values, "values", rankable=False)
        return scores, scores.values
    raw: Array = values.values if isinstance(values, Scores) else number_table(values, "values")[0]
    if raw.ndim not in (1, 2):
        raise InvalidValueError("values", f"must have one or two dimensions, not {raw.ndim}")
    if not -raw.ndim <= whole_number(axis, "axis", least=NO_LEAST) < raw.ndim:
        of_values = f"must be one of the {raw.ndim} dimensions of ", Argument("values"), f", not {axis}"
        raise InvalidValueError("axis", of_values)
    scores = Scores.of(topics_by_systems(values, raw, axis), "values", rankable=False)
    return scores, scores.values if raw.ndim == 2 else scores.values[:, 0]


def topics_by_systems(values: Any, raw: Array, axis: int) -> Any:
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
    has_names = isinstance(values, Scores) or is_read(values) or hasattr(values, "index")
    return scores.series(mean) if has_names else mean


def mean_over_topics(x: Floats) -> Any:
    """The mean along the first axis.

    NumPy adds pairwise, and so accurately, only along contiguous memory.
    """
    return np.ascontiguousarray(np.moveaxis(x, 0, -1)).mean(axis=-1)


def without_zeros(x: Floats, scores: Scores, eps: float, zeros: str) -> Floats:
    """The values after one of the rules that change them one by one."""
    if zeros == "floor":
        return np.where(x == 0, eps, x)
    if zeros == "trec_eval":
        return np.maximum(x, eps)
    scores.refuse(scores.values == 0, ("must be positive with ", Setting("zeros", "strict", "'")))
    return x


def refuse_negative(scores: Scores) -> None:
    scores.refuse(scores.values < 0, "must not be negative")
