"""Imported before the compiled modules: says what to do where they are missing, or older than their sources.

Only a checkout can be so: an installed wheel has the modules, and has no sources.
"""

import os
import warnings
from importlib import import_module

from .._extras import install_in_place

FOLDER = os.path.dirname(os.path.abspath(__file__))
SOURCES = (".pyx", ".pxd", ".h")


def check() -> None:
    """Refuse a folder without modules compiled for this Python, and warn of sources that changed since then.

    Raises
    ------
    ImportError
        If nothing is compiled.

    Warns
    -----
    RuntimeWarning
        If a source is newer than the modules, which are compiled in one go.
    """
    command = install_in_place(os.path.dirname(os.path.dirname(FOLDER)))
    try:
        file = import_module(".batches", __package__).__file__
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith(f"{__package__}."):
            raise
        raise ImportError(
            f"the folder {FOLDER} has no modules compiled for this Python: compile them with `{command}`, or start "
            "Python in another folder if ircor is installed elsewhere",
            name=error.name,
        ) from None
    if file and os.path.exists(os.path.join(FOLDER, "batches.pyx")) and (names := changed_since(file)):
        warnings.warn(
            f"the compiled modules in {FOLDER} are older than {', '.join(names)}, and may compute as before: "
            f"compile them with `{command}`",
            RuntimeWarning,
            stacklevel=2,
        )


def changed_since(module: str) -> list[str]:
    """The names of the sources that are newer than this file."""
    compiled = os.stat(module).st_mtime
    with os.scandir(FOLDER) as files:
        return sorted(file.name for file in files if file.name.endswith(SOURCES) and file.stat().st_mtime > compiled)


check()
