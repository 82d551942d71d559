"""Measures by their names in ir_measures, and what computes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .._extras import extra
from .._options import shown
from .._text import listed
from ._names import nearest_measures

WHAT = "scoring runs"


def measures_of(measures: Any) -> dict[str, Any]:
    """The measures of ir_measures by the names that were given for them.

    Parameters
    ----------
    measures : str, measure of ir_measures, or iterable of these

    Raises
    ------
    ModuleNotFoundError
        If ir_measures is not installed.
    ValueError
        If a measure is unknown, given twice, or its parameters are wrong.
    """
    library = extra("ir_measures", WHAT)
    kinds = str, library.Measure
    given = [measures] if isinstance(measures, kinds) or not isinstance(measures, Iterable) else list(measures)
    if not all(isinstance(one, kinds) for one in given):
        raise TypeError(f"'measures' must be names of measures, such as 'nDCG@10' or 'AP', not {shown(measures)}")
    if not given:
        raise ValueError("'measures' must name a measure, such as 'nDCG@10' or 'AP'")
    found: dict[str, Any] = {}
    for one in given:
        measure = parsed(one, library)
        if str(measure) in map(str, found.values()):
            raise ValueError(f"'measures' has {str(measure)!r} twice")
        found[str(one)] = measure
    return found


def parsed(name: Any, library: Any) -> Any:
    """The measure of this name, if its parameters can be computed with."""
    if isinstance(name, str):
        try:
            measure = library.parse_measure(name)
        except NameError:
            raise unknown(name, library.measures.registry) from None
        except Exception as error:  # whatever the parser of the name meets
            raise ValueError(f"ir_measures cannot read the measure {name!r}: {error}") from None
    else:
        measure = name
    cutoff = measure.params.get("cutoff")
    # trec_eval ends the whole process at a cutoff of 0.
    if cutoff is not None and (isinstance(cutoff, bool) or not isinstance(cutoff, int) or cutoff < 1):
        raise ValueError(f"the cutoff of the measure {str(name)!r} must be a whole number, 1 or more")
    try:
        measure.validate_params()
    except (AssertionError, ValueError):
        raise ValueError(
            f"the measure {str(name)!r} lacks a parameter or has a wrong one; with a cutoff it is '{measure.NAME}@10'"
        ) from None
    return measure


def unknown(name: str, names: Iterable[str]) -> ValueError:
    """The error for a name that ir_measures does not have; trec_eval's names are answered with those of ir_measures."""
    cutoff = re.search(r"[@_.]([0-9]+)$", name)
    known = [*names, *(f"{one}@{cutoff[1]}" for one in names if cutoff)]
    nearest = nearest_measures(name, known)
    meant = f"; did you mean {' or '.join(map(repr, nearest))}?" if nearest else ""
    examples = listed(map(repr, ("nDCG@10", "AP", "P@10", "RR", "Judged@10")))
    return ValueError(f"ir_measures has no measure {name!r}{meant or f', but {examples} and others'}")


def evaluator(measures: dict[str, Any], judgments: dict[str, dict[str, int]]) -> Any:
    """What scores runs by these judgments."""
    library = extra("ir_measures", WHAT)
    try:
        return library.evaluator(list(measures.values()), judgments)
    except ValueError as error:
        raise ValueError(f"ir_measures cannot compute {listed(measures)} here: {error}") from None
