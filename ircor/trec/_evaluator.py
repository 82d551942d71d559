"""Scores of runs by judgments, in this process: what ir_measures and trec_eval's code get, and what they do not."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import chain
from typing import Any, TypeAlias

from .._extras import extra
from .._text import listed
from ._documents import in_trec_eval_order
from ._measures import WHAT, least_grade

Judgments: TypeAlias = dict[str, dict[str, int]]
"""{topic: {doc: grade}}."""

Ranked: TypeAlias = dict[str, dict[str, float]]
"""{topic: {doc: score}}, with names that are strings."""

Found: TypeAlias = list[tuple[str, str, float]]
"""The name of a measure, a topic and the score, for each of them."""


class Evaluator:
    """Scores runs by one set of judgments.

    All measures rank documents with equal scores as trec_eval does: by their names, from the last to the first; scores
    are equal if they are in single precision.  Other code than trec_eval's gets the documents in this order, since it
    has rules of its own.  Topics get numbers, since some of that code takes no others; there, documents get them too,
    since some of it takes an id with a blank for two fields.

    trec_eval's code ends the process at judgments that it does not expect, so it only gets others that have the same
    scores.

    Parameters
    ----------
    measures : dict
        As from `measures_of`.
    judgments : dict
        {topic: {doc: grade}}.
    """

    def __init__(self, measures: dict[str, Any], judgments: Judgments) -> None:
        library = extra("ir_measures", WHAT)
        self.number = {topic: str(k) for k, topic in enumerate(judgments, 1)}
        self.topic = {number: topic for topic, number in self.number.items()}
        numbered = {self.number[topic]: grades for topic, grades in judgments.items()}
        parts: dict[Hashable, Part] = {}
        for name, measure in measures.items():
            if library.pytrec_eval.supports(measure):
                key, plain, regraded = for_trec_eval(measure)
                part = parts.setdefault(key, Part(False, regraded))
                part.names[plain] = name
            else:
                parts.setdefault("others", Part(True)).names[measure] = name
        self.parts = list(parts.values())
        for part in self.parts:
            part.make(library, numbered)

    def scores(self, run: Ranked, called: str) -> Found:
        """The scores of a run on its topics that are judged, by all measures."""
        judged = {number: run[topic] for topic, number in self.number.items() if run.get(topic)}
        return [
            (name, self.topic[number], value)
            for part in (self.parts if judged else ())
            for name, number, value in part.scores(judged, called)
        ]


class Part:
    """Measures that one evaluator of ir_measures computes from the same judgments.

    Parameters
    ----------
    ranked : bool
        Whether the measures need the documents ranked.
    regraded : callable, optional
        The grade that a grade becomes.  Only trec_eval's measures have it.
    """

    def __init__(self, ranked: bool, regraded: Callable[[int], int] | None = None) -> None:
        self.ranked, self.regraded = ranked, regraded
        self.names: dict[Any, str] = {}

    def make(self, library: Any, judgments: Judgments) -> None:
        """Make the evaluator."""
        grades = judgments
        if self.regraded:
            grades = {topic: survivable(documents, self.regraded) for topic, documents in judgments.items()}
        if self.ranked:
            self.codes = {topic: {doc: f"d{k}" for k, doc in enumerate(docs)} for topic, docs in judgments.items()}
            grades = {topic: dict(zip(self.codes[topic].values(), docs.values())) for topic, docs in judgments.items()}
        try:
            self.evaluator = library.evaluator(list(self.names), grades)
        except ValueError as error:
            raise cannot(self.names, error) from None

    def scores(self, run: Ranked, called: str) -> Found:
        """The names of the measures, the topics and the scores."""
        try:
            documents = run
            if self.ranked:
                documents = {topic: in_order(docs, self.codes[topic]) for topic, docs in run.items()}
            # ir_measures scores topics without documents as 0; here that is a matter of `missing`.
            return [
                (self.names[one.measure], one.query_id, float(one.value))
                for one in self.evaluator.iter_calc(documents)
                if one.query_id in documents
            ]
        except Exception as error:  # whatever the code of a measure meets
            raise ValueError(
                f"ir_measures failed to compute {listed(self.names.values())} for {called}: {error}"
            ) from None


def for_trec_eval(measure: Any) -> tuple[Hashable, Any, Callable[[int], int]]:
    """How trec_eval's code computes a measure: which measures go with it, it without gains, and the grades it gets.

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


def survivable(documents: dict[str, int], regraded: Callable[[int], int]) -> dict[str, int]:
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
            raise ValueError(f"{where} has a topic that is no valid text: {topic!r}")
        for doc in docs:
            if "\0" in doc:
                raise ValueError(f"{where} has a document id with a NUL character for topic {topic!r}: {doc!r}")
            if not is_text(doc):
                raise ValueError(f"{where} has a document id that is no valid text for topic {topic!r}: {doc!r}")


def is_text(text: str) -> bool:
    """Whether the text can be encoded, which halves of surrogate pairs cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def in_order(documents: dict[str, float], codes: dict[str, str]) -> dict[str, float]:
    """The documents as trec_eval ranks them, by their codes, with scores that are all different."""
    order = in_trec_eval_order(documents)
    return {codes.get(doc, f"u{k}"): float(len(order) - k) for k, doc in enumerate(order)}


def cannot(names: dict[Any, str], error: ValueError) -> ValueError:
    """The error for measures that nothing here can compute."""
    cutoffs = [one for one in names if "cutoff" in one.SUPPORTED_PARAMS and "cutoff" not in one.params]
    hint = f"; with a cutoff, '{cutoffs[0].NAME}@10', it may be" if cutoffs else ""
    said = listed(names.values())
    return ValueError(f"ir_measures cannot compute {said} with the packages that are installed{hint}: {error}")
