"""Tables of scores: topics by systems, systems by topics, a column for each measure, or one score in each row."""

from __future__ import annotations

from math import nan

from .._fields import is_average, odd_one_out
from ._collector import ScoreCollector
from ._content import Content
from ._grid import MISSING_CELLS, Grid
from ._layout import Cell, Systems, layout_of
from ._lines import NUMBER, WHOLE_NUMBER, FormatError, parse_real
from ._means import ALL, differences
from ._names import is_measure


def add_table(content: Content, grid: Grid, scores: ScoreCollector, systems: Systems | None) -> None:
    """Add the scores in a table."""
    path = grid.path
    layout = layout_of(grid, systems)
    if scores.wanted is not None and not layout.names_measures:
        raise ValueError(f"{content.name} does not name its measure, so measure={scores.wanted[0]!r} cannot be chosen")
    empty = True
    cells = list(layout.cells())
    refuse_numbers(grid, cells)
    for line, measure, topic, system, text in cells:
        if topic == ALL:
            continue
        for name, what in ((topic, "topic"), (system, "system")):
            if is_average(name) or (what == "topic" and is_measure(name)):
                raise FormatError(path, line, f"{name!r} is not a {what}: leave out averages")
        if not topic or not system:
            raise FormatError(path, line, f"the {'system' if topic else 'topic'} is missing")
        empty = False
        value = nan if text in MISSING_CELLS else parse_real(path, line, "value", text)
        if not scores.add(measure, topic, system, value):
            what = f"{measure} of system" if measure else "system"
            raise FormatError(path, line, f"{what} {system!r} for topic {topic!r} is repeated")
    if empty:
        only = "there are only averages over topics: read_leaderboard reads them"
        raise FormatError(path, 1, only if cells else "the table has no scores")
    notes = [*layout.notes, *differences([cell for cell in cells if scores.wants(cell[1])])]
    scores.notes += [f"{content.name}: {note}" for note in notes]


def refuse_numbers(grid: Grid, cells: list[Cell]) -> None:
    """Refuse the first row that has a score in the place of a measure or a topic, as a row of another table has."""
    decimals = {topic for _, _, topic, _, _ in cells if NUMBER.fullmatch(topic) and not WHOLE_NUMBER.fullmatch(topic)}
    if all(topic in decimals for _, _, topic, _, _ in cells):
        decimals = set()  # topics such as 31.2
    odd = odd_one_out(dict.fromkeys(topic for _, _, topic, _, _ in cells if topic != ALL))
    for line, measure, topic, system, _ in cells:
        if NUMBER.fullmatch(measure):
            raise grid.error(f"the number {measure} is in the place of a measure", line)
        if topic in decimals:
            raise grid.error(f"the number {topic} is in the place of a topic", line)
        if NUMBER.fullmatch(system) and not WHOLE_NUMBER.fullmatch(system):
            raise grid.error(f"the number {system} is in the place of a system", line)
        if topic == odd:
            raise grid.error(f"{topic!r} is not like the other topics: leave out averages and other rows", line)
