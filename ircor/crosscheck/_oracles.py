"""The sources of answers to compare with: R through rpy2, and the record of ircor 1.0 under R 4.2.2."""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from itertools import groupby
from math import nan
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .._core.methods import METHODS
from .._core.options import ORACLE
from .._core.types import Array
from ._cases import Answer, Case

PACKAGE = Path(__file__).parents[1]


def shipped(name: str, in_checkout: str) -> Path:
    """The folder of this name inside the installed package, or the folder of the checkout it is copied from."""
    for folder in (PACKAGE / name, PACKAGE.parent / in_checkout):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the installation of ircor is incomplete: the folder {name} is missing")


class RUnavailableError(RuntimeError):
    """R, rpy2 or the requested R package is missing; the message says what to install."""


class RError(Exception):
    """The message of an R function that stopped."""


class RPackage:
    """The functions of an R package, as an `Oracle`.  R looks for packages in its `libraries`."""

    def __init__(self, kind: str, package: str) -> None:
        self.kind = kind
        self.package = package
        self.version = r_version_of(package)
        self.r_version = probe()
        self.rpy2_version = version("rpy2")
        self.libraries = list(base(".libPaths")())
        self.note = ""

    def attach(self) -> None:
        """Let the R of this process look for packages where the R did that found this one."""
        base(".libPaths")(to_r(self.libraries))

    def answers(self, function: str, cases: Sequence[Case]) -> list[Answer]:
        """The answers to the cases, with one call for all cases of the same types: an R vector has one type."""
        answers: dict[int, Answer] = {}
        by_type = sorted(enumerate(cases), key=lambda numbered: type_key(numbered[1]))
        for _, members in groupby(by_type, key=lambda numbered: type_key(numbered[1])):
            numbers, same_type = zip(*members)
            answers |= dict(zip(numbers, self.ask(function, same_type)))
        return [answers[k] for k in range(len(cases))]

    def ask(self, function: str, cases: Sequence[Case]) -> list[Answer]:
        """The answers to cases of the same types."""
        from rpy2.rinterface import BoolSexpVector

        values, errors = ask_r(
            "answer_cases",
            to_r(self.package),
            to_r(function),
            to_r(np.concatenate([case.x for case in cases])),
            to_r(np.concatenate([case.y for case in cases])),
            to_r(np.array([len(case.x) for case in cases], dtype=np.int32)),
            to_r(np.array([len(case.y) for case in cases], dtype=np.int32)),
            BoolSexpVector([case.decreasing for case in cases]),
        )
        return [Answer(error=error) if error else Answer(value) for value, error in zip(from_r(values), errors)]

    def arguments(self, function: str) -> dict[str, str] | None:
        """The arguments of a function, each with its default as R writes it, "" if there is none."""
        defaults = ask_r("arguments_of", to_r(self.package), to_r(function))
        return dict(zip(defaults.names, defaults))


def type_key(case: Case) -> tuple[str, str]:
    """The types of the two vectors."""
    return case.x.dtype.kind, case.y.dtype.kind


def call_r(package: str, function: str, given: Sequence[Any] = (), named: Mapping[str, Any] | None = None) -> Array:
    """Call an R function with arguments without and with names; return all numbers of its result as one array."""
    arguments = [to_r(value) for value in given]
    with_names = {name: to_r(value) for name, value in (named or {}).items()}
    values, error = ask_r("call_function", to_r(package), to_r(function), base("list")(*arguments, **with_names))
    if error[0]:
        raise RError(error[0])
    return np.array(from_r(values))


def to_r(value: Any) -> Any:
    """Convert a value to an R vector, without a change of any bit.

    None is NA, an array of 32-bit integers is an integer vector, any other number is a double, an array of several
    dimensions is an array, a list of strings is a character vector, a tuple is an R list, and a mapping is a data
    frame.
    """
    r()
    from rpy2 import rinterface

    if value is None or isinstance(value, bool):
        return rinterface.BoolSexpVector([rinterface.NA_Logical if value is None else value])
    if isinstance(value, (str, list)):
        return rinterface.StrSexpVector([value] if isinstance(value, str) else value)
    if isinstance(value, tuple):
        return base("list")(*map(to_r, value))
    if isinstance(value, Mapping):
        return base("data.frame")(**{name: to_r(column) for name, column in value.items()})
    values = np.asarray(value)
    kind = rinterface.IntSexpVector if values.dtype == np.int32 else rinterface.FloatSexpVector
    flat = values.ravel(order="F").astype(values.dtype if values.dtype == np.int32 else np.float64)
    vector = kind.from_memoryview(flat.data) if flat.size else kind([])
    return vector if values.ndim <= 1 else base("array")(vector, rinterface.IntSexpVector(values.shape))


