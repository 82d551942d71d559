"""The bridge to R, through rpy2: the only module that talks to R."""

from __future__ import annotations

import atexit
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
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._cases import Answer, Case
from ._shipped import shipped

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


class RUnavailableError(RuntimeError):
    """R, rpy2 or the requested R package is missing; the message says what to install."""


class RError(Exception):
    """The message of an R function that stopped."""


class RPackage:
    """The functions of an R package, as an oracle.

    Attributes
    ----------
    kind : {"original", "reference"}
    package, version, r_version, rpy2_version : str
        The package and its version, and the versions of R and rpy2.
    libraries : list of str
        Where R looks for packages.
    """

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
        found: dict[int, Answer] = {}
        by_type = sorted(enumerate(cases), key=lambda numbered: type_key(numbered[1]))
        for _, members in groupby(by_type, key=lambda numbered: type_key(numbered[1])):
            numbers, same_type = zip(*members)
            found |= dict(zip(numbers, self.ask(function, same_type)))
        return [found[k] for k in range(len(cases))]

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
    """Call an R function; return all numbers of its result as one array.

    Parameters
    ----------
    package, function : str
    given : sequence
        The arguments without names, as `to_r` takes them.
    named : mapping, optional
        The arguments with names.

    Raises
    ------
    RError
        If the function stops.
    """
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


def r_as_character(values: Array) -> list[str]:
    """R's as.character(values)."""
    return list(base("as.character")(to_r(values)))


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
    said = (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1]
    if "No module named 'rpy2" in said:
        raise RUnavailableError("rpy2 is not installed: pip install 'ircor[r]'")
    if "R_getVar" in said or "undefined symbol" in said:
        raise RUnavailableError(
            f"this rpy2 is for R 4.5 and newer; for an older R: pip install 'rpy2==3.5.17' ({said})"
        )
    raise RUnavailableError(f"rpy2 cannot start R: {said}")


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
        said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise RUnavailableError(f"R cannot install the reference package: {said}")
    paths = base(".libPaths")
    paths(to_r([library, *paths()]))
    return name


def r_program() -> str:
    """The path of the program R."""
    return shutil.which("R") or os.path.join(os.environ["R_HOME"], "bin", "R")
