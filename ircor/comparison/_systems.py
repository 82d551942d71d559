"""Two tables of scores of the same systems: rankings side by side, coefficients, rank distance, and a conclusion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, nan
from typing import TYPE_CHECKING, Any, cast, get_args

from .._kernel import Dominance, Ranking
from .._methods import METHODS, Method, added_overlap
from .._options import fraction, one_of, whole_number
from .._progress import Progress
from .._result import Column, Result, Table, general, signed
from .._scores import Scores, ScoreTable
from .._text import counted, p_value, whole_if_whole
from .._types import Ties
from ..rank_distance import DrankNull, DrankResult, discriminative_power
from ..rank_distance._significance import significant_pairs
from ..rbase import r_rank
from ..reliability._curve import own_expected
from ..tables._intervals import Target, doubt, intervals
from ..tables._simulation import Statistic, Term
from ._conclusion import ALPHA, LEAST_TOPICS, Evidence, conclusion, reliability

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

COMPARED = ("tau", "tau_b", "tauAP", "tauAP_b")

# The test of the rank distance gets this share of the samples, because each takes longer, and at least this many.
TEST_SHARE, LEAST_TEST = 0.2, 99
# So do the intervals of the reliability, which need fewer.
DRAWN_SHARE, LEAST_DRAWN, LEAST_BEYOND = 0.1, 400, 10


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
        A row for each coefficient: coefficient, value, low and high (the interval for `target`), and note, which says
        why a value is missing, and has the p and the ties of rank-biased overlap.
    target : {"expected", "sample", "population"}
        What the intervals are for: `ircor.bootstrap`.
    level : float
        The level of the intervals.
    distance : ircor.rank_distance.DrankResult or None
        The rank distance of B from A, and its test against another sample of topics.  None if all systems have the same
        mean in A or in B, which is no ranking, or if A has fewer than three topics.
    discriminative_power : float
        As in Carterette (2009), not Sakai's: of the pairs of systems that differ significantly in A, the share that B
        orders alike.
    flips : pandas.DataFrame
        A row for each pair that differs significantly in A and is in the opposite order in B, from the greatest
        difference in A down: better and worse (in A), difference_a and difference_b (of their means, better minus
        worse), and significant, whether the difference in B is significant too.
    reliability : pandas.DataFrame
        A row for each of the two: source, topics, and expected, the expected tau between its ranking of the systems and
        its true ranking, with low and high, its interval: `ircor.reliability.topics_needed`.  A table with fewer than
        three topics, or with the same scores for all systems, has no row.
    conclusion : str
        What the numbers say: the verdict of the test, tau_b with its interval, and the pairs that differ significantly.
    notes : tuple of str
        What a reader should know about the data: missing scores, different topics.
    resamples, seed : int
        The number of simulated samples of topics, and the seed that repeats them.
    """

    names: tuple[str, str]
    found_systems: Table
    found_coefficients: Table
    found_flips: Table
    found_reliability: Table
    target: Target
    level: float
    distance: DrankResult | None
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

    @property
    def flips(self) -> pandas.DataFrame:
        return self.found_flips.frame()

    @property
    def reliability(self) -> pandas.DataFrame:
        return self.found_reliability.frame()

    def tables(self) -> list[Table]:
        distance = self.distance
        columns = [
            Column("d_rank"),
            Column("p-value", text=lambda share: p_value(share, distance.resamples if distance else 1)),
            Column("shrinkage"),
            Column("discriminative_power", "discriminative\npower"),
        ]
        test = (distance.statistic, distance.pvalue, distance.shrinkage) if distance else (nan, nan, nan)
        row = (*test, self.discriminative_power)
        d_rank = Table("d_rank", columns, [row])
        return [self.found_systems, self.found_coefficients, d_rank, self.found_reliability]

    def sentences(self) -> list[str]:
        """The conclusion, and how reliable the two rankings are."""
        return [self.conclusion, *reliability(self.found_reliability.records(), self.level)]

    def as_dict(self) -> dict[str, Any]:
        distance = None
        if self.distance:
            found = self.distance.as_dict()
            distance = {key: found[key] for key in ("statistic", "pvalue", "null", "shrinkage", "made_equal")}
        return {
            "a": self.names[0],
            "b": self.names[1],
            "topics": [side.n for side in self.sides],
            "systems": self.found_systems.records(),
            "coefficients": self.found_coefficients.records(),
            "target": self.target,
            "level": self.level,
            "d_rank": distance,
            "discriminative_power": self.discriminative_power,
            "flips": self.found_flips.records(),
            "reliability": self.found_reliability.records(),
            "conclusion": self.conclusion,
            "notes": self.notes,
            "seed": self.seed,
            "resamples": self.resamples,
        }

    def plot(self, ax: Axes | None = None, *, labels: Sequence[str] | None = None) -> Axes:
        """Draw the two rankings side by side, with the systems joined by lines: `ircor.plots.slope`."""
        from ..plots import slope

        A, B = self.sides
        called = self.names if labels is None else labels
        return slope(A.means, B.means, names=A.systems, labels=called, ax=ax)

    def __repr__(self) -> str:
        return f"<Comparison of {self.names[0]} and {self.names[1]}: {self.conclusion}>"