def from_r(values: Any) -> list[float]:
    """The numbers of an R vector."""
    # Element by element: in rpy2 3.5.17, the memoryview of a vector releases a reference to None that it does not own.
    return [float(value) for value in values]


def base(function: str) -> Any:
    """A function of base R."""
    r()
    from rpy2.rinterface import baseenv

    return baseenv[function]


def ask_r(function: str, *arguments: Any) -> Any:
    """Call a function of bridge.R; discard what R prints."""
    call = r()[function]
    with silence():
        return call(*arguments)


@cache
def r() -> Any:
    """The functions of bridge.R, in an environment of their own; starts R if necessary."""
    probe()
    from rpy2 import rinterface

    with silence():
        start_r(rinterface)
        source = Path(__file__).with_name("bridge.R").read_text(encoding="utf-8")
        own = rinterface.baseenv["new.env"]()
        rinterface.baseenv["eval"](rinterface.baseenv["parse"](text=rinterface.StrSexpVector([source])), own)
    return own


def start_r(rinterface: Any) -> None:
    """Start R in this process; rpy2 3.6 has another name for it than rpy2 3.5."""
    start = getattr(rinterface, "initr_simple", None) or rinterface.initr
    start()


@contextmanager
def silence() -> Iterator[None]:
    """Discard what R prints, also what start-up files write directly to the file descriptors."""
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


# A text, because it runs where this package need not be on the path.  The second line does what `start_r` does.
PROBE = """
from rpy2 import rinterface as r
(getattr(r, "initr_simple", None) or r.initr)()
print()
print(r.baseenv["R.version.string"][0])
"""


@cache
def probe() -> str:
    """Start R once in a process of its own, where it may crash, and return its version.

    Raises
    ------
    RUnavailableError
        If R or rpy2 is missing, or if they do not work together.
    """
    if shutil.which("R") is None and "R_HOME" not in os.environ:
        raise RUnavailableError("R is not installed, or not on the PATH (on Debian and Ubuntu: apt install r-base)")
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout.splitlines()[-1]
    reason = (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1]
    if "No module named 'rpy2" in reason:
        raise RUnavailableError("rpy2 is not installed: pip install 'ircor[r]'")
    if "R_getVar" in reason or "undefined symbol" in reason:
        raise RUnavailableError(
            f"this rpy2 is for R 4.5 and newer; for an older R: pip install 'rpy2==3.5.17' ({reason})"
        )
    raise RUnavailableError(f"rpy2 cannot start R: {reason}")


def r_version_of(package: str) -> str:
    """The version of an R package, or "" if R does not have it."""
    return str(ask_r("version_of", to_r(package))[0])


