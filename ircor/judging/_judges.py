"""Can this judge replace that one?  Judges compared with the truth by how they rank systems, and by their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast, get_args

import numpy as np

from .._methods import method_of
from .._options import fraction, one_of, whole_number
from .._parallel import random_blocks
from .._progress import Progress
from .._scores import Scores
from .._text import whole_if_whole
from .._types import MethodName
from ..rank_distance import DrankNull, DrankResult
from ..rbase import r_rank
from ..tables._intervals import Target
from ..trec._collector import Missing
from ..trec._score import Runs
from ._bias import Bias, bias_of
from ._coefficients import Coefficients, Group, coefficients, coefficients_of_boards
from ._inputs import Inputs, from_runs, from_scores
from ._labels import Agreement, agreement_of
from ._result import JudgesResult, table_of
from ._significance import PairCounts, Significance, SignificanceTest, compare_pairs, significant_pairs
from ._verdict import verdict_on

# The test of the rank distance gets this share of the samples, because each takes longer, and at least this many.
TEST_SHARE, LEAST_TEST = 0.2, 99
# The number of best systems whose overlap is shown, if `top` does not say it.
OVERLAP = 10


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


def judges(
    runs: Runs | None,
    truth: Any,
    judges: Any,
    measures: Any = None,
    *,
    name: str | None = None,
    methods: Sequence[MethodName] = ("tau_b", "tauAP_b"),
    top: int | None = None,
    depth: int = 10,
    target: Target = "expected",
    level: float = 0.95,
    test: SignificanceTest = "t",
    alpha: float = 0.05,
    missing: Missing = "error",
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> JudgesResult:
    """Compare judges, such as language models, with the truth, such as people: do they rank systems alike?

    Parameters
    ----------
    runs : path, list of paths, mapping, table, or None
        The runs of the systems, in any form that `ircor.trec.score` takes.  None if `truth` and `judges` are scores.
    truth : path, mapping or table
        The judgments to compare with, in any form that `ircor.trec.score` takes.  Without runs: scores by topic, or a
        leaderboard, one score for each system.  Scores by topic are a table of topics by systems, or files that
        `ircor.trec.read_scores` reads.  Several measures are a mapping of measures to tables, or a table whose columns
        have the levels measure and system.  A leaderboard is a Series or mapping of systems to scores, a DataFrame with
        an index named "system", or a file that `ircor.trec.read_leaderboard` reads.
    judges : mapping of names to judges, or paths
        Each as `truth` is.  Judges that are files are called by the names of the files.
    measures : str or list of str
        The measures, by their names in ir_measures, such as "nDCG@10" and "AP"; without runs, those of the scores, by
        default all.
    name : str, optional
        What the truth is called; by default the name of its file, or "truth".
    methods : sequence of str
        The coefficients, any of the six.  The first is in the verdicts.
    top : int, optional
        Also compute the coefficients among this many systems, the best by the truth.  Systems that are tied with the
        last of these are included.  In simulated samples of topics, the best by the truth are chosen anew.
    depth : int
        The number of first documents of each run and topic that `bias` looks at.
    target, level
        What the intervals are for, and their level: `ircor.bootstrap`.
    test : {"t", "randomisation", "tukey"}
        How to find the pairs of systems that differ significantly: paired t tests or paired randomisation tests with
        Holm's correction, or Tukey's HSD with topics as blocks.
    alpha : float
        The familywise error rate of these tests.
    missing : {"error", "zero", "drop"}
        How to handle topics that a run lacks: raise an error, score them as 0, or drop them.  Topics and systems that
        a judge lacks are refused, or dropped for all judges.
    resamples : int
        The number of simulated samples of topics for the intervals; the test of the rank distance takes a fifth of
        that, but at least 99.
    seed, n_jobs, progress
        As for `ircor.bootstrap`.

    Returns
    -------
    JudgesResult

    Raises
    ------
    TypeError, ValueError
        If an option is invalid, if files or tables are malformed, or if there are fewer than two systems, or two topics
        that the truth and all judges have.

    Notes
    -----
    The rank distance is tested against another sample of topics, scored by the truth: see
    `ircor.rank_distance.drank_test`.  A judge passes if it changes the ranking by no more than other topics would.
    That does not show that it ranks systems as the truth does: with few topics, almost any judge passes.  The p-values
    are those of each judge and measure by itself.

    Intervals and tests take topics for a random sample, and the judgments as they are: another answer of a language
    model to the same question is not part of them.

    Examples
    --------
    Three judges of two documents each; the third says the same of all documents:

    >>> import ircor
    >>> runs = {
    ...     "A": {"1": {"a": 2, "b": 1}, "2": {"c": 2, "d": 1}},
    ...     "B": {"1": {"b": 2, "a": 1}, "2": {"c": 2, "d": 1}},
    ...     "C": {"1": {"b": 2, "a": 1}, "2": {"d": 2, "c": 1}},
    ... }
    >>> people = {"1": {"a": 1, "b": 0}, "2": {"c": 1, "d": 0}}
    >>> models = {"one": people, "other": {"1": {"a": 0, "b": 1}, "2": {"c": 1, "d": 0}}}
    >>> models["constant"] = {"1": {"a": 1, "b": 1}, "2": {"c": 1, "d": 1}}
    >>> found = ircor.judges(runs, people, models, "RR", name="people", seed=1, resamples=100)
    >>> found.coefficients[["judge", "coefficient", "value"]].head(4).to_dict("split")["data"]
    [['one', 'tau_b', 1.0], ['one', 'tauAP_b', 1.0], ['other', 'tau_b', 0.0], ['other', 'tauAP_b', 0.0]]
    >>> print(found.verdicts[2])
    RR: constant gives all systems the same score, which is no ranking. There is nothing to compare, and no coefficient.
    """
    given = [methods] if isinstance(methods, str) else methods
    chosen: tuple[MethodName, ...] = tuple(method_of(method, "methods").name for method in given)
    if not chosen:
        raise ValueError("'methods' must name a coefficient, such as 'tau_b'")
    target = cast(Target, one_of(target, "target", get_args(Target)))
    test = cast(SignificanceTest, one_of(test, "test", get_args(SignificanceTest)))
    level, alpha = fraction(level, "level"), fraction(alpha, "alpha")
    depth, resamples = whole_number(depth, "depth"), whole_number(resamples, "resamples")
    top = None if top is None else whole_number(top, "top", least=2)
    seed, _ = random_blocks(seed, 1)
    if runs is None:
        inputs = from_scores(truth, judges, measures, name=name, missing=missing)
    else:
        inputs = from_runs(runs, truth, judges, measures, name=name, missing=missing, depth=depth, progress=progress)
    systems = min(tables[0].m for tables in inputs.scores.values())
    if top is not None and top > systems:
        raise ValueError(f"'top' must be at most the number of systems, {systems}, not {top}")
    found = [
        one_measure(measure, tables, chosen, top, target, level, test, alpha, resamples, seed, n_jobs, progress)
        for measure, tables in inputs.scores.items()
    ]
    agreements = {
        judge: agreement_of(inputs.judgments[inputs.truth], inputs.judgments[judge], (inputs.truth, judge), level)
        for judge in inputs.judges
        if inputs.judgments
    }
    biases = {
        judge: bias_of(
            inputs.runs,
            inputs.judgments[inputs.truth],
            inputs.judgments[judge],
            depth,
            level,
            (inputs.truth, judge),
        )
        for judge in inputs.judges
        if inputs.judgments
    }
    overlap = top or min(OVERLAP, systems)
    verdicts = [
        verdict_on(
            one.measure,
            one.truth,
            one.scores[k + 1],
            chosen[0],
            one.coefficients.all.judges[k][chosen[0]],
            level,
            target,
            one.distances[k],
            one.pairs[k],
            test,
        )
        for k in range(len(inputs.judges))
        for one in found
    ]
    said = [sentence for judge in biases for sentence in (*agreements[judge].sentences(), *biases[judge].sentences())]
    return JudgesResult(
        inputs.truth,
        inputs.judges,
        tuple(inputs.scores),
        tuple(table for table in main_tables(inputs, found, agreements, biases, overlap) if table.rows),
        tuple(table for table in long_tables(inputs, found, agreements, biases) if table.rows),
        agreements,
        biases,
        (*verdicts, *said),
        chosen,
        top,
        overlap,
        depth,
        target,
        level,
        test,
        alpha,
        resamples,
        seed,
        inputs.scores,
        {measure: tables[0].n for measure, tables in inputs.scores.items()},
        tuple(dict.fromkeys([*inputs.notes, *notes_on(found, agreements, biases)])),
    )


def one_measure(
    measure: str,
    scores: list[Scores],
    methods: Sequence[MethodName],
    top: int | None,
    target: Target,
    level: float,
    test: SignificanceTest,
    alpha: float,
    resamples: int,
    seed: int,
    n_jobs: int | None,
    progress: Progress,
) -> Found:
    """All that depends on the scores of one measure."""
    truth, *others = scores
    nothing: list[Any] = [None] * len(others)
    if truth.n == 1:
        return Found(
            measure, scores, coefficients_of_boards(truth, others, methods, top), nothing, None, nothing, nothing
        )
    computed = coefficients(truth, others, methods, top, target, level, resamples, seed, n_jobs, progress)
    ranked = [side.means.min() < side.means.max() for side in scores]
    distances: list[DrankResult | None] = nothing
    if ranked[0] and any(ranked[1:]):
        null = DrankNull(
            truth,
            null="two-sample",
            resamples=max(int(TEST_SHARE * resamples), LEAST_TEST),
            seed=seed,
            n_jobs=n_jobs,
            progress=progress,
        )
        distances = [null.test(judge) if is_ranked else None for judge, is_ranked in zip(others, ranked[1:])]
    significant = [significant_pairs(side, test, alpha, seed, n_jobs, progress) for side in scores]
    pairs = [compare_pairs(significant[0].signs, one.signs, judge.means) for one, judge in zip(significant[1:], others)]
    return Found(measure, scores, computed, distances, significant[0], [*significant[1:]], [*pairs])


def main_tables(
    inputs: Inputs,
    found: Sequence[Found],
    agreements: Mapping[str, Agreement],
    biases: Mapping[str, Bias],
    overlap: int,
) -> list[Any]:
    """The tables for the screen."""
    coefficient_rows, test_rows, pair_rows = [], [], []
    for k, judge in enumerate(inputs.judges):
        for one in found:
            for head, group in groups(one.coefficients):
                for method, value in group.judges[k].items():
                    note = value.reason
                    coefficient_rows.append(
                        (judge, one.measure, method, head, value.value, value.low, value.high, note)
                    )
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
        (
            inputs.judges[a],
            inputs.judges[b],
            one.measure,
            method,
            head,
            value.value,
            value.low,
            value.high,
            value.reason,
        )
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
    if truth.means.min() == truth.means.max() or judge.means.min() == judge.means.max():
        return (*test, None, None, None, None, None)
    moves = r_rank(-truth.means) - r_rank(-judge.means)
    # Of equal moves, that of the system which is better by the truth.
    order = truth.by_means
    lowest, farthest = order[np.argmin(moves[order])], order[np.argmax(np.abs(moves[order]))]
    drop = (truth.systems[lowest], whole_if_whole(-moves[lowest])) if moves[lowest] < 0 else (None, 0)
    move = (truth.systems[farthest], whole_if_whole(moves[farthest])) if moves[farthest] else (None, 0)
    return (*test, *drop, *move, shared_at_top(truth, judge, overlap))


def shared_at_top(truth: Scores, judge: Scores, k: int) -> float:
    """The share of the k best systems that are the same; those tied with the last of them are included.

    With such ties, it is the number of systems in both sets over the number in the larger one.
    """
    one, other = (side.means >= np.sort(side.means)[-k] for side in (truth, judge))
    return float((one & other).sum() / max(one.sum(), other.sum()))


def long_tables(
    inputs: Inputs, found: Sequence[Found], agreements: Mapping[str, Agreement], biases: Mapping[str, Bias]
) -> list[Any]:
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
    return [
        (
            truth.systems[s],
            float(truth.means[s]),
            float(judge.means[s]),
            *(whole_if_whole(number) for number in (ranks[0][s], ranks[1][s], ranks[0][s] - ranks[1][s])),
        )
        for s in order
    ]


def notes_on(found: Sequence[Found], agreements: Mapping[str, Agreement], biases: Mapping[str, Bias]) -> list[str]:
    """Doubts about intervals and tests, and the notes on labels and bias."""
    notes = []
    for one in found:
        for head, group in groups(one.coefficients):
            where = f"{one.measure}, top {head}: " if head else f"{one.measure}: "
            notes += [where + doubt for doubt in dict.fromkeys((group.doubt, group.difference_doubt)) if doubt]
        if one.truth_pairs is not None and one.truth_pairs.least > one.truth_pairs.alpha:
            notes.append(
                f"{one.measure}: with {one.truth.n} topics, the randomisation test can find no difference significant"
            )
    for judge in agreements:
        notes += [f"{judge}: {note}" for note in dict.fromkeys((*agreements[judge].notes, *biases[judge].notes))]
    return notes
