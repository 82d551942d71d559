"""What a type checker says about calls of the package, and that no public signature says nothing."""

import ast
import importlib
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import ircor
from ircor._core.methods import COEFFICIENTS, METHODS
from ircor._core.types import AnyMethodName, CoefficientName, MethodName

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "tests" / "typed.py"

# A signature may say Any here, because no type says more.
REASONS = {
    "Record.add": "a line of a JSON file",
}


@pytest.fixture(scope="module")
def mypy(request):
    """The mypy of scripts/style, which scripts/test has installed before the tests, or another one."""
    ours = Path(f"{sys.prefix}-style") / "bin" / "mypy"
    found = str(ours) if ours.exists() else shutil.which("mypy")
    if found is None:
        missing(request, "mypy")
    return found


def missing(request, what):
    """Skip the test, but not in scripts/test, which runs scripts/style first."""
    reason = f"there is no {what}: scripts/style installs it"
    assert not request.config.getoption("--require-r"), reason
    pytest.skip(reason)


def messages(mypy, folder, settings=""):
    """The errors in the examples: {line: [(code, message), ...]}."""
    config = folder / "mypy.ini"
    config.write_text(f"[mypy]\nstrict = True\nmypy_path = {ROOT}\nfollow_imports = silent\n{settings}")
    command = [mypy, "--config-file", str(config), "--cache-dir", str(folder / "cache"), str(EXAMPLES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 1, done.stdout + done.stderr
    found = {}
    for line in done.stdout.splitlines():
        if ": error: " in line:
            place, message, code = re.fullmatch(r".*typed\.py:(\d+): error: (.*?)\s+\[([\w-]+)\]", line).groups()
            found.setdefault(int(place), []).append((code, message))
    return found


def expected(pattern):
    """The lines of the examples that mypy must refuse, with the code of the error."""
    lines = enumerate(EXAMPLES.read_text(encoding="utf-8").splitlines(), 1)
    return {number: match[1] for number, line in lines if (match := re.search(pattern, line))}


def has_types_of_pandas(mypy):
    return any(Path(mypy).parents[1].glob("lib/python3*/site-packages/pandas-stubs"))


def test_calls_that_mypy_refuses_and_what_others_return(request, mypy, tmp_path):
    if not has_types_of_pandas(mypy):
        missing(request, "pandas-stubs beside mypy")
    found = messages(mypy, tmp_path)
    refused = expected(r"# error(?: with stubs)?: ([\w-]+)$")
    assert {line: errors for line, errors in found.items() if line not in refused} == {}
    assert {line: errors[0][0] for line, errors in found.items()} == refused


def test_calls_that_mypy_refuses_without_the_types_of_pandas(mypy, tmp_path):
    # What pandas and Polars return is then Any, and so is what depends on it.
    untyped = "[mypy-pandas.*,polars.*]\nignore_missing_imports = True\n"
    untyped += "follow_imports = skip\nfollow_imports_for_stubs = True\n"
    found = messages(mypy, tmp_path, untyped)
    found = {line: codes for line, errors in found.items() if (codes := {code for code, _ in errors} - {"assert-type"})}
    assert found == {line: {code} for line, code in expected(r"# error: ([\w-]+)$").items()}


def test_the_names_of_methods_are_those_of_the_table():
    assert list(get_args(MethodName)) == list(METHODS)
    assert list(get_args(CoefficientName)) == list(COEFFICIENTS)
    assert list(get_args(AnyMethodName)) == [*COEFFICIENTS, "rbo"]


# Signatures


def public_callables():
    """Every function of a public module, and every method of a public class, with the name of its module."""
    for module in ["ircor", *(f"ircor.{name}" for name in sorted(ircor.MODULES))]:
        namespace = importlib.import_module(module)
        for name in namespace.__all__:
            value = getattr(namespace, name)
            if inspect.isclass(value):
                if issubclass(value, BaseException):
                    continue
                members = {key: getattr(value, key) for key in vars(value) if not key.startswith("_")}
                members["__init__"] = value.__init__
                for key, member in members.items():
                    function = member.fget if isinstance(member, property) else getattr(member, "func", member)
                    if inspect.isroutine(function):
                        yield f"{name}.{key}", function
            elif callable(value):
                yield name, value


def types_that_say_nothing():
    """Names that stand for Any, wherever they are defined."""
    names = {"Any"}
    for path in (ROOT / "ircor").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            value = getattr(node, "value", None)
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and value is not None:
                text = value.value if isinstance(value, ast.Constant) else ast.unparse(value)
                if isinstance(text, str) and re.fullmatch(r"(typing\.)?Any( \| None)?", text):
                    names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def annotations(function):
    """The type of each parameter and of the result, as written."""
    signature = inspect.signature(function)
    written = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    written["return"] = signature.return_annotation
    return {name: text for name, text in written.items() if isinstance(text, str)}


def test_no_public_signature_says_nothing():
    nothing = re.compile(rf"\b({'|'.join(types_that_say_nothing())})\b")
    public = dict(public_callables())
    assert len(public) > 100
    found = {
        f"{name}({parameter}: {text})"
        for name, function in public.items()
        for parameter, text in annotations(function).items()
        if nothing.search(text) and not any(name.endswith(known) for known in REASONS)
    }
    assert found == set()


def test_every_public_parameter_has_a_type():
    for name, function in public_callables():
        for parameter in inspect.signature(function).parameters.values():
            named = parameter.name in ("self", "cls", "_cls", "args", "kwargs", "kwds")
            assert named or parameter.annotation is not inspect.Parameter.empty, f"{name}: {parameter}"


def test_a_type_that_says_nothing_is_found():
    assert types_that_say_nothing() == {"Any"}


def test_what_may_say_nothing_is_there():
    names = [name for name, _ in public_callables()]
    assert all(any(name.endswith(known) for name in names) for known in REASONS)
