"""The command itself: usage, exit statuses, pipes, interrupts, and extras that are not installed."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from calls import COMMAND, hear_interrupts

from ircor import cli
from ircor.crosscheck import RUnavailableError

COMMANDS = ["cor", "compare", "table", "drank", "rs", "gmap", "sample", "reproduce", "crosscheck"]


def test_the_command_as_a_process(run_process):
    done = run_process("gmap", "sample:map", "--csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("system,mean,geometric mean,")
    bad = run_process("gmap", "none.csv")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == "ircor: [Errno 2] No such file or directory: 'none.csv'\n"


def test_bad_usage_is_said_without_a_traceback_and_exit_status_2(run):
    for arguments in ([], ["reproduces"], ["reproduce", "--jsonn"]):
        done = run(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.splitlines()[-1].startswith("ircor")


def test_help_and_version(run):
    shown = run("--help").stdout
    assert all(re.search(rf"^    {name}\b", shown, re.MULTILINE) for name in COMMANDS)
    assert run("--version").stdout.startswith("ircor ")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example(run, name):
    shown = run(name, "--help").stdout
    assert f"example: ircor {name}" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["compare", "sample:map", "sample:P_10", "--jobs", "0"], "--jobs"),
        (["compare", "sample:map", "sample:P_10", "--seed", "-1"], "--seed"),
        (["compare", "sample:map", "sample:P_10", "--resamples", "0"], "--resamples"),
        (["cor", "scores.csv", "--x", "map", "--y", "ndcg", "--permutations", "0"], "--permutations"),
        (["rs", "runs/A1.run", "qrels.txt", "--weight", "0.8", "--top", "0"], "--top"),
        (["crosscheck", "--tolerance", "1"], "--tolerance"),
        (["crosscheck", "--tolerance", "-0.1"], "--tolerance"),
        (["crosscheck", "--cases", "0"], "--cases"),
    ],
)
def test_bad_numbers_are_bad_usage(run, arguments, option):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"argument {option}: invalid" in done.stderr


def test_the_least_numbers_are_good_usage():
    options = cli.parser().parse_args(["compare", "a", "b", "--jobs", "-1", "--seed", "0", "--resamples", "1"])
    assert (options.jobs, options.seed, options.resamples) == (-1, 0, 1)
    options = cli.parser().parse_args(["crosscheck", "--tolerance", "0"])
    assert (options.tolerance, options.oracle) == (0, "auto")
    assert cli.parser().parse_args(["crosscheck", "--require-original"]).oracle == "original"


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (ImportError("No module named 'pandas'"), 2, "No module named 'pandas': pip install 'ircor[cli]'"),
        (RUnavailableError("R is not\n installed"), 2, "R is not installed"),
        (PermissionError(13, "Permission denied", "x"), 2, "[Errno 13] Permission denied: 'x'"),
        (ValueError("bad"), 2, "bad"),
    ],
)
def test_errors_are_one_line_and_an_exit_status(run, monkeypatch, error, status, said):
    def fail(options):
        raise error

    monkeypatch.setattr(cli.sample, "run", fail)
    done = run("sample", "x")
    assert (done.returncode, done.stdout, done.stderr) == (status, "", f"ircor: {said}\n")


def test_a_mistake_in_the_package_is_not_hidden(run, monkeypatch):
    def fail(options):
        raise TypeError("a mistake")

    monkeypatch.setattr(cli.sample, "run", fail)
    with pytest.raises(TypeError, match="a mistake"):
        run("sample", "x")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_closes_the_pipe_is_no_error(unbuffered):
    reader, writer = os.pipe()
    os.close(reader)
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(
        [*COMMAND, "reproduce"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False, env=environment
    )
    os.close(writer)
    assert done.returncode == 0
    assert "Broken" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal for one process")
def test_an_interrupt_is_no_traceback(folder):
    command = [*COMMAND, "compare", "sample:map", "sample:ndcg", "--resamples", "100000000"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, cwd=folder, preexec_fn=hear_interrupts, **pipes)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "ircor: interrupted\n")


def test_the_cli_extra_is_asked_for(tmp_path):
    (tmp_path / "rich.py").write_text("raise ModuleNotFoundError(\"No module named 'rich'\")\n")
    code = "import sys; sys.stdout.isatty = lambda: True; from ircor import cli; sys.exit(cli.main(['reproduce']))"
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "ircor: No module named 'rich': pip install 'ircor[cli]'\n"


def test_a_real_terminal_of_eighty_columns():
    leader, follower = pytest.importorskip("pty").openpty()
    environment = os.environ | {"COLUMNS": "80", "TERM": "xterm"}
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), follower)
    process = subprocess.Popen([*COMMAND, "reproduce"], env=environment, **streams)
    os.close(follower)
    shown = b""
    try:
        while block := os.read(leader, 65536):
            shown += block
    except OSError:  # the terminal is closed
        pass
    os.close(leader)
    assert process.wait() == 0
    text = shown.decode()
    assert "Urbano and Marrero, ICTIR 2017" in text
    assert text.count("agrees") > 150
    assert "…" not in text
