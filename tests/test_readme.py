"""The lines of the README as they are printed, started in a checkout: its folder `ircor` is the package there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from loaded import load_script

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
examples = load_script("examples")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


INSTALL = blocks("sh")[0]


def run(command, folder):
    """What a command prints in a folder, without settings that would tell Python of another folder."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        ["bash", "-ec", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command} fails:\n{done.stdout}{done.stderr}"
    return done.stdout


def check_python(python, folder, tmp_path):
    """Started in this folder, a Python imports the package there and runs the examples, one block after the other."""
    session = tmp_path / "session.txt"
    session.write_text("\n".join(blocks("python")), encoding="utf-8")
    found = run(f"'{python}' -c 'import ircor; from ircor import tau; print(ircor.__file__)'", folder)
    assert Path(found.strip()) == folder / "ircor" / "__init__.py"
    run(f"'{python}' -m doctest -o ELLIPSIS '{session}'", folder)
    assert run(f"'{python}' -m ircor --version", folder).startswith("ircor ")


def test_pages_install_a_checkout_in_place():
    """Otherwise Python would find the folder of the sources, without compiled modules, before what was installed."""
    lines = [line for page in PAGES for line in page.read_text(encoding="utf-8").splitlines()]
    installs = [line for line in lines if re.search(r"pip install\b[^`]*\s'?\.(\[|'|`|\s|$)", line)]
    assert len(installs) >= 8
    assert [line for line in installs if "pip install -e " not in line] == []
    assert INSTALL == "python3 -m venv .venv\n.venv/bin/pip install -e '.[cli]'\n"
    # The same in one line, where the README says what scripts/reproduce does.
    assert f"`{INSTALL.strip().replace(chr(10), ' && ')} && .venv/bin/ircor reproduce`" in README


@pytest.mark.skipif(os.name == "nt", reason="the README is for shells of Unix")
def test_the_checkout_is_the_package(tmp_path):
    """With the Python of the tests, in a checkout that was compiled in place."""
    check_python(sys.executable, ROOT, tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the README is for shells of Unix")
def test_the_readme_in_a_new_clone(tmp_path):
    """All of it: the installation from the package index, every example, and the script that recomputes the figures."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    assert (clone / "README.md").read_text(encoding="utf-8") == README, "the README has changes that are not committed"
    run(INSTALL, clone)
    check_python(".venv/bin/python", clone, tmp_path)
    commands = [found for block in blocks("console") for found in examples.commands(block)]
    assert commands
    for command, shown in commands:
        status, printed = examples.in_terminal(["bash", "-c", command], clone)
        assert status == 0, printed
        assert examples.matches(shown, examples.tidy(printed)), f"{command}\n{printed}"
    assert "    scripts/reproduce\n" in README
    # Outside a terminal the last line, with the counts, goes to standard error.
    assert run("scripts/reproduce 2>&1", clone).endswith(" 0 DIFFER\n")
    status = subprocess.run(["git", "status", "--porcelain"], cwd=clone, capture_output=True, text=True, check=True)
    assert status.stdout == ""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the page is for shells of Unix")
def test_the_quick_start_with_ranx(tmp_path):
    """Its lines for ranx, which is no dependency of the tests."""
    page = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^```py\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "session.txt").write_text(lines, encoding="utf-8")
    run(f"'{sys.executable}' -m pip install -q --target ranx ranx", tmp_path)
    run(f"'{sys.executable}' -m ircor sample data", tmp_path)
    run(f"PYTHONPATH='{ROOT}:ranx' '{sys.executable}' -W ignore -m doctest session.txt", tmp_path)
