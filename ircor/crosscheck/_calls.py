"""One call in both languages, for functions beyond the six coefficients, and the comparison of its two outcomes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from operator import attrgetter
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import rbase
from .._core.types import Array, Floats
from ..organization import Organization
from ._agreement import Agreement, Disagreement, Tally
from ._cases import python_call, python_literal, r_call
from ._comparison import Arguments, shrunk
from ._oracles import RError, call_r

if TYPE_CHECKING:
    Outcome = Floats | str

IRCOR = import_module(__name__.partition(".")[0])
"""The package, for functions that it has itself."""


@dataclass(frozen=True, eq=False)
class Call:
    """The same call in Python and in R.

    The R function is "package::function", the name of one of the oracle's package, or the text of a function.
    Arguments are numbers, strings, arrays, organizations, or rankings, which are lists; base R has dots where Python
    has underscores in their names.
    `parts` are the attributes of Python's result that have the numbers; by default, the result has them itself.  If the
    result is a function, its value `at` some numbers is compared; R's function gets them too.  A recorded call has R's
    `answer`.

    Two numbers agree if they differ by no more than the tolerance, relative to R's number or to `unit`, whichever is
    larger.  With a tolerance of 0, they must agree bit for bit, and each of them counts as a case.
    """

    module: ModuleType
    function: str
    r: str
    given: tuple[Any, ...]
    named: dict[str, Any] = field(default_factory=dict)
    where: str = ""
    tolerance: float = 1e-12
    unit: float = 1e-3
    parts: tuple[str, ...] = ()
    at: Array | None = None
    answer: Outcome | None = None

    def in_python(self) -> Outcome:
        """The outcome in Python."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = self.value()
        except (TypeError, ValueError) as error:
            return str(error)
        return flat_numbers(attrgetter(*self.parts)(value) if self.parts else value)

    def value(self) -> Any:
        """What Python returns."""
        value = getattr(self.module, self.function)(*self.given, **self.named)
        return value if self.at is None else value(self.at)

    def in_r(self, package: str) -> Outcome:
        """The outcome in R."""
        if self.answer is not None:
            return self.answer
        package, function = self.r_function(package)
        try:
            return call_r(package, function, list(map(for_r, self.r_given())), self.r_named(package))
        except RError as error:
            return str(error)

    def r_function(self, package: str) -> tuple[str, str]:
        """The R package and the name of the function in it."""
        if self.r.startswith("function"):
            return "", self.r
        own, _, function = self.r.rpartition("::")
        return own or package, function

    def r_given(self) -> tuple[Any, ...]:
        """The arguments without names."""
        return self.given if self.at is None else (*self.given, self.at)

    def r_named(self, package: str) -> dict[str, Any]:
        """The arguments with names, by R's names."""
        dotted = package in ("", "base", "stats")
        return {name.replace("_", ".") if dotted else name: value for name, value in self.named.items()}

    def texts(self, package: str) -> tuple[str, str]:
        """The call to paste into Python and into R."""
        package, function = self.r_function(package)
        in_python = python_call(f"{self.module.__name__}.{self.function}", self.given, self.named)
        if self.parts:
            in_python = f"operator.attrgetter({', '.join(map(repr, self.parts))})({in_python})"
        if self.at is not None:
            in_python = f"{in_python}({python_literal(self.at)})"
        called = f"{package}::{function}" if package else f"({function})"
        return in_python, r_call(called, map(for_r, self.r_given()), self.r_named(package))

    @property
    def shrinks(self) -> bool:
        """Whether the arguments are arrays from which values can be left out."""
        return not self.tolerance and self.at is None


def flat_numbers(value: Any) -> Floats:
    """All numbers of what a Python function returns, in one array; a mapping has them as its values."""
    values = list(value.values()) if isinstance(value, Mapping) else value
    if isinstance(values, tuple):
        return np.concatenate([np.ravel(part).astype(np.float64) for part in values])
    return np.ravel(values).astype(np.float64)


def for_r(value: Any) -> Any:
    """An argument as R takes it: an organization is a data frame of occurrences, and a ranking an R list."""
    if isinstance(value, list):
        return tuple(sorted(group) if isinstance(group, set) else group for group in value)
    if not isinstance(value, Organization):
        return value
    level, cluster = (numbers.astype(np.int32) for numbers in (value.level, value.cluster))
    return {"doc": list(map(str, value.documents)), "level": level, "cluster": cluster}


