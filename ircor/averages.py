"""Averages of a measure over topics after a transformation: GMAP and others (Robertson 2006).

The mean over topics assumes that a difference of 0.1 is worth the same everywhere on the scale.  The mean of the logs,
which is what the geometric mean is, assumes that a doubling is.  Neither is right or wrong; so a conclusion that
changes with the transformation should be known to.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import log, log1p
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from ._check import as_number, number_table, tie_means
from ._tau import tau, tau_a, tau_b
from ._tau_ap import tauAP, tauAP_a, tauAP_b

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

Zeros = Literal["add", "floor", "trec_eval", "strict"]
Function: TypeAlias = Callable[[Any], Any]
Transform: TypeAlias = str | tuple[Function, Function]

COEFFICIENTS = {f.__name__: f for f in (tau, tau_a, tau_b, tauAP, tauAP_a, tauAP_b)}


def gmean(values: Any, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> Any:
    """The geometric mean over topics; of average precision, GMAP.

    A change from 0.05 to 0.1 counts as much as one from 0.25 to 0.5, so that the topics on which a system does badly
    tell.  A single zero would make it 0: `zeros` says what is done about that, and means of different rules or `eps`
    must not be compared.

    Parameters
    ----------
    values : array, Series or DataFrame
        Topics, or topics by systems, from 0 up.
    eps : float
        The small number that stands in for zero.
    zeros : {"add", "floor", "trec_eval", "strict"}
        "add" eps to all values, and subtract it from the mean again, as in equation (3); "floor": a zero becomes eps
        and nothing else changes, the rule of the TREC 2005 Robust track; "trec_eval": whatever is below eps becomes
        eps, as in trec_eval's gm_map; "strict" refuses zeros.
    axis : int
        Which of two dimensions the topics are.

    Returns
    -------
    float, numpy.ndarray or pandas.Series
        One number a system.

    Raises
    ------
    TypeError
        If the values are not numbers.
    ValueError
        If a value is missing or negative, or zero and zeros="strict", with its topic and system; if there are no
        topics; or if eps is not positive.

    References
    ----------
    S. Robertson (2006). On GMAP - and Other Transformations. CIKM, equations (2) and (3).

    Examples
    --------
    >>> round(gmean([0.1, 0.4]), 4)
    0.2
    >>> [round(gmean([0, 1e-6, 0.5], zeros=rule), 7) for rule in ("add", "floor", "trec_eval")]
    [0.0003703, 0.000171, 0.0003684]
    """
    table = Table(values, axis)
    positive(eps)
    if zeros == "add":
        # eps (exp(mean(log(x / eps + 1))) - 1): equation (3) without losing what is smaller than eps.
        return table.named(eps * np.expm1(table.mean(np.log1p(table.from_zero() / eps))))
    return table.named(np.exp(table.mean(np.log(without_zeros(table, eps, zeros)))))


def mean_log(values: Any, *, eps: float = 1e-5, zeros: Zeros = "add", axis: int = 0) -> Any:
    """The average of the logs over topics, which ranks systems as `gmean` does.

    Parameters and errors are those of `gmean`; with zeros="add" it is the average of log(x + eps), equation (3).

    Examples
    --------
    >>> round(mean_log([0.1, 0.4], zeros="strict"), 4)
    -1.6094
    """
    table = Table(values, axis)
    positive(eps)
    shifted = table.from_zero() + eps if zeros == "add" else without_zeros(table, eps, zeros)
    return table.named(table.mean(np.log(shifted)))


def mean_logit(values: Any, *, eps: float = 1e-5, inverse: bool = False, axis: int = 0) -> Any:
    """The average over topics of the log-odds, log((p + eps) / (1 - p + eps)), which stretches both ends of the scale.

    Parameters
    ----------
    values : array, Series or DataFrame
        Topics, or topics by systems, from 0 to 1.
    eps : float
        What keeps 0 and 1 from being infinitely far away.
    inverse : bool
        Whether to bring the average back to the scale of the values.
    axis : int
        Which of two dimensions the topics are.

    References
    ----------
    S. Robertson (2006). On GMAP - and Other Transformations. CIKM, section 4.2.

    Examples
    --------
    >>> round(mean_logit([0.1, 0.9]), 10), round(mean_logit([0.1, 0.9], inverse=True), 10)
    (0.0, 0.5)
    """
    positive(eps)
    return transformed_mean(values, "logit", inverse=inverse, eps=eps, axis=axis)


def transformed_mean(
    values: Any, transform: Transform, *, inverse: bool = True, eps: float = 0.0, axis: int = 0
) -> Any:
    """The average over topics after an increasing transformation of the values.

    Parameters
    ----------
    values : array, Series or DataFrame
        Topics, or topics by systems.
    transform : str or pair of functions
        "identity"; "log"; "logit", the log-odds; "probit", the normal quantile; "rank", the rank of the value among all
        values of the table; or a function and its inverse, which must be increasing on the values.
    inverse : bool
        Whether to bring the average back to the scale of the values.
    eps : float
        Added where a logarithm would be infinite: log(x + eps), and at both ends for logit and probit.  Without it,
        values that have no finite transform are refused.
    axis : int
        Which of two dimensions the topics are.

    Returns
    -------
    float, numpy.ndarray or pandas.Series
        One number a system.

    Examples
    --------
    >>> round(transformed_mean([0.1, 0.4], "log"), 4), round(transformed_mean([0.1, 0.4], (np.sqrt, np.square)), 4)
    (0.2, 0.225)
    """
    table = Table(values, axis)
    there, back = functions(transform, table, eps)
    mean = table.mean(there(table.values))
    if inverse:
        return table.named(back(mean))
    # The log of x + eps is kept as that of x / eps + 1, which loses nothing.
    return table.named(mean + log(eps) if transform == "log" and eps > 0 else mean)


def ap_floor(
    relevant_ranks: Sequence[int],
    n_relevant: int,
    collection_size: int,
    *,
    retrieved: int | None = None,
    rest: Literal["last", "random"] = "last",
) -> float:
    """Average precision over the whole collection, with what was not retrieved ranked below what was; never 0.

    The principled alternative to an arbitrary small number in the place of 0.

    Parameters
    ----------
    relevant_ranks : sequence of int
        The ranks, from 1, of the relevant documents that were retrieved.
    n_relevant : int
        The number of relevant documents in the collection.
    collection_size : int
        The number of documents in the collection.
    retrieved : int, optional
        The number of documents retrieved; by default, down to the last relevant one.
    rest : {"last", "random"}
        Where the other relevant documents are: at the very end of the collection, which gives the least value that the
        ranking can have, or anywhere below what was retrieved, which gives its expected value.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the ranks are not different whole numbers from 1 to `retrieved`, or the numbers do not fit together.

    References
    ----------
    S. Robertson (2006). On GMAP - and Other Transformations. CIKM, section 4.1.

    Examples
    --------
    >>> round(ap_floor([1, 3], 2, 1000), 4)
    0.8333
    >>> ap_floor([], 2, 25_000_000, retrieved=1000) < ap_floor([], 2, 25_000_000, retrieved=1000, rest="random")
    True
    """
    ranks = sorted(whole(rank, "relevant_ranks") for rank in relevant_ranks)
    R, N, k = whole(n_relevant, "n_relevant"), whole(collection_size, "collection_size"), len(ranks)
    cut = (ranks[-1] if ranks else 0) if retrieved is None else whole(retrieved, "retrieved")
    if len(set(ranks)) < k or (ranks and not 1 <= ranks[0] <= ranks[-1] <= cut):
        raise ValueError(f"'relevant_ranks' must be different ranks from 1 to the {cut} documents retrieved")
    if not 1 <= R <= N or not k <= R or not 0 <= cut <= N or R - k > N - cut:
        raise ValueError(
            f"these numbers do not fit together: {k} of {R} relevant documents among {cut} retrieved of {N} in all"
        )
    found = sum((i + 1) / rank for i, rank in enumerate(ranks))
    if rest == "last":
        missing = np.arange(k + 1, R + 1)
        below = float((missing / (N - R + missing)).sum())
    elif rest == "random":
        below = expected_precision(k, R - k, cut, N)
    else:
        raise ValueError(f"'rest' must be 'last' or 'random', not {rest!r}")
    return (found + below) / R


def expected_precision(k: int, u: int, cut: int, N: int) -> float:
    """The sum of the precisions at u relevant documents in random order below rank `cut`, which k others stand above.

    At rank cut + t there is one of them with probability u / M, M = N - cut, and then (t - 1)(u - 1) / (M - 1) others
    are expected before it; the precision there is (k + 1 + those) / (cut + t).
    """
    if u == 0:
        return 0.0
    M = N - cut
    inverse, weighted = position_sums(cut, M)
    return u / M * ((k + 1) * inverse + (u - 1) / max(M - 1, 1) * weighted)


def position_sums(c: int, M: int) -> tuple[float, float]:
    """The sums of 1 / (c + t) and of (t - 1) / (c + t) for t from 1 to M, in closed form but for a few terms.

    With H the harmonic numbers, the first is H(c + M) - H(c), and the second M - (c + 1) times the first.  Both come
    from the expansion H(n) = log(h) + 1 / (24 h^2) - ..., h = n + 1/2, so that nothing cancels where M is small by c.
    """
    if M <= DIRECT:
        t = np.arange(1, M + 1)
        return float((1 / (c + t)).sum()), float(((t - 1) / (c + t)).sum())
    if c < DIRECT:
        first, _ = position_sums(c, DIRECT - c)
        inverse = first + position_sums(DIRECT, M - (DIRECT - c))[0] if DIRECT - c < M else first
        return inverse, M - (c + 1) * inverse
    h, x = c + 0.5, M / (c + 0.5)
    more = expansion(c + M) - expansion(c)
    return log1p(x) + more, h * x_minus_log1p(x) - log1p(x) / 2 - (c + 1) * more


# Terms that are added one by one, where an expansion has not set in.
DIRECT = 1000


def expansion(n: int) -> float:
    """H(n) less Euler's constant and the log of n + 1/2; its next term is below rounding from n = 1000 on."""
    return 1 / (24 * (n + 0.5) ** 2)


