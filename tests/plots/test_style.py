"""What all plots have in common: the figure, the settings, and whether they can be read."""

import subprocess
import sys
import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from drawn import ESTIMATE, TRUTH, assert_nothing_overlaps
from matplotlib import pyplot as plt
from matplotlib.layout_engine import ConstrainedLayoutEngine

import ircor
from ircor import plots
from ircor.plots._style import (
    COLUMN,
    LOOKS,
    PAGE,
    TEXT,
    TITLE,
    axes_of,
    balanced,
    label_across,
    relabel,
    round_ticks,
    title_and_legend,
    wrapped_label,
    wrapped_title,
)


def drawings(distribution):
    rng = np.random.default_rng(5)
    x = pd.Series(rng.random(20).round(1), index=[f"run-number-{k}-of-20" for k in range(20)])
    y = (x + rng.normal(0, 0.2, 20)).round(1)
    X = pd.DataFrame(rng.random((15, 20)), columns=x.index)
    measures = pd.DataFrame(rng.random((20, 6)), columns=["AP", "P10", "RR", "nDCG@10", "bpref", "flat"])
    measures["flat"] = 1
    correlations = ircor.cor(measures)
    topics = [25, 50, 100, 250, 500, 1000]
    values, low, high = (1 - size / np.sqrt(topics) for size in (1.3, 1.7, 0.9))
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
        "curve": lambda **k: plots.curve(topics, values, low, high, own=50, target=0.9, needed=(180, 90, 420), **k),
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
    assert COLUMN <= one.figure.get_figwidth() <= PAGE


def test_axes_have_labels_and_a_title(drawing):
    ax = drawing()
    assert ax.get_title()
    assert ax.get_ylabel() or ax.images  # the rows of a table have names
    assert ax.get_xlabel() or ax.get_xticklabels()


def test_the_settings_count_and_nothing_is_shown(drawing, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda *a, **k: pytest.fail("shown"))
    with mpl.rc_context({"font.family": "monospace", "axes.facecolor": "0.95", "axes.grid": False}):
        before = dict(mpl.rcParams)
        ax = drawing()
        ax.figure.canvas.draw()
        assert dict(mpl.rcParams) == before
    assert ax.title.get_fontfamily() == ["monospace"]


@pytest.mark.parametrize("form", ["png", *(pytest.param(form, marks=pytest.mark.slow) for form in ("svg", "pdf"))])
def test_figures_can_be_saved(drawing, form, tmp_path):
    path = tmp_path / f"picture.{form}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawing().figure.savefig(path)
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form]
    assert path.read_bytes().startswith(start)
    if form == "png":
        assert plt.imread(path)[..., :3].std() > 0.05


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
    looks = LOOKS.values()
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


def test_lines_are_wrapped():
    words = "a" * 14 + " " + "b" * 15
    assert wrapped_label(words) == words
    assert wrapped_label(words + "b") == words.replace(" ", "\n") + "b"
    assert wrapped_label("ab cd", 4) == "ab\ncd"
    assert wrapped_label("ab c-d", 4) == "ab\nc-d"


def test_titles_have_the_width_of_the_figure():
    """Thirteen characters for each inch of twice the distance from the middle of the Axes to the nearer edge."""
    ax = plt.figure(figsize=(4, 2)).add_axes((0.1, 0.1, 0.6, 0.8))
    room = int(13 * 2 * 4 * 0.4)
    assert wrapped_title(ax, "a" * 20 + " " + "b" * (room - 21)).count("\n") == 0
    assert wrapped_title(ax, "a" * 20 + " " + "b" * (room - 20)).count("\n") == 1
    part = plt.figure(figsize=(10, 2)).add_axes((0.1, 0.1, 0.4, 0.8))
    assert [len(line) for line in wrapped_title(part, "a" * 60).splitlines()] == [52, 8]


def test_the_lines_of_a_title_are_of_about_the_same_length():
    assert balanced("one two three four", 17) == "one two\nthree four"
    assert balanced("one two three four", 18) == "one two three four"
    assert balanced("one two three four", 9) == "one two\nthree\nfour"
    assert balanced("a" * 12 + " b", 9) == "a" * 9 + "\n" + "a" * 3 + " b"
    assert balanced("", 9) == ""


def test_words_are_replaced_and_notes_stay():
    ax = plots.slope([3, 2, 1], [2, 3, 1], names="ABC")
    notes = ax.get_xlabel()
    size, pad = ax.title.get_fontsize(), ax.titleOffsetTrans.get_matrix()[1, 2]
    relabel(ax, "costs $1", "x in $", ["y in $"])
    assert ax.get_title() == r"costs \$1"
    assert ax.get_xlabel() == "x in \\$\n" + notes
    (right,) = ax.child_axes
    assert ax.get_ylabel() == right.get_ylabel() == r"y in \$"
    assert (ax.title.get_fontsize(), ax.titleOffsetTrans.get_matrix()[1, 2]) == (size, pad) == (TITLE, pad)
    relabel(ax, None, None, [""])
    assert (ax.get_title(), ax.get_ylabel()) == (r"costs \$1", "")
    assert ax.get_xlabel().endswith(notes)
    relabel(ax, "", "", None)
    assert (ax.get_title(), ax.get_xlabel()) == ("", notes)
    assert ax.xaxis.label.get_fontsize() == TEXT
    plain = plt.figure().add_subplot()
    label_across(plain, "x")
    relabel(plain, None, "y", None)
    assert plain.get_xlabel() == "y"


