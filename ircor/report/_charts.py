"""Names that fit the room there is: how wide they are about, and what is left out of those that are too wide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from math import ceil, floor, inf, isfinite, log10
from typing import NamedTuple, TypeAlias, TypeGuard
from unicodedata import combining, east_asian_width

from .._core.text import listed
from ..show.tables import Table, general, signed
from ._page import Markup, beside, displayed_cell, element, is_undefined, joined_markup

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

# The widths of letters in DejaVu Sans, one of the widest fonts that a page may be shown in, rounded up.
THIN = frozenset("fijlrtI .,:;'|!()[]/\\-")
BROAD = frozenset("mwMW@%&=+<>#~^" + ELLIPSIS)


def width(text: str) -> float:
    """About how wide a text is at most, in units of the size of its letters."""
    return sum(map(letter_width, text))


def letter_width(letter: str) -> float:
    if letter in THIN:
        return 0.42
    if letter in BROAD:
        return 1.0
    if letter.isascii():
        return 0.79 if letter.isupper() else 0.64
    if combining(letter):
        return 0.0
    return 1.1 if east_asian_width(letter) in "WF" else 0.8


def shortened_name(text: str, room: float) -> str:
    """The text without its middle if it is too wide: names often differ at their ends."""
    if width(text) <= room:
        return text
    begin, end, left = 0, len(text), room - letter_width(ELLIPSIS)
    while True:
        k, front = (begin, True) if begin <= len(text) - end else (end - 1, False)
        left -= letter_width(text[k])
        if left < 0:
            return f"{text[:begin]}{ELLIPSIS}{text[end:]}"
        begin, end = (begin + 1, end) if front else (begin, end - 1)


def short_names(names: Iterable[str], room: float) -> dict[str, str]:
    """Each name, shortened to the room; what differs is kept where different names would become the same.

    These lose what they all begin and end with.  So they are not all the same then, and fewer are left to be told apart
    in the same way, until there is no room for even one letter.
    """
    short = {name: shortened_name(name, room) for name in names}
    for _, members in groupby(sorted(short, key=lambda name: (short[name], name)), key=lambda name: short[name]):
        alike = list(members)
        inside = room - 2 * letter_width(ELLIPSIS)
        if len(alike) == 1 or inside < 1:
            continue
        begin = same_start(alike)
        end = same_start([name[begin:][::-1] for name in alike])
        cores = {name: name[begin : len(name) - end] for name in alike}
        shorter = short_names(cores.values(), inside)
        for name, core in cores.items():
            shown = f"{ELLIPSIS if begin else ''}{shorter[core]}{ELLIPSIS if end else ''}"
            short[name] = shown.replace(2 * ELLIPSIS, ELLIPSIS)
    return short


def same_start(texts: Sequence[str]) -> int:
    """The number of letters that all texts begin with: those of the first and of the last in alphabetical order."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(min(texts), max(texts)))])


# The least widths of a chart in pixels: alone in a wide window, beside another one, and on a telephone.  The style puts
# charts beside each other, and shows what is for telephones, so that they hold.
ALONE, BESIDE, PHONE = 656, 480, 328
# The sizes of the letters of names and of headings, which are bold and therefore wider.
LETTER, BOLD = 11.5, 12.5 * 1.13

# The slope chart in pixels: the height of all lines together, and the distance of two ranks.
HEIGHT, CLOSEST, FARTHEST = 900, 4, 24
# Above and below the lines; the least distance of two names.
HEAD, FOOT, NAME = 34, 12, 13
# The lines are between these per cents of the width, names are this far away from them, and this many systems at each
# end of a ranking are named first.
LEFT, RIGHT, GAP, ENDS = 34, 66, 1.5, 5
# Between a rank and a name.
BLANK = "\N{NO-BREAK SPACE} "

