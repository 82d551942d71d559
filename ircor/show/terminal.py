"""How a table fits the width of a terminal: columns side by side, else blocks of columns below each other.

No number and no name is broken over lines.  What may be broken, and only between words, is prose, such as a note, and a
heading where its title says so.  A name is shortened, in its middle, only if it does not fit beside one number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest

from .tables import is_numeric_text

GAP = "  "

# A narrower terminal gets lines of this width, which it then breaks.
LEAST_WIDTH = 20

# The least width of a column of prose that is longer, and of a name that is shortened.
LEAST_PROSE, LEAST_NAME = 10, 8


@dataclass(frozen=True)
class Texts:
    """A column as texts."""

    heading: Sequence[str]
    """The lines that the heading may be broken into."""
    cells: Sequence[str]
    """One for each row."""
    prose: bool = False
    """Whether the cells may be broken between words."""

    @cached_property
    def numbers(self) -> bool:
        return all(map(is_numeric_text, self.cells))

    @cached_property
    def inside(self) -> int:
        """The width of the widest cell."""
        return max(map(display_width, self.cells), default=0)

    @property
    def above(self) -> int:
        """The width of the heading."""
        return max(map(display_width, self.heading))

    @property
    def full(self) -> int:
        """The width that shows everything without another line."""
        return max(self.inside, self.above)

    @cached_property
    def least(self) -> int:
        """The width that the cells need without being shortened."""
        if not self.prose:
            return self.inside
        longest_word = max((display_width(word) for cell in self.cells for word in cell.split()), default=0)
        return max(longest_word, min(LEAST_PROSE, self.inside))

    def in_one_line(self) -> Texts:
        """The column with its heading in one line."""
        return replace(self, heading=[" ".join(self.heading)])


@dataclass(frozen=True)
class Sized:
    """A column of a block, with its width; the title of a block is a heading that is wider than its column."""

    texts: Texts
    width: int


def layout(columns: Sequence[Texts], width: int, names: int = 1, *, dash: str = "─", ellipsis: str = "…") -> list[str]:
    """The lines of a table that is no wider than `width`; an empty line separates the blocks.

    Parameters
    ----------
    columns : sequence of Texts
        The columns, all with the same number of cells.
    width : int
        The number of cells of the terminal.
    names : int
        How many columns at the left say what a row is about.  They are repeated in each block.
    dash, ellipsis : str
        What is drawn below headings, and what stands for the middle of a shortened name.
    """
    width = max(width, LEAST_WIDTH)
    for whole in ([column.in_one_line() for column in columns], list(columns)):
        if (sizes := fitting_widths(whole, width)) is not None:
            return block_lines([Sized(*pair) for pair in zip(whole, sizes)], "", dash)
    keys = key_columns(columns, width, names, ellipsis)
    others = columns[len(keys) :]
    room = width - total([key.width for key in keys]) - len(GAP)
    lines: list[str] = []
    for title, block in blocks_of(others, room, width, ellipsis):
        lines += ["", *block_lines([*keys, *block], title, dash)]
    return lines[1:] if others else block_lines(keys, "", dash)


def fitting_widths(columns: Sequence[Texts], width: int) -> list[int] | None:
    """The width of each column if all fit side by side, prose broken between words; None if they do not fit."""
    least = [max(column.least, column.above) if column.prose else column.full for column in columns]
    spare = width - total(least)
    return None if spare < 0 else grown(least, [column.full for column in columns], spare)


def grown(widths: Sequence[int], wanted: Sequence[int], spare: int) -> list[int]:
    """The widths, made as wide as wanted while there is spare room; those that want least are served first."""
    result = list(widths)
    hungry = sorted((k for k in range(len(result)) if wanted[k] > result[k]), key=lambda k: wanted[k] - result[k])
    for served, k in enumerate(hungry):
        more = min(wanted[k] - result[k], spare // (len(hungry) - served))
        result[k] += more
        spare -= more
    return result


def total(widths: Sequence[int]) -> int:
    """The width of columns with the gaps between them."""
    return sum(widths) + len(GAP) * (len(widths) - 1)


def key_columns(columns: Sequence[Texts], width: int, names: int, ellipsis: str) -> list[Sized]:
    """The columns at the left of each block: as many of those with names as leave room for any other column."""
    for count in range(min(names, len(columns)), 0, -1):
        keys, others = columns[:count], columns[count:]
        needed = max((column.least for column in others), default=-len(GAP))
        least = [max(key.least, key.above) for key in keys]
        spare = width - total(least) - len(GAP) - needed
        if spare >= 0:
            # Prose gets what it wants of half the width, and no more, for the sake of the other columns.
            spare = max(0, min(spare, width // 2 - total(least)))
            return [Sized(*pair) for pair in zip(keys, grown(least, [key.full for key in keys], spare))]
    # Not even one name and one other column: numbers stay whole, and two names share the width.
    half = (width - len(GAP)) // 2
    needed = max((column.least if column.numbers else min(column.least, half) for column in others), default=0)
    room = max(width - len(GAP) - needed, LEAST_NAME) if others else width
    return [cut_to(keys[0], min(keys[0].full, room), ellipsis)]


def blocks_of(columns: Sequence[Texts], room: int, width: int, ellipsis: str) -> list[tuple[str, list[Sized]]]:
    """The columns in blocks that fit the room beside the keys, each with its title.

    A heading that is wider than the room becomes the title of a block with this column alone.
    """
    titles = shortened_names([" ".join(column.heading) for column in columns], width, ellipsis)
    blocks: list[tuple[str, list[Sized]]] = []
    left = -1
    for column, title in zip(columns, titles):
        if column.above > room:
            untitled = replace(column, heading=[""])
            blocks.append((title, [cut_to(untitled, min(untitled.full, room), ellipsis)]))
            left = -1
            continue
        least = min(max(column.least, column.above), room)
        if least > left:
            blocks.append(("", []))
            left = room
        sized = cut_to(column, min(column.full, left), ellipsis)
        blocks[-1][1].append(sized)
        left -= sized.width + len(GAP)
    return blocks


def cut_to(column: Texts, width: int, ellipsis: str) -> Sized:
    """The column with its names shortened to the width; numbers and prose stay as they are."""
    heading = shortened_names(column.heading, width, ellipsis)
    if column.numbers:
        return Sized(replace(column, heading=heading), max(width, column.inside))
    cells = column.cells if column.prose else shortened_names(column.cells, width, ellipsis)
    return Sized(replace(column, heading=heading, cells=cells), width)


def block_lines(block: Sequence[Sized], title: str, dash: str) -> list[str]:
    """A title, if there is one, the headings, a rule below each, and the rows."""
    depth = max(len(sized.texts.heading) for sized in block)
    headings = [[""] * (depth - len(sized.texts.heading)) + list(sized.texts.heading) for sized in block]
    lines = [title] if title else []
    lines += [joined_cells(line, block) for line in zip(*headings)]
    lines.append(GAP.join(dash * sized.width for sized in block))
    for row in zip(*(sized.texts.cells for sized in block)):
        cells = [
            wrapped_lines(cell, sized.width, whole_words=False) if sized.texts.prose else [cell]
            for cell, sized in zip(row, block)
        ]
        lines += [joined_cells(line, block) for line in zip_longest(*cells, fillvalue="")]
    return lines


def joined_cells(line: Sequence[str], block: Sequence[Sized]) -> str:
    """The cells of a line, numbers at the right of their columns and words at the left."""
    parts = []
    for cell, sized in zip(line, block):
        blanks = " " * (sized.width - display_width(cell))
        parts.append(blanks + cell if sized.texts.numbers else cell + blanks)
    return GAP.join(parts).rstrip()


def shortened_names(names: Sequence[str], width: int, ellipsis: str = "…") -> list[str]:
    """The names, those wider than `width` without their middle; names that differ still do.

    The cut is at the middle or, if that makes names alike, as near to it as keeps them apart.  Names that no cut keeps
    apart are numbered.
    """
    different = list(dict.fromkeys(names))
    if all(display_width(name) <= width for name in different):
        return list(names)
    kept = width - len(ellipsis)
    heads = sorted(range(kept + 1), key=lambda head: abs(2 * head - kept - 1))
    for head in heads:
        short = {name: without_middle(name, width, head, ellipsis) for name in different}
        if len(set(short.values())) == len(different):
            return [short[name] for name in names]
    taken = {name for name in different if display_width(name) <= width}
    short = {name: name for name in taken}
    for name in different:
        if name in taken:
            continue
        number, marker = 0, ellipsis
        while (text := without_middle(name, width, (width - len(marker) + 1) // 2, marker)) in taken:
            number += 1
            marker = f"{ellipsis}{number}{ellipsis}"
        short[name] = text
        taken.add(text)
    return [short[name] for name in names]


def without_middle(name: str, width: int, head: int, marker: str) -> str:
    """The name if it fits, else about `head` cells of it, the marker, and the end."""
    if display_width(name) <= width:
        return name
    tail = width - len(marker) - head
    end = beginning(name[::-1], tail)[::-1]
    while end and not display_width(end[0]):  # a combining character without its base
        end = end[1:]
    return beginning(name, head) + marker + end


def beginning(text: str, width: int) -> str:
    """As much of the text, from its beginning, as fits the width."""
    used = 0
    for k, character in enumerate(text):
        used += display_width(character)
        if used > width:
            return text[:k]
    return text


def wrapped_lines(text: str, width: int, *, whole_words: bool = True) -> list[str]:
    """The text broken between words; a word that is wider than a line stays whole, unless told otherwise."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if display_width(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
        while not whole_words and display_width(lines[-1]) > width:
            part = beginning(lines[-1], width) or lines[-1][0]
            lines[-1:] = [part, lines[-1][len(part) :]]
    return lines


def display_width(text: str) -> int:
    """The number of cells that a terminal shows the text in: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.category(character) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def visible(text: str) -> str:
    """The text with control characters, and bytes that are no text, written as Python writes them."""
    if text.isprintable():
        return text
    hidden = ("Cc", "Cs", "Zl", "Zp")
    return "".join(repr(c)[1:-1] if unicodedata.category(c) in hidden else c for c in text)
