"""The places of systems that another sample of topics would leave: confidence sets for ranks."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .._core.errors import InvalidTypeError, InvalidValueError, Source, must_be
from .._core.options import (
    N_JOBS,
    PLACES_KIND,
    PLACES_METHOD,
    PLACES_TOP,
    SEED,
    SETS_LEVEL,
    SETS_RESAMPLES,
    PlacesKind,
    PlacesMethod,
    takes,
)
from .._core.results import Result
from .._core.rounding import EQUAL_MEANS
from .._core.types import Floats, HasItems, SeriesLike, Table, Vector
from .._core.work import Progress, Resampling
from ..data import Leaderboard, Scores, ScoreSource, places_of
from ..statistics import Draws, decided_signs, drawn_weights, joint_critical, own_criticals, padded

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    Counts: TypeAlias = npt.NDArray[np.int64]

LEAST_TOPICS = 15
"""With fewer topics, nobody has measured how often the sets hold."""

NEGATIVE_VARIANCE = 1e-8
"""A covariance matrix may have eigenvalues down to minus this share of the largest: rounding makes them."""


@dataclass(frozen=True)
class SystemPlaces:
    """The set of places of a system, as a row of a table."""

    system: Hashable
    mean: float
    place: int
    low: int
    high: int
    sure: bool
    tier: int
    letters: str


@dataclass(frozen=True, eq=False, repr=False)
class Places(Result):
    """The sets of places of systems.

    Arrays are in the order of the systems in the table.

    Attributes
    ----------
    systems : tuple
    means : numpy.ndarray
    place : numpy.ndarray of int
        1 plus the number of systems with a greater mean; tied systems share a place.
    low, high : numpy.ndarray of int
        The best and the worst place of each set: 1 plus the systems that are surely better, and the number of systems
        minus those that are surely worse.
    signs : numpy.ndarray of int8
        Systems by systems: 1 if the one in the row is surely better than the one in the column, -1 if it is surely
        worse, else 0.
    sure : numpy.ndarray of bool
        Whether other draws would give the set the same ends: the ends are the same with critical values two Monte Carlo
        errors away.
    level : float
    kind : {"simultaneous", "single_step", "marginal"}
    method : {"bootstrap", "normal"}
    top : int or None
        The number of systems at the top that was asked for.
    topics : int or None
        None without topics.
    resamples, seed : int
        The number of random draws, and the seed that repeats them.
    name : str
        What the scores are called, or "".
    least_topics : int
        With fewer topics, nobody has measured how often the sets hold, and a note says so.
    """

    systems: tuple[Hashable, ...]
    means: Floats
    place: Counts
    low: Counts
    high: Counts
    signs: npt.NDArray[np.int8] = field(repr=False)
    sure: npt.NDArray[np.bool_]
    level: float
    kind: PlacesKind
    method: PlacesMethod
    top: int | None
    topics: int | None
    resamples: int
    seed: int
    name: str = ""
    source_note: str = ""
    least_topics: int = LEAST_TOPICS

    @cached_property
    def order(self) -> list[int]:
        """The systems from the best mean down; ties by their sets, then by name."""
        return sorted(
            range(len(self.systems)), key=lambda i: (self.place[i], self.low[i], self.high[i], str(self.systems[i]))
        )

    def where(self, chosen: npt.NDArray[np.bool_]) -> tuple[Hashable, ...]:
        """These systems, from the best mean down."""
        return tuple(self.systems[i] for i in self.order if chosen[i])

    @property
    def could_be_first(self) -> tuple[Hashable, ...]:
        """The systems whose places include the first."""
        return self.where(self.low == 1)

    def surely_top(self, k: int) -> tuple[Hashable, ...]:
        """The systems that are surely among the first k."""
        return self.where(self.high <= k)

    def possibly_top(self, k: int) -> tuple[Hashable, ...]:
        """The systems whose places include one of the first k."""
        return self.where(self.low <= k)

    @property
    def decided(self) -> float:
        """The share of pairs of systems that are told apart."""
        m = len(self.systems)
        return int(np.count_nonzero(self.signs)) / (m * (m - 1))

    @cached_property
    def tiers(self) -> tuple[tuple[Hashable, ...], ...]:
        """Groups of systems, from the best down, that no decided pair divides.

        A tier ends where the next system is surely worse than one of it.  Systems of two tiers may be undecided.
        """
        tiers: list[list[int]] = []
        for i in self.order:
            if tiers and not self.signs[i, tiers[-1]].any():
                tiers[-1].append(i)
            else:
                tiers.append([i])
        return tuple(tuple(self.systems[i] for i in tier) for tier in tiers)

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The compact letters of each system: two systems share a letter if, and only if, they are not decided."""
        apart = self.signs[np.ix_(self.order, self.order)] != 0
        m = len(apart)
        groups: list[list[int]] = []
        together = np.eye(m, dtype=bool)
        for i in range(m):
            for j in range(i, m):
                # The diagonal: a system that is decided against all others has a letter of its own.
                if apart[i, j] or (together[i, j] and (i < j or any(i in group for group in groups))):
                    continue
                group = [i, j] if i < j else [i]
                for k in range(m):
                    if k not in group and not apart[k, group].any():
                        group.append(k)
                together[np.ix_(group, group)] = True
                groups.append(sorted(group))
        groups.sort()
        texts: list[list[str]] = [[] for _ in range(m)]
        for number, group in enumerate(groups):
            for k in group:
                texts[k].append(letter(number, len(groups)))
        joint = "" if len(groups) <= len(ALPHABET) else ","
        by_system = dict(zip(self.order, map(joint.join, texts)))
        return tuple(by_system[i] for i in range(m))

    @property
    def rows(self) -> list[SystemPlaces]:
        """A row for each system, from the best mean down."""
        tier = {system: k for k, one in enumerate(self.tiers, 1) for system in one}
        return [
            SystemPlaces(
                self.systems[i],
                float(self.means[i]),
                int(self.place[i]),
                int(self.low[i]),
                int(self.high[i]),
                bool(self.sure[i]),
                tier[self.systems[i]],
                self.letters[i],
            )
            for i in self.order
        ]

    def plot(self, ax: Axes | None = None, *, label: str | None = None) -> Axes:
        """Draw a row for each system with its place and its set, tiers shaded: `ircor.plots.places`."""
        axes: Axes = self.view.plot(ax, label=self.name if label is None else label)
        return axes

    def __repr__(self) -> str:
        return f"<Places of {len(self.systems)} systems: {len(self.could_be_first)} could be first>"


ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letter(number: int, count: int) -> str:
    """The letter of a group: a, b, ..., or aa, ab, ... if there are more groups than letters."""
    if count <= len(ALPHABET):
        return ALPHABET[number]
    text = ""
    number += 26
    while number >= 0:
        text = ALPHABET[number % 26] + text
        number = number // 26 - 1
    return text


