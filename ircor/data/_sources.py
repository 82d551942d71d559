"""Scores of one measure or of several, in any form: arrays, tables of any library, files, mappings, other packages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from numbers import Number
from typing import Any, Literal

from .._core.names import given_measures
from ..trec import no_such_measure
from ._scores import Scores, is_read, read_table_of


def scores_by_measure(
    source: Any,
    name: str,
    measures: str | Sequence[str] | None = None,
    *,
    named_by: Literal["measure", "source"] = "measure",
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
    named_by : {"measure", "source"}
        What messages call the tables.
    """
    wanted = given_measures(measures)
    tables: dict[Any, Any]
    if isinstance(source, Mapping) and not any(map(is_part, source.values())):
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
    return {
        measure: Scores.of(table, measure if measure and named_by == "measure" else name)
        for measure, table in chosen.items()
    }


def is_part(value: Any) -> bool:
    """Whether the value of a mapping is part of nested scores, rather than a table of its own."""
    if isinstance(value, (Mapping, Number, Iterator)):
        return True
    first = value[0] if isinstance(value, (list, tuple)) and value else value
    # The named tuples of ir_measures, and the runs of ranx.
    return not isinstance(value, Scores) and any(hasattr(first, name) for name in ("query_id", "to_typed_list"))
