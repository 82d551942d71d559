"""One call in both languages, for functions beyond the six coefficients, and the comparison of its two outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..organization import Organization
from ._bridge import RError, call_r
from ._cases import Case
from ._comparison import shrink
from ._literals import python_literal, r_literal
from ._report import Agreement, Disagreement, Tally

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]
    # The numbers that a function returns, or the message of its refusal.
    Outcome = Array | str


@dataclass(frozen=True, eq=False)
class Call:
    """The same call in Python and in R.

    Attributes
    ----------
    module, function : module and str
        The Python function.
    r : str
        The R function: "package::function", or the name of one of the oracle's package.
    given : tuple
        The arguments without names: numbers, strings, arrays, organizations, or rankings, which are lists.
    named : dict
        The arguments with names.  Base R has dots where Python has underscores.
    where : str
        What kind of call it is.
    tolerance, unit : float
        The largest difference of two numbers that agree, relative to R's number or to `unit`, whichever is larger.
        With a tolerance of 0, the numbers must agree bit for bit, and each of them counts as a case.
    parts : tuple of str
        The attributes of Python's result that have the numbers; by default, the result has them itself.
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

    def in_python(self) -> Outcome:
        """The outcome in Python."""
        try:
            value = getattr(self.module, self.function)(*self.given, **self.named)
        except (TypeError, ValueError) as error:
            return str(error)
        return numbers_of(attrgetter(*self.parts)(value) if self.parts else value)

    def in_r(self, package: str) -> Outcome:
        """The outcome in R."""
        package, function = self.r_function(package)
        given = [for_r(value) for value in self.given]
        try:
            return call_r(package, function, given, self.r_named(package))
        except RError as error:
            return str(error)

    def r_function(self, package: str) -> tuple[str, str]:
        """The R package and the name of the function in it."""
        own, _, function = self.r.rpartition("::")
        return own or package, function

    def r_named(self, package: str) -> dict[str, Any]:
        """The arguments with names, by R's names."""
        return {name.replace("_", ".") if package == "base" else name: value for name, value in self.named.items()}

    def texts(self, package: str) -> tuple[str, str]:
        """The call to paste into Python and into R."""
        typed = [*map(python_text, self.given), *(f"{k}={python_literal(value)}" for k, value in self.named.items())]
        package, function = self.r_function(package)
        named = self.r_named(package).items()
        in_r = [
            *(r_literal(for_r(value)) for value in self.given),
            *(f"{k} = {r_literal(value)}" for k, value in named),
        ]
        in_python = f"{self.module.__name__}.{self.function}({', '.join(typed)})"
        if self.parts:
            in_python = f"operator.attrgetter({', '.join(map(repr, self.parts))})({in_python})"
        return (
            in_python,
            f"{package}::{function}({', '.join(in_r)})",
        )

    def with_first(self, values: Array) -> Call:
        """The same call with another first argument."""
        return replace(self, given=(values, *self.given[1:]))


def numbers_of(value: Any) -> Array:
    """All numbers of what a Python function returns, in one array; a mapping has them as its values."""
    return np.ravel(list(value.values()) if isinstance(value, Mapping) else value).astype(np.float64)


def python_text(value: Any) -> str:
    """The Python expression of an argument."""
    if isinstance(value, Organization):
        return f"ircor.organization.Organization({value.levels})"
    return python_literal(value)


def for_r(value: Any) -> Any:
    """An argument as R takes it: an organization is a data frame of occurrences, and a ranking an R list."""
    if isinstance(value, list):
        return tuple(sorted(group) if isinstance(group, set) else group for group in value)
    if not isinstance(value, Organization):
        return value
    level, cluster = (numbers.astype(np.int32) for numbers in (value.level, value.cluster))
    return {"doc": list(map(str, value.documents)), "level": level, "cluster": cluster}


def compare_call(agreement: Agreement, package: str, call: Call) -> None:
    """Compare the two outcomes of a call and enter the comparison."""
    tally = agreement.functions.setdefault(call.function, Tally())
    tally.tolerance = call.tolerance
    ours, theirs = call.in_python(), call.in_r(package)
    tally.cases += 1 if call.tolerance else len(call.given[0])
    wrong, difference = differences(call, ours, theirs)
    if wrong:
        agreement.disagree(call.function, lambda: example_of(call, package), wrong)
    elif isinstance(ours, str):
        tally.refusals += 1
    else:
        agreement.agree(call.function, difference, call.where)


def differences(call: Call, ours: Outcome, theirs: Outcome) -> tuple[int, float]:
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
    """The disagreement on this call; if its first argument is a vector that can be shrunk, on a smaller one."""
    if not call.tolerance:

        def disagree(cases: list[Case]) -> Iterator[bool]:
            for smaller in (call.with_first(case.x) for case in cases):
                yield differences(smaller, smaller.in_python(), smaller.in_r(package))[0] > 0

        values = call.given[0]
        call = call.with_first(shrink(Case(values, values, True, call.where), disagree).x)
    python, r = (
        f"refused: {outcome}" if isinstance(outcome, str) else str(outcome.tolist())
        for outcome in (call.in_python(), call.in_r(package))
    )
    return Disagreement(call.function, call.where, python, r, *call.texts(package))
