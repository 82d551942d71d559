"""Those that ircor is measured beside: Python packages, and R in a process of its own."""

from __future__ import annotations

import importlib
import importlib.metadata
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt

from .clock import Clocked, Time

R_PACKAGES = {"pcaPP": "R package pcaPP", "quadprog": "R package quadprog", "ircorref": "R package ircorref"}
DISTRIBUTIONS = {"polars_ds": "polars-ds", "wdm": "pyvinecopulib"}
"""Packages whose module has another name."""


def version(name: str) -> str:
    return importlib.metadata.version(DISTRIBUTIONS.get(name, name))


def imported(name: str) -> ModuleType | None:
    """A module, or None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class R:
    """An R process that reads expressions and answers."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.folder = tempfile.TemporaryDirectory()
        self.start()
        self.version = self.ask("as.character(getRversion())")
        there = 'as.integer(requireNamespace("{}", quietly = TRUE))'
        self.has = {name for name in R_PACKAGES if self.ask(there.format(name)) == "1"}

    def start(self) -> None:
        # In a session of its own: Ctrl-C interrupts a subject here, which stops R itself.
        self.process = subprocess.Popen(
            [self.program, "--vanilla", str(Path(__file__).with_name("clock.R"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def ask(self, expression: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(expression.replace("\n", " ") + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except KeyboardInterrupt:
            # Its answer would be taken for that to the next question.
            self.process.kill()
            self.stop()
            self.start()
            raise
        if not answer or answer.startswith("error "):
            raise RuntimeError(f"R on {expression!r}: {answer.strip() or 'ended'}")
        return answer.strip()

    def take(self, vectors: Mapping[str, npt.ArrayLike]) -> None:
        """Give vectors to R, and tables as matrices."""
        path = Path(self.folder.name, "vector")
        for name, given in vectors.items():
            values = np.asarray(given, dtype=float)
            values.ravel(order="F").tofile(path)
            self.ask(f'{{ {name} <- vector_in("{path}"); 1 }}')
            if values.ndim == 2:
                self.ask(f"{{ dim({name}) <- c({values.shape[0]}, {values.shape[1]}); 1 }}")

    def clocked(self, expression: str) -> Clocked:
        def run(times: int) -> Time:
            cpu, wall = map(float, self.ask(f"clock(function() {expression}, {times})").split())
            return Time(cpu, wall)

        return Clocked(run, least=0.1)  # its clock ticks in milliseconds

    def stop(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def close(self) -> None:
        self.stop()
        self.folder.cleanup()


@contextmanager
def r_process() -> Iterator[R | None]:
    """R, or None if it is not installed."""
    program = shutil.which("Rscript")
    if program is None:
        yield None
        return
    r = R(program)
    try:
        yield r
    finally:
        r.close()
