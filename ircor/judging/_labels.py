"""Relevance judgments as {topic: {doc: grade}}, and how far two judges give the same documents the same grades."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import atanh, isnan, nan, tanh
from typing import Any, NamedTuple

import numpy as np

from .._core.checks import refuse_incomparable_ids
from .._core.errors import InvalidValueError
from .._core.options import LEVEL, SIDE_NAMES
from .._core.results import Result
from .._core.types import Array
from ..statistics import jackknife_error
from ..trec import Documents as Documents, by_topic, refuse_one_run, systems_of

Judgments = Mapping[Any, Mapping[Any, float]]
"""The grade of each judged document of each topic."""


def truth_and_judge(truth: Any, judge: Any) -> tuple[Judgments, Judgments]:
    """Both judges' grades, in whatever form `by_topic` takes."""
    return by_topic(truth, "qrels", "truth"), by_topic(judge, "qrels", "judge")


def runs_of(runs: Any) -> dict[Any, dict[Any, dict[Any, float]]]:
    """{system: {topic: {doc: score}}} from whatever `ircor.trec.score` takes for runs."""
    if isinstance(runs, Mapping):
        refuse_one_run(runs)
        return {system: by_topic(run, "run", f"run of {system}") for system, run in runs.items()}
    by_system: dict[Any, dict[Any, dict[Any, float]]] = {}
    for system in systems_of(runs)[1]:
        if system.name in by_system:
            raise InvalidValueError(
                "runs", f"has two runs of the name {system.name!r}", "give a mapping of names to runs"
            )
        by_system[system.name] = system.run
    return by_system


def refuse_incomparable(**sides: Mapping[Hashable, Iterable[Hashable]]) -> None:
    """Raise if the topics, or the documents, of two sides have types that are never equal, such as "12" and 12."""
    refuse_incomparable_ids("topic", **sides)
    documents = {side: {doc for docs in topics.values() for doc in docs} for side, topics in sides.items()}
    refuse_incomparable_ids("document", **documents)


class Coefficients(NamedTuple):
    """Agreement between two judges; kappa and alpha are nan if one of them gave the same grade throughout."""

    agreement: float
    kappa: float
    kappa_linear: float
    kappa_quadratic: float
    alpha_nominal: float
    alpha_ordinal: float
    alpha_interval: float
    ac1: float
    ac2: float


UNDEFINED = Coefficients(*[nan] * len(Coefficients._fields))


def label_coefficients(confusion: Array, grades: Sequence[float]) -> Coefficients:
    """All coefficients of a confusion matrix; the grades increase."""
    used = np.flatnonzero(confusion.sum(axis=0) + confusion.sum(axis=1))
    if not used.size:
        return UNDEFINED
    counts = confusion[np.ix_(used, used)]
    agreement = float(np.trace(counts) / counts.sum())
    # By their formulas, kappa of a judge without distinctions is 0 and alpha is some number, whatever the other says.
    if used.size == 1:
        return UNDEFINED._replace(agreement=agreement)
    x = scaled_grades([grades[a] for a in used.tolist()])
    gwet = {"ac1": gwet_ac(counts, nominal(used.size)), "ac2": gwet_ac(counts, distances(x) ** 2)}
    if any(np.count_nonzero(counts.sum(axis=k)) == 1 for k in (0, 1)):
        return UNDEFINED._replace(agreement=agreement, **gwet)
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
        **gwet,
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


def gwet_ac(counts: Array, weights: Array) -> float:
    """1 - observed / expected disagreement, where chance is for documents that are hard to grade (Gwet 2008).

    The more documents have one grade, the fewer are taken for hard, and the fewer grades are equal by chance.
    """
    n, q = counts.sum(), len(counts)
    pi = (counts.sum(axis=0) + counts.sum(axis=1)) / (2 * n)
    by_chance = (1 - weights).sum() / (q * (q - 1)) * (pi * (1 - pi)).sum()
    return float(1 - (weights * counts).sum() / n / (1 - by_chance))


def nominal(k: int) -> Array:
    """1 for each pair of different grades."""
    return 1 - np.eye(k)


def distances(x: Array) -> Array:
    """|x_a - x_b| for all pairs of grades."""
    return np.abs(np.subtract.outer(x, x))


