"""The content of one file, read once, so that its format can be told before it is parsed; also from a pipe."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

from ._lines import GZIP_MAGIC, NUMBER, numbered, open_binary
from ._paths import STANDARD_INPUT, FilePath, shown_path, stem


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

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        """The lines that are not blank, with their numbers from 1."""
        data = self.data
        if b"\n" not in data and data[:2] != GZIP_MAGIC:
            data = data.replace(b"\r", b"\n")  # the line ends of old Macs, and of some spreadsheets
        return list(numbered(io.BufferedReader(io.BytesIO(data)), self.path))

    @property
    def ends_with_newline(self) -> bool:
        return not self.lines or self.lines[-1][1].endswith("\n")


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
