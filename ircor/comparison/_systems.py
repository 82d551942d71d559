"""Two tables of scores of the same systems: rankings side by side, coefficients, rank distance, and a conclusion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

from .._kernel import Dominance, Ranking
from .._methods import METHODS
from .._parallel import random_blocks
from .._progress import Progress
from .._result import Column, Result, Table, general, signed
from .._scores import Scores
from .._text import p_equals, p_value, percent, whole_if_whole
from ..rank_distance import DrankNull, DrankResult, discriminative_power
from ..rbase import r_rank
from ..tables._bootstrap import BootstrapResult, resample_all

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

COMPARED = ("tau", "tau_b", "tauAP", "tauAP_b")

# The significance level of the conclusion.
ALPHA = 0.05


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """How two tables of scores rank the same systems.

    `print` shows all of it, and so does a notebook.

    Attributes
    ----------
    names : tuple of str
        What the two tables are called.
    systems : pandas.DataFrame
        A row for each system, from the best in A down: system, mean_a, mean_b, rank_a, rank_b and move, the number of
        ranks that the system gains from A to B.  Tied systems share the mean of their ranks.
    coefficients : pandas.DataFrame
        A row for each coefficient: coefficient, value, low and high (the percentile interval over resampled topics),
        and note, which says why a value or an interval is missing.
    distance : ircor.rank_distance.DrankResult
        The rank distance of B from A, and its test.
    discriminative_power : float
        Of the pairs of systems that differ significantly in A, the share that B orders alike.
    conclusion : str
        One sentence.
    notes : tuple of str
        What a reader should know about the data: missing scores, different topics.
    resamples, seed : int
        How often the topics were resampled, and the seed that repeats it.
    """

    names: tuple[str, str]
    found_systems: Table
    found_coefficients: Table
    distance: DrankResult
    discriminative_power: float
    conclusion: str
    resamples: int
    seed: int
    sides: tuple[Scores, Scores]
    notes: tuple[str, ...] = ()

    @property
    def systems(self) -> pandas.DataFrame:
        return self.found_systems.frame()

    @property
    def coefficients(self) -> pandas.DataFrame:
        return self.found_coefficients.frame()

    def tables(self) -> list[Table]:
        distance = self.distance
        columns = [
            Column("d_rank"),
            Column("p-value", text=lambda share: p_value(share, distance.resamples)),
            Column("ridge", text=general),
            Column("discriminative_power", "discriminative power"),
        ]
        row = (distance.statistic, distance.pvalue, distance.ridge, self.discriminative_power)
        return [self.found_systems, self.found_coefficients, Table("d_rank", columns, [row])]

    def sentences(self) -> list[str]:
        return [self.conclusion]

    def as_dict(self) -> dict[str, Any]:
        return {
            "a": self.names[0],
            "b": self.names[1],
            "systems": self.found_systems.records(),
            "coefficients": self.found_coefficients.records(),
            "d_rank": {
                "statistic": self.distance.statistic,
                "pvalue": self.distance.pvalue,
                "ridge": self.distance.ridge,
                "made_equal": self.distance.equalised,
            },
            "discriminative_power": self.discriminative_power,
            "conclusion": self.conclusion,
            "seed": self.seed,
            "resamples": self.resamples,
        }

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the two rankings side by side, with the systems joined by lines: `ircor.plots.slope`."""
        from ..plots import slope

        A, B = self.sides
        return slope(A.means, B.means, names=A.systems, labels=self.names, ax=ax)

    def __repr__(self) -> str:
        return f"<Comparison of {self.names[0]} and {self.names[1]}: {self.conclusion}>"