def scaled_grades(grades: Sequence[float]) -> Array:
    """The grades between 0 and 1; exact for grades of any size, and the coefficients do not depend on the scale."""
    low, high = Fraction(grades[0]), Fraction(grades[-1])
    return np.array([float((Fraction(grade) - low) / (high - low)) for grade in grades])


def kappa_error(rows: Array, columns: Array, disagreement: Array, weights: Array) -> float:
    """The standard error of kappa over topics; nan if it is undefined without one of them, or for one topic.

    The rows and columns say how often each judge gave each grade, topics by grades.  The disagreement of a topic is the
    sum of the weights of its documents.
    """
    topics = len(rows)
    left_out = rows.sum(axis=0) - rows, columns.sum(axis=0) - columns
    expected = ((left_out[0] @ weights) * left_out[1]).sum(axis=1)
    if topics < 2 or not expected.all():
        return nan
    n = left_out[0].sum(axis=1)
    values = 1 - (disagreement.sum() - disagreement) * n / expected
    return jackknife_error(values)


# More are scores rather than grades, and a matrix of them would have no use.
MOST_GRADES = 200
# The fewest topics for an interval of kappa; docs/judges-kappa.csv has its coverage.
LEAST_TOPICS_FOR_KAPPA = 5


class Coverage(NamedTuple):
    """How many pairs of a topic and a document both judged, only the truth, and only the judge."""

    both: int
    only_truth: int
    only_judge: int

    @property
    def share_of_truth(self) -> float:
        """Of the truth's pairs, the share that the judge judged too; nan if there are none."""
        return self.both / pairs if (pairs := self.both + self.only_truth) else nan

    @property
    def share_of_judge(self) -> float:
        """Of the judge's pairs, the share that the truth judged too; nan if there are none."""
        return self.both / pairs if (pairs := self.both + self.only_judge) else nan


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Result):
    """How far a judge gives documents the grades that the truth gives them.

    `print` shows all of it, and so does a notebook.

    Attributes
    ----------
    names : pair of str
        What the truth and the judge are called.
    coverage : Coverage
        The numbers of pairs of a topic and a document: `both`, `only_truth` and `only_judge`; and `share_of_truth` and
        `share_of_judge`, the share of each judge's pairs that both judged.
    grades : tuple of numbers
        The grades that were given, increasing.
    confusion : numpy.ndarray
        The number of pairs with the grade of the row in the truth, and the grade of the column by the judge.
    coefficients : Coefficients
        Over all pairs that both judged: agreement, the share of equal grades; kappa, kappa_linear and kappa_quadratic;
        alpha_nominal, alpha_ordinal and alpha_interval; ac1 and ac2.
    limits : dict
        The interval (low, high) for kappa, kappa_quadratic, alpha_ordinal, ac1 and ac2; nan if there is none.
    level : float
        The level of these intervals.
    topics : dict of topic to (int, Coefficients)
        The number of pairs that both judged, and their coefficients, for each topic that both have.
    only : pair of tuple
        The topics that only the truth has, and those that only the judge has.
    least_topics : int
        The number of topics that an interval needs.
    notes : tuple of str
        What a reader should know about the data.
    """

    names: tuple[str, str]
    coverage: Coverage
    grades: tuple[float, ...]
    confusion: Array
    coefficients: Coefficients
    limits: dict[str, tuple[float, float]]
    level: float
    topics: dict[Hashable, tuple[int, Coefficients]]
    only: tuple[tuple[Hashable, ...], tuple[Hashable, ...]]
    least_topics: int

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self.view.notes)

    def __repr__(self) -> str:
        values = f"kappa = {self.coefficients.kappa:.4g}, quadratic {self.coefficients.kappa_quadratic:.4g}"
        return f"<Agreement of {self.names[0]} and {self.names[1]}, {self.coverage.both} documents: {values}>"


