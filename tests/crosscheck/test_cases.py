"""The cases: random rankings of every kind, and the columns of a table."""

import numpy as np
import pandas as pd
import pytest

from ircor.crosscheck import Answer, Case, random_cases, table_cases
from ircor.crosscheck._cases import (
    UNTIED,
    VECTOR_KINDS,
    RandomCases,
    large_integers,
    nearly_equal,
    positions,
    ranks,
    tie_groups,
)


def test_lines_to_paste():
    case = Case(np.array([1.5, np.nan, -np.inf]), np.array([1, -2, 3], dtype=np.int32), False, "")
    assert case.r_call("tauAP_b", "ircor") == "ircor::tauAP_b(c(1.5, NaN, -Inf), c(1L, -2L, 3L), decreasing = FALSE)"
    assert case.python_call("tau_b") == 'ircor.tau_b([1.5, float("nan"), float("-inf")], [1, -2, 3])'
    assert case.r_call("tau_a", "ircorref") == "ircorref::tau_a(c(1.5, NaN, -Inf), c(1L, -2L, 3L))"
    assert case.python_call("tauAP").endswith(", decreasing=False)")


def test_the_text_of_an_answer():
    assert str(Answer(0.1 + 0.2)) == "0.30000000000000004"
    assert str(Answer(error="'x' contains ties.")) == "refused: 'x' contains ties."
    assert np.isnan(Answer(error="any").value)


def test_the_same_seed_draws_the_same_cases():
    one, two = (list(random_cases(300, seed=7)) for _ in range(2))
    assert [c.name for c in one] == [c.name for c in two]
    assert all(np.array_equal(a.x, b.x, equal_nan=True) for a, b in zip(one, two))
    assert all(np.array_equal(a.y, b.y, equal_nan=True) for a, b in zip(one, two))
    assert [c.name for c in one] != [c.name for c in random_cases(300, seed=8)]
    # A case depends on the seed and on its number, not on the cases before it.
    assert [c.name for c in random_cases(10, seed=7)] == [c.name for c in one[:10]]


def test_all_kinds_are_drawn():
    cases = list(random_cases(2000, seed=7))
    drawn = " ".join(c.name for c in cases)
    for kind in VECTOR_KINDS:
        assert f"x {kind}," in drawn
        assert f"y {kind}," in drawn
    assert {c.name.split(", ")[-1] for c in cases} == {"related", "unrelated", "nearly sorted", "reversed", "the same"}
    lengths = np.array([len(c.x) for c in cases])
    assert lengths.min() == 2
    assert (lengths < 12).mean() > 0.45
    assert 0.02 < (lengths >= 60).mean() < 0.1
    assert lengths.max() > 300
    assert 0.45 < np.mean([c.decreasing for c in cases]) < 0.55
    # In many cases neither ranking has ties, so that the functions that refuse them return values.
    without_ties = [all(len(np.unique(v)) == len(v) for v in (c.x, c.y)) for c in cases]
    assert 0.4 < np.mean(without_ties) < 0.6
    assert {c.x.dtype for c in cases} == {np.dtype(np.float64), np.dtype(np.int32)}
    assert all(len(c.x) == len(c.y) for c in cases)


def drawn(kind, rng, n=50):
    values = rng.normal(size=n)
    return values, VECTOR_KINDS[kind](values, rng)


@pytest.mark.parametrize("kind", UNTIED)
def test_kinds_without_ties_keep_the_order(rng, kind):
    for _ in range(20):
        values, found = drawn(kind, rng)
        # Tiny numbers may become equal where they lose their last bits.
        assert (np.diff(found[np.argsort(values)].astype(float)) >= 0).all()
        assert len(np.unique(found)) == 50 or kind == "tiny"


def test_relations():
    plain = {f"{v} {kind}" for v in "xy" for kind in ("untied", "ranks", "integer ranks")}
    by_relation = {}
    for case in random_cases(1500, seed=3):
        x_kind, y_kind, relation = case.name.split(", ")
        if {x_kind, y_kind} <= plain and len(case.x) > 10:
            by_relation[relation] = np.argsort(case.x), np.argsort(case.y)
    assert np.array_equal(*by_relation["the same"])
    assert np.array_equal(by_relation["reversed"][0], by_relation["reversed"][1][::-1])
    moved = np.count_nonzero(np.not_equal(*by_relation["nearly sorted"]))
    assert 0 < moved < len(by_relation["nearly sorted"][0]) / 2
    for relation in ("related", "unrelated"):
        assert not np.array_equal(*by_relation[relation])


