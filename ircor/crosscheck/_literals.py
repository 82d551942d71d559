"""Values as one types them in Python and in R, so that a call can be pasted into either language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

# How R spells the numbers that are not finite.
NOT_FINITE = {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}


def python_literal(value: Any) -> str:
    """The Python expression of a number, string, flag, list, set or array.

    Examples
    --------
    >>> python_literal(np.array([1.5, np.nan]))
    '[1.5, float("nan")]'
    """
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, list):
        return f"[{', '.join(map(python_literal, value))}]"
    if isinstance(value, set):
        return f"{{{', '.join(map(python_literal, sorted(value)))}}}"
    return f'float("{value}")' if isinstance(value, float) and not isfinite(value) else repr(value)


def r_literal(value: Any) -> str:
    """The R expression of what `ircor.crosscheck._bridge.to_r` makes of the value.

    None is NA, an array of 32-bit integers is an integer vector, any other number is a double, an array of several
    dimensions is an array, a list of strings is a character vector, a tuple is an R list, and a mapping is a data
    frame.

    Examples
    --------
    >>> r_literal(np.array([1.5, np.nan]))
    'c(1.5, NaN)'
    """
    if value is None:
        return "NA"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return f"c({', '.join(map(r_literal, value))})" if value else "character(0)"
    if isinstance(value, tuple):
        return f"list({', '.join(map(r_literal, value))})"
    if isinstance(value, Mapping):
        return f"data.frame({', '.join(f'{name} = {r_literal(column)}' for name, column in value.items())})"
    values = np.asarray(value)
    suffix = "L" if values.dtype == np.int32 else ""
    typed = [NOT_FINITE.get(text, text + suffix) for text in map(repr, values.ravel(order="F").tolist())]
    if not values.ndim:
        return typed[0]
    vector = f"c({', '.join(typed)})" if typed else "integer(0)" if suffix else "numeric(0)"
    return vector if values.ndim == 1 else f"array({vector}, c({', '.join(map(str, values.shape))}))"