def agreement(
    truth: Documents, judge: Documents, *, names: Sequence[str] = ("truth", "judge"), level: float = 0.95
) -> Agreement:
    """How far a judge gives the same documents the same grades as the truth.

    Only the pairs of a topic and a document that both have judged are compared; the result says how many these are.

    Parameters
    ----------
    truth, judge : path, mapping, table, iterable, or ranx object
        Relevance judgments in any form that `ircor.organization.evaluate_runs` takes: files in TREC's format, mappings
        {topic: {doc: grade}}, DataFrames, named tuples, Qrels of ranx.
    names : pair of str
        What the two are called.
    level : float
        The level of the intervals.

    Returns
    -------
    Agreement

    Raises
    ------
    TypeError
        If an argument has the wrong type, or if the ids of the two have types that are never equal.
    ValueError
        If a file or a table is malformed, or if the two gave more than 200 different grades: such numbers are scores.

    Notes
    -----
    All coefficients are 1 - observed / expected disagreement.  Cohen's kappa expects what two judges disagree by who
    give grades as often as these two, but at random.  Krippendorff's alpha expects what two grades disagree by that
    are drawn from all grades of both.  They differ in what two grades disagree by:

    - kappa and alpha_nominal: 1 if they are different;
    - kappa_linear: their distance;
    - kappa_quadratic and alpha_interval: their distance squared;
    - alpha_ordinal: the distance of their mean ranks among all grades of both, squared;
    - ac1: 1 if they are different; ac2: their distance squared.

    Gwet's AC1 and AC2 expect agreement by chance of documents that are hard to grade only.  If 95 % of the documents
    have one grade, kappa expects more than 90 % of equal grades and can be near 0 although nearly all are equal; AC1
    expects less than 10 %, and is near the share of equal grades.

    The distance is the difference of the grades as numbers, so 4 is three times as far from 1 as 2 is.  scikit-learn
    takes the difference of their places in the sorted list of labels.  This is the same if the labels are all whole
    numbers from the lowest to the highest; otherwise a grade that nobody gave, or that is not in the list, would
    change its kappa.  Negative grades, such as TREC's -2 for spam, are grades as any others: -2 is as far from 0 as 2
    is.  Set them to 0 first if they only mean "not relevant".  Fractional grades in mappings and tables are grades too,
    each different number one of its own.

    If one of the two gave all documents the same grade, kappa and alpha are nan: kappa would be 0, as in scikit-learn,
    whatever the other says.  With no document in common all coefficients are nan.

    The intervals are for other topics from the same source: documents of one topic are
    not independent.  They are t intervals with the standard error of the jackknife over topics, on the scale of the
    inverse hyperbolic tangent; five topics or more are needed, and some disagreement.  With ten topics or fewer of very
    different size they hold somewhat less often than `level` says: docs/judges-kappa.csv.

    References
    ----------
    J. Cohen.  Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit.
    Psychological Bulletin 70(4), 1968.

    K. L. Gwet.  Computing inter-rater reliability and its variance in the presence of high agreement.  British Journal
    of Mathematical and Statistical Psychology 61(1), 2008.

    K. Krippendorff.  Computing Krippendorff's alpha-reliability.  University of Pennsylvania, 2011.

    Examples
    --------
    >>> from ircor.judging import agreement
    >>> people = {"1": {"d1": 2, "d2": 1, "d3": 0, "d4": 0}, "2": {"d1": 0, "d5": 1, "d6": 0}}
    >>> model = {"1": {"d1": 2, "d2": 2, "d3": 0, "d4": 1}, "2": {"d1": 0, "d5": 1, "d7": 1}}
    >>> result = agreement(people, model, names=("people", "model"))
    >>> result
    <Agreement of people and model, 6 documents: kappa = 0.5, quadratic 0.75>
    >>> result.grades, result.confusion.tolist()
    ((0, 1, 2), [[2, 1, 0], [0, 1, 1], [0, 0, 1]])
    >>> result.coverage
    Coverage(both=6, only_truth=1, only_judge=1)
    """
    called, level = SIDE_NAMES.checked(names), LEVEL.checked(level)
    return agreement_of(*truth_and_judge(truth, judge), called, level)


