"""The content of one file, read once, so that its format can be told before it is parsed; also from a pipe."""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from .._kernel.evaluation import parsed
from ._lines import GZIP_MAGIC, NUMBER, numbered, open_binary
from ._paths import STANDARD_INPUT, FilePath, shown_path, stem

if TYPE_CHECKING:
    from .._kernel.evaluation import Codes, Numbers

T = TypeVar("T")

FIRST = 5
"""How many lines tell what a file is."""


@dataclass(frozen=True, eq=False)
class CodedLines:
    """Lines of evaluation output, each with two names and a value.

    Attributes
    ----------
    names : list of list of str
        The names in the first and in the second place, each in the order of the lines.
    codes : numpy.ndarray
        Two rows: the names of each value, by their indices in `names`.
    values : numpy.ndarray
        The values that are numbers and no averages.
    others : list of tuple
        The other lines: their numbers, their two names and the texts of their values.
    first : list of tuple
        The first lines, as `Content.lines` has them.
    """

    names: list[list[str]]
    codes: Codes
    values: Numbers
    others: list[tuple[int, str, str, str]]
    first: list[tuple[int, str]]

    def swapped(self) -> CodedLines:
        """The same lines with the second name first."""
        others = [(line, two, one, text) for line, one, two, text in self.others]
        return replace(self, names=self.names[::-1], codes=self.codes[::-1], others=others)


@dataclass(frozen=True, eq=False)
class Content:
    """A file that was read.

    Attributes
    ----------
    path : path
        The file, or ``"-"`` for standard input.
    data : bytes
        What it holds; gzipped if the file is.
    """

    path: FilePath
    data: bytes
    answers: dict[Callable[[Content], Any], Any] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, path: FilePath) -> Content:
        """Read a file; standard input is read the first time only."""
        if os.fspath(path) == STANDARD_INPUT:
            return standard_input()
        with open_binary(path) as file:
            return cls(path, file.read())

    @property
    def name(self) -> str:
        """What messages call the file."""
        return shown_path(self.path)

    @property
    def stem(self) -> str:
        """The name of the file without its folder and its extension."""
        return stem(self.path)

    def once(self, question: Callable[[Content], T]) -> T:
        """What a function says of the content; it is called only once."""
        if question not in self.answers:
            self.answers[question] = question(self)
        answer: T = self.answers[question]
        return answer

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        """The lines that are not blank, with their numbers from 1."""
        data = self.data
        if b"\n" not in data and data[:2] != GZIP_MAGIC:
            data = data.replace(b"\r", b"\n")  # the line ends of old Macs, and of some spreadsheets
        return list(numbered(io.BufferedReader(io.BytesIO(data)), self.path))

    @cached_property
    def coded(self) -> CodedLines | None:
        """The lines, if all have two names and a value, in ASCII, and end with a newline; None otherwise.

        No line is blank, and none needs to be looked at again to know that it is text.
        """
        data = unpacked(self)
        if len(data[: data.find(b"\n") + 1].split()) != 3 or (found := parsed(data, 2)) is None:
            return None
        return CodedLines(*found, [(k, line.decode()) for k, line in enumerate(islice(io.BytesIO(data), FIRST), 1)])

    @cached_property
    def first(self) -> list[tuple[int, str]]:
        """The first of `lines`; if they tell that the file is no text, it is refused even if these are."""
        return self.lines[:FIRST] if self.coded is None else self.coded.first

    @property
    def ends_with_newline(self) -> bool:
        return not self.lines or self.lines[-1][1].endswith("\n")


def unpacked(content: Content) -> bytes:
    """The bytes of a file, plain or gzipped; nothing if they must be read line by line."""
    data = content.data
    if data[:2] == GZIP_MAGIC:
        try:
            data = gzip.decompress(data)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            return b""
    # A byte order mark is no part of the first topic.
    return b"" if data.startswith(BOM_UTF8) else data


@cache
def standard_input() -> Content:
    with open_binary(STANDARD_INPUT) as file:
        return Content(STANDARD_INPUT, file.read())


# Numbers with more decimals are written in full, and so with varying numbers of them.
MOST_FIXED_DECIMALS = 10


def may_be_cut(last: str, others: Iterable[str]) -> bool:
    """Whether the last number of a file that has no newline at its end may be the beginning of a longer one.

    It is complete if the other numbers of the file that have decimals are all written with as many.

    Examples
    --------
    >>> may_be_cut("0.25", ["0.1250", "0.5000"]), may_be_cut("0.2500", ["0.1250", "1.0000"])
    (True, False)
    """
    if not FIXED.fullmatch(last):
        return True
    decimals = {len(cell.partition(".")[2]) for cell in others if NUMBER.fullmatch(cell) and "." in cell}
    own = len(last.partition(".")[2])
    return decimals != {own} or own > MOST_FIXED_DECIMALS


FIXED = re.compile(r"[+-]?[0-9]*\.[0-9]+")
NOT_ENDED = (
    "the last line has no newline at its end, and its value may have been cut: add a newline if the file is complete"
)