# The chart of intervals in pixels, and where its scale begins and ends, in per cent of the width.
ROW, BAR, AXIS = 36, 16, 26
START, END = 8, 92
# What the scale of coefficients covers, so that charts can be compared.
COVERED = (0.0, 1.0)
# The least distance of a name and a number above a bar, in pixels.
APART = 12

Place: TypeAlias = Callable[[float], float]
"""How far down a rank is."""


@dataclass(frozen=True)
class Line:
    """A system in two rankings."""

    name: str
    left: float
    right: float

    @property
    def move(self) -> float:
        """How many ranks it gains."""
        return self.left - self.right

    @property
    def text(self) -> str:
        return f"rank {general(self.left)} \N{RIGHTWARDS ARROW} {general(self.right)} ({signed(self.move)})"


def slope_chart(
    lines: Sequence[Line], labels: tuple[str, str], largest: Sequence[str] = (), least_width: float = ALONE
) -> Markup:
    """Two rankings joined by lines; each line has its name when a pointer is on it.

    Where names would overlap, those at the ends and of the systems that move the most are kept.  The lines of `largest`
    are thick.  Names are as long as a chart of the least width has room for.
    """
    drawn = [line for line in lines if isfinite(line.left) and isfinite(line.right)]
    if not drawn:
        return Markup("")
    last = max(max(line.left, line.right) for line in drawn)
    step = min(FARTHEST, max(CLOSEST, HEIGHT / last))
    height = ceil(HEAD + step * (last - 1) + FOOT)

    def down(rank: float) -> float:
        return round(HEAD + step * (rank - 1), 2)

    sizes = (least_width, PHONE)
    names = choices([line.name for line in drawn], [room_of_names(drawn, size) for size in sizes])
    heads = choices(labels, [LEFT / 100 * size / BOLD for size in sizes])
    sides = [
        names_at([(line.left, line.right, line) for line in drawn], names, down, f"{LEFT - GAP}%", "end"),
        names_at([(line.right, line.left, line) for line in drawn], names, down, f"{RIGHT + GAP}%", "start"),
    ]
    items = [item(line, down, step, line.name in largest) for line in sorted(drawn, key=lambda one: abs(one.move))]
    return element(
        "svg",
        side_heading(heads[labels[0]], f"{LEFT}%", "end"),
        side_heading(heads[labels[1]], f"{RIGHT}%", "start"),
        *sides[0],
        *sides[1],
        element("g", *items, class_="lines"),
        height=height,
        class_="slope",
        role="img",
        aria_label=f"The ranks of {len(drawn)} systems by {labels[0]}, at the left, and by {labels[1]}, at the right.",
    )


def fits_beside(lines: Sequence[Line], labels: tuple[str, str]) -> bool:
    """Whether a chart beside another one has room for all names."""
    room = room_of_names(lines, BESIDE)
    return all(width(line.name) <= room for line in lines) and all(
        width(label) <= LEFT / 100 * BESIDE / BOLD for label in labels
    )


def room_of_names(lines: Sequence[Line], chart: float) -> float:
    """How wide a name at the side of a chart can be, beside the widest rank."""
    rank = max((width(general(rank)) for line in lines for rank in (line.left, line.right)), default=0)
    return (LEFT - GAP) / 100 * chart / LETTER - width(BLANK) - rank


def item(line: Line, down: Place, step: float, thick: bool) -> Markup:
    """The line of a system: what is seen, what a pointer meets, and its name."""
    ends = {"x1": f"{LEFT}%", "y1": down(line.left), "x2": f"{RIGHT}%", "y2": down(line.right)}
    kind = "up" if line.move > 0 else "down" if line.move < 0 else "same"
    middle = max((down(line.left) + down(line.right)) / 2, 32)
    tip = element(
        "text",
        element("tspan", shortened_name(line.name, PHONE / (LETTER + 3)), x="50%"),
        element("tspan", line.text, x="50%", dy="1.25em"),
        y=round(middle - 18, 2),
        class_="tip",
    )
    dots = [element("circle", cx=f"{x}%", cy=down(rank), r=2.6) for x, rank in ((LEFT, line.left), (RIGHT, line.right))]
    return element(
        "g",
        element("title", f"{line.name}: {line.text}"),
        element("line", **ends, class_="hit", stroke_width=max(8, min(14, step))),
        element("line", **ends, class_="seen"),
        *dots,
        tip,
        class_=f"item {kind}{' most' if thick else ''}",
    )


