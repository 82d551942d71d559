"""Scores of one measure or of several, in any form: arrays, tables of any library, files, mappings, other packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._core.names import given_measures
from ..trec import no_such_measure
from ._scores import Scores, is_read, read_table_of


def scores_by_measure(
    source: Any, name: str, measures: str | Sequence[str] | None = None, *, rankable: bool = True
) -> dict[str, Scores]:
    """The scores of each measure in a source, in the order of `measures` if these are chosen.

    The one measure of a table that does not name it is called "", or as the one that is chosen.

    Parameters
    ----------
    source : scores
        What `Scores.of` takes, also with several measures, or a mapping of measures to such tables.
    name : str
        The source in messages.
    measures : str or list of str, optional
        The measures to take; by default all.
    rankable : bool
        As for `Scores.of`.
    """
    wanted = given_measures(measures)
    tables: dict[Any, Any]
    if isinstance(source, Mapping) and source and not any(map(is_cell, source.values())):
        tables = dict(source)
    else:
        table = read_table_of(source, name, wanted) if is_read(source) else source
        columns: Any = getattr(table, "columns", None)
        if getattr(columns, "nlevels", 1) > 1:
            level = "measure" if "measure" in columns.names else 0
            tables = {measure: table.xs(measure, axis="columns", level=level) for measure in columns.unique(level)}
            for scores in tables.values():
                scores.attrs = table.attrs
        else:
            measure = getattr(table, "attrs", {}).get("measure", "")
            tables = {measure or (wanted[0] if wanted and len(wanted) == 1 else ""): table}
    for measure in wanted or ():
        if measure not in tables:
            raise no_such_measure(measure, filter(None, tables), f"'{name}'")
    chosen = {str(measure): tables[measure] for measure in wanted or tables}
    return {measure: Scores.of(table, measure or name, rankable=rankable) for measure, table in chosen.items()}


def is_cell(value: Any) -> bool:
    """Whether the value of a mapping is part of nested scores, rather than a table of its own."""
    return isinstance(value, Mapping) or np.ndim(value) == 0 or isinstance(value, str)
