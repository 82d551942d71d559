"""Rank-biased overlap of runs, and tables of all measures, in tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._core.text import counted, listed, percent, ties_by_rounding, without_topics
from ..comparison import MeasureTable
from ..overlap import SCORES, OverlapTable, PairOverlap, RunCaveat, RunsOverlap, TopicOverlap, own_overlap_below_1
from ..statistics import MeanCaveat
from .tables import Column, Table, View, attributes, matrix

if TYPE_CHECKING:
    import pandas

SCORE_NAMES = {
    "ext": "overlap",
    "min": "least possible overlap",
    "max": "greatest possible overlap",
    "res": "residual overlap",
}

OWN_TIES = "A ranking with ties has less than 1 with itself: with ties a, the order of tied items is not known."

DONE = {"drop": "left out where one of two runs has none", "zero": "the overlap is counted as 0"}
"""The treatment of topics that a run lacks."""


def run_caveat_sentence(caveat: RunCaveat) -> str:
    """A caveat about runs, in words."""
    names = listed(caveat.names)
    if caveat.kind == "same name":
        (name,) = caveat.names
        return f"{counted(caveat.count, 'file')} have runs with the name {name!r}, so they have the names of the files"
    if caveat.kind == "empty topics":
        return f"{counted(caveat.count, 'topic')} without documents in any run, left out: {names}"
    if caveat.kind == "crossed depth":
        topics = counted(caveat.count, "topic")
        return f"a tie crosses the depth of {caveat.depth} in {topics}, and all of its documents count"
    if caveat.kind == "missing topics":
        return f"{without_topics(caveat.absent)}: {DONE[caveat.missing]}"
    runs = counted(caveat.count, "run")
    if caveat.kind == "rising scores":
        scores = "scores that rise with the rank: documents are ranked by score, as in trec_eval"
    else:
        scores = "the same score for all documents of a topic, which makes them one tie"
    return f"{runs} with {scores} ({names})"


def mean_caveat_sentence(caveat: MeanCaveat) -> str:
    """Why the interval of a mean is missing, or may hold it less often than its level says."""
    if caveat.reason == "one topic":
        return "there is one topic only, and no interval for the mean"
    if caveat.reason == "equal":
        return "all topics have the same overlap, so the interval has no width: other topics may differ"
    if caveat.reason == "few topics":
        few = f"with fewer than {caveat.least} topics"
        return f"{few}, the interval may hold the mean less often than its level says"
    near = f"with a mean so near to {caveat.end}"
    return f"{near}, a few topics may decide it, and the interval may hold it less often than its level says"


def last_ranks(depth: int | None) -> str:
    """The last ranks that count, in words."""
    return "the last known ones" if depth is None else f"{depth}, or below the last known ones,"


class RunsOverlapView(View[RunsOverlap]):
    """The view of the overlap of two runs."""

    def tables(self) -> list[Table]:
        """One row for each topic, and a last row with the means."""
        rows = self.result.by_topic
        # A topic may have the name of the row of means.
        mean = "mean" if all(row.topic != "mean" for row in rows) else "mean over topics"
        columns = [Column("topic", text=str), *map(Column, SCORES)]
        return [Table("topics", columns, [*rows, TopicOverlap(mean, **self.result.means)])]

    def sentences(self) -> list[str]:
        result, (a, b) = self.result, self.result.names
        topics = counted(len(result.by_topic), "topic")
        sentence = f"The mean {SCORE_NAMES[result.score]} of {a} and {b} is {result.mean:.4f} over {topics}"
        low, high = result.interval or (0, 0)
        # If all topics have the same overlap, the interval has no width, and a note says so.
        if low < high:
            level = f"{percent(result.level)} confidence interval"
            sentence += f"; in the population of topics it is between {low:.4f} and {high:.4f} ({level})"
        sentence += "."
        if result.score == "ext":
            least, greatest = result.means["min"], result.means["max"]
            below = f"Ranks below {last_ranks(result.depth)}"
            sentence += f" {below} leave it open from {least:.4f} (min) to {greatest:.4f} (max)"
            sentence += f", with {counted(result.zeros, 'topic')} of one run only as 0." if result.zeros else "."
        return [sentence]

    @property
    def notes(self) -> Sequence[str]:
        return tuple(
            mean_caveat_sentence(one) if isinstance(one, MeanCaveat) else run_caveat_sentence(one)
            for one in self.result.caveats
        )

    def record(self) -> dict[str, Any]:
        """The attributes; the interval as its ends, low and high."""
        result = self.result
        low, high = result.interval or (None, None)
        return {
            "names": list(result.names),
            **attributes(result, "p ties depth score mean"),
            "low": low,
            "high": high,
            "level": result.level,
            "means": dict(result.means),
            "topics": result.scores.to_dict("index"),
        }

    def plot(self, ax: Any = None, *, labels: Sequence[str] | None = None, **options: Any) -> Any:
        from ..plots import ranges

        result = self.result
        a, b = result.names if labels is None else labels
        ends = (None, None) if result.score == "res" else (result.scores["min"], result.scores["max"])
        return ranges(
            result.topics,
            *ends,
            mean=result.interval,
            names=result.scores.index,
            label=f"RBO of {a} and {b}" if result.score == "ext" else f"RBO {result.score} of {a} and {b}",
            title=f"Rank-biased overlap by topic, p = {result.p:g}",
            limits=(0, 1),
            ax=ax,
        )


class OverlapTableView(View[OverlapTable]):
    """The view of the mean overlap of each pair of runs."""

    @property
    def title(self) -> str:
        """The score in the cells."""
        return "RBO" if self.result.score == "ext" else f"RBO {self.result.score}"

    def tables(self) -> list[Table]:
        overlaps = self.result.overlaps
        return [matrix("table", Column(self.title), overlaps.columns, overlaps.to_numpy())]

    def sentences(self) -> list[str]:
        result = self.result
        counts = sorted(set(result.topics.to_numpy().ravel().tolist()))
        over = counted(counts[-1], "topic") if len(counts) == 1 else f"{counts[0]} to {counts[-1]} topics"
        below = f"Ranks below {last_ranks(result.depth)}"
        means = f"Means over {over}. {below} leave a range of {result.greatest_residual:.4f} open, or less (res)."
        own = own_overlap_below_1(result.ties if result.score == "ext" else "", result.overlaps)
        return [*self.spread(), means, *([OWN_TIES] if own else [])]

    def spread(self) -> list[str]:
        """The least, the median and the greatest overlap of three runs or more."""
        result = self.result
        pairs = len(result.of_pairs)
        if pairs < 2:
            return []
        least, greatest = map(pair_in_words, (result.least, result.greatest))
        what = f"The {SCORE_NAMES[result.score]}s of the {pairs} pairs of runs are between"
        return [f"{what} {least} and {greatest}, median {result.median:.4f}."]

    @property
    def notes(self) -> Sequence[str]:
        return tuple(map(run_caveat_sentence, self.result.caveats))

    def record(self) -> dict[str, Any]:
        """The attributes; the tables as lists of rows in the order of the names."""
        result = self.result
        return {
            **attributes(result, "p ties depth score"),
            "names": list(result.overlaps.columns),
            "table": result.overlaps.to_numpy(),
            "least": attributes(result.least, "one other overlap"),
            "median": result.median,
            "greatest": attributes(result.greatest, "one other overlap"),
            "residuals": result.residuals.to_numpy(),
            "topics": result.topics.to_numpy(),
        }

    def plot(self, ax: Any = None, *, labels: Any = None, limits: Any = None, **options: Any) -> Any:
        from ..plots import table, wrapped_title

        ax = table(with_labels(self.result.overlaps, labels), method="rbo", p=self.result.p, limits=limits, ax=ax)
        ax.title.set_text(wrapped_title(ax, f"Mean {self.title} of each pair of runs (p = {self.result.p!r})"))
        return ax


def pair_in_words(pair: PairOverlap) -> str:
    """The overlap of a pair, and its runs."""
    more = f", and {counted(pair.equal, 'other pair')}" if pair.equal else ""
    return f"{pair.overlap:.4f} ({pair.one} and {pair.other}{more})"


def with_labels(frame: pandas.DataFrame, labels: Sequence[str] | None) -> pandas.DataFrame:
    """A square table with labels for its names, if there are any."""
    return frame if labels is None else frame.set_axis(list(labels), axis=0).set_axis(list(labels), axis=1)


class MeasureTableView(View[MeasureTable]):
    """The view of a coefficient between each pair of measures."""

    def tables(self) -> list[Table]:
        return [matrix("table", Column(self.result.method), self.result.coefficients.columns, self.result.cells)]

    def sentences(self) -> list[str]:
        result, sentences = self.result, []
        if result.p is not None:
            sentences.append(f"{result.method}: rank-biased overlap, p = {result.p!r}, ties {result.ties}.")
            sentences += [OWN_TIES] if own_overlap_below_1(result.ties, result.coefficients) else []
        if result.distances is not None:
            sentences.append(f"Below the diagonal: rank distances of the row from the column; above: {result.method}.")
        return sentences

    @property
    def notes(self) -> Sequence[str]:
        result = self.result
        first = result.coefficients.columns[0]
        return (
            *result.reader_notes,
            *(f"{first} and {name} have different topics" for name in result.other_topics),
            *(
                f"{name} has the same mean for all systems, which is no ranking: its coefficients and distances are "
                "undefined"
                for name in result.unranked
            ),
            *([ties_by_rounding(result.rounded.names, result.rounded.pairs)] if result.rounded else []),
        )

    def record(self) -> dict[str, Any]:
        result = self.result
        options = attributes(result, "method" if result.p is None else "method p ties")
        return options | {"names": list(result.coefficients.columns), "table": result.cells}

    def plot(self, ax: Any = None, *, labels: Any = None, limits: Any = None, **options: Any) -> Any:
        from ..plots import table

        result = self.result
        drawn = with_labels(result.coefficients, labels)
        return table(drawn, method=result.method, p=result.p, limits=limits, ax=ax)
