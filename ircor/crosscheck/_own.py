"""Your own R code against your own Python code, on the same data."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from .._core.errors import InvalidTypeError, InvalidValueError, must_be
from .._core.options import CASES, CASES_SEED, TOLERANCE, one_of
from .._core.types import Array
from .._core.work import Progress, watched
from ._agreement import Agreement
from ._beyond import random_scores
from ._calls import IRCOR, Call, compare_call
from ._cases import generators, python_call, random_case
from ._comparison import started
from ._oracles import probe

Drawn = Literal["rankings", "scores"]

Given: TypeAlias = "Iterable[object]"
"""Cases, each a tuple of arguments, or the only argument."""

IN_R = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
"""The names of parameters that R can have too."""


@dataclass
class OwnR:
    """Your R code as the other side of a comparison."""

    kind: str = "own"
    package: str = "your R code"
    version: str = ""
    r_version: str = field(default_factory=probe)
    rpy2_version: str = field(default_factory=lambda: version("rpy2"))


@dataclass(frozen=True, eq=False)
class OwnCall(Call):
    """A call of your own function, and of your R code with the names of its parameters."""

    python: Callable[..., Any] = len
    names: tuple[str, ...] = ()

    def value(self) -> Any:
        try:
            value = self.python(*self.given)
        except Exception as error:  # a refusal, whatever its type
            raise ValueError(str(error) or type(error).__name__) from error
        values = np.asarray(value.to_numpy() if hasattr(value, "to_numpy") else value)
        if values.dtype.kind not in "iufb":
            raise InvalidTypeError(f"{self.function} must return numbers, not {values.dtype}")
        # As R writes a matrix: column by column.
        return values.ravel(order="F")

    def r_function(self, package: str) -> tuple[str, str]:
        names = ", ".join(self.names)
        # A comment needs a line of its own.
        code = f"\n{self.r}\n" if "\n" in self.r or "#" in self.r else f" {self.r} "
        return "", f"function({names}) {{ value <- {{{code}}}; if (is.function(value)) value({names}) else value }}"

    def texts(self, package: str) -> tuple[str, str]:
        return python_call(self.function, self.given, {}), super().texts(package)[1]

    @property
    def shrinks(self) -> bool:
        return bool(self.given) and isinstance(self.given[0], np.ndarray) and self.given[0].ndim > 0


def check_own(
    r: str,
    python: Callable[..., object],
    data: Drawn | Given = "rankings",
    *,
    cases: int = 200,
    seed: int = 2017,
    tolerance: float = 1e-12,
    progress: Progress = None,
) -> Agreement:
    """Check that your own R code and your own Python code give the same numbers.

    Both sides get the same data, and their results are compared value by value.  Of the cases on which they differ,
    the first one is made as small as possible, with the two calls to paste.

    Parameters
    ----------
    r : str
        R code: an expression in the names of the parameters of `python`, such as ``"colMeans(X)"``, or one that is a
        function, such as ``"ircor::tau_b"`` or ``"source('mine.R')$value"``.  It runs as it is, in the global
        environment of R; data are passed as R objects, not as text.
    python : callable
        A function of one argument or more that returns a number or an array of numbers.
    data : {"rankings", "scores"} or iterable
        Random rankings, for a function of one vector or two, with ties, near ties, missing and infinite values; random
        tables of scores, topics by systems, for a function of one table or two; or your own cases, each a tuple of
        arguments, or the only argument.
    cases : int
        The number of random cases.
    seed : int
        The seed of the random cases, 0 or more.
    tolerance : float
        The largest difference of two numbers that agree, relative to R's number if that is above 1; 0 for the same
        bits.  Two refusals agree, whatever their words.
    progress : callable, bool or None
        Called with the number of cases done and their total; None shows a bar in a terminal, False shows nothing.

    Returns
    -------
    Agreement
        With the name of the function in its `functions`.

    Raises
    ------
    RUnavailableError
        If R or rpy2 is missing.
    TypeError, ValueError
        If an option is invalid, or if the function does not take the data.

    Examples
    --------
    NumPy's means of systems tie other systems than R's:

    >>> def ties(X):
    ...     return np.unique(X.mean(axis=0)).size
    >>> X = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]])
    >>> result = check_own("length(unique(colMeans(X)))", ties, [X])  # doctest: +SKIP
    >>> result.agrees, result.disagreements[0].python, result.disagreements[0].r  # doctest: +SKIP
    (False, '[2.0]', '[1.0]')
    """
    if not callable(python):
        raise InvalidTypeError("python", must_be("a function", python))
    if not isinstance(r, str) or not r.strip():
        raise InvalidTypeError("r", must_be("R code", r))
    count, drawn_with, tolerance = CASES.checked(cases), CASES_SEED.checked(seed), TOLERANCE.checked(tolerance)
    names = parameters_of(python)
    drawn = isinstance(data, str)
    if drawn:
        listed = list(drawn_cases(one_of(data, "data", get_args(Drawn)), len(names), drawn_with, count))
    else:
        listed = list(map(own_case, data))
    function = getattr(python, "__name__", "python")
    agreement = started(OwnR(), [function], tolerance, drawn_with if drawn else None)  # type: ignore[arg-type]
    with watched(len(listed), progress) as tell:
        for k, given in enumerate(listed):
            if len(given) > len(names):
                raise InvalidValueError("data", f"has {len(given)} arguments, and {function} takes {len(names)}")
            call = OwnCall(IRCOR, function, r, given, {}, f"case {k + 1}", tolerance, 1.0)
            compare_call(agreement, "", replace(call, python=python, names=names[: len(given)]))
            tell(k + 1)
    return agreement


def parameters_of(python: Callable[..., object]) -> tuple[str, ...]:
    """The names of the parameters without a default, or of all if each has one."""
    kinds = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [one for one in inspect.signature(python).parameters.values() if one.kind in kinds]
    needed = [one.name for one in parameters if one.default is one.empty] or [one.name for one in parameters]
    if not needed or not all(map(IN_R.fullmatch, needed)):
        what = "must have parameters with names that R can have too: letters, digits and underscores"
        raise InvalidValueError("python", what, ", ".join(needed))
    return tuple(needed)


def drawn_cases(kind: str, arguments: int, seed: int, count: int) -> Iterator[tuple[Any, ...]]:
    """Random arguments: one vector or two, or one table or two."""
    if arguments > 2:
        what = f"takes {arguments} arguments, and random data are for one or two"
        raise InvalidValueError("python", what, "give data")
    for _, rng in generators(seed, range(count)):
        if kind == "rankings":
            case = random_case(rng)
            yield (case.x, case.y)[:arguments]
        else:
            X, _ = random_scores(rng)
            yield (X, np.round(X + 0.1 * rng.normal(size=X.shape), 3))[:arguments]


def own_case(case: Any) -> tuple[Any, ...]:
    """The arguments of a case: vectors and tables as arrays, anything else as it is."""
    return tuple(map(as_array, case)) if isinstance(case, tuple) else (as_array(case),)


def as_array(value: Any) -> Any:
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    values: Array = np.asarray(value.to_numpy() if hasattr(value, "to_numpy") else value)
    if values.dtype.kind not in "iuf":
        raise InvalidTypeError("data", f"must have numbers, texts, vectors or tables of numbers, not {values.dtype}")
    return values.astype(np.float64)
