"""What a subject gets to measure with: sizes, random numbers, and whoever is there to be measured beside."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from . import memory, peers
from .clock import Clocked, Time, turns
from .figures import Figure

T = TypeVar("T")


class Run:
    def __init__(self, quick: bool, large: bool, seed: int, r: peers.R | None) -> None:
        self.quick = quick
        self.large = large
        self.rng = np.random.default_rng(seed)
        self.r_process = r
        self.figures: list[Figure] = []
        self.versions: dict[str, str] = {}
        self.without: list[str] = []

    def pick(self, full: T, quick: T) -> T:
        """A size, or a list of them: of a full run, or of a quick one."""
        return quick if self.quick else full

    def turns(
        self, calls: Mapping[str, Callable[[], object] | Clocked], rounds: int = 7, budget: float = 10.0
    ) -> dict[str, Time]:
        """The time of one call of each, when all take turns; in a quick run each is called once."""
        return turns(calls, 1, least=0) if self.quick else turns(calls, rounds, budget)

    def leave_out(self, what: str, why: str) -> None:
        """Say once what is not measured."""
        if what not in self.without:
            self.without.append(what)
            print(f"without {what}: {why}", file=sys.stderr)

    def peer(self, name: str, module: str | None = None) -> ModuleType | None:
        """A package, if it is installed."""
        found = peers.imported(module or name)
        if found is None:
            self.leave_out(peers.DISTRIBUTIONS.get(name, name), "it is not installed")
        else:
            self.versions.setdefault(peers.DISTRIBUTIONS.get(name, name), peers.version(name))
        return found

    def r(self, *packages: str) -> peers.R | None:
        """R, if it is installed and has these packages."""
        if self.r_process is None:
            self.leave_out("R", "there is no Rscript")
            return None
        missing = [name for name in packages if name not in self.r_process.has]
        for name in missing:
            self.leave_out(peers.R_PACKAGES[name], "it is not installed")
        return None if missing else self.r_process

    def ours(self, find: Callable[[], T], name: str) -> T | None:
        """Something of ircor, if this version has it."""
        try:
            return find()
        except (AttributeError, ImportError) as error:
            self.leave_out(name, str(error))
            return None

    def beyond(self, prepare: str, call: str, *arguments: Any) -> float | None:
        """Bytes that a call needs, where the system tells."""
        if not memory.can_be_measured():
            self.leave_out("memory", "this system has no /proc/self/clear_refs")
            return None
        return memory.beyond(prepare, call, *arguments)
