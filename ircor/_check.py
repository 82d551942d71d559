"""What R's ircor refuses, and what it takes for a vector of numbers, a tie, a missing value and a flag."""

from __future__ import annotations

import array
import numbers
import warnings
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ._as_character import as_character, first_printed_alike
from ._dominance import Ranking

Vector: TypeAlias = Any
"""A list or tuple of numbers, a NumPy array of integers or real floats, a pandas or Polars Series of them."""

if TYPE_CHECKING:
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]

# Integers up to here are doubles, and so nothing is lost in a list that mixes them with floats.
EXACT_IN_DOUBLE = 2**53

FLAG_WORDS = dict.fromkeys(("TRUE", "True", "true", "T"), True) | dict.fromkeys(("FALSE", "False", "false", "F"), False)


class MissingValueWarning(UserWarning):
    """A coefficient was computed as R does it, with the missing values ranked last."""


def rankings(x: Vector, y: Vector, untied: str = "", decreasing: object = True) -> tuple[Ranking, Ranking]:
    """Rank two vectors after R's checks: types, then lengths, then ties in those of x and y that `untied` names."""
    x_values, y_values = numeric_vector(x, "x"), numeric_vector(y, "y")
    if len(x_values) != len(y_values):
        raise ValueError(f"'x' and 'y' must be of the same length: they have {len(x_values)} and {len(y_values)} items")
    # R looks at `decreasing` after all other checks, so what is wrong with it has to wait.
    flag = as_flag(decreasing)
    x_ranking, y_ranking = Ranking(x_values, flag is not False), Ranking(y_values, flag is not False)
    if "x" in untied:
        refuse_ties(x_ranking, x_values, "x")
    if "y" in untied:
        refuse_ties(y_ranking, y_values, "y")
    if x_ranking.n < 2:
        raise ValueError(f"'x' and 'y' must have two items or more, not {x_ranking.n}")
    if flag is None:
        raise TypeError(
            f"'decreasing' must be True or False, or a number or word that R takes for them: {decreasing!r}"
        )
    return x_ranking, y_ranking


def refuse_ties(ranking: Ranking, values: Array, name: str) -> None:
    """Raise where R does: at equal values, at values that R prints alike, and at a missing value."""
    if ranking.missing:
        raise ValueError(f"'{name}' contains ties. A missing value counts as one, as in R.")
    if ranking.tied_pairs:
        raise ValueError(f"'{name}' contains ties. The variants _a (ties in 'y') and _b (in both) allow them.")
    # Only doubles can differ and print alike; a wider float is what R would hold, the nearest double.
    if values.dtype.kind == "f" and values.dtype.itemsize >= 8:
        doubles = values
        if values.dtype != np.float64:
            with np.errstate(over="ignore", under="ignore"):
                doubles = values.astype(np.float64)
        order = ranking.items()
        if k := first_printed_alike(doubles, order):
            one, other = (repr(float(doubles[order[j]])) for j in (k - 1, k))
            raise ValueError(f"'{name}' contains ties. R prints {one} and {other} alike and takes them for one number.")


def warn_of_missing(*vectors: tuple[str, Ranking]) -> None:
    """Warn the caller of the public function, two frames up, of the missing values in the named vectors."""
    if any(ranking.missing for _, ranking in vectors):
        message = ranked_last({name: ranking.missing for name, ranking in vectors})
        warnings.warn(message, MissingValueWarning, stacklevel=3)


def ranked_last(counts: Mapping[str, int], where: str = "") -> str:
    """What is done about so many missing values in the named vectors."""
    named = ", ".join(f"{count} in '{name}'" for name, count in counts.items() if count)
    return f"missing values ({named}) are ranked last{where}, each on its own, as in R"


def not_ranked(name: str) -> ValueError:
    """What `tau_b` says of a missing value, beginning with R's words."""
    return ValueError(f"missing value where TRUE/FALSE needed: '{name}' has a missing value, which tau_b cannot rank")


def whole_number(value: Any, name: str, least: int = 1) -> int:
    """The whole number, or an error that names the argument."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"'{name}' must be a whole number, not {value!r}")
    if value < least:
        raise ValueError(f"'{name}' must be {least} or more, not {value}")
    return int(value)


def as_flag(value: object) -> bool | None:
    """What R's `if` takes the value for, or None where it stops."""
    if value is True or value is False:
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, numbers.Number):
        try:
            return bool(value) if value == value else None
        except ArithmeticError:  # a signalling NaN
            return None
    return FLAG_WORDS.get(value) if isinstance(value, str) else None


def numeric_vector(vector: Vector, name: str) -> Array:
    """The vector as a one-dimensional array of integers or real floats, missing values as NaN, with every tie kept."""
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
    """Numbers in the same order and with the same ties, for values that no one type of NumPy can hold; NaN stays NaN.

    Floats that R prints alike become floats that it prints alike, neighbours of one whole number.
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
    """The number as one of Python's own, which compare exactly with each other, as NumPy's do not."""
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, np.longdouble) and np.isfinite(value) and float(value) != value:
        return Fraction(*value.as_integer_ratio())
    return float(value)


def from_array_like(vector: Any, name: str) -> Array:
    """Series, masked arrays and whatever else knows how to become an array."""
    dtype: Any = getattr(vector, "dtype", None)
    if isinstance(vector, np.ma.MaskedArray):
        return with_missing(vector.data, np.ma.getmaskarray(vector))
    if hasattr(dtype, "is_integer") and hasattr(vector, "fill_null"):  # Polars
        if not (dtype.is_integer() or dtype.is_float()):
            raise not_numeric(name, f"is of type {dtype}")
        if str(dtype).endswith("Int128"):  # which NumPy does not have
            vector = vector.rank("dense")
        return with_missing(vector.fill_null(0).to_numpy(), vector.is_null().to_numpy())
    if hasattr(vector, "isna") and not (
        dtype is None or isinstance(dtype, np.dtype)
    ):  # pandas' own types: a category becomes numbers
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
    """The values with NaN for the missing ones; integers become ranks first, as a double may not hold them."""
    if values.ndim != 1 or values.dtype.kind not in "iuf" or not missing.any():
        return values
    if values.dtype.kind != "f":
        values = np.unique(values, return_inverse=True)[1].astype(np.float64)
    return np.where(missing, values.dtype.type(np.nan), values)


def number_table(table: Any, name: str) -> tuple[Array, list[list[Any]]]:
    """The values of a number, vector or table, missing ones as NaN, and the names along each dimension."""
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


def as_number(value: Any, name: str) -> float:
    """The number, or an error that names the argument."""
    if isinstance(value, (bool, str)) or not isinstance(value, numbers.Real):
        raise TypeError(f"'{name}' must be a number, not {value!r}")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"'{name}' is too large") from None


# Means that agree to this share of the scores are equal: a mean of decimals is not exact.
EQUAL_MEANS = 2.0**-40


def tie_means(means: npt.NDArray[np.float64], size: float) -> npt.NDArray[np.float64]:
    """The means of scores of some size, with those made equal that differ by no more than rounding."""
    order = np.argsort(means, kind="stable")
    steps = np.diff(means[order]) > size * EQUAL_MEANS
    group = np.concatenate([[0], np.cumsum(steps)])
    first = np.flatnonzero(np.concatenate([[True], steps]))
    tied = np.empty_like(means)
    tied[order] = means[order][first][group]
    return tied
