"""Charts: every system has a line with its name, names do not overlap, numbers are where they should be."""

import re
from itertools import pairwise
from math import nan

import pytest
from pages import Page

from ircor.report._charts import (
    ALONE,
    BESIDE,
    COVERED,
    NAME,
    IntervalRow,
    Line,
    fits_beside,
    interval_chart,
    round_scale,
    slope_chart,
)


def svg_texts(markup, kind):
    """The vertical places of the names that are shown in a window of this kind, at the left."""
    found = re.findall(r'<text x="32.5%" y="([\d.]+)" text-anchor="end"(?: class="(\w+)")?>', markup)
    return [float(y) for y, form in found if form in ("", kind)]


@pytest.mark.parametrize("count", [2, 5, 30, 100, 400])
def test_every_system_has_its_name_and_names_do_not_overlap(count):
    lines = [Line(f"s{k}", k + 1, count - k) for k in range(count)]
    drawn = slope_chart(lines, ("a", "b"))
    page = Page(drawn)
    titles = [text for text in page.texts if re.fullmatch(r"s\d+: rank .*", text)]
    assert len(titles) == len(page.of("title")) == count
    assert f"s0: rank 1 → {count} ({1 - count:+d})" in titles
    for kind in ("wide", "narrow"):
        places = sorted(svg_texts(drawn, kind))
        assert all(after - before >= NAME for before, after in pairwise(places))
        assert len(places) == count if count <= 40 else len(places) > 20


def test_lines_join_the_ranks():
    page = Page(slope_chart([Line("a", 1, 2.5), Line("b", 2, 2.5), Line("c", 3, 1)], ("x", "y")))
    seen = [line for line in page.of("line") if line["class"] == "seen"]
    down = {1: 34, 2: 58, 2.5: 70, 3: 82}
    assert {(float(line["y1"]), float(line["y2"])) for line in seen} == {
        (down[left], down[right]) for left, right in [(1, 2.5), (2, 2.5), (3, 1)]
    }
    kinds = [one["class"] for one in page.of("g")]
    assert sorted(kinds) == ["item down", "item down", "item up", "lines"]


def test_tied_systems_are_all_named_at_the_ranks_that_they_take_up():
    lines = [Line("a", 1, 1), Line("rerank", 3, 4), Line("hybrid", 3, 2), Line("dense", 3, 3), Line("b", 5, 5)]
    drawn = slope_chart(lines, ("x", "y"))
    found = re.findall(r'<text x="32.5%" y="([\d.]+)"[^>]*>(\w+)\xa0 <tspan class="soft">(\d)<', drawn)
    # Ranks are 24 pixels apart; the one that is best on the other side comes first.
    assert found == [
        *[("38.0", "a", "1"), ("62.0", "hybrid", "3"), ("86.0", "dense", "3"), ("110.0", "rerank", "3")],
        ("134.0", "b", "5"),
    ]


def test_the_largest_moves_are_thick_and_systems_without_a_rank_are_left_out():
    page = Page(slope_chart([Line("a", 1, 2), Line("b", nan, 1)], ("x", "y"), ["a"]))
    assert [one["class"] for one in page.of("g")] == ["lines", "item down most"]
    assert slope_chart([Line("b", nan, 1)], ("x", "y")) == ""


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.3859, 0.8572, [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-0.013, 0.02, [-0.02, -0.01, 0, 0.01, 0.02]),
        (1, 1, None),
        (0, 0, None),
    ],
)
def test_ticks_are_round_and_contain_the_numbers(low, high, ticks):
    found = round_scale(low, high)
    assert ticks is None or found == ticks
    assert found[0] <= low
    assert found[-1] >= high
    assert len(found) >= 2


def test_intervals_are_where_their_numbers_are():
    rows = [
        IntervalRow("one", 0.5, 0.25, 1, "0.50 (0.25 to 1)", "0.50"),
        IntervalRow("none", None, None, None, "", ""),
        IntervalRow("point", 0.0, nan, nan, "0", "0"),
    ]
    page = Page(interval_chart(rows, reference=0))
    (bar,) = (line for line in page.of("line") if line["class"] == "bar")
    # The scale is from 0, at 8 per cent, to 1, at 92.
    assert (bar["x1"], bar["x2"]) == ("29.00%", "92.00%")
    assert [dot["cx"] for dot in page.of("circle")] == ["50.00%", "8.00%"]
    assert [line["x1"] for line in page.of("line") if line["class"] == "zero"] == ["8.00%"]
    assert interval_chart(rows[1:2]) == ""


@pytest.mark.parametrize(
    ("value", "first", "place"), [(0.875, "0", "81.50%"), (1.0, "0", "92.00%"), (-0.5, "-0.5", "8.00%")]
)
def test_the_scale_of_coefficients_is_up_to_1_and_from_0_unless_one_is_below(value, first, place):
    page = Page(interval_chart([IntervalRow("one", value, None, None, "", "")], COVERED))
    ticks = [text for text in page.texts if re.fullmatch(r"-?[\d.]+", text)]
    assert (ticks[0], ticks[-1]) == (first, "1")
    assert [dot["cx"] for dot in page.of("circle")] == [place]


def test_long_names_are_cut_to_the_room_of_the_chart_and_whole_under_a_pointer():
    names = ["university-of-somewhere-bm25-neural-submission", "university-of-somewhere-dense-neural-submission"]
    lines = [Line(names[0], 1, 2), Line(names[1], 2, 1)]
    assert not fits_beside(lines, ("x", "y"))
    assert fits_beside([Line("bm25", 1, 2), Line("dense", 2, 1)], ("x", "y"))
    assert not fits_beside([Line("bm25", 1, 2)], ("x", "a-judge-with-quite-a-long-name"))
    for width in (ALONE, BESIDE):
        drawn = slope_chart(lines, ("x", "y"), least_width=width)
        for short, name in (("bm25", names[0]), ("dense", names[1])):
            assert f"<title>{name}</title>…{short}…" in drawn