def compare(
    A: ScoreTable,
    B: ScoreTable,
    *,
    names: Sequence[str] = ("A", "B"),
    target: Target = "expected",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    p: float | None = None,
    ties: Ties | None = None,
) -> Comparison:
    """Compare two measures, or two collections, by how they rank the same systems.

    The question is whether B ranks the systems differently from A by more than another sample of topics, scored as in
    A, would.  The answer is the two-sample test of the rank distance: `ircor.rank_distance.drank_test`.

    Parameters
    ----------
    A, B : 2-D array or DataFrame
        Scores, topics by systems.  A is the reference: the rank distance and the discriminative power are those of B's
        ranking given the scores in A.  DataFrames are matched by the names of the systems, arrays by position.  The
        topics are the same if their names are or, without names, if their numbers are.
    names : pair of str
        What the two are called in tables and in the conclusion.
    target, level
        What the intervals are for, and their level: `ircor.bootstrap`.
    resamples : int
        The number of simulated samples of topics for the intervals; the test takes a fifth of that, but at least 99,
        and the intervals of the reliability a tenth, but at least 400.
    seed : int, optional
        Makes the outcome repeatable, whatever `n_jobs` is.  Drawn if None; reported in the result.
    n_jobs : int, optional
        As for `ircor.cor`.
    progress : callable or bool, optional
        As for `ircor.bootstrap`.
    p : float, optional
        Adds rank-biased overlap with this persistence to the coefficients, as for `ircor.cor`.
    ties : {"w", "a", "b"}, optional
        Its treatment of ties; by default "a".

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
    >>> AP, P10 = ircor.sample("map"), ircor.sample("P_10")
    >>> found = ircor.compare(AP, P10, names=("map", "P_10"), resamples=1000, seed=1)
    >>> found.systems.head(2)[["system", "rank_a", "rank_b", "move"]].values.tolist()
    [['J2', 1, 1.0, 0.0], ['J3', 2, 2.0, 0.0]]
    >>> round(found.distance.statistic, 3), round(found.distance.pvalue, 2), found.discriminative_power
    (2.203, 0.98, 1.0)
    >>> tau_b = found.coefficients.set_index("coefficient").loc["tau_b"]
    >>> [round(float(tau_b[key]), 3) for key in ("value", "low", "high")]
    [0.916, 0.864, 0.955]
    """
    if isinstance(names, str) or len(names) != 2:
        raise ValueError(f"'names' must be two names, one for each table, not {names!r}")
    called = str(names[0]), str(names[1])
    a, b = Scores.of(A, called[0]), Scores.of(B, called[1])
    chosen = cast(Target, one_of(target, "target", get_args(Target)))
    level, resamples = fraction(level, "level"), whole_number(resamples, "resamples")
    methods = [*(METHODS[name] for name in COMPARED), *added_overlap(p, ties)]
    same_topics = a.n == b.n and (not (a.named and b.named) or set(a.topics) == set(b.topics))
    if a.named and b.named and not same_topics:
        refuse_common_topics(a, b)
    b = a.aligned(b, topics=same_topics)
    seed, coefficients = coefficients_table(
        methods, a, b, same_topics, chosen, level, resamples, seed, n_jobs, progress
    )
    unranked = tuple(side.name for side in (a, b) if not side.ranks_systems)
    distance = None
    if not unranked and a.n >= LEAST_TOPICS:
        test = test_resamples(resamples)
        null = DrankNull(a, null="two-sample", topics=b.n, resamples=test, seed=seed, n_jobs=n_jobs, progress=progress)
        distance = null.test(b)
    power = discriminative_power(b, a)
    tau_b = next(row for row in coefficients.records() if row["coefficient"] == "tau_b")
    evidence = Evidence(
        called,
        (a.n, b.n),
        same_topics,
        unranked,
        tied_in_one(a, b),
        tau_b["value"],
        tau_b["low"],
        tau_b["high"],
        level,
        chosen,
        distance,
        power,
    )
    reliability_found, doubts = reliability_table((a, b), called, level, resamples, seed, n_jobs, progress)
    notes = [note for note in dict.fromkeys((a.note, b.note)) if note] + doubts
    if why := doubt(a.m, min(a.n, b.n), False, chosen):
        notes.append(why)
    if not same_topics:
        notes.append("the two have different topics, so they are taken for two separate samples of topics")
    return Comparison(
        called,
        systems_table(a, b, called),
        coefficients,
        flips_table(a, b, called),
        reliability_found,
        chosen,
        level,
        distance,
        power,
        conclusion(evidence),
        resamples,
        seed,
        (a, b),
        tuple(notes),
    )


def test_resamples(resamples: int) -> int:
    """The number of samples for the test of the rank distance."""
    return max(int(TEST_SHARE * resamples), LEAST_TEST)


