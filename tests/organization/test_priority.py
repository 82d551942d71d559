"""Reliability over priority relations: double sums, filters, and the paper's constraints on rankings."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from definitions import priority_reliability
from organizations import closed

from ircor.organization import RS, Organization, evaluate
from ircor.published import _papers as published


def filters(rng, documents=30):
    """Random filters of a system and a gold standard over the same documents; no class is empty."""
    while True:
        passed, relevant = rng.random(documents) < rng.random(), rng.random(documents) < rng.random()
        if 0 < passed.sum() < documents and 0 < relevant.sum() < documents:
            return passed, relevant


def as_filter(passed):
    return Organization.from_filter(np.flatnonzero(passed), np.flatnonzero(~passed))


def test_the_double_sum_on_a_long_ranking(rng):
    """The double sum with arrays: 2,000 documents with one occurrence on each side."""
    n = 2000
    system, gold = rng.integers(0, 300, n), rng.integers(0, 5, n)
    frames = [pd.DataFrame({"doc": range(n), "level": level}) for level in (system, gold)]
    result = evaluate(*(Organization.from_frame(frame, "doc", "level") for frame in frames), top=50, weight=0.6)
    c = 0.4 * 50 / 0.6
    for mine, other, score in (
        (system, gold, result.priority.reliability),
        (gold, system, result.priority.sensitivity),
    ):
        above = np.array([(mine < level).sum() for level in mine])
        equal = np.array([(mine == level).sum() for level in mine])
        w = c / equal * (1 / (c + above) - 1 / (c + above + equal))
        W, tail = 1 - equal * w, c / (c + n)
        right = (mine[:, None] < mine) & (other[:, None] < other)
        right |= right.T
        expected = (right * np.outer(w / W, w)).sum() + (w * tail * (1 / W + 1 / (1 - tail))).sum()
        assert score == pytest.approx(expected, abs=1e-12)


def test_a_document_above_itself():
    """In X, a is above b and above itself; in G, a is above b only: P(a > b) = 1 and P(a > a) = 0."""
    system, gold = Organization([[["a"]], [["b"], ["a"]]]), Organization([[["a"]], [["b"]]])
    # The occurrences of X, each with weight 1/3: a on the top level, b, a.  Each term is w_i sum_j P w_j / W_i.
    assert closed(system, gold).priority.reliability == pytest.approx(
        Fraction(1, 3) * (Fraction(1, 2) * 1 + Fraction(1, 2) * 0) + Fraction(1, 3) * 1 + Fraction(1, 3) * 0
    )


def test_a_filter_is_the_product_of_precisions_and_of_recalls(rng):
    for _ in range(200):
        passed, relevant = filters(rng)
        R, S, f = closed(as_filter(passed), as_filter(relevant)).priority
        precisions = (passed & relevant).sum() / passed.sum(), (~passed & ~relevant).sum() / (~passed).sum()
        recalls = (passed & relevant).sum() / relevant.sum(), (~passed & ~relevant).sum() / (~relevant).sum()
        assert pytest.approx(np.prod(precisions), abs=1e-12) == R
        assert pytest.approx(np.prod(recalls), abs=1e-12) == S
        assert f == pytest.approx(scipy.stats.hmean([R, S]) if R and S else 0, abs=1e-12)


def test_priority_in_a_filter(rng):
    """Moving a relevant document up or a nonrelevant one down is better: in table 2 and in random filters."""
    table_2 = np.arange(8) < 3, np.isin(np.arange(8), [0, 1, 3])
    for relevant, passed in (table_2, *(filters(rng)[::-1] for _ in range(100))):
        gold = as_filter(relevant)
        before = closed(as_filter(passed), gold).priority.f
        for document in np.flatnonzero(passed != relevant):
            moved = passed.copy()
            moved[document] = relevant[document]
            after = closed(as_filter(moved), gold).priority.f
            assert after > before or (after == 0 and before == 0)


def test_filters_that_say_nothing_score_zero(rng):
    _, relevant = filters(rng)
    for passed in (np.ones(30, dtype=bool), np.zeros(30, dtype=bool)):
        assert closed(as_filter(passed), as_filter(relevant)).priority == RS(0, 0, 0)


def quality(ranking, relevant, top=30, weight=0.8):
    """R*S of a ranking, written as a string: r is a relevant document, n is one that is not."""
    ids = [f"{letter}{rank}" for rank, letter in enumerate(ranking)]
    found = [document for document in ids if document[0] == "r"]
    gold = Organization.from_filter(found + [f"unfound{k}" for k in range(relevant - len(found))])
    return evaluate(Organization.from_ranking(ids), gold, top=top, weight=weight).priority.f


@pytest.mark.parametrize(("top", "weight"), [(30, 0.8), (10, 0.8), (800, 0.8), (3, 0.99)])
def test_priority_deepness_and_confidence_in_a_ranking(rng, top, weight):
    for _ in range(20):
        ranking = "".join(rng.choice(["r", "n"], 40))
        relevant = ranking.count("r") + int(rng.integers(2, 30))
        gains = []
        for rank in (0, 5, 20, 38):
            right, wrong = (ranking[:rank] + pair + ranking[rank + 2 :] for pair in ("rn", "nr"))
            gains.append(quality(right, relevant, top, weight) - quality(wrong, relevant, top, weight))
        # Priority: a relevant document above a nonrelevant one is better.  Deepness: near the top it matters more.
        assert min(gains) > 0
        assert all(upper > lower for upper, lower in pairwise(gains))
        # Confidence: adding a nonrelevant document at the end is worse than stopping.
        assert quality(ranking, relevant, top, weight) > quality(ranking + "n", relevant, top, weight)


@pytest.mark.parametrize("relevant", [1000, 2000])
def test_deepness_and_closeness_thresholds(relevant):
    """One relevant document at the top is better than n relevant ones after n others if n is large, worse if small."""

    def one_at_the_top_is_better(n):
        return quality("r" + "n" * (2 * n - 1), relevant) > quality("n" * n + "r" * n, relevant)

    assert not one_at_the_top_is_better(5)  # section 4.4.1: five relevant documents in the first ten positions
    assert one_at_the_top_is_better(1000)


def test_the_cut_point_is_where_it_is_said_to_be():
    n = published.cut_point()
    assert not quality("r" + "n" * (2 * n - 3), n - 1) > quality("n" * (n - 1) + "r" * (n - 1), n - 1)
    assert quality("r" + "n" * (2 * n - 1), n) > quality("n" * n + "r" * n, n)


@pytest.mark.parametrize("weight", [1e-300, 1e-9, 1 - 2**-53])
def test_extreme_weights(weight):
    gold = Organization([[["a"], ["b"]], [["c"]]])
    perfect, reversed_ = (
        evaluate(gold, gold, top=5, weight=weight),
        evaluate(Organization([[["c"]], [["a"], ["b"]]]), gold, top=5, weight=weight),
    )
    assert perfect.priority == pytest.approx((1, 1, 1))
    expected = priority_reliability(
        [[["c"]], [["a"], ["b"]]], gold.levels, (1 - Fraction(weight)) * 5 / Fraction(weight)
    )
    assert reversed_.priority.reliability == pytest.approx(float(expected), rel=1e-9)