@takes(SETS_LEVEL, PLACES_KIND, PLACES_METHOD, PLACES_TOP, SETS_RESAMPLES, SEED, N_JOBS)
def places(
    scores: ScoreSource | SeriesLike | HasItems[float] | Vector,
    level: float = 0.95,
    kind: PlacesKind = "simultaneous",
    method: PlacesMethod | None = None,
    *,
    top: int | None = None,
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    covariance: Table | None = None,
    se: SeriesLike | HasItems[float] | Vector | None = None,
    name: str = "",
) -> Places:
    """Compute which places of systems another sample of topics would leave: confidence sets for ranks.

    Parameters
    ----------
    scores : 2-D array or DataFrame; or Series, mapping or vector
        Scores, topics by systems; or the mean of each system, with `covariance` or `se`.
    level : float
        The level of the sets of places.
    kind : {"simultaneous", "single_step", "marginal"}
        Whether the sets hold for all systems at once, by a step-down (simultaneous) or in a single step, or for each
        system by itself (marginal).
    method : {"bootstrap", "normal"}, optional
        Where the distribution of the greatest difference comes from: a bootstrap of topics, the default with scores by
        topic, or the normal limit of the paper, the only one without topics.
    top : int, optional
        Also say which systems are surely among this many at the top.
    resamples : int
        The number of random draws.
    seed, n_jobs, progress
        As for `ircor.bootstrap`.
    covariance : 2-D array or DataFrame, optional
        The covariance matrix of the means, in the order of `scores`; a DataFrame is matched by name.
    se : vector, Series or mapping, optional
        The standard errors of the means, which are then taken to be independent of each other.
    name : str
        What the scores are called in sentences and pictures.

    Returns
    -------
    Places

    Raises
    ------
    TypeError, ValueError
        If the table is not one of finite scores with two topics and two systems or more, if there are means without
        `covariance` or `se`, or if these do not fit.

    Notes
    -----
    A pair of systems is decided if the difference of their means, in standard errors, is greater than a quantile of the
    greatest such difference of all pairs, under the noise of the topics.  The step-down repeats this with the pairs
    that are not decided yet (Mogstad et al. 2024; Romano and Wolf 2005).  The places of a system are those from 1 plus
    the systems that are surely better to the number of systems minus those that are surely worse.

    The normal limit needs many topics: of 20 systems that are equal in truth, it told some apart by 25 topics in 25 %
    of the samples, and in 43 % of those of one collection, instead of 5 %.  The bootstrap resamples topics, and the
    variance of a pair is mixed half and half with the median variance of all pairs, in the sample and in each resample.
    The page on coverage has what was measured.

    Systems with the same scores on all topics share their places.  Systems with a constant difference on all topics are
    decided.

    References
    ----------
    M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm (2024). Inference for Ranks with Applications to Mobility
    across Neighbourhoods and Academic Achievement across Countries. Review of Economic Studies 91(1).
    J. P. Romano and M. Wolf (2005). Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing. Journal of
    the American Statistical Association 100(469).

    Examples
    --------
    >>> import ircor
    >>> result = ircor.places(ircor.sample("map"), top=10, seed=1)
    >>> result.could_be_first, result.surely_top(10)
    (('J2', 'J3', 'J1', 'C3', 'C2', 'C1'), ('J2', 'J3', 'J1', 'C3', 'C2', 'C1'))
    >>> result.place[:3].tolist(), result.low[:3].tolist(), result.high[:3].tolist()
    ([8, 9, 7], [4, 7, 4], [18, 21, 16])
    >>> board = {"a": 0.52, "b": 0.47, "c": 0.31}
    >>> ircor.places(board, se={"a": 0.03, "b": 0.03, "c": 0.04}, seed=1).high.tolist()
    [2, 2, 3]
    """
    level, kind = SETS_LEVEL.checked(level), PLACES_KIND.checked(kind)
    work = Resampling.of(resamples, seed, n_jobs, progress)
    if covariance is None and se is None:
        table = by_topic(scores)
        chosen: PlacesMethod = PLACES_METHOD.checked(method) or "bootstrap"
        seed, weights = drawn_weights(table.n, chosen, work)
        draws = Draws.of_scores(table, chosen, weights, work.resamples)
    else:
        chosen = PLACES_METHOD.checked(method) or "normal"
        if chosen != "normal":
            raise InvalidValueError("method", "must be 'normal' without topics to resample")
        table, matrix = board_of(scores, covariance, se)
        deviations, variances = root_of(matrix)
        seed, weights = drawn_weights(len(deviations), chosen, work)
        draws = Draws(deviations, table.means, variances, 0.0, 0.0, weights, work.resamples)
    if (top := PLACES_TOP.checked(top)) is not None and top >= table.m:
        raise InvalidValueError("top", f"must be less than the number of systems, {table.m}, not {top}")
    signs, *others = decided_by(draws, level, kind, work)
    asked = {"level": level, "kind": kind, "method": chosen, "top": top, "resamples": work.resamples, "seed": seed}
    return sets_of(table, signs, others, **asked, name=name)


