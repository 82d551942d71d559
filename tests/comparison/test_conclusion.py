"""Conclusions: what they say is read back, number by number, and compared with the evidence."""

import re
from itertools import product
from math import inf, isnan, nan
from typing import NamedTuple

import numpy as np
import pytest

from ircor._core.methods import METHODS
from ircor.comparison import Comparison
from ircor.comparison._compare import CoefficientInterval, OwnReliability, SignificantPairs
from ircor.rank_distance import DrankResult, Verdict
from ircor.reliability import Estimate
from ircor.statistics import Significance

ALPHA = 0.05

NUMBER = r"(-?\d+(?:\.\d+)?|inf)"


def rank_distance(statistic=2.5, pvalue=0.2, resamples=2000):
    return DrankResult(
        statistic, pvalue, ("s", "t"), np.zeros(1), (), "two-sample", 40, resamples, ridge=0.0, shrinkage=0.1, seed=1
    )


class Evidence(NamedTuple):
    names: tuple
    topics: tuple
    same_topics: bool
    unranked: tuple
    tied_in_one: int
    value: float
    low: float
    high: float
    level: float
    target: str
    distance: DrankResult | None
    power: float

    def comparison(self, own=()):
        if self.unranked:
            kind = "no ranking"
        elif self.distance.statistic == 0:
            kind = "ties differ" if self.tied_in_one else "same order"
        else:
            kind = "different" if self.distance.pvalue <= ALPHA else "not different"
        interval = CoefficientInterval(METHODS["tau_b"], self.value, self.low, self.high)
        tests = Significance(np.array([[0, 1], [-1, 0]], np.int8), np.ones((2, 2)), "t", ALPHA)
        return Comparison(
            names=self.names,
            moves=(),
            intervals=(interval,),
            verdict=Verdict(kind, self.names, self.topics, self.unranked, self.tied_in_one, self.distance, ALPHA, 3),
            significant=SignificantPairs(tests, self.power, 0.9, ()),
            reliabilities=tuple(own),
            target=self.target,
            level=self.level,
            resamples=10_000,
            seed=1,
            same_topics=self.same_topics,
            caveat=None,
            sides=(),
        )


def conclusion(found):
    return found.comparison().conclusion


def evidence(**changes):
    given = {
        "names": ("map", "P_10"),
        "topics": (50, 50),
        "same_topics": True,
        "unranked": (),
        "tied_in_one": 0,
        "value": 0.7654,
        "low": 0.6543,
        "high": 0.8765,
        "level": 0.95,
        "target": "expected",
        "distance": rank_distance(),
        "power": 0.984,
    }
    return Evidence(**given | changes)


def sentences(text):
    """A sentence ends with a full stop before a capital letter or the end; figures and names have no such stops."""
    assert text.endswith(".")
    assert "nan" not in text
    assert "  " not in text
    return re.split(r"(?<=\.) (?=[A-Zt])", text)


def assert_true(found, text=None):
    """Check each sentence of the conclusion, or of another text, against the evidence."""
    said = sentences(conclusion(found) if text is None else text)
    assert_verdict(found, said[0])
    if found.unranked:
        assert len(said) == 1
        return
    _, coefficient, pairs = said
    assert_coefficient(found, coefficient)
    assert_pairs(found, pairs)


def assert_verdict(found, said):
    a, b = found.names
    if found.unranked:
        gives = "gives" if len(found.unranked) == 1 else "give"
        assert said == f"{' and '.join(found.unranked)} {gives} all systems the same score, which is no ranking."
        return
    assert b in said
    assert a in said
    distance, p = found.distance.statistic, found.distance.pvalue
    # Which of the four it is.
    kinds = {
        "as": "exactly as" in said,
        "ties": "tied" in said,
        "not": "does not rank the systems differently" in said,
        "differs": "ranks the systems differently" in said,
    }
    (kind,) = (name for name, it_is in kinds.items() if it_is)
    if distance == 0:
        assert kind == ("ties" if found.tied_in_one else "as")
        figures = [int(figure) for figure in re.findall(r"\b(\d+) pairs? of systems", said)]
        assert figures == ([found.tied_in_one] if found.tied_in_one else [])
        if found.tied_in_one:
            assert ("1 pair of systems is tied" in said) == (found.tied_in_one == 1)
            assert ("pairs of systems are tied" in said) == (found.tied_in_one > 1)
            assert "contradicts no order" in said
        return
    assert kind == ("differs" if p <= 0.05 else "not")
    assert re.findall("another sample of (.*) explains", said) == [topics(found.topics[1])]
    ((d, sign, read),) = re.findall(rf"\(d_rank = {NUMBER}, p (=|<) {NUMBER}(?:e-\d+)?\)", said) or [("", "", "")]
    assert sign == "="
    assert float(d) == pytest.approx(distance, abs=0.0005)
    assert float(read) == pytest.approx(p, abs=0.00005) or "e-" in said


