"""Tables of scores: topics by systems, or one score in each row."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from math import nan
from typing import TYPE_CHECKING, TypeAlias

from ._collector import Missing, ScoreCollector
from ._delimited import MISSING_CELLS, header_and_rows, refuse_repeated_columns, split_rows
from ._lines import FormatError, parse_real
from ._paths import FilePath

if TYPE_CHECKING:
    import pandas

# Names of columns, in lower case: those of a table in long form, and those of a first column that names systems.
LONG_FORM = {"system", "topic", "value"}
SYSTEM_NAMES = {"item", "name", "run", "runid", "run_id", "system"}

Rows: TypeAlias = Iterable[tuple[int, list[str]]]
Cell: TypeAlias = tuple[int, str, str, str, str]
"""Line, measure, topic, system and the text of the value."""


def read_table(path: FilePath, measure: str | None = None, *, missing: Missing = "error") -> pandas.DataFrame:
    """Read a table of scores from a file of comma- or tab-separated values.

    Parameters
    ----------
    path : path
        The file, plain or gzipped.  Its first line has the names of the columns.  There are two forms:

        - wide: the first column has the topics, and each of the other columns has the scores of a system;
        - long: each row has one score, in the columns system, topic, value and optionally measure, in any order.

        A wide table must not have a row of averages.  In long form, rows of the topic "all" are skipped.
    measure, missing
        As for `read_eval`.  The cells that stand for a missing value are listed under `read_columns`.

    Returns
    -------
    pandas.DataFrame
        As from `read_eval`.

    Raises
    ------
    FormatError, ValueError
        As from `read_eval`.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "scores.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("topic,one,two\\n401,0.25,0.75\\n402,0.5,0.125\\n")
    ...     read_table(path).loc["402"].to_dict()
    {'one': 0.5, 'two': 0.125}
    """
    scores = ScoreCollector(measure, missing)
    header, rows = header_and_rows(path)
    names = [name.lower() for name in header]
    if ";" in header[0]:
        raise FormatError(path, 1, "the fields are separated by semicolons: use commas or tabs")
    long = is_long_header(header)
    if long:
        refuse_repeated_columns(path, 1, names)
    else:
        check_wide_header(path, header)
    if measure is not None and not (long and "measure" in names):
        raise ValueError(f"{os.fspath(path)} does not name its measure, so measure={measure!r} cannot be chosen")
    cells = long_cells(names, rows) if long else wide_cells(header, rows)
    for line, name, topic, system, text in cells:
        if topic.lower() in ("all", "average", "mean"):
            raise FormatError(path, line, f"{topic!r} is not a topic: leave out averages")
        if not topic or not system:
            raise FormatError(path, line, f"the {'system' if topic else 'topic'} is missing")
        value = nan if text in MISSING_CELLS else parse_real(path, line, "value", text)
        if not scores.add(name, topic, system, value):
            what = f"{name} of system" if name else "system"
            raise FormatError(path, line, f"{what} {system!r} for topic {topic!r} is repeated")
    if not scores.measures:
        raise FormatError(path, 1, "the table has no scores")
    return scores.table()


def is_long(path: FilePath) -> bool:
    """Whether the columns of a table are those of the long form."""
    _, header = next(split_rows(path), (1, []))
    return is_long_header(header)


def is_long_header(header: list[str]) -> bool:
    return {name.lower() for name in header} >= LONG_FORM


def check_wide_header(path: FilePath, header: list[str]) -> None:
    first, *others = (name.lower() for name in header)
    if first in SYSTEM_NAMES or {"topic", "system", "measure"} & set(others):
        what = "expected topics in the first column and systems in the others, or the columns system, topic and value"
        raise FormatError(path, 1, what)
    if not others:
        what = "there is only one column: expected topics and systems, separated by commas or tabs"
        raise FormatError(path, 1, what)
    if "" in others:
        raise FormatError(path, 1, f"column {header.index('') + 1} has no name: expected the name of a system")


def long_cells(names: list[str], rows: Rows) -> Iterator[Cell]:
    """The scores of a table in long form, without averages."""
    for line, row in rows:
        cell = dict(zip(names, row))
        if cell["topic"] != "all":
            yield line, cell.get("measure", ""), cell["topic"], cell["system"], cell["value"]


def wide_cells(header: list[str], rows: Rows) -> Iterator[Cell]:
    """The scores of a table of topics by systems."""
    for line, (topic, *values) in rows:
        for system, value in zip(header[1:], values):
            yield line, "", topic, system, value
