"""Python against R, and proof that the comparison can fail."""

import inspect
import math
import platform
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from calls import FUNCTIONS, REFUSING
from hypothesis import given, strategies as st
from oracles import Constant

import ircor
from ircor import crosscheck
from ircor._core.methods import METHODS, bounded, kendall, ratio
from ircor._kernel import Dominance, bits
from ircor.crosscheck import Answer, Case, Record, _comparison, random_cases, run
from ircor.crosscheck._comparison import (
    BATCH,
    agree,
    allowed_difference,
    as_ranks,
    ask_python,
    compare_signatures,
    containers,
    difference_of,
    shrink,
    tolerance_of,
    variants_that_differ,
    without,
)


@pytest.mark.r
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3, 4))])
def test_2500_random_rankings(reference, seed):
    report = run(reference, random_cases(2_500, seed=seed), seed=seed)
    assert report.agrees, report.as_json()
    for name, tally in report.functions.items():
        values = tally.cases - tally.refusals - tally.allowed
        assert values > 625, name
        assert (tally.refusals > 125) == bool(REFUSING[name] or name == "tau_b"), name
    assert not report.disagreements


@pytest.mark.r
def test_the_recorded_calls_in_r(reference):
    report = run(reference, Record().cases)
    assert report.agrees, report.as_json()


FLAGS = {
    **dict.fromkeys(("TRUE", "1", "-1", "2.5", "Inf", "1i", "'TRUE'", "'True'", "'true'", "'T'"), True),
    **dict.fromkeys(("FALSE", "0", "-0", "0i", "'FALSE'", "'False'", "'false'", "'F'"), False),
    **dict.fromkeys(("NULL", "NA", "NaN", "'yes'", "'t'", "''", "'1'", "c(TRUE, FALSE)", "list()", "tau")),
}


@pytest.mark.r
@pytest.mark.parametrize("text", FLAGS)
@pytest.mark.parametrize("name", ["tauAP", "tauAP_a", "tauAP_b"])
def test_decreasing_in_r(reference, name, text):
    import rpy2.robjects as ro

    # The values of the test of refusals, as R takes them.
    call = ro.r("function(f, x, y, flag) tryCatch(f(x, y, flag), error = function(e) NaN)")
    x, y = [1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 3.0, 4.0, 5.0]
    flag = ro.r("ircorref::tau") if text == "tau" else ro.r(text)
    value = call(ro.r(f"ircorref::{name}"), ro.FloatVector(x), ro.FloatVector(y), flag)[0]
    if FLAGS[text] is None:
        assert np.isnan(value)
    else:
        assert value == pytest.approx(FUNCTIONS[name](x, y, FLAGS[text]))


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
def test_both_languages_refuse_the_same_types(reference, kind, name, function):
    import rpy2.robjects as ro

    refuse = ro.r("function(f, ...) tryCatch(f(...), error = function(e) conditionMessage(e))")
    for vector, other in (("x", "y"), ("y", "x")):
        said = refuse(ro.r(f"ircorref::{name}"), **{vector: ro.r(kind), other: ro.r("1:3")})[0]
        assert said == f"'{vector}' must be a numeric vector"
        with pytest.raises(TypeError, match=f"^{said}"):
            function(**{vector: NOT_NUMERIC[kind], other: [1, 2, 3]})


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
    python, r = ask_python(name, FUNCTIONS[name], case), reference.answers(name, [case])[0]
    allowed = allowed_difference(name, FUNCTIONS[name], case, python, r)
    assert agree(python, r, 1e-12) or allowed, (python, r, case.r_call(name, "ircorref"))


def public(name, method):
    """A function with the signature of the public one."""
    if METHODS[name].takes_decreasing:
        return lambda x, y, decreasing=True: method(x, y, decreasing)
    return lambda x, y: method(x, y)


def with_formula(name, formula):
    return name, public(name, replace(METHODS[name], formula=formula))


def tau_ap_b(equation_10):
    """Equation (11) with another equation (10)."""

    def formula(d):
        both = equation_10(d.c_above_in_y(), d.y.n, d.y.top), equation_10(d.c_above_in_x(), d.x.n, d.x.top)
        return bounded(sum(both) / 2)

    return with_formula("tauAP_b", formula)


class OffByOne(Dominance):
    """Divides by p instead of p - 1."""

    def c_above_in_y(self):
        p = self.y.places() + 1
        return float((self.counts() / p)[p > 1].sum())

    def c_above_in_y_permuted(self):
        return self.c_above_in_y()


