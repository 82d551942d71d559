"""JSON: objects in lines or in a list, which are rows; and objects in objects, or mappings in memory."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from .._core.content import Content, FormatError, Held, Place, first_repeated
from .._core.names import ALL, is_topic
from ..scoring import Column, is_measure
from ._grid import Grid, text_of_value


def read_json_lines(content: Content) -> Grid:
    """A JSON object in each line, whose keys are the names of the columns."""
    return from_objects(content.path, ((line, parse_json(content.path, text, line)) for line, text in content.lines))


def parse_json(path: Place, text: str, first: int = 1) -> Any:
    """The value of a JSON text that begins at this line."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if (k := first_repeated(key for key, _ in pairs)) is not None:
            raise FormatError(path, first, f"the key {pairs[k][0]!r} is repeated in one object")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise FormatError(path, first + error.lineno - 1, f"this is not complete JSON: {error.msg}") from None
    except RecursionError:
        raise FormatError(path, first, "the JSON is nested too deeply") from None


def from_objects(path: Place, objects: Iterable[tuple[int, Any]]) -> Grid:
    """A table of objects with one row for each; a key that an object does not have is a missing value."""
    rows: list[tuple[int, dict[str, str]]] = []
    for line, item in objects:
        if not isinstance(item, dict):
            what = f"expected an object with a key for each column, not {json.dumps(item)[:40]}"
            raise FormatError(path, line, what)
        rows.append((line, {key: text_of_value(path, line, key, value) for key, value in item.items()}))
    header = list(dict.fromkeys(chain.from_iterable(row for _, row in rows)))
    return Grid(path, header, [[row.get(key, "") for _, row in rows] for key in header], [line for line, _ in rows])


def read_list(content: Content) -> Grid:
    """A list of objects, which are the rows."""
    return from_objects(content.path, enumerate(read_json(content), 1))


def read_json(content: Content) -> Any:
    """The value of a whole file of JSON."""
    first = content.lines[0][0]
    text = io.StringIO()
    line = first
    for number, part in content.lines:
        text.write("\n" * (number - line) + part)
        line = number + 1
    return parse_json(content.path, text.getvalue(), first)


NO_MEASURES = "it is not clear which keys are measures"
TABLE = "write a table with the columns topic, system, measure and value instead"


def depth(value: Any) -> int:
    """The number of objects inside each other; 0 if not all values are at the same depth, or if one is empty."""
    if not isinstance(value, dict):
        return 0
    inner = {depth(one) if isinstance(one, dict) else -1 for one in value.values()}
    if len(inner) != 1:
        return 0
    (below,) = inner
    return 1 if below == -1 else below + 1 if below else 0


def nested_table(
    content: Content, values: dict[str, Any], wanted: Collection[str] | None, roles: list[str] | None = None
) -> Grid:
    """The values as a table with one score in each row.

    Names of measures are on one level.  Of two other levels, the one whose names are like 401 or q7 has the topics.
    """
    levels = depth(values)
    if levels not in (2, 3):
        what = "expected an object of topics, each of them an object of measures, or such an object for each system"
        raise content.error(what, line=content.top)
    cells = list(leaves(values))
    if roles is None:
        roles = roles_of_levels(content, [{keys[level] for keys, _ in cells} for level in range(levels)], wanted)
    return nested_grid(content, cells, roles)


def nested_grid(content: Content, cells: list[tuple[tuple[str, ...], Any]], roles: list[str]) -> Grid:
    """Values with their keys as a table with one value in each row; of what is in memory, a message has the keys."""
    path = content.path
    if isinstance(path, Held):
        path = replace(path, keys=[keys for keys, _ in cells])
    lines = range(1, len(cells) + 1) if isinstance(path, Held) else [1] * len(cells)
    texts = [text_of_value(path, line, ", ".join(keys), value) for line, (keys, value) in zip(lines, cells)]
    columns: list[Column] = [list(level) for level in zip(*(keys for keys, _ in cells))]
    return Grid(path, [*roles, "value"], [*columns, texts], lines, content.top)


def leaves(value: Any, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each value with the keys that lead to it."""
    if not isinstance(value, dict):
        yield keys, value
        return
    for key, inside in value.items():
        yield from leaves(inside, (*keys, key))


def roles_of_levels(content: Content, names: list[set[str]], wanted: Collection[str] | None) -> list[str]:
    """The role of the keys of each level: "measure", "topic" or "system"."""
    measures = [level for level, keys in enumerate(names) if any(map(is_measure, keys))]
    if not measures and wanted is not None:
        measures = [level for level, keys in enumerate(names) if keys.intersection(wanted)]
    if len(measures) > 1 or (not measures and len(names) == 3):
        raise content.error(NO_MEASURES, TABLE, line=content.top)
    others = [level for level in range(len(names)) if level not in measures]
    topics = [level for level in others if all(is_topic(name) or name == ALL for name in names[level])]
    if len(topics) != 1 or any(is_topic(name) for level in others if level not in topics for name in names[level]):
        keys = " and ".join(repr(min(names[level])) for level in others)
        either = "topics or systems" if len(others) == 1 else "topics and systems, or systems and topics"
        raise content.error(f"the keys {keys} can be {either}", TABLE, line=content.top)
    return ["measure" if level in measures else "topic" if level in topics else "system" for level in range(len(names))]