def place_sets(
    X: ScoreSource,
    draws: Floats,
    level: float = 0.95,
    kind: PlacesKind = "simultaneous",
    method: PlacesMethod = "bootstrap",
) -> Floats:
    """The best place of each system and then the worst of each, from given weights of the topics, a row for each draw.

    This is `places` without random numbers, to be compared with the reference in R.
    """
    scores, weights = Scores.of(X), np.asarray(draws, dtype=np.float32)
    if weights.ndim != 2 or weights.shape[1] != scores.n:
        raise InvalidValueError("draws", f"must have one column for each of the {scores.n} topics")
    work = Resampling.of(len(weights), 0, 1, False)
    of_table = Draws.of_scores(scores, PLACES_METHOD.check(method, "method"), padded(weights.T), len(weights))
    signs, *_ = decided_by(of_table, SETS_LEVEL.checked(level), PLACES_KIND.checked(kind), work)
    return np.concatenate(ends_of(signs)).astype(np.float64)


def decided_by(draws: Draws, level: float, kind: PlacesKind, work: Resampling) -> list[npt.NDArray[np.int8]]:
    """The decided pairs, and those with critical values a Monte Carlo error below and above."""
    found = own_criticals(draws, level, work) if kind == "marginal" else [joint_critical([draws], level, work, kind)]
    ends = ("value", "low", "high")
    return [decided_signs(draws, np.array([[getattr(one, end)] for one in found])) for end in ends]


