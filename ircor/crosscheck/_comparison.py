"""Where Python differs from R on purpose.

This is the complete list; the table in docs/coming-from-r.md has the same differences.  Python differs only where R's
answer is an accident of its arithmetic.  What the accident looks like depends on R's version, so it does not count.
"""

from __future__ import annotations

import inspect
import platform
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from .._coefficients import tau, tau_a, tau_b, tauAP, tauAP_a, tauAP_b
from .._core.checks import MissingValueWarning
from .._core.methods import METHODS, PAIRS
from .._core.types import Array
from .._kernel import bits
from ._agreement import Agreement, Disagreement, Tally
from ._cases import LONG, Answer, Case
from ._oracles import Oracle

REFUSALS = (
    "'x' must be a numeric vector",
    "'y' must be a numeric vector",
    "'x' and 'y' must be of the same length",
    "'x' contains ties.",
    "'y' contains ties.",
)
"""The refusals of R's functions that are on purpose; any other error of theirs is an accident."""


@dataclass(frozen=True, eq=False)
class Difference:
    """A kind of case on which Python differs on purpose: what Python does, what R does, and an example."""

    reason: str
    in_r: str
    applies: Callable[[Case], bool]
    example: Case


def is_accident(r: Answer) -> bool:
    """Whether R neither returns a number nor refuses the case on purpose."""
    return bool(np.isnan(r.value)) and r.error not in REFUSALS


def two_infinities(values: Array) -> bool:
    """Whether two infinities have the same sign: R can sort them, but their difference is NaN."""
    return values.dtype.kind == "f" and any(np.count_nonzero(values == bound) > 1 for bound in (np.inf, -np.inf))


def overflow(values: Array) -> bool:
    """Whether R can sort these integers, but the difference of two of them is NA."""
    return values.dtype.kind in "iu" and len(values) > 0 and int(values.max()) - int(values.min()) >= 2**31


FEWER_THAN_TWO = Difference(
    "fewer than two items are refused",
    "an empty vector, -1, NaN or an error, by function",
    lambda case: len(case.x) < 2,
    Case(np.array([1.0]), np.array([1.0]), True, "one item"),
)
INFINITIES = Difference(
    "two infinities of one sign are a tie",
    "NaN or an error, by function and by R's version, since their difference is NaN",
    lambda case: two_infinities(case.x) or two_infinities(case.y),
    Case(np.array([1.0, 2, 3, 4]), np.array([1.0, np.inf, 2, np.inf]), True, "two infinities"),
)
OVERFLOW = Difference(
    "integers do not overflow",
    "NaN or an error, by function, since the difference of two large integers does not fit into 32 bits",
    lambda case: overflow(case.x) or overflow(case.y),
    Case(
        np.array([2_000_000_000, -2_000_000_000, 0], dtype=np.int32),
        np.array([3, 1, 2], dtype=np.int32),
        True,
        "large integers",
    ),
)

DIFFERENCES = (FEWER_THAN_TWO, INFINITIES, OVERFLOW)


def difference_of(case: Case) -> Difference | None:
    """The first difference that applies to the case, if any."""
    return next((difference for difference in DIFFERENCES if difference.applies(case)), None)


Function = Callable[..., float]

FUNCTIONS: dict[str, Function] = {f.__name__: f for f in (tau, tau_a, tau_b, tauAP, tauAP_a, tauAP_b)}
"""The six coefficients by name."""

# Cases in one call to R: enough to make the call cheap, few enough to show progress.
BATCH = 500

SECONDS_TO_SHRINK = 60.0
"""How long a disagreement is made smaller."""

CANDIDATES = 50
"""How many smaller arguments are tried before the time is looked at."""

VARIED = 20
"""How many cases of a batch are asked again in other containers and with other kernels."""

Arguments: TypeAlias = tuple[Any, ...]

ROUNDING = 2.0**-53
"""The relative error of one operation."""


