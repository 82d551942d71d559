"""Reliability and Sensitivity against the paper's table 9, its double sums in exact arithmetic, and R."""

from fractions import Fraction
from math import isnan

import pandas as pd
import pytest
from definitions import clustering_reliability, priority_reliability
from organizations import NOTHING, ONE, closed, random_organizations

from ircor.organization import RS, Organization, bcubed, evaluate
from ircor.organization._relations import harmonic_mean
from ircor.published import _papers as published

FUNCTIONS = ["evaluate", "bcubed", "strictness", "robustness"]


def by_definition(system, gold, c=None):
    """(R, S) of the priority relations and of the clustering relations of two lists of levels."""
    return [
        (float(R(system, gold, c)), float(R(gold, system, c))) for R in (priority_reliability, clustering_reliability)
    ]


def test_table_9():
    figures = [figure for figure in published.amigo_2013() if figure.where == "table 9"]
    assert len(figures) == 24
    assert sum(figure.verdict == "agrees" for figure in figures) == 20
    # The printed formulas do not give these four cells, and the code must not be tuned to give them.
    assert {figure.what: round(figure.computed, 4) for figure in figures if figure.verdict == "not reproduced"} == {
        "clustering sensitivity, System 2": 0.7949,
        "priority sensitivity, System 3": 0.7752,
        "priority reliability, System 4": 0.9434,
        "priority sensitivity, System 4": 0.7752,
    }
    assert all(figure.reason for figure in figures if figure.verdict == "not reproduced")


def test_what_is_said_of_the_cells_that_are_not_reproduced():
    """If every relation of a listed document to the tail counts as right, the results are 0.8552 and 0.9479."""
    gold = published.TABLE_9["gold standard"]
    c = Fraction(5, 2)

    def with_the_tail_always_right(system, gold, lost):
        """Reliability plus w W(tail) / W for the one document, on level `lost`, that only one side lists."""
        levels, n = [sum(map(len, level)) for level in system], sum(len(cl) for level in system for cl in level)
        above = sum(levels[:lost])
        w = c / levels[lost] * (1 / (c + above) - 1 / (c + above + levels[lost]))
        return priority_reliability(system, gold, c) + w * (c / (c + n)) / (1 - levels[lost] * w)

    assert float(with_the_tail_always_right(gold, published.TABLE_9["System 3"], 0)) == pytest.approx(0.8552, abs=5e-5)
    assert float(with_the_tail_always_right(published.TABLE_9["System 4"], gold, 2)) == pytest.approx(0.9479, abs=5e-5)


def test_the_first_n_documents_carry_w_n():
    """Section 3.1: if all n documents of a ranking are wrong, only the weight of the tail is left, 1 - W_n."""
    for n, weight in ((1, 0.5), (10, 0.8), (30, 0.8), (1000, 0.99)):
        system = Organization.from_ranking(range(n))
        result = evaluate(system, Organization.from_ranking(range(-n, 0)), top=n, weight=weight)
        assert result.clustering.reliability == pytest.approx(1 - weight, abs=1e-14)


@pytest.mark.parametrize(("top", "weight"), [(10, 0.8), (1, 0.05), (1000, 0.99), (None, None)])
def test_the_double_sums_of_the_paper(rng, top, weight):
    c = None if top is None else (1 - Fraction(weight)) * top / Fraction(weight)
    for _ in range(60):
        system, gold = random_organizations(rng)
        if not (any(map(any, system)) and any(map(any, gold))):
            continue
        options = {"collection": "closed"} if top is None else {"top": top, "weight": weight}
        result = evaluate(Organization(system), Organization(gold), **options)
        for scores, expected in zip(result, by_definition(system, gold, c)):
            if not isnan(scores.f):
                assert scores[:2] == pytest.approx(expected, abs=1e-13)
                assert scores.f == pytest.approx(harmonic_mean(*expected), abs=1e-13)
            else:
                assert top is None
                assert len(Organization(system).levels) == len(Organization(gold).levels) == 1


def test_documents_of_one_side_only():
    """All their relations are wrong, and they have weight."""
    system = [[["a"], ["b"]], [["x"]], [["c", "y"]]]
    gold = [[["a", "b"]], [["c"], ["z"]]]
    for c, options in ((Fraction(5, 2), {"top": 10, "weight": 0.8}), (None, {"collection": "closed"})):
        result = evaluate(Organization(system), Organization(gold), **options)
        for scores, expected in zip(result, by_definition(system, gold, c)):
            assert scores[:2] == pytest.approx(expected, abs=1e-14)


