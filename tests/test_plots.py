"""What the pictures show, against plain loops and the functions behind them, and whether it can be read."""

import subprocess
import sys
import warnings
from fractions import Fraction
from itertools import combinations, permutations, product

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.stats
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

import ircor
from ircor import plots
from ircor.plots import costly_swaps
from ircor.rank_distance import DrankNull
from ircor.rbase import r_round

mpl.use("Agg")

TRUTH = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
ESTIMATE = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]
AP = np.array([[0.283, 0.481, 0.516], [0.017, 0.399, 0.544], [0.075, 0.300, 0.277], [0.183, 0.662, 0.616]])


@pytest.fixture(autouse=True)
def _closed_and_unchanged():
    before = dict(mpl.rcParams)
    yield
    plt.close("all")
    assert dict(mpl.rcParams) == before


@pytest.fixture(scope="module")
def distribution():
    scores = np.random.default_rng(1).random((20, 6))
    return DrankNull(scores, resamples=500, seed=1, progress=False)


def tied(rng, n, groups=4):
    return rng.integers(0, groups, n).astype(float)


def places(values, decreasing=True, method="average"):
    return scipy.stats.rankdata(-np.asarray(values) if decreasing else values, method=method)


def texts(ticks):
    return [tick.get_text() for tick in ticks]


def legend(ax):
    return texts(ax.get_legend().get_texts())


def opposite(ax):
    """The axis at the right of a slope."""
    (axis,) = ax.child_axes
    return axis


# The cost of a swap


def all_costs(x, y, decreasing=True):
    """In fractions, straight from the definition."""
    p_x, p_y = (places(values, decreasing, "min").astype(int).tolist() for values in (x, y))
    return {
        (i, j): Fraction(1, p_y[i] - 1) + Fraction(1, p_x[j] - 1)
        for i, j in permutations(range(len(x)), 2)
        if p_x[i] < p_x[j] and p_y[j] < p_y[i]
    }


@pytest.mark.parametrize("decreasing", [True, False])
@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("count", [0, 1, 3, 1000])
def test_costly_swaps_are_those_of_brute_force(decreasing, ties, count, rng):
    for n in (2, 3, 7, 25, 40):
        x, y = (tied(rng, n) if ties else rng.random(n) for _ in range(2))
        expected = sorted((-cost, i, j) for (i, j), cost in all_costs(x, y, decreasing).items())[:count]
        found = costly_swaps(x, y, decreasing, count)
        assert [(i, j) for i, j, _ in found] == [(i, j) for _, i, j in expected]
        assert [cost for *_, cost in found] == pytest.approx([float(-cost) for cost, *_ in expected], rel=1e-14)
        assert all(type(part) is kind for swap in found for part, kind in zip(swap, (int, int, float)))


def test_equal_costs_stand_in_order_of_position():
    # 1/3 + 1/6 and 1/4 + 1/4, which differ in the last bit, are among the costs of a reversed ranking.
    n = 12
    expected = sorted(all_costs(range(n), range(n)[::-1]).items(), key=lambda item: (-item[1], item[0]))
    assert len({cost for _, cost in expected}) < len(expected) - 10
    assert [swap[:2] for swap in costly_swaps(range(n), range(n)[::-1], count=200)] == [pair for pair, _ in expected]


@pytest.mark.parametrize("n", [2, 3, 10, 50])
def test_the_costs_sum_to_what_AP_correlation_loses(n, rng):
    x, y = rng.random(n), rng.random(n)
    total = sum(cost for *_, cost in costly_swaps(x, y, count=n * n))
    assert total == pytest.approx((n - 1) * (1 - ircor.tauAP_b(x, y)), abs=1e-10)
    assert total == pytest.approx((n - 1) * (1 - (ircor.tauAP(x, y) + ircor.tauAP(y, x)) / 2), abs=1e-10)


