"""ircor.duckdb in DuckDB: against cor_by on the same rows."""

import subprocess
import sys
from contextlib import suppress

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from calls import FUNCTIONS

import ircor


@pytest.fixture
def con():
    with duckdb.connect() as con:
        ircor.duckdb.register(con)
        yield con


FORMS = {
    "two lists": "list(a ORDER BY id), list(b ORDER BY id)",
    "two lists by value": "list(a ORDER BY a, b), list(b ORDER BY a, b)",
    "structs": "list({'x': a, 'y': b})",
    "structs the other way": "list({'y': b, 'x': a})",
    "structs in capitals": "list({'Y': b, 'X': a})",
    "structs of other names": "list({'b': a, 'a': b})",
    "rows": "list(row(a, b) ORDER BY id DESC)",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("threads", [1, 4])
def test_groups_are_those_of_cor_by(con, name, form, threads, grouped):
    rows = grouped(name, groups=3000)
    con.execute(f"SET threads={threads}")
    table = pa.table({"id": np.arange(len(rows.g)), "g": rows.g, "a": rows.x, "b": rows.y})
    con.register("rows", table)
    found = con.execute(f"SELECT {name}({FORMS[form]}) FROM rows GROUP BY g ORDER BY g").fetchall()
    found = np.array([np.nan if value is None else value for (value,) in found])
    if form in ("two lists", "rows"):
        order = rows.g, rows.x, rows.y
        if form == "rows":
            order = tuple(values[::-1] for values in order)
        expected = ircor.cor_by(*order, name).to_numpy()
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(found, rows.expected, rtol=0, atol=1e-15)


def value(con, expression):
    (row,) = con.execute(f"SELECT {expression}").fetchall()
    return row[0]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("tau([1, 2, 3], [1.5, 2.5, 2.25])", 1 / 3),
        ("tau([9007199254740992, 9007199254740993, 1], [2, 3, 1])", 1),
        ("tau([1::HUGEINT, 2::HUGEINT << 70, (2::HUGEINT << 70) + 1], [1::UTINYINT, 2, 3])", 1),
        ("tau([0.12345678901234567890123::DECIMAL(38, 23), 0.12345678901234567890124], [1::FLOAT, 2])", 1),
        ("TAUAP([3, 2, 1], [30, 20, 10])", 1),
        ("tau_b([-v for v in [3, 2, 1]], [30, 20, 10])", -1),
        ("tau_b(NULL::INT[], [1, 2])", None),
        ("tau_b([1, 2], NULL::INT[])", None),
        ("tau_b([{'x': 1, 'y': 2}, {'x': 2, 'y': 1}])", -1),
        ("tau_b(NULL::STRUCT(x INT, y INT)[])", None),
        ("tauAP([{'x': v, 'y': v % 3} for v in [1, 2, 3]]::STRUCT(x INT, y INT)[3])", 0),
        ("tauAP([3, 2, 1]::INT[3], [3, 1, 2])", 0.5),
        ("tau_b(NULL::STRUCT(x INT, y INT)[2])", None),
        ("tau_b([]::INT[], []::INT[])", None),
        ("tau_b([1], [1])", None),
        ("tau_b([1, 1], [1, 2])", None),
    ],
)
def test_lists_of_any_numbers(con, expression, expected):
    assert value(con, expression) == expected


def test_one_list_that_is_null_or_empty(con):
    """Old releases hand over nothing of an unknown type."""
    for expression in ("tau_b(NULL)", "tau_b([])", "tauAP_a(NULL, NULL)"):
        with suppress(duckdb.NotImplementedException):
            assert value(con, expression) is None


