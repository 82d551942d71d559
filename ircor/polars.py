"""The coefficients as expressions of Polars, for `select`, `group_by(...).agg`, `over` and lazy frames.

    import polars as pl
    from ircor.polars import tau_b

    frame.group_by("query").agg(tau_b("run_a", "run_b"))

Polars hands over the values of all groups at once, or of many in a lazy frame, and they are counted where they are.
The coefficients are those of `ircor.cor_by`, and so are the refusals: what the function for two vectors refuses is an
error that shows the values of the group.  A null is a missing value, as NaN is; `nan_policy` says what it does.

Needs Polars 1.36 or newer, and pyarrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ._core.errors import InvalidTypeError, must_be
from ._core.methods import any_method_of
from ._core.options import NAN_POLICY, NanPolicy, flag
from ._core.types import CoefficientName
from ._extras import extra, install
from .tables import least_items, of_batch

if TYPE_CHECKING:
    import polars as pl
else:
    pl = extra("polars", "ircor.polars")

__all__ = ["tau", "tau_a", "tau_b", "tauAP", "tauAP_a", "tauAP_b", "tau_eq", "acc_eq"]

# Releases before 1.30 answer otherwise, and those before 1.36 refuse an aggregation of what is made of lists of groups.
OLDEST = (1, 36)

if tuple(int(part) for part in pl.__version__.split(".")[:2]) < OLDEST:
    needed = ".".join(map(str, OLDEST))
    raise ImportError(f"ircor.polars needs Polars {needed} or newer, not {pl.__version__}: {install('polars')}")

Column: TypeAlias = "str | pl.Expr"
"""A column by its name, or an expression."""


def tau(x: Column, y: Column, *, min_items: int = 2, lists: bool = False, nan_policy: NanPolicy = "raise") -> pl.Expr:
    """Kendall's tau of two columns without ties, as `ircor.tau`; parameters and results are those of `tau_b`.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]})
    >>> frame.select(tau("a", "b")).item()
    0.6666666666666666
    """
    return expression("tau", x, y, True, min_items, lists, nan_policy)


def tau_a(x: Column, y: Column, *, min_items: int = 2, lists: bool = False, nan_policy: NanPolicy = "raise") -> pl.Expr:
    """Kendall's tau with ties in y, as `ircor.tau_a`; parameters and results are those of `tau_b`.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"a": [1, 2, 3, 4], "b": [1, 2, 2, 4]})
    >>> frame.select(tau_a("a", "b")).item()
    0.8333333333333334
    """
    return expression("tau_a", x, y, True, min_items, lists, nan_policy)


def tau_b(x: Column, y: Column, *, min_items: int = 2, lists: bool = False, nan_policy: NanPolicy = "raise") -> pl.Expr:
    """Kendall's tau with ties in both columns, as `ircor.tau_b`.

    Parameters
    ----------
    x, y : str or polars.Expr
        The two columns of scores, by name or as expressions, which must give as many values in each group.  Scores
        compare exactly, as for `ircor.cor_by`.
    min_items : int
        Groups with fewer rows get null; 2 or more.
    lists : bool
        Whether each row of the two columns holds the lists of a group, as after `group_by(...).agg("a", "b")`.  There
        is a coefficient for each row then.
    nan_policy : {"raise", "omit", "propagate"}
        If a value is missing, null or NaN: as for `ircor.cor_by`, with null for nan.

    Returns
    -------
    polars.Expr
        A Float64, named after the function: one value for each group, or for the whole frame in `select`.  It is null
        where `cor_by` has nan, since NaN is the greatest of all numbers to Polars.

    Raises
    ------
    TypeError, ValueError
        When the query runs: if a column does not have numbers, the two differ in length, or `ircor.tau_b` refuses a
        group, or a value is missing and `nan_policy` is "raise"; the message shows its values.  Polars before 2.0 may
        raise its own ComputeError with this message.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"query": [1, 1, 1, 2, 2, 3], "a": [3, 2, 1, 1, 2, 1], "b": [5, 5, 1, 9, 8, 1]})
    >>> frame.group_by("query", maintain_order=True).agg(tau_b("a", "b")).rows()
    [(1, 0.8164965809277261), (2, -1.0), (3, None)]
    >>> frame.lazy().filter(tau_b("a", "b").over("query") > 0).select("query").unique().collect().rows()
    [(1,)]
    """
    return expression("tau_b", x, y, True, min_items, lists, nan_policy)


def tauAP(
    x: Column,
    y: Column,
    decreasing: bool = True,
    *,
    min_items: int = 2,
    lists: bool = False,
    nan_policy: NanPolicy = "raise",
) -> pl.Expr:
    """Yilmaz's AP correlation of two columns without ties, as `ircor.tauAP`.

    Parameters and results are those of `tau_b`; `decreasing` says whether the greatest value is at the top.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]})
    >>> frame.select(tauAP("a", "b"), tauAP("a", "b", decreasing=False).alias("from the bottom")).row(0)
    (0.6666666666666667, 0.6666666666666667)
    """
    return expression("tauAP", x, y, decreasing, min_items, lists, nan_policy)


def tauAP_a(
    x: Column,
    y: Column,
    decreasing: bool = True,
    *,
    min_items: int = 2,
    lists: bool = False,
    nan_policy: NanPolicy = "raise",
) -> pl.Expr:
    """AP correlation with ties in y, as `ircor.tauAP_a`.

    Parameters and results are those of `tau_b`; `decreasing` says whether the greatest value is at the top.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"a": [1, 2, 3, 4], "b": [1, 2, 2, 4]})
    >>> frame.select(tauAP_a("a", "b")).item()
    0.8333333333333333
    """
    return expression("tauAP_a", x, y, decreasing, min_items, lists, nan_policy)


def tauAP_b(
    x: Column,
    y: Column,
    decreasing: bool = True,
    *,
    min_items: int = 2,
    lists: bool = False,
    nan_policy: NanPolicy = "raise",
) -> pl.Expr:
    """AP correlation with ties in both columns, as `ircor.tauAP_b`.

    Parameters and results are those of `tau_b`; `decreasing` says whether the greatest value is at the top.

    Examples
    --------
    >>> import polars as pl
    >>> groups = pl.DataFrame({"a": [[1, 2, 3], [1, 2], None], "b": [[1, 2, 2], [2, 1], [3]]})
    >>> groups.select(tauAP_b("a", "b", lists=True)).to_series().to_list()
    [0.5, -1.0, None]
    """
    return expression("tauAP_b", x, y, decreasing, min_items, lists, nan_policy)


def tau_eq(
    truth: Column,
    estimate: Column,
    epsilon: float = 0.0,
    *,
    min_items: int = 2,
    lists: bool = False,
    nan_policy: NanPolicy = "raise",
) -> pl.Expr:
    """Kendall's tau with ties as an answer, as `ircor.tau_eq`; other parameters and results are those of `tau_b`.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"a": [1, 1, 2], "b": [0.1, 0.2, 0.7]})
    >>> frame.select(tau_eq("a", "b"), tau_eq("a", "b", 0.2).alias("within 0.2")).row(0)
    (0.3333333333333333, 1.0)
    """
    return expression("tau_eq", truth, estimate, True, min_items, lists, nan_policy, epsilon)


def acc_eq(
    truth: Column,
    estimate: Column,
    epsilon: float = 0.0,
    *,
    min_items: int = 2,
    lists: bool = False,
    nan_policy: NanPolicy = "raise",
) -> pl.Expr:
    """Pairwise accuracy with ties as an answer, as `ircor.acc_eq`; other parameters and results are those of `tau_b`.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"a": [1, 1, 2, 3], "b": [0.1, 0.2, 0.7, 0.7]})
    >>> frame.select(acc_eq("a", "b", 0.1)).item()
    0.8333333333333334
    """
    return expression("acc_eq", truth, estimate, True, min_items, lists, nan_policy, epsilon)


def expression(
    name: CoefficientName,
    x: Column,
    y: Column,
    decreasing: bool,
    min_items: int,
    lists: bool,
    nan_policy: NanPolicy,
    epsilon: float | None = None,
) -> pl.Expr:
    """The expression of one coefficient.

    A group's values become a list, so that the column of lists has one value for each group, and a function that maps
    values to values is called once for all groups: `map_groups` would call it once for each.
    """
    top_down, least, listed = flag(decreasing, "decreasing"), least_items(min_items), flag(lists, "lists")
    policy, method = NAN_POLICY.checked(nan_policy), any_method_of(name, None, None, epsilon=epsilon)
    sides = [column_of(side, argument) for side, argument in ((x, "x"), (y, "y"))]
    fields = [(side if listed else side.implode()).alias(field) for side, field in zip(sides, "xy")]

    def batch(rows: pl.Series) -> pl.Series:
        left, right = (rows.struct.field(field) for field in "xy")
        for column, field in zip((left, right), "xy"):
            inner: Any = getattr(column.dtype, "inner", None)
            if not listed and isinstance(inner, (pl.List, pl.Array)):
                raise InvalidTypeError(
                    field, f"holds lists: {name}(..., lists=True) is the coefficient of the lists of each row"
                )
        return pl.Series("", of_batch(left, right, method, top_down, least, policy))

    mapped: pl.Expr = pl.struct(fields).map_batches(batch, return_dtype=pl.Float64, is_elementwise=True)
    # An aggregation of one value: without it, streaming engines before 2.0 repeat the lists of a frame for each row.
    return (mapped if listed else mapped.first()).alias(name)


def column_of(side: object, argument: str) -> pl.Expr:
    if isinstance(side, str):
        return pl.col(side)
    if isinstance(side, pl.Expr):
        return side
    raise InvalidTypeError(argument, must_be("the name of a column or an expression of Polars", side))
