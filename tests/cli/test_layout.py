"""Tables that fit a width: nothing is broken, nothing is lost, and names that are shortened stay apart."""

import pytest
from hypothesis import given, settings, strategies as st
from screens import blocks_in, cells_wide

from ircor.show.terminal import Texts, display_width, layout, shortened_names, visible, wrapped_lines

WIDTHS = (40, 80, 120)


def texts(*columns, prose=()):
    return [Texts([heading], cells, heading in prose) for heading, *cells in columns]


def test_a_table_that_fits_is_one_block():
    columns = texts(("system", "A1", "B"), ("mean", "0.5000", "-0.1000"), ("note", "", "none"))
    assert layout(columns, 40) == [
        "system     mean  note",
        "──────  ───────  ────",
        "A1       0.5000",
        "B       -0.1000  none",
    ]


def test_headings_are_broken_only_if_the_table_does_not_fit():
    columns = [Texts(["system"], ["A1"]), Texts(["rank by", "geometric mean"], ["17"])]
    assert layout(columns, 40)[0] == "system  rank by geometric mean"
    assert layout(columns, 25) == [
        "               rank by",
        "system  geometric mean",
        "──────  ──────────────",
        "A1                  17",
    ]


def test_a_wide_table_becomes_blocks_that_repeat_the_names():
    columns = texts(("name", "x"), *((f"m{k}", f"0.{k:04}") for k in range(5)))
    assert layout(columns, 20) == [
        "name      m0      m1",
        "────  ──────  ──────",
        "x     0.0000  0.0001",
        "",
        "name      m2      m3",
        "────  ──────  ──────",
        "x     0.0002  0.0003",
        "",
        "name      m4",
        "────  ──────",
        "x     0.0004",
    ]


def test_prose_is_broken_between_words():
    columns = texts(("name", "x", "y"), ("note", "two systems have the same mean", ""), prose=("note",))
    assert layout(columns, 24) == [
        "name  note",
        "────  ──────────────────",
        "x     two systems have",
        "      the same mean",
        "y",
    ]


def test_a_heading_too_wide_for_its_column_stands_above_it():
    name, heading = "n" * 30, "h" * 35
    assert layout(texts(("name", name), (heading, "0.5000")), 40) == [
        heading,
        "name",
        "─" * 30 + "  " + "─" * 6,
        name + "  0.5000",
    ]


def test_a_name_is_shortened_only_if_it_does_not_fit_beside_a_number():
    fits, too_long = "n" * 32, "n" * 16 + "m" * 17
    assert layout(texts(("name", fits), ("mean", "0.5000")), 40)[-1] == fits + "  0.5000"
    assert layout(texts(("name", too_long), ("mean", "0.5000")), 40)[-1] == "n" * 16 + "…" + "m" * 15 + "  0.5000"
    assert layout(texts(("name", too_long), ("mean", "0.5000")), 40, ellipsis="...", dash="-")[-2:] == [
        "-" * 32 + "  " + "-" * 6,
        "n" * 15 + "..." + "m" * 14 + "  0.5000",
    ]


def test_two_names_share_the_width():
    rows = layout(texts(("above", "a" * 60), ("below", "b" * 60), ("cost", "1.0000")), 40, names=2)
    assert rows[2] == "a" * 9 + "…" + "a" * 9 + "  " + "b" * 9 + "…" + "b" * 9
    assert max(map(len, rows)) <= 40
    assert rows[-1].endswith("  1.0000")


def test_shortened_names_stay_apart():
    assert shortened_names(["short", "abcdefghij"], 7) == ["short", "abc…hij"]
    # The cut moves to where the names differ.
    assert shortened_names(["abcXefghijk", "abcYefghijk"], 8) == ["abcX…ijk", "abcY…ijk"]
    # They differ only in the middle, which no cut keeps.
    assert shortened_names(["a" * 20 + k + "b" * 20 for k in "XYZ"], 9) == ["aaaa…bbbb", "aaa…1…bbb", "aaa…2…bbb"]
    assert shortened_names(["x" * 9, "x" * 9], 5) == ["xx…xx"] * 2


names = st.text(st.sampled_from("ab…1字é "), min_size=0, max_size=30)


@given(st.lists(names, min_size=1, max_size=12), st.integers(8, 30))
def test_shortened_names_fit_and_stay_apart_whatever_they_are(given, width):
    found = shortened_names(given, width)
    assert len(set(zip(given, found))) == len(set(found)) == len(set(given))
    assert all(display_width(text) <= width for text in found)
    assert all(short == name for name, short in zip(given, found) if display_width(name) <= width)


@given(
    st.lists(st.text(st.sampled_from("abcXYZ_字形"), min_size=1, max_size=70), min_size=1, max_size=6, unique=True),
    st.lists(st.text(st.sampled_from("abc_.字"), min_size=1, max_size=70), min_size=1, max_size=9, unique=True),
    st.sampled_from(WIDTHS),
)
@settings(deadline=None)
def test_every_cell_can_be_read_back(systems, measures, width):
    numbers = [[f"{(i * 7 + j * 3) % 10}.{i}{j:03}" for i in range(len(systems))] for j in range(len(measures))]
    lines = layout(texts(("system", *systems), *((m, *n) for m, n in zip(measures, numbers))), width)
    assert all(cells_wide(line) <= width for line in lines)
    read = {}
    for headings, rows in blocks_in(lines):
        read |= {heading: [row[k] for row in rows] for k, heading in enumerate(headings) if k}
        keys = [row[0] for row in rows]
        assert keys == shortened_names(systems, max(map(cells_wide, keys)))
        if all(cells_wide(name) + 2 + 6 <= width for name in systems):
            assert keys == systems
    assert list(read.values()) == numbers
    assert list(read) == shortened_names(measures, width)


@given(st.text(st.sampled_from("ab 字"), max_size=80), st.integers(2, 30))
def test_wrapped_text_has_the_same_words(text, width):
    whole = wrapped_lines(text, width)
    assert " ".join(whole).split() == text.split()
    assert all(display_width(line) <= width or " " not in line.strip() for line in whole)
    broken = wrapped_lines(text, width, whole_words=False)
    assert "".join(broken).replace(" ", "") == text.replace(" ", "")
    assert all(display_width(line) <= width for line in broken)


@pytest.mark.parametrize("text", ["abc", "字形", "e\u0301", "ｱ", "\uff21", "한국", "naïve", "系统-01", "…", "Ω", "🙂"])
def test_the_width_of_a_text_is_that_of_rich(text):
    assert display_width(text) == cells_wide(text)


def test_controls_are_shown():
    assert visible("a\tb\x1b[31m\n\udcff字") == r"a\tb\x1b[31m\n\udcff字"


def test_no_width_is_exceeded_and_none_is_wasted():
    columns = texts(("name", "x"), *(("m" * (4 + k % 3), "0.1234") for k in range(9)))
    for width in range(20, 90):
        lines = layout(columns, width)
        assert max(map(len, lines)) <= width
        blocks = blocks_in(lines)
        assert [heading for headings, _ in blocks for heading in headings[1:]] == [c.heading[0] for c in columns[1:]]
        # The first column of the next block, 6 wide with its gap of 2, would not have fitted.
        assert all(len(rule) + 8 > width for rule in [line for line in lines if set(line) <= {"─", " "} and line][:-1])


def test_two_columns_of_prose_share_the_width():
    said = "one two three four five six seven eight nine ten"
    lines = layout(texts(("name", "x"), ("first", said), ("second", said), prose=("first", "second")), 60)
    assert [len(dashes) for dashes in lines[1].split()] == [4, 26, 26]
