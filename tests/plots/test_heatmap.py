"""The cells, colours and names of a table of coefficients."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from drawn import assert_nothing_overlaps, texts
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb

import ircor
from ircor import plots
from ircor.plots._style import COLUMN, TEXT, TITLE


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
    assert ax.figure.get_figwidth() > COLUMN
    assert_nothing_overlaps(ax.figure, ax.texts)


def test_names_stand_upright_where_they_are_long_or_many():
    for n, name, upright in ((4, "five5", False), (5, "five5", True), (4, "sixsix", True), (1, "", False)):
        ax = plots.table(pd.DataFrame(np.zeros((2, n)), columns=[name] * n))
        assert {tick.get_rotation() for tick in ax.get_xticklabels()} == {90 if upright else 0}
        assert {tick.get_rotation() for tick in ax.get_yticklabels()} == {0}


@pytest.mark.parametrize(
    ("rows", "columns", "size"),
    [
        (["a"], ["b"], (3.4, 1.8)),
        (["a"] * 10, ["b"] * 4, (3.4, 3.4)),
        (["a"] * 10, ["b"] * 5, (3.4, 3.455)),
        (["a" * 10] * 10, ["b" * 9] * 20, (7.85, 3.895)),
        (["a" * 99], ["b"] * 6, (3.62, 1.8)),
    ],
)
def test_the_figure_has_room_for_cells_and_names(rows, columns, size):
    ax = plots.table(pd.DataFrame(np.zeros((len(rows), len(columns))), rows, columns))
    assert tuple(ax.figure.get_size_inches()) == pytest.approx(size)


def test_coefficients_may_exceed_their_bounds_by_rounding():
    plots.table([[1 + 1e-10, -1 - 1e-10]])
    with pytest.raises(ValueError, match="'correlations' must be between -1 and 1"):
        plots.table([[1 + 1e-8]])


def test_dollars_in_the_name_of_the_coefficient():
    ax = plots.table([[1]], method="$a$")
    assert ax.get_title() == r"\$a\$ of each pair of rankings"
    assert ax.figure.axes[1].get_ylabel() == r"\$a\$"


def test_the_colour_bar_has_five_ticks_at_any_height():
    for rows in (1, 40):
        bar = plots.table(np.zeros((rows, 2))).figure.axes[1]
        assert list(bar.get_yticks()) == [-1, -0.5, 0, 0.5, 1]
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
        (lambda: plots.table([[1]], ax=plt), TypeError, "'ax' must be one matplotlib Axes, not a module"),
    ],
)
def test_bad_input_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()
    assert plt.get_fignums() == []
