"""Dots with ranges."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from ircor import plots

VALUES, LOW, HIGH = [0.4, 0.8, 0.6], [0.3, 0.7, 0.6], [0.6, 0.9, 0.7]


def test_dots_are_in_order_with_their_ranges_and_the_mean():
    ax = plots.ranges(VALUES, LOW, HIGH, names="ABC", mean=(0.5, 0.7), label="RBO", limits=(0, 1))
    dots, mean = ax.lines
    assert dots.get_xdata().tolist() == [0.8, 0.6, 0.4]
    assert dots.get_ydata().tolist() == [1, 2, 3]
    assert ax.yaxis_inverted()
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["B", "C", "A"]
    ranges = [segment[:, 0].tolist() for segment in ax.collections[0].get_segments()]
    assert ranges == [[0.7, 0.9], [0.6, 0.7], [0.3, 0.6]]
    assert mean.get_xdata() == pytest.approx([0.6, 0.6])
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts[2:] == ["mean: 0.60", "interval for the mean: 0.50 to 0.70"]
    assert ax.get_title() == "RBO of 3 topics"
    assert ax.get_xlim()[0] < 0 < 1 < ax.get_xlim()[1]


def test_values_alone_and_names_of_a_series():
    ax = plots.ranges(pd.Series(VALUES, index=["x", "y", "z"]), title="mine $1", items="queries")
    assert not ax.collections
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["y", "z", "x"]
    assert (ax.get_title(), ax.get_ylabel()) == (r"mine \$1", "queries")
    assert [tick.get_text() for tick in plots.ranges(VALUES).get_yticklabels()] == ["1", "2", "0"]


def test_names_are_left_out_where_there_is_no_room():
    many = np.linspace(0, 1, 61)
    assert plots.ranges(many).get_ylabel() == "61 topics"
    assert plots.ranges(many[:60]).get_ylabel() == "topics"
    _, ax = plt.subplots(figsize=(3, 1))
    assert plots.ranges(many[:30], ax=ax) is ax
    assert ax.get_ylabel() == "30 topics"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"low": LOW}, "'low' and 'high' must be given together"),
        ({"low": LOW, "high": [1, 2]}, "'high' must have 3 values, as 'values' has, not 2"),
        ({"names": "AB"}, "'names' must have one name for each of the 3 items, not 2"),
        ({"mean": (0.7, 0.5)}, "'mean' must be two numbers, the smaller first"),
        ({"limits": 1.0}, "'limits' must be two numbers"),
        ({"values": [0.1, np.nan]}, "'values' must not have missing or infinite values"),
        ({"values": []}, "'values' has no values"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        plots.ranges(**{"values": VALUES, **options})
