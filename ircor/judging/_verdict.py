"""What the numbers say of a judge, in words that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import NamedTuple

from .._scores import Scores
from .._text import counted, in_a_row
from ..comparison._conclusion import ALPHA, Evidence, coefficient, verdict
from ..comparison._systems import tied_in_one
from ..rank_distance import DrankResult
from ..tables._intervals import Target
from ._bias import Bias
from ._coefficients import Coefficient
from ._significance import PairCounts

TESTS = {
    "t": "paired t tests, Holm's correction",
    "randomisation": "paired randomisation tests, Holm's correction",
    "tukey": "Tukey's HSD with topics as blocks",
}
"""How significant pairs are found."""


class OneMeasure(NamedTuple):
    """What is known of one judge under one measure.

    Attributes
    ----------
    measure : str
    truth, judge : Scores
    method : str
        The first coefficient.
    found : Coefficient
        Its value and interval.
    level, target
        Of the interval.
    distance : DrankResult or None
        The rank distance and its test; None for leaderboards, with too few topics, and without a ranking.
    pairs : PairCounts or None
        What the judge makes of the pairs that differ significantly; None for leaderboards and without a ranking.
    test : str
        How these were found.
    """

    measure: str
    truth: Scores
    judge: Scores
    method: str
    found: Coefficient
    level: float
    target: Target
    distance: DrankResult | None
    pairs: PairCounts | None
    test: str

    @property
    def has_topics(self) -> bool:
        return self.truth.n > 1

    @property
    def unranked(self) -> list[str]:
        """The names of those that give all systems the same score."""
        return [side.name for side in (self.truth, self.judge) if not side.ranks_systems]

    @property
    def evidence(self) -> Evidence:
        return Evidence(
            (self.truth.name, self.judge.name),
            (self.truth.n, self.judge.n),
            True,
            (),
            tied_in_one(self.truth, self.judge),
            self.found.value,
            self.found.low,
            self.found.high,
            self.level,
            self.target,
            self.distance,
            nan,
        )


def verdict_on(measures: Sequence[OneMeasure], bias: Bias | None) -> str:
    """What follows for one judge: by which measures it ranks the systems otherwise, and whom it favours."""
    kinds: dict[str, list[str]] = {}
    for one in measures:
        kinds.setdefault(kind_of(one), []).append(named(one))
    said = [f"By {in_a_row(names)}, {text}." for text, names in kinds.items()]
    if any(not one.has_topics and not one.unranked for one in measures):
        said.append("Without topics, there is no interval and no test.")
    untold = [one.measure for one in measures if one.pairs is not None and not one.pairs.significant]
    if untold:
        truth = measures[0].truth.name
        said.append(
            f"No two systems differ significantly by {in_a_row(untold)} under {truth} itself, so these topics can tell "
            "little about any judge."
        )
    if bias is not None:
        said.append(bias.favour_said())
    return " ".join(said)


def named(one: OneMeasure) -> str:
    """The measure, with the coefficient and its interval."""
    if isnan(one.found.value) or not one.has_topics:
        return one.measure
    interval = "" if isnan(one.found.low) else f", {one.found.low:.3f} to {one.found.high:.3f}"
    return f"{one.measure} ({one.method} {one.found.value:.3f}{interval})"


def kind_of(one: OneMeasure) -> str:
    """What is said of a measure; measures of which the same is said are named together."""
    truth, judge = one.truth.name, one.judge.name
    if one.unranked:
        return no_ranking(one.unranked)
    if not one.has_topics:
        value = f"undefined ({one.found.reason})" if isnan(one.found.value) else f"{one.found.value:.3f}"
        return f"{one.method} between {truth} and {judge} is {value} over {counted(one.truth.m, 'system')}"
    if one.distance is None:
        return f"{counted(one.truth.n, 'topic')} are too few to test the ranking of {judge}"
    if one.distance.statistic == 0:
        if tied := tied_in_one(one.truth, one.judge):
            are = "pair of systems is" if tied == 1 else "pairs of systems are"
            return f"{judge} contradicts no order of {truth}, but {tied} {are} tied in only one of them"
        return f"{judge} ranks the systems exactly as {truth}"
    other = f"by more than another sample of {counted(one.truth.n, 'topic')} explains"
    if one.distance.pvalue <= ALPHA:
        return f"{judge} ranks the systems differently from {truth}, {other}"
    return f"{judge} does not rank the systems differently from {truth} {other}"


def no_ranking(names: Sequence[str]) -> str:
    gives = "gives" if len(names) == 1 else "give"
    return f"{in_a_row(names)} {gives} all systems the same score, which is no ranking"


def finding(one: OneMeasure) -> str:
    """The verdict of the test, the coefficient with its interval, and the significant pairs: a sentence each."""
    if one.unranked:
        return f"{one.measure}: {no_ranking(one.unranked)}. There is nothing to compare, and no coefficient."
    said = [verdict(one.evidence)]
    if isnan(one.found.value):
        said.append(f"{one.method} is undefined: {one.found.reason}.")
    else:
        said.append(coefficient(one.evidence, one.method))
    if one.pairs is not None:
        said.append(pairs_said(one.truth.name, one.judge.name, one.pairs, one.test))
    return f"{one.measure}: {' '.join(said)}"


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
