"""The report about judges, from a stand-in that has the tables and attributes of such a result."""

import json
from math import inf, nan

import numpy as np
import pytest
from pages import SCRIPT, Judged, Page, judged, numbers_in, table_with

from ircor import report
from ircor.judging._result import FRAMES
from ircor.report._judges import TABLES
from ircor.report._page import NONE
from ircor.show.tables import Table, plain


@pytest.fixture(scope="module")
def found():
    return judged()


@pytest.fixture(scope="module")
def page(found):
    return Page(report.html(found, packages=["ir_measures"]))


def without(found, *keys):
    """The same without some tables."""
    return Judged([table for table in found.shown if table.key not in keys])


def test_every_number_of_a_table_is_in_the_json(found, page):
    data = json.loads(json.dumps(plain(found.as_dict())))
    assert len(page.numbers) > 100
    # JSON has no infinity.
    assert set(page.numbers) - {inf} <= numbers_in(data) | {0}


def test_verdicts_come_first_and_the_sections_have_their_order(page, found):
    titles = [
        *found.verdicts,
        *("Rankings", "Leaderboards", "Coefficients", "Judges compared", "Rank distance and moves"),
        *("Significant pairs", "Flips", "Labels", "Favour", "Findings in words", "Method and limits", "Notes"),
    ]
    main = page.text[page.text.index(found.verdicts[0]) :]
    places = [main.rindex(f"\n{title}\n") if title not in found.verdicts else main.index(title) for title in titles]
    assert places == sorted(places)
    assert "2 judges against human" in page.texts


def test_the_leaderboards_of_each_measure(page):
    boards = dict(page.named_tables())
    for measure in ("AP", "nDCG@10"):
        assert [row[1] for row in boards[f"Leaderboard of human, {measure}"][1:]] == ["a", SCRIPT, "c"]
        assert [row[1] for row in boards[f"Leaderboard of gpt, {measure}"][1:]] == ["c", "a", SCRIPT]
        assert boards[f"Leaderboard of gpt, {measure}"][1][3:] == ["3", "+2"]
        # The rank of one system is not known.
        last = boards[f"Leaderboard of llama, {measure}"][-1]
        assert last == ["undefined", "c", "undefined", "3", NONE]


def test_moves_are_those_of_each_judge(page):
    assert page.text.count("Largest drop, by 1 rank: a (from 1 to 2), <script>alert(1)</script> (from 2 to 3).") == 2
    assert page.text.count("Largest move, by 2 ranks: c (from 3 to 1).") == 2
    # Neither of the two systems that llama ranks moves.
    assert page.text.count("No system has another rank in llama than in human.") == 2


def test_charts(page):
    # Of the rankings by two measures and two judges; of two coefficients; of differences; and of the favour of a judge.
    kinds = [svg["class"] for svg in page.of("svg")]
    assert kinds == ["slope"] * 4 + ["intervals"] * 4
    said = [svg["aria-label"] for svg in page.of("svg")][4:]
    assert said[0].startswith("gpt, AP: 0.5000 (0.2500 to 0.7500); gpt, AP, top 2: 1.0000")
    assert said[2] == "gpt minus llama, AP, tau_b: 0.1000 (-0.1000 to 0.3000)"
    assert said[3] == "a: 0.1000 (0.0500 to 0.1500)"


def test_grades_as_a_matrix(page):
    boards = dict(page.named_tables())
    assert boards["Documents by their grades. Rows: human. Columns: gpt."] == [
        ["", "0", "1", "2"],
        ["0", "50", "5", "0"],
        ["2", "1", "0", "20"],
    ]


def test_undefined_cells_say_so(page):
    boards = dict(page.named_tables())
    tests = boards["Tests"]
    assert tests[1][2:4] == ["inf", "0.0100"]
    assert tests[2][2:4] == ["undefined", NONE]


def test_flags_are_words(page):
    flips = dict(page.named_tables())["Flips"]
    assert [row[-1] for row in flips[1:]] == ["yes", "no"]


def test_every_table_of_the_result_has_its_place(found):
    assert set(TABLES) == FRAMES == {table.key for table in found.shown}


@pytest.mark.parametrize("key", [table.key for table in judged().shown])
def test_any_table_may_be_missing(found, key):
    assert Page(report.html(without(found, key))).texts


def test_all_tables_may_be_missing_or_empty(found):
    keys = [table.key for table in found.shown]
    page = Page(report.html(without(found, *keys)))
    assert page.tables == []
    assert "Method and limits" not in page.texts
    empty = Judged([Table(table.key, table.columns, []) for table in found.shown])
    assert Page(report.html(empty)).texts == page.texts


