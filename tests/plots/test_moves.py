"""Two measures of the same systems: the points, the joints, the matching by name, and the scales."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from drawn import assert_nothing_overlaps, legend, made_up, movers, places, texts
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from ircor import plots
from ircor.data._scores import Scores
from ircor.plots._style import BLUE, COLUMN, PAGE, TEXT, VERMILION, round_places, text_width

AP = np.array([[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]])
SERIES = pd.Series([1, 2], index=["a", "b"])
THREE = pd.Series([1, 2, 3], index=["a", "b", "c"])


def points(ax, marker):
    """All points with this marker, and those that are filled."""
    lines = [line for line in ax.lines if line.get_marker() == marker]
    every = {(x, y) for line in lines for x, y in zip(line.get_xdata(), line.get_ydata())}
    filled = [line for line in lines if line.get_markerfacecolor() != "white"]
    return every, {(x, y) for line in filled for x, y in zip(line.get_xdata(), line.get_ydata())}


def segments(ax):
    return {tuple(map(tuple, segment)) for collection in ax.collections for segment in collection.get_segments()}


def test_values_by_rank_with_the_moves_joined():
    x, y = [0.2, 0.5, 0.4, 0.3], [0.25, 0.35, 0.45, 0.3]
    ax = plots.moves(x, y, names="ABCD", labels=("AP", "RBP"))
    assert texts(ax.get_xticklabels()) == ["B", "C", "D", "A"]
    assert list(ax.get_xticks()) == [1, 2, 3, 4]
    circles, moved = points(ax, "o")
    triangles, moved_too = points(ax, "^")
    assert circles == {(1, 0.5), (2, 0.4), (3, 0.3), (4, 0.2)}
    assert triangles == {(1, 0.35), (2, 0.45), (3, 0.3), (4, 0.25)}
    assert moved == {(1, 0.5), (2, 0.4)}
    assert moved_too == {(1, 0.35), (2, 0.45)}
    assert segments(ax) == {((1, 0.5), (1, 0.35)), ((2, 0.4), (2, 0.45))}
    assert ax.get_title() == "AP and RBP: 2 of 4 ranks differ"
    assert ax.get_ylabel() == "AP and RBP"
    assert ax.get_xlabel() == "systems by AP, best at left"
    assert legend(ax) == ["AP", "RBP", "filled, with a line: rank differs"]
    assert ax.figure.axes == [ax]


def test_means_of_tables_matched_by_name(rng):
    X = pd.DataFrame(rng.random((10, 6)), columns=list("ABCDEF"))
    Y = pd.DataFrame(rng.random((7, 6)), columns=list("FEDCBA"))
    order = X.mean().sort_values(ascending=False).index
    for first, second in ((X, Y), (X.mean(), Y), (X, Y.mean()), (X.mean(), Y.mean())):
        ax = plots.moves(first, second)
        assert texts(ax.get_xticklabels()) == list(order)
        assert sorted(y for _, y in points(ax, "o")[0]) == pytest.approx(sorted(X.mean()))
        for k, name in enumerate(order, 1):
            assert any(x == k and y == pytest.approx(Y[name].mean()) for x, y in points(ax, "^")[0])
        differ = [name for name in order if X.mean().rank()[name] != Y.mean().rank()[name]]
        assert len(points(ax, "o")[1]) == len(differ)
        assert legend(ax)[:2] == ["mean X" if first is X else "X", "mean Y" if second is Y else "Y"]
    for same in (plots.moves(pl.DataFrame(X.to_dict("list")), Y), plots.moves(X.to_numpy().tolist(), Y[X.columns])):
        assert texts(same.get_xticklabels()) == list(order)
        assert sorted(points(same, "^")[0]) == pytest.approx(np.array(sorted(points(ax, "^")[0])))
    ax = plots.moves(X.to_numpy(), Y.to_numpy(), names="UVWXYZ")  # by position
    assert sorted(texts(ax.get_xticklabels())) == list("UVWXYZ")
    (y,) = (y for x, y in points(ax, "^")[0] if x == 1)
    assert y == pytest.approx(Y.to_numpy().mean(axis=0)[X.to_numpy().mean(axis=0).argmax()])


def test_ties_have_mean_ranks():
    ax = plots.moves([0.5, 0.5, 0.1], [0.5, 0.4, 0.1])
    assert points(ax, "o")[1] == {(1, 0.5), (2, 0.5)}
    assert texts(ax.get_xticklabels()) == ["0", "1", "2"]
    assert ax.get_xlabel().endswith(", ties side by side")
    assert ax.get_title() == "X and Y: 2 of 3 ranks differ"
    ax = plots.moves([0.5, 0.5, 0.1], [0.3, 0.3, 0.1])
    assert points(ax, "o")[1] == set()
    assert segments(ax) == set()
    assert ax.get_title() == "X and Y: 0 of 3 ranks differ"


def test_scales_that_differ_have_an_axis_each():
    x, y = [0.2, 0.5, 0.4], [20, 40, 50]
    ax = plots.moves(x, y, labels=("AP", "percent"))
    first, second = ax.figure.axes
    assert first is ax
    assert points(ax, "o")[0] == {(1, 0.5), (2, 0.4), (3, 0.2)}
    assert points(second, "^")[0] == {(1, 40), (2, 50), (3, 20)}
    assert points(ax, "^")[0] == set()
    assert ax.get_ylabel() == "AP (left scale)"
    assert second.get_ylabel() == "percent (another scale, right)"
    assert second.yaxis.get_label_position() == "right"
    assert segments(ax) == set()
    dotted = [line for line in ax.lines if line.get_linestyle() == ":"]
    assert [list(line.get_xdata()) for line in dotted] == [[1, 1], [2, 2]]


@pytest.mark.parametrize(
    ("x", "y", "axes"),
    [
        ([0, 1], [0, 0.2], 1),
        ([0, 1], [0, 0.19], 2),
        ([0, 0.19], [0, 1], 2),
        ([0, 1], [0.3, 0.3], 1),
        ([0, 1], [30, 30], 2),
        ([0.3, 0.3], [0.3, 0.3], 1),
    ],
)
def test_which_scales_differ(x, y, axes):
    assert len(plots.moves(x, y).figure.axes) == axes


@pytest.mark.parametrize("n", [2, 26, 60])
@pytest.mark.parametrize("scale", [1, 1000])
def test_up_to_sixty_systems_have_their_names_in_full(n, scale):
    x, y = made_up(n)
    ax = plots.moves(x, y * scale)
    assert texts(ax.get_xticklabels()) == [name.replace("$", r"\$") for name in x.index]
    assert list(ax.get_xticks()) == list(range(1, n + 1))
    assert_nothing_overlaps(ax.figure, [*ax.get_xticklabels(), ax.xaxis.label])
    assert ax.get_window_extent().height > 1.2 * ax.figure.dpi
    assert ax.get_xlabel() == "systems by X, best at left"


def leaders(ax):
    """The lines below the axis: from the place of a system to the position of its label."""
    return {line.get_xdata()[-1]: line.get_xdata()[0] for line in ax.lines if line.get_clip_on() is False}


@pytest.mark.parametrize("n", [61, 130])
def test_of_more_the_ends_and_the_largest_differences_are_named(n):
    x, y = made_up(n)
    ax = plots.moves(x, y)
    assert ax.figure.get_figwidth() == PAGE
    left, right = places(x), places(y)
    moved = movers(left, right, 10)
    labels = dict(zip(ax.get_xticks(), texts(ax.get_xticklabels())))
    named = [text for text in labels.values() if not text.isdigit()]
    # The systems are in the order of x.
    assert sorted(named) == sorted(
        x.index[k].replace("$", r"\$") + f"  {k + 1}" for k in {*range(5), *range(n - 5, n), *moved}
    )
    assert leaders(ax).keys() == labels.keys()
    for position, text in labels.items():
        assert leaders(ax)[position] == int(text.split("  ")[-1])
    assert {int(text) for text in labels.values() if text.isdigit()} < set(round_places(n))
    assert_nothing_overlaps(ax.figure, [*ax.get_xticklabels(), ax.xaxis.label])
    said = "named: the best five, the worst five, the largest differences of rank"
    assert ax.get_xlabel().splitlines()[1] == said


def test_differences_that_tie_are_all_named_or_counted():
    x = np.arange(70)
    y = x.copy()
    y[20:50] = y[20:50].reshape(15, 2)[:, ::-1].ravel()
    ax = plots.moves(x, y)
    assert ax.get_xlabel().splitlines()[1:] == [
        "named: the best five, the worst five",
        "not named: 30 systems whose ranks differ by 1",
    ]
    ax = plots.moves(x, np.r_[x[:40], y[40:50], x[50:]])
    assert {f"{k}  {70 - k}" for k in range(40, 50)} < set(texts(ax.get_xticklabels()))


def test_without_ranks_every_pair_is_joined():
    x, y = [0.2, 0.5, 0.4, 0.3], [0.25, 0.35, 0.45, 0.3]
    ax = plots.moves(x, y, names="ABCD", labels=("R", "S"), items="topics", ranks=False)
    assert ax.get_title() == "R and S of 4 topics: means 0.35 and 0.34"
    assert legend(ax) == ["R", "S"]
    assert [handle.get_markerfacecolor() for handle in ax.get_legend().legend_handles] == [BLUE, VERMILION]
    circles, filled = points(ax, "o")
    assert circles == filled
    assert len(filled) == len(segments(ax)) == 4
    assert "rank" not in " ".join([ax.get_title(), ax.get_xlabel(), ax.get_ylabel(), *legend(ax)])
    assert plots.moves([-1, -2], [1, 2], ranks=False).get_title().endswith("means \N{MINUS SIGN}1.50 and 1.50")
    ax = plots.moves(*made_up(70), ranks=False)
    assert ax.get_xlabel().splitlines()[1:] == ["named: the best five, the worst five"]
    with pytest.raises(TypeError, match="'ranks' must be"):
        plots.moves(x, y, ranks="all")


def test_words_in_the_title_begin_with_a_capital():
    assert plots.moves([1, 2], [2, 1], labels=("mean", "other")).get_title() == "Mean and other: 2 of 2 ranks differ"
    assert plots.moves([1, 2], [2, 1], labels=("map", "other")).get_title().startswith("map and")
    assert plots.moves([1, 2], [2, 1], labels=("means", "other")).get_title().startswith("means and")


def test_in_given_axes_names_have_the_room_that_there_is():
    x, y = made_up(40)
    figure, axes = plt.subplots(1, 3, figsize=(9, 4), layout="constrained")
    plots.moves(x, y, ax=axes[0])
    labels = texts(axes[0].get_xticklabels())
    assert len(labels) < 40
    assert labels[0].endswith("  1")
    assert "…" in labels[0]
    assert_nothing_overlaps(figure, axes[0].get_xticklabels())


def test_dollars_in_all_words():
    ax = plots.moves([1, 2], [2, 1], names=["$a$", "b"], labels=("$x$", "$y$"), items="$systems$")
    ax.figure.canvas.draw()
    assert ax.get_xlabel() == r"\$systems\$ by \$x\$, best at left"
    assert ax.get_title().replace("\n", " ") == r"\$x\$ and \$y\$: 2 of 2 ranks differ"
    assert texts(ax.get_xticklabels()) == ["b", r"\$a\$"]


def test_checked_scores_are_taken_as_they_are(rng):
    X = pd.DataFrame(rng.random((10, 4)), columns=list("ABCD"))
    Y = pd.DataFrame(rng.random((10, 4)), columns=list("DCBA"))
    expected = plots.moves(X, Y)
    ax = plots.moves(Scores.of(X), Scores.of(Y, "Y"))
    assert texts(ax.get_xticklabels()) == texts(expected.get_xticklabels())
    for marker in "o^":
        assert points(ax, marker) == points(expected, marker)
    assert legend(ax) == legend(expected) == ["mean X", "mean Y", "filled, with a line: rank differs"]


def test_names_of_one_measure_serve_both():
    named, unnamed = pd.Series([1, 2], index=["a", "b"]), pd.Series([2, 1])
    for X, Y in ((named, unnamed), (unnamed, named), ([2, 1], named)):
        assert sorted(texts(plots.moves(X, Y).get_xticklabels())) == ["a", "b"]
    assert texts(plots.moves(named, named, names="xy").get_xticklabels()) == ["y", "x"]


def test_ties_in_the_first_measure_are_in_the_order_of_the_second():
    ax = plots.moves([0.5, 0.5, 0.5, 0.9], [0.1, 0.3, 0.2, 0.05], names="ABCD")
    assert texts(ax.get_xticklabels()) == ["D", "B", "C", "A"]
    assert ax.get_xlabel() == "systems by X, best at left, ties side by side"
    assert plots.moves([1, 2], [1, 1], items="topics").get_xlabel() == "topics by X, best at left"


def test_names_stand_upright_where_they_are_long_or_many(rng):
    """A figure of one column has 2.8 inches for the names."""
    x = rng.random(12)
    for n, name, upright in (
        (6, "four", False),
        (12, "eleven", True),
        (6, "sixteen letters.", True),
        (2, "nineteen", False),
    ):
        ax = plots.moves(x[:n], x[:n], names=[name] * n)
        assert {tick.get_rotation() for tick in ax.get_xticklabels()} == {90 if upright else 0}
        assert_nothing_overlaps(ax.figure, ax.get_xticklabels())
        assert ax.figure.get_figheight() == pytest.approx(2.8 + (text_width(name) if upright else 0))


@pytest.mark.parametrize(("factor", "style", "colour"), [(1, "-", "0.4"), (100, ":", "0.6")])
def test_the_legend_shows_the_line_that_joins_the_values(factor, style, colour):
    ax = plots.moves([1, 2, 3], [2 * factor, 1 * factor, 3 * factor])
    handle = ax.get_legend().legend_handles[2]
    assert (handle.get_linestyle(), handle.get_color(), handle.get_marker()) == (style, colour, "o")
    lines = [line for line in ax.lines if line.get_linestyle() == ":"] or ax.collections
    assert {tuple(to_rgb(line.get_color()) if factor > 1 else line.get_color()[0][:3]) for line in lines} == {
        to_rgb(colour)
    }
    assert {line.get_zorder() for line in lines} == {1}


def test_all_axes_have_the_size_of_the_text():
    for axes in plots.moves([1, 2, 3], [100, 200, 350]).figure.axes:
        assert {label.get_fontsize() for label in [axes.yaxis.label, *axes.get_yticklabels()]} == {TEXT}


def test_the_looks_of_the_points():
    ax = plots.moves([1, 2, 3], [2, 1, 3])
    looks = {
        (line.get_marker(), line.get_color(), line.get_markersize(), line.get_linestyle(), line.get_markerfacecolor())
        for line in ax.lines
    }
    assert looks == {
        ("o", BLUE, 4, "None", BLUE),
        ("o", BLUE, 4, "None", "white"),
        ("^", VERMILION, 4.5, "None", VERMILION),
        ("^", VERMILION, 4.5, "None", "white"),
    }
    handles = ax.get_legend().legend_handles
    assert [(handle.get_marker(), handle.get_color()) for handle in handles[:2]] == [("o", BLUE), ("^", VERMILION)]
    assert (handles[2].get_markersize(), handles[2].get_markeredgecolor()) == (4, "black")
    (joints,) = ax.collections
    assert joints.get_linewidth() == [1]
    assert list(ax.figure.get_size_inches()) == [COLUMN, 2.8]


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: plots.moves([1, 2], [1, 2, 3]), ValueError, "must have the same systems, but they have 2 and 3"),
        (lambda: plots.moves([1, np.nan], [1, 2]), ValueError, "'X' must not have missing or infinite values"),
        (lambda: plots.moves([1, 2], AP[:, :1]), ValueError, "'Y' must have two systems or more"),
        (lambda: plots.moves([[1, 2], [3]], [1, 2]), TypeError, "'X' must be a table of numbers"),
        (lambda: plots.moves(np.zeros((2, 2, 2)), [1, 2]), TypeError, "'X' must be a numeric vector"),
        (lambda: plots.moves([1], [1]), ValueError, "'X' must have two systems or more, not 1"),
        (lambda: plots.moves(["a", "b"], [1, 2]), FileNotFoundError, "'a'"),
        (lambda: plots.moves([1, 2], [1, 2], names="a"), ValueError, "'names' must have one name for each of the 2"),
        (
            lambda: plots.moves(SERIES, SERIES.rename({"b": "c"})),
            ValueError,
            "'Y' does not have the systems 'b' of 'X'",
        ),
        (lambda: plots.moves(SERIES, SERIES.rename({"b": "a"})), ValueError, "'Y' has two systems of the name 'a'"),
        (lambda: plots.moves([1, 2], [1, 2], labels="X"), ValueError, "'labels' must be two names"),
        (lambda: plots.moves([1, np.inf], [1, 2]), ValueError, "'X' must not have missing or infinite values"),
        (lambda: plots.moves([1, 2], [1, np.nan]), ValueError, "'Y' must not have missing or infinite values"),
        (lambda: plots.moves(SERIES[:1], SERIES), ValueError, "'X' must have two systems or more, not 1"),
        (lambda: plots.moves(SERIES, THREE), ValueError, "'X' does not have the systems 'c' of 'Y'"),
        (lambda: plots.moves([1, 2], THREE), ValueError, "must have the same systems, but they have 2 and 3"),
        (lambda: plots.moves(THREE, [1, 2]), ValueError, "must have the same systems, but they have 3 and 2"),
        (lambda: plots.moves([1, 2], [1, 2], ax=5), TypeError, "'ax' must be one matplotlib Axes, not a int"),
    ],
)
def test_bad_input_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()
    assert plt.get_fignums() == []
