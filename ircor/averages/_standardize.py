"""Scores made comparable between topics, before they are averaged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, overload

import numpy as np

from .._core.errors import InvalidValueError, Source
from .._core.options import STANDARDIZE, Standardization, one_of, positive_number, real_number
from .._core.text import listed
from .._core.types import Floats, Numbers, Rows
from ..data import Scores, ScoreSource
from ..rbase import r_ecdf, r_mean, r_sd

Standardized = TypeVar("Standardized")


@overload
def standardize(
    scores: Rows, method: Standardization, reference: ScoreSource | None = None, *, A: float = 0.15, B: float = 0.5
) -> Numbers: ...
@overload
def standardize(
    scores: Standardized,
    method: Standardization,
    reference: ScoreSource | None = None,
    *,
    A: float = 0.15,
    B: float = 0.5,
) -> Standardized: ...
def standardize(
    scores: Standardized | Rows,
    method: Standardization,
    reference: ScoreSource | None = None,
    *,
    A: float = 0.15,
    B: float = 0.5,
) -> Standardized | Numbers:
    """Standardize scores topic by topic, so that hard and easy topics weigh the same.

    On each topic, the mean m and the standard deviation s of the systems (R's, with n - 1, to the last bit), or their
    distribution, are the scale of a score x:

    - "z": (x - m) / s, the standardization of Webber et al.;
    - "N": the normal distribution function of x with m and s, which Webber et al. also use, from 0 to 1;
    - "U": the uniform one, A (x - m) / s + B cut at 0 and 1, the linear standardization of Sakai;
    - "E": the empirical one, the share of the systems with a score of x or less, of Urbano et al.

    A topic on which all systems have the same score has no scale.  Their scores stay as they are with "z", and are 1
    with the others, as in the analysis of Urbano et al.; the order of the systems does not depend on it.

    Parameters
    ----------
    scores : array, DataFrame, Scores or list of lists
        Topics by systems.
    method : {"z", "N", "U", "E"}
    reference : array, DataFrame or Scores, optional
        The systems that give the scale of each topic, such as those that took part in a track; by default the systems
        of the table itself.  Topics are matched by name if both tables have names, else by position.
    A, B : float
        The constants of "U": the share of a standard deviation, and the value of the mean.

    Returns
    -------
    array, DataFrame or Scores
        A table of the same kind, with the same names; an array for a list of lists.

    Raises
    ------
    TypeError, ValueError
        If a table is not one of finite scores, topics by systems; if a topic is not in the reference; or if all systems
        of the reference have one score on a topic, and a system of the table has another.

    References
    ----------
    W. Webber, A. Moffat and J. Zobel (2008). Score Standardization for Inter-Collection Comparison of Retrieval
    Systems. SIGIR.
    T. Sakai (2016). A Simple and Effective Approach to Score Standardisation. ICTIR.
    J. Urbano, H. Lima and A. Hanjalic (2019). A New Perspective on Score Standardization. SIGIR.

    Examples
    --------
    >>> X = [[0.1, 0.2, 0.3], [0.5, 0.9, 0.7]]
    >>> standardize(X, "z").round(6).tolist()
    [[-1.0, 0.0, 1.0], [-1.0, 1.0, 0.0]]
    >>> standardize(X, "E").round(3).tolist()
    [[0.333, 0.667, 1.0], [0.333, 1.0, 0.667]]
    """
    chosen = one_of(method, "method", STANDARDIZE.choices)
    constants = positive_number(A, "A"), real_number(B, "B")
    given: Any = scores
    table = Scores.of(given, "scores")
    scales = table.values if reference is None else scales_of(table, Scores.of(reference, "reference", rankable=False))
    values = np.array([SCALES[chosen](x, scale, *constants) for x, scale in zip(table.values, scales)])
    if reference is not None and chosen != "E":
        unscaled = (np.ptp(scales, axis=1) == 0)[:, None] & (table.values != scales[:, :1])
        table.refuse(unscaled, "cannot be standardized where all systems of the reference have one score")
    standardized: Standardized | Numbers = like(given, table, values, f"scores standardized by topic: {chosen}")
    return standardized


def z_score(x: Floats, scale: Floats, A: float, B: float) -> Floats:
    s = r_sd(scale)
    return (x - r_mean(scale)) / s if s > 0 else x


def normal(x: Floats, scale: Floats, A: float, B: float) -> Floats:
    from scipy.special import ndtr

    m, s = r_mean(scale), r_sd(scale)
    return np.asarray(ndtr((x - m) / s)) if s > 0 else np.where(x < m, 0.0, 1.0)


def uniform(x: Floats, scale: Floats, A: float, B: float) -> Floats:
    m, s = r_mean(scale), r_sd(scale)
    low, high = m - s * B / A, m + s * (1 - B) / A
    with np.errstate(invalid="ignore"):
        return np.where(x >= high, 1.0, np.where(x <= low, 0.0, (x - low) / (high - low) if high > low else 1.0))


def empirical(x: Floats, scale: Floats, A: float, B: float) -> Floats:
    return r_ecdf(scale)(x)


SCALES: dict[str, Callable[[Floats, Floats, float, float], Floats]] = {
    "z": z_score,
    "N": normal,
    "U": uniform,
    "E": empirical,
}


def scales_of(table: Scores, reference: Scores) -> Floats:
    """The scores of the reference on each topic of the table."""
    if not (table.named and reference.named):
        if table.n != reference.n:
            what = f"has {reference.n} topics, and "
            raise InvalidValueError(Source("reference"), (what, Source("scores"), f" has {table.n}"))
        return reference.values
    place = {topic: t for t, topic in enumerate(reference.topics)}
    if absent := [topic for topic in table.topics if topic not in place]:
        raise InvalidValueError(Source("reference"), f"does not have the topics {listed(map(repr, absent), 5)}")
    return reference.values[[place[topic] for topic in table.topics]]


def like(scores: Any, table: Scores, values: Floats, note: str) -> Any:
    """The values as a table of the same kind as the scores, with the same names."""
    if isinstance(scores, Scores):
        values.setflags(write=False)
        return replace(table, values=values, note="; ".join(filter(None, [table.note, note])))
    if not hasattr(scores, "columns"):
        return values
    if hasattr(scores, "set_column"):  # Arrow
        for name, column in zip(table.systems, values.T):
            scores = scores.set_column(scores.column_names.index(name), name, [column])
        return scores
    if not hasattr(scores, "index"):  # Polars
        return scores.with_columns(**{str(name): column for name, column in zip(table.systems, values.T)})
    frame = type(scores)(values, index=scores.index, columns=scores.columns)
    frame.attrs = {**scores.attrs, "notes": [*scores.attrs.get("notes", []), note]}
    return frame
