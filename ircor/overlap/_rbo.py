"""How much of rank-biased overlap the first ranks decide, and which p gives them a wanted share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from math import exp, expm1, log
from sys import float_info
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from .._core.checks import refuse_incomparable_ids, warn_of_pairing
from .._core.errors import InvalidTypeError, InvalidValueError, must_be
from .._core.methods import TIES
from .._core.options import OverlapScore, flag, fraction, one_of, real_number, whole_number
from .._core.types import Floats, Numbers, Ties, Vector
from .._core.vectors import numeric_vector
from .._kernel import LongRanking, Ranking, can_rank
from .._kernel.overlap import overlaps_of_lists, overlaps_of_pairs
from ._rankings import Items, as_list, flat, items_of, refuse_bad_ranking

if TYPE_CHECKING:
    import numpy.typing as npt

LARGEST_P = 1 - float_info.epsilon / 2
"""The largest double below 1."""


def weight_for_p(depth: int, p: float) -> float:
    """Weight of the first `depth` ranks in rank-biased overlap at `p`, from 0 to 1.

    It is ::

        W(d) = 1 - p^(d - 1) + (1 - p) / p * d * (ln(1 / (1 - p)) - sum over i = 1..d-1 of p^i / i)

    The agreement at depth i has the weight (1 - p) p^(i - 1), and each of the first i ranks has a part 1/i of it.  W(d)
    is what the first d ranks have together.  If two rankings are identical down to rank d, their overlap is W(d) or
    more, however they go on.

    Parameters
    ----------
    depth : int
        Number of ranks, 1 or more.
    p : float
        Persistence, between 0 and 1, both excluded.

    Returns
    -------
    float
        To about 1e-15, for all depths and all p.

    See Also
    --------
    p_for_weight : the inverse

    References
    ----------
    W. Webber, A. Moffat and J. Zobel (2010). *A Similarity Measure for Indefinite Rankings*. ACM TOIS 28(4), equation
    (21).

    Examples
    --------
    >>> round(weight_for_p(10, 0.9), 4)
    0.8556
    """
    d = real_number(whole_number(depth, "depth"), "depth")
    return _weight(d, fraction(p, "p"))


def p_for_weight(depth: int, weight: float) -> float:
    """The p at which the first `depth` ranks have the wanted weight in rank-biased overlap: `weight_for_p`, inverted.

    Parameters
    ----------
    depth : int
        Number of ranks, 1 or more.
    weight : float
        Their weight, between 0 and 1, both excluded.

    Returns
    -------
    float
        To about 1e-12, except where the weight is so near 1 that it hardly depends on p.

    Raises
    ------
    ValueError
        If the weight is so small that p would be 1 in double precision.

    See Also
    --------
    weight_for_p : the inverse, with the equation

    Examples
    --------
    >>> round(p_for_weight(10, 0.8556), 4)
    0.9
    >>> round(p_for_weight(100, 0.9), 4)
    0.9873
    """
    from scipy.optimize import brentq
    from scipy.special import expit

    d = real_number(whole_number(depth, "depth"), "depth")
    wanted = fraction(weight, "weight")
    if wanted < _weight(d, LARGEST_P):
        raise InvalidValueError("weight", f"is too small for depth {depth}, because p would be 1", repr(weight))

    def excess(log_odds: float) -> float:
        return _weight(d, min(expit(log_odds), LARGEST_P)) - wanted

    # In log-odds, p is as fine near 0 and 1 as a double is.  At -40 the first rank alone has a weight of 1, to the last
    # digit.
    return float(min(expit(brentq(excess, -40, 40, xtol=1e-15, maxiter=500)), LARGEST_P))


def _weight(d: float, p: float) -> float:
    """Equation (21).  No term is negative, so nothing cancels."""
    return min(1.0, -expm1((d - 1) * log(p)) + (1 - p) / p * d * _tail(d, p))


def _tail(d: float, p: float) -> float:
    """The sum over i >= d of p^i / i: 100 terms, and the rest by the formula of Euler and Maclaurin.

    The difference in equation (21) would lose all digits where p is small or d large.
    """
    from scipy.special import exp1

    a, n = -log(p), d + 100
    r = 1 / n
    i = d + np.arange(100)
    # f(x) = exp(-a x) / x, of which exp1(a n) is the integral from n on; then f(n) / 2 - f'(n) / 12 + f'''(n) / 720.
    half = r / 2
    first = r * (a + r) / 12
    third = r * (a**3 + 3 * a**2 * r + 6 * a * r**2 + 6 * r**3) / 720
    return float(np.sum(p**i / i) + exp1(a * n) + exp(-a * n) * (half + first - third))


# Shorter vectors are ranked faster by `Ranking`.
LONG = 1024

SCORES: tuple[OverlapScore, ...] = ("ext", "min", "max", "res")

Value = TypeVar("Value")


class Overlap(Mapping[str, Value], Generic[Value]):
    """The scores of rank-biased overlap that were asked for, in that order: a mapping, and attributes.

    Each is a number, or an array with a number for each pair of rankings.

    Attributes
    ----------
    ext : float or numpy.ndarray
        The estimate: beyond the last rank that is known, the agreement is taken to stay as it is.
    min : float or numpy.ndarray
        The least possible overlap, if no further item is in both rankings.
    max : float or numpy.ndarray
        The greatest possible overlap, if all further items agree as far as they can.
    res : float or numpy.ndarray
        The residual, max - min: how much of the overlap the unknown ranks can decide.

    Examples
    --------
    >>> overlap = rbo(["a", "b", "c"], ["a", "c", "b"], p=0.9)
    >>> list(overlap), overlap["ext"] == overlap.ext
    (['ext', 'min', 'max', 'res'], True)
    """

    __slots__ = ("_scores",)

    def __init__(self, scores: Mapping[str, Value]) -> None:
        self._scores = dict(scores)

    def __getitem__(self, name: str) -> Value:
        return self._scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __repr__(self) -> str:
        return f"Overlap({', '.join(f'{name}={value!r}' for name, value in self._scores.items())})"

    def __reduce__(self) -> tuple[type[Overlap[Value]], tuple[dict[str, Value]]]:
        return type(self), (self._scores,)

    @property
    def ext(self) -> Value:
        return self._asked("ext")

    @property
    def min(self) -> Value:
        return self._asked("min")

    @property
    def max(self) -> Value:
        return self._asked("max")

    @property
    def res(self) -> Value:
        return self._asked("res")

    def _asked(self, name: str) -> Value:
        if name not in self._scores:
            raise AttributeError(f"the score {name!r} was not asked for, only {', '.join(self._scores)}")
        return self._scores[name]


def rbo(
    x: Items, y: Items, p: float, ties: Ties = "a", score: OverlapScore | Sequence[OverlapScore] = SCORES
) -> Overlap[float]:
    """Rank-biased overlap of two rankings, which may have ties and differ in their length and their items.

    It is the mean agreement of the two over all depths, where depth d has the weight (1 - p) p^(d - 1).

    Parameters
    ----------
    x, y : sequence of hashable items
        The items from the top.  A set or frozenset is a tie.  An array of integers is a ranking of these integers.  A
        ranking of floats only is refused, since these are probably scores.
    p : float
        The persistence, between 0 and 1: the nearer to 1, the more weight lower ranks have.  `p_for_weight` finds it.
    ties : {"w", "a", "b"}
        What a tie means: items that are equal ("w"), items whose order is not known ("a": the average over all orders),
        or "b", which is "a" corrected for the information that is lost in ties, so that the overlap of a ranking with
        itself is 1.  Without ties all three are the same.  If the longer ranking has a tie that reaches below the last
        rank of the shorter one, only "min" is exactly the average over all orders.
    score : str or sequence of str
        The scores: "ext", "min", "max", "res", in any order.

    Returns
    -------
    Overlap
        The scores in the order asked for: ``overlap["ext"]`` or ``overlap.ext``.

    Raises
    ------
    TypeError, ValueError
        If a ranking is not a sequence of hashable items, is empty or repeats an item; if p is not between 0 and 1; or
        if an option is unknown.

    See Also
    --------
    rbo_many : many pairs in one call.
    rbo_scores : two vectors of scores of the same items.

    References
    ----------
    W. Webber, A. Moffat and J. Zobel (2010). A Similarity Measure for Indefinite Rankings. ACM TOIS 28(4).
    M. Corsi and J. Urbano (2024). The Treatment of Ties in Rank-Biased Overlap. SIGIR.

    Examples
    --------
    >>> x = ["red", {"blue", "green"}, "yellow", "pink"]
    >>> y = [{"blue", "red"}, "white", {"yellow", "black", "purple"}, "green"]
    >>> overlap = rbo(x, y, p=0.95)
    >>> {name: round(value, 7) for name, value in overlap.items()}
    {'ext': 0.6922853, 'min': 0.3310519, 'max': 0.8930692, 'res': 0.5620173}
    >>> round(rbo(x, y, p=0.95, ties="b", score="ext").ext, 7)
    0.7207131
    """
    options = options_of(p, ties, score)
    return options.scores(overlaps([items_of(x, "x")], [items_of(y, "y")], ("x", "y"), options)[0].tolist())


def rbo_many(
    x: Sequence[Items] | Numbers,
    y: Sequence[Items] | Numbers,
    p: float,
    ties: Ties = "a",
    score: OverlapScore | Sequence[OverlapScore] = SCORES,
) -> Overlap[Floats]:
    """Rank-biased overlap of many pairs of rankings in one call: the first of x with the first of y, and so on.

    Parameters
    ----------
    x, y : sequence of rankings
        As many rankings in x as in y, each as for `rbo`; or 2-D arrays of integers, a ranking in each row.
    p, ties, score
        As for `rbo`.

    Returns
    -------
    Overlap
        An array for each score, with an entry for each pair.

    Raises
    ------
    TypeError, ValueError
        As from `rbo`; the message says which ranking it is about, counted from 0.  If x and y differ in length.

    Warns
    -----
    PairingWarning
        If x and y are pandas Series with the same labels in another order.  Rankings are paired by position.

    Examples
    --------
    >>> overlaps = rbo_many([["a", "b"], ["a", "c"]], [["a", "b"], ["c", "a"]], p=0.5, score=["ext", "min"])
    >>> overlaps.ext.tolist()
    [1.0, 0.5]
    """
    options = options_of(p, ties, score)
    sides = []
    for side, name in ((x, "x"), (y, "y")):
        wrong = isinstance(side, (str, bytes, Mapping, AbstractSet)) or hasattr(side, "columns")
        if wrong or not isinstance(side, Iterable):
            raise InvalidTypeError(name, must_be("a list of rankings", side))
        rankings = side.to_pylist() if hasattr(side, "to_pylist") else side
        sides.append([items_of(ranking, name, k) for k, ranking in enumerate(rankings)])
    if len(sides[0]) != len(sides[1]):
        numbers = f"{len(sides[0])} and {len(sides[1])}"
        raise InvalidValueError(("x", "y"), f"must have the same number of rankings, but they have {numbers}")
    warn_of_pairing(x, y)
    return options.scores(overlaps(sides[0], sides[1], ("x[{}]", "y[{}]"), options).T)


def rbo_scores(
    x: Vector,
    y: Vector,
    p: float,
    ties: Ties = "a",
    score: OverlapScore | Sequence[OverlapScore] = SCORES,
    decreasing: bool | np.bool_ = True,
) -> Overlap[float]:
    """Rank-biased overlap of two rankings of the same items, given by their scores.

    Parameters
    ----------
    x, y : numeric vector
        The scores, or the ranks, of the same items in the same order, without missing values.  Equal scores are ties.
    p, ties, score
        As for `rbo`.
    decreasing : bool
        Whether the item with the greatest value is at the top: True for scores, False for ranks.

    Returns
    -------
    Overlap
        As from `rbo`.  Both rankings have all items, so that "ext" and "max" are the same.

    Raises
    ------
    TypeError, ValueError
        If x or y is not a numeric vector, has missing values or no items, or they differ in length; or as `rbo` does.

    Warns
    -----
    PairingWarning
        If x and y are pandas Series with the same labels in another order.  Values are paired by position.

    Examples
    --------
    >>> round(rbo_scores([0.9, 0.7, 0.5, 0.3], [0.8, 0.9, 0.4, 0.4], p=0.9).ext, 4)
    0.8865
    """
    options = options_of(p, ties, score)
    top_down = flag(decreasing, "decreasing")
    values = numeric_vector(x, "x"), numeric_vector(y, "y")
    if len(values[0]) != len(values[1]):
        lengths = f"{len(values[0])} and {len(values[1])}"
        raise InvalidValueError(("x", "y"), f"must be of the same length, not {lengths}")
    if not len(values[0]):
        raise InvalidValueError(("x", "y"), "have no items")
    warn_of_pairing(x, y)
    first, second = (ranking_of(side, name, top_down) for side, name in zip(values, "xy"))
    pairs = np.zeros((1, 2), dtype=np.intp)
    (scores,) = overlaps_of_pairs([first], [second], pairs, len(values[0]), options.p, options.ties).tolist()
    return options.scores(scores)


def ranking_of(values: npt.NDArray[Any], name: str, decreasing: bool) -> Ranking | LongRanking:
    """The ranking of a vector, if no value is missing."""
    rank = LongRanking if len(values) > LONG and can_rank(values) else Ranking
    ranking = rank(values, decreasing)
    if ranking.missing:
        raise InvalidValueError(name, "has a missing value, which cannot be ranked")
    return ranking


class Options:
    """The options of an overlap, checked: p, the number of the treatment of ties, and the scores that are wanted."""

    __slots__ = ("names", "p", "ties")

    def __init__(self, p: float, ties: int, names: tuple[str, ...]) -> None:
        self.p, self.ties, self.names = p, ties, names

    def scores(self, computed: Sequence[Any]) -> Overlap[Any]:
        """The scores that are wanted, from ext, min and max."""
        ext, low, high = computed
        every = {"ext": ext, "min": low, "max": high, "res": high - low}
        return Overlap({name: every[name] for name in self.names})


def options_of(p: object, ties: object, score: object) -> Options:
    """Check the options; an error names the argument."""
    number = TIES.index(one_of(ties, "ties", TIES))
    wanted: tuple[str, ...] = SCORES
    # Short rankings take a few microseconds, and most callers want all scores.
    if score is not SCORES:
        names = (score,) if isinstance(score, str) else score
        names = list(names) if isinstance(names, Iterable) and not isinstance(names, AbstractSet) else []
        if not names:
            raise InvalidTypeError("score", must_be("a score or a list of scores", score))
        wanted = tuple(one_of(name, "score", SCORES) for name in names)
        if len(set(wanted)) < len(wanted):
            raise InvalidValueError("score", "has a score twice", ", ".join(wanted))
    return Options(fraction(p, "p"), number, wanted)


def overlaps(x: list[Any], y: list[Any], names: tuple[str, str], options: Options) -> Floats:
    """ext, min and max of each pair of rankings; `names` are what messages call the rankings, with a place for k."""
    for k, (one, other) in enumerate(zip(x, y)):
        if isinstance(one, np.ndarray) is not isinstance(other, np.ndarray):
            x[k], y[k] = as_list(one), as_list(other)
    scores, done = overlaps_of_lists(x, y, options.p, options.ties, False)
    if done < len(x):
        # Something is wrong, or of an unusual type.
        for k, pair in enumerate(zip(x, y)):
            for ranking, name in zip(pair, names):
                refuse_bad_ranking(as_list(ranking), name.format(k))
        scores, done = overlaps_of_lists(x, y, options.p, options.ties, True)
        if done < len(x):
            changed = " or ".join(name.format(done) for name in names)
            raise InvalidValueError(None, f"{changed} changed while it was read")
    for k, score in enumerate(scores[:, 1].tolist()):
        if score == 0:
            # No item in common, perhaps because their types differ.
            sides = {name.format(k): list(flat(as_list(side), name)) for side, name in zip((x[k], y[k]), names)}
            refuse_incomparable_ids("item", **sides)
    return scores
