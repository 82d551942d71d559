"""The layers of docs/architecture.md are those of the code, and what each layer must not do."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "ircor"
LONGEST = {"ircor": 640, "tests": 440, "scripts": 440}
HEAVY = {"scipy", "pandas", "matplotlib", "rpy2", "joblib", "rich", "polars", "pyarrow", "duckdb"}


def layers():
    """The level of each module, 0 at the bottom, from the page."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^## Floors$.*?^```text\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    # What a line says of its modules is farther to the right.
    lines = [re.split(r"\s{3,}", line)[0] for line in block.splitlines()]
    return {name: level for level, line in enumerate(lines) for name in line.split()}


def top_name(path, package=PACKAGE):
    """The module or package of ircor that a file belongs to."""
    return path.relative_to(package).parts[0].removesuffix(".py")


def imported(path, package=PACKAGE):
    """The modules of ircor that a file imports, wherever in the file, with the line."""
    inside = len(path.relative_to(package).parts) - 1
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert node.level - 1 <= inside, f"{path}:{node.lineno} leaves the package"
            if node.level - 1 == inside:
                names = [node.module.split(".")[0]] if node.module else [alias.name for alias in node.names]
                yield from ((name, node.lineno) for name in names)
        else:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] == "ircor" for name in names), f"{path}:{node.lineno} is not relative"


# A result asks for its view when it is printed.
ARROW_UP = ("_core/results.py", "show")

SHARED = {"_core", "_kernel"}


def arrows_up(package, levels):
    """The imports that do not go down, as sentences."""
    found = []
    for path in sorted(package.rglob("*.py")):
        here = top_name(path, package)
        if here == "__init__":
            continue  # which loads the modules when they are first used
        for name, line in imported(path, package):
            if (str(path.relative_to(package)), name) == ARROW_UP:
                continue
            if name != here and levels[name] >= levels[here]:
                found.append(f"{path.relative_to(package)}:{line} imports {name}")
    return found


def python_files():
    return sorted(PACKAGE.rglob("*.py"))


def test_every_module_has_a_layer():
    modules = {top_name(path) for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert modules - {"__init__"} == set(layers())


def test_no_import_goes_up():
    assert arrows_up(PACKAGE, layers()) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("low.py", "from . import high"),
        ("low.py", "from .high import x"),
        ("low.py", "def f():\n    from .high.deep import x"),
        ("low.py", "from .beside import x"),
        ("high/deep.py", "from ..top import x"),
        ("high/deep.py", "from .. import top"),
    ],
)
def test_an_import_that_goes_up_is_found(tmp_path, file, line):
    for name in ("low.py", "beside.py", "top.py", "high/deep.py", "high/other.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    levels = {"low": 0, "beside": 0, "high": 1, "top": 2}
    (tmp_path / "top.py").write_text("from .high.deep import x\nfrom . import low\n")
    (tmp_path / "high/other.py").write_text("from .deep import x\nfrom ..low import y\n")
    assert arrows_up(tmp_path, levels) == []
    (tmp_path / file).write_text(line)
    assert len(arrows_up(tmp_path, levels)) == 1


def private_imports(package):
    """The imports of modules of another package that begin with an underscore."""
    found = []
    for path in sorted(package.rglob("*.py")):
        parents = path.relative_to(package).parts[:-1]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not node.level or not node.module:
                continue
            where = (*parents[: len(parents) - node.level + 1], *node.module.split("."))
            if len(where) > 1 and where[:1] != parents[:1] and where[0] not in SHARED and where[1].startswith("_"):
                found.append(f"{path.relative_to(package)}:{node.lineno} imports {'.'.join(where)}")
    return found


def test_packages_are_used_through_their_front_doors(tmp_path):
    assert private_imports(PACKAGE) == []
    for name in ("one/a.py", "one/_b.py", "two/_c.py", "_core/_d.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "one/a.py").write_text("from ._b import x\nfrom .._core._d import x\nfrom ..two import x\n")
    assert private_imports(tmp_path) == []
    (tmp_path / "one/a.py").write_text("def f():\n    from ..two._c import x\n")
    assert private_imports(tmp_path) == ["one/a.py:2 imports two._c"]


def test_only_commands_print():
    for path in python_files():
        if top_name(path) != "cli":
            calls = [
                node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
            ]
            assert not [call.lineno for call in calls if ast.unparse(call.func) in ("print", "sys.stdout.write")], path


def test_only_the_cross_check_knows_r():
    for path in python_files():
        text = path.read_text(encoding="utf-8")
        assert top_name(path) == "crosscheck" or not re.search(r"^\s*(import|from) rpy2", text, re.MULTILINE), path


def test_import_is_light():
    code = f"import sys, ircor; print({HEAVY!r} & {{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_the_files_that_a_page_names_are_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:ircor/|tests/|scripts/|r_reference/)?[\w/]+\.(?:py|pyx|h|pxd|md|R))`", text)
    assert named
    missing = [name for name in named if not any((folder / name).exists() for folder in (ROOT, PACKAGE))]
    assert missing == []


def test_no_file_is_too_long():
    long = {
        str(path.relative_to(ROOT)): lines
        for folder, longest in LONGEST.items()
        for path in (ROOT / folder).rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > longest
    }
    assert not long