@pytest.mark.parametrize(
    ("kind", "holds"),
    [
        ("few ties", lambda v: 50 - 3 <= len(np.unique(v)) < 50),
        ("many ties", lambda v: 2 <= len(np.unique(v)) <= 5),
        ("integers with ties", lambda v: v.dtype == np.int32 and 2 <= len(np.unique(v)) <= 8),
        ("ties at the top", lambda v: np.count_nonzero(v == v.max()) >= 5 and len(np.unique(v)) > 5),
        ("ties at the bottom", lambda v: np.count_nonzero(v == v.min()) >= 5 and len(np.unique(v)) > 5),
        ("all but one tied", lambda v: sorted(np.unique(v, return_counts=True)[1]) == [1, 49]),
        ("all tied", lambda v: len(np.unique(v)) == 1),
        ("signed zeros", lambda v: 1 <= np.count_nonzero(v == 0) <= 4),
        ("missing", lambda v: 1 <= np.isnan(v).sum() <= 3),
        ("missing and tied", lambda v: 1 <= np.isnan(v).sum() <= 3 and len(np.unique(v[~np.isnan(v)])) <= 4),
        ("infinite", lambda v: np.isinf(v).sum() == 1),
        ("infinities", lambda v: 1 <= (v == -np.inf).sum() <= 2 and (v == np.inf).sum() <= 3),
        ("tiny", lambda v: np.abs(v).max() < 1e-288),
        ("huge", lambda v: np.abs(v).max() > 1e289 and np.isfinite(v).all()),
        ("large whole numbers", lambda v: (v > 1e15).all() and (v == np.round(v)).all()),
    ],
)
def test_kinds(rng, kind, holds):
    for _ in range(20):
        assert holds(drawn(kind, rng)[1])


def test_zeros_of_both_signs(rng):
    signs = {bool(np.signbit(v[v == 0]).any()) for _, v in (drawn("signed zeros", rng) for _ in range(20))}
    assert signs == {True, False}


def test_large_integers_overflow_in_half_of_the_cases(rng):
    spans = [int(v.max()) - int(v.min()) for v in (large_integers(rng.normal(size=40), rng) for _ in range(200))]
    assert 0.4 < np.mean([span >= 2**31 for span in spans]) < 0.6
    assert all(span > 2**30 for span in spans)


def test_nearly_equal_values_differ_by_little(rng):
    for _ in range(20):
        values = np.sort(nearly_equal(rng.normal(size=50), rng))
        steps = np.diff(values) / np.abs(values[1:])
        assert 1 <= np.count_nonzero((steps > -1) & (steps < 1e-12)) <= 4


def test_tie_groups_have_about_equal_sizes(rng):
    sizes = np.unique(tie_groups(rng.normal(size=100), 4), return_counts=True)[1]
    assert len(sizes) == 4
    assert sizes.min() >= 24
    assert sorted(ranks(rng.normal(size=5))) == [1, 2, 3, 4, 5]


def test_positions(rng):
    found = [positions(np.zeros(10), rng, 3) for _ in range(100)]
    assert {len(where) for where in found} == {1, 2, 3}
    assert all(len(set(where)) == len(where) for where in found)
    assert {len(positions(np.zeros(2), rng, 3)) for _ in range(50)} == {1, 2}


def test_all_pairs_of_columns_in_both_directions():
    table = {"map": [0.3, 0.1], "ndcg": [0.5, 0.2], "rank": [1, 2]}
    cases = table_cases(table)
    names = ["map, y ndcg", "map, y rank", "ndcg, y map", "ndcg, y rank", "rank, y map", "rank, y ndcg"]
    assert [case.name for case in cases] == [f"x {name}" for name in names for _ in range(2)]
    assert [case.decreasing for case in cases] == [True, False] * 6
    assert cases[0].x.tolist() == [0.3, 0.1]
    assert cases[0].y.tolist() == [0.5, 0.2]


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (np.array([1, 2, 3]), np.int32),
        (np.array([1, 2], dtype=np.uint8), np.int32),
        (np.array([2**31 - 1, -(2**31) + 1]), np.int32),
        (np.array([2**31, 0]), np.float64),
        (np.array([0, -(2**31)]), np.float64),  # R's NA
        (np.array([2**63, 0], dtype=np.uint64), np.float64),
        (np.array([1.0, 2.0]), np.float64),
        (np.array([1.5, 2.0], dtype=np.float32), np.float64),
        (pd.array([1, None], dtype="Int64"), np.float64),
        ([1, 2], np.int32),
        (np.array([], dtype=np.int64), np.int32),
    ],
)
def test_integers_of_32_bits_are_integers_in_r(values, dtype):
    (case, *_) = table_cases({"a": pd.Series(values), "b": [1.0, 2.0]})
    assert case.x.dtype == dtype
    assert case.y.dtype == np.float64
    assert len(case.x) == len(values)


def test_a_frame_is_a_table():
    cases = table_cases(pd.DataFrame({"a": [3, 1, 2], 7: [0.5, np.nan, 1]}, index=["x", "y", "z"]))
    assert [case.name for case in cases[::2]] == ["x a, y 7", "x 7, y a"]
    assert cases[0].x.dtype == np.int32
    np.testing.assert_array_equal(cases[0].y, [0.5, np.nan, 1])


def test_a_column_of_text_is_refused():
    with pytest.raises(TypeError, match="'name' must be a numeric vector"):
        table_cases({"name": ["a", "b"], "b": [1, 2]})


def test_parts_of_the_random_cases_are_the_cases_of_the_whole():
    whole = list(random_cases(9, seed=4))
    parts = [*RandomCases(4, 0, 5), *RandomCases(4, 5, 9)]
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one.x, other.x)
        np.testing.assert_array_equal(one.y, other.y)
        assert (one.decreasing, one.name) == (other.decreasing, other.name)
