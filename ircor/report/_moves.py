"""How systems move from one ranking to another: leaderboards side by side, the slope chart, and words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any

from .._result import Table, general
from .._text import listed
from ._charts import ALONE, Line, slope
from ._markup import Markup, element
from ._page import is_undefined


@dataclass(frozen=True)
class Keys:
    """The columns of a table of systems: its name, and mean and rank in the two rankings."""

    system: str
    means: tuple[str, str]
    ranks: tuple[str, str]
    move: str


def lines_of(table: Table, keys: Keys) -> list[Line]:
    """The systems that have a rank in both rankings."""
    wanted = (keys.system, *keys.ranks)
    found: list[list[Any]] = [[row[key] for key in wanted] for row in table.records()]
    return [
        Line(str(name), float(left), float(right))
        for name, left, right in found
        if not is_undefined(left) and not is_undefined(right) and isfinite(left) and isfinite(right)
    ]


def board(table: Table, keys: Keys, side: int, score: str = "mean") -> Table:
    """The leaderboard of one side, the best first; that of the second has the first rank and the move too."""
    wanted = [keys.ranks[side], keys.system, keys.means[side], *((keys.ranks[0], keys.move) if side else ())]
    places = {column.key: k for k, column in enumerate(table.columns)}
    kept = [places[key] for key in wanted]
    titles = {keys.ranks[0]: "from\nrank", keys.ranks[side]: "rank", keys.means[side]: score}
    columns = [replace(table.columns[k], title=titles.get(table.columns[k].key, table.columns[k].title)) for k in kept]
    rows = [[row[k] for k in kept] for row in table.rows]
    rows.sort(key=lambda row: inf if is_undefined(row[0]) else row[0])
    return Table(table.key, columns, rows)


def moves_said(lines: Sequence[Line], names: tuple[str, str]) -> list[str]:
    """The largest drop and the largest move, in words; systems that move as far are all named."""
    if not lines:
        return []
    drop, farthest = min(line.move for line in lines), max(abs(line.move) for line in lines)
    if not farthest:
        return [f"No system has another rank in {names[1]} than in {names[0]}."]
    moved = sum(line.move != 0 for line in lines)
    said = [f"{moved} of {len(lines)} systems have another rank in {names[1]} than in {names[0]}."]
    said.append(f"Largest drop{who(lines, lambda line: line.move == drop)}" if drop < 0 else "No system drops.")
    return [*said, f"Largest move{who(lines, lambda line: abs(line.move) == farthest)}"]


def who(lines: Sequence[Line], chosen: Callable[[Line], bool]) -> str:
    """How far the chosen systems move, and which they are."""
    found = [line for line in lines if chosen(line)]
    each = [f"{line.name} (from {general(line.left)} to {general(line.right)})" for line in found]
    far = abs(found[0].move)
    return f", by {general(far)} {'rank' if far == 1 else 'ranks'}: {listed(each)}."


def largest(lines: Sequence[Line]) -> list[str]:
    """The systems with the largest drop and the largest move."""
    ends = [min((line.move for line in lines), default=0), max((abs(line.move) for line in lines), default=0)]
    return [line.name for line in lines if line.move and (line.move == ends[0] or abs(line.move) == ends[1])]


def slope_figure(lines: Sequence[Line], names: tuple[str, str], least_width: float = ALONE) -> Markup:
    """The slope chart with its legend."""
    drawn = slope(lines, names, largest(lines), least_width)
    if not drawn:
        return drawn
    caption = element(
        "figcaption",
        "Ranks, the best at the top. ",
        element("b", "Up", class_="up"),
        ", ",
        element("b", "down", class_="down"),
        " or ",
        element("b", "unchanged", class_="same"),
        " from left to right; the largest moves are thick. Point at a line to see its system.",
    )
    return element("figure", drawn, caption)
