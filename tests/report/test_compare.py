"""The report of `ircor.compare`: what it says follows from the result, and all of it is in the JSON too."""

import json
import re
from importlib.metadata import version

import numpy as np
import pandas as pd
import pytest
from pages import Page, numbers_in

import ircor
from ircor import report
from ircor.report._page import NONE
from ircor.show.tables import plain


@pytest.fixture(scope="module")
def page(measures):
    return Page(report.html(measures, command="ircor compare 'a b'"))


@pytest.mark.parametrize("which", ["measures", "nasty", "hundred"])
def test_every_number_of_a_table_is_in_the_json(request, which):
    found = request.getfixturevalue(which)
    page = Page(report.html(found))
    data = json.loads(json.dumps(plain(found.as_dict())))
    assert len(page.numbers) > 6 * len(found.moves)
    assert set(page.numbers) <= numbers_in(data)


def test_every_cell_is_as_the_result_writes_it(measures, page):
    texts = {cell for table in page.tables for row in table[1:] for cell in row}
    shown = {
        cell
        for table in [*measures.tables(), measures.view.table("flips"), measures.view.table("places")]
        for row in table.lines()[1:]
        for cell in row
    }
    # The notes are empty, and so their column is left out.
    assert shown - texts == {""}
    assert texts - shown <= {NONE}


def test_the_leaderboards(measures, page):
    first, second = page.tables[:2]
    assert first[0] == ["rank", "system", "mean"]
    assert second[0] == ["rank", "system", "mean", "from rank", "move"]
    for table, key in ((first, "rank_a"), (second, "rank_b")):
        expected = measures.systems.sort_values(key, kind="stable")["system"]
        assert [row[1] for row in table[1:]] == list(expected)


def test_the_verdict_is_at_the_top(measures, page):
    order = [page.text.index(text) for text in ("recip_rank against map", measures.conclusion, "Leaderboards")]
    assert order == sorted(order)


def test_the_largest_drop_and_the_largest_move_are_named_apart(measures, page):
    moves = measures.systems.set_index("system")["move"]
    drop, move = (re.search(rf"Largest {word}, by (\d+) ranks: (.*)\.\n", page.text) for word in ("drop", "move"))
    assert int(drop[1]) == -moves.min() == 5
    assert set(re.findall(r"(\w+) \(from", drop[2])) == set(moves.index[moves == moves.min()])
    assert int(move[1]) == moves.abs().max() == 14
    assert move[2] == "F1 (from 20 to 6)"


def test_flips(measures, page):
    flips = next(table for table in page.tables if table[0][0] == "better in map")
    assert [row[:2] for row in flips[1:]] == measures.flips[["better", "worse"]].values.tolist()
    assert f"{len(flips) - 1} pairs of systems differ significantly in map" in page.text


def test_the_reliability_of_both(measures, page):
    table = next(table for table in page.tables if table[0][0] == "source")
    assert table == measures.view.table("reliability").lines()
    assert [row[0] for row in table[1:]] == ["map", "recip_rank"]
    assert "The expected Kendall's tau between the ranking of the systems by these topics and their true" in page.text
    order = [page.text.index(f"\n{name}\n") for name in ("Rank distance", "Reliability", "Method and limits")]
    assert order == sorted(order)


def test_without_a_reliability_there_is_no_section():
    rng = np.random.default_rng(1)
    page = Page(report.html(ircor.compare(*rng.random((2, 2, 5)), resamples=60, seed=1)))
    assert "Rank distance" in page.text
    assert "Reliability" not in page.text


def test_what_repeats_it(page):
    assert "ircor compare 'a b'" in page.text
    assert "Seed 1, 300 samples of topics." in page.text
    for name in ("ircor", "numpy", "scipy"):
        assert f"{name} {version(name)}" in page.text
    assert "ir_measures" not in page.text


def test_further_packages(measures):
    assert f"ir_measures {version('ir_measures')}." in report.html(measures, packages=["ir_measures"])


def test_the_same_result_gives_the_same_bytes(measures, tmp_path):
    report.save(measures, tmp_path / "a.html", title="T")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == report.html(measures, title="T")
    again = ircor.compare(ircor.sample("map"), ircor.sample("recip_rank"), names=measures.names, resamples=300, seed=1)
    assert report.html(again) == report.html(measures)
    assert list(tmp_path.iterdir()) == [tmp_path / "a.html"]


@pytest.mark.parametrize("which", ["measures", "nasty"])
def test_nothing_comes_from_elsewhere(request, which):
    text = report.html(request.getfixturevalue(which), title="</title><script>x</script>")
    page = Page(text)
    assert text.startswith("<!doctype html>\n")
    assert len(page.of("script")) == len(page.of("style")) == 1
    assert not [tag for tag, _ in page.elements if tag in ("link", "img", "iframe", "object", "base", "form")]
    used = {key for _, attributes in page.elements for key in attributes}
    assert not [key for key in used if key.startswith("on") or key in ("src", "style", "xlink:href")]
    assert all(link["href"].startswith("#") for link in page.of("a"))
    assert "url(" not in text
    assert "@import" not in text


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("expected", "over samples of as many topics"),
        ("sample", "in another sample of as many topics"),
        ("population", "between the true means of the systems"),
    ],
)
def test_the_method_says_what_the_intervals_are_for(target, words):
    A, B = ircor.sample("map"), ircor.sample("P_10").iloc[:, ::-1]
    found = ircor.compare(A, B, target=target, level=0.9, resamples=60, seed=1)
    text = Page(report.html(found)).text
    assert words in text
    assert "The 90% intervals are for" in text
    # tau has no value, since P_10 ties two systems.
    assert "two systems have the same mean" in text


def test_a_table_without_a_ranking():
    A = pd.DataFrame([[0.1, 0.2, 0.3], [0.2, 0.1, 0.25], [0.1, 0.3, 0.0]], columns=list("abc"))
    found = ircor.compare(A, A * 0, resamples=60, seed=1)
    page = Page(report.html(found))
    assert "which is no ranking" in page.text
    assert "undefined" in page.text
    assert "The p-value compares" not in page.text
    assert "There is none: " in page.text
    assert "No pair of systems differs significantly in A" in page.text


def test_rankings_that_are_the_same():
    A = ircor.sample("map")
    text = Page(report.html(ircor.compare(A, A, resamples=60, seed=1))).text
    assert "No system has another rank in B than in A." in text
    assert "B has no pair in the opposite order" in text


def test_any_other_result(tmp_path):
    found = ircor.correlate([3, 2, 1], [1, 3, 2], names=["<a>", "b", "c"])
    page = Page(report.html(found))
    assert "Correlation" in page.texts
    assert found.advice in page.texts
    assert [table[0][0] for table in page.tables] == ["coefficient", "above in x"]


def test_the_scale_of_coefficients_is_from_0_to_1(measures):
    (chart,) = re.findall(r'<svg[^>]*class="intervals".*?</svg>', report.html(measures))
    ticks = re.findall(r'class="soft">(-?[\d.]+)</text>', chart)
    assert ticks == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