def test_missing_values_by_policy(con):
    lists = "[1, NULL, 3, 2], [1, 2, 3, 'nan'::DOUBLE]"
    for name, function in FUNCTIONS.items():
        ircor.duckdb.register(con, nan_policy="omit")
        assert value(con, f"{name}({lists})") == function([1, 3], [1, 3])
        assert value(con, f"{name}([1, NULL], [1, 2])") is None
        ircor.duckdb.register(con, nan_policy="propagate")
        assert value(con, f"coalesce({name}({lists}), 7)") == 7
        assert value(con, f"{name}([1, 2], [1, 2])") == 1
        ircor.duckdb.register(con)
        with pytest.raises(Exception, match=r"'x' has a missing value in item 2 of row 1, with x = \[1, None, 3, 2\]"):
            value(con, f"{name}({lists})")
    with pytest.raises(ValueError, match="'nan_policy' must be one of raise, omit, propagate, not 'drop'"):
        ircor.duckdb.register(con, nan_policy="drop")


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("tau([1, 2, 1], [1, 2, 3])", r"with x = \[1, 2, 1\] and y = \[1, 2, 3\]: 'x' contains ties"),
        (
            "tau_b([1, NULL], [1, 2])",
            r"'x' has a missing value in item 2 of .* with x = \[1, None\] and y = \[1, 2\]: nan_policy=\"omit\"",
        ),
        ("tau_b([1, 2], [1])", "must be of the same length, but they have 2 and 1 items"),
        ("tau_b([{'x': 1, 'y': 1}, NULL])", "'x' has a missing value in item 2 of row 1"),
        ("tau_b([1, 2])", "one list must have structs of two fields, x and y, but it is an Arrow array of list<"),
        ("tau_b([{'a': 1, 'b': 2, 'c': 3}])", "one list must have structs of two fields"),
        (
            "tau_b([{'y': 1, 'b': 2}])",
            r"the two fields must be x and y, but the structs are of type struct<y: int32, b",
        ),
        (
            "tau_b([{'a': 1, 'X': 2}])",
            r"the two fields must be x and y, but the structs are of type struct<a: int32, X",
        ),
        ("tau_b([1], [1], [1])", "tau_b takes two lists, or one of structs, not 3 arguments"),
        ("tau_b(['a', 'b'], [1, 2])", "'x' must be an Arrow column of lists of numbers, but it has lists of type"),
        ("tau_b([1, 2], 3)", "'y' must be an Arrow column of lists of numbers, but it is an Arrow array of type int32"),
    ],
)
def test_what_is_refused_is_an_error_of_the_query(con, expression, words):
    with pytest.raises(duckdb.Error, match=words):
        value(con, expression)


def test_registering_again_replaces_the_functions(con):
    assert value(con, "tau_b([1, 2], [1, 2])") == 1
    ircor.duckdb.register(con, min_items=3)
    assert value(con, "tau_b([1, 2], [1, 2])") is None
    assert value(con, "tau_b([1, 2, 3], [1, 2, 3])") == 1
    with pytest.raises(ValueError, match="'min_items' must be 2 or more, not 1"):
        ircor.duckdb.register(con, min_items=1)
    # The functions of one connection are not those of another.
    with duckdb.connect() as other, pytest.raises(duckdb.CatalogException):
        value(other, "tau_b([1, 2], [1, 2])")


def test_cursors_have_the_functions_of_their_connection(con):
    assert value(con.cursor(), "tau_b([1, 2], [1, 2])") == 1
    with pytest.raises(duckdb.CatalogException, match="already exists"):
        ircor.duckdb.register(con.cursor())
    with duckdb.connect() as other:
        cursor = other.cursor()
        ircor.duckdb.register(cursor)
        assert value(cursor, "tau_b([1, 2], [2, 1])") == -1


THREE = "[{'x': 1, 'y': 1}, {'x': 2, 'y': 3}, {'x': 3, 'y': 2}]"


@pytest.mark.parametrize(
    ("of_type", "lists", "expected"),
    [
        (
            "STRUCT(x INT, y INT)[]",
            [THREE, "NULL", "[]", "[{'x': 2, 'y': 1}, {'x': 1, 'y': 2}]"],
            [1 / 3, None, None, -1],
        ),
        ("STRUCT(x INT, y INT)[3]", [THREE, "NULL", THREE], [1 / 3, None, 1 / 3]),
    ],
)
def test_null_lists_of_structs_between_others(con, of_type, lists, expected):
    rows = ", ".join(f"({pairs}::{of_type})" for pairs in lists)
    found = con.execute(f"SELECT tau(pairs) FROM (VALUES {rows}) AS rows(pairs)").fetchall()
    assert [value for (value,) in found] == expected


def test_duckdb_is_needed():
    code = "import sys; sys.modules['duckdb'] = None; import ircor; ircor.duckdb.register(None)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert "ircor.duckdb needs duckdb: " in last
    assert last.endswith("-m pip install 'ircor[duckdb]'")
