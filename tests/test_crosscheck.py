"""Python against R, and proof that the comparison can fail."""

import inspect
import json
import math
import os
import re
import sys
import types

import numpy as np
import pandas as pd
import pytest
from calls import FUNCTIONS, REFUSING, run_command
from hypothesis import given
from hypothesis import strategies as st

import ircor
from ircor import _tau, _tau_ap, cli, crosscheck, rbase
from ircor._as_character import as_character
from ircor._dominance import Dominance
from ircor.crosscheck import Answer, Case, agree, allowed_difference

AVERAGES = ["gmean", "mean_log", "transformed_mean", "mean_logit", "ap_floor"]
ORGANIZATION = ["evaluate", "bcubed", "strictness", "robustness"]


@pytest.fixture(scope="session")
def reference():
    return crosscheck.find_oracle("reference")


@pytest.mark.r
def test_ten_thousand_random_rankings(reference):
    report = crosscheck.run(reference, crosscheck.random_cases(10_000, seed=1), seed=1)
    assert report.agrees, report.as_json()
    for name, tally in report.functions.items():
        values = tally.cases - tally.refusals - tally.allowed
        assert values > 2500, name
        assert (tally.refusals > 500) == bool(REFUSING[name] or name == "tau_b"), name
    assert not report.disagreements


@pytest.mark.r
def test_round_and_rank_bit_for_bit(reference):
    report = crosscheck.run(reference, [])
    crosscheck.compare_base(report, seed=1)
    assert report.agrees, report.as_json()
    assert report.functions["r_round"].cases >= 10**5
    assert report.functions["r_rank"].cases >= 10**5


@pytest.mark.r
def test_the_recorded_calls_live_in_r(reference):
    report = crosscheck.run(reference, crosscheck.find_oracle("record").cases)
    assert report.agrees, report.as_json()


FLAGS = {
    **dict.fromkeys(("TRUE", "1", "-1", "2.5", "Inf", "1i", "'TRUE'", "'True'", "'true'", "'T'"), True),
    **dict.fromkeys(("FALSE", "0", "-0", "0i", "'FALSE'", "'False'", "'false'", "'F'"), False),
    **dict.fromkeys(("NULL", "NA", "NaN", "'yes'", "'t'", "''", "'1'", "c(TRUE, FALSE)", "list()", "tau")),
}


@pytest.mark.r
@pytest.mark.parametrize("text", FLAGS)
@pytest.mark.parametrize("name", ["tauAP", "tauAP_a", "tauAP_b"])
def test_decreasing_live_in_r(reference, name, text):
    import rpy2.robjects as ro

    # The lists of tests/test_refusals.py, as R takes them.
    call = ro.r("function(f, x, y, flag) tryCatch(f(x, y, flag), error = function(e) NaN)")
    x, y = [1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 3.0, 4.0, 5.0]
    flag = ro.r("ircorref::tau") if text == "tau" else ro.r(text)
    value = call(ro.r(f"ircorref::{name}"), ro.FloatVector(x), ro.FloatVector(y), flag)[0]
    if FLAGS[text] is None:
        assert np.isnan(value)
    else:
        assert value == pytest.approx(FUNCTIONS[name](x, y, FLAGS[text]))


@pytest.mark.r
def test_ones_own_r_session_is_left_alone(reference, capfd):
    import rpy2.robjects as ro

    ro.r("answer <- 42")
    reference.answers("tau", [Case(np.array([1.0, 2.0]), np.array([1.0, 2.0]), True, "")])
    assert ro.r("answer")[0] == 42
    ro.r('cat("heard\\n")')
    assert "heard" in capfd.readouterr().out


@pytest.mark.r
def test_asking_r_a_million_times_leaves_python_whole(reference):
    case = Case(np.array([1.0, 2.0]), np.array([1.0, 2.0]), True, "")
    before = sys.getrefcount(None)
    for _ in range(100):
        reference.answers("tau", [case])
        crosscheck.r_round_of(case.x, 1)
        crosscheck.r_rank_of(case.x, "min", True)
    assert sys.getrefcount(None) > before - 50