def x_minus_log1p(x: float) -> float:
    """x - log(1 + x), by its series where the two are nearly equal."""
    if x > 0.1:
        return x - log1p(x)
    return float(sum((-x) ** k / k for k in range(20, 1, -1)))


@dataclass(frozen=True)
class OrderChange:
    """A pair of systems that two transformations order differently.

    Attributes
    ----------
    better, worse : hashable
        The systems, as the first transformation orders them.
    transform : str
        The transformation that orders them the other way round.
    topics : tuple
        The fewest topics, those that speak most for the other order, without which nothing would speak for it.
    """

    better: Hashable
    worse: Hashable
    transform: str
    topics: tuple[Hashable, ...]

    def __str__(self) -> str:
        return f"{self.transform}: {self.worse} over {self.better}, by topics {', '.join(map(str, self.topics))}"


@dataclass(frozen=True, eq=False)
class TransformReport:
    """How the ranking of systems depends on the transformation.

    Attributes
    ----------
    transforms : tuple of str
    systems : tuple
    means : numpy.ndarray
        Transformations by systems, on the scale of the values.
    rankings : dict
        For each transformation the systems, best first.
    method : str
        The coefficient.
    correlations : numpy.ndarray
        Of each transformation's ranking (row, x) with each (column, y).
    changes : tuple of OrderChange
        The pairs that a transformation orders otherwise than the first one.
    """

    transforms: tuple[str, ...]
    systems: tuple[Hashable, ...]
    means: Array
    rankings: dict[str, tuple[Hashable, ...]]
    method: str
    correlations: Array
    changes: tuple[OrderChange, ...]

    def __str__(self) -> str:
        width = max(map(len, (*self.transforms, self.method))) + 2
        lines = ["".join(text.rjust(width) for text in (self.method, *self.transforms))]
        for name, row in zip(self.transforms, self.correlations):
            lines.append("".join(text.rjust(width) for text in (name, *(f"{value:.4f}" for value in row))))
        pairs = len(self.systems) * (len(self.systems) - 1) // 2
        for name in self.transforms[1:]:
            mine = [change for change in self.changes if change.transform == name]
            lines.append(f"{name} orders {len(mine)} of {pairs} pairs otherwise than {self.transforms[0]}")
            lines += [f"  {change.worse} over {change.better}, by topics {list(change.topics)}" for change in mine[:3]]
        return "\n".join(lines)


