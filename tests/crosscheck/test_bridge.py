"""The bridge to R."""

import os
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from oracles import r_as_character

import ircor
from ircor.crosscheck import Case, RPackage, RUnavailableError, _oracles, probe
from ircor.crosscheck._oracles import RError, call_r, from_r, r_version_of, reference_package, to_r

TWO = Case(np.array([1.0, 2.0]), np.array([1.0, 2.0]), True, "")


@pytest.mark.r
def test_a_package(reference):
    assert (reference.kind, reference.package, reference.note) == ("reference", "ircorref", "")
    assert reference.version == r_version_of("ircorref") != ""
    assert reference.r_version == probe()
    assert reference.r_version.startswith("R version ")
    assert r_version_of("no.such.package") == ""
    assert reference.arguments("tau") == {"x": "", "y": ""}
    assert reference.arguments("tauAP") == {"x": "", "y": "", "decreasing": "TRUE"}


@pytest.mark.r
def test_answers_come_in_the_order_of_the_cases(reference):
    whole, half = np.array([1, 2, 3], dtype=np.int32), np.array([1.5, 3.5, 2.5])
    pairs = [(half, whole), (whole, whole), (half, half), (whole, half), (whole, whole[::-1]), (half, whole[:2])]
    cases = [Case(np.ascontiguousarray(x), np.ascontiguousarray(y), True, "") for x, y in pairs]
    answers = reference.answers("tau", cases)
    assert [a.value for a in answers[:-1]] == pytest.approx([ircor.tau(x, y) for x, y in pairs[:-1]])
    assert answers[-1].error == "'x' and 'y' must be of the same length"
    assert np.isnan(answers[-1].value)


@pytest.mark.r
def test_the_direction_reaches_r(reference):
    x, y = np.array([1.0, 2, 3, 4]), np.array([2.0, 1, 3, 4])
    answers = reference.answers("tauAP", [Case(x, y, decreasing, "") for decreasing in (True, False)])
    assert [a.value for a in answers] == pytest.approx([ircor.tauAP(x, y), ircor.tauAP(x, y, False)])
    assert answers[0].value != answers[1].value


@pytest.mark.r
def test_an_empty_answer_and_an_empty_vector(reference):
    empty = Case(np.array([]), np.array([]), True, "")
    none, stopped = (reference.answers(name, [empty])[0] for name in ("tau", "tau_b"))
    assert np.isnan(none.value)
    assert none.error == ""
    assert stopped.error == "missing value where TRUE/FALSE needed"


@pytest.mark.r
def test_values_reach_r_bit_for_bit(rng):
    bits = rng.integers(0, 2**63, 1000, dtype=np.uint64).view(np.float64)
    numbers = np.concatenate([bits[np.isfinite(bits)], [0.0, -0.0, np.inf, -np.inf, 5e-324]])
    assert np.array(from_r(to_r(numbers))).tobytes() == numbers.tobytes()
    # Not contiguous, and of the other byte order.
    assert from_r(to_r(numbers[::-2])) == numbers[::-2].tolist()
    assert from_r(to_r(np.array([1, 2.5], dtype=">f8"))) == [1, 2.5]
    whole = np.array([2**31 - 1, -(2**31) + 1], dtype=np.int32)
    assert list(to_r(whole)) == whole.tolist()
    assert list(to_r(np.array([1, 2]))) == [1.0, 2.0]
    assert list(to_r(2**40)) == [2.0**40]


@pytest.mark.r
def test_the_shape_of_an_array_reaches_r():
    table = np.arange(24.0).reshape(2, 3, 4)
    array = to_r(table)
    assert list(array.do_slot("dim")) == [2, 3, 4]
    np.testing.assert_array_equal(np.reshape(from_r(array), table.shape, order="F"), table)


@pytest.mark.r
def test_calling_any_function():
    np.testing.assert_array_equal(call_r("base", "round", (np.array([0.15, 2.5]), 1)), [0.1, 2.5])
    np.testing.assert_array_equal(call_r("base", "rank", (np.array([3.0, np.nan, 1]),), {"na.last": None}), [2, 1])
    found = call_r("base", "rank", (np.array([3.0, np.nan, 1]),), {"na.last": "keep", "ties.method": "min"})
    np.testing.assert_array_equal(found, [2, np.nan, 1])
    # All the numbers of a list.
    np.testing.assert_array_equal(call_r("base", "range", ({"a": np.array([4.0, 2.0])},)), [2, 4])
    np.testing.assert_array_equal(call_r("base", "as.list", (np.array([4.0, 2.0]),)), [4, 2])


