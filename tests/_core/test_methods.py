"""The table of methods against the six functions that it describes."""

import inspect

import definitions
import numpy as np
import pandas as pd
import pytest
from calls import FUNCTIONS, REFUSING

import ircor
from ircor._core.methods import METHODS, Method, method_of
from ircor._kernel import Dominance, Ranking, Totals, totals_of_columns


@pytest.fixture
def method(name):
    return METHODS[name]


@pytest.fixture
def vectors(rng, name):
    """x and y with ties where the coefficient allows them."""
    return tuple(rng.random(20) if argument in REFUSING[name] else rng.integers(0, 6, 20) for argument in "xy")


def test_there_are_six_methods_under_their_own_names():
    assert list(METHODS) == list(FUNCTIONS)
    assert all(method.name == name for name, method in METHODS.items())


def test_a_method_is_its_function(method, function, vectors):
    assert method(*vectors) == function(*vectors)
    assert type(method(*vectors)) is float


def test_a_method_is_its_definition(name, method, vectors):
    x, y = (vector.tolist() for vector in vectors)
    if method.takes_decreasing:
        definition = definitions.tauAP_b if name == "tauAP_b" else definitions.tauAP_a
        expected = definition(x, y, True), definition(x, y, False)
    else:
        definition = definitions.tau_b if name == "tau_b" else definitions.tau_a
        expected = definition(x, y), definition(x, y)
    assert (method(x, y), method(x, y, False)) == pytest.approx([float(value) for value in expected], abs=1e-14)


def test_which_vectors_must_be_untied(name, method):
    assert method.untied == REFUSING[name]


def test_which_methods_take_decreasing(method, function, vectors):
    assert method.takes_decreasing == ("decreasing" in inspect.signature(function).parameters)
    if method.takes_decreasing:
        assert method(*vectors, False) == function(*vectors, False) != method(*vectors)
        with pytest.raises(TypeError, match="'decreasing' must be True or False"):
            method(*vectors, "maybe")
    else:
        assert method(*vectors, False) == method(*vectors, "maybe") == method(*vectors)


def test_which_methods_are_symmetric(method, vectors):
    x, y = vectors
    if method.symmetric:
        assert method(x, y) == pytest.approx(method(y, x), abs=1e-15)
    elif method.untied == "x":
        with pytest.raises(ValueError, match="'x' contains ties"):
            method(y, x)
    else:
        assert method(x, y) != pytest.approx(method(y, x))


@pytest.mark.filterwarnings("ignore::ircor.MissingValueWarning")
def test_what_a_missing_value_does(method):
    up, gap = [1.0, 2.0, 3.0], [1.0, np.nan, 3.0]
    for argument, vectors in (("x", (gap, up)), ("y", (up, gap))):
        if argument in method.untied:
            with pytest.raises(ValueError, match=f"'{argument}' contains ties. A missing value counts as one"):
                method(*vectors)
        elif method.missing == "undefined":
            assert np.isnan(method(*vectors))
        elif method.missing == "refused":
            with pytest.raises(ValueError, match=f"missing value where TRUE/FALSE needed: '{argument}'"):
                method(*vectors)
        else:
            assert method.missing == "last"
            assert method(*vectors) == FUNCTIONS[method.name](*(np.nan_to_num(v, nan=-1) for v in vectors))
    assert (method.missing == "tie") == (method.untied == "xy")
    if method.missing == "refused":
        with pytest.raises(ValueError, match="'x' has a missing value"):
            method(gap, gap)


def test_the_warning_has_the_numbers_and_the_place():
    with pytest.warns(ircor.MissingValueWarning, match=r"^missing values \(2 in 'x', 1 in 'y'\) are ranked") as caught:
        METHODS["tauAP_b"]([1, np.nan, np.nan], [1, 2, np.nan])
    assert caught[0].filename == __file__

    def caller():
        return METHODS["tauAP_b"]([1, 2], [1, np.nan], stacklevel=3)

    with pytest.warns(ircor.MissingValueWarning, match=r"\(1 in 'y'\)") as caught:
        caller()
    assert caught[0].lineno == inspect.currentframe().f_lineno - 1


def test_the_formula_needs_these_sums_and_no_others(method, vectors):
    x, y = (Ranking(np.asarray(vector, dtype=float), True) for vector in vectors)
    expected = method.formula(Dominance(x, y))
    assert method.formula(totals_of_columns([x], [y], method.sums)) == expected
    for needed in method.sums:
        assert method.formula(totals_of_columns([x], [y], method.sums - {needed})) != expected


def test_the_kernel_knows_all_sums():
    for method in METHODS.values():
        Totals(1, method.sums)


def test_method_of():
    assert method_of("tauAP_b") is METHODS["tauAP_b"]
    assert isinstance(method_of(np.str_("tau")), Method)
    choices = "tau, tau_a, tau_b, tauAP, tauAP_a, tauAP_b, tau_eq, acc_eq"
    for wrong, shown in [
        ("kendall", "'kendall'"),
        (None, "None"),
        (pd.NA, "<NA>"),
        (pd.Series(["tau"]), "a Series"),
        (pd.DataFrame({"tau": [1]}), "a DataFrame"),
        (np.array(["tau"]), r"array\(\['tau'\], dtype='<U3'\)"),
        (["tau"], r"\['tau'\]"),
        (METHODS["tau"], "a Tau"),
    ]:
        with pytest.raises(ValueError, match=f"^'method' must be one of {choices}, not {shown}$"):
            method_of(wrong)
    with pytest.raises(ValueError, match="^'statistic' must be one of"):
        method_of("kendall", "statistic")