BROKEN = {
    "sign": with_formula("tau", lambda d: -kendall(d)),
    "ties out of the denominator": with_formula(
        "tau_a", lambda d: (d.concordant - d.discordant) / max(1, d.concordant + d.discordant)
    ),
    "one denominator": with_formula(
        "tau_b", lambda d: bounded(ratio(d.concordant - d.discordant, d.x.total_pairs - d.x.tied_pairs))
    ),
    "one item too many": with_formula("tauAP", lambda d: bounded(2 * d.c_above_in_y() / d.y.n - 1)),
    "no term II": with_formula("tauAP_a", lambda d: bounded(2 * d.c_above_in_y_permuted() / (d.y.n - 1) - 1)),
    "no -1 in equation (10)": tau_ap_b(lambda c_above, n, t_1: 2 * ratio(c_above, n - t_1)),
    "top group counted": tau_ap_b(lambda c_above, n, t_1: 2 * ratio(c_above, n - 1) - 1),
    "one direction": with_formula("tauAP_b", lambda d: bounded(2 * ratio(d.c_above_in_y(), d.y.n - d.y.top) - 1)),
    "increasing": ("tauAP", lambda x, y, decreasing=True: ircor.tauAP(x, y, not decreasing)),
    "ties in y accepted": ("tau", public("tau", replace(METHODS["tau"], untied="x"))),
    **{
        f"p instead of p - 1 in {name}": with_formula(
            name, lambda d, formula=METHODS[name].formula: formula(OffByOne(d.x, d.y))
        )
        for name in ("tauAP", "tauAP_a", "tauAP_b")
    },
    **{
        f"x and y swapped in {name}": (name, public(name, lambda x, y, *d, f=FUNCTIONS[name]: f(y, x, *d)))
        for name in ("tauAP", "tauAP_a", "tau_a")
    },
}


@pytest.mark.r
@pytest.mark.filterwarnings("ignore::ircor.MissingValueWarning")
@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_formula_is_noticed_within_200_cases(reference, what):
    name, function = BROKEN[what]
    report = run(reference, random_cases(200, seed=1), {name: function})
    assert not report.agrees
    assert report.signatures == []
    assert report.functions[name].disagreements > 3
    (found,) = report.disagreements
    assert found.function == name
    assert found.python != found.r


@pytest.mark.r
def test_the_way_formulas_are_broken_does_not_break_them(reference):
    unbroken = {name: public(name, method) for name, method in METHODS.items()}
    assert run(reference, random_cases(200, seed=1), unbroken).agrees


@pytest.mark.r
def test_a_disagreement_is_shrunk_to_two_lines_to_paste(reference):
    import rpy2.robjects as ro

    name, function = BROKEN["no term II"]
    report = run(reference, random_cases(200, seed=3), {name: function})
    (found,) = report.disagreements
    assert found.python_call.count(",") <= 4
    assert ro.r(found.r_call)[0] == pytest.approx(float(found.r))
    right = eval(found.python_call, {"ircor": ircor, "float": float})
    assert right == pytest.approx(float(found.r))
    assert right != pytest.approx(float(found.python))


@pytest.mark.r
def test_a_formula_broken_only_where_r_has_accidents_is_noticed(reference, monkeypatch):
    monkeypatch.setattr(_comparison, "VARIED", 0)

    def tau_b(x, y):
        return 0.123 if difference_of(Case(x, y, True, "")) else ircor.tau_b(x, y)

    report = run(reference, random_cases(200, seed=1), {"tau_b": tau_b})
    assert report.functions["tau_b"].disagreements > 3


@pytest.mark.r
def test_signatures(reference):
    for name, function in FUNCTIONS.items():
        assert compare_signatures(reference, name, function) == ""

    def tauAP(x, y, decreasing=False):
        return 0.0

    assert "'decreasing': 'FALSE'" in compare_signatures(reference, "tauAP", tauAP)
    report = run(reference, [], {"tauAP": tauAP})
    assert len(report.signatures) == 1
    assert not report.agrees
    # The order of the arguments matters, and a number as default is written as in R.
    assert compare_signatures(reference, "tau", lambda y, x: 0.0).startswith("tau: Python has {'y': '', 'x': ''}")
    assert "{'x': '', 'y': '1'}" in compare_signatures(reference, "tau", lambda x, y=1: 0.0)


def test_the_functions_are_the_public_ones():
    assert crosscheck.FUNCTIONS == FUNCTIONS
    assert [inspect.signature(f) for f in crosscheck.FUNCTIONS.values()]


