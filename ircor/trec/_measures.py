"""Measures by their names in ir_measures, with parameters that can be computed with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeAlias

from .._extras import extra
from .._options import shown
from ._measure_parser import measure_named, refuse_parameters

WHAT = "scoring runs"

PACKAGES = ("ir_measures", "pytrec_eval-terrier")
"""What computes the scores, for reports."""


# trec_eval counts the documents of each grade up to the highest one.  With a grade of a million, it does not come to an
# end; beyond 32 bits, all scores are 0.
LARGEST_GRADE = 1000

LARGEST_CUTOFF = 10**9


class OfIrMeasures(Protocol):
    """A measure of ir_measures."""

    @property
    def NAME(self) -> str: ...

    @property
    def params(self) -> Mapping[str, object]: ...


Measures: TypeAlias = "str | OfIrMeasures | Iterable[str | OfIrMeasures]"
"""One measure or several, by their names in ir_measures, or its measures."""


def measures_of(measures: Measures) -> dict[str, Any]:
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
    measure = measure_named(name, library.measures.registry) if isinstance(name, str) else name
    refuse_cutoff(measure, str(name))
    refuse_parameters(measure, str(name))
    measure.validate_params()
    if not 1 <= least_grade(measure) <= LARGEST_GRADE:
        raise ValueError(f"the least relevant grade of the measure {str(name)!r} must be from 1 to {LARGEST_GRADE}")
    recall = measure.params.get("recall", 0)
    if not 0 <= recall <= 1:
        raise ValueError(f"the recall of the measure {str(name)!r} must be from 0 to 1")
    if round(recall, 2) != recall:
        raise ValueError(f"the recall of the measure {str(name)!r} must have two decimals at most, as in trec_eval")
    if measure.NAME == "SetF" and not re.fullmatch(r"[0-9]+\.[0-9]+", str(measure.params.get("beta", 1.0))):
        raise ValueError(f"the beta of the measure {str(name)!r} must be a plain decimal number, 0.0001 or more, or 0")
    for grade, gain in measure.params.get("gains", {}).items():
        if any(type(one) is not int or abs(one) > LARGEST_GRADE for one in (grade, gain)):
            raise ValueError(
                f"the gains of the measure {str(name)!r} must be whole numbers for grades, "
                f"both from -{LARGEST_GRADE} to {LARGEST_GRADE}"
            )
    return measure


def refuse_cutoff(measure: Any, name: str) -> None:
    """Raise if the cutoff is not a whole number from 1 up: trec_eval ends the whole process at a cutoff of 0."""
    cutoff = measure.params.get("cutoff")
    if "cutoff" in measure.SUPPORTED_PARAMS and cutoff is not None:
        if isinstance(cutoff, bool) or not isinstance(cutoff, int) or cutoff < 1:
            raise ValueError(f"the cutoff of the measure {name!r} must be a whole number, 1 or more")
        if cutoff > LARGEST_CUTOFF:
            raise ValueError(f"the cutoff of the measure {name!r} must be {LARGEST_CUTOFF:,} or less")


def least_grade(measure: Any) -> int:
    """The lowest grade that is relevant to a measure."""
    return int(measure.params.get("rel", 1))