def topics(count):
    return "1 topic" if count == 1 else f"{count} topics"


def assert_coefficient(found, said):
    assert float(re.match(f"tau_b is {NUMBER}; ", said)[1]) == pytest.approx(found.value, abs=0.0005)
    per_cent, kind = re.search(rf"\({NUMBER}% (\w+) interval\)\.$", said).groups()
    assert float(per_cent) / 100 == pytest.approx(found.level)
    assert kind == {"expected": "confidence", "sample": "prediction", "population": "confidence"}[found.target]
    between = re.search(f"between {NUMBER} and {NUMBER} ", said)
    if between is None:
        ends = re.findall(f"is {NUMBER} ", said)
        assert len(ends) == 1
        ends *= 2
    else:
        ends = between.groups()
        assert ends[0] != ends[1]
    assert [float(end) for end in ends] == pytest.approx([found.low, found.high], abs=0.0005)
    assert ("mean over samples" in said) == (found.target == "expected")
    assert ("another sample" in said) == (found.target == "sample")
    assert ("true means over all topics" in said) == (found.target == "population")
    named = re.findall(r"samples? of (?:(\d+) and )?(\d+) (topics?)\b", said)
    if found.target == "population":
        assert named == []
        return
    ((first, last, noun),) = named
    if found.same_topics:
        assert (first, f"{last} {noun}") == ("", topics(found.topics[0]))
    else:
        assert (int(first), int(last)) == found.topics


def assert_pairs(found, said):
    a, b = found.names
    assert f"in {a}" in said
    if isnan(found.power):
        assert said.startswith("No pair ")
        assert "%" not in said
        return
    assert b in said
    sign, share = re.search(r"orders ([<>]?)(\d+)% alike", said).groups()
    if sign == ">":
        assert int(share) / 100 < found.power < 1
    elif sign == "<":
        assert 0 < found.power < int(share) / 100
    else:
        assert int(share) / 100 == pytest.approx(found.power, abs=0.005)
        assert (share == "100") == (found.power == 1)
        assert (share == "0") == (found.power == 0)


DISTANCES = [
    rank_distance(0.0, 1.0),
    rank_distance(2.5, 0.2),
    rank_distance(2.5, 0.05),
    rank_distance(2.5, 0.0501),
    rank_distance(2.5, 1 / 2001),
    rank_distance(0.0004, 0.99),
    rank_distance(inf, 1 / 2001),
    rank_distance(12.3456, 0.0476, 20),
]


@pytest.mark.parametrize("target", ["expected", "sample", "population"])
@pytest.mark.parametrize("distance", DISTANCES, ids=lambda test: f"{test.statistic}, {test.pvalue:.2g}")
def test_every_conclusion_is_true_of_its_numbers(target, distance):
    for tied, same, power, counts, ends in product(
        (0, 1, 7),
        (True, False),
        (nan, 0.0, 0.001, 0.5, 0.984, 0.999, 1.0),
        ((50, 50), (50, 25), (1, 1)),
        ((0.6543, 0.8765), (1.0, 1.0), (-0.2, 0.1), (0.99999, 1.0)),
    ):
        if same and counts[0] != counts[1]:
            continue
        assert_true(
            evidence(
                target=target,
                distance=distance,
                tied_in_one=tied,
                same_topics=same,
                power=power,
                topics=counts,
                low=ends[0],
                high=ends[1],
                value=ends[1],
            )
        )


