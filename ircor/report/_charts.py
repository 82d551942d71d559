"""Charts as SVG: their widths are in per cent and their heights in pixels, so that letters keep their size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, floor, isfinite, log10
from typing import TypeAlias, TypeGuard
from unicodedata import east_asian_width

from .._result import general, signed
from ._markup import Markup, element, joined

# The slope chart in pixels: the height of all lines together, and the distance of two ranks.
HEIGHT, CLOSEST, FARTHEST = 900, 4, 24
# Above and below the lines; the least distance of two names.
HEAD, FOOT, NAME = 34, 12, 13
# The lines are between these per cents of the width, and this many systems at each end of a ranking are named first.
LEFT, RIGHT, ENDS = 30, 70, 5
# The most characters of a name at the side of the chart: in a wide window and on a telephone; and in the middle of it.
WIDE, NARROW, MIDDLE = 34, 12, 44

# The chart of intervals in pixels, and where its scale begins and ends, in per cent of the width.
ROW, BAR, AXIS = 36, 16, 26
START, END = 3, 97
# The most characters of a name in it: in a wide window and on a telephone.
LONGEST, SHORTEST = 80, 40

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


def slope(lines: Sequence[Line], labels: tuple[str, str], largest: Sequence[str] = ()) -> Markup:
    """Two rankings joined by lines; each line has its name when a pointer is on it.

    Where names would overlap, those at the ends and of the systems that move the most are kept.  The lines of `largest`
    are thick.
    """
    drawn = [line for line in lines if isfinite(line.left) and isfinite(line.right)]
    if not drawn:
        return Markup("")
    last = max(max(line.left, line.right) for line in drawn)
    step = min(FARTHEST, max(CLOSEST, HEIGHT / last))
    height = ceil(HEAD + step * (last - 1) + FOOT)

    def down(rank: float) -> float:
        return round(HEAD + step * (rank - 1), 2)

    items = [item(line, down, step, line.name in largest) for line in sorted(drawn, key=lambda one: abs(one.move))]
    heads = [heading(labels[0], f"{LEFT}%", "end"), heading(labels[1], f"{RIGHT}%", "start")]
    return element(
        "svg",
        *heads,
        *names_at([(line.left, line) for line in drawn], down, f"{LEFT - 1.5}%", "end"),
        *names_at([(line.right, line) for line in drawn], down, f"{RIGHT + 1.5}%", "start"),
        element("g", *items, class_="lines"),
        height=height,
        class_="slope",
        role="img",
        aria_label=f"The ranks of {len(drawn)} systems by {labels[0]}, at the left, and by {labels[1]}, at the right.",
    )


def item(line: Line, down: Place, step: float, thick: bool) -> Markup:
    """The line of a system: what is seen, what a pointer meets, and its name."""
    ends = {"x1": f"{LEFT}%", "y1": down(line.left), "x2": f"{RIGHT}%", "y2": down(line.right)}
    kind = "up" if line.move > 0 else "down" if line.move < 0 else "same"
    middle = max((down(line.left) + down(line.right)) / 2, 32)
    tip = element(
        "text",
        element("tspan", shortened(line.name, MIDDLE), x="50%"),
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


def names_at(placed: Sequence[tuple[float, Line]], down: Place, x: str, anchor: str) -> list[Markup]:
    """The names at one side, those of tied systems together, as far as they do not overlap."""
    places = [
        (rank, [line for _, line in tied])
        for rank, tied in groupby(sorted(placed, key=lambda one: one[0]), key=lambda one: one[0])
    ]
    ends = {*range(ENDS), *range(len(places) - ENDS, len(places))}
    urgent = sorted(range(len(places)), key=lambda k: (k not in ends, -max(abs(line.move) for line in places[k][1]), k))
    taken: list[float] = []
    kept = []
    for k in urgent:
        y = down(places[k][0])
        if all(abs(y - other) >= NAME for other in taken):
            taken.append(y)
            kept.append(k)
    return [
        ranked(" = ".join(line.name for line in places[k][1]), places[k][0], x, down(places[k][0]) + 4, anchor)
        for k in sorted(kept)
    ]


def either(name: str, lengths: tuple[int, int], draw: Callable[[str, str], Markup]) -> Markup:
    """A name as long as there is room for: in a wide window, and on a telephone."""
    wide, narrow = (shortened(name, length) for length in lengths)
    return draw(wide, "") if wide == narrow else joined(draw(wide, "wide"), draw(narrow, "narrow"))


def ranked(name: str, rank: float, x: str, y: float, anchor: str) -> Markup:
    """A name beside its rank, which is next to the lines."""
    number = element("tspan", general(rank), class_="soft")

    def draw(text: str, kind: str) -> Markup:
        parts = (text, "\N{NO-BREAK SPACE} ", number) if anchor == "end" else (number, "\N{NO-BREAK SPACE} ", text)
        return element("text", *parts, x=x, y=y, text_anchor=anchor, class_=kind or None)

    return either(name, (WIDE, NARROW), draw)


def heading(name: str, x: str, anchor: str) -> Markup:
    """What a side of the chart is called."""
    return either(
        name,
        (WIDE, NARROW - 1),  # which are bold
        lambda text, kind: element("text", text, x=x, y=16, text_anchor=anchor, class_=f"head {kind}".strip()),
    )


def shortened(text: str, most: int) -> str:
    """The text without its middle if it is too wide: names often differ at their ends.  Some letters are two wide."""
    widths = [2 if east_asian_width(letter) in "WF" else 1 for letter in text]
    if sum(widths) <= most:
        return text
    begin, end, room = 0, len(text), most - 1
    while True:
        k, front = (begin, True) if begin <= len(text) - end else (end - 1, False)
        if room < widths[k]:
            return f"{text[:begin]}\N{HORIZONTAL ELLIPSIS}{text[end:]}"
        room -= widths[k]
        begin, end = (begin + 1, end) if front else (begin, end - 1)


@dataclass(frozen=True)
class Interval:
    """A value with the ends of its interval; and how they are written: all, and the value alone."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    text: str
    short: str


