"""A figure is a cell of a table: what was measured, in which unit, and what it must reach."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .clock import Time

MORE, LESS = "more is better", "less is better"


@dataclass(frozen=True)
class Figure:
    """One ratio, or with `absolute` a time in microseconds, which is shown but neither kept nor printed on a page."""

    table: str
    row: str
    column: str
    value: float
    better: str
    limit: float | None = None
    wall: float | None = None  # the same ratio of elapsed times, where the value is of processor times
    absolute: bool = False

    @property
    def what(self) -> str:
        return f"{self.table}: {self.row}, {self.column}".replace("`", "")

    @property
    def met(self) -> bool | None:
        """Whether the target is reached; None without one."""
        if self.limit is None:
            return None
        return self.value >= self.limit if self.better == MORE else self.value <= self.limit

    @property
    def target(self) -> str:
        if self.limit is None:
            return ""
        return f"at {'least' if self.better == MORE else 'most'} {self.limit:.3g}"

    def worse_than(self, before: float) -> float:
        """How many times worse than before; below 1 if it is better."""
        if not (math.isfinite(self.value) and self.value > 0 and math.isfinite(before) and before > 0):
            return math.inf
        return before / self.value if self.better == MORE else self.value / before


@dataclass(frozen=True)
class Table:
    """Makes the figures of one table."""

    name: str

    def faster(self, row: str, column: str, ours: Time, theirs: Time, at_least: float | None = None) -> Figure:
        """Their time over ours."""
        return Figure(self.name, row, column, theirs.cpu / ours.cpu, MORE, at_least, theirs.wall / ours.wall)

    def longer(
        self, row: str, column: str, ours: Time, other: Time, at_most: float | None = None, elapsed: bool = False
    ) -> Figure:
        """Our time over another one."""
        cpu, wall = ours.cpu / other.cpu, ours.wall / other.wall
        return Figure(self.name, row, column, wall if elapsed else cpu, LESS, at_most, wall)

    def elapsed(self, row: str, column: str, ours: Time, theirs: Time, at_least: float | None = None) -> Figure:
        """Their time over ours on the wall, where ours has several threads."""
        ratio = theirs.wall / ours.wall
        return Figure(self.name, row, column, ratio, MORE, at_least, ratio)

    def amount(self, row: str, column: str, value: float, at_most: float | None = None) -> Figure:
        """Memory, or another amount of which less is better."""
        return Figure(self.name, row, column, value, LESS, at_most)

    def microseconds(self, row: str, column: str, cpu: float, wall: float, at_most: float | None = None) -> Figure:
        return Figure(self.name, row, column, 1e6 * cpu, LESS, at_most, 1e6 * wall, absolute=True)
