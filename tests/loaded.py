"""The scripts as modules."""

import importlib.util
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parents[1] / "scripts"


def load_script(name):
    """A new module with the content of scripts/NAME.py."""
    specification = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module  # where dataclasses look their module up while it is loaded
    try:
        specification.loader.exec_module(module)
    finally:
        del sys.modules[name]
    return module
