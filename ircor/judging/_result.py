"""What was found about judges: tables, sentences, and a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._result import Column, Result, Table, general, signed
from .._scores import Scores
from .._text import listed, p_value, percent
from ..comparison._systems import test_resamples
from ..tables._intervals import Target
from ..trec._measures import PACKAGES
from ._bias import Bias, exact_p
from ._labels import Agreement

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


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
        For each judge, measure and coefficient, over all systems and at the top: judge, measure, coefficient, top,
        value, low and high (the interval for `target`), and note, which says why a value is missing.
    tests : pandas.DataFrame
        For each judge and measure: d_rank and pvalue, the rank distance from the truth and its test against another
        sample of topics; drop_system and drop, the system that loses most ranks, and how many; move_system and move,
        the one that moves farthest, up or down; overlap, the share of the best systems that are the same.
    pairs : pandas.DataFrame
        For each judge and measure: significant, the pairs of systems that differ significantly under the truth; found,
        missed and reversed, what the judge makes of these; missed_opposite, those missed that it orders in the other
        direction; extra, the pairs that differ significantly under the judge alone.
    differences : pandas.DataFrame
        For each pair of judges, measure and coefficient: the difference of their coefficients, with its interval.
    labels : pandas.DataFrame
        For each judge: the documents that both judged, and how far the grades agree.
    favours : pandas.DataFrame
        For each judge: its leniency, and the systems that it favours and disfavours.
    systems : pandas.DataFrame
        For each measure, judge and system: the means and ranks under the truth and under the judge, and move, the
        number of ranks that the system gains.  Tied systems share the mean of their ranks.
    flips : pandas.DataFrame
        The pairs of systems that differ significantly under the truth and are in the other order under a judge; and
        whether they differ significantly there, too.
    confusion, labels_by_topic, bias : pandas.DataFrame
        The numbers of documents with each pair of grades; the agreement of each topic; the mean grades of the documents
        of each system and whether the judge favours it.
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
    measures: tuple[str, ...]
    found: tuple[Table, ...]
    further: tuple[Table, ...]
    agreements: dict[str, Agreement]
    biases: dict[str, Bias]
    verdicts: tuple[str, ...]
    findings: tuple[str, ...]
    methods: tuple[str, ...]
    top: int | None
    overlap: int
    depth: int
    target: Target
    level: float
    test: str
    alpha: float
    resamples: int
    seed: int
    scores: dict[str, list[Scores]]
    topics: dict[str, int]
    notes: tuple[str, ...] = ()

    @property
    def test_resamples(self) -> int:
        """The number of simulated samples for the test of the rank distance; 0 for leaderboards."""
        return test_resamples(self.resamples) if any(count > 1 for count in self.topics.values()) else 0

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages that computed the scores, for the report."""
        return PACKAGES if self.agreements else ()

    def table(self, key: str) -> Table | None:
        """The table of this name, if there is one."""
        return next((table for table in (*self.found, *self.further) if table.key == key), None)

    def frame(self, key: str) -> pandas.DataFrame:
        """The table of this name as a DataFrame; an empty one if nothing is known."""
        return (self.table(key) or Table(key, [], [])).frame()

    def __getattr__(self, name: str) -> pandas.DataFrame:
        if name in FRAMES:
            return self.frame(name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}")

    def tables(self) -> list[Table]:
        return list(self.found)

    def details(self) -> list[Table]:
        """The long tables, which are in JSON and in the report, but not on the screen."""
        return list(self.further)

    def sentences(self) -> list[str]:
        """The verdicts: the tables have what the findings say in words."""
        return list(self.verdicts)

    def as_dict(self) -> dict[str, Any]:
        settings = {
            "truth": self.truth,
            "judges": list(self.judges),
            "measures": list(self.measures),
            "topics": self.topics,
            "methods": list(self.methods),
            "top": self.top,
            "overlap": self.overlap,
            "depth": self.depth,
            "target": self.target,
            "level": self.level,
            "test": self.test,
            "alpha": self.alpha,
        }
        tables = {table.key: table.records() for table in (*self.found, *self.further)}
        said = {"verdicts": list(self.verdicts), "findings": list(self.findings), "notes": list(self.notes)}
        return (
            settings
            | tables
            | said
            | {
                "seed": self.seed,
                "resamples": self.resamples,
                "test_resamples": self.test_resamples,
            }
        )

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
        from ..plots import slope

        chosen, place = (
            only_one(given, names, what)
            for given, names, what in ((measure, self.measures, "measure"), (judge, self.judges, "judge"))
        )
        truth, *others = self.scores[chosen]
        called = labels or (self.truth, place)
        return slope(truth.means, others[self.judges.index(place)].means, names=truth.systems, labels=called, ax=ax)

    def __repr__(self) -> str:
        return f"<JudgesResult: {listed(self.judges)} against {self.truth}, by {listed(self.measures)}>"


FRAMES = frozenset(
    {
        *("coefficients", "tests", "pairs", "differences", "labels", "favours", "systems", "flips", "confusion"),
        *("labels_by_topic", "bias"),
    }
)
"""The tables that are attributes of a result."""


