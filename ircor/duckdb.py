"""The coefficients as functions of DuckDB, for two lists.

    import duckdb, ircor

    con = duckdb.connect()
    ircor.duckdb.register(con)
    con.sql("SELECT query, tau_b(list({'x': run_a, 'y': run_b})) FROM scores GROUP BY query")

The coefficients are those of `ircor.cor_by`, and so are the refusals.

Needs DuckDB 1.0 or newer, and pyarrow.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ._core.errors import InvalidTypeError
from ._core.methods import EQUALITY, METHODS, Tau
from ._core.options import NAN_POLICY, NanPolicy
from ._core.vectors import unzipped
from ._extras import extra
from .tables import least_items, of_batch

if TYPE_CHECKING:
    import duckdb

__all__ = ["register"]


def register(
    con: duckdb.DuckDBPyConnection, min_items: int = 2, *, nan_policy: NanPolicy = "raise", epsilon: float = 0.0
) -> None:
    """Add the coefficients to a connection, as functions of two lists.

    They are `tau`, `tau_a`, `tau_b`, `tauAP`, `tauAP_a`, `tauAP_b`, `tau_eq` and `acc_eq`.

    They take two lists of integers, floats or decimals, or one list of structs whose two fields are x and y, or have
    other names, the first for x.  Names in capital and in small letters are alike, as in DuckDB.  The result is a
    DOUBLE.  It is NULL if a list is NULL, if there are too few items, and where the function for two vectors returns
    nan, since NaN is the greatest of all numbers to DuckDB.  A NULL in a list is a missing value, as NaN is.  The
    greatest value is at the top; to have the least there, negate both lists.  Scores compare exactly, as for
    `ircor.cor_by`.

    What the function for two vectors refuses, such as ties in `tau`, is an error of the query, which shows the two
    lists.  So are lists of different lengths, and missing values, unless `nan_policy` says otherwise.

    Parameters
    ----------
    con : duckdb.DuckDBPyConnection
        An open connection.  Functions of these names that were added to it before are replaced.  Its cursors have them
        too; a cursor cannot replace those of its connection.
    min_items : int
        Lists with fewer items give NULL; 2 or more.
    nan_policy : {"raise", "omit", "propagate"}
        If a list has a missing value: as for `ircor.cor_by`, with NULL for nan.  It holds for all functions; register
        them again for another one.
    epsilon : float
        The threshold of ties for `tau_eq` and `acc_eq`: their docstrings.

    Notes
    -----
    The first item of one list belongs to the first item of the other, and so on.  ``list({'x': a, 'y': b})`` keeps them
    together.  Two lists of a group need the same ORDER BY, and one that leaves no rows in any order; DuckDB sorts twice
    then, which takes longer.

    DuckDB hands over a UHUGEINT of 2^127 or more as a negative number: cast it to another type first.

    Examples
    --------
    >>> import duckdb
    >>> con = duckdb.connect()
    >>> register(con)
    >>> con.sql("SELECT tau([1, 2, 3, 4], [1, 3, 2, 4]), tauAP_b([3, 2, 1], [0.5, 0.5, 0.1])").fetchall()
    [(0.6666666666666666, 0.5)]
    >>> _ = con.sql("CREATE TABLE t (id INT, query TEXT, a INT, b DOUBLE)")
    >>> _ = con.sql("INSERT INTO t VALUES (1, 'q1', 2, 0.9), (2, 'q1', 1, 0.8), (3, 'q2', 5, 0.5)")
    >>> con.sql("SELECT query, tau_b(list({'x': a, 'y': b})) FROM t GROUP BY query ORDER BY query").fetchall()
    [('q1', 1.0), ('q2', None)]
    >>> con.sql("SELECT tau_b(list(a ORDER BY id), list(b ORDER BY id)) FROM t").fetchall()
    [(-0.3333333333333333,)]
    """
    errors = extra("duckdb", "ircor.duckdb")
    least, policy = least_items(min_items), NAN_POLICY.checked(nan_policy)
    for method in (*METHODS.values(), *(method.within(epsilon) for method in EQUALITY.values())):
        with suppress(errors.Error):  # there is none yet
            con.remove_function(method.name)
        function = function_of(method, least, policy)
        con.create_function(method.name, function, None, "DOUBLE", type="arrow", null_handling="special")


def function_of(method: Tau, least: int, policy: NanPolicy) -> Callable[..., Any]:
    # A parameter for all arguments makes DuckDB hand over lists of any type: a cast to DOUBLE would round integers.
    def coefficient(*lists: Any) -> Any:
        if len(lists) not in (1, 2):
            raise InvalidTypeError(f"{method.name} takes two lists, or one of structs, not {len(lists)} arguments")
        x, y = lists if len(lists) == 2 else unzipped(*lists)
        return of_batch(x, y, method, True, least, policy)

    return coefficient
