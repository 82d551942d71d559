"""How numbers and lists are written in sentences and tables, and what both a view and a warning or an error say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan
from typing import Any, Literal


def p_value(share: float, resamples: int) -> str:
    """A p-value from resampling, as "0.0123" or "< 0.0001": a share of 0 only says that it is below 1 / resamples."""
    if isnan(share):
        return "undefined"
    if not share:
        return f"< {1 / resamples:.2g}"
    return f"{share:.4f}" if share >= 0.001 else f"{share:.2g}"


def p_equals(share: float, resamples: int) -> str:
    """A p-value in a sentence: "p = 0.0123" or "p < 0.0001"."""
    text = p_value(share, resamples)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def percent(share: float) -> str:
    """A share in whole per cent; never "0%" or "100%" unless it is exactly none or all."""
    if 0 < share <= 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


def counted(count: int, what: str) -> str:
    """A count with its noun: "1 topic", "2 topics"."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def in_thousands(count: int, what: str) -> str:
    """A count with its noun and its thousands apart: "1,000 topics"."""
    return f"1 {what}" if count == 1 else f"{count:,} {what}s"


def listed(names: Iterable[Any], most: int = 10) -> str:
    """Names separated by commas; the number of those left out beyond the first `most`."""
    texts = [str(name) for name in names]
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


def question(nearest: Iterable[Any]) -> str:
    """The question after a name that there is not: "; did you mean this or that?", or "" without near names."""
    meant = " or ".join(map(str, nearest))
    return f"; did you mean {meant}?" if meant else ""


def join_and(names: Iterable[Any]) -> str:
    """All names in a sentence: "a", "a and b", "a, b and c"."""
    *first, last = map(str, names)
    return f"{', '.join(first)} and {last}" if first else last


def coverage_clause(reason: Literal["systems", "topics", "difference"], least: int) -> str:
    """Why an interval may hold its target less often than its level says: a note of views, and a warning."""
    few = f"with fewer than {least} {reason}"
    where = "for a difference of coefficients in the population" if reason == "difference" else few
    return f"{where}, intervals hold their target less often than their level says"


def ties_by_rounding(names: Sequence[str], pairs: int) -> str:
    """Which columns have values that differ by rounding only: a note of views, a warning, and an error."""
    differ, ties = ("differs", "is a tie") if pairs == 1 else ("differ", "are ties")
    return f"{counted(pairs, 'pair')} of values of {listed(names, 5)} {differ} by rounding only, and {ties}"


def without_topics(absent: Sequence[tuple[str, tuple[Any, ...]]], most: int = 5) -> str:
    """Which runs have no documents for which topics: a note of views, and an error."""
    words = [f"{name} has no documents for the topic{'s' * (len(some) > 1)} {listed(some)}" for name, some in absent]
    more = len(words) - most
    return "; ".join(words[:most]) + (f"; and {more} more runs" if more > 0 else "")


def whole_if_whole(number: float) -> float | int:
    """A rank such as 3.0 as 3; 3.5 stays."""
    return int(number) if number == int(number) else float(number)
