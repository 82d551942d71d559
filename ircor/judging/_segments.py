"""Judges of single answers: how they score the answers of several systems to each item, compared with the truth."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from .._core.errors import InvalidTypeError, InvalidValueError, must_be
from .._core.methods import EQUALITY, Tau, any_method_of, methods_of
from .._core.options import ALPHA, EPSILON, LEVEL, METHODS_OF_SEGMENTS, RESAMPLES, SEED, takes
from .._core.results import Result
from .._core.text import listed
from .._core.types import CoefficientName, Floats, Frame
from .._core.work import random_phases
from .._extras import extra
from ..statistics import holm, jackknife_error
from ..tables import cor_by

if TYPE_CHECKING:
    import pandas

    Path: TypeAlias = str | os.PathLike[str]

Grouping: TypeAlias = Literal["item", "system", "all"]

GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)

MOST_PARTS = 100
"""The jackknife leaves out so many parts of neighbouring items in turn, or single items if there are fewer."""

LEAST_ITEMS = 5
"""The fewest items for an interval."""


@dataclass(frozen=True)
class SegmentCoefficient:
    """A coefficient of a judge, or the difference of two.

    Attributes
    ----------
    judge, other : str
        For a difference, that of the judge minus that of the other; else `other` is "".
    by : {"item", "system", "all"}
        The mean of the coefficients within items, or within systems, or that of all answers together.
    method : str
    groups : int
        The items or the systems in which it is defined; of a difference, for both.
    value, low, high : float
    pvalue : float or None
        Of a difference by item: the two-sided p-value of the paired permutation test, adjusted by Holm's method for the
        number of pairs of judges.
    rank : int or None
        Of a judge by item: 1 and the number of judges that are significantly better.
    """

    judge: str
    other: str
    by: Grouping
    method: str
    groups: int
    value: float
    low: float
    high: float
    pvalue: float | None = None
    rank: int | None = None


@dataclass(frozen=True, eq=False, repr=False)
class SegmentsResult(Result):
    """How judges score single answers, compared with the truth.

    `print` shows the tables, and so does a notebook.

    Attributes
    ----------
    truth : str
    judges : tuple of str
    items, systems, answers : int
        The number of items, of systems, and of answers with a score by all.
    coefficients : pandas.DataFrame
        For each judge, grouping and coefficient: judge, by, coefficient, groups, value, low, high and rank.
    differences : pandas.DataFrame
        For each pair of judges, grouping and coefficient: judge, minus, by, coefficient, groups, difference, low, high
        and pvalue.
    values, differing : tuple of SegmentCoefficient
        The numbers behind these tables.
    epsilon, level, alpha, resamples, seed
        The options; the seed was drawn if None was given.
    """

    truth: str
    judges: tuple[str, ...]
    items: int
    systems: int
    answers: int
    values: tuple[SegmentCoefficient, ...]
    differing: tuple[SegmentCoefficient, ...]
    epsilon: float
    level: float
    alpha: float
    resamples: int
    seed: int

    @property
    def coefficients(self) -> pandas.DataFrame:
        return self.frame("coefficients")

    @property
    def differences(self) -> pandas.DataFrame:
        return self.frame("differences")

    def __repr__(self) -> str:
        return f"<SegmentsResult: {listed(self.judges)} against {self.truth}, {self.answers} answers>"


@takes(METHODS_OF_SEGMENTS, EPSILON, LEVEL, ALPHA, RESAMPLES, SEED)
def segments(
    answers: Frame | Path,
    truth: str = "truth",
    judges: Sequence[str] | None = None,
    *,
    item: str = "item",
    system: str = "system",
    methods: Sequence[CoefficientName] = ("acc_eq",),
    epsilon: float = 0.0,
    level: float = 0.95,
    alpha: float = 0.05,
    resamples: int = 10_000,
    seed: int | None = None,
) -> SegmentsResult:
    """Compare judges of single answers with the truth: within items, within systems, and over all answers.

    A judge that ranks systems well can be wrong about most answers, since errors cancel in means.  Within items asks
    which of several answers to one item is better ("group by item"); within systems, which of the answers of one system
    are better ("group by system"); over all answers mixes both with how difficult the items are.

    Parameters
    ----------
    answers : DataFrame or path
        A row for each answer, with columns of the item, the system, the truth and the judges; or a file of comma- or
        tab-separated values or Parquet.
    truth : str
        The column of the truth.
    judges : sequence of str, optional
        The columns of the judges; by default all other columns of numbers.
    item, system : str
        The columns of the item and of the system.
    methods : sequence of str
        The coefficients, but those that refuse ties in the truth if it has some.
    epsilon : float
        The threshold of ties of tau_eq and acc_eq: `ircor.judging.calibrate`.
    level : float
        The level of the intervals.
    alpha : float
        The familywise error rate of the differences by which judges are ranked.
    resamples : int
        The number of permutations.
    seed : int, optional
        The seed of the permutations.

    Returns
    -------
    SegmentsResult

    Raises
    ------
    TypeError, ValueError
        If a column is not there or has no numbers, if a score is missing, if an item has two answers of one system, or
        if a coefficient refuses the ties.

    Notes
    -----
    A coefficient within items is the mean over the items in which it is defined: tau_b is undefined where the truth or
    the judge scores all answers the same, acc_eq never is.  Items are a sample, and systems are given.  Intervals
    within items are t intervals over items.  The others are t intervals with the jackknife over items: over a hundred
    parts of neighbouring items, or over single items if there are fewer.  They need five items.

    The test of two judges permutes them within items: if they do not differ, each item could have the two coefficients
    the other way round.  p-values are adjusted by Holm's method for the pairs of judges.  There is no such test within
    systems and over all answers, where the scores of two judges would have to be on one scale.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("q1", "A", 1, 0.2), ("q1", "B", 2, 0.7), ("q2", "A", 1, 0.5), ("q2", "B", 1, 0.5), ("q3", "A", 2, 0.1)]
    >>> answers = pd.DataFrame([*rows, ("q3", "B", 1, 0.4)], columns=["item", "system", "truth", "judge"])
    >>> segments(answers, seed=1).coefficients[["by", "groups", "value"]].round(3).values.tolist()
    [['item', 3, 0.667], ['system', 2, 0.333], ['all', 1, 0.333]]
    """
    level, alpha, resamples = LEVEL.checked(level), ALPHA.checked(alpha), RESAMPLES.checked(resamples)
    seed = random_phases(SEED.checked(seed), [])[0]
    chosen = [at_threshold(method.name, epsilon) for method in methods_of(methods)]
    table = table_of(answers, item, system)
    names = judges_among(table, truth, judges, (item, system), numbers_in(table))
    refuse_missing(table, [item, system, truth, *names], [item, system])
    data = Answers.of(table, item, system, truth, names)
    by_method = {method.name: {judge: data.values(method, judge) for judge in names} for method in chosen}
    rng = np.random.default_rng(seed)
    values, differing = [], []
    for name, of_judges in by_method.items():
        pairs = []
        for one, other in combinations(names, 2):
            for by in GROUPINGS:
                pairs.append((one, other, by, difference(of_judges[one][by], of_judges[other][by], by)))
        tested = [k for k, pair in enumerate(pairs) if pair[2] == "item"]
        raw = np.array([permutation_pvalue(pairs[k][3].groups, resamples, rng) for k in tested])
        pvalues = dict(zip(tested, holm(raw).tolist()))
        better: dict[str, int] = dict.fromkeys(names, 0)
        for k, (one, other, by, found) in enumerate(pairs):
            low, high = found.limits(level)
            count = int(np.count_nonzero(~np.isnan(found.groups)))
            differing.append(SegmentCoefficient(one, other, by, name, count, found.value, low, high, pvalues.get(k)))
            if k in pvalues and pvalues[k] <= alpha and found.value:
                better[other if found.value > 0 else one] += 1
        for judge in names:
            for by in GROUPINGS:
                found = of_judges[judge][by]
                count = int(np.count_nonzero(~np.isnan(found.groups)))
                rank = 1 + better[judge] if by == "item" and len(names) > 1 else None
                values.append(
                    SegmentCoefficient(judge, "", by, name, count, found.value, *found.limits(level), rank=rank)
                )
    return SegmentsResult(
        truth=truth,
        judges=tuple(names),
        items=len(data.items),
        systems=data.systems,
        answers=len(data.rows),
        values=tuple(values),
        differing=tuple(differing),
        epsilon=float(epsilon),
        level=level,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
    )


def at_threshold(name: str, epsilon: object) -> Any:
    """The coefficient of this name, at the threshold if it has one."""
    return any_method_of(name, None, None, epsilon=epsilon if name in EQUALITY and epsilon != 0 else None)


def table_of(answers: Any, *labels: str) -> Any:
    """The answers as a DataFrame of pandas; in a file, items and systems are texts."""
    pd = extra("pandas", "judging.segments")
    if isinstance(answers, (str, os.PathLike)):
        path = os.fspath(answers)
        if path.endswith(".parquet"):
            return pd.read_parquet(path)
        return pd.read_csv(path, sep="\t" if ".tsv" in path.lower() else ",", dtype=dict.fromkeys(labels, str))
    if hasattr(answers, "to_pandas"):  # Polars and Arrow
        answers = answers.to_pandas()
    if not hasattr(answers, "iloc") or not hasattr(answers, "columns"):
        raise InvalidTypeError("answers", must_be("a table with a row for each answer, or its file", answers))
    return answers


def numbers_in(table: Any) -> list[str]:
    """The columns of numbers."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return [name for name in table.columns if is_numeric_dtype(table[name]) and not is_bool_dtype(table[name])]


