"""The coefficients of rounded scores, against the functions themselves."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from drawn import ESTIMATE, TRUTH, legend, texts
from matplotlib import pyplot as plt

import ircor
from ircor import plots
from ircor.plots._style import COLUMN, LOOKS, TEXT
from ircor.plots._ties import ALLOW_TIES
from ircor.rbase import r_round


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


def test_ties_in_x_are_no_matter_to_the_variants_b():
    ax = plots.tie_effect([1, 1, 2], [1, 2, 3], methods=("tau_b", "tauAP_b"))
    assert ax.lines[0].get_ydata()[0] == ircor.tau_b([1, 1, 2], [1, 2, 3])


def test_the_methods_are_those_that_allow_ties_in_y():
    assert ALLOW_TIES == ("tau_a", "tau_b", "tauAP_a", "tauAP_b")
    assert set(ALLOW_TIES) == set(LOOKS)


def test_the_decimals_needed_by_numbers_that_are_not_doubles():
    wide = np.array([1, 1 + np.longdouble(2) ** -60, 2, 2.5], dtype=np.longdouble)
    assert list(plots.tie_effect(wide, [1, 2, 3, 4], methods="tau_b").lines[0].get_xdata()) == [1, 0]
    integers = [2**62, 2**62 + 1, 5]
    assert list(plots.tie_effect(integers, [1, 2, 3], methods="tau_b").lines[0].get_xdata()) == [0]
    halves = np.array([0.5, 0.25, 0.125], dtype=np.float16)
    assert list(plots.tie_effect([1, 2, 3], halves, methods="tau_a").lines[0].get_xdata()) == [1, 0]


def test_the_decimals_needed_are_those_of_both_vectors():
    for x, y in (([0.1, 0.2], [0.001, 0.002]), ([0.001, 0.002], [0.1, 0.2])):
        assert list(plots.tie_effect(x, y).lines[0].get_xdata()) == [3, 2, 1, 0]


@pytest.mark.parametrize(
    ("decimals", "labelled"),
    [
        (8, range(8, -1, -1)),
        (9, range(8, -1, -2)),
        (17, range(16, -1, -2)),
        (18, range(18, -1, -3)),
        ([5], [5]),
        ([-1, 3, 1], [3, 1, -1]),
    ],
)
def test_at_most_nine_labels_with_the_last(decimals, labelled):
    ax = plots.tie_effect(TRUTH, ESTIMATE, decimals=decimals, methods="tau_a")
    assert list(ax.get_xticks()) == list(labelled)
    for label, d in zip(texts(ax.get_xticklabels()), labelled):
        few = r_round(ESTIMATE, d)
        assert label.replace("\N{MINUS SIGN}", "-") == f"{d}\n{sum(a == b for a, b in combinations(few, 2)) / 45:.0%}"


@pytest.mark.parametrize(("decimals", "limits"), [([2], (2.3, 1.7)), (5, (5.3, -0.3)), (10, (10.4, -0.4))])
def test_the_axis_has_a_margin(decimals, limits):
    assert plots.tie_effect(TRUTH, ESTIMATE, decimals=decimals).get_xlim() == pytest.approx(limits)


def test_shares_close_to_none_and_all(rng):
    ax = plots.tie_effect(range(30), [0.1, *range(29)], decimals=[1, 0, -9], methods="tau_a")
    assert texts(ax.get_xticklabels()) == ["1\n0%", "0\n<1%", "\N{MINUS SIGN}9\n100%"]


def test_the_looks_of_the_lines():
    ax = plots.tie_effect(TRUTH, ESTIMATE)
    for line in ax.lines:
        look = {"color": line.get_color(), "linestyle": line.get_linestyle(), "marker": line.get_marker()}
        assert look == LOOKS[line.get_label()]
        assert (line.get_markersize(), line.get_linewidth(), line.get_markerfacecolor()) == (4, 1.2, "white")
        assert not line.get_clip_on()
    labels = [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label]
    assert {label.get_fontsize() for label in labels} == {TEXT}
    assert {(line.get_color(), line.get_linewidth(), line.get_visible()) for line in ax.get_ygridlines()} == {
        ("0.9", 0.6, True)
    }
    assert not any(line.get_visible() for line in ax.get_xgridlines())
    assert list(ax.figure.get_size_inches()) == [COLUMN, 2.8]


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: plots.tie_effect([1, 1, 2], [1, 2, 3]), ValueError, "'x' contains ties.* for tau_a and tauAP_a"),
        (lambda: plots.tie_effect([0.3, 0.1 + 0.2], [1, 2]), ValueError, "'x' contains ties, or numbers that R prints"),
        (lambda: plots.tie_effect([1, 2], [1, np.nan]), ValueError, "'y' must not have missing values, but it has 1"),
        (
            lambda: plots.tie_effect([1, 2], [1, 2], methods=["tau"]),
            ValueError,
            "'methods' must be one of tau_a, tau_b, tauAP_a, tauAP_b, not 'tau'",
        ),
        (lambda: plots.tie_effect([1, 2], [1, 2], methods=[]), ValueError, "'methods' must be one coefficient or more"),
        (lambda: plots.tie_effect([1, 2], [1, 2], methods=["tau_a"] * 2), ValueError, "each of them once"),
        (
            lambda: plots.tie_effect([1, 2], [1, 2], decimals=[1.5]),
            TypeError,
            "'decimals' must be a whole number, not 1.5",
        ),
        (
            lambda: plots.tie_effect([1, 2], [1, 2], decimals="two"),
            TypeError,
            "'decimals' must be a whole number, not 'two'",
        ),
        (lambda: plots.tie_effect([1, 2], [1, 2], decimals=[]), ValueError, "'decimals' must be one number or more"),
        (lambda: plots.tie_effect([1, 2], [1, 2], methods=pd.NA), ValueError, "'methods' must be one of .*, not <NA>"),
        (
            lambda: plots.tie_effect([1, 2], [1, 2], methods=pd.DataFrame({"tau": [1]})),
            ValueError,
            "'methods' must be one of",
        ),
        (
            lambda: plots.tie_effect([1, 2], [1, 2], methods=[pd.Series(["tau_a"])]),
            ValueError,
            "'methods' must be one of",
        ),
        (
            lambda: plots.tie_effect([1, 2], [1, 2], decimals=True),
            TypeError,
            "'decimals' must be a whole number, not True",
        ),
        (
            lambda: plots.tie_effect([1, 2], [1, 2], decimals=pd.NA),
            TypeError,
            "'decimals' must be a whole number, not <NA>",
        ),
        (lambda: plots.tie_effect([1, 2], [1, 2], decreasing="up"), TypeError, "'decreasing' must be"),
        (lambda: plots.tie_effect([1, 1], [1, 2], methods="tau_a"), ValueError, "is not allowed for tau_a: remove"),
        (lambda: plots.tie_effect([1, 2], [1, 2], ax=[]), TypeError, "'ax' must be one matplotlib Axes, not a list"),
    ],
)
def test_bad_input_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()
    assert plt.get_fignums() == []
