"""Scores of runs by judgments, in a process of its own, which a crash of trec_eval's code ends instead of the user's.

The process is kept for the next call.  A run is sent while the one before is scored, so that one is read meanwhile.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from queue import SimpleQueue
from types import TracebackType
from typing import Any, ClassVar

from .._text import listed
from ._evaluator import Evaluator, Found, Judgments, Ranked, refuse_unsafe_ids


class CrashError(RuntimeError):
    """The code that computes scores ended its process."""


class Evaluation:
    """Scores runs by one or more sets of judgments.  Runs are sent and their scores received in the same order.

    Parameters
    ----------
    measures : dict
        As from `measures_of`.
    judgments : list of dict
        {topic: {doc: grade}} for each set.
    in_process : bool
        Whether to compute all in this process.  Measures that ir_measures does not have itself always are.
    """

    def __init__(self, measures: dict[str, Any], judgments: list[Judgments], in_process: bool) -> None:
        self.judged = dict.fromkeys(topic for one in judgments for topic in one)
        self.waiting: deque[tuple[Ranked, str]] = deque()
        theirs = {
            name: one for name, one in measures.items() if type(one).__module__.startswith("ir_measures.measures")
        }
        own = {name: one for name, one in measures.items() if name not in theirs}
        self.measures = list(theirs)
        self.evaluators = [Evaluator(own, one) for one in judgments] if own else []
        self.worker = None if in_process or not theirs else Worker.ready()
        if self.worker:
            self.worker.send((theirs, judgments))
        else:
            self.evaluators = [Evaluator(measures, one) for one in judgments]
        self.begun = False

    def __enter__(self) -> Evaluation:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.worker:
            if kind is None and self.begun and not self.waiting:
                self.worker.rest()
            else:
                self.worker.stop()

    def send(self, run: Ranked, called: str) -> None:
        """Score a run."""
        judged = {topic: run[topic] for topic in self.judged if run.get(topic)}
        refuse_unsafe_ids(judged, called)
        self.waiting.append((judged, called))
        if self.worker:
            self.worker.send((judged, called))

    def receive(self) -> list[Found]:
        """The scores of the first run that was sent and not received, by each set of judgments."""
        run, called = self.waiting[0]
        found = [one.scores(run, called) for one in self.evaluators]
        if self.worker:
            if not self.begun:
                self.worker.receive(self.measures, called)
                self.begun = True
            there = self.worker.receive(self.measures, called)
            found = [one + other for one, other in zip(found, there)] if found else there
        self.waiting.popleft()
        return found


class Worker:
    """A process that scores runs.

    It gets measures and a list of judgments, then runs and what messages call them.  It answers each with what
    `Evaluator` finds, or with the message of an error.
    """

    idle: ClassVar[list[Worker]] = []

    def __init__(self) -> None:
        # The path of this process, on which the same packages are found.
        self.path, self.owner = list(sys.path), os.getpid()
        self.said = tempfile.TemporaryFile()  # noqa: SIM115, it is closed with the process
        self.told = 0
        start = f"import sys; sys.path[:] = {self.path!r}; from {__name__} import serve; serve()"
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said
            )
        except BaseException:
            self.said.close()
            raise

    @classmethod
    def ready(cls) -> Worker | None:
        """A process that waits for work, or a new one, or None where no process can be started."""
        while cls.idle:
            worker = cls.idle.pop()
            # That of a parent process is not ours, and one that another path found may find other packages.
            if worker.owner == os.getpid() and worker.path == sys.path and worker.process.poll() is None:
                return worker
            if worker.owner == os.getpid():
                worker.stop()
        try:
            return cls() if sys.executable else None
        except OSError:
            return None

    def rest(self) -> None:
        """Keep the process for the next call, and print what libraries printed in it."""
        self.said.seek(self.told)
        text = self.said.read()
        self.told += len(text)
        sys.stderr.write(text.decode(errors="replace"))
        self.idle.append(self)

    def stop(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()
        self.said.close()

    def send(self, message: object) -> None:
        assert self.process.stdin
        try:
            pickle.dump(message, self.process.stdin, protocol=5)
            self.process.stdin.flush()
        except OSError:
            pass  # the process has ended, which the next answer says

    def receive(self, measures: list[str], called: str) -> list[Found]:
        """The next answer, to the run that messages call so."""
        assert self.process.stdout
        try:
            kind, answer = pickle.load(self.process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise self.crash(measures, called) from None
        if kind == "error":
            raise ValueError(answer)
        found: list[Found] = answer
        return found

    def crash(self, measures: list[str], called: str) -> CrashError:
        """The error for a process that has ended."""
        status = self.process.wait()
        how = f"status {status}" if status >= 0 else f"signal {-status}"
        self.said.seek(self.told)
        lines = self.said.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return CrashError(
            f"the code of ir_measures or trec_eval that computes {listed(measures)} ended its process with {how} "
            f"for {called}{': ' if last else ''}{last}"
        )


@atexit.register
def stop_idle() -> None:
    """End the processes that wait for work; those of a parent process are not ours."""
    while Worker.idle:
        worker = Worker.idle.pop()
        if worker.owner == os.getpid():
            worker.stop()


def serve() -> None:
    """Answer what comes from standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks is interrupted, and ends this one
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    messages: SimpleQueue[Any] = SimpleQueue()
    # A thread reads: the process that asks sends a run before it takes the answer to the one before.
    threading.Thread(target=read_messages, args=(messages,), daemon=True).start()
    evaluators: list[Evaluator] = []
    while (message := messages.get()) is not None:
        try:
            first, second = message
            if isinstance(second, str):
                answer: Any = "found", [one.scores(first, second) for one in evaluators]
            else:
                evaluators = [Evaluator(first, one) for one in second]
                answer = "found", []
        except Exception as error:  # the message is for the process that asks
            answer = "error", str(error)
        pickle.dump(answer, answers, protocol=5)
        answers.flush()


def read_messages(messages: SimpleQueue[Any]) -> None:
    """Put what comes from standard input into a queue, then None."""
    try:
        while True:
            messages.put(pickle.load(sys.stdin.buffer))
    except (EOFError, OSError, pickle.UnpicklingError):
        messages.put(None)