def reference_package() -> str:
    """The name of the reference package; it is installed into a temporary library unless R has the same version."""
    name = "ircorref"
    source = shipped("r_reference", "r_reference")
    (wanted,) = re.findall(r"^Version: (.+)$", (source / "DESCRIPTION").read_text(encoding="utf-8"), re.MULTILINE)
    if r_version_of(name) == wanted:
        return name
    library = tempfile.mkdtemp(prefix="ircor-")
    atexit.register(shutil.rmtree, library, ignore_errors=True)
    command = [r_program(), "CMD", "INSTALL", "--no-test-load", f"--library={library}", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise RUnavailableError(f"R cannot install the reference package: {reason}")
    paths = base(".libPaths")
    paths(to_r([library, *paths()]))
    return name


def r_program() -> str:
    """The path of the program R."""
    return shutil.which("R") or os.path.join(os.environ["R_HOME"], "bin", "R")


class Record:
    """The recorded answers, as an oracle that knows its own cases only.

    Attributes
    ----------
    cases : list of Case
        The random rankings of random.jsonl and the calls of edges.jsonl whose arguments are numeric vectors.
    others : list of str
        The other cases of edges.jsonl, which have arguments of other types.
    note : str
        Why the record was taken instead of R, or "".
    """

    kind = "record"
    package = "ircor"
    version = "1.0"
    r_version = "R version 4.2.2, when the record was made"
    rpy2_version = ""

    def __init__(self, note: str = "") -> None:
        self.note = note
        self.cases: list[Case] = []
        self.others: list[str] = []
        self.known: dict[tuple[Case, str], Answer] = {}
        for line in record_lines("random.jsonl"):
            x, y = (np.array(line[v], dtype=np.float64) for v in "xy")
            self.add(Case(x, y, line["decreasing"], f"record {line['id']}"), line["answers"])
        self.add_edges()

    def add_edges(self) -> None:
        """Add the calls of edges.jsonl on numeric vectors: a line is the answer of one function to a case."""
        by_case: dict[tuple[str, bool], dict[str, dict[str, Any]]] = {}
        for line in record_lines("edges.jsonl"):
            # A function without the argument `decreasing` answers the same in both directions.
            for decreasing in (True, False) if line["decreasing"] is None else (line["decreasing"],):
                by_case.setdefault((line["case"], decreasing), {})[line["function"]] = line
        for (kind, decreasing), answers in by_case.items():
            x, y = (numeric_vector_of(answers["tau"][v]) for v in "xy")
            if x is not None and y is not None:
                self.add(Case(x, y, decreasing, f"record {kind}"), answers)
            elif kind not in self.others:
                self.others.append(kind)

    def add(self, case: Case, answers: Mapping[str, Mapping[str, Any]]) -> None:
        """Add a case with its answers by function."""
        self.cases.append(case)
        for name, answer in answers.items():
            self.known[case, name] = recorded_answer(answer)

    def answers(self, function: str, cases: Sequence[Case]) -> list[Answer]:
        """The recorded answers of a function to these cases of the record."""
        return [self.known[case, function] for case in cases]

    def arguments(self, function: str) -> dict[str, str] | None:
        """None: the record has no signatures."""
        return None


def recorded_answer(answer: Mapping[str, Any]) -> Answer:
    """The answer in one line of the record; an empty vector counts as NA."""
    if "error" in answer:
        return Answer(error=answer["error"])
    return Answer(recorded_number(answer.get("value", "NA")))


def recorded_number(value: float | str) -> float:
    """A recorded number; the record has "NA", "NaN", "Inf" and "-Inf" as strings."""
    return nan if value == "NA" else float(value)


def numeric_vector_of(vector: Mapping[str, Any]) -> Array | None:
    """A recorded R value as an array, or None if it is not a numeric vector in R.

    A vector may have names, but no dimensions or other attributes.
    """
    if vector["type"] not in ("double", "integer") or "dim" in vector or "attributes" in vector:
        return None
    if vector["type"] == "integer":
        return np.array(vector["values"], dtype=np.int32)
    return np.array([recorded_number(value) for value in vector["values"]], dtype=np.float64)


def record_lines(name: str) -> list[dict[str, Any]]:
    """The lines of one file of the record."""
    with open(shipped("record", "tests/data") / name, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


ORACLES = ORACLE.choices
"""The choices of `find_oracle`."""


class Oracle(Protocol):
    """Something that knows the right answers.

    Attributes
    ----------
    kind : {"original", "reference", "record"}
    package, version, r_version, rpy2_version : str
        The R package and its version, and the versions of R and rpy2, "" if R is not called.
    note : str
        Why another oracle was not taken, or "".
    """

    kind: str
    package: str
    version: str
    r_version: str
    rpy2_version: str
    note: str

    def answers(self, function: str, cases: Sequence[Case]) -> list[Answer]:
        """The answer of a function to each case."""

    def arguments(self, function: str) -> dict[str, str] | None:
        """The arguments of a function, each with its default as R writes it; None if unknown."""


RECORDED_FIRST = 100
"""How many cases of the record a package called ircor is asked before it passes for the original."""


def not_the_original(oracle: Oracle) -> str:
    """Why an R package called ircor is not the original, by its version and its answers to the record, or ""."""
    record = Record()
    if oracle.version != record.version:
        return (
            f"R's package ircor is version {oracle.version}, and the original is compared as version {record.version}"
        )
    cases = record.cases[:RECORDED_FIRST]
    for name in METHODS:
        for case, here, there in zip(cases, oracle.answers(name, cases), record.answers(name, cases)):
            if here.error != there.error or abs(here.value - there.value) > NEAR_RECORD:
                return f"R's package ircor is not the original: {name} answers {here} to {case.name}, not {there}"
    return ""


NEAR_RECORD = 1e-9
"""The largest difference from the record of the original's answers in another R."""


def find_oracle(kind: str = "auto") -> Oracle:
    """Find what to compare with.

    Parameters
    ----------
    kind : {"auto", "original", "reference", "record"}
        The R package ircor, if it has the version and the answers of the record; the reference package ircorref, which
        is installed with this package; the record of the answers of ircor 1.0, which needs no R; or the first of these
        that is available.

    Returns
    -------
    Oracle

    Raises
    ------
    RUnavailableError
        If the oracle is not available.  "auto" never raises it: without R it returns the record.

    Examples
    --------
    >>> find_oracle("record").version
    '1.0'
    """
    ORACLE.checked(kind)
    if kind == "record":
        return Record()
    try:
        problem = "R has no package ircor: install it in R with install.packages('ircor')"
        if kind != "reference" and r_version_of("ircor"):
            original = RPackage("original", "ircor")
            if not (problem := not_the_original(original)):
                return original
        if kind == "original":
            raise RUnavailableError(problem)
        reference = RPackage("reference", reference_package())
        if kind == "auto" and r_version_of("ircor"):
            reference.note = problem
        return reference
    except RUnavailableError as error:
        if kind != "auto":
            raise
        return Record(f"{error}; compared with the record only")
