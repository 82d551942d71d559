"""Progress of long work: a callback, a bar in a terminal, or nothing."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from math import isqrt
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from .._extras import extra
from .options import N_JOBS, RESAMPLES, SEED, whole_number

if TYPE_CHECKING:
    import numpy as np

Progress: TypeAlias = Callable[[int, int], None] | bool | None
"""A callback that gets the number of steps done and the total; False for none; None for a bar in a terminal."""

# Shorter work shows no bar.
SECONDS_BEFORE_A_BAR = 2.0


@contextmanager
def watched(total: int | None, progress: Progress) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of steps done, which reports it as `progress` says.

    Without a total, a terminal shows that the work goes on, and a callback is not called.
    """
    if callable(progress):
        yield lambda done: None if total is None else progress(done, total)
        return
    outer = SHOWN.get()
    # One bar of unknown length is enough.
    if progress is False or (total is None if outer else not sys.stderr.isatty()):
        yield lambda done: None
        return
    bars = outer or Bars()
    before = SHOWN.set(bars)
    task = bars.add(total)
    try:
        yield partial(bars.update, task)
    finally:
        SHOWN.reset(before)
        bars.remove(task)


class Bars:
    """The bars of work in progress, one inside the other, on standard error: shown after two seconds, if rich is there.

    A timer shows them, so that they do not wait for the first step.
    """

    def __init__(self) -> None:
        self.steps: dict[int, list[int | None]] = {}  # of each bar, the total and the steps done
        self.names: dict[int, Any] = {}
        self.shown: Any = None
        self.lock = Lock()
        self.timer = Timer(SECONDS_BEFORE_A_BAR, self.show)
        self.timer.daemon = True

    def add(self, total: int | None) -> int:
        """Begin a bar; returns its number."""
        with self.lock:
            number = len(self.steps)
            self.steps[number] = [total, 0]
            self.show_task(number)
        if number == 0:
            self.timer.start()
        return number

    def update(self, number: int, done: int) -> None:
        with self.lock:
            self.steps[number][1] = done
            if self.shown is not None:
                self.shown.update(self.names[number], completed=done)

    def remove(self, number: int) -> None:
        """End a bar, and all with the first one."""
        with self.lock:
            del self.steps[number]
            if not self.steps:
                self.timer.cancel()
            if self.shown is not None:
                self.shown.remove_task(self.names.pop(number))
                if not self.steps:
                    self.shown.stop()

    def show(self) -> None:
        try:
            from rich.console import Console
            from rich.progress import Progress as RichProgress, TimeElapsedColumn
        except ImportError:
            return
        with self.lock:
            if self.steps:
                columns = [*RichProgress.get_default_columns(), TimeElapsedColumn()]
                self.shown = RichProgress(*columns, console=Console(stderr=True), transient=True)
                self.shown.start()
                for number in self.steps:
                    self.show_task(number)

    def show_task(self, number: int) -> None:
        if self.shown is not None:
            total, done = self.steps[number]
            self.names[number] = self.shown.add_task("", total=total, completed=done)


SHOWN: ContextVar[Bars | None] = ContextVar("SHOWN", default=None)
"""The bars that the work in progress is shown by."""


# Resamples drawn from one random stream.  Results for a given seed depend on this number, so it must not change.
BLOCK = 250

# Items that one task, and one call of the kernel, handles: enough to be worth sending, and few enough that an
# interrupt is answered soon.  Simulations for large tables are drawn in parts of this length, so their results for a
# given seed depend on it too.
ITEMS_PER_TASK = 2_000_000

Task = TypeVar("Task")
TaskResult = TypeVar("TaskResult")


def in_parallel(
    work: Callable[[Task], TaskResult], tasks: list[Task], n_jobs: int | None, progress: Progress, backend: str = ""
) -> list[TaskResult]:
    """Return the results of the tasks in order; joblib runs them if `n_jobs` or its own configuration says so.

    `backend` is one of joblib's, for work that cannot run in threads; it overrides joblib's configuration.
    """
    results: list[TaskResult] = []
    with watched(len(tasks), progress) as tell:
        running = distributed(work, tasks, n_jobs, backend)
        try:
            for result in running:
                results.append(result)
                tell(len(results))
        except BaseException:
            cancel(running)
            raise
    return results


