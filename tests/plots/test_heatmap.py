"""The cells, colours and names of a table of coefficients."""

from itertools import product

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from drawn import assert_nothing_overlaps, texts
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

import ircor
from ircor import plots
from ircor._core.methods import METHODS
from ircor.plots._style import COLUMN, LONGEST_NAME, TEXT, TITLE, text_width


def minus(text):
    """The text with the sign that matplotlib writes by default."""
    return text.replace("-", "\N{MINUS SIGN}")


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
    assert image.get_clim() == (-1, 0.1)  # there is a -1 in the table; the diagonal does not count
    assert texts(ax.get_xticklabels()) == texts(ax.get_yticklabels()) == list(correlations)
    written = {text.get_position(): text.get_text() for text in ax.texts}
    for i, j in product(range(5), repeat=2):
        value = correlations.iloc[i, j]
        assert written.get((j, i)) == (None if np.isnan(value) else minus(f"{value:.2f}"))
    hatched = {(p.get_x() + 0.5, p.get_y() + 0.5) for p in ax.patches if p.get_hatch()}
    assert hatched == {(j, i) for i, j in product(range(5), repeat=2) if 4 in (i, j)}
    assert ax.get_xlabel() == "hatched: undefined\ndiagonal: 1, without a colour"
    assert ax.get_ylabel() == ""
    assert ax.get_title() == "tau_b of each pair of rankings"
    (bar,) = (other for other in ax.figure.axes if other is not ax)
    assert bar.get_ylabel() == minus("tau_b\nfrom -1 to 0.1")
    assert bar.get_ylim() == pytest.approx((-1, 0.1))


def neutral(ax):
    """The cells that are covered."""
    covered = [patch for patch in ax.patches if not patch.get_hatch()]
    assert {to_rgb(patch.get_facecolor()) for patch in covered} <= {to_rgb("0.9")}
    return {(patch.get_x() + 0.5, patch.get_y() + 0.5) for patch in covered}


@pytest.mark.parametrize(
    ("rest", "limits", "clim", "covered"),
    [
        (0.54, None, (0.54, 0.61), True),
        (0.61, None, (0.59, 0.61), True),
        (-0.06, None, (-0.1, 0.7), True),
        (0.54, (0, 0.7), (0, 0.7), True),
        (0.54, (0, 1), (0, 1), False),
    ],
)
def test_the_diagonal_has_a_colour_only_if_one_is_within_the_limits(rest, limits, clim, covered):
    ax = plots.table([[1, rest], [0.61, 1]], limits=limits)
    assert ax.images[0].get_clim() == pytest.approx(clim)
    assert neutral(ax) == ({(0, 0), (1, 1)} if covered else set())
    assert ("diagonal: 1, without a colour" in ax.get_xlabel()) == covered
    for text in ax.texts:
        assert text.get_position() not in neutral(ax) or text.get_color() == "black"


def test_other_diagonals_are_as_other_cells():
    for values in ([[0.9, 0.5], [0.5, 1]], pd.DataFrame([[1, 0.5], [0.5, 1]], index=["a", "b"], columns=["b", "a"])):
        ax = plots.table(values)
        assert neutral(ax) == set()
        assert ax.images[0].get_clim()[1] == 1


@pytest.mark.parametrize("method", METHODS)
def test_the_axes_say_which_is_the_truth_if_it_matters(method, rng):
    values = rng.random((6, 2))
    there, back = (getattr(ircor, method)(*pair) for pair in (values.T, values.T[::-1]))
    ax = plots.table([[1, there], [back, 1]], method=method)
    symmetric = method in ("tau", "tau_b", "tauAP_b")
    assert there == pytest.approx(back) or not symmetric
    assert ax.get_ylabel() == ("" if symmetric else "truth")
    assert ax.get_xlabel().startswith("estimate") != symmetric


def test_overlaps_are_from_zero_to_one():
    ax = plots.table([[1, 0], [0, 1]], method="rbo", p=0.9)
    assert ax.images[0].get_clim() == (0, 0.02)
    assert ax.get_title() == "rbo (p = 0.9) of each pair of rankings"
    assert ax.get_ylabel() == ax.get_xlabel().partition("diagonal")[0].strip() == ""
    bar = plots.table(np.full((2, 2), np.nan), method="rbo").figure.axes[1]
    assert bar.get_ylabel().replace("\n", " ").endswith("from 0 to 1")
    with pytest.raises(ValueError, match="^'correlations' must be between 0 and 1, not -0.1"):
        plots.table([[1, -0.1]], method="rbo")
    with pytest.raises(ValueError, match="^'p' is for method='rbo', not for 'tau'"):
        plots.table([[1, 0.5]], method="tau", p=0.9)
    with pytest.raises(ValueError, match="^'p' must be between 0 and 1, not 2"):
        plots.table([[1, 0.5]], method="rbo", p=2)


