"""Python against R: random tied rankings, the user's own data, or the record, and what both sides answer.

This is the one module that speaks to R, through rpy2.  It finds by itself what to compare with: the original R package
ircor where R has it, else `ircorref`, the same functions written in plain R from the papers' formulas, else the record
of what ircor 1.0 answered, which needs no R.
"""

from __future__ import annotations

import ast
import atexit
import inspect
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import groupby, islice, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from . import averages
from ._check import MissingValueWarning
from ._tau import tau, tau_a, tau_b
from ._tau_ap import tauAP, tauAP_a, tauAP_b
from .organization import Organization, bcubed, evaluate, robustness, strictness
from .rank_distance import drank
from .rbase import r_rank, r_round

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

Coefficient = Callable[..., float]
FUNCTIONS: dict[str, Coefficient] = {f.__name__: f for f in (tau, tau_a, tau_b, tauAP, tauAP_a, tauAP_b)}
ORACLES = ("auto", "original", "reference", "record")

# Cases that go to R in one call: enough to make the call cheap, few enough to show progress.
BATCH = 500


class RUnavailableError(RuntimeError):
    """R, rpy2 or the R package that was asked for is not there; the message says what to install."""


@dataclass(frozen=True, eq=False)
class Case:
    """Two rankings and the direction, as they go to both sides: doubles, or R's 32-bit integers."""

    x: Array
    y: Array
    decreasing: bool
    name: str

    def python_call(self, function: str) -> str:
        flag = f", decreasing={self.decreasing}" if takes_decreasing(function) else ""
        return f"ircor.{function}({python_numbers(self.x)}, {python_numbers(self.y)}{flag})"

    def r_call(self, function: str, package: str) -> str:
        flag = f", decreasing = {str(self.decreasing).upper()}" if takes_decreasing(function) else ""
        return f"{package}::{function}({r_numbers(self.x)}, {r_numbers(self.y)}{flag})"


def takes_decreasing(function: str) -> bool:
    return function.startswith("tauAP")


def python_numbers(values: Array) -> str:
    """The number or list as one types it in Python, for a person to read and paste."""
    return str(values.tolist()).replace("nan", 'float("nan")').replace("inf", 'float("inf")')


def r_numbers(values: Array) -> str:
    """The number or vector as one types it in R, for a person to read and paste."""
    suffix = "L" if values.dtype.kind == "i" else ""
    words = {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}
    typed = [words.get(text, text + suffix) for text in map(repr, np.ravel(values).tolist())]
    return f"c({', '.join(typed)})" if values.ndim else typed[0]


@dataclass(frozen=True)
class Answer:
    """A value, or the words of a refusal."""

    value: float = float("nan")
    error: str = ""

    def __str__(self) -> str:
        return f"refused: {self.error}" if self.error else repr(self.value)


class Oracle(Protocol):
    """Something that knows the right answers."""

    kind: str
    package: str
    version: str
    r_version: str
    note: str

    def answers(self, function: str, cases: Sequence[Case]) -> list[Answer]: ...

    def arguments(self, function: str) -> dict[str, str] | None: ...


@dataclass(frozen=True)
class Disagreement:
    """A case on which Python and R differ, made as small as it would go."""

    function: str
    case: str
    python: str
    r: str
    python_call: str
    r_call: str


@dataclass
class Tally:
    """What was compared for one function."""

    cases: int = 0
    refusals: int = 0
    allowed: int = 0
    largest_difference: float = 0.0
    where: str = ""
    disagreements: int = 0


@dataclass
class Report:
    """The outcome of a cross-check."""

    oracle: str
    oracle_version: str
    r_version: str
    python_version: str
    ircor_version: str
    tolerance: float
    seed: int | None = None
    functions: dict[str, Tally] = field(default_factory=dict)
    signatures: list[str] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)

    @property
    def agrees(self) -> bool:
        return not self.signatures and not any(tally.disagreements for tally in self.functions.values())

    def as_json(self) -> str:
        return json.dumps(asdict(self) | {"agrees": self.agrees}, indent=1, allow_nan=False)


# The comparison


def allowed_difference(name: str, function: Coefficient, case: Case, python: Answer, r: Answer) -> str:
    """Why the two sides may differ on this case, because R answers it by accident; "" if they may not.

    This is the only list of allowed differences, and the README's table has the same lines.  What Python must answer
    instead is part of it.
    """
    if len(case.x) < 2:
        return FEWER_THAN_TWO if "two items or more" in python.error else ""
    by_accident = np.isnan(r.value) and r.error in ("", "missing value where TRUE/FALSE needed")
    reason = next((why for values in (case.x, case.y) if (why := beyond_r(values))), "")
    if by_accident and reason and python == ask_python(name, function, as_ranks(case)):
        return reason
    return ""


FEWER_THAN_TWO = "fewer than two items are refused"


def beyond_r(values: Array) -> str:
    """What is in the vector that R can sort but not subtract, or ""."""
    if values.dtype.kind == "f":
        two = any(np.count_nonzero(values == infinity) > 1 for infinity in (np.inf, -np.inf))
        return "two infinities of one sign are a tie" if two else ""
    return "integers do not overflow" if int(values.max()) - int(values.min()) >= 2**31 else ""


def agree(python: Answer, r: Answer, tolerance: float) -> bool:
    """The same value, nan included, or a refusal whose message begins with R's words."""
    if python.error or r.error:
        return bool(python.error and r.error) and python.error.startswith(r.error)
    if np.isnan(python.value) or np.isnan(r.value):
        return bool(np.isnan(python.value) and np.isnan(r.value))
    return abs(python.value - r.value) <= tolerance and abs(python.value) <= 1


