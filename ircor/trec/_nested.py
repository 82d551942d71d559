"""JSON objects inside objects, as pytrec_eval and ranx return values, or as pandas writes a table by default."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from .._fields import is_topic
from ._content import Content
from ._grid import Grid, cell_text
from ._lines import FormatError
from ._names import is_measure

TABLE = "write a table with the columns topic, system, measure and value instead"


def depth(value: Any) -> int:
    """How many objects are inside each other; 0 if not all values are at the same depth, or if one is empty."""
    if not isinstance(value, dict):
        return 0
    inner = {depth(one) if isinstance(one, dict) else -1 for one in value.values()}
    if len(inner) != 1:
        return 0
    (below,) = inner
    return 1 if below == -1 else below + 1 if below else 0


def nested_table(content: Content, found: dict[str, Any], wanted: Collection[str] | None) -> Grid:
    """The values as a table with one score in each row.

    Names of measures are on one level.  Of two other levels, the one whose names are like 401 or q7 has the topics.
    """
    levels = depth(found)
    if levels not in (2, 3):
        what = "expected an object of topics, each of them an object of measures, or such an object for each system"
        raise FormatError(content.path, 1, what)
    rows = list(leaves(found))
    names = [{keys[level] for keys, _ in rows} for level in range(levels)]
    kinds = kinds_of_levels(content, names, wanted)
    texts = ((keys, cell_text(content.path, 1, ", ".join(keys), value)) for keys, value in rows)
    return Grid(content.path, [*kinds, "value"], [(1, [*keys, text]) for keys, text in texts])


def leaves(value: Any, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each value with the keys that lead to it."""
    if not isinstance(value, dict):
        yield keys, value
        return
    for key, inside in value.items():
        yield from leaves(inside, (*keys, key))


def kinds_of_levels(content: Content, names: list[set[str]], wanted: Collection[str] | None) -> list[str]:
    """What the keys of each level are: "measure", "topic" or "system"."""
    measures = [level for level, keys in enumerate(names) if any(map(is_measure, keys))]
    if not measures and wanted is not None:
        measures = [level for level, keys in enumerate(names) if keys.intersection(wanted)]
    if len(measures) > 1 or (not measures and len(names) == 3):
        raise FormatError(content.path, 1, f"it is not clear which keys are measures: {TABLE}")
    others = [level for level in range(len(names)) if level not in measures]
    # "all" is the average over the topics.
    topics = [level for level in others if all(is_topic(name) or name == "all" for name in names[level])]
    if len(topics) != 1 or any(is_topic(name) for level in others if level not in topics for name in names[level]):
        shown = " and ".join(repr(min(names[level])) for level in others)
        what = "topics or systems" if len(others) == 1 else "topics and systems, or systems and topics"
        raise FormatError(content.path, 1, f"the keys {shown} can be {what}: {TABLE}")
    return ["measure" if level in measures else "topic" if level in topics else "system" for level in range(len(names))]