def names_at(
    placed: Sequence[tuple[float, float, Line]], names: Mapping[str, Choice], down: Place, x: str, anchor: str
) -> list[Markup]:
    """The names at one side, given the rank there and the other rank, as far as they do not overlap.

    Tied systems have the mean of the ranks that they take up: each name stands at one of these, beside the mean.
    """
    places = []
    for rank, tied in groupby(sorted(placed, key=lambda one: one[:2]), key=lambda one: one[0]):
        members = [line for _, _, line in tied]
        first = rank - (len(members) - 1) / 2
        places += [(down(first + k), rank, line) for k, line in enumerate(members)]
    ends = {*range(ENDS), *range(len(places) - ENDS, len(places))}
    urgent = sorted(range(len(places)), key=lambda k: (k not in ends, -abs(places[k][2].move), k))
    kept: list[int] = []
    for k in urgent:
        if all(abs(places[k][0] - places[other][0]) >= NAME for other in kept):
            kept.append(k)
    return [
        ranked(names[line.name], rank, x, round(y + 4, 2), anchor)
        for y, rank, line in (places[k] for k in sorted(kept))
    ]


class Choice(NamedTuple):
    """A name, and what is shown of it: in a wide window, and on a telephone."""

    name: str
    wide: str
    narrow: str

    def drawn(self, draw: Callable[[Sequence[object], str], Markup]) -> Markup:
        """The one or the other; a pointer on a short one meets the whole name."""
        if self.wide == self.narrow:
            return draw(self.parts(self.wide), "")
        return joined_markup(draw(self.parts(self.wide), "wide"), draw(self.parts(self.narrow), "narrow"))

    def parts(self, text: str) -> list[object]:
        return [text] if text == self.name else [element("title", self.name), text]


def choices(names: Sequence[str], rooms: Sequence[float]) -> dict[str, Choice]:
    """Names for the room in a wide window and on a telephone."""
    wide, narrow = (short_names(names, room) for room in rooms)
    return {name: Choice(name, wide[name], narrow[name]) for name in names}


def ranked(name: Choice, rank: float, x: str, y: float, anchor: str) -> Markup:
    """A name beside its rank, which is next to the lines."""
    number = element("tspan", general(rank), class_="soft")

    def draw(parts: Sequence[object], kind: str) -> Markup:
        *title, text = parts
        shown = (text, BLANK, number) if anchor == "end" else (number, BLANK, text)
        return element("text", *title, *shown, x=x, y=y, text_anchor=anchor, class_=kind or None)

    return name.drawn(draw)


def side_heading(name: Choice, x: str, anchor: str) -> Markup:
    """The name of a side of the chart."""
    return name.drawn(
        lambda parts, kind: element("text", *parts, x=x, y=16, text_anchor=anchor, class_=f"head {kind}".strip())
    )


