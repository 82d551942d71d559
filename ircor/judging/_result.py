"""The comparison of judges with the truth: settings, numbers and names, measure by measure and judge by judge."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from .._core.methods import OF_MEANS, methods_of
from .._core.options import ALPHA, DEPTH, LEVEL, TARGET, TEST, TOP, SignificanceTest, Target
from .._core.results import Result
from .._core.text import listed
from ..data import Scores
from ..rank_distance import Verdict, test_resamples
from ..reliability import PlaceChanges
from ..statistics import CoverageCaveat, PairCounts, Significance
from ..trec import PACKAGES
from ._bias import Bias
from ._inputs import Compared, InputNote
from ._labels import Agreement

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Settings:
    """The options of `ircor.judges` that say what is computed; the docstring of `judges` has them."""

    methods: tuple[str, ...] = ("tau_b", "tauAP_b")
    top: int | None = None
    depth: int = 10
    target: Target = "expected"
    level: float = 0.95
    test: SignificanceTest = "maximum"
    alpha: float = 0.05

    @classmethod
    def of(
        cls, methods: str | Iterable[str], top: Any, depth: Any, target: Any, level: Any, test: Any, alpha: Any
    ) -> Settings:
        """Check the options."""
        names = tuple(method.name for method in methods_of(methods, OF_MEANS))
        target, test = TARGET.checked(target), TEST.checked(test)
        level, alpha = LEVEL.checked(level), ALPHA.checked(alpha)
        return cls(names, TOP.checked(top), DEPTH.checked(depth), target, level, test, alpha)


@dataclass(frozen=True)
class Undefined:
    """Why a coefficient has no value.

    Attributes
    ----------
    side : {"truth", "judge"}
        Who gives systems the same mean.
    systems : int or None
        The number of best systems that this is about; None for all.
    refuses_ties : str
        The method if it is not defined for ties, and two systems have the same mean; "" if all of them have.
    """

    side: Literal["truth", "judge"]
    systems: int | None
    refuses_ties: str = ""


@dataclass(frozen=True)
class Coefficient:
    """A coefficient between the ranking by the truth and that by a judge, or the difference of those of two judges.

    Attributes
    ----------
    judge, other : str
        For a difference, that of the judge minus that of the other; else `other` is "".
    compared : Compared
        The measures of the truth and of the judge; `measure` is what both together are called.
    method : str
    top : int or None
        The number of best systems that it is among; None for all.
    value : float
        On the topics as given; nan if it is undefined.
    low, high : float or None
        The ends of the interval; nan if the value is, None without topics.
    undefined : Undefined or None
        Why there is no value.
    """

    judge: str
    other: str
    compared: Compared
    method: str
    top: int | None
    value: float
    low: Any
    high: Any
    undefined: Undefined | None = None

    @property
    def measure(self) -> str:
        return self.compared.label


@dataclass(frozen=True)
class JudgedSystem:
    """The means and ranks of a system by the truth and by a judge, and the ranks that it gains; None if unranked."""

    measure: str
    judge: str
    system: Hashable
    mean_truth: float
    mean_judge: float
    rank_truth: float | None
    rank_judge: float | None
    move: float | None


@dataclass(frozen=True)
class LargestMoves:
    """The systems that lose most ranks, those that move farthest up or down, and what the best ones have in common.

    Attributes
    ----------
    drop_systems, move_systems : tuple
        From the best by the truth down; none if no system drops, or moves.
    drop, move : float
        The ranks that they lose, and gain.
    overlap, best : float, int
        The share of the best systems that are the same, and their number; those tied with the last of them are
        included, and the share is of the larger set.
    """

    drop_systems: tuple[Hashable, ...]
    drop: float
    move_systems: tuple[Hashable, ...]
    move: float
    overlap: float
    best: int


@dataclass(frozen=True)
class JudgedFlip:
    """A pair that differs significantly by the truth and is in the other order by a judge; whether significantly."""

    measure: str
    judge: str
    better: Hashable
    worse: Hashable
    significant: bool


@dataclass(frozen=True)
class JudgedRanking:
    """The ranking of the systems by one judge and one measure, compared with that of the truth.

    Attributes
    ----------
    judge, compared, scores
        Who, by what, and the scores.
    coefficients : tuple of Coefficient
        Of each method, among all systems and then among the best.
    verdict : Verdict
        Whether the judge ranks the systems otherwise than the truth.
    systems : tuple of JudgedSystem
        From the best by the truth down.
    moves : LargestMoves or None
        None if the truth or the judge gives all systems the same mean.
    significance : Significance or None
        The pairs of systems that differ significantly by the judge; None without topics.
    pairs : PairCounts or None
        What the judge makes of those that differ significantly by the truth; None where `moves` is, and without topics.
    soft_accuracy : float or None
        `ircor.soft_pairwise_accuracy` with the p-values of these tests; nan for Tukey's, and None where `pairs` is.
    flips : tuple of JudgedFlip
    changes : PlaceChanges or None
        The sets of places by the truth and by the judge, and which systems surely move; None where `moves` is, and
        without topics.
    """

    judge: str
    compared: Compared
    scores: Scores
    coefficients: tuple[Coefficient, ...]
    verdict: Verdict
    systems: tuple[JudgedSystem, ...]
    moves: LargestMoves | None
    significance: Significance | None
    pairs: PairCounts | None
    soft_accuracy: float | None
    flips: tuple[JudgedFlip, ...]
    changes: PlaceChanges | None

    @property
    def measure(self) -> str:
        return self.compared.label


@dataclass(frozen=True)
class MeasureResult:
    """All that depends on the scores of one measure.

    Attributes
    ----------
    compared, truth
        The measures of the truth and of the judges, which are called `measure`, and the scores by the truth.
    rankings : tuple of JudgedRanking
    differences : tuple of Coefficient
        Between each two judges, of each method, among all systems and then among the best.
    caveats : tuple of CoverageCaveat
        Why the intervals of coefficients, or of differences, may hold their target less often than they should.
    significance : Significance or None
        The pairs of systems that differ significantly by the truth; None without topics.
    """

    compared: Compared
    truth: Scores
    rankings: tuple[JudgedRanking, ...]
    differences: tuple[Coefficient, ...]
    caveats: tuple[CoverageCaveat, ...]
    significance: Significance | None

    @property
    def measure(self) -> str:
        return self.compared.label


@dataclass(frozen=True, eq=False, repr=False)
class JudgesResult(Result):
    """How judges rank systems, compared with the truth.

    `print` shows the tables but for the long ones, and so does a notebook.

    Attributes
    ----------
    truth : str
        What the truth is called.
    judges, measures : tuple of str
        The names of the judges and of the measures.
    coefficients : pandas.DataFrame
        For each judge, measure and coefficient, over all systems and at the top: judge, measure, truth_measure and
        judge_measure (two, where the judge has other measures than the truth), coefficient, top, value, low and high
        (the interval for `target`), and note, which says why a value is missing.
    tests : pandas.DataFrame
        For each judge and measure: d_rank and pvalue, the rank distance from the truth and its test against another
        sample of topics; drop_system and drop, the system that loses most ranks, and how many; move_system and move,
        the one that moves farthest, up or down; overlap, the share of the best systems that are the same.
    pairs : pandas.DataFrame
        For each judge and measure: significant, the pairs of systems that differ significantly under the truth; found,
        missed and reversed, what the judge makes of these; missed_opposite, those missed that it orders in the other
        direction; extra, the pairs that differ significantly under the judge alone; soft_accuracy,
        `ircor.soft_pairwise_accuracy` with the p-values of these tests.
    differences : pandas.DataFrame
        For each pair of judges, measure and coefficient: the difference of their coefficients, with its interval.
    labels : pandas.DataFrame
        For each judge: the documents that both judged, and how far the grades agree.
    favours : pandas.DataFrame
        For each judge: its leniency, and the systems that it favours and disfavours.
    systems : pandas.DataFrame
        For each measure, judge and system: the means and ranks under the truth and under the judge, and move, the
        number of ranks that the system gains.  Tied systems share the mean of their ranks.
    places : pandas.DataFrame
        For each measure, judge and system: the set of places by the truth and by the judge, and whether the system
        surely moves.
    flips : pandas.DataFrame
        The pairs of systems that differ significantly under the truth and are in the other order under a judge; and
        whether they differ significantly there, too.
    confusion, labels_by_topic, bias : pandas.DataFrame
        The numbers of documents with each pair of grades; the agreement of each topic; the mean grades of the documents
        of each system and whether the judge favours it.
    by_measure : tuple of MeasureResult
        The numbers behind these tables.
    agreements : dict of str to Agreement
        The labels of each judge, if there are judgments.
    biases : dict of str to Bias
        Whether each judge favours systems, if there are judgments and runs.
    verdicts : tuple of str
        What follows for each judge: whether it ranks the systems otherwise, and whom it favours.
    findings : tuple of str
        What the numbers say, for each judge and measure, and of the labels of each judge.
    methods, top, depth, target, level, test, alpha, resamples, seed
        The options; the seed was drawn if None was given.
    overlap : int
        The number of best systems that `tests` compares: `top`, or ten, but no more than half of the systems.
    topics : dict of str to int
        The number of topics of each measure; 1 for leaderboards.
    """

    truth: str
    judges: tuple[str, ...]
    by_measure: tuple[MeasureResult, ...]
    agreements: dict[str, Agreement]
    biases: dict[str, Bias]
    settings: Settings
    overlap: int
    resamples: int
    seed: int
    input_notes: tuple[InputNote, ...] = ()

    def __getattr__(self, name: str) -> Any:
        """The tables as DataFrames, and the settings."""
        if name in FRAMES:
            return self.frame(name)
        if name in SETTINGS:
            return getattr(self.settings, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}")

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(one.measure for one in self.by_measure)

    @property
    def topics(self) -> dict[str, int]:
        return {one.measure: one.truth.n for one in self.by_measure}

    @property
    def has_topics(self) -> bool:
        """Whether there are scores by topic, rather than leaderboards."""
        return self.by_measure[0].truth.has_topics

    @property
    def test_resamples(self) -> int:
        """The number of simulated samples for the test of the rank distance; 0 for leaderboards."""
        return test_resamples(self.resamples) if self.has_topics else 0

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages that computed the scores, for the report."""
        return PACKAGES if self.agreements else ()

    @property
    def verdicts(self) -> tuple[str, ...]:
        return tuple(self.sentences())

    @property
    def findings(self) -> tuple[str, ...]:
        view: Any = self.view
        return tuple(view.findings())

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self.view.notes)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        judge: str | None = None,
        measure: str | None = None,
        labels: Sequence[str] | None = None,
    ) -> Axes:
        """Draw the rankings of the truth and of a judge side by side: `ircor.plots.slope`.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
        judge, measure : str, optional
            Which, if there are several.
        labels : pair of str, optional
            What the picture calls the two.
        """
        axes: Axes = self.view.plot(ax, judge=judge, measure=measure, labels=labels)
        return axes

    def __repr__(self) -> str:
        return f"<JudgesResult: {listed(self.judges)} against {self.truth}, by {listed(self.measures)}>"

    @property
    def rankings(self) -> list[JudgedRanking]:
        """Those of each judge by each measure, one judge after the other."""
        rankings = list(chain.from_iterable(one.rankings for one in self.by_measure))
        return sorted(rankings, key=lambda ranking: self.judges.index(ranking.judge))


FRAMES = frozenset(
    {
        *("coefficients", "tests", "pairs", "differences", "labels", "favours", "systems", "places", "flips"),
        *("confusion", "labels_by_topic", "bias"),
    }
)
"""The tables that are attributes of a result."""

SETTINGS = frozenset(one.name for one in fields(Settings))
