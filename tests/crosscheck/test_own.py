"""Your own pair of scripts, and examples that are short enough to read."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from ircor.crosscheck import Disagreement, _oracles, check_own
from ircor.rbase import r_colmeans, r_rank
from ircor.show.checks import disagreement_text, shortened

pytestmark = pytest.mark.r


def test_an_expression_in_the_names_of_the_parameters(reference):
    def means(X):
        return r_colmeans(X)

    found = check_own("colMeans(X)", means, "scores", cases=30, tolerance=0)
    assert found.agrees
    assert found.functions["means"].cases > 100
    assert found.verdict == "Python and R agree (compared: your R code)"
    assert "your R code, R version" in found.heading()[0]


def test_the_smallest_case_that_differs(reference):
    def means(X):
        return X.mean(axis=0)

    found = check_own("colMeans(X)", means, "scores", cases=30, tolerance=0)
    assert not found.agrees
    (example,) = found.disagreements
    X = np.array(eval(example.python_call.removeprefix("means")))
    assert X.shape[1] == 1
    assert 2 <= X.shape[0] <= 8
    import rpy2.robjects as ro

    assert ro.r(example.r_call)[0] == r_colmeans(X)[0] != means(X)[0]


@pytest.mark.parametrize("code", ["rank", "function(v) rank(v)", "rank(x)  # in R", "f <- function(x) x\nrank(f(x))"])
def test_functions_and_code_of_several_lines(reference, code):
    assert check_own(code, lambda x: r_rank(x), cases=20, tolerance=0).agrees


def test_given_data_and_other_arguments(reference):
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]})
    assert check_own("X * k", lambda X, k: X * k, [(frame, 2), (frame.to_numpy(), -1.5)]).agrees
    assert check_own("nchar(s)", lambda s: len(s), ["text", "a"]).agrees
    assert check_own("stop('no')", lambda x: 1 / 0, [[1.0]]).functions["<lambda>"].refusals == 1
    found = check_own("x[1]", lambda x: x[:2], [[1.0, 2.0]])
    assert (found.disagreements[0].python, found.disagreements[0].r) == ("[1.0, 2.0]", "[1.0]")


def test_what_cannot_be_compared(reference):
    with pytest.raises(TypeError, match="'python' must be a function"):
        check_own("1", 1)
    with pytest.raises(TypeError, match="'r' must be R code"):
        check_own("", len)
    with pytest.raises(ValueError, match="takes 3 arguments, and random data are for one or two"):
        check_own("x", lambda x, y, z: x)
    with pytest.raises(ValueError, match="has 2 arguments, and <lambda> takes 1"):
        check_own("x", lambda x: x, [(1, 2)])
    with pytest.raises(ValueError, match="must have parameters with names that R can have too"):
        check_own("x", lambda _x: _x, [1])
    with pytest.raises(ValueError, match="'data' must be one of rankings, scores"):
        check_own("x", lambda x: x, "numbers")


def test_long_vectors_are_shortened():
    numbers, missing = ", ".join(map(str, range(50))), ", ".join(['float("nan")'] * 22)
    text = f"tau(c({numbers}), [{missing}], c(1, 2))"
    short = shortened(text)
    assert short.startswith("tau(c(0, 1, 2, ")
    assert "19, ... 30 more), [float(" in short
    assert short.endswith('float("nan"), ... 2 more], c(1, 2))')
    assert shortened(f"c({', '.join(map(str, range(20)))})").count(",") == 19
    example = Disagreement("f", "", "[1.0]", str(list(range(30))), "f()", text)
    assert disagreement_text(example).count(",") < 150


def a_package(tmp_path, version, tau_b):
    """An R package called ircor that is not the original."""
    source = tmp_path / "ircor"
    (source / "R").mkdir(parents=True)
    (source / "DESCRIPTION").write_text(f"Package: ircor\nVersion: {version}\nTitle: T\nDescription: D\nLicense: MIT\n")
    names = ["tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b"]
    (source / "NAMESPACE").write_text(f"export({', '.join(names)})\n")
    code = [f"{name} <- function(x, y) ircorref::{name}(x, y)" for name in names[:3]]
    code += [f"{name} <- function(x, y, decreasing = TRUE) ircorref::{name}(x, y, decreasing)" for name in names[3:]]
    (source / "R/a.R").write_text("\n".join([*code, f"tau_b <- {tau_b}", ""]))
    library = tmp_path / "library"
    library.mkdir()
    subprocess.run(
        [_oracles.r_program(), "CMD", "INSTALL", "--no-test-load", f"--library={library}", str(source)],
        check=True,
        capture_output=True,
    )
    return library


@pytest.mark.parametrize(
    ("version", "tau_b", "problem"),
    [
        ("1.0", "function(x, y) 0.5", "R's package ircor is not the original: tau_b answers 0.5 to record"),
        ("0.9", "function(x, y) ircorref::tau_b(x, y)", "R's package ircor is version 0.9, and the original"),
        ("1.0", "function(x, y) ircorref::tau_b(x, y)", ""),
    ],
)
def test_a_package_called_ircor_is_checked(reference, tmp_path, version, tau_b, problem):
    library = a_package(tmp_path, version, tau_b)
    code = (
        "from ircor.crosscheck import find_oracle, RUnavailableError\n"
        "found = find_oracle()\nprint(found.kind, '|', found.note)\n"
        "try:\n    print(find_oracle('original').kind)\nexcept RUnavailableError as error:\n    print(error)\n"
    )
    libraries = ":".join([str(library), *reference.libraries])
    env = os.environ | {"R_LIBS": libraries}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    first, second = done.stdout.splitlines()
    if problem:
        assert first.startswith(f"reference | {problem}")
        assert second.startswith(problem)
    else:
        assert (first, second) == ("original | ", "original")
