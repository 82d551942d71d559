"""Runs whose documents are ranked and have codes, topic by topic."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._ids import refuse_incomparable_ids
from .._kernel import Ranking
from .._kernel.items import Items
from .._methods import TIES
from .._options import fraction, one_of, whole_number
from .._text import counted, in_a_row, listed
from .._types import Ties
from ..trec._documents import in_trec_eval_order
from ..trec._paths import stem
from ..trec._score import System, is_one_tie
from ._rbo import SCORES

if TYPE_CHECKING:
    import numpy.typing as npt

    Codes = npt.NDArray[np.int32]
    Numbers = npt.NDArray[np.float64] | npt.NDArray[np.int64]

RunTies = Literal["w", "a", "b", "trec_eval"]
"""The treatments of ties, and the order of trec_eval, which has none."""

RUN_TIES: tuple[RunTies, ...] = (*TIES, "trec_eval")


class RunOptions:
    """The options of the overlap of runs, checked."""

    def __init__(self, p: object, ties: object, depth: object, score: object, missing: object) -> None:
        self.p = fraction(p, "p")
        self.by_id = one_of(ties, "ties", RUN_TIES) == "trec_eval"
        # Without ties, all treatments are the same.
        self.ties: Ties = "w" if self.by_id else ties  # type: ignore[assignment]
        self.depth = None if depth is None else whole_number(depth, "depth")
        self.score = one_of(score, "score", SCORES)
        self.missing: str = one_of(missing, "missing", ("error", "zero", "drop"))

    @property
    def number(self) -> int:
        """The number of the treatment of ties in the kernel."""
        return TIES.index(self.ties)


class RankedRuns:
    """Runs, each ranked once.  The documents of a topic have the same codes in all runs.

    Attributes
    ----------
    runs : list of dict
        {topic: Items} for each run; topics without documents are left out.
    codes : dict
        {topic: {doc: code}}.
    """

    def __init__(self, options: RunOptions) -> None:
        self.options = options
        self.systems: list[System] = []
        # The types of topics and of documents in the first run.
        self.types: tuple[set[type], set[type]] = (set(), set())
        self.runs: list[dict[Any, Items]] = []
        self.codes: dict[Any, dict[Hashable, int]] = {}
        # What notes are about: topics without documents, those in which a tie crosses the depth, runs that are one tie.
        self.empty: dict[Any, None] = {}
        self.crossed: dict[Any, None] = {}
        self.one_tie: list[int] = []

    def add(self, system: System) -> None:
        """Rank the documents of a run."""
        run: Any = system.run
        if not any(run.values()):
            raise ValueError(f"{system.called} has no documents")
        ranked = {topic: self.ranked(topic, documents) for topic, documents in run.items() if documents}
        self.empty |= dict.fromkeys(topic for topic in run if topic not in ranked)
        if not self.options.by_id and all(map(is_one_tie, system.run.values())):
            self.one_tie.append(len(self.runs))
        self.refuse_other_types(system)
        # The documents are not needed any more, except those of the first run for the check of types.
        self.systems.append(system if not self.systems else system._replace(run={}))
        self.runs.append(ranked)

    def ranked(self, topic: Any, documents: Mapping[Hashable, float]) -> Items:
        """The documents of a topic in the order of their scores, up to the depth.

        A tie is kept whole if its first document is within the depth.
        """
        of_topic = self.codes.setdefault(topic, {})
        names: Iterable[Hashable]
        values: Numbers
        if self.options.by_id:
            names, values = in_trec_eval_order(documents), -np.arange(len(documents))
        else:
            names, values = documents, numbers_of(list(documents.values()))
        ranking = Ranking(values, True)
        codes = codes_in(of_topic, names)
        depth = self.options.depth
        if depth is not None and depth < len(codes):
            kept = ranking.places() < depth
            codes, ranking = codes[kept], Ranking(values[kept], True)
            if len(codes) > depth:
                self.crossed[topic] = None
        return Items(codes, ranking)

    def refuse_other_types(self, system: System) -> None:
        """Raise if no topic or no document of this run can be equal to one of the first run."""
        types = set(map(type, system.run)), set(map(type, chain.from_iterable(system.run.values())))
        if not self.systems:
            self.types = types
        elif types != self.types:
            first = self.systems[0]
            names = [one.called.strip("'") for one in (first, system)]
            refuse_incomparable_ids("topic", **dict(zip(names, (first.run, system.run))))
            documents = (chain.from_iterable(one.run.values()) for one in (first, system))
            refuse_incomparable_ids("document", **dict(zip(names, map(list, documents))))

    def topics(self) -> list[Any]:
        """The topics with documents, in the order of the runs, or as numbers if all of them are."""
        found = list(dict.fromkeys(chain.from_iterable(self.runs)))
        if all(type(topic) is int or (type(topic) is str and re.fullmatch("[0-9]{1,18}", topic)) for topic in found):
            found.sort(key=int)
        return found

    def settled(self, topics: Sequence[Any], names: Sequence[str]) -> list[str]:
        """Notes on the topics that some runs do not have; with missing="error" they are refused."""
        said = []
        for name, run in zip(names, self.runs):
            if absent := [topic for topic in topics if topic not in run]:
                said.append(f"{name} has no documents for the topic{'s' * (len(absent) > 1)} {listed(absent)}")
        if not said:
            return []
        which = "; ".join(said[:5]) + (f"; and {len(said) - 5} more runs" if len(said) > 5 else "")
        if self.options.missing == "error":
            raise ValueError(
                f'{which}; missing="drop" leaves out the topics that one of two runs does not have, and missing="zero" '
                "counts their overlap as 0"
            )
        done = {"drop": "left out where one of two runs has none", "zero": "the overlap is counted as 0"}
        return [f"{which}: {done[self.options.missing]}"]

    def notes(self, names: Sequence[str]) -> list[str]:
        """What a reader should know about the runs."""
        found = []
        if nowhere := [topic for topic in self.empty if topic not in self.codes]:
            found.append(f"{counted(len(nowhere), 'topic')} without documents in any run, left out: {listed(nowhere)}")
        if self.crossed:
            found.append(
                f"a tie crosses the depth of {self.options.depth} in {counted(len(self.crossed), 'topic')}, and all of "
                "its documents count"
            )
        if risen := [name for name, system in zip(names, self.systems) if system.risen]:
            found.append(
                f"{counted(len(risen), 'run')} with scores that rise with the rank: documents are ranked by score, as "
                f"in trec_eval ({listed(risen)})"
            )
        if self.one_tie:
            found.append(
                f"{counted(len(self.one_tie), 'run')} with the same score for all documents of a topic, which makes "
                f"them one tie ({listed(names[k] for k in self.one_tie)})"
            )
        return found


def last_ranks(depth: int | None) -> str:
    """The last ranks that count, in words."""
    return "the last known ones" if depth is None else f"{depth}, or below the last known ones,"


def codes_in(known: dict[Hashable, int], names: Iterable[Hashable]) -> Codes:
    """The codes of documents; those that have none get the next ones."""
    found = list(map(known.get, names))
    if None in found:
        new = [name for name, code in zip(names, found) if code is None]
        known.update(zip(new, range(len(known), len(known) + len(new))))
        found = list(map(known.get, names))
    return np.array(found, dtype=np.int32)


def numbers_of(scores: list[float]) -> Numbers:
    """Numbers in the order of the scores, equal where these are: the scores, or their ranks if a float cannot hold
    them."""
    if set(map(type, scores)) <= {float}:
        return np.array(scores)
    places = {score: place for place, score in enumerate(sorted(set(scores)))}
    return np.array([places[score] for score in scores])


def names_of(systems: Sequence[System]) -> tuple[list[str], list[str]]:
    """A name for each run, and notes.

    It is the name in the lines of a file, or that of the file if several files have the same, or else its path.
    """
    tags = Counter(system.name for system in systems)
    shared = [name for name, count in tags.items() if count > 1]
    names = [stem(system.path) if tags[system.name] > 1 else system.name for system in systems]
    stems = Counter(names)
    names = [os.fspath(system.path) if stems[name] > 1 else name for name, system in zip(names, systems)]
    notes = [
        f"{counted(tags[name], 'file')} have runs with the name {name!r}, so they have the names of the files"
        for name in shared
    ]
    for name, count in Counter(names).items():
        if count > 1:
            raise ValueError(f"two runs have the name {name!r}")
    return names, notes


def refuse_without_common_topics(runs: Sequence[Mapping[Any, Items]], names: Sequence[str]) -> None:
    """Raise if two runs have no topic in common."""
    for j, other in enumerate(runs):
        for i in range(j):
            if runs[i].keys().isdisjoint(other):
                theirs = [f"{names[k]} has {listed(map(repr, runs[k]), 3)}" for k in (i, j)]
                raise ValueError(f"{names[i]} and {names[j]} have no topic in common: {in_a_row(theirs)}")