def systems_table(a: Scores, b: Scores, names: tuple[str, str]) -> Table:
    """The means and ranks of every system, from the best in A down; ties by their ranks in B, then by name."""
    ranks = [r_rank(-side.means) for side in (a, b)]
    order = sorted(range(a.m), key=lambda k: (ranks[0][k], ranks[1][k], str(a.systems[k])))
    columns = [
        Column("system"),
        Column("mean_a", f"mean\n{names[0]}"),
        Column("mean_b", f"mean\n{names[1]}"),
        Column("rank_a", f"rank\n{names[0]}", general),
        Column("rank_b", f"rank\n{names[1]}", general),
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


def flips_table(a: Scores, b: Scores, names: tuple[str, str]) -> Table:
    """The pairs that differ significantly in A and are in the opposite order in B, the greatest difference first."""
    ranks = a.ranks(b)
    different = [significant_pairs(side, ALPHA) for side in (a, b)]
    rows = []
    for i in range(a.m):
        above = different[0][i] & (a.means < a.means[i]) & (ranks > ranks[i])
        rows += [
            (
                a.systems[i],
                a.systems[j],
                float(a.means[i] - a.means[j]),
                float(b.means[i] - b.means[j]),
                bool(different[1][i, j]),
            )
            for j in above.nonzero()[0]
        ]
    columns = [
        Column("better", f"better in\n{names[0]}", str),
        Column("worse", f"worse in\n{names[0]}", str),
        Column("difference_a", f"difference\n{names[0]}"),
        Column("difference_b", f"difference\n{names[1]}"),
        Column("significant", f"significant in\n{names[1]}", yes_or_no),
    ]
    return Table("flips", columns, sorted(rows, key=lambda row: (-row[2], row[3], str(row[:2]))), names=2)


def reliability_table(
    sides: Sequence[Scores],
    names: Sequence[str],
    level: float,
    resamples: int,
    seed: int,
    n_jobs: int | None,
    progress: Progress,
) -> tuple[Table, list[str]]:
    """The expected tau of each of the two rankings with its own true ranking, and notes on them."""
    rows, notes = [], []
    draws = max(int(DRAWN_SHARE * resamples), LEAST_DRAWN, ceil(LEAST_BEYOND / (1 - level)))
    for side, name in zip(sides, names):
        if side.n >= LEAST_TOPICS and not side.all_same:
            found, doubts = own_expected(
                side, level=level, resamples=draws, seed=seed, n_jobs=n_jobs, progress=progress
            )
            rows.append((name, side.n, *found))
            notes += [f"the reliability of {name}: {doubt}" for doubt in doubts]
    columns = [Column("source"), Column("topics"), Column("expected", "expected\ntau"), Column("low"), Column("high")]
    return Table("reliability", columns, rows), notes


def yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def refuse_common_topics(a: Scores, b: Scores) -> None:
    """Raise if two tables have some topics in common: they are neither the same topics nor two separate samples."""
    common = set(a.topics).intersection(b.topics)
    if common:
        more = len(set(a.topics).symmetric_difference(b.topics))
        raise ValueError(
            f"'{a.name}' and '{b.name}' have {counted(len(common), 'topic')} in common and {more} not: keep the topics "
            "that both have, or topics of which they have none in common"
        )
    if set(map(str, a.topics)).intersection(map(str, b.topics)):
        raise ValueError(
            f"the topics of '{a.name}' and '{b.name}' are alike as text, but {a.topics[0]!r} is not {b.topics[0]!r}: "
            "give both the same type"
        )


def coefficients_table(
    methods: Sequence[Method],
    a: Scores,
    b: Scores,
    same_topics: bool,
    target: Target,
    level: float,
    resamples: int,
    seed: int | None,
    n_jobs: int | None,
    progress: Progress,
) -> tuple[int, Table]:
    """The seed, drawn if None, and the coefficients with their intervals, or the reason why there is none."""
    statistics, refused = [], {}
    for method in methods:
        statistic = Statistic(method.name, (Term(method, 1),))
        try:
            statistic.observed((a, b))
            statistics.append(statistic)
        except ValueError:
            refused[statistic.name] = (statistic.name, None, None, None, "two systems have the same mean")
    seed, found = intervals(
        (a, b), statistics, [target], resamples, seed, n_jobs, level, progress, same_topics=same_topics
    )
    rows = refused | {
        statistic.name: (statistic.name, one.statistic, *one.limits[target][1:], statistic.terms[0].method.options)
        for statistic, one in zip(statistics, found)
    }
    columns = [*(Column(key) for key in ("coefficient", "value", "low", "high")), Column("note", prose=True)]
    return seed, Table("coefficients", columns, [rows[method.name] for method in methods])


def tied_in_one(a: Scores, b: Scores) -> int:
    """The number of pairs of systems that are tied in one of the two rankings and not in the other."""
    d = Dominance(Ranking(a.means), Ranking(b.means))
    return int(d.x.tied_pairs + d.y.tied_pairs - 2 * d.tied_pairs)