def robustness_to_transform(
    scores: Any,
    transforms: Sequence[Transform] = ("identity", "log", "logit", "probit", "rank"),
    method: str = "tauAP_b",
    *,
    eps: float = 1e-5,
) -> TransformReport:
    """Ask whether the ranking of systems survives a change of transformation.

    Parameters
    ----------
    scores : 2-D array or DataFrame
        Topics by systems.
    transforms : sequence
        As for `transformed_mean`; the others are compared with the first.
    method : str
        One of the six coefficients.
    eps : float
        As for `transformed_mean`.

    Returns
    -------
    TransformReport

    References
    ----------
    S. Robertson (2006). On GMAP - and Other Transformations. CIKM.

    Examples
    --------
    >>> report = robustness_to_transform([[0.9, 0.5], [0.3, 0.2], [0.001, 0.2]], ["identity", "log"], "tau_b")
    >>> report.rankings
    {'identity': (0, 1), 'log': (1, 0)}
    >>> print(report.changes[0])
    log: 1 over 0, by topics 2
    """
    table = Table(scores, 0)
    if table.values.ndim != 2 or len(table.systems) < 2:
        raise ValueError("'scores' must have two dimensions, topics by systems, and two systems or more")
    if method not in COEFFICIENTS:
        raise ValueError(f"'method' must be one of {', '.join(COEFFICIENTS)}, not {method!r}")
    if isinstance(transforms, str) or not transforms:
        raise ValueError(f"'transforms' must be a list of one transformation or more, not {transforms!r}")
    names = [t if isinstance(t, str) else f"function {k}" for k, t in enumerate(transforms)]
    if len(set(names)) < len(names):
        raise ValueError(f"'transforms' must be different, not {', '.join(names)}")
    pairs = [functions(t, table, eps) for t in transforms]
    transformed = [there(table.values) for there, _ in pairs]
    averages = [tie_means(table.mean(values), float(np.abs(values).max())) for values in transformed]
    coefficient = COEFFICIENTS[method]
    return TransformReport(
        tuple(names),
        tuple(table.systems),
        np.array([back(mean) for (_, back), mean in zip(pairs, averages)]),
        {
            name: tuple(table.systems[i] for i in np.argsort(-mean, kind="stable"))
            for name, mean in zip(names, averages)
        },
        method,
        np.array([[coefficient(x, y) for y in averages] for x in averages]),
        tuple(
            change
            for name, values, mean in zip(names[1:], transformed[1:], averages[1:])
            for change in order_changes(table, averages[0], name, values, mean)
        ),
    )