def cancel(running: Any) -> None:
    """Stop tasks that still run after an error or an interrupt; joblib's warning about them would be of no use."""
    if hasattr(running, "close"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            running.close()


def distributed(
    work: Callable[[Task], TaskResult], tasks: list[Task], n_jobs: int | None, backend: str = ""
) -> Iterable[TaskResult]:
    check_jobs(n_jobs)
    # With n_jobs=None joblib's own configuration counts; there is none unless joblib has been imported.
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):
        return map(work, tasks)
    joblib = extra("joblib", "more than one job")

    def parallel(return_as: str) -> Iterable[TaskResult]:
        # Threads suffice because the kernel releases the GIL; the user's configuration may say otherwise.
        where = {"backend": backend} if backend else {"prefer": "threads"}
        run: Any = joblib.Parallel(n_jobs=n_jobs, return_as=return_as, **where)
        results: Iterable[TaskResult] = run(joblib.delayed(work)(task) for task in tasks)
        return results

    try:
        return parallel("generator")
    except ValueError as error:
        # Some backends can only return all results at once.
        if "return_as" not in str(error):
            raise
        return parallel("list")


@dataclass(frozen=True)
class Resampling:
    """The settings of work with random samples, which always go together.

    Attributes
    ----------
    resamples : int
    seed : int
        What repeats the samples.
    n_jobs, progress
        How many processors share the work, and who is told how far it is.
    """

    resamples: int
    seed: Any
    n_jobs: int | None = None
    progress: Progress = None

    @classmethod
    def of(cls, resamples: Any, seed: Any, n_jobs: Any, progress: Progress, least: int = 1) -> Resampling:
        """Check the settings; fewer samples than `least` become as many."""
        return cls(max(least, RESAMPLES.checked(resamples)), SEED.checked(seed), N_JOBS.checked(n_jobs), progress)

    def with_seed(self, seed: int) -> Resampling:
        """The same with the seed that was drawn."""
        return replace(self, seed=seed)


def check_jobs(n_jobs: int | None) -> None:
    """Refuse a number of jobs that is 0 or no whole number; None leaves it to joblib's configuration."""
    N_JOBS.checked(n_jobs)


def slices(count: int, items: int) -> list[slice]:
    """Cut `count` steps of `items` items each into slices of at most ITEMS_PER_TASK items, or of one step."""
    length = max(1, ITEMS_PER_TASK // items)
    return [slice(start, min(start + length, count)) for start in range(0, count, length)]


def pairs_per_task(items: int) -> int:
    """How many pairs of rankings a task has: those of short ones are counted fast, hence more than ITEMS_PER_TASK."""
    return 4 * ITEMS_PER_TASK // items


def square_blocks(rows: int, columns: int, pairs: int, half: bool) -> list[tuple[slice, slice]]:
    """Cut a table into squares of nearly the same size, of at most so many pairs; if `half`, its upper triangle."""
    side = max(1, isqrt(pairs))
    left, right = (even_slices(count, -(-count // side)) for count in (rows, columns))
    return [(one, other) for one in left for other in right if not half or one.start <= other.start]


def even_slices(count: int, parts: int) -> list[slice]:
    """Cut `count` things into parts that differ by at most one."""
    return [slice(count * part // parts, count * (part + 1) // parts) for part in range(parts)]


def random_blocks(seed: int | None, resamples: int) -> tuple[int, list[tuple[np.random.SeedSequence, int]]]:
    """Split resamples into blocks with a random stream each; return the seed, drawn if None, and the blocks.

    The outcome depends on the seed alone, not on which worker computes which block.
    """
    seed, (blocks,) = random_phases(seed, [resamples])
    return seed, blocks


def random_phases(
    seed: int | None, resamples: Iterable[int]
) -> tuple[int, list[list[tuple[np.random.SeedSequence, int]]]]:
    """`random_blocks` for several phases of work, all of them with random streams of their own."""
    import numpy as np

    source = np.random.SeedSequence(None if seed is None else whole_number(seed, "seed", least=0))
    phases = []
    for count in resamples:
        sizes = [min(BLOCK, count - start) for start in range(0, count, BLOCK)]
        phases.append(list(zip(source.spawn(len(sizes)), sizes)))
    return int(source.entropy), phases  # type: ignore[arg-type]