def only_one(given: str | None, names: Sequence[str], what: str) -> str:
    """The one that is meant."""
    if given is None and len(names) == 1:
        return names[0]
    if given is None or given not in names:
        raise ValueError(f"'{what}' must be one of {listed(names)}, not {given!r}")
    return given


def share(value: Any) -> str:
    return "" if value is None else percent(value)


WHO = [Column("judge"), Column("measure")]

COLUMNS: dict[str, list[Column]] = {
    "coefficients": [
        *WHO,
        Column("coefficient"),
        Column("top", text=general),
        *(Column(key) for key in ("value", "low", "high")),
        Column("note", prose=True),
    ],
    "tests": [
        *WHO,
        Column("d_rank"),
        Column("pvalue", "p-value", text=lambda p: "" if p is None else p_value(p, 1)),
        Column("drop_system", "largest\ndrop"),
        Column("drop", "ranks\nlost", text=general),
        Column("move_system", "largest\nmove"),
        Column("move", "ranks\nmoved", text=lambda move: "" if move is None else signed(move)),
        Column("overlap", "same of\nthe best", text=share),
        Column("best", only="data"),
    ],
    "pairs": [
        *WHO,
        Column("significant", "significant\nby truth"),
        *(Column(key) for key in ("found", "missed", "reversed")),
        Column("missed_opposite", "missed in\nother order"),
        Column("extra"),
    ],
    "differences": [
        Column("judge"),
        Column("other", "minus"),
        *(Column(key) for key in ("measure", "coefficient")),
        Column("top", text=general),
        *(Column(key) for key in ("difference", "low", "high")),
        Column("note", prose=True),
    ],
    "labels": [
        Column("judge"),
        Column("both", "documents"),
        Column("share_of_truth", "of the\ntruth", text=share),
        Column("agreement", "same\ngrade"),
        Column("kappa"),
        Column("kappa_low", "low"),
        Column("kappa_high", "high"),
        Column("kappa_linear", only="data"),
        Column("kappa_quadratic", "quadratic\nweights"),
        Column("kappa_quadratic_low", only="data"),
        Column("kappa_quadratic_high", only="data"),
        Column("alpha_ordinal", "ordinal\nalpha"),
        *(Column(key, only="data") for key in ("alpha_nominal", "alpha_interval")),
        *(Column(key, only="data") for key in ("only_truth", "only_judge", "share_of_judge")),
    ],
    "favours": [
        Column("judge"),
        Column("leniency"),
        *(Column(key) for key in ("low", "high")),
        Column("pvalue", "least\np-value", text=exact_p),
        Column("favoured", prose=True, text=listed),
        Column("disfavoured", prose=True, text=listed),
        *(Column(key, only="data") for key in ("depth", "judged", "retrieved")),
    ],
    "systems": [
        Column("measure"),
        Column("judge"),
        Column("system", text=str),
        Column("mean_truth", "mean\ntruth"),
        Column("mean_judge", "mean\njudge"),
        Column("rank_truth", "rank\ntruth", text=general),
        Column("rank_judge", "rank\njudge", text=general),
        Column("move", text=lambda move: "" if move is None else signed(move)),
    ],
    "flips": [
        Column("measure"),
        Column("judge"),
        Column("better", "better under\nthe truth", text=str),
        Column("worse", text=str),
        Column("significant", "significant\nunder the judge", text=lambda flag: "yes" if flag else "no"),
    ],
    "confusion": [
        Column("judge"),
        Column("truth_grade", "grade of\nthe truth", text=general),
        Column("judge_grade", "grade of\nthe judge", text=general),
        Column("count", "documents"),
    ],
    "labels_by_topic": [
        Column("judge"),
        Column("topic", text=str),
        Column("both", "documents"),
        Column("agreement", "same\ngrade"),
        Column("kappa"),
        *(Column(f"kappa_{weights}", f"{weights}\nweights") for weights in ("linear", "quadratic")),
        *(Column(f"alpha_{metric}", f"{metric}\nalpha") for metric in ("nominal", "ordinal", "interval")),
    ],
    "bias": [
        Column("judge"),
        Column("system", text=str),
        Column("topics"),
        Column("grade_truth", "mean grade\nof the truth"),
        Column("grade_judge", "mean grade\nof the judge"),
        *(Column(key) for key in ("difference", "favour", "low", "high")),
        Column("pvalue", "p-value", text=exact_p),
    ],
}
"""The columns of each table."""

NAMES = {"coefficients": 4, "differences": 5, "systems": 3, "flips": 4, "labels": 1, "favours": 1, "confusion": 3}


MAY_BE_EMPTY = {"top", "note", "disfavoured", "low", "high", "d_rank", "pvalue"}
"""Columns that people do not see if there is nothing in them."""


def table_of(key: str, rows: Sequence[Sequence[Any]]) -> Table:
    """A table of this name, in which people do not see columns that are empty."""
    columns = []
    for k, column in enumerate(COLUMNS[key]):
        empty = column.key in MAY_BE_EMPTY and all(row[k] in (None, "", []) for row in rows)
        columns.append(replace(column, only="data") if empty else column)
    return Table(key, columns, rows, names=NAMES.get(key, 2))
