"""Strictness and robustness: two criteria by which the paper compares evaluation measures, section 4.1."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np

from .._core.errors import Argument, InvalidTypeError, InvalidValueError
from .._core.types import Floats, Frame, Numbers, Rows
from .._core.vectors import number_table
from .._extras import extra
from ..data import is_read, scores_by_measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

SCORES = Argument("scores")

Cube: TypeAlias = "Sequence[Rows]"
"""A list of tables, each a list of rows."""


@overload
def strictness(scores: Frame) -> pandas.Series[float]: ...
@overload
def strictness(scores: Numbers | Cube) -> Floats: ...
def strictness(scores: Frame | Numbers | Cube) -> Floats | pandas.Series[float]:
    """Whether a high rank under each measure implies a high rank under all others; 0 is best.

    Let rank_m(o, t) be the rank of system o for topic t under measure m: 1 for the best system, and the mean of their
    ranks for tied ones.  Then ::

        strictness(m) = -max over o, t and m' of (rank_m'(o, t) - rank_m(o, t)) / number of systems,

    the largest drop of a system from its rank under m to its rank under another measure m'.

    Parameters
    ----------
    scores : array or pandas.DataFrame
        A 3-D array of systems by topics by measures; or scores by topic of several measures in any form that
        `ircor.trec.read_scores` reads, such as a DataFrame with (system, topic) as its index and one column for each
        measure, or one with the columns system, topic, measure and value.

    Returns
    -------
    numpy.ndarray or pandas.Series
        One number for each measure; a Series if `scores` is a DataFrame.

    Raises
    ------
    TypeError
        If `scores` has another shape or is not numeric.
    ValueError
        If a score is missing or repeated, or if there are fewer than two systems or two measures.

    Notes
    -----
    The paper numbers ranks from the worst system, so the difference has the opposite sign there.

    References
    ----------
    E. Amigo, J. Gonzalo and F. Verdejo (2013). A General Evaluation Measure for Document Organization Tasks. SIGIR,
    section 4.1.

    Examples
    --------
    Three systems, one topic, two measures.  The first system drops from rank 1 under the first measure to rank 3 under
    the second:

    >>> scores = [[[0.9, 0.1]], [[0.8, 0.2]], [[0.7, 0.3]]]
    >>> strictness(scores)
    array([-0.66666667, -0.66666667])
    """
    cube, labelled = score_cube(scores)
    systems, _, measures = cube.shape
    if measures < 2:
        raise InvalidValueError(
            None, "strictness compares measures", (SCORES, f" must have two or more, not {measures}")
        )
    rank = system_ranks(cube)
    drop = rank.max(axis=2, keepdims=True) - rank
    return labelled(-drop.max(axis=(0, 1)) / systems)


@overload
def robustness(scores: Frame) -> pandas.Series[float]: ...
@overload
def robustness(scores: Numbers | Cube) -> Floats: ...
def robustness(scores: Frame | Numbers | Cube) -> Floats | pandas.Series[float]:
    """How similarly each measure ranks the systems for different topics; 1 is best.

    The robustness of a measure is the mean, over all pairs of topics, of Spearman's correlation between the rankings of
    the systems for the two topics.

    Parameters
    ----------
    scores : array or pandas.DataFrame
        As for `strictness`.

    Returns
    -------
    numpy.ndarray or pandas.Series
        One number for each measure; nan if all systems have the same score for some topic.

    Raises
    ------
    TypeError
        If `scores` has another shape or is not numeric.
    ValueError
        If a score is missing or repeated, or if there are fewer than two systems or two topics.

    Warns
    -----
    UserWarning
        If the robustness of a measure is nan.

    References
    ----------
    E. Amigo, J. Gonzalo and F. Verdejo (2013). A General Evaluation Measure for Document Organization Tasks. SIGIR,
    section 4.1.

    Examples
    --------
    >>> scores = [[[0.9], [0.5]], [[0.8], [0.6]], [[0.7], [0.1]]]
    >>> robustness(scores)
    array([0.5])
    """
    cube, labelled = score_cube(scores)
    _, topics, measures = cube.shape
    if topics < 2:
        two = SCORES, f" must have two or more, not {topics}"
        raise InvalidValueError(None, "robustness compares topics", two)
    rank = system_ranks(cube)
    deviation = rank - rank.mean(axis=0)
    length = np.sqrt((deviation**2).sum(axis=0))
    if undefined := int(np.count_nonzero((length == 0).any(axis=0))):
        message = f"the robustness of {undefined} of {measures} measures is nan"
        warnings.warn(f"{message}: all systems have the same score for some topic", stacklevel=2)
    with np.errstate(invalid="ignore"):
        unit = deviation / length
    # The correlation of two topics is the inner product of their unit vectors.  The squared length of the sum of all
    # unit vectors is the sum of all these products, in both orders, and of `topics` ones for the products u u = 1.
    return labelled(((unit.sum(axis=1) ** 2).sum(axis=0) - topics) / (topics * (topics - 1)))


def system_ranks(cube: Floats) -> Floats:
    """The rank of each system for each topic and measure: 1 for the best, mean ranks for ties."""
    from scipy.stats import rankdata

    rank: Floats = rankdata(-cube, axis=0)
    return rank


def score_cube(scores: Any) -> tuple[Floats, Callable[[Floats], Any]]:
    """The scores as systems by topics by measures, and a function that labels one number for each measure."""

    def unlabelled(values: Floats) -> Any:
        return values

    labelled: Callable[[Floats], Any] = unlabelled
    scores = with_level_names(scores)
    if hasattr(scores, "columns") or is_read(scores):
        if not is_read(scores) and getattr(scores.columns, "nlevels", 1) == 1:
            columns = "the columns system, topic, measure and value"
            raise InvalidTypeError("scores", f"must have (system, topic) as its index, or {columns}")
        first, *others = scores_by_measure(scores, "scores").items()
        measures = [first[0], *(name for name, _ in others)]
        names: list[Sequence[Any]] = [first[1].systems, first[1].topics, measures]
        tables = [first[1], *(first[1].aligned(table) for _, table in others)]
        raw: Any = np.stack([table.values.T for table in tables], axis=2)

        def labelled(values: Floats) -> Any:
            Series = extra("pandas", "a table with names").Series

            return Series(values, index=measures)
    else:
        raw, _ = number_table(scores, "scores")
        if raw.ndim != 3:
            raise InvalidTypeError(
                "scores", f"must have three dimensions, systems by topics by measures, not {raw.ndim}"
            )
        names = [range(size) for size in raw.shape]
    cube = raw.astype(np.float64)
    if np.isnan(cube).any():
        o, t, m = np.argwhere(np.isnan(cube))[0]
        score = f"the score of system {names[0][o]} for topic {names[1][t]} under {names[2][m]}"
        raise InvalidValueError(None, f"{score} is missing")
    if cube.shape[0] < 2 or not cube.size:
        least = "two systems or more, a topic and a measure"
        raise InvalidValueError("scores", f"must have {least}; its shape is {cube.shape}")
    return cube, labelled


def with_level_names(scores: Any) -> Any:
    """The scores; two levels of an index without names are those of systems and topics."""
    index: Any = getattr(scores, "index", None)
    unnamed = getattr(index, "nlevels", 1) == 2 and not any(index.names)
    return scores.rename_axis(index=["system", "topic"]) if unnamed else scores
