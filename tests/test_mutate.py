"""scripts/mutate: which mutants it makes, and that it tells those that are noticed from those that are not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from loaded import load_script

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def mutate():
    return load_script("mutate")


SOURCE = '''
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import never > 1
__all__ = ["a"]

def f(x: 11, y=True) -> 12:
    """Doc 3 < 4."""
    if not x < y and x:
        warn("no")
    if x is None:
        raise ValueError(f"{x + 1}")
    return x * 5 if y else -x
'''.replace("    import never > 1\n", "    import never\n")


def test_the_changes(mutate, tmp_path):
    (tmp_path / "a.py").write_text(SOURCE)
    found = {(mutant.before, mutant.after) for mutant in mutate.mutants(Path("a.py"), tmp_path)}
    assert {
        ("x < y", "x <= y"),
        ("x < y", "x >= y"),
        ("not x < y", "x < y"),
        ("not x < y and x", "not x < y or x"),
        ('warn("no")', "pass"),
        ("x is None", "x is not None"),
        ("x * 5", "x / 5"),
        ("5", "6"),
        ("-x", "x"),
        ("True", "False"),
        ("x * 5 if y else -x", "-x if y else x * 5"),
        ("return x * 5 if y else -x", "return None"),
    } <= found
    assert {before for before, _ in found}.isdisjoint({"11", "12", '["a"]', '"""Doc 3 < 4."""', "TYPE_CHECKING"})
    assert any(before.startswith("raise ValueError") and after == "pass" for before, after in found)
    for mutant in mutate.mutants(Path("a.py"), tmp_path):
        compile(mutant.source, "a.py", "exec")


def test_the_tests_of_a_file(mutate):
    assert mutate.stages_of(Path("ircor/duckdb.py")) == [["ircor/duckdb.py"]]
    own, package = mutate.stages_of(Path("ircor/_core/text.py"))
    assert own == ["tests/_core/test_text.py", "ircor/_core/text.py"]
    assert package == ["tests/_core"]


@pytest.mark.slow
def test_noticed_and_not_noticed(tmp_path):
    """A tree with one function that is tested and one that is not."""
    for folder in ("scripts", "ircor", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "scripts/mutate.py").write_text((ROOT / "scripts/mutate.py").read_text())
    (tmp_path / "ircor/__init__.py").write_text("")
    source = "def covered(x):\n    return x < 0\n\n\ndef forgotten(x):\n    return x + 7\n"
    (tmp_path / "ircor/_text.py").write_text(source)
    test = "from ircor._text import covered\n\n\ndef test():\n    assert (covered(-1), covered(0)) == (True, False)\n"
    (tmp_path / "tests/test_text.py").write_text(test)
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["r: R"]\n')
    command = [sys.executable, str(tmp_path / "scripts/mutate.py"), "ircor/_text.py", "--count", "99", "--jobs", "2"]
    # R, if a test before this one has started it, sets a path on which other libraries of Python may be.
    env = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    killed = {line.removeprefix("killed").strip() for line in lines if line.startswith("killed ")}
    survived = {line.removeprefix("survived").strip() for line in lines if line.startswith("survived ")}
    assert "ircor/_text.py:2: x < 0  ->  x <= 0" in killed
    assert all("_text.py:2:" in line for line in killed)
    assert "ircor/_text.py:6: x + 7  ->  x - 7" in survived
    assert all("_text.py:6:" in line for line in survived)
    assert (tmp_path / "ircor/_text.py").read_text() == source
    assert any(line.split() == ["ircor/_text.py", "7", "7", "4", "57%"] for line in lines), done.stdout
