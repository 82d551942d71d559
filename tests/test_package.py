"""What is in the wheel and in the sdist."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_wheel_and_the_sdist(tmp_path):
    """Built from a clone, so that the checkout is not touched; one test, so that they are built once."""
    subprocess.run(["git", "clone", "-q", str(ROOT), str(tmp_path / "clone")], check=True)
    # The content is the same, and a compiler that does not optimize takes a third of the time.
    settings = tmp_path / "clone" / "pyproject.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace('"-O3"', '"-O0"'), encoding="utf-8")
    for call in ("build_sdist", "build_wheel"):
        code = f"from setuptools import build_meta; build_meta.{call}({str(tmp_path)!r})"
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path / "clone", check=True, capture_output=True)
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    (wheel,) = tmp_path.glob("*.whl")
    check_content(set(zipfile.ZipFile(wheel).namelist()), tracked)
    check_that_it_works(wheel, tmp_path / "unpacked")
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert set(tracked) <= {name.partition("/")[2] for name in archive.getnames()}


def check_content(names, tracked):
    """The wheel has the package, its licence, the oracles of the cross-check and the compiled modules, nothing else."""
    package = {name for name in tracked if name.startswith("ircor/") and not name.endswith(".pyx")}
    record = {f"ircor/record/{Path(name).name}" for name in tracked if re.fullmatch("tests/data/[^/]+", name)}
    folders = ("r_reference/R/", "r_reference/man/")
    reference = {f"ircor/{name}" for name in tracked if name.startswith(folders)}
    reference |= {f"ircor/r_reference/{name}" for name in ("DESCRIPTION", "LICENSE", "NAMESPACE")}
    compiled = {name for name in names if name.endswith((".so", ".pyd"))}
    modules = {name.removesuffix(".pyx") for name in tracked if name.endswith(".pyx")}
    assert {name.partition(".")[0] for name in compiled} == modules
    described = {name for name in names if ".dist-info/" in name}
    assert any(name.endswith("/licenses/LICENSE") for name in described)
    assert "ircor/py.typed" in names
    assert names - described - compiled == package | record | reference


def check_that_it_works(wheel, folder):
    """The cross-check with the record runs from where the wheel was unpacked."""
    zipfile.ZipFile(wheel).extractall(folder)
    code = "import ircor.crosscheck as c; r = c.Record(); assert c.run(r, r.cases).agrees; print(c.__file__)"
    environment = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    assert str(folder) in done.stdout
