"""Progress: callbacks, and bars in a terminal."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import rich.progress
from calls import hear_interrupts

from ircor._core import work
from ircor._core.work import watched
from ircor.cli import main


def test_a_callback_gets_the_steps_done_and_the_total():
    told = []
    with watched(3, lambda done, total: told.append((done, total))) as tell:
        for done in (1, 2, 3):
            tell(done)
    assert told == [(1, 3), (2, 3), (3, 3)]


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def calls(monkeypatch):
    """The calls that rich gets; bars are shown at once."""
    calls = []

    class Recorded:
        def __init__(self, *columns, console, transient):
            calls.append(("stderr", console.stderr, "transient", transient))

        @staticmethod
        def get_default_columns():
            return ()

        def add_task(self, description, total, completed):
            calls.append(("add", total, completed))
            return len(calls)

        def start(self):
            calls.append(("start",))

        def update(self, task, completed):
            calls.append(("update", completed))

        def remove_task(self, task):
            calls.append(("remove",))

        def stop(self):
            calls.append(("stop",))

    monkeypatch.setattr(rich.progress, "Progress", Recorded)
    monkeypatch.setattr(work, "SECONDS_BEFORE_A_BAR", 0.0)
    return calls


def wait_for(calls, count):
    """Wait until rich has got so many calls."""
    end = time.monotonic() + 10
    while len(calls) < count and time.monotonic() < end:
        time.sleep(0.001)


@pytest.mark.parametrize("progress", [None, True])
def test_a_bar_is_shown_in_a_terminal_before_the_first_step(progress, calls, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with watched(5, progress) as tell:
        wait_for(calls, 3)
        tell(3)
    assert calls == [
        ("stderr", True, "transient", True),
        ("start",),
        ("add", 5, 0),
        ("update", 3),
        ("remove",),
        ("stop",),
    ]


def test_work_inside_other_work_has_a_bar_below_it(calls, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with watched(None, None):
        wait_for(calls, 3)
        with watched(None, None), watched(7, None) as tell:
            tell(2)
        with watched(4, False) as silent:
            silent(1)
    assert calls[1:] == [
        ("start",),
        ("add", None, 0),
        ("add", 7, 0),
        ("update", 2),
        ("remove",),
        ("remove",),
        ("stop",),
    ]
    assert work.SHOWN.get() is None


def test_a_callback_hears_nothing_of_work_of_unknown_length():
    with watched(None, lambda done, total: pytest.fail("called")) as tell:
        tell(1)


def test_short_work_shows_no_bar(monkeypatch, calls):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(work, "SECONDS_BEFORE_A_BAR", 0.2)
    with watched(5, None) as tell:
        tell(5)
    time.sleep(0.3)
    assert calls == []


@pytest.mark.parametrize(("progress", "stream"), [(False, Terminal), (None, io.StringIO), (True, io.StringIO)])
def test_no_bar_if_switched_off_or_not_in_a_terminal(progress, stream, monkeypatch, calls):
    monkeypatch.setattr(sys, "stderr", stream())
    with watched(5, progress) as tell:
        time.sleep(0.05)
        tell(1)
    assert calls == []


def test_the_bar_is_removed_after_an_interrupt(calls, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())

    def interrupted():
        with watched(5, None) as tell:
            wait_for(calls, 3)
            tell(1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert calls[-1] == ("stop",)


@pytest.mark.parametrize("missing", ["rich.console", "rich.progress"])
def test_no_bar_without_rich(missing, monkeypatch, calls):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setitem(sys.modules, missing, None)
    with watched(5, None) as tell:
        time.sleep(0.05)
        tell(1)
    assert calls == []


@pytest.mark.parametrize("command", ["compare", "reliability", "drank"])
def test_a_command_shows_that_it_works(command, calls, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    sources = ["sample:map"] if command == "reliability" else ["sample:map", "sample:P_10"]
    assert main([command, *sources, "--resamples", "2000"]) == 0
    assert ("add", None, 0) in calls
    assert calls[-1] == ("stop",)


WATCHED = """
import numpy as np, ircor._core.work as p
from ircor.tables import bootstrap
p.SECONDS_BEFORE_A_BAR = {delay}
X = np.random.default_rng(1).random((50, 60))
print('started', flush=True)
bootstrap(X, X, resamples={resamples}, seed=1)
print('done', flush=True)
"""


def read_all(descriptor, parts):
    with contextlib.suppress(OSError):
        while part := os.read(descriptor, 65536):
            parts.append(part)


@pytest.mark.parametrize(("delay", "bar"), [(0.0, True), (1000.0, False)])
def test_a_bar_in_a_real_terminal(delay, bar):
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    command = [sys.executable, "-c", WATCHED.format(delay=delay, resamples=100_000)]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower, env=environment)
    parts = []
    reader = threading.Thread(target=read_all, args=(leader, parts), daemon=True)  # or the process waits for a reader
    reader.start()
    out, _ = process.communicate(timeout=120)
    os.close(follower)
    reader.join(10)
    os.close(leader)
    shown = b"".join(parts)
    assert out.split() == [b"started", b"done"]
    assert (b"%" in shown) == bar


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal for one process")
def test_an_interrupt_is_answered_at_once():
    command = [sys.executable, "-c", WATCHED.format(delay=2, resamples=10_000_000)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hear_interrupts)
    assert process.stdout.readline() == b"started\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=5)
    assert b"KeyboardInterrupt" in err