@pytest.mark.parametrize(
    ("python", "r", "verdict"),
    [
        (Answer(0.5), Answer(0.5 + 1e-13), True),
        (Answer(0.5), Answer(0.5 + 1e-11), False),
        (Answer(0.5), Answer(0.5 - 1e-11), False),
        (Answer(1.0), Answer(1.0000000000000002), True),
        (Answer(1.0000000000000002), Answer(1.0), False),
        (Answer(-1.0000000000000002), Answer(-1.0), False),
        (Answer(), Answer(), True),
        (Answer(0.0), Answer(), False),
        (Answer(), Answer(0.0), False),
        (Answer(error="'x' contains ties. More."), Answer(error="'x' contains ties."), True),
        (Answer(error="'y' contains ties. More."), Answer(error="'x' contains ties."), False),
        (Answer(error="More: 'x' contains ties."), Answer(error="'x' contains ties."), False),
        (Answer(error="'x' contains ties."), Answer(0.5), False),
        (Answer(error="'x' contains ties."), Answer(), False),
        (Answer(0.5), Answer(error="'x' contains ties."), False),
        (Answer(), Answer(error="'x' contains ties."), False),
    ],
)
def test_answers_that_agree(python, r, verdict):
    assert agree(python, r, 1e-12) is verdict


def test_the_tolerance_itself_is_allowed():
    assert agree(Answer(0.5), Answer(0.25), 0.25)
    assert not agree(Answer(0.5), Answer(0.25), 0.2)


def test_batches_and_progress():
    oracle, seen = Constant(Answer(0.5)), []
    cases = [Case(np.array([1.0, 2, 3]), np.array([1.0, 2, 3]), True, "")] * (2 * BATCH + 1)
    report = run(oracle, cases, {"tau": lambda x, y: 0.5 + 1e-14}, progress=seen.append, seed=4, tolerance=1e-13)
    assert oracle.asked == [BATCH, BATCH, 1]
    assert seen == [BATCH, 2 * BATCH, 2 * BATCH + 1]
    assert (report.agrees, report.seed, report.tolerance, report.package) == (True, 4, 1e-13, "constant")
    assert (report.oracle, report.oracle_version, report.r_version) == ("reference", "1", "R")
    assert (report.python_version, report.ircor_version) == (platform.python_version(), ircor.__version__)
    assert (report.rpy2_version, report.numpy_version) == ("3", np.__version__)
    assert report.functions["tau"].cases == 2 * BATCH + 1
    assert report.functions["tau"].largest_difference == pytest.approx(1e-14, rel=0.1)
    assert report.functions["tau"].where == ", n = 3"
    assert not run(oracle, cases[:1], {"tau": lambda x, y: 0.5 + 1e-12}, tolerance=1e-13).agrees


def test_refusals_are_counted():
    oracle = Constant(Answer(error="'x' contains ties."))
    case = Case(np.array([1.0, 1, 3]), np.array([1.0, 2, 3]), True, "")
    tally = run(oracle, [case] * 3, {"tau": ircor.tau}).functions["tau"]
    assert (tally.cases, tally.refusals, tally.allowed, tally.disagreements) == (3, 3, 0, 0)


def test_one_example_of_each_function_is_kept():
    case = Case(np.array([1.0, 2, 3]), np.array([1.0, 2, 3]), True, "sorted")
    report = run(Constant(Answer(0.0)), [case] * 3, {"tau": ircor.tau, "tau_b": ircor.tau_b})
    assert [found.function for found in report.disagreements] == ["tau", "tau_b"]
    assert [tally.disagreements for tally in report.functions.values()] == [3, 3]
    assert report.disagreements[0].case == "sorted"
    assert report.disagreements[0].r == "0.0"
    assert report.disagreements[0].python == "1.0"
    assert report.disagreements[0].r_call == "constant::tau(c(1.0, 2.0), c(1.0, 2.0))"


def test_vectors_of_different_lengths_are_not_shrunk():
    case = Case(np.arange(9.0), np.arange(8.0), True, "")
    (found,) = run(Constant(Answer(0.0)), [case], {"tau": ircor.tau}).disagreements
    assert found.python_call.count(",") == 8 + 7 + 1


def test_python_is_asked_in_the_direction_of_the_case():
    for decreasing in (True, False):
        case = Case(np.array([1.0, 2, 3]), np.array([1.0, 3, 2]), decreasing, "")
        assert ask_python("tauAP", ircor.tauAP, case).value == ircor.tauAP(case.x, case.y, decreasing)
    missing = Case(np.array([1.0, 2, np.nan]), np.array([1.0, 3, 2]), True, "")
    assert ask_python("tauAP_b", ircor.tauAP_b, missing).error == ""  # and no warning


