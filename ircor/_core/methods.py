"""The formulas of the coefficients, as in Urbano and Marrero (ICTIR 2017), and of those with ties as an answer.

`d` has the counts of one pair of rankings (`Dominance`) or arrays of the counts of many pairs (`Totals`): both have the
same attributes, so each formula is written once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import nan, sqrt
from typing import Any, Literal, get_args

import numpy as np
from numpy import ndarray

from .._kernel import dominance_of, pair_of
from .checks import MissingValueWarning, not_ranked, ranked_last, rankings, warn_of_pairing
from .errors import Argument, InvalidValueError, IrcorError, Setting
from .options import fraction, one_of, threshold
from .types import AnyMethodName, CoefficientName, Ties, Vector
from .vectors import numeric_vector
from .within import counts_within


def kendall(d: Any) -> Any:
    """Equations (1) and (4)."""
    return (d.concordant - d.discordant) / d.x.total_pairs


def kendall_b(d: Any) -> Any:
    """Equation (9)."""
    pairs = d.x.total_pairs
    untied_in_x, untied_in_y = pairs - d.x.tied_pairs, pairs - d.y.tied_pairs
    return bounded(ratio(d.concordant - d.discordant, root_of_product(untied_in_x, untied_in_y)))


def acc_eq(d: Any) -> Any:
    """The share of the pairs that are ordered alike or tied in both."""
    return (d.concordant + d.tied_pairs) / d.x.total_pairs


def tau_eq(d: Any) -> Any:
    """The same on the scale of tau, 2 acc_eq - 1: Deutsch, Foster and Freitag (2023)."""
    return (2 * (d.concordant + d.tied_pairs) - d.x.total_pairs) / d.x.total_pairs


def ap(d: Any) -> Any:
    """Equation (3)."""
    return bounded(2 * d.c_above_in_y() / (d.y.n - 1) - 1)


def ap_a(d: Any) -> Any:
    """Equation (8), with the sums of equations (6) and (7)."""
    term_I = d.c_above_in_y_permuted()
    term_II = d.y.c_within()
    return bounded(2 * (term_I + term_II) / (d.y.n - 1) - 1)


def ap_b(d: Any) -> Any:
    """Equation (11)."""
    y_given_x = tauAP_ties(d.c_above_in_y(), d.y.n, d.y.top)
    x_given_y = tauAP_ties(d.c_above_in_x(), d.x.n, d.x.top)
    return bounded((y_given_x + x_given_y) / 2)


def overlap(d: Any, p: float, ties: int) -> Any:
    """Rank-biased overlap, extrapolated: RBO_EXT of Webber et al. (2010), equation (32), with ties as in Corsi and
    Urbano (2024)."""
    return d.overlap(p, ties)


def tauAP_ties(c_above: Any, n: Any, t_1: Any) -> Any:
    """Equation (10): the mean over the items below the top tie group; the others have no items above them."""
    return 2 * ratio(c_above, n - t_1) - 1


def ratio(numerator: Any, denominator: Any) -> Any:
    """The quotient, or nan where the denominator is 0."""
    if isinstance(denominator, ndarray):
        return np.divide(numerator, denominator, out=np.full(denominator.shape, nan), where=denominator != 0)
    return numerator / denominator if denominator else nan


def root_of_product(a: Any, b: Any) -> Any:
    """sqrt(a b); Python's integers do not overflow, NumPy's would."""
    return np.sqrt(a.astype(np.float64) * b) if isinstance(a, ndarray) else sqrt(a * b)


def bounded(coefficient: Any) -> Any:
    """Clip to [-1, 1]: rounding can exceed the bounds by one ulp; nan stays nan."""
    if isinstance(coefficient, ndarray):
        return np.clip(coefficient, -1, 1)
    if coefficient > 1:
        return 1.0
    return -1.0 if coefficient < -1 else coefficient


# A short ranking takes a few microseconds, so vectors of these types are not asked for their labels.
UNLABELLED = frozenset({np.ndarray, list, tuple})

TIES: tuple[Ties, ...] = get_args(Ties)
"""The treatments of ties in rank-biased overlap, in the order of the kernel's numbers."""


