"""One coefficient for each row of two columns of lists, which is how query engines hold groups."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._arrow import WHAT, Lists
from .._check import MissingValueWarning, ranked_last, warn_of_pairing
from .._extras import extra
from .._methods import Method, any_method_of
from .._options import flag
from .._types import AnyMethodName, ArrowLike, Ties
from ._groups import GroupedRows, coefficients, doubles, least_items

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]


def cor_lists(
    x: ArrowLike,
    y: ArrowLike,
    method: AnyMethodName = "tau_b",
    decreasing: bool | np.bool_ = True,
    min_items: int = 2,
    n_jobs: int | None = None,
    *,
    p: float | None = None,
    ties: Ties | None = None,
) -> Array:
    """Compute one coefficient for each row of two columns of lists: `cor_by` for groups that are lists already.

    Query engines make such columns from groups of rows.  Doubles are read where they are, without a copy, if each
    column is one chunk and no list is null.

    Parameters
    ----------
    x, y : Arrow column of lists
        The two scores of the items of each row: an Array or ChunkedArray of pyarrow whose type is list, large_list or
        fixed_size_list, of integers, floats or decimals; a Series of Polars whose type is List or Array; or anything
        with `__arrow_c_array__` or `__arrow_c_stream__`.
    method, decreasing
        As for `cor`; "rbo" for rank-biased overlap.
    min_items : int
        Rows with fewer items get nan; 2 or more.
    n_jobs : int, optional
        As for `cor`.
    p, ties
        For "rbo": as for `cor`.

    Returns
    -------
    numpy.ndarray
        The coefficient of each row.  It is nan where a list is null or has too few items, and where the function for
        two vectors returns nan.

    Raises
    ------
    TypeError
        If x or y has no lists of numbers, or `min_items` is not a whole number.
    ValueError
        If x and y differ in the number of rows, the two lists of a row differ in length, or the function for two
        vectors refuses the lists of a row.  The message has the number of the row, counted from 1, and its values.

    Warns
    -----
    MissingValueWarning
        Where the function for two vectors warns: once, with the number of missing values in all lists.  A null in a
        list is a missing value, as NaN is.
    PairingWarning
        If x and y are Series whose labels say that other rows belong together.

    Notes
    -----
    The first item of a list in x belongs to the first item of the list in y, and so on.  An engine that collects the
    two lists of a group must take the rows in the same order for both.

    Examples
    --------
    >>> import pyarrow as pa
    >>> x, y = pa.array([[1, 2, 3], [1, 2], None]), pa.array([[1.5, 3.5, 2.5], [0.2, 0.1], [0.5]])
    >>> cor_lists(x, y, "tau")
    array([ 0.33333333, -1.        ,         nan])
    """
    values, missing = of_lists(x, y, any_method_of(method, p, ties), decreasing, min_items, n_jobs)
    if missing:
        warnings.warn(ranked_last(missing, " in their lists"), MissingValueWarning, stacklevel=2)
    warn_of_pairing(x, y)
    return values


def of_batch(x: ArrowLike, y: ArrowLike, method: Method, decreasing: object, min_items: object) -> Any:
    """The coefficients of some of an engine's rows, as an Arrow array with null for nan.

    Engines take NaN for the greatest number, so that it would pass a filter, and spoil a mean.
    """
    values, missing = of_lists(x, y, method, decreasing, min_items, 1)
    if missing:
        # Without the numbers, which are those of one batch, Python shows the warning once.
        message = "missing values are ranked last in their lists, each on its own, as in R"
        warnings.warn(message, MissingValueWarning, stacklevel=2)
    return extra("pyarrow", WHAT).array(values, mask=np.isnan(values))


def of_lists(
    x: ArrowLike, y: ArrowLike, method: Method, decreasing: object, min_items: object, n_jobs: int | None
) -> tuple[Array, dict[str, int]]:
    """The coefficient of each row, and the numbers of missing values to warn of."""
    top_down, least = flag(decreasing, "decreasing"), least_items(min_items)
    rows = ListRows.of_lists(Lists.of(x, "x"), Lists.of(y, "y"))
    return coefficients(method, top_down, least, rows, rows.given, n_jobs)


@dataclass(frozen=True)
class ListRows(GroupedRows):
    """The rows of two columns of lists as groups of items.

    Attributes
    ----------
    given : tuple of numpy.ndarray
        The values of x and y as the caller has them.
    lists : tuple of Lists
        The two columns.
    """

    given: tuple[npt.NDArray[Any], npt.NDArray[Any]]
    lists: tuple[Lists, Lists]

    @classmethod
    def of_lists(cls, x: Lists, y: Lists) -> ListRows:
        if len(x) != len(y):
            raise ValueError(f"'x' and 'y' must have the same number of rows: they have {len(x)} and {len(y)}")
        null = x.null | y.null
        unlike = (x.sizes != y.sizes) & ~null
        if unlike.any():
            k = int(unlike.argmax())
            raise ValueError(
                f"{row_in_words(k, x, y)}: the lists must be of the same length, "
                f"but they have {x.sizes[k]} and {y.sizes[k]} items"
            )
        sizes = np.where(null, 0, x.sizes)
        given = x.packed(sizes), y.packed(sizes)
        x_values, y_values = map(doubles, given)
        return cls(None, None, x_values, y_values, np.cumsum(sizes), sizes, given, (x, y))

    def name(self, k: int) -> str:
        return row_in_words(k, *self.lists)


def row_in_words(k: int, x: Lists, y: Lists) -> str:
    """What an error calls row k: engines pass on parts of their rows, where its number alone would not tell."""
    return f"row {k + 1}, with x = {x.in_words(k)} and y = {y.in_words(k)}"
