"""While another thread writes to an array: any number in [-1, 1], or an error, but memory stays whole."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from changing import LENGTHS, OTHERS, coefficients_while_writing, others_while_writing

ROOT = Path(__file__).parent.parent
# The modules that read arrays.
KERNEL = sorted(
    path.stem for path in (ROOT / "ircor" / "_kernel").glob("*.pyx") if path.stem not in ("documents", "evaluation")
)


@pytest.mark.filterwarnings("ignore::ircor.MissingValueWarning")
@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("kind", ["doubles", "integers", "few", "float32"])
def test_an_array_that_another_thread_writes_to(kind, n):
    found, turns = coefficients_while_writing(n, kind, 0.05)
    assert turns > 1
    errors = [value for value in found if isinstance(value, ValueError)]
    assert all("contains ties" in str(error) or "missing value" in str(error) for error in errors)
    numbers = np.array([value for value in found if not isinstance(value, ValueError)])
    assert np.all((np.abs(numbers) <= 1) | np.isnan(numbers))


@pytest.mark.filterwarnings("ignore::ircor.MissingValueWarning")
@pytest.mark.parametrize("others", OTHERS)
def test_other_functions(others):
    found, turns = others_while_writing(others, 0.05)
    assert turns > 1
    errors = [value for value in found if isinstance(value, ValueError)]
    assert all(re.search("contains ties|missing value|has the item|changed while it was read", str(e)) for e in errors)


def library(name):
    """The path of a library of gcc, or None."""
    if shutil.which("gcc") is None:
        return None
    found = subprocess.run(
        ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()
    return found if os.path.isabs(found) else None


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="LD_PRELOAD is for Linux")
@pytest.mark.skipif(library("libasan.so") is None, reason="gcc with AddressSanitizer is not installed")
def test_no_access_outside_of_the_memory_of_the_kernel(tmp_path):
    """The kernel is compiled so that such an access ends the process, and arrays change while it reads them."""
    package = tmp_path / "ircor"
    shutil.copytree(ROOT / "ircor", package, ignore=shutil.ignore_patterns("*.c", "__pycache__"))
    includes = [f"-I{sysconfig.get_path(name)}" for name in ("include", "platinclude")]
    for module in KERNEL:
        name = f"ircor/_kernel/{module}"
        to = name + sysconfig.get_config_var("EXT_SUFFIX")
        for command in (
            [sys.executable, "-m", "cython", name + ".pyx"],
            ["gcc", "-shared", "-fPIC", "-g", "-O1", "-fsanitize=address", *includes, name + ".c", "-o", to],
        ):
            subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    variables = {
        "LD_PRELOAD": library("libasan.so"),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONPATH": str(tmp_path),
        "PYTHONMALLOC": "malloc",
    }
    script = [sys.executable, str(ROOT / "tests" / "changing.py"), "0.5"]
    ran = subprocess.run(script, cwd=tmp_path, env=os.environ | variables, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split()[-1] == str(package / "__init__.py")
