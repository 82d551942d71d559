"""Numeric vectors, tables of numbers and columns of lists, and their values as NumPy arrays."""

from __future__ import annotations

import array
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .._extras import extra
from .errors import InvalidTypeError
from .printing import as_character

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]
    Indices = npt.NDArray[np.intp]

# Integers up to here are doubles, so a list that mixes them with floats loses nothing as an array of doubles.
EXACT_IN_DOUBLE = 2**53


def numeric_vector(vector: Any, name: str) -> Array:
    """Convert a vector to a one-dimensional array of integers or real floats.

    Missing values become NaN.  Two values are equal in the array if and only if they are equal in the vector.
    """
    if type(vector) is np.ndarray:
        values = vector
    elif isinstance(vector, (list, tuple, range)):
        values = from_sequence(vector, name)
    else:
        values = from_array_like(vector, name)
    if values.ndim != 1:
        raise not_numeric(name, f"has {values.ndim} dimensions")
    if values.dtype.kind not in "iuf":
        raise not_numeric(name, f"is of type {values.dtype}")
    return values


def not_numeric(name: str, but: str) -> InvalidTypeError:
    return InvalidTypeError(name, f"must be a numeric vector, but it {but}")


def from_sequence(sequence: Sequence[Any], name: str) -> Array:
    types = set(map(type, sequence))
    for kind in types:
        if not issubclass(kind, (int, float, np.integer, np.floating)) or issubclass(kind, (bool, np.timedelta64)):
            raise not_numeric(name, f"is a {type(sequence).__name__} that holds a {kind.__name__}")
    integers = {kind for kind in types if issubclass(kind, (int, np.integer))}
    if types and types == integers:
        return from_integers(sequence if types == {int} else [int(value) for value in sequence])
    if any(abs(int(value)) > EXACT_IN_DOUBLE for value in sequence if type(value) in integers):
        return dense_ranks(sequence)
    return np.array(sequence, dtype=np.longdouble if np.longdouble in types else np.float64)


def from_integers(values: Sequence[int]) -> Array:
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return dense_ranks(values)


def dense_ranks(values: Sequence[Any]) -> npt.NDArray[np.float64]:
    """Replace values that no NumPy type can hold by doubles in the same order, with the same ties; NaN stays NaN.

    Floats that R prints alike become floats that R prints alike: neighbours of one whole number.
    """
    numbers = [exact(value) for value in values]
    code: dict[Any, float] = {}
    before, last = None, 0.0
    for number in sorted({number for number in numbers if number == number}):
        alike = isinstance(number, float) and isinstance(before, float) and as_character(number) == as_character(before)
        last = float(np.nextafter(last, np.inf)) if alike else float(int(last) + 1)
        code[number] = last
        before = number
    return np.array([code.get(number, np.nan) for number in numbers], dtype=np.float64)


def exact(value: Any) -> int | float | Fraction:
    """Convert a number to a Python type: these compare exactly across types, NumPy's do not."""
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, np.longdouble) and np.isfinite(value) and float(value) != value:
        return Fraction(*value.as_integer_ratio())
    return float(value)


def from_array_like(vector: Any, name: str) -> Array:
    """Convert a Series, a masked array, or anything else that has `__array__`."""
    dtype: Any = getattr(vector, "dtype", None)
    if isinstance(dtype, np.dtype) and hasattr(vector, "isna"):  # pandas, with a type of NumPy
        values: Array = vector.to_numpy()
        return values
    if isinstance(vector, np.ma.MaskedArray):
        return with_missing(vector.data, np.ma.getmaskarray(vector))
    if hasattr(dtype, "is_integer") and hasattr(vector, "fill_null"):  # Polars
        if not (dtype.is_float() or dtype.is_integer()):
            raise not_numeric(name, f"is of type {dtype}")
        if getattr(dtype, "__name__", type(dtype).__name__) in ("Int128", "UInt128"):  # which NumPy does not have
            vector = vector.rank("dense")
        if not vector.null_count():
            values = vector.to_numpy()
            return values
        return with_missing(vector.fill_null(0).to_numpy(), vector.is_null().to_numpy())
    # pandas' own types; as an array, a category of numbers would pass for numbers.
    if hasattr(vector, "isna") and dtype is not None:
        if getattr(dtype, "kind", "O") not in "iuf":
            raise not_numeric(name, f"is of type {dtype}")
        if hasattr(dtype, "numpy_dtype"):
            missing = np.asarray(vector.isna(), dtype=bool)
            filled = vector.fillna(0) if missing.any() else vector
            return with_missing(filled.to_numpy(dtype=dtype.numpy_dtype), missing)
    if is_dictionary(vector):
        raise not_numeric(name, f"is of type {vector.type}")
    if isinstance(nulls := getattr(vector, "null_count", 0), int) and nulls > 0:  # Arrow
        raise not_numeric(name, f"is a {type(vector).__name__} with nulls, which a pandas or Polars Series can hold")
    if hasattr(vector, "__array__") or isinstance(vector, (array.array, memoryview)):
        return np.asarray(vector)
    raise not_numeric(name, f"is a {type(vector).__name__}")