@pytest.mark.parametrize("table", judged().shown, ids=lambda table: table.key)
def test_any_number_may_be_undefined(found, table):
    others = [other for other in found.shown if other.key != table.key]
    counts = ("judge_grade", "truth_grade", "count")
    kept = {k for k, column in enumerate(table.columns) if column.key in counts}
    for nothing in (None, nan, np.nan):
        rows = [
            [cell if isinstance(cell, (str, list)) or k in kept else nothing for k, cell in enumerate(row)]
            for row in zip(*map(table.cells, table.columns))
        ]
        assert Page(report.html(Judged([*others, table_with(table.key, rows)]))).texts


def test_the_long_tables_may_be_details(found):
    class Detailed(Judged):
        def tables(self):
            return list(self.shown[:3])

        def details(self):
            return list(self.shown[3:])

    assert report.html(Detailed(found.shown)) == report.html(found)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("systems", "human is taken for the truth"),
        ("coefficients", "The 90% intervals come from 500 samples of topics"),
        ("differences", "The two judges of a difference"),
        ("tests", "A large one does not say that the judge ranks systems as the truth does"),
        ("pairs", "Holm's correction"),
        ("labels", "only on the documents that both judged"),
        ("bias", "It is relative to the mean of all systems"),
    ],
)
def test_the_method_is_that_of_the_tables_that_are_there(found, page, key, words):
    assert words in page.text
    assert words not in Page(report.html(without(found, key))).text


def test_the_method_follows_the_options(found, page):
    assert "The top 2 systems are the best by human" in page.text
    assert "They are for the mean of the coefficient over samples of as many topics" in page.text
    text = Page(report.html(found.with_options(top=None, target="sample", test="tukey", alpha=0.01, depth=20))).text
    assert "The top 2 systems" not in text
    assert "They are for the coefficient in another sample of as many topics." in text
    assert "tested over the topics: Tukey's HSD with topics as blocks." in text
    assert "can be well above 0.01: in simulated collections it was 5.5 to 9 %" in text
    assert "the first 20 documents" in text


def test_what_the_method_does_not_promise(page):
    assert "to find any pair at all is at most 0.05." in page.text
    assert "the share of 100 pairs of simulated samples of topics" in page.text
    assert "even a reversed ranking can pass" in page.text
    assert "Noise in the labels alone can make the p-value small" in page.text
    assert "by the jackknife over topics" in page.text


def test_favour_is_explained_where_it_is_shown(page):
    lead = page.text[: page.text.rindex("Method and limits\n")]
    assert "than documents with the same grade from human (favour)" in lead
    assert "relative to the mean of all systems, and a system's own documents are among those" in lead
    assert "bars its simultaneous 90% intervals, with Bonferroni's correction" in lead
    assert "adjusted by Holm's method" in lead


def test_the_columns_of_pairs_are_explained_by_their_headings(page):
    (said,) = [text for text in page.texts if text.startswith("The pairs of systems that differ significantly")]
    headings = dict(page.named_tables())["Pairs"][0][2:]
    assert headings == ["significant by truth", "found", "missed", "reversed", "missed in other order", "extra"]
    assert [heading for heading in headings if heading not in said.lower()] == []


def test_labels_by_topic_have_headings_in_words(page):
    headings = dict(page.named_tables())["Labels by topic"][0]
    assert headings[:4] == ["judge", "topic", "documents", "same grade"]
    assert not [heading for heading in headings if "_" in heading]


def test_an_undefined_coefficient_has_no_interval(page):
    assert "tau_b, 0.2500 to 0.7500" in page.texts
    # That of llama.
    place = page.texts.index("llama, AP")
    assert page.texts[place : place + 3] == ["llama, AP", "undefined", "tau_b"]


def test_the_subtitle_counts_systems_and_topics(found, page):
    assert "3 systems, 30 topics, measures AP, nDCG@10. The reference is human." in page.texts
    other = Page(report.html(found.with_options(topics={"AP": 30, "nDCG@10": 1})))
    assert (
        "3 systems, 30 topics by AP, 1 topic by nDCG@10, measures AP, nDCG@10. The reference is human." in other.texts
    )


def test_leaderboards_have_no_topics(found, page):
    bare = Page(report.html(found.with_options(has_topics=False)))
    assert "there are no intervals and no tests" in bare.text
    assert "3 systems, measures AP, nDCG@10. The reference is human." in bare.texts
    assert dict(bare.named_tables())["Leaderboard of human, AP"][0] == ["rank", "system", "score"]
    for words in (
        *("intervals come from", "The p-value of a rank distance", "samples of topics", "bars their"),
        *("If an interval does not contain 0", "the p-value of that distance", "Rank distance"),
    ):
        assert words in page.text
        assert words not in bare.text


def test_packages_of_the_result_are_named(found):
    text = report.html(found.with_options(agreements={"gpt": None}))
    assert "ir_measures " in text
    assert "ir_measures " not in report.html(found)


def test_columns_for_programs_are_left_out(page):
    labels = dict(page.named_tables())["Labels"]
    assert labels[0] == [
        *("judge", "documents", "of the truth", "same grade", "kappa", "low", "high", "quadratic weights"),
        "ordinal alpha",
    ]