def compare(
    A: Any,
    B: Any,
    *,
    names: Sequence[str] = ("A", "B"),
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> Comparison:
    """Compare two measures, or two collections, by how they rank the same systems.

    Parameters
    ----------
    A, B : 2-D array or DataFrame
        Scores, topics by systems.  A is the reference: the rank distance and the discriminative power are those of B's
        ranking given the scores in A.  DataFrames are matched by the names of the systems, arrays by position.  The
        topics may differ; then there are no intervals, since resampling needs the same topics on both sides.
    names : pair of str
        What the two are called in tables and in the conclusion.
    resamples : int
        The number of samples of topics, for the intervals and for the test of the rank distance.
    seed : int, optional
        Makes the outcome repeatable, whatever `n_jobs` is.  Drawn if None; reported in the result.
    n_jobs : int, optional
        As for `ircor.cor`.
    progress : callable or bool, optional
        As for `ircor.bootstrap`.

    Returns
    -------
    Comparison

    Raises
    ------
    TypeError, ValueError
        If a table is not one of finite scores with two topics and two systems or more, or the systems differ.

    Examples
    --------
    >>> import ircor
    >>> found = ircor.compare(ircor.sample("map"), ircor.sample("P_10"), names=("map", "P_10"), resamples=1000, seed=1)
    >>> found.systems.head(2)[["system", "rank_a", "rank_b", "move"]].values.tolist()
    [['J2', 1, 1.0, 0.0], ['J3', 2, 2.0, 0.0]]
    >>> round(found.distance.statistic, 3), found.discriminative_power
    (3.223, 1.0)
    >>> tau_b = found.coefficients.set_index("coefficient").loc["tau_b"]
    >>> [round(float(tau_b[key]), 3) for key in ("value", "low", "high")]
    [0.916, 0.812, 0.93]
    """
    if isinstance(names, str) or len(names) != 2:
        raise ValueError(f"'names' must be two names, one for each table, not {names!r}")
    called = str(names[0]), str(names[1])
    a, b = Scores.of(A, called[0]), Scores.of(B, called[1])
    same_topics = a.n == b.n and (not (a.named and b.named) or set(a.topics) == set(b.topics))
    b = a.aligned(b, topics=same_topics)
    seed, _ = random_blocks(seed, 1)
    notes = [note for note in dict.fromkeys((a.note, b.note)) if note]
    if not same_topics:
        notes.append("the two have different topics, so there are no intervals from resampled topics")
    coefficients = coefficients_table(a, b if same_topics else None, b.means, resamples, seed, n_jobs, progress)
    distance = DrankNull(a, resamples=resamples, seed=seed, n_jobs=n_jobs, progress=progress).test(b)
    power = discriminative_power(b, a)
    return Comparison(
        called,
        systems_table(a, b, called),
        coefficients,
        distance,
        power,
        conclusion(called, coefficients.records(), distance, power, tied_in_one(a, b)),
        distance.resamples,
        seed,
        (a, b),
        tuple(notes),
    )


def systems_table(a: Scores, b: Scores, names: tuple[str, str]) -> Table:
    """The means and ranks of every system, from the best in A down; ties by their ranks in B, then by name."""
    ranks = [r_rank(-side.means) for side in (a, b)]
    order = sorted(range(a.m), key=lambda k: (ranks[0][k], ranks[1][k], str(a.systems[k])))
    columns = [
        Column("system"),
        Column("mean_a", f"mean {names[0]}"),
        Column("mean_b", f"mean {names[1]}"),
        Column("rank_a", f"rank {names[0]}", general),
        Column("rank_b", f"rank {names[1]}", general),
        Column("move", text=signed),
    ]
    rows = [
        (
            a.systems[k],
            float(a.means[k]),
            float(b.means[k]),
            *(whole_if_whole(number) for number in (ranks[0][k], ranks[1][k], ranks[0][k] - ranks[1][k])),
        )
        for k in order
    ]
    return Table("systems", columns, rows)


def coefficients_table(
    a: Scores,
    b: Scores | None,
    b_means: Any,
    resamples: int,
    seed: int,
    n_jobs: int | None,
    progress: Progress,
) -> Table:
    """The coefficients with their intervals, or the reason why there is none; without `b`, no intervals."""
    methods = [METHODS[name] for name in COMPARED]
    values: dict[str, float | None] = {}
    for method in methods:
        try:
            values[method.name] = method(a.means, b_means)
        except ValueError:
            values[method.name] = None
    defined = [method for method in methods if values[method.name] is not None]
    intervals = {} if b is None else resample_all(a, b, defined, resamples, seed, n_jobs, progress=progress)
    rows = []
    for name, value in values.items():
        low = high = None
        note = ""
        if value is None:
            note = "two systems have the same mean"
        elif isinstance(found := intervals.get(name), BootstrapResult):
            low, high = found.low, found.high
        elif found is not None:
            note = "two systems have the same mean in a sample of topics"
        rows.append((name, value, low, high, note))
    return Table("coefficients", [Column(key) for key in ("coefficient", "value", "low", "high", "note")], rows)


def tied_in_one(a: Scores, b: Scores) -> int:
    """The number of pairs of systems that are tied in one of the two rankings and not in the other."""
    d = Dominance(Ranking(a.means), Ranking(b.means))
    return int(d.x.tied_pairs + d.y.tied_pairs - 2 * d.tied_pairs)


def conclusion(
    names: tuple[str, str],
    coefficients: list[dict[str, Any]],
    distance: DrankResult,
    power: float,
    tied_in_one: int,
) -> str:
    """One sentence: does B rank the systems as A does, and by how much do they differ?"""
    row = next(row for row in coefficients if row["coefficient"] == "tau_b")
    value = "undefined" if isnan(row["value"]) else f"{row['value']:.3f}"
    interval = ""
    if row["low"] is not None and not isnan(row["low"]):
        interval = f" ({row['low']:.3f} to {row['high']:.3f} in 95 % of the resamples of topics)"
    # With few resamples a share of 0 says little, so the observed distance is counted as one of them.
    significant = (distance.pvalue * distance.resamples + 1) / (distance.resamples + 1) <= ALPHA
    if distance.statistic == 0 and tied_in_one:
        said = f"{names[1]} contradicts no order of {names[0]}, but {tied_in_one} pairs are tied in only one of them"
    elif distance.statistic == 0:
        said = f"{names[1]} ranks the systems as {names[0]} does"
    elif significant:
        said = (
            f"{names[1]} ranks the systems differently from {names[0]}, by more than another sample of topics explains"
        )
    else:
        said = f"{names[1]} does not differ from {names[0]} by more than another sample of topics explains"
    pairs = ""
    if not isnan(power):
        pairs = f", and of the pairs of systems that differ significantly it orders {percent(power)} alike"
    p = p_equals(distance.pvalue, distance.resamples)
    return f"{said}: d_rank = {distance.statistic:.3f}, {p}, tau_b = {value}{interval}{pairs}."
