"""Relevance judgments as {topic: {doc: grade}}, and what is wrong with them under the name of the argument."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any

from .._ids import refuse_incomparable_ids
from .._text import counted, listed
from ..trec._documents import Documents as Documents
from ..trec._documents import by_topic
from ..trec._score import refuse_one_run, systems_of

Judgments = Mapping[Any, Mapping[Any, float]]
"""The grade of each judged document of each topic."""


def judgments_of(truth: Any, judge: Any) -> tuple[Judgments, Judgments]:
    """Both judges' grades, in whatever form `by_topic` takes."""
    return by_topic(truth, "qrels", "truth"), by_topic(judge, "qrels", "judge")


def runs_of(runs: Any) -> dict[Any, dict[Any, dict[Any, float]]]:
    """{system: {topic: {doc: score}}} from whatever `ircor.trec.score` takes for runs."""
    if isinstance(runs, Mapping):
        refuse_one_run(runs)
        return {system: by_topic(run, "run", f"run of {system}") for system, run in runs.items()}
    found: dict[Any, dict[Any, dict[Any, float]]] = {}
    for system in systems_of(runs)[1]:
        if system.name in found:
            raise ValueError(f"'runs' has two runs of the name {system.name!r}: give a mapping of names to runs")
        found[system.name] = system.run
    return found


def refuse_incomparable(**sides: Mapping[Hashable, Iterable[Hashable]]) -> None:
    """Raise if the topics, or the documents, of two sides have types that are never equal, such as "12" and 12."""
    refuse_incomparable_ids("topic", **sides)
    documents = {side: {doc for docs in topics.values() for doc in docs} for side, topics in sides.items()}
    refuse_incomparable_ids("document", **documents)


def two_names(names: Sequence[str]) -> tuple[str, str]:
    """What the truth and the judge are called."""
    if isinstance(names, str) or len(names) != 2:
        raise ValueError(f"'names' must be two names, of the truth and of the judge, not {names!r}")
    first, second = map(str, names)
    if first == second:
        raise ValueError(f"'names' must be two different names, not {first!r} twice")
    return first, second


def grade_text(grade: float) -> str:
    """A grade as people write it: 2 rather than 2.0."""
    return str(int(grade)) if grade == int(grade) else str(grade)


def one_sided_topics(truth: Judgments, judge: Judgments, names: tuple[str, str]) -> list[str]:
    """A note for the topics that only one of the two has."""
    only = [topic for topic in truth if topic not in judge], [topic for topic in judge if topic not in truth]
    return [
        f"{counted(len(topics), 'topic')} only in {name}: {listed(topics)}"
        for name, topics in zip(names, only)
        if topics
    ]


def other_scale(truth: Collection[float], judge: Collection[float], names: tuple[str, str]) -> list[str]:
    """A note if one of the two gave grades beyond those of the other: a grade may then mean different things."""
    if not truth or not judge or (min(truth), max(truth)) == (min(judge), max(judge)):
        return []
    ranges = (
        f"{name} from {grade_text(min(side))} to {grade_text(max(side))}" for name, side in zip(names, (truth, judge))
    )
    return [f"the grades of documents that both judged differ in range, {' and '.join(ranges)}: is it the same scale?"]
