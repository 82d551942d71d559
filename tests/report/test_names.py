"""Names in the room there is: what is left of them fits, and different names stay different."""

from itertools import product

import pytest
from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

from ircor.report._charts import letter_width, short_names, shortened_name, width


def test_letters_are_not_wider_than_in_a_wide_font():
    """DejaVu Sans comes with matplotlib."""
    font = FT2Font(font_manager.findfont("DejaVu Sans"))
    font.set_size(100, 72)
    for letter in (*map(chr, range(32, 127)), "…", "é", "ß"):
        # In units of 1 / 65536 of a pixel.
        advance = font.load_char(ord(letter)).linearHoriAdvance / 65536 / 100
        assert letter_width(letter) >= advance - 0.002, letter


@pytest.mark.parametrize(
    ("text", "room", "short"),
    [
        ("abcdeg", 3.9, "abcdeg"),
        ("abcdegh", 3.9, "ab…gh"),
        ("名前名前", 4.4, "名前名前"),
        ("名前名前", 4.35, "名前…前"),
        ("名前名前名前", 3.3, "名…前"),
        ("abc", 0.5, "…"),
    ],
)
def test_names_lose_their_middle(text, room, short):
    assert shortened_name(text, room) == short


def test_names_that_differ_in_the_middle_keep_the_middle():
    names = [f"university-{middle}-submission" for middle in ("bm25", "dense", "hybrid")]
    assert list(short_names(names, 10).values()) == ["…bm25…", "…dense…", "…hybrid…"]
    # Where the ends differ, they stay.
    assert short_names(["a-long-name-1", "a-long-name-2"], 6) == {
        "a-long-name-1": "a-lo…me-1",
        "a-long-name-2": "a-lo…me-2",
    }


@pytest.mark.parametrize("room", [8, 12])
def test_different_names_stay_different_and_fit(room):
    names = [f"university-of-{a}-run-{b}-{c}-submission" for a, b, c in product(("x", "yy"), "0123456789", "pqr")]
    found = short_names([*names, "short"], room)
    assert len(set(found.values())) == len(names) + 1
    assert max(map(width, found.values())) <= room
    assert found["short"] == "short"


def test_names_without_room():
    assert set(short_names(["abcdef", "abcdxf"], 0.1).values()) == {"…"}
