"""Columns of numbers with the names of the items: the one reader for all commands that take such a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._extras import extra
from .._fields import is_average, kind_of
from ._content import Content
from ._formats import read_grid
from ._grid import MISSING_CELLS
from ._layout import without_row_numbers
from ._lines import WHOLE_NUMBER, first_repeated, parse_real
from ._paths import FilePath

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas


def read_columns(path: FilePath) -> pandas.DataFrame:
    """Read a table of items: its columns of numbers, with the items' names as the index.

    Parameters
    ----------
    path : path
        Comma- or tab-separated values whose first line has the names of the columns, a JSON object in each line, or
        Parquet; plain or gzipped; ``"-"`` is standard input.  Items are named by the first column if it has no name or
        the name of an identifier (id, item, or a usual name for topics, systems or documents), otherwise by the first
        column of text, otherwise by number from 1.  Other columns of text are left out.

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
    pd = extra("pandas", "reading files")

    grid = without_row_numbers(read_grid(Content.of(path)))
    lines = [line for line, _ in grid.rows]
    label = 0 if is_identifier(grid.header[0]) else None
    numbers = {}
    for k, name in enumerate(grid.header):
        if k == label:
            continue
        if grid.has_numbers(k):
            numbers[name] = to_numbers(path, lines, name, grid.column(k))
        elif label is None:
            label = k
    if not lines or not numbers:
        raise grid.error("there is no column of numbers")
    if label is None:
        return pd.DataFrame(numbers, index=pd.Index([str(k) for k in range(1, len(lines) + 1)]))
    items = grid.column(label)
    for line, item in zip(lines, items):
        if is_average(item):
            raise grid.error(f"{item!r} is not an item: leave out averages", line)
    if (repeated := first_repeated(items)) is not None:
        raise grid.error(f"item {items[repeated]!r} is repeated", lines[repeated])
    return pd.DataFrame(numbers, index=pd.Index(items, name=grid.header[label]))


def is_identifier(name: str) -> bool:
    """Whether a first column of this name identifies the items, even if its cells are numbers."""
    return name.lower() in ("", "id") or kind_of(name) in ("topic", "system", "document")


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
