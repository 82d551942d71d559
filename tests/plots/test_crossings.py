"""The numbers of the costly swaps where the lines of a slope cross."""

import numpy as np
import pytest

from ircor import plots
from ircor.plots._slope import crossings, frame_size


def test_which_numbers_share_a_text():
    left, right = np.array([1.0, 2.0]), np.array([2.0, 1.0])
    assert crossings(left, right, [(0, 1, 2.0)], 1, 1) == [("1", (0.5, 1.5))]
    wide, high = frame_size("1")
    for across, down, together in (
        (0.9 * wide, 0, True),
        (1.1 * wide, 0, False),
        (-0.9 * wide, 0.9 * high, True),
        (0.9 * wide, -0.9 * high, True),
        (0, 1.1 * high, False),
        (0, -1.1 * high, False),
    ):
        # The second pair of lines crosses this far from (0.5, 1.5), in inches.
        at, y = 0.5 + across / 2, 1.5 + down / 0.5
        second_left, second_right = (y - at, y + at), (y + (1 - at), y - (1 - at))
        points = np.concatenate([left, second_left]), np.concatenate([right, second_right])
        found = crossings(*points, [(0, 1, 2.0), (2, 3, 1.0)], 2, 0.5)
        assert len(found) == (1 if together else 2), (across, down)
        if together:
            assert found == [("1, 2", (0.5, 1.5))]
        else:
            assert found == [("1", (0.5, 1.5)), ("2", pytest.approx((at, y)))]


def test_the_frame_of_a_number_is_as_it_is_drawn():
    ax = plots.slope([3, 2, 1], [1, 2, 3])
    ax.figure.canvas.draw()
    (text,) = ax.texts
    box = text.get_bbox_patch().get_window_extent()
    for drawn, expected in zip((box.width, box.height), frame_size("1, 2, 3")):
        assert drawn / ax.figure.dpi <= expected <= 1.3 * drawn / ax.figure.dpi


def test_a_wider_text_takes_in_the_next():
    """The text "1, 2" would overlap the number 3, though neither 1 nor 2 does."""
    wide, _ = frame_size("1")
    apart = [0, 1.05 * wide, 0.5 * wide]
    left, right, swaps = [], [], []
    for k, x in enumerate(apart):
        at = 0.4 + x
        left += [-at, at]
        right += [1 - at, at - 1]
        swaps.append((2 * k, 2 * k + 1, 1.0))
    found = crossings(np.array(left), np.array(right), swaps, 1, 1)
    assert [text for text, _ in found] == ["1, 2, 3"]
