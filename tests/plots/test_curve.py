"""A value against the number of topics."""

from fractions import Fraction

import numpy as np
import pytest
from drawn import assert_nothing_overlaps, legend, texts
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from ircor import plots
from ircor.plots._style import BLUE, COLUMN, TEXT, VERMILION
from ircor.reliability import summary, topics_needed

TOPICS, VALUES = [25, 50, 100, 200], [0.8, 0.86, 0.9, 0.93]
LOW, HIGH = [0.7, 0.8, 0.85, 0.9], [0.85, 0.9, 0.94, 0.96]


def lines_of(ax):
    """The curve, the dot and the dashed line, by what they are drawn with."""
    return {(line.get_linestyle(), line.get_marker()): line for line in ax.lines}


def bar_of(ax):
    """The ends of the interval of the topics needed, and where the line is."""
    ((low, y), (high, _)) = ax.collections[-1].get_segments()[0]
    return low, high, y


def test_the_curve_its_band_and_the_collection():
    ax = plots.curve(TOPICS, VALUES, LOW, HIGH, own=50, label="expected tau", title="Forty systems")
    lines = lines_of(ax)
    curve, own = lines["-", "None"], lines["None", "o"]
    assert (curve.get_xdata().tolist(), curve.get_ydata().tolist()) == (TOPICS, VALUES)
    assert (own.get_xdata().tolist(), own.get_ydata().tolist()) == ([50], [0.86])
    (band,) = ax.collections
    outline = {tuple(point) for point in band.get_paths()[0].vertices.tolist()}
    assert outline == {*zip(TOPICS, LOW), *zip(TOPICS, HIGH)}
    assert legend(ax) == ["expected tau", "its interval", "this collection, 50 topics: 0.86"]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("Forty systems", "number of topics", "expected tau")


def test_the_target_and_the_topics_that_it_needs():
    ax = plots.curve(TOPICS, VALUES, target=0.88, needed=(70, 50, 95))
    lines = lines_of(ax)
    assert list(lines["--", "None"].get_ydata()) == [0.88, 0.88]
    assert (lines["None", "D"].get_xdata().tolist(), lines["None", "D"].get_ydata().tolist()) == ([70], [0.88])
    assert bar_of(ax) == (50, 95, 0.88)
    assert legend(ax) == ["expected coefficient", "0.88 needs 70 topics (50 to 95)"]
    assert ax.get_title() == "expected coefficient"


def test_the_values_alone_and_a_target_without_topics():
    ax = plots.curve(TOPICS, VALUES)
    assert len(ax.lines) == 1
    assert not ax.collections
    assert legend(ax) == ["expected coefficient"]
    assert legend(plots.curve(TOPICS, VALUES, target=0.95))[1:] == ["0.95"]
    assert legend(plots.curve([1, 2], [0, 0.5], own=1, name="x"))[1] == "x, 1 topic: 0.00"
    assert legend(plots.curve([1, 2], [0.3, 0.5], target=0.2, needed=(1, 1, 1)))[1] == "0.2 needs 1 topic (1 to 1)"


@pytest.mark.parametrize(
    ("needed", "drawn", "bar", "said"),
    [
        # A diamond at the edge would stand for another number.
        ((300, 150, 800), False, (150, 200), "0.95 needs 300 topics (150 to 800)"),
        ((150, 90, 1234), True, (90, 200), "0.95 needs 150 topics (90 to 1,234)"),
        ((150, 90, np.inf), True, (90, 200), "0.95 needs 150 topics (90 or more)"),
        ((200, 200, 200), True, (200, 200), "0.95 needs 200 topics (200 to 200)"),
        ((1500, 1200, np.inf), False, None, "0.95 needs 1,500 topics (1,200 or more)"),
    ],
)
def test_what_is_beyond_the_last_number_of_topics_is_not_drawn(needed, drawn, bar, said):
    ax = plots.curve(TOPICS, VALUES, target=0.95, needed=needed)
    markers = [line for line in ax.lines if line.get_marker() == "D"]
    assert len(markers) == drawn
    if drawn:
        assert markers[0].get_xdata().tolist() == [needed[0]]
    assert (bar_of(ax)[:2] if ax.collections else None) == bar
    assert legend(ax)[1] == said
    assert ax.get_xlim() == (25, 200)