def test_two_vertical_axes_can_have_a_label_each():
    ax = plots.slope([3, 2, 1], [2, 3, 1])
    relabel(ax, None, None, ["left", "right"])
    assert [axes.get_ylabel() for axes in (ax, *ax.child_axes)] == ["left", "right"]
    with pytest.raises(ValueError, match="two vertical axes: give --y-label twice, not 3 times"):
        relabel(ax, None, None, ["left", "right", "more"])
    ax = plots.moves([1, 2, 3], [100, 200, 350])
    relabel(ax, None, None, ["left"])
    assert [axes.get_ylabel() for axes in ax.figure.axes] == ["left", "Y (another scale, right)"]
    relabel(ax, None, None, ["left", "right"])
    assert [axes.get_ylabel() for axes in ax.figure.axes] == ["left", "right"]
    for one in (plots.moves([1, 2], [1, 2]), plots.table([[1, 0.5]])):
        with pytest.raises(ValueError, match="one vertical axis: give --y-label once, not 2 times"):
            relabel(one, None, None, ["left", "right"])


def is_round(numbers):
    """Whether the numbers are all multiples of 1, 2 or 5 times a power of ten, of which they skip none."""
    numbers = np.sort(numbers)
    steps = np.diff(numbers)
    mantissa = steps.min() / 10 ** np.floor(np.log10(steps.min()) + 1e-9)
    return (
        np.allclose(steps, steps.min())
        and bool(np.isclose(mantissa, (1, 2, 5)).any())
        and np.allclose(numbers / steps.min(), np.round(numbers / steps.min()), atol=1e-6)
    )


@pytest.mark.parametrize("ends", [(0, 1), (0.1373, 0.1378), (-0.3, 12.7), (1000.1, 1000.9), (0, 65_432)])
def test_ticks_are_round_and_in_full(ends):
    ax = plt.figure().add_subplot()
    ax.set_ylim(*ends)
    round_ticks(ax.yaxis)
    ax.figure.canvas.draw()
    ticks = ax.get_yticks()
    assert 3 <= len(ticks) <= 9
    assert is_round(ticks)
    assert ax.yaxis.get_offset_text().get_text() == ""
    assert [float(text.get_text().replace("\N{MINUS SIGN}", "-")) for text in ax.get_yticklabels()] == pytest.approx(
        ticks
    )


def test_ticks_of_other_scales_stay():
    ax = plt.figure().add_subplot()
    ax.set_yscale("log")
    before = ax.yaxis.get_major_locator()
    round_ticks(ax.yaxis)
    assert ax.yaxis.get_major_locator() is before


@pytest.mark.parametrize("name", ["table", "null", "moves", "moves on two scales", "tie_effect"])
def test_numbers_along_the_axes_are_round(name, distribution):
    figure = drawings(distribution)[name]().figure
    figure.canvas.draw()
    numbered = [axes.yaxis for axes in figure.axes if axes.get_title() == "" or name != "table"]
    for axis in [*numbered, *([figure.axes[0].xaxis] if name == "null" else [])]:
        low, high = sorted(axis.get_view_interval())
        shown = [tick for tick in axis.get_majorticklocs() if low - 1e-9 <= tick <= high + 1e-9]
        assert len(shown) >= 2
        assert is_round(shown), shown


@pytest.mark.parametrize(("count", "columns", "rows"), [(1, 1, 1), (3, 1, 3), (4, 2, 2), (3, 2, 2), (2, 2, 1)])
def test_the_title_leaves_room_for_the_legend(count, columns, rows):
    ax = plt.figure().add_subplot()
    handles = [ax.plot([k])[0] for k in range(count)]
    title_and_legend(ax, "title", handles, [f"text {k}" for k in range(count)], columns)
    ax.figure.canvas.draw()
    box = ax.get_legend().get_window_extent()
    points = ax.figure.dpi / 72
    assert ax.title.get_window_extent().y0 >= box.y1 - points
    baseline = ax.title.get_transform().transform(ax.title.get_position())[1]
    assert baseline == pytest.approx(ax.bbox.y1 + (10 * rows + 6) * points)
    assert box.y0 >= ax.bbox.y1 - 1
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [f"text {k}" for k in range(count)]
    assert not ax.get_legend().get_frame_on()
    assert (ax.get_legend().borderaxespad, ax.get_legend().borderpad, ax.get_legend().handlelength) == (0.1, 0.2, 3)
    assert box.x0 + box.x1 == pytest.approx(ax.bbox.x0 + ax.bbox.x1, abs=1)


def test_the_size_of_a_new_figure_and_the_layout():
    ax = axes_of(None, 3, 2)
    assert list(ax.figure.get_size_inches()) == [3, 2]
    assert isinstance(ax.figure.get_layout_engine(), ConstrainedLayoutEngine)
    assert axes_of(ax, 5, 5) is ax
    assert list(ax.figure.get_size_inches()) == [3, 2]
