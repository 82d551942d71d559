"""The whole cross-check in one function."""

import inspect
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from calls import FUNCTIONS

import ircor
from ircor import crosscheck, rbase
from ircor.crosscheck import Record, RUnavailableError, _beyond, _check, check, run
from ircor.crosscheck._base import DRAWS, NUMBERS

BEYOND = [name for subject in _beyond.SUBJECTS for name in subject.functions]
IN_RECORD = ["r_round", "r_rank", *NUMBERS, *DRAWS]


def test_the_record():
    found = check("record", progress=False)
    assert found.agrees
    assert (found.oracle, found.seed) == ("record", None)
    assert list(found.functions) == [*FUNCTIONS, *IN_RECORD]
    assert {found.functions[name].cases for name in FUNCTIONS} == {688}
    assert all(tally.cases for tally in found.functions.values())


def test_the_defaults():
    defaults = {name: p.default for name, p in inspect.signature(check).parameters.items()}
    assert defaults == {
        "oracle": "auto",
        "cases": 10_000,
        "seed": 2017,
        "functions": None,
        "tolerance": 1e-12,
        "data": None,
        "n_jobs": 1,
        "progress": None,
    }
    assert inspect.signature(run).parameters["tolerance"].default == 1e-12


def test_some_functions_only():
    assert list(check("record", functions=["tauAP_b", "tau"]).functions) == ["tauAP_b", "tau"]
    assert list(check("record", functions="tau_b").functions) == ["tau_b"]
    assert list(check("record", functions=iter(["tau_a"])).functions) == ["tau_a"]


def test_progress():
    seen = []
    check("record", functions="tau", progress=lambda done, total: seen.append((done, total)))
    assert seen == [(500, 688), (688, 688)]


def test_a_broken_function_is_noticed(monkeypatch):
    monkeypatch.setitem(crosscheck.FUNCTIONS, "tau", lambda x, y: -ircor.tau(x, y))
    found = check("record")
    assert not found.agrees
    assert [name for name, tally in found.functions.items() if tally.disagreements] == ["tau"]


def test_a_broken_function_of_base_r_is_noticed_without_r(monkeypatch):
    monkeypatch.setattr(rbase, "r_colmeans", lambda x, na_rm=False: np.mean(x, axis=0))
    monkeypatch.setattr(rbase.RRandom, "rnorm", lambda self, n, mean, sd: mean + sd * self.runif(n))
    found = check("record")
    assert [name for name, tally in found.functions.items() if tally.disagreements] == ["r_colmeans", "RRandom.rnorm"]
    assert found.disagreements[0].r_call.startswith("base::colMeans(array(c(")
    assert "RRandom(" in found.disagreements[1].python_call


def test_the_tolerance():
    # R's tau_b of record 20170-3 differs by 2.2e-16.
    assert check("record", functions="tau_b", tolerance=2.3e-16).agrees
    found = check("record", functions="tau_b", tolerance=0)
    assert not found.agrees
    assert found.tolerance == 0


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"oracle": "cran"}, ValueError, "'oracle' must be one of auto, original"),
        ({"functions": ["kendall"]}, ValueError, "'functions' must be one of tau, tau_a, .*, not 'kendall'"),
        ({"functions": []}, ValueError, "'functions' is empty"),
        ({"functions": [pd.Series([1])]}, ValueError, "'functions' must be one of"),
        ({"n_jobs": 0}, ValueError, "'n_jobs' must not be 0"),
        ({"n_jobs": "2"}, TypeError, "'n_jobs' must be a whole number"),
        ({"cases": 0}, ValueError, "'cases' must be 1 or more"),
        ({"cases": 1.5}, TypeError, "'cases' must be a whole number"),
        ({"seed": -1}, ValueError, "'seed' must be 0 or more"),
        ({"seed": "1"}, TypeError, "'seed' must be a whole number"),
        ({"tolerance": -1e-9}, ValueError, "'tolerance' must be 0 or more and less than 1, not -1e-09"),
        ({"tolerance": 1}, ValueError, "'tolerance' must be 0 or more and less than 1, not 1"),
        ({"tolerance": float("nan")}, ValueError, "'tolerance' must be"),
        ({"tolerance": "small"}, TypeError, "'tolerance' must be a number"),
        ({"data": {"a": [1, 2]}}, ValueError, "'data': fewer than two columns of numbers"),
        ({"data": {"a": [1, 2], "b": ["x", "y"]}}, TypeError, "'b' must be a numeric vector"),
    ],
)
def test_invalid_options(options, error, words):
    with pytest.raises(error, match=words):
        check(**{"oracle": "record"} | options)


@pytest.fixture
def without_r(monkeypatch):
    monkeypatch.setattr(_check, "find_oracle", lambda kind: Record("R is missing; compared with the record only"))


def test_without_r_the_report_says_so(without_r):
    found = check(functions="tau", cases=5, seed=9)
    assert found.agrees
    assert found.notes[0] == "R is missing; compared with the record only"
    assert (found.functions["tau"].cases, found.seed) == (688, None)


def test_data_need_r(without_r):
    words = "^--data needs R, the record knows nothing of your data: R is missing; compared with the record only$"
    with pytest.raises(RUnavailableError, match=words):
        check(data={"a": [1, 2], "b": [2, 1]})


def test_the_record_has_no_answers_to_data():
    with pytest.raises(RUnavailableError, match="^--data needs R, the record knows nothing of your data$"):
        check("record", data={"a": [1, 2], "b": [2, 1]})