@dataclass(frozen=True, eq=False)
class Draw(Call):
    """Random numbers after a seed: by a method of `RRandom`, or by a function that takes an `RRandom` as its seed."""

    seed: int = 0
    kind: str = "Rejection"

    def value(self) -> Any:
        random = rbase.RRandom(self.seed, sample_kind=self.kind)  # type: ignore[arg-type]
        _, method, name = self.function.partition("RRandom.")
        if not method:
            return getattr(self.module, self.function)(*self.given, **self.named, seed=random)
        return getattr(random, name)(*self.given, **self.named)

    def r_given(self) -> tuple[Any, ...]:
        return (self.seed, self.kind, *self.given)

    def r_function(self, package: str) -> tuple[str, str]:
        draw = self.r.rpartition("::")[2]
        return "", (
            'function(seed, kind, ...) { on.exit(RNGkind("default", "default", "default")); '
            f'suppressWarnings(RNGkind("default", "default", kind)); set.seed(seed); {draw}(...) }}'
        )

    def texts(self, package: str) -> tuple[str, str]:
        random = f"ircor.rbase.RRandom({self.seed}, sample_kind={self.kind!r})"
        _, method, name = self.function.partition("RRandom.")
        called = python_call(f"{random}.{name}" if method else f"ircor.rbase.{self.function}", self.given, self.named)
        in_python = called if method else f"{called[:-1]}, seed={random})"
        return in_python, r_call(f"({self.r_function(package)[1]})", map(for_r, self.r_given()), self.r_named(""))

    @property
    def shrinks(self) -> bool:
        return False


def compare_call(agreement: Agreement, package: str, call: Call) -> None:
    """Compare the two outcomes of a call and enter the comparison."""
    tally = agreement.functions.setdefault(call.function, Tally())
    tally.tolerance = call.tolerance
    ours, theirs = call.in_python(), call.in_r(package)
    tally.cases += 1 if call.tolerance or isinstance(ours, str) else ours.size
    wrong, difference = compared_outcomes(call, ours, theirs)
    if wrong:
        agreement.disagree(call.function, lambda: example_of(call, package), wrong)
    elif isinstance(ours, str):
        tally.refusals += 1
    else:
        agreement.agree(call.function, difference, call.where)


def compared_outcomes(call: Call, ours: Outcome, theirs: Outcome) -> tuple[int, float]:
    """The number of cases of the call that disagree, and the largest relative difference of two numbers.

    Two refusals agree, whatever their words.
    """
    if isinstance(ours, str) or isinstance(theirs, str):
        return int(type(ours) is not type(theirs)), 0.0
    if ours.shape != theirs.shape:
        return 1, 0.0
    both_nan = np.isnan(ours) & np.isnan(theirs)
    if not call.tolerance:
        return int(np.count_nonzero((ours.view(np.int64) != theirs.view(np.int64)) & ~both_nan)), 0.0
    with np.errstate(invalid="ignore"):  # inf - inf
        relative = np.abs(ours - theirs) / np.maximum(np.abs(theirs), call.unit)
    largest = float(np.max(np.where(both_nan | (ours == theirs), 0, relative), initial=0))
    # If only one of two numbers is nan, so is the difference, and no comparison with nan is true.
    return int(not largest <= call.tolerance), largest


def example_of(call: Call, package: str) -> Disagreement:
    """The disagreement on this call; if its first argument is an array that can be shrunk, on a smaller one."""
    if call.shrinks and call.answer is None:

        def disagree(candidates: list[Arguments]) -> Iterator[bool]:
            for smaller in (replace(call, given=given) for given in candidates):
                yield compared_outcomes(smaller, smaller.in_python(), smaller.in_r(package))[0] > 0

        call = replace(call, given=shrunk(call.given, disagree, range(np.ndim(call.given[0]))))
    python, r = (
        f"refused: {outcome}" if isinstance(outcome, str) else str(outcome.tolist())
        for outcome in (call.in_python(), call.in_r(package))
    )
    return Disagreement(call.function, call.where, python, r, *call.texts(package))