def intervals(shown: Sequence[Interval], reference: float | None = None) -> Markup:
    """Points with their intervals, below each other on one scale; a dashed line at the reference."""
    drawn = [one for one in shown if is_finite(one.value)]
    if not drawn:
        return Markup("")
    ends = [end for one in drawn for end in (one.value, one.low, one.high) if is_finite(end)]
    ends += [] if reference is None else [reference]
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
    rows = []
    for k, one in enumerate(drawn):
        top = ROW * k + 14
        assert one.value is not None
        bar = []
        if is_finite(one.low) and is_finite(one.high):
            bar = [
                element(
                    "line", x1=across(one.low), x2=across(one.high), y1=top + BAR - 6, y2=top + BAR - 6, class_="bar"
                )
            ]
        rows.append(
            element(
                "g",
                element("title", f"{one.name}: {one.text}"),
                interval_name(one.name, top),
                element("text", one.text, x="100%", y=top, text_anchor="end", class_="soft wide"),
                element("text", one.short, x="100%", y=top, text_anchor="end", class_="soft narrow"),
                *bar,
                element("circle", cx=across(one.value), cy=top + BAR - 6, r=4.5, class_="dot"),
            )
        )
    said = "; ".join(f"{one.name}: {one.text}" for one in drawn)
    return element("svg", *grid, *below, *rows, height=bottom + AXIS, class_="intervals", role="img", aria_label=said)


def interval_name(name: str, y: float) -> Markup:
    return either(name, (LONGEST, SHORTEST), lambda text, kind: element("text", text, x="0", y=y, class_=kind or None))


def is_finite(value: float | None) -> TypeGuard[float]:
    return value is not None and isfinite(value)


def round_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten, from below the least to above the greatest number."""
    span = max(high - low, 0.01 * max(abs(low), abs(high), 0.1))
    power = 10.0 ** floor(log10(span / about))
    step = next(power * times for times in (1, 2, 5, 10) if span / (power * times) <= about)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [float(f"{k * step:.10g}") for k in range(min(first, last - 1), last + 1)]