@pytest.mark.r
@pytest.mark.parametrize("name", ["r_round", "r_rank"])
def test_a_broken_round_or_rank_is_caught_and_can_be_pasted(reference, name, monkeypatch):
    import rpy2.robjects as ro

    right = getattr(rbase, name)
    monkeypatch.setattr(crosscheck, name, lambda *a: right(*a) + 1.0)
    report = crosscheck.run(reference, [])
    crosscheck.compare_base(report, seed=1, count=2000)
    assert not report.agrees
    (found,) = report.disagreements
    assert found.function == name
    ours = np.atleast_1d(eval(found.python_call, {"ircor": ircor, "float": float}))
    np.testing.assert_array_equal(ours, np.array(ro.r(found.r_call)))
    assert len(ours) <= 2


VALUES = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(-3, 3).map(float),
    st.sampled_from([0.3, 0.1 + 0.2, 1e15, 1e15 + 1, 0.0, -0.0, 1e5, 99999.99999999999, math.nan, math.inf]),
)


@pytest.mark.r
@pytest.mark.parametrize("name", REFUSING)
@given(items=st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=12), decreasing=st.booleans())
def test_a_search_finds_no_disagreement(reference, name, items, decreasing):
    x, y = (np.array(values) for values in zip(*items))
    case = Case(x, y, decreasing, "found")
    python, r = crosscheck.ask_python(name, FUNCTIONS[name], case), reference.answers(name, [case])[0]
    allowed = allowed_difference(name, FUNCTIONS[name], case, python, r)
    assert agree(python, r, 1e-12) or allowed, (python, r, case.r_call(name, "ircorref"))


@pytest.mark.r
def test_numbers_as_r_prints_them(reference, rng):
    # Half-way between decimals of 15 digits, next to powers of ten, whole numbers where R prints all digits, any bits.
    half_way = [
        float(f"{k}5e{e}") for k, e in zip(rng.integers(10**14, 10**15, 20_000), rng.integers(-320, 290, 20_000))
    ]
    powers = np.array([float(f"{d}e{e}") for e in range(-25, 26) for d in range(1, 10)])
    near = np.concatenate([powers * (1 + k * 2.0**-52) for k in range(-9, 10)])
    whole = rng.integers(10**14, 2**62, 20_000).astype(float) * rng.choice([1, 10, 100], 20_000)
    bits = rng.integers(0, 2**63, 20_000, dtype=np.uint64).view(np.float64)
    numbers = np.concatenate([half_way, near, whole, bits[np.isfinite(bits)], -near])
    printed = crosscheck.r_as_character(numbers)
    wrong = [(v, as_character(v), r) for v, r in zip(numbers.tolist(), printed) if as_character(v) != r]
    assert wrong == []


NOT_NUMERIC = {
    "TRUE": [True],
    "c('a', 'b')": ["a", "b"],
    "factor(1:3)": pd.Series([1, 2, 3]).astype("category"),
    "matrix(1:4, 2)": np.ones((2, 2)),
    "list(1, 2)": np.array([1, 2], dtype=object),
    "data.frame(a = 1:3)": pd.DataFrame({"a": [1, 2, 3]}),
    "NULL": None,
    "1i": [1j],
    "Sys.Date()": np.array(["2020-01-01"], dtype="datetime64[D]"),
}


@pytest.mark.r
@pytest.mark.parametrize("kind", NOT_NUMERIC)
def test_what_is_not_a_numeric_vector_to_r_is_none_to_python(reference, kind, name, function):
    import rpy2.robjects as ro

    refuse = ro.r("function(f, ...) tryCatch(f(...), error = function(e) conditionMessage(e))")
    for vector, other in (("x", "y"), ("y", "x")):
        said = refuse(ro.r(f"ircorref::{name}"), **{vector: ro.r(kind), other: ro.r("1:3")})[0]
        assert said == f"'{vector}' must be a numeric vector"
        with pytest.raises(TypeError, match=f"^{said}"):
            function(**{vector: NOT_NUMERIC[kind], other: [1, 2, 3]})


