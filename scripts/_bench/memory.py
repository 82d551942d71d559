"""The greatest memory of a call beyond what was there before, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parents[1]

# Not ru_maxrss: a process inherits that of its parent, however large, until its own is larger.
PROGRAM = """
import sys
import warnings
import numpy as np
import ircor
warnings.simplefilter("ignore")
def kilobytes(what):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(what))
{prepare}
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the greatest memory so far is what there is now
before = kilobytes("VmRSS:")
result = {call}
print((kilobytes("VmHWM:") - before) * 1024)
"""


def can_be_measured() -> bool:
    return Path("/proc/self/clear_refs").exists()


def beyond(prepare: str, call: str, *arguments: object) -> float:
    """Bytes that a call needs beyond what `prepare` has made, which finds the arguments in sys.argv."""
    command = [sys.executable, "-c", PROGRAM.format(prepare=prepare, call=call), *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(SCRIPTS), *filter(None, [os.getenv("PYTHONPATH")])])}
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout)
