"""Scores in memory: data frames, nested mappings, and the objects of ranx and ir_measures, as tables of cells."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeAlias

import numpy as np

from .._core.errors import InvalidTypeError, InvalidValueError, Source, must_be, shown
from .._core.files import FilePath
from .._core.names import role_of
from .._core.options import Systems
from .._core.types import Frame, HasItems
from .._extras import extra
from ._content import UNNAMED, Content, once
from ._grid import Grid, checked_grid, stacked


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


def is_frame(source: object) -> bool:
    """Whether it is a data frame, a Series, or anything else with columns."""
    return is_lazy(source) or any(hasattr(source, name) for name in ("columns", "to_frame", "__arrow_c_stream__"))


def is_lazy(source: object) -> bool:
    """Whether it is a data frame that has no rows yet."""
    return hasattr(source, "collect") and not hasattr(source, "__len__")


def is_run(source: object) -> bool:
    """Whether it is a Run of ranx."""
    return hasattr(source, "to_typed_list") and hasattr(source, "run")


def is_report(source: object) -> bool:
    """Whether it is a Report of ranx, or what its `to_dict` returns."""
    if isinstance(source, Mapping):
        return {"metrics", "model_names"} <= set(source)
    return hasattr(source, "model_names") and hasattr(source, "results")


def is_record(source: object) -> bool:
    """Whether it is a named tuple."""
    return isinstance(source, tuple) and hasattr(source, "_fields")


def read_frame(content: Content) -> Grid:
    """A data frame as a table of cells."""
    columns = frame_columns(content)
    rows = ((k, list(map(text_of, row))) for k, row in enumerate(zip(*(values for _, values in columns)), 1))
    grid = checked_grid(content.path, [text_of(label) for label, _ in columns], rows, 0)
    sides = {role_of(level) for level in getattr(getattr(content.held, "columns", None), "names", ())}
    side: Systems | None = "columns" if sides == {"system"} else "rows" if sides == {"topic"} else None
    return replace(grid, sides=side, measure=getattr(content.held, "attrs", {}).get("measure", ""))


@once
def frame_columns(content: Content) -> list[tuple[Any, list[Any]]]:
    """The names and the values of columns, with None for missing ones.

    An index that is more than the numbers of rows is a column, or several.
    """
    frame, name = content.held, content.name
    if is_lazy(frame):
        raise InvalidTypeError(Source(name), f"is a {type(frame).__name__}, which has no rows yet", "collect it first")
    if hasattr(frame, "get_columns"):  # Polars
        return [(column.name, column.to_list()) for column in frame.get_columns()]
    return [(label, values_of(label, column, name)) for label, column in with_index(stacked(pandas_frame(frame, name)))]


def pandas_frame(frame: Any, name: str) -> Any:
    """A table of another library, or a Series, as a DataFrame of pandas."""
    if not hasattr(frame, "columns") and hasattr(frame, "to_frame"):
        frame = frame.to_frame(*([SCORE] if frame.name is None else []))
    if not hasattr(frame, "iloc") and hasattr(frame, "to_pandas"):
        frame = frame.to_pandas()
    if not hasattr(frame, "iloc") and hasattr(frame, "__arrow_c_stream__"):
        frame = extra("pyarrow", "reading a table in Arrow's format").table(frame).to_pandas()
    if not hasattr(frame, "iloc") or hasattr(frame, "compute"):
        raise InvalidTypeError(Source(name), must_be(f"{SOURCES}, in memory", frame))
    return frame


def with_index(frame: Any) -> Iterator[tuple[Any, Any]]:
    """The columns of a DataFrame by their names, the levels of its index first; "" if such a level has no name."""
    index = frame.index
    if not (type(index).__name__ == "RangeIndex" and index.name is None):
        for k, label in enumerate(index.names):
            yield "" if label is None else label, index.get_level_values(k).to_series()
    for k, label in enumerate(frame.columns):
        yield label, frame.iloc[:, k]


def values_of(label: Any, column: Any, name: str) -> list[Any]:
    """The values of a column of pandas, with None for missing ones."""
    if str(column.dtype) == "category" and role_of(label) not in ("topic", "system"):
        of_type = column.cat.categories.dtype
        if getattr(of_type, "kind", "O") in "iufb":
            raise InvalidTypeError(Source(name), f"has categories of type {of_type} in {label!r}, which are no scores")
    values: list[Any] = column.astype(object).where(column.notna(), None).tolist()
    return values


def text_of(value: Any) -> str:
    """A value in memory as the text of a cell."""
    value = value.item() if hasattr(value, "item") else value
    if value is None or value != value:
        return ""
    return repr(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value).strip()


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
