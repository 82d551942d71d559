"""The whole cross-check in one function: what the command `ircor crosscheck` does."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .. import trec
from .._options import one_of, real_number, whole_number
from .._progress import Progress, watched
from .._vectors import Vector
from ._beyond import run_beyond
from ._bridge import RPackage, RUnavailableError
from ._cases import Case, random_cases, table_cases
from ._comparison import FUNCTIONS, run
from ._oracles import find_oracle
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
        `ircor.rbase`, `ircor.rank_distance`, `ircor.averages` and `ircor.organization` too.
    tolerance : float
        The largest absolute difference of two values that agree.
    data : path, mapping of str to vector, or pandas.DataFrame, optional
        Compare on all pairs of columns of this table instead of random cases.  A file is read by
        `ircor.trec.read_columns`.
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
    pairs = None if data is None else pairs_of_columns(data)

    found = find_oracle(oracle)
    asked: Iterable[Case]
    if isinstance(found, Record):
        if pairs is not None:
            reason = f": {found.note}" if found.note else ""
            raise RUnavailableError(f"--data needs R, the record knows nothing of your data{reason}")
        asked, total = found.cases, len(found.cases)
    elif pairs is not None:
        asked, total = pairs, len(pairs)
    else:
        asked, total = random_cases(cases, drawn_with), cases
    random = isinstance(found, RPackage) and pairs is None
    with watched(total, progress) as done:
        agreement = run(found, asked, chosen, tolerance=tolerance, seed=drawn_with if random else None, progress=done)
    if found.note:
        agreement.notes.append(found.note)
    if isinstance(found, RPackage) and random and functions is None:
        run_beyond(agreement, found, drawn_with)
    return agreement


def pairs_of_columns(data: str | os.PathLike[str] | Mapping[str, Vector] | pandas.DataFrame) -> list[Case]:
    """The cases of a table, or of the table in a file."""
    name, table = "'data'", data
    if isinstance(data, (str, os.PathLike)):
        name, table = f"{data}", trec.read_columns(data)
    if len(pairs := table_cases(table)) == 0:
        raise ValueError(f"{name}: fewer than two columns of numbers")
    return pairs