def ask_python(name: str, function: Coefficient, case: Case) -> Answer:
    arguments = {"decreasing": case.decreasing} if takes_decreasing(name) else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MissingValueWarning)
        try:
            return Answer(float(function(case.x, case.y, **arguments)))
        except (TypeError, ValueError) as error:
            return Answer(error=str(error))


def run(
    oracle: Oracle,
    cases: Iterable[Case],
    functions: Mapping[str, Coefficient] = FUNCTIONS,
    *,
    tolerance: float = 1e-12,
    seed: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Ask both sides every case, compare, and shrink what they disagree on.

    Parameters
    ----------
    oracle : Oracle
        From `find_oracle`.
    cases : iterable of Case
        From `random_cases`, `table_cases`, or the oracle's own, for the record.
    functions : mapping of name to function
        The Python side.
    tolerance : float
        The largest absolute difference of values that agree.
    seed : int, optional
        Noted in the report.
    progress : callable, optional
        Called with the number of cases done, now and then.

    Returns
    -------
    Report
    """
    from . import __version__

    report = Report(
        oracle.kind, oracle.version, oracle.r_version, platform.python_version(), __version__, tolerance, seed
    )
    report.functions = {name: Tally() for name in functions}
    report.signatures = [text for name, f in functions.items() if (text := compare_signatures(oracle, name, f))]
    done = 0
    remaining = iter(cases)
    while batch := list(islice(remaining, BATCH)):
        for name, function in functions.items():
            compare_batch(report, oracle, name, function, batch)
        done += len(batch)
        if progress:
            progress(done)
    return report


def compare_batch(report: Report, oracle: Oracle, name: str, function: Coefficient, cases: Sequence[Case]) -> None:
    tally = report.functions[name]
    for case, r in zip(cases, oracle.answers(name, cases)):
        python = ask_python(name, function, case)
        tally.cases += 1
        if not agree(python, r, report.tolerance):
            if allowed_difference(name, function, case, python, r):
                tally.allowed += 1
                continue
            tally.disagreements += 1
            # One small example a function says more than thousands.
            if tally.disagreements == 1:
                report.disagreements.append(smallest(oracle, name, function, case, report.tolerance))
        elif r.error:
            tally.refusals += 1
        elif abs(python.value - r.value) > tally.largest_difference:
            tally.largest_difference = abs(python.value - r.value)
            tally.where = f"{case.name}, n = {len(case.x)}"


def smallest(oracle: Oracle, name: str, function: Coefficient, case: Case, tolerance: float) -> Disagreement:
    def disagree(candidates: list[Case]) -> Iterator[bool]:
        for candidate, r in zip(candidates, oracle.answers(name, candidates)):
            python = ask_python(name, function, candidate)
            differ = not agree(python, r, tolerance)
            yield differ and not allowed_difference(name, function, candidate, python, r)

    if oracle.kind != "record" and len(case.x) == len(case.y):
        case = shrink(case, disagree)
    python, r = ask_python(name, function, case), oracle.answers(name, [case])[0]
    calls = case.python_call(name), case.r_call(name, oracle.package)
    return Disagreement(name, case.name, str(python), str(r), *calls)


def shrink(case: Case, disagree: Callable[[list[Case]], Iterable[bool]]) -> Case:
    """Leave out items, and make the values plainer, as long as the two sides go on disagreeing."""

    def first_of(candidates: list[Case]) -> Case | None:
        return next((candidate for candidate, bad in zip(candidates, disagree(candidates)) if bad), None)

    step = len(case.x) // 2
    while step >= 1:
        candidates = [keep(case, slice(k, k + step)) for k in range(0, len(case.x), step) if len(case.x) - step >= 2]
        smaller = first_of(candidates)
        case, step = (smaller, min(step, len(smaller.x) // 2)) if smaller else (case, step // 2)
    return first_of([as_ranks(case)]) or case


def keep(case: Case, left_out: slice) -> Case:
    kept = np.ones(len(case.x), dtype=bool)
    kept[left_out] = False
    return Case(case.x[kept], case.y[kept], case.decreasing, case.name)


def as_ranks(case: Case) -> Case:
    """The same rankings with the values 1, 2, 3 and so on."""
    ranks = []
    for values in (case.x, case.y):
        _, dense = np.unique(values, return_inverse=True)
        ranks.append(np.where(np.isnan(values), np.nan, dense + 1.0))
    return Case(ranks[0], ranks[1], case.decreasing, case.name)


def compare_signatures(oracle: Oracle, name: str, function: Coefficient) -> str:
    """How the arguments and defaults of the two sides differ, or ""."""
    theirs = oracle.arguments(name)
    if theirs is None:
        return ""
    ours = {key: default_in_r(p.default) for key, p in inspect.signature(function).parameters.items()}
    return "" if list(ours.items()) == list(theirs.items()) else f"{name}: Python has {ours}, R has {theirs}"


def default_in_r(default: object) -> str:
    if default is inspect.Parameter.empty:
        return ""
    return str(default).upper() if isinstance(default, bool) else repr(default)


def compare_base(report: Report, seed: int, count: int = 100_000) -> None:
    """Compare `r_round` and `r_rank` with R's own round and rank, bit for bit, and add them to the report."""
    rng = np.random.default_rng(seed)
    tally = report.functions["r_round"] = Tally()
    every_digits = range(-8, 17)
    for digits in every_digits:
        values = values_to_round(rng, digits, -(-count // len(every_digits)))
        ours, theirs = r_round(values, digits), r_round_of(values, digits)
        tally.cases += len(values)
        if (differ := unequal(ours, theirs)).any():
            k = int(np.argmax(differ))
            if not tally.disagreements:
                calls = (
                    f"ircor.rbase.r_round({python_numbers(values[k])}, {digits})",
                    f"round({r_numbers(values[k])}, {digits})",
                )
                found = Disagreement("r_round", "", repr(float(ours[k])), repr(float(theirs[k])), *calls)
                report.disagreements.append(found)
            tally.disagreements += int(differ.sum())
    tally = report.functions["r_rank"] = Tally()
    while tally.cases < count:
        ties_method = str(rng.choice(["average", "first", "last", "max", "min"]))
        na_last = [True, False, "keep", None][rng.integers(4)]

        def ranks_of(x: Array, how: tuple[Any, Any] = (ties_method, na_last)) -> tuple[Array, Array]:
            return r_rank(x, *how).astype(np.float64), r_rank_of(x, *how)

        def disagree(cases: list[Case], ranks_of: Any = ranks_of) -> Iterator[bool]:
            return (bool(unequal(*ranks_of(case.x)).any()) for case in cases)

        case = random_case(rng)
        tally.cases += len(case.x)
        if any(disagree([case])):
            if not tally.disagreements:
                case = shrink(case, disagree)
                ours, theirs = ranks_of(case.x)
                r_na_last = "NA" if na_last is None else '"keep"' if na_last == "keep" else str(na_last).upper()
                call = f"ircor.rbase.r_rank({python_numbers(case.x)}, {ties_method!r}, {na_last!r})"
                r_call = f'rank({r_numbers(case.x)}, na.last = {r_na_last}, ties.method = "{ties_method}")'
                report.disagreements.append(Disagreement("r_rank", case.name, str(ours), str(theirs), call, r_call))
            tally.disagreements += 1


def compare_drank(report: Report, oracle: RPackage, seed: int, count: int = 500, tolerance: float = 1e-8) -> None:
    """Compare `drank` with the reference's, which solves the primal with quadprog, where R has that.

    Values agree to the relative tolerance, or, next to 0, where quadprog stops short of it, to a thousandth of that.
    """
    if not r_version_of("quadprog"):
        return
    for k in range(count):
        rng = np.random.default_rng([seed, k])
        y, X, name = random_problem(rng)
        ridge = None if k % 2 else float(rng.choice([1e-5, 1e-3]))
        ours, theirs = drank(y, X, ridge=ridge), drank_of(oracle.package, y, X, ridge)
        columns = ", ".join(r_numbers(column) for column in X.T)
        r_ridge = "NULL" if ridge is None else repr(ridge)
        r_call = f"{oracle.package}::drank({r_numbers(y)}, cbind({columns}), ridge = {r_ridge})"
        call = f"ircor.rank_distance.drank({python_numbers(y)}, {python_numbers(X)}, ridge={ridge!r})"
        settle(report, Disagreement("drank", name, repr(ours), repr(theirs), call, r_call), ours, theirs, tolerance)


def compare_averages(report: Report, oracle: RPackage, seed: int, count: int = 500, tolerance: float = 1e-12) -> None:
    """Compare the functions of `ircor.averages` with the reference's, and add them to the report.

    R has no more digits for the probit of a value next to 1 than for the value, hence the tolerance for that.
    """
    rng = np.random.default_rng(seed)
    for k in range(count):
        values = rng.random(int(rng.integers(1, 200))) ** rng.choice([1, 3, 20])
        values[rng.random(len(values)) < rng.choice([0, 0.1])] = rng.choice([0, 1])
        eps, zeros = 10.0 ** -int(rng.integers(3, 8)), ("add", "floor", "trec_eval")[k % 3]
        n = int(rng.integers(1, 500))
        retrieved = int(rng.integers(0, n + 1))
        found = np.sort(rng.choice(retrieved, int(rng.integers(0, min(retrieved, 20) + 1)), replace=False)) + 1
        relevant = (
            max(1, len(found) + int(rng.integers(0, min(n - retrieved, 20) + 1))) if n > retrieved else len(found)
        )
        inverse, rest = bool(k % 2), ("last", "random")[k % 2]
        compare_one(report, oracle, "gmean", "gmean_ap", (values,), {"eps": eps, "zeros": zeros}, tolerance)
        compare_one(report, oracle, "mean_log", "mean_log", (values,), {"eps": eps, "zeros": zeros}, tolerance)
        transform = ("identity", "log", "logit", "probit", "rank")[k % 5]
        given = values, transform
        compare_one(
            report, oracle, "transformed_mean", "transformed_mean", given, {"inverse": inverse, "eps": eps}, 1e-9
        )
        compare_one(report, oracle, "mean_logit", "mean_logit", (values,), {"eps": eps, "inverse": inverse}, tolerance)
        if relevant:
            numbers = found, relevant, n
            compare_one(
                report, oracle, "ap_floor", "ap_floor", numbers, {"retrieved": retrieved, "rest": rest}, tolerance
            )


def compare_one(
    report: Report,
    oracle: RPackage,
    name: str,
    in_r: str,
    given: tuple[Any, ...],
    named: dict[str, Any],
    tolerance: float,
) -> None:
    """Compare one call of a function of `ircor.averages` with the same call in R, relative to the value or to 0.001.

    R's plain formulas lose the digits of what is smaller than that.
    """
    ours = getattr(averages, name)(*given, **named)
    arguments = [to_r_value(value) for value in given]
    theirs = float(call_r(oracle.package, in_r, arguments, {key: to_r_value(value) for key, value in named.items()}))
    typed = ", ".join([*(python_value(v) for v in given), *(f"{k}={python_value(v)}" for k, v in named.items())])
    in_r_typed = ", ".join([*(r_value(v) for v in given), *(f"{k} = {r_value(v)}" for k, v in named.items())])
    calls = f"ircor.averages.{name}({typed})", f"{oracle.package}::{in_r}({in_r_typed})"
    settle(report, Disagreement(name, "", repr(ours), repr(theirs), *calls), ours, theirs, tolerance)


def settle(
    report: Report, disagreement: Disagreement, ours: Any, theirs: Any, tolerance: float, unit: float = 1e-3
) -> None:
    """Enter one comparison of values: both are nan, or agree to the tolerance, relative to themselves or to `unit`."""
    tally = report.functions.setdefault(disagreement.function, Tally())
    tally.cases += 1
    difference = np.abs(np.subtract(ours, theirs)) / np.maximum(np.abs(theirs), unit)
    largest = float(np.max(np.where(np.isnan(ours) & np.isnan(theirs), 0, difference), initial=0))
    if not largest <= tolerance:
        tally.disagreements += 1
        # One example a function says more than hundreds.
        if tally.disagreements == 1:
            report.disagreements.append(disagreement)
    elif largest > tally.largest_difference:
        tally.largest_difference, tally.where = largest, disagreement.case


def compare_organization(
    report: Report, oracle: RPackage, seed: int, count: int = 300, tolerance: float = 1e-12
) -> None:
    """Compare `evaluate` and `bcubed` with the reference's double sums, and add them to the report."""
    for k in range(count):
        rng = np.random.default_rng([seed, k])
        system, gold = map(Organization, random_organizations(rng))
        options: dict[str, Any] = {"collection": "closed"}
        if k % 3:
            options = {"top": int(rng.integers(1, 40)), "weight": float(rng.uniform(0.05, 0.95))}
        theirs = organization_of(oracle.package, system, gold, options.get("top"), options.get("weight"))
        where = f"{len(system)} and {len(gold)} occurrences, {'open' if k % 3 else 'closed'}"
        for name, ours, part, named in (
            ("evaluate", np.ravel(evaluate(system, gold, **options)), theirs[:6], options),
            ("bcubed", np.ravel(bcubed(system, gold)), theirs[6:], {}),
        ):
            typed = [*map(python_organization, (system, gold)), *(f"{key}={value!r}" for key, value in named.items())]
            in_r = [*map(r_occurrences, (system, gold)), *(f"{key} = {r_value(v)}" for key, v in named.items())]
            calls = (
                f"ircor.organization.{name}({', '.join(typed)})",
                f"{oracle.package}::{'rs' if name == 'evaluate' else name}({', '.join(in_r)})",
            )
            found = Disagreement(name, where, str(ours.tolist()), str(part.tolist()), *calls)
            settle(report, found, ours, part, tolerance, unit=1)


def compare_measures(report: Report, oracle: RPackage, seed: int, count: int = 30, tolerance: float = 1e-12) -> None:
    """Compare `strictness` and `robustness` with the reference's, and add them to the report."""
    for k in range(count):
        rng = np.random.default_rng([seed, k])
        scores = np.round(rng.random(rng.integers(2, 12, 3)), int(rng.integers(1, 4)))
        # Or all might tie, and have no correlation.
        scores[0], scores[-1] = -1, 2
        theirs = np.split(measures_of(oracle.package, scores), 2)
        shape = ", ".join(map(str, scores.shape))
        for name, ours, part in zip(("strictness", "robustness"), (strictness(scores), robustness(scores)), theirs):
            calls = (
                f"ircor.organization.{name}({scores.tolist()})",
                f"{oracle.package}::{name}(array({r_numbers(scores.ravel(order='F'))}, c({shape})))",
            )
            found = Disagreement(name, shape, str(ours.tolist()), str(part.tolist()), *calls)
            settle(report, found, ours, part, tolerance, unit=1)


def random_organizations(rng: np.random.Generator) -> tuple[list[Any], list[Any]]:
    """Levels of clusters for a system and a gold standard: overlapping or not, alike or not, empty now and then."""
    documents = [f"d{k}" for k in range(int(rng.integers(1, 25)))]

    def overlapping() -> list[Any]:
        return [
            [
                rng.choice(documents, int(rng.integers(0, min(6, len(documents)) + 1)), replace=False).tolist()
                for _ in range(rng.integers(0, 4))
            ]
            for _ in range(rng.integers(0, 5))
        ]

    def once() -> list[Any]:
        listed = [document for document in documents if rng.random() < 0.8]
        places = [(int(rng.integers(4)), int(rng.integers(3))) for _ in listed]
        return [
            [[d for d, place in zip(listed, places) if place == (level, cluster)] for cluster in range(3)]
            for level in range(4)
        ]

    system, gold = (overlapping() if rng.random() < 0.6 else once() for _ in range(2))
    if rng.random() < 0.2:
        system = gold[::-1] if rng.random() < 0.5 else gold[1:]
    return system, gold


def python_organization(organization: Organization) -> str:
    return f"ircor.organization.Organization({organization.levels})"


def r_occurrences(organization: Organization) -> str:
    if not len(organization):
        return "data.frame(doc = character(0), level = numeric(0), cluster = numeric(0))"
    documents = ", ".join(f'"{document}"' for document in organization.documents)
    level, cluster = (r_numbers(values.astype(np.float64)) for values in (organization.level, organization.cluster))
    return f"data.frame(doc = c({documents}), level = {level}, cluster = {cluster})"


def python_value(value: Any) -> str:
    return python_numbers(value) if isinstance(value, np.ndarray) else repr(value)


def r_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    return f'"{value}"' if isinstance(value, str) else r_numbers(np.asarray(value, dtype=np.float64))


def random_problem(rng: np.random.Generator) -> tuple[Array, Array, str]:
    """A ranking of systems and their scores: fewer or more systems than topics, alike, the same, constantly apart."""
    n, m = int(rng.integers(3, 60)), int(rng.integers(2, 40))
    kind = str(rng.choice(["apart", "alike", "the same twice", "constantly apart", "two systems", "ties in y"]))
    m = 2 if kind == "two systems" else m
    topics = rng.random((n, 1))
    spread = 1e-3 if kind == "alike" else 0.2
    X = topics * rng.uniform(0.5, 1, m if kind != "alike" else 1) + spread * rng.normal(size=(n, m))
    if kind == "the same twice":
        X[:, m - 1] = X[:, 0]
    if kind == "constantly apart":
        X[:, m - 1] = X[:, 0] + 0.25
    y = X.mean(axis=0) + rng.choice([0.1, 1, 10]) * X.std() * rng.normal(size=m) / np.sqrt(n)
    if kind == "ties in y":
        y = np.round(y, 2)
    return y, X, f"{kind}, {n} topics, {m} systems"


def unequal(ours: Array, theirs: Array) -> npt.NDArray[np.bool_]:
    """Where the two sides differ in any bit but a NaN's."""
    return np.asarray((ours.view(np.int64) != theirs.view(np.int64)) & ~(np.isnan(ours) & np.isnan(theirs)))


def values_to_round(rng: np.random.Generator, digits: int, count: int) -> Array:
    """Mostly half-way cases: the nearest double to a decimal that ends in 5, and its neighbours; a few not finite."""
    whole = rng.integers(-(10 ** rng.integers(1, 9, count)), 10 ** rng.integers(1, 9, count))
    half_way = np.array([float(f"{k}5e{-digits - 1}") for k in whole.tolist()])
    kind = rng.random(count)
    values = np.where(kind < 0.6, half_way, np.nextafter(half_way, rng.choice([-np.inf, np.inf], count)))
    values = np.where(kind > 0.8, rng.normal(size=count) * 10.0 ** rng.integers(-12, 20, count), values)
    return put(values, rng.integers(0, count, 5), [np.inf, -np.inf, np.nan, 0.0, -0.0])


# The cases


def random_cases(count: int, seed: int) -> Iterator[Case]:
    """Rankings worth comparing: every kind of ties, order, size of numbers and of trouble, in both directions.

    The k-th case depends on the seed and k alone.
    """
    for k in range(count):
        yield random_case(np.random.default_rng([seed, k]))


def random_case(rng: np.random.Generator) -> Case:
    n = int(rng.choice([rng.integers(2, 12), rng.integers(2, 60), rng.integers(60, 400)], p=[0.45, 0.5, 0.05]))
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
    # What refuses ties is best tested on rankings that have none, and what allows them on all sorts.
    untied = rng.random() < 0.4
    x_kind = rng.choice(UNTIED if untied or rng.random() < 0.3 else list(KINDS))
    y_kind = rng.choice(UNTIED if untied else list(KINDS))
    x, y = KINDS[x_kind](truth, rng), KINDS[y_kind](estimate, rng)
    return Case(x, y, bool(rng.random() < 0.5), f"x {x_kind}, y {y_kind}, {relation}")


def with_a_few_swaps(values: Array, rng: np.random.Generator) -> Array:
    ordered = np.sort(values)
    for k in rng.integers(0, len(values) - 1, 1 + len(values) // 10):
        ordered[[k, k + 1]] = ordered[[k + 1, k]]
    return ordered[np.argsort(np.argsort(values))]


def ranks(values: Array) -> Array:
    return np.argsort(np.argsort(values)) + 1


def groups(values: Array, count: int) -> Array:
    return np.floor(ranks(values) * count / (len(values) + 1))


def chosen(values: Array, rng: np.random.Generator, most: int) -> Array:
    """A few positions."""
    return rng.choice(len(values), int(rng.integers(1, min(most, len(values)) + 1)), replace=False)


def put(values: Array, where: Any, what: Any) -> Array:
    changed = values.astype(np.float64)
    changed[where] = what
    return changed


def nearly_equal(values: Array, rng: np.random.Generator) -> Array:
    """Some values next to others: a bit apart, or in one of the last digits that R prints or does not print."""
    base = values * rng.choice([1e-7, 1.0, 1e5, 1e15, 1e17])
    where = chosen(values, rng, 4)
    apart = rng.choice([2.0**-52, 1e-15, 4e-15, 1e-14, 3e-14])
    return put(base, where, base[rng.integers(0, len(values), len(where))] * (1 + apart))


def large_integers(values: Array, rng: np.random.Generator) -> Array:
    """Half of them so far apart that their differences overflow in R."""
    step = int(rng.choice([2**31, 2**32 - 4])) // len(values)
    return ((ranks(values) - (len(values) + 1) / 2) * step).astype(np.int32)


KINDS: dict[str, Callable[[Array, np.random.Generator], Array]] = {
    "untied": lambda v, rng: v,
    "ranks": lambda v, rng: ranks(v).astype(np.float64),
    "integer ranks": lambda v, rng: ranks(v).astype(np.int32),
    "tiny": lambda v, rng: v * 10.0 ** rng.integers(-321, -290),
    "huge": lambda v, rng: v * 10.0 ** rng.integers(290, 308),
    "large whole numbers": lambda v, rng: 1e15 + ranks(v),
    "large integers": large_integers,
    "rounded": lambda v, rng: np.round(v, int(rng.integers(0, 3))),
    "few ties": lambda v, rng: groups(v, max(1, len(v) - int(rng.integers(1, 4)))),
    "many ties": lambda v, rng: groups(v, int(rng.integers(2, 6))),
    "integers with ties": lambda v, rng: groups(v, int(rng.integers(2, 9))).astype(np.int32),
    "ties at the top": lambda v, rng: np.minimum(v, np.quantile(v, rng.uniform(0.2, 0.9))),
    "ties at the bottom": lambda v, rng: np.maximum(v, np.quantile(v, rng.uniform(0.1, 0.8))),
    "all but one tied": lambda v, rng: put(np.zeros(len(v)), rng.integers(len(v)), rng.choice([-1.0, 1.0])),
    "all tied": lambda v, rng: np.full(len(v), 0.5),
    "nearly equal": nearly_equal,
    "signed zeros": lambda v, rng: put(v, chosen(v, rng, 4), rng.choice([0.0, -0.0])),
    "missing": lambda v, rng: put(v, chosen(v, rng, 3), np.nan),
    "missing and tied": lambda v, rng: put(groups(v, 4), chosen(v, rng, 3), np.nan),
    "infinite": lambda v, rng: put(v, chosen(v, rng, 1), rng.choice([-np.inf, np.inf])),
    "infinities": lambda v, rng: put(put(v, chosen(v, rng, 3), np.inf), chosen(v, rng, 2), -np.inf),
}
UNTIED = ["untied", "ranks", "integer ranks", "tiny", "huge", "large whole numbers", "large integers"]


def table_cases(table: Mapping[str, Array]) -> list[Case]:
    """Every pair of different columns, in both orders and both directions."""
    return [
        Case(table[x], table[y], decreasing, f"x {x}, y {y}")
        for x, y in permutations(table, 2)
        for decreasing in (True, False)
    ]


def read_columns(path: str | os.PathLike[str]) -> dict[str, Array]:
    """The numeric columns of a CSV or TSV file, as R would read them: whole numbers as integers where they fit."""
    import pandas as pd

    try:
        with open(path, encoding="utf-8") as file:
            separator = "\t" if "\t" in file.readline() else ","
        frame = pd.read_csv(path, sep=separator)
    except ValueError as error:  # not text, or not a table
        raise ValueError(f"{path}: {' '.join(str(error).split())}") from None
    columns = {}
    for name in frame.columns:
        values = frame[name].to_numpy()
        if values.dtype.kind in "iu" and np.abs(values.astype(np.float64)).max(initial=0) < 2**31:
            columns[str(name)] = values.astype(np.int32)
        elif values.dtype.kind in "iuf":
            columns[str(name)] = values.astype(np.float64)
    if len(columns) < 2:
        raise ValueError(f"{path}: fewer than two columns of numbers")
    return columns


# The oracles


def find_oracle(kind: str = "auto") -> Oracle:
    """What to compare with: "original", "reference", "record", or "auto", the first of these that is there.

    Raises
    ------
    RUnavailableError
        If what was asked for is not there; "auto" takes the record instead.
    """
    if kind not in ORACLES:
        raise ValueError(f"the oracle must be one of {', '.join(ORACLES)}, not {kind!r}")
    if kind == "record":
        return Record()
    try:
        if kind in ("auto", "original") and r_version_of("ircor"):
            return RPackage("original", "ircor")
        if kind == "original":
            raise RUnavailableError("R has no package ircor; in R, install.packages('ircor') brings it")
        return RPackage("reference", reference_package())
    except RUnavailableError as error:
        if kind != "auto":
            raise
        return Record(f"{error}; so compared with the record only")


class RPackage:
    """The functions of an R package, through rpy2."""

    def __init__(self, kind: str, package: str) -> None:
        self.kind = kind
        self.package = package
        self.version = r_version_of(package)
        self.r_version = probe()
        self.note = ""

    def answers(self, function: str, cases: Sequence[Case]) -> list[Answer]:
        """The cases in as few calls as their types allow: a vector in R is of doubles or of integers."""
        found: dict[int, Answer] = {}
        by_type = sorted(enumerate(cases), key=lambda numbered: type_key(numbered[1]))
        for _, members in groupby(by_type, key=lambda numbered: type_key(numbered[1])):
            numbers, same_type = zip(*members)
            found |= dict(zip(numbers, self.ask(function, same_type)))
        return [found[k] for k in range(len(cases))]

    def ask(self, function: str, cases: Sequence[Case]) -> list[Answer]:
        from rpy2.rinterface import BoolSexpVector, IntSexpVector, StrSexpVector

        values, errors = ask_r(
            "answer_cases",
            StrSexpVector([self.package]),
            StrSexpVector([function]),
            to_r(np.concatenate([case.x for case in cases])),
            to_r(np.concatenate([case.y for case in cases])),
            IntSexpVector([len(case.x) for case in cases]),
            IntSexpVector([len(case.y) for case in cases]),
            BoolSexpVector([case.decreasing for case in cases]),
        )
        return [Answer(float("nan"), error) if error else Answer(value) for value, error in zip(from_r(values), errors)]

    def arguments(self, function: str) -> dict[str, str] | None:
        from rpy2.rinterface import StrSexpVector

        defaults = ask_r("arguments_of", StrSexpVector([self.package]), StrSexpVector([function]))
        return dict(zip(defaults.names, defaults))


def type_key(case: Case) -> tuple[str, str]:
    return case.x.dtype.kind, case.y.dtype.kind


class Record:
    """What ircor 1.0 answered under R 4.2.2, which travels with the package: it knows its own cases and no others."""

    kind = "record"
    package = "ircor"
    version = "1.0"
    r_version = "R version 4.2.2, when the record was made"

    def __init__(self, note: str = "") -> None:
        self.note = note
        self.cases: list[Case] = []
        self.known: dict[tuple[Case, str], Answer] = {}
        for line in record_lines("random.jsonl"):
            x, y = (np.array(line[v], dtype=np.float64) for v in "xy")
            self.add(Case(x, y, line["decreasing"], f"record {line['id']}"), line["answers"])
        calls: dict[tuple[str, bool], dict[str, Any]] = {}
        for line in record_lines("edges.jsonl"):
            call = re.fullmatch(r"(\w+)\((.*?)(?:, decreasing = (TRUE|FALSE))?\)", line["call"])
            assert call
            name, vectors, decreasing = call.groups()
            for flag in ("TRUE", "FALSE") if decreasing is None else (decreasing,):
                calls.setdefault((vectors, flag == "TRUE"), {"case": line["case"]})[name] = line
        for (vectors, flag), answers in calls.items():
            kind = answers.pop("case")
            if numbers := numbers_from_r(vectors):
                self.add(Case(*numbers, flag, f"record {kind}"), answers)

    def add(self, case: Case, answers: Mapping[str, Mapping[str, Any]]) -> None:
        self.cases.append(case)
        for name, answer in answers.items():
            self.known[case, name] = recorded_answer(answer)

    def answers(self, function: str, cases: Sequence[Case]) -> list[Answer]:
        return [self.known[case, function] for case in cases]

    def arguments(self, function: str) -> dict[str, str] | None:
        return None


def recorded_answer(answer: Mapping[str, Any]) -> Answer:
    if "error" in answer:
        return Answer(error=answer["error"])
    value = answer.get("value", "NA")  # which an empty answer does not have
    return Answer(float("nan") if value in ("NA", "NaN") else float(value))


def numbers_from_r(text: str) -> tuple[Array, Array] | None:
    """The two vectors in a recorded call, if they are of nothing but numbers; nothing in the text is ever run."""
    text = re.sub(r"\.Machine\$double\.eps", "2^-52", text)
    text = re.sub(r"(\d+):(\d+)", r"range(\1, \2)", text)
    text = re.sub(r"\b(\d+)L\b", r"int(\1)", text).replace("^", "**")
    try:
        pair = ast.parse(text, mode="eval").body
        vectors = [np.atleast_1d(value_of(vector)) for vector in pair.elts] if isinstance(pair, ast.Tuple) else []
    except (KeyError, SyntaxError, ValueError):
        return None
    return (vectors[0], vectors[1]) if len(vectors) == 2 else None


R_NAMES = {"NA": np.nan, "NaN": np.nan, "Inf": np.inf}
R_OPERATORS = {ast.Add: np.add, ast.Sub: np.subtract, ast.Pow: np.power, ast.USub: np.negative}


def value_of(node: ast.expr) -> Any:
    """A number or a vector of them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return np.float64(node.value)
    if isinstance(node, ast.Name):
        return np.float64(R_NAMES[node.id])
    if isinstance(node, ast.UnaryOp):
        return R_OPERATORS[type(node.op)](value_of(node.operand))
    if isinstance(node, ast.BinOp):
        return R_OPERATORS[type(node.op)](value_of(node.left), value_of(node.right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        values = [value_of(argument) for argument in [*node.args, *(keyword.value for keyword in node.keywords)]]
        if node.func.id == "int":
            return np.int32(values[0])
        if node.func.id == "range":
            return np.arange(values[0], values[1] + 1, dtype=np.int32)
        if node.func.id == "numeric":
            return np.zeros(int(values[0]))
        if node.func.id == "c":
            return np.array(values)
    raise ValueError(f"no number: {ast.dump(node)}")


def record_lines(name: str) -> list[dict[str, Any]]:
    """The lines of a file of the record."""
    with open(shipped("record", "tests/data") / name, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def shipped(name: str, in_checkout: str) -> Path:
    """A folder that travels with the package, or stands elsewhere in a checkout."""
    package = Path(__file__).parent
    for folder in (package / name, package.parent / in_checkout):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the installation of ircor is not whole: it has no folder {name}")


# R


def to_r(values: Array) -> Any:
    """A vector of R, byte for byte."""
    from rpy2.rinterface import FloatSexpVector, IntSexpVector

    kind = IntSexpVector if values.dtype.kind == "i" else FloatSexpVector
    return kind.from_memoryview(np.ascontiguousarray(values).data) if len(values) else kind([])


def from_r(values: Any) -> list[float]:
    # One by one: the memoryview of a vector of rpy2 3.5.17 gives back a None that it never took, until there is none.
    return [float(value) for value in values]


@cache
def r() -> Any:
    """The functions of crosscheck.R, in an environment of their own, with R started if it was not."""
    probe()
    import rpy2.rinterface as rinterface

    with silence():
        rinterface.initr_simple()
        source = Path(__file__).with_name("crosscheck.R").read_text(encoding="utf-8")
        own = rinterface.baseenv["new.env"]()
        rinterface.baseenv["eval"](rinterface.baseenv["parse"](text=rinterface.StrSexpVector([source])), own)
    return own


def ask_r(function: str, *arguments: Any) -> Any:
    """Call a function of crosscheck.R; what R prints on its own account has no place in the output of this package."""
    call = r()[function]
    with silence():
        return call(*arguments)


@contextmanager
def silence() -> Iterator[None]:
    """Send to nowhere what R prints, start-up files included, which write past its callbacks."""
    from rpy2.rinterface_lib import callbacks

    printers = callbacks.consolewrite_print, callbacks.consolewrite_warnerror
    callbacks.consolewrite_print = callbacks.consolewrite_warnerror = lambda text: None
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(1), os.dup(2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        for descriptor, saved in enumerate(kept, 1):
            os.dup2(saved, descriptor)
            os.close(saved)
        os.close(nowhere)
        callbacks.consolewrite_print, callbacks.consolewrite_warnerror = printers


PROBE = "import rpy2.rinterface as r; r.initr_simple(); print(); print(r.baseenv['R.version.string'][0])"


@cache
def probe() -> str:
    """Start R once in a process of its own: what may fail there with a crash fails here with a sentence."""
    if shutil.which("R") is None and "R_HOME" not in os.environ:
        raise RUnavailableError("R is not installed, or not on the PATH (on Debian and Ubuntu: apt install r-base)")
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout.splitlines()[-1]
    said = (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1]
    if "No module named 'rpy2" in said:
        raise RUnavailableError("rpy2 is not installed: pip install 'ircor[r]'")
    if "R_getVar" in said or "undefined symbol" in said:
        raise RUnavailableError(f"this rpy2 is too new for this R: pip install 'rpy2==3.5.17' ({said})")
    raise RUnavailableError(f"rpy2 cannot start R: {said}")


def r_version_of(package: str) -> str:
    """The version of an R package, or "" where R does not have it."""
    r()
    from rpy2.rinterface import StrSexpVector

    return str(ask_r("version_of", StrSexpVector([package]))[0])


def reference_package() -> str:
    """The name of the reference package, in a library of this process's own unless R has this very version of it."""
    name = "ircorref"
    source = shipped("r_reference", "r_reference")
    (version,) = re.findall(r"^Version: (.+)$", (source / "DESCRIPTION").read_text(encoding="utf-8"), re.MULTILINE)
    if r_version_of(name) == version:
        return name
    library = tempfile.mkdtemp(prefix="ircor-")
    atexit.register(shutil.rmtree, library, ignore_errors=True)
    command = [r_program(), "CMD", "INSTALL", "--no-test-load", f"--library={library}", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise RUnavailableError(f"R cannot install the reference package: {said}")
    import rpy2.rinterface as rinterface

    paths = rinterface.baseenv[".libPaths"]
    paths(rinterface.StrSexpVector([library, *paths()]))
    return name


def r_program() -> str:
    return shutil.which("R") or os.path.join(os.environ["R_HOME"], "bin", "R")


def r_round_of(values: Array, digits: int) -> Array:
    """R's own round(values, digits)."""
    import rpy2.rinterface as rinterface

    return np.array(from_r(rinterface.baseenv["round"](to_r(values), rinterface.IntSexpVector([digits]))))


def r_rank_of(values: Array, ties_method: str, na_last: bool | str | None) -> Array:
    """R's own rank(values, na.last = na_last, ties.method = ties_method)."""
    import rpy2.rinterface as rinterface

    if isinstance(na_last, str):
        last = rinterface.StrSexpVector([na_last])
    else:
        last = rinterface.BoolSexpVector([rinterface.NA_Logical if na_last is None else na_last])
    return np.array(from_r(ask_r("rank_with", to_r(values), rinterface.StrSexpVector([ties_method]), last)))


def to_r_value(value: Any) -> Any:
    import rpy2.rinterface as rinterface

    if isinstance(value, bool):
        return rinterface.BoolSexpVector([value])
    if isinstance(value, str):
        return rinterface.StrSexpVector([value])
    return to_r(np.atleast_1d(np.asarray(value, dtype=np.float64)))


def call_r(package: str, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> float:
    """A function of an R package, with arguments that are vectors of R already."""
    import rpy2.rinterface as rinterface

    function = ask_r("function_of", rinterface.StrSexpVector([package]), rinterface.StrSexpVector([name]))
    with silence():
        return float(function(*given, **named)[0])


def drank_of(package: str, y: Array, X: Array, ridge: float | None) -> float:
    """The drank() of an R package."""
    import rpy2.rinterface as rinterface

    scores = to_r(X.ravel(order="F"))
    shape = rinterface.IntSexpVector(X.shape)
    return float(
        ask_r(
            "drank_of",
            rinterface.StrSexpVector([package]),
            to_r(y),
            scores,
            shape,
            to_r(np.array([] if ridge is None else [ridge])),
        )[0]
    )


def organization_of(
    package: str, system: Organization, gold: Organization, top: int | None, weight: float | None
) -> Array:
    """The rs() and the bcubed() of an R package, nine numbers."""
    import rpy2.rinterface as rinterface

    vectors = []
    for side in (system, gold):
        vectors.append(rinterface.StrSexpVector([str(document) for document in side.documents]))
        vectors += [to_r(values.astype(np.int32)) for values in (side.level, side.cluster)]
    options = [to_r(np.array([] if value is None else [value], dtype=np.float64)) for value in (top, weight)]
    return np.array(from_r(ask_r("organization_of", rinterface.StrSexpVector([package]), *vectors, *options)))


def measures_of(package: str, scores: Array) -> Array:
    """The strictness() and the robustness() of an R package."""
    import rpy2.rinterface as rinterface

    shape = rinterface.IntSexpVector(scores.shape)
    return np.array(
        from_r(ask_r("measures_of", rinterface.StrSexpVector([package]), to_r(scores.ravel(order="F")), shape))
    )


def r_as_character(values: Array) -> list[str]:
    """R's own as.character(values)."""
    import rpy2.rinterface as rinterface

    r()
    return list(rinterface.baseenv["as.character"](to_r(values)))
