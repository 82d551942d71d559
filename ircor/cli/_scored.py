"""Runs that are scored by relevance judgments: --qrels."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .._text import listed
from ..trec._measures import measures_of
from ..trec._score import judgments_of, score_by_each

if TYPE_CHECKING:
    import pandas


def scored(
    runs: Sequence[str], qrels: Sequence[str], measures: Sequence[str], options: Namespace
) -> dict[tuple[str, str], pandas.DataFrame]:
    """The scores of runs by each of some judgments and each of some measures; each run is read once."""
    if options.systems is not None:
        raise ValueError("--systems is for tables of scores, and --qrels for runs")
    if not measures:
        raise ValueError("--qrels needs a measure: --measure nDCG@10, for instance")
    for name, values in (("--qrels", qrels), ("--measure", measures)):
        if len(set(values)) < len(values):
            raise ValueError(f"{name} has {listed(values)}: the same twice")
    chosen = measures_of(list(measures))
    judgments = {path: judgments_of(path, path) for path in qrels}
    tables = score_by_each(list(runs), judgments, chosen, options.missing, None)
    found = {}
    for path, table in tables.items():
        for measure in measures:
            found[path, measure] = table[measure] if len(measures) > 1 else table
            found[path, measure].attrs = table.attrs
    return found


def tables_of_runs(options: Namespace) -> dict[str, pandas.DataFrame]:
    """The scores for `ircor table`: a table for each measure, for each of several judgments, or for both."""
    found = scored(options.files, options.qrels, options.measure, options)
    if len(found) == 1:
        raise ValueError("there is only one ranking, and nothing to compare it with: give --measure or --qrels again")
    return {called(path, measure, options): table for (path, measure), table in found.items()}


def called(path: str, measure: str, options: Namespace) -> str:
    """What tells a table apart: the measure, the judgments, or both."""
    parts = [measure] * (len(set(options.measure)) > 1) + [path] * (len(set(options.qrels)) > 1)
    return ", ".join(parts) or measure
