"""The `ircor` command, run as a user runs it."""

import json
import os
import pty
import subprocess
import sys
from dataclasses import replace

import pytest
from calls import COMMAND, run_command

from ircor import cli, published
from ircor._files import whole_file


def run_in_terminal(*arguments, columns=80):
    """What the command shows in a terminal, and its exit status."""
    leader, follower = pty.openpty()
    environment = os.environ | {"COLUMNS": str(columns), "TERM": "xterm"}
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=follower, stderr=follower, stdin=follower, env=environment
    )
    os.close(follower)
    shown = b""
    try:
        while block := os.read(leader, 65536):
            shown += block
    except OSError:  # the terminal is closed
        pass
    os.close(leader)
    return shown.decode(), process.wait()


def test_reproduce_agrees_with_every_printed_figure():
    done = run_command("reproduce")
    header, *lines = done.stdout.splitlines()
    assert header.split("\t") == ["source", "where", "what", "printed", "computed", "verdict"]
    verdicts = [line.split("\t")[-1] for line in lines]
    assert len(lines) == len(published.figures()) > 150
    assert {verdict.partition(":")[0] for verdict in verdicts} == {"agrees", "known misprint", "not reproduced"}
    assert done.returncode == 0
    assert (
        done.stderr
        == f"{verdicts.count('agrees')} figures agree, 3 are known misprints, 5 are not reproduced, 0 DIFFER\n"
    )


def test_the_known_misprints():
    misprints = [figure for figure in published.figures() if figure.verdict == "known misprint"]
    assert [(figure.what, figure.printed, round(figure.computed, 4)) for figure in misprints] == [
        ("P10, C - A, topic 2", "0.5", 0.3),
        ("d_rank, BAC", "4.88", 4.4470),
        ("d_rank, CAB", "4.88", 4.8288),
    ]
    assert all(figure.misprint for figure in misprints)


def test_reproduce_in_json():
    done = run_command("reproduce", "--json")
    rows = json.loads(done.stdout)
    assert len(rows) == len(published.figures())
    assert all(row["verdict"] == "agrees" or row["reason"] for row in rows)
    assert [row["computed"] for row in rows if row["printed"] == "undefined"] == [None, None]
    assert (done.returncode, done.stderr) == (0, "")


def test_reproduce_in_a_terminal_fits_eighty_columns():
    shown, status = run_in_terminal("reproduce")
    assert status == 0
    assert "Urbano and Marrero, ICTIR 2017" in shown
    assert shown.count("agrees") == sum(figure.agrees for figure in published.figures())
    assert "…" not in shown


def test_a_figure_that_differs_makes_the_exit_status_1(monkeypatch, capsys):
    figures = published.figures()
    figures[0] = replace(figures[0], computed=0.66)
    figures[1] = replace(figures[1], computed=0.5, misprint="a digit is lost")
    monkeypatch.setattr(published, "figures", lambda: figures)
    assert cli.main(["reproduce"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[1].endswith("0.6\t0.66\tDIFFERS")
    assert out.splitlines()[2].endswith("0.32\t0.5\tknown misprint: a digit is lost")
    assert err == f"{len(figures) - 10} figures agree, 4 are known misprints, 5 are not reproduced, 1 DIFFER\n"
    assert cli.main(["reproduce", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)[1]["reason"] == "a digit is lost"


@pytest.mark.parametrize(
    ("printed", "computed", "significant", "agrees"),
    [
        ("0.32", 0.3249, None, True),
        ("0.32", 0.325, None, True),
        ("0.32", 0.3251, None, False),
        ("-0.32", -0.3249, None, True),
        ("8", 8, None, True),
        ("8", 9, None, False),
        ("0.39903", 0.39903004, 7, True),
        ("0.39903", 0.39903006, 7, False),
        ("undefined", float("nan"), None, True),
        ("undefined", 0.0, None, False),
        ("0", float("nan"), None, False),
        ("-1/3", -1 / 3, None, True),
        ("-1/3", -0.333, None, False),
    ],
)
def test_agreement_is_to_the_printed_digits(printed, computed, significant, agrees):
    figure = published.Figure("paper", "section", "figure", printed, computed, significant)
    assert figure.agrees is agrees
    assert figure.verdict == ("agrees" if agrees else "DIFFERS")


def test_bad_usage_is_said_without_a_traceback_and_exit_status_2():
    for arguments in ([], ["reproduces"], ["reproduce", "--jsonn"]):
        done = run_command(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.splitlines()[-1].startswith("ircor")
        assert "Traceback" not in done.stderr


def test_help_and_version():
    assert "reproduce" in run_command("--help").stdout
    assert "example: ircor reproduce" in run_command("reproduce", "--help").stdout
    assert run_command("--version").stdout.startswith("ircor 0.")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["reproduce"], ["crosscheck", "--oracle", "record", "--functions", "tau"]])
def test_a_reader_that_has_seen_enough_is_no_error(arguments, unbuffered):
    reader, writer = os.pipe()
    os.close(reader)
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    command = [*COMMAND, *arguments]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    os.close(writer)
    assert done.returncode == 0
    assert "Broken" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("missing", ["rich", "pandas"])
def test_what_the_cli_extra_brings_is_asked_for(tmp_path, missing):
    (tmp_path / f"{missing}.py").write_text(f"raise ModuleNotFoundError(\"No module named '{missing}'\")\n")
    (tmp_path / "scores.csv").write_text("a,b\n1,2\n2,1\n")
    code = "import sys; sys.stdout.isatty = lambda: True; from ircor import cli, crosscheck; "
    if missing == "rich":
        code += "sys.exit(cli.main(['reproduce']))"
    else:
        code += "crosscheck.find_oracle = lambda kind: None; sys.exit(cli.main(['crosscheck', '--data', 'scores.csv']))"
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == f"ircor: No module named '{missing}': pip install 'ircor[cli]'\n"


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    target = tmp_path / "report.json"
    target.write_text("old")
    link = tmp_path / "link.json"
    link.symlink_to(target)

    def interrupted():
        with whole_file(link) as file:
            file.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert target.read_text() == "old"
    with whole_file(link) as file:
        file.write("new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert sorted(os.listdir(tmp_path)) == ["link.json", "report.json"]
    with whole_file(target) as one, whole_file(target) as other:
        one.write("one")
        other.write("other")
    assert target.read_text() == "one"
    with whole_file("/dev/null") as file:
        file.write("gone")
    assert not os.path.isfile("/dev/null")
    with pytest.raises(FileNotFoundError), whole_file(tmp_path / "none" / "report.json"):
        pytest.fail("that it cannot be written is seen to at once")
