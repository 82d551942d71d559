"""The command `ircor crosscheck`."""

import json
import os
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from calls import FUNCTIONS, run_command

import ircor
from ircor import cli, crosscheck
from ircor.crosscheck import _beyond, _oracles

BEYOND = [name for subject in _beyond.SUBJECTS for name in subject.functions]


@pytest.fixture
def run(capsys):
    """Run the command in this process."""

    def run(*arguments):
        capsys.readouterr()
        try:
            status = cli.main(["crosscheck", *map(str, arguments)])
        except SystemExit as stop:  # argparse
            status = stop.code
        out, err = capsys.readouterr()
        return SimpleNamespace(returncode=status, stdout=out, stderr=err)

    return run


@pytest.fixture
def without_r(monkeypatch):
    """No R is found."""

    def missing(*arguments):
        raise crosscheck.RUnavailableError("R is not installed (on Debian and Ubuntu: apt install r-base)")

    monkeypatch.setattr(_oracles, "r_version_of", missing)
    monkeypatch.setattr(_oracles, "reference_package", missing)


def one_clear_line(done, *words):
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("ircor: ")
    for word in words:
        assert word in line


@pytest.mark.r
def test_the_report(run, tmp_path, monkeypatch):
    monkeypatch.setattr(_beyond, "SUBJECTS", tuple(replace(subject, count=5) for subject in _beyond.SUBJECTS))
    files = ["--json", tmp_path / "report.json", "--csv", tmp_path / "table.csv"]
    done = run("--cases", "100", "--seed", "5", "--oracle", "reference", *files)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "Python and R agree (compared: the reference, not the original itself)\n"
    first, second, speed, header, *rows = done.stdout.splitlines()
    assert re.fullmatch(r"\d+ comparisons of the six coefficients a second", speed)
    assert re.match(r"reference: ircorref [\d.]+, R version ", first)
    assert second.endswith("tolerance 1e-12, seed 5")
    assert header.split("\t")[:3] == ["function", "cases", "refusals that agree"]
    assert [row.split("\t")[0] for row in rows] == [*FUNCTIONS, *BEYOND]
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["agrees"] is True
    assert report["functions"]["tau"]["cases"] == 100
    assert (tmp_path / "table.csv").read_text().splitlines()[0] == header.replace("\t", ",")
    assert sorted(os.listdir(tmp_path)) == ["report.json", "table.csv"]


@pytest.mark.r
def test_the_users_own_data(run, tmp_path):
    table = tmp_path / "scores.csv"
    table.write_text("system,map,ndcg,rank\na,0.3,0.5,1\nb,0.2,0.5,2\nc,0.1,,3\n")
    done = run("--data", table, "--functions", "tau_a", "tauAP_b", "--oracle", "reference")
    assert done.returncode == 0, done.stderr
    assert "seed" not in done.stdout
    rows = [row.split("\t") for row in done.stdout.splitlines()[4:]]
    assert [row[:3] for row in rows] == [["tau_a", "12", "4"], ["tauAP_b", "12", "0"]]


@pytest.mark.r
def test_a_broken_formula(run, monkeypatch):
    monkeypatch.setitem(crosscheck.FUNCTIONS, "tau", lambda x, y: -ircor.tau(x, y))
    done = run("--cases", "100", "--functions", "tau", "--oracle", "reference")
    assert done.returncode == 1
    note, verdict = done.stderr.splitlines()
    assert note.startswith("ircor: not compared: tau_a, tau_b, ")
    assert verdict == "Python and R DISAGREE (compared: the reference, not the original itself)"
    assert "\nR:      ircorref::tau(c(" in done.stdout
    assert "\nPython: ircor.tau([" in done.stdout


