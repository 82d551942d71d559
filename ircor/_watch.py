"""Long work that can be watched, and split among processors or machines."""

from __future__ import annotations

import numbers
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    import numpy as np

Progress: TypeAlias = Callable[[int, int], None] | bool | None
"""A function of what is done and of how much there is; False for nothing; None for a bar where one is of use."""

# Work that is done by then needs no bar.
SECONDS_BEFORE_A_BAR = 2.0

# Resamples that are drawn from one stream of random numbers.  The outcome depends on this, so it does not change.
BLOCK = 250

Task = TypeVar("Task")
Result = TypeVar("Result")


def in_parallel(
    work: Callable[[Task], Result], tasks: list[Task], n_jobs: int | None, progress: Progress
) -> list[Result]:
    """The results of the tasks, in their order, through joblib where there is more than one job, or may be."""
    results: list[Result] = []
    with watched(len(tasks), progress) as tell:
        for result in spread(work, tasks, n_jobs):
            results.append(result)
            tell(len(results))
    return results


def spread(work: Callable[[Task], Result], tasks: list[Task], n_jobs: int | None) -> Iterable[Result]:
    if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral) or n_jobs == 0):
        raise TypeError(f"'n_jobs' must be a whole number but 0, or None, not {n_jobs!r}")
    # Without a number of jobs, joblib's own configuration counts, if somebody has loaded joblib to make one.
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):
        return map(work, tasks)
    try:
        from joblib import Parallel, delayed
    except ImportError:
        raise ImportError("more than one job needs joblib: pip install 'ircor[parallel]'") from None

    def parallel(return_as: str) -> Iterable[Result]:
        # The kernels release the GIL, so that threads do, unless the user's configuration says otherwise.
        run: Any = Parallel(n_jobs=n_jobs, prefer="threads", return_as=return_as)
        results: Iterable[Result] = run(delayed(work)(task) for task in tasks)
        return results

    try:
        return parallel("generator")
    except ValueError as error:
        # Some backends give all results at the end.
        if "return_as" not in str(error):
            raise
        return parallel("list")


def random_blocks(seed: int | None, resamples: int) -> tuple[int, list[tuple[np.random.SeedSequence, int]]]:
    """The seed, made up if there is none, and blocks of resamples with a stream of random numbers for each.

    What comes out depends on the seed alone, whoever does the blocks and in what order.
    """
    import numpy as np

    if isinstance(seed, bool) or not (seed is None or isinstance(seed, (int, np.integer))):
        raise TypeError(f"'seed' must be a whole number or None, not {seed!r}")
    if seed is not None and seed < 0:
        raise ValueError(f"'seed' must be 0 or more, not {seed}")
    source = np.random.SeedSequence(seed)
    sizes = [min(BLOCK, resamples - start) for start in range(0, resamples, BLOCK)]
    return int(source.entropy), list(zip(source.spawn(len(sizes)), sizes))  # type: ignore[arg-type]


@contextmanager
def watched(total: int, progress: Progress) -> Iterator[Callable[[int], None]]:
    """A function to tell how much is done, which shows it as asked for."""
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
    """A bar on standard error, from the third second on, if rich is there to draw it."""

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