@pytest.mark.r
def test_signatures(reference):
    for name, function in FUNCTIONS.items():
        assert crosscheck.compare_signatures(reference, name, function) == ""

    def tauAP(x, y, decreasing=False):
        return 0.0

    assert "'decreasing': 'FALSE'" in crosscheck.compare_signatures(reference, "tauAP", tauAP)


# Each formula broken on purpose, in a copy: the function, and what stands there instead of what.
BROKEN = {
    "sign": ("tau", _tau, "(d.concordant - d.discordant) / d.x", "(d.discordant - d.concordant) / d.x"),
    "ties out of the denominator": ("tau_a", _tau, "/ d.x.total_pairs", "/ max(1, d.concordant + d.discordant)"),
    "one denominator": ("tau_b", _tau, "root_of_product(untied_in_x, untied_in_y)", "untied_in_x"),
    "one item too many": ("tauAP", _tau_ap, "(d.y.n - 1) - 1)", "d.y.n - 1)"),
    "no term II": ("tauAP_a", _tau_ap, "(term_I + term_II)", "term_I"),
    "no -1 in equation (10)": ("tauAP_b", _tau_ap, "ratio(c_above, n - t_1) - 1", "ratio(c_above, n - t_1)"),
    "top group counted": ("tauAP_b", _tau_ap, "n - t_1) - 1", "n - 1) - 1"),
    "one direction": ("tauAP_b", _tau_ap, "(y_given_x + x_given_y) / 2", "y_given_x"),
    "increasing": ("tauAP", _tau_ap, 'rankings(x, y, "xy", decreasing)', 'rankings(x, y, "xy", not decreasing)'),
    "ties in y let through": ("tau", _tau, 'untied="xy"', 'untied="x"'),
}


def broken_copy(module, right, wrong):
    """The module with one thing changed in its source."""
    source = inspect.getsource(module)
    assert right in source
    copy = types.ModuleType("ircor.broken")
    copy.__package__ = "ircor"
    exec(source.replace(right, wrong), copy.__dict__)
    return copy


class OffByOne(Dominance):
    """Divides by p instead of p - 1."""

    def c_above_in_y(self):
        p = self.y.places() + 1
        return float((self.counts() / p)[p > 1].sum())

    def c_above_in_y_permuted(self):
        return self.c_above_in_y()


def broken_functions():
    for what, (name, module, right, wrong) in BROKEN.items():
        yield pytest.param(name, getattr(broken_copy(module, right, wrong), name), id=f"{name}, {what}")
    for name in ("tauAP", "tauAP_a", "tauAP_b"):
        copy = broken_copy(_tau_ap, "", "")
        copy.Dominance = OffByOne
        yield pytest.param(name, getattr(copy, name), id=f"{name}, p instead of p - 1")
    for name in ("tauAP", "tauAP_a", "tau_a"):
        yield pytest.param(
            name, lambda x, y, *d, f=FUNCTIONS[name], **k: f(y, x, *d, **k), id=f"{name}, x and y swapped"
        )


@pytest.mark.r
@pytest.mark.parametrize(("name", "function"), list(broken_functions()))
def test_a_broken_formula_is_caught_within_200_cases(reference, name, function):
    report = crosscheck.run(reference, crosscheck.random_cases(200, seed=1), {name: function})
    assert not report.agrees
    assert report.functions[name].disagreements > 3
    (found,) = report.disagreements
    assert found.python != found.r


@pytest.mark.r
def test_a_disagreement_is_shrunk_to_two_lines_to_paste(reference):
    import rpy2.robjects as ro

    copy = broken_copy(_tau_ap, "(term_I + term_II)", "term_I")
    report = crosscheck.run(reference, crosscheck.random_cases(200, seed=3), {"tauAP_a": copy.tauAP_a})
    (found,) = report.disagreements
    assert found.python_call.count(",") <= 4
    assert ro.r(found.r_call)[0] == pytest.approx(float(found.r))
    right = eval(found.python_call, {"ircor": ircor, "float": float})
    assert right == pytest.approx(float(found.r))
    assert right != pytest.approx(float(found.python))


