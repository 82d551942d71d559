"""Can this judge replace that one?  Judges compared with the truth by how they rank systems, and by their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast, get_args

from .._methods import method_of
from .._options import fraction, one_of, whole_number
from .._parallel import random_blocks
from .._progress import Progress
from .._scores import Scores, ScoreTable
from .._text import in_a_row
from .._types import HasItems, MethodName, SeriesLike
from ..comparison._conclusion import LEAST_TOPICS
from ..comparison._systems import test_resamples
from ..rank_distance import DrankNull, DrankResult
from ..tables._intervals import LEAST_PAIRS, Target
from ..trec._collector import Missing
from ..trec._documents import Documents
from ..trec._measures import Measures
from ..trec._paths import FilePath
from ..trec._score import Runs
from ._bias import Bias, bias_of
from ._coefficients import coefficients, coefficients_of_boards
from ._inputs import from_runs, from_scores
from ._labels import Agreement, agreement_of
from ._result import JudgesResult
from ._significance import SignificanceTest, compare_pairs, significant_pairs
from ._tables import Found, long_tables, main_tables
from ._verdict import OneMeasure, finding, verdict_on

Judge: TypeAlias = "Documents | ScoreTable | SeriesLike | HasItems[float] | HasItems[ScoreTable]"
"""Judgments; or scores by topic, or a leaderboard, by them."""

# Intervals come from so many simulated samples or more.
LEAST_RESAMPLES = 2 * LEAST_PAIRS
# The number of best systems whose overlap is shown, if `top` does not say it.
OVERLAP = 10


def judges(
    runs: Runs | None,
    truth: Judge,
    judges: HasItems[Judge] | FilePath | Sequence[FilePath],
    measures: Measures | None = None,
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
        a column of systems or an index named "system", or a file that `ircor.trec.read_leaderboard` reads.
    judges : mapping of names to judges, or paths
        Each as `truth` is.  Judges that are files are called by the names of the files.
    measures : str or list of str
        The measures, by their names in ir_measures, such as "nDCG@10" and "AP"; without runs, those of the scores, by
        default all.
    name : str, optional
        What the truth is called; by default the name of its file, or "truth".
    methods : sequence of str
        The coefficients, any of the six.  The first is in the sentences.
    top : int, optional
        Also compute the coefficients among this many systems, the best by the truth.  Systems that are tied with the
        last of these are included.  In simulated samples of topics, the best by the truth are chosen anew.
    depth : int
        The number of first documents of each run and topic that `bias` looks at.
    target, level
        What the intervals are for, and their level: `ircor.bootstrap`.
    test : {"t", "randomisation", "tukey"}
        How to find the pairs of systems that differ significantly: paired t tests or paired randomisation tests with
        Holm's correction, or Tukey's HSD with topics as blocks.  See Notes.
    alpha : float
        The familywise error rate of these tests.
    missing : {"error", "zero", "drop"}
        How to handle topics that a run lacks: raise an error, score them as 0, or drop them.  Topics and systems that
        a judge lacks are refused, or dropped for all judges.
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

    In simulations of systems that are equal in truth, t tests found some pair to differ in 2 to 5 % of the samples at
    an `alpha` of 0.05, randomisation tests in 4 to 5 %, and Tukey's HSD, which takes one error variance for all pairs,
    in 5 to 9 %.  The randomisation test takes long for more than a hundred systems: the number of random draws grows
    with the number of pairs.

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
    [['one', 'tau_b', 1.0], ['one', 'tauAP_b', 1.0], ['other', 'tau_b', 0.0], ['other', 'tauAP_b', -0.25]]
    >>> print(found.verdicts[2].partition(" Whether")[0])
    By RR, constant gives all systems the same score, which is no ranking.
    """
    given = [methods] if isinstance(methods, str) else methods
    chosen: tuple[MethodName, ...] = tuple(method_of(method, "methods").name for method in given)
    if not chosen:
        raise ValueError("'methods' must name a coefficient, such as 'tau_b'")
    target = cast(Target, one_of(target, "target", get_args(Target)))
    test = cast(SignificanceTest, one_of(test, "test", get_args(SignificanceTest)))
    level, alpha = fraction(level, "level"), fraction(alpha, "alpha")
    depth, resamples = whole_number(depth, "depth"), max(LEAST_RESAMPLES, whole_number(resamples, "resamples"))
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
    overlap = top or max(1, min(OVERLAP, systems // 2))
    known = [
        [
            OneMeasure(
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
            for one in found
        ]
        for k in range(len(inputs.judges))
    ]
    findings = [finding(one) for of_judge in known for one in of_judge if one.has_topics]
    verdicts = [verdict_on(of_judge, biases.get(judge)) for judge, of_judge in zip(inputs.judges, known)]
    said = [sentence for judge in biases for sentence in (*agreements[judge].sentences(), *biases[judge].sentences())]
    return JudgesResult(
        inputs.truth,
        inputs.judges,
        tuple(inputs.scores),
        tuple(table for table in main_tables(inputs, found, agreements, biases, overlap) if table.rows),
        tuple(table for table in long_tables(inputs, found, agreements, biases) if table.rows),
        agreements,
        biases,
        tuple(verdicts),
        (*findings, *said),
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
    ranked = [side.ranks_systems for side in scores]
    distances: list[DrankResult | None] = nothing
    if ranked[0] and any(ranked[1:]) and truth.n >= LEAST_TOPICS:
        null = DrankNull(
            truth,
            null="two-sample",
            resamples=test_resamples(resamples),
            seed=seed,
            n_jobs=n_jobs,
            progress=progress,
        )
        distances = [null.test(judge) if is_ranked else None for judge, is_ranked in zip(others, ranked[1:])]
    significant = [significant_pairs(side, test, alpha, seed, n_jobs, progress) for side in scores]
    pairs = [
        compare_pairs(significant[0].signs, one.signs, judge.means) if ranked[0] and is_ranked else None
        for one, judge, is_ranked in zip(significant[1:], others, ranked[1:])
    ]
    return Found(measure, scores, computed, distances, significant[0], [*significant[1:]], pairs)


def notes_on(found: Sequence[Found], agreements: Mapping[str, Agreement], biases: Mapping[str, Bias]) -> list[str]:
    """Doubts about intervals and tests, and the notes on labels and bias."""
    notes = []
    doubts: dict[str, list[str]] = {}
    for one in found:
        if one.truth.n > 1 and any(one.truth.ranks_systems and judge.ranks_systems for judge in one.scores[1:]):
            for doubt in (one.coefficients.all.doubt, one.coefficients.all.difference_doubt):
                doubts.setdefault(doubt, []).append(one.measure)
        if one.truth_pairs is not None and one.truth_pairs.least > one.truth_pairs.alpha:
            notes.append(
                f"{one.measure}: with {one.truth.n} topics, the randomisation test can find no difference significant"
            )
    notes += [f"{in_a_row(dict.fromkeys(measures))}: {doubt}" for doubt, measures in doubts.items() if doubt]
    for judge in agreements:
        notes += [f"{judge}: {note}" for note in dict.fromkeys((*agreements[judge].notes, *biases[judge].notes))]
    return notes
