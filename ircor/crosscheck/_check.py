"""The whole cross-check in one function: what the command `ircor crosscheck` does."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from .. import trec
from .._options import one_of, real_number, whole_number
from .._parallel import check_jobs, in_parallel
from .._progress import Progress, watched
from .._types import Vector
from ._beyond import SUBJECTS, run_beyond
from ._bridge import RPackage, RUnavailableError
from ._cases import Case, RandomCases, table_cases
from ._comparison import BATCH, FUNCTIONS, Coefficient, compare_batch, differing_signatures, started
from ._oracles import Oracle, find_oracle
from ._record import Record
from ._report import Agreement

if TYPE_CHECKING:
    import pandas


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
        What to compare with; see `find_oracle`.
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
        The number of processes, each with an R of its own; -1 for all processors.  More than one needs joblib.  The
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
    >>> found = check("record")
    >>> found.agrees, found.functions["tau_b"].cases
    (True, 688)
    """
    names = [functions] if isinstance(functions, str) else list(FUNCTIONS if functions is None else functions)
    if not names:
        raise ValueError("'functions' is empty: nothing to compare")
    chosen = {one_of(name, "functions", FUNCTIONS): FUNCTIONS[name] for name in names}
    cases, drawn_with = whole_number(cases, "cases"), whole_number(seed, "seed", 0)
    if not 0 <= real_number(tolerance, "tolerance") < 1:
        raise ValueError(f"'tolerance' must be 0 or more and less than 1, not {tolerance}")
    check_jobs(n_jobs)
    pairs = None if data is None else pairs_of_columns(data)

    found = find_oracle(oracle)
    drawn = isinstance(found, RPackage) and pairs is None
    if isinstance(found, Record) and pairs is not None:
        reason = f": {found.note}" if found.note else ""
        raise RUnavailableError(f"--data needs R, the record knows nothing of your data{reason}")

    agreement = started(found, chosen, tolerance, drawn_with if drawn else None)
    agreement.signatures = differing_signatures(found, chosen)
    if found.note:
        agreement.notes.append(found.note)
    listed = found.cases if isinstance(found, Record) else pairs
    total = cases if listed is None else len(listed)
    parts: list[Iterable[Case]] = [
        RandomCases(drawn_with, k, min(k + BATCH, total)) if listed is None else listed[k : k + BATCH]
        for k in range(0, total, BATCH)
    ]
    start = time.perf_counter()
    with watched(total, progress) as tell:
        # R cannot run in several threads, but in several processes.
        for part in in_parallel(
            partial(compare_part, found, chosen, tolerance),
            parts,
            n_jobs if isinstance(found, RPackage) else 1,
            lambda done, _: tell(min(done * BATCH, total)),
            backend="loky",
        ):
            agreement.add(part)
    agreement.seconds = time.perf_counter() - start
    if isinstance(found, RPackage) and drawn and functions is None:
        run_beyond(agreement, found, drawn_with, n_jobs)
    else:
        agreement.notes += not_compared(agreement, found, drawn)
    return agreement


def compare_part(
    oracle: Oracle, functions: Mapping[str, Coefficient], tolerance: float, cases: Iterable[Case]
) -> Agreement:
    """The comparison of some of the cases, in the R of this process."""
    if isinstance(oracle, RPackage):
        oracle.attach()
    part = started(oracle, functions, tolerance)
    compare_batch(part, oracle, functions, list(cases))
    return part


def not_compared(agreement: Agreement, oracle: Oracle, drawn: bool) -> list[str]:
    """What a cross-check of everything compares, and one of the six coefficients alone does not."""
    beyond = [name for subject in SUBJECTS for name in subject.functions]
    reasons: dict[str, list[str]] = {"not asked for": [name for name in FUNCTIONS if name not in agreement.functions]}
    if isinstance(oracle, Record):
        reasons["the record has none"] = ["names and defaults of arguments"]
        reasons["not numeric vectors; the tests compare their refusals"] = oracle.others
        reasons["they need R"] = beyond
    elif drawn:
        reasons["not asked for"] += beyond
    else:
        reasons["a table has no arguments for them"] = beyond
    return [f"not compared: {', '.join(names)} ({reason})" for reason, names in reasons.items() if names]


def pairs_of_columns(data: str | os.PathLike[str] | Mapping[str, Vector] | pandas.DataFrame) -> list[Case]:
    """The cases of a table, or of the table in a file."""
    name, table = "'data'", data
    if isinstance(data, (str, os.PathLike)):
        name, table = f"{data}", trec.read_columns(data)
    if len(pairs := table_cases(table)) == 0:
        raise ValueError(f"{name}: fewer than two columns of numbers")
    return pairs