def test_one_swap_costs_what_it_takes_from_AP_correlation():
    x = np.arange(8.0)
    for k in range(7):
        y = x.copy()
        y[[k, k + 1]] = y[[k + 1, k]]
        ((i, j, cost),) = costly_swaps(x, y)
        assert (i, j) == (k + 1, k)
        assert cost == pytest.approx(7 * (1 - ircor.tauAP_b(x, y)))
    assert costly_swaps([1, 2], [2, 1]) == [(1, 0, 2.0)]
    assert costly_swaps(x, x) == costly_swaps(x, np.zeros(8)) == []


def test_costly_swaps_of_a_few_thousand_items(rng):
    x = rng.random(3000)
    y = x + rng.normal(0, 0.1, 3000)
    p_x, p_y = places(x, method="min"), places(y, method="min")
    swapped = np.argwhere((p_x[:, None] < p_x) & (p_y[:, None] > p_y))
    costs = 1 / (p_y[swapped[:, 0]] - 1) + 1 / (p_x[swapped[:, 1]] - 1)
    found = costly_swaps(x, y, count=10)
    assert [cost for *_, cost in found] == pytest.approx(np.sort(costs)[::-1][:10])


# Two rankings


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


# Tables of coefficients


@pytest.fixture
def correlations(rng):
    scores = pd.DataFrame(rng.random((30, 5)), columns=["AP", "P10", "RR", "nDCG", "flat"])
    scores["RR"] = -scores["AP"]
    scores["flat"] = 1
    found = ircor.cor(scores)
    found.loc["AP", "nDCG"] = -0.75  # as of a coefficient that is not symmetric
    return found


def test_the_heat_map_is_the_table(correlations):
    ax = plots.table(correlations, method="tau_b")
    (image,) = ax.images
    shown = image.get_array()
    np.testing.assert_array_equal(shown.mask, correlations.isna())
    np.testing.assert_array_equal(shown.filled(np.nan), correlations)
    assert image.get_clim() == (-1, 1)
    assert texts(ax.get_xticklabels()) == texts(ax.get_yticklabels()) == list(correlations)
    written = {text.get_position(): text.get_text() for text in ax.texts}
    for i, j in product(range(5), repeat=2):
        value = correlations.iloc[i, j]
        assert written.get((j, i)) == (None if np.isnan(value) else f"{value:.2f}")
    hatched = {(p.get_x() + 0.5, p.get_y() + 0.5) for p in ax.patches if p.get_hatch()}
    assert hatched == {(j, i) for i, j in product(range(5), repeat=2) if 4 in (i, j)}
    assert ax.get_xlabel() == "ranking taken as y\nhatched: undefined"
    assert ax.get_ylabel() == "ranking taken as x"
    assert ax.get_title() == "tau_b of each pair of rankings"
    (bar,) = (other for other in ax.figure.axes if other is not ax)
    assert bar.get_ylabel() == "tau_b"
    assert bar.get_ylim() == (-1, 1)


def test_tables_that_are_not_square_and_arrays():
    ax = plots.table([[0.5, -0.001, -1]])
    assert texts(ax.get_xticklabels()) == ["0", "1", "2"]
    assert texts(ax.get_yticklabels()) == ["0"]
    assert [text.get_text() for text in ax.texts] == ["0.50", "0.00", "-1.00"]
    assert ax.get_xlabel() == "ranking taken as y"
    assert ax.figure.axes[1].get_ylabel() == "coefficient"
    frame = pd.DataFrame([[0.1, 0.2]], index=["x"], columns=["y", "z"])
    ax = plots.table(frame)
    assert (texts(ax.get_xticklabels()), texts(ax.get_yticklabels())) == (["y", "z"], ["x"])


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def test_values_are_legible_on_every_colour():
    ax = plots.table(np.linspace(-1, 1, 41)[:, None])
    (image,) = ax.images
    greys = []
    for text in ax.texts:
        j, i = text.get_position()
        cell, ink = luminance(image.cmap(image.norm(image.get_array()[i, j]))[:3]), luminance(text.get_color())
        assert (max(cell, ink) + 0.05) / (min(cell, ink) + 0.05) > 4.5  # the W3C's least contrast
        greys.append(cell)
    assert (np.diff(greys) > 0).all()  # so it can be read in grey
    assert {text.get_color() for text in ax.texts} == {"white", "black"}


