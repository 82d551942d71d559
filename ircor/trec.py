"""Reads TREC's files: ranked runs and relevance judgments.

A file is read whole or not at all: whatever is malformed, doubled or cut off is an error that names the file and the
line.  Plain and gzipped files are told apart by their content.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pandas

Path: TypeAlias = str | os.PathLike[str]


class FormatError(ValueError):
    """A file that is not what it should be; the message begins with its name and the line."""

    def __init__(self, path: Path, line: int, what: str) -> None:
        super().__init__(f"{os.fspath(path)}:{line}: {what}")


def read_run(path: Path) -> pandas.DataFrame:
    """Read a ranked run: lines of topic, Q0, document, rank, score and the run's name.

    Parameters
    ----------
    path : path
        The file, plain or gzipped.

    Returns
    -------
    pandas.DataFrame
        The columns topic, doc, rank, score and run, in the file's order.  Topics and documents are strings.

    Raises
    ------
    FormatError
        If a line does not have six fields, a rank is not a whole number or a score not a finite one, a topic has a
        document twice, or there are two runs in the file.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.txt")
    ...     with open(path, "w") as file:
    ...         _ = file.write("301 Q0 FT911-1 1 7.25 mine\\n301 Q0 FT911-9 2 6.5 mine\\n")
    ...     read_run(path)
      topic      doc  rank  score   run
    0   301  FT911-1     1   7.25  mine
    1   301  FT911-9     2   6.50  mine
    """
    from pandas import DataFrame

    rows = []
    run = None
    refuse_double = Doubles(path)
    for number, (topic, _, doc, rank, score, name) in records(path, "topic Q0 doc rank score run"):
        if run not in (None, name):
            raise FormatError(path, number, f"this line is of run {name!r}, and those above are of {run!r}")
        run = name
        refuse_double(number, topic, doc)
        rows.append((topic, doc, whole(path, number, "rank", rank), real(path, number, "score", score), name))
    table = DataFrame(rows, columns=["topic", "doc", "rank", "score", "run"])
    return table.astype({"rank": "int64", "score": "float64"})


def read_qrels(path: Path) -> pandas.DataFrame:
    """Read relevance judgments: lines of topic, iteration, document and relevance.

    Parameters
    ----------
    path : path
        The file, plain or gzipped.

    Returns
    -------
    pandas.DataFrame
        The columns topic, doc and relevance, in the file's order.  Topics and documents are strings.

    Raises
    ------
    FormatError
        If a line does not have four fields, a relevance is not a whole number, or a topic has a document twice.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "qrels.txt")
    ...     with open(path, "w") as file:
    ...         _ = file.write("301 0 FT911-1 1\\n301 0 FT911-9 0\\n")
    ...     read_qrels(path)
      topic      doc  relevance
    0   301  FT911-1          1
    1   301  FT911-9          0
    """
    from pandas import DataFrame

    rows = []
    refuse_double = Doubles(path)
    for number, (topic, _, doc, relevance) in records(path, "topic iteration doc relevance"):
        refuse_double(number, topic, doc)
        rows.append((topic, doc, whole(path, number, "relevance", relevance)))
    return DataFrame(rows, columns=["topic", "doc", "relevance"]).astype({"relevance": "int64"})


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a plain or gzipped file that are not blank, numbered from 1."""
    number = 0
    try:
        # Opened once, for it may be a pipe.
        with open(path, "rb") as file:
            content: Any = gzip.GzipFile(fileobj=file) if file.peek(2)[:2] == b"\x1f\x8b" else file
            for number, line in enumerate(content, 1):
                text = line.decode()
                if number == 1:
                    text = text.removeprefix("\ufeff")
                if "\0" in text:
                    raise FormatError(path, number, "this is not text")
                if text.strip():
                    yield number, text
    except UnicodeDecodeError:
        raise FormatError(path, number, "this is not text in UTF-8") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(path, number + 1, f"the gzipped file is damaged or cut off: {error}") from None


def records(path: Path, fields: str) -> Iterator[tuple[int, list[str]]]:
    """The lines split at blanks, each with as many parts as there are fields."""
    count = len(fields.split())
    for number, line in lines(path):
        # Unicode has more blanks than TREC.
        parts = re.split(r"[ \t\r\n]+", line.strip(" \t\r\n"))
        if len(parts) != count:
            fields_found = "1 field" if len(parts) == 1 else f"{len(parts)} fields"
            raise FormatError(path, number, f"{fields_found}, where there should be {count}: {fields}")
        yield number, parts


def whole(path: Path, number: int, name: str, text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise FormatError(path, number, f"the {name} must be a whole number, not {text!r}")
    return int(text)


def real(path: Path, number: int, name: str, text: str) -> float:
    # Python's float takes more than this.
    if re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text) and isfinite(value := float(text)):
        return value
    raise FormatError(path, number, f"the {name} must be a finite number, not {text!r}")


class Doubles:
    """Refuses a document that a topic has already."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seen: set[tuple[str, str]] = set()

    def __call__(self, number: int, topic: str, doc: str) -> None:
        if (topic, doc) in self.seen:
            raise FormatError(self.path, number, f"document {doc!r} is there a second time for topic {topic!r}")
        self.seen.add((topic, doc))
