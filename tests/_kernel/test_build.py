"""A checkout whose modules are not compiled, or older than their sources, says so when it is imported."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ircor
from ircor._extras import install_in_place

PACKAGE = Path(ircor.__file__).parent


@pytest.fixture
def checkout(tmp_path):
    """A checkout with a copy of the package, and a way to import it there."""
    ignore = shutil.ignore_patterns("*.c", "__pycache__")
    kernel = Path(shutil.copytree(PACKAGE, tmp_path / "ircor", ignore=ignore)) / "_kernel"

    def run(*arguments):
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    return kernel, run, f"compile them with `{install_in_place(str(tmp_path))}`"


def compiled(kernel):
    return [*kernel.glob("*.so"), *kernel.glob("*.pyd")]


@pytest.mark.parametrize("arguments", [("-c", "from ircor import tau"), ("-m", "ircor")], ids=["import", "command"])
def test_modules_that_are_not_compiled(checkout, arguments):
    kernel, run, advice = checkout
    for path in compiled(kernel):
        path.unlink()
    done = run(*arguments)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: the folder {kernel} has no modules compiled for this Python: {advice}, "
        "or start Python in another folder if ircor is installed elsewhere"
    )


@pytest.mark.parametrize("suffix", ["pyx", "pxd"])
def test_sources_that_changed_after_compiling(checkout, suffix):
    kernel, run, advice = checkout
    after = max(path.stat().st_mtime for path in kernel.iterdir()) + 1
    for path in compiled(kernel):
        os.utime(path, (after, after))
    done = run("-W", "error", "-c", "import ircor")
    assert (done.returncode, done.stderr) == (0, "")
    os.utime(kernel / f"ranking.{suffix}", (after + 1, after + 1))
    done = run("-c", "from ircor import tau; print(tau([1, 2, 3], [1, 3, 2]))")
    assert (done.returncode, done.stdout) == (0, f"{1 / 3}\n")
    assert (
        f"RuntimeWarning: the compiled modules in {kernel} are older than ranking.{suffix}, "
        f"and may compute as before: {advice}\n"
    ) in done.stderr


def test_an_installed_package_has_no_sources_that_could_change(checkout):
    kernel, run, _ = checkout
    for path in kernel.glob("*.pyx"):
        path.unlink()
    for path in compiled(kernel):
        os.utime(path, (0, 0))
    done = run("-W", "error", "-c", "import ircor")
    assert (done.returncode, done.stderr) == (0, "")
