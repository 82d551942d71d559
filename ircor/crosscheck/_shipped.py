"""The folders that are installed with the package but stand elsewhere in a checkout."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def shipped(name: str, in_checkout: str) -> Path:
    """The folder of this name inside the installed package, or the folder of the checkout it is copied from."""
    for folder in (PACKAGE / name, PACKAGE.parent / in_checkout):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the installation of ircor is incomplete: the folder {name} is missing")