def agreement_of(truth: Judgments, judge: Judgments, names: tuple[str, str], level: float = 0.95) -> Agreement:
    """The agreement of judgments that are already read."""
    refuse_incomparable(truth=truth, judge=judge)
    common = {topic: [doc for doc in docs if doc in judge[topic]] for topic, docs in truth.items() if topic in judge}
    sides = [
        list(chain.from_iterable([side[topic][doc] for doc in docs] for topic, docs in common.items()))
        for side in (truth, judge)
    ]
    both = len(sides[0])
    coverage = Coverage(both, *(sum(map(len, side.values())) - both for side in (truth, judge)))
    grades = sorted({*sides[0], *sides[1]})
    refuse_scores(grades)
    place = {grade: k for k, grade in enumerate(grades)}
    a, b = (np.array([place[grade] for grade in side], np.intp) for side in sides)
    bounds = np.cumsum([0, *map(len, common.values())])
    topics: dict[Hashable, tuple[int, Coefficients]] = {
        topic: (len(docs), label_coefficients(confusion_of(a[start:stop], b[start:stop], len(grades)), grades))
        for (topic, docs), start, stop in zip(common.items(), bounds, bounds[1:])
    }
    confusion = confusion_of(a, b, len(grades))
    values = label_coefficients(confusion, grades)
    limits = kappa_limits(a, b, bounds, grades, values, level) | other_limits(a, b, bounds, grades, values, level)
    only = one_sided_topics(truth, judge)
    return Agreement(
        names=names,
        coverage=coverage,
        grades=tuple(grades),
        confusion=confusion,
        coefficients=values,
        limits=limits,
        level=level,
        topics=topics,
        only=only,
        least_topics=LEAST_TOPICS_FOR_KAPPA,
    )


def one_sided_topics(truth: Judgments, judge: Judgments) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...]]:
    """The topics that only the one has, and those that only the other has."""
    return tuple(topic for topic in truth if topic not in judge), tuple(topic for topic in judge if topic not in truth)


def refuse_scores(grades: Collection[float]) -> None:
    """Raise if there are too many different grades to be grades."""
    if len(grades) > MOST_GRADES:
        raise InvalidValueError(
            ("truth", "judge"),
            f"have {len(grades)} different grades, more than {MOST_GRADES}",
            "these are scores; round them to grades first",
        )


def confusion_of(a: Array, b: Array, k: int) -> Array:
    """How often place a in the list of k grades goes with place b."""
    return np.bincount(a * k + b, minlength=k * k).reshape(k, k)


def kappa_limits(
    a: Array, b: Array, bounds: Array, grades: Sequence[float], values: Coefficients, level: float
) -> dict[str, tuple[float, float]]:
    """The limits of kappa, plain and quadratic, over topics; nan if there are none."""
    k, sizes = len(grades), np.diff(bounds)
    topics = np.count_nonzero(sizes)
    if isnan(values.kappa) or topics < LEAST_TOPICS_FOR_KAPPA:
        return dict.fromkeys(("kappa", "kappa_quadratic"), (nan, nan))
    topic = np.repeat(np.arange(topics), sizes[sizes > 0])
    rows, columns = (np.bincount(topic * k + side, minlength=topics * k).reshape(topics, k) for side in (a, b))
    weights = {"kappa": nominal(k), "kappa_quadratic": distances(scaled_grades(grades)) ** 2}
    limits = {}
    for key, w in weights.items():
        error = kappa_error(rows, columns, np.bincount(topic, w[a, b], minlength=topics), w)
        limits[key] = fisher_limits(getattr(values, key), error, int(topics), level)
    return limits


def other_limits(
    a: Array, b: Array, bounds: Array, grades: Sequence[float], values: Coefficients, level: float
) -> dict[str, tuple[float, float]]:
    """The limits of ordinal alpha and of Gwet's coefficients over topics; nan if there are none."""
    names, parts = ("alpha_ordinal", "ac1", "ac2"), np.flatnonzero(np.diff(bounds))
    nothing = dict.fromkeys(names, (nan, nan))
    if len(parts) < LEAST_TOPICS_FOR_KAPPA:
        return nothing
    whole, k = confusion_of(a, b, len(grades)), len(grades)
    topics = (slice(bounds[part], bounds[part + 1]) for part in parts)
    without = [label_coefficients(whole - confusion_of(a[topic], b[topic], k), grades) for topic in topics]
    return {
        name: fisher_limits(
            getattr(values, name), jackknife_error(np.array([getattr(one, name) for one in without])), len(parts), level
        )
        for name in names
    }


def fisher_limits(value: float, error: float, topics: int, level: float) -> tuple[float, float]:
    """Limits on the scale of the inverse hyperbolic tangent, whose derivative is 1 / (1 - value^2)."""
    if not error > 0 or abs(value) >= 1:
        return nan, nan
    from scipy.special import stdtrit

    width = stdtrit(topics - 1, (1 + level) / 2) * error / (1 - value**2)
    return tanh(atanh(value) - width), tanh(atanh(value) + width)