@dataclass(frozen=True)
class IntervalRow:
    """A value with the ends of its interval; and how they are written: all, and the value alone."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    text: str
    short: str


def interval_chart(
    shown: Sequence[IntervalRow],
    covered: Sequence[float] = (),
    reference: float | None = None,
    least_width: float = ALONE,
) -> Markup:
    """Points with their intervals, below each other on one scale; a dashed line at the reference.

    The scale covers all of these, the reference and the numbers of `covered`.
    """
    drawn = [one for one in shown if is_finite(one.value)]
    if not drawn:
        return Markup("")
    ends = [end for one in drawn for end in (one.value, one.low, one.high) if is_finite(end)]
    ends += [*covered, *([] if reference is None else [reference])]
    ticks = round_scale(min(ends), max(ends))
    bottom = ROW * len(drawn) + 6

    def across(value: float) -> str:
        return f"{START + (END - START) * (value - ticks[0]) / (ticks[-1] - ticks[0]):.2f}%"

    grid = [element("line", x1=across(tick), x2=across(tick), y1=0, y2=bottom, class_="grid") for tick in ticks]
    if reference is not None:
        grid.append(element("line", x1=across(reference), x2=across(reference), y1=0, y2=bottom, class_="zero"))
    below = [
        element("text", f"{tick:g}", x=across(tick), y=bottom + 15, text_anchor="middle", class_="soft")
        for tick in ticks
    ]
    names = choices([one.name for one in drawn], [room_of_rows(drawn, size) for size in (least_width, PHONE)])
    rows = [row(one, names[one.name], ROW * k + 14, across) for k, one in enumerate(drawn)]
    label = "; ".join(f"{one.name}: {one.text}" for one in drawn)
    return element("svg", *grid, *below, *rows, height=bottom + AXIS, class_="intervals", role="img", aria_label=label)


def row(one: IntervalRow, name: Choice, top: float, across: Callable[[float], str]) -> Markup:
    """A point with its interval, below its name and its numbers."""
    assert one.value is not None
    bar = []
    if is_finite(one.low) and is_finite(one.high):
        ends = {"x1": across(one.low), "x2": across(one.high), "y1": top + BAR - 6, "y2": top + BAR - 6}
        bar = [element("line", **ends, class_="bar")]
    return element(
        "g",
        element("title", f"{one.name}: {one.text}"),
        name.drawn(lambda parts, kind: element("text", parts[-1], x=2, y=top, class_=kind or None)),
        element("text", one.text, x="100%", y=top, text_anchor="end", class_="soft wide"),
        element("text", one.short, x="100%", y=top, text_anchor="end", class_="soft narrow"),
        *bar,
        element("circle", cx=across(one.value), cy=top + BAR - 6, r=4.5, class_="dot"),
    )


def room_of_rows(shown: Sequence[IntervalRow], chart: float) -> float:
    """How wide a name above a bar can be, beside the widest numbers."""
    texts = [one.short if chart == PHONE else one.text for one in shown]
    return (chart - APART) / LETTER - max(map(width, texts))


def rows_fit_beside(shown: Sequence[IntervalRow]) -> bool:
    """Whether a chart beside another one has room for all names."""
    return not shown or max(width(one.name) for one in shown) <= room_of_rows(shown, BESIDE)


def is_finite(value: float | None) -> TypeGuard[float]:
    return value is not None and isfinite(value)


# The most steps of a scale.
STEPS = 5


def round_scale(low: float, high: float) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten, from below the least to above the greatest number."""
    span = max(high - low, 0.01 * max(abs(low), abs(high), 0.1))
    power = 10.0 ** floor(log10(span / STEPS))
    step = next(power * times for times in (1, 2, 5, 10) if span / (power * times) <= STEPS)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [float(f"{k * step:.10g}") for k in range(min(first, last - 1), last + 1)]


@dataclass(frozen=True)
class Keys:
    """The columns of a table of systems: its name, and mean and rank in the two rankings."""

    system: str
    means: tuple[str, str]
    ranks: tuple[str, str]
    move: str


def lines_of(table: Table, keys: Keys) -> list[Line]:
    """The systems that have a rank in both rankings."""
    systems = ([row[key] for key in (keys.system, *keys.ranks)] for row in table.records())
    return [
        Line(str(name), float(left), float(right))
        for name, left, right in systems
        if is_finite(left) and is_finite(right)
    ]