def by_topic(scores: Any) -> Scores:
    """The table, unless it has one number for each system."""
    if isinstance(scores, (Leaderboard, Mapping)) or np.ndim(scores) == 1:
        what = "has a mean for each system, and no topics"
        raise InvalidValueError("scores", what, "give their covariance or their standard errors, se")
    return Scores.of(scores, "scores")


def sets_of(table: Scores, signs: npt.NDArray[np.int8], others: Sequence[npt.NDArray[np.int8]], **asked: Any) -> Places:
    """The sets of places, from the decided pairs, and from those with other critical values."""
    (low, high), *ends = (ends_of(one) for one in (signs, *others))
    return Places(
        systems=table.systems,
        means=table.means,
        place=1 + (table.means > table.means[:, None]).sum(axis=1),
        low=low,
        high=high,
        signs=signs,
        sure=np.all([(low == a) & (high == b) for a, b in ends], axis=0),
        topics=table.n if table.has_topics else None,
        source_note=table.note,
        **asked,
    )


def ends_of(signs: npt.NDArray[np.int8]) -> tuple[Counts, Counts]:
    """The best and the worst place of each system, from the decided pairs."""
    return 1 + (signs < 0).sum(axis=1), len(signs) - (signs > 0).sum(axis=1)


def board_of(scores: Any, covariance: Any, se: Any) -> tuple[Leaderboard, Floats]:
    """The means of the systems, and their covariance matrix."""
    if covariance is not None and se is not None:
        raise InvalidValueError(("covariance", "se"), "must not both be given")
    if isinstance(scores, Leaderboard):
        board = scores
    elif isinstance(scores, Mapping):
        board = Leaderboard.from_systems(list(scores), list(scores.values()), "scores")
    elif np.ndim(scores) == 1 and not isinstance(scores, str):
        named = hasattr(scores, "reindex")
        board = Leaderboard.from_systems(list(scores.index) if named else range(len(scores)), scores, "scores")
    else:
        argument = "se" if covariance is None else "covariance"
        raise InvalidTypeError("scores", f"must be one mean for each system, since {argument!r} is given")
    if board.m < 2:
        raise InvalidValueError("scores", f"must have two systems or more, not {board.m}")
    if covariance is None:
        errors = numbers_of(by_name(se, board.systems, "se"), "se", (board.m,))
        if (errors < 0).any():
            raise InvalidValueError("se", "must not have negative numbers")
        return board, np.diag(errors**2)
    matrix = covariance
    if hasattr(matrix, "reindex"):
        rows, columns = (
            places_of(board.systems, list(axis), "systems", "scores", "covariance") for axis in matrix.axes
        )
        matrix = matrix.to_numpy()[np.ix_(rows, columns)]
    matrix = numbers_of(matrix, "covariance", (board.m, board.m))
    size = np.abs(matrix).max()
    if (np.abs(matrix - matrix.T) > NEGATIVE_VARIANCE * size).any():
        raise InvalidValueError("covariance", "must be symmetric")
    return board, (matrix + matrix.T) / 2