def judges_among(
    table: Any, truth: str, judges: Sequence[str] | None, labels: Sequence[str], columns: Sequence[str]
) -> list[str]:
    """The columns of the judges; by default all of some columns."""
    given = [judges] if isinstance(judges, str) else judges
    names = list(given) if given is not None else [name for name in columns if name not in (truth, *labels)]
    for name in (*labels, truth, *names):
        if name not in table.columns:
            raise InvalidValueError("answers", f"has no column {name!r}: it has {listed(map(str, table.columns), 8)}")
        if name not in labels and name not in columns:
            raise InvalidTypeError("answers", f"must have numbers in the column {name!r}")
    if not names:
        raise InvalidValueError("judges", "has no judges")
    if truth in names or len(set(names)) < len(names):
        raise InvalidValueError("judges", f"must be different columns, none of them the truth, not {listed(names)}")
    return names


def refuse_missing(table: Any, columns: Sequence[str], labels: Sequence[str]) -> None:
    """Raise if a cell is missing, or if two rows have the same labels."""
    for name in columns:
        missing = table[name].isna().to_numpy()
        if missing.any():
            raise InvalidValueError(
                "answers", f"has a missing value in {name}, row {int(missing.argmax()) + 1}", "leave the answer out"
            )
    twice = table.duplicated(list(labels)).to_numpy()
    if twice.any():
        row = table.iloc[int(twice.argmax())]
        raise InvalidValueError("answers", f"has two rows of {', '.join(f'{name} {row[name]!r}' for name in labels)}")


