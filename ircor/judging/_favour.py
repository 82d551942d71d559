"""What a judge's grades give to the first documents of each system, beyond what their grades in the truth explain."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from heapq import nlargest
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._significance import holm
from ._sources import Judgments

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

# The fewest topics for an interval.
LEAST_TOPICS = 3
# Differences below this share of the highest grade are rounding errors.
ROUNDING = 1e-12


def first_documents(scores: Mapping[Any, float], depth: int) -> list[Any]:
    """The first documents of a topic by decreasing score, then by decreasing id, as trec_eval ranks them."""
    return nlargest(depth, scores, key=lambda doc: (scores[doc], str(doc)))


class Cells(NamedTuple):
    """Topics by systems: the mean grades of the documents that both judged, nan without any.

    Attributes
    ----------
    truth, judge : array
        The mean grades.
    gain : array
        The mean of the judge's grade beyond its mean among documents of the topic with the same grade in the truth.
    judged : int
        The number of documents in all cells.
    grades : pair of set
        The grades by the truth and by the judge of all documents of these topics that both judged.
    differ : bool
        Whether two systems have different documents in any topic.
    """

    truth: Array
    judge: Array
    gain: Array
    judged: int
    grades: tuple[set[float], set[float]]
    differ: bool = True

    @classmethod
    def of(
        cls,
        first: Sequence[Mapping[Hashable, Sequence[Hashable]]],
        truth: Judgments,
        judge: Judgments,
        topics: Sequence[Hashable],
    ) -> Cells:
        """From the first documents of each system: {topic: [doc, ...]}."""
        means = np.full((3, len(topics), len(first)), nan)
        judged, differ = 0, False
        grades: tuple[set[float], set[float]] = set(), set()
        for t, topic in enumerate(topics):
            a, b = truth[topic], judge[topic]
            documents = [[doc for doc in run.get(topic, ()) if doc in a and doc in b] for run in first]
            differ = differ or len({frozenset(docs) for docs in documents}) > 1
            reference: dict[float, list[float]] = {}
            for doc in dict.fromkeys(doc for docs in documents for doc in docs):
                reference.setdefault(a[doc], []).append(b[doc])
            expected = {grade: sum(given) / len(given) for grade, given in reference.items()}
            for s, docs in enumerate(documents):
                if docs:
                    columns = zip(*((a[doc], b[doc], b[doc] - expected[a[doc]]) for doc in docs))
                    means[:, t, s] = [sum(column) / len(docs) for column in columns]
                judged += len(docs)
            for doc in a.keys() & b.keys():
                grades[0].add(a[doc])
                grades[1].add(b[doc])
        return cls(means[0], means[1], means[2], judged, grades, differ)


def favours(cells: Cells, level: float) -> list[tuple[float, float, float, float]]:
    """For each system the favour, its limits, and its adjusted p-value."""
    from scipy.special import stdtr, stdtrit

    # A topic of one system tells nothing: the system would be compared with itself.
    gain = cells.gain[np.count_nonzero(~np.isnan(cells.gain), axis=1) > 1]
    gain = gain - mean_without_nan(gain, axis=1)[:, None]
    columns = [column[~np.isnan(column)] for column in gain.T]
    tested = [s for s, column in enumerate(columns) if len(column) >= LEAST_TOPICS]
    found = [(nan, nan, nan, nan)] * len(columns)
    if min(map(len, cells.grades)) < 2 or not cells.differ:
        return found
    none = ROUNDING * max(map(abs, cells.grades[1]))
    for s in tested:
        x = columns[s]
        mean, error = float(x.mean()), float(x.std(ddof=1) / np.sqrt(len(x)))
        if np.abs(x).max() <= none:
            found[s] = 0.0, 0.0, 0.0, 1.0
        elif np.ptp(x) <= none:
            # The same in all topics: t is infinite, as for a pair of systems with a constant difference.
            found[s] = mean, mean, mean, 0.0
        else:
            width = stdtrit(len(x) - 1, 1 - (1 - level) / 2 / len(tested)) * error
            found[s] = mean, float(mean - width), float(mean + width), float(2 * stdtr(len(x) - 1, -abs(mean) / error))
    adjusted = holm(np.array([found[s][3] for s in tested]))
    for s, p in zip(tested, adjusted.tolist()):
        found[s] = *found[s][:3], p
    return found


def t_interval(x: Array, level: float) -> tuple[float, float, float]:
    """The mean and its t interval; no limits for fewer than three values."""
    from scipy.special import stdtrit

    if len(x) < LEAST_TOPICS:
        return float(x.mean()) if len(x) else nan, nan, nan
    width = stdtrit(len(x) - 1, (1 + level) / 2) * x.std(ddof=1) / np.sqrt(len(x))
    return float(x.mean()), float(x.mean() - width), float(x.mean() + width)


def mean_without_nan(x: Array, axis: int) -> Array:
    """The mean of the numbers that are there; nan, and no warning, if there is none."""
    there = np.count_nonzero(~np.isnan(x), axis=axis)
    return np.where(there > 0, np.nansum(x, axis=axis) / np.maximum(there, 1), nan)
