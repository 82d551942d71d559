"""What `import ircor` adds to `import numpy`."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator

from .clock import Clocked, Time
from .figures import Figure, Table
from .run import Run

IMPORT = Table("import")


def measure(run: Run) -> Iterator[Figure]:
    """Less what an empty Python takes."""
    calls = {code: started(code) for code in ("", "import numpy", "import numpy, ircor")}
    times = run.turns(calls, 15)
    empty, numpy, both = times.values()
    found = [Time(t.cpu - empty.cpu, t.wall - empty.wall) for t in (both, numpy)]
    yield IMPORT.longer("`import numpy, ircor` beside `import numpy`", "time", *found, at_most=1.5)


def started(code: str) -> Clocked:
    """A Python of its own that runs this."""

    def run(times: int) -> Time:
        before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        for _ in range(times):
            subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Time(cpu, time.perf_counter() - wall)

    return Clocked(run)