@pytest.mark.parametrize(("shape", "written"), [((30, 2), 60), ((31, 2), 0), ((2, 31), 0)])
def test_large_tables_have_no_values_in_their_cells(shape, written):
    ax = plots.table(np.full(shape, 0.5))
    assert len(ax.texts) == written
    if not written:
        assert_nothing_overlaps(ax.figure, ax.get_yticklabels())
        assert_nothing_overlaps(ax.figure, ax.get_xticklabels())


def test_minus_signs_are_those_of_the_settings():
    for unicode in (True, False):
        with mpl.rc_context({"axes.unicode_minus": unicode}):
            ax = plots.table([[-0.5, 0.5]])
            ax.figure.canvas.draw()
            bar = ax.figure.axes[1]
            found = "".join([*texts(ax.texts), bar.get_ylabel(), *texts(bar.get_yticklabels())])
        assert (found.count("-"), found.count("\N{MINUS SIGN}")) == ((0, 4) if unicode else (4, 0))


def test_tables_that_are_not_square_and_arrays():
    ax = plots.table([[0.5, -0.001, -1]])
    assert texts(ax.get_xticklabels()) == ["0", "1", "2"]
    assert texts(ax.get_yticklabels()) == ["0"]
    assert [text.get_text() for text in ax.texts] == ["0.50", "0.00", minus("-1.00")]
    assert ax.get_xlabel() == "ranking taken as y"
    assert ax.figure.axes[1].get_ylabel() == minus("coefficient\nfrom -1 to 0.5")
    frame = pd.DataFrame([[0.1, 0.2]], index=["x"], columns=["y", "z"])
    ax = plots.table(frame)
    assert (texts(ax.get_xticklabels()), texts(ax.get_yticklabels())) == (["y", "z"], ["x"])


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def test_values_are_legible_on_every_colour():
    ax = plots.table(np.linspace(-1, 1, 30)[:, None])
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
    assert ax.figure.get_figwidth() > COLUMN
    assert_nothing_overlaps(ax.figure, ax.texts)


def test_names_stand_upright_where_they_are_long_or_many():
    """In a column of 3.4 inches, 4 columns have about half an inch each."""
    for n, name, upright in ((4, "sixsix", False), (12, "nDCG@10", True), (4, "ten letters", True), (1, "", False)):
        ax = plots.table(pd.DataFrame(np.zeros((2, n)), columns=[name] * n))
        assert {tick.get_rotation() for tick in ax.get_xticklabels()} == {90 if upright else 0}
        assert {tick.get_rotation() for tick in ax.get_yticklabels()} == {0}
        assert_nothing_overlaps(ax.figure, ax.get_xticklabels())


@pytest.mark.parametrize(
    ("m", "n", "name"),
    [
        (1, 1, "a"),
        (10, 4, "nDCG@10"),
        (2, 5, "iprec_at_recall_0.10-of-some-run"),
        (14, 14, "iprec_at_recall_0.10"),
    ],
)
def test_the_figure_has_room_for_cells_and_names(m, n, name):
    names = [f"{name}{k}" for k in range(max(m, n))]
    ax = plots.table(pd.DataFrame(np.full((m, n), -0.5), names[:m], names[:n]))
    figure = ax.figure
    assert_nothing_overlaps(figure, ax.texts)
    for labels in (ax.get_xticklabels(), ax.get_yticklabels()):
        assert "…" not in "".join(texts(labels))
        assert_nothing_overlaps(figure, labels)
    assert_nothing_overlaps(figure, [ax.title, ax.xaxis.label, ax.yaxis.label, *ax.get_yticklabels()])
    assert figure.get_figwidth() >= COLUMN
    cell = ax.get_window_extent()
    assert cell.width / n / figure.dpi > 0.27
    assert cell.height / m / figure.dpi > 0.14
    bounds = figure.get_tightbbox()
    assert -0.02 <= bounds.x0 < bounds.x1 <= figure.get_figwidth() + 0.02


def test_very_long_names_are_shortened_in_the_middle():
    names = ["x" * 40 + str(k) + "y" * 40 for k in range(3)]
    ax = plots.table(pd.DataFrame(np.zeros((3, 3)), names, names))
    for text in texts([*ax.get_xticklabels(), *ax.get_yticklabels()]):
        assert "…" in text
        assert text_width(text) <= LONGEST_NAME


