"""Processor time and elapsed time of calls that take turns, so that all of them see the same machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

WARM = 1.0
"""Seconds beyond which the first call of all needs no other before it."""


@dataclass(frozen=True)
class Time:
    """Seconds of the processor, of all threads, and seconds on the wall."""

    cpu: float
    wall: float

    def __truediv__(self, times: float) -> Time:
        return Time(self.cpu / times, self.wall / times)

    def __mul__(self, times: float) -> Time:
        return Time(self.cpu * times, self.wall * times)


@dataclass(frozen=True)
class Clocked:
    """Something that calls so many times and says how long that took; a turn of it lasts at least so long."""

    run: Callable[[int], Time]
    least: float = 0.01


def in_python(call: Callable[[], object]) -> Clocked:
    def run(times: int) -> Time:
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(times):
            call()
        return Time(time.process_time() - cpu, time.perf_counter() - wall)

    return Clocked(run)


def turns(
    calls: Mapping[str, Callable[[], object] | Clocked],
    rounds: int = 7,
    budget: float = 10.0,
    least: float | None = None,
) -> dict[str, Time]:
    """The time of one call of each, when all take turns: A B C A B C ...

    Of the processor times it is the median: they are sometimes too short, because the clock of a virtual machine stands
    still while the host catches up.  Elapsed times are only ever too long, so the least one counts.

    A short call is repeated within its turn, until that has lasted as long as it must, or `least` seconds.  A call that
    has used up its budget, in seconds, is left out of further rounds; each has one turn.
    """
    clocked = {name: call if isinstance(call, Clocked) else in_python(call) for name, call in calls.items()}
    taken: dict[str, list[Time]] = {name: [] for name in clocked}
    spent = dict.fromkeys(clocked, 0.0)
    times: dict[str, int] = {}
    for turn in range(rounds):
        for name, call in clocked.items():
            if turn == 0:
                times[name], took = repeated(call, call.least if least is None else least)
            elif spent[name] < budget:
                took = call.run(times[name])
            else:
                continue
            taken[name].append(took / times[name])
            spent[name] += took.wall
    return {name: Time(median(t.cpu for t in found), min(t.wall for t in found)) for name, found in taken.items()}


def repeated(call: Clocked, least: float) -> tuple[int, Time]:
    """How often to call in a turn so that it lasts long enough, and the time of such a turn."""
    times, took = 1, call.run(1)
    if least and took.wall < WARM:
        took = call.run(1)  # what is loaded or compiled in the first call would be taken for its time
    while took.wall < least:
        times *= max(2, min(100, int(least / max(took.wall, 1e-9))))
        took = call.run(times)
    return times, took