def test_levels_and_overlap_by_hand():
    """Computed by hand: levels {a b} {a} / {b} against {a b} / {b c}, c = 1."""
    system, gold = Organization([[["a", "b"], ["a"]], [["b"]]]), Organization([[["a", "b"]], [["b", "c"]]])
    opened = evaluate(system, gold, top=1, weight=0.5)
    assert opened.priority[:2] == pytest.approx((0.6743421, 0.7833333), abs=1e-7)
    assert opened.clustering[:2] == pytest.approx((0.8125, 0.9))
    assert closed(system, gold).priority[:2] == pytest.approx((2 / 3, 1 / 2))
    assert closed(system, gold).clustering[:2] == pytest.approx((13 / 16, 5 / 8))
    assert bcubed(system, gold)[:2] == pytest.approx((7 / 8, 5 / 9))


NAN = pytest.approx((float("nan"),) * 3, nan_ok=True)


def test_empty_sides():
    options = {"top": 10, "weight": 0.8}
    tail = 2.5 / 3.5
    assert evaluate(NOTHING, ONE, **options) == (
        (0, 0, 0),
        (1, pytest.approx(tail), pytest.approx(2 * tail / (1 + tail))),
    )
    assert evaluate(ONE, NOTHING, **options) == (
        (0, 0, 0),
        (pytest.approx(tail), 1, pytest.approx(2 * tail / (1 + tail))),
    )
    assert evaluate(NOTHING, NOTHING, **options).clustering == RS(1, 1, 1)
    assert tuple(evaluate(NOTHING, NOTHING, **options).priority) == NAN
    two = Organization.from_ranking(["a", "b"])
    assert closed(NOTHING, two) == closed(two, NOTHING) == ((0, 0, 0), (0, 0, 0))
    assert all(tuple(scores) == NAN for scores in closed(NOTHING, NOTHING))
    assert bcubed(NOTHING, two) == bcubed(two, NOTHING) == (0, 0, 0)
    assert tuple(bcubed(NOTHING, NOTHING)) == NAN


def test_no_relation_of_a_kind_on_either_side_is_nan_not_zero():
    clusters = Organization.from_clusters([["a", "b"], ["c"]])
    assert tuple(closed(clusters, clusters).priority) == NAN
    assert closed(clusters, clusters).clustering == (1, 1, 1)


def test_a_perfect_organization_scores_one(rng):
    for _ in range(50):
        system, _ = random_organizations(rng)
        organization = Organization(system)
        if len(organization):
            for scores in evaluate(organization, organization, top=7, weight=0.9):
                assert scores == pytest.approx((1, 1, 1), abs=1e-13)
                assert max(scores) <= 1


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({}, ValueError, "needs 'top' and 'weight'"),
        ({"top": 10}, ValueError, "needs 'top' and 'weight'"),
        ({"weight": 0.8}, ValueError, "needs 'top' and 'weight'"),
        ({"top": 0, "weight": 0.8}, ValueError, "'top' must be 1 or more, not 0"),
        ({"top": -3, "weight": 0.8}, ValueError, "'top' must be 1 or more"),
        ({"top": 2.5, "weight": 0.8}, TypeError, "'top' must be a whole number, not 2.5"),
        ({"top": True, "weight": 0.8}, TypeError, "'top' must be a whole number, not True"),
        ({"top": 10, "weight": 0}, ValueError, "'weight' must be between 0 and 1, not 0"),
        ({"top": 10, "weight": 1}, ValueError, "'weight' must be between 0 and 1, not 1"),
        ({"top": 10, "weight": float("nan")}, ValueError, "'weight' must be between 0 and 1, not nan"),
        ({"top": 10, "weight": "0.8"}, TypeError, "'weight' must be a number"),
        ({"top": 10, "weight": 5e-324}, ValueError, "too small"),
        ({"top": 10, "weight": 0.8, "collection": "closed"}, ValueError, "'top' and 'weight' must be omitted"),
        ({"top": 10, "collection": "closed"}, ValueError, "'top' and 'weight' must be omitted"),
        ({"weight": 0.8, "collection": "closed"}, ValueError, "'top' and 'weight' must be omitted"),
        ({"collection": "half"}, ValueError, "'collection' must be one of open, closed, not 'half'"),
        ({"collection": pd.NA}, ValueError, "'collection' must be one of open, closed, not <NA>"),
        ({"collection": pd.Series(["open"])}, ValueError, "'collection' must be one of open, closed, not a Series"),
        ({"top": pd.NA, "weight": 0.8}, TypeError, "'top' must be a whole number, not <NA>"),
        ({"top": 10, "weight": pd.DataFrame()}, TypeError, "'weight' must be a number, not a DataFrame"),
    ],
)
def test_options_that_are_refused(options, error, words):
    with pytest.raises(error, match=words):
        evaluate(ONE, ONE, **options)
