"""Paths of files: folders and patterns expanded, and the name of a file."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import TypeAlias

FilePath: TypeAlias = str | os.PathLike[str]

STANDARD_INPUT = "-"
"""The path that stands for standard input."""


def expand_paths(paths: FilePath | Iterable[FilePath]) -> list[str]:
    """Replace folders by the files in them, and patterns by the files that match.

    Hidden files are skipped.  A path that does not exist is returned unchanged, so that opening it names it.
    """
    return [path for path, _ in expanded_paths(paths)]


def expanded_paths(paths: FilePath | Iterable[FilePath]) -> list[tuple[str, bool]]:
    """The paths as `expand_paths` returns them, each with whether it was found in a folder rather than named."""
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    expanded: list[tuple[str, bool]] = []
    for path in [os.fspath(one) for one in given]:
        if os.path.isdir(path):
            files = sorted(
                entry.path for entry in os.scandir(path) if entry.is_file() and not entry.name.startswith(".")
            )
            if not files:
                raise ValueError(f"the folder {path} has no files")
        elif os.path.exists(path) or not glob.has_magic(path):
            files = [path]
        elif not (files := sorted(name for name in glob.glob(path) if os.path.isfile(name))):
            raise ValueError(f"no file matches {path}")
        expanded += [(file, file != path) for file in files]
    if not expanded:
        raise ValueError("there are no files to read: 'paths' is empty")
    return expanded


def stem(path: FilePath) -> str:
    """The name of a file without its folder and its extension; ``.gz`` does not count as one."""
    name = os.path.basename(os.fspath(path)).removesuffix(".gz")
    return "stdin" if name == STANDARD_INPUT else os.path.splitext(name)[0]


def shown_path(path: FilePath) -> str:
    """What messages call a file."""
    return "standard input" if os.fspath(path) == STANDARD_INPUT else os.fspath(path)
