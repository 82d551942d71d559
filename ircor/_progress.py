"""Progress of long work: a callback, a bar in a terminal, or nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

Progress: TypeAlias = Callable[[int, int], None] | bool | None
"""A callback that gets the number of steps done and the total; False for none; None for a bar in a terminal."""

# Shorter work shows no bar.
SECONDS_BEFORE_A_BAR = 2.0


@contextmanager
def watched(total: int, progress: Progress) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of steps done, which reports it as `progress` says."""
    if callable(progress):
        yield lambda done: progress(done, total)
        return
    bar = Bar(total) if progress is not False and sys.stderr.isatty() else None
    try:
        yield bar.update if bar else lambda done: None
    finally:
        if bar:
            bar.close()


class Bar:
    """A bar on standard error, shown after two seconds, if rich is installed."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.start = time.monotonic()
        self.shown: Any = None

    def update(self, done: int) -> None:
        if self.shown is None and time.monotonic() - self.start > SECONDS_BEFORE_A_BAR:
            try:
                from rich.console import Console
                from rich.progress import Progress as RichProgress
            except ImportError:
                self.start = float("inf")
                return
            self.shown = RichProgress(console=Console(stderr=True), transient=True)
            self.task = self.shown.add_task("", total=self.total)
            self.shown.start()
        if self.shown is not None:
            self.shown.update(self.task, completed=done)

    def close(self) -> None:
        if self.shown is not None:
            self.shown.stop()
