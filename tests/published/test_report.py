"""The report on the figures of all sources."""

import pytest

from ircor import published
from ircor.published._papers import (
    AMIGO_2013,
    CARTERETTE_2009,
    CORSI_2024,
    GT4IREVAL,
    R_PACKAGE,
    ROBERTSON_2006,
    URBANO_2017,
)


@pytest.fixture(scope="module")
def figures():
    return published.figures()


def test_the_report_is_on_all_figures(figures):
    report = published.report()
    assert len(report.figures) == len(figures) > 150
    assert not report.differs
    sources = {URBANO_2017, R_PACKAGE, CARTERETTE_2009, ROBERTSON_2006, AMIGO_2013, CORSI_2024, GT4IREVAL}
    assert {figure.source for figure in figures} == sources
    assert [figure.what for figure in figures if figure.verdict == "not reproduced"] == [
        "clustering sensitivity, System 2",
        "priority sensitivity, System 3",
        "priority reliability, System 4",
        "priority sensitivity, System 4",
        "least n > 1 for which one relevant document at the top beats n after n others",
    ]
    for figure in figures:
        assert figure.agrees or figure.reason


def test_no_figure_is_listed_twice(figures):
    places = [(figure.source, figure.where, figure.what) for figure in figures]
    assert len(set(places)) == len(places)
