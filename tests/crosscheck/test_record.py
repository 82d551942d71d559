"""Every line of the record: the answers of the R package ircor 1.0 under R 4.2.2."""

import math
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from calls import FUNCTIONS, record

import ircor
from ircor.crosscheck import Answer, Case, Record, run
from ircor.crosscheck._oracles import numeric_vector_of, recorded_answer, shipped

# The lines on which Python differs from R on purpose, because R's answer is an accident of its arithmetic.
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

NOT_FINITE = {"NaN": math.nan, "Inf": math.inf, "-Inf": -math.inf}


def doubles(r):
    """A vector of doubles: a Series if it has names or a missing value, which R distinguishes from NaN."""
    values = [NOT_FINITE.get(value, value) for value in r["values"]]
    if "names" in r:
        return pd.Series(values, index=r["names"], dtype="float64")
    if "NA" in values:
        return pd.Series([None if value == "NA" else value for value in values], dtype="Float64")
    return np.array(values, dtype=np.float64)


def integers(r):
    """A vector of integers, a matrix, or a vector with attributes, which is closest to a structured array."""
    values = np.array(r["values"], dtype=np.int32)
    if "attributes" in r:
        (name, value), *_ = r["attributes"].items()
        return np.array([(v, value) for v in values], dtype=[("value", "i4"), (name, "U1")])
    return values.reshape(r.get("dim", -1), order="F")


# The Python value that comes closest to an R value, by R's type.
TYPES = {
    "double": doubles,
    "integer": integers,
    "logical": lambda r: np.array(r["values"]),
    "character": lambda r: np.array(r["values"]),
    "complex": lambda r: np.array([complex(*parts) for parts in r["values"]]),
    "factor": lambda r: pd.Series([float(label) for label in r["values"]]).astype("category"),
    "Date": lambda r: np.array(r["values"], dtype="datetime64[D]"),
    "list": lambda r: np.array([value_of(member)[0] for member in r["values"]], dtype=object),
    "data.frame": lambda r: pd.DataFrame({name: value_of(column) for name, column in r["columns"].items()}),
    "NULL": lambda r: None,
}


def value_of(r):
    return TYPES[r["type"]](r)


def evaluate(line):
    """The answer of Python to the call of a line."""
    named = {} if line["decreasing"] is None else {"decreasing": line["decreasing"]}
    return FUNCTIONS[line["function"]](value_of(line["x"]), value_of(line["y"]), **named)


def agree(value, recorded):
    if recorded in ("NaN", "NA"):
        return math.isnan(value)
    return value == pytest.approx(recorded, abs=1e-12, rel=0) and -1 <= value <= 1


def error_type(words):
    return TypeError if "numeric vector" in words else ValueError


@pytest.mark.filterwarnings("ignore::ircor.MissingValueWarning")
@pytest.mark.parametrize("line", record("edges.jsonl"), ids=lambda line: f"{line['case']}-{line['call']}")
def test_edges(line):
    name = line["function"]
    on_purpose = TWO_INFINITIES_ARE_A_TIE | INTEGERS_DO_NOT_OVERFLOW
    if line["case"] in FEWER_THAN_TWO_ITEMS:
        with pytest.raises(ValueError, match="two items or more"):
            evaluate(line)
    elif (line["case"], name) in on_purpose:
        assert line.get("value") in ("NA", "NaN") or line["error"] == "missing value where TRUE/FALSE needed"
        # The same rankings in numbers that R can subtract.
        direction = {} if line["decreasing"] is None else {"decreasing": line["decreasing"]}
        assert evaluate(line) == FUNCTIONS[name](*on_purpose[line["case"], name], **direction)
    elif "error" in line:
        with pytest.raises(error_type(line["error"]), match="^" + re.escape(line["error"])):
            evaluate(line)
    else:
        assert agree(evaluate(line), line["value"])


def test_the_record_is_complete():
    assert len(record("edges.jsonl")) == 504
    assert len(record("random.jsonl")) == 600


def test_the_data_of_a_line_are_those_of_its_call():
    for line in record("edges.jsonl"):
        ending = "" if line["decreasing"] is None else f", decreasing = {str(line['decreasing']).upper()}"
        assert line["call"].startswith(f"{line['function']}(")
        assert line["call"].endswith(f"{ending})")
        assert ("decreasing" in line["call"]) == (line["decreasing"] is not None)


