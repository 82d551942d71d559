"""The places of systems with their sets."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest

from ircor import plots

PLACE, LOW, HIGH = [1, 2, 3, 4], [1, 1, 3, 3], [2, 2, 4, 4]


def test_a_row_for_each_system_and_every_other_tier_shaded():
    ax = plots.places("ABCD", PLACE, LOW, HIGH, tiers=[1, 1, 2, 3], level=0.9, label="map")
    (dots,) = ax.lines
    assert dots.get_xdata().tolist() == PLACE
    assert dots.get_ydata().tolist() == [1, 2, 3, 4]
    assert ax.yaxis_inverted()
    assert [segment[:, 0].tolist() for segment in ax.collections[0].get_segments()] == [[1, 2], [1, 2], [3, 4], [3, 4]]
    (band,) = ax.patches
    assert (band.get_y(), band.get_height()) == (2.5, 1)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == list("ABCD")
    assert ax.get_xlabel() == "place by map"
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == ["place", "set of places, 90%", "every other tier"]


def test_many_systems_have_smaller_rows_and_then_no_names():
    many = np.arange(1, 131)
    ax = plots.places(many, many, many, many)
    ax.figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert len(boxes) == 130
    assert all(upper.y0 >= lower.y1 - 1.5 for upper, lower in itertools.pairwise(boxes))
    more = np.arange(1, 301)
    assert plots.places(more, more, more, more).get_ylabel() == "300 systems"
    _, small = plt.subplots(figsize=(3, 1))
    assert plots.places(many, many, many, many, ax=small).get_ylabel() == "130 systems"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"low": [1]}, "'low' must have 4 values, as 'place' has, not 1"),
        ({"tiers": [1, 2]}, "'tiers' must have a number for each of the 4 systems, not 2"),
        ({"names": "AB"}, "'names' must have one name for each of the 4 items, not 2"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        plots.places(**{"names": "ABCD", "place": PLACE, "low": LOW, "high": HIGH} | options)
