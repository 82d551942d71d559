"""Every line of the record: what the R package ircor 1.0 answered under R 4.2.2."""

import math
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from calls import FUNCTIONS, record

import ircor

# The lines where the port is not R on purpose, because R answers by accident.
FEWER_THAN_TWO_ITEMS = {"empty", "one_item"}
TWO_INFINITIES_ARE_A_TIE = {
    ("two_inf_x", "tau_b"): ([1, 3, 3, 2], [1, 2, 3, 4]),
    ("two_inf_y", "tau_a"): ([1, 2, 3, 4], [1, 3, 3, 2]),
    ("two_inf_y", "tau_b"): ([1, 2, 3, 4], [1, 3, 3, 2]),
}
INTEGERS_DO_NOT_OVERFLOW = {
    (case, name): vectors
    for case, vectors in {
        "integer_overflow_x": ([2, 0, 1], [1, 2, 3]),
        "integer_overflow_y": ([1, 2, 3], [2, 0, 1]),
    }.items()
    for name in ("tau", "tau_a", "tau_b", "tauAP")
}


class NA:
    """R's missing value."""


def c(*values, **named):
    """R's c(): a vector of one type, with names or without, NA allowed."""
    if named:
        return pd.Series(named, dtype="float64")
    if any(value is NA for value in values):
        return pd.Series([None if value is NA else value for value in values], dtype="Float64")
    if all(isinstance(value, np.int32) for value in values):
        return np.array(values, dtype=np.int32)
    return np.array(values) if isinstance(values[0], (str, bool, complex)) else np.array(values, dtype=np.float64)


R_NAMES = {
    "c": c,
    "NA": NA,
    "NaN": math.nan,
    "Inf": math.inf,
    "TRUE": True,
    "FALSE": False,
    "NULL": None,
    "numeric": np.zeros,
    "integers": lambda first, last: np.arange(first, last + 1, dtype=np.int32),
    "matrix": lambda values, nrow=None, ncol=None: np.reshape(values, (nrow or -1, ncol or -1), order="F"),
    # What is a list, a factor, a data frame or a vector with attributes in R, as what comes closest in Python.
    "list": lambda *values: np.array(values, dtype=object),
    "factor": lambda values: pd.Series(values).astype("category"),
    "data_frame": lambda **columns: pd.DataFrame(columns),
    "structure": lambda values, foo: np.array([(v, foo) for v in values], dtype=[("value", "i4"), ("foo", "U1")]),
    "as_Date": lambda day: np.datetime64(day),
    "int32": np.int32,
}
R_SYNTAX = [
    (r"\.Machine\$double\.eps", repr(float(np.finfo(float).eps))),
    (r"(\d+):(\d+)", r"integers(\1, \2)"),
    (r"(-?\d+)L\b", r"int32(\1)"),
    (r"\b1i\b", "1j"),
    (r"\^", "**"),
    (r"\b(data|as)\.(\w)", r"\1_\2"),
]


def evaluate(call):
    """The Python call that says the same as the R call."""
    for pattern, replacement in R_SYNTAX:
        call = re.sub(pattern, replacement, call)
    functions = {name: lambda *args, f=f, **kwargs: f(*map(vector, args), **kwargs) for name, f in FUNCTIONS.items()}
    return eval(call, {"__builtins__": {}}, R_NAMES | functions)


def vector(argument):
    """R has no scalars: a number is a vector of one."""
    return [argument] if isinstance(argument, (int, float)) else argument


def agree(value, recorded):
    if recorded in ("NaN", "NA"):
        return math.isnan(value)
    return value == pytest.approx(recorded, abs=1e-12, rel=0) and -1 <= value <= 1


def error_type(words):
    return TypeError if "numeric vector" in words else ValueError


@pytest.mark.filterwarnings("ignore::ircor.MissingValueWarning")
@pytest.mark.parametrize("line", record("edges.jsonl"), ids=lambda line: f"{line['case']}-{line['call']}")
def test_edges(line):
    name = line["call"].split("(")[0]
    on_purpose = TWO_INFINITIES_ARE_A_TIE | INTEGERS_DO_NOT_OVERFLOW
    if line["case"] in FEWER_THAN_TWO_ITEMS:
        with pytest.raises(ValueError, match="two items or more"):
            evaluate(line["call"])
    elif (line["case"], name) in on_purpose:
        assert line.get("value") in ("NA", "NaN") or line["error"] == "missing value where TRUE/FALSE needed"
        # The same rankings in numbers that R can subtract.
        direction = {"decreasing": "decreasing = TRUE" in line["call"]} if "decreasing" in line["call"] else {}
        assert evaluate(line["call"]) == FUNCTIONS[name](*on_purpose[line["case"], name], **direction)
    elif "error" in line:
        with pytest.raises(error_type(line["error"]), match="^" + re.escape(line["error"])):
            evaluate(line["call"])
    else:
        assert agree(evaluate(line["call"]), line["value"])


def test_the_record_is_whole():
    assert len(record("edges.jsonl")) == 504
    assert len(record("random.jsonl")) == 600


@pytest.mark.parametrize("kind", [np.array, list, tuple, pd.Series])
def test_random_rankings(kind, name, function):
    for line in record("random.jsonl"):
        arguments = {"decreasing": line["decreasing"]} if "AP" in name else {}
        x, y, answer = kind(line["x"]), kind(line["y"]), line["answers"][name]
        if "error" in answer:
            with pytest.raises(ValueError, match="^" + re.escape(answer["error"])):
                function(x, y, **arguments)
        else:
            assert agree(function(x, y, **arguments), answer["value"]), line["id"]


def test_a_missing_value_that_is_ranked_is_warned_of():
    lines = [line for line in record("edges.jsonl") if re.search(r"\bNA|NaN", line["call"]) and "value" in line]
    warned = {"tauAP_a", "tauAP_b"}
    assert {line["call"].split("(")[0] for line in lines} == warned | {"tau_a"}
    for line in lines:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            evaluate(line["call"])
        assert [w.category for w in caught] == [ircor.MissingValueWarning] * (line["call"].split("(")[0] in warned)