def test_the_topics_of_the_axis_are_round_numbers_that_it_reaches():
    ax = plots.curve([7, 30, 600], [0.1, 0.2, 0.3])
    assert ax.get_xscale() == "log"
    assert ax.get_xlim() == (7, 600)
    assert texts(ax.get_xticklabels()) == ["10", "25", "50", "100", "250", "500"]
    ax.figure.canvas.draw()
    assert [tick for tick in ax.xaxis.get_minor_ticks() if tick.tick1line.get_visible()] == []
    assert texts(plots.curve([1, 2], [0.1, 0.2]).get_xticklabels()) == ["1", "2"]


def test_names_are_text_and_long_ones_are_shortened():
    ax = plots.curve(TOPICS, VALUES, own=25, name="$x_1$", label="tau of $y$", title="cost in $")
    assert legend(ax) == [r"tau of \$y\$", r"\$x_1\$, 25 topics: 0.80"]
    assert (ax.get_title(), ax.get_ylabel()) == (r"cost in \$", r"tau of \$y\$")
    long = "runs/2004/a-very-long-name-of-a-folder-with-all-runs-of-a-track/*.run"
    ax = plots.curve(TOPICS, VALUES, own=25, name=long)
    assert "…" in legend(ax)[1]
    ax.figure.canvas.draw()
    bounds = ax.figure.get_tightbbox()
    assert -0.02 <= bounds.x0 < bounds.x1 <= COLUMN + 0.02


def test_negative_values_have_a_true_minus_sign():
    assert legend(plots.curve([1, 2], [-0.25, 0], own=1))[1] == "this collection, 1 topic: \N{MINUS SIGN}0.25"


def test_the_given_axes_are_used():
    figure, (left, right) = plt.subplots(1, 2)
    assert plots.curve(TOPICS, VALUES, ax=left) is left
    assert not right.has_data()
    assert plt.get_fignums() == [figure.number]


def test_any_type_of_number():
    ax = plots.curve(
        np.array(TOPICS, dtype=np.int32),
        tuple(map(np.float32, VALUES)),
        target=Fraction(1, 2),
        needed=np.array([2, 1, 3]),
    )
    assert legend(ax) == ["expected coefficient", "0.5 needs 2 topics (1 to 3)"]


def test_the_looks_of_lines_and_what_they_stand_for():
    ax = plots.curve(TOPICS, VALUES, LOW, HIGH, own=50, target=0.88, needed=(70, 50, 95))
    lines = lines_of(ax)
    assert lines["-", "None"].get_color() == "black"
    assert lines["None", "o"].get_color() == BLUE
    assert lines["--", "None"].get_color() == VERMILION
    assert lines["None", "D"].get_markerfacecolor() == "white"
    assert to_rgb(ax.collections[0].get_facecolor()) == to_rgb("0.85")
    order = [ax.collections[0], lines["--", "None"], lines["-", "None"], lines["None", "o"], lines["None", "D"]]
    assert [one.get_zorder() for one in order] == sorted({one.get_zorder() for one in order})
    labels = [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label]
    assert {label.get_fontsize() for label in labels} == {TEXT}
    assert list(ax.figure.get_size_inches()) == [COLUMN, 2.9]
    assert_nothing_overlaps(ax.figure, [ax.title, *ax.get_legend().get_texts(), ax.xaxis.label, *ax.get_xticklabels()])


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"topics": [50, 25, 100, 200]}, ValueError, "'topics' must be numbers above 0 that increase"),
        ({"topics": [25, 25, 100, 200]}, ValueError, "'topics' must be numbers above 0 that increase"),
        ({"topics": [0, 25, 100, 200]}, ValueError, "'topics' must be numbers above 0 that increase"),
        ({"topics": []}, ValueError, "'topics' has no values"),
        ({"topics": "abcd"}, TypeError, "'topics' must be a numeric vector"),
        ({"values": [0.1, 0.2, 0.3]}, ValueError, "'values' must have 4 values, as 'topics' has, not 3"),
        ({"values": [0.1, 0.2, np.nan, 0.3]}, ValueError, "'values' must not have missing or infinite values"),
        ({"low": LOW}, ValueError, "'low' and 'high' must be given together"),
        ({"high": HIGH}, ValueError, "'low' and 'high' must be given together"),
        ({"low": LOW, "high": HIGH[1:]}, ValueError, "'high' must have 4 values, as 'topics' has, not 3"),
        ({"own": 26}, ValueError, "'own' must be one of 'topics', not 26"),
        ({"needed": (70, 50, 95)}, ValueError, "'needed' must come with 'target'"),
        ({"target": 0.9, "needed": 70}, ValueError, "'needed' must be three numbers, the topics with their low and"),
        ({"target": 0.9, "needed": (70, 80, 95)}, ValueError, "and high end, not \\(70, 80, 95\\)"),
        ({"target": 0.9, "needed": (70, 50, 60)}, ValueError, "and high end, not \\(70, 50, 60\\)"),
        ({"target": 0.9, "needed": (70, 50)}, ValueError, "and high end, not \\(70, 50\\)"),
        ({"target": 0.9, "needed": (70, "few", 95)}, TypeError, "'needed' must be a number, not 'few'"),
        ({"target": "high"}, TypeError, "'target' must be a number, not 'high'"),
        ({"ax": "here"}, TypeError, "'ax' must be one matplotlib Axes, not a str"),
    ],
)
def test_what_is_refused(options, kind, words):
    with pytest.raises(kind, match=words):
        plots.curve(**{"topics": TOPICS, "values": VALUES} | options)


