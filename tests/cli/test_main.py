"""The command itself: usage, exit statuses, pipes, interrupts, and extras that are not installed."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from calls import COMMAND, hear_interrupts, replace_run

from ircor import cli
from ircor.crosscheck import RUnavailableError

COMMANDS = ["cor", "compare", "table", "drank", "reliability", "rbo", "rs", "gmap", "sample", "reproduce", "crosscheck"]


def test_the_command_as_a_process(run_process):
    done = run_process("gmap", "sample:map", "--csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("system,mean,geometric mean,")
    bad = run_process("gmap", "none.csv")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == "ircor: none.csv: No such file or directory\n"


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
        (["crosscheck", "--cases", "many"], "--cases"),
        (["drank", "sample:map", "sample:P_10", "--ridge", "-1"], "--ridge"),
        (["drank", "sample:map", "sample:P_10", "--ridge", "nan"], "--ridge"),
        (["reliability", "sample:map", "--resamples", "0"], "--resamples"),
    ],
)
def test_bad_numbers_are_bad_usage(run, arguments, option):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"ircor: {option} must ")


def test_the_least_numbers_are_good_usage():
    options = cli.parser().parse_args(["compare", "a", "b", "--jobs", "-1", "--seed", "0", "--resamples", "1"])
    assert (options.n_jobs, options.seed, options.resamples) == (-1, 0, 1)
    options = cli.parser().parse_args(["crosscheck", "--tolerance", "0"])
    assert (options.tolerance, options.oracle) == (0, None)
    assert cli.parser().parse_args(["crosscheck", "--require-original"]).oracle == "original"


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["rs", "a", "b", "--top", "9", "--weight", "0.5"], "--seed"),
        (["rs", "a", "b", "--top", "9", "--weight", "0.5"], "--jobs"),
        (["gmap", "a"], "--seed"),
        (["gmap", "a"], "--jobs"),
        (["table", "a"], "--seed"),
    ],
)
def test_options_without_effect_are_refused(run, arguments, option):
    done = run(*arguments, option, "2")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"unrecognized arguments: {option} 2" in done.stderr


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (
            ImportError("cor_by needs pandas: pip install 'ircor[cli]'"),
            2,
            "cor_by needs pandas: pip install 'ircor[cli]'",
        ),
        (RUnavailableError("R is not\n installed"), 2, "R is not installed"),
        (PermissionError(13, "Permission denied", "x"), 2, "x: Permission denied"),
        (ValueError("bad"), 2, "bad"),
    ],
)
def test_errors_are_one_line_and_an_exit_status(run, monkeypatch, error, status, said):
    def fail(options):
        raise error

    replace_run(monkeypatch, "sample", fail)
    done = run("sample", "x")
    assert (done.returncode, done.stdout, done.stderr) == (status, "", f"ircor: {said}\n")


def test_a_mistake_in_the_package_is_not_hidden(run, monkeypatch):
    def fail(options):
        raise TypeError("a mistake")

    replace_run(monkeypatch, "sample", fail)
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


def test_started_as_a_module_or_as_a_command(run, run_process):
    python = os.path.splitext(os.path.basename(sys.executable))[0]
    assert run_process("table", "--help").stdout.startswith(f"usage: {python} -m ircor table ")
    assert f"example: {python} -m ircor sample data && {python} -m ircor table" in " ".join(
        run_process("sample", "--help").stdout.split()
    )
    assert run("table", "--help").stdout.startswith("usage: ircor table ")