def test_lines_to_paste():
    case = Case(np.array([1.5, np.nan, -np.inf]), np.array([1, -2, 3], dtype=np.int32), False, "")
    assert case.r_call("tauAP_b", "ircor") == "ircor::tauAP_b(c(1.5, NaN, -Inf), c(1L, -2L, 3L), decreasing = FALSE)"
    assert case.python_call("tau_b") == 'ircor.tau_b([1.5, float("nan"), -float("inf")], [1, -2, 3])'


@pytest.mark.parametrize(
    ("python", "r", "verdict"),
    [
        (Answer(0.5), Answer(0.5 + 1e-13), True),
        (Answer(0.5), Answer(0.5 + 1e-11), False),
        (Answer(1.0), Answer(1.0000000000000002), True),
        (Answer(1.0000000000000002), Answer(1.0), False),
        (Answer(), Answer(), True),
        (Answer(0.0), Answer(), False),
        (Answer(error="'x' contains ties. More."), Answer(error="'x' contains ties."), True),
        (Answer(error="'y' contains ties. More."), Answer(error="'x' contains ties."), False),
        (Answer(error="'x' contains ties."), Answer(0.5), False),
        (Answer(0.5), Answer(error="'x' contains ties."), False),
        (Answer(), Answer(error="'x' contains ties."), False),
    ],
)
def test_what_agrees(python, r, verdict):
    assert agree(python, r, 1e-12) is verdict


ACCIDENTS = [Answer(), Answer(error="missing value where TRUE/FALSE needed")]
INFINITIES = Case(np.array([np.inf, 2, 1]), np.array([np.inf, np.inf, 1.0]), True, "")
OVERFLOW = Case(np.array([2**31 - 1, -(2**31) + 1, 0], dtype=np.int32), np.array([3.0, 1, 2]), True, "")


@pytest.mark.parametrize(
    ("name", "case", "reason"),
    [
        ("tau_a", INFINITIES, "two infinities of one sign are a tie"),
        ("tau_b", INFINITIES, "two infinities of one sign are a tie"),
        ("tau", OVERFLOW, "integers do not overflow"),
        ("tauAP", OVERFLOW, "integers do not overflow"),
    ],
)
def test_a_difference_is_allowed_only_where_r_answers_by_accident(name, case, reason):
    function = FUNCTIONS[name]
    python = crosscheck.ask_python(name, function, case)
    for r in ACCIDENTS:
        assert allowed_difference(name, function, case, python, r) == reason
        # Not any answer will do, and not for any case.
        assert allowed_difference(name, function, case, Answer(0.123), r) == ""
        assert allowed_difference(name, function, case, Answer(error="something else"), r) == ""
        tame = Case(np.array([1.0, 2, 3]), np.array([1.0, 3, 3]), True, "")
        assert allowed_difference(name, function, tame, crosscheck.ask_python(name, function, tame), r) == ""
    assert allowed_difference(name, function, case, python, Answer(0.123)) == ""
    assert allowed_difference(name, function, case, python, Answer(error="'x' contains ties.")) == ""


def test_fewer_than_two_items_may_differ_only_in_a_refusal():
    case = Case(np.array([1.0]), np.array([1.0]), True, "")
    for name, function in FUNCTIONS.items():
        python = crosscheck.ask_python(name, function, case)
        assert allowed_difference(name, function, case, python, Answer(-1.0)) == crosscheck.FEWER_THAN_TWO
        assert allowed_difference(name, function, case, Answer(0.0), Answer(-1.0)) == ""


@pytest.mark.r
def test_a_formula_broken_only_where_r_has_accidents_is_caught(reference):
    def tau_b(x, y):
        return 0.123 if crosscheck.beyond_r(x) or crosscheck.beyond_r(y) else ircor.tau_b(x, y)

    report = crosscheck.run(reference, crosscheck.random_cases(200, seed=1), {"tau_b": tau_b})
    assert report.functions["tau_b"].disagreements > 3


def test_the_same_seed_draws_the_same_cases():
    one, two = (list(crosscheck.random_cases(300, seed=7)) for _ in range(2))
    assert [c.name for c in one] == [c.name for c in two]
    assert all(np.array_equal(a.x, b.x, equal_nan=True) for a, b in zip(one, two))
    drawn = " ".join(c.name for c in crosscheck.random_cases(2000, seed=7))
    for kind in crosscheck.KINDS:
        assert f"x {kind}," in drawn
        assert f"y {kind}," in drawn
    assert {"related", "unrelated", "nearly sorted", "reversed", "the same"} <= {c.name.split(", ")[-1] for c in one}