def test_wide_tables_have_room_for_their_values(rng):
    ax = plots.table(rng.uniform(-1, 1, (15, 15)))
    assert ax.figure.get_figwidth() > plots.COLUMN
    assert_nothing_overlaps(ax.figure, ax.texts)


# Rank distance


def vertical(ax):
    return {line.get_linestyle(): line for line in ax.lines}


def test_the_distribution_and_its_marks(distribution):
    observed = 1.25
    ax = plots.null(distribution, observed, alpha=0.1)
    lines = vertical(ax)
    assert sorted(lines) == ["-", "--"]
    assert list(lines["--"].get_xdata()) == [distribution.critical_value(0.1)] * 2
    assert list(lines["-"].get_xdata()) == [observed] * 2
    p = np.mean(distribution.distances >= observed)
    critical = np.sort(distribution.distances)[int(np.ceil(0.9 * 500)) - 1]
    assert lines["--"].get_xdata()[0] == critical
    assert legend(ax) == [f"critical value at alpha = 0.1: {critical:.4g}", f"observed: 1.25, p = {p:.4g}"]
    assert lines["-"].get_linewidth() > lines["--"].get_linewidth()
    counts, edges = np.histogram(distribution.distances, bins=30, range=(0, distribution.distances.max()))
    outline = ax.patches[0].get_xy()
    assert np.isin(np.round(counts / 500, 9), np.round(outline[:, 1], 9)).all()
    assert outline[:, 1].max() == pytest.approx(counts.max() / 500)
    np.testing.assert_allclose(np.unique(outline[:, 0].round(9)), edges.round(9), atol=1e-8)
    assert ax.get_title() == "Rank distance in 500 resamples"
    assert ax.get_xlabel() == "rank distance, d_rank"
    assert ax.get_ylabel() == "share of the resamples"


def test_without_an_observed_distance(distribution):
    ax = plots.null(distribution)
    (line,) = ax.lines
    assert list(line.get_xdata()) == [distribution.critical_value(0.05)] * 2
    assert legend(ax) == [f"critical value at alpha = 0.05: {distribution.critical_value():.4g}"]


def test_a_distance_beyond_all_and_one_of_zero(distribution):
    ax = plots.null(distribution, 99)
    assert legend(ax)[1] == "observed: 99, p < 0.002"
    assert ax.get_xlim()[1] > 99
    assert legend(plots.null(distribution, 0))[1] == "observed: 0, p = 1"


def test_a_distribution_of_zeros():
    null = DrankNull([[0.1, 0.9], [0.2, 0.8], [0.1, 0.7]], resamples=20, seed=1, progress=False)
    assert not null.distances.any()
    ax = plots.null(null, 0)
    assert ax.patches[0].get_xy()[:, 1].max() == pytest.approx(1)
    assert legend(ax) == ["critical value at alpha = 0.05: 0", "observed: 0, p = 1"]


# Two measures of the same systems


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
    assert ax.get_title() == "AP and RBP of 4 systems: 2 ranks differ"
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
    assert ax.get_title().endswith(": 2 ranks differ")
    ax = plots.moves([0.5, 0.5, 0.1], [0.3, 0.3, 0.1])
    assert points(ax, "o")[1] == set()
    assert segments(ax) == set()
    assert ax.get_title().endswith(": 0 ranks differ")


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


def test_many_systems_are_not_named(rng):
    x = rng.random(26)
    ax = plots.moves(x, x[::-1])
    assert list(ax.get_xticks()) == [1, 6, 11, 16, 21, 26]
    assert len(plots.moves(x[:25], x[:25]).get_xticks()) == 25


# Ties