def test_shrinking():
    rng = np.random.default_rng(0)
    case = Case(rng.normal(size=37), rng.normal(size=37), True, "large")
    needed = case.x[[5, 20, 36]]

    def disagree(candidates):
        return [np.isin(needed, candidate.x).all() for candidate in candidates]

    found = shrink(case, disagree)
    assert sorted(found.x) == sorted(needed)
    assert found.name == "large"
    assert len(found.y) == 3
    # Ranks replace the values if the languages disagree on them too.
    smallest = shrink(case, lambda candidates: [True for _ in candidates])
    assert sorted(smallest.x) == sorted(smallest.y) == [1.0, 2.0]
    assert shrink(case, lambda candidates: [False for _ in candidates]) is case


def test_without():
    case = Case(np.arange(5.0), np.arange(5.0) * 2, False, "name")
    rest = without((case.x, case.y, "text", np.arange(3.0)), slice(1, 3), 0)
    assert [one if isinstance(one, str) else one.tolist() for one in rest] == [[0, 3, 4], [0, 6, 8], "text", [0, 1, 2]]
    (table,) = without((np.arange(6.0).reshape(2, 3),), slice(1, 2), 1)
    assert table.tolist() == [[0, 2], [3, 5]]


def test_shrinking_stops_after_a_minute(monkeypatch):
    clock = iter(range(0, 10_000, 25))
    monkeypatch.setattr(_comparison.time, "monotonic", lambda: next(clock))
    case = Case(np.arange(64.0), np.arange(64.0), True, "")
    found = shrink(case, lambda candidates: [True for _ in candidates])
    assert 2 < len(found.x) < 64


def test_the_tolerance_of_long_rankings():
    x = np.arange(700.0)
    case = Case(x, x, True, "")
    assert tolerance_of("tau_b", case, 1e-12) == 1e-12
    assert tolerance_of("tauAP", case, 1e-12) == 700**2 * 2.0**-53 > 5e-12
    assert tolerance_of("tauAP", Case(x[:50], x[:50], True, ""), 1e-12) == 1e-12
    assert tolerance_of("tauAP", case, 0) == 0


def test_the_bound_holds_for_a_sum_in_the_order_of_r():
    """The coefficient of the same ranking twice, whose sum of fractions is n - 1."""
    for n in (100, 700, 1500):
        total = np.cumsum(np.repeat(1 / np.arange(1.0, n), np.arange(1, n)))[-1]
        x = np.arange(float(n))
        assert abs(2 * total / (n - 1) - 1 - 1) <= tolerance_of("tauAP", Case(x, x, True, ""), 1e-300)


def long_case():
    return Case(np.random.default_rng(1).normal(size=1100), np.arange(1100.0), True, "long")


@pytest.mark.parametrize("case", [long_case(), Case(np.array([1, np.nan, 2]), np.array([1.0, 2, 3]), True, "missing")])
def test_containers_kernels_and_warnings(case):
    for name, function in FUNCTIONS.items():
        assert variants_that_differ(name, function, case) == ""
    assert {"a list", "a tuple", "a masked array", "a Series of pandas", "a Series of polars"} <= set(containers())


def test_a_container_a_kernel_or_a_warning_that_is_wrong(monkeypatch):
    case = Case(np.array([1.0, 3, 2, 4]), np.array([1.0, 2, 4, 3]), True, "")

    def of_lists(x, y):
        return 0.25 if isinstance(x, list) else ircor.tau_b(x, y)

    assert variants_that_differ("tau_b", of_lists, case) == "as a list, the answer is another"

    def by_kernel(x, y):
        used = bits.use_instructions(bits.instructions()[0])
        bits.use_instructions(used)
        return 0.25 if used != bits.instructions()[0] else ircor.tau_b(x, y)

    if len(bits.instructions()) > 1:
        before = bits.use_instructions(bits.instructions()[0])
        assert "with the kernel for" in variants_that_differ("tau_b", by_kernel, case)
        bits.use_instructions(before)
    missing = Case(np.array([1, np.nan, 2]), np.array([1.0, 2, 3]), True, "")
    silent = lambda x, y, decreasing: ircor._core.methods.TAU_AP_B(x, y, decreasing, None)  # noqa: E731
    assert variants_that_differ("tauAP_b", silent, missing) == "a MissingValueWarning is missing"
    report = run(Constant(Answer(1.0)), [case], {"tau_b": of_lists})
    assert report.disagreements[0].python == "as a list, the answer is another"


def test_as_ranks():
    case = Case(np.array([0.5, np.nan, -np.inf, 0.5]), np.array([7, 9, 7, 1], dtype=np.int32), False, "name")
    found = as_ranks(case)
    np.testing.assert_array_equal(found.x, [2, np.nan, 1, 2])
    assert found.y.tolist() == [2, 3, 2, 1]
    assert (found.decreasing, found.name) == (False, "name")
