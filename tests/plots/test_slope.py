"""The lines, marks and names of two rankings side by side."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from drawn import all_costs, places, texts, tied
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from ircor import plots
from ircor.plots._slope import crossings
from ircor.plots._style import TEXT, TITLE

SERIES = pd.Series([1, 2], index=["a", "b"])


def opposite(ax):
    """The axis at the right of a slope."""
    (axis,) = ax.child_axes
    return axis


def joints(ax):
    """The lines from left to right, as the pair of their places."""
    lines = [line for line in ax.lines if list(line.get_xdata()) == [0, 1]]
    return {tuple(map(float, line.get_ydata())): line for line in lines}, lines


@pytest.mark.parametrize("decreasing", [True, False])
@pytest.mark.parametrize("ties", [True, False])
def test_lines_join_the_mean_places(decreasing, ties, rng):
    x, y = (tied(rng, 15) if ties else rng.random(15) for _ in range(2))
    ax = plots.slope(x, y, decreasing=decreasing)
    lines = joints(ax)[1]
    assert len(lines) == 15
    drawn = sorted(tuple(line.get_ydata()) for line in lines)
    assert drawn == sorted(zip(places(x, decreasing), places(y, decreasing)))
    bottom, top = ax.get_ylim()
    assert top < 1 < 15 < bottom  # the best on top


def test_tied_items_share_a_hollow_square_and_a_bracket():
    x, y = [9, 7, 7, 7, 1, 1], [6, 5, 4, 3, 2, 1]
    ax = plots.slope(x, y, costly=0)
    squares = [line for line in ax.lines if line.get_marker() == "s" and len(line.get_xdata())]
    circles = [line for line in ax.lines if line.get_marker() == "o"]
    (square,) = squares
    assert list(zip(square.get_xdata(), square.get_ydata())) == [(0, 3), (0, 5.5)]
    assert square.get_markerfacecolor() == "white"
    assert [list(zip(c.get_xdata(), c.get_ydata())) for c in circles] == [[(0, 1)], [(1, k) for k in range(1, 7)]]
    brackets = [line for line in ax.lines if len(line.get_xdata()) == 4 and line.get_marker() == "None"]
    spans = [(min(line.get_ydata()), max(line.get_ydata())) for line in brackets]
    assert spans == [(1.75, 4.25), (4.75, 6.25)]
    assert all(max(line.get_xdata()) < 0 for line in brackets)
    assert ax.get_xlabel() == "hollow square: tied, at the mean place"
    assert texts(ax.get_yticklabels())[1:4] == ["item 1  3", "item 2  3", "item 3  3"]
    assert "tied" not in plots.slope(y, y).get_xlabel()


def test_names_places_labels_and_title():
    x = pd.Series([0.1, 0.9, 0.5], index=["a", "b", "c"])
    ax = plots.slope(x, [3, 2, 1], labels=("AP", "P10"))
    assert texts(ax.get_yticklabels()) == ["b  1", "c  2", "a  3"]
    assert texts(opposite(ax).get_yticklabels()) == ["1  a", "2  b", "3  c"]
    assert list(ax.get_yticks()) == list(opposite(ax).get_yticks()) == [1, 2, 3]
    assert texts(ax.get_xticklabels()) == ["AP", "P10"]
    assert ax.get_title() == "Places of 3 items by AP and by P10"
    assert ax.get_ylabel() == "place by AP, best on top"
    assert opposite(ax).get_ylabel() == "place by P10, best on top"
    for again in (
        plots.slope(x.to_list(), [3, 2, 1], names="abc"),
        plots.slope(x.to_list(), pd.Series([3, 2, 1], x.index)),
    ):
        assert texts(again.get_yticklabels()) == ["b  1", "c  2", "a  3"]
    ax = plots.slope(pl.Series([1, 2]), pd.Series([2, 1]))
    assert texts(ax.get_yticklabels()) == ["item 1  1", "item 0  2"]


@pytest.mark.parametrize("costly", [0, 1, 3, 50])
def test_costly_pairs_are_bold_numbered_and_named(costly, rng):
    x, y = tied(rng, 12, 9), rng.random(12)
    names = [f"s{k}" for k in range(12)]
    ax = plots.slope(x, y, names=names, costly=costly)
    swaps = sorted((-cost, i, j) for (i, j), cost in all_costs(x, y).items())[:costly]
    bold = {item for _, i, j in swaps for item in (i, j)}
    widths = sorted(line.get_linewidth() for line in joints(ax)[1])
    assert widths.count(max(widths)) == len(bold) if bold else len(set(widths)) == 1
    if bold:
        assert max(widths) > 2 * min(widths) or len(bold) == 12
    drawn = sorted(tuple(line.get_ydata()) for line in joints(ax)[1] if line.get_linewidth() > 1.5)
    left, right = places(x), places(y)
    assert drawn == sorted((left[item], right[item]) for item in bold)
    said = [f"{k}: s{i}, s{j} (cost {float(-cost):.2f})" for k, (cost, i, j) in enumerate(swaps, 1)]
    assert [line for line in ax.get_xlabel().splitlines() if "(cost" in line] == said
    numbers = [int(number) for text in ax.texts for number in text.get_text().split(", ")]
    assert sorted(numbers) == list(range(1, len(swaps) + 1))


def test_the_numbers_stand_at_the_crossings():
    ax = plots.slope([4, 3, 2, 1], [3, 4, 1, 2])
    assert [(text.get_text(), *text.get_position()) for text in ax.texts] == [("1", 0.5, 1.5), ("2", 0.5, 3.5)]
    ax = plots.slope([3, 2, 1], [1, 3, 2])
    (first, second) = ax.texts
    # From 1 to 3, and from 2 to 1, from 3 to 2.
    assert first.get_position() == pytest.approx((1 / 3, 5 / 3))
    assert second.get_position() == pytest.approx((2 / 3, 7 / 3))


def test_crossings_at_one_point_share_their_label():
    ax = plots.slope([3, 2, 1], [1, 2, 3])
    assert [(text.get_text(), text.get_position()) for text in ax.texts] == [("1, 2, 3", (0.5, 2.0))]


def test_many_items_are_named_below_only(rng):
    x = rng.random(61)
    ax = plots.slope(x, rng.permutation(x))
    for axis in (ax, opposite(ax)):
        assert list(axis.get_yticks()) == [1, 13, 25, 37, 49, 61]
    assert ax.get_xlabel().count("item") == 6
    assert "item" not in "".join(texts(ax.get_yticklabels()))
    assert len(plots.slope(x[:60], x[:60]).get_yticks()) == 60


def test_long_names_and_dollars():
    names = ["averylongrunname-1", "averylongrunname-2", "$a$"]
    ax = plots.slope([3, 2, 1], [3, 2, 1], names=names, labels=("cost in $", "gain in $"))
    assert texts(ax.get_yticklabels()) == ["averyl…ame-1  1", "averyl…ame-2  2", r"\$a\$  3"]
    ax.figure.canvas.draw()
    assert ax.get_title() == r"Places of 3 items by cost in \$ and by gain" + "\n" + r"in \$"


def test_bold_lines_are_above_the_others(rng):
    ax = plots.slope(rng.random(12), rng.random(12), costly=1)
    lines = joints(ax)[1]
    assert {(line.get_linewidth(), line.get_color(), line.get_zorder()) for line in lines[:-2]} == {(0.8, "0.6", 2)}
    assert {(line.get_linewidth(), line.get_color(), line.get_zorder()) for line in lines[-2:]} == {(1.8, "black", 3)}
    (number,) = ax.texts
    markers = [line for line in ax.lines if line.get_marker() != "None"]
    assert 3 < min(line.get_zorder() for line in markers) <= max(line.get_zorder() for line in markers)
    assert number.get_zorder() > max(line.get_zorder() for line in markers)


def test_brackets_are_on_the_side_of_the_names():
    ax = plots.slope([3, 2, 1, 0], [1, 1, 2, 2], costly=0)
    brackets = [line for line in ax.lines if len(line.get_xdata()) == 4 and line.get_marker() == "None"]
    assert [list(line.get_xdata()) for line in brackets] == [pytest.approx([1.06, 1.1, 1.1, 1.06])] * 2
    assert [list(line.get_ydata()) for line in brackets] == [[0.75, 0.75, 2.25, 2.25], [2.75, 2.75, 4.25, 4.25]]
    assert ax.get_xlim() == (-0.12, 1.12)
    assert ax.get_ylim() == (4.6, 0.4)


@pytest.mark.parametrize(("n", "diameter"), [(2, 3), (60, 3), (61, 1)])
def test_many_items_have_small_markers(n, diameter):
    circles = [line for line in plots.slope(range(n), range(n)).lines if line.get_marker() == "o"]
    assert [line.get_markersize() for line in circles] == [diameter] * 2


@pytest.mark.parametrize(("n", "height"), [(2, 1.4), (10, 1.4), (20, 2.8), (60, 8.4), (61, 5)])
def test_the_figure_has_a_line_for_each_item_and_each_note(n, height):
    x = np.arange(n)
    assert plots.slope(x, x).figure.get_figheight() == pytest.approx(height + 0.7)
    swapped = x.copy()
    swapped[[0, 1]] = 1, 0
    ax = plots.slope(x, swapped)
    assert ax.get_xlabel().splitlines() == ["costliest swaps for AP correlation:", ax.get_xlabel().splitlines()[1]]
    assert ax.figure.get_figheight() == pytest.approx(height + 0.7 + 0.12 * 2)


def test_which_numbers_share_a_text():
    left, right = np.array([1.0, 2.0]), np.array([2.0, 1.0])
    assert crossings(left, right, [(0, 1, 2.0)]) == [("1", (0.5, 1.5))]
    for across, down, together in (
        (0.09, 0, True),
        (0.11, 0, False),
        (-0.09, 0.45, True),
        (0.09, -0.45, True),
        (0, 0.47, False),
        (0, -0.47, False),
    ):
        # The second pair of lines crosses this far from (0.5, 1.5): four items are apart at 0.04 * 4 + 0.3 = 0.46.
        at, y = 0.5 + across, 1.5 + down
        second_left, second_right = (y - at, y + at), (y + (1 - at), y - (1 - at))
        points = np.concatenate([left, second_left]), np.concatenate([right, second_right])
        found = crossings(*points, [(0, 1, 2.0), (2, 3, 1.0)])
        assert len(found) == (1 if together else 2), (across, down)
        assert found[0] == ("1, 2" if together else "1", (0.5, 1.5))
        if not together:
            assert found[1] == ("2", pytest.approx((at, y)))


def test_ties_in_either_ranking_are_explained():
    note = "hollow square: tied, at the mean place"
    for x, y, tied_items in (([1, 2], [1, 2], False), ([1, 1], [1, 2], True), ([1, 2], [1, 1], True)):
        assert (note in plots.slope(x, y).get_xlabel()) == tied_items


def test_the_frame_is_hidden_and_names_have_no_tick_marks():
    ax = plots.slope([1, 2], [1, 2])
    for axis in (ax, opposite(ax)):
        assert not any(spine.get_visible() for spine in axis.spines.values())
        assert {tick.tick1line.get_markersize() for tick in axis.yaxis.get_major_ticks()} == {0}


def test_the_distances_at_which_numbers_stop_sharing_a_text():
    # Crossings at 0.1 and 0.2 from left to right, at the same height.
    left, right = np.array([0.0, 1.0, 0.0, 2.0]), np.array([9.0, 0.0, 4.0, -4.0])
    swaps = [(0, 1, 2.0), (2, 3, 1.0)]
    (first, second) = crossings(left, right, swaps)
    assert second[1][0] - first[1][0] == 0.1
    assert abs(second[1][1] - first[1][1]) < 0.2
    # Crossings of five items that are 0.04 * 5 + 0.3 = 0.5 apart from top to bottom.
    left, right = np.array([1.0, 2.0, 1.5, 2.5, 9.0]), np.array([2.0, 1.0, 2.5, 1.5, 9.0])
    assert crossings(left, right, swaps) == [("1", (0.5, 1.5)), ("2", (0.5, 2.0))]
    right[2:4] = 2.375, 1.375
    assert [numbers for numbers, _ in crossings(left, right, swaps)] == ["1, 2"]


def test_the_looks_of_markers_brackets_and_numbers():
    ax = plots.slope([4, 3, 3, 1], [1, 2, 3, 4], costly=1)
    circle = next(line for line in ax.lines if line.get_marker() == "o")
    square = next(line for line in ax.lines if line.get_marker() == "s")
    assert (circle.get_color(), circle.get_linestyle(), circle.get_zorder()) == ("black", "None", 4)
    assert (square.get_color(), square.get_linestyle(), square.get_zorder()) == ("black", "None", 5)
    assert square.get_markersize() == 5
    (bracket,) = (line for line in ax.lines if line.get_marker() == "None" and len(line.get_xdata()) == 4)
    assert (bracket.get_color(), bracket.get_linewidth()) == ("black", 0.8)
    (number,) = ax.texts
    frame = number.get_bbox_patch()
    assert (frame.get_linewidth(), to_rgb(frame.get_facecolor()), to_rgb(frame.get_edgecolor())) == (
        0.7,
        to_rgb("white"),
        to_rgb("black"),
    )
    assert (number.get_ha(), number.get_va(), number.get_fontsize()) == ("center", "center", TEXT - 1)


def test_the_sizes_of_the_texts():
    for ax in (plots.slope([1, 2], [2, 1]), plots.slope(range(61), range(61))):
        labels = [*ax.get_xticklabels(), *ax.get_yticklabels(), *opposite(ax).get_yticklabels()]
        labels += [ax.xaxis.label, ax.yaxis.label, opposite(ax).yaxis.label]
        assert {label.get_fontsize() for label in labels} == {TEXT}
        assert ax.title.get_fontsize() == TITLE


def test_three_swaps_of_scores_by_default():
    ax = plots.slope(range(10), range(10)[::-1])
    assert ax.get_xlabel().count("(cost") == 3
    assert ax.get_xlabel() == plots.slope(range(10), range(10)[::-1], decreasing=True, costly=3).get_xlabel()
    assert texts(ax.get_xticklabels()) == ["x", "y"]
    assert texts(ax.get_yticklabels())[0] == "item 9  1"


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: plots.slope([np.nan, np.nan], [1, 2]), ValueError, "'x' must not have missing values, but it has 2"),
        (lambda: plots.slope([1, 2], [1, 2, 3]), ValueError, "must be of the same length"),
        (lambda: plots.slope([[1, 2]], [1, 2]), TypeError, "'x' must be a numeric vector"),
        (
            lambda: plots.slope([1, 2], [1, 2], names="abc"),
            ValueError,
            "'names' must have one name for each of the 2 items, not 3",
        ),
        (lambda: plots.slope([1, 2], [1, 2], labels="xy"), ValueError, "'labels' must be two names"),
        (lambda: plots.slope([1, 2], [1, 2], labels=["x"]), ValueError, "'labels' must be two names"),
        (lambda: plots.slope([1, 2], [1, 2], costly="all"), TypeError, "'costly' must be a whole number"),
        (lambda: plots.slope([1, 2], [1, 2], ax="here"), TypeError, "'ax' must be one matplotlib Axes, not a str"),
        (
            lambda: plots.slope(SERIES, SERIES[::-1]),
            ValueError,
            "at position 0, they have 'a' and 'b'; reindex one of them",
        ),
        (lambda: plots.slope([1, 2], [1, 2], costly=-1), ValueError, "'costly' must be 0 or more, not -1"),
        (lambda: plots.slope([1, 2], [1, 2], names=5), ValueError, "'names' must have one name for each"),
        (lambda: plots.slope([1, 2], [1, 2], labels=pd.NA), ValueError, "'labels' must be two names, .* not <NA>"),
    ],
)
def test_bad_input_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()
    assert plt.get_fignums() == []
