"""Tables and views of results: as text, HTML, records and DataFrames."""

import dataclasses
import importlib
import json
from math import inf, nan

import numpy as np
import pandas as pd
import pytest

from ircor._core.results import Result
from ircor.show import VIEWS, view_of
from ircor.show.tables import Column, Table, View, as_latex, decimals, general, is_numeric_text, plain, signed

COLUMNS = [
    Column("name", "coefficient"),
    Column("value"),
    Column("note", "remark", only="screen"),
    Column("raw", only="data"),
    Column("rank", text=general),
]


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    value: float = nan
    note: str | None = None
    raw: int = 0
    rank: float = 0


ROWS = [Row("tau_b", 0.5, "fine", 1, 3.0), Row("tauAP_b", nan, None, 2, 2.5)]
TABLE = Table("coefficients", COLUMNS, ROWS)


class PairView(View):
    def tables(self):
        return [TABLE, Table("empty", COLUMNS, [])]

    def sentences(self):
        return ["One < two.", "Three & four."]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.12345, "0.1235"), (-1.0, "-1.0000"), (nan, "undefined"), (None, ""), (3, "3"), ("a", "a"), (True, "True")],
)
def test_cells_by_default(value, text):
    assert decimals(value) == text


def test_other_cells():
    assert decimals(np.float64(0.5)) == "0.5000"
    assert [general(value) for value in (3.0, 3.5, 1e-5, None, 12)] == ["3", "3.5", "1e-05", "", "12"]
    assert [signed(value) for value in (2.0, -1.5, 0)] == ["+2", "-1.5", "0"]


def test_a_column_without_a_title_is_headed_by_its_key():
    assert Column("low").heading == "low"
    assert Column("name", "coefficient").heading == "coefficient"


def test_records_have_keys_and_values_as_computed():
    first, second = TABLE.records()
    assert first == {"name": "tau_b", "value": 0.5, "raw": 1, "rank": 3.0}
    assert np.isnan(second["value"])
    assert second["rank"] == 2.5


def test_the_frame_has_the_records():
    pd.testing.assert_frame_equal(TABLE.frame(), pd.DataFrame(TABLE.records()))
    empty = Table("empty", COLUMNS, []).frame()
    assert (list(empty.columns), len(empty)) == (["name", "value", "raw", "rank"], 0)


def test_what_is_shown_has_headings_and_text():
    assert TABLE.shown() == [
        {"coefficient": "tau_b", "value": "0.5000", "remark": "fine", "rank": "3"},
        {"coefficient": "tauAP_b", "value": "undefined", "remark": "", "rank": "2.5"},
    ]


def test_text_is_aligned():
    assert TABLE.as_text().splitlines() == [
        "coefficient      value  remark  rank",
        "tau_b           0.5000  fine       3",
        "tauAP_b      undefined           2.5",
    ]
    last = Table("words", [Column("raw", "number"), Column("name", "word")], [Row("a", raw=1), Row("", raw=10)])
    assert last.as_text().splitlines() == ["number  word", "     1  a", "    10"]
    assert Table("empty", COLUMNS, []).as_text() == ""


def test_html_is_escaped():
    table = Table("words", [Column("name", "<a>")], [Row("x & y"), Row("<b>")])
    assert table.as_html() == (
        "<table>\n<thead><tr><th>&lt;a&gt;</th></tr></thead>\n<tbody>\n"
        "<tr><td>x &amp; y</td></tr>\n<tr><td>&lt;b&gt;</td></tr>\n</tbody>\n</table>"
    )
    assert Table("empty", COLUMNS, []).as_html() == ""
    assert "<th>rank</th>" in Table("one", COLUMNS, ROWS[:1]).as_html()


def test_columns_and_tables_cannot_be_changed():
    for constant, field in ((COLUMNS[0], "title"), (TABLE, "rows")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(constant, field, "")


def test_a_view_is_its_tables_and_sentences():
    view = PairView(None)
    assert view.text() == f"{TABLE.as_text()}\n\nOne < two.\n\nThree & four."
    assert view.html() == f"{TABLE.as_html()}\n<p>One &lt; two.</p>\n<p>Three &amp; four.</p>"
    assert list(view.record()) == ["coefficients", "empty"]
    assert view.record()["coefficients"][0] == TABLE.records()[0]
    assert view.record()["empty"] == []


def test_a_view_of_nothing():
    nothing = View(None)
    assert (nothing.tables(), nothing.sentences(), nothing.record()) == ([], [], {})
    assert nothing.text() == nothing.html() == ""
    assert nothing.table("none").rows == []


def test_cells_are_attributes_of_rows():
    row = Row(Row("inner"), 0.5)
    assert Column("value").cell(row) == 0.5
    assert Column("label", of="name.name").cell(row) == "inner"
    assert Column("double", of=lambda row: 2 * row.value).cell(row) == 1
    pairs = Row({"kappa": (0.1, 0.2)}, None)
    assert Column("high", of="name.kappa.1").cell(pairs) == 0.2
    assert Column("high", of="value.1").cell(pairs) is None
    with pytest.raises(AttributeError):
        Column("missing").cell(row)


def subclasses(kind):
    return {one for direct in kind.__subclasses__() for one in {direct, *subclasses(direct)}}


def test_every_result_has_a_view():
    for name in ("averages", "cli", "comparison", "crosscheck", "judging", "organization"):
        importlib.import_module(f"ircor.{name}")
    for name in ("overlap", "published", "rank_distance", "reliability", "statistics"):
        importlib.import_module(f"ircor.{name}")
    results = {kind for kind in subclasses(Result) if kind.__module__.startswith("ircor.")}
    assert {kind.__name__ for kind in results} <= {name.rpartition(".")[2] for name in VIEWS}
    for kind in results:
        view = view_of(kind.__new__(kind))
        assert type(view).__name__ == f"{kind.__name__}View"
        assert type(view).tables is not View.tables or type(view).sentences is not View.sentences


def test_numbers_in_cells():
    for cell in ("0.5", "-3", "1e-05", "", "undefined", "nan", "inf"):
        assert is_numeric_text(cell)
    for cell in ("tau", "< 0.001", "3 topics"):
        assert not is_numeric_text(cell)


def test_values_for_json():
    value = {
        1: (np.float64(0.5), np.int64(3), np.bool_(True)),
        "array": np.array([[1.0, nan], [inf, -inf]]),
        "nested": {"deep": [nan, None, "x", 2]},
    }
    expected = {"1": [0.5, 3, True], "array": [[1.0, None], [None, None]], "nested": {"deep": [None, None, "x", 2]}}
    assert plain(value) == expected
    assert json.loads(json.dumps(plain(value), allow_nan=False)) == expected
    assert plain(pd.Series([1.5, nan])) == [1.5, None]


def test_latex_escapes_what_has_a_meaning():
    table = Table("x", [Column("a_b"), Column("value")], [{"a_b": r"50% of_x & \y^~", "value": 0.5}])
    lines = as_latex(table, "A {caption} #1").splitlines()
    assert lines[:3] == [r"\begin{table}", r"\caption{A \{caption\} \#1}", r"\centering"]
    assert r"a\_b & value \\" in lines
    assert r"50\% of\_x \& \textbackslash{}y\textasciicircum{}\textasciitilde{} & 0.5000 \\" in lines
    assert r"\begin{tabular}{lr}" in lines
    assert as_latex(table).startswith(r"\begin{tabular}")