def order_changes(table: Table, first: Array, name: str, values: Array, mean: Array) -> list[OrderChange]:
    found = []
    for i, j in np.argwhere((first[:, None] > first) & (mean[:, None] < mean)):
        # What each topic says for j; without the topics that say most for it, i is no longer behind.
        for_j = values[:, j] - values[:, i]
        strongest = np.argsort(-for_j, kind="stable")
        left = for_j.sum() - np.cumsum(for_j[strongest])
        enough = int(np.argmax(left <= 0)) + 1
        topics = tuple(table.topics[t] for t in strongest[:enough])
        found.append(OrderChange(table.systems[i], table.systems[j], name, topics))
    return found


def functions(transform: Transform, table: Table, eps: float) -> tuple[Function, Function]:
    """A transformation and its inverse, found fit for the values of the table."""
    if as_number(eps, "eps") and not 1e-300 <= eps < np.inf:
        raise ValueError(f"'eps' must be 0, or from 1e-300 up, not {eps!r}")
    if not isinstance(transform, str):
        return increasing(transform, table)
    if transform == "identity":
        return (lambda x: x), (lambda mean: mean)
    if transform == "rank":
        return by_rank(table)
    if transform == "log":
        table.refuse(table.values + eps <= 0, "positive, as the log needs it")
        if eps == 0:
            return np.log, np.exp
        return (lambda x: np.log1p(x / eps)), (lambda mean: eps * np.expm1(mean))
    if transform in ("logit", "probit"):
        table.refuse((table.values < 0) | (table.values > 1), f"from 0 to 1, as the {transform} needs it")
        if eps == 0:
            table.refuse((table.values == 0) | (table.values == 1), f"neither 0 nor 1, as the {transform} needs it")
        return log_odds(eps) if transform == "logit" else normal_quantile(eps)
    raise ValueError(
        f"'transform' must be identity, log, logit, probit, rank or a pair of functions, not {transform!r}"
    )


def log_odds(eps: float) -> tuple[Function, Function]:
    # 1 - p is exact for a p near 1, and so nothing is lost there.
    from scipy.special import expit

    def back(mean: Any) -> Any:
        return expit(mean) - eps * np.tanh(-mean / 2)

    return (lambda p: np.log(p + eps) - np.log(1 - p + eps)), back


