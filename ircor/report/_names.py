"""Names that fit the room there is: how wide they are about, and what is left out of those that are too wide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, takewhile
from unicodedata import combining, east_asian_width

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


def shortened(text: str, room: float) -> str:
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
    found = {name: shortened(name, room) for name in names}
    for _, members in groupby(sorted(found, key=lambda name: (found[name], name)), key=lambda name: found[name]):
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
            found[name] = shown.replace(2 * ELLIPSIS, ELLIPSIS)
    return found


def same_start(texts: Sequence[str]) -> int:
    """The number of letters that all texts begin with: those of the first and of the last in alphabetical order."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(min(texts), max(texts)))])
