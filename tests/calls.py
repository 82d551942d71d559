"""Helpers of several test files: the six functions by name, the `ircor` command, and the record of R's answers."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import ircor
from ircor.cli import COMMANDS, command_of

DATA = Path(__file__).parent / "data"

# The vectors in which each function refuses ties.
REFUSING = {"tau": "xy", "tau_a": "x", "tau_b": "", "tauAP": "xy", "tauAP_a": "x", "tauAP_b": ""}
FUNCTIONS = {name: getattr(ircor, name) for name in REFUSING}

COMMAND = [sys.executable, "-m", "ircor"]


def run_command(*arguments, **environment):
    """Run the `ircor` command in a process of its own, with these environment variables; None removes a variable."""
    variables = os.environ | {"PYTHONUNBUFFERED": None} | environment
    variables = {key: value for key, value in variables.items() if value is not None}
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, env=variables)


def record(name):
    """The lines of one file of the record."""
    with open(DATA / name, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def hear_interrupts():
    """Undo what a shell does to the commands that it runs in the background: they ignore interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def replace_run(monkeypatch, name, run):
    """Let a command of ircor run another function."""
    monkeypatch.setattr(f"ircor.cli.{COMMANDS[name]}.{name.upper()}", replace(command_of(name), run=run))
