"""The files of data that are not ours to ship, found by their names."""

from __future__ import annotations

import gzip
import os
from typing import TypeAlias

from .._core.errors import InvalidValueError
from .._core.text import listed

Files: TypeAlias = "dict[str, list[str]]"
"""The paths of the files of each name."""


def files_below(folder: str | os.PathLike[str]) -> Files:
    """The paths of the files in a folder and below, by name."""
    paths: Files = {}
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            paths.setdefault(name, []).append(os.path.join(where, name))
    return paths


def one_file(paths: Files, *names: str) -> str:
    """The path of the file that has one of these names; of several, only if they have the same content."""
    there = [path for name in names for path in paths.get(name, [])]
    if not there:
        raise FileNotFoundError(f"there is no file {' or '.join(names)}")
    if len(there) > 1 and len(set(map(content_of, there))) > 1:
        raise InvalidValueError(None, f"there are several files of the name {names[0]}: {listed(there)}")
    return there[0]


def content_of(path: str) -> bytes:
    """The bytes of a file, without its compression."""
    with open(path, "rb") as file:
        data = file.read()
    return gzip.decompress(data) if path.endswith(".gz") else data