@pytest.mark.r
def test_an_error_of_a_function_is_raised_with_its_words():
    with pytest.raises(RError, match="non-numeric argument to mathematical function"):
        call_r("base", "exp", ("one",))


@pytest.mark.r
def test_the_users_r_session_is_not_changed(reference, capfd):
    import rpy2.robjects as ro

    ro.r("answer <- 42")
    reference.answers("tau", [TWO])
    assert ro.r("answer")[0] == 42
    assert "answer_cases" not in list(ro.r("ls()"))
    ro.r('cat("heard\\n")')
    assert "heard" in capfd.readouterr().out


@pytest.mark.r
def test_what_r_prints_is_discarded_and_then_no_longer(capfd):
    import rpy2.robjects as ro

    with _oracles.silence():
        ro.r('cat("silent\\n"); message("silent too")')
        os.write(1, b"past Python\n")
        os.write(2, b"past Python\n")
    with pytest.raises(KeyError), _oracles.silence():
        raise KeyError
    print("printed")
    os.write(1, b"written\n")
    out, err = capfd.readouterr()
    assert (sorted(out.split()), err) == (["printed", "written"], "")


@pytest.mark.r
def test_asking_r_does_not_lose_references_to_none(reference):
    # If it did, Python would crash after a few hundred thousand calls.
    before = sys.getrefcount(None)
    for _ in range(100):
        reference.answers("tau", [TWO])
        call_r("base", "round", (TWO.x, 1))
        call_r("base", "rank", (TWO.x,), {"ties.method": "min", "na.last": True})
    assert sys.getrefcount(None) > before - 50


@pytest.mark.r
def test_r_answers_in_english(reference):
    import rpy2.robjects as ro

    case = Case(np.array([1.0, np.nan, 2.0]), np.array([1.0, 2.0, 3.0]), True, "")
    ro.r('Sys.setenv(LANGUAGE = "de")')
    # A function that stops with a message of R itself, which R translates.
    ro.r('assign("tau_b_in_words", function(x, y) if (NA) 1, envir = .GlobalEnv)')
    try:
        assert reference.answers("tau_b", [case])[0].error == "missing value where TRUE/FALSE needed"
        said = ro.r("tryCatch(tau_b_in_words(1, 2), error = conditionMessage)")[0]
        assert said == "missing value where TRUE/FALSE needed"
    finally:
        ro.r('rm("tau_b_in_words"); Sys.setenv(LANGUAGE = "en")')


@pytest.mark.r
def test_numbers_as_r_prints_them():
    assert r_as_character(np.array([0.1 + 0.2, -1 / 3, 123456, np.inf])) == [
        "0.3",
        "-0.333333333333333",
        "123456",
        "Inf",
    ]


@pytest.fixture
def fresh_probe(monkeypatch):
    """`probe` without its cache, and a function that sets what the process it starts returns."""
    monkeypatch.setattr(_oracles.shutil, "which", lambda program: "/usr/bin/R")

    def returns(returncode, stdout="", stderr=""):
        done = SimpleNamespace(returncode=returncode, stdout=stdout, stderr=stderr)
        monkeypatch.setattr(_oracles.subprocess, "run", lambda *a, **k: done)
        return _oracles.probe.__wrapped__

    return returns


def test_the_probe_returns_the_last_line(fresh_probe):
    assert fresh_probe(0, "welcome to R\n\nR version 4.2.2\n")() == "R version 4.2.2"


