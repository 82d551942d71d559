"""Files: paths expanded, the lines and fields of what was read, and the error that names file and line."""

from __future__ import annotations

import glob
import gzip
import io
import os
import re
import sys
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, wraps
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from .._kernel.evaluation import parsed
from .errors import InvalidValueError, IrcorError, Part, Parts, Setting, Source
from .files import FilePath
from .text import counted

if TYPE_CHECKING:
    from .._kernel.evaluation import Codes, Numbers

STANDARD_INPUT = "-"
"""The path that stands for standard input."""


def expand_paths(paths: FilePath | Iterable[FilePath]) -> list[str]:
    """Replace folders by the files in them, and patterns by the files that match.

    Hidden files are skipped.  A path that does not exist is returned unchanged, so that opening it names it.
    """
    return [path for path, _ in expanded_paths(paths)]


def expanded_paths(paths: FilePath | Iterable[FilePath]) -> list[tuple[str, bool]]:
    """The paths as `expand_paths` returns them, each with whether it was found in a folder rather than named."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    expanded: list[tuple[str, bool]] = []
    for path in [os.fspath(one) for one in given]:
        if os.path.isdir(path):
            files = sorted(
                entry.path for entry in os.scandir(path) if entry.is_file() and not entry.name.startswith(".")
            )
            if not files:
                raise InvalidValueError(None, f"the folder {path} has no files")
        elif os.path.exists(path) or not glob.has_magic(path):
            files = [path]
        elif not (files := sorted(name for name in glob.glob(path) if os.path.isfile(name))):
            raise InvalidValueError(None, f"no file matches {path}")
        expanded += [(file, file != path) for file in files]
    if not expanded:
        raise InvalidValueError(None, "there are no files to read", "the list of paths is empty")
    return expanded


UNNAMED = "unnamed"
"""The system of scores in memory that name none."""


@dataclass(frozen=True)
class Held:
    """The place of what is in memory, in messages: the name of an argument, and the keys of each row, if it has any."""

    name: str
    keys: Sequence[tuple[str, ...]] = ()

    def parts(self, row: int) -> tuple[Part, ...]:
        """The argument and a row, or the keys of a value; without a row, the argument."""
        keys = "".join(f"[{key!r}]" for key in self.keys[row - 1]) if row and self.keys else ""
        return (Source(self.name), keys or (f", row {row}" if row else ""), ": ")


Place: TypeAlias = "FilePath | Held"
"""A file, or what is in memory."""


def stem(path: Place) -> str:
    """The name of a file without its folder and its extension; ``.gz`` does not count as one."""
    if isinstance(path, Held):
        return UNNAMED
    name = os.path.basename(os.fspath(path)).removesuffix(".gz")
    return "stdin" if name == STANDARD_INPUT else os.path.splitext(name)[0]


def shown_path(path: Place) -> str:
    """A file or an argument in messages."""
    if isinstance(path, Held):
        return path.name
    return "standard input" if os.fspath(path) == STANDARD_INPUT else os.fspath(path)


GZIP_MAGIC = b"\x1f\x8b"
# What files begin with that are neither text nor gzipped, and what to do with them.
OTHER_KINDS = {
    b"\xff\xfe": ", but in UTF-16: save it as UTF-8",
    b"\xfe\xff": ", but in UTF-16: save it as UTF-8",
    b"PK\x03\x04": ", but a zip archive or a spreadsheet: unpack it, or export the sheet as CSV",
    b"BZh": ", but compressed by bzip2: unpack it",
    b"\xfd7zXZ": ", but compressed by xz: unpack it",
}

# Python's float and int accept more: "nan", "1_0" and the digits of other scripts.
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+")

# str.split also splits at blanks that TREC's tools allow in names, such as the no-break space.
BLANKS = " \t\r\n"
SEPARATOR = re.compile(f"[{BLANKS}]+")


class FormatError(IrcorError, ValueError):
    """A file, or a table in memory, does not have the expected format.

    The message begins with the file and the line, ``run.txt:12: ...``, or with the argument and the row.

    Attributes
    ----------
    path : path
        The file; of what is in memory, an object with the name of the argument.
    line : int
        The line or the row; 0 if it is about what is in memory as a whole.
    remedies : tuple
        Ways to mend it, each in the form of `problem`; any of them helps.
    has : str
        The format that the file has, by its name for `sniff`, if it is one without scores; otherwise "".
    """

    def __init__(self, path: Place, line: int, problem: Parts, *remedies: Parts, has: str = "") -> None:
        self.remedies = tuple((one,) if isinstance(one, str) else tuple(one) for one in remedies)
        joined = [part for one in self.remedies for part in (", or ", *one)]
        super().__init__(None, problem, joined[1:])
        self.args = (path, line, problem, *remedies)
        self.path, self.line, self.has = path, line, has

    @property
    def parts(self) -> tuple[Part, ...]:
        if isinstance(self.path, Held):
            return (*self.path.parts(self.line), *super().parts)
        return (f"{shown_path(self.path)}:{self.line}: ", *super().parts)

    def without(self, argument: str) -> FormatError:
        """The error without the remedies that set an argument, for a caller that does not have it."""
        kept = [
            one for one in self.remedies if not any(isinstance(part, Setting) and part.name == argument for part in one)
        ]
        return FormatError(self.path, self.line, self.problem, *kept, has=self.has)


def numbered_lines(file: Any, path: Place) -> Iterator[tuple[int, str]]:
    """The lines of an open file, plain or gzipped, that are not blank, with their numbers from 1."""
    number = 0
    hint = next((text for magic, text in OTHER_KINDS.items() if file.peek(6).startswith(magic)), "")
    try:
        content: Any = gzip.GzipFile(fileobj=file) if file.peek(2)[:2] == GZIP_MAGIC else file
        for number, line in enumerate(content, 1):
            text = line.decode()
            if number == 1:
                text = text.removeprefix("\ufeff")
            if "\0" in text:
                raise FormatError(path, number, "this is not a text file: it has a null byte")
            if text.strip():
                yield number, text
    except UnicodeDecodeError:
        raise FormatError(path, number, f"this is not text in UTF-8{hint}") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(path, number + 1, f"the gzipped file is damaged or truncated: {error}") from None


def split_line(line: str) -> list[str]:
    """The fields of a line that are separated by spaces and tabs."""
    return SEPARATOR.split(line.strip(BLANKS))


def first_repeated(values: Iterable[Hashable]) -> int | None:
    """The index of the first value that is equal to one before it, or None."""
    seen = set()
    for k, value in enumerate(values):
        if value in seen:
            return k
        seen.add(value)
    return None


def parse_whole(path: Place, line: int, name: str, text: str) -> int:
    """Convert a field to an int of at most 18 digits, which fits into 64 bits."""
    if WHOLE_NUMBER.fullmatch(text) and len(text.lstrip("+-")) <= 18:
        return int(text)
    raise FormatError(path, line, f"the {name} must be a whole number of at most 18 digits, not {text!r}")


def parse_real(path: Place, line: int, name: str, text: str) -> float:
    """Convert a field to a finite float."""
    if NUMBER.fullmatch(text) and isfinite(value := float(text)):
        return value
    raise FormatError(path, line, not_a_number(name, repr(text)))


def not_a_number(name: str, text: str) -> str:
    return f"the {name} must be a finite number, not {text}"


def by_column(rows: Iterable[tuple[int, list[str]]], count: int) -> tuple[list[int], list[list[str]]]:
    """The numbers of rows, and their cells in so many columns."""
    kept = list(rows)
    columns = [list(column) for column in zip(*(row for _, row in kept))]
    return [line for line, _ in kept], columns or [[] for _ in range(count)]


T = TypeVar("T")

FIRST = 5
"""How many lines tell what a file is."""


@dataclass(frozen=True, eq=False)
class CodedLines:
    """Lines of evaluation output, each with two names and a value."""

    names: list[list[str]]
    """The names in the first and in the second place, each in the order of the lines."""
    codes: Codes
    """Two rows: the names of each value, by their indices in `names`."""
    values: Numbers
    """The values that are numbers and no averages."""
    others: list[tuple[int, str, str, str]]
    """The other lines: their indices, their two names and the texts of their values."""
    numbers: Sequence[int]
    """The number of each line."""

    def swapped(self) -> CodedLines:
        """The same lines with the second name first."""
        others = [(line, two, one, text) for line, one, two, text in self.others]
        return replace(self, names=self.names[::-1], codes=self.codes[::-1], others=others)


@dataclass(frozen=True, eq=False)
class Content:
    """A file that was read, or an object in memory."""

    path: Place
    """The file, or ``"-"`` for standard input; or the argument that has the object."""
    data: bytes
    """Its bytes; gzipped if the file is."""
    held: Any = None
    """The object, or None for a file."""
    answers: dict[Callable[[Content], Any], Any] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, path: FilePath) -> Content:
        """Read a file; standard input is read the first time only."""
        if os.fspath(path) == STANDARD_INPUT:
            return standard_input()
        with open(path, "rb") as file:
            return cls(path, file.read())

    @classmethod
    def held_as(cls, held: Any, name: str) -> Content:
        """An object in memory, by its name in messages."""
        return cls(Held(name), b"", held)

    @property
    def name(self) -> str:
        """The file or the argument in messages."""
        return shown_path(self.path)

    @property
    def stem(self) -> str:
        """The name of the file without its folder and its extension."""
        return stem(self.path)

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        """The lines that are not blank, with their numbers from 1; one without a number for what is in memory."""
        data = self.data
        if self.held is not None:
            return [(0, "\n")]
        if b"\n" not in data and data[:2] != GZIP_MAGIC:
            data = data.replace(b"\r", b"\n")  # the line ends of old Macs, and of some spreadsheets
        return list(numbered_lines(io.BufferedReader(io.BytesIO(data)), self.path))

    @cached_property
    def coded(self) -> CodedLines | None:
        """The lines, if all have two names and a value, in ASCII, and end with a newline; None otherwise.

        No line is blank, and none needs to be looked at again to know that it is text.
        """
        data = unpacked(self)
        if len(data[: data.find(b"\n") + 1].split()) != 3 or (arrays := parsed(data, 2)) is None:
            return None
        names, codes, values, others = arrays
        others = [(line - 1, one, two, text) for line, one, two, text in others]
        return CodedLines(names, codes, values, others, range(1, len(values) + len(others) + 1))

    @cached_property
    def first(self) -> list[tuple[int, str]]:
        """The first of `lines`; if they tell that the file is no text, it is refused even if these are."""
        if self.coded is None:
            return self.lines[:FIRST]
        return [(k, line.decode()) for k, line in enumerate(islice(io.BytesIO(unpacked(self)), FIRST), 1)]

    def fields(self, names: str, hints: Mapping[int, str] | None = None) -> Iterator[tuple[int, list[str]]]:
        """The fields of each line, separated by spaces and tabs, with the line's number.

        Each line must have as many as there are names; the hints are questions about lines with other numbers of them.
        """
        count = len(names.split())
        for number, line in self.lines:
            parts = split_line(line)
            if len(parts) != count:
                hint = f": {hints[len(parts)]}" if hints and len(parts) in hints else ""
                raise self.error(f"expected {counted(count, 'field')} ({names}), found {len(parts)}{hint}", line=number)
            yield number, parts

    @property
    def top(self) -> int:
        """The line of errors about a file as a whole."""
        return 0 if self.held is not None else 1

    @property
    def ends_with_newline(self) -> bool:
        return not self.lines or self.lines[-1][1].endswith("\n")

    def refuse_cut(self, last: str, others: Iterable[str]) -> None:
        """Refuse a file without a newline at its end whose last number may be the beginning of a longer one."""
        if not self.ends_with_newline and may_be_cut(last, others):
            raise self.error(
                "the last line has no newline at its end, and its value may have been cut",
                "add a newline if the file is complete",
                line=self.lines[-1][0],
            )

    def error(self, problem: Parts, *remedies: Parts, line: int | None = None, has: str = "") -> FormatError:
        """The error for a line; by default for the first that is not blank."""
        return FormatError(self.path, self.lines[0][0] if line is None else line, problem, *remedies, has=has)


def once(question: Callable[[Content], T]) -> Callable[[Content], T]:
    """Make a function look at each file only once."""

    @wraps(question)
    def answer(content: Content) -> T:
        if question not in content.answers:
            content.answers[question] = question(content)
        result: T = content.answers[question]
        return result

    return answer


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
    return Content(STANDARD_INPUT, sys.stdin.buffer.read())


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
