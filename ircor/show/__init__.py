"""Words and tables for people.  Everything here reads results by their attributes."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .tables import Column, Table, View, plain

__all__ = ["Column", "Table", "View", "plain", "view_of"]

VIEWS = {
    "Agreement": "judges",
    "Agreements": "checks",
    "BCubed": "averages",
    "Bias": "judges",
    "BootstrapResult": "intervals",
    "Calibration": "calibration",
    "Comparison": "compare",
    "Comparisons": "compare",
    "Correlation": "intervals",
    "DrankNull": "intervals",
    "DrankResult": "intervals",
    "Expected": "reliability",
    "Figures": "checks",
    "Generalizability": "reliability",
    "JudgesResult": "judges",
    "MeansComparison": "averages",
    "MeasureTable": "overlap",
    "NamedDistance": "intervals",
    "OrderChange": "averages",
    "OverlapTable": "overlap",
    "PermutationResult": "intervals",
    "PlaceChanges": "places",
    "Places": "places",
    "PreferencesResult": "segments",
    "RS": "averages",
    "RSResult": "averages",
    "Reliability": "reliability",
    "RunsOverlap": "overlap",
    "RunsResult": "averages",
    "RunsTable": "averages",
    "SampleFiles": "checks",
    "SegmentsResult": "segments",
    "TopicsNeeded": "reliability",
    "TransformReport": "averages",
    "crosscheck.Agreement": "checks",
}
"""The module of each view: that of a result of the class X is called XView.  Judges have an Agreement too."""


def view_of(result: Any) -> View[Any]:
    """The view of a result, loaded when it is first needed."""
    for kind in type(result).__mro__:
        for name in (".".join([*kind.__module__.split(".")[1:2], kind.__name__]), kind.__name__):
            if name in VIEWS:
                module = import_module(f".{VIEWS[name]}", __name__)
                view: type[View[Any]] = getattr(module, f"{kind.__name__}View")
                return view(result)
    raise TypeError(f"there is no view of a {type(result).__name__}")
