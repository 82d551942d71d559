"""Scores of runs by judgments, in this process: what ir_measures and trec_eval's code get, and what they do not."""

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
from collections.abc import Callable, Hashable, Mapping
from itertools import chain
from queue import SimpleQueue
from types import TracebackType
from typing import Any, ClassVar, TypeAlias

from .._core.errors import InvalidValueError
from .._core.text import listed
from .._extras import extra
from ._documents import in_trec_eval_order
from ._ir_measures import PURPOSE, least_grade

Judgments: TypeAlias = dict[str, dict[str, int]]
"""{topic: {doc: grade}}."""

Ranked: TypeAlias = dict[str, dict[str, float]]
"""{topic: {doc: score}}, with names that are strings."""

TopicScores: TypeAlias = list[tuple[str, str, float]]
"""The name of a measure, a topic and the score, for each of them."""

Regrading: TypeAlias = Callable[[int], int]
"""The grade that a measure counts for a grade of the judgments."""


class Evaluator:
    """Scores runs by one set of judgments.

    All measures rank documents with equal scores as trec_eval does: by their names, from the last to the first; scores
    are equal if they are in single precision.  Other code than trec_eval's gets the documents in this order, since it
    has rules of its own.  Topics get numbers, since some of that code takes no others; there, documents get them too,
    since some of it takes an id with a blank for two fields.

    trec_eval's code ends the process at judgments that it does not expect, so it only gets others that have the same
    scores.
    """

    def __init__(self, measures: dict[str, Any], judgments: Judgments) -> None:
        library = extra("ir_measures", PURPOSE)
        self.number = {topic: str(k) for k, topic in enumerate(judgments, 1)}
        self.topic = {number: topic for topic, number in self.number.items()}
        numbered = {self.number[topic]: grades for topic, grades in judgments.items()}
        groups: dict[Hashable, tuple[Regrading | None, dict[Any, str]]] = {}
        for name, measure in measures.items():
            by_trec_eval = library.pytrec_eval.supports(measure)
            key, plain, regraded = for_trec_eval(measure) if by_trec_eval else ("others", measure, None)
            groups.setdefault(key, (regraded, {}))[1][plain] = name
        self.parts = [RunPart(library, names, numbered, regraded) for regraded, names in groups.values()]

    def scores(self, run: Ranked, called: str) -> TopicScores:
        """The scores of a run on its topics that are judged, by all measures."""
        judged = {number: run[topic] for topic, number in self.number.items() if run.get(topic)}
        return [
            (name, self.topic[number], value)
            for part in (self.parts if judged else ())
            for name, number, value in part.scores(judged, called)
        ]


class RunPart:
    """Measures that one evaluator of ir_measures computes from the same judgments, {topic: {doc: grade}}.

    `regraded` is the grade that a grade becomes.  Only trec_eval's measures have it; others need the documents ranked.
    """

    def __init__(
        self, library: Any, names: dict[Any, str], judgments: Judgments, regraded: Regrading | None = None
    ) -> None:
        self.names, self.ranked = names, regraded is None
        if regraded is not None:
            grades = {topic: survivable(documents, regraded) for topic, documents in judgments.items()}
        else:
            self.codes = {topic: {doc: f"d{k}" for k, doc in enumerate(docs)} for topic, docs in judgments.items()}
            grades = {topic: dict(zip(self.codes[topic].values(), docs.values())) for topic, docs in judgments.items()}
        try:
            self.evaluator = library.evaluator(list(names), grades)
        except ValueError as error:
            raise cannot(names, error) from None

    def scores(self, run: Ranked, called: str) -> TopicScores:
        """The names of the measures, the topics and the scores."""
        try:
            documents = run
            if self.ranked:
                documents = {topic: ranked_documents(docs, self.codes[topic]) for topic, docs in run.items()}
            # ir_measures scores topics without documents as 0; here that is a matter of `missing`.
            return [
                (self.names[one.measure], one.query_id, float(one.value))
                for one in self.evaluator.iter_calc(documents)
                if one.query_id in documents
            ]
        except Exception as error:  # whatever the code of a measure meets
            failure = f"ir_measures failed to compute {listed(self.names.values())} for {called}: {error}"
            raise InvalidValueError(None, failure) from None


def for_trec_eval(measure: Any) -> tuple[Hashable, Any, Regrading]:
    """The key of the measures that trec_eval's code computes together, the measure without gains, and its grades.

    ir_measures computes several measures in one call where it can.  Some of its calls mix measures that have other
    gains, or that only count judged documents, with measures that do not, in an order that differs from one process to
    the next; so these are kept apart.
    """
    gains = measure.params.get("gains")
    judged_only = measure.params.get("judged_only", False)
    if gains is not None:
        plain = type(measure)(**{key: value for key, value in measure.params.items() if key != "gains"})
        return (tuple(gains.items()), judged_only), plain, lambda grade: gains.get(grade, grade)
    if measure.NAME == "Bpref" and (least := least_grade(measure)) > 1:
        # The code looks up all grades below the least relevant one, also those above the highest grade of the topic.
        return ("Bpref", least), type(measure)(), lambda grade: grade if grade < 0 else int(grade >= least)
    return (None, judged_only), measure, lambda grade: grade


