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
from ircor.plots._style import COLUMN, LOOKS, axes_of, name_texts, some_places, title_and_legend, wrapped


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
    assert one.figure.get_figwidth() == COLUMN


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


def test_names_of_more_than_twelve_characters_are_shortened():
    names = ["", "a" * 12, "abcdefghijklm", "abcdefghijklmnop", 5, "$x$"]
    assert name_texts(names) == ["", "a" * 12, "abcdef…ijklm", "abcdef…lmnop", "5", r"\$x\$"]
    assert {len(text) for text in name_texts(names[1:4])} == {12}
    # Shortened first: the escape of a dollar sign takes no room in the plot.
    assert name_texts(["$" * 12]) == [r"\$" * 12]


def test_titles_are_wrapped():
    words = "a" * 21 + " " + "b" * 22
    assert wrapped(words) == words
    assert wrapped(words + "b") == words.replace(" ", "\n") + "b"
    assert wrapped("ab cd", 4) == "ab\ncd"


def test_six_places_from_the_first_to_the_last():
    assert some_places(61) == [1, 13, 25, 37, 49, 61]
    assert some_places(28) == [1, 6, 12, 17, 23, 28]
    assert all(type(place) is int for place in some_places(100))


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