def test_the_record_needs_no_r():
    record = crosscheck.find_oracle("record")
    report = crosscheck.run(record, record.cases)
    assert report.agrees
    # 600 random rankings, and of the 504 unusual calls those with numbers, in both directions.
    assert all(tally.cases == 688 for tally in report.functions.values())
    assert {"record lengths_differ", "record na_nan_y", "record integer_overflow_x"} <= {c.name for c in record.cases}
    broken = broken_copy(_tau, "(d.concordant - d.discordant) / d.x", "(d.discordant - d.concordant) / d.x")
    assert not crosscheck.run(record, record.cases, {"tau": broken.tau}).agrees


def test_an_oracle_that_does_not_exist():
    with pytest.raises(ValueError, match="must be one of auto, original, reference, record"):
        crosscheck.find_oracle("cran")


def run(*arguments, **environment):
    return run_command("crosscheck", *arguments, **environment)


@pytest.fixture
def without_r(tmp_path):
    """An environment in which R is not to be found."""
    return {"PATH": str(tmp_path), "R_HOME": None}


@pytest.mark.r
def test_the_command(tmp_path):
    files = ["--json", str(tmp_path / "report.json"), "--csv", str(tmp_path / "table.csv")]
    done = run("--cases", "100", "--seed", "5", "--oracle", "reference", *files)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "Python and R agree\n"
    first, second, header, *rows = done.stdout.splitlines()
    assert re.match(r"reference: ircorref [\d.]+, R version ", first)
    assert second.endswith("tolerance 1e-12, seed 5")
    assert header.split("\t")[:3] == ["function", "cases", "refusals that agree"]
    assert [row.split("\t")[0] for row in rows] == [*FUNCTIONS, "r_round", "r_rank", "drank", *AVERAGES, *ORGANIZATION]
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["agrees"] is True
    assert report["functions"]["tau"]["cases"] == 100
    assert (tmp_path / "table.csv").read_text().splitlines()[0] == header.replace("\t", ",")
    assert sorted(os.listdir(tmp_path)) == ["report.json", "table.csv"]


@pytest.mark.r
@pytest.mark.parametrize("separator", [",", "\t"])
def test_the_command_on_ones_own_data(tmp_path, separator):
    table = tmp_path / "scores"
    rows = [
        ["system", "map", "ndcg", "rank"],
        ["a", "0.3", "0.5", "1"],
        ["b", "0.2", "0.5", "2"],
        ["c", "0.1", "", "3"],
    ]
    table.write_text("\n".join(separator.join(row) for row in rows) + "\n")
    done = run("--data", str(table), "--functions", "tau_a", "tauAP_b", "--oracle", "reference")
    assert done.returncode == 0, done.stderr
    rows = [row.split("\t") for row in done.stdout.splitlines()[3:]]
    assert [row[:3] for row in rows] == [["tau_a", "12", "4"], ["tauAP_b", "12", "0"]]


@pytest.mark.r
def test_the_command_with_a_formula_broken(monkeypatch, capsys):
    broken = broken_copy(_tau, "(d.concordant - d.discordant) / d.x", "(d.discordant - d.concordant) / d.x")
    monkeypatch.setitem(crosscheck.FUNCTIONS, "tau", broken.tau)
    assert cli.main(["crosscheck", "--cases", "100", "--functions", "tau", "--oracle", "reference"]) == 1
    out, err = capsys.readouterr()
    assert err == "Python and R DISAGREE\n"
    assert "\nR:      ircorref::tau(c(" in out
    assert "\nPython: ircor.tau([" in out


@pytest.mark.r
def test_what_r_says_at_its_start_does_not_leak(tmp_path):
    profile = tmp_path / "profile.R"
    profile.write_text('cat("welcome\\n"); message("to R"); warning("of all")\n')
    done = run("--cases", "20", "--functions", "tau", "--oracle", "reference", R_PROFILE_USER=str(profile))
    assert done.returncode == 0
    assert done.stderr == "Python and R agree\n"
    assert "welcome" not in done.stdout


