"""The rows of the tables about judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._result import Table
from .._scores import Scores
from .._text import listed, whole_if_whole
from ..rank_distance import DrankResult
from ..rbase import r_rank
from ._bias import Bias
from ._coefficients import Coefficient, Coefficients, Group
from ._inputs import Inputs
from ._labels import Agreement
from ._result import table_of
from ._significance import PairCounts, Significance

if TYPE_CHECKING:
    import numpy.typing as npt


class Found(NamedTuple):
    """What was found for one measure."""

    measure: str
    scores: list[Scores]
    coefficients: Coefficients
    distances: list[DrankResult | None]
    truth_pairs: Significance | None
    judge_pairs: list[Significance | None]
    pairs: list[PairCounts | None]

    @property
    def truth(self) -> Scores:
        return self.scores[0]


def main_tables(
    inputs: Inputs,
    found: Sequence[Found],
    agreements: Mapping[str, Agreement],
    biases: Mapping[str, Bias],
    overlap: int,
) -> list[Table]:
    """The tables for the screen."""
    coefficient_rows, test_rows, pair_rows = [], [], []
    for k, judge in enumerate(inputs.judges):
        for one in found:
            for head, group in groups(one.coefficients):
                for method, value in group.judges[k].items():
                    coefficient_rows.append((judge, one.measure, method, head, *with_interval(one, value)))
            test_rows.append((judge, one.measure, *test_row(one, k, overlap)))
            counts = one.pairs[k]
            if counts is not None:
                pair_rows.append(
                    (
                        judge,
                        one.measure,
                        *(counts.significant, counts.found, counts.missed, counts.reversed, counts.missed_opposite),
                        counts.extra,
                    )
                )
    difference_rows = [
        (inputs.judges[a], inputs.judges[b], one.measure, method, head, *with_interval(one, value))
        for one in found
        for head, group in groups(one.coefficients)
        for (a, b), by_method in group.differences.items()
        for method, value in by_method.items()
    ]
    label_rows = [label_row(judge, labels) for judge, labels in agreements.items()]
    favour_rows = [
        (judge, *one.leniency, one.pvalue, one.favoured, one.disfavoured, one.depth, one.judged, one.retrieved)
        for judge, one in biases.items()
    ]
    return [
        table_of("coefficients", coefficient_rows),
        table_of("tests", test_rows),
        table_of("pairs", pair_rows),
        table_of("differences", difference_rows),
        table_of("labels", label_rows),
        table_of("favours", favour_rows),
    ]


def with_interval(found: Found, value: Coefficient) -> tuple[Any, ...]:
    """The value, its interval unless there are no topics, and why it is missing."""
    interval = (None, None) if found.truth.n == 1 else (value.low, value.high)
    return value.value, *interval, value.reason


def groups(found: Coefficients) -> list[tuple[int | None, Group]]:
    """The coefficients over all systems, and at the top with its number of systems."""
    return [(None, found.all)] + ([(found.top.systems, found.top)] if found.top else [])


def label_row(judge: str, labels: Agreement) -> tuple[Any, ...]:
    coverage, values = labels.coverage, labels.coefficients
    return (
        judge,
        coverage.both,
        coverage.share_of_truth,
        values.agreement,
        values.kappa,
        *labels.limits["kappa"],
        values.kappa_linear,
        values.kappa_quadratic,
        *labels.limits["kappa_quadratic"],
        values.alpha_ordinal,
        values.alpha_nominal,
        values.alpha_interval,
        coverage.only_truth,
        coverage.only_judge,
        coverage.share_of_judge,
    )


def test_row(found: Found, k: int, overlap: int) -> tuple[Any, ...]:
    """The rank distance, the largest drop, the largest move, and the overlap at the top."""
    truth, judge = found.truth, found.scores[k + 1]
    distance = found.distances[k]
    test = (distance.statistic, distance.pvalue) if distance else (None, None)
    if not (truth.ranks_systems and judge.ranks_systems):
        return (*test, None, None, None, None, None, None)
    moves = r_rank(-truth.means) - r_rank(-judge.means)
    drop = largest(truth, moves, moves.min()) if moves.min() < 0 else (None, 0)
    # Of a move up and a move down that are as far, the one up: the other is the largest drop.
    farthest = moves.max() if moves.max() >= -moves.min() else moves.min()
    move = largest(truth, moves, farthest) if farthest else (None, 0)
    lost = (drop[0], whole_if_whole(-drop[1]))
    return (*test, *lost, *move, shared_at_top(truth, judge, overlap), overlap)


def largest(truth: Scores, moves: npt.NDArray[np.floating[Any]], size: float) -> tuple[str, float]:
    """The systems that move so far, from the best by the truth down, and how far that is."""
    names = [truth.systems[i] for i in truth.by_means if moves[i] == size]
    return listed(names, 3), whole_if_whole(size)


def shared_at_top(truth: Scores, judge: Scores, k: int) -> float:
    """The share of the k best systems that are the same; those tied with the last of them are included.

    With such ties, it is the number of systems in both sets over the number in the larger one.
    """
    one, other = (side.means >= np.sort(side.means)[-k] for side in (truth, judge))
    return float((one & other).sum() / max(one.sum(), other.sum()))


def long_tables(
    inputs: Inputs, found: Sequence[Found], agreements: Mapping[str, Agreement], biases: Mapping[str, Bias]
) -> list[Table]:
    """The tables that are too long for the screen."""
    system_rows, flip_rows = [], []
    for one in found:
        for k, judge in enumerate(inputs.judges):
            system_rows += [(one.measure, judge, *row) for row in rows_of_systems(one.truth, one.scores[k + 1])]
            if one.truth_pairs is not None and (other := one.judge_pairs[k]) is not None:
                means = one.scores[k + 1].means
                flipped = (one.truth_pairs.signs > 0) & (means[:, None] < means)
                flip_rows += [
                    (one.measure, judge, one.truth.systems[i], one.truth.systems[j], bool(other.signs[i, j] < 0))
                    for i, j in np.argwhere(flipped)
                ]
    confusion_rows = [
        (judge, grade, other, int(count))
        for judge, labels in agreements.items()
        for grade, counts in zip(labels.grades, labels.confusion.tolist())
        for other, count in zip(labels.grades, counts)
    ]
    topic_rows = [
        (judge, topic, both, *values)
        for judge, labels in agreements.items()
        for topic, (both, values) in labels.topics.items()
    ]
    bias_rows = [(judge, system, *row) for judge, one in biases.items() for system, row in one.systems.items()]
    return [
        table_of("systems", system_rows),
        table_of("flips", flip_rows),
        table_of("confusion", confusion_rows),
        table_of("labels_by_topic", topic_rows),
        table_of("bias", bias_rows),
    ]


def rows_of_systems(truth: Scores, judge: Scores) -> list[tuple[Any, ...]]:
    """The means and ranks of every system, from the best by the truth down."""
    ranks = [r_rank(-side.means) for side in (truth, judge)]
    order = sorted(range(truth.m), key=lambda s: (ranks[0][s], ranks[1][s], str(truth.systems[s])))
    rows = []
    for s in order:
        one, other = (
            whole_if_whole(rank[s]) if side.ranks_systems else None for rank, side in zip(ranks, (truth, judge))
        )
        move = None if one is None or other is None else whole_if_whole(one - other)
        rows.append((truth.systems[s], float(truth.means[s]), float(judge.means[s]), one, other, move))
    return rows