@pytest.mark.parametrize("content", [b"a,b\nx,y\n", b"a\n1\n", b"", b"a,b\n1,\xe9\n", b"a,b\n1,2\n1,2,3,4\n"])
def test_files_without_two_columns_of_numbers(tmp_path, content):
    path = tmp_path / "scores.csv"
    path.write_bytes(content)
    for data in (path, str(path)):
        with pytest.raises(ValueError, match="scores.csv"):
            check(data=data)
    with pytest.raises(FileNotFoundError):
        check(data=tmp_path / "none.csv")


def test_one_column_of_numbers_is_not_enough(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("system,map\na,0.5\nb,0.25\n")
    with pytest.raises(ValueError, match="scores.csv: fewer than two columns of numbers$"):
        check(data=path)


@pytest.mark.r
@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_file(tmp_path, separator):
    path = tmp_path / "scores"
    rows = [
        ["system", "map", "ndcg", "rank"],
        ["a", "0.3", "0.5", "1"],
        ["b", "0.2", "0.5", "2"],
        ["c", "0.1", "", "3"],
    ]
    path.write_text("\n".join(separator.join(row) for row in rows) + "\n")
    found = check("reference", data=path, functions=["tau_a", "tauAP_b"])
    assert found.agrees
    assert found.seed is None
    assert found.notes == [
        "not compared: tau, tau_b, tauAP, tauAP_a (not asked for)",
        f"not compared: {', '.join(BEYOND)} (a table has no arguments for them)",
    ]
    assert [(tally.cases, tally.refusals) for tally in found.functions.values()] == [(12, 4), (12, 0)]


@pytest.mark.r
def test_a_table():
    frame = pd.DataFrame({"a": [3, 1, 2], "b": [2.5, np.nan, 1]})
    found = check("reference", data=frame)
    assert found.agrees
    # Of the columns of a table, only the six coefficients are compared.
    assert list(found.functions) == list(FUNCTIONS)
    assert {tally.cases for tally in found.functions.values()} == {4}


@pytest.mark.r
def test_a_column_of_integers_in_a_file_is_compared_as_integers(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("a,b\n2147483647,1\n-2147483647,2\n0,3\n")
    found = check("reference", data=path, functions="tau")
    assert found.agrees
    # R's integers overflow, and Python's do not, on purpose.
    assert found.functions["tau"].allowed == 4


@pytest.fixture
def few(monkeypatch):
    """Few calls of the functions beyond the six."""
    subjects = tuple(replace(subject, count=3) for subject in _beyond.SUBJECTS)
    monkeypatch.setattr(_beyond, "SUBJECTS", subjects)


@pytest.mark.r
def test_random_cases(few):
    seen = []
    found = check("reference", cases=60, seed=5, progress=lambda done, total: seen.append((done, total)))
    assert found.agrees, found.as_json()
    assert list(found.functions) == [*FUNCTIONS, *BEYOND]
    assert (found.oracle, found.package, found.seed, found.notes) == ("reference", "ircorref", 5, [])
    assert {found.functions[name].cases for name in FUNCTIONS} == {60}
    assert seen == [(60, 60)]
    again = check("reference", cases=60, seed=5, progress=False)
    assert again.as_dict() == found.as_dict()
    assert check("reference", cases=60, seed=6).as_dict()["functions"] != found.as_dict()["functions"]


@pytest.mark.slow
@pytest.mark.r
def test_several_processes_find_the_same(few):
    one, two = (check("reference", cases=1200, seed=5, n_jobs=jobs, progress=False) for jobs in (1, 2))
    assert one.as_dict() == two.as_dict()
    assert str(one.tables()) == str(two.tables())
    assert one.functions["tau"].cases == 1200
    assert two.comparisons_per_second > 0
    with pytest.raises(ValueError, match="'n_jobs' must not be 0"):
        check("reference", cases=20, n_jobs=0)


@pytest.mark.r
def test_several_processes_notice_a_broken_function(few, monkeypatch):
    monkeypatch.setitem(crosscheck.FUNCTIONS, "tau", lambda x, y: -ircor.tau(x, y))
    one, two = (check("reference", cases=600, functions="tau", n_jobs=jobs, progress=False) for jobs in (1, 2))
    assert not two.agrees
    assert one.as_dict() == two.as_dict()


def test_what_the_record_does_not_compare():
    assert check("record").notes == [
        "not compared: names and defaults of arguments (the record has none)",
        "not compared: logical_x, logical_y, strings, factor, matrix, one_column_matrix, list, data_frame, null, "
        "complex, dates, attributes (not numeric vectors; the tests compare their refusals)",
        f"not compared: {', '.join(name for name in BEYOND if name not in IN_RECORD)} (they need R)",
    ]


@pytest.mark.r
def test_some_functions_leave_out_the_others(few):
    found = check("reference", cases=20, functions=["tau"])
    assert found.notes == [f"not compared: {', '.join([*list(FUNCTIONS)[1:], *BEYOND])} (not asked for)"]
    six = check("reference", cases=20, functions=list(FUNCTIONS))
    assert six.notes == [f"not compared: {', '.join(BEYOND)} (not asked for)"]
    assert list(found.functions) == ["tau"]
    assert found.seed == 2017


@pytest.mark.r
def test_the_seed_of_the_other_functions(few, monkeypatch):
    seeds = []
    monkeypatch.setattr(_check, "run_beyond", lambda agreement, oracle, seed, n_jobs: seeds.append((oracle.kind, seed)))
    check("reference", cases=1, seed=7)
    check("reference", cases=1, seed=7, data={"a": [1, 2], "b": [2, 1]})
    check("record")
    assert seeds == [("reference", 7)]