def test_coefficients_of_rounded_scores():
    ax = plots.tie_effect(TRUTH, ESTIMATE)
    assert [line.get_label() for line in ax.lines] == ["tau_a", "tau_b", "tauAP_a", "tauAP_b"] == legend(ax)
    for line in ax.lines:
        function, accuracy = getattr(ircor, line.get_label()), line.get_label().endswith("_a")
        assert list(line.get_xdata()) == [2, 1, 0]
        expected = [function(TRUTH if accuracy else r_round(TRUTH, d), r_round(ESTIMATE, d)) for d in (2, 1, 0)]
        assert list(line.get_ydata()) == expected
    left, right = ax.get_xlim()
    assert left > 2 > 0 > right  # ties grow to the right
    shares = []
    for d in (2, 1, 0):
        few = r_round(ESTIMATE, d)
        shares.append(sum(a == b for a, b in combinations(few, 2)) / 45)
    assert texts(ax.get_xticklabels()) == [f"{d}\n{share:.0%}" for d, share in zip((2, 1, 0), shares)]
    assert shares[2] > shares[1] > 0
    assert ax.get_title() == "Coefficients of 10 items as ties grow"
    assert ax.get_xlabel() == "decimals kept, and share of the pairs tied in y"
    assert ax.get_ylabel() == "coefficient"


def test_undefined_points_are_left_out():
    ax = plots.tie_effect([0.1, 0.2, 0.3, 0.4], [0.11, 0.21, 0.4, 0.3], methods=["tau_b", "tauAP_b", "tau_a"])
    b, ap_b, a = ax.lines
    assert list(b.get_xdata()) == list(ap_b.get_xdata()) == [1]
    assert list(a.get_xdata()) == [1, 0]
    assert a.get_ydata()[1] == 0
    assert texts(ax.get_xticklabels()) == ["1\n0%", "0\n100%"]


@pytest.mark.parametrize(
    ("x", "y", "needed"),
    [
        ([1, 2, 3], [1.0, 2.0, 2.0], 0),
        ([0.1, 0.2, 0.3], [1, 2, 3], 1),
        ([1, 2, 3], [0.123, 0.124, 0.125], 3),
        ([1, 2, 3], [0.1 + 0.2, 0.3, 0.4], 16),
    ],
)
def test_the_decimals_needed(x, y, needed):
    (line,) = plots.tie_effect(x, y, methods="tau_a").lines
    assert list(line.get_xdata()) == list(range(needed, -1, -1))


def test_decimals_as_asked():
    for decimals, steps in ((3, [3, 2, 1, 0]), ([0, 2, 2], [2, 0]), (-2, [0, -1, -2]), (np.int64(1), [1, 0])):
        ax = plots.tie_effect([110, 120, 190], [110, 290, 295], decimals=decimals, methods=["tau_a"])
        assert list(ax.lines[0].get_xdata()) == steps
    ax = plots.tie_effect(TRUTH, ESTIMATE, decimals=14, methods=["tau_a"])
    assert [label.partition("\n")[0] for label in texts(ax.get_xticklabels())] == [
        "14",
        "12",
        "10",
        "8",
        "6",
        "4",
        "2",
        "0",
    ]


def test_the_direction_counts_for_AP_correlation():
    ax = plots.tie_effect(TRUTH, ESTIMATE, decreasing=False, decimals=[1])
    for line in ax.lines:
        name = line.get_label()
        option = {"decreasing": False} if "AP" in name else {}
        x = TRUTH if name.endswith("_a") else r_round(TRUTH, 1)
        assert line.get_ydata()[0] == getattr(ircor, name)(x, r_round(ESTIMATE, 1), **option)


def test_shares_are_neither_none_nor_all_where_they_are_not():
    assert [plots.percent(share) for share in (0, 0.001, 0.006, 0.5, 0.994, 0.999, 1)] == [
        "0%", "<1%", "1%", "50%", "99%", ">99%", "100%"
    ]  # fmt: skip


# All of them


