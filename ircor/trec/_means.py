"""Averages over topics beside the values that they are said to be the average of."""

from __future__ import annotations

from decimal import Decimal
from statistics import fmean

from .._text import listed
from ._layout import Cell
from ._lines import NUMBER
from ._names import split_measure

ALL = "all"
"""What stands in the place of a topic in evaluation output, for the average over topics."""


def differences(cells: list[Cell]) -> list[str]:
    """Name the systems whose average is not the mean over their topics, as far as it was printed.

    It is no error: a mean may be geometric, and topics without documents may have been counted.  Measures that are
    known to be sums or geometric means are left out.
    """
    by_measure: dict[str, tuple[list[Cell], list[Cell]]] = {}
    for cell in cells:
        if NUMBER.fullmatch(cell[4]) and not split_measure(cell[1])[0].startswith(("num", "gm_")):
            by_measure.setdefault(cell[1], ([], []))[cell[2] == ALL].append(cell)
    found = []
    for measure, (topics, averages) in by_measure.items():
        values: dict[str, list[float]] = {}
        for _, _, _, system, text in topics:
            values.setdefault(system, []).append(float(text))
        # Whole numbers by topic are exact, and so are their sums; an average without decimals was rounded.
        most = half_unit(topics, 0.0) + half_unit(averages, 0.5)
        different = [
            system
            for _, _, _, system, text in averages
            if system in values and abs(fmean(values[system]) - float(text)) > most + 1e-9 * abs(float(text))
        ]
        if different:
            what = f"{measure or 'the value'} for all topics is not the mean over the topics in the file"
            found.append(f"{what}, which may be incomplete, for {listed(map(repr, different), 5)}")
    return found


def half_unit(cells: list[Cell], whole: float) -> float:
    """Half a unit of the last decimal with which values are written; `whole` if none has decimals."""
    exponents = [int(Decimal(text).as_tuple().exponent) for _, _, _, _, text in cells]
    least = min(exponents, default=0)
    return 0.5 * 10.0**least if least < 0 else whole
