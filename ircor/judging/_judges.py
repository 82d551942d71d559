"""Can this judge replace that one?  Judges compared with the truth by how they rank systems, and by their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import nan
from typing import Any, Literal, TypeAlias

import numpy as np

from .._core.errors import InvalidValueError
from .._core.methods import OF_MEANS, SCIPY, Method
from .._core.options import (
    ALPHA,
    DEPTH,
    JUDGE_MEASURES,
    LEVEL,
    MEASURES,
    METHODS_SHOWN,
    MISSING,
    N_JOBS,
    RESAMPLES,
    SEED,
    STANDARDIZE,
    TARGET,
    TEST,
    TOP,
    TRUTH_MEASURES,
    TRUTH_NAME,
    Missing,
    SignificanceTest,
    Standardization,
    Target,
    takes,
)
from .._core.text import whole_if_whole
from .._core.types import HasItems, JudgeMethodName, SeriesLike
from .._core.work import Progress, Resampling, random_blocks, watched
from ..averages import standardize as standardized
from ..data import Scores, ScoreSource
from ..rank_distance import ranking_tests, verdict_between
from ..rbase import r_rank
from ..reliability import changes_in_study
from ..statistics import (
    LEAST_SAMPLES,
    Statistic,
    Term,
    best_systems,
    compare_pairs,
    coverage_caveat,
    intervals,
    significant_pairs,
    soft_accuracy_of,
)
from ..trec import Documents, FilePath, Measures, Runs
from ._bias import bias_of
from ._inputs import Compared, InputNote, Inputs, from_runs, from_scores
from ._labels import agreement_of
from ._result import (
    Coefficient,
    JudgedFlip,
    JudgedRanking,
    JudgedSystem,
    JudgesResult,
    LargestMoves,
    MeasureResult,
    Settings,
    Undefined,
)

Keys: TypeAlias = tuple[tuple[int | None, str, str], ...]
"""The number of best systems or None for all, the judge, and the name of the coefficient; for a difference, two."""

Values: TypeAlias = tuple[float, Any, Any]
"""A value and the ends of its interval."""


def judge_coefficients(
    compared: Compared, truth: Scores, judges: Mapping[str, Scores], settings: Settings, work: Resampling
) -> list[Coefficient]:
    """Compute coefficients between the truth and each judge, and their differences between judges.

    They are for all systems and then for the best: those of each judge, and then the differences.  The best systems by
    the truth include those that tie with the last of them; in simulated samples, the best of each are chosen anew.  A
    coefficient is undefined, with a reason, if the truth or the judge gives all of the systems the same mean, or if it
    refuses ties and there are some.  This has no effect on other judges.  Leaderboards have no intervals.
    """
    tops = [None] if settings.top is None else [None, settings.top]
    singles: list[Keys] = [((top, judge, name),) for top in tops for judge in judges for name in settings.methods]
    pairs: list[Keys] = [
        ((top, one, name), (top, other, name))
        for top in tops
        for one, other in combinations(judges, 2)
        for name in settings.methods
    ]
    reasons = {key: undefined(OF_MEANS[key[2]], truth, judges[key[1]], key[0]) for (key,) in singles}
    # The random numbers of an interval depend on the order.
    wanted = [keys for keys in singles if not reasons[keys[0]]]
    wanted += [a + b for a, b in combinations(wanted, 2) if (a[0][0], a[0][2]) == (b[0][0], b[0][2])]
    values = of_leaderboards(truth, judges, wanted, settings, work)
    if truth.has_topics:
        simulated = [keys for keys in wanted if keys[0][2] not in SCIPY]
        values |= simulated_coefficients(truth, judges, simulated, settings, work)
    nothing = (nan, nan, nan) if truth.has_topics else (nan, None, None)
    sizes = {None: None} | {top: int(best_systems(truth, top).sum()) for top in tops if top}
    return [
        Coefficient(
            *(keys[0][1], keys[1][1] if len(keys) > 1 else "", compared, keys[0][2], sizes[keys[0][0]]),
            *values.get(keys, nothing),
            next((reasons[key] for key in keys if reasons[key]), None),
        )
        for keys in (*singles, *pairs)
    ]


def simulated_coefficients(
    truth: Scores, judges: Mapping[str, Scores], wanted: Sequence[Keys], settings: Settings, work: Resampling
) -> dict[Keys, Values]:
    """Coefficients and differences with intervals, all from the same simulated samples of topics.

    One model is fitted to the truth and all judges, so the interval of a judge depends a little on which others there
    are.
    """
    # A table without any distinction has no place in the model, and tables with the same scores share one.
    tables = {truth.digest: truth} | {one.digest: one for one in judges.values() if np.ptp(one.means) > 0}
    place = {digest: k for k, digest in enumerate(tables)}
    statistics = [
        Statistic(
            keys[0][2], tuple(Term(OF_MEANS[name], place[judges[judge].digest], top) for top, judge, name in keys)
        )
        for keys in wanted
    ]
    _, simulations = intervals(list(tables.values()), statistics, [settings.target], settings.level, work)
    return {keys: (one.statistic, *one.limits[settings.target][1:]) for keys, one in zip(wanted, simulations)}


def of_leaderboards(
    truth: Scores, judges: Mapping[str, Scores], wanted: Sequence[Keys], settings: Settings, work: Resampling
) -> dict[Keys, Values]:
    """The same without topics to resample: values only."""
    values: dict[Keys, float] = {}
    for keys in wanted:
        (top, judge, name), *other = keys
        if other:
            values[keys] = values[keys[:1]] - values[keys[1:]]
        else:
            best = best_systems(truth, top)
            values[keys] = OF_MEANS[name](truth.means[best], judges[judge].means[best])
    return {keys: (value, None, None) for keys, value in values.items()}


def undefined(method: Method, truth: Scores, judge: Scores, top: int | None) -> Undefined | None:
    """Why there is no coefficient between the truth and a judge."""
    best = best_systems(truth, top)
    size = int(best.sum())
    sides: list[tuple[str, Scores, Literal["truth", "judge"]]] = [("x", truth, "truth"), ("y", judge, "judge")]
    for argument, scores, side in sides:
        different = len(np.unique(scores.means[best]))
        if different == 1:
            return Undefined(side, None if best.all() else size)
        if argument in method.untied and different < size:
            return Undefined(side, None if best.all() else size, method.name)
    return None


Judge: TypeAlias = "Documents | ScoreSource | SeriesLike | HasItems[float] | HasItems[ScoreSource]"
"""Judgments; or scores by topic, or a leaderboard, by them."""

# The most of the best systems that are compared, if `top` does not say how many.
MOST_COMPARED = 10


@takes(
    *(MEASURES, TRUTH_MEASURES, JUDGE_MEASURES, TRUTH_NAME, METHODS_SHOWN, TOP, DEPTH, TARGET, LEVEL, TEST, ALPHA),
    *(MISSING, STANDARDIZE, RESAMPLES, SEED, N_JOBS),
)
def judges(
    runs: Runs | None,
    truth: Judge,
    judges: HasItems[Judge] | FilePath | Sequence[FilePath],
    measures: Measures | None = None,
    *,
    truth_measures: Measures | None = None,
    judge_measures: Measures | None = None,
    name: str | None = None,
    methods: Sequence[JudgeMethodName] = ("tau_b", "tauAP_b"),
    top: int | None = None,
    depth: int = 10,
    target: Target = "expected",
    level: float = 0.95,
    test: SignificanceTest = "maximum",
    alpha: float = 0.05,
    missing: Missing = "error",
    standardize: Standardization | None = None,
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
        a column of systems or an index named "system", or a file that `ircor.trec.read_leaderboard` reads.
    judges : mapping of names to judges, or paths
        Each as `truth` is.  Judges that are files are called by the names of the files.
    measures : str or list of str
        The measures, by their names in ir_measures, such as "nDCG@10" and "AP"; without runs, those of the scores, by
        default all.
    truth_measures : str or list of str
        The measures of the truth, if the judges have others: each is compared with each of a judge.  By default all, if
        no judge has any of them.
    judge_measures : str or list of str
        The measures of the judges, if the truth has others: each is compared with each of the truth.
    name : str, optional
        The name of the truth; by default that of its file, or "truth".
    methods : sequence of str
        The coefficients; the first is in the sentences.  "spearman" and "pearson" are those of SciPy, of the means, and
        have no intervals.
    top : int, optional
        Also compute the coefficients among this many systems, the best by the truth.  Systems that are tied with the
        last of these are included.  In simulated samples of topics, the best by the truth are chosen anew.
    depth : int
        The number of first documents of each run and topic that `bias` looks at.
    target : {"expected", "sample", "population"}
        What the intervals are for: `ircor.bootstrap`.
    level : float
        The level of the intervals.
    test : {"maximum", "t", "randomisation", "tukey"}
        How significant differences between systems are found: the greatest studentized difference in resamples of the
        topics, paired t tests or paired randomisation tests with Holm's correction, or Tukey's HSD with topics as
        blocks.  See Notes.
    alpha : float
        The familywise error rate of these tests.
    missing : {"error", "zero", "drop"}
        If a system has no score for a topic: refuse, take it for 0, or drop the topic.  Topics and systems that a judge
        lacks are refused, or dropped for all judges.
    standardize : {"z", "N", "U", "E"}, optional
        Standardize the scores topic by topic by the systems of the same table, with the mean and the standard deviation
        (z), or by the normal (N), the uniform (U) or the empirical (E) distribution function: see
        `ircor.averages.standardize`.
    resamples : int
        The number of simulated samples of topics for the intervals, at least 100; the test of the rank distance takes
        a fifth of that, but at least 99.
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
    That does not show that it ranks systems as the truth does: with few topics, or systems that are close to each
    other, even a reversed ranking can pass.  Nor does a small p-value show that the true rankings differ: labels with
    much noise are enough.  The level of this verdict is 0.05, whatever `alpha` is, and the p-values are those of each
    judge and measure by itself.

    Of systems that are equal in truth, "maximum" found some pair to differ in 3 to 8 % of the samples at an `alpha` of
    0.05, in simulated and in real collections.  The tests with Holm's correction did in 2 to 5 % where scores were not
    skewed, in up to 29 % with real ones, and randomisation tests with reciprocal rank in 64 %; Tukey's HSD in 4 to
    12 %.  The randomisation test takes long for more than a hundred systems: the number of random draws grows with the
    number of pairs.

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
    >>> result = ircor.judges(runs, people, models, "RR", name="people", seed=1, resamples=100)
    >>> result.coefficients[["judge", "coefficient", "value"]].head(4).to_dict("split")["data"]
    [['one', 'tau_b', 1.0], ['one', 'tauAP_b', 1.0], ['other', 'tau_b', 0.0], ['other', 'tauAP_b', -0.25]]
    >>> print(result.verdicts[2].partition(" Whether")[0])
    By RR, constant gives all systems the same score, which is no ranking.
    """
    settings = Settings.of(methods, top, depth, target, level, test, alpha)
    work = Resampling.of(resamples, seed, n_jobs, progress, least=LEAST_SAMPLES)
    work = work.with_seed(random_blocks(work.seed, 1)[0])
    sides = {"truth_measures": truth_measures, "judge_measures": judge_measures}
    if runs is None:
        inputs = from_scores(truth, judges, measures, name=name, missing=missing, **sides)
    else:
        inputs = from_runs(
            runs, truth, judges, measures, name=name, missing=missing, depth=settings.depth, progress=progress, **sides
        )
    if standardize is not None:
        inputs = standardized_inputs(inputs, STANDARDIZE.checked(standardize))
    systems = min(tables[0].m for tables in inputs.scores.values())
    if settings.top is not None and settings.top > systems:
        raise InvalidValueError("top", f"must be at most the number of systems, {systems}, not {settings.top}")
    best = settings.top or max(1, min(MOST_COMPARED, systems // 2))
    pairs = {}
    if inputs.judgments:
        true = inputs.judgments[inputs.truth]
        pairs = {judge: (true, inputs.judgments[judge]) for judge in inputs.judges}
    with watched(None, progress):
        by_measure = tuple(measure_result(one, inputs, settings, best, work) for one in inputs.compared)
    return JudgesResult(
        truth=inputs.truth,
        judges=inputs.judges,
        by_measure=by_measure,
        agreements={judge: agreement_of(*pair, (inputs.truth, judge), settings.level) for judge, pair in pairs.items()},
        biases={
            judge: bias_of(inputs.runs, *pair, settings.depth, settings.level, (inputs.truth, judge))
            for judge, pair in pairs.items()
        },
        settings=settings,
        overlap=best,
        resamples=work.resamples,
        seed=work.seed,
        input_notes=inputs.notes,
    )


def standardized_inputs(inputs: Inputs, method: Standardization) -> Inputs:
    """The same with the scores of each side standardized by its own systems."""
    if not all(side.has_topics for sides in inputs.scores.values() for side in sides):
        raise InvalidValueError("standardize", "is for scores by topic, and a leaderboard has none")
    scores = {m: [standardized(side, method) for side in sides] for m, sides in inputs.scores.items()}
    note = InputNote("reader", text=next(iter(scores.values()))[0].note)
    return replace(inputs, scores=scores, notes=(*inputs.notes, note))


def measure_result(
    compared: Compared, inputs: Inputs, settings: Settings, best: int, work: Resampling
) -> MeasureResult:
    """All that depends on the scores of one measure."""
    measure = compared.label
    truth, *others = inputs.scores[measure]
    judges = dict(zip(compared.judges, others))
    values = judge_coefficients(compared, truth, judges, settings, work)
    distances = ranking_tests(truth, others, work)
    true, *tests = (
        significant_pairs(side, settings.test, settings.alpha, work.seed, work.n_jobs, work.progress)
        if side.has_topics
        else None
        for side in (truth, *others)
    )
    # Intervals at the top hold as those of all systems do, whatever the size of the top.
    kinds = [False, len(judges) > 1] if truth.has_topics else []
    caveats = [coverage_caveat(truth.m, truth.n, difference, settings.target) for difference in kinds]
    rankings = []
    for (judge, scores), distance, test in zip(judges.items(), distances, tests):
        verdict = verdict_between(truth, scores, distance, (inputs.truth, judge))
        moves = None if verdict.unranked else largest_moves(truth, scores, best)
        pairs, changes, soft, flipped = None, None, None, []
        if true and test:
            soft = soft_accuracy_of(true, test) if moves else None
            if moves:
                pairs = compare_pairs(true.signs, test.signs, scores.means)
                changes = changes_in_study(truth, scores, (inputs.truth, judge), settings.level, True, work)
            flipped = [
                JudgedFlip(measure, judge, truth.systems[i], truth.systems[j], bool(test.signs[i, j] < 0))
                for i, j in np.argwhere((true.signs > 0) & (scores.means[:, None] < scores.means))
            ]
        rankings.append(
            JudgedRanking(
                judge=judge,
                compared=compared,
                scores=scores,
                coefficients=tuple(one for one in values if one.judge == judge and not one.other),
                verdict=verdict,
                systems=judged_systems(measure, judge, truth, scores),
                moves=moves,
                significance=test,
                pairs=pairs,
                soft_accuracy=soft,
                flips=tuple(flipped),
                changes=changes,
            )
        )
    return MeasureResult(
        compared=compared,
        truth=truth,
        rankings=tuple(rankings),
        differences=tuple(one for one in values if one.other),
        caveats=tuple(dict.fromkeys(filter(None, caveats))),
        significance=true,
    )


def largest_moves(truth: Scores, judge: Scores, best: int) -> LargestMoves:
    """The systems that lose most ranks, those that move farthest, and the share of the best that are the same."""
    moves = r_rank(-truth.means) - r_rank(-judge.means)
    # Of a move up and a move down that are as far, the one up: the other is the largest drop.
    drop, farthest = min(moves.min(), 0), moves.max() if moves.max() >= -moves.min() else moves.min()
    drops, movers = (
        tuple(truth.systems[i] for i in truth.by_means if size and moves[i] == size) for size in (drop, farthest)
    )
    one, other = (best_systems(side, best) for side in (truth, judge))
    overlap = float((one & other).sum() / max(one.sum(), other.sum()))
    return LargestMoves(drops, whole_if_whole(-drop), movers, whole_if_whole(farthest), overlap, best)


def judged_systems(measure: str, judge: str, truth: Scores, scores: Scores) -> tuple[JudgedSystem, ...]:
    """The means and ranks of every system, from the best by the truth down."""
    sides = truth, scores
    ranks = [r_rank(-side.means) for side in sides]
    order = sorted(range(truth.m), key=lambda s: (ranks[0][s], ranks[1][s], str(truth.systems[s])))
    rows = []
    for s in order:
        one, other = (whole_if_whole(rank[s]) if side.ranks_systems else None for rank, side in zip(ranks, sides))
        move = None if one is None or other is None else whole_if_whole(one - other)
        means = float(truth.means[s]), float(scores.means[s])
        rows.append(JudgedSystem(measure, judge, truth.systems[s], *means, one, other, move))
    return tuple(rows)