@dataclass(frozen=True)
class Method:
    """The rules of one coefficient."""

    name: AnyMethodName
    """The name of the function, in Python and in R."""
    formula: Callable[[Any], Any]
    """Computes the coefficient from the counts of the kernel."""
    untied: str
    """The vectors that must not have ties: "xy", "x" or "".  A missing value in one of them is refused as a tie."""
    missing: Literal["tie", "undefined", "refused", "last"]
    """The effect of a missing value in the other vectors: it makes the coefficient nan, it is refused, or it is ranked
    last with a warning.  "tie" if there are no other vectors.
    """
    takes_decreasing: bool
    """Whether it makes a difference which end is the top."""
    symmetric: bool
    """Whether x and y can be exchanged."""
    sums: frozenset[str | tuple[float, int]]
    """The counts of the kernel that the formula needs: "pairs" for the counts of pairs, "above_in_x", "above_in_y",
    "above_in_y_permuted", or (p, ties) for an overlap.
    """
    least: float = -1
    """The least possible value; the greatest is 1."""

    @property
    def options(self) -> str:
        """The options in words, or ""."""
        return ""

    def __call__(self, x: Vector, y: Vector, decreasing: object = True, stacklevel: int | None = 2) -> float:
        """The coefficient of two vectors, after all of its checks.

        `stacklevel` says which caller a warning is attributed to, as in `warnings.warn`; None is for no warning.
        """
        counts, ranked = self.fast_counts(x, y, decreasing), None
        if counts is None:
            x_values, y_values = numeric_vector(x, "x"), numeric_vector(y, "y")
            if x_values is not x or y_values is not y:
                counts = self.fast_counts(x_values, y_values, decreasing)
            if counts is None:
                # An overlap walks down the items, which the rankings of long vectors do not keep.
                top_down = decreasing if self.takes_decreasing else True
                ranked = rankings(x_values, y_values, self.untied, top_down, isinstance(self, OverlapMethod))
        if type(x) not in UNLABELLED and type(y) not in UNLABELLED and stacklevel is not None:
            warn_of_pairing(x, y, stacklevel=stacklevel)
        if ranked is not None:
            missing = {name: ranking.missing for name, ranking in zip("xy", ranked)}
            if any(missing.values()):
                if self.missing == "undefined":
                    return nan
                if self.missing == "refused":
                    raise not_ranked("x" if missing["x"] else "y", self.name)
                if stacklevel is not None:
                    warnings.warn(ranked_last(missing), MissingValueWarning, stacklevel=stacklevel)
            counts = dominance_of(*ranked)
        return float(self.formula(counts))

    def fast_counts(self, x: object, y: object, decreasing: object) -> Any:
        """The counts of two vectors that need no refusal and no warning but that of labels; None for others."""
        return None


@dataclass(frozen=True)
class Tau(Method):
    """Kendall's tau or AP correlation."""

    name: CoefficientName

    def fast_counts(self, x: object, y: object, decreasing: object) -> Any:
        if not self.takes_decreasing or decreasing is True:
            return pair_of(x, y, True, self.untied != "", self.untied == "xy")
        return pair_of(x, y, False, self.untied != "", self.untied == "xy") if decreasing is False else None


@dataclass(frozen=True)
class TiesMethod(Tau):
    """A coefficient of an estimate that should tie what the truth ties; it ties values up to `epsilon` apart."""

    epsilon: float = 0.0

    @property
    def options(self) -> str:
        return f"epsilon = {self.epsilon!r}" if self.epsilon else ""

    def __call__(self, x: Vector, y: Vector, decreasing: object = True, stacklevel: int | None = 2) -> float:
        if not self.epsilon:
            return super().__call__(x, y, decreasing, None if stacklevel is None else stacklevel + 1)
        x_values, y_values = numeric_vector(x, "x"), numeric_vector(y, "y")
        for name, ranking in zip("xy", rankings(x_values, y_values)):
            if ranking.missing:
                raise not_ranked(name, self.name)
        if stacklevel is not None:
            warn_of_pairing(x, y, stacklevel=stacklevel)
        return float(self.formula(counts_within(x_values, y_values, self.epsilon)))

    def of_truth(self, truth: Vector, estimate: Vector, epsilon: object, stacklevel: int = 3) -> float:
        """The coefficient at a threshold, in a function whose arguments are these."""
        method = self if type(epsilon) is float and epsilon == 0 else self.within(epsilon)
        try:
            value = method(truth, estimate, True, None)
        except IrcorError as error:
            raise error.renamed({"x": "truth", "y": "estimate"}) from None
        if type(truth) not in UNLABELLED and type(estimate) not in UNLABELLED:
            warn_of_pairing(truth, estimate, ("truth", "estimate"), stacklevel=stacklevel)
        return value

    def within(self, epsilon: object) -> TiesMethod:
        """The method at a threshold; beyond 0 the two sides are not alike, since the truth ties equal values only."""
        number = threshold(epsilon, "epsilon")
        return replace(self, epsilon=number, symmetric=not number)


@dataclass(frozen=True)
class ScipyMethod(Method):
    """A coefficient of SciPy, of the values rather than of the counts."""

    name: Any

    def __call__(self, x: Vector, y: Vector, decreasing: object = True, stacklevel: int | None = 2) -> float:
        from scipy import stats

        return float(getattr(stats, f"{self.name}r")(x, y).statistic)


@dataclass(frozen=True)
class OverlapMethod(Method):
    """Rank-biased overlap, with its persistence and its treatment of ties."""

    p: float = nan
    ties: Ties = "a"

    @property
    def options(self) -> str:
        return f"p = {self.p!r}, ties {self.ties}"


PAIRS = frozenset({"pairs"})