def test_what_is_refused_leaves_no_figure_behind():
    for options in (
        {"topics": [2, 1, 3, 4]},
        {"low": LOW},
        {"own": 26},
        {"needed": (1, 1, 1)},
        {"target": 0.9, "needed": (1, 2, 3)},
    ):
        with pytest.raises(ValueError, match="must"):
            plots.curve(**{"topics": TOPICS, "values": VALUES} | options)
    assert plt.get_fignums() == []


# What the results draw


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(4)
    return rng.random((30, 1)) + np.arange(12) / 30 + 0.2 * rng.normal(size=(30, 12))


@pytest.mark.parametrize("method", ["tau", "tauAP"])
def test_topics_needed_draws_its_curve(scores, method):
    found = topics_needed(scores, 0.85, method, resamples=40, seed=1)
    ax = found.plot(name="mine")
    curve = lines_of(ax)["-", "None"]
    assert curve.get_xdata().tolist() == found.curve["topics"].tolist()
    assert curve.get_ydata().tolist() == found.curve["expected"].tolist()
    outline = {tuple(point) for point in ax.collections[0].get_paths()[0].vertices.tolist()}
    assert outline == {
        *zip(found.curve["topics"], found.curve["low"]),
        *zip(found.curve["topics"], found.curve["high"]),
    }
    assert legend(ax) == [
        f"expected {method}",
        "95% interval",
        f"mine, 30 topics: {found.own.value:.2f}",
        f"0.85 needs {found.needed} topics ({found.low} to {found.high})",
    ]
    assert bar_of(ax) == (max(found.low, 25), found.high, 0.85)
    assert ax.get_title().replace("\n", " ") == f"Expected {method} of 12 systems with the true ranking"
    assert ax.get_ylabel() == f"expected {method}"
    whole = summary(scores, 0.85, method, resamples=40, seed=1)
    assert legend(whole.plot(ax=plt.figure().gca()))[2] == f"this collection, 30 topics: {found.own.value:.2f}"


def test_a_target_that_nothing_reaches_is_a_line_alone(rng):
    found = topics_needed([[1, 2, 3], [3, 1, 2], [2, 3, 1.5]], resamples=20, seed=1)
    assert found.needed == np.inf
    assert legend(found.plot())[-1] == "0.9 is not reached"


@pytest.mark.parametrize("seed", range(4))
def test_few_draws_are_drawn_too(scores, seed):
    """The interval of very few draws may miss the topics needed."""
    for resamples, level in ((1, 0.95), (2, 0.5), (9, 0.05)):
        found = topics_needed(scores, 0.9, resamples=resamples, level=level, seed=seed)
        assert found.plot().get_title()