def with_missing(values: Array, missing: npt.NDArray[np.bool_]) -> Array:
    """Put NaN in the place of missing values; integers become ranks first, since a double may not hold them."""
    if values.ndim != 1 or values.dtype.kind not in "iuf" or not missing.any():
        return values
    if values.dtype.kind != "f":
        values = np.unique(values, return_inverse=True)[1].astype(np.float64)
    return np.where(missing, values.dtype.type(np.nan), values)


def without_arrow(table: Any) -> Any:
    """An Arrow table as a DataFrame, anything else as it is: the `columns` of an Arrow table are not its names."""
    return table.to_pandas() if hasattr(table, "column_names") and hasattr(table, "to_pandas") else table


def is_dictionary(vector: Any) -> bool:
    """Whether it is a categorical array of Arrow, which would pass for its numbers as an array of NumPy."""
    return hasattr(getattr(vector, "type", None), "index_type")


def number_table(table: Any, name: str) -> tuple[Array, list[list[Any]]]:
    """The values of a number, vector or table, with NaN for missing ones, and the labels along each dimension."""
    table = without_arrow(table)
    columns = getattr(table, "columns", None)
    if is_dictionary(table):
        raise InvalidTypeError(name, f"must be numbers, but it is of type {table.type}")
    if isinstance(table, np.ma.MaskedArray):
        raw = np.where(np.ma.getmaskarray(table), np.nan, table.data)
    elif hasattr(table, "dtypes") and hasattr(table, "isna"):  # pandas
        types = list(table.dtypes) if columns is not None else [table.dtype]
        if wrong := [dtype for dtype in types if getattr(dtype, "kind", "O") not in "iuf"]:
            raise InvalidTypeError(name, f"must be numbers, but it is of type {wrong[0]}")
        whole = all(isinstance(dtype, np.dtype) for dtype in types)
        raw = table.to_numpy() if whole else table.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        try:
            raw = np.asarray(table.to_numpy() if hasattr(table, "to_numpy") else table)
        except ValueError as error:  # lists of different lengths
            raise InvalidTypeError(name, f"must be a table of numbers: {error}") from None
    if raw.dtype.kind not in "iuf":
        raise InvalidTypeError(name, f"must be numbers, but it is of type {raw.dtype}")
    index = getattr(table, "index", None)
    labels = (None if callable(index) else index, columns)
    names = [list(range(n)) if label is None else list(label) for label, n in zip(labels, raw.shape)]
    return raw, names


COLUMN_OF_LISTS = "a column of lists"

# The values of a list that an error shows.
SHOWN = 6

# Whole numbers of so many digits fit into 64 bits.
DIGITS_OF_INT64 = 18