def drawings(distribution):
    rng = np.random.default_rng(5)
    x = pd.Series(rng.random(20).round(1), index=[f"run-number-{k}-of-20" for k in range(20)])
    y = (x + rng.normal(0, 0.2, 20)).round(1)
    X = pd.DataFrame(rng.random((15, 20)), columns=x.index)
    measures = pd.DataFrame(rng.random((20, 6)), columns=["AP", "P10", "RR", "nDCG@10", "bpref", "flat"])
    measures["flat"] = 1
    correlations = ircor.cor(measures)
    return {
        "slope": lambda **k: plots.slope(TRUTH, ESTIMATE, **k),
        "slope with ties": lambda **k: plots.slope(x, y, labels=("MAP", "P10"), **k),
        "slope of many": lambda **k: plots.slope(range(100), rng.random(100), **k),
        "table": lambda **k: plots.table(correlations, method="tauAP_b", **k),
        "null": lambda **k: plots.null(distribution, 1.3, **k),
        "moves": lambda **k: plots.moves(X, X[:7], labels=("MAP", "MAP of 7 topics"), **k),
        "moves on two scales": lambda **k: plots.moves(X, X[:7].mean() * 1000, **k),
        "moves of many": lambda **k: plots.moves(range(100), rng.random(100), **k),
        "tie_effect": lambda **k: plots.tie_effect(TRUTH, ESTIMATE, **k),
    }


DRAWINGS = list(drawings(None))


@pytest.fixture(params=DRAWINGS)
def drawing(request, distribution):
    return drawings(distribution)[request.param]


def test_the_axes_given_are_drawn_on_and_returned(drawing):
    figure, (left, right) = plt.subplots(1, 2)
    assert plt.gca() is right
    assert drawing(ax=left) is left
    assert left.get_title()
    assert not right.has_data()
    assert plt.get_fignums() == [figure.number]


def test_without_axes_each_has_a_figure_of_its_own(drawing):
    figure, ax = plt.subplots()
    one, other = drawing(), drawing()
    assert len({figure, one.figure, other.figure}) == 3
    assert not ax.has_data()
    assert one.figure.get_figwidth() == plots.COLUMN


def test_axes_have_labels_and_a_title(drawing):
    ax = drawing()
    assert ax.get_title()
    assert ax.get_ylabel()
    assert ax.get_xlabel() or ax.get_xticklabels()


def test_the_settings_count_and_nothing_is_shown(drawing, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda *a, **k: pytest.fail("shown"))
    with mpl.rc_context({"font.family": "monospace", "axes.facecolor": "0.95", "axes.grid": False}):
        before = dict(mpl.rcParams)
        ax = drawing()
        ax.figure.canvas.draw()
        assert dict(mpl.rcParams) == before
    assert ax.title.get_fontfamily() == ["monospace"]


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_figures_can_be_saved(drawing, form, tmp_path):
    path = tmp_path / f"picture.{form}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawing().figure.savefig(path)
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form]
    assert path.read_bytes().startswith(start)
    if form == "png":
        assert plt.imread(path)[..., :3].std() > 0.05


def boxes(texts_drawn, renderer):
    return [text.get_window_extent(renderer) for text in texts_drawn if text.get_visible() and text.get_text().strip()]


def assert_nothing_overlaps(figure, texts_drawn):
    figure.canvas.draw()
    found = boxes(texts_drawn, figure.canvas.get_renderer())
    for one, other in combinations(found, 2):
        width = min(one.x1, other.x1) - max(one.x0, other.x0)
        height = min(one.y1, other.y1) - max(one.y0, other.y0)
        assert min(width, height) < 1.5, (one, other)


def test_all_texts_stand_within_a_column_and_apart(drawing):
    ax = drawing()
    figure = ax.figure
    figure.canvas.draw()
    bounds, width, height = figure.get_tightbbox(), *figure.get_size_inches()
    assert -0.01 <= bounds.x0 < bounds.x1 <= width + 0.01
    assert -0.01 <= bounds.y0 < bounds.y1 <= height + 0.01
    said = []
    for axes in [*figure.axes, *ax.child_axes]:
        said += [axes.title, axes.xaxis.label, axes.yaxis.label]
        if not (axes in ax.child_axes or (axes is not ax and axes.get_shared_x_axes().joined(axes, ax))):
            said += axes.get_xticklabels()
        said += axes.get_yticklabels()
        said += axes.get_legend().get_texts() if axes.get_legend() else []
    said = [text for text in said if text.get_text()]
    assert len(said) > 5
    assert min(text.get_fontsize() for text in said) >= 6
    # What lies between the axes has room to be drawn in.
    assert ax.get_window_extent().width > figure.bbox.width / 4
    for axes in [*figure.axes, *ax.child_axes]:
        assert_nothing_overlaps(figure, [axes.title, axes.xaxis.label, axes.yaxis.label, *axes.get_yticklabels()])
    labels = [ax.title, ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels()]
    assert_nothing_overlaps(figure, labels + (list(ax.get_legend().get_texts()) if ax.get_legend() else []))