def by_name(values: Any, systems: Sequence[Hashable], name: str) -> Any:
    """The values in the order of the systems, if they have names."""
    if not isinstance(values, Mapping) and not hasattr(values, "reindex"):
        return values
    order = places_of(systems, list(values.keys()), "systems", "scores", name)
    listed = list(values.values() if isinstance(values, Mapping) else values)
    return [listed[k] for k in order]


def numbers_of(values: Any, name: str, shape: tuple[int, ...]) -> Floats:
    """Finite numbers in an array of this shape."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidTypeError(name, must_be("numbers", values)) from None
    if array.shape != shape:
        raise InvalidValueError(name, f"must have {' by '.join(map(str, shape))} numbers, as there are systems")
    if not np.isfinite(array).all():
        raise InvalidValueError(name, "must not have missing or infinite values")
    return array


def root_of(covariance: Floats) -> tuple[Floats, Floats]:
    """A root R of the covariance matrix, R'R, and the variances of the differences."""
    values, vectors = np.linalg.eigh(covariance)
    if values[0] < -NEGATIVE_VARIANCE * max(values[-1], 0):
        raise InvalidValueError(Source("covariance"), "must be a covariance matrix", "it has a negative eigenvalue")
    diagonal = np.diag(covariance)
    both = diagonal[:, None] + diagonal
    variances = both - 2 * covariance
    variances[variances <= both * EQUAL_MEANS] = 0
    return np.sqrt(np.maximum(values, 0))[:, None] * vectors.T, variances


@dataclass(frozen=True)
class PlaceChange:
    """The sets of places of a system in A and in B, and what follows for its move.

    Attributes
    ----------
    system
    place_a, low_a, high_a, place_b, low_b, high_b : int
    low, high : int
        The set of the number of places that the system gains from A to B; negative if it falls.
    surely : bool
        Whether the sets have no place in common, so that the system surely moves.
    """

    system: Hashable
    place_a: int
    low_a: int
    high_a: int
    place_b: int
    low_b: int
    high_b: int
    low: int
    high: int
    surely: bool


@dataclass(frozen=True, eq=False, repr=False)
class PlaceChanges(Result):
    """Which systems surely change their place from A to B.

    Attributes
    ----------
    names : tuple of str
    a, b : Places
        The sets of both sides, which hold for all systems of both at once.
    rows : tuple of PlaceChange
        A row for each system, from the best in A down.
    """

    names: tuple[str, str]
    a: Places
    b: Places
    rows: tuple[PlaceChange, ...] = field(repr=False)

    @property
    def sure(self) -> list[PlaceChange]:
        """The moves that are more than noise, the farthest first."""
        moves = [row for row in self.rows if row.surely]
        return sorted(moves, key=lambda row: -min(abs(row.low), abs(row.high)))

    @property
    def unsure(self) -> int:
        """The number of other systems that have another place in B."""
        return sum(row.place_a != row.place_b and not row.surely for row in self.rows)

    def __repr__(self) -> str:
        return f"<PlaceChanges: {len(self.sure)} of {len(self.rows)} systems surely move>"


