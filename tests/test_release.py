"""scripts/release refuses before it does anything, and its report hides nothing."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ircor
from ircor.crosscheck import check

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="a script for bash")


@pytest.fixture
def checkout(tmp_path):
    """A repository with the script, a version and a changelog, all committed."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "release", tmp_path / "scripts")
    # What would come after the checks says that they were passed.
    (tmp_path / "scripts" / "test").write_text("#!/bin/sh\necho reached the tests\nexit 1\n")
    (tmp_path / "scripts" / "test").chmod(0o755)
    (tmp_path / "pyproject.toml").write_text('version = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("## [1.2.3] - 2030-01-31\n")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *command], check=True)
    return tmp_path, git


def release(folder, *arguments):
    done = subprocess.run([folder / "scripts" / "release", *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def commit(git):
    subprocess.run([*git, "commit", "-q", "-a", "-m", "change"], check=True)


def test_tests_that_fail(checkout):
    status, out, err = release(checkout[0])
    assert (status, out) == (1, "reached the tests\n")
    assert err == "No release: the tests fail\n"


def test_a_tree_that_is_not_clean(checkout):
    folder, _ = checkout
    (folder / "new.txt").write_text("")
    status, out, err = release(folder)
    assert (status, out) == (1, "")
    assert "the tree is not clean" in err


@pytest.mark.parametrize("entry", ["## [1.2.3] - unreleased", "## [1.2.4] - 2030-01-31", "## [1x2.3] - 2030-01-31", ""])
def test_a_changelog_without_the_version(checkout, entry):
    folder, git = checkout
    (folder / "CHANGELOG.md").write_text(entry + "\n")
    commit(git)
    status, out, err = release(folder)
    assert (status, out) == (1, "")
    assert err == "No release: CHANGELOG.md has no dated entry for version 1.2.3\n"


def test_too_few_cases(checkout):
    status, _, err = release(checkout[0], "--cases", "99999", "--without-original")
    assert status == 1
    assert "at least 100000 cases, not 99999" in err


@pytest.mark.parametrize("arguments", [["--cases"], ["--cases", "many"], ["--force"]])
def test_bad_usage(checkout, arguments):
    status, _, err = release(checkout[0], *arguments)
    assert (status, err) == (2, "usage: scripts/release [--without-original] [--without-elsewhere] [--cases N]\n")


@pytest.fixture
def folder(tmp_path):
    """What a release leaves for its report."""
    record = check("record")
    (tmp_path / "crosscheck-record.json").write_text(record.as_json())
    figures = [{"verdict": verdict} for verdict in ("agrees", "agrees", "misprint")]
    (tmp_path / "reproduce.json").write_text(json.dumps({"figures": figures}))
    (tmp_path / "ircor-1.whl").write_bytes(b"wheel")
    return tmp_path


@pytest.mark.r
def test_the_report_names_the_oracles_and_their_versions(folder):
    command = [sys.executable, ROOT / "scripts" / "release_report.py", folder, "the moon"]
    subprocess.run(command, check=True)
    text = (folder / "REPORT.txt").read_text()
    assert text.startswith(f"ircor for Python {ircor.__version__}\n")
    compared = check("record", progress=False).functions
    answers = f"{sum(tally.cases for tally in compared.values())} answers of {len(compared)} "
    assert f"Cross-check with the record 1.0, R version 4.2.2, when the record was made:\n  {answers}" in text
    assert "functions agree, tolerance of the coefficients 1e-12\n  not compared: names and defaults" in text
    assert "Figures of the papers: 2 agrees, 1 misprint\n" in text
    assert f"numpy {np.__version__}, scipy " in text
    assert re.search(r"and, in R, with .*quadprog [\d.]+", text)
    assert "\nNOT DONE: the moon\n" in text
    assert text.endswith(f"{hashlib.sha256(b'wheel').hexdigest()}  ircor-1.whl\n")
    assert not (folder / ".REPORT.txt").exists()


@pytest.mark.r
def test_a_disagreement_is_in_the_report(folder):
    found = json.loads((folder / "crosscheck-record.json").read_text())
    (folder / "crosscheck.json").write_text(json.dumps(found | {"agrees": False, "seed": 7}))
    subprocess.run([sys.executable, ROOT / "scripts" / "release_report.py", folder], check=True)
    text = (folder / "REPORT.txt").read_text()
    assert text.count("functions DISAGREE, tolerance of the coefficients 1e-12, seed 7\n") == 1
    assert "NOT DONE" not in text
