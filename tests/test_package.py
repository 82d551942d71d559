"""What is in the wheel and in the sdist."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A wheel and an sdist of the checkout as it is committed, built from a clone so that nothing of it is touched."""
    folder = tmp_path_factory.mktemp("package")
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder / "clone")], check=True)
    for call in ("build_sdist", "build_wheel"):
        code = f"from setuptools import build_meta; build_meta.{call}({str(folder)!r})"
        subprocess.run([sys.executable, "-c", code], cwd=folder / "clone", check=True, capture_output=True)
    return folder


def test_the_wheel_carries_types_and_the_oracles_of_the_cross_check(built):
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "ircor/py.typed",
        "ircor/_kernel/dominance.pyi",
        "ircor/crosscheck/bridge.R",
        "ircor/record/random.jsonl",
        "ircor/record/edges.jsonl",
        "ircor/r_reference/DESCRIPTION",
        "ircor/r_reference/NAMESPACE",
        "ircor/r_reference/R/tauAP.R",
        "ircor/r_reference/man/tauAP.Rd",
    } <= names
    assert any(name.startswith("ircor/_kernel/dominance.") and name.endswith((".so", ".pyd")) for name in names)
    assert not any(name.startswith("tests/") for name in names)


def test_the_wheel_answers_from_where_it_was_unpacked(built):
    (wheel,) = built.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(built / "unpacked")
    code = "import ircor.crosscheck as c; r = c.Record(); assert c.run(r, r.cases).agrees; print(c.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=built / "unpacked", capture_output=True, text=True, check=True
    )
    assert str(built) in done.stdout


def test_the_sdist_is_the_whole_project(built):
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert set(tracked) - names <= {"tests/test_package.py"}
