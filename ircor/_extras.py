"""Modules that come with an extra of the package, imported where they are needed."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

# The extra that has each module.
EXTRAS = {
    "duckdb": "duckdb",
    "ir_measures": "measures",
    "joblib": "parallel",
    "matplotlib": "cli",
    "pandas": "cli",
    "polars": "polars",
    "pyarrow": "parquet",
    "shtab": "completion",
}


def extra(module: str, what: str) -> Any:
    """Import a module that a plain install does not have, or say what needs it and how to install it.

    Raises
    ------
    ModuleNotFoundError
        If it is not installed.

    Examples
    --------
    >>> extra("pandas", "this example").Series([3, 1]).tolist()
    [3, 1]
    """
    name = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != name:
            raise  # it is installed, and something that it needs is not
        raise ModuleNotFoundError(f"{what} needs {name}: {install(EXTRAS[name])}", name=name) from None


def install(name: str) -> str:
    """The command that adds an extra to this environment."""
    return pip_install(f"'ircor[{name}]'")


def install_in_place(checkout: str) -> str:
    """The command that compiles a checkout in place for this environment."""
    return pip_install("-e " + in_shell(checkout))


def pip_install(what: str) -> str:
    """A command of this environment: with its own Python, since the pip of the path may be another."""
    return f"{in_shell(sys.executable or 'python')} -m pip install {what}"


def in_shell(path: str) -> str:
    """A path as shells take it, those of Windows too."""
    return f'"{path}"' if " " in path else path
