"""Values as one types them in Python and in R, so that a call can be pasted into either language."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.methods import METHODS
from .._core.types import Array, Vector
from .._core.vectors import numeric_vector
from ..organization import Organization

if TYPE_CHECKING:
    import pandas

# How R spells the numbers that are not finite.
NOT_FINITE = {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}


def python_literal(value: Any) -> str:
    """The Python expression of a number, string, flag, list, set, array or organization.

    Examples
    --------
    >>> python_literal(np.array([1.5, np.nan]))
    '[1.5, float("nan")]'
    """
    if isinstance(value, Organization):
        return f"ircor.organization.Organization({value.levels})"
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, list):
        return f"[{', '.join(map(python_literal, value))}]"
    if isinstance(value, set):
        return f"{{{', '.join(map(python_literal, sorted(value)))}}}"
    return f'float("{value}")' if isinstance(value, float) and not isfinite(value) else repr(value)


def r_literal(value: Any) -> str:
    """The R expression of what `ircor.crosscheck._oracles.to_r` makes of the value.

    Examples
    --------
    >>> r_literal(np.array([1.5, np.nan]))
    'c(1.5, NaN)'
    """
    if value is None:
        return "NA"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return f"c({', '.join(map(r_literal, value))})" if value else "character(0)"
    if isinstance(value, tuple):
        return f"list({', '.join(map(r_literal, value))})"
    if isinstance(value, Mapping):
        return f"data.frame({', '.join(f'{name} = {r_literal(column)}' for name, column in value.items())})"
    values = np.asarray(value)
    suffix = "L" if values.dtype == np.int32 else ""
    typed = [NOT_FINITE.get(text, text + suffix) for text in map(repr, values.ravel(order="F").tolist())]
    if not values.ndim:
        return typed[0]
    vector = f"c({', '.join(typed)})" if typed else "integer(0)" if suffix else "numeric(0)"
    return vector if values.ndim == 1 else f"array({vector}, c({', '.join(map(str, values.shape))}))"


def python_call(function: str, given: Iterable[Any], named: Mapping[str, Any]) -> str:
    """A call to paste into Python."""
    arguments = [*map(python_literal, given), *(f"{name}={python_literal(value)}" for name, value in named.items())]
    return f"{function}({', '.join(arguments)})"


def r_call(function: str, given: Iterable[Any], named: Mapping[str, Any]) -> str:
    """A call to paste into R."""
    arguments = [*map(r_literal, given), *(f"{name} = {r_literal(value)}" for name, value in named.items())]
    return f"{function}({', '.join(arguments)})"


@dataclass(frozen=True, eq=False)
class Case:
    """Two rankings and a direction.

    Attributes
    ----------
    x, y : numpy.ndarray
        Doubles, or 32-bit integers, which are R's integers.
    decreasing : bool
        Whether the greatest value is at the top.
    name : str
        The kind of the rankings.
    """

    x: Array
    y: Array
    decreasing: bool
    name: str

    def named(self, function: str) -> dict[str, bool]:
        """The arguments of this function with names."""
        return {"decreasing": self.decreasing} if METHODS[function].takes_decreasing else {}

    def python_call(self, function: str) -> str:
        """The call of this function to paste into Python."""
        return python_call(f"ircor.{function}", (self.x, self.y), self.named(function))

    def r_call(self, function: str, package: str) -> str:
        """The call of this function of an R package to paste into R."""
        return r_call(f"{package}::{function}", (self.x, self.y), self.named(function))


@dataclass(frozen=True)
class Answer:
    """The answer of one language to a case: a value, or the message of a refusal.

    Attributes
    ----------
    value : float
        nan for a refusal.
    error : str
        "" unless the call was refused.
    """

    value: float = float("nan")
    error: str = ""

    def __str__(self) -> str:
        return f"refused: {self.error}" if self.error else repr(self.value)


def random_cases(count: int, seed: int) -> Iterator[Case]:
    """Draw rankings of every kind: ties, order, size of the numbers, missing and infinite values, both directions.

    Parameters
    ----------
    count : int
        The number of cases.
    seed : int
        Case k depends on the seed and on k only.

    Yields
    ------
    Case

    Examples
    --------
    >>> [len(case.x) == len(case.y) for case in random_cases(3, seed=1)]
    [True, True, True]
    """
    yield from RandomCases(seed, 0, count)


@dataclass(frozen=True)
class RandomCases:
    """The random cases of a seed from number `start` up to `stop`, drawn when they are needed."""

    seed: int
    start: int
    stop: int

    def __iter__(self) -> Iterator[Case]:
        numbered = generators(self.seed, range(self.start, self.stop))
        return (random_case(rng, long=k % EVERY == EVERY - 1) for k, rng in numbered)


def generators(seed: int, numbers: range) -> Iterator[tuple[int, np.random.Generator]]:
    """A random generator for each number; it depends on the seed and on this number only."""
    return ((k, np.random.default_rng([seed, k])) for k in numbers)


LONG = 1000
"""The least length of long rankings; from 1,025 items on, another kernel sorts."""

EVERY = 500
"""One random case of so many is long."""


def random_case(rng: np.random.Generator, long: bool = False) -> Case:
    """Draw one pair of rankings."""
    sizes = [rng.integers(2, 12), rng.integers(2, 60), rng.integers(60, 400)]
    n = int(rng.integers(LONG, 1600) if long else rng.choice(sizes, p=[0.45, 0.5, 0.05]))
    truth = rng.normal(size=n)
    relation = rng.choice(
        ["related", "unrelated", "nearly sorted", "reversed", "the same"], p=[0.4, 0.3, 0.15, 0.1, 0.05]
    )
    if relation == "related":
        estimate = truth + rng.normal(size=n) * rng.choice([0.1, 0.5, 1, 2])
    elif relation == "unrelated":
        estimate = rng.normal(size=n)
    elif relation == "nearly sorted":
        estimate = with_a_few_swaps(truth, rng)
    else:
        estimate = -truth if relation == "reversed" else truth
    # A share of the pairs has no ties, or the functions that refuse ties would hardly return a value.
    untied = rng.random() < 0.4
    x_kind = rng.choice(UNTIED if untied or rng.random() < 0.3 else list(VECTOR_KINDS))
    y_kind = rng.choice(UNTIED if untied else list(VECTOR_KINDS))
    x, y = VECTOR_KINDS[x_kind](truth, rng), VECTOR_KINDS[y_kind](estimate, rng)
    return Case(x, y, bool(rng.random() < 0.5), f"x {x_kind}, y {y_kind}, {relation}")


def with_a_few_swaps(values: Array, rng: np.random.Generator) -> Array:
    """The values with about a tenth of the neighbours in rank exchanged."""
    ordered = np.sort(values)
    for k in rng.integers(0, len(values) - 1, 1 + len(values) // 10):
        ordered[[k, k + 1]] = ordered[[k + 1, k]]
    return ordered[np.argsort(np.argsort(values))]


def ranks(values: Array) -> Array:
    """Ranks from 1, ties broken in any way."""
    return np.argsort(np.argsort(values)) + 1


def tie_groups(values: Array, count: int) -> Array:
    """The number of the tie group of each value, with tie groups of about equal size."""
    return np.floor(ranks(values) * count / (len(values) + 1))


def positions(values: Array, rng: np.random.Generator, most: int) -> Array:
    """Between one and `most` random positions."""
    return rng.choice(len(values), int(rng.integers(1, min(most, len(values)) + 1)), replace=False)


def put(values: Array, where: Any, what: Any) -> Array:
    """A copy of the values as doubles, with some of them replaced."""
    changed = values.astype(np.float64)
    changed[where] = what
    return changed


def nearly_equal(values: Array, rng: np.random.Generator) -> Array:
    """Some values differ from others by one ulp, or near the 15th digit, up to which R prints numbers."""
    base = values * rng.choice([1e-7, 1.0, 1e5, 1e15, 1e17])
    where = positions(values, rng, 4)
    apart = rng.choice([2.0**-52, 1e-15, 4e-15, 1e-14, 3e-14])
    return put(base, where, base[rng.integers(0, len(values), len(where))] * (1 + apart))


def large_integers(values: Array, rng: np.random.Generator) -> Array:
    """Integers whose differences overflow in R, in half of the cases."""
    step = int(rng.choice([2**31, 2**32 - 4])) // len(values)
    return ((ranks(values) - (len(values) + 1) / 2) * step).astype(np.int32)


VECTOR_KINDS: dict[str, Callable[[Array, np.random.Generator], Array]] = {
    "untied": lambda v, rng: v,
    "ranks": lambda v, rng: ranks(v).astype(np.float64),
    "integer ranks": lambda v, rng: ranks(v).astype(np.int32),
    "tiny": lambda v, rng: v * 10.0 ** rng.integers(-321, -290),
    "huge": lambda v, rng: v * 10.0 ** rng.integers(290, 308),
    "large whole numbers": lambda v, rng: 1e15 + ranks(v),
    "large integers": large_integers,
    "rounded": lambda v, rng: np.round(v, int(rng.integers(0, 3))),
    "few ties": lambda v, rng: tie_groups(v, max(1, len(v) - int(rng.integers(1, 4)))),
    "many ties": lambda v, rng: tie_groups(v, int(rng.integers(2, 6))),
    "integers with ties": lambda v, rng: tie_groups(v, int(rng.integers(2, 9))).astype(np.int32),
    "ties at the top": lambda v, rng: np.minimum(v, np.quantile(v, rng.uniform(0.2, 0.9))),
    "ties at the bottom": lambda v, rng: np.maximum(v, np.quantile(v, rng.uniform(0.1, 0.8))),
    "all but one tied": lambda v, rng: put(np.zeros(len(v)), rng.integers(len(v)), rng.choice([-1.0, 1.0])),
    "all tied": lambda v, rng: np.full(len(v), 0.5),
    "nearly equal": nearly_equal,
    "signed zeros": lambda v, rng: put(v, positions(v, rng, 4), rng.choice([0.0, -0.0])),
    "missing": lambda v, rng: put(v, positions(v, rng, 3), np.nan),
    "missing and tied": lambda v, rng: put(tie_groups(v, 4), positions(v, rng, 3), np.nan),
    "infinite": lambda v, rng: put(v, positions(v, rng, 1), rng.choice([-np.inf, np.inf])),
    "infinities": lambda v, rng: put(put(v, positions(v, rng, 3), np.inf), positions(v, rng, 2), -np.inf),
}
UNTIED = ["untied", "ranks", "integer ranks", "tiny", "huge", "large whole numbers", "large integers"]


def table_cases(table: Mapping[str, Vector] | pandas.DataFrame) -> list[Case]:
    """Make cases of every pair of different columns, in both orders and both directions.

    Parameters
    ----------
    table : mapping or pandas.DataFrame
        Columns of numbers by name, such as `ircor.trec.read_columns` returns.  A column of integers of 32 bits goes to
        R as integers, any other as doubles.

    Returns
    -------
    list of Case

    Examples
    --------
    >>> [case.name for case in table_cases({"map": [0.2, 0.4], "rank": [2, 1]})]
    ['x map, y rank', 'x map, y rank', 'x rank, y map', 'x rank, y map']
    """
    columns = {str(name): r_vector(values, str(name)) for name, values in table.items()}
    return [
        Case(columns[x], columns[y], decreasing, f"x {x}, y {y}")
        for x, y in permutations(columns, 2)
        for decreasing in (True, False)
    ]


def r_vector(values: Vector, name: str) -> Array:
    """The values as R reads them from a file: 32-bit integers if all of them are, else doubles."""
    numbers = numeric_vector(values, name)
    # R has no integer -2^31: that bit pattern is its NA.
    fits = numbers.dtype.kind in "iu" and numbers.min(initial=0) > -(2**31) and numbers.max(initial=0) < 2**31
    return numbers.astype(np.int32 if fits else np.float64)
