"""The report on the printed figures."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from ircor import published
from ircor.published import Figure, Figures
from ircor.rank_distance import drank


@pytest.fixture(scope="module")
def figures():
    return published.figures()


EXAMPLES = (
    Figure("paper", "section 1", "tau", "0.32", 0.324999999),
    Figure("paper", "section 1", "tau_b", "undefined", float("nan")),
    Figure("paper", "section 2", "<d>", "0.5", 0.3, misprint="a digit is lost"),
    Figure("R", "README", "e", "0.39903", 0.5, significant=7, not_reproduced="nobody knows"),
    Figure("R", "README", "f", "8", 9),
)


def test_the_verdicts_are_counted():
    report = Figures(EXAMPLES)
    assert report.counts == {"agrees": 2, "known misprint": 1, "not reproduced": 1, "DIFFERS": 1}
    assert report.differs
    assert not Figures(EXAMPLES[:4]).differs
    assert report.sentences() == ["2 figures agree, 1 are known misprints, 1 are not reproduced, 1 DIFFER"]


def test_rows_for_the_screen():
    (table,) = Figures(EXAMPLES).tables()
    rows = table.shown()
    assert list(rows[0]) == ["source", "where", "what", "printed", "computed", "verdict"]
    assert [row["computed"] for row in rows] == ["0.325", "undefined", "0.3", "0.5", "9"]
    assert [row["verdict"] for row in rows] == [
        "agrees",
        "agrees",
        "known misprint: a digit is lost",
        "not reproduced: nobody knows",
        "DIFFERS",
    ]
    assert table.group == "source"
    assert str(Figures(EXAMPLES)).splitlines()[1].split() == ["paper", "section", "1", "tau", "0.32", "0.325", "agrees"]
    assert "<td>&lt;d&gt;</td>" in Figures(EXAMPLES)._repr_html_()


def test_rows_for_programs():
    report = Figures(EXAMPLES)
    rows = report.as_dict()["figures"]
    assert list(rows[0]) == ["source", "where", "what", "printed", "computed", "verdict", "reason"]
    assert [row["computed"] for row in rows] == [0.324999999, None, 0.3, 0.5, 9]
    assert [row["verdict"] for row in rows] == ["agrees", "agrees", "known misprint", "not reproduced", "DIFFERS"]
    assert [row["reason"] for row in rows] == ["", "", "a digit is lost", "nobody knows", ""]


def test_a_figure_that_agrees_has_no_reason():
    figure = Figure("paper", "section", "what", "0.5", 0.3, misprint="a digit is lost")
    assert (figure.verdict, figure.reason) == ("known misprint", "a digit is lost")
    assert (replace(figure, computed=0.5).verdict, replace(figure, computed=0.5).reason) == ("agrees", "")


def test_the_report_is_on_all_figures(figures):
    report = published.report()
    assert len(report.figures) == len(figures) > 150
    assert not report.differs
    assert {figure.source for figure in figures} == {
        published.URBANO_2017,
        published.R_PACKAGE,
        published.CARTERETTE_2009,
        published.AMIGO_2013,
    }
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


@pytest.fixture
def robust(rng, tmp_path):
    """Tables of the size of the Robust track; the one by P_10 has its columns in another order."""
    topics, systems = np.arange(301, 550), [f"s{k}" for k in range(110)]
    AP = rng.random((249, 1)) * rng.uniform(0.7, 1, 110) * rng.uniform(0.5, 1, (249, 110))
    AP[:, 1] = AP[:, 0]
    tables = {"map": pd.DataFrame(AP, topics, systems), "P_10": pd.DataFrame(AP.round(1), topics, systems)}
    tables["P_10"] = tables["P_10"][rng.permutation(systems)]
    for measure, table in tables.items():
        table.to_csv(tmp_path / f"robust04-{measure}.csv", index_label="topic")
    return tmp_path, tables


def test_figures_from_data_that_are_not_shipped(robust, monkeypatch):
    folder, tables = robust
    first, second = published.figures_from(folder)
    assert (first.what, first.where, first.printed) == ("d_rank from P_10 to map", "table 1(b)", "14.11")
    assert (second.what, second.where, second.printed) == ("d_rank from map to P_10", "table 1(b)", "25.44")
    assert first.computed == pytest.approx(drank(tables["map"], tables["P_10"]))
    assert second.computed == pytest.approx(drank(tables["P_10"], tables["map"]))
    # Only P_10 has ties that count.  The system that is there twice can be in either order.
    assert (first.verdict, second.verdict) == ("DIFFERS", "not reproduced")
    means, by_P10 = tables["map"].mean(), tables["P_10"].mean().round(9)
    opposite = drank(by_P10 - 1e-6 * means, tables["map"])
    assert opposite > second.computed
    assert second.reason.endswith(f"in the opposite order the distance is {opposite:.2f}")
    printed = {("map", "P_10"): f"{second.computed:.2f}"}
    monkeypatch.setattr(published, "ROBUST_DISTANCES", printed)
    assert [figure.verdict for figure in published.figures_from(folder)] == ["agrees"]
    assert len(published.report(folder).figures) == len(published.report().figures) + 1


def test_data_that_are_not_those_of_the_paper_are_refused(robust):
    folder, tables = robust
    tables["P_10"].iloc[1:].to_csv(folder / "robust04-P_10.csv", index_label="topic")
    with pytest.raises(ValueError, match="robust04-P_10.csv must have 249 topics and 110 systems, not 248 and 110"):
        published.figures_from(folder)
    (folder / "robust04-P_10.csv").unlink()
    with pytest.raises(FileNotFoundError, match="robust04-P_10.csv"):
        published.report(folder)


def test_the_bootstrap_of_the_paper_is_a_share_of_the_resamples(figures):
    """S / B, not (S + 1) / (B + 1)."""
    shares = [figure.computed for figure in figures if figure.what.startswith("bootstrap P(")]
    assert len(shares) == 2
    assert sum(shares) == pytest.approx(1)
    assert [10_000 * share for share in shares] == pytest.approx([round(10_000 * share) for share in shares], abs=1e-8)