def normal_quantile(eps: float) -> tuple[Function, Function]:
    from scipy.special import ndtr, ndtri

    def there(p: Any) -> Any:
        # From the nearer end, where there are more digits.
        low = np.minimum(p, 1 - p)
        return np.where(p < 0.5, 1, -1) * ndtri((low + eps) / (1 + 2 * eps))

    return there, lambda mean: ndtr(mean) * (1 + 2 * eps) - eps


def by_rank(table: Table) -> tuple[Function, Function]:
    from scipy.stats import rankdata

    ranks = rankdata(table.values.ravel())
    known, first = np.unique(ranks, return_index=True)
    at = table.values.ravel()[first]
    return (lambda x: ranks.reshape(x.shape)), (lambda mean: np.interp(mean, known, at))


def increasing(transform: tuple[Function, Function], table: Table) -> tuple[Function, Function]:
    if not (isinstance(transform, (tuple, list)) and len(transform) == 2 and all(map(callable, transform))):
        raise TypeError(f"'transform' must be a name or a pair of functions, not {transform!r}")
    there, back = transform
    values = np.unique(table.values)
    try:
        images = np.asarray(there(values), dtype=np.float64)
    except TypeError as error:
        raise TypeError(f"the functions of 'transform' must take arrays: {error}") from None
    if images.shape != values.shape or not np.isfinite(images).all() or not (np.diff(images) > 0).all():
        raise ValueError("'transform' must be finite and increasing on the values")
    return there, back


def without_zeros(table: Table, eps: float, zeros: str) -> Array:
    values = table.from_zero()
    if zeros == "floor":
        return np.where(values == 0, eps, values)
    if zeros == "trec_eval":
        return np.maximum(values, eps)
    if zeros == "strict":
        table.refuse(values == 0, "positive")
        return values
    raise ValueError(f"'zeros' must be add, floor, trec_eval or strict, not {zeros!r}")


def positive(eps: float) -> None:
    if not 1e-300 <= as_number(eps, "eps") < np.inf:
        raise ValueError(f"'eps' must be a positive number, from 1e-300 up, not {eps!r}")


def whole(number: Any, name: str) -> int:
    if isinstance(number, (bool, np.bool_)) or not isinstance(number, (int, np.integer)):
        raise ValueError(f"'{name}' must be whole, not {number!r}")
    return int(number)


class Table:
    """Values of a measure, topics first, checked, with the names of topics and systems."""

    def __init__(self, values: Any, axis: int) -> None:
        raw, labels = number_table(values, "values")
        if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)) or raw.ndim not in (1, 2):
            raise ValueError(f"'values' must have one or two dimensions, not {raw.ndim}, and 'axis' be one of them")
        if not -raw.ndim <= axis < raw.ndim:
            raise ValueError(f"'axis' must be one of the {raw.ndim} dimensions of 'values', not {axis}")
        self.values: Array = np.moveaxis(raw, axis, 0).astype(np.float64)
        if 0 in self.values.shape:
            raise ValueError("'values' must have one topic and one system or more")
        self.topics = labels[axis]
        self.systems = labels[1 - axis % 2] if raw.ndim == 2 else []
        self.labels = None
        if raw.ndim == 2 and hasattr(values, "columns") and hasattr(values, "index"):
            self.labels = values.index if axis % 2 else values.columns
        self.refuse(~np.isfinite(self.values), "a finite number")

    def refuse(self, wrong: npt.NDArray[np.bool_], must: str) -> None:
        """Raise an error that names the first value that is wrong, its topic and its system."""
        if wrong.any():
            where = np.argwhere(wrong)[0]
            system = f" and system {self.systems[where[1]]!r}" if len(where) == 2 else ""
            value = float(self.values[tuple(where)])
            raise ValueError(f"every value must be {must}, not {value} for topic {self.topics[where[0]]!r}{system}")

    def from_zero(self) -> Array:
        self.refuse(self.values < 0, "from 0 up")
        return self.values

    def mean(self, values: Any) -> Any:
        """The mean over topics, which run through memory in order, as NumPy's sums are exact enough only then."""
        return np.ascontiguousarray(np.moveaxis(values, 0, -1)).mean(axis=-1)

    def named(self, means: Any) -> Any:
        if self.values.ndim == 1:
            return float(means)
        if self.labels is None:
            return means
        import pandas as pd

        return pd.Series(means, index=self.labels)
