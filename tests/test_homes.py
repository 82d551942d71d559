"""Each limit has one home: where it is changed, decisions and the words about them follow."""

from dataclasses import replace

import numpy as np
import pytest

import ircor
from ircor import overlap, reliability
from ircor.judging import _bias, _labels, agreement, bias
from ircor.rank_distance import _verdict
from ircor.reliability import _expected
from ircor.statistics import _intervals

QUICK = {"resamples": 200, "seed": 1}


def tables(systems=8, topics=20):
    rng = np.random.default_rng(3)
    X = rng.random((topics, 1)) + rng.random((topics, systems)) * np.linspace(0.5, 1, systems)
    return X, X + rng.normal(0, 0.3, X.shape)


def compared():
    return ircor.compare(*tables(), **QUICK)


def test_the_level_of_the_verdict(monkeypatch):
    assert "does not rank the systems differently" in compared().conclusion
    monkeypatch.setattr(_verdict, "VERDICT_ALPHA", 1)
    different = compared()
    assert (different.verdict.kind, different.verdict.alpha) == ("different", 1)
    assert "ranks the systems differently" in different.conclusion
    assert different.conclusion in str(different)
    assert different.conclusion in ircor.report.html(different).replace("&#x27;", "'")
    assert different.as_dict()["conclusion"] == different.conclusion
    X, Y = tables()
    judged = ircor.judges(None, X, {"judge": Y}, **QUICK)
    assert "judge ranks the systems differently" in judged.verdicts[0]
    assert "judge ranks the systems differently" in judged.findings[0]


def test_the_topics_that_the_test_needs(monkeypatch):
    monkeypatch.setattr(_verdict, "TOPICS_FOR_TEST", 50)
    few = compared()
    assert few.distance is None
    assert "20 topics are too few to test the ranking of B: the rank distance needs 50." in few.conclusion


@pytest.mark.parametrize(
    ("limit", "words"),
    [("TOPICS_FOR_LEVEL", "with fewer than 77 topics"), ("SYSTEMS_FOR_LEVEL", "with fewer than 77 systems")],
)
def test_the_size_that_intervals_need(monkeypatch, limit, words):
    X, Y = tables()
    assert compared().caveat is None
    monkeypatch.setattr(_intervals, limit, 77)
    assert any(note.startswith(words) for note in compared().notes)
    assert any(words in note for note in ircor.judges(None, X, {"judge": Y}, **QUICK).notes)
    with pytest.warns(ircor.CoverageWarning, match=words):
        ircor.bootstrap(X, Y, **QUICK)


def test_the_significance_of_pairs_is_that_of_the_flips_and_of_the_words():
    result = compared()
    tests = result.significant.significance
    assert f"that any pair is found is at most {tests.alpha:g}." in ircor.report.html(result)
    assert "(studentized maximum over resampled topics)" in result.conclusion
    assert (tests.pvalues[tests.signs != 0] <= tests.alpha).all()
    assert len(result.flips) == len(result.significant.flips)


def test_the_topics_that_reliability_needs(monkeypatch):
    monkeypatch.setattr(_expected, "TOPICS_FOR_RELIABILITY", 30)
    with pytest.raises(ValueError, match="must have 30 topics or more, not 20"):
        reliability.expected(tables()[0])
    assert compared().reliabilities == ()


def judgments(topics):
    return {str(topic): {"a": topic % 2, "b": 1 - topic % 2, "c": 1} for topic in range(topics)}


def test_the_topics_that_kappa_needs(monkeypatch):
    one, other = judgments(8), judgments(8) | {"0": {"a": 1, "b": 0, "c": 1}}
    assert not agreement(one, other).notes
    monkeypatch.setattr(_labels, "LEAST_TOPICS_FOR_KAPPA", 9)
    assert any("they need 9 topics or more" in note for note in agreement(one, other).notes)


def test_the_topics_that_favour_needs(monkeypatch):
    runs = {name: {str(topic): {name: 1.0} for topic in range(8)} for name in "ab"}
    one, other = judgments(8), judgments(8)
    monkeypatch.setattr(_bias, "LEAST_TOPICS_FOR_FAVOUR", 9)
    result = bias(runs, one, other, depth=1)
    assert any("9 topics" in text for text in (*result.notes, *result.sentences()))


def test_the_topics_that_the_mean_overlap_needs(monkeypatch):
    runs = [{str(topic): {"a": 3, "b": 2, "c": 1 + 3 * (k and topic % 3)} for topic in range(30)} for k in (0, 1)]
    assert not any("topics" in note for note in overlap.rbo_runs(*runs, 0.9).notes)
    monkeypatch.setattr(_intervals, "TOPICS_FOR_MEAN", 31)
    assert any("31 topics" in note for note in overlap.rbo_runs(*runs, 0.9).notes)


@pytest.mark.parametrize(("pvalue", "kind"), [(0.04, "different"), (0.05, "different"), (0.0501, "not different")])
def test_the_verdict_at_its_level(pvalue, kind):
    result = compared()
    distance = replace(result.distance, pvalue=pvalue)
    assert _verdict.verdict_between(*result.sides, distance, ("A", "B")).kind == kind


def test_three_topics_are_enough_for_a_verdict_and_two_are_not():
    X, Y = tables(topics=3)
    assert ircor.compare(X, Y, **QUICK).distance is not None
    assert ircor.compare(X[:2], Y[:2], **QUICK).verdict.kind == "too few topics"


@pytest.mark.parametrize("names", [("", "b"), ("a", ""), ("a", "a")])
def test_names_are_two_and_not_empty(names):
    with pytest.raises(ircor.InvalidValueError, match="'names' must be different names"):
        ircor.compare(*tables(), names=names, **QUICK)
