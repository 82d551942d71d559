"""Paths of files: folders and patterns expanded, and the name of a file."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import TypeAlias

FilePath: TypeAlias = str | os.PathLike[str]


def expand_paths(paths: FilePath | Iterable[FilePath]) -> list[str]:
    """Replace folders by the files in them, and patterns by the files that match.

    Hidden files are skipped.  A path that does not exist is returned unchanged, so that opening it names it.
    """
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    expanded = []
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
        expanded += files
    if not expanded:
        raise ValueError("there are no files to read: 'paths' is empty")
    return expanded


def stem(path: FilePath) -> str:
    """The name of a file without its folder and its extension; ``.gz`` does not count as one."""
    name = os.path.basename(os.fspath(path)).removesuffix(".gz")
    return os.path.splitext(name)[0]
