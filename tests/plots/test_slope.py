"""The lines, marks and names of two rankings side by side."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from drawn import all_costs, assert_nothing_overlaps, made_up, movers, places, texts, tied
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from ircor import plots
from ircor.plots._style import COLUMN, PAGE, TEXT, TITLE, VERMILION

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
    ax = plots.slope(x, y, decreasing=decreasing, movers=0)
    lines = joints(ax)[1]
    assert len(lines) == 15
    drawn = sorted(tuple(line.get_ydata()) for line in lines)
    assert drawn == sorted(zip(places(x, decreasing), places(y, decreasing)))
    bottom, top = ax.get_ylim()
    assert top < 1 < 15 < bottom  # the best on top


def test_tied_items_share_a_hollow_square_and_a_bracket():
    x, y = [9, 7, 7, 7, 1, 1], [6, 5, 4, 3, 2, 1]
    ax = plots.slope(x, y, costly=0, movers=0)
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
    ax = plots.slope(x, y, names=names, costly=costly, movers=0)
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
    numbers = [int(number) for text in ax.texts for number in text.get_text().split(",")]
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


def dashed(ax):
    return [line for line in joints(ax)[1] if line.get_linestyle() == "--"]


@pytest.mark.parametrize("count", [0, 1, 3, 50])
def test_the_largest_moves_are_dashed_and_named(count, rng):
    x, y = tied(rng, 12, 9), rng.random(12)
    left, right = places(x), places(y)
    ax = plots.slope(x, y, names=[f"s{k}" for k in range(12)], movers=count)
    moved = movers(left, right, count)
    assert sorted(tuple(line.get_ydata()) for line in dashed(ax)) == sorted((left[k], right[k]) for k in moved)
    said = [f"s{k} from {left[k]:g} to {right[k]:g}" for k in moved]
    lines = ax.get_xlabel().splitlines()
    if moved:
        heading = lines.index("dashed: largest moves")
        assert lines[heading + 1 : heading + 1 + len(said)] == said
        assert lines.index("bold: costliest swaps for AP correlation") < heading
    else:
        assert "moves" not in ax.get_xlabel()


def test_moves_that_tie_for_the_last_place_are_all_marked_or_counted():
    one_swap, swaps = [2, 1], [2, 1, 4, 3, 6, 5, 8, 7]
    ax = plots.slope(range(1, 9), swaps, costly=0)
    assert dashed(ax) == []
    assert ax.get_xlabel() == "not marked: 8 items that moved 1 place"
    ax = plots.slope(range(1, 7), swaps[:6], costly=0)
    assert len(dashed(ax)) == 6
    ax = plots.slope(range(1, 12), [3, 2, 1, *(3 + k for k in swaps)], costly=0)
    assert len(dashed(ax)) == 2
    assert ax.get_xlabel().splitlines()[-1] == "not marked: 8 items that moved 1 place"
    assert "not marked" not in plots.slope([1, 2], one_swap).get_xlabel()


def test_an_item_that_is_both_has_dashes_on_its_bold_line():
    ax = plots.slope([3, 2, 1, 0], [2, 3, 1, 0])
    bold = [line for line in joints(ax)[1] if line.get_color() == "black"]
    assert [[*line.get_ydata()] for line in bold] == [[*line.get_ydata()] for line in dashed(ax)] == [[1, 2], [2, 1]]
    assert {(line.get_color(), line.get_linewidth(), line.get_zorder()) for line in dashed(ax)} == {
        (VERMILION, 1.2, 3.5)
    }
    assert len(joints(ax)[1]) == 6  # one more for each of the two items


def test_items_that_keep_their_place_did_not_move():
    ax = plots.slope([3, 2, 1], [3, 2, 1])
    assert dashed(ax) == []
    assert ax.get_xlabel() == ""


def leaders(ax, end):
    """The lines that lead from the places at one end to the labels: their places and the positions of the labels."""
    edge = ax.get_xlim()[end]
    lines = [line for line in ax.lines if len(line.get_xdata()) == 2]
    return [tuple(line.get_ydata()) for line in lines if line.get_xdata()[-1] == edge]


@pytest.mark.parametrize("n", [61, 130])
def test_above_sixty_items_the_ends_the_movers_and_the_swaps_are_named(n):
    x, y = made_up(n)
    ax = plots.slope(x, y)
    left, right = places(x), places(y)
    moved = movers(left, right, 3)
    swapped = sorted((-cost, i, j) for (i, j), cost in all_costs(x, y).items())[:3]
    ends = [k for at in (left, right) for k in range(n) if at[k] <= 5 or at[k] > n - 5]
    named = {*ends, *moved, *(item for _, i, j in swapped for item in (i, j))}
    for end, axis, at in ((0, ax, left), (1, opposite(ax), right)):
        labels = dict(zip(axis.get_yticks(), texts(axis.get_yticklabels())))
        pattern = "{name}  {place:g}" if end == 0 else "{place:g}  {name}"
        expected = {pattern.format(name=x.index[k].replace("$", r"\$"), place=at[k]) for k in named}
        assert {text for text in labels.values() if not text.isdigit()} == expected
        # Every label has a line to its place.
        lines = {position: place for place, position in leaders(ax, end)}
        assert lines.keys() == labels.keys()
        for position, text in labels.items():
            number = text.split("  ")[-1 if end == 0 else 0]
            assert lines[position] == float(number)
            assert not text.isdigit() or position == float(text)


@pytest.mark.parametrize(
    "n", [2, 5, pytest.param(60, marks=pytest.mark.slow), 61, pytest.param(130, marks=pytest.mark.slow)]
)
def test_names_are_in_full_and_do_not_overlap(n):
    x, y = made_up(n)
    ax = plots.slope(x, y)
    figure = ax.figure
    assert COLUMN <= figure.get_figwidth() <= PAGE + 0.1
    for axis in (ax, opposite(ax)):
        assert_nothing_overlaps(figure, [axis.yaxis.label, *axis.get_yticklabels()])
    assert_nothing_overlaps(figure, [ax.title, ax.xaxis.label, *ax.get_xticklabels()])
    assert_nothing_overlaps(figure, ax.texts)
    bounds = figure.get_tightbbox()
    assert -0.02 <= bounds.x0 < bounds.x1 <= figure.get_figwidth() + 0.02
    for ticks in (ax.get_yticklabels(), opposite(ax).get_yticklabels()):
        assert "…" not in "".join(texts(ticks))
        if n <= 60:
            words = {word for text in texts(ticks) for word in text.split("  ")}
            assert words == {name.replace("$", r"\$") for name in x.index} | {str(k) for k in range(1, n + 1)}


@pytest.mark.slow
def test_many_costly_swaps_and_movers_have_a_higher_figure():
    x, y = made_up(90)
    ax = plots.slope(x, y, costly=25, movers=30)
    assert ax.figure.get_figheight() > 11
    for axis in (ax, opposite(ax)):
        assert_nothing_overlaps(ax.figure, axis.get_yticklabels())
    assert_nothing_overlaps(ax.figure, ax.texts)


@pytest.mark.parametrize("n", [30, pytest.param(130, marks=pytest.mark.slow)])
def test_in_given_axes_names_have_the_room_that_there_is(n):
    x, y = made_up(n)
    figure, (ax, _) = plt.subplots(1, 2, figsize=(7, 4), layout="constrained")
    plots.slope(x, y, ax=ax)
    for axis in (ax, opposite(ax)):
        labels = texts(axis.get_yticklabels())
        assert_nothing_overlaps(figure, axis.get_yticklabels())
        assert any(text.startswith(("1  ", "a-")) or text.endswith("  1") for text in labels)
    assert "…" in "".join(texts(ax.get_yticklabels()))


def test_tied_items_that_are_named_have_their_line_from_the_bracket():
    x = np.repeat(np.arange(40.0), 2)
    ax = plots.slope(x, np.arange(80.0), costly=0)
    lines = [tuple(line.get_xdata()) for line in ax.lines if len(line.get_xdata()) == 2]
    assert {near for near, far in lines if far == -0.2} == {-0.1, -0.03}  # of the tied items, and of round places
    assert {near for near, far in lines if far == 1.2} == {1.03}


def test_long_names_of_the_rankings_do_not_overlap():
    for name in ("runs/2004/a-very-long-name-of-a-file.eval", "x" * 150, "measures of some runs of 2004 and"):
        ax = plots.slope([1, 2], [2, 1], labels=(name + "1", name + "2"))
        assert_nothing_overlaps(ax.figure, ax.get_xticklabels())
        assert ax.figure.get_figwidth() <= PAGE + 0.1
        assert len(set(texts(ax.get_xticklabels()))) == 2


@pytest.mark.parametrize("n", [3, 30])
def test_a_long_and_a_short_name_of_the_rankings_do_not_overlap(n):
    for long in ("x" * 70, "runs/2004/a-very-long-name-of-a-file.eval")[: 2 if n == 3 else 1]:
        for labels in ((long, "data/eval"), ("data/eval", long)):
            ax = plots.slope(range(n), range(n), labels=labels)
            assert_nothing_overlaps(ax.figure, ax.get_xticklabels())
            bounds = ax.figure.get_tightbbox()
            assert -0.02 <= bounds.x0 < bounds.x1 <= ax.figure.get_figwidth() + 0.02 <= PAGE + 0.12


def test_long_names_and_dollars():
    names = ["averylongrunname-1", "averylongrunname-2", "$a$"]
    ax = plots.slope([3, 2, 1], [3, 2, 1], names=names, labels=("cost in $", "gain in $"))
    assert texts(ax.get_yticklabels()) == ["averylongrunname-1  1", "averylongrunname-2  2", r"\$a\$  3"]
    ax.figure.canvas.draw()
    assert ax.get_title() == r"Places of 3 items by cost in \$ and by gain in \$"


def test_bold_lines_are_above_the_others(rng):
    ax = plots.slope(rng.random(12), rng.random(12), costly=1, movers=0)
    lines = joints(ax)[1]
    assert {(line.get_linewidth(), line.get_color(), line.get_zorder()) for line in lines[:-2]} == {(0.8, "0.6", 2)}
    assert {(line.get_linewidth(), line.get_color(), line.get_zorder()) for line in lines[-2:]} == {(1.8, "black", 3)}
    (number,) = ax.texts
    markers = [line for line in ax.lines if line.get_marker() != "None"]
    assert 3 < min(line.get_zorder() for line in markers) <= max(line.get_zorder() for line in markers)
    assert number.get_zorder() > max(line.get_zorder() for line in markers)


def test_many_lines_are_thin_and_light():
    x = np.arange(300)
    for n, width, alpha in ((60, 0.8, None), (61, 0.8 * 60 / 61, 0.6), (120, 0.4, 0.6), (300, 0.3, 0.6)):
        lines = joints(plots.slope(x[:n], x[:n]))[1]
        assert {line.get_alpha() for line in lines} == {alpha}
        assert [line.get_linewidth() for line in lines] == pytest.approx([width] * n)


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


@pytest.mark.parametrize(("n", "height"), [(2, 1.4), (10, 1.4), (20, 200 / 72), (60, 600 / 72), (61, 5)])
def test_the_figure_has_a_line_for_each_item_and_each_note(n, height):
    x = np.arange(n)
    assert plots.slope(x, x).figure.get_figheight() == pytest.approx(height + 0.7)
    swapped = x.copy()
    swapped[[0, 1]] = 1, 0
    ax = plots.slope(x, swapped)
    assert len(ax.get_xlabel().splitlines()) == 5
    assert ax.figure.get_figheight() == pytest.approx(height + 0.7 + 0.12 * 5)


def test_ties_in_either_ranking_are_explained():
    note = "hollow square: tied, at the mean place"
    for x, y, tied_items in (([1, 2], [1, 2], False), ([1, 1], [1, 2], True), ([1, 2], [1, 1], True)):
        assert (note in plots.slope(x, y).get_xlabel()) == tied_items


def test_the_frame_is_hidden_and_names_have_no_tick_marks():
    ax = plots.slope([1, 2], [1, 2])
    for axis in (ax, opposite(ax)):
        assert not any(spine.get_visible() for spine in axis.spines.values())
        assert {tick.tick1line.get_markersize() for tick in axis.yaxis.get_major_ticks()} == {0}


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
        (lambda: plots.slope([1, 2], [1, 2], movers="all"), TypeError, "'movers' must be a whole number"),
        (lambda: plots.slope([1, 2], [1, 2], movers=-1), ValueError, "'movers' must be 0 or more, not -1"),
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


def test_values_that_differ_by_rounding_only_have_one_place():
    """As in tables of means: 0.3 and 0.1 + 0.2 are the same mean."""
    noisy = plots.slope([0.3, 0.1 + 0.2, 0.5, 0.7], [1, 2, 3, 4], names="ABCD").get_xlabel()
    assert noisy == plots.slope([0.3, 0.3, 0.5, 0.7], [1, 2, 3, 4], names="ABCD").get_xlabel()
    assert "hollow square: tied" in noisy