def survivable(documents: dict[str, int], regraded: Regrading) -> dict[str, int]:
    """Judgments of a topic that trec_eval's code survives, with the same scores.

    To trec_eval, a document with a negative grade is one of the pool that was not judged.  It makes a list of all
    grades from 0 to the highest, and ends the process if all are negative.  Then nothing is relevant, and all scores
    are as if the documents had been judged as not relevant.
    """
    grades = {doc: regraded(grade) for doc, grade in documents.items()}
    return grades if max(grades.values()) >= 0 else dict.fromkeys(grades, 0)


def refuse_unsafe_ids(documents: Mapping[str, Mapping[str, float]], where: str) -> None:
    """Raise if an id cannot be passed to code in C."""
    # All ids at once, which takes a tenth of the time.
    text = "".join(chain.from_iterable(documents.values()))
    if is_text("".join(documents)) and is_text(text) and "\0" not in text:
        return
    for topic, docs in documents.items():
        if not is_text(topic):
            raise InvalidValueError(None, f"{where} has a topic that is no valid text: {topic!r}")
        for doc in docs:
            if "\0" in doc or not is_text(doc):
                fault = "with a NUL character" if "\0" in doc else "that is no valid text"
                raise InvalidValueError(None, f"{where} has a document id {fault} for topic {topic!r}: {doc!r}")


def is_text(text: str) -> bool:
    """Whether the text can be encoded, which halves of surrogate pairs cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def ranked_documents(documents: dict[str, float], codes: dict[str, str]) -> dict[str, float]:
    """The documents as trec_eval ranks them, by their codes, with scores that are all different."""
    order = in_trec_eval_order(documents)
    return {codes.get(doc, f"u{k}"): float(len(order) - k) for k, doc in enumerate(order)}


def cannot(names: dict[Any, str], error: ValueError) -> InvalidValueError:
    """The error for measures that nothing here can compute."""
    cutoffs = [one for one in names if "cutoff" in one.SUPPORTED_PARAMS and "cutoff" not in one.params]
    hint = f"; with a cutoff, '{cutoffs[0].NAME}@10', it may be" if cutoffs else ""
    what = f"ir_measures cannot compute {listed(names.values())} with the packages that are installed{hint}: {error}"
    return InvalidValueError(None, what)


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

    def receive(self) -> list[TopicScores]:
        """The scores of the first run that was sent and not received, by each set of judgments."""
        run, called = self.waiting[0]
        scores = [one.scores(run, called) for one in self.evaluators]
        if self.worker:
            if not self.begun:
                self.worker.receive(self.measures, called)
                self.begun = True
            there = self.worker.receive(self.measures, called)
            scores = [one + other for one, other in zip(scores, there)] if scores else there
        self.waiting.popleft()
        return scores


class Worker:
    """A process that scores runs.

    It gets measures and a list of judgments, then runs and what messages call them.  It answers each with what
    `Evaluator` finds, or with the message of an error.
    """

    idle: ClassVar[list[Worker]] = []

    def __init__(self) -> None:
        # The path of this process, on which the same packages are found.
        self.path, self.owner = list(sys.path), os.getpid()
        self.printed = tempfile.TemporaryFile()  # noqa: SIM115, it is closed with the process
        self.told = 0
        start = f"import sys; sys.path[:] = {self.path!r}; from {__name__} import serve; serve()"
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.printed
            )
        except BaseException:
            self.printed.close()
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
        self.printed.seek(self.told)
        text = self.printed.read()
        self.told += len(text)
        sys.stderr.write(text.decode(errors="replace"))
        self.idle.append(self)

    def stop(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()
        self.printed.close()

    def send(self, message: object) -> None:
        assert self.process.stdin
        try:
            pickle.dump(message, self.process.stdin, protocol=5)
            self.process.stdin.flush()
        except OSError:
            pass  # the process has ended, which the next answer says

    def receive(self, measures: list[str], called: str) -> list[TopicScores]:
        """The next answer, to the run that messages call so."""
        assert self.process.stdout
        try:
            kind, answer = pickle.load(self.process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise self.crash(measures, called) from None
        if kind == "error":
            raise InvalidValueError(None, answer)
        scores: list[TopicScores] = answer
        return scores

    def crash(self, measures: list[str], called: str) -> CrashError:
        """The error for a process that has ended."""
        status = self.process.wait()
        how = f"status {status}" if status >= 0 else f"signal {-status}"
        self.printed.seek(self.told)
        lines = self.printed.read().decode(errors="replace").split("\n")
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
                answer: Any = "scores", [one.scores(first, second) for one in evaluators]
            else:
                evaluators = [Evaluator(first, one) for one in second]
                answer = "scores", []
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
