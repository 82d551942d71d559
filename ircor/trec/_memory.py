"""Scores in memory: data frames, nested mappings, and the objects of ranx and ir_measures, as tables of cells."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Protocol, TypeAlias

import numpy as np

from .._core.content import UNNAMED, Content
from .._core.errors import InvalidTypeError, InvalidValueError, Source, must_be, shown
from .._core.files import FilePath
from .._core.types import Frame, HasItems
from ..scoring import is_run
from ._frames import is_frame
from ._grid import Grid
from ._nested import nested_table


class RunOfRanx(Protocol):
    """A Run of ranx that was evaluated, with its scores by measure and topic."""

    @property
    def scores(self) -> HasItems[HasItems[float]]: ...


class ReportOfRanx(Protocol):
    """A Report of ranx, with means by system and measure."""

    @property
    def results(self) -> HasItems[HasItems[float]]: ...


InMemory: TypeAlias = "Frame | HasItems[object] | RunOfRanx | ReportOfRanx"
ScoresSource: TypeAlias = "FilePath | InMemory | Iterable[FilePath | InMemory | tuple[object, ...]]"
"""Scores: paths, or what is in memory: data frames, nested mappings, objects of ranx, named tuples of ir_measures."""

SCORE = "score"
"""The measure of scores that do not name it."""

SOURCES = "paths, a data frame, a mapping, named tuples of ir_measures, or runs or a report of ranx"


def sources_of(source: Any, name: str) -> tuple[list[FilePath], list[Content]]:
    """The paths, or else the objects in memory."""
    if isinstance(source, (str, os.PathLike)):
        return [source], []
    if is_held(source):
        return [], [Content.held_as(source, name)]
    if not isinstance(source, Iterable) or isinstance(source, bytes) or hasattr(source, "dtype"):
        raise InvalidTypeError(Source(name), must_be(SOURCES, source))
    several = list(source)
    paths = [one for one in several if isinstance(one, (str, os.PathLike))]
    if len(paths) == len(several):
        return paths, []
    if paths:
        raise InvalidTypeError(Source(name), f"has paths, such as {os.fspath(paths[0])}, beside objects in memory")
    if all(map(is_record, several)):
        return [], [Content.held_as(several, name)]
    return [], [Content.held_as(one, f"{name}[{k}]") for k, one in enumerate(several)]


def is_held(source: object) -> bool:
    """Whether it is one object of scores in memory."""
    return isinstance(source, Mapping) or is_frame(source) or is_run(source) or is_report(source)


def is_report(source: object) -> bool:
    """Whether it is a Report of ranx, or what its `to_dict` returns."""
    if isinstance(source, Mapping):
        return {"metrics", "model_names"} <= set(source)
    return hasattr(source, "model_names") and hasattr(source, "results")


def is_record(source: object) -> bool:
    """Whether it is a named tuple."""
    return isinstance(source, tuple) and hasattr(source, "_fields")


def read_objects(content: Content, wanted: Collection[str] | None) -> Grid:
    """Scores by topic in objects as a table with one of them in each row."""
    values, roles = nested_of(content)
    return nested_table(content, values, wanted, roles)


def nested_of(content: Content, means: bool = False) -> tuple[dict[str, Any], list[str] | None]:
    """The scores as nested mappings, and what the keys of each level are, if the object says it.

    `means` are those over topics, of ranx.
    """
    held, name = content.held, content.name
    if is_report(held):
        if not means:
            raise InvalidValueError(Source(name), "has means only, no scores by topic", "read_leaderboard reads them")
        results = (
            {one: held[one]["scores"] for one in held["model_names"]} if isinstance(held, Mapping) else held.results
        )
        return with_text_keys(results, name), ["system", "measure"]
    if not isinstance(held, Mapping):
        own = getattr(held, "name", None)
        held = {UNNAMED if own is None else own: held}
    kinds = {kind for kind in (is_run, is_records) if any(map(kind, held.values()))}
    if not kinds:
        return with_text_keys(held, name), None
    roles = ["system", "measure", "topic"] if is_run in kinds else ["system", "topic", "measure"]
    by_system = {}
    for system, part in held.items():
        called = f"{name}[{system!r}]" if held is content.held else name
        if not all(kind(part) for kind in kinds):
            raise InvalidTypeError(Source(called), must_be("of the kind of the others", part))
        by_system[system] = scores_of_run(part, called, means) if is_run in kinds else scores_of_records(part, called)
    if means and is_run in kinds:
        roles = ["system", "measure"]
    return with_text_keys(by_system, name), roles


def scores_of_run(run: Any, name: str, means: bool) -> Any:
    """{measure: {topic: score}} of a Run of ranx, or {measure: mean}."""
    scores = getattr(run, "mean_scores" if means else "scores", None)
    if not scores:
        how = "evaluate it with save_results_in_run=True, or score the runs by judgments with ircor.trec.score"
        raise InvalidValueError(Source(name), "is a run of ranx without scores", how)
    return scores


def is_records(source: object) -> bool:
    """Whether it is a list, or another iterable, of named tuples or of something else, but no mapping and no run."""
    return isinstance(source, Iterable) and not isinstance(source, (str, bytes, Mapping)) and not is_run(source)


def scores_of_records(records: Iterable[Any], name: str) -> dict[Any, dict[str, Any]]:
    """{topic: {measure: score}} of what ir_measures gives."""
    scores: dict[Any, dict[str, Any]] = {}
    for record in records:
        if not {"query_id", "measure", "value"} <= set(getattr(record, "_fields", ())):
            what = "must have named tuples of query_id, measure and value, as iter_calc of ir_measures gives"
            raise InvalidTypeError(Source(name), f"{what}, not {shown(record)}")
        of_topic = scores.setdefault(record.query_id, {})
        if (measure := str(record.measure)) in of_topic:
            raise InvalidValueError(Source(name), f"has {measure} twice for topic {record.query_id!r}")
        of_topic[measure] = record.value
    return scores


def with_text_keys(values: Mapping[Any, Any], name: str) -> dict[str, Any]:
    """The same mappings with keys that are text, as in JSON, and with numbers of Python."""
    texts: dict[str, Any] = {}
    for key, value in values.items():
        if (text := str(key)) in texts:
            raise InvalidValueError(Source(name), f"has two keys that are the same as text: {text!r}")
        if isinstance(value, Mapping):
            texts[text] = with_text_keys(value, f"{name}[{key!r}]")
        else:
            texts[text] = value.item() if isinstance(value, np.generic) else value
    return texts
