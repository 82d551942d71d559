"""What the numbers say of one judge under one measure, in words that follow from them."""

from __future__ import annotations

from math import isnan, nan

from .._scores import Scores
from .._text import counted
from ..comparison._conclusion import Evidence, coefficient, verdict
from ..comparison._systems import tied_in_one
from ..rank_distance import DrankResult
from ..tables._intervals import Target
from ._coefficients import Coefficient
from ._significance import PairCounts

TESTS = {
    "t": "paired t tests, Holm's correction",
    "randomisation": "paired randomisation tests, Holm's correction",
    "tukey": "Tukey's HSD with topics as blocks",
}
"""How significant pairs are found."""


def verdict_on(
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
    unranked = tuple(side.name for side in (truth, judge) if side.means.min() == side.means.max())
    if unranked:
        same = f"{' and '.join(unranked)} gives all systems the same score"
        return f"{measure}: {same}, which is no ranking. There is nothing to compare, and no coefficient."
    if distance is None:
        return f"{measure}: {board_said(truth, judge, method, found)}"
    evidence = Evidence(
        (truth.name, judge.name),
        (truth.n, judge.n),
        True,
        unranked,
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


def board_said(truth: Scores, judge: Scores, method: str, found: Coefficient) -> str:
    """What leaderboards alone say."""
    without = "A leaderboard has no topics, so there is no interval and no test."
    if isnan(found.value):
        return f"{method} between {truth.name} and {judge.name} is undefined: {found.reason}. {without}"
    over = counted(truth.m, "system")
    return f"{method} between {truth.name} and {judge.name} is {found.value:.3f} over {over}. {without}"


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
