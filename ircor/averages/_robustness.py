"""Whether the ranking of systems depends on the transformation (Robertson 2006)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from .._methods import method_of
from .._options import shown
from .._result import Column, Result, Table
from .._scores import Scores, ScoreTable, tie_means
from .._text import listed
from .._types import MethodName
from ._means import mean_over_topics
from ._transforms import NAMED, Transform, transformation

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

# The changes of order that the printed report shows for each transformation.
CHANGES_SHOWN = 3


def robustness_to_transform(
    scores: ScoreTable,
    transforms: Sequence[Transform] = tuple(NAMED),
    method: MethodName = "tauAP_b",
    *,
    eps: float = 1e-5,
) -> TransformReport:
    """Rank systems by means after several transformations, and compare the rankings.

    Parameters
    ----------
    scores : 2-D array, DataFrame or Scores
        Topics by systems.
    transforms : sequence
        Transformations as for `transformed_mean`; by default all named ones.  Changes of order are relative to the
        first.
    method : str
        One of the six coefficients.
    eps : float
        As for `transformed_mean`.

    Returns
    -------
    TransformReport

    References
    ----------
    S. Robertson (2006). On GMAP - and Other Transformations. CIKM.

    Examples
    --------
    >>> scores = [[0.9, 0.5], [0.3, 0.2], [0.001, 0.2]]
    >>> report = robustness_to_transform(scores, ["identity", "log"], "tau_b")
    >>> report.rankings
    {'identity': (0, 1), 'log': (1, 0)}
    >>> print(report.changes[0])
    log ranks 1 above 0 because of topic 2
    """
    table = Scores.of(scores, "scores", rankable=False)
    if table.m < 2:
        raise ValueError(f"'scores' must have two systems or more, not {table.m}")
    coefficient = method_of(method)
    if not isinstance(transforms, Sequence) or isinstance(transforms, str) or not transforms:
        raise ValueError(f"'transforms' must be a list of one transformation or more, not {shown(transforms)}")
    names = [t if isinstance(t, str) else f"function {k}" for k, t in enumerate(transforms)]
    if len(set(names)) < len(names):
        raise ValueError(f"'transforms' must be different, not {', '.join(names)}")
    pairs = [transformation(t, table, eps) for t in transforms]
    transformed = [function(table.values) for function, _ in pairs]
    means = [tie_means(mean_over_topics(values), float(np.abs(values).max())) for values in transformed]
    return TransformReport(
        transforms=tuple(names),
        systems=table.systems,
        means=np.array([inverse(mean) for (_, inverse), mean in zip(pairs, means)]),
        rankings={
            name: tuple(table.systems[i] for i in np.argsort(-mean, kind="stable")) for name, mean in zip(names, means)
        },
        method=method,
        correlations=np.array([[coefficient(x, y) for y in means] for x in means]),
        changes=tuple(
            change
            for name, values, mean in zip(names[1:], transformed[1:], means[1:])
            for change in order_changes(table, means[0], name, values, mean)
        ),
    )


def order_changes(scores: Scores, first: Array, name: str, values: Array, mean: Array) -> Iterator[OrderChange]:
    """The pairs i, j with i ahead by the means `first`, and j ahead by the means `mean` of the transformed values."""
    for i, j in np.argwhere((first[:, None] > first) & (mean[:, None] < mean)):
        for_j = values[:, j] - values[:, i]
        strongest = np.argsort(-for_j, kind="stable")
        # The sum over the remaining topics after one, two, ... of the topics strongest for j are removed.
        remaining = for_j.sum() - np.cumsum(for_j[strongest])
        enough = int(np.argmax(remaining <= 0)) + 1
        topics = tuple(scores.topics[t] for t in strongest[:enough])
        yield OrderChange(scores.systems[i], scores.systems[j], name, topics)


CHANGE_COLUMNS = (
    Column("transform"),
    Column("worse", "ranks", text=str),
    Column("better", "above", text=str),
    Column("topics", "because of topics", text=listed),
)


@dataclass(frozen=True)
class OrderChange(Result):
    """A pair of systems that a transformation ranks in the opposite order.

    Attributes
    ----------
    better, worse : hashable
        The systems, as the first transformation ranks them.
    transform : str
        The transformation that ranks them in the opposite order.
    topics : tuple
        The fewest topics whose removal would undo that: those with the largest differences in favour of `worse`.
    """

    better: Hashable
    worse: Hashable
    transform: str
    topics: tuple[Hashable, ...]

    def row(self) -> tuple[str, Hashable, Hashable, tuple[Hashable, ...]]:
        return self.transform, self.worse, self.better, self.topics

    def pair(self) -> str:
        noun = "topic" if len(self.topics) == 1 else "topics"
        return f"{self.worse} above {self.better} because of {noun} {listed(self.topics)}"

    def tables(self) -> list[Table]:
        """The change in one row."""
        return [Table("change", CHANGE_COLUMNS, [self.row()])]

    def __str__(self) -> str:
        return f"{self.transform} ranks {self.pair()}"


@dataclass(frozen=True, eq=False)
class TransformReport(Result):
    """How the ranking of systems depends on the transformation.

    Attributes
    ----------
    transforms : tuple of str
    systems : tuple
    means : numpy.ndarray
        Transformations by systems, on the scale of the values.
    rankings : dict
        The systems, best first, by each transformation.
    method : str
        The coefficient.
    correlations : numpy.ndarray
        The coefficient of each transformation's ranking (row, x) with each (column, y).
    changes : tuple of OrderChange
        The pairs that a transformation ranks in the opposite order of the first one.
    """

    transforms: tuple[str, ...]
    systems: tuple[Hashable, ...] = field(repr=False)
    means: Array = field(repr=False)
    rankings: dict[str, tuple[Hashable, ...]] = field(repr=False)
    method: MethodName
    correlations: Array = field(repr=False)
    changes: tuple[OrderChange, ...] = field(repr=False)

    def tables(self) -> list[Table]:
        """The correlations, and all changes of order."""
        columns = [Column("transform", self.method), *(Column(name) for name in self.transforms)]
        rows = [[name, *map(float, row)] for name, row in zip(self.transforms, self.correlations)]
        changes = [change.row() for change in self.changes]
        return [Table("correlations", columns, rows), Table("changes", CHANGE_COLUMNS, changes)]

    def as_dict(self) -> dict[str, Any]:
        """The coefficient, the correlations and all changes of order, for JSON."""
        return {"method": self.method} | super().as_dict()

    def sentences(self) -> list[str]:
        """How many pairs each transformation ranks in the opposite order of the first one."""
        pairs = len(self.systems) * (len(self.systems) - 1) // 2
        first = self.transforms[0]
        return [
            f"{name} ranks {len(self.changes_by(name))} of {pairs} pairs in the opposite order of {first}"
            for name in self.transforms[1:]
        ]

    def changes_by(self, transform: str) -> list[OrderChange]:
        return [change for change in self.changes if change.transform == transform]

    def __str__(self) -> str:
        lines = [self.tables()[0].as_text()]
        for name, sentence in zip(self.transforms[1:], self.sentences()):
            lines += [sentence, *(f"  {change.pair()}" for change in self.changes_by(name)[:CHANGES_SHOWN])]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [self.tables()[0].as_html()]
        for name, sentence in zip(self.transforms[1:], self.sentences()):
            rows = [change.row() for change in self.changes_by(name)[:CHANGES_SHOWN]]
            parts += [f"<p>{escape(sentence)}</p>", Table("changes", CHANGE_COLUMNS, rows).as_html()]
        return "\n".join(part for part in parts if part)