def test_series_can_be_told_apart_in_grey():
    looks = plots.LOOKS.values()
    for feature in ("linestyle", "marker", "color"):
        assert len({look[feature] for look in looks}) == len(looks) == 4
    ax = plots.tie_effect(TRUTH, ESTIMATE)
    assert len({(line.get_linestyle(), line.get_marker()) for line in ax.lines}) == 4
    assert len({line.get_linestyle() for line in ax.lines}) == len({line.get_marker() for line in ax.lines}) == 4
    handles = ax.get_legend().legend_handles
    assert [handle.get_linestyle() for handle in handles] == [line.get_linestyle() for line in ax.lines]
    handles = plots.moves(TRUTH, ESTIMATE).get_legend().legend_handles
    assert [handle.get_marker() for handle in handles[:2]] == ["o", "^"]
    assert [handle.get_markerfacecolor() for handle in handles] == ["white", "white", "black"]


def test_import_is_light():
    code = "import sys, numpy; before = set(sys.modules); import ircor.plots; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "ircor.plots" in loaded
    assert not {"matplotlib", "pandas", "scipy", "joblib", "polars"} & {name.partition(".")[0] for name in loaded}


SERIES = pd.Series([1, 2], index=["a", "b"])
WORDS = "must not have missing values, which have no place"


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: costly_swaps([1, 2], [1, 2, 3]), ValueError, "must be of the same length"),
        (lambda: costly_swaps([1, 2], ["a", "b"]), TypeError, "'y' must be a numeric vector"),
        (lambda: costly_swaps([1], [1]), ValueError, "two items or more"),
        (lambda: costly_swaps([1, 2], [1, 2], decreasing="up"), TypeError, "'decreasing' must be"),
        (lambda: costly_swaps([1, 2], [1, np.nan]), ValueError, f"'y' {WORDS}: it has 1"),
        (lambda: costly_swaps([1, 2], [1, 2], count=-1), ValueError, "'count' must be 0 or more, not -1"),
        (lambda: costly_swaps([1, 2], [1, 2], count=1.5), TypeError, "'count' must be a whole number, not 1.5"),
        (lambda: costly_swaps([1, 2], [1, 2], count=True), TypeError, "'count' must be a whole number"),
        (lambda: plots.slope([np.nan, np.nan], [1, 2]), ValueError, f"'x' {WORDS}: it has 2"),
        (lambda: plots.slope([1, 2], [1, 2, 3]), ValueError, "must be of the same length"),
        (lambda: plots.slope([[1, 2]], [1, 2]), TypeError, "'x' must be a numeric vector"),
        (
            lambda: plots.slope([1, 2], [1, 2], names="abc"),
            ValueError,
            "'names' must be one for each of the 2 items, not 3",
        ),
        (lambda: plots.slope([1, 2], [1, 2], labels="xy"), ValueError, "'labels' must be two names"),
        (lambda: plots.slope([1, 2], [1, 2], labels=["x"]), ValueError, "'labels' must be two names"),
        (lambda: plots.slope([1, 2], [1, 2], costly="all"), TypeError, "'costly' must be a whole number"),
        (lambda: plots.slope([1, 2], [1, 2], ax="here"), TypeError, "'ax' must be one matplotlib Axes, not a str"),
        (lambda: plots.slope(SERIES, SERIES[::-1]), ValueError, "number 0 is 'a' and 'b'; reindex one of them"),
        (lambda: plots.table([1, 2]), ValueError, "a table with rows and columns, not of the shape"),
        (lambda: plots.table(np.zeros((0, 2))), ValueError, "a table with rows and columns"),
        (lambda: plots.table([["a"]]), TypeError, "'correlations' must be numbers"),
        (lambda: plots.table([[0.5, -1.5]]), ValueError, "from -1 to 1, and not -1.5"),
        (lambda: plots.table([[np.inf]]), ValueError, "from -1 to 1, and not inf"),
        (lambda: plots.null([1, 2]), TypeError, "'null' must be a DrankNull, not a list"),
        (lambda: plots.moves([1, 2], [1, 2, 3]), ValueError, "must have the same systems: they have 2 and 3"),
        (lambda: plots.moves([1, np.nan], [1, 2]), ValueError, "'X' must not have missing or infinite values"),
        (lambda: plots.moves([1, 2], AP[:, :1]), ValueError, "'Y' must have two systems or more"),
        (lambda: plots.moves([[1, 2], [3]], [1, 2]), TypeError, "'X' must be a table of numbers"),
        (lambda: plots.moves(np.zeros((2, 2, 2)), [1, 2]), TypeError, "'X' must be a numeric vector"),
        (lambda: plots.moves([1], [1]), ValueError, "'X' must have two systems or more, not 1"),
        (lambda: plots.moves(["a", "b"], [1, 2]), TypeError, "'X' must be a numeric vector"),
        (lambda: plots.moves([1, 2], [1, 2], names="a"), ValueError, "'names' must be one for each of the 2"),
        (lambda: plots.moves(SERIES, SERIES.rename({"b": "c"})), ValueError, "'Y' has no 'b'"),
        (lambda: plots.moves(SERIES, SERIES.rename({"b": "a"})), ValueError, "'Y' has two systems of one name"),
        (lambda: plots.moves([1, 2], [1, 2], labels="X"), ValueError, "'labels' must be two names"),
        (lambda: plots.tie_effect([1, 1, 2], [1, 2, 3]), ValueError, "'x' contains ties.* for tau_a and tauAP_a"),
        (lambda: plots.tie_effect([0.3, 0.1 + 0.2], [1, 2]), ValueError, "'x' contains ties, or numbers that R prints"),
        (lambda: plots.tie_effect([1, 2], [1, np.nan]), ValueError, f"'y' {WORDS}"),
        (lambda: plots.tie_effect([1, 2], [1, 2], methods=["tau"]), ValueError, "'methods' must be among tau_a.*'tau'"),
        (lambda: plots.tie_effect([1, 2], [1, 2], methods=[]), ValueError, "'methods' must be one coefficient or more"),
        (lambda: plots.tie_effect([1, 2], [1, 2], methods=["tau_a"] * 2), ValueError, "each of them once"),
        (lambda: plots.tie_effect([1, 2], [1, 2], decimals=[1.5]), TypeError, "'decimals' must be whole numbers"),
        (lambda: plots.tie_effect([1, 2], [1, 2], decimals="two"), TypeError, "'decimals' must be whole numbers"),
        (lambda: plots.tie_effect([1, 2], [1, 2], decimals=[]), ValueError, "'decimals' must be one number or more"),
    ],
)
def test_bad_input_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()
    assert plt.get_fignums() == []


def test_bad_input_to_null_is_refused(distribution):
    for arguments, kind, words in [
        ({"observed": -1}, ValueError, "'d' must be a distance"),
        ({"observed": "far"}, TypeError, "must be a number"),
        ({"alpha": 0}, ValueError, "'alpha' must be between 0 and 1"),
    ]:
        with pytest.raises(kind, match=words):
            plots.null(distribution, **arguments)


def test_ties_in_x_are_no_matter_to_the_variants_b():
    ax = plots.tie_effect([1, 1, 2], [1, 2, 3], methods=("tau_b", "tauAP_b"))
    assert ax.lines[0].get_ydata()[0] == ircor.tau_b([1, 1, 2], [1, 2, 3])