LEAST_DRAWS = 2000
"""The sets of places of a study with fewer resamples have so many draws."""


def changes_in_study(
    a: Scores, b: Scores, names: tuple[str, str], level: float, same_topics: bool, work: Resampling
) -> PlaceChanges:
    """`place_changes` for two tables that a study has checked, with its settings."""
    resamples = max(work.resamples, LEAST_DRAWS)
    options: dict[str, Any] = {"resamples": resamples, "seed": work.seed, "n_jobs": work.n_jobs}
    return place_changes(a, b, level, names=names, same_topics=same_topics, progress=work.progress, **options)


def place_changes(
    A: ScoreSource,
    B: ScoreSource,
    level: float = 0.95,
    *,
    names: tuple[str, str] = ("A", "B"),
    same_topics: bool | None = None,
    resamples: int = 10_000,
    seed: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> PlaceChanges:
    """Find the systems whose place changes from A to B by more than noise: two judges, two measures, or two years.

    The sets of places in A and in B hold for all systems of both at once, by one step-down over the pairs of both.  A
    system surely moves if its two sets have no place in common.

    Parameters
    ----------
    A, B : 2-D array or DataFrame
        Scores, topics by systems, of the same systems.
    level : float
        The level of all sets together.
    names : pair of str
        The names of the two.
    same_topics : bool, optional
        Whether the topics are the same, which are then resampled together.  By default they are if their names are, or
        without names, if their numbers are.
    resamples, seed, n_jobs, progress
        As for `places`.

    Returns
    -------
    PlaceChanges

    Raises
    ------
    TypeError, ValueError
        As `places` does, and if the systems differ.

    Examples
    --------
    >>> import ircor
    >>> changes = place_changes(ircor.sample("map"), ircor.sample("recip_rank"), seed=1)
    >>> changes
    <PlaceChanges: 0 of 30 systems surely move>
    """
    level, work = SETS_LEVEL.checked(level), Resampling.of(resamples, seed, n_jobs, progress)
    a, b = Scores.of(A, names[0]), Scores.of(B, names[1])
    if same_topics is None:
        same_topics = a.n == b.n and (not (a.named and b.named) or set(a.topics) == set(b.topics))
    b = a.aligned(b, topics=same_topics)
    seed, weights = drawn_weights(a.n, "bootstrap", work)
    # Another stream for other topics: the draws of both come from one seed.
    apart = weights if same_topics else drawn_weights(b.n, "bootstrap", work.with_seed(seed), stream=1)[1]
    draws = [Draws.of_scores(*side, work.resamples) for side in ((a, "bootstrap", weights), (b, "bootstrap", apart))]
    critical = joint_critical(draws, level, work)
    sides = []
    asked = {"level": level, "kind": "simultaneous", "method": "bootstrap", "top": None, "resamples": work.resamples}
    for table, one, name in zip((a, b), draws, names):
        signs, *others = (decided_signs(one, getattr(critical, end)) for end in ("value", "low", "high"))
        sides.append(sets_of(table, signs, others, **asked, seed=seed, name=name))
    of_a, of_b = sides
    return PlaceChanges(names, of_a, of_b, tuple(change_of(of_a, of_b, i) for i in of_a.order))


def change_of(a: Places, b: Places, i: int) -> PlaceChange:
    """The change of place of one system."""
    place_a, low_a, high_a, place_b, low_b, high_b = (
        int(numbers[i]) for side in (a, b) for numbers in (side.place, side.low, side.high)
    )
    low, high = low_a - high_b, high_a - low_b
    return PlaceChange(
        a.systems[i], place_a, low_a, high_a, place_b, low_b, high_b, low, high, surely=low > 0 or high < 0
    )
