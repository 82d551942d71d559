"""What counts as a numeric vector or a table of numbers, and its values as a NumPy array."""

from __future__ import annotations

import array
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ._printing import as_character

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]

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


def not_numeric(name: str, but: str) -> TypeError:
    return TypeError(f"'{name}' must be a numeric vector, but it {but}")


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


def number_table(table: Any, name: str) -> tuple[Array, list[list[Any]]]:
    """The values of a number, vector or table, with NaN for missing ones, and the labels along each dimension."""
    table = without_arrow(table)
    columns = getattr(table, "columns", None)
    if isinstance(table, np.ma.MaskedArray):
        raw = np.where(np.ma.getmaskarray(table), np.nan, table.data)
    elif hasattr(table, "dtypes") and hasattr(table, "isna"):  # pandas
        types = list(table.dtypes) if columns is not None else [table.dtype]
        if wrong := [dtype for dtype in types if getattr(dtype, "kind", "O") not in "iuf"]:
            raise TypeError(f"'{name}' must be numbers, but it is of type {wrong[0]}")
        whole = all(isinstance(dtype, np.dtype) for dtype in types)
        raw = table.to_numpy() if whole else table.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        try:
            raw = np.asarray(table.to_numpy() if hasattr(table, "to_numpy") else table)
        except ValueError as error:  # lists of different lengths
            raise TypeError(f"'{name}' must be a table of numbers: {error}") from None
    if raw.dtype.kind not in "iuf":
        raise TypeError(f"'{name}' must be numbers, but it is of type {raw.dtype}")
    index = getattr(table, "index", None)
    labels = (None if callable(index) else index, columns)
    names = [list(range(n)) if label is None else list(label) for label, n in zip(labels, raw.shape)]
    return raw, names