@dataclass(frozen=True)
class Value:
    """A coefficient of one grouping: of each group, the mean over groups, and the mean without each part of items."""

    groups: Floats
    value: float
    without: Floats

    def limits(self, level: float) -> tuple[float, float]:
        return t_limits(self.value, self.without, level)


def t_limits(value: float, without: Floats, level: float) -> tuple[float, float]:
    """A t interval by the jackknife, given the value without each part; nan if there are too few or one is."""
    if len(without) < LEAST_ITEMS or np.isnan(without).any() or np.isnan(value):
        return nan, nan
    from scipy.special import stdtrit

    width = stdtrit(len(without) - 1, (1 + level) / 2) * jackknife_error(without)
    return value - width, value + width


@dataclass(frozen=True)
class Answers:
    """The scores of all answers, with the numbers of their items and systems; the items in their order in the table."""

    rows: Any
    items: tuple[Any, ...]
    systems: int
    truth: str

    @classmethod
    def of(cls, table: Any, item: str, system: str, truth: str, judges: Sequence[str]) -> Answers:
        pd = extra("pandas", "judging.segments")
        codes, items = pd.factorize(table[item])
        system_codes, systems = pd.factorize(table[system])
        rows = table[[truth, *judges]].reset_index(drop=True)
        # Labels that no column of scores can have.
        rows[0], rows[1] = codes, system_codes
        return cls(rows, tuple(items), len(systems), truth)

    def values(self, method: Tau, judge: str) -> dict[Grouping, Value]:
        """The coefficient of a judge in each grouping."""
        within = self.within(method, judge, self.rows, 0)
        groups = np.full(len(self.items), nan)
        groups[within.index] = within.to_numpy()
        found: dict[Grouping, Value] = {"item": mean_of(groups)}
        parts = np.array_split(np.arange(len(self.items)), min(MOST_PARTS, len(self.items)))
        part = np.repeat(np.arange(len(parts)), [len(one) for one in parts])[self.rows[0]]
        others: tuple[tuple[Grouping, int | None], ...] = (("system", 1), ("all", None))
        for by, column in others:
            whole = self.within(method, judge, self.rows, column).to_numpy()
            without = [self.within(method, judge, self.rows[part != k], column).mean() for k in range(len(parts))]
            found[by] = Value(whole, float(np.nanmean(whole)) if not np.isnan(whole).all() else nan, np.array(without))
        return found

    def within(self, method: Tau, judge: str, rows: Any, column: int | None) -> Any:
        """The coefficient in each group of some answers; without a column, in all of them."""
        groups = np.zeros(len(rows), dtype=np.int64) if column is None else rows[column].to_numpy()
        epsilon = getattr(method, "epsilon", 0.0) or None
        return cor_by(groups, rows[self.truth].to_numpy(), rows[judge].to_numpy(), method.name, epsilon=epsilon)


