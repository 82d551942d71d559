"""The page of the documentation that the cross-check writes."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from calls import FUNCTIONS

import ircor
from ircor import crosscheck
from ircor._core.files import COMMENT
from ircor.crosscheck import (
    DIFFERENCES,
    RUnavailableError,
    _beyond,
    _check,
    check,
    check_all,
    without_counterpart,
)
from ircor.crosscheck._base import DRAWS, NUMBERS
from ircor.show.checks import DIFFERENCES_ON_PURPOSE, INTRODUCTION
from ircor.show.tables import Column, Table, as_markdown

BEYOND = [name for subject in _beyond.SUBJECTS for name in subject.functions]
PAGE = Path(__file__).parents[2] / "docs" / "agreement.md"


@pytest.fixture
def without_r(monkeypatch):
    def record_only(kind, **settings):
        if kind != "record":
            raise RUnavailableError("R is not installed")
        return check(kind, **settings)

    monkeypatch.setattr(_check, "check", record_only)


def rows_of(page, title):
    """The cells of the first table below a heading that begins like this."""
    below = page.partition(f"\n## {title}")[2]
    table = re.search(r"(^\|.*\n)+", below, re.MULTILINE)[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()]


def test_without_r(without_r):
    found = check_all(progress=False)
    assert found.agrees
    assert [agreement.oracle for agreement in found.agreements] == ["record"]
    assert found.missing == dict.fromkeys(("original", "reference"), "R is not installed")
    assert found.notes[0] == "not compared with the original: R is not installed"
    assert found.notes[2].startswith("record: not compared: ")
    page = found.as_markdown()
    assert f"This page was made on {date.today().isoformat()}." in page
    assert page.count("Not compared on the machine that made this page: R is not installed.") == 2
    head, _, first, *others = rows_of(page, "The record")
    assert head == [*list(check("record").tables()[0].shown()[0])]
    assert first[:3] == ["tau", "688", "455"]
    assert [row[0] for row in [first, *others]] == [*FUNCTIONS, "r_round", "r_rank", *NUMBERS, *DRAWS]
    assert page.count("| not asked |") == 6 * len(DIFFERENCES)


def test_each_difference_has_its_rule_and_its_answers(without_r):
    page = check_all(progress=False).as_markdown()
    for difference in DIFFERENCES:
        assert f"**In Python, {difference.reason}.** In R: {difference.in_r}." in page
    # The record has 46 answers that differ on purpose.
    counts = [int(n) for n in re.findall(r"(\d+) of the answers above", page)]
    assert sum(counts) == sum(tally.allowed for tally in check("record").functions.values()) > 0
    assert "| refused: 'x' and 'y' must have two items or more, not 1 |" in page


@pytest.mark.r
def test_with_r(reference, monkeypatch):
    monkeypatch.setattr(_beyond, "SUBJECTS", tuple(replace(subject, count=3) for subject in _beyond.SUBJECTS))
    found = check_all(cases=60, seed=5, progress=False)
    assert found.agrees
    assert [agreement.oracle for agreement in found.agreements][-2:] == ["reference", "record"]
    page = found.as_markdown()
    assert [row[0] for row in rows_of(page, "The reference")[2:]] == [*FUNCTIONS, *BEYOND]
    assert f"rpy2 {reference.rpy2_version}" in page
    assert "seed 5" in page
    assert "not asked" not in page.partition("## Differences on purpose")[2].partition("## Not compared")[0]
    assert set(found.as_dict()) == {"made", "agreements", "missing"}


def test_a_disagreement_is_on_the_page(without_r, monkeypatch):
    monkeypatch.setitem(crosscheck.FUNCTIONS, "tau", lambda x, y: -ircor.tau(x, y))
    found = check_all(progress=False)
    assert not found.agrees
    page = found.as_markdown()
    assert "Python and R DISAGREE (compared: the record of the original, not the original itself)." in page
    assert "\n```text\ntau disagrees" in page


def test_the_command_that_repeats_a_page(without_r):
    found = check_all(cases=60, seed=5, functions=["tau", "tau_b"], progress=False)
    assert "--markdown docs/agreement.md --cases 60 --seed 5 --functions tau tau_b\n" in found.as_markdown()


def test_a_cell_cannot_end_a_table():
    table = Table("a", [Column("b", of=str)], ["one | two\nthree"])
    assert as_markdown(table) == "| b |\n| --- |\n| one \\| two three |"


def test_what_has_no_counterpart():
    names = without_counterpart()
    assert {"cor", "bootstrap", "rank_distance.drank_test", "reliability.topics_needed"} <= set(names)
    assert not set(names) & {
        *FUNCTIONS,
        "rank_distance.drank",
        "averages.gmean",
        "rbase.r_rank",
        "reliability.expected",
    }


def test_the_page_of_the_guide():
    """It is of this version, has every function and every difference, and shows no disagreement."""
    page = PAGE.read_text(encoding="utf-8")
    (options,) = re.findall(r"--markdown docs/agreement.md(.*)\n", page)
    assert options == " --cases 100000 --seed 2017"
    assert page.removeprefix(f"{COMMENT}\n\n").startswith(INTRODUCTION.format(options=options))
    assert DIFFERENCES_ON_PURPOSE in page
    assert f"ircor {ircor.__version__}, " in page
    assert [row[0] for row in rows_of(page, "The reference")[2:]] == [*FUNCTIONS, *BEYOND]
    assert {row[-2] for row in rows_of(page, "The reference")[2:]} == {"0"}
    assert [row[0] for row in rows_of(page, "The record")[2:]] == [*FUNCTIONS, "r_round", "r_rank", *NUMBERS, *DRAWS]
    assert all(f"**In Python, {d.reason}.** In R: {d.in_r}." in page for d in DIFFERENCES)
    assert "DISAGREE" not in page
    assert all(f"`ircor.{name}`" in page for name in without_counterpart())
