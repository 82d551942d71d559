"""Relevance judgments as {topic: {doc: grade}}, and what is wrong with them under the name of the argument."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal

from .._text import counted, listed
from ..organization._documents import Documents as Documents
from ..organization._documents import by_topic
from ..organization._ids import refuse_incomparable_ids

Judgments = Mapping[Hashable, Mapping[Hashable, float]]
"""The grade of each judged document of each topic."""


def judgments_of(truth: Any, judge: Any) -> tuple[Judgments, Judgments]:
    """Both judges' grades, in whatever form `by_topic` takes."""
    return read(truth, "truth", "qrels"), read(judge, "judge", "qrels")


def runs_of(runs: Any) -> dict[Any, dict[Any, dict[Any, float]]]:
    """The scores of the documents of each system, from a mapping of systems to what `by_topic` takes for a run."""
    if not isinstance(runs, Mapping):
        raise TypeError(f"'runs' must be a mapping of systems to runs, not a {type(runs).__name__}")
    return {system: read(run, f"runs[{system!r}]", "run") for system, run in runs.items()}


def read(source: Any, argument: str, kind: Literal["run", "qrels"]) -> dict[Any, dict[Any, float]]:
    """The grades of judgments, or the scores of a run; an error names the argument."""
    try:
        return by_topic(source, kind, "relevance" if kind == "qrels" else "score")
    except (TypeError, ValueError) as error:
        if type(error) not in (TypeError, ValueError):
            raise  # It names a file.
        raise type(error)(f"{argument}: {error}") from None


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
