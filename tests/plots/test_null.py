"""The distribution of a rank distance and the lines in it."""

from fractions import Fraction

import numpy as np
import pytest
from drawn import legend
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

from ircor import plots
from ircor.plots._style import BLUE, COLUMN, TEXT
from ircor.rank_distance import DrankNull


def vertical(ax):
    return {line.get_linestyle(): line for line in ax.lines}


def test_the_distribution_and_its_marks(distribution):
    observed = 1.25
    ax = plots.null(distribution, observed, alpha=0.1)
    lines = vertical(ax)
    assert sorted(lines) == ["-", "--"]
    assert list(lines["--"].get_xdata()) == [distribution.critical_value(0.1)] * 2
    assert list(lines["-"].get_xdata()) == [observed] * 2
    p = (np.sum(distribution.distances >= observed) + 1) / 501
    critical = np.sort(distribution.distances)[int(np.ceil(0.9 * 500)) - 1]
    assert lines["--"].get_xdata()[0] == critical
    assert legend(ax) == [f"critical value at alpha = 0.1: {critical:.4g}", f"observed: 1.25, p = {p:.4f}"]
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
    far = 2.9 * distribution.distances.max()
    ax = plots.null(distribution, far)
    assert legend(ax)[1] == f"observed: {far:.4g}, p = 0.0020"
    assert ax.get_xlim()[1] > far
    assert legend(plots.null(distribution, 0))[1] == "observed: 0, p = 1.0000"


def test_a_distribution_of_zeros():
    null = DrankNull([[0.1, 0.9], [0.2, 0.8], [0.1, 0.7]], resamples=20, seed=1, progress=False)
    assert not null.distances.any()
    ax = plots.null(null, 0)
    assert ax.patches[0].get_xy()[:, 1].max() == pytest.approx(1)
    assert legend(ax) == ["critical value at alpha = 0.05: 0", "observed: 0, p = 1.0000"]


def test_infinite_distances_have_no_bar_and_are_counted(rng):
    """With more systems than topics and no ridge, no point has the order of most rankings by another sample."""
    distribution = DrankNull(rng.random((5, 8)), null="two-sample", ridge=0, resamples=40, seed=1)
    infinite = np.isinf(distribution.distances).sum()
    assert infinite > 2
    ax = plots.null(distribution, np.inf)
    assert legend(ax)[0] == "critical value at alpha = 0.05: infinite"
    assert legend(ax)[1].startswith("observed: infinite, p = ")
    assert ax.get_xlabel() == f"rank distance, d_rank\n{infinite} of the 40 are infinite, and not drawn"
    assert ax.get_title() == "Rank distance in 40 pairs of samples"
    assert ax.get_ylabel() == "share of the pairs of samples"
    critical, observed = ax.lines
    assert critical.get_markerfacecolor() == "white" != observed.get_markerfacecolor()
    assert critical.get_ydata()[0] != observed.get_ydata()[0]


@pytest.mark.parametrize(("times", "text"), [(np.inf, "infinite"), (3.1, None), (1000, None)])
def test_a_distance_far_away_is_an_arrow_at_the_right_edge_with_its_value(distribution, times, text):
    observed = times * distribution.distances.max()
    without, ax = plots.null(distribution), plots.null(distribution, observed)
    (said,) = ax.texts
    assert said.get_text() == (text or f"{observed:.4g}")
    assert legend(ax)[1].startswith(f"observed: {said.get_text()}, p = ")
    arrow = ax.lines[1]
    assert (arrow.get_marker(), arrow.get_color(), arrow.get_clip_on()) == (">", "black", False)
    ax.figure.canvas.draw()
    ((x, _),) = arrow.get_transform().transform(arrow.get_xydata())
    assert x == pytest.approx(ax.get_window_extent().x1)
    handle = ax.get_legend().legend_handles[1]
    assert (handle.get_marker(), handle.get_linestyle()) == (">", "None")
    assert said.get_window_extent().x1 < ax.get_window_extent().x1
    # The arrow leaves the axes as they are.
    assert (ax.get_xlim(), ax.get_ylim()) == (without.get_xlim(), without.get_ylim())


def test_the_names_of_the_reference_and_of_the_ranking(distribution):
    ax = plots.null(distribution, 1.25, labels=("map", "$P$"))
    assert ax.get_xlabel() == "rank distance from map, d_rank"
    assert legend(ax)[1].startswith(r"\$P\$: 1.25, p = ")
    long = "runs/2004/a-very-long-name-of-a-file.eval"
    ax = plots.null(distribution, 1.25, labels=(long, long))
    ax.figure.canvas.draw()
    bounds = ax.figure.get_tightbbox()
    assert -0.02 <= bounds.x0 < bounds.x1 <= COLUMN + 0.02
    with pytest.raises(ValueError, match="'labels' must be two names"):
        plots.null(distribution, 1.25, labels="map")


def test_small_p_values():
    null = DrankNull.__new__(DrankNull)
    null.distances, null.resamples, null.null = np.arange(9_999.0), 9_999, "resample"
    for observed, text in ((9995, "p = 0.0005"), (9990, "p = 0.0010"), (8766, "p = 0.1234"), (10_000, "p = 0.0001")):
        assert legend(plots.null(null, observed))[1] == f"observed: {observed:.4g}, {text}"


def test_any_type_of_number(distribution):
    ax = plots.null(distribution, Fraction(5, 4), alpha=Fraction(1, 10))
    assert legend(ax) == legend(plots.null(distribution, np.float32(1.25), alpha=np.float64(0.1)))
    assert ax.get_xlim()[0] < 0 < ax.get_xlim()[1]


def test_the_looks_of_lines_and_bars(distribution):
    ax = plots.null(distribution, 1.25)
    critical, observed = ax.lines
    assert (critical.get_color(), critical.get_linewidth(), critical.get_linestyle()) == (BLUE, 1.2, "--")
    assert (observed.get_color(), observed.get_linewidth(), observed.get_linestyle()) == ("black", 1.8, "-")
    (bars,) = ax.patches
    assert to_rgb(bars.get_facecolor()) == to_rgb("0.85")
    assert (to_rgb(bars.get_edgecolor()), bars.get_linewidth()) == (to_rgb("0.4"), 0.8)
    labels = [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label]
    assert {label.get_fontsize() for label in labels} == {TEXT}
    assert list(ax.figure.get_size_inches()) == [COLUMN, 2.5]


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: plots.null([1, 2]), TypeError, "'null' must be a DrankNull, not a list"),
    ],
)
def test_bad_input_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()
    assert plt.get_fignums() == []


def test_bad_input_to_null_is_refused(distribution):
    for arguments, kind, words in [
        ({"observed": -1}, ValueError, "'observed' must be a distance, 0 or more, not -1"),
        ({"observed": "far"}, TypeError, "'observed' must be a number, not 'far'"),
        ({"observed": np.nan}, ValueError, "'observed' must be a distance, 0 or more, not nan"),
        ({"observed": True}, TypeError, "'observed' must be a number, not True"),
        ({"alpha": 1}, ValueError, "'alpha' must be between 0 and 1, not 1"),
        ({"alpha": "5 %"}, TypeError, "'alpha' must be a number, not '5 %'"),
        ({"ax": "here"}, TypeError, "'ax' must be one matplotlib Axes, not a str"),
        ({"alpha": 0}, ValueError, "'alpha' must be between 0 and 1"),
    ]:
        with pytest.raises(kind, match=words):
            plots.null(distribution, **arguments)
    assert plt.get_fignums() == []
