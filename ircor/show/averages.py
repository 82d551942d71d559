"""How averages over topics, and Reliability and Sensitivity, are shown."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from .._core.text import counted, listed
from ..averages import OrderChange, TransformReport
from ..comparison import MeansComparison
from ..organization import RS, BCubed, RSResult, RunsResult, RunsTable
from .tables import Column, Table, View, attributes, general, matrix

CHANGES_SHOWN = 3
"""The changes of order that a printed report shows for each transformation."""

CHANGE = [
    Column("transform"),
    Column("worse", "ranks", text=str),
    Column("better", "above", text=str),
    Column("topics", "because of topics", text=listed),
]


def changed_pair(change: OrderChange) -> str:
    """The two systems in their new order, and the topics behind it."""
    noun = "topic" if len(change.topics) == 1 else "topics"
    return f"{change.worse} above {change.better} because of {noun} {listed(change.topics)}"


class OrderChangeView(View[OrderChange]):
    """The view of a pair of systems in the opposite order."""

    def tables(self) -> list[Table]:
        """The change in one row."""
        return [Table("change", CHANGE, [self.result])]

    def text(self) -> str:
        return f"{self.result.transform} ranks {changed_pair(self.result)}"


class TransformReportView(View[TransformReport]):
    """The view of rankings by means of transformed scores."""

    def tables(self) -> list[Table]:
        """The correlations, and all changes of order."""
        result = self.result
        return [
            matrix("correlations", Column("transform", result.method), result.transforms, result.correlations),
            Table("changes", CHANGE, result.changes),
        ]

    def sentences(self) -> list[str]:
        """How many pairs each transformation ranks in the opposite order of the first one."""
        m, (first, *others) = len(self.result.systems), self.result.transforms
        return [
            f"{name} ranks {len(self.result.changes_by(name))} of {m * (m - 1) // 2} pairs in the opposite order of "
            f"{first}"
            for name in others
        ]

    def record(self) -> dict[str, Any]:
        """The coefficient, the correlations and all changes of order."""
        return {"method": self.result.method} | super().record()

    def strongest(self) -> list[tuple[str, list[OrderChange]]]:
        """The sentence on each transformation, and the first of its changes."""
        names = self.result.transforms[1:]
        return [
            (sentence, self.result.changes_by(name)[:CHANGES_SHOWN]) for name, sentence in zip(names, self.sentences())
        ]

    def text(self) -> str:
        lines = [self.tables()[0].as_text()]
        for sentence, changes in self.strongest():
            lines += [sentence, *(f"  {changed_pair(change)}" for change in changes)]
        return "\n".join(lines)

    def html(self) -> str:
        parts = [self.tables()[0].as_html()]
        for sentence, changes in self.strongest():
            parts += [f"<p>{escape(sentence)}</p>", Table("changes", CHANGE, changes).as_html()]
        return "\n".join(part for part in parts if part)


class MeansComparisonView(View[MeansComparison]):
    """The view of the systems by their mean and by their geometric mean."""

    def tables(self) -> list[Table]:
        columns = [
            Column("system"),
            Column("mean"),
            Column("gmean", "geometric\nmean"),
            Column("rank_by_mean", "rank by\nmean", general),
            Column("rank_by_gmean", "rank by\ngeometric mean", general),
        ]
        return [Table("systems", columns, self.result.means)]

    def sentences(self) -> list[str]:
        m = len(self.result.means)
        if m < 2:
            return []
        return [
            f"The two means order {self.result.swapped} of {m * (m - 1) // 2} pairs of systems in opposite ways; "
            f"tauAP_b = {self.result.tauAP_b:.3f}."
        ]

    @property
    def notes(self) -> Sequence[str]:
        note = self.result.scores.note
        return (note,) if note else ()

    def record(self) -> dict[str, Any]:
        return super().record() | attributes(self.result, "eps zeros tauAP_b")

    def plot(self, ax: Any = None, *, labels: Any = ("mean", "geometric mean"), **options: Any) -> Any:
        from ..plots import moves

        systems = self.result.scores.systems
        place = {mean.system: mean for mean in self.result.means}
        means, gmeans = zip(*((place[system].mean, place[system].gmean) for system in systems))
        return moves(means, gmeans, names=systems, labels=labels, ax=ax)


@dataclass(frozen=True)
class Scored:
    """Scores with the topic, or the kind of relation, that they are of."""

    name: Hashable
    scores: RS


OF_NAMED = [Column(score, of=f"scores.{score}") for score in RS._fields]


class RSView(View[RS]):
    """The view of Reliability and Sensitivity."""

    def tables(self) -> list[Table]:
        return [Table("scores", [*map(Column, RS._fields)], [self.result])]


class BCubedView(View[BCubed]):
    """The view of BCubed precision and recall."""

    def tables(self) -> list[Table]:
        return [Table("scores", [*map(Column, BCubed._fields)], [self.result])]


class RSResultView(View[RSResult]):
    """The view of the scores for both kinds of relations."""

    def tables(self) -> list[Table]:
        rows = [Scored(kind, scores) for kind, scores in self.result._asdict().items()]
        return [Table("scores", [Column("relations", of="name"), *OF_NAMED], rows)]


class RunsResultView(View[RunsResult]):
    """The view of the scores of a run."""

    def tables(self) -> list[Table]:
        """One row for each topic, and a last row with the means."""
        rows = [Scored(topic, scores) for topic, scores in self.result.topics.items()]
        columns = [Column("topic", text=str, of="name"), *OF_NAMED]
        return [Table("topics", columns, [*rows, Scored("mean", self.result.mean)])]

    @property
    def notes(self) -> Sequence[str]:
        """A note for each kind of topic that is scored as 0 or not scored; the first ten topics are named."""
        kinds = (
            (self.result.missing, "not in the run, scored as 0"),
            (self.result.unjudged, "of the run without judgments, not scored"),
            (self.result.without_relevant, "without a relevant document, not scored"),
        )
        return [f"{counted(len(topics), 'topic')} {which}: {listed(topics)}" for topics, which in kinds if topics]

    def record(self) -> dict[str, Any]:
        """The attributes."""
        result = self.result
        return {
            "topics": {topic: scores._asdict() for topic, scores in result.topics.items()},
            "mean": result.mean._asdict(),
            **attributes(result, "missing unjudged without_relevant"),
        }


class RunsTableView(View[RunsTable]):
    """The view of the scores of many runs."""

    def tables(self) -> list[Table]:
        """One row for each run, with its means."""
        rows = [Scored(name, result.mean) for name, result in self.result.runs.items()]
        return [Table("runs", [Column("run", text=str, of="name"), *OF_NAMED], rows)]

    @property
    def notes(self) -> Sequence[str]:
        """The notes of the runs, each with the runs that it is about, if these are not all."""
        about: dict[str, list[str]] = {}
        for name, result in self.result.runs.items():
            for note in result.notes:
                about.setdefault(note, []).append(name)
        every = len(self.result.runs)
        return [note if len(names) == every else f"{listed(names, 5)}: {note}" for note, names in about.items()]

    def record(self) -> dict[str, Any]:
        """The scores of each run."""
        return {"runs": {name: result.as_dict() for name, result in self.result.runs.items()}}
