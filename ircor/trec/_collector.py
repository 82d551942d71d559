"""Scores collected one by one from files, and the table of topics by systems made from them."""

from __future__ import annotations

import os
import re
from math import nan
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from .._options import one_of, shown
from .._text import counted, listed
from ._lines import FormatError
from ._paths import FilePath

if TYPE_CHECKING:
    import pandas

Missing = Literal["error", "zero", "drop"]
"""How to handle a topic for which a system has no score: raise an error, count it as 0, or drop the topic."""


class ScoreCollector:
    """Collects scores by measure, topic and system.

    Parameters
    ----------
    measure : str or None
        The measure to keep; None keeps all.
    missing : {"error", "zero", "drop"}
        How to handle missing scores.
    """

    def __init__(self, measure: str | None, missing: Missing) -> None:
        if not (measure is None or isinstance(measure, str)):
            raise TypeError(f"'measure' must be the name of a measure, not {shown(measure)}")
        self.measure = measure
        self.missing = one_of(missing, "missing", get_args(Missing))
        # The scores of a measure and system by topic.  The dicts without values are sets that keep their order.
        self.columns: dict[tuple[str, str], dict[str, float]] = {}
        self.topics: dict[str, None] = {}
        self.measures: dict[str, None] = {}
        self.first_lines: dict[str, str] = {}

    def add(self, measure: str, topic: str, system: str, score: float) -> bool:
        """Add a score, unless it is of another measure; return False if there is one already."""
        self.measures[measure] = None
        if self.measure in (None, measure):
            column = self.columns.setdefault((measure, system), {})
            if topic in column:
                return False
            column[topic] = score
            self.topics[topic] = None
        return True

    def add_system(
        self, path: FilePath, line: int, system: str, scores: dict[str, dict[str, float]], topics: dict[str, None]
    ) -> None:
        """Add all scores of a system, by measure and topic, which begin at this line; refuse a second such system."""
        if system in self.first_lines:
            raise FormatError(path, line, f"system {system!r} is repeated: it is already at {self.first_lines[system]}")
        self.first_lines[system] = f"{os.fspath(path)}:{line}"
        self.topics.update(topics)
        for measure, by_topic in scores.items():
            self.measures[measure] = None
            if self.measure in (None, measure):
                self.columns[measure, system] = by_topic

    def table(self) -> pandas.DataFrame:
        """Make the table of topics by systems, or by measures and systems, and handle missing scores."""
        from pandas import DataFrame, Index, MultiIndex

        if not self.columns:
            raise ValueError(f"there are no values of {self.measure!r}: the measures are {listed(self.measures, 8)}")
        topics = list(self.topics)
        if all(re.fullmatch(r"[0-9]{1,18}", topic) for topic in topics):
            topics.sort(key=int)
        measures, systems = (list(dict.fromkeys(names)) for names in zip(*self.columns))
        columns = MultiIndex.from_product([measures, systems], names=["measure", "system"])
        by_column = (self.columns.get(column, {}) for column in columns)
        scores = [[by_topic.get(topic, nan) for topic in topics] for by_topic in by_column]
        table = DataFrame(np.array(scores).T, index=Index(topics, name="topic"), columns=columns)
        gaps = table.isna()
        if gaps.to_numpy().any():
            table = self.without_gaps(table, gaps)
        return table if len(measures) > 1 else table.droplevel("measure", axis=1)

    def without_gaps(self, table: pandas.DataFrame, gaps: pandas.DataFrame) -> pandas.DataFrame:
        """Fill or drop missing scores, and say so in ``attrs["missing"]``."""
        which = describe_gaps(gaps)
        if self.missing == "error":
            raise ValueError(
                f'{which}; missing="zero" counts missing values as 0, and missing="drop" drops the topics that have any'
            )
        if self.missing == "zero":
            table = table.fillna(0.0)
            table.attrs["missing"] = f"{which}: counted as 0"
            return table
        table = table[~gaps.any(axis=1)]
        if not len(table):
            raise ValueError(f'{which}; with missing="drop" no topic is left, because each has a missing value')
        table.attrs["missing"] = f"{which}: {counted(int(gaps.any(axis=1).sum()), 'topic')} dropped"
        return table


def describe_gaps(gaps: pandas.DataFrame) -> str:
    """Name the systems that have no score for some topics, and the topics."""
    texts = []
    for (measure, system), missing in gaps.items():
        if missing.any():
            topics = list(missing.index[missing])
            word = "topic" if len(topics) == 1 else "topics"
            texts.append(f"system {system!r} has no {measure or 'value'} for {word} {listed(topics)}")
    more = f"; and {len(texts) - 5} more" if len(texts) > 5 else ""
    return "; ".join(texts[:5]) + more


def one_measure(scores: pandas.DataFrame, source: str, option: str = "measure=") -> pandas.DataFrame:
    """Return the table if it has one measure, else raise an error that names the measures and the option to choose."""
    if scores.columns.nlevels > 1:
        names = scores.columns.get_level_values("measure").unique()
        raise ValueError(f"{source} has several measures, choose one with {option}: {listed(names, 8)}")
    return scores
