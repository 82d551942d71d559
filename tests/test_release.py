"""scripts/release refuses before it does anything."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


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
    assert (status, err) == (2, "usage: scripts/release [--without-original] [--cases N]\n")
