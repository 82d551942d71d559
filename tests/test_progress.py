"""Progress: callbacks, and bars in a terminal."""

import io
import os
import signal
import subprocess
import sys
import time

import pytest
import rich.progress
from calls import hear_interrupts

from ircor._core import work as _progress
from ircor._core.work import Bar, watched


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
def clock(monkeypatch):
    """A list with the time, which a test can change."""
    now = [100.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def bars(monkeypatch):
    """The calls that a bar of rich gets."""
    calls = []

    class Recorded:
        def __init__(self, console, transient):
            calls.append(("stderr", console.stderr, "transient", transient))

        def add_task(self, description, total):
            calls.append(("total", total))
            return 7

        def start(self):
            calls.append(("start",))

        def update(self, task, completed):
            calls.append(("update", task, completed))

        def stop(self):
            calls.append(("stop",))

    monkeypatch.setattr(rich.progress, "Progress", Recorded)
    return calls


@pytest.mark.parametrize("progress", [None, True])
def test_a_bar_is_shown_in_a_terminal_after_two_seconds(progress, monkeypatch, clock, bars):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with watched(5, progress) as tell:
        for done, seconds in ((1, 1.0), (2, 2.0), (3, 2.1), (4, 3.0)):
            clock[0] = 100 + seconds
            tell(done)
    assert bars == [
        ("stderr", True, "transient", True),
        ("total", 5),
        ("start",),
        ("update", 7, 3),
        ("update", 7, 4),
        ("stop",),
    ]


def test_short_work_shows_no_bar(monkeypatch, clock, bars):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with watched(5, None) as tell:
        tell(5)
    assert bars == []


@pytest.mark.parametrize(("progress", "stream"), [(False, Terminal), (None, io.StringIO), (True, io.StringIO)])
def test_no_bar_if_switched_off_or_not_in_a_terminal(progress, stream, monkeypatch, clock, bars):
    monkeypatch.setattr(sys, "stderr", stream())
    with watched(5, progress) as tell:
        clock[0] += 10
        tell(1)
    assert bars == []


def test_the_bar_is_removed_after_an_interrupt(monkeypatch, clock, bars):
    monkeypatch.setattr(sys, "stderr", Terminal())

    def interrupted():
        with watched(5, None) as tell:
            clock[0] += 3
            tell(1)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert bars[-1] == ("stop",)


@pytest.mark.parametrize("missing", ["rich.console", "rich.progress"])
def test_no_bar_without_rich(missing, monkeypatch, clock):
    monkeypatch.setitem(sys.modules, missing, None)
    bar = Bar(5)
    clock[0] += 3
    bar.update(1)
    monkeypatch.undo()
    bar.update(2)  # the import is not tried again
    assert bar.shown is None
    bar.close()


WATCHED = """
import numpy as np, ircor._core.work as p
from ircor.tables import bootstrap
p.SECONDS_BEFORE_A_BAR = {delay}
X = np.random.default_rng(1).random((50, 60))
print('started', flush=True)
bootstrap(X, X, resamples={resamples}, seed=1)
print('done', flush=True)
"""


@pytest.mark.parametrize(("delay", "bar"), [(0.0, True), (1000.0, False)])
def test_a_bar_in_a_real_terminal(delay, bar):
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    command = [sys.executable, "-c", WATCHED.format(delay=delay, resamples=1500)]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower, env=environment)
    out, _ = process.communicate()
    os.close(follower)
    try:
        shown = os.read(leader, 65536)
    except OSError:
        shown = b""
    os.close(leader)
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