def tolerance_of(name: str, case: Case, tolerance: float) -> float:
    """The largest difference of two values that agree, for rankings of this length.

    For AP correlation R adds a fraction for each of up to n^2 / 2 pairs to a sum that grows to n at most, and each
    addition is off by 2^-53 of the sum at most.  The i-th item adds up to i fractions to a sum up to i: i^2 2^-53, and
    n^3 / 3 2^-53 in all.  The coefficient has 2 / (n - 1) of that, and with ties at the top n^2 2^-53 at most.
    """
    sums = METHODS[name].sums != PAIRS
    return max(tolerance, ROUNDING * len(case.x) ** 2) if tolerance and sums else tolerance


def run(
    oracle: Oracle,
    cases: Iterable[Case],
    functions: Mapping[str, Function] = FUNCTIONS,
    *,
    tolerance: float = 1e-12,
    seed: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Agreement:
    """Compare the coefficients on every case, and shrink the first case of each on which the languages disagree.

    Parameters
    ----------
    oracle : Oracle
        From `find_oracle`.
    cases : iterable of Case
        From `random_cases` or `table_cases`; the record has its own, `Record.cases`.
    functions : mapping of str to callable
        The Python functions, by the names of the R functions.
    tolerance : float
        The largest absolute difference of two values that agree.
    seed : int, optional
        Reported in the result.
    progress : callable, optional
        Called with the number of cases done, after every few hundred.

    Returns
    -------
    Agreement

    Examples
    --------
    >>> from ircor.crosscheck import Record
    >>> record = Record()
    >>> run(record, record.cases).agrees
    True
    """
    agreement = started(oracle, functions, tolerance, seed)
    agreement.signatures = differing_signatures(oracle, functions)
    done = 0
    remaining = iter(cases)
    while batch := list(islice(remaining, BATCH)):
        compare_batch(agreement, oracle, functions, batch)
        done += len(batch)
        if progress:
            progress(done)
    return agreement


def started(oracle: Oracle, functions: Iterable[str], tolerance: float = 1e-12, seed: int | None = None) -> Agreement:
    """An outcome of nothing so far: who is compared with whom."""
    return Agreement(
        oracle.kind,
        oracle.version,
        oracle.r_version,
        oracle.rpy2_version,
        platform.python_version(),
        np.__version__,
        version("ircor"),
        tolerance,
        seed,
        functions={name: Tally(tolerance=tolerance) for name in functions},
        package=oracle.package,
    )


def compare_batch(
    agreement: Agreement, oracle: Oracle, functions: Mapping[str, Function], cases: Sequence[Case]
) -> None:
    """Compare the functions on the cases, with one or two questions to the oracle for each function."""
    for name, function in functions.items():
        tally = agreement.functions[name]
        pairs = answer_pairs(oracle, name, function, cases, agreement.tolerance)
        for k, (case, pair) in enumerate(zip(cases, pairs)):
            tally.cases += 1
            wrong = variants_that_differ(name, function, case) if k < VARIED or len(case.x) >= LONG else ""
            if wrong:
                agreement.disagree(name, partial(variant_example, oracle, name, case, wrong))
            elif pair.differs:
                agreement.disagree(name, partial(smallest, oracle, name, function, case, agreement.tolerance))
            elif pair.reason:
                agreement.allow(name, pair.reason)
            elif pair.r.error:
                tally.refusals += 1
            else:
                agreement.agree(name, abs(pair.python.value - pair.r.value), f"{case.name}, n = {len(case.x)}")


@dataclass
class AnswerPair:
    """The two answers to a case, the reason why they may differ, or "", and whether they differ without one."""

    python: Answer
    r: Answer
    reason: str = ""
    differs: bool = False


def answer_pairs(
    oracle: Oracle, name: str, function: Function, cases: Sequence[Case], tolerance: float
) -> list[AnswerPair]:
    """Compare one function on the cases.

    Where Python differs on purpose, R must give Python's answer for the ranks of the values.
    """
    pairs = [AnswerPair(ask_python(name, function, case), r) for case, r in zip(cases, oracle.answers(name, cases))]
    by_ranks = []
    for case, pair in zip(cases, pairs):
        if not agree(pair.python, pair.r, tolerance_of(name, case, tolerance)):
            pair.reason = allowed_difference(name, function, case, pair.python, pair.r)
            pair.differs = not pair.reason
            # The record has no answers to other cases.
            if pair.reason and pair.reason != FEWER_THAN_TWO.reason and oracle.kind != "record":
                by_ranks.append((pair, as_ranks(case)))
    if by_ranks:
        for (pair, _), r in zip(by_ranks, oracle.answers(name, [ranks for _, ranks in by_ranks])):
            pair.differs = not agree(pair.python, r, tolerance)
    return pairs


def variants_that_differ(name: str, function: Function, case: Case) -> str:
    """What is wrong with the answers in other containers and with other kernels, or with the warning; "" if nothing."""
    answer = ask_python(name, function, case)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ask_python(name, function, case, warn=True)
    missing = any(np.isnan(values).any() for values in (case.x, case.y))
    warned = any(issubclass(one.category, MissingValueWarning) for one in caught)
    if warned != (missing and METHODS[name].missing == "last" and not answer.error):
        return f"a MissingValueWarning is {'given' if warned else 'missing'}"
    for called, make in containers().items():
        other = Case(make(case.x), make(case.y), case.decreasing, case.name)
        if not same_answer(answer, ask_python(name, function, other)):
            return f"as {called}, the answer is another"
    before = bits.use_instructions(bits.instructions()[0])
    try:
        for instructions in bits.instructions():
            bits.use_instructions(instructions)
            if not same_answer(answer, ask_python(name, function, case)):
                return f"with the kernel for {instructions}, the answer is another"
    finally:
        bits.use_instructions(before)
    return ""


def same_answer(one: Answer, other: Answer) -> bool:
    """Whether two answers of Python are the same; another kernel may add in another order."""
    return one.error == other.error and agree(one, other, 1e-12)


@cache
def containers() -> dict[str, Callable[[Array], Any]]:
    """The containers of numbers that functions take, of the packages that are installed."""
    made: dict[str, Callable[[Array], Any]] = {"a list": lambda values: values.tolist()}
    made["a tuple"] = lambda values: tuple(values.tolist())
    made["every second value of an array"] = lambda values: np.repeat(values, 2)[::2]
    made["a masked array"] = lambda values: np.ma.MaskedArray(np.where(np.isnan(values), 0, values), np.isnan(values))
    for package in ("pandas", "polars"):
        with suppress(ImportError):
            made[f"a Series of {package}"] = import_module(package).Series
    return made


def variant_example(oracle: Oracle, name: str, case: Case, wrong: str) -> Disagreement:
    """A case on which the answers of Python differ among themselves."""
    calls = case.python_call(name), case.r_call(name, oracle.package)
    return Disagreement(name, case.name, wrong, str(oracle.answers(name, [case])[0]), *calls)


def ask_python(name: str, function: Function, case: Case, warn: bool = False) -> Answer:
    """The answer of a Python function to a case."""
    with warnings.catch_warnings():
        warnings.simplefilter("always" if warn else "ignore", MissingValueWarning)
        try:
            return Answer(float(function(case.x, case.y, **case.named(name))))
        except (TypeError, ValueError) as error:
            return Answer(error=str(error) or type(error).__name__)


def agree(python: Answer, r: Answer, tolerance: float) -> bool:
    """Whether the answers are the same value, nan included, or refusals of which Python's begins with R's words."""
    if python.error or r.error:
        return bool(python.error and r.error) and python.error.startswith(r.error)
    if np.isnan(python.value) or np.isnan(r.value):
        return bool(np.isnan(python.value) and np.isnan(r.value))
    return abs(python.value - r.value) <= tolerance and abs(python.value) <= 1


def allowed_difference(name: str, function: Function, case: Case, python: Answer, r: Answer) -> str:
    """The reason why Python differs from R on purpose, or "" if it must not differ.

    The answer that Python must give instead is checked too: a refusal, or the answer for the ranks of the values.
    """
    difference = difference_of(case)
    if difference is None:
        return ""
    if difference is FEWER_THAN_TWO:
        right = "two items or more" in python.error and (is_accident(r) or r.value == -1)
    else:
        right = is_accident(r) and agree(python, ask_python(name, function, as_ranks(case)), 0)
    return difference.reason if right else ""


def smallest(oracle: Oracle, name: str, function: Function, case: Case, tolerance: float) -> Disagreement:
    """The disagreement on this case, or on a smaller one if the oracle can answer other cases."""

    def disagree(candidates: list[Case]) -> list[bool]:
        return [pair.differs for pair in answer_pairs(oracle, name, function, candidates, tolerance)]

    if oracle.kind != "record" and len(case.x) == len(case.y):
        case = shrink(case, disagree)
    python, r = ask_python(name, function, case), oracle.answers(name, [case])[0]
    calls = case.python_call(name), case.r_call(name, oracle.package)
    return Disagreement(name, case.name, str(python), str(r), *calls)


def shrink(case: Case, disagree: Callable[[list[Case]], Iterable[bool]]) -> Case:
    """Remove items, and replace the values by ranks, as long as the languages still disagree."""

    def of(arguments: Arguments) -> Case:
        return Case(arguments[0], arguments[1], case.decreasing, case.name)

    smaller = shrunk((case.x, case.y), lambda some: disagree(list(map(of, some))), (0,), least=2)
    return case if smaller[0] is case.x else of(smaller)


def shrunk(
    arguments: Arguments,
    disagree: Callable[[list[Arguments]], Iterable[bool]],
    axes: Sequence[int],
    least: int = 1,
) -> Arguments:
    """The arguments without some of their rows and columns, and with simpler values, that still disagree.

    All arrays that are as long as the first one along an axis lose the same rows or columns.  After a minute the
    smallest arguments so far are returned.
    """
    end = time.monotonic() + SECONDS_TO_SHRINK

    def first_of(candidates: list[Arguments]) -> Arguments | None:
        # In parts, so that the time is looked at.
        for k in range(0, len(candidates), CANDIDATES):
            part = candidates[k : k + CANDIDATES]
            if time.monotonic() > end:
                return None
            for candidate, bad in zip(part, disagree(part)):
                if bad:
                    return candidate
        return None

    for axis in axes:
        step = arguments[0].shape[axis] // 2
        while step >= 1 and time.monotonic() <= end:
            n = arguments[0].shape[axis]
            starts = range(0, n, step) if n - step >= least else ()
            smaller = first_of([without(arguments, slice(k, k + step), axis) for k in starts])
            arguments = arguments if smaller is None else smaller
            step = step // 2 if smaller is None else min(step, arguments[0].shape[axis] // 2)
    return first_of([tuple(map(dense, arguments))]) or arguments


def without(arguments: Arguments, removed: slice, axis: int) -> Arguments:
    """The arguments without these rows or columns of the arrays that have as many as the first."""
    n = arguments[0].shape[axis]
    kept = np.ones(n, dtype=bool)
    kept[removed] = False
    return tuple(
        (one[kept] if axis == 0 else one[:, kept])
        if isinstance(one, np.ndarray) and one.ndim > axis and one.shape[axis] == n
        else one
        for one in arguments
    )


def dense(values: Any) -> Any:
    """The values 1, 2, 3 and so on in the same order, missing ones as they are; what is no array stays."""
    if not isinstance(values, np.ndarray) or not values.ndim:
        return values
    _, ranks = np.unique(values, return_inverse=True)
    return np.where(np.isnan(values), np.nan, ranks.reshape(values.shape) + 1.0)


def as_ranks(case: Case) -> Case:
    """The same rankings with the values 1, 2, 3 and so on."""
    return Case(dense(case.x), dense(case.y), case.decreasing, case.name)


def differing_signatures(oracle: Oracle, functions: Mapping[str, Function]) -> list[str]:
    """How the functions' arguments or their defaults differ between the languages, for those that differ."""
    return [text for name, f in functions.items() if (text := compare_signatures(oracle, name, f))]


def compare_signatures(oracle: Oracle, name: str, function: Function) -> str:
    """How the arguments or their defaults differ between the languages, or ""."""
    theirs = oracle.arguments(name)
    if theirs is None:
        return ""
    ours = {key: default_in_r(p.default) for key, p in inspect.signature(function).parameters.items()}
    return "" if list(ours.items()) == list(theirs.items()) else f"{name}: Python has {ours}, R has {theirs}"


def default_in_r(default: object) -> str:
    """The default of an argument as R writes it, or "" if there is none."""
    if default is inspect.Parameter.empty:
        return ""
    return str(default).upper() if isinstance(default, bool) else repr(default)
