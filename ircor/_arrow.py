"""Columns of lists in Arrow's memory format, as arrays of NumPy on the same memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._extras import extra
from ._vectors import from_integers, with_missing

if TYPE_CHECKING:
    import numpy.typing as npt

    Indices = npt.NDArray[np.intp]

WHAT = "a column of lists"

# The values of a list that an error shows.
SHOWN = 6

# Whole numbers of so many digits fit into 64 bits.
DIGITS_OF_INT64 = 18


@dataclass(frozen=True)
class Lists:
    """A column of lists of numbers.

    Attributes
    ----------
    values : numpy.ndarray
        The values of all lists, with NaN for nulls.  There may be others between those of two lists.
    starts, ends : numpy.ndarray
        Where each list starts and ends in `values`.
    null : numpy.ndarray of bool
        Which lists are null.
    column
        The column as Arrow has it.
    """

    values: npt.NDArray[Any]
    starts: Indices
    ends: Indices
    null: npt.NDArray[np.bool_]
    column: Any

    @classmethod
    def of(cls, column: Any, name: str) -> Lists:
        """Read a column, without a copy of its numbers unless it has chunks, nulls in its lists, or decimals."""
        column = arrow_column(column, name)
        chunks = [cls.of_chunk(chunk, name) for chunk in getattr(column, "chunks", [column])]
        if not chunks:
            return cls.of_chunk(extra("pyarrow", WHAT).array([], type=column.type), name)
        if len(chunks) == 1:
            return chunks[0]
        shifts = np.cumsum([0, *(len(chunk.values) for chunk in chunks)])
        return cls(
            np.concatenate([chunk.values for chunk in chunks]),
            np.concatenate([chunk.starts + shift for chunk, shift in zip(chunks, shifts)]),
            np.concatenate([chunk.ends + shift for chunk, shift in zip(chunks, shifts)]),
            np.concatenate([chunk.null for chunk in chunks]),
            column,
        )

    @classmethod
    def of_chunk(cls, array: Any, name: str) -> Lists:
        types = extra("pyarrow", WHAT).types
        if types.is_list(array.type) or types.is_large_list(array.type):
            # The offsets of a slice are those of its lists; the values are those of the whole.
            offsets = array.offsets.to_numpy(zero_copy_only=False)
            first, last = int(offsets[0]), int(offsets[-1])
            offsets = offsets.astype(np.intp) - first
            child = array.values.slice(first, last - first)
        elif types.is_fixed_size_list(array.type):
            size = array.type.list_size
            offsets = np.arange(len(array) + 1, dtype=np.intp) * size
            child = array.values.slice(array.offset * size, len(array) * size)
        elif types.is_null(array.type):
            offsets, child = np.zeros(len(array) + 1, dtype=np.intp), array[:0]
        else:
            raise not_lists(name, f"is an Arrow array of type {array.type}")
        null = np.asarray(array.is_null().to_numpy(zero_copy_only=False), dtype=bool)
        return cls(numbers(child, name), offsets[:-1], offsets[1:], null, array)

    def __len__(self) -> int:
        return len(self.ends)

    @property
    def sizes(self) -> Indices:
        return self.ends - self.starts

    def in_words(self, k: int) -> str:
        """A list as an error shows it."""
        values = self.column[k].as_py()
        more = [f"... ({len(values)} values)"] if len(values) > SHOWN else []
        return f"[{', '.join([*map(str, values[:SHOWN]), *more])}]"

    def packed(self, sizes: Indices) -> npt.NDArray[Any]:
        """The values without those between the lists; `sizes` are those of the lists, or 0 for lists to leave out."""
        total = int(sizes.sum())
        if total == len(self.values) and np.array_equal(self.sizes, sizes):
            return self.values
        places: Indices = np.arange(total) + np.repeat(self.starts - (np.cumsum(sizes) - sizes), sizes)
        return self.values[places]


def unzipped(column: Any) -> tuple[Any, Any]:
    """The columns x and y of lists that a column of lists of structs holds: by name, or the first and the second."""
    pa = extra("pyarrow", WHAT)
    pairs = getattr(column.type, "value_type", column.type)
    if not pa.types.is_struct(pairs) or pairs.num_fields != 2:
        raise TypeError(f"one list must have structs of two fields, x and y, but it is an Arrow array of {column.type}")
    order = [1, 0] if [field.name for field in pairs] == ["y", "x"] else [0, 1]
    found: list[list[Any]] = [[], []]
    for chunk in column.chunks:
        null = chunk.is_null().to_numpy(zero_copy_only=False)
        sizes = np.where(null, 0, np.diff(chunk.offsets.to_numpy()))
        offsets = pa.array(np.append(0, np.cumsum(sizes)), type=pa.int64(), mask=np.append(null, False))
        fields = chunk.flatten().flatten()  # the structs of all lists, and their fields
        for arrays, k in zip(found, order):
            arrays.append(pa.LargeListArray.from_arrays(offsets, fields[k]))
    x, y = (pa.chunked_array(arrays, pa.large_list(pairs[k].type)) for arrays, k in zip(found, order))
    return x, y


def arrow_column(column: Any, name: str) -> Any:
    """A column as an Array or ChunkedArray of pyarrow."""
    pa = extra("pyarrow", WHAT)
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        return column
    try:
        if hasattr(column, "to_arrow"):  # Polars, of any version
            found = column.to_arrow()
        elif hasattr(column, "__arrow_c_array__"):
            found = pa.array(column)
        elif hasattr(column, "__arrow_c_stream__"):
            found = pa.chunked_array(column)
        else:
            raise not_lists(name, f"is a {type(column).__name__}; pyarrow.array makes an Arrow array of lists")
    except pa.ArrowException as error:
        raise not_lists(name, f"is a {type(column).__name__} that pyarrow does not take: {error}") from None
    if isinstance(found, (pa.Array, pa.ChunkedArray)):
        return found
    raise not_lists(name, f"is a {type(column).__name__}, which is no column")


def numbers(array: Any, name: str) -> npt.NDArray[Any]:
    """The values of an Arrow array of numbers, with NaN for nulls."""
    pa = extra("pyarrow", WHAT)
    if pa.types.is_null(array.type):
        return np.full(len(array), np.nan)
    if pa.types.is_decimal128(array.type):
        return with_missing(decimals(array), array.is_null().to_numpy(zero_copy_only=False))
    if not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type)):
        raise not_lists(name, f"has lists of type {array.type}")
    if not array.null_count:
        values: npt.NDArray[Any] = array.to_numpy()
        return values
    bits = array.buffers()[1]
    values = np.frombuffer(bits, dtype=array.type.to_pandas_dtype())[array.offset : array.offset + len(array)]
    return with_missing(values, array.is_null().to_numpy(zero_copy_only=False))


def decimals(array: Any) -> npt.NDArray[Any]:
    """Whole numbers in the order of an array of decimal numbers, with the same ties; 0 for nulls."""
    halves = np.frombuffer(array.buffers()[1], dtype="<i8")[2 * array.offset : 2 * (array.offset + len(array))]
    low = halves[0::2].astype(np.int64)
    if array.type.precision <= DIGITS_OF_INT64:
        return low
    high = halves[1::2]
    return from_integers([(one << 64) + other for one, other in zip(high.tolist(), low.view(np.uint64).tolist())])


def not_lists(name: str, but: str) -> TypeError:
    return TypeError(f"'{name}' must be an Arrow column of lists of numbers, but it {but}")
