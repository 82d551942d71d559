"""What a comparison of two rankings of systems says, in words that follow from its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

from .._text import counted, p_equals, percent
from ..rank_distance import DrankResult
from ..tables._intervals import Target

# The significance level of the verdict.
ALPHA = 0.05
# With two topics, the differences of systems have one direction only, and the rank distance is infinite or 0.
LEAST_TOPICS = 3


class Evidence(NamedTuple):
    """The numbers that a conclusion follows from.

    Attributes
    ----------
    names : pair of str
        What the two tables are called.
    topics : pair of int
        Their numbers of topics.
    same_topics : bool
        Whether these are the same topics.
    unranked : tuple of str
        The names of the tables in which all systems have the same mean.
    tied_in_one : int
        The number of pairs of systems that are tied in one of the rankings and not in the other.
    value, low, high : float
        The coefficient, usually tau_b, and its interval; nan if undefined.
    level : float
        The level of the interval.
    target : str
        What the interval is for.
    distance : DrankResult or None
        The two-sample test of the rank distance; None if a table ranks no systems, or the first has too few topics.
    power : float
        Of the pairs of systems that differ significantly in the first table, the share that the second orders alike;
        nan if no pair does.
    """

    names: tuple[str, str]
    topics: tuple[int, int]
    same_topics: bool
    unranked: tuple[str, ...]
    tied_in_one: int
    value: float
    low: float
    high: float
    level: float
    target: Target
    distance: DrankResult | None
    power: float


def conclusion(found: Evidence) -> str:
    """The verdict, the coefficient with its interval, and the pairs that differ significantly: a sentence each."""
    if found.unranked:
        return verdict(found)
    return " ".join([verdict(found), coefficient(found), pairs(found)])


def verdict(found: Evidence) -> str:
    """Whether the second ranking differs from the first by more than another sample of topics explains."""
    a, b = found.names
    if found.distance is None and not found.unranked:
        return f"{found.topics[0]} topics are too few to test the ranking: the rank distance needs {LEAST_TOPICS}."
    if found.distance is None:
        return f"All systems have the same mean in {' and in '.join(found.unranked)}, which is no ranking to compare."
    if found.distance.statistic == 0 and found.tied_in_one:
        tied = "pair of systems is" if found.tied_in_one == 1 else "pairs of systems are"
        return f"{b} contradicts no order of {a}, but {found.tied_in_one} {tied} tied in only one of them."
    if found.distance.statistic == 0:
        return f"{b} ranks the systems exactly as {a} does."
    test = f"d_rank = {found.distance.statistic:.3f}, {p_equals(found.distance.pvalue, found.distance.resamples)}"
    other = f"another sample of {counted(found.topics[1], 'topic')} explains ({test})"
    if found.distance.pvalue <= ALPHA:
        return f"{b} ranks the systems differently from {a}, by more than {other}."
    return f"{b} does not rank the systems differently from {a} by more than {other}."


def coefficient(found: Evidence, name: str = "tau_b") -> str:
    """The coefficient, with what its interval is for."""
    topics = counted(found.topics[0], "topic")
    if not found.same_topics:
        topics = f"{found.topics[0]} and {counted(found.topics[1], 'topic')}"
    covered, kind = {
        "expected": (f"its mean over samples of {topics} is", "confidence"),
        "sample": (f"in another sample of {topics} it is", "prediction"),
        "population": ("between the true means over all topics it is", "confidence"),
    }[found.target]
    low, high = f"{found.low:.3f}", f"{found.high:.3f}"
    interval = low if low == high else f"between {low} and {high}"
    return f"{name} is {found.value:.3f}; {covered} {interval} ({100 * found.level:g}% {kind} interval)."


def pairs(found: Evidence) -> str:
    """How many of the pairs that differ significantly are in the same order."""
    a, b = found.names
    if isnan(found.power):
        return f"No pair of systems differs significantly in {a}."
    return f"Of the pairs of systems that differ significantly in {a}, {b} orders {percent(found.power)} alike."


def reliability(rows: Sequence[Mapping[str, Any]], level: float) -> list[str]:
    """How close each ranking is expected to be to its own true one: one sentence, if there are any rows."""
    if not rows:
        return []
    interval = f"{100 * level:g}% interval "
    first, *others = rows
    said = (
        f"{first['source']} with {counted(first['topics'], 'topic')} is expected to rank the systems with tau "
        f"{first['expected']:.3f} to the truth ({interval}{first['low']:.3f} to {first['high']:.3f})"
    )
    for row in others:
        topics = f" with {counted(row['topics'], 'topic')}" if row["topics"] != first["topics"] else ""
        said += f", and {row['source']}{topics} with tau {row['expected']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
    truth = "The truth is the ranking by all topics there could be"
    return [f"{said}. {truth}{', of each by its own scores' if others else ''}."]
