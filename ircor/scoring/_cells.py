"""Cells: the values of a source in columns, each with its measure, its topic and its system."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite, nan
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from .._core.content import NUMBER, FormatError, Place
from .._core.types import Floats

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._kernel.evaluation import Codes


Mask: TypeAlias = "npt.NDArray[np.bool_]"

# The cells that pandas' read_csv reads as missing, which include the NA and the empty cell of R's read.csv.
MISSING_CELLS = frozenset(
    {"", "NA", "N/A", "n/a", "<NA>", "#N/A", "#N/A N/A", "#NA", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None"}
    | {"1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"}
)


class Problem(NamedTuple):
    """What is wrong with some cells: which, and what to say of the first of them.

    The texts have places for {measure}, {topic} and {system}, and for {text}, the value as it is written.
    """

    where: Mask
    what: str
    remedy: str = ""


Column: TypeAlias = "list[str] | npt.NDArray[Any]"
"""The cells of a column: text, or numbers that were numbers before."""


def text_of(value: Any) -> str:
    """A value in memory as the text of a cell."""
    value = value.item() if hasattr(value, "item") else value
    if value is None or value != value:
        return ""
    return repr(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value).strip()


def texts_of(column: Column) -> list[str]:
    """The cells of a column as text."""
    return column if isinstance(column, list) else list(map(text_of, column.tolist()))


def numbers_of(column: Column) -> Floats:
    """The numbers in a column: NaN for missing values, and infinity for what is no finite number."""
    if not isinstance(column, list):
        return np.where(np.isinf(values := column.astype(np.float64)), inf, values)
    number = dict.fromkeys(column, inf)
    for text in number:
        if text in MISSING_CELLS:
            number[text] = nan
        elif NUMBER.fullmatch(text) and isfinite(value := float(text)):
            number[text] = value
    return np.fromiter(map(number.__getitem__, column), np.float64, len(column))


@dataclass(frozen=True, eq=False)
class Names:
    """A column of names: the different ones in the order of the rows, and the code of each row."""

    names: list[str]
    codes: Codes

    @classmethod
    def of(cls, column: Iterable[str]) -> Names:
        code: dict[str, int] = {}
        codes = np.fromiter((code.setdefault(name, len(code)) for name in column), np.int32)
        return cls(list(code), codes)

    def are(self, chosen: Collection[str]) -> Mask:
        """Whether the name of each row is one of these."""
        return np.fromiter((name in chosen for name in self.names), np.bool_, len(self.names))[self.codes]

    def at(self, row: int) -> str:
        """The name of a row."""
        return self.names[int(self.codes[row])]

    def among(self, rows: Mask) -> Names:
        """The names of some rows."""
        return Names(self.names, self.codes[rows]).compact()[0]

    def compact(self) -> tuple[Names, Codes]:
        """The same without names that no row has, in the order of the rows, and the codes that these had."""
        count = len(self.codes)
        first = np.full(len(self.names), count)
        first[self.codes[::-1]] = np.arange(count)[::-1]
        order = np.argsort(first, kind="stable")[: np.count_nonzero(first < count)].astype(np.int32)
        place = np.empty(len(self.names), np.int32)
        place[order] = np.arange(len(order))
        return Names([self.names[k] for k in order], place[self.codes]), order


def constant(name: str, count: int) -> Names:
    """A column with one name in all rows."""
    return Names([name], np.zeros(count, dtype=np.int32))


@dataclass(frozen=True, eq=False)
class Cells:
    """Values, each with the names that belong to it."""

    path: Place
    lines: Sequence[int]
    """The line or the row of each."""
    measures: Names
    topics: Names
    systems: Names
    column: Column
    """The values as they are written."""
    notes: tuple[str, ...] = ()
    """What a reader should know of the way in which they were read."""

    def __len__(self) -> int:
        return len(self.column)

    @cached_property
    def values(self) -> Floats:
        """The numbers: NaN if a value is missing, infinity if it is no number."""
        return numbers_of(self.column)

    def text(self, row: int) -> str:
        """A value as it is written."""
        return texts_of(self.column[row : row + 1])[0]

    def refuse(self, *problems: Problem) -> None:
        """Raise for the first row that has a problem; if it has several, the first of them."""
        found = [(int(one.where.argmax()), k) for k, one in enumerate(problems) if one.where.any()]
        if found:
            row, k = min(found)
            names = {"measure": self.measures.at(row), "topic": self.topics.at(row), "system": self.systems.at(row)}
            what = problems[k].what.format(**names, text=self.text(row))
            raise FormatError(self.path, int(self.lines[row]), what, *filter(None, [problems[k].remedy]))


@dataclass(frozen=True, eq=False)
class Part:
    """Scores by measure, system and topic, in an array."""

    measures: dict[str, int]
    """The row of each measure, or -1 if its scores are left out."""
    systems: list[str]
    topics: list[str]
    scores: Floats
    """Measures by systems by topics, with NaN where there is no score."""
    present: Mask | None = None
    """Where there was a cell, be it empty; None for all of a system."""

    @classmethod
    def of(cls, cells: Cells, kept: Mask, measures: Iterable[str]) -> Part:
        """The cells of some rows; `measures` are all that the source has."""
        names = [one.among(kept) for one in (cells.measures, cells.systems, cells.topics)]
        scores = np.full([len(one.names) for one in names], nan)
        places = tuple(one.codes for one in names)
        scores[places] = cells.values[kept]
        present = np.zeros(scores.shape, dtype=np.bool_)
        present[places] = True
        rows = dict.fromkeys(measures, -1) | {name: k for k, name in enumerate(names[0].names)}
        return cls(rows, names[1].names, names[2].names, scores, present)

    @classmethod
    def of_system(cls, values: dict[str, dict[str, float]], topics: Iterable[str]) -> Part:
        """The scores of one system, {measure: {topic: score}}."""
        columns = list(topics)
        rows = [[[of_measure.get(topic, nan) for topic in columns]] for of_measure in values.values()]
        scores = np.array(rows, dtype=np.float64).reshape(len(values), 1, len(columns))
        return cls({name: k for k, name in enumerate(values)}, [""], columns, scores)

    def has(self, cells: Cells) -> Mask:
        """Whether there is a cell here for each of some cells."""
        assert self.present is not None
        systems, topics = ({name: k for k, name in enumerate(names)} for names in (self.systems, self.topics))
        places = [
            np.array([place.get(name, -1) for name in one.names], dtype=np.intp)[one.codes]
            for place, one in zip((self.measures, systems, topics), (cells.measures, cells.systems, cells.topics))
        ]
        known = np.logical_and.reduce([place >= 0 for place in places])
        known[known] = self.present[tuple(place[known] for place in places)]
        found: Mask = known
        return found


def repetitions(cells: Cells, kept: Mask) -> Mask:
    """Which of the kept cells have the measure, the system and the topic of one before."""
    names = [cells.measures, cells.systems, cells.topics]
    key = np.zeros(np.count_nonzero(kept), dtype=np.int64)
    for one in names:
        key = key * len(one.names) + one.codes[kept]
    again = np.ones(key.size, dtype=np.bool_)
    again[np.unique(key, return_index=True)[1]] = False
    mask = np.zeros(len(cells), dtype=np.bool_)
    mask[kept] = again
    return mask