TAU = Tau("tau", kendall, "xy", "tie", False, True, PAIRS)
TAU_A = Tau("tau_a", kendall, "x", "undefined", False, False, PAIRS)
TAU_B = Tau("tau_b", kendall_b, "", "refused", False, True, PAIRS)
TAU_AP = Tau("tauAP", ap, "xy", "tie", True, False, frozenset({"above_in_y"}))
TAU_AP_A = Tau("tauAP_a", ap_a, "x", "last", True, False, frozenset({"above_in_y_permuted"}))
TAU_AP_B = Tau("tauAP_b", ap_b, "", "last", True, True, frozenset({"above_in_x", "above_in_y"}))

METHODS: dict[str, Tau] = {method.name: method for method in (TAU, TAU_A, TAU_B, TAU_AP, TAU_AP_A, TAU_AP_B)}
"""The six of R's ircor."""

TAU_EQ = TiesMethod("tau_eq", tau_eq, "", "refused", False, True, PAIRS)
ACC_EQ = TiesMethod("acc_eq", acc_eq, "", "refused", False, True, PAIRS, 0)

EQUALITY: dict[str, TiesMethod] = {method.name: method for method in (TAU_EQ, ACC_EQ)}
"""Those that take ties for an answer."""

COEFFICIENTS: dict[str, Tau] = {**METHODS, **EQUALITY}
"""All coefficients of two rankings."""

SCIPY: dict[str, Method] = {
    name: ScipyMethod(name, float, "", "refused", False, True, frozenset()) for name in ("spearman", "pearson")
}
"""Those of SciPy, for means."""

OF_MEANS: dict[str, Method] = {**COEFFICIENTS, **SCIPY}
"""All that compare means."""


RBO: Literal["rbo"] = "rbo"


def method_of(name: object, argument: str = "method") -> Tau:
    """The coefficient of this name, or an error that names the argument and the choices."""
    if isinstance(name, str) and name == RBO:
        raise InvalidValueError(
            argument,
            "cannot be 'rbo' here",
            "rank-biased overlap is for cor, cor_by, bootstrap, compare, correlate and tabulate. Here it is one of "
            f"{', '.join(COEFFICIENTS)}.",
        )
    return COEFFICIENTS[one_of(name, argument, COEFFICIENTS)]


def methods_of(names: str | Iterable[str], among: Mapping[str, Method] = COEFFICIENTS) -> list[Method]:
    """The coefficients of these names, or of one, each once; `methods` is the argument."""
    given = [names] if isinstance(names, str) else names
    methods = {
        name: among[name] if isinstance(name, str) and name in SCIPY and name in among else method_of(name, "methods")
        for name in given
    }
    if not methods:
        raise InvalidValueError("methods", "must name a coefficient, such as 'tau_b'")
    return list(methods.values())


def any_method_of(name: object, p: object, ties: object, argument: str = "method", *, epsilon: object = None) -> Method:
    """The method of this name: "rbo" has a p and a treatment of ties, and tau_eq and acc_eq have a threshold."""
    method = one_of(name, argument, [*COEFFICIENTS, RBO])
    if epsilon is not None and method not in EQUALITY:
        others = f" and {ACC_EQ.name!r}, not for {method!r}"
        raise InvalidValueError("epsilon", ("is for ", Setting(argument, TAU_EQ.name, "'"), others))
    if method != RBO:
        for option, value in (("p", p), ("ties", ties)):
            if value is not None:
                raise InvalidValueError(option, ("is for ", Setting(argument, RBO, "'"), f", not for {method!r}"))
        return COEFFICIENTS[method] if epsilon is None else EQUALITY[method].within(epsilon)
    if p is None:
        raise InvalidValueError(
            "p",
            ("is required for ", Setting(argument, RBO, "'")),
            "a number between 0 and 1. 0.8, 0.9 and 0.98 give the first 5, 10 and 50 ranks 85 to 86% of the weight; "
            "ircor.overlap.p_for_weight finds others.",
        )
    return overlap_of(p, ties)


def overlap_of(p: object, ties: object) -> OverlapMethod:
    """Rank-biased overlap with this p and this treatment of ties, "a" if it is None."""
    number, code = fraction(p, "p"), TIES.index(one_of("a" if ties is None else ties, "ties", TIES))
    formula = partial(overlap, p=number, ties=code)
    return OverlapMethod(RBO, formula, "", "refused", True, True, frozenset({(number, code)}), 0, number, TIES[code])


def rules_of(name: str) -> Method | None:
    """The rules of the method of this name, whatever its options are; None if there is none."""
    return overlap_of(0.5, None) if name == RBO else COEFFICIENTS.get(name)


def threshold_of(method: Method) -> float:
    """The threshold of ties of a coefficient; 0 of those that have none."""
    return method.epsilon if isinstance(method, TiesMethod) else 0.0


def added_overlap(p: object, ties: object) -> list[OverlapMethod]:
    """Rank-biased overlap if p is given, for functions that show it beside the coefficients."""
    if p is None and ties is not None:
        raise InvalidValueError("ties", ("needs a value of ", Argument("p")), "both are for rank-biased overlap")
    return [] if p is None else [overlap_of(p, ties)]
