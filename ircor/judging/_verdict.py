"""What the numbers say of a judge, in words that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import NamedTuple

from .._scores import Scores
from .._text import counted
from ..comparison._conclusion import ALPHA, Evidence, coefficient, verdict
from ..comparison._systems import tied_in_one
from ..rank_distance import DrankResult
from ..tables._intervals import Target
from ._bias import Bias
from ._coefficients import Coefficient
from ._significance import PairCounts


class OneMeasure(NamedTuple):
    """What a verdict needs to know of one measure.

    Attributes
    ----------
    measure : str
    truth, judge : Scores
    distance : DrankResult or None
        The rank distance and its test; None for leaderboards, and without a ranking.
    value : float
        The first coefficient.
    """

    measure: str
    truth: Scores
    judge: Scores
    distance: DrankResult | None
    value: float


def verdict_on(found: Sequence[OneMeasure], method: str, bias: Bias | None) -> str:
    """What follows for one judge: by which measures it ranks the systems otherwise, and whom it favours."""
    kinds: dict[str, list[str]] = {}
    for one in found:
        kinds.setdefault(kind_of(one, method), []).append(one.measure)
    said = [f"By {' and '.join(measures)}, {text}." for text, measures in kinds.items()]
    if any(one.distance is None and is_ranked(one) for one in found):
        said.append("Without topics, there is no interval and no test.")
    if bias is not None:
        said.append(bias.favour_said())
    return " ".join(said)


def is_ranked(found: OneMeasure) -> bool:
    return not unranked(found.truth, found.judge)


def unranked(*sides: Scores) -> list[str]:
    """The names of those that give all systems the same mean."""
    return [side.name for side in sides if side.means.min() == side.means.max()]


def kind_of(found: OneMeasure, method: str) -> str:
    """What is said of a measure; measures of which the same is said are named together."""
    truth, judge = found.truth.name, found.judge.name
    if names := unranked(found.truth, found.judge):
        return f"{' and '.join(names)} gives all systems the same score, which is no ranking"
    if found.distance is None:
        value = "undefined" if isnan(found.value) else f"{found.value:.3f}"
        return f"{method} between {truth} and {judge} is {value} over {counted(found.truth.m, 'system')}"
    other = f"by more than another sample of {counted(found.truth.n, 'topic')} explains"
    if found.distance.pvalue <= ALPHA:
        return f"{judge} ranks the systems differently from {truth}, {other}"
    return f"{judge} does not rank the systems differently from {truth} {other}"


TESTS = {
    "t": "paired t tests, Holm's correction",
    "randomisation": "paired randomisation tests, Holm's correction",
    "tukey": "Tukey's HSD with topics as blocks",
}
"""How significant pairs are found."""


def finding(
    measure: str,
    truth: Scores,
    judge: Scores,
    method: str,
    found: Coefficient,
    level: float,
    target: Target,
    distance: DrankResult | None,
    pairs: PairCounts | None,
    test: str,
) -> str:
    """The verdict of the test, the coefficient with its interval, and the significant pairs: a sentence each."""
    if names := unranked(truth, judge):
        same = f"{' and '.join(names)} gives all systems the same score"
        return f"{measure}: {same}, which is no ranking. There is nothing to compare, and no coefficient."
    evidence = Evidence(
        (truth.name, judge.name),
        (truth.n, judge.n),
        True,
        (),
        tied_in_one(truth, judge),
        found.value,
        found.low,
        found.high,
        level,
        target,
        distance,
        nan,
    )
    said = [verdict(evidence)]
    said.append(f"{method} is undefined: {found.reason}." if isnan(found.value) else coefficient(evidence, method))
    if pairs is not None:
        said.append(pairs_said(truth.name, judge.name, pairs, test))
    return f"{measure}: {' '.join(said)}"


def pairs_said(truth: str, judge: str, pairs: PairCounts, test: str) -> str:
    """How many of the significant pairs the judge finds."""
    if not pairs.significant:
        alone = f"; {judge} finds {pairs.extra}" if pairs.extra else ""
        return f"No pair of systems differs significantly under {truth} ({TESTS[test]}){alone}."
    many = "pair of systems that differs" if pairs.significant == 1 else "pairs of systems that differ"
    return (
        f"Of the {pairs.significant} {many} significantly under {truth} ({TESTS[test]}), {judge} finds {pairs.found}, "
        f"misses {pairs.missed} and reverses {pairs.reversed}; it finds {pairs.extra} that {truth} does not."
    )
