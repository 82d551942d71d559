"""How names are fitted into the room there is, and where labels stand that must not overlap."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from scipy.optimize import minimize

from ircor.plots._style import (
    LONGEST_NAME,
    TEXT,
    fitted,
    room_for_names,
    round_places,
    shortened_label,
    some_labels,
    spread_apart,
    text_width,
    widest,
)

LONG = "uogTrBaseL17o-rerank-monoT5-3B"


@pytest.mark.parametrize("text", [LONG, "a", "réseau-naïf-Ωμέγα", "item 0  1", "$x$ and \\", ""])
def test_the_width_is_what_matplotlib_draws(text):
    figure = plt.figure(dpi=720)
    drawn = figure.text(0, 0, text.replace("$", r"\$"), fontsize=TEXT).get_window_extent()
    assert text_width(text) == pytest.approx(drawn.width / 720, rel=0.02, abs=0.01)
    assert widest([text.replace("$", r"\$"), ""]) == text_width(text)
    assert widest([]) == 0


def test_names_that_fit_are_written_in_full():
    assert fitted([LONG, 5, "a\nb", ""]) == [LONG, "5", "a b", ""]
    assert fitted(["$x$"]) == [r"\$x\$"]
    assert fitted([LONG], text_width(LONG)) == [LONG]


@pytest.mark.parametrize("room", [0.2, 0.5, 1, 1.5])
def test_longer_names_lose_as_little_as_possible_in_the_middle(room):
    (text,) = fitted([LONG], room)
    head, tail = text.split("…")
    assert LONG.startswith(head)
    assert LONG.endswith(tail)
    assert 0 <= len(head) - len(tail) <= 1 or 0 <= len(tail) - len(head) <= 1
    assert text_width(text) <= room
    kept = len(head) + len(tail)
    more = round((kept + 1) / 2)
    assert text_width(LONG[:more] + "…" + LONG[len(LONG) - (kept + 1 - more) :]) > room


def test_no_room_at_all():
    assert shortened_label("abc", 0) == "…"


@pytest.mark.parametrize("differs", [slice(4, 5), slice(15, 16), slice(22, 23), slice(0, 1), slice(-1, None)])
def test_different_names_stay_different(differs):
    """Names of 30 characters, of which only one differs, where half of them fit."""
    names = []
    for letter in "abcd":
        text = list("x" * 30)
        text[differs] = letter
        names.append("".join(text))
    assert len(set(fitted(names, text_width("x" * 16)))) == (1 if differs.start == 15 else 4)


def test_the_room_in_given_axes():
    assert room_for_names(None, 0) == room_for_names(None, 1) == LONGEST_NAME
    ax = plt.figure(figsize=(4, 2)).add_axes((0, 0, 0.5, 0.5))
    assert [room_for_names(ax, side) for side in (0, 1)] == pytest.approx([0.6, 0.3])
    assert room_for_names(plt.figure(figsize=(40, 40)).add_subplot(), 0) == LONGEST_NAME
    with pytest.raises(TypeError, match="'ax' must be one matplotlib Axes, not a str"):
        room_for_names("here", 0)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ([1, 5, 9], [1, 5, 9]),
        ([5, 5], [4, 6]),
        ([5, 5, 5], [3, 5, 7]),
        ([1, 1, 1], [1, 3, 5]),
        ([10, 10], [8, 10]),
        ([1, 2, 9], [1, 3, 9]),
        ([7], [7]),
    ],
)
def test_positions_are_spread(wanted, found):
    assert spread_apart(wanted, 2, 1, 10).tolist() == pytest.approx(found)


def test_positions_are_the_closest_with_these_distances(rng):
    for _ in range(20):
        wanted = np.sort(rng.uniform(1, 30, 6))
        found = spread_apart(wanted, 3, 1, 30)
        assert found[0] >= 1 - 1e-9
        assert found[-1] <= 30 + 1e-9
        assert np.diff(found).min() >= 3 - 1e-9
        limits = [{"type": "ineq", "fun": lambda z, k=k: z[k + 1] - z[k] - 3} for k in range(5)]
        best = minimize(
            lambda z, wanted=wanted: ((z - wanted) ** 2).sum(),
            np.linspace(1, 30, 6),
            jac=lambda z, wanted=wanted: 2 * (z - wanted),
            constraints=limits,
            bounds=[(1, 30)] * 6,
            method="SLSQP",
            options={"ftol": 1e-12},
        )
        assert found == pytest.approx(best.x, abs=1e-4)


@pytest.mark.parametrize(
    ("n", "places"),
    [
        (2, [1, 2]),
        (7, [1, 2, 3, 4, 5, 6, 7]),
        (8, [1, 2, 4, 6, 8]),
        (26, [1, 5, 10, 15, 20, 26]),
        (61, [1, 10, 20, 30, 40, 50, 61]),
        (64, [1, 10, 20, 30, 40, 50, 64]),
        (130, [1, 20, 40, 60, 80, 100, 120, 130]),
        (1000, [1, 200, 400, 600, 800, 1000]),
    ],
)
def test_round_places(n, places):
    assert round_places(n) == places


def test_round_places_stand_where_no_name_does():
    at, texts = some_labels(["a", "b", "c"], [1, 2, 61], 3, 61)
    assert list(zip(at, texts)) == [
        (1, "a"),
        (4, "b"),
        (61, "c"),
        *[(place, str(place)) for place in (10, 20, 30, 40, 50)],
    ]
    at, texts = some_labels(["a", "b", "c"], [18, 18, 18], 3, 61)
    assert texts[3:] == ["1", "10", "30", "40", "50", "61"]