@pytest.mark.parametrize(
    ("status", "stderr", "words"),
    [
        (1, "Traceback\nModuleNotFoundError: No module named 'rpy2'\n", "^rpy2 is not installed: pip install 'ircor"),
        (
            1,
            "ImportError: lib.so: undefined symbol: Rf_x",
            "^this rpy2 is for R 4.5 and newer; for an older R: pip install 'rpy2==3.5.17' .*Rf_x",
        ),
        (1, "ImportError: R_getVar", "^this rpy2 is for R 4.5 and newer.*R_getVar"),
        (1, "OSError: libR.so: cannot open shared object file", "^rpy2 cannot start R: OSError: libR.so: cannot"),
        (-11, "", "^rpy2 cannot start R: it ended with status -11$"),
    ],
)
def test_why_r_does_not_start(fresh_probe, status, stderr, words):
    with pytest.raises(RUnavailableError, match=words):
        fresh_probe(status, "R version 4.2.2\n", stderr)()


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("ModuleNotFoundError(\"No module named 'rpy2'\")", "pip install 'ircor\\[r\\]'"),
        ("ImportError('lib.so: undefined symbol: R_getVar')", "pip install 'rpy2==3.5.17'"),
        ("OSError('libR.so: cannot open shared object file')", "libR.so: cannot open shared object file"),
    ],
)
def test_an_rpy2_that_does_not_work(tmp_path, monkeypatch, error, advice):
    (tmp_path / "rpy2").mkdir()
    (tmp_path / "rpy2" / "__init__.py").write_text(f"raise {error}\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("R_HOME", str(tmp_path))
    with pytest.raises(RUnavailableError, match=advice):
        _oracles.probe.__wrapped__()


@pytest.mark.r
def test_an_r_that_does_not_start(tmp_path, monkeypatch):
    monkeypatch.setenv("R_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RUnavailableError, match="rpy2 cannot start R: "):
        _oracles.probe.__wrapped__()


def test_r_is_not_installed(fresh_probe, monkeypatch):
    monkeypatch.setattr(_oracles.shutil, "which", lambda program: None)
    monkeypatch.delenv("R_HOME", raising=False)
    with pytest.raises(RUnavailableError, match="R is not installed, or not on the PATH .*apt install r-base"):
        fresh_probe(0, "R version 4.2.2")()
    # R_HOME is enough.
    monkeypatch.setenv("R_HOME", "/opt/R")
    assert fresh_probe(0, "R version 4.2.2")() == "R version 4.2.2"
    assert _oracles.r_program() == os.path.join("/opt/R", "bin", "R")
    monkeypatch.setattr(_oracles.shutil, "which", lambda program: "/usr/bin/R")
    assert _oracles.r_program() == "/usr/bin/R"


@pytest.mark.r
def test_the_reference_is_installed_if_r_has_another_version(reference, monkeypatch):
    import rpy2.robjects as ro

    assert reference_package() == "ircorref"
    before = list(ro.r(".libPaths()"))
    monkeypatch.setattr(_oracles, "r_version_of", lambda package: "0.0.1")
    removed = []
    monkeypatch.setattr(_oracles.atexit, "register", lambda *a, **k: removed.append(a[1]))
    try:
        assert reference_package() == "ircorref"
        library, *rest = ro.r(".libPaths()")
        assert [library] == removed
        assert rest == before
        assert os.path.isfile(os.path.join(library, "ircorref", "DESCRIPTION"))
    finally:
        ro.r(".libPaths")(ro.StrVector(before))
        for path in removed:
            _oracles.shutil.rmtree(path)


@pytest.mark.r
@pytest.mark.parametrize(
    ("stderr", "words"), [("one\nERROR: no permission\n", "ERROR: no permission"), ("", "no reason")]
)
def test_a_reference_that_cannot_be_installed_is_reported(reference, monkeypatch, tmp_path, stderr, words):
    monkeypatch.setattr(_oracles, "r_version_of", lambda package: "")
    monkeypatch.setattr(_oracles.tempfile, "mkdtemp", lambda prefix: str(tmp_path))
    done = SimpleNamespace(returncode=1, stdout="", stderr=stderr)
    monkeypatch.setattr(_oracles.subprocess, "run", lambda *a, **k: done)
    with pytest.raises(RUnavailableError, match=f"R cannot install the reference package: {words}"):
        reference_package()


@pytest.mark.r
def test_a_package_that_r_has(reference):
    stats = RPackage("original", "stats")
    assert stats.version in stats.r_version
    assert stats.arguments("cor")["use"] == '"everything"'
