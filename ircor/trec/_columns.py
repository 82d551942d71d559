"""Columns of numbers with the names of the items: the one reader for all commands that take such a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._delimited import MISSING_CELLS, header_and_rows
from ._lines import NUMBER, WHOLE_NUMBER, FormatError, first_repeated, parse_real
from ._paths import FilePath

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas

# Names of a first column that identifies the items even if its cells are numbers, in lower case.
IDENTIFIERS = {"", "doc", "document", "id", "item", "name", "qid", "query", "run", "runid", "run_id", "system", "topic"}


def read_columns(path: FilePath) -> pandas.DataFrame:
    """Read a table of items: its columns of numbers, with the items' names as the index.

    Parameters
    ----------
    path : path
        Comma- or tab-separated values, plain or gzipped.  The first line has the names of the columns.  Items are named
        by the first column if it has no name or the name of an identifier (doc, document, id, item, name, qid, query,
        run, runid, run_id, system or topic), otherwise by the first column of text, otherwise by number from 1.  Other
        columns of text are left out.

    Returns
    -------
    pandas.DataFrame
        Items by columns.  A column is int64 if all its cells are whole numbers that fit, otherwise float64.

    Raises
    ------
    FormatError
        If two columns or two items have the same name, if a row has more or fewer fields than the first line, if a
        column mixes numbers and text, or if there is no column of numbers.

    Notes
    -----
    These cells are missing values, which become NaN: the empty cell, NA, N/A, n/a, <NA>, #N/A, #N/A N/A, #NA, NaN, nan,
    -NaN, -nan, NULL, null, None, 1.#IND, -1.#IND, 1.#QNAN and -1.#QNAN.  They are the ones of pandas, and include those
    of R's ``read.csv``.

    Examples
    --------
    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "scores.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("system,map,P_10\\nA,0.25,0.3\\nB,0.5,0.4\\n")
    ...     read_columns(path).loc["B"].to_dict()
    {'map': 0.5, 'P_10': 0.4}
    """
    from pandas import DataFrame, Index

    names, rows = header_and_rows(path)
    lines, cells = [], []
    for line, row in rows:
        lines.append(line)
        cells.append(row)
    label = 0 if names[0].lower() in IDENTIFIERS else None
    numbers = {}
    for k, name in enumerate(names):
        if k == label:
            continue
        column = [row[k] for row in cells]
        if is_numeric(path, lines, name, column):
            numbers[name] = to_numbers(path, lines, name, column)
        elif label is None:
            label = k
    if not cells or not numbers:
        raise FormatError(path, 1, "there is no column of numbers")
    if label is None:
        return DataFrame(numbers, index=Index([str(k) for k in range(1, len(cells) + 1)]))
    items = [row[label] for row in cells]
    if (repeated := first_repeated(items)) is not None:
        raise FormatError(path, lines[repeated], f"item {items[repeated]!r} is repeated")
    return DataFrame(numbers, index=Index(items, name=names[label]))


def is_numeric(path: FilePath, lines: list[int], name: str, column: list[str]) -> bool:
    """Whether a column has numbers or nothing, rather than text; a column that mixes them is refused."""
    present = [k for k, cell in enumerate(column) if cell not in MISSING_CELLS]
    texts = [k for k in present if not NUMBER.fullmatch(column[k])]
    if 0 < len(texts) < len(present):
        what = f"{column[texts[0]]!r} in column {name!r} is not a number, but other cells of the column are"
        raise FormatError(path, lines[texts[0]], what)
    return not texts


def to_numbers(path: FilePath, lines: list[int], name: str, column: list[str]) -> npt.NDArray[np.int64 | np.float64]:
    """Convert the cells of a column to int64 if that is exact, otherwise to float64 with NaN for missing values."""
    if all(map(WHOLE_NUMBER.fullmatch, column)):
        try:
            return np.array([int(cell) for cell in column], dtype=np.int64)
        except OverflowError:
            pass
    numbers = [
        np.nan if cell in MISSING_CELLS else parse_real(path, line, f"value in column {name!r}", cell)
        for line, cell in zip(lines, column)
    ]
    return np.array(numbers, dtype=np.float64)