def board(table: Table, keys: Keys, side: int, score: str = "mean") -> Table:
    """The leaderboard of one side, the best first; that of the second has the first rank and the move too."""
    wanted = [keys.ranks[side], keys.system, keys.means[side], *((keys.ranks[0], keys.move) if side else ())]
    by_key = {column.key: column for column in table.columns}
    titles = {keys.ranks[0]: "from\nrank", keys.ranks[side]: "rank", keys.means[side]: score}
    columns = [replace(by_key[key], title=titles.get(key, by_key[key].title)) for key in wanted]
    rank = columns[0].cell
    rows = sorted(table.rows, key=lambda row: inf if is_undefined(rank(row)) else rank(row))
    return Table(table.key, columns, rows)


def move_sentences(lines: Sequence[Line], names: tuple[str, str]) -> list[str]:
    """The largest drop and the largest move, in words; systems that move as far are all named."""
    if not lines:
        return []
    drop, farthest = min(line.move for line in lines), max(abs(line.move) for line in lines)
    if not farthest:
        return [f"No system has another rank in {names[1]} than in {names[0]}."]
    moved = sum(line.move != 0 for line in lines)
    sentences = [f"{moved} of {len(lines)} systems have another rank in {names[1]} than in {names[0]}."]
    sentences.append(f"Largest drop{who(lines, lambda line: line.move == drop)}" if drop < 0 else "No system drops.")
    return [*sentences, f"Largest move{who(lines, lambda line: abs(line.move) == farthest)}"]


def who(lines: Sequence[Line], condition: Callable[[Line], bool]) -> str:
    """How far the chosen systems move, and which they are."""
    movers = [line for line in lines if condition(line)]
    each = [f"{line.name} (from {general(line.left)} to {general(line.right)})" for line in movers]
    far = abs(movers[0].move)
    return f", by {general(far)} {'rank' if far == 1 else 'ranks'}: {listed(each)}."


def largest(lines: Sequence[Line]) -> list[str]:
    """The systems with the largest drop and the largest move."""
    ends = [min((line.move for line in lines), default=0), max((abs(line.move) for line in lines), default=0)]
    return [line.name for line in lines if line.move and (line.move == ends[0] or abs(line.move) == ends[1])]


def slope_figure(lines: Sequence[Line], names: tuple[str, str], least_width: float = ALONE) -> Markup:
    """The slope chart with its legend."""
    drawn = slope_chart(lines, names, largest(lines), least_width)
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


def interval_rows(table: Table, name: Callable[[Mapping[str, str]], str], value: str = "value") -> list[IntervalRow]:
    """The values of a table with their intervals.

    `name` says what a row is about, given the texts of its cells that are not empty.
    """
    shown = []
    for k, row in enumerate(table.records()):
        texts = {key: displayed_cell(table, k, key) for key, cell in row.items() if cell not in (None, "")}
        if value in texts:
            ends = f" ({texts['low']} to {texts['high']})" if {"low", "high"} <= texts.keys() else ""
            shown.append(
                IntervalRow(name(texts), row[value], row["low"], row["high"], texts[value] + ends, texts[value])
            )
    return shown


def interval_figure(
    shown: Sequence[IntervalRow],
    caption: str,
    covered: Sequence[float] = (),
    reference: float | None = None,
    least_width: float = ALONE,
) -> list[Markup]:
    """A chart of values with their intervals; [] if there is none."""
    chart = interval_chart(shown, covered, reference, least_width)
    return [element("figure", chart, element("figcaption", caption))] if chart else []


def interval_figures(
    charts: Mapping[str, Sequence[IntervalRow]],
    caption: str,
    covered: Sequence[float] = (),
    reference: float | None = None,
) -> list[Markup]:
    """Charts with their titles: beside each other if all names have room there, else below each other."""
    narrow = all(map(rows_fit_beside, charts.values()))
    least = BESIDE if narrow else ALONE
    drawn = {title: interval_figure(shown, caption, covered, reference, least) for title, shown in charts.items()}
    parts = [element("div", element("h3", title), *chart) for title, chart in drawn.items() if chart]
    return beside(parts) if narrow else parts
