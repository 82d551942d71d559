"""Judges of pairs of answers: agreement, kappa and the bias of the side, and their intervals over items."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from ircor.judging import preferences

WORDS = ["left", "tie", "right"]
KEYS = ("agreement", "without_ties", "kappa", "consistent", "left_bias")


@pytest.fixture
def pairs(rng):
    """Three systems, both ways, for twelve items; the judge prefers the left side a little."""
    rows = [(f"q{k}", a, b) for k in range(12) for a, b in permutations("ABC", 2)]
    table = pd.DataFrame(rows, columns=["item", "left", "right"])
    table["truth"] = rng.choice(WORDS, len(rows))
    wrong = rng.choice(WORDS, len(rows), p=[0.6, 0.2, 0.2])
    table["judge"] = np.where(rng.random(len(rows)) < 0.6, table["truth"], wrong)
    return table[: len(rows) - 1]


def by_definition(table):
    a, b = table["truth"], table["judge"]
    clear = (a != "tie") & (b != "tie")
    given = {(row.item, row.left, row.right): row.judge for row in table.itertuples()}
    both = [(x, given[i, d, c]) for (i, c, d), x in given.items() if c < d and (i, d, c) in given]
    mirror = dict(zip(WORDS, WORDS[::-1]))
    values = [
        (a == b).mean(),
        (a == b)[clear].mean(),
        cohen_kappa_score(a, b),
        np.mean([x == mirror[y] for x, y in both]),
        np.mean([(x == y) * {"left": 1, "tie": 0, "right": -1}[x] for x, y in both]),
    ]
    return values, (len(table), clear.sum(), len(both))


def test_the_numbers_are_their_definitions(pairs):
    (found,) = preferences(pairs, level=0.9).values
    values, counts = by_definition(pairs)
    assert [getattr(found, key).value for key in KEYS] == pytest.approx(values, abs=1e-12)
    assert (found.pairs, found.decided, found.both_ways) == counts
    without = np.array([by_definition(pairs[pairs["item"] != item])[0] for item in pairs["item"].unique()])
    error = np.sqrt(11 / 12 * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    for key, value, width in zip(KEYS, values, stats.t.ppf(0.95, 11) * error):
        interval = getattr(found, key)
        assert (interval.low, interval.high) == pytest.approx((value - width, value + width), abs=1e-12)


def test_numbers_and_files_are_read_too(pairs, tmp_path):
    expected = preferences(pairs).as_dict()
    places = {"left": 1, "tie": 0, "right": -1}
    numbers = pairs.assign(**{name: pairs[name].map(places) for name in ("truth", "judge")})
    assert preferences(numbers).as_dict() == expected
    pairs.to_csv(tmp_path / "pairs.csv", index=False)
    assert preferences(tmp_path / "pairs.csv").as_dict() == expected
    renamed = pairs.rename(columns={"item": "prompt", "left": "a", "right": "b", "truth": "people"})
    assert preferences(renamed, "people", item="prompt", left="a", right="b").values == preferences(pairs).values


def test_what_is_undefined(pairs):
    once = pairs[pairs["left"] < pairs["right"]]
    (found,) = preferences(once.assign(judge="tie")).values
    assert (found.both_ways, found.decided) == (0, 0)
    assert np.isnan([getattr(found, key).value for key in KEYS[1:]]).all()
    assert found.agreement.value == (once["truth"] == "tie").mean()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"judge": "A"}, "must have in the column 'judge' one of left, tie, right, or 1, 0 and -1, not 'A' in row 1"),
        ({"judge": None}, "has a missing value in judge, row 1"),
        ({"right": "A", "left": "A"}, "has two rows of item 'q0', left 'A', right 'A'"),
        ({"judge": 2}, "not 2 in row 1"),
    ],
)
def test_refusals(pairs, changed, message):
    with pytest.raises(ValueError, match=message):
        preferences(pairs.assign(**changed))


def test_more_refusals(pairs):
    with pytest.raises(ValueError, match="'answers' has no column 'x'"):
        preferences(pairs, "x")
    with pytest.raises(ValueError, match="'answers' has the same system on both sides in row 1"):
        preferences(pairs[:1].assign(right="A"))


def test_words(pairs):
    found = preferences(pairs)
    (one,) = found.values
    (said,) = found.sentences()
    assert said.startswith("judge agrees with truth on ")
    assert "of 71 pairs (95% confidence interval over items: " in said
    assert said.endswith(f"its bias to the left is {one.left_bias.value:.3f}.")
    assert "without ties" in str(found)
    assert found.preferences["kappa"].tolist() == [one.kappa.value]
