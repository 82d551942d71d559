"""How far two judges give the same documents the same grades."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import atanh, isnan, nan, tanh
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._options import fraction
from .._result import Column, Result, Table
from .._text import counted, listed, percent
from ._kappa import Coefficients, coefficients, distances, jackknife, nominal, scaled
from ._sources import (
    Documents,
    Judgments,
    grade_text,
    judgments_of,
    one_sided_topics,
    other_scale,
    refuse_incomparable,
    two_names,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

# More are scores rather than grades, and a matrix of them would have no use.
MOST_GRADES = 200
# The fewest topics for an interval; docs/judges-kappa.csv has its coverage.
LEAST_TOPICS = 5
WITH_INTERVAL = ("kappa", "kappa_quadratic")


class Coverage(NamedTuple):
    """How many pairs of a topic and a document both judged, only the truth, and only the judge."""

    both: int
    only_truth: int
    only_judge: int

    @property
    def share_of_truth(self) -> float:
        """Of the truth's pairs, the share that the judge judged too; nan if there are none."""
        return self.both / found if (found := self.both + self.only_truth) else nan

    @property
    def share_of_judge(self) -> float:
        """Of the judge's pairs, the share that the truth judged too; nan if there are none."""
        return self.both / found if (found := self.both + self.only_judge) else nan


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
        alpha_nominal, alpha_ordinal and alpha_interval.
    limits : dict
        The interval (low, high) for kappa and for kappa_quadratic; nan if there is none.
    level : float
        The level of these intervals.
    topics : dict of topic to (int, Coefficients)
        The number of pairs that both judged, and their coefficients, for each topic that both have.
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
    notes: tuple[str, ...] = ()

    def tables(self) -> list[Table]:
        """A row for all pairs, the confusion matrix, and a row for each topic."""
        keys = [Column(key, key.replace("_", "\n")) for key in Coefficients._fields]
        limits = {f"{key}_{end}": self.limits[key][k] for key in WITH_INTERVAL for k, end in enumerate(("low", "high"))}
        counts = self.coverage._asdict()
        more = {"share_of_truth": self.coverage.share_of_truth, "share_of_judge": self.coverage.share_of_judge}
        data = {**{key: counts[key] for key in ("only_truth", "only_judge")}, **more, **limits}
        summary = Table(
            "summary",
            [Column("both", "documents"), *keys, *(Column(key, only="data") for key in data)],
            [(self.coverage.both, *self.coefficients, *data.values())],
        )
        truth, judge = self.names
        columns = [Column("grade", truth, grade_text)]
        columns += [Column(grade_text(grade), f"{judge}\n{grade_text(grade)}") for grade in self.grades]
        matrix = [(grade, *counts) for grade, counts in zip(self.grades, self.confusion.tolist())]
        by_topic = [(topic, number, *found) for topic, (number, found) in self.topics.items()]
        topics = Table("topics", [Column("topic", text=str), Column("both", "documents"), *keys], by_topic)
        return [summary, Table("confusion", columns, matrix), topics]

    def sentences(self) -> list[str]:
        """How much was compared, what came out, and why something is undefined."""
        truth, judge = self.names
        said = self.coverage
        if not said.both:
            return [f"{truth} and {judge} have judged no document in common, so their agreement is undefined."]
        of = (
            f"{percent(said.share_of_truth)} of those of {truth} and {percent(said.share_of_judge)} of those of {judge}"
        )
        compared = f"{truth} and {judge} have both judged {counted(said.both, 'document')}: {of}."
        values = self.coefficients
        found = f"They gave {percent(values.agreement)} of them the same grade."
        if same := self.without_distinctions():
            why = "so kappa and alpha are undefined: who gives one grade only makes no distinctions to agree on."
            return [f"{compared} {found} {' and '.join(same)}, {why}"]
        kappa = f"Cohen's kappa is {values.kappa:.3f}{self.interval('kappa')}, and with quadratic weights "
        kappa += f"{values.kappa_quadratic:.3f}{self.interval('kappa_quadratic')}."
        return [f"{compared} {found} {kappa}"]

    def interval(self, key: str) -> str:
        """The interval of a coefficient in brackets, or nothing."""
        low, high = self.limits[key]
        return (
            "" if isnan(low) else f" ({100 * self.level:g}% confidence interval over topics: {low:.3f} to {high:.3f})"
        )

    def without_distinctions(self) -> list[str]:
        """Who gave every document the same grade, and which."""
        sums = self.confusion.sum(axis=1), self.confusion.sum(axis=0)
        return [
            f"{name} gave all of them the grade {grade_text(self.grades[int(np.argmax(given))])}"
            for name, given in zip(self.names, sums)
            if np.count_nonzero(given) == 1
        ]

    def as_dict(self) -> dict[str, Any]:
        """The names, the level, and the records of all tables."""
        named = {"truth": self.names[0], "judge": self.names[1], "level": self.level}
        return {**named, **super().as_dict(), "notes": list(self.notes)}

    def __repr__(self) -> str:
        said = f"kappa = {self.coefficients.kappa:.4g}, quadratic {self.coefficients.kappa_quadratic:.4g}"
        return f"<Agreement of {self.names[0]} and {self.names[1]}, {self.coverage.both} documents: {said}>"


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
    - alpha_ordinal: the distance of their mean ranks among all grades of both, squared.

    The distance is the difference of the grades as numbers, so 4 is three times as far from 1 as 2 is.  scikit-learn
    takes the difference of their places in the sorted list of labels.  This is the same if the labels are all whole
    numbers from the lowest to the highest; otherwise a grade that nobody gave, or that is not in the list, would
    change its kappa.  Negative grades, such as TREC's -2 for spam, are grades as any others: -2 is as far from 0 as 2
    is.  Set them to 0 first if they only mean "not relevant".  Fractional grades in mappings and tables are grades too,
    each different number one of its own.

    If one of the two gave all documents the same grade, all coefficients but the share of equal grades are nan: kappa
    would be 0, as in scikit-learn, whatever the other says.  With no document in common all of them are nan.

    The intervals for kappa and kappa_quadratic are for other topics from the same source: documents of one topic are
    not independent.  They are t intervals with the standard error of the jackknife over topics, on the scale of the
    inverse hyperbolic tangent; five topics or more are needed, and some disagreement.  With ten topics or fewer of very
    different size they hold somewhat less often than `level` says: docs/judges-kappa.csv.

    References
    ----------
    J. Cohen.  Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit.
    Psychological Bulletin 70(4), 1968.

    K. Krippendorff.  Computing Krippendorff's alpha-reliability.  University of Pennsylvania, 2011.

    Examples
    --------
    >>> from ircor.judging import agreement
    >>> people = {"1": {"d1": 2, "d2": 1, "d3": 0, "d4": 0}, "2": {"d1": 0, "d5": 1, "d6": 0}}
    >>> model = {"1": {"d1": 2, "d2": 2, "d3": 0, "d4": 1}, "2": {"d1": 0, "d5": 1, "d7": 1}}
    >>> found = agreement(people, model, names=("people", "model"))
    >>> found
    <Agreement of people and model, 6 documents: kappa = 0.5, quadratic 0.75>
    >>> found.grades, found.confusion.tolist()
    ((0, 1, 2), [[2, 1, 0], [0, 1, 1], [0, 0, 1]])
    >>> found.coverage
    Coverage(both=6, only_truth=1, only_judge=1)
    """
    called, level = two_names(names), fraction(level, "level")
    return agreement_of(*judgments_of(truth, judge), called, level)


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
    found = {
        topic: (len(docs), coefficients(confusion_of(a[start:stop], b[start:stop], len(grades)), grades))
        for (topic, docs), start, stop in zip(common.items(), bounds, bounds[1:])
    }
    confusion = confusion_of(a, b, len(grades))
    values = coefficients(confusion, grades)
    limits, why = intervals(a, b, bounds, grades, values, level)
    notes = [
        *one_sided_topics(truth, judge, names),
        *undefined_topics(found),
        *other_scale({*sides[0]}, {*sides[1]}, names),
        *([why] if why else []),
    ]
    return Agreement(names, coverage, tuple(grades), confusion, values, limits, level, found, tuple(notes))


def refuse_scores(grades: Collection[float]) -> None:
    """Raise if there are too many different grades to be grades."""
    if len(grades) > MOST_GRADES:
        raise ValueError(
            f"'truth' and 'judge' have {len(grades)} different grades, more than {MOST_GRADES}: these are scores; "
            "round them to grades first"
        )


def confusion_of(a: Array, b: Array, k: int) -> Array:
    """How often place a in the list of k grades goes with place b."""
    return np.bincount(a * k + b, minlength=k * k).reshape(k, k)


def intervals(
    a: Array, b: Array, bounds: Array, grades: Sequence[float], values: Coefficients, level: float
) -> tuple[dict[str, tuple[float, float]], str]:
    """The limits of kappa, plain and quadratic, over topics, and why there are none."""
    none = dict.fromkeys(WITH_INTERVAL, (nan, nan))
    k = len(grades)
    sizes = np.diff(bounds)
    topics = np.count_nonzero(sizes)
    if isnan(values.kappa):
        return none, ""
    if topics < LEAST_TOPICS:
        return none, f"no intervals for kappa: they need {LEAST_TOPICS} topics or more, and there are {topics}"
    topic = np.repeat(np.arange(topics), sizes[sizes > 0])
    rows, columns = (np.bincount(topic * k + side, minlength=topics * k).reshape(topics, k) for side in (a, b))
    weights = {"kappa": nominal(k), "kappa_quadratic": distances(scaled(grades)) ** 2}
    limits = {}
    for key, w in weights.items():
        error = jackknife(rows, columns, np.bincount(topic, w[a, b], minlength=topics), w)
        limits[key] = fisher_limits(getattr(values, key), error, int(topics), level)
    why = "no interval for kappa: it is the same, or undefined, without one of the topics"
    return limits, why if any(isnan(low) for low, _ in limits.values()) else ""


def fisher_limits(value: float, error: float, topics: int, level: float) -> tuple[float, float]:
    """Limits on the scale of the inverse hyperbolic tangent, whose derivative is 1 / (1 - value^2)."""
    if not error > 0 or abs(value) >= 1:
        return nan, nan
    from scipy.special import stdtrit

    width = stdtrit(topics - 1, (1 + level) / 2) * error / (1 - value**2)
    return tanh(atanh(value) - width), tanh(atanh(value) + width)


def undefined_topics(found: dict[Hashable, tuple[int, Coefficients]]) -> list[str]:
    """A note for the topics that have no kappa."""
    kinds = {
        "{} without a document that both judged: {}": [topic for topic, (number, _) in found.items() if not number],
        "kappa and alpha are undefined for {}, in which one of the two gave all documents the same grade: {}": [
            topic for topic, (number, values) in found.items() if number and isnan(values.kappa)
        ],
    }
    return [note.format(counted(len(topics), "topic"), listed(topics)) for note, topics in kinds.items() if topics]