@pytest.mark.r
def test_r_reads_the_same_data_from_the_calls():
    import rpy2.robjects as ro

    evaluated = ro.r(
        """function(text) {
          call <- str2lang(text)
          lapply(as.list(call)[2:3], function(argument) {
            value <- eval(argument)
            plain <- is.vector(value, "numeric")
            list(plain, if (plain) typeof(value) else "", if (plain) as.double(value) else 0)
          })
        }"""
    )
    for line in record("edges.jsonl"):
        for vector, (plain, kind, values) in zip((line["x"], line["y"]), evaluated(line["call"])):
            numbers = numeric_vector_of(vector)
            assert plain[0] == (numbers is not None)
            if numbers is not None:
                assert kind[0] == vector["type"] == {"f": "double", "i": "integer"}[numbers.dtype.kind]
                ours, theirs = numbers.astype(np.float64), np.array(list(values), dtype=np.float64)
                assert np.array_equal(np.isnan(ours), np.isnan(theirs))
                known = ~np.isnan(ours)
                assert ours[known].tobytes() == theirs[known].tobytes(), line["call"]


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


def test_a_missing_value_that_is_ranked_gives_a_warning():
    lines = [line for line in record("edges.jsonl") if re.search(r"\bNA|NaN", line["call"]) and "value" in line]
    warned = {"tauAP_a", "tauAP_b"}
    assert {line["function"] for line in lines} == warned | {"tau_a"}
    for line in lines:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            evaluate(line)
        assert [w.category for w in caught] == [ircor.MissingValueWarning] * (line["function"] in warned)


def test_the_record_as_an_oracle():
    oracle = Record()
    assert (oracle.kind, oracle.package, oracle.version, oracle.note) == ("record", "ircor", "1.0", "")
    assert Record("why").note == "why"
    report = run(oracle, oracle.cases)
    assert report.agrees
    # 600 random rankings, and of the 504 unusual calls those on numeric vectors, in both directions.
    assert all(tally.cases == 688 for tally in report.functions.values())
    assert [tally.refusals for tally in report.functions.values()] == [455, 267, 18, 455, 267, 2]
    assert [tally.allowed for tally in report.functions.values()] == [8, 10, 12, 8, 4, 4]
    assert {"record lengths_differ", "record na_nan_y", "record integer_overflow_x"} <= {c.name for c in oracle.cases}
    assert not {"record factor", "record matrix", "record attributes", "record null"} & {c.name for c in oracle.cases}


def test_the_record_notices_a_wrong_function_and_shows_the_recorded_case():
    oracle = Record()
    report = run(oracle, oracle.cases, {"tau": lambda x, y: -ircor.tau(x, y)})
    assert not report.agrees
    (found,) = report.disagreements
    # Not a smaller case, for which the record has no answer.
    assert found.case == "record 20170-1"
    assert float(found.r) == -float(found.python) == pytest.approx(0.69523809523809521)


def test_the_cases_of_the_record_keep_their_types():
    by_name = {case.name: case for case in Record().cases}
    overflow, mixed, zero = (
        by_name[f"record {name}"] for name in ("integer_overflow_x", "mixed_types", "negative_zero")
    )
    assert overflow.x.tolist() == [2147483647, -2147483647, 0]
    assert overflow.x.dtype == mixed.x.dtype == np.int32
    assert mixed.y.dtype == np.float64
    assert np.signbit(zero.x).tolist() == [False, True, False, False]
    infinite, missing = by_name["record inf_x"].x, by_name["record na_nan_y"].y
    np.testing.assert_array_equal(infinite, [1, np.inf, 3, -np.inf])
    np.testing.assert_array_equal(missing, [np.nan, np.nan, 3, 4])


def test_each_direction_has_its_own_answers():
    oracle = Record()
    down, up = (case for case in oracle.cases if case.name == "record paper_accuracy")
    assert (down.decreasing, up.decreasing) == (True, False)
    answers = [oracle.answers("tauAP_a", [case])[0].value for case in (down, up)]
    assert answers == pytest.approx([ircor.tauAP_a(case.x, case.y, case.decreasing) for case in (down, up)])
    assert answers[0] != answers[1]
    assert oracle.answers("tau_a", [down, up]) == [Answer(0.4)] * 2
    assert oracle.arguments("tau") is None


@pytest.mark.parametrize(
    ("recorded", "answer"),
    [
        ({"value": 0.5}, Answer(0.5)),
        ({"error": "'x' contains ties."}, Answer(error="'x' contains ties.")),
        ({"value": "NA", "warning": "overflow"}, Answer()),
        ({"value": "NaN"}, Answer()),
        ({"empty": True}, Answer()),
    ],
)
def test_recorded_answers(recorded, answer):
    found = recorded_answer(recorded)
    assert found.error == answer.error
    np.testing.assert_equal(found.value, answer.value)


def test_another_case_is_unknown_to_the_record():
    with pytest.raises(KeyError):
        Record().answers("tau", [Case(np.array([1.0, 2.0]), np.array([1.0, 2.0]), True, "")])


def test_a_missing_folder_is_reported():
    assert (shipped("record", "tests/data") / "edges.jsonl").is_file()
    with pytest.raises(FileNotFoundError, match="incomplete: the folder nothing is missing"):
        shipped("nothing", "nowhere")