@pytest.mark.parametrize("unranked", [("map",), ("P_10",), ("map", "P_10")])
def test_tables_that_rank_no_systems(unranked):
    for power in (nan, 0.0):
        assert_true(evidence(unranked=unranked, distance=None, value=nan, low=nan, high=nan, power=power))


def test_the_level_is_said():
    for level in (0.5, 0.9, 0.999):
        assert_true(evidence(level=level))


def test_names_are_used_as_they_are():
    found = evidence(names=("nDCG@10 (new)", "RR"))
    assert_true(found)
    assert conclusion(found).count("RR") == 2
    assert conclusion(found).count("nDCG@10 (new)") == 2


def test_a_reader_would_notice_what_is_wrong():
    """The checks above fail for the conclusion of other evidence."""
    found = evidence()
    for change in (
        {"distance": rank_distance(2.5, 0.01)},
        {"distance": rank_distance(2.4, 0.2)},
        {"distance": rank_distance(2.5, 0.21)},
        {"distance": rank_distance(0.0, 1.0)},
        {"distance": rank_distance(0.0, 1.0), "tied_in_one": 2},
        {"target": "sample"},
        {"target": "population"},
        {"topics": (49, 49)},
        {"same_topics": False},
        {"value": 0.76},
        {"low": 0.65},
        {"high": 0.88},
        {"level": 0.9},
        {"power": 0.97},
        {"power": nan},
        {"power": 1.0},
        {"names": ("P_10", "map")},
        {"unranked": ("map",), "distance": None},
    ):
        other = found._replace(**change)
        assert_true(other)
        with pytest.raises((AssertionError, ValueError)):
            assert_true(found, conclusion(other))


def test_some_conclusions_in_full():
    assert conclusion(evidence()) == (
        "P_10 does not rank the systems differently from map by more than another sample of 50 topics explains "
        "(d_rank = 2.500, p = 0.2000). tau_b is 0.765; its mean over samples of 50 topics is between 0.654 and 0.876 "
        "(95% confidence interval). Of the 1 pair of systems that differs significantly in map (paired t tests, "
        "Holm's correction), P_10 orders 98% alike."
    )
    found = evidence(
        distance=rank_distance(inf, 1 / 2001),
        topics=(50, 25),
        same_topics=False,
        target="sample",
        low=1.0,
        high=1.0,
        power=nan,
    )
    assert conclusion(found) == (
        "P_10 ranks the systems differently from map, by more than another sample of 25 topics explains "
        "(d_rank = inf, p = 0.0005). tau_b is 0.765; in another sample of 50 and 25 topics it is 1.000 "
        "(95% prediction interval). No pair of systems differs significantly in map (paired t tests, "
        "Holm's correction)."
    )
    found = evidence(unranked=("map", "P_10"), distance=None)
    assert conclusion(found) == "map and P_10 give all systems the same score, which is no ranking."


def reliable(source, topics=50, expected=0.8976, low=0.8693, high=0.9221):
    return OwnReliability(source, topics, Estimate(expected, low, high), ())


def reliability(own, level):
    return evidence(level=level).comparison(own).sentences()[1:]


def test_the_reliability_of_both_in_full():
    assert reliability([reliable("map"), reliable("P_10", 50, 0.8, 0.7, 0.85)], 0.95) == [
        "map with 50 topics is expected to rank the systems with tau 0.898 to the truth (95% interval 0.869 to 0.922), "
        "and P_10 with tau 0.800 (0.700 to 0.850). The truth is the ranking by all topics there could be, of each by "
        "its own scores."
    ]
    # Of other topics, their number is said for both.
    assert reliability([reliable("map"), reliable("P_10", 1, 0.8, 0.7, 0.85)], 0.5) == [
        "map with 50 topics is expected to rank the systems with tau 0.898 to the truth (50% interval 0.869 to 0.922), "
        "and P_10 with 1 topic with tau 0.800 (0.700 to 0.850). The truth is the ranking by all topics there could be, "
        "of each by its own scores."
    ]


def test_the_reliability_of_one_and_of_none():
    assert reliability([reliable("map")], 0.9) == [
        "map with 50 topics is expected to rank the systems with tau 0.898 to the truth (90% interval 0.869 to 0.922). "
        "The truth is the ranking by all topics there could be."
    ]
    assert reliability([], 0.95) == []
