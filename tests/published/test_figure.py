"""A printed figure, and the result that has all of them."""

from dataclasses import replace

from ircor.published import Figure, Figures

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