def mean_of(groups: Floats) -> Value:
    """The mean over items; without one of n defined items, the mean is (n mean - value) / (n - 1)."""
    defined = groups[~np.isnan(groups)]
    n = len(defined)
    mean = float(defined.mean()) if n else nan
    return Value(groups, mean, (n * mean - defined) / (n - 1) if n > 1 else np.empty(0))


def difference(one: Value, other: Value, by: Grouping) -> Value:
    """One minus the other; within items, over the items in which both are defined."""
    groups = one.groups - other.groups
    if by == "item":
        return mean_of(groups)
    return Value(groups, one.value - other.value, one.without - other.without)


def permutation_pvalue(differences: Floats, resamples: int, rng: np.random.Generator) -> float:
    """The two-sided p-value of the mean difference over items, if the sign of each is random."""
    given = differences[~np.isnan(differences)]
    n, size = len(given), np.abs(given).sum()
    if not n or size == 0:
        return 1.0
    observed = abs(given.sum()) - 1e-12 * size
    if n < 60 and 2**n <= resamples:
        signs = np.where((np.arange(2**n)[:, None] >> np.arange(n)) & 1, -1, 1)
        return float(np.mean(np.abs(signs @ given) >= observed))
    extreme = 0
    for start in range(0, resamples, 1000):
        signs = rng.choice(np.array([-1, 1], dtype=np.int8), (min(1000, resamples - start), n))
        extreme += int(np.count_nonzero(np.abs(signs @ given) >= observed))
    return (extreme + 1) / (resamples + 1)
