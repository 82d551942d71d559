"""How numbers and lists are written."""

import pytest

from ircor._core.text import counted, listed, p_equals, p_value, percent, whole_if_whole


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1.0, "1.0000"),
        (0.01234, "0.0123"),
        (0.001, "0.0010"),
        (0.000999, "0.001"),
        (0.00012345, "0.00012"),
        (0.0, "< 0.0001"),
        (float("nan"), "undefined"),
    ],
)
def test_p_values(share, text):
    assert p_value(share, 10_000) == text


def test_a_share_of_none_depends_on_the_resamples():
    assert p_value(0.0, 250) == "< 0.004"
    assert p_value(0, 3000) == "< 0.00033"
    assert p_value(float("nan"), 0) == "undefined"


def test_p_values_in_sentences():
    assert p_equals(0.0123, 10_000) == "p = 0.0123"
    assert p_equals(0.0, 10_000) == "p < 0.0001"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"),
        (1e-9, "<1%"),
        (0.0049, "<1%"),
        (0.005, "<1%"),
        (0.0051, "1%"),
        (0.5, "50%"),
        (0.9949, "99%"),
        (0.995, ">99%"),
        (1 - 1e-9, ">99%"),
        (1, "100%"),
    ],
)
def test_percent(share, text):
    assert percent(share) == text


def test_only_none_is_0_percent_and_only_all_is_100():
    for k in range(1, 10_000):
        assert percent(k / 10_000) not in ("0%", "100%")


def test_counts_with_their_nouns():
    assert [counted(count, "topic") for count in (0, 1, 2)] == ["0 topics", "1 topic", "2 topics"]


def test_lists_of_names():
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(range(10)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9"
    assert listed(range(11)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 1 more"
    assert listed((name for name in "abc"), 2) == "a, b and 1 more"
    assert listed("abc", 3) == "a, b, c"


def test_whole_ranks_have_no_decimals():
    assert repr(whole_if_whole(3.0)) == "3"
    assert repr(whole_if_whole(-2.0)) == "-2"
    assert repr(whole_if_whole(3.5)) == "3.5"
    assert repr(whole_if_whole(4)) == "4"