def test_the_record(run):
    done = run("--oracle", "record", "--functions", "tau", "tau_b", "--tolerance", "0.1")
    assert done.returncode == 0
    assert (
        done.stderr.splitlines()[-1]
        == "Python and R agree (compared: the record of the original, not the original itself)"
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "record: ircor 1.0, R version 4.2.2, when the record was made"
    assert lines[1].endswith("tolerance 0.1")
    assert [line.split("\t")[:2] for line in lines[4:]] == [["tau", "688"], ["tau_b", "688"]]


def test_without_r_the_record_serves_and_the_command_says_so(run, without_r):
    done = run("--functions", "tau")
    assert done.returncode == 0
    assert done.stdout.startswith("record: ircor 1.0")
    note, *others, verdict = done.stderr.splitlines()
    assert all(line.startswith("ircor: not compared: ") for line in others)
    assert note.startswith("ircor: R is not installed")
    assert note.endswith("compared with the record only")
    assert verdict == "Python and R agree (compared: the record of the original, not the original itself)"


def test_without_r_the_command_says_what_to_install(run, without_r, tmp_path):
    table = tmp_path / "scores.csv"
    table.write_text("a,b\n1,2\n3,4\n")
    one_clear_line(run("--oracle", "reference"), "R is not installed", "apt install r-base")
    one_clear_line(run("--require-original"), "R is not installed")
    one_clear_line(run("--data", table), "--data needs R", "apt install r-base")


@pytest.mark.parametrize("arguments", [["--require-original"], ["--oracle", "original"]])
def test_an_original_that_is_missing(run, monkeypatch, arguments):
    monkeypatch.setattr(_oracles, "r_version_of", lambda package: "")
    one_clear_line(run(*arguments), "R has no package ircor", "install.packages('ircor')")


@pytest.mark.parametrize("content", [b"a,b\nx,y\n", b"a\n1\n", b"", b"a,b\n1,\xe9\n", b"a,b\n1,2\n1,2,3,4\n"])
def test_data_without_two_columns_of_numbers(run, tmp_path, content):
    table = tmp_path / "scores.csv"
    table.write_bytes(content)
    one_clear_line(run("--data", table, "--oracle", "reference"), "scores.csv")
    one_clear_line(run("--data", tmp_path / "none.csv", "--oracle", "reference"), "none.csv")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--tolerance", "-1"],
        ["--tolerance", "inf"],
        ["--cases", "0"],
        ["--oracle", "cran"],
        ["--functions", "kendall"],
    ],
)
def test_bad_usage(run, arguments):
    done = run("--oracle", "record", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert arguments[0] in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("arguments", [["--oracle", "record"], ["--require-original"], ["--data", "scores.csv"]])
def test_a_page_is_of_all_oracles(run, arguments):
    one_clear_line(run("--markdown", *arguments), "leave out --oracle and --data")


def test_a_page_without_r(run, without_r, tmp_path):
    done = run("--markdown", tmp_path / "page.md")
    assert done.returncode == 0
    assert "ircor: not compared with the reference: R is not installed" in done.stderr
    assert done.stdout.splitlines()[1].startswith("record\ttau\t688\t")
    page = (tmp_path / "page.md").read_text()
    assert page.startswith("<!-- Written by ircor -->\n\n# Agreement with R\n")
    printed = run("--markdown")
    assert printed.stdout == page


# Processes of their own


def test_a_machine_without_r(tmp_path):
    done = run_command("crosscheck", PATH=str(tmp_path), R_HOME=None)
    assert done.returncode == 0
    assert done.stdout.startswith("record: ircor 1.0")
    assert "R is not installed" in done.stderr
    assert "compared with the record only" in done.stderr


@pytest.mark.r
def test_an_r_that_does_not_start(tmp_path):
    done = run_command("crosscheck", "--oracle", "reference", R_HOME=str(tmp_path), PATH=str(tmp_path))
    one_clear_line(done, "cannot start R")


@pytest.mark.r
def test_the_start_up_messages_of_r_are_discarded(tmp_path):
    profile = tmp_path / "profile.R"
    profile.write_text('cat("welcome\\n"); message("to R"); warning("of all")\n')
    arguments = ["--cases", "20", "--functions", "tau", "--oracle", "reference"]
    done = run_command("crosscheck", *arguments, R_PROFILE_USER=str(profile))
    assert done.returncode == 0
    assert re.fullmatch(r"ircor: not compared: .*\(not asked for\)\nPython and R agree \(.*\)\n", done.stderr)
    assert "welcome" not in done.stdout
