"""Data frames of any library, and Parquet, as tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from .._core.content import Content, FormatError, Place, first_repeated, once
from .._core.errors import InvalidTypeError, InvalidValueError, Source, must_be
from .._core.names import role_of
from .._core.options import Systems
from .._core.text import listed
from .._extras import extra
from ..scoring import Column, text_of
from ._grid import Grid, stacked, text_of_value

PARQUET_MAGIC = b"PAR1"


def read_parquet(content: Content) -> Grid:
    """A Parquet file; an index that pandas has stored is a column again.  Rows are counted from 1 in messages."""
    parquet, pyarrow = extra("pyarrow.parquet", content.name), extra("pyarrow", content.name)
    try:
        frame = parquet.read_table(pyarrow.BufferReader(content.data)).to_pandas()
    except (pyarrow.ArrowException, OSError) as error:
        raise FormatError(content.path, 1, f"the Parquet file is damaged or truncated: {error}") from None
    return frame_grid(content.path, frame, 1, partial(text_of_value, content.path))


def frame_grid(path: Place, frame: Any, top: int, text: Callable[[int, str, Any], str]) -> Grid:
    """A DataFrame of pandas as a table; an index that does more than count is a column, or several.

    `text` makes the text of a value that is neither a number nor text, from its row and its column.
    """
    by_measure = list(frame.columns.names) == ["measure", "system"]
    columns = [(label, frame.iloc[:, k]) for k, label in enumerate(frame.columns)]
    if by_measure or not (type(frame.index).__name__ == "RangeIndex" and frame.index.name is None):
        names = frame.index.names
        # Without a name, as the names of rows are in a CSV file.
        index = [("" if name is None else name, frame.index.get_level_values(k)) for k, name in enumerate(names)]
        columns = [*index, *columns]
        if by_measure and len(index) > 1:
            raise FormatError(path, top, f"the rows have several names, {listed(names)}: expected topics")
    header = [str(label).strip() for label, _ in columns]
    if (k := first_repeated(header)) is not None:
        raise FormatError(path, top, f"two columns have the name {header[k]!r}")
    cells = [cells_of(column, name, text) for name, (_, column) in zip(header, columns)]
    grid = Grid(path, header, cells, range(1, len(frame) + 1), top)
    return stacked(grid, *map(list, zip(*frame.columns))) if by_measure else grid


def cells_of(column: Any, name: str, text: Callable[[int, str, Any], str]) -> Column:
    """The cells of a column: numbers if it has a type of numbers, else text."""
    of_type = column.dtype
    # Other types of numbers may have missing values of their own, or more digits.
    if isinstance(of_type, np.dtype) and of_type.kind in "iuf" and of_type.itemsize <= 8:
        numbers: Column = column.to_numpy()
        return numbers
    values = column.to_list() if hasattr(column, "to_list") else list(column)
    kinds = set(map(type, values))
    if kinds <= {str}:
        return [value.strip() for value in values]
    missing = np.asarray(column.isna()).tolist() if hasattr(column, "isna") else [value is None for value in values]
    return ["" if absent else text(row, name, value) for row, (absent, value) in enumerate(zip(missing, values), 1)]


def read_frame(content: Content) -> Grid:
    """A data frame in memory as a table."""
    frame, path = content.held, content.path
    if hasattr(frame, "get_columns"):  # Polars
        columns = [cells_of_polars(column) for column in frame.get_columns()]
        return Grid(path, [name.strip() for name in frame.columns], columns, range(1, len(frame) + 1), 0)
    frame = pandas_frame(content)
    sides = {role_of(level) for level in frame.columns.names}
    side: Systems | None = "columns" if sides == {"system"} else "rows" if sides == {"topic"} else None
    grid = frame_grid(path, frame, 0, lambda row, name, value: text_of(value))
    return replace(grid, sides=side, measure=frame.attrs.get("measure", ""))


def cells_of_polars(column: Any) -> Column:
    if column.dtype.is_float() or (column.dtype.is_integer() and not column.null_count()):
        values: Column = column.fill_null(float("nan")).to_numpy() if column.null_count() else column.to_numpy()
        return values
    return list(map(text_of, column.to_list()))


@once
def pandas_frame(content: Content) -> Any:
    """A data frame of a library other than Polars, or a Series, as a DataFrame of pandas."""
    frame, name = content.held, Source(content.name)
    if is_lazy(frame):
        raise InvalidTypeError(
            name, f"is a {type(frame).__name__}, which has no rows yet", "compute or collect it first"
        )
    if not hasattr(frame, "columns") and hasattr(frame, "to_frame"):
        frame = frame.to_frame(*(["score"] if frame.name is None else []))
    if not hasattr(frame, "iloc") and hasattr(frame, "to_pandas"):
        frame = frame.to_pandas()
    if not hasattr(frame, "iloc") and hasattr(frame, "__arrow_c_stream__"):
        frame = extra("pyarrow", "reading a table in Arrow's format").table(frame).to_pandas()
    if not hasattr(frame, "iloc"):
        raise InvalidTypeError(name, must_be("a data frame in memory", frame))
    if frame.columns.nlevels > 1 and list(frame.columns.names) != ["measure", "system"]:
        what = f"has columns of the levels {listed(map(str, frame.columns.names))}"
        raise InvalidValueError(name, what, "those of scores are measure and system")
    for k, of_type in enumerate(frame.dtypes):
        label, kinds = frame.columns[k], getattr(getattr(of_type, "categories", None), "dtype", None)
        if getattr(kinds, "kind", "O") in "iufb" and role_of(label) not in ("topic", "system"):
            what = f"has categories of type {kinds} in the column {label!r}, which are no scores"
            raise InvalidTypeError(name, what)
    return frame


def is_frame(source: object) -> bool:
    """Whether it is a data frame, a Series, or anything else with columns."""
    return is_lazy(source) or any(hasattr(source, name) for name in ("columns", "to_frame", "__arrow_c_stream__"))


def is_lazy(source: object) -> bool:
    """Whether it is a data frame that has no rows yet."""
    return hasattr(source, "compute") or (hasattr(source, "collect") and not hasattr(source, "__len__"))
