"""Cohen's kappa and Krippendorff's alpha of two judges who graded the same documents, from their confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


class Coefficients(NamedTuple):
    """Agreement between two judges; all but `agreement` are nan if one of them gave the same grade throughout."""

    agreement: float
    kappa: float
    kappa_linear: float
    kappa_quadratic: float
    alpha_nominal: float
    alpha_ordinal: float
    alpha_interval: float


UNDEFINED = Coefficients(*[nan] * len(Coefficients._fields))


def coefficients(confusion: Array, grades: Sequence[float]) -> Coefficients:
    """All coefficients of a confusion matrix.

    Parameters
    ----------
    confusion : array
        The number of documents with grade a by the first judge and grade b by the second, at [a, b].
    grades : sequence of numbers
        The grades, increasing.
    """
    used = np.flatnonzero(confusion.sum(axis=0) + confusion.sum(axis=1))
    if not used.size:
        return UNDEFINED
    counts = confusion[np.ix_(used, used)]
    agreement = float(np.trace(counts) / counts.sum())
    # By their formulas, kappa of a judge without distinctions is 0 and alpha is some number, whatever the other says.
    if any(np.count_nonzero(counts.sum(axis=k)) == 1 for k in (0, 1)):
        return UNDEFINED._replace(agreement=agreement)
    x = scaled([grades[a] for a in used.tolist()])
    pooled = counts.sum(axis=0) + counts.sum(axis=1)
    mid_ranks = np.cumsum(pooled) - pooled / 2
    return Coefficients(
        agreement,
        kappa(counts, nominal(used.size)),
        kappa(counts, distances(x)),
        kappa(counts, distances(x) ** 2),
        alpha(counts, nominal(used.size)),
        # Krippendorff's ordinal metric: the values from c to k, of which c and k count half.
        alpha(counts, distances(mid_ranks) ** 2),
        alpha(counts, distances(x) ** 2),
    )


def kappa(counts: Array, weights: Array) -> float:
    """1 - observed / expected disagreement, for a judge whose grades do not depend on the document (Cohen 1968)."""
    n = counts.sum()
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / n
    return float(1 - (weights * counts).sum() / (weights * expected).sum())


def alpha(counts: Array, metric: Array) -> float:
    """1 - observed / expected disagreement, for pairs of all grades of both judges (Krippendorff 2011)."""
    coincidences = counts + counts.T
    n_c = coincidences.sum(axis=0)
    n = n_c.sum()
    expected = np.outer(n_c, n_c) / (n - 1)  # Equal grades have distance 0, so the diagonal does not matter.
    return float(1 - (metric * coincidences).sum() / (metric * expected).sum())


def nominal(k: int) -> Array:
    """1 for each pair of different grades."""
    return 1 - np.eye(k)


def distances(x: Array) -> Array:
    """|x_a - x_b| for all pairs of grades."""
    return np.abs(np.subtract.outer(x, x))


def scaled(grades: Sequence[float]) -> Array:
    """The grades between 0 and 1; exact for grades of any size, and the coefficients do not depend on the scale."""
    low, high = Fraction(grades[0]), Fraction(grades[-1])
    return np.array([float((Fraction(grade) - low) / (high - low)) for grade in grades])


def jackknife(rows: Array, columns: Array, disagreement: Array, weights: Array) -> float:
    """The standard error of kappa over topics; nan if it is undefined without one of them, or for one topic.

    Parameters
    ----------
    rows, columns : array
        How often each judge gave each grade, topics by grades.
    disagreement : array
        For each topic, the sum of the weights of its documents.
    weights : array
        The weight of each pair of grades.
    """
    topics = len(rows)
    left_out = rows.sum(axis=0) - rows, columns.sum(axis=0) - columns
    expected = ((left_out[0] @ weights) * left_out[1]).sum(axis=1)
    if topics < 2 or not expected.all():
        return nan
    n = left_out[0].sum(axis=1)
    values = 1 - (disagreement.sum() - disagreement) * n / expected
    return float(np.sqrt((topics - 1) / topics * ((values - values.mean()) ** 2).sum()))
