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
        The values of all lists, one after the other, with NaN for nulls.  A list that is null may have some too.
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
        pa = extra("pyarrow", WHAT)
        column = arrow_column(column, name)
        chunks = getattr(column, "chunks", [column]) or [pa.array([], type=column.type)]
        offsets, children = zip(*(parts_of(chunk, name) for chunk in chunks))
        # Before they are numbers of NumPy: those that become ranks must be ranked together.
        child = children[0] if len(children) == 1 else pa.concat_arrays(children)
        if not are_numbers(child.type):
            raise not_lists(name, f"has lists of type {child.type}")
        shifts = np.cumsum([0, *map(len, children)])
        return cls(
            numbers(child),
            np.concatenate([own[:-1] + shift for own, shift in zip(offsets, shifts)]),
            np.concatenate([own[1:] + shift for own, shift in zip(offsets, shifts)]),
            np.concatenate([nulls(chunk) for chunk in chunks]),
            column,
        )

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
        """The values without those of some lists; `sizes` are those of the lists, or 0 for lists to leave out."""
        total = int(sizes.sum())
        if total == len(self.values):
            return self.values
        places: Indices = np.arange(total) + np.repeat(self.starts - (np.cumsum(sizes) - sizes), sizes)
        return self.values[places]


def parts_of(array: Any, name: str) -> tuple[Indices, Any]:
    """Where each list of an array begins, and where the last one ends, in an Arrow array of their values."""
    types = extra("pyarrow", WHAT).types
    if types.is_list(array.type) or types.is_large_list(array.type):
        # The offsets of a slice are those of its lists; the values are those of the whole.
        offsets = array.offsets.to_numpy(zero_copy_only=False)
        first, last = int(offsets[0]), int(offsets[-1])
        return offsets.astype(np.intp) - first, array.values.slice(first, last - first)
    if types.is_fixed_size_list(array.type):
        size = array.type.list_size
        offsets = np.arange(len(array) + 1, dtype=np.intp) * size
        return offsets, array.values.slice(array.offset * size, len(array) * size)
    if types.is_null(array.type):
        return np.zeros(len(array) + 1, dtype=np.intp), array[:0]
    raise not_lists(name, f"is an Arrow array of type {array.type}")


def nulls(array: Any) -> npt.NDArray[np.bool_]:
    return np.asarray(array.is_null().to_numpy(zero_copy_only=False), dtype=bool)


def unzipped(column: Any) -> tuple[Any, Any]:
    """The columns x and y of lists that a column of lists of structs holds: by name, or the first and the second."""
    pa = extra("pyarrow", WHAT)
    pairs = getattr(column.type, "value_type", column.type)
    if pa.types.is_null(pairs):  # no list has a struct
        return column, column
    if not pa.types.is_struct(pairs) or pairs.num_fields != 2:
        raise TypeError(f"one list must have structs of two fields, x and y, but it is an Arrow array of {column.type}")
    # DuckDB reads names in capital and in small letters alike.
    exchanged = [field.name.lower() == name for field, name in zip(pairs, "yx")]
    if any(exchanged) and not all(exchanged):
        raise TypeError(f"the two fields must be x and y, but the structs are of type {pairs}")
    order = [1, 0] if all(exchanged) else [0, 1]
    found: list[list[Any]] = [[], []]
    for chunk in column.chunks:
        null = nulls(chunk)
        sizes = np.where(null, 0, np.diff(parts_of(chunk, "x")[0]))
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
            found = without_int128(column).to_arrow()
        elif hasattr(column, "__arrow_c_array__"):
            found = pa.array(column)
        elif hasattr(column, "__arrow_c_stream__"):
            found = pa.chunked_array(column)
        elif hasattr(column, "isna"):  # pandas before 3
            found = pa.array(column)
        else:
            raise not_lists(name, f"is a {type(column).__name__}; pyarrow.array makes an Arrow array of lists")
    except pa.ArrowException as error:
        raise not_lists(name, f"is a {type(column).__name__} that pyarrow does not take: {error}") from None
    if isinstance(found, (pa.Array, pa.ChunkedArray)):
        return found
    raise not_lists(name, f"is a {type(column).__name__}, which is no column")


def without_int128(column: Any) -> Any:
    """A Series of Polars with decimals in place of integers that Arrow does not have."""
    inner = getattr(getattr(column, "dtype", None), "inner", None)
    if str(inner) not in ("Int128", "UInt128"):
        return column
    pl = extra("polars", WHAT)
    return column.cast(pl.List(pl.Decimal(38, 0)))


def are_numbers(of_type: Any) -> bool:
    """Whether `numbers` takes an Arrow array of this type: nulls are missing numbers."""
    types = extra("pyarrow", WHAT).types
    tests = (types.is_integer, types.is_floating, types.is_decimal, types.is_null)
    return any(test(of_type) for test in tests)


def numbers(array: Any) -> npt.NDArray[Any]:
    """The values of an Arrow array of numbers, with NaN for nulls.

    Some become their ranks, which do not compare with those of another array.
    """
    types = extra("pyarrow", WHAT).types
    if types.is_null(array.type):
        return np.full(len(array), np.nan)
    if types.is_decimal(array.type):
        return with_missing(decimals(array), nulls(array))
    if not array.null_count:
        values: npt.NDArray[Any] = array.to_numpy()
        return values
    bits = array.buffers()[1]
    values = np.frombuffer(bits, dtype=array.type.to_pandas_dtype())[array.offset : array.offset + len(array)]
    return with_missing(values, nulls(array))


def decimals(array: Any) -> npt.NDArray[Any]:
    """Whole numbers in the order of an array of decimal numbers, with the same ties; any for nulls."""
    width = array.type.bit_width // 8
    bits = np.frombuffer(array.buffers()[1], dtype=np.uint8)[width * array.offset : width * (array.offset + len(array))]
    if array.type.precision <= DIGITS_OF_INT64:
        return bits.view(f"<i{min(width, 8)}")[:: max(width // 8, 1)].astype(np.int64)
    whole = bits.tobytes()
    return from_integers(
        [int.from_bytes(whole[k : k + width], "little", signed=True) for k in range(0, len(whole), width)]
    )


def not_lists(name: str, but: str) -> TypeError:
    return TypeError(f"'{name}' must be an Arrow column of lists of numbers, but it {but}")