def one_clear_line(done, *words):
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("ircor: ")
    for word in words:
        assert word in line


def test_without_r_the_record_serves_and_it_is_said(without_r):
    done = run(**without_r)
    assert done.returncode == 0
    assert done.stdout.startswith("record: ircor 1.0")
    assert "R is not installed" in done.stderr
    assert "compared with the record only" in done.stderr


def test_without_r_what_needs_it_says_what_to_install(without_r, tmp_path):
    table = tmp_path / "scores.csv"
    table.write_text("a,b\n1,2\n3,4\n")
    one_clear_line(run("--oracle", "reference", **without_r), "R is not installed", "apt install r-base")
    one_clear_line(run("--require-original", **without_r), "R is not installed")
    one_clear_line(run("--data", str(table), **without_r), "--data needs R")


@pytest.mark.r
def test_an_r_that_does_not_start_is_one_line(tmp_path):
    one_clear_line(run("--oracle", "reference", R_HOME=str(tmp_path), PATH=str(tmp_path)), "cannot start R")


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("ModuleNotFoundError(\"No module named 'rpy2'\")", "pip install 'ircor[r]'"),
        ("ImportError('lib.so: undefined symbol: R_getVar')", "pip install 'rpy2==3.5.17'"),
        ("OSError('libR.so: cannot open shared object file')", "libR.so: cannot open shared object file"),
    ],
)
def test_an_rpy2_that_does_not_work_is_one_line(tmp_path, error, advice):
    (tmp_path / "rpy2").mkdir()
    (tmp_path / "rpy2" / "__init__.py").write_text(f"raise {error}\n")
    one_clear_line(run("--oracle", "reference", PYTHONPATH=str(tmp_path), R_HOME=str(tmp_path)), advice)


@pytest.mark.r
def test_a_missing_original_is_said(reference):
    if crosscheck.r_version_of("ircor"):
        pytest.skip("R has the original package ircor")
    one_clear_line(run("--require-original"), "R has no package ircor", "install.packages('ircor')")


@pytest.mark.r
@pytest.mark.parametrize("content", [b"a,b\nx,y\n", b"a\n1\n", b"", b"a,b\n1,\xe9\n", b"a,b\n1,2\n1,2,3,4\n"])
def test_data_without_two_columns_of_numbers(tmp_path, content):
    table = tmp_path / "scores.csv"
    table.write_bytes(content)
    one_clear_line(run("--data", str(table), "--oracle", "reference"), "scores.csv")
    one_clear_line(run("--data", str(tmp_path / "none.csv"), "--oracle", "reference"), "none.csv")


@pytest.mark.r
def test_r_is_asked_in_english_whatever_its_language(reference):
    case = Case(np.array([1.0, np.nan, 2.0]), np.array([1.0, 2.0, 3.0]), True, "")
    # A function that stops in R's own words, which R translates.
    import rpy2.robjects as ro

    ro.r('Sys.setenv(LANGUAGE = "de")')
    ro.r('assign("tau_b_in_words", function(x, y) if (NA) 1, envir = .GlobalEnv)')
    try:
        assert reference.answers("tau_b", [case])[0].error == "missing value where TRUE/FALSE needed"
        said = ro.r("tryCatch(tau_b_in_words(1, 2), error = conditionMessage)")[0]
        assert said == "missing value where TRUE/FALSE needed"
    finally:
        ro.r('rm("tau_b_in_words"); Sys.setenv(LANGUAGE = "en")')


@pytest.mark.parametrize("arguments", [["--tolerance", "-1"], ["--tolerance", "inf"], ["--cases", "0"]])
def test_numbers_out_of_range_are_bad_usage(arguments):
    done = run("--oracle", "record", *arguments)
    assert done.returncode == 2
    assert f"argument {arguments[0]}" in done.stderr


def test_a_folder_that_is_missing_is_said():
    with pytest.raises(FileNotFoundError, match="not whole"):
        crosscheck.shipped("nothing", "nowhere")
