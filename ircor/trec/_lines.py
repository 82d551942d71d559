"""Lines of plain or gzipped text files, the fields of a line, and the numbers in them."""

from __future__ import annotations

import gzip
import os
import re
import sys
import zlib
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from math import isfinite
from typing import Any

from .._text import counted
from ._paths import STANDARD_INPUT, FilePath, shown_path

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


class FormatError(ValueError):
    """A file does not have the expected format.

    The message begins with the file and the line: ``run.txt:12: ...``.
    """

    def __init__(self, path: FilePath, line: int, what: str) -> None:
        super().__init__(f"{shown_path(path)}:{line}: {what}")
        self.line, self.what = line, what


def lines(path: FilePath) -> Iterator[tuple[int, str]]:
    """Yield the lines of a plain or gzipped file that are not blank, with their numbers from 1."""
    # Opened once: a pipe cannot be opened again after looking at its first bytes.
    with open_binary(path) as file:
        yield from numbered(file, path)


def numbered(file: Any, path: FilePath) -> Iterator[tuple[int, str]]:
    """Yield the lines of an open file, plain or gzipped, as `lines` does."""
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


def open_binary(path: FilePath) -> AbstractContextManager[Any]:
    """Open a file to read its bytes; ``"-"`` is standard input, which stays open."""
    return nullcontext(sys.stdin.buffer) if os.fspath(path) == STANDARD_INPUT else open(path, "rb")


def records(path: FilePath, fields: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each line, separated by spaces and tabs, with the line's number.

    Parameters
    ----------
    path : path
        The file.
    fields : str
        The names of the fields, separated by spaces.  Each line must have as many.
    """
    yield from split_lines(lines(path), path, fields)


def split_lines(
    numbered_lines: Iterable[tuple[int, str]], path: FilePath, fields: str, hints: Mapping[int, str] | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each of these lines of a file, as `records` does; `hints` are for other numbers of fields."""
    count = len(fields.split())
    for number, line in numbered_lines:
        parts = split_line(line)
        if len(parts) != count:
            hint = (hints or {}).get(len(parts), "")
            found = f"found {len(parts)}" + (f": {hint}" if hint else "")
            raise FormatError(path, number, f"expected {counted(count, 'field')} ({fields}), {found}")
        yield number, parts


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


def parse_whole(path: FilePath, line: int, name: str, text: str) -> int:
    """Convert a field to an int of at most 18 digits, which fits into 64 bits."""
    if WHOLE_NUMBER.fullmatch(text) and len(text.lstrip("+-")) <= 18:
        return int(text)
    raise FormatError(path, line, f"the {name} must be a whole number of at most 18 digits, not {text!r}")


def parse_real(path: FilePath, line: int, name: str, text: str) -> float:
    """Convert a field to a finite float."""
    if NUMBER.fullmatch(text) and isfinite(value := float(text)):
        return value
    raise FormatError(path, line, f"the {name} must be a finite number, not {text!r}")
