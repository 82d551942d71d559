"""Charts as SVG: their widths are in per cent and their heights in pixels, so that letters keep their size."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, floor, isfinite, log10
from typing import NamedTuple, TypeAlias, TypeGuard

from .._result import general, signed
from ._markup import Markup, element, joined
from ._names import short_names, shortened, width

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
    def said(self) -> str:
        return f"rank {general(self.left)} \N{RIGHTWARDS ARROW} {general(self.right)} ({signed(self.move)})"


def slope(
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
        heading(heads[labels[0]], f"{LEFT}%", "end"),
        heading(heads[labels[1]], f"{RIGHT}%", "start"),
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
        element("tspan", shortened(line.name, PHONE / (LETTER + 3)), x="50%"),
        element("tspan", line.said, x="50%", dy="1.25em"),
        y=round(middle - 18, 2),
        class_="tip",
    )
    dots = [element("circle", cx=f"{x}%", cy=down(rank), r=2.6) for x, rank in ((LEFT, line.left), (RIGHT, line.right))]
    return element(
        "g",
        element("title", f"{line.name}: {line.said}"),
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
        return joined(draw(self.parts(self.wide), "wide"), draw(self.parts(self.narrow), "narrow"))

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


def heading(name: Choice, x: str, anchor: str) -> Markup:
    """What a side of the chart is called."""
    return name.drawn(
        lambda parts, kind: element("text", *parts, x=x, y=16, text_anchor=anchor, class_=f"head {kind}".strip())
    )


@dataclass(frozen=True)
class Interval:
    """A value with the ends of its interval; and how they are written: all, and the value alone."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    text: str
    short: str


def intervals(
    shown: Sequence[Interval],
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
    ticks = round_ticks(min(ends), max(ends))
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
    said = "; ".join(f"{one.name}: {one.text}" for one in drawn)
    return element("svg", *grid, *below, *rows, height=bottom + AXIS, class_="intervals", role="img", aria_label=said)


def row(one: Interval, name: Choice, top: float, across: Callable[[float], str]) -> Markup:
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


def room_of_rows(shown: Sequence[Interval], chart: float) -> float:
    """How wide a name above a bar can be, beside the widest numbers."""
    texts = [one.short if chart == PHONE else one.text for one in shown]
    return (chart - APART) / LETTER - max(map(width, texts))


def rows_fit_beside(shown: Sequence[Interval]) -> bool:
    """Whether a chart beside another one has room for all names."""
    return not shown or max(width(one.name) for one in shown) <= room_of_rows(shown, BESIDE)


def is_finite(value: float | None) -> TypeGuard[float]:
    return value is not None and isfinite(value)


def round_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten, from below the least to above the greatest number."""
    span = max(high - low, 0.01 * max(abs(low), abs(high), 0.1))
    power = 10.0 ** floor(log10(span / about))
    step = next(power * times for times in (1, 2, 5, 10) if span / (power * times) <= about)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [float(f"{k * step:.10g}") for k in range(min(first, last - 1), last + 1)]
