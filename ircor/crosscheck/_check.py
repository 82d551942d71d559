"""The whole cross-check in one function: what the command `ircor crosscheck` does."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from datetime import date
from functools import partial
from inspect import isfunction
from typing import TYPE_CHECKING, Any

from .. import averages, comparison, organization, overlap, rank_distance, rbase, reliability, tables, trec
from .._core.errors import Argument, InvalidValueError, Part
from .._core.options import CASES, CASES_SEED, ORACLE, PROCESSES, TOLERANCE, one_of, takes
from .._core.types import Vector
from .._core.work import Progress, check_jobs, in_parallel, watched
from ._agreement import Agreement, Agreements, AnsweredCall
from ._beyond import SUBJECTS, compare_recorded, run_beyond
from ._cases import Case, RandomCases, table_cases
from ._comparison import (
    BATCH,
    DIFFERENCES,
    FUNCTIONS,
    Function,
    ask_python,
    compare_batch,
    differing_signatures,
    started,
)
from ._oracles import ORACLES, Oracle, Record, RPackage, RUnavailableError, find_oracle

if TYPE_CHECKING:
    import pandas


@takes(ORACLE, CASES, CASES_SEED, TOLERANCE, PROCESSES)
def check(
    oracle: str = "auto",
    *,
    cases: int = 10_000,
    seed: int = 2017,
    functions: Iterable[str] | None = None,
    tolerance: float = 1e-12,
    data: str | os.PathLike[str] | Mapping[str, Vector] | pandas.DataFrame | None = None,
    n_jobs: int = 1,
    progress: Progress = None,
) -> Agreement:
    """Compare Python with R: values, refusals word for word, and signatures.

    Parameters
    ----------
    oracle : {"auto", "original", "reference", "record"}
        What to compare with: `find_oracle`.
    cases : int
        The number of random cases.  The record has its own cases.
    seed : int
        The seed of the random cases, 0 or more.
    functions : iterable of str, optional
        Compare these coefficients only.  By default all six are compared, and, on random cases, the functions of
        `ircor.rbase`, `ircor.rank_distance`, `ircor.averages`, `ircor.organization` and `ircor.overlap` too.
    tolerance : float
        The largest absolute difference of two values of a coefficient that agree.  The other functions have tolerances
        of their own, relative to the value.
    data : path, mapping of str to vector, or pandas.DataFrame, optional
        Compare on all pairs of columns of this table instead of random cases.  A file is read by
        `ircor.trec.read_columns`.
    n_jobs : int
        The number of processes, each with an R of its own, -1 for all processors.  More than one needs joblib.  The
        result does not depend on it.
    progress : callable, bool or None
        Called with the number of cases done and their total; None shows a bar in a terminal, False shows nothing.

    Returns
    -------
    Agreement

    Raises
    ------
    RUnavailableError
        If the oracle is not available, or if there is no R to compare `data` with.
    ValueError
        If an option is invalid, or if `data` has fewer than two columns of numbers.

    Examples
    --------
    >>> agreement = check("record")
    >>> agreement.agrees, agreement.functions["tau_b"].cases
    (True, 688)
    """
    names = [functions] if isinstance(functions, str) else list(FUNCTIONS if functions is None else functions)
    if not names:
        raise InvalidValueError("functions", "is empty", "nothing to compare")
    compared = {one_of(name, "functions", FUNCTIONS): FUNCTIONS[name] for name in names}
    cases, drawn_with, tolerance = CASES.checked(cases), CASES_SEED.checked(seed), TOLERANCE.checked(tolerance)
    check_jobs(n_jobs)
    pairs = None if data is None else pairs_of_columns(data)

    source = find_oracle(oracle)
    drawn = isinstance(source, RPackage) and pairs is None
    if isinstance(source, Record) and pairs is not None:
        reason = f": {source.note}" if source.note else ""
        raise RUnavailableError(f"--data needs R, the record knows nothing of your data{reason}")

    agreement = started(source, compared, tolerance, drawn_with if drawn else None)
    agreement.signatures = differing_signatures(source, compared)
    if source.note:
        agreement.notes.append(source.note)
    listed = source.cases if isinstance(source, Record) else pairs
    total = cases if listed is None else len(listed)
    parts: list[Iterable[Case]] = [
        RandomCases(drawn_with, k, min(k + BATCH, total)) if listed is None else listed[k : k + BATCH]
        for k in range(0, total, BATCH)
    ]
    compare = partial(compare_part, source, compared, tolerance)
    start = time.perf_counter()
    with watched(total, progress) as tell:
        # R cannot run in several threads, but in several processes.
        jobs = n_jobs if isinstance(source, RPackage) else 1
        for part in in_parallel(compare, parts, jobs, lambda done, _: tell(min(done * BATCH, total)), backend="loky"):
            agreement.add(part)
    agreement.seconds = time.perf_counter() - start
    if isinstance(source, RPackage) and drawn and functions is None:
        run_beyond(agreement, source, drawn_with, n_jobs)
    else:
        if isinstance(source, Record) and functions is None:
            compare_recorded(agreement)
        agreement.note_gaps(gaps_of(agreement, source, drawn))
    return agreement


def compare_part(
    oracle: Oracle, functions: Mapping[str, Function], tolerance: float, cases: Iterable[Case]
) -> Agreement:
    """The comparison of some of the cases, in the R of this process."""
    if isinstance(oracle, RPackage):
        oracle.attach()
    part = started(oracle, functions, tolerance)
    compare_batch(part, oracle, functions, list(cases))
    return part


def gaps_of(agreement: Agreement, oracle: Oracle, drawn: bool) -> dict[str, list[str]]:
    """The functions that a cross-check of everything compares, and this one does not, by reason."""
    every = [name for subject in SUBJECTS for name in subject.functions]
    in_record = [name for subject in SUBJECTS if subject.in_base_r for name in subject.functions]
    beyond = [name for name in every if name not in (in_record if isinstance(oracle, Record) else ())]
    others = {"not asked for": [name for name in FUNCTIONS if name not in agreement.functions]}
    if isinstance(oracle, Record):
        others["not asked for"] += [name for name in in_record if name not in agreement.functions]
        return others | {
            "the record has none": ["names and defaults of arguments"],
            "not numeric vectors; the tests compare their refusals": oracle.others,
            "they need R": beyond,
        }
    if drawn:
        return {"not asked for": others["not asked for"] + beyond}
    return others | {"a table has no arguments for them": beyond}


def pairs_of_columns(data: str | os.PathLike[str] | Mapping[str, Vector] | pandas.DataFrame) -> list[Case]:
    """The cases of a table, or of the table in a file."""
    source: Part = Argument("data")
    table = data
    if isinstance(data, (str, os.PathLike)):
        source, table = str(data), trec.read_columns(data)
    if not (pairs := table_cases(table)):
        raise InvalidValueError(None, (source, ": fewer than two columns of numbers"))
    return pairs


def check_all(
    *,
    cases: int = 10_000,
    seed: int = 2017,
    functions: Iterable[str] | None = None,
    tolerance: float = 1e-12,
    n_jobs: int = 1,
    progress: Progress = None,
) -> Agreements:
    """Compare Python with the original, the reference and the record: all of them that are available.

    Parameters
    ----------
    cases, seed, functions, tolerance, n_jobs, progress
        As in `check`.

    Returns
    -------
    Agreements
        Its `as_markdown` is the page docs/agreement.md.

    Examples
    --------
    >>> agreements = check_all(cases=50, functions=["tau", "tauAP_b"])
    >>> agreements.agrees
    True
    >>> print(agreements.as_markdown().splitlines()[0])
    # Agreement with R
    """
    settings: dict[str, Any] = {"cases": cases, "seed": seed, "functions": functions, "tolerance": tolerance}
    agreements, missing = [], {}
    for kind in ORACLES[1:]:
        try:
            agreements.append(check(kind, **settings, n_jobs=n_jobs, progress=progress))
        except RUnavailableError as error:
            missing[kind] = str(error)
    with_r = [agreement.oracle for agreement in agreements if agreement.oracle != "record"]
    source = find_oracle(with_r[0]) if with_r else None
    options = f" --cases {cases} --seed {seed}"
    if functions is not None:
        options += " --functions " + " ".join(agreements[-1].functions)
    examples = {d.reason: answered_calls(d.example, source) for d in DIFFERENCES}
    return Agreements(agreements, missing, examples, date.today(), options)


def answered_calls(case: Case, oracle: Oracle | None) -> list[AnsweredCall]:
    """The answers of both languages to a case, for each of the six."""
    return [
        AnsweredCall(
            name,
            case.r_call(name, oracle.package if oracle else "ircor"),
            str(oracle.answers(name, [case])[0]) if oracle else "not asked",
            str(ask_python(name, function, case)),
        )
        for name, function in FUNCTIONS.items()
    ]


def without_counterpart() -> list[str]:
    """The public functions that compute something and are not compared with R, by their names below `ircor`."""
    compared = {*FUNCTIONS, *(name for subject in SUBJECTS for name in subject.functions)}
    subjects = (comparison, rank_distance, averages, organization, overlap, reliability, rbase)
    # The functions of `tables` are public as those of `ircor` itself.
    modules = ((tables, ""), *((module, module.__name__.rpartition(".")[2] + ".") for module in subjects))
    return [
        below + name
        for module, below in modules
        for name in module.__all__
        if isfunction(getattr(module, name)) and name not in compared
    ]