@dataclass(frozen=True)
class Lists:
    """A column of lists of numbers.

    Its values are one after the other, with NaN for nulls, and each list has its start and its end among them.  A list
    that is null may have some too.  `column` is the column as Arrow has it.
    """

    values: npt.NDArray[Any]
    starts: Indices
    ends: Indices
    null: npt.NDArray[np.bool_]
    column: Any

    @classmethod
    def of(cls, column: Any, name: str) -> Lists:
        """Read a column, without a copy of its numbers unless it has chunks, nulls in its lists, or decimals."""
        pa = extra("pyarrow", COLUMN_OF_LISTS)
        column = arrow_column(column, name)
        chunks = getattr(column, "chunks", [column]) or [pa.array([], type=column.type)]
        offsets, children = zip(*(parts_of(chunk, name) for chunk in chunks))
        # Before they are numbers of NumPy: those that become ranks must be ranked together.
        child = children[0] if len(children) == 1 else pa.concat_arrays(children)
        if not are_numbers(child.type):
            raise not_lists(name, f"has lists of type {child.type}")
        shifts = np.cumsum([0, *map(len, children)])
        return cls(
            arrow_numbers(child),
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
    types = extra("pyarrow", COLUMN_OF_LISTS).types
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
    pa = extra("pyarrow", COLUMN_OF_LISTS)
    pairs = getattr(column.type, "value_type", column.type)
    if pa.types.is_null(pairs):  # no list has a struct
        return column, column
    if not pa.types.is_struct(pairs) or pairs.num_fields != 2:
        raise InvalidTypeError(
            f"one list must have structs of two fields, x and y, but it is an Arrow array of {column.type}"
        )
    # DuckDB reads names in capital and in small letters alike.
    exchanged = [field.name.lower() == name for field, name in zip(pairs, "yx")]
    if any(exchanged) and not all(exchanged):
        raise InvalidTypeError(f"the two fields must be x and y, but the structs are of type {pairs}")
    order = [1, 0] if all(exchanged) else [0, 1]
    sides: list[list[Any]] = [[], []]
    for chunk in column.chunks:
        null = nulls(chunk)
        sizes = np.where(null, 0, np.diff(parts_of(chunk, "x")[0]))
        offsets = pa.array(np.append(0, np.cumsum(sizes)), type=pa.int64(), mask=np.append(null, False))
        fields = chunk.flatten().flatten()  # the structs of all lists, and their fields
        for arrays, k in zip(sides, order):
            arrays.append(pa.LargeListArray.from_arrays(offsets, fields[k]))
    x, y = (pa.chunked_array(arrays, pa.large_list(pairs[k].type)) for arrays, k in zip(sides, order))
    return x, y


def arrow_column(column: Any, name: str) -> Any:
    """A column as an Array or ChunkedArray of pyarrow."""
    pa = extra("pyarrow", COLUMN_OF_LISTS)
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        return column
    try:
        if hasattr(column, "to_arrow"):  # Polars, of any version
            array = without_int128(column).to_arrow()
        elif hasattr(column, "__arrow_c_array__"):
            array = pa.array(column)
        elif hasattr(column, "__arrow_c_stream__"):
            array = pa.chunked_array(column)
        elif hasattr(column, "isna"):  # pandas before 3
            array = pa.array(column)
        else:
            raise not_lists(name, f"is a {type(column).__name__}; pyarrow.array makes an Arrow array of lists")
    except pa.ArrowException as error:
        raise not_lists(name, f"is a {type(column).__name__} that pyarrow does not take: {error}") from None
    if isinstance(array, (pa.Array, pa.ChunkedArray)):
        return array
    raise not_lists(name, f"is a {type(column).__name__}, which is no column")


def without_int128(column: Any) -> Any:
    """A Series of Polars with decimals in place of integers that Arrow does not have."""
    inner = getattr(getattr(column, "dtype", None), "inner", None)
    if str(inner) not in ("Int128", "UInt128"):
        return column
    pl = extra("polars", COLUMN_OF_LISTS)
    return column.cast(pl.List(pl.Decimal(38, 0)))


def are_numbers(of_type: Any) -> bool:
    """Whether `arrow_numbers` takes an Arrow array of this type: nulls are missing numbers."""
    types = extra("pyarrow", COLUMN_OF_LISTS).types
    tests = (types.is_integer, types.is_floating, types.is_decimal, types.is_null)
    return any(test(of_type) for test in tests)


def arrow_numbers(array: Any) -> npt.NDArray[Any]:
    """The values of an Arrow array of numbers, with NaN for nulls.

    Some become their ranks, which do not compare with those of another array.
    """
    types = extra("pyarrow", COLUMN_OF_LISTS).types
    if types.is_null(array.type):
        return np.full(len(array), np.nan)
    if types.is_decimal(array.type):
        return with_missing(whole_decimals(array), nulls(array))
    if not array.null_count:
        values: npt.NDArray[Any] = array.to_numpy()
        return values
    bits = array.buffers()[1]
    values = np.frombuffer(bits, dtype=array.type.to_pandas_dtype())[array.offset : array.offset + len(array)]
    return with_missing(values, nulls(array))


def whole_decimals(array: Any) -> npt.NDArray[Any]:
    """Whole numbers in the order of an array of decimal numbers, with the same ties; any for nulls."""
    width = array.type.bit_width // 8
    bits = np.frombuffer(array.buffers()[1], dtype=np.uint8)[width * array.offset : width * (array.offset + len(array))]
    if array.type.precision <= DIGITS_OF_INT64:
        return bits.view(f"<i{min(width, 8)}")[:: max(width // 8, 1)].astype(np.int64)
    whole = bits.tobytes()
    return from_integers(
        [int.from_bytes(whole[k : k + width], "little", signed=True) for k in range(0, len(whole), width)]
    )


def not_lists(name: str, but: str) -> InvalidTypeError:
    return InvalidTypeError(name, f"must be an Arrow column of lists of numbers, but it {but}")