@pytest.mark.parametrize(
    ("values", "limits", "ticks"),
    [
        ([[1, 0.54, 0.61]], (0.5, 1), [0.5, 0.6, 0.7, 0.8, 0.9, 1]),
        ([[1, 0.451]], (0.4, 1), [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
        ([[1, -0.06]], (-0.1, 1), [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ([[0.2, -0.3]], (-0.3, 0.2), [-0.3, -0.2, -0.1, 0, 0.1, 0.2]),
        ([[0.71, 0.43]], (0.4, 0.75), [0.4, 0.5, 0.6, 0.7]),
        ([[1, 0.9, np.nan]], (0.9, 1), [0.9, 0.92, 0.94, 0.96, 0.98, 1]),
        ([[1, -0.97]], (-1, 1), [-1, -0.5, 0, 0.5, 1]),
        ([[1, 1]], (0.98, 1), [0.98, 0.985, 0.99, 0.995, 1]),
        ([[-1, -1]], (-1, -0.98), [-1, -0.995, -0.99, -0.985, -0.98]),
        ([[np.nan]], (-1, 1), [-1, -0.5, 0, 0.5, 1]),
        ([[1 + 1e-10, 0.5]], (0.5, 1), [0.5, 0.6, 0.7, 0.8, 0.9, 1]),
    ],
)
def test_the_colours_are_on_the_range_of_the_data(values, limits, ticks):
    ax = plots.table(values, method="tau_b")
    (image,) = ax.images
    bar = ax.figure.axes[1]
    assert bar.get_yticks() == pytest.approx(ticks)
    assert image.get_clim() == pytest.approx(limits)
    assert bar.get_ylim() == pytest.approx(limits)
    assert bar.get_ylabel() == minus(f"tau_b\nfrom {limits[0]:g} to {limits[1]:g}")


def test_limits_as_given():
    ax = plots.table([[0.5, 0.7]], limits=(-1, 1))
    assert ax.images[0].get_clim() == (-1, 1)
    assert list(ax.figure.axes[1].get_yticks()) == [-1, -0.5, 0, 0.5, 1]
    ax = plots.table([[0.5, 0.7]], limits=(0.45, 0.75))
    assert ax.images[0].get_clim() == (0.45, 0.75)
    assert ax.figure.axes[1].get_yticks() == pytest.approx([0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75])


def test_coefficients_may_exceed_their_bounds_by_rounding():
    plots.table([[1 + 1e-10, -1 - 1e-10]])
    with pytest.raises(ValueError, match="'correlations' must be between -1 and 1"):
        plots.table([[1 + 1e-8]])


def test_dollars_in_the_name_of_the_coefficient():
    ax = plots.table([[1]], method="$a$")
    assert ax.get_title() == r"\$a\$ of each pair of rankings"
    assert ax.figure.axes[1].get_ylabel() == "\\$a\\$\nfrom 0.98 to 1"


def test_the_colour_bar_is_the_same_at_any_height():
    for rows in (1, 20):
        bar = plots.table(np.tile([-1, 1], (rows, 1)), method="tau").figure.axes[1]
        assert list(bar.get_yticks()) == [-1, -0.5, 0, 0.5, 1]
        assert bar.get_ylabel() == minus("tau\nfrom -1 to 1" if rows == 1 else "tau, from -1 to 1")
        assert {label.get_fontsize() for label in [bar.yaxis.label, *bar.get_yticklabels()]} == {TEXT}


def test_the_looks_of_cells_and_texts():
    ax = plots.table([[0.5, np.nan], [np.nan, -0.5]])
    assert {(text.get_ha(), text.get_va(), text.get_fontsize()) for text in ax.texts} == {("center", "center", TEXT)}
    for patch in ax.patches:
        assert (patch.get_width(), patch.get_height()) == (1, 1)
        assert (patch.get_hatch(), patch.get_linewidth()) == ("/////", 0.6)
        assert (to_rgb(patch.get_facecolor()), to_rgb(patch.get_edgecolor())) == (to_rgb("white"), to_rgb("0.4"))
    (image,) = ax.images
    assert image.cmap.name == "cividis"
    labels = [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label]
    assert {label.get_fontsize() for label in labels} == {TEXT}
    assert ax.title.get_fontsize() == TITLE


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: plots.table([1, 2]), ValueError, "a table with rows and columns, not of shape \\(2,\\)"),
        (lambda: plots.table(np.zeros((0, 2))), ValueError, "a table with rows and columns"),
        (lambda: plots.table([["a"]]), TypeError, "'correlations' must be numbers"),
        (lambda: plots.table([[0.5, -1.5]]), ValueError, "between -1 and 1, not -1.5"),
        (lambda: plots.table([[np.inf]]), ValueError, "between -1 and 1, not inf"),
        (lambda: plots.table([[1]], method=pd.NA), TypeError, "'method' must be a string, not <NA>"),
        (
            lambda: plots.table([[1]], method=pd.Series(["a", "b"])),
            TypeError,
            "'method' must be a string, not a Series",
        ),
        (lambda: plots.table([[1]], limits=(1, 0)), ValueError, "'limits' must be two numbers, the smaller first"),
        (lambda: plots.table([[1]], limits=[0]), ValueError, "'limits' must be two numbers, the smaller first"),
        (lambda: plots.table([[1]], limits=(0, np.nan)), ValueError, "'limits' must be two numbers"),
        (lambda: plots.table([[1]], limits="ab"), TypeError, "'limits' must be a number, not 'ab'"),
        (lambda: plots.table([[0.1, 1]], limits=(0, 0.5)), ValueError, "between them, which are from 0.1 to 1"),
        (lambda: plots.table([[0.1, 1]], limits=(0.2, 1)), ValueError, "between them, which are from 0.1 to 1"),
        (lambda: plots.table([[1]], ax=plt), TypeError, "'ax' must be one matplotlib Axes, not a module"),
    ],
)
def test_bad_input_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()
    assert plt.get_fignums() == []
