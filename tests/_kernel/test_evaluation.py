"""The arrays that are made from the lines of evaluation output, against Python's own split, float and dict."""

import random
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from ircor._kernel.evaluation import parsed, pivoted

NAMES = ("map", "P_1", "P_10", "P_100", "all", "alle", "al", "q", "x" * 40)


def lines_of(found):
    """The lines that were parsed, as their names and values; those that are averages or words keep their text."""
    names, codes, values, others = found
    own = [[column[code] for column, code in zip(names, row)] for row in codes.T]
    plain = iter(list(zip(own, values.tolist(), strict=True)))
    kept = {line: (fields[:-1], fields[-1]) for line, *fields in others}
    return [kept.get(line) or next(plain) for line in range(1, len(values) + len(others) + 1)]


def expected(text):
    """The same from Python's functions."""
    rows = [line.split() for line in text.split("\n")[:-1]]

    def value(names, word):
        try:
            number = float(word)
        except ValueError:
            return word
        return word if "all" in names or not np.isfinite(number) else number

    return [(names, value(names, word)) for *names, word in rows]


@pytest.mark.parametrize("count", [1, 2, 3])
@settings(deadline=None)
@given(st.data())
def test_names_and_values_are_those_of_the_lines(count, data):
    number = st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.decimals(places=4).map(str)
    line = st.tuples(*[st.sampled_from(NAMES)] * count, number | st.sampled_from(["high", "1_0", "+.5", "-0", "7."]))
    rows = data.draw(st.lists(line, min_size=1))
    blanks = st.sampled_from([" ", "\t", "   ", " \t\r"])
    text = "".join(data.draw(blanks).join(row) + data.draw(st.sampled_from(["\n", " \n", "\r\n"])) for row in rows)
    names = parsed(text.encode(), count)[0]
    assert names == [list(dict.fromkeys(column)) for column in list(zip(*rows))[:-1]]
    found = lines_of(parsed(text.encode(), count))
    for (own, value), (wanted, right), row in zip(found, expected(text), rows, strict=True):
        assert own == wanted
        # Python's float reads an underscore between digits, but evaluation output has none.
        assert repr(value) == repr(row[-1] if "_" in row[-1] else right)


def test_many_names_that_are_alike():
    rows = [(f"measure_{k}", f"{k}", f"{k / 7:.5f}") for k in range(5_000)] * 2
    random.Random(0).shuffle(rows)
    found = parsed("".join("\t".join(row) + "\n" for row in rows).encode(), 2)
    assert lines_of(found) == [([measure, topic], float(value)) for measure, topic, value in rows]


@pytest.mark.parametrize(
    "text",
    [
        "map 1 0.5",
        "map 1 0.5\n\n",
        "map 1\n",
        "map 1 0.5 1\n",
        "map\n",
        "\n",
        "",
        "map 1 0.5\n \n",
        "map 1 0.5\nmap 1 0.5\x0b\n",
        "map\x1f1 0.5 1\n",
        "map \0 1\n",
        "m\u00e4p 1 0.5\n",
        "map 1 0.5\nmap 2\n",
        "map 1 0.5\nmap ",
        "map 1 0.5\nmap 1 ",
    ],
)
def test_what_is_unusual_gives_none(text):
    assert parsed(text.encode(), 2) is None


def test_what_is_no_finite_number_is_returned_as_text():
    words = ["nan", "inf", "-inf", "1e400", "0x10", "1_0", "1,5", "--1", "1e", "e1", ".", "+", "'10-'", "1.2.3", "+-1"]
    text = "".join(f"map {k} {word}\n" for k, word in enumerate(words))
    names, codes, values, others = parsed(text.encode(), 2)
    assert [line[-1] for line in others] == words
    assert [line[0] for line in others] == list(range(1, len(words) + 1))
    assert (names, codes.shape, len(values)) == ([["map"], [str(k) for k in range(len(words))]], (2, 0), 0)


def test_the_average_is_told_in_any_place():
    others = parsed(b"map all 0.5\nall map 0.25\nall all 1\nmap 1 0.5\nallmap all2 3\n", 2)[3]
    assert others == [(1, "map", "all", "0.5"), (2, "all", "map", "0.25"), (3, "all", "all", "1")]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**26), st.integers(0, 30), st.sampled_from(["", "-", "+"])), min_size=1))
def test_numbers_are_rounded_correctly(numbers):
    texts = []
    for whole, decimals, sign in numbers:
        digits = f"{whole:0{decimals + 1}d}"
        texts.append(sign + digits[: len(digits) - decimals] + "." + digits[len(digits) - decimals :])
    values = parsed("".join(f"map {k} {text}\n" for k, text in enumerate(texts)).encode(), 2)[2]
    assert [value.hex() for value in values.tolist()] == [float(text).hex() for text in texts]


def halves():
    """Decimals that are half-way between two doubles, or next to it."""
    numbers = random.Random(1)
    for _ in range(2_000):
        value = numbers.random() * 10.0 ** numbers.randint(-3, 3)
        middle = (Fraction(value) + Fraction(float(np.nextafter(value, 1e9)))) / 2
        for digits in (16, 17, 18, 19, 20):
            whole = round(middle * 10**digits)
            yield from (f"0.{whole + step:0{digits}d}" for step in (-1, 0, 1) if whole < 10**digits)


def test_decimals_next_to_the_middle_of_two_doubles():
    texts = list(halves())
    values = parsed("".join(f"map {k} {text}\n" for k, text in enumerate(texts)).encode(), 2)[2]
    assert values.tolist() == list(map(float, texts))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 12)), min_size=1, unique=True))
def test_a_table_has_the_values_in_the_order_of_first_appearance(cells):
    rows, columns = (np.array(codes, dtype=np.int32) for codes in zip(*cells))
    values = np.arange(len(cells), dtype=float)
    table, row_codes, column_codes = pivoted(rows, columns, values, 9, 13)
    frame = pd.DataFrame({"row": rows, "column": columns, "value": values})
    right = frame.pivot(index="row", columns="column", values="value").loc[pd.unique(rows), pd.unique(columns)]
    np.testing.assert_array_equal(table, right)
    assert (row_codes.tolist(), column_codes.tolist()) == (right.index.tolist(), right.columns.tolist())


def test_a_repeated_cell_and_a_table_that_is_mostly_empty_give_none():
    codes = np.arange(100, dtype=np.int32)
    assert pivoted(codes, codes, np.ones(100), 100, 100) is None
    assert pivoted(codes[:60], codes[:60], np.ones(60), 100, 100)[0].shape == (60, 60)
    twice = np.array([0, 1, 0], dtype=np.int32)
    assert pivoted(twice, twice, np.ones(3), 2, 2) is None
    assert pivoted(twice[:0], twice[:0], np.ones(0), 2, 2)[0].shape == (0, 0)


def test_decimals_half_way_between_two_numbers_go_to_the_even_one():
    words = [f"{2**53 + k}.{'0' * zeros}" for k in range(1, 200, 2) for zeros in (1, 2, 3)]
    (_, _, values, _) = parsed("".join(f"map {word}\n" for word in words).encode(), 1)
    assert values.tolist() == [float(word) for word in words]
